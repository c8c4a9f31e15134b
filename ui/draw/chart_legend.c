#include "chart_legend.h"

#include <stdio.h>
#include <string.h>

#include "looks.h"
#include "result.h"

struct legend {
    struct legend_entry *entry;
    int count;
};

static void take(struct legend *legend, const struct chart_item *item, enum chart_kind kind,
                 enum chart_look look, const char *text)
{
    struct legend_entry *entry = &legend->entry[legend->count];

    for (int e = 0; e < legend->count; e++)
        if (legend->entry[e].look == look && legend->entry[e].kind == kind &&
            strcmp(legend->entry[e].text, text) == 0)
            return;
    if (legend->count == LEGEND_MAX)
        return;
    *entry = (struct legend_entry){.kind = kind, .look = look, .item = item};
    snprintf(entry->text, sizeof entry->text, "%s", text);
    legend->count++;
}

/* Every look of its spans, by its own name where the item has another one. */
static void take_spans(struct legend *legend, const struct chart_item *item)
{
    bool seen[LOOK_COUNT] = {false};

    for (int s = 0; s < item->count; s++) {
        enum chart_look look = item->span[s].look;

        if (!seen[look])
            take(legend, item, CHART_SPANS, look,
                 look == item->look ? item->name : look_of(look)->name);
        seen[look] = true;
    }
}

static void take_cells(struct legend *legend, const struct chart_item *item)
{
    char value[PLOT_LABEL_MAX], text[LEGEND_TEXT_MAX + 1];

    take(legend, item, CHART_CELLS, item->look, item->name);
    if (item->contour == RESULT_NONE)
        return;
    plot_label(&item->z, item->contour, value, sizeof value);
    snprintf(text, sizeof text, "%s at most %s", item->name, value);
    take(legend, item, CHART_CURVE, LOOK_TARGET, text);
}

int chart_legend(const struct chart *chart, struct legend_entry entry[LEGEND_MAX])
{
    struct legend legend = {.entry = entry};

    for (int i = 0; i < chart->count; i++) {
        const struct chart_item *item = &chart->item[i];

        if (item->name[0] == '\0')
            continue;
        if (item->kind == CHART_SPANS)
            take_spans(&legend, item);
        else if (item->kind == CHART_CELLS && plot_axis_is_good(&item->z))
            take_cells(&legend, item);
        else if (item->kind != CHART_CELLS && item->count > 0)
            take(&legend, item, item->kind, item->look, item->name);
    }
    return legend.count;
}

void chart_shade_ends(const struct chart_item *cells, char low[PLOT_LABEL_MAX],
                      char high[PLOT_LABEL_MAX])
{
    plot_label(&cells->z, cells->z.low, low, PLOT_LABEL_MAX);
    plot_label(&cells->z, cells->z.high, high, PLOT_LABEL_MAX);
}
