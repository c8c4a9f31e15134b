#include "import/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "design/algorithm.h"
#include "import/parse.h"
#include "model/evaluate.h"
#include "model/link.h"

void import_free(struct import *import)
{
    values_free(&import->tree);
    daolite_free(&import->daolite);
    conversion_free(&import->conversion);
    document_free(import->document);
    import->document = NULL;
}

/* Reads the scenario; its problems become those of the lines that its values come from. */
static enum status read_scenario(struct import *import, struct catalogue *catalogue,
                                 struct problems *problems)
{
    struct problems own = {0};
    enum status status =
        scenario_parse(&import->scenario, &import->document, import->conversion.text.bytes,
                       import->conversion.text.length, catalogue, &own);

    for (size_t i = 0; i < own.count; i++)
        problems_add(problems, conversion_line(&import->conversion, own.list[i].line),
                     "as a scenario: %.500s", own.list[i].message);
    problems_free(&own);
    return status;
}

enum status import_read(struct import *import, const char *name, const char *bytes, size_t length,
                        const struct daolite_files *files, struct catalogue *catalogue,
                        struct problems *problems)
{
    enum status status = parse_text(&import->tree, name, bytes, length, problems);

    if (status == STATUS_OK)
        status = daolite_read(&import->daolite, &import->tree, files, problems);
    if (status == STATUS_OK)
        status = convert_pipeline(&import->daolite, name, &import->conversion);
    if (status == STATUS_OK)
        status = read_scenario(import, catalogue, problems);
    return status;
}

/* Changes -------------------------------------------------------------------------------------- */

struct defect_row {
    const char *name, *sentence;
};

static const struct defect_row defect_rows[DEFECT_COUNT] = {
    [DEFECT_PACKETS] = {"packets", "every packet carries the work of a whole frame, a single one "
                                   "arrives after one pixel"},
    [DEFECT_MACHINE] = {"machine",
                        "the compute of a component has no effect: all run as on one built-in "
                        "16-core CPU, GPUs too (48 GFLOP/s and 12.8 GB/s, as inferred)"},
    [DEFECT_BYTES] = {"bytes", "bits of memory traffic are divided by bytes per second"},
    [DEFECT_SUM] = {"sum",
                    "compute and memory time add up; the documentation takes the longer one"},
    [DEFECT_JOIN] = {"join", "a component with several predecessors waits for one of them"},
    [DEFECT_CONTENTION] = {"contention", "components on one machine run at the same time, each at "
                                         "full speed"},
    [DEFECT_CONTROL] = {"control", "control has a duration but no start: it follows nothing"},
};

static struct change *add_change(struct import *import, const char *name, const char *sentence,
                                 const char *subject)
{
    struct change *change = &import->change[import->change_count];

    if (import->change_count == CHANGE_MAX)
        return &import->change[CHANGE_MAX - 1];
    import->change_count++;
    *change = (struct change){.name = name, .sentence = sentence};
    snprintf(change->subject, sizeof change->subject, "%s", subject);
    return change;
}

static enum status add_totals(struct import *import, const struct figures_peak *peak)
{
    struct figures figures;

    for (int d = 0; d < DEFECT_COUNT; d++) {
        struct change *change;

        if (!figures_concerns(&import->daolite, (enum figures_defect)d))
            continue;
        if (figures_find(&import->daolite, 1U << d, peak, &figures) != STATUS_OK)
            return STATUS_MEMORY;
        change = add_change(import, defect_rows[d].name, defect_rows[d].sentence, "");
        change->unit = "s";
        change->before = import->printed.total;
        change->after = figures.total;
    }
    return STATUS_OK;
}

static void add_rate(struct import *import, const struct resource *machine, const char *name,
                     const char *sentence, const char *unit, double before, double after)
{
    struct change *change = add_change(import, name, sentence, machine->origin);

    change->kind = strcmp(unit, "FLOP/s") == 0 ? CHANGE_FLOPS : CHANGE_BANDWIDTH;
    change->unit = unit;
    change->before = before;
    change->after = after;
}

