/* Rows of lists of parts: processors, GPUs and FPGAs with their numbers. */
#ifndef AOLAG_TUI_PARTS_H
#define AOLAG_TUI_PARTS_H

#include "design/scenario.h"
#include "tui/picker.h"

enum part_column {
    PART_NAME,
    PART_MEMORY,
    PART_CORES,
    PART_CLOCK,
    PART_SIMD,
    PART_CACHE,
    PART_BOOST,
    PART_UNITS,
    PART_PEAK,
    PART_BANDWIDTH,
    PART_SIZE,
    PART_POWER,
    PART_PRICE,
    PART_TOTAL, /* wavefront error with a star; shows its change */
    PART_LATENCY,
    PART_VENDOR, /* the first word of the model */
    PART_KIND,
    PART_FILE, /* the name of its preset */
    PART_COLUMNS
};

extern const struct table_column parts_columns[PART_COLUMNS];

/* Sets the numbers of a part as it is sold, of a CPU those of one socket, and the name of its
 * preset, which may be empty. */
void parts_put(struct picker_item *item, const struct device *device, const char *preset);

/* Says in the title of a list that its column of nm has the servo lag, as without a star. */
#define PARTS_LAG_ONLY " \xC2\xB7 nm: servo lag"

/* Sets a wavefront error, m, whose change from the present one it shows; RESULT_NONE: unknown. Then
 * the item of the present design says where that, `scenario`, has no star. */
void parts_put_error(struct picker_item *item, int column, double error, double present,
                     const struct scenario *scenario);

/* Sets a number in a column whose title contains the unit; unknown if it is not above 0. */
void parts_put_number(struct picker_item *item, int column, double value, int digits);

#endif
