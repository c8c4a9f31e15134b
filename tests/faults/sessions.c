#include "sessions.h"

#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

enum { SHOWN_MAX = 5, KEYS_MAX = 60, ROUNDS = 60, PER_ROUND = 20, TEXT_BYTES = 8192 };

/* A sequence of random numbers, which the seed of a session begins. */
static uint64_t state;

static unsigned below(unsigned limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 32) % limit);
}

static void begin_sequence(unsigned seed)
{
    state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < 8; i++)
        below(2);
}

#define ANY_OF(list) (list)[below(sizeof(list) / sizeof(list)[0])]

struct text {
    char bytes[TEXT_BYTES];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    text->length += (size_t)vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length,
                                      format, list);
    va_end(list);
    if (text->length >= sizeof text->bytes)
        stop("a session is too long");
}

static void put(const char *path, const char *bytes)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(bytes, file) < 0 || fclose(file) != 0)
        stop(path);
}

/* Makes a design the only file that is there. */
static void begin_design(void)
{
    static const char *const systems[] = {"saxo", "elt-scao", "mavis", "harmoni-scao"};
    char line[64];
    struct outcome shown;

    snprintf(line, sizeof line, "presets show %s", ANY_OF(systems));
    files_put(&(struct files){0});
    shown = program_run(&(struct start){.line = line, .limit = -1});
    if (shown.status != 0)
        stop(line);
    put("design.ini", shown.out);
    outcome_free(&shown);
}

/* Whether check finds nothing wrong but that a new design has no component yet, or it is a picture,
 * which may have any name. The name of the file may have blanks. */
static bool is_accepted(const struct files *files, int number)
{
    static const char picture[] = "<?xml ";
    struct outcome check;
    FILE *copy;
    bool good;

    if (files->list[number].length > strlen(picture) &&
        memcmp(files->list[number].bytes, picture, strlen(picture)) == 0)
        return true;
    copy = fopen("copy.ini", "w");
    if (copy == NULL ||
        fwrite(files->list[number].bytes, 1, files->list[number].length, copy) !=
            files->list[number].length ||
        fclose(copy) != 0)
        stop("copy.ini");
    check = program_run(&(struct start){.line = "check copy.ini", .limit = -1});
    good = check.status == 0 || strstr(check.out, ": no components") != NULL;
    outcome_free(&check);
    unlink("copy.ini");
    return good;
}

/* Every scenario that is on the disk is whole. */
static const char *check_designs(bool killed)
{
    struct files files = files_look();
    const char *wrong = NULL;

    for (int i = 0; i < files.count && wrong == NULL; i++) {
        const char *path = files.list[i].path;
        size_t length = strlen(path);

        if (strstr(path, "/.aolag-") != NULL)
            wrong = killed ? NULL : "leaves a temporary file";
        else if (length > 4 && strcmp(path + length - 4, ".ini") == 0 && !is_accepted(&files, i))
            wrong = "leaves a scenario that check refuses";
    }
    files_free(&files);
    return wrong;
}

/* Keys without a terminal ---------------------------------------------------------------------- */

static const char *const named[] = {"Up",        "Down",    "Left",     "Right", "S-Up",  "S-Down",
                                    "S-Left",    "S-Right", "PageUp",   "Home",  "End",   "Esc",
                                    "Backspace", "Delete",  "Tab",      "S-Tab", "Enter", "Enter",
                                    "C-r",       "C-u",     "PageDown", "F1",    "C-c",   "C-l"};

/* Lines of a script, some of which need Enter. */
static const char *const lines[] = {
    "text :w",
    "text :w other.ini",
    "text :wq third.ini",
    "text :e other.ini",
    "text :open design.ini",
    "text :save-as fourth.ini",
    "text :picture screen.svg",
    "text :set scenario.packets=7",
    "text :set device.rtc.cores=64",
    "text :set scenario.title=a=b;c",
    "text :set scenario.frame_rate=333 Hz",
    "text :set component.recon.device=rtc",
    "text :preset amd-epyc-9654",
    "text :new",
    "text :reload",
    "text :remove",
    "text :remove component.control",
    "text :add",
    "text :baseline",
    "text :eval --json",
    "text :explain latency",
    "text :eval --markdown -o report.md",
    "text :sweep scenario.packets=1:20:3",
    "text other.ini",
    "text e",
    "text 17",
    "text x2",
    "screen",
    "wait",
};

