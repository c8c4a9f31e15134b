/* Compute and memory time combined.
 *
 * t = max(tc, tm) + (1 - overlap) min(tc, tm): overlap 1 is the roofline (Williams, Waterman,
 * Patterson, CACM 52(4), 2009), 0 the plain sum of both. */
#ifndef AOLAG_ROOFLINE_H
#define AOLAG_ROOFLINE_H

/* Seconds. `overlap` 0 to 1. */
static inline double roofline_time(double compute, double memory, double overlap)
{
    double longer = compute > memory ? compute : memory;
    double shorter = compute > memory ? memory : compute;

    return longer + (1 - overlap) * shorter;
}

#endif
