#include "design/knob_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "design/calibration.h"
#include "design/vibration.h"

/* clang-format off */
static const char *const wfs_kinds[] = {
    [WFS_SHACK_HARTMANN] = "shack-hartmann", [WFS_PYRAMID] = "pyramid", NULL};
static const char *const device_kinds[] = {
    [DEVICE_CPU] = "cpu", [DEVICE_GPU] = "gpu", [DEVICE_FPGA] = "fpga", NULL};
static const char *const host_links[] = {
    [HOST_LINK_PCIE] = "pcie", [HOST_LINK_NVLINK] = "nvlink",
    [HOST_LINK_UNIFIED] = "unified", NULL};
static const char *const sharings[] = {
    [SHARING_PARTITION] = "partition", [SHARING_EXCLUSIVE] = "exclusive",
    [SHARING_FLUID] = "fluid", NULL};
static const char *const dispatches[] = {
    [DISPATCH_STREAM] = "stream", [DISPATCH_GRAPH] = "graph",
    [DISPATCH_PERSISTENT] = "persistent", [DISPATCH_SPIN] = "spin", [DISPATCH_WAKE] = "wake",
    [DISPATCH_PROCESS] = "process", NULL};
static const char *const gpu_dispatches[] = {
    [DISPATCH_STREAM] = "stream", [DISPATCH_GRAPH] = "graph",
    [DISPATCH_PERSISTENT] = "persistent", NULL};
static const char *const frameworks[] = {
    [FRAMEWORK_NONE] = "none", [FRAMEWORK_INTERPRETER] = "interpreter", NULL};
static const char *const clock_kinds[] = {
    [CLOCK_BASE] = "base", [CLOCK_ALL_CORE] = "all-core", [CLOCK_NARROW] = "narrow",
    [CLOCK_WIDE] = "wide", [CLOCK_SINGLE] = "single", [CLOCK_FIXED] = "fixed", NULL};
static const char *const copies[] = {
    [COPY_MEMCPY] = "memcpy", [COPY_MAPPED] = "mapped", [COPY_RDMA] = "rdma", NULL};
static const char *const peer_links[] = {[PEER_PCIE] = "pcie", [PEER_NVLINK] = "nvlink", NULL};
static const char *const systems[] = {
    [OS_REALTIME] = "realtime", [OS_STOCK] = "stock", [OS_IDEAL] = "ideal", NULL};
static const char *const ingresses[] = {
    [INGRESS_KERNEL] = "kernel", [INGRESS_BUSY_POLL] = "busy-poll", [INGRESS_BYPASS] = "bypass",
    [INGRESS_FRAME_GRABBER] = "frame-grabber", [INGRESS_RDMA] = "rdma",
    [INGRESS_IDEAL] = "ideal", NULL};
static const char *const egresses[] = {
    [EGRESS_KERNEL] = "kernel", [EGRESS_BUSY_POLL] = "busy-poll", [EGRESS_BYPASS] = "bypass",
    [EGRESS_IDEAL] = "ideal", NULL};
static const char *const memory_models[] = {
    [MODEL_FLAT] = "flat", [MODEL_TWO_LEVEL] = "two-level",
    [MODEL_LATENCY_BANDWIDTH] = "latency-bandwidth", [MODEL_HIERARCHY_2] = "hierarchy-2",
    [MODEL_HIERARCHY] = "hierarchy", NULL};
static const char *const component_types[] = {
    [COMPONENT_CAMERA] = "camera", [COMPONENT_CALIBRATION] = "calibration",
    [COMPONENT_DESCRAMBLE] = "descramble", [COMPONENT_CENTROID] = "centroid",
    [COMPONENT_PYRAMID] = "pyramid", [COMPONENT_RECONSTRUCTION] = "reconstruction",
    [COMPONENT_CONTROL] = "control", [COMPONENT_TRANSFER] = "transfer", [COMPONENT_DM] = "dm",
    [COMPONENT_PROGRAM] = "program", [COMPONENT_CUSTOM] = "custom", NULL};
static const char *const precisions[] = {
    [PRECISION_FP64] = "fp64", [PRECISION_FP32] = "fp32", [PRECISION_FP16] = "fp16",
    [PRECISION_BF16] = "bf16", [PRECISION_INT8] = "int8", NULL};
static const char *const accesses[] = {
    [ACCESS_SEQUENTIAL] = "sequential", [ACCESS_STRIDED] = "strided",
    [ACCESS_RANDOM] = "random", NULL};
static const char *const processings[] = {
    [PROCESSING_PACKETS] = "packets", [PROCESSING_FRAMES] = "frames", NULL};
