#include "model/knob_effect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "base/units.h"
#include "design/knob_text.h"
#include "design/pattern.h"
#include "model/device.h"
#include "model/expression.h"
#include "model/formulas.h"
#include "model/late.h"
#include "model/overhead.h"
#include "model/program.h"
#include "model/result_read.h"
#include "model/sensor.h"

/* Values behind one knob ----------------------------------------------------------------------- */

/* Values behind a knob. */
struct extent {
    double least, most; /* RESULT_NONE: none */
};

static void extend(struct extent *extent, double value)
{
    if (extent->least == RESULT_NONE)
        extent->least = extent->most = value;
    extent->least = smaller(extent->least, value);
    extent->most = larger(extent->most, value);
}

/* Returns true if data of a component enters a host from outside; sets the times of its way. */
static bool enters_host(const struct scenario *scenario, int component, int host,
                        struct ingress_times *times)
{
    const struct component *c = &scenario->component[component];
    bool enters =
        c->type == COMPONENT_CAMERA || (c->type == COMPONENT_TRANSFER && c->link == LINK_NETWORK);

    if (!scenario_feeds_host(scenario, component, host))
        return false;
    for (int d = 0; d < scenario->device_count && !enters && c->type != COMPONENT_TRANSFER; d++)
        enters = scenario_runs_on(scenario, component, d) && scenario_host(scenario, d) != host;
    if (enters)
        *times = overhead_ingress(scenario, host, c->type == COMPONENT_CAMERA ? component : -1);
    return enters;
}

/* Extends by the times of each way by which data enters a host: for `datagrams` those of its
 * receiving cores. */
static void extend_ingress(const struct scenario *scenario, int host, bool datagrams,
                           struct extent *extent)
{
    struct ingress_times times;

    for (int c = 0; c < scenario->component_count; c++) {
        if (!enters_host(scenario, c, host, &times))
            continue;
        if (!datagrams)
            extend(extent, times.latency);
        else if (ingress_has_datagrams(times.ingress))
            extend(extent, times.datagram);
    }
}

static bool has_diameter(const struct scenario *scenario, int index)
{
    (void)index;
    return scenario->ao.diameter > 0;
}

static bool takes_gain(const struct scenario *scenario, int index)
{
    (void)index;
    return scenario->ao.controller != CONTROLLER_LQG;
}

static bool finds_gain(const struct scenario *scenario, int index)
{
    return scenario->ao.gain == 0 && takes_gain(scenario, index);
}

/* Conditions of devices ------------------------------------------------------------------------ */

static bool has_l1(const struct scenario *scenario, int device)
{
    return scenario->device[device].l1 != 0;
}

static bool has_l2(const struct scenario *scenario, int device)
{
    return scenario->device[device].l2 != 0;
}

/* Returns true if a device has an L3; a GPU has one only if it is stated. */
static bool has_l3(const struct scenario *scenario, int device)
{
    const struct device *d = &scenario->device[device];

    return d->kind == DEVICE_GPU ? d->l3 > 0 : d->l3 != 0;
}

static bool states_l3_bandwidth(const struct scenario *scenario, int device)
{
    return has_l3(scenario, device) && scenario->device[device].l3_bandwidth > 0;
}

static bool has_nvlink(const struct scenario *scenario, int device)
{
    return scenario_host(scenario, device) != device &&
           scenario->device[device].host_link == HOST_LINK_NVLINK;
}

/* Returns true if it is one of several GPUs of a host, or several itself. */
static bool has_peers(const struct scenario *scenario, int device)
{
    if (scenario->device[device].count > 1)
        return true;
    for (int d = 0; d < scenario->device_count; d++)
        if (d != device && scenario->device[d].kind == DEVICE_GPU &&
            scenario_host(scenario, d) == scenario_host(scenario, device))
            return true;
    return false;
}

static bool has_peer_nvlink(const struct scenario *scenario, int device)
{
    return scenario->device[device].peer_link == PEER_NVLINK && has_peers(scenario, device);
}

static bool is_interpreted(const struct scenario *scenario, int device)
{
    return scenario->device[device].framework == FRAMEWORK_INTERPRETER;
}

static bool hands_over(const struct scenario *scenario, int device)
{
    return overhead_of(&scenario->device[device]).handover > 0;
}

/* Returns true for a device with ports of its own: those of a board are its host's. */
static bool has_ports(const struct scenario *scenario, int device)
{
    return scenario_host(scenario, device) == device;
}

