#include "charts/detector.h"
#include "report/reports.h"

#define DETECTOR_SCHEMA 1

static void put_packet(struct record *record, const struct detector_map *map, int number)
{
    const struct detector_packet *packet = &map->packet[number];

    record_row(record);
    record_integer(record, "packet", "Packet", number + 1);
    record_integer(record, "pixels", "Pixels", (double)packet->pixels);
    record_number(record, "fraction", "Fraction", "fraction",
                  (double)packet->pixels / ((double)map->key.width * (double)map->key.height));
    record_integer(record, "completed", "Completes", (double)packet->completed);
    record_number(record, "time_us", "Leaves at", "us", detector_map_time(map, number));
    record_row_end(record);
}

void detector_report(struct record *record, const struct detector_map *map)
{
    record_object(record, NULL, NULL, true);
    record_integer(record, "schema", NULL, DETECTOR_SCHEMA);
    record_title(record, "Sensor %s", map->name);
    record_text(record, "sensor", NULL, map->name);
    record_line(record, TONE_PLAIN, "Detector", "%ld x %ld px", map->key.width, map->key.height);
    record_integer(record, "width_px", NULL, (double)map->key.width);
    record_integer(record, "height_px", NULL, (double)map->key.height);
    record_line(record, TONE_PLAIN, "Valid", "%ld of %ld x %ld %s", map->valid, map->key.across,
                map->key.across, detector_elements(map));
    record_integer(record, "across", NULL, (double)map->key.across);
    record_integer(record, "valid", NULL, (double)map->valid);
    record_table(record, "packets", NULL);
    for (int k = 0; k < map->key.packets; k++)
        put_packet(record, map, k);
    record_table_end(record);
    record_note(record, "--csv prints an agenda, --map a readout map and --mask a mask, which a "
                        "sensor reads.");
    record_object_end(record);
}
