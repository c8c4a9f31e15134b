#include "tui/app_state.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/nearest.h"
#include "base/number.h"
#include "command.h"
#include "design/knob_text.h"
#include "session/change.h"
#include "tui/signals.h"

/* Commands ------------------------------------------------------------------------------------- */

enum { WORDS = 64 };

/* Splits at blanks, in place; quotes protect blanks. Returns the count. */
static int split_words(char *text, char *words[WORDS])
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

/* Keys wait for a command: it ends after so many looks (base/progress.h), 5e7 steps, some 1 s, and
 * at a key after the first of them, 1e6 steps, or as many reports of parts that are done, if they
 * took KEY_SECONDS. */
enum { COMMAND_LOOKS = 1000, KEY_LOOKS = 20 };
static const double KEY_SECONDS = 0.1;

struct command_run {
    const struct app *app;
    double start; /* s on the clock */
    int looks;    /* so far */
    int reports;  /* so far */
    bool keyed;   /* a key ended it */
};

static bool command_goes_on(void *context, double done)
{
    struct command_run *run = context;

    run->looks += done < 0;
    run->reports += done >= 0;
    if (run->app->key_waits != NULL &&
        (run->looks > KEY_LOOKS ||
         (run->looks + run->reports > KEY_LOOKS && clock_seconds() - run->start > KEY_SECONDS)) &&
        run->app->key_waits(run->app->keys))
        run->keyed = true;
    return run->looks < COMMAND_LOOKS && !run->keyed && !signals_ending();
}

/* Columns beside the text of a pager, and the most that tables of text take. */
enum { PAGER_FRAME = 8, TEXT_COLUMNS = 80 };

void command_line_run(struct app *app, const struct command *command, const char *line,
                      struct buffer *made)
{
    struct command_run run = {.app = app, .start = clock_seconds()};
    const struct progress progress = {command_goes_on, &run};
    struct cli cli = {.catalogue = app->host.design.catalogue,
                      .current = &app->host.design.scenario,
                      .progress = &progress,
                      .made = made,
                      .width = clamp_int(app->host.columns - PAGER_FRAME, 0, TEXT_COLUMNS)};
    char copy[LINE_MAX_BYTES + 1];
    char *words[WORDS];
    int count;

    snprintf(copy, sizeof copy, "%s", line);
    count = split_words(copy, words);
    cli.in = fopen("/dev/null", "r");
    cli.out = cli.err = pager_start(&app->pager, line);
    if (cli.in != NULL)
        command_run(&cli, command, count, words);
    if (run.keyed || run.looks >= COMMAND_LOOKS)
        fprintf(cli.out, "Stopped%s: this takes long; in a shell aolag %s is not stopped.\n",
                run.keyed ? " by a key" : "", command->name);
    if (cli.in != NULL)
        fclose(cli.in);
    if (!pager_show(&app->pager))
        host_say(&app->host, NOTICE_NORMAL, "%s: no output", command->name);
}

/* Returns the key of the view that has only this pane; 0: there is none. */
static char key_of_view(enum pane pane)
{
    for (int a = 0; a < action_count; a++)
        if (actions[a].id == ACTION_VIEW && strcmp(actions[a].name, pane_name(pane)) == 0)
            return (char)actions[a].keys[0];
    return '\0';
}

/* Reports the panes in which a command is available; returns false for an unknown one. */
static bool report_other_panes(struct host *host, const char *word)
{
    char names[192];
    struct buffer list = buffer_over(names, sizeof names);
    unsigned panes = 0;
    char key = '\0';

    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == MODE_NORMAL && strcmp(actions[a].name, word) == 0)
            panes |= actions[a].panes;
    for (int p = 0; p < PANE_PAGER; p++) {
        const char *name = pane_name((enum pane)p);
        bool last = (panes & PANES_OF_VIEWS) >> p == 1;

        if ((panes & PANES_OF_VIEWS) == 1U << p)
            key = key_of_view((enum pane)p);
        if ((panes >> p & 1) != 0)
            buffer_print(&list, "%s%c%s",
                         list.length == 0 ? ""
                         : last           ? " and "
                                          : ", ",
                         toupper((unsigned char)name[0]), name + 1);
    }
    if (key != '\0')
        host_say(host, NOTICE_ERROR, "\"%s\" works in %s, which %c opens", word, names, key);
    else if (list.length > 0)
        host_say(host, NOTICE_ERROR, "\"%s\" works in %s", word, names);
    else if (panes == 1U << PANE_TOUR)
        host_say(host, NOTICE_ERROR, "\"%s\" works in %s", word, pane_name(PANE_TOUR));
    else if (panes != 0)
        host_say(host, NOTICE_ERROR, "\"%s\" works in help and other texts", word);
    return panes != 0;
}