/* Returns true unless data enters a host only in ways without datagrams. */
static bool receives_datagrams(const struct scenario *scenario, int host)
{
    struct extent ways = {RESULT_NONE, RESULT_NONE};
    struct extent datagrams = ways;

    extend_ingress(scenario, host, false, &ways);
    extend_ingress(scenario, host, true, &datagrams);
    return ways.least == RESULT_NONE || datagrams.least != RESULT_NONE;
}

/* Returns true if the kernel receives datagrams of a host, in a time that is not stated. */
static bool joins_datagrams(const struct scenario *scenario, int host)
{
    struct ingress_times times;

    if (!has_ports(scenario, host) || scenario->device[host].datagram_time != TIME_AUTO)
        return false;
    for (int c = 0; c < scenario->component_count; c++)
        if (enters_host(scenario, c, host, &times) && ingress_is_kernel(times.ingress))
            return true;
    return ingress_is_kernel(overhead_ingress(scenario, host, -1).ingress); /* other hosts */
}

static bool runs_programs(const struct scenario *scenario, int device)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_PROGRAM &&
            scenario_device(scenario, c) == device)
            return true;
    return false;
}

/* Returns true if programs run there whose traces have chains. */
static bool runs_chains(const struct scenario *scenario, int device)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_PROGRAM &&
            scenario_device(scenario, c) == device &&
            scenario->component[c].trace.program != NULL &&
            program_has_chains(scenario->component[c].trace.program))
            return true;
    return false;
}

/* Returns true if algorithms run there; a known add latency changes their cache contents. */
static bool runs_algorithms(const struct scenario *scenario, int device)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (algorithm_row(scenario, c) != NULL && scenario_runs_on(scenario, c, device))
            return true;
    return false;
}

/* Returns true if a component of a CPU has fewer cores than there are. */
static bool divides_cores(const struct scenario *scenario, int device)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario_runs_on(scenario, c, device) && scenario->component[c].workers > 0 &&
            scenario->component[c].workers < device_cores(&scenario->device[device]))
            return true;
    return runs_programs(scenario, device);
}

/* Returns true if a component runs serially dependent sums of a kind on a device. */
static bool has_chain(const struct scenario *scenario, int component, int device, enum chain chain)
{
    const struct algorithm *algorithm = algorithm_row(scenario, component);

    return algorithm != NULL && algorithm->chain == chain &&
           scenario_runs_on(scenario, component, device);
}

static bool runs_chain(const struct scenario *scenario, int device, enum chain chain)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (has_chain(scenario, c, device, chain))
            return true;
    return false;
}

static bool runs_multiply_adds(const struct scenario *scenario, int device)
{
    return runs_chain(scenario, device, CHAIN_ROWS);
}

static bool adds(const struct scenario *scenario, int device)
{
    return runs_algorithms(scenario, device) || runs_chains(scenario, device);
}

static bool multiplies(const struct scenario *scenario, int device)
{
    return runs_multiply_adds(scenario, device) || runs_chains(scenario, device);
}

static bool waits_for_multiply_adds(const struct scenario *scenario, int device)
{
    return scenario->device[device].fma_latency > 0 && runs_multiply_adds(scenario, device);
}

static bool waits_for_adds(const struct scenario *scenario, int device)
{
    return scenario->device[device].add_latency > 0 && runs_chain(scenario, device, CHAIN_PIXELS);
}

/* Conditions of components --------------------------------------------------------------------- */

static bool is_split(const struct scenario *scenario, int component)
{
    double parts = 0;

    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_runs_on(scenario, component, d))
            parts += scenario->device[d].kind == DEVICE_GPU ? scenario->device[d].count : 1;
    return parts > 1;
}

/* Returns true unless a component waits for the whole frame in any case. */
static bool may_start_early(const struct scenario *scenario, int component)
{
    const struct component *c = &scenario->component[component];

    return !(c->type == COMPONENT_CONTROL && algorithm_barrier(c) == BARRIER_FRAME) &&
           !(c->type == COMPONENT_CUSTOM && c->agenda == AGENDA_FRAME);
}

/* Returns true if a frame has packets before the last, and a component that may work on them. */
static bool packets_matter(const struct scenario *scenario, int index)
{
    (void)index;
    for (int c = 0; c < scenario->component_count && scenario_slots(scenario) > 1; c++)
        if (scenario->component[c].type != COMPONENT_CAMERA &&
            scenario->component[c].type != COMPONENT_DM && may_start_early(scenario, c))
            return true;
    return false;
}

/* Returns true if slots of a component wait in line for a device. */
static bool waits_in_line(const struct scenario *scenario, int component)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_runs_on(scenario, component, d) && scenario->device[d].kind != DEVICE_FPGA &&
            scenario_sharing(scenario, d) == SHARING_EXCLUSIVE)
            return true;
    return false;
}

