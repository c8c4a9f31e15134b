#include "tui/tui.h"

#include <math.h>
#include <signal.h>

#include "base/clock.h"
#include "design/scenario_file.h"
#include "tui/signals.h"
#include "tui/terminal.h"

#define SKIPPED_MAX 32 /* maximum frames not displayed while keys are pending */
#define NOTICE_MAX 160
/* s from the last of several keys to the start of background work: more than between two of a held
 * key, 92 ms on a Linux console */
#define WORK_DELAY 0.1

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_NO_SCREEN = 2 };

struct live {
    struct terminal *terminal;
    struct app *app;
    struct canvas canvas;
    int skipped;
    bool asks;       /* a question is not displayed yet */
    bool pasted;     /* the last key was, and what it changed may not be drawn yet */
    bool refused;    /* the last key changed no more than the message */
    double work_due; /* s on the clock, when background work may start; 0: it may */
    double last_key; /* s on the clock */
};

/* Draws after every key, because mouse events refer to the last frame, but displays only some
 * frames while keys are pending. Pasted text is one change, and what has no room on a line is
 * none. */
static void repaint_screen(struct live *live)
{
    int rows, columns;

    if ((live->pasted || live->refused) && terminal_pending(live->terminal))
        return;

    terminal_size(live->terminal, &rows, &columns);
    if (rows != live->canvas.rows || columns != live->canvas.columns)
        canvas_init(&live->canvas, rows, columns, terminal_unicode(live->terminal));
    app_draw(live->app, &live->canvas);
    live->asks = app_asks(live->app) || live->asks;
    if (live->skipped < SKIPPED_MAX && !live->asks && terminal_pending(live->terminal)) {
        live->skipped++;
        return;
    }
    live->skipped = 0;
    if (live->asks)
        terminal_discard_input(live->terminal);
    if (terminal_show(live->terminal, &live->canvas))
        live->asks = false;
}

/* Lets work wait while keys follow each other, and for the frame of one that comes alone. */
static void hold_work(struct live *live)
{
    double now = clock_seconds();

    live->work_due = now - live->last_key < WORK_DELAY ? now + WORK_DELAY : now;
    live->last_key = now;
    app_hold_work(live->app, true);
}

/* Returns the milliseconds until work may start, -1: it may already. At the end of the delay the
 * next frame starts it. */
static int work_due(struct live *live)
{
    double left = live->work_due - clock_seconds();

    if (live->work_due == 0)
        return -1;
    if (left > 0)
        return (int)ceil(left * 1000);
    live->work_due = 0;
    app_hold_work(live->app, false);
    return 0;
}

/* Returns the sooner of two times in milliseconds; -1: never. */
static int sooner(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Returns false if the user quits. */
static bool handle_key(struct live *live, const struct key_event *event)
{
    hold_work(live);
    if (live->pasted && !event->pasted)
        app_draw(live->app, &live->canvas);
    live->pasted = event->pasted;
    live->refused = false;
    switch (app_key(live->app, event)) {
    case APP_CONTINUE:
        break;
    case APP_REFUSED:
        live->refused = true;
        break;
    case APP_QUIT:
        return false;
    case APP_SUSPEND:
        recovery_keep(live->app);
        terminal_suspend(live->terminal);
        break;
    case APP_REDRAW:
        terminal_redraw(live->terminal);
        break;
    }
    terminal_mouse(live->terminal, app_mouse(live->app));
    return true;
}

static int handle_events(struct live *live)
{
    const struct key_event interrupt = {.key = KEY_CONTROL_C};
    struct key_event event;

    for (;;) {
        int files[APP_FILES];

        repaint_screen(live);
        if (recovery_due(live->app) == 0) {
            recovery_keep(live->app);
            continue; /* a message about it has to be drawn */
        }
        terminal_watch(live->terminal, files, app_watch(live->app, files));
        switch (terminal_wait(live->terminal, sooner(recovery_due(live->app), work_due(live)),
                              &event)) {
        case TERMINAL_KEY:
            if (!live->asks && !handle_key(live, &event))
                return EXIT_DONE;
            break;
        case TERMINAL_INTERRUPT:
            if (!handle_key(live, &interrupt))
                return EXIT_DONE;
            break;
        case TERMINAL_HANGUP:
            recovery_save(live->app);
            return EXIT_FAILED;
        case TERMINAL_WATCHED:
            app_collect_results(live->app);
            break;
        case TERMINAL_RESIZE:
        case TERMINAL_REDRAW:
        case TERMINAL_SHOWN:
        case TERMINAL_TIMEOUT:
            break;
        }
    }
}

static int report_failure(const struct error *error, FILE *err)
{
    text_line(err, "aolag: %s", error->message);
    return error->status == STATUS_INVALID ? EXIT_NO_SCREEN : EXIT_FAILED;
}

static bool key_waits(const void *terminal)
{
    return terminal_pending(terminal);
}

/* Joins the notices of the caller and the terminal; either may be empty. */
static void join_notices(char *text, size_t size, const char *first, const char *second)
{
    bool both = first != NULL && first[0] != '\0' && second[0] != '\0';

    snprintf(text, size, "%s%s%s", first != NULL ? first : "", both ? "; " : "", second);
}

/* Reports the outcome of recovery_save after the terminal was closed. Neither a terminal that takes
 * no output nor one in whose background the process is may stop it at that. */
static void report_recovery(const struct app *app, FILE *err)
{
    const char *kept = recovery_kept(app);
    int file = kept[0] == '\0' ? -1 : terminal_open_again(fileno(err));
    FILE *out = file < 0 ? NULL : fdopen(file, "w");

    signal(SIGTTOU, SIG_IGN);
    if (kept[0] != '\0')
        text_line(out != NULL ? out : err, "aolag: %s", kept);
    fflush(err);
    if (out != NULL)
        fclose(out);
}

int tui_run(const struct app_start *start, FILE *err)
{
    struct live live = {0};
    struct app_start noticed = *start;
    struct error error;
    char terminal_notice[NOTICE_MAX];
    char notice[NOTICE_MAX + ERROR_MESSAGE_MAX];
    enum status status =
        terminal_open(&live.terminal, terminal_notice, sizeof terminal_notice, &error);
    int result;

    if (status != STATUS_OK) {
        document_free(start->document);
        return report_failure(&error, err);
    }
    join_notices(notice, sizeof notice, start->notice, terminal_notice);
    noticed.notice = notice[0] != '\0' ? notice : NULL;
    noticed.key_waits = key_waits;
    noticed.keys = live.terminal;
    status = app_new(&live.app, &noticed, &error);
    if (status != STATUS_OK) {
        terminal_close(live.terminal);
        return report_failure(&error, err);
    }
    tour_offer(live.app);
    recovery_offer(live.app, start->named);
    app_know_machine(live.app);
    terminal_mouse(live.terminal, app_mouse(live.app));
    result = handle_events(&live);
    terminal_close(live.terminal);
    report_recovery(live.app, err);
    app_free(live.app);
    canvas_free(&live.canvas);
    signals_reraise();
    return result;
}
