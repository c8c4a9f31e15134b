/* A question or answer about datagrams: one that is read is within its ranges and is written again
 * as it was. */
#include "fuzz.h"

#include <string.h>

#include "probe/echo.h"

void fuzz_echo(const char *bytes, size_t length)
{
    char again[ECHO_HEADER];
    struct echo echo;

    if (!echo_read(bytes, length, &echo))
        return;
    fuzz_check(echo.count <= ECHO_COUNT_MAX && echo.size <= DATAGRAM_JUMBO, "%u of %u B",
               (unsigned)echo.count, (unsigned)echo.size);
    echo_write(&echo, again);
    fuzz_check(memcmp(again, bytes, sizeof again) == 0, "is written otherwise");
}
