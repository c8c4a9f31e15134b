#include "probe/apexmap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "base/csv.h"
#include "base/number.h"
#include "base/random.h"
#include "base/units.h"
#include "probe/loops/stream_loops.h"
#include "probe/system.h"
#include "probe/team.h"

/* Measuring ------------------------------------------------------------------------------------ */

#define STEP_WORDS (PROBE_STEP / sizeof(uint64_t))
#define BATCH 2048                    /* number of starts, 8 KiB */
#define WARM_WORDS ((size_t)10 << 20) /* read in random blocks before a point */
#define LINE_WORDS 8
#define SAMPLE_WORDS ((size_t)1 << 21)
#define SAMPLE_STARTS_MIN 64
#define SAMPLE_STARTS_MAX 65536
#define EMPTY_RUNS 1000
#define SIZES_MAX 8
#define SURFACE_SAMPLE 0.08 /* s, about, for a sample of each point of a surface */
#define SURFACE_WARM 3.5    /* s, before these points where the memory is large */

static const double alphas[] = {1, 0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001};
static const size_t blocks[] = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536};

#define ALPHAS (sizeof alphas / sizeof alphas[0])
#define BLOCKS (sizeof blocks / sizeof blocks[0])

void apexmap_starts(uint32_t *starts, size_t count, size_t words, size_t block, double alpha,
                    uint64_t *state)
{
    double last = (double)(words / block - 1);

    for (size_t i = 0; i < count; i++) {
        double u = ((double)i + uniform_next(state)) / (double)count;
        size_t j = random_below(state, i + 1);

        /* Shuffles on insertion: the new element is swapped to a random position. */
        if (j < i)
            starts[i] = starts[j];
        starts[j] = (uint32_t)((size_t)(pow(u, 1 / alpha) * last) * block);
    }
}

struct apexmap_run {
    struct probe *probe;
    struct huge_pages pages;
    size_t words;
    const struct stream_set *set;
    double empty; /* s, overhead of timing an empty batch */
    uint64_t state;
    uint64_t sum;
    double done, step; /* progress of the part before this size, and per point */
};

/* Draws and reads blocks; returns the time for reading, s. */
static double read_blocks(struct apexmap_run *run, size_t count, size_t block, double alpha)
{
    uint32_t starts[BATCH];
    double seconds = 0;

    while (count > 0) {
        size_t batch = count < BATCH ? count : BATCH;
        double begin;

        apexmap_starts(starts, batch, run->words, block, alpha, &run->state);
        begin = probe_now();
        run->sum += run->set->blocks(run->pages.bytes, starts, batch, block);
        seconds += probe_now() - begin - run->empty;
        count -= batch;
    }
    probe_keep_value((double)run->sum);
    return seconds;
}

/* The most visited memory is read last, so that each cache holds about its steady-state content. */
static void warm_for_blocks(struct apexmap_run *run, size_t block, double alpha)
{
    const volatile uint64_t *words = run->pages.bytes;
    size_t left = WARM_WORDS / (block > LINE_WORDS ? block : LINE_WORDS);
    size_t most = run->words < 2 * WARM_WORDS ? run->words : 2 * WARM_WORDS;

    for (size_t i = most; i >= LINE_WORDS; i -= LINE_WORDS) {
        if (i % STEP_WORDS == 0 && probe_stopped(run->probe))
            return;
        (void)words[i - LINE_WORDS];
    }
    for (left = left < run->words ? left : run->words; left > 0 && !probe_stopped(run->probe);) {
        size_t batch = left < BATCH ? left : BATCH;

        read_blocks(run, batch, block, alpha);
        left -= batch;
    }
}

static size_t starts_of_sample(size_t words, size_t block)
{
    size_t starts = SAMPLE_WORDS / block;

    starts = starts < SAMPLE_STARTS_MIN ? SAMPLE_STARTS_MIN : starts;
    starts = starts > SAMPLE_STARTS_MAX ? SAMPLE_STARTS_MAX : starts;
    /* A small memory is visited often enough with fewer. */
    return starts < 4 * words ? starts : 4 * words;
}

