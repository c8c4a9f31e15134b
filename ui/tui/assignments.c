#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/units.h"
#include "design/assign.h"
#include "explore/rank.h"
#include "session/change.h"
#include "tui/app_state.h"

/* Returns true if a word begins an assignment, "device.rtc.cores=64". Others continue a value. */
static bool begins_assignment(const char *word)
{
    size_t path = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-_.");

    return word[path] == '=' && memchr(word, '.', path) != NULL;
}

/* Splits "P=V P=V..." in place; values may contain blanks. Returns the count. */
static int split_assignments(char *text, const char **list, int most)
{
    int count = 0;

    while (*text != '\0') {
        char *word = text + strspn(text, " ");

        if (count == 0 || (begins_assignment(word) && count < most)) {
            for (char *end = word; end > text && count > 0; end--)
                end[-1] = '\0';
            list[count++] = word;
        }
        text = word + strcspn(word, " ");
    }
    return count;
}

/* Finds the knob of an assignment. */
static bool find_assigned_knob(const struct design *design, const char *assignment,
                               struct knob_ref *ref)
{
    size_t length = strcspn(assignment, "=");
    char path[96];

    while (length > 0 && assignment[length - 1] == ' ')
        length--;
    snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : 0), assignment);
    return knob_find(&design->scenario, path, ref, NULL) == STATUS_OK;
}

enum { ASSIGNMENTS = 64, VALUE_CELLS = 40, VALUE = 4 * VALUE_CELLS + 1 };

enum { ABSOLUTE = 96 + 64 }; /* a path, and a number */

/* Returns the assignment, or in `text` that of the value that a relative one comes to. */
static const char *absolute_assignment(const struct design *design, struct knob_ref ref,
                                       const char *assignment, char text[ABSOLUTE])
{
    char path[96], value[48];

    if (!design_print_relative(design, ref, strchr(assignment, '=') + 1, value, sizeof value))
        return assignment;
    knob_path(&design->scenario, ref, path, sizeof path);
    snprintf(text, ABSOLUTE, "%s=%s", path, value);
    return text;
}

/* Reports "path: old -> new" for each assignment, and what was dropped, and puts the cursor on the
 * last knob. */
static void report_assignments(struct host *host, const char *const *list, char (*old)[VALUE],
                               int count, const double *stated)
{
    struct design *design = &host->design;
    char text[ERROR_MESSAGE_MAX];
    struct buffer line = buffer_over(text, sizeof text);
    struct knob_ref ref;

    for (int i = 0; i < count; i++) {
        char path[96];
        char new[2304];

        if (!find_assigned_knob(design, list[i], &ref))
            continue;
        knob_path(&design->scenario, ref, path, sizeof path);
        design_print_knob(design, ref, new, sizeof new);
        quantity_shorten(new);
        text_cut(new, VALUE_CELLS);
        buffer_print(&line, "%s%s: %s \xE2\x86\x92 %s", line.length > 0 ? "; " : "", path, old[i],
                     new);
        if (knob_id(ref.knob) == KNOB_WFS_SUBAPS_ACROSS && stated[ref.index] > 0 &&
            design->scenario.wfs[ref.index].valid_subaps == 0) {
            design_print_dropped(design, ref, stated[ref.index], new, sizeof new);
            buffer_print(&line, "; %s", new);
        }
        host_show_knob(host, ref.section, ref.index, ref.knob, SHOW_IN_OPEN);
    }
    host_say(host, NOTICE_NORMAL, "%s", text);
}

bool design_assigned_clears(const struct host *host, const char *assignments, char *text,
                            size_t size)
{
    struct buffer labels = buffer_over(text, size);
    char copy[LINE_MAX_BYTES + 1], own[256];
    const char *list[ASSIGNMENTS];
    struct knob_ref ref;
    int count;

    snprintf(copy, sizeof copy, "%s", assignments);
    count = split_assignments(copy, list, ASSIGNMENTS);
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (!find_assigned_knob(&host->design, list[i], &ref) || ref.knob->type != KNOB_PRESET)
            continue;
        rank_own_labels(&host->design.scenario, ref.index, own, sizeof own);
        if (own[0] != '\0')
            buffer_item(&labels, own);
    }
    return labels.length > 0;
}

bool design_assign(struct host *host, const char *assignments)
{
    struct design *design = &host->design;
    const char *list[ASSIGNMENTS];
    char old[ASSIGNMENTS][VALUE];
    char absolute[ASSIGNMENTS][ABSOLUTE];
    char text[LINE_MAX_BYTES + 1];
    char value[2304];
    double stated[WFS_MAX];
    struct knob_ref ref;
    struct error error;
    int count;

    for (int w = 0; w < WFS_MAX; w++)
        stated[w] = design->scenario.wfs[w].valid_subaps;
    snprintf(text, sizeof text, "%s", assignments);
    count = split_assignments(text, list, ASSIGNMENTS);
    for (int i = 0; i < count; i++) {
        snprintf(value, sizeof value, "(none)");
        if (find_assigned_knob(design, list[i], &ref)) {
            list[i] = absolute_assignment(design, ref, list[i], absolute[i]);
            design_print_knob(design, ref, value, sizeof value);
        }
        quantity_shorten(value);
        text_cut(value, VALUE_CELLS);
        snprintf(old[i], VALUE, "%.*s", VALUE - 1, value);
    }
    if (scenario_assign(&design->scenario, design->catalogue, document_path(design->document),
                        &(struct assignments){list, count}, &error) != STATUS_OK) {
        host_fail(host, &error);
        return false;
    }
    design_record(design, false, "%s", assignments);
    report_assignments(host, list, old, count, stated);
    return true;
}
