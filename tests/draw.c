#include "draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static int fewer(void)
{
    const char *text = getenv("SYSTEMS_EVERY");
    int every = text != NULL ? atoi(text) : SANITIZED ? 12 : 1;

    return every > 1 ? every : 1;
}

struct draw draw_start(uint64_t seed)
{
    const char *text = getenv("AOLAG_SEED");

    if (text != NULL && text[0] != '\0')
        seed = strtoull(text, NULL, 0);
    return (struct draw){seed};
}

int draw_repeat(int times)
{
    const char *text = getenv("AOLAG_REPEAT");

    if (text != NULL && atoi(text) > 0)
        return atoi(text);
    return times < fewer() ? 1 : times / fewer();
}

int draw_every(int every)
{
    return every * fewer();
}

uint64_t draw_bits(struct draw *draw)
{
    uint64_t z = draw->state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

int draw_below(struct draw *draw, int limit)
{
    return (int)(draw_bits(draw) % (uint64_t)limit);
}

double draw_between(struct draw *draw, double a, double b)
{
    return a + (b - a) * ((double)(draw_bits(draw) >> 11) * 0x1p-53);
}

double draw_log(struct draw *draw, double a, double b)
{
    return a * exp(draw_between(draw, 0, log(b / a)));
}

bool draw_chance(struct draw *draw, double probability)
{
    return draw_between(draw, 0, 1) < probability;
}

bool draw_holds(bool condition, uint64_t seed, const char *file, int line, const char *format, ...)
{
    char text[512];
    va_list arguments;

    if (condition)
        return true;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return check_true(false, file, line, "AOLAG_SEED=0x%" PRIx64 ": %s", seed, text);
}
