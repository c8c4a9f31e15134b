/* The duration of a parallel program on a shared-memory machine (Wang 1995, parallel program
 * model): for code that is not an algorithm of formulas.def.
 *
 * A program consists of phases separated by barriers. In each phase f a thread t executes N[c]
 * instructions of class c and issues H[k] remote references, first used k instructions later:
 *
 *     cost(k)  = max(1, l - k')        k' = k * mean CPI of that thread and phase, or k itself
 *     C[f][t]  = sum N[c] CPI[c] + sum H[k] cost(k)
 *     phase    = max over threads of C;   time = sum of phases / clock
 *     balance  = mean C / max C
 *
 * with the remote latency l, all in cycles; a core that begins several instructions in a cycle
 * divides the first sum by their number. A thread without instructions in a phase has a mean CPI
 * of 1; a thread without any work in a phase waits at the barrier and counts as 0 in the mean.
 * That is a core that executes one instruction after the other. An out-of-order core executes
 * instructions that do not wait for each other at the same time. If a thread's trace has the
 * longest chain of those that do, with S[s] steps of each kind (remote references among them), and
 * V of its instructions are executed by vector pipes, the largest of the three counts, not the sum:
 *
 *     C[f][t]  = max(sum N[c] CPI[c] / issue, V / pipes, sum S[s] latency[s])
 *
 * Which references a prefetch covers is not known: the time of a phase counts none as covered, and
 * is an upper bound where there are any. With `prefetched` each prefetch covers one: of a chain, a
 * remote step takes as long as one from the first cache; of a sum, the references cost nothing.
 * That is a lower bound. Bytes count either way.
 *
 * Contention, which the original omits, gives lower bounds of a phase: its bytes (a line of 64 B
 * per reference and streamed bytes) divided by the memory bandwidth, plus bytes that are used again
 * divided by that of the smallest cache whose capacity exceeds what is accessed between, without
 * the first cache; and the cycles under locks of all threads together, as if there were one lock.
 *
 * Check (l = 100, k' = k): {10: 1000, 50: 500, 200: 2000} is 117 000 cycles. */
#ifndef AOLAG_MODEL_PROGRAM_H
#define AOLAG_MODEL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "design/scenario.h"
#include "design/trace.h"
#include "model/memory.h"

#define PROGRAM_LINE 64         /* B moved by a remote reference */
#define PROGRAM_CURVE_POINTS 17 /* points of program_latency_at */
#define PROGRAM_CURVE_OWN 8     /* point with the machine's own latency */

/* The machine it runs on. */
struct program_machine {
    double clock;                  /* Hz */
    double cpi[INSTRUCTION_COUNT]; /* cycles per instruction */
    double issue;                  /* instructions begun per cycle; 0: not stated */
    double pipes;                  /* vector instructions executed per cycle; 0: any number */
    double step[STEP_REMOTE];      /* cycles of a step of a chain, but `latency` of the last */
    double latency;                /* l, cycles */
    double bandwidth;              /* B/s, sustained memory bandwidth of all threads together */
    struct memory caches;          /* of all threads together */
    enum distance distance;        /* unit of k */
    bool prefetched;               /* each prefetch covers a remote reference */
};

/* The largest of the lower bounds of a phase; the slowest thread's instructions or its chain. */
enum program_limit { LIMIT_THREADS, LIMIT_CHAIN, LIMIT_BANDWIDTH, LIMIT_LOCKS };

/* Returns "threads", "chain", "bandwidth" or "locks". */
const char *program_limit_name(enum program_limit limit);

struct program_time {
    double time;        /* s; the largest of the next three */
    double threads;     /* s, slowest thread */
    double bandwidth;   /* s, traffic of memory and of caches but the first */
    double locks;       /* s, under locks */
    double bytes;       /* moved from and to memory */
    double balance;     /* mean / maximum of the threads' cycles, above 0 to 1; 1 without work */
    double stall_share; /* fraction of remote cycles in all threads' cycles; with a chain, of those
                           that it takes beyond what it would without; 0 without work */
    enum program_limit limit;
};

/* Returns true if chains of all threads with instructions are known. */
bool program_has_chains(const struct program *program);

/* Returns the cycles of a remote reference, at least 1; `distance` in cycles. */
double program_reference_cost(double latency, double distance);

/* Returns the number of prefetches in a phase. */
double program_prefetches(const struct program *program, int phase);

/* Return the time of one phase, by number, and of the whole program: sums of times and bytes,
 * balance and stall share of all cycles, the limit that accounts for most of the time. */
struct program_time program_phase_time(const struct program *program, int phase,
                                       const struct program_machine *machine);
struct program_time program_total_time(const struct program *program,
                                       const struct program_machine *machine);

/* Returns program_total_time on fewer cores than the program has threads, from 1: between two
 * barriers a core runs the threads whose ranks are the same modulo `cores` one after another; the
 * balance is that of the cores. */
struct program_time program_time_on(const struct program *program,
                                    const struct program_machine *machine, int cores);

#define PROGRAM_BINS 51

/* References whose distance is at least `from` and below `to`, in the trace's unit. */
struct program_bin {
    double from, to;
    double count;
    double cost; /* cycles of them all */
};

/* Sorts the references of all threads and phases by distance: below 1, and from each power of 2 to
 * the next. Returns the number of bins up to the last that has any, 0 without references. */
int program_distances(const struct program *program, const struct program_machine *machine,
                      struct program_bin bin[PROGRAM_BINS]);

/* Returns a CPU with `cores` of its cores, one for each thread that runs. Bandwidth is what they
 * draw from its memory (device_memory) times sustained_memory. */
struct program_machine program_machine(const struct device *device, enum distance distance,
                                       double cores);

/* Reduces the machine to a share, above 0: of clock and bandwidth, or of bandwidth only if the
 * program has its own cores (it states its workers). */
void program_machine_share(struct program_machine *machine, double share, bool own_cores);

/* Returns the latencies, cycles, of the curve time(l): PROGRAM_CURVE_POINTS points from 1 to the
 * machine's own latency at PROGRAM_CURVE_OWN and on to ten times that, both parts spaced
 * logarithmically. Intermediate points are whole cycles if at least a cycle apart. Values increase
 * strictly, except that the first part is all 1 for a machine with a latency of 1 cycle. */
double program_latency_at(const struct program_machine *machine, int point);

#endif
