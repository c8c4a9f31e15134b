#include "import/tiptop.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/units.h"
#include "base/utf8.h"
#include "design/ini.h"
#include "design/knob_table.h"
#include "import/literal.h"

#define KEY_SHOWN 64 /* bytes of a name */
#define NAME_SHOWN 28 /* of a file's in a title */
#define LAYERS_MAX 200
#define HOW_MAX 128 /* bytes of how a value is made of others */
#define MIRRORS_MAX 16
#define PIXELS_LEAST 2 /* across a subaperture: one alone has no slope */
#define PACKETS_ASSUMED 10
#define PYRAMID_SIDE 2.4    /* of the detector, in pixels across a pupil image */
#define PORT_RESERVE 1.2    /* for what is not pixels */
#define READOUT_ASSUMED 0.5 /* of a frame period */

/* The sensors: their sections, the key of their rate, and what they are called in the scenario. */
static const struct {
    const char *sensor, *sources, *rate, *name;
} kinds[] = {
    {"sensor_HO", "sources_HO", "SensorFrameRate_HO", "ho"},
    {"sensor_LO", "sources_LO", "SensorFrameRate_LO", "lo"},
    {"sensor_Focus", "sources_Focus", "SensorFrameRate_Focus", "focus"},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* A value of the file. */
struct parameter {
    const char *section, *key;
    double value; /* as in the file: the first of a list */
    int line;     /* 0: not stated */
};

/* The mirrors, their pitches in m on the primary, 0: not stated. */
struct mirrors {
    double actuators[MIRRORS_MAX], pitch[MIRRORS_MAX];
    int count, pitch_line, area_line;
    bool square; /* the area that they correct */
};

struct reading_tiptop {
    struct tiptop *to;
    const struct values *tree;
    struct conversion *conversion;
    struct problems *problems;
    double pixels; /* of a frame of all sensors */
};

const struct tiptop_algorithm tiptop_algorithms[TIPTOP_ALGORITHMS] = {
    {"cog", ALGORITHM_COG},
    {"wcog", ALGORITHM_WEIGHTED},
    {"tcog", ALGORITHM_THRESHOLD},
    {"ccog", ALGORITHM_CORRELATION},
    {"ccog", ALGORITHM_CORRELATION_FFT},
};

/* Reading -------------------------------------------------------------------------------------- */

bool tiptop_is(const char *bytes, size_t length)
{
    size_t at = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    while (at < length) {
        while (at < length && strchr(" \t\r\n", bytes[at]) != NULL && bytes[at] != '\0')
            at++;
        if (at == length || (bytes[at] != ';' && bytes[at] != '#'))
            break;
        while (at < length && bytes[at] != '\n')
            at++;
    }
    if (at == length || bytes[at] != '[')
        return false;
    while (++at < length && bytes[at] != ']')
        if (strchr("\n\"{[,: 0123456789", bytes[at]) != NULL)
            return false;
    return at < length;
}

/* Returns a copy in which the lines that continue a value are comments: those that are indented
 * more than its key, as for Python's configparser, by which TIPTOP and P3 read. Of a line that is
 * neither that nor a key, the problem is added. */
static char *hide_continued(const char *bytes, size_t length, struct problems *problems)
{
    char *copy = allocate_part(bytes, length), *next;
    size_t level = 0;
    int number = 1, key = 0; /* its line; 0: none */

    for (char *line = copy; *line != '\0'; line = next, number++) {
        size_t indent = strspn(line, " \t"), end = strcspn(line, "\n");
        char shown[KEY_SHOWN];

        next = line + end + (line[end] == '\n');
        if (strchr("\r\n;#", line[indent]) != NULL)
            continue;
        if (key > 0 && indent > level) {
            *line = ';';
            continue;
        }
        level = indent;
        if (key > 0 && line[indent] != '[' && memchr(line, '=', end) == NULL) {
            utf8_excerpt(shown, sizeof shown, line, strcspn(line, "\r\n"));
            problems_add(problems, number,
                         "\"%s\" is no key = value; a line that continues line %d is indented more",
                         shown, key);
            break;
        }
        key = line[indent] == '[' ? 0 : number;
    }
    return copy;
}

/* Returns the value of a key with the lines that continue it, of the file that `ini` is the copy
 * of.
 */
static char *whole_value(const struct ini *ini, const struct ini_key *key, const char *bytes)
{
    size_t end = key->next;

    for (size_t at = key->next, next; at < ini->length; at = next) {
        const char *line = ini->bytes + at;

        next = at + strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        if (strchr("\r\n;#", line[strspn(line, " \t")]) == NULL)
            break;
        if (*line != bytes[at])
            end = at + strcspn(line, "\r\n");
    }
    return allocate_print("%.*s%s%.*s", (int)key->spelled.length, ini->bytes + key->spelled.start,
                          end > key->next ? "\n" : "", (int)(end - key->next), bytes + key->next);
}

enum status tiptop_parse(struct values *tree, const char *bytes, size_t length,
                         struct problems *problems)
{
    struct values_builder builder = {.tree = tree, .problems = problems};
    size_t before = problems->count;
    char *lines = hide_continued(bytes, length, problems);
    struct ini ini = {.length = 0};

    if (problems->count == before)
        ini_scan(lines, length, &ini, problems);
    if (problems->count == before)
        values_put(&builder, NODE_MAP, 1, NULL, NULL);
    for (size_t s = 0; s < ini.section_count && problems->count == before; s++) {
        const struct ini_section *section = &ini.sections[s];
        char name[KEY_SHOWN];

        ini_excerpt(&ini, section->name, name, sizeof name);
        if (values_put(&builder, NODE_MAP, section->line, name, NULL) == NULL)
            break;
        for (size_t k = section->first; k < section->first + section->count; k++) {
            const struct ini_key *key = &ini.keys[k];
            char *text = whole_value(&ini, key, bytes);
            char shown[KEY_SHOWN];

            ini_excerpt(&ini, key->name, shown, sizeof shown);
            literal_put(&builder, key->line, shown, text);
            free(text);
            if (problems->count > before)
                break;
        }
        values_close(&builder);
    }
    ini_free(&ini);
    free(lines);
    return problems->count == before ? STATUS_OK : STATUS_INVALID;
}

static const struct node *find_value(const struct reading_tiptop *p, const char *section,
                                     const char *key)
{
    const struct node *node =
        values_member(p->tree, values_member(p->tree, &p->tree->node[0], section), key);

    return node == NULL || node->kind == NODE_NULL ? NULL : node;
}

static const struct node *find_section(const struct reading_tiptop *p, const char *section)
{
    const struct node *node = values_member(p->tree, &p->tree->node[0], section);

    return node == NULL || node->kind != NODE_MAP ? NULL : node;
}

static void refuse_value(struct reading_tiptop *p, const char *section, const char *key,
                         const struct node *node, const char *allowed)
{
    char shown[VALUES_SHOWN_MAX];

    problems_add(p->problems, node->line, "%s.%s is %s; allowed: %s", section, key,
                 values_show(node, shown), allowed);
}

/* Reads up to `most` numbers, of a list or one alone; returns how many, 0 for None. */
static int read_numbers(struct reading_tiptop *p, const char *section, const char *key,
                        double *number, int most, int *line)
{
    const struct node *node = find_value(p, section, key);
    const struct node *first = node;
    int count = 0;

    *line = 0;
    if (node == NULL)
        return 0;
    *line = node->line;
    if (node->kind == NODE_LIST)
        first = values_first(p->tree, node);
    for (const struct node *n = first; n != NULL;
         n = node->kind == NODE_LIST ? values_next(p->tree, n) : NULL) {
        if (n->kind == NODE_NULL)
            continue;
        if (n->kind != NODE_NUMBER || count == most) {
            if (n->kind == NODE_NUMBER)
                problems_add(p->problems, n->line, "%s.%s has more than %d numbers", section, key,
                             most);
            else
                refuse_value(p, section, key, n, "a number or a list of numbers");
            return 0;
        }
        number[count++] = n->number;
    }
    return count;
}

/* Reads a number, of a list the first; says which others are not carried over. */
static struct parameter read_number(struct reading_tiptop *p, const char *section, const char *key,
                                    double fallback)
{
    struct parameter found = {.section = section, .key = key, .value = fallback};
    double number[LAYERS_MAX];
    int count = read_numbers(p, section, key, number, LAYERS_MAX, &found.line);

    if (count == 0) {
        found.line = 0;
        return found;
    }
    found.value = number[0];
    for (int i = 1; i < count; i++)
        if (number[i] != number[0]) {
            problems_add(&p->to->lost, found.line,
                         "%s.%s: numbers after the first, %g, that differ from it", section, key,
                         number[0]);
            break;
        }
    return found;
}

/* The same of a number that has to be stated, above 0. */
static struct parameter read_required(struct reading_tiptop *p, const char *section,
                                      const char *key)
{
    struct parameter found = read_number(p, section, key, 0);
    const struct node *in = find_section(p, section);

    if (found.line == 0 && find_value(p, section, key) == NULL)
        problems_add(p->problems, in == NULL ? 0 : in->line, "[%s] has no %s", section, key);
    else if (found.line > 0 && found.value <= 0)
        problems_add(p->problems, found.line, "%s.%s is %g; allowed: a number above 0", section,
                     key, found.value);
    return found;
}

static const char *read_text(struct reading_tiptop *p, const char *section, const char *key,
                             const char *fallback, int *line)
{
    const struct node *node = find_value(p, section, key);

    *line = node == NULL ? 0 : node->line;
    if (node == NULL || node->kind == NODE_TEXT)
        return node == NULL ? fallback : node->text;
    refuse_value(p, section, key, node, "a text");
    return fallback;
}

/* Returns a computed number with the digits that those of a file justify. */
static double six_digits(double value)
{
    char text[32];
    const char *end;

    number_round(value, 6, text, sizeof text);
    return number_parse(text, &value, &end) == STATUS_OK ? value : 0;
}

/* Lines ---------------------------------------------------------------------------------------- */

/* Puts a line with a number in the unit of its knob, and its origin. */
static void put_value(struct reading_tiptop *p, const char *knob, double si, const char *unit,
                      const struct parameter *from)
{
    char value[64], shown[32];

    quantity_format(si, unit, value, sizeof value);
    number_format(from->value, shown, sizeof shown);
    if (from->line > 0)
        conversion_add(p->conversion, from->line, "%s = %s ; %s.%s = %s (line %d)", knob, value,
                       from->section, from->key, shown, from->line);
    else
        conversion_add(p->conversion, 0, "%s = %s ; default of TIPTOP for %s.%s", knob, value,
                       from->section, from->key);
    if (from->line == 0)
        problems_add(&p->to->assumed, 0, "%s.%s: %s, TIPTOP's default", from->section, from->key,
                     shown);
}

static void put_assumed(struct reading_tiptop *p, const char *knob, double si, const char *unit)
{
    char value[64];

    quantity_format(si, unit, value, sizeof value);
    conversion_add(p->conversion, 0, "%s = %s ; assumed", knob, value);
}

/* Puts lines that stand for none of the file. */
__attribute__((format(printf, 2, 3))) static void put_lines(struct reading_tiptop *p,
                                                            const char *format, ...)
{
    struct buffer text = {0};
    va_list arguments;

    va_start(arguments, format);
    buffer_vprint(&text, format, arguments);
    va_end(arguments);
    for (char *line = text.bytes; line != NULL;) {
        char *end = strchr(line, '\n');

        if (end != NULL)
            *end++ = '\0';
        conversion_add(p->conversion, 0, "%s", line);
        line = end;
    }
    buffer_free(&text);
}

/* The design ----------------------------------------------------------------------------------- */

/* P3 reads the two names in any case. */
static bool is_pyramid(struct reading_tiptop *p, int kind)
{
    int line;
    const char *type = read_text(p, kinds[kind].sensor, "WfsType", "Shack-Hartmann", &line);
    bool pyramid = strcasecmp(type, "Pyramid") == 0;

    if (!pyramid && strcasecmp(type, "Shack-Hartmann") != 0)
        problems_add(p->problems, line,
                     "%s.WfsType is \"%.*s\"; allowed: Shack-Hartmann, Pyramid",
                     kinds[kind].sensor, KEY_SHOWN, type);
    return pyramid;
}

/* Returns the first number of a value; 0: it has none. */
static double first_number(const struct reading_tiptop *p, const char *section, const char *key)
{
    const struct node *node = find_value(p, section, key);

    if (node != NULL && node->kind == NODE_LIST)
        node = values_first(p->tree, node);
    return node != NULL && node->kind == NODE_NUMBER ? node->number : 0;
}

/* Writes a title of what the file has: "SOUL, 8.222 m, Pyramid 40x40". */
static void write_title(struct reading_tiptop *p, const char *name)
{
    const char *slash = name == NULL ? NULL : strrchr(name, '/');
    const char *base = slash != NULL ? slash + 1 : name != NULL ? name : "";
    const char *dot = strrchr(base, '.');
    const struct node *type = find_value(p, "sensor_HO", "WfsType");
    const struct node *stars = find_value(p, "sources_HO", "Zenith");
    const struct node *mirrors = find_value(p, "DM", "NumberActuators");
    double across = first_number(p, "sensor_HO", "NumberLenslets");
    struct buffer title = {0};
    char shown[NAME_SHOWN];

    utf8_excerpt(shown, sizeof shown, base, dot == NULL ? strlen(base) : (size_t)(dot - base));
    buffer_print(&title, "%s%s%.6g m, ", shown, shown[0] != '\0' ? ", " : "",
                 first_number(p, "telescope", "TelescopeDiameter"));
    if (stars != NULL && stars->count > 1)
        buffer_print(&title, "%d ", stars->count);
    buffer_text(&title, type != NULL && type->kind == NODE_TEXT ? type->text : "Shack-Hartmann");
    if (across > 0)
        buffer_print(&title, " %gx%g", across, across);
    for (int kind = 1; kind < KINDS; kind++)
        if (find_section(p, kinds[kind].sensor) != NULL)
            buffer_print(&title, ", %s", kinds[kind].name);
    if (mirrors != NULL && mirrors->count > 1)
        buffer_print(&title, ", %d mirrors", mirrors->count);
    conversion_title(p->conversion, title.bytes, "name of the file, telescope, sensors, mirrors");
    buffer_free(&title);
}

static void write_scenario(struct reading_tiptop *p, const char *name)
{
    struct tiptop *to = p->to;
    struct parameter rate = read_number(p, "RTC", "SensorFrameRate_HO", 500);
    struct parameter steps = read_number(p, "RTC", "LoopDelaySteps_HO", 2);

    to->frame_rate = rate.value;
    to->steps = steps.value;
    to->steps_line = steps.line;
    if (rate.value <= 0)
        problems_add(p->problems, rate.line, "RTC.%s is %g; allowed: a number above 0, in Hz",
                     rate.key, rate.value);
    if (steps.value < 1)
        problems_add(p->problems, steps.line,
                     "RTC.%s is %g; allowed: 1 and more, since half an exposure before and half of "
                     "the time that a command is held are a frame",
                     steps.key, steps.value);
    conversion_add(p->conversion, 0, "; imported from %.300s, a parameter file of TIPTOP or P3",
                   name != NULL ? name : "a text");
    conversion_add(p->conversion, 0,
                   "; each value is followed by its origin there: section.key, "
                   "value and line");
    conversion_section(p->conversion, 0, "scenario", NULL);
    conversion_add(p->conversion, 0, "format = 1 ; version of the file format");
    write_title(p, name);
    put_value(p, "frame_rate", rate.value, "Hz", &rate);
    put_assumed(p, "packets", PACKETS_ASSUMED, "");
    problems_add(&p->to->assumed, 0, "packets of a frame: %d", PACKETS_ASSUMED);
    if (to->latency > 0)
        put_value(p, "target_latency", to->latency, "us", &steps);
}

/* Reads the mirrors; the numbers of the file are of actuators across. */
static void read_mirrors(struct reading_tiptop *p, struct mirrors *mirrors)
{
    double *actuators = mirrors->actuators, *pitch = mirrors->pitch;
    int line, pitches;

    mirrors->count = read_numbers(p, "DM", "NumberActuators", actuators, MIRRORS_MAX, &line);
    pitches = read_numbers(p, "DM", "DmPitchs", pitch, MIRRORS_MAX, &mirrors->pitch_line);
    mirrors->square =
        strcmp(read_text(p, "DM", "AoArea", "circle", &mirrors->area_line), "circle") != 0;
    if (mirrors->count == 0 && p->problems->count == 0)
        problems_add(p->problems, line, "[DM] has no NumberActuators");
    else if (pitches > 0 && pitches != mirrors->count && p->problems->count == 0)
        problems_add(p->problems, mirrors->pitch_line,
                     "DM.DmPitchs has %d numbers, NumberActuators (line %d) has %d", pitches, line,
                     mirrors->count);
    for (int m = 0; m < mirrors->count; m++) {
        if (actuators[m] < 1)
            problems_add(p->problems, line, "DM.NumberActuators is %g; allowed: 1 and more",
                         actuators[m]);
        if (m < pitches && pitch[m] <= 0)
            problems_add(p->problems, mirrors->pitch_line,
                         "DM.DmPitchs is %g; allowed: a number above 0", pitch[m]);
        actuators[m] = larger(1, tiptop_actuators(actuators[m]));
    }
}

static void write_ao(struct reading_tiptop *p, const struct mirrors *mirrors)
{
    struct parameter diameter = read_required(p, "telescope", "TelescopeDiameter");
    struct parameter error = read_number(p, "telescope", "extraErrorNm", 0);
    struct parameter steps = {"RTC", "LoopDelaySteps_HO", p->to->steps, p->to->steps_line};
    const struct node *gain = find_value(p, "RTC", "LoopGain_HO");
    const struct node *node = find_value(p, "DM", "NumberActuators");
    double sum = 0;

    for (int m = 0; m < mirrors->count; m++)
        sum += mirrors->actuators[m];
    conversion_section(p->conversion, 0, "ao", NULL);
    conversion_add(p->conversion, node == NULL ? 0 : node->line,
                   "actuators = %.0f ; DM.NumberActuators across a circle", sum);
    problems_add(&p->to->assumed, 0,
                 "actuators: those in the circle that DM.NumberActuators are across");
    put_value(p, "diameter", diameter.value, "m", &diameter);
    if (gain != NULL && gain->kind == NODE_TEXT && gain->means == NULL)
        conversion_add(p->conversion, gain->line, "; RTC.LoopGain_HO = %s: gain is not stated",
                       gain->text);
    else {
        struct parameter stated = read_number(p, "RTC", "LoopGain_HO", 0.5);

        if (stated.value <= 0)
            problems_add(p->problems, stated.line,
                         "RTC.LoopGain_HO is %g; allowed: a number above 0", stated.value);
        put_value(p, "gain", stated.value, "", &stated);
    }
    if (error.value > 0)
        put_value(p, "other_errors", unit_to_si(error.value, "nm"), "nm", &error);
    if (p->to->latency > 0) {
        conversion_add(p->conversion, 0,
                       "; the total delay of the file; without this line that of the design");
        put_value(p, "rtc_latency", p->to->latency, "us", &steps);
    }
}

/* Returns the effective wind, and how it is made of several layers, else "". */
static struct parameter read_wind(struct reading_tiptop *p, char how[HOW_MAX])
{
    double speed[LAYERS_MAX] = {0}, weight[LAYERS_MAX] = {0}, sum = 0, all = 0;
    int weight_line;
    struct parameter wind = {"atmosphere", "WindSpeed", 10, 0};
    int count = read_numbers(p, "atmosphere", "WindSpeed", speed, LAYERS_MAX, &wind.line);
    int weights = read_numbers(p, "atmosphere", "Cn2Weights", weight, LAYERS_MAX, &weight_line);

    if (count == 0) {
        wind.line = 0;
        return wind;
    }
    if (weights > 0 && count > 1 && weights != count)
        problems_add(p->problems, wind.line,
                     "atmosphere.WindSpeed has %d numbers, Cn2Weights (line %d) has %d", count,
                     weight_line, weights);
    for (int i = 0; i < count; i++) {
        double w = weights == count ? weight[i] : 1;

        if (speed[i] < 0 || w < 0)
            problems_add(p->problems, speed[i] < 0 ? wind.line : weight_line,
                         "atmosphere.%s has %g; allowed: 0 and more",
                         speed[i] < 0 ? "WindSpeed" : "Cn2Weights", speed[i] < 0 ? speed[i] : w);
        sum += larger(0, w) * pow(larger(0, speed[i]), 5.0 / 3);
        all += larger(0, w);
    }
    wind.value = all > 0 ? six_digits(pow(sum / all, 0.6)) : 0;
    if (count > 1)
        snprintf(how, HOW_MAX,
                 "(sum w v^(5/3) / sum w)^(3/5) of atmosphere.WindSpeed (line %d), %s", wind.line,
                 weights > 0 ? "w of Cn2Weights" : "all w equal");
    return wind;
}

static void write_atmosphere(struct reading_tiptop *p)
{
    struct parameter seeing = read_number(p, "atmosphere", "Seeing", 0);
    struct parameter documented = read_number(p, "atmosphere", "r0_Value", 0);
    struct parameter stated = read_number(p, "atmosphere", "r0_value", 0);
    struct parameter r0 = stated.line > 0 ? stated : documented;
    struct parameter at = read_number(p, "atmosphere", "Wavelength", 500e-9);
    struct parameter science = read_required(p, "sources_science", "Wavelength");
    struct parameter zenith = read_number(p, "telescope", "ZenithAngle", 0);
    struct parameter outer = read_number(p, "atmosphere", "L0", 25);
    char how[HOW_MAX] = "";
    struct parameter wind = read_wind(p, how);
    /* of two, P3 takes the seeing; its code reads r0_value, TIPTOP's documentation has r0_Value */
    const struct parameter *from = seeing.line > 0 ? &seeing : &r0;
    double value = seeing.line > 0 ? tiptop_seeing(seeing.value, at.value) : r0.value;
    const struct node *in = find_section(p, "atmosphere");

    if (from->line == 0 && p->problems->count == 0)
        problems_add(p->problems, in == NULL ? 0 : in->line,
                     "[atmosphere] has no Seeing, and no r0_value");
    else if (from->line > 0 && (from->value <= 0 || at.value <= 0))
        problems_add(p->problems, from->value <= 0 ? from->line : at.line,
                     "atmosphere.%s is %g; allowed: a number above 0",
                     from->value <= 0 ? from->key : at.key,
                     from->value <= 0 ? from->value : at.value);
    conversion_section(p->conversion, 0, "atmosphere", NULL);
    if (p->problems->count > 0)
        return;
    put_value(p, "r0", six_digits(value * pow(500e-9 / at.value, 1.2)), "cm", from);
    if (how[0] != '\0')
        conversion_add(p->conversion, wind.line, "wind = %.6g m/s ; %s", wind.value, how);
    else
        put_value(p, "wind", wind.value, "m/s", &wind);
    put_value(p, "wavelength", science.value, "nm", &science);
    put_value(p, "zenith", unit_to_si(zenith.value, "deg"), "deg", &zenith);
    put_value(p, "outer_scale", outer.value, "m", &outer);
}

/* Writes and returns the pixels across a subaperture. FieldOfView is documented as that number; more
 * than a subaperture has are those across the detector, as in TIPTOP's files of MORFEO and ERIS: 592
 * of 74 subapertures of 8. */
static double write_pixels(struct reading_tiptop *p, const char *section, double across)
{
    struct parameter field = read_number(p, section, "FieldOfView", 0);
    double binning = read_number(p, section, "Binning", 1).value;
    double pixels = field.line > 0 && binning >= 1 ? floor(field.value / binning) : 0;
    const struct knob *knob = &knobs[KNOB_WFS_PIXELS_PER_SUBAP];
    const double most = knob->max;

    if (pixels >= PIXELS_LEAST && pixels <= most) {
        put_value(p, knob->key, pixels, "", &field);
        return pixels;
    }
    if (pixels <= most) {
        pixels = knob->fallback;
        problems_add(&p->to->assumed, 0,
                     "%s: %.0f pixels across a subaperture; FieldOfView does not state %d to %.0f",
                     section, pixels, PIXELS_LEAST, most);
    } else {
        bool whole = floor(pixels / across) >= PIXELS_LEAST && pixels / across <= most;

        pixels = whole ? floor(pixels / across) : most;
        problems_add(&p->to->assumed, 0,
                     "%s: %.0f pixels across a subaperture; FieldOfView = %g is %s", section,
                     pixels, field.value,
                     whole ? "taken for those across the detector" : "more than a design has");
    }
    conversion_add(p->conversion, 0, "%s = %.0f ; assumed", knob->key, pixels);
    return pixels;
}

/* Writes the pixels per wavelength over subaperture, within the range of the knob. */
static void write_pixel_scale(struct reading_tiptop *p, const char *section,
                              const struct parameter *scale, double wavelength, double width)
{
    const struct knob *knob = &knobs[KNOB_WFS_PIXEL_SCALE];
    double pixels = six_digits(tiptop_pixel_scale(scale->value, wavelength, width));
    double within = smaller(larger(pixels, knob->min), knob->max);

    if (within != pixels)
        problems_add(&p->to->lost, scale->line,
                     "%s.PixelScale = %g: %.3g pixels per wavelength over subaperture; the design "
                     "has %g, the %s",
                     section, scale->value, pixels, within, within < pixels ? "most" : "least");
    put_value(p, knob->key, within, "", scale);
}

/* Writes what differs between the kinds of sensors; returns the pixels across the detector. */
static double write_kind(struct reading_tiptop *p, const char *section, const char *sources,
                         bool pyramid, double across)
{
    struct parameter diameter = read_number(p, "telescope", "TelescopeDiameter", 0);
    struct parameter scale = read_number(p, section, "PixelScale", 0);
    double wavelength = read_number(p, sources, "Wavelength", 0).value;
    double side;

    if (pyramid) {
        struct parameter modulation = read_number(p, section, "Modulation", 0);

        if (modulation.line > 0)
            put_value(p, "modulation", modulation.value, "", &modulation);
        return PYRAMID_SIDE * across;
    }
    side = write_pixels(p, section, across);
    if (scale.value > 0 && diameter.value > 0 && wavelength > 0)
        write_pixel_scale(p, section, &scale, wavelength, diameter.value / across);
    return side * across;
}

static void write_sensor(struct reading_tiptop *p, int kind)
{
    const char *section = kinds[kind].sensor, *sources = kinds[kind].sources;
    const char *rate = kinds[kind].rate;
    struct parameter across, photons, noise, excess, obscuration, wavelength, own;
    double stars[LAYERS_MAX], divisor, side;
    int line, count;
    bool pyramid;

    pyramid = is_pyramid(p, kind);
    across = read_number(p, section, "NumberLenslets", 20);
    photons = read_number(p, section, "NumberPhotons", 0);
    noise = read_number(p, section, "SigmaRON", 0);
    excess = read_number(p, section, "ExcessNoiseFactor", 1);
    obscuration = read_number(p, "telescope", "ObscurationRatio", 0);
    wavelength = read_number(p, sources, "Wavelength", 0);
    own = read_number(p, "RTC", rate, p->to->frame_rate);
    count = read_numbers(p, sources, "Zenith", stars, LAYERS_MAX, &line);
    divisor = own.value > 0 ? larger(1, round(p->to->frame_rate / own.value)) : 1;
    if (own.value <= 0)
        problems_add(p->problems, own.line, "RTC.%s is %g; allowed: a number above 0, in Hz", rate,
                     own.value);
    if (across.value < 1)
        problems_add(p->problems, across.line, "%s.NumberLenslets is %g; allowed: 1 and more",
                     section, across.value);
    if (photons.value < 0)
        problems_add(p->problems, photons.line, "%s.NumberPhotons is %g; allowed: 0 and more",
                     section, photons.value);
    if (p->problems->count > 0)
        return;

    conversion_section(p->conversion, values_member(p->tree, &p->tree->node[0], section)->line,
                       "wfs", kinds[kind].name);
    conversion_add(p->conversion, 0, "kind = %s", pyramid ? "pyramid" : "shack-hartmann");
    if (count > 1)
        conversion_add(p->conversion, line, "count = %d ; %s.Zenith (line %d)", count, sources,
                       line);
    if (divisor > 1)
        put_value(p, "rate_divisor", divisor, "", &own);
    if (fabs(p->to->frame_rate / divisor - own.value) > 1e-6 * own.value)
        problems_add(&p->to->lost, own.line, "RTC.%s = %g: every %.0f. frame of HO, %g Hz", rate,
                     own.value, divisor, p->to->frame_rate / divisor);
    put_value(p, "subaps_across", across.value, "", &across);
    if (across.value <= 2)
        conversion_add(p->conversion, 0, "valid_subaps = %.0f ; all", across.value * across.value);
    put_value(p, "obscuration", obscuration.value, "", &obscuration);
    side = write_kind(p, section, sources, pyramid, across.value);
    p->pixels += larger(1, count) * side * side;
    if (photons.line > 0 && photons.value == 0)
        problems_add(&p->to->lost, photons.line, "%s.NumberPhotons = 0: a loop without noise",
                     section);
    if (photons.value > 0)
        put_value(p, "photons", photons.value, "", &photons);
    if (photons.value > 0 && wavelength.value > 0)
        put_value(p, "wavelength", wavelength.value, "nm", &wavelength);
    if (noise.line > 0)
        put_value(p, "read_noise", noise.value, "", &noise);
    if (excess.line > 0)
        put_value(p, "excess", excess.value, "", &excess);
}

/* Returns the algorithm for one of TIPTOP. */
static const char *find_algorithm(struct reading_tiptop *p, const char *section)
{
    int line;
    const char *stated = read_text(p, section, "Algorithm", "wcog", &line);

    for (int i = 0; i < TIPTOP_ALGORITHMS; i++)
        if (strcmp(tiptop_algorithms[i].name, stated) == 0)
            return algorithms[tiptop_algorithms[i].id].name;
    problems_add(&p->to->lost, line, "%s.Algorithm = %s: a centre of gravity", section, stated);
    return algorithms[tiptop_algorithms[0].id].name;
}

static void write_chain(struct reading_tiptop *p, int kind, struct buffer *slopes)
{
    const char *name = kinds[kind].name, *section = kinds[kind].sensor;
    bool pyramid = is_pyramid(p, kind);

    buffer_print(slopes, "%sslopes-%s", slopes->length > 0 ? ", " : "", name);
    put_lines(p, "\n[component.camera-%s]\ntype = camera\nwfs = %s", name, name);
    put_assumed(p, "readout", six_digits(READOUT_ASSUMED / p->to->frame_rate), "us");
    put_lines(p, "\n[component.calibration-%s]\ntype = calibration\ndevice = rtc", name);
    put_lines(p, "\n[component.slopes-%s]\ntype = %s\ndevice = rtc", name,
              pyramid ? "pyramid" : "centroid");
    if (!pyramid)
        put_lines(p, "algorithm = %s ; %s.Algorithm", find_algorithm(p, section), section);
}

/* Writes the computer, whose port carries a frame within the readout. */
static void write_host(struct reading_tiptop *p)
{
    static const double ports[] = {10, 25, 40, 100, 200, 400, 800}; /* Gb/s, as they are sold */
    double needed = PORT_RESERVE * knobs[KNOB_WFS_BIT_DEPTH].fallback * p->pixels *
                    p->to->frame_rate / READOUT_ASSUMED * 1e-9;
    size_t i = 0;

    put_lines(p, "\n[device.rtc]\npreset = %s ; %s\nos = realtime ; assumed", p->to->host,
              p->to->host_chosen ? "--host" : "assumed");
    if (!p->to->host_chosen)
        problems_add(&p->to->assumed, 0, "computer: %s; --host names another one", p->to->host);
    while (i + 1 < sizeof ports / sizeof ports[0] && ports[i] < needed)
        i++;
    if (i == 0)
        return;
    put_lines(p, "nic = %.0f Gb/s ; assumed\ningress = bypass ; assumed", ports[i]);
    problems_add(
        &p->to->assumed, 0,
        "network port: %.0f Gb/s, read past the kernel, since %.3g Mpx arrive within the readout",
        ports[i], p->pixels * 1e-6);
}

static void write_components(struct reading_tiptop *p, const struct mirrors *mirrors)
{
    struct buffer slopes = {0};

    write_host(p);
    for (int kind = 0; kind < KINDS; kind++)
        if (find_section(p, kinds[kind].sensor) != NULL)
            write_chain(p, kind, &slopes);
    problems_add(&p->to->assumed, 0,
                 "readout of the cameras: %g of a frame period; %.0f bit per pixel",
                 READOUT_ASSUMED, knobs[KNOB_WFS_BIT_DEPTH].fallback);
    put_lines(p,
              "\n[component.recon]\ntype = reconstruction\nalgorithm = mvm ; assumed\n"
              "device = rtc\nafter = %s\n\n[component.control]\ntype = control\n"
              "algorithm = integrator\ndevice = rtc",
              slopes.bytes);
    for (int m = 0; m < mirrors->count; m++) {
        const struct parameter pitch = {"DM", "DmPitchs", mirrors->pitch[m], mirrors->pitch_line};
        char number[16] = "";

        if (mirrors->count > 1)
            snprintf(number, sizeof number, "-%d", m + 1);
        put_lines(p, "\n[component.dm%s]\ntype = dm\nafter = control", number);
        if (mirrors->count > 1)
            put_lines(p, "actuators = %.0f", mirrors->actuators[m]);
        if (pitch.value > knob_max(&knobs[KNOB_COMPONENT_PITCH]))
            problems_add(&p->to->lost, pitch.line,
                         "DM.DmPitchs: %g m of component.dm%s; a design "
                         "has at most %g m",
                         pitch.value, number, knob_max(&knobs[KNOB_COMPONENT_PITCH]));
        else if (pitch.value > 0)
            put_value(p, "pitch", pitch.value, "cm", &pitch);
        if (mirrors->square)
            conversion_add(p->conversion, mirrors->area_line,
                           "surface = square ; DM.AoArea (line %d)", mirrors->area_line);
    }
    problems_add(&p->to->assumed, 0, "isolated cores, and mirrors that follow at once");
    buffer_free(&slopes);
}

/* Names the keys that have no counterpart, those of a section in one sentence. */
static void note_unread(struct reading_tiptop *p)
{
    for (const struct node *section = values_first(p->tree, &p->tree->node[0]); section != NULL;
         section = values_next(p->tree, section)) {
        struct buffer names = {0};
        int line = 0;

        for (const struct node *n = values_first(p->tree, section); n != NULL;
             n = values_next(p->tree, n)) {
            if (n->read)
                continue;
            line = line == 0 ? n->line : line;
            buffer_print(&names, "%s%s", names.length > 0 ? ", " : "", n->key);
        }
        if (line > 0)
            problems_add(&p->to->lost, line, "%s: %.400s%s", section->key, names.bytes,
                         names.length > 400 ? " ..." : "");
        buffer_free(&names);
    }
}

enum status tiptop_convert(struct tiptop *tiptop, const struct values *tree, const char *name,
                           struct conversion *conversion, struct problems *problems)
{
    struct reading_tiptop p = {tiptop, tree, conversion, problems, 0};
    struct mirrors mirrors = {.count = 0};
    size_t before = problems->count;

    if (find_section(&p, "telescope") == NULL || find_section(&p, "sensor_HO") == NULL) {
        problems_add(problems, 0, "%s",
                     find_section(&p, "scenario") != NULL
                         ? "this is a design already; aolag import makes one of the files that "
                           "aolag import --list names"
                         : "no parameter file of TIPTOP or P3: there is no [telescope] with a "
                           "[sensor_HO]");
        return STATUS_INVALID;
    }
    read_required(&p, "sources_HO", "Wavelength");
    write_scenario(&p, name);
    read_mirrors(&p, &mirrors);
    write_ao(&p, &mirrors);
    write_atmosphere(&p);
    for (int kind = 0; kind < KINDS; kind++)
        if (find_section(&p, kinds[kind].sensor) != NULL && problems->count == before)
            write_sensor(&p, kind);
    if (problems->count > before)
        return STATUS_INVALID;
    write_components(&p, &mirrors);
    note_unread(&p);
    problems_sort(&tiptop->lost);
    return problems->count == before ? STATUS_OK : STATUS_INVALID;
}
