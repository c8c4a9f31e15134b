#include "base/heap.h"

#include <stdbool.h>

static bool item_precedes(const struct heap_item *a, const struct heap_item *b)
{
    return a->key < b->key || (a->key == b->key && a->rank < b->rank);
}

static void put_item(struct heap *heap, int at, struct heap_item item)
{
    heap->item[at] = item;
    heap->position[item.owner] = at;
}

static void sift_up(struct heap *heap, int at, struct heap_item item)
{
    while (at > 0 && item_precedes(&item, &heap->item[(at - 1) / 2])) {
        put_item(heap, at, heap->item[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put_item(heap, at, item);
}

static void sift_down(struct heap *heap, int at, struct heap_item item)
{
    for (;;) {
        int child = 2 * at + 1;

        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && item_precedes(&heap->item[child + 1], &heap->item[child]))
            child++;
        if (!item_precedes(&heap->item[child], &item))
            break;
        put_item(heap, at, heap->item[child]);
        at = child;
    }
    put_item(heap, at, item);
}

void heap_clear(struct heap *heap, int owners)
{
    heap->count = 0;
    for (int i = 0; i < owners; i++)
        heap->position[i] = -1;
}

void heap_set(struct heap *heap, struct heap_item item)
{
    int at = heap->position[item.owner];

    if (at < 0)
        sift_up(heap, heap->count++, item);
    else if (item_precedes(&item, &heap->item[at]))
        sift_up(heap, at, item);
    else
        sift_down(heap, at, item);
}

struct heap_item heap_remove_first(struct heap *heap)
{
    struct heap_item first = heap->item[0];

    heap->position[first.owner] = -1;
    if (--heap->count > 0)
        sift_down(heap, 0, heap->item[heap->count]);
    return first;
}
