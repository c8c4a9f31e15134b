#include "design/scenario.h"
#include "design/scenario_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "draw.h"
#include "sample.h"

/* A scenario's references by name, as slow and plain as can be: what insertion and removal must
 * leave as it is, whatever becomes of the numbers. */
#define NONE "-"

struct naive_component {
    char name[NAME_MAX_LENGTH + 1];
    char wfs[NAME_MAX_LENGTH + 1];
    char device[NAME_MAX_LENGTH + 1];
    char other[NAME_MAX_LENGTH + 1]; /* a second device */
    char after[COMPONENT_MAX][NAME_MAX_LENGTH + 1];
    int after_count;
};

struct naive_device {
    char name[NAME_MAX_LENGTH + 1];
    char host[NAME_MAX_LENGTH + 1];
};

struct naive {
    char wfs[WFS_MAX][NAME_MAX_LENGTH + 1];
    struct naive_device device[DEVICE_MAX];
    struct naive_component component[COMPONENT_MAX];
    int count[SECTION_COUNT];
};

static void make_room(void *first, size_t size, int count, int at)
{
    memmove((char *)first + size * (size_t)(at + 1), (char *)first + size * (size_t)at,
            size * (size_t)(count - at));
    memset((char *)first + size * (size_t)at, 0, size);
}

static void close_gap(void *first, size_t size, int count, int at)
{
    memmove((char *)first + size * (size_t)at, (char *)first + size * (size_t)(at + 1),
            size * (size_t)(count - at - 1));
}

static void *instances(struct naive *naive, enum section section, size_t *size)
{
    if (section == SECTION_WFS) {
        *size = sizeof naive->wfs[0];
        return naive->wfs;
    }
    if (section == SECTION_DEVICE) {
        *size = sizeof naive->device[0];
        return naive->device;
    }
    *size = sizeof naive->component[0];
    return naive->component;
}

static char *name_at(struct naive *naive, enum section section, int at)
{
    size_t size;
    char *first = instances(naive, section, &size);

    return first + size * (size_t)at; /* names stand first in all of them */
}

static void naive_insert(struct naive *naive, enum section section, int at, const char *name)
{
    size_t size;
    void *first = instances(naive, section, &size);

    make_room(first, size, naive->count[section]++, at);
    strcpy(name_at(naive, section, at), name);
    if (section == SECTION_DEVICE)
        strcpy(naive->device[at].host, NONE);
    if (section == SECTION_COMPONENT) {
        strcpy(naive->component[at].wfs, NONE);
        strcpy(naive->component[at].device, NONE);
        strcpy(naive->component[at].other, NONE);
    }
}

struct naming {
    char names[4 * 64];
    int count;
};

static void name_one(struct naming *naming, const char *kind, const char *name)
{
    if (naming->count++ < 4)
        sprintf(naming->names + strlen(naming->names), "%s%s.%s", naming->count > 1 ? ", " : "",
                kind, name);
}

/* "component.a, component.b and component.c name it", "" for nobody; components first, in order. */
static void naive_referrers(struct naive *naive, enum section section, const char *name, char *who)
{
    struct naming naming = {"", 0};
    char *last;

    for (int c = 0; c < naive->count[SECTION_COMPONENT]; c++) {
        const struct naive_component *component = &naive->component[c];
        bool named = (section == SECTION_WFS && strcmp(component->wfs, name) == 0) ||
                     (section == SECTION_DEVICE && (strcmp(component->device, name) == 0 ||
                                                    strcmp(component->other, name) == 0));

        for (int a = 0; a < component->after_count && section == SECTION_COMPONENT; a++)
            named = named || strcmp(component->after[a], name) == 0;
        if (named)
            name_one(&naming, "component", component->name);
    }
    for (int d = 0; d < naive->count[SECTION_DEVICE] && section == SECTION_DEVICE; d++)
        if (strcmp(naive->device[d].host, name) == 0 && strcmp(naive->device[d].name, name) != 0)
            name_one(&naming, "device", naive->device[d].name);
    last = strrchr(naming.names, ',');
    *who = '\0';
    if (naming.count > 4)
        sprintf(who, "%s and %d more name it", naming.names, naming.count - 4);
    else if (last != NULL)
        sprintf(who, "%.*s and%s name it", (int)(last - naming.names), naming.names, last + 1);
    else if (naming.count == 1)
        sprintf(who, "%s names it", naming.names);
}

