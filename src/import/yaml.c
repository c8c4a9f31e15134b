#include "import/yaml.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/utf8.h"

enum { ANCHORS_MAX = 1000 };

/* What PyYAML takes for numbers and dates, as extended regular expressions, and what daolite adds
 * to the numbers for hardware files. */
enum pattern { PATTERN_INT, PATTERN_FLOAT, PATTERN_HARDWARE, PATTERN_DATE, PATTERNS };

static const char *const patterns[PATTERNS] = {
    [PATTERN_INT] = "^([-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+"
                    "|[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+)$",
    [PATTERN_FLOAT] = "^([-+]?[0-9][0-9_]*\\.[0-9_]*([eE][-+][0-9]+)?"
                      "|\\.[0-9][0-9_]*([eE][-+][0-9]+)?"
                      "|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\\.[0-9_]*"
                      "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN))$",
    [PATTERN_HARDWARE] = "^([-+]?[0-9][0-9_]*\\.[0-9_]*([eE][-+]?[0-9]+)?"
                         "|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+"
                         "|\\.[0-9_]*[0-9][0-9_]*([eE][-+][0-9]+)?)$",
    [PATTERN_DATE] = "^([0-9]{4}-[0-9]{2}-[0-9]{2}"
                     "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}"
                     "(\\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?)$",
};

struct anchor {
    char *name;
    int node;
    bool complete; /* all of what it stands for has been read */
};

struct yaml_reader {
    struct values_builder *builder;
    bool hardware;             /* a hardware file */
    regex_t pattern[PATTERNS]; /* compiled */
    char *key;                 /* read, its value is next; NULL: none */
    bool merging;              /* the key << has been read, its value is next */
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
           reader->key == NULL && !reader->merging;
}

