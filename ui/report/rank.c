#include "report/rank.h"

#include <string.h>

#include "design/knob.h"
#include "draw/canvas.h"
#include "report/report.h"
#include "report/text.h"

#define CELL 80
#define COLUMNS 80
#define RANK_COLUMNS 33 /* of marks, number, latency, rate and power, with what is between them */

static void print_now(const struct report *report, const struct ranking *ranking)
{
    const char *preset = ranking->device->preset;
    char latency[40];

    if (ranking->problem.status != STATUS_OK) {
        report_line(report, report->bad, "Now", "%s", ranking->problem.message);
        return;
    }
    text_quantity(ranking->latency, "s", report->unicode, latency, sizeof latency);
    report_line(report, "", "Now", "%s%s%s: latency %s%s",
                ranking->moved != NULL ? "without it"
                : preset[0] != '\0'    ? preset
                                       : "no preset",
                ranking->own[0] != '\0' ? " with its own " : "", ranking->own, latency,
                ranking->overloaded ? ", overloaded" : "");
    if (ranking->own[0] != '\0' && !ranking->rank.question.keep)
        report_line(report, "", "Presets",
                    "as they are: choosing one clears the device's own values; --keep keeps them");
}

/* "!": misses the target; "!!": does not keep up. */
static const char *mark(const struct ranked *row)
{
    return row->overloaded ? "!!" : row->margin < 0 ? "!" : "";
}

/* What the marks in the table mean. */
static void print_marks(const struct report *report, const struct rank *rank)
{
    bool present = false;
    bool missed = false;
    bool overloaded = false;
    char text[CELL];

    for (int i = 0; i < rank->count; i++) {
        const struct ranked *row = &rank->row[i];

        if (row->problem.status != STATUS_OK)
            continue;
        present = present || row->present;
        missed = missed || strcmp(mark(row), "!") == 0;
        overloaded = overloaded || row->overloaded;
    }
    snprintf(text, sizeof text, "%s%s%s", present ? ", * the present preset" : "",
             missed ? ", ! misses the target" : "", overloaded ? ", !! does not keep up" : "");
    if (text[0] != '\0')
        report_line(report, "", "Marks", "%s", text + 2);
}

static void bound_text(const struct ranked *row, char cell[NODE_NAME_MAX + CELL])
{
    if (row->bound_node[0] == '\0')
        snprintf(cell, NODE_NAME_MAX + CELL, "-");
    else
        snprintf(cell, NODE_NAME_MAX + CELL, "%s %s", row->bound_node, bound_name(row->bound));
}

static void add_row(const struct report *report, struct table *table, const struct ranking *ranking,
                    int number, bool power)
{
    const struct ranked *row = &ranking->rank.row[number];
    char cell[NODE_NAME_MAX + CELL];

    table_addf(table, "%s%s", row->present ? "*" : "", mark(row));
    table_addf(table, "%d", number + 1);
    table_add(table, row->preset->name);
    report_quantity(report, table, row->latency, "s");
    if (ranking->differ)
        table_addf(table, "%.2f", row->uncertainty);
    if (ranking->order != RANK_LATENCY_TDP)
        report_quantity(report, table, row->max_frame_rate, "Hz");
    else if (row->latency_tdp == RESULT_NONE)
        table_add(table, "-");
    else /* joules have no unit of their own in the model: mJ is µs kW */
        table_addf(table, row->latency_tdp < 0.1 ? "%.3g" : "%.0f", row->latency_tdp * 1e3);
    if (power)
        report_quantity(report, table, row->tdp, "W");
    bound_text(row, cell);
    table_add(table, cell);
}

/* Whether there is room for a column of power beside what binds. */
static bool has_room(const struct ranking *ranking)
{
    int longest[2] = {0, 0};
    int columns = RANK_COLUMNS + (ranking->differ ? 5 : 0);

    for (int i = 0; i < ranking->rank.count; i++) {
        const struct ranked *row = &ranking->rank.row[i];
        char cell[NODE_NAME_MAX + CELL];
        int width[2];

        if (row->problem.status != STATUS_OK)
            continue;
        bound_text(row, cell);
        width[0] = text_width(row->preset->name);
        width[1] = text_width(cell);
        for (int k = 0; k < 2; k++)
            longest[k] = width[k] > longest[k] ? width[k] : longest[k];
    }
    return columns + longest[0] + longest[1] <= COLUMNS;
}

static void print_rows(const struct report *report, const struct ranking *ranking)
{
    bool energy = ranking->order == RANK_LATENCY_TDP;
    bool power = has_room(ranking);
    int columns = 6 + ranking->differ + power;
    struct table table = table_new(columns, 0, columns - 1);
    char factor[CELL];

    table.right = 1U << 1 | ((1U << (columns - 4)) - 1) << 3;
    text_clean("\xC3\x97/\xC3\xB7", report->unicode, factor, sizeof factor);
    table_add(&table, "");
    table_add(&table, "#");
    table_add(&table, "Preset");
    table_add(&table, "Latency");
    if (ranking->differ)
        table_add(&table, factor);
    table_add(&table, energy ? "mJ" : "Max rate");
    if (power)
        table_add(&table, "TDP");
    table_add(&table, "Bound by");
    for (int i = 0; i < ranking->rank.count; i++)
        if (ranking->rank.row[i].problem.status == STATUS_OK)
            add_row(report, &table, ranking, i, power);
    fputc('\n', report->out);
    table_print(&table, report->out, COLUMNS, report->bold, report->plain);
    table_free(&table);
}

/* Presets with which the design has no meaning, and why. */
static void print_problems(FILE *out, const struct rank *rank)
{
    bool first = true;

    for (int i = 0; i < rank->count; i++) {
        const struct ranked *row = &rank->row[i];

        if (row->problem.status == STATUS_OK)
            continue;
        fprintf(out, "%s", first ? "\n" : "");
        first = false;
        text_fill(out, row->problem.message, fprintf(out, "%s: ", row->preset->name), 4, COLUMNS);
    }
}

void rank_print_text(FILE *out, const struct ranking *ranking)
{
    static const char *const words[] = {[RANK_LATENCY] = "RTC latency",
                                        [RANK_RATE] = "largest frame rate",
                                        [RANK_LATENCY_TDP] = "RTC latency times power (mJ)"};
    struct report report = report_to(out);
    char target[40];
    char rate[40];
    char added[CELL] = "";

    text_quantity(ranking->scenario->general.target_latency, "s", report.unicode, target,
                  sizeof target);
    text_quantity(ranking->scenario->general.frame_rate, "Hz", report.unicode, rate, sizeof rate);
    if (ranking->moved != NULL)
        snprintf(added, sizeof added, ", added to run %s", ranking->moved);
    report_line(&report, "", "Device", "%s%s, every %s preset by %s; target %s at %s",
                ranking->device->head.name, added,
                knob_word(KNOB_DEVICE_KIND, ranking->device->kind), words[ranking->order], target,
                rate);
    print_now(&report, ranking);
    if (!ranking->differ && ranking->rank.count > 0 &&
        ranking->rank.row[0].problem.status == STATUS_OK)
        report_line(&report, "", "Uncertainty", "each latency may be off by a factor of %.2f",
                    ranking->rank.row[0].uncertainty);
    print_marks(&report, &ranking->rank);
    print_rows(&report, ranking);
    print_problems(out, &ranking->rank);
}
