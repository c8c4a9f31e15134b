#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"
#include "cli/cli.h"

static void print_row(FILE *out, const char *keys, const char *text)
{
    int pad = 14 - text_width(keys);

    fprintf(out, "  %s%*s %s\n", keys, pad > 0 ? pad : 0, "", text);
}

/* Words can be long: what they do stands below those. */
static void print_word(FILE *out, const char *word, const char *text)
{
    if (text_width(word) > 14)
        fprintf(out, "  %s\n", word);
    print_row(out, text_width(word) > 14 ? "" : word, text);
}

/* Rows of a mode whose places are exactly these. */
static void print_actions(FILE *out, enum mode mode, unsigned places)
{
    for (int a = 0; a < action_count; a++) {
        const struct action *action = &actions[a];
        char keys[80];

        if (action->mode != mode || (mode == MODE_NORMAL && action->places != places) ||
            action->keys[0] == KEY_NONE)
            continue;
        action_keys(action, false, keys, sizeof keys);
        print_row(out, keys, action->help);
    }
}

static void print_places(FILE *out, unsigned places)
{
    const char *joint = "\nIn ";

    for (int p = 0; p < PLACE_COUNT; p++) {
        if ((places >> p & 1) == 0)
            continue;
        fprintf(out, "%s%s", joint, place_name((enum place)p));
        joint = ", ";
    }
    fprintf(out, "\n");
}

static void print_normal(FILE *out)
{
    for (int a = 0; a < action_count; a++) {
        bool seen = actions[a].mode != MODE_NORMAL || actions[a].keys[0] == KEY_NONE;

        for (int b = 0; b < a && !seen; b++)
            seen = actions[b].mode == MODE_NORMAL && actions[b].keys[0] != KEY_NONE &&
                   actions[b].places == actions[a].places;
        if (seen)
            continue;
        print_places(out, actions[a].places);
        print_actions(out, MODE_NORMAL, actions[a].places);
    }
}

static void print_words(FILE *out)
{
    fprintf(out, "\nCommands (type : first; Tab completes)\n");
    for (int a = 0; a < action_count; a++) {
        char word[96];

        if (actions[a].mode != MODE_NORMAL || actions[a].argument == NULL)
            continue;
        snprintf(word, sizeof word, "%s %s", actions[a].name, actions[a].argument);
        print_word(out, word, actions[a].help);
    }
    for (int c = 0; c < command_count; c++)
        if (commands[c].anywhere)
            print_word(out, commands[c].name, commands[c].help);
    fprintf(out, "  Every other key's action is a word too: undo, next-pane, log.\n");
}

static void print_signs(FILE *out)
{
    fprintf(out, "Signs\n"
                 "  ?   behind a value: assumed, nobody stated it\n"
                 "  auto   derived from the rest of the design\n"
                 "  full bars are compute time, shaded ones memory time, of one frame\n"
                 "  dots and a tick: where the pinned baseline ends\n"
                 "  a diamond (* in ASCII) marks the component that binds the design\n"
                 "  under its name: the component's whole time and what most of it is\n");
}

void act_help(struct app *app, const char *argument)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    (void)argument;
    if (out == NULL)
        return;
    print_signs(out);
    print_normal(out);
    fprintf(out, "\nIn lists, where letters filter\n");
    print_actions(out, MODE_LIST, 0);
    fprintf(out, "\nIn lines, where letters are typed\n");
    print_actions(out, MODE_LINE, 0);
    print_words(out);
    if (fclose(out) == 0)
        pager_open(&app->pager, "Help", text);
    else
        free(text);
}
