/* Points of MEASUREMENT_DISPATCH by name and type, and the fixed times of a device that follow.
 *
 *     launch      spin, wake         s from work that is ready until the thread runs that waits
 *                                    for it: it polls memory, or sleeps in the kernel (futex);
 *                                    `idle` of so many s without work before, otherwise 0.1 ms
 *     process     spin, wake         the same for another process, through shared memory
 *     handover    spin, wake         the same, until that process has copied `size` B of the
 *                                    first one
 *     barrier                        s per start and end of `cores` threads that poll
 *     egress      poll               s from the call that sends a datagram of `size` B until the
 *                                    card, or the loopback, has it
 *     ingress     poll, sleep, card  s from the kernel's receipt of a datagram until the program
 *                                    has it, which polls its socket, sleeps, or has the kernel
 *                                    poll the card (SO_BUSY_POLL); `burst` above 1: of the last
 *                                    of so many that arrive together
 *     round-trip  poll               s from the call that sends a datagram until the answer was
 *                                    read
 *                                    All after 1 ms without a datagram, as between two frames: then
 *                                    the kernel's way of one is no longer in the caches.
 *     receive, send                  s of a core per datagram of `size` B; `burst` 1: of one,
 *                                    otherwise the slope of the time over bursts of up to so many
 *
 * `realtime` is 1 with real-time priority, 0 without; no value where it does not apply. What cannot
 * be measured here is a point without samples, whose remark says why. */
#ifndef AOLAG_PROBE_DISPATCH_POINTS_H
#define AOLAG_PROBE_DISPATCH_POINTS_H

#include <stddef.h>

#include "design/scenario.h"
#include "probe/measurement.h"

#define DISPATCH_LAUNCH "launch"
#define DISPATCH_OTHER_PROCESS "process"
#define DISPATCH_HANDOVER "handover"
#define DISPATCH_BARRIER "barrier"
#define DISPATCH_EGRESS "egress"
#define DISPATCH_INGRESS "ingress"
#define DISPATCH_ROUND_TRIP "round-trip"
#define DISPATCH_RECEIVE "receive"
#define DISPATCH_SEND "send"

/* Types of points. */
#define DISPATCH_POLLING "spin"
#define DISPATCH_ASLEEP "wake"
#define DISPATCH_SOCKET_POLLED "poll"
#define DISPATCH_SOCKET_SLEEPS "sleep"
#define DISPATCH_CARD_POLLED "card"

#define DISPATCH_HANDED 4096   /* B that a hand-over copies */
#define DISPATCH_BURST_MOST 32 /* datagrams of the longest burst of `receive` and `send` */

/* Writes what a point of the part is to people, without its priority: "thread, asleep 5 ms",
 * "ingress, polling, 1472 B x 16". */
void dispatch_point_label(const struct measurement_point *point, char *text, size_t size);

/* Returns the point of the same kind and parameters but the priority; NULL if there is none. */
const struct measurement_point *dispatch_find_realtime(const struct measurement *measurement,
                                                       const struct measurement_point *point);

/* The fixed times of a device: medians, the smaller of those with and without real-time priority,
 * since what other programs add is not the machine's; s. RESULT_NONE: not measured. */
struct dispatch_times {
    double launch[DISPATCH_PROCESS + 1]; /* of spin, wake and process, which polls */
    double handover; /* to a process that sleeps, beyond the launch of one that polls; at least 0 */
    double boundary; /* least time of the barrier with the most threads */
    /* Of datagrams, read by polling. Those of a camera fill the default MTU, 8972 B, where that was
     * measured, else that of 1500. */
    int size;        /* B, of those of a camera */
    double ingress;  /* of one alone, beyond the time of a core; at least 0 */
    double datagram; /* of a core, in bursts */
    double egress;   /* of one of 1472 B, since a command is short */

    /* To wake from the deepest sleep state: what a launch takes longer than after 0.1 ms, over the
     * part of it that wake_up of model/formulas.def has after so much idleness: the median over the
     * times of idleness, at least 0. With real-time priority where it was measured: what other
     * programs add depends on the idleness, too. */
    double sleep;
};

void dispatch_times_from(const struct measurement *measurement, struct dispatch_times *times);

/* Returns the slope, s per datagram, of the line through the times of bursts that is nearest to
 * them (least squares); at least `least`. `count` is 2 or more, with at least two different bursts.
 */
double dispatch_burst_slope(const double *burst, const double *seconds, int count, double least);

#endif
