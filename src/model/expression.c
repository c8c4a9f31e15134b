#include "model/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/units.h"
#include "model/formulas.h"
#include "model/timeline.h"

enum {
    DEPTH_MAX = 32, /* parentheses and signs within each other */
    EXPONENT_MAX = 100,
    SHOWN = 40 /* bytes of a formula in a message */
};

struct expression_reader {
    const char *at;
    expression_lookup *lookup;     /* of values, or NULL: */
    expression_measures *measures; /* of values with units, which are checked */
    void *context;
    struct measure wanted; /* unit of the formula */
    struct error *error;   /* of the first failure */
    int depth;
    bool opaque;
    bool bad;
};

/* Arguments of a function, combined. */
struct folded {
    struct measure all; /* with the sum as its value and the unit of all */
    double least, most;
    double value[3]; /* the first three */
    bool counts[3];  /* they have no unit */
    int count;
    bool matched; /* all must have the same unit */
};

static struct measure read_sum(struct expression_reader *reader);

/* Failures ------------------------------------------------------------------------------------- */

/* Returns true for the first failure of a formula whose user gets a message. */
static bool fails_first(struct expression_reader *reader)
{
    bool first = !reader->bad && reader->measures != NULL;

    reader->bad = true;
    return first;
}

static void fail_here(struct expression_reader *reader, const char *what)
{
    if (!fails_first(reader))
        return;
    if (*reader->at == '\0')
        error_set(reader->error, STATUS_INVALID, "%s at the end", what);
    else
        error_set(reader->error, STATUS_INVALID, "%s before \"%.*s\"", what, SHOWN, reader->at);
}

/* Units ---------------------------------------------------------------------------------------- */

static const char *const base_names[UNIT_BASE_COUNT] = {[BASE_SECOND] = "s",
                                                        [BASE_METRE] = "m",
                                                        [BASE_BYTE] = "B",
                                                        [BASE_FLOP] = "FLOP",
                                                        [BASE_WATT] = "W"};

struct measure measure_of(double value, const char *unit)
{
    static const double powers[DIMENSION_COUNT][UNIT_BASE_COUNT] = {
        [DIMENSION_TIME] = {[BASE_SECOND] = 1},
        [DIMENSION_FREQUENCY] = {[BASE_SECOND] = -1},
        [DIMENSION_BYTES] = {[BASE_BYTE] = 1},
        [DIMENSION_BYTE_RATE] = {[BASE_BYTE] = 1, [BASE_SECOND] = -1},
        [DIMENSION_BIT_RATE] = {[BASE_SECOND] = -1},
        [DIMENSION_TRANSFER_RATE] = {[BASE_SECOND] = -1},
        [DIMENSION_FLOP] = {[BASE_FLOP] = 1},
        [DIMENSION_FLOP_RATE] = {[BASE_FLOP] = 1, [BASE_SECOND] = -1},
        [DIMENSION_OPERATION_RATE] = {[BASE_SECOND] = -1},
        [DIMENSION_LENGTH] = {[BASE_METRE] = 1},
        [DIMENSION_SPEED] = {[BASE_METRE] = 1, [BASE_SECOND] = -1},
        [DIMENSION_POWER] = {[BASE_WATT] = 1},
    };
    struct measure measure = {.value = value};
    struct unit found;

    if (unit[0] != '\0' && unit_find(unit, &found) == STATUS_OK)
        memcpy(measure.power, powers[found.dimension], sizeof measure.power);
    return measure;
}

static bool same_unit(const struct measure *a, const struct measure *b)
{
    for (int i = 0; i < UNIT_BASE_COUNT; i++)
        if (a->power[i] != b->power[i])
            return false;
    return true;
}

static bool is_count(const struct measure *measure)
{
    static const struct measure count;

    return same_unit(measure, &count);
}

