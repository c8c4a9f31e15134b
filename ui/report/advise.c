#include "model/note.h"
#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "charts/advise.h"
#include "design/algorithm.h"
#include "design/knob_text.h"
#include "draw/canvas.h"
#include "explore/advise.h"
#include "explore/compare.h"
#include "report/range.h"

#define ADVISE_SCHEMA 1
#define STEPS_SHOWN 10 /* steps of a group in text without `all` */
#define GIVEN_SHOWN 6  /* likewise, sensitivities to given properties */
#define KNOBS_SHOWN 10 /* likewise, single knobs that meet the target */
#define CHANGE_COLUMNS 40
#define CLAUSES (VERDICT_RESOURCE_MAX + 96)

const struct record_column steps_columns[STEPS_COLUMNS] = {
    [STEPS_CHANGE] = {NULL, "From" CHANGE_ARROW "to", ""},
    [STEPS_LOAD] = {"load", "Load", ""},
    [STEPS_ELASTICITY] = {"elasticity", "Per 1 %", ""},
    [STEPS_ERROR] = {"total_change_nm", "nm", "nm"},
};

/* Members and cells that several tables share -------------------------------------------------- */

static void put_performance(struct record *record, const struct performance *performance)
{
    record_number(record, "latency_us", NULL, "us", performance->latency);
    record_number(record, "first_pixel_latency_us", NULL, "us", performance->first_pixel);
    record_number(record, "max_frame_rate_hz", NULL, "Hz", performance->max_frame_rate);
    record_number(record, "load", NULL, "", performance->load);
    record_bool(record, "overloaded", NULL, performance->overloaded);
    record_bool(record, "met", NULL, performance->met);
    record_number(record, "price", NULL, "",
                  performance->price.unstated > 0 ? RESULT_NONE : performance->price.stated);
    record_object(record, "bound", NULL, performance->bound[0] != '\0');
    record_text(record, "component", NULL, performance->bound);
    record_text(record, "by", NULL, bound_name(performance->by));
    record_object_end(record);
}

/* Puts the knob and its values. */
static void put_change(struct record *record, const struct advise *advise, struct knob_ref ref,
                       enum knob_role group, int direction, const char *from, const char *to)
{
    static const char *const roles[] = {[ROLE_HARDWARE] = "part",
                                        [ROLE_SOFTWARE] = "setting",
                                        [ROLE_INSTRUMENT] = "instrument",
                                        [ROLE_ASSUMPTION] = "property"};
    static const char *const directions[] = {"down", "choice", "up"};
    char path[96];

    knob_path(advise->design, ref, path, sizeof path);
    record_text(record, "path", "Knob", path);
    record_text(record, "role", NULL, roles[group]);
    record_text(record, "way", NULL, directions[direction + 1]);
    record_text(record, "from", NULL, from);
    record_text(record, "to", NULL, to);
}

/* Puts the change of a knob as text, in a column. */
static void put_change_cell(struct record *record, char *change, size_t size)
{
    text_middle(change, size, CHANGE_COLUMNS);
    record_cell(record, steps_columns[STEPS_CHANGE].heading, change);
}

