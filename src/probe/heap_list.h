/* A linked list whose nodes come from the heap one by one, in the order of a chase. */
#ifndef AOLAG_HEAP_LIST_H
#define AOLAG_HEAP_LIST_H

#include <stdbool.h>

#include "chase.h"

struct heap_list {
    struct chase_node **node; /* by number */
    size_t count;
};

/* One cycle of `count` nodes from malloc; each node's number and the number of its next are those
 * of `nodes`, so the walk has the same order. False without memory; then there is nothing to free.
 */
bool heap_list_make(struct heap_list *list, const struct chase_node *nodes, size_t count);

void heap_list_free(struct heap_list *list);

#endif
