#include "tui/view_explore.h"

#include <stdio.h>
#include <string.h>

#include "charts/components.h"
#include "design/knob_text.h"
#include "tui/host.h"
#include "tui/tree.h"
#include "tui/view.h"
#include "tui/widget.h"

static void start(void *state, struct host *host)
{
    struct explore *explore = state;

    explore->host = host;
    explore->node[0] = '\0';
    explore->nodes = (struct list_pane){0};
    explore->loop = (struct list_pane){.text = true};
    explore->dragging = false;
    tree_start(&explore->tree, &explore->host->design.scenario);
    explore_jitter_start(explore);
}

static void release(void *state)
{
    struct explore *explore = state;

    tree_free(&explore->tree);
    explore_jitter_free(explore);
}

static void changed(void *state)
{
    struct explore *explore = state;

    tree_build(&explore->tree, &explore->host->design.scenario);
    explore_jitter_changed(explore);
}

static enum place pane(const void *state)
{
    const struct explore *explore = state;

    return explore->pane;
}

/* The knob under the cursor; false on a heading. */
static bool knob_of(const void *state, struct knob_ref *ref)
{
    const struct explore *explore = state;
    const struct tree_row *row = tree_row(&explore->tree);

    if (row->knob == NULL)
        return false;
    *ref = (struct knob_ref){row->section, row->index, row->knob};
    return true;
}

bool explore_section(const void *state, enum section *section, int *index)
{
    const struct explore *explore = state;
    const struct tree_row *row = tree_row(&explore->tree);
    int node = explore_node(explore);

    if (explore->pane == PLACE_KNOBS) {
        *section = row->section;
        *index = row->index;
        return true;
    }
    if (explore->pane != PLACE_COMPONENTS || node < 0)
        return false;
    *section = SECTION_COMPONENT;
    *index = explore->host->design.result.node[node].component < 0
                 ? -1
                 : design_find_component(&explore->host->design,
                                         explore->host->design.result.node[node].name);
    return *index >= 0;
}

/* On the heading of a section: the result that its others stand behind. */
static bool path_of_section(const struct explore *explore, const struct tree_row *row, char *path,
                            size_t size)
{
    static const char *const results[SECTION_COUNT] = {[SECTION_COMPONENT] = "time",
                                                       [SECTION_DEVICE] = "utilisation",
                                                       [SECTION_WFS] = "valid_subaps"};
    size_t used;

    if (results[row->section] == NULL)
        return false;
    section_path(&explore->host->design.scenario, row->section, row->index, path, size);
    used = strlen(path);
    snprintf(path + used, size - used, ".%s", results[row->section]);
    return true;
}

/* A knob; the first result of a section or component; the latency. */
static bool path_of(const void *state, char *path, size_t size)
{
    const struct explore *explore = state;
    const struct tree_row *row = tree_row(&explore->tree);
    int node = explore_node(explore);
    struct knob_ref ref;

    if (explore->pane == PLACE_LOOP) {
        snprintf(path, size, "latency");
        return true;
    }
    if (explore->pane == PLACE_COMPONENTS) {
        snprintf(path, size, "component.%s.time",
                 node < 0 ? "" : explore->host->design.result.node[node].name);
        return node >= 0;
    }
    if (knob_of(explore, &ref)) {
        knob_path(&explore->host->design.scenario, ref, path, size);
        return true;
    }
    return path_of_section(explore, row, path, size);
}

void explore_show(struct explore *explore, enum section section, int index, const struct knob *knob,
                  bool focus)
{
    struct tree *tree = &explore->tree;

    tree_focus(tree, &explore->host->design.scenario, section, index, knob);
    if (knob == NULL)
        tree->at.list.first = tree->at.list.focus;
    if (!focus)
        return;
    if (knob == NULL)
        tree_open(tree, &explore->host->design.scenario, section, index, true);
    explore->pane = PLACE_KNOBS;
}

