#include "knob.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design.h"
#include "draw.h"
#include "units.h"
#include "workload.h"

#define EVERY_KNOB(k) (const struct knob *k = knobs; k < knobs + knob_count; k++)

static bool is_number(const struct knob *knob)
{
    return knob->type == KNOB_NUMBER || knob->type == KNOB_INTEGER;
}

/* The table ----------------------------------------------------------------------------------- */

static void rows_are_sound(void)
{
    for EVERY_KNOB (k) {
        struct unit unit;

        CHECK_TRUE(strlen(k->label) <= 16 && k->label[0] != '\0', "%s: label \"%s\"", k->key,
                   k->label);
        CHECK_TRUE(k->help[0] != '\0' && k->help[strlen(k->help) - 1] != '.' &&
                       strchr(k->help, '\n') == NULL,
                   "%s: help \"%s\"", k->key, k->help);
        CHECK_TRUE(unit_find(k->unit, &unit) == STATUS_OK, "%s: unit \"%s\"", k->key, k->unit);
        CHECK_TRUE(strspn(k->key, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(k->key),
                   "key \"%s\"", k->key);
        CHECK_TRUE(k->step > 0, "%s: step %g", k->key, k->step);
        CHECK_TRUE(k->kinds != 0, "%s belongs to nothing", k->key);
        CHECK_TRUE(k == knobs || k->section >= k[-1].section, "%s: sections are mixed", k->key);
        if (is_number(k))
            CHECK_TRUE(k->min <= k->max && ((k->fallback >= k->min && k->fallback <= k->max) ||
                                            (k->automatic && k->fallback == 0)),
                       "%s: default %g, range %g to %g", k->key, k->fallback, k->min, k->max);
        if (k->type == KNOB_INTEGER)
            CHECK_TRUE(k->min == floor(k->min) && k->max == floor(k->max) &&
                           k->fallback == floor(k->fallback) && unit.numerator == unit.denominator,
                       "%s is no whole number", k->key);
        if (is_number(k) && k->scale == SCALE_POWER2)
            CHECK_TRUE(k->min >= 1, "%s: a range of powers of two from %g", k->key, k->min);
    }
}

static bool reachable(const struct knob *a, const struct knob *b)
{
    return a->section == b->section && strcmp(a->key, b->key) == 0 && (a->kinds & b->kinds) != 0;
}

static void keys_are_unique(void)
{
    for EVERY_KNOB (a)
        for (const struct knob *b = a + 1; b < knobs + knob_count; b++)
            CHECK_TRUE(!reachable(a, b), "%s.%s stands twice", section_name(a->section), a->key);
}

/* A set of a section's knobs has 128 places. */
static void rows_fit_the_sets(void)
{
    int sum = 0;

    for (int s = 0; s < SECTION_COUNT; s++) {
        int count = knob_section_count((enum section)s);
        int first = knob_section_first((enum section)s);

        CHECK_TRUE(count > 0 && count <= 128, "%s has %d knobs", section_name((enum section)s),
                   count);
        CHECK_TRUE(knobs[first].section == (enum section)s, "section %d begins elsewhere", s);
        sum += count;
    }
    CHECK_INT(sum, knob_count);
}

static const char *const *choices_of(const char *key, enum section section)
{
    for EVERY_KNOB (k)
        if (k->section == section && strcmp(k->key, key) == 0)
            return k->choices;
    CHECK_TRUE(false, "no key %s", key);
    return NULL;
}

/* The order of the names is the order of the enums of scenario.h. */
static void choices_match_their_enums(void)
{
    static const struct {
        enum section section;
        const char *key;
        int value;
        const char *name;
    } cases[] = {
        {SECTION_WFS, "kind", WFS_SHACK_HARTMANN, "shack-hartmann"},
        {SECTION_WFS, "kind", WFS_PYRAMID, "pyramid"},
        {SECTION_DEVICE, "kind", DEVICE_CPU, "cpu"},
        {SECTION_DEVICE, "kind", DEVICE_GPU, "gpu"},
        {SECTION_DEVICE, "fma", 0, "no"},
        {SECTION_DEVICE, "fma", 1, "yes"},
        {SECTION_DEVICE, "host_link", HOST_LINK_PCIE, "pcie"},
        {SECTION_DEVICE, "host_link", HOST_LINK_NVLINK, "nvlink"},
        {SECTION_DEVICE, "host_link", HOST_LINK_UNIFIED, "unified"},
        {SECTION_COMPONENT, "type", COMPONENT_CAMERA, "camera"},
        {SECTION_COMPONENT, "type", COMPONENT_CALIBRATION, "calibration"},
        {SECTION_COMPONENT, "type", COMPONENT_CENTROID, "centroid"},
        {SECTION_COMPONENT, "type", COMPONENT_PYRAMID, "pyramid"},
        {SECTION_COMPONENT, "type", COMPONENT_RECONSTRUCTION, "reconstruction"},
        {SECTION_COMPONENT, "type", COMPONENT_CONTROL, "control"},
        {SECTION_COMPONENT, "type", COMPONENT_TRANSFER, "transfer"},
        {SECTION_COMPONENT, "type", COMPONENT_DM, "dm"},
        {SECTION_COMPONENT, "type", COMPONENT_CUSTOM, "custom"},
        {SECTION_COMPONENT, "precision", PRECISION_FP64, "fp64"},
        {SECTION_COMPONENT, "precision", PRECISION_FP32, "fp32"},
        {SECTION_COMPONENT, "precision", PRECISION_FP16, "fp16"},
        {SECTION_COMPONENT, "precision", PRECISION_BF16, "bf16"},
        {SECTION_COMPONENT, "precision", PRECISION_INT8, "int8"},
        {SECTION_COMPONENT, "access", ACCESS_SEQUENTIAL, "sequential"},
        {SECTION_COMPONENT, "access", ACCESS_STRIDED, "strided"},
        {SECTION_COMPONENT, "access", ACCESS_RANDOM, "random"},
        {SECTION_COMPONENT, "barrier", BARRIER_PACKET, "packet"},
        {SECTION_COMPONENT, "barrier", BARRIER_FRAME, "frame"},
        {SECTION_COMPONENT, "shutter", SHUTTER_GLOBAL, "global"},
        {SECTION_COMPONENT, "shutter", SHUTTER_ROLLING, "rolling"},
        {SECTION_COMPONENT, "order", ORDER_RASTER, "raster"},
        {SECTION_COMPONENT, "order", ORDER_CENTRE_OUT, "centre-out"},
        {SECTION_COMPONENT, "order", ORDER_EDGES_IN, "edges-in"},
        {SECTION_COMPONENT, "order", ORDER_FRAME, "frame"},
        {SECTION_COMPONENT, "interface", INTERFACE_NONE, "none"},
        {SECTION_COMPONENT, "interface", INTERFACE_CAMERA_LINK_BASE, "camera-link-base"},
        {SECTION_COMPONENT, "interface", INTERFACE_CAMERA_LINK_MEDIUM, "camera-link-medium"},
        {SECTION_COMPONENT, "interface", INTERFACE_CAMERA_LINK_FULL, "camera-link-full"},
        {SECTION_COMPONENT, "interface", INTERFACE_CAMERA_LINK_80, "camera-link-80"},
        {SECTION_COMPONENT, "interface", INTERFACE_COAXPRESS_6, "coaxpress-6"},
        {SECTION_COMPONENT, "interface", INTERFACE_COAXPRESS_12, "coaxpress-12"},
        {SECTION_COMPONENT, "interface", INTERFACE_GIGE_VISION, "gige-vision"},
        {SECTION_COMPONENT, "normalisation", NORMALISATION_GLOBAL, "global"},
        {SECTION_COMPONENT, "normalisation", NORMALISATION_LOCAL, "local"},
        {SECTION_COMPONENT, "link", LINK_NONE, "none"},
        {SECTION_COMPONENT, "link", LINK_NETWORK, "network"},
        {SECTION_COMPONENT, "link", LINK_PCIE, "pcie"},
        {SECTION_COMPONENT, "switch", SWITCH_CUT_THROUGH, "cut-through"},
        {SECTION_COMPONENT, "switch", SWITCH_STORE_FORWARD, "store-forward"},
        {SECTION_COMPONENT, "agenda", AGENDA_PIXELS, "pixels"},
        {SECTION_COMPONENT, "agenda", AGENDA_SLOPES, "slopes"},
        {SECTION_COMPONENT, "agenda", AGENDA_FRAME, "frame"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const *choices = choices_of(cases[i].key, cases[i].section);

        if (choices != NULL)
            CHECK_STR(choices[cases[i].value], cases[i].name);
    }
    for EVERY_KNOB (k) {
        int count = 0;

        if (k->type != KNOB_CHOICE)
            continue;
        while (k->choices[count] != NULL)
            count++;
        CHECK_TRUE((int)k->max == count - 1, "%s: %d choices, the last is %g", k->key, count,
                   k->max);
    }
}

/* What knobs.md promises, checked for the rows whose default decides most. */
static void defaults_as_designed(void)
{
    static const struct {
        const char *path;
        const char *text;
    } cases[] = {
        {"scenario.frame_rate", "1000 Hz"},
        {"scenario.packets", "50"},
        {"scenario.overlap", "1"},
        {"scenario.target_latency", "1000 us"},
        {"ao.actuators", "5000"},
        {"ao.modes", "0"},
        {"atmosphere.r0", "15 cm"},
        {"atmosphere.wind", "10 m/s"},
        {"atmosphere.wavelength", "2200 nm"},
        {"atmosphere.zenith", "30 deg"},
        {"wfs.w.kind", "shack-hartmann"},
        {"wfs.w.count", "1"},
        {"wfs.w.rate_divisor", "1"},
        {"wfs.w.subaps_across", "80"},
        {"wfs.w.obscuration", "0.28"},
        {"wfs.w.valid_subaps", "auto"},
        {"wfs.w.pixels_per_subap", "8"},
        {"wfs.w.detector_width", "auto"},
        {"wfs.w.bit_depth", "16 bit"},
        {"device.c.kind", "cpu"},
        {"device.c.sockets", "1"},
        {"device.c.cores", "16"},
        {"device.c.clock", "2.6 GHz"},
        {"device.c.simd_bits", "256 bit"},
        {"device.c.fma_pipes", "2"},
        {"device.c.fma", "yes"},
        {"device.c.memory_channels", "4"},
        {"device.c.channel_bits", "64 bit"},
        {"device.c.memory_rate", "3200 MT/s"},
        {"device.c.launch", "2 us"},
        {"device.c.sustained_compute", "1"},
        {"device.c.sustained_memory", "0.9"},
        {"device.c.nic", "10 Gb/s"},
        {"device.c.nics", "1"},
        {"device.c.mtu", "9000 B"},
        {"device.c.driver", "5 us"},
        {"device.c.pcie_gen", "4"},
        {"device.c.pcie_lanes", "16"},
        {"device.c.tdp", "0 W"},
        {"device.g.units", "6912"},
        {"device.g.clock", "1410 MHz"},
        {"device.g.ops_per_clock", "2 FLOP"},
        {"device.g.bus_bits", "5120 bit"},
        {"device.g.memory_clock", "1593 MHz"},
        {"device.g.transfers_per_clock", "2"},
        {"device.g.fp64_ratio", "0.5"},
        {"device.g.fp16_ratio", "2"},
        {"device.g.int8_ratio", "4"},
        {"device.g.host", "auto"},
        {"device.g.host_link", "pcie"},
        {"device.g.launch", "5 us"},
        {"component.camera.readout", "500 us"},
        {"component.camera.exposure", "auto"},
        {"component.camera.shutter", "global"},
        {"component.camera.order", "raster"},
        {"component.camera.interface", "none"},
        {"component.camera.frame_transfer", "yes"},
        {"component.centroid.algorithm", "auto"},
        {"component.centroid.flops_per_pixel", "5 FLOP"},
        {"component.centroid.reference_slopes", "yes"},
        {"component.centroid.precision", "fp32"},
        {"component.centroid.share", "auto"},
        {"component.centroid.after", "auto"},
        {"component.pyramid.normalisation", "global"},
        {"component.reconstruction.rows", "auto"},
        {"component.transfer.link", "network"},
        {"component.transfer.hops", "1"},
        {"component.transfer.length", "20 m"},
        {"component.transfer.switch", "cut-through"},
        {"component.transfer.bytes", "auto"},
        {"component.dm.actuators", "auto"},
        {"component.dm.bits_per_actuator", "16 bit"},
        {"component.dm.settle", "0 us"},
        {"component.dm.link", "network"},
        {"component.custom.agenda", "pixels"},
        {"component.custom.flops", "0 FLOP"},
    };
    static struct scenario scenario;

    scenario_init(&scenario);
    design_add(&scenario, SECTION_WFS, "w");
    design_add(&scenario, SECTION_DEVICE, "c");
    design_add(&scenario, SECTION_DEVICE, "g");
    design_set(&scenario, "device.g.kind", "gpu");
    for (int t = 0; t < COMPONENT_TYPE_COUNT; t++) {
        const char *type = choices_of("type", SECTION_COMPONENT)[t];

        design_component(&scenario, type, type);
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct knob_ref ref;
        struct error error;
        char text[2304];

        if (!CHECK_TRUE(knob_find(&scenario, cases[i].path, &ref, &error) == STATUS_OK, "%s: %s",
                        cases[i].path, error.message))
            continue;
        knob_get_text(&scenario, ref, text, sizeof text);
        CHECK_TRUE(strcmp(text, cases[i].text) == 0, "%s is \"%s\", expected \"%s\"",
                   cases[i].path, text, cases[i].text);
        knob_path(&scenario, ref, text, sizeof text);
        CHECK_STR(text, cases[i].path);
    }
}

/* Sliders -------------------------------------------------------------------------------------- */

/* One in the second significant digit. */
static bool has_two_digits(double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.1e", value);
    return fabs(strtod(text, NULL) - value) <= 1e-9 * fabs(value);
}

static double si_of(const struct knob *knob, double value)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    unit_find(knob->unit, &unit);
    return value * unit.numerator / unit.denominator;
}

static double in_unit(const struct knob *knob, double si)
{
    return si / si_of(knob, 1);
}

/* A value anywhere in a knob's range, whole where it has to be. */
static double any_value(const struct knob *knob, struct draw *draw)
{
    double low = knob->min > 0 ? knob->min : knob->step;
    double value = knob->scale == SCALE_LINEAR ? draw_between(draw, knob->min, knob->max)
                                               : draw_log(draw, low, knob->max);

    if (draw_chance(draw, 0.1))
        value = draw_chance(draw, 0.5) ? knob->min : knob->max;
    return si_of(knob, knob->type == KNOB_INTEGER ? round(value) : value);
}

static bool within(const struct knob *knob, double si)
{
    return si >= knob_min(knob) && si <= knob_max(knob) &&
           (knob->type != KNOB_INTEGER || si == floor(si));
}

/* From end to end by single steps: always onwards, always back to the value before. */
static void steps_up_and_down_return(void)
{
    for EVERY_KNOB (k) {
        double value = knob_min(k);
        int steps = 0;

        if (!is_number(k))
            continue;
        while (value < knob_max(k) && steps < 20000) {
            double up = knob_step(k, value, 1);
            double back = knob_step(k, up, -1);

            if (!CHECK_TRUE(up > value && within(k, up), "%s: a step up from %.17g gives %.17g",
                            k->key, value, up))
                break;
            CHECK_TRUE(fabs(back - value) <= 1e-12 * fabs(value) + 1e-300 ||
                           (up == knob_max(k) && back >= value),
                       "%s: up from %.17g to %.17g and down to %.17g", k->key, value, up, back);
            value = up;
            steps++;
        }
        CHECK_TRUE(value == knob_max(k), "%s: %d steps end at %.17g", k->key, steps, value);
        CHECK_TRUE(steps <= 1500, "%s takes %d steps from end to end", k->key, steps);
        CHECK_TRUE(knob_step(k, knob_max(k), 1) == knob_max(k) &&
                       knob_step(k, knob_min(k), -1) == knob_min(k),
                   "%s steps out of its range", k->key);
    }
}

/* Wherever a value is, a step lands on the grid its scale promises. */
static void steps_land_on_the_grid(void)
{
    struct draw draw = draw_start(21);
    int repeat = draw_repeat(200);

    for EVERY_KNOB (k) {
        for (int i = 0; i < repeat && is_number(k); i++) {
            double value = any_value(k, &draw);
            int count = draw_below(&draw, 23) - 11;
            double si = knob_step(k, value, count);
            double shown = in_unit(k, si);
            bool end = si == knob_min(k) || si == knob_max(k);
            double ten = knob_step(k, value, 0);

            CHECK_TRUE(within(k, si) && (count == 0 || end || (count > 0) == (si > value)),
                       "%s: %d steps from %.17g give %.17g", k->key, count, value, si);
            CHECK_TRUE(fabs(ten - value) <= 1e-15 * fabs(value),
                       "%s: no step from %.17g gives %.17g", k->key, value, ten);
            if (count == 0 || end)
                continue;
            if (k->scale == SCALE_LINEAR)
                CHECK_TRUE(fabs(shown / k->step - round(shown / k->step)) < 1e-6,
                           "%s: %.17g is no multiple of %g", k->key, shown, k->step);
            if (k->scale == SCALE_POWER2)
                CHECK_TRUE(exp2(round(log2(shown))) == shown, "%s: %.17g is no power of two",
                           k->key, shown);
            if (k->scale == SCALE_LOG)
                CHECK_TRUE(has_two_digits(shown) ||
                               fabs(shown / k->step - round(shown / k->step)) < 1e-6,
                           "%s: %.17g has more than two digits", k->key, shown);
            for (double at = value; count != 0; count += count > 0 ? -1 : 1) {
                at = knob_step(k, at, count > 0 ? 1 : -1);
                if (count == 1 || count == -1)
                    CHECK_TRUE(fabs(at - si) <= 1e-12 * fabs(si),
                               "%s: single steps from %.17g give %.17g, many %.17g", k->key, value,
                               at, si);
            }
        }
    }
}

static void positions_rise_and_return(void)
{
    struct draw draw = draw_start(22);
    int repeat = draw_repeat(300);

    for EVERY_KNOB (k) {
        if (!is_number(k) || k->max <= k->min)
            continue;
        CHECK_TRUE(knob_position(k, knob_min(k)) == 0 && knob_position(k, knob_max(k)) == 1 &&
                       knob_at(k, 0) == knob_min(k) && knob_at(k, 1) == knob_max(k),
                   "%s: the ends are not the ends", k->key);
        CHECK_TRUE(knob_position(k, knob_max(k) * 2 + 1) == 1 &&
                       knob_position(k, knob_min(k) - 1) == 0 && knob_at(k, -1) == knob_min(k) &&
                       knob_at(k, 2) == knob_max(k),
                   "%s: beyond the ends is not the ends", k->key);
        for (int i = 0; i < repeat; i++) {
            double a = any_value(k, &draw);
            double b = any_value(k, &draw);
            double pa = knob_position(k, a);
            double pb = knob_position(k, b);
            double back = knob_at(k, pa);
            double p = draw_between(&draw, 0, 1);
            double q = draw_between(&draw, 0, 1);

            CHECK_TRUE(pa >= 0 && pa <= 1 && (a < b ? pa <= pb : pa >= pb),
                       "%s: %.17g is at %.17g, %.17g at %.17g", k->key, a, pa, b, pb);
            CHECK_TRUE(within(k, back) && back >= knob_step(k, a, -1) && back <= knob_step(k, a, 1),
                       "%s: %.17g is at %.17g, where %.17g is", k->key, a, pa, back);
            CHECK_TRUE(p < q ? knob_at(k, p) <= knob_at(k, q) : knob_at(k, p) >= knob_at(k, q),
                       "%s falls between %.17g and %.17g", k->key, p, q);
        }
    }
}

/* Values --------------------------------------------------------------------------------------- */

/* One of each kind and type, so that every knob applies somewhere. */
static void zoo(struct scenario *scenario)
{
    static const char *const devices[] = {"c", "g"};
    static const char *const sensors[] = {"s", "p"};

    scenario_init(scenario);
    for (int i = 0; i < 2; i++) {
        design_add(scenario, SECTION_WFS, sensors[i]);
        design_add(scenario, SECTION_DEVICE, devices[i]);
    }
    design_set(scenario, "wfs.p.kind", "pyramid");
    design_set(scenario, "device.g.kind", "gpu");
    for (int t = 0; t < COMPONENT_TYPE_COUNT; t++) {
        const char *type = choices_of("type", SECTION_COMPONENT)[t];

        design_component(scenario, type, type);
    }
}

/* Calls `visit` for every knob of every instance it applies to; returns how many. */
static int each_ref(struct scenario *scenario, void (*visit)(struct scenario *, struct knob_ref))
{
    int count = 0;

    for EVERY_KNOB (k) {
        int instances = section_count(scenario, k->section);
        int before = count;

        for (int i = 0; i < instances; i++) {
            struct knob_ref ref = {k->section, i, k};

            if (!knob_applies(scenario, k->section, i, k))
                continue;
            count++;
            visit(scenario, ref);
        }
        CHECK_TRUE(count > before, "%s applies nowhere", k->key);
    }
    return count;
}

static void visit_found(struct scenario *scenario, struct knob_ref ref)
{
    struct knob_ref found = {SECTION_COUNT, 0, NULL};
    struct error error = {STATUS_OK, ""};
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    CHECK_TRUE(knob_find(scenario, path, &found, &error) == STATUS_OK && found.knob == ref.knob &&
                   found.index == ref.index && found.section == ref.section,
               "%s is not found: %s", path, error.message);
}

static void finds_every_path(void)
{
    static struct scenario scenario;

    zoo(&scenario);
    CHECK(each_ref(&scenario, visit_found) > knob_count);
}

/* The bytes of an instance. */
static size_t instance_size(enum section section)
{
    static const size_t sizes[SECTION_COUNT] = {sizeof(struct general),    sizeof(struct ao),
                                                sizeof(struct atmosphere), sizeof(struct wfs),
                                                sizeof(struct device),     sizeof(struct component)};

    return sizes[section];
}

static void visit_numbers(struct scenario *scenario, struct knob_ref ref)
{
    const struct knob *k = ref.knob;
    struct draw draw = draw_start((uint64_t)(k - knobs) + 100);
    struct error error = {STATUS_OK, ""};
    char text[2304];
    double before;

    if (!is_number(k))
        return;
    for (int i = 0; i < 20; i++) {
        double si = any_value(k, &draw);

        if (!CHECK_TRUE(knob_set_number(scenario, ref, si, &error) == STATUS_OK &&
                            knob_number(scenario, ref) == si &&
                            knob_origin(scenario, ref) == ORIGIN_SET,
                        "%s = %.17g: %s", k->key, si, error.message))
            continue;
        knob_get_text(scenario, ref, text, sizeof text);
        CHECK_TRUE(knob_set_text(scenario, ref, text, &error) == STATUS_OK &&
                       knob_number(scenario, ref) == si,
                   "%s = %.17g is written \"%s\", read %.17g: %s", k->key, si, text,
                   knob_number(scenario, ref), error.message);
    }
    before = knob_number(scenario, ref);
    CHECK_TRUE(knob_set_number(scenario, ref, knob_max(k) * 1.0001 + 1, &error) == STATUS_INVALID &&
                   knob_set_number(scenario, ref, NAN, &error) == STATUS_INVALID &&
                   knob_set_number(scenario, ref, INFINITY, &error) == STATUS_INVALID &&
                   knob_set_number(scenario, ref, -1, &error) == STATUS_INVALID &&
                   knob_set_text(scenario, ref, "1e300", &error) == STATUS_INVALID &&
                   knob_set_text(scenario, ref, "-7", &error) == STATUS_INVALID &&
                   knob_set_text(scenario, ref, "", &error) == STATUS_INVALID &&
                   knob_set_text(scenario, ref, "nan", &error) == STATUS_INVALID &&
                   (k->type != KNOB_INTEGER ||
                    knob_set_number(scenario, ref, knob_min(k) + 0.5, &error) == STATUS_INVALID),
               "%s takes a value that is none of its own", k->key);
    CHECK_TRUE(knob_number(scenario, ref) == before, "%s: what is refused changes it", k->key);
}

static void numbers_set_and_read_back(void)
{
    static struct scenario scenario;

    zoo(&scenario);
    each_ref(&scenario, visit_numbers);
}

static void visit_reset(struct scenario *scenario, struct knob_ref ref)
{
    const struct knob *k = ref.knob;
    static struct scenario copy;
    struct error error = {STATUS_OK, ""};
    char first[2304];
    char text[2304];
    double last = is_number(k) ? knob_max(k) : 0;

    copy = *scenario;
    knob_get_text(scenario, ref, first, sizeof first);
    CHECK_TRUE(knob_origin(scenario, ref) == (k->automatic ? ORIGIN_AUTOMATIC : ORIGIN_ASSUMED) ||
                   strcmp(k->key, "type") == 0 || strcmp(k->key, "kind") == 0,
               "%s is from %s", k->key, origin_name(knob_origin(scenario, ref)));
    if (is_number(k))
        knob_set_number(&copy, ref, last, &error);
    else if (k->type == KNOB_TEXT)
        knob_set_text(&copy, ref, "words", &error);
    else if (k->type == KNOB_COMPONENTS)
        knob_set_text(&copy, ref, "none", &error);
    else if (knob_choice_count(&copy, ref) > 0 && strcmp(k->key, "type") != 0 &&
             strcmp(k->key, "kind") != 0)
        knob_set_text(&copy, ref,
                      knob_choice_name(&copy, ref, knob_choice_count(&copy, ref) - 1), &error);
    else
        return;
    CHECK_TRUE(knob_origin(&copy, ref) == ORIGIN_SET, "%s is not set: %s", k->key, error.message);
    knob_reset(&copy, ref);
    knob_get_text(&copy, ref, text, sizeof text);
    CHECK_TRUE(strcmp(text, first) == 0, "%s is reset to \"%s\", expected \"%s\"", k->key, text,
               first);
    CHECK_TRUE(memcmp(section_head(&copy, ref.section, ref.index),
                      section_head(scenario, ref.section, ref.index),
                      instance_size(ref.section)) == 0,
               "%s: a reset leaves something behind", k->key);
}

static void reset_takes_everything_back(void)
{
    static struct scenario scenario;

    zoo(&scenario);
    each_ref(&scenario, visit_reset);
}

static void visit_choices(struct scenario *scenario, struct knob_ref ref)
{
    static struct scenario copy;
    int count = knob_choice_count(scenario, ref);
    struct error error = {STATUS_OK, ""};
    char text[2304];

    copy = *scenario;
    if (ref.knob->type != KNOB_CHOICE && ref.knob->type != KNOB_ALGORITHM &&
        ref.knob->type != KNOB_WFS && ref.knob->type != KNOB_DEVICE) {
        CHECK_INT(count, 0);
        return;
    }
    for (int i = 0; i < count; i++) {
        const char *name = knob_choice_name(scenario, ref, i);

        copy = *scenario;
        CHECK_TRUE(knob_set_text(&copy, ref, name, &error) == STATUS_OK, "%s = %s: %s",
                   ref.knob->key, name, error.message);
        knob_get_text(&copy, ref, text, sizeof text);
        CHECK_STR(text, name);
        CHECK_INT(knob_choice(&copy, ref), i);
        CHECK_TRUE(knob_set_number(&copy, ref, knob_number(&copy, ref), &error) == STATUS_OK,
                   "%s = %s by number: %s", ref.knob->key, name, error.message);
        CHECK_INT(knob_choice(&copy, ref), i);
    }
    copy = *scenario;
    CHECK_TRUE(knob_set_text(&copy, ref, "nonsense", &error) == STATUS_INVALID &&
                   knob_set_text(&copy, ref, "", &error) == STATUS_INVALID &&
                   knob_set_number(&copy, ref, 1000, &error) == STATUS_INVALID &&
                   knob_set_number(&copy, ref, -7, &error) == STATUS_INVALID,
               "%s takes what is no choice", ref.knob->key);
    CHECK_TRUE((knob_set_text(&copy, ref, "auto", &error) == STATUS_OK) == ref.knob->automatic,
               "%s and auto: %s", ref.knob->key, error.message);
    if (ref.knob->automatic)
        CHECK_INT(knob_choice(&copy, ref), -1);
}

static void choices_set_and_read_back(void)
{
    static struct scenario scenario;

    zoo(&scenario);
    each_ref(&scenario, visit_choices);
}

static void refused(struct scenario *scenario, const char *path, const char *value,
                    const char *sentence)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;
    char before[2304];
    char after[2304];

    if (!CHECK_TRUE(knob_find(scenario, path, &ref, &error) == STATUS_OK, "%s: %s", path,
                    error.message))
        return;
    knob_get_text(scenario, ref, before, sizeof before);
    CHECK_TRUE(knob_set_text(scenario, ref, value, &error) == STATUS_INVALID, "%s = %s is accepted",
               path, value);
    CHECK_STR(error.message, sentence);
    knob_get_text(scenario, ref, after, sizeof after);
    CHECK_STR(after, before);
}

