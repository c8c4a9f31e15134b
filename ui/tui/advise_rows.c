#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/number.h"
#include "base/units.h"
#include "charts/advise.h"
#include "design/algorithm.h"
#include "design/knob_text.h"
#include "explore/compare.h"
#include "model/budget.h"
#include "report/range.h"
#include "report/reports.h"
#include "tui/parts.h"
#include "tui/table_pane.h"
#include "tui/view_advise.h"
#include "tui/widget.h"

enum {
    BESIDE = 160, /* minimum columns for two panes side by side */
    ABOVE = 28    /* minimum rows for one above the other */
};

/* Rows ----------------------------------------------------------------------------------------- */

static struct advise_row *add_advise_row(struct advise_rows *rows, enum advise_row_kind kind, int a,
                                         int b)
{
    struct advise_row *row;

    rows->row = array_reserve(rows->row, rows->list.count, &rows->capacity, sizeof *rows->row);
    row = &rows->row[rows->list.count++];
    *row = (struct advise_row){
        .kind = kind,
        .group = rows->group,
        .a = a,
        .b = b,
        .gain = RESULT_NONE,
        .elasticity = RESULT_NONE,
        .error = RESULT_NONE,
        .load = RESULT_NONE,
        .watts = RESULT_NONE,
    };
    return row;
}

static struct advise_row *add_heading_row(struct advise_rows *rows, const char *text)
{
    struct advise_row *row = add_advise_row(rows, ADVISE_HEADING, -1, -1);

    row->title = true;
    snprintf(row->name, sizeof row->name, "%.*s", (int)sizeof row->name - 1, text);
    return row;
}

static void set_change(struct advise_row *row, const char *from, const char *to)
{
    change_text(from, to, row->change, sizeof row->change);
    text_micro(row->change, sizeof row->change);
}

/* Writes by how much less it becomes, "-152 us", or more. */
static void print_less(double less, const char *amount, char *text, size_t size)
{
    snprintf(text, size, "%s%s", less > 0 ? "\xE2\x88\x92" : less < 0 ? "+" : "", amount);
}

static void print_elasticity(double elasticity, char *text, size_t size)
{
    snprintf(text, size, "%s%.2f", elasticity <= -0.005 ? "\xE2\x88\x92" : "+", fabs(elasticity));
}

/* Writes the change of the power, "?" if it is not known; returns false if the row has none. */
static bool print_watts(const struct advise_row *row, char *text, size_t size)
{
    char number[32];

    snprintf(text, size, "?");
    if (row->watts == RESULT_NONE)
        return row->unstated;
    snprintf(number, sizeof number, fabs(row->watts) < 9999.5 ? "%.0f W" : "%.0f kW",
             fabs(row->watts) / (fabs(row->watts) < 9999.5 ? 1 : 1000));
    print_less(-round(row->watts), number, text, size);
    return true;
}

/* Returns true for a step of hardware that the stated power does not follow: a part of a product
 * that nobody sells in this combination. */
static bool has_unknown_power(const struct knob *knob, const struct power *before,
                              const struct power *after)
{
    return knob != NULL && knob->role == ROLE_HARDWARE && knob->type != KNOB_PRESET &&
           after->watts == before->watts;
}

/* Sets the change of the power, unless devices that do not state it are added or removed or it is
 * not known. */
static void set_watts(struct advise_row *row, const struct power *before, const struct power *after)
{
    row->unstated =
        after->unstated != before->unstated || has_unknown_power(row->ref.knob, before, after);
    row->watts = RESULT_NONE;
    if (!row->unstated)
        row->watts = after->watts - before->watts;
}

static void set_after(const struct advise *advise, struct advise_row *row,
                      const struct performance *after)
{
    row->after = after;
    row->load = after->load;
    set_watts(row, &advise->now.power, &after->power);
}

/* Returns the change of the power; one that is not known is above all others. */
static double sorted_watts(const struct advise_row *row)
{
    return row->watts == RESULT_NONE ? HUGE_VAL : row->watts;
}

/* Sorts the rows from `first` on by the change of the power if that is asked for; of equal ones
 * those that gain more stay first. */
static void sort_by_watts(struct advise_rows *rows, int first)
{
    if (!rows->by_watts)
        return;
    for (int i = first + 1; i < rows->list.count; i++) {
        const struct advise_row row = rows->row[i];
        int at = i;

        for (; at > first && sorted_watts(&rows->row[at - 1]) > sorted_watts(&row); at--)
            rows->row[at] = rows->row[at - 1];
        rows->row[at] = row;
    }
}

static struct advise_row *add_step_row(const struct advise *advise, struct advise_rows *rows,
                                       enum advise_row_kind kind, int a, int b,
                                       const struct advice *step)
{
    struct advise_row *row = add_advise_row(rows, kind, a, b);
    int indent = b >= 0 ? 2 : 0;
    char change[ADVICE_CHANGE];

    row->ref = step->ref;
    row->to = step->to;
    memset(row->name, ' ', (size_t)indent);
    knob_words(advise->design, step->ref, row->name + indent, sizeof row->name - (size_t)indent);
    change_advised(advise, step, change, sizeof change);
    snprintf(row->change, sizeof row->change, "%.200s%s%s%s%s", change,
             step->algorithm != NULL ? " by " : "",
             step->algorithm != NULL ? step->algorithm->name : "", step->caveat != NULL ? ": " : "",
             step->caveat != NULL ? step->caveat : "");
    text_micro(row->change, sizeof row->change);
    row->caveat = step->caveat;
    row->gain = step->gain;
    row->elasticity = step->elasticity;
    row->error = advise->error != RESULT_NONE ? step->error : step->lag;
    set_after(advise, row, &step->after);
    return row;
}

