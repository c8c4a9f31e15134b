/* State of the explorer and the functions its modules share. Private to these modules and to tests;
 * views use the host. */
#ifndef AOLAG_TUI_APP_STATE_H
#define AOLAG_TUI_APP_STATE_H

#include <sys/types.h>
#include <time.h>

#include "base/problems.h"
#include "tui/action.h"
#include "tui/file_list.h"
#include "tui/formulas.h"
#include "tui/front.h"
#include "tui/host.h"
#include "tui/line_edit.h"
#include "tui/pager.h"
#include "tui/parts.h"
#include "tui/picker.h"
#include "tui/view.h"
#include "tui/view_advise.h"
#include "tui/view_compare.h"
#include "tui/view_detector.h"
#include "tui/view_explore.h"
#include "tui/view_loop.h"
#include "tui/view_machine.h"
#include "tui/view_roofline.h"
#include "tui/view_sweep.h"
#include "tui/view_timeline.h"

struct app;

/* Previously typed lines, newest last. Zero-initialised: empty. */
struct line_history {
    char *lines[100];
    int count;
    int at; /* line shown; `count`: the line being typed */
};

struct prompt {
    struct prompt_request request; /* label and text are invalid after prompt_open */
    char label[128];
    struct line_edit line;
    int listed; /* completions listed so far for the word as it is; 0: none */
};

struct menu_job;

/* Lists of presets have two tabs if there is a device. */
enum menu_tab { MENU_NO_TABS, MENU_DEVICES, MENU_SYSTEMS };

/* The open list and the action for its chosen item. */
struct menu {
    menu_chosen *chosen;
    void *context;
    bool question;       /* the first letter of an answer chooses it */
    bool asks;           /* a question for app_asks */
    struct knob_ref ref; /* knob, for a list of choices */
    enum menu_tab tab;
    int device;       /* device, for a list of presets; -1: none */
    char clears[400]; /* what is stated for it and a preset clears: "sockets, clock" */
    /* The design to which a device has been added to be ranked, and the component that moves to it;
     * NULL: it is a device of the design. */
    struct scenario *scenario;
    const char *moved;
    bool ranked; /* the cursor stays on the first row while latencies come */

    struct answer latencies; /* of the designs of the list (menu_presets.c) */
    struct menu_job *next;   /* asks for them; NULL: begun, or none */
    unsigned long lists;     /* so far */
    struct table_column parts[PART_COLUMNS]; /* of a list of devices */
    int column;                    /* of the latencies */
    int timed;                     /* items whose latency is shown */
};

enum file_kind { FILE_DESIGN, FILE_PICTURE, FILE_KINDS };

struct files {
    /* Action that waits for the answer about unsaved changes; NULL: none. */
    void (*next_action)(struct app *app);
    char pending[PATH_BYTES]; /* its argument: a file, a system */
    enum file_kind kind;      /* kind of file being saved */
    char path[PATH_BYTES];    /* file that may be overwritten; empty: the design's own */
};

/* A recovery file as this session found or wrote it. */
struct recovery_file {
    int number; /* number in its name, from 1; 0: none */
    dev_t device;
    ino_t inode;
    struct timespec written;
};

enum { RECOVERY_FILES_MAX = 999 };

struct recovery {
    bool found[RECOVERY_FILES_MAX + 1]; /* which numbers there were in the folder */
    struct recovery_file held;    /* contains this design, until that is saved or discarded */
    struct recovery_file offered; /* the file that the question is about */
    char kept[PATH_BYTES + ERROR_MESSAGE_MAX + 64]; /* outcome of saving; empty: no changes */
    int lock;             /* file descriptor that holds the lock of `held`; 0: none */
    struct image written; /* the design in the file; empty: none */
    double due;           /* s on the clock, when the design has to be written; 0: not */
    bool failed;          /* the last attempt failed, as was said */
    bool named;           /* a scenario was named at the start */
};

/* The tour. Positions are those of the history. */
struct tour {
    int step;        /* from 1; 0: none */
    size_t position; /* when the step began */
    size_t least;    /* least of the tour */
    size_t start;    /* when it began */
    bool done;       /* an action of the step was run */
};

struct app {
    struct host host;

    const struct view *view; /* the open view */
    void *state;             /* state of `view`: one of the following */
    struct explore explore;
    struct timeline_view timeline;
    struct roofline_view roofline;
    struct sweep_view sweep;
    struct compare_view compare;
    struct advise_view advise;
    struct front front; /* what a search finds, in view 6 and in a list */
    struct machine_view machine;
    struct detector_view detector;
    struct loop_view loop;

