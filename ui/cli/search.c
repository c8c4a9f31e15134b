#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/nearest.h"
#include "charts/picture.h"
#include "charts/search.h"
#include "cli/arguments.h"
#include "cli/axes.h"
#include "cli/estimate.h"
#include "cli/long_run.h"
#include "cli/search.h"
#include "cli/source.h"
#include "command.h"
#include "explore/search_axes.h"
#include "report/search.h"

#define EXAMPLE "--over device.gpu0=gpu"

/* Designs from which on a search has a bound, with the largest sample. It makes the default search
 * of an AO system 1.2 to 4 times as fast. */
#define BOUND_LEAST ((uint64_t)SWEEP_SAMPLE_PART * SWEEP_SAMPLE)
#define ROUGH_TIME 0.5 /* s, to find a bound before the first estimate */
#define ROUGH_MARGIN 4 /* the whole bound made a search of MORFEO four times as fast */

#define ANSWER_TIME 0.1 /* s, for the ranges after a signal */

static const struct option_row search_options[] = {
    OPTION_ALL_EQUIVALENT,
    {.name = "any-host",
     .help = "also try parts that are not sold singly or need another host, by their link or the "
             "PCIe lanes"},
    {.name = "bound",
     .help =
         "exclude designs that cannot be on the front without evaluating them; default: if there "
         "are many, or all would take longer than the budget"},
    OPTION_BUDGET,
    OPTION_CSV,
    OPTION_FILE,
    OPTION_HELP,
    OPTION_JOBS,
    OPTION_JSON,
    OPTION_MARKDOWN,
    {.name = "objective",
     .argument = "PATH,...",
     .help = "results to optimise; default: " OBJECTIVES_DEFAULT ", or " OBJECTIVES_OF_LOOP
             " with a star if an axis changes more than the latency"},
    {.name = "over",
     .argument = "P=VALUES",
     .help =
         "values of a knob, or parts of a device, to try; may be repeated; default: all parts of "
         "the devices in use, their numbers and packets, as in the view Advise"},
    OPTION_SET,
    {.name = "shard",
     .argument = "K/N",
     .help =
         "try block K of N contiguous blocks of the designs and print its answer for aolag merge"},
    OPTION_FRONT_SVG,
    OPTION_TOP,
    {.name = "where",
     .argument = "CONDITION",
     .help = "condition to meet, for example 'latency_high<=500us'; may be repeated"},
    {.name = "why", .argument = "PRESET", .help = "say what dominates the designs with a preset"},
    OPTION_WITHIN,
    OPTION_END,
};

static const struct option_rule search_rules[] = {
    {.option = "shard", .other = "all", .excludes = true},
    {.option = "shard", .other = "csv", .excludes = true},
    {.option = "shard", .other = "json", .excludes = true},
    {.option = "shard", .other = "markdown", .excludes = true},
    {.option = "shard", .other = "svg", .excludes = true},
    {.option = "shard", .other = "top", .excludes = true},
    {.option = "shard", .other = "within", .excludes = true},
    {.option = NULL},
};

struct searching {
    struct cli *cli;
    const struct arguments *arguments;
    const struct arguments *output; /* with --json and the like; of aolag merge its own */
    struct opened_design *design;
    struct axes axes;
    struct search_axes chosen; /* without --over */
    struct search search;
    uint64_t shard, shards;
    uint64_t first, end; /* designs */
    struct progress_line line;
    bool keeps;     /* an interruption keeps the answer so far */
    double stop_at; /* s; of the sample, and of the answer once a signal is received */
    struct search_answer answer;
};

/* Question ------------------------------------------------------------------------------------- */

/* Lists the values of an option that may be repeated. Returns their number. */
static int list_values(const struct arguments *arguments, const char *name, const char **values)
{
    int count = 0;

    for (int i = 0; i < arguments->count; i++)
        if (arguments->list[i].option != NULL && strcmp(arguments->list[i].option->name, name) == 0)
            values[count++] = arguments->list[i].value;
    return count;
}

static int read_conditions(struct searching *s)
{
    const char **texts = allocate_array((size_t)s->arguments->count + 1, sizeof *texts);
    struct buffer all = {0};
    struct error error;
    int status = EXIT_GOOD;
    int count = list_values(s->arguments, "where", texts);

    for (int i = 0; i < count; i++)
        buffer_print(&all, "%s%s", i > 0 ? "," : "", texts[i]);
    if (count > 0 && conditions_parse(&s->design->scenario, &s->design->result, all.bytes,
                                      &s->search.conditions, &error) != STATUS_OK)
        status = arguments_usage_error(s->arguments, "--where: %s", error.message);
    buffer_free(&all);
    free(texts);
    return status;
}

