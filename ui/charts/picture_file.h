/* A chart written to a file. */
#ifndef AOLAG_PICTURE_FILE_H
#define AOLAG_PICTURE_FILE_H

#include "draw/chart.h"
#include "status.h"

/* As file_replace: whole or not at all; `fresh`: STATUS_CONFLICT where it exists. The error does
 * not name the file. */
enum status picture_write(const struct chart *chart, const char *path, bool fresh,
                          struct error *error);

#endif
