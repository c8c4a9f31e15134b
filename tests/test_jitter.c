#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "design/scenario_edit.h"
#include "model/evaluate.h"
#include "model/jitter.h"
#include "model/late.h"
#include "model/outcome.h"
#include "model/repeat.h"
#include "model/stage.h"
#include "random_design.h"
#include "reference_jitter.h"
#include "sample.h"

static const char *const sharings[] = {"partition", "exclusive", "fluid"};

static struct scenario scenario;
static struct jitter jitter;

static bool run(long frames, uint64_t seed)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(
        jitter_run(&scenario, sample_result(), frames, seed, 0, NULL, &jitter, &error) == STATUS_OK,
        "%s", error.message);
}

/* 1 ms of work in one slot after a camera, on a device without delays: a frame's latency is its
 * factor. */
static void one_slot(const char *of)
{
    scenario_init(&scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_round_device(&scenario, "rtc");
    sample_set(&scenario, "device.rtc.jitter", of);
    sample_set(&scenario, "device.rtc.os", "ideal");
    sample_set(&scenario, "device.rtc.ingress", "ideal");
    sample_set(&scenario, "device.rtc.boundary", "0 us");
    sample_component(&scenario, "camera", "camera");
    sample_component(&scenario, "work", "custom");
    sample_set(&scenario, "component.work.flops", "1e9");
    sample_set(&scenario, "component.work.compute_efficiency", "1");
    sample_set(&scenario, "scenario.packets", "1");
}

/* Drawing -------------------------------------------------------------------------------------- */

TEST(functions_of_its_own)
{
    struct draw draw = draw_start(31);

    for (int i = 0; i < 20000; i++) {
        double x = draw_between(&draw, -30, 30);
        double p = draw_log(&draw, 1e-16, 0.5);

        if (!CHECK_NEAR(portable_exp(x), exp(x), 1e-15) ||
            !CHECK_NEAR(portable_log(p), log(p), 1e-15) ||
            !CHECK_NEAR(erfc(-normal_quantile(p) / sqrt(2)) / 2, p, 1e-13) ||
            !CHECK_NEAR(normal_quantile(1 - p), -normal_quantile(1 - (1 - p)), 1e-15))
            return;
    }
    CHECK_NEAR(portable_exp(0), 1, 0);
    CHECK_NEAR(portable_log(1), 0, 0);
    CHECK_NEAR(normal_quantile(0.5), 0, 0);
    CHECK_NEAR(normal_quantile(0.99), 2.3263478740408408, 1e-15);
    CHECK_NEAR(normal_quantile(0.99), reference_quantile(0.99), 1e-13);
}

TEST(many_numbers_at_once)
{
    enum { COUNT = 20001 };
    static double spread[COUNT], factor[COUNT];
    struct draw draw = draw_start(32);
    uint64_t seed = 5;
    uint64_t one_by_one = 5;

    for (int i = 0; i < COUNT; i++)
        spread[i] = draw_between(&draw, 0, 1);
    for (size_t from = 0, count; from < COUNT; from += count) {
        count = 1 + (size_t)draw_below(&draw, 200);
        count = count < COUNT - from ? count : COUNT - from;
        lognormal_fill(&seed, &spread[from], count, &factor[from]);
    }
    for (int i = 0; i < COUNT; i++)
        if (!CHECK_NEAR(factor[i],
                        portable_exp(normal_quantile(uniform_next(&one_by_one)) * spread[i]), 0))
            return;
    CHECK(seed == one_by_one);
}

TEST(lognormal)
{
    double beyond = erfc(2.3263478740408408 * log(1.5) / log(2) / sqrt(2)) / 2;

    one_slot("2");
    sample_set(&scenario, "scenario.target_latency", "1500 us");
    if (!run(100000, 3))
        return;
    CHECK_NEAR(jitter.latency, 1e-3, 1e-12);
    CHECK_NEAR(jitter.p50, 1e-3, 0.006);
    CHECK_NEAR(jitter.p99, 2e-3, 0.02);
    CHECK_NEAR(jitter.p999, 1e-3 * pow(2, 3.0902323061678132 / 2.3263478740408408), 0.05);
    CHECK_TRUE(fabs(jitter.probability - beyond) < 5 * jitter.standard_error, "%g missed, not %g",
               jitter.probability, beyond);
    CHECK_NEAR(jitter.standard_error, sqrt(beyond * (1 - beyond) / 1e5), 0.03);
    CHECK_NEAR(jitter.probability, (double)jitter.missed / 1e5, 0);
}

/* Frozen: the same seed gives these on every machine. */
TEST(same_seed_same_figures)
{
    struct jitter first;

    one_slot("1.5");
    if (!run(1000, 42))
        return;
    first = jitter;
    CHECK_NEAR(jitter.p50, 0.00099271430014531269, 0);
    CHECK_NEAR(jitter.p99, 0.0014720182689650176, 0);
    CHECK_NEAR(jitter.p999, 0.0016256350439509504, 0);
    if (!run(1000, 42))
        return;
    CHECK_INT(memcmp(&first, &jitter, sizeof jitter), 0);
    if (run(1000, 43))
        CHECK(first.p99 != jitter.p99);
}

/* Figures -------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double first = *(const double *)a;
    double second = *(const double *)b;

    return (first > second) - (first < second);
}

/* Beyond a percentile are fewer frames than it says, and with it no fewer. */
static void check_percentile(const double *latency, long frames, double percentile, double part)
{
    long below = 0;
    long within = 0;

    for (long i = 0; i < frames; i++) {
        below += latency[i] < percentile * (1 - 1e-9);
        within += latency[i] <= percentile * (1 + 1e-9);
    }
    CHECK_TRUE((double)below < part * (double)frames && (double)within >= part * (double)frames,
               "%ld below, %ld within %g of %ld frames", below, within, part, frames);
}

static void check_figures(const char *what, double *latency, long frames)
{
    long missed = 0;
    long counted = 0;

    for (long i = 0; i < frames; i++)
        missed += latency[i] > jitter.target;
    CHECK_TRUE(jitter.missed == missed, "%s: %ld missed, not %ld", what, jitter.missed, missed);
    check_percentile(latency, frames, jitter.p50, 0.5);
    check_percentile(latency, frames, jitter.p99, 0.99);
    check_percentile(latency, frames, jitter.p999, 0.999);
    qsort(latency, (size_t)frames, sizeof *latency, by_size);
    CHECK_NEAR(jitter.least, latency[0], 1e-9);
    CHECK_NEAR(jitter.most, latency[frames - 1], 1e-9);
    for (int b = 0; b < jitter.bins; b++) {
        CHECK_NEAR(jitter.bin[b].from, b == 0 ? jitter.least : jitter.bin[b - 1].to, 0);
        counted += jitter.bin[b].frames;
        for (long i = counted - jitter.bin[b].frames; i < counted; i++)
            CHECK_TRUE(latency[i] > jitter.bin[b].from * (1 - 1e-9) &&
                           latency[i] < jitter.bin[b].to * (1 + 1e-9),
                       "%s: %g is not in bin %d", what, latency[i], b);
    }
    CHECK_INT(counted, frames);
}

/* All ways to share a device, in one frame and in several. */
TEST(against_the_slow_one)
{
    enum { FRAMES = 300 };
    static double latency[FRAMES];
    const struct timeline *run_of;

    for (int way = 0; way < 3; way++) {
        for (int several = 0; several < 2; several++) {
            sample_chain(&scenario);
            sample_set(&scenario, "scenario.sharing", sharings[way]);
            sample_set(&scenario, "scenario.packets", "7");
            sample_set(&scenario, "scenario.frame_rate", several ? "1500 Hz" : "100 Hz");
            sample_set(&scenario, "component.control.overhead", several ? "400 us" : "0 us");
            sample_set(&scenario, "device.rtc.jitter", "1.3");
            sample_set(&scenario, "device.rtc.launch", "1 us");
            sample_add(&scenario, SECTION_DEVICE, "gpu");
            sample_set(&scenario, "device.gpu.kind", "gpu");
            sample_set(&scenario, "device.gpu.jitter", "2");
            sample_set(&scenario, "component.recon.device", "gpu");
            sample_set(&scenario, "device.gpu.memory_latency", "1 ns"); /* few rows are enough */
            sample_set(&scenario, "component.control.algorithm", several ? "polc" : "integrator");
            if (!run(1, 5))
                return;
            sample_number(&scenario, "scenario.target_latency", jitter.latency);
            /* parts of a device do not wait for each other */
            if (!run(FRAMES, 5) || !CHECK((sample_result()->frames > 1) == (several && way > 0)))
                return;
            CHECK(jitter.missed > FRAMES / 10 && jitter.missed < FRAMES);
            run_of = &sample_result()->work->timeline;
            reference_jitter(&scenario, sample_result(), run_of->frames, run_of->report, FRAMES, 5,
                             latency);
            check_figures(sharings[way], latency, FRAMES);
        }
    }
}

/* Runs frames of a design again in their order and simulates them: the same latencies to the bit.
 * Counts the runs that kept their order and those that did not. */
static bool runs_again(struct result *again, struct result *simulated, double spread, int *kept,
                       int *missed)
{
    struct timeline *runs[] = {&again->work->timeline, &simulated->work->timeline};
    size_t each = (size_t)runs[0]->frames * ((size_t)runs[0]->packets + 1);
    size_t count = each * (size_t)runs[0]->count;
    double *factor = calloc(count, sizeof *factor);
    double *spreads = calloc(count, sizeof *spreads);
    const struct simulation *simulation = again->work->timeline.simulation;
    uint64_t seed = 1;
    bool same = factor != NULL && spreads != NULL;

    for (size_t i = 0; i < count; i++)
        spreads[i] = spread;
    for (int n = 0; n < runs[0]->count; n++)
        for (int i = 0; i < 2 && runs[0]->tracks[n].kind == TRACK_COMPUTE; i++)
            runs[i]->tracks[n].scale = &factor[each * (size_t)n];
    for (int f = 0; f < 20 && same; f++) {
        bool tried = simulation->known && simulation->simulate == 0 && runs[0]->shared;

        lognormal_fill(&seed, spreads, count, factor);
        repeat_run(runs[0]);
        contention_run(runs[1]);
        *kept += tried && simulation->missed == 0;
        *missed += tried && simulation->missed > 0;
        same = CHECK_NEAR(outcome_latency(again->work), outcome_latency(simulated->work), 0);
        for (int n = 0; n < runs[0]->count && same; n++)
            same = CHECK_NEAR(runs[0]->tracks[n].last, runs[1]->tracks[n].last, 0);
    }
    free(factor);
    free(spreads);
    return same;
}

TEST(in_the_same_order_again)
{
    struct result *again = sample_result();
    struct result simulated;
    struct error error;
    int kept = 0;
    int missed = 0;
    int several = 0;
    int repeat = draw_repeat(500);

    result_init(&simulated);
    for (int i = 0; i < repeat; i++) {
        struct draw draw = draw_start(0x5EED7000 + (uint64_t)i);

        random_design(&draw, &scenario);
        scenario.general.sharing = i % 2;
        scenario.general.packets = 1 + draw_below(&draw, 12);
        for (int w = 0; w < scenario.wfs_count; w++)
            scenario.wfs[w].packets = 0;
        if (evaluate(&scenario, again, &error) != STATUS_OK)
            continue;
        if (again->max_frame_rate > 1 && again->max_frame_rate < 1e5)
            scenario.general.frame_rate = again->max_frame_rate * draw_between(&draw, 0.5, 1);
        if (evaluate(&scenario, again, &error) != STATUS_OK ||
            evaluate(&scenario, &simulated, &error) != STATUS_OK)
            continue;
        several += again->frames > 1;
        if (!CHECK_TRUE(runs_again(again, &simulated, i % 4 < 2 ? 0.02 : 0.3, &kept, &missed),
                        "AOLAG_SEED=0x%x AOLAG_REPEAT=1", 0x5EED7000 + (unsigned)i))
            break;
    }
    printf("# %d runs in the same order, %d in another; %d designs of several frames\n", kept,
           missed, several);
    CHECK(repeat < 500 || (kept > 4 * missed && missed > 10 && several > 10));
    result_free(&simulated);
}

TEST(no_jitter_is_the_latency)
{
    static struct result expected;
    int evaluated = 0;

    result_init(&expected);
    for (uint64_t seed = 1; seed <= 300 && evaluated < 60; seed++) {
        struct draw draw = draw_start(seed);
        char where[32];

        random_design(&draw, &scenario);
        scenario.general.sharing = (int)(seed % 3);
        if (scenario.general.packets > 200)
            scenario.general.packets = 200;
        for (int w = 0; w < scenario.wfs_count; w++)
            scenario.wfs[w].packets = fmin(scenario.wfs[w].packets, 200);
        for (int d = 0; d < scenario.device_count; d++) {
            scenario.device[d].jitter = 1;
            for (int q = 0; q < LATE_COUNT; q++)
                scenario.device[d].late[q] = 0;
        }
        if (evaluate(&scenario, &expected, NULL) != STATUS_OK)
            continue;
        snprintf(where, sizeof where, "design %u", (unsigned)seed);
        if (!run(3, seed))
            break;
        CHECK_TRUE(jitter.least == expected.latency && jitter.most == expected.latency &&
                       jitter.p99 == expected.latency && jitter.latency == expected.latency,
                   "%s: %.17g to %.17g, not %.17g", where, jitter.least, jitter.most,
                   expected.latency);
        CHECK_INT(jitter.bins, 1);
        CHECK_INT(jitter.bin[0].frames, 3);
        CHECK_INT(jitter.missed, expected.latency > expected.target ? 3 : 0);
        sample_same(sample_result(), &expected, where);
        evaluated++;
    }
    CHECK_TRUE(evaluated >= 20, "%d designs", evaluated);
    result_free(&expected);
}

TEST(more_jitter_more_latency)
{
    static const char *const values[] = {"1", "1.01", "1.05", "1.2", "2", "5", "10"};

    for (int way = 0; way < 3; way++) {
        double last = 0;

        sample_chain(&scenario);
        sample_set(&scenario, "scenario.sharing", sharings[way]);
        sample_set(&scenario, "device.rtc.os", "ideal");
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            sample_set(&scenario, "device.rtc.jitter", values[i]);
            if (!run(500, 9))
                return;
            CHECK_TRUE(jitter.p99 > last, "%s: p99 %g s at a jitter of %s, %g before",
                       sharings[way], jitter.p99, values[i], last);
            last = jitter.p99;
        }
    }
}

