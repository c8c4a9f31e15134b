/* What limits a design, in words, for searches, reports and the screen. */
#ifndef AOLAG_MODEL_VERDICT_H
#define AOLAG_MODEL_VERDICT_H

#include <stdbool.h>

#include "design/scenario.h"
#include "model/result.h"

#define VERDICT_RESOURCE_MAX (2 * NODE_NAME_MAX + 64)

/* Writes the bottleneck (result.h) and the resource that limits it, also of an overloaded design:
 * "recon: HBM bandwidth of gpu0", "camera: kernel ingress of rtc"; without components "nothing". The
 * result was just evaluated. */
void verdict_resource(const struct scenario *scenario, const struct result *result,
                      char text[VERDICT_RESOURCE_MAX]);

/* Writes the same of any node, by what limits its own time. */
void verdict_node(const struct scenario *scenario, const struct result *result, int node,
                  char text[VERDICT_RESOURCE_MAX]);

/* Writes a text of verdict_resource without the device, for lists and pictures without room for it:
 * "recon: HBM bandwidth". */
void verdict_brief(const char *resource, char text[VERDICT_RESOURCE_MAX]);

#define VERDICT_TEXT_MAX (3 * NODE_NAME_MAX + 128)

/* Writes the same; with `frame` " (all packets: HBM)" follows if something else limits its time in
 * a frame, and ", delays control" if waiting for it is the larger part of the latency. Of an
 * overloaded design it writes what is busy longest: "overload: recon, 2.10 times too slow". */
void verdict_limit(const struct scenario *scenario, const struct result *result, bool frame,
                   char text[VERDICT_TEXT_MAX]);

/* Returns what limits a node's own time in a frame in the word that verdict_node has, for tables:
 * "HBM", "launches"; of the camera that limits the design, whose readout is no part of the latency,
 * what limits that: "ingress". The words are those of LIMITS in aolag-eval(1). The result was just
 * evaluated; `scenario` NULL: it was not, and less is known ("overhead"). */
const char *verdict_word(const struct scenario *scenario, const struct result *result, int node);

/* Returns the same for another bound of the node: of its step on the critical path, of deferred
 * work. */
const char *verdict_bound_word(const struct scenario *scenario, const struct result *result,
                               int node, enum bound bound);

#define VERDICT_MISSING_MAX 64

/* Writes what a loop needs and the design lacks: "no reconstruction, no dm". A program or a custom
 * component may be the reconstruction. Returns false, with an empty text, for a complete loop. */
bool verdict_missing(const struct scenario *scenario, char text[VERDICT_MISSING_MAX]);

#endif
