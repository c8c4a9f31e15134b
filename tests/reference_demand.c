#include "reference_demand.h"

#include <math.h>
#include <string.h>

#include "design/algorithm.h"

static const struct reference_node *node_of(const struct reference_plan *plan, int node)
{
    return &plan->node[node];
}

static const struct component *component_of(const struct scenario *scenario,
                                            const struct reference_plan *plan, int node)
{
    return &scenario->component[node_of(plan, node)->component];
}

static const char *algorithm_name(const struct scenario *scenario,
                                  const struct reference_plan *plan, int node)
{
    return algorithm_row(scenario, node_of(plan, node)->component)->name;
}

static double columns(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    const struct component *c = component_of(scenario, plan, node);
    double sum = node_of(plan, node)->slopes;

    if (c->columns > 0)
        return c->columns;
    for (int i = 0; i < scenario->wfs_count && node_of(plan, node)->slopes == 0; i++)
        sum += 2 * plan->sensor[i].subaps;
    return sum;
}

static double power_of_two(double least)
{
    return least <= 1 ? 1 : exp2(ceil(log2(least)));
}

static void centroid(const struct component *c, const char *name, double n, double p,
                     struct reference_parts *out)
{
    double area = p * p;

    out->flop = fmax(0, n * (c->flops_per_pixel * area - 1));
    if (strcmp(name, "cog") == 0 || strcmp(name, "simple") == 0 || strcmp(name, "threshold") == 0 ||
        strcmp(name, "weighted") == 0)
        out->chain = n * area;
    out->read = 4 * n * area;
    if (strcmp(name, "simple") == 0) {
        out->flop = c->flops_per_pixel * n * area;
        out->written = 8 * n;
    } else if (strcmp(name, "threshold") == 0) {
        out->flop += 2 * n * area;
    } else if (strcmp(name, "weighted") == 0) {
        out->flop += n * area;
        out->resident = 4 * n * area;
    } else if (strcmp(name, "brightest") == 0) {
        out->flop += 2 * n * area * log2(area);
        out->read = 12 * n * area;
    } else if (strcmp(name, "matched") == 0) {
        out->flop = 4 * n * area;
        out->resident = 8 * n * area;
    } else if (strcmp(name, "correlation") == 0) {
        out->flop = n * (2 * c->search * c->search * area + 20);
        out->resident = 4 * n * area;
    } else if (strcmp(name, "square-difference") == 0) {
        out->flop = n * (3 * c->search * c->search * area + 20);
        out->resident = 4 * n * area;
    } else if (strcmp(name, "correlation-fft") == 0) {
        double F2 = pow(power_of_two(p + c->search - 1), 2);

        out->flop = n * (10 * F2 * log2(F2) + 6 * F2);
        out->read = 4 * n * area + 8 * n * F2;
        out->written = 16 * n * F2;
        out->resident = 4 * n * area + 4 * F2;
    }
    if (c->reference_slopes) {
        out->flop += 10 * n;
        out->written += 8 * n;
        out->resident += 8 * n;
    }
}

/* The largest sensor upstream. */
static double across(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    const struct reference_node *n = node_of(plan, node);
    double most = 0;

    if (n->type == COMPONENT_CAMERA || n->type == COMPONENT_CALIBRATION ||
        n->type == COMPONENT_DESCRAMBLE || n->type == COMPONENT_CENTROID ||
        n->type == COMPONENT_PYRAMID)
        return scenario->wfs[n->wfs].subaps_across;
    for (int i = 0; i < n->before_count; i++)
        most = fmax(most, across(scenario, plan, n->before[i]));
    return most;
}

static double grid(const struct scenario *scenario, const struct reference_plan *plan, int node)
{
    double most = across(scenario, plan, node);

    if (component_of(scenario, plan, node)->grid > 0)
        return component_of(scenario, plan, node)->grid;
    for (int i = 0; i < scenario->wfs_count && across(scenario, plan, node) == 0; i++)
        most = fmax(most, scenario->wfs[i].subaps_across);
    return pow(power_of_two(most), 2);
}

static void dense(double R, double S, struct reference_parts *out)
{
    out->flop = 2 * R * S;
    out->read = 4 * S;
    out->row = S;
    out->rows = R;
    out->resident = 4 * R * S;
    out->partial = 4 * R;
}

static double rows(const struct scenario *scenario, const struct component *c)
{
    return c->rows > 0              ? c->rows
           : scenario->ao.modes > 0 ? scenario->ao.modes
                                    : scenario->ao.actuators;
}

/* `index`: bytes of a sparse element's index, in those of fp32 before they are scaled. */
static void reconstruction(const struct scenario *scenario, const struct component *c, int parts,
                           const char *name, double S, double G, double index,
                           struct reference_parts *out)
{
    double M = scenario->ao.actuators;
    double R = rows(scenario, c);
    double t = c->tile;

