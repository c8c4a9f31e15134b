#include "model/readout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draw.h"
#include "patterns.h"
#include "reference_model.h"

static double pixel_slots[PACKETS_MAX];
static double element_slots[PACKETS_MAX];
static double slot_times[PACKETS_MAX];

static struct agenda empty_agenda(void)
{
    return (struct agenda){.pixel = pixel_slots, .element = element_slots, .when = slot_times};
}

static struct wfs sensor(int kind, int across, int side, double obscuration)
{
    return (struct wfs){.kind = kind,
                        .subaps_across = across,
                        .pixels_per_subap = side,
                        .obscuration = obscuration};
}

TEST(valid_counts)
{
    static const struct {
        int across;
        double obscuration, count;
    } cases[] = {{10, 0.2, 76}, {40, 0.2, 1212}, {80, 0.2, 4816}, {9, 0.14, 68},
                 {1, 0, 1},     {2, 0, 4},       {2, 0.7, 4},     {3, 0, 9}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wfs wfs = sensor(WFS_SHACK_HARTMANN, cases[i].across, 4, cases[i].obscuration);
        struct agenda_key key = agenda_key(&wfs, ORDER_RASTER, 7, 7);
        struct agenda agenda = empty_agenda();
        struct error error;

        CHECK_INT(agenda_update(&agenda, &key, "ngs", &error), STATUS_OK);
        CHECK_TRUE(agenda.subaps == cases[i].count, "%d across, obscuration %g: %g, expected %g",
                   cases[i].across, cases[i].obscuration, agenda.subaps, cases[i].count);
    }
}

TEST(detectors_that_just_hold)
{
    static const struct {
        int kind, across, side;
        long width;
    } cases[] = {
        {WFS_SHACK_HARTMANN, 80, 8, 640}, {WFS_SHACK_HARTMANN, 7, 3, 21},
        {WFS_PYRAMID, 100, 8, 240},       {WFS_PYRAMID, 92, 1, 222},
        {WFS_PYRAMID, 1, 1, 4},           {WFS_PYRAMID, 5, 1, 12},
        {WFS_PYRAMID, 512, 1, 1230},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wfs wfs = sensor(cases[i].kind, cases[i].across, cases[i].side, 0);
        struct agenda_key key = agenda_key(&wfs, ORDER_RASTER, 7, 7);

        CHECK_INT(key.width, cases[i].width);
        CHECK_INT(key.height, cases[i].width);
        wfs.detector_width = 2000;
        key = agenda_key(&wfs, ORDER_RASTER, 7, 7);
        CHECK_INT(key.width, 2000);
        CHECK_INT(key.height, cases[i].width);
    }
}

/* As many subapertures as the square has are not those of a round pupil. */
TEST(square)
{
    struct wfs wfs = sensor(WFS_SHACK_HARTMANN, 8, 4, 0.3);
    struct error error;

    for (int square = 0; square < 2; square++) {
        struct agenda agenda = empty_agenda();
        struct agenda_key key;

        wfs.valid_subaps = square ? 64 : 63;
        key = agenda_key(&wfs, ORDER_RASTER, 8, 8);
        if (!CHECK(agenda_update(&agenda, &key, "ngs", &error) == STATUS_OK))
            return;
        CHECK_NEAR(agenda.subaps, square ? 64 : 48, 0);
        CHECK_NEAR(agenda.elements.slot[0], square ? 0.125 : 4.0 / 48, 1e-15);
        CHECK_TRUE(readout_valid(&key, 0, 0) == (square != 0), "corner of square %d", square);
    }
}

static double sum(const struct weights *weights, long packets)
{
    double total = 0;

    for (long k = 0; k < packets; k++)
        total += weights->slot[k];
    return total;
}

/* Weights, their first slot and their count against those of counted pixels. */
static bool same_weights(const struct weights *weights, const double *counts, double total,
                         long packets)
{
    int first = -1;
    int count = 0;
    bool same = fabs(sum(weights, packets) - 1) < 1e-12;

    for (long k = 0; k < packets; k++) {
        same = same && weights->slot[k] == counts[k] / total;
        if (counts[k] > 0) {
            count++;
            first = first < 0 ? (int)k : first;
        }
    }
    return same && weights->first == first && weights->count == count;
}

