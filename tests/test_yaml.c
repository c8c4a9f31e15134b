/* YAML as daolite's reader has it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "import/parse.h"
#include "rows.h"

static void describe(const struct node *node, char text[64])
{
    if (node->kind != NODE_NUMBER)
        snprintf(text, 64, "%s",
                 node->kind == NODE_TEXT   ? "text"
                 : node->kind == NODE_NULL ? "null"
                 : node->number != 0       ? "true"
                                           : "false");
    else
        snprintf(text, 64, "%s %.17g", node->whole ? "whole" : "number", node->number);
}

/* Reads a file and describes the member k of its root or of the last member of that; returns
 * whether it has a remark. */
static bool read_member(const char *file, enum parse_file kind, char text[64])
{
    struct values tree = {0};
    struct problems problems = {0};
    const struct node *map, *k = NULL;
    bool remark = false;

    snprintf(text, 64, "nothing");
    if (parse_text(&tree, "it.yaml", file, strlen(file), kind, &problems) == STATUS_OK) {
        map = &tree.node[0];
        for (const struct node *n = values_first(&tree, map);
             n != NULL && tree.node[0].kind == NODE_LIST; n = values_next(&tree, n))
            map = n;
        k = values_member(&tree, map, "k");
    }
    if (k != NULL) {
        describe(k, text);
        remark = k->means != NULL && k->kind != NODE_BOOL;
    }
    if (problems.count > 0)
        snprintf(text, 64, "%.60s", problems.list[0].message);
    values_free(&tree);
    problems_free(&problems);
    return remark;
}

static void check_word(const struct row *row)
{
    char file[100], text[64];
    bool remark;

    snprintf(file, sizeof file, "k: %.80s\n", row->field[0]);
    remark = read_member(file, PARSE_PIPELINE, text);
    ROW_STR(row, text, row->field[1]);
    ROW_TRUE(row, remark == (strcmp(row->field[3], "remark") == 0), "%s: %s remark", row->field[0],
             remark ? "a" : "no");
    read_member(file, PARSE_HARDWARE, text);
    ROW_STR(row, text, row->field[2]);
}

TEST(words)
{
    rows_each("yaml.txt", "words", 4, check_word);
}

static void check_member(const struct row *row)
{
    char text[64];

    read_member(row->field[0], PARSE_PIPELINE, text);
    ROW_STR(row, text, row->field[1]);
}

TEST(members)
{
    rows_each("yaml.txt", "members", 2, check_member);
}
