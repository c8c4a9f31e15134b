#include "tui/job.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"

enum { WORDS_MAX = 16, STATUS_NO_PROGRAM = 127 };

struct job {
    pid_t process;
    int output;
    int stderr_fd; /* an unnamed file */
    bool ended;
};

/* Resets handlers. Signals are blocked since before the fork, so that no handler of the parent
 * runs. */
static void reset_signals(void)
{
    sigset_t none;

    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;

        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(number, SIG_DFL);
    }
    signal(SIGINT, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Goes to the folder of a file, unless the program would no longer be found. */
static void go_beside(const char *file, const char *program)
{
    const char *slash = file == NULL || program[0] != '/' ? NULL : strrchr(file, '/');
    char folder[PATH_MAX];

    if (slash != NULL && (size_t)(slash - file) < sizeof folder) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - file) + (slash == file), file);
        if (chdir(folder) != 0)
            return; /* a file that is named from there is then reported */
    }
}

static _Noreturn void exec_child(const char *program, const char *const *arguments,
                                 const int files[3], const char *beside, pid_t parent)
{
    char *words[WORDS_MAX + 2] = {"aolag"};

    for (int i = 0; i < WORDS_MAX && arguments[i] != NULL; i++)
        words[i + 1] = (char *)arguments[i];
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    /* The parent may have died before prctl. */
    if (getppid() != parent)
        _exit(STATUS_NO_PROGRAM);
    reset_signals();
    go_beside(beside, program);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        dup2(files[file], file);
    execv(program, words);
    _exit(STATUS_NO_PROGRAM);
}

/* Opens what the input is read from; -1: it cannot. */
static int open_input(const struct job_input *input)
{
    int file;

    if (input == NULL)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    file = memfd_create("stdin", MFD_CLOEXEC);
    if (file >= 0 && (pwrite(file, input->bytes, input->length, 0) != (ssize_t)input->length)) {
        close(file);
        file = -1;
    }
    return file;
}

enum status job_start(struct job **job, const char *program, const char *const *arguments,
                      const struct job_input *input, struct error *error)
{
    struct job *new = allocate_array(1, sizeof *new);
    const pid_t parent = getpid();
    sigset_t all, before;
    int ends[2], in;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(new);
        return error_set(error, STATUS_IO, "no file descriptors left");
    }
    in = open_input(input);
    new->stderr_fd = in < 0 ? -1 : memfd_create("stderr", MFD_CLOEXEC);
    new->output = ends[0];
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    new->process = new->stderr_fd < 0 ? -1 : fork();
    if (new->process == 0)
        exec_child(program, arguments, (int[]){in, ends[1], new->stderr_fd},
                   input == NULL ? NULL : input->beside, parent);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (in >= 0)
        close(in);
    if (new->process < 0) {
        close(new->output);
        if (new->stderr_fd >= 0)
            close(new->stderr_fd);
        free(new);
        return error_set(error, STATUS_IO, "cannot start a process: %s", strerror(errno));
    }
    setpgid(new->process, new->process);
    fcntl(new->output, F_SETFL, O_NONBLOCK);
    *job = new;
    return STATUS_OK;
}

int job_file(const struct job *job)
{
    return job->output;
}

bool job_read(struct job *job, struct buffer *output)
{
    char bytes[4096];

    for (;;) {
        ssize_t count = read(job->output, bytes, sizeof bytes);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            return true;
        if (count <= 0)
            break;
        buffer_add(output, bytes, (size_t)count);
    }
    job->ended = true;
    return false;
}

/* Finds the last non-empty line. */
void job_last_message(const struct job *job, char *text, size_t size)
{
    char bytes[4096];
    struct stat status;
    ssize_t count;
    char *line;

    if (fstat(job->stderr_fd, &status) != 0)
        status.st_size = 0;
    count = pread(
        job->stderr_fd, bytes, sizeof bytes - 1,
        status.st_size > (off_t)sizeof bytes - 1 ? status.st_size - ((off_t)sizeof bytes - 1) : 0);
    bytes[count > 0 ? count : 0] = '\0';
    while (count > 0 && bytes[count - 1] == '\n')
        bytes[--count] = '\0';
    line = strrchr(bytes, '\n');
    snprintf(text, size, "%s", line == NULL ? bytes : line + 1);
}

void job_stop(const struct job *job)
{
    kill(job->process, SIGINT);
}

static bool reap_child(const struct job *job, char *complaint, size_t size)
{
    int status = 0;

    while (waitpid(job->process, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    job_last_message(job, complaint, size);
    if (complaint[0] == '\0' && WIFSIGNALED(status))
        snprintf(complaint, size, "ended by signal: %s", strsignal(WTERMSIG(status)));
    else if (complaint[0] == '\0')
        snprintf(complaint, size, "failed without a message");
    return false;
}

bool job_close(struct job *job, char *complaint, size_t size)
{
    bool good = true;

    complaint[0] = '\0';
    if (job->ended)
        good = reap_child(job, complaint, size);
    else
        kill(job->process, SIGTERM);
    close(job->output);
    close(job->stderr_fd);
    free(job);
    return good;
}