/* 'r' would measure the machine for minutes. */
static char any_character(void)
{
    char c = (char)('!' + below('~' - '!'));

    return c == 'r' || c == '#' ? 's' : c;
}

static void add_key(struct text *keys)
{
    unsigned kind = below(20);

    if (kind < 8)
        add(keys, "%s\n", ANY_OF(named));
    else if (kind < 14)
        add(keys, "%c\n", any_character());
    else if (kind < 18)
        add(keys, "%s\n%s", ANY_OF(lines), below(4) > 0 ? "Enter\n" : "");
    else if (kind < 19)
        add(keys, "resize %ux%u\n", 20 + below(200), 8 + below(60));
    else
        add(keys, "%s %u %u\n", below(2) > 0 ? "click" : "wheel down", below(24), below(80));
}

static const char *find_fault(const struct outcome *outcome)
{
    if (outcome->hangs)
        return "hangs";
    if (WIFSIGNALED(outcome->status))
        return "crashes";
    if (outcome->status != 0)
        return is_sentence(outcome->err, outcome->err_length) ? "fails" : "fails without a word";
    for (size_t i = 0; i < outcome->out_length; i++)
        if ((unsigned char)outcome->out[i] < ' ' && outcome->out[i] != '\n')
            return "prints a control";
    return check_designs(false);
}

static const char *press_keys(struct text *keys)
{
    char line[LINE_BYTES];
    struct outcome outcome;
    const char *wrong;

    for (int count = (int)below(KEYS_MAX); count >= 0; count--)
        add_key(keys);
    put("keys", keys->bytes);
    snprintf(line, sizeof line, "screen design.ini --keys keys --size %ux%u", 20 + below(200),
             8 + below(60));
    outcome = program_run(&(struct start){.line = line, .limit = -1, .inside = true});
    wrong = find_fault(&outcome);
    if (wrong != NULL)
        add(keys, "%.*s\n", (int)strcspn(outcome.err, "\n"), outcome.err);
    outcome_free(&outcome);
    return wrong;
}

/* Kills ---------------------------------------------------------------------------------------- */

static bool holds_packets(const char *path, unsigned packets)
{
    char line[32];
    struct files files = files_look();
    int number = files_find(&files, path);
    bool holds = false;

    snprintf(line, sizeof line, "\npackets = %u\n", packets);
    if (number >= 0)
        holds =
            memmem(files.list[number].bytes, files.list[number].length, line, strlen(line)) != NULL;
    files_free(&files);
    return holds;
}

/* The next session opens what was kept, saves it and leaves nothing behind. */
static const char *recover(unsigned packets)
{
    static const struct typed opening[] = {
        {"nsaved changes", "o", 0}, {"modified", ":w\r:q\r", 0}, {NULL, NULL, 0}};
    struct outcome next = program_run(
        &(struct start){.line = "design.ini", .limit = -1, .typed = opening, .inside = true});
    const char *wrong = next.hangs || next.status != 0 ? "cannot be recovered" : NULL;

    if (wrong == NULL && !next.terminal_back)
        wrong = "does not give the terminal back";
    if (wrong == NULL)
        wrong = check_designs(false);
    if (wrong == NULL && !holds_packets("./design.ini", packets))
        wrong = "loses what was recovered";
    if (wrong == NULL && access(".local/state/aolag/recover.ini", F_OK) == 0)
        wrong = "keeps a recovery file that is no longer needed";
    outcome_free(&next);
    return wrong;
}

/* The program is killed at the first or, after a save, at the second of some operation: in the save
 * or in writing the recovery file two seconds after the last change. */
