#include "cli/axes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "cli/source.h"
#include "design/assign.h"
#include "design/knob_text.h"

#define SHARDS_MAX 1000000000

bool axes_are_missing(const char *operand)
{
    for (int s = 0; s < SECTION_COUNT; s++) {
        const char *name = section_name((enum section)s);
        size_t length = strlen(name);

        if (strncmp(operand, name, length) == 0 && operand[length] == '.' &&
            access(operand, F_OK) != 0)
            return true;
    }
    return false;
}

/* Returns true if a varied preset of the knob's device clears the knob. */
static bool would_be_cleared(const struct sweep *sweep, struct knob_ref ref)
{
    if (ref.knob->type == KNOB_PRESET)
        return false;
    for (int i = 0; i < sweep->axis_count; i++)
        if (sweep->axis[i].preset != NULL && axis_varies(&sweep->axis[i], ref.section, ref.index))
            return true;
    return false;
}

static bool is_varied(const struct sweep *sweep, struct knob_ref ref)
{
    for (int i = 0; i < sweep->axis_count; i++)
        if (sweep->axis[i].ref.knob == ref.knob &&
            axis_varies(&sweep->axis[i], ref.section, ref.index))
            return true;
    return false;
}

/* Returns true if the knob of an axis is already varied in one of its sections. */
static bool is_varied_twice(const struct sweep *sweep, const struct axis *axis)
{
    for (int i = 0; i < sweep->axis_count; i++)
        if (sweep->axis[i].ref.knob == axis->ref.knob &&
            (axis_members(&sweep->axis[i]) & axis_members(axis)) != 0)
            return true;
    return false;
}

/* Drops from the base what does not hold along the axes, unless --set states it or an axis varies
 * it. */
static void drop_stale(const struct sweep *sweep, const struct arguments *arguments,
                       struct scenario *scenario)
{
    const struct assignments set = {arguments->assignments, arguments->assignment_count};
    struct knob_ref varied[SWEEP_AXES_MAX * COMPONENT_MAX];
    int count = 0;

    for (int i = 0; i < sweep->axis_count; i++) {
        uint64_t members = axis_members(&sweep->axis[i]);

        for (int index = 0; members != 0; index++, members >>= 1)
            if ((members & 1) != 0) {
                varied[count] = sweep->axis[i].ref;
                varied[count++].index = index;
            }
    }
    scenario_drop_stale(scenario, varied, count, &set);
}

/* Applies values of --set after every varied preset. */
static int keep_assignments(struct axes *axes, const struct arguments *arguments,
                            const struct sweep *sweep)
{
    struct error error;

    axes->fixed = allocate_array((size_t)arguments->assignment_count + 1, sizeof *axes->fixed);
    for (int i = 0; i < arguments->assignment_count; i++) {
        struct knob_ref ref;
        char path[128];

        snprintf(path, sizeof path, "%.*s", (int)strcspn(arguments->assignments[i], "= \t"),
                 arguments->assignments[i]);
        if (knob_find(sweep->base, path, &ref, &error) != STATUS_OK)
            continue;
        if (is_varied(sweep, ref))
            return arguments_usage_error(arguments, "%s is both varied and set by --set", path);
        if (would_be_cleared(sweep, ref))
            axis_present(&axes->fixed[axes->fixed_count++], sweep->base, ref);
    }
    return EXIT_GOOD;
}

/* Says of the first design why its star does not count (cli/source.h). */
static void note_star(const struct cli *cli, const struct sweep *sweep)
{
    struct scenario *first = allocate(sizeof *first);
    struct error ignored;

    if (sweep_design(sweep, 0, first, &ignored) == STATUS_OK)
        source_note_star(cli, first);
    free(first);
}

int axes_read(struct axes *axes, struct cli *cli, const struct arguments *arguments,
              struct scenario *scenario, const char *const *texts, int count, struct sweep *sweep)
{
    struct error error;
    int status;

    if (count > SWEEP_AXES_MAX)
        return arguments_usage_error(arguments, "too many knobs: %d; allowed: %d", count,
                                     SWEEP_AXES_MAX);
    sweep->base = scenario;
    sweep->axis = axes->axis;
    for (int i = 0; i < count; i++) {
        if (axis_parse_pattern(&axes->axis[i], scenario, cli->catalogue, texts[i], axes->skip,
                               &error) != STATUS_OK)
            return arguments_usage_error(arguments, "%s", error.message);
        if (is_varied_twice(sweep, &axes->axis[i]))
            return arguments_usage_error(arguments, "%.*s is varied twice",
                                         (int)strcspn(texts[i], "="), texts[i]);
        sweep->axis_count++;
    }
    drop_stale(sweep, arguments, scenario);
    status = keep_assignments(axes, arguments, sweep);
    sweep->fixed = axes->fixed;
    sweep->fixed_count = axes->fixed_count;
    if (status == EXIT_GOOD)
        note_star(cli, sweep);
    return status;
}

void axes_free(struct axes *axes)
{
    for (int i = 0; i < SWEEP_AXES_MAX; i++)
        axis_free(&axes->axis[i]);
    for (int i = 0; i < axes->fixed_count; i++)
        axis_free(&axes->fixed[i]);
    free(axes->fixed);
    *axes = (struct axes){.fixed = NULL};
}

int axes_read_shard(const struct arguments *arguments, uint64_t *shard, uint64_t *shards)
{
    const char *text = arguments_value(arguments, "shard");
    const char *slash = text != NULL ? strchr(text, '/') : NULL;
    double number = 1;
    double count = 1;

    if (text != NULL && (slash == NULL || !whole_parse(text, "/", 1, SHARDS_MAX, &number) ||
                         !whole_parse(slash + 1, "", 1, SHARDS_MAX, &count) || number > count))
        return arguments_usage_error(
            arguments, "--shard: \"%s\" is not K/N, whole numbers with K from 1 to N", text);
    *shard = (uint64_t)number;
    *shards = (uint64_t)count;
    return EXIT_GOOD;
}
