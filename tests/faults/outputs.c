#include "outputs.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

enum { SHOWN_MAX = 5, NOTE_BYTES = 300 };

/* What a run leaves, and what it tells. */
enum telling {
    TELLS_STATUS, /* fails with a sentence */
    TELLS_SCREEN, /* the screen says it */
    TELLS_LATER   /* the screen said it, and its bytes are no text */
};

/* Where the save failed, C-c closes the line, the next asks, and the second answer discards. */
static const struct typed saving[] = {{"quit", ":set scenario.packets=33\r", 0},
                                      {"modified", ":w\r\003\003", 0},
                                      {"nsaved changes", "\033[B\r", 0},
                                      {NULL, NULL, 0}};
static const struct typed dying[] = {
    {"quit", ":set scenario.packets=33\r", 0}, {"modified", NULL, SIGTERM}, {NULL, NULL, 0}};

/* What every file is made with, and also what replaces one. Not every file system exchanges names,
 * after which the old file is unlinked. */
#define MAKES "open write fsync fsync-folder close rename memory "
#define REPLACES MAKES "fchmod fchown fsetxattr "

/* `makes`: the operations, each followed by a blank, without which it would pass for one that
 * cannot fail. `before`: a shell command that makes what is there before. The line writes all that
 * it writes anew. `option`: of the command, by which the table is complete. */
static const struct output {
    const char *name;
    const char *line;
    const char *option;
    const char *makes;
    const char *before;
    const struct typed *typed;
    enum telling telling;
    bool measures;   /* what it writes is never the same; it has so many lines, */
    const char *end; /* or, if it tells what disturbed it, ends so */
    bool heading;    /* a picture headed by a range that a thread finds, or cannot find */
    bool slow;       /* a sample renames a file alone */
} stated[] = {
    {.name = "scenario",
     .makes = REPLACES,
     .line = "screen design.ini --keys keys",
     .before =
         "$AOLAG presets show saxo >design.ini; printf '%s\\n' 'text :set scenario.packets=40' "
         "Enter 'text :w' Enter screen u 'text :w other.ini' Enter screen >keys",
     .telling = TELLS_SCREEN},
    {.name = "explorer",
     .makes = REPLACES,
     .line = "design.ini",
     .before = "$AOLAG presets show saxo >design.ini; mkdir -p .local/state/aolag; "
               "echo tour >.local/state/aolag/tour",
     .typed = saving,
     .telling = TELLS_LATER},
    {.name = "recovery file",
     .makes = MAKES "mkdir ",
     .line = "design.ini",
     .before = "$AOLAG presets show saxo >design.ini; mkdir -p .local/state/aolag; "
               "echo tour >.local/state/aolag/tour",
     .typed = dying,
     .telling = TELLS_LATER},
    {.name = "preset",
     .makes = REPLACES,
     .line = "jitter latencies.txt --preset amd-epyc-7742 -o mine.ini",
     .option = "output",
     .before = "cp $TESTDATA/latencies.txt .; echo old >mine.ini"},
    {.name = "calibrated design",
     .makes = REPLACES,
     .line = "calibrate elt-scao --measured latency=65us -o new.ini --force",
     .option = "output",
     .before = "echo old >new.ini"},
    {.name = "imported scenario",
     .makes = REPLACES,
     .line = "import small.json -o small.ini --force",
     .option = "output",
     .before = "cp $TESTDATA/daolite/small.json .; echo old >small.ini"},
    {.name = "new imported scenario",
     .makes = MAKES,
     .line = "import small.json -o small.ini --force",
     .option = "output",
     .before = "cp $TESTDATA/daolite/small.json ."},
    {.name = "exported loop",
     .makes = REPLACES,
     .line = "export tiptop eris -o eris.ini",
     .option = "output",
     .before = "echo old >eris.ini"},
    {.name = "imported agenda",
     .makes = MAKES,
     .line = "import agendas.yaml -o agendas.ini --force",
     .option = "output",
     .before = "cp $TESTDATA/daolite/agendas.yaml ."},
    {.name = "machine preset",
     .makes = MAKES "mkdir ",
     .line = "probe --from machine.csv --save mine",
     .option = "save",
     .before = "cp $TESTDATA/state/aolag/machine.csv ."},
    {.name = "GPU preset",
     .makes = MAKES "mkdir ",
     .line = "probe --from gpu.csv --save mine",
     .option = "save",
     .before = "cp $TESTDATA/gpu.csv ."},
    {.name = "chart",
     .makes = REPLACES,
     .line = "plot timeline saxo -o chart.svg",
     .option = "output",
     .before = "echo old >chart.svg"},
    {.name = "new chart",
     .makes = MAKES,
     .line = "plot timeline saxo -o chart.svg",
     .option = "output",
     .before = "echo >nothing"},
    {.name = "report",
     .makes = REPLACES,
     .line = "eval saxo --markdown -o report.md",
     .option = "output",
     .before = "echo old >report.md; echo old >report-roofline.svg"},
    {.name = "trace",
     .makes = REPLACES,
     .line = "trace --from lackey.txt --cache 1MiB -o trace.csv",
     .option = "output",
     .before = "cp $TESTDATA/lackey.txt .; echo old >trace.csv"},
    {.name = "picture of the screen",
     .makes = REPLACES,
     .line = "screen small.ini --svg screen.svg",
     .option = "svg",
     .before = "cp $TESTDATA/small.ini .; echo old >screen.svg"},
    {.name = "picture of a search",
     .makes = REPLACES,
     .line = "search --over device.rtc=amd-epyc-7742,amd-epyc-9654 small.ini --svg front.svg",
     .option = "svg",
     .before = "cp $TESTDATA/small.ini .; echo old >front.svg"},
    {.name = "picture of merged blocks",
     .makes = REPLACES,
     .line = "merge search.1 search.2 --svg front.svg",
     .option = "svg",
     .before = "cp $TESTDATA/small.ini $TMPDIR/search.1 $TMPDIR/search.2 .; echo old >front.svg"},
    {.name = "measurement",
     .makes = REPLACES "mkdir ",
     .line = "probe memory --quick --largest 64KiB",
     .before = "$AOLAG probe memory --quick --largest 64KiB >/dev/null 2>&1",
     .measures = true,
     .slow = true},
    {.name = "run",
     .makes = REPLACES,
     .line = "run run.ini --frames 1 --output run.json",
     .option = "output",
     .before = "cp $TESTDATA/run.ini .; $AOLAG run run.ini --frames 1 --output run.json >/dev/null",
     .measures = true,
     .end = "\n}\n",
     .slow = true},
};

