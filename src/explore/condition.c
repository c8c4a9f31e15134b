#include "explore/condition.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/units.h"

#define BLANKS " \t"
#define EXPECTED                                                                                   \
    "expected a result, <=, >=, < or >, and a quantity or a result, as in latency<=800us"

static const char *const relations[] = {[RELATION_AT_MOST] = "<=",
                                        [RELATION_AT_LEAST] = ">=",
                                        [RELATION_BELOW] = "<",
                                        [RELATION_ABOVE] = ">"};

/* Parsing -------------------------------------------------------------------------------------- */

/* Copies the text between two positions without enclosing blanks, truncated to `size`, which
 * exceeds any path or quantity. */
static void copy_trimmed(const char *from, const char *to, char *text, size_t size)
{
    from += strspn(from, BLANKS);
    while (to > from && strchr(BLANKS, to[-1]) != NULL)
        to--;
    snprintf(text, size, "%.*s", to > from ? (int)(to - from) : 0, from);
}

/* Returns the operator < or > between the two sides; NULL if there is none. Names of transfers
 * contain > (a>b), so it is the last operator preceded by a result, otherwise the last of all. */
static const char *locate_relation(const struct scenario *scenario, const struct result *result,
                                   const char *text, const char *end)
{
    char left[RESULT_PATH_MAX];
    struct result_ref ref;
    const char *last = NULL;

    for (const char *at = end; at-- > text;) {
        if (*at != '<' && *at != '>')
            continue;
        copy_trimmed(text, at, left, sizeof left);
        if (result_find(scenario, result, left, &ref, NULL) == STATUS_OK)
            return at;
        last = last == NULL ? at : last;
    }
    return last;
}

static enum status parse_condition(const struct scenario *scenario, const struct result *result,
                                   const char *text, const char *end, struct condition *condition,
                                   struct error *error)
{
    const char *at = locate_relation(scenario, result, text, end);
    bool equal = at != NULL && at + 1 < end && at[1] == '=';
    struct unit unit = {DIMENSION_NUMBER, 1, 1}, other = unit;
    char left[RESULT_PATH_MAX];
    char right[RESULT_PATH_MAX];
    char whole[120];
    const char *rest;
    double number;
    enum status status;

    copy_trimmed(text, end, whole, sizeof whole);
    if (strstr(whole, "&&") != NULL)
        return error_set(error, STATUS_INVALID,
                         "\"%s\" has \"&&\": separate conditions by commas (aolag search: "
                         "or give each its own --where)",
                         whole);
    if (at == NULL)
        return error_set(error, STATUS_INVALID, "\"%s\" is not a condition; " EXPECTED, whole);
    copy_trimmed(text, at, left, sizeof left);
    copy_trimmed(at + (equal ? 2 : 1), end, right, sizeof right);
    if (left[0] == '\0' || right[0] == '\0' || left[strlen(left) - 1] == '=')
        return error_set(error, STATUS_INVALID, "\"%s\" is not a condition; " EXPECTED, whole);
    if (*at == '<')
        condition->relation = equal ? RELATION_AT_MOST : RELATION_BELOW;
    else
        condition->relation = equal ? RELATION_AT_LEAST : RELATION_ABOVE;
    if (result_find(scenario, result, left, &condition->left, error) != STATUS_OK)
        return STATUS_INVALID;
    condition->against = number_parse(right, &number, &rest) != STATUS_OK;
    if (!condition->against) {
        status = quantity_parse(right, condition->left.row->unit, &condition->bound, error);
    } else {
        status = result_find(scenario, result, right, &condition->right, error);
        if (status == STATUS_OK) {
            unit_find(condition->left.row->unit, &unit);
            unit_find(condition->right.row->unit, &other);
        }
        if (unit.dimension != other.dimension)
            status = error_set(error, STATUS_INVALID, "%s and %s have different dimensions",
                               condition->left.row->key, condition->right.row->key);
    }
    if (status != STATUS_OK)
        error_prefix(error, "%s", whole);
    return status;
}

enum status conditions_parse(const struct scenario *scenario, const struct result *result,
                             const char *text, struct conditions *conditions, struct error *error)
{
    *conditions = (struct conditions){.count = 0};
    for (;;) {
        size_t length = strcspn(text, ",");

        if (conditions->count == CONDITIONS_MAX)
            return error_set(error, STATUS_INVALID, "there are more than %d conditions",
                             CONDITIONS_MAX);
        if (parse_condition(scenario, result, text, text + length,
                            &conditions->list[conditions->count++], error) != STATUS_OK)
            return STATUS_INVALID;
        if (text[length] == '\0')
            return STATUS_OK;
        text += length + 1;
    }
}

/* Testing -------------------------------------------------------------------------------------- */

double condition_left(const struct scenario *scenario, const struct result *result,
                      const struct condition *condition)
{
    return result_read(scenario, result, &condition->left);
}

double condition_right(const struct scenario *scenario, const struct result *result,
                       const struct condition *condition)
{
    return condition->against ? result_read(scenario, result, &condition->right) : condition->bound;
}

static bool is_of_latency(const struct condition *condition)
{
    return condition->left.row->of_latency ||
           (condition->against && condition->right.row->of_latency);
}

