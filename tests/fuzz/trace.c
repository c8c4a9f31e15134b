/* The trace of a parallel program: read, and its time on a device. */
#include "fuzz.h"

#include <math.h>

#include "design/trace.h"
#include "model/program.h"

static const struct program_machine machine = {
    .clock = 3e9,
    .cpi = {1, 1, 1, 1, 20, 1, 1, 1, 100, 1},
    .latency = 300,
    .bandwidth = 1e11,
};

void fuzz_trace(const char *bytes, size_t length)
{
    struct problems problems = {NULL, 0, 0};
    struct program_bin bin[PROGRAM_BINS];
    struct program *program = NULL;
    enum status status = program_parse(bytes, length, &program, &problems);

    fuzz_check_problems(status, &problems);
    problems_free(&problems);
    if (status != STATUS_OK)
        return;
    fuzz_check(program->phase_count >= 1 && program->threads >= 1, "%d phases, %d threads",
               program->phase_count, program->threads);
    fuzz_check(isfinite(program_total_time(program, &machine).time), "the time is not finite");
    fuzz_check(program_time_on(program, &machine, 1).threads >=
                   program_total_time(program, &machine).threads * (1 - 1e-12),
               "one core is faster than %d", program->threads);
    for (int i = program_distances(program, &machine, bin) - 1; i >= 0; i--)
        fuzz_check(isfinite(bin[i].cost) && bin[i].cost >= bin[i].count * (1 - 1e-12),
                   "%g references cost %g cycles", bin[i].count, bin[i].cost);
    program_free(program);
}