static void put_step(struct record *record, const struct advise *advise, const struct advice *step,
                     bool sequence)
{
    double share = advise->now.overloaded
                       ? 100 * (advise->now.load - step->after.load) / advise->now.load
                   : advise->now.latency > 0 ? 100 * step->gain / advise->now.latency
                                             : 0;
    bool none = !record_is_data(record) && !advise->now.overloaded && !advice_counts(step);
    double percent = none ? RESULT_NONE : fabs(share) < 0.05 ? 0 : share;
    const struct record_column *elasticity = &steps_columns[STEPS_ELASTICITY];
    const struct record_column *error = &steps_columns[STEPS_ERROR];
    char change[ADVICE_CHANGE], name[ADVICE_NAME];

    put_change(record, advise, step->ref, step->group, step->direction, step->from, step->to);
    advice_name(advise, step, name);
    record_text(record, "name", NULL, name);
    record_text(record, "caveat", NULL, step->caveat);
    record_text(record, "algorithm", NULL, step->algorithm != NULL ? step->algorithm->name : NULL);
    change_advised(advise, step, change, sizeof change);
    put_change_cell(record, change, sizeof change);
    record_number(record, "gain_us", advise->now.overloaded ? NULL : "Gain", "us",
                  none ? RESULT_NONE : step->gain);
    if (advise->now.overloaded && !sequence && !record_is_data(record))
        record_value(record, &steps_columns[STEPS_LOAD], step->after.load);
    if (!sequence && !record_is_data(record))
        record_digits(record, NULL, "%", "", fabs(percent) < 100 ? "%.1f" : "%.0f", percent);
    record_digits(
        record, elasticity->key, sequence ? NULL : elasticity->heading, elasticity->unit, "%.2f",
        step->elasticity != RESULT_NONE && fabs(step->elasticity) < 0.005 && !record_is_data(record)
            ? 0
            : step->elasticity);
    record_change(record, error->key,
                  sequence || advise->error == RESULT_NONE ? NULL : error->heading, error->unit,
                  sequence ? RESULT_NONE : step->error);
    record_change(record, "lag_change_nm",
                  sequence || advise->lag == RESULT_NONE ? NULL : error->heading, error->unit,
                  sequence ? RESULT_NONE : step->lag);
    record_bool(record, "practical", NULL, step->practical);
    record_bool(record, "slower", NULL, step->slower);
    record_bool(record, "later", NULL, step->later);
    put_performance(record, &step->after);
}

static void add_clause(struct buffer *text, const char *clause, int *clauses)
{
    if (clause[0] != '\0')
        buffer_print(text, "%s%s",
                     ++*clauses > 1     ? ", "
                     : text->length > 0 ? "; then "
                                        : "then ",
                     clause);
}

/* Puts the algorithm and the caveat of a step and its other consequences below its row: "by
 * lqg-modal", "3 digits; then limited by calibration memory, target missed". */
static void put_consequences(struct record *record, const struct algorithm *algorithm,
                             const char *caveat, const struct performance *before,
                             const struct performance *after, bool slower, bool later)
{
    char clause[VERDICT_RESOURCE_MAX + 16];
    char clauses[CLAUSES];
    struct buffer text = buffer_over(clauses, sizeof clauses);
    int count = 0;

    if (algorithm != NULL)
        buffer_print(&text, "by %s%s", algorithm->name, caveat == NULL ? "" : "; ");
    buffer_text(&text, caveat == NULL ? "" : caveat);
    if (strcmp(after->limit, before->limit) != 0) {
        snprintf(clause, sizeof clause, "limited by %s", after->limit);
        add_clause(&text, clause, &count);
    }
    if (after->met != before->met && !after->overloaded)
        add_clause(&text, after->met ? "target met" : "target missed", &count);
    if (after->overloaded != before->overloaded)
        add_clause(&text, after->overloaded ? "overloaded" : "no longer overloaded", &count);
    else if (slower)
        add_clause(&text, "lower max rate", &count);
    if (later)
        add_clause(&text, "later command", &count);
    performance_price(before, after, clause, sizeof clause);
    add_clause(&text, clause, &count);
    record_cell(record, "", clauses);
    record_below(record);
}

/* Steps ---------------------------------------------------------------------------------------- */

/* The groups of a list of steps, in order, and what a text says of each. */
struct step_group {
    enum knob_role role;
    const char *title;
    const char *none;   /* NULL: nothing */
    const char *lowers; /* the same of an overloaded design */
};

static const struct step_group choice_groups[] = {
    {ROLE_HARDWARE, "Hardware steps",
     "no single hardware change reduces the latency by a practical difference",
     "no single hardware change lowers the load"},
    {ROLE_SOFTWARE, "Software steps: check the correction where there is a caveat",
     "no single software change reduces the latency by a practical difference",
     "no single software change lowers the load"}};
static const struct step_group given_groups[] = {
    {ROLE_INSTRUMENT, "Sensitivity to instrument and telescope", NULL, NULL},
    {ROLE_ASSUMPTION, "Assumptions: state or measure them", NULL, NULL}};

/* Whether a text shows a step of `list`. */
typedef bool step_filter(const struct advise *advise, const struct advice_list *list, int i,
                         bool all);

static bool is_choice_shown(const struct advise *advise, const struct advice_list *list, int i,
                            bool all)
{
    (void)advise;
    return all ? advice_counts(&list->at[i]) : advice_gains(&list->at[i]);
}

