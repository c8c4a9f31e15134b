#include "explore/shard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"
#include "base/embedded.h"
#include "base/hash.h"
#include "base/number.h"
#include "design/knob_text.h"
#include "model/result_read.h"

#define HEADING "aolag search 4"
#define NUMBER_MAX 9007199254740992 /* of a design: SWEEP_DESIGNS_MAX */

/* Checksum ------------------------------------------------------------------------------------- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t hash_number(uint64_t hash, double number)
{
    char text[40];

    snprintf(text, sizeof text, "%.17g", number);
    return hash_text(hash, text);
}

/* Adds the knobs of a design, or of one of its devices (`device`, -1: all). */
static uint64_t hash_design(uint64_t hash, const struct scenario *scenario, int device)
{
    struct knob_ref ref = {.knob = NULL};
    char text[KNOB_TEXT_SIZE];

    while (knob_next(scenario, &ref)) {
        if (device >= 0 && (ref.section != SECTION_DEVICE || ref.index != device))
            continue;
        knob_path(scenario, ref, text, sizeof text);
        hash = hash_text(hash, text);
        hash = hash_number(hash, knob_origin(scenario, ref));
        if (knob_is_number(ref.knob) && knob_formula(scenario, ref) == NULL) {
            hash = hash_number(hash, knob_number(scenario, ref));
        } else {
            knob_get_text(scenario, ref, text, sizeof text);
            hash = hash_text(hash, text);
        }
    }
    return hash;
}

/* Adds an axis; `work`: room for a design. */
static uint64_t hash_axis(uint64_t hash, const struct search *search, const struct axis *axis,
                          struct scenario *work)
{
    char path[RESULT_PATH_MAX];

    axis_path(axis, search->sweep.base, path, sizeof path);
    hash = hash_text(hash, path);
    for (int i = 0; i < axis->count; i++) {
        hash = axis->number != NULL ? hash_number(hash, axis->number[i])
                                    : hash_text(hash, axis->word[i]);
        if (axis->preset == NULL || axis->preset[i] == NULL)
            continue;
        scenario_copy(work, search->sweep.base);
        scenario_put_preset(work, axis->ref.index, axis->word[i], axis->preset[i]);
        hash = hash_design(hash, work, axis->ref.index);
    }
    return hash;
}

static uint64_t hash_result(uint64_t hash, const struct result_ref *ref)
{
    char path[RESULT_PATH_MAX];

    result_path(ref, path, sizeof path);
    return hash_text(hash, path);
}

static uint64_t hash_wishes(uint64_t hash, const struct search *search)
{
    for (int i = 0; i < search->sweep.wanted_count; i++)
        hash = hash_result(hash, &search->sweep.wanted[i]);
    for (int i = 0; i < search->conditions.count; i++) {
        const struct condition *condition = &search->conditions.list[i];

        hash = hash_number(hash_result(hash, &condition->left), condition->relation);
        hash = condition->against ? hash_result(hash, &condition->right)
                                  : hash_number(hash, condition->bound);
    }
    hash = hash_number(hash, search->sweep.any_host);
    return hash_text(hash, search->why != NULL ? search->why : "");
}

uint64_t shard_checksum(const struct search *search, const struct trace_library *files)
{
    const struct sweep *sweep = &search->sweep;
    struct scenario *work = allocate(sizeof *work);
    uint64_t hash = hash_text(hash_text(HASH_EMPTY, PACKAGE_VERSION), model_sum);

    hash = hash_design(hash, sweep->base, -1);
    hash = scenario_hash_files(sweep->base, files, hash);
    for (int i = 0; i < sweep->axis_count; i++)
        hash = hash_axis(hash, search, &sweep->axis[i], work);
    free(work);
    return hash_wishes(hash, search);
}

/* Writing -------------------------------------------------------------------------------------- */

static void print_counts(const char *word, const uint64_t count[SEARCH_VERDICTS],
                         struct buffer *text)
{
    buffer_text(text, word);
    for (int v = 0; v < SEARCH_VERDICTS; v++)
        buffer_print(text, " %" PRIu64, count[v]);
    buffer_text(text, "\n");
}

static void print_front(const char *word, int objectives, const struct search_front *front,
                        struct buffer *text)
{
    buffer_print(text, "%s %d %d\n", word, objectives, front->count);
    for (int i = 0; i < front->count; i++) {
        buffer_print(text, "%" PRIu64, front->point[i].number);
        for (int k = 0; k < objectives; k++)
            buffer_print(text, " %.17g", front->point[i].value[k]);
        buffer_text(text, "\n");
    }
}