static void list_cliffs(const struct advise *advise, struct advise_rows *rows)
{
    char text[CLIFF_TEXT], words[96], line[CLIFF_TEXT + 100];

    rows->group = "cliffs";
    if (advise->cliff_count > 0)
        add_heading_row(rows, "cliffs: a step of 10 % multiplies the latency");
    for (int i = 0; i < advise->cliff_count; i++) {
        const struct advised_cliff *at = &advise->cliff[i];

        cliff_print(&at->cliff, at->ref, text);
        knob_words(advise->design, at->ref, words, sizeof words);
        snprintf(line, sizeof line, "  %s %s", words, text);
        text_micro(line, sizeof line);
        add_heading_row(rows, line);
    }
}

/* The groups of steps in order: those to take, then what is given. */
static const struct {
    enum knob_role role;
    const char *name;    /* above the column while its rows are the first shown */
    const char *heading; /* NULL: none, the name is shown first */
    const char *none;    /* NULL: nothing */
    const char *lowers;  /* the same of an overloaded design */
} step_groups[] = {
    {ROLE_HARDWARE, "hardware", NULL, "no hardware step gains a practical difference",
     "no hardware step lowers the load"},
    {ROLE_SOFTWARE, "software", "software", "no software step gains a practical difference",
     "no software step lowers the load"},
    {ROLE_INSTRUMENT, "instrument", "instrument and telescope: sensitivity", NULL, NULL},
    {ROLE_ASSUMPTION, "assumptions", "assumptions: state or measure them", NULL, NULL},
};

/* Returns true for a preset with a practical gain: an overloaded design gains by keeping up. */
static bool is_preset_listed(const struct performance *now, const struct ranked *ranked)
{
    return ranked->problem.status == STATUS_OK && !ranked->overloaded &&
           (now->overloaded ||
            (ranked->latency < now->latency && compare_matters(now->latency, ranked->latency)));
}

/* Returns true for a preset that needs less power than the present one and costs little latency. */
static bool is_frugal(const struct advise *advise, const struct ranked *ranked, double present)
{
    const double most = 1.05;

    return ranked->problem.status == STATUS_OK && !ranked->overloaded && !ranked->other_host &&
           !ranked->not_singly && ranked->tdp != RESULT_NONE && ranked->tdp > 0 &&
           (ranked->tdp < present || is_preset_listed(&advise->now, ranked)) &&
           (advise->now.overloaded || ranked->latency <= most * advise->now.latency);
}

/* Returns true for a preset on the front of latency and power: each that needs less power is slower
 * by a practical difference, and none as frugal is faster. */
static bool is_on_front(const struct advise *advise, const struct rank *rank, int i)
{
    double present = device_power(&advise->design->device[rank->question.device]);

    if (present <= 0 || !is_frugal(advise, &rank->row[i], present))
        return false;
    for (int j = 0; j < rank->count; j++) {
        const struct ranked *other = &rank->row[j];

        if (j == i || !is_frugal(advise, other, present))
            continue;
        if (other->tdp < rank->row[i].tdp
                ? other->latency <= rank->row[i].latency ||
                      !compare_matters(other->latency, rank->row[i].latency)
                : other->tdp == rank->row[i].tdp && j < i)
            return false;
    }
    return true;
}

/* Lists the presets that gain and need least power among the steps: the step of a device is the
 * preset that gains most. */
static void list_frugal_presets(const struct advice_answer *work, struct advise_rows *rows, int first)
{
    const struct scenario *scenario = work->advise->design;

    for (int r = 0; r < work->rank_count; r++)
        for (int i = 0; i < work->rank[r].count; i++) {
            const struct ranked *ranked = &work->rank[r].row[i];
            int device = work->rank[r].question.device;
            char from[ADVICE_NAME], to[ADVICE_NAME];
            struct advise_row *row;
            bool listed = false;

            for (int at = first; at < rows->list.count; at++)
                listed = listed || (rows->row[at].to != NULL && rows->row[at].ref.index == device &&
                                    strcmp(rows->row[at].to, ranked->preset->name) == 0);
            if (listed || !is_preset_listed(&work->advise->now, ranked) ||
                !is_on_front(work->advise, &work->rank[r], i))
                continue;
            row = add_advise_row(rows, ADVISE_PRESET, r, i);
            row->ref = knob_ref_to(KNOB_DEVICE_PRESET, device);
            row->to = ranked->preset->name;
            row->gain = work->advise->now.latency - ranked->latency;
            row->load = ranked->load;
            row->watts = ranked->tdp - device_power(&scenario->device[device]);
            knob_words(scenario, row->ref, row->name, sizeof row->name);
            advice_part(work->advise, scenario->device[device].preset, from);
            advice_part(work->advise, ranked->preset->name, to);
            set_change(row, from, to);
        }
}