static const char *const barriers[] = {
    [BARRIER_PACKET] = "packet", [BARRIER_FRAME] = "frame", NULL};
static const char *const shutters[] = {
    [SHUTTER_GLOBAL] = "global", [SHUTTER_ROLLING] = "rolling", NULL};
static const char *const orders[] = {
    [ORDER_RASTER] = "raster", [ORDER_CENTRE_OUT] = "centre-out", [ORDER_EDGES_IN] = "edges-in",
    [ORDER_FRAME] = "frame", NULL};
static const char *const interfaces[] = {
    [INTERFACE_NONE] = "none", [INTERFACE_CAMERA_LINK_BASE] = "camera-link-base",
    [INTERFACE_CAMERA_LINK_MEDIUM] = "camera-link-medium",
    [INTERFACE_CAMERA_LINK_FULL] = "camera-link-full",
    [INTERFACE_CAMERA_LINK_80] = "camera-link-80", [INTERFACE_COAXPRESS_6] = "coaxpress-6",
    [INTERFACE_COAXPRESS_12] = "coaxpress-12", [INTERFACE_GIGE_VISION] = "gige-vision", NULL};
static const char *const normalisations[] = {
    [NORMALISATION_GLOBAL] = "global", [NORMALISATION_LOCAL] = "local", NULL};
static const char *const links[] = {
    [LINK_NONE] = "none", [LINK_NETWORK] = "network", [LINK_PCIE] = "pcie", NULL};
static const char *const switches[] = {
    [SWITCH_CUT_THROUGH] = "cut-through", [SWITCH_STORE_FORWARD] = "store-forward", NULL};
static const char *const splits[] = {
    [SPLIT_COLUMNS] = "columns", [SPLIT_ROWS] = "rows", NULL};
static const char *const distances[] = {
    [DISTANCE_INSTRUCTIONS] = "instructions", [DISTANCE_CYCLES] = "cycles", NULL};
static const char *const agendas[] = {
    [AGENDA_PIXELS] = "pixels", [AGENDA_SLOPES] = "slopes", [AGENDA_FRAME] = "frame", NULL};
static const char *const controllers[] = {
    [CONTROLLER_INTEGRATOR] = "integrator", [CONTROLLER_LEAKY] = "leaky",
    [CONTROLLER_PID] = "pid", [CONTROLLER_LQG] = "lqg",
    [CONTROLLER_LQG_TIP_TILT] = "lqg-tip-tilt", NULL};
static const char *const gains[] = {
    [GAINS_COMMON] = "common", [GAINS_PER_ORDER] = "per-order", NULL};
static const char *const bands[] = {
    [BAND_V] = "V", [BAND_R] = "R", [BAND_I] = "I", [BAND_J] = "J", [BAND_H] = "H",
    [BAND_K] = "K", NULL};
static const char *const surfaces[] = {
    [SURFACE_CONTINUOUS] = "continuous", [SURFACE_SQUARE] = "square",
    [SURFACE_SEGMENTS] = "segments", [SURFACE_PISTONS] = "pistons", NULL};
