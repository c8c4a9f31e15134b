#include "model/link.h"

#include <math.h>

#define HEADER_IN_MTU 28.0  /* IP and UDP */
#define HEADER_ON_WIRE 66.0 /* those, and Ethernet with preamble and gap */
#define SMALLEST_FRAME 84.0
#define CUT_THROUGH 0.5e-6
#define CABLE_PER_METRE 5e-9

struct wire wire_ethernet(double rate, double mtu)
{
    return (struct wire){rate / 8, mtu - HEADER_IN_MTU, HEADER_ON_WIRE, SMALLEST_FRAME};
}

struct wire wire_plain(double bytes_per_s)
{
    return (struct wire){bytes_per_s, 0, 0, 0};
}

struct wire wire_pcie(double generation, double lanes)
{
    static const struct {
        double transfers;
        double code;
    } generations[] = {
        {2.5e9, 0.8 * 0.914},          {5e9, 0.8 * 0.914},
        {8e9, 128.0 / 130.0 * 0.914},  {16e9, 128.0 / 130.0 * 0.914},
        {32e9, 128.0 / 130.0 * 0.914}, {64e9, 242.0 / 256.0 * 0.94},
    };
    int row = (int)generation - 1;

    row = row < 0 ? 0 : row > 5 ? 5 : row;
    return wire_plain(lanes * generations[row].transfers * generations[row].code / 8);
}

double wire_time(const struct wire *wire, double bytes)
{
    double whole;
    double rest;

    if (bytes <= 0)
        return 0;
    if (wire->payload <= 0)
        return bytes / wire->rate;
    whole = floor(bytes / wire->payload);
    rest = bytes - whole * wire->payload;
    bytes = whole * (wire->payload + wire->header);
    if (rest > 0)
        bytes += fmax(wire->minimum, rest + wire->header);
    return bytes / wire->rate;
}

double wire_latency(const struct wire *wire, double hops, enum switch_kind switching, double length)
{
    double hop = switching == SWITCH_CUT_THROUGH ? CUT_THROUGH : wire_time(wire, wire->payload);

    return hops * hop + length * CABLE_PER_METRE;
}

double camera_link_rate(const struct component *camera, double mtu)
{
    struct wire wire;

    switch ((enum camera_interface)camera->interface) {
    case INTERFACE_NONE:
        return 0;
    case INTERFACE_CAMERA_LINK_BASE:
        return 255e6;
    case INTERFACE_CAMERA_LINK_MEDIUM:
        return 510e6;
    case INTERFACE_CAMERA_LINK_FULL:
        return 680e6;
    case INTERFACE_CAMERA_LINK_80:
        return 850e6;
    case INTERFACE_COAXPRESS_6:
        return 600e6 * camera->lanes;
    case INTERFACE_COAXPRESS_12:
        return 1200e6 * camera->lanes;
    case INTERFACE_GIGE_VISION:
        break;
    }
    wire = wire_ethernet(camera->link_rate, mtu);
    return wire.payload / wire_time(&wire, wire.payload);
}
