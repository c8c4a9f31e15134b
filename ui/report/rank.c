#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "design/knob_table.h"
#include "explore/compare.h"
#include "report/range.h"

#define RANK_SCHEMA 1

static bool is_valid(const struct ranked *row)
{
    return row->problem.status == STATUS_OK;
}

static void put_question(struct record *record, const struct ranking *ranking)
{
    static const char *const orders[] = {[RANK_LATENCY] = "RTC latency",
                                         [RANK_RATE] = "max frame rate",
                                         [RANK_LATENCY_TDP] = "RTC latency times power (mJ)",
                                         [RANK_TOTAL] = "wavefront error"};
    const struct scenario *scenario = ranking->scenario;
    const struct device *device = ranking->device;
    const char *kind = knob_word(KNOB_DEVICE_KIND, device->kind);
    const char *moved = ranking->moved;
    const char *preset = device->preset[0] != '\0' ? device->preset : NULL;
    bool valid = ranking->problem.status == STATUS_OK;

    record_integer(record, "schema", NULL, RANK_SCHEMA);
    record_text(record, "title", NULL, scenario->general.title);
    record_text(record, "device", NULL, device->head.name);
    record_text(record, "kind", NULL, kind);
    record_text(record, "by", NULL, rank_order_names[ranking->order]);
    record_text(record, "added_for", NULL, moved);
    record_bool(record, "keep", NULL, ranking->rank.question.keep);
    record_number(record, "target_latency_us", NULL, "us", scenario->general.target_latency);
    record_text(record, "present_preset", NULL, preset);
    record_number(record, "present_latency_us", NULL, "us", valid ? ranking->latency : RESULT_NONE);
    record_number(record, "present_total_nm", NULL, "nm", ranking->total);
    record_number(record, "present_lag_nm", NULL, "nm", ranking->lag);

    record_line(record, TONE_PLAIN, "Device", "%s%s%s, every %s preset by %s; target %s at %s",
                device->head.name, moved != NULL ? ", added to run " : "",
                moved != NULL ? moved : "", kind, orders[ranking->order],
                record_quantity(record, scenario->general.target_latency, "s"),
                record_quantity(record, scenario->general.frame_rate, "Hz"));
}

static void put_present(struct record *record, const struct ranking *ranking)
{
    const char *preset = ranking->device->preset;

    if (ranking->problem.status != STATUS_OK) {
        record_line(record, TONE_BAD, "Now", "%s", ranking->problem.message);
        return;
    }
    record_line(record, TONE_PLAIN, "Now", "%s%s%s: latency %s%s",
                ranking->moved != NULL ? "without it"
                : preset[0] != '\0'    ? preset
                                       : "no preset",
                ranking->own_labels[0] != '\0' ? " with its own " : "", ranking->own_labels,
                record_quantity(record, ranking->latency, "s"),
                ranking->overloaded ? ", overloaded" : "");
    if (ranking->own_labels[0] != '\0' && !ranking->rank.question.keep)
        record_line(record, TONE_PLAIN, "Presets",
                    "a preset clears the device's own values; --keep keeps them");
}

/* Explains the marks in the table. */
static void put_marks(struct record *record, const struct ranking *ranking)
{
    const struct rank *rank = &ranking->rank;
    bool present = false, tied = false, host = false, clock = false, missed = false,
         overloaded = false;
    char marks[400], clocks[COMPARE_CLOCKS_MAX];
    struct buffer text = buffer_over(marks, sizeof marks);

    for (int i = 0; i < rank->count; i++) {
        const struct ranked *row = &rank->row[i];

        present = present || (is_valid(row) && row->present);
        tied = tied || row->tied;
        host = host || (is_valid(row) && (row->other_host || row->not_singly));
        clock = clock || row->other_clock;
        missed = missed || (is_valid(row) && !row->overloaded && row->margin < 0);
        overloaded = overloaded || row->overloaded;
    }
    if (present)
        buffer_item(&text, "* present preset");
    if (tied)
        buffer_item(&text, "= " RANK_TIED);
    if (missed)
        buffer_item(&text, "! misses the target");
    if (overloaded)
        buffer_item(&text, "!! overloaded");
    if (host)
        buffer_item(&text,
                    rank->row[0].preset->kind == PRESET_CPU
                        ? "+ too few PCIe lanes for its port and accelerators, or not sold singly"
                        : "+ needs another host, or not sold singly");
    if (clock)
        buffer_print(&text, "%s" COMPARE_CLOCKS_MARK " %s", text.length > 0 ? ", " : "",
                     compare_clocks_words(ranking->scenario->device,
                                          ranking->scenario->device_count, NULL, 0, clocks));
    if (text.length > 0)
        record_line(record, TONE_PLAIN, "Marks", "%s", marks);
}

/* Puts the range of the latency: "44.0 to 90.0", "may not keep up". */
static void put_row_range(struct record *record, const struct ranked *row, bool optional)
{
    char text[RANGE_TEXT_MAX] = "";

    if (row->overloaded)
        snprintf(text, sizeof text, "load %.3g", row->load);
    if (is_valid(row) && !row->may_not_keep_up && row->low != RESULT_NONE)
        range_ends_text(row->latency, row->low, row->high, record->unicode, text, sizeof text);
    record_number(record, "latency_low_us", NULL, "us", row->low);
    record_number(record, "latency_high_us", NULL, "us", row->high);
    record_bool(record, "may_not_keep_up", NULL, row->may_not_keep_up);
    record_cell(record, "Range",
                text[0] != '\0'        ? text
                : row->may_not_keep_up ? "may not keep up"
                                       : "-");
    if (optional)
        record_optional(record);
}

