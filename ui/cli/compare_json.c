#include <string.h>

#include "cli/compare_report.h"
#include "cli/json.h"
#include "memory.h"
#include "units.h"

static const char *const sides[SIDES] = {"a", "b"};

static double in_us(double seconds)
{
    return seconds == RESULT_NONE ? RESULT_NONE : seconds * 1e6;
}

static double less(double b, double a)
{
    return a == RESULT_NONE || b == RESULT_NONE ? RESULT_NONE : b - a;
}

static void design(struct json *json, const struct comparison *comparison, int s,
                   const char *operand)
{
    const struct compared_latency *of = &comparison->verdict.of[s];

    json_object(json, sides[s]);
    json_text(json, "scenario", operand);
    json_text(json, "title", comparison->title[s]);
    json_number(json, "latency_us", in_us(of->latency));
    json_number(json, "uncertainty_factor", of->uncertainty);
    json_number(json, "target_latency_us", in_us(of->target));
    json_text(json, "target", standing_name(of->standing));
    json_bool(json, "overloaded", of->overloaded);
    json_number(json, "servo_lag_nm", of->servo_lag * 1e9);
    json_object_end(json);
}

static void verdict(struct json *json, const struct compare_verdict *verdict)
{
    const struct compared_latency *of = verdict->of;

    json_object(json, "verdict");
    json_text(json, "faster", verdict->faster < 0 ? NULL : sides[verdict->faster]);
    json_bool(json, "decided", verdict->decided);
    json_number(json, "latency_ratio", verdict->ratio);
    json_number(json, "latency_ratio_least", verdict->least);
    json_number(json, "latency_ratio_most", verdict->most);
    json_number(json, "common_errors", verdict->common);
    json_number(json, "latency_delta_us", in_us(of[1].latency - of[0].latency));
    json_number(json, "servo_lag_delta_nm", (of[1].servo_lag - of[0].servo_lag) * 1e9);
    json_object_end(json);
}

static void side_text(struct json *json, const char *suffix, const struct difference *difference,
                      int s)
{
    char key[16];
    bool origin = suffix[0] != '\0';

    snprintf(key, sizeof key, "%s%s", sides[s], suffix);
    if (!difference->has[s] || (origin && difference->knob == NULL))
        json_null(json, key);
    else
        json_text(json, key, origin ? origin_name(difference->origin[s]) : difference->value[s]);
}

static void differences(struct json *json, const struct comparison *comparison)
{
    json_array(json, "knobs");
    for (int d = 0; d < comparison->difference_count; d++) {
        const struct difference *difference = &comparison->difference[d];

        json_object(json, NULL);
        json_text(json, "path", difference->path);
        json_text(json, "kind", difference_kind_name(difference->kind));
        for (int s = 0; s < SIDES; s++)
            side_text(json, "", difference, s);
        for (int s = 0; s < SIDES; s++)
            side_text(json, "_origin", difference, s);
        json_object_end(json);
    }
    json_array_end(json);
}

/* Members "a", "b" and "delta" under a key that has the unit in it. */
static void pair(struct json *json, const char *key, double a, double b)
{
    json_object(json, key);
    json_number(json, "a", a);
    json_number(json, "b", b);
    json_number(json, "delta", less(b, a));
    json_object_end(json);
}

static void results(struct json *json, const struct comparison *comparison)
{
    bool loop = false;

    json_object(json, "results");
    for (int r = 0; r < comparison->result_count; r++) {
        const struct compared_result *compared = &comparison->result[r];
        struct unit unit = {DIMENSION_NUMBER, 1, 1};
        double value[SIDES];

        if (!loop && compared->row->scope == RESULT_LOOP) {
            json_object(json, "loop");
            loop = true;
        }
        unit_find(compared->row->unit, &unit);
        for (int s = 0; s < SIDES; s++)
            value[s] = compared->value[s] == RESULT_NONE
                           ? RESULT_NONE
                           : compared->value[s] * unit.denominator / unit.numerator;
        pair(json, compared->row->json, value[0], value[1]);
    }
    if (loop)
        json_object_end(json);
    json_object_end(json);
}

static void times(struct json *json, const char *key, const struct compared_node *node,
                  const double value[SIDES])
{
    pair(json, key, node->has[0] ? in_us(value[0]) : RESULT_NONE,
         node->has[1] ? in_us(value[1]) : RESULT_NONE);
}

static void words(struct json *json, const char *key, const bool has[SIDES], const char *a,
                  const char *b)
{
    json_object(json, key);
    json_text(json, "a", has[0] && a[0] != '\0' ? a : NULL);
    json_text(json, "b", has[1] && b[0] != '\0' ? b : NULL);
    json_object_end(json);
}

static void in_which(struct json *json, const bool has[SIDES])
{
    json_text(json, "in", has[0] && has[1] ? "both" : has[0] ? "a" : "b");
}

static void nodes(struct json *json, const struct comparison *comparison)
{
    json_array(json, "components");
    for (int n = 0; n < comparison->node_count; n++) {
        const struct compared_node *node = &comparison->node[n];

        json_object(json, NULL);
        json_text(json, "name", node->name);
        in_which(json, node->has);
        json_bool(json, "inserted", node->transfer);
        words(json, "device", node->has, node->device[0], node->device[1]);
        times(json, "compute_us", node, node->compute);
        times(json, "memory_us", node, node->memory);
        times(json, "time_us", node, node->time);
        times(json, "path_us", node, node->path);
        words(json, "bound", node->has, bound_name(node->bound[0]), bound_name(node->bound[1]));
        words(json, "level", node->has, memory_level_name(node->level[0]),
              memory_level_name(node->level[1]));
        json_object_end(json);
    }
    json_array_end(json);
}

static void device_pair(struct json *json, const char *key, const struct compared_device *device,
                        const double value[SIDES], double unit)
{
    pair(json, key, device->has[0] ? value[0] * unit : RESULT_NONE,
         device->has[1] ? value[1] * unit : RESULT_NONE);
}

static void devices(struct json *json, const struct comparison *comparison)
{
    json_array(json, "devices");
    for (int d = 0; d < comparison->device_count; d++) {
        const struct compared_device *device = &comparison->device[d];

        json_object(json, NULL);
        json_text(json, "name", device->name);
        in_which(json, device->has);
        words(json, "model", device->has, device->model[0], device->model[1]);
        device_pair(json, "peak_flops", device, device->peak, 1);
        device_pair(json, "memory_bytes_per_s", device, device->bandwidth, 1);
        device_pair(json, "busy_us", device, device->busy, 1e6);
        device_pair(json, "utilisation", device, device->utilisation, 1);
        json_object_end(json);
    }
    json_array_end(json);
}

void compare_json(FILE *out, const struct comparison *comparison, const char *const operand[SIDES])
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", COMPARE_SCHEMA);
    for (int s = 0; s < SIDES; s++)
        design(&json, comparison, s, operand[s]);
    verdict(&json, &comparison->verdict);
    differences(&json, comparison);
    results(&json, comparison);
    nodes(&json, comparison);
    devices(&json, comparison);
    json_object_end(&json);
}
