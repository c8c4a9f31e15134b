/* What lackey prints: traced, with the input itself as the code of the program. */
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

void fuzz_lackey(const char *bytes, size_t length)
{
    struct input input = {bytes, length};
    struct tracer *tracer = tracer_new(TRACER_CACHE_LEAST, read_input, &input);
    struct problems problems = {NULL, 0, 0};
    struct program *program = NULL;
    struct buffer text = {0};

    fuzz_check(tracer != NULL && tracer_read(tracer, bytes, length), "out of memory");
    tracer_write(tracer, &text);
    fuzz_check(!text.failed, "out of memory");
    if (tracer_counts(tracer).instructions > 0)
        fuzz_check(program_parse(text.bytes, text.length, &program, &problems) == STATUS_OK,
                   "the trace is refused: %s",
                   problems.count > 0 ? problems.list[0].message : "no reason");
    problems_free(&problems);
    program_free(program);
    buffer_free(&text);
    tracer_free(tracer);
}