static bool is_given_shown(const struct advise *advise, const struct advice_list *list, int i,
                           bool all)
{
    return all ? advice_counts(&list->at[i]) : advice_helps(advise, list, i);
}

/* Puts the steps of a list: as text one group, at most `most` of those that pass the filter
 * (`all`: all of them), as data all of them (`group` NULL). */
static void put_group(struct record *record, const struct advise *advise,
                      const struct advice_list *list, const struct step_group *group,
                      step_filter *filter, int most, bool all)
{
    bool choice = list == &advise->choices;
    int shown = 0;

    for (int i = 0; i < list->count; i++) {
        const struct advice *step = &list->at[i];

        if (group != NULL && (step->group != group->role || !filter(advise, list, i, all) ||
                              (!all && shown == most)))
            continue;
        if (shown++ == 0 && group != NULL) {
            record_section(record, "%s", group->title);
            record_table(record, NULL, NULL);
        }
        record_row(record);
        put_step(record, advise, step, false);
        if (choice)
            put_consequences(record, step->algorithm, step->caveat, &advise->now, &step->after,
                             step->slower, step->later);
        else {
            record_cell(record, "", step->caveat != NULL ? step->caveat : "");
            record_below(record);
        }
        record_row_end(record);
    }
    if (shown > 0 && group != NULL)
        record_table_end(record);
    if (shown == 0 && group != NULL && group->none != NULL)
        record_note(record, "%s", advise->now.overloaded ? group->lowers : group->none);
}

static void put_list(struct record *record, const struct advise *advise, const char *key,
                     const struct advice_list *list, const struct step_group groups[2],
                     step_filter *filter, int most, bool all)
{
    if (record_is_data(record)) {
        record_table(record, key, NULL);
        put_group(record, advise, list, NULL, filter, most, all);
        record_table_end(record);
        return;
    }
    for (int g = 0; g < 2; g++)
        put_group(record, advise, list, &groups[g], filter, most, all);
}

static void put_steps(struct record *record, const struct advise *advise, bool all)
{
    put_list(record, advise, "steps", &advise->choices, choice_groups, is_choice_shown, STEPS_SHOWN,
             all);
}

static void put_sensitivity(struct record *record, const struct advise *advise, bool all)
{
    int left = advice_left_out(advise, ROLE_INSTRUMENT) + advice_left_out(advise, ROLE_ASSUMPTION);

    put_list(record, advise, "sensitivity", &advise->given, given_groups, is_given_shown,
             GIVEN_SHOWN, all);
    if (left > 0 && !all && !record_is_data(record))
        record_note(record,
                    "%d more, of which a change by 10 %% gains less than 1 %%; --all lists them",
                    left);
}

static void put_cliffs(struct record *record, const struct advise *advise)
{
    if (advise->cliff_count > 0)
        record_section(record, "Cliffs: a step of 10 %% multiplies the latency");
    record_table(record, "cliffs", NULL);
    for (int i = 0; i < advise->cliff_count; i++) {
        const struct advised_cliff *at = &advise->cliff[i];
        const char *unit = at->ref.knob->unit;
        char path[96], from[CLIFF_VALUE], to[CLIFF_VALUE];

        knob_path(advise->design, at->ref, path, sizeof path);
        cliff_print_value(at->cliff.from, at->ref, from);
        cliff_print_value(at->cliff.to, at->ref, to);
        record_row(record);
        record_text(record, "path", "Knob", path);
        record_number(record, "from", NULL, unit, at->cliff.from);
        record_number(record, "to", NULL, unit, at->cliff.to);
        record_cellf(record, steps_columns[STEPS_CHANGE].heading, "%s \xE2\x86\x92 %s", from, to);
        record_number(record, "before_us", "Latency", "us", at->cliff.before);
        record_number(record, "after_us", "then", "us", at->cliff.after);
        record_digits(record, "factor", "Times", "", "%.2f", at->cliff.after / at->cliff.before);
        record_text(record, "of", "Of", at->cliff.upper ? "upper end" : "latency");
        record_row_end(record);
    }
    record_table_end(record);
}

/* What meets the target ------------------------------------------------------------------------ */

