#include "import/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/utf8.h"

enum { ANCHORS_MAX = 1000 };

struct anchor {
    char *name;
    int node;
    bool complete; /* all of what it stands for has been read */
};

struct yaml_reader {
    struct values_builder *builder;
    char *key; /* read, its value is next; NULL: none */
    int documents;
    int anchors;
    struct anchor anchor[ANCHORS_MAX];
};

static int event_line(const yaml_event_t *event)
{
    return (int)event->start_mark.line + 1;
}

static bool wants_key(const struct yaml_reader *reader)
{
    const struct values_builder *builder = reader->builder;

    return builder->depth > 0 &&
           builder->tree->node[builder->open[builder->depth - 1]].kind == NODE_MAP &&
           reader->key == NULL;
}

static bool word_is_one_of(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcasecmp(word, *words) == 0)
            return true;
    return false;
}

/* Reads a number: decimal, with underscores between digits as in YAML 1.1. */
static bool read_number(const char *text, double *number)
{
    char digits[64];
    const char *end;
    size_t length = 0;

    for (; *text != '\0'; text++) {
        if (*text == '_')
            continue;
        if (length + 1 >= sizeof digits)
            return false;
        digits[length++] = *text;
    }
    digits[length] = '\0';
    return number_parse(digits, number, &end) == STATUS_OK && *end == '\0';
}

/* Returns the kind of a plain scalar. */
static enum node_kind plain_kind(const char *text, double *number)
{
    static const char *const nulls[] = {"", "~", "null", NULL};
    static const char *const yes[] = {"true", "yes", "on", NULL};
    static const char *const no[] = {"false", "no", "off", NULL};

    *number = 0;
    if (word_is_one_of(text, nulls))
        return NODE_NULL;
    if (word_is_one_of(text, yes) || word_is_one_of(text, no)) {
        *number = word_is_one_of(text, yes);
        return NODE_BOOL;
    }
    return read_number(text, number) ? NODE_NUMBER : NODE_TEXT;
}

static enum status refuse_word(struct yaml_reader *reader, int line, const char *what,
                               const char *word, const char *allowed)
{
    char shown[VALUES_SHOWN_MAX];

    utf8_excerpt(shown, sizeof shown, word, strlen(word));
    return values_refuse(reader->builder, line, "the %s %s is not read; %s", what, shown, allowed);
}

/* Tags that only repeat what the value is are those of YAML's core. */
static enum status check_tag(struct yaml_reader *reader, const char *tag, int line)
{
    static const char core[] = "tag:yaml.org,2002:";
    static const char *const known[] = {"map", "seq", "str", "int", "float", "bool", "null", NULL};

    if (tag == NULL || strcmp(tag, "!") == 0 ||
        (strncmp(tag, core, sizeof core - 1) == 0 && word_is_one_of(tag + sizeof core - 1, known)))
        return STATUS_OK;
    return refuse_word(reader, line, "tag", tag,
                       "write maps, lists, texts and numbers, as yaml.safe_dump does");
}

/* Takes the next key; NULL in a list. */
static struct node *put_node(struct yaml_reader *reader, enum node_kind kind, int line,
                             const char *text)
{
    struct node *node = values_put(reader->builder, kind, line, reader->key, text);

    free(reader->key);
    reader->key = NULL;
    return node;
}

static enum status after_put(const struct yaml_reader *reader, const struct node *node)
{
    if (node != NULL)
        return STATUS_OK;
    return reader->builder->problems->count > 0 ? STATUS_INVALID : STATUS_MEMORY;
}

/* Remembers the node that is put last under a name, which may be given again. */
static enum status add_anchor(struct yaml_reader *reader, const char *name, int line, bool complete)
{
    struct anchor *anchor = &reader->anchor[reader->anchors];

    if (name == NULL)
        return STATUS_OK;
    if (reader->anchors == ANCHORS_MAX)
        return values_refuse(reader->builder, line,
                             "more than %d anchors (&%s); a pipeline has fewer", ANCHORS_MAX, name);
    *anchor = (struct anchor){allocate_text(name), reader->builder->tree->count - 1, complete};
    if (anchor->name == NULL)
        return STATUS_MEMORY;
    reader->anchors++;
    return STATUS_OK;
}

static enum status read_key(struct yaml_reader *reader, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;

    if (strcmp(text, "<<") == 0)
        return refuse_word(reader, event_line(event), "merge key", text,
                           "write the keys themselves");
    reader->key = allocate_text(text);
    return reader->key == NULL ? STATUS_MEMORY : STATUS_OK;
}

