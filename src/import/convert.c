#include "import/convert.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/units.h"
#include "base/utf8.h"
#include "model/formulas.h"

enum { LINE_MAX_BYTES = 900 };

struct converting {
    struct daolite *daolite;
    struct conversion *conversion;
};

void conversion_free(struct conversion *conversion)
{
    buffer_free(&conversion->text);
    free(conversion->line);
    *conversion = (struct conversion){0};
}

int conversion_line(const struct conversion *conversion, int line)
{
    return line >= 1 && line <= conversion->count ? conversion->line[line - 1] : 0;
}

/* Lines ---------------------------------------------------------------------------------------- */

/* Copies text of the source for a line of the scenario. */
static void clean_text(const char *from, char *to, size_t size)
{
    size_t left = strlen(from), length = 0;

    while (left > 0) {
        uint32_t code;
        size_t bytes = utf8_read(from, left, &code);
        bool safe = bytes > 0 && !utf8_is_unsafe(code);

        bytes = bytes == 0 ? 1 : bytes;
        if (length + bytes >= size)
            break;
        if (safe)
            memcpy(to + length, from, bytes);
        else
            to[length] = '?';
        length += safe ? bytes : 1;
        from += bytes;
        left -= bytes;
    }
    to[length] = '\0';
}

void conversion_add(struct conversion *conversion, int source, const char *format, ...)
{
    char line[LINE_MAX_BYTES], clean[LINE_MAX_BYTES];
    va_list arguments;

    conversion->line = array_reserve(conversion->line, conversion->count, &conversion->capacity,
                                     sizeof *conversion->line);
    conversion->line[conversion->count++] = source;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    clean_text(line, clean, sizeof clean);
    buffer_print(&conversion->text, "%s\n", clean);
}

void conversion_title(struct conversion *conversion, const char *text, const char *origin)
{
    char title[TEXT_MAX_LENGTH + 1];

    clean_text(text, title, sizeof title);
    for (char *c = title; *c != '\0'; c++)
        *c = *c == '"' ? '\'' : *c == '\\' ? '/' : *c;
    if (title[0] != '\0')
        conversion_add(conversion, 0, "title = \"%s\" ; %s", title, origin);
}

void conversion_section(struct conversion *conversion, int source, const char *kind,
                        const char *name)
{
    conversion_add(conversion, 0, "%s", "");
    conversion_add(conversion, source, "[%s%s%s]", kind, name != NULL ? "." : "",
                   name != NULL ? name : "");
}

/* Adds "KEY = VALUE ; ORIGIN: KEY = VALUE (line N)"; a value that is not stated is implied. */
static void add_value(struct converting *to, const char *key, const char *value, const char *origin,
                      const struct stated *stated)
{
    char shown[32];

    if (stated == NULL || stated->line == 0) {
        conversion_add(to->conversion, 0, "%s = %s ; %s", key, value, origin);
        return;
    }
    number_format(stated->shown, shown, sizeof shown);
    conversion_add(to->conversion, stated->line, "%s = %s ; %s: %s = %s (line %d)", key, value,
                   stated->section != NULL ? stated->section : origin, stated->key, shown,
                   stated->line);
}

/* The same for a number in the unit of its knob. */
static void add_number(struct converting *to, const char *key, double si, const char *unit,
                       const char *origin, const struct stated *stated)
{
    char value[64];

    quantity_format(si, unit, value, sizeof value);
    add_value(to, key, value, origin, stated);
}

__attribute__((format(printf, 3, 4))) static void lose(struct converting *to, int line,
                                                       const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* components of a system configuration share their sections */
    for (size_t i = 0; i < to->daolite->lost.count; i++)
        if (to->daolite->lost.list[i].line == line &&
            strcmp(to->daolite->lost.list[i].message, text) == 0)
            return;
    problems_add(&to->daolite->lost, line, "%s", text);
}

/* The design ----------------------------------------------------------------------------------- */

static const struct daolite_component *first_of(const struct daolite *daolite,
                                                enum daolite_type type, int camera)
{
    for (int c = 0; c < daolite->component_count; c++)
        if (daolite->component[c].type == type &&
            (camera < 0 || daolite->component[c].camera == camera))
            return &daolite->component[c];
    return NULL;
}

/* Returns true if a controller follows a component. */
static bool is_controlled(const struct daolite *daolite, int component)
{
    for (int c = 0; c < daolite->component_count; c++)
        for (int i = 0; i < daolite->component[c].after_count; i++)
            if (daolite->component[c].type == DAOLITE_CONTROL &&
                daolite->component[c].after[i] == component)
                return true;
    return false;
}

/* Adds up the actuators of the design: those of the controllers that no other one follows, each of
 * which has mirrors of its own, else of the first reconstruction. `found`: the first of them, NULL
 * if there is none; `more`: there are several. */
static double find_actuators(const struct daolite *daolite, const struct daolite_component **found,
                             bool *more)
{
    double sum = 0;

    *found = NULL;
    *more = false;
    for (int c = 0; c < daolite->component_count; c++) {
        const struct daolite_component *control = &daolite->component[c];

        if (control->type != DAOLITE_CONTROL || is_controlled(daolite, c))
            continue;
        *more = *found != NULL;
        if (*found == NULL)
            *found = control;
        sum += control->actuators.si;
    }
    if (*found == NULL)
        *found = first_of(daolite, DAOLITE_RECONSTRUCTION, -1);
    return sum == 0 && *found != NULL ? (*found)->actuators.si : sum;
}

