#include "report/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "model/result_read.h"

#define EXPLAIN_SCHEMA 1
#define INDENT 2
#define ALIKE_SHOWN 3 /* children shown if more than ALIKE_MOST have the same name: the largest */
#define ALIKE_MOST 12 /* the steps of a critical path are no more */
#define CLOSED_NOTE                                                                                \
    "A line that ends in ... has inputs: aolag explain DESIGN 'PATH' shows them, --depth N shows " \
    "N levels of all lines, and --all everything."
#define LINES_MOST 40 /* of a tree whose depth is not stated, unless one level takes more */

/* Hash set of the printed paths. */
struct paths {
    char **entry; /* NULL: free slot */
    size_t count, size;
};

static void paths_free(struct paths *paths)
{
    for (size_t i = 0; i < paths->size; i++)
        free(paths->entry[i]);
    free(paths->entry);
}

static char **find_entry(const struct paths *paths, const char *path)
{
    size_t hash = 5381;

    for (const char *at = path; *at != '\0'; at++)
        hash = hash * 33 + (unsigned char)*at;
    while (paths->entry[hash % paths->size] != NULL &&
           strcmp(paths->entry[hash % paths->size], path) != 0)
        hash++;
    return &paths->entry[hash % paths->size];
}

/* Doubles the table when it is half full. */
static void grow_paths(struct paths *paths)
{
    struct paths larger = {NULL, paths->count, paths->size == 0 ? 256 : 2 * paths->size};

    if (2 * paths->count < paths->size)
        return;
    larger.entry = allocate_array(larger.size, sizeof *larger.entry);
    for (size_t i = 0; i < paths->size; i++)
        if (paths->entry[i] != NULL)
            *find_entry(&larger, paths->entry[i]) = paths->entry[i];
    free(paths->entry);
    *paths = larger;
}

/* Adds a path. Returns true if the set already contained it. */
static bool seen_before(struct paths *paths, const char *path)
{
    char **entry;

    grow_paths(paths);
    entry = find_entry(paths, path);
    if (*entry != NULL)
        return true;
    *entry = allocate_text(path);
    paths->count++;
    return false;
}

/* Returns true if the value is a count, such as pixels or bytes, which is printed exactly. */
static bool is_count(const struct explain_node *node)
{
    const char *unit = explain_si_unit(node);
    bool things = unit == NULL || strcmp(unit, "px") == 0 || strcmp(node->unit, "B") == 0;

    return things && node->value == floor(node->value) && fabs(node->value) < 1e5;
}

void explain_value(const struct explain *explain, const struct explain_node *node, bool unicode,
                   char *text, size_t size)
{
    char words[2304];

    if (node->knob.knob == NULL) {
        if (is_count(node))
            snprintf(text, size, "%.0f%s%s", node->value, node->unit[0] != '\0' ? " " : "",
                     node->unit);
        else if (node->value == 0) /* not "0.00 s" */
            snprintf(text, size, "0 %s", explain_si_unit(node));
        else
            text_quantity(node->value, node->unit, unicode, text, size);
        return;
    }
    knob_print(explain->scenario, node->knob, words, sizeof words);
    text_clean(words[0] != '\0' ? words : "-", unicode, text, size);
}

/* Text ----------------------------------------------------------------------------------------- */

struct printer {
    FILE *out;
    const struct explain *explain;
    struct paths seen;
    int depth;
    bool all;     /* of many alike too */
    bool is_less; /* inputs of a line or lines were left out */
    int columns;
    bool unicode;
};

/* Returns the name, but the path of the root, of one of several alike and of selecting knobs. */
static const char *node_label(const struct explain_node *node)
{
    bool by_path = node->name[0] == '\0' || strchr(node->name, '*') != NULL || node->chooses;

    return by_path ? node->path : node->name;
}

/* Returns true for the estimate that stands beside the servo lag of the loop: lines say so. */
static bool is_quick(const struct explain_node *node)
{
    return node->key != NULL && strcmp(node->key, result_rows[RESULT_LOOP_SERVO_LAG].key) == 0;
}

/* Writes the line of a node that is called `label`. */
static void node_line(const struct explain *explain, const struct explain_node *node,
                      const char *label, bool help, bool unicode, char *line, size_t size)
{
    struct buffer text = buffer_over(line, size);
    char value[256];

    explain_value(explain, node, unicode, value, sizeof value);
    buffer_print(&text, "%s = %s", label, value);
    if (node->formula[0] != '\0')
        buffer_print(&text, " = %s", node->formula);
    if (node->origin != EXPLAIN_DERIVED)
        buffer_print(&text, " (%s)", explain_origin_name(node->origin));
    if (node->help != NULL &&
        (help || is_quick(node) || (node->formula[0] == '\0' && node->rule != NULL)))
        buffer_print(&text, ": %s", node->help);
}

static void print_node(struct printer *printer, const struct explain_node *node, int level);

void explain_line(const struct explain *explain, const struct explain_node *node, bool help,
                  bool unicode, char *line, size_t size)
{
    node_line(explain, node, node_label(node), help, unicode, line, size);
}