enum { STATED = sizeof stated / sizeof stated[0], OUTPUTS_MAX = 64 };

/* Those, every chart of plot and that of every view. */
static struct output outputs[OUTPUTS_MAX];
static int output_count;

static void add_output(const struct output *output)
{
    if (output_count == OUTPUTS_MAX)
        stop("too many outputs");
    outputs[output_count++] = *output;
}

/* Returns the printed text, which is kept; without memory the campaign ends. */
__attribute__((format(printf, 1, 2))) static const char *keep_print(const char *format, ...)
{
    char *text;
    va_list list;

    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        stop("memory");
    va_end(list);
    return text;
}

/* The measurement of the machine that charts and a view show. */
#define MEASURED "mkdir -p .local/state; cp -r $TESTDATA/state/aolag .local/state/; "

void outputs_add_plot(const char *line)
{
    add_output(&(struct output){.name = line,
                                .makes = REPLACES,
                                .line = keep_print("%s -o chart.svg", line),
                                .option = "output",
                                .before = MEASURED "cp $TESTDATA/small.ini .; echo old >chart.svg",
                                .slow = true});
}

/* The views are 1 to the last one that the first line of the screen names. */
static void add_views(void)
{
    struct outcome screen = program_run(&(struct start){.line = "screen", .limit = -1});
    char *tabs = strstr(screen.out, "[1 ");
    int last = tabs == NULL ? 0 : 1;
    char next[16] = "";

    if (last > 0)
        tabs[strcspn(tabs, "\n")] = '\0';
    for (snprintf(next, sizeof next, " %d ", last + 1); last > 0 && strstr(tabs, next) != NULL;
         snprintf(next, sizeof next, " %d ", last + 1))
        last++;
    if (last < 2)
        stop("the first line has no views");
    outcome_free(&screen);
    for (int v = 1; v <= last; v++)
        add_output(&(struct output){
            .name = keep_print("picture of view %d", v),
            .makes = MAKES,
            .line = "screen small.ini --keys keys",
            .before = keep_print(MEASURED "cp $TESTDATA/small.ini .; printf '%%s\\n' b %d wait "
                                          "'text :picture it.svg' Enter screen >keys",
                                 v),
            .telling = TELLS_SCREEN,
            .heading = true,
            .slow = v != 2});
}

