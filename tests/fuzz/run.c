/* What a run measured, as aolag calibrate --run reads it: the design that is calibrated with it can be
 * read and evaluated, or a sentence says why there is none. */
#include "fuzz.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "command.h"
#include "design/scenario_file.h"
#include "model/evaluate.h"

static void check_design(const char *bytes, size_t length)
{
    static struct result result;
    struct scenario *scenario = allocate_array(1, sizeof *scenario);
    struct document *document = NULL;
    struct problems problems = {NULL, 0, 0};
    struct error error;

    fuzz_check(scenario_parse(scenario, &document, bytes, length, fuzz_catalogue(), &problems) == STATUS_OK,
               "the design cannot be read");
    result_init(&result);
    fuzz_check(evaluate(scenario, &result, &error) == STATUS_OK, "the design cannot be evaluated");
    fuzz_check(result.latency > 0, "latency %g", result.latency);
    result_free(&result);
    document_free(document);
    free(scenario);
}

void fuzz_run(const char *bytes, size_t length)
{
    char *argv[] = {"aolag", "calibrate", "canary", "--run", "run.json", "--output", "-", NULL};
    struct cli cli = {.catalogue = fuzz_catalogue(), .in = fopen("/dev/null", "r")};
    char *design = NULL;
    size_t size;

    fuzz_check(cli.in != NULL, "/dev/null");
    fuzz_write("run.json", bytes, length);
    cli.out = allocate_stream(&design, &size);
    cli.err = fuzz_open_output();
    if (cli_run(&cli, 7, argv) == EXIT_GOOD) {
        fclose(cli.out);
        check_design(design, size);
    } else {
        fuzz_check(ftell(cli.err) > 0, "no sentence");
        fclose(cli.out);
    }
    fclose(cli.in);
    fuzz_check_output();
    free(design);
}
