#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "model/calibration.h"
#include "model/evaluate.h"
#include "model/program.h"
#include "model/result_read.h"
#include "model/stage.h"

int sample_add(struct scenario *scenario, enum section section, const char *name)
{
    struct error error = {STATUS_OK, ""};
    int at = section_count(scenario, section);

    CHECK_TRUE(scenario_insert(scenario, section, at, name, &error) == STATUS_OK, "%s.%s: %s",
               section_name(section), name, error.message);
    return at < section_count(scenario, section) ? at : 0;
}

void sample_set(struct scenario *scenario, const char *path, const char *value)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    CHECK_TRUE(knob_find(scenario, path, &ref, &error) == STATUS_OK &&
                   knob_set_text(scenario, ref, value, &error) == STATUS_OK,
               "%s = %s: %s", path, value, error.message);
}

void sample_number(struct scenario *scenario, const char *path, double si)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    CHECK_TRUE(knob_find(scenario, path, &ref, &error) == STATUS_OK &&
                   knob_set_number(scenario, ref, si, &error) == STATUS_OK,
               "%s = %.17g: %s", path, si, error.message);
}

int sample_component(struct scenario *scenario, const char *name, const char *type)
{
    int at = sample_add(scenario, SECTION_COMPONENT, name);
    char path[64];

    snprintf(path, sizeof path, "component.%s.type", name);
    sample_set(scenario, path, type);
    return at;
}

/* Sets a knob of a device unless its kind has no such knob. */
static void set_device_knob(struct scenario *scenario, int device, const char *key,
                            const char *value)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;
    char path[64];

    snprintf(path, sizeof path, "device.%s.%s", scenario->device[device].head.name, key);
    if (knob_find(scenario, path, &ref, &error) == STATUS_OK)
        sample_set(scenario, path, value);
}

static void make_ideal(struct scenario *scenario, int device)
{
    static const char *const settings[][2] = {
        {"launch", "0 us"},       {"boundary", "0 us"},     {"enqueue", "0 us"},
        {"copy_latency", "0 us"}, {"peer_latency", "0 us"}, {"stage_latency", "0 us"},
        {"ingress", "ideal"},     {"egress", "ideal"},
    };

    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        set_device_knob(scenario, device, settings[i][0], settings[i][1]);
}

void sample_calibrate(struct scenario *scenario, const char *factors)
{
    char devices[CALIBRATION_MAX + 1];

    sample_set(scenario, "calibration.factors", factors);
    calibration_devices_text(scenario, devices);
    sample_set(scenario, "calibration.devices", devices);
    sample_set(scenario, "calibration.program", PACKAGE_VERSION);
}

void sample_ideal(struct scenario *scenario)
{
    sample_set(scenario, "scenario.sharing", "partition");
    for (int d = 0; d < scenario->device_count; d++)
        make_ideal(scenario, d);
}

void sample_chain(struct scenario *scenario)
{
    scenario_init(scenario);
    sample_add(scenario, SECTION_WFS, "ngs");
    sample_set(scenario, "wfs.ngs.subaps_across", "10");
    sample_set(scenario, "wfs.ngs.obscuration", "0.2");
    sample_add(scenario, SECTION_DEVICE, "rtc");
    sample_set(scenario, "device.rtc.memory_model", "flat");
    sample_ideal(scenario);
    sample_component(scenario, "camera", "camera");
    sample_component(scenario, "calibration", "calibration");
    sample_component(scenario, "slopes", "centroid");
    sample_component(scenario, "recon", "reconstruction");
    sample_component(scenario, "control", "control");
    sample_component(scenario, "dm", "dm");
    sample_set(scenario, "ao.actuators", "100");
}

void sample_round_device(struct scenario *scenario, const char *name)
{
    static const char *const settings[][2] = {
        {"sockets", "1"},          {"cores", "125"},       {"clock", "1 GHz"},
        {"simd_bits", "256 bit"},  {"fma_pipes", "1"},     {"fma", "no"},
        {"memory_channels", "1"},  {"channel_bits", "64"}, {"memory_rate", "12500 MT/s"},
        {"sustained_memory", "1"}, {"nic", "10000 Gb/s"},  {"memory_model", "flat"},
    };
    char path[64];

    sample_add(scenario, SECTION_DEVICE, name);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        snprintf(path, sizeof path, "device.%s.%s", name, settings[i][0]);
        sample_set(scenario, path, settings[i][1]);
    }
    make_ideal(scenario, section_find(scenario, SECTION_DEVICE, name));
}

const struct program *sample_program(void)
{
    static struct program_phase phase = {.name = "all", .count = 1, .locked = 500, .bytes = 100000};
    static struct program_reference reference = {50, 30};
    static struct program_thread thread = {.count = 1};
    static const struct program program = {1, 1, &phase, &thread, &reference, NULL, NULL};

    thread.instructions[INSTRUCTION_INT] = 1000;
    thread.instructions[INSTRUCTION_FMA] = 200;
    return &program;
}

