#include <stddef.h>
#include <stdlib.h>

#include "app_fixture.h"
#include "check.h"

static void presets_replace_devices(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_show(&f, "device.gpu0.bus_bits");
    fixture_press(&f, "p");
    fixture_shows(&f, "Presets for device.gpu0");
    fixture_shows(&f, "TFLOP/s");
    fixture_type(&f, "h100 sxm");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "device.gpu0.preset"), "nvidia-h100-sxm");
    fixture_press(&f, "u");
    CHECK_STR(fixture_value(&f, "device.gpu0.preset"), "nvidia-a100-80gb-sxm");
    fixture_close(&f);
}

static void preset(struct fixture *f, const char *name)
{
    fixture_press(f, ":");
    fixture_type(f, "preset ");
    fixture_type(f, name);
    fixture_press(f, "Enter");
}

static void presets_say_what_they_change(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_show(&f, "device.rtc.sockets");
    fixture_press(&f, "p");
    for (int i = 0; i < f.app->picker.count; i++)
        CHECK_INT(catalogue_at(f.catalogue, f.app->picker.items[i].id)->kind, PRESET_CPU);
    fixture_press(&f, "Esc");
    preset(&f, "intel-xeon");
    CHECK_INT(f.app->mode, MODE_LIST);
    CHECK_STR(f.app->picker.filter.text, "intel xeon");
    CHECK(f.app->picker.list.count > 0);
    fixture_press(&f, "Esc");
    preset(&f, "amd-epyc-96545");
    fixture_shows(&f, "amd-epyc-9654");
    CHECK_INT(f.app->mode, MODE_LINE);
    fixture_press(&f, "Esc Right");
    fixture_show(&f, "device.rtc.clock");
    fixture_press(&f, "Right");
    preset(&f, "amd-epyc-9654");
    fixture_shows(&f, "cleared: sockets, clock");
    preset(&f, "nvidia-h100-sxm");
    fixture_shows(&f, "rtc is a gpu now");
    fixture_close(&f);
}

static void parts_come_and_go(void)
{
    struct fixture f;
    char *before;
    char *after;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    before = fixture_text(&f);
    fixture_press(&f, "a");
    fixture_type(&f, "gpu");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "name of the new gpu device: gpu1");
    fixture_type(&f, "Bad Name");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "is not a name");
    fixture_press(&f, "C-u");
    fixture_type(&f, "gpu7");
    fixture_press(&f, "Enter");
    CHECK_INT(section_find(&f.app->host.design.scenario, SECTION_DEVICE, "gpu7"), 2);
    fixture_press(&f, "d");
    CHECK_INT(f.app->host.design.scenario.device_count, 2);
    host_show_knob(&f.app->host, SECTION_DEVICE, 0, NULL, false);
    fixture_press(&f, "d");
    fixture_shows(&f, "cannot be removed: component.");
    CHECK_INT(f.app->host.design.scenario.device_count, 2);
    fixture_press(&f, "u u");
    after = fixture_text(&f);
    CHECK_STR(after, before);
    free(before);
    free(after);
    fixture_close(&f);
}

static void add(struct fixture *f, const char *kind)
{
    fixture_press(f, "a");
    fixture_type(f, kind);
    fixture_press(f, "Enter Enter");
}

/* Who waited for whom still does; the new component waits for the one above it. */
static void new_components_rewire_nothing(void)
{
    struct fixture f;
    char *before;
    char *after;
    int at;

    if (!fixture_open(&f, "elt-scao", 24, 80))
        return;
    before = fixture_text(&f);
    at = section_find(&f.app->host.design.scenario, SECTION_COMPONENT, "calibration");
    host_show_knob(&f.app->host, SECTION_COMPONENT, at, NULL, false);
    add(&f, "custom");
    fixture_shows(&f, "added custom after calibration; slopes still waits for calibration");
    CHECK_INT(section_find(&f.app->host.design.scenario, SECTION_COMPONENT, "custom"), at + 1);
    CHECK_STR(fixture_value(&f, "component.custom.after"), "auto");
    CHECK_STR(fixture_value(&f, "component.slopes.after"), "calibration");
    CHECK_INT(f.app->host.design.history.position, 1);
    add(&f, "custom");
    fixture_shows(&f, "added custom2 after custom");
    fixture_hides(&f, "still waits");
    host_show_knob(&f.app->host, SECTION_DEVICE, 0, NULL, false);
    add(&f, "camera");
    fixture_shows(&f, "added camera2 after camera; calibration still waits for camera");
    CHECK_STR(fixture_value(&f, "component.calibration.after"), "camera");
    fixture_press(&f, "u u u");
    after = fixture_text(&f);
    CHECK_STR(after, before);
    free(before);
    free(after);
    fixture_close(&f);
}

