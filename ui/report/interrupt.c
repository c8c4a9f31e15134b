#include "report/interrupt.h"

#include <signal.h>
#include <stdatomic.h>

static const int endings[] = {SIGINT, SIGTERM, SIGHUP};

enum { ENDINGS = sizeof endings / sizeof endings[0] };

/* A handler carries no context, and threads beside the one it interrupts ask. */
static atomic_int came;
static struct sigaction before[ENDINGS], pipe_before;

static void note(int number)
{
    if (came != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    came = number;
}

int interrupt_signal(void)
{
    return came;
}

void interrupt_open(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    const struct sigaction ignore = {.sa_handler = SIG_IGN};

    came = 0;
    for (int i = 0; i < ENDINGS; i++)
        if (sigaction(endings[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            sigaction(endings[i], &action, NULL);
    sigaction(SIGPIPE, &ignore, &pipe_before);
}

void interrupt_close(void)
{
    for (int i = 0; i < ENDINGS; i++)
        sigaction(endings[i], &before[i], NULL);
    sigaction(SIGPIPE, &pipe_before, NULL);
}
