/* Patterns of a sensor that a file states: its agenda, its readout map, its mask.
 *
 * An agenda is CSV text (csv.h) with a column `fraction`: the part of the pixels in each packet, a
 * record per packet; their sum is 1. Or `pixels`: their number; both columns must agree. A readout
 * map is a line `packet` or `time`, then a line per row of the detector with a number for each
 * pixel, separated by commas: its packet, from 1, or the time of its readout, in any unit from the
 * first pixel on. A mask is a line per row of subapertures with 1 for each valid one and 0 for the
 * others, also as numpy.savetxt writes them, or a picture (netpbm): a PBM (P1 or P4), in which the
 * valid ones are black, or a PGM (P2 or P5), in which they are brighter than half of the largest
 * value. Lines of a map or mask that begin with # are comments. A byte-order mark is skipped. */
#ifndef AOLAG_DESIGN_PATTERN_H
#define AOLAG_DESIGN_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/problems.h"
#include "base/status.h"

#define PATTERN_BYTES_MAX (64 << 20)
#define PATTERN_SIDE_MAX 16384
#define PATTERN_PACKETS_MAX 4096

enum pattern_kind { PATTERN_AGENDA, PATTERN_MAP, PATTERN_MASK };

/* Immutable. */
struct pattern {
    enum pattern_kind kind;
    int packets;        /* of an agenda, or of a map of packets; 0: not stated */
    long width, height; /* of a map or mask */
    double *end;        /* [packets], of an agenda: part of the pixels up to each packet */
    double pixels;      /* of an agenda; 0: not stated */
    float *pixel;       /* [height][width], of a map: packet from 0, or part of the longest time */
    unsigned char *valid; /* [height][width], of a mask: 1 or 0 */
    bool inverted;        /* a mask whose corners are valid, but not the pupil between them */
    char *origin;         /* absolute path of the file; NULL: none */
};

/* Reads a file. STATUS_INVALID: every problem is added to `problems`, which is empty, with its
 * line. */
enum status pattern_parse(enum pattern_kind kind, const char *bytes, size_t length,
                          struct pattern **pattern, struct problems *problems);
void pattern_free(struct pattern *pattern);

#endif
