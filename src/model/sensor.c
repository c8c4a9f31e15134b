#include "model/sensor.h"

#include <math.h>

#include "base/number.h"
#include "design/algorithm.h"
#include "model/formulas.h"

#define ALIASING_SHACK_HARTMANN 0.08
#define ALIASING_PYRAMID 0.02
#define PHOTONS_OF_MAGNITUDE_0 368.0

static const double ln2 = 0.69314718055994530942;

static const struct {
    double wavelength; /* m */
    double flux;       /* of magnitude 0, times 368, photons/s/m^2 */
} bands[] = {
    [BAND_V] = {550e-9, 3.3e12},  [BAND_R] = {640e-9, 4e12},    [BAND_I] = {790e-9, 2.7e12},
    [BAND_J] = {1215e-9, 1.9e12}, [BAND_H] = {1654e-9, 1.1e12}, [BAND_K] = {2179e-9, 0.7e12},
};

double band_wavelength(int band)
{
    return bands[band].wavelength;
}

static enum star_state find_state(const struct wfs *wfs, double size)
{
    bool magnitude = wfs->magnitude != MAGNITUDE_NONE;

    if (wfs->photons <= 0 && !magnitude)
        return STAR_NONE;
    if (magnitude && wfs->band == CHOICE_AUTO)
        return STAR_NO_BAND;
    if (magnitude && wfs->throughput <= 0)
        return STAR_NO_THROUGHPUT;
    if (wfs->wavelength <= 0 && wfs->band == CHOICE_AUTO)
        return STAR_NO_WAVELENGTH;
    return size > 0 ? STAR_KNOWN : STAR_NO_DIAMETER;
}

bool sensor_has_star(const struct scenario *scenario, int wfs)
{
    return scenario->wfs[wfs].magnitude != MAGNITUDE_NONE || scenario->wfs[wfs].photons > 0;
}

bool sensor_is_weighted(const struct scenario *scenario, int wfs)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_CENTROID && scenario_wfs(scenario, c) == wfs &&
            algorithm_index(&scenario->component[c]) == ALGORITHM_WEIGHTED)
            return true;
    return false;
}

static void set_star(struct sensor *sensor, const struct wfs *wfs, double exposure, double r0)
{
    double ratio;

    sensor->wavelength =
        wfs->wavelength > 0 ? wfs->wavelength : band_wavelength(wfs->band);
    sensor->photons = wfs->magnitude == MAGNITUDE_NONE
                          ? wfs->photons
                          : bands[wfs->band].flux / PHOTONS_OF_MAGNITUDE_0 *
                                pow(10, -0.4 * wfs->magnitude) * square(sensor->size) * exposure *
                                wfs->throughput;
    ratio = sensor->size / (r0 * pow(sensor->wavelength / 500e-9, 1.2));
    sensor->spot = wfs->pixel_scale * sqrt(1 + square(ratio));
}

void sensor_set(struct sensor *sensor, const struct scenario *scenario, int wfs, double exposure,
                double r0, double subaps)
{
    const struct wfs *of = &scenario->wfs[wfs];
    bool pyramid = of->kind == WFS_PYRAMID;

    *sensor = (struct sensor){
        .kind = of->kind,
        .size = scenario->ao.diameter / of->subaps_across,
        .read_noise = larger(of->read_noise, 0),
        .excess = of->excess,
        .pixels = of->pixels_per_subap,
        .pixel_scale = of->pixel_scale,
        .subaps = subaps,
        .modulation = of->modulation,
        .optical_gain = of->optical_gain,
        .aliasing = of->spatial_filter * (of->aliasing != NUMBER_UNSTATED ? of->aliasing
                                          : pyramid                       ? ALIASING_PYRAMID
                                                    : ALIASING_SHACK_HARTMANN),
    };
    sensor->state = find_state(of, sensor->size);
    if (sensor->state != STAR_KNOWN)
        return;
    set_star(sensor, of, exposure, r0);
    if (!pyramid && sensor_is_weighted(scenario, wfs))
        sensor->weight = of->weight > 0 ? of->weight : sensor->spot;
}

double sensor_photon_variance(const struct sensor *sensor)
{
    double spot = square(sensor->spot), weight = square(sensor->weight);
    double variance;

    if (sensor->kind == WFS_PYRAMID)
        return sensor->excess / sensor->photons;
    variance = sensor->excess * square(pi) / (2 * ln2 * sensor->photons) * spot /
               square(sensor->pixel_scale);
    return weight == 0 ? variance
                       : variance * square(square(spot + weight)) /
                             (square(2 * spot + weight) * square(weight));
}

double sensor_read_variance(const struct sensor *sensor)
{
    double ratio = square(sensor->read_noise / sensor->photons);
    double weight = square(sensor->weight);

    if (sensor->kind == WFS_PYRAMID)
        return 4 * ratio;
    ratio /= square(sensor->pixel_scale);
    if (weight == 0)
        return square(pi) / 3 * ratio * square(square(sensor->pixels));
    return pi * square(pi) / (32 * square(ln2)) * ratio *
           square(square(square(sensor->spot) + weight)) / square(weight);
}

double sensor_slope_noise(const struct sensor *sensor)
{
    return sqrt(sensor_photon_variance(sensor) + sensor_read_variance(sensor)) *
           sensor->wavelength / (2 * pi);
}

/* Returns the sensitivity of a modulated pyramid to a mode, 1 at most. */
static double pyramid_sensitivity(const struct sensor *sensor, int order)
{
    double slope = order == 1 ? 0.637 : 0.40 * (order + 1);

    if (sensor->modulation == 0)
        return 1;
    return 2 / pi * asin(smaller(1, slope / (sqrt(2) * sensor->modulation)));
}

double sensor_mode_variance(const struct sensor *sensor, int order)
{
    double variance = sensor_photon_variance(sensor) + sensor_read_variance(sensor);
    double part = order == 1 ? 1 / (4 * pi) : 0.2 / square(order + 1);

    if (sensor->kind == WFS_PYRAMID)
        part = 1 / (2 * sensor->subaps *
                    square(sensor->optical_gain * pyramid_sensitivity(sensor, order)));
    return part * variance * square(sensor->wavelength / (2 * pi));
}
