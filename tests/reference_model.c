#include "reference_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Agenda --------------------------------------------------------------------------------------- */

struct pixel {
    long x, y;
    long order[3];
};

static int by_order(const void *a, const void *b)
{
    const struct pixel *p = a;
    const struct pixel *q = b;

    for (int i = 0; i < 3; i++)
        if (p->order[i] != q->order[i])
            return p->order[i] < q->order[i] ? -1 : 1;
    return 0;
}

/* What pixels are sorted by: rows, or their distance from the middle, then column, then half. */
static void set_order(const struct agenda_key *key, struct pixel *pixel)
{
    double middle = (double)(key->height - 1) / 2;
    long distance = (long)floor(fabs((double)pixel->y - middle));

    if (key->order == ORDER_RASTER) {
        pixel->order[0] = pixel->y;
        pixel->order[1] = pixel->x;
        pixel->order[2] = 0;
        return;
    }
    pixel->order[0] = key->order == ORDER_EDGES_IN ? -distance : distance;
    pixel->order[1] = pixel->x;
    pixel->order[2] = (double)pixel->y > middle;
}

/* Returns the packet that pixel `i`, read as number `q` of `count`, is in. */
static long packet_of(const struct agenda_key *key, long i, long q, long count)
{
    long k = 0;

    if (key->map != NULL && key->map->packets > 0)
        return lround(key->map->pixel[i]);
    if (key->map != NULL) {
        while ((double)(k + 1) / (double)key->packets * (1 + 4e-7) < key->map->pixel[i])
            k++;
        return k;
    }
    if (key->order == ORDER_FRAME)
        return key->packets - 1;
    if (key->agenda == NULL)
        return q * key->packets / count;
    while (llround(key->agenda->end[k] * (double)count) <= q)
        k++;
    return k;
}

long *reference_packets(const struct agenda_key *key)
{
    long count = key->width * key->height;
    struct pixel *pixels = calloc((size_t)count, sizeof *pixels);
    long *packet = calloc((size_t)count, sizeof *packet);

    for (long i = 0; i < count; i++) {
        pixels[i].x = i % key->width;
        pixels[i].y = i / key->width;
        set_order(key, &pixels[i]);
    }
    qsort(pixels, (size_t)count, sizeof *pixels, by_order);
    for (long q = 0; q < count; q++) {
        long i = pixels[q].y * key->width + pixels[q].x;

        packet[i] = packet_of(key, i, q, count);
    }
    free(pixels);
    return packet;
}

bool reference_valid(const struct agenda_key *key, long gx, long gy, long thousandths)
{
    long n = key->across;
    long long u = 2 * gx - n + 1; /* twice the distances from the centre */
    long long v = 2 * gy - n + 1;
    long long distance = u * u + v * v;

    if (key->mask != NULL)
        return key->mask->valid[gy * n + gx] != 0;
    return distance < (long long)n * n &&
           (thousandths == 0 || distance * 1000000 > (long long)thousandths * thousandths * n * n);
}

long reference_completed(const struct agenda_key *key, const long *packet, long gx, long gy)
{
    long last = 0;
    long left;
    long top;

    if (key->kind == WFS_PYRAMID) {
        long w = key->width / 2;
        long h = key->height / 2;

        for (long image = 0; image < 4; image++) {
            left = image % 2 * w + (w - key->across) / 2;
            top = image / 2 * h + (h - key->across) / 2;
            if (packet[(top + gy) * key->width + left + gx] > last)
                last = packet[(top + gy) * key->width + left + gx];
        }
        return last;
    }
    left = (key->width - key->across * key->side) / 2 + gx * key->side;
    top = (key->height - key->across * key->side) / 2 + gy * key->side;
    for (long y = top; y < top + key->side; y++)
        for (long x = left; x < left + key->side; x++)
            if (packet[y * key->width + x] > last)
                last = packet[y * key->width + x];
    return last;
}

/* The first slot that does not end before the packet, if packets and slots divide the same time. */
static long slot_of(const struct agenda_key *key, long packet)
{
    long slot = 0;

    while ((slot + 1) * key->packets < (packet + 1) * key->slots)
        slot++;
    return slot;
}

double reference_agenda(const struct agenda_key *key, long thousandths, double *pixels,
                        double *elements)
{
    long *packet = reference_packets(key);
    double count = 0;

    for (long k = 0; k < key->slots; k++)
        pixels[k] = elements[k] = 0;
    for (long i = 0; i < key->width * key->height; i++)
        pixels[slot_of(key, packet[i])]++;
    for (long gy = 0; gy < key->across; gy++) {
        for (long gx = 0; gx < key->across; gx++) {
            if (!reference_valid(key, gx, gy, thousandths))
                continue;
            elements[slot_of(key, reference_completed(key, packet, gx, gy))]++;
            count++;
        }
    }
    free(packet);
    return count;
}

/* Durations ------------------------------------------------------------------------------------ */

static double seconds_on_wire(const struct wire *wire, double bytes)
{
    const double rounding = 1e-12 * bytes;
    double sum = 0;

    if (bytes == 0)
        return 0;
    if (wire->payload == 0)
        return bytes / wire->rate;
    if (bytes / wire->payload > 100) { /* whole ones at once */
        double whole = floor(bytes / wire->payload) - 1;

        sum = whole * (wire->payload + wire->header);
        bytes -= whole * wire->payload;
    }
    for (; bytes > rounding; bytes -= wire->payload)
        sum += fmax(wire->minimum, fmin(bytes, wire->payload) + wire->header);
    return sum / wire->rate;
}

double reference_duration(const struct track *track, int slot)
{
    double w = track->weights.slot == NULL ? slot == track->slots - 1 : track->weights.slot[slot];
    double compute = w * track->compute;
    double memory = w * track->memory + track->accumulator;
    double duration = 0;

    if (track->kind == TRACK_CAMERA)
        return w * track->readout;
    if (track->kind == TRACK_LINK) {
        double core = 0;

        if (track->datagram > 0)
            core = ceil(w * track->bytes / track->wire.payload * (1 - 1e-12)) * track->datagram;
        return fmax(core, seconds_on_wire(&track->wire, w * track->bytes));
    }
    if (w > 0)
        duration =
            track->fixed + fmax(compute, memory) + (1 - track->overlap) * fmin(compute, memory);
    return slot == track->slots - 1 ? duration + track->tail + track->tail_fixed : duration;
}

bool reference_all_in_time(const struct track *track)
{
    double sum = 0;

    for (int i = 0; i < track->slots && track->weights.slot != NULL; i++)
        sum += track->weights.slot[i];
    return track->kind == TRACK_CAMERA || track->weights.slot == NULL || sum > 1 - 1e-9;
}