    if (c->split == SPLIT_ROWS)
        R /= parts;
    else
        S /= parts;
    if (strcmp(name, "mvm") == 0) {
        dense(R, S, out);
        out->chain = R * S;
    } else if (strcmp(name, "modal") == 0) {
        dense(R, S, out);
        out->tail_flop = 2 * R * M;
        out->tail_read = 4 * R;
        out->tail_written = 4 * M;
        out->tail_resident = 4 * R * M;
        out->tail_rows = M;
        out->tail_kernels = 1;
    } else if (strcmp(name, "tlr") == 0) {
        double tiles = ceil(R / t) * ceil(S / t);

        out->flop = out->tail_flop = tiles * 2 * t * c->rank;
        out->resident = out->tail_resident = tiles * 4 * t * c->rank;
        out->row = t;
        out->read = 4 * S;
        out->tail_written = 4 * R;
    } else if (strcmp(name, "sparse") == 0) {
        out->flop = 2 * c->density * R * S;
        out->read = 4 * S;
        out->written = 4 * R;
        out->resident = (4 + index) * c->density * R * S;
    } else if (strcmp(name, "fourier") == 0) {
        out->flop = 15 * G * log2(G) + 8 * G;
        out->read = 16 * G;
        out->written = 8 * G;
        out->resident = 8 * G;
    } else if (strcmp(name, "cured") == 0) {
        out->flop = 20 * S / 2;
        out->read = 24 * S / 2;
        out->written = 16 * S / 2;
        out->resident = 8 * S / 2;
    } else if (strcmp(name, "cg") == 0) {
        out->flop = 204 * c->unknowns * c->iterations;
        out->resident = 633 * c->unknowns;
        out->sweeps = c->iterations;
        out->kernels = 6 * c->iterations;
    }
}

static void control(const struct scenario *scenario, const struct component *c, const char *name,
                    double S, struct reference_parts *out)
{
    double M = scenario->ao.actuators;
    double x = c->states > 0 ? c->states : 2 * M;

    if (strcmp(name, "lqg") == 0) {
        out->flop = 2 * 2 * x * S;
        out->row = S;
        out->read = 4 * S;
        out->written = 4 * x;
        out->resident = 4 * 2 * x * S;
        out->rows = x;
        out->tail_rows = M;
        out->deferred_rows = x;
        out->tail_flop = 2 * M * x;
        out->tail_read = 4 * x;
        out->tail_written = 4 * M;
        out->tail_resident = 4 * M * x;
        out->tail_kernels = 1;
        out->deferred_flop = 2 * x * x;
        out->deferred_read = 4 * x;
        out->deferred_written = 4 * x;
        out->deferred_resident = 4 * x * x;
        return;
    }
    if (strcmp(name, "lqg-modal") == 0) {
        out->flop = 6 * x + 9 * M;
        out->read = 4 * x + 24 * M;
        out->written = 4 * x + 16 * M;
        out->resident = 12 * x;
        return;
    }
    if (strcmp(name, "offset") == 0 || strcmp(name, "integrate") == 0 ||
        strcmp(name, "saturate") == 0 || strcmp(name, "power") == 0) {
        out->flop = strcmp(name, "offset") == 0 ? M : 2 * M;
        out->read = out->written = 4 * M;
        return;
    }
    if (strcmp(name, "combine") == 0) {
        int component = (int)(c - scenario->component);
        double inputs = 0;

        for (int i = 0; i < scenario->component_count; i++)
            inputs += (double)(scenario_predecessors(scenario, component) >> i & 1);
        inputs = fmax(1, inputs);
        out->flop = (inputs - 1) * M;
        out->read = 4 * inputs * M;
        out->written = 4 * M;
        return;
    }
    out->flop = strcmp(name, "pid") == 0 ? 11 * M : 7 * M;
    out->read = out->written = strcmp(name, "pid") == 0 ? 20 * M : 16 * M;
    if (strncmp(name, "polc", 4) == 0) {
        double rows = strcmp(name, "polc") == 0 ? M : S;

        out->row = M;
        out->deferred_flop = 2 * M * rows;
        out->deferred_resident = 4 * M * rows;
        out->deferred_rows = rows;
        out->kernels = 2;
        out->deferred_kernels = 1;
    }
}

static double element_bytes(const struct component *c)
{
    static const double bytes[] = {8, 4, 2, 2, 1};

    return bytes[c->precision];
}

