/* A clock that counts, so that what the program does depends on counts and not on the machine's
 * speed. In a program it takes the place of the system's; as the library tests/fake/clock.so it is
 * preloaded:
 *
 *     CLOCK_STEP=SECONDS    what clock_tick sets
 *     CLOCK_AT=N            at the Nth reading the program sends itself a signal:
 *     CLOCK_SIGNAL=NUMBER
 *     CLOCK_RATE=FACTOR     without CLOCK_STEP it is that of a machine on which all takes so many
 *                           times as long (tests/anywhere)
 *
 * Commands read the clock each time they look whether to go on, after work of a certain size. */
#ifndef AOLAG_FAKE_CLOCK_H
#define AOLAG_FAKE_CLOCK_H

/* Lets the monotonic clock go on by so many seconds at each reading and at no other time; 0: the
 * clock is the system's again. */
void clock_tick(double seconds);

#endif