/* Adds the heading of a group, with how many properties hardly matter besides those `listed`. */
static void add_given_heading(struct advise_rows *rows, const char *heading, int listed, int left)
{
    char text[96];

    snprintf(text, sizeof text, "%s", heading);
    if (left > 0)
        snprintf(text, sizeof text, listed > 0 ? "%s, %d more below 1 %%" : "%s, %d below 1 %%",
                 heading, left);
    add_heading_row(rows, text);
}

static void list_step_rows(const struct advice_answer *work, bool ranked, struct advise_rows *rows)
{
    const struct advise *advise = work->advise;

    for (size_t g = 0; g < sizeof step_groups / sizeof step_groups[0]; g++) {
        bool choice = (STEPS_CHOICES >> step_groups[g].role & 1U) != 0;
        const struct advice_list *list = choice ? &advise->choices : &advise->given;
        int left = choice ? 0 : advice_left_out(advise, step_groups[g].role);
        int listed = 0;
        int first = rows->list.count + (step_groups[g].heading != NULL);

        rows->group = step_groups[g].name;
        for (int i = 0; i < list->count; i++) {
            const struct advice *step = &list->at[i];

            if (step->group != step_groups[g].role ||
                !(choice ? advice_gains(step) : advice_helps(advise, list, i)))
                continue;
            if (listed++ == 0 && step_groups[g].heading != NULL)
                add_given_heading(rows, step_groups[g].heading, 1, left);
            add_step_row(advise, rows, choice ? ADVISE_STEP : ADVISE_GIVEN, i, -1, step);
        }
        if (ranked && rows->by_watts && step_groups[g].role == ROLE_HARDWARE) {
            list_frugal_presets(work, rows, first);
            listed = rows->list.count - first;
        }
        if (choice)
            sort_by_watts(rows, first);
        if (listed == 0 && step_groups[g].none != NULL)
            add_heading_row(rows,
                            advise->now.overloaded ? step_groups[g].lowers : step_groups[g].none);
        if (listed == 0 && left > 0)
            add_given_heading(rows, step_groups[g].heading, 0, left);
    }
    list_cliffs(advise, rows);
}

/* Adds the heading "target 1 ms: met by 985 µs". */
static void list_target(const struct advise *advise, struct advise_rows *rows)
{
    double target = advise->design->general.target_latency;
    struct advise_row *row = add_heading_row(rows, "");

    if (advise->now.overloaded)
        snprintf(row->name, sizeof row->name, "target %s: overloaded, load %.3g; keeps up to %s",
                 quantity_text(target, "s").text, advise->now.load,
                 quantity_text(performance_rate_kept(&advise->now), "Hz").text);
    else
        snprintf(row->name, sizeof row->name, "target %s: %s by %s",
                 quantity_text(target, "s").text,
                 advise->now.latency <= target ? "met" : "missed",
                 quantity_text(fabs(target - advise->now.latency), "s").text);
}

/* Returns true if the power of a step of the sequence is not known. */
static bool sequence_has_unknown_power(const struct power *before,
                                       const struct target_sequence *sequence)
{
    for (int i = 0; i < sequence->count; i++) {
        const struct advice *step = &sequence->step[i];

        if (has_unknown_power(step->ref.knob, before, &step->after.power))
            return true;
        before = &step->after.power;
    }
    return false;
}

static void add_sequence_row(const struct advise *advise, struct advise_rows *rows, int source)
{
    const struct target_sequence *sequence = &advise->target.sequence[source];
    const char *name = target_source_name((enum target_source)source);
    struct advise_row *row = add_advise_row(rows, ADVISE_SEQUENCE, source, -1);
    char watts[40], total[48] = "";
    bool one = sequence->count == 1;

    row->title = true;
    row->after = &sequence->after;
    set_watts(row, &advise->now.power, &sequence->after.power);
    row->unstated = row->unstated || sequence_has_unknown_power(&advise->now.power, sequence);
    row->watts = row->unstated ? RESULT_NONE : row->watts;
    if (sequence->count > 0 && print_watts(row, watts, sizeof watts))
        snprintf(total, sizeof total, ", %s", row->unstated ? "watts unknown" : watts);
    if (sequence->after.met)
        snprintf(row->name, sizeof row->name, "%d %s step%s meet%s the target%s", sequence->count,
                 name, one ? "" : "s", one ? "s" : "", total);
    else
        snprintf(row->name, sizeof row->name, "%s steps do not meet the target: %s limits", name,
                 sequence->after.limit);
}

static void list_target_changes(const struct advise *advise, struct advise_rows *rows)
{
    const struct meet_target *target = &advise->target;
    int first;

    if (target->met)
        return;
    if (target->count > 0)
        add_heading_row(rows, "one knob that meets the target");
    first = rows->list.count;
    for (int i = 0; i < target->count; i++) {
        const struct target_knob *knob = &target->knob[i];
        struct advise_row *row = add_advise_row(rows, ADVISE_KNOB, i, -1);

        row->ref = knob->ref;
        row->to = knob->to;
        row->caveat = knob->caveat;
        knob_words(advise->design, knob->ref, row->name, sizeof row->name);
        set_change(row, knob->from, knob->to);
        row->gain = advise->now.latency - knob->after.latency;
        set_after(advise, row, &knob->after);
    }
    sort_by_watts(rows, first);
    for (int source = 0; source < TARGET_SOURCES; source++) {
        const struct power *before = &advise->now.power;

        add_sequence_row(advise, rows, source);
        for (int i = 0; i < target->sequence[source].count; i++) {
            const struct advice *step = &target->sequence[source].step[i];

            set_watts(add_step_row(advise, rows, ADVISE_SEQUENCE, source, i, step), before,
                      &step->after.power);
            before = &step->after.power;
        }
    }
}

