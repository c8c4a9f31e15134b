#include "design/calibration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"

#define ITEM_MAX 191
#define PLUS_MINUS "\xC2\xB1"

#define FACTOR_FORM "DEVICE:CAUSE:FACTOR:SIGMA, as rtc:memory:1.12:1.05"
#define MEASURED_FORM "PATH=VALUE, as latency=512us or component.recon.busy=180us+-5%%"
#define DEVICE_FORM "DEVICE:PART:FIGURES, as rtc:0d1f93b2:77ac0e51"

/* Lists ---------------------------------------------------------------------------------------- */

/* Copies the next item, up to a comma, without the blanks around it, and moves the text behind it.
 * Returns false at the end of the list. */
static bool next_item(const char **text, char item[ITEM_MAX + 1])
{
    const char *from = *text + strspn(*text, " ");
    size_t length = strcspn(from, ",");

    if (*from == '\0')
        return false;
    *text = from + length + (from[length] == ',');
    while (length > 0 && from[length - 1] == ' ')
        length--;
    snprintf(item, ITEM_MAX + 1, "%.*s", (int)length, from);
    return true;
}

/* Splits an item at its colons in place; returns the number of parts, more than `most` as most + 1.
 */
static int split_item(char *item, char *parts[], int most)
{
    int count = 0;

    for (char *at = item; at != NULL; count++) {
        char *colon = strchr(at, ':');

        if (count == most)
            return most + 1;
        if (colon != NULL)
            *colon++ = '\0';
        parts[count] = at;
        at = colon;
    }
    return count;
}

/* Reads a number that is all of the text, in a range. */
static bool read_number(const char *text, double least, double most, double *value)
{
    const char *end;

    return number_parse(text, value, &end) == STATUS_OK && *end == '\0' && *value >= least &&
           *value <= most;
}

static enum status read_factor(char *item, struct calibration_factor *factor, struct error *error)
{
    char whole[ITEM_MAX + 1];
    char *parts[4];

    snprintf(whole, sizeof whole, "%s", item);
    if (split_item(item, parts, 4) != 4 || !name_is_good(parts[0]) || parts[1][0] == '\0' ||
        strlen(parts[1]) > CALIBRATION_CAUSE_MAX)
        return error_set(error, STATUS_INVALID, "\"%.60s\" is no factor; allowed: " FACTOR_FORM,
                         whole);
    if (!read_number(parts[2], CALIBRATION_LEAST, CALIBRATION_MOST, &factor->factor))
        return error_set(error, STATUS_INVALID,
                         "the factor of \"%.60s\" is out of range; allowed: %g to %d", whole,
                         CALIBRATION_LEAST, CALIBRATION_MOST);
    if (!read_number(parts[3], 1, UNCERTAINTY_MOST, &factor->sigma))
        return error_set(error, STATUS_INVALID,
                         "the sigma of \"%.60s\" is out of range; allowed: 1 to %d", whole,
                         UNCERTAINTY_MOST);
    strcpy(factor->device, parts[0]);
    strcpy(factor->cause, parts[1]);
    return STATUS_OK;
}

bool calibration_next_factor(const char **text, struct calibration_factor *factor,
                             struct error *error)
{
    char item[ITEM_MAX + 1];

    if (error != NULL)
        error->status = STATUS_OK;
    return next_item(text, item) && read_factor(item, factor, error) == STATUS_OK;
}

/* Returns the start of the spread in a value, after the sign; sets where the value ends. NULL:
 * none. */
static const char *find_spread(const char *value, const char **end)
{
    const char *sign = strstr(value, PLUS_MINUS);

    *end = sign != NULL ? sign : strstr(value, "+-");
    return *end == NULL ? NULL : *end + 2; /* both signs have two bytes */
}

/* Reads "5%" or "5 %" as a fraction. */
static bool read_percent(const char *text, double *fraction)
{
    const char *end;

    text += strspn(text, " ");
    if (number_parse(text, fraction, &end) != STATUS_OK)
        return false;
    end += strspn(end, " ");
    *fraction /= 100;
    return strcmp(end, "%") == 0 && *fraction > 0 && *fraction <= CALIBRATION_SPREAD_MOST;
}

enum status calibration_read_measured(const char *text, struct calibration_measured *measured,
                                      struct error *error)
{
    const char *equals = strchr(text, '=');
    const char *end = NULL;
    const char *spread = equals == NULL ? NULL : find_spread(equals + 1, &end);
    size_t path = equals == NULL ? 0 : (size_t)(equals - text);
    char value[ITEM_MAX + 1];

