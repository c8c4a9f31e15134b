#include "import/export.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "base/utf8.h"
#include "import/tiptop.h"

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
    double period; /* s, of the fastest cameras */
    double total;  /* frames */
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

/* Appends a comment with the exact delay and by how much the simulator's is longer. */
static void comment_delay(const struct exporting *e, enum export_form form, const char *sign)
{
    const struct convention *c = &conventions[form];
    double off = delay_of(form, e->total) + c->before - e->total;

    buffer_print(e->text, "%s total delay: %.6g frames, %.6g us; %s counts %s", sign, e->total,
                 e->total * e->period * 1e6, c->key, c->counts);
    if (off > FRAME_TOLERANCE)
        buffer_print(e->text, "; the delay below is longer by %.3g frames, %.6g us", off,
                     off * e->period * 1e6);
    buffer_text(e->text, "\n");
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

/* Writes the mirrors; TIPTOP counts actuators across. */
static void put_mirrors(const struct exporting *e)
{
    struct buffer across = {0}, pitches = {0}, heights = {0};
    const char *comma = "";

    for (int c = 0; c < e->scenario->component_count; c++) {
        const struct component *component = &e->scenario->component[c];
        double count;

        if (component->type != COMPONENT_DM)
            continue;
        count = tiptop_actuators_across(component->actuators > 0 ? component->actuators
                                                                 : e->scenario->ao.actuators);
        buffer_print(&across, "%s%.0f", comma, count);
        buffer_print(&pitches, "%s%.6g", comma,
                     component->pitch > 0 ? component->pitch
                                          : e->scenario->ao.diameter / larger(1, count - 1));
        buffer_print(&heights, "%s0.0", comma);
        comma = ", ";
    }
    if (across.length > 0)
        buffer_print(e->text,
                     "\n[DM]\n; across the circle that holds them\nNumberActuators = [%s]\n"
                     "DmPitchs = [%s]\nDmHeights = [%s]\n",
                     across.bytes, pitches.bytes, heights.bytes);
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
    comment_delay(e, EXPORT_TIPTOP, ";");
    buffer_print(e->text, "LoopDelaySteps_HO = %.0f\n", delay_of(EXPORT_TIPTOP, e->total));
    for (int i = 1; i < count; i++) {
        double times =
            e->scenario->wfs[sensor[i]].rate_divisor / e->scenario->wfs[sensor[0]].rate_divisor;

        /* half its exposure and half its hold are longer by (times - 1) / 2 frames each; its loop
         * counts frames of its own */
        buffer_print(e->text,
                     "SensorFrameRate_%s = %.10g\nLoopGain_%s = 'optimize'\n"
                     "LoopDelaySteps_%s = %.0f\n",
                     suffixes[i], 1 / (e->period * times), suffixes[i], suffixes[i],
                     delay_of(EXPORT_TIPTOP, (e->total + times - 1) / times));
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

    comment_delay(e, form, "#");
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
    struct exporting e = {scenario, result, budget, text, result->loop.sample_period, 0};
    const char *sign = form == EXPORT_TIPTOP ? ";" : "#";
    char shown[100];

    e.total = result->loop.tau_total / e.period;
    utf8_excerpt(shown, sizeof shown, name, strlen(name));
    buffer_print(text, "%s %s by aolag, for %s\n", sign, shown, export_names[form]);
    buffer_print(text, "%s gain: %s\n", sign, gain_source_name(budget->gain_source));
    if (form == EXPORT_TIPTOP)
        return export_tiptop(&e, error);
    export_loop(&e, form);
    return STATUS_OK;
}
