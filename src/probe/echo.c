#include "probe/echo.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"

#define WORD_BYTES (sizeof ECHO_WORD - 1)

void echo_write(const struct echo *echo, void *bytes)
{
    const uint32_t numbers[] = {htonl(echo->number), htonl(echo->count), htonl(echo->size),
                                htonl(echo->delay)};

    memcpy(bytes, ECHO_WORD, WORD_BYTES);
    memcpy((char *)bytes + WORD_BYTES, numbers, sizeof numbers);
}

bool echo_read(const void *bytes, size_t length, struct echo *echo)
{
    uint32_t numbers[4];

    if (length < ECHO_HEADER || memcmp(bytes, ECHO_WORD, WORD_BYTES) != 0)
        return false;
    memcpy(numbers, (const char *)bytes + WORD_BYTES, sizeof numbers);
    *echo =
        (struct echo){ntohl(numbers[0]), ntohl(numbers[1]), ntohl(numbers[2]), ntohl(numbers[3])};
    return echo->count <= ECHO_COUNT_MAX && echo->size >= ECHO_HEADER &&
           echo->size <= DATAGRAM_JUMBO && echo->delay <= ECHO_DELAY_MAX;
}

/* A size that cannot be sent is answered with one datagram of the least. */
static enum status answer_question(struct datagram_socket *socket, const struct echo *question,
                                   struct error *error)
{
    char bytes[DATAGRAM_JUMBO] = {0};
    struct echo answer = *question;
    double ready = clock_seconds() + 1e-6 * question->delay;

    while (question->delay > 0 && clock_seconds() < ready)
        thread_pause();
    for (answer.count = 0; answer.count < question->count; answer.count++) {
        echo_write(&answer, bytes);
        if (datagram_send(socket, bytes, answer.size, error) == STATUS_OK)
            continue;
        answer.size = ECHO_HEADER;
        echo_write(&answer, bytes);
        return datagram_send(socket, bytes, answer.size, error);
    }
    return STATUS_OK;
}

enum status echo_serve(struct datagram_socket *socket, double idle, bool (*stopped)(void *context),
                       void *context, struct error *error)
{
    char bytes[DATAGRAM_JUMBO];
    struct datagram datagram = {.bytes = bytes, .size = sizeof bytes};
    double heard = clock_seconds();

    while (!stopped(context)) {
        struct echo question;
        int count = socket->peer.length > 0
                        ? datagram_receive(socket, &datagram, DATAGRAM_SLEEP, error)
                        : datagram_accept(socket, &datagram, ECHO_WORD, error);

        if (count < 0)
            return error->status;
        if (count == 0) {
            if (idle > 0 && clock_seconds() - heard > idle)
                break;
            continue;
        }
        heard = clock_seconds();
        if (echo_read(bytes, datagram.length, &question) &&
            answer_question(socket, &question, error) != STATUS_OK)
            return error->status;
    }
    return STATUS_OK;
}
