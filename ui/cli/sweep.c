#include "cli/sweep.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "command.h"
#include "design/knob_text.h"
#include "model/evaluate.h"
#include "report/interrupt.h"
#include "report/report.h"
#include "report/sweep.h"

#define TABLE_ROWS_MAX 50
#define TABLE_WIDTH 80

static const struct option_row sweep_options[] = {
    OPTION_CSV,
    OPTION_HELP,
    {"jobs", "N", "run N threads; default: one per processor"},
    OPTION_JSON,
    {"results", "PATH,...", "print these results; default: " SWEEP_RESULTS},
    OPTION_SET,
    {"shard", "K/N", "run the K-th of N contiguous blocks of the designs; together they are all"},
    OPTION_END,
};

enum form { FORM_CSV, FORM_JSON, FORM_TABLE };

struct sweeping {
    struct sweep_asked asked;
    uint64_t given; /* rows that went out whole */
    enum form form;
    struct table table;
    bool live; /* progress is shown on a terminal */
    int shown; /* cells of it */
    double began, drawn;
};

/* A table is for people, and only where they can overlook it. */
static void choose_form(struct sweeping *s)
{
    bool terminal = isatty(fileno(s->asked.cli->out)) != 0;

    s->form = FORM_CSV;
    if (arguments_has(s->asked.arguments, "json"))
        s->form = FORM_JSON;
    else if (!arguments_has(s->asked.arguments, "csv") && terminal &&
             s->asked.end - s->asked.first <= TABLE_ROWS_MAX &&
             sweep_table_columns(&s->asked.sweep) <= TABLE_COLUMNS_MAX)
        s->form = FORM_TABLE;
    s->live = !terminal && isatty(fileno(s->asked.cli->err)) != 0;
}

/* Running -------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print_row(void *context, const struct sweep_row *row, FILE *text)
{
    const struct sweeping *s = context;

    if (s->form == FORM_JSON)
        sweep_json_row(text, &s->asked.sweep, row);
    else
        sweep_csv_row(text, &s->asked.sweep, row);
}

static bool write_rows(void *context, const char *text, size_t length)
{
    struct sweeping *s = context;

    for (const char *at = text; (at = memchr(at, '\n', length - (size_t)(at - text))) != NULL; at++)
        s->given++;
    errno = 0;
    if (fwrite(text, 1, length, s->asked.cli->out) == length)
        return true;
    s->asked.cli->output_error = errno;
    return false;
}

static bool add_row(void *context, const struct sweep_row *row)
{
    struct sweeping *s = context;

    sweep_table_row(&s->table, &s->asked.sweep, row);
    s->given++;
    return true;
}

static void wipe(struct sweeping *s)
{
    if (s->shown > 0)
        fprintf(s->asked.cli->err, "\r%*s\r", s->shown, "");
    s->shown = 0;
}

/* Only of what takes longer than a second. */
static bool tell(void *context, double done)
{
    struct sweeping *s = context;
    double time = now();

    if (s->live && time - s->began > 1 && time - s->drawn > 0.2) {
        int length = fprintf(s->asked.cli->err, "\r%.1f %%, %.0f s left; C-c keeps the rows so far",
                             100 * done, (time - s->began) * (1 - done) / done) -
                     1;

        fprintf(s->asked.cli->err, "%*s", s->shown > length ? s->shown - length : 0, "");
        fflush(s->asked.cli->err);
        s->shown = s->shown > length ? s->shown : length;
        s->drawn = time;
    }
    return interrupt_signal() == 0;
}

