/* The tree of values that JSON and YAML have in common: maps, lists, texts, numbers, true, false
 * and null, each with its line. parse.h fills it.
 *
 * What is put into it is refused, with a sentence, beyond VALUES_DEPTH_MAX levels, VALUES_NODES_MAX
 * values or VALUES_KEYS_MAX keys of a map, and for a key given twice in a map. */
#ifndef AOLAG_IMPORT_VALUES_H
#define AOLAG_IMPORT_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"

#define VALUES_DEPTH_MAX 32
#define VALUES_TOO_DEEP "more than %d maps and lists within each other; such a file has fewer"
#define VALUES_NODES_MAX 100000
#define VALUES_KEYS_MAX 1000

enum node_kind { NODE_NULL, NODE_BOOL, NODE_NUMBER, NODE_TEXT, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    int line;
    bool read;         /* values_member has returned it */
    char *key;         /* in a map, but for what is merged into it; else NULL */
    char *text;        /* of a text; of a number or a word of YAML as it is written; else NULL */
    double number;     /* a number; 1 for true, 0 for false */
    bool whole;        /* a number that is written without point and exponent */
    const char *means; /* what a word that looks like something else means, else NULL */
    int count;         /* of the members of a map or list */
    int first;         /* number of the first of them; -1: none */
    int next;          /* number of the next member of the same parent; -1: none */
    int alias;         /* number of the map or list that it stands for; -1: none */
};

/* Node 0 is the root. A zero-initialised tree is empty. */
struct values {
    struct node *node;
    int count, capacity;
    bool yaml;   /* it is read from YAML */
    bool marked; /* the file starts with a byte-order mark */
};

void values_free(struct values *tree);

/* Return members, NULL if there is none: of a map by key, which is then marked as read; the first
 * of a map or list and the next one of the same. `parent` may be NULL. */
const struct node *values_member(const struct values *tree, const struct node *parent,
                                 const char *key);
const struct node *values_first(const struct values *tree, const struct node *parent);
const struct node *values_next(const struct values *tree, const struct node *member);

/* Writes a value for a message: "TEXT", 12, true, null, a list, a map; long texts are cut. */
#define VALUES_SHOWN_MAX 64
const char *values_show(const struct node *node, char shown[VALUES_SHOWN_MAX]);

/* For the readers ------------------------------------------------------------------------------ */

/* A reader of one format. */
struct values_builder {
    struct values *tree;
    struct problems *problems;
    int open[VALUES_DEPTH_MAX]; /* maps and lists that are open, the outermost first */
    int last[VALUES_DEPTH_MAX]; /* their last members; -1: none */
    int depth;
};

/* Appends a value of a kind to the map or list that is open; `key` (NULL outside of maps) and
 * `text` (NULL for most kinds) are copied. A map or list is then open. Returns the node, which is
 * valid until the next call, or NULL after a problem. */
struct node *values_put(struct values_builder *builder, enum node_kind kind, int line,
                        const char *key, const char *text);
void values_close(struct values_builder *builder);

/* Adds a problem; returns STATUS_INVALID. */
enum status values_refuse(struct values_builder *builder, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
