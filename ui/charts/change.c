#include "charts/change.h"

#include <stdio.h>
#include <string.h>

#include "units.h"

/* How many bytes of `from` to show: not a unit that `to` has, too. */
static size_t shown(const char *from, const char *to)
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
    snprintf(text, size, "%.*s" CHANGE_ARROW "%s", (int)shown(from, to), from, to);
}

/* The one item that `list` has beside those of `part`; false: there are more or none, or the items
 * of `part` are not all in it, in that order. */
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

/* Of a list of three or more its first and its last item. */
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
