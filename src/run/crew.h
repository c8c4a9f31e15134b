/* Those who work in a run: the process of cameras and mirrors, and the processes of the lanes with
 * their threads. They meet in memory that all share; nothing of it has a name. */
#ifndef AOLAG_RUN_CREW_H
#define AOLAG_RUN_CREW_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/status.h"
#include "probe/bell.h"
#include "probe/datagram.h"
#include "run/job.h"
#include "run/work.h"

/* Real-time priority of the threads of the lanes. */
enum run_priority {
    RUN_PRIORITY_NONE, /* the design does not ask for it */
    RUN_PRIORITY_GRANTED,
    RUN_PRIORITY_REFUSED, /* by the system */
    RUN_PRIORITY_HELD     /* not asked for: threads that poll would leave no core to others */
};

struct run_shared {
    atomic_int stop;     /* everybody ends soon */
    atomic_int ready;    /* threads of lanes that wait for the first frame */
    atomic_int priority; /* enum run_priority */
    atomic_int failed;   /* `problem` is set */
    char problem[300];
    char board[RUN_BOARD_NAME]; /* the GPU; "": none is used */
    atomic_long sent, out;      /* frames: whose readout has ended, whose command is out */
    atomic_long pieces_lost, skipped, late_sent, commands, interrupted; /* see run.h */
    _Atomic double begin,
        end; /* s, of the first frame and of the last command after it; 0: not yet */
    struct bell bell[COMPONENT_MAX];
};

/* Tries a run: called in the process of the cameras before it sends piece `event` of a frame.
 * Returns how often it is sent; 0: it is lost. */
typedef int run_copies(void *context, long frame, int event);

/* Which of the processes are here; the others are on another machine, reached by datagrams. */
enum run_role {
    RUN_ALL,
    RUN_INSIDE, /* the lanes */
    RUN_OUTSIDE /* the cameras and mirrors */
};

struct run_crew {
    const struct run_job *job;
    enum run_role role;
    const struct datagram_address *address; /* of the cameras, unless they are here */
    long frames;                            /* of all */
    int cores; /* of the machine for the lanes; the cameras poll on another one if there is */
    bool camera_polls;
    bool crowded; /* more threads than cores: none is bound to one */
    run_copies *copies;
    void *context;
    struct run_shared *shared;
    struct run_arrays arrays;
    /* by frame, s since the start of the run: the last piece that a command needs, the command */
    double *sent, *out;
    float *busy;               /* s, [part][frame] */
    unsigned char *missed;     /* by frame: pieces were lost */
    struct run_team *team;     /* [lanes] */
    struct run_thread *thread; /* of all lanes */
    char *piece;               /* a header and data of the longest piece */
    /* by part, of a camera or a mirror: in its own process, in the lane's; closed where there is
     * none */
    struct datagram_socket outer[COMPONENT_MAX], inner[COMPONENT_MAX];
};

/* Allocates what the processes need, before they are forked: they have no way to say that memory
 * runs out. */
void run_crew_open(struct run_crew *crew);
void run_crew_close(struct run_crew *crew);

/* Run a process to its end. Return 0, or 1 after setting `problem`. */
int run_crew_cameras(struct run_crew *crew);
int run_crew_lanes(struct run_crew *crew, int process);

#endif
