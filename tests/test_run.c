/* Running a design: what of it runs where, and what a run of few frames counts. Nothing depends on
 * how long anything takes. */
#include "run/run.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "check.h"
#include "model/range.h"
#include "probe/measurement.h"
#include "probe/system.h"
#include "report/run.h"
#include "run/here.h"
#include "sample.h"
#include "systems.h"

/* MANY: more than pass until somebody who looks after a run has looked */
enum { FRAMES = 12, MANY = 1000, PACKETS = 4 };

/* Sets the sample's chain of 10 x 10 subapertures with four packets of several datagrams. */
static void set_design(struct scenario *scenario)
{
    static const char *const set[][2] = {
        {"scenario.packets", "4"},           {"scenario.frame_rate", "200 Hz"},
        {"wfs.ngs.pixels_per_subap", "20"},  {"ao.actuators", "60"},
        {"component.camera.readout", "1ms"}, {"device.rtc.os", "stock"},
        {"device.rtc.cores", "2"},           {"device.rtc.sockets", "1"},
        {"device.rtc.ingress", "kernel"},    {"device.rtc.egress", "kernel"},
        {"device.rtc.dispatch", "wake"},
    };

    sample_chain(scenario);
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
        sample_set(scenario, set[i][0], set[i][1]);
    sample_set(scenario, "scenario.sharing", "exclusive");
}

static bool plan_job(const struct scenario *scenario, struct run_job *job)
{
    struct result *result = sample_result();
    struct error error = {0};

    return sample_evaluate(scenario, result) &&
           CHECK_TRUE(run_job_plan(job, scenario, result, &error) == STATUS_OK, "%s",
                      error.message);
}

/* Counts the files that this process has open. */
static int open_files(void)
{
    DIR *directory = opendir("/proc/self/fd");
    int count = 0;

    while (directory != NULL && readdir(directory) != NULL)
        count++;
    if (directory != NULL)
        closedir(directory);
    return count;
}

/* Runs a design; checks that no process and no file stays. */
static enum status run_with(const struct scenario *scenario, const struct run_options *options,
                            const struct progress *progress, struct run_outcome *outcome,
                            struct error *error)
{
    const int files = open_files();
    enum status status;
    struct run_job job;

    *outcome = (struct run_outcome){0};
    if (!plan_job(scenario, &job))
        return STATUS_INVALID;
    status = run_measure(&job, options, 1, progress, outcome, error);
    CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
    CHECK_INT(errno, ECHILD);
    CHECK_INT(open_files(), files);
    run_job_free(&job);
    return status;
}

/* Runs FRAMES of a design. */
static enum status run_design(const struct scenario *scenario, run_copies *copies, void *context,
                              struct run_outcome *outcome, struct error *error)
{
    const struct run_options options = {.frames = FRAMES, .copies = copies, .context = context};

    return run_with(scenario, &options, NULL, outcome, error);
}

TEST(a_device_used_in_turn_is_one_lane)
{
    struct scenario scenario;
    struct run_job job;

    set_design(&scenario);
    if (!plan_job(&scenario, &job))
        return;
    CHECK_INT(job.lane_count, 1);
    CHECK_INT(job.lane[0].size, 2);
    CHECK_INT(job.processes, 1);
    CHECK_INT(job.part_count, 6);
    CHECK_INT(job.part[1].items, 200 * 200);
    CHECK_INT(job.part[1].until[PACKETS], 200 * 200);
    CHECK_INT(job.part[1].until[1], 200 * 200 / PACKETS);
    CHECK_INT(job.part[3].until[PACKETS], job.part[2].until[PACKETS] * 2);
    CHECK_INT(job.part[4].rings[PACKETS], 1);
    run_job_free(&job);
}

