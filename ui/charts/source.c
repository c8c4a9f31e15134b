#include "charts/source.h"

#include <stdio.h>

void chart_source(struct chart *chart, const char *title)
{
    char note[CHART_TITLE_MAX];

    snprintf(note, sizeof note, "%.*s", (int)sizeof note - 1, chart->note);
    snprintf(chart->note, sizeof chart->note, "aolag %s%s%.160s%s%s", PACKAGE_VERSION,
             title[0] == '\0' ? "" : " \xC2\xB7 ", title, note[0] == '\0' ? "" : " \xC2\xB7 ",
             note);
}
