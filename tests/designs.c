#include "designs.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "check.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "design/trace.h"
#include "explore/background.h"
#include "model/expression.h"
#include "model/device.h"
#include "model/evaluate.h"
#include "model/flow.h"
#include "model/result_read.h"
#include "model/roofline.h"
#include "model/stage.h"
#include "model/verdict.h"
#include "sample.h"
#include "systems.h"

#define LINES_MAX 2000
#define PROGRAMS_MAX 8
#define NUMBERS_MAX 100
#define COLUMNS_MAX 12
#define LINE_MAX_LENGTH 2048
#define WORD_MAX 160

/* What the names after a $ stand for. */
struct frame {
    const struct frame *outer;
    int count;
    char name[COLUMNS_MAX][WORD_MAX];
    char value[COLUMNS_MAX][WORD_MAX];
};

struct number {
    char name[WORD_MAX];
    double value;
};

static struct scenario scenario;

static struct {
    char path[512];
    char *text;
    char *line[LINES_MAX];
    int count;
    int at; /* the line at hand */
    struct number number[NUMBERS_MAX];
    int number_count, common_count; /* those of the file first */
    int cases, expectations;
    int case_line;          /* -1: before the first */
    bool broken;            /* every case has to fail */
    int failures;           /* of the case, then */
    char unknown[WORD_MAX]; /* a name in an expression */
    bool evaluated, refused;
} file;

static bool holds(bool condition, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void play(int from, int to, const struct frame *frame);

static bool holds(bool condition, const char *format, ...)
{
    char message[LINE_MAX_LENGTH];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!file.broken || condition)
        return check_true(condition, file.path, file.at + 1, "%s\n%s", message, file.line[file.at]);
    file.failures++;
    return false;
}

/* Text ----------------------------------------------------------------------------------------- */

/* What follows `word` and blanks; NULL where the text begins with another word. */
static const char *after_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(text, word, length) != 0 || (text[length] != ' ' && text[length] != '\0'))
        return NULL;
    text += length;
    return text + strspn(text, " ");
}

/* Copies without blanks around it. */
static void copy_trimmed(char *to, size_t size, const char *from, size_t length)
{
    while (length > 0 && isspace((unsigned char)*from))
        from++, length--;
    while (length > 0 && isspace((unsigned char)from[length - 1]))
        length--;
    holds(length < size, "too long");
    snprintf(to, size, "%.*s", (int)length, from);
}

/* Cuts "a | b | c", or "a b c" where there is no bar. */
static int cut_fields(const char *text, char field[][WORD_MAX])
{
    const char *delimiter = strstr(text, " | ") != NULL || *text == '|' ? "|" : " ";
    int count = 0;

    text += *text == '|';
    while (*text != '\0' && count < COLUMNS_MAX) {
        const char *end = strstr(text, delimiter);
        size_t length = end == NULL ? strlen(text) : (size_t)(end - text);

        copy_trimmed(field[count++], WORD_MAX, text, length);
        text += length + (end != NULL);
        text += strspn(text, " ");
    }
    return count;
}

static void substitute(const char *text, const struct frame *frame, char *to, size_t size)
{
    size_t used = 0;

    while (*text != '\0' && used + 1 < size) {
        const char *value = NULL;
        const char *name = text + 1 + (text[1] == '{');
        size_t length = 0;

        if (*text != '$') {
            to[used++] = *text++;
            continue;
        }
        while (isalnum((unsigned char)name[length]) || name[length] == '_')
            length++;
        for (const struct frame *f = frame; f != NULL && value == NULL; f = f->outer)
            for (int i = 0; i < f->count && value == NULL; i++)
                if (strlen(f->name[i]) == length && strncmp(f->name[i], name, length) == 0)
                    value = f->value[i];
        if (!holds(value != NULL, "$%.*s stands for nothing", (int)length, name))
            value = "";
        used += (size_t)snprintf(to + used, size - used, "%s", value);
        text = name + length + (name[length] == '}');
    }
    to[used < size ? used : size - 1] = '\0';
}

