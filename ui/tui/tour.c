#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "tui/app_state.h"
#include "tui/layout.h"
#include "tui/widget.h"

/* What a step speaks about, where a pointer is drawn. */
enum tour_place { PLACE_LATENCY, PLACE_PATH, PLACE_KNOBS, PLACE_NEXT, PLACE_FOOTER };

#define TOUR_ACTIONS 3

/* A step: two rows of 58 cells hold each text. */
struct tour_step {
    const char *text;
    const char *without_path; /* the same where the critical path has no row */
    enum tour_place place;
    /* It goes on by itself after one of these actions, ACTION_NONE from the last on, or, `change`,
     * after a change of the design. */
    enum action_id after[TOUR_ACTIONS];
    bool change;
    bool enter; /* Enter takes what is under the cursor of the verdict, and is no key of the tour there */
};

static const struct tour_step steps[] = {
    {.text = "The verdict: the time from last useful packet to last command, its range, and whether it "
             "meets the target.",
     .place = PLACE_LATENCY},
    {.text = "The bar is the critical path, which adds up to that time; \"limit\" names what "
             "to improve first.",
     .without_path = "\"limit\" names what to improve first: the component, the resource and "
                     "the device that limit it.",
     .place = PLACE_PATH},
    {.text =
         "Knobs: Left and Right change one; watch the verdict. A device that limits comes first.",
     .place = PLACE_KNOBS,
     .change = true},
    {.text = "Next steps: S-Tab goes to them, Enter takes the one under the cursor, u undoes it. "
             "Advise has more.",
     .place = PLACE_NEXT,
     .after = {ACTION_UNDO},
     .enter = true},
    {.text = "p lists other devices and, after Tab, AO presets; / finds a knob by words: hbm "
             "clock. Try one.",
     .place = PLACE_FOOTER,
     .after = {ACTION_PRESET, ACTION_FIND}},
    {.text = "1 to 9 open the views, s saves, ? lists all keys. Any of these keys ends the tour.",
     .place = PLACE_FOOTER,
     .after = {ACTION_VIEW, ACTION_SAVE, ACTION_HELP}},
};

enum { STEPS = sizeof steps / sizeof steps[0] };

/* Returns the present step; NULL: there is no tour. */
static const struct tour_step *present_step(const struct app *app)
{
    return app->tour.step == 0 ? NULL : &steps[app->tour.step - 1];
}

static void begin_step(struct app *app, int step)
{
    struct design *design = &app->host.design;

    app->tour.step = step;
    app->tour.done = false;
    app->tour.position = design->history.position;
    /* a change that the tour counts is a step of undo of its own */
    if (step == 1 || present_step(app)->change)
        design->moved.knob = NULL;
    view_open(app, NULL);
    if (present_step(app)->change)
        app->explore.pane = PANE_KNOBS; /* its keys are those of the knobs */
}

/* Says what the tour leaves behind, unless the last key has said something. */
static void end_tour(struct app *app)
{
    struct host *host = &app->host;
    size_t changes = host->design.history.position - app->tour.least;

    app->tour.step = 0;
    if (host->notice.text[0] != '\0')
        return;
    if (changes == 1)
        host_say(host, NOTICE_NORMAL, "the tour is over; u undoes the change made in it");
    else if (changes > 1)
        host_say(host, NOTICE_NORMAL, "the tour is over; u undoes the %zu changes made in it",
                 changes);
    else if (app->tour.least < app->tour.start)
        host_say(host, NOTICE_NORMAL, "the tour is over; C-r redoes what was undone in it");
    else
        host_say(host, NOTICE_NORMAL, "the tour is over; the design is as it was");
}

void act_tour(struct app *app, const char *argument)
{
    const struct design *design = &app->host.design;

    (void)argument;
    if (design->scenario.component_count == 0 || !design_is_valid(design)) {
        host_say(&app->host, NOTICE_ERROR,
                 "the tour needs a design that can be evaluated; p starts from a preset");
        return;
    }
    app->tour.start = app->tour.least = design->history.position;
    begin_step(app, 1);
}

static void go_on(struct app *app)
{
    if (app->tour.step == STEPS)
        end_tour(app);
    else
        begin_step(app, app->tour.step + 1);
}

void act_tour_next(struct app *app, const char *argument)
{
    (void)argument;
    go_on(app);
}

void act_tour_end(struct app *app, const char *argument)
{
    (void)argument;
    end_tour(app);
}

bool tour_takes_keys(const struct app *app)
{
    return app->tour.step > 0 && app->mode == MODE_NORMAL && app_pane(app) < PANE_PAGER;
}

