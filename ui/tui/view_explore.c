#include "tui/view_explore.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/units.h"
#include "charts/components.h"
#include "design/algorithm.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "explore/advise.h"
#include "explore/rank.h"
#include "model/knob_effect.h"
#include "session/change.h"
#include "tui/knob_row.h"
#include "tui/view_timeline.h"
#include "tui/widget.h"

static struct knob_ref row_knob(const struct tree_row *row)
{
    return (struct knob_ref){row->section, row->index, row->knob};
}

/* Drawing knobs -------------------------------------------------------------------------------- */

/* Adds a word, after a dot unless it is the first. */
static void add_kind(struct buffer *line, const char *word)
{
    buffer_print(line, "%s%s", line->length > 0 ? " \xC2\xB7 " : "", word);
}

/* Prints "reconstruction . mvm . gpu0", without a type that is the name. */
static void print_component(const struct scenario *scenario, int index, char *text, size_t size)
{
    const struct component *component = &scenario->component[index];
    const char *type = knob_word(KNOB_COMPONENT_TYPE, component->type);
    struct buffer line = buffer_over(text, size);
    int algorithm = algorithm_index(component);
    int device = scenario_device(scenario, index);
    int devices = devices_count(scenario_devices(scenario, index));

    if (strcmp(type, component->head.name) != 0)
        add_kind(&line, type);
    if (algorithm >= 0 && algorithms[algorithm].name[0] != '\0')
        add_kind(&line, algorithms[algorithm].name);
    if (devices > 1)
        buffer_print(&line, "%s%d devices", line.length > 0 ? " \xC2\xB7 " : "", devices);
    else if (device >= 0)
        add_kind(&line, scenario->device[device].head.name);
}

/* Prints what a device is, with its sockets or the number of its boards: "2 x EPYC 7543". */
static void print_model(const struct scenario *scenario, int index, char *text, size_t size)
{
    const struct device *device = &scenario->device[index];
    double count = device->kind == DEVICE_CPU ? device->sockets : device->count;
    char name[ADVICE_NAME];
    struct buffer line = buffer_over(text, size);

    advice_model(device->model[0] != '\0'    ? device->model
                 : device->preset[0] != '\0' ? device->preset
                                             : knob_word(KNOB_DEVICE_KIND, device->kind),
                 name);
    if (count > 1)
        buffer_print(&line, "%.0f \xC3\x97 ", count);
    buffer_text(&line, name);
}

/* Prints the text after a section's name: its model, kind or type. */
static void print_section_kind(const struct scenario *scenario, enum section section, int index,
                               char *text, size_t size)
{
    text[0] = '\0';
    if (section == SECTION_COMPONENT) {
        print_component(scenario, index, text, size);
    } else if (section == SECTION_WFS) {
        const struct wfs *wfs = &scenario->wfs[index];

        snprintf(text, size, "%.0f\xC3\x97%.0f %s", wfs->subaps_across, wfs->subaps_across,
                 knob_word(KNOB_WFS_KIND, wfs->kind));
    } else if (section == SECTION_DEVICE) {
        print_model(scenario, index, text, size);
    }
}

/* Returns what `z` does next. */
static const char *all_knobs_hint(const struct tree *tree)
{
    return tree_shows_all(tree) ? " z essentials " : " z all ";
}

/* Draws "v gpu0     A100 80GB   <> +32"; the mark of what limits is right-aligned and never cut.
 * For a long model the gap and how many more there are give way, in this order. */
