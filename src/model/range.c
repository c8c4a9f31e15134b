#include "model/range.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "model/breakdown.h"
#include "model/calibration.h"
#include "model/evaluate.h"
#include "model/group.h"

#define ROUNDING 1e-9 /* of an upper end that is composed in another way */

/* Groups --------------------------------------------------------------------------------------- */

/* Returns true if a component on a device states overhead. */
static bool any_overhead(const struct scenario *scenario, int device)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].overhead > 0 && scenario_runs_on(scenario, c, device))
            return true;
    return false;
}

/* Returns true if no component, camera or transfer of the design can spend time on a cause. */
static bool is_absent(const struct scenario *scenario, const struct result *result, int device,
                      enum cause cause)
{
    const struct device *of = &scenario->device[device];
    bool used = scenario_device_used(scenario, device);

    switch (cause) {
    case CAUSE_FRAMEWORK:
        return !used || of->framework != FRAMEWORK_INTERPRETER;
    case CAUSE_SLEEP:
        return of->kind != DEVICE_CPU || of->os != OS_STOCK;
    case CAUSE_COPY:
        return of->kind == DEVICE_CPU || !used;
    case CAUSE_PORT:
        return scenario_host(scenario, device) != device;
    case CAUSE_UNSTATED:
        return !group_is_assumed(scenario, device, FIGURE_DISPATCH);
    case CAUSE_SOFTWARE:
        return !used || (result->device[device].software <= 0 && !any_overhead(scenario, device));
    default:
        return !used && scenario_host(scenario, device) != device;
    }
}

/* Returns true if the rate of a device in use is fitted to the latency of a pipeline. */
static bool any_fitted(const struct scenario *scenario)
{
    for (int d = 0; d < scenario->device_count; d++)
        for (int f = 0; f < FIGURE_COUNT; f++)
            if (scenario_device_used(scenario, d) &&
                group_is_fitted(scenario, d, (enum time_figure)f))
                return true;
    return false;
}

/* Returns true if a device of the group of a cause and of the model of device `first` can spend
 * time on the cause. */
static bool has_group(const struct scenario *scenario, const struct result *result,
                      enum cause cause, int first)
{
    for (int d = first; d < scenario->device_count; d++)
        if (group_first_device(scenario, d) == first && !is_absent(scenario, result, d, cause))
            return true;
    return false;
}

bool range_next_group(const struct scenario *scenario, const struct result *result, int *next,
                      struct range_group *group)
{
    while (*next < scenario->device_count * CAUSE_COUNT) {
        *group = (struct range_group){.cause = (enum cause)(*next % CAUSE_COUNT),
                                      .device = *next / CAUSE_COUNT};
        ++*next;
        if (has_group(scenario, result, group->cause, group->device))
            return true;
    }
    return false;
}

double range_group_factor(const struct device *device, enum cause cause, const double *factors)
{
    bool measurable = cause == CAUSE_MEMORY || cause == CAUSE_CACHE || cause == CAUSE_COMPUTE;

    if (measurable && device->pc > 0)
        return device->pc;
    return factors == NULL ? cause_uncertainty(cause) : factors[cause];
}

/* Returns ln(longer / shorter); a latency of 0 has no logarithm and no range. */
static double log_width(double longer, double shorter)
{
    return shorter > 0 && longer > 0 ? log(longer / shorter) : 0;
}

/* Sets whether a group overloads the design, by its result with the longer times, and where. */
static void set_overload(struct range_group *group, const struct result *result)
{
    group->overloads = result->overloaded;
    group->limit_busy = result->limit_busy;
    strcpy(group->limit, result->limit);
}

/* Evaluates the design with the times of a group multiplied by a factor; `again` as for
 * evaluate_scaled. */
static enum status evaluate_group(const struct scenario *scenario, const struct range_group *group,
                                  double factor, bool again, struct result *result,
                                  struct error *error)
{
    struct cause_factors factors;

    cause_factors_reset(&factors);
    factors.kind = 1 + 2 * (group->device * CAUSE_COUNT + (int)group->cause) + (factor < 1);
    calibration_multiply(scenario, group->cause, group->device, factor, &factors);
    return evaluate_scaled(scenario, &factors, again, result, error);
}

/* Returns the row of the table that a default of a figure comes from; -1 for a figure that has
 * none: it follows from others of the device. */
