#include "charts/picture.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/file.h"
#include "draw/chart.h"

void chart_source(struct chart *chart, const char *title, const char *latency)
{
    char note[CHART_TITLE_MAX];

    if (title[0] != '\0' && chart->heading[0] == '\0')
        chart_heading(chart, "%.100s%s%s", title, latency[0] == '\0' ? "" : ": RTC latency ",
                      latency);
    snprintf(note, sizeof note, "%.*s", (int)sizeof note - 1, chart->note);
    snprintf(chart->note, sizeof chart->note, "aolag %s%s%s", PACKAGE_VERSION,
             note[0] == '\0' ? "" : " \xC2\xB7 ", note);
}

/* Returns the SVG text, to be released with free(); NULL if out of memory. */
static char *svg_of(const struct chart *chart, size_t *length)
{
    char *text = NULL;
    FILE *out = allocate_stream(&text, length);

    if (out == NULL)
        return NULL;
    chart_svg(chart, out);
    if (allocate_end_stream(out))
        return text;
    free(text);
    return NULL;
}

enum status picture_write(const struct chart *chart, const char *path, bool fresh,
                          struct error *error)
{
    size_t length = 0;
    char *text = svg_of(chart, &length);
    enum status status = text == NULL || chart->failed
                             ? error_set(error, STATUS_MEMORY, "out of memory")
                             : file_replace(path, text, length, fresh, &file_system, error);

    free(text);
    return status;
}
