/* Report of an imported pipeline. */
#ifndef AOLAG_REPORT_IMPORT_H
#define AOLAG_REPORT_IMPORT_H

#include <stdbool.h>

#include "import/import.h"
#include "model/range.h"
#include "report/record.h"

struct imported {
    const struct import *import;
    const struct result *result;
    const struct latency_range *range;
    const char *source; /* name of the file */
    const char *output; /* of the scenario; NULL: not written */
    bool compatible;    /* with the times of daolite's components; data always has them */
};

/* The formats that are read. */
void import_list(struct record *record);

/* CSV: the components only. */
void import_report(struct record *record, const struct imported *imported);

#endif
