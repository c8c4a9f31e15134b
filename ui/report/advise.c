#include "report/advise.h"

#include <math.h>
#include <string.h>

#include "charts/advise.h"
#include "design/knob_text.h"
#include "draw/canvas.h"
#include "report/json.h"
#include "report/report.h"
#include "report/text.h"

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
    const struct meet_target *reach = &advise->target;
    struct table table = table_new(5, 0xC, -1);

    table.below = true;
    table_add(&table, "Knob");
    advice_change(report, &table, "From", "to");
    table_add(&table, "Steps");
    table_add(&table, "Latency");
    table_add(&table, "");
    for (int i = 0; i < reach->count && (all || i < KNOBS_SHOWN); i++) {
        const struct target_knob *knob = &reach->knob[i];
        struct performance after =
            knob->after; /* but for what binds now: the title says the rest */

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
                      enum target_source from)
{
    const struct target_sequence *way = &advise->target.sequence[from];
    struct table table = table_new(5, 0x19, 2);
    char title[2 * CELL];
    char bound[PERFORMANCE_BOUND_TEXT];

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
    performance_bound_text(&way->after, bound);
    if (way->after.met)
        snprintf(title, sizeof title, "Steps of %s that meet the target", target_source_name(from));
    else if (way->count == 0)
        snprintf(title, sizeof title, "No step of %s helps: %s limits", target_source_name(from),
                 bound);
    else
        snprintf(title, sizeof title, "Steps of %s do not meet the target%s",
                 target_source_name(from), way->exhausted ? "" : " yet");
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
    if (advise->target.met)
        return;
    print_knobs(report, advise, all);
    for (int from = 0; from < TARGET_SOURCES; from++)
        print_way(report, advise, (enum target_source)from);
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
    const struct performance *now = &advise->now;
    double target = advise->design->scenario.general.target_latency;
    char latency[40];
    char text[40];
    char margin[40];
    char bound[PERFORMANCE_BOUND_TEXT];

    text_quantity(now->latency, "s", report->unicode, latency, sizeof latency);
    text_quantity(target, "s", report->unicode, text, sizeof text);
    text_quantity(fabs(target - now->latency), "s", report->unicode, margin, sizeof margin);
    performance_bound_text(now, bound);
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
    if (parts > ADVISE_TARGET)
        print_reach(&report, advise, all);
    if (parts > ADVISE_SHARES)
        print_splits(&report, advise);
    if (parts > ADVISE_STEPS)
        print_given(&report, advise, all);
}

/* Advise json ---------------------------------------------------------------------------------- */

#define ADVISE_SCHEMA 1
#define US 1e6

static const char *const roles[] = {[ROLE_PART] = "part",
                                    [ROLE_SETTING] = "setting",
                                    [ROLE_INSTRUMENT] = "instrument",
                                    [ROLE_PROPERTY] = "property"};

static const char *const ways[] = {"down", "choice", "up"};

static void put_verdict(struct json *json, const struct performance *verdict)
{
    json_number(json, "latency_us", verdict->latency * US);
    json_number(json, "first_pixel_latency_us", verdict->first_pixel * US);
    json_number(json, "max_frame_rate_hz", verdict->max_frame_rate);
    json_number(json, "load", verdict->load);
    json_bool(json, "overloaded", verdict->overloaded);
    json_bool(json, "met", verdict->met);
    if (verdict->bound[0] == '\0') {
        json_null(json, "bound");
        return;
    }
    json_object(json, "bound");
    json_text(json, "component", verdict->bound);
    json_text(json, "by", bound_name(verdict->by));
    json_object_end(json);
}

/* The knob and where it goes. */
static void put_move(struct json *json, const struct scenario *scenario, struct knob_ref ref,
                     int way, const char *from, const char *to)
{
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    json_text(json, "path", path);
    json_text(json, "role", roles[ref.knob->role]);
    json_text(json, "way", ways[way + 1]);
    json_text(json, "from", from);
    json_text(json, "to", to);
}

static void put_step(struct json *json, const struct scenario *scenario, const struct advice *step)
{
    json_object(json, NULL);
    put_move(json, scenario, step->ref, step->direction, step->from, step->to);
    json_number(json, "gain_us", step->gain * US);
    json_number(json, "elasticity", step->elasticity);
    json_bool(json, "slower", step->slower);
    json_bool(json, "later", step->later);
    put_verdict(json, &step->after);
    json_object_end(json);
}

static void put_steps(struct json *json, const char *key, const struct scenario *scenario,
                      const struct advice_list *list)
{
    json_array(json, key);
    for (int i = 0; i < list->count; i++)
        put_step(json, scenario, &list->at[i]);
    json_array_end(json);
}

