/* The explorer's state and what its modules do for each other. Private to the modules that make up
 * the application, and to tests; views see its host. */
#ifndef AOLAG_TUI_APP_STATE_H
#define AOLAG_TUI_APP_STATE_H

#include <sys/types.h>
#include <time.h>

#include "base/problems.h"
#include "tui/action.h"
#include "tui/formulas.h"
#include "tui/host.h"
#include "tui/line_edit.h"
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

struct app;

/* Lines typed before, newest last. Zero-initialised is empty. */
struct line_history {
    char *lines[100];
    int count;
    int at; /* the one shown; `count`: the line being typed */
};

struct prompt {
    struct prompt_request request; /* its label and text are not valid any more */
    char label[128];
    struct line_edit line;
};

/* What becomes of the item that is chosen in the picker. */
struct menu {
    menu_chosen *chosen;
    void *context;
    bool question;       /* the first letter of an answer chooses it */
    struct knob_ref ref; /* whose choices they are */
    int device;          /* whose presets they are */
};

enum file_kind { FILE_DESIGN, FILE_PICTURE, FILE_KINDS };

struct files {
    /* What waits for an answer about unsaved changes; NULL: nothing does. */
    void (*then)(struct app *app);
    char pending[PATH_BYTES]; /* what it is about: a file, a system */
    enum file_kind kind;      /* what is being saved, */
    char path[PATH_BYTES];    /* and the file that may be overwritten; empty: the design's own */
};

/* A recovery file as this session found or wrote it. */
struct recovery_file {
    int number; /* of its name, from 1; 0: none */
    dev_t device;
    ino_t inode;
    struct timespec written;
};

struct recovery {
    struct recovery_file held;    /* has this design, until it is saved or discarded */
    struct recovery_file offered; /* the question is about this one */
    char kept[PATH_BYTES + 128];  /* what became of the changes; empty: there were none */
};

struct app {
    struct host host; /* first, so that the app is found by it */

    const struct view *view; /* the open one */
    void *state;             /* of that view: one of the next */
    struct explore explore;
    struct timeline_view timeline;
    struct roofline_view roofline;
    struct sweep_view sweep;
    struct compare_view compare;
    struct advise_view advise;
    struct machine_view machine;
    struct detector_view detector;

    enum mode mode;
    struct prompt prompt;
    struct menu menu;
    struct picker picker; /* the menu's list */
    struct pager pager;
    struct formulas formulas;

    struct line_history commands, searches;
    char sought[LINE_MAX_BYTES + 1];
    const struct view *found_from; /* the view that was open before a search */
    struct {
        enum section section;
        int kind;
    } adding; /* what a name is typed for */
    struct files files;
    struct recovery recovery;

    bool mouse;       /* it is wanted */
    bool interrupted; /* C-c: asked whether to leave */
    bool warned;      /* on a screen too small for questions: that leaving loses changes */
    enum app_next next;
};

struct app *app_of(struct host *host);

/* app.c ---------------------------------------------------------------------------------------- */

/* The pane or overlay that keys go to. */
enum pane app_pane(const struct app *app);

/* Does what an action of NORMAL mode does; `argument` is what followed its word. */
void app_run_action(struct app *app, const struct action *action, const char *argument);

/* Says why a file was refused; several problems come as a text. */
void app_say_problems(struct app *app, const struct problems *problems, const char *file);

/* All views: the design is another one, or it changed. */
void views_start(struct app *app);
void views_changed(struct app *app);

/* Opens the view of that name, with cursor and scroll as they were left. NULL: the first. */
void view_open(struct app *app, const char *name);

/* The same without telling it: it comes back as it was. */
void view_return(struct app *app, const struct view *view);

/* The pane of the open view with the focus, and what is under its cursor. */
enum pane view_pane(const struct app *app);
struct view_cursor view_cursor(const struct app *app);

/* Actions -------------------------------------------------------------------------------------- */

/* What actions do that are the same in every view; `argument` is what followed the word of the ':'
 * line; NULL: nothing, or a key was pressed. */
typedef void app_action(struct app *app, const char *argument);

/* command_line.c: ':' runs words of the action table and commands of the command line, '/' finds
 * the knob that a text names. */
app_action act_command, act_set, act_reset, act_find, act_next_match, act_previous_match;

/* edit.c: parts of the design, undo, the baseline. */
app_action act_add, act_remove, act_undo, act_redo, act_baseline;

/* files.c: saving the design and the picture of a view, opening designs. What would lose unsaved
 * changes asks first. */
app_action act_save, act_save_as, act_picture, act_table, act_open, act_new, act_reload, act_preset,
    act_quit;

/* help.c: all keys, and in the footer those that fit; help and quit always. */
app_action act_help;
void help_draw_footer(const struct app *app, struct canvas *canvas, struct rect line);

/* design.c: more than host.h has ----------------------------------------------------------------
 */

/* Another design; `document` is taken over, whether it succeeds or not. */
enum status design_start(struct host *host, const struct scenario *scenario,
                         struct document *document, struct error *error);
void design_free(struct design *design);
void design_evaluate(struct host *host);         /* the scenario changed: notifies every view */
void design_saved(struct design *design);        /* its file has it as it is now */
bool design_pin_baseline(struct design *design); /* false without memory: none is pinned then */

/* prompt.c: the line that is being typed (prompt_open in host.h) --------------------------------
 */

void prompt_act(struct app *app, enum action_id id);
void prompt_type(struct app *app, uint32_t character);
void prompt_draw(struct app *app, struct canvas *canvas, struct rect line);
void line_history_free(struct line_history *history);

/* menu.c: the list that is being chosen from (host.h has those that views open) ------------------
 */

/* Opens the picker as it was filled, the cursor on item `focus`. */
void menu_open(struct host *host, int focus, menu_chosen *chosen, void *context);
void menu_choose(struct app *app);

/* A question; its answers begin with different letters. `safe` is the one under the cursor. */
void menu_ask(struct host *host, const char *title, const char *question,
              const char *const *answers, int safe, menu_chosen *chosen, void *context);
void menu_answer(struct app *app, uint32_t letter);

/* AO systems; `id` is a preset's number. `filter` as for menu_device_presets. */
bool menu_systems(struct host *host, const char *filter, menu_chosen *chosen, void *context);

/* recovery.c (app.h has more): the design is safe elsewhere, or not wanted. */
void recovery_forget(struct app *app);

#endif