static void held_against_pixels(const struct agenda_key *key, long thousandths)
{
    static double pixels[PACKETS_MAX];
    static double elements[PACKETS_MAX];
    struct agenda agenda = empty_agenda();
    struct error error = {STATUS_OK, ""};
    double count = reference_agenda(key, thousandths, pixels, elements);
    enum status status = agenda_update(&agenda, key, "ngs", &error);
    char what[200];

    snprintf(what, sizeof what,
             "kind %d, order %d, %ld packets, %ld across, side %ld, detector %ld x %ld, "
             "obscuration %ld/1000",
             key->kind, key->order, key->packets, key->across, key->side, key->width, key->height,
             thousandths);
    if (count == 0) {
        CHECK_TRUE(status == STATUS_INVALID, "%s: no subaperture, accepted", what);
        return;
    }
    if (!CHECK_TRUE(status == STATUS_OK, "%s: %s", what, error.message))
        return;
    CHECK_TRUE(agenda.subaps == count, "%s: %g subapertures, expected %g", what, agenda.subaps,
               count);
    CHECK_TRUE(same_weights(&agenda.pixels, pixels, (double)(key->width * key->height), key->slots),
               "%s: the pixels' packets differ", what);
    CHECK_TRUE(same_weights(&agenda.elements, elements, count, key->slots),
               "%s: the subapertures' packets differ", what);
}

static struct agenda_key random_key(struct draw *draw, long *thousandths)
{
    struct wfs wfs;
    struct agenda_key key;

    *thousandths = draw_chance(draw, 0.2) ? 0 : draw_below(draw, 951);
    wfs = sensor(draw_below(draw, 3) == 0, 1 + draw_below(draw, 14), 1 + draw_below(draw, 6),
                 (double)*thousandths / 1000);
    key = agenda_key(&wfs, (enum readout_order)draw_below(draw, 4), 1, 1);
    key.width += draw_chance(draw, 0.5) ? draw_below(draw, 9) : 0;
    key.height += draw_chance(draw, 0.5) ? draw_below(draw, 9) : 0;
    key.packets = (long)draw_log(draw, 1, draw_chance(draw, 0.2) ? 4097 : 100);
    key.slots = key.packets;
    if (draw_chance(draw, 0.3) && key.packets < PACKETS_MAX)
        key.slots += draw_below(draw, PACKETS_MAX - (int)key.packets);
    patterns_draw(draw, &key);
    return key;
}

TEST(random_agendas)
{
    struct draw draw = draw_start(61);
    int repeat = draw_repeat(3000);

    for (int i = 0; i < repeat; i++) {
        long thousandths;
        struct agenda_key key = random_key(&draw, &thousandths);

        held_against_pixels(&key, thousandths);
    }
}

/* All orders, both parities of the detector, both kinds, few packets to more than pixels. */
TEST(all_agendas)
{
    static const long packets[] = {1, 2, 3, 7, 50, 99, 100, 101, 144, 600, 4096};

    for (int order = ORDER_RASTER; order <= ORDER_FRAME; order++)
        for (int kind = WFS_SHACK_HARTMANN; kind <= WFS_PYRAMID; kind++)
            for (int odd = 0; odd < 4; odd++)
                for (size_t p = 0; p < sizeof packets / sizeof packets[0]; p++) {
                    struct wfs wfs = sensor(kind, 5 - kind + odd % 2, 2, 0.28);
                    struct agenda_key key = agenda_key(&wfs, (enum readout_order)order,
                                                       (int)packets[p], (int)packets[p]);

                    key.width += odd % 2;
                    key.height += odd / 2;
                    held_against_pixels(&key, 280);
                }
}

/* The sizes of real systems, every grid up to 130 across, the obscurations of a slider. */
TEST(exact_counts)
{
    struct draw draw = draw_start(62);

    for (int across = 1; across <= 130; across++) {
        for (int i = 0; i < 3; i++) {
            long hundredths = draw_below(&draw, 96);
            struct wfs wfs = sensor(WFS_SHACK_HARTMANN, across, 1, (double)hundredths / 100);
            struct agenda_key key = agenda_key(&wfs, ORDER_RASTER, 1, 1);

            key.packets = key.slots = 1 + draw_below(&draw, 60);

            held_against_pixels(&key, hundredths * 10);
        }
    }
}