static void put_target_knobs(struct record *record, const struct advise *advise, bool all)
{
    const struct meet_target *target = &advise->target;

    if (target->count > 0)
        record_section(record, "Single knobs that meet the target");
    record_table(record, "knobs", NULL);
    for (int i = 0; i < target->count && (all || record_is_data(record) || i < KNOBS_SHOWN); i++) {
        const struct target_knob *knob = &target->knob[i];
        char change[ADVICE_CHANGE];
        struct performance before = knob->after; /* omit what the section's title says */

        memcpy(before.limit, advise->now.limit, sizeof before.limit);
        before.price = advise->now.price;
        record_row(record);
        put_change(record, advise, knob->ref, knob->ref.knob->role, knob->direction, knob->from,
                   knob->to);
        change_brief(knob->from, knob->to, change, sizeof change);
        put_change_cell(record, change, sizeof change);
        record_integer(record, "steps", "Steps", knob->steps);
        put_performance(record, &knob->after);
        if (!record_is_data(record))
            record_number(record, "latency_us", "Latency", "us", knob->after.latency);
        put_consequences(record, NULL, knob->caveat, &before, &knob->after, false, false);
        record_row_end(record);
    }
    record_table_end(record);
}

static void put_sequence(struct record *record, const struct advise *advise,
                         enum target_source source)
{
    const struct target_sequence *sequence = &advise->target.sequence[source];
    static const char *const keys[TARGET_SOURCES] = {[TARGET_SOFTWARE] = "settings",
                                                     [TARGET_HARDWARE] = "parts",
                                                     [TARGET_CHOICES] = "settings and parts"};
    const char *name = target_source_name(source);

    record_object(record, NULL, NULL, true);
    record_text(record, "of", NULL, keys[source]);
    record_number(record, "gain_us", NULL, "us", sequence->gain);
    record_bool(record, "exhausted", NULL, sequence->exhausted);
    put_performance(record, &sequence->after);
    if (sequence->after.met)
        record_section(record, "Steps that meet the target (%s)", name);
    else if (sequence->count == 0)
        record_section(record, "No %s step helps: %s limits", name, sequence->after.limit);
    else
        record_section(record, "Steps that do not meet the target%s (%s)",
                       sequence->exhausted ? "" : " yet", name);
    record_table(record, "steps", NULL);
    for (int i = 0; i < sequence->count; i++) {
        const struct advice *step = &sequence->step[i];

        record_row(record);
        record_cellf(record, "", "%d", i + 1);
        put_step(record, advise, step, true);
        if (!record_is_data(record))
            record_number(record, "latency_us", "Latency", "us", step->after.latency);
        record_row_end(record);
    }
    record_table_end(record);
    if (sequence->count > 0 && !sequence->after.met)
        record_note(record, "then %s limits%s", sequence->after.limit,
                    sequence->after.overloaded ? ", overloaded" : "");
    record_object_end(record);
}

static void put_target(struct record *record, const struct advise *advise, bool all)
{
    record_object(record, "target", NULL, true);
    record_bool(record, "met", NULL, advise->target.met);
    put_target_knobs(record, advise, all);
    record_array(record, "sequences", true);
    for (int source = 0; source < TARGET_SOURCES && !advise->target.met; source++)
        put_sequence(record, advise, (enum target_source)source);
    record_array_end(record);
    record_object_end(record);
}

/* Shares and packets --------------------------------------------------------------------------- */

static void put_split(struct record *record, const struct advise *advise,
                      const struct share_split *split)
{
    const struct scenario *scenario = advise->design;
    const char *device = split->device < 0 ? NULL : scenario->device[split->device].head.name;
    bool gains = split->gain > 0;

    if (gains)
        record_section(record, "Best division of %s: gains %s, %.1f %%",
                       device == NULL ? "all devices" : device,
                       record_quantity(record, split->gain, "s"),
                       100 * split->gain / advise->now.latency);
    record_object(record, NULL, NULL, true);
    record_text(record, "device", NULL, device);
    record_number(record, "gain_us", NULL, "us", split->gain);
    put_performance(record, &split->after);
    record_table(record, "shares", NULL);
    for (int i = 0; i < split->count && (gains || record_is_data(record)); i++) {
        const struct share *share = &split->share[i];
        const struct component *component = &scenario->component[share->component];
        char best[40];

        share_text(share, best, sizeof best);
        record_row(record);
        record_text(record, "component", "Component", component->head.name);
        record_number(record, "present", NULL, "", share->present);
        record_number(record, "best", NULL, "", share->best > 0 ? share->best : RESULT_NONE);
        record_cellf(record, "Share now", "%s%.3g", component->share > 0 ? "" : "auto ",
                     share->present);
        record_cell(record, "Best", best);
        record_row_end(record);
    }
    record_table_end(record);
    record_object_end(record);
}

