/* Surfaces read from CSV files and taken from measurements; files that are none. */
#include "probe/apexmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "probe/measurement.h"

static const struct surface_given nothing;

static bool parse(const char *text, const struct surface_given *given, struct surface *surface)
{
    struct problems problems = {NULL, 0, 0};
    bool good = surface_parse(text, strlen(text), given, surface, &problems) == STATUS_OK;

    CHECK_TRUE(good, "%s: %s", text, problems.count > 0 ? problems.list[0].message : "");
    CHECK_INT(problems.count, 0);
    problems_free(&problems);
    return good;
}

TEST(the_reference)
{
    struct surface surface;
    struct error error = {.message = ""};
    size_t length = 0;
    char *bytes = NULL;

    if (!CHECK_TRUE(file_read(check_data_path("apexmap_sample.csv"), 1 << 20, &bytes, &length, NULL,
                              &error) == STATUS_OK,
                    "%s", error.message))
        return;
    if (parse(bytes, &nothing, &surface)) {
        CHECK_INT(surface.count, 90);
        CHECK_INT(surface.word_origin, SURFACE_ASSUMED);
        CHECK_INT(surface.held_origin, SURFACE_ASSUMED);
        CHECK_NEAR(surface.word, 8, 0);
        CHECK_NEAR(surface.least_held, 67108864, 0);
        CHECK_NEAR(surface.most_held, 67108864, 0);
        CHECK_NEAR(surface.point[11].alpha, 0.5, 0);
        CHECK_NEAR(surface.point[11].block, 4, 0);
        CHECK_NEAR(surface.point[11].held, 67108864, 0);
        CHECK_NEAR(surface.point[11].seconds, 5.046e-9, 1e-15);
        surface_free(&surface);
    }
    free(bytes);
}

TEST(sizes_from_anywhere)
{
    static const struct {
        const char *text;
        struct surface_given given;
        double word, held;
        enum surface_origin word_origin, held_origin;
    } cases[] = {
        {"alpha,L,ns_per_access\n1,1,2\n", {0, 0}, 8, 67108864, SURFACE_ASSUMED, SURFACE_ASSUMED},
        {"alpha,L,ns_per_access\n1,1,2\n", {65536, 4}, 4, 16384, SURFACE_GIVEN, SURFACE_GIVEN},
        {"# size: 1 MiB\n# word: 4 B\nalpha,L,ns_per_access\n1,1,2\n",
         {0, 0},
         4,
         262144,
         SURFACE_IN_COMMENT,
         SURFACE_IN_COMMENT},
        {"alpha,L,ns_per_access\n1,1,2\n# size: 1 MiB\r\n",
         {2097152, 0},
         8,
         262144,
         SURFACE_ASSUMED,
         SURFACE_GIVEN},
        {"# word: 4 B\nalpha,L,ns_per_access,size_bytes\n1,1,2,65536\n",
         {0, 0},
         4,
         16384,
         SURFACE_IN_COMMENT,
         SURFACE_IN_COLUMN},
        {"M,alpha,L,ns_per_access\n4096,1,1,2\n",
         {0, 4},
         4,
         4096,
         SURFACE_GIVEN,
         SURFACE_IN_COLUMN},
    };
    struct surface surface;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!parse(cases[i].text, &cases[i].given, &surface))
            continue;
        CHECK_NEAR(surface.word, cases[i].word, 0);
        CHECK_NEAR(surface.point[0].held, cases[i].held, 0);
        CHECK_NEAR(surface.most_held, cases[i].held, 0);
        CHECK_INT(surface.word_origin, cases[i].word_origin);
        CHECK_INT(surface.held_origin, cases[i].held_origin);
        surface_free(&surface);
    }
}

static void add(struct measurement *measurement, enum measurement_part part, double size,
                double cores, int samples)
{
    struct measurement_point point = measurement_point(part, "apex", "");

    point.parameter[PARAMETER_SIZE] = size;
    point.parameter[PARAMETER_BLOCK] = 16;
    point.parameter[PARAMETER_LOCALITY] = 0.25;
    point.parameter[PARAMETER_CORES] = cores;
    point.count = samples;
    for (int i = 0; i < samples; i++)
        point.sample[i] = (5 - i) * 1e-9;
    CHECK_INT(measurement_add(measurement, &point, NULL), STATUS_OK);
}

/* The surface in a measurement and in its file are the same: the points of one core with samples,
 * the least of them. */
TEST(as_measured)
{
    struct measurement measurement = {0};
    struct buffer buffer = {0};
    struct surface taken, read;

    add(&measurement, MEASUREMENT_APEX, 1048576, (double)NAN, 3);
    add(&measurement, MEASUREMENT_MEMORY, 1048576, 1, 3);
    add(&measurement, MEASUREMENT_APEX, 1048576, 2, 3);
    add(&measurement, MEASUREMENT_APEX, 1048576, 1, 0);
    add(&measurement, MEASUREMENT_APEX, 4194304, 1, 2);
    measurement_csv(&buffer, &measurement);
    if (CHECK_INT(surface_from_measurement(&measurement, &taken, NULL), STATUS_OK) &&
        parse(buffer.bytes, &nothing, &read)) {
        CHECK_INT(taken.count, 2);
        CHECK_INT(read.count, 2);
        CHECK_INT(taken.held_origin, SURFACE_IN_COLUMN);
        CHECK_INT(read.held_origin, SURFACE_IN_COLUMN);
        CHECK_NEAR(taken.point[0].seconds, 3e-9, 1e-15);
        CHECK_NEAR(taken.point[1].seconds, 4e-9, 1e-15);
        CHECK_NEAR(taken.least_held, 131072, 0);
        CHECK_NEAR(taken.most_held, 524288, 0);
        CHECK_INT(memcmp(taken.point, read.point, 2 * sizeof taken.point[0]), 0);
        surface_free(&read);
        surface_free(&taken);
    }
    buffer_free(&buffer);
    measurement_free(&measurement);
}

