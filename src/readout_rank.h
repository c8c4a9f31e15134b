/* In which order pixels are read, and where the grid of subapertures lies among them: readout.h in
 * numbers. What is read as one frame (ORDER_FRAME) has no order of its own; the functions are not
 * to be asked for it. */
#ifndef AOLAG_READOUT_RANK_H
#define AOLAG_READOUT_RANK_H

#include "readout.h"

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
