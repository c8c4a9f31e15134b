/* The time a parallel program takes on a shared-memory machine (Wang 1995, parallel program
 * model): for code that is not an algorithm of formulas.def.
 *
 * A program is phases between barriers. In each phase f a thread t executes N[c] instructions of
 * class c and issues H[k] remote references whose data is first used k instructions later:
 *
 *     cost(k)  = max(1, l - k')        k' = k * mean CPI of that thread and phase, or k itself
 *     C[f][t]  = sum N[c] CPI[c] + sum H[k] cost(k)
 *     phase    = max over threads of C;   time = sum of phases / clock
 *     balance  = mean C / max C
 *
 * with l the remote latency, all in cycles. A thread without instructions of its own in a phase has
 * a mean CPI of 1; a thread that does nothing in a phase waits at the barrier and counts as 0 in
 * the mean. Contention, which the original leaves out, bounds a phase from below: its bytes
 * (a line of 64 B for each reference, and what it streams) at the bandwidth of the memory,
 * and the cycles spent under locks, of all threads together as if there were one lock.
 *
 * Check (l = 100, k' = k): {10: 1000, 50: 500, 200: 2000} is 117 000 cycles. */
#ifndef AOLAG_MODEL_PROGRAM_H
#define AOLAG_MODEL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "design/scenario.h"
#include "design/trace.h"

#define PROGRAM_LINE 64         /* B a remote reference moves */
#define PROGRAM_CURVE_POINTS 17 /* of program_latency_at */
#define PROGRAM_CURVE_OWN 8     /* the point that is the machine's own latency */

/* Where it runs. */
struct program_machine {
    double clock;                  /* Hz */
    double cpi[INSTRUCTION_COUNT]; /* cycles per instruction */
    double latency;                /* l, cycles */
    double bandwidth;              /* B/s of memory, sustained, all threads together */
    enum distance distance;        /* what k is counted in */
};

/* The largest of the three lower bounds of a phase. */
enum program_limit { LIMIT_THREADS, LIMIT_BANDWIDTH, LIMIT_LOCKS };

/* "threads", "bandwidth", "locks". */
const char *program_limit_name(enum program_limit limit);

struct program_time {
    double time;        /* s; the largest of the next three */
    double threads;     /* s of the slowest thread */
    double bandwidth;   /* s to move the bytes */
    double locks;       /* s under locks */
    double bytes;       /* from and to memory */
    double balance;     /* mean over max of the threads' cycles, above 0 to 1; 1 without work */
    double stall_share; /* remote cycles of all cycles of the threads, 0 to 1; 0 without work */
    enum program_limit limit;
};

/* Cycles a remote reference costs; `distance` in cycles. At least 1. */
double program_reference_cost(double latency, double distance);

/* One phase, by number; the whole program: sums of times and bytes, balance and stall share of all
 * cycles, the limit that most of the time is due to. */
struct program_time program_phase_time(const struct program *program, int phase,
                                       const struct program_machine *machine);
struct program_time program_total_time(const struct program *program,
                                       const struct program_machine *machine);

/* All of the machine a component of type program runs on, a CPU; `cores` is how many it has there,
 * stated or left. Bandwidth is that of its memory (device_memory) times sustained_memory. */
struct program_machine program_machine(const struct scenario *scenario, int component,
                                       double cores);

/* Leaves a program a share, above 0, of its machine: of clock and bandwidth, and of bandwidth only
 * where the cores are its own (it states its workers). */
void program_machine_share(struct program_machine *machine, double share, bool own_cores);

/* The latencies of the curve time(l), cycles: PROGRAM_CURVE_POINTS of them, from 1 to the machine's
 * own at PROGRAM_CURVE_OWN and on to ten times that, in both parts evenly spaced by logarithm.
 * Those between are whole cycles where their neighbours are a cycle away or more. The curve rises
 * strictly, but for a machine of 1 cycle: its first part is 1 throughout. */
double program_latency_at(const struct program_machine *machine, int point);

#endif
