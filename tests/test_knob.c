#include "design/knob.h"
#include "design/knob_text.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "check.h"
#include "sample.h"
#include "zoo.h"

TEST(rows_are_sound)
{
    for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
        struct unit unit;

        CHECK_TRUE(strlen(k->label) <= 16 && k->label[0] != '\0', "%s: label \"%s\"", k->key,
                   k->label);
        CHECK_TRUE(k->help[0] != '\0' && k->help[strlen(k->help) - 1] != '.' &&
                       strchr(k->help, '\n') == NULL,
                   "%s: help \"%s\"", k->key, k->help);
        CHECK_TRUE(unit_find(k->unit, &unit) == STATUS_OK, "%s: unit \"%s\"", k->key, k->unit);
        CHECK_TRUE(strspn(k->key, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(k->key),
                   "key \"%s\"", k->key);
        CHECK_TRUE(k->step > 0 || !zoo_is_number(k), "%s: step %g", k->key, k->step);
        CHECK_TRUE(k == knobs || k->section >= k[-1].section, "%s: sections are mixed", k->key);
        if (zoo_is_number(k))
            CHECK_TRUE(k->min <= k->max && ((k->fallback >= k->min && k->fallback <= k->max) ||
                                            (k->automatic && k->fallback <= k->min)),
                       "%s: default %g, range %g to %g", k->key, k->fallback, k->min, k->max);
        if (k->type == KNOB_INTEGER)
            CHECK_TRUE(k->min == floor(k->min) && k->max == floor(k->max) &&
                           k->fallback == floor(k->fallback) && unit.numerator == unit.denominator,
                       "%s is no whole number", k->key);
        if (zoo_is_number(k) && k->scale == SCALE_POWER2)
            CHECK_TRUE(k->min >= 1, "%s: a range of powers of two from %g", k->key, k->min);
    }
}

static bool reachable(const struct knob *a, const struct knob *b)
{
    return a->section == b->section && strcmp(a->key, b->key) == 0 &&
           (a->kinds == 0 || b->kinds == 0 || (a->kinds & b->kinds) != 0);
}

TEST(keys_are_unique)
{
    for (const struct knob *a = knobs; a < knobs + KNOB_COUNT; a++)
        for (const struct knob *b = a + 1; b < knobs + KNOB_COUNT; b++)
            CHECK_TRUE(!reachable(a, b), "%s.%s stands twice", section_name(a->section), a->key);
}

/* A set of a section's knobs has 128 places. */
TEST(rows_fit_the_sets)
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
    CHECK_INT(sum, KNOB_COUNT);
}

/* The order of the names is the order of the enums of scenario.h. */
TEST(choices_match_their_enums)
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
        const char *const *choices = zoo_choices(cases[i].section, cases[i].key);

        if (choices != NULL)
            CHECK_STR(choices[cases[i].value], cases[i].name);
    }
    for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
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
TEST(defaults_as_designed)
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
        {"wfs.s.kind", "shack-hartmann"},
        {"wfs.s.count", "1"},
        {"wfs.s.rate_divisor", "1"},
        {"wfs.s.subaps_across", "80"},
        {"wfs.s.obscuration", "0.28"},
        {"wfs.s.valid_subaps", "auto"},
        {"wfs.s.pixels_per_subap", "8"},
        {"wfs.s.detector_width", "auto"},
        {"wfs.s.bit_depth", "16 bit"},
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

    zoo_make(&scenario);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct knob_ref ref;
        struct error error;
        char text[2304];

        if (!CHECK_TRUE(knob_find(&scenario, cases[i].path, &ref, &error) == STATUS_OK, "%s: %s",
                        cases[i].path, error.message))
            continue;
        knob_get_text(&scenario, ref, text, sizeof text);
        CHECK_TRUE(strcmp(text, cases[i].text) == 0, "%s is \"%s\", expected \"%s\"", cases[i].path,
                   text, cases[i].text);
        knob_path(&scenario, ref, text, sizeof text);
        CHECK_STR(text, cases[i].path);
    }
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

TEST(finds_every_path)
{
    static struct scenario scenario;

    zoo_make(&scenario);
    CHECK(zoo_each(&scenario, visit_found) > KNOB_COUNT);
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

TEST(refuses_with_a_sentence)
{
    static struct scenario scenario;

    zoo_make(&scenario);
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
    refused(
        &scenario, "component.camera.order", "rastre",
        "\"rastre\" is not allowed; did you mean raster? Allowed: raster, centre-out, edges-in, "
        "frame");
    refused(&scenario, "component.transfer.link", "none",
            "\"none\" is not allowed; allowed: network, pcie");
    refused(&scenario, "component.reconstruction.after", "camera, ghost",
            "there is no component.ghost; there are camera, calibration, descramble, centroid, "
            "pyramid, "
            "reconstruction, control, transfer, dm, program, custom");
    refused(&scenario, "component.reconstruction.after", "cemera",
            "there is no component.cemera; did you mean camera?");
    refused(&scenario, "component.reconstruction.after", "reconstruction",
            "a component cannot wait for itself");
    refused(&scenario, "component.reconstruction.device", "h",
            "\"h\" is not allowed; did you mean c? Allowed: c, g");
    refused(&scenario, "component.reconstruction.device", "g, h, d",
            "there is no device.h; did you mean c?; nor is there d");
    refused(&scenario, "component.reconstruction.device", "g, c, g",
            "g is named twice; a device holds one part");
    refused(&scenario, "component.reconstruction.device", " , ", "\" , \" names no device");
    refused(&scenario, "component.control.device", "g, c",
            "only a reconstruction is split over several devices; name one");
    refused(&scenario, "device.c.preset", "amd-epyc-9654", "a preset is chosen from the catalogue");
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

#define SECTIONS "allowed: scenario, ao, atmosphere, wfs, device, component"

TEST(names_the_nearest)
{
    static struct scenario scenario;

    zoo_make(&scenario);
    not_found(&scenario, "devise.c.cores", "unknown section \"devise\"; did you mean device?");
    not_found(&scenario, "telescope.d", "unknown section \"telescope\"; " SECTIONS);
    not_found(&scenario, "", "unknown section \"\"; " SECTIONS);
    not_found(&scenario, "device.server.cores", "there is no device.server; there are c, g");
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

static int steps;

static void count_step(struct scenario *s, struct knob_ref ref)
{
    (void)s, (void)ref;
    steps++;
}

/* knob_next against the loops of zoo_each. */
TEST(next_visits_every_knob_once)
{
    static struct scenario zoo;
    struct knob_ref ref = {.knob = NULL};
    struct knob_ref before = ref;
    int count = 0;

    zoo_make(&zoo);
    zoo_each(&zoo, count_step);
    for (; knob_next(&zoo, &ref); before = ref, count++) {
        CHECK_TRUE(knob_applies(&zoo, ref.section, ref.index, ref.knob) &&
                       ref.knob->section == ref.section &&
                       ref.index < section_count(&zoo, ref.section),
                   "%s.%d %s", section_name(ref.section), ref.index, ref.knob->key);
        CHECK_TRUE(ref.section > before.section || ref.index > before.index ||
                       ref.knob > before.knob || count == 0,
                   "%s comes again", ref.knob->key);
    }
    CHECK_INT(count, steps);
}