static bool runs_on_cores(const struct scenario *scenario, int component)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_runs_on(scenario, component, d) && scenario->device[d].kind == DEVICE_CPU)
            return true;
    return scenario->device_count == 0;
}

static bool is_called_by_interpreter(const struct scenario *scenario, int component)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_runs_on(scenario, component, d) && is_interpreted(scenario, d))
            return true;
    return false;
}

/* Returns true if processes of its host hand over data, or each has the lock of an interpreter. */
static bool is_in_process(const struct scenario *scenario, int component)
{
    for (int d = 0; d < scenario->device_count; d++)
        if (scenario_runs_on(scenario, component, d) &&
            (hands_over(scenario, scenario_host(scenario, d)) ||
             scenario_has_lock(&scenario->device[d])))
            return true;
    return false;
}

static bool is_chained(const struct scenario *scenario, int component)
{
    for (int d = 0; d < scenario->device_count; d++)
        for (int chain = CHAIN_PIXELS; chain <= CHAIN_ROWS; chain++)
            if (device_chain_latency(&scenario->device[d], (enum chain)chain) > 0 &&
                has_chain(scenario, component, d, (enum chain)chain))
                return true;
    return false;
}

/* Conditions of sensors ------------------------------------------------------------------------ */

/* The rule of files that are not stated. */
static bool acts_if_stated(const struct scenario *scenario, int wfs)
{
    (void)scenario;
    (void)wfs;
    return false;
}

static bool has_no_mask(const struct scenario *scenario, int wfs)
{
    return scenario->wfs[wfs].mask.pattern == NULL;
}

static bool has_own_packets(const struct scenario *scenario, int wfs)
{
    const struct pattern *map = scenario->wfs[wfs].readout_map.pattern;

    return scenario->wfs[wfs].agenda.pattern == NULL && (map == NULL || map->packets == 0);
}

static bool is_read_in_order(const struct scenario *scenario, int component)
{
    int wfs = scenario_wfs(scenario, component);

    return wfs < 0 || scenario->wfs[wfs].readout_map.pattern == NULL;
}

static bool has_magnitude(const struct scenario *scenario, int wfs)
{
    return scenario->wfs[wfs].magnitude != MAGNITUDE_NONE;
}

/* The photons of a star with a magnitude are computed. */
static bool has_no_magnitude(const struct scenario *scenario, int wfs)
{
    return !has_magnitude(scenario, wfs);
}

static bool has_weights(const struct scenario *scenario, int wfs)
{
    return sensor_has_star(scenario, wfs) && sensor_is_weighted(scenario, wfs);
}

static bool has_optimum(const struct scenario *scenario, int index)
{
    (void)index;
    for (int w = 0; w < scenario->wfs_count; w++)
        if (sensor_has_star(scenario, w))
            return scenario->ao.gain == 0;
    return false;
}

static bool records(const struct scenario *scenario, int index)
{
    const struct telemetry *telemetry = &scenario->telemetry;

    (void)index;
    return telemetry->pixels + telemetry->slopes + telemetry->commands > 0;
}

static bool records_here(const struct scenario *scenario, int index)
{
    return records(scenario, index) && scenario->telemetry.host != REFERENCE_AUTO;
}

static bool updates(const struct scenario *scenario, int index)
{
    (void)index;
    return scenario->update.period > 0;
}

/* Idle knobs ----------------------------------------------------------------------------------- */

