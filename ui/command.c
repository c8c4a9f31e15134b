#include "command.h"

#include <string.h>

const struct command commands[] = {
    {"", "[SCENARIO]",
     "Explores the design of an adaptive-optics real-time computer on the terminal; without a "
     "terminal prints its report.",
     explore_options, false, explore_run, GROUP_DESIGN},
    {"advise", "[SCENARIO|-]",
     "Tells which single change makes a design faster, ranked, the best division of its devices, "
     "the best number of packets, and what meets the target.",
     advise_options, false, advise_run, GROUP_WHAT_IF},
    {"check", "FILE", "Lists all problems of a scenario file, each with its line and a remedy.",
     check_options, true, check_run, GROUP_DESIGN},
    {"compare", "A B",
     "Compares two designs, each a file or an AO preset: what is set differently, what that changes "
     "in every component, which is faster, and whether by more than the uncertainty of both.",
     compare_options, true, compare_run, GROUP_WHAT_IF},
    {"eval", "[SCENARIO|-]",
     "Evaluates a design: times, latency, margin and servo lag as text, JSON, CSV or Markdown.",
     eval_options, true, eval_run, GROUP_DESIGN},
    {"explain", "[PATH [SCENARIO]]",
     "Explains a result: its formula and the inputs of that, each with value, unit and origin, "
     "down to the knobs.",
     explain_options, true, explain_run, GROUP_DESIGN},
    {"fit", "FILE|-",
     "Fits four models of memory to the points of an Apex-MAP surface, a CSV file: their values, "
     "what is doubtful about them, and where they miss.",
     fit_options, true, fit_run, GROUP_MACHINE},
    {"params", "[PATH]",
     "Lists the knobs: all there are, or those of a design with their values and origins.",
     params_options, true, params_run, GROUP_DESIGN},
    {"plot", "KIND [P=VALUES...] [SCENARIO] | compare A B",
     "Writes a picture of the kind as SVG: advise, compare, components, detector, machine, "
     "roofline, sweep or timeline.",
     plot_options, true, plot_run, GROUP_DESIGN},
    {"presets", "[list [cpu|gpu|ao] | show NAME]",
     "Lists the presets of vendor devices and AO systems, or shows the text of one.",
     presets_options, true, presets_run, GROUP_DESIGN},
    {"probe", "[memory|operations|bandwidth|apex|all]",
     "Measures this machine: latency against working set, operations, bandwidth, locality; with "
     "progress, and what was measured at any interruption.",
     probe_options, false, probe_run, GROUP_MACHINE},
    {"rank", "cpu|gpu [SCENARIO]",
     "Puts every preset of a kind in the place of a device and orders them by latency, frame rate "
     "or "
     "latency times power.",
     rank_options, true, rank_run, GROUP_WHAT_IF},
    {"screen", "[SCENARIO]",
     "Runs the explorer without a terminal: takes keys from a file, prints screens as text.",
     screen_options, false, screen_run, GROUP_SCREEN},
    {"seek", "PATH [SCENARIO]",
     "Solves for one knob: from which value on a condition is met, or how far it may move until it "
     "no longer is.",
     seek_options, true, seek_run, GROUP_WHAT_IF},
    {"sweep", "P=VALUES... [SCENARIO]",
     "Evaluates every combination of the values of some knobs: CSV or a JSON object a line, in "
     "order, on all processors; in parts that many machines can share.",
     sweep_options, false, sweep_run, GROUP_WHAT_IF},
    {"validate", "--published",
     "Holds the model against measurements: predicted, measured, their ratio.", validate_options,
     true, validate_run, GROUP_MACHINE},
};

const int command_count = (int)(sizeof commands / sizeof commands[0]);

const struct command *command_find(const char *name)
{
    for (int i = 0; i < command_count; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

int cli_run(struct cli *cli, int argc, char **argv)
{
    const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;

    if (command == NULL || command->name[0] == '\0')
        return explore_run(cli, argc, argv);
    return command->run(cli, argc - 1, argv + 1);
}
