#include "explore/surpass.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/budget.h"

static bool is_total(const struct result_ref *ref)
{
    return result_id(ref->row) == RESULT_LOOP_TOTAL;
}

bool surpass_can(const struct surpass_question *question)
{
    bool total = false;

    if (question->wanted_count > SURPASS_RESULTS)
        return false;
    for (int i = 0; i < question->wanted_count; i++) {
        if (!is_total(&question->wanted[i]) && question->wanted[i].row->derived != DERIVED_NONE)
            return false;
        total = total || is_total(&question->wanted[i]);
    }
    return total;
}

/* Forgets the designs if the present one has another budget for the same delay. */
static void keep_alike(struct surpass *surpass, const struct surpass_question *question,
                       const int *at)
{
    bool alike = surpass->capacity > 0;

    for (int i = 0; i < question->axis_count && alike; i++)
        alike = at[i] == surpass->at[i] || !budget_depends(question->base, question->axis[i].ref);
    if (!alike)
        surpass->count = 0;
    memcpy(surpass->at, at, (size_t)question->axis_count * sizeof *at);
}

static bool is_longer(const struct servo *a, const struct servo *b)
{
    return a->delay > b->delay * (1 + SURPASS_MARGIN);
}

/* Returns true if two loops differ at most in their delay. */
static bool are_alike(const struct servo *a, const struct servo *b)
{
    return a->period == b->period && a->exposure == b->exposure &&
           a->mirror.bandwidth == b->mirror.bandwidth && a->mirror.damping == b->mirror.damping;
}

/* Returns true if a design is as good as another one in all results but the total. */
static bool is_as_good(const struct surpass_question *question, const struct surpass_design *a,
                       const struct surpass_design *b)
{
    for (int i = 0; i < question->wanted_count; i++)
        if (!is_total(&question->wanted[i]) &&
            (a->value[i] - b->value[i]) * question->wanted[i].row->sense < 0)
            return false;
    return true;
}

static bool surpasses(const struct surpass_question *question, const struct surpass_design *a,
                      const struct surpass_design *b)
{
    return a->number < b->number && is_longer(&b->servo, &a->servo) &&
           are_alike(&a->servo, &b->servo) && is_as_good(question, a, b);
}

/* Returns true if a design surpasses all designs after both that another one does. */
static bool stands_for(const struct surpass_question *question, const struct surpass_design *a,
                       const struct surpass_design *b)
{
    return a->servo.delay <= b->servo.delay && are_alike(&a->servo, &b->servo) &&
           is_as_good(question, a, b);
}

bool surpass_finds(struct surpass *surpass, const struct surpass_question *question,
                   uint64_t number, const int *at, const struct scenario *scenario,
                   const struct result *result)
{
    struct surpass_design *asked = &surpass->asked;

    surpass->checked = false;
    surpass->may_grow = budget_may_grow(scenario, result, &asked->servo);
    if (!surpass->may_grow)
        return false;
    keep_alike(surpass, question, at);
    asked->number = number;
    for (int i = 0; i < question->wanted_count; i++)
        asked->value[i] = result_read(scenario, result, &question->wanted[i]);
    for (int i = 0; i < surpass->count; i++)
        if (surpasses(question, &surpass->design[i], asked)) {
            struct surpass_design found = surpass->design[i];

            /* the next designs are often surpassed by the same one */
            surpass->design[i] = surpass->design[0];
            surpass->design[0] = found;
            surpass->checked = number % SURPASS_CHECKED == 0;
            return !surpass->checked;
        }
    return false;
}

/* Returns true if the total of one design is less than that of an alike one with a shorter delay.
 */
static bool falls(const struct surpass_question *question, const struct surpass_design *longer,
                  const struct surpass_design *shorter)
{
    bool less = false;

    for (int i = 0; i < question->wanted_count; i++)
        less = less || (is_total(&question->wanted[i]) && longer->value[i] < shorter->value[i]);
    return less && are_alike(&longer->servo, &shorter->servo) &&
           is_longer(&longer->servo, &shorter->servo);
}

void surpass_note(struct surpass *surpass, const struct surpass_question *question,
                  const struct scenario *scenario, const struct result *result)
{
    struct surpass_design *noted = &surpass->asked;
    bool keeps;
    int kept = 0;

    if (!surpass->may_grow || result->loop.total == RESULT_NONE)
        return;
    keeps = !surpass->checked && !result->budget->optimum.is_least;
    for (int i = 0; i < question->wanted_count; i++)
        noted->value[i] = result_read(scenario, result, &question->wanted[i]);
    for (int i = 0; i < surpass->count; i++)
        surpass->fell = surpass->fell || falls(question, noted, &surpass->design[i]) ||
                        (keeps && falls(question, &surpass->design[i], noted));
    for (int i = 0; i < surpass->count && keeps; i++)
        keeps = !stands_for(question, &surpass->design[i], noted);
    if (!keeps)
        return;
    for (int i = 0; i < surpass->count; i++)
        if (!stands_for(question, noted, &surpass->design[i]))
            surpass->design[kept++] = surpass->design[i];
    surpass->count = kept;
    surpass->design =
        array_reserve(surpass->design, kept, &surpass->capacity, sizeof *surpass->design);
    surpass->design[surpass->count++] = *noted;
}

void surpass_free(struct surpass *surpass)
{
    free(surpass->design);
}
