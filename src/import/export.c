#include "import/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "base/utf8.h"
#include "design/knob_text.h"
#include "import/tiptop.h"
#include "model/loop.h"

#define FRAME_TOLERANCE 1e-4 /* frames, of a delay that is a whole number */
#define OUTER_INFINITE 1e4   /* m, for an outer scale that is not there */
#define SENSORS 3
#define NOT_STATED_WAVELENGTH 750e-9

const char *const export_names[EXPORT_FORMS + 1] = {"tiptop",  "soapy",   "oopao",
                                                    "compass", "specula", NULL};

struct exporting {
    const struct scenario *scenario;
    const struct result *result;
    const struct budget *budget;
    struct buffer *text;
    const char *sign; /* of comments */
    double period;    /* s, of the fastest cameras */
    double total;     /* frames */
};

/* What a simulator counts of the total delay. */
static const struct convention {
    const char *key, *counts;
    double before; /* frames that it does not count */
    bool whole;
} conventions[EXPORT_FORMS] = {
    [EXPORT_TIPTOP] = {"LoopDelaySteps", "all frames", 0, true},
    [EXPORT_SOAPY] = {"loopDelay", "frames beyond the first", 1, true},
    [EXPORT_OOPAO] = {"frame_delay", "all frames", 0, true},
    [EXPORT_COMPASS] = {"set_delay", "frames beyond the first", 1, false},
    [EXPORT_SPECULA] = {"delay", "frames beyond the first", 1, false},
};

/* Returns the delay of a simulator for a total delay in frames. */
static double delay_of(enum export_form form, double total)
{
    const struct convention *c = &conventions[form];
    double delay = c->whole ? ceil(total - FRAME_TOLERANCE) : total;

    /* a step is the least that a simulator has */
    return larger(delay, 1) - c->before;
}

/* Appends a comment with the exact delay, in frames of that period, and by how much the simulator's
 * is longer. */
static void comment_delay(const struct exporting *e, enum export_form form, double total,
                          double period)
{
    const struct convention *c = &conventions[form];
    double off = delay_of(form, total) + c->before - total;

    buffer_print(e->text, "%s total delay: %.6g frames, %.6g us; %s counts %s", e->sign, total,
                 total * period * 1e6, c->key, c->counts);
    if (off > FRAME_TOLERANCE)
        buffer_print(e->text, "; the delay below is longer by %.3g frames, %.6g us", off,
                     off * period * 1e6);
    buffer_text(e->text, "\n");
}

/* Appends comments on what the delay and the gain rest on. */
static void comment_origins(const struct exporting *e)
{
    const char *overload = loop_overload(e->scenario, e->result);
    double stated = e->scenario->ao.rtc_latency;

    if (overload != NULL)
        buffer_print(e->text, "%s %s\n", e->sign, overload);
    if (stated > 0)
        buffer_print(e->text,
                     "%s RTC latency: %.6g us as stated by ao.rtc_latency, %.6g us of the "
                     "design\n",
                     e->sign, stated * 1e6, e->result->latency * 1e6);
    buffer_print(e->text, "%s gain: %s\n", e->sign, gain_source_name(e->budget->gain_source));
}

/* TIPTOP --------------------------------------------------------------------------------------- */

static void put_list(const struct exporting *e, const char *key, double value, double count)
{
    buffer_print(e->text, "%s = [", key);
    for (int i = 0; i < (int)count; i++)
        buffer_print(e->text, "%s%.6g", i > 0 ? ", " : "", value);
    buffer_text(e->text, "]\n");
}

/* Finds the sensors, that of the loop first; returns how many. */
static int find_sensors(const struct exporting *e, int sensor[SENSORS])
{
    int count = 0;

    if (e->budget->wfs >= 0)
        sensor[count++] = e->budget->wfs;
    for (int w = 0; w < e->scenario->wfs_count && count < SENSORS; w++)
        if (w != e->budget->wfs)
            sensor[count++] = w;
    return count;
}

static double sensor_wavelength(const struct wfs *wfs)
{
    return wfs->wavelength > 0 ? wfs->wavelength
           : wfs->band >= 0    ? band_wavelength(wfs->band)
                               : NOT_STATED_WAVELENGTH;
}

