#include "systems.h"

#include <stdio.h>

#include "check.h"
#include "design/scenario_file.h"
#include "draw.h"
#include "sample.h"

struct catalogue *systems_catalogue(void)
{
    static struct catalogue *catalogue;

    if (catalogue == NULL)
        catalogue = catalogue_open_embedded();
    return catalogue;
}

bool systems_load(struct scenario *scenario, const char *name)
{
    struct error error = {STATUS_OK, ""};
    const struct preset *preset = catalogue_find(systems_catalogue(), name, PRESET_DESIGNS, &error);
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    bool good = preset != NULL && scenario_parse(scenario, &document, preset->text, preset->length,
                                                 systems_catalogue(), &problems) == STATUS_OK;

    problems_free(&problems);
    document_free(document);
    return CHECK_TRUE(good, "%s: %s", name, preset == NULL ? error.message : "has problems");
}

void systems_each(void (*look)(const char *name, const struct scenario *scenario,
                               const struct result *result))
{
    static struct scenario scenario;
    struct catalogue *catalogue = systems_catalogue();
    int systems = 0;
    int seen = 0;

    for (int i = 0; i < catalogue_count(catalogue); i++) {
        const struct preset *preset = catalogue_at(catalogue, i);

        if (preset->kind != PRESET_AO || systems++ % draw_every(1) != 0 ||
            !systems_load(&scenario, preset->name) || !sample_evaluate(&scenario, sample_result()))
            continue;
        look(preset->name, &scenario, sample_result());
        seen++;
    }
    CHECK_TRUE(seen > 0, "there is no AO preset");
}

const struct device *systems_device(const char *id)
{
    const struct device *device = NULL;
    struct error error = {STATUS_OK, ""};
    char name[TEXT_MAX_LENGTH + 1];

    snprintf(name, sizeof name, "%s", id);
    for (char *at = name; *at != '\0'; at++)
        if (*at == '_')
            *at = '-';
    CHECK_TRUE(catalogue_device(systems_catalogue(), name, &device, &error) == STATUS_OK, "%s: %s",
               name, error.message);
    return device;
}
