#include "tui/action.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "tui/keys.h"

enum {
    KNOBS = 1 << PANE_KNOBS,
    COMPONENTS = 1 << PANE_COMPONENTS,
    LOOP = 1 << PANE_LOOP,
    VERDICT = 1 << PANE_VERDICT,
    TIMELINE = 1 << PANE_TIMELINE,
    ROOFLINE = 1 << PANE_ROOFLINE,
    SWEEP = 1 << PANE_SWEEP,
    COMPARE = 1 << PANE_COMPARE,
    ADVISE = 1 << PANE_ADVISE,
    SEARCH = 1 << PANE_SEARCH,
    MACHINE = 1 << PANE_MACHINE,
    DETECTOR = 1 << PANE_DETECTOR,
    CONTROL = 1 << PANE_CONTROL,
    DESIGN = KNOBS | COMPONENTS | LOOP | VERDICT,
    PAGER = 1 << PANE_PAGER,
    FORMULAS = 1 << PANE_FORMULAS,
    TOUR = 1 << PANE_TOUR,
    VIEWS = PANES_OF_VIEWS,
    ALL = VIEWS | PAGER | FORMULAS,
    CONTROL_O = 15,
    CONTROL_S = 19,
    CONTROL_U = 21
};

const struct action actions[] = {
#define ACTION(name, ...) {.id = ACTION_##name, __VA_ARGS__},
#define ALSO(name, ...) {.id = ACTION_##name, __VA_ARGS__},
#include "tui/action.def"
};

const int action_count = (int)(sizeof actions / sizeof actions[0]);

const char *mode_name(enum mode mode)
{
    static const char *const names[MODE_COUNT] = {
        [MODE_NORMAL] = "normal", [MODE_LIST] = "list", [MODE_LINE] = "line"};

    return names[mode];
}

const char *pane_name(enum pane pane)
{
    static const char *const names[PANE_COUNT] = {
        [PANE_KNOBS] = "knobs",       [PANE_COMPONENTS] = "components", [PANE_LOOP] = "loop pane",
        [PANE_TIMELINE] = "timeline", [PANE_ROOFLINE] = "roofline",     [PANE_SWEEP] = "sweep",
        [PANE_COMPARE] = "compare",   [PANE_ADVISE] = "advise",         [PANE_MACHINE] = "machine",
        [PANE_DETECTOR] = "sensor",   [PANE_VERDICT] = "verdict",       [PANE_PAGER] = "text",
        [PANE_CONTROL] = "loop",      [PANE_FORMULAS] = "formulas",     [PANE_TOUR] = "the tour",
        [PANE_SEARCH] = "search",
    };

    return names[pane];
}

static bool action_has_key(const struct action *action, uint32_t key)
{
    for (int k = 0; k < ACTION_KEYS && action->keys[k] != KEY_NONE; k++)
        if (action->keys[k] == key)
            return true;
    return false;
}

const struct action *action_of_key(enum mode mode, enum pane pane, uint32_t key)
{
    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == mode && (actions[a].panes >> pane & 1) != 0 &&
            action_has_key(&actions[a], key))
            return &actions[a];
    return NULL;
}

const char *action_instead(enum pane pane, uint32_t key, const char *name)
{
    static const struct {
        uint32_t key;
        const char *name; /* of an action without a key */
        unsigned panes;
        const char *instead;
    } removed[] = {
        {'c', "", VIEWS & ~COMPARE, "c is now 5, then v: it lists the design before"},
        {'c', "", COMPARE, "c is now v, which lists the design before"},
        {'v', "", ADVISE | SEARCH, "C-s sorts, here as in all lists"},
        {KEY_NAMED_SHIFT_LEFT, "", KNOBS | CONTROL | SWEEP, "S-Left is now {"},
        {KEY_NAMED_SHIFT_RIGHT, "", KNOBS | CONTROL | SWEEP, "S-Right is now }"},
        {KEY_NONE, "with-previous", VIEWS, "with-previous is now \"with before\", in view 5"},
    };

    for (size_t r = 0; r < sizeof removed / sizeof removed[0]; r++)
        if (removed[r].key == key && strcmp(removed[r].name, name) == 0 &&
            (removed[r].panes >> pane & 1) != 0)
            return removed[r].instead;
    return NULL;
}

const struct action *action_named(enum pane pane, const char *name)
{
    static const struct {
        const char *former, *name;
    } renamed[] = {{"explore", "design"}, {"detector", "sensor"}};

    for (size_t r = 0; r < sizeof renamed / sizeof renamed[0]; r++)
        if (strcmp(name, renamed[r].former) == 0)
            name = renamed[r].name;
    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == MODE_NORMAL && (actions[a].panes >> pane & 1) != 0 &&
            strcmp(actions[a].name, name) == 0)
            return &actions[a];
    return NULL;
}

void action_keys(const struct action *action, bool arrows, char *text, size_t size)
{
    static const struct {
        uint32_t key;
        const char *arrow;
    } arrow_keys[] = {
        {.key = KEY_NAMED_LEFT, .arrow = "\xE2\x86\x90"},
        {.key = KEY_NAMED_UP, .arrow = "\xE2\x86\x91"},
        {.key = KEY_NAMED_RIGHT, .arrow = "\xE2\x86\x92"},
        {.key = KEY_NAMED_DOWN, .arrow = "\xE2\x86\x93"},
    };
    struct buffer line = buffer_over(text, size);

    for (int k = 0; k < ACTION_KEYS && action->keys[k] != KEY_NONE; k++) {
        char name[32];

        key_to_name(action->keys[k], name, sizeof name);
        for (size_t a = 0; arrows && a < sizeof arrow_keys / sizeof arrow_keys[0]; a++)
            if (arrow_keys[a].key == action->keys[k])
                snprintf(name, sizeof name, "%s", arrow_keys[a].arrow);
        buffer_print(&line, "%s%s", k > 0 ? " " : "", name);
    }
}