static enum status read_scalar(struct yaml_reader *reader, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    const char *tag = (const char *)event->data.scalar.tag;
    enum node_kind kind = NODE_TEXT;
    enum status status = check_tag(reader, tag, event_line(event));
    struct node *node;
    double number = 0;

    if (status != STATUS_OK)
        return status;
    if (strlen(text) != event->data.scalar.length)
        return values_refuse(reader->builder, event_line(event),
                             "the text has a zero character; remove it");
    if (wants_key(reader))
        return read_key(reader, event);
    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && tag == NULL)
        kind = plain_kind(text, &number);
    else if (tag != NULL && strcmp(tag, "!") != 0 && strcmp(strrchr(tag, ':'), ":str") != 0)
        kind = plain_kind(text, &number);
    node = put_node(reader, kind, event_line(event), kind == NODE_TEXT ? text : NULL);
    if (node == NULL)
        return after_put(reader, node);
    node->number = number;
    return add_anchor(reader, (const char *)event->data.scalar.anchor, event_line(event), true);
}

static enum status open_node(struct yaml_reader *reader, const yaml_event_t *event)
{
    bool map = event->type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *tag = map ? event->data.mapping_start.tag : event->data.sequence_start.tag;
    const yaml_char_t *name =
        map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    enum status status = check_tag(reader, (const char *)tag, event_line(event));
    struct node *node;

    if (status != STATUS_OK)
        return status;
    if (wants_key(reader))
        return values_refuse(reader->builder, event_line(event),
                             "a key is a map or a list; a key is a text");
    node = put_node(reader, map ? NODE_MAP : NODE_LIST, event_line(event), NULL);
    if (node == NULL)
        return after_put(reader, node);
    return add_anchor(reader, (const char *)name, event_line(event), false);
}

static enum status close_node(struct yaml_reader *reader)
{
    struct values_builder *builder = reader->builder;
    int closed = builder->open[builder->depth - 1];

    for (int i = 0; i < reader->anchors; i++)
        if (reader->anchor[i].node == closed)
            reader->anchor[i].complete = true;
    values_close(builder);
    return STATUS_OK;
}

/* Puts what an anchor of this name stands for: a copy of a value, a reference to a map or list. */
static enum status read_alias(struct yaml_reader *reader, const yaml_event_t *event)
{
    struct values *tree = reader->builder->tree;
    const char *name = (const char *)event->data.alias.anchor;
    int i = reader->anchors - 1;
    struct node meant, *node;

    while (i >= 0 && strcmp(reader->anchor[i].name, name) != 0)
        i--;
    if (i < 0)
        return refuse_word(reader, event_line(event), "alias", name,
                           "no anchor before it has this name");
    if (!reader->anchor[i].complete)
        return refuse_word(reader, event_line(event), "alias", name,
                           "it stands within the value that it repeats");
    if (wants_key(reader))
        return refuse_word(reader, event_line(event), "alias", name, "a key is a text");
    meant = tree->node[reader->anchor[i].node];
    node = put_node(reader, meant.kind, event_line(event), meant.text);
    if (node == NULL)
        return after_put(reader, node);
    node->number = meant.number;
    if (meant.kind >= NODE_LIST) {
        values_close(reader->builder);
        node->count = meant.count;
        node->alias = meant.alias >= 0 ? meant.alias : reader->anchor[i].node;
    }
    return STATUS_OK;
}

static enum status read_event(struct yaml_reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (reader->documents++ > 0)
            return values_refuse(reader->builder, event_line(event),
                                 "a second document begins; a pipeline is one document");
        return STATUS_OK;
    case YAML_SCALAR_EVENT:
        return read_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return open_node(reader, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_node(reader);
    case YAML_ALIAS_EVENT:
        return read_alias(reader, event);
    default:
        return STATUS_OK;
    }
}

static enum status refuse_syntax(struct yaml_reader *reader, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        allocation_failed();
        return STATUS_MEMORY;
    }
    return values_refuse(reader->builder, (int)parser->problem_mark.line + 1, "not YAML: %s",
                         parser->problem != NULL ? parser->problem : "it cannot be read");
}

static enum status read_events(struct yaml_reader *reader, yaml_parser_t *parser)
{
    enum status status = STATUS_OK;
    bool end = false;

    while (status == STATUS_OK && !end) {
        yaml_event_t event;

        if (yaml_parser_parse(parser, &event) == 0)
            return refuse_syntax(reader, parser);
        end = event.type == YAML_STREAM_END_EVENT;
        status = read_event(reader, &event);
        yaml_event_delete(&event);
    }
    return status;
}

enum status yaml_read(struct values_builder *builder, const char *bytes, size_t length)
{
    struct yaml_reader *reader = allocate_array(1, sizeof *reader);
    yaml_parser_t parser;
    enum status status;

    if (reader == NULL)
        return STATUS_MEMORY;
    if (yaml_parser_initialize(&parser) == 0) {
        free(reader);
        allocation_failed();
        return STATUS_MEMORY;
    }
    reader->builder = builder;
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, length);
    status = read_events(reader, &parser);
    yaml_parser_delete(&parser);
    for (int i = 0; i < reader->anchors; i++)
        free(reader->anchor[i].name);
    free(reader->key);
    free(reader);
    return status;
}
