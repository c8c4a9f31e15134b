/* Runs the program with faults and prints TAP, a case per command and fault:
 *
 *     campaign                        a sample of the faults, the same on every run
 *     campaign --all [--seconds N]    every fault, or as many of each kind as the time allows
 *     campaign --only PART [--all]    commands, outputs and parts whose line contains PART
 *     campaign --all --after FILE     goes on with the allocations that FILE says are left, and
 * writes it campaign --list                 prints the commands and runs nothing
 *
 * With --all a table follows of how many were tried and found bad. $AOLAG is the program, $STARVE
 * the library of tests/faults/starve.c. Whatever fails, a command must print its whole output and
 * succeed, or print a sentence and end with another status; without memory it ends with 1; files are in tests/faults/outputs.c,
 * sessions of random keys in tests/faults/sessions.c. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outputs.h"
#include "program.h"
#include "sessions.h"

enum { SHOWN_MAX = 10 };

/* Commands with the same output on every run, but for those that measure; words are separated by blanks. Paths begin in
 * $TESTDATA, those of make_blocks in $TMPDIR. `sample`: how many allocations fail one by one
 * without
 * --all, fewer of slow commands; 0: nothing is tried then. */
static const struct {
    const char *line;
    unsigned sample;
} commands[] = {
    {"advise small.ini", 1},
    {"advise small.ini --set scenario.target_latency=1ms --json", 1},
    {"calibrate elt-scao --measured latency=65us", 8},
    {"calibrate elt-scao --measured latency=65us --json", 4},
    {"calibrate elt-scao --measured latency=65us --markdown", 1},
    {"calibrate micado-scao --run micado-run.json", 2},
    {"check format-1.ini", 8},
    {"compare elt-scao small.ini", 4},
    {"compare elt-scao small.ini --json", 4},
    {"compare elt-scao small.ini --markdown", 4},
    {"sensor saxo", 8},
    {"sensor small.ini --set wfs.ngs.agenda=patterns/agenda.csv", 4},
    {"sensor small.ini --set wfs.ngs.readout_map=patterns/map.csv", 4},
    {"sensor small.ini --set wfs.ngs.mask=patterns/mask.txt", 4},
    {"sensor saxo --csv", 8},
    {"sensor saxo --json", 8},
    {"sensor saxo --map", 8},
    {"sensor saxo --mask", 8},
    {"eval elt-scao", 8},
    {"eval elt-scao --csv", 8},
    {"eval elt-scao --packets --csv", 8},
    {"eval elt-scao --json --jitter 100", 8},
    {"eval small.ini --markdown", 1},
    {"eval format-1.ini", 1},
    {"explain latency_high small.ini", 1},
    {"explain latency small.ini --json", 1},
    {"explain device.rtc.cores elt-scao", 3},
    {"export tiptop eris", 4},
    {"fit apexmap_sample.csv", 3},
    {"fit apexmap_sample.csv --json", 3},
    {"fit apexmap_sample.csv --markdown", 3},
    {"fit apexmap_sample.csv state/aolag/machine.csv", 2},
    {"help eval", 8},
    {"help --complete -- eval --set device.rtc.c", 4},
    {"flow saxo --set telemetry.pixels=1 --set update.period=1", 8},
    {"flow saxo --set telemetry.pixels=1 --set update.period=1 --csv", 4},
    {"flow saxo --set telemetry.pixels=1 --set update.period=1 --json", 4},
    {"flow saxo --set telemetry.pixels=1 --set update.period=1 --markdown", 4},
    {"import daolite/agendas.yaml", 4},
    {"import daolite/network.json", 4},
    {"import daolite/network.json --compat", 3},
    {"import daolite/network.json --csv", 2},
    {"import daolite/network.json --json", 2},
    {"import daolite/network.json --markdown", 2},
    {"import --list", 4},
    {"import tiptop/two-sensors.ini", 4},
    {"import tiptop/two-sensors.ini --json", 2},
    {"jitter latencies.txt", 8},
    {"jitter latencies.txt --csv", 4},
    {"jitter latencies.txt --json", 4},
    {"jitter latencies.txt --markdown", 4},
    {"loop saxo", 8},
    {"loop saxo --csv", 8},
    {"loop saxo --json", 8},
    {"loop saxo --markdown", 8},
    {"params", 8},
    {"params --scenario elt-scao --json", 8},
    {"plot advise small.ini", 1},
    {"plot compare saxo small.ini", 6},
    {"plot components elt-scao", 8},
    {"plot flow saxo --set telemetry.pixels=1", 8},
    {"plot sensor elt-scao", 6},
    {"plot loop saxo --of budget", 4},
    {"plot machine apex", 1},
    {"plot machine dispatch", 1},
    {"plot machine gpu", 1},
    {"plot machine kernels", 1},
    {"plot machine memory", 1},
    {"plot machine operations", 1},
    {"plot program $TESTDATA/../../data/traces/mvm-two-sockets.csv elt-scao", 6},
    {"plot program $TESTDATA/../../data/traces/mvm-two-sockets.csv elt-scao --of phases --text", 6},
    {"plot roofline elt-scao", 8},
    {"plot sweep scenario.packets=10:50:4 elt-scao", 8},
    {"plot timeline elt-scao", 8},
    {"presets", 1},
    {"presets list fpga --csv", 4},
    {"presets list fpga --json", 4},
    {"presets list fpga --markdown", 4},
    {"presets show elt-scao", 8},
    {"probe --from gpu.csv", 2},
    {"probe --from state/aolag/machine.csv", 2},
    {"probe --from state/aolag/machine.csv --csv", 2},
    {"probe --from state/aolag/machine.csv --json", 1},
    {"probe --from state/aolag/machine.csv --markdown", 2},
    {"rank cpu small.ini", 8},
    {"rank cpu small.ini --csv", 2},
    {"rank cpu small.ini --json", 1},
    {"rank cpu small.ini --markdown", 1},
    {"run small.ini --frames 4", 2},
    {"run small.ini --frames 4 --csv", 1},
    {"run small.ini --frames 4 --json", 1},
    {"run small.ini --frames 4 --markdown", 1},
    {"screen small.ini --keys campaign.keys", 1},
    {"merge $TMPDIR/search.1 $TMPDIR/search.2", 3},
    {"merge $TMPDIR/search.1 $TMPDIR/search.2 --csv", 2},
    {"merge $TMPDIR/search.1 $TMPDIR/search.2 --json", 3},
    {"merge $TMPDIR/search.1 $TMPDIR/search.2 --markdown", 2},
    {"search --over device.gpu0=nvidia-a10,nvidia-a30 --shard 1/2 elt-scao", 3},
    {"search --over device.rtc=cpu small.ini", 3},
    {"search --over device.rtc=cpu small.ini --csv", 2},
    {"search --over device.rtc=cpu small.ini --json --why amd-epyc-9654", 1},
    {"search --over device.rtc=cpu small.ini --markdown", 1},
    {"seek scenario.frame_rate saxo", 8},
    {"seek scenario.frame_rate saxo --json", 4},
    {"sweep scenario.packets=10:50:4 elt-scao --results latency,load", 8},
    {"sweep scenario.packets=10:50:4 elt-scao --results latency --csv", 3},
    {"sweep scenario.packets=10:50:4 elt-scao --results latency --json", 8},
    {"trace --from lackey.txt -o -", 8},
    {"validate --published", 6},
    {"validate --published --json", 6},
    {"validate --published --markdown", 4},
    {"validate --pipelines --csv", 0},
};

