/* Axes of a sweep or a search as arguments, P=VALUES, and what --set states beside them. */
#ifndef AOLAG_CLI_AXES_H
#define AOLAG_CLI_AXES_H

#include "cli/arguments.h"
#include "explore/sweep.h"

struct axes {
    struct axis axis[SWEEP_AXES_MAX];
    struct axis *fixed; /* values of --set for a device with a varied preset */
    int fixed_count;
    bool skip; /* presets that cannot be read, of axes that were chosen (axis_parse_pattern) */
};

/* Reads the axes, drops from the design what does not hold along them, and sets the axes of `sweep`
 * (base, axis and fixed), which refers to `axes` and the scenario. Says of the first design why its
 * star does not count. Reports problems and returns an exit status. Call axes_free in any case. */
int axes_read(struct axes *axes, struct cli *cli, const struct arguments *arguments,
              struct scenario *scenario, const char *const *texts, int count, struct sweep *sweep);
void axes_free(struct axes *axes); /* accepts zeroed ones */

/* Returns true if an operand is a knob without values (AXIS_MISSING) rather than a file. */
bool axes_are_missing(const char *operand);

/* Reads the block of --shard K/N; 1 of 1 without it. Returns an exit status. */
int axes_read_shard(const struct arguments *arguments, uint64_t *shard, uint64_t *shards);

#endif
