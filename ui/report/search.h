/* Report of a search: numbers of designs by what excludes them, the front, and why a preset is not
 * on it. */
#ifndef AOLAG_REPORT_SEARCH_H
#define AOLAG_REPORT_SEARCH_H

#include "explore/search.h"
#include "report/range.h"
#include "report/record.h"

/* Columns of designs that the table of text shares with the lists of the screen. */
enum search_column {
    SEARCH_LATENCY,
    SEARCH_RANGE,
    SEARCH_TOTAL, /* the change of the wavefront error (loop_put_total) */
    SEARCH_MARGIN,
    SEARCH_WATTS,
    SEARCH_PRICE,
    SEARCH_COUNT,
    SEARCH_MEMORY,
    SEARCH_LIMIT,
    SEARCH_COLUMNS
};

extern const struct record_column search_columns[SEARCH_COLUMNS];

/* What is printed of the front. JSON and CSV have each of its designs, with the group. */
struct search_output {
    int top;       /* at most so many rows; 0: all */
    bool all;      /* each design, not only those that stand for equivalent ones */
    double within; /* of search_fold */
};

/* Returns the latencies of the group that a design stands for, "126 us to 147 us", "" if they do not
 * differ by COMPARE_PRACTICAL. `text`: room for it. */
const char *search_span_text(const struct search_design *design, bool unicode,
                             char text[RANGE_TEXT_MAX]);

/* Prints the report of an answer that is folded. */
void search_report(struct record *record, const struct search *search,
                   const struct search_answer *answer, const struct search_output *output);

#endif
