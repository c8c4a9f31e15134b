#include "sample_cluster.h"

#include <stdio.h>

#include "sample.h"

void sample_board(struct scenario *scenario, const char *name, const char *host)
{
    char path[64];

    sample_add(scenario, SECTION_DEVICE, name);
    snprintf(path, sizeof path, "device.%s.kind", name);
    sample_set(scenario, path, "gpu");
    snprintf(path, sizeof path, "device.%s.host", name);
    sample_set(scenario, path, host);
}

void sample_cluster(struct scenario *scenario, const char *devices, const char *split)
{
    sample_chain(scenario);
    sample_set(scenario, "scenario.packets", "1");
    sample_board(scenario, "gpu0", "rtc");
    sample_board(scenario, "gpu1", "rtc");
    sample_add(scenario, SECTION_DEVICE, "node");
    sample_board(scenario, "gpu2", "node");
    sample_set(scenario, "component.recon.device", devices);
    sample_set(scenario, "component.recon.split", split);
}
