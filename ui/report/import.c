#include "report/import.h"

#include <stdio.h>
#include <string.h>

#include "report/range.h"

#define IMPORT_SCHEMA 2

/* Puts the delay that the file states, and what it leaves for the RTC. */
static void put_tiptop(struct record *record, const struct imported *imported)
{
    const struct tiptop *tiptop = &imported->import->tiptop;
    double own = import_own_delay(imported->import, imported->result);

    record_integer(record, "sensors", NULL, imported->import->scenario.wfs_count);
    record_number(record, "loop_delay_frames", NULL, "", tiptop->steps);
    record_number(record, "design_delay_frames", NULL, "", own * tiptop->frame_rate);
    record_number(record, "rtc_latency_us", NULL, "us",
                  tiptop->latency > 0 ? tiptop->latency : RESULT_NONE);
    record_line(record, TONE_PLAIN, "Loop delay", "%.6g frames in the file, %s of this design",
                tiptop->steps, record_quantity(record, own * tiptop->frame_rate, ""));
    if (tiptop->latency > 0)
        record_line(record, TONE_PLAIN, "Allowed",
                    "%s for the RTC; the loop is closed with it (ao.rtc_latency)",
                    record_quantity(record, tiptop->latency, "s"));
    if (imported->output != NULL)
        record_line(record, TONE_PLAIN, "File", "%s", imported->output);
}

void import_list(struct record *record)
{
    record_table(record, "formats", NULL);
    for (int i = 0; i < IMPORT_FORMS; i++) {
        record_row(record);
        record_text(record, "format", "Format", import_forms[i].name);
        record_text(record, "reads", "Reads", import_forms[i].what);
        record_text(record, "example", "Example", import_forms[i].example);
        record_row_end(record);
    }
    record_table_end(record);
}

static void put_pipeline(struct record *record, const struct imported *imported)
{
    const struct import *import = imported->import;
    const struct daolite *daolite = &import->daolite;

    record_integer(record, "schema", NULL, IMPORT_SCHEMA);
    record_text(record, "source", NULL, imported->source);
    record_text(record, "scenario", NULL, imported->output);
    record_text(record, "title", NULL, import->scenario.general.title);
    record_title(record, "Import of %s", imported->source);
    record_text(record, "format", NULL, import_forms[import->form].name);
    if (import->form == IMPORT_TIPTOP) {
        put_tiptop(record, imported);
        return;
    }
    record_line(record, TONE_PLAIN, "Pipeline",
                "%s%s%d components and transfers, %d compute "
                "resource%s, %.0f packet%s",
                import->scenario.general.title,
                import->scenario.general.title[0] != '\0' ? ": " : "", daolite->component_count,
                daolite->machine_count, daolite->machine_count == 1 ? "" : "s",
                import->scenario.general.packets, import->scenario.general.packets == 1 ? "" : "s");
    if (imported->output != NULL)
        record_line(record, TONE_PLAIN, "File", "%s", imported->output);
}

/* Writes why daolite computes nothing. */
static void put_reasons(const struct figures *figures, char *text, size_t size)
{
    char line[32] = "", more[48] = "";

    if (figures->line > 0)
        snprintf(line, sizeof line, " (line %d)", figures->line);
    if (figures->stops > 1)
        snprintf(more, sizeof more, ", and for %d more reason%s", figures->stops - 1,
                 figures->stops == 2 ? "" : "s");
    snprintf(text, size, "%s%s%s", figures->why, line, more);
}

