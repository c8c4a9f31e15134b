#include "reference_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/result.h"

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
    for (long q = 0; q < count; q++)
        packet[pixels[q].y * key->width + pixels[q].x] =
            key->order == ORDER_FRAME ? key->packets - 1 : q * key->packets / count;
    free(pixels);
    return packet;
}

bool reference_valid(long n, long gx, long gy, long thousandths)
{
    long long u = 2 * gx - n + 1; /* twice the distances from the centre */
    long long v = 2 * gy - n + 1;
    long long distance = u * u + v * v;

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

double reference_agenda(const struct agenda_key *key, long thousandths, double *pixels,
                        double *elements)
{
    long *packet = reference_packets(key);
    double count = 0;

    for (long k = 0; k < key->packets; k++)
        pixels[k] = elements[k] = 0;
    for (long i = 0; i < key->width * key->height; i++)
        pixels[packet[i]]++;
    for (long gy = 0; gy < key->across; gy++) {
        for (long gx = 0; gx < key->across; gx++) {
            if (!reference_valid(key->across, gx, gy, thousandths))
                continue;
            elements[reference_completed(key, packet, gx, gy)]++;
            count++;
        }
    }
    free(packet);
    return count;
}

/* Timeline ------------------------------------------------------------------------------------- */

static double weight_of(const struct track *track, int slot, int packets)
{
    if (track->weights.slot == NULL)
        return slot == packets - 1;
    return track->weights.slot[slot];
}

static double seconds_on_wire(const struct wire *wire, double bytes)
{
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
    for (; bytes > 0; bytes -= wire->payload)
        sum += fmax(wire->minimum, fmin(bytes, wire->payload) + wire->header);
    return sum / wire->rate;
}

double reference_duration(const struct track *track, int slot, int packets)
{
    double w = weight_of(track, slot, packets);
    double compute = w * track->compute;
    double memory = w * track->memory + track->accumulator;
    double duration = 0;

    if (track->kind == TRACK_CAMERA)
        return track->readout / packets;
    if (track->kind == TRACK_LINK)
        return w > 0 ? seconds_on_wire(&track->wire, w * track->bytes) : 0;
    if (w > 0)
        duration =
            track->fixed + fmax(compute, memory) + (1 - track->overlap) * fmin(compute, memory);
    return slot == packets - 1 ? duration + track->tail + track->tail_fixed : duration;
}

#define LINE_PLACES 4096

/* A queue: who stands in line, in order, and until when the one served holds it. */
struct line {
    int node[LINE_PLACES];
    int first, last;
    double until;
};

struct events {
    const struct track *tracks;
    int count, packets;
    double **end;
    int next[NODE_MAX];    /* slot */
    double left[NODE_MAX]; /* when a transfer's previous slot left the wire */
    bool standing[NODE_MAX];
    struct line *line; /* [LINK_MAX] */
    double now;
};

static bool predecessors_known(const struct events *e, int node)
{
    const struct track *track = &e->tracks[node];

    for (int p = 0; p < track->before_count; p++)
        if (e->next[track->before[p]] <= e->next[node])
            return false;
    return true;
}

/* When all predecessors' slots have ended. */
static double ready(const struct events *e, int node)
{
    const struct track *track = &e->tracks[node];
    double at = 0;

    for (int p = 0; p < track->before_count; p++)
        at = fmax(at, e->end[track->before[p]][e->next[node]]);
    return at;
}

static double previous(const struct events *e, int node)
{
    return e->next[node] > 0 ? e->end[node][e->next[node] - 1] : 0;
}

static void finish(struct events *e, int node, double end)
{
    e->end[node][e->next[node]++] = end;
}

/* Starts what needs no queue and can start now; what is empty passes as soon as its end is known.
 */
static bool start_free(struct events *e, int node)
{
    const struct track *track = &e->tracks[node];
    int slot = e->next[node];
    double start;

    if (slot >= e->packets || e->standing[node] || !predecessors_known(e, node))
        return false;
    start = fmax(ready(e, node), previous(e, node));
    if (track->kind == TRACK_CAMERA) {
        finish(e, node, (slot + 1) * (track->readout / e->packets));
        return true;
    }
    if (track->kind == TRACK_LINK) {
        if (weight_of(track, slot, e->packets) > 0)
            return false;
        finish(e, node, start);
        return true;
    }
    if (start > e->now)
        return false;
    finish(e, node, start + track_duration(track, slot));
    return true;
}

static bool asks_now(const struct events *e, int node)
{
    return e->tracks[node].kind == TRACK_LINK && e->next[node] < e->packets && !e->standing[node] &&
           predecessors_known(e, node) && ready(e, node) <= e->now && e->left[node] <= e->now;
}

static void stand_in_line(struct events *e, int node)
{
    for (int q = 0; q < 2; q++) {
        struct line *line;

        if (e->tracks[node].queue[q] == NO_QUEUE)
            continue;
        line = &e->line[e->tracks[node].queue[q]];
        line->node[line->last++ % LINE_PLACES] = node;
    }
    e->standing[node] = true;
}

static bool is_served(const struct events *e, int node)
{
    if (!e->standing[node])
        return false;
    for (int q = 0; q < 2; q++) {
        const struct line *line;

        if (e->tracks[node].queue[q] == NO_QUEUE)
            continue;
        line = &e->line[e->tracks[node].queue[q]];
        if (line->node[line->first % LINE_PLACES] != node || line->until > e->now)
            return false;
    }
    return true;
}

static void serve(struct events *e, int node)
{
    const struct track *track = &e->tracks[node];
    double duration = track_duration(track, e->next[node]);

    for (int q = 0; q < 2; q++) {
        if (track->queue[q] == NO_QUEUE)
            continue;
        e->line[track->queue[q]].first++;
        e->line[track->queue[q]].until = e->now + duration;
    }
    e->standing[node] = false;
    e->left[node] = e->now + duration;
    finish(e, node, e->now + duration + track->latency);
}

/* All that can happen at this moment; the lowest node first. */
static void happen(struct events *e)
{
    bool again = true;

    while (again) {
        again = false;
        for (int node = 0; node < e->count; node++)
            while (start_free(e, node))
                again = true;
        for (int node = 0; node < e->count && !again; node++) {
            if (is_served(e, node)) {
                serve(e, node);
                again = true;
            }
        }
        for (int node = 0; node < e->count && !again; node++) {
            if (asks_now(e, node)) {
                stand_in_line(e, node);
                again = true;
            }
        }
    }
}

static void sooner(double *time, double candidate, double now)
{
    if (candidate > now && candidate < *time)
        *time = candidate;
}

/* When something may happen next. */
static double next_moment(const struct events *e)
{
    double time = INFINITY;

    for (int node = 0; node < e->count; node++) {
        if (e->next[node] >= e->packets)
            continue;
        sooner(&time, previous(e, node), e->now);
        sooner(&time, e->left[node], e->now);
        if (predecessors_known(e, node))
            sooner(&time, ready(e, node), e->now);
        for (int q = 0; q < 2; q++)
            if (e->tracks[node].queue[q] != NO_QUEUE && e->standing[node])
                sooner(&time, e->line[e->tracks[node].queue[q]].until, e->now);
    }
    return time;
}

void reference_contended(const struct track *tracks, int count, bool *contended)
{
    for (int n = 0; n < count; n++) {
        contended[n] = false;
        for (int p = 0; p < tracks[n].before_count; p++)
            contended[n] = contended[n] || contended[tracks[n].before[p]];
        for (int other = 0; other < count; other++)
            for (int q = 0; q < 2; q++)
                for (int o = 0; o < 2; o++)
                    contended[n] = contended[n] || (other != n && tracks[n].queue[q] != NO_QUEUE &&
                                                    tracks[n].queue[q] == tracks[other].queue[o]);
    }
}

void reference_timeline(const struct track *tracks, int count, int packets, const bool *given,
                        double **end)
{
    struct events *e = calloc(1, sizeof *e);

    e->tracks = tracks;
    e->count = count;
    e->packets = packets;
    e->end = end;
    e->line = calloc(LINK_MAX, sizeof *e->line);
    for (int n = 0; n < count; n++)
        if (given != NULL && given[n])
            e->next[n] = packets;
    while (isfinite(e->now)) {
        happen(e);
        e->now = next_moment(e);
    }
    free(e->line);
    free(e);
}