static void refuses_with_a_sentence(void)
{
    static struct scenario scenario;

    zoo(&scenario);
    refused(&scenario, "device.c.cores", "0", "0 is out of range; allowed: 1 to 1024");
    refused(&scenario, "device.c.cores", "2.5", "2.5 is not a whole number; allowed: 1 to 1024");
    refused(&scenario, "device.c.cores", "many", "many is not a number; allowed: 1 to 1024");
    refused(&scenario, "device.c.cores", "8 cores",
            "\"cores\" follows the number, which has no unit");
    refused(&scenario, "device.c.clock", "50 GHz",
            "50 GHz is out of range; allowed: 0.1 GHz to 10 GHz");
    refused(&scenario, "device.c.clock", "3,2 GHz",
            "numbers are written with a point, not a comma");
    refused(&scenario, "device.c.nic", "10 GB/s",
            "GB/s counts bytes, this value is in bits (Gb/s)");
    refused(&scenario, "device.g.host_bandwidth", "900 Gb/s",
            "Gb/s counts bits, this value is in bytes (GB/s)");
    refused(&scenario, "component.camera.order", "spiral",
            "\"spiral\" is not allowed; allowed: raster, centre-out, edges-in, frame");
    refused(&scenario, "component.camera.order", "rastre",
            "\"rastre\" is not allowed; did you mean raster? Allowed: raster, centre-out, edges-in, "
            "frame");
    refused(&scenario, "component.transfer.link", "none",
            "\"none\" is not allowed; allowed: network, pcie");
    refused(&scenario, "component.reconstruction.after", "camera, ghost", "there is no component.ghost");
    refused(&scenario, "component.reconstruction.after", "cemera",
            "there is no component.cemera; did you mean camera?");
    refused(&scenario, "component.reconstruction.after", "reconstruction",
            "a component cannot wait for itself");
    refused(&scenario, "component.reconstruction.device", "h",
            "\"h\" is not allowed; did you mean c? Allowed: c, g");
    refused(&scenario, "device.c.preset", "amd-epyc-9654",
            "a preset is chosen from the catalogue");
    refused(&scenario, "scenario.title",
            "1234567890123456789012345678901234567890123456789012345678901234",
            "text of 64 bytes is too long; the most is 63");
}