/* Conditions for knobs that do not have an effect wherever they apply. */
static const struct {
    bool (*acts)(const struct scenario *scenario, int index);
    enum knob_id choice; /* or a choice of the same section, and its value with which it has one */
    int is;
    enum cases cases; /* or a quantity of formulas.def whose case in force names it */
    bool counted;     /* or it has one where the counts of the algorithm name it */
    bool listed;      /* lists show it nevertheless */
} rules[KNOB_COUNT] = {
    [KNOB_WFS_AGENDA] = {.acts = acts_if_stated},
    [KNOB_WFS_READOUT_MAP] = {.acts = acts_if_stated},
    [KNOB_WFS_MASK] = {.acts = acts_if_stated},
    [KNOB_WFS_OBSCURATION] = {.acts = has_no_mask},
    [KNOB_WFS_PACKETS] = {.acts = has_own_packets},
    [KNOB_COMPONENT_ORDER] = {.acts = is_read_in_order},
    [KNOB_TELEMETRY_HOST] = {.acts = records},
    [KNOB_TELEMETRY_BUFFER] = {.acts = records_here},
    [KNOB_TELEMETRY_DISK_RATE] = {.acts = records},
    [KNOB_TELEMETRY_DISK_SIZE] = {.acts = records},
    [KNOB_UPDATE_HOST] = {.acts = updates},
    [KNOB_AO_GAIN] = {.acts = takes_gain},
    [KNOB_AO_LEAK] = {.choice = KNOB_AO_CONTROLLER, .is = CONTROLLER_LEAKY},
    [KNOB_AO_GAINS] = {.acts = has_optimum},
    [KNOB_AO_PHASE_MARGIN] = {.acts = finds_gain},
    [KNOB_AO_GAIN_MARGIN] = {.acts = finds_gain},
    [KNOB_AO_OTHER_ERRORS] = {.acts = has_diameter},
    [KNOB_WFS_SPATIAL_FILTER] = {.acts = has_diameter},
    [KNOB_WFS_THROUGHPUT] = {.acts = has_magnitude},
    [KNOB_WFS_PHOTONS] = {.acts = has_no_magnitude},
    [KNOB_WFS_WAVELENGTH] = {.acts = sensor_has_star},
    [KNOB_WFS_READ_NOISE] = {.acts = sensor_has_star},
    [KNOB_WFS_EXCESS] = {.acts = sensor_has_star},
    [KNOB_WFS_PIXEL_SCALE] = {.acts = sensor_has_star},
    [KNOB_WFS_WEIGHT] = {.acts = has_weights},
    [KNOB_WFS_MODULATION] = {.acts = sensor_has_star},
    [KNOB_WFS_OPTICAL_GAIN] = {.acts = sensor_has_star},
    [KNOB_WFS_ALIASING] = {.acts = has_diameter},
    [KNOB_COMPONENT_SURFACE] = {.acts = has_diameter},
    [KNOB_COMPONENT_PITCH] = {.acts = has_diameter},
    [KNOB_AO_PROPORTIONAL] = {.choice = KNOB_AO_CONTROLLER, .is = CONTROLLER_PID},
    [KNOB_AO_DERIVATIVE] = {.choice = KNOB_AO_CONTROLLER, .is = CONTROLLER_PID},
    [KNOB_COMPONENT_SETTLE] = {.cases = CASES_correction},
    [KNOB_COMPONENT_DAMPING] = {.cases = CASES_mirror_lag},
    [KNOB_DEVICE_HOST_BANDWIDTH] = {.acts = has_nvlink},
    [KNOB_DEVICE_PEER_LINK] = {.acts = has_peers},
    [KNOB_DEVICE_PEER_BANDWIDTH] = {.acts = has_peer_nvlink},
    [KNOB_DEVICE_PEER_LATENCY] = {.acts = has_peers},
    [KNOB_DEVICE_OPERATOR_TIME_CPU] = {.cases = CASES_operator_time},
    [KNOB_DEVICE_OPERATOR_TIME_GPU] = {.cases = CASES_operator_time},
    [KNOB_DEVICE_SLEEP_LATENCY] = {.choice = KNOB_DEVICE_OS, .is = OS_STOCK},
    [KNOB_DEVICE_DATAGRAM_TIME] = {.acts = receives_datagrams},
    [KNOB_DEVICE_RECEIVE_OFFLOAD] = {.acts = joins_datagrams},
    [KNOB_DEVICE_MEMORY_SIZE] = {.acts = scenario_device_used},
    [KNOB_DEVICE_L1_BANDWIDTH] = {.acts = has_l1},
    [KNOB_DEVICE_L1_LATENCY] = {.acts = has_l1},
    [KNOB_DEVICE_L2_BANDWIDTH] = {.acts = has_l2},
    [KNOB_DEVICE_L2_LATENCY] = {.acts = has_l2},
    [KNOB_DEVICE_L3_BANDWIDTH] = {.acts = has_l3},
    [KNOB_DEVICE_L3_LATENCY] = {.acts = has_l3},
    [KNOB_DEVICE_CORE_BANDWIDTH] = {.acts = divides_cores, .listed = true},
    [KNOB_DEVICE_L3_CORE_BANDWIDTH] = {.acts = states_l3_bandwidth},
    [KNOB_DEVICE_NIC] = {.acts = has_ports, .listed = true},
    [KNOB_DEVICE_NICS] = {.acts = has_ports, .listed = true},
    [KNOB_DEVICE_MTU] = {.acts = has_ports, .listed = true},
    [KNOB_DEVICE_INGRESS] = {.acts = has_ports, .listed = true},
    [KNOB_DEVICE_INGRESS_LATENCY] = {.acts = has_ports, .listed = true},
    [KNOB_DEVICE_EGRESS] = {.acts = has_ports, .listed = true},
    [KNOB_DEVICE_EGRESS_FPGA] = {.acts = has_ports, .listed = true},
    [KNOB_DEVICE_EGRESS_LATENCY] = {.acts = has_ports, .listed = true},
    [KNOB_SCENARIO_PROCESSING] = {.acts = packets_matter},
    [KNOB_COMPONENT_BARRIER] = {.acts = may_start_early, .listed = true},
    [KNOB_COMPONENT_PRIORITY] = {.acts = waits_in_line, .listed = true},
    [KNOB_DEVICE_JITTER] = {.acts = scenario_device_used},
    [KNOB_DEVICE_LATE_P90] = {.acts = late_matters},
    [KNOB_DEVICE_LATE_P99] = {.acts = late_matters},
    [KNOB_DEVICE_LATE_P999] = {.acts = late_matters},
    [KNOB_DEVICE_LATE_P9999] = {.acts = late_matters},
    [KNOB_DEVICE_LATE_P99999] = {.acts = late_matters},
    [KNOB_DEVICE_LATE_MAX] = {.acts = late_matters},
    [KNOB_DEVICE_CPI_INT] = {.acts = runs_programs},
    [KNOB_DEVICE_CPI_FP] = {.acts = runs_programs},
    [KNOB_DEVICE_CPI_FMA] = {.acts = runs_programs},
    [KNOB_DEVICE_CPI_SIMD] = {.acts = runs_programs},
    [KNOB_DEVICE_CPI_DIV] = {.acts = runs_programs},
    [KNOB_DEVICE_CPI_LOAD] = {.acts = runs_programs},
    [KNOB_DEVICE_CPI_STORE] = {.acts = runs_programs},
    [KNOB_DEVICE_CPI_BRANCH] = {.acts = runs_programs},
    [KNOB_DEVICE_CPI_SYNC] = {.acts = runs_programs},
    [KNOB_DEVICE_CPI_OTHER] = {.acts = runs_programs},
    [KNOB_DEVICE_ISSUE] = {.acts = runs_programs},
    [KNOB_DEVICE_REMOTE_LATENCY] = {.acts = runs_programs},
    [KNOB_DEVICE_ADD_LATENCY] = {.acts = adds},
    [KNOB_DEVICE_FMA_LATENCY] = {.acts = multiplies},
    [KNOB_DEVICE_WINDOW] = {.acts = waits_for_multiply_adds},
    [KNOB_DEVICE_OPERAND_BANDWIDTH] = {.acts = waits_for_multiply_adds},
    [KNOB_DEVICE_SCALAR_RATE] = {.acts = waits_for_adds},
    [KNOB_COMPONENT_CHAINS] = {.acts = is_chained},
    [KNOB_COMPONENT_WORKERS] = {.acts = runs_on_cores},
    [KNOB_COMPONENT_OPERATORS] = {.acts = is_called_by_interpreter},
    [KNOB_COMPONENT_PROCESS] = {.acts = is_in_process},
    [KNOB_COMPONENT_THREAD] = {.acts = runs_on_cores},
    [KNOB_COMPONENT_SPLIT] = {.acts = is_split},
    [KNOB_COMPONENT_LANES] = {.cases = CASES_interface_rate},
    [KNOB_COMPONENT_LINK_RATE] = {.cases = CASES_interface_rate},
    [KNOB_COMPONENT_HOPS] = {.choice = KNOB_COMPONENT_LINK_TRANSFER, .is = LINK_NETWORK},
    [KNOB_COMPONENT_LENGTH] = {.choice = KNOB_COMPONENT_LINK_TRANSFER, .is = LINK_NETWORK},
    [KNOB_COMPONENT_SWITCH] = {.choice = KNOB_COMPONENT_LINK_TRANSFER, .is = LINK_NETWORK},
    [KNOB_COMPONENT_DEFERRED] = {.counted = true},
    [KNOB_COMPONENT_FLOPS_PER_PIXEL] = {.counted = true},
    [KNOB_COMPONENT_SEARCH] = {.counted = true},
    [KNOB_COMPONENT_TILE] = {.counted = true},
    [KNOB_COMPONENT_RANK] = {.counted = true},
    [KNOB_COMPONENT_DENSITY] = {.counted = true},
    [KNOB_COMPONENT_ITERATIONS] = {.counted = true},
    [KNOB_COMPONENT_UNKNOWNS] = {.counted = true},
    [KNOB_COMPONENT_GRID] = {.counted = true},
    [KNOB_COMPONENT_STATES] = {.counted = true},
};