static void draw_section_row(const struct explore *explore, struct canvas *canvas, struct rect line,
                             const struct tree_row *row)
{
    enum { NAME = 3, KIND = 14, MARK = 2, KIND_LEAST = 3 };
    const struct scenario *scenario = &explore->design->scenario;
    bool open = tree_level(&explore->tree, scenario, row->section, row->index) != TREE_CLOSED;
    bool device = row->section == SECTION_DEVICE;
    bool limits = device && row->index == explore_limiting_device(explore->design);
    int end = line.columns;
    char path[64];
    char kind[ADVICE_NAME];
    char more[32] = "";
    int at, least;

    tree_section_path(scenario, row->section, row->index, path, sizeof path);
    if (row->section == SECTION_COMPONENT || device)
        snprintf(path, sizeof path, "%s",
                 section_head_const(scenario, row->section, row->index)->name);
    print_section_kind(scenario, row->section, row->index, kind, sizeof kind);
    at = NAME + text_width(path) + 2;
    least = row->section == SECTION_COMPONENT ? 0 : text_width(kind);
    if (row->more > 0)
        snprintf(more, sizeof more, "+%d", row->more);
    if (row->more > 0 && at + least + 1 + (limits ? MARK : 0) + text_width(more) + 1 <= end) {
        end -= text_width(more) + 1;
        canvas_text(canvas, line.row, line.column + end, text_width(more), STYLE_DIM, more);
    }
    if (limits) {
        end -= MARK;
        widget_mark(canvas, line.row, line.column + end, STYLE_WARNING, MARK_BOUND);
    }
    widget_mark(canvas, line.row, line.column + 1, STYLE_TITLE, open ? MARK_OPEN : MARK_CLOSED);
    canvas_text(canvas, line.row, line.column + NAME, end - 1 - NAME, STYLE_TITLE, path);
    at = clamp_int(end - 1 - text_width(kind), at, KIND > at ? KIND : at);
    if (end - at > KIND_LEAST)
        canvas_text(canvas, line.row, line.column + at, end - 1 - at, STYLE_DIM, kind);
}

static void draw_tree_row(const struct explore *explore, struct canvas *canvas, struct rect line,
                          int number)
{
    const struct tree_row *row = &explore->tree.rows[number];
    bool focus = number == list_pane_focus(&explore->tree.at.list);
    bool active = focus && explore->pane == PANE_KNOBS;
    int columns = line.columns;

    if (row->knob == NULL)
        draw_section_row(explore, canvas, line, row);
    else if (row->group)
        columns = knob_row_draw_group(&explore->design->scenario, canvas, line, row_knob(row),
                                      tree_group_is_open(&explore->tree, row));
    else
        columns = knob_row_draw(&explore->host->design, canvas, line, row_knob(row), RESULT_NONE,
                                active);
    if (!focus)
        return;
    line.columns = columns;
    list_pane_draw_cursor(canvas, line, active);
}

/* Says in the upper border what `z` does. */
static void draw_knobs_legend(struct canvas *canvas, struct rect box, const struct explore *explore)
{
    const char *text = all_knobs_hint(&explore->tree);
    int width = text_width(text);

    if (box.columns > 12 + width)
        canvas_text(canvas, box.row, box.column + box.columns - 2 - width, width, STYLE_DIM, text);
}

static void draw_knobs(struct explore *explore, struct canvas *canvas, struct rect box)
{
    struct list_pane *list = &explore->tree.at.list;
    bool focus = explore->pane == PANE_KNOBS;

    widget_pane(canvas, box, "Knobs", focus);
    draw_knobs_legend(canvas, box, explore);
    list_pane_lay(list, rect_inside(box), list->count);
    for (int r = list->first; list_pane_line(list, r).rows > 0; r++)
        draw_tree_row(explore, canvas, list_pane_line(list, r), r);
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, focus);
}

static void detail_section(const struct explore *explore, struct canvas *canvas, struct rect line,
                           const struct tree_row *row)
{
    const struct design *design = explore->design;
    const struct device_result *device;
    char path[64], busy[PERCENT_MAX];

    tree_section_path(&design->scenario, row->section, row->index, path, sizeof path);
    if (row->section != SECTION_DEVICE || !design_is_valid(design)) {
        widget_detail(canvas, line, path, "Enter shows all of it, Left and Right less and more");
        return;
    }
    device = &design->result.device[row->index];
    widget_detail(canvas, line, path, "%s fp32 \xC2\xB7 %s \xC2\xB7 busy %s",
                  quantity_text(device->peak_flops, "FLOP/s").text,
                  quantity_text(device->bandwidth, "B/s").text,
                  text_percent(device->utilisation, busy));
}

static void detail_group(const struct scenario *scenario, struct canvas *canvas, struct rect line,
                         const struct tree_row *row)
{
    char path[64];
    char words[400];

    tree_section_path(scenario, row->section, row->index, path, sizeof path);
    knob_row_group_words(scenario, row_knob(row), words, sizeof words);
    widget_detail(canvas, line, path, "%s", words);
}

