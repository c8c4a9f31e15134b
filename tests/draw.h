/* Numbers that look random and come again with the same seed (splitmix64, Steele et al., 2014). */
#ifndef AOLAG_DRAW_H
#define AOLAG_DRAW_H

#include <stdbool.h>
#include <stdint.h>

struct draw {
    uint64_t state;
};

/* From $AOLAG_SEED where it is set, so that a failure's seed can be tried again; else `seed`. */
struct draw draw_start(uint64_t seed);

/* How often a random test repeats: $AOLAG_REPEAT where it is set, fewer under sanitizers and where
 * $SYSTEMS_EVERY asks for less than all systems. */
int draw_repeat(int times);

/* For a test of one in `every` cases: how many that is one of, more there. */
int draw_every(int every);

uint64_t draw_bits(struct draw *draw);
int draw_below(struct draw *draw, int limit);               /* 0 to limit - 1 */
double draw_between(struct draw *draw, double a, double b); /* uniform */
double draw_log(struct draw *draw, double a, double b);     /* uniform in the logarithm; a > 0 */
bool draw_chance(struct draw *draw, double probability);

/* A check whose report names the seed that brings the case back. */
bool draw_holds(bool condition, uint64_t seed, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