/* Returns true if expressions name a knob, as "component->lanes", "tile" or "deferred.flop" do. */
static bool names_knob(const char *text, const struct knob *knob)
{
    size_t length, key_length = strlen(knob->key);
    const char *name;

    for (; (name = expression_name(text, &length)) != NULL; text = name + length) {
        const char *arrow = memchr(name, '>', length);
        const char *key = arrow != NULL ? arrow + 1 : name;
        size_t rest = (size_t)(name + length - key);

        if (rest >= key_length && strncmp(key, knob->key, key_length) == 0 &&
            (rest == key_length || key[key_length] == '.'))
            return true;
    }
    return false;
}

/* Returns true if the case in force of a quantity names a knob of its device or component. */
static bool case_names(const struct scenario *scenario, struct knob_ref ref, enum cases cases)
{
    const struct formula_cases *list = &formula_cases[cases];
    int number = list->of_device != NULL ? list->of_device(&scenario->device[ref.index])
                                         : list->of_component(&scenario->component[ref.index]);
    const char *text = number == 0 ? NULL : list->cases[number - 1].text;

    return text != NULL && names_knob(text, ref.knob);
}

/* Returns true if the counts of a component's algorithm name a knob of it. */
static bool counts_name(const struct scenario *scenario, struct knob_ref ref)
{
    int row = algorithm_index(&scenario->component[ref.index]);

    return row >= 0 && names_knob(workload_counts[row], ref.knob);
}

