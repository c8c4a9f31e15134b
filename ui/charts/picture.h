/* A chart written to a file. */
#ifndef AOLAG_CHARTS_PICTURE_H
#define AOLAG_CHARTS_PICTURE_H

#include "base/status.h"
#include "draw/chart.h"

/* Puts "aolag VERSION · TITLE" before the note, so that an exported chart states the origin of its
 * numbers. */
void chart_source(struct chart *chart, const char *title);

/* Writes the chart as an SVG file, whole or not at all, as file_replace does. `fresh`: returns
 * STATUS_CONFLICT if the file exists. The error does not name the file. */
enum status picture_write(const struct chart *chart, const char *path, bool fresh,
                          struct error *error);

#endif
