#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "draw.h"
#include "tui/layout.h"

/* Marsaglia's xorshift64. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#define TURNS 36 /* systems that take turns with the keys and panes of the table */

/* Presses the keys of the table, each from those panes whose turn it is, and gets out of what it
 * opened. */
static void press_all(struct fixture *f, const char *system)
{
    static int turn;

    (void)system;
    for (int a = 0; a < action_count; a++)
        for (int k = 0; k < ACTION_KEYS && actions[a].keys[k] != KEY_NONE; k++)
            for (int p = PANE_KNOBS; p < PANE_PAGER; p++) {
                if ((a + p + turn) % TURNS != 0)
                    continue;
                view_open(f->app, p <= PANE_LOOP ? "explore" : pane_name((enum pane)p));
                if (p <= PANE_LOOP)
                    f->app->explore.pane = (enum pane)p;
                if (actions[a].mode == MODE_LIST)
                    fixture_press(f, "a");
                else if (actions[a].mode == MODE_LINE)
                    fixture_press(f, ":");
                fixture_key(f, actions[a].keys[k]);
                fixture_press(f, "Esc Esc Esc");
            }
    CHECK(f->app->mode == MODE_NORMAL);
    turn++;
}

TEST(every_key_on_every_system)
{
    fixture_each_system(24, 80, press_all);
}

/* Keys that do not load, save or leave: what they did can be undone. */
static bool is_undoable(uint32_t key)
{
    return key < KEY_FIRST_NAMED && strchr("pnoRsSq:", (int)key) == NULL && key >= ' ';
}

static uint32_t random_key(uint64_t *state, bool undoable)
{
    static const uint32_t movers[] = {
        KEY_NAMED_RIGHT, KEY_NAMED_LEFT,  KEY_NAMED_DOWN, '}', KEY_NAMED_DOWN, 'a',
        KEY_NAMED_ENTER, KEY_NAMED_ESCAPE};

    for (;;) {
        uint64_t r = next_random(state);
        const struct action *action = &actions[r % (uint64_t)action_count];
        uint32_t key = action->keys[(r >> 32) % ACTION_KEYS];

        if (undoable && (r >> 36) % 4 != 0)
            return movers[(r >> 52) % 8];
        if ((r >> 40) % 8 == 0)
            key = (uint32_t)(' ' + (r >> 48) % 95);
        if (key == KEY_NONE || (undoable && key < 0x80 && !is_undoable(key)))
            continue;
        return key;
    }
}

static void random_mouse(struct fixture *f, uint64_t *state)
{
    uint64_t r = next_random(state);

    fixture_mouse(f, (enum mouse_kind)(r % 5), (int)(r >> 8) % (f->canvas.rows + 1),
                  (int)(r >> 16) % (f->canvas.columns + 1));
}

/* One in eight may be too small, where most keys do nothing. */
static void random_size(struct fixture *f, uint64_t r)
{
    bool any = (r >> 24) % 8 == 0;
    int rows = any ? 1 : LAYOUT_ROWS_MIN;
    int columns = any ? 1 : LAYOUT_COLUMNS_MIN;

    canvas_init(&f->canvas, rows + (int)((r >> 32) % 45), columns + (int)((r >> 44) % 140),
                (r >> 20) % 2 == 0);
    app_draw(f->app, &f->canvas);
}

static void storm(struct fixture *f, uint64_t seed, int keys, bool undoable)
{
    uint64_t state = seed * 0x9E3779B97F4A7C15U + 1;

    for (int i = 0; i < keys; i++) {
        uint64_t r = next_random(&state);

        if (r % 16 == 0)
            random_mouse(f, &state);
        else if (r % 64 == 1)
            random_size(f, r);
        else
            fixture_key(f, random_key(&state, undoable));
    }
    canvas_init(&f->canvas, 36, 120, true); /* too small a screen takes no keys */
    app_draw(f->app, &f->canvas);
    fixture_press(f, "Esc Esc Esc");
}

TEST(storms_do_not_crash)
{
    static const char *const systems[] = {"elt-scao", "saxo", "harmoni-ltao", "mavis"};

    if (!fixture_enter())
        return;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct fixture f;

        if (!fixture_open(&f, systems[seed % 4], 24, 80))
            continue;
        storm(&f, seed, draw_repeat(500), false);
        fixture_close(&f);
    }
    fixture_leave();
}

/* Whatever was changed, undoing all of it gives the design one started with. */
TEST(storms_can_be_undone)
{
    if (!fixture_enter())
        return;
    for (uint64_t seed = 101; seed <= 100 + (uint64_t)draw_repeat(4); seed++) {
        struct fixture f;
        char *before;
        char *after;
        size_t steps;

        if (!fixture_open(&f, seed % 2 == 0 ? "elt-scao" : "nfiraos-lgs", 36, 120))
            continue;
        before = fixture_text(&f);
        storm(&f, seed, draw_every(1) > 1 ? 500 : 1000, true);
        steps = f.app->host.design.history.count;
        CHECK_TRUE(steps > 5, "seed %d: only %zu steps", (int)seed, steps);
        while (f.app->host.design.history.position > 0)
            fixture_press(&f, "u");
        after = fixture_text(&f);
        CHECK_TRUE(strcmp(after, before) == 0, "seed %d: not the design it was", (int)seed);
        while (f.app->host.design.history.position < f.app->host.design.history.count)
            fixture_press(&f, "C-r");
        CHECK_INT(f.app->host.design.history.position, steps);
        free(before);
        free(after);
        fixture_close(&f);
    }
    fixture_leave();
}
