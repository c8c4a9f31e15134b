#include "tui/filter.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/nearest.h"

/* Units ---------------------------------------------------------------------------------------- */

/* Returns what is left of a unit after its first letters, the word, in capital letters or not;
 * "GiB" is "gb". NULL: the word does not begin the unit. */
static const char *unit_after(const char *word, const char *unit)
{
    for (; *word != '\0'; word++)
        if (tolower((unsigned char)*word) == tolower((unsigned char)*unit))
            unit++;
        else if (tolower((unsigned char)*word) != 'i' || tolower((unsigned char)*unit) != 'b')
            return NULL;
    return unit;
}

/* Returns the factor of the prefix of a unit in a text, "kHz" or "us"; the rest is the unit
 * without it. An m is a thousandth of a second, and a million of anything else. */
static double split_unit(const char *text, const char **rest)
{
    static const struct {
        const char *prefix;
        double factor;
    } prefixes[] = {{"k", 1e3},  {"m", 1e6},         {"g", 1e9}, {"t", 1e12},
                    {"u", 1e-6}, {"\xC2\xB5", 1e-6}, {"n", 1e-9}};

    *rest = text;
    for (size_t p = 0; p < sizeof prefixes / sizeof prefixes[0]; p++) {
        size_t length = strlen(prefixes[p].prefix);

        if (strncasecmp(text, prefixes[p].prefix, length) != 0 || text[length] == '\0')
            continue;
        *rest = text + length;
        if (strncasecmp(*rest, "ib", 2) == 0)
            ++*rest;
        return strcasecmp(text, "ms") == 0 ? 1e-3 : prefixes[p].factor;
    }
    return 1;
}

/* Returns true for two units that differ in their prefixes only; `factor`: how many of the second
 * one the first one is. */
static bool same_unit(const char *first, const char *second, double *factor)
{
    const char *a, *b;

    *factor = split_unit(first, &a) / split_unit(second, &b);
    return *a != '\0' && strcasecmp(a, b) == 0;
}

/* Gets how many units of a column the unit of a typed number is; `shown`: the unit in the text of a
 * cell, for columns without one. */
static bool unit_factor(const char *typed, const struct table_column *column, const char *shown,
                        double *factor)
{
    const char *unit = column->unit != NULL ? column->unit : shown;

    *factor = 1;
    return unit_after(typed, unit) != NULL || same_unit(typed, unit, factor);
}

/* Finding -------------------------------------------------------------------------------------- */

static bool starts_number(const char *text)
{
    text += *text == '-';
    return isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]));
}

bool filter_number(const struct filter_term *term, const struct table_column *column,
                   double *number)
{
    char *unit;
    double factor;

    *number = strtod(term->text, &unit);
    if (!starts_number(term->text) || !isfinite(*number) ||
        !unit_factor(unit, column, column->plain != NULL ? column->plain : "", &factor))
        return false;
    *number *= factor;
    return true;
}

/* Returns the number that a cell begins with, behind a mark =, of a change with the sign of the
 * screen. */
static double cell_number(const char *text, char **rest)
{
    static const char minus[] = "\xE2\x88\x92";
    bool negative;
    double number;

    text += *text == '=';
    negative = strncmp(text, minus, sizeof minus - 1) == 0;
    number = strtod(text + (negative ? sizeof minus - 1 : 0), rest);
    return negative ? -number : number;
}

/* Returns true if the number of a cell meets a term. */
static bool meets_number(const struct filter_term *term, const char *text,
                         const struct table_column *column)
{
    const double same = 1e-9;
    char *unit, *shown;
    double wanted, number, factor;

    if (strpbrk(text, "0123456789") == NULL || !starts_number(term->text))
        return false;
    wanted = strtod(term->text, &unit);
    number = cell_number(text, &shown);
    shown += strspn(shown, " ");
    if (*unit == '\0' && term->relation != FILTER_WORD && column->plain != NULL)
        unit = (char *)column->plain;
    if (!unit_factor(unit, column, shown, &factor))
        return false;
    wanted *= factor;
    if (fabs(wanted - number) <= same * fabs(number))
        return term->relation != FILTER_BELOW && term->relation != FILTER_ABOVE;
    switch (term->relation) {
    case FILTER_BELOW:
    case FILTER_AT_MOST:
        return number < wanted;
    case FILTER_ABOVE:
    case FILTER_AT_LEAST:
        return number > wanted;
    default:
        return false;
    }
}

