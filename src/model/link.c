#include "model/link.h"

#include "base/number.h"
#include "model/formulas.h"

#define HEADER_ON_WIRE 66.0 /* IP, UDP and Ethernet with preamble and gap */
#define SMALLEST_FRAME 84.0
#define CUT_THROUGH 0.5e-6
#define ROUNDING 1e-12 /* of the bytes of a packet, which are a part of a frame's */

struct wire wire_ethernet(double rate, double mtu)
{
    return (struct wire){.rate = formula_ethernet_rate(rate),
                         .payload = formula_ethernet_payload(mtu),
                         .header = HEADER_ON_WIRE,
                         .minimum = SMALLEST_FRAME};
}

struct wire wire_plain(double bytes_per_s)
{
    return (struct wire){.rate = bytes_per_s};
}

struct wire wire_pcie(double generation, double lanes)
{
    static const struct {
        double transfers;
        double code;
    } generations[] = {
        {.transfers = 2.5e9, .code = 0.8 * 0.914},
        {.transfers = 5e9, .code = 0.8 * 0.914},
        {.transfers = 8e9, .code = 128.0 / 130.0 * 0.914},
        {.transfers = 16e9, .code = 128.0 / 130.0 * 0.914},
        {.transfers = 32e9, .code = 128.0 / 130.0 * 0.914},
        {.transfers = 64e9, .code = 242.0 / 256.0 * 0.94},
    };
    int row = (int)generation - 1;

    row = row < 0 ? 0 : row > 5 ? 5 : row;
    return wire_plain(lanes * generations[row].transfers * generations[row].code / 8);
}

double link_lanes(const struct device *board, const struct device *host)
{
    return smaller(smaller(board->pcie_lanes, host->pcie_lanes), 16);
}

double wire_time(const struct wire *wire, double bytes)
{
    double datagrams;

    if (bytes <= 0)
        return 0;
    if (wire->payload <= 0)
        return formula_wire_time_plain(bytes, wire->rate);
    datagrams = formula_datagrams(bytes, wire->payload);
    if (bytes - datagrams * wire->payload <= ROUNDING * bytes)
        return formula_wire_time_full(datagrams, wire->payload, wire->header, wire->rate);
    return formula_wire_time_rest(datagrams, wire->payload, wire->header, bytes, wire->minimum,
                                  wire->rate);
}

double wire_first_time(const struct wire *wire, double bytes)
{
    return wire_time(wire, smaller(bytes, wire->payload));
}

double wire_hop_time(const struct wire *wire, enum switch_kind switching)
{
    return switching == SWITCH_CUT_THROUGH
               ? CUT_THROUGH
               : formula_store_forward_time(wire->payload, wire->header, wire->rate);
}

double camera_link_rate(const struct component *camera, double mtu)
{
    static const double camera_links[] = {[INTERFACE_CAMERA_LINK_BASE] = 255e6,
                                          [INTERFACE_CAMERA_LINK_MEDIUM] = 510e6,
                                          [INTERFACE_CAMERA_LINK_FULL] = 680e6,
                                          [INTERFACE_CAMERA_LINK_80] = 850e6,
                                          [INTERFACE_GIGE_VISION] = 0};

    return formula_interface_rate(camera, camera_links[camera->interface],
                                  formula_ethernet_payload(mtu), HEADER_ON_WIRE);
}
