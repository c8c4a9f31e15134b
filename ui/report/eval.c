#include "report/eval.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "design/knob.h"
#include "model/load.h"
#include "model/program.h"
#include "model/workload.h"
#include "report/json.h"
#include "report/report.h"
#include "report/text.h"

#define US 1e6

/* Words of a component before its numbers; a NULL value does not exist for this one. */
enum { WORD_NAME, WORD_TYPE, WORD_ALGORITHM, WORD_DEVICE, WORD_BOUND, WORD_LEVEL, WORD_COUNT };

static const char *const words[WORD_COUNT] = {"name",   "type",  "algorithm",
                                              "device", "bound", "level"};

static const char *word(const struct scenario *scenario, const struct node_result *node, int which)
{
    switch (which) {
    case WORD_NAME:
        return node->name;
    case WORD_TYPE:
        return knob_word(KNOB_COMPONENT_TYPE, (int)node->type);
    case WORD_ALGORITHM:
        return node->algorithm < 0 || algorithms[node->algorithm].name[0] == '\0'
                   ? NULL
                   : algorithms[node->algorithm].name;
    case WORD_DEVICE:
        return node->device < 0 ? NULL : scenario->device[node->device].head.name;
    case WORD_LEVEL:
        return node->device < 0 ? NULL : memory_level_name(node->level);
    default:
        return bound_name(node->bound);
    }
}

/* The component a part is of. */
static const char *part_of(const struct scenario *scenario, const struct node_result *node)
{
    return node->part < 0 ? NULL : scenario->component[node->component].head.name;
}

static double microseconds(double seconds)
{
    return seconds == RESULT_NONE ? RESULT_NONE : seconds * US;
}

static void numbers(struct json *json, const struct result *result, enum result_scope scope,
                    int index)
{
    for (int i = 0; i < RESULT_ROW_COUNT; i++)
        if (result_rows[i].scope == scope)
            json_number(json, result_rows[i].json, result_in_unit(result, &result_rows[i], index));
}

static void components(struct json *json, const struct scenario *scenario,
                       const struct result *result)
{
    json_array(json, "components");
    for (int i = 0; i < result->node_count; i++) {
        json_object(json, NULL);
        for (int w = 0; w < WORD_COUNT; w++)
            json_text(json, words[w], word(scenario, &result->node[i], w));
        json_bool(json, "inserted", result->node[i].component < 0);
        json_text(json, "part_of", part_of(scenario, &result->node[i]));
        numbers(json, result, RESULT_COMPONENT, i);
        json_object_end(json);
    }
    json_array_end(json);
}

static void devices(struct json *json, const struct scenario *scenario, const struct result *result)
{
    json_array(json, "devices");
    for (int i = 0; i < result->device_count; i++) {
        const struct device *device = &scenario->device[i];

        json_object(json, NULL);
        json_text(json, "name", device->head.name);
        json_text(json, "preset", device->preset[0] != '\0' ? device->preset : NULL);
        json_text(json, "model", device->model[0] != '\0' ? device->model : NULL);
        numbers(json, result, RESULT_DEVICE, i);
        json_object_end(json);
    }
    json_array_end(json);
}

static void sensors(struct json *json, const struct scenario *scenario, const struct result *result)
{
    json_array(json, "sensors");
    for (int i = 0; i < result->wfs_count; i++) {
        json_object(json, NULL);
        json_text(json, "name", scenario->wfs[i].head.name);
        numbers(json, result, RESULT_WFS, i);
        json_object_end(json);
    }
    json_array_end(json);
}

static void links_and_mirrors(struct json *json, const struct scenario *scenario,
                              const struct result *result)
{
    json_array(json, "links");
    for (int i = 0; i < result->link_count; i++) {
        json_object(json, NULL);
        json_text(json, "name", result->link[i].name);
        json_number(json, "busy_us", microseconds(result->link[i].busy));
        json_object_end(json);
    }
    json_array_end(json);
    json_array(json, "dms");
    for (int i = 0; i < result->dm_count; i++) {
        json_object(json, NULL);
        json_text(json, "name", scenario->component[result->dm[i].component].head.name);
        json_number(json, "latency_us", microseconds(result->dm[i].latency));
        json_number(json, "arrival_us", microseconds(result->dm[i].arrival));
        json_object_end(json);
    }
    json_array_end(json);
}

