#include "tui/views.h"

#include <stddef.h>
#include <string.h>

#include "tui/app_state.h"

/* Every view there is, with where its state is in the app; the first is the one that opens. */
static const struct {
    const struct view *view;
    size_t state;
} views[] = {
    {.view = &view_explore, .state = offsetof(struct app, explore)},
    {.view = &view_timeline, .state = offsetof(struct app, timeline)},
    {.view = &view_roofline, .state = offsetof(struct app, roofline)},
    {.view = &view_sweep, .state = offsetof(struct app, sweep)},
    {.view = &view_compare, .state = offsetof(struct app, compare)},
    {.view = &view_advise, .state = offsetof(struct app, advise)},
    {.view = &view_machine, .state = offsetof(struct app, machine)},
    {.view = &view_detector, .state = offsetof(struct app, detector)},
};

enum { VIEWS = sizeof views / sizeof views[0] };

static void *state_of(struct app *app, int v)
{
    return (char *)app + views[v].state;
}

static const void *const_state_of(const struct app *app, int v)
{
    return (const char *)app + views[v].state;
}

void views_start(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        views[v].view->start(state_of(app, v), &app->host);
    if (app->view->open != NULL)
        app->view->open(app->state);
}

void views_changed(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view->changed != NULL)
            views[v].view->changed(state_of(app, v));
}

void views_free(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view->free != NULL)
            views[v].view->free(state_of(app, v));
}

int views_watch(const struct app *app, int *files, int room)
{
    int count = 0;

    for (int v = 0; v < VIEWS && count < room; v++) {
        const struct view *view = views[v].view;
        int file = view->file == NULL ? -1 : view->file(const_state_of(app, v));

        if (file >= 0)
            files[count++] = file;
    }
    return count;
}

bool views_busy(const struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view->busy != NULL && views[v].view->busy(const_state_of(app, v)))
            return true;
    return false;
}

void views_take(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view->take != NULL)
            views[v].view->take(state_of(app, v));
}

void view_return(struct app *app, const struct view *view)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v].view == view)
            app->state = state_of(app, v);
    app->view = view;
}

void view_open(struct app *app, const char *name)
{
    const struct view *before = app->view;

    for (int v = 0; v < VIEWS; v++) {
        if (name == NULL || strcmp(views[v].view->name, name) == 0) {
            view_return(app, views[v].view);
            if (app->view != before && app->view->open != NULL)
                app->view->open(app->state);
            return;
        }
    }
}

enum place view_place(const struct app *app)
{
    return app->view->pane == NULL ? app->view->place : app->view->pane(app->state);
}

bool view_knob(const struct app *app, struct knob_ref *ref)
{
    return app->view->knob != NULL && app->view->knob(app->state, ref);
}

bool view_section(const struct app *app, enum section *section, int *index)
{
    return app->view->section != NULL && app->view->section(app->state, section, index);
}

bool view_path(const struct app *app, char *path, size_t size)
{
    return app->view->path != NULL && app->view->path(app->state, path, size);
}
