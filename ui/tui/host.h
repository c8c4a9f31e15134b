/* What views share of the screen around them: the session, the status line, the size, and what they ask for.
 * A view calls nothing of the application or of another view: what it asks for is done after its key. */
#ifndef AOLAG_TUI_HOST_H
#define AOLAG_TUI_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "design/knob.h"
#include "draw/canvas.h"
#include "session/design.h"
#include "tui/line_edit.h"

struct front;
struct line_history;

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

/* Lists to choose from, over the view. `chosen` is called with the context and the id of the chosen
 * item, unless the list is closed. */

typedef void menu_chosen(void *context, int id);

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

enum request_kind {
    REQUEST_NONE,
    REQUEST_LINE,    /* `line` is opened, with its label and text */
    REQUEST_CHOICES, /* of a knob, or the presets of its device: the one that is chosen becomes its value */
    REQUEST_DESIGNS  /* a list of designs to compare with: these, then AO systems */
};

/* How Explore shows a knob. */
enum showing {
    SHOW_ASIDE,   /* its cursor moves there */
    SHOW_IN_OPEN, /* and gets the focus if the view is open */
    SHOW_OPEN     /* and the view opens */
};

enum { SHOWN_MAX = 64 };

/* What was asked for, until it is done. */
struct request {
    enum request_kind kind;
    struct prompt_request line;
    char label[128], text[LINE_MAX_BYTES + 1]; /* copies */
    struct knob_ref ref;
    const struct menu_design *designs;
    int count;
    menu_chosen *chosen;
    void *context;

    enum showing showing;             /* of knobs, or the headings of their sections (knob NULL) */
    struct knob_ref shown[SHOWN_MAX]; /* in this order: the cursor stays on the last */
    int shown_count;
    const char *view; /* that opens; NULL: none */
};

struct host {
    struct design design;
    struct bell bell;
    const char *program; /* name of this program, for job_start; NULL: no jobs */
    struct front *front; /* the designs worth having (front.h), which views and lists share */

    int rows, columns; /* size of the whole screen, as last drawn */
    bool unicode;      /* it shows more than ASCII */

    struct notice notice; /* the status line, cleared by the next key */
    struct request request;
    struct knob_ref edited; /* whose value is being typed */
    struct knob_ref before; /* the knob from which one step leads to that under Explore's cursor or the
                               next one (tree_next_knob) */

    bool acted; /* set by a view whose press of the button is more than a move of the cursor: it is
                   no part of a double click */
};

void host_say(struct host *host, enum notice_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void host_say_latency(struct host *host, double before, const char *after); /* of a change */
void host_fail(struct host *host, const struct error *error);

/* Returns the rows of the status line that a message takes, and whether they are on the screen. */
enum { MESSAGE_ROWS = 4 };
int host_message_rows(const struct host *host, const char *message);
bool host_message_fits(const struct host *host, const char *message);

/* Says that a design cannot be opened, `reason` being its errno, and which file may be meant. */
void host_cannot_open(struct host *host, const char *path, int reason);

/* Asks for Explore's cursor on a knob, its section unfolded, or on a section's heading (knob NULL). */
void host_show_knob(struct host *host, enum section section, int index, const struct knob *knob,
                    enum showing showing);

/* Ask for a line, whose label and text are copied; for the choices of a knob; for designs. */
void host_ask_line(struct host *host, const struct prompt_request *line);
void host_ask_choice(struct host *host, struct knob_ref ref);
void host_ask_design(struct host *host, const struct menu_design *designs, int count,
                     menu_chosen *chosen, void *context);

/* Assignments on the `:` line. */

/* "PATH=VALUE PATH=VALUE...". Here and above the value of a number may be relative to that in force:
 * "x2", "/2", "+10%". */
bool design_assign(struct host *host, const char *assignments);

/* Writes the labels of what presets of devices among the assignments clear; false if nothing. */
bool design_assigned_clears(const struct host *host, const char *assignments, char *text,
                            size_t size);

#endif
