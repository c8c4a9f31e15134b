/* Undo and redo without a limit.
 *
 * A scenario is packed into the bytes in use; a step keeps only the bytes that changed, before and
 * after. One step of a slider costs some twenty bytes. */
#ifndef AOLAG_TUI_HISTORY_H
#define AOLAG_TUI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "design/scenario.h"

#define HISTORY_LABEL 96

/* A packed scenario. Zero-initialised is empty. */
struct image {
    unsigned char *bytes;
    size_t size, capacity;
};

/* false without memory; the image is then as before. */
bool image_pack(struct image *image, const struct scenario *scenario);
void image_unpack(const struct image *image, struct scenario *scenario);
bool image_equals(const struct image *image, const struct scenario *scenario);
void image_free(struct image *image);

struct step;

/* Zero-initialised is empty; history_start begins. */
struct history {
    struct step **steps; /* oldest first */
    size_t count;
    int capacity;
    size_t position; /* steps done; those above it can be redone */
    struct image now, next;
};

/* Forgets every step; `scenario` is where it starts. */
bool history_start(struct history *history, const struct scenario *scenario);
void history_free(struct history *history);

/* Notes that the scenario changed; what could be redone is forgotten. With `join` the change
 * belongs to the step before (a slider being dragged). No difference: no step. false without
 * memory: the steps so far are lost and the history starts anew here. */
bool history_record(struct history *history, const struct scenario *scenario, const char *label,
                    bool join);

/* Takes one step back or forward and returns its label; NULL when there is none. */
const char *history_undo(struct history *history, struct scenario *scenario);
const char *history_redo(struct history *history, struct scenario *scenario);

#endif
