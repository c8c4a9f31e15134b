/* A knob as a row of a list: label, value with its origin, slider; and how its value is changed. */
#ifndef AOLAG_TUI_KNOB_ROW_H
#define AOLAG_TUI_KNOB_ROW_H

#include "draw/canvas.h"
#include "tui/action.h"
#include "tui/host.h"

/* Draws the row; `focus`: the slider has it. `in_force`: the value of an automatic knob that the
 * result of the design does not have, else RESULT_NONE. Returns the columns of the row that the
 * cursor highlights: all but the slider. */
int knob_row_draw(struct design *design, struct canvas *canvas, struct rect line,
                  struct knob_ref ref, double in_force, bool focus);

/* Draws the row of a group, of which `ref` is the first that is listed: the largest delay of late
 * wake-ups, and from 0 to it how probable each delay is, on a logarithmic scale. Returns the
 * columns that the cursor highlights. */
int knob_row_draw_group(const struct scenario *scenario, struct canvas *canvas, struct rect line,
                        struct knob_ref ref, bool open);

/* Says of a group what its row shows, and its values. */
void knob_row_group_words(const struct scenario *scenario, struct knob_ref ref, char *text,
                          size_t size);

/* Writes the origin of the value: "stated by epyc-9654", "measured (#), by here". */
void knob_row_origin(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size);

/* Returns true if Enter opens a list of choices or presets, not a line to type a value. */
bool knob_row_has_list(const struct scenario *scenario, struct knob_ref ref);

/* Changes the knob by Left, Right, ten steps, the ends of its range or Enter; ignores other
 * actions. */
void knob_row_act(struct host *host, struct knob_ref ref, enum action_id id);

#endif
