#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/explore_nodes.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

static bool same(double a, double b)
{
    return fabs(a - b) <= 5e-4 * fmax(fabs(a), fabs(b));
}

/* The devices from number `first` on that are alike share a row, as nodes do: how many. */
static int shared(const struct explore *explore, int first)
{
    const struct device_result *a = &explore->host->design.result.device[first];
    int count = 1;

    for (; !explore->unfolded && first + count < explore->host->design.result.device_count;
         count++) {
        const struct device_result *b = a + count;

        if (strcmp(explore->host->design.scenario.device[first].model,
                   explore->host->design.scenario.device[first + count].model) != 0 ||
            !same(a->peak_flops, b->peak_flops) || !same(a->bandwidth, b->bandwidth) ||
            !same(a->busy, b->busy))
            break;
    }
    return count;
}

int explore_device_rows(const struct explore *explore)
{
    int rows = 1;

    if (!explore->host->design.evaluated || explore->host->design.problem.status != STATUS_OK)
        return 0;
    for (int d = 0; d < explore->host->design.result.device_count; d += shared(explore, d))
        rows++;
    return rows;
}

static void print_name(const struct explore *explore, int first, char text[NODE_LABEL])
{
    const char *name = explore->host->design.scenario.device[first].head.name;
    int count = shared(explore, first);

    snprintf(text, NODE_LABEL, "%s", name);
    if (count > 1)
        print_range(name, explore->host->design.scenario.device[first + count - 1].head.name, text,
                    NODE_LABEL);
}

static void draw_titles(struct canvas *canvas, struct rect line, const struct device_columns *c)
{
    canvas_text(canvas, line.row, line.column + c->name, c->name_columns, STYLE_DIM, "device");
    canvas_right(canvas, line.row, line.column + c->peak, c->peak_columns, STYLE_DIM, "fp32 peak");
    canvas_right(canvas, line.row, line.column + c->bandwidth, c->bandwidth_columns, STYLE_DIM,
                 "memory bandwidth");
    canvas_right(canvas, line.row, line.column + c->busy, c->busy_columns, STYLE_DIM, "busy");
    canvas_text(canvas, line.row, line.column + c->bar, line.columns - c->bar, STYLE_DIM,
                "utilisation");
}

static void draw_device(const struct explore *explore, struct canvas *canvas, struct rect line,
                        const struct device_columns *c, int number)
{
    const struct device_result *device = &explore->host->design.result.device[number];
    struct rect bar = {line.row, line.column + c->bar, 1, c->bar_columns};
    enum style style = device->utilisation > 1 ? STYLE_ERROR : STYLE_NORMAL;
    char text[40];
    char name[NODE_LABEL];

    print_name(explore, number, name);
    text_middle(name, sizeof name, c->name_columns);
    canvas_text(canvas, line.row, line.column + c->name, c->name_columns, STYLE_NORMAL, name);
    quantity_show(device->peak_flops, "FLOP/s", text, sizeof text);
    canvas_right(canvas, line.row, line.column + c->peak, c->peak_columns, STYLE_NORMAL, text);
    quantity_show(device->bandwidth, "B/s", text, sizeof text);
    canvas_right(canvas, line.row, line.column + c->bandwidth, c->bandwidth_columns, STYLE_NORMAL,
                 text);
    quantity_show(device->busy, "s", text, sizeof text);
    canvas_right(canvas, line.row, line.column + c->busy, c->busy_columns, STYLE_NORMAL, text);
    widget_bar(canvas, bar, device->utilisation * bar.columns, bar.columns, -1, FILL_COMPUTE,
               device->utilisation > 1 ? STYLE_ERROR : STYLE_COMPUTE);
    canvas_printf(canvas, line.row, line.column + c->percent, c->percent_columns, style,
                  device->utilisation < 1 ? "%.3g %%" : "%.0f %%", device->utilisation * 100);
}

/* What each device could do, and how much of a frame it works. */
void explore_draw_devices(struct explore *explore, struct canvas *canvas, struct rect box)
{
    struct rect line = rect_inside(box);
    struct device_columns c;
    int name = 0;

    if (box.rows == 0)
        return;
    for (int d = 0; d < explore->host->design.result.device_count; d += shared(explore, d)) {
        char text[NODE_LABEL];

        print_name(explore, d, text);
        name = text_width(text) > name ? text_width(text) : name;
    }
    c = layout_device(line.columns, name);
    widget_pane(canvas, box, "Devices", false);
    line.rows = 1;
    draw_titles(canvas, line, &c);
    for (int d = 0; d < explore->host->design.result.device_count; d += shared(explore, d)) {
        line.row++;
        draw_device(explore, canvas, line, &c, d);
    }
}
