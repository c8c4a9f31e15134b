#include <stdio.h>
#include <string.h>

#include "design/knob_text.h"
#include "model/knob_effect.h"
#include "tui/host.h"
#include "tui/prompt.h"
#include "tui/tree.h"
#include "tui/view_sweep.h"

/* Which knobs a sweep goes over: along, the one that Explore's cursor is on, so that looking for a
 * knob is the same everywhere; up, one that was held. */

bool sweep_can(const struct knob *knob)
{
    return knob->type != KNOB_TEXT && knob->type != KNOB_TRACE && knob->type != KNOB_COMPONENTS;
}

bool sweep_ref(const struct sweep_view *sweep, int axis, struct knob_ref *ref)
{
    return sweep->path[axis][0] != '\0' &&
           knob_find(&sweep->host->design.scenario, sweep->path[axis], ref, NULL) == STATUS_OK;
}

static void put(struct sweep_view *sweep, int axis, struct knob_ref ref)
{
    char path[SWEEP_PATH];

    knob_path(&sweep->host->design.scenario, ref, path, sizeof path);
    if (strcmp(path, sweep->path[axis]) == 0)
        return;
    memcpy(sweep->path[axis], path, sizeof path);
    sweep->spec[axis][0] = '\0';
    sweep->placed = false;
    sweep->first = 0;
    sweep_again(sweep);
}

/* The next knob that can be swept, in the order of Explore's tree. */
static bool next(const struct sweep_view *sweep, struct knob_ref *ref, int by)
{
    for (int i = 0; i < 4096; i++) {
        tree_next_knob(&sweep->host->design.scenario, ref, by);
        if (sweep_can(ref->knob) && !knob_idle(&sweep->host->design.scenario, *ref))
            return true;
    }
    return false;
}

/* Without its second knob where that has gone or is the first. */
static void drop_second(struct sweep_view *sweep)
{
    struct knob_ref held;

    if (sweep->path[1][0] == '\0' ||
        (sweep_ref(sweep, 1, &held) && strcmp(sweep->path[0], sweep->path[1]) != 0))
        return;
    sweep->path[1][0] = '\0';
    sweep_again(sweep);
}

void sweep_follow(void *state)
{
    struct sweep_view *sweep = state;
    struct knob_ref ref = host_search_from(sweep->host, 1);
    struct knob_ref held;
    char path[SWEEP_PATH];

    knob_path(&sweep->host->design.scenario, ref, path, sizeof path);
    if (strcmp(path, sweep->followed) != 0 || !sweep_ref(sweep, 0, &held)) {
        memcpy(sweep->followed, path, sizeof path);
        if (sweep_can(ref.knob) || next(sweep, &ref, 1))
            put(sweep, 0, ref);
    }
    drop_second(sweep);
}

void sweep_keep(struct sweep_view *sweep)
{
    struct knob_ref held;

    if (sweep_ref(sweep, 0, &held))
        drop_second(sweep);
    else
        sweep_follow(sweep);
}

/* Puts Explore's cursor on a knob, and the sweep along it. */
static void go(struct sweep_view *sweep, struct knob_ref ref)
{
    host_show_knob(sweep->host, ref.section, ref.index, ref.knob, false);
    knob_path(&sweep->host->design.scenario, ref, sweep->followed, sizeof sweep->followed);
    put(sweep, 0, ref);
}

void sweep_other_knob(struct sweep_view *sweep, int by)
{
    struct knob_ref ref;

    if (sweep_ref(sweep, 0, &ref) && next(sweep, &ref, by))
        go(sweep, ref);
}

/* Holds the knob for the axis that goes up; along goes the number of packets, else the next. */
void sweep_variant(struct sweep_view *sweep)
{
    struct knob_ref held, ref;

    if (sweep->path[1][0] != '\0') {
        sweep->path[1][0] = '\0';
    } else if (sweep_ref(sweep, 0, &held)) {
        put(sweep, 1, held);
        memcpy(sweep->spec[1], sweep->spec[0], sizeof sweep->spec[1]);
        ref = knob_ref_to(KNOB_SCENARIO_PACKETS, 0);
        if (knob_id(held.knob) == KNOB_SCENARIO_PACKETS)
            next(sweep, &ref, 1);
        go(sweep, ref);
    }
    sweep->placed = false;
    sweep_again(sweep);
}

