#include "report/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "design/knob_table.h"
#include "model/result_read.h"

#define RUN_SCHEMA 1
#define BINS 16
#define GROWTH_MAX 10.
#define SHARE_LEAST 1e-9 /* of a median that is the least */
#define OFTEN 10 /* frames, once in which other work is worth a word */
#define OWN_TIME 0.5e-6 /* s of measuring itself that is not worth a word, */
#define OWN_PART 0.02 /* or this part of the latency */
#define BAR_FROM 30 /* columns before the bars */
#define BAR_MOST 200

/* Measured beside predicted -------------------------------------------------------------------- */

static void put_figure(struct record *record, const char *path, const char *name,
                       const struct run_figure *measured, double predicted, double low, double high)
{
    const double median = measured->quantile[RUN_P50];

    record_row(record);
    record_text(record, "result", NULL, path);
    record_cell(record, "Measured", name);
    for (int q = 0; q < RUN_QUANTILES; q++)
        record_number(record, run_quantiles[q].key, run_quantiles[q].name, "us",
                      measured->quantile[q]);
    record_number(record, "predicted_us", "Model", "us", predicted);
    record_number(record, "low_us", "From", "us", low);
    record_number(record, "high_us", "To", "us", high);
    record_digits(record, "ratio", "Ratio", "", "%.3g",
                  predicted > 0 && median != RESULT_NONE ? median / predicted : RESULT_NONE);
    record_bool(record, "inside", "Inside",
                median >= low && high != RESULT_NONE && median <= high);
    record_row_end(record);
}

static void put_figures(struct record *record, const struct run_report *report)
{
    const struct run_job *job = report->job;

    record_table(record, "measured", "Measured and predicted");
    put_figure(record, "latency", "latency", &report->outcome->latency, report->range->latency,
               report->range->low, report->range->high);
    for (int p = 0; p < job->part_count; p++) {
        const struct run_part *part = &job->part[p];
        const char *name = report->scenario->component[part->component].head.name;
        char path[RESULT_PATH_MAX];
        struct result_ref ref;

        if (part->kind == RUN_CAMERA || part->kind == RUN_MIRROR)
            continue;
        result_busy(report->result, name, &ref);
        result_path(&ref, path, sizeof path);
        put_figure(record, path, name, &report->outcome->part[p],
                   report->result->node[part->node].busy, report->low[part->node],
                   report->high[part->node]);
    }
    record_table_end(record);
    record_note(record,
                "Ratio: p50 over model. Components: busy time per frame, from data that are "
                "there to the end.");
}

/* Histogram ------------------------------------------------------------------------------------ */

/* Returns the factor from each bin's width to that of the next with which a quarter of the bins are
 * below the median; `share`: the part of the range that is. */
