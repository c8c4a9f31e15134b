#include "tui/explore_overload.h"

#include <stdio.h>

#include "base/units.h"
#include "model/load.h"
#include "tui/widget.h"

static void append(char *text, size_t size, size_t *used, const char *joint, const char *name,
                   double ratio, const char *unit)
{
    char number[32];

    quantity_print(ratio, "", number, sizeof number);
    if (*used < size)
        *used +=
            (size_t)snprintf(text + *used, size - *used, "%s%s %s%s", joint, name, number, unit);
}

static void append_more(char *text, size_t size, size_t used, int more)
{
    if (more > 0 && used < size)
        snprintf(text + used, size - used, " and %d more", more);
}

static void at_length(const struct overload *list, int count, double period, char *text,
                      size_t size)
{
    char busy[32];
    char frame[32];
    char ratio[32];
    size_t used;

    quantity_show(list[0].busy, "s", busy, sizeof busy);
    quantity_show(period, "s", frame, sizeof frame);
    quantity_print(list[0].busy / period, "", ratio, sizeof ratio);
    used = (size_t)snprintf(text, size, "OVERLOAD: %s is busy %s of a %s frame, %s times too slow",
                            list[0].name, busy, frame, ratio);
    for (int i = 1; i < count && i < OVERLOAD_MAX; i++)
        append(text, size, &used, i == 1 ? "; also " : ", ", list[i].name, list[i].busy / period,
               " times");
    append_more(text, size, used, count - OVERLOAD_MAX);
}

static void in_short(const struct overload *list, int count, int named, double period, char *text,
                     size_t size)
{
    size_t used = (size_t)snprintf(text, size, "OVERLOAD, times too slow:");

    for (int i = 0; i < named; i++)
        append(text, size, &used, i == 0 ? " " : ", ", list[i].name, list[i].busy / period, "");
    append_more(text, size, used, count - named);
}

void overload_words(const struct scenario *scenario, const struct result *result, int rows,
                    int columns, char *text, size_t size)
{
    struct overload list[OVERLOAD_MAX];
    struct canvas none = {0};
    struct rect line = {0, 0, 1, columns};
    int count = load_list_overloads(scenario, result, list);
    int named = count < OVERLOAD_MAX ? count : OVERLOAD_MAX;

    text[0] = '\0';
    if (count == 0)
        return;
    at_length(list, count, result->frame_period, text, size);
    for (; canvas_wrap(&none, line, 0, STYLE_ERROR, text) > rows && named > 0; named--)
        in_short(list, count, named, result->frame_period, text, size);
}
