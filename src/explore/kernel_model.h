/* A design of one component on one device, its input at hand, a frame in one packet
 * (data/published/kernel.ini): what a kernel alone takes, measured or published, is predicted with
 * it. */
#ifndef AOLAG_EXPLORE_KERNEL_MODEL_H
#define AOLAG_EXPLORE_KERNEL_MODEL_H

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"

struct kernel_model;

/* On failure there is nothing to close. */
enum status kernel_model_open(struct kernel_model **model, struct error *error);
void kernel_model_close(struct kernel_model *model);

/* Evaluates it on an embedded preset, by name, or where that is NULL on `device`, with settings
 * "PATH=VALUE PATH=VALUE" of the component, component.kernel, its sensor, wfs.sensor, and the
 * device, device.hardware. The result is the component's; `sockets` of the device, 1 of a GPU, may
 * be NULL. */
enum status kernel_model_predict(struct kernel_model *model, const char *preset,
                                 const struct device *device, const char *settings,
                                 struct node_result *node, double *sockets, struct error *error);

#endif