/* Chooses the axes where none is stated. Returns their number. */
static int choose_axes(struct searching *s, const char **texts)
{
    const struct assignments set = {s->arguments->assignments, s->arguments->assignment_count};

    search_axes_choose(&s->chosen, &s->design->scenario, &s->design->result, s->cli->catalogue,
                       &set);
    s->search.chosen = &s->chosen;
    s->axes.skip = true;
    for (int i = 0; i < s->chosen.count; i++)
        texts[i] = s->chosen.text[i];
    return s->chosen.count;
}

static int read_axes(struct searching *s)
{
    const char **texts =
        allocate_array((size_t)s->arguments->count + SWEEP_AXES_MAX, sizeof *texts);
    int count = list_values(s->arguments, "over", texts);
    int status;

    if (count == 0)
        count = choose_axes(s, texts);
    if (count == 0)
        status = arguments_usage_error(
            s->arguments,
            "nothing is left to vary; --over states values, as in: aolag search elt-scao " EXAMPLE);
    else
        status = axes_read(&s->axes, s->cli, s->arguments, &s->design->scenario, texts, count,
                           &s->search.sweep);
    for (int i = 0; i < count && status == EXIT_GOOD; i++)
        if (!arguments_has(s->arguments, "any-host"))
            axis_leave_out(&s->axes.axis[i], &s->design->scenario, texts[i]);
    for (int i = 0; i < count && status == EXIT_GOOD; i++)
        source_note_photons(s->cli, &s->design->scenario, s->axes.axis[i].ref);
    if (status == EXIT_GOOD)
        search_order_axes(&s->search, s->axes.axis, count);
    free(texts);
    return status;
}

/* Finds the preset of --why on an axis. */
static int read_why(struct searching *s)
{
    const char *why = arguments_value(s->arguments, "why");
    struct nearest nearest = nearest_to(why != NULL ? why : "");

    s->search.why = why;
    for (int i = 0; why != NULL && i < s->search.sweep.axis_count; i++) {
        const struct axis *axis = &s->search.sweep.axis[i];

        for (int v = 0; axis->preset != NULL && v < axis->count; v++) {
            if (strcmp(axis->word[v], why) == 0)
                return EXIT_GOOD;
            nearest_offer(&nearest, axis->word[v]);
        }
        for (int v = axis->count; v < axis->count + axis->left_out; v++)
            if (strcmp(axis->word[v], why) == 0)
                return arguments_usage_error(s->arguments,
                                             "--why: %s is not tried, as it is not sold singly; "
                                             "name it in --over, or give --any-host",
                                             why);
    }
    if (why == NULL)
        return EXIT_GOOD;
    return arguments_usage_error(s->arguments, "--why: no axis has the preset \"%s\"%s%s%s", why,
                                 nearest.best[0] != '\0' ? "; did you mean " : "", nearest.best,
                                 nearest.best[0] != '\0' ? "?" : "");
}

static int read_question(struct searching *s)
{
    const char *objectives = arguments_value(s->arguments, "objective");
    struct search *search = &s->search;
    struct error error;
    int status = read_axes(s);

    if (status == EXIT_GOOD && objectives == NULL)
        objectives = search_default_objectives(search, &s->design->result);
    search->sweep.any_host = arguments_has(s->arguments, "any-host");
    search->sweep.jobs = (int)arguments_number(s->arguments, "jobs", 0);
    if (status == EXIT_GOOD && sweep_count(&search->sweep, &search->designs, &error) != STATUS_OK)
        status = arguments_usage_error(s->arguments, "%s", error.message);
    if (status == EXIT_GOOD && search_parse_objectives(&s->design->scenario, &s->design->result,
                                                       objectives, search, &error) != STATUS_OK)
        status = arguments_usage_error(s->arguments, "--objective: %s", error.message);
    if (status == EXIT_GOOD)
        status = read_conditions(s);
    if (status == EXIT_GOOD)
        status = read_why(s);
    if (status == EXIT_GOOD && arguments_has(s->arguments, "bound") && !search_can_bound(search))
        status = arguments_usage_error(
            s->arguments,
            "--bound: this search has none; it needs the objectives latency, latency_high, watts, "
            "price or count, axes of parts with 64 combinations, and no formulas");
    if (status == EXIT_GOOD)
        status = axes_read_shard(s->arguments, &s->shard, &s->shards);
    if (status == EXIT_GOOD)
        sweep_shard(search->designs, s->shard, s->shards, &s->first, &s->end);
    return status;
}

