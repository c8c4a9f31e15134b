#include "window.h"

#include "larger.h"
#include "result.h"

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