/* As the table has them, for fp32. */
static struct reference_parts single_precision(const struct scenario *scenario,
                                               const struct reference_plan *plan, int node)
{
    const struct reference_node *n = node_of(plan, node);
    const struct component *c = component_of(scenario, plan, node);
    const char *name = algorithm_name(scenario, plan, node);
    struct reference_parts parts = {.sweeps = 1, .kernels = 1};

    switch (n->type) {
    case COMPONENT_CALIBRATION: {
        double N = plan->sensor[n->wfs].pixels;

        parts.flop = 2 * N;
        parts.written = 4 * N;
        parts.resident = 8 * N;
        break;
    }
    case COMPONENT_DESCRAMBLE: {
        double N = plan->sensor[n->wfs].pixels;

        parts.read = parts.written = N * scenario->wfs[n->wfs].bit_depth / 8;
        parts.resident = 4 * N;
        break;
    }
    case COMPONENT_CENTROID:
        centroid(c, name, plan->sensor[n->wfs].subaps, scenario->wfs[n->wfs].pixels_per_subap,
                 &parts);
        break;
    case COMPONENT_PYRAMID:
        parts.flop = 17 * plan->sensor[n->wfs].subaps + 4;
        parts.read = 16 * plan->sensor[n->wfs].subaps;
        parts.written = 20 * plan->sensor[n->wfs].subaps;
        if (strcmp(name, "extended") == 0) {
            parts.flop += 4 * plan->sensor[n->wfs].subaps;
            parts.resident = 16 * plan->sensor[n->wfs].subaps;
        }
        if (strcmp(name, "intensity") == 0) {
            parts.flop = 12 * plan->sensor[n->wfs].subaps + 4;
            parts.written = 16 * plan->sensor[n->wfs].subaps;
        }
        break;
    case COMPONENT_RECONSTRUCTION:
        reconstruction(scenario, c, n->parts, name, columns(scenario, plan, node),
                       grid(scenario, plan, node), 16 / element_bytes(c), &parts);
        break;
    case COMPONENT_CONTROL:
        control(scenario, c, name, columns(scenario, plan, node), &parts);
        break;
    default:
        parts.flop = c->flops;
        parts.read = c->bytes_read;
        parts.written = c->bytes_written;
        parts.resident = c->working_set;
        break;
    }
    return parts;
}

/* What it takes to add up the partial vectors of predecessors that are split; all of it or, of a
 * component split by columns itself, its own piece of each. */
static void add_vectors(const struct scenario *scenario, int component, struct reference_parts *out)
{
    const struct component *c = &scenario->component[component];
    double piece = c->type == COMPONENT_RECONSTRUCTION && c->split == SPLIT_COLUMNS
                       ? 1.0 / reference_part_count(scenario, component)
                       : 1;

    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *from = &scenario->component[i];
        bool modal = from->algorithm >= 0 && strcmp(algorithms[from->algorithm].name, "modal") == 0;
        double length = modal ? scenario->ao.actuators : rows(scenario, from);
        int parts = reference_part_count(scenario, i);

        if ((scenario_predecessors(scenario, component) >> i & 1) == 0 ||
            from->type != COMPONENT_RECONSTRUCTION || parts < 2 ||
            (from->split == SPLIT_ROWS && !modal))
            continue;
        out->tail_flop += piece * (parts - 1) * length;
        out->tail_read += piece * parts * length * element_bytes(from);
    }
}

static struct reference_parts own_parts(const struct scenario *scenario,
                                        const struct reference_plan *plan, int node)
{
    const struct component *c = component_of(scenario, plan, node);
    const struct reference_node *n = node_of(plan, node);
    struct reference_parts parts = single_precision(scenario, plan, node);
    double scale = element_bytes(c) / 4;

    if (c->deferred == 0) {
        parts.deferred_in_tail = true;
        parts.tail_kernels += parts.deferred_kernels;
        parts.deferred_kernels = 0;
    }
    if (c->kernels > 0)
        parts.kernels = c->kernels;
    if (n->type == COMPONENT_CUSTOM || n->type == COMPONENT_DESCRAMBLE)
        return parts;
    parts.read *= scale;
    parts.written *= scale;
    parts.resident *= scale;
    parts.tail_read *= scale;
    parts.tail_written *= scale;
    parts.tail_resident *= scale;
    parts.deferred_read *= scale;
    parts.deferred_written *= scale;
    parts.deferred_resident *= scale;
    parts.partial *= scale;
    if (n->type == COMPONENT_CALIBRATION) /* raw pixels at their own depth */
        parts.read = plan->sensor[n->wfs].pixels * scenario->wfs[n->wfs].bit_depth / 8;
    return parts;
}

struct reference_parts reference_parts(const struct scenario *scenario,
                                       const struct reference_plan *plan, int node)
{
    struct reference_parts parts = own_parts(scenario, plan, node);

    add_vectors(scenario, node_of(plan, node)->component, &parts);
    return parts;
}
