#include "probe/gpu_points.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const char own_memory[] = "memory of its own", shared_memory[] = "memory of the host";

void gpu_figures_text(const struct gpu_figures *figures, char text[CONDITION_MAX])
{
    snprintf(text, CONDITION_MAX,
             "%.0f compute units, %.0f MHz, %.0f B of memory, %.0f B of cache, %s", figures->units,
             figures->clock / 1e6, figures->memory, figures->cache,
             figures->shared ? shared_memory : own_memory);
}

bool gpu_figures_read(const char *text, struct gpu_figures *figures)
{
    static const char *const words[] = {" compute units, ", " MHz, ", " B of memory, ",
                                        " B of cache, "};
    double value[4];

    *figures = (struct gpu_figures){0};
    for (int i = 0; i < 4; i++) {
        const char *end;

        if (number_parse(text, &value[i], &end) != STATUS_OK || value[i] < 0 || value[i] > 1e18 ||
            strncmp(end, words[i], strlen(words[i])) != 0)
            return false;
        text = end + strlen(words[i]);
    }
    if (strcmp(text, own_memory) != 0 && strcmp(text, shared_memory) != 0)
        return false;
    *figures = (struct gpu_figures){.units = value[0],
                                    .clock = value[1] * 1e6,
                                    .memory = value[2],
                                    .cache = value[3],
                                    .shared = strcmp(text, shared_memory) == 0};
    return true;
}
