#include "base/nearest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct nearest nearest_to(const char *word)
{
    size_t length = strlen(word);
    struct nearest nearest = {word, "", 0, 0};

    nearest.distance = (int)(length > NEAREST_MAX ? 0 : length < 4 ? 2 : length / 3 + 2);
    return nearest;
}

static int lower_case(char c)
{
    return tolower((unsigned char)c);
}

static int least_of_two(int a, int b)
{
    return a < b ? a : b;
}

static int edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    int rows[3][NEAREST_MAX + 1];
    char lower[2][NEAREST_MAX];

    for (size_t i = 0; i < na; i++)
        lower[0][i] = (char)lower_case(a[i]);
    for (size_t j = 0; j < nb; j++)
        lower[1][j] = (char)lower_case(b[j]);
    a = lower[0];
    b = lower[1];
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int *now = rows[i % 3];
        const int *last = rows[(i + 2) % 3];
        const int *before = rows[(i + 1) % 3];

        now[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            char ca = a[i - 1];
            char cb = b[j - 1];

            now[j] =
                least_of_two(least_of_two(last[j] + 1, now[j - 1] + 1), last[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == b[j - 2] && a[i - 2] == cb)
                now[j] = least_of_two(now[j], before[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

#define PART_MIN 3  /* letters; shorter words match almost everything */
#define BEGUN_MIN 4 /* letters of a name, likewise */

enum fit { FIT_NONE, FIT_BEGUN, FIT_BUT_LAST, FIT_WITHIN, FIT_BEGIN, FIT_ONE_EDIT };

/* Returns how a candidate fits that is more than one edit away. */
static int part_fit(const char *word, size_t length, const char *candidate)
{
    const char *found = length < PART_MIN ? NULL : strcasestr(candidate, word);

    if (found == NULL && length > 2 * PART_MIN && isdigit((unsigned char)word[length - 1]) &&
        strncasecmp(candidate, word, length - 1) ==
            0) /* a number of a part with a digit too many */
        return FIT_BUT_LAST;
    if (found == NULL && strlen(candidate) >= BEGUN_MIN &&
        strncasecmp(candidate, word, strlen(candidate)) == 0)
        return FIT_BEGUN;
    return found == NULL ? FIT_NONE : found == candidate ? FIT_BEGIN : FIT_WITHIN;
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    size_t na = strlen(nearest->word);
    size_t nb = strlen(candidate);
    int least = abs((int)na - (int)nb); /* distance */
    int d;
    int f;

    if (na > NEAREST_MAX || nb > NEAREST_MAX)
        return;
    f = part_fit(nearest->word, na, candidate);
    if (least > 1 && (f < nearest->fit || (f == nearest->fit && least >= nearest->distance)))
        return;
    d = edit_distance(nearest->word, na, candidate, nb);
    if (d <= 1)
        f = FIT_ONE_EDIT;
    if (f > nearest->fit || (f == nearest->fit && d < nearest->distance)) {
        nearest->distance = d;
        nearest->fit = f;
        memcpy(nearest->best, candidate, nb + 1);
    }
}