/* Returns the cliff near the value of a knob; NULL if there is none or it is not known yet. */
static const struct cliff *cliff_at(struct explore *explore, struct knob_ref ref)
{
    const struct scenario *scenario = &explore->design->scenario;
    const struct cliff_answer *answer;

    if (!design_is_valid(explore->design) || knob_idle(scenario, ref))
        return NULL;
    cliff_ask(&explore->cliff, explore->design->version, scenario, ref);
    answer = explore->cliff.current ? explore->cliff.job : NULL;
    return answer != NULL && answer->found ? &answer->cliff : NULL;
}

static void detail_knobs(struct explore *explore, struct canvas *canvas, struct rect line)
{
    const struct cliff *cliff;
    const struct scenario *scenario = &explore->design->scenario;
    const struct tree_row *row = tree_row(&explore->tree);
    struct knob_ref ref = row_knob(row);
    char path[96];
    char allowed[400];
    char origin[128];

    if (row->knob == NULL) {
        detail_section(explore, canvas, line, row);
        return;
    }
    if (row->group) {
        detail_group(scenario, canvas, line, row);
        return;
    }
    knob_path(scenario, ref, path, sizeof path);
    cliff = cliff_at(explore, ref);
    if (cliff != NULL) {
        cliff_print(cliff, ref, allowed);
        text_micro(allowed, sizeof allowed);
        widget_detail(canvas, line, path, "cliff: %s \xC2\xB7 %s", allowed, row->knob->help);
        return;
    }
    if (knob_formula(scenario, ref) != NULL) {
        widget_detail(canvas, line, path, "= %s \xC2\xB7 arrows make it a number",
                      knob_formula(scenario, ref));
        return;
    }
    if (ref.knob->type == KNOB_PRESET)
        rank_own_labels(scenario, ref.index, allowed, sizeof allowed);
    if (ref.knob->type == KNOB_PRESET && allowed[0] != '\0') {
        widget_detail(canvas, line, path, "another one clears what is stated: %s", allowed);
        return;
    }
    knob_allowed(scenario, ref, allowed, sizeof allowed);
    text_micro(allowed, sizeof allowed);
    if (knob_origin(scenario, ref) == ORIGIN_STATED) { /* by the preset that its heading names */
        widget_detail(canvas, line, path, "%s \xC2\xB7 %s", row->knob->help, allowed);
        return;
    }
    knob_row_origin(scenario, ref, origin, sizeof origin);
    widget_detail(canvas, line, path, "%s \xC2\xB7 %s \xC2\xB7 %s", row->knob->help, origin,
                  allowed);
}

/* Keys and mouse on knobs ---------------------------------------------------------------------- */

/* Right shows more of a section, Left less; Enter shows all, then the essential knobs. */
static void act_on_section(struct explore *explore, const struct tree_row *row, enum action_id id)
{
    const struct scenario *scenario = &explore->design->scenario;
    struct tree *tree = &explore->tree;
    enum tree_level level = tree_level(tree, scenario, row->section, row->index);

    if (id == ACTION_LEFT || id == ACTION_TEN_LEFT)
        level = level == TREE_ALL ? TREE_ESSENTIAL : TREE_CLOSED;
    else if (id == ACTION_RIGHT || id == ACTION_TEN_RIGHT)
        level = level == TREE_CLOSED ? TREE_ESSENTIAL : TREE_ALL;
    else if (id == ACTION_ENTER)
        level = level == TREE_ALL || row->more == 0 ? TREE_ESSENTIAL : TREE_ALL;
    tree_set_level(tree, scenario, row->section, row->index, level);
}

/* Right opens a group, Left folds it; Enter does either. */
static void act_on_group(struct explore *explore, const struct tree_row *row, enum action_id id)
{
    bool left = id == ACTION_LEFT || id == ACTION_TEN_LEFT;
    bool right = id == ACTION_RIGHT || id == ACTION_TEN_RIGHT;

    if (left || right || id == ACTION_ENTER)
        tree_open_group(&explore->tree, &explore->design->scenario, row->section, row->index,
                        right || (!left && !tree_group_is_open(&explore->tree, row)));
}

/* What Enter does on a row of the knobs. */
static const char *enter_row(const struct explore *explore, const struct tree_row *row)
{
    const struct scenario *scenario = &explore->design->scenario;
    enum tree_level level;

    if (row->group)
        return tree_group_is_open(&explore->tree, row) ? "fold" : "open";
    if (row->knob != NULL)
        return row->knob->type == KNOB_PRESET               ? "presets"
               : knob_row_has_list(scenario, row_knob(row)) ? "choose"
                                                            : "edit";
    level = tree_level(&explore->tree, scenario, row->section, row->index);
    return level == TREE_ALL      ? "show fewer"
           : row->more > 0        ? "show all"
           : level == TREE_CLOSED ? "open"
                                  : NULL;
}

