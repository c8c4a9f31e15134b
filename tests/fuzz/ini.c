/* A scenario file: load, evaluate, save, load again. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/random.h"
#include "design/algorithm.h"
#include "design/knob.h"
#include "design/notices.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "model/evaluate.h"
#include "model/result_read.h"

/* The target ----------------------------------------------------------------------------------- */

/* A design and its results, if it can be evaluated in a few looks. */
struct evaluated {
    struct scenario scenario;
    struct document *document;
    struct result result;
    struct error error;
    enum status status;
    int looks; /* left */
    struct progress progress;
};

static struct evaluated first, second;

static bool may_look(void *context, double done)
{
    struct evaluated *design = context;

    (void)done;
    return design->looks-- > 0;
}

static void evaluate_shortly(struct evaluated *design)
{
    if (design->result.node == NULL)
        result_init(&design->result);
    design->looks = 4;
    design->progress = (struct progress){.report = may_look, .context = design};
    result_watch(&design->result, &design->progress);
    design->status = evaluate(&design->scenario, &design->result, &design->error);
    if (design->status == STATUS_INVALID)
        fuzz_check_message(design->error.message);
}

static void check_results(const struct evaluated *a, const struct evaluated *b, const char *what)
{
    if (a->status == STATUS_STOPPED || b->status == STATUS_STOPPED)
        return;
    fuzz_check(a->status == b->status, "%s: status %d and %d", what, a->status, b->status);
    if (a->status == STATUS_INVALID)
        fuzz_check(strcmp(a->error.message, b->error.message) == 0, "%s: \"%s\" and \"%s\"", what,
                   a->error.message, b->error.message);
    for (int r = 0; r < RESULT_ROW_COUNT && a->status == STATUS_OK; r++) {
        const struct result_row *row = &result_rows[r];
        int count = result_count(&a->result, row->scope);

        fuzz_check(count == result_count(&b->result, row->scope), "%s: %s", what, row->key);
        for (int i = 0; i < count; i++) {
            double one = result_value(&a->result, row, i);
            double other = result_value(&b->result, row, i);

            fuzz_check(memcmp(&one, &other, sizeof one) == 0, "%s: %s %d is %.17g and %.17g", what,
                       row->key, i, one, other);
            fuzz_check(one - one == 0, "%s %d is not finite", row->key, i);
        }
    }
}

/* Saves the first design into its document or a new one, and reads it as the second. */
static void check_saved(const struct document *document, const char *what)
{
    struct problems problems = {NULL, 0, 0};
    size_t length = 0, length_again = 0;
    char *text = scenario_text(&first.scenario, document, &length);
    char *again;

    fuzz_check(scenario_parse(&second.scenario, &second.document, text, length, fuzz_catalogue(),
                              &problems) == STATUS_OK,
               "%s: line %d: %s\n%s", what, problems.count > 0 ? problems.list[0].line : 0,
               problems.count > 0 ? problems.list[0].message : "", text);
    again = scenario_text(&second.scenario, second.document, &length_again);
    fuzz_check(again != NULL && strcmp(again, text) == 0, "%s: saved again:\n%s\n%s", what, text,
               again);
    free(again);
    free(text);
    evaluate_shortly(&second);
    check_results(&first, &second, what);
    document_free(second.document);
    second.document = NULL;
}

/* Moves one knob of the design, chosen by its text. */
static void change_knob(uint64_t seed)
{
    struct knob_ref ref = {.knob = NULL};
    size_t skipped = random_below(&seed, 200);

    do
        if (!knob_next(&first.scenario, &ref))
            return;
    while (skipped-- > 0);
    if (knob_is_number(ref.knob))
        knob_set_number(&first.scenario, ref,
                        knob_step(ref.knob, knob_number(&first.scenario, ref),
                                  random_below(&seed, 2) == 0 ? 1 : -1),
                        NULL);
    else if (knob_pass(ref.knob) == PASS_REST)
        knob_reset(&first.scenario, ref);
}

/* iniparser reads what stands there. */
static void check_values(const struct ini *ini)
{
    for (size_t k = 0; k < ini->key_count; k++) {
        struct ini_span seen = ini->keys[k].spelled;
        const char *value = ini_value(ini, &ini->keys[k]);

        if (seen.length > 0 && strchr("\"'", ini->bytes[seen.start]) != NULL)
            seen = (struct ini_span){seen.start + 1, seen.length - 2};
        fuzz_check(strlen(value) == seen.length &&
                       memcmp(value, ini->bytes + seen.start, seen.length) == 0,
                   "line %d: the value is \"%s\"", ini->keys[k].line, value);
    }
}