TEST(pieces_are_the_whole_frame)
{
    for (int datagrams = 0; datagrams < 2; datagrams++) {
        struct scenario scenario;
        struct run_job job;
        size_t sent = 0;

        set_design(&scenario);
        sample_set(&scenario, "device.rtc.ingress", datagrams ? "kernel" : "ideal");
        if (!plan_job(&scenario, &job))
            return;
        CHECK(datagrams ? job.event_count > PACKETS : job.event_count == PACKETS);
        for (int e = 0; e < job.event_count; e++) {
            CHECK_INT(job.event[e].offset, sent);
            sent += job.event[e].length;
            CHECK(!datagrams || job.event[e].length <= job.payload);
            CHECK(e == 0 || job.event[e].at > job.event[e - 1].at);
        }
        CHECK_INT(sent, job.part[0].bytes);
        run_job_free(&job);
    }
}

TEST(threads_and_processes_are_lanes)
{
    struct scenario scenario;
    struct run_job job;

    set_design(&scenario);
    sample_set(&scenario, "scenario.sharing", "partition");
    sample_set(&scenario, "component.calibration.thread", "a");
    sample_set(&scenario, "component.slopes.thread", "a");
    if (!plan_job(&scenario, &job))
        return;
    CHECK_INT(job.lane_count, 3); /* a, recon, control */
    CHECK_INT(job.processes, 1);
    run_job_free(&job);
    sample_set(&scenario, "device.rtc.dispatch", "process");
    sample_set(&scenario, "component.recon.process", "p");
    if (!plan_job(&scenario, &job))
        return;
    CHECK_INT(job.lane_count, 4); /* and what receives the datagrams */
    CHECK_INT(job.processes, 3);
    CHECK_INT(job.lane[job.part[1].lane].process, job.lane[job.part[4].lane].process);
    CHECK_INT(job.lane[job.part[0].lane].process, 2);
    run_job_free(&job);
}

TEST(a_gpu_has_a_lane)
{
    struct scenario scenario;
    struct run_job job;

    set_design(&scenario);
    sample_add(&scenario, SECTION_DEVICE, "gpu0");
    sample_set(&scenario, "device.gpu0.kind", "gpu");
    sample_set(&scenario, "component.recon.device", "gpu0");
    if (!plan_job(&scenario, &job))
        return;
    CHECK_INT(job.lane_count, 2);
    CHECK(job.part[3].board && job.lane[job.part[3].lane].board);
    CHECK_INT(job.lane[job.part[3].lane].size, 1);
    CHECK_INT(job.lane[job.part[3].lane].core, 2);
    CHECK_INT(job.threads, 3);
    CHECK_INT(job.part[4].lane, job.part[1].lane);
    run_job_free(&job);
}

/* What of the AO systems cannot run, and the key to change. */
static void plan_system(const char *name, const struct scenario *scenario,
                        const struct result *result)
{
    static const struct {
        const char *name, *problem;
    } refused[] = {
        {"flao", "device.rtc.kind: "},
        {"galacsi", "device.rtc.kind: "},
        {"gpi", "component.recon.algorithm: there is no code for fourier"},
        {"metis-scao", "component.recon.device: run has one device"},
        {"mmt", "device.rtc.kind: "},
        {"nfiraos-lgs", "device.rtc1: a second host"},
        {"saxo", "device.rtc.kind: "},
        {"scexao", "component.projection.type: there is no code for a custom"},
        {"soul", "device.rtc.kind: "},
    };
    const char *expected = "";
    struct error error = {0};
    struct run_job job;

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(name, refused[i].name) == 0)
            expected = refused[i].problem;
    if (run_job_plan(&job, scenario, result, &error) == STATUS_OK)
        run_job_free(&job);
    CHECK_TRUE(strncmp(error.message, expected, strlen(expected)) == 0 &&
                   (expected[0] != '\0') == (error.message[0] != '\0'),
               "%s: \"%s\" in place of \"%s\"", name, error.message, expected);
}

TEST(most_systems_run)
{
    systems_each(plan_system);
}

