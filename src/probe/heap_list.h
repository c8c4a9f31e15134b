/* A linked list whose nodes come from the heap one by one, in the order of a chase. */
#ifndef AOLAG_HEAP_LIST_H
#define AOLAG_HEAP_LIST_H

#include "chase.h"

/* One cycle of `count` nodes from malloc; each node's number and its next are those of `nodes`, so
 * the walk has the same order. NULL without memory. Returns the node with number 0. */
struct chase_node *heap_list_make(const struct chase_node *nodes, size_t count);

void heap_list_free(struct chase_node *first);

#endif
