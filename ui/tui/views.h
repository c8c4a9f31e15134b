/* All views, and the one that is open. */
#ifndef AOLAG_TUI_VIEWS_H
#define AOLAG_TUI_VIEWS_H

#include <stdbool.h>
#include <stddef.h>

#include "design/knob.h"
#include "tui/action.h"

struct app;
struct view;

void views_start(struct app *app);
void views_changed(struct app *app);
void views_free(struct app *app);

/* What all views together have to do beside the screen; see app.h. */
int views_watch(const struct app *app, int *files, int room);
bool views_busy(const struct app *app);
void views_take(struct app *app);

/* Opens the view of that name, with cursor and scroll as they were left. NULL: the first. */
void view_open(struct app *app, const char *name);

/* The same without telling it: it comes back as it was. */
void view_return(struct app *app, const struct view *view);

/* The pane of the open view with the focus, and what is under its cursor. */
enum place view_place(const struct app *app);
bool view_knob(const struct app *app, struct knob_ref *ref);
bool view_section(const struct app *app, enum section *section, int *index);
bool view_path(const struct app *app, char *path, size_t size);

#endif
