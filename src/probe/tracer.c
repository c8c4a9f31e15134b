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
#define STORES 4096
#define MOVE 32                  /* B, a vector register that valgrind shows */
#define OVERLAP 64               /* B behind the source, from where a move upwards is fast */
#define NEAR 64                  /* lines: reuse at less comes from the first cache */
#define PHASES (X86_MARKERS + 1) /* 0: before the first marker */

struct counts {
    double instructions[INSTRUCTION_COUNT];
    double bytes;
    double unknown; /* instructions whose code could not be read or decoded */
    double chain[STEP_COUNT];
    double vector;
    double prefetches;
    double *references; /* by distance, BINS; NULL: none */
    double *reuse;      /* bytes by lines, BINS; NULL: none */
};

/* A chain of instructions that wait for each other, up to one of them. */
struct chain {
    double cycles; /* with `cycles_of_step` */
    double steps[STEP_COUNT];
};

/* What was last stored to 8 bytes. */
struct stored {
    uint64_t at; /* address / 8 plus 1; 0: nothing */
    struct chain chain;
};

/* Accesses of one kind by an instruction: how many bytes follow each other, up to `end`. */
struct run {
    uint64_t end;
    size_t bytes;
};

/* A page of code, read once, and the instructions decoded so far. */
struct code_page {
    uint64_t number;
    size_t length;
    unsigned char bytes[PAGE + X86_LENGTH_MAX];
    struct x86_instruction decoded[PAGE];
    bool done[PAGE];
};

struct way {
    uint64_t line; /* its number plus 1; 0: empty */
    uint64_t used; /* when */
    bool stored;
    bool written; /* stored to since it last came from an outer cache than the first */
};

/* A reference on the way to a register. */
struct awaited {
    double issued; /* number of the instruction */
    int phase;
};

struct tracer {
    tracer_code *code; /* NULL: there is none, and no decoder */
    void *context;
    struct x86_decoder *decoder;
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
    struct chain of_register[X86_REGISTERS];
    struct chain done;              /* the last one to end so far */
    struct chain *retired;          /* `window`: `done` after each of the last instructions */
    size_t window, at;              /* at: of the next instruction, in `retired` */
    struct stored stored[STORES];   /* by address */
    struct chain addressed, loaded; /* of the current instruction: its address, what it loads */
    uint64_t storing, stored_end;   /* what it stores to, in units of 8 B */
    struct run loads, stores;       /* by it */
    uint64_t executed;              /* its address */
    size_t size;                    /* of its code */
    bool began;                     /* there is a current instruction */
    bool again;                     /* lackey has printed it once more */
    uint32_t *recent; /* tree of sums: 1 at the times when a line of the cache was last used */
    struct counts phases[PHASES];
    struct tracer_counts total;
    char line[LINE_MAX_LENGTH + 1];
    size_t length;
    bool skipped; /* the line is too long */
};

/* Times before they are compressed. */
static size_t times_of(const struct tracer *tracer)
{
    return 2 * tracer->sets * WAYS;
}

struct tracer *tracer_new(double cache, int window, tracer_code *code, void *context,
                          struct error *error)
{
    struct x86_decoder *decoder = code == NULL ? NULL : x86_open(error);
    struct tracer *tracer;

    if (code != NULL && decoder == NULL)
        return NULL;
    tracer = allocate_array(1, sizeof *tracer);
    tracer->decoder = decoder;
    tracer->code = code;
    tracer->context = context;
    tracer->current.loaded = -1;
    tracer->sets = (uint64_t)fmax(1, cache / (LINE * WAYS));
    tracer->way = allocate_array(tracer->sets * WAYS, sizeof *tracer->way);
    tracer->recent = allocate_array(times_of(tracer) + 1, sizeof *tracer->recent);
    tracer->window = (size_t)window;
    tracer->retired = allocate_array(tracer->window, sizeof *tracer->retired);
    return tracer;
}

