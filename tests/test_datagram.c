/* Datagrams over the loopback: addresses, the peer and nobody else, times, drops, errors. */
#include "probe/datagram.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "check.h"

/* Two sockets, each the peer of the other. */
struct pair {
    struct datagram_socket one, two;
};

static bool open_pair(struct pair *pair)
{
    struct error error = {0};

    return CHECK_INT(datagram_open(&pair->one, NULL, &error), STATUS_OK) &&
           CHECK_INT(datagram_open(&pair->two, NULL, &error), STATUS_OK) &&
           CHECK_INT(datagram_connect(&pair->one, &pair->two.own, &error), STATUS_OK) &&
           CHECK_INT(datagram_connect(&pair->two, &pair->one.own, &error), STATUS_OK);
}

static void close_pair(struct pair *pair)
{
    datagram_close(&pair->one);
    datagram_close(&pair->two);
}

static void check_address(const char *text, const char *printed)
{
    struct datagram_address address;
    struct error error = {0};
    char back[DATAGRAM_ADDRESS_MAX] = "";

    if (datagram_address_read(&address, text, &error) == STATUS_OK)
        datagram_address_print(&address, back);
    CHECK_STR(back[0] != '\0' ? back : error.message, printed);
}

#define REFUSED(text)                                                                              \
    "\"" text "\" is not an address; allowed: a number such as 127.0.0.1 or ::1, with a port "     \
    "127.0.0.1:5000 or [::1]:5000"

TEST(addresses_are_numbers_with_a_port)
{
    check_address("127.0.0.1", "127.0.0.1:0");
    check_address("127.9.0.1:5000", "127.9.0.1:5000");
    check_address("10.0.0.2:65535", "10.0.0.2:65535");
    check_address("::1", "[::1]:0");
    check_address("[fe80::1]:7", "[fe80::1]:7");
    check_address("[::1]", "[::1]:0");
    check_address("10.0.0.2:65536", "port 65536 is out of range; allowed: 0 to 65535");
    check_address("", REFUSED(""));
    check_address("camera", REFUSED("camera"));
    check_address("10.0.0.2:", REFUSED("10.0.0.2:"));
    check_address("10.0.0.2:5x", REFUSED("10.0.0.2:5x"));
    check_address("[::1", REFUSED("[::1"));
    check_address("[::1]5", REFUSED("[::1]5"));
}

TEST(a_datagram_arrives_whole)
{
    static char sent[DATAGRAM_JUMBO], came[DATAGRAM_JUMBO + 1];
    struct datagram datagram = {.bytes = came, .size = sizeof came};
    struct error error = {0};
    struct pair pair;

    if (!open_pair(&pair))
        return;
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (char)(i % 251);
    CHECK_INT(datagram_receive(&pair.two, &datagram, DATAGRAM_POLL, &error), 0);
    CHECK_INT(datagram_send(&pair.one, sent, sizeof sent, &error), STATUS_OK);
    CHECK_INT(datagram_receive(&pair.two, &datagram, DATAGRAM_SLEEP, &error), 1);
    CHECK_INT(datagram.length, sizeof sent);
    CHECK(memcmp(sent, came, sizeof sent) == 0);
    CHECK_INT(datagram.at, 0);
    close_pair(&pair);
}

TEST(nobody_but_the_peer_is_received)
{
    char came[8];
    struct datagram datagram = {.bytes = came, .size = sizeof came};
    struct datagram_socket other;
    struct error error = {0};
    struct pair pair;

    if (!open_pair(&pair) || !CHECK_INT(datagram_open(&other, NULL, &error), STATUS_OK) ||
        !CHECK_INT(datagram_connect(&other, &pair.two.own, &error), STATUS_OK))
        return;
    datagram_send(&other, "other", 5, &error);
    datagram_send(&pair.one, "peer", 4, &error);
    CHECK_INT(datagram_receive(&pair.two, &datagram, DATAGRAM_SLEEP, &error), 1);
    CHECK_INT(datagram.length, 4);
    CHECK_INT(datagram_receive(&pair.two, &datagram, DATAGRAM_POLL, &error), 0);
    datagram_close(&other);
    close_pair(&pair);
}

