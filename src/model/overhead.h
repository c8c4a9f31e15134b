/* The fixed times of a device and of the ports of a host: those stated, else those of the way in
 * which work is dispatched and data enters and leaves.
 *
 * Defaults with their ranges, from measurements published by RRZE (gpu-benches: kernels in streams
 * and graphs, barriers of a grid), hardware-unit-test, ocannl, gdrcopy, cuda-samples, the
 * Classic and Copper platforms of pipewireao-rtc (ports, hand-overs, wake-ups, sleep states), eRPC
 * and articles on kernel networking. */
#ifndef AOLAG_MODEL_OVERHEAD_H
#define AOLAG_MODEL_OVERHEAD_H

#include <stdbool.h>

#include "design/scenario.h"

/* Figures that rest on measured pipelines or on their computers, in s and as a fraction of the peak
 * bandwidth in total: `aolag validate --pipelines` fits them (data/published/fits.csv), and a test
 * holds these against the fits. */
#define PROCESS_HANDOVER 4.6e-6
#define PROCESS_SOFTWARE 9.9e-6
#define KERNEL_INGRESS 11e-6
#define INTERPRETED_HANDOVER 30e-6 /* from one Python process to another */
#define INTERPRETED_WAKE 71e-6     /* from one thread of an interpreter to another */
#define LEGACY_MEMORY_RATE 0.37    /* GPU code of 2012 and before */

/* All in s. */
struct overhead {
    double launch;            /* ready to running and completion visible, once per visit */
    double boundary;          /* between kernels, or a barrier of threads: occupies the device */
    double enqueue;           /* of the host's thread per kernel and copy */
    bool graph;               /* per visit instead, and copies are part of it */
    double handover;          /* from process to process or port */
    double software;          /* per component and frame */
    double operator;          /* per operator of an interpreter; 0: none */
    double copy_in, copy_out; /* delay of a copy from and to the host */
    double peer;              /* delay of a copy to another GPU of the host */
    double egress;            /* from the program to the wire */
    bool sleeps;              /* its threads may find their core in a sleep state */
};

struct overhead overhead_of(const struct device *device);

/* Delay of a slot, s, whose polling threads outnumber the cores and wait for one, whatever ran
 * before (barriers of .NET with up to 72 workers on 36 cores: 0.6 to 15.6 us). */
#define CROWDED_LAUNCH 15e-6

/* Returns true if that is the delay of a component with so many threads: its device states no
 * launch, and the threads do not sleep between packets. */
bool overhead_is_crowded(const struct device *device, double threads);

/* The port or frame grabber through which data enters a host. */
struct ingress_times {
    enum ingress ingress;
    double latency;  /* s from the receiving core to the program */
    double datagram; /* s of the receiving core per datagram */
    bool sleeps;     /* its core may be in a sleep state when data arrives */
};

/* Returns that of the interface of a camera, component `camera` - a network port or a frame grabber
 * - or with -1 of the port for other hosts. Where no GPU receives, rdma counts as bypass, or as the
 * frame grabber of the interface. */
struct ingress_times overhead_ingress(const struct scenario *scenario, int host, int camera);

/* Returns true if a component on a GPU gets the data of a camera. */
bool overhead_gpu_gets_pixels(const struct scenario *scenario, int gpu);

/* Returns the ingress of a host: stated, else ideal for an FPGA, whose links end in its logic, and
 * kernel for a computer; before interfaces and receivers are considered. */
enum ingress overhead_stated_ingress(const struct device *host);

/* Returns true if a component on a GPU of a host gets the data of a camera or, with -1, of any
 * camera or of another host: a port can write them into that GPU. */
bool overhead_gpu_receives(const struct scenario *scenario, int host, int camera);

/* Returns true for an ingress whose data a core of the host receives as datagrams: a frame grabber
 * and a port that writes into a GPU need none. */
bool ingress_has_datagrams(enum ingress ingress);

/* Returns true for an ingress through the network stack of the kernel, polling or not. */
bool ingress_is_kernel(enum ingress ingress);

/* Returns true for interfaces that end in a frame grabber. */
bool interface_has_grabber(enum camera_interface interface);

/* Returns the rate in B/s at which the host writes into the memory of a GPU with mapped copies:
 * 10 GB/s with PCIe 3, 22 GB/s with PCIe 5 (gdrcopy), 15 GB/s assumed with PCIe 4. */
double overhead_mapped_rate(double pcie_generation);

/* Delay of a wake-up of a host's core from a sleep state after `idle` seconds, from 1 ms on. */
double overhead_wake_up(const struct device *host, double idle);

#endif
