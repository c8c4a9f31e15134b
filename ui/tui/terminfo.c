#include "tui/terminfo.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "base/allocate.h"

#define BOTTOM 998 /* a row below every screen; terminals clamp it to the last one */

/* Ends the program where curses finds no description because it has no memory to read one, which it
 * does not say. */
static void need_memory(void)
{
    free(allocate(32768)); /* the largest */
}

/* Checks the terminfo description of `name`; STATUS_CONFLICT: there is none, try another. */
static enum status check_description(const char *name, struct error *error)
{
    int reason = 0;
    bool found = setupterm(name, STDOUT_FILENO, &reason) == OK;
    bool addresses = found && cursor_address != NULL;

    if (found)
        del_curterm(cur_term);
    if (addresses)
        return STATUS_OK;
    if (!found)
        need_memory();
    if (!found && reason != 1)
        return error_set(error, STATUS_CONFLICT,
                         "no description of the terminal TERM=%s, of xterm-256color or of vt100 is "
                         "installed (Debian package ncurses-base)",
                         name);
    return error_set(error, STATUS_INVALID,
                     "the terminal TERM=%s has no cursor addressing; use `aolag eval` for the "
                     "numbers",
                     name);
}

enum status terminfo_choose(const char **name, char *notice, size_t size, struct error *error)
{
    static const char *const others[] = {"xterm-256color", "vt100"};
    const char *wanted = getenv("TERM");
    enum status status;

    notice[0] = '\0';
    if (wanted == NULL || wanted[0] == '\0')
        return error_set(error, STATUS_INVALID,
                         "terminal type unknown: TERM is not set; set it, or use `aolag eval` for "
                         "the numbers");
    *name = wanted;
    status = check_description(wanted, error);
    for (size_t i = 0; i < sizeof others / sizeof others[0] && status == STATUS_CONFLICT; i++) {
        if (check_description(others[i], NULL) == STATUS_OK) {
            *name = others[i];
            status = STATUS_OK;
            snprintf(notice, size, "unknown TERM=%.40s; using %s without colours", wanted, *name);
        }
    }
    return status == STATUS_CONFLICT ? STATUS_INVALID : status;
}

bool terminfo_ecma48(void)
{
    return strncmp(cursor_address, "\033[", 2) == 0;
}

bool terminfo_alternate(void)
{
    return exit_ca_mode != NULL;
}

/* Appends a capability string without its padding. */
static void append_capability(char *to, size_t size, const char *string)
{
    size_t length = strlen(to);

    while (string != NULL && *string != '\0' && length + 1 < size) {
        const char *end = strncmp(string, "$<", 2) == 0 ? strchr(string, '>') : NULL;

        if (end != NULL)
            string = end + 1;
        else
            to[length++] = *string++;
    }
    to[length] = '\0';
}

void terminfo_undo(char *bytes, size_t size, bool coloured)
{
    bytes[0] = '\0';
    append_capability(bytes, size, exit_attribute_mode);
    if (coloured)
        append_capability(bytes, size, orig_pair);
    append_capability(bytes, size, keypad_local);
    append_capability(bytes, size, cursor_normal);
    append_capability(bytes, size, exit_ca_mode);
    if (exit_ca_mode == NULL) {
        append_capability(bytes, size, tiparm(cursor_address, BOTTOM, 0));
        append_capability(bytes, size, "\r\n");
    }
}
