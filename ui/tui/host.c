#include "tui/host.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/file.h"
#include "tui/widget.h"

void host_say(struct host *host, enum notice_kind kind, const char *format, ...)
{
    char text[ERROR_MESSAGE_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    notice_say(&host->notice, kind, "%s", text);
}

void host_say_latency(struct host *host, double before, const char *after)
{
    host_say(host, NOTICE_NORMAL, "RTC latency %s \xE2\x86\x92 %s; u undoes it",
             quantity_text(before, "s").text, after);
}

void host_fail(struct host *host, const struct error *error)
{
    host_say(host, NOTICE_ERROR, "%s", error->message);
}

int host_message_rows(const struct host *host, const char *message)
{
    const struct rect text = {0, 1, MESSAGE_ROWS, host->columns - 2};
    struct canvas none = {0};

    return canvas_wrap(&none, text, 0, STYLE_NORMAL, message);
}

bool host_message_fits(const struct host *host, const char *message)
{
    return host_message_rows(host, message) <= MESSAGE_ROWS;
}

void host_cannot_open(struct host *host, const char *path, int reason)
{
    struct error error;

    file_report_unopened(path, ".ini", reason, &error);
    host_fail(host, &error);
}

void host_show_knob(struct host *host, enum section section, int index, const struct knob *knob,
                    enum showing showing)
{
    struct request *request = &host->request;

    request->showing = showing;
    if (request->shown_count < SHOWN_MAX)
        request->shown[request->shown_count++] = (struct knob_ref){section, index, knob};
}

void host_ask_line(struct host *host, const struct prompt_request *line)
{
    struct request *request = &host->request;

    request->kind = REQUEST_LINE;
    request->line = *line;
    snprintf(request->label, sizeof request->label, "%s", line->label);
    snprintf(request->text, sizeof request->text, "%s", line->text == NULL ? "" : line->text);
    request->line.label = request->label;
    request->line.text = request->text;
}

void host_ask_choice(struct host *host, struct knob_ref ref)
{
    host->request.kind = REQUEST_CHOICES;
    host->request.ref = ref;
}

void host_ask_design(struct host *host, const struct menu_design *designs, int count,
                     menu_chosen *chosen, void *context)
{
    host->request.kind = REQUEST_DESIGNS;
    host->request.designs = designs;
    host->request.count = count;
    host->request.chosen = chosen;
    host->request.context = context;
}
