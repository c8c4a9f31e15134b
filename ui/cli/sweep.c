#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "cli/arguments.h"
#include "cli/axes.h"
#include "cli/estimate.h"
#include "cli/long_run.h"
#include "cli/source.h"
#include "command.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "explore/cliff.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "model/range.h"
#include "model/result_read.h"
#include "report/reports.h"

#define SWEEP_RESULTS(separator, lag)                                                              \
    "latency" separator "first_pixel_latency" separator "max_frame_rate" separator                 \
    "load" separator lag
#define TEXT_ROWS_MAX 50
#define DESIGNS_SEARCHED 1000 /* designs searched for a result */

static const struct option_row sweep_options[] = {
    OPTION_BUDGET,
    OPTION_CSV,
    OPTION_FILE,
    OPTION_HELP,
    OPTION_JOBS,
    OPTION_JSON,
    {.name = "results",
     .argument = "PATH,...",
     .help = "results to print; default: " SWEEP_RESULTS(", ", "loop.lag (loop.servo_lag of "
                                                                   "a loop that cannot be described)")},
    OPTION_SET,
    {.name = "shard",
     .argument = "K/N",
     .help = "run block K of N contiguous blocks of the designs"},
    OPTION_END,
};

/* Sweep and its progress. */
struct sweeping {
    struct cli *cli;
    const struct arguments *arguments;
    struct opened_design design;
    struct axes axes;
    struct result_ref wanted[SWEEP_WANTED_MAX];
    struct sweep sweep; /* made of the above */
    uint64_t count;     /* total number of designs */
    uint64_t shard, shards;
    uint64_t first, end; /* range of designs of the shard */
    struct sweep_columns columns;

    struct record record;
    double same[SWEEP_WANTED_MAX];    /* the results of the first row without an error */
    bool flat;                        /* of the others, too */
    char limit[VERDICT_RESOURCE_MAX]; /* what limits the first row */
    uint64_t given;         /* number of rows printed */
    atomic_bool valid;      /* one of them has no error */
    atomic_ullong unstable; /* number of rows whose loop is unstable, with results of its budget */
    struct progress_line line;
};

/* Operands ------------------------------------------------------------------------------------- */

/* Returns true for P=VALUES; a file name that contains = must be given with its directory. */
static bool is_axis(const char *operand)
{
    const char *equals = strchr(operand, '=');
    const char *slash = strchr(operand, '/');

    return equals != NULL && (slash == NULL || slash > equals);
}

/* Finds the scenario among the operands. */
static int find_source(const struct sweeping *s, const char **source)
{
    const char *operand;
    int knobs_given = 0;

    *source = NULL;
    for (int i = 0; (operand = arguments_operand(s->arguments, i)) != NULL; i++) {
        if (is_axis(operand)) {
            knobs_given++;
            continue;
        }
        if (axes_are_missing(operand))
            return arguments_usage_error(s->arguments, AXIS_MISSING, operand);
        if (*source != NULL)
            return arguments_usage_error(s->arguments, "unexpected second design \"%s\"",
                                         operand);
        *source = operand;
    }
    if (knobs_given == 0)
        return arguments_usage_error(
            s->arguments, "a knob to vary is missing, as in: aolag sweep elt-scao " AXIS_EXAMPLE);
    return EXIT_GOOD;
}

static int read_axes(struct sweeping *s)
{
    const char *texts[SWEEP_AXES_MAX];
    const char *operand;
    int count = 0;

    for (int i = 0; (operand = arguments_operand(s->arguments, i)) != NULL; i++)
        if (is_axis(operand) && count++ < SWEEP_AXES_MAX)
            texts[count - 1] = operand;
    return axes_read(&s->axes, s->cli, s->arguments, &s->design.scenario, texts, count, &s->sweep);
}

/* Results -------------------------------------------------------------------------------------- */

/* Finds a result in the design, else in the first design of the sweep that has it: knobs may decide
 * which transfers exist. */
static enum status find_result(struct sweeping *s, const char *path, struct result_ref *ref,
                               struct error *error)
{
    struct scenario *scenario = &s->design.scenario;
    struct result *result = &s->design.result;
    struct error ignored;
    enum status status = result_find(scenario, result, path, ref, error);
    struct scenario *other = allocate(sizeof *other);

    for (uint64_t i = 0; i < s->count && i < DESIGNS_SEARCHED && status != STATUS_OK; i++)
        if (sweep_design(&s->sweep, i, other, &ignored) == STATUS_OK &&
            evaluate(other, result, &ignored) == STATUS_OK)
            status = result_find(other, result, path, ref, &ignored);
    free(other);
    return status;
}

