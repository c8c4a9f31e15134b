/* What a comparison comes to, in sentences: for the command line and the screen. */
#ifndef AOLAG_REPORT_COMPARE_H
#define AOLAG_REPORT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "explore/compare.h"
#include "report/record.h"

enum { COMPARE_FACTS = 10, COMPARE_FACT_MAX = 400 };

/* A sentence; how good it is: 1 good, -1 bad, 0 neither. */
struct compare_fact {
    const char *label; /* empty: of the one before */
    char text[COMPARE_FACT_MAX];
    int tone;
};

/* The verdict, of designs called `name`: which is faster and by how much, whether that is more than
 * their uncertainty, how they stand to their targets, how much one lags behind the other. Returns
 * how many there are. */
int compare_facts(const struct compare_verdict *verdict, const char *const name[SIDES],
                  bool unicode, struct compare_fact list[COMPARE_FACTS]);

/* "-13.4 us, -24.2 %": what `to` is more than `from`; the percentage where both are above 0. */
void compare_change(double from, double to, const char *unit, bool unicode, char *text,
                    size_t size);

/* What binds a node in one of the designs: "memory L3", "compute"; empty where it is not there. */
void compare_bound(const struct compared_node *node, int s, char *text, size_t size);

#define COMPARE_SCHEMA 1

/* The comparison in any format but CSV. `operand`: as the designs were named. */
void compare_report(struct record *record, const struct comparison *comparison,
                    const char *const operand[SIDES]);

#endif
