#include "cli/probe_derived.h"

#include "cli/fit_text.h"
#include "probe/knees.h"
#include "probe/machine.h"
#include "probe/operation_table.h"
#include "result.h"

#define NS 1e9

static void put_ns(struct json *json, const char *key, double seconds)
{
    json_number(json, key, seconds == RESULT_NONE ? RESULT_NONE : seconds * NS);
}

static void put_staircase(struct json *json, const struct measurement *measurement)
{
    struct knees knees;

    knees_of(measurement, &knees);
    json_array(json, "plateaus");
    for (int i = 0; i < knees.plateaus; i++) {
        const struct plateau *plateau = &knees.plateau[i];
        bool last = i == knees.plateaus - 1;

        json_object(json, NULL);
        put_ns(json, "latency_ns", plateau->latency);
        json_number(json, "from_bytes", plateau->from);
        json_number(json, "to_bytes", plateau->to);
        json_number(json, "capacity_bytes", last ? RESULT_NONE : knees.capacity[i]);
        json_bool(json, "rises", plateau->rises);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_operation(struct json *json, const struct operation_row *row)
{
    json_object(json, NULL);
    json_text(json, "name", row->name);
    json_text(json, "type", row->type);
    json_number(json, "width_bits", row->bits);
    json_number(json, "lanes", row->lanes);
    put_ns(json, "latency_ns", row->latency);
    json_number(json, "latency_cycles", row->latency_cycles);
    json_number(json, "operations_per_s", row->rate);
    json_number(json, "operations_per_cycle", row->rate_per_cycle);
    json_number(json, "elements_per_s", row->element_rate);
    json_number(json, "ilp", row->parallelism);
    json_number(json, "chains", row->chains > 0 ? row->chains : RESULT_NONE);
    json_bool(json, "noisy", row->latency_noisy || row->rate_noisy);
    json_text(json, "remark", row->remark[0] == '\0' ? NULL : row->remark);
    json_object_end(json);
}

static void put_curve(struct json *json, const struct subnormal_curve *curve, int flush)
{
    json_object(json, NULL);
    json_text(json, "name", curve->name);
    json_text(json, "type", curve->type);
    json_bool(json, "flushed_to_zero", flush != 0);
    json_array(json, "shares");
    for (int i = 0; i < SUBNORMAL_SHARES; i++) {
        json_object(json, NULL);
        json_number(json, "subnormal_share", subnormal_share(i));
        put_ns(json, "time_ns", curve->time[flush][i]);
        json_object_end(json);
    }
    json_array_end(json);
    json_number(json, "penalty", curve->penalty[flush]);
    json_object_end(json);
}

static void put_operations(struct json *json, const struct measurement *measurement)
{
    struct operation_table table;

    operation_table(measurement, &table);
    json_array(json, "operations");
    for (int i = 0; i < table.rows; i++)
        put_operation(json, &table.row[i]);
    json_array_end(json);
    json_array(json, "subnormals");
    for (int i = 0; i < table.curves; i++)
        for (int flush = 0; flush < 2; flush++)
            put_curve(json, &table.curve[i], flush);
    json_array_end(json);
}

static void put_level(struct json *json, const struct machine *machine,
                      const struct machine_level *level)
{
    bool memory = level == &machine->level[machine->levels - 1];

    json_object(json, NULL);
    json_text(json, "level", memory ? "memory" : memory_level_name(level->id));
    json_number(json, "capacity_bytes", memory ? RESULT_NONE : level->capacity);
    json_text(json, "capacity_from", memory ? NULL : level->found ? "staircase" : "system");
    json_number(json, "system_bytes", level->system > 0 ? level->system : RESULT_NONE);
    json_number(json, "capacity_ratio",
                level->found && level->system > 0 ? level->capacity / level->system : RESULT_NONE);
    put_ns(json, "latency_ns", level->latency);
    json_number(json, "in_flight", level->in_flight);
    json_number(json, "core_bandwidth_bytes_per_s", level->core_bandwidth);
    json_number(json, "bandwidth_bytes_per_s", level->bandwidth);
    json_object_end(json);
}

static void put_machine(struct json *json, const struct measurement *measurement)
{
    struct machine machine;

    machine_from(measurement, &machine);
    json_object(json, "machine");
    json_number(json, "cores", machine.cores > 0 ? machine.cores : RESULT_NONE);
    json_number(json, "clock_hz", machine.clock);
    json_number(json, "simd_bits", machine.simd_bits);
    json_bool(json, "fma", machine.fma);
    json_number(json, "fma_per_cycle", machine.fma_rate);
    put_ns(json, "add_latency_ns", machine.add_latency);
    put_ns(json, "fma_latency_ns", machine.fma_latency);
    json_number(json, "peak_flops", machine_peak(&machine));
    json_array(json, "levels");
    for (int i = 0; i < machine.levels; i++)
        put_level(json, &machine, &machine.level[i]);
    json_array_end(json);
    json_number(json, "outstanding", machine.outstanding);
    json_number(json, "cache_usable", machine.cache_usable);
    json_number(json, "sustained_compute", machine.sustained_compute);
    json_number(json, "sustained_memory", machine.sustained_memory);
    json_number(json, "jitter", machine.jitter);
    json_number(json, "pc", machine.pc);
    json_object_end(json);
}

static void put_fit(struct json *json, const struct measurement *measurement)
{
    struct fit_report report = {.name = "apex"};
    struct error error = {0};

    json_object(json, "fit");
    if (surface_of(measurement, &report.surface, &error) == STATUS_OK &&
        fit_report_make(&report, &error) == STATUS_OK)
        fit_put_models(json, &report);
    else
        json_text(json, "error", error.message);
    json_object_end(json);
    fit_report_free(&report);
}

void probe_derived(struct json *json, const struct measurement *measurement)
{
    json_object(json, "derived");
    put_staircase(json, measurement);
    put_operations(json, measurement);
    put_machine(json, measurement);
    put_fit(json, measurement);
    json_object_end(json);
}