static void draw(void *state, struct canvas *canvas, struct rect body)
{
    struct explore *explore = state;
    struct explore_rows wanted = {explore_component_rows(explore), explore_device_rows(explore),
                                  explore_loop_rows(explore)};

    explore->layout = layout_explore(body, wanted);
    explore_draw_components(explore, canvas, explore->layout.components);
    explore_draw_devices(explore, canvas, explore->layout.devices);
    explore_draw_loop(explore, canvas, explore->layout.loop);
    explore_draw_knobs(explore, canvas, explore->layout.knobs);
}

static void detail(void *state, struct canvas *canvas, struct rect line)
{
    struct explore *explore = state;

    if (explore->pane == PLACE_KNOBS)
        explore_detail_knobs(explore, canvas, line);
    else if (explore->pane == PLACE_COMPONENTS)
        explore_detail_components(explore, canvas, line);
    else
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_DIM,
                    "RTC latency runs from the last pixel in to the last command out");
}

static void act(void *state, enum action_id id, const char *argument)
{
    struct explore *explore = state;
    int panes = PLACE_LOOP - PLACE_KNOBS + 1;

    (void)argument;
    if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE) {
        int by = id == ACTION_NEXT_PANE ? 1 : panes - 1;

        explore->pane = (enum place)(((int)explore->pane + by) % panes);
    } else if (id == ACTION_LOG) {
        explore->logarithmic = !explore->logarithmic;
        host_say(explore->host, STYLE_NORMAL, "bars on a %s scale",
                 explore->logarithmic ? "logarithmic" : "linear");
    } else if (explore->pane == PLACE_KNOBS) {
        explore_act_knobs(explore, id);
    } else if (explore->pane == PLACE_COMPONENTS) {
        explore_act_components(explore, id);
    } else {
        list_pane_act(&explore->loop, id);
    }
}

static void mouse(void *state, const struct key_event *event)
{
    struct explore *explore = state;

    if (explore->dragging || rect_holds(explore->layout.knobs, event->row, event->column)) {
        explore_mouse_knobs(explore, event);
    } else if (rect_holds(explore->layout.components, event->row, event->column)) {
        explore_mouse_components(explore, event);
    } else if (rect_holds(explore->layout.loop, event->row, event->column)) {
        list_pane_mouse(&explore->loop, event, 1);
        if (event->mouse == MOUSE_PRESS)
            explore->pane = PLACE_LOOP;
    }
}

struct knob_ref explore_search_from(const struct explore *explore, int by)
{
    const struct tree_row *row = tree_row(&explore->tree);
    struct knob_ref ref = {row->section, row->index, row->knob};

    if (ref.knob == NULL) {
        /* a heading stands before its first knob: one step forward must reach that one */
        ref.knob = &knobs[knob_section_first(row->section)];
        if (by > 0)
            tree_next_knob(&explore->host->design.scenario, &ref, -1);
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
    tree_build(&explore->tree, &explore->host->design.scenario);
    list_pane_set(&explore->tree.at.list, explore->found_from.list.focus);
    explore->pane = explore->found_pane;
}

static bool chart(void *state, struct chart *chart)
{
    struct explore *explore = state;

    if (!explore->host->design.evaluated)
        return false;
    chart_components(chart, &explore->host->design.result);
    return true;
}

static void table(const void *state, FILE *out, int columns)
{
    const struct explore *explore = state;

    components_table(&explore->host->design.result, out, columns);
}

const struct view view_explore = {
    .name = "explore",
    .start = start,
    .free = release,
    .changed = changed,
    .pane = pane,
    .draw = draw,
    .detail = detail,
    .act = act,
    .mouse = mouse,
    .busy = explore_jitter_busy,
    .take = explore_jitter_take,
    .chart = chart,
    .table = table,
    .knob = knob_of,
    .section = explore_section,
    .path = path_of,
};
