#include "charts/plot_staircase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "charts/machine.h"
#include "model/result.h"

#define ONE_MARK '*'
#define MOST_MARK '.'
#define ONE_UNICODE 0x2022
#define MOST_UNICODE 0xB7
#define CACHE_UNICODE 0x25B2
#define CACHE_ASCII '^'

#define MARKS_APART 4 /* a mark's size over that of the one before */

enum { SIGN = 2, GAP = 3 }; /* columns of a sign with its blank, and between two */

static double lowest(const struct staircase *curve, double low)
{
    for (int i = 0; i < curve->count; i++)
        low = fmin(low, curve->latency[i]);
    return low;
}

static double highest(const struct staircase *curve, double high)
{
    for (int i = 0; i < curve->count; i++)
        high = fmax(high, curve->latency[i]);
    return high;
}

/* The curve's own mark at some of its points, since without colour one is like the other. */
static void draw_marks(const struct plot *plot, const struct staircase *curve, enum style style,
                       uint32_t character)
{
    double next = curve->size[0];

    for (int i = 0; i < curve->count; i++) {
        if (curve->size[i] < next)
            continue;
        plot_mark(plot, curve->size[i], curve->latency[i], style, character);
        next = MARKS_APART * curve->size[i];
    }
}

struct sign {
    uint32_t unicode, ascii;
    enum style style;
    char words[64], brief[24];
};

static int legend_columns(const struct sign *sign, int count, bool brief)
{
    int columns = 0;

    for (int i = 0; i < count; i++)
        columns += SIGN + text_width(brief ? sign[i].brief : sign[i].words) + (i > 0 ? GAP : 0);
    return columns;
}

/* In few words where there is no room for more; what does not fit then is left out, the last first.
 */
static void draw_legend(struct canvas *canvas, struct rect box, const struct sign *sign, int count)
{
    bool brief = legend_columns(sign, count, false) > box.columns;
    int row = box.row + box.rows - 1;
    int column = box.column;

    while (count > 1 && legend_columns(sign, count, brief) > box.columns)
        count--;
    for (int i = 0; i < count; i++) {
        canvas_put(canvas, row, column, sign[i].style,
                   canvas->unicode ? sign[i].unicode : sign[i].ascii);
        column += SIGN;
        column += canvas_text(canvas, row, column, box.column + box.columns - column, STYLE_NORMAL,
                              brief ? sign[i].brief : sign[i].words) +
                  GAP;
    }
}

static bool draw_caches(const struct plot *plot, const struct machine *machine)
{
    bool any = false;

    for (int i = 0; i < machine->levels; i++) {
        const struct machine_level *level = &machine->level[i];

        if (level->system > 0)
            plot_below(plot, level->system, STYLE_NORMAL,
                       plot->canvas->unicode ? CACHE_UNICODE : CACHE_ASCII,
                       memory_level_name(level->id));
        any = any || level->system > 0;
    }
    return any;
}

bool plot_staircase(struct canvas *canvas, struct rect box, const struct measurement *measurement,
                    const struct knees *knees, const struct machine *machine)
{
    struct sign sign[4] = {{ONE_UNICODE, ONE_MARK, STYLE_MEMORY,
                            "one chain: each access after the last", "one chain"}};
    int signs = 1;
    struct rect inner = {box.row, box.column, box.rows - 1, box.columns};
    double chains = staircase_chains_most(measurement);
    struct staircase one, most;
    struct plot plot;

    staircase_from_measurement(measurement, 1, &one);
    staircase_from_measurement(measurement, chains, &most);
    if (one.count < 2 ||
        !plot_open(&plot, canvas, inner,
                   plot_axis_around(PLOT_BINARY, one.size[0], one.size[one.count - 1], "B"),
                   plot_axis_around(PLOT_DECADES, lowest(&one, lowest(&most, one.latency[0])),
                                    highest(&one, highest(&most, one.latency[0])), "s")))
        return false;
    if (chains > 1)
        plot_curve(&plot, most.size, most.latency, most.count, STYLE_COMPUTE, MOST_MARK);
    plot_curve(&plot, one.size, one.latency, one.count, STYLE_MEMORY, ONE_MARK);
    if (chains > 1)
        draw_marks(&plot, &most, STYLE_COMPUTE, canvas->unicode ? MOST_UNICODE : MOST_MARK);
    draw_marks(&plot, &one, STYLE_MEMORY, canvas->unicode ? ONE_UNICODE : ONE_MARK);
    for (int i = 0; i < knees->plateaus - 1; i++) {
        char label[40];

        plot_capacity(knees->capacity[i], label, sizeof label);
        plot_vertical(&plot, knees->capacity[i], STYLE_DIM, label);
    }
    if (chains > 1) {
        sign[signs] = (struct sign){MOST_UNICODE, MOST_MARK, STYLE_COMPUTE, "", ""};
        snprintf(sign[signs].words, sizeof sign[0].words, "%.0f at once", chains);
        snprintf(sign[signs].brief, sizeof sign[0].brief, "%.0f at once", chains);
        signs++;
    }
    if (knees->plateaus > 1)
        sign[signs++] = (struct sign){0x2506, ':', STYLE_DIM, "knee", "knee"};
    if (draw_caches(&plot, machine))
        sign[signs++] = (struct sign){CACHE_UNICODE, CACHE_ASCII, STYLE_NORMAL,
                                      "cache, as the system says", "system's cache"};
    draw_legend(canvas, box, sign, signs);
    return true;
}
