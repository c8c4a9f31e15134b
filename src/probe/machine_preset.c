#include "probe/machine_preset.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/number.h"
#include "base/units.h"
#include "design/ini.h"
#include "design/knob_table.h"
#include "design/knob_text.h"
#include "design/preset.h"
#include "design/scenario_file.h"
#include "model/result.h"
#include "probe/dispatch_points.h"
#include "probe/fit.h"
#include "probe/gpu_machine.h"
#include "probe/measurement.h"

#define CHANNEL_BITS 64.0
#define COMMENT_MAX 300

static const char measured[] = "measured";
static const char fitted[] = "fitted";
static const char assumed[] = "assumed";

/* The text ------------------------------------------------------------------------------------- */

/* `way`: of a key that does not count for the preset's own dispatch "WAY.", else "". */
static void put_way(struct buffer *buffer, const char *way, const struct knob *knob,
                    const char *value, const char *origin)
{
    buffer_print(buffer, "%s%s = %s\norigin.%s%s = %s\n", way, knob->key, value, way, knob->key,
                 origin);
}

static void put_text(struct buffer *buffer, const struct knob *knob, const char *value,
                     const char *origin)
{
    put_way(buffer, "", knob, value, origin);
}

/* Writes an SI value in the knob's unit, rounded to four digits and clamped to its range, or a
 * comment if it is RESULT_NONE. */
static void put_way_knob(struct buffer *buffer, const char *way, enum knob_id id, double si,
                         const char *origin)
{
    const struct knob *knob = &knobs[id];
    const char *blank = knob->unit[0] == '\0' ? "" : " ";
    double value = unit_from_si(si, knob->unit);
    double digits = 3 - floor(log10(fabs(value)));
    double scale = pow(10, fabs(digits));
    double within;
    char number[32], text[64];

    if (si == RESULT_NONE) {
        buffer_print(buffer, "; %s%s: not measured\n", way, knob->key);
        return;
    }
    if (knob->type == KNOB_INTEGER)
        value = round(value);
    else if (value != 0)
        value = digits >= 0 ? round(value * scale) / scale : round(value / scale) * scale;
    within = larger(knob->min, smaller(knob->max, value));
    if (within != value) {
        number_format(value, number, sizeof number);
        buffer_print(buffer, "; %s%s: %s %s%s%s, clamped to the knob's range\n", way, knob->key,
                     number, knob->unit, blank, origin);
    }
    number_format(within, number, sizeof number);
    snprintf(text, sizeof text, "%s%s%.16s", number, blank, knob->unit);
    put_way(buffer, way, knob, text, origin);
}

static void put_preset_knob(struct buffer *buffer, enum knob_id id, double si, const char *origin)
{
    put_way_knob(buffer, "", id, si, origin);
}

/* Copies the printable ASCII characters of a text, except those in `without`, for a comment or
 * value. */
static void copy_printable(const char *from, const char *without, char *to, size_t size)
{
    size_t used = 0;

    for (; *from != '\0' && used + 1 < size; from++)
        if (*from >= ' ' && *from <= '~' && strchr(without, *from) == NULL)
            to[used++] = *from;
    while (used > 0 && to[used - 1] == ' ')
        used--;
    to[used] = '\0';
}

