/* What saving writes: only what changed, everything else as it was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/preset.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "files.h"
#include "rows.h"

#define FORMAT "[scenario]\nformat = 1\n"
#define TEXT_MAX 2048

static struct scenario scenario, kept;
static struct document *document;
static char original[TEXT_MAX];
static char opened[TEXT_MAX];

static void open_text(const char *text)
{
    document_free(document);
    document = NULL;
    snprintf(opened, sizeof opened, "%s", text);
    files_parse(opened, &scenario, &document);
}

static struct knob_ref find(const char *path)
{
    struct knob_ref ref = {SECTION_SCENARIO, 0, &knobs[0]};
    struct error error = {STATUS_OK, ""};

    CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s", error.message);
    return ref;
}

static void set(const char *path, const char *value)
{
    struct error error = {STATUS_OK, ""};

    CHECK_TRUE(knob_set_text(&scenario, find(path), value, &error) == STATUS_OK, "%s = %s: %s",
               path, value, error.message);
}

static void insert(enum section section, int at, const char *name)
{
    CHECK_INT(scenario_insert(&scenario, section, at, name, NULL), STATUS_OK);
}

/* The text that is written now, and that it says what the scenario does, and is written again
 * without a change. */
static void check_text(const struct document *of, const char *expected, const char *file, int line)
{
    struct document *read = NULL;
    static struct scenario again;
    size_t length = 0;
    char *text = scenario_text(&scenario, of, &length);
    char *second;

    check_str(text, expected, "the text", file, line);
    if (text != NULL && files_parse(text, &again, &read)) {
        files_same(&again, &scenario, "read again");
        second = scenario_text(&again, read, &length);
        check_str(second, text, "written again", file, line);
        free(second);
    }
    document_free(read);
    free(text);
}

#define check_saved(expected) check_text(document, expected, __FILE__, __LINE__)

/* The original with one piece of text in another's place. */
static const char *edit_original(const char *from, const char *to)
{
    static char text[2 * TEXT_MAX];
    const char *at = strstr(original, from);

    if (!CHECK_TRUE(at != NULL, "no \"%s\" in the original", from))
        return "";
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - original), original, to, at + strlen(from));
    return text;
}

static enum section section_of(const char *name)
{
    int s = 0;

    while (s < SECTION_COUNT && strcmp(section_name((enum section)s), name) != 0)
        s++;
    return (enum section)s;
}

static bool is_line(const struct row *row, const char *word, int fields)
{
    return row->count == fields && strcmp(row->field[0], word) == 0;
}

/* A line that changes the design. */
static bool change_design(const struct row *row)
{
    const char *const *field = row->field;

    if (is_line(row, "set", 3))
        set(field[1], field[2]);
    else if (is_line(row, "reset", 2))
        knob_reset(&scenario, find(field[1]));
    else if (is_line(row, "insert", 4))
        insert(section_of(field[1]), atoi(field[2]), field[3]);
    else if (is_line(row, "drop", 3))
        ROW_TRUE(row,
                 scenario_remove(&scenario, section_of(field[1]),
                                 section_find(&scenario, section_of(field[1]), field[2]),
                                 NULL) == STATUS_OK,
                 "%s is not removed", field[2]);
    else if (is_line(row, "preset", 3))
        ROW_TRUE(row,
                 scenario_set_preset(&scenario, atoi(field[1]), files_catalogue(), field[2],
                                     NULL) == STATUS_OK,
                 "no preset %s", field[2]);
    else if (is_line(row, "keep", 1))
        scenario_copy(&kept, &scenario);
    else if (is_line(row, "back", 1))
        scenario_copy(&scenario, &kept);
    else
        return false;
    return true;
}

static void play_line(const struct row *row)
{
    const char *const *field = row->field;
    char text[TEXT_MAX];

    if (change_design(row))
        return;
    if (is_line(row, "original", 2)) {
        snprintf(original, sizeof original, "%s", field[1]);
    } else if (is_line(row, "open", 1)) {
        open_text(original);
    } else if (is_line(row, "open", 2)) {
        open_text(field[1]);
    } else if (is_line(row, "writes", 1)) {
        check_text(document, opened, row->file, row->line);
    } else if (is_line(row, "writes", 2)) {
        check_text(document, field[1], row->file, row->line);
    } else if (is_line(row, "edited", 3)) {
        check_text(document, edit_original(field[1], field[2]), row->file, row->line);
    } else if (is_line(row, "new", 2)) {
        check_text(NULL, field[1], row->file, row->line);
    } else if (is_line(row, "title", 3)) {
        open_text(FORMAT);
        set("scenario.title", field[1]);
        snprintf(text, sizeof text, FORMAT "title = %s\n", field[2]);
        check_text(document, text, row->file, row->line);
    } else if (is_line(row, "origin", 3)) {
        ROW_STR(row, origin_name(knob_origin(&scenario, find(field[1]))), field[2]);
    } else {
        ROW_TRUE(row, false, "an unknown line: %s, %d fields", field[0], row->count);
    }
}

TEST(lines_of_saves)
{
    rows_each("saves.txt", NULL, 0, play_line);
}

TEST(new_document)
{
    document_free(document);
    document = document_new(NULL);
    CHECK(document_path(document) == NULL);
    scenario_init(&scenario);
    check_saved(FORMAT);
    insert(SECTION_COMPONENT, 0, "camera");
    insert(SECTION_DEVICE, 0, "rtc");
    insert(SECTION_WFS, 0, "ngs");
    set("component.camera.type", "camera");
    set("component.camera.readout", "0.25 ms");
    set("atmosphere.zenith", "45");
    CHECK_INT(scenario_set_preset(&scenario, 0, files_catalogue(), "amd-epyc-7702", NULL),
              STATUS_OK);
    set("device.rtc.clock", "3.1");
    check_saved(FORMAT "\n[atmosphere]\nzenith = 45 deg\n\n[wfs.ngs]\n\n[device.rtc]\n"
                       "preset = amd-epyc-7702\nclock = 3.1 GHz\n\n[component.camera]\n"
                       "type = camera\nreadout = 250 us\n");
}

static int close_suite(void)
{
    document_free(document);
    document = NULL;
    return files_close();
}

SUITE(files_open, close_suite)
