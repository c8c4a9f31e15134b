#include "tui/view_compare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/file.h"
#include "charts/compare.h"
#include "design/knob_text.h"
#include "explore/advise.h"
#include "explore/rank.h"
#include "model/evaluate.h"
#include "report/range.h"
#include "session/change.h"
#include "tui/view.h"
#include "tui/widget.h"

/* Ranges of the latencies ---------------------------------------------------------------------- */

/* Asks for the ranges of both designs of the present comparison. */
static void ask_ranges(struct compare_view *view, const struct scenario *other)
{
    if (view->current && design_is_valid(view->design))
        both_ask(&view->ranges, view->comparisons, &view->design->scenario, other);
}

static void compare_view_collect(void *state)
{
    struct compare_view *view = state;
    struct compare_side side[SIDES];
    struct both_answer *both;

    if (!answer_collect(&view->ranges))
        return;
    both = view->ranges.job;
    for (int s = 0; s < SIDES; s++)
        side[s] =
            (struct compare_side){&both->scenario[s], &both->result[s], &both->range[s]};
    if (both->status == STATUS_OK && view->compared)
        compare_latencies(side, &view->comparison.verdict);
}

/* The view ------------------------------------------------------------------------------------- */

static void compare_view_start(void *state, struct host *host)
{
    struct compare_view *view = state;

    view->host = host;
    view->design = &host->design;
    view->current = false;
    view->compared = false;
    view->scale = (struct bar_scale){0};
    view->focus = view->lower = COMPARE_KNOBS;
    for (int pane = 0; pane < COMPARE_PANES; pane++)
        view->list[pane] = (struct list_pane){.text = pane == COMPARE_VERDICT};
}

static void compare_view_free(void *state)
{
    struct compare_view *view = state;

    for (int pane = 0; pane < COMPARE_PANES; pane++)
        free(view->rows[pane].row);
    answer_close(&view->ranges);
    comparison_free(&view->comparison);
    compare_free_choices(&view->choices);
    result_free(&view->other.result);
}

/* The files of the folder may be others now. */
static void compare_view_open(void *state)
{
    struct compare_view *view = state;

    view->choices.read = false;
    view->choices.list = (struct list_pane){0};
}

static void compare_view_changed(void *state)
{
    struct compare_view *view = state;

    view->current = false;
    answer_outdate(&view->ranges);
}

/* The other design ----------------------------------------------------------------------------- */

const char *compare_name(const struct compare_view *view)
{
    const struct compare_other *other = &view->other;

    return other->name[0] != '\0' ? other->name : "baseline";
}

static const struct scenario *other_scenario(const struct compare_view *view)
{
    if (view->other.name[0] != '\0')
        return &view->other.scenario;
    return view->design->baseline.pinned ? &view->design->baseline.scenario : NULL;
}

static enum status evaluate_side(struct compare_other *other, const struct scenario *scenario,
                                 struct error *error)
{
    struct step_budget budget;
    enum status status;

    if (other->result.node == NULL)
        result_init(&other->result);
    design_limit(&other->result, &budget);
    status = evaluate_design(scenario, &other->result, error);
    result_watch(&other->result, NULL);
    return status == STATUS_STOPPED
               ? error_set(error, status, "it takes too long to simulate; use aolag compare")
               : status;
}

static bool evaluate_other(struct compare_view *view, const struct scenario *scenario)
{
    struct compare_other *other = &view->other;
    struct error error;

    if (other->evaluated && (other->name[0] != '\0' || other->pins == view->design->baseline.pins))
        return true;
    view->current = false;
    other->pins = view->design->baseline.pins;
    other->evaluated = evaluate_side(other, scenario, &error) == STATUS_OK;
    if (!other->evaluated)
        host_fail(view->host, &error);
    return other->evaluated;
}

static void update_comparison(struct compare_view *view)
{
    const struct scenario *scenario = other_scenario(view);
    bool stale = !design_is_valid(view->design);
    const struct compare_side side[SIDES] = {
        {.scenario = &view->design->scenario, .result = stale ? NULL : &view->design->result},
        {.scenario = scenario, .result = stale ? NULL : &view->other.result},
    };

    if (scenario == NULL) {
        view->compared = false;
        view->other.evaluated = false;
        return;
    }
    if (!evaluate_other(view, scenario) || view->current || (stale && !view->compared))
        return;
    view->comparisons++;
    (stale ? compare_settings : compare_designs)(side, &view->comparison);
    view->compared = view->current = true;
    compare_list_rows(view);
}