static const char *kill_session(struct text *keys)
{
    static const char *const operations[] = {"write", "fsync", "rename", "fsync-folder"};
    static const char *const moments[] = {"before", "after"};
    unsigned packets = 300 + below(100);
    bool saves = below(2) > 0;
    struct typed typing[] = {{"quit", NULL, 0}, {NULL, NULL, 0}};
    struct start start = {.line = "design.ini", .limit = -1, .typed = typing, .inside = true};
    struct outcome outcome;
    const char *wrong;

    for (unsigned edits = below(12); edits > 0; edits--)
        add(keys, ":set scenario.packets=%u\r%s", 100 + below(100), below(4) > 0 ? "" : "u");
    if (saves)
        add(keys, ":set scenario.packets=%u\r:w\r", 200 + below(100));
    add(keys, ":set scenario.packets=%u\r", packets);
    typing[0].keys = keys->bytes;
    start.refusal.of = ANY_OF(operations);
    start.refusal.how = ANY_OF(moments);
    start.refusal.at = saves ? 1 + below(2) : 1;
    if (system("mkdir -p .local/state/aolag && echo tour >.local/state/aolag/tour") != 0)
        stop("mkdir");
    outcome = program_run(&start);
    add(keys, "\nkilled %s %s %lu\n", start.refusal.how, start.refusal.of, start.refusal.at);
    wrong = outcome.hangs                         ? "hangs"
            : !WIFSIGNALED(outcome.status)        ? "is not killed"
            : WTERMSIG(outcome.status) != SIGKILL ? "crashes"
                                                  : check_designs(true);
    outcome_free(&outcome);
    if (wrong == NULL && holds_packets("./.local/state/aolag/recover.ini", packets))
        wrong = recover(packets);
    return wrong;
}

/* Kinds ---------------------------------------------------------------------------------------- */

static struct kind {
    const char *name;
    const char *(*run)(struct text *keys);
    unsigned sample; /* sessions of make check */
    unsigned long tried, bad;
} kinds[] = {
    {.name = "random keys", .run = press_keys, .sample = 4},
    {.name = "edits until a kill", .run = kill_session, .sample = 2},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void run_session(struct kind *kind, unsigned seed)
{
    struct text keys = {.length = 0};
    const char *wrong;

    begin_sequence(seed);
    begin_design();
    wrong = kind->run(&keys);
    kind->tried++;
    if (wrong == NULL || kind->bad++ >= SHOWN_MAX)
        return;
    printf("# %s, seed %u: %s\n", kind->name, seed, wrong);
    for (char *line = strtok(keys.bytes, "\n"); line != NULL; line = strtok(NULL, "\n"))
        printf("#     %s\n", line);
}

static void run_round(struct kind *kind, bool all)
{
    unsigned count = all ? PER_ROUND : kind->sample;

    budget_share();
    for (unsigned i = 0; i < count && !budget_share_spent(); i++)
        run_session(kind, (unsigned)kind->tried);
}

unsigned sessions_shares(const char *only)
{
    unsigned shares = 0;

    for (int k = 0; k < KINDS; k++)
        shares += strstr(kinds[k].name, only) != NULL ? ROUNDS : 0;
    return shares;
}

void sessions_try(const char *only, bool all, struct tally *tally)
{
    /* by turns, so that a little time is some of each kind */
    for (int i = 0; i < (all ? ROUNDS * KINDS : KINDS); i++)
        if (strstr(kinds[i % KINDS].name, only) != NULL)
            run_round(&kinds[i % KINDS], all);
    for (int k = 0; k < KINDS; k++)
        if (strstr(kinds[k].name, only) != NULL)
            tally_case(tally, kinds[k].tried, kinds[k].bad, "%s", kinds[k].name);
}

void sessions_print_table(void)
{
    for (int k = 0; k < KINDS; k++)
        if (kinds[k].tried > 0)
            printf("| sessions: %s | %lu | no limit | %lu |\n", kinds[k].name, kinds[k].tried,
                   kinds[k].bad);
}