static size_t count_blocks(size_t words)
{
    size_t count = 0;

    while (count < BLOCKS && blocks[count] <= words / 4)
        count++;
    return count;
}

static void time_surface_point(struct apexmap_run *run, size_t block, double alpha)
{
    struct measurement_point point = measurement_point(MEASUREMENT_APEX, "apex", "");
    size_t starts = starts_of_sample(run->words, block);

    point.parameter[PARAMETER_SIZE] = (double)run->words * SURFACE_WORD;
    point.parameter[PARAMETER_BLOCK] = (double)block;
    point.parameter[PARAMETER_LOCALITY] = alpha;
    warm_for_blocks(run, block, alpha);
    for (int i = -1; i < run->probe->samples; i++) {
        double seconds;

        if (probe_stopped(run->probe))
            return;
        seconds = read_blocks(run, starts, block, alpha);
        if (i >= 0 && seconds > 0)
            point.sample[point.count++] = seconds / ((double)starts * (double)block);
    }
    probe_add_point(run->probe, &point);
}

static void time_surface(struct apexmap_run *run, size_t size)
{
    size_t block_count, points;
    uint64_t *words;

    if (!huge_pages_map(run->probe, &run->pages, size)) {
        error_set(run->probe->error, STATUS_IO, "out of memory for %zu B", size);
        return;
    }
    words = run->pages.bytes;
    run->words = size / sizeof *words;
    for (size_t i = 0; i < run->words && (i % STEP_WORDS > 0 || !probe_stopped(run->probe)); i++)
        words[i] = i;
    run->empty = INFINITY;
    for (int i = 0; i < EMPTY_RUNS; i++) {
        const uint32_t start = 0;
        double begin = probe_now();

        probe_keep_value((double)run->set->blocks(words, &start, 0, 1));
        run->empty = smaller(run->empty, probe_now() - begin);
    }
    block_count = count_blocks(run->words);
    points = block_count * ALPHAS;
    for (size_t i = 0; i < points && !probe_stopped(run->probe); i++) {
        time_surface_point(run, blocks[i % block_count], alphas[i / block_count]);
        probe_report(run->probe, MEASUREMENT_APEX,
                     run->done + run->step * (double)(i + 1) / (double)points);
    }
    huge_pages_unmap(&run->pages);
}

/* Chooses half of each cache and four times the last, below the largest size, which is last. */
static int choose_surface_sizes(const struct probe *probe, size_t sizes[SIZES_MAX])
{
    size_t usual = (size_t)SURFACE_SIZE;
    size_t largest = probe->largest < usual ? probe->largest : usual;
    const struct system_caches *caches = &system_here()->kind[0].caches;
    int count = 0;

    for (int i = 0; !probe->quick && i < caches->levels; i++)
        if (caches->capacity[i] > 0 && caches->capacity[i] <= (double)largest)
            sizes[count++] = (size_t)caches->capacity[i] / 2;
    if (count > 0 && 8 * sizes[count - 1] < largest) {
        sizes[count] = 8 * sizes[count - 1];
        count++;
    }
    sizes[count++] = largest;
    return count;
}

/* All cores at once --------------------------------------------------------------------------- */

/* What one core draws and reads. */
struct member {
    uint32_t *starts;
    uint64_t state;
    double begin, end;
};

struct team_run {
    struct apexmap_run *run;
    struct member *member;
    size_t count, block;
    double alpha;
};

/* Each core writes its part, so that the memory is divided among their nodes. */
static void touch_part(void *data, int rank, int size)
{
    const struct team_run *work = data;
    uint64_t *words = work->run->pages.bytes;
    size_t part = work->run->words / (size_t)size;
    size_t first = part * (size_t)rank;

    for (size_t i = first; i < (rank + 1 == size ? work->run->words : first + part); i++)
        words[i] = i;
}

static void draw_starts(void *data, int rank, int size)
{
    const struct team_run *work = data;
    struct member *member = &work->member[rank];

    (void)size;
    apexmap_starts(member->starts, work->count, work->run->words, work->block, work->alpha,
                   &member->state);
}