/* Copies a text; the sign of multiplication becomes the letter that is typed for it. */
static void copy_typed(const char *text, char copy[PICKER_TEXT])
{
    static const char times[] = "\xC3\x97";
    size_t used = 0;

    while (*text != '\0' && used < PICKER_TEXT - 1) {
        bool is_times = strncmp(text, times, sizeof times - 1) == 0;

        copy[used++] = is_times ? 'x' : *text;
        text += is_times ? sizeof times - 1 : 1;
    }
    copy[used] = '\0';
}

/* Finds a word in a text; digits match only where a number begins. */
static enum found find_in_text(const char *word, const char *text)
{
    char typed[PICKER_TEXT], part[PICKER_TEXT];
    enum found found = FOUND_NOT;

    copy_typed(text, typed);
    copy_typed(word, part);
    for (const char *at = typed; (at = strcasestr(at, part)) != NULL; at++) {
        if (at == typed || !isalnum((unsigned char)at[-1]))
            return FOUND_BEGINS;
        if (!isdigit((unsigned char)part[0]) || !isdigit((unsigned char)at[-1]))
            found = FOUND_INSIDE;
    }
    return found;
}

enum found filter_find(const struct filter_term *term, const struct table_column *columns,
                       int count, const struct picker_item *item)
{
    enum found best = FOUND_NOT;

    for (int c = 0; c < count && best != FOUND_BEGINS; c++) {
        enum found found = FOUND_NOT;

        if ((term->columns >> c & 1) == 0)
            continue;
        if (!columns[c].number)
            found = find_in_text(term->text, item->text[c]);
        else if (meets_number(term, item->text[c], &columns[c]))
            found = FOUND_BEGINS;
        best = found > best ? found : best;
    }
    return best;
}

enum found filter_find_all(const struct filter *filter, const struct table_column *columns,
                           int count, const struct picker_item *item)
{
    enum found worst = FOUND_BEGINS;

    for (int t = 0; t < filter->count && worst != FOUND_NOT; t++) {
        enum found found = filter_find(&filter->term[t], columns, count, item);

        worst = found < worst ? found : worst;
    }
    return worst;
}

/* Reading -------------------------------------------------------------------------------------- */

/* Visits the words of a text: copies the next one. Returns false after the last one. */
static bool next_word(const char **text, char word[PICKER_TEXT])
{
    size_t length;

    *text += strspn(*text, " ");
    length = strcspn(*text, " ");
    snprintf(word, PICKER_TEXT, "%.*s", (int)length, *text);
    *text += length;
    return length > 0;
}

/* What a column is called: the words of its title, as they are read on the screen, and others. */
enum { NAME_TITLE, NAME_OTHER, NAMES };

static const char *column_names(const struct table_column *column, int from)
{
    return from == NAME_TITLE ? column->title : column->names != NULL ? column->names : "";
}

static bool is_named(const struct table_column *column, const char *wanted)
{
    char name[PICKER_TEXT];

    for (int from = 0; from < NAMES; from++)
        for (const char *names = column_names(column, from); next_word(&names, name);)
            if (strcasecmp(name, wanted) == 0)
                return true;
    return false;
}

/* Says that no column has the name, and which there are. */
static void say_no_column(struct filter *filter, const char *wanted,
                          const struct table_column *columns, int count)
{
    struct buffer text = buffer_over(filter->problem, sizeof filter->problem);
    struct nearest nearest = nearest_to(wanted);
    char name[PICKER_TEXT];

    for (int c = 0; c < count * NAMES; c++)
        for (const char *names = column_names(&columns[c / NAMES], c % NAMES);
             next_word(&names, name);)
            nearest_offer(&nearest, name);
    buffer_print(&text, "no column is called %.40s", wanted);
    if (nearest.best[0] != '\0') {
        buffer_print(&text, "; did you mean %s?", nearest.best);
        return;
    }
    for (int c = 0; c < count; c++) {
        const char *title = columns[c].title;
        bool first = true;

        if (!next_word(&title, name))
            continue;
        for (int b = 0; b < c; b++)
            first = first && !is_named(&columns[b], name);
        if (first)
            buffer_print(&text, "%s %s", c == 0 ? ":" : ",", name);
    }
}

