/* Runs of a timeline that follow each other and differ in their numbers only: frames of a
 * distribution (jitter.h), evaluations of a design with another value of a knob or with the factors
 * of a range (range.h). Such runs nearly always serve the slots in the same order, or in that of the
 * run before it. A run in such an order takes a few maxima and sums per slot; then it is checked
 * that every device, queue and thread would have chosen that order (contention.h), and the run is
 * simulated if not, or if two requests of the same time leave it open. So the results are those of
 * contention_run, to the bit. */
#ifndef AOLAG_MODEL_REPEAT_H
#define AOLAG_MODEL_REPEAT_H

#include "model/contention.h"

/* Runs a timeline like contention_run. Its plan, and the memory of its tracks, must be those of the
 * last run of its simulation unless repeat_forget was called since. */
void repeat_run(struct timeline *timeline);
void repeat_forget(struct simulation simulation[2]);

#endif