/* A rare event is not impossible because it was not seen. */
TEST(none_missed)
{
    one_slot("1.05");
    sample_set(&scenario, "scenario.target_latency", "1 s");
    if (!run(1000, 1))
        return;
    CHECK_INT(jitter.missed, 0);
    CHECK_NEAR(pow(1 - jitter.high, 1000), 0.05, 1e-9);
    CHECK_NEAR(jitter.low, 0, 0);
    CHECK_NEAR(jitter.per_hour, 3.6e6, 1e-12);
    sample_set(&scenario, "scenario.target_latency", "1000 us");
    if (run(1000, 1))
        CHECK(jitter.low < jitter.probability && jitter.probability < jitter.high);
}

/* Of 40 repeated runs about two have an interval without the true probability. */
TEST(interval_covers)
{
    double beyond = erfc(2.3263478740408408 * log(1.2) / log(1.3) / sqrt(2)) / 2;
    int covered = 0;

    one_slot("1.3");
    sample_set(&scenario, "scenario.target_latency", "1200 us");
    for (uint64_t seed = 1; seed <= 40 && run(2000, seed); seed++)
        covered += jitter.low <= beyond && beyond <= jitter.high;
    CHECK_TRUE(covered >= 35 && covered <= 40, "%d of 40", covered);
}

