/* Every preset of a kind in place of one device of a design: which is best.
 *
 * Each is set as a user would choose it (scenario_set_preset) and the design evaluated again.
 * A preset clears the device's own values but its host, among them its number of sockets; with
 * `keep` what the scenario states is set again afterwards, as far as a device of that kind has it.
 *
 * Orders. Those that keep up with their frames come first, then those that do not, then those with
 * which the design is invalid; among them
 *
 *     latency      by RTC latency, the least first
 *     rate         by the largest frame rate, the highest first
 *     latency-tdp  by RTC latency times thermal design power of the device's sockets together (J),
 *                  the least first; those whose power is unknown after the others
 *
 * and of equals in the order of the catalogue, by name. */
#ifndef AOLAG_EXPLORE_RANK_H
#define AOLAG_EXPLORE_RANK_H

#include <stdbool.h>

#include "base/progress.h"
#include "base/status.h"
#include "design/preset.h"
#include "design/scenario.h"
#include "model/result.h"

enum rank_order { RANK_LATENCY, RANK_RATE, RANK_LATENCY_TDP, RANK_ORDERS };

/* "latency", "rate", "latency-tdp". */
extern const char *const rank_order_names[RANK_ORDERS];

/* The order of that name; false: there is none. */
bool rank_order_find(const char *name, enum rank_order *order);

/* Which device to replace. */
struct rank_question {
    int device;
    bool keep; /* what the scenario states for it */
};

/* The design with one preset. Where it is invalid the numbers are RESULT_NONE and names empty. */
struct ranked {
    const struct preset *preset;   /* the catalogue's */
    const char *title;             /* the device's model, likewise */
    bool present;                  /* the design has it */
    struct error problem;          /* why the design is invalid with it; STATUS_OK: it is valid */
    double latency, margin;        /* s */
    double uncertainty;            /* factor the latency may be off, either way */
    double max_frame_rate;         /* Hz, RESULT_NONE where nothing takes time */
    char limit[NODE_NAME_MAX + 1]; /* what sets it: component, device or link */
    double load;
    bool overloaded;
    char bound_node[NODE_NAME_MAX + 1]; /* what the latency is mostly made of; empty: nothing */
    enum bound bound;
    double tdp;         /* W, of all sockets; RESULT_NONE where it is unknown */
    double latency_tdp; /* s W, likewise */
};

struct rank {
    struct rank_question question;
    int count;
    struct ranked *row; /* in order */
};

/* The device of that kind a ranking is about: the one of that name, with NULL the first that runs a
 * component. STATUS_INVALID names those there are. */
enum status rank_device(const struct scenario *scenario, enum device_kind kind, const char *name,
                        int *device, struct error *error);

/* Evaluates all presets of the device's kind. `result` (result_init) is for its own use. A preset
 * that cannot be read or with which the design is invalid is a row that says so. STATUS_MEMORY,
 * STATUS_STOPPED: there is nothing to free then. */
enum status rank_presets(const struct scenario *scenario, struct catalogue *catalogue,
                         struct rank_question question, enum rank_order order,
                         const struct progress *progress, struct result *result, struct rank *rank,
                         struct error *error);

/* Puts the rows into another order. */
void rank_sort(struct rank *rank, enum rank_order order);

void rank_free(struct rank *rank);

/* The device's keys the scenario states beside preset and host, "sockets, nic"; empty: none. These
 * are what a preset clears. */
void rank_own_keys(const struct scenario *scenario, int device, char *text, size_t size);

/* Whether any device of the design is of that kind. */
bool rank_has_kind(const struct scenario *scenario, enum device_kind kind);

/* Adds a device of a kind of which the design has none, "gpu0", still without a preset: to rank
 * what an instrument without a GPU would gain from one. It goes into the host of the component that
 * takes most of a device now, the one with the largest product of share and time of work (the
 * larger of compute and memory time), and that component moves to it. What the component states for
 * the device it leaves - share, workers, efficiencies, block, chains - becomes automatic, so that
 * it does not hold for hardware it was not meant for. `result` is that of the scenario as it is.
 * STATUS_INVALID: no component computes, or there is no room for a device; the scenario is not
 * changed then. */
enum status rank_add_device(struct scenario *scenario, const struct result *result,
                            enum device_kind kind, int *device, int *component,
                            struct error *error);

#endif