void shard_print(const struct shard *shard, struct buffer *text)
{
    buffer_text(text, HEADING "\n");
    for (int i = 0; i < shard->argument_count; i++)
        buffer_print(text, "argument %s\n", shard->argument[i]);
    buffer_print(text, "block %" PRIu64 " of %" PRIu64 "\n", shard->block, shard->blocks);
    buffer_print(text, "designs %" PRIu64 "\n", shard->designs);
    buffer_print(text, "checksum %016" PRIx64 "\n", shard->checksum);
    print_counts("verdicts", shard->count, text);
    buffer_print(text, "problem %s\n", shard->problem.message);
    print_front("front", shard->objectives, &shard->front, text);
    if (shard->why) {
        print_counts("why", shard->why_count, text);
        print_front("best", shard->objectives, &shard->why_front, text);
    }
    buffer_print(text, "end %016" PRIx64 "\n", hash_bytes(HASH_EMPTY, text->bytes, text->length));
}

/* Reading -------------------------------------------------------------------------------------- */

/* The lines of a file. */
struct shard_lines {
    char *next;          /* NULL: there are no more */
    int number;          /* of `text`, from 1 */
    char *text;          /* the present line */
    struct error *error; /* of that line */
};

static enum status refuse(const struct shard_lines *lines, const char *expected)
{
    return error_set(lines->error, STATUS_INVALID, "this is no block of a search; expected %s",
                     expected);
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
    uint64_t first, end;

    sweep_shard(shard->designs, shard->block, shard->blocks, &first, &end);
    *point = (struct search_point){.number = 0};
    next_line(lines);
    if (!read_whole(lines, NUMBER_MAX, &point->number))
        return refuse(lines, "the number of a design and its values");
    if (point->number < first || point->number >= end)
        return error_set(lines->error, STATUS_INVALID,
                         "design %" PRIu64 " is not in block %" PRIu64 " of %" PRIu64
                         ", which has designs %" PRIu64 " to %" PRIu64,
                         point->number, shard->block, shard->blocks, first,
                         end > first ? end - 1 : first);
    for (int k = 0; k < shard->objectives; k++)
        if (!read_number(lines, &point->value[k]))
            return refuse(lines, "the number of a design and its values");
    return lines->text[0] == '\0' ? STATUS_OK
                                  : refuse(lines, "no more values than there are objectives");
}

/* `kept`: the number of designs that the front is of. */
static enum status read_front(struct shard_lines *lines, const char *word, uint64_t kept,
                              struct shard *shard, struct search_front *front)
{
    uint64_t objectives, count;

    if (!skip_word(lines, word) || !read_whole(lines, OBJECTIVES_MAX, &objectives) ||
        objectives == 0 || !read_whole(lines, SHARD_BYTES_MAX / 4, &count) ||
        lines->text[0] != '\0' ||
        (shard->objectives > 0 && objectives != (uint64_t)shard->objectives))
        return refuse(lines, "\"front\" or \"best\", the number of objectives and that of designs");
    if (count > kept || (count == 0 && kept > 0))
        return error_set(lines->error, STATUS_INVALID,
                         "the size of the front is %" PRIu64
                         ", but the number of designs kept is %" PRIu64,
                         count, kept);
    shard->objectives = (int)objectives;
    for (uint64_t i = 0; i < count; i++) {
        struct search_point point;
        enum status status = read_point(lines, shard, &point);

        if (status != STATUS_OK)
            return status;
        search_append(front, &point);
    }
    array_sort(front->point, front->count, sizeof *front->point, by_number);
    for (int i = 1; i < front->count; i++)
        if (front->point[i - 1].number == front->point[i].number)
            return refuse(lines, "every design only once");
    return STATUS_OK;
}

static void read_arguments(struct shard_lines *lines, struct shard *shard)
{
    for (next_line(lines); skip_word(lines, "argument"); next_line(lines)) {
        size_t size = ((size_t)shard->argument_count + 1) * sizeof *shard->argument;

        shard->argument = allocate_again(shard->argument, size);
        shard->argument[shard->argument_count++] = allocate_text(lines->text);
    }
}

static bool read_checksum(struct shard_lines *lines, const char *word, uint64_t *checksum)
{
    enum { DIGITS = 16 };

    if (!skip_word(lines, word) || strlen(lines->text) != DIGITS ||
        strspn(lines->text, "0123456789abcdef") != DIGITS)
        return false;
    *checksum = strtoull(lines->text, NULL, 16);
    return true;
}