static void not_found(const struct scenario *scenario, const char *path, const char *sentence)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    CHECK_TRUE(knob_find(scenario, path, &ref, &error) == STATUS_INVALID, "%s is found", path);
    CHECK_STR(error.message, sentence);
}

static void names_the_nearest(void)
{
    static struct scenario scenario;

    zoo(&scenario);
    not_found(&scenario, "devise.c.cores", "unknown section \"devise\"; did you mean device?");
    not_found(&scenario, "telescope.d", "unknown section \"telescope\"");
    not_found(&scenario, "", "unknown section \"\"");
    not_found(&scenario, "device.server.cores", "there is no device.server");
    not_found(&scenario, "component.camra.readout",
              "there is no component.camra; did you mean camera?");
    not_found(&scenario, "device.c.core", "unknown key \"core\"; did you mean cores?");
    not_found(&scenario, "ao.actuator", "unknown key \"actuator\"; did you mean actuators?");
    not_found(&scenario, "ao.mods", "unknown key \"mods\"; did you mean modes?");
    not_found(&scenario, "ao.diameter", "unknown key \"diameter\"; allowed: actuators, modes");
    not_found(&scenario, "ao.actuators.x", "unknown key \"actuators.x\"; did you mean actuators?");
    not_found(&scenario, "device.g.cores", "\"cores\" does not belong to a gpu");
    not_found(&scenario, "device.c.bus_bits", "\"bus_bits\" does not belong to a cpu");
    not_found(&scenario, "wfs.p.pixels_per_subap",
              "\"pixels_per_subap\" does not belong to a pyramid");
    not_found(&scenario, "component.camera.after", "\"after\" does not belong to a camera");
    not_found(&scenario, "component.dm.share", "\"share\" does not belong to a dm");
    not_found(&scenario, "device.c",
              "\"device.c\" names a section; a key must follow, as in device.rtc.cores");
    not_found(&scenario, "scenario",
              "\"scenario\" names a section; a key must follow, as in device.rtc.cores");
}

