#include <string.h>

#include "app_state.h"
#include "layout.h"
#include "widget.h"

int explore_device_rows(const struct app *app)
{
    return app->evaluated && app->problem.status == STATUS_OK ? app->result.device_count + 1 : 0;
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

static void draw_device(const struct app *app, struct canvas *canvas, struct rect line,
                        const struct device_columns *c, int number)
{
    const struct device_result *device = &app->result.device[number];
    struct rect bar = {line.row, line.column + c->bar, 1, c->bar_columns};
    enum style style = device->utilisation > 1 ? STYLE_ERROR : STYLE_NORMAL;
    char text[40];

    canvas_text(canvas, line.row, line.column + c->name, c->name_columns, STYLE_NORMAL,
                app->scenario.device[number].head.name);
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
void explore_draw_devices(struct app *app, struct canvas *canvas, struct rect box)
{
    struct rect line = rect_inside(box);
    struct device_columns c;
    int name = 0;

    if (box.rows == 0)
        return;
    for (int d = 0; d < app->result.device_count; d++) {
        int width = (int)strlen(app->scenario.device[d].head.name);

        name = width > name ? width : name;
    }
    c = layout_device(line.columns, name);
    widget_pane(canvas, box, "Devices", false);
    line.rows = 1;
    draw_titles(canvas, line, &c);
    for (int d = 0; d < app->result.device_count; d++) {
        line.row++;
        draw_device(app, canvas, line, &c, d);
    }
}
