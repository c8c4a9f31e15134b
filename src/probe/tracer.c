#include "probe/tracer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "design/trace.h"
#include "probe/x86.h"

#define LINE 64
#define WAYS 16
#define STREAMS 16
#define EXACT 1024 /* distances below */
#define BINS (EXACT + 8 * 44)
#define PAGE 4096
#define LINE_MAX_LENGTH 40
#define PHASES (X86_MARKERS + 1) /* 0: before the first marker */

struct counts {
    double instructions[INSTRUCTION_COUNT];
    double bytes;
    double *references; /* by distance, BINS; NULL: none */
};

/* A page of code, read once, and the instructions decoded so far. */
struct code_page {
    uint64_t number;
    size_t length;
    unsigned char bytes[PAGE + X86_LENGTH_MAX];
    struct x86_instruction decoded[PAGE];
    bool known[PAGE];
};

struct way {
    uint64_t line; /* its number plus 1; 0: empty */
    uint64_t used; /* when */
    bool stored;
};

/* A reference on the way to a register. */
struct awaited {
    double issued; /* number of the instruction */
    int phase;
};

struct tracer {
    tracer_code *code;
    void *context;
    struct way *way;
    uint64_t sets, now;
    uint64_t stream[STREAMS]; /* last lines, the most recently used first */
    struct code_page **page;  /* open hash table */
    size_t pages, slots;
    struct x86_instruction current;
    bool unknown;     /* the class of `current` */
    uint64_t waiting; /* registers */
    struct awaited awaited[X86_REGISTERS];
    int phase;
    struct counts phases[PHASES];
    struct tracer_counts total;
    char line[LINE_MAX_LENGTH + 1];
    size_t length;
    bool skipped; /* the line is too long */
    bool failed;
};

struct tracer *tracer_new(double cache, tracer_code *code, void *context)
{
    struct tracer *tracer = allocate_array(1, sizeof *tracer);

    if (tracer == NULL)
        return NULL;
    tracer->code = code;
    tracer->context = context;
    tracer->current.loaded = -1;
    tracer->sets = (uint64_t)fmax(1, cache / (LINE * WAYS));
    tracer->way = allocate_array(tracer->sets * WAYS, sizeof *tracer->way);
    if (tracer->way != NULL)
        return tracer;
    tracer_free(tracer);
    return NULL;
}

void tracer_free(struct tracer *tracer)
{
    if (tracer == NULL)
        return;
    for (size_t i = 0; i < tracer->slots; i++)
        free(tracer->page[i]);
    for (int p = 0; p < PHASES; p++)
        free(tracer->phases[p].references);
    free(tracer->page);
    free(tracer->way);
    free(tracer);
}

/* Code ----------------------------------------------------------------------------------------- */

static struct code_page **find_page_slot(struct code_page **table, size_t slots, uint64_t number)
{
    size_t at = (size_t)(number * 0x9E3779B97F4A7C15U >> 20) % slots;

    while (table[at] != NULL && table[at]->number != number)
        at = (at + 1) % slots;
    return &table[at];
}

static bool grow_pages(struct tracer *tracer)
{
    size_t slots = tracer->slots == 0 ? 64 : 2 * tracer->slots;
    struct code_page **table = allocate_array(slots, sizeof *table);

    if (table == NULL)
        return false;
    for (size_t i = 0; i < tracer->slots; i++)
        if (tracer->page[i] != NULL)
            *find_page_slot(table, slots, tracer->page[i]->number) = tracer->page[i];
    free(tracer->page);
    tracer->page = table;
    tracer->slots = slots;
    return true;
}

static struct code_page *find_code_page(struct tracer *tracer, uint64_t number)
{
    struct code_page **slot;

    if (2 * tracer->pages >= tracer->slots && !grow_pages(tracer))
        return NULL;
    slot = find_page_slot(tracer->page, tracer->slots, number);
    if (*slot != NULL)
        return *slot;
    *slot = allocate_array(1, sizeof **slot);
    if (*slot == NULL)
        return NULL;
    tracer->pages++;
    (*slot)->number = number;
    (*slot)->length =
        tracer->code(tracer->context, number * PAGE, (*slot)->bytes, sizeof(*slot)->bytes);
    return *slot;
}