static void act_on_tree(struct explore *explore, enum action_id id)
{
    struct tree *tree = &explore->tree;
    struct tree_row row = *tree_row(tree);

    if (id == ACTION_ALL_KNOBS)
        tree_toggle_all(tree, &explore->design->scenario);
    else if (id == ACTION_FOLDS)
        tree_toggle_folds(tree, &explore->design->scenario);
    if (id == ACTION_ALL_KNOBS || id == ACTION_FOLDS || list_pane_act(&tree->at.list, id))
        return;
    if (row.knob == NULL) {
        act_on_section(explore, &row, id);
        return;
    }
    if (row.group) {
        act_on_group(explore, &row, id);
        return;
    }
    tree_keep(tree, &explore->design->scenario, row_knob(&row));
    knob_row_act(explore->host, row_knob(&row), id);
}

static void drag_slider(struct explore *explore, int column)
{
    struct rect inside = rect_inside(explore->layout.knobs);
    struct knob_columns c = layout_knob(inside.columns);

    design_set_position(&explore->host->design, explore->drag,
                        slider_position(column - inside.column - c.slider, c.slider_columns));
}

/* Moves a slider one step towards a cell; the cell of its handle moves nothing. */
static void step_slider(struct explore *explore, struct knob_ref ref, int cell, int cells)
{
    double value = design_knob_number(explore->design, ref);
    const struct knob slider = design_slider(&explore->host->design, ref);
    int handle = (int)lround(knob_position(&slider, value) * (cells - 1));

    if (cell != handle)
        design_step(&explore->host->design, ref, cell < handle ? -1 : 1);
}

static void press_tree_row(struct explore *explore, const struct key_event *event)
{
    enum { MORE = 8 }; /* cells of "47 more" */
    struct tree *tree = &explore->tree;
    struct rect inside = rect_inside(explore->layout.knobs);
    struct knob_columns c = layout_knob(inside.columns);
    int number = list_pane_row_at(&tree->at.list, event->row, event->column);
    int column = event->column - inside.column;
    struct tree_row row;

    explore->pane = PANE_KNOBS;
    if (event->row == explore->layout.knobs.row &&
        column >= inside.columns - text_width(all_knobs_hint(tree))) {
        explore->host->acted = true;
        tree_toggle_all(tree, &explore->design->scenario);
    }
    if (number < 0)
        return;
    list_pane_set(&tree->at.list, number);
    row = tree->rows[number];
    if (row.knob == NULL && (column <= 2 || (row.more > 0 && column >= inside.columns - MORE))) {
        explore->host->acted = true;
        act_on_section(explore, &row, ACTION_ENTER);
    } else if (row.group && column <= 2) {
        explore->host->acted = true;
        act_on_group(explore, &row, ACTION_ENTER);
    } else if (row.knob != NULL && !row.group && knob_is_number(row.knob) && column >= c.slider &&
               column < c.slider + c.slider_columns) {
        explore->host->acted = true;
        explore->dragging = true;
        explore->drag = row_knob(&row);
        step_slider(explore, explore->drag, column - c.slider, c.slider_columns);
    }
}

static void mouse_on_tree(struct explore *explore, const struct key_event *event)
{
    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
        list_pane_scroll(&explore->tree.at.list, event->mouse == MOUSE_WHEEL_UP ? -3 : 3);
    } else if (event->mouse == MOUSE_PRESS) {
        press_tree_row(explore, event);
    } else if (event->mouse == MOUSE_DRAG && explore->dragging) {
        drag_slider(explore, event->column);
    } else if (event->mouse == MOUSE_RELEASE) {
        explore->dragging = false;
    }
}

/* Where the cursor is -------------------------------------------------------------------------- */

/* Prints the path of the row's knob; for a section's heading that of its main result. */
static void print_row_path(const struct scenario *scenario, const struct tree_row *row, char *path,
                           size_t size)
{
    static const char *const results[SECTION_COUNT] = {[SECTION_COMPONENT] = "time",
                                                       [SECTION_DEVICE] = "utilisation",
                                                       [SECTION_WFS] = "valid_subaps"};
    char section[64];

    if (row->knob != NULL) {
        knob_path(scenario, row_knob(row), path, size);
    } else if (results[row->section] != NULL) {
        section_path(scenario, row->section, row->index, section, sizeof section);
        snprintf(path, size, "%s.%s", section, results[row->section]);
    }
}

