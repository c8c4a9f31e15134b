/* Error handling. A function that can fail returns an enum status and writes one sentence to the
 * error object passed by its caller; nothing in the library prints or exits. */
#ifndef AOLAG_BASE_STATUS_H
#define AOLAG_BASE_STATUS_H

enum status {
    STATUS_OK = 0,
    STATUS_INVALID,  /* invalid value, name or design */
    STATUS_IO,       /* a system call failed: open, read, write, rename */
    STATUS_CONFLICT, /* the file on disk is not the one loaded */
    STATUS_STOPPED /* stopped by the caller */
};

#define ERROR_MESSAGE_MAX 600

struct error {
    enum status status;
    char message[ERROR_MESSAGE_MAX]; /* one sentence without a final newline */
};

/* Fills `error` (may be NULL) and returns `status`, so that callers can write `return
 * error_set(...)`. A message longer than the buffer is cut at a character boundary. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prepends "PREFIX: " to the message. */
void error_prefix(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a clause, "; CLAUSE", or CLAUSE alone to an empty message. */
void error_add(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
