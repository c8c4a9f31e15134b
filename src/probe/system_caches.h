/* What the system says of the data caches of a core. */
#ifndef AOLAG_SYSTEM_CACHES_H
#define AOLAG_SYSTEM_CACHES_H

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

#endif
