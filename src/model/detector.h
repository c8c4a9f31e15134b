/* The detector of a sensor during a readout: which packet delivers each pixel and completes each
 * subaperture (for a pyramid, each pupil pixel with all four images), and totals per packet. The
 * rules are those of readout.h, so the counts agree with the agenda of the components. */
#ifndef AOLAG_MODEL_DETECTOR_H
#define AOLAG_MODEL_DETECTOR_H

#include <stdint.h>

#include "base/status.h"
#include "design/scenario.h"
#include "model/readout.h"
#include "model/result.h"

#define DETECTOR_NOT_VALID (-1)

/* Contents of a packet of one sensor. */
struct detector_packet {
    long long pixels;
    long completed; /* subapertures or pupil pixels */
    long long pixels_so_far;
    long completed_so_far; /* including this packet */
};

struct detector_map {
    char name[NAME_MAX_LENGTH + 1]; /* name of the sensor */
    struct agenda_key key;
    struct readout_grid grid;
    double count;                   /* identical sensors; all numbers are per sensor */
    double stated;                  /* valid elements if stated by the design; 0: not stated */
    double start;                   /* s from the start of a frame to that of its readout */
    double readout;                 /* s, of its camera; RESULT_NONE without camera */
    double period;                  /* s, frame period of the design */
    long valid;                     /* valid elements of the geometry, whatever number is stated */
    int16_t *element;               /* [across x across], row by row; DETECTOR_NOT_VALID: none */
    struct detector_packet *packet; /* [packets] */
};

/* Computes the part that depends on the geometry, if that changed; agenda_update must accept the
 * key. `map` is zeroed or was filled before. */
void detector_map_geometry(struct detector_map *map, const struct agenda_key *key);

/* Computes the map of sensor `wfs` of a design just accepted by evaluate; else as above. */
void detector_map_make(struct detector_map *map, const struct scenario *scenario,
                       const struct result *result, int wfs);
void detector_map_free(struct detector_map *map);

/* Returns the packet of pixel (x, y), y from the top; 0 to packets - 1. */
int detector_map_pixel(const struct detector_map *map, long x, long y);

/* Gets the first and last packet that contain pixels of a row. */
void detector_map_row(const struct detector_map *map, long y, int *first, int *last);

/* Returns the packet that completes element (gx, gy), or DETECTOR_NOT_VALID. */
static inline int detector_map_element(const struct detector_map *map, long gx, long gy)
{
    return map->element[gy * map->key.across + gx];
}

/* Finds the element of pixel (x, y), valid or not; for a pyramid within the pixel's image. Returns
 * false if the pixel is outside the grid. */
bool detector_map_at(const struct detector_map *map, long x, long y, long *gx, long *gy);

/* Returns the arrival time of a packet, s from the start of a frame; RESULT_NONE without camera. */
double detector_map_time(const struct detector_map *map, int packet);

#endif