void outputs_begin(void)
{
    for (size_t i = 0; i < STATED; i++)
        add_output(&stated[i]);
    add_views();
}

static struct operation {
    const char *name; /* as tests/faults/starve.c calls it */
    unsigned long tried, all, bad;
} operations[] = {
    {.name = "open"},   {.name = "write"},     {.name = "fsync"},  {.name = "fsync-folder"},
    {.name = "fchmod"}, {.name = "fchown"},    {.name = "close"},  {.name = "rename"},
    {.name = "unlink"}, {.name = "mkdir"},     {.name = "memory"}, {.name = "thread"},
    {.name = "size"},   {.name = "fsetxattr"},
};

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static const struct way {
    const char *name;
    const char *how; /* NULL: fails for `reason` */
    int reason;
} ways[] = {
    {"EIO", NULL, EIO},
    {"ENOSPC", NULL, ENOSPC},
    {"EDQUOT", NULL, EDQUOT},
    {"EINTR", NULL, EINTR},
    {"EROFS", NULL, EROFS},
    {"EMFILE", NULL, EMFILE},
    {"killed before", "before", 0},
    {"killed after", "after", 0},
    {"short", "short", 0},
};

enum { WAYS = sizeof ways / sizeof ways[0] };

/* The program without a fault: files before and after it. */
struct plan {
    const struct output *output;
    struct files old, new;
    struct outcome whole;
};

/* What is wrong -------------------------------------------------------------------------------- */

static bool is_temporary(const char *path)
{
    const char *name = strrchr(path, '/');

    return name != NULL && strncmp(name, "/.aolag-", 8) == 0;
}

static size_t count_lines(const struct files *files, int number)
{
    size_t lines = 0;

    for (size_t i = 0; i < files->list[number].length; i++)
        lines += files->list[number].bytes[i] == '\n';
    return lines;
}

static bool ends_with(const struct files *files, int number, const char *end)
{
    size_t length = strlen(end);

    return files->list[number].length > length &&
           memcmp(files->list[number].bytes + files->list[number].length - length, end, length) ==
               0;
}

/* Whether file `a` of some files is file `b` of others. */
static bool same_file(const struct plan *plan, const struct files *some, int a,
                      const struct files *others, int b)
{
    if (a < 0 || b < 0)
        return a == b;
    if (plan->output->end != NULL && ends_with(some, a, plan->output->end))
        return ends_with(others, b, plan->output->end);
    if (plan->output->measures)
        return count_lines(some, a) == count_lines(others, b);
    return some->list[a].length == others->list[b].length &&
           memcmp(some->list[a].bytes, others->list[b].bytes, some->list[a].length) == 0;
}

/* Returns true for a whole picture without the range of its heading. */
static bool is_picture_without_range(const struct plan *plan, const struct files *now, int at)
{
    return plan->output->heading && at >= 0 && ends_with(now, at, "</svg>\n");
}

static bool names_it(const struct outcome *outcome, const char *path)
{
    const char *name = strrchr(path, '/') + 1;

    return strstr(outcome->err, name) != NULL || strstr(outcome->out, name) != NULL;
}

