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

void advice_change(const struct report *report, struct table *table, const char *from,
                   const char *to)
{
    char change[CHANGE];
    char cell[CHANGE];

    change_brief(from, to, change, sizeof change);
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
