#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "charts/loop.h"
#include "design/algorithm.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "explore/assumptions.h"
#include "model/alike.h"
#include "model/budget.h"
#include "model/flow.h"
#include "model/jitter.h"
#include "model/knob_effect.h"
#include "model/late.h"
#include "model/load.h"
#include "model/loop.h"
#include "model/memory.h"
#include "model/note.h"
#include "model/program.h"
#include "model/range.h"
#include "model/result_read.h"
#include "model/verdict.h"
#include "report/range.h"

#define EVAL_SCHEMA 2
#define KNOB_PATH_MAX 96
#define KNOB_VALUE_MAX 2304 /* length of a value from knob_get_text */
#define NOISE 1e-12         /* s; smaller time differences are rounding errors */
#define HISTOGRAM_ROWS 10
#define BAR_COLUMNS 40

/* The design that all parts of the report describe. */
struct eval {
    struct record *record;
    const struct scenario *scenario;
    const struct result *result;
    const struct latency_range *range; /* NULL: none */
    const struct assumptions *assumptions;
};

static const char *times_sign(const struct record *record)
{
    return record->unicode ? "\xC3\x97" : "x";
}

static const char *text_or_null(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

/* Puts all results of element `index` of a scope, with the keys of the result table. */
static void put_results(const struct eval *eval, enum result_scope scope, int index)
{
    for (int i = 0; i < RESULT_ROW_COUNT; i++)
        if (result_rows[i].scope == scope)
            record_number(eval->record, result_rows[i].json, NULL, result_rows[i].unit,
                          result_value(eval->result, &result_rows[i], index));
}

/* Text rows that represent several elements ---------------------------------------------------- */

/* Returns how many devices the row of a device represents; 0: it is in the row of one before. */
static int count_alike_devices(const struct eval *eval, int d)
{
    int count = 1;

    for (int i = 0; i < d; i++)
        if (devices_alike(eval->scenario, eval->result, i, d))
            return 0;
    for (int i = d + 1; i < eval->result->device_count; i++)
        count += devices_alike(eval->scenario, eval->result, d, i);
    return count * (int)eval->scenario->device[d].count;
}

/* Puts a name, followed by " ×7" if its row represents seven nodes or devices. */
static void put_folded_name(struct record *record, const char *heading, const char *indent,
                            const char *name, int count)
{
    if (count > 1)
        record_cellf(record, heading, "%s%s %s%d", indent, name, times_sign(record), count);
    else
        record_cellf(record, heading, "%s%s", indent, name);
}

/* Components, transfers and devices ------------------------------------------------------------ */

static void put_node_data(const struct eval *eval, int n)
{
    struct record *record = eval->record;
    const struct node_result *node = &eval->result->node[n];
    const struct scenario *scenario = eval->scenario;
    const char *algorithm = node->algorithm < 0 ? "" : algorithms[node->algorithm].name;
    bool placed = node->device >= 0;

    record_row(record);
    record_text(record, "name", NULL, node->name);
    record_text(record, "type", NULL, knob_word(KNOB_COMPONENT_TYPE, (int)node->type));
    record_text(record, "algorithm", NULL, text_or_null(algorithm));
    record_text(record, "device", NULL, placed ? scenario->device[node->device].head.name : NULL);
    record_text(record, "bound", NULL, bound_name(node->bound));
    record_text(record, "level", NULL, placed ? memory_level_name(node->level) : NULL);
    record_bool(record, "inserted", NULL, node->component < 0);
    record_text(record, "part_of", NULL,
                node->part < 0 ? NULL : scenario->component[node->component].head.name);
    put_results(eval, RESULT_COMPONENT, n);
    record_text(record, "limit", NULL, verdict_word(scenario, eval->result, n));
    record_row_end(record);
}

/* Puts FLOP without the unit, which the heading has: "1.32 G". */
static void put_flop(struct record *record, double flop)
{
    const char *text = record_quantity(record, flop, "FLOP");
    const char *unit = strstr(text, "FLOP");
    int length = unit == NULL ? (int)strlen(text) : (int)(unit - text);

    while (length > 0 && text[length - 1] == ' ')
        length--;
    record_cellf(record, "FLOP", "%.*s", length, text);
    record_right(record);
}

static void put_share(const struct eval *eval, const struct node_result *node, const char *heading)
{
    bool automatic = eval->scenario->component[node->component].share <= 0;

    const char *before = automatic ? "auto " : "";

    if (!component_type_computes(node->type))
        record_cell(eval->record, heading, NULL);
    else if (node->share < 0.01 &&
             node->share >= 0.001) /* fewer digits, to leave room for long names */
        record_cellf(eval->record, heading, "%s%.4f", before, node->share);
    else
        record_cellf(eval->record, heading, "%s%s", before,
                     record_quantity(eval->record, node->share, ""));
}

static void put_node_device(const struct eval *eval, const struct node_result *node)
{
    if (node_is_whole(node))
        record_cellf(eval->record, "On", "%s%d", times_sign(eval->record), node->parts);
    else
        record_cell(eval->record, "On",
                    node->device < 0 ? NULL : eval->scenario->device[node->device].head.name);
    record_soft(eval->record);
}

/* Puts a component's row; a part is named after its device, below the whole component. */
static void put_component(const struct eval *eval, int n, int count)
{
    struct record *record = eval->record;
    const struct node_result *node = &eval->result->node[n];
    bool computes = component_type_computes(node->type);
    bool wire = node->type == COMPONENT_TRANSFER || node->type == COMPONENT_DM;
    double flop = node->flop - node->deferred_flop;
    enum sharing sharing = scenario_common_sharing(eval->scenario);

    record_row(record);
    put_folded_name(record, "Component", node->part < 0 ? "" : "  ",
                    node->name + (node->part < 0 ? 0 : strcspn(node->name, "@")), count);
    put_node_device(eval, node);
    put_flop(record, computes && flop > 0 ? flop : RESULT_NONE);
    record_number(record, NULL, "Bytes", "B", node->bytes - node->deferred_bytes);
    record_number(record, NULL, "Compute", "s", computes ? node->compute : RESULT_NONE);
    record_number(record, NULL, "Memory", "s", computes || wire ? node->memory : RESULT_NONE);
    record_number(record, NULL, "Time", "s", node->time);
    record_cell(record, "Limit", verdict_word(eval->scenario, eval->result, n));
    /* with exclusive sharing a component uses its whole device while it runs */
    if (sharing != SHARING_EXCLUSIVE)
        put_share(eval, node, sharing == SHARING_FLUID ? "Weight" : "Share");
    record_row_end(record);
}

/* Puts the transfer of node `n` and those alike: from the start of the first to the end of the
 * last. */
static void put_transfer(const struct eval *eval, int n, int count)
{
    struct record *record = eval->record;
    const struct node_result *node = &eval->result->node[n];
    double start = node->first_start;
    double end = node->last_end;
    char name[NODE_NAME_MAX + 1];

    for (int i = n + 1; i < eval->result->node_count; i++)
        if (nodes_alike(node, &eval->result->node[i])) {
            start = fmin(start, eval->result->node[i].first_start);
            end = fmax(end, eval->result->node[i].last_end);
        }
    node_plain_name(node->name, name);
    record_row(record);
    put_folded_name(record, "Inserted transfer", "", count > 1 ? name : node->name, count);
    record_soft(record);
    record_number(record, NULL, "Bytes", "B", node->bytes);
    record_number(record, NULL, "Wire", "s", node->memory);
    record_number(record, NULL, "Time", "s", node->time);
    record_number(record, NULL, "Starts at", "s", start);
    record_number(record, NULL, "Ends at", "s", end);
    record_cell(record, "Limit", verdict_word(eval->scenario, eval->result, n));
    record_row_end(record);
}

/* Puts components and transfers, which data has in one table. */
static void put_nodes(const struct eval *eval)
{
    struct record *record = eval->record;
    const struct result *result = eval->result;
    bool data = record_is_data(record);

    record_table(record, "components", "Components");
    for (int n = 0; n < result->node_count; n++) {
        int count = data ? 1 : nodes_count_alike(result, n);

        if (data)
            put_node_data(eval, n);
        else if (count > 0 && result->node[n].component >= 0)
            put_component(eval, n, count);
    }
    record_table_end(record);
    if (data)
        return;
    record_table(record, NULL, "Transfers");
    for (int n = 0; n < result->node_count; n++) {
        int count = nodes_count_alike(result, n);

        if (count > 0 && result->node[n].component < 0)
            put_transfer(eval, n, count);
    }
    record_table_end(record);
}

static void put_device_model(struct record *record, const struct device *device)
{
    const char *model = device_product(device);

    if (device->kind == DEVICE_CPU && device->sockets > 1)
        record_cellf(record, "Model", "%.0f \xC3\x97 %s", device->sockets,
                     model[0] != '\0' ? model : "socket");
    else
        record_cell(record, "Model", text_or_null(model));
    record_soft(record);
}

/* Returns the sum of a result over the devices of a row, RESULT_NONE if one has none. */
static double sum_of_alike(const struct eval *eval, int d, enum result_id id)
{
    double sum = 0;

    for (int i = d; i < eval->result->device_count; i++) {
        double value = result_value(eval->result, &result_rows[id], i);

        if (i != d && !devices_alike(eval->scenario, eval->result, d, i))
            continue;
        if (value == RESULT_NONE)
            return RESULT_NONE;
        sum += value;
    }
    return sum;
}

/* Puts the power of all devices of a row and, if one of the design states it, the price. */
static void put_device_cost(const struct eval *eval, int d)
{
    struct record *record = eval->record;
    bool priced = false;

    record_number(record, NULL, "Power", "W", sum_of_alike(eval, d, RESULT_DEVICE_WATTS));
    record_optional(record);
    for (int i = 0; i < eval->result->device_count; i++)
        priced = priced || eval->result->device[i].price > 0;
    if (!priced)
        return;
    record_digits(record, NULL, "Price", "", "%.15g",
                  sum_of_alike(eval, d, RESULT_DEVICE_TOTAL_PRICE));
    record_optional(record);
}

static void put_device(const struct eval *eval, int d, int count)
{
    struct record *record = eval->record;
    const struct device *device = &eval->scenario->device[d];
    const struct device_result *of = &eval->result->device[d];

    record_row(record);
    if (record_is_data(record)) {
        record_text(record, "name", NULL, device->head.name);
        record_text(record, "preset", NULL, text_or_null(device->preset));
        record_text(record, "model", NULL, text_or_null(device->model));
        put_results(eval, RESULT_DEVICE, d);
        record_bool(record, "fits", NULL, of->fits);
    } else {
        put_folded_name(record, "Device", "", device->head.name, count);
        record_number(record, NULL, "Peak (fp32)", "FLOP/s", of->peak_flops);
        record_number(record, NULL, "Bandwidth", "B/s", of->bandwidth);
        record_number(record, NULL, "Busy", "s", of->busy);
        record_number(record, NULL, "Used", "fraction", of->utilisation);
        put_device_cost(eval, d);
        put_device_model(record, device);
    }
    record_row_end(record);
}

/* Returns true if components take turns in a thread of a divided device. */
static bool has_threads(const struct eval *eval)
{
    for (int c = 0; c < eval->scenario->component_count; c++)
        for (int d = 0; d < eval->scenario->device_count; d++)
            if (scenario_runs_on(eval->scenario, c, d) &&
                scenario_sharing(eval->scenario, d) == SHARING_PARTITION &&
                scenario_thread(eval->scenario, c, d) >= 0)
                return true;
    return false;
}

static void put_devices(const struct eval *eval)
{
    static const char *const notes[] = {
        [SHARING_PARTITION] = "Busy: the time of each component, weighted by its share",
        [SHARING_EXCLUSIVE] = "Busy: with boundaries and overhead, which hold the device",
        [SHARING_FLUID] = "Busy: without boundaries and overhead, which do not hold the device",
        [SHARING_MIXED] =
            "Busy: the time of components, weighted by the shares of a divided device",
    };
    struct record *record = eval->record;

    record_table(record, "devices", "Devices");
    for (int d = 0; d < eval->result->device_count; d++) {
        int count = record_is_data(record) ? 1 : count_alike_devices(eval, d);

        if (count > 0)
            put_device(eval, d, count);
    }
    record_table_end(record);
    if (eval->result->device_count > 0)
        record_note(record, "%s%s", notes[scenario_common_sharing(eval->scenario)],
                    has_threads(eval) ? ", or its busiest thread" : "");
}

static void put_sensors(const struct eval *eval)
{
    record_array(eval->record, "sensors", true);
    for (int i = 0; i < eval->result->wfs_count; i++) {
        record_object(eval->record, NULL, NULL, true);
        record_text(eval->record, "name", NULL, eval->scenario->wfs[i].head.name);
        put_results(eval, RESULT_WFS, i);
        record_object_end(eval->record);
    }
    record_array_end(eval->record);
}

static void put_links(const struct eval *eval)
{
    record_array(eval->record, "links", true);
    for (int i = 0; i < eval->result->link_count; i++) {
        record_object(eval->record, NULL, NULL, true);
        record_text(eval->record, "name", NULL, eval->result->link[i].name);
        record_number(eval->record, "busy_us", NULL, "us", eval->result->link[i].busy);
        record_object_end(eval->record);
    }
    record_array_end(eval->record);
}

static const char *overload_note(const struct result *result)
{
    return result->overloaded ? ", for one frame alone" : "";
}

/* Puts the mirrors, as text only if there is more than one. */
static void put_mirrors(const struct eval *eval)
{
    struct record *record = eval->record;
    const struct result *result = eval->result;

    record_array(record, "dms", true);
    for (int i = 0; i < result->dm_count; i++) {
        const struct dm_result *dm = &result->dm[i];
        const char *name = eval->scenario->component[dm->component].head.name;

        record_object(record, NULL, NULL, true);
        record_text(record, "name", NULL, name);
        record_number(record, "latency_us", NULL, "us", dm->latency);
        record_number(record, "arrival_us", NULL, "us", dm->arrival);
        record_object_end(record);
        if (result->dm_count > 1)
            record_line(record, TONE_PLAIN, i == 0 ? "Mirrors" : "",
                        "%s receives its commands after %s%s", name,
                        record_quantity(record, dm->latency, "s"), overload_note(result));
    }
    record_array_end(record);
}

/* Programs ------------------------------------------------------------------------------------- */

/* Returns the time of a phase, or of all, -1, if each prefetch covers a remote reference. */
static double prefetched_time(const struct program *program, int f,
                              const struct program_machine *machine)
{
    struct program_machine there = *machine;

    there.prefetched = true;
    return f < 0 ? program_total_time(program, &there).time
                 : program_phase_time(program, f, &there).time;
}

static void put_phase(struct record *record, const char *component, const struct program *program,
                      int f, const struct program_machine *machine)
{
    struct program_time phase = program_phase_time(program, f, machine);

    record_row(record);
    record_cell(record, "Phase of", component);
    record_text(record, "phase", "Name", program->phase[f].name);
    record_soft(record);
    record_number(record, "time_us", "Time", "us", phase.time);
    record_number(record, "balance", "Balance", "fraction", phase.balance);
    record_number(record, "stall_share", "Stall", "fraction", phase.stall_share);
    record_text(record, "bound", "Limit", program_limit_name(phase.limit));
    record_number(record, "prefetches", NULL, "", program_prefetches(program, f));
    record_number(record, "prefetched_time_us", NULL, "us", prefetched_time(program, f, machine));
    record_row_end(record);
}

static double time_at_latency(const struct program *program, const struct program_machine *machine,
                              double latency)
{
    struct program_machine there = *machine;

    there.latency = latency;
    return program_total_time(program, &there).time;
}

/* Returns "46.3 us at 3 cycles". */
static const char *time_at_text(struct record *record, const struct program *program,
                                const struct program_machine *machine, double latency,
                                char text[120])
{
    char cycles[40];

    number_format(round(10 * latency) / 10, cycles, sizeof cycles);
    snprintf(text, 120, "%s at %s cycle%s",
             record_quantity(record, time_at_latency(program, machine, latency), "s"), cycles,
             latency == 1 ? "" : "s");
    return text;
}

/* Puts time over remote latency; text has both ends of the curve and the point of the device. */
static void put_curve(struct record *record, const char *component, const struct program *program,
                      const struct program_machine *machine)
{
    char text[3][120];

    record_array(record, "curve", true);
    for (int i = 0; i < PROGRAM_CURVE_POINTS; i++) {
        double latency = program_latency_at(machine, i);

        record_object(record, NULL, NULL, true);
        record_number(record, "remote_latency_cycles", NULL, "", latency);
        record_number(record, "time_us", NULL, "us", time_at_latency(program, machine, latency));
        record_object_end(record);
    }
    record_array_end(record);
    record_line(record, TONE_PLAIN, "Remote latency", "%s takes %s, %s (the device's), %s",
                component,
                time_at_text(record, program, machine, program_latency_at(machine, 0), text[0]),
                time_at_text(record, program, machine, machine->latency, text[1]),
                time_at_text(record, program, machine,
                             program_latency_at(machine, PROGRAM_CURVE_POINTS - 1), text[2]));
}

/* Says which time is stated if there are prefetches. */
static void put_prefetches(struct record *record, const char *component,
                           const struct program *program, const struct program_machine *machine)
{
    double prefetches = 0;

    for (int f = 0; f < program->phase_count; f++)
        prefetches += program_prefetches(program, f);
    if (prefetches > 0)
        record_line(record, TONE_PLAIN, "Prefetches",
                    "%s executes %.6g, and a trace does not tell what they fetch: it takes %s if "
                    "each covers a remote reference, %s, which counts, if none does",
                    component, prefetches,
                    record_quantity(record, prefetched_time(program, -1, machine), "s"),
                    record_quantity(record, program_total_time(program, machine).time, "s"));
}

static void put_program(const struct eval *eval, const struct node_result *node)
{
    struct record *record = eval->record;
    const struct component *component = &eval->scenario->component[node->component];
    const struct program *program = component->trace.program;
    bool partition = scenario_sharing(eval->scenario, node->device) == SHARING_PARTITION;
    struct program_machine machine =
        program_machine(&eval->scenario->device[node->device], (enum distance)component->distance,
                        program->threads);
    struct program_time total;

    program_machine_share(&machine, partition ? node->share : 1, component->workers > 0);
    total = program_total_time(program, &machine);
    record_object(record, NULL, NULL, true);
    record_text(record, "component", NULL, node->name);
    record_number(record, "threads", NULL, "", program->threads);
    record_number(record, "balance", NULL, "", total.balance);
    record_number(record, "stall_share", NULL, "", total.stall_share);
    record_table(record, "phases", "Program");
    for (int f = 0; f < program->phase_count; f++)
        put_phase(record, node->name, program, f, &machine);
    record_table_end(record);
    record_text(record, "model", NULL, program_has_chains(program) ? "overlap" : "sum");
    record_line(record, TONE_PLAIN, "Model", "%s: %s", node->name,
                program_has_chains(program)
                    ? "the longest of instructions, their chain and memory; the trace has chains"
                    : "instructions and references add up; the trace has no chains");
    put_prefetches(record, node->name, program, &machine);
    put_curve(record, node->name, program, &machine);
    record_object_end(record);
}

static void put_programs(const struct eval *eval)
{
    record_array(eval->record, "programs", true);
    for (int i = 0; i < eval->result->node_count; i++)
        if (eval->result->node[i].type == COMPONENT_PROGRAM)
            put_program(eval, &eval->result->node[i]);
    record_array_end(eval->record);
}

/* The critical path ---------------------------------------------------------------------------- */

static bool takes_time(const struct path_step *step)
{
    return step->wait + step->busy > NOISE;
}

/* Puts the steps of the critical path; text omits those that take no time. */
static void put_path(const struct eval *eval)
{
    struct record *record = eval->record;
    struct buffer text = {0};

    record_array(record, "critical_path", true);
    for (int i = 0; i < eval->result->path_count; i++) {
        const struct path_step *step = &eval->result->path[i];
        const char *name = eval->result->node[step->node].name;

        record_object(record, NULL, NULL, true);
        record_text(record, "component", NULL, name);
        record_number(record, "wait_us", NULL, "us", step->wait);
        record_number(record, "busy_us", NULL, "us", step->busy);
        record_text(record, "bound", NULL, bound_name(step->bound));
        record_object_end(record);
        if (record_is_data(record) || !takes_time(step))
            continue;
        buffer_print(&text, "%s%s %s", text.length > 0 ? ", " : "", name,
                     record_quantity(record, step->wait + step->busy, "s"));
        if (step->wait > NOISE)
            buffer_print(&text, " (waits %s)", record_quantity(record, step->wait, "s"));
    }
    record_array_end(record);
    if (text.length > 0)
        record_line(record, TONE_PLAIN, "Critical path", "%s", text.bytes);
    buffer_free(&text);
}

/* Returns true if a step is all work of its component in a frame, on a share of its device. */
static bool has_part_of_device(const struct result *result, const struct path_step *step)
{
    const struct node_result *node = &result->node[step->node];

    return node->device >= 0 && node->share < 1 && step->busy > NOISE &&
           step->busy >= node->time * (1 - 1e-9);
}

/* Puts a remark if shares of a device idle while another one works: components that process one
 * packet run one after the other, none of them on the whole device. */
static void put_idle_shares(const struct eval *eval, int device)
{
    const struct result *result = eval->result;
    struct buffer names = {0};
    int count = 0;

    for (int i = 0; i < result->path_count; i++) {
        const struct node_result *node = &result->node[result->path[i].node];

        if (node->device == device && has_part_of_device(result, &result->path[i]))
            buffer_print(&names, "%s%s", count++ > 0 ? ", " : "", node->name);
    }
    if (count > 1)
        record_line(eval->record, TONE_PLAIN, "Partition",
                    "%s run in turn, each with its share of %s; exclusive sharing gives each the "
                    "whole device",
                    names.bytes, eval->scenario->device[device].head.name);
    buffer_free(&names);
}

/* Lines ---------------------------------------------------------------------------------------- */

static bool defers_work(const struct node_result *node)
{
    return node->deferred > 0 && node->part < 0;
}

/* Puts work after the command, which the table of components omits. */
static int put_deferred_work(const struct eval *eval)
{
    struct record *record = eval->record;
    int count = 0;

    for (int i = 0; i < eval->result->node_count; i++) {
        const struct node_result *node = &eval->result->node[i];

        if (defers_work(node))
            record_line(record, TONE_PLAIN, count++ == 0 ? "Deferred" : "",
                        "%s computes for %s after the command has left (%s, %s)", node->name,
                        record_quantity(record, node->deferred, "s"),
                        record_quantity(record, node->deferred_flop, "FLOP"),
                        record_quantity(record, node->deferred_bytes, "B"));
    }
    return count;
}

static void put_latency_line(const struct eval *eval)
{
    const struct result *result = eval->result;
    char range[RANGE_TEXT_MAX] = "";
    char words[RANGE_TEXT_MAX + 4] = "";
    char margin[64] = "";
    char missing[VERDICT_MISSING_MAX];
    bool incomplete = verdict_missing(eval->scenario, missing);
    bool missed = result->margin < 0;
    bool unsure =
        eval->range != NULL && !result->overloaded && range_is_unsure(eval->range, result->target);

    if (eval->range != NULL && eval->range->count > 0 && !result->overloaded) {
        range_text(eval->range, eval->record->unicode, range, sizeof range);
        snprintf(words, sizeof words, " (%s)", range);
    }
    if (!result->overloaded && (missed || !incomplete)) /* what is reached has a margin */
        snprintf(margin, sizeof margin, ", %s %s",
                 unsure && missed                 ? "likely missed by"
                 : missed                         ? "missed by"
                 : !unsure                        ? "margin"
                 : eval->range->may_not_keep_up ? "met if it keeps up, margin"
                                                  : "likely met, margin",
                 record_quantity(eval->record, fabs(result->margin), "s"));
    record_line(eval->record,
                missed                             ? TONE_BAD
                : result->overloaded || incomplete ? TONE_PLAIN
                                                   : TONE_GOOD,
                "RTC latency", "%s%s%s; target %s%s",
                record_quantity(eval->record, result->latency, "s"), words,
                result->overloaded ? " for one frame alone, the loop does not keep up" : "",
                record_quantity(eval->record, result->target, "s"), margin);
    if (incomplete)
        record_line(eval->record, TONE_PLAIN, "Incomplete",
                    "%s; the latency is that of what is there", missing);
}

/* Puts how much of the latency is assumed, and what its range is. */
static void put_range_lines(const struct eval *eval)
{
    char words[RANGE_TEXT_MAX];

    if (eval->range == NULL)
        return;
    range_assumed_text(eval->range, words, sizeof words);
    if (words[0] != '\0')
        record_line(eval->record, TONE_PLAIN, "", "%s", words);
    if (range_unstated(eval->range) != NULL && !eval->result->overloaded)
        range_put_first(eval->record, eval->scenario, eval->range, range_unstated(eval->range));
    if (range_differs_in_frames(eval->range) && !eval->result->overloaded)
        record_line(eval->record, TONE_PLAIN, "Whole frames",
                    "%s if software waits for all packets; state scenario.processing",
                    record_quantity(eval->record, eval->range->whole_frames, "s"));
    if (eval->range->count > 0 && !eval->result->overloaded)
        record_line(eval->record, TONE_PLAIN, "Range",
                    "one standard deviation of the model, not of stated values; %s",
                    eval->range->may_not_keep_up ? "within it, the design may not keep up"
                                                 : "about two of three designs lie inside");
}

/* Names what has to be faster. */
static void put_limit_line(const struct eval *eval)
{
    char text[VERDICT_TEXT_MAX];

    if (eval->result->bottleneck < 0)
        return;
    verdict_limit(eval->scenario, eval->result, true, text);
    record_line(eval->record, TONE_PLAIN, "Limited by", "%s", text);
}

/* Returns how a published latency compares with the range, to follow it. */
static const char *published_note(const struct eval *eval)
{
    const struct latency_range *range = eval->range;

    if (range == NULL)
        return "";
    if (range->fitted)
        return "; no evidence, as a rate is fitted to it";
    return range_contains(range, eval->scenario->general.published_latency) ? ", inside the range"
                                                                            : ", outside the range";
}

static void put_latency_lines(const struct eval *eval)
{
    struct record *record = eval->record;
    const struct result *result = eval->result;
    int deferring;

    put_latency_line(eval);
    put_range_lines(eval);
    if (eval->scenario->general.published_latency > 0)
        record_line(record, TONE_PLAIN, "Published", "%s, %.2f times the prediction%s",
                    record_quantity(record, eval->scenario->general.published_latency, "s"),
                    eval->scenario->general.published_latency / result->latency,
                    published_note(eval));
    if (result->readout_latency != RESULT_NONE &&
        fabs(result->readout_latency - result->latency) > 0.01 * result->latency)
        record_line(record, TONE_PLAIN, "From last pixel", "%s %s the last pixel of the detector%s",
                    record_quantity(record, fabs(result->readout_latency), "s"),
                    result->readout_latency < 0 ? "before" : "after", overload_note(result));
    record_line(record, TONE_PLAIN, "Pixel to command", "%s, first pixel to last command%s",
                record_quantity(record, result->first_pixel, "s"), overload_note(result));
    put_limit_line(eval);
    put_path(eval);
    for (int d = 0; d < eval->scenario->device_count; d++)
        if (scenario_sharing(eval->scenario, d) == SHARING_PARTITION)
            put_idle_shares(eval, d);
    deferring = put_deferred_work(eval);
    if (result->not_periodic)
        record_line(record, TONE_BAD, "Frames",
                    "%.0f frames simulated without repeating: one of the latest commands is shown",
                    result->frames);
    else if (result->frames > 1)
        record_line(record, TONE_PLAIN, "Frames", "%.0f frames simulated until they repeat: %s",
                    result->frames,
                    deferring > 0 ? "deferred work extends into the next frame"
                                  : "work of a frame lasts into the next one");
}

/* Puts everything that cannot keep up with the frame rate, slowest first. */
static void put_overloads(const struct eval *eval)
{
    struct record *record = eval->record;
    double period = eval->result->frame_period;
    struct overload list[OVERLOAD_MAX];
    int count = load_list_overloads(eval->scenario, eval->result, list);

    record_array(record, "overloads", true);
    for (int i = 0; i < count && i < OVERLOAD_MAX; i++) {
        record_object(record, NULL, NULL, true);
        record_text(record, "resource", NULL, list[i].name);
        record_number(record, "busy_us", NULL, "us", list[i].busy);
        record_number(record, "ratio", NULL, "", list[i].load);
        record_object_end(record);
        record_line(record, TONE_BAD, i == 0 ? "Overload" : "",
                    i == 0 ? "%s is busy %s of a %s frame, %s times too slow"
                           : "%s is busy %s of %s, %s times",
                    list[i].name, record_quantity(record, list[i].busy, "s"),
                    record_quantity(record, period, "s"),
                    record_quantity(record, list[i].load, ""));
    }
    record_array_end(record);
    if (count > OVERLOAD_MAX)
        record_line(record, TONE_BAD, "", "and %d more", count - OVERLOAD_MAX);
}

/* Puts the devices whose memory is too small. */
static void put_unfit(const struct eval *eval)
{
    char sentence[ERROR_MESSAGE_MAX];
    const char *label = "Memory";

    for (int d = 0; d < eval->result->device_count; d++)
        if (!eval->result->device[d].fits) {
            note_unfit(eval->scenario, eval->result, d, sentence, sizeof sentence);
            record_line(eval->record, TONE_BAD, label, "%s", sentence);
            label = "";
        }
}

/* Puts what telemetry, updates and the two users of a shared memory overload. */
static void put_flow(const struct eval *eval)
{
    struct flow flow = {0};
    const char *label = "Flow";

    record_array(eval->record, "flow_overloads", true);
    flow_fill(&flow, eval->scenario, eval->result);
    for (int i = 0; i < flow.resource_count; i++) {
        char sentence[ERROR_MESSAGE_MAX];

        if (!flow_overload_unseen(&flow.resource[i]))
            continue;
        flow_sentence(eval->scenario, &flow.resource[i], sentence, sizeof sentence);
        record_text(eval->record, NULL, NULL, sentence);
        record_line(eval->record, TONE_BAD, label, "%s", sentence);
        label = "";
    }
    record_array_end(eval->record);
    flow_free(&flow);
}

/* Puts the components with more threads than cores. */
static void put_crowds(const struct eval *eval)
{
    char sentence[ERROR_MESSAGE_MAX];
    const char *label = "Threads";

    for (int i = 0; i < eval->scenario->component_count; i++)
        if (note_crowded(eval->scenario, i, sentence, sizeof sentence)) {
            record_line(eval->record, TONE_BAD, label, "%s", sentence);
            label = "";
        }
}

/* Puts the shares of devices that are not divided. */
static void put_unused_shares(const struct eval *eval)
{
    char sentence[ERROR_MESSAGE_MAX];

    if (note_idle_share(eval->scenario, sentence, sizeof sentence))
        record_line(eval->record, TONE_BAD, "Shares", "%s", sentence);
}

void unused_parts_put(struct record *record, const struct scenario *scenario)
{
    char sentence[ERROR_MESSAGE_MAX];

    for (int d = 0; d < scenario->device_count; d++)
        if (note_unused_part(scenario, d, sentence, sizeof sentence))
            record_line(record, TONE_PLAIN, "Unused", "%s", sentence);
}

/* Puts the devices whose rdma reaches no GPU. */
static void put_unused_rdma(const struct eval *eval)
{
    char sentence[ERROR_MESSAGE_MAX];

    for (int d = 0; d < eval->scenario->device_count; d++) {
        if (note_rdma_ingress(eval->scenario, d, sentence, sizeof sentence))
            record_line(eval->record, TONE_BAD, "Ingress", "%s", sentence);
        if (note_rdma_copy(eval->scenario, d, sentence, sizeof sentence))
            record_line(eval->record, TONE_BAD, "Copies", "%s", sentence);
    }
}

/* Puts what has no effect or does not fit together. */
static void put_notes(const struct eval *eval)
{
    char sentence[ERROR_MESSAGE_MAX];
    const char *label = "Check";

    record_array(eval->record, "notes", true);
    for (int at = 0; note_next(eval->scenario, eval->result, &at, sentence, sizeof sentence);
         label = "") {
        record_text(eval->record, NULL, NULL, sentence);
        record_line(eval->record, TONE_BAD, label, "%s", sentence);
    }
    record_array_end(eval->record);
}

/* Says that the latency is that of the pipeline alone (model/flow.h). */
static void put_background_line(const struct eval *eval)
{
    const struct telemetry *telemetry = &eval->scenario->telemetry;

    if (telemetry->pixels + telemetry->slopes + telemetry->commands > 0 ||
        eval->scenario->update.period > 0)
        record_line(eval->record, TONE_PLAIN, "Telemetry",
                    "not in the timeline, nor updates: aolag flow has their cost");
}

static void put_rate_lines(const struct eval *eval)
{
    const struct result *result = eval->result;
    char rate[RANGE_LATENCY_MAX];

    put_background_line(eval);
    range_rate_text(result->max_frame_rate, result->max_frame_rate_low, result->max_frame_rate_high,
                    eval->record->unicode, rate);
    if (result->max_frame_rate != RESULT_NONE)
        record_line(eval->record, TONE_PLAIN, "Max frame rate",
                    "%s, limited by %s (busy %s per frame)", rate, result->limit,
                    record_quantity(eval->record, result->limit_busy, "s"));
    if (result->watts != RESULT_NONE && result->part_count > 0)
        record_line(eval->record, TONE_PLAIN, "Power", "%s, thermal design power of %.0f part%s",
                    record_quantity(eval->record, result->watts, "W"), result->part_count,
                    result->part_count > 1 ? "s" : "");
    if (result->price != RESULT_NONE && result->part_count > 0)
        record_line(eval->record, TONE_PLAIN, "Price", "%.15g for %.0f part%s, in your currency",
                    result->price, result->part_count, result->part_count > 1 ? "s" : "");
    put_overloads(eval);
    put_unfit(eval);
    put_flow(eval);
    put_crowds(eval);
    put_unused_shares(eval);
    unused_parts_put(eval->record, eval->scenario);
    put_unused_rdma(eval);
    put_notes(eval);
}

static bool are_matrices_alike(const struct node_result *a, const struct node_result *b)
{
    return a->rows > 0 && a->part < 0 && b->part < 0 && names_alike(a->name, b->name) &&
           a->rows == b->rows && a->columns == b->columns &&
           values_alike(a->working_set, b->working_set);
}

/* Puts a line for each matrix; those that differ in the number of their name only share one. */
static void put_matrices(const struct eval *eval)
{
    const struct result *result = eval->result;

    for (int n = 0; n < result->node_count; n++) {
        const struct node_result *node = &result->node[n];
        char count[24] = "";
        int first = 0;
        int alike = 0;

        while (first < n && !are_matrices_alike(&result->node[first], node))
            first++;
        if (node->rows <= 0 || node->part >= 0 || first < n)
            continue;
        for (int i = n; i < result->node_count; i++)
            alike += are_matrices_alike(node, &result->node[i]);
        if (alike > 1)
            snprintf(count, sizeof count, " %s%d", times_sign(eval->record), alike);
        record_line(eval->record, TONE_PLAIN, "Matrix", "%s%s: %.0f %s %.0f, working set %s%s",
                    node->name, count, node->rows, times_sign(eval->record), node->columns,
                    record_quantity(eval->record, node->working_set, "B"),
                    alike > 1 ? " each" : "");
    }
}

enum { GAIN_TEXT = 160 };

/* Writes "0.977, optimum; " or "0.63, phase margin of 45 deg costs 0.90 nm; ". */
static const char *gain_in_force(const struct eval *eval, char text[GAIN_TEXT])
{
    const struct budget *budget = eval->result->budget;
    char source[LOOP_COST_MAX];

    text[0] = '\0';
    if (budget == NULL || eval->result->loop.gain == RESULT_NONE)
        return text;
    snprintf(text, GAIN_TEXT, "%s, %s%s; ",
             record_quantity(eval->record, eval->result->loop.gain, ""),
             budget->gains.per_order ? "the largest of the orders, " : "",
             loop_limited(budget) ? loop_margin_cost(budget, source)
                                  : loop_gain_source(budget, budget->gain_source, source));
    return text;
}

static void put_loop_lines(const struct eval *eval)
{
    struct record *record = eval->record;
    const struct loop_result *loop = &eval->result->loop;
    const struct atmosphere *atmosphere = &eval->scenario->atmosphere;
    const char *overload = loop_overload(eval->scenario, eval->result);
    const double stated = eval->scenario->ao.gain;
    char zenith[40], gain[GAIN_TEXT];

    quantity_format(atmosphere->zenith, "deg", zenith, sizeof zenith);
    quantity_shorten(zenith);
    if (overload != NULL)
        record_line(record, TONE_BAD, "Loop", "%s", overload);
    record_line(record, TONE_PLAIN, "Delay", "%s frames, %s in total",
                record_quantity(record, loop->delay_frames, ""),
                record_quantity(record, loop->tau_total, "s"));
    if (atmosphere->wind <= 0)
        record_line(record, TONE_PLAIN, "Servo lag",
                    "none: turbulence does not move, atmosphere.wind is 0 m/s");
    else if (loop->lag == RESULT_NONE)
        record_line(eval->record, TONE_PLAIN, "Servo lag",
                    "%s rms of a pure delay, a quick estimate; Strehl %s from it alone",
                    record_quantity(record, loop->servo_lag, "m"),
                    record_quantity(record, loop->strehl_lag, ""));
    if (loop->total != RESULT_NONE)
        record_line(record, TONE_PLAIN, "Wavefront error", "%s rms%s, Strehl %s at %s%s%s",
                    record_quantity(record, loop->total, "m"),
                    loop->noise == RESULT_NONE ? " without noise" : "",
                    record_quantity(record, loop->strehl, ""),
                    record_quantity(record, atmosphere->wavelength, "m"),
                    loop->lag == RESULT_NONE ? "" : "; servo lag ",
                    loop->lag == RESULT_NONE ? "" : record_quantity(record, loop->lag, "m"));
    else if (eval->result->budget != NULL && eval->result->budget->problem.status != STATUS_OK)
        record_line(record, TONE_BAD, "Wavefront error", "unknown: %s",
                    eval->result->budget->problem.message);
    if (loop->tau0 != RESULT_NONE) {
        record_line(record, TONE_PLAIN, "Coherence time",
                    "%s at %s, zenith %s; %s at 500 nm, 0 deg",
                    record_quantity(record, loop->tau0, "s"),
                    record_quantity(record, atmosphere->wavelength, "m"), zenith,
                    record_quantity(record, loop->tau0_500, "s"));
        record_line(record, TONE_PLAIN, "Greenwood freq.",
                    "%s at %s, zenith %s; %s at 500 nm, 0 deg",
                    record_quantity(record, loop->greenwood, "Hz"),
                    record_quantity(record, atmosphere->wavelength, "m"), zenith,
                    record_quantity(record, loop->greenwood_500, "Hz"));
    }
    if (loop->max_gain != RESULT_NONE && stated >= loop->max_gain)
        record_line(record, TONE_BAD, "Gain", "%s: unstable, maximum %s",
                    record_quantity(record, stated, ""),
                    record_quantity(record, loop->max_gain, ""));
    else if (loop->max_gain != RESULT_NONE)
        record_line(record, TONE_PLAIN, "Gain",
                    "%smaximum %s; %s for 45 deg phase margin, crossover %s",
                    gain_in_force(eval, gain), record_quantity(record, loop->max_gain, ""),
                    record_quantity(record, loop->gain_45, ""),
                    record_quantity(record, loop->crossover, "Hz"));
}

static void put_lines(const struct eval *eval)
{
    put_latency_lines(eval);
    put_rate_lines(eval);
    put_mirrors(eval);
    put_matrices(eval);
    put_loop_lines(eval);
}

static void put_tables(const struct eval *eval)
{
    put_nodes(eval);
    put_devices(eval);
    put_programs(eval);
}

/* Jitter --------------------------------------------------------------------------------------- */

/* Writes an end of a bin of jitter, to a tenth of the width of the bin or finer: "1223 us". */
static const char *bin_end(double s, double width, char text[40])
{
    int digits = width > 0 ? 1 - (int)floor(log10(width * 1e6)) : 2;

    digits = digits < 0 ? 0 : digits > 6 ? 6 : digits;
    snprintf(text, 40, "%.*f \xC2\xB5s", digits, s * 1e6);
    return text;
}

const char *jitter_hourly(const struct jitter *jitter, double probability, char text[40])
{
    double frames = probability * jitter->per_hour;
    double last = frames < 1000 ? 0 : pow(10, floor(log10(frames)) - 3); /* of four digits */

    if (last == 0)
        snprintf(text, 40, "%.3g", frames);
    else
        snprintf(text, 40, "%.0f", round(frames / last) * last);
    return text;
}

/* The frames of an overloaded loop are simulated alone; in the loop each one waits longer. */
static void put_missed_line(struct record *record, const struct jitter *jitter, bool overloaded)
{
    const char *target = record_quantity(record, jitter->target, "s");
    char text[3][40], percent[PERCENT_MAX];

    if (overloaded)
        record_line(record, TONE_BAD, "Missed",
                    "all frames, the loop does not keep up; alone, %ld of %ld miss the target of "
                    "%s",
                    jitter->missed, jitter->frames, target);
    else if (jitter->missed > 0)
        record_line(record, TONE_BAD, "Missed",
                    "%ld of %ld frames miss the target of %s, %s; %s per hour, at 95 %% "
                    "confidence %s to %s",
                    jitter->missed, jitter->frames, target,
                    text_percent(jitter->probability, percent),
                    jitter_hourly(jitter, jitter->probability, text[0]),
                    jitter_hourly(jitter, jitter->low, text[1]),
                    jitter_hourly(jitter, jitter->high, text[2]));
    else
        record_line(record, TONE_GOOD, "Missed",
                    "none of %ld frames misses the target of %s; at 95 %% confidence, fewer than "
                    "%s do, %s per hour",
                    jitter->frames, target, text_percent(jitter->high, percent),
                    jitter_hourly(jitter, jitter->high, text[2]));
}

/* Puts the late wake-ups that the frames include. */
static void put_late(const struct eval *eval, const struct jitter *jitter)
{
    struct record *record = eval->record;
    struct buffer text = {0};

    record_map(record, "late", NULL);
    for (int d = 0; d < eval->scenario->device_count; d++) {
        const char *name = eval->scenario->device[d].head.name;

        if ((jitter->late >> d & 1) == 0)
            continue;
        record_map_row(record, name);
        for (int q = 0; q < LATE_COUNT; q++) {
            char key[40];

            snprintf(key, sizeof key, "%s_us", knobs[KNOB_DEVICE_LATE_P90 + q].key);
            record_number(record, key, NULL, "us", late_quantile(eval->scenario, d, (enum late)q));
        }
        record_row_end(record);
        if (!late_any(eval->scenario, d))
            continue;
        buffer_print(&text, "%s%s p99 %s", text.length > 0 ? "; " : "", name,
                     record_quantity(record, late_quantile(eval->scenario, d, LATE_P99), "s"));
        buffer_print(&text, ", at most %s",
                     record_quantity(record, late_quantile(eval->scenario, d, LATE_MAX), "s"));
    }
    record_table_end(record);
    record_line(record, TONE_PLAIN, "Late wake-ups", "%s", text.length > 0 ? text.bytes : "none");
    buffer_free(&text);
}

static void put_jitter_lines(const struct eval *eval, const struct jitter *jitter)
{
    struct record *record = eval->record;
    char of[40] = "";

    if (jitter->frames < jitter->wanted)
        snprintf(of, sizeof of, " of %ld", jitter->wanted);
    record_line(record, TONE_PLAIN, "Jitter", "%ld%s frame%s simulated with jitter, seed %llu",
                jitter->frames, of, jitter->wanted == 1 ? "" : "s",
                (unsigned long long)jitter->seed);
    record_line(
        record, TONE_PLAIN, "RTC latency",
        "p50 %s, p99 %s, p99.9 %s; from %s to %s, %s without jitter",
        record_quantity(record, jitter->p50, "s"), record_quantity(record, jitter->p99, "s"),
        record_quantity(record, jitter->p999, "s"), record_quantity(record, jitter->least, "s"),
        record_quantity(record, jitter->most, "s"), record_quantity(record, jitter->latency, "s"));
    if (jitter->bins == 1 && jitter->least == jitter->latency)
        record_line(record, TONE_PLAIN, "Spread", "none: no device varies or is late");
    put_late(eval, jitter);
    put_missed_line(record, jitter, eval->result->overloaded);
}

static long frames_in(const struct jitter *jitter, int first, int count)
{
    long frames = 0;

    for (int b = first; b < first + count; b++)
        frames += jitter->bin[b].frames;
    return frames;
}

/* Puts the bins; a row of text combines several. A bar is empty only if it has no frames. */
static void put_histogram(struct record *record, const struct jitter *jitter)
{
    bool data = record_is_data(record);
    int each = !data && jitter->bins > HISTOGRAM_ROWS ? jitter->bins / HISTOGRAM_ROWS : 1;
    char from[40], to[40], bar[BAR_COLUMNS + 1];
    long most = 0;

    for (int b = 0; b < jitter->bins; b += each)
        most = frames_in(jitter, b, each) > most ? frames_in(jitter, b, each) : most;
    memset(bar, '#', sizeof bar);
    record_table(record, "histogram", NULL);
    for (int b = 0; b < jitter->bins; b += each) {
        const struct jitter_bin *last = &jitter->bin[b + each - 1];
        double width = last->to - jitter->bin[b].from;
        long frames = frames_in(jitter, b, each);

        record_row(record);
        record_cellf(record, "Latency", "%s to %s", bin_end(jitter->bin[b].from, width, from),
                     bin_end(last->to, width, to));
        record_number(record, "from_us", NULL, "us", jitter->bin[b].from);
        record_number(record, "to_us", NULL, "us", last->to);
        record_integer(record, "frames", "Frames", (double)frames);
        if (record->format == RECORD_TEXT)
            record_cellf(record, "", "%.*s", (int)((frames * BAR_COLUMNS + most - 1) / most), bar);
        record_row_end(record);
    }
    record_table_end(record);
}

static void put_jitter(const struct eval *eval, const struct jitter *jitter)
{
    struct record *record = eval->record;

    if (record->format == RECORD_MARKDOWN)
        record_section(record, "Jitter");
    record_object(record, "jitter", NULL, true);
    record_integer(record, "frames", NULL, (double)jitter->frames);
    record_integer(record, "frames_wanted", NULL, (double)jitter->wanted);
    record_integer(record, "seed", NULL, (double)jitter->seed);
    record_number(record, "latency_us", NULL, "us", jitter->latency);
    record_number(record, "min_us", NULL, "us", jitter->least);
    record_number(record, "p50_us", NULL, "us", jitter->p50);
    record_number(record, "p99_us", NULL, "us", jitter->p99);
    record_number(record, "p999_us", NULL, "us", jitter->p999);
    record_number(record, "max_us", NULL, "us", jitter->most);
    record_number(record, "target_latency_us", NULL, "us", jitter->target);
    record_integer(record, "missed", NULL, (double)jitter->missed);
    record_number(record, "missed_probability", NULL, "", jitter->probability);
    record_number(record, "missed_standard_error", NULL, "", jitter->standard_error);
    record_number(record, "missed_probability_max", NULL, "",
                  jitter->missed > 0 ? RESULT_NONE : jitter->high);
    record_number(record, "missed_per_hour", NULL, "", jitter->probability * jitter->per_hour);
    record_number(record, "missed_per_hour_low", NULL, "", jitter->low * jitter->per_hour);
    record_number(record, "missed_per_hour_high", NULL, "", jitter->high * jitter->per_hour);
    put_jitter_lines(eval, jitter);
    put_histogram(record, jitter);
    record_object_end(record);
}

/* The design report ---------------------------------------------------------------------------- */

/* Puts "Meets its target: RTC latency 900 us, allowed 1 ms. ..." */
static void put_verdict(const struct eval *eval)
{
    struct record *record = eval->record;
    const struct result *result = eval->result;
    bool missed = result->margin < 0;
    const struct latency_range *range = eval->range;
    bool ranged = range != NULL && range->count > 0 && !result->overloaded;
    bool may_meet = ranged && missed && range->low <= result->target;
    bool may_miss = ranged && !missed && range->high > result->target;
    char text[RANGE_TEXT_MAX] = "";
    char verdict[2 * RECORD_QUANTITY_MAX + NODE_NAME_MAX + 80];

    if (result->overloaded)
        snprintf(verdict, sizeof verdict, "Overloaded: %s does not keep up with the frame rate.",
                 result->limit);
    else if (!result->fits)
        snprintf(verdict, sizeof verdict, "Does not fit the memory of its devices.");
    else
        snprintf(verdict, sizeof verdict, "%s its target: RTC latency %s, allowed %s.",
                 may_meet   ? "Likely misses"
                 : may_miss ? "Likely meets"
                 : missed   ? "Misses"
                            : "Meets",
                 record_quantity(record, result->latency, "s"),
                 record_quantity(record, result->target, "s"));
    if (ranged)
        range_text_alone(range, record->unicode, text, sizeof text);
    if (ranged && range->may_not_keep_up)
        record_verdict(record, verdict,
                       "The range of the latency begins at %s; within it the design may not keep "
                       "up.",
                       record_quantity(record, range->low, "s"));
    else
        record_verdict(record, verdict, "%s%s%s", ranged ? "The range of the latency is " : "",
                       text,
                       !ranged         ? ""
                       : !result->fits ? "."
                       : may_meet      ? ", within which it could meet the target."
                       : may_miss      ? ", within which it could miss the target."
                                       : "; the verdict holds at both ends.");
}

/* Writes the effect of an assumption: "-6.1 % to +52 %". */
static void print_effect(const struct assumption *assumption, char *text, size_t size)
{
    struct buffer effect = buffer_over(text, size);
    const double ends[] = {assumption->least, assumption->most};

    for (int end = 0; end < 2; end++)
        if (fabs(ends[end]) >= ASSUMPTION_MATTERS / 10)
            buffer_print(&effect, "%s%+.*f %%", effect.length > 0 ? " to " : "",
                         fabs(ends[end]) < 0.0995 ? 1 : 0, 100 * ends[end]);
    if (assumption->overloads)
        buffer_print(&effect, "%sdoes not keep up", effect.length > 0 ? ", " : "");
}

/* Writes the value in force of an assumption. */
static void print_assumed(const struct eval *eval, struct knob_ref ref, char value[KNOB_VALUE_MAX])
{
    knob_print_in_force(eval->scenario, eval->result, ref, value, KNOB_VALUE_MAX);
    if (eval->record->unicode)
        text_micro(value, KNOB_VALUE_MAX);
}

/* Puts the assumptions that matter; returns their count. */
static int put_leading(const struct eval *eval)
{
    struct record *record = eval->record;
    const struct assumptions *all = eval->assumptions;
    char path[KNOB_PATH_MAX], value[KNOB_VALUE_MAX], effect[80];
    int count = 0;

    record_table(record, NULL, NULL);
    for (; count < all->count && assumption_matters(&all->at[count]); count++) {
        const struct assumption *assumption = &all->at[count];

        knob_path(eval->scenario, assumption->ref, path, sizeof path);
        print_assumed(eval, assumption->ref, value);
        print_effect(assumption, effect, sizeof effect);
        record_row(record);
        record_cell(record, "Knob", path);
        record_cell(record, "Value", value);
        record_cell(record, "Effect", effect);
        record_cell(record, "Origin", origin_name(assumption->origin));
        record_row_end(record);
    }
    record_table_end(record);
    return count;
}

/* Puts the others, from one of them on: a paragraph for each section, its values in a list. */
static void put_others(const struct eval *eval, int first)
{
    const struct assumptions *all = eval->assumptions;
    char path[KNOB_PATH_MAX], value[KNOB_VALUE_MAX];
    struct buffer list = {0};

    for (int i = first; i < all->count; i++) {
        struct knob_ref ref = all->at[i].ref;
        struct knob_ref next = i + 1 < all->count ? all->at[i + 1].ref : (struct knob_ref){0};

        print_assumed(eval, ref, value);
        buffer_print(&list, "%s%s %s", list.length > 0 ? ", " : "", ref.knob->key, value);
        if (next.knob != NULL && next.section == ref.section && next.index == ref.index)
            continue;
        section_path(eval->scenario, ref.section, ref.index, path, sizeof path);
        record_remark(eval->record, path, list.bytes);
        list.length = 0;
    }
    buffer_free(&list);
}

static void put_assumptions(const struct eval *eval)
{
    struct record *record = eval->record;
    int leading;

    record_section(record, "Assumptions");
    if (eval->assumptions->count == 0) {
        record_note(record, "None: every value is stated.");
        return;
    }
    record_note(record,
                "Neither the design nor a preset states these values. The effect is the change of "
                "the latency with half or twice the value, or with another choice.");
    leading = put_leading(eval);
    record_note(record, "%s move the latency by less than %.0f %%:",
                leading == 0 ? "All of them" : "The others", 100 * ASSUMPTION_MATTERS);
    put_others(eval, leading);
}

static void put_uncertainty(const struct eval *eval)
{
    struct record *record = eval->record;
    char words[RANGE_TEXT_MAX];

    if (eval->range == NULL)
        return;
    record_section(record, "Uncertainty");
    range_text_alone(eval->range, record->unicode, words, sizeof words);
    record_note(record,
                "The latency is %s, its range %s: one standard deviation of the errors below, "
                "which are independent. A row has the ends that its error alone makes.",
                record_quantity(record, eval->result->latency, "s"), words);
    range_put_groups(record, eval->scenario, eval->range);
}

/* The report ----------------------------------------------------------------------------------- */

/* Writes ", partition", or ", exclusive, but partition on rtc" where devices differ; nothing where
 * all are exclusive, as devices are that state nothing. */
static void print_sharing(const struct scenario *scenario, char *text, size_t size)
{
    enum sharing common = scenario_common_sharing(scenario);
    struct buffer names = buffer_over(text, size);

    if (common != SHARING_MIXED) {
        if (common != SHARING_EXCLUSIVE)
            buffer_print(&names, ", %s", sharing_name(common));
        return;
    }
    buffer_print(&names, ", %s, but %s on", sharing_name(SHARING_EXCLUSIVE),
                 sharing_name(SHARING_PARTITION));
    for (int d = 0, n = 0; d < scenario->device_count; d++)
        if (scenario_device_used(scenario, d) && scenario_sharing(scenario, d) == SHARING_PARTITION)
            buffer_print(&names, "%s %s", n++ == 0 ? "" : ",", scenario->device[d].head.name);
}

/* Puts the title, frame rate, packets and sharing. */
static void put_head(const struct eval *eval)
{
    struct record *record = eval->record;
    const struct general *general = &eval->scenario->general;
    char sharing[DEVICE_MAX * NAME_MAX_LENGTH + 40], packets[PACKETS_TEXT_MAX];

    scenario_packets_text(eval->scenario, packets);
    print_sharing(eval->scenario, sharing, sizeof sharing);
    record_title(record, "%s", general->title[0] != '\0' ? general->title : "Untitled");
    record_note(record, "%s, one frame in %s, %s%s",
                record_quantity(record, general->frame_rate, "Hz"),
                record_quantity(record, eval->result->frame_period, "s"), packets, sharing);
}

static void put_data(const struct eval *eval, const struct jitter *jitter)
{
    struct record *record = eval->record;
    const struct scenario *scenario = eval->scenario;
    const struct result *result = eval->result;
    bool bound = result->bound_node >= 0;
    char missing[VERDICT_MISSING_MAX];

    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, EVAL_SCHEMA);
    record_text(record, "title", NULL, scenario->general.title);
    record_text(record, "sharing", NULL, sharing_name(scenario_common_sharing(scenario)));
    put_results(eval, RESULT_DESIGN, 0);
    record_number(record, "published_latency_us", NULL, "us",
                  scenario->general.published_latency > 0 ? scenario->general.published_latency
                                                          : RESULT_NONE);
    record_bool(record, "not_periodic", NULL, result->not_periodic);
    if (eval->range != NULL)
        range_put_data(record, eval->scenario, eval->range);
    record_object(record, "limit", NULL, result->limit[0] != '\0');
    record_text(record, "resource", NULL, result->limit);
    record_number(record, "busy_us", NULL, "us", result->limit_busy);
    record_object_end(record);
    record_bool(record, "overloaded", NULL, result->overloaded);
    record_bool(record, "fits", NULL, result->fits);
    record_text(record, "missing", NULL, verdict_missing(scenario, missing) ? missing : NULL);
    record_object(record, "overload", NULL, result->overloaded);
    record_text(record, "resource", NULL, result->limit);
    record_number(record, "busy_us", NULL, "us", result->limit_busy);
    record_number(record, "period_us", NULL, "us", result->frame_period);
    record_number(record, "ratio", NULL, "", result->load);
    record_object_end(record);
    put_overloads(eval);
    put_flow(eval);
    put_notes(eval);
    record_object(record, "bound", NULL, bound);
    record_text(record, "component", NULL, bound ? result->node[result->bound_node].name : NULL);
    record_text(record, "by", NULL, bound_name(result->bound));
    record_text(record, "for", NULL,
                result->bound_for < 0 ? NULL : result->node[result->bound_for].name);
    record_object_end(record);
    put_path(eval);
    put_nodes(eval);
    put_devices(eval);
    record_object(record, "loop", NULL, true);
    record_number(record, "wavelength_nm", NULL, "nm", scenario->atmosphere.wavelength);
    record_number(record, "zenith_deg", NULL, "",
                  round(unit_from_si(scenario->atmosphere.zenith, "deg") * 1e9) / 1e9);
    put_results(eval, RESULT_LOOP, 0);
    record_object_end(record);
    result_flow(scenario, result);
    record_object(record, "flow", NULL, true);
    put_results(eval, RESULT_FLOW, 0);
    record_object_end(record);
    put_sensors(eval);
    put_links(eval);
    put_mirrors(eval);
    put_programs(eval);
    if (jitter != NULL)
        put_jitter(eval, jitter);
    record_object_end(record);
}

void eval_report(struct record *record, const struct scenario *scenario,
                 const struct result *result, const struct latency_range *range,
                 const struct jitter *jitter, const struct assumptions *assumptions)
{
    const struct eval eval = {record, scenario, result, range, assumptions};

    switch (record->format) {
    case RECORD_JSON:
    case RECORD_JSON_LINES:
        put_data(&eval, jitter);
        break;
    case RECORD_CSV:
        put_nodes(&eval);
        break;
    case RECORD_TEXT:
        put_head(&eval);
        put_tables(&eval);
        put_lines(&eval);
        if (jitter != NULL)
            put_jitter(&eval, jitter);
        break;
    case RECORD_MARKDOWN:
        put_head(&eval);
        put_verdict(&eval);
        record_section(record, "Results");
        put_lines(&eval);
        put_tables(&eval);
        if (jitter != NULL)
            put_jitter(&eval, jitter);
        put_assumptions(&eval);
        put_uncertainty(&eval);
        record_section(record, "Pictures");
        break;
    }
}
