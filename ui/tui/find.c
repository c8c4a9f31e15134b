#include "tui/app_state.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "design/knob_text.h"
#include "model/knob_effect.h"
#include "tui/tree.h"

/* Words for a knob besides those of its path, its label and the model of its device. */
static const struct {
    enum knob_id knob;
    int kind; /* of the section; -1: any */
    const char *words;
} synonyms[] = {
    {KNOB_SCENARIO_FRAME_RATE, -1, "fps framerate hertz loop speed"},
    {KNOB_SCENARIO_TARGET_LATENCY, -1, "budget deadline delay"},
    {KNOB_AO_ACTUATORS, -1, "commands dm mirror"},
    {KNOB_AO_DIAMETER, -1, "telescope"},
    {KNOB_AO_GAIN, -1, "loop"},
    {KNOB_ATMOSPHERE_R0, -1, "seeing fried"},
    {KNOB_WFS_SUBAPS_ACROSS, -1, "subapertures lenslets"},
    {KNOB_WFS_OBSCURATION, -1, "telescope central secondary"},
    {KNOB_DEVICE_SOCKETS, -1, "processors"},
    {KNOB_DEVICE_CLOCK_CPU, -1, "frequency ghz turbo"},
    {KNOB_DEVICE_CLOCK_GPU, -1, "frequency mhz boost"},
    {KNOB_DEVICE_SIMD_BITS, -1, "avx vector neon"},
    {KNOB_DEVICE_MEMORY_CHANNELS, -1, "ram ddr dimm bandwidth"},
    {KNOB_DEVICE_MEMORY_RATE, -1, "ram ddr dimm bandwidth"},
    {KNOB_DEVICE_UNITS, -1, "cuda shaders"},
    {KNOB_DEVICE_BUS_BITS, -1, "gddr hbm vram ram memory bandwidth"},
    {KNOB_DEVICE_MEMORY_CLOCK, -1, "gddr hbm vram ram bandwidth"},
    {KNOB_DEVICE_TRANSFERS_PER_CLOCK, -1, "gddr hbm vram ram memory bandwidth"},
    {KNOB_DEVICE_MEMORY_SIZE, -1, "ram capacity"},
    {KNOB_DEVICE_MEMORY_SIZE, DEVICE_GPU, "vram"},
    {KNOB_DEVICE_L1, -1, "cache"},
    {KNOB_DEVICE_L2_CPU, -1, "cache"},
    {KNOB_DEVICE_L2_GPU, -1, "cache"},
    {KNOB_DEVICE_L3, -1, "cache"},
    {KNOB_DEVICE_NIC, -1, "ethernet"},
    {KNOB_DEVICE_NICS, -1, "ethernet"},
    {KNOB_DEVICE_MTU, -1, "ethernet jumbo"},
    {KNOB_DEVICE_OS, -1, "kernel linux realtime"},
    {KNOB_DEVICE_JITTER, -1, "noise"},
    {KNOB_DEVICE_TDP, -1, "watts power"},
    {KNOB_DEVICE_PRICE, -1, "cost money"},
    {KNOB_COMPONENT_ALGORITHM, COMPONENT_CONTROL, "loop integrator"},
    {KNOB_COMPONENT_WORKERS, -1, "threads"},
    {KNOB_COMPONENT_EXPOSURE, -1, "time integration"},
    {KNOB_COMPONENT_PRECISION, -1, "fp16 fp32 fp64 half double"},
};

/* Kinds of match, best first: a path, a section, words in any order, a part of a name. */
enum match { MATCH_KNOB, MATCH_SECTION, MATCH_WORDS, MATCH_PART, MATCH_COUNT };

/* Returns true if the path equals the text or ends with it after a point. */
static bool path_ends_with(const char *path, const char *text)
{
    size_t length = strlen(path);
    size_t least = strlen(text);

    return length >= least && strcasecmp(path + length - least, text) == 0 &&
           (length == least || path[length - least - 1] == '.');
}

/* Appends the words by which a knob is found. */
static void print_knob_words(const struct scenario *scenario, struct knob_ref ref,
                             struct buffer *words)
{
    const struct knob *kind = section_kind_knob(ref.section);
    struct knob_ref of_kind = {ref.section, ref.index, kind};
    int number = kind == NULL ? -1 : knob_choice(scenario, of_kind);
    char path[96];

    knob_path(scenario, ref, path, sizeof path);
    buffer_print(words, "%s %s", path, ref.knob->label);
    if (number >= 0)
        buffer_print(words, " %s", kind->choices[number]);
    if (ref.knob->group != NULL)
        buffer_print(words, " %s", ref.knob->group);
    if (ref.section == SECTION_DEVICE)
        buffer_print(words, " %s", scenario->device[ref.index].model);
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++)
        if (knobs + synonyms[i].knob == ref.knob &&
            (synonyms[i].kind < 0 || synonyms[i].kind == number))
            buffer_print(words, " %s", synonyms[i].words);
}