TEST(the_first_with_the_prefix_becomes_the_peer)
{
    char came[8];
    struct datagram datagram = {.bytes = came, .size = sizeof came};
    struct datagram_socket server, stranger, client;
    struct error error = {0};

    CHECK_INT(datagram_open(&server, NULL, &error), STATUS_OK);
    CHECK_INT(datagram_open(&stranger, NULL, &error), STATUS_OK);
    CHECK_INT(datagram_open(&client, NULL, &error), STATUS_OK);
    CHECK_INT(datagram_connect(&stranger, &server.own, &error), STATUS_OK);
    CHECK_INT(datagram_connect(&client, &server.own, &error), STATUS_OK);
    datagram_send(&stranger, "hallo", 5, &error);
    datagram_send(&client, "hello!", 6, &error);
    CHECK_INT(datagram_accept(&server, &datagram, "hello", &error), 0);
    CHECK_INT(datagram_accept(&server, &datagram, "hello", &error), 1);
    CHECK_INT(datagram_address_port(&server.peer), datagram_address_port(&client.own));
    datagram_send(&server, "back", 4, &error);
    CHECK_INT(datagram_receive(&client, &datagram, DATAGRAM_SLEEP, &error), 1);
    datagram_close(&server);
    datagram_close(&stranger);
    datagram_close(&client);
}

TEST(times_are_noted_in_the_order_of_the_way)
{
    char came[8];
    struct datagram datagram = {.bytes = came, .size = sizeof came};
    struct error error = {0};
    struct pair pair;
    bool noted = false;

    if (!open_pair(&pair))
        return;
    CHECK(datagram_note_times(&pair.one, true));
    CHECK(datagram_note_times(&pair.two, false));
    /* the kernel begins to note them a little later */
    for (int i = 0; i < check_patience() && !noted; i++) {
        int64_t before = datagram_now(), left;

        CHECK_INT(datagram_send(&pair.one, "x", 1, &error), STATUS_OK);
        left = datagram_sent_at(&pair.one);
        if (!CHECK_INT(datagram_receive(&pair.two, &datagram, DATAGRAM_SLEEP, &error), 1))
            break;
        noted = left != 0 && datagram.at != 0;
        if (noted)
            CHECK(before <= left && left <= datagram.at && datagram.at <= datagram_now());
    }
    CHECK(noted);
    close_pair(&pair);
}

/* The present is read again where the thread lost its core between the two clocks. */
TEST(noted_times_are_of_the_monotonic_clock)
{
    const double apart = 1e-3; /* s; far more than two readings take, far less than the note is old */
    const double before = clock_seconds();
    const int64_t noted = datagram_now();
    const double after = clock_seconds();
    const struct timespec moment = {.tv_nsec = 10000000};
    double at, now;

    nanosleep(&moment, NULL);
    at = datagram_clock(noted);
    CHECK_TRUE(at > before - apart && at < after + apart, "%g s before, %g s after", before - at,
               at - after);
    now = clock_seconds();
    CHECK(datagram_clock(0) >= now);
}

TEST(what_nobody_reads_is_dropped_and_counted)
{
    static char sent[DATAGRAM_JUMBO];
    struct error error = {0};
    struct pair pair;

    if (!open_pair(&pair))
        return;
    for (int i = 0; i < 20000; i++)
        datagram_send(&pair.one, sent, sizeof sent, &error);
    CHECK(datagram_drops(&pair.two) > 0);
    close_pair(&pair);
}

TEST(errors_name_the_address)
{
    static char much[DATAGRAM_MOST + 1];
    char came[8], text[DATAGRAM_ADDRESS_MAX], expected[ERROR_MESSAGE_MAX];
    struct datagram datagram = {.bytes = came, .size = sizeof came};
    struct datagram_socket again;
    struct error error = {0};
    struct pair pair;

    if (!open_pair(&pair))
        return;
    datagram_address_print(&pair.two.own, text);
    CHECK_INT(datagram_open(&again, &pair.two.own, &error), STATUS_IO);
    snprintf(expected, sizeof expected, "cannot listen on %s: Address already in use", text);
    CHECK_STR(error.message, expected);
    CHECK_INT(again.file, -1);
    CHECK_INT(datagram_send(&pair.one, much, sizeof much, &error), STATUS_IO);
    CHECK(strstr(error.message, text) != NULL);
    datagram_close(&pair.two);
    CHECK_INT(datagram_send(&pair.one, "x", 1, &error), STATUS_OK);
    CHECK_INT(datagram_receive(&pair.one, &datagram, DATAGRAM_SLEEP, &error), -1);
    snprintf(expected, sizeof expected, "nothing listens on %s", text);
    CHECK_STR(error.message, expected);
    close_pair(&pair);
}
