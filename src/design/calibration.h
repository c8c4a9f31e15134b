/* A calibration as the section [calibration] states it: what measurements say of the model's
 * factors.
 *
 * A factor multiplies the times of one cause on the devices of one model (model/calibration.h); its
 * logarithm is normal, with the standard deviation ln(sigma), and correlated with those of the
 * others. The section has lists of
 *
 *     factors       DEVICE:CAUSE:FACTOR:SIGMA, of the first device of a model
 *     correlations  of the logarithms: that of the second factor with the first, of the third with
 *                   the first and the second, and so on
 *     measured      PATH=VALUE+-SPREAD%, the measurements that they come from
 *     devices       DEVICE:PART:FIGURES, two checksums of each device
 *
 * and the version of the program whose model was calibrated. */
#ifndef AOLAG_DESIGN_CALIBRATION_H
#define AOLAG_DESIGN_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "design/scenario.h"

#define CALIBRATION_FACTORS_MAX 12
#define CALIBRATION_MEASURED_MAX 32
#define CALIBRATION_PATH_MAX 128
#define CALIBRATION_CAUSE_MAX 23
#define CALIBRATION_LEAST 0.2 /* of a factor: no hardware is that far from its model */
#define CALIBRATION_MOST 5
#define CALIBRATION_SPREAD_MOST 1 /* 100 % */

struct calibration_factor {
    char device[NAME_MAX_LENGTH + 1];
    char cause[CALIBRATION_CAUSE_MAX + 1];
    double factor; /* CALIBRATION_LEAST to CALIBRATION_MOST */
    double sigma;  /* 1 to UNCERTAINTY_MOST */
};

struct calibration_measured {
    char path[CALIBRATION_PATH_MAX]; /* of a result that is a time */
    double value;                    /* s, above 0 */
    /* standard deviation, as a fraction of the value, above 0; 0: not stated, by --measured only */
    double spread;
    bool may_miss; /* left out, not refused, where the model does not explain it */
};

/* Returns true if the section states factors. */
static inline bool calibration_stated(const struct scenario *scenario)
{
    return scenario->calibration.factors[0] != '\0';
}

/* Read the next item of a list and move the text behind it; false at its end, or with an error for
 * one that is not allowed, which is STATUS_OK else. */
bool calibration_next_factor(const char **text, struct calibration_factor *factor,
                             struct error *error);
bool calibration_next_measured(const char **text, struct calibration_measured *measured,
                               struct error *error);

/* Reads one measurement, "latency=512us" or "component.recon.busy=180us+-5%", also with a
 * plus-minus sign. Returns STATUS_INVALID with what is allowed. */
enum status calibration_read_measured(const char *text, struct calibration_measured *measured,
                                      struct error *error);

/* Reads the correlations of `count` factors into a symmetric matrix; those that are missing are 0.
 */
void calibration_read_correlations(
    const char *text, int count,
    double correlation[CALIBRATION_FACTORS_MAX][CALIBRATION_FACTORS_MAX]);

/* Check the lists of the section. */
enum status calibration_check_factors(const char *text, struct error *error);
enum status calibration_check_correlations(const char *text, struct error *error);
enum status calibration_check_measured(const char *text, struct error *error);
enum status calibration_check_devices(const char *text, struct error *error);

/* Checksums of a device: of the part (kind, preset with its values, model, stated uncertainty), and
 * of all its figures. */
struct calibration_device {
    uint32_t part, figures;
};

/* Gets those that a list states of a device; returns false if there are none. */
bool calibration_find_device(const char *list, const char *name, struct calibration_device *device);

#endif