/* Checks one path; adds to `news` if it has its new contents, or none before and after. */
static const char *check_path(const struct plan *plan, const struct files *now, const char *path,
                              const struct outcome *outcome, bool killed, bool *all_new)
{
    int at = files_find(now, path);
    int old = files_find(&plan->old, path);
    int new = files_find(&plan->new, path);

    if (old < 0 && new < 0) {
        if (is_temporary(path) && killed)
            return NULL;
        /* what it could not remove it names; the recovery file of a discarded design is no loss */
        if (plan->output->typed != NULL)
            return is_temporary(path) || strstr(path, "/recover.ini") != NULL ||
                           strstr(path, ".other-") != NULL
                       ? NULL
                       : "leaves a file";
        return names_it(outcome, path) ? NULL : "leaves a file without a word";
    }
    if (old >= 0 && at >= 0 && files_marked(NULL) && !files_marked(path))
        return "loses an attribute of the file";
    if (!same_file(plan, now, at, &plan->new, new))
        *all_new = false;
    return same_file(plan, now, at, &plan->old, old) || same_file(plan, now, at, &plan->new, new) ||
                   is_picture_without_range(plan, now, at)
               ? NULL
               : "leaves neither the old file nor the new one";
}

static const char *check_files(const struct plan *plan, const struct outcome *outcome, bool killed,
                               bool *all_new)
{
    struct files now = files_look();
    const struct files *sets[] = {&now, &plan->old, &plan->new};
    const char *wrong = NULL;

    *all_new = true;
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        for (int i = 0; i < sets[s]->count && wrong == NULL; i++)
            wrong = check_path(plan, &now, sets[s]->list[i].path, outcome, killed, all_new);
    files_free(&now);
    return wrong;
}

/* A next run without a fault succeeds, and removes what the killed one left. */
static const char *run_again(const struct plan *plan)
{
    struct outcome again = program_run(&(struct start){.line = plan->output->line, .limit = -1});
    bool good = again.status == plan->whole.status;
    struct files now = files_look();

    for (int i = 0; i < now.count; i++)
        good = good && !is_temporary(now.list[i].path);
    files_free(&now);
    outcome_free(&again);
    return good ? NULL : "does not succeed after that, or leaves temporary files";
}

static bool tells(const struct outcome *outcome, int reason)
{
    const char *words = strerror(reason);

    return strstr(outcome->out, words) != NULL || strstr(outcome->err, words) != NULL;
}

static const char *find_fault(const struct plan *plan, const struct outcome *outcome,
                              const struct way *way)
{
    bool killed = WIFSIGNALED(outcome->status) && WTERMSIG(outcome->status) == SIGKILL;
    bool ran_out = ran_out_of_memory(outcome);
    bool complete = false;
    const char *wrong = check_files(plan, outcome, killed || ran_out, &complete);

    if (wrong != NULL || outcome->hangs)
        return wrong != NULL ? wrong : "hangs";
    if (killed)
        return way->how == NULL              ? "is killed"
               : plan->output->typed != NULL ? NULL
                                             : run_again(plan);
    if (plan->output->typed != NULL && !outcome->terminal_back)
        return "does not give the terminal back";
    if (WIFSIGNALED(outcome->status) && outcome->status != plan->whole.status)
        return "crashes";
    if (ran_out)
        return plan->output->typed != NULL ? NULL : run_again(plan);
    if (outcome->status != plan->whole.status)
        return plan->output->typed != NULL || is_sentence(outcome->err, outcome->err_length)
                   ? NULL
                   : "fails without a sentence";
    if (complete || plan->output->telling == TELLS_LATER)
        return NULL;
    if (plan->output->telling == TELLS_STATUS)
        return "succeeds without its files";
    return way->reason == 0 || tells(outcome, way->reason) ? NULL : "does not say why";
}

/* Running -------------------------------------------------------------------------------------- */