static void put_arithmetic(struct buffer *buffer, const struct machine *machine)
{
    buffer_print(buffer, "; all sockets are described as one\n");
    put_text(buffer, &knobs[KNOB_DEVICE_SOCKETS], "1", assumed);
    put_preset_knob(buffer, KNOB_DEVICE_CORES, machine->cores > 0 ? machine->cores : RESULT_NONE,
                    measured);
    put_preset_knob(buffer, KNOB_DEVICE_CLOCK_CPU, machine->clock, measured);
    put_preset_knob(buffer, KNOB_DEVICE_SIMD_BITS, machine->simd_bits, measured);
    put_preset_knob(buffer, KNOB_DEVICE_FMA_PIPES, machine_pipes(machine), measured);
    if (machine->simd_bits != RESULT_NONE)
        put_text(buffer, &knobs[KNOB_DEVICE_FMA], machine->fma ? "yes" : "no", measured);
    put_preset_knob(buffer, KNOB_DEVICE_SUSTAINED_COMPUTE, machine->sustained_compute, measured);
    put_preset_knob(buffer, KNOB_DEVICE_ADD_LATENCY, machine->add_latency, measured);
    put_preset_knob(buffer, KNOB_DEVICE_FMA_LATENCY, machine->fma_latency, measured);
    put_preset_knob(buffer, KNOB_DEVICE_WINDOW, machine->window, measured);
    put_preset_knob(buffer, KNOB_DEVICE_ISSUE, machine->issue, measured);
    put_preset_knob(buffer, KNOB_DEVICE_OPERAND_BANDWIDTH, machine->operand_bandwidth, measured);
    put_preset_knob(buffer, KNOB_DEVICE_SCALAR_RATE, machine->scalar_rate, measured);
}

static const struct machine_level *level_with_id(const struct machine *machine,
                                                 enum memory_level_id id)
{
    for (int k = 0; k < machine->levels; k++)
        if (machine->level[k].id == id)
            return &machine->level[k];
    return NULL;
}

/* Writes a capacity; for L3 that of the socket, which may have several caches. */
static void put_capacity(struct buffer *buffer, const struct machine *machine,
                         const struct machine_level *level, enum knob_id id)
{
    double caches = level->id == LEVEL_L3 ? machine_caches(machine, level) : 1;

    if (!level->found && level->swept > 0)
        buffer_print(buffer,
                     "; %.0f KiB reported by the system; the latency staircase shows no knee\n",
                     level->capacity / 1024);
    else if (!level->found)
        buffer_print(buffer, "; %s: reported by the system; the latency staircase shows no knee\n",
                     knobs[id].key);
    else if (level->system > 0)
        buffer_print(buffer, "; %.0f KiB reported by the system\n", level->system / 1024);
    if (level->found && level->swept > 0)
        buffer_print(
            buffer,
            "; the latency staircase has its knee at %.0f KiB, bandwidth sweeps show more\n",
            level->capacity / 1024);
    if (caches > 1)
        buffer_print(buffer, "; total of %.0f caches, one of which a core uses\n", caches);
    put_preset_knob(buffer, id, caches * machine_capacity(level),
                    level->found || level->swept > 0 ? measured : "stated");
}

static void put_cache_level(struct buffer *buffer, const struct machine *machine,
                            enum memory_level_id id)
{
    static const struct {
        enum knob_id capacity, latency, bandwidth;
    } ids[] = {
        [LEVEL_L1] = {.capacity = KNOB_DEVICE_L1,
                      .latency = KNOB_DEVICE_L1_LATENCY,
                      .bandwidth = KNOB_DEVICE_L1_BANDWIDTH},
        [LEVEL_L2] = {.capacity = KNOB_DEVICE_L2_CPU,
                      .latency = KNOB_DEVICE_L2_LATENCY,
                      .bandwidth = KNOB_DEVICE_L2_BANDWIDTH},
        [LEVEL_L3] = {.capacity = KNOB_DEVICE_L3,
                      .latency = KNOB_DEVICE_L3_LATENCY,
                      .bandwidth = KNOB_DEVICE_L3_BANDWIDTH},
    };
    const struct machine_level *level = level_with_id(machine, id);

    if (machine->levels == 0 || level == NULL) {
        put_preset_knob(buffer, ids[id].capacity, machine->levels == 0 ? RESULT_NONE : 0, measured);
        return;
    }
    put_capacity(buffer, machine, level, ids[id].capacity);
    put_preset_knob(buffer, ids[id].latency, level->latency, measured);
    put_preset_knob(buffer, ids[id].bandwidth,
                    id == LEVEL_L3 ? level->bandwidth : machine_own_bandwidth(machine, level),
                    measured);
    if (id == LEVEL_L3)
        put_preset_knob(buffer, KNOB_DEVICE_L3_CORE_BANDWIDTH, level->core_bandwidth, measured);
}

