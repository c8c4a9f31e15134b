#include "model/note.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "design/vibration.h"
#include "model/calibration.h"
#include "model/device.h"
#include "model/formulas.h"
#include "model/knob_effect.h"
#include "model/load.h"
#include "model/order.h"
#include "model/overhead.h"

/* Threads -------------------------------------------------------------------------------------- */

bool note_crowded(const struct scenario *scenario, int component, char *text, size_t size)
{
    const double workers = scenario->component[component].workers;

    for (int d = 0; d < scenario->device_count; d++) {
        char path[96], threads[32], cores[32];

        if (!scenario_runs_on(scenario, component, d) ||
            !overhead_is_crowded(&scenario->device[d], workers))
            continue;
        knob_path(scenario, knob_ref_to(KNOB_COMPONENT_WORKERS, component), path, sizeof path);
        number_format(workers, threads, sizeof threads);
        number_format(device_cores(&scenario->device[d]), cores, sizeof cores);
        snprintf(text, size, "%s: %s threads take turns on the %s cores of device.%s", path,
                 threads, cores, scenario->device[d].head.name);
        return true;
    }
    return false;
}

/* Shares --------------------------------------------------------------------------------------- */

/* Returns true if a component states a share and none of its devices is divided; sets one of them.
 */
static bool has_idle_share(const struct scenario *scenario, int component, int *device)
{
    bool idle = false;

    if (scenario->component[component].share == 0)
        return false;
    for (int d = 0; d < scenario->device_count; d++) {
        if (!scenario_runs_on(scenario, component, d))
            continue;
        if (scenario->device[d].kind != DEVICE_FPGA &&
            scenario_sharing(scenario, d) != SHARING_EXCLUSIVE)
            return false;
        *device = d;
        idle = true;
    }
    return idle;
}

bool note_idle_share(const struct scenario *scenario, char *text, size_t size)
{
    char path[96], more[32] = "";
    int first = -1;
    int others = 0;
    int device = -1;

    for (int i = scenario->component_count - 1; i >= 0; i--)
        if (has_idle_share(scenario, i, &device)) {
            others += first >= 0;
            first = i;
        }
    if (first < 0)
        return false;
    knob_path(scenario, knob_ref_to(KNOB_COMPONENT_SHARE, first), path, sizeof path);
    if (others > 0)
        snprintf(more, sizeof more, " (and %d more)", others);
    snprintf(text, size, "%s: has no effect, as device.%s %s%s", path,
             scenario->device[device].head.name,
             scenario->device[device].kind == DEVICE_FPGA ? "has a circuit for each component"
                                                          : "is exclusive",
             more);
    return true;
}

bool note_unused_part(const struct scenario *scenario, int d, char *text, size_t size)
{
    const struct device *device = &scenario->device[d];
    const double cores = device->kind == DEVICE_CPU ? device_cores(device) : 0;
    double shares = 0;
    double workers = 0;
    bool all_shares = true;
    bool all_workers = cores > 0;
    char unused[32], all[32];

    if (device->kind == DEVICE_FPGA || !scenario_device_used(scenario, d) ||
        scenario_sharing(scenario, d) != SHARING_PARTITION)
        return false;
    for (int c = 0; c < scenario->component_count; c++) {
        const struct component *component = &scenario->component[c];

        if (!scenario_runs_on(scenario, c, d))
            continue;
        shares += component->share;
        workers += scenario_taken_cores(scenario, c, d);
        all_shares = all_shares && component->share > 0;
        all_workers = all_workers && scenario_workers(scenario, c, d) > 0;
    }
    if (all_workers && workers < 0.99 * cores) {
        number_format(cores - workers, unused, sizeof unused);
        number_format(cores, all, sizeof all);
        snprintf(text, size, "device.%s: no component uses %s of its %s cores", device->head.name,
                 unused, all);
        return true;
    }
    if (!all_workers && all_shares && shares < 0.99) {
        number_format(round(1e4 * (1 - shares)) / 1e4, unused, sizeof unused);
        snprintf(text, size, "device.%s: no component uses %s of it", device->head.name, unused);
        return true;
    }
    return false;
}

