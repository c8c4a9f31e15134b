/* The pupil of a sensor, by the packet that completes each subaperture, and its agenda. */
#ifndef AOLAG_CHARTS_DETECTOR_H
#define AOLAG_CHARTS_DETECTOR_H

#include <stdio.h>

#include "draw/chart.h"
#include "model/detector.h"

/* A cell for each subaperture or pupil pixel with the number of its packet, from 1. */
void chart_detector(struct chart *chart, const struct detector_map *map);

/* The agenda as a table: what each packet brings, and when. Write errors stay in the stream. */
void detector_table(const struct detector_map *map, FILE *out, int columns);

/* "subapertures", "pupil pixels": what the sensor's slopes are made from. */
const char *detector_elements(const struct detector_map *map);

#endif