/* Compares the designs, if they changed, and asks for the ranges of both. */
static void show_comparison(struct compare_view *view)
{
    const struct scenario *scenario;

    update_comparison(view);
    scenario = other_scenario(view);
    if (scenario != NULL)
        ask_ranges(view, scenario);
}

/* Choosing the other design -------------------------------------------------------------------- */

static void set_other(struct compare_view *view, const char *name)
{
    struct compare_other *other = &view->other;
    struct buffer text = buffer_over(other->name, sizeof other->name);

    buffer_text(&text, name);
    view->scale = (struct bar_scale){0};
    other->evaluated = false;
    update_comparison(view);
    if (view->compared)
        host_say(view->host, NOTICE_NORMAL, "compared with %s", compare_name(view));
}

/* Makes a parsed design the other one if it is valid. Frees the data left by parsing. */
static bool accept_other(struct compare_view *view, const char *name,
                         const struct scenario *scenario, enum status status,
                         struct document *document, struct problems *problems)
{
    struct compare_other *other = &view->other;
    struct error error = {STATUS_OK, ""};

    other->evaluated = false;
    if (status != STATUS_OK) {
        problems_summary(problems, name, &error);
    } else {
        status = evaluate_side(other, scenario, &error);
        if (status != STATUS_OK)
            error_prefix(&error, "%s", name);
    }
    document_free(document);
    problems_free(problems);
    if (status != STATUS_OK) {
        host_fail(view->host, &error);
        return false;
    }
    scenario_copy(&other->scenario, scenario);
    set_other(view, name);
    return true;
}

static void compare_with_system(struct compare_view *view, const struct preset *preset)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    enum status status =
        scenario_parse_preset(&scenario, &document, preset, view->design->catalogue, &problems);

    accept_other(view, preset->name, &scenario, status, document, &problems);
}

static bool compare_with_path(struct compare_view *view, const char *path)
{
    struct scenario scenario;
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    const char *slash;
    enum status status;

    if (access(path, R_OK) != 0) {
        host_cannot_open(view->host, path, errno);
        return false;
    }
    status = scenario_load(&scenario, &document, path, view->design->catalogue, &problems);
    slash = strrchr(path, '/');
    return accept_other(view, slash == NULL ? path : slash + 1, &scenario, status, document,
                        &problems);
}

static bool compare_with_file(void *context, const char *text)
{
    struct compare_view *view = context;
    char path[PATH_BYTES];

    if (text[0] == '\0') {
        host_say(view->host, NOTICE_ERROR, "a file name is needed");
        return false;
    }
    file_expand_home(text, path, sizeof path);
    return compare_with_path(view, path);
}

static void compare_with_previous(struct compare_view *view)
{
    const struct previous *previous = &view->design->previous;
    struct problems none = {NULL, 0, 0};
    struct scenario scenario;

    if (previous->name[0] == '\0') {
        host_say(view->host, NOTICE_NORMAL,
                 "no design was open before this one; v lists what to compare with");
        return;
    }
    image_unpack(&previous->image, &scenario);
    accept_other(view, previous->name, &scenario, STATUS_OK, NULL, &none);
}

static void compare_with_baseline(struct compare_view *view)
{
    if (view->design->baseline.pinned)
        set_other(view, "");
    else
        host_say(view->host, NOTICE_ERROR, "there is no baseline; b pins this design as one");
}

/* Lists the choices with all systems. */
static void list_others(struct compare_view *view);

