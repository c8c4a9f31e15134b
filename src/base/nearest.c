#include "base/nearest.h"

#include <ctype.h>
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

static int least_of_three(int a, int b)
{
    return a < b ? a : b;
}

static int edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    int rows[3][NEAREST_MAX + 1];

    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int *now = rows[i % 3];
        const int *last = rows[(i + 2) % 3];
        const int *before = rows[(i + 1) % 3];

        now[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int ca = lower_case(a[i - 1]);
            int cb = lower_case(b[j - 1]);

            now[j] = least_of_three(least_of_three(last[j] + 1, now[j - 1] + 1),
                                    last[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == lower_case(b[j - 2]) && lower_case(a[i - 2]) == cb)
                now[j] = least_of_three(now[j], before[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

#define PART_MIN 3 /* letters; shorter words match almost everything */

static int candidate_fit(const char *word, size_t length, const char *candidate, int d)
{
    size_t at = 0;

    if (d <= 1)
        return 3;
    if (length < PART_MIN)
        return 0;
    while (candidate[at] != '\0' && strncasecmp(candidate + at, word, length) != 0)
        at++;
    return candidate[at] == '\0' ? 0 : at == 0 ? 2 : 1;
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    size_t na = strlen(nearest->word);
    size_t nb = strlen(candidate);
    int d;
    int f;

    if (na > NEAREST_MAX || nb > NEAREST_MAX)
        return;
    d = edit_distance(nearest->word, na, candidate, nb);
    f = candidate_fit(nearest->word, na, candidate, d);
    if (f > nearest->fit || (f == nearest->fit && d < nearest->distance)) {
        nearest->distance = d;
        nearest->fit = f;
        memcpy(nearest->best, candidate, nb + 1);
    }
}