static const char *name_or_none(const struct scenario *scenario, enum section section, int index)
{
    return index < 0 ? NONE : section_head_const(scenario, section, index)->name;
}

static uint32_t device_bit(const struct scenario *scenario, const char *name)
{
    int at = section_find(scenario, SECTION_DEVICE, name);

    return at < 0 ? 0 : UINT32_C(1) << at;
}

static bool agree(const struct scenario *scenario, struct naive *naive)
{
    bool same = scenario->wfs_count == naive->count[SECTION_WFS] &&
                scenario->device_count == naive->count[SECTION_DEVICE] &&
                scenario->component_count == naive->count[SECTION_COMPONENT];

    for (int s = SECTION_WFS; s <= SECTION_COMPONENT && same; s++)
        for (int i = 0; i < naive->count[s]; i++)
            same = same && strcmp(section_head_const(scenario, (enum section)s, i)->name,
                                  name_at(naive, (enum section)s, i)) == 0;
    for (int d = 0; d < scenario->device_count && same; d++)
        same = strcmp(name_or_none(scenario, SECTION_DEVICE, scenario->device[d].host),
                      naive->device[d].host) == 0;
    for (int c = 0; c < scenario->component_count && same; c++) {
        const struct component *component = &scenario->component[c];
        const struct naive_component *plain = &naive->component[c];
        uint64_t members = 0;

        for (int a = 0; a < plain->after_count; a++) {
            int at = section_find(scenario, SECTION_COMPONENT, plain->after[a]);

            same = same && at >= 0;
            members |= at < 0 ? 0 : UINT64_C(1) << at;
        }
        same = same && component->after.members == members &&
               strcmp(name_or_none(scenario, SECTION_WFS, component->wfs), plain->wfs) == 0 &&
               component->devices ==
                   (device_bit(scenario, plain->device) | device_bit(scenario, plain->other));
    }
    return same;
}

static void random_insert(struct draw *draw, struct scenario *scenario, struct naive *naive,
                          enum section section, int number)
{
    int at = draw_below(draw, naive->count[section] + 1);
    struct error error;
    char name[NAME_MAX_LENGTH + 1];
    char path[64];

    snprintf(name, sizeof name, "n%d", number);
    if (scenario_insert(scenario, section, at, name, &error) != STATUS_OK) {
        CHECK_INT(naive->count[section], section_max(section));
        return;
    }
    naive_insert(naive, section, at, name);
    if (section == SECTION_COMPONENT && draw_chance(draw, 0.5)) {
        snprintf(path, sizeof path, "component.%s.type", name);
        sample_set(scenario, path, "reconstruction");
    }
    if (section == SECTION_DEVICE && draw_chance(draw, 0.5)) {
        snprintf(path, sizeof path, "device.%s.kind", name);
        sample_set(scenario, path, "gpu");
    }
}

