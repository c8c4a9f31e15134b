/* A chart written to a file. */
#ifndef AOLAG_CHARTS_PICTURE_H
#define AOLAG_CHARTS_PICTURE_H

#include "base/status.h"
#include "draw/chart.h"

/* Heads an exported chart with the title of the design and its latency, "60.1 us (48.9 to 104)",
 * and puts "aolag VERSION" before the note. Without a title the heading stays; `latency` empty:
 * none. */
void chart_source(struct chart *chart, const char *title, const char *latency);

/* Writes the chart as an SVG file, whole or not at all, as file_replace does. `fresh`: returns
 * STATUS_CONFLICT if the file exists. The error does not name the file. */
enum status picture_write(const struct chart *chart, const char *path, bool fresh,
                          struct error *error);

#endif
