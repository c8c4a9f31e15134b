#include "probe/datagram.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <linux/sock_diag.h>
#include <math.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define MEMORY (16 << 20) /* B of datagrams that wait */
#define PATIENCE 0.1      /* s */
#define PORT_MAX 65535

/* Addresses ------------------------------------------------------------------------------------ */

static enum status refuse_address(const char *text, struct error *error)
{
    return error_set(error, STATUS_INVALID,
                     "\"%.60s\" is not an address; allowed: a number such as 127.0.0.1 or ::1, "
                     "with a port 127.0.0.1:5000 or [::1]:5000",
                     text);
}

/* Divides a text into host and port, which is empty if there is none. */
static bool divide_address(const char *text, char host[INET6_ADDRSTRLEN + 1], const char **port)
{
    const char *colon = strrchr(text, ':');
    const char *end = strchr(text, '\0');
    size_t length;

    *port = end;
    if (text[0] == '[') {
        end = strchr(++text, ']');
        if (end == NULL || (end[1] != '\0' && end[1] != ':'))
            return false;
        *port = end[1] == ':' ? end + 2 : end + 1;
    } else if (colon != NULL && strchr(text, ':') == colon) {
        end = colon;
        *port = colon + 1;
        if (**port == '\0')
            return false;
    }
    length = (size_t)(end - text);
    if (length > INET6_ADDRSTRLEN)
        return false;
    memcpy(host, text, length);
    host[length] = '\0';
    return true;
}

enum status datagram_address_read(struct datagram_address *address, const char *text,
                                  struct error *error)
{
    struct sockaddr_in *four = (struct sockaddr_in *)&address->bytes;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&address->bytes;
    char host[INET6_ADDRSTRLEN + 1];
    const char *port;
    long number = 0;

    *address = (struct datagram_address){.length = 0};
    if (!divide_address(text, host, &port))
        return refuse_address(text, error);
    for (const char *at = port; *at != '\0'; at++) {
        if (*at < '0' || *at > '9')
            return refuse_address(text, error);
        number = 10 * number + (*at - '0');
        if (number > PORT_MAX)
            return error_set(error, STATUS_INVALID, "port %.20s is out of range; allowed: 0 to %d",
                             port, PORT_MAX);
    }
    if (inet_pton(AF_INET, host, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons((uint16_t)number);
        address->length = sizeof *four;
    } else if (inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons((uint16_t)number);
        address->length = sizeof *six;
    } else {
        return refuse_address(text, error);
    }
    return STATUS_OK;
}

int datagram_address_port(const struct datagram_address *address)
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)&address->bytes;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address->bytes;

    return ntohs(address->bytes.ss_family == AF_INET6 ? six->sin6_port : four->sin_port);
}

void datagram_address_print(const struct datagram_address *address, char text[DATAGRAM_ADDRESS_MAX])
{
    const struct sockaddr_in *four = (const struct sockaddr_in *)&address->bytes;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address->bytes;
    bool long_form = address->bytes.ss_family == AF_INET6;
    char host[INET6_ADDRSTRLEN] = "";

    inet_ntop(address->bytes.ss_family,
              long_form ? (const void *)&six->sin6_addr : (const void *)&four->sin_addr, host,
              sizeof host);
    snprintf(text, DATAGRAM_ADDRESS_MAX, long_form ? "[%s]:%d" : "%s:%d", host,
             datagram_address_port(address));
}

/* Sockets -------------------------------------------------------------------------------------- */

static bool set_option(const struct datagram_socket *socket, int level, int name, int value)
{
    return setsockopt(socket->file, level, name, &value, sizeof value) == 0;
}

/* Says what could not be done with an address, and closes the socket. */
static enum status fail_to(struct datagram_socket *socket, const char *what,
                           const struct datagram_address *address, struct error *error)
{
    char text[DATAGRAM_ADDRESS_MAX];
    int number = errno;

    datagram_address_print(address, text);
    datagram_close(socket);
    return error_set(error, STATUS_IO, "cannot %s %s: %s", what, text, strerror(number));
}

enum status datagram_open(struct datagram_socket *opened, const struct datagram_address *own,
                          struct error *error)
{
    struct datagram_address wanted;

