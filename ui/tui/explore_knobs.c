#include <stdio.h>
#include <string.h>

#include "design/knob_text.h"
#include "model/knob_effect.h"
#include "model/workload.h"
#include "tui/host.h"
#include "tui/layout.h"
#include "tui/view_explore.h"
#include "tui/widget.h"

/* Below so many columns components go by their names alone. */
enum { NARROW = 48 };

static struct knob_ref ref_of(const struct tree_row *row)
{
    return (struct knob_ref){row->section, row->index, row->knob};
}

static bool is_choice(const struct knob *knob)
{
    return knob->type == KNOB_CHOICE || knob->type == KNOB_ALGORITHM || knob->type == KNOB_DEVICE ||
           knob->type == KNOB_DEVICES || knob->type == KNOB_WFS || knob->type == KNOB_PRESET;
}

/* Drawing ------------------------------------------------------------------------------------- */

/* What stands beside a section's name: what it is. */
static void describe(const struct explore *explore, enum section section, int index, char *text,
                     size_t size)
{
    const struct scenario *s = &explore->host->design.scenario;
    const struct device *d;
    char device[NAME_MAX_LENGTH + 1] = "";
    char algorithm[64] = "";
    int at;

    text[0] = '\0';
    switch (section) {
    case SECTION_DEVICE:
        d = &s->device[index];
        snprintf(text, size, "%s",
                 d->model[0] != '\0'    ? d->model
                 : d->preset[0] != '\0' ? d->preset
                                        : knob_word(KNOB_DEVICE_KIND, d->kind));
        return;
    case SECTION_WFS:
        snprintf(text, size, "%s %.0f\xC3\x97%.0f", knob_word(KNOB_WFS_KIND, s->wfs[index].kind),
                 s->wfs[index].subaps_across, s->wfs[index].subaps_across);
        return;
    case SECTION_COMPONENT:
        at = algorithm_index(&s->component[index]);
        if (at >= 0 && algorithms[at].name[0] != '\0')
            snprintf(algorithm, sizeof algorithm, " \xC2\xB7 %s", algorithms[at].name);
        at = scenario_device(s, index);
        if (devices_count(scenario_devices(s, index)) > 1)
            snprintf(device, sizeof device, "%d devices",
                     devices_count(scenario_devices(s, index)));
        else if (at >= 0)
            snprintf(device, sizeof device, "%s", s->device[at].head.name);
        snprintf(text, size, "%s%s%s%s", knob_word(KNOB_COMPONENT_TYPE, s->component[index].type),
                 algorithm, device[0] == '\0' ? "" : " \xC2\xB7 ", device);
        return;
    case SECTION_SCENARIO:
    case SECTION_AO:
    case SECTION_ATMOSPHERE:
    case SECTION_COUNT:
        return;
    }
}

static void draw_heading(struct explore *explore, struct canvas *canvas, struct rect line,
                         const struct tree_row *row)
{
    char path[64];
    char what[160];
    int width;
    bool open =
        tree_is_open(&explore->tree, &explore->host->design.scenario, row->section, row->index);

    section_path(&explore->host->design.scenario, row->section, row->index, path, sizeof path);
    if (row->section == SECTION_COMPONENT && line.columns < NARROW)
        snprintf(path, sizeof path, "%s",
                 explore->host->design.scenario.component[row->index].head.name);
    describe(explore, row->section, row->index, what, sizeof what);
    widget_mark(canvas, line.row, line.column + 1, STYLE_TITLE, open ? MARK_OPEN : MARK_CLOSED);
    width = canvas_text(canvas, line.row, line.column + 3, line.columns - 3, STYLE_TITLE, path);
    width = width + 5 < 17 ? 17 : width + 5;
    if (line.columns - width > 3)
        canvas_text(canvas, line.row, line.column + width, line.columns - width, STYLE_DIM, what);
}

/* What stands behind a value: where it comes from. Automatic ones say so themselves, a preset's
 * need no sign. */
static const char *const origin_signs[] = {
    [ORIGIN_SET] = "\xE2\x80\xA2", [ORIGIN_STATED] = "",  [ORIGIN_ASSUMED] = "?",
    [ORIGIN_MEASURED] = "#",       [ORIGIN_FITTED] = "~", [ORIGIN_AUTOMATIC] = ""};

