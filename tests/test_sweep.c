/* Sweeps against plain nested loops of fresh evaluations. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "design/algorithm.h"
#include "design/assign.h"
#include "design/knob_text.h"
#include "design/scenario_file.h"
#include "draw.h"
#include "explore/sweep.h"
#include "files.h"
#include "model/evaluate.h"
#include "model/result_read.h"
#include "sample.h"

#define AXES 4

static struct scenario base, design;
static struct axis axis[AXES];
static struct result_ref wanted[3];
static struct sweep sweep;

static void forget(void)
{
    for (int i = 0; i < AXES; i++)
        axis_free(&axis[i]);
}

static bool prepare(const char *const *texts, int jobs)
{
    static const char *const paths[] = {"latency", "component.recon.time", "max_frame_rate"};
    struct error error = {STATUS_OK, ""};
    bool good = sample_evaluate(&base, sample_result());

    sweep = (struct sweep){.base = &base, .axis = axis, .wanted = wanted, .jobs = jobs};
    for (; good && texts[sweep.axis_count] != NULL; sweep.axis_count++)
        good = CHECK_TRUE(axis_parse(&axis[sweep.axis_count], &base, files_catalogue(),
                                     texts[sweep.axis_count], &error) == STATUS_OK,
                          "%s", error.message);
    for (; good && sweep.wanted_count < 3; sweep.wanted_count++)
        good = CHECK_TRUE(result_find(&base, sample_result(), paths[sweep.wanted_count],
                                      &wanted[sweep.wanted_count], &error) == STATUS_OK,
                          "%s", error.message);
    return good;
}

/* Against what --set would make of it ---------------------------------------------------------- */

struct checked {
    uint64_t next;
    int failed; /* designs without a meaning */
};

static void expected_design(const struct sweep_row *row, enum status *status, struct error *error)
{
    char text[AXES][200];
    const char *assignments[AXES];
    char path[96];
    char cell[100];

    scenario_copy(&design, &base);
    for (int i = 0; i < sweep.axis_count; i++) {
        knob_path(&base, axis[i].ref, path, sizeof path);
        axis_text(&axis[i], row->at[i], cell, sizeof cell);
        snprintf(text[i], sizeof text[i], "%s=%s", path, cell);
        assignments[i] = text[i];
    }
    *status = scenario_assign(&design, files_catalogue(), NULL,
                              &(struct assignments){assignments, sweep.axis_count}, error);
}

static bool check_row(void *context, const struct sweep_row *row)
{
    struct checked *checked = context;
    struct error error = {STATUS_OK, ""};
    struct result *result = sample_result();
    enum status status;

    CHECK_INT(row->number, checked->next++);
    expected_design(row, &status, &error);
    if (status == STATUS_OK)
        status = evaluate(&design, result, &error);
    CHECK_TRUE((status == STATUS_OK) == (row->error.status == STATUS_OK),
               "design %" PRIu64 ": \"%s\", not \"%s\"", row->number, row->error.message,
               error.message);
    checked->failed += status != STATUS_OK;
    for (int i = 0; i < sweep.wanted_count; i++)
        CHECK_NEAR(row->value[i],
                   status == STATUS_OK ? result_read(&design, result, &wanted[i]) : RESULT_NONE, 0);
    if (status == STATUS_OK) {
        CHECK_INT(row->overloaded, result->overloaded);
        CHECK_INT(row->by, result->bottleneck_bound);
        CHECK_STR(row->bound,
                  result->bound_node < 0 ? "" : result->node[result->bottleneck].name);
    } else {
        CHECK_STR(row->bound, "");
    }
    return true;
}

static void check_sweep(const char *const *texts, uint64_t count, int failed)
{
    for (int jobs = 1; jobs <= 3; jobs += 2) {
        struct checked checked = {0, 0};
        struct sweep_rows rows = {.receive = check_row, .context = &checked};
        struct error error = {STATUS_OK, ""};
        uint64_t designs = 0;

        if (prepare(texts, jobs)) {
            CHECK_INT(sweep_count(&sweep, &designs, &error), STATUS_OK);
            CHECK_INT(designs, count);
            CHECK_INT(sweep_designs(&sweep, 0, designs, &rows, NULL, &error), STATUS_OK);
            CHECK_INT(checked.next, count);
            CHECK_INT(checked.failed, failed);
        }
        forget();
    }
}