static int run_designs(struct sweeping *s)
{
    const struct progress progress = {tell, s};
    struct sweep_rows rows = {.print = print_row, .write = write_rows, .context = s};
    struct report report = report_to(s->asked.cli->out);
    struct error error;
    enum status status;

    if (s->form == FORM_TABLE) {
        rows = (struct sweep_rows){.take = add_row, .context = s};
        s->table = sweep_table_new(&s->asked.sweep);
    } else if (s->form == FORM_CSV && s->asked.head) {
        sweep_csv_head(s->asked.cli->out, &s->asked.sweep);
    }
    s->began = now();
    interrupt_open();
    status = sweep_designs(&s->asked.sweep, s->asked.first, s->asked.end, &rows, &progress, &error);
    interrupt_close();
    wipe(s);
    if (s->form == FORM_TABLE) {
        table_print(&s->table, s->asked.cli->out, TABLE_WIDTH, report.bold, report.plain);
        table_free(&s->table);
    }
    if (interrupt_signal() != 0) {
        arguments_problem(s->asked.cli, "stopped after %llu of %llu designs; their rows are whole",
                          (unsigned long long)s->given,
                          (unsigned long long)(s->asked.end - s->asked.first));
        return 128 + interrupt_signal();
    }
    if (status == STATUS_OK)
        return EXIT_GOOD;
    return status == STATUS_STOPPED ? EXIT_PROBLEM
                                    : arguments_problem(s->asked.cli, "%s", error.message);
}

static int run_sweep(struct cli *cli, const struct arguments *arguments, struct design *design)
{
    struct sweeping *s = calloc(1, sizeof *s);
    int status;

    (void)design;
    if (s == NULL)
        return arguments_problem(cli, "out of memory");
    s->asked.cli = cli;
    s->asked.arguments = arguments;
    status = sweep_asked_read(&s->asked);
    if (status == EXIT_GOOD) {
        choose_form(s);
        status = run_designs(s);
    }
    sweep_asked_free(&s->asked);
    free(s);
    return status;
}

const struct command command_sweep = {
    .name = "sweep",
    .operands = "P=VALUES... [SCENARIO]",
    .operand_max = INT_MAX,
    .help = "Evaluates every combination of the values of some knobs: CSV or a JSON object a line, "
            "in order, on all processors; in parts that many machines can share.",
    .options = sweep_options,
    .group = GROUP_WHAT_IF,
    .run = run_sweep,
};

/* Sweep asked ---------------------------------------------------------------------------------- */

#define JOBS_MAX 1024
#define SHARDS_MAX 1000000000
#define LOOKED_THROUGH 1000 /* designs that a result is looked for in */
#define EXAMPLE "device.rtc.cores=1:64:8"

/* Operands ------------------------------------------------------------------------------------- */

/* P=VALUES; a file whose name holds = is written with its directory. */
static bool is_axis(const char *operand)
{
    const char *equals = strchr(operand, '=');
    const char *slash = strchr(operand, '/');

    return equals != NULL && (slash == NULL || slash > equals);
}

/* A knob of which the values are missing, and no file. */
static bool is_knob(const char *operand)
{
    for (int s = 0; s < SECTION_COUNT; s++) {
        const char *name = section_name((enum section)s);
        size_t length = strlen(name);

        if (strncmp(operand, name, length) == 0 && operand[length] == '.' &&
            access(operand, F_OK) != 0)
            return true;
    }
    return false;
}

/* The scenario among the operands. */
static int find_source(const struct sweep_asked *s, const char **source)
{
    const char *operand;
    int knobs_given = 0;

    *source = NULL;
    for (int i = 0; (operand = arguments_operand(s->arguments, i)) != NULL; i++) {
        if (is_axis(operand)) {
            knobs_given++;
            continue;
        }
        if (is_knob(operand))
            return arguments_usage_error(s->cli, s->arguments->command,
                                         "\"%s\" has no values; they follow a =, as in " EXAMPLE,
                                         operand);
        if (*source != NULL)
            return arguments_usage_error(s->cli, s->arguments->command,
                                         "\"%s\" is one scenario too many", operand);
        *source = operand;
    }
    if (knobs_given == 0)
        return arguments_usage_error(s->cli, s->arguments->command,
                                     "a knob to vary is missing, as in: aolag sweep " EXAMPLE);
    if (knobs_given > SWEEP_AXES_MAX)
        return arguments_usage_error(s->cli, s->arguments->command,
                                     "%d knobs are too many; the most is %d", knobs_given,
                                     SWEEP_AXES_MAX);
    return EXIT_GOOD;
}

