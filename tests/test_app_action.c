#include <stddef.h>

#include "check.h"
#include "draw/canvas.h"
#include "tui/action.h"
#include "tui/keys.h"

TEST(no_key_means_two_things)
{
    for (int a = 0; a < action_count; a++)
        for (int k = 0; k < ACTION_KEYS && actions[a].keys[k] != KEY_NONE; k++)
            for (int p = 0; p < PANE_COUNT; p++) {
                int bound = 0;

                if ((actions[a].panes >> p & 1) == 0)
                    continue;
                for (int b = 0; b < action_count; b++)
                    for (int j = 0; j < ACTION_KEYS && actions[b].keys[j] != KEY_NONE; j++)
                        bound += actions[b].mode == actions[a].mode &&
                                 (actions[b].panes >> p & 1) != 0 &&
                                 actions[b].keys[j] == actions[a].keys[k];
                CHECK_TRUE(bound == 1, "%s, key %d: %d actions in %s", actions[a].name, k, bound,
                           pane_name((enum pane)p));
            }
}

TEST(every_action_can_be_reached)
{
    for (int a = 0; a < action_count; a++) {
        const struct action *action = &actions[a];

        CHECK_TRUE(action->keys[0] != KEY_NONE || action->mode == MODE_NORMAL, "%s: no key",
                   action->name);
        CHECK_TRUE(action->name[0] != '\0' && action->help[0] != '\0', "row %d says nothing", a);
        CHECK_TRUE(action->panes != 0, "%s is nowhere", action->name);
        for (int p = 0; p < PANE_COUNT; p++)
            if (action->mode == MODE_NORMAL && (action->panes >> p & 1) != 0)
                CHECK_TRUE(action_named((enum pane)p, action->name) != NULL, "%s has no word",
                           action->name);
    }
}

/* Printable keys are text in lists and lines, but for ? while nothing is typed. */
TEST(text_stays_text)
{
    for (int a = 0; a < action_count; a++)
        for (int k = 0; k < ACTION_KEYS && actions[a].keys[k] != KEY_NONE; k++)
            CHECK_TRUE(actions[a].mode == MODE_NORMAL || actions[a].keys[k] < ' ' ||
                           actions[a].keys[k] >= KEY_FIRST_NAMED ||
                           actions[a].id == ACTION_HELP,
                       "%s takes a letter", actions[a].name);
}

/* Every row says what it does. */
TEST(every_action_is_done)
{
    for (int a = 0; a < action_count; a++)
        CHECK_TRUE(actions[a].id != ACTION_NONE, "%s does nothing", actions[a].name);
}

TEST(finds_by_key_and_word)
{
    CHECK_INT(action_of_key(MODE_NORMAL, PANE_KNOBS, 'h')->id, ACTION_LEFT);
    CHECK_INT(action_of_key(MODE_NORMAL, PANE_PAGER, 'q')->id, ACTION_CLOSE);
    CHECK_INT(action_of_key(MODE_NORMAL, PANE_LOOP, 'q')->id, ACTION_QUIT);
    CHECK(action_of_key(MODE_LIST, PANE_KNOBS, 'q') == NULL);
    CHECK(action_of_key(MODE_NORMAL, PANE_COMPONENTS, 'h') == NULL);
    CHECK(action_named(PANE_KNOBS, "undo") == action_of_key(MODE_NORMAL, PANE_KNOBS, 'u'));
    CHECK(action_named(PANE_KNOBS, "choose") == NULL);
}

/* The help shows a row on a line of 72 cells, fourteen of them for keys. */
TEST(help_fits_80_columns)
{
    for (int a = 0; a < action_count; a++) {
        char keys[80];

        action_keys(&actions[a], false, keys, sizeof keys);
        CHECK_TRUE(text_width(keys) <= 14, "keys of %s: %s", actions[a].name, keys);
        CHECK_TRUE(text_width(actions[a].help) <= 55, "help of %s: %d cells", actions[a].name,
                   text_width(actions[a].help));
    }
}