/* Refuses numbers of designs that are not those of the block. */
static enum status check_sum(const struct shard_lines *lines, const struct shard *shard)
{
    uint64_t first, end;
    uint64_t sum = 0;

    sweep_shard(shard->designs, shard->block, shard->blocks, &first, &end);
    for (int v = 0; v < SEARCH_VERDICTS; v++)
        sum += shard->count[v];
    if (sum == end - first)
        return STATUS_OK;
    return error_set(lines->error, STATUS_INVALID,
                     "the verdicts add up to %" PRIu64 ", but the size of block %" PRIu64
                     " of %" PRIu64 " is %" PRIu64,
                     sum, shard->block, shard->blocks, end - first);
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
    if (!read_checksum(lines, "checksum", &shard->checksum))
        return refuse(lines, "\"checksum\" and 16 digits");
    next_line(lines);
    if (!read_counts(lines, "verdicts", shard->count))
        return refuse(lines, "\"verdicts\" and numbers of designs");
    if (check_sum(lines, shard) != STATUS_OK)
        return STATUS_INVALID;
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
    status = read_front(lines, "front", shard->count[SWEEP_KEPT], shard, &shard->front);
    if (status != STATUS_OK)
        return status;
    next_line(lines);
    shard->why = strncmp(lines->text, "why ", strlen("why ")) == 0;
    if (!shard->why)
        return STATUS_OK;
    if (!read_counts(lines, "why", shard->why_count))
        return refuse(lines, "\"why\" and numbers of designs");
    for (int v = 0; v < SEARCH_VERDICTS; v++)
        if (shard->why_count[v] > shard->count[v])
            return error_set(lines->error, STATUS_INVALID,
                             "\"why\" counts designs that \"verdicts\" does not");
    next_line(lines);
    status = read_front(lines, "best", shard->why_count[SWEEP_KEPT], shard, &shard->why_front);
    if (status == STATUS_OK)
        next_line(lines);
    return status;
}

/* Reads the last line, which begins `at` bytes after the first one and has their checksum. */
static enum status read_end(struct shard_lines *lines, const char *bytes, size_t at, size_t length)
{
    uint64_t sum;

    if (!read_checksum(lines, "end", &sum))
        return refuse(lines, "\"end\" and 16 digits: the file is not complete");
    if (length > at + strlen("end 0123456789abcdef\n")) {
        lines->number++;
        return error_set(
            lines->error, STATUS_INVALID,
            "there is text after the line \"end\"; each block has to be a file of its own");
    }
    if (sum != hash_bytes(HASH_EMPTY, bytes, at))
        return error_set(lines->error, STATUS_INVALID,
                         "the lines above are not those that aolag wrote: they have another "
                         "checksum");
    return STATUS_OK;
}

enum status shard_parse(const char *bytes, size_t length, struct shard *shard,
                        struct problems *problems)
{
    char *copy = allocate(length + 1);
    struct error error;
    struct shard_lines lines = {.next = copy, .error = &error};
    enum status status;

    *shard = (struct shard){.argument = NULL};
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    next_line(&lines);
    if (length == 0) {
        status = error_set(&error, STATUS_INVALID,
                           "the file is empty: the search of its block has not ended");
    } else if (strcmp(lines.text, HEADING) != 0) {
        status = refuse(&lines, "\"" HEADING "\"");
    } else {
        read_arguments(&lines, shard);
        status = read_block(&lines, shard);
    }
    if (status == STATUS_OK)
        status = read_fronts(&lines, shard);
    if (status == STATUS_OK)
        status = read_end(&lines, bytes, (size_t)(lines.text - copy), length);
    if (status != STATUS_OK)
        problems_add(problems, lines.number, "%s", error.message);
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

void shard_add(struct search *search, struct shard *shard)
{
    if (search->count[SWEEP_INVALID] == 0)
        search->problem = shard->problem;
    for (int v = 0; v < SEARCH_VERDICTS; v++) {
        search->count[v] += shard->count[v];
        search->why_count[v] += shard->why_count[v];
    }
    search_mark_uncounted(search, &shard->front);
    search_mark_uncounted(search, &shard->why_front);
    for (int i = 0; i < shard->front.count; i++)
        search_add(search, &search->front, &shard->front.point[i]);
    for (int i = 0; i < shard->why_front.count; i++)
        search_add(search, &search->why_front, &shard->why_front.point[i]);
}
