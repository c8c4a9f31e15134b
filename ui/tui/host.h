/* Interface between a view and the explorer: design, status line, typed lines, lists to choose
 * from, knobs and background work. Views have no other access to the application or to each
 * other. */
#ifndef AOLAG_TUI_HOST_H
#define AOLAG_TUI_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "design/knob.h"
#include "draw/canvas.h"
#include "session/design.h"

struct line_history;

struct host {
    struct design design;
    struct bell bell;    /* for worker_start */
    const char *program; /* name of this program, for job_start; NULL: no jobs */

    int rows, columns; /* size of the whole screen, as last drawn */
    bool unicode;      /* it shows more than ASCII */

    /* The status line, cleared by the next key. */
    struct notice notice;

    struct knob_ref edited; /* whose value is being typed */

    bool acted; /* set by a view whose press of the button is more than a move of the cursor: it is
                   no part of a double click */
};

void host_say(struct host *host, enum notice_kind kind, const char *format, ...)
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

/* Assignments on the `:` line. */

/* "PATH=VALUE PATH=VALUE...". Here and above the value of a number may be relative to that in force:
 * "x2", "/2", "+10%". */
bool design_assign(struct host *host, const char *assignments);

/* Writes the labels of what presets of devices among the assignments clear; false if nothing. */
bool design_assigned_clears(const struct host *host, const char *assignments, char *text,
                            size_t size);

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
