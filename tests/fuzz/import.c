/* A pipeline of daolite: read, made a scenario, and timed as daolite does. The first byte tells the
 * format: j JSON, y YAML, else by the text. What follows a NUL is every file that the pipeline
 * names. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "import/import.h"
#include "import/parse.h"

static void check_figures(const struct import *import)
{
    static const struct figures_peak peak[DEVICE_MAX];
    static struct figures figures;

    for (unsigned corrected = 0; corrected <= DEFECTS_ALL; corrected = 2 * corrected + 1) {
        figures_find(&import->tree, &import->daolite, corrected, peak, &figures);
        if (figures.why[0] != '\0')
            fuzz_check_message(figures.why);
        for (int c = 0; c < import->daolite.component_count; c++)
            fuzz_check(isfinite(figures.figure[c].last_end), "component %d ends at %g", c,
                       figures.figure[c].last_end);
        fuzz_check(isfinite(figures.total), "total %g", figures.total);
    }
}

/* Messages quote what is in the file. */
static void check_sentences(const struct problems *list)
{
    for (size_t i = 0; i < list->count; i++)
        fuzz_check_message(list->list[i].message);
}

struct named_file {
    const char *bytes; /* NULL: it does not exist */
    size_t length;
};

static enum status read_named(void *context, const char *path, struct values *tree,
                              struct error *error)
{
    const struct named_file *file = context;
    struct problems problems = {NULL, 0, 0};
    enum status status;

    if (file->bytes == NULL)
        return error_set(error, STATUS_IO, "%s: there is no such file", path);
    status = parse_text(tree, path, file->bytes, file->length, PARSE_HARDWARE, &problems);
    fuzz_check_problems(status, &problems);
    if (status != STATUS_OK)
        problems_summary(&problems, path, error);
    problems_free(&problems);
    return status;
}

void fuzz_import(const char *bytes, size_t length)
{
    const char *name = length > 0 && bytes[0] == 'j'   ? "p.json"
                       : length > 0 && bytes[0] == 'y' ? "p.yaml"
                                                       : NULL;
    struct problems problems = {NULL, 0, 0};
    struct import *import = allocate_array(1, sizeof *import);
    struct named_file named = {.bytes = NULL};
    const struct daolite_files files = {read_named, &named};
    const char *end;
    enum status status;

    if (import == NULL)
        return;
    if (name != NULL)
        bytes++, length--;
    end = length > 0 ? memchr(bytes, '\0', length) : NULL;
    if (end != NULL) {
        named = (struct named_file){end + 1, length - (size_t)(end + 1 - bytes)};
        length = (size_t)(end - bytes);
    }
    status = import_read(import, name, bytes, length, &files, fuzz_catalogue(), &problems);
    fuzz_check_problems(status, &problems);
    problems_free(&problems);
    check_sentences(import_lost(import));
    check_sentences(import_assumed(import));
    if (status == STATUS_OK && import->form == IMPORT_DAOLITE)
        check_figures(import);
    import_free(import);
    free(import);
}