static void read_starts(void *data, int rank, int size)
{
    const struct team_run *work = data;
    struct member *member = &work->member[rank];

    (void)size;
    member->begin = probe_now();
    probe_keep_value((double)work->run->set->blocks(work->run->pages.bytes, member->starts,
                                                    work->count, work->block));
    member->end = probe_now();
}

/* Each sample has new starts; the first one warms the caches. */
static void time_team_point(struct team *team, struct team_run *work)
{
    struct measurement_point point = measurement_point(MEASUREMENT_APEX, "apex", "");
    struct probe *probe = work->run->probe;

    point.parameter[PARAMETER_SIZE] = (double)work->run->words * SURFACE_WORD;
    point.parameter[PARAMETER_BLOCK] = (double)work->block;
    point.parameter[PARAMETER_LOCALITY] = work->alpha;
    point.parameter[PARAMETER_CORES] = team_size(team);
    for (int i = -1; i < probe->samples && !probe_stopped(probe); i++) {
        double longest = 0;

        team_run(team, draw_starts, work);
        team_run(team, read_starts, work);
        for (int m = 0; m < team_size(team); m++)
            longest = larger(longest, work->member[m].end - work->member[m].begin);
        if (i >= 0 && longest > 0)
            point.sample[point.count++] = longest / ((double)work->count * (double)work->block);
    }
    if (point.count > 0)
        probe_add_point(probe, &point);
}

static void time_team_points(struct team *team, struct team_run *work)
{
    size_t block_count = count_blocks(work->run->words);

    team_run(team, touch_part, work);
    for (size_t i = 0; i < block_count * ALPHAS && !probe_stopped(work->run->probe); i++) {
        work->block = blocks[i % block_count];
        work->alpha = alphas[i / block_count];
        work->count = starts_of_sample(work->run->words, work->block);
        time_team_point(team, work);
        probe_report(work->run->probe, MEASUREMENT_APEX,
                     work->run->done +
                         work->run->step * (double)(i + 1) / (double)(block_count * ALPHAS));
    }
}

static void time_team_surface(struct apexmap_run *run, size_t size)
{
    struct probe *probe = run->probe;
    struct team_run work = {.run = run};
    struct team *team;

    if (team_open(&team, SYSTEM_CORES_MAX, probe->error) != STATUS_OK)
        return;
    if (team_size(team) > 1) {
        size_t members = (size_t)team_size(team);
        uint32_t *starts = allocate_array(members * SAMPLE_STARTS_MAX, sizeof *starts);

        run->words = size / sizeof(uint64_t);
        work.member = allocate_array(members, sizeof *work.member);
        for (size_t m = 0; m < members; m++)
            work.member[m] = (struct member){.starts = starts + m * SAMPLE_STARTS_MAX,
                                             .state = probe->seed + m + 1};
        if (huge_pages_map(probe, &run->pages, size))
            time_team_points(team, &work);
        else
            error_set(probe->error, STATUS_IO, "out of memory for %zu B", size);
        huge_pages_unmap(&run->pages);
        free(starts);
        free(work.member);
    }
    team_close(team);
}

enum status probe_apexmap(struct probe *probe, struct error *error)
{
    struct apexmap_run run = {.probe = probe, .set = stream_set_widest(), .state = probe->seed};
    size_t sizes[SIZES_MAX];
    int count = choose_surface_sizes(probe, sizes);

    probe_begin(probe, error);
    run.step = 1.0 / (probe->quick ? count : count + 1);
    system_pin_thread(probe->core);
    /* Start with the largest, to which models are fitted. */
    for (int i = count; i-- > 0 && !probe_stopped(probe);) {
        run.done = run.step * (count - 1 - i);
        time_surface(&run, sizes[i]);
    }
    if (!probe->quick && !probe_stopped(probe)) {
        run.done = run.step * count;
        time_team_surface(&run, sizes[count - 1]);
    }
    return error->status;
}

double probe_apexmap_seconds(const struct probe *probe)
{
    size_t sizes[SIZES_MAX];
    const int count = choose_surface_sizes(probe, sizes);
    const int team = !probe->quick && system_here()->cores > 1;
    double seconds = (count + team) * (probe->samples + 1) * SURFACE_SAMPLE;

    for (int i = 0; i < count; i++)
        seconds +=
            SURFACE_WARM * smaller(1, (double)sizes[i] / (2 * (double)WARM_WORDS * SURFACE_WORD));
    return seconds;
}

