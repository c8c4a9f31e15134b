/* Agendas, readout maps and masks as text: what is read, every sentence about what cannot be, and
 * what they do to a design. */
#include "design/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "draw.h"
#include "explain_graph.h"
#include "files.h"
#include "model/note.h"
#include "model/result_read.h"
#include "patterns.h"
#include "sample.h"

static struct pattern *parse(enum pattern_kind kind, const char *text, size_t length,
                             char **problems)
{
    struct problems found = {NULL, 0, 0};
    struct pattern *pattern = NULL;
    enum status status = pattern_parse(kind, text, length, &pattern, &found);

    CHECK_INT(status, found.count > 0 ? STATUS_INVALID : STATUS_OK);
    CHECK_INT(pattern != NULL, found.count == 0);
    *problems = files_problems(&found);
    problems_free(&found);
    return pattern;
}

static struct pattern *parsed(enum pattern_kind kind, const char *text, size_t length)
{
    char *problems;
    struct pattern *pattern = parse(kind, text, length, &problems);

    CHECK_STR(problems, "");
    free(problems);
    return pattern;
}

TEST(agendas)
{
    static const char text[] = "# of a camera\npacket,fraction\n1,0.5\n2,0\n3,0.25\n4,0.2500001\n";
    struct pattern *agenda = parsed(PATTERN_AGENDA, text, sizeof text - 1);

    if (agenda == NULL)
        return;
    CHECK_INT(agenda->packets, 4);
    CHECK_NEAR(agenda->end[0], 0.5 / 1.0000001, 1e-15);
    CHECK(agenda->end[1] == agenda->end[0]);
    CHECK(agenda->end[3] == 1);
    pattern_free(agenda);
}

TEST(maps)
{
    struct pattern *map = parsed(PATTERN_MAP, "packet\r\n1,2,3\r\n# middle\n\n3,3 ,1", 31);

    if (map != NULL) {
        CHECK_INT(map->packets, 3);
        CHECK_INT(map->width, 3);
        CHECK_INT(map->height, 2);
        CHECK(map->pixel[2] == 2 && map->pixel[3] == 2 && map->pixel[5] == 0);
    }
    pattern_free(map);
    map = parsed(PATTERN_MAP, "time\n0,1\n2,4\n", 13);
    if (map != NULL) {
        CHECK_INT(map->packets, 0);
        CHECK(map->pixel[0] == 0 && map->pixel[1] == 0.25F && map->pixel[3] == 1);
    }
    pattern_free(map);
}

TEST(masks)
{
    static const char *const masks[] = {
        "010\n111\n110\n",
        "# a mask\n0 1 0\n1,1,1\n1 1 0",
        "P1\n# made by hand\n3 3\n010 111\n11 0\n",
        "\xEF\xBB\xBFP1\n3 3\n010 111 # middle\n11 0\n# end\n",
        "P4 3\n3\n\x40\xe0\xc0",
        "P4 3\n3\n\x40\xe0\xc0\n",
        "\xEF\xBB\xBF"
        "0,1,0\r\n1,1,1\r\n1,1,0\r\n",
        "0.000e+00 1.000e+00 0.000e+00\n1.0e+00 1.0e+00 1.0e+00\n1.0e+00 1.0e+00 0.0e+00\n",
        "0.000e+00,1.000e+00,0.000e+00\n1.0,1.0,1.0\n1.0,1.0,0.0\n",
        "P2\n3 3\n# dim\n9 4 5 4\n5 9 9\n9 9 0\n",
        "P5\n3 3\n255\n\x7f\x80\x7f\xff\xff\xff\xff\xff\x01",
        "P5\n3 3\n1023\n\x01\x01\x02\x01\x01\x01\x02\x01\x02\x01\x02\x01\x02\x01\x02\x01"
        "\x01\x01",
    };
    static const unsigned char valid[] = {0, 1, 0, 1, 1, 1, 1, 1, 0};

    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        struct pattern *mask = parsed(PATTERN_MASK, masks[i], strlen(masks[i]));

        if (mask != NULL)
            CHECK_TRUE(mask->width == 3 && mask->height == 3 && memcmp(mask->valid, valid, 9) == 0,
                       "mask %zu differs", i);
        pattern_free(mask);
    }
}

