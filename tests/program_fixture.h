/* What tests of programs in designs share: a design whose component p runs the trace t.csv on four
 * cores at 1 GHz, in the directory of tests/files.h. */
#ifndef AOLAG_PROGRAM_FIXTURE_H
#define AOLAG_PROGRAM_FIXTURE_H

#include <stdbool.h>

#include "design/scenario.h"
#include "design/scenario_file.h"
#include "base/status.h"

#define PROGRAM_HEADER "phase,thread,kind,key,count\n"

/* Traces of 4000 cycles (at the default CPI and latency, 640 bytes) and of 2000; the scenario. */
extern const char program_text_four[];
extern const char program_text_two[];
extern const char program_text_design[];

extern struct scenario program_scenario;
extern struct document *program_document;

/* A suite's cleanup; its setup is files_open. */
int program_close_design(void);

void program_put_file(const char *name, const char *text);
bool program_load(const char *name);

/* Writes t.csv and d.ini and loads it. */
bool program_open_design(void);

/* Of the component p. */
enum status program_set_trace(const char *path, struct error *error);

/* Evaluates; the time of a node. */
double program_time_of(const char *name);

#endif