static void put_splits(struct record *record, const struct advise *advise)
{
    bool gains = false;

    record_array(record, "splits", true);
    for (int i = 0; i < advise->split_count; i++) {
        put_split(record, advise, &advise->split[i]);
        gains = gains || advise->split[i].gain > 0;
    }
    record_array_end(record);
    if (!gains)
        record_line(record, TONE_PLAIN, "Shares",
                    scenario_common_sharing(advise->design) == SHARING_PARTITION
                        ? "no division of a device reduces the latency"
                        : "devices are not divided: sharing is not partition");
    unused_parts_put(record, advise->design);
}

static void put_packet_count(struct record *record, const char *key,
                             const struct packet_count *count)
{
    record_object(record, key, NULL, count->packets > 0);
    record_integer(record, "packets", NULL, count->packets);
    record_number(record, "gain_us", NULL, "us", count->gain);
    record_number(record, "latency_low_us", NULL, "us", count->low);
    record_number(record, "latency_high_us", NULL, "us", count->high);
    put_performance(record, &count->after);
    record_object_end(record);
}

static void write_packet_count(const struct record *record, const struct packet_count *count,
                               char text[RANGE_LATENCY_MAX])
{
    range_latency_text(count->after.latency, count->low, count->high, record->unicode, text);
}

static void put_packets(struct record *record, const struct packets *packets)
{
    char now[RANGE_LATENCY_MAX], lowest[RANGE_LATENCY_MAX];
    char best[RANGE_LATENCY_MAX], fewest[RANGE_LATENCY_MAX];

    write_packet_count(record, &packets->now, now);
    write_packet_count(record, &packets->lowest, lowest);
    write_packet_count(record, &packets->best, best);
    write_packet_count(record, &packets->fewest, fewest);
    record_object(record, "packets", NULL, true);
    record_integer(record, "present", NULL, packets->present);
    put_packet_count(record, "lowest", &packets->lowest);
    put_packet_count(record, "best", &packets->best);
    put_packet_count(record, "fewest_within_1_percent", &packets->fewest);
    record_object_end(record);
    if (packets->best.packets == 0)
        record_line(record, TONE_BAD, "Packets", "overloaded with any number of packets");
    else if (!packets->now.after.overloaded &&
             !compare_matters(packets->best.after.counted, packets->now.after.counted))
        record_line(record, TONE_PLAIN, "Packets", "now %d, %s: no other number gains 1 %%",
                    packets->present, now);
    else
        record_line(record, TONE_PLAIN, "Packets",
                    "now %d, %s; best %d, %s; fewest within 1 %% of that: %d, %s", packets->present,
                    now, packets->best.packets, best, packets->fewest.packets, fewest);
    if (packets->lowest.packets != packets->best.packets &&
        compare_matters(packets->lowest.after.counted, packets->best.after.counted))
        record_line(record, TONE_PLAIN, "", "%d: lowest latency, but a higher upper end, %s",
                    packets->lowest.packets, lowest);
}

/* Range ---------------------------------------------------------------------------------------- */

/* Puts the range that is expected after a measurement of a result. */
static void put_measure(struct record *record, const struct advise *advise, int number)
{
    const struct calibrate_candidate *candidate = &advise->measure[number];
    const double low = advise->range.latency * exp(-candidate->after);
    const double high = advise->range.latency * exp(candidate->after);
    char path[RESULT_PATH_MAX], words[RANGE_TEXT_MAX];

    result_path(&candidate->ref, path, sizeof path);
    if (record_is_data(record)) {
        record_row(record);
        record_text(record, "result", NULL, path);
        record_number(record, "latency_low_us", NULL, "us", low);
        record_number(record, "latency_high_us", NULL, "us", high);
        record_row_end(record);
        return;
    }
    range_ends_text(RESULT_NONE, low, high, record->unicode, words, sizeof words);
    record_line(record, TONE_PLAIN, number == 0 ? "Calibrate" : "",
                "with a measured %s: the range is expected to be %s", path, words);
}