/* Prints a line, which ends with `end`. */
static void print_line(struct printer *printer, const struct explain_node *node, const char *label,
                       int level, const char *end)
{
    char line[EXPLAIN_LINE_MAX];
    int indent = INDENT * level;

    node_line(printer->explain, node, label, level == 0, printer->unicode, line, sizeof line);
    strncat(line, end, sizeof line - strlen(line) - 1);
    fprintf(printer->out, "%*s", indent, "");
    text_fill(printer->out, line, indent, indent + 2 * INDENT, printer->columns);
}

/* Returns the number of children from `number` on that have the same name. */
static int count_alike(const struct explain *explain, const struct explain_node *node, int number)
{
    struct explain_node first;
    struct explain_node child;
    int count = 0;

    explain_child(explain, node, number, &first);
    while (explain_child(explain, node, number + count, &child) &&
           strcmp(child.name, first.name) == 0)
        count++;
    return count;
}

/* Finds the largest of `count` children from `first` on, equal ones in order. */
static void find_largest(const struct explain *explain, const struct explain_node *node, int first,
                         int count, int largest[ALIKE_SHOWN])
{
    double sizes[ALIKE_SHOWN];
    int found = 0;

    for (int i = first; i < first + count; i++) {
        struct explain_node child;
        double size;
        int at;

        explain_child(explain, node, i, &child);
        size = child.value == RESULT_NONE ? 0 : fabs(child.value);
        for (at = found; at > 0 && sizes[at - 1] < size; at--)
            if (at < ALIKE_SHOWN) {
                sizes[at] = sizes[at - 1];
                largest[at] = largest[at - 1];
            }
        if (at < ALIKE_SHOWN) {
            sizes[at] = size;
            largest[at] = i;
        }
        found += found < ALIKE_SHOWN;
    }
}