/* Values typed: one axis or two. */

static bool take_axis(struct sweep_view *sweep, const char *word, struct axis *read)
{
    struct error error = {STATUS_OK, ""};

    if (axis_parse(read, &sweep->host->design.scenario, sweep->host->design.catalogue, word,
                   &error) == STATUS_OK)
        return true;
    host_fail(sweep->host, &error);
    return false;
}

static bool accept(void *context, const char *text)
{
    struct sweep_view *sweep = context;
    char copy[2 * SWEEP_SPEC];
    char *rest = copy;
    char *word[GRID_AXES_MAX] = {NULL, NULL};
    struct axis axis[GRID_AXES_MAX] = {{.count = 0}, {.count = 0}};
    bool good = true;
    int count = 0;

    snprintf(copy, sizeof copy, "%s", text);
    for (char *at; (at = strtok_r(rest, " ", &rest)) != NULL; count++)
        if (count < GRID_AXES_MAX)
            word[count] = at;
    if (count == 0 || count > GRID_AXES_MAX) {
        host_say(sweep->host, STYLE_ERROR, "one knob or two, as in device.rtc.cores=1:128:32:log");
        return false;
    }
    for (int a = 0; a < count && good; a++)
        good = take_axis(sweep, word[a], &axis[a]);
    if (good && count == 2 && axis[0].ref.knob == axis[1].ref.knob &&
        axis[0].ref.index == axis[1].ref.index) {
        host_say(sweep->host, STYLE_ERROR, "both are the same knob");
        good = false;
    }
    if (good) {
        sweep->path[1][0] = '\0';
        go(sweep, axis[0].ref);
        if (count > 1)
            put(sweep, 1, axis[1].ref);
        for (int a = 0; a < count; a++)
            snprintf(sweep->spec[a], SWEEP_SPEC, "%s", word[a]);
        sweep->placed = false;
        sweep_again(sweep);
    }
    for (int a = 0; a < count && a < GRID_AXES_MAX; a++)
        axis_free(&axis[a]);
    return good;
}

#define TYPED_POINTS 33 /* proposed */

/* What is shown, as it would be typed; the same however fine it is by now. */
static void print_axis(const struct grid *grid, const char *path, int a, char *text, size_t size)
{
    const struct axis *axis = &grid->axis[a];
    char from[AXIS_TEXT_MAX], to[AXIS_TEXT_MAX];

    if (axis->number == NULL) {
        snprintf(text, size, "%s=all", path);
        return;
    }
    axis_text(axis, 0, from, sizeof from);
    axis_text(axis, axis->count - 1, to, sizeof to);
    snprintf(text, size, "%s=%.64s:%.64s:%d%s", path, from, to, TYPED_POINTS,
             grid_is_logarithmic(axis) ? ":log" : "");
}

void sweep_ask_range(struct sweep_view *sweep, const char *argument)
{
    char text[LINE_MAX_BYTES + 1] = "";

    if (argument != NULL && argument[0] != '\0') {
        accept(sweep, argument);
        return;
    }
    for (int a = 0; a < GRID_AXES_MAX && sweep->path[a][0] != '\0'; a++) {
        char typed[SWEEP_SPEC];
        size_t used = strlen(text);

        snprintf(typed, sizeof typed, "%s", sweep->spec[a]);
        if (typed[0] == '\0' && a < sweep->grid.axis_count && sweep->grid.count > 0)
            print_axis(&sweep->grid, sweep->path[a], a, typed, sizeof typed);
        snprintf(text + used, sizeof text - used, "%s%s", a > 0 ? " " : "", typed);
    }
    prompt_open(sweep->host, &(struct prompt_request){.label = "sweep ",
                                                      .text = text,
                                                      .completion = COMPLETE_AXES,
                                                      .context = sweep,
                                                      .accept = accept});
}
