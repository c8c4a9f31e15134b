/* The agenda, readout map or mask of a sensor, by the first byte: read, and used. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "design/pattern.h"
#include "model/readout.h"

/* Checks that the agenda of a sensor with the pattern is one. */
static void check_agenda(const struct pattern *pattern)
{
    static double pixel[PACKETS_MAX], element[PACKETS_MAX], when[PACKETS_MAX];
    struct agenda agenda = {.pixel = pixel, .element = element, .when = when};
    struct wfs wfs = {.kind = WFS_SHACK_HARTMANN, .subaps_across = 2, .pixels_per_subap = 2};
    struct error error;
    struct agenda_key key;
    double sum = 0;

    if (pattern->kind == PATTERN_AGENDA)
        wfs.agenda.pattern = pattern;
    else if (pattern->kind == PATTERN_MAP)
        wfs.readout_map.pattern = pattern;
    else
        wfs.mask.pattern = pattern;
    key = agenda_key(&wfs, ORDER_RASTER, pattern->packets > 0 ? pattern->packets : 5,
                     pattern->packets > 0 ? pattern->packets : 5);
    if (agenda_update(&agenda, &key, "ngs", &error) != STATUS_OK) {
        fuzz_check(error.message[0] != '\0', "refused without a sentence");
        return;
    }
    for (long i = 0; i < key.slots; i++) {
        fuzz_check(pixel[i] >= 0 && element[i] >= 0, "slot %ld has less than nothing", i);
        fuzz_check(agenda.even || (when[i] >= (i > 0 ? when[i - 1] : 0) && when[i] <= 1 + 1e-9),
                   "slot %ld ends at %g", i, when[i]);
        sum += pixel[i];
    }
    fuzz_check(fabs(sum - 1) < 1e-9, "the packets have %g of the pixels", sum);
}

void fuzz_pattern(const char *bytes, size_t length)
{
    struct problems problems = {NULL, 0, 0};
    struct pattern *pattern = NULL;
    enum status status;

    if (length == 0)
        return;
    status = pattern_parse((enum pattern_kind)((unsigned char)bytes[0] % 3), bytes + 1, length - 1,
                           &pattern, &problems);
    fuzz_check_problems(status, &problems);
    problems_free(&problems);
    if (status != STATUS_OK)
        return;
    check_agenda(pattern);
    pattern_free(pattern);
}