/* Puts the measurements that would narrow the range most. */
static void put_measures(struct record *record, const struct advise *advise)
{
    const int count = record_is_data(record) ? advise->measure_count : advise_measures(advise);

    record_table(record, "measure", NULL);
    for (int i = 0; i < count; i++)
        put_measure(record, advise, i);
    record_table_end(record);
}

static void put_range(struct record *record, const struct advise *advise)
{
    const struct latency_range *range = &advise->range;
    char words[RANGE_TEXT_MAX], assumed[RANGE_TEXT_MAX];

    if (record_is_data(record)) {
        record_number(record, "latency_low_us", NULL, "us", range->low);
        record_number(record, "latency_high_us", NULL, "us", range->high);
        record_number(record, "whole_frames_us", NULL, "us", range->whole_frames);
        range_put_data(record, advise->design, range);
        put_measures(record, advise);
        return;
    }
    if (range->count == 0 || advise->now.overloaded)
        return;
    range_text_alone(range, record->unicode, words, sizeof words);
    range_assumed_text(range, assumed, sizeof assumed);
    record_line(record, TONE_PLAIN, "Range", "%s%s%s", words, assumed[0] != '\0' ? "; " : "",
                assumed);
    range_put_first(record, advise->design, range, &range->group[0]);
    put_measures(record, advise);
}

/* The report ----------------------------------------------------------------------------------- */

static void put_present(struct record *record, const struct advise *advise)
{
    const struct general *general = &advise->design->general;
    const struct performance *now = &advise->now;
    double target = general->target_latency;

    record_integer(record, "schema", NULL, ADVISE_SCHEMA);
    record_text(record, "title", NULL, general->title);
    record_number(record, "target_latency_us", NULL, "us", target);
    record_number(record, "published_latency_us", NULL, "us",
                  general->published_latency > 0 ? general->published_latency : RESULT_NONE);
    put_performance(record, now);
    record_line(record, TONE_PLAIN, "Design", "%s",
                general->title[0] != '\0' ? general->title : "without a title");
    if (now->overloaded)
        record_line(record, TONE_BAD, "Now",
                    "overloaded, load %.3g; RTC latency %s for one frame alone; limited by %s",
                    now->load, record_quantity(record, now->latency, "s"), now->limit);
    else
        record_line(record, now->met ? TONE_GOOD : TONE_BAD, "Now",
                    "RTC latency %s, target %s: %s by %s; limited by %s",
                    record_quantity(record, now->latency, "s"),
                    record_quantity(record, target, "s"), now->latency <= target ? "met" : "missed",
                    record_quantity(record, fabs(target - now->latency), "s"), now->limit);
    if (general->published_latency > 0)
        record_line(record, TONE_PLAIN, "Published", "%s, %.2f times the prediction",
                    record_quantity(record, general->published_latency, "s"),
                    general->published_latency / now->latency);
}

void advise_report(struct record *record, const struct advise *advise, bool all, int parts)
{
    record_object(record, NULL, NULL, true);
    put_present(record, advise);
    if (parts > ADVISE_RANGE)
        put_range(record, advise);
    if (parts > ADVISE_STEPS) {
        loop_put_total_note(record, advise->error, advise->lag);
        put_steps(record, advise, all);
        put_sensitivity(record, advise, all);
        put_cliffs(record, advise);
    } else {
        record_null(record, "steps");
        record_null(record, "sensitivity");
        record_null(record, "cliffs");
    }
    if (parts <= ADVISE_TARGET)
        record_null(record, "target");
    else if (record_is_data(record) || !advise->target.met)
        put_target(record, advise, all);
    if (parts > ADVISE_SHARES)
        put_splits(record, advise);
    else
        record_null(record, "splits");
    if (parts > ADVISE_PACKETS)
        put_packets(record, &advise->packets);
    else
        record_null(record, "packets");
    record_object_end(record);
}
