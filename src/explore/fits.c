#include "explore/fits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "design/knob.h"
#include "model/overhead.h"
#include "model/result.h"

static const char *const names[FIT_COUNT] = {
    [FIT_HANDOVER] = "handover",
    [FIT_SOFTWARE] = "software",
    [FIT_INGRESS] = "ingress",
    [FIT_SLEEP] = "sleep",
    [FIT_INTERPRETED_HANDOVER] = "interpreted-handover",
    [FIT_INTERPRETED_WAKE] = "interpreted-wake",
    [FIT_LEGACY] = "legacy",
};

const char *fit_name(enum fit_figure figure)
{
    return names[figure];
}

bool fit_is_fraction(enum fit_figure figure)
{
    return figure == FIT_LEGACY;
}

/* Reading -------------------------------------------------------------------------------------- */

/* Texts of a row of the table. */
struct fit_words {
    const char *figure, *start, *low, *high, *start_source, *rows, *samples, *samples_source;
};

/* Reads a number above 0, of us for a time; an empty text is RESULT_NONE. */
static enum status read_value(const char *text, const char *column, double unit, double *value,
                              struct error *error)
{
    const char *end = "";

    *value = RESULT_NONE;
    if (text[0] == '\0')
        return STATUS_OK;
    if (number_parse(text, value, &end) != STATUS_OK || *end != '\0' || *value <= 0)
        return error_set(error, STATUS_INVALID, "%s \"%.40s\" is not a number above 0", column,
                         text);
    *value *= unit;
    return STATUS_OK;
}

static enum status add_value(struct fit *fit, struct fit_value value, struct error *error)
{
    if (fit->count == FIT_VALUES_MAX)
        return error_set(error, STATUS_INVALID, "more than %d rows and samples", FIT_VALUES_MAX);
    fit->value[fit->count++] = value;
    return STATUS_OK;
}

/* Cuts the next word, up to a blank or a semicolon, out of a text in place; NULL at its end. */
static char *next_word(char **text)
{
    char *word = *text + strspn(*text, " ;");
    size_t length = strcspn(word, " ;");

    if (length == 0)
        return NULL;
    *text = word + length + (word[length] != '\0');
    word[length] = '\0';
    return word;
}

/* Reads "ROW ROW ..." and "COMPUTER VALUE; COMPUTER VALUE ...", cut in place. */
static enum status read_values(struct fit *fit, char *rows, char *samples, struct error *error)
{
    enum status status = STATUS_OK;
    char *word;

    while (status == STATUS_OK && (word = next_word(&rows)) != NULL)
        status = add_value(fit, (struct fit_value){.row = word, .value = RESULT_NONE}, error);
    while (status == STATUS_OK && (word = next_word(&samples)) != NULL) {
        struct fit_value sample = {.computer = word};
        const char *value = next_word(&samples);

        status = read_value(value == NULL ? "nothing" : value, "the value of a sample", 1e-6,
                            &sample.value, error);
        if (status == STATUS_OK)
            status = add_value(fit, sample, error);
    }
    return status;
}

