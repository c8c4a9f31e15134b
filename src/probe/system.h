/* What the system says of the machine, in /proc and /sys. `root` is put before their names: "" is
 * the machine this runs on, a directory stands for another one. */
#ifndef AOLAG_PROBE_SYSTEM_H
#define AOLAG_PROBE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/measurement.h"

/* A file's first line, without its end and cut to fit; false, and "", where there is none. */
bool system_line(const char *root, const char *path, char *line, size_t size);

/* The value of the first line "NAME : VALUE" of /proc/cpuinfo; as system_line. */
bool system_cpuinfo(const char *root, const char *name, char *value, size_t size);

#define SYSTEM_CORES_MAX 1024

/* Pinning narrows what a thread may use, so it is looked up once: before the first. */
void system_remember_cores(void);

/* The cores the process may use, as remembered: one hardware thread of each,
 * the last first (the first serves interrupts). Where `threads` is not NULL it becomes the number
 * of hardware threads the process may use. Returns how many, 1 or more. */
int system_cores(int cores[SYSTEM_CORES_MAX], int *threads);

/* What the system says of the data caches of a core. */

#define SYSTEM_CACHES_MAX 4

struct system_caches {
    int levels; /* up to the last that is said; 0: the system says nothing */
    double capacity[SYSTEM_CACHES_MAX]; /* B, the first level first; 0: not said */
    int threads[SYSTEM_CACHES_MAX]; /* hardware threads that share it, this one among them; 1 where
                                       not said */
};

/* Reads /sys/devices/system/cpu/cpuCORE/cache. Virtual machines, containers and firmware that does
 * not describe its caches leave it out: levels is 0 then. */
void system_caches(int core, struct system_caches *caches);

/* The same of another directory that holds index0, index1, … */
void system_caches_in(const char *directory, struct system_caches *caches);

/* The conditions of a measurement, of the machine whose /proc and /sys are below a directory. */

/* Fills those that the system's files tell: CPU, governor, turbo, huge pages, virtual and caches,
 * as hardware thread `thread` sees them; "unknown" where they do not. `root` as in system.h. */
void conditions_read(const char *root, int thread, char condition[CONDITIONS][CONDITION_MAX]);

#endif