static bool plan_output(struct plan *plan, const struct output *output, const char *counts)
{
    const struct start start = {
        .line = output->line, .limit = -1, .counts = counts, .typed = output->typed};

    *plan = (struct plan){.output = output};
    files_put(&plan->old);
    if (system(output->before) != 0)
        stop(output->before);
    plan->old = files_look();
    files_put(&plan->old);
    plan->whole = program_run(&start);
    plan->new = files_look();
    return true;
}

static void free_plan(struct plan *plan)
{
    files_free(&plan->old);
    files_free(&plan->new);
    outcome_free(&plan->whole);
}

/* Memory and threads fail for the reason that they have, not for any of the ways. */
static bool has_one_reason(const char *operation)
{
    return strcmp(operation, "memory") == 0 || strcmp(operation, "thread") == 0;
}

static bool try_fault(const struct plan *plan, struct operation *operation, unsigned long at,
                      const struct way *way, bool show)
{
    struct start start = {
        .line = plan->output->line,
        .limit = -1,
        .typed = plan->output->typed,
        .refusal = {.of = operation->name, .at = at, .how = way->how, .reason = way->reason}};
    struct way reason = *way;
    struct outcome outcome;
    const char *wrong;

    if (strcmp(operation->name, "size") == 0) {
        start.refusal = (struct refusal){.of = NULL};
        start.limit = RLIMIT_FSIZE;
        start.most = at - 1;
        reason.reason = EFBIG;
    }
    if (has_one_reason(operation->name))
        start.refusal.reason = reason.reason = 0;
    files_put(&plan->old);
    outcome = program_run(&start);
    wrong = find_fault(plan, &outcome, &reason);
    operation->tried++;
    operation->bad += wrong != NULL;
    if (wrong != NULL && show)
        printf("# %s %lu, %s: aolag %s: %s\n# %.*s\n", operation->name, at, way->name,
               plan->output->line, wrong, (int)strcspn(outcome.err, "\n"), outcome.err);
    outcome_free(&outcome);
    return wrong == NULL;
}

static bool is_way_of(const struct way *way, const char *operation)
{
    if (strcmp(operation, "size") == 0)
        return way == ways;
    if (has_one_reason(operation) && way->reason != EIO)
        return false;
    return way->how == NULL || strcmp(way->how, "short") != 0 || strcmp(operation, "write") == 0;
}

/* Tries one operation on an output; a sample is one fault, and what cannot be removed, or few
 * allocations of a command. */
static void try_operation(const struct plan *plan, struct operation *operation,
                          unsigned long requests, bool all, struct tally *tally)
{
    unsigned chosen = (unsigned)(plan->output - outputs) * 5 + (unsigned)(operation - operations);
    unsigned long few =
        strcmp(operation->name, "memory") == 0 && plan->output->option != NULL ? 6 : 1;
    unsigned long tried = operation->tried, bad = 0;

    for (unsigned w = 0; w < WAYS; w++)
        operation->all += is_way_of(&ways[w], operation->name) ? requests : 0;
    for (unsigned long i = 0; i < (all || few > requests ? requests : few) && !budget_share_spent();
         i++)
        for (unsigned n = 0; n < WAYS && !budget_share_spent(); n++) {
            unsigned w = all ? (n + chosen) % WAYS : n; /* a short share has another way each */
            bool one = strcmp(operation->name, "size") == 0;
            bool stays = w == 0 && (strcmp(operation->name, "unlink") == 0 ||
                                    has_one_reason(operation->name));

            if (!is_way_of(&ways[w], operation->name) ||
                (!all && !one && !stays && w != chosen % (WAYS - 1)))
                continue;
            bad += !try_fault(plan, operation, spread(i + chosen, requests), &ways[w],
                              bad < SHOWN_MAX);
        }
    tally_case(tally, operation->tried - tried, bad, "%s: %s fails", plan->output->name,
               operation->name);
}

/* Whether a word stands among words that each have a blank after them. */
static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = words; (at = strstr(at, word)) != NULL; at++)
        if ((at == words || at[-1] == ' ') && at[length] == ' ')
            return true;
    return false;
}

