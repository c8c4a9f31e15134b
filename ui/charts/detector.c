#include "charts/detector.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "design/knob_table.h"
#include "draw/table.h"

const char *detector_order(const struct detector_map *map)
{
    return map->key.map != NULL ? "readout map" : knob_word(KNOB_COMPONENT_ORDER, map->key.order);
}

const char *detector_elements(const struct detector_map *map)
{
    return map->key.kind == WFS_PYRAMID ? "pupil pixels" : "subapertures";
}

static void add_element_cells(struct chart *chart, const struct detector_map *map)
{
    long n = map->key.across;
    double *value = allocate((size_t)n * (size_t)n * sizeof *value);
    int item = chart_add(chart, CHART_CELLS, LOOK_COMPUTE, "completed by packet");
    double packets = (double)map->key.packets;

    for (long gy = 0; gy < n; gy++)
        for (long gx = 0; gx < n; gx++) {
            int packet = detector_map_element(map, gx, gy);

            /* chart rows count upwards, detector rows downwards */
            value[(n - 1 - gy) * n + gx] =
                packet == DETECTOR_NOT_VALID ? RESULT_NONE : (double)packet + 1;
        }
    chart_cells(chart, item, (int)n, (int)n, value,
                (struct plot_axis){PLOT_WHOLE, packets > 1 ? 1 : 0, packets, ""}, RESULT_NONE);
    free(value);
}

void chart_detector(struct chart *chart, const struct detector_map *map)
{
    struct plot_axis axis = {PLOT_WHOLE, 0, (double)map->key.across, ""};

    chart_init(chart, "Readout of wfs.%s, %ld packet%s, %s", map->name, map->key.packets,
               map->key.packets == 1 ? "" : "s", detector_order(map));
    chart_note(chart, "%ld valid %s, detector of %ld x %ld px", map->valid, detector_elements(map),
               map->key.width, map->key.height);
    chart_x(chart, axis, "column");
    chart_y(chart, axis, "row, from below");
    chart->square = true;
    add_element_cells(chart, map);
}

void detector_table(const struct detector_map *map, FILE *out, int columns)
{
    struct table table =
        table_headed((const char *const[]){"packet", "pixels", "so far", detector_elements(map),
                                           "so far", "arrives at", NULL},
                     ~0U, 0);

    for (int k = 0; k < (int)map->key.packets; k++) {
        const struct detector_packet *packet = &map->packet[k];

        table_addf(&table, "%d", k + 1);
        table_addf(&table, "%lld", packet->pixels);
        table_addf(&table, "%lld", packet->pixels_so_far);
        table_addf(&table, "%ld", packet->completed);
        table_addf(&table, "%ld", packet->completed_so_far);
        table_quantity(&table, detector_map_time(map, k), "s");
    }
    table_close(&table, out, columns);
}