static enum status read_fit(struct fits *fits, const struct fit_words *words, int line,
                            char **names_at, struct error *error)
{
    int known = 0;
    double unit;
    char *rows = *names_at;
    char *samples = rows + strlen(words->rows) + 1;
    enum status status = STATUS_OK;
    struct fit *fit;

    while (known < FIT_COUNT && strcmp(words->figure, names[known]) != 0)
        known++;
    if (known == FIT_COUNT)
        return error_set(error, STATUS_INVALID, "there is no figure \"%.40s\"", words->figure);
    unit = fit_is_fraction((enum fit_figure)known) ? 1 : 1e-6;
    fit = &fits->fit[known];
    if (fit->count > 0)
        return error_set(error, STATUS_INVALID, "%s is there twice", words->figure);
    fit->line = line;
    *names_at = samples + strlen(words->samples) + 1;
    strcpy(rows, words->rows);
    strcpy(samples, words->samples);
    fit->start_source = words->start_source;
    fit->samples_source = words->samples_source;
    status = read_value(words->start, "start_us", unit, &fit->start, error);
    if (status == STATUS_OK)
        status = read_value(words->low, "low_us", unit, &fit->low, error);
    if (status == STATUS_OK)
        status = read_value(words->high, "high_us", unit, &fit->high, error);
    if (status == STATUS_OK)
        status = read_values(fit, rows, samples, error);
    if (status == STATUS_OK && words->rows[0] != '\0' && !(fit->low < fit->high))
        status = error_set(error, STATUS_INVALID, "%s has rows, but no low_us below its high_us",
                           words->figure);
    if (status == STATUS_OK && fit->start != RESULT_NONE &&
        ((fit->low != RESULT_NONE && fit->start < fit->low) ||
         (fit->high != RESULT_NONE && fit->start > fit->high)))
        status = error_set(error, STATUS_INVALID,
                           "the start of %s, %s, is not within low_us to high_us, %s to %s",
                           words->figure, words->start, words->low, words->high);
    if (status == STATUS_OK && fit->count == 0)
        status = error_set(error, STATUS_INVALID, "%s names no row and no sample", words->figure);
    if (status == STATUS_OK && (fit->start == RESULT_NONE) != (words->start_source[0] == '\0'))
        status = error_set(error, STATUS_INVALID, "%s needs a start and a start_source, or neither",
                           words->figure);
    if (status == STATUS_OK && (words->samples[0] == '\0') != (words->samples_source[0] == '\0'))
        status = error_set(error, STATUS_INVALID, "%s needs samples and a samples_source, or neither",
                           words->figure);
    return status;
}

enum status fits_read(struct fits *fits, const char *text, size_t length, struct error *error)
{
    enum status status;
    char *names_at;

    *fits = (struct fits){.names = NULL};
    status = records_parse(&fits->records, text, length, error);
    if (status != STATUS_OK)
        return status;
    names_at = fits->names = allocate_array(length + 1, 1);
    for (int i = 0; i < fits->records.count && status == STATUS_OK; i++) {
        struct fit_words words;
        const struct record_text texts[] = {
            {.column = "figure", .text = &words.figure},
            {.column = "start_us", .text = &words.start},
            {.column = "low_us", .text = &words.low},
            {.column = "high_us", .text = &words.high},
            {.column = "start_source", .text = &words.start_source},
            {.column = "rows", .text = &words.rows},
            {.column = "samples", .text = &words.samples},
            {.column = "samples_source", .text = &words.samples_source},
        };

        status = records_read(&fits->records, i, texts, sizeof texts / sizeof texts[0], error);
        if (status == STATUS_OK)
            status = read_fit(fits, &words, records_line(&fits->records, i), &names_at, error);
        if (status != STATUS_OK)
            error_prefix(error, "fits.csv:%d", records_line(&fits->records, i));
    }
    for (int f = 0; f < FIT_COUNT && status == STATUS_OK; f++)
        if (fits->fit[f].count == 0)
            status = error_set(error, STATUS_INVALID, "fits.csv: %s is missing", names[f]);
    if (status != STATUS_OK)
        fits_free(fits);
    return status;
}

void fits_free(struct fits *fits)
{
    records_free(&fits->records);
    free(fits->names);
    *fits = (struct fits){.names = NULL};
}

/* Values --------------------------------------------------------------------------------------- */

bool fit_rests_on(const struct fit *fit, const char *computer)
{
    for (int i = 0; i < fit->count; i++)
        if (strcmp(fit->value[i].computer, computer) == 0)
            return true;
    return false;
}

/* Returns the mean logarithm of the values of a computer, of which `first` is the first one; NAN if
 * an earlier value is of that computer. */
