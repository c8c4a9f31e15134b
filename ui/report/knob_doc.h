/* Rows of the knob table as text, for `aolag params` and the manual, independent of the instances
 * of a section. */
#ifndef AOLAG_REPORT_KNOB_DOC_H
#define AOLAG_REPORT_KNOB_DOC_H

#include <stdbool.h>
#include <stddef.h>

#include "design/knob.h"

/* "device.*.cores", "ao.actuators". */
void knob_doc_path(const struct knob *knob, char *text, size_t size);

/* The kinds or types of its section that have the knob, separated by ", "; empty if all do. */
void knob_doc_kinds(const struct knob *knob, char *text, size_t size);

/* Kind number `kind` of a section as written in the file; NULL after the last. */
const char *knob_doc_kind(enum section section, int kind);

/* "number", "choice", "components"... */
const char *knob_doc_type(const struct knob *knob);

/* Choice number `choice` of a choice knob or (of all types) algorithm knob; NULL after the last. */
const char *knob_doc_choice(const struct knob *knob, int choice);

/* "1 to 1024", "0 us to 1000 us", "pcie, nvlink, unified", "the name of a device". */
void knob_doc_allowed(const struct knob *knob, char *text, size_t size);

/* "16", "2.6 GHz", "zonal", "auto"; empty if there is no default. */
void knob_doc_default(const struct knob *knob, char *text, size_t size);

#endif