/* "stated by epyc-9654", "measured (#), by here". */
static void origin_words(const struct explore *explore, struct knob_ref ref, char *text,
                         size_t size)
{
    enum origin origin = knob_origin(&explore->host->design.scenario, ref);
    bool preset = !knob_is_own(&explore->host->design.scenario, ref) &&
                  knob_stated_by(&explore->host->design.scenario, ref) != NULL;
    bool sign = origin != ORIGIN_SET && origin_signs[origin][0] != '\0';

    snprintf(text, size, "%s%s%s%s%s%s", origin_name(origin), sign ? " (" : "",
             sign ? origin_signs[origin] : "", sign ? ")" : "",
             !preset ? ""
             : sign  ? ", by "
                     : " by ",
             preset ? explore->host->design.scenario.device[ref.index].preset : "");
}

static enum style value_style(enum origin origin)
{
    return origin == ORIGIN_ASSUMED || origin == ORIGIN_AUTOMATIC ? STYLE_DIM : STYLE_NORMAL;
}

static void draw_words(struct canvas *canvas, struct rect line, const struct knob *knob,
                       const char *value, enum origin origin)
{
    struct knob_columns c = layout_knob(line.columns);
    const char *mark = origin_signs[origin];
    char text[200];

    if (is_choice(knob))
        snprintf(text, sizeof text, "\xE2\x80\xB9%.150s\xE2\x80\xBA%s", value, mark);
    else
        snprintf(text, sizeof text, "%.190s%s", value, mark);
    canvas_text(canvas, line.row, line.column + c.value, c.choice_columns, value_style(origin),
                text);
}

/* Label and number share their columns: each reaches into what the other leaves, and of two long
 * ones the label gives. */
static int label_columns(const struct knob_columns *c, const struct knob *knob, const char *value)
{
    enum { SHORTEST = 8 };
    int label = text_width(knob->label);
    int room = c->value + c->value_columns - c->label - 1 - text_width(value);

    if (!knob_is_number(knob))
        room = c->label_columns;
    if (label > room)
        label = room;
    return label < SHORTEST
               ? (text_width(knob->label) < SHORTEST ? text_width(knob->label) : SHORTEST)
               : label;
}

static void draw_knob(struct explore *explore, struct canvas *canvas, struct rect line,
                      const struct tree_row *row, bool focus)
{
    struct knob_columns c = layout_knob(line.columns);
    struct knob_ref ref = ref_of(row);
    enum origin origin = knob_origin(&explore->host->design.scenario, ref);
    double number = design_knob_number(&explore->host->design, ref);
    int label;
    int least;
    char value[2304];

    design_print_knob(&explore->host->design, ref, value, sizeof value);
    label = label_columns(&c, row->knob, value);
    least = c.label + label + 1;
    canvas_text(canvas, line.row, line.column + c.label, label, STYLE_NORMAL, row->knob->label);
    if (!knob_is_number(row->knob)) {
        draw_words(canvas, line, row->knob, value, origin);
        return;
    }
    canvas_text(canvas, line.row, line.column + c.mark, 1, STYLE_DIM, origin_signs[origin]);
    canvas_right(canvas, line.row, line.column + least, c.value + c.value_columns - least,
                 value_style(origin), value);
    if (c.slider_columns > 0)
        widget_slider(canvas, line.row, line.column + c.slider, c.slider_columns,
                      strcmp(value, "auto") == 0 || strcmp(value, KNOB_UNKNOWN) == 0
                          ? -1
                          : knob_position(row->knob, number),
                      design_baseline_position(&explore->host->design, ref), focus);
}

static void draw_row(struct explore *explore, struct canvas *canvas, struct rect line, int number)
{
    const struct tree_row *row = &explore->tree.rows[number];
    bool focus = number == list_pane_focus(&explore->tree.at.list);
    bool active = focus && explore->pane == PLACE_KNOBS;
    struct knob_columns c = layout_knob(line.columns);
    struct rect lit = {line.row, line.column, 1, line.columns};

    if (row->knob == NULL)
        draw_heading(explore, canvas, line, row);
    else
        draw_knob(explore, canvas, line, row, active);
    if (!focus)
        return;
    if (row->knob != NULL && knob_is_number(row->knob) && c.slider_columns > 0)
        lit.columns = c.mark + 1;
    list_pane_draw_cursor(canvas, lit, active);
}