TEST(refuses_an_empty_measurement)
{
    struct measurement measurement = {0};
    struct surface surface;
    struct error error = {.message = ""};

    add(&measurement, MEASUREMENT_MEMORY, 1048576, 1, 3);
    CHECK_INT(surface_from_measurement(&measurement, &surface, &error), STATUS_INVALID);
    CHECK_STR(error.message, "no Apex-MAP surface was measured");
    CHECK(surface.point == NULL);
    measurement_free(&measurement);
}

static void refuses(const char *text, const struct surface_given *given, int line,
                    const char *message)
{
    struct problems problems = {NULL, 0, 0};
    struct surface surface;

    CHECK_INT(surface_parse(text, strlen(text), given, &surface, &problems), STATUS_INVALID);
    if (CHECK_TRUE(problems.count > 0, "%s", text)) {
        CHECK_STR(problems.list[0].message, message);
        CHECK_INT(problems.list[0].line, line);
    }
    CHECK_TRUE(surface.point == NULL, "nothing to free after: %s", text);
    problems_free(&problems);
}

TEST(refuses_bad_fields)
{
    refuses("alpha,L,ns_per_access\n1,1,2\n1,1,0\n", &nothing, 3,
            "ns_per_access \"0\" is not allowed; allowed: a time above 0, in ns");
    refuses("alpha,L,ns_per_access\n1,1,-3\n", &nothing, 2,
            "ns_per_access \"-3\" is not allowed; allowed: a time above 0, in ns");
    refuses("alpha,L,ns_per_access\n1,1,nan\n", &nothing, 2,
            "ns_per_access \"nan\" is not allowed; allowed: a time above 0, in ns");
    refuses("alpha,L,ns_per_access\n1,1,\n", &nothing, 2,
            "ns_per_access \"\" is not allowed; allowed: a time above 0, in ns");
    refuses("alpha,L,ns_per_access\n1,1,2 3\n", &nothing, 2,
            "ns_per_access \"2 3\" is not allowed; allowed: a time above 0, in ns");
    refuses("alpha,L,samples_s\n1,1,2e-9 x\n", &nothing, 2,
            "samples_s \"2e-9 x\" is not allowed; allowed: times above 0, in s, with blanks "
            "between");
    refuses("alpha,L,ns_per_access\n0,1,2\n", &nothing, 2,
            "alpha \"0\" is not allowed; allowed: a number above 0");
    refuses("alpha,L,ns_per_access\n1,0.5,2\n", &nothing, 2,
            "L 0.5 is out of range; allowed: a number from 1, in words");
    refuses("alpha,L,ns_per_access,size_bytes\n1,8192,2,32768\n", &nothing, 2,
            "L 8192 is more than the size accessed; allowed: 1 to 4096 words");
    refuses("alpha,L,ns_per_access,size_bytes\n1,1,2,1024\n", &nothing, 2,
            "size_bytes 1024 is out of range; allowed: a number that is 2048 words or more, in B");
}

TEST(refuses_what_is_no_surface)
{
    refuses("", &nothing, 0, "there is no header line");
    refuses("alpha,L,ns_per_access\n", &nothing, 0, "no points of an Apex-MAP surface");
    refuses("# about\nalpha,L,time\n1,1,2\n", &nothing, 2,
            "no column for the time of an access; expected ns_per_access or "
            "samples_s");
    refuses("alpha,ns_per_access\n1,2\n", &nothing, 1,
            "no column for the words of a block; expected L or block_words");
    refuses("alpha,L,ns_per_access\n1,1\n", &nothing, 2, "2 fields, but the header has 3");
    refuses("# size: big\nalpha,L,ns_per_access\n1,1,2\n", &nothing, 1,
            "size \"big\" is not allowed; allowed: bytes above 0, as in 512 MiB");
    refuses("alpha,L,ns_per_access,size_bytes\n1,1,2,65536\n", &(struct surface_given){65536, 0}, 1,
            "the column size_bytes of the file states the sizes; another cannot be given");
    refuses("alpha,L,ns_per_access\n1,1,2\n", &(struct surface_given){8192, 0}, 0,
            "8192 B in words of 8 B are 1024; allowed: 2048 or more");
}

TEST(lists_all_problems)
{
    const char *text = "alpha,L,ns_per_access\n0,1,2\n1,1,2\n1,x,y\n";
    struct problems problems = {NULL, 0, 0};
    struct surface surface;

    CHECK_INT(surface_parse(text, strlen(text), &nothing, &surface, &problems), STATUS_INVALID);
    if (CHECK_INT(problems.count, 3)) {
        CHECK_INT(problems.list[0].line, 2);
        CHECK_INT(problems.list[1].line, 4);
        CHECK_INT(problems.list[2].line, 4);
    }
    problems_free(&problems);
}
