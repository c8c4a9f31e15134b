/* How fast the model and the explorer are here. Figures, no verdicts. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_file.h"
#include "model/budget.h"
#include "model/evaluate.h"
#include "model/jitter.h"
#include "model/stage.h"
#include "session.h"
#include "stopwatch.h"
#include "sweeping.h"
#include "tui/app.h"

#define STARTS 3

static struct catalogue *catalogue;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void print_conditions(void)
{
    char line[256];
    char model[256] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "model name : %255[^\n]", model) == 1)
            break;
    if (file != NULL)
        fclose(file);
#if defined(__clang__)
    printf("compiled by clang %s", __clang_version__);
#else
    printf("compiled by gcc %s", __VERSION__);
#endif
#if defined(__OPTIMIZE__)
    printf(", optimised");
#endif
    printf("; %s, %ld processors\n", model, sysconf(_SC_NPROCESSORS_ONLN));
    printf("%-56s %10s %10s\n", "", "least", "median");
}

static const struct preset *preset_of(const char *name)
{
    struct error error;
    const struct preset *preset = catalogue_find(catalogue, name, 1U << PRESET_AO, &error);

    if (preset == NULL)
        fail(name, error.message);
    return preset;
}

static void load(const struct preset *preset, struct scenario *scenario, struct document **document)
{
    struct problems problems = {NULL, 0, 0};

    if (scenario_parse(scenario, document, preset->text, preset->length, catalogue, &problems) !=
        STATUS_OK)
        fail(preset->name, "has problems");
    problems_free(&problems);
}

/* Evaluate ------------------------------------------------------------------------------------- */

struct evaluation {
    struct scenario scenario;
    struct result result;
    double *value; /* what changes from call to call, or NULL */
    double values[2];
};

static void evaluate_once(void *context, int i)
{
    struct evaluation *e = context;
    struct error error;

    if (e->value != NULL)
        *e->value = e->values[i % 2];
    if (evaluate(&e->scenario, &e->result, &error) != STATUS_OK)
        fail("evaluate", error.message);
}

static void time_evaluate(struct evaluation *e, const char *preset, const char *what, double *value,
                          double other)
{
    char name[96];

    e->value = value;
    if (value != NULL) {
        e->values[0] = *value;
        e->values[1] = other;
    }
    snprintf(name, sizeof name, "evaluate %s, %s", preset, what);
    stopwatch_print(name, stopwatch_run(evaluate_once, e), 1e9, "ns");
    if (value != NULL)
        *value = e->values[0];
}

/* Budget --------------------------------------------------------------------------------------- */

struct budgeting {
    struct evaluation design;
    struct budget budget;
    enum budget_depth depth;
};

static void budget_once(void *context, int i)
{
    struct budgeting *b = context;
    struct error error;

    (void)i;
    if (budget_fill(&b->budget, &b->design.scenario, &b->design.result, b->depth, &error) !=
        STATUS_OK)
        fail("budget", error.message);
}

/* The budget of 50 radial orders and a vibration. */
static void bench_budget(void)
{
    static const struct {
        const char *name;
        enum controller controller;
        double gain;
        enum budget_depth depth;
    } rows[] = {
        {"budget of 50 orders, given gain", CONTROLLER_INTEGRATOR, 0.3, BUDGET_TERMS},
        {"budget of 50 orders, LQG", CONTROLLER_LQG, 0, BUDGET_TERMS},
        {"budget of 50 orders, given gain, LQG of tip and tilt", CONTROLLER_LQG_TIP_TILT, 0.3,
         BUDGET_TERMS},
        {"budget of 50 orders, optimum gains, another delay", CONTROLLER_INTEGRATOR, 0,
         BUDGET_CHANGES},
    };
    static struct budgeting b;
    struct scenario *scenario = &b.design.scenario;
    struct document *document = NULL;

    load(preset_of("saxo"), scenario, &document);
    document_free(document);
    scenario->ao.diameter = 8;
    scenario->ao.modes = 1325;
    snprintf(scenario->ao.vibrations, sizeof scenario->ao.vibrations, "48 Hz:0.01:20 nm");
    result_init(&b.design.result);
    evaluate_once(&b.design, 0);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        scenario->ao.controller = (int)rows[r].controller;
        scenario->ao.gain = rows[r].gain;
        b.depth = rows[r].depth;
        stopwatch_print(rows[r].name, stopwatch_run(budget_once, &b), 1e6, "us");
    }
    result_free(&b.design.result);
}

