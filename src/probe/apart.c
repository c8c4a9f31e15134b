#include "probe/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/child.h"

/* The child sends lines: those of a measurement as CSV, DONE and the fraction done, and at last
 * ENDED with status and message of its error. */
#define DONE '='
#define ENDED '!'

enum { LOOK_MS = 50 };

#define ALIVE 0.1 /* s between lines of a child that measures a point */

/* The child ------------------------------------------------------------------------------------ */

struct sender {
    int file;
    struct measurement_written sent;
    double done, said; /* the last line DONE, and when */
};

static void send_bytes(const struct sender *sender, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(sender->file, bytes, length);

        if (count < 0 && errno != EINTR)
            _exit(EXIT_FAILURE);
        bytes += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
}

static void send_end(const struct sender *sender, const struct error *error)
{
    char line[ERROR_MESSAGE_MAX + 16];

    send_bytes(sender, line,
               (size_t)snprintf(line, sizeof line, "%c%d %s\n", ENDED, (int)error->status,
                                error->message));
}

static void send_done(struct sender *sender)
{
    char line[32];

    sender->said = probe_now();
    send_bytes(sender, line, (size_t)snprintf(line, sizeof line, "%c%.4f\n", DONE, sender->done));
}

/* Called between samples, as what tells whether to stop: says that the driver answers. */
static bool say_alive(void *context)
{
    struct sender *sender = context;

    if (probe_now() - sender->said > ALIVE)
        send_done(sender);
    return false;
}

static void send_points(void *context, const struct probe *probe, enum measurement_part part,
                        double done)
{
    struct sender *sender = context;
    struct buffer buffer = {0};

    (void)part;
    measurement_csv_new(&buffer, probe->measurement, &sender->sent);
    send_bytes(sender, buffer.bytes, buffer.length);
    buffer_free(&buffer);
    sender->done = done;
    send_done(sender);
}

static _Noreturn void measure_in_child(const struct probe *settings, int file,
                                       enum status (*run)(struct probe *probe, struct error *error))
{
    static struct sender sender;
    static struct measurement measurement;
    struct probe probe = *settings;
    struct error error = {STATUS_OK, ""};

    sender.file = file;
    probe.measurement = &measurement;
    probe.stopped = say_alive;
    probe.report = send_points;
    probe.context = &sender;
    run(&probe, &error);
    send_points(&sender, &probe, MEASUREMENT_GPU, 1);
    send_end(&sender, &error);
    /* without the destructors of the driver */
    _exit(EXIT_SUCCESS);
}

/* The parent ----------------------------------------------------------------------------------- */

struct receiver {
    struct probe *probe;
    struct error *error;
    enum measurement_part part; /* of the last point */
    bool ended;
};

static void receive_measured(struct receiver *receiver, const char *line)
{
    static const struct measurement nothing;
    struct measurement measurement = {0};
    struct buffer text = {0};

    measurement_csv_head(&text, &nothing);
    buffer_print(&text, "%s\n", line);
    measurement_csv_read(&measurement, text.bytes, text.length, receiver->error);
    buffer_free(&text);
    for (int i = 0; i < CONDITIONS; i++)
        if (measurement.condition[i][0] != '\0')
            memcpy(receiver->probe->measurement->condition[i], measurement.condition[i],
                   CONDITION_MAX);
    for (int i = 0; i < measurement.count; i++) {
        receiver->part = measurement.point[i].part;
        probe_add_point(receiver->probe, &measurement.point[i]);
    }
    measurement_free(&measurement);
}

static void receive_line(struct receiver *receiver, const char *line)
{
    char *message;

    if (line[0] == ENDED) {
        enum status status = (enum status)strtol(line + 1, &message, 10);

        receiver->ended = true;
        if (status != STATUS_OK)
            error_set(receiver->error, status, "%s", message + 1);
    } else if (line[0] == DONE) {
        probe_report(receiver->probe, receiver->part, strtod(line + 1, NULL));
    } else {
        receive_measured(receiver, line);
    }
}

/* Takes the whole lines from the front of what was received. */
static void receive_lines(struct receiver *receiver, struct buffer *input)
{
    char *start = input->bytes, *end;

    while (receiver->error->status == STATUS_OK && !receiver->ended &&
           (end = memchr(start, '\n', input->length - (size_t)(start - input->bytes))) != NULL) {
        *end = '\0';
        receive_line(receiver, start);
        start = end + 1;
    }
    input->length -= (size_t)(start - input->bytes);
    memmove(input->bytes, start, input->length + 1);
}

/* Receives until the child has ended or must be killed; returns false for the latter. */
static bool receive_all(struct receiver *receiver, int file, const char *driver, double patience)
{
    struct buffer input = {0};
    double heard = probe_now();
    bool closed = false;

    while (!receiver->ended && !closed && !probe_stopped(receiver->probe)) {
        struct pollfd source = {.fd = file, .events = POLLIN};
        char bytes[4096];
        ssize_t count;

        if (poll(&source, 1, LOOK_MS) <= 0) {
            if (probe_now() - heard > patience)
                error_set(receiver->error, STATUS_IO,
                          "%s did not answer for %.0f s and was given up", driver, patience);
            continue;
        }
        heard = probe_now();
        count = read(file, bytes, sizeof bytes);
        closed = count == 0 || (count < 0 && errno != EINTR);
        if (count <= 0)
            continue;
        buffer_add(&input, bytes, (size_t)count);
        receive_lines(receiver, &input);
    }
    buffer_free(&input);
    return closed || receiver->ended;
}

/* Says how a child ended that did not say so itself. */
static void report_end(const struct receiver *receiver, int status, const char *driver)
{
    if (receiver->ended || receiver->error->status != STATUS_OK)
        return;
    if (WIFSIGNALED(status))
        error_set(receiver->error, STATUS_IO, "%s crashed: %s", driver,
                  strsignal(WTERMSIG(status)));
    else
        error_set(receiver->error, STATUS_IO, "%s ended the measuring process with status %d",
                  driver, WEXITSTATUS(status));
}

enum status probe_apart(struct probe *probe, const char *driver, double patience,
                        enum status (*run)(struct probe *probe, struct error *error),
                        struct error *error)
{
    struct receiver receiver = {.probe = probe, .error = error, .part = MEASUREMENT_GPU};
    int ends[2];
    pid_t child;
    bool alive;
    int status;

    probe_begin(probe, error);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, STATUS_IO, "no pipe to a process: %s", strerror(errno));
    child = child_start(ends[1], error);
    if (child == 0)
        measure_in_child(probe, ends[1], run);
    close(ends[1]);
    if (child > 0) {
        alive = !receive_all(&receiver, ends[0], driver, patience);
        status = child_end(child, alive || receiver.ended);
        if (!alive)
            report_end(&receiver, status, driver);
    }
    close(ends[0]);
    return error->status;
}
