#include "heap_list.h"

#include <stdlib.h>

static struct chase_node *link_copies(const struct chase_node *nodes, struct chase_node **copy,
                                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *copy[i] = nodes[i];
        copy[i]->next = copy[nodes[i].after];
    }
    return copy[0];
}

/* The allocator gives out neighbours one after the other; the walk's order scatters them. */
struct chase_node *heap_list_make(const struct chase_node *nodes, size_t count)
{
    struct chase_node **copy = malloc(count * sizeof(struct chase_node *));
    struct chase_node *first = NULL;
    size_t made = 0;

    if (copy == NULL)
        return NULL;
    while (made < count && (copy[made] = malloc(sizeof(struct chase_node))) != NULL)
        made++;
    if (made == count)
        first = link_copies(nodes, copy, count);
    else
        while (made > 0)
            free(copy[--made]);
    free(copy);
    return first;
}

void heap_list_free(struct chase_node *first)
{
    struct chase_node *node = first;

    while (node != NULL) {
        struct chase_node *next = node->next;

        free(node);
        node = next != first ? next : NULL;
    }
}