static int standard_row(const struct scenario *scenario, const struct breakdown *breakdown,
                        int index, enum time_figure figure)
{
    const struct device *device = &scenario->device[index];

    switch (figure) {
    case FIGURE_LAUNCH:
    case FIGURE_BOUNDARY:
    case FIGURE_ENQUEUE:
    case FIGURE_SOFTWARE:
        return (int)device->kind << 8 | (int)device->framework << 4 | (int)device->dispatch;
    case FIGURE_HANDOVER:
        return (int)scenario->device[scenario_host(scenario, index)].os;
    case FIGURE_COPY_LATENCY:
        return (int)device->copy;
    case FIGURE_PEER_LATENCY:
        return (int)device->peer_link;
    case FIGURE_INGRESS:
    case FIGURE_DATAGRAM:
        return (int)device->os << 4 | (int)breakdown->ingress[index];
    case FIGURE_EGRESS:
        return (int)device->egress;
    case FIGURE_OPERATOR:
    case FIGURE_SLEEP:
        return 0;
    default:
        return -1;
    }
}

/* Sets the factor of a group, that of the calibration if it has one. Returns the part of its
 * variance that is left. */
static double set_factor(const struct scenario *scenario, const double *factors,
                         struct range_group *group)
{
    struct calibration_factor calibrated;
    double before;

    group->factor = range_group_factor(&scenario->device[group->device], group->cause, factors);
    before = log(group->factor);
    group->calibrated = calibration_of_group(scenario, group->cause, group->device, &calibrated);
    if (group->calibrated < 0)
        return 1;
    group->factor = calibrated.sigma;
    return before > 0 ? smaller(1, pow(log(group->factor) / before, 2)) : 1;
}

/* Sets the time of a group's cause on the critical path, on all devices of its model, how much of
 * it is assumed, and from which rows; of what is assumed a calibration leaves the part `left`. */
static void set_parts(const struct scenario *scenario, const struct breakdown *breakdown,
                      double left, struct range_group *group)
{
    int k = 0;

    for (int f = 0; f < FIGURE_COUNT; f++) {
        const enum time_figure figure = (enum time_figure)f;
        double part = 0, assumed = 0;
        bool standard = true;

        if (time_figure_cause(figure) != group->cause)
            continue;
        for (int d = group->device; d < scenario->device_count; d++) {
            if (group_first_device(scenario, d) != group->device)
                continue;
            part += breakdown->of[d][f];
            if (group_is_assumed(scenario, d, figure))
                assumed += breakdown->of[d][f] * left;
            standard = standard && group_is_default(scenario, d, figure);
        }
        group->part += part;
        group->assumed += assumed;
        group->standard[k].row =
            standard ? standard_row(scenario, breakdown, group->device, figure) : -1;
        group->standard[k++].part = part;
    }
}

bool range_same_defaults(const struct range_group *a, const struct range_group *b,
                         double fraction[2])
{
    double same[2] = {0, 0};

    if (a->cause != b->cause || a->factor != b->factor)
        return false;
    if (a->cause == CAUSE_UNSTATED) {
        fraction[0] = fraction[1] = 1;
        return true;
    }
    for (int k = 0; k < CAUSE_FIGURES_MAX; k++)
        if (a->standard[k].row >= 0 && a->standard[k].row == b->standard[k].row &&
            a->standard[k].part > 0 && b->standard[k].part > 0) {
            same[0] += a->standard[k].part;
            same[1] += b->standard[k].part;
        }
    if (same[0] <= 0 || same[1] <= 0)
        return false;
    fraction[0] = same[0] / a->part;
    fraction[1] = same[1] / b->part;
    return true;
}

static enum status find_high(const struct scenario *scenario, double latency, bool again,
                             struct range_group *group, struct result *result, struct error *error)
{
    enum status status = evaluate_group(scenario, group, group->factor, again, result, error);

    group->high = log_width(result->latency, latency);
    set_overload(group, result);
    return status;
}

enum status range_find_high(const struct scenario *scenario, double latency,
                            struct range_group *group, struct result *result, struct error *error)
{
    return find_high(scenario, latency, true, group, result, error);
}

/* Returns true for software that nobody states, which may only take longer. */
static bool is_upper_only(const struct range_group *group)
{
    return group->cause == CAUSE_UNSTATED && group->calibrated < 0;
}

/* Finds the widths of one group of a design, those of longer times only unless `lower`; `group` has
 * its cause, device and factor. */
static enum status find_widths(const struct scenario *scenario, double latency, double rate,
                               bool lower, bool again, struct range_group *group,
                               struct result *result, struct error *error)
{
    enum status status = find_high(scenario, latency, again, group, result, error);