/* Writes "B/s", "FLOP s", "1/s" or "no unit". */
static void print_unit(const struct measure *measure, char text[SHOWN])
{
    struct buffer buffer = buffer_over(text, SHOWN);

    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = 0; i < UNIT_BASE_COUNT; i++) {
            double power = sign * measure->power[i];

            if (power <= 0)
                continue;
            buffer_text(&buffer, sign < 0             ? (buffer.length == 0 ? "1/" : "/")
                                 : buffer.length == 0 ? ""
                                                      : " ");
            buffer_text(&buffer, base_names[i]);
            if (power != 1)
                buffer_print(&buffer, "^%g", power);
        }
    if (buffer.length == 0)
        buffer_text(&buffer, "no unit");
}

/* Gives `measure` the unit of a sum of both. */
static void match_units(struct expression_reader *reader, struct measure *measure,
                        const struct measure *other)
{
    char one[SHOWN], two[SHOWN];

    if (same_unit(measure, other) || (is_count(other) && same_unit(measure, &reader->wanted)))
        return;
    if (is_count(measure) && same_unit(other, &reader->wanted)) {
        memcpy(measure->power, other->power, sizeof measure->power);
    } else if (fails_first(reader)) {
        print_unit(measure, one);
        print_unit(other, two);
        error_set(reader->error, STATUS_INVALID,
                  "the formula adds or compares values of different units, %s and %s", one, two);
    }
}

/* Multiplies the powers of a unit. */
static void raise_unit(struct measure *measure, double power)
{
    for (int i = 0; i < UNIT_BASE_COUNT; i++)
        measure->power[i] *= power;
}

static void multiply_by(struct measure *measure, const struct measure *factor)
{
    measure->value *= factor->value;
    for (int i = 0; i < UNIT_BASE_COUNT; i++)
        measure->power[i] += factor->power[i];
}

static void divide_by(struct measure *measure, const struct measure *divisor)
{
    measure->value /= divisor->value;
    for (int i = 0; i < UNIT_BASE_COUNT; i++)
        measure->power[i] -= divisor->power[i];
}

/* Reading -------------------------------------------------------------------------------------- */

static void skip_blanks(struct expression_reader *reader)
{
    while (*reader->at == ' ')
        reader->at++;
}

static bool read_operator(struct expression_reader *reader, char operator)
{
    skip_blanks(reader);
    if (*reader->at != operator)
        return false;
    reader->at++;
    return true;
}

/* An asterisk between points belongs to a name. */
static size_t name_length(const char *text)
{
    size_t length = strcspn(text, " (),/+*");

    while (text[length] == '*' && length > 0 && text[length - 1] == '.' && text[length + 1] == '.')
        length += 1 + strcspn(text + length + 1, " (),/+*");
    return length;
}

static bool name_is(const char *name, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(name, word, length) == 0;
}

/* Gets a value of a name; returns false if there is none. */
static bool find_value(struct expression_reader *reader, const char *name, size_t length,
                       int number, struct measure *measure)
{
    struct error error = {STATUS_OK, ""};

    *measure = (struct measure){.value = 0};
    if (reader->measures == NULL)
        return reader->lookup(reader->context, name, length, number, &measure->value);
    if (reader->measures(reader->context, name, length, number, measure, &error) == STATUS_OK)
        return true;
    if (number == 0 && fails_first(reader))
        error_set(reader->error, STATUS_INVALID, "%s", error.message);
    return false;
}

static void fold_value(struct expression_reader *reader, struct folded *folded,
                       const struct measure *measure)
{
    double value = measure->value;

    if (folded->count < 3) {
        folded->value[folded->count] = value;
        folded->counts[folded->count] = is_count(measure);
    }
    folded->least = folded->count == 0 || value < folded->least ? value : folded->least;
    folded->most = folded->count == 0 || value > folded->most ? value : folded->most;
    if (folded->count == 0)
        memcpy(folded->all.power, measure->power, sizeof folded->all.power);
    else if (folded->matched && reader->measures != NULL && !reader->bad)
        match_units(reader, &folded->all, measure);
    folded->all.value += value;
    folded->count++;
}