/* Writes the modes of the first reconstruction that states some. */
static void write_modes(struct converting *to)
{
    const struct daolite_component *first = NULL;

    for (int c = 0; c < to->daolite->component_count; c++) {
        const struct daolite_component *component = &to->daolite->component[c];

        if (component->modes.si == 0)
            continue;
        if (first == NULL)
            add_number(to, "modes", component->modes.si, "", component->origin, &component->modes);
        else if (component->modes.si != first->modes.si)
            lose(to, component->modes.line,
                 "%s: %s = %.0f; the modes of the mirror are those of %s", component->origin,
                 component->modes.key, component->modes.si, first->origin);
        first = first == NULL ? component : first;
    }
}

static void write_general(struct converting *to, const char *name)
{
    const struct daolite *daolite = to->daolite;
    const struct daolite_component *camera = first_of(daolite, DAOLITE_CAMERA, -1);
    const struct daolite_component *mirror;
    char origin[ENTRY_ORIGIN_MAX + 32];
    bool more;
    double actuators = find_actuators(daolite, &mirror, &more);

    conversion_add(to->conversion, 0, "; imported from %.300s, a pipeline of daolite",
                   name != NULL ? name : "a text");
    conversion_add(to->conversion, 0,
                   "; each value is followed by its origin there: entry, key, value and line");
    conversion_section(to->conversion, 0, "scenario", NULL);
    conversion_add(to->conversion, 0, "format = 1 ; version of the file format");
    conversion_title(to->conversion, daolite->title, "title");
    if (camera->frame_rate.line > 0)
        add_number(to, "frame_rate", camera->frame_rate.si, "Hz", camera->origin,
                   &camera->frame_rate);
    else
        problems_add(&to->daolite->assumed, camera->line,
                     "%s: it states no frame_rate; 1 kHz, which matters if frames overlap",
                     camera->origin);
    add_number(to, "packets", camera->packets, "", camera->origin, &camera->group);
    for (int c = 0; c < daolite->component_count; c++)
        if (daolite->component[c].packets != camera->packets &&
            daolite->component[c].agenda == NULL && daolite->component[c].camera >= 0 &&
            daolite->component[c].type != DAOLITE_CONTROL &&
            daolite->component[c].type != DAOLITE_DM)
            lose(to, daolite->component[c].line, "%s: its %d packets; a frame has the %d of %s",
                 daolite->component[c].origin, daolite->component[c].packets, camera->packets,
                 camera->name);
    if (mirror == NULL)
        return;
    conversion_section(to->conversion, mirror->line, "ao", NULL);
    snprintf(origin, sizeof origin, "%s and all other controllers", mirror->origin);
    if (more)
        add_number(to, "actuators", actuators, "", origin, NULL);
    else
        add_number(to, "actuators", actuators, "", mirror->origin, &mirror->actuators);
    write_modes(to);
}

/* Sensors -------------------------------------------------------------------------------------- */

/* Divides pixels into width and height, as square as possible; returns false if that is no shape
 * of a detector. */
static bool detector_shape(double pixels, double *width, double *height)
{
    double side = floor(sqrt(pixels));

    while (side > 1 && fmod(pixels, side) != 0)
        side--;
    *height = side;
    *width = pixels / side;
    return *width <= 4 * *height && *width <= 16384;
}

static void write_detector(struct converting *to, struct daolite_component *camera, double across,
                           double side)
{
    double width, height;

    if (!detector_shape(camera->pixels.si, &width, &height)) {
        lose(to, camera->pixels.line,
             "%s: n_pixels = %.0f is the product of no width and height of a "
             "detector; it is as large as the subapertures need",
             camera->origin, camera->pixels.si);
    } else if (height < across * side) {
        lose(to, camera->pixels.line,
             "%s: n_pixels = %.0f (%.0f x %.0f) does not hold %.0f "
             "subapertures of %.0f px across; the detector has the %.0f x %.0f px that they need",
             camera->origin, camera->pixels.si, width, height, across, side, across * side,
             across * side);
        camera->stated_width = width;
        camera->stated_height = height;
    } else {
        add_number(to, "detector_width", width, "px", camera->origin, &camera->pixels);
        add_number(to, "detector_height", height, "px", camera->origin, &camera->pixels);
    }
}

/* The bits of a pixel: stated by the camera or another component, or those of its transfer. */
static void write_bit_depth(struct converting *to, const struct daolite_component *camera,
                            int number)
{
    const struct daolite *daolite = to->daolite;

    for (int c = 0; c < daolite->component_count; c++) {
        const struct daolite_component *other = &daolite->component[c];
        double depth = other->bits.si / camera->pixels.si;

        if (other->camera != number)
            continue;
        if (other->bit_depth.line > 0) {
            add_number(to, "bit_depth", other->bit_depth.si, "bit", other->origin,
                       &other->bit_depth);
            return;
        }
        if (other->type == DAOLITE_NETWORK && other->after_count > 0 && other->after[0] == number &&
            depth == floor(depth) && depth >= 1 && depth <= 32) {
            add_number(to, "bit_depth", depth, "bit", other->origin, &other->bits);
            return;
        }
    }
    conversion_add(to->conversion, 0, "bit_depth = %d bit ; the default of daolite's documentation",
                   DAOLITE_BIT_DEPTH);
}