/* Writes memory channels that give the bandwidth. */
static void put_channels(struct buffer *buffer, double bandwidth)
{
    const struct knob *rate = &knobs[KNOB_DEVICE_MEMORY_RATE];
    double most = CHANNEL_BITS / 8 * knob_max(rate);
    double channels = larger(1, ceil(bandwidth / most));

    if (bandwidth == RESULT_NONE) {
        put_preset_knob(buffer, KNOB_DEVICE_MEMORY_RATE, RESULT_NONE, measured);
        return;
    }
    buffer_print(buffer, "; read bandwidth of all cores, expressed as channels; the real bus is "
                         "unknown\n");
    put_preset_knob(buffer, KNOB_DEVICE_MEMORY_CHANNELS, channels, measured);
    put_preset_knob(buffer, KNOB_DEVICE_CHANNEL_BITS, CHANNEL_BITS, measured);
    put_preset_knob(buffer, KNOB_DEVICE_MEMORY_RATE, bandwidth / (channels * CHANNEL_BITS / 8),
                    measured);
}

static void put_preset_levels(struct buffer *buffer, const struct machine *machine)
{
    const struct machine_level *memory = level_with_id(machine, LEVEL_MEMORY);

    for (enum memory_level_id id = LEVEL_L1; id <= LEVEL_L3; id++)
        put_cache_level(buffer, machine, id);
    if (machine->cache_usable != RESULT_NONE)
        buffer_print(buffer,
                     "; of the capacities: fits the hit ratio of the model at a knee to the "
                     "staircase\n");
    put_preset_knob(buffer, KNOB_DEVICE_CACHE_USABLE, machine->cache_usable, fitted);
    put_channels(buffer, memory == NULL ? RESULT_NONE : memory->bandwidth);
    put_preset_knob(buffer, KNOB_DEVICE_CORE_BANDWIDTH,
                    memory == NULL ? RESULT_NONE : memory->core_bandwidth, measured);
    put_preset_knob(buffer, KNOB_DEVICE_MEMORY_LATENCY,
                    memory == NULL ? RESULT_NONE : memory->latency, measured);
    put_preset_knob(buffer, KNOB_DEVICE_OUTSTANDING_CPU, machine->outstanding, measured);
    if (machine->sustained_memory != RESULT_NONE)
        buffer_print(buffer,
                     "; dot products over plain reads, divided by %.2f, the efficiency of "
                     "sequential access in the model\n",
                     memory_access_efficiency(ACCESS_SEQUENTIAL));
    put_preset_knob(buffer, KNOB_DEVICE_SUSTAINED_MEMORY, machine->sustained_memory, measured);
}

static void put_fit_comment(struct buffer *buffer, const struct fit *fit)
{
    const struct fit_form *form = &fit_forms[fit->model];
    char text[256];

    buffer_print(buffer, "; %s:", form->title);
    for (int i = 0; i < FIT_VALUES; i++) {
        if (form->name[i] == NULL)
            continue;
        quantity_print(fit->value[i], "ns", text, sizeof text);
        buffer_print(buffer, " %s %s,", form->name[i], text);
    }
    if (form->cached) {
        quantity_print(fit->c * SURFACE_WORD, "KiB", text, sizeof text);
        buffer_print(buffer, " c %s,", text);
    }
    buffer_print(buffer, " PC %.3f\n", fit->pc);
    for (int flag = 0; flag < FIT_FLAGS; flag++)
        if (fit->flag[flag]) {
            fit_flag_text(fit, (enum fit_flag)flag, text, sizeof text);
            buffer_print(buffer, ";     doubtful: %s\n", text);
        }
}

