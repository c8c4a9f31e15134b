#include "model/calibration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/hash.h"
#include "design/knob.h"
#include "model/group.h"
#include "model/result.h"

/* Checksums of devices ------------------------------------------------------------------------- */

/* Returns the hash of the figures of a device: what is no choice of its software, and no text. */
static uint64_t hash_figures(uint64_t hash, const struct device *device)
{
    const int first = knob_section_first(SECTION_DEVICE);

    for (int k = first; k < first + knob_section_count(SECTION_DEVICE); k++) {
        const struct knob *knob = &knobs[k];

        if ((knob->role == ROLE_HARDWARE || knob->role == ROLE_ASSUMPTION) &&
            (knob_is_number(knob) || knob->type == KNOB_CHOICE) &&
            knob_has_kind(knob, device->kind))
            hash = hash_bytes(hash, (const char *)device + knob->offset, knob->size);
    }
    return hash;
}

static uint32_t fold(uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32);
}

struct calibration_device calibration_device_of(const struct device *device)
{
    uint64_t part = hash_bytes(HASH_EMPTY, device->preset, strlen(device->preset) + 1);

    part = hash_bytes(part, device->model, strlen(device->model) + 1);
    part = hash_bytes(part, (const char *)&device->kind, sizeof device->kind);
    part = hash_bytes(part, (const char *)&device->pc, sizeof device->pc);
    if (device->base != NULL)
        part = hash_figures(part, device->base);
    return (struct calibration_device){fold(part), fold(hash_figures(HASH_EMPTY, device))};
}

/* Factors -------------------------------------------------------------------------------------- */

/* Returns the cause with a name, CAUSE_NONE if there is none. */
static enum cause cause_named(const char *name)
{
    int cause = 0;

    while (cause < CAUSE_COUNT && strcmp(cause_name((enum cause)cause), name) != 0)
        cause++;
    return (enum cause)cause;
}

/* A factor of the scenario and its group. */
struct place {
    enum cause cause;
    int first; /* device */
};

/* The factors of a scenario, read one by one; most are of the device of the one before. */
struct reading {
    const struct scenario *scenario;
    const char *rest;
    struct calibration_factor factor;
    struct place place;
    int device; /* that `sums` are of; -1: of none */
    struct calibration_device sums;
    enum calibration_state state;
    char why[CALIBRATION_WHY_MAX];
};

/* Finds the group of a factor, and whether it is used; says why it is not, or not quite. */
static enum calibration_state find_place(struct reading *reading)
{
    const struct scenario *scenario = reading->scenario;
    const struct calibration_factor *factor = &reading->factor;
    const int device = section_find(scenario, SECTION_DEVICE, factor->device);
    struct place *place = &reading->place;
    char *why = reading->why;
    const size_t size = sizeof reading->why;
    struct calibration_device then;

    place->cause = cause_named(factor->cause);
    if (device < 0 || place->cause == CAUSE_NONE) {
        snprintf(why, size, "there is no %s of %s", factor->cause, factor->device);
        return CALIBRATION_STALE;
    }
    place->first = group_first_device(scenario, device);
    if (strcmp(scenario->calibration.program, PACKAGE_VERSION) != 0) {
        snprintf(why, size, "%s%.20s was calibrated, this is %s",
                 scenario->calibration.program[0] != '\0' ? "aolag " : "no version of aolag",
                 scenario->calibration.program, PACKAGE_VERSION);
        return CALIBRATION_STALE;
    }
    if (device != reading->device)
        reading->sums = calibration_device_of(&scenario->device[device]);
    reading->device = device;
    if (!calibration_find_device(scenario->calibration.devices, factor->device, &then) ||
        reading->sums.part != then.part) {
        snprintf(why, size, "device.%s is another part than the one calibrated", factor->device);
        return CALIBRATION_STALE;
    }
    if (!group_has_device(scenario, place->cause, place->first, device)) {
        snprintf(why, size, "device.%s states its dispatch now", factor->device);
        return CALIBRATION_STALE;
    }
    if (reading->sums.figures == then.figures)
        return CALIBRATION_USED;
    snprintf(why, size, "figures of device.%s have changed since", factor->device);
    return CALIBRATION_CHANGED;
}