static void add_packets_row(const struct advise *advise, struct advise_rows *rows,
                            enum advise_row_kind kind, const struct packet_count *count,
                            const char *name)
{
    struct advise_row *row = add_advise_row(rows, kind, -1, -1);
    char from[24], to[24];

    row->ref = knob_ref_to(KNOB_SCENARIO_PACKETS, 0);
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(from, sizeof from, "%d", advise->packets.present);
    snprintf(to, sizeof to, "%d", count->packets);
    set_change(row, from, to);
    row->gain = count->gain;
    set_after(advise, row, &count->after);
}

/* Says what the number with the least latency has against it. */
static void add_lowest_row(const struct packets *packets, struct advise_rows *rows)
{
    const struct packet_count *lowest = &packets->lowest;
    char text[RANGE_LATENCY_MAX], line[RANGE_LATENCY_MAX + 32];

    range_latency_text(lowest->after.latency, lowest->low, lowest->high, true, text);
    snprintf(line, sizeof line, "  not %d: %s, less certain", lowest->packets, text);
    add_heading_row(rows, line);
}

/* The rows are added before the results exist, so that the rows below do not move. */
static void list_packets(const struct advise *advise, bool known, struct advise_rows *rows)
{
    const struct packets *packets = &advise->packets;

    add_heading_row(rows, "packets");
    if (!known) {
        add_heading_row(rows, "  computing");
    } else if (packets->best.packets == 0) {
        add_heading_row(rows, "overloaded with any number of packets");
    } else if (!packets->now.after.overloaded &&
               !(packets->best.gain >= COMPARE_PRACTICAL * packets->now.after.latency)) {
        add_heading_row(rows, "  no other number gains 1 %");
    } else {
        add_packets_row(advise, rows, ADVISE_PACKETS_BEST, &packets->best, "least latency");
        if (packets->fewest.packets != packets->best.packets)
            add_packets_row(advise, rows, ADVISE_PACKETS_FEWEST, &packets->fewest,
                            "fewest, within 1 %");
        if (packets->lowest.packets != packets->best.packets)
            add_lowest_row(packets, rows);
    }
}

static void add_share_row(const struct scenario *scenario, struct advise_rows *rows, int split,
                          int number, const struct share *share)
{
    const struct component *component = &scenario->component[share->component];
    struct advise_row *row = add_advise_row(rows, ADVISE_SHARE, split, number);
    char from[40], to[40];

    row->ref = knob_ref_to(KNOB_COMPONENT_SHARE, share->component);
    snprintf(row->name, sizeof row->name, "  %s", component->head.name);
    snprintf(from, sizeof from, "%s%.3g", component->share > 0 ? "" : "auto ", share->present);
    share_text(share, to, sizeof to);
    set_change(row, from, to);
}

static void list_splits(const struct advise *advise, struct advise_rows *rows)
{
    const struct scenario *scenario = advise->design;

    if (advise->split_count > 0)
        add_heading_row(rows, "division of devices");
    for (int i = 0; i < advise->split_count; i++) {
        const struct share_split *split = &advise->split[i];
        struct advise_row *row = add_advise_row(rows, ADVISE_SPLIT, i, -1);

        snprintf(row->name, sizeof row->name, "%s%s",
                 split->device < 0 ? "all devices" : scenario->device[split->device].head.name,
                 split->gain > 0 ? "" : ": no better division found");
        row->title = split->gain <= 0;
        row->gain = split->gain > 0 ? split->gain : RESULT_NONE;
        set_after(advise, row, &split->after);
        for (int s = 0; s < split->count && split->gain > 0; s++)
            add_share_row(scenario, rows, i, s, &split->share[s]);
    }
}

static void list_measures(const struct advise *advise, struct advise_rows *rows)
{
    const int count = advise_measures(advise);

    if (count > 0)
        add_heading_row(rows, "measure next: the range to expect");
    for (int i = 0; i < count; i++) {
        const struct calibrate_candidate *candidate = &advise->measure[i];
        char words[RESULT_PATH_MAX], ends[RANGE_TEXT_MAX];
        char line[RESULT_PATH_MAX + RANGE_TEXT_MAX + 4];

        result_words(&candidate->ref, words, sizeof words);
        range_ends_text(RESULT_NONE, advise->range.latency * exp(-candidate->after),
                        advise->range.latency * exp(candidate->after), true, ends, sizeof ends);
        snprintf(line, sizeof line, "  %s: %s", words, ends);
        add_heading_row(rows, line);
    }
}

/* Moves the cursor from a heading on top to the first step. */
static void leave_heading(struct advise_rows *rows)
{
    int first = 0;

    while (first < rows->list.count && rows->row[first].title)
        first++;
    if (rows->list.focus == 0 && first < rows->list.count)
        list_pane_set(&rows->list, first);
}