/* What runs out, as tests/faults/starve.c takes it, or a limit of setrlimit. */
static struct fault {
    const char *name;
    const char *of;
    bool on;
    int limit; /* with `of` NULL; its values are least, least + step ... */
    unsigned long least, step, values;
    unsigned long tried, all, bad;
} faults[] = {
    {.name = "one allocation fails", .of = "memory"},
    {.name = "allocations fail from one on", .of = "memory", .on = true},
    {.name = "one file cannot be opened", .of = "open"},
    {.name = "files cannot be opened from one on", .of = "open", .on = true},
    {.name = "one thread cannot be started", .of = "thread"},
    {.name = "threads cannot be started from one on", .of = "thread", .on = true},
    /* the loader needs 6 MB */
    {.name = "the address space is limited",
     .limit = RLIMIT_AS,
     .least = 7000UL << 10,
     .step = 331UL << 10,
     .values = 100},
    {.name = "the stack is limited",
     .limit = RLIMIT_STACK,
     .least = 128UL << 10, /* an eighth of what the program asks for */
     .step = 128UL << 10,
     .values = 16},
    {.name = "the number of open files is limited",
     .limit = RLIMIT_NOFILE,
     .least = 3,
     .step = 1,
     .values = 12},
    {.name = "the size of files is limited",
     .limit = RLIMIT_FSIZE,
     .least = 0,
     .step = 4096,
     .values = 2},
    {.name = "the number of processes is limited",
     .limit = RLIMIT_NPROC,
     .least = 1, /* itself */
     .step = 1,
     .values = 4},
};