/* Ports ---------------------------------------------------------------------------------------- */

bool note_rdma_ingress(const struct scenario *scenario, int d, char *text, size_t size)
{
    char path[96];

    if (scenario->device[d].ingress != INGRESS_RDMA)
        return false;
    knob_path(scenario, knob_ref_to(KNOB_DEVICE_INGRESS, d), path, sizeof path);
    for (int c = 0; c < scenario->component_count; c++) {
        struct ingress_times times;

        if (scenario->component[c].type != COMPONENT_CAMERA || !scenario_feeds_host(scenario, c, d))
            continue;
        times = overhead_ingress(scenario, d, c);
        if (times.ingress == INGRESS_RDMA)
            continue;
        snprintf(text, size, "%s: rdma: no GPU receives %s, which is counted as %s", path,
                 scenario->component[c].head.name,
                 knob_word(KNOB_DEVICE_INGRESS, (int)times.ingress));
        return true;
    }
    return false;
}

bool note_rdma_copy(const struct scenario *scenario, int d, char *text, size_t size)
{
    char path[96];

    if (scenario->device[d].kind != DEVICE_GPU || scenario->device[d].copy != COPY_RDMA ||
        !scenario_device_used(scenario, d) || overhead_gpu_gets_pixels(scenario, d))
        return false;
    knob_path(scenario, knob_ref_to(KNOB_DEVICE_COPY, d), path, sizeof path);
    snprintf(text, size, "%s: rdma: no camera feeds this GPU; counted as mapped", path);
    return true;
}

/* Structure ------------------------------------------------------------------------------------ */

static int count_of_type(const struct scenario *scenario, enum component_type type)
{
    int count = 0;

    for (int c = 0; c < scenario->component_count; c++)
        count += scenario->component[c].type == (int)type;
    return count;
}

/* Writes that nobody uses what a component of a design with mirrors computes. Programs and custom
 * components may be ends: they record or send. */
static bool note_unread(const struct scenario *scenario, int component, char *text, size_t size)
{
    const struct component *c = &scenario->component[component];

    if (c->type == COMPONENT_DM || c->type == COMPONENT_PROGRAM || c->type == COMPONENT_CUSTOM ||
        count_of_type(scenario, COMPONENT_DM) == 0)
        return false;
    for (int i = 0; i < scenario->component_count; i++)
        if ((scenario_predecessors(scenario, i) >> component & 1) != 0)
            return false;
    snprintf(text, size, "component.%s: nothing uses its data", c->head.name);
    return true;
}

static bool note_unserved(const struct scenario *scenario, int wfs, char *text, size_t size)
{
    if (count_of_type(scenario, COMPONENT_CAMERA) == 0)
        return false;
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_CAMERA && scenario_wfs(scenario, c) == wfs)
            return false;
    snprintf(text, size, "wfs.%s: no camera serves it", scenario->wfs[wfs].head.name);
    return true;
}

static double pupil_area(double across)
{
    return acos(-1) / 4 * square(across);
}

static bool note_subaps(const struct scenario *scenario, int wfs, char *text, size_t size)
{
    const double stated = scenario->wfs[wfs].valid_subaps;
    const double across = scenario->wfs[wfs].subaps_across;
    char number[3][32];

    if (scenario->wfs[wfs].mask.pattern != NULL && scenario->wfs[wfs].mask.pattern->inverted) {
        snprintf(
            text, size,
            "wfs.%s.mask: its corners are valid and the ring between them is not, as if it were "
            "inverted; black is valid in a PBM picture, white in a PGM picture, 1 in text",
            scenario->wfs[wfs].head.name);
        return true;
    }
    if (stated <= pupil_area(across + 1) || stated == square(across))
        return false;
    number_format(stated, number[0], sizeof number[0]);
    number_format(across, number[1], sizeof number[1]);
    number_format(round(pupil_area(across)), number[2], sizeof number[2]);
    snprintf(text, size, "wfs.%s.valid_subaps: %s stated, %s across gives about %s",
             scenario->wfs[wfs].head.name, number[0], number[1], number[2]);
    return true;
}

