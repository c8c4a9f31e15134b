/* Work and busy times of nodes, devices and links, the maximum frame rate and overload: fills the
 * result from finished stages before the timeline runs. Part of evaluate. */
#ifndef AOLAG_MODEL_LOAD_H
#define AOLAG_MODEL_LOAD_H

#include "design/scenario.h"
#include "model/result.h"
#include "model/stage.h"

/* Fills in loads. With partition a device is busy for the sum of its components' busy times,
 * weighted by their shares, and components can be overloaded themselves; with exclusive and fluid
 * sharing the device does the work of all, including fixed times only with exclusive. */
void load_fill(const struct scenario *scenario, struct workspace *work, struct result *result);

/* Writes why the design does not fit the memory of device d: "device.gpu0.memory_size: does not
 * fit: 7.41 GB of working sets, 2.00 GB of memory". */
void load_unfit_sentence(const struct scenario *scenario, const struct result *result, int d,
                         char *text, size_t size);

/* Returns true if a component states more workers than its device has cores and therefore waits
 * for one in each packet, and writes so:
 * "component.recon.workers: 500 threads take turns on the 192 cores of device.rtc". */
bool load_crowded_sentence(const struct scenario *scenario, int component, char *text, size_t size);

/* Returns true if components state shares of devices that are not divided, and writes so of the
 * first: "component.recon.share: has no effect, as device.rtc is exclusive (and 2 more)". */
bool load_idle_share_sentence(const struct scenario *scenario, char *text, size_t size);

/* Returns true if components that state parts of a divided device leave some of it to nobody, and
 * writes so: "device.rtc: no component uses 12 of its 32 cores", "device.gpu0: no component uses
 * 0.3 of it". Less than 1 % is not said. */
bool load_unused_part_sentence(const struct scenario *scenario, int d, char *text, size_t size);

/* Return true if data that rdma should write into a GPU go elsewhere, and write so: what enters the
 * host d - "device.rtc.ingress: rdma: no GPU receives camera, which is counted as bypass" - or what
 * is copied to the GPU d, "device.gpu0.copy: rdma: no camera feeds this GPU; counted as mapped". */
bool load_rdma_ingress_sentence(const struct scenario *scenario, int d, char *text, size_t size);
bool load_rdma_copy_sentence(const struct scenario *scenario, int d, char *text, size_t size);

/* Finds what of a design has no effect or does not fit together. Returns true for the next note
 * from number `*at` on, which it increases beyond it: "component.slopes2: nothing uses its data",
 * "wfs.wfs2: no camera serves it", "ao.actuators: 5000, but the mirrors have 4000",
 * "component.camera.exposure: 5.00 ms, longer than its frame of 2.00 ms", "ao.vibrations: 900 Hz is
 * above half the frame rate, 690 Hz: the loop samples it as a slower one", or, of more subapertures
 * than fit a round pupil of one more across, but the whole square, "wfs.ngs.valid_subaps: 6020
 * stated, 80 across gives about 5027"; and of values in an order that no machine has (order.h).
 * `result`: of the scenario. */
bool load_next_note(const struct scenario *scenario, const struct result *result, int *at,
                    char *text, size_t size);

/* Returns the exposure of a camera: stated, or the time between two frames that it delivers, less
 * its readout if it exposes no frame meanwhile. */
double camera_exposure(const struct component *camera, double divisor, double period,
                       double readout);

enum { OVERLOAD_MAX = 16 };

struct overload {
    const char *name; /* name of a component, device or link, owned by result or scenario */
    double busy;      /* s per frame */
};

/* Lists components, devices and links that are busy for longer than a frame period, the largest
 * first, at most OVERLOAD_MAX; returns their number. A device or link that only one listed
 * component keeps busy is omitted. The result must be of this scenario. */
int load_list_overloads(const struct scenario *scenario, const struct result *result,
                        struct overload list[OVERLOAD_MAX]);

#endif
