/* Texts, signs, lines, boxes and lists of the screen, and the history, by themselves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "design/scenario_edit.h"
#include "draw/text.h"
#include "pictures.h"
#include "rows.h"
#include "session/history.h"
#include "tui/picker.h"
#include "tui/widget.h"

static void check_middle(const struct row *row)
{
    char text[40];

    snprintf(text, sizeof text, "%s", row->field[0]);
    text_middle(text, sizeof text, (int)row_number(row, 1));
    ROW_STR(row, text, row->field[2]);
}

TEST(middles_go)
{
    rows_each("screen.txt", "middles", 3, check_middle);
}

static void check_clauses(const struct row *row)
{
    int columns = (int)row_number(row, 1);
    char text[40];

    snprintf(text, sizeof text, "%s", row->field[0]);
    ROW_TRUE(row, text_clauses(text, columns) == (text_width(text) <= columns), "fits");
    ROW_STR(row, text, row->field[2]);
}

TEST(clauses_go)
{
    rows_each("screen.txt", "clauses", 3, check_clauses);
}

/* The baseline leaves the line of a slider whole, which begins heavy and ends light, and shows in
 * every character set. */
TEST(baseline_crosses_a_slider)
{
    static const struct {
        bool unicode;
        double position, baseline;
        const char *line;
    } cases[] = {
        {true, 0.5, -1, "\xE2\x94\x81\xE2\x94\x81\xE2\x97\x8F\xE2\x94\x80\xE2\x94\x80"},
        {true, 0.5, 0.25, "\xE2\x94\x81\xE2\x94\xBF\xE2\x97\x8F\xE2\x94\x80\xE2\x94\x80"},
        {true, 0.5, 1, "\xE2\x94\x81\xE2\x94\x81\xE2\x97\x8F\xE2\x94\x80\xE2\x94\xBC"},
        {true, 0.5, 0.5, "\xE2\x94\x81\xE2\x94\x81\xE2\x97\x8F\xE2\x94\x80\xE2\x94\x80"},
        {false, 0.5, 0, "+=O--"},
        {false, 0.25, 0.75, "=O-+-"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct canvas canvas = {0};
        char *line;

        canvas_init(&canvas, 1, 5, cases[i].unicode);
        widget_slider(&canvas, 0, 0, 5, cases[i].position, cases[i].baseline, true);
        line = picture_text(&canvas);
        line[strcspn(line, "\n")] = '\0';
        CHECK_STR(line, cases[i].line);
        free(line);
        canvas_free(&canvas);
    }
}

/* The line below a view says what a knob is in whole clauses, on 80 columns. */
TEST(details_are_whole)
{
    struct canvas canvas = {0};

    canvas_init(&canvas, 1, 80, true);
    for (int k = 0; k < KNOB_COUNT; k++) {
        char path[96];
        char *line;

        snprintf(path, sizeof path, "component.reconstructor.%s", knobs[k].key);
        canvas_clear(&canvas);
        widget_detail(&canvas, (struct rect){0, 0, 1, 80}, path,
                      "%s \xC2\xB7 stated \xC2\xB7 0 to 9", knobs[k].help);
        line = picture_text(&canvas);
        if (CHECK(line != NULL))
            CHECK_STR(strstr(line, "\xE2\x80\xA6") == NULL ? "" : line, "");
        free(line);
    }
    canvas_free(&canvas);
}

/* In the help as on the screen: texts and marks come down to the same characters. */
TEST(signs_are_the_marks)
{
    static const enum mark marks[] = {MARK_BOUND, MARK_CRITICAL, MARK_PRESENT};
    struct canvas unicode = {.unicode = true};
    struct canvas ascii = {.unicode = false};

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        CHECK_INT(glyph_ascii(mark_character(&unicode, marks[i])),
                  mark_character(&ascii, marks[i]));
        for (size_t j = 0; j < i; j++)
            CHECK(mark_character(&ascii, marks[i]) != mark_character(&ascii, marks[j]));
    }
}

TEST(lines_have_an_end)
{
    struct line_edit line;

    line_set(&line, "", false);
    line_insert(&line, '\t');
    line_insert(&line, 0xD800); /* no character */
    CHECK_STR(line.text, "");
    for (int i = 0; i < 2 * LINE_MAX_BYTES; i++)
        line_insert(&line, 0x20AC);
    CHECK(line.length <= LINE_MAX_BYTES);
    CHECK_INT(line.length, strlen(line.text));
}

