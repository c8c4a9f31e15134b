#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "command.h"
#include "design/knob_text.h"
#include "tui/app_state.h"

enum { WORDS = 64 };

/* Splits at blanks, in place; quotes keep blanks together. Returns the count. */
static int split(char *text, char *words[WORDS])
{
    int count = 0;

    while (count < WORDS - 1) {
        char *out;
        char quote = '\0';

        text += strspn(text, " ");
        if (*text == '\0')
            break;
        words[count++] = out = text;
        while (*text != '\0' && (quote != '\0' || *text != ' ')) {
            if (quote == '\0' && (*text == '"' || *text == '\''))
                quote = *text;
            else if (*text == quote)
                quote = '\0';
            else
                *out++ = *text;
            text++;
        }
        if (*text != '\0')
            text++;
        *out = '\0';
    }
    words[count] = NULL;
    return count;
}

/* Runs a command of the command line on the present design; its output comes in the pager. */
static void run_command(struct app *app, const struct command *command, const char *line)
{
    char copy[LINE_MAX_BYTES + 1];
    char *words[WORDS];
    char *text = NULL;
    size_t size = 0;
    struct cli cli = {.catalogue = app->host.design.catalogue,
                      .current = &app->host.design.scenario};
    int count;

    snprintf(copy, sizeof copy, "%s", line);
    count = split(copy, words);
    cli.in = fopen("/dev/null", "r");
    cli.out = cli.err = open_memstream(&text, &size);
    if (cli.in != NULL && cli.out != NULL)
        command_run(&cli, command, count, words);
    if (cli.in != NULL)
        fclose(cli.in);
    if (cli.out == NULL || fclose(cli.out) != 0)
        host_say(&app->host, STYLE_ERROR, "out of memory");
    else if (size == 0)
        host_say(&app->host, STYLE_NORMAL, "%s: nothing to say", command->name);
    else
        pager_open(&app->pager, line, text);
    if (!pager_is_open(&app->pager))
        free(text);
}

/* The panes a word works in, for one that does not work in this one: false for no word at all. */
static bool elsewhere(struct app *app, const char *word)
{
    char panes[192] = "";
    unsigned places = 0;

    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == MODE_NORMAL && strcmp(actions[a].name, word) == 0)
            places |= actions[a].places;
    for (int p = 0; p < PLACE_PAGER; p++) {
        const char *name = place_name((enum place)p);
        size_t used = strlen(panes);

        if ((places >> p & 1) != 0)
            snprintf(panes + used, sizeof panes - used, "%s%c%s", used > 0 ? " and " : "",
                     toupper((unsigned char)name[0]), name + 1);
    }
    if (panes[0] != '\0')
        host_say(&app->host, STYLE_ERROR, "\"%s\" works in %s: Tab or the key of a view goes there",
                 word, panes);
    else if (places != 0)
        host_say(&app->host, STYLE_ERROR, "\"%s\" works where a text is open", word);
    return places != 0;
}

static void unknown(struct app *app, const char *word)
{
    struct nearest nearest = nearest_to(word);

    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == MODE_NORMAL)
            nearest_offer(&nearest, actions[a].name);
    for (int c = 0; c < command_count; c++)
        if (commands[c]->anywhere)
            nearest_offer(&nearest, commands[c]->name);
    if (nearest.best[0] == '\0')
        host_say(&app->host, STYLE_ERROR, "there is no command \"%.40s\"; Tab lists them", word);
    else
        host_say(&app->host, STYLE_ERROR, "there is no command \"%.40s\"; did you mean %s?", word,
                 nearest.best);
}

static void run_action(struct app *app, const struct action *action, const char *rest)
{
    if (action->argument == NULL && rest[0] != '\0')
        host_say(&app->host, STYLE_ERROR, "%s takes nothing behind it", action->name);
    else if (action->run != NULL)
        action->run(app, rest);
    else if (action->id == ACTION_VIEW)
        view_open(app, action->name);
    else
        app->view->act(app->state, action->id, rest);
}

static bool accept_command(void *context, const char *text)
{
    struct app *app = context;
    char word[64];
    const char *rest;
    const struct action *action;
    size_t length;

    text += strspn(text, " ");
    length = strcspn(text, " ");
    if (length == 0)
        return true;
    rest = text + length + strspn(text + length, " ");
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
             text);
    action = action_named(app_place(app), word);
    if (action != NULL && !(action->id == ACTION_VIEW && rest[0] != '\0')) {
        run_action(app, action, rest);
        return !app->host.failed;
    }
    for (int c = 0; c < command_count; c++) {
        if (commands[c]->anywhere && strcmp(commands[c]->name, word) == 0) {
            run_command(app, commands[c], text);
            return !app->host.failed;
        }
    }
    if (!elsewhere(app, word))
        unknown(app, word);
    return false;
}

void act_command(struct app *app, const char *argument)
{
    (void)argument;
    prompt_open(&app->host, &(struct prompt_request){.label = ":",
                                                     .completion = COMPLETE_COMMAND,
                                                     .history = &app->commands,
                                                     .context = app,
                                                     .accept = accept_command});
}

static void set_mouse(struct app *app, bool on)
{
    app->mouse = on;
    host_say(&app->host, STYLE_NORMAL, "the mouse is %s", on ? "on" : "off");
}

void act_set(struct app *app, const char *argument)
{
    if (argument == NULL || argument[0] == '\0')
        host_say(&app->host, STYLE_ERROR, "set what? As in: set device.rtc.cores=64");
    else if (strcmp(argument, "mouse on") == 0 || strcmp(argument, "mouse off") == 0)
        set_mouse(app, strcmp(argument, "mouse on") == 0);
    else
        design_assign(&app->host, argument);
}

void act_reset(struct app *app, const char *argument)
{
    struct knob_ref ref;
    struct error error;

    if (argument != NULL && argument[0] != '\0') {
        if (knob_find(&app->host.design.scenario, argument, &ref, &error) == STATUS_OK)
            design_reset(&app->host, ref);
        else
            host_fail(&app->host, &error);
    } else if (view_knob(app, &ref)) {
        design_reset(&app->host, ref);
    } else {
        host_say(&app->host, STYLE_NORMAL, "put the cursor on the knob to reset");
    }
}
