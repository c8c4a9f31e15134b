/* Parameter files of TIPTOP and P3 (astro-tiptop): INI with values that are literals of Python.
 * From them and an assumed computer to the text of a scenario.
 *
 * Read are
 *
 *   telescope    TelescopeDiameter, ObscurationRatio, ZenithAngle, extraErrorNm
 *   atmosphere   Seeing or r0_value, Wavelength, L0, WindSpeed and Cn2Weights
 *   sources_*    Wavelength, and as many sensors as Zenith has elements
 *   sensor_*     WfsType, NumberLenslets, NumberPhotons, SigmaRON, ExcessNoiseFactor, Modulation,
 *                Algorithm, PixelScale, FieldOfView and Binning
 *   DM           NumberActuators, DmPitchs, AoArea (a square where it is not "circle", as in P3)
 *   RTC          LoopGain_HO, SensorFrameRate_*, LoopDelaySteps_HO
 *
 * with HO, LO and Focus for *. The other keys have no counterpart and are named. r0 is at 500 nm
 * and zenith; wind is (sum w v^(5/3) / sum w)^(3/5). */
#ifndef AOLAG_IMPORT_TIPTOP_H
#define AOLAG_IMPORT_TIPTOP_H

#include "import/convert.h"
#include "import/values.h"
#include "model/formulas.h"

#define TIPTOP_HOST "amd-epyc-9654" /* the computer that none states */

struct tiptop {
    const char *host;  /* preset of the computer */
    bool host_chosen;  /* by the user: no assumption */
    double frame_rate; /* Hz, of HO */
    double steps;      /* total delay in frames, as stated or TIPTOP's default */
    int steps_line;    /* 0: not stated */
    double latency;    /* s, RTC latency that gives this total delay; 0: none does */
    struct problems lost, assumed;
};

/* Returns true for a text that begins with a section of an INI file. */
bool tiptop_is(const char *bytes, size_t length);

/* Reads a file into an empty tree: a map of sections. */
enum status tiptop_parse(struct values *tree, const char *bytes, size_t length,
                         struct problems *problems);

/* Writes the scenario; `name` of the file may be NULL. Also fills `tiptop` but for host and
 * latency, which the caller sets. */
enum status tiptop_convert(struct tiptop *tiptop, const struct values *tree, const char *name,
                           struct conversion *conversion, struct problems *problems);

/* Quantities of the file and of a design, for both ways --------------------------------------- */

#define TIPTOP_ARCSEC (pi / 180 / 3600)

/* Returns the seeing, arcsec, of an r0, m, at a wavelength, m; and r0 of a seeing: r0 = 0.976
 * wavelength / seeing, as P3 has it (p3/aoSystem/aoSystem.py). */
static inline double tiptop_seeing(double r0, double wavelength)
{
    return 0.976 * wavelength / (r0 * TIPTOP_ARCSEC);
}

/* Returns the PixelScale, mas, of so many pixels per wavelength over a width, m; and the pixels of
 * a PixelScale. */
static inline double tiptop_pixel_scale(double pixels, double wavelength, double width)
{
    return wavelength / width / (pixels * 1e-3 * TIPTOP_ARCSEC);
}

/* Return the actuators in a circle that so many are across, and how many are across it. */
static inline double tiptop_actuators(double across)
{
    return round(pi / 4 * across * across);
}
static inline double tiptop_actuators_across(double actuators)
{
    return round(sqrt(actuators * 4 / pi));
}

/* Algorithms of a Shack-Hartmann sensor. Of rows with the same name the first is meant; the first
 * of all stands for what has no row. */
struct tiptop_algorithm {
    const char *name;
    enum algorithm_id id;
};
enum { TIPTOP_ALGORITHMS = 5 };
extern const struct tiptop_algorithm tiptop_algorithms[TIPTOP_ALGORITHMS];

#endif
