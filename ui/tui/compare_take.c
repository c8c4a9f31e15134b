#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "design/knob_text.h"
#include "report/compare.h"
#include "tui/host.h"
#include "tui/view_compare.h"
#include "tui/widget.h"

/* What is under the cursor, and what Enter does with it. */

static int cursor(const struct compare_view *view)
{
    return view->cursor[view->focus];
}

const struct difference *compare_difference(const struct compare_view *view)
{
    if (!view->compared || view->focus != COMPARE_KNOBS ||
        cursor(view) >= view->comparison.difference_count)
        return NULL;
    return &view->comparison.difference[cursor(view)];
}

static const struct compared_node *node_of(const struct compare_view *view)
{
    int alike;
    int node = view->compared && view->focus == COMPARE_NODES
                   ? compare_node(view, cursor(view), &alike)
                   : -1;

    return node < 0 ? NULL : &view->comparison.node[node];
}

static const struct compared_result *result_of(const struct compare_view *view)
{
    if (!view->compared || view->focus != COMPARE_RESULTS ||
        cursor(view) >= view->comparison.result_count)
        return NULL;
    return &view->comparison.result[cursor(view)];
}

bool compare_path(const void *state, char *path, size_t size)
{
    const struct compare_view *view = state;
    const struct difference *difference = compare_difference(view);
    const struct compared_node *node = node_of(view);
    const struct compared_result *result = result_of(view);

    if (view->focus == COMPARE_VERDICT && view->compared)
        snprintf(path, size, "latency");
    else if (difference != NULL && difference->knob != NULL && difference->has[0])
        snprintf(path, size, "%s", difference->path);
    else if (node != NULL && node->has[0])
        snprintf(path, size, "component.%s.time", node->name);
    else if (result != NULL)
        snprintf(path, size, "%s%s", result->row->scope == RESULT_LOOP ? "loop." : "",
                 result->row->key);
    else
        return false;
    return true;
}

/* Taking over ---------------------------------------------------------------------------------- */

static const struct scenario *other_of(const struct compare_view *view)
{
    return view->other.name[0] != '\0' ? &view->other.scenario
                                       : &view->host->design.baseline.scenario;
}

/* Whether the value is the other one's where the knob is left to preset or default. */
static bool reset_does(const struct compare_view *view, struct knob_ref ref, const char *value)
{
    struct scenario scenario;
    char text[2304];

    if (!knob_is_own(&view->host->design.scenario, ref) || ref.knob->type == KNOB_PRESET)
        return false;
    scenario_copy(&scenario, &view->host->design.scenario);
    knob_reset(&scenario, ref);
    knob_get_text(&scenario, ref, text, sizeof text);
    return strcmp(text, value) == 0;
}

static void take_knob(struct compare_view *view, const struct difference *difference)
{
    const struct scenario *other = other_of(view);
    char path[sizeof difference->path];
    char value[2304];
    struct knob_ref here, there;
    struct error error;

    snprintf(path, sizeof path, "%s", difference->path);
    if (knob_find(&view->host->design.scenario, path, &here, &error) != STATUS_OK ||
        knob_find(other, path, &there, &error) != STATUS_OK) {
        host_fail(view->host, &error);
        return;
    }
    knob_get_text(other, there, value, sizeof value);
    if (reset_does(view, here, value) ||
        (value[0] == '\0' && knob_is_own(&view->host->design.scenario, here)))
        design_reset(view->host, here);
    else if (!design_set_text(view->host, here, value))
        return;
    knob_print(&view->host->design.scenario, here, value, sizeof value);
    host_say(view->host, STYLE_NORMAL, "%s = %s, as in %s; u takes it back", path,
             value[0] != '\0' ? value : "none", compare_name(view));
}

