#include "base/problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void problems_free(struct problems *problems)
{
    free(problems->list);
    memset(problems, 0, sizeof *problems);
}

static struct problem *next_entry(struct problems *problems)
{
    if (problems->count == problems->capacity) {
        problems->capacity = problems->capacity == 0 ? 8 : problems->capacity * 2;
        problems->list =
            allocate_again(problems->list, problems->capacity * sizeof *problems->list);
    }
    return &problems->list[problems->count++];
}

void problems_add(struct problems *problems, int line, const char *format, ...)
{
    struct error error;
    struct problem *problem;
    char sentence[2 * ERROR_MESSAGE_MAX];
    va_list arguments;

    if (problems->count >= PROBLEMS_MAX)
        return;
    problem = next_entry(problems);
    if (problems->count == PROBLEMS_MAX) {
        *problem = (struct problem){0, "too many problems; these are the first found"};
        return;
    }
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    error_set(&error, STATUS_INVALID, "%s", sentence);
    problem->line = line;
    memcpy(problem->message, error.message, sizeof problem->message);
}

void problems_add_error(struct problems *problems, const struct error *error)
{
    int line = 0, prefix = 0;

    if (sscanf(error->message, "line %d: %n", &line, &prefix) != 1)
        prefix = 0;
    problems_add(problems, line, "%s", error->message + prefix);
}

/* Problems of the same line are ordered by their address, which is the order they were found in. */
static int compare_lines(const void *a, const void *b)
{
    const struct problem *const *left = a;
    const struct problem *const *right = b;

    if ((*left)->line != (*right)->line)
        return (*left)->line < (*right)->line ? -1 : 1;
    return (*left > *right) - (*left < *right);
}

void problems_sort(struct problems *problems)
{
    const struct problem **order = allocate((problems->count + 1) * sizeof *order);
    struct problem *sorted = allocate((problems->count + 1) * sizeof *sorted);

    for (size_t i = 0; i < problems->count; i++)
        order[i] = &problems->list[i];
    qsort(order, problems->count, sizeof *order, compare_lines);
    for (size_t i = 0; i < problems->count; i++)
        sorted[i] = *order[i];
    for (size_t i = 0; i < problems->count; i++)
        problems->list[i] = sorted[i];
    free(sorted);
    free(order);
}

void problems_summary(const struct problems *problems, const char *file, struct error *error)
{
    const struct problem *first = problems->list;
    char more[48] = "";

    if (problems->count > 1)
        snprintf(more, sizeof more, " (and %zu more problem%s)", problems->count - 1,
                 problems->count > 2 ? "s" : "");
    if (first->line == PROBLEM_NAMES_FILE)
        error_set(error, STATUS_INVALID, "%s%s", first->message, more);
    else if (first->line == 0)
        error_set(error, STATUS_INVALID, "%s: %s%s", file, first->message, more);
    else
        error_set(error, STATUS_INVALID, "%s:%d: %s%s", file, first->line, first->message, more);
}