/* Commands are short words, most of which are two or three letters from some other. */
static void report_unknown_command(struct host *host, const char *word)
{
    struct nearest nearest = nearest_to(word);
    int length = (int)strlen(word);

    if (command_find(word) != NULL) {
        host_say(host, NOTICE_ERROR, "\"%s\" is a command of the shell: aolag %s --help", word,
                 word);
        return;
    }
    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == MODE_NORMAL)
            nearest_offer(&nearest, actions[a].name);
    for (int c = 0; c < command_count; c++)
        if (commands[c]->anywhere)
            nearest_offer(&nearest, commands[c]->name);
    if (nearest.best[0] == '\0' || length < 2 ||
        (nearest.fit == 0 && nearest.distance > length / 3))
        host_say(host, NOTICE_ERROR,
                 "unknown command \"%.40s\"; Tab lists them, KNOB=VALUE sets a knob", word);
    else
        host_say(host, NOTICE_ERROR, "unknown command \"%.40s\"; did you mean %s?", word,
                 nearest.best);
}

/* Lists the presets of a kind to choose from; with options it is the command of that name. */
void act_rank(struct app *app, const char *argument)
{
    char line[LINE_MAX_BYTES + 1];

    for (int kind = DEVICE_CPU; kind <= DEVICE_FPGA && argument != NULL; kind++)
        if (strcmp(argument, knob_word(KNOB_DEVICE_KIND, kind)) == 0 &&
            menu_rank(app, (enum device_kind)kind))
            return;
    snprintf(line, sizeof line, "%s %s", command_rank.name, argument == NULL ? "" : argument);
    command_line_run(app, &command_rank, line, NULL);
}

/* Returns the assignments of "set device.rtc.cores=64" or "device.rtc.cores=64"; NULL: it is
 * another command. */
static const char *find_assignments(const char *text)
{
    size_t word;

    text += strspn(text, " ");
    word = strcspn(text, " =");
    if (strncmp(text, "set ", 4) == 0)
        return text + 4;
    return word > 0 && text[word] == '=' ? text : NULL;
}

static bool accept_command(void *context, const char *text)
{
    struct app *app = context;
    char word[64];
    const char *rest;
    const struct action *action;
    const struct command *command;
    const char *instead;
    int length;

    text += strspn(text, " ");
    length = (int)strcspn(text, " ");
    if (length == 0)
        return true;
    rest = text + length + strspn(text + length, " ");
    snprintf(word, sizeof word, "%.*s", length, text);
    instead = action_instead(app_pane(app), KEY_NONE, word);
    action = action_named(app_pane(app), word);
    if (action == NULL && app->tour.step > 0)
        action = action_named(PANE_TOUR, word);
    if (action != NULL && (action->argument != NULL || rest[0] == '\0')) {
        app_run_action(app, action, rest);
        return !app->host.notice.failed;
    }
    /* A view and a command may share a name; the argument tells which is meant. */
    command = command_find(word);
    if (command != NULL && command->anywhere) {
        command_line_run(app, command, text, NULL);
        return !app->host.notice.failed;
    }
    if (action == NULL && find_assignments(text) != NULL) {
        act_set(app, text);
        return !app->host.notice.failed;
    }
    if (action != NULL)
        host_say(&app->host, NOTICE_ERROR, "%s takes no argument", action->name);
    else if (instead != NULL)
        host_say(&app->host, NOTICE_ERROR, "%s", instead);
    else if (!report_other_panes(&app->host, word))
        report_unknown_command(&app->host, word);
    return false;
}

/* Names what the presets of a typed "device.rtc.preset=..." clear. */
static void name_cleared(void *context, const char *text)
{
    struct app *app = context;
    const char *assignments = find_assignments(text);
    char own[256];

    if (assignments != NULL && design_assigned_clears(&app->host, assignments, own, sizeof own))
        host_say(&app->host, NOTICE_NORMAL, "a preset clears what is stated: %s", own);
}

void act_command(struct app *app, const char *argument)
{
    (void)argument;
    app_renew_presets(app);
    prompt_open(app, &(struct prompt_request){.label = ":",
                                                     .completion = COMPLETE_COMMAND,
                                                     .history = &app->commands,
                                                     .context = app,
                                                     .accept = accept_command,
                                                     .changed = name_cleared});
}

void act_set(struct app *app, const char *argument)
{
    bool on = argument != NULL && strcmp(argument, "mouse on") == 0;

    if (argument == NULL) {
        host_say(&app->host, NOTICE_ERROR, "set needs a knob and a value: set device.rtc.cores=64");
    } else if (on || strcmp(argument, "mouse off") == 0) {
        app->mouse = on;
        host_say(&app->host, NOTICE_NORMAL, "the mouse is %s", on ? "on" : "off");
    } else {
        design_assign(&app->host, argument);
    }
}

void act_reset(struct app *app, const char *argument)
{
    struct host *host = &app->host;
    struct knob_ref ref;
    struct error error;

    if (argument != NULL) {
        if (knob_find(&host->design.scenario, argument, &ref, &error) == STATUS_OK)
            design_reset(&host->design, ref);
        else
            host_fail(host, &error);
    } else if (view_cursor(app).knob.knob != NULL) {
        design_reset(&host->design, view_cursor(app).knob);
    } else {
        host_say(host, NOTICE_NORMAL, "put the cursor on the knob to reset");
    }
}