/* States one more reference from somewhere to somewhere. */
static void random_reference(struct draw *draw, struct scenario *scenario, struct naive *naive)
{
    char path[64];
    int which = draw_below(draw, 4);

    if (which == 3) {
        int d =
            naive->count[SECTION_DEVICE] == 0 ? 0 : draw_below(draw, naive->count[SECTION_DEVICE]);

        if (naive->count[SECTION_DEVICE] == 0 || scenario->device[d].kind != DEVICE_GPU)
            return;
        strcpy(naive->device[d].host,
               naive->device[draw_below(draw, naive->count[SECTION_DEVICE])].name);
        snprintf(path, sizeof path, "device.%s.host", naive->device[d].name);
        sample_set(scenario, path, naive->device[d].host);
        return;
    }
    if (naive->count[SECTION_COMPONENT] == 0)
        return;
    {
        int c = draw_below(draw, naive->count[SECTION_COMPONENT]);
        struct naive_component *component = &naive->component[c];
        char list[COMPONENT_MAX * (NAME_MAX_LENGTH + 2)] = "none";
        size_t used = 0;

        if (which == 0 && naive->count[SECTION_WFS] > 0 &&
            scenario->component[c].type != COMPONENT_RECONSTRUCTION) {
            strcpy(component->wfs, naive->wfs[draw_below(draw, naive->count[SECTION_WFS])]);
            snprintf(path, sizeof path, "component.%s.wfs", component->name);
            sample_set(scenario, path, component->wfs);
        } else if (which == 1 && naive->count[SECTION_DEVICE] > 0) {
            strcpy(component->device,
                   naive->device[draw_below(draw, naive->count[SECTION_DEVICE])].name);
            strcpy(component->other,
                   naive->device[draw_below(draw, naive->count[SECTION_DEVICE])].name);
            if (scenario->component[c].type != COMPONENT_RECONSTRUCTION ||
                strcmp(component->device, component->other) == 0)
                strcpy(component->other, NONE);
            snprintf(path, sizeof path, "component.%s.device", component->name);
            snprintf(list, sizeof list, strcmp(component->other, NONE) == 0 ? "%s" : "%s, %s",
                     component->device, component->other);
            sample_set(scenario, path, list);
        } else if (which == 2) {
            component->after_count = 0;
            for (int a = 0; a < naive->count[SECTION_COMPONENT]; a++) {
                if (a == c || !draw_chance(draw, 0.1))
                    continue;
                strcpy(component->after[component->after_count++], naive->component[a].name);
                used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                         used > 0 ? ", " : "", naive->component[a].name);
            }
            snprintf(path, sizeof path, "component.%s.after", component->name);
            sample_set(scenario, path, list);
        }
    }
}

static void random_remove(struct draw *draw, struct scenario *scenario, struct naive *naive,
                          enum section section)
{
    struct error error = {STATUS_OK, ""};
    char who[300];
    char expected[ERROR_MESSAGE_MAX];
    char name[NAME_MAX_LENGTH + 1];
    size_t size;
    void *first = instances(naive, section, &size);
    int at;

    if (naive->count[section] == 0)
        return;
    at = draw_below(draw, naive->count[section]);
    strcpy(name, name_at(naive, section, at));
    naive_referrers(naive, section, name, who);
    if (scenario_remove(scenario, section, at, &error) == STATUS_OK) {
        CHECK_TRUE(who[0] == '\0', "%s.%s is removed, %s", section_name(section), name, who);
        close_gap(first, size, naive->count[section]--, at);
        return;
    }
    snprintf(expected, sizeof expected, "%s.%s cannot be removed: %s", section_name(section), name,
             who);
    CHECK_STR(error.message, expected);
}

TEST(numbers_follow_names)
{
    static struct scenario scenario;
    static struct naive naive;
    struct draw draw = draw_start(31);
    int rounds = draw_repeat(20);
    int number = 0;

    for (int r = 0; r < rounds; r++) {
        int most = 1 + draw_below(&draw, 200);

        scenario_init(&scenario);
        memset(&naive, 0, sizeof naive);
        for (int i = 0; i < 400; i++) {
            enum section section = (enum section)(SECTION_WFS + draw_below(&draw, 3));
            int what = draw_below(&draw, 10);

            if (what < (i < most ? 4 : 1))
                random_insert(&draw, &scenario, &naive, section, number++);
            else if (what < 6)
                random_reference(&draw, &scenario, &naive);
            else if (what > 7)
                random_remove(&draw, &scenario, &naive, section);
            if (!CHECK_TRUE(agree(&scenario, &naive), "round %d, step %d: a reference went astray",
                            r, i))
                return;
        }
    }
}