/* The slowest legal design that tests/slow/climb found. */
static void bench_slowest(const char *path)
{
    static struct evaluation e;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};

    if (scenario_load(&e.scenario, &document, path, catalogue, &problems) != STATUS_OK)
        fail(path, "cannot be evaluated");
    result_init(&e.result);
    stopwatch_print("evaluate the slowest legal design found", stopwatch_run(evaluate_once, &e),
                    1e3, "ms");
    result_free(&e.result);
    problems_free(&problems);
    document_free(document);
}

static int first_of(const struct scenario *scenario, enum component_type type)
{
    int i = 0;

    while (i < scenario->component_count - 1 && scenario->component[i].type != (int)type)
        i++;
    return i;
}

#define COUNTED 1000
#define DESIGNS_ALIKE 25 /* of as many packets, with another clock */

/* How many of the designs of a search share more than enqueuing threads and cannot go in an order
 * that is known, which takes several times as long. */
static void print_simulated(struct evaluation *e)
{
    const struct timeline *timeline = &e->result.work->timeline;
    const struct simulation *s;
    double *packets = &e->scenario.general.packets, *clock = &e->scenario.device[0].clock;
    const double before[] = {*packets, *clock};
    int simulated = 0;
    char line[96];

    for (int i = 0; i < COUNTED; i++) {
        *packets = before[0] + (double)(i / DESIGNS_ALIKE);
        *clock = before[1] * (1 + i % DESIGNS_ALIKE / (double)DESIGNS_ALIKE);
        evaluate_once(e, i);
        s = timeline->simulation;
        simulated += timeline->shared && !s->repeated && !s->by_threads;
    }
    *packets = before[0];
    *clock = before[1];
    snprintf(line, sizeof line, "  simulated of %d designs", COUNTED);
    printf("%-56s %10d\n", line, simulated);
}

static void bench_evaluate(const char *name)
{
    static struct evaluation e;
    struct document *document = NULL;
    struct component *control;

    load(preset_of(name), &e.scenario, &document);
    document_free(document);
    result_init(&e.result);
    control = &e.scenario.component[first_of(&e.scenario, COMPONENT_CONTROL)];
    time_evaluate(&e, name, "nothing changed", NULL, 0);
    time_evaluate(&e, name, "efficiency of the control", &control->compute_efficiency, 0.3);
    time_evaluate(&e, name, "actuators", &e.scenario.ao.actuators, e.scenario.ao.actuators + 1);
    time_evaluate(&e, name, "packets", &e.scenario.general.packets, e.scenario.general.packets + 1);
    time_evaluate(&e, name, "subaps_across", &e.scenario.wfs[0].subaps_across,
                  e.scenario.wfs[0].subaps_across - 1);
    result_free(&e.result);
}

#define VARYING_FRAMES 100

static void vary_once(void *context, int i)
{
    struct evaluation *e = context;
    struct jitter jitter;
    struct error error;

    if (jitter_run(&e->scenario, &e->result, VARYING_FRAMES, (uint64_t)i, 0, NULL, &jitter,
                   &error) != STATUS_OK)
        fail("jitter", error.message);
}

static void time_sharing(struct evaluation *e, const char *name, enum sharing sharing)
{
    char line[96];

    e->value = NULL;
    e->scenario.general.sharing = (int)sharing;
    evaluate_once(e, 0);
    snprintf(line, sizeof line, "evaluate %s, %s, %.0f frame%s", name,
             knob_word(KNOB_SCENARIO_SHARING, (int)sharing), e->result.frames,
             e->result.frames == 1 ? "" : "s");
    stopwatch_print(line, stopwatch_run(evaluate_once, e), 1e9, "ns");
    snprintf(line, sizeof line, "  a frame of --jitter");
    stopwatch_print(line, stopwatch_run(vary_once, e), 1e9 / VARYING_FRAMES, "ns");
    print_simulated(e);
}

/* As it is, then with work left until the command is out and little time for it, so that frames may
 * overlap. */
