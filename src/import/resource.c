#include "import/resource.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/utf8.h"

/* Names of daolite's hardware library (its documentation, compute resources, and the names of its
 * hardware files), the product as these files name it, and the preset of the same device. */
struct factory {
    const char *name, *product, *preset;
    bool gpu;
    double network; /* bit/s of its port as these files state it; 0: not known */
};

static const struct factory factories[] = {
    {"amd_epyc_7763", "AMD EPYC 7763 (Milan)", "amd-epyc-7763", false, 200e9},
    {"amd_epyc_9654", "AMD EPYC 9654 (Genoa)", "amd-epyc-9654", false, 400e9},
    {"amd_mi300x", "AMD Instinct MI300X", "amd-instinct-mi300x", true, 0},
    {"amd_radeon_vega64", "AMD Radeon RX Vega 64", "amd-radeon-rx-vega-64", true, 0},
    {"amd_ryzen_1800x", "AMD Ryzen 7 1800X", "amd-ryzen-1800x", false, 0},
    {"amd_ryzen_3700x", "AMD Ryzen 7 3700X", "amd-ryzen-3700x", false, 0},
    {"amd_ryzen_5950x", "AMD Ryzen 9 5950X", "amd-ryzen-5950x", false, 0},
    {"amd_ryzen_7950x", "AMD Ryzen 9 7950X", "amd-ryzen-7950x", false, 0},
    {"intel_core_i7_4770k", "Intel Core i7-4770K", "intel-core-i7-4770k", false, 0},
    {"intel_core_i7_7700k", "Intel Core i7-7700K", "intel-core-i7-7700k", false, 0},
    {"intel_core_i9_9900k", "Intel Core i9-9900K", "intel-core-i9-9900k", false, 0},
    {"intel_xeon_8462", "Intel Xeon 8462Y+", "intel-xeon-platinum-8462y-plus", false, 0},
    {"intel_xeon_8480", "Intel Xeon Platinum 8480+ (Sapphire Rapids)",
     "intel-xeon-platinum-8480-plus", false, 200e9},
    {"nvidia_a100_80gb", "NVIDIA A100 80GB", "nvidia-a100-80gb-sxm", true, 0},
    {"nvidia_gtx_980", "NVIDIA GTX 980", "nvidia-gtx-980", true, 0},
    {"nvidia_h100_80gb", "NVIDIA H100 80GB", "nvidia-h100-sxm", true, 0},
    {"nvidia_rtx_2080ti", "NVIDIA RTX 2080 Ti", "nvidia-rtx-2080-ti", true, 0},
    {"nvidia_rtx_4090", "NVIDIA RTX 4090", "nvidia-rtx-4090", true, 0},
    {"nvidia_tesla_k80", "NVIDIA Tesla K80", "nvidia-tesla-k80-die", true, 0},
    {"nvidia_tesla_p100", "NVIDIA Tesla P100 (Pascal)", "nvidia-tesla-p100-pcie", true, 0},
};

enum { FACTORIES = sizeof factories / sizeof factories[0] };

bool resource_find(struct resource *resource, const char *name)
{
    size_t length = strlen(name);

    if (length > 2 && strcmp(name + length - 2, "()") == 0)
        length -= 2;
    for (int f = 0; f < FACTORIES; f++) {
        const struct factory *factory = &factories[f];

        if ((strncasecmp(factory->name, name, length) == 0 && factory->name[length] == '\0') ||
            strcasecmp(factory->product, name) == 0) {
            resource->preset = factory->preset;
            resource->named = factory->name;
            resource->gpu = factory->gpu;
            resource->network.si = factory->network;
            return true;
        }
    }
    return false;
}

void resource_unknown(const struct file_entry *entry, int line, const char *name)
{
    struct nearest nearest = nearest_to(name);
    char shown[VALUES_SHOWN_MAX];

    for (int f = 0; f < FACTORIES; f++)
        nearest_offer(&nearest, factories[f].name);
    utf8_excerpt(shown, sizeof shown, name, strlen(name));
    if (nearest.best[0] != '\0')
        entry_problem(entry, line, "no compute resource is called \"%s\"; did you mean %s?", shown,
                      nearest.best);
    else
        entry_problem(entry, line,
                      "no compute resource is called \"%s\"; state its values (cores, "
                      "core_frequency, ...) or a factory such as amd_epyc_7763",
                      shown);
}

static void note_lost(const struct file_entry *entry, const char *keys, const char *why,
                      struct problems *lost)
{
    const struct node *node = entry_find(entry, keys);
    char shown[VALUES_SHOWN_MAX];

    if (node != NULL && !(node->kind == NODE_NUMBER && node->number == 1))
        problems_add(lost, node->line, "%s: %s = %s: %s", entry->origin, node->key,
                     values_show(node, shown), why);
}

