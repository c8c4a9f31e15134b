/* The design on the screen: the scenario with its result, its file, its history and the baseline.
 * Everything reads it; it changes only through the functions below that take a host, each of which
 * evaluates it, makes one step for undo and tells every view. */
#ifndef AOLAG_TUI_DESIGN_H
#define AOLAG_TUI_DESIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "design/knob.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "design/scenario_file.h"
#include "model/result.h"
#include "tui/history.h"

struct host;

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

/* Whether `result` is that of the present design. */
bool design_is_valid(const struct design *design);

/* For titles of what is drawn from `result`: ": stale" where it is not, else "". */
const char *design_stale_mark(const struct design *design);

/* The name of a node without the devices of parts: "recon" of "recon@gpu0", "slopes>recon" of
 * "slopes>recon@gpu0". */
void design_strip_devices(const char *node, char name[NODE_NAME_MAX + 1]);

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

/* The rest is the application's. */

/* Another design; `document` is taken over, whether it succeeds or not. */
enum status design_start(struct host *host, const struct scenario *scenario,
                         struct document *document, struct error *error);
void design_free(struct design *design);
void design_evaluate(struct host *host);         /* the scenario is another: tells every view */
void design_saved(struct design *design);        /* its file has it as it is now */
bool design_pin_baseline(struct design *design); /* false without memory: none is pinned then */

#endif
