#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/file.h"
#include "design/ini.h"
#include "design/preset.h"
#include "tui/view_compare.h"
#include "tui/widget.h"

static void add_choice(struct compare_choices *choices, int id, const char *name, const char *what)
{
    choices->at =
        array_reserve(choices->at, choices->count, &choices->capacity, sizeof *choices->at);
    choices->at[choices->count++] = (struct menu_design){id, name, what};
}

/* Writes the path of file `entry` of the folder of the design's file, or the working directory. */
static void print_path(const struct compare_view *view, int entry, char *path, size_t size)
{
    const char *own = document_path(view->design->document);
    const char *slash = own == NULL ? NULL : strrchr(own, '/');
    struct buffer text = buffer_over(path, size);

    if (slash != NULL)
        buffer_add(&text, own, (size_t)(slash - own) + 1);
    buffer_text(&text, view->choices.files.entry[entry].name);
}

/* Returns true for the file of the design, that of the one before, and one that describes a device.
 */
static bool is_no_choice(const struct compare_view *view, int entry)
{
    char path[PATH_BYTES];
    char *bytes = NULL;
    size_t length;
    bool device;

    print_path(view, entry, path, sizeof path);
    device = file_read(path, INI_BYTES_MAX, &bytes, &length, NULL, NULL) == STATUS_OK &&
             preset_describes_device(bytes, length);
    free(bytes);
    return device || file_same(path, view->design->previous.path) ||
           file_same(path, document_path(view->design->document));
}

void compare_read_choices(struct compare_view *view)
{
    struct compare_choices *choices = &view->choices;
    const struct design *design = view->design;
    const struct file_list *files = &choices->files;

    choices->count = 0;
    if (design->baseline.pinned)
        add_choice(choices, MENU_BASELINE, "baseline", "the design that was pinned");
    if (design->previous.name[0] != '\0')
        add_choice(choices, MENU_PREVIOUS, design->previous.name, "the design before this one");
    file_list_read(&choices->files, "", document_path(design->document), ".ini");
    for (int f = 0; f < files->list.count && files->entry[f].proper; f++)
        if (!is_no_choice(view, f))
            add_choice(choices, MENU_IN_FOLDER - f, files->entry[f].name, "in this folder");
    add_choice(choices, MENU_FILE, "file", "a file, by its name");
    add_choice(choices, MENU_LIST, "preset", "an AO preset, from a list");
}

void compare_choice_path(const struct compare_view *view, int id, char *path, size_t size)
{
    print_path(view, MENU_IN_FOLDER - id, path, size);
}

void compare_free_choices(struct compare_choices *choices)
{
    file_list_free(&choices->files);
    free(choices->at);
    *choices = (struct compare_choices){.at = NULL};
}

/* Lists the choices below a sentence, each with what it is. */
void compare_draw_choices(struct compare_view *view, struct canvas *canvas, struct rect body)
{
    enum { GAP = 2, MOST = 30 }; /* columns of a name */
    struct compare_choices *choices = &view->choices;
    struct rect inside = rect_inside(body);
    struct rect text = {inside.row, inside.column + 1, inside.rows, inside.columns - 2};
    int width = 0;
    int used;

    widget_pane(canvas, body, "Compare with", true);
    used = canvas_wrap(canvas, text, 0, STYLE_DIM,
                       "Enter compares this design with the one below. b pins it as the baseline, "
                       "with which later changes are compared.") +
           1;
    inside.row += used;
    inside.rows = inside.rows > used ? inside.rows - used : 0;
    for (int i = 0; i < choices->count; i++) {
        int columns = text_width(choices->at[i].name);

        width = columns > width ? columns : width;
    }
    width = width > MOST ? MOST : width;
    list_pane_lay(&choices->list, inside, choices->count);
    for (int i = choices->list.first; list_pane_line(&choices->list, i).rows > 0; i++) {
        struct rect line = list_pane_line(&choices->list, i);
        int column = line.column + 2;
        char name[FILE_NAME_BYTES];

        snprintf(name, sizeof name, "%s", choices->at[i].name);
        text_middle(name, sizeof name, width);
        canvas_text(canvas, line.row, column, width, STYLE_NORMAL, name);
        column += width + GAP;
        canvas_text(canvas, line.row, column, line.column + line.columns - 1 - column, STYLE_DIM,
                    choices->at[i].what);
        if (i == list_pane_focus(&choices->list))
            list_pane_draw_cursor(canvas, line, true);
    }
    list_pane_draw_bar(&choices->list, canvas, body.column + body.columns - 1, true);
}
