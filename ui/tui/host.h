/* Interface between a view and the explorer: design, status line, typed lines, lists to choose
 * from, knobs and background work. Views have no other access to the application or to each
 * other. */
#ifndef AOLAG_TUI_HOST_H
#define AOLAG_TUI_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "design/knob.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "design/scenario_file.h"
#include "draw/canvas.h"
#include "explore/part_values.h"
#include "model/result.h"
#include "model/schedule.h"
#include "tui/history.h"
#include "tui/worker.h"

struct line_history;

/* The design. Anything may read it; it is changed only by the functions below, each of which
 * evaluates it, records one undo step and notifies every view. */

struct baseline_bar {
    char name[NODE_NAME_MAX + 1];
    double compute, memory; /* s */
};

/* The design to compare with: its values and results. */
struct baseline {
    bool pinned;
    bool waits;         /* the design as loaded is pinned once it changes */
    bool automatic;     /* pinned in that way, not by the user */
    int pins;           /* number of times a baseline was pinned */
    struct image image; /* of the scenario, to recognise it */
    struct scenario scenario;
    double latency;   /* s */
    double servo_lag; /* m */
    struct baseline_bar *bars;
    int count, capacity;
};

/* The design that was open before the present one, as it was last saved or loaded. One that is shown
 * because the start named none is not, unless it was saved. */
enum { PATH_BYTES = 4096, DESIGN_NAME = 96 };
struct previous {
    char path[PATH_BYTES];  /* of its file; empty: it had none */
    char name[DESIGN_NAME]; /* of its file or preset, else its title; empty: there was no design */
    struct image image;
};

/* A document that undo or redo returns to. That of the present source is in the design. */
struct design_source {
    struct document *document;
    struct image saved;
};

struct design {
    struct catalogue *catalogue;
    struct part_values *part_values; /* of the catalogue, read when first needed; NULL: not yet */
    struct scenario scenario;
    struct document *document;     /* source of the design */
    struct image saved;            /* scenario as saved in the document */
    struct design_source *sources; /* all documents of this session, by the history's numbers */
    int source, source_count, source_capacity; /* the present one's number, and their count */
    bool offered; /* the first source is what a start without the name of a design shows */
    struct history history;
    bool joins;            /* the next change joins the last step */
    struct knob_ref moved; /* the knob that the last step moved; NULL: none */
    size_t moved_at;       /* position of that step in the history */
    struct baseline baseline;
    struct previous previous;
    struct result result; /* of the last valid design */
    bool evaluated;       /* `result` is set */
    struct error problem; /* error of the present design; STATUS_OK: it is valid, STATUS_STOPPED: a
                             thread evaluates it */
    struct design_work *work; /* evaluates designs that take long; NULL: none did yet */
    struct schedule schedule; /* of such a design until the timeline takes it; else empty */
};

/* Lets `budget` stop evaluations of a result by the main thread after the steps of one that keeps
 * no key waiting for long: 5e6 (base/progress.h), some 0.1 s. */
struct step_budget {
    int looks; /* left */
    struct progress progress;
};
void design_limit(struct result *result, struct step_budget *budget);

struct host {
    struct design design;
    struct bell bell;    /* for worker_start */
    const char *program; /* name of this program, for job_start; NULL: no jobs */

    int rows, columns; /* size of the whole screen, as last drawn */
    bool unicode;      /* it shows more than ASCII */

    /* The status line, cleared by the next key. */
    char message[ERROR_MESSAGE_MAX];
    enum style message_style;
    bool failed; /* it reports a refused action */

    struct knob_ref edited; /* whose value is being typed */

    bool acted; /* set by a view whose press of the button is more than a move of the cursor: it is
                   no part of a double click */
};