    enum mode mode;
    enum mode below; /* of the list or line that is open again once the text over it is closed */
    struct prompt prompt;
    struct file_list listed; /* what a line for the name of a file leads to */
    struct menu menu;
    struct picker picker; /* list of `menu` */
    struct pager pager;
    struct formulas formulas;
    struct result explained; /* that of the design, with its range, while the formulas are open */
    bool explains; /* they wait for the error budget */
    bool table_awaited;           /* the table of the open view waits for its data */
    unsigned long version, loads; /* of the design that the views know */

    struct line_history commands, searches;
    char search_text[LINE_MAX_BYTES + 1];
    const struct view *found_from; /* view that was open before a search */
    struct knob_ref found_knob;    /* where its cursor was, knob NULL: on none */
    struct {
        enum section section;
        int kind;
    } adding; /* item whose name is being typed */
    struct files files;
    struct recovery recovery;
    struct tour tour;

    struct key_event pressed; /* the last press of the button, if no key came since; row -1: none */
    struct rect cursor;       /* what the cursor is on, as last drawn */

    bool (*key_waits)(const void *keys); /* struct app_start */
    const void *keys;

    bool typed;        /* characters that have no effect yet */
    bool full;         /* the line had no room for one of them */
    bool mouse;        /* enabled */
    bool interrupted;  /* C-c pressed: asking whether to quit */
    bool warned;       /* screen too small for questions: warned that quitting loses changes */
    bool told_refused; /* that background work cannot be started */
    enum app_next next;
};


/* app.c ---------------------------------------------------------------------------------------- */

/* Returns the pane or overlay that receives keys. */
enum pane app_pane(const struct app *app);

/* Returns true while a filter or a line has text, to which each further printable key adds. */
bool app_has_text(const struct app *app);

/* Executes an action of NORMAL mode; `argument` is the rest of the ':' line. */
void app_run_action(struct app *app, const struct action *action, const char *argument);

/* Starts a text in the pager (pager_start), also over an open list, which is open again once that
 * is closed. */
FILE *app_write(struct app *app, const char *title);

/* Reports why a file was refused, several problems in the pager. */
void app_say_problems(struct app *app, const struct problems *problems, const char *file);

/* Says that a file was opened (if `greet`), or what its notices are. */
void app_say_opened(struct app *app, bool greet);


/* Opens the view of that name with its previous cursor and scroll position. NULL: the first
 * view. */
void view_open(struct app *app, const char *name);

/* Returns to a view without calling its open hook: it appears as it was. */
void view_return(struct app *app, const struct view *view);

/* Return the pane of the open view with the focus, and its cursor. */
enum pane view_pane(const struct app *app);
struct view_cursor view_cursor(const struct app *app);

/* Actions -------------------------------------------------------------------------------------- */

/* Action that is the same in every view; `argument` is the rest of the ':' line, NULL if there is
 * none or a key was pressed. */
typedef void app_action(struct app *app, const char *argument);

/* command_line.c: ':' runs actions and commands of the command line. */
app_action act_command, act_set, act_reset, act_rank;

/* Runs a command of the command line on the present design; the pager shows the output. `made`: as in
 * struct cli. */
struct command;
void command_line_run(struct app *app, const struct command *command, const char *line,
                      struct buffer *made);

/* find.c: finds a knob by name. */
app_action act_find, act_next_match, act_previous_match;

/* Returns true if a text finds the knob in one of these ways, best first: by its key, by words in
 * any order, by a part of its name. */
enum { FIND_MATCHES = 3 };
bool find_matches(const struct scenario *scenario, struct knob_ref ref, int way, const char *text);

/* edit.c: parts of the design, undo, the baseline. */
app_action act_add, act_remove, act_undo, act_redo, act_baseline, act_uncalibrate;

/* files.c: saves the design and the picture of a view, opens designs. Actions that would lose
 * changes ask first. */
app_action act_save, act_save_as, act_picture, act_table, act_open, act_import, act_new, act_reload,
    act_preset, act_quit, act_save_quit;

/* Opens a system, or an empty design (""), after the question about unsaved changes. */
void files_ask_system(struct app *app, const char *name);

/* Executes `next_action`, after the user's decision about unsaved changes if there are any. */
void files_ask_changes(struct app *app, const char *what, void (*next_action)(struct app *app));

