#include "explain/expression.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "model/formulas.h"
#include "model/timeline.h"

#define PI 3.14159265358979323846

struct expression_reader {
    const char *at;
    expression_lookup *lookup;
    void *context;
    bool opaque;
    bool bad;
};

/* Arguments of a function, combined. */
struct folded {
    double sum, least, most;
    double value[3]; /* the first three */
    int count;
};

static double read_sum(struct expression_reader *reader);

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

static size_t name_length(const char *text)
{
    return strcspn(text, " (),/+");
}

static bool name_is(const char *name, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(name, word, length) == 0;
}

static void fold_value(struct folded *folded, double value)
{
    if (folded->count < 3)
        folded->value[folded->count] = value;
    folded->least = folded->count == 0 || value < folded->least ? value : folded->least;
    folded->most = folded->count == 0 || value > folded->most ? value : folded->most;
    folded->sum += value;
    folded->count++;
}

/* Folds all values of a name with an asterisk. Returns false at anything else. */
static bool fold_list(struct expression_reader *reader, struct folded *folded)
{
    size_t length;
    double value;

    skip_blanks(reader);
    length = name_length(reader->at);
    if (!isalpha((unsigned char)*reader->at) || memchr(reader->at, '*', length) == NULL)
        return false;
    for (int i = 0; reader->lookup(reader->context, reader->at, length, i, &value); i++)
        fold_value(folded, value);
    reader->at += length;
    return true;
}

/* Functions of one, two or three arguments. */
static const struct {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
} functions[] = {
    {.name = "ceil", .one = ceil},
    {.name = "floor", .one = floor},
    {.name = "round", .one = round},
    {.name = "log", .one = log},
    {.name = "log2", .one = log2},
    {.name = "sqrt", .one = sqrt},
    {.name = "exp", .one = exp},
    {.name = "sin", .one = sin},
    {.name = "cos", .one = cos},
    {.name = "square", .one = square},
    {.name = "next_power_of_two", .one = next_power_of_two},
    {.name = "pow", .two = pow},
    {.name = "roofline_time", .three = roofline_time},
    {.name = "open_loop_angle", .three = open_loop_angle},
};

/* Reads a call, starting after the opening parenthesis. */
static double read_call(struct expression_reader *reader, const char *name, size_t length)
{
    struct folded folded = {.count = 0};

    do {
        if (!fold_list(reader, &folded))
            fold_value(&folded, read_sum(reader));
    } while (!reader->bad && read_operator(reader, ','));
    if (!read_operator(reader, ')'))
        reader->bad = true;
    if (name_is(name, length, "sum"))
        return folded.sum;
    if (name_is(name, length, "min"))
        return folded.least;
    if (name_is(name, length, "max"))
        return folded.most;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        int arguments = functions[i].one != NULL ? 1 : functions[i].two != NULL ? 2 : 3;

        if (!name_is(name, length, functions[i].name))
            continue;
        if (folded.count != arguments) {
            reader->bad = true;
            return 0;
        }
        return arguments == 1 ? functions[i].one(folded.value[0])
               : arguments == 2
                   ? functions[i].two(folded.value[0], folded.value[1])
                   : functions[i].three(folded.value[0], folded.value[1], folded.value[2]);
    }
    reader->opaque = true;
    return 0;
}

static double read_name(struct expression_reader *reader)
{
    const char *name = reader->at;
    size_t length = name_length(name);
    double value = 0;

    reader->at += length;
    if (name_is(name, length, "pi"))
        return PI;
    if (*reader->at == '(') {
        reader->at++;
        return read_call(reader, name, length);
    }
    if (!reader->lookup(reader->context, name, length, 0, &value))
        reader->bad = true;
    return value;
}

static double read_primary(struct expression_reader *reader)
{
    double value = 0;

    if (read_operator(reader, '(')) {
        value = read_sum(reader);
        if (!read_operator(reader, ')'))
            reader->bad = true;
        return value;
    }
    if (isalpha((unsigned char)*reader->at))
        return read_name(reader);
    if (number_parse(reader->at, &value, &reader->at) != STATUS_OK)
        reader->bad = true;
    return value;
}

static double read_signed(struct expression_reader *reader)
{
    return read_operator(reader, '-') ? -read_signed(reader) : read_primary(reader);
}

static double read_product(struct expression_reader *reader)
{
    double value = read_signed(reader);

    while (!reader->bad) {
        if (read_operator(reader, '*'))
            value *= read_signed(reader);
        else if (read_operator(reader, '/'))
            value /= read_signed(reader);
        else
            break;
    }
    return value;
}

static double read_sum(struct expression_reader *reader)
{
    double value = read_product(reader);

    while (!reader->bad) {
        if (read_operator(reader, '+'))
            value += read_product(reader);
        else if (read_operator(reader, '-'))
            value -= read_product(reader);
        else
            break;
    }
    return value;
}

enum expression_outcome expression_value(const char *text, expression_lookup *lookup, void *context,
                                         double *value)
{
    struct expression_reader reader = {text, lookup, context, false, false};

    *value = read_sum(&reader);
    skip_blanks(&reader);
    if (reader.bad || *reader.at != '\0')
        return EXPRESSION_BAD;
    return reader.opaque ? EXPRESSION_OPAQUE : EXPRESSION_OK;
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
