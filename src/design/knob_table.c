/* The table itself: the rows of knobs.def, the words of choices and the kinds that rows name. */
#include "design/knob.h"

static const char *const wfs_kinds[] = {"shack-hartmann", "pyramid", NULL};
static const char *const device_kinds[] = {"cpu", "gpu", NULL};
static const char *const host_links[] = {"pcie", "nvlink", "unified", NULL};
static const char *const sharings[] = {"partition", "exclusive", "fluid", NULL};
static const char *const off_on[] = {"off", "on", NULL};
static const char *const memory_models[] = {"flat",        "two-level", "latency-bandwidth",
                                            "hierarchy-2", "hierarchy", NULL};
static const char *const splits[] = {"columns", "rows", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const component_types[] = {"camera",  "calibration",    "descramble", "centroid",
                                              "pyramid", "reconstruction", "control",    "transfer",
                                              "dm",      "program",        "custom",     NULL};
static const char *const precisions[] = {"fp64", "fp32", "fp16", "bf16", "int8", NULL};
static const char *const accesses[] = {"sequential", "strided", "random", NULL};
static const char *const barriers[] = {"packet", "frame", NULL};
static const char *const shutters[] = {"global", "rolling", NULL};
static const char *const orders[] = {"raster", "centre-out", "edges-in", "frame", NULL};
static const char *const interfaces[] = {"none",
                                         "camera-link-base",
                                         "camera-link-medium",
                                         "camera-link-full",
                                         "camera-link-80",
                                         "coaxpress-6",
                                         "coaxpress-12",
                                         "gige-vision",
                                         NULL};
static const char *const normalisations[] = {"global", "local", NULL};
static const char *const links[] = {"none", "network", "pcie", NULL};
static const char *const switches[] = {"cut-through", "store-forward", NULL};
static const char *const distances[] = {"instructions", "cycles", NULL};
static const char *const agendas[] = {"pixels", "slopes", "frame", NULL};

/* Kinds, one bit each. */
enum {
    SH = 1 << WFS_SHACK_HARTMANN,
    CPU = 1 << DEVICE_CPU,
    GPU = 1 << DEVICE_GPU,
    CAMERA = 1 << COMPONENT_CAMERA,
    CENTROID = 1 << COMPONENT_CENTROID,
    PYRAMID = 1 << COMPONENT_PYRAMID,
    RECONSTRUCTION = 1 << COMPONENT_RECONSTRUCTION,
    TRANSFER = 1 << COMPONENT_TRANSFER,
    DM = 1 << COMPONENT_DM,
    PROGRAM = 1 << COMPONENT_PROGRAM,
    CUSTOM = 1 << COMPONENT_CUSTOM,
    CONTROL = 1 << COMPONENT_CONTROL,
    ALGORITHMIC = 1 << COMPONENT_CALIBRATION | CENTROID | PYRAMID | RECONSTRUCTION | CONTROL,
    COMPUTE = ALGORITHMIC | 1 << COMPONENT_DESCRAMBLE | CUSTOM,
    SENSOR = CAMERA | 1 << COMPONENT_CALIBRATION | 1 << COMPONENT_DESCRAMBLE | CENTROID | PYRAMID |
             CUSTOM,
    RUNS = COMPUTE | PROGRAM,
    ANY_BUT_CAMERA = RUNS | TRANSFER | DM
};

/* What the rows of knobs.def are written with. */
#define SCENARIO_FIELD(member)                                                                     \
    .section = SECTION_SCENARIO, .offset = offsetof(struct general, member)
#define AO_FIELD(member) .section = SECTION_AO, .offset = offsetof(struct ao, member)
#define ATMOSPHERE_FIELD(member)                                                                   \
    .section = SECTION_ATMOSPHERE, .offset = offsetof(struct atmosphere, member)
#define WFS_FIELD(member) .section = SECTION_WFS, .offset = offsetof(struct wfs, member)
#define DEVICE_FIELD(member) .section = SECTION_DEVICE, .offset = offsetof(struct device, member)
#define COMPONENT_FIELD(member)                                                                    \
    .section = SECTION_COMPONENT, .offset = offsetof(struct component, member)
#define CHOICES(words)                                                                             \
    .type = KNOB_CHOICE, .choices = words, .max = sizeof words / sizeof words[0] - 2, .step = 1

const struct knob knobs[KNOB_COUNT] = {
#define KNOB(id, ...) [KNOB_##id] = {__VA_ARGS__},
#include "design/knobs.def"
#undef KNOB
};