static void put_telescope(const struct exporting *e)
{
    const struct scenario *s = e->scenario;
    int sensor[SENSORS];
    int count = find_sensors(e, sensor);

    buffer_print(e->text, "\n[telescope]\nTelescopeDiameter = %.6g\nZenithAngle = %.6g\n",
                 s->ao.diameter, unit_from_si(s->atmosphere.zenith, "deg"));
    buffer_print(e->text, "ObscurationRatio = %.6g\nResolution = 256\n",
                 count > 0 ? s->wfs[sensor[0]].obscuration : 0);
    if (s->ao.other_errors > 0)
        buffer_print(e->text, "extraErrorNm = %.6g\n", s->ao.other_errors * 1e9);
    buffer_print(e->text, "\n[atmosphere]\nWavelength = 500e-9\nSeeing = %.5g\nL0 = %.6g\n",
                 tiptop_seeing(s->atmosphere.r0, 500e-9),
                 s->atmosphere.outer_scale > 0 ? s->atmosphere.outer_scale : OUTER_INFINITE);
    buffer_print(e->text,
                 "; one layer with the effective wind\n"
                 "Cn2Weights = [1.0]\nCn2Heights = [0.0]\nWindSpeed = [%.6g]\n"
                 "WindDirection = [0.0]\n",
                 s->atmosphere.wind);
    buffer_print(e->text,
                 "\n[sources_science]\nWavelength = [%.6g]\nZenith = [0.0]\nAzimuth = [0.0]\n",
                 s->atmosphere.wavelength);
    buffer_print(e->text,
                 "\n[sensor_science]\n; two pixels per wavelength over diameter\n"
                 "PixelScale = %.6g\nFieldOfView = 256\n",
                 tiptop_pixel_scale(2, s->atmosphere.wavelength, s->ao.diameter));
}

/* Returns the name in TIPTOP of the algorithm that computes the slopes of a sensor. */
static const char *slopes_name(const struct exporting *e, int wfs)
{
    for (int c = 0; c < e->scenario->component_count; c++) {
        const struct component *component = &e->scenario->component[c];

        if (component->type != COMPONENT_CENTROID || scenario_wfs(e->scenario, c) != wfs)
            continue;
        for (int a = 0; a < TIPTOP_ALGORITHMS; a++)
            if ((int)tiptop_algorithms[a].id == algorithm_index(component))
                return tiptop_algorithms[a].name;
    }
    return tiptop_algorithms[0].name;
}

static void put_sensor(const struct exporting *e, int w, const char *suffix)
{
    const struct wfs *wfs = &e->scenario->wfs[w];
    double wavelength = sensor_wavelength(wfs);
    double photons = wfs->photons;
    bool pyramid = wfs->kind == WFS_PYRAMID;

    if (w == e->budget->wfs && e->budget->sensor.state == STAR_KNOWN) {
        photons = e->budget->sensor.photons;
        wavelength = e->budget->sensor.wavelength;
    }
    buffer_print(e->text, "\n[sources_%s]\nWavelength = %.6g\n", suffix, wavelength);
    if (wfs->wavelength == 0 && wfs->band < 0)
        buffer_text(e->text, "; the wavelength is assumed, the design states none\n");
    put_list(e, "Zenith", 0, wfs->count);
    put_list(e, "Azimuth", 0, wfs->count);
    buffer_print(e->text, "\n[sensor_%s]\nWfsType = '%s'\n", suffix,
                 pyramid ? "Pyramid" : "Shack-Hartmann");
    put_list(e, "NumberLenslets", wfs->subaps_across, wfs->count);
    if (pyramid)
        buffer_print(e->text, "Modulation = %.6g\nPixelScale = 1000\nFieldOfView = 2\n",
                     wfs->modulation);
    else
        buffer_print(e->text,
                     "Modulation = None\nPixelScale = %.5g\nFieldOfView = %.0f\n"
                     "Algorithm = '%s'\n",
                     tiptop_pixel_scale(wfs->pixel_scale, wavelength,
                                        e->scenario->ao.diameter / wfs->subaps_across),
                     wfs->pixels_per_subap, slopes_name(e, w));
    if (photons > 0)
        put_list(e, "NumberPhotons", photons, wfs->count);
    else
        buffer_text(e->text, "; NumberPhotons is to be stated: the design has no star\n");
    if (wfs->read_noise != NUMBER_UNSTATED)
        buffer_print(e->text, "SigmaRON = %.6g\n", wfs->read_noise);
    buffer_print(e->text, "ExcessNoiseFactor = %.6g\n", wfs->excess);
}

