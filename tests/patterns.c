#include "patterns.h"

#include <math.h>
#include <stdlib.h>

enum { KEPT = 9 * WFS_MAX };

static struct pattern *make_pattern(enum pattern_kind kind)
{
    static struct pattern *kept[KEPT];
    static int next;
    struct pattern *pattern = calloc(1, sizeof *pattern);

    pattern_free(kept[next]);
    kept[next] = pattern;
    next = (next + 1) % KEPT;
    pattern->kind = kind;
    return pattern;
}

/* Up to 60 packets of any size, some empty. */
static const struct pattern *make_agenda(struct draw *draw)
{
    struct pattern *agenda = make_pattern(PATTERN_AGENDA);
    double sum = 0;

    agenda->packets = 1 + draw_below(draw, 60);
    agenda->end = calloc((size_t)agenda->packets, sizeof *agenda->end);
    for (int k = 0; k < agenda->packets; k++) {
        sum += draw_chance(draw, 0.2) && k > 0 ? 0 : draw_between(draw, 0.01, 1);
        agenda->end[k] = sum;
    }
    for (int k = 0; k < agenda->packets; k++)
        agenda->end[k] /= sum;
    return agenda;
}

/* Pixels in any order. */
static const struct pattern *make_map(struct draw *draw, long width, long height)
{
    struct pattern *map = make_pattern(PATTERN_MAP);
    bool timed = draw_chance(draw, 0.5);
    int packets = 1 + draw_below(draw, 60);

    map->width = width;
    map->height = height;
    map->packets = timed ? 0 : packets;
    map->pixel = calloc((size_t)(width * height), sizeof *map->pixel);
    for (long i = 0; i < width * height; i++)
        map->pixel[i] =
            timed ? (float)draw_below(draw, 1001) / 1000 : (float)draw_below(draw, packets);
    return map;
}

static const struct pattern *make_mask(struct draw *draw, long across)
{
    struct pattern *mask = make_pattern(PATTERN_MASK);
    double part = draw_between(draw, 0, 1);

    mask->width = mask->height = across;
    mask->valid = calloc((size_t)(across * across), 1);
    for (long i = 0; i < across * across; i++)
        mask->valid[i] = draw_chance(draw, part);
    mask->valid[draw_below(draw, (int)(across * across))] = 1;
    return mask;
}

void patterns_draw(struct draw *draw, struct agenda_key *key)
{
    if (draw_chance(draw, 0.6))
        return;
    if (draw_chance(draw, 0.5))
        key->mask = make_mask(draw, key->across);
    if (draw_chance(draw, 0.4)) {
        key->agenda = make_agenda(draw);
        key->packets = key->agenda->packets;
    } else if (draw_chance(draw, 0.6)) {
        key->map = make_map(draw, key->width, key->height);
        key->order = ORDER_RASTER;
        if (key->map->packets > 0)
            key->packets = key->map->packets;
    }
    if (key->slots < key->packets)
        key->slots = key->packets;
}

void patterns_give(struct draw *draw, struct wfs *wfs)
{
    struct agenda_key key = agenda_key(wfs, ORDER_RASTER, 1, 1);

    if (key.width * key.height > 100000)
        return;
    patterns_draw(draw, &key);
    wfs->agenda.pattern = key.agenda;
    wfs->readout_map.pattern = key.map;
    wfs->mask.pattern = key.mask;
}
