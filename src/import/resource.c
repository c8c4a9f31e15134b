#include "import/resource.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/utf8.h"

/* The files of daolite's hardware library (main 7f39ed1): the name of each, which is that of its
 * factory, the product as it calls it, the preset of the same product, and the rates that its
 * factory makes of it. Files of four GPUs state no flops; their factories catch the error that this
 * is and return the default, a CPU of 16 cores. */
struct factory {
    const char *name, *product, *preset;
    bool gpu;
    struct resource_rates rates;
};

/* clang-format off */
#define UNREAD {16 * 2.6e9 * 32, 4 * 64 * 3200e6, 100e9, 5}

static const struct factory factories[] = {
    {"amd_epyc_7402", "AMD EPYC 7402 (Rome)",
     "amd-epyc-7402", false, {24 * 2.8e9 * 32, 8 * 64 * 3200e6, 100e9, 5}},
    {"amd_epyc_7542", "AMD EPYC 7542 (Rome)",
     "amd-epyc-7542", false, {32 * 2.9e9 * 32, 8 * 64 * 3200e6, 100e9, 5}},
    {"amd_epyc_7543", "AMD EPYC 7543 (Milan)",
     "amd-epyc-7543", false, {32 * 2.8e9 * 32, 8 * 64 * 3200e6, 100e9, 5}},
    {"amd_epyc_7601", "AMD EPYC 7601 (Naples)",
     "amd-epyc-7601", false, {32 * 2.2e9 * 16, 8 * 64 * 2666e6, 40e9, 5}},
    {"amd_epyc_7713", "AMD EPYC 7713 (Milan)",
     "amd-epyc-7713", false, {64 * 2.0e9 * 32, 8 * 64 * 3200e6, 100e9, 5}},
    {"amd_epyc_7763", "AMD EPYC 7763 (Milan)",
     "amd-epyc-7763", false, {64 * 2.45e9 * 64, 8 * 64 * 3200e6, 200e9, 5}},
    {"amd_epyc_9654", "AMD EPYC 9654 (Genoa)",
     "amd-epyc-9654", false, {96 * 2.40e9 * 64, 12 * 64 * 4800e6, 400e9, 5}},
    {"amd_fx_8350", "AMD FX-8350 (Bulldozer)",
     "amd-fx-8350", false, {8 * 4.0e9 * 8, 2 * 64 * 1866e6, 1e9, 5}},
    {"amd_mi300x", "AMD Instinct MI300X",
     "amd-instinct-mi300x", true, UNREAD},
    {"amd_radeon_rx580", "AMD Radeon RX 580 (Polaris)",
     "amd-radeon-rx-580", true, {6.2e12, 8 * 256e9, 16e9, 18}},
    {"amd_radeon_vega64", "AMD Radeon RX Vega 64 (Vega)",
     "amd-radeon-rx-vega-64", true, {12.7e12, 8 * 484e9, 16e9, 15}},
    {"amd_ryzen_1800x", "AMD Ryzen 7 1800X (Zen 1)",
     "amd-ryzen-1800x", false, {8 * 3.6e9 * 16, 2 * 64 * 2666e6, 10e9, 5}},
    {"amd_ryzen_3700x", "AMD Ryzen 7 3700X (Zen 2)",
     "amd-ryzen-3700x", false, {8 * 3.6e9 * 32, 2 * 64 * 3200e6, 10e9, 5}},
    {"amd_ryzen_5950x", "AMD Ryzen 9 5950X (Zen 3)",
     "amd-ryzen-5950x", false, {16 * 3.4e9 * 32, 2 * 64 * 3600e6, 10e9, 5}},
    {"amd_ryzen_7950x", "AMD Ryzen 9 7950X",
     "amd-ryzen-7950x", false, {16 * 4.5e9 * 32, 2 * 64 * 5200e6, 40e9, 5}},
    {"intel_core_i7_4770k", "Intel Core i7-4770K (Haswell)",
     "intel-core-i7-4770k", false, {4 * 3.5e9 * 16, 2 * 64 * 1600e6, 1e9, 5}},
    {"intel_core_i7_7700k", "Intel Core i7-7700K (Kaby Lake)",
     "intel-core-i7-7700k", false, {4 * 4.2e9 * 16, 2 * 64 * 2400e6, 1e9, 5}},
    {"intel_core_i9_12900k", "Intel Core i9-12900K (Alder Lake)",
     "intel-core-i9-12900k", false, {16 * 3.2e9 * 32, 2 * 64 * 4800e6, 10e9, 5}},
    {"intel_core_i9_9900k", "Intel Core i9-9900K (Coffee Lake)",
     "intel-core-i9-9900k", false, {8 * 3.6e9 * 32, 2 * 64 * 2666e6, 10e9, 5}},
    {"intel_xeon_8462", "Intel Xeon 8462Y+ (Emerald Rapids)",
     "intel-xeon-platinum-8462y-plus", false, {48 * 2.4e9 * 64, 8 * 64 * 5600e6, 200e9, 5}},
    {"intel_xeon_8480", "Intel Xeon Platinum 8480+ (Sapphire Rapids)",
     "intel-xeon-platinum-8480-plus", false, {56 * 2.0e9 * 64, 8 * 64 * 4800e6, 200e9, 5}},
    {"intel_xeon_e5_2690v4", "Intel Xeon E5-2690 v4 (Broadwell)",
     "intel-xeon-e5-2690-v4", false, {14 * 2.6e9 * 32, 4 * 64 * 2400e6, 40e9, 5}},
    {"nvidia_a100_80gb", "NVIDIA A100 80GB",
     "nvidia-a100-80gb-sxm", true, UNREAD},
    {"nvidia_gtx_1080ti", "NVIDIA GeForce GTX 1080 Ti (Pascal)",
     "nvidia-gtx-1080-ti", true, {11.3e12, 8 * 484e9, 16e9, 15}},
    {"nvidia_gtx_980", "NVIDIA GeForce GTX 980 (Maxwell)",
     "nvidia-gtx-980", true, {4.6e12, 8 * 224e9, 16e9, 20}},
    {"nvidia_h100_80gb", "NVIDIA H100 80GB",
     "nvidia-h100-sxm", true, UNREAD},
    {"nvidia_rtx_2080ti", "NVIDIA GeForce RTX 2080 Ti (Turing)",
     "nvidia-rtx-2080-ti", true, {13.4e12, 8 * 616e9, 16e9, 12}},
    {"nvidia_rtx_4090", "NVIDIA RTX 4090",
     "nvidia-rtx-4090", true, UNREAD},
    {"nvidia_tesla_k80", "NVIDIA Tesla K80 (Kepler)",
     "nvidia-tesla-k80-die", true, {8.7e12, 8 * 480e9, 16e9, 25}},
    {"nvidia_tesla_p100", "NVIDIA Tesla P100 (Pascal)",
     "nvidia-tesla-p100-pcie", true, {10.6e12, 8 * 732e9, 32e9, 20}},
};
/* clang-format on */

