#include "tui/app_state.h"

#include <stdio.h>
#include <string.h>

#include "design/algorithm.h"
#include "design/knob_text.h"
#include "explore/caveat.h"
#include "session/change.h"
#include "tui/widget.h"

void menu_open(struct app *app, int focus, menu_chosen *chosen, void *context)
{
    picker_ready(&app->picker, focus);
    app->menu.chosen = chosen;
    app->menu.context = context;
    app->menu.question = false;
    app->below = MODE_NORMAL;
    app->menu.tab = MENU_NO_TABS;
    answer_outdate(&app->menu.latencies);
    app->interrupted = false;
    app->mode = MODE_LIST;
}

void menu_choose(struct app *app)
{
    int item = picker_chosen(&app->picker);

    if (item < 0) {
        host_say(&app->host, NOTICE_WARNING, "nothing matches the filter: Enter takes nothing");
        return;
    }
    if (app->picker.typing) {
        app->picker.typing = false;
        return;
    }
    app->mode = MODE_NORMAL;
    if (app->picker.items[item].present)
        host_say(&app->host, NOTICE_NORMAL, "nothing has changed");
    else
        app->menu.chosen(app->menu.context, app->picker.items[item].id);
}

static const struct table_column one_column[] = {{.title = ""}};

void menu_ask(struct app *app, const char *title, const char *question,
              const char *const *answers, int safe, menu_chosen *chosen, void *context)
{
    char text[PICKER_TEXT];

    picker_start(&app->picker, title, one_column, 1);
    snprintf(app->picker.note, sizeof app->picker.note, "%s", question);
    for (int a = 0; answers[a] != NULL; a++) {
        snprintf(text, sizeof text, "%c  %s", answers[a][0], answers[a]);
        picker_add_texts(&app->picker, a, text, "");
    }
    menu_open(app, safe, chosen, context);
    app->menu.question = true;
    app->menu.asks = true;
}

bool app_asks(struct app *app)
{
    bool asks = app->menu.asks;

    app->menu.asks = false;
    return asks;
}

void menu_answer(struct app *app, uint32_t letter)
{
    if (letter >= 'A' && letter <= 'Z')
        letter += 'a' - 'A';
    for (int s = 0; s < app->picker.list.count; s++) {
        if ((unsigned char)app->picker.items[app->picker.shown[s]].text[0][0] != letter)
            continue;
        app->picker.list.focus = s;
        menu_choose(app);
        return;
    }
}

/* Choices of a knob ---------------------------------------------------------------------------- */

static void choice_chosen(void *context, int id)
{
    struct app *app = context;
    struct knob_ref ref = app->menu.ref;

    if (ref.knob->automatic && id == 0)
        design_reset(&app->host.design, ref);
    else
        design_set_text(&app->host.design, ref,
            knob_choice_name(&app->host.design.scenario, ref, id - (ref.knob->automatic ? 1 : 0)));
}

void menu_knob_choices(struct app *app, struct knob_ref ref)
{
    const struct scenario *scenario = &app->host.design.scenario;
    int count = knob_choice_count(scenario, ref);
    int focus = knob_choice(scenario, ref) + (ref.knob->automatic ? 1 : 0);
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    picker_start(&app->picker, path, one_column, 1);
    snprintf(app->picker.note, sizeof app->picker.note, "%s", ref.knob->help);
    if (ref.knob->automatic)
        picker_add_texts(&app->picker, 0, "auto", "");
    for (int c = 0; c < count; c++)
        picker_add_texts(&app->picker, app->picker.count, knob_choice_name(scenario, ref, c), "");
    app->menu.ref = ref;
    if (focus >= 0 && focus < app->picker.count)
        picker_mark_present(&app->picker.items[focus]);
    menu_open(app, focus, choice_chosen, app);
}

bool menu_is_choices(const struct app *app)
{
    return app->menu.chosen == choice_chosen;
}

void menu_draw_choice(const struct app *app, struct canvas *canvas, struct rect line)
{
    const struct knob *knob = app->menu.ref.knob;
    const struct picker_item *item = &app->picker.items[picker_chosen(&app->picker)];
    const struct scenario *scenario = &app->host.design.scenario;
    int choice = item->id - (knob->automatic ? 1 : 0);
    const char *name = choice < 0 ? "auto" : knob_choice_name(scenario, app->menu.ref, choice);
    const char *caveat = choice < 0 ? NULL : caveat_of(knob, name);
    const char *help = "";

    if (knob->type == KNOB_ALGORITHM && choice >= 0)
        for (int a = 0; a < ALGORITHM_COUNT; a++)
            if (strcmp(algorithms[a].name, name) == 0)
                help = algorithms[a].help;
    widget_detail(canvas, line, name, "%s%s%s%s%s",
                  item->present ? "the present value: changes nothing" : "Enter sets it",
                  help[0] != '\0' ? "; " : "", help, caveat != NULL ? "; caveat: " : "",
                  caveat != NULL ? caveat : "");
}