static struct reading read_factors(const struct scenario *scenario)
{
    return (struct reading){
        .scenario = scenario, .rest = scenario->calibration.factors, .device = -1};
}

static bool next_factor(struct reading *reading)
{
    reading->why[0] = '\0';
    if (!calibration_next_factor(&reading->rest, &reading->factor, NULL))
        return false;
    reading->state = find_place(reading);
    return true;
}

enum calibration_state calibration_state(const struct scenario *scenario,
                                         char why[CALIBRATION_WHY_MAX])
{
    enum calibration_state worst = CALIBRATION_NONE;

    for (struct reading at = read_factors(scenario); next_factor(&at);) {
        if (at.state > worst && why != NULL)
            memcpy(why, at.why, sizeof at.why);
        worst = at.state > worst ? at.state : worst;
    }
    return worst;
}

void calibration_multiply(const struct scenario *scenario, enum cause cause, int first,
                          double factor, struct cause_factors *factors)
{
    for (int d = 0; d < scenario->device_count; d++) {
        if (!group_has_device(scenario, cause, first, d))
            continue;
        for (int c = 0; c < CAUSE_COUNT; c++)
            if (c == (int)cause || cause == CAUSE_UNSTATED)
                factors->of[d][c] *= factor;
    }
}

bool calibration_factors(const struct scenario *scenario, struct cause_factors *factors)
{
    bool used = false;

    cause_factors_reset(factors);
    for (struct reading at = read_factors(scenario); next_factor(&at);) {
        if (at.state == CALIBRATION_STALE)
            continue;
        used = true;
        calibration_multiply(scenario, at.place.cause, at.place.first, at.factor.factor, factors);
    }
    return used;
}

int calibration_of_group(const struct scenario *scenario, enum cause cause, int first,
                         struct calibration_factor *factor)
{
    int number = 0;

    for (struct reading at = read_factors(scenario); next_factor(&at); number++)
        if (at.state != CALIBRATION_STALE && at.place.cause == cause && at.place.first == first) {
            *factor = at.factor;
            return number;
        }
    return -1;
}

bool calibration_is_used(const struct scenario *scenario, const struct calibration_factor *factor)
{
    struct reading at = read_factors(scenario);

    at.factor = *factor;
    return find_place(&at) != CALIBRATION_STALE;
}

double calibration_latency_spread(const struct scenario *scenario)
{
    const enum calibration_state state = calibration_state(scenario, NULL);
    const char *text = scenario->calibration.measured;
    struct calibration_measured measured;

    if (state != CALIBRATION_USED && state != CALIBRATION_CHANGED)
        return 0;
    while (calibration_next_measured(&text, &measured, NULL))
        if (strcmp(measured.path, result_rows[RESULT_LATENCY].key) == 0)
            return log1p(measured.spread);
    return 0;
}

void calibration_devices_text(const struct scenario *scenario, char text[CALIBRATION_MAX + 1])
{
    struct buffer list = buffer_over(text, CALIBRATION_MAX + 1);
    const char *factors = scenario->calibration.factors;
    struct calibration_factor factor;
    struct calibration_device sums;

    text[0] = '\0';
    while (calibration_next_factor(&factors, &factor, NULL)) {
        const int device = section_find(scenario, SECTION_DEVICE, factor.device);

        if (device < 0 || calibration_find_device(text, factor.device, &sums))
            continue;
        sums = calibration_device_of(&scenario->device[device]);
        buffer_print(&list, "%s%s:%08x:%08x", text[0] != '\0' ? ", " : "", factor.device, sums.part,
                     sums.figures);
    }
}

void calibration_remove(struct scenario *scenario)
{
    struct knob_ref ref = {SECTION_CALIBRATION, 0, NULL};

    for (int k = 0; k < knob_section_count(SECTION_CALIBRATION); k++) {
        ref.knob = &knobs[knob_section_first(SECTION_CALIBRATION) + k];
        knob_reset(scenario, ref);
    }
}