static int add_result(struct sweeping *s, const char *path)
{
    struct result_ref *ref = &s->wanted[s->sweep.wanted_count];
    struct error error;

    if (path[0] == '\0')
        return arguments_usage_error(s->arguments, "--results: empty path");
    if (s->sweep.wanted_count == SWEEP_WANTED_MAX)
        return arguments_usage_error(s->arguments, "--results takes at most %d paths",
                                     SWEEP_WANTED_MAX);
    if (find_result(s, path, ref, &error) != STATUS_OK)
        return arguments_usage_error(s->arguments, "--results: %s", error.message);
    for (int i = 0; i < s->sweep.wanted_count; i++)
        if (result_same(&s->wanted[i], ref))
            return arguments_usage_error(s->arguments, "--results: %s is named twice", path);
    s->sweep.wanted_count++;
    return EXIT_GOOD;
}

static int read_results(struct sweeping *s)
{
    const char *paths = arguments_value(s->arguments, "results");
    char path[RESULT_PATH_MAX];

    result_init(&s->design.result);
    if (evaluate(&s->design.scenario, &s->design.result, NULL) == STATUS_OK && paths == NULL)
        derived_add_budget(&s->design.scenario, &s->design.result, DERIVED_BUDGET, NULL);
    if (paths == NULL)
        paths = s->design.result.loop.lag > RESULT_NONE ? SWEEP_RESULTS(",", "loop.lag")
                                                        : SWEEP_RESULTS(",", "loop.servo_lag");
    for (;;) {
        size_t length = strcspn(paths, ",");

        int status;

        snprintf(path, sizeof path, "%.*s", (int)length, paths);
        status = add_result(s, path);
        if (status != EXIT_GOOD || paths[length] == '\0')
            return status;
        paths += length + 1;
    }
}

/* Running -------------------------------------------------------------------------------------- */

/* Chooses text only on a terminal and for a table that fits there. */
static enum record_format choose_format(const struct sweeping *s)
{
    if (arguments_has(s->arguments, "json"))
        return RECORD_JSON_LINES;
    if (!arguments_has(s->arguments, "csv") && isatty(fileno(s->cli->out)) != 0 &&
        s->end - s->first <= TEXT_ROWS_MAX && sweep_text_columns(&s->sweep) <= TABLE_COLUMNS_USUAL)
        return RECORD_TEXT;
    return RECORD_CSV;
}

/* Prints a row; called by several threads at the same time. */
static void print_row(void *context, const struct sweep_row *row, FILE *text)
{
    struct sweeping *s = context;
    struct record record = record_to(text, s->record.format);

    record.header = false;
    sweep_put_row(&record, &s->columns, row);
    if (row->error.status == STATUS_OK)
        s->valid = true;
}

/* Looks whether a row, in their order, has the results of the first one. */
static bool compare_row(void *context, const struct sweep_row *row)
{
    struct sweeping *s = context;

    s->flat = s->flat && row->error.status == STATUS_OK;
    for (int i = 0; i < s->sweep.wanted_count && s->flat; i++) {
        if (row->number == s->first)
            s->same[i] = row->value[i];
        s->flat = sweep_same(row->value[i], s->same[i]);
    }
    return true;
}

/* Keeps what limits the first design, and counts those with an unstable loop. */
static void inspect_row(void *context, const struct sweep_row *row, const struct scenario *scenario,
                        const struct result *result)
{
    struct sweeping *s = context;

    if (row->number == s->first)
        verdict_resource(scenario, result, s->limit);
    if (row->error.status == STATUS_OK && result->loop.unstable_above != RESULT_NONE)
        s->unstable++;
}

/* Says why results of the error budget are empty, unless a column does. */
static void note_unstable(const struct sweeping *s)
{
    const unsigned long long count = s->unstable;
    bool stated = false;

    for (int i = 0; i < s->sweep.wanted_count; i++)
        stated = stated || s->wanted[i].row == &result_rows[RESULT_LOOP_STABLE];
    if (count > 0 && !stated)
        text_line(s->cli->err,
                  "aolag: note: the loop is unstable in %llu design%s: there is no lag, noise, "
                  "wavefront error or margin; the result loop.stable is 0 there",
                  count, count == 1 ? "" : "s");
}

static bool write_rows(void *context, const char *text, size_t length)
{
    struct sweeping *s = context;
    const size_t written = long_run_write(s->cli->out, text, length);

    if (written < length && long_run_signal() == 0)
        s->cli->output_error = errno;
    for (const char *at = text; (at = memchr(at, '\n', written - (size_t)(at - text))) != NULL;
         at++)
        s->given++;
    return written == length;
}

static bool add_row(void *context, const struct sweep_row *row)
{
    struct sweeping *s = context;

    compare_row(s, row);
    sweep_put_row(&s->record, &s->columns, row);
    s->valid = s->valid || row->error.status == STATUS_OK;
    s->given++;
    return true;
}