/* A formula refers to the sections whose paths it has, not to those of which that is a part. */
TEST(formulas_refer)
{
    static const char *const names[] = {"ngs", "ngs-2", "a-ngs"};
    static struct scenario scenario;
    struct error error;

    scenario_init(&scenario);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        sample_add(&scenario, SECTION_WFS, names[i]);
    sample_add(&scenario, SECTION_COMPONENT, "work");
    sample_set(&scenario, "component.work.type", "custom");
    sample_set(&scenario, "component.work.flops", "4*wfs.ngs-2.subaps + component.work.bytes_read");
    CHECK_INT(scenario_remove(&scenario, SECTION_WFS, 1, &error), STATUS_INVALID);
    CHECK_STR(error.message, "wfs.ngs-2 cannot be removed: component.work names it");
    CHECK_INT(scenario_remove(&scenario, SECTION_WFS, 2, &error), STATUS_OK);
    CHECK_INT(scenario_remove(&scenario, SECTION_WFS, 0, &error), STATUS_OK);
    sample_set(&scenario, "component.work.flops", "4");
    CHECK_INT(scenario_remove(&scenario, SECTION_WFS, 0, &error), STATUS_OK);
    sample_set(&scenario, "component.work.flops", "component.work.bytes_read + 1");
    CHECK_INT(scenario_remove(&scenario, SECTION_COMPONENT, 0, &error), STATUS_OK);
}

/* A section takes its most, then says so; the last place keeps its references too. */
TEST(full_sections)
{
    static const char *const sentences[] = {
        [SECTION_WFS] = "there are 16 sensors already, the maximum",
        [SECTION_DEVICE] = "there are 32 devices already, the maximum",
        [SECTION_COMPONENT] = "there are 64 components already, the maximum",
    };
    static struct scenario scenario;
    struct error error;

    scenario_init(&scenario);
    for (int s = SECTION_WFS; s <= SECTION_COMPONENT; s++) {
        for (int i = 0; i < section_max((enum section)s); i++) {
            char name[16];

            snprintf(name, sizeof name, "x%d", i);
            sample_add(&scenario, (enum section)s, name);
        }
        CHECK_INT(scenario_insert(&scenario, (enum section)s, 0, "more", &error), STATUS_INVALID);
        CHECK_STR(error.message, sentences[s]);
        CHECK_INT(section_count(&scenario, (enum section)s), section_max((enum section)s));
    }
    sample_set(&scenario, "component.x5.after", "x63");
    sample_set(&scenario, "component.x5.device", "x31");
    sample_set(&scenario, "component.x5.wfs", "x15");
    CHECK_INT(scenario_remove(&scenario, SECTION_COMPONENT, 63, &error), STATUS_INVALID);
    CHECK_STR(error.message, "component.x63 cannot be removed: component.x5 names it");
    CHECK_INT(scenario_remove(&scenario, SECTION_COMPONENT, 0, &error), STATUS_OK);
    CHECK_INT(scenario_remove(&scenario, SECTION_DEVICE, 30, &error), STATUS_OK);
    CHECK_INT(scenario_remove(&scenario, SECTION_WFS, 14, &error), STATUS_OK);
    CHECK(scenario.component[4].after.members == UINT64_C(1) << 62);
    CHECK_INT(devices_first(scenario.component[4].devices), 30);
    CHECK_INT(scenario.component[4].wfs, 14);
}

TEST(refuses_names)
{
    static const char *const wrong[] = {"",    "Upper", "two words",
                                        "a.b", "a>b",   "\xC3\xA4",
                                        "a/b", "n\n",   "12345678901234567890123456789012"};
    static struct scenario scenario;
    struct error error;
    char expected[ERROR_MESSAGE_MAX];

    scenario_init(&scenario);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK_INT(scenario_insert(&scenario, SECTION_DEVICE, 0, wrong[i], &error), STATUS_INVALID);
        snprintf(expected, sizeof expected,
                 "\"%s\" is not a name; a name is 1 to 31 of a-z 0-9 - _", wrong[i]);
        CHECK_STR(error.message, expected);
    }
    CHECK_INT(scenario_insert(&scenario, SECTION_COMPONENT, 0, "none", &error), STATUS_INVALID);
    CHECK_STR(error.message, "\"none\" is reserved and cannot be a name");
    CHECK_INT(scenario_insert(&scenario, SECTION_COMPONENT, 0, "auto", &error), STATUS_INVALID);
    sample_add(&scenario, SECTION_DEVICE, "1234567890123456789012345678901");
    sample_add(&scenario, SECTION_DEVICE, "a-b_9");
    CHECK_INT(scenario_insert(&scenario, SECTION_DEVICE, 0, "a-b_9", &error), STATUS_INVALID);
    CHECK_STR(error.message, "device.a-b_9 already exists");
    CHECK_INT(scenario_remove(&scenario, SECTION_AO, 0, &error), STATUS_INVALID);
    CHECK_STR(error.message, "ao is part of every design");
}