static void decode_current(struct tracer *tracer, uint64_t address, size_t size)
{
    struct code_page *page = tracer->code == NULL ? NULL : find_code_page(tracer, address / PAGE);
    size_t at = address % PAGE;

    tracer->current =
        (struct x86_instruction){.class = INSTRUCTION_OTHER, .loaded = -1, .marker = -1};
    tracer->failed |= page == NULL && tracer->code != NULL;
    tracer->unknown = page == NULL || size > X86_LENGTH_MAX || at + size > page->length;
    tracer->total.unknown += tracer->unknown;
    if (tracer->unknown)
        return;
    if (!page->known[at])
        page->decoded[at] = x86_decode(page->bytes + at, size);
    page->known[at] = true;
    tracer->current = page->decoded[at];
}

/* References ----------------------------------------------------------------------------------- */

static int bin_of_distance(double distance)
{
    int exponent;
    double part;

    if (distance < EXACT)
        return (int)distance;
    part = frexp(distance, &exponent); /* distance = part x 2^exponent, part from 1/2 */
    exponent = exponent < 54 ? exponent - 11 : 43;
    return EXACT + 8 * exponent + (int)(16 * part) - 8;
}

static double distance_of_bin(int bin)
{
    int over = bin - EXACT;

    return bin < EXACT ? bin : ldexp(8 + over % 8, over / 8 + 7);
}

static void count_reference(struct tracer *tracer, int phase, double distance)
{
    struct counts *counts = &tracer->phases[phase];

    if (counts->references == NULL)
        counts->references = allocate_array(BINS, sizeof *counts->references);
    tracer->failed |= counts->references == NULL;
    if (counts->references != NULL)
        counts->references[bin_of_distance(distance)]++;
}

static void end_waits(struct tracer *tracer, uint64_t registers)
{
    registers &= tracer->waiting;
    tracer->waiting &= ~registers;
    for (int r = 0; registers != 0; r++, registers >>= 1)
        if (registers & 1)
            count_reference(tracer, tracer->awaited[r].phase,
                            tracer->total.instructions - tracer->awaited[r].issued);
}

/* Returns true for a neighbour of a line of a stream, and moves the stream to the front. */
static bool follows_stream(struct tracer *tracer, uint64_t line)
{
    int s = 0;
    bool follows;

    while (s < STREAMS && line - tracer->stream[s] != 1 && tracer->stream[s] - line != 1)
        s++;
    follows = s < STREAMS;
    for (int i = follows ? s : STREAMS - 1; i > 0; i--)
        tracer->stream[i] = tracer->stream[i - 1];
    tracer->stream[0] = line;
    return follows;
}

/* Brings a line into the cache; returns true if it was there. */
static bool touch_line(struct tracer *tracer, uint64_t line, bool store)
{
    struct way *set = &tracer->way[line % tracer->sets * WAYS];
    struct way *oldest = set;
    bool there;

    for (int w = 0; w < WAYS && oldest->line != line + 1; w++)
        if (set[w].line == line + 1 || set[w].used < oldest->used)
            oldest = &set[w];
    there = oldest->line == line + 1;
    if (!there && oldest->stored)
        tracer->phases[tracer->phase].bytes += LINE;
    *oldest = (struct way){line + 1, ++tracer->now, store || (there && oldest->stored)};
    return there;
}

static void refer_to_line(struct tracer *tracer, uint64_t line, char kind)
{
    const struct x86_instruction *current = &tracer->current;

    if (touch_line(tracer, line, kind != 'L'))
        return;
    if (follows_stream(tracer, line) || kind == 'S') {
        tracer->phases[tracer->phase].bytes += LINE;
        return;
    }
    tracer->total.references++;
    if (current->loaded < 0 || kind == 'M') {
        count_reference(tracer, tracer->phase, 0);
        return;
    }
    end_waits(tracer, (uint64_t)1 << current->loaded);
    tracer->waiting |= (uint64_t)1 << current->loaded;
    tracer->awaited[current->loaded] = (struct awaited){tracer->total.instructions, tracer->phase};
}

/* Lines ---------------------------------------------------------------------------------------- */

