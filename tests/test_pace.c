#include <math.h>
#include <stdio.h>

#include "allocations.h"
#include "check.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "model/evaluate.h"
#include "model/outcome.h"
#include "model/schedule.h"
#include "model/stage.h"
#include "sample.h"
#include "systems.h"

#define LOOK_MOST 100000

static struct scenario scenario;

/* Designs that take many steps ----------------------------------------------------------------- */

/* Components on one device, each after the two before it: there are more paths than anything could
 * follow. */
static void braid(int components, const char *kind, const char *packets)
{
    char path[64];
    char after[64];

    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_add(&scenario, SECTION_DEVICE, "rtc");
    sample_add(&scenario, SECTION_DEVICE, "board");
    sample_set(&scenario, "device.board.kind", kind);
    sample_set(&scenario, "scenario.packets", packets);
    sample_set(&scenario, "scenario.frame_rate", "1 Hz");
    sample_set(&scenario, "wfs.ngs.subaps_across", "40");
    sample_component(&scenario, "camera", "camera");
    for (int i = 0; i < components; i++) {
        char name[16];

        snprintf(name, sizeof name, "c%d", i);
        sample_component(&scenario, name, "custom");
        snprintf(path, sizeof path, "component.c%d.after", i);
        snprintf(after, sizeof after, i < 1 ? "camera" : i < 2 ? "c0" : "c%d, c%d", i - 2, i - 1);
        sample_set(&scenario, path, after);
        snprintf(path, sizeof path, "component.c%d.device", i);
        sample_set(&scenario, path, "board");
        snprintf(path, sizeof path, "component.c%d.bytes_read", i);
        sample_set(&scenario, path, "1000");
    }
}

/* Frames that overlap where devices are shared. */
static void overlap(const char *sharing, const char *packets)
{
    sample_chain(&scenario);
    sample_set(&scenario, "scenario.sharing", sharing);
    sample_set(&scenario, "scenario.packets", packets);
    sample_set(&scenario, "scenario.frame_rate", "2000 Hz");
    sample_set(&scenario, "component.camera.readout", "490 us");
    sample_set(&scenario, "component.recon.barrier", "frame");
    sample_set(&scenario, "component.recon.overhead", "300 us");
}

static bool read_design(const char *file)
{
    struct document *document = NULL;
    struct problems problems = {0};
    bool good = CHECK_INT(
        scenario_load(&scenario, &document, check_data_path(file), systems_catalogue(), &problems),
        STATUS_OK);

    document_free(document);
    problems_free(&problems);
    return good;
}

enum { DESIGNS = 10 };

static bool set_design(int number)
{
    switch (number) {
    case 0:
        return read_design("slow_design.ini");
    case 1:
    case 2:
        braid(60, number == 1 ? "gpu" : "fpga", "4096");
        return true;
    case 3:
        braid(60, "cpu", "1");
        return true;
    case 4:
        braid(60, "gpu", "300");
        sample_set(&scenario, "scenario.sharing", "fluid");
        return true;
    case 5:
        braid(20, "gpu", "400");
        sample_set(&scenario, "scenario.frame_rate", "120 Hz");
        return true;
    case 6:
        overlap("partition", "4000");
        return true;
    case 7:
        overlap("exclusive", "4000");
        return true;
    case 8:
        overlap("fluid", "60");
        return true;
    default:
        overlap("exclusive", "1");
        return true;
    }
}

static double edges(const struct result *result)
{
    double count = 1;

    for (int n = 0; n < result->work->timeline.count; n++)
        count += result->work->timeline.tracks[n].before_count;
    return count;
}

/* Looks at the request to stop ----------------------------------------------------------------- */

struct looks {
    const struct pace *pace;
    long last;    /* steps at the last look */
    long most;    /* between two looks */
    long allowed; /* looks before it asks to stop */
};

static bool look(void *context, double done)
{
    struct looks *looks = context;

    (void)done;
    looks->most = looks->pace->steps - looks->last > looks->most ? looks->pace->steps - looks->last
                                                                 : looks->most;
    looks->last = looks->pace->steps;
    return looks->allowed-- > 0;
}