static void write_sensor(struct converting *to, int number)
{
    const struct daolite *daolite = to->daolite;
    struct daolite_component *camera = &to->daolite->component[number];
    const struct daolite_component *slopes = first_of(daolite, DAOLITE_CENTROIDER, number);
    double subaps, across, side;
    bool square;

    conversion_section(to->conversion, camera->line, "wfs", camera->name);
    if (camera->count.line > 0)
        add_number(to, "count", camera->count.si, "", camera->origin, &camera->count);
    if (slopes == NULL) {
        problems_add(&to->daolite->assumed, camera->line,
                     "%s: no centroider follows it; a sensor with one subaperture", camera->origin);
        conversion_add(to->conversion, 0, "subaps_across = 1 ; no centroider follows");
        conversion_add(to->conversion, 0, "obscuration = 0 ; likewise");
        conversion_add(to->conversion, 0, "pixels_per_subap = 1 ; likewise");
        write_detector(to, camera, 1, 1);
        write_bit_depth(to, camera, number);
        return;
    }
    subaps = slopes->subaps.si;
    across = sqrt(subaps);
    square = across == floor(across);
    if (!square)
        across = ceil(sqrt(4 * subaps / pi));
    side = smaller(128, larger(1, round(sqrt(slopes->subap_pixels.si))));
    if (side * side != slopes->subap_pixels.si)
        lose(to, slopes->subap_pixels.line,
             "%s: %s: a subaperture has %.0f pixels; it has %.0f x %.0f here", slopes->origin,
             slopes->subap_pixels.key, slopes->subap_pixels.si, side, side);
    conversion_add(to->conversion, 0,
                   "subaps_across = %.0f ; the smallest %s with these subapertures", across,
                   square ? "square" : "circle");
    conversion_add(to->conversion, 0, "obscuration = 0 ; likewise");
    add_number(to, "valid_subaps", subaps, "", slopes->origin, &slopes->subaps);
    add_number(to, "pixels_per_subap", side, "", slopes->origin, &slopes->subap_pixels);
    write_detector(to, camera, across, side);
    write_bit_depth(to, camera, number);
}

/* Devices -------------------------------------------------------------------------------------- */

/* Finds width, number of pipes and FMA of a core with this many FLOP per cycle, or the nearest. */
static double vector_units(double flops, double *bits, double *pipes, bool *fma)
{
    double nearest = 0;

    for (double width = 64; width <= 4096; width *= 2)
        for (double count = 1; count <= 8; count++)
            for (int fused = 0; fused <= 1; fused++) {
                double reached = width / 32 * count * (fused ? 2 : 1);
                /* of equal ones that with FMA and two pipes, as most cores have */
                bool better = fabs(reached - flops) < fabs(nearest - flops) ||
                              (reached == nearest && fused && (count == 2 || !*fma));

                if (better) {
                    nearest = reached;
                    *bits = width;
                    *pipes = count;
                    *fma = fused;
                }
            }
    return nearest;
}

/* A rate of a CPU: a count of things, what each of them does in a cycle, and their frequency. */
struct rate_parts {
    const char *keys, *unit;      /* of the three in the file; of the frequency in the scenario */
    double per_unit, least, most; /* Hz in that unit; the range of the frequency, Hz */
    double count_most, each_least, each_most; /* what may be chosen */
    double count, each, frequency;            /* usual ones, then those found */
};

/* Finds the parts of a stated rate, `total` (0: it is not stated). Parts that are not stated are
 * chosen so that the frequency is near to the usual one. */
static void find_parts(struct converting *to, const struct resource *machine,
                       struct rate_parts *parts, const struct stated *rate, double total,
                       const struct stated *const stated[3])
{
    const struct stated *frequency = stated[2], *from = rate->line > 0 ? rate : frequency;
    double usual, asked;

    if (frequency->si > 0)
        parts->frequency = frequency->si;
    usual = parts->frequency;
    if (stated[0]->si > 0)
        parts->count = stated[0]->si;
    else if (total > 0)
        parts->count = larger(1, smaller(parts->count_most, round(total / (parts->each * usual))));
    if (total > 0)
        parts->frequency = total / (parts->count * parts->each);
    for (; stated[1]->si == 0 && parts->frequency < usual / 2 && parts->each > parts->each_least;
         parts->frequency *= 2)
        parts->each /= 2;
    for (; stated[1]->si == 0 && parts->frequency > usual * 2 && parts->each < parts->each_most;
         parts->frequency /= 2)
        parts->each *= 2;
    asked = parts->frequency;
    parts->frequency = larger(parts->least, smaller(parts->most, asked));
    if (asked != parts->frequency)
        lose(to, from->line, "%s: %s = %g: it needs %g %s, which is out of range; it has %g %s",
             machine->origin, from->key, from->shown, asked / parts->per_unit, parts->unit,
             parts->frequency / parts->per_unit, parts->unit);
    else if (frequency->line > 0 && fabs(asked / frequency->si - 1) > 0.01)
        lose(to, frequency->line, "%s: %s = %g: it has %g %s, with which it has the stated %s",
             machine->origin, frequency->key, frequency->shown, asked / parts->per_unit,
             parts->unit, rate->key);
    if (stated[0]->line == 0 || stated[1]->line == 0 || from->line == 0)
        problems_add(&to->daolite->assumed, machine->line,
                     "%s: it does not state all of %s; %.0f, %.0f and %.4g %s", machine->origin,
                     parts->keys, parts->count, parts->each, parts->frequency / parts->per_unit,
                     parts->unit);
}

