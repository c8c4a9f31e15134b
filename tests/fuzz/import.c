/* A pipeline of daolite: read, made a scenario, and timed as daolite does. The first byte tells the
 * format: j JSON, y YAML, else by the text. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "import/import.h"

static void check_figures(const struct daolite *daolite)
{
    static const struct figures_peak peak[DEVICE_MAX];
    static struct figures figures;

    for (unsigned corrected = 0; corrected <= DEFECTS_ALL; corrected = 2 * corrected + 1) {
        if (figures_find(daolite, corrected, peak, &figures) != STATUS_OK)
            return;
        fuzz_check(isfinite(figures.total) && figures.total >= 0, "total %g", figures.total);
        for (int c = 0; c < daolite->component_count; c++)
            fuzz_check(isfinite(figures.figure[c].last_end), "component %d ends at %g", c,
                       figures.figure[c].last_end);
    }
}

/* Messages quote what is in the file. */
static void check_sentences(const struct problems *list)
{
    for (size_t i = 0; i < list->count; i++)
        fuzz_check_message(list->list[i].message);
}

void fuzz_import(const char *bytes, size_t length)
{
    const char *name = length > 0 && bytes[0] == 'j'   ? "p.json"
                       : length > 0 && bytes[0] == 'y' ? "p.yaml"
                                                       : NULL;
    struct problems problems = {NULL, 0, 0};
    struct import *import = allocate_array(1, sizeof *import);
    enum status status;

    if (import == NULL)
        return;
    if (name != NULL)
        bytes++, length--;
    status = import_read(import, name, bytes, length, NULL, fuzz_catalogue(), &problems);
    fuzz_check_problems(status, &problems);
    problems_free(&problems);
    check_sentences(&import->daolite.lost);
    check_sentences(&import->daolite.assumed);
    if (status == STATUS_OK)
        check_figures(&import->daolite);
    import_free(import);
    free(import);
}