static double bin_growth(double share)
{
    double low = 0, high = GROWTH_MAX;

    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2, quarter = pow(middle, BINS / 4);

        /* (growth^BINS - 1) / (growth^(BINS / 4) - 1) */
        if (1 + quarter * (1 + quarter * (1 + quarter)) < 1 / share)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Finds the ends of the bins. Each is wider than the one before by the same factor, or as wide, so
 * that a long tail leaves bins to the rest. Returns their number: 1 if all latencies are equal. */
static int find_bins(const struct run_outcome *outcome, double end[BINS + 1])
{
    const double first = outcome->sample[0], most = outcome->sample[outcome->frames - 1];
    const double share = (outcome->latency.quantile[RUN_P50] - first) / (most - first);
    const double growth = most > first ? fmax(1, bin_growth(fmax(SHARE_LEAST, share))) : 1;
    double width = 1, sum = 0;

    end[0] = 0;
    for (int b = 0; b < BINS; b++, width *= growth)
        end[b + 1] = sum += width;
    for (int b = 0; b <= BINS; b++)
        end[b] = first + (most - first) * end[b] / sum;
    end[BINS] = most;
    return most > first ? BINS : 1;
}

static void put_histogram(struct record *record, const struct run_outcome *outcome)
{
    const int columns = (int)fmin(BAR_MOST, fmax(1, record->width - BAR_FROM));
    long largest = 1, counts[BINS] = {0};
    double end[BINS + 1];
    const int bins = find_bins(outcome, end);

    for (long i = 0, b = 0; i < outcome->frames; i++) {
        while (b < bins - 1 && outcome->sample[i] >= end[b + 1])
            b++;
        counts[b]++;
        largest = counts[b] > largest ? counts[b] : largest;
    }
    record_table(record, "histogram", "Latencies");
    for (int b = 0; b < bins; b++) {
        char bar[BAR_MOST + 1];
        const int length = (int)ceil((double)columns * (double)counts[b] / (double)largest);

        memset(bar, '#', (size_t)length);
        bar[length] = '\0';
        record_row(record);
        record_number(record, "from_us", "From", "us", end[b]);
        record_number(record, "to_us", "To", "us", bins == 1 ? end[0] : end[b + 1]);
        record_integer(record, "frames", "Frames", (double)counts[b]);
        record_cell(record, "", bar);
        record_row_end(record);
    }
    record_table_end(record);
}

/* What was not as stated ----------------------------------------------------------------------- */

static void put_condition(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put_condition(struct record *record, const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX + 100];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    record_text(record, NULL, NULL, text);
    record_note(record, "%s", text);
}

static void put_losses(struct record *record, const struct run_outcome *outcome)
{
    if (outcome->pieces_lost > 0)
        put_condition(record, "%ld datagrams of cameras were lost: %ld frames do not count",
                      outcome->pieces_lost, outcome->incomplete);
    if (outcome->commands_lost > 0)
        put_condition(record, "%ld commands were lost on the way to a mirror",
                      outcome->commands_lost);
    if (outcome->skipped > 0)
        put_condition(record,
                      "the rate was not kept: the camera skipped %ld frame%s, two being under way",
                      outcome->skipped, outcome->skipped == 1 ? "" : "s");
    if (outcome->cut)
        put_condition(record, "its time was over before all frames; --frames waits for them");
    if (outcome->late_sent > 0)
        put_condition(record,
                      "the camera itself was late, by more than a tenth of a period, in %ld frame%s",
                      outcome->late_sent, outcome->late_sent == 1 ? "" : "s");
}

static void put_machine(struct record *record, const struct run_report *report)
{
    const struct run_outcome *outcome = report->outcome;
    const struct run_job *job = report->job;
    const struct device *host = &report->scenario->device[job->host];

    if (outcome->priority == RUN_PRIORITY_REFUSED)
        put_condition(record, "no real-time priority: the system does not permit it to this user");
    if (outcome->priority == RUN_PRIORITY_HELD)
        put_condition(record,
                      "no real-time priority: threads that poll with it would leave no core "
                      "to others");
    if (outcome->interrupted > outcome->frames / OFTEN)
        put_condition(record, "other work took the core %ld times from the threads of the run",
                      outcome->interrupted);
    if (outcome->overhead > fmax(OWN_TIME, OWN_PART * outcome->latency.quantile[RUN_P50]))
        put_condition(record, "reading clocks takes long here: %.0f %% of the latency",
                      100 * outcome->overhead / outcome->latency.quantile[RUN_P50]);
    if (outcome->throttled)
        put_condition(record, "the system takes the core from threads that poll with real-time "
                              "priority for a part of each second, unless the sysctl "
                              "kernel.sched_rt_runtime_us is -1");
    if (report->cores_stated > report->cores)
        put_condition(record,
                      "%d of the design's %d cores: the machine has %d, one for the camera; "
                      "state device.%s.cores=%d to calibrate the design",
                      report->cores, report->cores_stated, outcome->cores, host->head.name,
                      report->cores);
    if (outcome->crowded)
        put_condition(record, "%d threads work at the same time on %d cores; none is bound to one",
                      job->threads, outcome->cores);
    if (!outcome->camera_polls)
        put_condition(record, "the camera has no core of its own and sleeps between packets");
    if (outcome->board[0] != '\0')
        put_condition(record, "the GPU is %s, by OpenCL; it is predicted as the design says",
                      outcome->board);
    if (job->ingress != NULL)
        put_condition(record, "ingress: the kernel in place of %s", job->ingress);
    if (job->software > 0)
        put_condition(record,
                      "the software of a process, %s for each component, is predicted, but run has "
                      "none: --set device.%s.software=0 predicts it without",
                      record_quantity(record, job->software, "us"), host->head.name);
}

static void put_conditions(struct record *record, const struct run_report *report)
{
    const struct run_outcome *outcome = report->outcome;

    record_array(record, "conditions", true);
    if (outcome->ended[0] != '\0')
        put_condition(record, "ended early: %s", outcome->ended);
    put_losses(record, outcome);
    put_machine(record, report);
    record_array_end(record);
}

void run_report(struct record *record, const struct run_report *report)
{
    const struct run_outcome *outcome = report->outcome;

    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, RUN_SCHEMA);
    record_text(record, "title", NULL, report->scenario->general.title);
    record_title(record, "%s, run on this machine", report->scenario->general.title);
    record_text(record, "machine", NULL, report->machine);
    if (report->machine != NULL)
        record_line(record, TONE_PLAIN, "predicted as", "%s", report->machine);
    record_integer(record, "frames", NULL, (double)outcome->frames);
    record_integer(record, "late", NULL, (double)outcome->late);
    record_integer(record, "incomplete", NULL, (double)outcome->incomplete);
    record_integer(record, "datagrams_lost", NULL, (double)outcome->pieces_lost);
    record_integer(record, "commands_lost", NULL, (double)outcome->commands_lost);
    record_integer(record, "skipped", NULL, (double)outcome->skipped);
    record_number(record, "seconds", NULL, "s", outcome->seconds);
    record_number(record, "overhead_us", NULL, "us", outcome->overhead);
    record_bool(record, "stopped", NULL, outcome->stopped);
    record_line(record, TONE_PLAIN, "frames", "%ld in %s%s; %ld later than the target, %s",
                outcome->frames, record_quantity(record, outcome->seconds, "s"),
                outcome->stopped ? ", then stopped" : "", outcome->late,
                record_quantity(record, report->result->target, "us"));
    record_line(record, TONE_PLAIN, "measuring", "takes about %s of each latency",
                record_quantity(record, outcome->overhead, "us"));
    put_figures(record, report);
    if (record->format != RECORD_CSV)
        put_histogram(record, outcome);
    put_conditions(record, report);
    record_object_end(record);
}
