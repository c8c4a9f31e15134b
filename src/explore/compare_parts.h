/* The parts of a comparison, a file each. For compare.c. */
#ifndef AOLAG_COMPARE_PARTS_H
#define AOLAG_COMPARE_PARTS_H

#include "explore/compare.h"

/* false without memory. */
bool compare_knobs(const struct compare_side side[SIDES], struct comparison *comparison);

/* Nodes and devices. */
bool compare_nodes(const struct compare_side side[SIDES], struct comparison *comparison);
void compare_devices(const struct compare_side side[SIDES], struct comparison *comparison);

void compare_judge(const struct compare_side side[SIDES], struct compare_verdict *verdict);

#endif
