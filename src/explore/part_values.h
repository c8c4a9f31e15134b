/* The next realistic value of a knob, up and down.
 *
 * A number of a part (knob_role) goes to the next value that presets of the catalogue, of devices
 * or in systems, state for it: what one vendor or another sells. Channels, bus and rate of a memory
 * go to what is sold with its kind, that is with channels as wide or as many transfers a clock.
 * Values less than 5 % apart are one and the same to who buys; 0, a cache that is not there, is
 * none. Rates of Ethernet links, which presets do not state, are those of IEEE 802.3; other parts
 * that fewer than two presets tell of double and halve. A setting doubles and halves where its
 * range is logarithmic, moves by a tenth of the whole where it is a fraction, else by the slider's
 * step; so do instruments and properties, by that step. Workers go to one alone, too, however many
 * there are: it pays no launch.
 *
 * A choice goes to each other choice but "none"; what waits for the frame by its algorithm (a
 * controller, a pyramid normalised by the whole of it) goes on waiting; a component goes to each
 * other device, and a reconstruction to its devices and one more, or one less. */
#ifndef AOLAG_EXPLORE_PART_VALUES_H
#define AOLAG_EXPLORE_PART_VALUES_H

#include <stdbool.h>

#include "design/knob.h"
#include "design/preset.h"
#include "model/result.h"

#define LADDER_VALUE (DEVICE_MAX * (NAME_MAX_LENGTH + 2)) /* the longest list of devices */
#define LADDER_STEPS (2 * DEVICE_MAX)                     /* the most one knob has */

struct ladder_step {
    int way;                  /* -1 down, 1 up, 0 another choice */
    char value[LADDER_VALUE]; /* as knob_set_text takes it */
};

struct ladder;

/* Reads the whole catalogue, once: the ladder is not changed any more and may be used by
 * several threads. A user's preset that cannot be read is left out. STATUS_MEMORY. */
enum status ladder_new(struct ladder **ladder, struct catalogue *catalogue, struct error *error);
void ladder_free(struct ladder *ladder);

/* The next value (SI) above (way 1) or below (-1) `value` of a number of the scenario, within its
 * range; false: there is none. */
bool ladder_next(const struct ladder *ladder, const struct scenario *scenario, struct knob_ref ref,
                 double value, int way, double *next);

/* All steps of a knob in a design whose result is that of evaluate; returns how many. None of what
 * is neither number nor choice, and of a number that nothing tells. */
int ladder_steps(const struct ladder *ladder, const struct scenario *scenario,
                 const struct result *result, struct knob_ref ref,
                 struct ladder_step step[LADDER_STEPS]);

#endif
