#include "cli/advise_cells.h"

#include <math.h>
#include <string.h>

#include "charts/change.h"
#include "cli/text.h"
#include "draw/lines.h"

#define CHANGE (STEP_FROM + LADDER_VALUE + 16)
#define CHANGE_COLUMNS 40

void advice_path(struct table *table, const struct scenario *scenario, struct knob_ref ref)
{
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    table_add(table, path);
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

void advice_change(const struct report *report, struct table *table, const char *from,
                   const char *to)
{
    char item[LADDER_VALUE];
    char change[CHANGE];
    char cell[CHANGE];
    char first[STEP_FROM];
    char then[LADDER_VALUE];

    if (other_item(from, to, item, sizeof item))
        snprintf(change, sizeof change, "+ %s", item);
    else if (other_item(to, from, item, sizeof item))
        snprintf(change, sizeof change, "without %s", item);
    else {
        snprintf(first, sizeof first, "%s", from);
        snprintf(then, sizeof then, "%s", to);
        shorten_list(first);
        shorten_list(then);
        change_text(first, then, change, sizeof change);
    }
    text_middle(change, sizeof change, CHANGE_COLUMNS);
    text_clean(change, report->unicode, cell, sizeof cell);
    table_add(table, cell);
}

void advice_gain(const struct report *report, struct table *table, double gain, double whole)
{
    double percent = whole > 0 ? 100 * gain / whole : 0;

    report_quantity(report, table, gain, "s");
    table_addf(table, "%.*f", fabs(percent) < 100 ? 1 : 0, percent);
}

void advice_elasticity(struct table *table, double elasticity)
{
    if (elasticity == RESULT_NONE)
        table_add(table, "-");
    else
        table_addf(table, "%.2f", fabs(elasticity) < 0.005 ? 0 : elasticity);
}

/* How the design keeps up after a step, where that changed. */
static const char *pace(const struct verdict *now, const struct verdict *after, bool slower)
{
    if (after->overloaded != now->overloaded)
        return after->overloaded ? "overloaded" : "it keeps up";
    return slower ? "lower max rate" : "";
}

/* Goes on with a sentence of clauses; an empty one adds nothing. */
static void add_clause(char *text, size_t size, const char *clause)
{
    size_t used = strlen(text);

    if (clause[0] != '\0')
        snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "then ", clause);
}

void advice_then(struct table *table, const struct verdict *now, const struct verdict *after,
                 bool slower, bool later)
{
    char before[VERDICT_BOUND];
    char bound[VERDICT_BOUND + 8];
    char cell[VERDICT_BOUND + 80] = "";

    verdict_bound_text(now, before);
    verdict_bound_text(after, bound);
    if (strcmp(bound, before) != 0)
        add_clause(cell, sizeof cell, strcat(bound, " binds"));
    if (after->met != now->met)
        add_clause(cell, sizeof cell, after->met ? "target met" : "target missed");
    add_clause(cell, sizeof cell, pace(now, after, slower));
    add_clause(cell, sizeof cell, later ? "later command" : "");
    table_add(table, cell);
}
