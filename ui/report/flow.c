#include <math.h>
#include <stdio.h>

#include "draw/text.h"
#include "model/flow.h"
#include "model/result_read.h"
#include "report/reports.h"

#define FLOW_SCHEMA 1
#define LATENCY_SEEN 1e-9 /* s; less is no difference in practice */

struct flow_report {
    struct record *record;
    const struct scenario *scenario;
    const struct result *result;
    const struct flow *flow;
    double latency; /* s, beside telemetry and updates; RESULT_NONE */
};

/* Streams -------------------------------------------------------------------------------------- */

/* Returns the name of a device, or what is outside the design at this end of a stream. */
static const char *end_name(const struct flow_report *report, const struct flow_stream *stream,
                            int device, bool from)
{
    if (device != FLOW_OUTSIDE)
        return report->scenario->device[device].head.name;
    if (stream->kind == FLOW_TELEMETRY || stream->kind == FLOW_UPDATES)
        return "network";
    return from ? "camera" : stream->kind == FLOW_COMMANDS ? "mirror" : "outside";
}

static void put_streams(const struct flow_report *report)
{
    struct record *record = report->record;

    record_table(record, "streams", "Streams");
    for (int i = 0; i < report->flow->stream_count; i++) {
        const struct flow_stream *stream = &report->flow->stream[i];

        record_row(record);
        record_text(record, "stream", "Stream", stream->name);
        record_soft(record);
        record_text(record, "kind", "Kind", flow_kind_name(stream->kind));
        record_text(record, "from", "From", end_name(report, stream, stream->from, true));
        record_text(record, "to", "To", end_name(report, stream, stream->to, false));
        record_number(record, "bytes", "Bytes", "B", stream->bytes);
        record_number(record, "rate_hz", "Rate", "Hz", stream->rate);
        record_number(record, "bytes_per_s", "Flow", "B/s", stream->bytes * stream->rate);
        record_row_end(record);
    }
    record_table_end(record);
}

/* Resources ------------------------------------------------------------------------------------ */

static const char *part_name(enum flow_part part)
{
    static const char *const names[] = {
        [FLOW_CAMERA_LINK] = "camera link", [FLOW_PORT] = "port", [FLOW_LINK] = "link",
        [FLOW_MEMORY] = "memory",           [FLOW_SIZE] = "size", [FLOW_DISK] = "disk"};

    return names[part];
}

/* Returns an amount in the unit that is usual for the resource: networks in bits. */
static const char *amount_text(struct record *record, const struct flow_resource *resource,
                               double amount)
{
    double factor;
    const char *unit = flow_unit(resource, &factor);

    return amount == RESULT_NONE ? "-" : record_quantity(record, factor * amount, unit);
}

static double headroom(const struct flow_resource *resource)
{
    return resource->capacity == RESULT_NONE ? RESULT_NONE
                                             : (1 - resource->load) * resource->capacity;
}

/* Puts an amount in the column of its unit: B/s, or B of the size of a memory. */
static void put_amount(struct record *record, const struct flow_resource *resource,
                       const char *per_second, const char *bytes, double amount)
{
    bool size = resource->part == FLOW_SIZE;

    record_number(record, per_second, NULL, "B/s", size ? RESULT_NONE : amount);
    record_number(record, bytes, NULL, "B", size ? amount : RESULT_NONE);
}

static void put_resource_data(struct record *record, const struct flow_resource *resource)
{
    put_amount(record, resource, "demand_bytes_per_s", "demand_bytes", resource->demand);
    put_amount(record, resource, "background_bytes_per_s", "background_bytes",
               resource->background);
    put_amount(record, resource, "capacity_bytes_per_s", "capacity_bytes", resource->capacity);
    put_amount(record, resource, "headroom_bytes_per_s", "headroom_bytes", headroom(resource));
    record_number(record, "load", NULL, "", resource->load);
    record_bool(record, "overloaded", NULL, flow_overloaded(resource));
}

static void put_resource_cells(struct record *record, const struct flow_resource *resource)
{
    record_cell(record, "Demand", amount_text(record, resource, resource->demand));
    record_right(record);
    record_cell(record, "Background",
                resource->background > 0 ? amount_text(record, resource, resource->background)
                                         : "-");
    record_right(record);
    record_optional(record);
    record_cell(record, "Capacity", amount_text(record, resource, resource->capacity));
    record_right(record);
    record_number(record, NULL, "Used", "%", resource->load);
    record_cell(record, "Headroom", amount_text(record, resource, headroom(resource)));
    record_right(record);
}

static void put_resources(const struct flow_report *report)
{
    struct record *record = report->record;

    record_table(record, "resources", "Ports, links, memories and disks");
    for (int i = 0; i < report->flow->resource_count; i++) {
        const struct flow_resource *resource = &report->flow->resource[i];

        record_row(record);
        record_text(record, "resource", "Resource", resource->name);
        record_text(record, "kind", "Kind", part_name(resource->part));
        if (record_is_data(record))
            put_resource_data(record, resource);
        else
            put_resource_cells(record, resource);
        record_row_end(record);
    }
    record_table_end(record);
}

/* Sentences ------------------------------------------------------------------------------------ */