/* Sets of components --------------------------------------------------------------------------- */

static void component_lists(void)
{
    static struct scenario scenario;
    struct error error;
    struct knob_ref ref;
    char text[2304];

    zoo(&scenario);
    CHECK_INT(knob_find(&scenario, "component.custom.after", &ref, &error), STATUS_OK);
    design_set(&scenario, "component.custom.after", "dm, camera ,pyramid");
    knob_get_text(&scenario, ref, text, sizeof text);
    CHECK_STR(text, "camera, pyramid, dm");
    CHECK_INT(scenario_predecessors(&scenario, ref.index),
              1 << COMPONENT_CAMERA | 1 << COMPONENT_PYRAMID | 1 << COMPONENT_DM);
    design_set(&scenario, "component.custom.after", "none");
    knob_get_text(&scenario, ref, text, sizeof text);
    CHECK_STR(text, "none");
    CHECK_INT(scenario_predecessors(&scenario, ref.index), 0);
    design_set(&scenario, "component.custom.after", "auto");
    knob_get_text(&scenario, ref, text, sizeof text);
    CHECK_STR(text, "auto");
    CHECK_INT(scenario_predecessors(&scenario, ref.index), 1 << COMPONENT_DM);
}

/* Kinds ---------------------------------------------------------------------------------------- */