static void write_cpu(struct converting *to, const struct resource *machine)
{
    struct rate_parts vectors = {
        .keys = "cores, flops_per_cycle and core_frequency",
        .unit = "GHz",
        .per_unit = 1e9,
        .least = 0.1e9,
        .most = 10e9,
        .count_most = 1024,
        .each_least = 2,
        .each_most = 2048,
        .count = DAOLITE_CORES,
        .each = 32,
        .frequency = 2.6e9,
    };
    struct rate_parts memory = {
        .keys = "memory_channels, memory_width and memory_frequency",
        .unit = "MT/s",
        .per_unit = 1e6,
        .least = 100e6,
        .most = 20e9,
        .count_most = 64,
        .each_least = 8,
        .each_most = 1024,
        .count = 4,
        .each = 64,
        .frequency = 3200e6,
    };
    const struct stated *of_vectors[] = {&machine->cores, &machine->flops_per_cycle,
                                         &machine->frequency};
    const struct stated *of_memory[] = {&machine->channels, &machine->width, &machine->rate};
    double bits = 256, pipes = 2;
    bool fma = true;

    if (machine->flops_per_cycle.si > 0)
        vectors.each = vector_units(machine->flops_per_cycle.si, &bits, &pipes, &fma);
    if (machine->flops_per_cycle.si > 0 && vectors.each != machine->flops_per_cycle.si)
        lose(to, machine->flops_per_cycle.line,
             "%s: flops_per_cycle = %g is reached by no vector unit; %.0f by %.0f bit",
             machine->origin, machine->flops_per_cycle.si, vectors.each, bits);
    if (machine->width.si > 0)
        memory.each = machine->width.si;
    conversion_add(to->conversion, 0, "kind = cpu ; %s", machine->origin);
    problems_add(&to->daolite->assumed, machine->line,
                 "%s: it states no caches; those of this program's default CPU", machine->origin);
    find_parts(to, machine, &vectors, &machine->flops, machine->flops.si, of_vectors);
    find_parts(to, machine, &memory, &machine->bandwidth, machine->bandwidth.si * 8, of_memory);
    vector_units(vectors.each, &bits, &pipes, &fma);
    add_number(to, "cores", vectors.count, "", machine->origin, &machine->cores);
    add_number(to, "clock", vectors.frequency, "GHz", machine->origin,
               machine->flops.line > 0 ? &machine->flops : &machine->frequency);
    add_number(to, "simd_bits", bits, "bit", machine->origin, &machine->flops_per_cycle);
    add_number(to, "fma_pipes", pipes, "", machine->origin, &machine->flops_per_cycle);
    add_value(to, "fma", fma ? "yes" : "no", machine->origin, &machine->flops_per_cycle);
    add_number(to, "memory_channels", memory.count, "", machine->origin, &machine->channels);
    add_number(to, "channel_bits", memory.each, "bit", machine->origin, &machine->width);
    add_number(to, "memory_rate", memory.frequency, "MT/s", machine->origin,
               machine->bandwidth.line > 0 ? &machine->bandwidth : &machine->rate);
}

static void write_gpu(struct converting *to, const struct resource *machine)
{
    double flops = resource_flops(machine), bandwidth = resource_bandwidth(machine);
    double clock =
        machine->frequency.si >= 50e6 && machine->frequency.si <= 5e9 ? machine->frequency.si : 1e9;
    double bus = 5120, units;

    conversion_add(to->conversion, 0, "kind = gpu ; %s", machine->origin);
    problems_add(&to->daolite->assumed, machine->line,
                 "%s: it states no cache; that of this program's default GPU", machine->origin);
    if (flops > 1e15)
        problems_add(&to->daolite->assumed, machine->line,
                     "%s: %.3g TFLOP/s is more than any GPU has in fp32; flops_per_cycle is "
                     "that of one of the %.0f cores",
                     machine->origin, flops / 1e12, machine->cores.si);
    if (flops > 0) {
        units = larger(1, round(flops / (2 * clock)));
        add_number(to, "units", units, "", machine->origin,
                   machine->flops.line > 0 ? &machine->flops : &machine->flops_per_cycle);
        add_number(to, "clock", flops / (2 * units), "MHz", machine->origin,
                   machine->flops.line > 0 ? &machine->flops : &machine->frequency);
    } else {
        problems_add(&to->daolite->assumed, machine->line,
                     "%s: it states no flops; those of this program's default GPU",
                     machine->origin);
    }
    if (bandwidth <= 0) {
        problems_add(&to->daolite->assumed, machine->line,
                     "%s: it states no memory_bandwidth; that of this program's default "
                     "GPU",
                     machine->origin);
        return;
    }
    while (bus > 16 && bandwidth * 4 / bus < 50e6)
        bus /= 2;
    while (bus < 16384 && bandwidth * 4 / bus > 10e9)
        bus = smaller(16384, 2 * bus);
    add_number(to, "bus_bits", bus, "bit", machine->origin,
               machine->bandwidth.line > 0 ? &machine->bandwidth : &machine->width);
    add_number(to, "memory_clock", bandwidth * 4 / bus, "MHz", machine->origin,
               machine->bandwidth.line > 0 ? &machine->bandwidth : &machine->rate);
    conversion_add(to->conversion, 0, "transfers_per_clock = 2 ; for the memory_clock above");
}

