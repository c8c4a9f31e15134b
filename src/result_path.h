/* Results by the paths people write: "latency", "loop.servo_lag", "component.recon.memory_time",
 * "device.rtc.utilisation", "wfs.ngs.valid_subaps". */
#ifndef AOLAG_RESULT_PATH_H
#define AOLAG_RESULT_PATH_H

#include "result.h"
#include "scenario.h"
#include "status.h"

#define RESULT_PATH_MAX (NODE_NAME_MAX + 64)

/* One result of one instance. It holds the instance's name, since numbers change with the
 * structure of a design. */
struct result_ref {
    const struct result_row *row;
    char name[NODE_NAME_MAX + 1]; /* of the component, transfer, device or sensor; else empty */
    int index;                    /* where it was found */
};

/* STATUS_INVALID names the nearest path there is in this evaluated design. */
enum status result_find(const struct scenario *scenario, const struct result *result,
                        const char *path, struct result_ref *ref, struct error *error);

/* Its value (SI) in an evaluated design; RESULT_NONE also where the design has no such instance. */
double result_read(const struct scenario *scenario, const struct result *result,
                   const struct result_ref *ref);

/* The path it was found by; at least RESULT_PATH_MAX bytes. */
void result_path(const struct result_ref *ref, char *text, size_t size);

/* "component.recon.time_us": the path with the key JSON and CSV use, which has the unit in it. */
void result_json_path(const struct result_ref *ref, char *text, size_t size);

/* Number i of all results of a design, in the order of the table; false: there are not as many. */
bool result_at(const struct scenario *scenario, const struct result *result, int i,
               struct result_ref *ref);

#endif