void fuzz_ini(const char *bytes, size_t length)
{
    struct problems problems = {NULL, 0, 0};
    const struct scenario_source source = {.catalogue = fuzz_catalogue()};
    enum status status =
        scenario_parse_from(&first.scenario, &first.document, bytes, length, &source, &problems);
    size_t saved = 0;
    char *text;

    fuzz_check_problems(status, &problems);
    problems_free(&problems);
    if (status != STATUS_OK)
        return;
    check_values(&first.document->ini);
    notices_find(first.document, fuzz_catalogue(), true, &problems);
    fuzz_check_problems(problems.count > 0 ? STATUS_INVALID : STATUS_OK, &problems);
    problems_free(&problems);
    text = scenario_text(&first.scenario, first.document, &saved);
    /* only a file without sections gets one */
    fuzz_check(text != NULL && (first.document->ini.section_count == 0 ||
                                (saved == length && memcmp(text, bytes, length) == 0)),
               "saved without a change:\n%s", text);
    free(text);
    if (length % 2 == 0) {
        evaluate_shortly(&first);
        check_saved(NULL, "as a new file");
    } else {
        change_knob((unsigned char)bytes[length / 2]);
        evaluate_shortly(&first);
        check_saved(first.document, "with a change");
    }
    document_free(first.document);
    first.document = NULL;
}

/* Mutation ------------------------------------------------------------------------------------- */

/* Lines are changed as a person would: by sections, keys and values of the table of knobs. */

struct line {
    const char *start;
    size_t length; /* with its end */
};

static struct line random_line(const char *bytes, size_t length, uint64_t *seed)
{
    size_t at = length > 0 ? random_below(seed, length) : 0;
    size_t start = at;

    while (start > 0 && bytes[start - 1] != '\n')
        start--;
    while (at < length && bytes[at++] != '\n')
        continue;
    return (struct line){bytes + start, at - start};
}

static void put_line(struct buffer *text, struct line line)
{
    buffer_add(text, line.start, line.length);
}

/* Returns the section that the header before `at` begins, or any. */
static enum section section_at(const char *bytes, size_t length, const char *at, uint64_t *seed)
{
    for (; at > bytes; at--)
        for (int s = 0; s < SECTION_COUNT; s++) {
            const char *name = section_name((enum section)s);

            if (bytes + length - at > (ptrdiff_t)strlen(name) && *at == '[' &&
                memcmp(at + 1, name, strlen(name)) == 0)
                return (enum section)s;
        }
    return (enum section)random_below(seed, SECTION_COUNT);
}

/* Appends the name of one of the file's sections of that kind, or of none. */
static void put_name(struct buffer *text, const char *bytes, size_t length, enum section section,
                     uint64_t *seed)
{
    for (int tries = 0; tries < 40; tries++) {
        struct line line = random_line(bytes, length, seed);
        size_t head = strlen(section_name(section)) + 2;

        if (line.length > head + 2 && line.start[0] == '[' && line.start[head - 1] == '.' &&
            strncmp(line.start + 1, section_name(section), head - 2) == 0) {
            buffer_print(text, "%.*s", (int)(line.length - head - 2), line.start + head);
            return;
        }
    }
    buffer_print(text, "%s", random_below(seed, 2) == 0 ? "none" : "auto");
}

static void put_number(struct buffer *text, const struct knob *knob, uint64_t *seed)
{
    static const char *const odd[] = {"0", "-1", "1e-300", "1e300", "0.5", "auto", "", "3.", "nan"};
    double at = uniform_next(seed);
    double value = knob_in_unit(knob, knob_at(knob, at));

    switch (random_below(seed, 8)) {
    case 0:
        buffer_print(text, "%.17g", knob->min + at * (knob->max - knob->min));
        return;
    case 1:
        buffer_print(text, "%.17g %s", at < 0.5 ? knob->min : knob->max, knob->unit);
        return;
    case 2:
        buffer_print(text, "%s", odd[random_below(seed, sizeof odd / sizeof odd[0])]);
        return;
    case 3:
        buffer_print(text, "%.6g %s", value, knob->unit);
        return;
    default:
        buffer_print(text, "%.6g", value);
    }
}

/* Writes a formula of one or two names, mostly of the file. */
static void put_formula(struct buffer *text, const char *bytes, size_t length, uint64_t *seed)
{
    static const char *const starts[] = {"2 * ", "4*", "max(1, ", "-", "sqrt(", "1 / (3 - "};
    static const char *const counts[] = {"subaps", "slopes", "pixels", "valid_subaps", "start"};
    static const char *const work[] = {"flop", "bytes", "working_set", "flops", "bytes_read"};
    const char *start = starts[random_below(seed, sizeof starts / sizeof starts[0])];

    buffer_text(text, start);
    for (size_t n = random_below(seed, 2); n < 2; n++) {
        switch (random_below(seed, 4)) {
        case 0:
            buffer_text(text, "ao.actuators");
            break;
        case 1:
            buffer_text(text, "wfs.");
            put_name(text, bytes, length, SECTION_WFS, seed);
            buffer_print(text, ".%s", counts[random_below(seed, sizeof counts / sizeof counts[0])]);
            break;
        case 2:
            buffer_text(text, "sum(wfs.*.slopes)");
            break;
        default:
            buffer_text(text, "component.");
            put_name(text, bytes, length, SECTION_COMPONENT, seed);
            buffer_print(text, ".%s", work[random_below(seed, sizeof work / sizeof work[0])]);
        }
        buffer_text(text, n == 0 ? (random_below(seed, 2) == 0 ? " + " : " / ") : "");
    }
    if (strchr(start, '(') != NULL)
        buffer_text(text, ")");
}

