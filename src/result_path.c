#include "result_path.h"

#include <stdio.h>
#include <string.h>

#include "nearest.h"

static const char *const scopes[] = {[RESULT_DESIGN] = "",
                                     [RESULT_LOOP] = "loop.",
                                     [RESULT_COMPONENT] = "component.",
                                     [RESULT_DEVICE] = "device.",
                                     [RESULT_WFS] = "wfs."};

static const char *instance_name(const struct scenario *scenario, const struct result *result,
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
        break;
    }
    return "";
}

static void print(const struct result_ref *ref, const char *key, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s%s", scopes[ref->row->scope], ref->name,
             ref->name[0] == '\0' ? "" : ".", key);
}

void result_path(const struct result_ref *ref, char *text, size_t size)
{
    print(ref, ref->row->key, text, size);
}

void result_json_path(const struct result_ref *ref, char *text, size_t size)
{
    print(ref, ref->row->json, text, size);
}

bool result_at(const struct scenario *scenario, const struct result *result, int i,
               struct result_ref *ref)
{
    for (int r = 0; r < result_row_count; r++) {
        int count = result_count(result, result_rows[r].scope);

        if (i < count) {
            *ref = (struct result_ref){.row = &result_rows[r], .index = i};
            snprintf(ref->name, sizeof ref->name, "%s",
                     instance_name(scenario, result, result_rows[r].scope, i));
            return true;
        }
        i -= count;
    }
    return false;
}

enum status result_find(const struct scenario *scenario, const struct result *result,
                        const char *path, struct result_ref *ref, struct error *error)
{
    struct nearest nearest = nearest_to(path);
    char text[RESULT_PATH_MAX];

    for (int i = 0; result_at(scenario, result, i, ref); i++) {
        result_path(ref, text, sizeof text);
        if (strcmp(text, path) == 0)
            return STATUS_OK;
        nearest_offer(&nearest, text);
    }
    if (nearest.best[0] != '\0')
        return error_set(error, STATUS_INVALID, "no result is called \"%.100s\"; did you mean %s?",
                         path, nearest.best);
    return error_set(error, STATUS_INVALID,
                     "no result is called \"%.100s\"; one is as latency, loop.servo_lag, "
                     "component.NAME.time or device.NAME.utilisation",
                     path);
}

double result_read(const struct scenario *scenario, const struct result *result,
                   const struct result_ref *ref)
{
    enum result_scope scope = ref->row->scope;
    int index = ref->index;
    int count;

    if (scope == RESULT_DESIGN || scope == RESULT_LOOP)
        return result_value(result, ref->row, 0);
    count = result_count(result, scope);
    if (index >= count || strcmp(instance_name(scenario, result, scope, index), ref->name) != 0)
        for (index = 0; index < count; index++)
            if (strcmp(instance_name(scenario, result, scope, index), ref->name) == 0)
                break;
    return index < count ? result_value(result, ref->row, index) : RESULT_NONE;
}
