/* The nodes of a plan: components, their parts, the transfers inserted between them and the queues
 * these occupy. Part of plan_update. */
#ifndef AOLAG_PLAN_BUILD_H
#define AOLAG_PLAN_BUILD_H

#include "plan.h"

/* Makes the nodes of the plan's components, which `order` sorts so that predecessors come first.
 * STATUS_INVALID names the component for which there is no room. */
enum status plan_build(struct plan *plan, const int *order, struct error *error);

#endif
