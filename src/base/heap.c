#include "base/heap.h"

static bool sooner(const struct event *a, const struct event *b)
{
    return a->time < b->time || (a->time == b->time && a->rank < b->rank);
}

static void put(struct event_heap *heap, int at, struct event event)
{
    heap->item[at] = event;
    heap->place[event.actor] = at;
}

static void rise(struct event_heap *heap, int at, struct event event)
{
    while (at > 0 && sooner(&event, &heap->item[(at - 1) / 2])) {
        put(heap, at, heap->item[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(heap, at, event);
}

static void sink(struct event_heap *heap, int at, struct event event)
{
    for (;;) {
        int child = 2 * at + 1;

        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && sooner(&heap->item[child + 1], &heap->item[child]))
            child++;
        if (!sooner(&heap->item[child], &event))
            break;
        put(heap, at, heap->item[child]);
        at = child;
    }
    put(heap, at, event);
}

/* Puts an event where another was. */
static void replace(struct event_heap *heap, int at, struct event event)
{
    if (at > 0 && sooner(&event, &heap->item[(at - 1) / 2]))
        rise(heap, at, event);
    else
        sink(heap, at, event);
}

void event_clear(struct event_heap *heap, int nodes)
{
    heap->count = 0;
    for (int i = 0; i < nodes; i++)
        heap->place[i] = -1;
    for (int i = NODE_MAX; i < ACTOR_MAX; i++)
        heap->place[i] = -1;
}

void event_set(struct event_heap *heap, struct event event)
{
    if (heap->place[event.actor] >= 0)
        replace(heap, heap->place[event.actor], event);
    else
        rise(heap, heap->count++, event);
}

void event_drop(struct event_heap *heap, int actor)
{
    int at = heap->place[actor];

    if (at < 0)
        return;
    heap->place[actor] = -1;
    if (at < --heap->count)
        replace(heap, at, heap->item[heap->count]);
}

struct event event_take(struct event_heap *heap)
{
    struct event first = heap->item[0];

    event_drop(heap, first.actor);
    return first;
}