/* Writes that an agenda has another number of pixels than its sensor. */
static bool note_agenda(const struct scenario *scenario, const struct result *result, int wfs,
                        char *text, size_t size)
{
    const struct pattern *agenda = scenario->wfs[wfs].agenda.pattern;
    const struct wfs_result *sensor = &result->wfs[wfs];

    if (agenda == NULL || agenda->pixels == 0 || wfs >= result->wfs_count ||
        agenda->pixels == sensor->width * sensor->height)
        return false;
    snprintf(text, size, "wfs.%s.agenda: %.0f pixels, but the sensor has %.0f x %.0f = %.0f",
             scenario->wfs[wfs].head.name, agenda->pixels, sensor->width, sensor->height,
             sensor->width * sensor->height);
    return true;
}

static bool note_actuators(const struct scenario *scenario, char *text, size_t size)
{
    double total = 0;
    char number[2][32];

    for (int c = 0; c < scenario->component_count; c++) {
        if (scenario->component[c].type != COMPONENT_DM)
            continue;
        if (scenario->component[c].actuators == 0)
            return false;
        total += scenario->component[c].actuators;
    }
    if (total == 0 || total == scenario->ao.actuators)
        return false;
    number_format(scenario->ao.actuators, number[0], sizeof number[0]);
    number_format(total, number[1], sizeof number[1]);
    snprintf(text, size, "ao.actuators: %s, but the mirrors have %s", number[0], number[1]);
    return true;
}

/* Writes that a camera exposes longer than it has for a frame. */
static bool note_exposure(const struct scenario *scenario, int component, char *text, size_t size)
{
    const struct component *c = &scenario->component[component];
    char exposure[32], frame[32];
    double period;

    if (c->type != COMPONENT_CAMERA || scenario->wfs_count == 0)
        return false;
    period = scenario->wfs[scenario_wfs(scenario, component)].rate_divisor /
             scenario->general.frame_rate;
    if (c->exposure <= period * (1 + 1e-9))
        return false;
    quantity_print(c->exposure, "s", exposure, sizeof exposure);
    quantity_print(period, "s", frame, sizeof frame);
    snprintf(text, size, "component.%s.exposure: %s, longer than its frame of %s", c->head.name,
             exposure, frame);
    return true;
}

/* Writes the vibrations that the fastest camera samples too slowly. */
static bool note_vibrations(const struct scenario *scenario, char *text, size_t size)
{
    struct buffer note = buffer_over(text, size);
    struct vibration list[VIBRATION_MAX];
    double divisor = scenario->wfs_count > 0 ? scenario->wfs[0].rate_divisor : 1;
    double nyquist;
    char quantity[32];
    int count, fast = 0;

    for (int w = 1; w < scenario->wfs_count; w++)
        divisor = smaller(divisor, scenario->wfs[w].rate_divisor);
    nyquist = scenario->general.frame_rate / divisor / 2;
    if (vibrations_read(scenario->ao.vibrations, list, &count, NULL) != STATUS_OK)
        return false;
    for (int v = 0; v < count; v++) {
        if (list[v].frequency <= nyquist)
            continue;
        quantity_print(list[v].frequency, "Hz", quantity, sizeof quantity);
        buffer_print(&note, "%s%s", fast++ == 0 ? "ao.vibrations: " : ", ", quantity);
    }
    quantity_print(nyquist, "Hz", quantity, sizeof quantity);
    buffer_print(&note, " %s above half the frame rate, %s: the loop samples %s",
                 fast > 1 ? "are" : "is", quantity,
                 fast > 1 ? "them as slower ones" : "it as a slower one");
    return fast > 0;
}