    if (status != STATUS_OK)
        return status;
    group->rate_low = log_width(rate, result->max_frame_rate);
    if (is_upper_only(group) || !lower)
        return STATUS_OK;
    status = evaluate_group(scenario, group, 1 / group->factor, true, result, error);
    if (status == STATUS_OK) {
        group->low = log_width(latency, result->latency);
        group->rate_high = log_width(result->max_frame_rate, rate);
    }
    return status;
}

/* Returns true for a group that changes the maximum frame rate at most. */
static bool is_of_rate(const struct range_group *group)
{
    return group->part <= 0 && group->low == 0 && group->high == 0 && !group->overloads;
}

static int compare_groups(const void *a, const void *b)
{
    const struct range_group *left = a;
    const struct range_group *right = b;
    if (is_of_rate(left) != is_of_rate(right))
        return is_of_rate(right) ? -1 : 1;
    if (left->overloads != right->overloads)
        return left->overloads ? -1 : 1;
    if (left->high != right->high)
        return left->high > right->high ? -1 : 1;
    if (left->low != right->low)
        return left->low > right->low ? -1 : 1;
    if (left->device != right->device)
        return left->device < right->device ? -1 : 1;
    return (int)left->cause - (int)right->cause;
}

struct correlations {
    double at[CALIBRATION_FACTORS_MAX][CALIBRATION_FACTORS_MAX];
};

static void read_correlations(const struct scenario *scenario, struct correlations *of)
{
    calibration_read_correlations(scenario->calibration.correlations, CALIBRATION_FACTORS_MAX,
                                  of->at);
}

/* What groups widen one end by: the sum of their squares, zero at first, and the widths of those
 * that are calibrated. */
struct widths {
    double squares;
    double of[CALIBRATION_FACTORS_MAX];
};

/* Adds the square of a group, and twice its product with each one before it with which its errors
 * are correlated. */
static void add_width(const struct correlations *of, const struct range_group *group, double width,
                      struct widths *widths)
{
    width = larger(0, width);
    widths->squares += pow(width, 2);
    if (group->calibrated < 0)
        return;
    for (int i = 0; i < CALIBRATION_FACTORS_MAX; i++)
        widths->squares += 2 * of->at[group->calibrated][i] * width * widths->of[i];
    widths->of[group->calibrated] = width;
}

/* Returns the factor from a result to an end of its range: at least e^spread. */
static double end_factor(const struct widths *widths, double spread)
{
    return exp(larger(sqrt(larger(0, widths->squares)), spread));
}

static void compose_range(const struct scenario *scenario, struct latency_range *range)
{
    const double spread = calibration_latency_spread(scenario);
    struct widths low = {0}, high = {0}, rate_low = {0}, rate_high = {0};
    struct correlations of;

    read_correlations(scenario, &of);
    for (int g = 0; g < range->rate_count; g++) {
        const struct range_group *group = &range->group[g];

        range->count += !is_of_rate(group);
        range->part[group->cause] += group->part;
        range->assumed_part[group->cause] += group->assumed;
        if (group->assumed > 0)
            range->assumed += group->assumed / range->latency;
        add_width(&of, group, group->low, &low);
        add_width(&of, group, group->high, &high);
        add_width(&of, group, group->rate_low, &rate_low);
        add_width(&of, group, group->rate_high, &rate_high);
        range->may_not_keep_up = range->may_not_keep_up || group->overloads;
    }
    qsort(range->group, (size_t)range->rate_count, sizeof *range->group, compare_groups);
    range->low = range->latency / end_factor(&low, spread);
    range->high = range->may_not_keep_up ? RESULT_NONE : range->latency * end_factor(&high, spread);
    range->rate_low = range->rate / end_factor(&rate_low, 0);
    range->rate_high = range->rate * end_factor(&rate_high, 0);
}

void range_set_ends(const struct latency_range *range, struct result *result)
{
    result->latency_low = range->low;
    result->latency_high = range->high;
    result->whole_frames = range->whole_frames;
    result->max_frame_rate_low = range->rate_low;
    result->max_frame_rate_high = range->rate_high;
}

/* Finds the latency with whole frames where nobody states how software processes a frame. */
static enum status find_whole_frames(const struct scenario *scenario, struct result *result,
                                     double *latency)
{
    struct scenario *frames;
    enum status status;

    if (scenario->general.processing != CHOICE_AUTO || scenario->general.packets <= 1)
        return STATUS_OK;
    frames = allocate(sizeof *frames);
    scenario_copy(frames, scenario);
    frames->general.processing = PROCESSING_FRAMES;
    status = evaluate(frames, result, NULL);
    free(frames);
    if (status == STATUS_OK)
        *latency = result->latency;
    return status == STATUS_INVALID ? STATUS_OK : status;
}