void explore_cursor(const void *state, struct view_cursor *cursor)
{
    const struct explore *explore = state;
    const struct tree_row *row = tree_row(&explore->tree);
    const struct node_result *nodes = explore->design->result.node;
    int node = explore_node(explore);

    cursor->knob = row_knob(row);
    cursor->knob.knob = row->group ? NULL : row->knob;
    if (explore->pane == PANE_KNOBS) {
        cursor->section = row->section;
        cursor->index = row->index;
        print_row_path(&explore->design->scenario, row, cursor->path, sizeof cursor->path);
    } else if (explore->pane == PANE_LOOP) {
        snprintf(cursor->path, sizeof cursor->path, "latency");
    } else if (node >= 0) {
        snprintf(cursor->path, sizeof cursor->path, "component.%s.time", nodes[node].name);
        cursor->section = SECTION_COMPONENT;
        if (nodes[node].component >= 0)
            cursor->index = design_find_component(explore->design, nodes[node].name);
    }
}

void explore_show(struct explore *explore, enum section section, int index, const struct knob *knob,
                  bool focus)
{
    struct tree *tree = &explore->tree;

    tree_focus(tree, &explore->design->scenario, section, index, knob);
    if (knob == NULL)
        tree->at.list.first = tree->at.list.focus;
    if (!focus)
        return;
    if (knob == NULL)
        tree_unfold(tree, &explore->design->scenario, section, index);
    explore->pane = PANE_KNOBS;
}

struct knob_ref explore_search_from(const struct explore *explore, int by)
{
    struct knob_ref ref = row_knob(tree_row(&explore->tree));

    if (ref.knob == NULL) {
        /* the heading precedes its first knob: a step forward must reach that knob */
        ref.knob = &knobs[knob_section_first(ref.section)];
        if (by > 0)
            tree_next_knob(&explore->design->scenario, &ref, -1);
    }
    return ref;
}

void explore_keep(struct explore *explore)
{
    explore->found_from = explore->tree.at;
    explore->found_pane = explore->pane;
}

void explore_back(struct explore *explore)
{
    explore->tree.at = explore->found_from;
    tree_build(&explore->tree, &explore->design->scenario);
    list_pane_set(&explore->tree.at.list, explore->found_from.list.focus);
    explore->pane = explore->found_pane;
}

/* The view ------------------------------------------------------------------------------------- */

static void start_explore(void *state, struct host *host)
{
    struct explore *explore = state;

    explore->host = host;
    explore->design = &host->design;
    explore->node[0] = '\0';
    explore->nodes = (struct list_pane){0};
    explore->loop = (struct list_pane){.text = true};
    explore->dragging = false;
    explore_start_tree(explore);
    explore->next.known = explore->next.sensitive = explore->next.has_loaded = false;
    explore_next_changed(explore);
    answer_outdate(&explore->cliff);
}

static void free_explore(void *state)
{
    struct explore *explore = state;

    tree_free(&explore->tree);
    answer_close(&explore->next.answer);
    answer_close(&explore->cliff);
}

static void design_changed(void *state)
{
    struct explore *explore = state;

    tree_build(&explore->tree, &explore->design->scenario);
    answer_outdate(&explore->cliff);
    explore_next_changed(explore);
}

static enum pane pane_with_focus(const void *state)
{
    return ((const struct explore *)state)->pane;
}

static const char *enter_explore(const void *state)
{
    const struct explore *explore = state;

    return explore->pane == PANE_VERDICT      ? explore_enter_next(explore)
           : explore->pane == PANE_COMPONENTS ? explore_enter_component(explore)
                                              : enter_row(explore, tree_row(&explore->tree));
}

static void draw_explore(void *state, struct canvas *canvas, struct rect body)
{
    struct explore *explore = state;
    struct explore_rows wanted = {explore_component_rows(explore), explore_device_rows(explore),
                                  explore_loop_rows(explore)};

    explore->layout = layout_explore(body, wanted);
    if (explore->layout.knobs.rows == 0)
        return;
    explore_draw_verdict(explore, canvas, &explore->layout.verdict);
    explore_draw_components(explore, canvas, explore->layout.components);
    explore_draw_devices(explore, canvas, explore->layout.devices);
    explore_draw_loop(explore, canvas, explore->layout.loop);
    draw_knobs(explore, canvas, explore->layout.knobs);
    if (explore->layout.timeline.columns > 0)
        timeline_draw_beside(explore->timeline, canvas, explore->layout.timeline);
}

