/* The columns of view 5: at every width each text stands by itself and no number is cut. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_fixture.h"
#include "check.h"
#include "draw/text.h"
#include "tui/widget.h"

/* Copies what follows the name `words` in its pane, up to and with the border; of two panes that
 * have it the first or the last. Returns false without one. */
static bool find_line(const char *screen, const char *words, bool last, char *line, size_t size)
{
    bool found = false;

    for (const char *at = strstr(screen, words); at != NULL; at = strstr(at + 1, words)) {
        const char *end = at + strlen(words);

        if (at - screen < 3 || end[0] != ' ' || end[1] != ' ' ||
            ((unsigned char)at[-1] < 0x80 && (unsigned char)at[-2] < 0x80))
            continue;
        snprintf(line, size, "%.*s", (int)(strstr(end, "\xE2\x94") + 3 - end), end);
        found = true;
        if (!last)
            break;
    }
    return found;
}

/* Checks that the line continues with blanks, a value, and blanks or the border. */
static void check_field(const char **line, const char *value, int columns, const char *words)
{
    const char *from = *line + strspn(*line, " ");
    size_t length = strlen(value);
    bool good = from - *line >= 2 && strncmp(from, value, length) == 0 &&
                (strncmp(from + length, "  ", 2) == 0 || (unsigned char)from[length] >= 0x80);

    CHECK_TRUE(good, "%d columns, %s: \"%s\" in \"%s\"", columns, words, value, *line);
    *line = from + (good ? length : 0);
}

static void check_results(struct fixture *f, int columns)
{
    const struct comparison *comparison = &f->app->compare.comparison;
    char *screen = fixture_screen(f);
    int found = 0;

    for (int r = 0; r < comparison->result_count; r++) {
        const struct compared_result *compared = &comparison->result[r];
        char text[512];
        const char *line = text;

        if (strcmp(compared->row->label, "target") == 0 ||
            !find_line(screen, compared->row->label, true, text, sizeof text))
            continue;
        found++;
        for (int s = 0; s < SIDES; s++) {
            char value[40];

            quantity_show(compared->value[s], compared->row->unit, value, sizeof value);
            check_field(&line, value, columns, compared->row->label);
        }
    }
    CHECK_TRUE(found > 1, "%d columns: %d results", columns, found);
    free(screen);
}

/* Returns true if a word of the screen is a whole word of the value, with its hyphens or cut at
 * one. */
static bool is_whole_word(const char *value, const char *word, size_t length)
{
    char text[256];

    snprintf(text, sizeof text, "%.*s", (int)length, word);
    for (const char *at = strstr(value, text); at != NULL; at = strstr(at + 1, text)) {
        char next = at[strlen(text)];

        if ((at == value || at[-1] == ' ' || at[-1] == '-') &&
            (next == '\0' || next == ' ' || next == '-'))
            return true;
    }
    return false;
}

/* Returns true for words that both lists may have: "target". */
static bool is_result(const struct comparison *comparison, const char *words)
{
    for (int r = 0; r < comparison->result_count; r++)
        if (strcmp(comparison->result[r].row->label, words) == 0)
            return true;
    return false;
}

static void check_settings(struct fixture *f, int columns)
{
    const struct comparison *comparison = &f->app->compare.comparison;
    char *screen = fixture_screen(f);
    int found = 0;

    for (int d = 0; d < comparison->difference_count; d++) {
        const struct difference *difference = &comparison->difference[d];
        char text[512], value[SIDES][COMPARE_VALUE_MAX], values[SIDES * COMPARE_VALUE_MAX + 1];

        if (is_result(comparison, difference->words) ||
            !find_line(screen, difference->words, false, text, sizeof text))
            continue;
        found++;
        compare_values(&f->app->compare, difference, value);
        snprintf(values, sizeof values, "%s %s", value[0], value[1]);
        for (const char *word = text; *word != '\0';) {
            size_t length = strcspn(word, " \xE2");

            if (strcspn(word, "0123456789") < length)
                CHECK_TRUE(is_whole_word(values, word, length),
                           "%d columns, %s: \"%.*s\" of \"%s\"", columns, difference->words,
                           (int)length, word, values);
            word += length;
            word += strspn(word, (unsigned char)word[0] >= 0x80 ? "\xE2\x80\xA6\x94\x82\x83" : " ");
        }
    }
    CHECK_TRUE(found > 1, "%d columns: %d settings", columns, found);
    free(screen);
}

TEST(columns_never_touch)
{
    for (int columns = 60; columns <= 200; columns += columns < 130 ? 5 : 35) {
        struct fixture f;

        if (!fixture_open(&f, "elt-scao", 33, columns))
            return;
        fixture_command(&f, "set device.gpu0.preset=nvidia-h100-sxm ao.actuators=4000");
        fixture_press(&f, "5");
        check_settings(&f, columns);
        fixture_press(&f, "Tab");
        check_results(&f, columns);
        fixture_command(&f, "with gmt-ngws");
        fixture_press(&f, "S-Tab");
        check_settings(&f, columns);
        fixture_press(&f, "Tab");
        check_results(&f, columns);
        fixture_close(&f);
    }
}
