/* Networks, PCIe and camera links.
 *
 * A link is busy for the wire time only; delays of a datagram in drivers, switches and cable are
 * latency, so packets pipeline. */
#ifndef AOLAG_MODEL_LINK_H
#define AOLAG_MODEL_LINK_H

#include "design/scenario.h"

/* Wire time as a function of the payload: bytes are split into datagrams of at most `payload` bytes
 * plus `header`, at least `minimum`; payload 0: one datagram without overhead. */
struct wire {
    double rate;                     /* B/s */
    double payload, header, minimum; /* B */
};

/* UDP over IPv4 over Ethernet: 8 UDP, 20 IP, 14 MAC, 4 FCS, 8 preamble, 12 gap; at least 84 B
 * (IEEE 802.3, RFC 768, RFC 791). `rate` in bit/s, `mtu` in B above 28. */
struct wire wire_ethernet(double rate, double mtu);

/* Returns a PCIe link of a generation (1 to 6) and lanes: transfer rate x line code x framing.
 * Generations 1, 2: 2.5, 5 GT/s, 8b/10b; 3 to 5: 8, 16, 32 GT/s, 128b/130b; both x 0.914 for 256 B
 * payloads; 6: 64 GT/s, 242/256 x 0.94. Per direction. */
struct wire wire_pcie(double generation, double lanes);

struct wire wire_plain(double bytes_per_s);

/* Returns the seconds on the wire; 0 for no bytes. */
double wire_time(const struct wire *wire, double bytes);

/* Returns the seconds of the first datagram on the wire: a full one, or all the bytes. */
double wire_first_time(const struct wire *wire, double bytes);

/* Returns the latency of a switch, s: 0.5 us cut-through, else one full datagram's
 * serialisation. */
double wire_hop_time(const struct wire *wire, enum switch_kind switching);

/* Returns the lanes of the PCIe link between a board and its host: those that both have, at
 * most 16. */
double link_lanes(const struct device *board, const struct device *host);

#define PCIE_LATENCY 1e-6 /* s, one direction */

/* Returns the payload rate of a camera link, B/s; 0 for INTERFACE_NONE. Camera Link base, medium,
 * full, 80-bit: 255, 510, 680, 850 MB/s (85 MHz); CoaXPress-6, -12: 600, 1200 MB/s per lane; GigE
 * Vision: line rate minus overhead of full datagrams of `mtu` (the smallest of its hosts). */
double camera_link_rate(const struct component *camera, double mtu);

#endif
