#include "model/cause.h"

/* Starting values, assumed; `aolag validate --pipelines` fits them to published pipelines. */
static const struct {
    const char *name;
    double uncertainty;
} causes[CAUSE_COUNT + 1] = {
    [CAUSE_MEMORY] = {"memory", 1.17},     [CAUSE_CACHE] = {"cache", 1.4},
    [CAUSE_COMPUTE] = {"compute", 1.4},    [CAUSE_DISPATCH] = {"dispatch", 1.6},
    [CAUSE_SOFTWARE] = {"software", 1.7},  [CAUSE_FRAMEWORK] = {"framework", 1.5},
    [CAUSE_COPY] = {"copies", 1.5},        [CAUSE_PORT] = {"ports", 1.7},
    [CAUSE_SLEEP] = {"sleep states", 2.0}, [CAUSE_NONE] = {"certain", 1},
};

const char *cause_name(enum cause cause)
{
    return causes[cause].name;
}

double cause_uncertainty(enum cause cause)
{
    return causes[cause].uncertainty;
}
