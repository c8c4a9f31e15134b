#include "zoo.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "check.h"
#include "design/scenario_edit.h"
#include "sample.h"

bool zoo_is_number(const struct knob *knob)
{
    return knob->type == KNOB_NUMBER || knob->type == KNOB_INTEGER;
}

const char *const *zoo_choices(enum section section, const char *key)
{
    for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++)
        if (k->section == section && strcmp(k->key, key) == 0)
            return k->choices;
    CHECK_TRUE(false, "no key %s", key);
    return NULL;
}

double zoo_value(const struct knob *knob, struct draw *draw)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};
    double low = knob->min > 0 ? knob->min : knob->step;
    double value = knob->scale == SCALE_LINEAR ? draw_between(draw, knob->min, knob->max)
                                               : draw_log(draw, low, knob->max);

    if (draw_chance(draw, 0.1))
        value = draw_chance(draw, 0.5) ? knob->min : knob->max;
    if (knob->type == KNOB_INTEGER)
        value = round(value);
    unit_find(knob->unit, &unit);
    return value * unit.numerator / unit.denominator;
}

void zoo_make(struct scenario *scenario)
{
    static const char *const devices[] = {"c", "g", "f"};
    static const char *const sensors[] = {"s", "p"};

    scenario_init(scenario);
    for (int i = 0; i < 2; i++)
        sample_add(scenario, SECTION_WFS, sensors[i]);
    for (int i = 0; i < 3; i++)
        sample_add(scenario, SECTION_DEVICE, devices[i]);
    sample_set(scenario, "wfs.p.kind", "pyramid");
    sample_set(scenario, "device.g.kind", "gpu");
    sample_set(scenario, "device.f.kind", "fpga");
    for (int t = 0; t < COMPONENT_TYPE_COUNT; t++) {
        const char *type = zoo_choices(SECTION_COMPONENT, "type")[t];

        sample_component(scenario, type, type);
    }
}

int zoo_each(struct scenario *scenario, void (*visit)(struct scenario *, struct knob_ref))
{
    int count = 0;

    for (const struct knob *k = knobs; k < knobs + KNOB_COUNT; k++) {
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