/* Writes the fits as comments: nothing without a surface, the reason if it cannot be fitted. */
static void put_fits(struct buffer *buffer, const struct measurement *measurement)
{
    struct surface surface;
    struct fit fits[FIT_MODELS];
    struct error error;

    if (surface_from_measurement(measurement, &surface, &error) != STATUS_OK)
        return;
    buffer_print(buffer, "; models fitted to the Apex-MAP surface, time of an access to a word of "
                         "8 B:\n");
    if (fit_models(surface.point, surface.count, fits, &error) == STATUS_OK)
        for (int i = 0; i < FIT_MODELS; i++)
            put_fit_comment(buffer, &fits[i]);
    else
        buffer_print(buffer, "; none: %s\n", error.message);
    surface_free(&surface);
}

/* A GPU -------------------------------------------------------------------------------------- */

#define BUS_BITS 64.0
#define TRANSFERS 2.0

bool machine_preset_is_gpu(const struct measurement *measurement)
{
    for (int part = 0; part < MEASUREMENT_KERNELS; part++)
        if (measurement_has(measurement, (enum measurement_part)part))
            return false;
    return measurement_has(measurement, MEASUREMENT_GPU);
}

/* Writes a memory bus that gives the bandwidth. */
static void put_bus(struct buffer *buffer, double bandwidth)
{
    double most = BUS_BITS / 8 * TRANSFERS * knob_max(&knobs[KNOB_DEVICE_MEMORY_CLOCK]);
    double wide = larger(1, ceil(bandwidth / most));

    if (bandwidth == RESULT_NONE) {
        put_preset_knob(buffer, KNOB_DEVICE_MEMORY_CLOCK, RESULT_NONE, measured);
        return;
    }
    buffer_print(buffer, "; read bandwidth, expressed as a bus; the real one is unknown\n");
    put_preset_knob(buffer, KNOB_DEVICE_BUS_BITS, wide * BUS_BITS, measured);
    put_preset_knob(buffer, KNOB_DEVICE_TRANSFERS_PER_CLOCK, TRANSFERS, measured);
    put_preset_knob(buffer, KNOB_DEVICE_MEMORY_CLOCK, bandwidth / (wide * BUS_BITS / 8 * TRANSFERS),
                    measured);
    buffer_print(buffer, "; of what was measured\n");
    put_preset_knob(buffer, KNOB_DEVICE_SUSTAINED_MEMORY, 1, measured);
}

/* Writes the link to the host. */
static void put_link(struct buffer *buffer, const struct gpu_machine *gpu)
{
    double generation = gpu_machine_link(gpu);
    char rate[2][40];

    quantity_print(gpu->to_device, "GB/s", rate[0], sizeof rate[0]);
    quantity_print(gpu->to_host, "GB/s", rate[1], sizeof rate[1]);
    if (gpu->to_device != RESULT_NONE && gpu->to_host != RESULT_NONE)
        buffer_print(buffer, "; copies: %s to the device, %s to the host\n", rate[0], rate[1]);
    if (gpu->figures.shared) {
        put_text(buffer, &knobs[KNOB_DEVICE_HOST_LINK], "unified", "stated");
    } else if (generation > 0) {
        buffer_print(buffer,
                     "; the first generation that carries them; the real link is unknown\n");
        put_text(buffer, &knobs[KNOB_DEVICE_HOST_LINK], "pcie", assumed);
        put_preset_knob(buffer, KNOB_DEVICE_PCIE_GEN, generation, fitted);
        put_preset_knob(buffer, KNOB_DEVICE_PCIE_LANES, 16, assumed);
    } else if (generation == 0) {
        buffer_print(buffer, "; no PCIe link of 16 lanes carries them\n");
        put_text(buffer, &knobs[KNOB_DEVICE_HOST_LINK], "nvlink", assumed);
        put_preset_knob(buffer, KNOB_DEVICE_HOST_BANDWIDTH, larger(gpu->to_device, gpu->to_host),
                        measured);
    }
    put_preset_knob(buffer, KNOB_DEVICE_COPY_LATENCY, gpu->copy_latency, measured);
}

