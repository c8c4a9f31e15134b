/* Every key of the action table, pressed on a terminal: the screen is then the one that the same
 * key gives without a terminal. */
#include <stdio.h>

#include "draw.h"
#include "draw/glyph.h"
#include "pty.h"
#include "tui/action.h"
#include "tui/keys.h"

static const struct pty_options usual = {
    .rows = 30, .columns = 100, .term = "xterm-256color", .file = PTY_SMALL};

/* The way to a mode and a pane: what the user types and the same as words. */
struct way {
    const char *typed, *words;
};

static struct way way_to(enum mode mode, enum pane pane)
{
    static const struct way normal[PANE_COUNT] = {
        [PANE_KNOBS] = {"/device.rtc.cores\r", "/\ntext device.rtc.cores\nEnter\n"},
        [PANE_COMPONENTS] = {"\t", "Tab\n"},
        [PANE_LOOP] = {"\t\t", "Tab\nTab\n"},
        [PANE_VERDICT] = {"\t\t\t", "Tab\nTab\nTab\n"},
        [PANE_TIMELINE] = {"2", "2\n"},
        [PANE_ROOFLINE] = {"3", "3\n"},
        [PANE_SWEEP] = {"4", "4\nwait\n"},
        [PANE_COMPARE] = {"5", "5\n"},
        [PANE_ADVISE] = {"6", "6\nwait\n"},
        [PANE_SEARCH] = {"6r", "6\nr\nwait\n"},
        [PANE_MACHINE] = {"7", "7\n"},
        [PANE_DETECTOR] = {"8", "8\n"},
        [PANE_CONTROL] = {"9", "9\nwait\n"},
        [PANE_PAGER] = {"?", "?\n"},
        [PANE_FORMULAS] = {"x", "x\n"},
        [PANE_TOUR] = {":tour\r", ":\ntext tour\nEnter\n"},
    };
    static const struct way list = {"p", "p\nwait\n"};
    static const struct way line = {":set ao.mo", ":\ntext set ao.mo\n"};

    return mode == MODE_LIST ? list : mode == MODE_LINE ? line : normal[pane];
}

/* What xterm sends for a key. */
static void key_bytes(uint32_t key, char *text, size_t size)
{
    static const struct {
        uint32_t key;
        const char *bytes;
    } named[] = {
        {KEY_NAMED_UP, "\033OA"},
        {KEY_NAMED_DOWN, "\033OB"},
        {KEY_NAMED_RIGHT, "\033OC"},
        {KEY_NAMED_LEFT, "\033OD"},
        {KEY_NAMED_SHIFT_UP, "\033[1;2A"},
        {KEY_NAMED_SHIFT_DOWN, "\033[1;2B"},
        {KEY_NAMED_SHIFT_RIGHT, "\033[1;2C"},
        {KEY_NAMED_SHIFT_LEFT, "\033[1;2D"},
        {KEY_NAMED_PAGE_UP, "\033[5~"},
        {KEY_NAMED_PAGE_DOWN, "\033[6~"},
        {KEY_NAMED_HOME, "\033OH"},
        {KEY_NAMED_END, "\033OF"},
        {KEY_NAMED_INSERT, "\033[2~"},
        {KEY_NAMED_DELETE, "\033[3~"},
        {KEY_NAMED_BACKSPACE, "\177"},
        {KEY_NAMED_ENTER, "\r"},
        {KEY_NAMED_ESCAPE, "\033"},
        {KEY_NAMED_TAB, "\t"},
        {KEY_NAMED_SHIFT_TAB, "\033[Z"},
        {KEY_NAMED_F1, "\033OP"},
    };
    char character[GLYPH_BYTES];

    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (named[i].key == key) {
            snprintf(text, size, "%s", named[i].bytes);
            return;
        }
    glyph_encode(key, character);
    snprintf(text, size, "%s", character);
}

/* The program with the keys of a way typed, or NULL. */
static struct pty *open_on_way(struct way way)
{
    struct pty *pty = pty_open_ready(&usual);

    if (pty == NULL)
        return NULL;
    pty_type(pty, way.typed);
    if (pty_is_headless(pty, &usual, way.words))
        return pty;
    pty_close(pty);
    return NULL;
}

/* Whether the key on the terminal does what it does without one; leaves, stops, or starts to
 * measure or run: what is measured differs from run to run, only that it starts, and stops at the
 * second key. */
static bool acts(const struct action *action, enum pane pane, uint32_t key)
{
    const struct way way = way_to(action->mode, pane);
    struct pty *pty = CHECK(way.typed != NULL) ? open_on_way(way) : NULL;
    char words[128], name[16], bytes[16];
    bool good = false;

    if (pty == NULL)
        return false;
    key_to_name(key, name, sizeof name);
    key_bytes(key, bytes, sizeof bytes);
    snprintf(words, sizeof words, "%s%s\n", way.words, name);
    pty_type(pty, bytes);
    switch (action->id) {
    case ACTION_QUIT:
        good = pty_ends_by(pty, 0);
        break;
    case ACTION_SUSPEND:
        good = pty_stops(pty);
        pty_continue(pty, true);
        good = good && pty_is_headless(pty, &usual, words);
        break;
    case ACTION_TRIAL:
        good = pty_shows(pty, "the design does not run: "); /* on an FPGA */
        break;
    case ACTION_MEASURE:
        good = pty_shows(pty, "measuring");
        pty_type(pty, bytes);
        good = good && pty_shows(pty, "stopped");
        break;
    default:
        good = pty_is_headless(pty, &usual, words);
    }
    pty_close(pty);
    return good;
}

/* Of actions, and of panes for those that many panes have. */
enum { ACTION_TURNS = 4, TURNS = 16 };

/* Every fourth in the first pane that has it, and in few of the others, a turn later for each
 * action: all views see some of them, and each takes a program to be started twice. Where tests are
 * to be few, so are actions: a terminal adds but its bytes to what each does without one. */
static bool is_tried(int a, int pane)
{
    unsigned panes = actions[a].panes;
    bool first =
        actions[a].mode != MODE_NORMAL ? pane == PANE_KNOBS : (panes & ((1U << pane) - 1)) == 0;

    if ((panes >> pane & 1) == 0)
        return false;
    if (first)
        return a % draw_every(ACTION_TURNS) == 0;
    return actions[a].mode == MODE_NORMAL && (a + pane) % draw_every(TURNS) == 0;
}

TEST(every_key)
{
    int failed = 0;

    for (int a = 0; a < action_count && failed < 3; a++)
        for (int pane = 0; pane < PANE_COUNT; pane++) {
            if (!is_tried(a, pane))
                continue;
            for (int k = 0; k < ACTION_KEYS && actions[a].keys[k] != KEY_NONE; k++) {
                char name[16];

                key_to_name(actions[a].keys[k], name, sizeof name);
                failed += !CHECK_TRUE(acts(&actions[a], (enum pane)pane, actions[a].keys[k]),
                                      "%s in mode %s, %s: %s", name, mode_name(actions[a].mode),
                                      pane_name((enum pane)pane), actions[a].name);
            }
        }
}
