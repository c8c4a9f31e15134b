/* The report of a comparison; its verdict is also shown on the screen. */
#ifndef AOLAG_REPORT_COMPARE_H
#define AOLAG_REPORT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "explore/compare.h"
#include "report/record.h"

enum { COMPARE_FACTS = 8, COMPARE_SENTENCE_MAX = 400, COMPARE_CELL_MAX = 128 };

#define DIFFERENCES_TITLE "Knobs that differ"

/* A row of the verdict: what, the value of each design, and the change. */
struct compare_fact {
    char label[COMPARE_CELL_MAX]; /* "RTC latency" */
    char value[SIDES][COMPARE_CELL_MAX];
    int tone[SIDES]; /* 1 good, -1 bad, 0 neutral */
    char change[COMPARE_CELL_MAX];
};

/* Writes the verdict on the designs, called `name`, in one sentence: which one is faster and by how
 * much, or that it is below 1 %, or between which ends where the uncertainty leaves open which one. */
void compare_sentence(const struct compare_verdict *verdict, const char *const name[SIDES],
                      bool unicode, char text[COMPARE_SENTENCE_MAX]);

/* Lists latencies, their ranges, whether they meet their targets, overload and memory where there
 * is a problem, power if all devices state it, and servo lag. The change is that of design `of`
 * relative to the other one; that of the range is how many times as fast the faster one may be.
 * Returns the number of rows. */
int compare_facts(const struct compare_verdict *verdict, int of, bool unicode,
                  struct compare_fact list[COMPARE_FACTS]);

/* Returns true for a result that the facts state, or of which they state a better one. */
bool compare_is_fact(const struct result_row *row);

/* Writes the change of a value: "-13.4 us, -24.2 %", with the percentage if both are above 0; "same
 * within 0.01 %" for less. */
void compare_change(double from, double to, const char *unit, bool unicode, char *text,
                    size_t size);

#define COMPARE_SCHEMA 1

/* Reports the comparison in any format except CSV. `operand`: arguments that named the designs. */
void compare_report(struct record *record, const struct comparison *comparison,
                    const char *const operand[SIDES]);

#endif