TEST(lines_scroll_to_the_cursor)
{
    struct line_edit line;
    struct canvas canvas = {0};

    canvas_init(&canvas, 1, 10, true);
    line_set(&line, "0123456789abcdefghij", false);
    line_draw(&line, &canvas, 0, 2, 8);
    CHECK_INT(canvas.cursor_column, 9);
    CHECK_INT(canvas.cells[8].character, 'j');
    line_move(&line, -100);
    line_draw(&line, &canvas, 0, 2, 8);
    CHECK_INT(canvas.cursor_column, 2);
    CHECK_INT(canvas.cells[2].character, '0');
    canvas_free(&canvas);
}

/* Opens the box with a text. */
static void show_text(struct pager *pager, const char *text)
{
    FILE *out = pager_start(pager, "test");

    if (CHECK(out != NULL)) {
        fputs(text, out);
        CHECK(pager_show(pager));
    }
}

/* No word of a long line is lost, whatever the width. */
TEST(pager_loses_nothing)
{
    static const char *const words[] = {
        "one", "supercalifragilistic", "three", "\xC2\xB5s", "last-one", "second", "indented"};

    for (int columns = 60; columns <= 200; columns += 7) {
        struct pager pager = {0};
        struct canvas canvas = {0};
        struct rect body = layout_screen(60, columns).body;
        char line[512] = "";
        char *text;
        char *screen;

        for (int i = 0; i < 20; i++)
            strcat(line, "some filling words ");
        text = malloc(4096);
        snprintf(text, 4096,
                 "one %ssupercalifragilistic\n\n    indented %sthree \xC2\xB5s last-one\n"
                 "second\n",
                 line, line);
        canvas_init(&canvas, 60, columns, true);
        show_text(&pager, text);
        free(text);
        pager_draw(&pager, &canvas, body);
        screen = picture_text(&canvas);
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            CHECK_TRUE(strstr(screen, words[w]) != NULL, "%d columns: %s is lost", columns,
                       words[w]);
        CHECK(strstr(screen, "\xE2\x80\xA6") == NULL);
        CHECK(pager.list.total > 4);
        list_pane_act(&pager.list, ACTION_END);
        pager_close(&pager);
        canvas_free(&canvas);
        free(screen);
    }
}

/* The last lines are reached where the wrapped text is higher than the box. */
TEST(pager_scrolls_wrapped_text)
{
    struct fixture f;
    char *text;

    if (!fixture_open(&f, "elt-scao", 16, 60))
        return;
    text = malloc(8192);
    text[0] = '\0';
    for (int i = 0; i < 30; i++)
        strcat(text, "a line that is much longer than sixty columns are wide, so that it has two "
                     "rows\n");
    strcat(text, "the end\n");
    show_text(&f.app->pager, text);
    free(text);
    app_draw(f.app, &f.canvas);
    fixture_hides(&f, "the end");
    fixture_press(&f, "End");
    fixture_shows(&f, "the end");
    fixture_close(&f);
}

static const struct table_column columns[] = {{.title = "name"},
                                              {.title = "speed", .number = true}};

static void fill_picker(struct picker *picker)
{
    static const struct {
        const char *name;
        double speed;
        int group;
    } rows[] = {
        {"delta", 1, 0}, {"Alpha one", 3, 0}, {"gamma", 2, 0}, {"alpha two", 9, 1}, {"beta", 3, 1},
    };

    picker_start(picker, "test", columns, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct picker_item *item = picker_add(picker);

        snprintf(item->text[0], PICKER_TEXT, "%s", rows[i].name);
        item->value[1] = rows[i].speed;
        snprintf(item->text[1], PICKER_TEXT, "%.0f", rows[i].speed);
        item->group = rows[i].group;
    }
    picker_ready(picker, 2);
}

static const char *picker_name(const struct picker *picker, int shown)
{
    return picker->items[picker->shown[shown]].text[0];
}

/* Groups stay apart; in each, names from the first, numbers from the largest. */
TEST(lists_are_sorted)
{
    struct picker picker = {0};

    fill_picker(&picker);
    CHECK_STR(picker_name(&picker, 0), "Alpha one");
    CHECK_STR(picker_name(&picker, 1), "delta");
    CHECK_STR(picker_name(&picker, 3), "alpha two");
    CHECK_INT(picker_chosen(&picker), 2);
    picker_act(&picker, ACTION_SORT);
    CHECK_STR(picker_name(&picker, 0), "Alpha one");
    CHECK_STR(picker_name(&picker, 1), "gamma");
    CHECK_STR(picker_name(&picker, 3), "alpha two");
    CHECK_STR(picker_name(&picker, 4), "beta");
    picker_free(&picker);
}