void advise_list_rows(struct advise_view *view)
{
    const struct advice_answer *work = advise_shown(view);
    struct advise_rows *answers = &view->rows[ADVISE_PANE_ANSWERS];

    view->parts = work == NULL ? 0 : atomic_load(&work->parts);
    for (int p = 0; p < ADVISE_PANES; p++)
        view->rows[p].list.count = 0;
    answers->group = "answer";
    if (view->parts > ADVICE_STEPS) {
        list_step_rows(work, view->parts > ADVICE_RANK, &view->rows[ADVISE_PANE_STEPS]);
        list_target(work->advise, answers);
        if (view->parts > ADVICE_TARGET)
            list_target_changes(work->advise, answers);
        list_packets(work->advise, view->parts > ADVICE_PACKETS, answers);
    }
    if (view->parts > ADVICE_SHARES)
        list_splits(work->advise, answers);
    if (view->parts > ADVICE_RANGE)
        list_measures(work->advise, answers);
    for (int p = 0; p < ADVISE_PANES; p++)
        list_pane_set(&view->rows[p].list, view->rows[p].list.focus);
    leave_heading(&view->rows[ADVISE_PANE_STEPS]);
}

const struct advise_row *advise_row(const struct advise_view *view)
{
    const struct advise_rows *rows = &view->rows[view->focus];
    int focus;

    if (advise_shown(view) == NULL || view->focus == ADVISE_PANE_SEARCH)
        return NULL;
    focus = list_pane_focus(&rows->list);
    return focus < 0 ? NULL : &rows->row[focus];
}

/* Columns -------------------------------------------------------------------------------------- */

enum advise_column {
    COLUMN_NAME,
    COLUMN_CHANGE,
    COLUMN_GAIN,
    COLUMN_PERCENT,
    COLUMN_WATTS,
    COLUMN_ERROR,
    COLUMN_BAR,
    COLUMN_BOUND,
    COLUMNS
};

/* Names of what is given become narrower before the watts disappear, other names and changes only
 * then. */
static const struct table_column advise_columns[COLUMNS] = {
    [COLUMN_NAME] = {.title = "", .width = 17, .cut = 5, .shorten = text_middle},
    [COLUMN_CHANGE] = {.small = true, .cut = 3, .brief = 17},
    [COLUMN_GAIN] = {.title = "latency", .small = true, .number = true},
    [COLUMN_PERCENT] = {.title = "", .number = true, .drop = 6},
    [COLUMN_WATTS] = {.title = "watts", .number = true, .drop = 4},
    [COLUMN_ERROR] = {.small = true, .number = true, .drop = 7},
    [COLUMN_BAR] = {.title = "", .width = 7, .stretch = INT_MAX, .drop = 8},
    [COLUMN_BOUND] = {.title = "then limited by", .cut = 10, .brief = 36, .drop = 9},
};

/* Returns the change without the present value. */
static const char *brief_change(const struct advise_row *row)
{
    const char *arrow = strstr(row->change, CHANGE_ARROW);

    return arrow == NULL ? row->change : arrow + 1;
}

/* Sets the latency that a row gains and its fraction; of an overloaded design the load after the
 * change, and by how much it falls; nothing if the row has none. */
static void put_improvement(const struct advise_row *row, const struct performance *now,
                            struct table_row *cells)
{
    char *gain = cells->text[COLUMN_GAIN];
    double share = now->latency > 0 ? 100 * row->gain / now->latency : 0;
    char number[32];

    if ((now->overloaded ? row->load : row->gain) == RESULT_NONE)
        return;
    if (row->error != RESULT_NONE && fabs(row->gain) < 1e-12) /* listed for its error */
        return;
    if (now->overloaded) {
        share = 100 * (now->load - row->load) / now->load;
        text_number(row->load, gain, TABLE_PANE_TEXT);
    } else {
        print_less(row->gain, quantity_text(fabs(row->gain), "s").text, gain, TABLE_PANE_TEXT);
    }
    snprintf(number, sizeof number, "%.*f %%", fabs(share) < 99.95 ? 1 : 0, fabs(share));
    print_less(fabs(share) < 0.05 ? 0 : share, number, cells->text[COLUMN_PERCENT],
               TABLE_PANE_TEXT);
}

/* Sorted by watts, presets are among the steps. */
static bool has_bar(const struct advise_row *row)
{
    return row->kind == ADVISE_STEP || row->kind == ADVISE_PRESET;
}

/* Returns what the bar of a step shows, of an overloaded design by how much less its load is. */
static double bar_value(const struct advise_row *row, const struct performance *now)
{
    return now->overloaded ? now->load - row->load : row->gain;
}

/* Sets the texts of a row of columns. */
static void put_advise_cells(const struct advise *advise, const struct advise_row *row, bool brief,
                             struct table_row *cells)
{
    enum style style = row->after != NULL && row->after->overloaded ? STYLE_WARNING : STYLE_NORMAL;