/* Reading a file ------------------------------------------------------------------------------- */

enum quantity { ALPHA, BLOCK, TIME, HELD, PART, CORES, QUANTITIES };

/* clang-format off */
static const struct column {
    const char *name;
    enum quantity quantity;
    double scale;        /* to s; for HELD to B, 0 if in words */
    bool several;        /* several blank-separated values */
    double least, most;  /* of a number, in the unit of the column */
    const char *allowed; /* permitted values of a number */
} columns[] = {
    {.name = "alpha", .quantity = ALPHA, .scale = 1, .least = 1e-9, .most = 1e9,
     .allowed = "a number of 1e-9 to 1e9"},
    {.name = "L", .quantity = BLOCK, .scale = 1, .least = 1, .most = SURFACE_BYTES_MOST,
     .allowed = "1 to 1e15 words"},
    {.name = "block_words", .quantity = BLOCK, .scale = 1, .least = 1, .most = SURFACE_BYTES_MOST,
     .allowed = "1 to 1e15 words"},
    {.name = "ns_per_access", .quantity = TIME, .scale = 1e-9, .least = 1e-6, .most = 1e9,
     .allowed = "a time of 1e-6 to 1e9 ns"},
    {.name = "samples_s", .quantity = TIME, .scale = 1, .several = true, .least = 1e-15, .most = 1,
     .allowed = "times of 1e-15 to 1 s, separated by blanks"},
    {.name = "M", .quantity = HELD, .least = SURFACE_HELD_LEAST, .most = SURFACE_BYTES_MOST,
     .allowed = "2048 words to 1000 TB"},
    {.name = "M_words", .quantity = HELD, .least = SURFACE_HELD_LEAST, .most = SURFACE_BYTES_MOST,
     .allowed = "2048 words to 1000 TB"},
    {.name = "size_bytes", .quantity = HELD, .scale = 1, .least = 1, .most = SURFACE_BYTES_MOST,
     .allowed = "2048 words to 1000 TB, in B"},
    {.name = "part", .quantity = PART},
    {.name = "cores", .quantity = CORES, .scale = 1, .least = 1, .most = 1e6,
     .allowed = "1 to 1e6"},
};
/* clang-format on */

#define COLUMNS (sizeof columns / sizeof columns[0])

struct surface_reader {
    struct records records;
    struct surface *surface;
    struct problems *problems;
    const struct column *column[QUANTITIES]; /* NULL if absent */
    int number[QUANTITIES];                  /* of that column */
    double held;                             /* words, for all points without a column */
    int record;
};

static void require_column(const struct surface_reader *reader, enum quantity quantity,
                           const char *what)
{
    char text[100];
    struct buffer names = buffer_over(text, sizeof text);

    if (reader->column[quantity] != NULL)
        return;
    for (size_t i = 0; i < COLUMNS; i++)
        if (columns[i].quantity == quantity)
            buffer_print(&names, "%s%s", names.length > 0 ? " or " : "", columns[i].name);
    problems_add(reader->problems, records_line(&reader->records, -1),
                 "no column for %s; expected %s", what, text);
}

static const char *field_text(const struct surface_reader *reader, enum quantity quantity)
{
    return reader->column[quantity] == NULL
               ? ""
               : records_field(&reader->records, reader->record, reader->number[quantity]);
}

/* Parses a field within the range of its column, the minimum of several. */
static bool parse_field(const struct column *column, const char *text, double *value)
{
    const char *end = text;
    bool good = false;

    while (*text != '\0') {
        double number;

        if (number_parse(text, &number, &end) != STATUS_OK || number < column->least ||
            number > column->most)
            return false;
        *value = good ? smaller(*value, number) : number;
        good = true;
        if (*end == '\0' || !column->several)
            break;
        if (*end != ' ')
            return false;
        text = end + strspn(end, " ");
    }
    return good && *end == '\0';
}

static void refuse_field(const struct surface_reader *reader, enum quantity quantity)
{
    problems_add(reader->problems, records_line(&reader->records, reader->record),
                 "%s \"%.100s\" is not allowed; allowed: %s", reader->column[quantity]->name,
                 field_text(reader, quantity), reader->column[quantity]->allowed);
}

