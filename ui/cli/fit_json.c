
#include "cli/fit_text.h"
#include "cli/json.h"

#define NS 1e9

static const char *const origins[] = {
    [SURFACE_IN_COLUMN] = "file",
    [SURFACE_GIVEN] = "option",
    [SURFACE_IN_COMMENT] = "file",
    [SURFACE_ASSUMED] = "assumed",
};

static void put_surface(struct json *json, const struct fit_report *report)
{
    const struct surface *surface = &report->surface;

    json_text(json, "file", report->name);
    json_number(json, "points", surface->count);
    json_number(json, "word_bytes", surface->word);
    json_text(json, "word_origin", origins[surface->word_origin]);
    json_number(json, "smallest_size_words", surface->least_held);
    json_number(json, "largest_size_words", surface->most_held);
    json_number(json, "largest_size_bytes", surface->most_held * surface->word);
    json_text(json, "size_origin", origins[surface->held_origin]);
}

/* "l1_ns": the value, "l1_effect_percent": its largest share in a time. */
static void put_values(struct json *json, const struct fit *fit, double word)
{
    const struct fit_form *form = &fit_forms[fit->model];
    char key[40];

    for (int v = 0; v < FIT_VALUES; v++) {
        if (form->name[v] == NULL)
            continue;
        snprintf(key, sizeof key, "%s_ns", form->name[v]);
        json_number(json, key, fit->value[v] * NS);
        snprintf(key, sizeof key, "%s_effect_percent", form->name[v]);
        json_number(json, key, 100 * fit->effect[v]);
    }
    if (!form->cached)
        return;
    json_number(json, "c_words", fit->c);
    json_number(json, "c_bytes", fit->c * word);
    json_number(json, "c_effect_percent", 100 * fit->effect_c);
}

static void put_flags(struct json *json, const struct fit *fit)
{
    char words[300];

    json_array(json, "flags");
    for (int f = 0; f < FIT_FLAGS; f++) {
        if (!fit->flag[f])
            continue;
        fit_flag_text(fit, (enum fit_flag)f, words, sizeof words);
        json_object(json, NULL);
        json_text(json, "flag", fit_flag_name((enum fit_flag)f));
        json_text(json, "words", words);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_trend(struct json *json, const char *key, const struct trend *trend)
{
    json_object(json, key);
    json_number(json, "pairs", trend->pairs);
    json_number(json, "moran_i", trend->i);
    json_number(json, "z", trend->z);
    json_object_end(json);
}

/* Without the object around it, which holds what the group is of. */
static void put_group(struct json *json, const struct residual_group *group)
{
    json_number(json, "points", group->count);
    json_number(json, "mean_ln", group->mean);
    json_number(json, "rms_ln", group->rms);
    json_number(json, "worst_ln", group->worst);
}

static void put_groups(struct json *json, const char *key, const char *unit, double scale,
                       const struct residual_group *group, int count)
{
    json_array(json, key);
    for (int i = 0; i < count; i++) {
        json_object(json, NULL);
        json_number(json, unit, group[i].key * scale);
        put_group(json, &group[i]);
        json_object_end(json);
    }
    json_array_end(json);
}

static void put_map(struct json *json, const struct residuals *residuals)
{
    json_array(json, "map");
    for (int a = 0; a < residuals->alphas; a++)
        for (int b = 0; b < residuals->blocks; b++) {
            const struct residual_group *cell = &residuals->cell[a * residuals->blocks + b];

            if (cell->count == 0)
                continue;
            json_object(json, NULL);
            json_number(json, "alpha", residuals->by_alpha[a].key);
            json_number(json, "l_words", residuals->by_block[b].key);
            put_group(json, cell);
            json_object_end(json);
        }
    json_array_end(json);
}

static void put_model(struct json *json, const struct fit *fit, const struct residuals *residuals,
                      double word)
{
    json_object(json, NULL);
    json_text(json, "model", fit_forms[fit->model].title);
    put_values(json, fit, word);
    json_number(json, "sse_ln", fit->squares);
    json_number(json, "sse_ns2", fit->linear * NS * NS);
    json_number(json, "pc", fit->pc);
    put_flags(json, fit);
    put_trend(json, "along_l", &fit->along_l);
    put_trend(json, "along_alpha", &fit->along_alpha);
    json_object(json, "residuals");
    put_groups(json, "by_l", "l_words", 1, residuals->by_block, residuals->blocks);
    put_groups(json, "by_alpha", "alpha", 1, residuals->by_alpha, residuals->alphas);
    put_groups(json, "by_predicted", "predicted_ns", NS, residuals->by_predicted,
               residuals->predicted);
    put_map(json, residuals);
    json_object_end(json);
    json_object_end(json);
}

void fit_put_models(struct json *json, const struct fit_report *report)
{
    json_array(json, "models");
    for (int m = 0; m < FIT_MODELS; m++)
        put_model(json, &report->fit[m], &report->residuals[m], report->surface.word);
    json_array_end(json);
}

void fit_print_json(FILE *out, const struct fit_report *report)
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_number(&json, "schema", 1);
    put_surface(&json, report);
    fit_put_models(&json, report);
    json_object_end(&json);
}