static void put_overloads(const struct flow_report *report)
{
    struct record *record = report->record;
    const char *label = "Overloaded";

    record_array(record, "overloads", true);
    for (int i = 0; i < report->flow->resource_count; i++) {
        char sentence[ERROR_MESSAGE_MAX];

        if (!flow_overloaded(&report->flow->resource[i]))
            continue;
        flow_sentence(report->scenario, &report->flow->resource[i], sentence, sizeof sentence);
        record_text(record, NULL, NULL, sentence);
        record_line(record, TONE_BAD, label, "%s", sentence);
        label = "";
    }
    record_array_end(record);
}

static const struct flow_resource *busiest(const struct flow *flow)
{
    const struct flow_resource *most = NULL;

    for (int i = 0; i < flow->resource_count; i++)
        if (flow->resource[i].load != RESULT_NONE &&
            (most == NULL || flow->resource[i].load > most->load))
            most = &flow->resource[i];
    return most;
}

/* Puts how long the disks last, in hours. */
static void put_disk(const struct flow_report *report)
{
    struct record *record = report->record;
    const struct flow_result *total = &report->flow->total;

    if (total->disk_time != RESULT_NONE)
        record_line(record, TONE_PLAIN, "Disk", "full after %.3g hours", total->disk_time / 3600);
    else
        record_line(record, TONE_PLAIN, "Disk", "%s an hour; telemetry.disk_size is not stated",
                    record_quantity(record, 3600 * total->recorded, "TB"));
}

static void put_background(const struct flow_report *report)
{
    struct record *record = report->record;
    const struct flow_result *total = &report->flow->total;
    const struct result *result = report->result;

    if (total->recorded > 0) {
        record_line(record, TONE_PLAIN, "Recorded", "%s",
                    record_quantity(record, total->recorded, "B/s"));
        put_disk(report);
    }
    if (total->updates > 0)
        record_line(record, TONE_PLAIN, "Updates", "%s, a matrix every %s",
                    record_quantity(record, total->updates, "B/s"),
                    record_quantity(record, report->scenario->update.period, "s"));
    if (report->latency != RESULT_NONE) {
        const double longer = fmax(0, report->latency - result->latency);
        const bool seen = longer >= LATENCY_SEEN;
        char part[PERCENT_MAX];

        record_line(
            record, TONE_PLAIN, "Latency",
            "%s; %s%s longer with the bandwidth that telemetry and updates leave on average",
            record_quantity(record, result->latency, "s"), seen ? "" : "less than ",
            record_quantity(record, seen ? longer : LATENCY_SEEN, "s"));
        if (seen)
            record_line(record, TONE_PLAIN, "", "these %s are in no other result",
                        text_percent(longer / result->latency, part));
    }
    if (total->recorded + total->updates == 0)
        record_line(record, TONE_PLAIN, "Background",
                    "none; telemetry.pixels, slopes and commands and update.period state it");
}

static void put_costs(const struct flow_report *report)
{
    struct record *record = report->record;
    const struct result *result = report->result;

    if (result->watts != RESULT_NONE)
        record_line(record, TONE_PLAIN, "Power", "%s, thermal design power of %.0f part%s",
                    record_quantity(record, result->watts, "W"), result->part_count,
                    result->part_count == 1 ? "" : "s");
    if (result->price != RESULT_NONE)
        record_line(record, TONE_PLAIN, "Price", "%.15g for %.0f part%s, in your currency",
                    result->price, result->part_count, result->part_count == 1 ? "" : "s");
}

static void put_lines(const struct flow_report *report)
{
    struct record *record = report->record;
    const struct flow_resource *most = busiest(report->flow);
    char used[PERCENT_MAX];

    if (most != NULL)
        record_line(record, TONE_PLAIN, "Busiest", "%s, %s used", most->name,
                    text_percent(most->load, used));
    record_line(record, TONE_PLAIN, "Raw pixels", "%s, %s",
                record_quantity(record, report->flow->total.pixels, "B/s"),
                record_quantity(record, 8 * report->flow->total.pixels, "b/s"));
    put_background(report);
    put_costs(report);
}

static void put_totals(const struct flow_report *report)
{
    const struct result *result = report->result;

    for (int i = 0; i < RESULT_ROW_COUNT; i++)
        if (result_rows[i].scope == RESULT_FLOW)
            record_number(report->record, result_rows[i].json, NULL, result_rows[i].unit,
                          result_value(result, &result_rows[i], 0));
    record_number(report->record, "background_us", NULL, "us",
                  report->latency == RESULT_NONE ? RESULT_NONE
                                                 : fmax(0, report->latency - result->latency));
    record_number(report->record, "watts", NULL, "W", result->watts);
    record_number(report->record, "price", NULL, "", result->price);
    record_number(report->record, "count", NULL, "", result->part_count);
}

void flow_report(struct record *record, const struct scenario *scenario,
                 const struct result *result, const struct flow *flow, double latency)
{
    const struct flow_report report = {record, scenario, result, flow, latency};

    result_flow(scenario, result);
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, FLOW_SCHEMA);
    record_title(record, "Flow of %s",
                 scenario->general.title[0] != '\0' ? scenario->general.title
                                                    : "a design without a title");
    record_text(record, "title", NULL, scenario->general.title);
    if (record->format != RECORD_CSV)
        put_streams(&report);
    put_resources(&report);
    put_overloads(&report);
    put_lines(&report);
    put_totals(&report);
    record_object_end(record);
}