/* How the fixed times of a way to start work were measured. */
static const char *starts_text(const struct gpu_machine *gpu, enum dispatch dispatch)
{
    static const char *const texts[] = {
        [DISPATCH_GRAPH] = "a graph of kernels, replayed",
        [DISPATCH_PERSISTENT] = "a resident kernel: launch is question and answer through mapped "
                                "memory, boundary a barrier of all blocks",
    };

    if (dispatch != DISPATCH_STREAM)
        return texts[dispatch];
    return gpu->with_cuda ? "kernels in a stream of CUDA" : "kernels in a queue of OpenCL";
}

/* Writes what a way to start work takes; `way` as above. */
static void put_gpu_start(struct buffer *buffer, const char *way, const struct gpu_starts *starts)
{
    put_way_knob(buffer, way, KNOB_DEVICE_LAUNCH, starts->launch, measured);
    put_way_knob(buffer, way, KNOB_DEVICE_BOUNDARY, starts->boundary, measured);
    put_way_knob(buffer, way, KNOB_DEVICE_ENQUEUE, starts->enqueue, measured);
}

static void put_gpu(struct buffer *buffer, const struct gpu_machine *gpu, enum dispatch dispatch)
{
    const char *const *ways = knobs[KNOB_DEVICE_DISPATCH_GPU].choices;
    double peak = gpu->units == RESULT_NONE ? RESULT_NONE : gpu->units * gpu->clock;
    char other[20];

    put_preset_knob(buffer, KNOB_DEVICE_CLOCK_GPU, gpu->clock,
                    gpu->figures.clock > 0 ? "stated" : assumed);
    if (gpu->sustained_clock != RESULT_NONE)
        buffer_print(buffer, "; the rate of multiply-adds after half a minute of them over that of "
                             "short runs, times the clock\n");
    put_preset_knob(buffer, KNOB_DEVICE_SUSTAINED_CLOCK, gpu->sustained_clock, measured);
    if (gpu->units != RESULT_NONE)
        buffer_print(buffer,
                     "; %.0f compute units, each with as many fp32 units as the measured "
                     "rate needs, a power of two\n",
                     gpu->figures.units);
    put_preset_knob(buffer, KNOB_DEVICE_UNITS, gpu->units, fitted);
    put_preset_knob(buffer, KNOB_DEVICE_OPS_PER_CLOCK, 2, assumed);
    put_preset_knob(buffer, KNOB_DEVICE_SUSTAINED_COMPUTE,
                    peak == RESULT_NONE ? RESULT_NONE : smaller(1, gpu->fma / peak), measured);
    put_bus(buffer, gpu->read);
    put_preset_knob(buffer, KNOB_DEVICE_MEMORY_LATENCY, gpu->latency, measured);
    put_preset_knob(buffer, KNOB_DEVICE_L2_GPU,
                    gpu->figures.cache > 0 ? gpu->figures.cache : RESULT_NONE, "stated");
    put_preset_knob(buffer, KNOB_DEVICE_L2_BANDWIDTH, gpu->cache_read, measured);
    put_preset_knob(buffer, KNOB_DEVICE_L2_LATENCY, gpu->cache_latency, measured);
    put_preset_knob(buffer, KNOB_DEVICE_MEMORY_SIZE,
                    gpu->figures.memory > 0 ? gpu->figures.memory : RESULT_NONE, "stated");
    buffer_print(buffer, "; %s\n", starts_text(gpu, dispatch));
    put_text(buffer, &knobs[KNOB_DEVICE_DISPATCH_GPU], ways[dispatch], measured);
    put_gpu_start(buffer, "", &gpu->starts[dispatch]);
    for (int i = DISPATCH_STREAM; i <= DISPATCH_PERSISTENT; i++) {
        snprintf(other, sizeof other, "%s.", ways[i]);
        if (i != (int)dispatch && gpu_machine_starts(gpu, (enum dispatch)i))
            put_gpu_start(buffer, other, &gpu->starts[i]);
    }
    put_link(buffer, gpu);
}

/* The start of work, and ports ----------------------------------------------------------------- */

