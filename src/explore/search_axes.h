/* The axes of a search that states none: what a buyer varies. View 6 and aolag search have the
 * same.
 *
 * These are the presets of each device in use, `none` of an accelerator among them, the device that
 * limits the design first, and devices with the same values together (axis_parse_pattern); then
 * counts of 1 to 8 of accelerators, and some numbers of packets, as far as there are at most
 * SEARCH_AXES_DESIGNS designs. What is left out is named, and so are presets of the user that
 * cannot be read. */
#ifndef AOLAG_EXPLORE_SEARCH_AXES_H
#define AOLAG_EXPLORE_SEARCH_AXES_H

#include "base/buffer.h"
#include "design/assign.h"
#include "explore/sweep.h"

#define SEARCH_AXES_DESIGNS 1000000

struct search_axes {
    int count;
    struct axis axis[SWEEP_AXES_MAX];
    char *text[SWEEP_AXES_MAX]; /* that each is parsed from (axis.h) */
    uint64_t designs;
    bool varied[DEVICE_MAX];        /* devices with an axis of parts */
    bool counts_kept, packets_kept; /* there was no room for their axes, or they are set */
    unsigned kinds;                 /* of the presets that are varied: bit k for preset_kind k */
    struct buffer unusable;         /* files of such presets that cannot be read; empty: none */
};

/* Chooses the axes. `result`: of the scenario; `set`: what stays as it is, NULL: nothing. */
void search_axes_choose(struct search_axes *axes, const struct scenario *scenario,
                        const struct result *result, struct catalogue *catalogue,
                        const struct assignments *set);
void search_axes_free(struct search_axes *axes); /* accepts zeroed ones */

/* Writes what is not varied: "unusable: gpu/bad.ini; as they are: rtc2, counts"; nothing if all
 * is. */
void search_axes_print_kept(const struct search_axes *axes, const struct scenario *scenario,
                            struct buffer *text);

#endif
