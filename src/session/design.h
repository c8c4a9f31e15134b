/* A design and its answers, which know no screen: the scenario, its document, undo and redo, the baseline,
 * its results, and what is computed of it beside. Anything may read it; it is changed by the functions here
 * and in change.h, each of which evaluates it and records one undo step. Whoever shows it asks by version. */
#ifndef AOLAG_SESSION_DESIGN_H
#define AOLAG_SESSION_DESIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "design/knob.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "design/scenario_file.h"
#include "explore/part_values.h"
#include "model/result.h"
#include "model/schedule.h"
#include "session/answers.h"
#include "session/history.h"
#include "session/notice.h"

struct baseline_bar {
    char name[NODE_NAME_MAX + 1];
    double time; /* s per frame */
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
    struct schedule schedule; /* of such a design until the timeline takes it; else empty */
    unsigned long version; /* from 1; each change makes another, of the scenario or its results */
    unsigned long loads;   /* designs that were loaded or returned to, from 1 */
    struct notice *notice; /* whoever runs the session: says what becomes of a change */
    struct answer evaluation; /* of a design that takes long */
    struct answer range, budget; /* of this design or an earlier one (session/answers.h) */
};

/* Lets `budget` stop evaluations of a result by the main thread after the steps of one that keeps
 * no key waiting for long: 5e6 (base/progress.h), some 0.1 s. */
struct step_budget {
    int looks; /* left */
    struct progress progress;
};
void design_limit(struct result *result, struct step_budget *budget);

/* design_is_valid returns true if `result` belongs to the present design; design_result returns it,
 * or NULL, and design_evaluated the scenario that it belongs to, or NULL. */
bool design_is_valid(const struct design *design);
const struct result *design_result(const struct design *design);
const struct scenario *design_evaluated(const struct design *design);

/* Returns true while a thread evaluates the design. */
bool design_computing(const struct design *design);

/* Ask for the results of a design that takes long, for the range of the latency, with its jitter, and for
 * the error budget: whoever shows them does so each time. */
void design_ask_results(struct design *design);
void design_ask_range(struct design *design);
void design_ask_budget(struct design *design);

/* Returns the last range that was found, also of an earlier design; NULL: none yet. */
const struct range_answer *design_last_range(const struct design *design);

/* Return them for the present design; NULL while they are not known, and if there are none. */
const struct range_answer *design_range(const struct design *design);
const struct budget_answer *design_last_budget(const struct design *design);
const struct budget_answer *design_budget(const struct design *design);

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

/* Reads the user's presets again; returns true if any has changed: there is another catalogue. */
bool design_renew_presets(struct design *design);

/* Returns the system or pipeline with this title; NULL: there is none. */
const struct preset *design_preset(const struct design *design, const char *title);

/* Returns the baseline's bar of the node with this name, or NULL. */
const struct baseline_bar *baseline_bar(const struct baseline *baseline, const char *name);

/* Returns a number as its slider has it: with the range of the values that exist (part_values.h), else
 * with its own. A typed value may be beyond, and stands at the end. */
struct knob design_slider(struct design *design, struct knob_ref ref);

/* Returns the position of the baseline's value on the knob's slider, 0 to 1; -1: none. */
double design_baseline_position(struct design *design, struct knob_ref ref);

bool design_modified(const struct design *design);

/* Starts with a design, without a history. Takes ownership of `document`. */
void design_start(struct design *design, const struct scenario *scenario, struct document *document);
/* Loads another design as one step of undo, called `label`. Takes ownership of `document`. */
void design_load(struct design *design, const struct scenario *scenario, struct document *document,
                 const char *label);
/* Go one step back or forward, to another document if need be; nothing if there is none. */
void design_undo(struct design *design);
void design_redo(struct design *design);
void design_free(struct design *design);
/* Takes the result of a design that takes long. */
void design_collect(struct design *design);
void design_evaluate(struct design *design);  /* after a change of the scenario: notifies every view */
void design_saved(struct design *design); /* marks the present state as saved */
/* Remembers the present design, as it was saved, as the one before; `path` is its file's, "": none.
 * A design without components is not remembered. */
void design_remember(struct design *design, const char *path);
/* Pins the design as last recorded, which its result belongs to. */
void design_pin_baseline(struct design *design);

/* Records a change that the caller made in host->design.scenario; the text is the step's label. */
void design_record(struct design *design, bool join, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