/* Writes what a way to start work takes; `way` as above. */
static void put_start(struct buffer *buffer, const char *way, const struct dispatch_times *times,
                      int dispatch)
{
    put_way_knob(buffer, way, KNOB_DEVICE_LAUNCH, times->launch[dispatch], measured);
    if (dispatch == DISPATCH_PROCESS)
        put_way_knob(buffer, way, KNOB_DEVICE_HANDOVER, times->handover, measured);
}

static void put_starts(struct buffer *buffer, const struct measurement *measurement,
                       const struct machine *machine, enum dispatch dispatch)
{
    enum dispatch way = dispatch == DISPATCH_STREAM ? DISPATCH_SPIN : dispatch;
    bool isolated = strncmp(measurement->condition[CONDITION_ISOLATION], "yes", 3) == 0;
    const char *const *ways = knobs[KNOB_DEVICE_DISPATCH_CPU].choices;
    struct dispatch_times times;
    char other[20];

    dispatch_times_from(measurement, &times);
    if (measurement_has(measurement, MEASUREMENT_DISPATCH))
        put_text(buffer, &knobs[KNOB_DEVICE_DISPATCH_CPU], ways[way], measured);
    put_start(buffer, "", &times, (int)way);
    for (int i = DISPATCH_SPIN; i <= DISPATCH_PROCESS; i++) {
        snprintf(other, sizeof other, "%s.", ways[i]);
        if (i != (int)way && times.launch[i] != RESULT_NONE)
            put_start(buffer, other, &times, i);
    }
    if (machine->boundary != RESULT_NONE)
        buffer_print(buffer, "; barrier of all cores, spinning\n");
    put_preset_knob(buffer, KNOB_DEVICE_BOUNDARY, machine->boundary, measured);
    if (measurement_has(measurement, MEASUREMENT_DISPATCH))
        put_text(buffer, &knobs[KNOB_DEVICE_OS],
                 knobs[KNOB_DEVICE_OS].choices[isolated ? OS_REALTIME : OS_STOCK], "stated");
    put_preset_knob(buffer, KNOB_DEVICE_SLEEP_LATENCY, times.sleep, measured);
    put_preset_knob(buffer, KNOB_DEVICE_INGRESS_LATENCY, times.ingress, measured);
    if (times.datagram != RESULT_NONE)
        buffer_print(buffer, "; of datagrams of %d B, in bursts\n", times.size);
    put_preset_knob(buffer, KNOB_DEVICE_DATAGRAM_TIME, times.datagram, measured);
    put_preset_knob(buffer, KNOB_DEVICE_EGRESS_LATENCY, times.egress, measured);
}

/* The preset --------------------------------------------------------------------------------- */

void machine_preset(struct buffer *buffer, const struct measurement *measurement,
                    const struct machine *machine, enum dispatch dispatch)
{
    const bool is_gpu = machine_preset_is_gpu(measurement);
    char name[TEXT_MAX_LENGTH - 10];
    struct gpu_machine gpu;

    buffer_print(buffer, "; measured by aolag on this machine; the raw points are in the .csv file "
                         "of the same name\n");
    for (int i = 0; i < CONDITIONS; i++) {
        char text[CONDITION_MAX];

        copy_printable(measurement->condition[i], "\\", text, sizeof text);
        if (text[0] != '\0')
            buffer_print(buffer, "; %s: %s\n", condition_names[i], text);
    }
    copy_printable(measurement->condition[is_gpu ? CONDITION_GPU : CONDITION_CPU], "\\\"';#", name,
                   sizeof name);
    buffer_print(buffer, "\n[device]\nmodel = %s, measured\nkind = %s\n",
                 name[0] == '\0' ? "this machine" : name, is_gpu ? "gpu" : "cpu");
    if (is_gpu) {
        gpu_machine_from(measurement, &gpu);
        put_gpu(buffer, &gpu, dispatch);
        return;
    }
    put_arithmetic(buffer, machine);
    put_preset_levels(buffer, machine);
    put_starts(buffer, measurement, machine, dispatch);
    put_preset_knob(buffer, KNOB_DEVICE_JITTER, machine->jitter, measured);
    put_preset_knob(buffer, KNOB_DEVICE_PC, machine->pc, fitted);
    put_fits(buffer, measurement);
}