TEST(real_systems)
{
    static const struct {
        int kind, across, side, order;
        long thousandths, packets, width;
    } cases[] = {{WFS_SHACK_HARTMANN, 80, 8, ORDER_RASTER, 280, 50, 640},
                 {WFS_SHACK_HARTMANN, 40, 6, ORDER_CENTRE_OUT, 140, 20, 240},
                 {WFS_PYRAMID, 92, 1, ORDER_EDGES_IN, 300, 10, 240},
                 {WFS_SHACK_HARTMANN, 68, 10, ORDER_RASTER, 280, 100, 800}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct wfs wfs = sensor(cases[i].kind, cases[i].across, cases[i].side,
                                (double)cases[i].thousandths / 1000);
        struct agenda_key key;

        wfs.detector_width = wfs.detector_height = (double)cases[i].width;
        key = agenda_key(&wfs, (enum readout_order)cases[i].order, (int)cases[i].packets,
                         (int)cases[i].packets);
        held_against_pixels(&key, cases[i].thousandths);
    }
}

static void refused(int kind, int across, int side, double obscuration, double width, double height,
                    const char *sentence)
{
    struct wfs wfs = sensor(kind, across, side, obscuration);
    struct agenda agenda = empty_agenda();
    struct agenda_key key;
    struct error error = {STATUS_OK, ""};

    wfs.detector_width = width;
    wfs.detector_height = height;
    key = agenda_key(&wfs, ORDER_RASTER, 10, 10);
    CHECK_INT(agenda_update(&agenda, &key, "ngs", &error), STATUS_INVALID);
    CHECK_STR(error.message, sentence);
    CHECK(!agenda.valid);
}

TEST(refuses)
{
    refused(WFS_SHACK_HARTMANN, 80, 8, 0.28, 639, 0,
            "wfs.ngs.detector_width: 639 px is too small; the subapertures need 640 px");
    refused(WFS_SHACK_HARTMANN, 80, 8, 0.28, 640, 600,
            "wfs.ngs.detector_height: 600 px is too small; the subapertures need 640 px");
    refused(WFS_PYRAMID, 100, 8, 0.28, 201, 199,
            "wfs.ngs.detector_height: 199 px is too small; the four pupil images need 200 px");
    refused(WFS_SHACK_HARTMANN, 1, 8, 0.28, 0, 0,
            "wfs.ngs.obscuration: no subaperture of 1 across is valid");
    refused(WFS_SHACK_HARTMANN, 4, 8, 0.95, 0, 0,
            "wfs.ngs.obscuration: no subaperture of 4 across is valid");
}

/* The agenda is rebuilt when any part of its key changes, and only then. */
TEST(rebuilds_when_the_key_changes)
{
    struct wfs wfs = sensor(WFS_SHACK_HARTMANN, 6, 4, 0.2);
    struct agenda_key first = agenda_key(&wfs, ORDER_RASTER, 5, 5);
    struct agenda agenda = empty_agenda();
    struct error error;

    CHECK_INT(agenda_update(&agenda, &first, "ngs", &error), STATUS_OK);
    pixel_slots[0] = 42; /* a mark that a rebuild wipes away */
    CHECK_INT(agenda_update(&agenda, &first, "ngs", &error), STATUS_OK);
    CHECK_NEAR(pixel_slots[0], 42, 0);
    for (int part = 0; part < 8; part++) {
        struct agenda_key key = first;

        key.kind = part == 0 ? WFS_PYRAMID : key.kind;
        key.side = part <= 1 ? 1 : key.side;
        key.order = part == 2 ? ORDER_FRAME : key.order;
        key.packets += part == 3;
        key.slots += part == 3;
        key.across -= part == 4;
        key.width += part == 5;
        key.height += part == 6;
        key.obscuration += part == 7 ? 0.3 : 0;
        CHECK_INT(agenda_update(&agenda, &first, "ngs", &error), STATUS_OK);
        pixel_slots[0] = 42;
        CHECK_INT(agenda_update(&agenda, &key, "ngs", &error), STATUS_OK);
        CHECK_TRUE(pixel_slots[0] != 42, "part %d of the key changes nothing", part);
    }
}
