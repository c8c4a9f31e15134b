#include "design/notices.h"

#include <stdio.h>
#include <string.h>

#include "design/knob_text.h"

/* What a rule applies to. */
struct place {
    const struct document *document;
    int device;
    struct knob_ref at; /* the key that a rule found; of an alias its first knob */
};

static bool states_device(const struct place *place, enum knob_id id)
{
    return knob_is_own(&place->document->loaded, knob_ref_to(id, place->device));
}

static bool states_launch(struct place *place)
{
    place->at = knob_ref_to(KNOB_DEVICE_LAUNCH, place->device);
    return states_device(place, KNOB_DEVICE_LAUNCH) &&
           !states_device(place, KNOB_DEVICE_BOUNDARY) &&
           !states_device(place, KNOB_DEVICE_DISPATCH_CPU) &&
           !states_device(place, KNOB_DEVICE_DISPATCH_GPU);
}

/* Finds the first component of a shared device that states its part of it. */
static bool is_partitioned(struct place *place)
{
    static const enum knob_id parts[] = {KNOB_COMPONENT_WORKERS, KNOB_COMPONENT_SHARE};
    const struct scenario *scenario = &place->document->loaded;
    int sharers = 0;
    bool states = false;

    for (int c = 0; c < scenario->component_count; c++) {
        if (scenario_device(scenario, c) != place->device)
            continue;
        sharers++;
        for (size_t p = 0; p < sizeof parts / sizeof parts[0] && !states; p++) {
            place->at = knob_ref_to(parts[p], c);
            states = knob_is_own(scenario, place->at);
        }
    }
    return states && sharers > 1 && !knob_is_own(scenario, knob_ref_to(KNOB_SCENARIO_SHARING, 0));
}

static bool states_driver(struct place *place)
{
    const struct ini *ini = &place->document->ini;
    const struct ini_section *section;
    char path[64];

    place->at = knob_ref_to(KNOB_DEVICE_INGRESS_LATENCY, place->device);
    section_path(&place->document->loaded, SECTION_DEVICE, place->device, path, sizeof path);
    section = ini_find_section(ini, path);
    return section != NULL && ini_find_key(ini, section, place->at.knob->alias) != NULL;
}

static const struct notice_rule {
    bool (*applies)(struct place *place);
    bool alias; /* the file has the alias of the knob found */
    const char *sentence;
} rules[] = {
    {.applies = states_launch,
     .sentence = "now a delay once per visit, which does not occupy the device; boundary is the "
                 "time of a kernel or a barrier that does"},
    {.applies = is_partitioned,
     .sentence = "its device stays partitioned; devices are now exclusive where sharing and such "
                 "parts are not stated"},
    {.applies = states_driver,
     .alias = true,
     .sentence = "sets ingress_latency and egress_latency, which now count for cameras, too"},
};

static void add_notice(const struct place *place, const struct notice_rule *rule, int others,
                       struct problems *notices)
{
    char path[96];
    char sentence[ERROR_MESSAGE_MAX];
    char more[32] = "";

    section_path(&place->document->loaded, place->at.section, place->at.index, path, sizeof path);
    if (others > 0)
        snprintf(more, sizeof more, " (and %d more)", others);
    snprintf(sentence, sizeof sentence, "%s.%s: %s%s", path,
             rule->alias ? place->at.knob->alias : place->at.knob->key, rule->sentence, more);
    problems_add(notices, document_line(place->document, sentence), "%s", sentence);
}

/* Knobs that did not exist in earlier versions, in sections of their kind. */
static bool states_new(const struct scenario *scenario)
{
    static const enum knob_id keys[] = {KNOB_SCENARIO_PUBLISHED_LATENCY,
                                        KNOB_DEVICE_DISPATCH_CPU,
                                        KNOB_DEVICE_DISPATCH_GPU,
                                        KNOB_DEVICE_BOUNDARY,
                                        KNOB_DEVICE_ENQUEUE,
                                        KNOB_DEVICE_HANDOVER,
                                        KNOB_DEVICE_SOFTWARE,
                                        KNOB_DEVICE_FRAMEWORK,
                                        KNOB_DEVICE_LEGACY,
                                        KNOB_DEVICE_COPY,
                                        KNOB_DEVICE_COPY_LATENCY,
                                        KNOB_DEVICE_PEER_LINK,
                                        KNOB_DEVICE_STAGE_LATENCY,
                                        KNOB_DEVICE_OS,
                                        KNOB_DEVICE_MEMORY_SIZE,
                                        KNOB_DEVICE_INGRESS,
                                        KNOB_DEVICE_DATAGRAM_TIME,
                                        KNOB_DEVICE_EGRESS,
                                        KNOB_COMPONENT_OPERATORS,
                                        KNOB_COMPONENT_PROCESS,
                                        KNOB_COMPONENT_THREAD};

    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        for (int i = 0; i < section_count(scenario, knobs[keys[k]].section); i++)
            if (knob_is_own(scenario, knob_ref_to(keys[k], i)))
                return true;
    return false;
}

/* Returns true for a copy of a preset of this version. */
static bool is_preset(const struct document *document, const struct catalogue *catalogue)
{
    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);

        if (preset->path == NULL && preset->length == document->ini.length &&
            memcmp(preset->text, document->ini.bytes, preset->length) == 0)
            return true;
    }
    return false;
}

/* Returns true if a file may be of an earlier version, with other defaults: it is no preset and
 * states nothing that did not exist there. */
static bool may_be_old(const struct document *document, const struct catalogue *catalogue)
{
    const struct scenario *scenario = &document->loaded;

    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_device_used(scenario, d))
            return !states_new(scenario) && !is_preset(document, catalogue);
    return false;
}

static void add_old_defaults(const struct document *document, struct problems *notices)
{
    static const char sentence[] =
        "scenario.format: the defaults of sharing, dispatch, ports and copies are not those of "
        "earlier versions; a device that states os, dispatch or ingress confirms them";

    problems_add(notices, document_line(document, sentence), "%s", sentence);
}

void notices_find(const struct document *document, const struct catalogue *catalogue, bool all,
                  struct problems *notices)
{
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        struct place first = {document, -1, {SECTION_DEVICE, 0, NULL}};
        int found = 0;

        for (int d = 0; d < document->loaded.device_count; d++) {
            struct place place = {document, d, {SECTION_DEVICE, 0, NULL}};

            if (!rules[r].applies(&place))
                continue;
            if (all)
                add_notice(&place, &rules[r], 0, notices);
            else if (found++ == 0)
                first = place;
        }
        if (found > 0)
            add_notice(&first, &rules[r], found - 1, notices);
    }
    if (all && may_be_old(document, catalogue))
        add_old_defaults(document, notices);
    problems_sort(notices);
}
