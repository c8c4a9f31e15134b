/* Files of the explorer: saving the design and the picture of a view, opening designs. What would
 * lose unsaved changes asks first. */
#ifndef AOLAG_TUI_FILES_H
#define AOLAG_TUI_FILES_H

#include "base/problems.h"
#include "design/scenario_file.h"
#include "tui/prompt.h"

struct app;

enum file_kind { FILE_DESIGN, FILE_PICTURE, FILE_KINDS };

struct files {
    /* What waits for an answer about unsaved changes; NULL: nothing does. */
    void (*then)(struct app *app);
    char pending[PATH_BYTES]; /* what it is about: a file, a system */
    enum file_kind kind;      /* what is being saved, */
    char path[PATH_BYTES];    /* and the file that may be overwritten; empty: the design's own */
};

void files_open_system(struct app *app, const char *name);

/* Says why a file was refused; several problems come as a text. */
void files_say_problems(struct app *app, const struct problems *problems, const char *file);

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