enum { FAULTS = sizeof faults / sizeof faults[0] };

enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* How many allocations of each command failed, in each of the first two ways, also in earlier
 * campaigns. */
static struct place {
    unsigned long tried, all;
} places[COMMANDS][2];

/* Reads what earlier campaigns tried: lines of way, tried, all and the command. */
static void read_places(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[LINE_BYTES];
    struct place place;
    unsigned way;

    while (file != NULL &&
           fscanf(file, "%u %lu %lu %511[^\n]", &way, &place.tried, &place.all, line) == 4)
        for (size_t c = 0; c < COMMANDS && way < 2; c++)
            if (strcmp(commands[c].line, line) == 0)
                places[c][way] = place;
    if (file != NULL)
        fclose(file);
}

static void write_places(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        stop(path);
    for (size_t c = 0; c < COMMANDS; c++)
        for (unsigned way = 0; way < 2; way++)
            if (places[c][way].tried > 0)
                fprintf(file, "%u %lu %lu %s\n", way, places[c][way].tried, places[c][way].all,
                        commands[c].line);
    if (fclose(file) != 0)
        stop(path);
}

static struct tally tally;

/* Whether standard error has more than one line that it has not without a fault. */
static bool says_it_twice(const struct outcome *outcome, const struct outcome *whole)
{
    int lines = 0;

    for (const char *at = outcome->err, *end; *at != '\0'; at = end) {
        size_t length = strcspn(at, "\n");

        end = at + length + (at[length] == '\n');
        lines += memmem(whole->err, whole->err_length, at, length) == NULL;
    }
    return lines > 1;
}

/* Returns what is wrong with an outcome, of a run without some of its memory or with another fault;
 * NULL: nothing. */
static const char *find_fault(const char *line, bool takes_memory, const struct outcome *outcome,
                              const struct outcome *whole)
{
    /* run measures, and prints other figures each time */
    bool complete = strncmp(line, "run ", 4) == 0
                        ? outcome->out_length > 0
                        : outcome->out_length == whole->out_length &&
                              memcmp(outcome->out, whole->out, whole->out_length) == 0;

    if (outcome->hangs)
        return "hangs";
    if (WIFSIGNALED(outcome->status))
        return "crashes";
    /* merge names all files that it cannot read */
    if (says_it_twice(outcome, whole) && (takes_memory || strncmp(line, "merge ", 6) != 0))
        return "prints more than one sentence";
    if (ran_out_of_memory(outcome))
        return NULL;
    if (outcome->status == whole->status)
        return complete ? NULL : "succeeds with a part of its output";
    if (takes_memory && strstr(outcome->err, strerror(ENOMEM)) == NULL)
        return "does not say that there is no memory";
    return is_sentence(outcome->err, outcome->err_length) ||
                   (strncmp(line, "check ", 6) == 0 &&
                    is_sentence(outcome->out, outcome->out_length))
               ? NULL
               : "fails without a sentence";
}

static struct outcome run_with(const char *line, const struct fault *fault, unsigned long at)
{
    struct start start = {.line = line, .limit = -1};

