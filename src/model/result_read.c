#include "model/result_read.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "model/flow.h"
#include "model/outcome.h"

static const struct result_row span_row = {.scope = RESULT_SPAN,
                                           .key = "latency",
                                           .json = "_us",
                                           .unit = "us",
                                           .sense = SENSE_LESS,
                                           .of_latency = true,
                                           .help = "latency between two points"};

#define SPAN_PREFIX "latency."

int result_count(const struct result *result, enum result_scope scope)
{
    switch (scope) {
    case RESULT_COMPONENT:
        return result->node_count;
    case RESULT_DEVICE:
        return result->device_count;
    case RESULT_WFS:
        return result->wfs_count;
    case RESULT_SPAN:
        return 0;
    case RESULT_DESIGN:
    case RESULT_LOOP:
    case RESULT_FLOW:
        break;
    }
    return 1;
}

double result_value(const struct result *result, const struct result_row *row, int index)
{
    const char *base = (const char *)result;

    switch (row->scope) {
    case RESULT_LOOP:
        base = (const char *)&result->loop;
        break;
    case RESULT_FLOW:
        base = (const char *)result_flow(NULL, result);
        break;
    case RESULT_COMPONENT:
        if (result_id(row) == RESULT_COMPONENT_SLACK)
            return result_slack(result, index);
        base = (const char *)&result->node[index];
        break;
    case RESULT_DEVICE:
        base = (const char *)&result->device[index];
        break;
    case RESULT_WFS:
        base = (const char *)&result->wfs[index];
        break;
    case RESULT_SPAN:
        return RESULT_NONE;
    case RESULT_DESIGN:
        break;
    }
    return *(const double *)(const void *)(base + row->offset);
}

/* Returns the name of an element of a scope; empty for the design and the loop. */
static const char *element_name(const struct scenario *scenario, const struct result *result,
                                enum result_scope scope, int index)
{
    switch (scope) {
    case RESULT_COMPONENT:
        return result->node[index].name;
    case RESULT_DEVICE:
        return scenario->device[index].head.name;
    case RESULT_WFS:
        return scenario->wfs[index].head.name;
    case RESULT_DESIGN:
    case RESULT_LOOP:
    case RESULT_FLOW:
    case RESULT_SPAN:
        break;
    }
    return "";
}

static void print_path(const struct result_ref *ref, const char *key, char *text, size_t size)
{
    static const char *const prefixes[] = {
        [RESULT_DESIGN] = "",        [RESULT_LOOP] = "loop.",
        [RESULT_FLOW] = "flow.",     [RESULT_COMPONENT] = "component.",
        [RESULT_DEVICE] = "device.", [RESULT_WFS] = "wfs."};

    snprintf(text, size, "%s%s%s%s", prefixes[ref->row->scope], ref->name,
             ref->name[0] == '\0' ? "" : ".", key);
}

void result_path(const struct result_ref *ref, char *text, size_t size)
{
    if (ref->row == &span_row)
        snprintf(text, size, SPAN_PREFIX "%s", ref->name);
    else
        print_path(ref, ref->row->key, text, size);
}

void result_json_path(const struct result_ref *ref, char *text, size_t size)
{
    if (ref->row == &span_row)
        snprintf(text, size, SPAN_PREFIX "%s%s", ref->name, ref->row->json);
    else
        print_path(ref, ref->row->json, text, size);
}

