#include "report/reports.h"

#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "model/knob_effect.h"
#include "report/knob_doc.h"

/* Puts a number in the knob's unit, a word or formula, or null if the value is automatic or missing. */
static void put_value(struct record *record, const char *key, const struct knob *knob,
                      const char *text)
{
    const char *end;
    double value;

    if (knob->automatic && strcmp(text, "auto") == 0)
        record_null(record, key);
    else if (knob_is_number(knob) && quantity_parse(text, knob->unit, &value, NULL) == STATUS_OK &&
             number_parse(text, &value, &end) == STATUS_OK)
        record_number(record, key, NULL, "", value);
    else
        record_text(record, key, NULL, text[0] != '\0' ? text : NULL);
}

/* Returns the current value of an automatic number, RESULT_NONE if unknown. */
static double automatic_number(const struct scenario *scenario, const struct result *result,
                               struct knob_ref ref)
{
    if (result == NULL || !knob_is_auto(ref.knob, knob_number(scenario, ref)))
        return RESULT_NONE;
    return knob_number_in_force(scenario, result, ref);
}

/* Puts the kinds of the section that have the knob, null for all. */
static void put_kinds(struct record *record, const struct knob *knob)
{
    char kinds[KNOB_ALLOWED_SIZE];

    knob_doc_kinds(knob, kinds, sizeof kinds);
    record_array(record, "kinds", kinds[0] != '\0');
    for (int k = 0; knob_doc_kind(knob->section, k) != NULL; k++)
        if (knob_has_kind(knob, k))
            record_text(record, NULL, NULL, knob_doc_kind(knob->section, k));
    record_array_end(record);
}

static const char *choice_name(const struct scenario *scenario, struct knob_ref ref, int choice)
{
    if (scenario == NULL)
        return knob_doc_choice(ref.knob, choice);
    return choice < knob_choice_count(scenario, ref) ? knob_choice_name(scenario, ref, choice)
                                                     : NULL;
}

static void put_choices(struct record *record, const struct scenario *scenario, struct knob_ref ref)
{
    record_array(record, "choices", choice_name(scenario, ref, 0) != NULL);
    for (int i = 0; choice_name(scenario, ref, i) != NULL; i++)
        record_text(record, NULL, NULL, choice_name(scenario, ref, i));
    record_array_end(record);
}

static void put_data(struct record *record, const struct scenario *scenario,
                     const struct result *result, struct knob_ref ref, const char *path,
                     const char *value)
{
    const struct knob *knob = ref.knob;
    bool number = knob_is_number(knob);
    char fallback[KNOB_ALLOWED_SIZE];

    if (number && !knob->automatic)
        quantity_format(knob_fallback(knob), knob->unit, fallback, sizeof fallback);
    else
        knob_doc_default(knob, fallback, sizeof fallback);
    record_row(record);
    record_text(record, "path", NULL, path);
    record_text(record, "label", NULL, knob->label);
    record_text(record, "type", NULL, knob_doc_type(knob));
    put_kinds(record, knob);
    if (scenario != NULL) {
        put_value(record, "value", knob, value);
        record_text(record, "text", NULL, value);
        record_text(record, "origin", NULL, origin_name(knob_origin(scenario, ref)));
        record_number(record, "resolved", NULL, knob->unit,
                      automatic_number(scenario, result, ref));
    }
    record_text(record, "unit", NULL, knob->unit[0] != '\0' ? knob->unit : NULL);
    record_number(record, "min", NULL, "", number ? knob->min : RESULT_NONE);
    record_number(record, "max", NULL, "", number ? knob->max : RESULT_NONE);
    put_value(record, "default", knob, fallback);
    record_bool(record, "may_be_automatic", NULL, knob->automatic);
    put_choices(record, scenario, ref);
    record_text(record, "help", NULL, knob->help);
    record_row_end(record);
}

static void put_entry(struct record *record, const struct scenario *scenario, struct knob_ref ref,
                      const char *path, const char *value)
{
    char allowed[KNOB_ALLOWED_SIZE], fallback[KNOB_ALLOWED_SIZE], kinds[KNOB_ALLOWED_SIZE];
    struct buffer head = {0}, text = {0};

    if (scenario != NULL)
        knob_allowed(scenario, ref, allowed, sizeof allowed);
    else
        knob_doc_allowed(ref.knob, allowed, sizeof allowed);
    knob_doc_default(ref.knob, fallback, sizeof fallback);
    knob_doc_kinds(ref.knob, kinds, sizeof kinds);
    buffer_text(&head, path);
    if (scenario != NULL)
        buffer_print(&head, " = %s  (%s)", value[0] != '\0' ? value : "(none)",
                     origin_name(knob_origin(scenario, ref)));
    buffer_print(&text, "%s. Allowed: %s", ref.knob->help, allowed);
    if (fallback[0] != '\0')
        buffer_print(&text, "; default: %s", fallback);
    if (scenario == NULL && kinds[0] != '\0')
        buffer_print(&text, ". Of: %s", kinds);
    record_entry(record, head.bytes, text.bytes);
    buffer_free(&head);
    buffer_free(&text);
}

void params_put_knob(struct record *record, const struct scenario *scenario,
                     const struct result *result, struct knob_ref ref)
{
    char path[KNOB_ALLOWED_SIZE];
    char value[KNOB_TEXT_SIZE] = "";

    if (scenario != NULL) {
        knob_path(scenario, ref, path, sizeof path);
        if (record_is_data(record))
            knob_get_text(scenario, ref, value, sizeof value);
        else
            knob_print(scenario, ref, value, sizeof value);
    } else {
        knob_doc_path(ref.knob, path, sizeof path);
    }
    if (record_is_data(record))
        put_data(record, scenario, result, ref, path, value);
    else
        put_entry(record, scenario, ref, path, value);
}