static bool word_is_one_of(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* Words ---------------------------------------------------------------------------------------- */

/* A word as it is understood. */
struct word {
    enum node_kind kind;
    double number;
    bool whole;
    const char *means; /* what it is, if it looks like something else */
    const char *wrong; /* what is to be done about a word that PyYAML does not read, else NULL */
};

/* Returns the number that digits between colons are in base 60, "1:30.5". */
static double read_sixties(const char *digits)
{
    double number = 0, part;
    char *end;

    for (;; digits = end + 1) {
        part = strtod(digits, &end);
        number = 60 * number + part;
        if (*end != ':')
            return number;
    }
}

static double read_base(const char *digits, int base)
{
    double number = 0;

    for (; *digits != '\0'; digits++)
        number = base * number + (*digits <= '9' ? *digits - '0' : (*digits | 0x20) - 'a' + 10);
    return number;
}

/* Reads a word that a pattern accepts. */
static double read_digits(const char *text, bool whole)
{
    char digits[128];
    size_t length = 0;
    double sign = *text == '-' ? -1 : 1, number;
    const char *end;

    for (text += *text == '-' || *text == '+'; *text != '\0' && length + 1 < sizeof digits; text++)
        if (*text != '_')
            digits[length++] = *text;
    digits[length] = '\0';
    if (digits[0] == '.' && strchr("iI", digits[1]) != NULL)
        return sign * INFINITY;
    if (digits[0] == '.' && strchr("nN", digits[1]) != NULL)
        return NAN;
    if (strchr(digits, ':') != NULL)
        return sign * read_sixties(digits);
    if (whole && digits[0] == '0' && digits[1] == 'b')
        return sign * read_base(digits + 2, 2);
    if (whole && digits[0] == '0' && digits[1] == 'x')
        return sign * read_base(digits + 2, 16);
    if (whole && digits[0] == '0')
        return sign * read_base(digits, 8);
    return number_parse(digits, &number, &end) == STATUS_OK ? sign * number : NAN;
}

static bool matches(struct yaml_reader *reader, enum pattern pattern, const char *text)
{
    enum { ENOUGH = 65536 };
    int result;

    /* without memory glibc may also say that a text does not match */
    free(allocate(ENOUGH));
    result = regexec(&reader->pattern[pattern], text, 0, NULL, 0);

    if (result == REG_ESPACE)
        allocation_failed();
    return result == 0;
}

/* Returns true for a text that looks like a number. */
static bool looks_like_number(const char *text)
{
    double number;
    const char *end;

    return number_parse(text, &number, &end) == STATUS_OK && *end == '\0';
}

/* Returns why a text that looks like a number is none. */
static const char *explain_text(const char *text)
{
    if (strpbrk(text, "eE") != NULL)
        return "a text in YAML 1.1, where an exponent follows a point and has a sign, as in 1.0e+9";
    if (strchr(text, '.') != NULL)
        return "a text in YAML 1.1, where a digit stands between a sign and the point";
    return "a text in YAML 1.1, where no 8 or 9 follows a first 0";
}

/* Returns true for a prefix of base 2 or 16 alone, such as 0x_. */
static bool has_no_digits(const char *text)
{
    const char *prefix = strpbrk(text, "bx");

    return prefix != NULL && prefix[-1] == '0' && prefix[1 + strspn(prefix + 1, "_")] == '\0';
}

static struct word read_word(struct yaml_reader *reader, const char *text)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const yes[] = {"yes",  "Yes", "YES", "true", "True",
                                      "TRUE", "on",  "On",  "ON",   NULL};
    static const char *const no[] = {"no",    "No",  "NO",  "false", "False",
                                     "FALSE", "off", "Off", "OFF",   NULL};
    struct word word = {.kind = NODE_TEXT};

    if (word_is_one_of(text, nulls))
        return (struct word){.kind = NODE_NULL};
    if (word_is_one_of(text, yes) || word_is_one_of(text, no))
        return (struct word){.kind = NODE_BOOL,
                             .number = word_is_one_of(text, yes),
                             .means = strchr("tTfF", *text) != NULL ? NULL
                                      : word_is_one_of(text, yes)   ? "true in YAML 1.1"
                                                                    : "false in YAML 1.1"};
    word.whole = matches(reader, PATTERN_INT, text);
    if (word.whole || matches(reader, PATTERN_FLOAT, text) ||
        (reader->hardware && matches(reader, PATTERN_HARDWARE, text))) {
        word.kind = NODE_NUMBER;
        if (word.whole && has_no_digits(text))
            word.wrong = "it has no digit";
        word.number = read_digits(text, word.whole);
        if (strchr(text, ':') != NULL)
            word.means = "in base 60";
        else if (word.whole && strpbrk(text, "_bx") == NULL && strtod(text, NULL) != word.number)
            word.means = "in base 8, since it begins with 0";
        return word;
    }
    if (strcmp(text, "=") == 0 || strcmp(text, "<<") == 0)
        word.wrong = "quote it if it is a text";
    else if (matches(reader, PATTERN_DATE, text))
        word.means = "a date in YAML 1.1";
    else if (looks_like_number(text))
        word.means = explain_text(text);
    return word;
}

/* Nodes ---------------------------------------------------------------------------------------- */

static enum status refuse_word(struct yaml_reader *reader, int line, const char *what,
                               const char *word, const char *allowed)
{
    char shown[VALUES_SHOWN_MAX];

    utf8_excerpt(shown, sizeof shown, word, strlen(word));
    return values_refuse(reader->builder, line, "the %s %s is not read; %s", what, shown, allowed);
}

/* Returns the kind that a tag of YAML's core asks for, "int"; empty: none, NULL after a problem. */
static const char *read_tag(struct yaml_reader *reader, const yaml_char_t *tag, int line)
{
    static const char core[] = "tag:yaml.org,2002:";
    static const char *const known[] = {"map", "seq", "str", "int", "float", "bool", "null", NULL};
    const char *text = (const char *)tag;

    if (text == NULL || strcmp(text, "!") == 0)
        return "";
    if (strncmp(text, core, sizeof core - 1) == 0 && word_is_one_of(text + sizeof core - 1, known))
        return text + sizeof core - 1;
    refuse_word(reader, line, "tag", text,
                "write maps, lists, texts and numbers, as yaml.safe_dump does");
    return NULL;
}

/* Reads a word whose tag states its kind. */
static struct word read_tagged(struct yaml_reader *reader, const char *tag, const char *text)
{
    struct word word = read_word(reader, text);
    bool number = word.kind == NODE_NUMBER && word.wrong == NULL;