/* A camera that delivers every third frame has a third of the frames. */
TEST(frames_per_hour)
{
    one_slot("1.3");
    sample_set(&scenario, "wfs.ngs.rate_divisor", "3");
    if (run(10, 1))
        CHECK_NEAR(jitter.per_hour, 1.2e6, 1e-12);
}

/* Late wake-ups -------------------------------------------------------------------------------- */

static double exact_quantile(double part)
{
    return 1e-3 + reference_late(&scenario, 0, 1 - part);
}

/* The quantiles of frames that vary by nothing else are those of the definition. */
TEST(late_frames)
{
    static const char *const systems[] = {"realtime", "stock"};

    for (int i = 0; i < 2; i++) {
        one_slot("1");
        sample_set(&scenario, "device.rtc.os", systems[i]);
        if (!run(200000, 7))
            return;
        CHECK_INT(jitter.late, 1);
        CHECK_NEAR(jitter.p50, 1e-3, 1e-3);
        CHECK_NEAR(jitter.p99 - 1e-3, exact_quantile(0.99) - 1e-3, 0.05);
        CHECK_NEAR(jitter.p999 - 1e-3, exact_quantile(0.999) - 1e-3, 0.05);
        CHECK(jitter.most <= exact_quantile(1 - 1e-7) && jitter.most > exact_quantile(1 - 1e-4));
    }
}