static void a_new_kind_starts_at_its_defaults(void)
{
    static struct scenario scenario;
    static struct scenario plain;
    struct error error;
    struct knob_ref ref;

    zoo(&scenario);
    design_set(&scenario, "device.c.clock", "3.1 GHz");
    design_set(&scenario, "device.c.cores", "64");
    design_set(&scenario, "device.c.sustained_memory", "0.7");
    design_set(&scenario, "device.c.kind", "gpu");
    CHECK_INT(knob_find(&scenario, "device.c.clock", &ref, &error), STATUS_OK);
    CHECK_NEAR(knob_number(&scenario, ref), 1410e6, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_ASSUMED);
    CHECK_INT(knob_find(&scenario, "device.c.sustained_memory", &ref, &error), STATUS_OK);
    CHECK_NEAR(knob_number(&scenario, ref), 0.7, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_SET);
    /* and back: what was of the other kind is gone, what both have stays */
    design_set(&scenario, "device.c.kind", "cpu");
    zoo(&plain);
    design_set(&plain, "device.c.sustained_memory", "0.7");
    design_set(&plain, "device.c.kind", "cpu");
    CHECK(memcmp(&scenario.device[0], &plain.device[0], sizeof plain.device[0]) == 0);
}

/* From every type to every other and back, nothing of the other stays. */
static void types_leave_nothing_behind(void)
{
    static struct scenario scenario;
    static struct scenario plain;
    const char *const *types = choices_of("type", SECTION_COMPONENT);
    struct draw draw = draw_start(23);

    for (int a = 0; a < COMPONENT_TYPE_COUNT; a++) {
        for (int b = 0; b < COMPONENT_TYPE_COUNT; b++) {
            struct error error;
            struct knob_ref ref = {SECTION_COMPONENT, a, NULL};

            zoo(&scenario);
            zoo(&plain);
            for EVERY_KNOB (k) {
                ref.knob = k;
                if (k->section == SECTION_COMPONENT && is_number(k) &&
                    knob_applies(&scenario, SECTION_COMPONENT, a, k))
                    knob_set_number(&scenario, ref, any_value(k, &draw), &error);
            }
            CHECK_INT(knob_find_key(&scenario, SECTION_COMPONENT, a, "type", &ref, &error),
                      STATUS_OK);
            knob_set_text(&scenario, ref, types[b], &error);
            for EVERY_KNOB (k) {
                struct knob_ref at = {SECTION_COMPONENT, a, k};

                if (k->section == SECTION_COMPONENT &&
                    knob_applies(&scenario, SECTION_COMPONENT, a, k) && k != ref.knob)
                    knob_reset(&scenario, at);
            }
            knob_set_text(&scenario, ref, types[a], &error);
            CHECK_TRUE(memcmp(&scenario.component[a], &plain.component[a],
                              sizeof plain.component[a]) == 0,
                       "a %s that was a %s is no longer a plain one", types[a], types[b]);
        }
    }
}