static void try_output(const struct output *output, bool all, struct tally *tally)
{
    char counts[] = "/tmp/aolag-counts-XXXXXX";
    int file = mkstemp(counts);
    struct plan plan;
    bool complete;

    if (file < 0)
        stop("mkstemp");
    close(file);
    plan_output(&plan, output, counts);
    if (check_files(&plan, &plan.whole, false, &complete) != NULL || plan.new.count == 0 ||
        program_count(counts, "write") == 0 ||
        (output->typed != NULL && !plan.whole.terminal_back)) {
        tally->failures++;
        printf("not ok %u - %s: writes nothing\n%s", ++tally->cases, output->name, plan.whole.err);
    }
    for (int o = 0; o < OPERATIONS; o++) {
        bool size = strcmp(operations[o].name, "size") == 0;
        unsigned long requests = size ? 2 : program_count(counts, operations[o].name);

        budget_share();
        if (requests == 0 && has_word(output->makes, operations[o].name) &&
            (files_marked(NULL) || strcmp(operations[o].name, "fsetxattr") != 0))
            tally_case(tally, 1, 1, "%s: makes no %s", output->name, operations[o].name);
        if (requests > 0 && (all || !output->slow || strcmp(operations[o].name, "rename") == 0))
            try_operation(&plan, &operations[o], requests, all, tally);
    }
    free_plan(&plan);
    unlink(counts);
}

/* Completeness --------------------------------------------------------------------------------- */

static bool is_in_table(const char *command, const char *option)
{
    size_t length = strlen(command);

    for (int i = 0; i < output_count; i++)
        if (outputs[i].option != NULL && strcmp(outputs[i].option, option) == 0 &&
            strncmp(outputs[i].line, command, length) == 0 && outputs[i].line[length] == ' ')
            return true;
    return false;
}

/* An option that writes: of those whose argument is a file, all but those that read it, and --save
 * NAME. */
static bool writes_file(const char *option, const char *argument)
{
    return strcmp(option, "save") == 0 ||
           (strncmp(argument, "FILE", 4) == 0 && strcmp(option, "from") != 0 &&
            strcmp(option, "file") != 0 && strcmp(option, "keys") != 0 &&
            strcmp(option, "run") != 0);
}

/* Checks that the table has every option of a command that writes a file. */
static void check_command(const char *command, struct tally *tally)
{
    char line[LINE_BYTES], option[32], argument[32];
    struct outcome help;
    char *rest;

    snprintf(line, sizeof line, "help %s", command);
    help = program_run(&(struct start){.line = line, .limit = -1});
    for (char *at = strtok_r(help.out, "\n", &rest); at != NULL; at = strtok_r(NULL, "\n", &rest)) {
        char *name = strstr(at, "--");

        at += strspn(at, " ");
        if (at[0] == '-' && name != NULL &&
            sscanf(name, "--%31[a-z-] %31s", option, argument) == 2 &&
            writes_file(option, argument))
            tally_case(tally, 1, !is_in_table(command, option), "%s --%s is tried", command,
                       option);
    }
    outcome_free(&help);
}

static bool is_selected(const struct output *output, const char *only)
{
    return strstr(output->name, only) != NULL || strstr(output->line, only) != NULL;
}

unsigned outputs_shares(const char *only)
{
    unsigned shares = 0;

    for (int i = 0; i < output_count; i++)
        shares += is_selected(&outputs[i], only) ? OPERATIONS : 0;
    return shares;
}

void outputs_try(const char *only, bool all, struct tally *tally)
{
    for (int i = 0; only[0] == '\0' && program_command(i) != NULL; i++)
        check_command(program_command(i), tally);
    for (int i = 0; i < output_count; i++)
        if (is_selected(&outputs[i], only))
            try_output(&outputs[i], all, tally);
}

void outputs_print_table(void)
{
    for (int o = 0; o < OPERATIONS; o++)
        if (operations[o].tried > 0)
            printf("| files: %s fails, or a kill there | %lu | %lu | %lu |\n", operations[o].name,
                   operations[o].tried, operations[o].all, operations[o].bad);
}