/* Returns the violation of a condition whose sides have these values. An overloaded design does not
 * reach its latency: what lacks is at least its load above 1. */
static double find_shortfall(const struct result *result, const struct condition *condition,
                             double left, double right)
{
    const bool fulfilled[] = {[RELATION_AT_MOST] = left <= right,
                              [RELATION_AT_LEAST] = left >= right,
                              [RELATION_BELOW] = left<right, [RELATION_ABOVE] = left> right};
    double scale = right != 0 ? fabs(right) : unit_to_si(1, condition->left.row->unit);
    bool missing = left == RESULT_NONE || right == RESULT_NONE;
    double load = 0;
    double lacks = 0;

    if (result->overloaded && is_of_latency(condition))
        load = fmax(result->load - 1, DBL_MIN);
    else if (missing)
        return INFINITY;
    if (!missing && !fulfilled[condition->relation])
        /* equal values that violate < or > have the smallest shortfall */
        lacks = fmax(fabs(left - right) / scale, DBL_MIN);
    return fmax(lacks, load);
}

static double shortfall_of(const struct scenario *scenario, const struct result *result,
                           const struct condition *condition)
{
    return find_shortfall(result, condition, condition_left(scenario, result, condition),
                          condition_right(scenario, result, condition));
}

double conditions_shortfall(const struct scenario *scenario, const struct result *result,
                            const struct conditions *conditions)
{
    double most = 0;

    for (int i = 0; i < conditions->count; i++)
        most = fmax(most, shortfall_of(scenario, result, &conditions->list[i]));
    return most;
}

static unsigned derived_of(const struct condition *condition)
{
    return condition->left.row->derived |
           (condition->against ? condition->right.row->derived : DERIVED_NONE);
}

unsigned conditions_derived(const struct conditions *conditions)
{
    unsigned derived = DERIVED_NONE;

    for (int i = 0; i < conditions->count; i++)
        derived |= derived_of(&conditions->list[i]);
    return derived;
}

static bool is_upper(const struct condition *condition)
{
    return condition->relation == RELATION_AT_MOST || condition->relation == RELATION_BELOW;
}

double conditions_most_high(const struct scenario *scenario, const struct result *result,
                            const struct conditions *conditions)
{
    const struct condition *condition = conditions->list;
    const struct condition *end = condition + conditions->count;

    while (condition < end && derived_of(condition) == DERIVED_NONE)
        condition++;
    return condition < end && is_upper(condition) &&
                   condition->left.row == &result_rows[RESULT_LATENCY_HIGH] &&
                   !(condition->against && condition->right.row->derived != DERIVED_NONE)
               ? condition_right(scenario, result, condition)
               : HUGE_VAL;
}

/* Returns what the shortfall of a condition is at least, before derived results are found. */
static double least_shortfall_of(const struct scenario *scenario, const struct result *result,
                                 const struct condition *condition)
{
    enum result_id end = is_upper(condition) ? RESULT_LATENCY_HIGH : RESULT_LATENCY_LOW;

    if (derived_of(condition) == DERIVED_NONE)
        return shortfall_of(scenario, result, condition);
    if (condition->left.row != &result_rows[end] ||
        (condition->against && condition->right.row->derived != DERIVED_NONE))
        return 0;
    return find_shortfall(result, condition, result->latency,
                          condition_right(scenario, result, condition));
}

double conditions_least_shortfall(const struct scenario *scenario, const struct result *result,
                                  const struct conditions *conditions)
{
    double most = 0;

    for (int i = 0; i < conditions->count; i++)
        most = fmax(most, least_shortfall_of(scenario, result, &conditions->list[i]));
    return most;
}

int conditions_first_missed(const struct scenario *scenario, const struct result *result,
                            const struct conditions *conditions, bool derived)
{
    for (int i = 0; i < conditions->count; i++)
        if ((derived ? shortfall_of : least_shortfall_of)(scenario, result, &conditions->list[i]) >
            0)
            return i;
    return -1;
}

/* Printing ------------------------------------------------------------------------------------- */

/* Writes all digits of a bound, with the prefix of those in which it is displayed: "1 MHz". */
static void print_bound(double bound, const char *unit, char *text, size_t size)
{
    char displayed[40];
    const char *space;

    quantity_print(bound, unit, displayed, sizeof displayed);
    space = strchr(displayed, ' ');
    quantity_format(bound, space != NULL ? space + 1 : unit, text, size);
}

void condition_print(const struct condition *condition, char *text, size_t size)
{
    char left[RESULT_PATH_MAX];
    char right[RESULT_PATH_MAX];

    result_path(&condition->left, left, sizeof left);
    if (condition->against)
        result_path(&condition->right, right, sizeof right);
    else
        print_bound(condition->bound, condition->left.row->unit, right, sizeof right);
    snprintf(text, size, "%s %s %s", left, relations[condition->relation], right);
}

void conditions_print(const struct conditions *conditions, char *text, size_t size)
{
    struct buffer out = buffer_over(text, size);

    for (int i = 0; i < conditions->count; i++) {
        char one[CONDITION_TEXT_MAX];

        condition_print(&conditions->list[i], one, sizeof one);
        buffer_print(&out, "%s%s", i > 0 ? " and " : "", one);
    }
}
