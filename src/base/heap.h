/* A binary heap of keys with at most one item per owner, which can be replaced. Every operation is
 * O(log n). The caller owns the memory. */
#ifndef AOLAG_BASE_HEAP_H
#define AOLAG_BASE_HEAP_H

struct heap_item {
    double key;
    double rank; /* the lowest rank comes first among equal keys */
    int owner;   /* from 0 */
};

struct heap {
    int count;
    struct heap_item *item; /* one entry per owner; item[0] is the first item */
    int *position;          /* index of each owner's item; -1: none */
};

/* Removes all items and initialises `position` for the owners 0 to `owners` - 1. */
void heap_clear(struct heap *heap, int owners);

/* Adds an owner's item or replaces the existing one. */
void heap_set(struct heap *heap, struct heap_item item);

/* Removes and returns the first item. The heap must not be empty. */
struct heap_item heap_remove_first(struct heap *heap);

#endif
