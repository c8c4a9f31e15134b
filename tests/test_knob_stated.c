/* Stating the automatic value that is shown changes nothing. */
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "draw.h"
#include "model/evaluate.h"
#include "model/knob_effect.h"
#include "random_design.h"
#include "sample.h"
#include "systems.h"

static struct scenario other;
static struct result stated;
static int count;

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)) + 1e-12;
}

/* States the value in force of an automatic knob; false: it states one, or none is known. */
static bool state_value(const struct scenario *design, const struct result *result,
                        struct knob_ref ref)
{
    double value;
    int choice;

    scenario_copy(&other, design);
    if (knob_is_number(ref.knob)) {
        value = knob_number_in_force(design, result, ref);
        return knob_is_auto(ref.knob, knob_number(design, ref)) && value != RESULT_NONE &&
               !knob_is_auto(ref.knob, value) &&
               knob_set_number(&other, ref, value, NULL) == STATUS_OK;
    }
    if (ref.knob->type == KNOB_TEXT || !ref.knob->automatic || knob_choice(design, ref) >= 0)
        return false;
    choice = knob_choice_in_force(design, result, ref);
    return choice >= 0 &&
           knob_set_text(&other, ref, knob_choice_name(design, ref, choice), NULL) == STATUS_OK;
}

/* A stated share or number of workers is no longer there for the others of its device. */
static bool divides(struct knob_ref ref)
{
    return ref.knob == &knobs[KNOB_COMPONENT_SHARE] || ref.knob == &knobs[KNOB_COMPONENT_WORKERS];
}

static void check_design(const char *name, const struct scenario *design,
                         const struct result *result)
{
    struct knob_ref ref = {.knob = NULL};

    while (knob_next(design, &ref)) {
        struct error error = {STATUS_OK, ""};
        char path[96], text[2304];
        enum status status;

        if (!ref.knob->automatic || divides(ref) || !state_value(design, result, ref))
            continue;
        knob_path(design, ref, path, sizeof path);
        knob_print_in_force(design, result, ref, text, sizeof text);
        status = evaluate(&other, &stated, &error);
        if (!CHECK_TRUE(status == STATUS_OK, "%s: %s = %s: %s", name, path, text, error.message))
            continue;
        count++;
        CHECK_TRUE(near(stated.latency, result->latency) && stated.overloaded == result->overloaded,
                   "%s: %s = %s: %g us, load %g; stated %g us, load %g", name, path, text,
                   1e6 * result->latency, result->load, 1e6 * stated.latency, stated.load);
    }
}

TEST(of_systems)
{
    count = 0;
    systems_each(check_design);
    CHECK_TRUE(count > 1000 / draw_every(1), "%d values", count);
}

TEST(of_random_designs)
{
    static struct scenario scenario;
    int evaluated = 0;

    count = 0;
    for (uint64_t seed = 1; seed <= 2000 && evaluated < draw_repeat(60); seed++) {
        struct draw draw = draw_start(seed);
        char name[40];

        random_design(&draw, &scenario);
        if (evaluate(&scenario, sample_result(), NULL) != STATUS_OK)
            continue;
        snprintf(name, sizeof name, "design %u", (unsigned)seed);
        check_design(name, &scenario, sample_result());
        evaluated++;
    }
    CHECK_TRUE(count > 10 * evaluated, "%d values of %d designs", count, evaluated);
}

static int start(void)
{
    result_init(&stated);
    return 0;
}

static int end(void)
{
    result_free(&stated);
    return 0;
}

SUITE(start, end)