static void read_kind(struct resource *resource, const struct file_entry *entry)
{
    const char *hardware = entry_text(entry, "hardware");

    if (hardware == NULL)
        resource->gpu = entry_find(entry, "cores|core_frequency") == NULL &&
                        entry_find(entry, "flops|fp32_tflops|memory_bandwidth") != NULL;
    else if (strcasecmp(hardware, "GPU") == 0)
        resource->gpu = true;
    else if (strcasecmp(hardware, "CPU") != 0)
        entry_problem(entry, entry_find(entry, "hardware")->line,
                      "hardware is \"%.40s\"; it is CPU or GPU", hardware);
}

/* "fp32_tflops" is in TFLOP/s in one of daolite's files and in FLOP/s in others. */
static struct stated read_flops(const struct file_entry *entry)
{
    static const struct entry_range rate = {1e6, 1e18, false, 1};
    static const struct entry_range tera = {1e-6, 1e18, false, 1};
    struct stated flops = entry_number(entry, "flops", rate);
    struct stated tflops = entry_number(entry, "fp32_tflops", tera);

    if (flops.si > 0 || tflops.si == 0)
        return flops;
    if (tflops.si < 1e6)
        tflops.si *= 1e12;
    return tflops;
}

/* Takes the preset of a GPU that a file of daolite's hardware library describes: it has the keys of
 * a CPU, its multiprocessors as cores and no `hardware`. */
static void read_product(struct resource *resource, const struct file_entry *entry,
                         struct problems *lost)
{
    const char *name = entry_text(entry, "name");
    struct resource product = *resource;

    if (name == NULL || entry_find(entry, "hardware") != NULL || resource->gpu ||
        !resource_find(&product, name) || !product.gpu)
        return;
    problems_add(lost, entry->map[0]->line,
                 "%s: cores, core_frequency, ...: they describe \"%s\" as a CPU of %.0f cores; its "
                 "figures are those of the preset %s",
                 entry->origin, name, resource->cores.si, product.preset);
    resource->gpu = true;
    resource->preset = product.preset;
    resource->named = product.named;
}

void resource_read_values(struct resource *resource, const struct file_entry *entry,
                          struct problems *lost)
{
    static const char *const fudges[] = {"core_fudge", "mem_fudge", "network_fudge"};
    double bits;

    read_kind(resource, entry);
    resource->cores = entry_number(entry, "cores", (struct entry_range){1, 1e6, true, 1});
    resource->frequency =
        entry_number(entry, "core_frequency", (struct entry_range){1e6, 1e11, false, 1});
    resource->flops_per_cycle =
        entry_number(entry, "flops_per_cycle", (struct entry_range){1, 1e6, false, 1});
    resource->channels =
        entry_number(entry, "memory_channels", (struct entry_range){1, 64, true, 1});
    resource->width = entry_number(entry, "memory_width", (struct entry_range){1, 16384, true, 1});
    resource->rate =
        entry_number(entry, "memory_frequency", (struct entry_range){1e6, 1e12, false, 1});
    resource->flops = read_flops(entry);
    resource->bandwidth =
        entry_number(entry, "memory_bandwidth", (struct entry_range){1e6, 1e16, false, 1});
    resource->network =
        entry_number(entry, "network_speed", (struct entry_range){1e7, 1e13, false, 1});
    resource->driver =
        entry_number(entry, "time_in_driver", (struct entry_range){0, 1000, false, 1e6});
    /* the designer saves channels * width * rate without the division by 8 */
    bits = resource->channels.si * resource->width.si * resource->rate.si;
    resource->bits =
        bits > 0 && resource->bandwidth.si > 0.999 * bits && resource->bandwidth.si < 1.001 * bits;
    if (resource->bits)
        resource->bandwidth.si /= 8;
    for (size_t i = 0; i < sizeof fudges / sizeof fudges[0]; i++)
        note_lost(entry, fudges[i],
                  "the efficiencies of this program are those of each algorithm and of the ports",
                  lost);
    entry_find(entry, "name|description|adjust");
    read_product(resource, entry, lost);
}

bool resource_same(const struct resource *a, const struct resource *b)
{
    if (a->box || b->box || a->gpu != b->gpu || a->host != b->host)
        return false;
    if (a->preset != NULL || b->preset != NULL)
        return a->preset == b->preset;
    return a->cores.si == b->cores.si && a->frequency.si == b->frequency.si &&
           a->flops_per_cycle.si == b->flops_per_cycle.si && a->channels.si == b->channels.si &&
           a->width.si == b->width.si && a->rate.si == b->rate.si && a->flops.si == b->flops.si &&
           a->bandwidth.si == b->bandwidth.si && a->network.si == b->network.si &&
           a->driver.si == b->driver.si;
}

double resource_flops(const struct resource *resource)
{
    double product = resource->cores.si * resource->frequency.si * resource->flops_per_cycle.si;

    return resource->gpu && resource->flops.si > 0 ? resource->flops.si
           : product > 0                           ? product
                                                   : resource->flops.si;
}

double resource_bandwidth(const struct resource *resource)
{
    double product = resource->channels.si * resource->width.si * resource->rate.si / 8;

    return resource->gpu && resource->bandwidth.si > 0 ? resource->bandwidth.si
           : product > 0                               ? product
                                                       : resource->bandwidth.si;
}
