/* The explorer's state and what its parts offer one another. For the files beside it and tests. */
#ifndef AOLAG_TUI_APP_STATE_H
#define AOLAG_TUI_APP_STATE_H

#include <sys/types.h>
#include <time.h>

#include "design/knob.h"
#include "model/result.h"
#include "tui/action.h"
#include "tui/app.h"
#include "tui/formulas.h"
#include "tui/host.h"
#include "tui/menu.h"
#include "tui/pager.h"
#include "tui/picker.h"
#include "tui/prompt.h"
#include "tui/view.h"
#include "tui/view_advise.h"
#include "tui/view_compare.h"
#include "tui/view_detector.h"
#include "tui/view_explore.h"
#include "tui/view_machine.h"
#include "tui/view_roofline.h"
#include "tui/view_sweep.h"
#include "tui/view_timeline.h"
#include "tui/worker.h"

/* A recovery file as this session found or wrote it. */
struct recovery_file {
    int number; /* of its name, from 1; 0: none */
    dev_t device;
    ino_t inode;
    struct timespec written;
};

struct app {
    struct host host; /* first, so that the app is found by it */
    const struct view *view;
    void *state; /* of the open view: one of the next */
    struct explore explore;
    struct timeline_view timeline;
    struct roofline_view roofline;
    struct sweep_view sweep;
    struct compare_view compare;
    struct advise_view advise;
    struct machine_view machine;
    struct detector_view detector;
    enum mode mode;
    struct picker picker;
    struct menu menu;
    struct prompt prompt;
    struct pager pager;
    struct formulas formulas;
    struct line_history commands, searches;
    char sought[LINE_MAX_BYTES + 1];
    int adding;                    /* the kind of what is being added, an item of its list */
    const struct view *found_from; /* the view that was open before a search */

    /* what waits for an answer about unsaved changes */
    void (*then)(struct app *app);
    char pending[PATH_BYTES]; /* what it is about: a file, a system */
    char saving[PATH_BYTES];  /* the file that may be overwritten; empty: its own */

    bool mouse;
    bool interrupted; /* C-c: asked whether to leave */
    bool warned;      /* on a screen too small for questions: that leaving loses changes */
    struct recovery_file recovered; /* holds this design, until it is saved or discarded */
    struct recovery_file offered;   /* the question is about this one */
    char kept[PATH_BYTES + 128];    /* what became of the changes; empty: there were none */
    enum app_next next;
};

/* app.c */
void act_redraw(struct app *app, const char *argument);
void act_suspend(struct app *app, const char *argument);
struct rect app_body(const struct app *app);
enum place app_place(const struct app *app);

/* The app of a host. */
struct app *app_of(struct host *host);

/* design.c. design_start takes the document over, whether it succeeds or not. */
enum status design_start(struct app *app, const struct scenario *scenario,
                         struct document *document, struct error *error);
void act_undo(struct app *app, const char *argument);
void act_redo(struct app *app, const char *argument);
void act_baseline(struct app *app, const char *argument);

/* app_structure.c */
void act_add(struct app *app, const char *argument);
void act_remove(struct app *app, const char *argument);

/* app_file.c */
void act_save(struct app *app, const char *argument);
void act_save_as(struct app *app, const char *argument);
void act_open(struct app *app, const char *argument);
void act_new(struct app *app, const char *argument);
void act_reload(struct app *app, const char *argument);
void act_preset(struct app *app, const char *argument);
void act_quit(struct app *app, const char *argument);
void file_open_system(struct app *app, const char *name);
void file_ask(struct app *app, const char *what, void (*then)(struct app *app));
/* The path of a name that was typed, where `what` ("a scenario") may be written to it; false: why
 * not was said. */
bool file_accept(struct app *app, const char *text, const char *what, char path[PATH_BYTES]);
/* A file name from the title. */
void file_propose(const struct app *app, const char *ending, char *name, size_t size);
void file_problems(struct app *app, const struct problems *problems, const char *file);

/* app_picture.c: the chart of the open view */
void act_picture(struct app *app, const char *argument);
void act_table(struct app *app, const char *argument);

/* app_recovery.c */
void recovery_forget(struct app *app);

/* app_command.c, app_find.c, app_complete.c, app_help.c, app_explain.c */
void act_command(struct app *app, const char *argument);
void act_set(struct app *app, const char *argument);
void act_reset(struct app *app, const char *argument);
void act_find(struct app *app, const char *argument);
void act_next_match(struct app *app, const char *argument);
void act_previous_match(struct app *app, const char *argument);
void act_help(struct app *app, const char *argument);
void act_explain(struct app *app, const char *argument);
void complete_line(struct app *app);

#endif