/* The rate of the port: of a transfer that a camera sends to this machine, else its own. */
static void write_port(struct converting *to, int number)
{
    const struct daolite *daolite = to->daolite;
    const struct resource *machine = &daolite->machine[number];

    for (int c = 0; c < daolite->component_count; c++) {
        const struct daolite_component *component = &daolite->component[c];

        for (int i = 0; i < component->after_count && component->machine == number; i++) {
            const struct daolite_component *from = &daolite->component[component->after[i]];

            if (from->type == DAOLITE_NETWORK && from->speed.line > 0) {
                add_number(to, "nic", from->speed.si, "Gb/s", from->origin, &from->speed);
                return;
            }
        }
    }
    if (machine->gpu && machine->network.line > 0)
        lose(to, machine->network.line,
             "%s: network_speed = %.0f: a GPU has the link of its preset or "
             "PCIe",
             machine->origin, machine->network.shown);
    else if (machine->network.si > 0)
        add_number(to, "nic", machine->network.si, "Gb/s", machine->origin, &machine->network);
    else if (!machine->gpu) {
        conversion_add(to->conversion, 0, "nic = 100 Gb/s ; as in daolite's documentation");
        problems_add(&to->daolite->assumed, machine->line,
                     "%s: it states no network_speed; 100 Gb/s", machine->origin);
    }
}

/* The PCIe generation that a transfer to or from a machine states. */
static void write_pcie(struct converting *to, int number)
{
    const struct daolite *daolite = to->daolite;

    for (int c = 0; c < daolite->component_count; c++) {
        const struct daolite_component *component = &daolite->component[c];
        bool near = false;

        if (component->type != DAOLITE_PCIE || component->pcie_gen.line == 0)
            continue;
        for (int i = 0; i < component->after_count; i++)
            near = near || daolite->component[component->after[i]].machine == number;
        for (int d = 0; d < daolite->component_count; d++)
            for (int i = 0; i < daolite->component[d].after_count; i++)
                near = near || (daolite->component[d].after[i] == c &&
                                daolite->component[d].machine == number);
        if (!near)
            continue;
        add_number(to, "pcie_gen", component->pcie_gen.si, "", component->origin,
                   &component->pcie_gen);
        if (component->pcie_lanes.line > 0)
            add_number(to, "pcie_lanes", component->pcie_lanes.si, "", component->origin,
                       &component->pcie_lanes);
        return;
    }
}

static int machine_host(const struct daolite *daolite, int machine)
{
    int host = machine < 0 ? -1 : daolite->machine[machine].host;

    return host >= 0 ? host : machine;
}

/* Returns true for a computer that the pixels of a camera enter. */
static bool receives_pixels(const struct daolite *daolite, int machine)
{
    for (int c = 0; c < daolite->component_count; c++) {
        const struct daolite_component *component = &daolite->component[c];
        const struct daolite_component *from;

        if (component->after_count == 0 || component->machine < 0 ||
            machine_host(daolite, component->machine) != machine || daolite->machine[machine].gpu)
            continue;
        from = &daolite->component[component->after[0]];
        if (from->type >= DAOLITE_NETWORK && from->after_count > 0)
            from = &daolite->component[from->after[0]];
        if (from->type == DAOLITE_CAMERA)
            return true;
    }
    return false;
}

static void write_driver(struct converting *to, const struct resource *machine)
{
    const struct stated *driver = &machine->driver;

    if (!machine->gpu)
        conversion_add(to->conversion, 0, "os = realtime ; this program's default");
    if (receives_pixels(to->daolite, (int)(machine - to->daolite->machine)))
        problems_add(&to->daolite->assumed, machine->line,
                     "%s: it states no time for each datagram of a camera; that of this program's "
                     "ingress (datagram_time)",
                     machine->origin);
    if (driver->line == 0)
        return;
    if (machine->gpu) {
        conversion_add(to->conversion, 0, "dispatch = stream ; this program's default");
        add_number(to, "launch", driver->si, "us", machine->origin, driver);
        return;
    }
    add_number(to, "ingress_latency", driver->si, "us", machine->origin, driver);
    add_number(to, "egress_latency", driver->si, "us", machine->origin, driver);
}