static void bench_sharing(const char *name)
{
    static struct evaluation e;
    const enum sharing ways[] = {SHARING_PARTITION, SHARING_EXCLUSIVE, SHARING_FLUID};
    const size_t count = sizeof ways / sizeof ways[0];
    struct document *document = NULL;
    struct knob_ref ref;
    struct error error;
    int control;

    load(preset_of(name), &e.scenario, &document);
    document_free(document);
    result_init(&e.result);
    for (size_t i = 0; i < count; i++)
        time_sharing(&e, name, ways[i]);
    control = first_of(&e.scenario, COMPONENT_CONTROL);
    if (knob_find_key(&e.scenario, SECTION_COMPONENT, control, "algorithm", &ref, &error) !=
            STATUS_OK ||
        knob_set_text(&e.scenario, ref, "polc", &error) != STATUS_OK)
        fail(name, error.message);
    evaluate_once(&e, 0);
    e.scenario.general.frame_rate = 0.95 * e.result.max_frame_rate;
    for (size_t i = 0; i < count; i++)
        time_sharing(&e, name, ways[i]);
    result_free(&e.result);
}

static void bench_sweep(const char *name)
{
    static struct scenario scenario;
    struct document *document = NULL;
    const char *wrong;

    load(preset_of(name), &scenario, &document);
    document_free(document);
    wrong = sweeping_print(&scenario, catalogue);
    if (wrong != NULL)
        fail("sweep", wrong);
}

/* Load ----------------------------------------------------------------------------------------- */

struct loading {
    const struct preset *preset;
    struct scenario scenario;
    struct document *document;
};

static void load_once(void *context, int i)
{
    struct loading *l = context;

    (void)i;
    load(l->preset, &l->scenario, &l->document);
}

static void bench_load(const char *name)
{
    static struct loading l;
    char line[96];

    l.preset = preset_of(name);
    snprintf(line, sizeof line, "read scenario %s, %zu bytes", name, l.preset->length);
    stopwatch_print(line, stopwatch_run(load_once, &l), 1e6, "us");
    document_free(l.document);
}

/* Commands ------------------------------------------------------------------------------------- */

#define COMMAND_RUNS 15
#define SWEPT 10000

/* Returns the time that the processors spend on a command of the program, s. */
static double run_command(const char *program, char *const arguments[])
{
    struct rusage used;
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, STDOUT_FILENO);
        execv(program, arguments);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid || status != 0)
        fail(program, "a command failed");
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void bench_command(const char *program, char *const arguments[], double scale,
                          const char *unit)
{
    double seconds[COMMAND_RUNS];
    char line[96] = "CPU time of aolag";

    for (int i = 0; i < COMMAND_RUNS; i++)
        seconds[i] = run_command(program, arguments);
    for (int i = 1; arguments[i] != NULL; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), " %s", arguments[i]);
    stopwatch_print(line, stopwatch_spread(seconds, COMMAND_RUNS), scale, unit);
}

#define BENCH_COMMAND(program, scale, unit, ...)                                                   \
    bench_command(program, (char *const[]){"aolag", __VA_ARGS__, NULL}, scale, unit)

static void bench_commands(const char *program)
{
    BENCH_COMMAND(program, 1e3, "ms", "presets", "list");
    BENCH_COMMAND(program, 1e3, "ms", "rank", "gpu", "elt-scao");
    BENCH_COMMAND(program, 1e3, "ms", "eval", "elt-scao", "--json");
    BENCH_COMMAND(program, 1e3, "ms", "advise", "elt-scao");
    BENCH_COMMAND(program, 1e6 / SWEPT, "us/row", "sweep", "elt-scao", "--csv",
                  "device.rtc.clock=2:4:10000");
}

/* The explorer --------------------------------------------------------------------------------- */

struct exploring {
    struct app *app;
    struct canvas canvas;
};

static void press(struct app *app, uint32_t key)
{
    app_key(app, &(struct key_event){.key = key});
}

static void step_once(void *context, int i)
{
    struct exploring *e = context;

    press(e->app, i % 2 == 0 ? KEY_NAMED_RIGHT : KEY_NAMED_LEFT);
    app_draw(e->app, &e->canvas);
}