static const char *const off_on[] = {"off", "on", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
/* clang-format on */

/* Kinds and types, one bit each. */
enum {
    SH = 1 << WFS_SHACK_HARTMANN,
    PYRAMID_WFS = 1 << WFS_PYRAMID,
    CPU = 1 << DEVICE_CPU,
    GPU = 1 << DEVICE_GPU,
    FPGA = 1 << DEVICE_FPGA,
    CAMERA = 1 << COMPONENT_CAMERA,
    CENTROID = 1 << COMPONENT_CENTROID,
    PYRAMID = 1 << COMPONENT_PYRAMID,
    RECONSTRUCTION = 1 << COMPONENT_RECONSTRUCTION,
    CONTROL = 1 << COMPONENT_CONTROL,
    TRANSFER = 1 << COMPONENT_TRANSFER,
    DM = 1 << COMPONENT_DM,
    PROGRAM = 1 << COMPONENT_PROGRAM,
    CUSTOM = 1 << COMPONENT_CUSTOM,
    ALGORITHMIC = 1 << COMPONENT_CALIBRATION | CENTROID | PYRAMID | RECONSTRUCTION | CONTROL,
    COMPUTE = ALGORITHMIC | 1 << COMPONENT_DESCRAMBLE | CUSTOM,
    SENSOR = CAMERA | 1 << COMPONENT_CALIBRATION | 1 << COMPONENT_DESCRAMBLE | CENTROID | PYRAMID |
             CUSTOM,
    RUNS = COMPUTE | PROGRAM,
    ANY_BUT_CAMERA = RUNS | TRANSFER | DM
};

/* Macros used in the rows of knobs.def. */
#define FIELD(id, tag, member)                                                                     \
    .section = SECTION_##id, .offset = offsetof(struct tag, member),                               \
    .size = sizeof(((struct tag *)NULL)->member)
#define SCENARIO_FIELD(member) FIELD(SCENARIO, general, member)
#define AO_FIELD(member) FIELD(AO, ao, member)
#define ATMOSPHERE_FIELD(member) FIELD(ATMOSPHERE, atmosphere, member)
#define TELEMETRY_FIELD(member) FIELD(TELEMETRY, telemetry, member)
#define UPDATE_FIELD(member) FIELD(UPDATE, update, member)
#define CALIBRATION_FIELD(member) FIELD(CALIBRATION, calibration, member)
#define WFS_FIELD(member) FIELD(WFS, wfs, member)
#define DEVICE_FIELD(member) FIELD(DEVICE, device, member)
#define COMPONENT_FIELD(member) FIELD(COMPONENT, component, member)
#define FORMULA(stated) .formula = offsetof(struct component, formula[STATED_##stated])
#define CHOICES(words)                                                                             \
    .type = KNOB_CHOICE, .choices = words, .max = sizeof words / sizeof words[0] - 2, .step = 1
#define CPI(class)                                                                                 \
    DEVICE_FIELD(cpi[INSTRUCTION_##class]), .type = KNOB_NUMBER, .kinds = CPU, .min = 0.05,        \
                                            .max = 100, .fallback = 1, .scale = SCALE_LOG,         \
                                            .step = 0.01, .role = ROLE_ASSUMPTION
static const char late_wakeups[] = "late wake-ups";

#define LATE(quantile)                                                                             \
    DEVICE_FIELD(late[LATE_##quantile]), .type = KNOB_NUMBER, .unit = "us", .min = 0,              \
                                         .max = 1e+06, .fallback = TIME_AUTO, .scale = SCALE_LOG,  \
                                         .step = 0.1, .automatic = true, .role = ROLE_ASSUMPTION,  \
                                         .group = late_wakeups

const struct knob knobs[KNOB_COUNT] = {
#define KNOB(id, ...) [KNOB_##id] = {__VA_ARGS__},
#include "design/knobs.def"
#undef KNOB
};

const int knob_first_rows[SECTION_COUNT + 1] = {[SECTION_SCENARIO] = KNOB_SCENARIO_FORMAT,
                                                  [SECTION_AO] = KNOB_AO_ACTUATORS,
                                                  [SECTION_ATMOSPHERE] = KNOB_ATMOSPHERE_R0,
                                                  [SECTION_TELEMETRY] = KNOB_TELEMETRY_PIXELS,
                                                  [SECTION_UPDATE] = KNOB_UPDATE_PERIOD,
                                                  [SECTION_CALIBRATION] = KNOB_CALIBRATION_FACTORS,
                                                  [SECTION_WFS] = KNOB_WFS_KIND,
                                                  [SECTION_DEVICE] = KNOB_DEVICE_PRESET,
                                                  [SECTION_COMPONENT] = KNOB_COMPONENT_TYPE,
                                                  [SECTION_COUNT] = KNOB_COUNT};

const struct knob *section_kind_knob(enum section section)
{
    switch (section) {
    case SECTION_WFS:
        return &knobs[KNOB_WFS_KIND];
    case SECTION_DEVICE:
        return &knobs[KNOB_DEVICE_KIND];
    case SECTION_COMPONENT:
        return &knobs[KNOB_COMPONENT_TYPE];
    default:
        return NULL;
    }
}

bool knob_is_selectable(const struct knob *knob)
{
    return knob->role == ROLE_HARDWARE || knob->role == ROLE_SOFTWARE;
}

bool knob_is_auto(const struct knob *knob, double si)
{
    return (knob->automatic && knob_is_number(knob) && si == knob->fallback) ||
           (knob->formula != 0 && si == NUMBER_FORMULA);
}

const char *knob_word(enum knob_id id, int value)
{
    return knobs[id].choices[value];
}

const char *sharing_name(enum sharing sharing)
{
    return sharing == SHARING_MIXED ? "partly partition" : sharings[sharing];
}

/* Units ---------------------------------------------------------------------------------------- */

static struct unit unit_of(const struct knob *knob)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    if (knob->unit[0] != '\0')
        unit_find(knob->unit, &unit);
    return unit;
}

double knob_to_si(const struct knob *knob, double value)
{
    struct unit unit = unit_of(knob);

    return value * unit.numerator / unit.denominator;
}

double knob_in_unit(const struct knob *knob, double si)
{
    struct unit unit = unit_of(knob);

    return si * unit.denominator / unit.numerator;
}

double knob_min(const struct knob *knob)
{
    return knob_to_si(knob, knob->min);
}

double knob_max(const struct knob *knob)
{
    return knob_to_si(knob, knob->max);
}

double knob_fallback(const struct knob *knob)
{
    /* the value that means "automatic" is not a quantity */
    return knob->automatic || knob->fallback == 0 ? knob->fallback
                                                  : knob_to_si(knob, knob->fallback);
}

void knob_range(const struct knob *knob, char *text, size_t size)
{
    char low[40];
    char high[40];
    char *unit;

    quantity_format(knob_min(knob), knob->unit, low, sizeof low);
    quantity_format(knob_max(knob), knob->unit, high, sizeof high);
    unit = strchr(low, ' ');
    if (unit != NULL && strchr(high, ' ') != NULL && strcmp(unit, strchr(high, ' ')) == 0)
        *unit = '\0'; /* said once: "16 to 32768 bit" */
    snprintf(text, size, "%s to %s", low, high);
}

/* Sliders -------------------------------------------------------------------------------------- */

static double clamp_value(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* Converts a value from the knob's unit to SI and clamps it to the range. */
static double si_within(const struct knob *knob, double value)
{
    return clamp_value(knob_to_si(knob, value), knob_min(knob), knob_max(knob));
}

/* Returns the lower end of a log scale; its smallest step if the range starts at 0. */
static double log_floor(const struct knob *knob)
{
    return knob->min > 0 ? knob->min : knob->step;
}

double knob_position(const struct knob *knob, double si)
{
    double value = clamp_value(knob_in_unit(knob, si), knob->min, knob->max);
    double low = log_floor(knob);

    if (knob->max <= knob->min)
        return 0;
    if (knob->scale == SCALE_LINEAR)
        return (value - knob->min) / (knob->max - knob->min);
    if (value <= low)
        return 0;
    return log(value / low) / log(knob->max / low);
}

/* Returns the step of a log knob at a value: one in the second significant digit. At a power of
 * ten, where the step changes, `up` selects the larger one. */
static double log_grain(const struct knob *knob, double value, bool up)
{
    double decade;

    if (value <= 0)
        return knob->step;
    decade = floor(log10(value) + 1e-9);
    if (!up && value <= pow(10, decade) * (1 + 1e-9))
        decade -= 1;
    return fmax(knob->step, pow(10, decade - 1));
}

static double whole_grains(double value, double grain, bool up)
{
    double count = value / grain;

    count = up ? floor(count + 1e-6) + 1 : ceil(count - 1e-6) - 1;
    /* dividing by a power of ten rounds more accurately than multiplying by its inverse */
    return grain < 1 ? count / round(1 / grain) : count * grain;
}

/* An upward step stops at the next power of ten, where the grids of both step sizes meet. */
static double log_step(const struct knob *knob, double value, bool up)
{
    double next = whole_grains(value, log_grain(knob, value, up), up);
    double decade;

    if (!up || value <= 0)
        return next;
    decade = floor(log10(value) + 1e-9);
    return pow(10, decade) > knob->step ? fmin(next, pow(10, decade + 1)) : next;
}

/* Returns the next value in the knob's unit, within the range. */
static double next_slider_value(const struct knob *knob, double value, bool up)
{
    double next;

    if (knob->scale == SCALE_POWER2)
        next = up ? exp2(floor(log2(value) + 1e-9) + 1) : exp2(ceil(log2(value) - 1e-9) - 1);
    else if (knob->scale == SCALE_LOG)
        next = log_step(knob, value, up);
    else
        next = whole_grains(value, knob->step, up);
    return clamp_value(next, knob->min, knob->max);
}

double knob_step(const struct knob *knob, double si, int steps)
{
    double value = knob_in_unit(knob, si);

    for (int i = 0; i < (steps < 0 ? -steps : steps); i++)
        value = next_slider_value(knob, value, steps > 0);
    return si_within(knob, value);
}

double knob_at(const struct knob *knob, double position)
{
    double low = log_floor(knob);
    double value;
    double below;
    double above;

    position = clamp_value(position, 0, 1);
    if (position == 0 || position == 1)
        return position == 0 ? knob_min(knob) : knob_max(knob);
    if (knob->scale == SCALE_LINEAR)
        value = knob->min + position * (knob->max - knob->min);
    else
        value = low * exp(position * log(knob->max / low));
    above = next_slider_value(knob, value, true);
    below = next_slider_value(knob, above, false);
    return si_within(knob, value - below < above - value ? below : above);
}
