/* The report of a comparison; its sentences are also shown on the screen. */
#ifndef AOLAG_REPORT_COMPARE_H
#define AOLAG_REPORT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "explore/compare.h"
#include "report/record.h"

enum { COMPARE_FACTS = 11, COMPARE_FACT_MAX = 400 };

/* A sentence of the verdict. */
struct compare_fact {
    const char *label; /* empty: same as that of the previous sentence */
    char text[COMPARE_FACT_MAX];
    int tone; /* 1 good, -1 bad, 0 neutral */
};

/* Writes the verdict on the designs, labelled `name`: which one is faster and by how much, whether
 * the difference exceeds the uncertainty, whether they meet their targets, their servo lags and
 * their power. The change told is that of design `of` relative to the other one, as in the tables
 * beside it.
 * Returns the number of sentences. */
int compare_facts(const struct compare_verdict *verdict, const char *const name[SIDES], int of,
                  bool unicode, struct compare_fact list[COMPARE_FACTS]);

/* Writes the change of a value: "-13.4 us, -24.2 %", with the percentage if both are above 0. */
void compare_change(double from, double to, const char *unit, bool unicode, char *text,
                    size_t size);

/* Writes what binds a node in design `s`: "memory L3", "compute"; empty without such a node. */
void compare_bound(const struct compared_node *node, int s, char *text, size_t size);

#define COMPARE_SCHEMA 1

/* Reports the comparison in any format except CSV. `operand`: arguments that named the designs. */
void compare_report(struct record *record, const struct comparison *comparison,
                    const char *const operand[SIDES]);

#endif
