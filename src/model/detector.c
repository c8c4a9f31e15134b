#include "model/detector.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "model/stage.h"

void detector_map_free(struct detector_map *map)
{
    free(map->element);
    free(map->packet);
    *map = (struct detector_map){0};
}

int detector_map_pixel(const struct detector_map *map, long x, long y)
{
    return (int)readout_packet_at(&map->key, x, y);
}

void detector_map_row(const struct detector_map *map, long y, int *first, int *last)
{
    *first = detector_map_pixel(map, 0, y);
    *last = map->key.map != NULL ? *first : detector_map_pixel(map, map->key.width - 1, y);
    for (long x = 1; x < map->key.width && map->key.map != NULL; x++) {
        int packet = detector_map_pixel(map, x, y);

        *first = packet < *first ? packet : *first;
        *last = packet > *last ? packet : *last;
    }
}

bool detector_map_at(const struct detector_map *map, long x, long y, long *gx, long *gy)
{
    const struct readout_grid *grid = &map->grid;
    long left = grid->left;
    long top = grid->top;
    bool pyramid = grid->second > 0;

    /* the grid is that of the upper right image of a pyramid */
    if (pyramid && x < map->key.width / 2)
        left -= map->key.width / 2;
    if (pyramid && y >= grid->second)
        top += grid->second;
    if (x < left || y < top)
        return false;
    *gx = (x - left) / grid->step;
    *gy = (y - top) / grid->step;
    return *gx < map->key.across && *gy < map->key.across;
}

double detector_map_time(const struct detector_map *map, int packet)
{
    if (map->readout == RESULT_NONE)
        return RESULT_NONE;
    if (map->key.agenda == NULL && map->key.map == NULL)
        return map->start + map->readout * (packet + 1) / (double)map->key.packets;
    return map->start +
           map->readout * readout_time(&map->key, packet,
                                       (double)map->packet[packet].pixels_so_far /
                                           ((double)map->key.width * (double)map->key.height));
}

static void fill_elements(struct detector_map *map)
{
    const struct agenda_key *key = &map->key;

    map->valid = 0;
    for (long gy = 0; gy < key->across; gy++) {
        for (long gx = 0; gx < key->across; gx++) {
            bool valid = readout_valid(key, gx, gy);
            int packet =
                valid ? (int)readout_completing(key, &map->grid, gx, gy) : DETECTOR_NOT_VALID;

            map->element[gy * key->across + gx] = (int16_t)packet;
            map->valid += valid;
            if (valid)
                map->packet[packet].completed++;
        }
    }
}

static void fill_packets(struct detector_map *map)
{
    long packets = map->key.packets;
    long long before = 0;
    long completed = 0;

    for (long y = 0; y < map->key.height && map->key.map != NULL; y++)
        for (long x = 0; x < map->key.width; x++)
            map->packet[detector_map_pixel(map, x, y)].pixels++;
    for (long k = 0; k < packets; k++) {
        struct detector_packet *packet = &map->packet[k];

        packet->pixels_so_far =
            map->key.map != NULL ? before + packet->pixels : readout_pixels(&map->key, k);
        if (map->key.order == ORDER_FRAME && k < packets - 1)
            packet->pixels_so_far = 0;
        packet->pixels = packet->pixels_so_far - before;
        before = packet->pixels_so_far;
        completed += packet->completed;
        packet->completed_so_far = completed;
    }
}

void detector_map_geometry(struct detector_map *map, const struct agenda_key *key)
{
    size_t across = (size_t)key->across;

    if (map->element != NULL && agenda_key_equal(&map->key, key))
        return;
    detector_map_free(map);
    map->key = *key;
    map->grid = readout_grid(key);
    map->element = allocate(across * across * sizeof *map->element);
    map->packet = allocate_array((size_t)key->packets, sizeof *map->packet);
    fill_elements(map);
    fill_packets(map);
}

/* Returns the readout time of the camera of a sensor: the first, if there are several. */
static double camera_readout(const struct scenario *scenario, const struct result *result, int wfs)
{
    for (int n = 0; n < result->node_count; n++)
        if (result->node[n].type == COMPONENT_CAMERA &&
            scenario_wfs(scenario, result->node[n].component) == wfs)
            return result->node[n].time;
    return RESULT_NONE;
}

void detector_map_make(struct detector_map *map, const struct scenario *scenario,
                       const struct result *result, int wfs)
{
    const struct wfs *sensor = &scenario->wfs[wfs];

    detector_map_geometry(map, &result->work->agenda[wfs].key);
    memcpy(map->name, sensor->head.name, sizeof map->name);
    map->count = sensor->count;
    map->stated = sensor->valid_subaps;
    map->start = sensor->start;
    map->readout = camera_readout(scenario, result, wfs);
    map->period = result->frame_period;
}