    *cells = (struct table_row){.style = {[COLUMN_BOUND] = STYLE_DIM}};
    for (int c = 0; c < COLUMN_BOUND; c++)
        cells->style[c] = style;
    snprintf(cells->text[COLUMN_NAME], TABLE_PANE_TEXT, "%s", row->name);
    snprintf(cells->text[COLUMN_CHANGE], TABLE_PANE_TEXT, "%s",
             brief ? brief_change(row) : row->change);
    put_improvement(row, &advise->now, cells);
    if (!print_watts(row, cells->text[COLUMN_WATTS], TABLE_PANE_TEXT))
        cells->text[COLUMN_WATTS][0] = '\0';
    if (row->watts == 0 || row->unstated)
        cells->style[COLUMN_WATTS] = STYLE_DIM;
    if (row->error != RESULT_NONE && row->error != 0)
        text_change(unit_from_si(row->error, "nm"), cells->text[COLUMN_ERROR], TABLE_PANE_TEXT);
    if (row->after != NULL)
        snprintf(cells->text[COLUMN_BOUND], TABLE_PANE_TEXT, "%s", row->after->limit);
}

/* Lays the columns of a pane out. The percentage gives way to the nanometres of a design with a
 * star. If changes or watts have no room, changes lose the present value. Returns true for such
 * brief changes. */
static bool lay_advise_columns(const struct advise_rows *rows, const struct advise *advise,
                               bool steps, int room, struct table_pane *table)
{
    struct table_column *column = table->column;
    bool nanometres = advise->error != RESULT_NONE || advise->lag != RESULT_NONE;
    int kept = rows->by_watts ? COLUMN_WATTS : -1;
    int *least = &column[COLUMN_NAME].brief;
    int brief = 0;
    struct table_row cells;

    table_pane_begin(table, advise_columns, COLUMNS);
    table->close = true;
    column[COLUMN_ERROR].hidden = !steps || !nanometres;
    column[COLUMN_BAR].hidden = column[COLUMN_BOUND].hidden = !steps;
    column[COLUMN_CHANGE].title = steps_columns[STEPS_CHANGE].heading;
    column[COLUMN_ERROR].title = steps_columns[STEPS_ERROR].heading;
    if (advise->now.overloaded)
        column[COLUMN_GAIN].title = steps_columns[STEPS_LOAD].heading;
    if (nanometres) {
        column[COLUMN_ERROR].drop = advise_columns[COLUMN_PERCENT].drop;
        column[COLUMN_PERCENT].drop = advise_columns[COLUMN_ERROR].drop;
    }
    *least = column[COLUMN_NAME].width;
    for (int i = 0; i < rows->list.count; i++) {
        const struct advise_row *row = &rows->row[i];

        if (row->title)
            continue;
        put_advise_cells(advise, row, false, &cells);
        table_pane_widen_row(table, &cells);
        if (text_width(brief_change(row)) > brief)
            brief = text_width(brief_change(row));
        if (row->kind != ADVISE_GIVEN && text_width(row->name) > *least)
            *least = text_width(row->name);
    }
    table_pane_lay(table, room, kept);
    if (table->width[COLUMN_CHANGE] >= table->widest[COLUMN_CHANGE] &&
        (table->width[COLUMN_WATTS] > 0 || !table_pane_has(table, COLUMN_WATTS)))
        return false;
    column[COLUMN_CHANGE].title = "to";
    table->widest[COLUMN_CHANGE] = brief;
    table_pane_lay(table, room, kept);
    return true;
}

static void draw_advise_row(struct canvas *canvas, struct rect line, const struct table_pane *table,
                            const struct advise_row *row, bool brief, const struct advise *advise,
                            double most)
{
    struct rect bar = table_pane_rect(table, line, COLUMN_BAR);
    char text[sizeof row->name];
    struct table_row cells;

    if (row->title) {
        snprintf(text, sizeof text, "%s", row->name);
        text_clauses(text, line.columns);
        canvas_text(canvas, line.row, line.column, line.columns, STYLE_DIM, text);
        return;
    }
    put_advise_cells(advise, row, brief, &cells);
    table_pane_row(table, canvas, line, &cells);
    bar.columns--; /* it does not touch the border */
    if (has_bar(row) && most > 0)
        look_bar(canvas, bar.row, bar.column, bar.columns,
                 bar.columns * bar_value(row, &advise->now) / most, LOOK_FIRST, STYLE_GOOD);
}

/* Panes ---------------------------------------------------------------------------------------- */

static void draw_rows(struct advise_view *view, struct canvas *canvas, enum advise_pane pane)
{
    struct advise_rows *rows = &view->rows[pane];
    struct list_pane *list = &rows->list;
    struct rect inside = rect_inside(view->box[pane]);
    struct rect area = {inside.row + 1, inside.column, inside.rows - 1, inside.columns};
    struct rect text = {inside.row, inside.column + 2, 1, inside.columns - 2}; /* after the mark */
    bool focus = view->focus == pane;
    const struct advise *advise = advise_shown(view)->advise;
    const int sorted = rows->by_watts                 ? COLUMN_WATTS
                       : advise->error == RESULT_NONE ? COLUMN_GAIN
                                                      : COLUMN_ERROR;
    struct table_pane table;
    double most = 0;
    bool brief = lay_advise_columns(rows, advise, pane == ADVISE_PANE_STEPS, text.columns, &table);

    list_pane_lay(list, area, list->count);
    for (int i = 0; i < list->count; i++)
        if (has_bar(&rows->row[i]))
            most = larger(most, bar_value(&rows->row[i], &advise->now));
    if (list->first < list->count)
        table.column[COLUMN_NAME].title = rows->row[list->first].group;
    if (pane == ADVISE_PANE_STEPS && table.width[sorted] == 0) /* only nm gives way */
        table.column[COLUMN_CHANGE].title = "to, sorted by nm";
    table_pane_titles(&table, canvas, text, STYLE_DIM);
    if (pane == ADVISE_PANE_STEPS)
        table_pane_mark_sorted(&table, canvas, text, sorted, false);
    for (int i = list->first; list_pane_line(list, i).rows > 0; i++) {
        text.row = list_pane_line(list, i).row;
        draw_advise_row(canvas, text, &table, &rows->row[i], brief, advise, most);
        if (i == list_pane_focus(list))
            list_pane_draw_cursor(canvas, list_pane_line(list, i), focus);
    }
    list_pane_draw_bar(list, canvas, inside.column + inside.columns, focus);
}

