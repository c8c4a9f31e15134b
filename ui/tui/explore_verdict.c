#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "draw/looks.h"
#include "model/verdict.h"
#include "report/range.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

enum { LABEL = 8 }; /* "invalid " */

/* The latency ---------------------------------------------------------------------------------- */

enum { GAUGE_SHORTEST = 8, GAUGE_EDGES = 3 };

/* Texts of the first line; between range and target a gauge, if there is room. */
enum { RANGE_WORDS_MAX = RANGE_TEXT_MAX + 40 };

struct latency_line {
    char latency[96];
    char range[RANGE_WORDS_MAX];
    char target[64];
    char state[64];
    int used;  /* cells of the texts and the blanks between them */
    int gauge; /* cells; 0: none */
};

/* Returns true if there is a range, also of an earlier design. An overloaded loop has none, since
 * its latency is hypothetical. */
static bool has_range(const struct explore *explore)
{
    const struct range_answer *last = design_last_range(explore->design);

    return last != NULL && last->range.count > 0 && !explore->design->result.overloaded;
}

/* Writes " (44.0 to 90.0)", with `frames` " (44.0 to 90.0; whole frames 363 us)"; blanks, which
 * keep the positions, while it is that of an earlier design. */
static void print_range(const struct explore *explore, bool frames, char text[RANGE_WORDS_MAX])
{
    const struct latency_range *range;
    char words[RANGE_WORDS_MAX - 4];
    size_t used;

    text[0] = '\0';
    if (!has_range(explore))
        return;
    range = &design_last_range(explore->design)->range;
    range_text(range, true, words, RANGE_TEXT_MAX);
    used = strlen(words);
    if (frames && range_differs_in_frames(range))
        snprintf(words + used, sizeof words - used, "; whole frames %s",
                 quantity_text(range->whole_frames, "s").text);
    if (explore_range(explore) == NULL)
        snprintf(text, RANGE_WORDS_MAX, "%*s", text_width(words) + 3, "");
    else
        snprintf(text, RANGE_WORDS_MAX, " (%s)", words);
}

/* Returns true if the latency is calibrated, which the range says where there is room for it. */
static bool is_calibrated(const struct explore *explore)
{
    const enum calibration_state state = calibration_state(&explore->design->scenario, NULL);

    return state == CALIBRATION_USED || state == CALIBRATION_CHANGED;
}

/* Returns true if the target lies within the range, so that the design may meet or miss it. */
static bool is_unsure(const struct explore *explore)
{
    const struct latency_range *range = explore_range(explore);

    return range != NULL && range_is_unsure(range, explore->design->result.target);
}

/* Writes "MET by 646 us", in the shorter form "MET"; "likely MET" if the target lies within
 * the range, "MET if it keeps up", shorter "may be MET", if that has no upper end; of a design that
 * lacks a part of the loop "INCOMPLETE: no dm". */
static void print_state(const struct explore *explore, bool shorter, char text[64])
{
    const struct design *design = explore->design;
    const struct result *result = &design->result;
    bool met = result->margin >= 0;
    const bool unsure = is_unsure(explore);
    const bool may_fail = unsure && met && explore_range(explore)->may_not_keep_up;
    const char *likely = unsure ? "likely " : "";
    char missing[VERDICT_MISSING_MAX];

    if (!design_is_valid(design))
        snprintf(text, 64, "STALE");
    else if (result->overloaded)
        snprintf(text, 64, "OVERLOADED");
    else if (met && verdict_missing(&design->scenario, missing))
        snprintf(text, 64, shorter ? "INCOMPLETE" : "INCOMPLETE: %s", missing);
    else if (may_fail)
        snprintf(text, 64, shorter ? "may be MET" : "MET if it keeps up");
    else if (shorter)
        snprintf(text, 64, "%s%s", likely, met ? "MET" : "MISSED");
    else if (met)
        snprintf(text, 64, "%sMET by %s", likely, quantity_text(result->margin, "s").text);
    else
        snprintf(text, 64, "%sMISSED by %s", likely, quantity_text(-result->margin, "s").text);
}

