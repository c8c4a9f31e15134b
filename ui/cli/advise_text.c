#include "cli/advise_text.h"

#include <math.h>
#include <string.h>

#include "cli/advise_cells.h"
#include "cli/report_parts.h"
#include "cli/text.h"

#define STEPS_SHOWN 15 /* without --all */
#define GIVEN_SHOWN 8  /* likewise */
#define KNOBS_SHOWN 10 /* likewise, that meet the target alone */
#define LEAST 0.0005   /* of the latency: less is shown as nothing */
#define CELL (NODE_NAME_MAX + 40)
#define COLUMNS 80

static void print(const struct report *report, struct table *table, const char *title)
{
    fprintf(report->out, "\n%s%s%s\n", report->bold, title, report->plain);
    table_print(table, report->out, COLUMNS, report->bold, report->plain);
    table_free(table);
}

/* Steps ---------------------------------------------------------------------------------------- */

static struct table step_table(const struct report *report, bool below)
{
    struct table table = table_new(below ? 6 : 5, 0x1C, -1);

    table.below = below;
    table_add(&table, "Knob");
    advice_change(report, &table, "From", "to");
    table_add(&table, "Gain");
    table_add(&table, "%");
    table_add(&table, "Elast.");
    if (below)
        table_add(&table, "");
    return table;
}

static void add_step(const struct report *report, struct table *table, const struct advise *advise,
                     const struct advice *step)
{
    advice_path(table, &advise->design->scenario, step->ref);
    advice_change(report, table, step->from, step->to);
    advice_gain(report, table, step->gain, advise->now.latency);
    advice_elasticity(table, step->elasticity);
}

static bool is_worth_it(const struct advice *step, double latency)
{
    return !step->later && step->gain > latency * LEAST;
}

/* The next step from number `i` on that is shown after `shown` of them; -1: there is none. */
static int next_step(const struct advise *advise, int i, bool all, int shown)
{
    for (; i < advise->choices.count; i++)
        if (all ||
            (is_worth_it(&advise->choices.at[i], advise->now.latency) && shown < STEPS_SHOWN))
            return i;
    return -1;
}

static void print_steps(const struct report *report, const struct advise *advise, bool all)
{
    struct table table = step_table(report, true);
    int shown = 0;

    for (int i = next_step(advise, 0, all, 0); i >= 0; i = next_step(advise, i + 1, all, shown)) {
        const struct advice *step = &advise->choices.at[i];

        add_step(report, &table, advise, step);
        advice_then(&table, &advise->now, &step->after, step->slower, step->later);
        shown++;
    }
    if (shown == 0) {
        table_free(&table);
        fputs("\nno step of a part or setting makes it faster\n", report->out);
        return;
    }
    print(report, &table, "One step of one knob");
}

static void print_given(const struct report *report, const struct advise *advise, bool all)
{
    struct table table = step_table(report, false);
    const struct knob *before = NULL;
    int index = -1;
    int shown = 0;

    for (int i = 0; i < advise->given.count; i++) {
        const struct advice *step = &advise->given.at[i];
        bool again = step->ref.knob == before && step->ref.index == index;
        bool acts = step->elasticity != RESULT_NONE && fabs(step->elasticity) >= 0.005;

        if (!all && (again || !acts || shown == GIVEN_SHOWN))
            continue;
        before = step->ref.knob;
        index = step->ref.index;
        add_step(report, &table, advise, step);
        shown++;
    }
    if (shown > 0)
        print(report, &table, "Sensitive to, but given by the instrument, a part or a code");
    else
        table_free(&table);
}

/* What meets the target ------------------------------------------------------------------------ */

static void print_knobs(const struct report *report, const struct advise *advise, bool all)
{
    const struct reach *reach = &advise->reach;
    struct table table = table_new(5, 0xC, -1);

    table.below = true;
    table_add(&table, "Knob");
    advice_change(report, &table, "From", "to");
    table_add(&table, "Steps");
    table_add(&table, "Latency");
    table_add(&table, "");
    for (int i = 0; i < reach->count && (all || i < KNOBS_SHOWN); i++) {
        const struct reach_knob *knob = &reach->knob[i];
        struct verdict after = knob->after; /* but for what binds now: the title says the rest */

        memcpy(after.bound, advise->now.bound, sizeof after.bound);
        after.by = advise->now.by;
        advice_path(&table, &advise->design->scenario, knob->ref);
        advice_change(report, &table, knob->from, knob->to);
        table_addf(&table, "%d", knob->steps);
        report_quantity(report, &table, knob->after.latency, "s");
        advice_then(&table, &after, &knob->after, false, false);
    }
    if (reach->count > 0)
        print(report, &table, "One knob that meets the target");
    else
        table_free(&table);
}

static void print_way(const struct report *report, const struct advise *advise,
                      enum reach_from from)
{
    const struct reach_way *way = &advise->reach.way[from];
    struct table table = table_new(5, 0x19, 2);
    char title[2 * CELL];
    char bound[VERDICT_BOUND];

