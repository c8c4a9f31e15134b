#include "import/json.h"

#include <string.h>

#include "base/allocate.h"

#define SCALAR_END " \t\r\n,]}"

/* Position in a text that jansson has accepted, which ends with the bracket that is closed last. */
struct walk {
    const char *at;
    int line;
};

/* Goes past blanks and the signs between values. */
static void skip_signs(struct walk *walk)
{
    for (; *walk->at != '\0' && strchr(" \t\r\n,:", *walk->at) != NULL; walk->at++)
        walk->line += *walk->at == '\n';
}

static void skip_text(struct walk *walk)
{
    for (walk->at++; *walk->at != '"'; walk->at++)
        if (*walk->at == '\\')
            walk->at++;
    walk->at++;
}

static void skip_scalar(struct walk *walk)
{
    if (*walk->at == '"')
        skip_text(walk);
    else
        walk->at += strcspn(walk->at, SCALAR_END);
}

static bool put_value(struct values_builder *builder, struct walk *walk, const char *key,
                      const json_t *value);

static bool put_object(struct values_builder *builder, struct walk *walk, const char *key,
                       json_t *object)
{
    if (values_put(builder, NODE_MAP, walk->line, key, NULL) == NULL)
        return false;
    walk->at++;
    for (void *i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i)) {
        skip_signs(walk);
        skip_text(walk);
        if (!put_value(builder, walk, json_object_iter_key(i), json_object_iter_value(i)))
            return false;
    }
    skip_signs(walk);
    walk->at++;
    values_close(builder);
    return true;
}

static bool put_array(struct values_builder *builder, struct walk *walk, const char *key,
                      const json_t *array)
{
    if (values_put(builder, NODE_LIST, walk->line, key, NULL) == NULL)
        return false;
    walk->at++;
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!put_value(builder, walk, NULL, json_array_get(array, i)))
            return false;
    skip_signs(walk);
    walk->at++;
    values_close(builder);
    return true;
}

static bool put_scalar(struct values_builder *builder, struct walk *walk, const char *key,
                       const json_t *value)
{
    enum node_kind kind = json_is_string(value)    ? NODE_TEXT
                          : json_is_number(value)  ? NODE_NUMBER
                          : json_is_boolean(value) ? NODE_BOOL
                                                   : NODE_NULL;
    struct node *node = values_put(builder, kind, walk->line, key, json_string_value(value));

    if (node == NULL)
        return false;
    node->number = json_is_true(value) ? 1 : json_number_value(value);
    /* the text ends with a bracket, not with a NUL */
    node->whole =
        kind == NODE_NUMBER && strchr(".eE", walk->at[strcspn(walk->at, ".eE" SCALAR_END)]) == NULL;
    skip_scalar(walk);
    return true;
}

/* The depth of recursion is limited by values_put. */
static bool put_value(struct values_builder *builder, struct walk *walk, const char *key,
                      const json_t *value)
{
    skip_signs(walk);
    if (json_is_object(value))
        return put_object(builder, walk, key, (json_t *)value);
    if (json_is_array(value))
        return put_array(builder, walk, key, value);
    return put_scalar(builder, walk, key, value);
}

/* Refuses what jansson does not read; it calls only a wrong syntax no JSON. */
static enum status refuse_text(struct values_builder *builder, const json_error_t *error)
{
    int line = error->line > 0 ? error->line : 0;

    switch (json_error_code(error)) {
    case json_error_null_character:
    case json_error_null_byte_in_key:
        return values_refuse(builder, line, "a text has a zero character (\\u0000); remove it");
    case json_error_duplicate_key:
        return values_refuse(builder, line, "a key is given twice; a map has each key once");
    case json_error_numeric_overflow:
        return values_refuse(builder, line, "a number is beyond 1.8e308, the largest that is read");
    case json_error_stack_overflow:
        return values_refuse(builder, line, VALUES_TOO_DEEP, VALUES_DEPTH_MAX);
    default:
        return values_refuse(builder, line, "not JSON: %s", error->text);
    }
}

json_t *json_load_text(const char *bytes, size_t length, json_error_t *error)
{
    json_set_alloc_funcs(allocate, free);
    return json_loadb(bytes, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, error);
}

enum status json_read(struct values_builder *builder, const char *bytes, size_t length)
{
    struct walk walk = {bytes, 1};
    json_error_t error;
    json_t *root;
    bool whole;

    root = json_load_text(bytes, length, &error);
    if (root == NULL)
        return refuse_text(builder, &error);
    whole = put_value(builder, &walk, NULL, root);
    json_decref(root);
    return whole ? STATUS_OK : STATUS_INVALID;
}