void result_words(const struct result_ref *ref, char *text, size_t size)
{
    if (ref->row == &span_row) {
        snprintf(text, size, "latency %s", ref->name);
        return;
    }
    if (ref->row->label != NULL) {
        snprintf(text, size, "%s", ref->row->label);
        return;
    }
    snprintf(text, size, "%s%s%s", ref->name, ref->name[0] == '\0' ? "" : " ", ref->row->key);
    for (char *at = text + strlen(ref->name); *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
}

bool result_at(const struct scenario *scenario, const struct result *result, int i,
               struct result_ref *ref)
{
    for (int r = 0; r < RESULT_ROW_COUNT; r++) {
        int count = result_count(result, result_rows[r].scope);

        if (i < count) {
            *ref = (struct result_ref){.row = &result_rows[r], .index = i};
            snprintf(ref->name, sizeof ref->name, "%s",
                     element_name(scenario, result, result_rows[r].scope, i));
            return true;
        }
        i -= count;
    }
    return false;
}

/* Returns true if a name is the alias of a result or its path with the key in JSON. */
static bool has_other_name(const struct result_ref *ref, const char *name)
{
    char text[RESULT_PATH_MAX];

    result_json_path(ref, text, sizeof text);
    return strcmp(text, name) == 0 ||
           (ref->row->alias != NULL && strcmp(ref->row->alias, name) == 0);
}

bool result_is_called(const struct result_row *row, const char *name)
{
    return strcmp(row->json, name) == 0 || strcmp(row->key, name) == 0 ||
           (row->label != NULL && strcmp(row->label, name) == 0) ||
           (row->alias != NULL && strcmp(row->alias, name) == 0);
}

enum status result_find(const struct scenario *scenario, const struct result *result,
                        const char *path, struct result_ref *ref, struct error *error)
{
    struct nearest nearest = nearest_to(path);
    char text[RESULT_PATH_MAX];
    struct result_span span;

    if (strncmp(path, SPAN_PREFIX, strlen(SPAN_PREFIX)) == 0) {
        *ref = (struct result_ref){.row = &span_row};
        snprintf(ref->name, sizeof ref->name, "%s", path + strlen(SPAN_PREFIX));
        return result_span_find(result, ref->name, &span, error);
    }
    for (int i = 0; result_at(scenario, result, i, ref); i++) {
        result_path(ref, text, sizeof text);
        if (strcmp(text, path) == 0)
            return STATUS_OK;
        if (error != NULL)
            nearest_offer(&nearest, text);
        if (error != NULL && ref->row == &result_rows[RESULT_DEVICE_WATTS]) {
            char knob[RESULT_PATH_MAX + 8];

            snprintf(knob, sizeof knob, "%.*stdp", (int)(strlen(text) - strlen("watts")), text);
            if (strcmp(path, knob) == 0)
                return error_set(error, STATUS_INVALID,
                                 "%s is a knob, of one part; its result is %s", path, text);
        }
    }
    for (int i = 0; result_at(scenario, result, i, ref); i++)
        if (has_other_name(ref, path))
            return STATUS_OK;
    for (int i = 0; error != NULL && result_at(scenario, result, i, ref); i++)
        if (result_is_called(ref->row, path)) {
            result_path(ref, text, sizeof text);
            return error_set(error, STATUS_INVALID, "unknown result \"%.100s\"; did you mean %s?",
                             path, text);
        }
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "unknown result \"%.100s\"; did you mean %s?", path,
                         nearest.best);
    return error_set(error, STATUS_INVALID,
                     "unknown result \"%.100s\"; results are latency, loop.lag, "
                     "component.NAME.time, device.NAME.utilisation and the like",
                     path);
}

bool result_busy(const struct result *result, const char *name, struct result_ref *ref)
{
    *ref = (struct result_ref){.row = &result_rows[RESULT_COMPONENT_BUSY],
                               .index = result_find_node(result, name)};
    snprintf(ref->name, sizeof ref->name, "%s", name);
    return ref->index >= 0;
}

bool result_same(const struct result_ref *a, const struct result_ref *b)
{
    return a->row == b->row && strcmp(a->name, b->name) == 0;
}

bool result_missing(const struct result *result, const struct result_ref *ref, char *text,
                    size_t size)
{
    struct result_span span;

    text[0] = '\0';
    return ref->row == &span_row && result_span_find(result, ref->name, &span, NULL) == STATUS_OK &&
           result_span_missing(result, &span, text, size);
}

double result_read(const struct scenario *scenario, const struct result *result,
                   const struct result_ref *ref)
{
    enum result_scope scope = ref->row->scope;
    int count = result_count(result, scope);
    int index = ref->index;
    struct result_span span;

    if (scope == RESULT_SPAN)
        return result_span_find(result, ref->name, &span, NULL) == STATUS_OK
                   ? result_span_read(result, &span)
                   : RESULT_NONE;
    if (scope == RESULT_FLOW)
        result_flow(scenario, result);
    if (index >= count || strcmp(element_name(scenario, result, scope, index), ref->name) != 0)
        for (index = 0; index < count; index++)
            if (strcmp(element_name(scenario, result, scope, index), ref->name) == 0)
                break;
    return index < count ? result_value(result, ref->row, index) : RESULT_NONE;
}