/* Splits "watts<=400" into name, relation and the rest. Returns false for a word. */
static bool split_relation(const char *word, char name[PICKER_TEXT], struct filter_term *term)
{
    size_t length = strcspn(word, "<>=:");
    const char *rest = word + length;
    bool equal = *rest != '\0' && rest[1] == '=';

    term->relation = FILTER_WORD;
    snprintf(name, PICKER_TEXT, "%.*s", (int)length, word);
    if (*rest == '\0')
        return false;
    term->relation = *rest == '<'   ? (equal ? FILTER_AT_MOST : FILTER_BELOW)
                     : *rest == '>' ? (equal ? FILTER_AT_LEAST : FILTER_ABOVE)
                                    : FILTER_EQUAL;
    rest += 1 + ((*rest == '<' || *rest == '>') && equal);
    memmove(term->text, rest, strlen(rest) + 1);
    return true;
}

/* Finds the columns that a term is about. Returns false, with a sentence, if it is left out. */
static bool find_columns(struct filter *filter, struct filter_term *term, const char *name,
                         const struct table_column *columns, int count)
{
    bool limit = term->relation != FILTER_WORD && term->relation != FILTER_EQUAL;
    const struct table_column *named = NULL;
    double number;

    for (int c = 0; c < count; c++) {
        const struct table_column *column = &columns[c];

        if (name[0] != '\0' && !is_named(column, name))
            continue;
        named = named == NULL || column->number ? column : named;
        if (term->relation == FILTER_WORD || (!column->number && !limit && name[0] != '\0') ||
            (column->number && filter_number(term, column, &number)))
            term->columns |= UINT32_C(1) << c;
    }
    if (term->columns != 0 && (term->text[0] != '\0' || !limit))
        return true;
    if (filter->problem[0] != '\0')
        return false;
    if (named == NULL)
        say_no_column(filter, name, columns, count);
    else if (!named->number && name[0] == '\0')
        snprintf(filter->problem, sizeof filter->problem, "this list has no numbers; type words");
    else if (!named->number)
        snprintf(filter->problem, sizeof filter->problem,
                 "%.40s is a word, not a number: %.40s:WORD", name, name);
    else if (!starts_number(term->text))
        snprintf(filter->problem, sizeof filter->problem, "a number is missing, as in %.40s<400",
                 name[0] != '\0' ? name : "watts");
    else if (name[0] == '\0')
        snprintf(filter->problem, sizeof filter->problem,
                 "no column has the unit of %.40s; a name says which, as in watts<400", term->text);
    else
        snprintf(filter->problem, sizeof filter->problem,
                 "%.40s is no number of %.40s, whose unit is %s", term->text, name,
                 named->unit != NULL    ? named->unit
                 : named->plain != NULL ? named->plain
                                        : "none");
    return false;
}

/* Takes the next word off a filter, with the unit that follows a number after a blank. */
static const char *take_word(const char *text, const struct table_column *columns, int count,
                             char word[PICKER_TEXT])
{
    size_t length = strcspn(text, " ");
    const char *next = text + length + strspn(text + length, " ");
    size_t after = strcspn(next, " ");
    char unit[PICKER_TEXT];
    const char *number;

    snprintf(word, PICKER_TEXT, "%.*s", (int)(length < PICKER_TEXT ? length : PICKER_TEXT), text);
    snprintf(unit, sizeof unit, "%.*s", (int)(after < PICKER_TEXT ? after : PICKER_TEXT), next);
    number = word + strcspn(word, "<>=:");
    number = *number == '\0' ? word : number + strspn(number, "<>=:");
    if (number[strspn(number, ".0123456789")] != '\0' || !starts_number(number) || unit[0] == '\0')
        return next;
    for (int c = 0; c < count; c++) {
        const char *whole = columns[c].unit != NULL ? columns[c].unit : columns[c].plain;
        const char *rest = whole != NULL ? unit_after(unit, whole) : NULL;
        double factor;

        if (!columns[c].number || whole == NULL ||
            !((rest != NULL && *rest == '\0') || same_unit(unit, whole, &factor)))
            continue;
        snprintf(word + strlen(word), PICKER_TEXT - strlen(word), "%s", unit);
        return next + after + strspn(next + after, " ");
    }
    return next;
}

void filter_read(struct filter *filter, const char *text, const struct table_column *columns,
                 int count)
{
    *filter = (struct filter){.count = 0};
    text += strspn(text, " ");
    while (*text != '\0' && filter->count < FILTER_TERMS) {
        struct filter_term *term = &filter->term[filter->count];
        char name[PICKER_TEXT];

        *term = (struct filter_term){.columns = 0};
        text = take_word(text, columns, count, term->text);
        if (!split_relation(term->text, name, term))
            name[0] = '\0';
        filter->count += find_columns(filter, term, name, columns, count);
    }
}
