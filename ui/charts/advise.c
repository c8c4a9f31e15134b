#include "charts/advise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "design/algorithm.h"
#include "design/knob_text.h"
#include "draw/canvas.h"
#include "draw/text.h"

enum { GROUPS = 3 };

/* Axis length over longest bar, with room for its label, with nanometres too. */
static const double ROOM = 1.15, ROOM_OF_TWO = 1.4;

static void add_step_bar(struct chart *chart, int item, const struct advise *advise,
                         const struct advice *step, enum chart_look look)
{
    char words[96];
    char change[ADVICE_CHANGE];
    char name[200];
    char gain[40], error[16];

    knob_words(advise->design, step->ref, words, sizeof words);
    change_advised(advise, step, change, sizeof change);
    text_micro(change, sizeof change);
    text_cut(change, 84);
    snprintf(name, sizeof name, "%s %.90s%s%s", words, change,
             step->algorithm != NULL ? " by " : "",
             step->algorithm != NULL ? step->algorithm->name : "");
    text_quantity(step->gain, "s", true, gain, sizeof gain);
    if (step->error != RESULT_NONE && step->error != 0) {
        text_change(unit_from_si(step->error, "nm"), error, sizeof error);
        snprintf(gain + strlen(gain), sizeof gain - strlen(gain), ", %s nm", error);
    }
    chart_span(chart, item, chart_row(chart, name), 0, fmax(step->gain, 0), look, gain);
}

double chart_advise_gain(const struct advise *advise)
{
    double most = 0;

    for (int i = 0; i < advise->choices.count; i++)
        if (advice_gains(&advise->choices.at[i]))
            most = fmax(most, advise->choices.at[i].gain);
    return most;
}

static int by_gain(const void *a, const void *b)
{
    double first = (*(const struct advice *const *)a)->gain;
    double second = (*(const struct advice *const *)b)->gain;

    return (first < second) - (first > second);
}

/* Adds the first steps of a group by gain, and a blank row before them if others precede. Returns
 * their number. */
static int add_group(struct chart *chart, const struct advise *advise,
                     const struct advice_list *list, enum knob_role group, enum chart_look look,
                     const char *name)
{
    int item = chart_add(chart, CHART_SPANS, look, name);
    const struct advice *chosen[CHART_ADVISE_ROWS / GROUPS];
    int rows = 0;

    for (int i = 0; i < list->count && rows < CHART_ADVISE_ROWS / GROUPS; i++) {
        const struct advice *step = &list->at[i];

        if (step->group == group &&
            (group == ROLE_ASSUMPTION ? step->gain > 0 && advice_counts(step) : advice_gains(step)))
            chosen[rows++] = step;
    }
    qsort(chosen, (size_t)rows, sizeof *chosen, by_gain);
    if (rows > 0 && chart->rows > 0)
        chart_row(chart, "");
    for (int i = 0; i < rows; i++)
        add_step_bar(chart, item, advise, chosen[i], look);
    return rows;
}

void chart_advise(struct chart *chart, const struct advise *advise)
{
    struct plot_axis x = {PLOT_LINEAR, 0, 0, "s"};
    int rows;

    chart_init(chart, "Latency gain of single steps");
    x.high = chart_advise_gain(advise);
    if (x.high <= 0)
        x.high = fmax(advise->now.latency, 1e-9);
    x.high *= advise->error == RESULT_NONE ? ROOM : ROOM_OF_TWO;
    chart_x(chart, x, "RTC latency gained");
    rows = add_group(chart, advise, &advise->choices, ROLE_HARDWARE, LOOK_ONE, "hardware") +
           add_group(chart, advise, &advise->choices, ROLE_SOFTWARE, LOOK_TWO,
                     "software, without regard to the quality of correction") +
           add_group(chart, advise, &advise->given, ROLE_ASSUMPTION, LOOK_FIRST + 3,
                     "assumptions, to be stated or measured");
    chart_note(chart, "the %d best by group", rows);
}

/* Changes -------------------------------------------------------------------------------------- */

/* Returns the bytes of `from` without a unit that `to` has too. */
static size_t bytes_before_unit(const char *from, const char *to)
{
    const char *unit;
    double value;
    size_t bytes = strlen(from);
    size_t end;

    if (number_parse(to, &value, &unit) != STATUS_OK || unit[0] != ' ')
        return bytes;
    end = strlen(unit);
    return bytes > end && strcmp(from + bytes - end, unit) == 0 ? bytes - end : bytes;
}

void change_text(const char *from, const char *to, char *text, size_t size)
{
    char first[CHANGE_VALUE_MAX];
    char then[CHANGE_VALUE_MAX];

    snprintf(first, sizeof first, "%s", from);
    snprintf(then, sizeof then, "%s", to);
    quantity_shorten(first);
    quantity_shorten(then);
    snprintf(text, size, "%.*s" CHANGE_ARROW "%s", (int)bytes_before_unit(first, then), first,
             then);
}

/* Finds the only item of `list` that `part` lacks. Returns false unless there is exactly one and
 * the other items are those of `part` in the same order. */
static bool other_item(const char *part, const char *list, char *item, size_t size)
{
    bool found = false;

    if (part[0] == '\0')
        return false;
    while (*list != '\0') {
        size_t bytes = strcspn(list, ",");
        size_t first = strcspn(part, ",");

        if (bytes == first && strncmp(list, part, bytes) == 0) {
            part += first + strspn(part + first, ", ");
        } else {
            if (found)
                return false;
            found = true;
            snprintf(item, size, "%.*s", (int)bytes, list);
        }
        list += bytes + strspn(list + bytes, ", ");
    }
    return found && part[0] == '\0';
}

/* Shortens a list of three or more items to the first and the last. */
static void shorten_list(char *list)
{
    char *second = strchr(list, ',');
    char *last = strrchr(list, ',');

    if (second == NULL || last == second || last - second < 3)
        return;
    memcpy(second, " ...", 4);
    memmove(second + 4, last + 1, strlen(last + 1) + 1);
}

void change_brief(const char *from, const char *to, char *text, size_t size)
{
    char first[CHANGE_VALUE_MAX];
    char then[CHANGE_VALUE_MAX];

    if (other_item(from, to, then, sizeof then)) {
        snprintf(text, size, "+ %s", then);
        return;
    }
    if (other_item(to, from, first, sizeof first)) {
        snprintf(text, size, "without %s", first);
        return;
    }
    snprintf(first, sizeof first, "%s", from);
    snprintf(then, sizeof then, "%s", to);
    shorten_list(first);
    shorten_list(then);
    change_text(first, then, text, size);
}

void change_advised(const struct advise *advise, const struct advice *step, char *text, size_t size)
{
    char from[ADVICE_NAME], to[ADVICE_NAME];

    if (step->ref.knob->type != KNOB_PRESET) {
        change_brief(step->from, step->to, text, size);
        return;
    }
    advice_part(advise, step->from, from);
    advice_part(advise, step->to, to);
    change_text(from, to, text, size);
}