static void put_split(struct json *json, const struct scenario *scenario,
                      const struct share_split *split)
{
    json_object(json, NULL);
    json_text(json, "device", split->device < 0 ? NULL : scenario->device[split->device].head.name);
    json_number(json, "gain_us", split->gain * US);
    put_verdict(json, &split->after);
    json_array(json, "shares");
    for (int i = 0; i < split->count; i++) {
        const struct share *share = &split->share[i];

        json_object(json, NULL);
        json_text(json, "component", scenario->component[share->component].head.name);
        json_number(json, "present", share->present);
        json_number(json, "best", share->best > 0 ? share->best : RESULT_NONE);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void put_count(struct json *json, const char *key, const struct packet_count *count)
{
    if (count->packets == 0) {
        json_null(json, key);
        return;
    }
    json_object(json, key);
    json_number(json, "packets", count->packets);
    json_number(json, "gain_us", count->gain * US);
    put_verdict(json, &count->after);
    json_object_end(json);
}

static void put_way(struct json *json, const struct scenario *scenario, enum target_source from,
                    const struct target_sequence *way)
{
    json_object(json, NULL);
    json_text(json, "of", target_source_name(from));
    json_number(json, "gain_us", way->gain * US);
    json_bool(json, "exhausted", way->exhausted);
    put_verdict(json, &way->after);
    json_array(json, "steps");
    for (int i = 0; i < way->count; i++)
        put_step(json, scenario, &way->step[i]);
    json_array_end(json);
    json_object_end(json);
}

static void put_reach(struct json *json, const struct scenario *scenario,
                      const struct meet_target *reach)
{
    json_object(json, "target");
    json_bool(json, "met", reach->met);
    json_array(json, "knobs");
    for (int i = 0; i < reach->count; i++) {
        const struct target_knob *knob = &reach->knob[i];

        json_object(json, NULL);
        put_move(json, scenario, knob->ref, knob->direction, knob->from, knob->to);
        json_number(json, "steps", knob->steps);
        put_verdict(json, &knob->after);
        json_object_end(json);
    }
    json_array_end(json);
    json_array(json, "sequences");
    for (int from = 0; from < TARGET_SOURCES && !reach->met; from++)
        put_way(json, scenario, (enum target_source)from, &reach->sequence[from]);
    json_array_end(json);
    json_object_end(json);
}

static void put_packets(struct json *json, const struct packets *packets)
{
    json_object(json, "packets");
    json_number(json, "present", packets->present);
    put_count(json, "best", &packets->best);
    put_count(json, "fewest_within_1_percent", &packets->fewest);
    json_object_end(json);
}

void advise_print_json(FILE *out, const struct advise *advise, int parts)
{
    const struct scenario *scenario = &advise->design->scenario;
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", ADVISE_SCHEMA);
    json_text(&json, "title", scenario->general.title);
    json_number(&json, "target_latency_us", scenario->general.target_latency * US);
    put_verdict(&json, &advise->now);
    if (parts > ADVISE_STEPS) {
        put_steps(&json, "steps", scenario, &advise->choices);
        put_steps(&json, "sensitivity", scenario, &advise->given);
    } else {
        json_null(&json, "steps");
        json_null(&json, "sensitivity");
    }
    if (parts > ADVISE_TARGET)
        put_reach(&json, scenario, &advise->target);
    else
        json_null(&json, "target");
    if (parts > ADVISE_SHARES) {
        json_array(&json, "splits");
        for (int i = 0; i < advise->split_count; i++)
            put_split(&json, scenario, &advise->split[i]);
        json_array_end(&json);
    } else {
        json_null(&json, "splits");
    }
    if (parts > ADVISE_PACKETS)
        put_packets(&json, &advise->packets);
    else
        json_null(&json, "packets");
    json_object_end(&json);
}

/* Advise cells --------------------------------------------------------------------------------- */

#define CHANGE (STEP_FROM + VALUE_STEP_TEXT + 16)
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
static const char *pace(const struct performance *now, const struct performance *after, bool slower)
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

void advice_then(struct table *table, const struct performance *now,
                 const struct performance *after, bool slower, bool later)
{
    char before[PERFORMANCE_BOUND_TEXT];
    char bound[PERFORMANCE_BOUND_TEXT + 8];
    char cell[PERFORMANCE_BOUND_TEXT + 80] = "";

    performance_bound_text(now, before);
    performance_bound_text(after, bound);
    if (strcmp(bound, before) != 0)
        add_clause(cell, sizeof cell, strcat(bound, " binds"));
    if (after->met != now->met)
        add_clause(cell, sizeof cell, after->met ? "target met" : "target missed");
    add_clause(cell, sizeof cell, pace(now, after, slower));
    add_clause(cell, sizeof cell, later ? "later command" : "");
    table_add(table, cell);
}
