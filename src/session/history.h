/* Unlimited undo and redo.
 *
 * Only the parts of a scenario that are in use are packed into an image. A step stores only the
 * bytes that changed, before and after: about twenty bytes for a slider step. */
#ifndef AOLAG_SESSION_HISTORY_H
#define AOLAG_SESSION_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "design/scenario.h"

#define HISTORY_LABEL 96

/* A packed scenario. Zero-initialised: empty. */
struct image {
    unsigned char *bytes;
    size_t size, capacity;
};

void image_pack(struct image *image, const struct scenario *scenario);
void image_unpack(const struct image *image, struct scenario *scenario);
bool image_equals(const struct image *image, const struct scenario *scenario);
void image_free(struct image *image);

struct step;

/* Zero-initialised: empty; history_start initialises it. */
struct history {
    struct step **steps; /* oldest first */
    size_t count;
    int capacity;
    size_t position; /* number of steps applied; later ones can be redone */
    struct image now, next;
    int source; /* number of the document that `now` belongs to, given by the caller */
};

/* Discards all steps; `scenario` is the initial state, of the same source. */
void history_start(struct history *history, const struct scenario *scenario);
void history_free(struct history *history);

/* Records a change of the scenario and discards the steps that could be redone. With `join` the
 * change is merged into the previous step (a knob that is moved on), in its memory if that
 * suffices. An equal scenario adds no step. */
void history_record(struct history *history, const struct scenario *scenario, const char *label,
                    bool join);

/* Records that another document was loaded, also if its scenario is equal. */
void history_record_load(struct history *history, const struct scenario *scenario,
                         const char *label, int source);

/* Return the label of the step that undo or redo would take; NULL if there is none. */
const char *history_undo_label(const struct history *history);
const char *history_redo_label(const struct history *history);

/* Go one step back or forward and return its label; NULL if there is none. Set `source`. */
const char *history_undo(struct history *history, struct scenario *scenario);
const char *history_redo(struct history *history, struct scenario *scenario);

#endif
