/* Chart of a sensor's pupil by the packet that completes each subaperture; table of the packets. */
#ifndef AOLAG_CHARTS_DETECTOR_H
#define AOLAG_CHARTS_DETECTOR_H

#include <stdio.h>

#include "draw/chart.h"
#include "model/detector.h"

/* Initialises the chart: one cell per subaperture or pupil pixel with its packet number, from 1. */
void chart_detector(struct chart *chart, const struct detector_map *map);

/* Prints the content and time of each packet as a table. Write errors stay in the stream. */
void detector_table(const struct detector_map *map, FILE *out, int columns);

/* Returns the elements that slopes are computed from: "subapertures" or "pupil pixels". */
const char *detector_elements(const struct detector_map *map);

/* Returns the order in which pixels are read: "raster", or "readout map". */
const char *detector_order(const struct detector_map *map);

#endif