    if (fault->of != NULL) {
        start.refusal = (struct refusal){.of = fault->of, .at = at, .on = fault->on};
    } else {
        start.limit = fault->limit;
        start.most = fault->least + (at - 1) * fault->step;
    }
    return program_run(&start);
}

/* Tries `most` of the requests, one of which is refused at a time, or as many as there is time for.
 */
static void run_case(size_t number, struct fault *fault, unsigned long most, unsigned long count,
                     const struct outcome *whole)
{
    const char *line = commands[number].line;
    struct place *place = fault - faults < 2 ? &places[number][fault - faults] : NULL;
    /* another number of them is that of another program */
    unsigned long first = place != NULL && place->all == count ? place->tried : 0;
    unsigned long tried = first;
    unsigned bad = 0;
    bool takes_memory = fault->of != NULL && strcmp(fault->of, "memory") == 0;

    for (; tried < count && tried - first < most && !budget_share_spent(); tried++) {
        unsigned long at = spread(tried + number, count);
        struct outcome outcome = run_with(line, fault, at);
        const char *wrong = find_fault(line, takes_memory, &outcome, whole);

        if (wrong != NULL && bad++ < SHOWN_MAX)
            printf("# %lu of %lu: aolag %s %s\n", at, count, line, wrong);
        outcome_free(&outcome);
    }
    if (place != NULL)
        *place = (struct place){tried, count};
    fault->tried += tried;
    fault->all += count;
    fault->bad += bad;
    tally_case(&tally, tried, bad, "%s: %s", line, fault->name);
}

/* Whether a limit of processes can be tried: root tries it as another user, who may not be allowed
 * to reach the program. */
static bool can_limit_processes(void)
{
    static int can = -1;

    if (can < 0) {
        struct outcome check = program_run(&(struct start){
            .line = "check format-1.ini", .limit = RLIMIT_NPROC, .most = RLIM_INFINITY});

        can = check.status == 0;
        outcome_free(&check);
    }
    return can > 0;
}

/* Tries all faults on a command; one that requests nothing of a kind has no case. */
static void run_command(size_t number, const char *counts, unsigned long most)
{
    const char *line = commands[number].line;
    struct outcome whole =
        program_run(&(struct start){.line = line, .limit = -1, .counts = counts});

    if (whole.out_length == 0 || program_count(counts, "memory") == 0) {
        tally.failures++;
        printf("not ok %u - %s\n# prints nothing, or its allocations are not counted\n%s",
               ++tally.cases, line, whole.err);
    }
    for (size_t f = 0; f < FAULTS; f++) {
        unsigned long count =
            faults[f].of != NULL ? program_count(counts, faults[f].of) : faults[f].values;

        budget_share();
        if (faults[f].of == NULL && faults[f].limit == RLIMIT_NPROC && !can_limit_processes())
            printf("ok %u - %s: %s # SKIP no other user may run the program\n", ++tally.cases, line,
                   faults[f].name);
        else if (count > 0)
            run_case(number, &faults[f],
                     most > 0                        ? most
                     : faults[f].of != NULL && f < 2 ? commands[number].sample
                                                     : 1,
                     count, &whole);
    }
    outcome_free(&whole);
}

static bool is_tried(const char *words, const char *option)
{
    size_t length = strlen(words);

    for (size_t i = 0; i < COMMANDS; i++) {
        const char *line = commands[i].line;

        if (strncmp(line, words, length) == 0 && (line[length] == ' ' || line[length] == '\0') &&
            strstr(line, option) != NULL)
            return true;
    }
    return false;
}

static void check_words(const char *words, const char *option)
{
    tally_case(&tally, 1, !is_tried(words, option), "%s%s is tried", words, option);
}

/* Checks that the table has every kind of chart, which are named where one is unknown. */
static void check_kinds(const char *words)
{
    char line[LINE_BYTES];
    struct outcome unknown;
    char *kinds, *rest;

    snprintf(line, sizeof line, "%s none", words);
    unknown = program_run(&(struct start){.line = line, .limit = -1});
    kinds = strstr(unknown.err, "one of ");
    if (kinds == NULL)
        stop(line);
    kinds = strtok_r(kinds + strlen("one of "), "\n", &rest);
    for (char *kind = strtok_r(kinds, ", ", &rest); kind != NULL;
         kind = strtok_r(NULL, ", ", &rest)) {
        snprintf(line, sizeof line, "%s %s", words, kind);
        check_words(line, "");
    }
    outcome_free(&unknown);
}

