#include "base/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "draw.h"
#include "rows.h"

/* "cores clock" are two candidates; the word that is looked for; the nearest, or nothing. */
static void check_best(const struct row *row)
{
    struct nearest nearest = nearest_to(row->field[1]);
    char candidates[200];
    char *rest;

    snprintf(candidates, sizeof candidates, "%s", row->field[0]);
    for (char *word = strtok_r(candidates, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest))
        nearest_offer(&nearest, word);
    ROW_STR(row, nearest.best, row->field[2]);
}

TEST(finds_the_slip)
{
    rows_each("nearest.txt", "nearest", 3, check_best);
    CHECK_STR(nearest_to("").best, "");
}

TEST(passes_over_long_words)
{
    char word[NEAREST_MAX + 2];
    char same[NEAREST_MAX + 2];
    struct nearest nearest;

    memset(word, 'a', sizeof word);
    word[NEAREST_MAX] = '\0';
    memcpy(same, word, sizeof same);
    same[0] = 'b';
    nearest = nearest_to(word);
    nearest_offer(&nearest, same);
    CHECK_STR(nearest.best, same);
    CHECK_INT(nearest.distance, 1);
    word[NEAREST_MAX] = 'a';
    word[NEAREST_MAX + 1] = '\0';
    nearest = nearest_to(word);
    nearest_offer(&nearest, same);
    CHECK_STR(nearest.best, "");
    nearest = nearest_to(same);
    nearest_offer(&nearest, word);
    CHECK_STR(nearest.best, "");
}

/* Optimal string alignment as its definition says, by recursion over prefixes. */
static int slow_distance(const char *a, int na, const char *b, int nb)
{
    int best;
    int other;

    if (na == 0 || nb == 0)
        return na + nb;
    best = slow_distance(a, na - 1, b, nb - 1) + (a[na - 1] != b[nb - 1]);
    other = slow_distance(a, na - 1, b, nb) + 1;
    best = other < best ? other : best;
    other = slow_distance(a, na, b, nb - 1) + 1;
    best = other < best ? other : best;
    if (na > 1 && nb > 1 && a[na - 1] == b[nb - 2] && a[na - 2] == b[nb - 1]) {
        other = slow_distance(a, na - 2, b, nb - 2) + 1;
        best = other < best ? other : best;
    }
    return best;
}

static void random_word(struct draw *draw, char *word)
{
    int length = 1 + draw_below(draw, 7);

    for (int i = 0; i < length; i++)
        word[i] = (char)('a' + draw_below(draw, 3));
    word[length] = '\0';
}

TEST(distances_by_definition)
{
    struct draw draw = draw_start(1);

    for (int i = 0; i < 500; i++) {
        char a[8];
        char b[8];
        struct nearest nearest;
        int expected;
        int most;

        random_word(&draw, a);
        random_word(&draw, b);
        expected = slow_distance(a, (int)strlen(a), b, (int)strlen(b));
        nearest = nearest_to(a);
        nearest.distance = 100;
        nearest_offer(&nearest, b);
        CHECK_TRUE(nearest.distance == expected, "%s to %s: %d, expected %d", a, b,
                   nearest.distance, expected);
        nearest = nearest_to(a);
        nearest_offer(&nearest, b);
        most = strlen(a) < 4 ? 1 : (int)strlen(a) / 3 + 1;
        CHECK_TRUE((nearest.best[0] != '\0') ==
                       (expected <= most || (strlen(a) >= 3 && strstr(b, a) != NULL)),
                   "%s for %s, %d apart: \"%s\"", b, a, expected, nearest.best);
    }
}

/* Case never counts, in a transposition either. */
TEST(case_does_not_count)
{
    struct draw draw = draw_start(2);

    for (int i = 0; i < 200; i++) {
        char a[8];
        char b[8];
        struct nearest lower;
        struct nearest upper;

        random_word(&draw, a);
        random_word(&draw, b);
        lower = nearest_to(a);
        lower.distance = 100;
        upper = lower;
        nearest_offer(&lower, b);
        for (char *at = b; *at != '\0'; at++)
            *at = (char)toupper((unsigned char)*at);
        nearest_offer(&upper, b);
        CHECK_TRUE(upper.distance == lower.distance, "%s to %s: %d, expected %d", a, b,
                   upper.distance, lower.distance);
    }
}
