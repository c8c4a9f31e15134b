#include "tui/explore_jitter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/units.h"
#include "tui/host.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

#define NICE 10

enum {
    LABEL = 15, /* columns, as the facts above have them */
    VALUE = 10,
    GAP = 2,
    MOST = 9 /* of what stands behind the histogram */
};

struct jitter_job {
    long design; /* its number */
    struct scenario scenario;
    struct result result;
    bool ready; /* `result` */
    struct jitter jitter;
    enum status status;
};

/* The run ------------------------------------------------------------------------------------- */

/* Progress that nobody sees rings no bell. */
static bool go_on(void *context, double done)
{
    struct worker *worker = context;

    (void)done;
    return !atomic_load(&worker->stop);
}

static void run(struct worker *worker, void *context)
{
    struct jitter_job *job = context;
    const struct progress progress = {go_on, worker};
    struct error error;

    /* of this thread alone (Linux): keys go first */
    setpriority(PRIO_PROCESS, 0, NICE);
    if (!job->ready)
        job->ready = result_init(&job->result, &error) == STATUS_OK;
    job->status = STATUS_MEMORY;
    if (job->ready)
        job->status = jitter_run(&job->scenario, &job->result, JITTER_FRAMES, JITTER_SEED,
                                 &progress, &job->jitter, &error);
}

static void begin(struct explore *explore)
{
    struct explore_jitter *jitter = &explore->jitter;
    struct error error;

    if (jitter->job == NULL)
        jitter->job = calloc(1, sizeof *jitter->job);
    if (jitter->job == NULL)
        return;
    jitter->job->design = jitter->design;
    scenario_copy(&jitter->job->scenario, &explore->host->design.scenario);
    worker_start(&jitter->worker, &explore->host->bell, run, jitter->job, &error);
}

enum jitter_state explore_jitter_state(struct explore *explore)
{
    struct explore_jitter *jitter = &explore->jitter;

    if (explore->host->design.problem.status == STATUS_OK &&
        !jitter_any(&explore->host->design.scenario))
        return JITTER_NONE;
    if (explore->host->design.problem.status == STATUS_OK && jitter->tried != jitter->design &&
        !jitter->worker.running)
        begin(explore);
    return jitter->of == 0                ? JITTER_PENDING
           : jitter->of == jitter->design ? JITTER_CURRENT
                                          : JITTER_STALE;
}

void explore_jitter_changed(struct explore *explore)
{
    struct explore_jitter *jitter = &explore->jitter;

    jitter->design++;
    if (jitter->worker.running)
        worker_halt(&jitter->worker);
}

void explore_jitter_start(struct explore *explore)
{
    explore->jitter.of = 0;
    explore_jitter_changed(explore);
}

void explore_jitter_free(struct explore *explore)
{
    struct explore_jitter *jitter = &explore->jitter;

    worker_close(&jitter->worker);
    if (jitter->job != NULL && jitter->job->ready)
        result_free(&jitter->job->result);
    free(jitter->job);
    jitter->job = NULL;
}

bool explore_jitter_busy(const void *state)
{
    const struct explore *explore = state;

    return explore->jitter.worker.running;
}

void explore_jitter_take(void *state)
{
    struct explore *explore = state;
    struct explore_jitter *jitter = &explore->jitter;

    if (!worker_take(&jitter->worker) || jitter->job->design != jitter->design)
        return;
    /* what has failed is not tried again until the design changes */
    jitter->tried = jitter->design;
    jitter->of = jitter->job->status == STATUS_OK ? jitter->design : 0;
    if (jitter->of != 0)
        jitter->shown = jitter->job->jitter;
}

/* Words --------------------------------------------------------------------------------------- */

static void print_time(double s, char *text, size_t size)
{
    quantity_show(s, "s", text, size);
}

/* "late 0", "late 0.13 %" */
static void print_late(const struct jitter *jitter, char *text, size_t size)
{
    if (jitter->missed == 0)
        snprintf(text, size, "late 0");
    else
        snprintf(text, size, "late %.3g %%", 100 * jitter->probability);
}

void explore_jitter_words(const struct explore *explore, enum jitter_state state,
                          char words[JITTER_WORDS][JITTER_WORD_BYTES])
{
    static const char *const labels[JITTER_WORDS] = {"p99", "p99.9", "late"};
    const struct jitter *jitter = &explore->jitter.shown;
    char time[40];

    for (int w = 0; w < JITTER_WORDS; w++)
        snprintf(words[w], JITTER_WORD_BYTES, "%s \xE2\x80\xA6", labels[w]);
    if (state == JITTER_PENDING)
        return;
    if (state == JITTER_NONE) {
        words[1][0] = words[2][0] = '\0';
        snprintf(words[0], JITTER_WORD_BYTES, "no jitter");
        return;
    }
    /* in place of a blank, so that nothing moves */
    print_time(jitter->p99, time, sizeof time);
    snprintf(words[0], JITTER_WORD_BYTES, "p99%s%s", state == JITTER_STALE ? "\xE2\x80\xA6" : " ",
             time);
    print_time(jitter->p999, time, sizeof time);
    snprintf(words[1], JITTER_WORD_BYTES, "p99.9 %s", time);
    print_late(jitter, words[2], JITTER_WORD_BYTES);
}

