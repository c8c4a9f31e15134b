#include "systems.h"

#include "check.h"
#include "preset.h"
#include "sample.h"
#include "scenario_ini.h"

static bool load(struct catalogue *catalogue, const struct preset *preset,
                 struct scenario *scenario)
{
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    bool good = scenario_parse(scenario, &document, preset->text, preset->length, catalogue,
                               &problems) == STATUS_OK;

    problems_free(&problems);
    document_free(document);
    return CHECK_TRUE(good, "%s has problems", preset->name);
}

void systems_each(void (*look)(const char *name, const struct scenario *scenario,
                               const struct result *result))
{
    static struct scenario scenario;
    struct catalogue *catalogue;
    struct error error;
    int seen = 0;

    if (!CHECK_INT(catalogue_open_embedded(&catalogue, &error), STATUS_OK))
        return;
    for (int i = 0; i < catalogue_count(catalogue); i++) {
        const struct preset *preset = catalogue_at(catalogue, i);

        if (preset->kind != PRESET_AO || !load(catalogue, preset, &scenario) ||
            !sample_evaluate(&scenario, sample_result()))
            continue;
        look(preset->name, &scenario, sample_result());
        seen++;
    }
    CHECK_TRUE(seen > 0, "there is no AO preset");
    catalogue_close(catalogue);
}