/* Returns true if a rule says that a knob has no effect. */
static bool does_nothing(const struct scenario *scenario, struct knob_ref ref)
{
    enum knob_id id = knob_id(ref.knob);

    if (rules[id].acts != NULL)
        return !rules[id].acts(scenario, ref.index);
    if (rules[id].choice != 0)
        return knob_number(scenario, (struct knob_ref){ref.section, ref.index,
                                                       &knobs[rules[id].choice]}) != rules[id].is;
    if (rules[id].cases != CASES_NONE)
        return !case_names(scenario, ref, rules[id].cases);
    return rules[id].counted && !counts_name(scenario, ref);
}

bool knob_idle(const struct scenario *scenario, struct knob_ref ref)
{
    return !rules[knob_id(ref.knob)].listed && !knob_is_own(scenario, ref) &&
           does_nothing(scenario, ref);
}

/* A file of the rules is one that is not stated. */
bool knob_is_vain(const struct scenario *scenario, struct knob_ref ref)
{
    return knob_is_own(scenario, ref) && ref.knob->type != KNOB_FILE &&
           knob_applies(scenario, ref.section, ref.index, ref.knob) && does_nothing(scenario, ref);
}

/* Values in force ------------------------------------------------------------------------------ */

/* Returns the result that is the knob's automatic value, or NULL. */
static const struct result_row *find_knob_result(const struct knob *knob)
{
    for (int r = 0; r < RESULT_ROW_COUNT; r++)
        if (result_rows[r].knob != 0 && knob_is(knob, result_rows[r].knob))
            return &result_rows[r];
    return NULL;
}

/* Extends by the delays that start work on a device. */
static void extend_launch(const struct scenario *s, int device, struct extent *extent)
{
    for (int c = 0; c < s->component_count; c++)
        if (scenario_runs_on(s, c, device))
            extend(extent, overhead_is_crowded(&s->device[device], scenario_workers(s, c, device))
                               ? CROWDED_LAUNCH
                               : overhead_of(&s->device[device]).launch);
}

/* Extends by the bandwidth of a core's cache for each number of cores that components of a CPU
 * have: it is at least that of the next level, of which few cores have a larger part each. */
static void extend_core_cache(const struct scenario *scenario, const struct result *result,
                              int device, enum memory_level_id id, struct extent *extent)
{
    for (int n = 0; n < result->node_count; n++) {
        double cores = result->node[n].workers;
        struct memory memory;

        if (result->node[n].device != device || cores == RESULT_NONE)
            continue;
        device_memory(&scenario->device[device],
                      cores < device_cores(&scenario->device[device]) ? cores : 0, &memory);
        for (int k = 0; k < memory.count; k++)
            if (memory.level[k].id == id)
                extend(extent, memory.level[k].bandwidth / cores);
    }
}

/* Returns true if components of a device have some of its cores. */
static bool gives_cores(const struct scenario *scenario, const struct result *result, int device)
{
    for (int n = 0; n < result->node_count; n++)
        if (result->node[n].device == device && result->node[n].workers != RESULT_NONE &&
            result->node[n].workers < device_cores(&scenario->device[device]))
            return true;
    return false;
}

/* Returns the values of an automatic knob, of which the result reports one. */
static struct extent automatic_extent(const struct scenario *scenario, const struct result *result,
                                      struct knob_ref ref, double reported)
{
    struct extent extent = {RESULT_NONE, RESULT_NONE};
    const struct device *device = &scenario->device[ref.index];

