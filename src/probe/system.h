/* Information from Linux about the machine (/proc and /sys), and thread affinity. */
#ifndef AOLAG_PROBE_SYSTEM_H
#define AOLAG_PROBE_SYSTEM_H

#include <stdbool.h>

#include "probe/measurement.h"

/* Cores ---------------------------------------------------------------------------------------- */

/* The set of available cores is that of the first call of any of these functions, because pinning a
 * thread restricts what the system reports afterwards. */

#define SYSTEM_CORES_MAX 1024

/* Lists the cores available to the process, one hardware thread per core, in reverse order (the
 * first serves interrupts). `threads`, unless NULL, becomes the number of available hardware
 * threads. Returns the number of cores, 1 or more. */
int system_cores(int cores[SYSTEM_CORES_MAX], int *threads);

/* Pins the calling thread to a hardware thread; returns false on failure. */
bool system_pin_thread(int core);

/* Data caches of a core ------------------------------------------------------------------------ */

#define SYSTEM_CACHES_MAX 4

struct system_caches {
    int levels;                         /* up to the last known level; 0: none is known */
    double capacity[SYSTEM_CACHES_MAX]; /* B, from the first level; 0: unknown */
    int threads[SYSTEM_CACHES_MAX];     /* hardware threads that share it; 1 if unknown */
    int unread; /* errno of a lack of files or memory, for which one may be missing; 0: none */
};

/* Reads /sys/devices/system/cpu/cpuCORE/cache. Some virtual machines, containers and firmware do
 * not provide it; levels is 0 then. */
void system_caches(int core, struct system_caches *caches);

/* Reads another directory with index0, index1, ... */
void system_caches_in(const char *directory, struct system_caches *caches);

/* Conditions of a measurement ------------------------------------------------------------------ */

/* Fills the conditions available from system files: CPU, governor, turbo, huge pages, virtual and
 * caches, as seen by hardware thread `thread`; "unknown" if missing. `root` is a prefix of the file
 * names: "" for this machine, or a directory with copies of another's files. */
void system_conditions(const char *root, int thread, char condition[CONDITIONS][CONDITION_MAX]);

#endif