/* Numbers of pixels are parts of their sum. */
TEST(agendas_of_pixels)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "pixels\r\n0\r\n30\r\n10\r\n";
    struct pattern *agenda = parsed(PATTERN_AGENDA, text, sizeof text - 1);

    if (agenda == NULL)
        return;
    CHECK_INT(agenda->packets, 3);
    CHECK(agenda->end[0] == 0);
    CHECK(agenda->end[1] == 0.75);
    CHECK(agenda->end[2] == 1);
    pattern_free(agenda);
}

TEST(inverted_masks)
{
    static const struct {
        const char *text;
        bool inverted;
    } cases[] = {
        {"11000011\n10000001\n00000000\n00011000\n00011000\n00000000\n10000001\n11000011\n", true},
        {"00111100\n01111110\n11111111\n11100111\n11100111\n11111111\n01111110\n00111100\n", false},
        {"1111\n1111\n1111\n1111\n", false}, /* a square pupil */
        {"1111\n1001\n1001\n1111\n", false}, /* and one with an obscuration */
        {"101\n000\n101\n", true},
        {"1\n", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pattern *mask = parsed(PATTERN_MASK, cases[i].text, strlen(cases[i].text));

        if (mask != NULL)
            CHECK_TRUE(mask->inverted == cases[i].inverted, "%s", cases[i].text);
        pattern_free(mask);
    }
}

TEST(what_is_refused)
{
    static const struct {
        enum pattern_kind kind;
        const char *text, *problems;
    } cases[] = {
        {PATTERN_AGENDA, "1.0e+01\n2.0e+01\n",
         "1: there is no column fraction, nor pixels; the first line of an agenda names its "
         "columns\n"},
        {PATTERN_AGENDA, "fraction\n10\n20\n",
         "0: the fractions have the sum 30, not 1; numbers of pixels are in a column pixels\n"},
        {PATTERN_AGENDA, "pixels\n10\n0.5\n1e300\n",
         "3: pixels: \"0.5\" is not a whole number from 0 to 268435456\n"
         "4: pixels: \"1e300\" is not a whole number from 0 to 268435456\n"},
        {PATTERN_AGENDA, "pixels\n0\n", "0: no packet has pixels\n"},
        {PATTERN_AGENDA, "fraction,pixels\n0.5,1\n0.5,2\n",
         "2: fraction 0.5, but pixels 1 of 3; remove the column that is not right\n"},
        {PATTERN_AGENDA, "fraction,pixels\n0.5,1\n0.5,x\n",
         "3: pixels: \"x\" is not a whole number from 0 to 268435456\n"},
        {PATTERN_AGENDA, "packet;fraction\n1;0,5\n",
         "1: the header has no comma; save the file with commas between fields and decimal "
         "points\n"},
        {PATTERN_MAP, "\xFF\xFEp", "0: the file is UTF-16; save it as UTF-8\n"},
        {PATTERN_AGENDA, "fraction\n", "0: 0 packets; an agenda has 1 to 4096\n"},
        {PATTERN_AGENDA, "fraction\n0.5\n-0.5\nx\n",
         "3: fraction: \"-0.5\" is not a number from 0 to 1\n"
         "4: fraction: \"x\" is not a number from 0 to 1\n"},
        {PATTERN_AGENDA, "fraction\n0.5\n0.4\n", "0: the fractions have the sum 0.9, not 1\n"},
        {PATTERN_MAP, "1,2\n", "1: the first line of a readout map is packet or time\n"},
        {PATTERN_MAP, "packet\n", "0: there is no row of pixels\n"},
        {PATTERN_MAP, "packet\n1,0\n", "2: \"0\" is not the number of a packet, 1 to 4096\n"},
        {PATTERN_MAP, "packet\n1,1.5\n", "2: \"1.5\" is not the number of a packet, 1 to 4096\n"},
        {PATTERN_MAP, "packet\n1,\n2\n", "2: \"\" is not the number of a packet, 1 to 4096\n"},
        {PATTERN_MAP, "packet\n1,  x,2\n", "2: \"x\" is not the number of a packet, 1 to 4096\n"},
        {PATTERN_MAP, "packet\n1;2\n", "2: no comma after \"1\"\n"},
        {PATTERN_MAP, "packet\n1,2\n1\n", "3: 1 values; the rows before have 2\n"},
        {PATTERN_MAP, "time\n1,-1\n", "2: \"-1\" is not a time from 0 on\n"},
        {PATTERN_MAP, "time\n0,0\n", "0: the longest time is not above 0 and finite\n"},
        {PATTERN_MAP, "time\n1e300\n", "0: the longest time is not above 0 and finite\n"},
        {PATTERN_MASK, "", "0: there is no row of subapertures\n"},
        {PATTERN_MASK, "01\n02\n", "2: \"02\" is neither 1, for a valid subaperture, nor 0\n"},
        {PATTERN_MASK, "1.0e+00 7.3e-01\n",
         "1: \"7.3e-01\" is neither 1, for a valid subaperture, nor 0\n"},
        {PATTERN_MASK, "Q1\n8 8\n", "1: \"Q1\" is neither 1, for a valid subaperture, nor 0\n"},
        {PATTERN_MASK, "\x89PNG\r\n",
         "0: this is a PNG picture; \"convert FILE mask.pgm\" makes a mask of it, white where "
         "valid\n"},
        {PATTERN_MASK, "\x93NUMPY",
         "0: this is an array of numpy; numpy.savetxt writes its values as a mask\n"},
        {PATTERN_MASK, "SIMPLE  =                    T",
         "0: this is a FITS file; numpy.savetxt writes its values as a mask\n"},
        {PATTERN_MASK, "01\n0\n", "2: 1 values; the rows before have 2\n"},
        {PATTERN_MASK, "P1\n2 2\n111", "0: the PBM picture has fewer than 2 x 2 pixels\n"},
        {PATTERN_MASK, "P4\n9 2\nabc", "0: the PBM picture has fewer than 9 x 2 pixels\n"},
        {PATTERN_MASK, "P1\n2 2\n1111 0", "3: the PBM picture goes on after its 2 x 2 pixels\n"},
        {PATTERN_MASK, "P1\n2 2\n1111\n# end\nx\n",
         "5: the PBM picture goes on after its 2 x 2 pixels\n"},
        {PATTERN_MASK, "P1\n2 2\n11x1", "3: \"x1\" is not a pixel of the PBM picture, 0 to 1\n"},
        {PATTERN_MASK, "P4\n9 2\nabcde", "0: the PBM picture goes on after its 9 x 2 pixels\n"},
        {PATTERN_MASK, "P4\n9 2\nabcd#", "0: the PBM picture goes on after its 9 x 2 pixels\n"},
        {PATTERN_MASK, "P2\n2 2\n9\n1 2 3", "0: the PGM picture has fewer than 2 x 2 pixels\n"},
        {PATTERN_MASK, "P2\n2 2\n9\n1 2\n3 255 1",
         "5: \"255\" is not a pixel of the PGM picture, 0 to 9\n"},
        {PATTERN_MASK, "P2\n2 2\n9\n1 2 -3 4",
         "4: \"-3\" is not a pixel of the PGM picture, 0 to 9\n"},
        {PATTERN_MASK, "P5\n2 2\n99\nabcd",
         "0: \"100\" is not a pixel of the PGM picture, 0 to 99\n"},
        {PATTERN_MASK, "P2\n2 2\n9\n1 2 3 4 5",
         "4: the PGM picture goes on after its 2 x 2 pixels\n"},
        {PATTERN_MASK, "P5\n2 2\n65536\nabcdefgh",
         "0: the PGM picture has no width and height from 1 to 16384, or no largest value from 1 "
         "to "
         "65535\n"},
        {PATTERN_MASK, "P1\n0 2\n", "0: the PBM picture has no width and height from 1 to 16384\n"},
        {PATTERN_MASK, "P4", "0: the PBM picture has no width and height from 1 to 16384\n"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *problems;

        pattern_free(parse(cases[i].kind, cases[i].text, strlen(cases[i].text), &problems));
        CHECK_STR(problems, cases[i].problems);
        free(problems);
    }
}

static void refused_with(const char *kind, const char *text, const char *sentence)
{
    static struct scenario scenario;
    struct pattern *pattern =
        parsed(kind[0] == 'm' ? PATTERN_MASK : PATTERN_MAP, text, strlen(text));

    sample_chain(&scenario);
    if (kind[0] == 'm')
        scenario.wfs[0].mask.pattern = pattern;
    else
        scenario.wfs[0].readout_map.pattern = pattern;
    sample_refused(&scenario, sentence);
    pattern_free(pattern);
}

TEST(what_does_not_fit_the_sensor)
{
    refused_with("mask", "11\n11\n", "wfs.ngs.mask: 2 x 2 subapertures; the sensor has 10 x 10");
    refused_with("readout map", "packet\n1,2\n",
                 "wfs.ngs.readout_map: 2 x 1 pixels are too few; the subapertures need 80 x 80");
}

TEST(agendas_of_other_sensors)
{
    static const struct {
        const char *text, *note;
    } cases[] = {
        {"fraction\n0.5\n0.5\n", ""},
        {"pixels\n1600\n4800\n", ""},
        {"pixels,fraction\n1600,0.25\n4800,0.75\n", ""},
        {"pixels\n16\n48\n", "wfs.ngs.agenda: 64 pixels, but the sensor has 80 x 80 = 6400"},
        {"pixels,fraction\n6000,0.75\n2000,0.25\n",
         "wfs.ngs.agenda: 8000 pixels, but the sensor has 80 x 80 = 6400"},
    };
    static struct scenario scenario;
    struct result *result = sample_result();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pattern *agenda = parsed(PATTERN_AGENDA, cases[i].text, strlen(cases[i].text));
        char note[ERROR_MESSAGE_MAX];
        bool found = false;
        int at = 0;

        sample_chain(&scenario);
        scenario.wfs[0].agenda.pattern = agenda;
        CHECK(sample_evaluate(&scenario, result));
        while (!found && note_next(&scenario, result, &at, note, sizeof note))
            found = strstr(note, "agenda") != NULL;
        CHECK_STR(found ? note : "", cases[i].note);
        pattern_free(agenda);
    }
}

/* Four packets with half, a quarter and two eighths of the pixels, at a constant rate. */
TEST(an_agenda_sets_packets_and_times)
{
    static const char text[] = "fraction\n0.5\n0.25\n0.125\n0.125\n";
    static const double ends[] = {200e-6, 300e-6, 350e-6, 400e-6};
    static struct scenario scenario;
    struct result *result = sample_result();
    struct pattern *agenda = parsed(PATTERN_AGENDA, text, sizeof text - 1);
    struct result_ref ref;

    sample_chain(&scenario);
    sample_set(&scenario, "component.camera.readout", "400 us");
    sample_set(&scenario, "scenario.packets", "50");
    scenario.wfs[0].agenda.pattern = agenda;
    if (CHECK(sample_evaluate(&scenario, result)))
        for (int k = 0; k < 4; k++) {
            char path[] = "latency.camera:1:start..camera:1";

            path[strlen(path) - 1] = (char)('1' + k);
            CHECK(result_find(&scenario, result, path, &ref, NULL) == STATUS_OK);
            CHECK_NEAR(result_read(&scenario, result, &ref), ends[k], 1e-12);
        }
    pattern_free(agenda);
}

/* The readout in raster order, cut into equal packets, is the one without a map. */
TEST(a_map_of_raster_order_changes_nothing)
{
    static struct scenario scenario;
    struct result *result = sample_result();
    struct buffer text = {0};
    struct pattern *map;
    double latency;

    sample_chain(&scenario);
    sample_set(&scenario, "component.camera.readout", "400 us");
    sample_set(&scenario, "scenario.packets", "7");
    if (!CHECK(sample_evaluate(&scenario, result)))
        return;
    latency = result->latency;
    buffer_text(&text, "packet\n");
    for (int i = 0; i < 6400; i++)
        buffer_print(&text, "%d%s", i * 7 / 6400 + 1, i % 80 == 79 ? "\n" : ",");
    map = parsed(PATTERN_MAP, text.bytes, text.length);
    scenario.wfs[0].readout_map.pattern = map;
    sample_set(&scenario, "scenario.packets", "50");
    CHECK(sample_evaluate(&scenario, result));
    CHECK_NEAR(result->latency, latency, 1e-7);
    pattern_free(map);
    buffer_free(&text);
}

/* Formulas give the values that the model has. */
TEST(explained)
{
    struct draw draw = draw_start(83);
    static struct scenario scenario;
    struct graph graph;

    if (!CHECK(graph_init(&graph)))
        return;
    for (int i = 0; i < draw_repeat(30); i++) {
        sample_chain(&scenario);
        sample_set(&scenario, "component.camera.readout", "400 us");
        sample_set(&scenario, "device.rtc.ingress", "kernel");
        sample_set(&scenario, "scenario.packets", "9");
        patterns_give(&draw, &scenario.wfs[0]);
        if (CHECK(sample_evaluate(&scenario, sample_result())))
            graph_build(&graph, &scenario, sample_result(), "a design with patterns");
    }
    CHECK_INT(graph.wrong, 0);
    graph_free(&graph);
}