static void check_outcome(const struct run_outcome *outcome, const char *name)
{
    const double *quantile = outcome->latency.quantile;

    CHECK_TRUE(outcome->ended[0] == '\0', "%s: %s", name, outcome->ended);
    CHECK_TRUE(outcome->frames + outcome->incomplete == FRAMES, "%s: %ld frames, %ld incomplete",
               name, outcome->frames, outcome->incomplete);
    for (long i = 0; i < outcome->frames; i++)
        CHECK_TRUE(outcome->sample[i] > 0, "%s: frame %ld", name, i);
    for (int q = 1; q < RUN_QUANTILES; q++)
        CHECK_TRUE(quantile[q - 1] <= quantile[q], "%s: quantile %d", name, q);
    for (int p = 1; p < 5; p++)
        CHECK_TRUE(outcome->part[p].quantile[RUN_P50] > 0, "%s: part %d", name, p);
}

TEST(every_frame_of_a_run_is_measured)
{
    static const char *const variants[][2] = {
        {"device.rtc.dispatch", "spin"},     {"device.rtc.dispatch", "wake"},
        {"device.rtc.dispatch", "process"},  {"device.rtc.ingress", "ideal"},
        {"device.rtc.egress", "ideal"},      {"scenario.processing", "frames"},
        {"scenario.sharing", "partition"},   {"component.recon.process", "other"},
        {"device.rtc.ingress", "busy-poll"},
    };

    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        struct run_outcome outcome;
        struct scenario scenario;
        struct error error = {0};

        set_design(&scenario);
        sample_set(&scenario, variants[i][0], variants[i][1]);
        if (strcmp(variants[i][0], "component.recon.process") == 0)
            sample_set(&scenario, "device.rtc.dispatch", "process");
        CHECK_TRUE(run_design(&scenario, NULL, NULL, &outcome, &error) == STATUS_OK, "%s: %s",
                   variants[i][1], error.message);
        check_outcome(&outcome, variants[i][1]);
        run_outcome_free(&outcome);
    }
}

TEST(slopes_and_intensities_run)
{
    static const struct {
        const char *sensor, *type, *algorithm;
        size_t each; /* numbers per subaperture */
    } rows[] = {
        {"shack-hartmann", "centroid", "correlation", 2},
        {"pyramid", "pyramid", "slopes", 2},
        {"pyramid", "pyramid", "intensity", 4},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct run_outcome outcome;
        struct scenario scenario;
        struct error error = {0};
        struct run_job job;

        set_design(&scenario);
        sample_set(&scenario, "wfs.ngs.kind", rows[i].sensor);
        sample_set(&scenario, "component.slopes.type", rows[i].type);
        sample_set(&scenario, "component.slopes.algorithm", rows[i].algorithm);
        if (i == 0)
            sample_set(&scenario, "component.slopes.search", "5");
        if (plan_job(&scenario, &job)) {
            CHECK_INT(job.part[3].items, rows[i].each * job.part[2].items);
            CHECK_INT(job.slopes, job.part[3].items);
            run_job_free(&job);
        }
        CHECK_TRUE(run_design(&scenario, NULL, NULL, &outcome, &error) == STATUS_OK, "%s: %s",
                   rows[i].algorithm, error.message);
        check_outcome(&outcome, rows[i].algorithm);
        run_outcome_free(&outcome);
    }
}

/* Loses two pieces of one frame and the last of another. */
static int lose_some(void *context, long frame, int event)
{
    const int last = *(const int *)context;

    return !((frame == RUN_WARM + 2 && (event == 1 || event == 2)) ||
             (frame == RUN_WARM + 5 && event == last));
}

TEST(a_frame_that_lost_data_does_not_count)
{
    struct run_outcome outcome;
    struct scenario scenario;
    struct error error = {0};
    struct run_job job;
    int last;

    set_design(&scenario);
    if (!plan_job(&scenario, &job))
        return;
    last = job.event_count - 1;
    run_job_free(&job);
    CHECK_INT(run_design(&scenario, lose_some, &last, &outcome, &error), STATUS_OK);
    CHECK_INT(outcome.pieces_lost, 3);
    CHECK_INT(outcome.incomplete, 2);
    CHECK_INT(outcome.frames, FRAMES - 2);
    CHECK_STR(outcome.ended, "");
    run_outcome_free(&outcome);
}