void explore_draw_knobs(struct explore *explore, struct canvas *canvas, struct rect box)
{
    struct list_pane *list = &explore->tree.at.list;
    bool focus = explore->pane == PLACE_KNOBS;

    widget_pane(canvas, box, "Knobs", focus);
    list_pane_lay(list, rect_inside(box), list->count);
    for (int r = list->first; list_pane_line(list, r).rows > 0; r++)
        draw_row(explore, canvas, list_pane_line(list, r), r);
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, focus);
}

/* What a whole section comes to. */
static void detail_heading(struct explore *explore, struct canvas *canvas, struct rect line,
                           const struct tree_row *row)
{
    char path[64];
    char peak[32];
    char bandwidth[32];
    const struct device_result *device = &explore->host->design.result.device[row->index];
    bool fresh =
        explore->host->design.evaluated && explore->host->design.problem.status == STATUS_OK;
    int used;

    section_path(&explore->host->design.scenario, row->section, row->index, path, sizeof path);
    used = canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_TITLE, path) + 3;
    if (row->section == SECTION_DEVICE && fresh) {
        quantity_show(device->peak_flops, "FLOP/s", peak, sizeof peak);
        quantity_show(device->bandwidth, "B/s", bandwidth, sizeof bandwidth);
        canvas_printf(canvas, line.row, used, line.columns - used - 1, STYLE_DIM,
                      "%s fp32 \xC2\xB7 %s \xC2\xB7 busy %.3g %%", peak, bandwidth,
                      device->utilisation * 100);
        return;
    }
    canvas_text(canvas, line.row, used, line.columns - used - 1, STYLE_DIM,
                "Enter folds and unfolds");
}

void explore_detail_knobs(struct explore *explore, struct canvas *canvas, struct rect line)
{
    const struct tree_row *row = tree_row(&explore->tree);
    struct knob_ref ref = ref_of(row);
    char path[96];
    char allowed[400];
    char origin[128];
    int used;

    if (row->knob == NULL) {
        detail_heading(explore, canvas, line, row);
        return;
    }
    knob_path(&explore->host->design.scenario, ref, path, sizeof path);
    knob_allowed(&explore->host->design.scenario, ref, allowed, sizeof allowed);
    origin_words(explore, ref, origin, sizeof origin);
    used = canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_TITLE, path) + 3;
    canvas_printf(canvas, line.row, used, line.columns - used - 1, STYLE_DIM,
                  "%s \xC2\xB7 %s \xC2\xB7 %s", row->knob->help, origin, allowed);
}

/* Keys ---------------------------------------------------------------------------------------- */

static bool accept_value(void *context, const char *text)
{
    struct explore *explore = context;

    return design_set_text(explore->host, explore->edited, text);
}

/* A reconstruction runs on as many devices as one likes to type. */
static bool takes_list(const struct explore *explore, struct knob_ref ref)
{
    return ref.knob->type == KNOB_DEVICES && explore->host->design.scenario.device_count > 1 &&
           explore->host->design.scenario.component[ref.index].type == COMPONENT_RECONSTRUCTION;
}

static void edit(struct explore *explore, struct knob_ref ref)
{
    char path[96];
    char label[128];
    char value[2304];

    if (ref.knob->type == KNOB_PRESET) {
        menu_device_presets(explore->host, ref.index, NULL);
        return;
    }
    if (is_choice(ref.knob) && !takes_list(explore, ref)) {
        menu_knob_choices(explore->host, ref);
        return;
    }
    knob_path(&explore->host->design.scenario, ref, path, sizeof path);
    snprintf(label, sizeof label, "%s = ", path);
    knob_get_text(&explore->host->design.scenario, ref, value, sizeof value);
    explore->edited = ref;
    prompt_open(explore->host, &(struct prompt_request){.label = label,
                                                        .text = value,
                                                        .proposed = true,
                                                        .completion = COMPLETE_VALUE,
                                                        .knob = ref,
                                                        .context = explore,
                                                        .accept = accept_value});
    if (ref.knob->type == KNOB_DEVICES) {
        knob_allowed(&explore->host->design.scenario, ref, value, sizeof value);
        host_say(explore->host, STYLE_NORMAL, "names of devices, separated by commas: %.200s",
                 value);
    }
}