/* Columns that some rows have. */
struct rank_columns {
    bool star, lag, price;
};

/* Puts a preset's row; text lists invalid designs as remarks below the table instead. */
static void put_row(struct record *record, const struct ranking *ranking, int i,
                    const struct rank_columns *columns)
{
    const struct ranked *row = &ranking->rank.row[i];
    bool valid = is_valid(row);
    bool energy = ranking->order == RANK_LATENCY_TDP;
    char resource[VERDICT_RESOURCE_MAX];
    const char *colon; /* after the component, for which there is no room */

    record_row(record);
    record_cellf(record, "", "%s%s%s%s%s", row->present ? "*" : "", row->tied ? "=" : "",
                 row->other_host || row->not_singly ? "+" : "",
                 row->other_clock ? COMPARE_CLOCKS_MARK : "",
                 row->overloaded   ? "!!"
                 : row->margin < 0 ? "!"
                                   : "");
    record_integer(record, "place", "#", valid ? i + 1 : RESULT_NONE);
    record_text(record, "preset", NULL, row->preset->name);
    record_cellf(record, "Preset", "%s%s", row->preset->name, preset_mark(row->preset));
    if (record->format != RECORD_CSV)
        record_text(record, "title", NULL, row->title);
    record_bool(record, "present", NULL, row->present);
    record_bool(record, "tied", NULL, row->tied);
    if (record->format != RECORD_CSV) {
        record_bool(record, "other_clock", NULL, row->other_clock);
        record_bool(record, "other_host", NULL, row->other_host);
        record_bool(record, "not_sold_singly", NULL, row->not_singly);
    }
    record_number(record, "latency_us", "Latency", "us", row->latency);
    put_row_range(record, row, energy);
    loop_put_total(record, columns->star, row->total, ranking->total);
    loop_put_lag(record, !columns->star && columns->lag, row->lag, ranking->lag);
    record_number(record, "latency_ratio_least", NULL, "", row->least);
    record_number(record, "latency_ratio_most", NULL, "",
                  isfinite(row->most) ? row->most : RESULT_NONE);
    record_number(record, "margin_us", NULL, "us", row->margin);
    record_number(record, "max_frame_rate_hz",
                  ranking->order == RANK_RATE ? FRAME_RATE_HEADING : NULL, "Hz",
                  row->max_frame_rate);
    record_number(record, "load", NULL, "", row->load);
    record_number(record, "tdp_w", "TDP", "W", row->tdp);
    record_optional(record);
    record_digits(record, "price", columns->price ? "Price" : NULL, "", "%.15g", row->price);
    record_digits(record, "latency_tdp_mj", energy ? "mJ" : NULL, "mJ",
                  row->latency_tdp < 0.1 ? "%.3g" : "%.0f", row->latency_tdp);
    record_text(record, "limit", NULL, valid && row->limit[0] != '\0' ? row->limit : NULL);
    record_bool(record, "overloaded", NULL, row->overloaded);
    verdict_brief(row->resource, resource);
    colon = strstr(resource, ": ");
    record_cell(record, "Limited by", !valid ? "-" : colon != NULL ? colon + 2 : resource);
    record_object(record, "bound", NULL, row->bound_node[0] != '\0');
    record_text(record, "component", NULL, row->bound_node);
    record_text(record, "by", NULL, bound_name(row->bound));
    record_object_end(record);
    (columns->price ? record_optional : record_soft)(record);
    record_text(record, "problem", NULL, valid ? NULL : row->problem.message);
    record_row_end(record);
}

void rank_report(struct record *record, const struct ranking *ranking)
{
    const struct rank *rank = &ranking->rank;
    struct rank_columns columns = {false, false, false};

    record_object(record, NULL, NULL, true);
    put_question(record, ranking);
    put_present(record, ranking);
    loop_put_total_note(record, ranking->total, ranking->lag);
    put_marks(record, ranking);
    record_integer(record, "excluded", NULL, rank->excluded);
    if (rank->excluded > 0)
        record_line(record, TONE_PLAIN, "Excluded",
                    "%d preset%s whose memory does not hold the working sets", rank->excluded,
                    rank->excluded > 1 ? "s" : "");
    record_integer(record, "untried", NULL, rank->untried);
    if (rank->untried > 0)
        record_line(record, TONE_BAD, "Stopped", "before %d preset%s evaluated", rank->untried,
                    rank->untried > 1 ? "s were" : " was");
    for (int i = 0; i < rank->count; i++) {
        columns.star = columns.star || rank->row[i].total != RESULT_NONE;
        columns.lag = columns.lag || rank->row[i].lag != RESULT_NONE;
        columns.price = columns.price || rank->row[i].price != RESULT_NONE;
    }
    record_table(record, "presets", "Presets");
    for (int i = 0; i < rank->count; i++)
        if (is_valid(&rank->row[i]) || record_is_data(record))
            put_row(record, ranking, i, &columns);
    record_table_end(record);
    for (int i = 0; i < rank->count; i++)
        if (!is_valid(&rank->row[i]))
            record_remark(record, rank->row[i].preset->name, rank->row[i].problem.message);
    record_object_end(record);
}