/* Returns the shape of the area that the mirror with the most actuators corrects: in P3 a square
 * for all but "circle" (p3/aoSystem/frequencyDomain.py). */
static bool is_square(const struct exporting *e)
{
    return e->scenario->component[e->budget->mirror].surface == SURFACE_SQUARE;
}

/* Returns true for a value of a mirror that the file has. */
static bool is_held(const struct exporting *e, struct knob_ref ref)
{
    double value = knob_number(e->scenario, ref);

    switch (knob_id(ref.knob)) {
    case KNOB_COMPONENT_PITCH:
    case KNOB_COMPONENT_SETTLE: /* these two in the delay */
    case KNOB_COMPONENT_LENGTH:
        return true;
    case KNOB_COMPONENT_ACTUATORS:
        return tiptop_actuators(tiptop_actuators_across(value)) == value;
    case KNOB_COMPONENT_SURFACE:
        return (int)value == (is_square(e) ? SURFACE_SQUARE : SURFACE_CONTINUOUS);
    default:
        return ref.knob->role != ROLE_INSTRUMENT || value == knob_fallback(ref.knob);
    }
}

/* Names what the design states of its mirrors and the file does not have; `sum` of the actuators
 * that are read back. */
static void comment_unheld(const struct exporting *e, double sum)
{
    struct knob_ref ref = {.knob = NULL};

    while (knob_next(e->scenario, &ref)) {
        bool of_mirror = ref.section == SECTION_COMPONENT &&
                         e->scenario->component[ref.index].type == COMPONENT_DM;
        bool counts = knob_is(ref.knob, KNOB_AO_MODES) || knob_is(ref.knob, KNOB_AO_ACTUATORS);
        char path[96], value[KNOB_TEXT_SIZE];

        if (!knob_is_own(e->scenario, ref) ||
            !(of_mirror ? !is_held(e, ref) : counts && knob_number(e->scenario, ref) != sum))
            continue;
        knob_path(e->scenario, ref, path, sizeof path);
        knob_get_text(e->scenario, ref, value, sizeof value);
        buffer_print(e->text, "; TIPTOP does not have %s = %s\n", path, value);
    }
}

/* Writes the mirrors; TIPTOP counts actuators across. Where no pitch is stated, that of the error
 * budget, and of other mirrors that of their actuators. */
static void put_mirrors(const struct exporting *e)
{
    struct buffer across = {0}, pitches = {0}, heights = {0};
    const char *comma = "";
    double sum = 0;

    if (e->budget->mirror < 0)
        return;
    for (int c = 0; c < e->scenario->component_count; c++) {
        const struct component *component = &e->scenario->component[c];
        double count, pitch = component->pitch;

        if (component->type != COMPONENT_DM)
            continue;
        count = tiptop_actuators_across(scenario_actuators(e->scenario, c));
        sum += tiptop_actuators(count);
        if (pitch == 0)
            pitch = c == e->budget->mirror ? e->budget->pitch
                                           : e->scenario->ao.diameter / larger(1, count - 1);
        buffer_print(&across, "%s%.0f", comma, count);
        buffer_print(&pitches, "%s%.6g", comma, pitch);
        buffer_print(&heights, "%s0.0", comma);
        comma = ", ";
    }
    buffer_text(e->text, "\n[DM]\n");
    comment_unheld(e, sum);
    buffer_print(e->text,
                 "; across the circle that holds them\nNumberActuators = [%s]\nDmPitchs = [%s]\n"
                 "; heights are not part of a design\nDmHeights = [%s]\nAoArea = '%s'\n",
                 across.bytes, pitches.bytes, heights.bytes, is_square(e) ? "square" : "circle");
    buffer_free(&across);
    buffer_free(&pitches);
    buffer_free(&heights);
}

static enum status export_tiptop(const struct exporting *e, struct error *error)
{
    static const char *const suffixes[SENSORS] = {"HO", "LO", "Focus"};
    int sensor[SENSORS];
    int count = find_sensors(e, sensor);

