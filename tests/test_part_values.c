/* The next realistic value of every knob of every system. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "check.h"
#include "design/knob_text.h"
#include "draw.h"
#include "explore/part_values.h"
#include "model/knob_effect.h"
#include "rows.h"
#include "sample.h"
#include "systems.h"

static struct scenario scenario, changed;
static struct part_values *part_values;
static struct value_step step[VALUE_STEPS_MAX];
static int numbers, choices;

static int setup(void)
{
    part_values = part_values_new(systems_catalogue());
    return 0;
}

static int cleanup(void)
{
    part_values_free(part_values);
    return 0;
}

/* Whether a device preset of the knob's kind states the value. */
static bool is_sold(const struct knob *knob, double value)
{
    struct catalogue *catalogue = systems_catalogue();

    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct device *device = NULL;

        if (catalogue_at(catalogue, p)->kind == PRESET_AO ||
            catalogue_device(catalogue, catalogue_at(catalogue, p)->name, &device, NULL) !=
                STATUS_OK)
            continue;
        if (knob_has_kind(knob, device->kind) && knob_set_has(&device->head.own, knob) &&
            *(const double *)((const char *)device + knob->offset) == value)
            return true;
    }
    return false;
}

static void check_climb(const char *path, struct knob_ref ref, double from, int way)
{
    const struct knob *knob = ref.knob;
    double value = from;
    double next;
    int rungs = 0;

    while (rungs < 100000 && part_values_next(part_values, &scenario, ref, value, way, &next)) {
        if (!CHECK_TRUE(way > 0 ? next > value : next < value, "%s: %.17g goes to %.17g", path,
                        value, next) ||
            !CHECK_TRUE(next >= knob_min(knob) && next <= knob_max(knob),
                        "%s: %.17g is not in the range", path, next))
            return;
        if (knob->type == KNOB_INTEGER)
            CHECK_TRUE(next == floor(next), "%s: %.17g is no whole number", path, next);
        value = next;
        rungs++;
    }
    CHECK_TRUE(rungs < 100000, "%s has no end", path);
}

static void check_number(struct knob_ref ref, const char *path, const struct value_step *to)
{
    double from = knob_number_in_force(&scenario, sample_result(), ref);
    double value = knob_number(&changed, ref);

    CHECK_TRUE(to->direction > 0 ? value > from : value < from, "%s: a step %d from %.17g to %.17g",
               path, to->direction, from, value);
    check_climb(path, ref, from, to->direction);
    numbers++;
}

/* Keys and advice follow one rule: a step of advice is one of a key, or as many as lead out of the
 * 5 % around a value that exists. */
static void check_keys(struct knob_ref ref, const char *path, double value)
{
    for (int way = -1; way <= 1; way += 2) {
        double next, moved = value;
        int moves = 0;

        if (!part_values_next(part_values, &scenario, ref, value, way, &next))
            continue;
        for (; moves < 100 && way * moved < way * next; moves++)
            moved = part_values_move(part_values, &scenario, ref, moved, way);
        CHECK_TRUE(moved == next, "%s: advice goes from %.17g to %.17g, keys to %.17g", path, value,
                   next, moved);
        CHECK_TRUE(moves == 1 || part_values_listed(part_values, &scenario, ref),
                   "%s: %d keys from %.17g to %.17g", path, moves, value, next);
    }
}

static void check_knob(const struct scenario *s, struct knob_ref ref)
{
    int count = part_values_steps(part_values, s, sample_result(), ref, step);
    char path[96];

    knob_path(s, ref, path, sizeof path);
    CHECK_TRUE(count <= VALUE_STEPS_MAX, "%s: %d steps", path, count);
    if (knob_is_number(ref.knob))
        CHECK_TRUE(count <= 2 + (strcmp(ref.knob->key, "workers") == 0), "%s: %d steps", path,
                   count);
    if (knob_is_number(ref.knob) && knob_number_in_force(s, sample_result(), ref) != RESULT_NONE)
        check_keys(ref, path, knob_number_in_force(s, sample_result(), ref));
    for (int i = 0; i < count; i++) {
        struct error error = {STATUS_OK, ""};
        char before[2304];
        char after[2304];

        scenario_copy(&changed, s);
        knob_get_text(s, ref, before, sizeof before);
        if (strcmp(ref.knob->key, "kind") == 0 || strcmp(ref.knob->key, "type") == 0)
            continue; /* another section, of which not all can be made */
        if (!CHECK_TRUE(knob_set_text(&changed, ref, step[i].value, &error) == STATUS_OK,
                        "%s = %s: %s", path, step[i].value, error.message))
            continue;
        knob_get_text(&changed, ref, after, sizeof after);
        CHECK_TRUE(strcmp(before, after) != 0, "%s: a step from %s to itself", path, before);
        CHECK_TRUE((step[i].direction == 0) == !knob_is_number(ref.knob), "%s: way %d", path,
                   step[i].direction);
        if (knob_is_number(ref.knob))
            check_number(ref, path, &step[i]);
        else
            choices++;
    }
}

