/* Parts of the model again, slow and obviously right: what the fast ones are held against. */
#ifndef AOLAG_REFERENCE_MODEL_H
#define AOLAG_REFERENCE_MODEL_H

#include "model/readout.h"
#include "model/timeline.h"

/* The packet of every pixel, [y * width + x]; free() it. */
long *reference_packets(const struct agenda_key *key);

/* The packet of the last pixel of element (gx, gy) of the grid; whether it is valid, the
 * obscuration being `thousandths` / 1000, exactly. */
long reference_completed(const struct agenda_key *key, const long *packet, long gx, long gy);
bool reference_valid(const struct agenda_key *key, long gx, long gy, long thousandths);

/* Pixels and completed subapertures of every packet, pixel by pixel. The obscuration is
 * `thousandths` / 1000, exactly; `key->obscuration` is not looked at. Returns the number of valid
 * subapertures. */
double reference_agenda(const struct agenda_key *key, long thousandths, double *pixels,
                        double *elements);

/* Seconds a slot holds its resource, from the formulas. */
double reference_duration(const struct track *track, int slot);

/* Whether all work of a frame is in its slots: none in packets that come too late to matter, which
 * count in a component's time, but are in no timeline. */
bool reference_all_in_time(const struct track *track);

#endif