static void write_device(struct converting *to, int number)
{
    const struct resource *machine = &to->daolite->machine[number];
    int first = to->conversion->count;

    conversion_section(to->conversion, machine->line, "device", machine->name);
    if (machine->preset != NULL)
        conversion_add(to->conversion, machine->line, "preset = %s ; %s: %s (line %d)",
                       machine->preset, machine->origin, machine->named, machine->line);
    else if (machine->gpu)
        write_gpu(to, machine);
    else
        write_cpu(to, machine);
    if (machine->gpu && machine->host >= 0 && !to->daolite->machine[machine->host].gpu)
        conversion_add(to->conversion, machine->line, "host = %s ; %s",
                       to->daolite->machine[machine->host].name, machine->origin);
    write_port(to, number);
    write_pcie(to, number);
    write_driver(to, machine);
    for (int i = first; machine->from_file && i < to->conversion->count; i++)
        to->conversion->line[i] = machine->line;
}

/* Components ----------------------------------------------------------------------------------- */

/* Returns the machine of what a transfer feeds; -1: none. */
static int fed_machine(const struct daolite *daolite, int transfer)
{
    for (int c = 0; c < daolite->component_count; c++)
        for (int i = 0; i < daolite->component[c].after_count; i++)
            if (daolite->component[c].after[i] == transfer && daolite->component[c].machine >= 0)
                return daolite->component[c].machine;
    return -1;
}

/* Returns true for a transfer that the scenario does not have: the model inserts it by itself, or
 * it follows no camera. */
static bool is_left_out(const struct daolite *daolite, int transfer)
{
    const struct daolite_component *c = &daolite->component[transfer];
    const struct daolite_component *from = &daolite->component[c->after[0]];
    int to = fed_machine(daolite, transfer);

    if (c->type < DAOLITE_NETWORK || c->camera < 0)
        return c->camera < 0;
    if (from->type == DAOLITE_CAMERA)
        return true;
    if (c->type == DAOLITE_PCIE)
        return to >= 0 && from->machine != to;
    return to >= 0 && machine_host(daolite, from->machine) != machine_host(daolite, to);
}

/* Adds the predecessors of a component, and instead of a transfer that is left out its own. */
static void add_predecessors(const struct daolite *daolite, int component, uint64_t *done,
                             struct buffer *names)
{
    const struct daolite_component *c = &daolite->component[component];

    for (int i = 0; i < c->after_count; i++) {
        int from = c->after[i];

        if ((*done >> from & 1) != 0)
            continue;
        *done |= (uint64_t)1 << from;
        if (is_left_out(daolite, from))
            add_predecessors(daolite, from, done, names);
        else
            buffer_item(names, daolite->component[from].name);
    }
}

static void write_transfer(struct converting *to, const struct daolite_component *c)
{
    const struct stated *size = c->bits.line > 0 ? &c->bits : &c->size;
    bool network = c->type == DAOLITE_NETWORK;

    conversion_add(to->conversion, c->line, "type = transfer ; %s (line %d)", c->origin, c->line);
    conversion_add(to->conversion, c->line, "link = %s ; its type", network ? "network" : "pcie");
    if (size->line > 0)
        add_number(to, "bytes", c->bits.line > 0 ? size->si / 8 : size->si, "B", c->origin, size);
}

static const char *stated_origin(const struct daolite_component *c, const struct stated *stated)
{
    return stated->section != NULL ? stated->section : c->origin;
}

/* Writes a fraction of a rate, which daolite does not limit to 1. */
static void write_scale(struct converting *to, const struct daolite_component *c, const char *key,
                        const struct stated *scale, double least)
{
    if (scale->line == 0 || scale->si == 1)
        return;
    if (scale->si <= 1 && scale->si >= least)
        add_number(to, key, scale->si, "", c->origin, scale);
    else
        lose(to, scale->line,
             "%s: %s = %g: %s is a fraction from %g to 1 of the device; it is automatic",
             stated_origin(c, scale), scale->key, scale->shown, key, least);
}

/* Adds up a number of the components of a device, where it is stated and below `most`; `others`: of
 * some it is not. */
static double add_stated(const struct daolite *daolite, int machine, size_t offset, double most,
                         bool *others)
{
    double all = 0;

    *others = false;
    for (int i = 0; i < daolite->component_count; i++) {
        const struct daolite_component *c = &daolite->component[i];
        const struct stated *stated = (const void *)((const char *)c + offset);
        bool counts = stated->line > 0 && stated->si < most;

        if (c->machine != machine || c->type < DAOLITE_CALIBRATION || c->type > DAOLITE_CONTROL)
            continue;
        all += counts ? stated->si : 0;
        *others = *others || !counts;
    }
    return all;
}

/* Writes the share of a component, unless those of its device leave nothing for the others. */
static void write_share(struct converting *to, const struct daolite_component *c)
{
    bool others;
    double all =
        add_stated(to->daolite, c->machine, offsetof(struct daolite_component, share), 1, &others);

    if (c->share.line > 0 && c->share.si < 1 && (others ? all >= 1 : all > 1))
        lose(to, c->share.line,
             "%s: %s = %g: the shares of %s are %g together%s; they are automatic",
             stated_origin(c, &c->share), c->share.key, c->share.shown,
             to->daolite->machine[c->machine].name, all,
             others ? ", and others of its components state none" : "");
    else
        write_scale(to, c, "share", &c->share, 0.001);
}

