#include "explore/shard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"

#define HEADING "aolag search 1"
#define NUMBER_MAX 9007199254740992 /* of a design: SWEEP_DESIGNS_MAX */

/* Writing -------------------------------------------------------------------------------------- */

static void print_counts(const char *word, const uint64_t count[SEARCH_VERDICTS],
                         struct buffer *text)
{
    buffer_text(text, word);
    for (int v = 0; v < SEARCH_VERDICTS; v++)
        buffer_print(text, " %" PRIu64, count[v]);
    buffer_text(text, "\n");
}

static void print_front(const char *word, const struct search *search,
                        const struct search_front *front, struct buffer *text)
{
    int objectives = search->sweep.wanted_count;

    buffer_print(text, "%s %d %d\n", word, objectives, front->count);
    for (int i = 0; i < front->count; i++) {
        buffer_print(text, "%" PRIu64, front->point[i].number);
        for (int k = 0; k < objectives; k++)
            buffer_print(text, " %.17g", front->point[i].value[k]);
        buffer_text(text, "\n");
    }
}

void shard_print(const struct search *search, uint64_t block, uint64_t blocks,
                 const char *const *argument, int argument_count, struct buffer *text)
{
    buffer_text(text, HEADING "\n");
    for (int i = 0; i < argument_count; i++)
        buffer_print(text, "argument %s\n", argument[i]);
    buffer_print(text, "block %" PRIu64 " of %" PRIu64 "\n", block, blocks);
    buffer_print(text, "designs %" PRIu64 "\n", search->designs);
    print_counts("verdicts", search->count, text);
    buffer_print(text, "problem %s\n",
                 search->count[SWEEP_INVALID] > 0 ? search->problem.message : "");
    print_front("front", search, &search->front, text);
    if (search->why != NULL) {
        print_counts("why", search->why_count, text);
        print_front("best", search, &search->why_front, text);
    }
    buffer_text(text, "end\n");
}

/* Reading -------------------------------------------------------------------------------------- */

/* The lines of a file. */
struct shard_lines {
    char *next; /* NULL: there are no more */
    int number; /* of `text`, from 1 */
    char *text; /* the present line */
    struct problems *problems;
};

static enum status refuse(const struct shard_lines *lines, const char *expected)
{
    problems_add(lines->problems, lines->number, "this is no block of a search; expected %s",
                 expected);
    return STATUS_INVALID;
}

/* Goes to the next line, which is empty at the end. */
static void next_line(struct shard_lines *lines)
{
    static char empty[] = "";

    lines->text = lines->next != NULL ? strsep(&lines->next, "\n") : empty;
    lines->number++;
}

/* Skips a word and the blank behind it. Returns false if the line does not begin with it. */
static bool skip_word(struct shard_lines *lines, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(lines->text, word, length) != 0 || lines->text[length] != ' ')
        return false;
    lines->text += length + 1;
    return true;
}

/* Reads a number and skips the blank behind it. */
static bool read_number(struct shard_lines *lines, double *number)
{
    const char *end;

    if (number_parse(lines->text, number, &end) != STATUS_OK || (*end != ' ' && *end != '\0'))
        return false;
    lines->text += end - lines->text + (*end == ' ');
    return true;
}

static bool read_whole(struct shard_lines *lines, uint64_t most, uint64_t *whole)
{
    double number;

    if (!read_number(lines, &number) || number < 0 || number > (double)most ||
        number != (double)(uint64_t)number)
        return false;
    *whole = (uint64_t)number;
    return true;
}

static bool read_counts(struct shard_lines *lines, const char *word,
                        uint64_t count[SEARCH_VERDICTS])
{
    if (!skip_word(lines, word))
        return false;
    for (int v = 0; v < SEARCH_VERDICTS; v++)
        if (!read_whole(lines, NUMBER_MAX, &count[v]))
            return false;
    return lines->text[0] == '\0';
}

static int by_number(const void *a, const void *b)
{
    uint64_t first = ((const struct search_point *)a)->number;
    uint64_t second = ((const struct search_point *)b)->number;

    return (first > second) - (first < second);
}

static enum status read_point(struct shard_lines *lines, const struct shard *shard,
                              struct search_point *point)
{
    *point = (struct search_point){.number = 0};
    next_line(lines);
    if (shard->designs == 0 || !read_whole(lines, shard->designs - 1, &point->number))
        return refuse(lines, "the number of a design and its values");
    for (int k = 0; k < shard->objectives; k++)
        if (!read_number(lines, &point->value[k]))
            return refuse(lines, "the number of a design and its values");
    return lines->text[0] == '\0' ? STATUS_OK
                                  : refuse(lines, "no more values than there are objectives");
}

static enum status read_front(struct shard_lines *lines, const char *word, struct shard *shard,
                              struct search_front *front)
{
    uint64_t objectives, count;

