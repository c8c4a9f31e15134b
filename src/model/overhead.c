#include "model/overhead.h"

#include "base/number.h"
#include "model/device.h"
#include "model/formulas.h"

#define US 1e-6

/* Defaults of a way to dispatch work. */
struct dispatch_row {
    double launch, boundary, enqueue, handover, software;
    double interpreted_launch, interpreted_handover; /* of Python on a CPU; 0: as the others */
    bool graph;
    bool sleeps;
};

static const struct dispatch_row dispatch_rows[] = {
    [DISPATCH_STREAM] = {.launch = 6.5 * US, .boundary = 1.2 * US, .enqueue = 2.4 * US},
    [DISPATCH_GRAPH] = {.launch = 7 * US, .boundary = 1.2 * US, .enqueue = 3 * US, .graph = true},
    [DISPATCH_PERSISTENT] = {.launch = 1.6 * US, .boundary = 1 * US},
    [DISPATCH_SPIN] = {.launch = 0.6 * US, .boundary = 2 * US},
    [DISPATCH_WAKE] = {.launch = 5 * US,
                       .boundary = 2 * US,
                       .interpreted_launch = INTERPRETED_WAKE,
                       .sleeps = true},
    [DISPATCH_PROCESS] = {.launch = 0.6 * US,
                          .boundary = 2 * US,
                          .handover = PROCESS_HANDOVER,
                          .software = PROCESS_SOFTWARE,
                          .interpreted_handover = INTERPRETED_HANDOVER,
                          .sleeps = true},
};

static double time_or(double stated, double assumed)
{
    return stated != TIME_AUTO ? stated : assumed;
}

static double egress_latency(const struct device *device)
{
    static const double rows[] = {[EGRESS_KERNEL] = 4 * US,
                                  [EGRESS_BUSY_POLL] = 3 * US,
                                  [EGRESS_BYPASS] = 0.5 * US,
                                  [EGRESS_IDEAL] = 0};

    return time_or(device->egress_latency, rows[device->egress]);
}

struct overhead overhead_of(const struct device *device)
{
    const struct dispatch_row *row = &dispatch_rows[device->dispatch];
    struct overhead of = {.egress = egress_latency(device)};
    bool interpreted = device->framework == FRAMEWORK_INTERPRETER;

    if (device->kind == DEVICE_FPGA) {
        of.launch = device->stage_latency;
        return of;
    }
    of.launch = formula_launch(
        device, interpreted && row->interpreted_launch > 0 ? row->interpreted_launch : row->launch);
    of.boundary = formula_boundary(device, row->boundary);
    of.operator= formula_operator_time(device);
    if (device->kind == DEVICE_CPU) {
        of.software = formula_software(device, row->software);
        of.sleeps = row->sleeps && device->os == OS_STOCK;
        of.handover = formula_handover(device, device->os == OS_IDEAL ? 0
                                               : interpreted          ? row->interpreted_handover
                                                                      : row->handover);
        return of;
    }
    of.enqueue = formula_enqueue(device, row->enqueue);
    of.graph = row->graph;
    of.copy_in = formula_copy_latency(device, 7 * US, 0.1 * US);
    of.copy_out = formula_copy_out(device, of.copy_in);
    of.peer = time_or(device->peer_latency, device->peer_link == PEER_NVLINK ? 1.9 * US : 16 * US);
    return of;
}

bool overhead_is_crowded(const struct device *device, double threads)
{
    return device_is_crowded(device, threads) && device->dispatch != DISPATCH_WAKE &&
           device->launch == TIME_AUTO;
}

bool interface_has_grabber(enum camera_interface interface)
{
    return interface != INTERFACE_NONE && interface != INTERFACE_GIGE_VISION;
}