static bool show_progress(void *context, double done)
{
    struct sweeping *s = context;

    if (progress_line_age(&s->line) > 1) /* not in a short sweep */
        progress_line_draw(&s->line, "%.1f %%, %.0f s left; Ctrl-C keeps the rows so far",
                           100 * done, progress_line_age(&s->line) * (1 - done) / done);
    return long_run_signal() == 0;
}

/* Refuses a sweep that would take longer than its budget. */
static int check_budget(const struct sweeping *s)
{
    const double seconds = estimate_sweep(&s->sweep, s->first, s->end);

    if (seconds <= estimate_limit(s->arguments) || long_run_signal() != 0)
        return EXIT_GOOD;
    return estimate_refuse(s->arguments, &s->sweep, s->end - s->first, seconds, "", "", true);
}

static int run_designs(struct sweeping *s)
{
    const struct progress progress = {show_progress, s};
    bool text = s->record.format == RECORD_TEXT;
    const struct sweep_rows rows = {.inspect = inspect_row,
                                    .print = text ? NULL : print_row,
                                    .write = text ? NULL : write_rows,
                                    .receive = text ? add_row : compare_row,
                                    .context = s};
    struct error error;
    enum status status;
    bool all;

    if (s->record.format == RECORD_CSV && s->shard == 1)
        sweep_put_header(s->cli->out, &s->columns);
    fflush(s->cli->out); /* with rows it may be more than a pipe takes at once */
    s->flat = s->end - s->first > 1;
    if (text)
        record_table(&s->record, NULL, NULL);
    s->line = progress_line_to(s->cli->err, isatty(fileno(s->cli->out)) == 0);
    status = sweep_designs(&s->sweep, s->first, s->end, &rows, &progress, &error);
    progress_line_clear(&s->line);
    if (text)
        record_table_end(&s->record);
    note_unstable(s);
    all = s->given == s->end - s->first;
    if (long_run_signal() != 0 && !all) {
        arguments_problem(s->cli, "stopped after %llu of %llu designs; their rows are complete",
                          (unsigned long long)s->given, (unsigned long long)(s->end - s->first));
        return 128 + long_run_signal();
    }
    if (status == STATUS_OK || (status == STATUS_STOPPED && all))
        return EXIT_GOOD;
    return status == STATUS_STOPPED ? EXIT_PROBLEM : arguments_problem(s->cli, "%s", error.message);
}

/* Puts a note below the table, or on standard error. */
static void note(struct sweeping *s, const char *text)
{
    progress_line_clear(&s->line);
    if (s->record.format == RECORD_TEXT)
        record_note(&s->record, "%c%s", toupper((unsigned char)text[0]), text + 1);
    else
        text_line(s->cli->err, "aolag: note: %s", text);
}

/* Says that no value of the knobs changes a result. */
static void note_flat(struct sweeping *s)
{
    char text[SWEEP_FLAT_MAX], path[RESULT_PATH_MAX], knobs_text[SWEEP_FLAT_MAX / 2];
    struct buffer list = buffer_over(knobs_text, sizeof knobs_text);
    bool latency = false;

    for (int i = 0; i < s->sweep.wanted_count; i++)
        latency = latency || s->wanted[i].row == &result_rows[RESULT_LATENCY];
    for (int i = 0; i < s->sweep.axis_count; i++) {
        axis_path(&s->sweep.axis[i], s->sweep.base, path, sizeof path);
        buffer_print(&list, "%s%s", i > 0 ? ", " : "", path);
    }
    sweep_flat_text(knobs_text, "these results", latency ? s->limit : "", text);
    note(s, text);
}

/* Says where a latency of the design jumps along an axis of numbers. */
static void note_cliff(struct sweeping *s, const struct axis *axis, const struct result_row *of,
                       struct trial *trial)
{
    struct cliff cliff;
    char text[CLIFF_TEXT], path[128], whole[CLIFF_TEXT + 192];

    if (axis->also != 0 || /* a cliff is that of one knob */
        !cliff_along(trial, axis->ref, axis->number, axis->count, of, &cliff))
        return;
    cliff_print(&cliff, axis->ref, text);
    knob_path(s->sweep.base, axis->ref, path, sizeof path);
    snprintf(whole, sizeof whole, "cliff of %s%s: %s", path,
             of == &result_rows[RESULT_LATENCY_LOW] ? " in latency_low" : "", text);
    note(s, whole);
}

static bool show_cliff_search(void *context, double done)
{
    struct sweeping *s = context;

    (void)done;
    if (progress_line_age(&s->line) > 1)
        progress_line_draw(&s->line, "searching for cliffs; Ctrl-C keeps the rows");
    return long_run_signal() == 0;
}