/* Refuses a name with an asterisk where one value is wanted. */
static void refuse_list(struct expression_reader *reader, const char *name, size_t length)
{
    if (fails_first(reader))
        error_set(reader->error, STATUS_INVALID,
                  "%.*s stands for several values; write sum(%.*s), min(...) or max(...)",
                  (int)length, name, (int)length, name);
}

/* Folds all values of a name with an asterisk. Returns false at anything else. */
static bool fold_list(struct expression_reader *reader, struct folded *folded)
{
    struct measure measure;
    size_t length;

    skip_blanks(reader);
    length = name_length(reader->at);
    if (!isalpha((unsigned char)*reader->at) || memchr(reader->at, '*', length) == NULL)
        return false;
    if (!folded->matched && reader->measures != NULL)
        refuse_list(reader, reader->at, length);
    for (int i = 0; find_value(reader, reader->at, length, i, &measure); i++)
        fold_value(reader, folded, &measure);
    reader->at += length;
    return true;
}

/* What a function of one argument does to its unit. */
enum unit_rule { UNIT_KEPT, UNIT_NONE, UNIT_SQUARED, UNIT_ROOT };

/* Functions of one, two or three arguments; the last are for the formulas of this program only. */
static const struct {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
    enum unit_rule rule;
} functions[] = {
    {.name = "ceil", .one = ceil},
    {.name = "floor", .one = floor},
    {.name = "round", .one = round},
    {.name = "log", .one = log, .rule = UNIT_NONE},
    {.name = "log2", .one = log2, .rule = UNIT_NONE},
    {.name = "sqrt", .one = sqrt, .rule = UNIT_ROOT},
    {.name = "exp", .one = exp, .rule = UNIT_NONE},
    {.name = "sin", .one = sin, .rule = UNIT_NONE},
    {.name = "cos", .one = cos, .rule = UNIT_NONE},
    {.name = "square", .one = square, .rule = UNIT_SQUARED},
    {.name = "next_power_of_two", .one = next_power_of_two},
    {.name = "pow", .two = pow},
    {.name = "roofline_time", .three = roofline_time},
    {.name = "open_loop_angle", .three = open_loop_angle},
};

/* Gives the value of a function the unit that follows from its arguments. */
static void apply_unit_rule(struct expression_reader *reader, size_t function,
                            const struct folded *folded, struct measure *measure)
{
    char unit[SHOWN];
    bool power = functions[function].two != NULL;

    if (power && !folded->counts[1]) {
        if (fails_first(reader))
            error_set(reader->error, STATUS_INVALID, "the exponent of pow has a unit");
    } else if (functions[function].rule == UNIT_NONE && !folded->counts[0]) {
        print_unit(measure, unit);
        if (fails_first(reader))
            error_set(reader->error, STATUS_INVALID,
                      "%s takes a number without a unit, not one in %s", functions[function].name,
                      unit);
    } else if (power && !folded->counts[0] && !(fabs(folded->value[1]) <= EXPONENT_MAX)) {
        if (fails_first(reader))
            error_set(reader->error, STATUS_INVALID, "the exponent of pow is above %d",
                      EXPONENT_MAX);
    } else if (power) {
        raise_unit(measure, folded->counts[0] ? 0 : folded->value[1]);
    } else if (functions[function].rule == UNIT_SQUARED) {
        raise_unit(measure, 2);
    } else if (functions[function].rule == UNIT_ROOT) {
        raise_unit(measure, 0.5);
    }
}

/* Returns the row of a function, or a negative number. */
static int find_function(const char *name, size_t length, bool measuring)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (name_is(name, length, functions[i].name) && !(measuring && functions[i].three != NULL))
            return (int)i;
    return -1;
}