/* Nothing goes on for long without a look, nor once it was asked to stop. */
TEST(looks_often)
{
    for (int d = 0; d < DESIGNS; d++) {
        struct result result;
        struct error error;
        struct looks looks = {.pace = &result.pace, .allowed = 1000000000};
        const struct progress progress = {look, &looks};
        struct schedule schedule = {0};
        long evaluated, slacked;
        double slots;

        if (!set_design(d))
            return;
        result_init(&result);
        result_watch(&result, &progress);
        CHECK_INT(evaluate(&scenario, &result, &error), STATUS_OK);
        evaluated = result.pace.steps;
        result_slack(&result, 0);
        slacked = result.pace.steps;
        CHECK_TRUE(slacked > evaluated, "design %d: slack counts no steps", d);
        CHECK_INT(schedule_capture(&schedule, &scenario, &result, &error), STATUS_OK);
        slots = edges(&result) * scenario.general.packets;
        CHECK_TRUE((double)(result.pace.steps - slacked) >= slots / 2,
                   "design %d: a schedule of %g counts %ld steps", d, slots,
                   result.pace.steps - slacked);
        schedule_free(&schedule);
        look(&looks, PROGRESS_SAME);
        CHECK_TRUE(looks.most <= LOOK_MOST, "design %d: %ld steps between two looks", d,
                   looks.most);
        if (slots > LOOK_MOST) {
            looks.allowed = 0;
            CHECK_INT(schedule_capture(&schedule, &scenario, &result, &error), STATUS_STOPPED);
            CHECK(schedule.node_count == 0 && schedule.slot == NULL);
        }
        for (long allowed = evaluated / LOOK_MOST - 1; allowed >= 0;
             allowed = allowed * 2 / 3 - 1) {
            long stopped = result.pace.steps;

            looks.allowed = allowed;
            result_watch(&result, &progress);
            CHECK_INT(evaluate(&scenario, &result, &error), STATUS_STOPPED);
            CHECK_STR(error.message, "stopped");
            CHECK_TRUE(result.pace.steps - looks.last <= LOOK_MOST,
                       "design %d: %ld steps after it was stopped", d,
                       result.pace.steps - looks.last);
            CHECK_TRUE(result.pace.steps > stopped, "design %d: no step", d);
        }
        result_free(&result);
    }
}

/* What was stopped leaves nothing behind. */
TEST(goes_on_after_a_stop)
{
    for (int d = 0; d < DESIGNS; d++) {
        struct result fresh;
        struct result result;
        struct error error;
        struct looks looks = {.pace = &result.pace};
        const struct progress progress = {look, &looks};

        if (!set_design(d) || !sample_evaluate_fresh(&scenario, &fresh))
            return;
        result_init(&result);
        for (int allowed = 0; allowed < 3; allowed++) {
            result_watch(&result, &progress);
            looks.allowed = allowed;
            evaluate(&scenario, &result, &error);
        }
        result_watch(&result, NULL);
        sample_evaluate(&scenario, &result);
        sample_same(&result, &fresh, "after a stop");
        result_free(&result);
        result_free(&fresh);
    }
}

/* Cost and memory ------------------------------------------------------------------------------ */

/* At most N log N steps in N = edges x packets x frames, and 64 B per node, packet and frame
 * besides 4 MB. */
TEST(costs_what_it_simulates)
{
    for (int d = 0; d < DESIGNS; d++) {
        size_t before = allocated_bytes();
        struct result result;
        double packets, most, slots;

        if (!set_design(d))
            return;
        result_init(&result);
        sample_evaluate(&scenario, &result);
        packets = scenario.general.packets;
        most = edges(&result) * packets * result.frames;
        most *= log2(most);
        CHECK_TRUE((double)result.pace.steps < 4 * most + 100000,
                   "design %d: %ld steps, N log N is %g", d, result.pace.steps, most);
        slots = result.node_count * packets * result.frames;
        CHECK_TRUE(allocated_bytes() - before <= 96 * (size_t)slots + 4000000,
                   "design %d: %zu B for %g slots", d, allocated_bytes() - before, slots);
        result_free(&result);
    }
}

/* Designs of growing size with one packet or a few. */

/* Components in a row, each of as many parts as there are GPUs. */
static void split(int gpus, const char *packets)
{
    char count[16];

    snprintf(count, sizeof count, "%d", gpus);
    sample_chain(&scenario);
    sample_set(&scenario, "scenario.packets", packets);
    sample_set(&scenario, "scenario.frame_rate", "1 Hz");
    sample_add(&scenario, SECTION_DEVICE, "gpu");
    sample_set(&scenario, "device.gpu.kind", "gpu");
    sample_set(&scenario, "device.gpu.count", count);
    sample_set(&scenario, "component.recon.device", "gpu");
}

