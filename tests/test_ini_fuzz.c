/* Broken at random: reading either works, and then saving without a change gives the same bytes, or
 * says what is wrong. $AOLAG_SEED starts from another seed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "files.h"

#define MUTATIONS_PER_PRESET 100
#define GROWTH 256

static struct scenario scenario;

static uint64_t seed(void)
{
    const char *given = getenv("AOLAG_SEED");
    uint64_t value = given == NULL ? 20250101 : strtoull(given, NULL, 0);

    printf("# seed %" PRIu64 "\n", value);
    return value == 0 ? 1 : value;
}

/* What files break by: the syntax' own characters, and pieces of other files. */
/* clang-format off */
static const char *const pieces[] = {
    "\n", "[", "]", "=", ";", "#", "\"", "'", "\\\n", "\r\n", " ", "\t", "\x01", "\xC3",
    "\xEF\xBB\xBF", ",", "-", "1e999", "format=2", "[ao]\n", "type=dm\n", "after=", "auto", "none",
    "0", "[device.rtc]\n", "preset=saxo\n", "kind = gpu\n", "\n\n; c\n", "99999999999999999999",
};
/* clang-format on */

static size_t mutate(char *bytes, size_t length, uint64_t *state)
{
    size_t at = files_random(state, (uint32_t)length);
    size_t span = 1 + files_random(state, 40);
    const char *piece = pieces[files_random(state, sizeof pieces / sizeof pieces[0])];

    if (span > length - at)
        span = length - at;
    switch (files_random(state, 5)) {
    case 0:
        bytes[at] = (char)files_random(state, 256);
        return length;
    case 1:
        bytes[at] ^= (char)(1U << files_random(state, 8));
        return length;
    case 2:
        memmove(bytes + at, bytes + at + span, length - at - span);
        return length - span;
    case 3:
        memmove(bytes + at + span, bytes + at, length - at);
        return length + span;
    default:
        memmove(bytes + at + strlen(piece), bytes + at, length - at);
        memcpy(bytes + at, piece, strlen(piece));
        return length + strlen(piece);
    }
}

/* Returns whether the bytes could be read. */
static bool read_back(const char *bytes, size_t length, const char *name, int round)
{
    struct problems problems = {NULL, 0, 0};
    struct document *document = NULL;
    enum status status =
        scenario_parse(&scenario, &document, bytes, length, files_catalogue(), &problems);
    size_t written = 0;
    char *text;

    CHECK_TRUE((status == STATUS_OK) == (problems.count == 0), "%s, round %d: %d, %zu problems",
               name, round, status, problems.count);
    for (size_t i = 0; i < problems.count; i++)
        CHECK_TRUE(strstr(problems.list[i].message, "internal error") == NULL,
                   "%s, round %d: line %d: %s", name, round, problems.list[i].line,
                   problems.list[i].message);
    if (status == STATUS_OK) {
        text = scenario_text(&scenario, document, &written);
        CHECK_TRUE(text != NULL && written == length && memcmp(text, bytes, length) == 0,
                   "%s, round %d: saved without a change the text is another", name, round);
        free(text);
    }
    problems_free(&problems);
    document_free(document);
    return status == STATUS_OK;
}

TEST(mutations_of_every_system_preset)
{
    uint64_t state = seed();
    int good = 0;
    int rounds = 0;

    for (int i = 0; i < catalogue_count(files_catalogue()); i++) {
        const struct preset *preset = catalogue_at(files_catalogue(), i);
        char *bytes = malloc(preset->length + GROWTH);

        for (int n = 0; n < MUTATIONS_PER_PRESET && preset->kind == PRESET_AO && bytes; n++) {
            size_t length = preset->length;
            uint32_t changes = 1 + files_random(&state, 3);

            memcpy(bytes, preset->text, length);
            for (uint32_t change = 0; change < changes && length > 0; change++)
                length = mutate(bytes, length, &state);
            good += read_back(bytes, length, preset->name, rounds);
            rounds++;
        }
        free(bytes);
    }
    printf("# %d of %d read\n", good, rounds);
    CHECK(good > rounds / 20 && good < rounds);
}

SUITE(files_open, files_close)