/* Checks that the table has every command that the help text lists, in every format. */
static void check_table(void)
{
    static const char *const formats[] = {" --csv", " --json", " --markdown"};

    for (int i = 0; program_command(i) != NULL; i++) {
        const char *name = program_command(i);
        char line[LINE_BYTES];
        struct outcome help;

        snprintf(line, sizeof line, "help %s", name);
        help = program_run(&(struct start){.line = line, .limit = -1});
        check_words(name, "");
        for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
            if (strstr(help.out, formats[f]) != NULL)
                check_words(name, formats[f]);
        outcome_free(&help);
    }
    check_kinds("plot");
    check_kinds("plot machine");
}

static void run_commands(const char *only, bool all, unsigned long most)
{
    char counts[] = "/tmp/aolag-counts-XXXXXX";
    int file = mkstemp(counts);

    if (file < 0)
        stop("mkstemp");
    close(file);
    for (size_t i = 0; i < COMMANDS; i++)
        if (strstr(commands[i].line, only) != NULL && (all || commands[i].sample > 0))
            run_command(i, counts, most);
    unlink(counts);
}

/* The start of the screen, by the curses library, which crashes where its allocations fail: until
 * the paste mode is switched on there are fewer than STARTS. */
enum { STARTS = 320, STARTS_SAMPLED = 9 };

static struct {
    unsigned long tried, bad;
} starts;

/* Whether more than one sentence follows the screen. */
static bool says_more(const struct outcome *outcome)
{
    static const char prefix[] = "aolag: ";
    const char *end = outcome->out + outcome->out_length;
    int sentences = 0;

    for (const char *at = outcome->out;
         (at = memmem(at, (size_t)(end - at), prefix, sizeof prefix - 1)) != NULL;
         at += sizeof prefix - 1)
        sentences++;
    return sentences > 1;
}

static const char *find_start_fault(const struct outcome *outcome)
{
    if (outcome->hangs)
        return "hangs";
    if (WIFSIGNALED(outcome->status))
        return "crashes";
    if (!outcome->terminal_back)
        return "does not give the terminal back";
    if (says_more(outcome))
        return "prints more than one sentence";
    /* the terminal may have echoed the key after it */
    return outcome->status == 0 || memmem(outcome->out, outcome->out_length, "emory", 5) != NULL
               ? NULL
               : "fails without a sentence";
}

static void try_starts(const char *only, bool all)
{
    static const struct typed leaving[] = {{"\033[?2004h", "q", 0}, {NULL, NULL, 0}};
    const char *name = "start of the screen";

    if (strstr(name, only) == NULL)
        return;
    budget_share();
    for (unsigned long i = 0; i < 2 * STARTS && !budget_share_spent();
         i += all ? 1 : STARTS_SAMPLED) {
        const struct refusal refusal = {.of = "memory", .at = i / 2 + 1, .on = i % 2 != 0};
        struct outcome outcome = program_run(&(struct start){
            .line = "small.ini", .limit = -1, .typed = leaving, .refusal = refusal});
        const char *wrong = find_start_fault(&outcome);

        if (wrong != NULL && starts.bad++ < SHOWN_MAX)
            printf("# allocation %lu%s: the start of the screen %s\n", refusal.at,
                   refusal.on ? " and all after it" : "", wrong);
        starts.tried++;
        outcome_free(&outcome);
    }
    tally_case(&tally, starts.tried, starts.bad != 0, "%s", name);
}

