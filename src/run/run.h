/* The reference controller: runs a design on this machine and measures it.
 *
 * A process sends what the cameras read out at the times of the design, and receives the commands;
 * others run the components (job.h). Data pass as datagrams over the loopback, or in shared memory
 * with an ideal ingress or egress. The latency of a frame is that of the model: from the kernel's
 * receipt of the last useful piece until it hands the last datagram of the command to the link, by
 * its own stamps; what the loopback does for the other ends does not count.
 * The time of a component is that of its slots, from data that are there to the end of all its
 * threads.
 *
 * A frame is late if its command comes later than the design's target. One that lost data does not
 * count. At most two frames are under way: where the host does not keep up, the camera skips the
 * next. Nothing waits for ever, and no process, socket or memory stays. */
#ifndef AOLAG_RUN_RUN_H
#define AOLAG_RUN_RUN_H

#include "base/progress.h"
#include "base/status.h"
#include "probe/datagram.h"
#include "run/crew.h"
#include "run/job.h"

#define RUN_FRAMES_MAX 200000 /* counted frames of a run */
#define RUN_WARM 10 /* frames before them, which do not count: caches, page tables, clocks */

enum { RUN_P50, RUN_P90, RUN_P99, RUN_P999, RUN_QUANTILES };

struct run_quantile {
    const char *name, *key; /* "p50", "p50_us" */
    int thousandths;
};
extern const struct run_quantile run_quantiles[RUN_QUANTILES];

/* Quantiles by nearest rank (stats.h), s; RESULT_NONE without a frame. */
struct run_figure {
    double quantile[RUN_QUANTILES];
};

struct run_options {
    long frames; /* counted, 1 to RUN_FRAMES_MAX */
    /* s from the first of them, after which the run ends with those that there are, for a host that
     * does not keep up; 0: it waits for all */
    double seconds;
    /* of IPv4, where another machine runs run_outside; NULL: everything is here */
    const struct datagram_address *peer;
    run_copies *copies; /* of a test; NULL: every piece is sent once */
    void *context;
};

struct run_outcome {
    long frames;      /* counted: complete, after the first ones */
    long incomplete;  /* frames that lost data */
    long pieces_lost; /* datagrams of cameras */
    long commands_lost;
    long skipped;     /* frames that the camera did not send since two were under way */
    long late_sent;   /* frames that the camera sent later than a tenth of a period */
    long interrupted; /* times that other work took the core from a thread of a lane */
    long late;        /* counted frames later than the target */
    double seconds;   /* from the first frame to the last command */
    struct run_figure latency;
    struct run_figure part[COMPONENT_MAX]; /* of the parts of the job */
    double *sample;                        /* [frames], latencies, sorted */
    double overhead;                       /* s of the latency that measuring itself takes */
    char board[RUN_BOARD_NAME];            /* the GPU that was used; "": none */
    int cores;                             /* of the machine */
    bool camera_polls;                     /* on a core of its own */
    bool crowded;                          /* more threads that work than cores for them */
    enum run_priority priority;
    bool throttled; /* it was granted, but the system takes the core from threads that poll with it
                     */
    bool stopped;   /* by the caller: these are the frames so far */
    bool cut;       /* its time was over: likewise */
    char ended[ERROR_MESSAGE_MAX]; /* why the run ended early; "": it did not */
};

/* Says whether the machine has the memory for a job: a run takes at most the data of the design
 * twice and 32 MB. STATUS_INVALID with how much there is. */
enum status run_check_memory(const struct run_job *job, long frames, struct error *error);

/* Returns how many ports, one after the other, a run with another machine needs: one for each
 * camera and mirror whose data are datagrams. */
int run_sockets(const struct run_job *job);

/* Runs a job. The process must have one thread. `target`: s, a later command is late. Returns
 * STATUS_OK also for a run that ended early, if a frame was measured; STATUS_IO if none was or a
 * socket or a process cannot be had, STATUS_STOPPED if it was stopped before. Release the outcome
 * in any case. */
enum status run_measure(const struct run_job *job, const struct run_options *options, double target,
                        const struct progress *progress, struct run_outcome *outcome,
                        struct error *error);

/* Is the cameras and mirrors of a job that another machine runs with `peer`, on `own` and the ports
 * after it, one for each camera and mirror. Waits for it, at most for five minutes; sends as many
 * frames as it asks for; counts in outcome->frames those sent and in commands_lost the commands
 * that did not come. */
enum status run_outside(const struct run_job *job, const struct datagram_address *own,
                        const struct progress *progress, struct run_outcome *outcome,
                        struct error *error);
void run_outcome_free(struct run_outcome *outcome);

#endif