static void begin_instruction(struct tracer *tracer, uint64_t address, size_t size)
{
    decode_current(tracer, address, size);
    if (tracer->current.marker >= 0)
        tracer->phase = tracer->current.marker + 1;
    tracer->total.instructions++;
    tracer->phases[tracer->phase].instructions[tracer->current.class]++;
    end_waits(tracer, tracer->current.named);
}

static bool read_hexadecimal(const char **text, uint64_t *value)
{
    const char *from = *text;

    *value = 0;
    for (; **text != '\0' && *text - from < 16; (*text)++) {
        int digit = **text >= '0' && **text <= '9'   ? **text - '0'
                    : **text >= 'a' && **text <= 'f' ? **text - 'a' + 10
                                                     : -1;

        if (digit < 0)
            break;
        *value = *value << 4 | (uint64_t)digit;
    }
    return *text > from;
}

/* "I  04001f0,3" or " L 1ffe,8". */
static void read_trace_line(struct tracer *tracer)
{
    const char *text = tracer->line;
    bool instruction = strncmp(text, "I  ", 3) == 0;
    char kind = text[0] == ' ' && text[1] != '\0' && text[2] == ' ' ? text[1] : '\0';
    uint64_t address, size = 0;

    if (!instruction && kind != 'L' && kind != 'S' && kind != 'M')
        return;
    text += 3;
    if (!read_hexadecimal(&text, &address) || *text++ != ',')
        return;
    while (*text >= '0' && *text <= '9' && size < PAGE)
        size = 10 * size + (uint64_t)(*text++ - '0');
    if (*text != '\0' || size == 0 || size > PAGE || address > UINT64_MAX / 2)
        return;
    if (instruction) {
        begin_instruction(tracer, address, size);
        return;
    }
    if (tracer->unknown && kind != 'M') {
        double *instructions = tracer->phases[tracer->phase].instructions;

        tracer->unknown = false; /* its first access says what it is */
        instructions[INSTRUCTION_OTHER]--;
        instructions[kind == 'L' ? INSTRUCTION_LOAD : INSTRUCTION_STORE]++;
    }
    for (uint64_t line = address / LINE; line <= (address + size - 1) / LINE; line++)
        refer_to_line(tracer, line, kind);
}

bool tracer_read(struct tracer *tracer, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            tracer->line[tracer->length] = '\0';
            if (!tracer->skipped)
                read_trace_line(tracer);
            tracer->length = 0;
            tracer->skipped = false;
        } else if (tracer->length < LINE_MAX_LENGTH && bytes[i] != '\0') {
            tracer->line[tracer->length++] = bytes[i];
        } else {
            tracer->skipped = true;
        }
    }
    return !tracer->failed;
}

/* Output --------------------------------------------------------------------------------------- */

struct tracer_counts tracer_counts(const struct tracer *tracer)
{
    struct tracer_counts counts = tracer->total;

    for (int p = 0; p < PHASES; p++)
        counts.bytes += tracer->phases[p].bytes;
    return counts;
}

static void write_phase(const struct counts *counts, const char *name, struct buffer *buffer)
{
    for (int c = 0; c < INSTRUCTION_COUNT; c++)
        if (counts->instructions[c] > 0)
            buffer_print(buffer, "%s,0,instr,%s,%.0f\n", name, instruction_names[c],
                         counts->instructions[c]);
    for (int b = 0; b < BINS && counts->references != NULL; b++)
        if (counts->references[b] > 0)
            buffer_print(buffer, "%s,0,remote,%.0f,%.0f\n", name, distance_of_bin(b),
                         counts->references[b]);
    if (counts->bytes > 0)
        buffer_print(buffer, "%s,0,bytes,,%.0f\n", name, counts->bytes);
}

void tracer_write(struct tracer *tracer, struct buffer *buffer)
{
    char name[32];

    end_waits(tracer, tracer->waiting);
    buffer_text(buffer, "phase,thread,kind,key,count\n");
    for (int p = 0; p < PHASES; p++) {
        snprintf(name, sizeof name, p == 0 ? "start" : "phase-%d", p - 1);
        write_phase(&tracer->phases[p], name, buffer);
    }
    if (tracer->failed)
        buffer->failed = true;
}