static void stated_by_a_preset(void)
{
    static struct scenario scenario;
    static struct scenario preset;
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;

    scenario_init(&preset);
    design_add(&preset, SECTION_DEVICE, "part");
    design_set(&preset, "device.part.cores", "96");
    design_set(&preset, "device.part.kind", "cpu");
    scenario_init(&scenario);
    design_add(&scenario, SECTION_DEVICE, "rtc");
    scenario.device[0].base = &preset.device[0];
    section_refresh(&scenario, SECTION_DEVICE, 0);

    CHECK_INT(knob_find(&scenario, "device.rtc.cores", &ref, &error), STATUS_OK);
    CHECK_NEAR(knob_number(&scenario, ref), 96, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_STATED);
    design_set(&scenario, "device.rtc.cores", "8");
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_SET);
    section_refresh(&scenario, SECTION_DEVICE, 0);
    CHECK_NEAR(knob_number(&scenario, ref), 8, 0);
    knob_reset(&scenario, ref);
    CHECK_NEAR(knob_number(&scenario, ref), 96, 0);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_STATED);
    CHECK_INT(knob_find(&scenario, "device.rtc.sockets", &ref, &error), STATUS_OK);
    CHECK_INT(knob_origin(&scenario, ref), ORIGIN_ASSUMED);
    snprintf(scenario.device[0].preset, sizeof scenario.device[0].preset, "part");
    refused(&scenario, "device.rtc.kind", "gpu", "preset part is a cpu; choose another preset first");
}