static bool same_knob(struct knob_ref a, struct knob_ref b)
{
    return a.section == b.section && a.index == b.index && a.knob == b.knob;
}

static int read_axes(struct sweep_asked *s)
{
    const char *operand;
    struct error error;

    for (int i = 0; (operand = arguments_operand(s->arguments, i)) != NULL; i++) {
        struct axis *axis = &s->axis[s->sweep.axis_count];

        if (!is_axis(operand))
            continue;
        s->sweep.axis_count++;
        if (axis_parse(axis, &s->design.scenario, s->cli->catalogue, operand, &error) != STATUS_OK)
            return arguments_usage_error(s->cli, s->arguments->command, "%s", error.message);
        for (struct axis *other = s->axis; other < axis; other++)
            if (same_knob(other->ref, axis->ref))
                return arguments_usage_error(s->cli, s->arguments->command, "%.*s is varied twice",
                                             (int)strcspn(operand, "="), operand);
    }
    return EXIT_GOOD;
}

/* Whether choosing a preset clears it: of a device whose preset is varied. */
static bool would_be_cleared(const struct sweep_asked *s, struct knob_ref ref)
{
    if (ref.knob->type == KNOB_PRESET)
        return false;
    for (int i = 0; i < s->sweep.axis_count; i++)
        if (s->axis[i].preset != NULL && ref.section == SECTION_DEVICE &&
            ref.index == s->axis[i].ref.index)
            return true;
    return false;
}

static bool is_varied(const struct sweep_asked *s, struct knob_ref ref)
{
    for (int i = 0; i < s->sweep.axis_count; i++)
        if (same_knob(s->axis[i].ref, ref))
            return true;
    return false;
}

/* What --set says holds whatever the preset. */
static int keep_assignments(struct sweep_asked *s)
{
    const struct arguments *arguments = s->arguments;
    struct error error;

    s->fixed = calloc((size_t)arguments->assignment_count + 1, sizeof *s->fixed);
    s->sweep.fixed = s->fixed;
    for (int i = 0; i < arguments->assignment_count && s->fixed != NULL; i++) {
        struct knob_ref ref;
        char path[128];

        snprintf(path, sizeof path, "%.*s", (int)strcspn(arguments->assignments[i], "= \t"),
                 arguments->assignments[i]);
        if (knob_find(&s->design.scenario, path, &ref, &error) != STATUS_OK)
            continue;
        if (is_varied(s, ref))
            return arguments_usage_error(s->cli, s->arguments->command,
                                         "%s is varied, and --set sets it", path);
        if (!would_be_cleared(s, ref))
            continue;
        if (axis_present(&s->fixed[s->sweep.fixed_count++], &s->design.scenario, ref, &error) !=
            STATUS_OK)
            return arguments_problem(s->cli, "%s", error.message);
    }
    return s->fixed != NULL ? EXIT_GOOD : arguments_problem(s->cli, "out of memory");
}

/* Results -------------------------------------------------------------------------------------- */

/* In the design itself, else in the first of the sweep that has it: which transfers there are, a
 * choice may decide. */
static enum status find_result(struct sweep_asked *s, const char *path, struct result_ref *ref,
                               struct error *error)
{
    struct scenario *scenario = &s->design.scenario;
    struct result *result = &s->design.result;
    struct error ignored;
    enum status status = result_find(scenario, result, path, ref, error);
    struct scenario *other = malloc(sizeof *other);

    for (uint64_t i = 0; other != NULL && i < s->count && i < LOOKED_THROUGH && status != STATUS_OK;
         i++)
        if (sweep_design(&s->sweep, i, other, &ignored) == STATUS_OK &&
            evaluate(other, result, &ignored) == STATUS_OK)
            status = result_find(other, result, path, ref, &ignored);
    free(other);
    return status;
}

