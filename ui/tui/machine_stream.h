/* Points of a measurement as a running program prints them, taken over line by line: each line is
 * read once, however long the text has become. */
#ifndef AOLAG_TUI_MACHINE_STREAM_H
#define AOLAG_TUI_MACHINE_STREAM_H

#include <stdbool.h>

#include "base/buffer.h"
#include "probe/measurement.h"

/* Zero-initialised is before the first byte. */
struct machine_stream {
    struct buffer text; /* all that came, */
    size_t understood;  /* of which these bytes, whole lines, are taken over */
    size_t head,
        names; /* where the line that names the columns begins and ends; 0: not there yet */
    char condition[CONDITIONS][CONDITION_MAX]; /* of what comes; "" where not said */
    bool began[MEASUREMENT_PARTS];             /* points of the part have come */
    int points;                                /* that have come */
};

void machine_stream_free(struct machine_stream *stream);

/* Takes the points of all whole lines that are new. The first of a part displaces those of it that
 * are there, and the first of all displaces everything that is of another CPU. STATUS_INVALID says
 * what is no measurement; the lines that say it are passed over. */
enum status machine_stream_take(struct machine_stream *stream, struct measurement *measurement,
                                struct error *error);

#endif
