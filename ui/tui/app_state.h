/* The explorer's state and what its parts offer one another. For the files beside it and tests. */
#ifndef AOLAG_TUI_APP_STATE_H
#define AOLAG_TUI_APP_STATE_H

#include <sys/types.h>
#include <time.h>

#include "design/knob.h"
#include "model/result.h"
#include "tui/action.h"
#include "tui/app.h"
#include "tui/baseline.h"
#include "tui/history.h"
#include "tui/line_edit.h"
#include "tui/outline.h"
#include "tui/pager.h"
#include "tui/picker.h"
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

#define PATH_BYTES 4096

/* Lines typed before, newest last. */
struct line_history {
    char *lines[100];
    int count;
    int at; /* the one shown; `count`: the line being typed */
};

/* A line being typed, and what becomes of it. */
struct prompt {
    char label[128];
    struct line_edit line;
    struct line_history *history;                       /* NULL: none */
    bool (*accept)(struct app *app, const char *text);  /* false: refused, app_say said why */
    void (*changed)(struct app *app, const char *text); /* after each key; may be NULL */
    void (*cancel)(struct app *app);                    /* may be NULL */
    void (*complete)(struct app *app);                  /* may be NULL */
    bool about_knob;                                    /* a value is typed, of */
    struct knob_ref ref;                                /* this knob */
    int kind;                                           /* the kind of what is being added */
};

/* What becomes of the item that is chosen. */
struct list {
    void (*chosen)(struct app *app, int id);
    bool question;       /* the first letter of an answer gives it */
    struct knob_ref ref; /* whose choices they are */
    int device;          /* whose presets they are */
};

/* A recovery file as this session found or wrote it. */
struct recovery_file {
    int number; /* of its name, from 1; 0: none */
    dev_t device;
    ino_t inode;
    struct timespec written;
};

struct app {
    struct catalogue *catalogue;
    struct scenario scenario;
    struct document *document;
    struct image saved; /* the scenario as the file has it */
    struct history history;
    struct baseline baseline;
    struct result result; /* of the last design that had a meaning */
    bool evaluated;       /* `result` holds one */
    struct error problem; /* why the present design has none; STATUS_OK: it has */

    struct bell bell; /* of all workers */
    const struct view *view;
    struct explore explore;
    struct timeline_view timeline;
    struct roofline_view roofline;
    struct sweep_view sweep;
    struct compare_view compare;
    struct advise_view advise;
    struct machine_view machine;
    struct detector_view detector;
    const char *program; /* this one; NULL: nothing can run beside the screen */
    enum mode mode;
    struct picker picker;
    struct list list;
    struct prompt prompt;
    struct pager pager;
    struct outline outline;
    struct line_history commands, searches;
    char sought[LINE_MAX_BYTES + 1];

    /* what waits for an answer about unsaved changes */
    void (*then)(struct app *app);
    char pending[PATH_BYTES]; /* what it is about: a file, a system */
    char saving[PATH_BYTES];  /* the file that may be overwritten; empty: its own */

    char message[ERROR_MESSAGE_MAX];
    enum style message_style;
    bool failed; /* the message is about something that was refused */
    bool mouse;
    bool interrupted; /* C-c: asked whether to leave */
    bool warned;      /* on a screen too small for questions: that leaving loses changes */
    struct recovery_file recovered; /* holds this design, until it is saved or discarded */
    struct recovery_file offered;   /* the question is about this one */
    char kept[PATH_BYTES + 128];    /* what became of the changes; empty: there were none */
    int rows, columns;
    enum app_next next;
};

/* app.c */
void app_say(struct app *app, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void app_fail(struct app *app, const struct error *error);
void act_redraw(struct app *app, const char *argument);
void act_suspend(struct app *app, const char *argument);
struct rect app_body(const struct app *app);
enum place app_place(const struct app *app);

/* app_prompt.c: LINE */
struct prompt *prompt_open(struct app *app, const char *label, const char *text, bool fresh,
                           bool (*accept)(struct app *app, const char *text));
void prompt_close(struct app *app);
void prompt_act(struct app *app, enum action_id id);
void prompt_type(struct app *app, uint32_t character);
void prompt_draw(struct app *app, struct canvas *canvas, struct rect line);
void line_history_add(struct line_history *history, const char *line);
void line_history_free(struct line_history *history);

/* app_list.c: LIST */
void list_open(struct app *app, int focus, void (*chosen)(struct app *app, int id));
void list_choose(struct app *app);
/* A question; its answers begin with different letters. `safe` is the one Enter gives. */
void list_ask(struct app *app, const char *title, const char *question, const char *const *answers,
              int safe, void (*chosen)(struct app *app, int id));
void list_answer(struct app *app, uint32_t letter);
/* Presets of the device's kind, AO systems. `filter` NULL or empty: all; else false, and no list,
 * when nothing passes it. */
bool list_devices(struct app *app, int device, const char *filter);
bool list_systems(struct app *app, const char *filter);
/* What a design may be compared with: the baseline where there is one, a file, AO systems; `id` is
 * one of these or a preset's number. */
enum { LIST_BASELINE = -1, LIST_FILE = -2 };
void list_others(struct app *app, void (*chosen)(struct app *app, int id));
void list_choices(struct app *app, struct knob_ref ref);

/* app_design.c: every change of the design goes through here. design_start takes the document over,
 * whether it succeeds or not. */
enum status design_start(struct app *app, const struct scenario *scenario,
                         struct document *document, struct error *error);
void design_changed(struct app *app, bool join, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void design_saved(struct app *app);
bool design_modified(const struct app *app);
bool design_set_text(struct app *app, struct knob_ref ref, const char *text);
void design_step(struct app *app, struct knob_ref ref, int steps);
void design_place(struct app *app, struct knob_ref ref, double position, bool join);
void design_reset(struct app *app, struct knob_ref ref);
bool design_preset(struct app *app, int device, const char *name);
bool design_assign(struct app *app, const char *assignments);
void act_undo(struct app *app, const char *argument);
void act_redo(struct app *app, const char *argument);
void act_baseline(struct app *app, const char *argument);

/* app_value.c: what knobs come to */
double design_number(const struct app *app, struct knob_ref ref);
void design_value(const struct app *app, struct knob_ref ref, char *text, size_t size);
double design_baseline_position(const struct app *app, struct knob_ref ref);

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
/* "~/x" as a shell would read it. */
void file_expand_home(const char *text, char *path, size_t size);
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
void explain_act(struct app *app, enum action_id id);
void explain_mouse(struct app *app, const struct key_event *event);
void complete_command(struct app *app);
void complete_file(struct app *app);
void complete_value(struct app *app);
void complete_axes(struct app *app);

#endif
