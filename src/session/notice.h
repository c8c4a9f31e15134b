/* What there is to say about the last action: one sentence, until the next action. Whoever runs a session
 * shows it. */
#ifndef AOLAG_SESSION_NOTICE_H
#define AOLAG_SESSION_NOTICE_H

#include <stdbool.h>

#include "base/status.h"

enum notice_kind { NOTICE_NORMAL, NOTICE_WARNING, NOTICE_ERROR };

struct notice {
    char text[ERROR_MESSAGE_MAX]; /* empty: nothing */
    enum notice_kind kind;
    bool failed; /* the action was refused */
};

void notice_say(struct notice *notice, enum notice_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void notice_fail(struct notice *notice, const struct error *error);

#endif
