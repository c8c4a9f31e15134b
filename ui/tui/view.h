/* A view: one way to look at the design, filling the screen between header and footer. */
#ifndef AOLAG_VIEW_H
#define AOLAG_VIEW_H

#include "action.h"
#include "canvas.h"
#include "keys.h"

struct app;

struct view {
    const char *name;
    void (*start)(struct app *app); /* the design is another one */
    void (*free)(struct app *app);
    void (*changed)(struct app *app);           /* the design changed, or its structure */
    enum place (*place)(const struct app *app); /* the pane with the focus */
    void (*draw)(struct app *app, struct canvas *canvas, struct rect body);
    void (*detail)(struct app *app, struct canvas *canvas, struct rect line);
    void (*act)(struct app *app, enum action_id id);
    void (*mouse)(struct app *app, const struct key_event *event);
};

extern const struct view view_explore;

#endif