static void take_choice(void *context, int id)
{
    struct compare_view *view = context;
    char path[PATH_BYTES];

    if (id == MENU_BASELINE) {
        compare_with_baseline(view);
    } else if (id == MENU_PREVIOUS) {
        compare_with_previous(view);
    } else if (id == MENU_LIST) {
        list_others(view);
    } else if (id <= MENU_IN_FOLDER) {
        compare_choice_path(view, id, path, sizeof path);
        compare_with_path(view, path);
    } else if (id == MENU_FILE) {
        host_ask_line(view->host, &(struct prompt_request){.label = "compare with the file: ",
                                                         .completion = COMPLETE_FILE,
                                                         .context = view,
                                                         .accept = compare_with_file});
    } else {
        compare_with_system(view, catalogue_at(view->design->catalogue, id));
    }
}

static void list_others(struct compare_view *view)
{
    compare_read_choices(view);
    host_ask_design(view->host, view->choices.at, view->choices.count - 1, take_choice, view);
}

/* Chooses a system or else a file; without an argument lists them. */
static void choose_other(struct compare_view *view, const char *argument)
{
    const struct preset *preset = NULL;

    if (argument == NULL || argument[0] == '\0') {
        list_others(view);
        return;
    }
    if (strchr(argument, '/') == NULL)
        preset = catalogue_find(view->design->catalogue, argument, PRESET_DESIGNS, NULL);
    if (strcmp(argument, "baseline") == 0)
        compare_with_baseline(view);
    else if (strcmp(argument, "before") == 0)
        compare_with_previous(view);
    else if (preset != NULL)
        compare_with_system(view, preset);
    else
        compare_with_file(view, argument);
}

/* The cursor ----------------------------------------------------------------------------------- */

static const struct difference *focused_difference(const struct compare_view *view)
{
    const struct compare_row *row = compare_row(view);

    return row == NULL || view->focus != COMPARE_KNOBS ? NULL
                                                       : &view->comparison.difference[row->at];
}

static const struct compared_node *focused_node(const struct compare_view *view)
{
    const struct compare_row *row = compare_row(view);

    return row == NULL || view->focus != COMPARE_NODES ? NULL : &view->comparison.node[row->at];
}

static const struct compared_result *focused_result(const struct compare_view *view)
{
    const struct compare_row *row = compare_row(view);

    return row == NULL || view->focus != COMPARE_RESULTS || row->device >= 0
               ? NULL
               : &view->comparison.result[row->at];
}

/* Values in words ------------------------------------------------------------------------------ */

/* Returns the model of a device that a difference concerns, "" if it has none. */
static const char *model_of_side(const struct compare_view *view,
                                 const struct difference *difference, int s)
{
    const struct scenario *scenario = s == 0 ? &view->design->scenario : other_scenario(view);
    const char *name = strchr(difference->path, '.');
    char device[NAME_MAX_LENGTH + 1];
    int index = -1;

    if (scenario != NULL && name != NULL && difference->section == SECTION_DEVICE) {
        snprintf(device, sizeof device, "%.*s", (int)strcspn(name + 1, "."), name + 1);
        index = section_find(scenario, SECTION_DEVICE, device);
    }
    return index < 0 ? "" : scenario->device[index].model;
}

void compare_values(const struct compare_view *view, const struct difference *difference,
                    char (*value)[COMPARE_VALUE_MAX])
{
    bool device = difference->kind == DIFFERENCE_PRESET || difference->kind == DIFFERENCE_INSTANCE;
    const char *model[SIDES] = {"", ""};
    char name[SIDES][ADVICE_NAME] = {"", ""};

    for (int s = 0; s < SIDES && device; s++) {
        model[s] = model_of_side(view, difference, s);
        advice_model(model[s], name[s]);
    }
    for (int s = 0; s < SIDES; s++) {
        /* the shortest that tells both apart */
        const char *text = strcmp(name[0], name[1]) != 0     ? name[s]
                           : strcmp(model[0], model[1]) != 0 ? model[s]
                                                             : "";

        if (text[0] == '\0')
            text = difference->value[s];
        if (text[0] == '\0')
            text = difference->has[s] ? "there" : "\xE2\x80\x93";
        snprintf(value[s], COMPARE_VALUE_MAX, "%.*s", COMPARE_VALUE_MAX - 1, text);
        text_micro(value[s], COMPARE_VALUE_MAX);
    }
}

/* Applying differences ------------------------------------------------------------------------- */

