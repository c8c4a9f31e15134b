/* The factors of a calibration (design/calibration.h) in the model.
 *
 * A factor multiplies the times of its cause on all devices of its group (group.h), that of
 * CAUSE_UNSTATED those of all causes; evaluate does it for every design that states factors
 * (calibration_factors), and range_find takes their sigma and correlations.
 *
 * A factor holds for the part that was calibrated and for the model of one version of the program:
 * it is stale, and not used, where the kind, the preset or what that states, the model name or the
 * stated uncertainty of its device differ from those recorded, where the device or the cause is not
 * there, and after a change of version. Figures of a device that the scenario states may differ:
 * the factor is used, since it is the part's, and the difference is said. */
#ifndef AOLAG_MODEL_CALIBRATION_H
#define AOLAG_MODEL_CALIBRATION_H

#include <stdbool.h>

#include "design/calibration.h"
#include "model/cause.h"

enum calibration_state {
    CALIBRATION_NONE, /* the scenario states no factor */
    CALIBRATION_USED,
    CALIBRATION_CHANGED, /* used, although figures of a device differ */
    CALIBRATION_STALE    /* a factor, or all, is not used */
};

/* Returns the state of the worst factor of a scenario and says in a clause why it is not
 * CALIBRATION_USED: "device.rtc is another part than the one calibrated". `why` may be NULL. */
#define CALIBRATION_WHY_MAX 160
enum calibration_state calibration_state(const struct scenario *scenario,
                                         char why[CALIBRATION_WHY_MAX]);

/* Sets the factors of the causes, 1 for those that are not calibrated; returns false if the
 * scenario has no factor that is used. */
bool calibration_factors(const struct scenario *scenario, struct cause_factors *factors);

/* Multiplies the factors of the devices of a group: `first` is the first device of its model. */
void calibration_multiply(const struct scenario *scenario, enum cause cause, int first,
                          double factor, struct cause_factors *factors);

/* Gets the factor of a group and its number among those of the scenario; returns -1 if it has none
 * that is used. */
int calibration_of_group(const struct scenario *scenario, enum cause cause, int first,
                         struct calibration_factor *factor);

/* Returns true if a factor of the scenario is used. */
bool calibration_is_used(const struct scenario *scenario, const struct calibration_factor *factor);

/* Returns the spread of the measured latency of the design, as a logarithm; 0 if it was not
 * measured or the calibration is stale, so that it was that of another design. */
double calibration_latency_spread(const struct scenario *scenario);

struct calibration_device calibration_device_of(const struct device *device);

/* Empties the section. */
void calibration_remove(struct scenario *scenario);

/* Writes the list of the devices of the factors, with their checksums. */
void calibration_devices_text(const struct scenario *scenario, char text[CALIBRATION_MAX + 1]);

#endif