static void removal_names_who_needs_it(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 24, 120))
        return;
    fixture_press(&f, ":");
    fixture_type(&f, "set component.slopes.device=gpu0 component.control.device=gpu0");
    fixture_press(&f, "Enter");
    host_show_knob(&f.app->host, SECTION_DEVICE, 1, NULL, false);
    fixture_press(&f, "d");
    fixture_shows(&f, "device.gpu0 cannot be removed: component.slopes, component.recon and "
                      "component.control name it");
    fixture_close(&f);
}

/* Arrows go from device to device; a list is typed, and says what is wrong with it. */
static void devices_are_listed(void)
{
    static const char *const arrows[] = {"Right", "Left", "Home", "End"};
    struct fixture f;

    if (!fixture_open(&f, "metis-scao", 36, 120) || !fixture_show(&f, "component.recon.device"))
        return;
    fixture_shows(&f, "\xE2\x80\xB9gpu0, gpu1\xE2\x80\xBA");
    fixture_shows(&f, "2 parts");
    fixture_shows(&f, "\xE2\x97\x86 recon");
    fixture_shows(&f, "\xE2\x97\x86   @gpu0");
    /* one key takes no list away that only typing brings back */
    for (size_t i = 0; i < sizeof arrows / sizeof arrows[0]; i++) {
        fixture_press(&f, arrows[i]);
        CHECK_STR(fixture_value(&f, "component.recon.device"), "gpu0, gpu1");
        fixture_shows(&f, "several devices are a list: Enter edits it");
    }
    fixture_press(&f, "Enter");
    fixture_shows(&f, "names of devices, separated by commas: rtc, gpu0, gpu1");
    fixture_press(&f, "C-u");
    fixture_type(&f, "gpu1");
    fixture_press(&f, "Enter Left Left");
    CHECK_STR(fixture_value(&f, "component.recon.device"), "rtc");
    fixture_press(&f, "Enter C-u");
    fixture_type(&f, "gpu1 rt");
    fixture_press(&f, "Tab Enter");
    CHECK_STR(fixture_value(&f, "component.recon.device"), "rtc, gpu1");
    fixture_shows(&f, "@rtc");
    fixture_press(&f, "Enter C-u");
    fixture_type(&f, "gpu1, gpu3");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "there is no device.gpu3; did you mean gpu0?");
    fixture_press(&f, "Esc");
    /* from a part to the knobs of its component */
    snprintf(f.app->explore.node, sizeof f.app->explore.node, "recon@gpu1");
    f.app->explore.pane = PLACE_COMPONENTS;
    fixture_press(&f, "Enter");
    CHECK_INT(f.app->explore.pane, PLACE_KNOBS);
    CHECK_INT(tree_row(&f.app->explore.tree)->section, SECTION_COMPONENT);
    CHECK_INT(tree_row(&f.app->explore.tree)->index,
              section_find(&f.app->host.design.scenario, SECTION_COMPONENT, "recon"));
    host_show_knob(&f.app->host, SECTION_DEVICE, 2, NULL, false);
    fixture_press(&f, "d");
    fixture_shows(&f, "device.gpu1 cannot be removed: component.recon names it");
    /* one device is all another type of component has */
    fixture_press(&f, ":");
    fixture_type(&f, "set component.recon.type=control");
    fixture_press(&f, "Enter");
    CHECK_STR(fixture_value(&f, "component.recon.device"), "rtc");
    fixture_press(&f, "u");
    CHECK_STR(fixture_value(&f, "component.recon.device"), "rtc, gpu1");
    fixture_close(&f);
}

static const struct test tests[] = {
    {"presets replace devices", presets_replace_devices},
    {"presets say what they change", presets_say_what_they_change},
    {"parts come and go", parts_come_and_go},
    {"new components rewire nothing", new_components_rewire_nothing},
    {"removal names who needs it", removal_names_who_needs_it},
    {"devices are listed", devices_are_listed},
    {NULL, NULL},
};

const struct suite suite_app_structure = {.name = "app_structure", .tests = tests};
