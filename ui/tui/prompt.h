/* A line to be typed in place of the footer. */
#ifndef AOLAG_TUI_PROMPT_H
#define AOLAG_TUI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "design/knob.h"
#include "draw/canvas.h"
#include "tui/action.h"
#include "tui/line_edit.h"

struct app;
struct host;

/* Lines typed before, newest last. Zero-initialised is empty. */
struct line_history {
    char *lines[100];
    int count;
    int at; /* the one shown; `count`: the line being typed */
};

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

/* A file name as typed, with "~/x" as a shell would read it. */
enum { PATH_BYTES = 4096 };
void prompt_expand_home(const char *text, char *path, size_t size);

/* Opens a line; label and text are copied. */
void prompt_open(struct host *host, const struct prompt_request *request);

/* The rest is the application's. */
struct prompt {
    struct prompt_request request; /* its label and text are not valid any more */
    char label[128];
    struct line_edit line;
};

void prompt_act(struct app *app, enum action_id id);
void prompt_type(struct app *app, uint32_t character);
void prompt_draw(struct app *app, struct canvas *canvas, struct rect line);
void line_history_add(struct line_history *history, const char *line);
void line_history_free(struct line_history *history);

#endif
