/* The packet that delivers each pixel and completes each subaperture.
 *
 * The pixel of readout rank q (0 to N - 1) is in packet floor(q P / N). Ranks: raster y W + x;
 * centre-out by (distance of the row from the middle, x, half), two rows at a time from the middle
 * out; edges-in the same with the distance falling; frame: everything in the last packet. A
 * subaperture is complete with its last pixel, a pyramid's pupil pixel when all four images have
 * it. A subaperture is valid when obscuration r < distance of its centre to the grid's < r, both
 * strict, r = subaps_across / 2; without an obscuration the central one is valid too. The grid lies
 * centred on the detector, each pyramid image centred in its quadrant. */
#ifndef AOLAG_MODEL_READOUT_H
#define AOLAG_MODEL_READOUT_H

#include <stdbool.h>

#include "base/status.h"
#include "design/scenario.h"

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
bool agenda_key_equal(const struct agenda_key *a, const struct agenda_key *b);

/* Fills `agenda` for `key` unless it is that already. STATUS_INVALID, naming the key of section
 * wfs.NAME, when the detector is too small or no subaperture is valid; the agenda is then not
 * valid. */
enum status agenda_update(struct agenda *agenda, const struct agenda_key *key, const char *name,
                          struct error *error);

/* In which order pixels are read, and where the grid of subapertures lies among them. Not for
 * ORDER_FRAME, whose pixels arrive all at once. */

/* Pixels of a row have the ranks base + x stride + half. */
struct readout_row {
    long long base;
    long long stride;
    long long half;
};

struct readout_row readout_row(const struct agenda_key *key, long y);

static inline long long readout_rank(const struct readout_row *row, long long x)
{
    return row->base + x * row->stride + row->half;
}

/* The packet of a rank, and the ranks of all packets up to one: 0 to that number - 1. */
static inline long readout_packet(const struct agenda_key *key, long long rank)
{
    return (long)(rank * key->packets / ((long long)key->width * key->height));
}

static inline long long readout_pixels(const struct agenda_key *key, long packet)
{
    long long pixels = (long long)key->width * key->height;

    return ((packet + 1) * pixels + key->packets - 1) / key->packets;
}

/* The grid on the detector: element (gx, gy) has its last pixel in column left + gx step + step - 1
 * and in the latest of its rows. */
struct readout_grid {
    long left, top; /* of a pyramid those of the right image above */
    long step;
    long second; /* rows down to the lower pyramid images; 0: none */
};

struct readout_grid readout_grid(const struct agenda_key *key);

/* The row of the last pixel of the elements of grid row gy. */
struct readout_row readout_last_row(const struct agenda_key *key, const struct readout_grid *grid,
                                    long gy);

/* Whether the geometry has a valid element at (gx, gy), 0 to across - 1 each. */
bool readout_valid(const struct agenda_key *key, long gx, long gy);

#endif