    while (path > 0 && text[path - 1] == ' ')
        path--;
    if (path == 0 || path >= CALIBRATION_PATH_MAX)
        return error_set(error, STATUS_INVALID,
                         "\"%.60s\" is no measurement; allowed: " MEASURED_FORM, text);
    snprintf(measured->path, sizeof measured->path, "%.*s", (int)path, text);
    snprintf(value, sizeof value, "%.*s", end == NULL ? ITEM_MAX : (int)(end - equals - 1),
             equals + 1);
    measured->spread = 0;
    measured->may_miss = false;
    if (spread != NULL && !read_percent(spread, &measured->spread))
        return error_set(
            error, STATUS_INVALID,
            "the spread of \"%.60s\" is not allowed; allowed: above 0 %% to 100 %%, as "
            "+-5%%",
            text);
    if (quantity_parse(value, "us", &measured->value, error) != STATUS_OK) {
        error_prefix(error, "\"%.60s\"", text);
        return STATUS_INVALID;
    }
    if (!(measured->value > 0 && measured->value <= 1e3))
        return error_set(error, STATUS_INVALID,
                         "the time of \"%.60s\" is out of range; allowed: above 0 s to 1000 s",
                         text);
    return STATUS_OK;
}

bool calibration_next_measured(const char **text, struct calibration_measured *measured,
                               struct error *error)
{
    char item[ITEM_MAX + 1];

    if (error != NULL)
        error->status = STATUS_OK;
    return next_item(text, item) && calibration_read_measured(item, measured, error) == STATUS_OK;
}

void calibration_read_correlations(
    const char *text, int count,
    double correlation[CALIBRATION_FACTORS_MAX][CALIBRATION_FACTORS_MAX])
{
    char item[ITEM_MAX + 1];

    for (int i = 0; i < count; i++) {
        correlation[i][i] = 1;
        for (int j = 0; j < i; j++) {
            double value = 0;

            if (!next_item(&text, item) || !read_number(item, -1, 1, &value))
                value = 0;
            correlation[i][j] = correlation[j][i] = value;
        }
    }
}

/* Checks --------------------------------------------------------------------------------------- */

enum status calibration_check_factors(const char *text, struct error *error)
{
    struct calibration_factor factor;
    struct error problem;
    int count = 0;

    while (calibration_next_factor(&text, &factor, &problem))
        if (++count > CALIBRATION_FACTORS_MAX)
            return error_set(error, STATUS_INVALID, "more than %d factors",
                             CALIBRATION_FACTORS_MAX);
    if (problem.status != STATUS_OK && error != NULL)
        *error = problem;
    return problem.status;
}

enum status calibration_check_measured(const char *text, struct error *error)
{
    struct calibration_measured measured;
    struct error problem;
    int count = 0;

    while (calibration_next_measured(&text, &measured, &problem)) {
        if (measured.spread == 0)
            return error_set(error, STATUS_INVALID,
                             "\"%.60s\" lacks its spread; allowed: "
                             "PATH=VALUE+-SPREAD%%",
                             measured.path);
        if (++count > CALIBRATION_MEASURED_MAX)
            return error_set(error, STATUS_INVALID, "more than %d measurements",
                             CALIBRATION_MEASURED_MAX);
    }
    if (problem.status != STATUS_OK && error != NULL)
        *error = problem;
    return problem.status;
}

enum status calibration_check_correlations(const char *text, struct error *error)
{
    const int most = CALIBRATION_FACTORS_MAX * (CALIBRATION_FACTORS_MAX - 1) / 2;
    char item[ITEM_MAX + 1];
    double value;
    int count = 0;

    while (next_item(&text, item)) {
        if (!read_number(item, -1, 1, &value))
            return error_set(error, STATUS_INVALID, "\"%.60s\" is no correlation; allowed: -1 to 1",
                             item);
        if (++count > most)
            return error_set(error, STATUS_INVALID, "more than %d correlations", most);
    }
    return STATUS_OK;
}

/* Reads eight hexadecimal digits. */
static bool read_sum(const char *text, uint32_t *sum)
{
    if (strlen(text) != 8 || strspn(text, "0123456789abcdef") != 8)
        return false;
    *sum = (uint32_t)strtoul(text, NULL, 16);
    return true;
}

/* Reads an item of the list of devices; `parts` are those of the item. */
static bool read_device(char *item, char *parts[3], struct calibration_device *device)
{
    return split_item(item, parts, 3) == 3 && name_is_good(parts[0]) &&
           read_sum(parts[1], &device->part) && read_sum(parts[2], &device->figures);
}

enum status calibration_check_devices(const char *text, struct error *error)
{
    struct calibration_device device;
    char item[ITEM_MAX + 1], whole[ITEM_MAX + 1];
    char *parts[3];

    while (next_item(&text, item)) {
        strcpy(whole, item);
        if (!read_device(item, parts, &device))
            return error_set(error, STATUS_INVALID, "\"%.60s\" is no device; allowed: " DEVICE_FORM,
                             whole);
    }
    return STATUS_OK;
}

/* Devices -------------------------------------------------------------------------------------- */

bool calibration_find_device(const char *list, const char *name, struct calibration_device *device)
{
    char item[ITEM_MAX + 1];
    char *parts[3];

    while (next_item(&list, item))
        if (read_device(item, parts, device) && strcmp(parts[0], name) == 0)
            return true;
    return false;
}
