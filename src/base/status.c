#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Removes a partial character at the end of a text that was cut to fill its buffer. */
static void cut_to_character(char *text, size_t size)
{
    size_t length = strlen(text);
    size_t start = length;
    unsigned char lead;
    size_t whole;

    if (length + 1 < size)
        return;
    do
        lead = (unsigned char)text[--start];
    while (start > 0 && (lead & 0xC0U) == 0x80U);
    whole = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0xC0U ? 2 : 1;
    if (length - start < whole)
        text[start] = '\0';
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;

    if (error == NULL)
        return status;
    error->status = status;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    cut_to_character(error->message, sizeof error->message);
    return status;
}

void error_prefix(struct error *error, const char *format, ...)
{
    char prefix[ERROR_MESSAGE_MAX];
    char old[ERROR_MESSAGE_MAX];
    va_list arguments;
    int used;

    if (error == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    memcpy(old, error->message, sizeof old);
    used = snprintf(error->message, sizeof error->message, "%s: ", prefix);
    if (used > 0 && (size_t)used < sizeof error->message)
        snprintf(error->message + used, sizeof error->message - (size_t)used, "%.*s",
                 (int)sizeof error->message - used - 1, old);
    cut_to_character(error->message, sizeof error->message);
}

void error_add(struct error *error, const char *format, ...)
{
    size_t used = error == NULL ? 0 : strlen(error->message);
    va_list arguments;

    if (error == NULL)
        return;
    if (used > 0)
        used += (size_t)snprintf(error->message + used, sizeof error->message - used, "; ");
    if (used >= sizeof error->message)
        return;
    va_start(arguments, format);
    vsnprintf(error->message + used, sizeof error->message - used, format, arguments);
    va_end(arguments);
    cut_to_character(error->message, sizeof error->message);
}
