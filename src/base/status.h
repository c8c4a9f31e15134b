/* Errors. A function that can fail returns an enum status and leaves one clear sentence in the
 * error object its caller passed; nothing in the library prints or exits. */
#ifndef AOLAG_BASE_STATUS_H
#define AOLAG_BASE_STATUS_H

enum status {
    STATUS_OK = 0,
    STATUS_INVALID,  /* a value, name or design that cannot be accepted */
    STATUS_IO,       /* the operating system refused: open, read, write, rename */
    STATUS_CONFLICT, /* the file on disk is not the one that was loaded */
    STATUS_MEMORY,
    STATUS_STOPPED /* the caller asked it to stop */
};

#define ERROR_MESSAGE_MAX 600

struct error {
    enum status status;
    char message[ERROR_MESSAGE_MAX]; /* one sentence without a final newline */
};

/* Fills `error` (may be NULL) and returns `status`, so that callers write `return error_set(...)`.
 * A sentence longer than the buffer is cut at a character boundary. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " before the message already there. */
void error_prefix(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
