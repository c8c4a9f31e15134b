/* Entries of a pipeline file: a component, a compute resource, whose values are looked up by key
 * and checked. What is wrong becomes a sentence with entry, key, value and what is allowed. */
#ifndef AOLAG_IMPORT_ENTRY_H
#define AOLAG_IMPORT_ENTRY_H

#include <stdbool.h>

#include "base/problems.h"
#include "import/values.h"

#define ENTRY_MAPS 4
#define ENTRY_ORIGIN_MAX 160

/* The first map that has a key counts. */
struct file_entry {
    const struct values *tree;
    struct problems *problems;
    char origin[ENTRY_ORIGIN_MAX]; /* `components[2] "centroider"` */
    int line;
    const struct node *map[ENTRY_MAPS]; /* NULL: none */
    const char *section[ENTRY_MAPS];    /* what a map is called in origins; NULL: as the entry */
};

/* What a number has to be; `per_si`: how many units of the file are one of SI. */
struct entry_range {
    double least, most; /* as in the file */
    bool whole;
    double per_si;
};

/* A number of a file. */
struct stated {
    double si;    /* 0: not stated, or what the caller chose */
    double shown; /* as in the file */
    int line;     /* 0: implied, not stated */
    char key[32]; /* empty likewise */
    const char *section; /* origin of the value if it is not the entry's; else NULL */
};

/* Writes `LIST[index] "NAME"`, without the name if it is NULL. */
void entry_origin(char origin[ENTRY_ORIGIN_MAX], const char *list, int index, const char *name);

/* Returns the value of the first of several keys, separated by |; NULL: absent or null. */
const struct node *entry_find(const struct file_entry *entry, const char *keys);

/* Returns what the origin of a value of the entry is: its section, else the entry's origin. */
const char *entry_section(const struct file_entry *entry, const struct node *node);

/* Returns the number of one of several keys in SI, 0 if there is none. What is no number or out of
 * range is a problem; 0 is returned. */
struct stated entry_number(const struct file_entry *entry, const char *keys,
                           struct entry_range range);

/* Returns true for a number in the range; else adds the problem. `key` names the value. */
bool entry_check(const struct file_entry *entry, const struct node *node, const char *key,
                 struct entry_range range);

/* Returns the text of one of several keys, NULL if there is none; what is no text is a problem. */
const char *entry_text(const struct file_entry *entry, const char *keys);

/* Returns the map or list of a key, NULL if there is none; what is neither is a problem. */
const struct node *entry_members(const struct file_entry *entry, const char *key,
                                 enum node_kind kind);

/* Adds a problem of the entry: "ORIGIN: ...". Line 0: the entry's. */
void entry_problem(const struct file_entry *entry, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
