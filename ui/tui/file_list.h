/* The files and folders that a typed path leads to. */
#ifndef AOLAG_TUI_FILE_LIST_H
#define AOLAG_TUI_FILE_LIST_H

#include <stdbool.h>

#include "draw/canvas.h"
#include "tui/list_pane.h"

enum { FILE_NAME_BYTES = 256 };

struct file_entry {
    char name[FILE_NAME_BYTES]; /* that of a folder ends with / */
    bool folder;
    bool proper; /* has the suffix */
};

/* Zero-initialised: empty. */
struct file_list {
    struct file_entry *entry; /* list.count elements: those with the suffix, folders, others */
    int capacity;
    size_t above; /* bytes of the typed path up to the name: "data/" */
    int chosen;   /* entry that the user moved to; -1: none */
    struct list_pane list;
};

/* Reads the folder of a typed path, without hidden files unless the name begins with a point, and
 * keeps what begins with the typed name. The path is relative to the directory of the file `from`,
 * where ~ is not expanded; NULL: to the working directory. A folder that cannot be read is empty.
 */
void file_list_read(struct file_list *files, const char *typed, const char *from,
                    const char *suffix);
void file_list_free(struct file_list *files);

/* Moves to the next (1) or previous (-1) entry, from none to the first. Returns it; NULL: none. */
const struct file_entry *file_list_move(struct file_list *files, int by);

/* Draws the list at the bottom of the body; nothing if it is empty. */
void file_list_draw(struct file_list *files, struct canvas *canvas, struct rect body);

#endif