    switch (knob_id(ref.knob)) {
    case KNOB_DEVICE_LAUNCH:
        extend_launch(scenario, ref.index, &extent);
        break;
    case KNOB_DEVICE_INGRESS_LATENCY:
        extend_ingress(scenario, ref.index, false, &extent);
        break;
    case KNOB_DEVICE_DATAGRAM_TIME:
        extend_ingress(scenario, ref.index, true, &extent);
        break;
    case KNOB_DEVICE_L1_BANDWIDTH:
        extend_core_cache(scenario, result, ref.index, LEVEL_L1, &extent);
        break;
    case KNOB_DEVICE_L2_BANDWIDTH:
        if (device->kind == DEVICE_CPU)
            extend_core_cache(scenario, result, ref.index, LEVEL_L2, &extent);
        break;
    case KNOB_DEVICE_L3_BANDWIDTH:
        if (device->kind == DEVICE_CPU && gives_cores(scenario, result, ref.index))
            return extent; /* a stated one is limited by those of the cores */
        break;
    default:
        break;
    }
    if (extent.least == RESULT_NONE && reported != RESULT_NONE)
        extend(&extent, reported);
    return extent;
}

/* Returns the value of an automatic number that the result reports. */
static double reported_number(const struct scenario *scenario, const struct result *result,
                              struct knob_ref ref)
{
    const struct result_row *row = find_knob_result(ref.knob);
    int index = ref.index;

    if (ref.knob >= &knobs[KNOB_DEVICE_LATE_P90] && ref.knob <= &knobs[KNOB_DEVICE_LATE_MAX])
        return late_quantile(scenario, ref.index,
                             (enum late)(ref.knob - &knobs[KNOB_DEVICE_LATE_P90]));
    if (result == NULL || (row == NULL && knob_formula(scenario, ref) == NULL))
        return RESULT_NONE;
    if (ref.section == SECTION_COMPONENT)
        index = result_find_node(result, scenario->component[ref.index].head.name);
    if (index >= 0 && knob_formula(scenario, ref) != NULL)
        return result->node[index].stated[knob_stated(ref.knob)];
    return index < 0 ? RESULT_NONE : result_value(result, row, index);
}

bool knob_numbers_in_force(const struct scenario *scenario, const struct result *result,
                           struct knob_ref ref, double *least, double *most)
{
    struct extent extent;
    double value = knob_number(scenario, ref);

    if (knob_is_auto(ref.knob, value)) {
        value = reported_number(scenario, result, ref);
        extent = ref.section == SECTION_DEVICE && result != NULL
                     ? automatic_extent(scenario, result, ref, value)
                     : (struct extent){value, value};
    } else {
        extent = (struct extent){value, value};
    }
    *least = extent.least;
    *most = extent.most;
    return extent.least != RESULT_NONE;
}

double knob_number_in_force(const struct scenario *scenario, const struct result *result,
                            struct knob_ref ref)
{
    double least, most;

    return knob_numbers_in_force(scenario, result, ref, &least, &most) && least == most
               ? least
               : RESULT_NONE;
}

bool knob_divides(const struct scenario *scenario, struct knob_ref ref)
{
    return (ref.knob == &knobs[KNOB_COMPONENT_SHARE] ||
            ref.knob == &knobs[KNOB_COMPONENT_WORKERS]) &&
           knob_is_auto(ref.knob, knob_number(scenario, ref));
}

static bool is_whole(double value)
{
    return fabs(value - round(value)) <= 1e-9 * fabs(value);
}

void knob_print_number(const struct knob *knob, double value, char number[KNOB_NUMBER_MAX])
{
    const size_t size = KNOB_NUMBER_MAX;

    if (value == 0 && knob->fallback == CAPACITY_AUTO) {
        snprintf(number, size, "none");
    } else if (knob->unit[0] == '\0' && value < 1000 && !is_whole(value)) {
        snprintf(number, size, "%.3g", value);
    } else if (knob->unit[0] == '\0') {
        number_format(round(value), number, size);
    } else if (strstr(knob->unit, "iB") != NULL) { /* 32 KiB is clearer than 32.8 kB */
        quantity_format(value, knob->unit, number, size);
        quantity_shorten(number);
    } else if (knob->type == KNOB_INTEGER) {
        char digits[32];

        number_format(knob_in_unit(knob, value), digits, sizeof digits);
        snprintf(number, size, "%s %s", digits, knob->unit);
    } else {
        quantity_print(value, knob->unit, number, size);
    }
}

