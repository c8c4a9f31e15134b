#include "explore/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/compare_parts.h"

#define ROUNDING 1e-9 /* of a number, that sums in another order leave */

bool compare_differs(double a, double b)
{
    return fabs(a - b) > ROUNDING * fmax(fabs(a), fabs(b));
}

/* Results of the design and the loop; those of its parts are in the nodes and devices. */
static bool compare_results(const struct compare_side side[SIDES], struct comparison *comparison)
{
    comparison->result = malloc((size_t)result_row_count * sizeof *comparison->result);
    if (comparison->result == NULL)
        return false;
    for (int r = 0; r < result_row_count; r++) {
        const struct result_row *row = &result_rows[r];
        struct compared_result *compared = &comparison->result[comparison->result_count];

        if (row->scope != RESULT_DESIGN && row->scope != RESULT_LOOP)
            continue;
        compared->row = row;
        for (int s = 0; s < SIDES; s++)
            compared->value[s] = result_value(side[s].result, row, 0);
        comparison->result_count += compare_differs(compared->value[0], compared->value[1]);
    }
    return true;
}

enum status compare_designs(const struct compare_side side[SIDES], struct comparison *comparison,
                            struct error *error)
{
    comparison_free(comparison);
    for (int s = 0; s < SIDES; s++)
        snprintf(comparison->title[s], sizeof comparison->title[s], "%s",
                 side[s].scenario->general.title);
    if (!compare_knobs(side, comparison) || !compare_results(side, comparison) ||
        !compare_nodes(side, comparison)) {
        comparison_free(comparison);
        return error_set(error, STATUS_MEMORY, "out of memory");
    }
    compare_devices(side, comparison);
    compare_judge(side, &comparison->verdict);
    return STATUS_OK;
}

static void forget_differences(struct comparison *comparison)
{
    for (int d = 0; d < comparison->difference_count; d++)
        for (int s = 0; s < SIDES; s++)
            free(comparison->difference[d].value[s]);
    free(comparison->difference);
    comparison->difference = NULL;
    comparison->difference_count = comparison->difference_capacity = 0;
}

enum status compare_settings(const struct compare_side side[SIDES], struct comparison *comparison,
                             struct error *error)
{
    forget_differences(comparison);
    if (compare_knobs(side, comparison))
        return STATUS_OK;
    comparison_free(comparison);
    return error_set(error, STATUS_MEMORY, "out of memory");
}

void comparison_free(struct comparison *comparison)
{
    forget_differences(comparison);
    free(comparison->result);
    free(comparison->node);
    *comparison = (struct comparison){0};
}

int compare_count(const struct comparison *comparison, enum difference_kind kind)
{
    int count = 0;

    for (int d = 0; d < comparison->difference_count; d++)
        count += comparison->difference[d].kind == kind;
    return count;
}

const char *difference_kind_name(enum difference_kind kind)
{
    static const char *const names[] = {"preset", "instance", "own", "follows"};

    return names[kind];
}

const char *standing_name(enum standing standing)
{
    static const char *const names[] = {"meets", "meets barely", "misses barely", "misses"};

    return names[standing];
}