static void check_system(const char *name, const struct scenario *system,
                         const struct result *result)
{
    (void)name, (void)result;
    scenario_copy(&scenario, system);
    for (struct knob_ref ref = {.knob = NULL}; knob_next(&scenario, &ref);)
        check_knob(&scenario, ref);
}

TEST(steps_of_every_system)
{
    systems_each(check_system);
    CHECK_TRUE(numbers > 5000 / draw_every(1) && choices > 1000 / draw_every(1),
               "%d numbers, %d choices", numbers, choices);
}

static struct knob_ref find(const char *path)
{
    struct knob_ref ref = {SECTION_SCENARIO, 0, &knobs[0]};
    struct error error = {STATUS_OK, ""};

    CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s", error.message);
    return ref;
}

TEST(parts_go_where_presets_are)
{
    static const char *const paths[] = {
        "device.rtc.cores",       "device.rtc.clock",       "device.rtc.memory_channels",
        "device.rtc.memory_rate", "device.rtc.simd_bits",   "device.rtc.l3",
        "device.rtc.pcie_gen",    "device.gpu0.units",      "device.gpu0.clock",
        "device.gpu0.bus_bits",   "device.gpu0.pcie_lanes", "device.gpu0.l2",
    };

    systems_load(&scenario, "elt-scao");
    for (size_t p = 0; p < sizeof paths / sizeof paths[0]; p++) {
        struct knob_ref ref = find(paths[p]);
        double value = knob_min(ref.knob);
        double next;
        int rungs = 0;

        for (; part_values_next(part_values, &scenario, ref, value, 1, &next);
             rungs++, value = next) {
            CHECK_TRUE(is_sold(ref.knob, next), "%s: %.17g is not sold", paths[p], next);
            CHECK_TRUE(value == knob_min(ref.knob) || next >= 1.05 * value,
                       "%s: %.17g and %.17g are one", paths[p], value, next);
        }
        CHECK_TRUE(rungs >= 2, "%s has %d values", paths[p], rungs);
    }
}

/* Single steps through the values that are sold visit each once and return, and many steps are
 * single ones. */
TEST(moves_visit_every_part)
{
    static const char *const paths[] = {"device.rtc.cores",           "device.rtc.memory_rate",
                                        "device.rtc.memory_channels", "device.rtc.simd_bits",
                                        "device.gpu0.bus_bits",       "device.gpu0.memory_clock",
                                        "device.gpu0.units"};

    systems_load(&scenario, "elt-scao");
    for (size_t p = 0; p < sizeof paths / sizeof paths[0]; p++) {
        struct knob_ref ref = find(paths[p]);
        double first = part_values_move(part_values, &scenario, ref, knob_min(ref.knob), 1);
        double last = part_values_move(part_values, &scenario, ref, first, 10000);
        double value = first;
        int count = 0;

        CHECK(part_values_listed(part_values, &scenario, ref));
        for (; value < last && count < 1000; count++) {
            double next = part_values_move(part_values, &scenario, ref, value, 1);

            CHECK_TRUE(next > value && is_sold(ref.knob, next), "%s: %.17g", paths[p], next);
            CHECK_TRUE(part_values_move(part_values, &scenario, ref, next, -1) == value,
                       "%s: %.17g and back", paths[p], value);
            value = next;
        }
        CHECK_TRUE(count >= 2 && value == last, "%s: %d steps", paths[p], count);
        CHECK_TRUE(part_values_move(part_values, &scenario, ref, first, count) == last, "%s",
                   paths[p]);
        CHECK_TRUE(part_values_move(part_values, &scenario, ref, last, 1) == last, "%s", paths[p]);
    }
    CHECK(!part_values_listed(part_values, &scenario, find("device.rtc.sockets")));
    CHECK(!part_values_listed(part_values, &scenario, find("ao.actuators")));
    CHECK(part_values_move(part_values, &scenario, find("ao.actuators"), 5000, 1) == 5100);
}

