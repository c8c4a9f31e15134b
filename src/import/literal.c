#include "import/literal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/utf8.h"

#define SHOWN 40 /* bytes of a value in a message */

struct literal {
    struct values_builder *builder;
    int line, depth;
    const char *key; /* of the whole, for messages */
    const char *at;
};

/* Passes over blanks, ends of lines and comments. */
static void skip_blanks(struct literal *literal)
{
    while (*literal->at != '\0' && strchr(" \t\r\n;#", *literal->at) != NULL) {
        literal->line += *literal->at == '\n';
        literal->at += strchr(";#", *literal->at) != NULL ? strcspn(literal->at, "\n") : 1;
    }
}

static bool at_end(const struct literal *literal)
{
    return *literal->at == '\0' || strchr(" \t\r\n#,])", *literal->at) != NULL;
}

static bool put_word(struct literal *literal, const char *key)
{
    static const struct {
        const char *word;
        enum node_kind kind;
        double number;
    } words[] = {{"None", NODE_NULL, 0}, {"True", NODE_BOOL, 1}, {"False", NODE_BOOL, 0}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        struct node *node;

        if (strncmp(literal->at, words[i].word, length) != 0 || isalnum(literal->at[length]))
            continue;
        literal->at += length;
        node = values_put(literal->builder, words[i].kind, literal->line, key, NULL);
        if (node == NULL)
            return false;
        node->number = words[i].number;
        return at_end(literal);
    }
    return false;
}

static bool put_number(struct literal *literal, const char *key)
{
    struct node *node;
    const char *end;
    double number;

    if (number_parse(literal->at, &number, &end) != STATUS_OK)
        return false;
    literal->at = end;
    if (!at_end(literal))
        return false;
    node = values_put(literal->builder, NODE_NUMBER, literal->line, key, NULL);
    if (node != NULL)
        node->number = number;
    return node != NULL;
}

static bool put_text(struct literal *literal, const char *key)
{
    const char *end = strchr(literal->at + 1, *literal->at);
    struct node *node;
    char *text;

    if (end == NULL)
        return false;
    text = allocate_print("%.*s", (int)(end - literal->at - 1), literal->at + 1);
    literal->at = end + 1;
    node =
        at_end(literal) ? values_put(literal->builder, NODE_TEXT, literal->line, key, text) : NULL;
    free(text);
    return node != NULL;
}

static bool put_element(struct literal *literal, const char *key);

static bool put_list(struct literal *literal, const char *key)
{
    char close = *literal->at == '[' ? ']' : ')';

    if (++literal->depth > LITERAL_DEPTH_MAX) {
        values_refuse(literal->builder, literal->line, "%s: more than %d lists within each other",
                      literal->key, LITERAL_DEPTH_MAX);
        return false;
    }
    if (values_put(literal->builder, NODE_LIST, literal->line, key, NULL) == NULL)
        return false;
    literal->at++;
    for (skip_blanks(literal); *literal->at != close; skip_blanks(literal)) {
        if (!put_element(literal, NULL))
            return false;
        skip_blanks(literal);
        if (*literal->at == ',')
            literal->at++;
        else if (*literal->at != close)
            return false;
    }
    literal->at++;
    literal->depth--;
    values_close(literal->builder);
    return true;
}

/* Puts a literal; returns false for another value, without a problem but where one is named. */
static bool put_element(struct literal *literal, const char *key)
{
    if (*literal->at == '[' || *literal->at == '(')
        return put_list(literal, key);
    if (*literal->at == '"' || *literal->at == '\'')
        return put_text(literal, key);
    return isupper(*literal->at) ? put_word(literal, key) : put_number(literal, key);
}

bool literal_put(struct values_builder *builder, int line, const char *key, const char *text)
{
    struct literal literal = {.builder = builder, .line = line, .key = key, .at = text};
    size_t problems = builder->problems->count;
    int before = builder->tree->count;
    char shown[SHOWN];
    struct node *node;

    skip_blanks(&literal);
    if (put_element(&literal, key)) {
        skip_blanks(&literal);
        builder->tree->node[before].line = line; /* of its key, wherever it begins */
        if (*literal.at == '\0')
            return true;
    }
    if (builder->problems->count > problems)
        return false;
    if (builder->tree->count > before && builder->tree->node[before].kind == NODE_LIST) {
        utf8_excerpt(shown, sizeof shown, literal.at, strcspn(literal.at, "\r\n"));
        values_refuse(
            builder, shown[0] == '\0' ? line : literal.line,
            shown[0] == '\0' ? "%s: the list does not end%s"
            : literal.depth == 0
                ? "%s: \"%s\" follows the list; a line that is indented more than its key "
                  "continues the value"
                : "%s: \"%s\" is no literal; allowed in a list: numbers, texts, lists, "
                  "True, False and None, separated by commas",
            key, shown);
        return false;
    }
    if (builder->tree->count == before)
        values_put(builder, NODE_TEXT, line, key, NULL);
    if (builder->tree->count == before)
        return false;
    node = &builder->tree->node[before];
    free(node->text);
    node->kind = NODE_TEXT;
    node->text = allocate_text(text);
    for (char *end = node->text; (end = strpbrk(end, "\r\n")) != NULL;)
        *end = ' ';
    node->means = "no literal of Python";
    return true;
}
