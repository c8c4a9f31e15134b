/* The answer of a search for one block of its designs, as a file: the question as arguments of
 * aolag search, numbers of designs, and the fronts. Blocks of all designs are put together to the
 * answer of the whole search.
 *
 *     aolag search 4                    the version of the format
 *     argument --over=device.rtc=cpu    each argument, as it was given
 *     block 2 of 4
 *     designs 4020                      of the whole search
 *     checksum 5c1e0d9a7b3f2e64         of the question (shard_checksum)
 *     verdicts 812 0 3 ...              by enum sweep_verdict
 *     problem TEXT                      why the first invalid design is that; empty: none
 *     front 2 14                        objectives, designs; then each with its values in SI
 *     1207 0.00023 450
 *     why ...                           as verdicts and front, with --why
 *     best 2 3
 *     end 90d2...                       checksum of all lines above
 */
#ifndef AOLAG_EXPLORE_SHARD_H
#define AOLAG_EXPLORE_SHARD_H

#include "base/buffer.h"
#include "base/problems.h"
#include "design/trace_library.h"
#include "explore/search.h"

#define SHARD_BYTES_MAX (64 << 20)

struct shard {
    const char *path; /* of the file, for messages */
    int argument_count;
    char **argument; /* [argument_count] */
    uint64_t block, blocks;
    uint64_t designs;
    uint64_t checksum;
    int objectives;
    bool why;
    uint64_t count[SEARCH_VERDICTS], why_count[SEARCH_VERDICTS];
    struct error problem;
    struct search_front front, why_front; /* by number */
};

/* Returns the checksum of all that decides the answer of a search: the design with its files, the
 * values on the axes with those of their presets, objectives, conditions, and the version of the
 * program and the sources of its model (model_sum). */
uint64_t shard_checksum(const struct search *search, const struct trace_library *files);

/* Writes a block. The arguments contain no line breaks. */
void shard_print(const struct shard *shard, struct buffer *text);

/* Reads a file, whose numbers have to be those of its block. Adds the first problem. Returns
 * STATUS_INVALID; call shard_free in any case. */
enum status shard_parse(const char *bytes, size_t length, struct shard *shard,
                        struct problems *problems);
void shard_free(struct shard *shard);

/* Returns true if two blocks are of the same search. */
bool shard_same_search(const struct shard *a, const struct shard *b);

/* Adds a block to the answer of a search, in the order of the blocks. After the last one
 * the fronts have to be sorted (search_sort). */
void shard_add(struct search *search, struct shard *shard);

#endif