/* Running -------------------------------------------------------------------------------------- */

static bool show_progress(void *context, double done)
{
    struct searching *s = context;

    if (done > 0 && progress_line_age(&s->line) > 1)
        progress_line_draw(&s->line, "%.1f %%, %.0f s left%s", 100 * done,
                           progress_line_age(&s->line) * (1 - done) / done,
                           s->keeps ? "; Ctrl-C keeps the front so far" : "");
    return long_run_signal() == 0;
}

static bool end_sample(void *context, double done)
{
    const struct searching *s = context;

    (void)done;
    return clock_seconds() < s->stop_at && long_run_signal() == 0;
}

/* Returns how long a search with a bound would take, s, whose designs are excluded in whole
 * combinations of parts. */
static double estimate_bounded_time(struct searching *s)
{
    const struct progress progress = {end_sample, s};
    uint64_t inner = sweep_inner(&s->search.sweep);
    uint64_t designs = s->end - s->first;
    uint64_t tried = 0;
    double began = clock_seconds();

    s->stop_at = HUGE_VAL;
    for (uint64_t k = 0; k < designs / inner && tried < designs / SAMPLE_PART &&
                         clock_seconds() < began + SAMPLE_TIME;
         k++) {
        /* 37 is prime to most numbers of combinations: the first ones, too, lie far apart */
        uint64_t outer = s->first / inner + k * 37 % (designs / inner);
        struct search sample = s->search;
        struct error error;

        sample.sweep.jobs = 1;
        sample.front = sample.why_front = (struct search_front){.count = 0};
        search_run(&sample, outer * inner, (outer + 1) * inner, &progress, &error);
        free(sample.front.point);
        free(sample.why_front.point);
        tried += inner;
    }
    return tried == 0 ? 0
                      : (clock_seconds() - began) / (double)tried * (double)designs /
                            sweep_threads(&s->search.sweep, designs);
}

/* Finds the bound. If that takes long, the time of the search is first estimated with what is known
 * by then, which excludes fewer designs: one that would take far more than `most` is refused at
 * once. `seconds`: that estimate, else 0. */
static int find_search_bound(struct searching *s, double most, double *seconds)
{
    const struct progress sample = {end_sample, s};
    const struct progress progress = {show_progress, s};
    const struct search unbounded = s->search;
    struct error error;
    enum status status;

    *seconds = 0;
    s->stop_at = clock_seconds() + ROUGH_TIME;
    status = search_bound(&s->search, &sample, &error);
    if (status == STATUS_STOPPED && long_run_signal() == 0) {
        *seconds = estimate_bounded_time(s);
        if (*seconds > ROUGH_MARGIN * most)
            return EXIT_GOOD;
        *seconds = 0;
        free(s->search.known.point);
        s->search = unbounded;
        status = search_bound(&s->search, &progress, &error);
    }
    if (status == STATUS_OK || long_run_signal() != 0) /* which ends the search */
        return EXIT_GOOD;
    progress_line_clear(&s->line);
    return arguments_problem(s->cli, "%s", error.message);
}

/* Decides whether the search is exhaustive or has a bound, and refuses one that would take longer
 * than its budget. A block has a bound only if it is asked for: all blocks have the same. */
static int check_budget(struct searching *s)
{
    double most = estimate_limit(s->arguments);
    uint64_t designs = s->end - s->first;
    bool asked = arguments_has(s->arguments, "bound");
    bool can = !arguments_has(s->arguments, "shard") && search_can_bound(&s->search);
    bool bound = asked || (can && designs >= BOUND_LEAST);
    double seconds = bound ? 0 : estimate_sweep(&s->search.sweep, s->first, s->end);
    double rough = 0;
    int status;

    bound = bound || (can && seconds > most);
    status = bound ? find_search_bound(s, most, &rough) : EXIT_GOOD;
    if (rough > 0)
        seconds = rough;
    else if (status == EXIT_GOOD && bound && designs >= SAMPLE_LEAST)
        seconds = estimate_bounded_time(s);
    if (status != EXIT_GOOD || seconds <= most || long_run_signal() != 0)
        return status;
    progress_line_clear(&s->line);
    return estimate_refuse(s->arguments, &s->search.sweep, designs, seconds,
                           rough > 0 ? "up to " : "", bound ? " with the bound" : "", true);
}

/* Runs the search. One that a signal stops has the answer of the designs so far; a block is of no
 * use then, and neither is a search that has not begun. */