/* The compute resources: what daolite computes with, and what the file states. */
static void add_machines(struct import *import, const struct figures_peak *peak)
{
    for (int m = 0; m < import->daolite.machine_count; m++) {
        const struct resource *machine = &import->daolite.machine[m];

        add_rate(import, machine, "flops",
                 machine->gpu ? "a GPU is computed as the built-in 16-core CPU"
                              : "a CPU is computed as the built-in 16-core CPU",
                 "FLOP/s", figures_built_in.flops, peak[m].flops);
        add_rate(import, machine, "bandwidth", "its memory has the bandwidth of that CPU", "B/s",
                 figures_built_in.bandwidth, peak[m].bandwidth);
        if (machine->bits)
            add_rate(import, machine, "bits", "memory_bandwidth is saved in bit/s and read as B/s",
                     "B/s", 8 * machine->bandwidth.si, machine->bandwidth.si);
    }
}

/* Transfers: bits and bytes, and PCIe. */
static void add_transfers(struct import *import)
{
    const struct daolite *daolite = &import->daolite;

    for (int c = 0; c < daolite->component_count; c++) {
        const struct daolite_component *transfer = &daolite->component[c];
        double rate = transfer->speed.si > 0 ? transfer->speed.si : 100e9;
        double bits = transfer->bits.si > 0 ? transfer->bits.si : 8 * transfer->size.si;
        double generation = transfer->pcie_gen.si > 0 ? transfer->pcie_gen.si : 4;
        double lanes = transfer->pcie_lanes.si > 0 ? transfer->pcie_lanes.si : 16;
        struct change *change;

        if (transfer->type == DAOLITE_NETWORK && transfer->size.si > 0 &&
            transfer->size.si == transfer->bits.si) {
            change = add_change(import, "network",
                                "data_size is documented in bytes and holds bits: "
                                "the wire time if it were bytes, and of these bits",
                                transfer->origin);
            change->before = 8 * transfer->size.si / rate;
            change->after = bits / rate;
        } else if (transfer->type == DAOLITE_PCIE && bits > 0) {
            change =
                add_change(import, "pcie",
                           "what daolite takes for a PCIe generation is not known; the wire time "
                           "of the link of this generation",
                           transfer->origin);
            change->before = RESULT_NONE;
            change->after = bits / 8 / wire_pcie(generation, lanes).rate;
        } else {
            continue;
        }
        change->kind = CHANGE_WIRE;
        change->unit = "s";
    }
}

/* The latency if correlations, as which most centroiders are imported, were centres of gravity. */
static enum status find_cog(struct import *import, struct result *another, struct error *error)
{
    struct scenario *changed = allocate(sizeof *changed);
    bool any = false;
    enum status status = STATUS_OK;

    import->cog = RESULT_NONE;
    if (changed == NULL)
        return error_set(error, STATUS_MEMORY, "out of memory");
    scenario_copy(changed, &import->scenario);
    for (int c = 0; c < changed->component_count; c++)
        if (changed->component[c].type == COMPONENT_CENTROID &&
            changed->component[c].algorithm == ALGORITHM_CORRELATION) {
            changed->component[c].algorithm = ALGORITHM_COG;
            any = true;
        }
    if (any) {
        status = evaluate(changed, another, error);
        import->cog = another->latency;
    }
    free(changed);
    return status;
}

enum status import_assess(struct import *import, const struct result *result,
                          struct result *another, struct error *error)
{
    struct figures_peak peak[DEVICE_MAX] = {{0}};
    enum status status;

    for (int m = 0; m < import->daolite.machine_count; m++)
        peak[m] = (struct figures_peak){result->device[m].peak_flops, result->device[m].bandwidth};
    status = figures_find(&import->daolite, 0, peak, &import->printed);
    if (status == STATUS_OK)
        status = figures_find(&import->daolite, DEFECTS_ALL, peak, &import->corrected);
    if (status == STATUS_OK)
        status = add_totals(import, peak);
    if (status != STATUS_OK)
        return error_set(error, status, "out of memory");
    add_machines(import, peak);
    add_transfers(import);
    return find_cog(import, another, error);
}