static bool read_field(const struct surface_reader *reader, enum quantity quantity, double *value)
{
    if (parse_field(reader->column[quantity], field_text(reader, quantity), value))
        return true;
    refuse_field(reader, quantity);
    return false;
}

static void read_surface_point(struct surface_reader *reader)
{
    struct surface_point point = {.held = reader->held};
    bool good = read_field(reader, ALPHA, &point.alpha);

    good &= read_field(reader, BLOCK, &point.block);
    good &= read_field(reader, TIME, &point.seconds);
    if (reader->column[HELD] != NULL)
        good &= read_field(reader, HELD, &point.held);
    if (!good)
        return;
    point.seconds *= reader->column[TIME]->scale;
    if (reader->column[HELD] != NULL && reader->column[HELD]->scale > 0)
        point.held /= reader->surface->word;
    if (point.held < SURFACE_HELD_LEAST || point.held * reader->surface->word > SURFACE_BYTES_MOST)
        refuse_field(reader, HELD);
    else if (point.block > point.held)
        problems_add(reader->problems, records_line(&reader->records, reader->record),
                     "%s %.100s is more than the size accessed; allowed: 1 to %.0f words",
                     reader->column[BLOCK]->name, field_text(reader, BLOCK), point.held);
    else
        reader->surface->point[reader->surface->count++] = point;
}

/* Determines a size in B: given by the caller, stated in the comment "# NAME: SIZE", or assumed. */
static enum surface_origin choose_bytes(const struct surface_reader *reader, const char *name,
                                        double given, double assumed, double *value)
{
    int line;
    const char *text = records_comment(&reader->records, name, &line);
    struct error error;

    if (text != NULL && (quantity_parse(text, "B", value, &error) != STATUS_OK ||
                         !(*value >= 1 && *value <= SURFACE_BYTES_MOST))) {
        problems_add(reader->problems, line,
                     "%s \"%.60s\" is not allowed; allowed: " SURFACE_BYTES_ALLOWED, name, text);
        text = NULL;
    }
    if (given > 0) {
        *value = given;
        return SURFACE_GIVEN;
    }
    if (text != NULL)
        return SURFACE_IN_COMMENT;
    *value = assumed;
    return SURFACE_ASSUMED;
}

/* Reads the sizes common to the whole file. */
static void read_sizes(struct surface_reader *reader, const struct surface_given *given)
{
    struct surface *surface = reader->surface;
    double size;

    surface->word_origin = choose_bytes(reader, "word", given->word, SURFACE_WORD, &surface->word);
    if (reader->column[HELD] != NULL) {
        surface->held_origin = SURFACE_IN_COLUMN;
        if (given->size > 0)
            problems_add(reader->problems, records_line(&reader->records, -1),
                         "the size is already given by column %s of the file",
                         reader->column[HELD]->name);
        return;
    }
    surface->held_origin = choose_bytes(reader, "size", given->size, SURFACE_SIZE, &size);
    reader->held = size / surface->word;
    if (reader->held < SURFACE_HELD_LEAST)
        problems_add(reader->problems, 0,
                     "%.0f B in words of %.0f B are %.0f; allowed: 2048 or more", size,
                     surface->word, reader->held);
}

static void find_held_range(struct surface *surface)
{
    surface->least_held = INFINITY;
    for (int i = 0; i < surface->count; i++) {
        surface->least_held = smaller(surface->least_held, surface->point[i].held);
        surface->most_held = larger(surface->most_held, surface->point[i].held);
    }
}