/* What a device states replaces its system's; a quantile below the one before counts as that. */
TEST(stated_quantiles)
{
    one_slot("1");
    sample_set(&scenario, "device.rtc.os", "realtime");
    sample_set(&scenario, "device.rtc.late_p90", "0");
    sample_set(&scenario, "device.rtc.late_p99", "50 us");
    if (!run(100000, 7))
        return;
    CHECK_NEAR(jitter.p50, 1e-3, 1e-12);
    CHECK_NEAR(jitter.p99, 1.05e-3, 2e-3);
    CHECK_NEAR(jitter.p999, 1.05e-3, 1e-12);
    CHECK_NEAR(jitter.most, 1.05e-3, 1e-12);
}

TEST(delay_of_a_probability)
{
    struct draw draw = draw_start(3);

    for (int i = 0; i < 3000; i++) {
        double quantile[LATE_COUNT];
        double exceeded = draw_log(&draw, 1e-9, 1);
        double expected;

        if (i % 100 == 0) {
            random_design(&draw, &scenario);
            for (int q = 0; q < LATE_COUNT && scenario.device_count > 0; q++)
                if (i % 200 == 0)
                    scenario.device[0].late[q] = draw_between(&draw, 0, 1e-3);
        }
        if (scenario.device_count == 0)
            continue;
        for (int q = 0; q < LATE_COUNT; q++)
            quantile[q] = late_quantile(&scenario, 0, (enum late)q);
        expected = reference_late(&scenario, 0, exceeded);
        CHECK_TRUE(fabs(late_delay(quantile, exceeded) - expected) <= 1e-12 * expected + 1e-15,
                   "%g: %g, not %g", exceeded, late_delay(quantile, exceeded), expected);
        /* a delay between two quantiles has one probability, any other a jump there */
        CHECK_TRUE(late_exceeded(quantile, expected * (1 + 1e-9)) <= exceeded + 1e-15 &&
                       late_exceeded(quantile, expected * (1 - 1e-9) - 1e-15) >= exceeded - 1e-15,
                   "%g exceeded by %g, not %g", expected, late_exceeded(quantile, expected),
                   exceeded);
    }
}

