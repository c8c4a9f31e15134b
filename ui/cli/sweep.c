#include "cli/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/report_parts.h"
#include "cli/sweep_asked.h"

#define TABLE_ROWS_MAX 50
#define TABLE_WIDTH 80

const struct option_row sweep_options[] = {
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
    if (arguments_has(&s->asked.arguments, "json"))
        s->form = FORM_JSON;
    else if (!arguments_has(&s->asked.arguments, "csv") && terminal &&
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

int sweep_run(struct cli *cli, int argc, char **argv)
{
    struct sweeping *s = calloc(1, sizeof *s);
    struct sweep_asked *asked;
    int status;

    if (s == NULL)
        return arguments_problem(cli, "out of memory");
    asked = &s->asked;
    asked->cli = cli;
    asked->command = command_find("sweep");
    if (arguments_read(cli, asked->command, argc, argv, argc, &asked->arguments, &status)) {
        status = sweep_asked_read(asked);
        if (status == EXIT_GOOD) {
            choose_form(s);
            status = run_designs(s);
        }
        sweep_asked_free(asked);
    }
    free(s);
    return status;
}
