/* What Linux reports about the machine in /proc and /sys, and thread affinity. */
#ifndef AOLAG_PROBE_SYSTEM_H
#define AOLAG_PROBE_SYSTEM_H

#include <stdbool.h>

#include "probe/measurement.h"

/* Cores ------------------------------------------------------------------------------------------
 * A process may use the cores that it could when one of these functions was first called: pinning
 * a thread narrows what the system says afterwards. */

#define SYSTEM_CORES_MAX 1024

/* The cores the process may use, one hardware thread of each, the last first (the first serves
 * interrupts). Where `threads` is not NULL it becomes the number of hardware threads the process
 * may use. Returns how many cores, 1 or more. */
int system_cores(int cores[SYSTEM_CORES_MAX], int *threads);

/* Pins the calling thread to a hardware thread; false where the system refuses. */
bool system_pin_thread(int core);

/* Data caches of a core ------------------------------------------------------------------------ */

#define SYSTEM_CACHES_MAX 4

struct system_caches {
    int levels; /* up to the last that is known; 0: the system says nothing */
    double capacity[SYSTEM_CACHES_MAX]; /* B, the first level first; 0: unknown */
    int threads[SYSTEM_CACHES_MAX]; /* hardware threads that share it, this one included; 1 where
                                       unknown */
};

/* Reads /sys/devices/system/cpu/cpuCORE/cache. Virtual machines, containers and firmware that does
 * not describe its caches leave it out: levels is 0 then. */
void system_caches(int core, struct system_caches *caches);

/* The same of another directory that holds index0, index1, ... */
void system_caches_in(const char *directory, struct system_caches *caches);

/* Conditions of a measurement ------------------------------------------------------------------ */

/* Fills the conditions that the system's files state: CPU, governor, turbo, huge pages, virtual and
 * caches, as hardware thread `thread` sees them; "unknown" where they do not. `root` is put before
 * the names of the files: "" is the machine this runs on, a directory stands for another one. */
void system_conditions(const char *root, int thread, char condition[CONDITIONS][CONDITION_MAX]);

#endif