static void check_step(const struct row *row)
{
    struct knob_ref ref = find(row->field[0]);
    char text[64] = "-";
    double from, next;

    quantity_parse(row->field[1], ref.knob->unit, &from, NULL);
    if (part_values_next(part_values, &scenario, ref, from, (int)row_number(row, 2), &next))
        quantity_format(next, ref.knob->unit, text, sizeof text);
    ROW_STR(row, text, row->field[3]);
}

TEST(steps_known_by_heart)
{
    systems_load(&scenario, "elt-scao");
    rows_each("steps.txt", "steps", 4, check_step);
}

static bool has_step(const char *path, const char *value)
{
    int count = part_values_steps(part_values, &scenario, sample_result(), find(path), step);

    for (int i = 0; i < count; i++)
        if (strcmp(step[i].value, value) == 0)
            return true;
    return false;
}

TEST(every_other_choice)
{
    systems_load(&scenario, "elt-scao");
    if (!sample_evaluate(&scenario, sample_result()))
        return;
    CHECK(has_step("component.recon.device", "rtc"));
    CHECK(has_step("component.recon.device", "rtc, gpu0"));
    CHECK(!has_step("component.recon.device", "gpu0"));
    CHECK(has_step("component.slopes.device", "gpu0"));
    CHECK(!has_step("component.slopes.device", "rtc, gpu0"));
    CHECK(has_step("component.recon.precision", "fp16"));
    CHECK(!has_step("component.recon.precision", "fp32"));
    CHECK(!has_step("component.recon.algorithm", "mvm"));
    CHECK(!has_step("component.control.barrier", "packet")); /* by its algorithm it waits */
    CHECK(!has_step("component.control.barrier", "frame"));
    CHECK(has_step("component.recon.barrier", "frame"));
    CHECK(has_step("component.dm.link", "pcie"));
    CHECK(!has_step("component.dm.link", "none"));
    CHECK(!has_step("scenario.title", ""));
    CHECK(has_step("component.slopes.workers", "1")); /* without a barrier of threads */
}

/* Facts of a product, and ways into a GPU that gets nothing from there, are no steps. */
TEST(impossible_choices)
{
    systems_load(&scenario, "elt-scao");
    if (!sample_evaluate(&scenario, sample_result()))
        return;
    CHECK(!has_step("device.gpu0.host_link", "unified"));
    CHECK(!has_step("device.gpu0.host_link", "nvlink"));
    CHECK(!has_step("device.gpu0.copy", "rdma"));
    CHECK(has_step("device.gpu0.copy", "mapped"));
    CHECK(!has_step("device.rtc.ingress", "rdma"));
    CHECK(has_step("device.rtc.ingress", "bypass"));
    sample_set(&scenario, "component.calibration.device", "gpu0");
    CHECK(has_step("device.gpu0.copy", "rdma"));
    CHECK(has_step("device.rtc.ingress", "rdma"));
    systems_load(&scenario, "soul");
    if (!sample_evaluate(&scenario, sample_result()))
        return;
    CHECK_INT(part_values_steps(part_values, &scenario, sample_result(), find("device.rtc.ingress"),
                                step),
              0);
    CHECK_INT(
        part_values_steps(part_values, &scenario, sample_result(), find("device.rtc.egress"), step),
        0);
}

TEST(roles_of_knobs)
{
    int count[ROLE_IDENTITY + 1] = {0};

    for (int k = 0; k < KNOB_COUNT; k++) {
        CHECK_TRUE((int)knobs[k].role >= 0 && knobs[k].role <= ROLE_IDENTITY, "%s: role %d",
                   knobs[k].key, (int)knobs[k].role);
        count[knobs[k].role]++;
        if (knobs[k].type == KNOB_TEXT || knobs[k].type == KNOB_PRESET ||
            knobs[k].type == KNOB_FILE || knobs[k].type == KNOB_COMPONENTS)
            CHECK_INT(knobs[k].role, k == KNOB_COMPONENT_PROCESS || k == KNOB_COMPONENT_THREAD
                                         ? ROLE_SOFTWARE
                                         : ROLE_IDENTITY);
        for (int other = 0; other < k; other++) /* rows of one field are of one role */
            if (knobs[other].section == knobs[k].section &&
                strcmp(knobs[other].key, knobs[k].key) == 0)
                CHECK_INT(knobs[other].role, knobs[k].role);
    }
    for (int role = 0; role <= ROLE_IDENTITY; role++)
        CHECK_TRUE(count[role] > 0, "no knob of role %d", role);
}

SUITE(setup, cleanup)
