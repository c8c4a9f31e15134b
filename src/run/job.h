/* What of a design runs here, and where: the parts of a run, from an evaluated scenario all of
 * whose components are on one host.
 *
 * A part is a camera, a computation or a mirror. Parts that one thread, or a team of threads, runs
 * in turn are a lane: those with the same `thread`; on a device that is used exclusively all of
 * them, and otherwise each alone. With `dispatch = process` a lane belongs to the process of that
 * name, and the datagrams of each camera are received by a process that does nothing else, since
 * the model counts a hand-over from there; with others all are threads of one process. A lane runs
 * slot by slot: in each, in the order of the data flow, what the packets up to it allow
 * (schedule_work). Between lanes, a part whose data are ready rings its bell, once for each slot
 * with work.
 *
 * A reconstruction on a GPU (board.h) has a lane that feeds the GPU.
 *
 * Kernels are those of probe/loops on matrices, frames and vectors of the design's size. The
 * numbers in them mean nothing: the pixels of a subaperture lie one after the other in the order of
 * their arrival, all slopes, and all vectors, are one array each, and a datagram is received with
 * its header in place of its first RUN_HEADER bytes, and its data after that. */
#ifndef AOLAG_RUN_JOB_H
#define AOLAG_RUN_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "design/algorithm.h"
#include "model/result.h"

enum run_kind {
    RUN_CAMERA,
    RUN_CALIBRATION,
    RUN_CENTROID,
    RUN_PYRAMID,
    RUN_MATRIX,
    RUN_CONTROL,
    RUN_MIRROR
};

#define RUN_HEADER 16 /* B in front of the data of a datagram */

struct run_part {
    int component, node; /* indices in the scenario and in the result */
    enum run_kind kind;
    int lane;        /* that runs it, or receives its data; -1: a camera of shared memory */
    uint64_t before; /* parts that feed it: bit i for part i */
    uint64_t others; /* those of them in other lanes, and cameras of shared memory */
    int *events; /* [slots + 1], of a camera: the events of slot i are among those from events[i] on
                    to events[i + 1] */
    size_t items;  /* px, subapertures, pupil pixels, columns of a matrix, actuators */
    size_t *until; /* [slots + 1]: items done before slot i */
    int *rings;    /* [slots + 1]: slots with work before slot i */
    int workers;   /* threads of the lane that share its work */
    size_t side;   /* px of a subaperture; rows of a matrix */
    enum algorithm_id algorithm;
    int search;                             /* shifts of a correlation per axis */
    bool board;                             /* on a GPU; then: */
    char on_host[2 * NAME_MAX_LENGTH + 20]; /* "component.NAME.device=HOST", the other choice */
    size_t pixels, slopes, vector;          /* where its data begin in the arrays of the run */
    size_t bytes;                           /* of a camera's frame, of a command to a mirror */
};

struct run_lane {
    int size;    /* threads */
    int process; /* 0 to processes - 1 */
    bool sleeps; /* waits asleep; else it polls */
    int core;    /* of the host, from 0: of its first thread */
    bool board;  /* a thread that feeds a GPU */
};

/* A piece of a frame that a camera sends at one time: a datagram, or a packet in shared memory. */
struct run_event {
    double at; /* s from the start of the readout */
    int part, slot;
    size_t offset, length; /* B of the camera's frame */
};

struct run_job {
    double period; /* s */
    int slots;
    int part_count, lane_count, processes;
    struct run_part part[COMPONENT_MAX];
    struct run_lane lane[COMPONENT_MAX];
    struct run_event *event;          /* in order of time */
    int event_count, last_event;      /* last_event: the last one that a command needs */
    int last_part;                    /* whose end, in the last slot, is the command */
    bool datagrams_in, datagrams_out; /* else shared memory */
    bool polls_card, frames;          /* ingress = busy-poll; processing = frames */
    bool realtime;                    /* os = realtime */
    size_t payload;                   /* B of data in a datagram */
    size_t pixels, slopes, vector;    /* elements of the arrays of the run */
    int threads;                      /* that work at the same time */
    const char *ingress;              /* what the design states and is run as kernel; NULL: none */
    int host;                         /* index of the device */
    double software; /* s, that the model adds for each component of a process; a run has none */
};

/* Fills a job. Returns STATUS_INVALID, naming the section and key to change, for what cannot run on
 * a host: FPGAs, other work of GPUs, several hosts, other algorithms, several rates, an
 * interpreter, a fluid device. The job is then empty. */
enum status run_job_plan(struct run_job *job, const struct scenario *scenario,
                         const struct result *result, struct error *error);
void run_job_free(struct run_job *job);

#endif