enum { FACTORIES = sizeof factories / sizeof factories[0] };

/* Returns the row of a factory or product; the word for its design, "(Milan)", may be missing. */
static const struct factory *find_factory(const char *name)
{
    size_t length = strlen(name);

    if (length > 2 && strcmp(name + length - 2, "()") == 0)
        length -= 2;
    for (int f = 0; f < FACTORIES; f++) {
        const struct factory *factory = &factories[f];
        const char *bracket = strstr(factory->product, " (");
        size_t plain = bracket == NULL ? 0 : (size_t)(bracket - factory->product);

        if ((strncasecmp(factory->name, name, length) == 0 && factory->name[length] == '\0') ||
            strcasecmp(factory->product, name) == 0 ||
            (plain == length && strncasecmp(factory->product, name, plain) == 0))
            return factory;
    }
    return NULL;
}

bool resource_find(struct resource *resource, const char *name)
{
    const struct factory *factory = find_factory(name);

    if (factory == NULL)
        return false;
    resource->preset = factory->preset;
    resource->named = factory->name;
    resource->gpu = factory->gpu;
    resource->network.si = factory->gpu ? 0 : factory->rates.network;
    return true;
}

bool resource_find_rates(const char *name, struct resource_rates *rates)
{
    const struct factory *factory = find_factory(name);

    if (factory != NULL)
        *rates = factory->rates;
    return factory != NULL;
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

/* Takes the preset of a GPU that a file of daolite's hardware library describes as a CPU: with its
 * multiprocessors as cores, and without flops. */
static void read_product(struct resource *resource, const struct file_entry *entry,
                         struct problems *lost)
{
    const char *name = entry_text(entry, "name");
    struct resource product = *resource;

    if (name == NULL || resource->flops.si > 0 || !resource_find(&product, name) || !product.gpu)
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
    static const struct {
        const char *key;
        double usual; /* daolite's default */
    } fudges[] = {{"core_fudge", 0.8}, {"mem_fudge", 1}, {"network_fudge", 0.8}};

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
    /* a map has bit/s, a file of a GPU B/s */
    if (!resource->from_file)
        resource->bandwidth.si /= 8;
    for (size_t i = 0; i < sizeof fudges / sizeof fudges[0]; i++) {
        struct stated fudge =
            entry_number(entry, fudges[i].key, (struct entry_range){1e-6, 1e6, false, 1});

        if (fudge.line > 0 && fudge.si != fudges[i].usual)
            problems_add(lost, fudge.line,
                         "%s: %s = %g: the efficiencies of this program are those of each "
                         "algorithm and of the ports",
                         entry->origin, fudges[i].key, fudge.si);
    }
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

    return resource->flops.si > 0 ? resource->flops.si : product;
}

double resource_bandwidth(const struct resource *resource)
{
    double product = resource->channels.si * resource->width.si * resource->rate.si / 8;

    return resource->bandwidth.si > 0 ? resource->bandwidth.si : product;
}