/* Saving a preset ------------------------------------------------------------------------------ */

#define CSV_BYTES_MAX ((size_t)64 << 20) /* maximum size of a file to replace */

static enum status check_preset_name(const char *name, struct error *error)
{
    if (!preset_name_is_good(name))
        return error_set(error, STATUS_INVALID,
                         "invalid preset name \"%.80s\"; allowed: 1 to %d letters, digits, - _ + . "
                         "and no leading - or dot",
                         name, TEXT_MAX_LENGTH);
    if (embedded_find(preset_files, preset_files_count, name) != NULL)
        return error_set(error, STATUS_INVALID, "%s is a built-in preset; choose another name",
                         name);
    return STATUS_OK;
}

/* Returns true if a file contains a value marked as measured. */
static bool states_measured(const char *text, size_t length)
{
    struct problems problems = {NULL, 0, 0};
    struct ini ini;
    bool found = false;

    ini_scan(text, length, &ini, &problems);
    for (size_t i = 0; i < ini.key_count && !found; i++) {
        const struct ini_key *key = &ini.keys[i];

        found = key->name.length > strlen(ORIGIN_PREFIX) &&
                strncmp(ini.bytes + key->name.start, ORIGIN_PREFIX, strlen(ORIGIN_PREFIX)) == 0 &&
                key->value != NULL && strcmp(key->value, "measured") == 0;
    }
    ini_free(&ini);
    problems_free(&problems);
    return found;
}

/* Searches the user's presets like the catalogue, so that a design finds the saved one by name. */
static enum status check_user_presets(const char *name, const char *path, struct error *error)
{
    struct catalogue *catalogue;
    enum status status = catalogue_open(&catalogue, error);

    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < catalogue_count(catalogue) && status == STATUS_OK; i++) {
        const struct preset *preset = catalogue_at(catalogue, i);

        if (preset->path == NULL || strcmp(preset->name, name) != 0)
            continue;
        if (strcmp(preset->path, path) != 0)
            status = error_set(error, STATUS_CONFLICT, "%s already exists; choose another name",
                               preset->path);
        else if (!states_measured(preset->text, preset->length))
            status = error_set(error, STATUS_CONFLICT,
                               "%s exists and was not measured; choose another name", path);
    }
    catalogue_close(catalogue);
    return status;
}

/* Checks that an existing file of points is a measurement and may be replaced. */
static enum status check_points_file(const char *path, struct error *error)
{
    struct measurement old = {0};
    char *bytes = NULL;
    size_t length;
    bool missing = false;
    enum status status = file_read(path, CSV_BYTES_MAX, &bytes, &length, &missing, NULL);

    if (missing)
        return STATUS_OK;
    if (status == STATUS_OK)
        status = measurement_csv_read(&old, bytes, length, NULL);
    free(bytes);
    if (status != STATUS_OK)
        return error_set(error, STATUS_CONFLICT,
                         "%s exists and is not a measurement; choose another name", path);
    measurement_free(&old);
    return STATUS_OK;
}

/* The files of a preset; the caller frees them. */
struct preset_paths {
    char directory[USER_DIRECTORY_SIZE];
    char *ini, *csv;
};

static void free_paths(struct preset_paths *paths)
{
    free(paths->ini);
    free(paths->csv);
}

/* Determines the paths of a name, creates the directory and rejects files that must not be
 * replaced. */
static enum status prepare_paths(const char *name, struct preset_paths *paths, struct error *error)
{
    enum status status = check_preset_name(name, error);

