/* What prints alike shares a row, in every output: all that the row has agrees in three digits. */
#ifndef AOLAG_MODEL_ALIKE_H
#define AOLAG_MODEL_ALIKE_H

#include <stdbool.h>

#include "design/scenario.h"
#include "model/result.h"

/* Returns true if two values agree in three digits, as numbers are printed. */
bool values_alike(double a, double b);

/* Returns true if names differ only in their trailing numbers: "gpu0" and "gpu12". */
bool names_alike(const char *a, const char *b);

/* Returns true for parts of one component on several devices, and for inserted transfers between
 * the same components, which may take turns, whose numbers agree. */
bool nodes_alike(const struct node_result *a, const struct node_result *b);

/* Returns the number of nodes that the row of node `n` represents: itself and later ones that are
 * alike; 0 if an earlier row represents it. */
int nodes_count_alike(const struct result *result, int n);

/* Returns true for devices of one product whose numbers agree. */
bool devices_alike(const struct scenario *scenario, const struct result *result, int a, int b);

#endif
