#include "explore/sweep.h"

#include <inttypes.h>
#include <string.h>

enum status sweep_count(const struct sweep *sweep, uint64_t *count, struct error *error)
{
    *count = 1;
    for (int i = 0; i < sweep->axis_count; i++) {
        uint64_t values = (uint64_t)sweep->axis[i].count;

        if (*count > SWEEP_DESIGNS_MAX / values)
            return error_set(error, STATUS_INVALID,
                             "there are more than %" PRIu64 " combinations of values",
                             (uint64_t)SWEEP_DESIGNS_MAX);
        *count *= values;
    }
    return STATUS_OK;
}

void sweep_at(const struct sweep *sweep, uint64_t number, int at[SWEEP_AXES_MAX])
{
    for (int i = sweep->axis_count - 1; i >= 0; i--) {
        uint64_t values = (uint64_t)sweep->axis[i].count;

        at[i] = (int)(number % values);
        number /= values;
    }
}

void sweep_shard(uint64_t count, uint64_t shard, uint64_t shards, uint64_t *first, uint64_t *end)
{
    uint64_t size = count / shards;
    uint64_t larger = count % shards; /* the first blocks, by one */

    *first = (shard - 1) * size + (shard - 1 < larger ? shard - 1 : larger);
    *end = *first + size + (shard - 1 < larger ? 1 : 0);
}

static enum status apply_turn(const struct sweep *sweep, const int at[SWEEP_AXES_MAX],
                              enum knob_turn turn, struct scenario *scenario, struct error *error)
{
    enum status status = STATUS_OK;

    for (int i = 0; i < sweep->axis_count && status == STATUS_OK; i++)
        if (knob_turn(sweep->axis[i].ref.knob) == turn)
            status = axis_apply(&sweep->axis[i], at[i], scenario, error);
    for (int i = 0; i < sweep->fixed_count && status == STATUS_OK; i++)
        if (knob_turn(sweep->fixed[i].ref.knob) == turn)
            status = axis_apply(&sweep->fixed[i], 0, scenario, error);
    return status;
}

enum status sweep_design(const struct sweep *sweep, uint64_t number, struct scenario *scenario,
                         struct error *error)
{
    int at[SWEEP_AXES_MAX];
    enum status status = STATUS_OK;

    sweep_at(sweep, number, at);
    scenario_copy(scenario, sweep->base);
    for (int turn = 0; turn < TURN_COUNT && status == STATUS_OK; turn++)
        status = apply_turn(sweep, at, (enum knob_turn)turn, scenario, error);
    return status;
}

enum status sweep_move(const struct sweep *sweep, int at[SWEEP_AXES_MAX], uint64_t number,
                       struct scenario *scenario, struct error *error)
{
    int from[SWEEP_AXES_MAX];

    memcpy(from, at, sizeof from);
    sweep_at(sweep, number, at);
    for (int i = 0; i < sweep->axis_count; i++)
        if (at[i] != from[i] && knob_turn(sweep->axis[i].ref.knob) != TURN_REST)
            return sweep_design(sweep, number, scenario, error);
    for (int i = 0; i < sweep->axis_count; i++)
        if (at[i] != from[i] && axis_apply(&sweep->axis[i], at[i], scenario, error) != STATUS_OK)
            return STATUS_INVALID;
    return STATUS_OK;
}
