/* A pipeline of daolite or a parameter file of TIPTOP, imported: its scenario, what is different
 * and why. */
#ifndef AOLAG_IMPORT_IMPORT_H
#define AOLAG_IMPORT_IMPORT_H

#include <stdbool.h>

#include "design/preset.h"
#include "design/scenario_file.h"
#include "import/convert.h"
#include "import/daolite.h"
#include "import/figures.h"
#include "import/tiptop.h"
#include "model/result.h"

enum { STEP_MAX = FIGURES_DEFECTS + 8 };

/* A step from the total that daolite computes to the time from the first pixel to the last command
 * by this program: a defect of daolite, which is corrected, what this program does in another way,
 * and what it has in addition. Each is added to those before it. */
struct import_step {
    const char *name; /* "packets" */
    char sentence[400];
    double
        alone; /* s, daolite's total with this alone corrected; RESULT_NONE: no step of daolite */
    double total; /* s, with this and all steps before it */
};

/* An agenda of the pipeline, as the file that a sensor of the scenario names. */
struct import_agenda {
    const struct daolite_component *from; /* NULL: the sensor has none */
    struct buffer csv;
    struct pattern *pattern;
};

enum import_form { IMPORT_DAOLITE, IMPORT_TIPTOP, IMPORT_FORMS };

/* What a form is called, and an example: for aolag import --list. */
struct import_form_row {
    const char *name, *what, *example;
};
extern const struct import_form_row import_forms[IMPORT_FORMS];

/* Zero-initialise it, but for the host of `tiptop`, a preset of a CPU, which may be chosen;
 * import_free in any case. */
struct import {
    enum import_form form;
    struct values tree;
    struct daolite daolite;
    struct tiptop tiptop;
    struct conversion conversion;
    struct scenario scenario;
    struct document *document;
    struct import_agenda agenda[WFS_MAX]; /* of the sensors of the scenario */
    struct figures printed;               /* by daolite */
    struct figures corrected;             /* without any of the defects */
    int step_count;
    struct import_step step[STEP_MAX];
};

/* Reads a file's text and makes a scenario of it. `name` (may be NULL) is that of the file, `files`
 * as for daolite_read. On STATUS_INVALID the problems have the reasons with their lines in the
 * file. */
enum status import_read(struct import *import, const char *name, const char *bytes, size_t length,
                        const struct daolite_files *files, struct catalogue *catalogue,
                        struct problems *problems);

/* Finds figures and steps of an imported pipeline whose scenario has this result; steps need a
 * result of their own (result_init). */
enum status import_assess(struct import *import, const struct result *result,
                          struct result *another, struct error *error);

/* Returns the total delay, s, of a parameter file's design whose loop is not given the delay of the
 * file: with the RTC latency of `result`, which is the result of the scenario. */
double import_own_delay(const struct import *import, const struct result *result);

void import_free(struct import *import);

/* What has no counterpart in the scenario, and what was chosen, each with its line, 0: none. */
const struct problems *import_lost(const struct import *import);
const struct problems *import_assumed(const struct import *import);

/* Appends the name of the file of a sensor's agenda beside the scenario OUTPUT: "NAME-SENSOR.csv"
 * for NAME.ini, with its directory or without. */
void import_agenda_name(const struct import *import, int wfs, const char *output, bool directory,
                        struct buffer *name);

/* Appends the scenario with lines for its agendas, whose files stand beside `output`; NULL: without
 * them. */
void import_text(const struct import *import, const char *output, struct buffer *text);

#endif