/* Calls a function of the table. */
static double call_function(struct expression_reader *reader, int function,
                            const struct folded *folded)
{
    const double *value = folded->value;
    int arguments = functions[function].one != NULL ? 1 : functions[function].two != NULL ? 2 : 3;

    if (folded->count != arguments) {
        if (fails_first(reader))
            error_set(reader->error, STATUS_INVALID, "%s takes %d argument%s, not %d",
                      functions[function].name, arguments, arguments == 1 ? "" : "s",
                      folded->count);
        return 0;
    }
    return arguments == 1   ? functions[function].one(value[0])
           : arguments == 2 ? functions[function].two(value[0], value[1])
                            : functions[function].three(value[0], value[1], value[2]);
}

static void refuse_function(struct expression_reader *reader, const char *name, size_t length)
{
    char known[200];
    struct buffer list = buffer_over(known, sizeof known);

    if (!fails_first(reader))
        return;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].three == NULL)
            buffer_item(&list, functions[i].name);
    error_set(reader->error, STATUS_INVALID, "%.*s is not a function; allowed: min, max, sum, %s",
              (int)(length < SHOWN ? length : SHOWN), name, known);
}

/* Reads a call, starting after the opening parenthesis. */
static struct measure read_call(struct expression_reader *reader, const char *name, size_t length)
{
    bool least = name_is(name, length, "min"), most = name_is(name, length, "max");
    bool sum = name_is(name, length, "sum");
    struct folded folded = {.matched = least || most || sum};
    struct measure measure;
    int function = find_function(name, length, reader->measures != NULL);

    if (function < 0 && !folded.matched && reader->measures != NULL)
        refuse_function(reader, name, length);
    do {
        if (!fold_list(reader, &folded)) {
            measure = read_sum(reader);
            fold_value(reader, &folded, &measure);
        }
    } while (!reader->bad && read_operator(reader, ','));
    if (!read_operator(reader, ')'))
        fail_here(reader, "the formula lacks a comma or a )");
    measure = folded.all;
    if (folded.matched) {
        measure.value = sum ? measure.value : least ? folded.least : folded.most;
        return measure;
    }
    if (function < 0) {
        reader->opaque = true;
        return (struct measure){.value = 0};
    }
    measure.value = call_function(reader, function, &folded);
    if (reader->measures != NULL && !reader->bad)
        apply_unit_rule(reader, (size_t)function, &folded, &measure);
    return measure;
}

static struct measure read_name(struct expression_reader *reader)
{
    const char *name = reader->at;
    size_t length = name_length(name);
    struct measure measure;

    reader->at += length;
    if (name_is(name, length, "pi"))
        return (struct measure){.value = pi};
    if (*reader->at == '(') {
        reader->at++;
        return read_call(reader, name, length);
    }
    if (reader->measures != NULL && memchr(name, '*', length) != NULL)
        refuse_list(reader, name, length);
    if (!find_value(reader, name, length, 0, &measure))
        reader->bad = true;
    return measure;
}

/* Returns false, and fails, if too much stands within each other. */
static bool descend(struct expression_reader *reader)
{
    if (reader->depth++ < DEPTH_MAX)
        return true;
    fail_here(reader, "the formula has too many parentheses or signs within each other");
    return false;
}

static struct measure read_primary(struct expression_reader *reader)
{
    struct measure measure = {.value = 0};

    if (!descend(reader))
        return measure;
    if (read_operator(reader, '(')) {
        measure = read_sum(reader);
        if (!read_operator(reader, ')'))
            fail_here(reader, "the formula lacks a )");
    } else if (isalpha((unsigned char)*reader->at)) {
        measure = read_name(reader);
    } else if (number_parse(reader->at, &measure.value, &reader->at) != STATUS_OK) {
        fail_here(reader, "the formula lacks a value");
    }
    reader->depth--;
    return measure;
}

static struct measure read_signed(struct expression_reader *reader)
{
    struct measure measure = {.value = 0};

    if (!read_operator(reader, '-'))
        return read_primary(reader);
    if (descend(reader)) {
        measure = read_signed(reader);
        measure.value = -measure.value;
        reader->depth--;
    }
    return measure;
}

