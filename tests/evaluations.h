/* Counts evaluations. The test program is linked with --wrap for evaluate and evaluate_scaled, so
 * that every call from another object passes here. */
#ifndef AOLAG_EVALUATIONS_H
#define AOLAG_EVALUATIONS_H

/* How many this thread has done since it started. */
unsigned long evaluations(void);

#endif
