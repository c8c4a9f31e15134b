#include "cli/json.h"
#include "cli/seek_report.h"
#include "units.h"

#define SEEK_SCHEMA 1

static double in_unit(double si, const char *name)
{
    struct unit unit = {DIMENSION_NUMBER, 1, 1};

    if (si == RESULT_NONE)
        return si;
    unit_find(name, &unit);
    return si * unit.denominator / unit.numerator;
}

/* What the conditions compare, by its JSON path. */
static void put_results(struct json *json, const struct seek *seek, const struct seek_point *point)
{
    const struct conditions *conditions = &seek->conditions;
    char path[RESULT_PATH_MAX];

    json_object(json, "results");
    for (int i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->list[i];
        bool said = false;

        for (int before = 0; before < i; before++)
            said = said || (conditions->list[before].left.row == condition->left.row &&
                            conditions->list[before].left.index == condition->left.index);
        result_json_path(&condition->left, path, sizeof path);
        if (!said)
            json_number(json, path, in_unit(point->left[i], condition->left.row->unit));
    }
    json_object_end(json);
}

static void put_point(struct json *json, const char *key, const struct seek *seek,
                      const struct seek_point *point)
{
    bool valid = point->problem.status == STATUS_OK;

    json_object(json, key);
    if (seek->choices)
        json_text(json, "value", point->text);
    else if (knob_left_open(seek->ref.knob, point->value))
        json_null(json, "value");
    else
        json_number(json, "value", in_unit(point->value, seek->ref.knob->unit));
    json_text(json, "text", point->text);
    json_bool(json, "meets", point->shortfall == 0);
    put_results(json, seek, point);
    json_number(json, "load", point->load);
    json_text(json, "limit", valid && point->limit[0] != '\0' ? point->limit : NULL);
    if (valid && point->bound_node[0] != '\0') {
        json_object(json, "bound");
        json_text(json, "component", point->bound_node);
        json_text(json, "by", bound_name(point->bound));
        json_text(json, "device", point->device[0] != '\0' ? point->device : NULL);
        json_object_end(json);
    } else {
        json_null(json, "bound");
    }
    json_text(json, "problem", valid ? NULL : point->problem.message);
    json_object_end(json);
}

static void put_side(struct json *json, const char *key, const struct seek *seek,
                     const struct seek_side *side)
{
    json_object(json, key);
    if (side->crossed) {
        put_point(json, "meets", seek, &side->holds);
        put_point(json, "fails", seek, &side->fails);
    } else {
        json_null(json, "meets");
        json_null(json, "fails");
    }
    put_point(json, "last", seek, &side->end);
    json_object_end(json);
}

static void put_change(struct json *json, const struct seek *seek)
{
    double from = seek->from.value;

    if (!seek->found || seek->choices) {
        json_null(json, "change");
        json_null(json, "change_percent");
        return;
    }
    json_number(json, "change", in_unit(seek->answer.value - from, seek->ref.knob->unit));
    json_number(json, "change_percent",
                from != 0 ? 100 * (seek->answer.value - from) / from : RESULT_NONE);
}

static void put_values(struct json *json, const struct seek *seek)
{
    if (!seek->choices) {
        put_side(json, "below", seek, &seek->side[SEEK_BELOW]);
        put_side(json, "above", seek, &seek->side[SEEK_ABOVE]);
        return;
    }
    json_array(json, "choices");
    for (int i = 0; i < seek->count; i++)
        put_point(json, NULL, seek, &seek->choice[i]);
    json_array_end(json);
}

void seek_json(FILE *out, const struct scenario *scenario, const struct seek *seek)
{
    char sentence[SEEK_SENTENCE_MAX];
    struct json json = json_to(out);
    char path[96];

    knob_path(scenario, seek->ref, path, sizeof path);
    json_object(&json, NULL);
    json_number(&json, "schema", SEEK_SCHEMA);
    json_text(&json, "knob", path);
    json_text(&json, "unit", seek->ref.knob->unit);
    json_array(&json, "until");
    for (int i = 0; i < seek->conditions.count; i++) {
        char text[CONDITION_TEXT_MAX];

        condition_print(&seek->conditions.list[i], text, sizeof text);
        json_text(&json, NULL, text);
    }
    json_array_end(&json);
    json_bool(&json, "feasible", seek_feasible(seek));
    json_bool(&json, "depends", seek->moves);
    if (seek->found)
        put_point(&json, "answer", seek, &seek->answer);
    else
        json_null(&json, "answer");
    put_change(&json, seek);
    put_point(&json, "present", seek, &seek->present);
    put_values(&json, seek);
    put_point(&json, "best", seek, &seek->best);
    seek_infeasible(scenario, seek, sentence, sizeof sentence);
    json_text(&json, "infeasible", seek_feasible(seek) ? NULL : sentence);
    json_number(&json, "evaluations", (double)seek->evaluations);
    json_object_end(&json);
}