static void write_camera(struct converting *to, const struct daolite_component *c)
{
    double readout = c->kind->readout * 1e-6;
    double offset = c->kind->offset * 1e-6;

    conversion_add(to->conversion, c->line, "type = camera ; %s (line %d)", c->origin, c->line);
    conversion_add(to->conversion, c->line, "wfs = %s ; the sensor made of this camera", c->name);
    if (c->readout.line > 0)
        readout = c->readout.si;
    if (c->offset.line > 0 && c->kind->offset > 0)
        offset = c->offset.si;
    else if (c->offset.line > 0)
        lose(to, c->offset.line, "%s: %s = %g: daolite's %s has none", c->origin, c->offset.key,
             c->offset.shown, c->kind->name);
    readout = readout * c->kind->factor + offset * (c->packets - 1) / c->packets;
    if (c->readout.line > 0 && readout == c->readout.si)
        add_number(to, "readout", readout, "us", c->origin, &c->readout);
    else
        conversion_add(to->conversion, c->readout.line, "readout = %.6g us ; the last packet of %s",
                       readout * 1e6, c->kind->name);
    if (c->shutter >= 0)
        conversion_add(to->conversion, c->line, "shutter = %s ; %s",
                       c->shutter == SHUTTER_ROLLING ? "rolling" : "global", c->origin);
}

static void write_centroider(struct converting *to, const struct daolite_component *c)
{
    conversion_add(to->conversion, c->line, "type = centroid ; %s (line %d)", c->origin, c->line);
    if (c->chosen != NULL)
        conversion_add(to->conversion, c->chosen->line, "algorithm = %s ; %s: %s (line %d)",
                       c->algorithm != NULL ? c->algorithm : "cog",
                       c->chosen_in != NULL ? c->chosen_in : c->origin, c->chosen->key,
                       c->chosen->line);
    else
        conversion_add(to->conversion, 0, "algorithm = cog ; a centre of gravity");
    if (c->algorithm == NULL || strcmp(c->algorithm, "square-difference") != 0)
        return;
    add_number(to, "search", smaller(128, larger(1, round(sqrt(c->subap_pixels.si)))), "px",
               "all shifts", NULL);
}

static void write_reconstruction(struct converting *to, const struct daolite_component *c)
{
    const struct daolite_component *mirror;
    bool more;
    double actuators = find_actuators(to->daolite, &mirror, &more);

    conversion_add(to->conversion, c->line, "type = reconstruction ; %s (line %d)", c->origin,
                   c->line);
    conversion_add(to->conversion, 0, "algorithm = %s ; %s: %s",
                   c->density.line > 0 ? "sparse" : "mvm", c->origin,
                   c->density.line > 0 ? c->density.key : "n_acts and its slopes, a dense matrix");
    if (c->density.line > 0)
        add_number(to, "density", c->density.si, "", c->origin, &c->density);
    if (c->slopes.line > 0)
        add_number(to, "columns", c->slopes.si, "", c->origin, &c->slopes);
    if (c->actuators.si != actuators)
        add_number(to, "rows", c->actuators.si, "", c->origin, &c->actuators);
}

static void write_type(struct converting *to, const struct daolite_component *c)
{
    switch (c->type) {
    case DAOLITE_CAMERA:
        write_camera(to, c);
        break;
    case DAOLITE_CALIBRATION:
        conversion_add(to->conversion, c->line, "type = calibration ; %s (line %d)", c->origin,
                       c->line);
        break;
    case DAOLITE_CENTROIDER:
        write_centroider(to, c);
        break;
    case DAOLITE_RECONSTRUCTION:
        write_reconstruction(to, c);
        break;
    case DAOLITE_CONTROL:
        conversion_add(to->conversion, c->line, "type = control ; %s (line %d)", c->origin,
                       c->line);
        break;
    case DAOLITE_DM:
        conversion_add(to->conversion, c->line, "type = dm ; %s (line %d)", c->origin, c->line);
        if (c->actuators.line > 0)
            add_number(to, "actuators", c->actuators.si, "", c->origin, &c->actuators);
        if (c->actuator_bits.line > 0)
            add_number(to, "bits_per_actuator", c->actuator_bits.si, "bit", c->origin,
                       &c->actuator_bits);
        break;
    default:
        write_transfer(to, c);
        break;
    }
}

/* Writes the cores of a component, unless the components of its device state more than it has. */
static void write_workers(struct converting *to, const struct daolite_component *c)
{
    const struct resource *machine = c->machine < 0 ? NULL : &to->daolite->machine[c->machine];
    double cores, all;
    bool others;

    if (c->workers.line == 0 || machine == NULL)
        return;
    cores = machine->cores.si > 0 ? machine->cores.si : DAOLITE_CORES;
    all = add_stated(to->daolite, c->machine, offsetof(struct daolite_component, workers), INFINITY,
                     &others);
    if (machine->gpu)
        lose(to, c->workers.line, "%s: %s = %.0f: a GPU works on a component as a whole",
             stated_origin(c, &c->workers), c->workers.key, c->workers.si);
    else if (machine->preset == NULL && (others ? all >= cores : all > cores))
        lose(to, c->workers.line,
             "%s: %s = %.0f: the components of %s would have %.0f workers%s on %.0f cores",
             stated_origin(c, &c->workers), c->workers.key, c->workers.si, machine->name, all,
             others ? " and others" : "", cores);
    else
        add_number(to, "workers", c->workers.si, "", c->origin, &c->workers);
}

/* Returns true if a packet of a reconstruction has the subapertures of the packets that it follows.
 */
