/* What a view knows of the explorer around it: the design on the screen, the status line, lines to
 * be typed, lists to choose from, the way to the knobs and work in the background. No view
 * knows more of the application, or another view. */
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
#include "model/result.h"
#include "tui/history.h"
#include "tui/worker.h"

struct line_history;

/* The design: everything reads it; it changes only through the functions below, each of which
 * evaluates it, makes one step for undo and notifies every view. */

struct baseline_bar {
    char name[NODE_NAME_MAX + 1];
    double compute, memory; /* s */
};

/* The design that others are compared with: its values and what they came to. */
struct baseline {
    bool pinned;
    int pins;           /* how often one was */
    struct image image; /* of the scenario, to know it again */
    struct scenario scenario;
    double latency;   /* s */
    double servo_lag; /* m */
    struct baseline_bar *bars;
    int count, capacity;
};

struct design {
    struct catalogue *catalogue;
    struct scenario scenario;
    struct document *document; /* where it comes from */
    struct image saved;        /* the scenario as that file has it */
    struct history history;
    struct baseline baseline;
    struct result result; /* of the last design that was valid */
    bool evaluated;       /* `result` holds one */
    struct error problem; /* why the present design is invalid; STATUS_OK: it is valid */
};

struct host {
    struct design design;
    struct bell bell;    /* for worker_start */
    const char *program; /* this one, for job_start; NULL: there can be no jobs */

    int rows, columns; /* of the whole screen, as last drawn */

    /* The status line; the next key empties it. */
    char message[ERROR_MESSAGE_MAX];
    enum style message_style;
    bool failed; /* it says that something was refused */
};

void host_say(struct host *host, enum style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void host_fail(struct host *host, const struct error *error);

/* Puts Explore's cursor on a knob, unfolding its section, or on a section's heading (knob NULL).
 * `focus`: opens Explore, so that the keys go there too. */
void host_show_knob(struct host *host, enum section section, int index, const struct knob *knob,
                    bool focus);

/* The knob from which one step in direction `by` (1, -1; tree_next_knob) leads to the knob under
 * Explore's cursor or the next one. */
struct knob_ref host_search_from(const struct host *host, int by);

/* Whether `result` is that of the present design; and that result, else NULL. */
bool design_is_valid(const struct design *design);
const struct result *design_result(const struct design *design);

/* For titles of what is drawn from `result`: ": stale" where it is not, else "". */
const char *design_stale_mark(const struct design *design);

/* The component of a node of a result by name, as numbers are those of the design that was
 * evaluated last: "recon" and its part "recon@gpu0" are one. -1: it is gone, or the node is a
 * transfer. */
int design_find_component(const struct design *design, const char *node);

/* The number a knob has in force, also where it is automatic; 0 where there is none. */
double design_knob_number(const struct design *design, struct knob_ref ref);

/* The same as text, for every type of knob. */
void design_print_knob(const struct design *design, struct knob_ref ref, char *text, size_t size);

/* The baseline's bar of the node of that name, or NULL. */
const struct baseline_bar *baseline_bar(const struct baseline *baseline, const char *name);

/* Where the baseline's value stands on the knob's slider, 0 to 1; -1: nowhere. */
double design_baseline_position(const struct design *design, struct knob_ref ref);

bool design_modified(const struct design *design);

/* Changes. What is refused is said in the status line; false then. */
bool design_set_text(struct host *host, struct knob_ref ref, const char *text);
void design_step(struct host *host, struct knob_ref ref, int steps);
/* `position` of a slider, 0 to 1; `join`: part of the step before, as while dragging. */
void design_set_position(struct host *host, struct knob_ref ref, double position, bool join);
void design_reset(struct host *host, struct knob_ref ref); /* to preset or default */
bool design_set_preset(struct host *host, int device, const char *name);
bool design_assign(struct host *host, const char *assignments); /* "PATH=VALUE PATH=VALUE..." */

/* After the caller changed host->design.scenario itself; the text is the label of the step. */
void design_record(struct host *host, bool join, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line to be typed in place of the footer. */

/* What Tab completes. */
enum completion {
    COMPLETE_NOTHING,
    COMPLETE_COMMAND,
    COMPLETE_FILE,
    COMPLETE_VALUE, /* of `knob` */
    COMPLETE_AXES   /* "P=V P=V" */
};

struct prompt_request {
    const char *label;
    const char *text; /* NULL: none */
    bool proposed;    /* the first character typed replaces the text */
    enum completion completion;
    struct knob_ref knob;         /* COMPLETE_VALUE: the knob; the view shows its details */
    struct line_history *history; /* NULL: none */
    void *context;                /* of the functions */
    /* false: refused, and why is in the status line; the line stays to be corrected. */
    bool (*accept)(void *context, const char *text);
    void (*changed)(void *context, const char *text); /* after each key; may be NULL */
    void (*cancel)(void *context);                    /* may be NULL */
};

/* Opens a line; label and text are copied. */
void prompt_open(struct host *host, const struct prompt_request *request);

/* A file name as typed, with "~/x" as a shell would read it. */
enum { PATH_BYTES = 4096 };
void prompt_expand_home(const char *text, char *path, size_t size);

/* Lists to choose from, over the view. `chosen` is called with the context and the id of the item
 * once one is chosen; until then nothing happens. */

typedef void menu_chosen(void *context, int id);

/* A knob's choices, a device's presets: what is chosen becomes the knob's value. `filter` NULL or
 * empty: all; else false, and no list, when nothing passes it. */
void menu_knob_choices(struct host *host, struct knob_ref ref);
bool menu_device_presets(struct host *host, int device, const char *filter);

/* What a design may be compared with: the baseline where there is one, a file, AO systems; `id` is
 * one of these or a preset's number. */
enum { MENU_BASELINE = -1, MENU_FILE = -2 };
void menu_designs(struct host *host, menu_chosen *chosen, void *context);

#endif
