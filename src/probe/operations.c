#include "probe/operations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "model/result.h"
#include "probe/loops/operation_loops.h"
#include "probe/loops/subnormal.h"
#include "probe/operation_table.h"

/* A run is many thousand operations long before it is this long, so longer ones would only meet
 * more interruptions. */
#define LONGEST 500e-6 /* s */

#define NO_CHAIN "n/a: a chain of square roots goes to one, whose root may take less time"

static void describe(char *text)
{
    size_t length = 0;
    bool fma = false;

    text[0] = '\0';
    for (int i = 0; i < operation_set_count; i++) {
        const struct operation_set *set = &operation_sets[i];

        if (!set->has())
            continue;
        fma = fma || set->has_fma();
        if (strstr(text, set->instructions) == NULL && length < CONDITION_MAX)
            length += (size_t)snprintf(text + length, CONDITION_MAX - length, "%s%s",
                                       length > 0 ? ", " : "", set->instructions);
    }
    if (length < CONDITION_MAX)
        snprintf(text + length, CONDITION_MAX - length, fma ? ", FMA" : ", no FMA");
}

static enum status time_clock(struct probe *probe, struct error *error)
{
    struct measurement_point point = measurement_point(MEASUREMENT_OPERATIONS, "clock", "int");
    struct clock_data data = {.step = 3};

    point.parameter[PARAMETER_CHAINS] = 1;
    return probe_time(probe, clock_loop, &data, CLOCK_STEPS, &point, error);
}

static struct measurement_point point_of(const struct operation_set *set, enum operation operation)
{
    struct measurement_point point =
        measurement_point(MEASUREMENT_OPERATIONS, operation_name(operation), set->type);

    point.parameter[PARAMETER_BITS] = set->bits;
    point.parameter[PARAMETER_CHAINS] = 1;
    return point;
}

static enum status time_chains(struct probe *probe, const struct operation_set *set,
                               enum operation operation, struct error *error)
{
    enum status status = STATUS_OK;
    struct operation_data data;

    operation_fill(&data, set, operation);
    for (int i = 0; i < OPERATION_COUNTS && status == STATUS_OK && !probe_stopped(probe); i++) {
        struct measurement_point point = point_of(set, operation);
        int chains = operation_chains[i];

        point.parameter[PARAMETER_CHAINS] = chains;
        if (operation == OPERATION_SQRT && chains == 1) {
            strcpy(point.remark, NO_CHAIN);
            status = measurement_add(probe->measurement, &point, error);
        } else if (set->loop[operation][i] != NULL) {
            status = probe_time(probe, set->loop[operation][i], &data, OPERATION_STEPS * chains,
                                &point, error);
        }
    }
    return status;
}

static enum status time_operation(struct probe *probe, const struct operation_set *set,
                                  enum operation operation, struct error *error)
{
    const char *lack = operation_lack(set, operation);
    struct measurement_point point = point_of(set, operation);

    if (lack == NULL)
        return time_chains(probe, set, operation, error);
    snprintf(point.remark, sizeof point.remark, "n/a: the CPU has no %s", lack);
    return measurement_add(probe->measurement, &point, error);
}

static enum status time_subnormals(struct probe *probe, const struct subnormal_loop *loop,
                                   bool flush, struct error *error)
{
    enum status status = STATUS_OK;
    const char *lack = flush ? subnormal_no_flush() : NULL;
    struct subnormal_data data;

    for (int i = 0; i < SUBNORMAL_SHARES && status == STATUS_OK && !probe_stopped(probe); i++) {
        struct measurement_point point =
            measurement_point(MEASUREMENT_OPERATIONS, loop->name, loop->type);

        point.parameter[PARAMETER_BITS] = strcmp(loop->type, "f32") == 0 ? 32 : 64;
        point.parameter[PARAMETER_CHAINS] = 1;
        point.parameter[PARAMETER_SUBNORMAL] = subnormal_share(i);
        point.parameter[PARAMETER_FLUSH] = flush;
        subnormal_fill(&data, loop, subnormal_share(i));
        data.flush = flush;
        if (lack == NULL) {
            status = probe_time(probe, loop->loop, &data, SUBNORMAL_STEPS, &point, error);
        } else {
            snprintf(point.remark, sizeof point.remark, "n/a: %s", lack);
            status = measurement_add(probe->measurement, &point, error);
        }
    }
    return status;
}

enum status probe_operations(struct probe *probe, struct error *error)
{
    struct probe own = *probe;
    enum status status = STATUS_OK;
    int operations = operation_set_count * OPERATIONS;
    int all = operations + 2 * subnormal_loop_count;

    own.shortest = fmin(own.shortest, LONGEST);
    describe(probe->measurement->condition[CONDITION_VECTORS]);
    for (int i = 0; i < all && status == STATUS_OK && !probe_stopped(probe); i++) {
        /* Beside each set of operations: wide registers may slow the clock down. */
        if (i < operations && i % OPERATIONS == 0)
            status = time_clock(&own, error);
        if (i < operations && status == STATUS_OK)
            status = time_operation(&own, &operation_sets[i / OPERATIONS],
                                    (enum operation)(i % OPERATIONS), error);
        else if (status == STATUS_OK)
            status = time_subnormals(&own, &subnormal_loops[(i - operations) / 2],
                                     (i - operations) % 2 == 1, error);
        probe_report(probe, MEASUREMENT_OPERATIONS, (i + 1.0) / all);
    }
    if (status == STATUS_OK && !probe_stopped(probe))
        status = probe_window(&own, error);
    return status;
}

/* Window --------------------------------------------------------------------------------------- */

/* The value lies in a register of the kind floating point uses; the compiler knows nothing of it.
 */
#if defined __x86_64__
#define HIDE(value) __asm__ volatile("" : "+x"(value))
#elif defined __aarch64__
#define HIDE(value) __asm__ volatile("" : "+w"(value))
#else
#define HIDE(value) __asm__ volatile("" : "+m"(value))
#endif

#define ADD                                                                                        \
    {                                                                                              \
        sum += step;                                                                               \
        HIDE(sum);                                                                                 \
    }
#define ADD_8 ADD ADD ADD ADD ADD ADD ADD ADD

void window_loop(void *data, uint64_t chains)
{
    float *value = data;
    const float start = *value;
    float step = 0.125F;
    float sum = start;

    HIDE(step);
    for (uint64_t i = 0; i < chains; i++) {
        sum = start;
        HIDE(sum);
        ADD_8 ADD_8 ADD_8 ADD_8 ADD_8 ADD_8 ADD_8 ADD_8
    }
    *value = sum;
}

static void repeat(void *data, uint64_t repeats)
{
    float value = 1;

    (void)data;
    window_loop(&value, repeats);
    probe_keep((double)value);
}

enum status probe_window(struct probe *probe, struct error *error)
{
    struct measurement_point point = measurement_point(MEASUREMENT_OPERATIONS, WINDOW_NAME, "f32");

    point.parameter[PARAMETER_BITS] = 32;
    return probe_time(probe, repeat, NULL, WINDOW_DEPTH, &point, error);
}

double window_of(double seconds, double latency)
{
    if (seconds == RESULT_NONE || latency == RESULT_NONE)
        return RESULT_NONE;
    return larger(0, WINDOW_DEPTH * (latency / seconds - 1));
}