    if (strcmp(tag, "str") == 0)
        return (struct word){.kind = NODE_TEXT};
    if (strcmp(tag, "null") == 0)
        return (struct word){.kind = NODE_NULL};
    if (strcmp(tag, "float") == 0 &&
        (looks_like_number(text) || (number && strpbrk(text, "bx") == NULL)))
        return (struct word){.kind = NODE_NUMBER, .number = read_digits(text, false)};
    if ((strcmp(tag, "int") == 0 && number && word.whole) ||
        (strcmp(tag, "bool") == 0 && word.kind == NODE_BOOL))
        return word;
    return (struct word){.wrong = "it is not of the kind that its tag states"};
}

/* Takes the next key; NULL in a list. */
static struct node *put_node(struct yaml_reader *reader, enum node_kind kind, int line,
                             const char *text)
{
    struct node *node = values_put(reader->builder, kind, line, reader->key, text);

    free(reader->key);
    reader->key = NULL;
    reader->merging = false;
    return node;
}

/* Remembers the node that is put last under a name. */
static enum status add_anchor(struct yaml_reader *reader, const char *name, int line, bool complete)
{
    if (name == NULL)
        return STATUS_OK;
    if (reader->anchors == ANCHORS_MAX)
        return values_refuse(reader->builder, line,
                             "more than %d anchors (&%s); a pipeline has fewer", ANCHORS_MAX, name);
    for (int i = 0; i < reader->anchors; i++)
        if (strcmp(reader->anchor[i].name, name) == 0)
            return refuse_word(reader, line, "anchor", name, "it is given twice");
    reader->anchor[reader->anchors++] =
        (struct anchor){allocate_text(name), reader->builder->tree->count - 1, complete};
    return STATUS_OK;
}

static void read_key(struct yaml_reader *reader, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;

    reader->merging = event->data.scalar.plain_implicit && strcmp(text, "<<") == 0;
    if (!reader->merging)
        reader->key = allocate_text(text);
}

static enum status read_scalar(struct yaml_reader *reader, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    const char *tag = read_tag(reader, event->data.scalar.tag, event_line(event));
    struct word word = {.kind = NODE_TEXT};
    struct node *node;

    if (tag == NULL)
        return STATUS_INVALID;
    if (strlen(text) != event->data.scalar.length)
        return values_refuse(reader->builder, event_line(event),
                             "the text has a zero character; remove it");
    if (wants_key(reader)) {
        read_key(reader, event);
        return STATUS_OK;
    }
    if (tag[0] != '\0')
        word = read_tagged(reader, tag, text);
    else if (event->data.scalar.plain_implicit)
        word = read_word(reader, text);
    if (word.wrong != NULL)
        return refuse_word(reader, event_line(event), "word", text, word.wrong);
    node = put_node(
        reader, word.kind, event_line(event),
        word.kind == NODE_TEXT || word.kind == NODE_NUMBER || word.means != NULL ? text : NULL);
    if (node == NULL)
        return STATUS_INVALID;
    node->number = word.number;
    node->whole = word.whole;
    node->means = word.means;
    return add_anchor(reader, (const char *)event->data.scalar.anchor, event_line(event), true);
}

static enum status open_node(struct yaml_reader *reader, const yaml_event_t *event)
{
    bool map = event->type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *tag = map ? event->data.mapping_start.tag : event->data.sequence_start.tag;
    const yaml_char_t *name =
        map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    struct node *node;

    if (read_tag(reader, tag, event_line(event)) == NULL)
        return STATUS_INVALID;
    if (wants_key(reader))
        return values_refuse(reader->builder, event_line(event),
                             "a key is a map or a list; a key is a text");
    node = put_node(reader, map ? NODE_MAP : NODE_LIST, event_line(event), NULL);
    if (node == NULL)
        return STATUS_INVALID;
    return add_anchor(reader, (const char *)name, event_line(event), false);
}

/* Puts a copy of a value, or a reference to a map or list, under the key that is read. */
static enum status put_again(struct yaml_reader *reader, int number, int line)
{
    struct node meant = reader->builder->tree->node[number];
    struct node *node = put_node(reader, meant.kind, line, meant.text);

    if (node == NULL)
        return STATUS_INVALID;
    node->number = meant.number;
    node->whole = meant.whole;
    node->means = meant.means;
    if (meant.kind >= NODE_LIST) {
        values_close(reader->builder);
        node->count = meant.count;
        node->alias = meant.alias >= 0 ? meant.alias : number;
    }
    return STATUS_OK;
}

