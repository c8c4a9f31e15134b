#include "design/scenario_edit.h"
#include "model/detector.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "draw.h"
#include "model/stage.h"
#include "patterns.h"
#include "reference_model.h"
#include "sample.h"
#include "systems.h"

static void describe(const struct agenda_key *key, char *text, size_t size)
{
    snprintf(text, size,
             "kind %d, order %d, %ld packets, %ld across, side %ld, detector %ld x %ld, "
             "obscuration %g",
             key->kind, key->order, key->packets, key->across, key->side, key->width, key->height,
             key->obscuration);
}

static long wrong_pixels(const struct detector_map *map, const long *packet)
{
    long wrong = 0;

    for (long y = 0; y < map->key.height; y++)
        for (long x = 0; x < map->key.width; x++)
            wrong += detector_map_pixel(map, x, y) != packet[y * map->key.width + x];
    return wrong;
}

static long wrong_elements(const struct detector_map *map, const long *packet, long thousandths)
{
    long n = map->key.across;
    long wrong = 0;

    for (long gy = 0; gy < n; gy++)
        for (long gx = 0; gx < n; gx++)
            wrong += detector_map_element(map, gx, gy) !=
                     (reference_valid(&map->key, gx, gy, thousandths)
                          ? reference_completed(&map->key, packet, gx, gy)
                          : DETECTOR_NOT_VALID);
    return wrong;
}

/* Of each element its pixels, four times as many of a pyramid, and the latest of them completes it.
 */
static long wrong_places(const struct detector_map *map, const long *packet)
{
    static long pixels[512 * 512], latest[512 * 512];
    long n = map->key.across;
    long each = map->key.kind == WFS_PYRAMID ? 4 : map->key.side * map->key.side;
    long wrong = 0;
    long gx, gy;

    for (long i = 0; i < n * n; i++)
        pixels[i] = latest[i] = 0;
    for (long y = 0; y < map->key.height; y++)
        for (long x = 0; x < map->key.width; x++)
            if (detector_map_at(map, x, y, &gx, &gy)) {
                long brings = packet[y * map->key.width + x];

                pixels[gy * n + gx]++;
                if (brings > latest[gy * n + gx])
                    latest[gy * n + gx] = brings;
            }
    for (long i = 0; i < n * n; i++)
        wrong += pixels[i] != each ||
                 (map->element[i] != DETECTOR_NOT_VALID && map->element[i] != latest[i]);
    return wrong;
}

/* A row has pixels of a packet exactly where it is said to. */
static long wrong_rows(const struct detector_map *map, const long *packet)
{
    long wrong = 0;

    for (long y = 0; y < map->key.height; y++) {
        const long *row = &packet[y * map->key.width];
        int first, last;

        detector_map_row(map, y, &first, &last);
        wrong += map->key.map == NULL && (row[0] != first || row[map->key.width - 1] != last);
        for (long x = 0; x < map->key.width; x++)
            wrong += row[x] < first || row[x] > last;
    }
    return wrong;
}

/* Pixels and subapertures a packet brings, against those counted one by one. */
static long wrong_packets(const struct detector_map *map, const double *pixels,
                          const double *elements)
{
    double pixels_so_far = 0;
    double elements_so_far = 0;
    long wrong = 0;

    for (long k = 0; k < map->key.packets; k++) {
        const struct detector_packet *packet = &map->packet[k];

        pixels_so_far += pixels[k];
        elements_so_far += elements[k];
        wrong += (double)packet->pixels != pixels[k] || (double)packet->completed != elements[k] ||
                 (double)packet->pixels_so_far != pixels_so_far ||
                 (double)packet->completed_so_far != elements_so_far;
    }
    return wrong;
}

static void held_against_pixels(struct detector_map *map, const struct agenda_key *key,
                                long thousandths)
{
    static double pixels[PACKETS_MAX];
    static double elements[PACKETS_MAX];
    double count = reference_agenda(key, thousandths, pixels, elements);
    long *packet = reference_packets(key);
    char what[200];

    describe(key, what, sizeof what);
    detector_map_geometry(map, key);
    CHECK_TRUE((double)map->valid == count, "%s: %ld valid, expected %g", what, map->valid, count);
    CHECK_TRUE(wrong_pixels(map, packet) == 0, "%s: %ld pixels in other packets", what,
               wrong_pixels(map, packet));
    CHECK_TRUE(wrong_elements(map, packet, thousandths) == 0,
               "%s: %ld subapertures in other packets", what,
               wrong_elements(map, packet, thousandths));
    CHECK_TRUE(wrong_places(map, packet) == 0, "%s: %ld subapertures of other pixels", what,
               wrong_places(map, packet));
    CHECK_TRUE(wrong_rows(map, packet) == 0, "%s: %ld pixels outside their row's packets", what,
               wrong_rows(map, packet));
    CHECK_TRUE(wrong_packets(map, pixels, elements) == 0, "%s: %ld packets bring other numbers",
               what, wrong_packets(map, pixels, elements));
    free(packet);
}

