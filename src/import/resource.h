/* Compute resources of a pipeline: by the name of a factory of daolite's hardware library, which
 * stands for a preset of this program with the vendor's figures, or by values. */
#ifndef AOLAG_IMPORT_RESOURCE_H
#define AOLAG_IMPORT_RESOURCE_H

#include <stdbool.h>

#include "base/problems.h"
#include "design/scenario.h"
#include "import/entry.h"

/* What daolite computes with: FLOP/s, bit/s of memory and network, us. */
struct resource_rates {
    double flops, bits, network, driver;
};

/* Values that are not stated are 0. */
struct resource {
    char name[NAME_MAX_LENGTH + 1]; /* of its device in the scenario */
    char origin[ENTRY_ORIGIN_MAX];  /* `containers[0] "Computer"` */
    int line;
    bool gpu;
    bool from_file;     /* the values are of another file: their lines are not of this one */
    bool box;           /* a container: not the same as another one with equal values */
    int host;           /* number of the resource whose box holds a GPU; -1: none */
    const char *preset; /* NULL: by values */
    const char *named;  /* in the file, for a preset */
    struct stated cores, frequency, flops_per_cycle; /* Hz, FLOP per core */
    struct stated channels, width, rate;             /* bit, transfers/s */
    struct stated flops, bandwidth;                  /* FLOP/s, B/s */
    struct stated network, driver;                   /* bit/s, s */
};

/* Reads the values of a map into `resource`, whose origin and line are set. Keys that are not
 * carried over are noted in `lost`. */
void resource_read_values(struct resource *resource, const struct file_entry *entry,
                          struct problems *lost);

/* Finds the factory or product that a text names ("nvidia_h100_80gb", "NVIDIA H100 80GB"). Returns
 * false if there is none. */
bool resource_find(struct resource *resource, const char *name);

/* The same for the rates that daolite's factory of this name has. */
bool resource_find_rates(const char *name, struct resource_rates *rates);

/* Adds the problem of an unknown factory, with the nearest name. */
void resource_unknown(const struct file_entry *entry, int line, const char *name);

/* Returns true if two resources are the same machine. */
bool resource_same(const struct resource *a, const struct resource *b);

/* The peaks by the values of the file, FLOP/s and B/s; 0 without values. */
double resource_flops(const struct resource *resource);
double resource_bandwidth(const struct resource *resource);

#endif
