#include "program_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "design/trace.h"
#include "design/trace_library.h"
#include "files.h"
#include "sample.h"

const char program_text_four[] = PROGRAM_HEADER "a,0,instr,int,1000\na,0,remote,0,10\n";
const char program_text_two[] = PROGRAM_HEADER "a,0,instr,int,2000\n";

const char program_text_design[] = "[scenario]\n"
                                   "format = 1\n"
                                   "packets = 10\n"
                                   "[wfs.ngs]\n"
                                   "subaps_across = 10\n"
                                   "[device.rtc]\n"
                                   "clock = 1 GHz\n"
                                   "cores = 4\n"
                                   "boundary = 0\n"
                                   "[component.camera]\n"
                                   "type = camera\n"
                                   "[component.p]\n"
                                   "type = program\n"
                                   "trace = t.csv\n";

struct scenario program_scenario;
struct document *program_document;

void program_put_file(const char *name, const char *text)
{
    CHECK(files_write(name, text, strlen(text)));
}

bool program_load(const char *name)
{
    struct problems problems = {NULL, 0, 0};
    enum status status = scenario_load(&program_scenario, &program_document, files_path(name),
                                       files_catalogue(), &problems);
    char *shown = files_problems(&problems);
    bool good = CHECK_TRUE(status == STATUS_OK, "%s: %s", name, shown);

    free(shown);
    problems_free(&problems);
    return good;
}

bool program_open_design(void)
{
    program_put_file("t.csv", program_text_four);
    program_put_file("d.ini", program_text_design);
    return program_load("d.ini");
}

int program_close_design(void)
{
    document_free(program_document);
    program_document = NULL;
    return files_close();
}

enum status program_set_trace(const char *path, struct error *error)
{
    int component = section_find(&program_scenario, SECTION_COMPONENT, "p");

    return scenario_set_file(&program_scenario, knob_ref_to(KNOB_COMPONENT_TRACE, component),
                             catalogue_traces(files_catalogue()), document_path(program_document),
                             path, error);
}

double program_time_of(const char *name)
{
    if (!sample_evaluate(&program_scenario, sample_result()))
        return 0;
    return sample_node(sample_result(), name)->time;
}