bool overhead_gpu_receives(const struct scenario *scenario, int host, int camera)
{
    uint32_t gpus = 0;
    uint64_t feeds = 0; /* components that feed one of these */

    for (int d = 0; d < scenario->device_count; d++)
        if (scenario->device[d].kind == DEVICE_GPU && scenario_host(scenario, d) == host)
            gpus |= UINT32_C(1) << d;
    for (int c = 0; c < scenario->component_count && gpus != 0; c++)
        if ((scenario_devices(scenario, c) & gpus) != 0)
            feeds |= scenario_predecessors(scenario, c);
    for (int c = 0; c < scenario->component_count && feeds != 0; c++) {
        int device = scenario_device(scenario, c);
        bool enters =
            camera < 0 ? device < 0 || scenario_host(scenario, device) != host : c == camera;

        if (enters && (feeds >> c & 1) != 0)
            return true;
    }
    return false;
}

bool overhead_gpu_gets_pixels(const struct scenario *scenario, int gpu)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_CAMERA && scenario_feeds(scenario, c, gpu))
            return true;
    return false;
}

enum ingress overhead_stated_ingress(const struct device *host)
{
    if (host->ingress != CHOICE_AUTO)
        return (enum ingress)host->ingress;
    return host->kind == DEVICE_FPGA ? INGRESS_IDEAL : INGRESS_KERNEL;
}

/* Returns how data enters a host: a frame grabber stays one, unless data bypasses it. */
static enum ingress ingress_in_force(const struct device *host, enum camera_interface interface,
                                     bool rdma)
{
    enum ingress stated = overhead_stated_ingress(host);

    if (stated == INGRESS_IDEAL || rdma)
        return stated;
    if (interface_has_grabber(interface))
        return INGRESS_FRAME_GRABBER;
    return stated == INGRESS_RDMA ? INGRESS_BYPASS : stated;
}

bool ingress_is_kernel(enum ingress ingress)
{
    return ingress == INGRESS_KERNEL || ingress == INGRESS_BUSY_POLL;
}

bool ingress_has_datagrams(enum ingress ingress)
{
    return ingress != INGRESS_FRAME_GRABBER && ingress != INGRESS_RDMA;
}

/* Returns the time of a core for a datagram that the kernel receives, polling or not. */
static double kernel_datagram(const struct device *host)
{
    double payload = formula_ethernet_payload(host->mtu);

    return formula_kernel_datagram(payload, formula_coalesced(host, payload));
}

struct ingress_times overhead_ingress(const struct scenario *scenario, int index, int camera)
{
    static const struct {
        double latency, datagram;
    } rows[] = {
        [INGRESS_KERNEL] = {KERNEL_INGRESS, 0}, [INGRESS_BUSY_POLL] = {6 * US, 0},
        [INGRESS_BYPASS] = {1 * US, 0.1 * US},  [INGRESS_FRAME_GRABBER] = {10 * US, 0},
        [INGRESS_RDMA] = {4.2 * US, 0},         [INGRESS_IDEAL] = {0, 0},
    };
    const struct device *host = &scenario->device[index];
    enum camera_interface interface =
        camera < 0 ? INTERFACE_NONE : (enum camera_interface)scenario->component[camera].interface;
    bool rdma = host->ingress == INGRESS_RDMA && overhead_gpu_receives(scenario, index, camera);
    enum ingress ingress = ingress_in_force(host, interface, rdma);
    return (struct ingress_times){
        .ingress = ingress,
        .latency = time_or(host->ingress_latency, rows[ingress].latency),
        .datagram =
            ingress_has_datagrams(ingress)
                ? time_or(host->datagram_time, ingress_is_kernel(ingress) ? kernel_datagram(host)
                                                                          : rows[ingress].datagram)
                : 0,
        .sleeps = ingress == INGRESS_KERNEL && host->os == OS_STOCK};
}

double overhead_mapped_rate(double pcie_generation)
{
    return pcie_generation <= 3 ? 10e9 : pcie_generation < 5 ? 15e9 : 22e9;
}

double overhead_wake_up(const struct device *device, double idle)
{
    return idle < 1e-3 ? 0 : formula_wake_up(idle, device->sleep_latency);
}
