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
bool reference_valid(long across, long gx, long gy, long thousandths);

/* Pixels and completed subapertures of every packet, pixel by pixel. The obscuration is
 * `thousandths` / 1000, exactly; `key->obscuration` is not looked at. Returns the number of valid
 * subapertures. */
double reference_agenda(const struct agenda_key *key, long thousandths, double *pixels,
                        double *elements);

/* Seconds a slot holds its resource, from the formulas. */
double reference_duration(const struct track *track, int slot, int packets);

/* Ends of all slots by letting time pass from event to event: end[node][slot]. Slots of a transfer
 * stand in line at each of their queues in the order they asked; of those that ask at once the
 * lower node stands first. Ends of the tracks that are `given` (NULL: none) are in `end` already:
 * so that those who ask at once do so by the same rounding. */
void reference_timeline(const struct track *tracks, int count, int packets, const bool *given,
                        double **end);

/* Which tracks share a queue or wait for one that does. */
void reference_contended(const struct track *tracks, int count, bool *contended);

#endif
