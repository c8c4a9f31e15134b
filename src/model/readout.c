#include "model/readout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/formulas.h"

/* Order of the pixels -------------------------------------------------------------------------- */

struct readout_row readout_row(const struct agenda_key *key, long y)
{
    long height = key->height;
    bool odd = height % 2 != 0;
    bool lower = 2 * y > height - 1;
    long distance = odd ? labs(y - height / 2) : lower ? y - height / 2 : height / 2 - 1 - y;
    long within = odd ? 2 * distance + 1 : 2 * (distance + 1); /* rows at most this far */
    long alike = odd && distance == 0 ? 1 : 2;                 /* rows at this distance */
    long before = key->order == ORDER_EDGES_IN ? height - within : within - alike;

    if (key->order == ORDER_RASTER)
        return (struct readout_row){(long long)y * key->width, 1, 0};
    return (struct readout_row){(long long)before * key->width, alike, alike == 2 && lower};
}

static struct readout_row later_row(struct readout_row a, struct readout_row b)
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
        last = later_row(last, readout_row(key, y));
    if (grid->second > 0)
        last = later_row(last, readout_row(key, bottom + grid->second));
    return last;
}

long readout_packet(const struct agenda_key *key, long long rank)
{
    long first = 0;
    long last = key->packets - 1;

    if (key->agenda == NULL)
        return (long)(rank * key->packets / ((long long)key->width * key->height));
    while (first < last) { /* the first packet that ends after the rank */
        long middle = (first + last) / 2;

        if (readout_pixels(key, middle) > rank)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

long long readout_pixels(const struct agenda_key *key, long packet)
{
    long long pixels = (long long)key->width * key->height;

    if (key->agenda != NULL)
        return packet < 0                   ? 0
               : packet == key->packets - 1 ? pixels
                                            : llround(key->agenda->end[packet] * (double)pixels);
    return ((packet + 1) * pixels + key->packets - 1) / key->packets;
}

/* The relative precision of a map's times. */
#define MAP_ROUNDING 2e-7

long readout_packet_at(const struct agenda_key *key, long x, long y)
{
    struct readout_row row;
    double value;

    if (key->map != NULL) {
        value = key->map->pixel[y * key->width + x];
        if (key->map->packets > 0)
            return (long)value;
        return (long)fmax(0, ceil(value * (double)key->packets * (1 - MAP_ROUNDING)) - 1);
    }
    if (key->order == ORDER_FRAME)
        return key->packets - 1;
    row = readout_row(key, y);
    return readout_packet(key, readout_rank(&row, x));
}

double readout_time(const struct agenda_key *key, long packet, double part)
{
    if (packet >= 0 && key->agenda != NULL)
        return key->agenda->end[packet];
    if (packet >= 0 && key->map != NULL && key->map->packets > 0)
        return part;
    return (double)(packet + 1) / (double)key->packets;
}

/* Returns the last packet with pixels of a square. */
static long last_packet_of(const struct agenda_key *key, long left, long top, long side)
{
    long last = 0;

    for (long y = top; y < top + side; y++)
        for (long x = left; x < left + side; x++) {
            long packet = readout_packet_at(key, x, y);

            last = packet > last ? packet : last;
        }
    return last;
}

long readout_completing(const struct agenda_key *key, const struct readout_grid *grid, long gx,
                        long gy)
{
    long left = grid->left + gx * grid->step;
    long top = grid->top + gy * grid->step;
    struct readout_row row;
    long last;

    if (key->order == ORDER_FRAME)
        return key->packets - 1;
    if (key->map == NULL) {
        row = readout_last_row(key, grid, gy);
        return readout_packet(key, readout_rank(&row, left + grid->step - 1));
    }
    last = last_packet_of(key, left, top, grid->step);
    for (int image = 1; image < 4 && grid->second > 0; image++) {
        long packet = readout_packet_at(key, left - (image % 2 != 0 ? key->width / 2 : 0),
                                        top + (image > 1 ? grid->second : 0));

        last = packet > last ? packet : last;
    }
    return last;
}

bool readout_valid(const struct agenda_key *key, long gx, long gy)
{
    if (key->mask != NULL)
        return key->mask->valid[gy * key->across + gx] != 0;
    if (key->square)
        return true;
    long n = key->across;
    long u = 2 * gx - n + 1; /* twice the distance from the grid's centre, an integer */
    long v = 2 * gy - n + 1;
    double hole = key->obscuration * (double)n;

    return u * u + v * v < n * n && (hole <= 0 || (double)(u * u) > hole * hole - (double)(v * v));
}

/* Agenda --------------------------------------------------------------------------------------- */

/* Adds the elements from..to of a grid row to the packets that complete them. */
static void add_elements(const struct agenda_key *key, const struct readout_grid *grid,
                         struct readout_row row, long from, long to, double *count)
{
    long long last = readout_rank(&row, grid->left + (to + 1) * grid->step - 1);

    while (from <= to) {
        long long x = grid->left + (from + 1) * grid->step - 1;
        long packet = readout_packet(key, readout_rank(&row, x));
        long long beyond = readout_pixels(key, packet);
        long long end = to;

        if (last >= beyond) {
            long long last_x = (beyond - 1 - row.base - row.half) / row.stride;

            end = (last_x - grid->left + 1) / grid->step - 1;
        }
        count[packet] += (double)(end - from + 1);
        from = (long)end + 1;
    }
}

/* Returns the largest u >= 0 with the parity of `parity` and u^2 <= limit; -1 if there is none. */
static long largest_within(double limit, long parity)
{
    long u;

    if (limit < 0)
        return -1;
    u = (long)sqrt(limit);
    while ((double)(u + 1) * (double)(u + 1) <= limit)
        u++;
    while (u >= 0 && (double)u * (double)u > limit)
        u--;
    if (u >= 0 && (u - parity) % 2 != 0)
        u--;
    return u;
}

/* Counts valid elements row by row; u and v are twice the distances from the grid's centre, so that
 * they are integers. */
static double count_elements(const struct agenda_key *key, double *count)
{
    struct readout_grid grid = readout_grid(key);
    long n = key->across;
    double hole = key->obscuration * (double)n;
    double total = 0;

    for (long gy = 0; gy < n; gy++) {
        long v = 2 * gy - n + 1;
        double outer = (double)(n * n - v * v) - 0.5; /* strict comparison of integers */
        long wide = largest_within(outer, n - 1);
        long narrow = hole > 0 ? largest_within(hole * hole - (double)(v * v), n - 1) : -1;
        struct readout_row row = readout_last_row(key, &grid, gy);

        if (key->square) {
            wide = n - 1;
            narrow = -1;
        }
        if (wide < 0)
            continue;
        if (narrow < 0) {
            add_elements(key, &grid, row, (n - 1 - wide) / 2, (n - 1 + wide) / 2, count);
            total += (double)(wide + 1);
        } else if (narrow < wide) {
            add_elements(key, &grid, row, (n - 1 - wide) / 2, (n - 1 - narrow) / 2 - 1, count);
            add_elements(key, &grid, row, (n - 1 + narrow) / 2 + 1, (n - 1 + wide) / 2, count);
            total += (double)(wide - narrow);
        }
    }
    return total;
}

/* Counts valid elements one by one. */
static double count_each_element(const struct agenda_key *key, double *count)
{
    struct readout_grid grid = readout_grid(key);
    double total = 0;

    for (long gy = 0; gy < key->across; gy++)
        for (long gx = 0; gx < key->across; gx++)
            if (readout_valid(key, gx, gy)) {
                count[readout_completing(key, &grid, gx, gy)]++;
                total++;
            }
    return total;
}

static void count_pixels(const struct agenda_key *key, double *count)
{
    long long done = 0;

    if (key->map != NULL) {
        for (long y = 0; y < key->height; y++)
            for (long x = 0; x < key->width; x++)
                count[readout_packet_at(key, x, y)]++;
        return;
    }

    for (long k = 0; k < key->packets; k++) {
        long long end = readout_pixels(key, k);

        count[k] = (double)(end - done);
        done = end;
    }
}

/* Moves what was counted by packet to the slots of the packets. */
static void spread_packets(const struct agenda_key *key, double *count)
{
    if (key->packets == key->slots)
        return;
    for (long k = key->packets - 1; k >= 0; k--) {
        double moved = count[k];

        count[k] = 0;
        count[readout_slot(key, k)] = moved;
    }
}

/* Sets when the data of each slot have left the sensor. */
static void set_times(struct agenda *agenda)
{
    const struct agenda_key *key = &agenda->key;
    double part = 0;

    agenda->even = key->packets == key->slots && !agenda_is_stated(agenda);
    for (long i = 0; i < key->slots && !agenda->even; i++) {
        part += agenda->pixel[i];
        agenda->when[i] = readout_time(key, readout_last_packet(key, i), fmin(part, 1));
    }
}

static struct weights normalise_weights(double *slot, long packets, double total)
{
    struct weights weights = {slot, (int)packets - 1, 0, 0};

    for (long k = packets - 1; k >= 0; k--) {
        if (slot[k] > 0) {
            weights.first = (int)k;
            weights.last = weights.count == 0 ? (int)k : weights.last;
            weights.count++;
        }
        slot[k] /= total;
    }
    return weights;
}

static enum status check_detector(const struct agenda_key *key, const char *name,
                                  struct error *error)
{
    bool pyramid = key->kind == WFS_PYRAMID;
    long need = pyramid ? 2 * key->across : key->across * key->side;
    bool wide = (pyramid ? 2 * (key->width / 2) : key->width) >= need;
    bool high = (pyramid ? 2 * (key->height / 2) : key->height) >= need;

    const char *use = pyramid ? "four pupil images" : "subapertures";

    if (wide && high)
        return STATUS_OK;
    if (key->map != NULL && key->map->width == key->width && key->map->height == key->height)
        return error_set(error, STATUS_INVALID,
                         "wfs.%s.readout_map: %ld x %ld pixels are too few; the %s need %ld x %ld",
                         name, key->width, key->height, use, need, need);
    return error_set(error, STATUS_INVALID,
                     "wfs.%s.detector_%s: %ld px is too small; the %s need %ld px", name,
                     wide ? "height" : "width", wide ? key->height : key->width, use, need);
}

static enum status check_patterns(const struct agenda_key *key, const char *name,
                                  struct error *error)
{
    if (key->agenda != NULL && key->map != NULL)
        return error_set(error, STATUS_INVALID,
                         "wfs.%s.agenda: the readout map has the packets, too; remove one of both",
                         name);
    if (key->map != NULL && (key->map->width != key->width || key->map->height != key->height))
        return error_set(error, STATUS_INVALID,
                         "wfs.%s.readout_map: %ld x %ld pixels; the detector has %ld x %ld", name,
                         key->map->width, key->map->height, key->width, key->height);
    if (key->mask != NULL && (key->mask->width != key->across || key->mask->height != key->across))
        return error_set(error, STATUS_INVALID,
                         "wfs.%s.mask: %ld x %ld subapertures; the sensor has %ld x %ld", name,
                         key->mask->width, key->mask->height, key->across, key->across);
    return STATUS_OK;
}

struct agenda_key agenda_key(const struct wfs *wfs, enum readout_order order, int packets,
                             int slots)
{
    struct agenda_key key;
    long side;

    memset(&key, 0, sizeof key);
    key.kind = wfs->kind;
    key.order = (int)order;
    key.packets = packets;
    key.slots = slots;
    key.across = (long)wfs->subaps_across;
    key.side = wfs->kind == WFS_PYRAMID ? 1 : (long)wfs->pixels_per_subap;
    key.obscuration = wfs->obscuration;
    key.square = wfs->valid_subaps == wfs->subaps_across * wfs->subaps_across;
    side = (long)(wfs->kind == WFS_PYRAMID
                      ? formula_pyramid_detector_side((double)key.across)
                      : formula_detector_side((double)key.across, (double)key.side));
    key.agenda = wfs->agenda.pattern;
    key.map = wfs->readout_map.pattern;
    key.mask = wfs->mask.pattern;
    if (key.map != NULL)
        key.order = ORDER_RASTER; /* the map has its own */
    key.width = wfs->detector_width > 0 ? (long)wfs->detector_width
                : key.map != NULL       ? key.map->width
                                        : side;
    key.height = wfs->detector_height > 0 ? (long)wfs->detector_height
                 : key.map != NULL        ? key.map->height
                                          : side;
    return key;
}

bool agenda_key_equal(const struct agenda_key *a, const struct agenda_key *b)
{
    return a->kind == b->kind && a->order == b->order && a->packets == b->packets &&
           a->slots == b->slots && a->across == b->across && a->side == b->side &&
           a->width == b->width && a->height == b->height && a->obscuration == b->obscuration &&
           a->square == b->square && a->agenda == b->agenda && a->map == b->map &&
           a->mask == b->mask;
}

enum status agenda_update(struct agenda *agenda, const struct agenda_key *key, const char *name,
                          struct error *error)
{
    long last = key->packets - 1;

    if (agenda->valid && agenda_key_equal(&agenda->key, key))
        return STATUS_OK;
    agenda->valid = false;
    if (check_detector(key, name, error) != STATUS_OK ||
        check_patterns(key, name, error) != STATUS_OK)
        return STATUS_INVALID;
    memset(agenda->element, 0, sizeof(double) * (size_t)key->slots);
    memset(agenda->pixel, 0, sizeof(double) * (size_t)key->slots);
    if (key->order == ORDER_FRAME) {
        struct agenda_key raster = *key;

        raster.order = ORDER_RASTER;
        raster.agenda = NULL;
        agenda->subaps = key->mask != NULL ? count_each_element(&raster, agenda->element)
                                           : count_elements(&raster, agenda->element);
        memset(agenda->element, 0, sizeof(double) * (size_t)key->packets);
        agenda->element[last] = agenda->subaps;
        agenda->pixel[last] = (double)key->width * (double)key->height;
    } else {
        agenda->subaps = key->mask != NULL || key->map != NULL
                             ? count_each_element(key, agenda->element)
                             : count_elements(key, agenda->element);
        count_pixels(key, agenda->pixel);
    }
    if (agenda->subaps <= 0 && key->mask != NULL)
        return error_set(error, STATUS_INVALID, "wfs.%s.mask: no subaperture is valid", name);
    if (agenda->subaps <= 0)
        return error_set(error, STATUS_INVALID,
                         "wfs.%s.obscuration: no subaperture of %ld across is valid", name,
                         key->across);
    spread_packets(key, agenda->pixel);
    spread_packets(key, agenda->element);
    agenda->pixels =
        normalise_weights(agenda->pixel, key->slots, (double)key->width * (double)key->height);
    agenda->elements = normalise_weights(agenda->element, key->slots, agenda->subaps);
    agenda->key = *key;
    set_times(agenda);
    agenda->valid = true;
    return STATUS_OK;
}