/* Selects the texts that fit: the target disappears first, then the range. */
static struct latency_line fit_latency(const struct explore *explore, int columns)
{
    static const struct {
        const char *label;
        bool target, range, frames, shorter;
    } forms[] = {
        {"RTC latency", true, true, true, false},   {"RTC latency", true, true, false, false},
        {"RTC latency", false, true, false, false}, {"latency", false, true, false, false},
        {"latency", false, true, false, true},      {"latency", false, false, false, false},
        {"latency", false, false, false, true}};
    const struct result *result = &explore->design->result;
    struct latency_line line;

    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        snprintf(line.latency, sizeof line.latency, "%s %s%s",
                 forms[f].range || !is_calibrated(explore) ? forms[f].label : "calibrated",
                 quantity_text(result->latency, "s").text,
                 result->overloaded ? " for one frame alone" : "");
        line.range[0] = line.target[0] = '\0';
        if (forms[f].range)
            print_range(explore, forms[f].frames, line.range);
        if (forms[f].target)
            snprintf(line.target, sizeof line.target, "target %s  ",
                     quantity_text(result->target, "s").text);
        print_state(explore, forms[f].shorter, line.state);
        line.used = text_width(line.latency) + text_width(line.range) + 2 +
                    text_width(line.target) + text_width(line.state);
        line.gauge = columns - line.used - GAUGE_EDGES;
        if (line.used <= columns)
            break;
    }
    if (line.gauge < GAUGE_SHORTEST)
        line.gauge = 0;
    return line;
}

/* Draws the latency as a bar and the target: an edge, or within the bar, which stays whole, a cell
 * of another colour. */
static void draw_gauge(const struct result *result, double base, struct canvas *canvas,
                       struct rect bar, enum style style, bool dim)
{
    double cells = bar.columns / fmax(fmax(result->latency, result->target), base);
    int target = (int)lround(result->target * cells);

    widget_mark(canvas, bar.row, bar.column - 1, STYLE_BORDER, MARK_EDGE_LEFT);
    widget_bar(canvas, bar, result->latency * cells, 0, base < 0 ? -1 : base * cells, LOOK_COMPUTE,
               dim ? STYLE_DIM : style);
    if (target < (int)lround(result->latency * cells))
        canvas_restyle(canvas, (struct rect){bar.row, bar.column + target, 1, 1}, STYLE_NORMAL);
    else
        widget_mark(canvas, bar.row, bar.column + target, style, MARK_EDGE_RIGHT);
}

static void draw_latency(const struct explore *explore, struct canvas *canvas, struct rect row,
                         bool stale)
{
    const struct result *result = &explore->design->result;
    const struct baseline *baseline = &explore->design->baseline;
    double base = baseline->pinned ? baseline->latency : -1;
    struct latency_line line = fit_latency(explore, row.columns);
    char missing[VERDICT_MISSING_MAX];
    bool incomplete = verdict_missing(&explore->design->scenario, missing);
    bool dim = stale || result->overloaded || incomplete;
    enum style style = stale                ? STYLE_DIM
                       : result->overloaded ? STYLE_ERROR
                       : result->margin < 0 ? STYLE_ERROR
                       : incomplete         ? STYLE_WARNING
                                            : STYLE_GOOD;
    int at = row.column;
    int end = row.column + row.columns;

    at += canvas_text(canvas, row.row, at, end - at, dim ? STYLE_DIM : STYLE_TITLE, line.latency);
    at += canvas_text(canvas, row.row, at, end - at, STYLE_DIM, line.range) + 1;
    if (line.gauge > 0 && fmax(result->latency, result->target) > 0) {
        draw_gauge(result, base, canvas, (struct rect){row.row, at + 1, 1, line.gauge}, style, dim);
        at += line.gauge + GAUGE_EDGES;
    } else {
        at++;
    }
    at += canvas_text(canvas, row.row, at, end - at, STYLE_DIM, line.target);
    canvas_text(canvas, row.row, at, end - at, style, line.state);
}

/* The critical path ---------------------------------------------------------------------------- */

/* A wait, or the delay and then the work of a step of the path, in s after the last pixel. Times
 * are rounded to cells, so that the parts add up to the bar. */
struct segment {
    double from, work, to;
    enum chart_look look; /* from `work` on */
    int node;
};

enum { SEGMENTS_MAX = 2 * NODE_MAX };