/* Writes that a stated knob has no effect. `at`: counts all knobs of all sections. */
static bool note_vain(const struct scenario *scenario, int at, char *text, size_t size)
{
    char path[96];

    for (int s = 0; s < SECTION_COUNT; s++) {
        const enum section section = (enum section)s;
        const int knobs_of = knob_section_count(section);
        const int all = knobs_of * section_count(scenario, section);
        struct knob_ref ref;

        if (at >= all) {
            at -= all;
            continue;
        }
        ref = (struct knob_ref){section, at / knobs_of,
                                &knobs[knob_section_first(section) + at % knobs_of]};
        if (!knob_is_vain(scenario, ref))
            return false;
        knob_path(scenario, ref, path, sizeof path);
        snprintf(text, size, "%s: has no effect in this design", path);
        return true;
    }
    return false;
}

/* Writes that a calibration is not used, or that its device is not quite what it was. */
static bool note_calibration(const struct scenario *scenario, char *text, size_t size)
{
    char why[CALIBRATION_WHY_MAX];
    const enum calibration_state state = calibration_state(scenario, why);

    if (state == CALIBRATION_STALE)
        snprintf(text, size,
                 "calibration: factors are stale and not used: %s; aolag calibrate --remove or "
                 ":uncalibrate removes it",
                 why);
    else if (state == CALIBRATION_CHANGED)
        snprintf(text, size, "calibration: %s; its factors are used", why);
    return state == CALIBRATION_STALE || state == CALIBRATION_CHANGED;
}

static int count_knobs(const struct scenario *scenario)
{
    int count = 0;

    for (int s = 0; s < SECTION_COUNT; s++)
        count += knob_section_count((enum section)s) * section_count(scenario, (enum section)s);
    return count;
}

/* Writes note number `at`, if there is one: those of components, of sensors, of the whole, of pairs
 * of values. */
static bool write_note(const struct scenario *scenario, const struct result *result, int at,
                       char *text, size_t size)
{
    if (at < scenario->component_count)
        return note_unread(scenario, at, text, size);
    at -= scenario->component_count;
    if (at < scenario->wfs_count)
        return note_unserved(scenario, at, text, size);
    at -= scenario->wfs_count;
    if (at < scenario->wfs_count)
        return note_subaps(scenario, at, text, size);
    at -= scenario->wfs_count;
    if (at < scenario->wfs_count)
        return note_agenda(scenario, result, at, text, size);
    at -= scenario->wfs_count;
    if (at < scenario->component_count)
        return note_exposure(scenario, at, text, size);
    at -= scenario->component_count;
    if (at < 2)
        return (at == 0 ? note_vibrations : note_actuators)(scenario, text, size);
    at -= 2;
    if (at == 0)
        return note_calibration(scenario, text, size);
    at--;
    if (at < count_knobs(scenario))
        return note_vain(scenario, at, text, size);
    return order_note(scenario, result, at - count_knobs(scenario), text, size);
}

bool note_next(const struct scenario *scenario, const struct result *result, int *at, char *text,
               size_t size)
{
    const int end = 2 * scenario->component_count + 3 * scenario->wfs_count + 3 +
                    count_knobs(scenario) + order_pairs(scenario);

    while (*at < end)
        if (write_note(scenario, result, (*at)++, text, size))
            return true;
    return false;
}

/* Memory --------------------------------------------------------------------------------------- */

void note_unfit(const struct scenario *scenario, const struct result *result, int d, char *text,
                size_t size)
{
    const double capacity = scenario->device[d].memory_size;
    const char *unit = quantity_beside(capacity);
    char path[96], held[40], memory[40];

    knob_path(scenario, knob_ref_to(KNOB_DEVICE_MEMORY_SIZE, d), path, sizeof path);
    quantity_print(result->device[d].held, unit, held, sizeof held);
    quantity_print(capacity, unit, memory, sizeof memory);
    snprintf(text, size, "%s: does not fit: %s of working sets, %s of memory", path, held, memory);
}