void host_say(struct host *host, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool host_message_fits(const struct host *host, const char *message); /* wholly on the screen */
void host_fail(struct host *host, const struct error *error);

/* Says that a design cannot be opened, `reason` being its errno, and which file may be meant. */
void host_cannot_open(struct host *host, const char *path, int reason);

/* Moves Explore's cursor to a knob, unfolding its section, or to a section's heading (knob NULL).
 * `focus`: also opens Explore and gives the knobs the focus. */
void host_show_knob(struct host *host, enum section section, int index, const struct knob *knob,
                    bool focus);

/* The timeline beside Explore: draws it (view_timeline.h), opens its view. */
void host_draw_timeline(struct host *host, struct canvas *canvas, struct rect box);
void host_open_timeline(struct host *host);

/* Returns the designs worth having (front.h), which views and lists share. */
struct front;
struct front *host_front(struct host *host);

/* Returns the knob from which one step in direction `by` (1, -1; tree_next_knob) leads to the knob
 * under Explore's cursor or the next one. */
struct knob_ref host_search_from(const struct host *host, int by);

/* design_is_valid returns true if `result` belongs to the present design; design_result returns it,
 * or NULL. */
bool design_is_valid(const struct design *design);
const struct result *design_result(const struct design *design);

/* Returns true while a thread evaluates the design. */
bool design_computing(const struct design *design);

/* Returns a suffix for titles of what is drawn from `result`: ": stale" if it is, else "". */
const char *design_stale_mark(const struct design *design);

/* Returns why the design is invalid, or the other text if it is valid. */
const char *design_problem_or(const struct design *design, const char *otherwise);

/* Returns the component of a result's node, found by name because indices refer to the design last
 * evaluated; "recon" and its part "recon@gpu0" are the same. -1: removed, or the node is a
 * transfer. */
int design_find_component(const struct design *design, const char *node);

/* Returns the effective number of a knob, also of an automatic one; 0 if it has none. */
double design_knob_number(const struct design *design, struct knob_ref ref);

/* Prints the effective value of a knob of any type. */
void design_print_knob(const struct design *design, struct knob_ref ref, char *text, size_t size);

/* Returns the values of parts that exist, for steps of knobs and advice in threads: the whole
 * catalogue is read first, so that a thread only reads it. */
const struct part_values *design_part_values(struct design *design);

/* Returns the baseline's bar of the node with this name, or NULL. */
const struct baseline_bar *baseline_bar(const struct baseline *baseline, const char *name);

/* Returns the position of the baseline's value on the knob's slider, 0 to 1; -1: none. */
double design_baseline_position(const struct design *design, struct knob_ref ref);

bool design_modified(const struct design *design);

/* Changes. A refused change is reported in the status line; the function returns false. */
bool design_set_text(struct host *host, struct knob_ref ref, const char *text);
/* Sets a knob to the value of a step of advice, and what part_values_set changes with it. */
bool design_take_step(struct host *host, struct knob_ref ref, const char *value);
/* Steps, and positions of the slider (0 to 1). Consecutive ones of a knob are one step of undo. */
void design_step(struct host *host, struct knob_ref ref, int steps);
void design_set_position(struct host *host, struct knob_ref ref, double position);
void design_reset(struct host *host,
                  struct knob_ref ref); /* to the preset's value or the default */
bool design_set_preset(struct host *host, int device, const char *name);
/* "PATH=VALUE PATH=VALUE...". Here and above the value of a number may be relative to that in force:
 * "x2", "/2", "+10%". */
bool design_assign(struct host *host, const char *assignments);

/* Writes the labels of what presets of devices among the assignments clear; false if nothing. */
bool design_assigned_clears(const struct host *host, const char *assignments, char *text,
                            size_t size);

/* Records a change that the caller made in host->design.scenario; the text is the step's label. */
void design_record(struct host *host, bool join, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Text input in place of the footer. */

/* Kinds of Tab completion. */
enum completion {
    COMPLETE_NOTHING,
    COMPLETE_COMMAND,
    COMPLETE_FILE,
    COMPLETE_VALUE, /* values of `knob` */
    COMPLETE_AXES   /* "P=V P=V" */
};

struct prompt_request {
    const char *label;
    const char *text; /* NULL: none */
    bool proposed;    /* the first character typed replaces the text */
    enum completion completion;
    struct knob_ref knob;         /* for COMPLETE_VALUE; the view shows its details */
    struct line_history *history; /* NULL: none */
    void *context;                /* argument of the functions */
    /* Returns false if refused, with the reason in the status line; the line stays open. */
    bool (*accept)(void *context, const char *text);
    void (*changed)(void *context, const char *text); /* after each key; may be NULL */
    void (*cancel)(void *context);                    /* may be NULL */
};

/* Opens a line; label and text are copied. */
void prompt_open(struct host *host, const struct prompt_request *request);

/* Expands "~/x" in a file name as a shell does. */
void prompt_expand_home(const char *text, char *path, size_t size);

/* Lists to choose from, over the view. `chosen` is called with the context and the id of the chosen
 * item, unless the list is closed. */

typedef void menu_chosen(void *context, int id);

/* Choices of a knob, presets of a device; the chosen one becomes the knob's value, the present one
 * changes nothing. An empty or NULL `filter` passes all; if nothing passes, returns false and opens
 * no list. */
void menu_knob_choices(struct host *host, struct knob_ref ref);
bool menu_device_presets(struct host *host, int device, const char *filter);

/* A design to compare with. The id of a file of the folder is MENU_IN_FOLDER and below, by one each;
 * that of an AO system is its preset. */
enum {
    MENU_BASELINE = -1,
    MENU_PREVIOUS = -2,
    MENU_FILE = -3,  /* one whose name is asked for */
    MENU_LIST = -4,  /* one of the list of systems */
    MENU_IN_FOLDER = -5
};
struct menu_design {
    int id;
    const char *name, *what;
};

/* Lists designs to compare with: these, then AO systems. */
void menu_designs(struct host *host, const struct menu_design *designs, int count,
                  menu_chosen *chosen, void *context);

#endif
