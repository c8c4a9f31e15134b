/* The other end of a measurement of datagrams: it answers each question of its peer with so many
 * datagrams of such a size, after such a delay, and nothing else.
 *
 * Questions and answers begin alike, in network order: ECHO_WORD, then the four numbers of 32 bits.
 * In an answer `count` is which of the datagrams it is, from 0. The rest of a datagram is padding.
 */
#ifndef AOLAG_PROBE_ECHO_H
#define AOLAG_PROBE_ECHO_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/datagram.h"

#define ECHO_WORD "aolag-echo-1"
#define ECHO_HEADER 28 /* B */
#define ECHO_COUNT_MAX 64
#define ECHO_DELAY_MAX 1000000 /* us */

struct echo {
    uint32_t number; /* of the question */
    uint32_t count;  /* datagrams to answer with, at most ECHO_COUNT_MAX; 0: none */
    uint32_t size;   /* B of each, ECHO_HEADER to DATAGRAM_JUMBO */
    uint32_t delay;  /* us before the first, at most ECHO_DELAY_MAX, in which the other end polls */
};

/* Writes the first ECHO_HEADER bytes of a datagram. */
void echo_write(const struct echo *echo, void *bytes);

/* Returns false for a datagram that is no question or answer, or with numbers out of range. */
bool echo_read(const void *bytes, size_t length, struct echo *echo);

/* Answers on a socket without a peer, whose first question makes its peer, or with one. Returns
 * STATUS_OK when `stopped` says so or, unless it is 0, nothing came for `idle` s; else STATUS_IO.
 */
enum status echo_serve(struct datagram_socket *socket, double idle, bool (*stopped)(void *context),
                       void *context, struct error *error);

#endif
