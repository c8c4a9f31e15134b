#include <string.h>

#include "tui/app_state.h"
#include "tui/view.h"

/* Every view there is; the first is the one that opens. */
static const struct view *const views[] = {
    &view_explore, &view_timeline, &view_roofline, &view_sweep,
    &view_compare, &view_advise,   &view_machine,  &view_detector,
};

enum { VIEWS = sizeof views / sizeof views[0] };

void views_start(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        views[v]->start(app);
}

void views_changed(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        views[v]->changed(app);
}

void views_free(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        views[v]->free(app);
}

int views_watch(const struct app *app, int *files, int room)
{
    int count = 0;

    for (int v = 0; v < VIEWS && count < room; v++) {
        int file = views[v]->file == NULL ? -1 : views[v]->file(app);

        if (file >= 0)
            files[count++] = file;
    }
    return count;
}

bool views_busy(const struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v]->busy != NULL && views[v]->busy(app))
            return true;
    return false;
}

void views_take(struct app *app)
{
    for (int v = 0; v < VIEWS; v++)
        if (views[v]->take != NULL)
            views[v]->take(app);
}

void view_open(struct app *app, const char *name)
{
    for (int v = 0; v < VIEWS; v++) {
        if (name == NULL || strcmp(views[v]->name, name) == 0) {
            bool other = app->view != views[v];

            app->view = views[v];
            if (other && views[v]->open != NULL)
                views[v]->open(app);
            return;
        }
    }
}

bool view_knob(const struct app *app, struct knob_ref *ref)
{
    return app->view->knob != NULL && app->view->knob(app, ref);
}

bool view_section(const struct app *app, enum section *section, int *index)
{
    return app->view->section != NULL && app->view->section(app, section, index);
}

bool view_path(const struct app *app, char *path, size_t size)
{
    return app->view->path != NULL && app->view->path(app, path, size);
}
