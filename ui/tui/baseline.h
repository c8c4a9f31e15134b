/* The design that others are compared with: its values and what they came to. */
#ifndef AOLAG_TUI_BASELINE_H
#define AOLAG_TUI_BASELINE_H

#include <stdbool.h>

#include "design/scenario.h"
#include "model/result.h"
#include "tui/history.h"

struct baseline_bar {
    char name[NODE_NAME_MAX + 1];
    double compute, memory; /* s */
};

/* Zero-initialised is none. */
struct baseline {
    bool pinned;
    int pins;           /* how often one was */
    struct image image; /* of the scenario, to know it again */
    struct scenario scenario;
    double latency;   /* s */
    double servo_lag; /* m */
    struct baseline_bar *bars;
    int count, capacity;
};

/* false without memory; nothing is pinned then. */
bool baseline_pin(struct baseline *baseline, const struct scenario *scenario,
                  const struct result *result);
void baseline_free(struct baseline *baseline);

/* The bar of a node of the same name, or NULL. */
const struct baseline_bar *baseline_bar(const struct baseline *baseline, const char *name);

#endif