/* Returns true if resetting the knob to its preset or default gives the other design's value. */
static bool reset_restores(const struct compare_view *view, struct knob_ref ref, const char *value)
{
    struct scenario scenario;
    char text[2304];

    if (!knob_is_own(&view->design->scenario, ref) || ref.knob->type == KNOB_PRESET)
        return false;
    scenario_copy(&scenario, &view->design->scenario);
    knob_reset(&scenario, ref);
    knob_get_text(&scenario, ref, text, sizeof text);
    return strcmp(text, value) == 0;
}

static void copy_other_value(struct compare_view *view, const struct difference *difference)
{
    const struct scenario *other = other_scenario(view);
    char words[sizeof difference->words];
    char shown[SIDES][COMPARE_VALUE_MAX];
    char value[2304];
    struct knob_ref here, there;
    struct error error;

    snprintf(words, sizeof words, "%s", difference->words);
    compare_values(view, difference, shown);
    if (knob_find(&view->design->scenario, difference->path, &here, &error) != STATUS_OK ||
        knob_find(other, difference->path, &there, &error) != STATUS_OK) {
        host_fail(view->host, &error);
        return;
    }
    knob_get_text(other, there, value, sizeof value);
    if (reset_restores(view, here, value) ||
        (value[0] == '\0' && knob_is_own(&view->design->scenario, here)))
        design_reset(&view->host->design, here);
    else if (!design_set_text(&view->host->design, here, value))
        return;
    knob_print(&view->design->scenario, here, value, sizeof value);
    host_say(view->host, NOTICE_NORMAL, "%s = %s, as in %s; u undoes it", words,
             value[0] == '\0'                 ? "none"
             : here.knob->type == KNOB_PRESET ? shown[1]
                                              : value,
             compare_name(view));
}

/* Shows the instance of a path in the present design in the first view. */
static void show_section_knobs(struct compare_view *view, enum section section, const char *path,
                               const struct knob *knob)
{
    const char *name = strchr(path, '.');
    char word[NAME_MAX_LENGTH + 1];
    int index = 0;

    if (section_max(section) > 1) {
        snprintf(word, sizeof word, "%.*s", name == NULL ? 0 : (int)strcspn(name + 1, ".@"),
                 name == NULL ? "" : name + 1);
        index = section_find(&view->design->scenario, section, word);
    }
    if (index >= 0)
        host_show_knob(view->host, section, index, knob, SHOW_OPEN);
}

/* Returns true for a knob that both designs have and of which one may have the other's value. */
static bool copies_other_value(const struct difference *difference)
{
    return difference->has[0] && difference->has[1] && difference->knob != NULL &&
           difference->kind != DIFFERENCE_FOLLOWS;
}

static void enter_difference(struct compare_view *view, const struct difference *difference)
{
    if (!difference->has[0])
        host_say(view->host, NOTICE_NORMAL, "only %s has this", compare_name(view));
    else if (copies_other_value(difference))
        copy_other_value(view, difference);
    else
        show_section_knobs(view, difference->section, difference->path, difference->knob);
}

static void enter_row(struct compare_view *view)
{
    const struct difference *difference = focused_difference(view);
    const struct compared_node *node = focused_node(view);
    char path[NODE_NAME_MAX + 16];

    int choice = list_pane_focus(&view->choices.list);

    if (!view->compared && choice >= 0) {
        take_choice(view, view->choices.at[choice].id);
    } else if (!view->compared) {
        choose_other(view, NULL);
    } else if (difference != NULL) {
        enter_difference(view, difference);
    } else if (node != NULL && node->has[0] && !node->transfer) {
        snprintf(path, sizeof path, "component.%s", node->name);
        show_section_knobs(view, SECTION_COMPONENT, path, NULL);
    } else if (node != NULL) {
        host_say(view->host, NOTICE_NORMAL,
                 node->has[0] ? "%s was inserted automatically and has no knobs"
                              : "%s is not in this design",
                 node->name);
    }
}