TEST(fresh)
{
    static const char *const numbers[] = {"device.rtc.cores=1:64:7", "scenario.packets=1:200:9:log",
                                          "wfs.ngs.subaps_across=4:40:3", NULL};
    static const char *const choices[] = {"component.recon.device=all", "scenario.sharing=all",
                                          "component.slopes.algorithm=all", NULL};
    static const char *const kinds[] = {"device.gpu0.kind=all", "component.recon.device=rtc,gpu0",
                                        "device.gpu0.launch=0:20:3", NULL};
    static const char *const shares[] = {"component.recon.share=0.1:0.9:9",
                                         "component.slopes.share=0.1:0.9:9", NULL};

    sample_chain(&base);
    check_sweep(numbers, 189, 0);
    sample_add(&base, SECTION_DEVICE, "gpu0");
    sample_set(&base, "device.gpu0.kind", "gpu");
    check_sweep(choices, (uint64_t)2 * 3 * (uint64_t)algorithm_type_count(COMPONENT_CENTROID), 0);
    check_sweep(kinds, 18, 6); /* an FPGA has no such knob */
    /* of 81 pairs, those whose sum is above 1 leave the rest nothing */
    check_sweep(shares, 81, 45);
}

/* A preset clears what was set before it, on the command line as here, and what is fixed holds. */
TEST(presets)
{
    static const char *const texts[] = {
        "device.rtc.memory_channels=2,12",
        "device.rtc.preset=amd-epyc-9654,intel-xeon-gold-6248,nvidia-h100-sxm", NULL};
    struct axis fixed;
    struct error error = {STATUS_OK, ""};

    sample_chain(&base);
    sample_set(&base, "device.rtc.cores", "3");
    check_sweep(texts, 6, 2);
    if (prepare(texts, 1) &&
        CHECK_INT(axis_parse(&fixed, &base, files_catalogue(), "device.rtc.cores=5", &error),
                  STATUS_OK)) {
        sweep.fixed = &fixed;
        sweep.fixed_count = 1;
        CHECK_INT(sweep_design(&sweep, 1, &design, &error), STATUS_OK);
        CHECK_STR(design.device[0].preset, "intel-xeon-gold-6248");
        CHECK_NEAR(design.device[0].cores, 5, 0);
        CHECK_NEAR(design.device[0].memory_channels, 2, 0);
        axis_free(&fixed);
    }
    forget();
}

/* Blocks --------------------------------------------------------------------------------------- */

TEST(shards)
{
    struct draw draw = draw_start(5);

    for (int i = 0; i < draw_repeat(2000); i++) {
        uint64_t count = (uint64_t)draw_log(&draw, 1, i % 2 == 0 ? 300 : 9e15);
        uint64_t blocks = (uint64_t)draw_log(&draw, 1, 400);
        uint64_t next = 0;
        uint64_t least = count;
        uint64_t most = 0;

        for (uint64_t k = 1; k <= blocks; k++) {
            uint64_t first;
            uint64_t end;

            sweep_shard(count, k, blocks, &first, &end);
            if (!CHECK_TRUE(first == next && end >= first,
                            "%" PRIu64 "/%" PRIu64 " of %" PRIu64 ": %" PRIu64 " to %" PRIu64, k,
                            blocks, count, first, end))
                return;
            least = end - first < least ? end - first : least;
            most = end - first > most ? end - first : most;
            next = end;
        }
        CHECK_TRUE(next == count && most - least <= 1, "%" PRIu64 " blocks of %" PRIu64, blocks,
                   count);
    }
}