bool range_differs_in_frames(const struct latency_range *range)
{
    return range->whole_frames != RESULT_NONE &&
           (range->whole_frames > FRAMES_MATTER * range->latency ||
            range->latency > FRAMES_MATTER * range->whole_frames);
}

/* Finds a range, if `frames` with the latency with whole frames. */
static enum status find_range(const struct scenario *scenario, struct result *result,
                              const double factors[CAUSE_COUNT], const struct progress *progress,
                              unsigned wanted, struct latency_range *range, struct error *error)
{
    enum status status = evaluate(scenario, result, error);
    struct range_group group;
    struct breakdown breakdown;
    int groups = 0, tried = 0;

    if (status != STATUS_OK)
        return status;
    for (int next = 0; range_next_group(scenario, result, &next, &group);)
        groups++;
    breakdown_find(scenario, result, &breakdown);
    memset(range, 0, offsetof(struct latency_range, group)); /* groups are set as they are found */
    range->latency = result->latency;
    range->rate = result->max_frame_rate;
    range->whole_frames = RESULT_NONE;
    range->may_not_keep_up = result->overloaded;
    range->fitted = any_fitted(scenario);
    range->calibration = calibration_state(scenario, NULL);
    for (int next = 0; range_next_group(scenario, result, &next, &group);) {
        set_parts(scenario, &breakdown, set_factor(scenario, factors, &group), &group);
        status = progress_check(progress, tried++ / (double)groups, error);
        if (status == STATUS_OK)
            status = find_widths(scenario, range->latency, range->rate,
                                 (wanted & DERIVED_LOWER) != 0, true, &group, result, error);
        if (status != STATUS_OK)
            return status;
        if (!is_of_rate(&group) || group.rate_low != 0 || group.rate_high != 0)
            range->group[range->rate_count++] = group;
    }
    compose_range(scenario, range);
    if ((wanted & DERIVED_LOWER) == 0)
        range->low = range->rate_high = RESULT_NONE;
    if ((wanted & DERIVED_FRAMES) != 0)
        status = find_whole_frames(scenario, result, &range->whole_frames);
    if (status == STATUS_OK)
        status = evaluate(scenario, result, error);
    range_set_ends(range, result);
    return status;
}

enum status range_find(const struct scenario *scenario, struct result *result,
                       const double factors[CAUSE_COUNT], const struct progress *progress,
                       struct latency_range *range, struct error *error)
{
    return find_range(scenario, result, factors, progress, DERIVED_RANGE | DERIVED_FRAMES, range,
                      error);
}

enum status range_find_ends(const struct scenario *scenario, struct result *result, bool lower,
                            struct latency_range *range, struct error *error)
{
    return find_range(scenario, result, NULL, NULL, lower ? DERIVED_RANGE : DERIVED_UPPER, range,
                      error);
}

/* Returns the group of those not found yet that was the widest in the design before. */
static int next_widest(const struct range_upper *upper, const int *number, const bool *found,
                       int count)
{
    int widest = -1;

    for (int g = 0; g < count; g++)
        if (!found[g] && (widest < 0 || upper->width[number[g]] > upper->width[number[widest]]))
            widest = g;
    return widest;
}

/* The upper end is the latency times e^sqrt of a sum of squares: it is above that of some of them,
 * unless the errors of groups are correlated. */
enum status range_add_upper(const struct scenario *scenario, double most, struct range_upper *upper,
                            struct result *result, struct error *error)
{
    const double rate = result->max_frame_rate;
    const double spread = calibration_latency_spread(scenario);
    const bool early = most < HUGE_VAL && !calibration_stated(scenario);
    struct widths high = {0}, rate_low = {0};
    struct correlations of;
    struct range_group group[RANGE_GROUPS_MAX];
    int number[RANGE_GROUPS_MAX];
    bool found[RANGE_GROUPS_MAX] = {false};
    bool overloads = result->overloaded;
    double squares = 0;
    bool again = false;
    int count = 0;

