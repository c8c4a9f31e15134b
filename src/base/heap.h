/* A binary heap of keys, at most one for each owner, which can replace its own. Every operation is
 * O(log n). The caller owns the memory. */
#ifndef AOLAG_BASE_HEAP_H
#define AOLAG_BASE_HEAP_H

struct heap_item {
    double key;
    int rank;  /* of equal keys the lowest comes first */
    int owner; /* from 0 on */
};

struct heap {
    int count;
    struct heap_item *item; /* room for one of each owner; item[0] is the first */
    int *place;             /* by owner: where its item is; -1: it has none */
};

/* Removes all items of the owners 0 to `owners` - 1; `place` need not be set before. */
void heap_clear(struct heap *heap, int owners);

/* Adds an owner's item, in place of the one it had. */
void heap_set(struct heap *heap, struct heap_item item);

/* Removes the first item, which there must be, and returns it. */
struct heap_item heap_remove_first(struct heap *heap);

#endif
