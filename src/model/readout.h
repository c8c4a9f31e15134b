/* The packet that delivers each pixel and completes each subaperture.
 *
 * The pixel of readout rank q (0 to N - 1) is in packet floor(q P / N). A frame has as many slots
 * as the sensor with most packets; packet j of another one with P is in slot ceil((j + 1) slots /
 * P)
 * - 1, the first that ends with it or later if all are read out in the same time. Ranks: raster y W
 * + x; centre-out by (distance of the row from the middle, x, half), two rows at a time from the
 * middle outwards; edges-in likewise with decreasing distance; frame: everything in the last
 * packet. A subaperture is complete with its last pixel, a pupil pixel of a pyramid when all four
 * images contain it. A subaperture is valid if obscuration r < distance of its centre to the grid's
 * < r, both strict, r = subaps_across / 2; without an obscuration the central one is valid too; a
 * mask says so itself. An agenda states the parts of the pixels, which are read at a constant rate,
 * in each packet; a map the packet of each pixel, at that rate, or its time: then it is in the
 * first of P packets, sent at equal intervals, that is not earlier. The grid is centred on the
 * detector, each pyramid image is centred in its quadrant. */
#ifndef AOLAG_MODEL_READOUT_H
#define AOLAG_MODEL_READOUT_H

#include <math.h>
#include <stdbool.h>

#include "base/status.h"
#include "design/pattern.h"
#include "design/scenario.h"

/* All inputs of an agenda. */
struct agenda_key {
    int kind;
    int order;
    long packets; /* of the sensor, at most as many as slots */
    long slots;   /* of a frame */
    long across;
    long side;
    long width, height; /* px, resolved */
    double obscuration;
    bool square; /* valid_subaps states as many as the square has: none is outside a pupil */
    const struct pattern *agenda, *map, *mask; /* NULL: none */
};

/* Distribution of a frame's work over its packets. Weights sum to 1. */
struct weights {
    const double *slot; /* [packets]; NULL: all work in the last one */
    int first, last;    /* first and last slot with work */
    int count;          /* number of slots with work */
};

/* Returns true if each of the first `count` slots has work. */
static inline bool weights_dense(const struct weights *weights, int count)
{
    return weights->first == 0 && weights->last >= count - 1 && weights->count == weights->last + 1;
}

/* Returns those of work that all waits for the last of its slots. */
static inline struct weights weights_of_last(int slots)
{
    return (struct weights){NULL, slots - 1, slots - 1, 1};
}

struct agenda {
    struct agenda_key key;
    bool valid;
    double subaps;   /* valid subapertures of the geometry */
    double *pixel;   /* [PACKETS_MAX], weights of the pixels; the caller's memory */
    double *element; /* [PACKETS_MAX], weights of completed subapertures or pupil pixels */
    double *when;    /* [PACKETS_MAX], fraction of the readout after which the data of a slot and of
                        those before have left the sensor; not used if `even` */
    bool even;       /* slot i has its data after (i + 1) / slots of the readout */
    struct weights pixels, elements;
};

/* Returns the key of a sensor; detector sizes of 0 become subaps_across x pixels_per_subap, pyramid
 * 2 ceil(1.2 subaps_across). */
struct agenda_key agenda_key(const struct wfs *wfs, enum readout_order order, int packets,
                             int slots);

/* Returns true if two sensors are read in the same way. */
bool agenda_key_equal(const struct agenda_key *a, const struct agenda_key *b);

/* Computes the agenda for `key` unless it is up to date. Returns STATUS_INVALID and names the key
 * of section wfs.NAME if the detector is too small or no subaperture is valid; the agenda is then
 * not valid. */
enum status agenda_update(struct agenda *agenda, const struct agenda_key *key, const char *name,
                          struct error *error);

/* Readout order of pixels and position of the subaperture grid. Not for ORDER_FRAME, whose pixels
 * arrive all at once. */

/* Pixels of a row have ranks base + x stride + half. */
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

/* Without a map: return the packet of a rank, and the number of ranks in all packets up to
 * `packet`; packet -1: 0. */
long readout_packet(const struct agenda_key *key, long long rank);
long long readout_pixels(const struct agenda_key *key, long packet);

/* Returns the packet of pixel (x, y). */
long readout_packet_at(const struct agenda_key *key, long x, long y);

/* Returns the part of the readout after which a packet has left the sensor, with `part` of the
 * pixels in it and those before; packet -1: 0. */
double readout_time(const struct agenda_key *key, long packet, double part);

/* Return the slot of a packet, and the last packet in a slot or before; -1: none. */
static inline long readout_slot(const struct agenda_key *key, long packet)
{
    return ((packet + 1) * key->slots + key->packets - 1) / key->packets - 1;
}

static inline long readout_last_packet(const struct agenda_key *key, long slot)
{
    return (slot + 1) * key->packets / key->slots - 1;
}

/* The grid on the detector: the last pixel of element (gx, gy) is in column left + gx step + step -
 * 1 and in the last of its rows to be read. */
struct readout_grid {
    long left, top; /* for a pyramid, of the upper right image */
    long step;
    long second; /* row offset of the lower pyramid images; 0: none */
};

struct readout_grid readout_grid(const struct agenda_key *key);

/* Returns the row of the last pixel of the elements of grid row gy. */
struct readout_row readout_last_row(const struct agenda_key *key, const struct readout_grid *grid,
                                    long gy);

/* Returns the packet that completes element (gx, gy) of a grid. */
long readout_completing(const struct agenda_key *key, const struct readout_grid *grid, long gx,
                        long gy);

/* Returns the pixels in a slot of an agenda. */
static inline double agenda_pixels(const struct agenda *agenda, long slot)
{
    return floor(agenda->pixel[slot] * (double)agenda->key.width * (double)agenda->key.height +
                 0.5);
}

/* Returns true if packets differ by more than a pixel. */
static inline bool agenda_is_stated(const struct agenda *agenda)
{
    return agenda->key.agenda != NULL || agenda->key.map != NULL;
}

/* Returns true if the geometry or the mask has a valid element at (gx, gy), each 0 to across - 1.
 */
bool readout_valid(const struct agenda_key *key, long gx, long gy);

#endif
