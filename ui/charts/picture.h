/* A chart written to a file. */
#ifndef AOLAG_CHARTS_PICTURE_H
#define AOLAG_CHARTS_PICTURE_H

#include "base/status.h"
#include "draw/chart.h"

/* States the origin of the numbers in a picture that leaves the program: puts "aolag VERSION ·
 * TITLE" before the note. */
void chart_source(struct chart *chart, const char *title);

/* As file_replace: whole or not at all; `fresh`: STATUS_CONFLICT where it exists. The error does
 * not name the file. */
enum status picture_write(const struct chart *chart, const char *path, bool fresh,
                          struct error *error);

#endif