static void print_table(void)
{
    puts("| fault | tried | of | bad |\n| --- | ---: | ---: | ---: |");
    for (size_t f = 0; f < FAULTS; f++)
        if (faults[f].all > 0)
            printf("| %s | %lu | %lu | %lu |\n", faults[f].name, faults[f].tried, faults[f].all,
                   faults[f].bad);
    if (starts.tried > 0)
        printf("| the start of the screen has no memory | %lu | %d | %lu |\n", starts.tried,
               2 * STARTS, starts.bad);
    outputs_print_table();
    sessions_print_table();
    puts("\n| not every allocation failed in | places | of |\n| --- | ---: | ---: |");
    for (size_t c = 0; c < COMMANDS; c++) {
        unsigned long tried = places[c][0].tried + places[c][1].tried;
        unsigned long count = places[c][0].all + places[c][1].all;

        if (tried < count)
            printf("| %s | %lu | %lu |\n", commands[c].line, tried, count);
    }
}

/* Makes two blocks of a search, which only this version of the program puts together. */
static bool make_blocks(void)
{
    return system(
               "for block in 1 2; do $AOLAG search --over device.rtc=amd-epyc-7742,amd-epyc-9654 "
               "--over scenario.packets=1:3 --objective count --shard $block/2 small.ini "
               ">$TMPDIR/search.$block || exit; done") == 0;
}

int main(int argc, char **argv)
{
    const char *only = "";
    const char *after = NULL;
    const char *every = getenv("SYSTEMS_EVERY");
    unsigned long most = every != NULL && strcmp(every, "1") != 0 ? 2 : 0; /* 0: each sample */
    unsigned long seconds = 0;
    unsigned shares = 0;
    bool all = false;
    char state[4096];

    for (size_t c = 0; argc == 2 && strcmp(argv[1], "--list") == 0; c++) {
        if (c == COMMANDS)
            return 0;
        puts(commands[c].line);
    }
    for (int i = 1; i < argc; i++) {
        all = all || strcmp(argv[i], "--all") == 0;
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            seconds = strtoul(argv[++i], NULL, 10);
        if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        if (strcmp(argv[i], "--after") == 0 && i + 1 < argc)
            after = argv[++i];
    }
    if (getenv("STARVE") != NULL && getenv("STARVE")[0] == '\0') {
        puts("1..0 # SKIP a sanitizer allocates");
        return 0;
    }
    if (getenv("AOLAG") == NULL || getenv("STARVE") == NULL || getenv("TESTDATA") == NULL ||
        getenv("TMPDIR") == NULL || chdir(getenv("TESTDATA")) != 0) {
        fputs("campaign: $AOLAG, $STARVE, $TESTDATA and $TMPDIR are needed\n", stderr);
        return 99;
    }
    if (!make_blocks()) {
        fputs("campaign: no blocks of a search\n", stderr);
        return 99;
    }
    snprintf(state, sizeof state, "%s/state", getenv("TESTDATA"));
    setenv("XDG_STATE_HOME", state, 1);
    /* prices of none of the parts of the blocks, which outputs merge without them */
    snprintf(state, sizeof state, "%s/config", getenv("TESTDATA"));
    setenv("XDG_CONFIG_HOME", state, 1);
    /* without memory for a locale the C library goes on in ASCII, which is the whole output, too */
    setenv("LC_ALL", "C", 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t c = 0; c < COMMANDS; c++)
        shares += strstr(commands[c].line, only) != NULL ? FAULTS : 0;
    shares += strstr("start of the screen", only) != NULL;
    outputs_begin();
    for (size_t c = 0; c < COMMANDS; c++)
        if (strncmp(commands[c].line, "plot ", 5) == 0 &&
            strstr(commands[c].line, "--text") == NULL)
            outputs_add_plot(commands[c].line);
    budget_start(seconds, shares + outputs_shares(only) + sessions_shares(only));
    if (only[0] == '\0')
        check_table();
    try_starts(only, all);
    if (after != NULL)
        read_places(after);
    run_commands(only, all, all ? ULONG_MAX : most);
    if (after != NULL)
        write_places(after);
    files_enter();
    /* outputs come last: a fault in a slow one takes longer than its share */
    sessions_try(only, all, &tally);
    outputs_try(only, all, &tally);
    printf("1..%u\n", tally.cases);
    if (tally.skipped > 0)
        printf("# %u cases are skipped: no time is left for them\n", tally.skipped);
    if (all)
        print_table();
    return tally.failures > 0;
}