static void bench_canvas(int rows, int columns)
{
    static struct scenario scenario;
    struct exploring e = {0};
    struct document *document = NULL;
    struct app_start start = {.catalogue = catalogue, .scenario = &scenario};
    struct error error;
    char line[96];

    load(preset_of("micado-scao"), &scenario, &document);
    start.document = document;
    if (app_new(&e.app, &start, &error) != STATUS_OK)
        fail("explorer", error.message);
    canvas_init(&e.canvas, rows, columns, true);
    snprintf(line, sizeof line, "slider step to drawn canvas, %d x %d", columns, rows);
    stopwatch_print(line, stopwatch_run(step_once, &e), 1e6, "us");
    canvas_free(&e.canvas);
    app_free(e.app);
}

/* What a session measures, in the order in which it is printed. */
static const struct {
    const char *line;
    size_t offset; /* of a double in struct session_figures */
    double scale;
    const char *unit;
} session_rows[] = {
#define FIGURE(member) offsetof(struct session_figures, member)
    {"  start to first frame", FIGURE(first_frame), 1e3, "ms"},
    {"  peak memory at the start", FIGURE(start_peak), 1e-6, "MB"},
    {"  slider step to frame", FIGURE(step.seconds), 1e6, "us"},
    {"    written for it", FIGURE(step.bytes), 1, "B"},
    {"    at most", FIGURE(step.most), 1, "B"},
    {"  cursor move to frame", FIGURE(move.seconds), 1e6, "us"},
    {"    written for it", FIGURE(move.bytes), 1, "B"},
    {"    at most", FIGURE(move.most), 1, "B"},
    {"  processor while a key repeats 12 times a second", FIGURE(held), 100, "% of a core"},
    {"  change to the next steps", FIGURE(steps), 1e3, "ms"},
    {"  change to all answers, view 1, with jitter", FIGURE(answer[0]), 1e3, "ms"},
    {"  change to all answers, view 4, a sweep", FIGURE(answer[1]), 1e3, "ms"},
    {"  change to all answers, view 9, the error budget", FIGURE(answer[2]), 1e3, "ms"},
    {"  wake-ups while idle for 5 s", FIGURE(wakeups), 1, ""},
    {"  peak memory after all views", FIGURE(peak), 1e-6, "MB"},
#undef FIGURE
};

static void bench_session(const char *program, const char *system, int rows, int columns)
{
    struct session_figures figures[STARTS];

    for (int i = 0; i < STARTS; i++)
        if (session_measure(program, system, rows, columns, &figures[i]) != 0)
            fail(program, strerror(errno));
    printf("%s on a terminal, %d x %d\n", system, columns, rows);
    for (size_t r = 0; r < sizeof session_rows / sizeof session_rows[0]; r++) {
        double value[STARTS];

        for (int i = 0; i < STARTS; i++)
            value[i] = *(const double *)((const char *)&figures[i] + session_rows[r].offset);
        stopwatch_print(session_rows[r].line, stopwatch_spread(value, STARTS),
                        session_rows[r].scale, session_rows[r].unit);
    }
}

/* bench SYSTEM: the screen with that alone. */
int main(int argc, char **argv)
{
    const char *program = getenv("AOLAG");
    const char *slowest = getenv("SLOWEST");
    struct error error;

    if (argc > 1 && program != NULL) {
        bench_session(program, argv[1], 36, 120);
        return EXIT_SUCCESS;
    }
    print_conditions();
    if (catalogue_open(&catalogue, &error) != STATUS_OK)
        fail("catalogue", error.message);
    bench_evaluate("elt-scao");
    bench_evaluate("harmoni-ltao");
    bench_sharing("elt-scao");
    bench_sharing("harmoni-ltao");
    if (slowest != NULL)
        bench_slowest(slowest);
    bench_budget();
    bench_sweep("elt-scao");
    bench_load("elt-scao");
    bench_canvas(36, 120);
    bench_canvas(45, 160);
    if (program != NULL) {
        bench_commands(program);
        bench_session(program, "micado-scao", 36, 120);
        bench_session(program, "morfeo", 36, 120);
    }
    catalogue_close(catalogue);
    return EXIT_SUCCESS;
}