/* Adds the members of a map to the open one that has no such key. */
static enum status merge_map(struct yaml_reader *reader, const struct node *map)
{
    struct values *tree = reader->builder->tree;
    int open = reader->builder->open[reader->builder->depth - 1];
    const struct node *first = values_first(tree, map);
    int member = first == NULL ? -1 : (int)(first - tree->node);
    enum status status = STATUS_OK;

    for (; member >= 0 && status == STATUS_OK; member = tree->node[member].next) {
        const char *key = tree->node[member].key;
        bool there = key == NULL;

        for (int i = tree->node[open].first; i >= 0 && !there; i = tree->node[i].next)
            there = tree->node[i].key != NULL && strcmp(tree->node[i].key, key) == 0;
        if (there)
            continue;
        reader->key = allocate_text(key);
        status = put_again(reader, member, tree->node[member].line);
    }
    return status;
}

/* Gives the open map the members of what a key << names: a map or a list of maps, the first of
 * which counts. */
static enum status merge_value(struct yaml_reader *reader, int merge)
{
    struct values *tree = reader->builder->tree;
    const struct node *first = values_first(tree, &tree->node[merge]);
    int member = first == NULL ? -1 : (int)(first - tree->node);
    int line = tree->node[merge].line;
    bool maps = tree->node[merge].kind == NODE_LIST;
    enum status status = STATUS_OK;

    tree->node[merge].read = true;
    if (tree->node[merge].kind == NODE_MAP)
        return merge_map(reader, &tree->node[merge]);
    for (; maps && member >= 0 && status == STATUS_OK; member = tree->node[member].next) {
        maps = tree->node[member].kind == NODE_MAP;
        if (maps)
            status = merge_map(reader, &tree->node[member]);
    }
    return maps ? status
                : refuse_word(reader, line, "merge key", "<<", "it names a map or a list of maps");
}

/* Merges what the keys << of the open map name, which are members without a key; the last
 * counts. */
static enum status merge_members(struct yaml_reader *reader)
{
    const struct values *tree = reader->builder->tree;
    int open = reader->builder->open[reader->builder->depth - 1];
    int merge = tree->count;
    enum status status = STATUS_OK;

    while (merge >= 0 && status == STATUS_OK) {
        int before = merge;

        merge = -1;
        for (int i = tree->node[open].first; i >= 0 && i < before; i = tree->node[i].next)
            if (tree->node[i].key == NULL)
                merge = i;
        if (merge >= 0)
            status = merge_value(reader, merge);
    }
    return status;
}

static enum status close_node(struct yaml_reader *reader)
{
    struct values_builder *builder = reader->builder;
    int closed = builder->open[builder->depth - 1];
    enum status status = STATUS_OK;

    if (builder->tree->node[closed].kind == NODE_MAP)
        status = merge_members(reader);
    for (int i = 0; i < reader->anchors; i++)
        if (reader->anchor[i].node == closed)
            reader->anchor[i].complete = true;
    values_close(builder);
    return status;
}

/* Puts what an anchor of this name stands for. */
static enum status read_alias(struct yaml_reader *reader, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    int i = reader->anchors - 1;

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
    return put_again(reader, reader->anchor[i].node, event_line(event));
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
    if (parser->error == YAML_MEMORY_ERROR)
        allocation_failed();
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

static void compile_patterns(regex_t compiled[PATTERNS])
{
    for (int i = 0; i < PATTERNS; i++)
        if (regcomp(&compiled[i], patterns[i], REG_EXTENDED | REG_NOSUB) != 0)
            allocation_failed();
}

enum status yaml_read(struct values_builder *builder, const char *bytes, size_t length,
                      bool hardware)
{
    struct yaml_reader *reader = allocate_array(1, sizeof *reader);
    yaml_parser_t parser;
    enum status status;

    reader->builder = builder;
    reader->hardware = hardware;
    compile_patterns(reader->pattern);
    if (yaml_parser_initialize(&parser) == 0)
        allocation_failed();
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, length);
    status = read_events(reader, &parser);
    yaml_parser_delete(&parser);
    for (int i = 0; i < PATTERNS; i++)
        regfree(&reader->pattern[i]);
    for (int i = 0; i < reader->anchors; i++)
        free(reader->anchor[i].name);
    free(reader->key);
    free(reader);
    return status;
}
