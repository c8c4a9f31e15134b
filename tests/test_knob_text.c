#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "rows.h"
#include "sample.h"
#include "zoo.h"

static struct scenario printed;

static void check_printed(const struct row *row)
{
    struct knob_ref ref;
    struct error error;
    char text[2304];

    sample_set(&printed, row->field[0], row->field[1]);
    CHECK_INT(knob_find(&printed, row->field[0], &ref, &error), STATUS_OK);
    knob_print(&printed, ref, text, sizeof text);
    ROW_STR(row, text, row->field[2]);
}

TEST(prints_six_digits)
{
    zoo_make(&printed);
    rows_each("knobs.txt", "printed", 3, check_printed);
}

/* Every slider position prints what the step promises. */
static void visit_printed(struct scenario *scenario, struct knob_ref ref)
{
    struct error error;
    double si = zoo_is_number(ref.knob) ? knob_min(ref.knob) : 0;

    for (int i = 0; i < 60 && zoo_is_number(ref.knob); i++) {
        char text[2304];

        knob_set_number(scenario, ref, si, &error);
        knob_print(scenario, ref, text, sizeof text);
        if (strcmp(text, "auto") != 0) {
            double shown = 0; /* a word */

            quantity_parse(text, ref.knob->unit, &shown, NULL);
            CHECK_TRUE(fabs(shown - si) <= 1e-9 * fabs(si) && strlen(text) < 20,
                       "%s = %.17g is printed \"%s\"", ref.knob->key, si, text);
        }
        si = knob_step(ref.knob, si, 7);
    }
}

TEST(prints_every_step)
{
    static struct scenario scenario;

    zoo_make(&scenario);
    zoo_each(&scenario, visit_printed);
}

static char *texts;
static size_t texts_used;
#define TEXTS_MAX 200000

static void visit_text(struct scenario *scenario, struct knob_ref ref)
{
    char one[2304];

    knob_get_text(scenario, ref, one, sizeof one);
    texts_used += (size_t)snprintf(texts + texts_used, TEXTS_MAX - texts_used, "%s|", one);
    knob_print(scenario, ref, one, sizeof one);
    texts_used += (size_t)snprintf(texts + texts_used, TEXTS_MAX - texts_used, "%s|", one);
    knob_allowed(scenario, ref, one, sizeof one);
    texts_used += (size_t)snprintf(texts + texts_used, TEXTS_MAX - texts_used, "%s\n", one);
}

static char *all_texts(struct scenario *scenario)
{
    texts = calloc(TEXTS_MAX, 1);
    texts_used = 0;
    if (CHECK(texts != NULL))
        zoo_each(scenario, visit_text);
    return texts;
}

TEST(a_comma_locale_changes_nothing)
{
    static struct scenario scenario;
    char *plain;
    char *comma;

    zoo_make(&scenario);
    plain = all_texts(&scenario);
    check_comma_locale(true);
    comma = all_texts(&scenario);
    check_comma_locale(false);
    CHECK_STR(comma, plain);
    free(comma);
    free(plain);
}

/* What a function called next finds in what it does not initialise. */
static __attribute__((noinline)) void leave_on_stack(unsigned char byte)
{
    volatile unsigned char left[1 << 14];

    for (size_t i = 0; i < sizeof left; i++)
        left[i] = byte;
}

static void set_on_any_stack(struct scenario *scenario, struct knob_ref ref)
{
    static struct scenario copies[2];
    enum status status[2];
    char text[2304];

    knob_get_text(scenario, ref, text, sizeof text);
    if (ref.knob->type == KNOB_COMPONENTS)
        snprintf(text, sizeof text, "none"); /* "auto" sets nothing */
    for (int i = 0; i < 2; i++) {
        memcpy(&copies[i], scenario, sizeof copies[i]);
        leave_on_stack(i == 0 ? 0x55 : 0xAA);
        status[i] = knob_set_text(&copies[i], ref, text, NULL);
    }
    CHECK_INT(status[0], status[1]);
    CHECK_TRUE(memcmp(&copies[0], &copies[1], sizeof copies[0]) == 0,
               "%s = %s: what it sets differs from time to time", ref.knob->key, text);
}

/* A design has changed if its bytes differ. */
TEST(the_same_text_the_same_bytes)
{
    static struct scenario scenario;

    zoo_make(&scenario);
    CHECK(zoo_each(&scenario, set_on_any_stack) > 0);
}
