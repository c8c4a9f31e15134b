#include "session/notice.h"

#include <stdarg.h>
#include <stdio.h>

void notice_say(struct notice *notice, enum notice_kind kind, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(notice->text, sizeof notice->text, format, arguments);
    va_end(arguments);
    notice->kind = kind;
    notice->failed = kind == NOTICE_ERROR;
}

void notice_fail(struct notice *notice, const struct error *error)
{
    notice_say(notice, NOTICE_ERROR, "%s", error->message);
}