    table_add(&table, "");
    table_add(&table, "Knob");
    advice_change(report, &table, "From", "to");
    table_add(&table, "Gain");
    table_add(&table, "Latency");
    for (int i = 0; i < way->count; i++) {
        const struct advice *step = &way->step[i];

        table_addf(&table, "%d", i + 1);
        advice_path(&table, &advise->design->scenario, step->ref);
        advice_change(report, &table, step->from, step->to);
        report_quantity(report, &table, step->gain, "s");
        report_quantity(report, &table, step->after.latency, "s");
    }
    verdict_bound_text(&way->after, bound);
    if (way->after.met)
        snprintf(title, sizeof title, "Steps of %s that meet the target", reach_from_name(from));
    else if (way->count == 0)
        snprintf(title, sizeof title, "No step of %s helps: %s limits", reach_from_name(from),
                 bound);
    else
        snprintf(title, sizeof title, "Steps of %s do not meet the target%s", reach_from_name(from),
                 way->exhausted ? "" : " yet");
    if (way->count > 0) {
        print(report, &table, title);
        if (!way->after.met)
            fprintf(report->out, "then %s limits%s\n", bound,
                    way->after.overloaded ? ", overloaded" : "");
    } else {
        fprintf(report->out, "\n%s%s%s\n", report->bold, title, report->plain);
        table_free(&table);
    }
}

static void print_reach(const struct report *report, const struct advise *advise, bool all)
{
    if (advise->reach.met)
        return;
    print_knobs(report, advise, all);
    for (int from = 0; from < REACH_COUNT; from++)
        print_way(report, advise, (enum reach_from)from);
}

/* Shares and packets --------------------------------------------------------------------------- */

static void print_split(const struct report *report, const struct advise *advise,
                        const struct share_split *split)
{
    const struct scenario *scenario = &advise->design->scenario;
    struct table table = table_new(3, 0x6, 0);
    char title[CELL];
    char gain[40];

    text_quantity(split->gain, "s", report->unicode, gain, sizeof gain);
    snprintf(title, sizeof title, "Best division of %s: gains %s, %.1f %%",
             split->device < 0 ? "all devices" : scenario->device[split->device].head.name, gain,
             100 * split->gain / advise->now.latency);
    table_add(&table, "Component");
    table_add(&table, "Share now");
    table_add(&table, "Best");
    for (int i = 0; i < split->count; i++) {
        const struct share *share = &split->share[i];
        char best[40];

        table_add(&table, scenario->component[share->component].head.name);
        table_addf(&table, "%s%.3g", scenario->component[share->component].share > 0 ? "" : "auto ",
                   share->present);
        share_text(share, best, sizeof best);
        table_add(&table, best);
    }
    print(report, &table, title);
}

static void print_splits(const struct report *report, const struct advise *advise)
{
    bool none = true;

    for (int i = 0; i < advise->split_count; i++) {
        const struct share_split *split = &advise->split[i];

        if (split->gain <= advise->now.latency * LEAST)
            continue;
        print_split(report, advise, split);
        none = false;
    }
    if (!none)
        return;
    fputc('\n', report->out);
    report_line(report, "", "Shares",
                advise->design->scenario.general.sharing == SHARING_PARTITION
                    ? "no division of a device is faster than the present one"
                    : "devices are not divided: sharing is not partition");
}

static void print_packets(const struct report *report, const struct advise *advise)
{
    const struct packets *packets = &advise->packets;
    char best[40];
    char near[40];

    if (packets->best.packets == 0) {
        report_line(report, report->bad, "Packets", "with no number of them it keeps up");
        return;
    }
    text_quantity(packets->best.after.latency, "s", report->unicode, best, sizeof best);
    text_quantity(packets->fewest.after.latency, "s", report->unicode, near, sizeof near);
    report_line(report, "", "Packets",
                "%d now; latency is least, %s, with %d; with %d it is within 1 %% of that, %s",
                packets->present, best, packets->best.packets, packets->fewest.packets, near);
}

/* -------------------------------------------------------------------------------------------- */

static void print_now(const struct report *report, const struct advise *advise)
{
    char title[TEXT_MAX_LENGTH + 1];
    const struct verdict *now = &advise->now;
    double target = advise->design->scenario.general.target_latency;
    char latency[40];
    char text[40];
    char margin[40];
    char bound[VERDICT_BOUND];

    text_quantity(now->latency, "s", report->unicode, latency, sizeof latency);
    text_quantity(target, "s", report->unicode, text, sizeof text);
    text_quantity(fabs(target - now->latency), "s", report->unicode, margin, sizeof margin);
    verdict_bound_text(now, bound);
    text_clean(advise->design->scenario.general.title, report->unicode, title, sizeof title);
    report_line(report, "", "Design", "%s", title[0] != '\0' ? title : "without a title");
    report_line(report, now->met ? report->good : report->bad, "Now",
                "RTC latency %s, target %s: %s%s, %s %s; %s binds", latency, text,
                now->met ? "met" : "missed", now->overloaded ? ", overloaded" : "", margin,
                now->latency <= target ? "to spare" : "too long", bound);
}

void advise_print_text(FILE *out, const struct advise *advise, bool all, int parts)
{
    struct report report = report_to(out);

    print_now(&report, advise);
    if (parts > ADVISE_PACKETS)
        print_packets(&report, advise);
    if (parts > ADVISE_STEPS)
        print_steps(&report, advise, all);
    if (parts > ADVISE_REACH)
        print_reach(&report, advise, all);
    if (parts > ADVISE_SHARES)
        print_splits(&report, advise);
    if (parts > ADVISE_STEPS)
        print_given(&report, advise, all);
}