static double computer_mean(const struct fit *fit, int first)
{
    double sum = 0;
    int count = 0;

    for (int i = 0; i < fit->count; i++) {
        if (strcmp(fit->value[i].computer, fit->value[first].computer) != 0)
            continue;
        if (i < first)
            return NAN;
        sum += log(fit->value[i].value);
        count++;
    }
    return sum / count;
}

double fit_find(const struct fit *fit, const char *without)
{
    double sum = fit->start == RESULT_NONE ? 0 : log(fit->start);
    int count = fit->start == RESULT_NONE ? 0 : 1;

    for (int i = 0; i < fit->count; i++) {
        const double mean = computer_mean(fit, i);

        if (isnan(mean) || (without != NULL && strcmp(fit->value[i].computer, without) == 0))
            continue;
        sum += mean;
        count++;
    }
    return count == 0 ? RESULT_NONE : exp(sum / count);
}

/* The model's figures -------------------------------------------------------------------------- */

double fit_used(enum fit_figure figure)
{
    const struct knob *sleep = &knobs[KNOB_DEVICE_SLEEP_LATENCY];

    switch (figure) {
    case FIT_HANDOVER:
        return PROCESS_HANDOVER;
    case FIT_SOFTWARE:
        return PROCESS_SOFTWARE;
    case FIT_INGRESS:
        return KERNEL_INGRESS;
    case FIT_SLEEP:
        return knob_to_si(sleep, sleep->fallback);
    case FIT_INTERPRETED_HANDOVER:
        return INTERPRETED_HANDOVER;
    case FIT_INTERPRETED_WAKE:
        return INTERPRETED_WAKE;
    case FIT_LEGACY:
        return LEGACY_MEMORY_RATE;
    case FIT_COUNT:
        break;
    }
    return RESULT_NONE;
}

/* Sets a time of a device unless it is stated. */
static void set_open(double *time, double value, bool uses)
{
    if (uses && *time == TIME_AUTO)
        *time = value;
}

static void apply_to_cpu(enum fit_figure figure, double value, struct device *device)
{
    const bool interpreted = device->framework == FRAMEWORK_INTERPRETER;
    const bool processes = device->dispatch == DISPATCH_PROCESS;
    const enum ingress ingress = overhead_stated_ingress(device);

    switch (figure) {
    case FIT_HANDOVER:
        set_open(&device->handover, value, processes && !interpreted);
        break;
    case FIT_INTERPRETED_HANDOVER:
        set_open(&device->handover, value, processes && interpreted);
        break;
    case FIT_SOFTWARE:
        set_open(&device->software, value, processes);
        break;
    case FIT_INTERPRETED_WAKE:
        set_open(&device->launch, value, device->dispatch == DISPATCH_WAKE && interpreted);
        break;
    case FIT_INGRESS:
        set_open(&device->ingress_latency, value, ingress == INGRESS_KERNEL);
        break;
    case FIT_SLEEP:
        if (device->sleep_latency == fit_used(FIT_SLEEP))
            device->sleep_latency = value;
        break;
    case FIT_LEGACY:
    case FIT_COUNT:
        break;
    }
}

/* Sets the efficiency with which products on a GPU of legacy code reach a fraction of its bandwidth
 * in total. */
static void apply_legacy(double value, struct scenario *scenario)
{
    for (int c = 0; c < scenario->component_count; c++) {
        const int d = scenario_device(scenario, c);

        if (d >= 0 && scenario->device[d].kind == DEVICE_GPU && scenario->device[d].legacy)
            scenario->component[c].memory_efficiency = value / scenario->device[d].sustained_memory;
    }
}

void fit_apply(enum fit_figure figure, double value, struct scenario *scenario)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[d].kind == DEVICE_CPU)
            apply_to_cpu(figure, value, &scenario->device[d]);
    if (figure == FIT_LEGACY)
        apply_legacy(value, scenario);
}
