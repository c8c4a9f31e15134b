/* The sections of a scenario file and what each is in the scenario. For scenario_ini.c. */
#ifndef AOLAG_SCENARIO_PLACES_H
#define AOLAG_SCENARIO_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "ini_scan.h"
#include "ini_values.h"
#include "scenario_ini.h"

#define NAME_SHOWN 64 /* bytes of a name or value in a message */

/* What a section of the file is in the scenario. */
struct place {
    const struct ini_section *in_file;
    enum section section;
    int index;
    bool kind_known;
};

/* A file that is being read into a scenario. */
struct reading {
    struct ini ini;
    struct ini_values *values;
    struct scenario *scenario;
    struct catalogue *catalogue;
    const char *from; /* the file, where there is one: traces are seen from its directory */
    const struct assignments *assignments; /* to come; NULL: none */
    struct problems *problems;
    struct place *places; /* of the sections that have one */
    size_t count;
    bool is_preset; /* one [device] without a name */
};

/* Makes an instance in the scenario of every section of the file, in order, and adds it to the
 * places, which have room for all; a problem for each that is none or cannot be. */
void places_make(struct reading *reading);

#endif