/* Names of results ----------------------------------------------------------------------------- */

static int find_node(const char *name, size_t length)
{
    char text[WORD_MAX];

    snprintf(text, sizeof text, "%.*s", (int)length, name);
    return result_find_node(sample_result(), text);
}

/* By its path, or by that without its scope. */
static bool read_result(const char *name, double *value)
{
    const struct result *result = sample_result();
    struct result_ref ref;
    char path[RESULT_PATH_MAX];

    for (int i = 0; result_at(&scenario, result, i, &ref); i++) {
        const char *point;

        result_path(&ref, path, sizeof path);
        point = strchr(path, '.');
        if (strcmp(path, name) != 0 && (point == NULL || strcmp(point + 1, name) != 0))
            continue;
        *value = result_read(&scenario, result, &ref);
        return true;
    }
    return false;
}

/* The name that is looked for, and its value. */
static struct {
    const char *name;
    double value;
    bool found;
} wanted;

static void offer(double value, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void offer(double value, const char *format, ...)
{
    char name[RESULT_PATH_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    if (wanted.found || strcmp(name, wanted.name) != 0)
        return;
    wanted.value = value;
    wanted.found = true;
}

static void offer_node(const struct result *result, int n)
{
    const struct node_result *node = &result->node[n];
    const struct weights *weights = &result->work->stage[n].weights;
    int packets = result->work->timeline.packets;

    offer(node->part, "%s.part", node->name);
    offer(node->parts, "%s.parts", node->name);
    offer(node->component, "%s.component", node->name);
    offer(node->device, "%s.device", node->name);
    offer(node->path_wait + node->path_busy, "%s.path", node->name);
    offer(node->last_end - node->first_start - node->time, "%s.latency", node->name);
    offer(result->work->track[n].held, "%s.held", node->name);
    for (int i = 0; i < packets; i++)
        offer(weights->slot == NULL ? i == packets - 1 : weights->slot[i], "%s.weight.%d",
              node->name, i);
}

/* Of all cores, or of those named: "memory.rtc.L1.capacity", "memory.rtc.9.L3.bandwidth". */
static void offer_memory(const struct device *device)
{
    const char *name = device->head.name;
    struct memory memory;
    double workers = 0;
    char middle[16] = "";

    if (sscanf(wanted.name, "memory.%*[^.].%lf.", &workers) == 1)
        snprintf(middle, sizeof middle, ".%g", workers);
    device_memory(device, workers, &memory);
    offer(memory.count, "memory.%s%s.count", name, middle);
    for (int k = 0; k < memory.count; k++) {
        const struct memory_level *level = &memory.level[k];
        const char *id = memory_level_name(level->id);

        offer(level->capacity, "memory.%s%s.%s.capacity", name, middle, id);
        offer(level->bandwidth, "memory.%s%s.%s.bandwidth", name, middle, id);
        offer(level->latency, "memory.%s%s.%s.latency", name, middle, id);
    }
}

/* "ceiling.rtc.fp32-no-FMA.peak", "roof.rtc.work.intensity", "roof.rtc.control.deferred.flop". */
static void offer_roofs(int number)
{
    static const char *const losses[LOSS_COUNT] = {
        [LOSS_CORES] = "cores", [LOSS_EFFICIENCY] = "efficiency", [LOSS_LATENCY] = "latency",
        [LOSS_SHARE] = "share", [LOSS_PACKETS] = "packets",       [LOSS_LAUNCH] = "launch"};
    static struct roofs roofs;
    const char *device = scenario.device[number].head.name;
    char name[2 * WORD_MAX];

    roofs_find(&scenario, sample_result(), number, &roofs);
    offer(roofs.points, "roof.%s.count", device);
    for (int i = 0; i < roofs.ceilings; i++) {
        const struct roof_ceiling *ceiling = &roofs.ceiling[i];

        snprintf(name, sizeof name, "ceiling.%s.%s", device, ceiling->what);
        for (char *blank = name; (blank = strchr(blank, ' ')) != NULL;)
            *blank = '-';
        offer(ceiling->peak, "%s.peak", name);
        offer(ceiling->sustained, "%s.sustained", name);
        offer(ceiling->used, "%s.used", name);
    }
    for (int i = 0; i < roofs.points; i++) {
        const struct roof_point *point = &roofs.point[i];
        const struct number keys[] = {
            {"flop", point->flop},
            {"bytes", point->bytes},
            {"time", point->time},
            {"intensity", point->intensity},
            {"flops", point->flops},
            {"rate", point->rate},
            {"bandwidth", point->bandwidth},
            {"roof", point->roof},
            {"fraction", point->fraction},
            {"under_memory", point->under_memory},
            {"served", point->served[LEVEL_MEMORY]},
            {"worst", point->loss[point->worst]},
        };

        snprintf(name, sizeof name, "roof.%s.%s%s", device, point->name,
                 point->deferred ? ".deferred" : "");
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            offer(keys[k].value, "%s.%s", name, keys[k].name);
        for (int l = 0; l < LOSS_COUNT; l++)
            offer(point->loss[l], "%s.%s", name, losses[l]);
    }
}

/* "carried.rtc.nic.in", "carried.rtc.nic.in.load". */
static void offer_flow(void)
{
    static struct flow flow;

    flow_fill(&flow, &scenario, sample_result());
    offer(flow.stream_count, "carried.streams");
    for (int i = 0; i < flow.resource_count; i++) {
        const struct flow_resource *resource = &flow.resource[i];

        offer(resource->demand, "carried.%s", resource->name);
        offer(resource->background, "carried.%s.background", resource->name);
        offer(resource->capacity, "carried.%s.capacity", resource->name);
        offer(resource->load, "carried.%s.load", resource->name);
    }
    flow_free(&flow);
}

/* The latency beside telemetry and updates. */
static double latency_beside(void)
{
    struct flow flow = {0};
    struct error error = {STATUS_OK, ""};
    double latency = RESULT_NONE;

    flow_fill(&flow, &scenario, sample_result());
    holds(background_latency(&flow, &scenario, NULL, &latency, &error) == STATUS_OK, "%s",
          error.message);
    flow_free(&flow);
    return latency;
}

static void read_overloads(char *text, size_t size)
{
    struct flow flow = {0};
    struct buffer list = buffer_over(text, size);

    snprintf(text, size, "none");
    flow_fill(&flow, &scenario, sample_result());
    for (int i = 0; i < flow.resource_count; i++) {
        char sentence[ERROR_MESSAGE_MAX];

        if (!flow_overloaded(&flow.resource[i]))
            continue;
        flow_sentence(&scenario, &flow.resource[i], sentence, sizeof sentence);
        buffer_print(&list, "%s%s", list.length > 0 ? "; " : "", sentence);
    }
    flow_free(&flow);
}

/* What is no result: see designs.h. */
static bool read_other(const char *name, double *value)
{
    static const char *const precisions[] = {"fp64", "fp32", "fp16", "bf16", "int8"};
    const struct result *result = sample_result();
    double path = 0;

    wanted.name = name;
    wanted.found = false;
    for (int n = 0; n < result->node_count; n++)
        path += result->node[n].path_wait + result->node[n].path_busy;
    offer(RESULT_NONE, "none");
    offer(path, "path_length");
    offer(result->last_pixel, "last_pixel");
    offer(result->limit_busy, "limit_busy");
    offer(result->overloaded, "overloaded");
    offer(result->work->plan.queued, "queued");
    offer(result->node_count, "node_count");
    offer(result->link_count, "link_count");
    offer(result->wfs_count, "wfs_count");
    offer(result->path_count, "path_count");
    offer(result->dm_count, "dm_count");
    offer(result->bound_node, "bound_node");
    for (int i = 0; i < result->link_count; i++)
        offer(result->link[i].busy, "link.%s.busy", result->link[i].name);
    for (int i = 0; i < result->dm_count; i++) {
        const char *dm = scenario.component[result->dm[i].component].head.name;

        offer(result->dm[i].latency, "dm.%s.latency", dm);
        offer(result->dm[i].arrival, "dm.%s.arrival", dm);
    }
    for (int d = 0; d < scenario.device_count; d++) {
        for (int p = 0; p < 5; p++)
            offer(device_peak(&scenario.device[d], (enum precision)p), "%s.peak.%s",
                  scenario.device[d].head.name, precisions[p]);
        if (strncmp(name, "memory.", 7) == 0)
            offer_memory(&scenario.device[d]);
        if (strncmp(name, "roof.", 5) == 0 || strncmp(name, "ceiling.", 8) == 0)
            offer_roofs(d);
    }
    if (strncmp(name, "carried.", 8) == 0)
        offer_flow();
    if (strcmp(name, "latency_beside") == 0)
        offer(latency_beside(), "latency_beside");
    for (int n = 0; n < result->node_count && !wanted.found; n++)
        offer_node(result, n);
    *value = wanted.value;
    return wanted.found;
}

/* False: the design is refused, which fails once. */
static bool evaluate_now(void)
{
    struct error error = {STATUS_OK, ""};

    if (!file.evaluated && !file.refused) {
        file.evaluated = evaluate(&scenario, sample_result(), &error) == STATUS_OK;
        file.refused = !holds(file.evaluated, "refused: %s", error.message);
    }
    return file.evaluated;
}

static bool look_up(void *context, const char *name, size_t length, int number, double *value)
{
    char text[WORD_MAX];
    struct knob_ref ref;

    (void)context;
    if (number > 0 || length >= sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    for (int i = file.number_count - 1; i >= 0; i--)
        if (strcmp(file.number[i].name, text) == 0) {
            *value = file.number[i].value;
            return true;
        }
    if (file.case_line >= 0 && evaluate_now() &&
        (read_result(text, value) || read_other(text, value)))
        return true;
    if (file.evaluated && knob_find(&scenario, text, &ref, NULL) == STATUS_OK) {
        *value = knob_number(&scenario, ref);
        return true;
    }
    snprintf(file.unknown, sizeof file.unknown, "%s", text);
    return false;
}

/* False after a failure. */
static bool compute(const char *text, double *value)
{
    enum expression_outcome outcome;

    file.unknown[0] = '\0';
    outcome = expression_value(text, look_up, NULL, value);
    return !file.refused && holds(file.unknown[0] == '\0', "there is no %s", file.unknown) &&
           holds(outcome == EXPRESSION_OK, "\"%s\" is no expression", text);
}

/* Text of the design and its nodes; "" where there is no such. */
static void read_words(const char *name, char *text, size_t size)
{
    const struct result *result = sample_result();
    const char *point = strrchr(name, '.');
    int n = point == NULL ? -1 : find_node(name, (size_t)(point - name));
    size_t used = 0;

    text[0] = '\0';
    if (strcmp(name, "limit") == 0)
        snprintf(text, size, "%s", result->limit);
    else if (strcmp(name, "bound") == 0)
        snprintf(text, size, "%s", bound_name(result->bound));
    else if (strcmp(name, "verdict") == 0)
        verdict_limit(&scenario, result, true, text);
    else if (strcmp(name, "overloads") == 0)
        read_overloads(text, size);
    else if (strcmp(name, "bound_for") == 0)
        snprintf(text, size, "%s",
                 result->bound_for < 0 ? "nothing" : result->node[result->bound_for].name);
    else if (strcmp(name, "bound_node") == 0 && result->bound_node >= 0)
        snprintf(text, size, "%s", result->node[result->bound_node].name);
    else if (strcmp(name, "nodes") == 0)
        for (int i = 0; i < result->node_count && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, i == 0 ? "%s" : " %s",
                                     result->node[i].name);
    else if (strcmp(name, "links") == 0)
        for (int i = 0; i < result->link_count && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, i == 0 ? "%s" : " %s",
                                     result->link[i].name);
    else if (n >= 0 && strcmp(point, ".bound") == 0)
        snprintf(text, size, "%s", bound_name(result->node[n].bound));
    else if (n >= 0 && strcmp(point, ".path_bound") == 0) {
        for (int i = 0; i < result->path_count; i++)
            if (result->path[i].node == n)
                snprintf(text, size, "%s", bound_name(result->path[i].bound));
    } else if (n >= 0 && strcmp(point, ".level") == 0)
        snprintf(text, size, "%s", memory_level_name(result->node[n].level));
}

/* Lines of a case ------------------------------------------------------------------------------ */

static void design_changed(void)
{
    file.evaluated = file.refused = false;
}

static void start_design(const char *what)
{
    const char *name;

    design_changed();
    if (after_word(what, "chain") != NULL)
        sample_chain(&scenario);
    else if (after_word(what, "empty") != NULL)
        scenario_init(&scenario);
    else if ((name = after_word(what, "system")) != NULL)
        holds(systems_load(&scenario, name), "no system %s", name);
    else
        holds(false, "an unknown start");
}

/* "component NAME TYPE [at N]", "device NAME", "wfs NAME", "round NAME". */
static void add_instance(const char *what)
{
    struct error error = {STATUS_OK, ""};
    char word[COLUMNS_MAX][WORD_MAX];
    int count = cut_fields(what, word);
    char path[2 * WORD_MAX];
    enum section section = strcmp(word[0], "wfs") == 0      ? SECTION_WFS
                           : strcmp(word[0], "device") == 0 ? SECTION_DEVICE
                                                            : SECTION_COMPONENT;
    int at = count == 5 ? atoi(word[4]) : section_count(&scenario, section);

    design_changed();
    if (count == 2 && strcmp(word[0], "round") == 0) {
        sample_round_device(&scenario, word[1]);
        return;
    }
    if (!holds(count == (section != SECTION_COMPONENT ? 2
                         : count == 5                 ? 5
                                                      : 3),
               "add what under which name?") ||
        !holds(scenario_insert(&scenario, section, at, word[1], &error) == STATUS_OK, "%s",
               error.message) ||
        section != SECTION_COMPONENT)
        return;
    snprintf(path, sizeof path, "component.%s.type", word[1]);
    sample_set(&scenario, path, word[2]);
}

static void remove_component(const char *name)
{
    struct error error = {STATUS_OK, ""};
    int at = section_find(&scenario, SECTION_COMPONENT, name);

    design_changed();
    holds(at >= 0 && scenario_remove(&scenario, SECTION_COMPONENT, at, &error) == STATUS_OK,
          "cannot remove %s: %s", name, error.message);
}

/* "COMPONENT | ROW ROW...": a program of its own. */
static void set_trace(const char *what)
{
    static struct program *programs[PROGRAMS_MAX];
    static int count;
    struct problems problems = {NULL, 0, 0};
    char name[WORD_MAX];
    char text[LINE_MAX_LENGTH];
    const char *bar = strstr(what, " | ");
    int at;

    design_changed();
    copy_trimmed(name, sizeof name, what, strcspn(what, " "));
    at = section_find(&scenario, SECTION_COMPONENT, name);
    if (!holds(bar != NULL && at >= 0, "the trace of which component?"))
        return;
    snprintf(text, sizeof text, "phase,thread,kind,key,count\n%s\n", bar + 3);
    for (char *blank = text; (blank = strchr(blank, ' ')) != NULL;)
        *blank = '\n';
    count = (count + 1) % PROGRAMS_MAX;
    program_free(programs[count]); /* that no case holds any more */
    programs[count] = NULL;
    holds(program_parse(text, strlen(text), &programs[count], &problems) == STATUS_OK, "no trace");
    problems_free(&problems);
    scenario.component[at].trace.program = programs[count];
}

static void set_device_preset(const char *what)
{
    struct error error = {STATUS_OK, ""};
    char word[COLUMNS_MAX][WORD_MAX];

    design_changed();
    if (holds(cut_fields(what, word) == 2, "which preset of which device?"))
        holds(scenario_set_preset(&scenario, section_find(&scenario, SECTION_DEVICE, word[0]),
                                  systems_catalogue(), word[1], &error) == STATUS_OK,
              "%s", error.message);
}

/* "PATH = VALUE" or "PATH := EXPRESSION"; false where the line is neither. */
static bool set_knob(const char *text, struct error *error, enum status *status)
{
    const char *assign = strstr(text, " = ");
    const char *number = strstr(text, " := ");
    char path[WORD_MAX];
    struct knob_ref ref;

    if ((assign == NULL && number == NULL) || !islower((unsigned char)*text))
        return false;
    copy_trimmed(path, sizeof path, text, (size_t)((number != NULL ? number : assign) - text));
    if (strchr(path, ' ') != NULL || strchr(path, '.') == NULL)
        return false;
    *status = knob_find(&scenario, path, &ref, error);
    if (*status == STATUS_OK && number != NULL) {
        double value;

        if (compute(number + 4, &value))
            *status = knob_set_number(&scenario, ref, value, error);
    } else if (*status == STATUS_OK) {
        struct knob_ref named = {.knob = NULL};

        while (*status == STATUS_OK &&
               knob_next_named(&scenario, ref.section, ref.index, strrchr(path, '.') + 1, &named))
            *status = knob_set_text(&scenario, named, assign + 3, error);
    }
    design_changed();
    return true;
}

static void let_number(const char *text)
{
    const char *assign = strstr(text, " = ");
    struct number *number = &file.number[file.number_count];

    if (!holds(assign != NULL && file.number_count < NUMBERS_MAX, "let NAME = EXPRESSION") ||
        !compute(assign + 3, &number->value))
        return;
    copy_trimmed(number->name, sizeof number->name, text, (size_t)(assign - text));
    file.number_count++;
    if (file.case_line < 0)
        file.common_count = file.number_count;
}

/* "A = B within R" and its like. */
static void expect_relation(const char *text)
{
    static const char *const relations[] = {" = ", " <= ", " >= ", " < ", " > "};
    char left[LINE_MAX_LENGTH];
    char right[LINE_MAX_LENGTH];
    double relative = 1e-12;
    double a, b;

    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++) {
        const char *at = strstr(text, relations[i]);
        char *end;

        if (at == NULL)
            continue;
        copy_trimmed(left, sizeof left, text, (size_t)(at - text));
        at += strlen(relations[i]);
        copy_trimmed(right, sizeof right, at, strlen(at));
        if ((end = strstr(right, " within ")) != NULL) {
            *end = '\0';
            if (!compute(end + strlen(" within "), &relative))
                return;
        } else if ((end = strstr(right, " exactly")) != NULL) {
            relative = 0;
            *end = '\0';
        }
        if (!compute(left, &a) || !compute(right, &b))
            return;
        if (i == 0)
            holds(a == b || fabs(a - b) <= relative * (b == 0 ? 1 : fabs(b)),
                  "%s: %.17g, expected %.17g, off by %.3g", left, a, b, fabs(a - b));
        else
            holds(i == 1   ? a <= b
                  : i == 2 ? a >= b
                  : i == 3 ? a < b
                           : a > b,
                  "%s: %.17g and %.17g", text, a, b);
        return;
    }
    holds(false, "expect A = B, A < B, A is WORDS");
}

static void expect_result(const char *text)
{
    const char *is = strstr(text, " is ");
    char name[WORD_MAX];
    char actual[LINE_MAX_LENGTH];
    struct result fresh;

    file.expectations++;
    if (!evaluate_now())
        return;
    if (strcmp(text, "fresh") == 0) {
        if (sample_evaluate_fresh(&scenario, &fresh))
            sample_same(sample_result(), &fresh, file.line[file.at]);
        result_free(&fresh);
    } else if (is != NULL) {
        copy_trimmed(name, sizeof name, text, (size_t)(is - text));
        read_words(name, actual, sizeof actual);
        holds(strcmp(actual, is + 4) == 0, "%s is \"%s\", expected \"%s\"", name, actual, is + 4);
    } else {
        expect_relation(text);
    }
}

static void expect_absent(const char *name)
{
    file.expectations++;
    if (evaluate_now())
        holds(find_node(name, strlen(name)) < 0, "there is a %s", name);
}

static void expect_accepted(const char *nothing)
{
    file.expectations++;
    holds(nothing[0] == '\0' && evaluate_now(), "not accepted");
}

static void expect_refused(const char *sentence)
{
    struct error error = {STATUS_OK, ""};

    file.expectations++;
    if (holds(evaluate(&scenario, sample_result(), &error) == STATUS_INVALID, "not refused"))
        holds(strcmp(error.message, sentence) == 0, "refused: %s\nexpected: %s", error.message,
              sentence);
    design_changed();
}

/* "PATH = VALUE: SENTENCE" */
static void expect_rejected(const char *text)
{
    struct error error = {STATUS_OK, ""};
    enum status status = STATUS_OK;
    const char *colon = strstr(text, ": ");
    char assignment[LINE_MAX_LENGTH];

    file.expectations++;
    if (!holds(colon != NULL, "PATH = VALUE: SENTENCE"))
        return;
    copy_trimmed(assignment, sizeof assignment, text, (size_t)(colon - text));
    if (holds(set_knob(assignment, &error, &status) && status != STATUS_OK, "not rejected"))
        holds(strcmp(error.message, colon + 2) == 0, "rejected: %s\nexpected: %s", error.message,
              colon + 2);
}

static void make_ideal(const char *nothing)
{
    holds(nothing[0] == '\0', "ideal");
    sample_ideal(&scenario);
    design_changed();
}

/* Blocks --------------------------------------------------------------------------------------- */

/* The line of the "end" of the block that begins at `from`. */
static int find_end(int from, int to)
{
    int depth = 0;

    for (int i = from; i < to; i++) {
        const char *line = file.line[i];

        depth += after_word(line, "define") != NULL || after_word(line, "each") != NULL;
        depth -= strcmp(line, "end") == 0;
        if (depth == 0)
            return i;
    }
    holds(false, "no end");
    return to - 1;
}

static void play_each(int from, int end, const char *names, const struct frame *outer)
{
    struct frame frame = {.outer = outer};
    int first = from + 1;
    int rows = 0;

    frame.count = cut_fields(names, frame.name);
    while (first + rows < end && file.line[first + rows][0] == '|')
        rows++;
    holds(rows > 0, "a table without rows");
    for (int r = 0; r < rows; r++) {
        file.at = first + r;
        if (holds(cut_fields(file.line[file.at], frame.value) == frame.count, "%d columns",
                  frame.count))
            play(first + rows, end, &frame);
    }
}

/* A definition of the name the line begins with; false where there is none. */
static bool play_definition(const char *line, const struct frame *outer)
{
    size_t length = strcspn(line, " ");
    int at = file.at;

    for (int i = 0; i < file.count; i++) {
        const char *definition = after_word(file.line[i], "define");
        struct frame frame = {.outer = outer};
        char words[COLUMNS_MAX][WORD_MAX];

        if (definition == NULL || strncmp(definition, line, length) != 0 ||
            (definition[length] != ' ' && definition[length] != '\0'))
            continue;
        frame.count = cut_fields(definition + length + strspn(definition + length, " "), words);
        memcpy(frame.name, words, sizeof words);
        if (holds(cut_fields(line + length + strspn(line + length, " "), frame.value) ==
                      frame.count,
                  "%d arguments", frame.count)) {
            play(i + 1, find_end(i, file.count), &frame);
            file.at = at;
        }
        return true;
    }
    return false;
}

static void end_case(void)
{
    if (file.case_line >= 0) {
        file.at = file.case_line;
        holds(file.expectations > 0, "a case that expects nothing");
        CHECK_TRUE(!file.broken || file.failures == 1, "%s:%d: %d failures, expected one",
                   file.path, file.case_line + 1, file.failures);
    }
    file.number_count = file.common_count;
    file.expectations = file.failures = 0;
    design_changed();
    scenario_init(&scenario);
}

static void play_line(const char *line, const struct frame *frame)
{
    static const struct {
        const char *word;
        void (*act)(const char *);
    } words[] = {
        {"start", start_design},
        {"add", add_instance},
        {"remove component", remove_component},
        {"device", set_device_preset},
        {"let", let_number},
        {"trace", set_trace},
        {"ideal", make_ideal},
        {"expect", expect_result},
        {"absent", expect_absent},
        {"refused", expect_refused},
        {"accepted", expect_accepted},
        {"rejected", expect_rejected},
    };
    struct error error = {STATUS_OK, ""};
    enum status status;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *rest = after_word(line, words[i].word);

        if (rest == NULL)
            continue;
        words[i].act(rest);
        return;
    }
    if (set_knob(line, &error, &status))
        holds(status == STATUS_OK, "%s", error.message);
    else
        holds(play_definition(line, frame), "an unknown line");
}

static void play(int from, int to, const struct frame *frame)
{
    char line[LINE_MAX_LENGTH];

    for (int i = from; i < to; i++) {
        const char *rest;

        file.at = i;
        if (file.line[i][0] == '\0' || file.line[i][0] == '#')
            continue;
        substitute(file.line[i], frame, line, sizeof line);
        if (after_word(line, "case") != NULL) {
            end_case();
            file.case_line = i;
            file.cases++;
        } else if (after_word(line, "define") != NULL) {
            i = find_end(i, to);
        } else if ((rest = after_word(line, "each")) != NULL) {
            int end = find_end(i, to);

            play_each(i, end, rest, frame);
            i = end;
        } else {
            play_line(line, frame);
        }
    }
}

/* Cuts the text into lines without blanks around them and without what follows " # ". */
static void cut_lines(void)
{
    char *next;

    for (char *at = file.text; at != NULL && file.count < LINES_MAX; at = next) {
        char *end = at + strcspn(at, "\n");

        next = *end == '\0' ? NULL : end + 1;
        at += strspn(at, " ");
        *end = '\0';
        end = strstr(at, " # ") == NULL ? end : strstr(at, " # ");
        while (end > at && end[-1] == ' ')
            end--;
        *end = '\0';
        file.line[file.count++] = at;
    }
}

static void run_file(const char *name, bool broken)
{
    struct error error = {STATUS_OK, ""};
    size_t length;
    char below[256];

    memset(&file, 0, sizeof file);
    file.case_line = -1;
    file.broken = broken;
    snprintf(below, sizeof below, "designs/%s", name);
    snprintf(file.path, sizeof file.path, "%s", check_data_path(below));
    if (!CHECK_TRUE(file_read(file.path, 1 << 20, &file.text, &length, NULL, &error) == STATUS_OK,
                    "%s: %s", file.path, error.message))
        return;
    cut_lines();
    CHECK_TRUE(file.count < LINES_MAX, "%s: too many lines", file.path);
    play(0, file.count, NULL);
    end_case();
    CHECK_TRUE(file.cases > 0, "%s: no cases", file.path);
    free(file.text);
}

void designs_run(const char *name)
{
    run_file(name, false);
}

void designs_run_broken(const char *name)
{
    run_file(name, true);
}