/* Columns disappear and become narrower by rank and come back in the opposite order; none leaves
 * the line. */
TEST(columns_give_way)
{
    static const struct table_column given[] = {
        {.title = "name", .cut = 2, .brief = 9, .shorten = text_middle},
        {.title = "peak", .number = true, .drop = 3},
        {.title = "empty", .number = true, .drop = 9},
        {.title = "", .width = 4, .stretch = 40, .drop = 4},
        {.title = "time", .number = true, .drop = 1},
        {.title = "busy", .number = true},
    };
    static const char *const text[] = {"gpu0 of a long name", "21.8 TFLOP/s", "", "",
                                       "\xC2\xB5s",           "8 %"};
    enum { COLUMNS = sizeof given / sizeof given[0], NAME = 19 };
    struct table_pane table;
    int bad = 0;
    int shown = 0;

    table_pane_begin(&table, given, COLUMNS);
    table.close = true;
    for (int c = 0; c < COLUMNS; c++)
        table_pane_widen(&table, c, text[c]);
    for (int room = 0; room <= 100; room++) {
        int end = -1;
        int now = 0;

        table_pane_lay(&table, room, -1);
        for (int c = 0; c < COLUMNS; c++) {
            bad += table.width[c] > 0 && table.at[c] <= end;
            end = table.width[c] > 0 ? table.at[c] + table.width[c] : end;
            now += table.width[c] > 0;
        }
        bad += end != table.total || (end > room && room >= 8 + 1 + 4) || now < shown;
        bad += table.width[2] != 0 || table.width[5] != 4; /* never shown, always shown */
        bad += table.width[1] > 0 && (table.width[4] == 0 || table.width[0] != NAME);
        bad += table.width[3] > 0 && table.width[1] == 0;
        shown = now;
    }
    CHECK_INT(bad, 0);
    CHECK_INT(shown, COLUMNS - 1);
    CHECK_INT(table.width[3], 40);
    table_pane_lay(&table, 24, 1);
    CHECK_INT(table.width[1], 12);
    CHECK_INT(table.width[4], 0);
}

/* Long texts of any characters, no rows and no room: nothing is drawn beside the line. */
TEST(cells_stay_in_their_line)
{
    static const struct table_column given[] = {
        {.title = "Name", .small = true, .shorten = text_middle},
        {.title = "value", .number = true, .cut = 1, .brief = 4, .shorten = text_words},
        {.title = "", .width = 4, .stretch = 40, .drop = 2},
    };
    enum { COLUMNS = sizeof given / sizeof given[0], WIDE = 40, FROM = 3 };
    struct canvas canvas = {0};
    char text[2000] = "";
    int bad = 0;

    while (strlen(text) < sizeof text - 8)
        strcat(text, "\xC3\xA9 \xE2\x86\x92 ");
    for (int i = 0; i < 2 * 2 * (WIDE - FROM); i++) {
        struct rect line = {1, FROM, 1, i / 4};
        struct table_pane table;

        canvas_init(&canvas, 3, WIDE, i % 2 == 0);
        table_pane_begin(&table, given, COLUMNS);
        for (int c = 0; c < COLUMNS && i % 4 < 2; c++)
            table_pane_widen(&table, c, text);
        table_pane_lay(&table, line.columns, -1);
        table_pane_titles(&table, &canvas, line, STYLE_DIM);
        for (int c = 0; c < COLUMNS && i % 4 < 2; c++)
            table_pane_cell(&table, &canvas, line, c, STYLE_NORMAL, text);
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < WIDE; column++)
                bad += canvas_at(&canvas, row, column) != ' ' &&
                       (row != line.row || column < FROM || column >= FROM + line.columns);
        bad += i % 4 == 2 && line.columns >= 4 && canvas_at(&canvas, 1, FROM) != 'n';
    }
    canvas_free(&canvas);
    CHECK_INT(bad, 0);
}

TEST(undo_has_no_limit)
{
    enum { STEPS = 20000 };
    struct history history = {0};
    struct scenario now;
    int back = 0;

    scenario_init(&now);
    history_start(&history, &now);
    for (int i = 1; i <= STEPS; i++) {
        now.ao.actuators = i;
        history_record(&history, &now, "actuators", false);
    }
    while (history_undo(&history, &now) != NULL)
        back++;
    CHECK_INT(back, STEPS);
    history_free(&history);
}
