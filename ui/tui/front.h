/* The designs worth having (explore/search.h) as a list that grows: least latency and power over the
 * parts that a buyer varies (explore/search_axes.h). View 6 and the list of presets show the same one.
 *
 * Designs that cannot be told apart (search_fold) are one row until it is opened; the present design has
 * a row in any case. The typed filter (filter.h) says which designs are asked for: limits of results are conditions of the search, other
 * terms are of parts, one of which has to meet each; by:latency_high,watts states the objectives.
 *
 * A worker searches while the list is shown, until a change of the design or of the filter. Designs
 * of the previous front that are asked for are shown until the new one is complete. */
#ifndef AOLAG_TUI_FRONT_H
#define AOLAG_TUI_FRONT_H

#include <stdio.h>

#include "draw/chart.h"
#include "explore/search.h"
#include "tui/host.h"
#include "tui/picker.h"

enum { FRONT_PRESENT = -1 }; /* id of the row of the present design, if it is not on the front */

struct front_work;

struct front {
    struct host *host;
    struct worker worker;
    struct front_work *work; /* NULL: none yet; the worker's while that runs */
    bool stale;              /* it is for another design or filter */
    bool stopped;            /* by the user */
    struct error problem;    /* why there are no rows; STATUS_OK: none */
    char filter[LINE_MAX_BYTES + 1];
    struct filter read;

    /* The rows shown: of the present design and `work` if `current`. */
    bool current;
    bool current_axes; /* they have the axes of `work`, maybe of another design or filter */
    int version; /* changes with the rows */
    struct table_column column[TABLE_PANE_COLUMNS];
    char title[SWEEP_AXES_MAX][NAME_MAX_LENGTH + 1]; /* of columns of axes */
    int column_count;
    struct picker_item *item;
    int count;
    struct search_front opened; /* groups, by the number of a design of each */
    struct search_answer answer;
    uint64_t tried[SEARCH_VERDICTS]; /* designs by what excludes them */
    struct error invalid;            /* of the first invalid one, if there is one */
};

void front_start(struct front *front, struct host *host);
void front_changed(struct front *front); /* the design changed: no filter */
void front_collect(struct front *front);
void front_free(struct front *front);

/* Called while the rows are shown: searches unless that was done or stopped. */
void front_show(struct front *front);

/* Stops the search, or goes on. */
void front_toggle(struct front *front);

/* Sets the filter; the same one changes nothing. */
void front_set_filter(struct front *front, const char *text);

/* Returns the objectives that the filter states, as --objective of aolag search; NULL: latency and
 * power. */
const char *front_objectives(const struct front *front);

/* Returns true while designs are left to try, whether or not the search is stopped. */
bool front_unfinished(const struct front *front);

/* Puts the rows into a list, which keeps its order and the row under the cursor. */
void front_fill(const struct front *front, struct picker *picker);

/* Writes how far the search is: "45 of 96596 designs, 41 %", and what it does not vary. */
void front_print_state(const struct front *front, char *text, size_t size);

/* Writes why there are no rows. */
void front_print_empty(const struct front *front, char *text, size_t size);

/* Writes what there is to say of the row of the present design, also if it is the only one. */
void front_print_present(const struct front *front, char *text, size_t size);

/* Writes what taking a row changes and clears; empty if the rows are of another design. */
void front_print_change(const struct front *front, int id, char *text, size_t size);

/* Returns true for a row that stands for others, which are not listed; front_open lists them below it.
 * front_close leaves them out again, from any of their rows, and returns the id of the row that
 * stands for them. */
bool front_opens(const struct front *front, int id);
void front_open(struct front *front, int id);
int front_close(struct front *front, int id);

/* Makes a row the design, as one step of undo. */
void front_take(struct front *front, int id);

/* Initialises the picture of the rows. Returns false if there are none. */
bool front_chart(const struct front *front, struct chart *chart);

/* Prints the report of the rows as `aolag search` does. */
void front_table(const struct front *front, FILE *out, int columns);

#endif