static int repeat_some(void *context, long frame, int event)
{
    (void)context;
    return 1 + ((frame == RUN_WARM + 2 && event == 1) || (frame == RUN_WARM + 5 && event == 0));
}

TEST(a_piece_that_comes_twice_counts_once)
{
    struct run_outcome outcome;
    struct scenario scenario;
    struct error error = {0};

    set_design(&scenario);
    CHECK_INT(run_design(&scenario, repeat_some, NULL, &outcome, &error), STATUS_OK);
    CHECK_INT(outcome.pieces_lost, 0);
    CHECK_INT(outcome.frames, FRAMES);
    run_outcome_free(&outcome);
}

static int lose_all(void *context, long frame, int event)
{
    (void)context, (void)frame, (void)event;
    return 0;
}

TEST(a_run_that_loses_all_says_what_to_state)
{
    struct run_outcome outcome;
    struct scenario scenario;
    struct error error = {0};

    set_design(&scenario);
    CHECK_INT(run_design(&scenario, lose_all, NULL, &outcome, &error), STATUS_IO);
    CHECK_STR(error.message, "no frame was measured: each lost data; with ingress = ideal the host "
                             "has them in shared memory");
    run_outcome_free(&outcome);
}

static int kill_process(void *context, long frame, int event)
{
    (void)event;
    if (frame == *(const long *)context)
        raise(SIGKILL);
    return 1;
}

TEST(a_killed_process_ends_the_run)
{
    struct run_outcome outcome;
    struct scenario scenario;
    struct error error = {0};
    long at = RUN_WARM + 6;

    set_design(&scenario);
    CHECK_INT(run_design(&scenario, kill_process, &at, &outcome, &error), STATUS_OK);
    CHECK(outcome.frames > 0 && outcome.frames <= 6);
    CHECK(strstr(outcome.ended, "the process of the cameras was ended by signal 9") != NULL);
    run_outcome_free(&outcome);
    at = 0;
    CHECK_INT(run_design(&scenario, kill_process, &at, &outcome, &error), STATUS_IO);
    CHECK(strstr(error.message, "no frame was measured: the process of the cameras") != NULL);
    run_outcome_free(&outcome);
}

/* Kills the other processes of the run, which sends no more then. */
static int kill_components(void *context, long frame, int event)
{
    char path[80];
    FILE *file;
    int id;

    (void)context;
    if (frame != RUN_WARM + 6 || event != 0)
        return 1;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", getppid(), getppid());
    file = fopen(path, "r");
    while (file != NULL && fscanf(file, "%d", &id) == 1)
        if (id != getpid())
            kill(id, SIGKILL);
    if (file != NULL)
        fclose(file);
    return 0;
}

TEST(a_killed_component_ends_the_run)
{
    struct run_outcome outcome;
    struct scenario scenario;
    struct error error = {0};

    if (access("/proc/self/task", F_OK) != 0)
        return;
    set_design(&scenario);
    CHECK_INT(run_design(&scenario, kill_components, NULL, &outcome, &error), STATUS_OK);
    CHECK(outcome.frames > 0 && outcome.frames <= 6);
    CHECK_STR(outcome.ended, "the process of the components was ended by signal 9, Killed, as "
                             "where memory runs out");
    run_outcome_free(&outcome);
}

/* Stops once frames have been measured, or before the first one. */
static bool stop_run(void *context, double done)
{
    return done * (MANY + RUN_WARM) <= *(const double *)context;
}