static bool contains(const int numbers[ALIKE_SHOWN], int number)
{
    for (int i = 0; i < ALIKE_SHOWN; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

static void print_children(struct printer *printer, const struct explain_node *node, int level)
{
    struct explain_node child;
    int number = 0;

    while (explain_child(printer->explain, node, number, &child)) {
        int alike = count_alike(printer->explain, node, number);
        bool some = alike > ALIKE_MOST && !printer->all;
        int largest[ALIKE_SHOWN];

        if (some)
            find_largest(printer->explain, node, number, alike, largest);
        for (int i = number; i < number + alike; i++) {
            if (some && !contains(largest, i))
                continue;
            explain_child(printer->explain, node, i, &child);
            print_node(printer, &child, level);
        }
        if (some) {
            fprintf(printer->out, "%*s... and %d more, none larger\n", INDENT * level, "",
                    alike - ALIKE_SHOWN);
            printer->is_less = true;
        }
        number += alike;
    }
}

static void print_node(struct printer *printer, const struct explain_node *node, int level)
{
    bool made = explain_is_made(printer->explain, node);
    bool again = made && seen_before(&printer->seen, node->path);
    bool closed = made && !again && level >= printer->depth;

    print_line(printer, node, closed ? node->path : node_label(node), level,
               again    ? " (see above)"
               : closed ? " ..."
                        : "");
    printer->is_less |= closed;
    if (!again && !closed)
        print_children(printer, node, level + 1);
}

/* Printer of the quantities that use a knob: of many with the same key and component only a few. */
struct users {
    struct printer *printer;
    const char *heading;
    const char *key; /* of the last quantity */
    struct explain_subject subject;
    int alike;
};

static void print_omitted(struct users *users)
{
    if (users->alike > ALIKE_SHOWN && !users->printer->all)
        fprintf(users->printer->out, "%*s... and %d more; --all shows them\n", INDENT, "",
                users->alike - ALIKE_SHOWN);
    users->alike = 0;
}

static void print_user(void *context, const struct explain_node *user)
{
    struct users *users = context;

    if (users->key == NULL)
        fprintf(users->printer->out, "%s\n", users->heading);
    if (users->key != user->key || users->subject.kind != user->subject.kind ||
        users->subject.index != user->subject.index)
        print_omitted(users);
    users->key = user->key;
    users->subject = user->subject;
    if (users->alike++ < ALIKE_SHOWN || users->printer->all)
        print_line(users->printer, user, node_label(user), 1, "");
}

const char *explain_useless(const struct explain_node *knob)
{
    if (knob->knob.knob->type == KNOB_TEXT)
        return "This is a name; no result depends on it";
    if (knob->knob.knob->type == KNOB_PRESET)
        return "The values marked as stated in the device come from this preset";
    return "No formula of this design uses it";
}

static void print_users(struct printer *printer, const struct explain_node *knob)
{
    static const char *const headings[] = {EXPLAIN_NAMED, EXPLAIN_CHOOSES};
    int found = 0;

    for (int chooses = 0; chooses < 2; chooses++) {
        struct users users = {.printer = printer, .heading = headings[chooses]};

        found += explain_users(printer->explain, knob, chooses, print_user, &users);
        print_omitted(&users);
    }
    if (found == 0)
        fprintf(printer->out, "%s\n", explain_useless(knob));
}

/* Prints the tree and, of a knob, what uses it. Returns true if lines were left out. */
static bool print_tree(const struct record *record, FILE *out, const struct explain *explain,
                       const struct explain_node *root, int depth, bool all)
{
    struct printer printer = {.out = out,
                              .explain = explain,
                              .depth = depth,
                              .all = all,
                              .columns = record->width,
                              .unicode = record->unicode};

    print_node(&printer, root, 0);
    if (root->knob.knob != NULL && depth > 0)
        print_users(&printer, root);
    paths_free(&printer.seen);
    return printer.is_less;
}

/* Returns the largest depth, but at least 1, at which the tree has at most LINES_MOST lines. */
static int fitting_depth(const struct record *record, const struct explain *explain,
                         const struct explain_node *root)
{
    bool is_less = true;
    int lines = 0;
    int depth = 1;

    while (is_less && lines <= LINES_MOST && depth < EXPLAIN_DEPTH_MAX) {
        char *text = NULL;
        size_t length = 0;
        FILE *out = allocate_stream(&text, &length);

        depth++;
        is_less = print_tree(record, out, explain, root, depth, false);
        fclose(out);
        for (lines = 0; length > 0; length--)
            lines += text[length - 1] == '\n';
        free(text);
    }
    return lines > LINES_MOST ? depth - 1 : depth;
}

static void print_text(const struct record *record, const struct explain *explain,
                       const struct explain_node *root, int depth, bool all)
{
    bool is_less;

    if (depth == EXPLAIN_DEPTH_FITS)
        depth = all ? EXPLAIN_DEPTH_MAX : fitting_depth(record, explain, root);
    is_less = print_tree(record, record->out, explain, root, depth, all);
    if (is_less && depth > 0)
        text_fill(record->out, CLOSED_NOTE, 0, 0, record->width);
}

/* Data ----------------------------------------------------------------------------------------- */

/* Opens the object of a node. */
static void put_fields(struct record *record, const struct explain *explain,
                       const struct explain_node *node)
{
    char text[256];

    explain_value(explain, node, true, text, sizeof text);
    record_object(record, NULL, NULL, true);
    record_text(record, "path", NULL, node->path);
    record_text(record, "name", NULL, node->name[0] != '\0' ? node->name : NULL);
    record_number(record, "value", NULL, "", node->value);
    record_text(record, "text", NULL, text);
    record_text(record, "unit", NULL, explain_si_unit(node));
    record_text(record, "formula", NULL, node->formula[0] != '\0' ? node->formula : NULL);
    record_text(record, "origin", NULL, explain_origin_name(node->origin));
    record_text(record, "help", NULL, node->help);
    record_bool(record, "knob", NULL, node->knob.knob != NULL);
    record_bool(record, "chooses", NULL, node->chooses);
}

static void put_node(struct record *record, const struct explain *explain, struct paths *seen,
                     const struct explain_node *node, int depth)
{
    bool again = explain_is_made(explain, node) && seen_before(seen, node->path);
    struct explain_node child;

    put_fields(record, explain, node);
    record_bool(record, "repeated", NULL, again);
    record_array(record, "children", true);
    for (int i = 0; depth > 0 && !again && explain_child(explain, node, i, &child); i++)
        put_node(record, explain, seen, &child, depth - 1);
    record_array_end(record);
    record_object_end(record);
}

/* Puts every result of the design, without formulas. */
static void put_results(struct record *record, const struct explain *explain)
{
    for (const struct result_row *row = result_rows; row < result_rows + RESULT_ROW_COUNT; row++)
        for (int i = 0; i < result_count(explain->result, row->scope); i++) {
            struct explain_node node;
            char path[EXPLAIN_PATH_MAX];
            char text[256];

            explain_path(explain, row, i, path, sizeof path);
            if (explain_find(explain, path, &node, NULL) != STATUS_OK)
                continue;
            put_fields(record, explain, &node);
            record_object_end(record);
            explain_value(explain, &node, record->unicode, text, sizeof text);
            if (record->format == RECORD_TEXT)
                fprintf(record->out, "%s = %s%s%s\n", path, text, is_quick(&node) ? ": " : "",
                        is_quick(&node) ? node.help : "");
        }
}

void explain_report(struct record *record, const struct explain *explain,
                    const struct explain_node *root, int depth, bool all)
{
    struct paths seen = {NULL, 0, 0};

    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, EXPLAIN_SCHEMA);
    record_array(record, "results", true);
    if (root == NULL)
        put_results(record, explain);
    else if (record_is_data(record))
        put_node(record, explain, &seen, root,
                 depth == EXPLAIN_DEPTH_FITS ? EXPLAIN_DEPTH_MAX : depth);
    else
        print_text(record, explain, root, depth, all);
    record_array_end(record);
    record_object_end(record);
    paths_free(&seen);
}
