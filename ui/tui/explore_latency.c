#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "tui/host.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

/* What stands beside the latency, as far as there is room: how sure it is, then what it is held
 * against, then a gauge. */
struct latency_line {
    int label; /* columns */
    char sure[32];
    char target[64];
    int gauge; /* cells; 0: none */
};

enum { LATENCY_VALUE = 8, GAUGE_SHORTEST = 4, GAUGE_EDGES = 3 };

/* The words that fit; of a loop that does not keep up "if kept up" always stands there. */
static void fit(const struct result *result, int columns, struct latency_line *line)
{
    static const char *const ifs[] = {"if it kept up, target ", "if it kept up", "if kept up"};
    char target[32];
    int room = 0;
    int form = 0;

    quantity_show(result->target, "s", target, sizeof target);
    line->sure[0] = '\0';
    if (result->uncertainty != 1)
        snprintf(line->sure, sizeof line->sure, " \xC3\x97/\xC3\xB7 %.2f", result->uncertainty);
    for (line->label = 12;; line->label = 7) { /* "RTC latency", "latency" */
        for (form = 0; form < (result->overloaded ? 3 : 1); form++) {
            snprintf(line->target, sizeof line->target, " %s%s",
                     result->overloaded ? ifs[form] : "target ", form == 0 ? target : "");
            room = columns - line->label - LATENCY_VALUE - text_width(line->sure);
            if (room >= text_width(line->target)) {
                line->gauge = room - text_width(line->target) - GAUGE_EDGES;
                return;
            }
        }
        if (!result->overloaded && room >= 0)
            break;
        if (line->label < 12)
            break;
    }
    line->gauge = result->overloaded ? 0 : room - GAUGE_EDGES;
    if (result->overloaded)
        line->sure[0] = '\0';
    else
        line->target[0] = '\0';
}

/* The latency against the target; what an overloaded loop would have if it kept up is no success
 * and no failure. */
void explore_draw_latency(const struct explore *explore, struct canvas *canvas, struct rect line,
                          bool stale)
{
    const struct result *result = &explore->host->design.result;
    double base =
        explore->host->design.baseline.pinned ? explore->host->design.baseline.latency : -1;
    double full = fmax(fmax(result->latency, result->target), base);
    bool overload = result->overloaded;
    enum style title = stale || overload ? STYLE_DIM : STYLE_TITLE;
    enum style style = stale || overload     ? STYLE_DIM
                       : result->margin >= 0 ? STYLE_GOOD
                                             : STYLE_ERROR;
    struct latency_line words;
    char latency[32];
    int at = line.column;

    fit(result, line.columns, &words);
    quantity_show(result->latency, "s", latency, sizeof latency);
    canvas_text(canvas, line.row, at, words.label, title,
                words.label < 12 ? "latency" : "RTC latency");
    at += words.label;
    canvas_right(canvas, line.row, at, LATENCY_VALUE, title, latency);
    at += LATENCY_VALUE;
    at += canvas_text(canvas, line.row, at, text_width(words.sure), STYLE_DIM, words.sure);
    if (words.gauge < GAUGE_SHORTEST || full <= 0) {
        canvas_text(canvas, line.row, at, text_width(words.target), STYLE_DIM, words.target);
        return;
    }
    canvas_right(canvas, line.row, line.column, line.columns, STYLE_DIM, words.target);
    at += 2;
    widget_bar(canvas, (struct rect){line.row, at, 1, words.gauge},
               result->latency / full * words.gauge, 0, base < 0 ? -1 : base / full * words.gauge,
               FILL_COMPUTE, style);
    widget_mark(canvas, line.row, at - 1, STYLE_BORDER, MARK_EDGE_LEFT);
    widget_mark(canvas, line.row, at + (int)lround(result->target / full * words.gauge), style,
                MARK_EDGE_RIGHT);
}