static void put_daolite(struct record *record, const struct imported *imported)
{
    const struct import *import = imported->import;
    char why[sizeof import->printed.why + 80] = "";
    bool some = false;

    for (int c = 0; c < import->daolite.component_count; c++)
        some = some || import->printed.figure[c].known;
    if (import->printed.stops > 0)
        put_reasons(&import->printed, why, sizeof why);
    record_text(record, "daolite_version", NULL, FIGURES_VERSION);
    record_bool(record, "reproduced", NULL, import->printed.stops == 0);
    record_text(record, "not_reproduced", NULL, import->printed.stops > 0 ? why : NULL);
    record_number(record, "daolite_total_us", NULL, "us", import->printed.total);
    record_number(record, "daolite_corrected_us", NULL, "us", import->corrected.total);
    if (import->printed.total != RESULT_NONE)
        record_line(record, TONE_PLAIN, "daolite",
                    "%s from readout to the last end; %s without its defects",
                    record_quantity(record, import->printed.total, "s"),
                    record_quantity(record, import->corrected.total, "s"));
    record_line(record, TONE_PLAIN, "Version", "%s of daolite, by its JSON runner",
                FIGURES_VERSION);
    if (import->printed.stops > 0)
        record_line(record, TONE_PLAIN, "Not reproduced",
                    "daolite computes nothing of this file: %s%s", why,
                    some ? "; the times here are those that it would compute if it did not stop "
                           "there"
                         : "");
}

static void put_latency(struct record *record, const struct imported *imported)
{
    const struct latency_range *range = imported->range;
    char text[RANGE_LATENCY_MAX];

    record_number(record, "first_pixel_us", NULL, "us", imported->result->first_pixel);
    record_number(record, "latency_us", NULL, "us", range->latency);
    record_number(record, "latency_low_us", NULL, "us", range->low);
    record_number(record, "latency_high_us", NULL, "us", range->high);
    record_bool(record, "may_not_keep_up", NULL, range->may_not_keep_up);
    record_bool(record, "overloaded", NULL, imported->result->overloaded);

    range_latency_text(range->latency, range->low, range->high, record->unicode, text);
    record_line(record, TONE_PLAIN, "aolag", "%s from readout to the last command",
                record_quantity(record, imported->result->first_pixel, "s"));
    record_line(record, TONE_PLAIN, "RTC latency", "%s from the last useful pixel", text);
    if (imported->result->overloaded)
        record_line(record, TONE_BAD, "Overload", "frames take longer than their period");
}

static void put_step(struct record *record, const struct import_step *step, double before)
{
    record_row(record);
    record_text(record, "step", "Step", step->name);
    record_number(record, "before_us", "Before", "us", before);
    record_number(record, "after_us", "After", "us", step->total);
    record_number(record, "change_us", "Change", "us", step->total - before);
    record_number(record, "alone_us", "Alone", "us", step->alone);
    record_cell(record, "What is different", step->sentence);
    record_below(record);
    record_text(record, "sentence", NULL, step->sentence);
    record_row_end(record);
}

static void put_steps(struct record *record, const struct import *import)
{
    record_table(record, "steps", "From daolite's total to the time by aolag");
    for (int i = 0; i < import->step_count; i++)
        put_step(record, &import->step[i],
                 i == 0 ? import->printed.total : import->step[i - 1].total);
    record_table_end(record);
    if (!record_is_data(record) && import->step_count > 0)
        record_note(record, "Each step is added to those above it, and they add up. Alone: "
                            "daolite's total with this one corrected; these do not add up.");
}

/* Puts times as cells of text and as data. */
static void put_time(struct record *record, const char *key, const char *heading, bool exists,
                     double time)
{
    record_number(record, key, heading, "us", exists ? time : RESULT_NONE);
}

static const struct node_result *find_node(const struct imported *imported, const char *name)
{
    for (int n = 0; n < imported->result->node_count; n++) {
        int c = imported->result->node[n].component;

        if (c >= 0 && imported->result->node[n].part < 0 &&
            strcmp(imported->import->scenario.component[c].head.name, name) == 0)
            return &imported->result->node[n];
    }
    return NULL;
}

