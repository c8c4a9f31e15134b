/* The results of a design by their paths: "latency", "loop.servo_lag",
 * "component.recon.memory_time", "device.rtc.utilisation", "wfs.ngs.valid_subaps",
 * "latency.slopes:first:start..recon". Some are computed when they are read (outcome.h, flow.h,
 * result_span.h). */
#ifndef AOLAG_MODEL_RESULT_READ_H
#define AOLAG_MODEL_RESULT_READ_H

#include "base/status.h"
#include "design/scenario.h"
#include "model/result.h"
#include "model/result_span.h"

/* Returns the number of nodes, devices or sensors in a scope; 1 for the design and the loop. */
int result_count(const struct result *result, enum result_scope scope);

/* Returns the value (SI) of a row for node, device or sensor `index` of its scope (else 0). */
double result_value(const struct result *result, const struct result_row *row, int index);

#define RESULT_PATH_MAX (RESULT_SPAN_MAX + 64)

/* A row for one element of its scope, identified by name because indices change with the structure
 * of a design. */
struct result_ref {
    const struct result_row *row;
    char name[RESULT_SPAN_MAX]; /* of the node, device or sensor, both points, or empty */
    int index;                  /* index at which it was found */
};

/* Finds a result by its path, else by that with its key in JSON or by its alias; or returns
 * STATUS_INVALID and names the nearest path of this design. */
enum status result_find(const struct scenario *scenario, const struct result *result,
                        const char *path, struct result_ref *ref, struct error *error);

/* Refers to the busy time of a component; returns false if it is no node of the design. */
bool result_busy(const struct result *result, const char *name, struct result_ref *ref);

/* Returns true if two paths name the same result. */
bool result_same(const struct result_ref *a, const struct result_ref *b);

/* Returns true if a name is the key of a result, there or in JSON, its label or its alias: "total",
 * "total_nm", "wavefront error", "nm". */
bool result_is_called(const struct result_row *row, const char *name);

/* Returns the value (SI) in an evaluated design; RESULT_NONE also for a missing element. */
double result_read(const struct scenario *scenario, const struct result *result,
                   const struct result_ref *ref);

/* Says why a latency between two points has no value, as result_span_missing. */
bool result_missing(const struct result *result, const struct result_ref *ref, char *text,
                    size_t size);

/* Writes the path that result_find accepts; at least RESULT_PATH_MAX bytes. */
void result_path(const struct result_ref *ref, char *text, size_t size);

/* Writes the result in words, for people: "RTC latency", "gpu0 peak flops"; at least
 * RESULT_PATH_MAX bytes. */
void result_words(const struct result_ref *ref, char *text, size_t size);

/* Writes the path with the key of JSON and CSV, with its unit: "component.recon.time_us". */
void result_json_path(const struct result_ref *ref, char *text, size_t size);

/* Gets result number i of all results of a design, in table order; returns false after the last. */
bool result_at(const struct scenario *scenario, const struct result *result, int i,
               struct result_ref *ref);

#endif
