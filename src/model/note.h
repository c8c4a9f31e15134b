/* Notes on a design: what does not fit, has no effect or waits, each a sentence that begins with
 * the knob or the element that it is about. */
#ifndef AOLAG_MODEL_NOTE_H
#define AOLAG_MODEL_NOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "design/scenario.h"
#include "model/result.h"

/* Writes why the design does not fit the memory of device d: "device.gpu0.memory_size: does not
 * fit: 7.41 GB of working sets, 2.00 GB of memory". */
void note_unfit(const struct scenario *scenario, const struct result *result, int d, char *text,
                size_t size);

/* Returns true if a component states more workers than its device has cores and therefore waits
 * for one in each packet, and writes so:
 * "component.recon.workers: 500 threads take turns on the 192 cores of device.rtc". */
bool note_crowded(const struct scenario *scenario, int component, char *text, size_t size);

/* Returns true if components state shares of devices that are not divided, and writes so of the
 * first: "component.recon.share: has no effect, as device.rtc is exclusive (and 2 more)". */
bool note_idle_share(const struct scenario *scenario, char *text, size_t size);

/* Returns true if components that state parts of a divided device leave some of it to nobody, and
 * writes so: "device.rtc: no component uses 12 of its 32 cores", "device.gpu0: no component uses
 * 0.3 of it". Less than 1 % is not said. */
bool note_unused_part(const struct scenario *scenario, int d, char *text, size_t size);

/* Return true if data that rdma should write into a GPU go elsewhere, and write so: what enters the
 * host d - "device.rtc.ingress: rdma: no GPU receives camera, which is counted as bypass" - or what
 * is copied to the GPU d, "device.gpu0.copy: rdma: no camera feeds this GPU; counted as mapped". */
bool note_rdma_ingress(const struct scenario *scenario, int d, char *text, size_t size);
bool note_rdma_copy(const struct scenario *scenario, int d, char *text, size_t size);

/* Finds what of a design has no effect or does not fit together. Returns true for the next note
 * from number `*at` on, which it increases beyond it: "component.slopes2: nothing uses its data",
 * "wfs.wfs2: no camera serves it", "ao.actuators: 5000, but the mirrors have 4000",
 * "component.camera.exposure: 5.00 ms, longer than its frame of 2.00 ms", "ao.vibrations: 900 Hz is
 * above half the frame rate, 690 Hz: the loop samples it as a slower one", or, of more subapertures
 * than fit a round pupil of one more across, but the whole square, "wfs.ngs.valid_subaps: 6020
 * stated, 80 across gives about 5027"; and of values in an order that no machine has (order.h).
 * `result`: of the scenario. */
bool note_next(const struct scenario *scenario, const struct result *result, int *at, char *text,
               size_t size);

#endif
