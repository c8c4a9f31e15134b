/* Which packet brings which pixel and completes which subaperture.
 *
 * The pixel of readout rank q (0 to N - 1) is in packet floor(q P / N). Ranks: raster y W + x;
 * centre-out by (distance of the row from the middle, x, half), two rows at a time from the middle
 * out; edges-in the same with the distance falling; frame: everything in the last packet. A
 * subaperture is complete with its last pixel, a pyramid's pupil pixel when all four images have
 * it. A subaperture is valid when obscuration r < distance of its centre to the grid's < r, both
 * strict, r = subaps_across / 2; without an obscuration the central one is valid too. The grid lies
 * centred on the detector, each pyramid image centred in its quadrant. */
#ifndef AOLAG_READOUT_H
#define AOLAG_READOUT_H

#include <stdbool.h>

#include "scenario.h"
#include "status.h"

/* All an agenda depends on. */
struct agenda_key {
    int kind;
    int order;
    long packets;
    long across;
    long side;
    long width, height; /* px, resolved */
    double obscuration;
};

/* A frame's work spread over its packets. Weights sum to 1. */
struct weights {
    const double *slot; /* [packets]; NULL: everything in the last one */
    int first;          /* the first slot with work */
    int count;          /* slots with work */
};

struct agenda {
    struct agenda_key key;
    bool valid;
    double subaps;   /* valid ones by the geometry */
    double *pixel;   /* [PACKETS_MAX], weights of the pixels; the caller's memory */
    double *element; /* [PACKETS_MAX], of completed subapertures or pupil pixels */
    struct weights pixels, elements;
};

/* The key of a sensor; detector sizes of 0 resolved: subaps_across x pixels_per_subap, pyramid
 * 2 ceil(1.2 subaps_across). */
struct agenda_key agenda_key(const struct wfs *wfs, enum readout_order order, double packets);

/* Whether two sensors are read alike. */
bool readout_same(const struct agenda_key *a, const struct agenda_key *b);

/* Fills `agenda` for `key` unless it is that already. STATUS_INVALID, naming the key of section
 * wfs.NAME, when the detector is too small or no subaperture is valid; the agenda is then not
 * valid. */
enum status agenda_update(struct agenda *agenda, const struct agenda_key *key, const char *name,
                          struct error *error);

#endif