static void put_value(struct buffer *text, const struct knob *knob, const char *bytes,
                      size_t length, uint64_t *seed)
{
    struct catalogue *catalogue = fuzz_catalogue();
    int choices = 0;

    switch (knob->type) {
    case KNOB_NUMBER:
    case KNOB_INTEGER:
        if (knob->formula != 0 && random_below(seed, 2) == 0)
            put_formula(text, bytes, length, seed);
        else
            put_number(text, knob, seed);
        return;
    case KNOB_CHOICE:
        while (knob->choices[choices] != NULL)
            choices++;
        buffer_print(text, "%s", knob->choices[random_below(seed, (size_t)choices)]);
        return;
    case KNOB_PRESET:
        buffer_print(
            text, "%s",
            catalogue_at(catalogue, (int)random_below(seed, (size_t)catalogue_count(catalogue)))
                ->name);
        return;
    case KNOB_DEVICE:
    case KNOB_DEVICES:
    case KNOB_COMPONENTS:
        for (size_t n = random_below(seed, 3) + 1; n > 0; n--) {
            put_name(text, bytes, length,
                     knob->type == KNOB_COMPONENTS ? SECTION_COMPONENT : SECTION_DEVICE, seed);
            buffer_print(text, "%s", n > 1 ? ", " : "");
        }
        return;
    case KNOB_WFS:
        put_name(text, bytes, length, SECTION_WFS, seed);
        return;
    case KNOB_ALGORITHM:
        buffer_print(text, "%s", algorithms[random_below(seed, ALGORITHM_COUNT)].name);
        return;
    case KNOB_TEXT:
    case KNOB_FILE:
        buffer_print(text, "\"%c ; # %c\"", (int)(' ' + random_below(seed, 95)),
                     (int)(' ' + random_below(seed, 95)));
        return;
    }
}

/* Writes a key of the section with a value; one in ten is the origin of a value. */
static void put_key(struct buffer *text, enum section section, const char *bytes, size_t length,
                    uint64_t *seed)
{
    const struct knob *knob = &knobs[knob_section_first(section) +
                                     (int)random_below(seed, (size_t)knob_section_count(section))];

    if (section == SECTION_DEVICE && random_below(seed, 10) == 0) {
        buffer_print(text, "origin.%s = %s\n", knob->key,
                     origin_name((enum origin)random_below(seed, ORIGIN_COUNT)));
        return;
    }
    buffer_print(
        text, "%s = ", knob->alias != NULL && random_below(seed, 8) == 0 ? knob->alias : knob->key);
    put_value(text, knob, bytes, length, seed);
    buffer_print(text, "\n");
}

/* Writes the line's key with another value; a line without a known key as it is. */
static void put_other_value(struct buffer *text, struct line line, const char *bytes, size_t length,
                            uint64_t *seed)
{
    int first_knob = (int)random_below(seed, KNOB_COUNT);

    for (int i = 0; i < KNOB_COUNT; i++) {
        const struct knob *knob = &knobs[(first_knob + i) % KNOB_COUNT];
        size_t used = strlen(knob->key);

        if (line.length > used && strncmp(line.start, knob->key, used) == 0 &&
            strchr(" =\t", line.start[used]) != NULL) {
            buffer_print(text, "%s = ", knob->key);
            put_value(text, knob, bytes, length, seed);
            buffer_print(text, "\n");
            return;
        }
    }
    put_line(text, line);
}

size_t fuzz_ini_mutate(char *bytes, size_t length, size_t most, uint64_t *seed)
{
    struct buffer text = {0};
    struct line line = random_line(bytes, length, seed);
    size_t before = (size_t)(line.start - bytes);
    enum section section = section_at(bytes, length, line.start, seed);

    buffer_add(&text, bytes, before);
    switch (random_below(seed, 8)) {
    case 0: /* the line goes */
        break;
    case 1: /* it comes twice */
        put_line(&text, line);
        put_line(&text, line);
        break;
    case 2: /* another one comes */
        put_line(&text, line);
        put_line(&text, random_line(bytes, length, seed));
        break;
    case 3: /* a section begins */
        section = (enum section)random_below(seed, SECTION_COUNT);
        put_line(&text, line);
        buffer_print(&text, section_max(section) == 1 ? "[%s]\n" : "[%s.%c%c]\n",
                     section_name(section), (int)('a' + random_below(seed, 4)),
                     (int)('0' + random_below(seed, 3)));
        put_key(&text, section, bytes, length, seed);
        break;
    case 4:
    case 5:
        put_line(&text, line);
        put_key(&text, section, bytes, length, seed);
        break;
    default:
        put_other_value(&text, line, bytes, length, seed);
    }
    buffer_add(&text, line.start + line.length, length - before - line.length);
    if (text.length > 0 && text.length <= most) {
        memcpy(bytes, text.bytes, text.length);
        length = text.length;
    }
    buffer_free(&text);
    return length;
}