    if (!skip_word(lines, word) || !read_whole(lines, OBJECTIVES_MAX, &objectives) ||
        objectives == 0 || !read_whole(lines, SHARD_BYTES_MAX / 4, &count) ||
        lines->text[0] != '\0' ||
        (shard->objectives > 0 && objectives != (uint64_t)shard->objectives))
        return refuse(lines, "\"front\" or \"best\", the number of objectives and that of designs");
    shard->objectives = (int)objectives;
    for (uint64_t i = 0; i < count; i++) {
        struct search_point point;
        enum status status = read_point(lines, shard, &point);

        if (status == STATUS_OK && !search_append(front, &point))
            status = STATUS_MEMORY;
        if (status != STATUS_OK)
            return status;
    }
    qsort(front->point, (size_t)front->count, sizeof *front->point, by_number);
    for (int i = 1; i < front->count; i++)
        if (front->point[i - 1].number == front->point[i].number)
            return refuse(lines, "every design only once");
    return STATUS_OK;
}

static enum status read_arguments(struct shard_lines *lines, struct shard *shard)
{
    for (next_line(lines); skip_word(lines, "argument"); next_line(lines)) {
        size_t size = ((size_t)shard->argument_count + 1) * sizeof *shard->argument;
        char **more = allocate_again(shard->argument, size);

        if (more == NULL)
            return STATUS_MEMORY;
        shard->argument = more;
        more[shard->argument_count] = allocate_text(lines->text);
        if (more[shard->argument_count++] == NULL)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

static enum status read_block(struct shard_lines *lines, struct shard *shard)
{
    if (!skip_word(lines, "block") || !read_whole(lines, NUMBER_MAX, &shard->block) ||
        !skip_word(lines, "of") || !read_whole(lines, NUMBER_MAX, &shard->blocks) ||
        lines->text[0] != '\0' || shard->block < 1 || shard->block > shard->blocks)
        return refuse(lines, "\"block K of N\"");
    next_line(lines);
    if (!skip_word(lines, "designs") || !read_whole(lines, NUMBER_MAX, &shard->designs) ||
        lines->text[0] != '\0')
        return refuse(lines, "\"designs\" and their number");
    next_line(lines);
    if (!read_counts(lines, "verdicts", shard->count))
        return refuse(lines, "\"verdicts\" and numbers of designs");
    next_line(lines);
    if (!skip_word(lines, "problem"))
        return refuse(lines, "\"problem\"");
    if (lines->text[0] != '\0')
        error_set(&shard->problem, STATUS_INVALID, "%s", lines->text);
    return STATUS_OK;
}

static enum status read_fronts(struct shard_lines *lines, struct shard *shard)
{
    enum status status;

    next_line(lines);
    status = read_front(lines, "front", shard, &shard->front);
    next_line(lines);
    shard->why = status == STATUS_OK && strncmp(lines->text, "why ", strlen("why ")) == 0;
    if (!shard->why)
        return status;
    if (!read_counts(lines, "why", shard->why_count))
        return refuse(lines, "\"why\" and numbers of designs");
    next_line(lines);
    status = read_front(lines, "best", shard, &shard->why_front);
    next_line(lines);
    return status;
}

enum status shard_parse(const char *bytes, size_t length, struct shard *shard,
                        struct problems *problems)
{
    char *copy = allocate(length + 1);
    struct shard_lines lines = {.next = copy, .problems = problems};
    enum status status = STATUS_MEMORY;

    *shard = (struct shard){.argument = NULL};
    if (copy != NULL) {
        memcpy(copy, bytes, length);
        copy[length] = '\0';
        next_line(&lines);
        status = strcmp(lines.text, HEADING) == 0 ? read_arguments(&lines, shard)
                                                  : refuse(&lines, "\"" HEADING "\"");
    }
    if (status == STATUS_OK)
        status = read_block(&lines, shard);
    if (status == STATUS_OK)
        status = read_fronts(&lines, shard);
    if (status == STATUS_OK && strcmp(lines.text, "end") != 0)
        status = refuse(&lines, "\"end\": the file is not complete");
    if (status == STATUS_MEMORY)
        problems_add(problems, 0, "out of memory");
    free(copy);
    return status;
}

void shard_free(struct shard *shard)
{
    for (int i = 0; i < shard->argument_count; i++)
        free(shard->argument[i]);
    free(shard->argument);
    free(shard->front.point);
    free(shard->why_front.point);
    *shard = (struct shard){.argument = NULL};
}

/* Merging -------------------------------------------------------------------------------------- */

bool shard_same_search(const struct shard *a, const struct shard *b)
{
    if (a->argument_count != b->argument_count || a->blocks != b->blocks ||
        a->designs != b->designs || a->objectives != b->objectives || a->why != b->why)
        return false;
    for (int i = 0; i < a->argument_count; i++)
        if (strcmp(a->argument[i], b->argument[i]) != 0)
            return false;
    return true;
}

bool shard_add(struct search *search, const struct shard *shard)
{
    if (search->count[SWEEP_INVALID] == 0)
        search->problem = shard->problem;
    for (int v = 0; v < SEARCH_VERDICTS; v++) {
        search->count[v] += shard->count[v];
        search->why_count[v] += shard->why_count[v];
    }
    for (int i = 0; i < shard->front.count; i++)
        if (!search_add(search, &search->front, &shard->front.point[i]))
            return false;
    for (int i = 0; i < shard->why_front.count; i++)
        if (!search_add(search, &search->why_front, &shard->why_front.point[i]))
            return false;
    return true;
}