TEST(a_stopped_run_keeps_its_frames)
{
    const struct {
        double after;
        enum status status;
    } rows[] = {{RUN_WARM + 1, STATUS_OK}, {-1, STATUS_STOPPED}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double after = rows[i].after;
        const struct progress progress = {stop_run, &after};
        const struct run_options options = {.frames = MANY};
        struct run_outcome outcome;
        struct scenario scenario;
        struct error error = {0};

        set_design(&scenario);
        sample_set(&scenario, "scenario.frame_rate", "20 Hz");
        CHECK_INT(run_with(&scenario, &options, &progress, &outcome, &error), rows[i].status);
        CHECK(outcome.stopped);
        CHECK(outcome.frames < MANY);
        run_outcome_free(&outcome);
    }
}

TEST(a_run_ends_when_its_time_is_over)
{
    const struct run_options options = {.frames = MANY, .seconds = 1e-9};
    struct run_outcome outcome;
    struct scenario scenario;
    struct error error = {0};

    set_design(&scenario);
    sample_set(&scenario, "scenario.frame_rate", "20 Hz");
    CHECK_INT(run_with(&scenario, &options, NULL, &outcome, &error), STATUS_OK);
    CHECK(outcome.cut && !outcome.stopped);
    CHECK(outcome.frames > 0 && outcome.frames < MANY);
    CHECK_INT(outcome.commands_lost, 0);
    CHECK_STR(outcome.ended, "");
    run_outcome_free(&outcome);
}

TEST(a_rate_that_cannot_be_kept_skips_frames)
{
    struct run_outcome outcome;
    struct scenario scenario;
    struct error error = {0};

    set_design(&scenario);
    sample_set(&scenario, "scenario.frame_rate", "100 kHz");
    sample_set(&scenario, "scenario.packets", "100");
    sample_set(&scenario, "ao.actuators", "8000");
    CHECK_INT(run_design(&scenario, NULL, NULL, &outcome, &error), STATUS_OK);
    CHECK(outcome.skipped > 0);
    CHECK_INT(outcome.frames + outcome.incomplete, FRAMES);
    run_outcome_free(&outcome);
}

TEST(memory_that_is_not_there_is_refused)
{
    struct scenario scenario;
    struct error error = {0};
    struct run_job job;

    set_design(&scenario);
    if (!plan_job(&scenario, &job))
        return;
    CHECK_INT(run_check_memory(&job, FRAMES, &error), STATUS_OK);
    job.part[3].side = SIZE_MAX / job.part[3].items / 8;
    CHECK_INT(run_check_memory(&job, FRAMES, &error), STATUS_INVALID);
    CHECK(strstr(error.message, "the data of the design take ") == error.message);
    run_job_free(&job);
}

/* A process has what this one has, the frames and its matrices. */
TEST(a_run_takes_at_most_twice_its_data)
{
    const double most = 32e6;
    struct run_outcome outcome;
    struct scenario scenario;
    struct error error = {0};
    struct rusage own, largest;
    struct run_job job;
    double data;

    set_design(&scenario);
    sample_set(&scenario, "wfs.ngs.subaps_across", "40");
    sample_set(&scenario, "ao.actuators", "4000");
    if (!plan_job(&scenario, &job))
        return;
    data = 4.0 * (double)(job.part[3].side * job.part[3].items + job.pixels);
    run_job_free(&job);
    CHECK_TRUE(data > most, "%g B", data);
    CHECK_INT(run_design(&scenario, NULL, NULL, &outcome, &error), STATUS_OK);
    run_outcome_free(&outcome);
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &largest);
    CHECK_TRUE(1024.0 * (double)(largest.ru_maxrss - own.ru_maxrss) < 2 * data + most,
               "%ld kB besides %ld, for %g B", largest.ru_maxrss, own.ru_maxrss, data);
    CHECK_TRUE(1024.0 * (double)largest.ru_maxrss > data, "%ld kB for %g B", largest.ru_maxrss,
               data);
}

