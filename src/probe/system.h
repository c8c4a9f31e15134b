/* What the system says of the machine: its cores and caches from hwloc, what hwloc does not know
 * from /proc and /sys; and the thread affinity. */
#ifndef AOLAG_PROBE_SYSTEM_H
#define AOLAG_PROBE_SYSTEM_H

#include <stdbool.h>

#include "probe/measurement.h"

/* Cores and caches ----------------------------------------------------------------------------- */

#define SYSTEM_CORES_MAX 1024
#define SYSTEM_CACHES_MAX 4
#define SYSTEM_KINDS_MAX 8
#define SYSTEM_NAME_MAX 32

/* Data caches of a core. Some virtual machines, containers and firmware do not report them. */
struct system_caches {
    int levels;                         /* up to the last known level; 0: none is known */
    double capacity[SYSTEM_CACHES_MAX]; /* B, from the first level; 0: unknown */
    int cores[SYSTEM_CACHES_MAX]; /* of the machine that share it, also those not available; 1 if
                                     unknown */
};

/* Cores that are alike: of one part or type, else as fast for hwloc, and with caches of the same
 * capacity. */
struct system_kind {
    char name[SYSTEM_NAME_MAX];  /* "P", "E", "part 0xd85" (ARM), else "kind 2" */
    int cores;                   /* available */
    int speed;                   /* hwloc's rank; -1: unknown, or of one part or type */
    struct system_caches caches; /* of the first of them */
};

struct system {
    int threads;                /* hardware threads available to the process */
    int cores;                  /* 1 or more */
    int core[SYSTEM_CORES_MAX]; /* a hardware thread of each, in reverse order (the first serves
                                   interrupts) */
    int nodes;                  /* NUMA nodes of these cores; 0: unknown */
    int node;                   /* that of core[0] */
    int kinds;                  /* 1 or more; the first is that of core[0] */
    struct system_kind kind[SYSTEM_KINDS_MAX];
    bool unread; /* the system lists the cores, but that could not be read */
};

/* Reads them. `root` is a prefix of the file names: "" for this machine, or a directory with copies
 * of another's files, all of whose cores are available. Sets environment variables during the call.
 */
void system_read(const char *root, struct system *system);

/* Those of this machine, as available at the first call of this function or of system_pin_thread,
 * because pinning a thread restricts what the system reports afterwards. No other thread may read
 * the environment during the first. */
const struct system *system_here(void);

/* Pins the calling thread to a hardware thread; returns false on failure. */
bool system_pin_thread(int core);

/* Gives the calling thread the lowest real-time priority, before all threads without one, or takes
 * it back. Returns 0 or the error of pthread_setschedparam. */
int system_set_realtime(bool on);

/* Returns the number behind `label` at the beginning of a line of a file of the system, "cpu MHz :
 * 2200"; `otherwise` if there is none. */
double system_number(const char *path, const char *label, double otherwise);

/* Conditions of a measurement ------------------------------------------------------------------ */

/* The condition "cpu" of a measurement of this machine, without a look at its cores. */
void system_cpu(char text[CONDITION_MAX]);

/* Fills the conditions known from `system` and system files of the same root: CPU, cores, pinned
 * (as it should be), governor, turbo, huge pages, virtual, caches, isolation and sleep
 * states, for the core core[0]; "unknown" if missing. */
void system_conditions(const char *root, const struct system *system,
                       char condition[CONDITIONS][CONDITION_MAX]);

#endif
