#include "model/detector.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "report/reports.h"

static const struct option_row sensor_options[] = {
    OPTION_CSV,
    OPTION_FILE,
    OPTION_HELP,
    OPTION_JSON,
    {.name = "map", .help = "print the packet of each pixel, as readout_map reads it"},
    {.name = "mask", .help = "print the valid subapertures, as mask reads them"},
    {.name = "sensor", .argument = "SENSOR", .help = "sensor; default: the first"},
    OPTION_SET,
    OPTION_END,
};

static const struct option_rule sensor_rules[] = {
    {.option = "map", .other = "csv", .excludes = true},
    {.option = "map", .other = "json", .excludes = true},
    {.option = "map", .other = "mask", .excludes = true},
    {.option = "mask", .other = "csv", .excludes = true},
    {.option = "mask", .other = "json", .excludes = true},
    {.option = NULL},
};

static void print_map(const struct detector_map *map, FILE *out)
{
    fputs("packet\n", out);
    for (long y = 0; y < map->key.height; y++)
        for (long x = 0; x < map->key.width; x++)
            fprintf(out, "%d%c", detector_map_pixel(map, x, y) + 1,
                    x == map->key.width - 1 ? '\n' : ',');
}

static void print_mask(const struct detector_map *map, FILE *out)
{
    for (long gy = 0; gy < map->key.across; gy++) {
        for (long gx = 0; gx < map->key.across; gx++)
            fputc(detector_map_element(map, gx, gy) == DETECTOR_NOT_VALID ? '0' : '1', out);
        fputc('\n', out);
    }
}

/* Finds the sensor of --sensor, else the first; reports errors and returns an exit status. */
static int find_sensor(struct cli *cli, const struct arguments *arguments,
                       const struct scenario *scenario, int *wfs)
{
    const char *name = arguments_value(arguments, "sensor");
    struct error error;

    *wfs = name == NULL ? 0 : section_find(scenario, SECTION_WFS, name);
    if (*wfs < 0) {
        section_missing(scenario, SECTION_WFS, name, &error);
        return arguments_usage_error(arguments, "--sensor: %s", error.message);
    }
    if (scenario->wfs_count == 0)
        return arguments_problem(cli, "the design has no sensor");
    return EXIT_GOOD;
}

static int run_sensor(struct cli *cli, const struct arguments *arguments,
                      struct opened_design *design)
{
    struct record record = cli_record(cli, arguments_format(arguments));
    struct detector_map map = {0};
    int wfs;
    int status = find_sensor(cli, arguments, &design->scenario, &wfs);

    if (status != EXIT_GOOD)
        return status;
    detector_map_make(&map, &design->scenario, &design->result, wfs);
    if (arguments_has(arguments, "map"))
        print_map(&map, cli->out);
    else if (arguments_has(arguments, "mask"))
        print_mask(&map, cli->out);
    else
        detector_report(&record, &map);
    detector_map_free(&map);
    return EXIT_GOOD;
}

const struct command command_sensor = {
    .name = "sensor",
    .also = "detector",
    .operands = "[DESIGN|-]",
    .operand_max = 1,
    .help = "Prints the packets of a sensor: pixels, completed subapertures, times; as files that "
            "a sensor reads.",
    .options = sensor_options,
    .rules = sensor_rules,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .input = INPUT_RESULT,
    .run = run_sensor,
};
