/* What the system says of the machine, in /proc and /sys. `root` is put before their names: "" is
 * the machine this runs on, a directory stands for another one. */
#ifndef AOLAG_SYSTEM_H
#define AOLAG_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
