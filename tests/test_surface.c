/* Surfaces read from CSV files and taken from measurements; files that are none. */
#include "probe/apexmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "probe/measurement.h"
#include "rows.h"

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
        {"alpha,L,ns_per_access\n1,1,2\n", {0, 0, false}, 8, 67108864, SURFACE_ASSUMED, SURFACE_ASSUMED},
        {"alpha,L,ns_per_access\n1,1,2\n", {65536, 4, false}, 4, 16384, SURFACE_GIVEN, SURFACE_GIVEN},
        {"# size: 1 MiB\n# word: 4 B\nalpha,L,ns_per_access\n1,1,2\n",
         {0, 0, false},
         4,
         262144,
         SURFACE_IN_COMMENT,
         SURFACE_IN_COMMENT},
        {"alpha,L,ns_per_access\n1,1,2\n# size: 1 MiB\r\n",
         {2097152, 0, false},
         8,
         262144,
         SURFACE_ASSUMED,
         SURFACE_GIVEN},
        {"# word: 4 B\nalpha,L,ns_per_access,size_bytes\n1,1,2,65536\n",
         {0, 0, false},
         4,
         16384,
         SURFACE_IN_COMMENT,
         SURFACE_IN_COLUMN},
        {"M,alpha,L,ns_per_access\n4096,1,1,2\n",
         {0, 4, false},
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
    measurement_add(measurement, &point);
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

static void check_refused(const struct row *row)
{
    const struct surface_given given = {row_number(row, 1), row_number(row, 2), false};
    const char *text = row->field[0];
    struct problems problems = {NULL, 0, 0};
    struct surface surface;

    ROW_TRUE(row, surface_parse(text, strlen(text), &given, &surface, &problems) == STATUS_INVALID,
             "not refused");
    if (ROW_TRUE(row, problems.count > 0, "no problem")) {
        ROW_STR(row, problems.list[0].message, row->field[4]);
        ROW_NEAR(row, problems.list[0].line, row_number(row, 3), 0);
    }
    ROW_TRUE(row, surface.point == NULL, "there is something to free");
    problems_free(&problems);
}

TEST(refuses_bad_files)
{
    rows_each("surface.txt", "refused", 5, check_refused);
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