/* help.c: all keys, and the footer with those that fit, help and quit always. */
app_action act_help;
void help_draw_footer(const struct app *app, struct canvas *canvas, struct rect line);

/* Returns the action whose key or label the footer shows at a column; NULL: none. */
const struct action *help_footer_action(const struct app *app, struct rect line, int column);

/* tour.c: six steps on the live screen. tour_action returns the action of a key that belongs to the
 * tour, or NULL; tour_note is told which action runs, and tour_follow, after each key, goes on if
 * it is what the step asks for. tour_take_rows takes the rows of the text off the body. */
app_action act_tour, act_tour_next, act_tour_end;
bool tour_takes_keys(const struct app *app);
bool tour_asks_for(const struct app *app, enum action_id id);
const struct action *tour_action(const struct app *app, uint32_t key);
void tour_note(struct app *app, enum action_id id);
void tour_follow(struct app *app);
struct rect tour_take_rows(const struct app *app, struct rect *body);
void tour_draw(const struct app *app, struct canvas *canvas, struct rect box, struct rect footer);

/* app.c --------------------------------------------------------------------------------------- */

/* Tells the views of a design that was loaded or changed since. */
void app_follow_design(struct app *app);

/* Reads the user's presets again if their files have changed; call it before they are listed or
 * named. */
void app_renew_presets(struct app *app);

/* Shows a knob in Explore, or the heading of its section. */
void app_show_knob(struct app *app, struct knob_ref ref, enum showing showing);

/* prompt.c ------------------------------------------------------------------------------------- */

/* Opens a line; label and text are copied. */
void prompt_open(struct app *app, const struct prompt_request *request);
void prompt_act(struct app *app, enum action_id id);
/* Types a character, without what follows from it; returns false if the line is full. */
bool prompt_type(struct app *app, uint32_t character);
/* Lists or finds what the line leads to. */
void prompt_changed(struct app *app);
void prompt_mouse(struct app *app, const struct key_event *event);
void prompt_draw(struct app *app, struct canvas *canvas, struct rect body, struct rect line);
void line_history_free(struct line_history *history);

/* menu.c --------------------------------------------------------------------------------------- */

/* Choices of a knob, presets of a device; the chosen one becomes the knob's value, the present one
 * changes nothing. An empty or NULL `filter` passes all; if nothing passes, returns false and opens
 * no list. */
void menu_knob_choices(struct app *app, struct knob_ref ref);
bool menu_device_presets(struct app *app, int device, const char *filter);

/* Lists designs to compare with: these, then AO systems. */
void menu_designs(struct app *app, const struct menu_design *designs, int count,
                  menu_chosen *chosen, void *context);

/* Opens the picker with the items added, the cursor on item `focus`. */
void menu_open(struct app *app, int focus, menu_chosen *chosen, void *context);
void menu_choose(struct app *app);

/* Returns true if the open list is one of a knob's choices. Draws what its choice under the cursor
 * is: its help and its caveat, where it has them. There must be one. */
bool menu_is_choices(const struct app *app);
void menu_draw_choice(const struct app *app, struct canvas *canvas, struct rect line);

/* Asks a question. The answers begin with different letters; the cursor is on answer `safe`. */
void menu_ask(struct app *app, const char *title, const char *question,
              const char *const *answers, int safe, menu_chosen *chosen, void *context);
void menu_answer(struct app *app, uint32_t letter);

/* menu_presets.c ------------------------------------------------------------------------------- */

/* Opens a list of AO systems, with a tab for a device unless that is -1. `filter` as for
 * menu_device_presets. */
bool menu_systems(struct app *app, int device, const char *filter);

/* Opens a list of what to start over with: an empty design and AO systems. */
void menu_new(struct app *app);

/* Opens the presets of a kind by the latency that each gives the design, in place of a device or on
 * an added one. Returns false if there is no device to rank. */
bool menu_rank(struct app *app, enum device_kind kind);

/* Asks for the latencies of the open list once they may be computed. */
void menu_update(struct app *app);

void menu_other_tab(struct app *app); /* keeps the filter if it finds something there */
void menu_draw_detail(const struct app *app, struct canvas *canvas, struct rect line);

/* The latencies of the open list. */
extern const struct answer_kind latencies_kind;
void menu_collect(struct app *app);
void menu_free(struct app *app);

/* recovery.c (more in app.h): offers what other sessions left; the design was saved elsewhere or discarded; the program ends. */
app_action act_recover;
void recovery_forget(struct app *app);
void recovery_close(struct app *app);

#endif
