/* What a view knows of the explorer around it: the design, the status line, the way to the knobs
 * and what works beside the screen. Lines to be typed are in prompt.h, lists to choose from in
 * menu.h. No view includes app.h or knows another view. */
#ifndef AOLAG_TUI_HOST_H
#define AOLAG_TUI_HOST_H

#include <stdbool.h>

#include "base/status.h"
#include "design/knob.h"
#include "draw/canvas.h"
#include "tui/design.h"
#include "tui/worker.h"

struct host {
    struct design design; /* views read it; they change it by the functions of design.h */
    struct bell bell;     /* for worker_start */
    const char *program;  /* this one, for job_start; NULL: nothing can run beside the screen */

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

#endif