static void program(struct json *json, const struct scenario *scenario,
                    const struct node_result *node)
{
    const struct component *c = &scenario->component[node->component];
    const struct program *program = c->trace.program;
    struct program_machine machine = program_machine(scenario, node->component, node->workers);
    struct program_time total;

    program_machine_share(
        &machine, scenario->general.sharing == SHARING_PARTITION ? node->share : 1, c->workers > 0);
    total = program_total_time(program, &machine);
    json_object(json, NULL);
    json_text(json, "component", node->name);
    json_number(json, "threads", program->threads);
    json_number(json, "balance", total.balance);
    json_number(json, "stall_share", total.stall_share);
    json_array(json, "phases");
    for (int f = 0; f < program->phase_count; f++) {
        struct program_time phase = program_phase_time(program, f, &machine);

        json_object(json, NULL);
        json_text(json, "phase", program->phase[f].name);
        json_number(json, "time_us", microseconds(phase.time));
        json_number(json, "balance", phase.balance);
        json_number(json, "stall_share", phase.stall_share);
        json_text(json, "bound", program_limit_name(phase.limit));
        json_object_end(json);
    }
    json_array_end(json);
    json_array(json, "curve");
    for (int i = 0; i < PROGRAM_CURVE_POINTS; i++) {
        struct program_machine there = machine;

        there.latency = program_latency_at(&machine, i);
        json_object(json, NULL);
        json_number(json, "remote_latency_cycles", there.latency);
        json_number(json, "time_us", microseconds(program_total_time(program, &there).time));
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void programs(struct json *json, const struct scenario *scenario,
                     const struct result *result)
{
    json_array(json, "programs");
    for (int i = 0; i < result->node_count; i++)
        if (result->node[i].type == COMPONENT_PROGRAM)
            program(json, scenario, &result->node[i]);
    json_array_end(json);
}

/* What the last command waited for after the last pixel, in the order of time. */
static void critical_path(struct json *json, const struct result *result)
{
    json_array(json, "critical_path");
    for (int i = 0; i < result->path_count; i++) {
        json_object(json, NULL);
        json_text(json, "component", result->node[result->path[i].node].name);
        json_number(json, "wait_us", microseconds(result->path[i].wait));
        json_number(json, "busy_us", microseconds(result->path[i].busy));
        json_object_end(json);
    }
    json_array_end(json);
}

/* All that is too slow, the slowest first. */
static void all_overloads(struct json *json, const struct scenario *scenario,
                          const struct result *result)
{
    struct overload list[OVERLOAD_MAX];
    int count = load_list_overloads(scenario, result, list);

    json_array(json, "overloads");
    for (int i = 0; i < count && i < OVERLOAD_MAX; i++) {
        json_object(json, NULL);
        json_text(json, "resource", list[i].name);
        json_number(json, "busy_us", microseconds(list[i].busy));
        json_number(json, "ratio", list[i].busy / result->frame_period);
        json_object_end(json);
    }
    json_array_end(json);
}

/* What sets the highest frame rate; what is too slow for the one there is. */
static void limits(struct json *json, const struct scenario *scenario, const struct result *result)
{
    bool limited = result->limit[0] != '\0';

    if (limited) {
        json_object(json, "limit");
        json_text(json, "resource", result->limit);
        json_number(json, "busy_us", microseconds(result->limit_busy));
        json_object_end(json);
    } else {
        json_null(json, "limit");
    }
    json_bool(json, "overloaded", result->overloaded);
    if (result->overloaded) {
        json_object(json, "overload");
        json_text(json, "resource", result->limit);
        json_number(json, "busy_us", microseconds(result->limit_busy));
        json_number(json, "period_us", microseconds(result->frame_period));
        json_number(json, "ratio", result->limit_busy / result->frame_period);
        json_object_end(json);
    } else {
        json_null(json, "overload");
    }
    all_overloads(json, scenario, result);
}

void eval_json(FILE *out, const struct scenario *scenario, const struct result *result,
               const struct jitter *jitter)
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", EVAL_SCHEMA);
    json_text(&json, "title", scenario->general.title);
    json_text(&json, "sharing", knob_word(KNOB_SCENARIO_SHARING, scenario->general.sharing));
    numbers(&json, result, RESULT_DESIGN, 0);
    limits(&json, scenario, result);
    if (result->bound_node >= 0) {
        json_object(&json, "bound");
        json_text(&json, "component", result->node[result->bound_node].name);
        json_text(&json, "by", bound_name(result->bound));
        json_object_end(&json);
    } else {
        json_null(&json, "bound");
    }
    critical_path(&json, result);
    components(&json, scenario, result);
    devices(&json, scenario, result);
    json_object(&json, "loop");
    numbers(&json, result, RESULT_LOOP, 0);
    json_object_end(&json);
    sensors(&json, scenario, result);
    links_and_mirrors(&json, scenario, result);
    programs(&json, scenario, result);
    if (jitter != NULL)
        jitter_json(&json, jitter);
    json_object_end(&json);
}

/* The header for node -1. Every field but the first follows a comma. */
static void csv_row(FILE *out, const struct scenario *scenario, const struct result *result,
                    int node)
{
    for (int w = 0; w < WORD_COUNT; w++) {
        fputs(w > 0 ? "," : "", out);
        text_csv(out, node < 0 ? words[w] : word(scenario, &result->node[node], w));
    }
    fputs(node < 0                           ? ",inserted,part_of"
          : result->node[node].component < 0 ? ",true,"
                                             : ",false,",
          out);
    text_csv(out, node < 0 ? NULL : part_of(scenario, &result->node[node]));
    for (int i = 0; i < RESULT_ROW_COUNT; i++) {
        char digits[40] = "";

        if (result_rows[i].scope != RESULT_COMPONENT)
            continue;
        if (node >= 0 && result_in_unit(result, &result_rows[i], node) != RESULT_NONE)
            number_format(result_in_unit(result, &result_rows[i], node), digits, sizeof digits);
        fprintf(out, ",%s", node < 0 ? result_rows[i].json : digits);
    }
    fputc('\n', out);
}

void eval_csv(FILE *out, const struct scenario *scenario, const struct result *result)
{
    for (int node = -1; node < result->node_count; node++)
        csv_row(out, scenario, result, node);
}

/* Eval jitter ---------------------------------------------------------------------------------- */

#define DIGITS 5     /* that tell a p99 from a p50 */
#define TEXT_ROWS 10 /* of the histogram */
#define BAR_COLUMNS 40

/* JSON ----------------------------------------------------------------------------------------- */

void jitter_json(struct json *json, const struct jitter *jitter)
{
    json_object(json, "jitter");
    json_number(json, "frames", (double)jitter->frames);
    json_number(json, "seed", (double)jitter->seed);
    json_number(json, "latency_us", jitter->latency * US);
    json_number(json, "min_us", jitter->least * US);
    json_number(json, "p50_us", jitter->p50 * US);
    json_number(json, "p99_us", jitter->p99 * US);
    json_number(json, "p999_us", jitter->p999 * US);
    json_number(json, "max_us", jitter->most * US);
    json_number(json, "target_latency_us", jitter->target * US);
    json_number(json, "missed", (double)jitter->missed);
    json_number(json, "missed_probability", jitter->probability);
    json_number(json, "missed_standard_error", jitter->standard_error);
    json_number(json, "missed_probability_max", jitter->probability_max);
    json_array(json, "histogram");
    for (int b = 0; b < jitter->bins; b++) {
        json_object(json, NULL);
        json_number(json, "from_us", jitter->bin[b].from * US);
        json_number(json, "to_us", jitter->bin[b].to * US);
        json_number(json, "frames", (double)jitter->bin[b].frames);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

/* Text ----------------------------------------------------------------------------------------- */

/* "1223.4 us" */
static const char *jitter_microseconds(const struct report *report, double s, char text[40])
{
    char plain[40];
    double us = s * US;
    int behind = us > 0 ? DIGITS - 1 - (int)floor(log10(us)) : 0;

    behind = behind < 0 ? 0 : behind > DIGITS ? DIGITS : behind;
    snprintf(plain, sizeof plain, "%.*f \xC2\xB5s", behind, us);
    text_clean(plain, report->unicode, text, 40);
    return text;
}

static void print_missed(const struct report *report, const struct jitter *jitter)
{
    char target[40];
    char maximum[40];

    jitter_microseconds(report, jitter->target, target);
    if (jitter->missed > 0) {
        report_line(report, report->bad, "Missed",
                    "%ld of %ld frames are later than the target of %s, %.3g %% (standard error "
                    "%.2g %%)",
                    jitter->missed, jitter->frames, target, 100 * jitter->probability,
                    100 * jitter->standard_error);
    } else {
        snprintf(maximum, sizeof maximum, "%.2g %%", 100 * jitter->probability_max);
        report_line(report, report->good, "Missed",
                    "none of %ld frames is later than the target of %s; at 95 %% confidence, less "
                    "than %s are",
                    jitter->frames, target, maximum);
    }
}

static void print_row(const struct report *report, const struct jitter *jitter, int first, int last,
                      long most)
{
    char from[40];
    char to[40];
    char range[90];
    char bar[BAR_COLUMNS + 1];
    long frames = 0;
    long columns;

    for (int b = first; b <= last; b++)
        frames += jitter->bin[b].frames;
    /* none at all only where there is nothing */
    columns = (frames * BAR_COLUMNS + most - 1) / most;
    memset(bar, '#', (size_t)columns);
    bar[columns] = '\0';
    snprintf(range, sizeof range, "%s to %s",
             jitter_microseconds(report, jitter->bin[first].from, from),
             jitter_microseconds(report, jitter->bin[last].to, to));
    if (report->markdown)
        fprintf(report->out, "| %s | %ld |\n", range, frames);
    else
        fprintf(report->out, "%-26s %8ld%s%s\n", range, frames, columns > 0 ? "  " : "", bar);
}

static void print_histogram(const struct report *report, const struct jitter *jitter)
{
    int each = jitter->bins > TEXT_ROWS ? jitter->bins / TEXT_ROWS : 1;
    long most = 0;

    for (int b = 0; b < jitter->bins; b += each) {
        long frames = 0;

        for (int i = b; i < b + each; i++)
            frames += jitter->bin[i].frames;
        most = frames > most ? frames : most;
    }
    for (int b = 0; b < jitter->bins; b += each)
        print_row(report, jitter, b, b + each - 1, most);
}

void report_spread(const struct report *report, const struct jitter *jitter)
{
    char text[6][40];

    report_heading(report, "Jitter");
    fputs(report->markdown ? "\n| Result | Value |\n|---|---|\n" : "\n", report->out);
    report_line(report, "", "Jitter", "%ld frame%s whose times vary, seed %llu", jitter->frames,
                jitter->frames == 1 ? "" : "s", (unsigned long long)jitter->seed);
    report_line(report, "", "RTC latency", "p50 %s, p99 %s, p99.9 %s; %s to %s, %s without jitter",
                jitter_microseconds(report, jitter->p50, text[0]),
                jitter_microseconds(report, jitter->p99, text[1]),
                jitter_microseconds(report, jitter->p999, text[2]),
                jitter_microseconds(report, jitter->least, text[3]),
                jitter_microseconds(report, jitter->most, text[4]),
                jitter_microseconds(report, jitter->latency, text[5]));
    if (jitter->bins == 1 && jitter->least == jitter->latency)
        report_line(report, "", "Spread",
                    "none: the jitter of every device that runs a component is 1");
    print_missed(report, jitter);
    fputs(report->markdown ? "\n| Latency | Frames |\n|---|---:|\n" : "", report->out);
    print_histogram(report, jitter);
}