TEST(this_machine_takes_the_place_of_the_host)
{
    struct scenario scenario;
    struct device here;
    struct error error = {0};
    bool probed;

    CHECK_INT(run_device_here(&here, &probed, &error), STATUS_OK);
    CHECK_INT(here.kind, DEVICE_CPU);
    set_design(&scenario);
    sample_set(&scenario, "device.rtc.cores", "1");
    sample_set(&scenario, "device.rtc.clock", "1 GHz");
    CHECK_INT(run_put_device(&scenario, "", &here, false), 1);
    CHECK_INT(scenario.device[0].cores, 1);
    CHECK_INT(scenario.device[0].dispatch, DISPATCH_WAKE);
    CHECK_STR(scenario.device[0].model, here.model);
    CHECK_NEAR(scenario.device[0].clock, here.clock, 0);
}

/* What was measured here stays as it is, but for cores that the machine does not have. */
TEST(a_machine_has_its_own_cores)
{
    struct scenario scenario;
    struct device here;
    struct error error = {0};
    const double cores = system_here()->cores;
    char cpu[CONDITION_MAX];
    bool probed;

    CHECK_INT(run_device_here(&here, &probed, &error), STATUS_OK);
    set_design(&scenario);
    system_cpu(cpu);
    snprintf(scenario.device[0].model, sizeof scenario.device[0].model, "%.*s, measured",
             TEXT_MAX_LENGTH - 11, cpu);
    sample_set(&scenario, "device.rtc.cores", "1000");
    CHECK_INT(run_put_device(&scenario, "", &here, false), 0);
    CHECK_TRUE(scenario.device[0].cores <= cores, "%g of %g cores", scenario.device[0].cores, cores);
}

TEST(busy_times_have_a_range)
{
    struct result *result = sample_result();
    struct scenario scenario;
    struct error error = {0};
    double low[NODE_MAX], high[NODE_MAX];

    set_design(&scenario);
    if (!sample_evaluate(&scenario, result))
        return;
    CHECK_INT(range_find_busy(&scenario, result, low, high, &error), STATUS_OK);
    for (int n = 1; n < result->node_count - 1; n++)
        CHECK_TRUE(low[n] < result->node[n].busy && result->node[n].busy < high[n], "%s",
                   result->node[n].name);
    CHECK_NEAR(high[0], result->node[0].busy, 1e-12); /* a readout is certain */
}

/* One frame of a hundred that takes a hundred times as long leaves bins to the others. */
TEST(a_tail_leaves_bins_to_the_rest)
{
    static double sample[100];
    static struct latency_range range;
    static double none[NODE_MAX];
    struct run_outcome outcome = {.frames = 100, .sample = sample};
    const struct run_job job = {.part_count = 0};
    struct run_report report = {.result = sample_result(),
                                .range = &range,
                                .low = none,
                                .high = none,
                                .job = &job,
                                .outcome = &outcome};
    struct scenario scenario;
    struct record record;
    char *text = NULL;
    size_t length;
    int filled = 0, total = 0;

    set_design(&scenario);
    if (!sample_evaluate(&scenario, sample_result()))
        return;
    report.scenario = &scenario;
    for (int i = 0; i < outcome.frames; i++)
        sample[i] = i < 99 ? 100e-6 + 0.1e-6 * i : 10e-3;
    for (int q = 0; q < RUN_QUANTILES; q++)
        outcome.latency.quantile[q] = q == RUN_P50 ? sample[50] : sample[99];
    record = record_to(allocate_stream(&text, &length), RECORD_JSON);
    run_report(&record, &report);
    fclose(record.out);
    for (const char *at = strstr(text, "\"histogram\""); (at = strstr(at, "\"from_us\": ")) != NULL;
         at++) {
        const int frames = atoi(strstr(at, "\"frames\": ") + strlen("\"frames\": "));

        total += frames;
        filled += frames > 0 && atof(at + strlen("\"from_us\": ")) < 110;
    }
    CHECK_INT(total, 100);
    CHECK_TRUE(filled >= 5, "%d bins for 99 of 100 frames", filled);
    free(text);
}
