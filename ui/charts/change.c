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