static void origins_have_names(void)
{
    CHECK_STR(origin_name(ORIGIN_SET), "set");
    CHECK_STR(origin_name(ORIGIN_STATED), "stated");
    CHECK_STR(origin_name(ORIGIN_ASSUMED), "assumed");
    CHECK_STR(origin_name(ORIGIN_AUTOMATIC), "automatic");
}

/* Printing ------------------------------------------------------------------------------------- */

static void prints_six_digits(void)
{
    static const struct {
        const char *path, *value, *text;
    } cases[] = {
        {"device.c.clock", "3.55 GHz", "3.55 GHz"},
        {"device.c.clock", "3.3333333333333 GHz", "3.33333 GHz"},
        {"scenario.overlap", "0.30000000000000004", "0.3"},
        {"ao.actuators", "5318", "5318"},
        {"ao.actuators", "200000", "200000"},
        {"device.g.units", "1000000", "1000000"},
        {"atmosphere.zenith", "45", "45 deg"},
        {"component.camera.readout", "0.1", "0.1 us"},
        {"component.camera.exposure", "0", "auto"},
        {"component.camera.order", "edges-in", "edges-in"},
        {"component.custom.flops", "8192000", "8192000 FLOP"},
    };
    static struct scenario scenario;

    zoo(&scenario);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct knob_ref ref;
        struct error error;
        char text[2304];

        design_set(&scenario, cases[i].path, cases[i].value);
        CHECK_INT(knob_find(&scenario, cases[i].path, &ref, &error), STATUS_OK);
        knob_print(&scenario, ref, text, sizeof text);
        CHECK_STR(text, cases[i].text);
    }
}

