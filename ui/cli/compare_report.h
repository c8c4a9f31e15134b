/* A comparison as text of 80 columns and as data. */
#ifndef AOLAG_COMPARE_REPORT_H
#define AOLAG_COMPARE_REPORT_H

#include <stdio.h>

#include "explore/compare.h"

#define COMPARE_SCHEMA 1

/* `operand`: as the designs were named. */
void compare_report(FILE *out, const struct comparison *comparison,
                    const char *const operand[SIDES]);
void compare_json(FILE *out, const struct comparison *comparison, const char *const operand[SIDES]);

#endif
