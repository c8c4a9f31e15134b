/* The reports of the commands, each a function that puts a record (record.h): NAME_report prints
 * all of it, NAME_put_PART a part. Keys of data are stable. compare.h, explain.h and probe.h
 * declare three more, of which the screen uses parts. */
#ifndef AOLAG_REPORT_REPORTS_H
#define AOLAG_REPORT_REPORTS_H

#include <stdbool.h>

#include "design/knob.h"
#include "explore/rank.h"
#include "explore/sweep.h"
#include "report/record.h"

struct advise;
struct jitter;
struct prediction;
struct published;
struct seek;
struct surface_fit;

/* Evaluation ----------------------------------------------------------------------------------- */

/* JSON: all results. CSV: a row for each component and inserted transfer. Markdown: a design report
 * for a review, with assumptions and uncertainty, which ends in the heading of its pictures.
 * `jitter` (NULL: none) is no part of CSV. */
void eval_report(struct record *record, const struct scenario *scenario,
                 const struct result *result, const struct jitter *jitter);

/* Advice --------------------------------------------------------------------------------------- */

/* Parts of the advice from number `parts` on were not found to their end: they are left out, in
 * JSON null. Without `all` text has only the best of the steps that gain, and the knobs to which
 * the latency is most sensitive; JSON has all. */
void advise_report(struct record *record, const struct advise *advise, bool all, int parts);

/* Search for a value --------------------------------------------------------------------------- */

#define SEEK_SENTENCE_MAX 1000

/* As text only where a value fulfils the conditions (seek_feasible). */
void seek_report(struct record *record, const struct scenario *scenario, const struct seek *seek);

/* Why no value fulfils the conditions: the best that was reached, where, and what binds there. */
void seek_infeasible(const struct scenario *scenario, const struct seek *seek, char *text,
                     size_t size);

/* Ranking of presets --------------------------------------------------------------------------- */

/* What was asked and found. */
struct ranking {
    const struct scenario *scenario;
    const struct device *device;
    enum rank_order order;
    struct rank rank;
    struct error problem; /* of the present design */
    double latency;       /* of it, s */
    bool overloaded;
    const char *moved; /* the component an added device runs; NULL: it is the design's own */
    char own[400];     /* keys a preset clears */
};

void rank_report(struct record *record, const struct ranking *ranking);

/* Sweep ---------------------------------------------------------------------------------------- */

/* Rows of a column for each knob and result, with the unit in its key, then what bounds the
 * latency, whether the design is overloaded, and of an invalid one the reason. */

#define SWEEP_HEADING_MAX (RESULT_PATH_MAX + 8) /* a path on several lines */

/* What the columns of knobs and results are called; there are many rows. */
struct sweep_columns {
    const struct sweep *sweep;
    char key[SWEEP_AXES_MAX + SWEEP_WANTED_MAX][RESULT_PATH_MAX];
    char heading[SWEEP_AXES_MAX + SWEEP_WANTED_MAX][SWEEP_HEADING_MAX];
};

void sweep_name_columns(struct sweep_columns *columns, const struct sweep *sweep);

/* How many columns there are in text. */
int sweep_text_columns(const struct sweep *sweep);

/* In a table, or a record of CSV or JSON lines by itself. */
void sweep_put_row(struct record *record, const struct sweep_columns *columns,
                   const struct sweep_row *row);

/* The header of CSV alone. */
void sweep_put_header(FILE *out, const struct sweep_columns *columns);

/* Knobs ---------------------------------------------------------------------------------------- */

/* A row of a table of knobs; in text an entry of its own. `scenario` NULL: what holds for every
 * instance of the knob's section. `result` NULL: the design is invalid. */
void params_put_knob(struct record *record, const struct scenario *scenario,
                     const struct result *result, struct knob_ref ref);

/* Comparison with measurements ----------------------------------------------------------------- */

/* `met`: all goals of the uses are. */
void validate_published_report(struct record *record, const struct published *published, bool met);

/* `preset`: of the device that the kernels are predicted from, NULL: of what was probed. */
void validate_kernels_report(struct record *record, const struct prediction *prediction,
                             const char *preset);

/* The same without title and schema. */
void validate_put_kernels(struct record *record, const struct prediction *prediction);

/* Fits of memory models ------------------------------------------------------------------------ */

void fit_report(struct record *record, const struct surface_fit *report);

/* Sections of the text, and nothing of data: the models' values (`wide`: in lines of any width),
 * what is doubtful about them, where the shown one misses. */
void fit_put_table(struct record *record, const struct surface_fit *report, bool wide);
void fit_put_doubts(struct record *record, const struct surface_fit *report);
void fit_put_map(struct record *record, const struct surface_fit *report);

/* The member "models" of the data. */
void fit_put_models(struct record *record, const struct surface_fit *report);

#endif
