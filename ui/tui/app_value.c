#include "model/knob_effect.h"
#include "tui/app_state.h"
#include "tui/widget.h"

/* The result, where it is that of the present design. */
static const struct result *result_of(const struct app *app)
{
    return app->evaluated && app->problem.status == STATUS_OK ? &app->result : NULL;
}

double design_number(const struct app *app, struct knob_ref ref)
{
    double value = knob_number_in_force(&app->scenario, result_of(app), ref);

    return value == RESULT_NONE ? 0 : value;
}

void design_value(const struct app *app, struct knob_ref ref, char *text, size_t size)
{
    knob_print_in_force(&app->scenario, result_of(app), ref, text, size);
    text_micro(text, size);
}

double design_baseline_position(const struct app *app, struct knob_ref ref)
{
    const struct scenario *base = &app->baseline.scenario;
    struct knob_ref there = ref;

    if (!app->baseline.pinned || !knob_is_number(ref.knob))
        return -1;
    there.index = section_find(base, ref.section,
                               section_head_const(&app->scenario, ref.section, ref.index)->name);
    if (there.index < 0 || !knob_applies(base, there.section, there.index, there.knob) ||
        knob_left_open(ref.knob, knob_number(base, there)))
        return -1;
    return knob_position(ref.knob, knob_number(base, there));
}
