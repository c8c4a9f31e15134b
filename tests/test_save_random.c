/* Random designs: what is written reads back as the same design, and is written again without a
 * change. $AOLAG_SEED starts from another seed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/preset.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "files.h"

#define WALKS_PER_PRESET 1
#define STEPS 24

static struct scenario scenario;
static struct scenario again;

static const char *const titles[] = {
    "plain", "",    " ",   "a;b",         "a # b", "\"", "'", "\"\"",   "it's", "say \"x\"",
    "x\\",   "[a]", "a=b", "\xC3\x97 80", "= = =", ";",  "#", "tail ;", "none", "auto",
};

static struct knob_ref random_knob(uint64_t *state)
{
    while (true) {
        const struct knob *knob = &knobs[files_random(state, (uint32_t)KNOB_COUNT)];
        int count = section_count(&scenario, knob->section);
        int index = count == 0 ? 0 : (int)files_random(state, (uint32_t)count);

        if (count > 0 && knob_applies(&scenario, knob->section, index, knob))
            return (struct knob_ref){knob->section, index, knob};
    }
}

static void random_components(char *text, size_t size, int self, uint64_t *state)
{
    size_t used = 0;

    snprintf(text, size, "none");
    for (int i = 0; i < scenario.component_count; i++)
        if (i != self && files_random(state, 4) == 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     scenario.component[i].head.name);
}

/* Often refused: a device named twice, several where one is allowed. */
static void random_devices(char *text, size_t size, uint64_t *state)
{
    size_t used = 0;

    for (int i = scenario.device_count - 1; i >= 0 && used < size; i--)
        if (files_random(state, 2) == 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? "," : "",
                                     scenario.device[i].head.name);
}

static void random_value(struct knob_ref ref, uint64_t *state)
{
    char text[2400] = "auto";
    double at = files_random(state, 1001) / 1000.0;
    int choices = knob_choice_count(&scenario, ref);

    if (ref.knob->type == KNOB_PRESET) {
        int count = catalogue_count(files_catalogue());
        const struct preset *preset =
            catalogue_at(files_catalogue(), (int)files_random(state, (uint32_t)count));

        scenario_set_preset(&scenario, ref.index, files_catalogue(),
                            files_random(state, 8) == 0 ? "" : preset->name, NULL);
        return;
    }
    if (ref.knob->type == KNOB_NUMBER || ref.knob->type == KNOB_INTEGER) {
        if (ref.knob->type == KNOB_NUMBER && files_random(state, 2) == 0)
            knob_set_number(&scenario, ref,
                            knob_min(ref.knob) + at * (knob_max(ref.knob) - knob_min(ref.knob)),
                            NULL);
        else
            knob_set_number(&scenario, ref, knob_at(ref.knob, at), NULL);
        return;
    }
    if (ref.knob->type == KNOB_TEXT)
        snprintf(text, sizeof text, "%s",
                 titles[files_random(state, sizeof titles / sizeof titles[0])]);
    else if (ref.knob->type == KNOB_COMPONENTS)
        random_components(text, sizeof text, ref.index, state);
    else if (ref.knob->type == KNOB_DEVICES && files_random(state, 2) == 0)
        random_devices(text, sizeof text, state);
    else if (choices > 0 && files_random(state, 5) != 0)
        snprintf(text, sizeof text, "%s",
                 knob_choice_name(&scenario, ref, (int)files_random(state, (uint32_t)choices)));
    knob_set_text(&scenario, ref, text, NULL);
}

static void random_section(uint64_t *state)
{
    enum section section = (enum section)(SECTION_WFS + files_random(state, 3));
    int count = section_count(&scenario, section);
    char name[32];

    if (count > 0 && files_random(state, 2) == 0) {
        scenario_remove(&scenario, section, (int)files_random(state, (uint32_t)count), NULL);
        return;
    }
    /* few names, so that one that went comes back somewhere else */
    snprintf(name, sizeof name, "%s",
             (const char *[]){"gpu0", "gpu1", "dm", "recon", "ngs", "new-1",
                              "new-2"}[files_random(state, 7)]);
    scenario_insert(&scenario, section, (int)files_random(state, (uint32_t)count + 1), name, NULL);
}

static void step(uint64_t *state)
{
    struct knob_ref ref;

    switch (files_random(state, 7)) {
    case 0:
        random_section(state);
        break;
    case 1:
        ref = random_knob(state);
        knob_reset(&scenario, ref);
        break;
    case 2:
        ref = random_knob(state);
        if (ref.section == SECTION_DEVICE && ref.knob->type != KNOB_PRESET &&
            knob_is_own(&scenario, ref))
            knob_set_origin_text(&scenario, ref,
                                 origin_name((enum origin)(ORIGIN_STATED + files_random(state, 4))),
                                 NULL);
        break;
    default:
        ref = random_knob(state);
        random_value(ref, state);
        break;
    }
}

/* Writes the scenario into `document` and compares what that says. */
static bool check_written(const struct document *document, const char *where)
{
    struct document *read = NULL;
    size_t length = 0;
    size_t second_length = 0;
    char *text = scenario_text(&scenario, document, &length);
    char *second = NULL;
    bool good = CHECK(text != NULL) && files_parse(text, &again, &read) &&
                files_same(&again, &scenario, where);

    if (good) {
        second = scenario_text(&again, read, &second_length);
        good = CHECK_STR(second, text);
    }
    if (!good)
        printf("# %s\n%s\n", where, text == NULL ? "" : text);
    document_free(read);
    free(second);
    free(text);
    return good;
}

static bool walk(const struct preset *preset, uint64_t *state)
{
    struct document *document = NULL;
    bool good = files_parse(preset->text, &scenario, &document);
    char where[128];

    for (int i = 0; i < STEPS && good; i++) {
        snprintf(where, sizeof where, "%s, step %d", preset->name, i);
        step(state);
        good = check_written(document, where) && (i % 8 != 0 || check_written(NULL, where));
    }
    document_free(document);
    return good;
}

TEST(random_designs_survive_a_save)
{
    const char *given = getenv("AOLAG_SEED");
    uint64_t state = given == NULL ? 4711 : strtoull(given, NULL, 0) + 1;
    bool good = true;

    printf("# seed %" PRIu64 "\n", state);
    for (int i = 0; i < catalogue_count(files_catalogue()) && good; i++) {
        const struct preset *preset = catalogue_at(files_catalogue(), i);

        for (int n = 0; n < WALKS_PER_PRESET && preset->kind == PRESET_AO && good; n++)
            good = walk(preset, &state);
    }
}

SUITE(files_open, files_close)
