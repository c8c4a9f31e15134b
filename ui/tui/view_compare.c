#include "view_compare.h"

#include "app_state.h"
#include "widget.h"

static void start(struct app *app)
{
    (void)app;
}

static enum place place(const struct app *app)
{
    (void)app;
    return PLACE_COMPARE;
}

static void draw(struct app *app, struct canvas *canvas, struct rect body)
{
    app->compare.box = body;
    widget_pane(canvas, body, "Compare", true);
}

static void detail(struct app *app, struct canvas *canvas, struct rect line)
{
    (void)app, (void)canvas, (void)line;
}

static void act(struct app *app, enum action_id id)
{
    (void)app, (void)id;
}

static void mouse(struct app *app, const struct key_event *event)
{
    (void)app, (void)event;
}

const struct view view_compare = {
    .name = "compare",
    .start = start,
    .free = start,
    .changed = start,
    .place = place,
    .draw = draw,
    .detail = detail,
    .act = act,
    .mouse = mouse,
};
