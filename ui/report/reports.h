/* Reports of the commands, written with record.h: NAME_report prints a whole report, NAME_put_PART
 * a part of it. Keys of JSON and CSV are stable. compare.h, explain.h and probe.h declare three
 * more reports, parts of which the screen also uses. */
#ifndef AOLAG_REPORT_REPORTS_H
#define AOLAG_REPORT_REPORTS_H

#include <stdbool.h>

#include "design/knob.h"
#include "explore/rank.h"
#include "explore/sweep.h"
#include "model/result_read.h"
#include "report/record.h"

struct advise;
struct assumptions;
struct budget;
struct controllers;
struct detector_map;
struct jitter;
struct latency_range;
struct prediction;
struct pipelines;
struct published;
struct seek;
struct surface_fit;
struct wakeups;

/* Evaluation ----------------------------------------------------------------------------------- */

/* JSON: all results. CSV: a row for each component and inserted transfer. Markdown: a design report
 * for a review, with assumptions and uncertainty, which ends with the heading of its charts.
 * `range` and `jitter` (NULL: none) are omitted from CSV. `assumptions` may be NULL except for
 * Markdown. */
void eval_report(struct record *record, const struct scenario *scenario,
                 const struct result *result, const struct latency_range *range,
                 const struct jitter *jitter, const struct assumptions *assumptions);

/* A row for each packet of each component, part and transfer, and for deferred work. STATUS_STOPPED
 * by the progress of the result. */
enum status packets_report(struct record *record, const struct scenario *scenario,
                           const struct result *result, struct error *error);

/* Writes the number of frames in an hour that have a probability: three digits, four from 1000 on. */
const char *jitter_hourly(const struct jitter *jitter, double probability, char text[40]);

/* Detector ------------------------------------------------------------------------------------- */

/* The packets of a sensor. CSV is an agenda (design/pattern.h). */
void detector_report(struct record *record, const struct detector_map *map);

/* Flow of data --------------------------------------------------------------------------------- */

/* The flow of data of a design; `latency`, s, beside telemetry and updates, or RESULT_NONE. CSV: a
 * row for each port, link, memory and disk. */
struct flow;
void flow_report(struct record *record, const struct scenario *scenario,
                 const struct result *result, const struct flow *flow, double latency);

/* Control loop --------------------------------------------------------------------------------- */

/* The control loop of a design. CSV: a row for each term of its wavefront error. */
void loop_report(struct record *record, const struct scenario *scenario,
                 const struct result *result, const struct budget *budget,
                 const struct controllers *controllers);

/* Its facts: what the loop comes to, and what cautions against it. */
void loop_facts(struct facts *facts, const struct scenario *scenario, const struct result *result,
                const struct budget *budget);

/* Put the columns of the wavefront error of a design with a star, m, beside that of the present
 * design: text has its change, or the error where the present one is not known; and the line that
 * explains them. RESULT_NONE: not known; `shown`: that of any row is. */
void loop_put_total(struct record *record, bool shown, double total, double present);
void loop_put_total_note(struct record *record, double total, double lag);

/* Likewise of the servo lag, which is known without a star too. */
void loop_put_lag(struct record *record, bool shown, double lag, double present);

/* Advice --------------------------------------------------------------------------------------- */

/* Columns of steps that the tables of text share with the lists of the screen. */
enum steps_column { STEPS_CHANGE, STEPS_LOAD, STEPS_ELASTICITY, STEPS_ERROR, STEPS_COLUMNS };

extern const struct record_column steps_columns[STEPS_COLUMNS];

/* Puts the parts of divided devices that nobody uses, as lines. */
void unused_parts_put(struct record *record, const struct scenario *scenario);

/* Parts of the advice from number `parts` on are incomplete and omitted (JSON: null). Without `all`
 * text has only the best steps that reduce the latency, and the knobs to which the latency is most
 * sensitive; JSON has all. */
void advise_report(struct record *record, const struct advise *advise, bool all, int parts);

/* Calibration ---------------------------------------------------------------------------------- */

/* The measurements, if there are any, the factors that a calibrated scenario states, and its latency
 * before and after. */
struct calibrate;
void calibrate_report(struct record *record, const struct scenario *scenario,
                      const struct calibrate *calibrate, const struct latency_range *before,
                      const struct latency_range *after);

/* Search for a value --------------------------------------------------------------------------- */

#define SEEK_SENTENCE_MAX 1000