    for (int next = 0; range_next_group(scenario, result, &next, &group[count]); count++) {
        number[count] = next - 1;
        set_factor(scenario, NULL, &group[count]);
    }
    for (int g; (g = next_widest(upper, number, found, count)) >= 0; found[g] = true) {
        const enum status status = find_widths(scenario, result->latency, rate, false, again,
                                               &group[g], &upper->scaled, error);

        again = true;
        if (status != STATUS_OK)
            return status;
        upper->width[number[g]] = group[g].overloads ? HUGE_VAL : group[g].high;
        squares += pow(larger(0, group[g].high), 2);
        overloads = overloads || group[g].overloads;
        result->latency_high = overloads ? RESULT_NONE : result->latency * exp(sqrt(squares));
        if (early && (overloads || result->latency_high > most * (1 + ROUNDING)))
            return STATUS_OK;
    }
    read_correlations(scenario, &of);
    for (int g = 0; g < count; g++) {
        add_width(&of, &group[g], group[g].high, &high);
        add_width(&of, &group[g], group[g].rate_low, &rate_low);
    }
    result->latency_high = overloads ? RESULT_NONE : result->latency * end_factor(&high, spread);
    result->max_frame_rate_low = rate / end_factor(&rate_low, 0);
    return STATUS_OK;
}

/* Adds what a group does to the busy times of the nodes, s, with longer or shorter times. */
static enum status add_busy_widths(const struct scenario *scenario, const struct correlations *of,
                                   const struct range_group *group, bool longer, const double *busy,
                                   struct widths *widths, struct result *result,
                                   struct error *error)
{
    const double by = longer ? group->factor : 1 / group->factor;
    const enum status status = evaluate_group(scenario, group, by, true, result, error);

    for (int n = 0; n < result->node_count && status == STATUS_OK; n++) {
        const double other = result->node[n].busy;

        add_width(of, group, longer ? log_width(other, busy[n]) : log_width(busy[n], other),
                  &widths[n]);
    }
    return status;
}

enum status range_find_busy(const struct scenario *scenario, struct result *result, double *low,
                            double *high, struct error *error)
{
    const int nodes = result->node_count;
    double *busy = allocate_array((size_t)nodes, sizeof *busy);
    struct widths *widths = allocate_array((size_t)nodes * 2, sizeof *widths);
    struct correlations of;
    struct range_group group;
    enum status status = STATUS_OK;

    read_correlations(scenario, &of);
    for (int n = 0; n < nodes; n++)
        busy[n] = result->node[n].busy;
    for (int next = 0; status == STATUS_OK && range_next_group(scenario, result, &next, &group);) {
        set_factor(scenario, NULL, &group);
        if (!is_upper_only(&group))
            status = add_busy_widths(scenario, &of, &group, false, busy, widths, result, error);
        if (status == STATUS_OK)
            status =
                add_busy_widths(scenario, &of, &group, true, busy, &widths[nodes], result, error);
    }
    for (int n = 0; n < nodes; n++) {
        low[n] = busy[n] / end_factor(&widths[n], 0);
        high[n] = busy[n] * end_factor(&widths[nodes + n], 0);
    }
    free(busy);
    free(widths);
    return status == STATUS_OK ? evaluate(scenario, result, error) : status;
}

struct range_ends range_group_ends(const struct latency_range *range,
                                   const struct range_group *group)
{
    const bool rated = range->rate != RESULT_NONE;

    return (struct range_ends){
        .low = range->latency * exp(-group->low),
        .high = group->overloads ? RESULT_NONE : range->latency * exp(group->high),
        .rate_low = rated ? range->rate * exp(-group->rate_low) : RESULT_NONE,
        .rate_high = rated ? range->rate * exp(group->rate_high) : RESULT_NONE,
    };
}

const struct range_group *range_unstated(const struct latency_range *range)
{
    for (int g = 0; g < range->count; g++)
        if (range->group[g].cause == CAUSE_UNSTATED)
            return &range->group[g];
    return NULL;
}

bool range_is_unsure(const struct latency_range *range, double target)
{
    return range->count > 0 && range->low <= target &&
           (range->high == RESULT_NONE || range->high > target);
}

bool range_contains(const struct latency_range *range, double latency)
{
    return range->low <= latency && (range->may_not_keep_up || latency <= range->high);
}

const struct range_rows *range_rows_of(const struct result_row *row)
{
    static const struct range_rows rows[] = {
        {RESULT_LATENCY, RESULT_LATENCY_LOW, RESULT_LATENCY_HIGH},
        {RESULT_MAX_FRAME_RATE, RESULT_MAX_FRAME_RATE_LOW, RESULT_MAX_FRAME_RATE_HIGH},
    };

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        if (row == &result_rows[rows[r].result] || row == &result_rows[rows[r].low] ||
            row == &result_rows[rows[r].high])
            return &rows[r];
    return NULL;
}

bool range_has(const struct result_row *row)
{
    return (row->derived & DERIVED_RANGE) != 0 && row->of_latency;
}