static int run_designs(struct searching *s)
{
    const struct progress progress = {show_progress, s};
    struct error error = {.status = STATUS_OK};
    int status = check_budget(s);

    if (status == EXIT_GOOD && long_run_signal() == 0) {
        s->keeps = !arguments_has(s->arguments, "shard");
        search_run(&s->search, s->first, s->end, &progress, &error);
    }
    progress_line_clear(&s->line);
    return error.status == STATUS_OK || error.status == STATUS_STOPPED
               ? status
               : arguments_problem(s->cli, "%s", error.message);
}

static bool show_ranges(void *context, double done)
{
    struct searching *s = context;

    if (long_run_signal() != 0) {
        if (s->stop_at == HUGE_VAL)
            s->stop_at = clock_seconds() + ANSWER_TIME;
        return clock_seconds() < s->stop_at;
    }
    if (done >= 0 && progress_line_age(&s->line) > 1)
        progress_line_draw(&s->line, "%.0f %% of the ranges of the front", 100 * done);
    return true;
}

static struct search_output output_of(const struct searching *s)
{
    return (struct search_output){.top = (int)arguments_number(s->output, "top", 0),
                                  .all = arguments_has(s->output, "all"),
                                  .within = arguments_number(s->output, "within", 0) / 100};
}

/* Evaluates the designs of the answer. After a signal there is time for the ranges of ordinary
 * designs, but not of those that take long. */
static int find_answer(struct searching *s)
{
    const struct progress progress = {show_ranges, s};
    struct error error;

    s->stop_at = HUGE_VAL;
    if (search_answer(&s->search, &progress, &s->design->result, &s->answer, &error) == STATUS_OK) {
        search_fold(&s->search, output_of(s).within, &s->answer);
        return EXIT_GOOD;
    }
    progress_line_clear(&s->line);
    return arguments_problem(s->cli, "%s", error.message);
}

/* Writes the picture, before the report is printed. */
static int write_picture(struct searching *s)
{
    const char *path = arguments_value(s->output, "svg");
    struct chart chart = {.count = 0};
    int status;

    if (path == NULL)
        return EXIT_GOOD;
    chart_search(&chart, &s->search, &s->answer, arguments_has(s->output, "all"));
    chart_source(&chart, "", "");
    status = arguments_save_picture(s->cli, path, &chart);
    chart_free(&chart);
    return status;
}

static int print_answer(struct searching *s)
{
    struct record record = record_to(s->cli->out, arguments_format(s->output));
    const char *picture = arguments_value(s->output, "svg");
    const struct search_output output = output_of(s);
    int status = write_picture(s);

    if (status == EXIT_GOOD && (picture == NULL || strcmp(picture, "-") != 0))
        search_report(&record, &s->search, &s->answer, &output);
    return status;
}

/* Shards --------------------------------------------------------------------------------------- */

/* Writes an option of the question as it is given. Returns false for one that is not part of it. */
static bool print_option(const struct argument *argument, struct buffer *text)
{
    static const char *const others[] = {"budget", "jobs", "shard"};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(argument->option->name, others[i]) == 0)
            return false;
    buffer_print(text, "--%s%s%s", argument->option->name, argument->value != NULL ? "=" : "",
                 argument->value != NULL ? argument->value : "");
    return true;
}

/* Lists the arguments of the question, the scenario last, as texts that the caller frees. `list`
 * has room for two more than there are. Returns their number. */
static int list_arguments(const struct arguments *arguments, char **list)
{
    const char *operand = arguments_operand(arguments, 0);
    int count = 0;

    for (int i = 0; i < arguments->count; i++) {
        struct buffer text = {0};

        if (arguments->list[i].option == NULL || !print_option(&arguments->list[i], &text))
            continue;
        list[count++] = text.bytes;
    }
    if (operand == NULL)
        return count;
    list[count] = allocate_text("--");
    list[count + 1] = allocate_text(operand);
    return count + 2;
}

/* Refuses a question that the file of a block cannot keep. */
static int check_shard(const struct arguments *arguments)
{
    const char *operand = arguments_operand(arguments, 0);

    if (!arguments_has(arguments, "shard"))
        return EXIT_GOOD;
    if (operand != NULL && strcmp(operand, "-") == 0)
        return arguments_usage_error(arguments, "--shard needs a design that aolag merge can read "
                                                "again, not standard input");
    for (int i = 0; i < arguments->count; i++)
        if (arguments->list[i].value != NULL && strchr(arguments->list[i].value, '\n') != NULL)
            return arguments_usage_error(arguments, "--shard: an argument has a line break");
    return EXIT_GOOD;
}

