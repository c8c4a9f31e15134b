/* A view: one way to look at the design, filling the screen between header and footer. */
#ifndef AOLAG_VIEW_H
#define AOLAG_VIEW_H

#include "action.h"
#include "canvas.h"
#include "keys.h"
#include "knob.h"

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

    /* The cursor of the view, for what acts on the design: the knob under it, the section it is in;
     * false: none. */
    bool (*knob)(const struct app *app, struct knob_ref *ref);
    bool (*section)(const struct app *app, enum section *section, int *index);

    /* The path of what is under the cursor: a knob, or the first of its results; false: none. */
    bool (*path)(const struct app *app, char *path, size_t size);

    /* Puts it on a knob or, with knob NULL, a section; with `focus` the keys go there too. */
    void (*show)(struct app *app, enum section section, int index, const struct knob *knob,
                 bool focus);

    /* A search: where it starts in this direction; what was on the screen is kept and comes back.
     */
    struct knob_ref (*search_from)(const struct app *app, int by);
    void (*keep)(struct app *app);
    void (*back)(struct app *app);
};

extern const struct view view_explore;

#endif
