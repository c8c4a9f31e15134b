#include <stdio.h>
#include <string.h>

#include "report/explain.h"
#include "tui/app_state.h"

/* Formulas in an outline: a row opens into what its formula is made of. Nothing changes the design
 * while it is open, so that a row's path is all it takes to find its inputs. */

static struct explain explain_of(const struct app *app)
{
    return (struct explain){&app->host.design.scenario, &app->host.design.result};
}

static bool insert(struct app *app, int at, int level, const struct explain_node *node)
{
    struct explain explain = explain_of(app);
    char line[EXPLAIN_LINE_MAX];

    explain_line(&explain, node, level == 0, true, line, sizeof line);
    return outline_insert(&app->outline, at, level, node->path, line,
                          explain_is_made(&explain, node));
}

static void unfold(struct app *app, int at)
{
    struct explain explain = explain_of(app);
    struct outline_row *row = &app->outline.rows[at];
    int level = row->level + 1;
    struct explain_node node;
    struct explain_node child;
    struct error error;

    if (!row->opens || row->open || explain_find(&explain, row->path, &node, &error) != STATUS_OK)
        return;
    row->open = true;
    for (int i = 0; explain_child(&explain, &node, i, &child); i++)
        if (!insert(app, at + 1 + i, level, &child))
            return;
}

/* What begins with a result: all other results of the same component, device, sensor; of the design
 * those of the loop too. */
static void add_results(struct app *app, const struct explain_node *node)
{
    struct explain explain = explain_of(app);
    bool design = node->subject.kind == EXPLAIN_DESIGN;

    for (const struct result_row *row = result_rows; row < result_rows + RESULT_ROW_COUNT; row++)
        for (int i = 0; i < result_count(&app->host.design.result, row->scope); i++) {
            struct explain_node other;
            struct error error;
            char path[EXPLAIN_PATH_MAX];

            if (result_value(&app->host.design.result, row, i) == RESULT_NONE)
                continue;
            explain_path(&explain, row, i, path, sizeof path);
            if (explain_find(&explain, path, &other, &error) != STATUS_OK ||
                strcmp(path, node->path) == 0)
                continue;
            if ((design && other.subject.kind == EXPLAIN_LOOP) ||
                (other.subject.kind == node->subject.kind &&
                 other.subject.index == node->subject.index))
                insert(app, app->outline.count, 0, &other);
        }
}

struct users {
    struct app *app;
    const char *heading;
};

static void add_user(void *context, const struct explain_node *user)
{
    struct users *users = context;
    struct outline *outline = &users->app->outline;

    if (users->heading != NULL)
        outline_insert(outline, outline->count, 0, NULL, users->heading, false);
    users->heading = NULL;
    insert(users->app, outline->count, 1, user);
}

static void add_users(struct app *app, const struct explain_node *knob)
{
    struct explain explain = explain_of(app);
    struct users named = {app, EXPLAIN_NAMED};
    struct users chosen = {app, EXPLAIN_CHOOSES};
    int found = explain_users(&explain, knob, false, add_user, &named) +
                explain_users(&explain, knob, true, add_user, &chosen);

    if (found == 0)
        outline_insert(&app->outline, app->outline.count, 0, NULL, explain_useless(knob), false);
}

void act_explain(struct app *app, const char *argument)
{
    struct explain explain = explain_of(app);
    struct explain_node node;
    struct error error;
    char path[EXPLAIN_PATH_MAX];

    (void)argument;
    if (app->host.design.problem.status != STATUS_OK || !app->host.design.evaluated) {
        host_say(&app->host, STYLE_ERROR,
                 "there is nothing to explain until the design has a meaning");
        return;
    }
    if (!view_path(app, path, sizeof path)) {
        host_say(&app->host, STYLE_NORMAL, "no number is under the cursor");
        return;
    }
    if (explain_find(&explain, path, &node, &error) != STATUS_OK) {
        host_fail(&app->host, &error);
        return;
    }
    outline_open(&app->outline, path);
    if (!insert(app, 0, 0, &node))
        return;
    unfold(app, 0);
    if (node.knob.knob != NULL)
        add_users(app, &node);
    else
        add_results(app, &node);
}

void explain_act(struct app *app, enum action_id id)
{
    struct outline *outline = &app->outline;
    const struct outline_row *row = &outline->rows[outline->focus];

    if (id == ACTION_CLOSE) {
        outline_close(outline);
    } else if (row->open && (id == ACTION_ENTER || id == ACTION_LEFT)) {
        outline_fold(outline, outline->focus);
    } else if (id == ACTION_ENTER || id == ACTION_RIGHT) {
        unfold(app, outline->focus);
    } else if (id == ACTION_LEFT) {
        int parent = outline_parent(outline, outline->focus);

        outline->focus = parent < 0 ? outline->focus : parent;
    } else {
        outline_act(outline, id);
    }
}

void explain_mouse(struct app *app, const struct key_event *event)
{
    struct outline *outline = &app->outline;
    int row;

    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
        outline_move(outline, event->mouse == MOUSE_WHEEL_UP ? -3 : 3);
        return;
    }
    row = event->mouse == MOUSE_PRESS ? outline_at(outline, event->row, event->column) : -1;
    if (row >= 0 && row == outline->focus)
        explain_act(app, ACTION_ENTER); /* a click on what is focused already opens it */
    else if (row >= 0)
        outline->focus = row;
}