/* What enter_row does. */
static const char *compare_view_enter(const void *state)
{
    const struct compare_view *view = state;
    const struct difference *difference = focused_difference(view);
    const struct compared_node *node = focused_node(view);

    if (!view->compared)
        return list_pane_focus(&view->choices.list) >= 0 ? "compare" : "list designs";
    if (difference != NULL)
        return !difference->has[0]                       ? NULL
               : copies_other_value(difference)          ? "copy value"
               : difference->kind == DIFFERENCE_INSTANCE ? "show knobs"
                                                         : "show knob";
    return node != NULL && node->has[0] && !node->transfer ? "show knobs" : NULL;
}

/* Detail line ---------------------------------------------------------------------------------- */

static void print_difference_detail(const struct compare_view *view,
                                    const struct difference *difference, struct buffer *text)
{
    char clears[256] = "";
    char value[SIDES][COMPARE_VALUE_MAX];
    struct knob_ref here;

    if (difference->kind == DIFFERENCE_PRESET && difference->has[0] && difference->has[1] &&
        knob_find(&view->design->scenario, difference->path, &here, NULL) == STATUS_OK)
        rank_own_labels(&view->design->scenario, here.index, clears, sizeof clears);
    compare_values(view, difference, value);
    buffer_print(text, "%s: %s", difference->words, value[difference->has[0] ? 0 : 1]);
    if (!difference->has[0])
        buffer_text(text, ", in the other design only");
    else if (difference->knob == NULL || !difference->has[1])
        buffer_text(text, ", in this design only; Enter goes to it");
    else
        buffer_print(text, ", the other %s; %s", value[1],
                     difference->kind == DIFFERENCE_FOLLOWS ? "Enter goes to it"
                     : clears[0] != '\0'                    ? "Enter copies it and clears "
                                                            : "Enter copies the other value");
    buffer_text(text, clears);
    if (difference->has[0] && difference->knob != NULL)
        buffer_print(text, "; here %s", origin_name(difference->origin[0]));
    if (difference->has[0] && difference->has[1] && difference->knob != NULL)
        buffer_print(text, ", there %s", origin_name(difference->origin[1]));
}

static void print_node_detail(const struct compared_node *node, struct buffer *text)
{
    buffer_print(text, "%s:", node->name);
    for (int s = 0; s < SIDES; s++) {
        char compute[40], memory[40];

        if (!node->has[s])
            continue;
        quantity_show(node->compute[s], "s", compute, sizeof compute);
        quantity_show(node->memory[s], "s", memory, sizeof memory);
        buffer_print(text, "%s%s%s", s == 1 && node->has[0] ? "; the other" : "",
                     node->device[s][0] != '\0' ? " on " : "", node->device[s]);
        if (component_type_computes(node->type))
            buffer_print(text, ", compute %s, memory %s", compute, memory);
        else
            buffer_print(text, " link %s", memory);
    }
}

/* View ----------------------------------------------------------------------------------------- */

static void compare_view_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct compare_view *view = state;

    show_comparison(view);
    if (!view->compared && !view->choices.read)
        compare_read_choices(view);
    view->choices.read = !view->compared;
    compare_draw(view, canvas, body);
}

static void compare_view_detail(void *state, struct canvas *canvas, struct rect line)
{
    const struct compare_view *view = state;
    const struct difference *difference = focused_difference(view);
    const struct compared_node *node = focused_node(view);
    const struct compared_result *result = focused_result(view);
    char bytes[4096] = "";
    struct buffer text = buffer_over(bytes, sizeof bytes);

    if (difference != NULL)
        print_difference_detail(view, difference, &text);
    else if (node != NULL && node->type != COMPONENT_CAMERA)
        print_node_detail(node, &text);
    else if (result != NULL)
        buffer_text(&text, result->row->help);
    else if (view->compared && view->focus == COMPARE_VERDICT)
        buffer_text(&text, view->comparison.title[1]);
    text_micro(bytes, sizeof bytes);
    text_clauses(bytes, line.columns - 2);
    canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_DIM, bytes);
}

static void focus_pane(struct compare_view *view, enum compare_pane pane)
{
    view->focus = pane;
    if (pane != COMPARE_VERDICT)
        view->lower = pane;
}

