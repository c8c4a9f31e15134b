#include <stdlib.h>
#include <string.h>

#include "cli/table.h"
#include "view_machine.h"
#include "widget.h"

static void print(const struct machine_view *machine, FILE *out, int columns)
{
    const struct measurement *measurement = &machine->measurement;
    struct table table = table_new(4, 0xC, 0);

    table_add(&table, "Kernel");
    table_add(&table, "of");
    table_add(&table, "Cores");
    table_add(&table, "Measured");
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *point = &measurement->point[i];
        char cell[40];

        if (point->part != MEASUREMENT_KERNELS)
            continue;
        table_add(&table, point->name);
        table_add(&table, point->of);
        snprintf(cell, sizeof cell, "%.0f", point->parameter[PARAMETER_CORES]);
        table_add(&table, cell);
        quantity_show(point_least(point), "s", cell, sizeof cell);
        table_add(&table, cell);
    }
    table_print(&table, out, columns, "", "");
    table_free(&table);
}

const struct picture picture_kernels = {"Kernels", MEASUREMENT_KERNELS, NULL, print};
