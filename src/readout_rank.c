#include "readout_rank.h"

#include <stdlib.h>

struct readout_row readout_row(const struct agenda_key *key, long y)
{
    long height = key->height;
    bool odd = height % 2 != 0;
    bool lower = 2 * y > height - 1;
    long distance = odd ? labs(y - height / 2) : lower ? y - height / 2 : height / 2 - 1 - y;
    long within = odd ? 2 * distance + 1 : 2 * (distance + 1); /* rows this near or nearer */
    long alike = odd && distance == 0 ? 1 : 2;                 /* rows at this distance */
    long before = key->order == ORDER_EDGES_IN ? height - within : within - alike;

    if (key->order == ORDER_RASTER)
        return (struct readout_row){(long long)y * key->width, 1, 0};
    return (struct readout_row){(long long)before * key->width, alike, alike == 2 && lower};
}

static struct readout_row later(struct readout_row a, struct readout_row b)
{
    if (a.base != b.base)
        return a.base > b.base ? a : b;
    return a.half > b.half ? a : b;
}

struct readout_grid readout_grid(const struct agenda_key *key)
{
    long need = key->across * key->side;

    if (key->kind == WFS_PYRAMID) {
        long half_width = key->width / 2;
        long half_height = key->height / 2;

        return (struct readout_grid){half_width + (half_width - key->across) / 2,
                                     (half_height - key->across) / 2, 1, half_height};
    }
    return (struct readout_grid){(key->width - need) / 2, (key->height - need) / 2, key->side, 0};
}

struct readout_row readout_last_row(const struct agenda_key *key, const struct readout_grid *grid,
                                    long gy)
{
    long top = grid->top + gy * grid->step;
    long bottom = top + grid->step - 1;
    struct readout_row last = readout_row(key, bottom);

    if (key->order == ORDER_RASTER)
        return grid->second > 0 ? readout_row(key, bottom + grid->second) : last;
    for (long y = top; y < bottom; y++)
        last = later(last, readout_row(key, y));
    if (grid->second > 0)
        last = later(last, readout_row(key, bottom + grid->second));
    return last;
}

bool readout_valid(const struct agenda_key *key, long gx, long gy)
{
    long n = key->across;
    long u = 2 * gx - n + 1; /* twice the distances from the grid's centre: whole numbers */
    long v = 2 * gy - n + 1;
    double hole = key->obscuration * (double)n;

    return u * u + v * v < n * n && (hole <= 0 || (double)(u * u) > hole * hole - (double)(v * v));
}