static int read_results(struct sweep_asked *s)
{
    const char *paths = arguments_value(s->arguments, "results");
    struct error error;
    char path[RESULT_PATH_MAX];

    if (paths == NULL)
        paths = SWEEP_RESULTS;
    if (result_init(&s->design.result, &error) != STATUS_OK)
        return arguments_problem(s->cli, "%s", error.message);
    evaluate(&s->design.scenario, &s->design.result, NULL);
    for (;;) {
        size_t length = strcspn(paths, ",");

        snprintf(path, sizeof path, "%.*s", (int)length, paths);
        if (s->sweep.wanted_count == SWEEP_WANTED_MAX)
            return arguments_usage_error(s->cli, s->arguments->command,
                                         "--results takes at most %d paths", SWEEP_WANTED_MAX);
        if (length == 0)
            return arguments_usage_error(s->cli, s->arguments->command,
                                         "--results: a path is missing beside a comma");
        if (find_result(s, path, &s->wanted[s->sweep.wanted_count++], &error) != STATUS_OK)
            return arguments_usage_error(s->cli, s->arguments->command, "--results: %s",
                                         error.message);
        if (paths[length] == '\0')
            return EXIT_GOOD;
        paths += length + 1;
    }
}

/* Options -------------------------------------------------------------------------------------- */

static bool read_whole(const char *text, double most, const char *ends, uint64_t *number)
{
    const char *end;
    double value;

    if (text[0] < '0' || text[0] > '9' || number_parse(text, &value, &end) != STATUS_OK ||
        value < 1 || value > most || value != (double)(uint64_t)value || *end != *ends)
        return false;
    *number = (uint64_t)value;
    return true;
}

static int read_shard(struct sweep_asked *s)
{
    const char *text = arguments_value(s->arguments, "shard");
    const char *slash = text != NULL ? strchr(text, '/') : NULL;
    uint64_t shard = 1;
    uint64_t shards = 1;

    if (text != NULL && (slash == NULL || !read_whole(text, SHARDS_MAX, "/", &shard) ||
                         !read_whole(slash + 1, SHARDS_MAX, "", &shards) || shard > shards))
        return arguments_usage_error(s->cli, s->arguments->command,
                                     "--shard: \"%s\" is not K/N, whole numbers with K from 1 to N",
                                     text);
    sweep_shard(s->count, shard, shards, &s->first, &s->end);
    s->head = shard == 1;
    return EXIT_GOOD;
}

static int read_jobs(struct sweep_asked *s)
{
    const char *text = arguments_value(s->arguments, "jobs");
    uint64_t jobs = 0;

    if (text != NULL && !read_whole(text, JOBS_MAX, "", &jobs))
        return arguments_usage_error(s->cli, s->arguments->command,
                                     "--jobs: \"%s\" is not a number of threads, a whole one from "
                                     "1 to %d",
                                     text, JOBS_MAX);
    s->sweep.jobs = (int)jobs;
    return EXIT_GOOD;
}

/* -------------------------------------------------------------------------------------------- */

int sweep_asked_read(struct sweep_asked *s)
{
    const char *source;
    struct error error;
    int status;

    s->sweep = (struct sweep){.base = &s->design.scenario, .axis = s->axis, .wanted = s->wanted};
    status = find_source(s, &source);
    if (status == EXIT_GOOD)
        status = source_open(s->cli, s->arguments, source, &s->design);
    if (status == EXIT_GOOD)
        status = read_axes(s);
    if (status == EXIT_GOOD && sweep_count(&s->sweep, &s->count, &error) != STATUS_OK)
        status = arguments_usage_error(s->cli, s->arguments->command, "%s", error.message);
    if (status == EXIT_GOOD)
        status = keep_assignments(s);
    if (status == EXIT_GOOD)
        status = read_results(s);
    if (status == EXIT_GOOD)
        status = read_shard(s);
    if (status == EXIT_GOOD)
        status = read_jobs(s);
    return status;
}

void sweep_asked_free(struct sweep_asked *s)
{
    source_close(&s->design);
    for (int i = 0; i < SWEEP_AXES_MAX; i++)
        axis_free(&s->axis[i]);
    for (int i = 0; i < s->sweep.fixed_count; i++)
        axis_free(&s->fixed[i]);
    free(s->fixed);
}
