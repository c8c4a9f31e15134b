/* A block of a search: what is read is written again as it is. */
#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "base/hash.h"
#include "explore/shard.h"
#include "fuzz.h"

static void check_block(const char *bytes, size_t length)
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

/* No chance finds the checksum of the lines above "end": it is written for the input. */
void fuzz_shard(const char *bytes, size_t length)
{
    const char *end = length > 0 ? memmem(bytes, length, "\nend", strlen("\nend")) : NULL;
    struct buffer sealed = {0};

    check_block(bytes, length);
    if (end == NULL)
        return;
    buffer_add(&sealed, bytes, (size_t)(end + 1 - bytes));
    buffer_print(&sealed, "end %016" PRIx64 "\n",
                 hash_bytes(HASH_EMPTY, sealed.bytes, sealed.length));
    check_block(sealed.bytes, sealed.length);
    buffer_free(&sealed);
}
