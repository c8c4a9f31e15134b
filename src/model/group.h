/* Groups of errors: the times of one cause on all devices of one model err together (range.h), and
 * are calibrated together (calibration.h). */
#ifndef AOLAG_MODEL_GROUP_H
#define AOLAG_MODEL_GROUP_H

#include <stdbool.h>

#include "design/scenario.h"
#include "model/cause.h"

/* Returns true if two devices, of one design or of two, err together: they have the same `pc` and
 * the same preset, whatever they are called; without one, the same product name; without either,
 * the same kind, and the same name or the same figures throughout. */
bool group_same_model(const struct device *a, const struct device *b);

/* Returns the first device of the same model. */
int group_first_device(const struct scenario *scenario, int device);

/* Returns true if a device belongs to the group of a cause and of the model of device `first`.
 * Software that nobody states may be behind all times of its host and of the boards of that. */
bool group_has_device(const struct scenario *scenario, enum cause cause, int first, int device);

/* Return true if neither the scenario nor a preset states a figure on a device, not even as
 * assumed; if it is fitted to the latency of a pipeline; if it is assumed, or fitted so. */
bool group_is_default(const struct scenario *scenario, int device, enum time_figure figure);
bool group_is_fitted(const struct scenario *scenario, int device, enum time_figure figure);
bool group_is_assumed(const struct scenario *scenario, int device, enum time_figure figure);

#endif