static int list_segments(const struct result *result, struct segment segments[SEGMENTS_MAX])
{
    double at = 0;
    int count = 0;

    for (int i = 0; i < result->path_count; i++) {
        const struct path_step *step = &result->path[i];

        if (step->wait > 0)
            segments[count++] = (struct segment){at, at, at + step->wait, LOOK_WAIT, step->node};
        at += larger(step->wait, 0);
        if (step->busy > 0)
            segments[count++] =
                (struct segment){at, at + smaller(larger(step->delay, 0), step->busy),
                                 at + step->busy, look_of_bound(step->bound), step->node};
        at += larger(step->busy, 0);
    }
    return count;
}

/* Returns true if no other component on the critical path has a name that begins with the first
 * `length` characters of `plain`. */
static bool names_one(const struct result *result, const char *plain, size_t length)
{
    char other[NODE_NAME_MAX + 1];

    for (int i = 0; i < result->path_count; i++) {
        node_plain_name(result->node[result->path[i].node].name, other);
        if (strchr(other, '>') == NULL && strcmp(other, plain) != 0 &&
            strncmp(other, plain, length) == 0)
            return false;
    }
    return true;
}

/* Writes the longest form of a segment's label that fits in a number of cells and names nothing
 * else: "recon 251 us, 95 %", "recon", "rec", "r", "". The first two have room for a blank and the
 * fill around them. */
static void print_segment(const struct result *result, const struct segment *segment, int columns,
                          char *text, size_t size)
{
    const char *name = result->node[segment->node].name;
    bool waits = segment->look == LOOK_WAIT;
    double seconds = segment->to - segment->from;
    char plain[NODE_NAME_MAX + 1];

    node_plain_name(name, plain);
    snprintf(text, size, "%s%s %s, %.0f %%", name, waits ? " waits" : "",
             quantity_text(seconds, "s").text, 100 * seconds / result->latency);
    if (text_width(text) + 4 <= columns)
        return;
    snprintf(text, size, "%s%s", name, waits ? " waits" : "");
    if (text_width(text) + 2 <= columns)
        return;
    snprintf(text, size, "%s", waits ? "" : plain);
    if (text_width(text) <= columns)
        return;
    text[0] = '\0';
    if (strchr(plain, '>') != NULL && columns >= 4)
        snprintf(text, size, "link");
    for (int length = 3; length > 0 && strchr(plain, '>') == NULL && text[0] == '\0'; length -= 2)
        if (length <= columns && names_one(result, plain, (size_t)length))
            snprintf(text, size, "%.*s", length, plain);
}

static void fill_cells(struct canvas *canvas, struct rect cells, enum chart_look look, bool stale)
{
    canvas_fill(canvas, cells, stale ? STYLE_DIM : look_of(look)->style,
                look_character(canvas, look_of(look)->fill));
}

/* Draws a segment in `cells`, the first `delay` of them hatched. A label that leaves no fill has
 * its colour. */
static void draw_segment(const struct result *result, struct canvas *canvas, struct rect cells,
                         int delay, const struct segment *segment, bool stale)
{
    enum style style = look_of(delay < cells.columns ? segment->look : LOOK_WAIT)->style;
    struct rect work = {cells.row, cells.column + delay, 1, cells.columns - delay};
    char text[2 * NODE_NAME_MAX];
    int width, blanks;

    fill_cells(canvas, cells, LOOK_WAIT, stale);
    fill_cells(canvas, work, segment->look, stale);
    if (cells.columns > 1)
        widget_mark(canvas, cells.row, cells.column, STYLE_BORDER, MARK_EDGE_LEFT);
    print_segment(result, segment, cells.columns - 1, text, sizeof text);
    width = text_width(text);
    if (width == 0)
        return;
    blanks = width + 4 <= cells.columns ? 2 : 0;
    if (width + blanks < work.columns)
        cells = work;
    cells.column += 1 + (cells.columns - 1 - width - blanks) / 2;
    cells.columns = width + blanks;
    canvas_fill(canvas, cells, STYLE_NORMAL, ' ');
    canvas_text(canvas, cells.row, cells.column + blanks / 2, width,
                stale        ? STYLE_DIM
                : blanks > 0 ? STYLE_NORMAL
                             : style,
                text);
}

/* Draws the critical path from the last useful packet to the last command as one bar of the
 * latency. */