const struct action *tour_action(const struct app *app, uint32_t key)
{
    if (!tour_takes_keys(app) || (key == KEY_NAMED_ENTER && present_step(app)->enter &&
                                  app_pane(app) == PANE_VERDICT))
        return NULL;
    return action_of_key(MODE_NORMAL, PANE_TOUR, key);
}

bool tour_asks_for(const struct app *app, enum action_id id)
{
    const struct tour_step *step = present_step(app);

    for (int a = 0; step != NULL && a < TOUR_ACTIONS && step->after[a] != ACTION_NONE; a++)
        if (step->after[a] == id)
            return true;
    return false;
}

void tour_note(struct app *app, enum action_id id)
{
    app->tour.done = app->tour.done || tour_asks_for(app, id);
}

/* Lists, lines and texts are looked at before the tour goes on. */
void tour_follow(struct app *app)
{
    const struct tour_step *step = present_step(app);
    size_t position = app->host.design.history.position;

    if (step == NULL)
        return;
    if (position < app->tour.least)
        app->tour.least = position;
    if (tour_takes_keys(app) &&
        (app->tour.done || (step->change && position != app->tour.position)))
        go_on(app);
}

/* Drawing -------------------------------------------------------------------------------------- */

#define TOUR_TEXT 160
#define TOUR_ROWS 2

/* Prints "Tour 1/6  The verdict: ..."; returns the cells of its first two words. */
static int print_step(const struct app *app, int s, char text[TOUR_TEXT])
{
    const struct rect path = app->explore.layout.verdict.path;
    const struct tour_step *step = &steps[s];
    int words = snprintf(text, TOUR_TEXT, "Tour %d/%d", s + 1, STEPS);

    snprintf(text + words, TOUR_TEXT - (size_t)words, "  %s",
             step->place == PLACE_PATH && path.rows == 0 ? step->without_path : step->text);
    return words;
}

/* All steps take the same rows, so that the view does not move from one to the next. */
struct rect tour_take_rows(const struct app *app, struct rect *body)
{
    struct rect box = {body->row + body->rows, body->column, 0, body->columns};
    const struct rect line = {0, 0, 1, box.columns - 2};
    struct canvas none = {0};
    char text[TOUR_TEXT];

    for (int s = 0; app->tour.step > 0 && s < STEPS; s++) {
        int rows;

        print_step(app, s, text);
        rows = canvas_wrap(&none, line, 0, STYLE_NORMAL, text);
        box.rows = rows > box.rows ? rows : box.rows;
        box.rows = box.rows > TOUR_ROWS ? TOUR_ROWS : box.rows; /* the view needs the others */
    }
    box.row -= box.rows;
    body->rows -= box.rows;
    return box;
}

/* Returns the cell beside what a step speaks about; row -1: it is not on the screen. */
static struct rect step_pointer(const struct app *app, enum tour_place place, struct rect footer)
{
    const struct explore_layout *layout = &app->explore.layout;
    const struct verdict_layout *verdict = &layout->verdict;
    struct rect at;

    if (place == PLACE_FOOTER)
        return footer;
    if (app->view != &view_explore)
        return (struct rect){.row = -1};
    if (place == PLACE_KNOBS)
        return (struct rect){layout->knobs.row, layout->knobs.column + 1, 1, 1};
    at = place == PLACE_NEXT                             ? verdict->next
         : place == PLACE_LATENCY                        ? verdict->latency
         : place == PLACE_PATH && verdict->path.rows > 0 ? verdict->path
                                                         : verdict->limit;
    at.column--;
    return at;
}

void tour_draw(const struct app *app, struct canvas *canvas, struct rect box, struct rect footer)
{
    struct rect inside = {box.row, box.column + 1, box.rows, box.columns - 2};
    char text[TOUR_TEXT];
    struct rect at;
    int words;

    if (box.rows == 0)
        return;
    words = print_step(app, app->tour.step - 1, text);
    canvas_wrap(canvas, inside, 0, STYLE_NORMAL, text);
    text[words] = '\0';
    canvas_text(canvas, inside.row, inside.column, words, STYLE_KEY, text);
    if (!tour_takes_keys(app))
        return;
    at = step_pointer(app, present_step(app)->place, footer);
    widget_mark(canvas, at.row, at.column, STYLE_KEY, MARK_POINTER);
}

/* The first start ------------------------------------------------------------------------------ */

void tour_offer(struct app *app)
{
    char path[PATH_BYTES];

    if (app->host.notice.text[0] != '\0' || !user_state_directory(path, sizeof path) ||
        access(path, F_OK) == 0 || errno != ENOENT)
        return;
    user_make_directory(path);
    host_say(&app->host, NOTICE_NORMAL, "? keys \xC2\xB7 :tour");
}