/* Returns true if a word of the text begins with these bytes. */
static bool begins_word(const char *text, const char *bytes, size_t length)
{
    for (const char *at = text; *at != '\0'; at++)
        if ((at == text || !isalnum((unsigned char)at[-1])) && strncasecmp(at, bytes, length) == 0)
            return true;
    return false;
}

/* Returns true if each word of `text` begins one of the words. */
static bool has_words(const char *words, const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, " ");

        if (length > 0 && !begins_word(words, text, length))
            return false;
        text += length;
        text += strspn(text, " ");
    }
    return true;
}

static bool knob_matches(const struct scenario *scenario, struct knob_ref ref, enum match match,
                         const char *text)
{
    char words[512];
    struct buffer line = buffer_over(words, sizeof words);
    char path[96];

    if (match == MATCH_WORDS) {
        print_knob_words(scenario, ref, &line);
        return has_words(words, text);
    }
    if (match == MATCH_SECTION)
        section_path(scenario, ref.section, ref.index, path, sizeof path);
    else
        knob_path(scenario, ref, path, sizeof path);
    if (match != MATCH_PART)
        return path_ends_with(path, text);
    return strcasestr(path, text) != NULL || strcasestr(ref.knob->label, text) != NULL;
}

bool find_matches(const struct scenario *scenario, struct knob_ref ref, int way, const char *text)
{
    static const enum match ways[FIND_MATCHES] = {MATCH_KNOB, MATCH_WORDS, MATCH_PART};

    return knob_matches(scenario, ref, ways[way], text);
}

/* Finds the next matching knob, wrapping around; `ref` itself is tried last. */
static bool find_next(const struct scenario *scenario, struct knob_ref *ref, int by,
                      enum match match, const char *text)
{
    struct knob_ref start;

    tree_next_knob(scenario, ref, by);
    start = *ref;
    do {
        if (knob_matches(scenario, *ref, match, text))
            return true;
        tree_next_knob(scenario, ref, by);
    } while (ref->knob != start.knob || ref->index != start.index);
    return false;
}

/* Returns true if a word stands in the path between characters that are neither letters nor digits.
 */