static bool follows_agendas(const struct daolite *daolite, const struct daolite_component *c)
{
    for (int p = 0; p < c->packets; p++) {
        double sum = 0;

        for (int i = 0; i < c->after_count; i++) {
            const struct daolite_component *from = &daolite->component[c->after[i]];

            sum += from->agenda != NULL && p < from->packets ? from->agenda[p] : 0;
        }
        if (sum != c->agenda[p])
            return false;
    }
    return true;
}

/* Says what becomes of an agenda. */
static void note_agenda(struct converting *to, const struct daolite_component *c)
{
    const struct daolite_component *used =
        c->camera < 0 ? NULL : daolite_agenda(to->daolite, c->camera);

    if (c->agenda == NULL || (used == c && c->type != DAOLITE_CENTROIDER))
        return;
    if (used == c)
        problems_add(
            &to->daolite->assumed, c->agenda_line,
            "%s: a packet has the pixels after which the subapertures of its centroid_agenda are "
            "complete",
            c->origin);
    else if (c->type == DAOLITE_CENTROIDER && used != NULL)
        lose(to, c->agenda_line,
             "%s: its agenda; the packets of the sensor are those of the agenda of %s", c->origin,
             used->origin);
    else if (!follows_agendas(to->daolite, c))
        lose(to, c->agenda_line,
             "%s: its agenda; it works on the slopes of each packet of the sensors", c->origin);
}

/* Notes values of a component that the scenario states elsewhere, and differently. */
static void note_differences(struct converting *to, const struct daolite_component *c)
{
    const struct daolite_component *camera = &to->daolite->component[c->camera];
    const struct daolite_component *first = first_of(to->daolite, DAOLITE_CENTROIDER, c->camera);
    const struct daolite_component *mirror;
    bool more;
    double actuators = find_actuators(to->daolite, &mirror, &more);

    if (c->type == DAOLITE_CALIBRATION && c->pixels.si != camera->pixels.si)
        lose(to, c->pixels.line, "%s: %s = %.0f; it calibrates the pixels of its camera", c->origin,
             c->pixels.key, c->pixels.si);
    if (c->type == DAOLITE_CENTROIDER && first != c &&
        (c->subaps.si != first->subaps.si || c->subap_pixels.si != first->subap_pixels.si))
        lose(to, c->line, "%s: its subapertures; those of the sensor are from %s", c->origin,
             first->origin);
    if (c->type == DAOLITE_CONTROL && c->actuators.si != actuators)
        lose(to, c->actuators.line, "%s: %s = %.0f; a controller has all %.0f actuators", c->origin,
             c->actuators.line > 0 ? c->actuators.key : "n_acts", c->actuators.si, actuators);
    note_agenda(to, c);
}

static void write_component(struct converting *to, int number)
{
    const struct daolite *daolite = to->daolite;
    const struct daolite_component *c = &daolite->component[number];
    char names[COMPONENT_MAX * (NAME_MAX_LENGTH + 2)];
    struct buffer after = buffer_over(names, sizeof names);
    uint64_t done = 0;

    if (is_left_out(daolite, number)) {
        conversion_add(to->conversion, 0, "%s", "");
        conversion_add(to->conversion, c->line, "; %s (line %d): %s", c->origin, c->line,
                       c->camera < 0 ? "it follows no camera" : "the model inserts this transfer");
        return;
    }
    conversion_section(to->conversion, c->line, "component", c->name);
    write_type(to, c);
    if (c->machine >= 0 && c->type >= DAOLITE_CALIBRATION && c->type <= DAOLITE_CONTROL)
        conversion_add(to->conversion, c->line, "device = %s ; %s (line %d)",
                       daolite->machine[c->machine].name, daolite->machine[c->machine].origin,
                       daolite->machine[c->machine].line);
    if (c->type != DAOLITE_CAMERA) {
        add_predecessors(daolite, number, &done, &after);
        if (daolite->is_system)
            conversion_add(to->conversion, c->line,
                           "after = %s ; the order of a system configuration", names);
        else
            conversion_add(to->conversion, c->line, "after = %s ; what leads to %s", names,
                           c->origin);
    }
    write_workers(to, c);
    write_share(to, c);
    write_scale(to, c, "compute_efficiency", &c->flop_scale, 0.001);
    write_scale(to, c, "memory_efficiency", &c->memory_scale, 0.001);
    if (c->overhead.line > 0 && c->type >= DAOLITE_CALIBRATION && c->type <= DAOLITE_CONTROL)
        add_number(to, "overhead", c->overhead.si, "us", c->origin, &c->overhead);
    note_differences(to, c);
}

void convert_pipeline(struct daolite *daolite, const char *name, struct conversion *conversion)
{
    struct converting to = {.daolite = daolite, .conversion = conversion};

    write_general(&to, name);
    for (int c = 0; c < daolite->component_count; c++)
        if (daolite->component[c].type == DAOLITE_CAMERA)
            write_sensor(&to, c);
    for (int m = 0; m < daolite->machine_count; m++)
        write_device(&to, m);
    for (int c = 0; c < daolite->component_count; c++)
        write_component(&to, c);
    problems_sort(&daolite->lost);
    problems_sort(&daolite->assumed);
}