/* Notes the cliffs of the latency and of the wanted ends of its range; in text below the table.
 * After a signal only those found by then. */
static int note_cliffs(struct sweeping *s)
{
    const struct progress progress = {show_cliff_search, s};
    struct trial *trial = trial_new(s->sweep.base, &progress);

    for (int i = 0; i < s->sweep.axis_count && long_run_signal() == 0; i++) {
        const struct axis *axis = &s->sweep.axis[i];

        if (axis->number == NULL)
            continue;
        note_cliff(s, axis, &result_rows[RESULT_LATENCY], trial);
        for (int w = 0; w < s->sweep.wanted_count; w++)
            if (range_has(s->wanted[w].row))
                note_cliff(s, axis, s->wanted[w].row, trial);
    }
    trial_free(trial);
    progress_line_clear(&s->line);
    if (long_run_signal() == 0)
        return EXIT_GOOD;
    arguments_problem(s->cli, "stopped in the search for cliffs; all rows are complete");
    return 128 + long_run_signal();
}

/* Says why all designs are invalid by the first of them; the rows have the others. */
static int report_invalid(struct sweeping *s)
{
    struct scenario *first = allocate(sizeof *first);
    struct error error, problem;

    if (sweep_design(&s->sweep, s->first, first, &error) == STATUS_OK)
        evaluate_design(first, &s->design.result, &error);
    free(first);
    error_set(&problem, error.status, "no design of the sweep is valid: %s", error.message);
    return source_problem(s->cli, &s->design, &problem);
}

/* Says that stated photons do not follow an axis, where a result has the noise. */
static void note_photons(const struct sweeping *s)
{
    bool loop = false;

    for (int i = 0; i < s->sweep.wanted_count; i++)
        loop = loop || (s->wanted[i].row->derived & DERIVED_LOOP) != 0;
    for (int i = 0; i < s->sweep.axis_count && loop; i++)
        source_note_photons(s->cli, &s->design.scenario, s->sweep.axis[i].ref);
}

static int read_sweep(struct sweeping *s)
{
    const char *source;
    struct error error;
    int status;

    s->sweep = (struct sweep){.base = &s->design.scenario,
                              .wanted = s->wanted,
                              .jobs = (int)arguments_number(s->arguments, "jobs", 0)};
    status = find_source(s, &source);
    if (status == EXIT_GOOD)
        status = axes_read_shard(s->arguments, &s->shard, &s->shards);
    if (status == EXIT_GOOD)
        status = source_open(s->cli, s->arguments, source, &s->design);
    if (status == EXIT_GOOD)
        status = read_axes(s);
    if (status == EXIT_GOOD && sweep_count(&s->sweep, &s->count, &error) != STATUS_OK)
        status = arguments_usage_error(s->arguments, "%s", error.message);
    if (status == EXIT_GOOD)
        status = read_results(s);
    if (status == EXIT_GOOD) {
        note_photons(s);
        sweep_shard(s->count, s->shard, s->shards, &s->first, &s->end);
    }
    return status;
}

static int run_sweep(struct cli *cli, const struct arguments *arguments,
                     struct opened_design *design)
{
    struct sweeping *s = allocate_array(1, sizeof *s);
    int status;

    (void)design;
    s->cli = cli;
    s->arguments = arguments;
    status = read_sweep(s);
    if (status == EXIT_GOOD) {
        s->record = cli_record(cli, choose_format(s));
        s->sweep.data = record_is_data(&s->record);
        sweep_name_columns(&s->columns, &s->sweep);
        long_run_open();
        status = check_budget(s);
        if (status == EXIT_GOOD)
            status = run_designs(s);
        fflush(cli->out); /* the search for cliffs may take long */
        if (status == EXIT_GOOD && !s->valid && s->shards == 1)
            status = report_invalid(s);
        else if (status == EXIT_GOOD && s->shard == 1)
            status = note_cliffs(s);
        if (status == EXIT_GOOD && s->valid && s->flat && s->shards == 1)
            note_flat(s);
        long_run_close();
    }
    source_close(&s->design);
    axes_free(&s->axes);
    free(s);
    return status;
}

const struct command command_sweep = {
    .name = "sweep",
    .operands = "[DESIGN|-] P=VALUES...",
    .operand_max = INT_MAX,
    .help =
        "Evaluates every combination of the values of some knobs, on all processors, and prints "
        "the rows in order, as CSV or one JSON object per line. VALUES are FROM:TO:N, which are N "
        "numbers from FROM to TO, FROM:TO:N:log, a list A,B,C, or all, which is every choice; "
        "--shard divides a sweep among machines.",
    .options = sweep_options,
    .group = GROUP_WHAT_IF,
    .priced = true,
    .run = run_sweep,
};
