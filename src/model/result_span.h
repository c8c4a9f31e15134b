/* A latency between two points: "FROM..TO", each COMPONENT[:PACKET][:start|:end] of a component, a
 * part of one on a device or a transfer. PACKET is first (with work), last (that matters), which it
 * is if it is omitted, or a number from 1 of the packets of the component (schedule_packets); a
 * point is the end of its packet unless it is the start. Of a camera these are its readout and the
 * arrival in the program, of a transfer the arrival. */
#ifndef AOLAG_MODEL_RESULT_SPAN_H
#define AOLAG_MODEL_RESULT_SPAN_H

#include "model/result.h"

#define RESULT_SPAN_MAX (2 * (NODE_NAME_MAX + 24))

struct result_point {
    int node;
    int packet; /* from 0; POINT_FIRST or POINT_LAST */
    bool start;
};

enum { POINT_FIRST = -2, POINT_LAST };

struct result_span {
    struct result_point from, to;
};

/* Reads a text of both points, or returns STATUS_INVALID and says what is allowed. */
enum status result_span_find(const struct result *result, const char *text,
                             struct result_span *span, struct error *error);

/* Returns the latency, s; below 0 if the second point is earlier, RESULT_NONE if a packet does not
 * exist. Before the next evaluate of the result. */
double result_span_read(const struct result *result, const struct result_span *span);

/* Says which packet of a latency between two points does not exist, "camera has 10 packets, no 12";
 * returns false, and an empty text, if both do. */
bool result_span_missing(const struct result *result, const struct result_span *span, char *text,
                         size_t size);

#endif