/* rms 25 us of a GPU and 3 of an FPGA; the median of one device stays where it is. */
TEST(rms_of_kinds)
{
    static const struct {
        int kind;
        double rms;
    } kinds[] = {{DEVICE_GPU, 25e-6}, {DEVICE_FPGA, 3e-6}};

    scenario_init(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "it");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double sum = 0;
        double squares = 0;

        scenario.device[0].kind = kinds[k].kind;
        for (int i = 0; i < 100000; i++) {
            double delay = reference_late(&scenario, 0, (i + 0.5) / 100000);

            sum += delay / 100000;
            squares += delay * delay / 100000;
        }
        CHECK_NEAR(sqrt(squares - sum * sum), kinds[k].rms, 0.02);
    }
}

/* A GPU's host is late, too, unless the GPU polls; a host beside the path is not. */
TEST(late_hosts)
{
    sample_chain(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "host");
    sample_set(&scenario, "device.host.kind", "cpu");
    sample_add(&scenario, SECTION_DEVICE, "gpu");
    sample_set(&scenario, "device.gpu.kind", "gpu");
    sample_set(&scenario, "device.gpu.host", "host");
    if (run(10, 1))
        CHECK_INT(jitter.late, 1);
    sample_set(&scenario, "component.recon.device", "gpu");
    if (run(10, 1))
        CHECK_INT(jitter.late, 7);
    sample_set(&scenario, "device.gpu.dispatch", "persistent");
    if (run(10, 1))
        CHECK_INT(jitter.late, 5);
}