    *opened = (struct datagram_socket){.file = -1};
    datagram_address_read(&wanted, "127.0.0.1", error);
    if (own != NULL)
        wanted = *own;
    opened->file = socket(wanted.bytes.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (opened->file < 0)
        return fail_to(opened, "open a socket of", &wanted, error);
    if (bind(opened->file, (const struct sockaddr *)&wanted.bytes, wanted.length) != 0)
        return fail_to(opened, "listen on", &wanted, error);
    opened->own.length = sizeof opened->own.bytes;
    if (getsockname(opened->file, (struct sockaddr *)&opened->own.bytes, &opened->own.length) != 0)
        return fail_to(opened, "find the port of", &wanted, error);
    if (!set_option(opened, SOL_SOCKET, SO_RCVBUFFORCE, MEMORY))
        set_option(opened, SOL_SOCKET, SO_RCVBUF, MEMORY);
    if (wanted.bytes.ss_family == AF_INET6)
        set_option(opened, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO);
    else
        set_option(opened, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO);
    datagram_set_patience(opened, PATIENCE);
    return STATUS_OK;
}

void datagram_close(struct datagram_socket *socket)
{
    if (socket->file >= 0)
        close(socket->file);
    socket->file = -1;
}

/* Takes what arrived out of the socket. */
static void drop_waiting(const struct datagram_socket *socket)
{
    char byte;

    while (recv(socket->file, &byte, sizeof byte, MSG_DONTWAIT) >= 0 || errno == ECONNREFUSED)
        ;
}

enum status datagram_connect(struct datagram_socket *socket, const struct datagram_address *peer,
                             struct error *error)
{
    if (connect(socket->file, (const struct sockaddr *)&peer->bytes, peer->length) != 0)
        return fail_to(socket, "reach", peer, error);
    socket->peer = *peer;
    drop_waiting(socket);
    return STATUS_OK;
}

void datagram_set_patience(struct datagram_socket *socket, double seconds)
{
    struct timeval limit = {.tv_sec = (time_t)seconds};

    limit.tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)));
    if (seconds > 0 && limit.tv_sec == 0 && limit.tv_usec == 0)
        limit.tv_usec = 1;
    setsockopt(socket->file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

bool datagram_poll_card(struct datagram_socket *socket, double seconds)
{
    return set_option(socket, SOL_SOCKET, SO_BUSY_POLL, (int)(1e6 * seconds));
}

bool datagram_has_card(const struct datagram_socket *socket)
{
    int queue = 0;
    socklen_t size = sizeof queue;

    return getsockopt(socket->file, SOL_SOCKET, SO_INCOMING_NAPI_ID, &queue, &size) == 0 &&
           queue != 0;
}

bool datagram_note_times(struct datagram_socket *socket, bool sends)
{
    int flags = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE;

    if (sends)
        flags |= SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_OPT_TSONLY;
    return set_option(socket, SOL_SOCKET, SO_TIMESTAMPING, flags);
}

int datagram_mtu(const struct datagram_socket *socket)
{
    bool six = socket->peer.bytes.ss_family == AF_INET6;
    int mtu = 0;
    socklen_t size = sizeof mtu;

    if (getsockopt(socket->file, six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_MTU : IP_MTU, &mtu,
                   &size) != 0)
        return 0;
    return mtu;
}

/* Sending -------------------------------------------------------------------------------------- */

static enum status refuse_send(const struct datagram_socket *socket, size_t length,
                               struct error *error)
{
    char text[DATAGRAM_ADDRESS_MAX];
    int number = errno;

    datagram_address_print(&socket->peer, text);
    if (number == EMSGSIZE)
        return error_set(error, STATUS_IO, "%zu B are too long for the MTU to %s, %d B", length,
                         text, datagram_mtu(socket));
    if (number == ECONNREFUSED)
        return error_set(error, STATUS_IO, "nothing listens on %s", text);
    return error_set(error, STATUS_IO, "cannot send to %s: %s", text, strerror(number));
}

enum status datagram_send(struct datagram_socket *socket, const void *bytes, size_t length,
                          struct error *error)
{
    while (send(socket->file, bytes, length, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            return refuse_send(socket, length, error);
    return STATUS_OK;
}

/* Receiving ------------------------------------------------------------------------------------ */

/* Room for the times of a datagram and the cause of its place in the queue of errors. */
union control {
    struct cmsghdr head;
    char bytes[256];
};

static int64_t nanoseconds_of(const struct timespec *time)
{
    return 1000000000 * (int64_t)time->tv_sec + time->tv_nsec;
}

/* Returns when the kernel noted a message, 0 if it did not. */
static int64_t noted_time(struct msghdr *message)
{
    for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at != NULL; at = CMSG_NXTHDR(message, at)) {
        struct scm_timestamping times;

        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_TIMESTAMPING)
            continue;
        memcpy(&times, CMSG_DATA(at), sizeof times);
        return nanoseconds_of(&times.ts[0]);
    }
    return 0;
}

static int refuse_receive(const struct datagram_socket *socket, struct error *error)
{
    char text[DATAGRAM_ADDRESS_MAX];
    int number = errno;

    if (number == EAGAIN || number == EINTR)
        return 0;
    datagram_address_print(socket->peer.length > 0 ? &socket->peer : &socket->own, text);
    if (number == ECONNREFUSED)
        error_set(error, STATUS_IO, "nothing listens on %s", text);
    else
        error_set(error, STATUS_IO, "cannot receive from %s: %s", text, strerror(number));
    return -1;
}

/* Receives a datagram and, unless NULL, the address that it came from. */
static int receive_from(struct datagram_socket *socket, struct datagram *datagram, int flags,
                        struct datagram_address *from, struct error *error)
{
    struct iovec part = {datagram->bytes, datagram->size};
    union control control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t length;

    if (from != NULL) {
        message.msg_name = &from->bytes;
        message.msg_namelen = sizeof from->bytes;
    }
    length = recvmsg(socket->file, &message, flags);
    if (length < 0)
        return refuse_receive(socket, error);
    datagram->length = (size_t)length;
    datagram->at = noted_time(&message);
    if (from != NULL)
        from->length = message.msg_namelen;
    return 1;
}

int datagram_receive(struct datagram_socket *socket, struct datagram *datagram,
                     enum datagram_wait wait, struct error *error)
{
    return receive_from(socket, datagram, wait == DATAGRAM_POLL ? MSG_DONTWAIT : 0, NULL, error);
}

int datagram_accept(struct datagram_socket *socket, struct datagram *datagram, const char *prefix,
                    struct error *error)
{
    struct datagram_address from;
    size_t length = strlen(prefix);
    int count = receive_from(socket, datagram, 0, &from, error);

    if (count <= 0 || datagram->length < length || memcmp(datagram->bytes, prefix, length) != 0)
        return count < 0 ? -1 : 0;
    return datagram_connect(socket, &from, error) == STATUS_OK ? 1 : -1;
}

int64_t datagram_sent_at(struct datagram_socket *socket)
{
    int64_t last = 0;

    for (;;) {
        union control control;
        struct msghdr message = {.msg_control = &control, .msg_controllen = sizeof control};

        if (recvmsg(socket->file, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
            return last;
        last = noted_time(&message);
    }
}

static long memory_figure(const struct datagram_socket *socket, int figure)
{
    uint32_t figures[SK_MEMINFO_VARS];
    socklen_t size = sizeof figures;

    if (getsockopt(socket->file, SOL_SOCKET, SO_MEMINFO, figures, &size) != 0 ||
        size < sizeof figures)
        return -1;
    return (long)figures[figure];
}

long datagram_drops(const struct datagram_socket *socket)
{
    return memory_figure(socket, SK_MEMINFO_DROPS);
}

long datagram_waiting(const struct datagram_socket *socket)
{
    return memory_figure(socket, SK_MEMINFO_RMEM_ALLOC);
}

int64_t datagram_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    return nanoseconds_of(&time);
}

double datagram_clock(int64_t noted)
{
    enum { READINGS = 10 };
    const double close = 1e-6; /* s; a reading takes less, also where it is a system call */
    double at = 0, least = HUGE_VAL;

    if (noted <= 0)
        return clock_seconds();
    for (int i = 0; i < READINGS && least > close; i++) {
        const double before = clock_seconds();
        const double ago = 1e-9 * (double)(datagram_now() - noted);
        const double apart = clock_seconds() - before;

        if (apart < least) {
            least = apart;
            at = before + apart / 2 - ago;
        }
    }
    return at;
}
