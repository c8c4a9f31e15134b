/* A block of a search: what is read is written again as it is. */
#include <string.h>

#include "base/buffer.h"
#include "explore/shard.h"
#include "fuzz.h"

void fuzz_shard(const char *bytes, size_t length)
{
    struct shard shard, again = {.argument = NULL};
    struct problems problems = {NULL, 0, 0};
    enum status status = shard_parse(bytes, length, &shard, &problems);
    struct buffer first = {0}, second = {0};

    fuzz_check_problems(status, &problems);
    if (status == STATUS_OK) {
        shard_print(&shard, &first);
        fuzz_check(shard_parse(first.bytes, first.length, &again, &problems) == STATUS_OK,
                   "a block that was written is not read: %s", first.bytes);
        fuzz_check(shard_same_search(&shard, &again), "another search was read");
        shard_print(&again, &second);
        fuzz_check(strcmp(first.bytes, second.bytes) == 0, "%s became %s", first.bytes,
                   second.bytes);
    }
    buffer_free(&first);
    buffer_free(&second);
    problems_free(&problems);
    shard_free(&shard);
    shard_free(&again);
}
