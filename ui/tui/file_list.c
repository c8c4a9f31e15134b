#include "tui/file_list.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/number.h"
#include "tui/host.h"
#include "tui/layout.h"

/* Prints the directory part of the typed path, with its slash. */
static void print_typed_folder(const char *typed, const char *from, char *folder, size_t size)
{
    const char *above = from == NULL || typed[0] == '/' ? NULL : strrchr(from, '/');
    struct buffer line = buffer_over(folder, size);
    char *end;

    if (above != NULL)
        buffer_add(&line, from, (size_t)(above - from) + 1);
    buffer_text(&line, typed);
    if (from == NULL)
        file_expand_home(strchr(typed, '/') == NULL ? "" : typed, folder, size);
    end = strrchr(folder, '/');
    folder[end == NULL ? 0 : end + 1 - folder] = '\0';
}

static void add_entry(struct file_list *files, const char *folder, const char *name,
                      const char *suffix)
{
    const char *end = strrchr(name, '.');
    char path[PATH_BYTES + FILE_NAME_BYTES];
    struct file_entry *entry;
    struct stat status;

    files->entry =
        array_reserve(files->entry, files->list.count, &files->capacity, sizeof *files->entry);
    entry = &files->entry[files->list.count];
    snprintf(path, sizeof path, "%s%s", folder, name);
    entry->folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    entry->proper = !entry->folder && end != NULL && end > name && strcmp(end, suffix) == 0;
    if (snprintf(entry->name, sizeof entry->name, "%s%s", name, entry->folder ? "/" : "") <
        FILE_NAME_BYTES)
        files->list.count++;
}

static int entry_rank(const struct file_entry *entry)
{
    return entry->proper ? 0 : entry->folder ? 1 : 2;
}

static int compare_entries(const void *a, const void *b)
{
    const struct file_entry *x = a;
    const struct file_entry *y = b;

    return entry_rank(x) != entry_rank(y) ? entry_rank(x) - entry_rank(y)
                                          : strcmp(x->name, y->name);
}

void file_list_read(struct file_list *files, const char *typed, const char *from,
                    const char *suffix)
{
    const char *slash = strrchr(typed, '/');
    const char *begun;
    char folder[PATH_BYTES];
    DIR *directory;

    files->above = slash == NULL ? 0 : (size_t)(slash - typed) + 1;
    files->chosen = -1;
    files->list = (struct list_pane){.count = 0};
    begun = typed + files->above;
    print_typed_folder(typed, from, folder, sizeof folder);
    directory = opendir(folder[0] == '\0' ? "." : folder);
    if (directory == NULL)
        return;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        if ((entry->d_name[0] != '.' || begun[0] == '.') &&
            strncmp(entry->d_name, begun, strlen(begun)) == 0)
            add_entry(files, folder, entry->d_name, suffix);
    closedir(directory);
    if (files->list.count > 0)
        qsort(files->entry, (size_t)files->list.count, sizeof *files->entry, compare_entries);
}

void file_list_free(struct file_list *files)
{
    free(files->entry);
    *files = (struct file_list){.entry = NULL};
}

const struct file_entry *file_list_move(struct file_list *files, int by)
{
    if (files->list.count == 0)
        return NULL;
    if (files->chosen >= 0 || by > 0)
        files->chosen = clamp_int(files->chosen + by, 0, files->list.count - 1);
    list_pane_set(&files->list, files->chosen);
    return files->chosen < 0 ? NULL : &files->entry[files->chosen];
}

void file_list_draw(struct file_list *files, struct canvas *canvas, struct rect body)
{
    enum { ROWS = 12, COLUMNS = 60 };
    struct list_pane *list = &files->list;
    struct rect box = {body.row, body.column + 1, clamp_int(list->count, 0, ROWS) + 2,
                       clamp_int(COLUMNS, 0, body.columns - 2)};

    if (list->count == 0)
        return;
    /* within the border of a pane */
    box.rows = clamp_int(box.rows, 0, body.rows - 1);
    box.row = body.row + body.rows - 1 - box.rows;
    list_pane_lay(list, rect_inside(box), list->count);
    canvas_fill(canvas, box, STYLE_NORMAL, ' ');
    canvas_frame(canvas, box, STYLE_TITLE, "Files");
    for (int i = list->first; list_pane_line(list, i).rows > 0; i++) {
        struct rect line = list_pane_line(list, i);
        const struct file_entry *entry = &files->entry[i];

        canvas_text(canvas, line.row, line.column + 2, line.columns - 3,
                    entry->proper   ? STYLE_NORMAL
                    : entry->folder ? STYLE_TITLE
                                    : STYLE_DIM,
                    entry->name);
        if (i == files->chosen)
            list_pane_draw_cursor(canvas, line, true);
    }
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, true);
}
