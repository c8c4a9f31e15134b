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

enum status picture_write(const struct chart *chart, const char *path, bool fresh,
                          struct error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = allocate_stream(&text, &length);
    enum status status;

    chart_svg(chart, out);
    fclose(out);
    status = file_replace(path, text, length, fresh, &file_system, error);
    free(text);
    return status;
}
