#include "import/entry.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

enum { KEY_MAX = 64, SHOWN_MAX = 256 };

/* Writes a value, and what it means if it looks like something else. */
static const char *show_value(const struct node *node, char text[SHOWN_MAX])
{
    char shown[VALUES_SHOWN_MAX];

    snprintf(text, SHOWN_MAX, "%s%s%s", values_show(node, shown), node->means != NULL ? ", " : "",
             node->means != NULL ? node->means : "");
    return text;
}

void entry_origin(char origin[ENTRY_ORIGIN_MAX], const char *list, int index, const char *name)
{
    char shown[VALUES_SHOWN_MAX];

    if (name == NULL) {
        snprintf(origin, ENTRY_ORIGIN_MAX, "%s[%d]", list, index);
        return;
    }
    utf8_excerpt(shown, sizeof shown, name, strlen(name));
    snprintf(origin, ENTRY_ORIGIN_MAX, "%s[%d] \"%s\"", list, index, shown);
}

void entry_problem(const struct file_entry *entry, int line, const char *format, ...)
{
    char message[ERROR_MESSAGE_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    problems_add(entry->problems, line > 0 ? line : entry->line, "%s%s%s", entry->origin,
                 entry->origin[0] != '\0' ? ": " : "", message);
}

/* Copies the next of several keys; returns what follows, NULL after the last. */
static const char *next_key(const char *keys, char key[KEY_MAX])
{
    size_t length = strcspn(keys, "|");

    snprintf(key, KEY_MAX, "%.*s", (int)length, keys);
    return keys[length] == '|' ? keys + length + 1 : NULL;
}

const struct node *entry_find(const struct file_entry *entry, const char *keys)
{
    const struct node *found = NULL;
    char key[KEY_MAX];

    while (keys != NULL) {
        keys = next_key(keys, key);
        for (int m = 0; m < ENTRY_MAPS; m++) {
            const struct node *node = values_member(entry->tree, entry->map[m], key);

            if (found == NULL && node != NULL && node->kind != NODE_NULL)
                found = node;
        }
    }
    return found;
}

/* Returns the number of the map that has a value; -1: none. */
static int find_map(const struct file_entry *entry, const struct node *node)
{
    for (int m = 0; m < ENTRY_MAPS; m++)
        for (const struct node *n = values_first(entry->tree, entry->map[m]); n != NULL;
             n = values_next(entry->tree, n))
            if (n == node)
                return m;
    return -1;
}

const char *entry_section(const struct file_entry *entry, const struct node *node)
{
    int m = find_map(entry, node);

    return m >= 0 && entry->section[m] != NULL ? entry->section[m] : entry->origin;
}

bool entry_check(const struct file_entry *entry, const struct node *node, const char *key,
                 struct entry_range range)
{
    char shown[SHOWN_MAX], least[32], most[32];

    if (node->kind == NODE_NUMBER && node->number >= range.least && node->number <= range.most &&
        (!range.whole || node->number == floor(node->number)))
        return true;
    number_format(range.least, least, sizeof least);
    number_format(range.most, most, sizeof most);
    entry_problem(entry, node->line, "%s is %s; it is a %snumber from %s to %s", key,
                  show_value(node, shown), range.whole ? "whole " : "", least, most);
    return false;
}

struct stated entry_number(const struct file_entry *entry, const char *keys,
                           struct entry_range range)
{
    const struct node *node = entry_find(entry, keys);
    struct stated stated = {0};
    int map;

    if (node == NULL || !entry_check(entry, node, node->key, range))
        return stated;
    stated.si = node->number / range.per_si;
    stated.shown = node->number;
    stated.line = node->line;
    map = find_map(entry, node);
    stated.section = map < 0 ? NULL : entry->section[map];
    snprintf(stated.key, sizeof stated.key, "%s", node->key);
    return stated;
}

const char *entry_text(const struct file_entry *entry, const char *keys)
{
    const struct node *node = entry_find(entry, keys);
    char shown[SHOWN_MAX];

    if (node == NULL)
        return NULL;
    if (node->kind == NODE_TEXT)
        return node->text;
    entry_problem(entry, node->line, "%s is %s; it is a text", node->key, show_value(node, shown));
    return NULL;
}

const struct node *entry_members(const struct file_entry *entry, const char *key,
                                 enum node_kind kind)
{
    const struct node *node = entry_find(entry, key);
    char shown[VALUES_SHOWN_MAX];

    if (node == NULL || node->kind == kind)
        return node;
    entry_problem(entry, node->line, "%s is %s; it is a %s", key, values_show(node, shown),
                  kind == NODE_LIST ? "list" : "map");
    return NULL;
}
