/* The detector of a sensor during a readout: which packet delivers each pixel and completes each
 * subaperture (of a pyramid each pupil pixel, with all four images), and the totals of each packet.
 * The rules are those of readout.h, so the counts agree with the agenda of the components. */
#ifndef AOLAG_MODEL_DETECTOR_H
#define AOLAG_MODEL_DETECTOR_H

#include <stdint.h>

#include "base/status.h"
#include "design/scenario.h"
#include "model/readout.h"
#include "model/result.h"

#define DETECTOR_NOT_VALID (-1)

/* What a packet brings of one sensor. */
struct detector_packet {
    long long pixels;
    long completed; /* subapertures or pupil pixels */
    long long pixels_so_far;
    long completed_so_far; /* this packet's among them */
};

struct detector_map {
    char name[NAME_MAX_LENGTH + 1]; /* of the sensor */
    struct agenda_key key;
    struct readout_grid grid;
    double count;                   /* identical sensors; all numbers are of one */
    double stated;                  /* valid elements the design states instead; 0: none */
    double readout;                 /* s, of its camera; RESULT_NONE where it has none */
    double period;                  /* s, between frames of the design */
    long valid;                     /* elements of the geometry, whatever number is stated */
    int16_t *element;               /* [across x across], row by row; DETECTOR_NOT_VALID: none */
    struct detector_packet *packet; /* [packets] */
};

/* What depends on the geometry alone, made anew only where that changed; agenda_update accepts the
 * key. `map` is zeroed or was made before. STATUS_MEMORY: `map` is empty then. */
enum status detector_map_geometry(struct detector_map *map, const struct agenda_key *key,
                                  struct error *error);

/* Of sensor `wfs` of a design as evaluate has just accepted it; otherwise the same. */
enum status detector_map_make(struct detector_map *map, const struct scenario *scenario,
                              const struct result *result, int wfs, struct error *error);
void detector_map_free(struct detector_map *map);

/* The packet of pixel (x, y), y from above; 0 to packets - 1. */
int detector_map_pixel(const struct detector_map *map, long x, long y);

/* The packets of a row's first and last pixels; no packet outside these has any of it. */
void detector_map_row(const struct detector_map *map, long y, int *first, int *last);

/* The packet that completes element (gx, gy), or DETECTOR_NOT_VALID. */
static inline int detector_map_element(const struct detector_map *map, long gx, long gy)
{
    return map->element[gy * map->key.across + gx];
}

/* The element pixel (x, y) belongs to, valid or not: of a pyramid that of the image it is in.
 * false: it is outside the grid. */
bool detector_map_at(const struct detector_map *map, long x, long y, long *gx, long *gy);

/* When a packet has come, s from the start of readout; RESULT_NONE where no camera reads. */
double detector_map_time(const struct detector_map *map, int packet);

#endif