static bool has_whole_word(const char *path, const char *word, size_t length)
{
    for (const char *at = path; *at != '\0'; at++)
        if ((at == path || !isalnum((unsigned char)at[-1])) &&
            strncasecmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

/* Returns how far a knob is from what a new search means, 0 the nearest. First are the knobs of the
 * whole design: one looks for the frame rate more often than for that of a memory. Then come those
 * whose key equals a word of the text, those whose key begins with one, and the others; of these
 * those whose path lacks the fewest of the words, and of these the path of the fewest parts. */
static int knob_distance(const struct scenario *scenario, struct knob_ref ref, const char *text)
{
    enum { WORDS_MAX = 256, PARTS_MAX = 4 };
    int key = 2, lacking = 0, parts = 0;
    char path[96];

    if (ref.section == SECTION_SCENARIO)
        return 0;
    knob_path(scenario, ref, path, sizeof path);
    for (const char *point = path; (point = strchr(point, '.')) != NULL; point++)
        parts++;
    while (*text != '\0') {
        size_t length = strcspn(text, " ");

        if (length > 0 && strncasecmp(ref.knob->key, text, length) == 0)
            key = ref.knob->key[length] == '\0' ? 0 : key < 1 ? key : 1;
        lacking += length > 0 && !has_whole_word(path, text, length);
        text += length;
        text += strspn(text, " ");
    }
    return 1 + (key * WORDS_MAX + (lacking < WORDS_MAX ? lacking : WORDS_MAX - 1)) * PARTS_MAX +
           parts;
}

/* Finds the nearest of the matching knobs, the next of several. */
static bool find_nearest(const struct scenario *scenario, struct knob_ref *ref, enum match match,
                         const char *text)
{
    struct knob_ref found = *ref;
    struct knob_ref first;
    int least;

    if (!find_next(scenario, &found, 1, match, text))
        return false;
    first = *ref = found;
    least = knob_distance(scenario, found, text);
    while (find_next(scenario, &found, 1, match, text) &&
           (found.knob != first.knob || found.index != first.index)) {
        int distance = knob_distance(scenario, found, text);

        if (distance < least) {
            least = distance;
            *ref = found;
        }
    }
    return true;
}

/* If the cursor is on a heading, continues after its section, as sections may share a name. */
static void skip_section(const struct app *app, struct knob_ref *ref, int by)
{
    struct view_cursor cursor = view_cursor(app);
    int first = knob_section_first(cursor.section);

    if (by > 0 && cursor.knob.knob == NULL && cursor.index >= 0)
        *ref = (struct knob_ref){cursor.section, cursor.index,
                                 &knobs[first + knob_section_count(cursor.section) - 1]};
}

/* Names the knob found with its section, and counts the others. */
static void report_match(struct app *app, struct knob_ref found, enum match match, const char *text)
{
    enum { VALUE_CELLS = 30 };
    const struct scenario *scenario = &app->host.design.scenario;
    struct knob_ref ref = found;
    char section[96];
    char value[2304];
    char more[32] = "";
    int others = 0;

    for (tree_next_knob(scenario, &ref, 1); ref.knob != found.knob || ref.index != found.index;
         tree_next_knob(scenario, &ref, 1))
        others += knob_matches(scenario, ref, match, text);
    if (others > 0)
        snprintf(more, sizeof more, "; N: %d more", others);
    tree_section_path(scenario, found.section, found.index, section, sizeof section);
    design_print_knob(&app->host.design, found, value, sizeof value);
    text_cut(value, VALUE_CELLS);
    host_say(&app->host, NOTICE_NORMAL, "%s: %s = %s%s", section, found.knob->label, value, more);
}

/* Puts the cursor of the open view on a knob that it lists. */
static bool view_show(struct app *app, struct knob_ref ref)
{
    return app->view->show != NULL && ref.knob != NULL && app->view->show(app->state, ref);
}

/* Puts the cursor on the next match of the best kind; on the nearest one if the search is new. */
static bool find_knob(struct app *app, int by, const char *text, bool begins)
{
    const struct scenario *scenario = &app->host.design.scenario;
    const struct knob_ref from = explore_search_from(&app->explore, by);

    for (int match = 0; match < MATCH_COUNT && text[0] != '\0'; match++) {
        struct knob_ref ref = from;

        if (match == MATCH_SECTION)
            skip_section(app, &ref, by);
        if (begins && match != MATCH_SECTION
                ? !find_nearest(scenario, &ref, (enum match)match, text)
                : !find_next(scenario, &ref, by, (enum match)match, text))
            continue;
        /* a word may be a key and begin other keys: "ingress" is found in "ingress latency" too */
        if (match == MATCH_KNOB && strchr(text, '.') == NULL) {
            match = MATCH_WORDS;
            if (!begins) {
                ref = from;
                find_next(scenario, &ref, by, MATCH_WORDS, text);
            }
        }
        app_show_knob(
            app,
            (struct knob_ref){ref.section, ref.index, match == MATCH_SECTION ? NULL : ref.knob},
            match == MATCH_SECTION || !view_show(app, ref) ? SHOW_OPEN : SHOW_ASIDE);
        if (match != MATCH_SECTION)
            report_match(app, ref, (enum match)match, text);
        return true;
    }
    return false;
}

/* Reports that nothing matches, or that the matching knob is hidden because it has no effect. */
static void report_no_match(struct host *host, const char *text)
{
    const struct scenario *scenario = &host->design.scenario;
    char path[96];

    for (int match = MATCH_KNOB; match < MATCH_COUNT; match += MATCH_WORDS - MATCH_KNOB)
        for (int k = 0; k < KNOB_COUNT; k++)
            for (int i = 0; i < section_count(scenario, knobs[k].section); i++) {
                struct knob_ref ref = {knobs[k].section, i, &knobs[k]};

                if (!knob_applies(scenario, ref.section, i, ref.knob) ||
                    !knob_idle(scenario, ref) ||
                    !knob_matches(scenario, ref, (enum match)match, text))
                    continue;
                knob_path(scenario, ref, path, sizeof path);
                host_say(host, NOTICE_ERROR, "%s has no effect in this design", path);
                return;
            }
    host_say(host, NOTICE_ERROR, "no knob matches \"%.60s\"", text);
}

static void find_again(struct app *app, int by, bool begins)
{
    if (app->search_text[0] == '\0')
        host_say(&app->host, NOTICE_NORMAL, "no previous search: / finds a knob");
    else if (!find_knob(app, by, app->search_text, begins))
        report_no_match(&app->host, app->search_text);
}

void act_next_match(struct app *app, const char *argument)
{
    (void)argument;
    find_again(app, 1, false);
}

void act_previous_match(struct app *app, const char *argument)
{
    (void)argument;
    find_again(app, -1, false);
}

/* Restores the screen when the search is cancelled, and before searching for a changed text. */
static void search_cancelled(void *context)
{
    struct app *app = context;

    explore_back(&app->explore);
    view_return(app, app->found_from);
    view_show(app, app->found_knob);
}

static void search_changed(void *context, const char *text)
{
    struct app *app = context;

    app->host.notice.text[0] = '\0';
    search_cancelled(app);
    if (text[0] != '\0' && !find_knob(app, 1, text, true))
        report_no_match(&app->host, text);
}

static bool accept_search(void *context, const char *text)
{
    struct app *app = context;

    if (text[0] != '\0')
        snprintf(app->search_text, sizeof app->search_text, "%s", text);
    search_changed(app, text);
    return true;
}

void act_find(struct app *app, const char *argument)
{
    if (argument != NULL) {
        snprintf(app->search_text, sizeof app->search_text, "%s", argument);
        find_again(app, 1, true);
        return;
    }
    explore_keep(&app->explore);
    app->found_from = app->view;
    app->found_knob = view_cursor(app).knob;
    prompt_open(app, &(struct prompt_request){.label = "find: ",
                                                     .history = &app->searches,
                                                     .context = app,
                                                     .accept = accept_search,
                                                     .changed = search_changed,
                                                     .cancel = search_cancelled});
}