static void compare_view_act(void *state, enum action_id id, const char *argument)
{
    struct compare_view *view = state;

    if (id == ACTION_ENTER) {
        enter_row(view);
    } else if (id == ACTION_COMPARE_WITH) {
        choose_other(view, argument);
    } else if (id == ACTION_LOG) {
        view->logarithmic = !view->logarithmic;
        host_say(view->host, NOTICE_NORMAL, "bars on a %s scale",
                 view->logarithmic ? "logarithmic" : "linear");
    } else if (!view->compared) {
        list_pane_act(&view->choices.list, id);
    } else if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE) {
        int by = id == ACTION_NEXT_PANE ? 1 : COMPARE_PANES - 1;

        focus_pane(view, (enum compare_pane)(((int)view->focus + by) % COMPARE_PANES));
    } else {
        list_pane_act(&view->list[view->focus], id);
    }
}

static void compare_view_mouse(void *state, const struct key_event *event)
{
    struct compare_view *view = state;

    if (!view->compared)
        list_pane_mouse(&view->choices.list, event, 3);
    for (int p = 0; p < COMPARE_PANES; p++) {
        enum compare_pane pane = (enum compare_pane)p;
        struct list_pane *list = &view->list[p];
        int row = list_pane_row_at(list, event->row, event->column);

        if (!rect_holds(view->layout.box[p], event->row, event->column))
            continue;
        if (event->mouse != MOUSE_PRESS) {
            list_pane_mouse(list, event, 3);
            continue;
        }
        focus_pane(view, pane);
        if (row >= 0 && row < view->rows[p].count && view->rows[p].row[row].item >= 0)
            list_pane_set(list, view->rows[p].row[row].item);
    }
}

static bool compare_view_chart(void *state, struct chart *chart)
{
    struct compare_view *view = state;
    const char *const name[SIDES] = {"this", compare_name(view)};
    char latency[SIDES][RANGE_LATENCY_MAX];

    update_comparison(view);
    if (!view->compared)
        return false;
    for (int s = 0; s < SIDES; s++) {
        const struct compared_latency *of = &view->comparison.verdict.of[s];

        range_latency_text(of->latency, of->low, of->high, true, latency[s]);
    }
    chart_compare(&view->comparison, name, (const char *const[SIDES]){latency[0], latency[1]},
                  chart);
    return true;
}

static void compare_view_table(const void *state, FILE *out, int columns)
{
    const struct compare_view *view = state;
    const char *const name[SIDES] = {"this", compare_name(view)};

    compare_table(&view->comparison, name, out, columns);
}

static void compare_view_cursor(const void *state, struct view_cursor *cursor)
{
    const struct compare_view *view = state;
    const struct scenario *scenario = &view->design->scenario;
    const struct difference *difference = focused_difference(view);
    const struct compared_node *node = focused_node(view);
    const struct compared_result *result = focused_result(view);
    struct buffer path = buffer_over(cursor->path, sizeof cursor->path);

    if (view->focus == COMPARE_VERDICT && view->compared) {
        buffer_text(&path, "latency");
    } else if (node != NULL && node->has[0]) {
        buffer_print(&path, "component.%s.time", node->name);
    } else if (result != NULL) {
        buffer_print(&path, "%s%s", result->row->scope == RESULT_LOOP ? "loop." : "",
                     result->row->key);
    } else if (difference != NULL && difference->has[0] && difference->knob != NULL) {
        buffer_text(&path, difference->path);
        if (knob_find(scenario, difference->path, &cursor->knob, NULL) == STATUS_OK) {
            cursor->section = cursor->knob.section;
            cursor->index = cursor->knob.index;
        }
    } else if (difference != NULL && difference->has[0]) {
        cursor->section = difference->section;
        cursor->index =
            section_find(scenario, difference->section, strchr(difference->path, '.') + 1);
    }
}

const struct view view_compare = {
    .name = "compare",
    .start = compare_view_start,
    .free = compare_view_free,
    .open = compare_view_open,
    .changed = compare_view_changed,
    .pane = PANE_COMPARE,
    .draw = compare_view_draw,
    .detail = compare_view_detail,
    .act = compare_view_act,
    .mouse = compare_view_mouse,
    .collect = compare_view_collect,
    .chart = compare_view_chart,
    .table = compare_view_table,
    .enter = compare_view_enter,
    .cursor = compare_view_cursor,
};
