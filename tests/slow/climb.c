/* Searches for the legal design whose evaluation and slack take the most steps (base/progress.h):
 * changes a design at random and keeps what makes it slower.
 *
 *     climb FILE.ini SECONDS [SEED]
 *
 * It begins with the file and, if it found a slower design, replaces it. An evaluation is stopped
 * after MOST steps, some 20 s, so that tests can repeat it; the search ends there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "model/evaluate.h"
#include "model/outcome.h"
#include "model/stage.h"

#define MOST 200000000

static struct scenario best, next;
static uint64_t state;

/* splitmix64 (Steele et al., 2014) */
static int below(int limit)
{
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (int)((z ^ (z >> 31)) % (uint64_t)limit);
}

static _Noreturn void fail(const char *why)
{
    fprintf(stderr, "climb: %s\n", why);
    exit(2);
}

/* Mutations; one that is refused changes nothing. */

static void change_knob(struct scenario *scenario)
{
    enum section section = (enum section)below(SECTION_COUNT);
    int count = section_count(scenario, section);
    struct knob_ref ref = {section, count > 0 ? below(count) : 0, NULL};
    struct error error;
    int choices;

    if (count == 0)
        return;
    ref.knob = &knobs[knob_section_first(section) + below(knob_section_count(section))];
    if (!knob_applies(scenario, section, ref.index, ref.knob))
        return;
    if (knob_is_number(ref.knob)) {
        knob_set_number(scenario, ref, knob_at(ref.knob, below(1001) / 1000.0), &error);
        return;
    }
    choices = knob_choice_count(scenario, ref);
    if (choices > 0)
        knob_set_text(scenario, ref, knob_choice_name(scenario, ref, below(choices)), &error);
}

static void add_section(struct scenario *scenario)
{
    static const enum section sections[] = {SECTION_WFS, SECTION_DEVICE, SECTION_COMPONENT,
                                            SECTION_COMPONENT};
    enum section section = sections[below(4)];
    int at = section_count(scenario, section);
    struct error error;
    char name[16];

    snprintf(name, sizeof name, "x%d", below(1000000));
    if (scenario_insert(scenario, section, at, name, &error) != STATUS_OK)
        return;
    if (section != SECTION_COMPONENT)
        return;
    scenario->component[at].type = COMPONENT_CUSTOM;
    scenario->component[at].devices =
        scenario->device_count > 0 ? UINT32_C(1) << below(scenario->device_count) : 0;
    knob_mark_own(scenario, knob_ref_to(KNOB_COMPONENT_DEVICE, at)); /* else it is not saved */
}

static void connect(struct scenario *scenario)
{
    int to = scenario->component_count > 1 ? 1 + below(scenario->component_count - 1) : 0;
    struct component_set *after = &scenario->component[to].after;

    if (to == 0 || scenario->component[to].type == COMPONENT_CAMERA)
        return;
    if (!after->stated)
        *after = (struct component_set){.members = UINT64_C(1) << (to - 1), .stated = true};
    after->members ^= UINT64_C(1) << below(to);
    knob_mark_own(scenario, knob_ref_to(KNOB_COMPONENT_AFTER, to));
}

static void remove_component(struct scenario *scenario)
{
    struct error error;

    if (scenario->component_count > 2)
        scenario_remove(scenario, SECTION_COMPONENT, below(scenario->component_count), &error);
}

static void mutate(struct scenario *scenario)
{
    static void (*const mutation[])(struct scenario *) = {
        change_knob, change_knob, change_knob, add_section, connect, connect, remove_component};

    for (int i = 1 + below(4); i > 0; i--)
        mutation[below((int)(sizeof mutation / sizeof mutation[0]))](scenario);
}

/* Cost ----------------------------------------------------------------------------------------- */

static bool below_most(void *context, double done)
{
    const struct pace *pace = context;

    (void)done;
    return pace->steps < MOST;
}

/* Returns the steps of a design, at most about MOST; 0: it is not legal. */
static long cost(const struct scenario *scenario)
{
    struct result result;
    struct error error;
    const struct progress progress = {below_most, &result.pace};
    enum status status;
    long steps;

    result_init(&result);
    result_watch(&result, &progress);
    status = evaluate_design(scenario, &result, &error);
    if (status == STATUS_OK)
        result_slack(&result, 0);
    steps = status == STATUS_OK || status == STATUS_STOPPED ? result.pace.steps : 0;
    result_free(&result);
    return steps;
}

static void load(const char *path)
{
    struct document *document = NULL;
    struct problems problems = {0};
    struct catalogue *catalogue = catalogue_open_embedded();

    if (scenario_load(&best, &document, path, catalogue, &problems) != STATUS_OK)
        fail("cannot read the design");
    document_free(document);
    problems_free(&problems);
    catalogue_close(catalogue);
}

static void save(const char *path)
{
    size_t length;
    char *text = scenario_text(&best, NULL, &length);
    struct error error;

    if (file_replace(path, text, length, false, &file_system, &error) != STATUS_OK)
        fail("cannot write the design");
    free(text);
}

int main(int argc, char **argv)
{
    const double end = clock_seconds() + (argc > 2 ? atof(argv[2]) : 0);
    long most, first;
    long tried = 0;

    if (argc < 3)
        fail("usage: climb FILE.ini SECONDS [SEED]");
    state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    load(argv[1]);
    most = first = cost(&best);
    while (most < MOST && clock_seconds() < end) {
        long steps;

        scenario_copy(&next, &best);
        mutate(&next);
        steps = cost(&next);
        tried++;
        if (steps < most)
            continue;
        if (steps > most)
            printf("%8ld designs: %ld steps\n", tried, steps);
        most = steps;
        scenario_copy(&best, &next);
    }
    printf("slowest of %ld designs: %ld steps, %d components, %.0f packets\n", tried, most,
           best.component_count, best.general.packets);
    if (most == first)
        return 0;
    save(argv[1]);
    load(argv[1]);
    if (cost(&best) != most)
        fail("the file is not the design that was found");
    return 0;
}
