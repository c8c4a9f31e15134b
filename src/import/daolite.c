#include "import/daolite.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/utf8.h"

struct type_row {
    const char *name;
    enum daolite_type type;
};

/* The first row of a type has its name in messages. */
static const struct type_row types[] = {
    {"CAMERA", DAOLITE_CAMERA},         {"CALIBRATION", DAOLITE_CALIBRATION},
    {"CENTROIDER", DAOLITE_CENTROIDER}, {"RECONSTRUCTION", DAOLITE_RECONSTRUCTION},
    {"CONTROL", DAOLITE_CONTROL},       {"DM", DAOLITE_DM},
    {"NETWORK", DAOLITE_NETWORK},       {"PCIE", DAOLITE_PCIE},
    {"TRANSFER", DAOLITE_PCIE},         {"RECONSTRUCTOR", DAOLITE_RECONSTRUCTION},
    {"CONTROLLER", DAOLITE_CONTROL},
};

enum { TYPES = sizeof types / sizeof types[0] };

/* The first is that of a camera without camera_function. */
static const struct daolite_camera_row cameras[] = {
    {"PCOCamLink", 500, 1, 0},
    {"GigeVisionCamera", 600, 1.1, 0},
    {"RollingShutterCamera", 700, 1, 100},
};

/* Functions of centroiders in daolite's documentation, and the algorithm of each. */
struct function_row {
    const char *name, *algorithm;
};