static void draw_path(const struct explore *explore, struct canvas *canvas, struct rect row,
                      bool stale)
{
    const struct result *result = &explore->design->result;
    struct segment segments[SEGMENTS_MAX];
    int count = list_segments(result, segments);
    int cells;

    if (count == 0 || row.columns < 20)
        return;
    cells = row.columns - 1;
    for (int s = 0; s < count; s++) {
        int first = (int)lround(segments[s].from / result->latency * cells);
        int work = (int)lround(segments[s].work / result->latency * cells);
        int end = (int)lround(segments[s].to / result->latency * cells);

        draw_segment(result, canvas, (struct rect){row.row, row.column + first, 1, end - first},
                     work - first, &segments[s], stale);
    }
    widget_mark(canvas, row.row, row.column + cells, STYLE_BORDER, MARK_EDGE_RIGHT);
}

/* Limit and next steps ------------------------------------------------------------------------- */

enum { LIMIT_TEXT = VERDICT_TEXT_MAX + 256 };

/* Writes what limits the design, the overloads or the problem in at most `columns` cells if
 * possible; returns its style. */
static enum style print_limit(const struct design *design, int columns, char *text, size_t size)
{
    const struct result *result = &design->result;

    if (!design_is_valid(design)) {
        snprintf(text, size, "%s", design->problem.message);
        return STYLE_ERROR;
    }
    if (result->overloaded) {
        explore_overload_words(&design->scenario, result, 1, columns, text, size);
        return STYLE_ERROR;
    }
    verdict_limit(&design->scenario, result, true, text);
    if (text_width(text) > columns)
        verdict_resource(&design->scenario, result, text);
    return STYLE_TITLE;
}

/* Draws a problem, which goes on in the row of the next steps if it must; the next step of an
 * invalid design is to undo. */
static void draw_problem(const struct design *design, struct canvas *canvas, struct rect rows)
{
    const char *undo = history_undo_label(&design->history);
    const struct rect text = {rows.row, rows.column + LABEL, rows.rows, rows.columns - LABEL};
    struct canvas none = {0};
    int used = canvas_wrap(&none, text, 0, STYLE_ERROR, design->problem.message);
    char both[ERROR_MESSAGE_MAX + 32];

    snprintf(both, sizeof both, "%s \xC2\xB7 u undoes it", design->problem.message);
    canvas_text(canvas, rows.row, rows.column, rows.columns, STYLE_DIM, "invalid");
    if (undo != NULL && used == rows.rows &&
        canvas_wrap(&none, text, 0, STYLE_ERROR, both) == rows.rows)
        canvas_wrap(canvas, text, 0, STYLE_ERROR, both);
    else
        canvas_wrap(canvas, text, 0, STYLE_ERROR, design->problem.message);
    if (undo == NULL || used >= rows.rows)
        return;
    canvas_text(canvas, rows.row + used, rows.column, rows.columns, STYLE_DIM, "next");
    canvas_printf(canvas, rows.row + used, text.column, text.columns, STYLE_NORMAL, "u undoes %s",
                  undo);
}

/* Draws what limits the design, or its problem, which has two rows. */
static void draw_limit(const struct explore *explore, struct canvas *canvas, struct rect rows)
{
    const struct design *design = explore->design;
    char text[LIMIT_TEXT];
    enum style style;

    if (!design_is_valid(design) && !design_computing(design)) {
        draw_problem(design, canvas, rows);
        return;
    }
    canvas_text(canvas, rows.row, rows.column, rows.columns, STYLE_DIM, "limit");
    rows.column += LABEL;
    rows.columns -= LABEL;
    style = print_limit(design, rows.columns, text, sizeof text);
    canvas_text(canvas, rows.row, rows.column, rows.columns, style, text);
}

/* Writes the name of the file and the mark of changes, which is never cut, in at most `columns`. */
static void print_file(const struct design *design, int columns, char *text, size_t size)
{
    const char *path = document_path(design->document);
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const char *mark = design_modified(design) ? " [modified]" : "";
    const bool names_itself = mark[0] == '\0' && design->scenario.general.title[0] != '\0';
    enum { LEAST = 5 };
    char name[PATH_BYTES];

    snprintf(name, sizeof name, "%s",
             slash != NULL   ? slash + 1
             : path != NULL  ? path
             : names_itself  ? ""
                             : "untitled");
    if (text_width(name) + text_width(mark) > columns &&
        (path == NULL || columns - text_width(mark) < LEAST)) /* little would say little */
        name[0] = '\0';
    text_middle(name, sizeof name, columns - text_width(mark));
    snprintf(text, size, "%s%s", name, mark + (name[0] == '\0' && mark[0] != '\0'));
}