/* Prints the progress of a running computation. */
static void print_state(const struct advise_view *view, char *text, size_t size)
{
    static const char *const parts[ADVICE_PARTS] = {[ADVICE_STEPS] = "steps",
                                                  [ADVICE_TARGET] = "target",
                                                  [ADVICE_SHARES] = "division",
                                                  [ADVICE_RANK] = "presets",
                                                  [ADVICE_PACKETS] = "packets",
                                                  [ADVICE_RANGE] = "range"};
    int part;

    text[0] = '\0';
    if (!design_is_valid(view->design))
        return;
    if (answer_part(&view->answer) != NULL) {
        part = atomic_load(&((const struct advice_answer *)view->answer.running)->parts);
        snprintf(text, size, " \xC2\xB7 computing: %s %d %%", parts[part < ADVICE_PARTS ? part : 0],
                 atomic_load(&view->answer.worker.percent));
    } else if (!view->answer.current) {
        snprintf(text, size, " \xC2\xB7 computing");
    }
}

static void print_pane_title(const struct advise_view *view, enum advise_pane pane, bool alone,
                             char *text, size_t size)
{
    bool steps = pane == ADVISE_PANE_STEPS;
    char state[80];

    print_state(view, state, sizeof state);
    snprintf(text, size, "%s%s%s%s%s", steps ? "Single-step changes" : "Target, packets, shares",
             steps && design_is_valid(view->design) && !budget_has_star(&view->design->scenario)
                 ? PARTS_LAG_ONLY
                 : "",
             advise_shown(view) != NULL ? design_stale_mark(view->design) : "",
             !alone  ? ""
             : steps ? " \xC2\xB7 Tab: 1 of 3"
                     : " \xC2\xB7 Tab: 2 of 3",
             steps || alone ? state : "");
}

static void place_boxes(struct advise_view *view, struct rect body)
{
    struct rect *steps = &view->box[ADVISE_PANE_STEPS];
    struct rect *answers = &view->box[ADVISE_PANE_ANSWERS];

    *steps = *answers = body;
    view->search = (struct rect){0, 0, 0, 0};
    if (view->focus == ADVISE_PANE_SEARCH) {
        *steps = *answers = view->search;
        view->search = body;
    } else if (body.columns >= BESIDE) {
        steps->columns = body.columns * 3 / 5;
        answers->column += steps->columns;
        answers->columns -= steps->columns;
    } else if (body.rows >= ABOVE) {
        steps->rows = body.rows * 2 / 3;
        answers->row += steps->rows;
        answers->rows -= steps->rows;
    } else {
        view->box[1 - (int)view->focus] = (struct rect){0, 0, 0, 0};
    }
}

static void draw_no_advice(const struct advise_view *view, struct canvas *canvas,
                           struct rect inside)
{
    if (!design_is_valid(view->design))
        canvas_wrap(canvas, inside, 0, STYLE_ERROR, view->design->problem.message);
    else if (view->answer.problem.status != STATUS_OK)
        canvas_wrap(canvas, inside, 0, STYLE_ERROR, view->answer.problem.message);
    else if (view->answer.current)
        canvas_wrap(canvas, inside, 0, STYLE_ERROR,
                    ((const struct advice_answer *)view->answer.job)->error.message);
    else
        canvas_wrap(canvas, inside, 0, STYLE_DIM, "computing");
}

static void draw_search(struct advise_view *view, struct canvas *canvas)
{
    enum { EDGES = 6 };
    const struct front *front = view->front;
    const char *objectives = front_objectives(front);
    struct rect inside = rect_inside(view->search);
    struct rect empty = {inside.row + 1, inside.column + 2, inside.rows - 1, inside.columns - 3};
    char title[200], state[120], text[ERROR_MESSAGE_MAX];

    if (view->version != front->version)
        front_fill(front, &view->designs);
    view->version = front->version;
    if (strcmp(view->designs.filter.text, front->filter) != 0)
        line_set(&view->designs.filter, front->filter, false);
    front_print_state(front, state, sizeof state);
    snprintf(title, sizeof title, "Search: %s%.60s%s%s%s", objectives != NULL ? "by " : "",
             objectives != NULL ? objectives : "least latency and power",
             design_stale_mark(view->design), state[0] != '\0' ? " \xC2\xB7 " : "", state);
    text_clauses(title, view->search.columns - EDGES);
    widget_pane(canvas, view->search, title, true);
    picker_draw_inside(&view->designs, canvas, inside, true);
    if (view->designs.count > 0 && design_is_valid(view->design))
        return;
    front_print_empty(front, text, sizeof text);
    canvas_wrap(canvas, empty, 0, design_is_valid(view->design) ? STYLE_DIM : STYLE_ERROR, text);
}