static const struct function_row functions[] = {
    {"Centroider", NULL},
    {"CrossCorrelate", "correlation-fft"},
    {"cross_correlation_centroider", "correlation-fft"},
    {"ExtendedSourceCentroider", "correlation-fft"},
    {"SquareDiff", "square-difference"},
    {"square_difference_centroider", "square-difference"},
    {"Centroid", NULL},
    {"center_of_gravity", NULL},
    {"weighted_center_of_gravity", "weighted"},
    {"matched_filter_centroider", "matched"},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* Keys of parameters that have no counterpart, and why. */
struct lost_row {
    const char *keys, *why;
    double neutral; /* the number that changes nothing */
};

static const struct lost_row lost_rows[] = {
    {"packetization|group_size", "group states the packets of a frame", NAN},
    {"delay_start",
     "a component here begins with the first packet of its sensor; none waits for "
     "a later one",
     0},
    {"combine|n_combine", "every frame has a command", 1},
    {"operations", "the component does all that its algorithm needs", NAN},
    {"gain", "the latency does not depend on it", 1},
    {"interface", "the interface of the camera is not limited; component.NAME.interface states one",
     NAN},
    {"agenda|centroid_agenda_path", "it is the name of a file; centroid_agenda states a list", NAN},
    {"dm_type", "every mirror is of type dm", NAN},
    {"dest_time_in_driver", "the times of the ports are those of the devices", NAN},
};

/* What is being read. */
struct reading {
    struct daolite *daolite;
    const struct values *tree;
    const struct daolite_files *files;
    struct problems *problems;
    const struct node *simulation;
    struct problems skipped;  /* names that daolite passes over: lost, or reasons of a problem */
    char box[DEVICE_MAX][64]; /* name of the box in the file */
};

const struct daolite_camera_row *daolite_camera(const char *name)
{
    for (size_t c = 0; c < sizeof cameras / sizeof cameras[0]; c++)
        if (strcmp(cameras[c].name, name) == 0)
            return &cameras[c];
    return NULL;
}

const char *daolite_type_name(enum daolite_type type)
{
    for (int t = 0; t < TYPES; t++)
        if (types[t].type == type)
            return types[t].name;
    return "";
}

const struct daolite_component *daolite_agenda(const struct daolite *daolite, int camera)
{
    static const enum daolite_type types_of[] = {DAOLITE_CAMERA, DAOLITE_CALIBRATION,
                                                 DAOLITE_CENTROIDER};

    for (size_t t = 0; t < sizeof types_of / sizeof types_of[0]; t++)
        for (int c = 0; c < daolite->component_count; c++) {
            const struct daolite_component *component = &daolite->component[c];

            if (component->camera == camera && component->type == types_of[t] &&
                component->agenda != NULL)
                return component;
        }
    return NULL;
}

void daolite_free(struct daolite *daolite)
{
    for (int c = 0; c < COMPONENT_MAX; c++)
        free(daolite->component[c].agenda);
    problems_free(&daolite->lost);
    problems_free(&daolite->assumed);
}

static void assume(struct reading *reading, const char *origin, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void assume(struct reading *reading, const char *origin, int line, const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    problems_add(&reading->daolite->assumed, line, "%s: %s", origin, text);
}

static struct file_entry entry_at(const struct reading *reading, const struct node *node)
{
    struct file_entry entry = {.tree = reading->tree, .problems = reading->problems};

    if (node != NULL) {
        entry.map[0] = node;
        entry.line = node->line;
    }
    return entry;
}

/* Names ---------------------------------------------------------------------------------------- */

/* Writes the name of a device or component: what is no a-z 0-9 _ becomes a hyphen. */
static void make_name(const char *title, const char *fallback, char name[NAME_MAX_LENGTH + 1])
{
    size_t length = 0;

    for (; *title != '\0' && length < NAME_MAX_LENGTH - 3; title++) {
        char c = *title;

        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')
            name[length++] = c;
        else if (length > 0 && name[length - 1] != '-' && (*title & 0xC0) != 0x80)
            name[length++] = '-';
    }
    while (length > 0 && name[length - 1] == '-')
        length--;
    name[length] = '\0';
    if (length == 0)
        snprintf(name, NAME_MAX_LENGTH + 1, "%s", fallback);
}

/* Appends a number to a name that is taken. */
static void number_name(char name[NAME_MAX_LENGTH + 1], int number)
{
    char plain[NAME_MAX_LENGTH + 1];

    memcpy(plain, name, sizeof plain);
    snprintf(name, NAME_MAX_LENGTH + 1, "%.20s-%d", plain, number);
}

static bool component_is_named(const struct daolite *daolite, const char *name)
{
    for (int c = 0; c < daolite->component_count; c++)
        if (strcmp(daolite->component[c].name, name) == 0)
            return true;
    return false;
}

static void name_component(struct daolite *daolite, struct daolite_component *component)
{
    char plain[NAME_MAX_LENGTH + 1];

    make_name(component->title, "component", plain);
    memcpy(component->name, plain, sizeof plain);
    for (int n = 2; component_is_named(daolite, component->name); n++) {
        memcpy(component->name, plain, sizeof plain);
        number_name(component->name, n);
    }
}

static void name_machine(struct daolite *daolite, struct resource *machine, const char *title)
{
    char plain[NAME_MAX_LENGTH + 1];
    bool taken = true;

    make_name(title, machine->gpu ? "gpu" : "cpu", plain);
    memcpy(machine->name, plain, sizeof plain);
    for (int n = 2; taken; n++) {
        taken = false;
        for (int m = 0; m < daolite->machine_count; m++)
            taken = taken || strcmp(daolite->machine[m].name, machine->name) == 0;
        if (taken) {
            memcpy(machine->name, plain, sizeof plain);
            number_name(machine->name, n);
        }
    }
}

/* Compute resources ---------------------------------------------------------------------------- */

/* Adds a machine, or returns the same one that exists; -1 after a problem. */
static int add_machine(struct reading *reading, const struct file_entry *entry,
                       struct resource *resource, const char *title)
{
    struct daolite *daolite = reading->daolite;

    for (int m = 0; m < daolite->machine_count; m++)
        if (resource_same(&daolite->machine[m], resource))
            return m;
    if (daolite->machine_count == DEVICE_MAX) {
        entry_problem(entry, 0, "it needs more than %d different compute resources", DEVICE_MAX);
        return -1;
    }
    name_machine(daolite, resource, title);
    daolite->machine[daolite->machine_count] = *resource;
    return daolite->machine_count++;
}

static bool names_file(const char *text)
{
    const char *end = strrchr(text, '.');

    return end != NULL && (strcasecmp(end, ".yaml") == 0 || strcasecmp(end, ".yml") == 0 ||
                           strcasecmp(end, ".json") == 0);
}

static bool has_values(const struct file_entry *entry)
{
    return entry_find(entry, "cores|core_frequency|flops|fp32_tflops|memory_bandwidth") != NULL;
}

/* Reads the values of a file; returns false after a problem. */
static bool read_values_file(struct reading *reading, const struct file_entry *entry, int line,
                             const char *path, struct resource *resource)
{
    struct values tree = {0};
    struct file_entry values = *entry;
    struct problems problems = {0}, lost = {0};
    struct error error = {STATUS_OK, "files named by a pipeline are not read here"};
    bool good;

    if (reading->files == NULL ||
        reading->files->read(reading->files->context, path, &tree, &error) != STATUS_OK) {
        entry_problem(entry, line, "compute: %s", error.message);
        return false;
    }
    values.tree = &tree;
    values.problems = &problems;
    values.map[0] = &tree.node[0];
    snprintf(resource->origin, sizeof resource->origin, "%.80s in %.60s", entry->origin, path);
    resource->from_file = true;
    good = has_values(&values);
    if (good)
        resource_read_values(resource, &values, &lost);
    else
        entry_problem(entry, line,
                      "compute: %.200s has no values of a compute resource (cores, "
                      "core_frequency, ...; of a GPU flops, memory_bandwidth)",
                      path);
    /* lines of the other file would be taken for lines of this one */
    for (size_t i = 0; i < problems.count; i++)
        entry_problem(entry, line, "compute: %.200s:%d: %.200s", path, problems.list[i].line,
                      problems.list[i].message);
    for (size_t i = 0; i < lost.count; i++)
        problems_add(&reading->daolite->lost, line, "%.200s:%d: %.300s", path, lost.list[i].line,
                     lost.list[i].message);
    good = good && problems.count == 0;
    problems_free(&problems);
    problems_free(&lost);
    values_free(&tree);
    return good;
}

/* Reads a text: a factory or the path of a file. */
static bool read_named(struct reading *reading, const struct file_entry *entry, int line,
                       const char *text, struct resource *resource)
{
    if (names_file(text))
        return read_values_file(reading, entry, line, text, resource);
    if (resource_find(resource, text))
        return true;
    resource_unknown(entry, line, text);
    return false;
}

/* Reads `compute`: a text or a map. Returns false after a problem. */
static bool read_compute(struct reading *reading, const struct file_entry *entry,
                         const struct node *compute, struct resource *resource)
{
    struct file_entry values = *entry;
    const struct node *named;
    char shown[VALUES_SHOWN_MAX];

    if (compute->kind == NODE_TEXT)
        return read_named(reading, entry, compute->line, compute->text, resource);
    if (compute->kind != NODE_MAP) {
        entry_problem(entry, compute->line,
                      "compute is %s; it is a factory such as amd_epyc_7763, a "
                      "map of values or the name of a YAML file",
                      values_show(compute, shown));
        return false;
    }
    values.map[0] = compute;
    values.line = compute->line;
    named = entry_find(&values, "factory|resource|resource_name|file|yaml");
    if (named != NULL && named->kind == NODE_TEXT && !has_values(&values))
        return read_named(reading, entry, named->line, named->text, resource);
    resource_read_values(resource, &values, &reading->daolite->lost);
    return true;
}

/* Reads the values beside the name of a product, whose figures are those of its preset. */
static void read_beside(struct reading *reading, const struct file_entry *entry,
                        const struct node *compute, const char *product, struct resource *resource)
{
    struct file_entry values = *entry;
    const char *preset = resource->preset, *named = resource->named;
    struct stated network = resource->network;

    if (compute->kind == NODE_MAP) {
        values.map[0] = compute;
        resource_read_values(resource, &values, &reading->daolite->lost);
        if (resource->network.si == 0)
            resource->network = network;
    }
    resource->preset = preset;
    resource->named = named;
    problems_add(&reading->daolite->assumed, compute->line,
                 "%s: the figures of \"%s\" are those of the preset %s, not the values of compute "
                 "but for its network_speed and time_in_driver",
                 entry->origin, product, preset);
}

static void copy_title(char title[64], const char *text)
{
    utf8_excerpt(title, 64, text, strlen(text));
    for (char *c = title; *c != '\0'; c++)
        if (*c == '"')
            *c = '\'';
}

/* Reads a box of computers or GPUs into a machine of its own. */
static void read_box(struct reading *reading, const struct node *node, const char *list, int index,
                     int host)
{
    struct resource resource = {.host = host, .box = true, .line = node->line, .gpu = host >= 0};
    struct file_entry entry = entry_at(reading, node);
    const struct node *compute;
    const char *name, *product;
    char shown[VALUES_SHOWN_MAX];
    bool good = true;
    int m;

    if (node->kind != NODE_MAP) {
        entry_problem(&entry, 0, "%s[%d] is %s; it is a map", list, index,
                      values_show(node, shown));
        return;
    }
    name = entry_text(&entry, "name");
    entry_origin(entry.origin, list, index, name);
    memcpy(resource.origin, entry.origin, sizeof resource.origin);
    compute = entry_find(&entry, "compute");
    product = entry_text(&entry, "resource_name|resource");
    entry_find(&entry, "type|pos|size|parent_name|gpu_boxes");
    if (product != NULL && resource_find(&resource, product)) {
        if (compute != NULL)
            read_beside(reading, &entry, compute, product, &resource);
    } else if (compute != NULL) {
        good = read_compute(reading, &entry, compute, &resource);
    } else if (product != NULL) {
        resource_unknown(&entry, 0, product);
        good = false;
    } else {
        entry_problem(&entry, 0, "it states neither resource_name nor compute");
        good = false;
    }
    m = good ? add_machine(reading, &entry, &resource, name != NULL ? name : "") : -1;
    if (m >= 0) {
        copy_title(reading->box[m], name != NULL ? name : "");
    }
    if (m >= 0 && host < 0) {
        const struct node *boxes = entry_members(&entry, "gpu_boxes", NODE_LIST);
        int g = 0;

        for (const struct node *n = values_first(reading->tree, boxes); n != NULL;
             n = values_next(reading->tree, n))
            read_box(reading, n, "gpu_boxes", g++, m);
    }
}

static int find_box(const struct reading *reading, const char *name, int host)
{
    char title[64];

    copy_title(title, name);
    for (int m = 0; m < reading->daolite->machine_count; m++)
        if (reading->daolite->machine[m].box && strcmp(reading->box[m], title) == 0 &&
            (host == -2 || reading->daolite->machine[m].host == host))
            return m;
    return -1;
}

/* Finds a box in another one; -1: none. */
static int find_in_box(const struct reading *reading, const char *inner, const char *outer)
{
    int host = find_box(reading, outer, -1);

    return host < 0 ? -1 : find_box(reading, inner, host);
}

/* Finds the box that a component stands in; -1: none. The designer writes the box of a GPU as
 * parent and its computer as gpu_parent. */
static int read_parent(struct reading *reading, const struct file_entry *entry)
{
    const char *parent = entry_text(entry, "parent_name");
    const char *gpu = entry_text(entry, "gpu_parent_name");
    bool both = parent != NULL && gpu != NULL;
    int machine;

    entry_find(entry, "parent_type|pos|size");
    if (parent == NULL && gpu == NULL)
        return -1;
    machine = both ? find_in_box(reading, parent, gpu)
                   : find_box(reading, parent != NULL ? parent : gpu, -2);
    if (machine < 0 && both)
        machine = find_in_box(reading, gpu, parent);
    if (machine < 0)
        assume(reading, entry->origin, entry->line,
               "no container is called \"%.60s\"%s%.60s%s; it stands in none",
               parent != NULL ? parent : gpu, both ? " in one called \"" : "", both ? gpu : "",
               both ? "\"" : "");
    return machine;
}

static void read_machine(struct reading *reading, const struct file_entry *entry,
                         struct daolite_component *component)
{
    const struct node *compute = entry_find(entry, "compute");
    struct resource resource = {.host = -1, .line = entry->line};
    const char *product = entry_text(entry, "resource_name|resource");

    component->machine = read_parent(reading, entry);
    memcpy(resource.origin, entry->origin, sizeof resource.origin);
    if (component->machine >= 0)
        return;
    if (compute != NULL) {
        resource.line = compute->line;
        if (read_compute(reading, entry, compute, &resource))
            component->machine = add_machine(reading, entry, &resource, "");
    } else if (product != NULL && read_named(reading, entry, 0, product, &resource)) {
        component->machine = add_machine(reading, entry, &resource, "");
    }
}

/* Components ----------------------------------------------------------------------------------- */

static bool find_type(const struct file_entry *entry, const char *word, enum daolite_type *type)
{
    struct nearest nearest = nearest_to(word);

    for (int t = 0; t < TYPES; t++) {
        nearest_offer(&nearest, types[t].name);
        if (strcasecmp(types[t].name, word) == 0) {
            *type = types[t].type;
            return true;
        }
    }
    if (strcasecmp(word, "CUSTOM") == 0)
        entry_problem(entry, 0,
                      "the type CUSTOM is a Python function, which cannot be imported; "
                      "remove it, and add a component of type custom with its FLOP and bytes to "
                      "the design");
    else
        entry_problem(entry, 0,
                      "the type \"%.40s\" is unknown%s%s%s types are CAMERA, CALIBRATION, "
                      "CENTROIDER, RECONSTRUCTION, CONTROL, DM, NETWORK and TRANSFER",
                      word, nearest.best[0] != '\0' ? "; did you mean " : "", nearest.best,
                      nearest.best[0] != '\0' ? "?" : ";");
    return false;
}

/* Reads a list of whole numbers, the work of each packet. */
static void read_agenda(struct reading *reading, const struct file_entry *entry,
                        struct daolite_component *component, const char *key)
{
    static const struct entry_range work = {0, 1e9, false, 1};
    const struct node *list = entry_members(entry, key, NODE_LIST);
    int i = 0;

    if (list == NULL)
        return;
    if (list->count < 1 || list->count > PACKETS_MAX) {
        entry_problem(entry, list->line, "%s has %d packets; it has 1 to %d", key, list->count,
                      PACKETS_MAX);
        return;
    }
    component->agenda = allocate_array((size_t)list->count, sizeof *component->agenda);
    for (const struct node *n = values_first(reading->tree, list); n != NULL;
         n = values_next(reading->tree, n), i++)
        component->agenda[i] = entry_check(entry, n, key, work) ? n->number : 0;
    component->packets = list->count;
    component->agenda_line = list->line;
}

static double agenda_total(const struct daolite_component *component)
{
    double total = 0;

    for (int i = 0; component->agenda != NULL && i < component->packets; i++)
        total += component->agenda[i];
    return total;
}

/* "readout" is a time in the interface of one version, a kind of shutter in that of another. */
static void read_readout(struct reading *reading, const struct file_entry *entry,
                         struct daolite_component *component)
{
    static const struct entry_range time = {0, 1e6, false, 1e6};
    const struct node *readout = entry_find(entry, "readout");
    const struct node *function = entry_find(entry, "camera_function");
    const char *mode = entry_text(entry, "readout_mode");
    char shown[VALUES_SHOWN_MAX];

    component->kind = &cameras[0];
    if (function != NULL && function->kind == NODE_TEXT && daolite_camera(function->text) != NULL)
        component->kind = daolite_camera(function->text);
    else if (function != NULL)
        problems_add(&reading->daolite->lost, function->line,
                     "%s: camera_function = %s: it is no camera of daolite, and imported as %s",
                     entry->origin, values_show(function, shown), component->kind->name);
    component->readout = entry_number(entry, "readout_time", time);
    component->offset = entry_number(entry, "exposure_offset", time);
    if (readout != NULL && readout->kind == NODE_TEXT)
        mode = readout->text;
    else if (readout != NULL && component->readout.si == 0)
        component->readout = entry_number(entry, "readout", time);
    component->shutter = component->kind->offset > 0 ? SHUTTER_ROLLING : -1;
    if (mode == NULL)
        return;
    if (strcmp(mode, "rolling") == 0)
        component->shutter = SHUTTER_ROLLING;
    else if (strcmp(mode, "global") == 0 || strcmp(mode, "frame-transfer") == 0)
        component->shutter = SHUTTER_GLOBAL;
    else
        entry_problem(entry, 0,
                      "the readout mode \"%.40s\" is unknown; it is global, rolling or "
                      "frame-transfer",
                      mode);
}

static void read_scales(const struct file_entry *entry, struct daolite_component *component)
{
    static const struct entry_range scale = {1e-6, 1e6, false, 1};
    static const char *const keys[DAOLITE_TYPES] = {
        [DAOLITE_CALIBRATION] = "scale|calibration_scale",
        [DAOLITE_CENTROIDER] = "scale|centroid_scale",
        [DAOLITE_RECONSTRUCTION] = "scale|reconstruction_scale",
        [DAOLITE_CONTROL] = "scale|control_scale",
    };

    component->share = entry_number(entry, keys[component->type], scale);
    component->flop_scale = entry_number(entry, "flop_scale", scale);
    component->memory_scale = entry_number(entry, "mem_scale", scale);
}

static void read_transfer(struct reading *reading, const struct file_entry *entry,
                          struct daolite_component *component)
{
    static const struct entry_range size = {0, 1e13, false, 1};
    static const struct entry_range speed = {1e7, 1e13, false, 1};
    const char *kind = entry_text(entry, "transfer_type");

    if (kind != NULL && strcasecmp(kind, "network") == 0)
        component->type = DAOLITE_NETWORK;
    else if (kind != NULL &&
             (strcasecmp(kind, "pcie") == 0 || strcasecmp(kind, "host_to_device") == 0 ||
              strcasecmp(kind, "device_to_host") == 0))
        component->type = DAOLITE_PCIE;
    else if (kind != NULL)
        assume(
            reading, entry->origin, entry->line,
            "transfer_type is \"%.40s\", which daolite times as a network; it is network or pcie",
            kind);
    component->bits = entry_number(entry, "n_bits", size);
    component->size = entry_number(entry, "data_size", size);
    component->speed = entry_number(entry, "dest_network_speed|network_speed", speed);
    component->pcie_gen = entry_number(entry, "pcie_gen|gen", (struct entry_range){1, 6, true, 1});
    component->pcie_lanes =
        entry_number(entry, "pcie_lanes|lanes", (struct entry_range){1, 256, true, 1});
    entry_find(entry, "use_dest_network|source|destination");
}

static void read_counts(struct reading *reading, const struct file_entry *entry,
                        struct daolite_component *component)
{
    static const struct entry_range pixels = {1, 268435456, true, 1};
    static const struct entry_range count = {1, 1e6, true, 1};
    bool camera = component->type == DAOLITE_CAMERA;

    component->group =
        entry_number(entry, "group|groups|n_groups", (struct entry_range){1, PACKETS_MAX, true, 1});
    component->packets = (int)component->group.si;
    component->pixels = entry_number(entry, "n_pixels", pixels);
    component->subaps =
        entry_number(entry, "n_valid_subaps|n_subaps|n_subapertures|n_valid_subapertures",
                     (struct entry_range){1, 262144, true, 1});
    component->subap_pixels =
        entry_number(entry, "n_pix_per_subap|pixels_per_subap|pixels_per_subaperture",
                     (struct entry_range){1, 16384, true, 1});
    component->slopes = entry_number(entry, "n_slopes", count);
    component->actuators =
        entry_number(entry, "n_acts|n_actuators", (struct entry_range){1, 200000, true, 1});
    component->bit_depth = entry_number(entry, "bit_depth", (struct entry_range){1, 32, true, 1});
    component->overhead = entry_number(entry, "overhead", (struct entry_range){0, 1e6, false, 1e6});
    if (camera) {
        component->frame_rate =
            entry_number(entry, "frame_rate", (struct entry_range){1, 100000, false, 1});
        component->count =
            entry_number(entry, "n_lines_of_sight", (struct entry_range){1, 32, true, 1});
    }
    if (component->type == DAOLITE_DM)
        component->actuator_bits =
            entry_number(entry, "bits_per_actuator", (struct entry_range){1, 64, true, 1});
    if (component->type == DAOLITE_RECONSTRUCTION)
        component->modes =
            entry_number(entry, "n_dm_modes", (struct entry_range){0, 200000, true, 1});
    if (component->type >= DAOLITE_CALIBRATION && component->type <= DAOLITE_RECONSTRUCTION)
        component->workers =
            entry_number(entry, "n_workers", (struct entry_range){1, 1024, true, 1});
    read_agenda(reading, entry, component,
                component->type == DAOLITE_CAMERA || component->type == DAOLITE_CALIBRATION
                    ? "pixel_agenda"
                    : "centroid_agenda");
    if (component->pixels.si == 0 && agenda_total(component) > 0 &&
        component->type == DAOLITE_CALIBRATION)
        component->pixels.si = agenda_total(component);
    if (component->subaps.si == 0 && component->type == DAOLITE_CENTROIDER)
        component->subaps.si = agenda_total(component);
    if (component->slopes.si == 0 && component->type == DAOLITE_RECONSTRUCTION)
        component->slopes.si = 2 * agenda_total(component);
}

/* Returns true if a key of this line is noted: sections may be shared by components. */
static bool is_noted(const struct problems *lost, const struct node *node)
{
    for (size_t i = 0; i < lost->count; i++)
        if (lost->list[i].line == node->line && strstr(lost->list[i].message, node->key) != NULL)
            return true;
    return false;
}

/* Notes parameters without a counterpart, unless their value changes nothing. */
static void note_lost(struct reading *reading, const struct file_entry *entry)
{
    char shown[VALUES_SHOWN_MAX];

    for (size_t r = 0; r < sizeof lost_rows / sizeof lost_rows[0]; r++) {
        const struct node *node = entry_find(entry, lost_rows[r].keys);

        if (node == NULL || (node->kind == NODE_BOOL && node->number == 0) ||
            (node->kind == NODE_NUMBER && node->number == lost_rows[r].neutral) ||
            is_noted(&reading->daolite->lost, node))
            continue;
        problems_add(&reading->daolite->lost, node->line, "%s: %s = %s: %s",
                     entry_section(entry, node), node->key, values_show(node, shown),
                     lost_rows[r].why);
    }
    entry_find(entry, "debug");
}

/* Finds the algorithm of a centroider: that of its function, the least square difference, or a sort
 * of the pixels. */
static void read_function(struct reading *reading, const struct file_entry *entry,
                          struct daolite_component *component)
{
    const struct node *square = entry_find(entry, "square_diff|use_square_diff");
    const struct node *sort = entry_find(entry, "sort|use_sorting");
    const struct node *function = entry_find(entry, "function");
    char shown[VALUES_SHOWN_MAX];

    for (int f = 0; function != NULL && function->kind == NODE_TEXT && f < FUNCTIONS; f++)
        if (strcmp(function->text, functions[f].name) == 0) {
            component->algorithm = functions[f].algorithm;
            component->chosen = function;
            return;
        }
    if (square != NULL && square->kind == NODE_BOOL && square->number != 0) {
        component->algorithm = "square-difference";
        component->chosen = square;
    } else if (sort != NULL && (sort->kind == NODE_BOOL || sort->kind == NODE_NUMBER) &&
               sort->number != 0) {
        component->algorithm = "brightest";
        component->chosen = sort;
    }
    if (component->chosen != NULL && entry_section(entry, component->chosen) != entry->origin)
        component->chosen_in = entry_section(entry, component->chosen);
    if (function != NULL)
        problems_add(&reading->daolite->lost, function->line,
                     "%s: function = %s: it is imported as %s", entry->origin,
                     values_show(function, shown),
                     component->algorithm != NULL ? component->algorithm : "cog");
}

static struct daolite_component *add_component(struct reading *reading,
                                               const struct file_entry *entry,
                                               enum daolite_type type, const char *title)
{
    struct daolite *daolite = reading->daolite;
    struct daolite_component *component = &daolite->component[daolite->component_count];

    if (daolite->component_count == COMPONENT_MAX) {
        entry_problem(entry, 0, "more than %d components and transfers; a design has no more",
                      COMPONENT_MAX);
        return NULL;
    }
    *component = (struct daolite_component){
        .type = type, .line = entry->line, .machine = -1, .camera = -1, .shutter = -1};
    memcpy(component->origin, entry->origin, sizeof component->origin);
    copy_title(component->title, title);
    for (int c = 0; c < daolite->component_count; c++)
        if (strcmp(daolite->component[c].title, component->title) == 0)
            entry_problem(entry, 0, "%s in line %d has the same name; connections refer to it",
                          daolite->component[c].origin, daolite->component[c].line);
    name_component(daolite, component);
    component->node = entry->map[0];
    daolite->component_count++;
    return component;
}

/* Reads the parameters of a component, whose maps `entry` has. */
static void read_parameters(struct reading *reading, const struct file_entry *entry,
                            struct daolite_component *component)
{
    if (component->type >= DAOLITE_NETWORK)
        read_transfer(reading, entry, component);
    read_counts(reading, entry, component);
    if (component->type == DAOLITE_CAMERA)
        read_readout(reading, entry, component);
    if (component->type >= DAOLITE_CALIBRATION && component->type <= DAOLITE_CONTROL)
        read_scales(entry, component);
    if (component->type == DAOLITE_CENTROIDER)
        read_function(reading, entry, component);
    if (component->type == DAOLITE_RECONSTRUCTION)
        component->density =
            entry_number(entry, "sparse_fraction", (struct entry_range){1e-6, 1, false, 1});
    note_lost(reading, entry);
}

static void read_component(struct reading *reading, const struct node *node, const char *list,
                           int index)
{
    struct file_entry entry = entry_at(reading, node), parameters;
    struct daolite_component *component;
    enum daolite_type type;
    const char *title, *word;
    char shown[VALUES_SHOWN_MAX], made[200];

    if (node->kind != NODE_MAP) {
        entry_problem(&entry, 0, "%s[%d] is %s; it is a map with type, name and params", list,
                      index, values_show(node, shown));
        return;
    }
    title = entry_text(&entry, "name");
    entry_origin(entry.origin, list, index, title);
    word = entry_text(&entry, "type|component_type");
    if (strcmp(list, "transfers") == 0) {
        const char *kind = entry_text(&entry, "transfer_type");
        const char *from = entry_text(&entry, "source"), *to = entry_text(&entry, "destination");

        word = word == NULL ? "NETWORK" : word;
        snprintf(made, sizeof made, "%.30s_Transfer_%.60s_to_%.60s",
                 kind != NULL ? kind : "Network", from != NULL ? from : "None",
                 to != NULL ? to : "None");
        title = title == NULL ? made : title;
    }
    if (title == NULL)
        entry_problem(&entry, 0, "it has no name; connections refer to it by that");
    else if (word == NULL)
        entry_problem(&entry, 0, "it has no type, such as CAMERA");
    if (title == NULL || word == NULL || !find_type(&entry, word, &type))
        return;
    component = add_component(reading, &entry, type, title);
    if (component == NULL)
        return;
    read_machine(reading, &entry, component);
    parameters = entry;
    parameters.map[0] = entry_members(&entry, "params", NODE_MAP);
    parameters.map[1] = node;
    parameters.map[2] = reading->simulation;
    entry_find(&entry, "function|dependencies");
    read_parameters(reading, &parameters, component);
}

static void read_list(struct reading *reading, const struct node *root, const char *key)
{
    struct file_entry entry = entry_at(reading, root);
    const struct node *list = entry_members(&entry, key, NODE_LIST);
    int index = 0;

    for (const struct node *n = values_first(reading->tree, list); n != NULL;
         n = values_next(reading->tree, n), index++)
        if (strcmp(key, "containers") == 0)
            read_box(reading, n, key, index, -1);
        else
            read_component(reading, n, key, index);
}

/* Connections ---------------------------------------------------------------------------------- */

/* Finds a component by its name in the file; -1: none. */
static int find_titled(const struct daolite *daolite, const char *name)
{
    char title[64];

    copy_title(title, name);
    for (int c = 0; c < daolite->component_count; c++)
        if (strcmp(daolite->component[c].title, title) == 0)
            return c;
    return -1;
}

/* The same; notes a name that daolite passes over. */
static int find_component(struct reading *reading, const struct file_entry *entry, int line,
                          const char *key, const char *name)
{
    const struct daolite *daolite = reading->daolite;
    struct nearest nearest = nearest_to(name);
    char title[64];

    int found = find_titled(daolite, name);

    if (found >= 0)
        return found;
    copy_title(title, name);
    for (int c = 0; c < daolite->component_count; c++)
        nearest_offer(&nearest, daolite->component[c].title);
    for (int n = 0; n < reading->tree->count; n++) {
        const struct node *node = &reading->tree->node[n];

        if (node->kind == NODE_TEXT && node->key != NULL && strcmp(node->key, "name") == 0 &&
            strcmp(node->text, name) == 0)
            return -1; /* it exists, and why it is none has been said */
    }
    problems_add(&reading->skipped, line, "%s: %s: no component is called \"%s\"%s%s%s",
                 entry->origin, key, title, nearest.best[0] != '\0' ? "; did you mean " : "",
                 nearest.best, nearest.best[0] != '\0' ? "?" : "");
    return -1;
}

static void add_predecessor(struct daolite *daolite, int component, int predecessor)
{
    struct daolite_component *c;

    if (component < 0 || predecessor < 0)
        return;
    c = &daolite->component[component];
    for (int i = 0; i < c->after_count; i++)
        if (c->after[i] == predecessor)
            return;
    c->after[c->after_count++] = predecessor;
}

static int find_end(struct reading *reading, const struct file_entry *entry, const char *keys)
{
    const struct node *node = entry_find(entry, keys);
    char shown[VALUES_SHOWN_MAX];

    if (node != NULL && node->kind == NODE_TEXT)
        return find_component(reading, entry, node->line, node->key, node->text);
    if (node == NULL)
        problems_add(&reading->skipped, entry->line, "%s: %.*s is missing", entry->origin,
                     (int)strcspn(keys, "|"), keys);
    else
        entry_problem(entry, node->line, "%s is %s; it is the name of a component", node->key,
                      values_show(node, shown));
    return -1;
}

/* Lets the transfers of a connection follow its start and each other; returns the last one. As in
 * daolite, one that does not exist leaves a direct connection. */
static int pass_transfers(struct reading *reading, const struct file_entry *connection, int start)
{
    const struct node *chain = entry_members(connection, "transfers", NODE_LIST);
    char shown[VALUES_SHOWN_MAX];

    for (const struct node *n = values_first(reading->tree, chain); n != NULL;
         n = values_next(reading->tree, n))
        if (n->kind != NODE_TEXT || find_titled(reading->daolite, n->text) < 0) {
            problems_add(&reading->daolite->lost, n->line,
                         "%s: transfers: there is no transfer %s; its ends are connected directly",
                         connection->origin, values_show(n, shown));
            return start;
        }
    for (const struct node *n = values_first(reading->tree, chain); n != NULL && start >= 0;
         n = values_next(reading->tree, n)) {
        int transfer = find_titled(reading->daolite, n->text);

        add_predecessor(reading->daolite, transfer, start);
        start = transfer;
    }
    return start;
}

static void read_connections(struct reading *reading, const struct node *root)
{
    struct file_entry entry = entry_at(reading, root);
    const struct node *list = entry_members(&entry, "connections", NODE_LIST);
    int index = 0;

    for (const struct node *n = values_first(reading->tree, list); n != NULL;
         n = values_next(reading->tree, n)) {
        struct file_entry ends = entry_at(reading, n);
        int start, end;

        entry_origin(ends.origin, "connections", index++, NULL);
        if (n->kind != NODE_MAP) {
            entry_problem(&ends, 0, "it is no map with start and end");
            continue;
        }
        start = find_end(reading, &ends, "start|source|from");
        end = find_end(reading, &ends, "end|destination|to");
        if (start >= 0 && end >= 0)
            add_predecessor(reading->daolite, end, pass_transfers(reading, &ends, start));
    }
}

/* Reads `dependencies` of a component, and the ends of a transfer. */
static void read_dependencies(struct reading *reading, int component)
{
    struct daolite_component *c = &reading->daolite->component[component];
    struct file_entry entry = entry_at(reading, c->node);
    const struct node *list;

    memcpy(entry.origin, c->origin, sizeof entry.origin);
    list = entry_members(&entry, "dependencies", NODE_LIST);
    for (const struct node *n = values_first(reading->tree, list); n != NULL;
         n = values_next(reading->tree, n))
        if (n->kind == NODE_TEXT)
            add_predecessor(reading->daolite, component,
                            find_component(reading, &entry, n->line, "dependencies", n->text));
        else
            entry_problem(&entry, n->line, "dependencies has a value that is no name");
    if (c->type < DAOLITE_NETWORK)
        return;
    if (entry_find(&entry, "source") != NULL)
        add_predecessor(reading->daolite, component, find_end(reading, &entry, "source"));
    if (entry_find(&entry, "destination") != NULL)
        add_predecessor(reading->daolite, find_end(reading, &entry, "destination"), component);
}

static int unplaced_predecessor(const struct daolite *daolite, int component,
                                const int place[COMPONENT_MAX])
{
    const int *after = daolite->component[component].after;

    while (place[*after] >= 0)
        after++;
    return *after;
}

enum { CYCLE_NAMED = 4 };

/* Names the first members of a cycle; `place` of a component that is in one or behind one is
 * negative. */
static void refuse_cycle(struct reading *reading, const int place[COMPONENT_MAX])
{
    const struct daolite *daolite = reading->daolite;
    bool seen[COMPONENT_MAX] = {false};
    char text[ERROR_MESSAGE_MAX];
    struct buffer names = buffer_over(text, sizeof text);
    int cycle[COMPONENT_MAX], count = 0, at = 0;

    while (place[at] >= 0)
        at++;
    /* back from predecessor to predecessor, until one comes again */
    while (!seen[at]) {
        seen[at] = true;
        at = unplaced_predecessor(daolite, at, place);
    }
    do {
        cycle[count++] = at;
        at = unplaced_predecessor(daolite, at, place);
    } while (at != cycle[0]);
    for (int i = 0; i < count && i < CYCLE_NAMED; i++)
        buffer_print(&names, "%s before ", daolite->component[cycle[(count - i) % count]].origin);
    if (count > CYCLE_NAMED)
        buffer_print(&names, "... (%d more) before ", count - CYCLE_NAMED);
    problems_add(reading->problems, daolite->component[at].line, "%s%s; a pipeline has no cycle",
                 text, daolite->component[at].origin);
}

/* Orders components so that each is behind its predecessors, else as in the file. */
static void order_components(struct reading *reading)
{
    struct daolite *daolite = reading->daolite;
    struct daolite_component *sorted = allocate_array(COMPONENT_MAX, sizeof *sorted);
    int place[COMPONENT_MAX], count = 0;
    bool moved = true;

    for (int c = 0; c < daolite->component_count; c++)
        place[c] = -1;
    while (moved) {
        moved = false;
        for (int c = 0; c < daolite->component_count && !moved; c++) {
            bool ready = place[c] < 0;

            for (int i = 0; i < daolite->component[c].after_count; i++)
                ready = ready && place[daolite->component[c].after[i]] >= 0;
            if (ready) {
                sorted[count] = daolite->component[c];
                place[c] = count++;
                moved = true;
            }
        }
    }
    if (count < daolite->component_count) {
        refuse_cycle(reading, place);
        free(sorted);
        return;
    }
    for (int c = 0; c < count; c++)
        for (int i = 0; i < sorted[c].after_count; i++)
            sorted[c].after[i] = place[sorted[c].after[i]];
    memcpy(daolite->component, sorted, (size_t)count * sizeof *sorted);
    free(sorted);
}

/* Values that others imply --------------------------------------------------------------------- */

static void refuse(struct reading *reading, const struct daolite_component *component,
                   const char *sentence)
{
    problems_add(reading->problems, component->line, "%s: %s", component->origin, sentence);
}

static void find_camera(struct reading *reading, struct daolite_component *component, int number)
{
    if (component->type == DAOLITE_CAMERA) {
        component->camera = number;
        if (component->after_count > 0)
            refuse(reading, component, "a camera begins a pipeline; it follows no component");
        return;
    }
    for (int i = 0; i < component->after_count && component->camera < 0; i++)
        component->camera = reading->daolite->component[component->after[i]].camera;
    if (component->camera >= 0)
        return;
    if (component->type < DAOLITE_NETWORK)
        refuse(reading, component,
               "it follows no camera; name what it follows in connections or dependencies");
    else
        problems_add(&reading->daolite->lost, component->line,
                     "%s: it follows no camera, and is left out", component->origin);
}

/* Returns the first value that a later component of the same camera states; 0: none. */
static double later_value(const struct daolite *daolite, int component, size_t offset)
{
    for (int c = component + 1; c < daolite->component_count; c++) {
        const struct daolite_component *later = &daolite->component[c];
        double value = ((const struct stated *)(const void *)((const char *)later + offset))->si;

        if (later->camera == daolite->component[component].camera && value > 0)
            return value;
    }
    return 0;
}

static void imply_packets(struct reading *reading, struct daolite_component *component, int number)
{
    struct daolite *daolite = reading->daolite;

    if (component->packets > 0)
        return;
    if (component->type != DAOLITE_CAMERA) {
        component->packets =
            component->after_count > 0 ? daolite->component[component->after[0]].packets : 1;
        return;
    }
    for (int c = number + 1; c < daolite->component_count && component->packets == 0; c++)
        if (daolite->component[c].camera == number)
            component->packets = daolite->component[c].packets;
    if (component->packets > 0)
        return;
    component->packets = DAOLITE_GROUPS;
    assume(reading, component->origin, component->line,
           "it states no group; %d packets, daolite's default", DAOLITE_GROUPS);
}

static void imply_machine(struct reading *reading, struct daolite_component *component)
{
    struct daolite *daolite = reading->daolite;
    struct file_entry entry = {.problems = reading->problems, .line = component->line};
    struct resource fallback = {.host = -1, .line = component->line};

    if (component->machine >= 0 || component->type == DAOLITE_CAMERA ||
        component->type >= DAOLITE_DM)
        return;
    for (int i = 0; i < component->after_count && component->machine < 0; i++)
        component->machine = daolite->component[component->after[i]].machine;
    if (component->machine < 0 && daolite->machine_count > 0)
        component->machine = 0;
    if (component->machine < 0) {
        memcpy(fallback.origin, component->origin, sizeof fallback.origin);
        component->machine = add_machine(reading, &entry, &fallback, "cpu");
    }
    if (component->machine >= 0)
        assume(reading, component->origin, component->line, "it states no compute; it runs on %s",
               daolite->machine[component->machine].name);
}

/* Returns the number of equal sensors that a camera stands for. */
static double camera_count(const struct daolite *daolite, int camera)
{
    return fmax(1, daolite->component[camera].count.si);
}

/* The slopes that reach a reconstruction. */
static double input_slopes(const struct daolite *daolite, const struct daolite_component *component,
                           int depth)
{
    double slopes = 0;

    if (component->type == DAOLITE_CENTROIDER)
        return 2 * component->subaps.si *
               (component->camera < 0 ? 1 : camera_count(daolite, component->camera));
    for (int i = 0; i < component->after_count && depth < COMPONENT_MAX; i++)
        slopes = fmin(
            slopes + input_slopes(daolite, &daolite->component[component->after[i]], depth + 1),
            1e9);
    return slopes;
}

/* Takes what daolite's JSON runner does for a number that nothing states. */
static void imply_default(struct reading *reading, const struct daolite_component *component,
                          struct stated *stated, const char *key, double fallback)
{
    if (stated->si > 0)
        return;
    stated->si = fallback;
    assume(reading, component->origin, component->line, "it states no %s; %.0f, daolite's default",
           key, fallback);
}

static void imply_pixels(struct reading *reading, struct daolite_component *component, int number)
{
    struct daolite *daolite = reading->daolite;

    if (component->type == DAOLITE_CAMERA && component->pixels.si == 0) {
        component->pixels.si =
            later_value(daolite, number, offsetof(struct daolite_component, pixels));
        imply_default(reading, component, &component->pixels, "n_pixels", DAOLITE_PIXELS);
    }
    if (component->type == DAOLITE_CALIBRATION && component->pixels.si == 0 &&
        component->camera >= 0)
        component->pixels.si = daolite->component[component->camera].pixels.si;
}

/* Decides whether n_pix_per_subap is the side of a subaperture, which daolite's code squares, or
 * the number of its pixels, as its documentation has it: whichever is nearer to what the camera has
 * for each. */
static void square_pixels(struct reading *reading, struct daolite_component *component,
                          double available)
{
    struct stated *stated = &component->subap_pixels;
    double side = stated->si;

    if (available > 0 && fabs(log(side / available)) < fabs(log(side * side / available))) {
        assume(reading, component->origin, stated->line,
               "%s = %.0f is the number of the pixels of a subaperture, of which the camera has "
               "%.0f; daolite's code squares n_pix_per_subap",
               stated->key, side, floor(available));
        return;
    }
    stated->si = side * side;
}

static void imply_subaps(struct reading *reading, struct daolite_component *component)
{
    const struct daolite *daolite = reading->daolite;
    double pixels = component->camera >= 0 ? daolite->component[component->camera].pixels.si : 0;
    double side;

    if (component->type != DAOLITE_CENTROIDER)
        return;
    imply_default(reading, component, &component->subaps, "n_valid_subaps", DAOLITE_SUBAPS);
    if (component->subap_pixels.si > 0) {
        square_pixels(reading, component, pixels / component->subaps.si);
        return;
    }
    if (pixels == 0)
        return;
    side = fmax(1, floor(sqrt(pixels / component->subaps.si)));
    component->subap_pixels.si = side * side;
    assume(reading, component->origin, component->line,
           "it states no n_pix_per_subap; %.0f x %.0f "
           "pixels, what the camera has for each subaperture",
           side, side);
}

static void imply_matrix(struct reading *reading, struct daolite_component *component, int number)
{
    const struct daolite *daolite = reading->daolite;

    if (component->type == DAOLITE_RECONSTRUCTION) {
        if (component->slopes.si == 0)
            component->slopes.si = input_slopes(daolite, component, 0);
        if (component->actuators.si == 0)
            component->actuators.si =
                later_value(daolite, number, offsetof(struct daolite_component, actuators));
    }
    if (component->type == DAOLITE_CONTROL && component->actuators.si == 0)
        for (int i = 0; i < component->after_count && component->actuators.si == 0; i++)
            component->actuators.si = daolite->component[component->after[i]].actuators.si;
    if (component->type >= DAOLITE_NETWORK && component->after_count > 0)
        component->actuators.si = daolite->component[component->after[0]].actuators.si;
    if (component->type == DAOLITE_RECONSTRUCTION || component->type == DAOLITE_CONTROL)
        imply_default(reading, component, &component->actuators, "n_acts", DAOLITE_ACTUATORS);
}

static void imply_values(struct reading *reading)
{
    struct daolite *daolite = reading->daolite;
    bool camera = false;

    for (int c = 0; c < daolite->component_count; c++) {
        find_camera(reading, &daolite->component[c], c);
        camera = camera || daolite->component[c].type == DAOLITE_CAMERA;
    }
    if (!camera && reading->problems->count == 0)
        problems_add(reading->problems, 0,
                     "no component of type CAMERA; a pipeline begins with one");
    for (int c = 0; c < daolite->component_count; c++) {
        struct daolite_component *component = &daolite->component[c];

        imply_pixels(reading, component, c);
        imply_packets(reading, component, c);
        imply_machine(reading, component);
        imply_subaps(reading, component);
        imply_matrix(reading, component, c);
    }
}

/* What was not read ---------------------------------------------------------------------------- */

/* Returns true for a map or list that an alias which was read stands for. */
static bool is_repeated(const struct values *tree, const struct node *node)
{
    for (int n = 0; n < tree->count; n++)
        if (tree->node[n].alias >= 0 && &tree->node[tree->node[n].alias] == node &&
            tree->node[n].read)
            return true;
    return false;
}

static void note_members(struct reading *reading, const char *origin, const struct node *map)
{
    static const char *const known[] = {
        "n_pixels",     "group",           "n_valid_subaps", "n_pix_per_subap",    "n_slopes",
        "n_acts",       "readout",         "readout_time",   "frame_rate",         "bit_depth",
        "pixel_agenda", "centroid_agenda", "scale",          "flop_scale",         "mem_scale",
        "overhead",     "n_bits",          "data_size",      "dest_network_speed", "pcie_gen",
        "components",   "connections",     "transfers",      "containers",         "simulation",
        "title",        "compute",         "params",         "dependencies",       NULL};
    char shown[VALUES_SHOWN_MAX], key[VALUES_SHOWN_MAX];

    for (const struct node *n = values_first(reading->tree, map); n != NULL;
         n = values_next(reading->tree, n)) {
        struct nearest nearest = nearest_to(n->key != NULL ? n->key : "");

        if (n->read || n->key == NULL || n->kind == NODE_NULL || is_repeated(reading->tree, n))
            continue;
        for (int k = 0; known[k] != NULL; k++)
            nearest_offer(&nearest, known[k]);
        utf8_excerpt(key, sizeof key, n->key, strlen(n->key));
        problems_add(&reading->daolite->lost, n->line, "%s%s%s = %s: the key is not known%s%s%s",
                     origin, origin[0] != '\0' ? ": " : "", key, values_show(n, shown),
                     nearest.best[0] != '\0' ? "; did you mean " : "", nearest.best,
                     nearest.best[0] != '\0' ? "?" : "");
        reading->tree->node[n - reading->tree->node].read = true;
    }
}

/* Notes the keys of boxes, their values and the boxes in them. */
static void note_boxes(struct reading *reading, const struct node *list, const char *key)
{
    int index = 0;

    for (const struct node *n = values_first(reading->tree, list); n != NULL;
         n = values_next(reading->tree, n)) {
        struct file_entry box = entry_at(reading, n);

        entry_origin(box.origin, key, index++, entry_text(&box, "name"));
        note_members(reading, box.origin, n);
        note_members(reading, box.origin, values_member(reading->tree, n, "compute"));
        note_boxes(reading, values_member(reading->tree, n, "gpu_boxes"), "gpu_boxes");
    }
}

static void note_unread(struct reading *reading, const struct node *root)
{
    struct file_entry entry = entry_at(reading, root);

    for (int c = 0; c < reading->daolite->component_count; c++) {
        struct file_entry component = entry_at(reading, reading->daolite->component[c].node);
        const char *origin = reading->daolite->component[c].origin;

        if (reading->daolite->component[c].node == NULL)
            continue;
        note_members(reading, origin, entry_find(&component, "params"));
        note_members(reading, origin, reading->daolite->component[c].node);
        note_members(reading, origin, entry_find(&component, "compute"));
    }
    note_boxes(reading, entry_find(&entry, "containers"), "containers");
    note_members(reading, "simulation", reading->simulation);
    entry_find(&entry, "title|name|description|version");
    note_members(reading, "", root);
}

/* Notes the words of YAML that mean something else than they look. */
static void note_words(struct reading *reading)
{
    char shown[VALUES_SHOWN_MAX], number[32];

    for (int n = 0; n < reading->tree->count; n++) {
        const struct node *node = &reading->tree->node[n];

        if (node->means == NULL || node->kind == NODE_BOOL)
            continue;
        number_format(node->number, number, sizeof number);
        assume(reading, node->key != NULL ? node->key : "a value", node->line, "%s is %s%s%s",
               values_show(node, shown), node->kind == NODE_NUMBER ? number : "",
               node->kind == NODE_NUMBER ? " " : "", node->means);
    }
}

/* The two forms of a file ---------------------------------------------------------------------- */

/* A component of a system configuration, made of several sections. */
static void add_section_component(struct reading *reading, const struct node *root,
                                  enum daolite_type type, const char *title, const char *first,
                                  const char *second)
{
    struct file_entry whole = entry_at(reading, root);
    struct file_entry entry = whole;
    struct daolite_component *component;

    entry.section[0] = first;
    entry.section[1] = second;
    entry.section[2] = "pipeline";
    for (int m = 0; m < 3; m++)
        entry.map[m] = entry_members(&whole, entry.section[m], NODE_MAP);
    entry.line = entry.map[0] != NULL ? entry.map[0]->line : root->line;
    snprintf(entry.origin, sizeof entry.origin, "%s", first);
    component = add_component(reading, &entry, type, title);
    if (component == NULL)
        return;
    component->node = NULL;
    snprintf(whole.origin, sizeof whole.origin, "compute");
    read_machine(reading, &whole, component);
    read_parameters(reading, &entry, component);
    if (type != DAOLITE_CAMERA)
        add_predecessor(reading->daolite, reading->daolite->component_count - 1,
                        reading->daolite->component_count - 2);
}

static void read_system(struct reading *reading, const struct node *root)
{
    struct file_entry entry = entry_at(reading, root);
    const struct node *camera = entry_members(&entry, "camera", NODE_MAP);

    reading->daolite->is_system = true;
    add_section_component(reading, root, DAOLITE_CAMERA, "camera", "camera", "optics");
    add_section_component(reading, root, DAOLITE_CALIBRATION, "calibration", "camera", "optics");
    add_section_component(reading, root, DAOLITE_CENTROIDER, "centroider", "camera", "optics");
    add_section_component(reading, root, DAOLITE_RECONSTRUCTION, "reconstruction", "optics",
                          "camera");
    add_section_component(reading, root, DAOLITE_CONTROL, "control", "optics", "camera");
    entry.map[1] = entry_members(&entry, "pipeline", NODE_MAP);
    entry_find(&entry, "pcie_gen");
    note_members(reading, "camera", camera);
    note_members(reading, "optics", values_member(reading->tree, root, "optics"));
    note_members(reading, "pipeline", values_member(reading->tree, root, "pipeline"));
    note_members(reading, "compute", values_member(reading->tree, root, "compute"));
}

/* Says what a file is that is no pipeline. */
static void refuse_form(struct reading *reading, const struct node *root)
{
    struct file_entry entry = entry_at(reading, root);

    if (has_values(&entry))
        entry_problem(&entry, 0,
                      "this describes a compute resource, not a pipeline; a pipeline names "
                      "the file as the compute of its components");
    else if (entry_find(&entry, "defines") != NULL)
        entry_problem(&entry, 0,
                      "this is a configuration of daolite's predecessor (defines, compRes); "
                      "a pipeline has components");
    else
        entry_problem(
            &entry, 0,
            "no components; a pipeline of daolite is a map with the lists "
            "components and connections, or a system configuration with camera and optics; "
            "aolag import --list names what else is read");
}

static void read_root(struct reading *reading, const struct node *root)
{
    struct file_entry entry = entry_at(reading, root);
    const struct node *title = entry_find(&entry, "title|name");
    char shown[VALUES_SHOWN_MAX];

    if (title != NULL && title->kind == NODE_TEXT)
        utf8_excerpt(reading->daolite->title, sizeof reading->daolite->title, title->text,
                     strlen(title->text));
    else if (title != NULL)
        problems_add(&reading->daolite->lost, title->line, "%s = %s: a title is a text", title->key,
                     values_show(title, shown));
    reading->simulation = entry_members(&entry, "simulation", NODE_MAP);
    if (entry_find(&entry, "components") != NULL) {
        read_list(reading, root, "containers");
        read_list(reading, root, "components");
        read_list(reading, root, "transfers");
        read_connections(reading, root);
        for (int c = 0; c < reading->daolite->component_count; c++)
            read_dependencies(reading, c);
    } else if (entry_find(&entry, "camera") != NULL && entry_find(&entry, "optics") != NULL) {
        read_system(reading, root);
    } else {
        refuse_form(reading, root);
    }
}

enum status daolite_read(struct daolite *daolite, const struct values *tree,
                         const struct daolite_files *files, struct problems *problems)
{
    struct reading *reading = allocate_array(1, sizeof *reading);
    const struct node *root = &tree->node[0];

    *reading =
        (struct reading){.daolite = daolite, .tree = tree, .files = files, .problems = problems};
    if (root->kind != NODE_MAP) {
        char shown[VALUES_SHOWN_MAX];

        problems_add(problems, root->line,
                     "the file holds %s; a pipeline of daolite is a map with "
                     "components and connections; aolag import --list names what else is read",
                     values_show(root, shown));
    } else {
        read_root(reading, root);
        if (problems->count == 0)
            note_unread(reading, root);
        note_words(reading);
        if (problems->count == 0)
            order_components(reading);
        if (problems->count == 0)
            imply_values(reading);
    }
    /* what is passed over explains why something follows no camera */
    for (size_t i = 0; i < reading->skipped.count; i++)
        problems_add(problems->count > 0 ? problems : &daolite->lost, reading->skipped.list[i].line,
                     "%s", reading->skipped.list[i].message);
    problems_free(&reading->skipped);
    free(reading);
    problems_sort(problems);
    problems_sort(&daolite->lost);
    problems_sort(&daolite->assumed);
    return problems->count > 0 ? STATUS_INVALID : STATUS_OK;
}