static struct agenda_key random_key(struct draw *draw, long *thousandths)
{
    struct agenda_key key = {.kind = draw_below(draw, 3) == 0 ? WFS_PYRAMID : WFS_SHACK_HARTMANN,
                             .order = draw_below(draw, 4),
                             .across = 1 + draw_below(draw, 24),
                             .side = 1};
    long need;

    *thousandths = draw_chance(draw, 0.2) ? 0 : draw_below(draw, 951);
    key.obscuration = (double)*thousandths / 1000;
    if (key.kind == WFS_SHACK_HARTMANN)
        key.side = 1 + draw_below(draw, 6);
    need = key.kind == WFS_PYRAMID ? 2 * key.across : key.across * key.side;
    key.width = need + draw_below(draw, 9);
    key.height = need + draw_below(draw, 9);
    key.packets = key.slots = (long)draw_log(draw, 1, draw_chance(draw, 0.2) ? 4097 : 100);
    patterns_draw(draw, &key);
    key.slots = key.packets;
    return key;
}

TEST(random_detectors)
{
    struct draw draw = draw_start(71);
    struct detector_map map = {0};
    int repeat = draw_repeat(1500);

    for (int i = 0; i < repeat; i++) {
        long thousandths;
        struct agenda_key key = random_key(&draw, &thousandths);

        held_against_pixels(&map, &key, thousandths);
    }
    detector_map_free(&map);
}

TEST(smallest_and_largest)
{
    static const struct agenda_key keys[] = {{.order = ORDER_RASTER,
                                              .packets = 1,
                                              .slots = 1,
                                              .across = 2,
                                              .side = 1,
                                              .width = 2,
                                              .height = 2},
                                             {.order = ORDER_FRAME,
                                              .packets = 4096,
                                              .slots = 4096,
                                              .across = 2,
                                              .side = 2,
                                              .width = 4,
                                              .height = 4},
                                             {.order = ORDER_CENTRE_OUT,
                                              .packets = 4096,
                                              .slots = 4096,
                                              .across = 200,
                                              .side = 2,
                                              .width = 401,
                                              .height = 400},
                                             {.kind = WFS_PYRAMID,
                                              .order = ORDER_EDGES_IN,
                                              .packets = 50,
                                              .slots = 50,
                                              .across = 200,
                                              .side = 1,
                                              .width = 480,
                                              .height = 480}};
    struct detector_map map = {0};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        held_against_pixels(&map, &keys[i], 0);
    detector_map_free(&map);
}

/* What the components of every system work by. */
static void agrees_with(const char *name, const struct scenario *scenario,
                        const struct result *result)
{
    struct detector_map map = {0};

    for (int w = 0; w < scenario->wfs_count; w++) {
        const struct agenda *agenda = &result->work->agenda[w];
        long wrong = 0;

        detector_map_make(&map, scenario, result, w);
        CHECK_STR(map.name, scenario->wfs[w].head.name);
        for (long k = 0; k < map.key.packets; k++)
            wrong +=
                (double)map.packet[k].pixels / (result->wfs[w].width * result->wfs[w].height) !=
                    agenda->pixel[k] ||
                (double)map.packet[k].completed / (double)map.valid != agenda->element[k];
        CHECK_TRUE(wrong == 0, "%s, wfs.%s: %ld packets weigh something else", name, map.name,
                   wrong);
    }
    detector_map_free(&map);
}

TEST(every_system)
{
    systems_each(agrees_with);
}

TEST(tells_when)
{
    static struct scenario scenario;
    struct detector_map map = {0};

    scenario_init(&scenario);
    sample_chain(&scenario);
    sample_set(&scenario, "component.camera.readout", "400 us");
    sample_set(&scenario, "scenario.packets", "8");
    if (!sample_evaluate(&scenario, sample_result()))
        return;
    detector_map_make(&map, &scenario, sample_result(), 0);
    CHECK_NEAR(map.readout, 400e-6, 0);
    CHECK_NEAR(detector_map_time(&map, 0), 50e-6, 1e-15);
    CHECK_NEAR(detector_map_time(&map, 7), 400e-6, 1e-15);
    sample_set(&scenario, "component.camera.type", "custom");
    if (sample_evaluate(&scenario, sample_result())) {
        detector_map_make(&map, &scenario, sample_result(), 0);
        CHECK_NEAR(detector_map_time(&map, 7), RESULT_NONE, 0);
    }
    detector_map_free(&map);
}
