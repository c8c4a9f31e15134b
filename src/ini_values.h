/* Values of a scanned file, read by iniparser.
 *
 * iniparser loads from a path only: the accepted lines go to it through a memory file
 * (memfd_create and /proc/self/fd, so Linux). Its typed getters crash on a section's name
 * (CVE-2023-33461) and follow the locale; only iniparser_getstring is called here, and only with
 * section and key. Its messages are silenced. */
#ifndef AOLAG_INI_VALUES_H
#define AOLAG_INI_VALUES_H

#include "ini_scan.h"
#include "status.h"

struct ini_values;

/* Loads the sections and keys that were not refused and whose names are lower case (iniparser
 * lowers names, which could make two keys one; no other name is ever asked for). */
enum status ini_values_open(const struct ini *ini, struct ini_values **values, struct error *error);
void ini_values_close(struct ini_values *values);

/* The value of a key that was not refused. NULL and an error when iniparser reads the line in
 * another way than ini_scan: that is a defect of ours and never passes in silence. */
const char *ini_value(const struct ini_values *values, const struct ini *ini,
                      const struct ini_section *section, const struct ini_key *key,
                      struct error *error);

#endif
