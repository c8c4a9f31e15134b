/* What lackey prints: traced, with the input itself as the code of the program; the same in one
 * piece and in two, as reads of a pipe may end anywhere. */
#include "fuzz.h"

#include <string.h>

#include "design/trace.h"
#include "probe/tracer.h"

struct input {
    const char *bytes;
    size_t length;
};

static size_t read_input(void *context, uint64_t address, unsigned char *bytes, size_t length)
{
    const struct input *input = context;

    for (size_t i = 0; i < length && input->length > 0; i++)
        bytes[i] = (unsigned char)input->bytes[(address + i) % input->length];
    return input->length > 0 ? length : 0;
}

/* Traces an input that is read up to `first` and then the rest; returns how many instructions. */
static double trace(struct input input, size_t first, struct buffer *text)
{
    struct error error = {STATUS_OK, ""};
    struct tracer *tracer = tracer_new(TRACER_CACHE_LEAST, 16, read_input, &input, &error);
    double instructions;

    fuzz_check(tracer != NULL, "%s", error.message);
    tracer_read(tracer, input.bytes, first);
    tracer_read(tracer, input.bytes + first, input.length - first);
    tracer_write(tracer, text);
    instructions = tracer_counts(tracer).instructions;
    tracer_free(tracer);
    return instructions;
}

void fuzz_lackey(const char *bytes, size_t length)
{
    const struct input input = {bytes, length};
    size_t first = length > 0 ? (unsigned char)bytes[length / 2] % (length + 1) : 0;
    struct problems problems = {NULL, 0, 0};
    struct program *program = NULL;
    struct buffer text = {0}, again = {0};

    trace(input, first, &again);
    if (trace(input, length, &text) > 0)
        fuzz_check(program_parse(text.bytes, text.length, &program, &problems) == STATUS_OK,
                   "the trace is refused: %s",
                   problems.count > 0 ? problems.list[0].message : "no reason");
    fuzz_check(strcmp(text.bytes, again.bytes) == 0, "in two pieces:\n%s\ninstead of:\n%s",
               again.bytes, text.bytes);
    problems_free(&problems);
    program_free(program);
    buffer_free(&text);
    buffer_free(&again);
}