struct result *sample_result(void)
{
    static struct result result;

    if (result.work == NULL)
        result_init(&result);
    return &result;
}

struct simulation *sample_simulation(void)
{
    return sample_result()->work->simulation;
}

bool sample_evaluate(const struct scenario *scenario, struct result *result)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(evaluate(scenario, result, &error) == STATUS_OK, "refused: %s",
                      error.message);
}

void sample_refused(const struct scenario *scenario, const char *sentence)
{
    struct error error = {STATUS_OK, ""};

    CHECK_INT(evaluate(scenario, sample_result(), &error), STATUS_INVALID);
    CHECK_STR(error.message, sentence);
}

const struct node_result *sample_node(const struct result *result, const char *name)
{
    static const struct node_result nothing;
    int node = result_find_node(result, name);

    if (CHECK_TRUE(node >= 0, "there is no %s", name))
        return &result->node[node];
    return &nothing;
}

bool sample_evaluate_fresh(const struct scenario *scenario, struct result *result)
{
    result_init(result);
    return sample_evaluate(scenario, result);
}

static bool same_nodes(const struct result *actual, const struct result *expected,
                       const char *where)
{
    bool same = CHECK_TRUE(actual->node_count == expected->node_count, "%s: %d nodes, expected %d",
                           where, actual->node_count, expected->node_count);

    for (int n = 0; n < actual->node_count && same; n++) {
        const struct node_result *a = &actual->node[n];
        const struct node_result *e = &expected->node[n];

        same = CHECK_TRUE(
            strcmp(a->name, e->name) == 0 && a->component == e->component && a->type == e->type &&
                a->algorithm == e->algorithm && a->device == e->device && a->bound == e->bound,
            "%s: node %d is %s, expected %s, or its kind differs", where, n, a->name, e->name);
    }
    return same;
}

static bool same_rows(const struct result *actual, const struct result *expected, const char *where)
{
    bool same = true;

    for (int r = 0; r < RESULT_ROW_COUNT; r++) {
        const struct result_row *row = &result_rows[r];
        int count = result_count(expected, row->scope);

        for (int i = 0; i < count; i++) {
            double a = result_value(actual, row, i);
            double e = result_value(expected, row, i);

            same = CHECK_TRUE(memcmp(&a, &e, sizeof a) == 0, "%s: %s %d is %.17g, expected %.17g",
                              where, row->key, i, a, e) &&
                   same;
        }
    }
    return same;
}

bool sample_same(const struct result *actual, const struct result *expected, const char *where)
{
    bool same = same_nodes(actual, expected, where);

    same = CHECK_TRUE(actual->device_count == expected->device_count &&
                          actual->wfs_count == expected->wfs_count &&
                          actual->link_count == expected->link_count &&
                          actual->dm_count == expected->dm_count &&
                          actual->bound_node == expected->bound_node &&
                          actual->overloaded == expected->overloaded &&
                          strcmp(actual->limit, expected->limit) == 0 &&
                          actual->limit_busy == expected->limit_busy &&
                          actual->last_pixel == expected->last_pixel,
                      "%s: counts, bound or limit differ", where) &&
           same;
    if (!same)
        return false;
    for (int l = 0; l < actual->link_count; l++)
        same = CHECK_TRUE(strcmp(actual->link[l].name, expected->link[l].name) == 0 &&
                              actual->link[l].busy == expected->link[l].busy,
                          "%s: link %d is %s, busy %.17g, expected %s, %.17g", where, l,
                          actual->link[l].name, actual->link[l].busy, expected->link[l].name,
                          expected->link[l].busy) &&
               same;
    for (int d = 0; d < actual->dm_count; d++)
        same = CHECK_TRUE(actual->dm[d].latency == expected->dm[d].latency &&
                              actual->dm[d].arrival == expected->dm[d].arrival &&
                              actual->dm[d].component == expected->dm[d].component,
                          "%s: mirror %d differs", where, d) &&
               same;
    return same_rows(actual, expected, where) && same;
}

const struct algorithm *sample_algorithm(enum component_type type, const char *name)
{
    for (int i = 0; i < ALGORITHM_COUNT; i++)
        if (algorithms[i].type == type && strcmp(algorithms[i].name, name) == 0)
            return &algorithms[i];
    CHECK_TRUE(false, "no algorithm %s", name);
    return &algorithms[0];
}

struct workload_input sample_sizes(void)
{
    return (struct workload_input){
        .wfs = {.bit_depth = 12, .pixels_per_subap = 4},
        .ao = {.actuators = 13},
        .pixels = 1000,
        .subaps = 7,
        .rows = 11,
        .columns = 14,
        .element_bytes = 4,
        .flops_per_pixel = 5,
        .search = 3,
        .tile = 4,
        .rank = 1.5,
        .density = 0.25,
        .iterations = 3,
        .unknowns = 10,
        .grid = 16,
        .states = 5,
        .inputs = 3,
    };
}