/* Fills in a block but for its arguments; it has the fronts of the search. */
static void describe_shard(const struct searching *s, struct shard *shard)
{
    const struct search *search = &s->search;

    *shard = (struct shard){.block = s->shard,
                            .blocks = s->shards,
                            .designs = search->designs,
                            .checksum = shard_checksum(search, catalogue_traces(s->cli->catalogue)),
                            .objectives = search->sweep.wanted_count,
                            .why = search->why != NULL,
                            .problem = search->problem,
                            .front = search->front,
                            .why_front = search->why_front};
    memcpy(shard->count, search->count, sizeof shard->count);
    memcpy(shard->why_count, search->why_count, sizeof shard->why_count);
}

static int print_shard(struct searching *s)
{
    struct shard shard;
    struct buffer text = {0};

    describe_shard(s, &shard);
    shard.argument = allocate_array((size_t)s->arguments->count + 2, sizeof *shard.argument);
    shard.argument_count = list_arguments(s->arguments, shard.argument);
    shard_print(&shard, &text);
    for (int i = 0; i < shard.argument_count; i++)
        free(shard.argument[i]);
    free(shard.argument);
    return arguments_save(s->cli, NULL, &text);
}

/* Adds the blocks to the answer. */
static int add_blocks(struct searching *s, struct shard *shard, int count)
{
    struct search *search = &s->search;
    struct shard here;

    describe_shard(s, &here);
    for (int i = 0; i < count; i++)
        if (shard[i].checksum != here.checksum || shard[i].designs != here.designs ||
            shard[i].objectives != here.objectives)
            return arguments_problem(s->cli,
                                     "%s was made with another design, other presets or another "
                                     "version of aolag than those here",
                                     shard[i].path);
    for (int i = 0; i < count; i++)
        shard_add(search, &shard[i]);
    search_sort(search, &search->front);
    search_sort(search, &search->why_front);
    return EXIT_GOOD;
}

static struct searching *begin_search(struct cli *cli, const struct arguments *arguments,
                                      const struct arguments *output, struct opened_design *design)
{
    struct searching *s = allocate_array(1, sizeof *s);

    s->cli = cli;
    s->arguments = arguments;
    s->output = output;
    s->design = design;
    return s;
}

static void end_search(struct searching *s)
{
    search_answer_free(&s->answer);
    search_free(&s->search);
    axes_free(&s->axes);
    search_axes_free(&s->chosen);
    free(s);
}

int search_merge(struct cli *cli, const struct arguments *question, const struct arguments *output,
                 struct opened_design *design, struct shard *shard, int count)
{
    struct searching *s = begin_search(cli, question, output, design);
    int status = read_question(s);

    if (status == EXIT_GOOD)
        status = add_blocks(s, shard, count);
    if (status == EXIT_GOOD)
        status = find_answer(s);
    if (status == EXIT_GOOD)
        status = print_answer(s);
    end_search(s);
    return status;
}

static int run_search(struct cli *cli, const struct arguments *arguments,
                      struct opened_design *design)
{
    bool shard = arguments_has(arguments, "shard");
    struct searching *s = begin_search(cli, arguments, arguments, design);
    int number;
    int status = read_question(s);

    long_run_open();
    s->line = progress_line_to(cli->err, true);
    if (status == EXIT_GOOD)
        status = run_designs(s);
    if (status == EXIT_GOOD && s->keeps)
        status = find_answer(s);
    progress_line_clear(&s->line);
    number = long_run_signal();
    long_run_close();
    if (number != 0 && !s->keeps) /* ends as if nothing had caught it */
        raise(number);
    if (status == EXIT_GOOD)
        status = shard ? print_shard(s) : print_answer(s);
    if (status == EXIT_GOOD && number != 0) {
        if (search_tried(&s->search) < s->search.designs)
            arguments_problem(cli, "stopped after %" PRIu64 " of %" PRIu64 " designs",
                              search_tried(&s->search), s->search.designs);
        else
            arguments_problem(cli, "stopped before all ranges of the front were found");
        status = 128 + number;
    }
    if (status == EXIT_GOOD && s->chosen.kinds != 0)
        status = source_report_unread(cli, s->chosen.kinds);
    end_search(s);
    return status;
}

const struct command command_search = {
    .name = "search",
    .operands = "[DESIGN|-] [--over P=VALUES...]",
    .operand_max = 1,
    .help =
        "Tries every combination of parts, their numbers and other values, and prints the designs "
        "worth having: those that no other one exceeds in latency, power or other objectives.",
    .options = search_options,
    .rules = search_rules,
    .group = GROUP_WHAT_IF,
    .priced = true,
    .input = INPUT_RESULT,
    .check = check_shard,
    .run = run_search,
};
