#include "heap_list.h"

#include <stdlib.h>

/* The allocator gives out neighbours one after the other; the walk's order scatters them. */
bool heap_list_make(struct heap_list *list, const struct chase_node *nodes, size_t count)
{
    *list = (struct heap_list){.node = malloc(count * sizeof(struct chase_node *))};
    if (list->node == NULL)
        return false;
    for (; list->count < count; list->count++) {
        struct chase_node *node = malloc(sizeof *node);

        if (node == NULL) {
            heap_list_free(list);
            return false;
        }
        *node = nodes[list->count];
        list->node[list->count] = node;
    }
    for (size_t i = 0; i < count; i++)
        list->node[i]->next = list->node[nodes[i].after];
    return true;
}

void heap_list_free(struct heap_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->node[i]);
    free(list->node);
    *list = (struct heap_list){0};
}