/* Every slider position prints what the step promises. */
static void visit_printed(struct scenario *scenario, struct knob_ref ref)
{
    struct error error;
    double si = is_number(ref.knob) ? knob_min(ref.knob) : 0;

    for (int i = 0; i < 60 && is_number(ref.knob); i++) {
        char text[2304];
        char *end;

        knob_set_number(scenario, ref, si, &error);
        knob_print(scenario, ref, text, sizeof text);
        if (strcmp(text, "auto") != 0) {
            double shown = strtod(text, &end);

            CHECK_TRUE(fabs(shown - in_unit(ref.knob, si)) <= 1e-9 * fabs(shown) && strlen(text) < 20,
                       "%s = %.17g is printed \"%s\"", ref.knob->key, si, text);
        }
        si = knob_step(ref.knob, si, 7);
    }
}

static void prints_every_step(void)
{
    static struct scenario scenario;

    zoo(&scenario);
    each_ref(&scenario, visit_printed);
}

static char *texts;
static size_t texts_used;
#define TEXTS_MAX 200000

static void visit_text(struct scenario *scenario, struct knob_ref ref)
{
    char one[2304];

    knob_get_text(scenario, ref, one, sizeof one);
    texts_used += (size_t)snprintf(texts + texts_used, TEXTS_MAX - texts_used, "%s|", one);
    knob_print(scenario, ref, one, sizeof one);
    texts_used += (size_t)snprintf(texts + texts_used, TEXTS_MAX - texts_used, "%s|", one);
    knob_allowed(scenario, ref, one, sizeof one);
    texts_used += (size_t)snprintf(texts + texts_used, TEXTS_MAX - texts_used, "%s\n", one);
}

static char *all_texts(struct scenario *scenario)
{
    texts = calloc(TEXTS_MAX, 1);
    texts_used = 0;
    if (CHECK(texts != NULL))
        each_ref(scenario, visit_text);
    return texts;
}

static void a_comma_locale_changes_nothing(void)
{
    static struct scenario scenario;
    const char *path = getenv("COMMA_LOCPATH");
    char *plain;
    char *comma;

    zoo(&scenario);
    plain = all_texts(&scenario);
    if (path != NULL)
        setenv("LOCPATH", path, 1);
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        printf("# no locale with a decimal comma, not tested\n");
    } else {
        comma = all_texts(&scenario);
        setlocale(LC_ALL, "C");
        CHECK_STR(comma, plain);
        free(comma);
    }
    unsetenv("LOCPATH");
    free(plain);
}

static const struct test tests[] = {
    {"rows are sound", rows_are_sound},
    {"keys are unique", keys_are_unique},
    {"rows fit the sets", rows_fit_the_sets},
    {"choices match their enums", choices_match_their_enums},
    {"defaults as designed", defaults_as_designed},
    {"steps up and down return", steps_up_and_down_return},
    {"steps land on the grid", steps_land_on_the_grid},
    {"positions rise and return", positions_rise_and_return},
    {"finds every path", finds_every_path},
    {"numbers set and read back", numbers_set_and_read_back},
    {"reset takes everything back", reset_takes_everything_back},
    {"choices set and read back", choices_set_and_read_back},
    {"refuses with a sentence", refuses_with_a_sentence},
    {"names the nearest", names_the_nearest},
    {"component lists", component_lists},
    {"a new kind starts at its defaults", a_new_kind_starts_at_its_defaults},
    {"types leave nothing behind", types_leave_nothing_behind},
    {"stated by a preset", stated_by_a_preset},
    {"origins have names", origins_have_names},
    {"prints six digits", prints_six_digits},
    {"prints every step", prints_every_step},
    {"a comma locale changes nothing", a_comma_locale_changes_nothing},
    {NULL, NULL},
};

const struct suite suite_knob = {.name = "knob", .tests = tests};
