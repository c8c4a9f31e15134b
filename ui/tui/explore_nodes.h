/* The components and transfers of a result as rows of the component pane. Neighbours that are alike
 * (parts of one component or transfers between the same two, of the same times to three digits)
 * share the row of the first while explore.unfolded is false. */
#ifndef AOLAG_TUI_EXPLORE_NODES_H
#define AOLAG_TUI_EXPLORE_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/result.h"

struct explore;

/* Room for every text below. */
enum { NODE_LABEL = NODE_NAME_MAX + 2 * NAME_MAX_LENGTH };

/* Whether it computes, and so has a bar for that and one for memory. */
bool node_has_bars(const struct node_result *node);

/* Whether the critical path goes through it, even where the last packet costs it no time. */
bool node_is_critical(const struct explore *explore, int number);

/* How many are alike, this one among them; the first of those that share its row, and how many do.
 */
int node_alike(const struct explore *explore, int number);
int node_head(const struct explore *explore, int number);
int node_shared(const struct explore *explore, int number);

/* Two for a computation and its memory, one more for deferred work; one for a part, the larger of
 * the two; none for what shares the row of another. */
int node_rows(const struct explore *explore, int number);

/* Nodes there are, also of a stale result; the rows of those before number `end`. */
int nodes_count(const struct explore *explore);
int nodes_rows(const struct explore *explore, int end);

/* What its row is called, for all that share it: "recon", "  @gpu0-6", "slopes>recon x7". */
void node_label(const struct explore *explore, int number, char text[NODE_LABEL]);

/* Its name without the devices of parts: "recon" of "recon@gpu0", "slopes>recon" of
 * "slopes>recon@gpu0". */
void node_strip_devices(const char *name, char text[NODE_LABEL]);

/* "gpu0-6" of neighbours named "gpu0" to "gpu6": of the last only the digits, where nothing else
 * differs. */
void print_range(const char *first, const char *last, char *text, size_t size);

/* Where it runs, as far as its name does not say so; "7 parts". */
const char *node_device(const struct explore *explore, const struct node_result *node,
                        char text[NODE_LABEL]);

/* "110 us overhead": its whole time and what binds it. */
void node_whole(const struct node_result *node, char *text, size_t size);

#endif