/* Refuses a divisor of 0, which ends where the reader is. */
static void refuse_divisor(struct expression_reader *reader, const char *start)
{
    const char *end;
    double value;
    bool digits = number_parse(start, &value, &end) == STATUS_OK && end == reader->at;

    if (fails_first(reader))
        error_set(reader->error, STATUS_INVALID, "the formula divides by %.*s%s",
                  (int)(reader->at - start), start, digits ? "" : ", which is 0");
}

static struct measure read_product(struct expression_reader *reader)
{
    struct measure measure = read_signed(reader);

    while (!reader->bad) {
        struct measure factor;
        const char *start;

        if (read_operator(reader, '*')) {
            factor = read_signed(reader);
            multiply_by(&measure, &factor);
        } else if (read_operator(reader, '/')) {
            skip_blanks(reader);
            start = reader->at;
            factor = read_signed(reader);
            if (factor.value == 0 && reader->measures != NULL)
                refuse_divisor(reader, start);
            divide_by(&measure, &factor);
        } else {
            break;
        }
    }
    return measure;
}

static struct measure read_sum(struct expression_reader *reader)
{
    struct measure measure = read_product(reader);

    while (!reader->bad) {
        struct measure addend;

        if (read_operator(reader, '+')) {
            addend = read_product(reader);
            measure.value += addend.value;
        } else if (read_operator(reader, '-')) {
            addend = read_product(reader);
            measure.value -= addend.value;
        } else {
            break;
        }
        if (reader->measures != NULL && !reader->bad)
            match_units(reader, &measure, &addend);
    }
    return measure;
}

enum expression_outcome expression_value(const char *text, expression_lookup *lookup, void *context,
                                         double *value)
{
    struct expression_reader reader = {.at = text, .lookup = lookup, .context = context};

    *value = read_sum(&reader).value;
    skip_blanks(&reader);
    if (reader.bad || *reader.at != '\0')
        return EXPRESSION_BAD;
    return reader.opaque ? EXPRESSION_OPAQUE : EXPRESSION_OK;
}

/* Refuses what follows a formula: often a unit, which a number of a formula cannot have. */
static void refuse_rest(struct expression_reader *reader)
{
    char word[16];
    struct unit unit;

    snprintf(word, sizeof word, "%.*s", (int)name_length(reader->at), reader->at);
    if (word[0] == '\0' || unit_find(word, &unit) != STATUS_OK)
        fail_here(reader, "the formula lacks an operator");
    else if (fails_first(reader))
        error_set(reader->error, STATUS_INVALID,
                  "a number in a formula has no unit; leave \"%s\" out and write, for example, 3e9",
                  word);
}

enum status expression_measure(const char *text, const char *unit, expression_measures *lookup,
                               void *context, double *value, struct error *error)
{
    struct expression_reader reader = {.at = text,
                                       .measures = lookup,
                                       .context = context,
                                       .wanted = measure_of(0, unit),
                                       .error = error};
    struct measure measure = read_sum(&reader);
    char found[SHOWN];

    skip_blanks(&reader);
    if (!reader.bad && *reader.at != '\0')
        refuse_rest(&reader);
    if (reader.bad)
        return STATUS_INVALID;
    if (!is_count(&measure) && !same_unit(&measure, &reader.wanted)) {
        print_unit(&measure, found);
        return error_set(error, STATUS_INVALID,
                         "the formula yields %s; %s or a plain number is wanted", found, unit);
    }
    if (!isfinite(measure.value))
        return error_set(error, STATUS_INVALID, "the formula yields no finite number");
    *value = measure.value;
    return STATUS_OK;
}

const char *expression_name(const char *text, size_t *length)
{
    double value;

    while (*text != '\0') {
        if (!isalpha((unsigned char)*text)) {
            /* skip numbers: the e of 500e-9 is not a name */
            if (!isdigit((unsigned char)*text) || number_parse(text, &value, &text) != STATUS_OK)
                text++;
            continue;
        }
        *length = name_length(text);
        if (text[*length] != '(' && !name_is(text, *length, "pi"))
            return text;
        text += *length;
    }
    return NULL;
}