/* Drawing ------------------------------------------------------------------------------------- */

/* A column of `eighths` in the rows of `rect`, from below. ASCII has a point for less than half a
 * cell and a colon for more. */
static void draw_column(struct canvas *canvas, struct rect rect, int column, int eighths,
                        enum style style)
{
    for (int r = rect.rows - 1; r >= 0 && eighths > 0; r--, eighths -= 8) {
        int part = eighths > 8 ? 8 : eighths;
        uint32_t ascii = part > 7 ? '#' : part > 4 ? ':' : '.';

        canvas_put(canvas, rect.row + r, column, style,
                   canvas->unicode ? 0x2580U + (uint32_t)part : ascii);
    }
}

/* Frames in so many neighbouring bins. */
static long frames_in(const struct jitter *jitter, int column, int each)
{
    long frames = 0;

    for (int b = column * each; b < (column + 1) * each; b++)
        frames += jitter->bin[b].frames;
    return frames;
}

/* As many columns as fit and divide the bins, those beyond the target as errors. What has any
 * frame has at least an eighth. Returns the columns. */
static int draw_bins(struct canvas *canvas, struct rect rect, const struct jitter *jitter,
                     enum style style)
{
    int each = 1;
    int columns;
    long most = 1;

    while (jitter->bins / each > rect.columns || jitter->bins % each != 0)
        each++;
    columns = jitter->bins / each;
    for (int c = 0; c < columns; c++)
        most = frames_in(jitter, c, each) > most ? frames_in(jitter, c, each) : most;
    for (int c = 0; c < columns; c++) {
        double part = (double)frames_in(jitter, c, each) / (double)most;
        bool late = jitter->bin[c * each].from >= jitter->target && style != STYLE_DIM;

        draw_column(canvas, rect, rect.column + c, (int)ceil(part * 8 * rect.rows),
                    late ? STYLE_ERROR : style);
    }
    return columns;
}

static void draw_histogram(struct canvas *canvas, struct rect rect, const struct jitter *jitter,
                           enum style style)
{
    int last = rect.row + rect.rows - 1;
    struct rect bins = rect;
    char text[40];
    int columns;

    bins.column += LABEL + VALUE + GAP;
    bins.columns -= LABEL + VALUE + GAP + MOST;
    if (rect.rows <= 0 || bins.columns < 8 || jitter->bins < 2)
        return;
    print_time(jitter->least, text, sizeof text);
    canvas_text(canvas, last, rect.column, LABEL, style, "histogram");
    canvas_right(canvas, last, rect.column + LABEL, VALUE, style, text);
    columns = draw_bins(canvas, bins, jitter, style);
    print_time(jitter->most, text, sizeof text);
    canvas_text(canvas, last, bins.column + columns + 1, MOST - 1, style, text);
}

/* As a row of the list of facts, or in the words of running text where that is too wide. */
static void draw_figures(const struct explore *explore, struct canvas *canvas, struct rect line,
                         enum jitter_state state, enum style style)
{
    const struct jitter *jitter = &explore->jitter.shown;
    int note = LABEL + VALUE + GAP;
    char words[JITTER_WORDS][JITTER_WORD_BYTES];
    char p50[40];
    char text[2 * JITTER_WORDS * JITTER_WORD_BYTES];

    explore_jitter_words(explore, state, words);
    print_time(jitter->p50, p50, sizeof p50);
    snprintf(text, sizeof text, "%s, %s, %s", words[0], words[1], words[2]);
    if (note + text_width(text) <= line.columns) {
        canvas_text(canvas, line.row, line.column, LABEL, style, "p50 with jitter");
        canvas_right(canvas, line.row, line.column + LABEL, VALUE, style, p50);
        canvas_text(canvas, line.row, line.column + note, line.columns - note, style, text);
        return;
    }
    snprintf(text, sizeof text, "p50 %s \xC2\xB7 %s \xC2\xB7 %s \xC2\xB7 %s", p50, words[0],
             words[1], words[2]);
    canvas_text(canvas, line.row, line.column, line.columns, style, text);
}

static void draw_remark(struct canvas *canvas, struct rect line, enum style style,
                        const char *value, const char *remark)
{
    int note = LABEL + VALUE + GAP;

    canvas_text(canvas, line.row, line.column, LABEL, style, "jitter");
    canvas_right(canvas, line.row, line.column + LABEL, VALUE, style, value);
    canvas_text(canvas, line.row, line.column + note, line.columns - note, style, remark);
}

void explore_jitter_draw(const struct explore *explore, struct canvas *canvas, struct rect rect,
                         enum jitter_state state, enum style style)
{
    struct rect below = {rect.row + 1, rect.column, rect.rows - 1, rect.columns};

    if (state == JITTER_NONE) {
        draw_remark(canvas, rect, style, "none", "every device's is 1");
    } else if (state == JITTER_PENDING) {
        draw_remark(canvas, rect, style, "\xE2\x80\xA6",
                    explore_jitter_busy(explore) ? "frames are being run" : "not known");
    } else {
        style = state == JITTER_STALE ? STYLE_DIM : style;
        draw_figures(explore, canvas, rect, state, style);
        draw_histogram(canvas, below, &explore->jitter.shown, style);
    }
}
