#include "tui/host.h"
#include "tui/view_compare.h"

enum { FIGURES = SIDES * DEVICE_MAX * DEVICE_FIGURES };

bool compare_device_figure(const struct comparison *comparison, int item,
                           const struct compared_device **device, struct device_figure *figure)
{
    for (int d = 0; d < comparison->device_count; d++)
        for (int i = 0; i < DEVICE_FIGURES; i++) {
            *figure = compare_figure(&comparison->device[d], i);
            if (compare_differs(figure->value[0], figure->value[1]) && item-- == 0) {
                *device = &comparison->device[d];
                return true;
            }
        }
    return false;
}

static int device_figures(const struct comparison *comparison)
{
    const struct compared_device *device;
    struct device_figure figure;
    int count = 0;

    while (count < FIGURES && compare_device_figure(comparison, count, &device, &figure))
        count++;
    return count;
}

int compare_node(const struct compare_view *view, int item, int *alike)
{
    const struct comparison *comparison = &view->comparison;
    int node = 0;

    for (; node < comparison->node_count; node += *alike) {
        *alike = compare_alike(comparison, node);
        if (item-- == 0)
            return node;
    }
    return -1;
}

int compare_items(const struct compare_view *view, enum compare_pane pane)
{
    const struct comparison *comparison = &view->comparison;
    int count = 0;
    int alike;

    switch (pane) {
    case COMPARE_KNOBS:
        return comparison->difference_count;
    case COMPARE_RESULTS:
        return comparison->result_count + device_figures(comparison);
    case COMPARE_NODES:
        for (int n = 0; n < comparison->node_count; n += alike, count++)
            alike = compare_alike(comparison, n);
        return count;
    case COMPARE_VERDICT:
    case COMPARE_PANES:
        break;
    }
    return 0;
}

/* Kinds of differences among the first ones, each of which has a heading. */
static int headings(const struct comparison *comparison, int differences)
{
    int count = 0;

    for (int d = 0; d < differences; d++)
        count += d == 0 || comparison->difference[d].kind != comparison->difference[d - 1].kind;
    return count;
}

int compare_row_of(const struct compare_view *view, enum compare_pane pane, int item)
{
    if (pane == COMPARE_KNOBS)
        return item + headings(&view->comparison, item + 1);
    return pane == COMPARE_NODES ? 2 * item : item;
}

int compare_rows(const struct compare_view *view, enum compare_pane pane)
{
    int items = compare_items(view, pane);

    if (pane == COMPARE_KNOBS)
        return items + headings(&view->comparison, items);
    return pane == COMPARE_NODES ? 2 * items : items;
}

int compare_item_at(const struct compare_view *view, enum compare_pane pane, int row)
{
    int items = compare_items(view, pane);

    if (pane == COMPARE_NODES)
        row /= 2;
    for (int item = 0; pane == COMPARE_KNOBS && item < items; item++)
        if (compare_row_of(view, pane, item) == row)
            return item;
    return pane == COMPARE_KNOBS || row >= items ? -1 : row;
}
