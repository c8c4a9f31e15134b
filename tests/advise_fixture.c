#include "advise_fixture.h"
#include "design/knob_text.h"

#include "check.h"
#include "sample.h"
#include "systems.h"

const char *const advise_systems[ADVISE_SYSTEMS] = {"elt-scao", "harmoni-ltao", "metis-scao"};

struct scenario advise_design, advise_changed;

const struct part_values *advise_part_values(void)
{
    static struct part_values *part_values;

    if (part_values == NULL)
        part_values = part_values_new(systems_catalogue());
    return part_values;
}

struct advise *advise_on(const struct scenario *design)
{
    struct error error = {STATUS_OK, ""};
    struct advise *advise = NULL;

    CHECK_TRUE(advise_new(&advise, design, advise_part_values(), NULL, &error) == STATUS_OK, "%s",
               error.message);
    return advise;
}

bool advise_has(struct advise *advise, enum advise_part part)
{
    struct error error = {STATUS_OK, ""};

    return CHECK_TRUE(advise_find(advise, part, NULL, &error) == STATUS_OK, "%s", error.message);
}

struct advise *advise_system(const char *name, enum advise_part part, double target)
{
    struct advise *advise;

    if (!systems_load(&advise_design, name))
        return NULL;
    if (target > 0)
        sample_number(&advise_design, "scenario.target_latency", target);
    advise = advise_on(&advise_design);
    if (advise != NULL)
        advise_has(advise, part);
    return advise;
}

struct knob_ref advise_knob(const char *path)
{
    struct knob_ref ref = {SECTION_SCENARIO, 0, knobs};
    struct error error = {STATUS_OK, ""};

    CHECK_TRUE(knob_find(&advise_design, path, &ref, &error) == STATUS_OK, "%s", error.message);
    return ref;
}

double advise_check(const char *what, const struct performance *verdict)
{
    struct result result;
    double latency = RESULT_NONE;

    if (!sample_evaluate_fresh(&advise_changed, &result)) {
        result_free(&result);
        return latency;
    }
    latency = result.latency;
    CHECK_TRUE(verdict->latency == result.latency, "%s: latency expected %.17g, got %.17g", what,
               result.latency, verdict->latency);
    CHECK_TRUE(verdict->first_pixel == result.first_pixel, "%s: first pixel", what);
    CHECK_TRUE(verdict->max_frame_rate == result.max_frame_rate, "%s: rate", what);
    CHECK_TRUE(verdict->overloaded == result.overloaded, "%s: overload", what);
    CHECK_TRUE(verdict->met == (!result.overloaded && result.latency <= result.target),
               "%s: target %.17g, latency %.17g, met %d", what, result.target, result.latency,
               verdict->met);
    CHECK_STR(verdict->bound, result.bound_node < 0 ? "" : result.node[result.bottleneck].name);
    result_free(&result);
    return latency;
}

void advise_set(struct knob_ref ref, const char *value)
{
    struct error error = {STATUS_OK, ""};

    CHECK_TRUE(part_values_set(advise_part_values(), &advise_changed, ref, value, &error) ==
                   STATUS_OK,
               "%s: %s", ref.knob->key, error.message);
}