TEST(too_many)
{
    static const char *const texts[] = {"device.rtc.clock=1:2:10001",
                                        "scenario.frame_rate=100:200:10001",
                                        "atmosphere.wind=1:2:10001", "atmosphere.r0=10:20:10001",
                                        NULL};
    struct error error = {STATUS_OK, ""};
    uint64_t count;

    sample_chain(&base);
    if (prepare(texts, 1)) {
        CHECK_INT(sweep_count(&sweep, &count, &error), STATUS_INVALID);
        CHECK_STR(error.message, "there are more than 9007199254740992 combinations of values");
    }
    forget();
}

/* Text, order and ends ------------------------------------------------------------------------- */

struct written {
    struct buffer text;
    uint64_t rows, most; /* that it wants */
};

static void print(void *context, const struct sweep_row *row, FILE *text)
{
    (void)context;
    fprintf(text, "%" PRIu64 " %.17g %s\n", row->number, row->value[0], row->bound);
}

static bool count_row(void *context, const struct sweep_row *row)
{
    struct written *written = context;

    CHECK_INT(row->number, written->rows);
    return ++written->rows < written->most;
}

static bool keep(void *context, const char *text, size_t length)
{
    struct written *written = context;

    buffer_add(&written->text, text, length);
    return true;
}

static enum status write_all(int jobs, uint64_t most, struct written *written)
{
    static const char *const texts[] = {"device.rtc.cores=1:64:40", "device.rtc.clock=1:4:40",
                                        NULL};
    struct sweep_rows rows = {
        .print = print, .receive = count_row, .write = keep, .context = written};
    struct error error = {STATUS_OK, ""};
    enum status status = STATUS_INVALID;

    *written = (struct written){.most = most};
    if (prepare(texts, jobs))
        status = sweep_designs(&sweep, 0, 1600, &rows, NULL, &error);
    forget();
    return status;
}

TEST(same_order)
{
    struct written one;

    sample_chain(&base);
    CHECK_INT(write_all(1, UINT64_MAX, &one), STATUS_OK);
    CHECK_INT(one.rows, 1600);
    for (int jobs = 2; jobs <= 9; jobs++) {
        struct written many;

        CHECK_INT(write_all(jobs, UINT64_MAX, &many), STATUS_OK);
        CHECK_STR(many.text.bytes, one.text.bytes);
        buffer_free(&many.text);
    }
    buffer_free(&one.text);
}

/* What was written is whole rows from the first on. */
TEST(stopped)
{
    struct written all;

    sample_chain(&base);
    write_all(1, UINT64_MAX, &all);
    for (int jobs = 1; jobs <= 4; jobs++) {
        struct written part;

        CHECK_INT(write_all(jobs, 500, &part), STATUS_STOPPED);
        CHECK_INT(part.rows, 500);
        if (CHECK(part.text.length > 0 && part.text.length < all.text.length))
            CHECK_INT(part.text.bytes[part.text.length - 1], '\n');
        CHECK_INT(memcmp(part.text.bytes, all.text.bytes, part.text.length), 0);
        buffer_free(&part.text);
    }
    buffer_free(&all.text);
}

static bool half(void *context, double done)
{
    double *last = context;

    if (done == PROGRESS_SAME) /* within an evaluation */
        return true;
    CHECK_TRUE(done >= *last && done <= 1, "%g after %g", done, *last);
    *last = done;
    return done < 0.5;
}

TEST(progress)
{
    static const char *const texts[] = {"device.rtc.cores=1:64:40", "device.rtc.clock=1:4:40",
                                        NULL};
    double last = 0;
    struct progress tell = {half, &last};
    struct error error = {STATUS_OK, ""};
    struct sweep_rows rows = {.context = NULL};

    sample_chain(&base);
    if (prepare(texts, 2)) {
        CHECK_INT(sweep_designs(&sweep, 0, 1600, &rows, &tell, &error), STATUS_STOPPED);
        CHECK_TRUE(last >= 0.5 && last < 0.6, "stopped at %g", last);
    }
    forget();
}

SUITE(files_open, files_close)