void tracer_free(struct tracer *tracer)
{
    for (size_t i = 0; i < tracer->slots; i++)
        free(tracer->page[i]);
    for (int p = 0; p < PHASES; p++) {
        free(tracer->phases[p].references);
        free(tracer->phases[p].reuse);
    }
    x86_close(tracer->decoder);
    free(tracer->retired);
    free(tracer->recent);
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

static void grow_pages(struct tracer *tracer)
{
    size_t slots = tracer->slots == 0 ? 64 : 2 * tracer->slots;
    struct code_page **table = allocate_array(slots, sizeof *table);

    for (size_t i = 0; i < tracer->slots; i++)
        if (tracer->page[i] != NULL)
            *find_page_slot(table, slots, tracer->page[i]->number) = tracer->page[i];
    free(tracer->page);
    tracer->page = table;
    tracer->slots = slots;
}

static struct code_page *find_code_page(struct tracer *tracer, uint64_t number)
{
    struct code_page **slot;

    if (2 * tracer->pages >= tracer->slots)
        grow_pages(tracer);
    slot = find_page_slot(tracer->page, tracer->slots, number);
    if (*slot != NULL)
        return *slot;
    *slot = allocate_array(1, sizeof **slot);
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

    tracer->current = X86_UNKNOWN;
    if (page != NULL && size <= X86_LENGTH_MAX && at + size <= page->length) {
        if (!page->done[at])
            page->decoded[at] = x86_decode(tracer->decoder, page->bytes + at, size);
        page->done[at] = true;
        tracer->current = page->decoded[at];
    }
    tracer->unknown = !tracer->current.known;
    tracer->total.unknown += tracer->unknown;
}

/* Chains --------------------------------------------------------------------------------------- */

/* Only to decide which of two chains is longer; model/program.h has the times of a machine. */
static const double cycles_of_step[STEP_COUNT] = {
    [STEP_SIMPLE] = 1,  [STEP_ADD] = 3,  [STEP_MULTIPLY] = 4,
    [STEP_DIVIDE] = 12, [STEP_LOAD] = 5, [STEP_REMOTE] = 300};

static void wait_for(struct chain *chain, const struct chain *other)
{
    if (other->cycles > chain->cycles)
        *chain = *other;
}

static void add_step(struct chain *chain, enum chain_step step)
{
    if (step == STEP_NONE)
        return;
    chain->cycles += cycles_of_step[step];
    chain->steps[step]++;
}

static void wait_for_registers(struct tracer *tracer, struct chain *chain, uint64_t registers)
{
    for (int r = 0; registers != 0; r++, registers >>= 1)
        if (registers & 1)
            wait_for(chain, &tracer->of_register[r]);
}

/* The current instruction is in the window when the one `window` before it has ended. */
static void begin_chain(struct tracer *tracer)
{
    tracer->addressed = tracer->retired[tracer->at];
    wait_for_registers(tracer, &tracer->addressed, tracer->current.address);
    tracer->loaded = tracer->addressed;
    tracer->storing = tracer->stored_end = 0;
    tracer->loads = tracer->stores = (struct run){0};
    tracer->began = true;
}

static void load_chain(struct tracer *tracer, uint64_t address, size_t size, bool remote)
{
    struct chain chain = tracer->addressed;

    for (uint64_t at = address / 8; at <= (address + size - 1) / 8; at++) {
        const struct stored *stored = &tracer->stored[at % STORES];

        if (stored->at == at + 1)
            wait_for(&chain, &stored->chain);
    }
    add_step(&chain, remote ? STEP_REMOTE : STEP_LOAD);
    wait_for(&tracer->loaded, &chain);
}

static void end_chain(struct tracer *tracer)
{
    struct chain *chain = &tracer->loaded;
    uint64_t writes = tracer->current.writes;

    if (!tracer->began)
        return;
    tracer->began = false;
    wait_for_registers(tracer, chain, tracer->current.reads);
    add_step(chain, tracer->current.step);
    for (int r = 0; writes != 0; r++, writes >>= 1)
        if (writes & 1)
            tracer->of_register[r] = *chain;
    for (uint64_t at = tracer->storing; at < tracer->stored_end; at++)
        tracer->stored[at % STORES] = (struct stored){at + 1, *chain};
    wait_for(&tracer->done, chain);
    tracer->retired[tracer->at] = tracer->done;
    tracer->at = (tracer->at + 1) % tracer->window;
}

/* A barrier: what comes later waits for nothing before. */
static void end_chains(struct tracer *tracer)
{
    end_chain(tracer);
    for (int s = 0; s < STEP_COUNT; s++)
        tracer->phases[tracer->phase].chain[s] += tracer->done.steps[s];
    tracer->done = (struct chain){0};
    memset(tracer->of_register, 0, sizeof tracer->of_register);
    memset(tracer->retired, 0, tracer->window * sizeof *tracer->retired);
    memset(tracer->stored, 0, sizeof tracer->stored);
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

/* Reuse: how many lines of the cache were used since ------------------------------------------- */

static void mark_time(struct tracer *tracer, uint64_t time, uint32_t change)
{
    for (; time <= times_of(tracer); time += time & -time)
        tracer->recent[time] += change;
}

static uint32_t marks_until(const struct tracer *tracer, uint64_t time)
{
    uint32_t marks = 0;

    for (; time > 0; time &= time - 1)
        marks += tracer->recent[time];
    return marks;
}

/* Numbers the times of the lines again from 1, in their order. */
static void compress_times(struct tracer *tracer)
{
    size_t lines = tracer->sets * WAYS;
    size_t times = times_of(tracer);

    for (size_t i = 0; i < lines; i++)
        if (tracer->way[i].line != 0)
            tracer->way[i].used = marks_until(tracer, tracer->way[i].used);
    tracer->now = marks_until(tracer, times);
    memset(tracer->recent, 0, (times + 1) * sizeof *tracer->recent);
    for (uint64_t time = 1; time <= tracer->now; time++)
        mark_time(tracer, time, 1);
}

/* A line that was stored to is fetched, and was written back when it left: it moves twice. */
static void count_reuse(struct tracer *tracer, uint64_t lines, struct way *way)
{
    struct counts *counts = &tracer->phases[tracer->phase];

    if (lines < NEAR)
        return;
    if (counts->reuse == NULL)
        counts->reuse = allocate_array(BINS, sizeof *counts->reuse);
    counts->reuse[bin_of_distance((double)lines)] += way->written ? 2 * LINE : LINE;
    way->written = false;
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
    if (tracer->now == times_of(tracer))
        compress_times(tracer);
    if (there)
        count_reuse(tracer, marks_until(tracer, tracer->now) - marks_until(tracer, oldest->used),
                    oldest);
    if (oldest->line != 0)
        mark_time(tracer, oldest->used, (uint32_t)-1);
    mark_time(tracer, tracer->now + 1, 1);
    *oldest = (struct way){line + 1, ++tracer->now, store || (there && oldest->stored),
                           store || (there && oldest->written)};
    return there;
}

/* Returns true for a remote reference. */
static bool refer_to_line(struct tracer *tracer, uint64_t line, char kind)
{
    const struct x86_instruction *current = &tracer->current;

    if (touch_line(tracer, line, kind != 'L'))
        return false;
    if (follows_stream(tracer, line) || kind == 'S') {
        tracer->phases[tracer->phase].bytes += LINE;
        return false;
    }
    tracer->total.references++;
    if (current->loaded < 0 || kind == 'M') {
        count_reference(tracer, tracer->phase, 0);
        return true;
    }
    end_waits(tracer, (uint64_t)1 << current->loaded);
    tracer->waiting |= (uint64_t)1 << current->loaded;
    tracer->awaited[current->loaded] = (struct awaited){tracer->total.instructions, tracer->phase};
    return true;
}

static void extend_run(struct run *run, uint64_t address, size_t size)
{
    run->bytes = (address == run->end ? run->bytes : 0) + size;
    run->end = address + size;
}

static void refer_to(struct tracer *tracer, uint64_t address, size_t size, char kind)
{
    bool remote = false;

    for (uint64_t line = address / LINE; line <= (address + size - 1) / LINE; line++)
        remote |= refer_to_line(tracer, line, kind);
    if (kind != 'S')
        load_chain(tracer, address, size, remote);
    if (kind != 'L') {
        if (address != tracer->stores.end)
            tracer->storing = address / 8;
        tracer->stored_end = (address + size - 1) / 8 + 1;
    }
    extend_run(kind == 'L' ? &tracer->loads : &tracer->stores, address, size);
}

/* Lines ---------------------------------------------------------------------------------------- */

static void count_instruction(struct tracer *tracer)
{
    struct counts *counts = &tracer->phases[tracer->phase];
    const struct x86_instruction *current = &tracer->current;

    tracer->total.instructions += 1 + current->copies;
    counts->instructions[current->class]++;
    counts->instructions[INSTRUCTION_LOAD] += current->copies;
    counts->vector += current->vector;
    counts->prefetches += current->prefetches;
    counts->unknown += tracer->unknown;
}

static void begin_instruction(struct tracer *tracer, uint64_t address, size_t size)
{
    end_chain(tracer);
    decode_current(tracer, address, size);
    if (tracer->current.marker >= 0) {
        end_chains(tracer);
        tracer->phase = tracer->current.marker + 1;
    }
    begin_chain(tracer);
    tracer->executed = address;
    tracer->size = size;
    count_instruction(tracer);
    end_waits(tracer, tracer->current.named);
}

/* What refers to memory and is printed again at once is a string instruction with a prefix for
 * repetition: no other one jumps to itself. Lackey prints it for each element, and where its count
 * says that none is left. */
static bool is_printed_again(const struct tracer *tracer, uint64_t address)
{
    return address == tracer->executed && (tracer->loads.bytes > 0 || tracer->stores.bytes > 0);
}

/* Returns true if the last element went to where movs is soon to load from. */
static bool overlaps(const struct tracer *tracer)
{
    uint64_t ahead = tracer->stores.end - tracer->loads.end;

    return tracer->loads.bytes > 0 && ahead > 0 && ahead < OVERLAP;
}

/* The first access of another element: those that movs and stos move upwards are not instructions
 * of their own up to the width of a vector. */
static void begin_element(struct tracer *tracer, uint64_t address, size_t size, char kind)
{
    const struct run *run = kind == 'L' ? &tracer->loads : &tracer->stores;

    tracer->again = false;
    if (tracer->stores.bytes == 0 || address != run->end || run->bytes + size > MOVE ||
        overlaps(tracer))
        begin_instruction(tracer, tracer->executed, tracer->size);
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
        tracer->again = is_printed_again(tracer, address);
        if (!tracer->again)
            begin_instruction(tracer, address, size);
        return;
    }
    if (tracer->current.without_memory)
        return;
    if (tracer->again)
        begin_element(tracer, address, size, kind);
    if (tracer->unknown && kind != 'M') {
        double *instructions = tracer->phases[tracer->phase].instructions;

        tracer->unknown = false; /* its first access says what it is */
        instructions[INSTRUCTION_OTHER]--;
        instructions[kind == 'L' ? INSTRUCTION_LOAD : INSTRUCTION_STORE]++;
    }
    refer_to(tracer, address, size, kind);
}

void tracer_read(struct tracer *tracer, const char *bytes, size_t length)
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
    bool has_chains = counts->unknown == 0;

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
    for (int b = 0; b < BINS && counts->reuse != NULL; b++)
        if (counts->reuse[b] > 0)
            buffer_print(buffer, "%s,0,reuse,%.0f,%.0f\n", name, LINE * distance_of_bin(b),
                         counts->reuse[b]);
    for (int s = 0; s < STEP_COUNT && has_chains; s++)
        if (counts->chain[s] > 0)
            buffer_print(buffer, "%s,0,chain,%s,%.0f\n", name, chain_step_names[s],
                         counts->chain[s]);
    if (counts->prefetches > 0)
        buffer_print(buffer, "%s,0,prefetch,,%.0f\n", name, counts->prefetches);
    if (counts->vector > 0 && has_chains)
        buffer_print(buffer, "%s,0,vector,,%.0f\n", name, counts->vector);
}

void tracer_write(struct tracer *tracer, struct buffer *buffer)
{
    char name[32];

    end_waits(tracer, tracer->waiting);
    end_chains(tracer);
    buffer_text(buffer, "phase,thread,kind,key,count\n");
    for (int p = 0; p < PHASES; p++) {
        snprintf(name, sizeof name, p == 0 ? "start" : "phase-%d", p - 1);
        write_phase(&tracer->phases[p], name, buffer);
    }
}
