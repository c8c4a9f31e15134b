#include "probe/measurement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"

static const bool whole[MEASUREMENT_PARTS] = {true, true, true, true, true, true};
static const bool interrupted[MEASUREMENT_PARTS] = {false};

static int opened(void)
{
    int status = files_open();

    setenv("XDG_STATE_HOME", files_path("state"), 1);
    return status;
}

static void add(struct measurement *measurement, enum measurement_part part, const char *name)
{
    struct measurement_point point = measurement_point(part, name, "");

    point.sample[point.count++] = 1e-9;
    measurement_add(measurement, &point);
}

/* Keeps a measurement of one point. */
static enum status keep(const char *cpu, enum measurement_part part, const char *name,
                        const bool *complete, struct error *error)
{
    struct measurement measurement = {0};
    enum status status;

    strcpy(measurement.condition[CONDITION_CPU], cpu);
    add(&measurement, part, name);
    status = measurement_file_keep(&measurement, complete, error);
    measurement_free(&measurement);
    return status;
}

/* The names of the points in the file, in order. */
static void holds(const char *names)
{
    struct measurement measurement;
    struct error error;
    char found[200] = "";

    if (!CHECK_TRUE(measurement_file_read(&measurement, &error) == STATUS_OK, "%s", error.message))
        return;
    for (int i = 0; i < measurement.count; i++) {
        strcat(found, measurement.point[i].name);
        strcat(found, " ");
    }
    CHECK_STR(found, names);
    measurement_free(&measurement);
}

TEST(keeps_each_part_s_last)
{
    struct error error;

    holds("");
    CHECK_INT(keep("one", MEASUREMENT_MEMORY, "first", whole, &error), STATUS_OK);
    CHECK_STR(error.message, "");
    CHECK_INT(keep("one", MEASUREMENT_APEX, "other", whole, &error), STATUS_OK);
    CHECK_INT(keep("one", MEASUREMENT_MEMORY, "second", whole, &error), STATUS_OK);
    CHECK_STR(error.message, "");
    holds("other second ");
    CHECK_INT(keep("one", MEASUREMENT_MEMORY, "third", interrupted, &error), STATUS_OK);
    holds("other second ");
    CHECK_INT(keep("one", MEASUREMENT_BANDWIDTH, "begun", interrupted, &error), STATUS_OK);
    holds("other second begun ");
    CHECK_INT(keep("two", MEASUREMENT_APEX, "alone", whole, &error), STATUS_OK);
    holds("alone ");
}

TEST(a_damaged_file_is_written_anew)
{
    static const char text[] = "# cpu: one\npart,name,samples_s\nmemory,x\n";
    struct measurement measurement;
    struct error error;
    char expected[600];

    files_write("state/aolag/machine.csv", text, sizeof text - 1);
    snprintf(expected, sizeof expected, "%s: line 3: 2 fields, but the header has 3",
             files_path("state/aolag/machine.csv"));
    CHECK_INT(measurement_file_read(&measurement, &error), STATUS_INVALID);
    CHECK_STR(error.message, expected);
    CHECK_INT(keep("one", MEASUREMENT_APEX, "new", whole, &error), STATUS_OK);
    CHECK_STR(error.message, expected);
    holds("new ");
}

TEST(what_is_no_measurement_stays)
{
    static const char text[] = "my diary\n";
    struct error error;
    size_t length;
    char *after;

    files_write("state/aolag/machine.csv", text, sizeof text - 1);
    CHECK_INT(keep("one", MEASUREMENT_APEX, "new", whole, &error), STATUS_INVALID);
    after = files_read("state/aolag/machine.csv", &length);
    CHECK_STR(after, text);
    free(after);
}

TEST(no_directory)
{
    struct error error;

    setenv("XDG_STATE_HOME", files_path("file"), 1);
    files_write("file", "", 0);
    CHECK_INT(keep("one", MEASUREMENT_APEX, "new", whole, &error), STATUS_IO);
    CHECK_TRUE(strstr(error.message, "machine.csv") != NULL, "%s", error.message);
    setenv("XDG_STATE_HOME", files_path("state"), 1);
}

SUITE(opened, files_close)
