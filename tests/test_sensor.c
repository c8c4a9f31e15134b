/* Photons and noise of a sensor, against values computed by hand. */
#include "model/sensor.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "sample.h"

#define PI 3.14159265358979323846

static struct scenario scenario;
static struct sensor sensor;

/* The sensor of the check budget: SAXO's, R = 8, a subaperture of 20 cm. */
static void set_saxo(void)
{
    memset(&scenario, 0, sizeof scenario);
    sample_add(&scenario, SECTION_WFS, "ngs");
    sample_set(&scenario, "ao.diameter", "8 m");
    sample_set(&scenario, "wfs.ngs.subaps_across", "40");
    sample_set(&scenario, "wfs.ngs.pixels_per_subap", "6");
    sample_set(&scenario, "wfs.ngs.band", "R");
    sample_set(&scenario, "wfs.ngs.magnitude", "8");
    sample_set(&scenario, "wfs.ngs.wavelength", "700 nm");
    sample_set(&scenario, "wfs.ngs.throughput", "0.2");
    sample_set(&scenario, "wfs.ngs.read_noise", "0.1");
    sample_set(&scenario, "wfs.ngs.excess", "2");
}

static void fill(void)
{
    sensor_set(&sensor, &scenario, 0, 1.0 / 1200, 0.15, 1240);
}

TEST(centre_of_gravity)
{
    set_saxo();
    fill();
    CHECK_INT(sensor.state, STAR_KNOWN);
    CHECK_NEAR(sensor.photons, 45.7215, 1e-5);
    CHECK_NEAR(sensor_photon_variance(&sensor), 0.558326, 1e-5);
    CHECK_NEAR(sensor_read_variance(&sensor), 0.005099, 1e-4);
    CHECK_NEAR(sensor_slope_noise(&sensor) * 1e9, 83.625, 1e-5);
    CHECK_NEAR(sensor_mode_variance(&sensor, 1) * 1e18, 83.625 * 83.625 / (4 * PI), 1e-4);
    CHECK_NEAR(sensor_mode_variance(&sensor, 4) * 1e18, 83.625 * 83.625 * 0.2 / 25, 1e-4);
    sample_set(&scenario, "wfs.ngs.band", "K");
    fill();
    CHECK_NEAR(sensor.photons, 45.7215 * 0.7 / 4, 1e-5);
    sample_set(&scenario, "wfs.ngs.wavelength", "auto");
    fill();
    CHECK_NEAR(sensor.wavelength, 2179e-9, 1e-9);
    sample_set(&scenario, "wfs.ngs.photons", "100");
    fill();
    CHECK_NEAR(sensor.photons, 45.7215 * 0.7 / 4, 1e-5);
    sample_set(&scenario, "wfs.ngs.magnitude", "auto");
    fill();
    CHECK_NEAR(sensor.photons, 100, 1e-12);
}

/* Weights as wide as the spot: photon term times 16/9, read term pi^3/(2 ln^2 2) e^2/N^2 N_T^4/N_D^2. */
TEST(weighted)
{
    double spot;

    set_saxo();
    sample_component(&scenario, "slopes", "centroid");
    sample_set(&scenario, "component.slopes.algorithm", "weighted");
    fill();
    spot = 2 * sqrt(1 + pow(0.2 / (0.15 * pow(1.4, 1.2)), 2));
    CHECK_NEAR(sensor.spot, spot, 1e-9);
    CHECK_NEAR(sensor_photon_variance(&sensor), 0.558326 * 16 / 9, 1e-5);
    CHECK_NEAR(sensor_read_variance(&sensor),
               PI * PI * PI / (2 * log(2) * log(2)) * pow(0.1 / 45.7215, 2) * pow(spot, 4) / 4,
               1e-5);
    sample_set(&scenario, "wfs.ngs.weight", "1e2"); /* wide weights are none */
    fill();
    CHECK_NEAR(sensor_photon_variance(&sensor), 0.558326, 2e-3);
}

TEST(pyramid)
{
    static const double rows[][2] = {{1, 1.091e-4}, {5, 6.857e-6}, {10, 1.005e-6}};

    set_saxo();
    sample_set(&scenario, "wfs.ngs.kind", "pyramid");
    sample_set(&scenario, "wfs.ngs.magnitude", "auto");
    sample_set(&scenario, "wfs.ngs.photons", "100");
    sample_set(&scenario, "wfs.ngs.read_noise", "0.5");
    sample_set(&scenario, "wfs.ngs.excess", "1");
    sensor_set(&sensor, &scenario, 0, 1e-3, 0.15, 5026.5);
    CHECK_NEAR(sensor.aliasing, 0.02, 1e-12);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        CHECK_NEAR(sensor_mode_variance(&sensor, (int)rows[r][0]) /
                       pow(700e-9 / (2 * PI), 2),
                   rows[r][1], 1e-3);
    sample_set(&scenario, "wfs.ngs.optical_gain", "0.5");
    sensor_set(&sensor, &scenario, 0, 1e-3, 0.15, 5026.5);
    CHECK_NEAR(sensor_mode_variance(&sensor, 1) / pow(700e-9 / (2 * PI), 2), 4 * 1.091e-4, 1e-3);
    sample_set(&scenario, "wfs.ngs.modulation", "0");
    sensor_set(&sensor, &scenario, 0, 1e-3, 0.15, 5026.5);
    CHECK_NEAR(sensor_mode_variance(&sensor, 1) / pow(700e-9 / (2 * PI), 2),
               0.0101 / (2 * 5026.5 * 0.25), 1e-6);
}

TEST(what_a_star_needs)
{
    static const struct {
        const char *path;
        enum star_state state;
    } rows[] = {{"wfs.ngs.magnitude", STAR_NONE},
                {"wfs.ngs.band", STAR_NO_BAND},
                {"wfs.ngs.throughput", STAR_NO_THROUGHPUT}};

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        set_saxo();
        sample_set(&scenario, rows[r].path, "auto");
        fill();
        CHECK_INT(sensor.state, rows[r].state);
    }
    set_saxo();
    sample_set(&scenario, "wfs.ngs.magnitude", "auto");
    sample_set(&scenario, "wfs.ngs.photons", "10");
    fill();
    CHECK_INT(sensor.state, STAR_KNOWN);
    sample_set(&scenario, "wfs.ngs.wavelength", "auto");
    sample_set(&scenario, "wfs.ngs.band", "auto");
    fill();
    CHECK_INT(sensor.state, STAR_NO_WAVELENGTH);
    set_saxo();
    sample_set(&scenario, "ao.diameter", "0");
    fill();
    CHECK_INT(sensor.state, STAR_NO_DIAMETER);
}
