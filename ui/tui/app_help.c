#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_state.h"
#include "cli/cli.h"
#include "widget.h"

enum { KEYS = 14, TEXT = 55, EVERYWHERE = PLACES_OF_VIEWS };

/* Keys or a word, and what they do; long text goes on below itself. */
static void print_row(FILE *out, const char *keys, const char *text)
{
    int width = text_width(keys);

    if (width > KEYS) {
        fprintf(out, "  %s\n", keys);
        keys = "";
        width = 0;
    }
    while (*text != '\0') {
        size_t bytes = text_break(text, TEXT);

        fprintf(out, "  %s%*s %.*s\n", keys, KEYS - width, "", (int)bytes, text);
        text += bytes;
        text += strspn(text, " ");
        keys = "";
        width = 0;
    }
}

/* Panes a row belongs to; what works in all of them works everywhere. */
static unsigned group_of(const struct action *action)
{
    return (action->places & EVERYWHERE) == EVERYWHERE ? EVERYWHERE : action->places;
}

static bool has_row(const struct action *action, enum mode mode)
{
    return action->mode == mode && action->keys[0] != KEY_NONE;
}

static void print_actions(FILE *out, enum mode mode, unsigned group)
{
    for (int a = 0; a < action_count; a++) {
        char keys[80];

        if (!has_row(&actions[a], mode) || group_of(&actions[a]) != group)
            continue;
        action_keys(&actions[a], false, keys, sizeof keys);
        print_row(out, keys, actions[a].help);
    }
}

static void print_heading(FILE *out, unsigned group)
{
    const char *joint = "\nIn ";

    if ((group & EVERYWHERE) == EVERYWHERE) {
        fprintf(out, "\nEverywhere\n");
        return;
    }
    for (int p = 0; p < PLACE_COUNT; p++) {
        if ((group >> p & 1) == 0)
            continue;
        fprintf(out, "%s%s", joint, place_name((enum place)p));
        joint = ", ";
    }
    fprintf(out, "\n");
}

static void print_normal(FILE *out)
{
    for (int a = 0; a < action_count; a++) {
        bool seen = !has_row(&actions[a], MODE_NORMAL);

        for (int b = 0; b < a && !seen; b++)
            seen =
                has_row(&actions[b], MODE_NORMAL) && group_of(&actions[b]) == group_of(&actions[a]);
        if (seen)
            continue;
        print_heading(out, group_of(&actions[a]));
        print_actions(out, MODE_NORMAL, group_of(&actions[a]));
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
        print_row(out, word, actions[a].help);
    }
    for (int c = 0; c < command_count; c++)
        if (commands[c].anywhere)
            print_row(out, commands[c].name, commands[c].help);
    fprintf(out, "  Every other key's action is a word too: undo, next-pane, log.\n");
}

static void print_signs(FILE *out)
{
    static const char *const signs[][2] = {
        {"2 us?", "assumed: nobody stated this value"},
        {"2 us#", "measured on a machine of that kind, its preset says"},
        {"2 us~", "fitted: a model's parameter, from what was measured there"},
        {"2 us\xE2\x80\xA2", "set: this design states it; without a sign its preset does"},
        {"auto 0.97", "derived from the rest of the design"},
        {"bars", "of one frame: full is compute, shaded is memory, the line behind it the "
                 "component's whole time"},
        {"122 us memory", "under a name: that whole time, and what binds it"},
        {"+1.14 ms deferred", "work once the command is out, in no bar and no whole time"},
        {"\xC3\x97"
         "7, @gpu0\xE2\x80\x93"
         "6",
         "rows that are alike, in one: Enter shows all"},
        {"\xE2\x97\x86", "the component that binds the whole design"},
        {"\xE2\x97\x87", "on the critical path from the last pixel to the last command"},
        {"dots and tick", "where the pinned baseline ends"},
        {"\xE2\x80\xA2", "in a list: what is in force now"},
    };

    fprintf(out, "Signs\n");
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        print_row(out, signs[i][0], signs[i][1]);
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
    print_actions(out, MODE_LIST, EVERYWHERE);
    fprintf(out, "\nIn lines, where letters are typed\n");
    print_actions(out, MODE_LINE, EVERYWHERE);
    print_words(out);
    if (fclose(out) == 0)
        pager_open(&app->pager, "Help", text);
    else
        free(text);
}
