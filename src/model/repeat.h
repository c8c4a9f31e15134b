/* Runs of a timeline that differ only in the scales of its tracks: the frames of a distribution
 * (jitter.h). Such runs nearly always serve the slots in the same order. A run in that order takes
 * a few maxima and sums per slot; then it is checked that every device, queue and thread would have
 * chosen that order (contention.h), and the run is simulated if not, or if two requests of the same
 * time leave it open. So the times are those of contention_run, to the bit. */
#ifndef AOLAG_MODEL_REPEAT_H
#define AOLAG_MODEL_REPEAT_H

#include "model/contention.h"

/* A step of the recorded run. */
struct repeat_step {
    double duration;       /* s, without scale */
    double delay, enqueue; /* s, before it asks for its device or queues */
    double rank;           /* the lowest goes first of those that ask at the same time */
    double asked;          /* s, when it asked for its device, queue or thread */
    double idle;           /* s, when that was free */
    double from;           /* s, start of its frame */
    const double *awaited; /* end of the only slot that it waits for, or NULL */
    int number, slot, frame;
    int scale; /* number of its scale among those of its track, -1: none */
    uint16_t node;
    bool works, enqueues;
    bool exclusive;       /* on a device that it has to wait for */
    bool queued;          /* on a link that it has to wait for */
    bool waits_for_visit; /* the thread that it shares sets its begin */
    bool own_thread;      /* enqueued by its own thread */
};

struct repeat {
    struct repeat_step *step; /* [room] */
    int room, count;          /* count 0: none are recorded */
    int missed;               /* runs in a row that were in another order */
    int simulate;             /* runs to be simulated before the next is recorded */
    int first_user[UNIT_MAX], next_user[NODE_MAX]; /* tracks of each exclusive device, -1: none */
    double asked[NODE_MAX], rank[NODE_MAX];        /* of each track's next slot */
    double last_asked[QUEUE_MAX + UNIT_MAX];       /* of queues, then threads */
    double last_rank[QUEUE_MAX + UNIT_MAX];
};

/* Gets memory for the runs of a timeline that was run; false: there is none. */
bool repeat_init(struct repeat *repeat, const struct timeline *timeline);
void repeat_free(struct repeat *repeat);

/* Runs it once more. Only the ends of tracks' last slots are set; contention_run gives all results.
 */
void repeat_run(struct repeat *repeat, struct timeline *timeline);

#endif