static void detail_explore(void *state, struct canvas *canvas, struct rect line)
{
    static const char *const what[] = {
        ("last useful datagram in to last command out \xC2\xB7 ( ) uncertainty of the model "
         "\xC2\xB7 p99 jitter of frames \xC2\xB7 x explains"),
        "( ) uncertainty of the model \xC2\xB7 p99 jitter of frames \xC2\xB7 x explains",
        "( ) model, p99 jitter of frames \xC2\xB7 x explains"};
    enum { SHORTEST = sizeof what / sizeof what[0] - 1 };
    int form = 0;
    struct explore *explore = state;
    int columns = line.columns - 2;

    if (explore->pane == PANE_KNOBS)
        detail_knobs(explore, canvas, line);
    else if (explore->pane == PANE_COMPONENTS)
        explore_detail_components(explore, canvas, line);
    else if (explore->pane == PANE_VERDICT)
        explore_detail_next(explore, canvas, line);
    else {
        while (form < SHORTEST && text_width(what[form]) > columns)
            form++;
        canvas_text(canvas, line.row, 1, columns, STYLE_DIM, what[form]);
    }
}

static void act_explore(void *state, enum action_id id, const char *argument)
{
    struct explore *explore = state;
    int panes = PANE_VERDICT - PANE_KNOBS + 1;

    (void)argument;
    if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE) {
        int by = id == ACTION_NEXT_PANE ? 1 : panes - 1;

        explore->pane = (enum pane)(((int)explore->pane + by) % panes);
    } else if (id == ACTION_LOG) {
        explore->logarithmic = !explore->logarithmic;
        host_say(explore->host, NOTICE_NORMAL, "bars on a %s scale",
                 explore->logarithmic ? "logarithmic" : "linear");
    } else if (explore->pane == PANE_KNOBS) {
        act_on_tree(explore, id);
    } else if (explore->pane == PANE_COMPONENTS) {
        explore_act_components(explore, id);
    } else if (explore->pane == PANE_VERDICT) {
        explore_next_act(explore, id);
    } else {
        list_pane_act(&explore->loop, id);
    }
}

static void mouse_explore(void *state, const struct key_event *event)
{
    struct explore *explore = state;

    if (explore->dragging || rect_holds(explore->layout.knobs, event->row, event->column)) {
        mouse_on_tree(explore, event);
    } else if (rect_holds(explore->layout.verdict.box, event->row, event->column)) {
        if (event->mouse == MOUSE_PRESS)
            explore_next_press(explore, event);
    } else if (rect_holds(explore->layout.components, event->row, event->column)) {
        explore_mouse_components(explore, event);
    } else if (rect_holds(explore->layout.devices, event->row, event->column)) {
        if (event->mouse == MOUSE_PRESS)
            explore_press_device(explore, event->row);
    } else if (rect_holds(explore->layout.loop, event->row, event->column)) {
        list_pane_mouse(&explore->loop, event, 1);
        if (event->mouse == MOUSE_PRESS)
            explore->pane = PANE_LOOP;
    } else if (rect_holds(explore->layout.timeline, event->row, event->column)) {
        explore->host->acted = event->mouse == MOUSE_PRESS;
        if (explore->host->acted)
            explore->host->request.view = view_timeline.name;
    }
}

static bool chart_explore(void *state, struct chart *chart)
{
    const struct explore *explore = state;

    if (explore->design->evaluated)
        chart_components(chart, design_evaluated(explore->design), &explore->design->result);
    return explore->design->evaluated;
}

static void table_explore(const void *state, FILE *out, int columns)
{
    const struct explore *explore = state;

    components_table(design_evaluated(explore->design), &explore->design->result, out, columns);
}

const struct view view_explore = {
    .name = "design",
    .start = start_explore,
    .free = free_explore,
    .changed = design_changed,
    .focused_pane = pane_with_focus,
    .draw = draw_explore,
    .detail = detail_explore,
    .act = act_explore,
    .mouse = mouse_explore,
    .collect = explore_collect,
    .chart = chart_explore,
    .table = table_explore,
    .enter = enter_explore,
    .cursor = explore_cursor,
};
