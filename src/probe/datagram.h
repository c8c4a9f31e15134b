/* UDP datagrams between two sockets, each of which answers only its peer. A datagram arrives whole
 * and once, or is lost.
 *
 *     datagram_address_read   own address; none: loopback
 *     datagram_open           bound to it; socket.own has the port
 *     datagram_connect        to a known peer, or
 *     datagram_accept         to the sender of the first datagram
 *     datagram_send, datagram_receive, datagram_drops
 *     datagram_close
 *
 * Two threads may share a socket, one that sends and one that receives. Nothing allocates. Errors
 * are STATUS_INVALID for an address that cannot be read, STATUS_IO for all others; they name the
 * address. */
#ifndef AOLAG_PROBE_DATAGRAM_H
#define AOLAG_PROBE_DATAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/status.h"

/* B of data in a packet of IPv4, whose headers take 28 B: with an MTU of 1500, 9000, and at most.
 */
#define DATAGRAM_STANDARD 1472
#define DATAGRAM_JUMBO 8972
#define DATAGRAM_MOST 65507

/* Addresses ------------------------------------------------------------------------------------ */

struct datagram_address {
    struct sockaddr_storage bytes;
    socklen_t length;
};

#define DATAGRAM_ADDRESS_MAX 64 /* bytes of its text */

/* Reads "127.0.0.1", "127.0.0.1:5000", "::1" or "[::1]:5000": a number, since names are not looked
 * up, and a port of 0 to 65535, 0 if none is stated. */
enum status datagram_address_read(struct datagram_address *address, const char *text,
                                  struct error *error);

/* Writes "127.0.0.1:5000" or "[::1]:5000". */
void datagram_address_print(const struct datagram_address *address,
                            char text[DATAGRAM_ADDRESS_MAX]);

/* Returns the port, 0: any. */
int datagram_address_port(const struct datagram_address *address);

/* Sockets -------------------------------------------------------------------------------------- */

struct datagram_socket {
    int file;                          /* -1: closed */
    struct datagram_address own, peer; /* length 0: no peer yet */
};

/* Opens a socket of that address, or with NULL of the loopback. Port 0 is any that is free. What
 * arrives waits in as much memory of the kernel as that permits, at most 16 MiB. Datagrams are not
 * divided into packets: one that is too long for the link is an error when it is sent. */
enum status datagram_open(struct datagram_socket *socket, const struct datagram_address *own,
                          struct error *error);

/* Closes the socket unless it is closed. */
void datagram_close(struct datagram_socket *socket);

/* From now on sends to the peer and receives from nobody else. What others sent before is dropped.
 */
enum status datagram_connect(struct datagram_socket *socket, const struct datagram_address *peer,
                             struct error *error);

/* Sets for how long a receive that waits does so, s; 0: for ever. At first 0.1 s. */
void datagram_set_patience(struct datagram_socket *socket, double seconds);

/* Asks the kernel to poll the network card for `seconds` in each receive that waits, in place of
 * sleeping at once. Returns false if it does not permit that. */
bool datagram_poll_card(struct datagram_socket *socket, double seconds);

/* Returns true if the last datagram came from a card that can be polled so; the loopback cannot. */
bool datagram_has_card(const struct datagram_socket *socket);

/* Asks the kernel to note when it receives each datagram and, with `sends`, when it hands each to
 * the card (datagram_sent_at). Returns false if it cannot. Noting takes part of a microsecond. */
bool datagram_note_times(struct datagram_socket *socket, bool sends);

/* Returns the largest IP packet on the way to the peer, B; 0 if it is unknown. */
int datagram_mtu(const struct datagram_socket *socket);

/* Sending and receiving ------------------------------------------------------------------------ */

/* Sends `length` bytes, at most DATAGRAM_MOST, to the peer. Errors: no peer listens on its port,
 * the datagram is longer than the link's MTU, no memory. A datagram that is lost is none. */
enum status datagram_send(struct datagram_socket *socket, const void *bytes, size_t length,
                          struct error *error);

/* What a receive may do until something arrives. */
enum datagram_wait {
    DATAGRAM_POLL,  /* return at once */
    DATAGRAM_SLEEP, /* wait for up to the patience; a signal ends it */
};

struct datagram {
    void *bytes; /* of the caller */
    size_t size; /* of that memory: what is longer is cut */
    size_t length;
    int64_t at; /* when the kernel received it, as datagram_now; 0: not noted */
};

/* Receives a datagram of the peer. Returns its count: 1, 0 if there is none, or -1 with an error: a
 * peer on this machine, or one whose answer says so, does not listen on its port. */
int datagram_receive(struct datagram_socket *socket, struct datagram *datagram,
                     enum datagram_wait wait, struct error *error);

/* The same for a socket without a peer, which becomes the sender. A datagram shorter than `prefix`
 * bytes, or that does not begin with these, is ignored. */
int datagram_accept(struct datagram_socket *socket, struct datagram *datagram, const char *prefix,
                    struct error *error);

/* Returns when the last datagram that left was handed to the card, as datagram_now; 0 if none left
 * since the last call, or that was not noted. On the loopback it has left when datagram_send
 * returns. */
int64_t datagram_sent_at(struct datagram_socket *socket);

/* Returns how many datagrams the kernel dropped since the socket was opened, because too many
 * waited; -1 if it does not say. */
long datagram_drops(const struct datagram_socket *socket);

/* Returns the memory of the kernel, B, that datagrams take which wait to be received, the same for
 * each of a size, and notes of sent ones that were not asked for; -1 if it does not say. */
long datagram_waiting(const struct datagram_socket *socket);

/* Returns the clock in which the kernel notes times, ns; unlike that of clock.h it may be set, and
 * a double would not hold it to a nanosecond. */
int64_t datagram_now(void);

/* Returns what the clock of clock.h showed at a time that the kernel noted, s; the present if `noted`
 * is 0. A thread that loses its core between the two clocks reads them again. */
double datagram_clock(int64_t noted);

#endif