static void read_surface_points(struct surface_reader *reader, const struct surface_given *given)
{
    struct error error;

    for (size_t i = COLUMNS; i-- > 0;) { /* of two columns for one quantity the first is used */
        int number = records_column(&reader->records, columns[i].name);

        if (number >= 0) {
            reader->column[columns[i].quantity] = &columns[i];
            reader->number[columns[i].quantity] = number;
        }
    }
    require_column(reader, ALPHA, "the locality");
    require_column(reader, BLOCK, "the words of a block");
    require_column(reader, TIME, "the time of an access");
    read_sizes(reader, given);
    if (reader->problems->count > 0)
        return;
    if (records_check_end(&reader->records, &error) != STATUS_OK)
        problems_add_error(reader->problems, &error);
    for (; reader->record < reader->records.count; reader->record++) {
        double cores = 1;
        bool other = reader->column[PART] != NULL && strcmp(field_text(reader, PART), "apex") != 0;
        bool unmeasured = reader->column[TIME]->several && field_text(reader, TIME)[0] == '\0';

        if (other || unmeasured ||
            (field_text(reader, CORES)[0] != '\0' && !read_field(reader, CORES, &cores)) ||
            (cores > 1) != given->team)
            continue;
        if (reader->surface->count > 0 && cores != reader->surface->cores)
            problems_add(reader->problems, records_line(&reader->records, reader->record),
                         "%.10g cores, where others have %.10g; allowed: one number besides 1",
                         cores, reader->surface->cores);
        reader->surface->cores = cores;
        read_surface_point(reader);
    }
    if (reader->surface->count == 0 && reader->problems->count == 0)
        problems_add(reader->problems, 0, "the file has no Apex-MAP points%s",
                     given->team ? " of several cores" : "");
    find_held_range(reader->surface);
}

enum status surface_parse(const char *bytes, size_t length, const struct surface_given *given,
                          struct surface *surface, struct problems *problems)
{
    struct surface_reader reader = {.surface = surface, .problems = problems};
    struct error error;
    enum status status = records_parse(&reader.records, bytes, length, &error);

    *surface = (struct surface){.cores = 1};
    if (status != STATUS_OK) {
        problems_add_error(problems, &error);
        return status;
    }
    surface->point = allocate_array((size_t)reader.records.count + 1, sizeof *surface->point);
    read_surface_points(&reader, given);
    records_free(&reader.records);
    if (problems->count == 0)
        return STATUS_OK;
    surface_free(surface);
    return STATUS_INVALID;
}

/* From a measurement --------------------------------------------------------------------------- */

enum status surface_from_measurement(const struct measurement *measurement, struct surface *surface,
                                     struct error *error)
{
    *surface = (struct surface){.word = SURFACE_WORD,
                                .cores = 1,
                                .word_origin = SURFACE_ASSUMED,
                                .held_origin = SURFACE_IN_COLUMN};
    surface->point = allocate_array((size_t)measurement->count + 1, sizeof *surface->point);
    for (int i = 0; i < measurement->count; i++) {
        const struct measurement_point *from = &measurement->point[i];

        if (from->part != MEASUREMENT_APEX || from->count == 0 ||
            from->parameter[PARAMETER_CORES] > 1)
            continue;
        surface->point[surface->count++] =
            (struct surface_point){.alpha = from->parameter[PARAMETER_LOCALITY],
                                   .block = from->parameter[PARAMETER_BLOCK],
                                   .held = from->parameter[PARAMETER_SIZE] / SURFACE_WORD,
                                   .seconds = point_least(from)};
    }
    find_held_range(surface);
    if (surface->count > 0)
        return STATUS_OK;
    surface_free(surface);
    return error_set(error, STATUS_INVALID, "no Apex-MAP surface was measured");
}

void surface_keep_largest(struct surface *surface)
{
    int kept = 0;

    for (int i = 0; i < surface->count; i++)
        if (surface->point[i].held == surface->most_held)
            surface->point[kept++] = surface->point[i];
    surface->count = kept;
    surface->least_held = surface->most_held;
}

static bool has_point(const struct surface *surface, const struct surface_point *point)
{
    for (int i = 0; i < surface->count; i++)
        if (surface->point[i].alpha == point->alpha && surface->point[i].block == point->block)
            return true;
    return false;
}

void surface_keep_common(struct surface *surface, const struct surface *other)
{
    int kept = 0;

    for (int i = 0; i < surface->count; i++)
        if (has_point(other, &surface->point[i]))
            surface->point[kept++] = surface->point[i];
    surface->count = kept;
}

void surface_free(struct surface *surface)
{
    free(surface->point);
    *surface = (struct surface){0};
}
