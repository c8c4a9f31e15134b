#include "charts/staircase.h"

#include <math.h>
#include <stdio.h>

#include "base/buffer.h"
#include "draw/looks.h"

#define MARKS_APART 4 /* a mark's size over that of the one before */
#define NAME_ONE "one chain: each access after the last"

enum { SIGN = 2, GAP = 3 }; /* columns of a sign with its blank, and between two */

struct curves {
    double chains; /* of `most`; 1: there is only `one` */
    struct staircase one, most;
    struct plot_axis x, y;
};

/* false: there is no curve. */
static bool find_curves(const struct measurement *measurement, struct curves *curves)
{
    const struct staircase *curve[] = {&curves->one, &curves->most};
    double low = (double)INFINITY;
    double high = 0;

    curves->chains = staircase_chains_most(measurement);
    staircase_from_measurement(measurement, 1, &curves->one);
    staircase_from_measurement(measurement, curves->chains, &curves->most);
    if (curves->one.count < 2)
        return false;
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < curve[c]->count; i++) {
            low = fmin(low, curve[c]->latency[i]);
            high = fmax(high, curve[c]->latency[i]);
        }
    curves->x = plot_axis_around(PLOT_BINARY, curves->one.size[0],
                                 curves->one.size[curves->one.count - 1], "B");
    curves->y = plot_axis_around(PLOT_DECADES, low, high, "s");
    return true;
}

/* In a file ------------------------------------------------------------------------------------ */

static void add_curve(struct chart *chart, const struct staircase *curve, enum chart_look look,
                      const char *name)
{
    int item = chart_add(chart, CHART_CURVE, look, name);

    for (int i = 0; i < curve->count; i++)
        chart_point(chart, item, curve->size[i], curve->latency[i], NULL);
}

static void add_rule(struct chart *chart, enum chart_look look, const char *what, double size)
{
    char capacity[32], name[64];
    struct buffer text = buffer_over(name, sizeof name);

    plot_capacity(size, capacity, sizeof capacity);
    buffer_print(&text, "%s %s", what, capacity);
    chart_rule(chart, CHART_VERTICAL, look, size, name);
}

bool chart_staircase(struct chart *chart, const struct measurement *measurement,
                     const struct knees *knees, const struct machine *machine)
{
    struct curves curves;
    char name[64];

    chart_init(chart, "Latency staircase");
    if (!find_curves(measurement, &curves))
        return false;
    chart_x(chart, curves.x, "working set");
    chart_y(chart, curves.y, "time per access");
    add_curve(chart, &curves.one, LOOK_FIRST, NAME_ONE);
    snprintf(name, sizeof name, "%.0f at once", curves.chains);
    if (curves.chains > 1)
        add_curve(chart, &curves.most, LOOK_FIRST + 1, name);
    for (int i = 0; i < knees->plateaus - 1; i++)
        add_rule(chart, LOOK_CHANGE, "knee", knees->capacity[i]);
    for (int i = 0; i < machine->levels; i++) {
        snprintf(name, sizeof name, "%s, as the system says",
                 memory_level_name(machine->level[i].id));
        if (machine->level[i].system > 0)
            add_rule(chart, LOOK_OTHER, name, machine->level[i].system);
    }
    return true;
}

/* On a terminal -------------------------------------------------------------------------------- */

struct sign {
    struct look_sign character;
    enum style style;
    char words[64], brief[24];
};

/* With its own sign at some of its points, since without colour one curve is like the other. */
static void draw_signs(const struct plot *plot, const struct staircase *curve,
                       const struct sign *sign)
{
    double next = curve->size[0];

    for (int i = 0; i < curve->count; i++) {
        if (curve->size[i] < next)
            continue;
        plot_mark(plot, curve->size[i], curve->latency[i], sign->style,
                  look_character(plot->canvas, sign->character));
        next = MARKS_APART * curve->size[i];
    }
}

static bool draw_caches(const struct plot *plot, const struct machine *machine,
                        const struct sign *sign)
{
    bool any = false;

    for (int i = 0; i < machine->levels; i++) {
        const struct machine_level *level = &machine->level[i];

        if (level->system > 0)
            plot_below(plot, level->system, sign->style,
                       look_character(plot->canvas, sign->character), memory_level_name(level->id));
        any = any || level->system > 0;
    }
    return any;
}

static int legend_columns(const struct sign *const *sign, int count, bool brief)
{
    int columns = 0;

    for (int i = 0; i < count; i++)
        columns += SIGN + text_width(brief ? sign[i]->brief : sign[i]->words) + (i > 0 ? GAP : 0);
    return columns;
}

/* In few words where there is no room for more; what does not fit then is left out, the last first.
 */
static void draw_legend(struct canvas *canvas, struct rect box, const struct sign *const *sign,
                        int count)
{
    bool brief = legend_columns(sign, count, false) > box.columns;
    int row = box.row + box.rows - 1;
    int end = box.column + box.columns;
    int column = box.column;

    while (count > 1 && legend_columns(sign, count, brief) > box.columns)
        count--;
    for (int i = 0; i < count; i++, column += GAP) {
        canvas_put(canvas, row, column, sign[i]->style, look_character(canvas, sign[i]->character));
        column += SIGN;
        column += canvas_text(canvas, row, column, end - column, STYLE_NORMAL,
                              brief ? sign[i]->brief : sign[i]->words);
    }
}

bool staircase_draw(struct canvas *canvas, struct rect box, const struct measurement *measurement,
                    const struct knees *knees, const struct machine *machine)
{
    static const struct sign one = {{0x2022, '*'}, STYLE_MEMORY, NAME_ONE, "one chain"};
    static const struct sign knee = {{0x2506, ':'}, STYLE_DIM, "knee", "knee"};
    static const struct sign cache = {
        {0x25B2, '^'}, STYLE_NORMAL, "cache, as the system says", "system's cache"};
    struct sign most = {.character = {0xB7, '.'}, .style = STYLE_COMPUTE};
    const struct sign *legend[4] = {&one};
    int count = 1;
    struct rect inner = {box.row, box.column, box.rows - 1, box.columns};
    struct curves curves;
    struct plot plot;

    if (!find_curves(measurement, &curves) || !plot_open(&plot, canvas, inner, curves.x, curves.y))
        return false;
    if (curves.chains > 1) {
        snprintf(most.words, sizeof most.words, "%.0f at once", curves.chains);
        snprintf(most.brief, sizeof most.brief, "%.0f at once", curves.chains);
        plot_curve(&plot, curves.most.size, curves.most.latency, curves.most.count, most.style,
                   (uint32_t)most.character.ascii);
        legend[count++] = &most;
    }
    plot_curve(&plot, curves.one.size, curves.one.latency, curves.one.count, one.style,
               (uint32_t)one.character.ascii);
    if (curves.chains > 1)
        draw_signs(&plot, &curves.most, &most);
    draw_signs(&plot, &curves.one, &one);
    for (int i = 0; i < knees->plateaus - 1; i++) {
        char label[40];

        plot_capacity(knees->capacity[i], label, sizeof label);
        plot_vertical(&plot, knees->capacity[i], knee.style, label);
    }
    if (knees->plateaus > 1)
        legend[count++] = &knee;
    if (draw_caches(&plot, machine, &cache))
        legend[count++] = &cache;
    draw_legend(canvas, box, legend, count);
    return true;
}