static void print_components(const struct scenario *scenario, uint64_t members, char *text,
                             size_t size)
{
    struct buffer out = buffer_over(text, size);

    buffer_text(&out, "auto");
    for (int c = 0; c < scenario->component_count; c++)
        if ((members >> c & 1) != 0)
            buffer_print(&out, " %s", scenario->component[c].head.name);
}

/* Returns 1 if a component defers work until the commands are out, else 0; -1: unknown. */
static int component_defers(const struct scenario *scenario, const struct result *result,
                            int component)
{
    int node =
        result == NULL ? -1 : result_find_node(result, scenario->component[component].head.name);

    return node < 0 ? -1 : result->node[node].deferred > 0;
}

/* Returns how the devices are shared, or -1 if they differ. */
static int common_sharing(const struct scenario *scenario)
{
    enum sharing sharing = scenario_common_sharing(scenario);

    return sharing == SHARING_MIXED ? -1 : (int)sharing;
}

/* Returns how all data that enter a host do, or -1: none, or in several ways. */
static int common_ingress(const struct scenario *scenario, int host)
{
    struct ingress_times times;
    int common = -1;

    for (int c = 0; c < scenario->component_count; c++) {
        if (!enters_host(scenario, c, host, &times))
            continue;
        if (common >= 0 && (int)times.ingress != common)
            return -1;
        common = (int)times.ingress;
    }
    return common;
}

/* Returns the value of an automatic choice or reference, or -1. */
static int automatic_choice(const struct scenario *s, const struct result *result,
                            struct knob_ref ref)
{
    const struct algorithm *algorithm;

    switch (knob_id(ref.knob)) {
    case KNOB_SCENARIO_SHARING:
        return common_sharing(s);
    case KNOB_SCENARIO_PROCESSING:
        return PROCESSING_PACKETS;
    case KNOB_DEVICE_INGRESS:
        return common_ingress(s, ref.index);
    case KNOB_DEVICE_HOST: /* a device that is its own cannot state that */
        return scenario_host(s, ref.index) == ref.index ? -1 : scenario_host(s, ref.index);
    case KNOB_COMPONENT_DEVICE:
        return scenario_device(s, ref.index);
    case KNOB_COMPONENT_WFS:
        return scenario_wfs(s, ref.index);
    case KNOB_COMPONENT_ALGORITHM:
        return 0;
    case KNOB_COMPONENT_BARRIER:
        return s->general.processing == PROCESSING_FRAMES
                   ? BARRIER_FRAME
                   : (int)algorithm_barrier(&s->component[ref.index]);
    case KNOB_COMPONENT_DEFERRED:
        return component_defers(s, result, ref.index);
    case KNOB_COMPONENT_ACCESS:
        algorithm = algorithm_row(s, ref.index);
        return algorithm == NULL ? -1 : (int)algorithm->access;
    default:
        return -1;
    }
}

int knob_choice_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref)
{
    int stated = knob_choice(scenario, ref);

    return stated >= 0 ? stated : automatic_choice(scenario, result, ref);
}

void knob_print_in_force(const struct scenario *scenario, const struct result *result,
                         struct knob_ref ref, char *text, size_t size)
{
    knob_print(scenario, ref, text, size);
    if (text[0] == '\0')
        snprintf(text, size, "none");
    if (knob_formula(scenario, ref) != NULL) {
        double value = knob_number_in_force(scenario, result, ref);
        char number[KNOB_NUMBER_MAX];

        if (value != RESULT_NONE) {
            knob_print_number(ref.knob, value, number);
            snprintf(text, size, "formula %s", number);
        }
        return;
    }
    if (strcmp(text, "auto") != 0)
        return;
    if (knob_is_number(ref.knob)) {
        char from[KNOB_NUMBER_MAX], to[KNOB_NUMBER_MAX];
        double least, most;

        if (knob_numbers_in_force(scenario, result, ref, &least, &most)) {
            knob_print_number(ref.knob, least, from);
            knob_print_number(ref.knob, most, to);
            snprintf(text, size, least == most ? "auto %s" : "auto %s to %s", from, to);
        } else if (ref.section == SECTION_DEVICE && find_knob_result(ref.knob) == NULL) {
            snprintf(text, size, KNOB_UNKNOWN);
        }
    } else if (ref.knob->type == KNOB_COMPONENTS) {
        print_components(scenario, scenario_predecessors(scenario, ref.index), text, size);
    } else {
        int choice = automatic_choice(scenario, result, ref);

        if (choice >= 0 && choice < knob_choice_count(scenario, ref))
            snprintf(text, size, "auto %s", knob_choice_name(scenario, ref, choice));
    }
}
