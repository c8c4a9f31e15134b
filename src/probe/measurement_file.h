/* What was measured last of each part, kept between runs: $XDG_STATE_HOME/aolag/machine.csv, by
 * default in ~/.local/state. A measurement is written by whoever took it and read by whoever shows
 * it. */
#ifndef AOLAG_MEASUREMENT_FILE_H
#define AOLAG_MEASUREMENT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "measurement.h"

/* Where the file is, or would be; false without a home. */
bool measurement_file_path(char *path, size_t size);

/* Empty and STATUS_OK where there is no file. The error names the file. */
enum status measurement_file_read(struct measurement *measurement, struct error *error);

/* Puts the parts of `measurement` in place of those of the file; the others stay, unless they are
 * of another CPU. A part not marked in `whole` (measuring it was interrupted) does not displace one
 * that is there. A damaged file is written anew, with STATUS_OK and a sentence in `error`, which is
 * empty otherwise; one that is no measurement is left alone, with STATUS_INVALID. */
enum status measurement_file_keep(const struct measurement *measurement,
                                  const bool whole[MEASUREMENT_PARTS], struct error *error);

#endif