void advise_draw(struct advise_view *view, struct canvas *canvas, struct rect body)
{
    place_boxes(view, body);
    if (view->focus == ADVISE_PANE_SEARCH)
        draw_search(view, canvas);
    for (int p = 0; p < ADVISE_PANES; p++) {
        enum advise_pane pane = (enum advise_pane)p;
        char title[160];

        if (view->box[p].rows == 0)
            continue;
        print_pane_title(view, pane, view->box[1 - p].rows == 0, title, sizeof title);
        widget_pane(canvas, view->box[p], title, view->focus == pane);
        if (advise_shown(view) == NULL)
            draw_no_advice(view, canvas, rect_inside(view->box[p]));
        else
            draw_rows(view, canvas, pane);
    }
}

/* Appends what a step leads to: of a design that does not keep up the rate that it would keep. */
static void print_after(const struct advise *advise, const struct performance *after,
                        struct buffer *text)
{
    char latency[40];

    if (after->overloaded || advise->now.overloaded)
        buffer_print(text, "%skeeps up to %s", after->overloaded ? "overloaded, " : "",
                     quantity_text(performance_rate_kept(after), "Hz").text);
    if (after->overloaded)
        return;
    quantity_show(after->latency, "s", latency, sizeof latency);
    buffer_print(text, "%s%s, target %s%s", advise->now.overloaded ? "; " : "", latency,
                 after->met ? "met" : "missed",
                 after->max_frame_rate < advise->now.max_frame_rate ? ", lower max rate" : "");
}

/* Draws the clauses of a text that have room. */
static void draw_clauses(struct canvas *canvas, struct rect line, char *text)
{
    text_clauses(text, line.columns - 2);
    canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_DIM, text);
}

/* What a preset clears is named before it is taken. */
static void draw_preset_detail(const struct advise_view *view, struct canvas *canvas,
                               struct rect line, const struct advise_row *row)
{
    const struct scenario *scenario = advise_shown(view)->advise->design;
    char own[400], text[600];

    rank_own_labels(scenario, row->ref.index, own, sizeof own);
    snprintf(text, sizeof text, "Enter sets %s; clears %s%s; as aolag rank does", row->to,
             own[0] != '\0' ? "what is stated: " : "nothing", own);
    draw_clauses(canvas, line, text);
}

void advise_draw_detail(void *state, struct canvas *canvas, struct rect line)
{
    const struct advise_view *view = state;
    const struct advise_row *row = advise_row(view);
    char own[400] = "";
    char change[40], number[16], bytes[1024];
    struct buffer text = buffer_over(bytes, sizeof bytes);
    int design = picker_chosen(&view->designs);

    if (view->focus == ADVISE_PANE_SEARCH) {
        bytes[0] = '\0';
        if (design >= 0 && view->designs.items[design].present)
            front_print_present(view->front, bytes, sizeof bytes);
        else if (design >= 0)
            front_print_change(view->front, view->designs.items[design].id, bytes, sizeof bytes);
        draw_clauses(canvas, line, bytes);
        return;
    }

    if (advise_shown(view) == NULL || row == NULL)
        return;
    if (!design_is_valid(view->design)) {
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_ERROR,
                    view->design->problem.message);
        return;
    }
    if (row->after == NULL || (row->kind == ADVISE_SPLIT && row->gain == RESULT_NONE)) {
        if (row->kind == ADVISE_PRESET)
            draw_preset_detail(view, canvas, line, row);
        return;
    }
    if (row->ref.knob != NULL && row->ref.knob->type == KNOB_PRESET)
        rank_own_labels(advise_shown(view)->advise->design, row->ref.index, own, sizeof own);
    buffer_text(&text, "after: ");
    print_after(advise_shown(view)->advise, row->after, &text);
    if (row->caveat != NULL)
        buffer_print(&text, "; %s", row->caveat);
    if (own[0] != '\0')
        buffer_print(&text, "; clears %s", own);
    if (row->watts != 0 && !row->unstated && print_watts(row, change, sizeof change))
        buffer_print(&text, "; %s", change);
    performance_price(&advise_shown(view)->advise->now, row->after, change, sizeof change);
    if (change[0] != '\0')
        buffer_print(&text, "; %s", change);
    if (row->error != RESULT_NONE && fabs(row->error) >= 0.005e-9) {
        text_change(unit_from_si(row->error, "nm"), change, sizeof change);
        buffer_print(&text, "; %s nm of %s", change,
                     advise_shown(view)->advise->error == RESULT_NONE ? "servo lag"
                                                                      : "wavefront error");
    }
    buffer_print(&text, "; limited by %s", row->after->limit);
    if (row->elasticity != RESULT_NONE) {
        print_elasticity(row->elasticity, number, sizeof number);
        buffer_print(&text, "; %s %% latency per 1 %%", number);
    }
    draw_clauses(canvas, line, bytes);
}
