/* Format 1 is frozen: data/format-1.ini holds every section and every key there was when it was,
 * and is never edited. A change here breaks scenarios that users have saved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "files.h"
#include "model/evaluate.h"

#define KEYS_AT_LEAST 150

static struct scenario scenario;

static bool load(void)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    enum status status = scenario_load(&scenario, &document, check_data_path("format-1.ini"),
                                       files_catalogue(), &problems);
    char *found = files_problems(&problems);
    bool good = CHECK_TRUE(status == STATUS_OK, "format-1.ini: status %d\n%s", status,
                           found == NULL ? "" : found);

    free(found);
    problems_free(&problems);
    document_free(document);
    return good;
}

/* "key = value" as the file spells it, which is as a design is saved. */
static void check_value(const char *section, const char *key, const char *value)
{
    struct error error = {STATUS_OK, ""};
    struct knob_ref ref;
    char path[2304];
    char actual[2304];

    snprintf(path, sizeof path, "%s.%s", section, key);
    if (!CHECK_TRUE(knob_find(&scenario, path, &ref, &error) == STATUS_OK, "%s: %s", path,
                    error.message))
        return;
    knob_get_text(&scenario, ref, actual, sizeof actual);
    CHECK_TRUE(strcmp(actual, value) == 0, "%s is %s, the file says %s", path, actual, value);
    CHECK_TRUE(knob_origin(&scenario, ref) == ORIGIN_SET, "%s is %s", path,
               origin_name(knob_origin(&scenario, ref)));
}

TEST(every_key_means_what_it_says)
{
    FILE *file = fopen(check_data_path("format-1.ini"), "r");
    char line[1024];
    char section[64] = "";
    int keys = 0;

    if (!load() || !CHECK(file != NULL))
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        char *equals = strstr(line, " = ");

        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '[') {
            snprintf(section, sizeof section, "%.*s", (int)strcspn(line + 1, "]"), line + 1);
        } else if (line[0] != ';' && equals != NULL) {
            *equals = '\0';
            check_value(section, line, equals + 3);
            keys++;
        }
    }
    fclose(file);
    CHECK_TRUE(keys >= KEYS_AT_LEAST, "%d keys, expected %d at least", keys, KEYS_AT_LEAST);
    for (int s = 0; s < SECTION_COUNT; s++)
        CHECK_TRUE(section_count(&scenario, (enum section)s) > 0, "there is no [%s]",
                   section_name((enum section)s));
}

TEST(it_still_evaluates)
{
    struct error error = {STATUS_OK, ""};
    struct result result;

    if (!load())
        return;
    result_init(&result);
    CHECK_TRUE(evaluate(&scenario, &result, &error) == STATUS_OK, "%s", error.message);
    CHECK_TRUE(result.latency > 0, "latency %g s", result.latency);
    result_free(&result);
}

SUITE(files_open, files_close)