/* Components behind one camera, on devices of which each has eight. */
static void fan(int components, const char *packets)
{
    braid(components, "gpu", packets);
    for (int d = 0; d < components / 8; d++) {
        char path[64];
        char name[16];

        snprintf(name, sizeof name, "fan%d", d);
        sample_add(&scenario, SECTION_DEVICE, name);
        snprintf(path, sizeof path, "device.%s.kind", name);
        sample_set(&scenario, path, "gpu");
        for (int i = 8 * d; i < 8 * d + 8; i++) {
            snprintf(path, sizeof path, "component.c%d.device", i);
            sample_set(&scenario, path, name);
            snprintf(path, sizeof path, "component.c%d.after", i);
            sample_set(&scenario, path, "camera");
        }
    }
}

static void braid_gpu(int components, const char *packets)
{
    braid(components, "gpu", packets);
}

static void braid_processes(int components, const char *packets)
{
    braid(components, "cpu", packets);
    sample_set(&scenario, "device.board.dispatch", "process");
    sample_set(&scenario, "device.board.os", "stock");
}

/* Twice the size takes not much more than N log N steps allow, for the results and the slack: the
 * square of N would be 1.7 times as many. */
TEST(doubling_doubles_the_steps)
{
    static const char *const sharing[] = {"exclusive", "fluid", "partition"};
    static const struct {
        const char *name;
        void (*set)(int size, const char *packets);
        int least, most;
    } families[] = {{"braid", braid_gpu, 7, 56},
                    {"processes", braid_processes, 7, 56},
                    {"fan", fan, 8, 56},
                    {"split", split, 4, 64}};

    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (int s = 0; s < 3; s++)
            for (int packets = 1; packets <= 64; packets *= 64) {
                double before = 0;

                for (int size = families[f].least; size <= families[f].most; size *= 2) {
                    struct result result;
                    double each, all;

                    result_init(&result);
                    families[f].set(size, packets == 1 ? "1" : "64");
                    sample_set(&scenario, "scenario.sharing", sharing[s]);
                    sample_evaluate(&scenario, &result);
                    result_slack(&result, 0);
                    all = edges(&result) * packets * result.frames;
                    each = (double)result.pace.steps / (all * log2(all));
                    CHECK_TRUE(
                        before == 0 || each < 1.2 * before,
                        "%s, %s, %d packets, size %d: %g steps for N log N, half the size %g",
                        families[f].name, sharing[s], packets, size, each, before);
                    before = each;
                    result_free(&result);
                }
            }
}

/* A result that held a large design gives the memory back with a small one. */
TEST(memory_follows_the_size)
{
    size_t before = allocated_bytes();
    struct result result;

    result_init(&result);
    braid(60, "gpu", "4096");
    sample_evaluate(&scenario, &result);
    sample_set(&scenario, "scenario.packets", "16");
    sample_evaluate(&scenario, &result);
    CHECK_TRUE(allocated_bytes() - before < 4000000, "%zu B", allocated_bytes() - before);
    result_free(&result);
}

/* What tests/slow/climb found: its steps do not grow, and it can be stopped. */
TEST(slowest_known)
{
    const long most = 43000000;
    const size_t before = allocated_bytes();
    double slots; /* of all frames that were run, more than are reported */
    struct result result;
    struct error error;
    struct looks looks = {.pace = &result.pace, .allowed = 1000000000};
    const struct progress progress = {look, &looks};
    long evaluated;

    if (!read_design("designs/slowest.ini"))
        return;
    result_init(&result);
    result_watch(&result, &progress);
    CHECK_INT(evaluate(&scenario, &result, &error), STATUS_OK);
    evaluated = result.pace.steps;
    result_slack(&result, 0);
    look(&looks, PROGRESS_SAME);
    CHECK_TRUE(result.pace.steps < most, "%ld steps", result.pace.steps);
    slots = (double)(result.work->simulation[0].slots + result.work->simulation[1].slots);
    CHECK_TRUE((double)(allocated_bytes() - before) <= 64 * slots + 4e6, "%zu B for %g slots",
               allocated_bytes() - before, slots);
    CHECK_TRUE(looks.most <= LOOK_MOST, "%ld steps between two looks", looks.most);
    looks.allowed = evaluated / STEPS_PER_LOOK / 2;
    result_watch(&result, &progress);
    CHECK_INT(evaluate(&scenario, &result, &error), STATUS_STOPPED);
    CHECK_TRUE(result.pace.steps - looks.last <= LOOK_MOST, "%ld steps after it was stopped",
               result.pace.steps - looks.last);
    result_free(&result);
}
