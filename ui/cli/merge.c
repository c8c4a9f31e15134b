#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "cli/arguments.h"
#include "cli/search.h"
#include "cli/source.h"
#include "command.h"

static const struct option_row merge_options[] = {
    OPTION_ALL_EQUIVALENT,
    OPTION_CSV,
    OPTION_HELP,
    OPTION_JSON,
    OPTION_MARKDOWN,
    OPTION_FRONT_SVG,
    OPTION_TOP,
    OPTION_WITHIN,
    OPTION_END,
};

/* Files ---------------------------------------------------------------------------------------- */

static int read_shard(struct cli *cli, const char *path, struct shard *shard)
{
    struct problems problems = {NULL, 0, 0};
    size_t length = 0;
    char *bytes = NULL;
    int status = source_read(cli, path, SHARD_BYTES_MAX, &bytes, &length);

    if (status == EXIT_GOOD && shard_parse(bytes, length, shard, &problems) != STATUS_OK)
        status = EXIT_PROBLEM;
    shard->path = strcmp(path, "-") == 0 ? "standard input" : path;
    source_print_problems(cli, cli->err, shard->path, &problems);
    problems_free(&problems);
    free(bytes);
    return status;
}

static int by_block(const void *a, const void *b)
{
    uint64_t first = ((const struct shard *)a)->block;
    uint64_t second = ((const struct shard *)b)->block;

    return (first > second) - (first < second);
}

/* Names the blocks that are missing, as an array of tasks is given to Slurm: "2,5-7". `shard`:
 * sorted. */
static int refuse_missing(struct cli *cli, const struct shard *shard, int count)
{
    const uint64_t blocks = shard[0].blocks;
    enum { LIST_MOST = 700 };
    struct buffer list = {0};
    uint64_t next = 1;
    int status;

    for (int i = 0; i <= count; next = i < count ? shard[i].block + 1 : 0, i++) {
        const uint64_t last = i < count ? shard[i].block - 1 : blocks;

        if (next > last || list.length > LIST_MOST)
            continue;
        buffer_print(&list, "%s%" PRIu64, list.length > 0 ? "," : "", next);
        if (last > next)
            buffer_print(&list, "-%" PRIu64, last);
    }
    status = arguments_problem(cli, "block%s %s%s of %" PRIu64 " %s missing",
                               blocks - (uint64_t)count == 1 ? "" : "s", list.bytes,
                               list.length > LIST_MOST ? " and others" : "", blocks,
                               blocks - (uint64_t)count == 1 ? "is" : "are");
    buffer_free(&list);
    return status;
}

/* Sorts the blocks and refuses those that are not all blocks of one search. */
static int check_blocks(struct cli *cli, struct shard *shard, int count)
{
    for (int i = 1; i < count; i++)
        if (!shard_same_search(&shard[0], &shard[i]))
            return arguments_problem(cli, "%s is of another search than %s", shard[i].path,
                                     shard[0].path);
    qsort(shard, (size_t)count, sizeof *shard, by_block);
    for (int i = 1; i < count; i++)
        if (shard[i].block == shard[i - 1].block)
            return arguments_problem(cli, "block %" PRIu64 " is given twice: %s and %s",
                                     shard[i].block, shard[i - 1].path, shard[i].path);
    return (uint64_t)count == shard[0].blocks ? EXIT_GOOD : refuse_missing(cli, shard, count);
}

/* Question ------------------------------------------------------------------------------------- */

/* Opens the design of the search and prints its answer. */
static int run_question(struct cli *cli, const struct arguments *question,
                        const struct arguments *output, struct shard *shard, int count)
{
    struct opened_design design;
    int status = source_open(cli, question, arguments_operand(question, 0), &design);

    if (status == EXIT_GOOD)
        status = source_evaluate(cli, &design);
    if (status == EXIT_GOOD)
        status = search_merge(cli, question, output, &design, shard, count);
    source_close(&design);
    return status;
}

/* Reads the arguments of the search that the blocks are of. */
static int merge_blocks(struct cli *cli, const struct arguments *arguments, struct shard *shard,
                        int count)
{
    int words = shard[0].argument_count;
    char **argv = allocate_array((size_t)words + 2, sizeof *argv);
    struct arguments question;
    int status = EXIT_PROBLEM;
    char name[] = "search";

    argv[0] = name;
    for (int i = 0; i < words; i++)
        argv[i + 1] = shard[0].argument[i];
    if (arguments_read(cli, &command_search, words + 1, argv, &question, &status)) {
        status = run_question(cli, &question, arguments, shard, count);
        arguments_free(&question);
    }
    free(argv);
    return status;
}

static int run_merge(struct cli *cli, const struct arguments *arguments,
                     struct opened_design *design)
{
    struct shard *shard;
    int operands = 0, count = 0;
    int status = EXIT_GOOD;

    (void)design;
    while (arguments_operand(arguments, operands) != NULL)
        operands++;
    shard = allocate_array((size_t)operands, sizeof *shard);
    /* all files are read, so that every block that has to be tried again is named */
    for (int i = 0; i < operands; i++) {
        int one = read_shard(cli, arguments_operand(arguments, i), &shard[count]);

        if (one != EXIT_GOOD)
            shard_free(&shard[count]);
        count += one == EXIT_GOOD;
        status = status == EXIT_GOOD ? one : status;
    }
    if (count > 0) {
        int all = check_blocks(cli, shard, count);

        status = status == EXIT_GOOD ? all : status;
    }
    if (status == EXIT_GOOD)
        status = merge_blocks(cli, arguments, shard, count);
    for (int i = 0; i < count; i++)
        shard_free(&shard[i]);
    free(shard);
    return status;
}

const struct command command_merge = {
    .name = "merge",
    .operands = "FILE|- [FILE|-...]",
    .operand_max = INT_MAX,
    .missing = "the blocks of a search are missing, as in: aolag merge search.1 search.2",
    .help = "Combines the blocks of a search that --shard divided and prints the answer that one "
            "run would print.",
    .options = merge_options,
    .group = GROUP_WHAT_IF,
    .run = run_merge,
};
