/* Designs for tests of the model, built knob by knob. Whatever a helper cannot do fails the running
 * test with the path, the value and the reason. */
#ifndef AOLAG_SAMPLE_H
#define AOLAG_SAMPLE_H

#include <stdbool.h>

#include "design/knob.h"
#include "model/result.h"
#include "design/scenario.h"
#include "model/workload.h"

/* Appends an instance; its number, or 0 after a failure. */
int sample_add(struct scenario *scenario, enum section section, const char *name);

/* Appends a component of a type ("camera"). */
int sample_component(struct scenario *scenario, const char *name, const char *type);

/* Sets "component.recon.share" from text. */
void sample_set(struct scenario *scenario, const char *path, const char *value);

/* A number in SI; full precision. */
void sample_number(struct scenario *scenario, const char *path, double si);

/* States factors of a calibration, as of this version and the devices as they are. */
void sample_calibrate(struct scenario *scenario, const char *factors);

/* Partitions all devices and removes the fixed times of those that there are: dispatch, ports,
 * copies. */
void sample_ideal(struct scenario *scenario);

/* One sensor ngs of 10 x 10 subapertures, a CPU rtc and the chain camera, calibration, slopes,
 * recon, control, dm on it; ideal. */
void sample_chain(struct scenario *scenario);

/* A device whose numbers are round: 1 TFLOP/s fp32, 100 GB/s, nothing lost, no fixed times. */
void sample_round_device(struct scenario *scenario, const char *name);

/* A program of one phase and one thread: 1000 int and 200 fma instructions, 30 references at a
 * distance of 50, 100 000 B beside theirs, 500 cycles under a lock. */
const struct program *sample_program(void);

/* A result that lasts as long as the program. */
struct result *sample_result(void);

/* The simulation of that result, for tracks of a test's own. */
struct simulation *sample_simulation(void);

/* Whether evaluate accepts it. */
bool sample_evaluate(const struct scenario *scenario, struct result *result);

/* evaluate refuses it with exactly this sentence. */
void sample_refused(const struct scenario *scenario, const char *sentence);

/* A node by name; one of zeros after a failure. */
const struct node_result *sample_node(const struct result *result, const char *name);

/* A fresh evaluation in a result of its own that the caller frees. */
bool sample_evaluate_fresh(const struct scenario *scenario, struct result *result);

/* Checks that two results are the same bit for bit. */
bool sample_same(const struct result *actual, const struct result *expected, const char *where);

/* The row of an algorithm; a failure and the first where there is none. */
const struct algorithm *sample_algorithm(enum component_type type, const char *name);

/* Small sizes that make every term of a count visible: 12 tiles of 4 x 4 cover the matrix of
 * 11 x 14. */
struct workload_input sample_sizes(void);

#endif