/* A device that nobody uses takes no random numbers from the others, wherever it stands. */
TEST(unused_devices_change_nothing)
{
    struct jitter alone;

    sample_chain(&scenario);
    sample_set(&scenario, "device.rtc.os", "stock");
    if (!run(1000, 1))
        return;
    alone = jitter;
    sample_add(&scenario, SECTION_DEVICE, "gpu");
    sample_set(&scenario, "device.gpu.kind", "gpu");
    if (!run(1000, 1))
        return;
    CHECK_NEAR(jitter.p50, alone.p50, 0);
    CHECK_NEAR(jitter.p99, alone.p99, 0);
    CHECK_NEAR(jitter.p999, alone.p999, 0);
    CHECK_NEAR(jitter.most, alone.most, 0);
}

TEST(refused_designs)
{
    struct error error = {STATUS_OK, ""};
    struct jitter before;

    one_slot("1.05");
    if (!run(10, 1))
        return;
    before = jitter;
    sample_set(&scenario, "component.work.share", "1");
    sample_component(&scenario, "more", "custom");
    CHECK_INT(jitter_run(&scenario, sample_result(), 10, 1, 0, NULL, &jitter, &error),
              STATUS_INVALID);
    CHECK_TRUE(strstr(error.message, "device.rtc") != NULL, "%s", error.message);
    CHECK_INT(memcmp(&before, &jitter, sizeof jitter), 0);
}

/* Cut short ------------------------------------------------------------------------------------ */

static bool stop_at_third(void *context, double done)
{
    int *reports = context;

    return done < 0 || ++*reports < 3;
}

/* A budget of steps ends the run after whole frames, a stop too; they are the first of the run. */
TEST(frames_cut_short)
{
    struct result *result = sample_result();
    struct jitter all, some;
    struct error error;
    int reports = 0;
    const struct progress progress = {stop_at_third, &reports};
    long each;

    sample_chain(&scenario);
    sample_set(&scenario, "device.rtc.jitter", "1.5");
    sample_set(&scenario, "scenario.packets", "16");
    sample_evaluate(&scenario, result);
    each = result->pace.steps;
    sample_evaluate(&scenario, result);
    each = result->pace.steps - each;
    CHECK_INT(jitter_run(&scenario, result, 1, 1, 1, NULL, &some, &error), STATUS_OK);
    CHECK_INT(some.frames, 1);
    CHECK_INT(some.wanted, 1);
    CHECK_INT(jitter_run(&scenario, result, 1000, 1, 50 * each, NULL, &some, &error), STATUS_OK);
    CHECK_TRUE(some.frames > 10 && some.frames < 100, "%ld frames", some.frames);
    CHECK_INT(some.wanted, 1000);
    CHECK_INT(jitter_run(&scenario, result, some.frames, 1, 0, NULL, &all, &error), STATUS_OK);
    CHECK_NEAR(some.p50, all.p50, 0);
    CHECK_NEAR(some.most, all.most, 0);
    CHECK_INT(all.wanted, all.frames);
    CHECK_INT(jitter_run(&scenario, result, 1000, 1, 0, &progress, &some, &error), STATUS_STOPPED);
    CHECK_INT(some.frames, 32);
    CHECK_STR(error.message, "stopped after 32 of 1000 frames");
    reports = 2;
    CHECK_INT(jitter_run(&scenario, result, 1000, 1, 0, &progress, &some, &error), STATUS_STOPPED);
    CHECK_INT(some.frames, 0);
}
