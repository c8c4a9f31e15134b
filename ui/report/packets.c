#include <stdlib.h>

#include "base/allocate.h"
#include "model/schedule.h"
#include "report/reports.h"

#define PACKETS_SCHEMA 1

static void put_slot(struct record *record, const struct scenario *scenario,
                     const struct node_result *node, double number,
                     const struct schedule_slot *slot)
{
    record_row(record);
    record_text(record, "component", "Component", node->name);
    record_text(record, "device", "Device",
                node->device < 0 ? NULL : scenario->device[node->device].head.name);
    record_integer(record, "packet", "Packet", number);
    record_bool(record, "works", "Works", slot->works);
    record_number(record, "ready_us", "Ready", "us", slot->ready);
    record_number(record, "start_us", "Start", "us", slot->start);
    record_number(record, "end_us", "End", "us", slot->end);
    record_number(record, "wait_us", "Wait", "us", slot->wait);
    record_number(record, "busy_us", "Busy", "us", slot->busy);
    record_bool(record, "critical", "Critical", slot->critical);
    record_row_end(record);
}

enum status packets_report(struct record *record, const struct scenario *scenario,
                           const struct result *result, struct error *error)
{
    const int packets = scenario_slots(scenario);
    struct schedule_slot *slot = allocate(((size_t)packets + 1) * sizeof *slot);

    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, PACKETS_SCHEMA);
    record_title(record, "Packets of the frame");
    record_table(record, "packets", NULL);
    for (int n = 0; n < result->node_count && !result->pace.stopped; n++) {
        if (node_is_whole(&result->node[n]))
            continue;
        schedule_read_node(result, n, slot);
        for (int i = 0; i < schedule_packets(result, n); i++)
            put_slot(record, scenario, &result->node[n], i + 1,
                     &slot[schedule_packet_slot(result, n, i)]);
        if (slot[packets].works)
            put_slot(record, scenario, &result->node[n], RESULT_NONE, &slot[packets]);
    }
    record_table_end(record);
    record_note(record, "Times are from the start of readout. A component has the packets "
                        "of its sensors, or those of the frame if they have different numbers. "
                        "Work without a packet is done after "
                        "the last command.");
    record_object_end(record);
    free(slot);
    return result->pace.stopped ? error_set(error, STATUS_STOPPED, "stopped") : STATUS_OK;
}
