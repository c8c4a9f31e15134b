/* Actions on the design as a whole: adding and removing its parts, undo, the baseline. */
#ifndef AOLAG_TUI_EDIT_H
#define AOLAG_TUI_EDIT_H

struct app;

void act_add(struct app *app, const char *argument);
void act_remove(struct app *app, const char *argument);
void act_undo(struct app *app, const char *argument);
void act_redo(struct app *app, const char *argument);
void act_baseline(struct app *app, const char *argument);

#endif
