#include <math.h>

#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/probe_derived.h"
#include "cli/probe_report.h"
#include "result.h"

#define NS 1e9

static void put_ns(struct json *json, const char *key, double seconds)
{
    json_number(json, key, seconds == RESULT_NONE ? RESULT_NONE : seconds * NS);
}

static void put_conditions(struct json *json, const struct measurement *measurement)
{
    json_object(json, "conditions");
    for (int i = 0; i < CONDITIONS; i++) {
        const char *value = measurement->condition[i];

        json_text(json, condition_name((enum condition)i), value[0] == '\0' ? NULL : value);
    }
    json_object_end(json);
}

/* Those of a measurement read from a file are not known. */
static void put_settings(struct json *json, const struct probe *probe)
{
    if (probe->samples == 0) {
        json_null(json, "settings");
        return;
    }
    json_object(json, "settings");
    json_bool(json, "quick", probe->quick);
    json_number(json, "seed", (double)probe->seed);
    json_number(json, "largest_bytes", (double)probe->largest);
    put_ns(json, "shortest_run_ns", probe->shortest);
    json_number(json, "samples", probe->samples);
    json_object_end(json);
}

static void put_parts(struct json *json, const struct measure *measure)
{
    json_array(json, "parts");
    for (int i = 0; i < measure->count; i++) {
        const struct measure_part *part = &measure->part[i];

        json_object(json, NULL);
        json_text(json, "part", measurement_part_name(part->part));
        json_text(json, "unit", measurement_part_unit(part->part));
        json_bool(json, "complete", part->whole);
        json_text(json, "error", part->error.status == STATUS_OK ? NULL : part->error.message);
        json_number(json, "took_s", part->seconds);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_given(struct json *json, const char *key, const char *text)
{
    if (text[0] != '\0')
        json_text(json, key, text);
}

static void put_point(struct json *json, const struct measurement_point *point)
{
    json_object(json, NULL);
    json_text(json, "part", measurement_part_name(point->part));
    json_text(json, "name", point->name);
    put_given(json, "type", point->type);
    put_given(json, "of", point->of);
    for (int i = 0; i < PARAMETERS; i++)
        if (!isnan(point->parameter[i]))
            json_number(json, parameter_name((enum parameter)i), point->parameter[i]);
    put_given(json, "remark", point->remark);
    put_ns(json, "least_ns", point_least(point));
    put_ns(json, "median_ns", point_median(point));
    put_ns(json, "p99_ns", point_p99(point));
    json_bool(json, "noisy", point_noisy(point));
    json_array(json, "samples_ns");
    for (int i = 0; i < point->count; i++)
        put_ns(json, NULL, point->sample[i]);
    json_array_end(json);
    json_object_end(json);
}

void probe_report_json(FILE *out, const struct measure *measure)
{
    const struct measurement *measurement = &measure->measurement;
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    json_bool(&json, "interrupted", interrupt_signal() != 0);
    put_conditions(&json, measurement);
    put_settings(&json, &measure->probe);
    put_parts(&json, measure);
    probe_derived(&json, measurement);
    json_array(&json, "points");
    for (int i = 0; i < measurement->count; i++)
        put_point(&json, &measurement->point[i]);
    json_array_end(&json);
    json_object_end(&json);
}