/* Returns the cells of texts with dots between them; empty ones do not count. */
static int joined_width(const char *const *texts, int count)
{
    int width = 0;

    for (int t = 0; t < count; t++)
        if (texts[t][0] != '\0')
            width += text_width(texts[t]) + (width > 0 ? 3 : 0);
    return width;
}

void explore_print_design(const struct design *design, int columns, char text[DESIGN_TEXT])
{
    enum { TITLE, FILE_NAME, RATE, PACKETS, TEXTS };
    enum { TITLE_LEAST = 10 };
    const struct general *general = &design->scenario.general;
    char title[TEXT_MAX_LENGTH + 1], file[PATH_BYTES + 16], rate[40], packets[PACKETS_TEXT_MAX];
    const char *const texts[TEXTS] = {title, file, rate, packets};
    struct buffer line = buffer_over(text, DESIGN_TEXT);
    int over;

    snprintf(title, sizeof title, "%s", general->title);
    print_file(design, columns, file, sizeof file);
    quantity_show(general->frame_rate, "Hz", rate, sizeof rate);
    scenario_packets_text(&design->scenario, packets);
    if (joined_width(texts, TEXTS) > columns)
        packets[0] = '\0';
    if (joined_width(texts, TEXTS) > columns)
        rate[0] = '\0';
    over = joined_width(texts, TEXTS) - columns;
    if (over > 0 && document_path(design->document) == NULL)
        print_file(design, clamp_int(text_width(file) - over, 0, columns), file, sizeof file);
    over = joined_width(texts, TEXTS) - columns;
    if (over > 0)
        text_middle(title, sizeof title, clamp_int(text_width(title) - over, TITLE_LEAST, columns));
    if (joined_width(texts, TEXTS) > columns)
        title[0] = '\0';
    for (int t = 0; t < TEXTS; t++)
        if (texts[t][0] != '\0')
            buffer_print(&line, "%s%s", line.length > 0 ? " \xC2\xB7 " : "", texts[t]);
}

bool explore_has_title(const struct explore *explore)
{
    return explore->layout.verdict.box.rows > explore->layout.verdict.lines;
}

void explore_draw_verdict(struct explore *explore, struct canvas *canvas,
                          const struct verdict_layout *layout)
{
    const struct design *design = explore->design;
    bool focus = explore->pane == PANE_VERDICT;
    bool stale = !design_is_valid(design);

    if (layout->box.rows > layout->lines) {
        char title[DESIGN_TEXT + 8];
        const char *mark = design->evaluated ? design_stale_mark(design) : "";

        explore_print_design(design, layout->box.columns - 12 - text_width(mark), title);
        strcat(title, mark);
        widget_pane(canvas, layout->box, title, focus);
    }
    if (!design->evaluated) {
        canvas_wrap(canvas, layout->latency, 0, STYLE_ERROR, design->problem.message);
        return;
    }
    draw_latency(explore, canvas, layout->latency, stale);
    draw_path(explore, canvas, layout->path, stale);
    explore_draw_next(explore, canvas, layout->next, layout->software, LABEL);
    draw_limit(explore, canvas,
               (struct rect){layout->limit.row, layout->limit.column, 2 + layout->software.rows,
                             layout->limit.columns});
}

void explore_draw_verdict_line(struct explore *explore, struct canvas *canvas, struct rect row)
{
    static const char limit[] = "limit ";
    enum { GAP = 2, LABELLED = 76 };
    const struct design *design = explore->design;
    bool stale = !design_is_valid(design);
    bool overloaded = !stale && design->result.overloaded;
    int label = row.columns >= LABELLED && !stale ? text_width(limit) : 0;
    int room = row.columns - (overloaded ? 0 : fit_latency(explore, 0).used + GAP);
    char text[LIMIT_TEXT];
    enum style style;
    int width, at;

    design_ask_range(&explore->host->design);
    style = print_limit(design, room, text, sizeof text);
    if (overloaded) {
        canvas_text(canvas, row.row, row.column, row.columns, style, text);
        return;
    }
    width = clamp_int(label + text_width(text), 0, room);
    at = row.column + row.columns - width;
    draw_latency(explore, canvas, (struct rect){row.row, row.column, 1, row.columns - width - GAP},
                 stale);
    canvas_text(canvas, row.row, at, label, STYLE_DIM, limit);
    canvas_text(canvas, row.row, at + label, width - label, style, text);
}