    if (e->scenario->ao.diameter == 0)
        return error_set(error, STATUS_INVALID,
                         "ao.diameter is not stated; TIPTOP requires the telescope's");
    if (count == 0)
        return error_set(error, STATUS_INVALID, "the design has no sensor; TIPTOP requires one");
    put_telescope(e);
    for (int i = 0; i < count; i++)
        put_sensor(e, sensor[i], suffixes[i]);
    put_mirrors(e);
    buffer_print(e->text, "\n[RTC]\nSensorFrameRate_HO = %.10g\nLoopGain_HO = %.6g\n",
                 1 / e->period, e->budget->servo.gain);
    comment_delay(e, EXPORT_TIPTOP, e->total, e->period);
    buffer_print(e->text, "LoopDelaySteps_HO = %.0f\n", delay_of(EXPORT_TIPTOP, e->total));
    for (int i = 1; i < count; i++) {
        double times =
            e->scenario->wfs[sensor[i]].rate_divisor / e->scenario->wfs[sensor[0]].rate_divisor;
        /* half its exposure and half its hold are longer by (times - 1) / 2 frames each; its loop
         * counts frames of its own */
        double total = (e->total + times - 1) / times;

        buffer_print(e->text, "SensorFrameRate_%s = %.10g\nLoopGain_%s = 'optimize'\n", suffixes[i],
                     1 / (e->period * times), suffixes[i]);
        comment_delay(e, EXPORT_TIPTOP, total, e->period * times);
        buffer_print(e->text, "LoopDelaySteps_%s = %.0f\n", suffixes[i],
                     delay_of(EXPORT_TIPTOP, total));
    }
    for (int w = count; w < e->scenario->wfs_count; w++)
        buffer_print(e->text, "; TIPTOP has %d kinds of sensors: wfs.%s is left out\n", SENSORS,
                     e->scenario->wfs[w].head.name);
    return STATUS_OK;
}

/* The others ----------------------------------------------------------------------------------- */

static void export_loop(const struct exporting *e, enum export_form form)
{
    double delay = delay_of(form, e->total), gain = e->budget->servo.gain;

    comment_delay(e, form, e->total, e->period);
    switch (form) {
    case EXPORT_SOAPY:
        buffer_print(e->text, "loopTime: %.10g\nloopDelay: %.0f\nReconstructor:\n  gain: %.6g\n",
                     e->period, delay, gain);
        break;
    case EXPORT_OOPAO:
        buffer_print(e->text, "samplingTime = %.10g\ngainCL = %.6g\nframe_delay = %.0f\n",
                     e->period, gain, delay);
        if (delay > 2)
            buffer_print(e->text,
                         "# the loops of the tutorials have 1 and 2 frames: keep the slopes of the "
                         "last %.0f\n",
                         delay - 1);
        break;
    case EXPORT_COMPASS:
        buffer_print(e->text,
                     "p_loop.set_ittime(%.10g)\np_controller0.set_gain(%.6g)\n"
                     "p_controller0.set_delay(%.6g)\n",
                     e->period, gain, delay);
        break;
    default:
        buffer_print(e->text,
                     "main:\n  time_step: %.10g\ndetector:\n  dt: %.10g\ncontrol:\n"
                     "  delay: %.6g\n  int_gain: [%.6g]\n",
                     e->period, e->period, delay, gain);
        break;
    }
}

enum status export_design(enum export_form form, const struct scenario *scenario,
                          const struct result *result, const struct budget *budget,
                          const char *name, struct buffer *text, struct error *error)
{
    double period = result->loop.sample_period;
    const struct exporting e = {scenario,
                                result,
                                budget,
                                text,
                                form == EXPORT_TIPTOP ? ";" : "#",
                                period,
                                result->loop.tau_total / period};
    char shown[100];

    utf8_excerpt(shown, sizeof shown, name, strlen(name));
    buffer_print(text, "%s %s by aolag, for %s\n", e.sign, shown, export_names[form]);
    comment_origins(&e);
    if (form == EXPORT_TIPTOP)
        return export_tiptop(&e, error);
    export_loop(&e, form);
    return STATUS_OK;
}