static void put_component(struct record *record, const struct imported *imported, int number)
{
    const struct daolite_component *c = &imported->import->daolite.component[number];
    const struct figure *figure = &imported->import->printed.figure[number];
    const struct figure *corrected = &imported->import->corrected.figure[number];
    const struct node_result *node = find_node(imported, c->name);
    bool starts = figure->known && figure->starts;

    record_row(record);
    record_text(record, "component", "Component", c->name);
    if (figure->known)
        record_integer(record, "packets", "n", figure->packets);
    else
        record_text(record, "packets", "n", NULL);
    put_time(record, "daolite_first_start_us", NULL, starts, figure->first_start);
    put_time(record, "daolite_first_end_us", "First\nend", figure->known, figure->first_end);
    put_time(record, "daolite_last_start_us", NULL, starts, figure->last_start);
    put_time(record, "daolite_last_end_us", "Last\nend", figure->known, figure->last_end);
    put_time(record, "daolite_sum_us", NULL, figure->known, figure->sum);
    put_time(record, "daolite_compute_us", NULL, figure->flops > 0, figure->compute);
    put_time(record, "daolite_memory_us", NULL, figure->flops > 0, figure->memory);
    record_number(record, "daolite_gflops", NULL, "GFLOP/s",
                  figure->flops > 0 ? figure->flops : RESULT_NONE);
    record_number(record, "daolite_bandwidth_gbs", NULL, "GB/s",
                  figure->bandwidth > 0 ? figure->bandwidth : RESULT_NONE);
    put_time(record, "corrected_last_end_us", "Corrected\nlast end", corrected->known,
             corrected->last_end);
    put_time(record, "first_start_us", NULL, node != NULL, node == NULL ? 0 : node->first_start);
    put_time(record, "last_end_us", "aolag\nlast end", node != NULL,
             node == NULL ? 0 : node->last_end);
    put_time(record, "time_us", "aolag\nwork", node != NULL, node == NULL ? 0 : node->time);
    record_text(record, "basis", NULL,
                !figure->known                        ? "unknown"
                : imported->import->printed.stops > 0 ? "not reproduced"
                                                      : "reproduced");
    record_row_end(record);
}

static void put_components(struct record *record, const struct imported *imported)
{
    const struct import *import = imported->import;

    record_table(record, "components", "What daolite computes, beside this program");
    for (int c = 0; c < import->daolite.component_count; c++)
        put_component(record, imported, c);
    record_table_end(record);
    if (record_is_data(record))
        return;
    record_note(record, "Times are from the start of the readout; where daolite starts nothing, a "
                        "duration.");
}

/* Puts sentences with their lines. */
static void put_sentences(struct record *record, const char *key, const char *section,
                          const struct problems *list)
{
    record_array(record, key, true);
    if (!record_is_data(record) && list->count > 0)
        record_section(record, "%s", section);
    for (size_t i = 0; i < list->count; i++) {
        char name[32];

        if (list->list[i].line > 0)
            snprintf(name, sizeof name, "line %d", list->list[i].line);
        else
            snprintf(name, sizeof name, "the file");
        record_object(record, NULL, NULL, true);
        record_integer(record, "line", NULL,
                       list->list[i].line > 0 ? list->list[i].line : RESULT_NONE);
        record_text(record, "sentence", NULL, list->list[i].message);
        record_object_end(record);
        if (!record_is_data(record))
            record_remark(record, name, list->list[i].message);
    }
    record_array_end(record);
}

void import_report(struct record *record, const struct imported *imported)
{
    const struct import *import = imported->import;

    if (record->format == RECORD_CSV) {
        put_components(record, imported);
        return;
    }
    record_object(record, NULL, NULL, true);
    put_pipeline(record, imported);
    if (import->form == IMPORT_DAOLITE)
        put_daolite(record, imported);
    put_latency(record, imported);
    if (import->form == IMPORT_DAOLITE)
        put_steps(record, import);
    if (import->form == IMPORT_DAOLITE && (imported->compatible || record_is_data(record)))
        put_components(record, imported);
    put_sentences(record, "not_carried_over", "Not carried over", import_lost(import));
    put_sentences(record, "assumed", "Assumed", import_assumed(import));
    record_object_end(record);
}