static void fold(struct explore *explore, const struct tree_row *row, bool open)
{
    tree_open(&explore->tree, &explore->host->design.scenario, row->section, row->index, open);
}

static void act_heading(struct explore *explore, const struct tree_row *row, enum action_id id)
{
    struct tree *tree = &explore->tree;

    if (id == ACTION_LEFT || id == ACTION_TEN_LEFT)
        fold(explore, row, false);
    else if (id == ACTION_RIGHT || id == ACTION_TEN_RIGHT)
        fold(explore, row, true);
    else if (id == ACTION_ENTER)
        fold(explore, row,
             !tree_is_open(tree, &explore->host->design.scenario, row->section, row->index));
    else if (id == ACTION_START || id == ACTION_END)
        list_pane_act(&tree->at.list, id);
}

static void act_knob(struct explore *explore, struct knob_ref ref, enum action_id id)
{
    switch ((int)id) {
    case ACTION_LEFT:
    case ACTION_RIGHT:
        design_step(explore->host, ref, id == ACTION_LEFT ? -1 : 1);
        break;
    case ACTION_TEN_LEFT:
    case ACTION_TEN_RIGHT:
        design_step(explore->host, ref, id == ACTION_TEN_LEFT ? -10 : 10);
        break;
    case ACTION_START:
    case ACTION_END:
        design_set_position(explore->host, ref, id == ACTION_START ? 0 : 1, false);
        break;
    case ACTION_ENTER:
        edit(explore, ref);
        break;
    default:
        break;
    }
}

void explore_act_knobs(struct explore *explore, enum action_id id)
{
    struct tree *tree = &explore->tree;
    struct tree_row row = *tree_row(tree);

    if (id != ACTION_START && id != ACTION_END && list_pane_act(&tree->at.list, id))
        return;
    if (row.knob == NULL)
        act_heading(explore, &row, id);
    else
        act_knob(explore, ref_of(&row), id);
}

/* Mouse --------------------------------------------------------------------------------------- */

static void drag(struct explore *explore, int column)
{
    struct rect inside = rect_inside(explore->layout.knobs);
    struct knob_columns c = layout_knob(inside.columns);

    design_set_position(explore->host, explore->drag,
                        slider_place(column - inside.column - c.slider, c.slider_columns),
                        explore->host->design.history.position > explore->drag_from);
}

static void press(struct explore *explore, const struct key_event *event)
{
    struct tree *tree = &explore->tree;
    struct rect inside = rect_inside(explore->layout.knobs);
    struct knob_columns c = layout_knob(inside.columns);
    int number = list_pane_row_at(&tree->at.list, event->row, event->column);
    int column = event->column - inside.column;
    struct tree_row row;

    explore->pane = PLACE_KNOBS;
    if (number < 0)
        return;
    list_pane_set(&tree->at.list, number);
    row = tree->rows[number];
    if (row.knob == NULL) {
        if (column <= 2)
            act_heading(explore, &row, ACTION_ENTER);
    } else if (knob_is_number(row.knob) && column >= c.slider &&
               column < c.slider + c.slider_columns) {
        explore->dragging = true;
        explore->drag = ref_of(&row);
        explore->drag_from = explore->host->design.history.position;
        drag(explore, event->column);
    }
}

void explore_mouse_knobs(struct explore *explore, const struct key_event *event)
{
    bool dragging = explore->dragging;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
        list_pane_scroll(&explore->tree.at.list, event->mouse == MOUSE_WHEEL_UP ? -3 : 3);
    } else if (event->mouse == MOUSE_PRESS) {
        press(explore, event);
    } else if (event->mouse == MOUSE_DRAG && dragging) {
        drag(explore, event->column);
    } else if (event->mouse == MOUSE_RELEASE) {
        explore->dragging = false;
    }
}
