#include "import/values.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/number.h"
#include "base/utf8.h"

void values_free(struct values *tree)
{
    for (int i = 0; i < tree->count; i++) {
        free(tree->node[i].key);
        free(tree->node[i].text);
    }
    free(tree->node);
    *tree = (struct values){0};
}

enum status values_refuse(struct values_builder *builder, int line, const char *format, ...)
{
    char message[ERROR_MESSAGE_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    problems_add(builder->problems, line, "%s", message);
    return STATUS_INVALID;
}

static bool key_is_new(struct values_builder *builder, int parent, int line, const char *key)
{
    const struct node *node = builder->tree->node;
    char shown[VALUES_SHOWN_MAX];

    for (int i = node[parent].first; i >= 0; i = node[i].next)
        if (node[i].key != NULL && strcmp(node[i].key, key) == 0) {
            utf8_excerpt(shown, sizeof shown, key, strlen(key));
            values_refuse(builder, line,
                          "the key \"%s\" is given twice, first in line %d; a map has "
                          "each key once",
                          shown, node[i].line);
            return false;
        }
    return true;
}

static bool has_room(struct values_builder *builder, enum node_kind kind, int line)
{
    const struct values *tree = builder->tree;
    int parent = builder->depth > 0 ? builder->open[builder->depth - 1] : -1;

    if (tree->count >= VALUES_NODES_MAX)
        values_refuse(builder, line, "more than %d values; such a file has fewer",
                      VALUES_NODES_MAX);
    else if (kind >= NODE_LIST && builder->depth >= VALUES_DEPTH_MAX)
        values_refuse(builder, line, VALUES_TOO_DEEP, VALUES_DEPTH_MAX);
    else if (parent >= 0 && tree->node[parent].kind == NODE_MAP &&
             tree->node[parent].count >= VALUES_KEYS_MAX)
        values_refuse(builder, line, "more than %d keys in a map; such a file has fewer",
                      VALUES_KEYS_MAX);
    else
        return true;
    return false;
}

static void link_member(struct values_builder *builder, int member)
{
    struct node *node = builder->tree->node;
    int level = builder->depth - 1;

    if (level < 0)
        return;
    node[builder->open[level]].count++;
    if (builder->last[level] < 0)
        node[builder->open[level]].first = member;
    else
        node[builder->last[level]].next = member;
    builder->last[level] = member;
}

struct node *values_put(struct values_builder *builder, enum node_kind kind, int line,
                        const char *key, const char *text)
{
    struct values *tree = builder->tree;
    struct node node = {.kind = kind, .line = line, .first = -1, .next = -1, .alias = -1};

    if (!has_room(builder, kind, line))
        return NULL;
    if (key != NULL && !key_is_new(builder, builder->open[builder->depth - 1], line, key))
        return NULL;
    node.key = key == NULL ? NULL : allocate_text(key);
    node.text = text == NULL ? NULL : allocate_text(text);
    tree->node = array_reserve(tree->node, tree->count, &tree->capacity, sizeof *tree->node);
    tree->node[tree->count++] = node;
    link_member(builder, tree->count - 1);
    if (kind >= NODE_LIST) {
        builder->open[builder->depth] = tree->count - 1;
        builder->last[builder->depth++] = -1;
    }
    return &tree->node[tree->count - 1];
}

void values_close(struct values_builder *builder)
{
    builder->depth--;
}

/* Returns the node itself or what it stands for. */
static const struct node *node_meant(const struct values *tree, const struct node *node)
{
    return node != NULL && node->alias >= 0 ? &tree->node[node->alias] : node;
}

const struct node *values_first(const struct values *tree, const struct node *parent)
{
    parent = node_meant(tree, parent);
    return parent == NULL || parent->first < 0 ? NULL : &tree->node[parent->first];
}

const struct node *values_next(const struct values *tree, const struct node *member)
{
    return member->next < 0 ? NULL : &tree->node[member->next];
}

const struct node *values_member(const struct values *tree, const struct node *parent,
                                 const char *key)
{
    for (const struct node *n = values_first(tree, parent); n != NULL; n = values_next(tree, n))
        if (n->key != NULL && strcmp(n->key, key) == 0) {
            tree->node[n - tree->node].read = true;
            return n;
        }
    return NULL;
}

const char *values_show(const struct node *node, char shown[VALUES_SHOWN_MAX])
{
    static const char *const words[] = {
        [NODE_NULL] = "null", [NODE_LIST] = "a list", [NODE_MAP] = "a map"};

    switch (node->kind) {
    case NODE_BOOL:
        return node->text != NULL ? node->text : node->number != 0 ? "true" : "false";
    case NODE_NUMBER:
        if (node->text != NULL)
            utf8_excerpt(shown, VALUES_SHOWN_MAX, node->text, strlen(node->text));
        else
            number_format(node->number, shown, VALUES_SHOWN_MAX);
        return shown;
    case NODE_TEXT:
        shown[0] = '"';
        utf8_excerpt(shown + 1, VALUES_SHOWN_MAX - 2, node->text, strlen(node->text));
        return strcat(shown, "\"");
    default:
        return words[node->kind];
    }
}
