/* Runs $AOLAG with a fault, a limit or a terminal of its own, and keeps the files it works on.
 * Linked into the campaign, which has no code of the program: what cannot be done ends the
 * campaign. */
#ifndef AOLAG_FAULTS_PROGRAM_H
#define AOLAG_FAULTS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

enum { LINE_BYTES = 512, FILES_MAX = 64 };

/* What fails, as tests/faults/starve.c takes it. */
struct refusal {
    const char *of;   /* NULL: nothing */
    unsigned long at; /* which request of it; 0: none */
    bool on;          /* and all after it */
    const char *how;  /* NULL: the call fails */
    int reason;       /* errno; 0: that of the resource */
};

/* What a user types, each when the program has written `after` since the last. */
struct typed {
    const char *after;
    const char *keys; /* NULL: the program gets `signal` */
    int signal;
};

struct start {
    const char *line; /* words after aolag, separated by blanks */
    struct refusal refusal;
    const char *counts; /* the program writes there how many requests it made; NULL: nowhere */
    int limit; /* a resource of setrlimit, at most `most` of it; -1: none. That of processes
                  is one of another user where the campaign runs as root. */
    rlim_t most;
    bool inside; /* it creates and removes nothing outside of the folder of files_enter */
    const struct typed *typed; /* on a terminal, whose bytes are `out`; NULL: no terminal */
};

struct outcome {
    int status; /* as waitpid reports it */
    bool hangs; /* it was killed after ten minutes */
    char *out, *err;
    size_t out_length, err_length;
    bool terminal_back; /* with the modes and the screen that it had before */
};

struct outcome program_run(const struct start *start);
void outcome_free(struct outcome *outcome);

/* Reads how many requests of this kind `counts` states. */
unsigned long program_count(const char *counts, const char *of);

/* The name of command `number` of those that the program's help lists; NULL: there is none. */
const char *program_command(int number);

/* Whether a text ends in a whole line that says something. */
bool is_sentence(const char *text, size_t length);

/* Whether a program ended because memory ran out, and said so. */
bool ran_out_of_memory(const struct outcome *outcome);

/* Makes a folder of its own below $TMPDIR the working directory and $HOME. */
void files_enter(void);

/* All regular files below the working directory. */
struct files {
    int count;
    struct {
        char *path;
        char *bytes;
        size_t length;
    } list[FILES_MAX];
};

struct files files_look(void);
void files_free(struct files *files);
/* Removes all that is in the folder of files_enter, which has to be the working directory, and
 * writes these files there. */
void files_put(const struct files *files);
/* Whether a file has the attribute that files_put gives each. NULL: whether the file system has
 * any. */
bool files_marked(const char *path);
/* Returns the number of a path; -1: it does not exist. */
int files_find(const struct files *files, const char *path);

/* Number `i` of an order of 1 ... count in which each part of it is spread evenly. */
unsigned long spread(unsigned long i, unsigned long count);

/* A budget of time (seconds; 0: any) that is divided among the rest of `shares`, to parts of a
 * second. After its end every share is spent. */
void budget_start(unsigned long seconds, unsigned shares);
void budget_share(void); /* begins the next */
bool budget_share_spent(void);

struct tally {
    unsigned cases;    /* TAP lines */
    unsigned failures; /* of those */
    unsigned skipped;  /* of those, since no time was left */
};

/* Prints the line of a case in which `tried` faults were tried, `bad` of them with a complaint;
 * without a try it is skipped. */
__attribute__((format(printf, 4, 5))) void tally_case(struct tally *tally, unsigned long tried,
                                                      unsigned long bad, const char *format, ...);

/* Ends the campaign. */
void stop(const char *what) __attribute__((noreturn));

#endif
