/* Files of the explorer: saving the design and the picture of a view, opening designs. What would
 * lose unsaved changes asks first. */
#ifndef AOLAG_TUI_FILES_H
#define AOLAG_TUI_FILES_H

struct app;

void act_save(struct app *app, const char *argument);
void act_save_as(struct app *app, const char *argument);
void act_picture(struct app *app, const char *argument);
void act_table(struct app *app, const char *argument); /* the numbers of the picture */
void act_open(struct app *app, const char *argument);
void act_new(struct app *app, const char *argument);
void act_reload(struct app *app, const char *argument);
void act_preset(struct app *app, const char *argument);
void act_quit(struct app *app, const char *argument);

#endif