/* The instance of a path in the present design, shown in the first view. */
static void go_to(struct compare_view *view, enum section section, const char *path,
                  const struct knob *knob)
{
    const char *name = strchr(path, '.');
    char word[NAME_MAX_LENGTH + 1];
    int index = 0;

    if (section_max(section) > 1) {
        snprintf(word, sizeof word, "%.*s", name == NULL ? 0 : (int)strcspn(name + 1, ".@"),
                 name == NULL ? "" : name + 1);
        index = section_find(&view->host->design.scenario, section, word);
    }
    if (index >= 0)
        host_show_knob(view->host, section, index, knob, true);
}

static void enter_difference(struct compare_view *view, const struct difference *difference)
{
    if (!difference->has[0])
        host_say(view->host, STYLE_NORMAL, "only %s has it", compare_name(view));
    else if (difference->knob == NULL || !difference->has[1] ||
             difference->kind == DIFFERENCE_FOLLOWS)
        go_to(view, difference->section, difference->path, difference->knob);
    else
        take_knob(view, difference);
}

void compare_enter(struct compare_view *view)
{
    const struct difference *difference = compare_difference(view);
    const struct compared_node *node = node_of(view);
    char path[NODE_NAME_MAX + 16];

    if (!view->compared) {
        compare_choose_other(view, NULL);
    } else if (difference != NULL) {
        enter_difference(view, difference);
    } else if (node != NULL && node->has[0] && !node->transfer) {
        snprintf(path, sizeof path, "component.%s", node->name);
        go_to(view, SECTION_COMPONENT, path, NULL);
    } else if (node != NULL) {
        host_say(view->host, STYLE_NORMAL,
                 node->has[0] ? "%s was inserted: it has no knobs" : "%s is not in this design",
                 node->name);
    }
}

/* The line below ------------------------------------------------------------------------------- */

static void say_difference(const struct difference *difference, char *text, size_t size)
{
    const char *enter =
        difference->kind == DIFFERENCE_FOLLOWS || difference->knob == NULL || !difference->has[1]
            ? "Enter goes to it"
            : "Enter takes the other value over";

    if (!difference->has[0])
        snprintf(text, size, "%s: %s, in the other design only", difference->path,
                 difference->value[1]);
    else if (difference->knob == NULL)
        snprintf(text, size, "%s: %s, in this design only; %s", difference->path,
                 difference->value[0], enter);
    else if (!difference->has[1])
        snprintf(text, size, "%s: %s (%s), in this design only; %s", difference->path,
                 difference->value[0], origin_name(difference->origin[0]), enter);
    else
        snprintf(text, size, "%s: %s (%s), the other %s (%s); %s", difference->path,
                 difference->value[0], origin_name(difference->origin[0]), difference->value[1],
                 origin_name(difference->origin[1]), enter);
    text_micro(text, size);
}

static void say_node(const struct compared_node *node, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s:", node->name);

    for (int s = 0; s < SIDES && used < size; s++) {
        char compute[40], memory[40];

        if (!node->has[s])
            continue;
        quantity_show(node->compute[s], "s", compute, sizeof compute);
        quantity_show(node->memory[s], "s", memory, sizeof memory);
        used += (size_t)snprintf(
            text + used, size - used,
            component_type_computes(node->type) ? "%s%s %s, compute %s, memory %s"
                                                : "%s%s%s wire%.0s %s",
            s == 1 && node->has[0] ? "; the other" : "", node->device[s][0] != '\0' ? " on" : "",
            node->device[s], compute, memory);
    }
}

void compare_detail(const struct compare_view *view, char *text, size_t size)
{
    const struct difference *difference = compare_difference(view);
    const struct compared_node *node = node_of(view);
    const struct compared_result *result = result_of(view);

    text[0] = '\0';
    if (difference != NULL)
        say_difference(difference, text, size);
    else if (node != NULL && node->type != COMPONENT_CAMERA)
        say_node(node, text, size);
    else if (result != NULL)
        snprintf(text, size, "%s", result->row->help);
    else if (view->focus == COMPARE_VERDICT)
        snprintf(text, size, "%s", view->comparison.title[1]);
}