/* For text a value must fulfil the conditions (seek_feasible). */
void seek_report(struct record *record, const struct scenario *scenario, const struct seek *seek);

/* Writes why no value fulfils the conditions: the best result, its value, and what binds there. */
void seek_infeasible(const struct scenario *scenario, const struct seek *seek, char *text,
                     size_t size);

/* Ranking of presets --------------------------------------------------------------------------- */

/* Question and answer of a ranking. */
struct ranking {
    const struct scenario *scenario;
    const struct device *device;
    enum rank_order order;
    struct rank rank;
    struct error problem; /* of the current design */
    double latency;       /* of the current design, s */
    double total, lag;    /* m, of the current design: struct ranked */
    bool overloaded;
    const char *moved;  /* component moved to an added device; NULL: the device was in the design */
    char own_labels[400]; /* labels of knobs that a preset clears */
};

#define FRAME_RATE_HEADING "Max\nframe\nrate" /* of a column of a list of designs */

void rank_report(struct record *record, const struct ranking *ranking);

/* Sweep ---------------------------------------------------------------------------------------- */

/* A row has a column for each knob and result, with the unit in the key, then what bounds the
 * latency, whether the design is overloaded, and why it is invalid. */

#define SWEEP_HEADING_MAX (RESULT_PATH_MAX + 8) /* a path folded into several lines */

/* Keys and headings of the columns of knobs and results, computed once for all rows. */
struct sweep_columns {
    const struct sweep *sweep;
    char key[SWEEP_AXES_MAX + SWEEP_WANTED_MAX][RESULT_PATH_MAX];
    char heading[SWEEP_AXES_MAX + SWEEP_WANTED_MAX][SWEEP_HEADING_MAX];
};

void sweep_name_columns(struct sweep_columns *columns, const struct sweep *sweep);

/* Returns the number of columns in text. */
int sweep_text_columns(const struct sweep *sweep);

/* Puts a row of an open table, or a separate record of CSV or JSON lines. */
void sweep_put_row(struct record *record, const struct sweep_columns *columns,
                   const struct sweep_row *row);

/* Writes a value of an axis for people: "500 Hz". `size` is at least AXIS_TEXT_MAX. */
void sweep_value_text(const struct axis *axis, int i, char *text, size_t size);

/* Puts the value of an axis: a cell, in JSON and CSV with the key of its column. */
void sweep_put_value(struct record *record, const struct sweep_columns *columns, int axis, int i);

/* Prints only the CSV header. */
void sweep_put_header(FILE *out, const struct sweep_columns *columns);

/* Knobs ---------------------------------------------------------------------------------------- */

/* Puts a row of a table of knobs, in text an entry. `scenario` NULL: describe the knob for every
 * instance of its section. `result` NULL: the design is invalid. */
void params_put_knob(struct record *record, const struct scenario *scenario,
                     const struct result *result, struct knob_ref ref);

/* Comparison with measurements ----------------------------------------------------------------- */

/* `met`: true if all goals are met. */
void validate_published_report(struct record *record, const struct published *published, bool met);
void validate_pipelines_report(struct record *record, const struct pipelines *pipelines, bool met);

/* `preset`: device preset on which the predictions are based, NULL: the probe of `where`, the machine
 * or GPU that ran the kernels. */
void validate_kernels_report(struct record *record, const struct prediction *prediction,
                             const char *preset, const char *where);

/* The same without title and schema. */
void validate_put_kernels(struct record *record, const struct prediction *prediction);

/* Fits of memory models ------------------------------------------------------------------------ */

void fit_report(struct record *record, const struct surface_fit *report);

/* Compares surfaces that surface_fit_compare reduced to their common points. */
void fit_compare_report(struct record *record, const struct surface_fit *report, int count);

/* Put a section, in text only: values of the models (`wide`: without a limit on the width), doubts
 * about them, and the residual map of the selected model. */
void fit_put_table(struct record *record, const struct surface_fit *report, bool wide);
void fit_put_doubts(struct record *record, const struct surface_fit *report);
void fit_put_map(struct record *record, const struct surface_fit *report);

/* Puts the member "models", in JSON only. */
void fit_put_models(struct record *record, const struct surface_fit *report);

/* Latencies of wake-ups ------------------------------------------------------------------------ */

/* `name`: file that they were read from. */
void wakeups_report(struct record *record, const char *name, const struct wakeups *wakeups);

#endif