    if (status != STATUS_OK)
        return status;
    if (!preset_directory(paths->directory))
        return error_set(error, STATUS_IO,
                         "no directory for presets: neither XDG_CONFIG_HOME nor HOME is "
                         "an absolute path");
    paths->ini = allocate_print("%s/%s.ini", paths->directory, name);
    paths->csv = allocate_print("%s/%s.csv", paths->directory, name);
    user_make_directory(paths->directory);
    if (access(paths->directory, W_OK | X_OK) != 0)
        return error_set(error, STATUS_IO, "%s cannot be written to: %s", paths->directory,
                         strerror(errno));
    status = check_user_presets(name, paths->ini, error);
    return status == STATUS_OK ? check_points_file(paths->csv, error) : status;
}

enum status machine_save_check(const char *name, struct error *error)
{
    struct preset_paths paths = {0};
    enum status status = prepare_paths(name, &paths, error);

    free_paths(&paths);
    return status;
}

/* Checks that a measurement has what a preset needs. */
static enum status check_measured(const struct measurement *measurement,
                                  const struct machine *machine, enum dispatch dispatch,
                                  struct error *error)
{
    struct gpu_machine gpu;
    struct dispatch_times times;
    bool is_gpu = machine_preset_is_gpu(measurement);
    bool on_cpu = dispatch > DISPATCH_PERSISTENT;

    gpu_machine_from(measurement, &gpu);
    dispatch_times_from(measurement, &times);
    if (is_gpu ? !gpu_machine_is_known(&gpu)
               : machine->levels == 0 && machine->clock == RESULT_NONE &&
                     !measurement_has(measurement, MEASUREMENT_DISPATCH))
        return error_set(error, STATUS_INVALID,
                         "nothing to save: a preset needs memory, operations, bandwidth or "
                         "dispatch, or gpu");
    if (dispatch == DISPATCH_STREAM || (is_gpu && !on_cpu && gpu_machine_starts(&gpu, dispatch)) ||
        (!is_gpu && on_cpu && times.launch[dispatch] != RESULT_NONE))
        return STATUS_OK;
    return error_set(error, STATUS_INVALID, "dispatch %s was not measured: it needs %s",
                     knobs[KNOB_DEVICE_DISPATCH_CPU].choices[dispatch],
                     on_cpu ? "aolag probe dispatch" : "the GPU of an NVIDIA driver");
}

enum status machine_save(const struct measurement *measurement, const char *name,
                         enum dispatch dispatch, char **path, struct error *error)
{
    struct machine machine;
    struct preset_paths paths = {0};
    struct buffer points = {0}, preset = {0};
    enum status status = check_preset_name(name, error);

    if (status != STATUS_OK)
        return status;
    machine_from_measurement(measurement, &machine);
    if (check_measured(measurement, &machine, dispatch, error) != STATUS_OK)
        return error->status;
    status = prepare_paths(name, &paths, error);
    measurement_csv(&points, measurement);
    machine_preset(&preset, measurement, &machine, dispatch);
    /* Points first: a failure then leaves points without a preset, not the reverse. */
    if (status == STATUS_OK)
        status = file_write(paths.csv, &points, error);
    if (status == STATUS_OK) {
        struct error remark = *error;

        status = file_write(paths.ini, &preset, error);
        if (status == STATUS_OK && remark.message[0] != '\0')
            error_add(error, "%s: %s", paths.csv, remark.message);
    }
    buffer_free(&points);
    buffer_free(&preset);
    if (status == STATUS_OK && path != NULL) {
        *path = paths.ini;
        paths.ini = NULL;
    }
    free_paths(&paths);
    return status;
}

enum status machine_device(const struct measurement *measurement, struct device *device,
                           struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    struct buffer text = {0};
    struct machine machine;
    enum status status;

    machine_from_measurement(measurement, &machine);
    machine_preset(&text, measurement, &machine, DISPATCH_STREAM);
    status = preset_read_device(device, text.bytes, text.length, &problems);
    if (status != STATUS_OK)
        problems_summary(&problems, "the probe's preset", error);
    problems_free(&problems);
    buffer_free(&text);
    return status;
}