TEST(sections_have_names)
{
    static const char *const names[] = {"scenario",    "ao",  "atmosphere", "telemetry", "update",
                                        "calibration", "wfs", "device",     "component"};
    static struct scenario scenario;
    char path[64];

    sample_chain(&scenario);
    for (int s = 0; s < SECTION_COUNT; s++)
        CHECK_STR(section_name((enum section)s), names[s]);
    CHECK_INT(section_count(&scenario, SECTION_SCENARIO), 1);
    CHECK_INT(section_count(&scenario, SECTION_COMPONENT), 6);
    section_path(&scenario, SECTION_COMPONENT, 3, path, sizeof path);
    CHECK_STR(path, "component.recon");
    section_path(&scenario, SECTION_AO, 0, path, sizeof path);
    CHECK_STR(path, "ao");
    CHECK_INT(section_find(&scenario, SECTION_COMPONENT, "dm"), 5);
    CHECK_INT(section_find(&scenario, SECTION_COMPONENT, "d"), -1);
}

/* A copy of what is in use is all a copy needs. */
TEST(copies_what_is_in_use)
{
    static struct scenario scenario;
    static struct scenario copy;
    static struct scenario again;

    sample_chain(&scenario);
    memset(&copy, 0x5A, sizeof copy);
    scenario_copy(&copy, &scenario);
    memset(&again, 0, sizeof again);
    scenario_copy(&again, &copy);
    CHECK(memcmp(&again, &scenario, sizeof again) == 0);
}

TEST(automatic_references)
{
    static struct scenario scenario;

    sample_chain(&scenario);
    sample_add(&scenario, SECTION_WFS, "second");
    sample_add(&scenario, SECTION_DEVICE, "board");
    sample_add(&scenario, SECTION_DEVICE, "other");
    sample_set(&scenario, "device.board.kind", "gpu");
    /* the previous component in the file; none for a camera or the first */
    CHECK_INT(scenario_predecessors(&scenario, 0), 0);
    CHECK_INT(scenario_predecessors(&scenario, 4), 1 << 3);
    sample_component(&scenario, "camera2", "camera");
    CHECK_INT(scenario_predecessors(&scenario, 6), 0);
    sample_component(&scenario, "slopes2", "centroid");
    CHECK_INT(scenario_predecessors(&scenario, 7), 1 << 6);
    /* the sensor of the first predecessor, all the way back */
    CHECK_INT(scenario_wfs(&scenario, 7), 0);
    sample_set(&scenario, "component.camera2.wfs", "second");
    CHECK_INT(scenario_wfs(&scenario, 7), 1);
    sample_set(&scenario, "component.recon.after", "slopes, slopes2");
    CHECK_INT(scenario_wfs(&scenario, 3), 0);
    /* the first device; none for cameras, transfers and mirrors */
    CHECK_INT(scenario_device(&scenario, 3), 0);
    CHECK_INT(scenario_device(&scenario, 0), REFERENCE_AUTO);
    CHECK_INT(scenario_device(&scenario, 5), REFERENCE_AUTO);
    /* the first CPU */
    CHECK_INT(scenario_host(&scenario, 1), 0);
    CHECK_INT(scenario_host(&scenario, 2), 2);
    sample_set(&scenario, "device.board.host", "other");
    CHECK_INT(scenario_host(&scenario, 1), 2);
    sample_set(&scenario, "device.board.host", "auto");
    sample_set(&scenario, "device.rtc.kind", "gpu");
    CHECK_INT(scenario_host(&scenario, 1), 2);
    sample_set(&scenario, "device.other.kind", "gpu");
    CHECK_INT(scenario_host(&scenario, 1), 1);
    /* a cycle does not hang */
    sample_set(&scenario, "component.slopes.after", "control");
    CHECK(scenario_wfs(&scenario, 2) >= 0);
}
