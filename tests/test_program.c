/* The time of a parallel program: check values, cases by hand, bounds and properties. */
#include "model/program.h"

#include <string.h>

#include "base/number.h"
#include "check.h"
#include "draw.h"

#define PHASES 3
#define THREADS 4
#define REFERENCES 3

/* A program in place: every thread in every phase, REFERENCES distances each. */
struct sample {
    struct program_phase phase[PHASES];
    struct program_thread thread[PHASES * THREADS];
    struct program_reference reference[PHASES * THREADS * REFERENCES];
    struct program program;
};

static void start(struct sample *sample, int phases, int threads)
{
    memset(sample, 0, sizeof *sample);
    for (int f = 0; f < phases; f++) {
        sample->phase[f].first = (size_t)(f * threads);
        sample->phase[f].count = (size_t)threads;
        for (int t = 0; t < threads; t++) {
            sample->thread[f * threads + t].number = t;
            sample->thread[f * threads + t].rank = t;
            sample->thread[f * threads + t].first = (size_t)((f * threads + t) * REFERENCES);
        }
    }
    sample->program = (struct program){.phase_count = phases,
                                       .threads = threads,
                                       .phase = sample->phase,
                                       .thread = sample->thread,
                                       .reference = sample->reference};
}

/* A clock of 1 Hz, so that seconds are cycles; no bound by bandwidth. */
static struct program_machine machine_of(double latency)
{
    struct program_machine machine = {.clock = 1, .latency = latency, .bandwidth = 1e18};

    for (int c = 0; c < INSTRUCTION_COUNT; c++)
        machine.cpi[c] = 1;
    return machine;
}

static void refer(struct sample *sample, int thread, int at, double distance, double count)
{
    struct program_thread *t = &sample->thread[thread];

    sample->reference[t->first + (size_t)at] = (struct program_reference){distance, count};
    if (t->count <= (size_t)at)
        t->count = (size_t)at + 1;
}

TEST(a_reference_costs_what_is_not_hidden)
{
    CHECK_NEAR(program_reference_cost(100, 100), 1, 0);
    CHECK_NEAR(program_reference_cost(100, 99), 1, 0);
    CHECK_NEAR(program_reference_cost(100, 98), 2, 0);
    CHECK_NEAR(program_reference_cost(100, 0), 100, 0);
    CHECK_NEAR(program_reference_cost(100, 1e15), 1, 0);
    CHECK_NEAR(program_reference_cost(1, 0), 1, 0);
}

TEST(check_values)
{
    struct program_machine machine = machine_of(100);
    struct program_time time;
    struct sample s;

    start(&s, 1, 1);
    refer(&s, 0, 0, 10, 1000);
    refer(&s, 0, 1, 50, 500);
    refer(&s, 0, 2, 200, 2000);
    machine.distance = DISTANCE_CYCLES;
    time = program_total_time(&s.program, &machine);
    CHECK_NEAR(time.time, 117000, 0);
    CHECK_NEAR(time.stall_share, 1, 0);
    CHECK_NEAR(time.bytes, 3500 * 64, 0);
    /* without instructions a distance in instructions is one in cycles */
    machine.distance = DISTANCE_INSTRUCTIONS;
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 117000, 0);
}

/* Distances pass at the pace of the thread's own instructions. */
TEST(distance_in_instructions_or_cycles)
{
    struct program_machine machine = machine_of(100);
    struct sample s;

    start(&s, 1, 1);
    s.thread[0].instructions[INSTRUCTION_INT] = 30;
    s.thread[0].instructions[INSTRUCTION_DIV] = 10;
    machine.cpi[INSTRUCTION_INT] = 0.5;
    machine.cpi[INSTRUCTION_DIV] = 10.5; /* 120 cycles in 40 instructions: 3 each */
    refer(&s, 0, 0, 20, 2);
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 120 + 2 * (100 - 60), 1e-15);
    CHECK_NEAR(program_total_time(&s.program, &machine).stall_share, 80 / 200.0, 1e-15);
    machine.distance = DISTANCE_CYCLES;
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 120 + 2 * (100 - 20), 1e-15);
}

TEST(every_class_has_its_cpi)
{
    struct program_machine machine = machine_of(100);
    struct sample s;
    double sum = 0;

    start(&s, 1, 1);
    for (int c = 0; c < INSTRUCTION_COUNT; c++) {
        s.thread[0].instructions[c] = 1 << c;
        machine.cpi[c] = c + 1;
        sum += (1 << c) * (c + 1);
    }
    CHECK_NEAR(program_total_time(&s.program, &machine).time, sum, 0);
}

/* With a chain the largest of instructions, vector instructions and chain counts, not the sum. */
TEST(a_chain_overlaps)
{
    struct program_machine machine = machine_of(100);
    struct program_time time;
    struct sample s;

    start(&s, 1, 1);
    s.thread[0].instructions[INSTRUCTION_INT] = 1000;
    refer(&s, 0, 0, 0, 4);
    CHECK(!program_has_chains(&s.program));
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 1000 + 4 * 100, 0);
    machine.issue = 4;
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 250 + 4 * 100, 0);

    s.thread[0].chain[STEP_ADD] = 20;
    machine.step[STEP_ADD] = 3;
    CHECK(program_has_chains(&s.program));
    time = program_total_time(&s.program, &machine);
    CHECK_NEAR(time.time, 250, 0); /* 60 of the chain */
    CHECK_NEAR(time.stall_share, 0, 0);
    CHECK_INT(time.limit, LIMIT_THREADS);
    machine.issue = 0;
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 1000 / 4.0, 0); /* assumed */

    s.thread[0].chain[STEP_REMOTE] = 2;
    time = program_total_time(&s.program, &machine);
    CHECK_NEAR(time.time, 60 + 2 * 100, 0);
    CHECK_NEAR(time.stall_share, (260 - 250) / 260.0, 1e-15);
    CHECK_INT(time.limit, LIMIT_CHAIN);
    CHECK_STR(program_limit_name(time.limit), "chain");

    s.thread[0].vector = 600;
    machine.pipes = 2;
    time = program_total_time(&s.program, &machine);
    CHECK_NEAR(time.time, 300, 0);
    CHECK_INT(time.limit, LIMIT_THREADS);
}

/* The time counts no reference as prefetched, unless it is asked for. */
TEST(prefetches_cover_references)
{
    struct program_machine machine = machine_of(100);
    struct sample s;

    start(&s, 1, 1);
    refer(&s, 0, 0, 0, 8);
    s.thread[0].prefetches = 6;
    CHECK_NEAR(program_prefetches(&s.program, 0), 6, 0);
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 800, 0);
    machine.prefetched = true;
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 200, 1e-12);
    s.thread[0].prefetches = 9;
    CHECK(program_total_time(&s.program, &machine).time < 1e-12); /* but for its bytes */
    /* a chain loads what they fetched from the first cache */
    s.thread[0].chain[STEP_REMOTE] = 10;
    machine.step[STEP_LOAD] = 4;
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 9 * 4 + 100, 1e-12);
    machine.prefetched = false;
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 1000, 0);
}

/* Bytes that are used again come from the smallest cache that is larger than what was accessed
 * since; from the first at no cost. */
TEST(reuse_is_of_a_cache)
{
    struct program_reuse reuse[] = {{99, 1000}, {100, 600}, {999, 600}, {1000, 90}};
    struct program_machine machine = machine_of(1);
    struct program_time time;
    struct sample s;

    start(&s, 1, 1);
    s.program.reuse = reuse;
    s.phase[0].reuses = 4;
    machine.bandwidth = 1;
    machine.caches.count = 2;
    machine.caches.level[0] = (struct memory_level){LEVEL_L1, 100, 1e-9, 0};
    machine.caches.level[1] = (struct memory_level){LEVEL_L2, 1000, 4, 0};
    time = program_total_time(&s.program, &machine);
    CHECK_NEAR(time.bandwidth, (600 + 600) / 4 + 90, 0);
    CHECK_NEAR(time.bytes, 90, 0);
    program_machine_share(&machine, 0.5, false);
    CHECK_NEAR(program_total_time(&s.program, &machine).bandwidth, 2 * (300 + 90), 0);
    program_machine_share(&machine, 0.5, true); /* its own cores, and their caches */
    CHECK_NEAR(program_total_time(&s.program, &machine).bandwidth, 2 * 300 + 4 * 90, 0);
}

/* The slowest thread counts in each phase; who has nothing to do waits. */
TEST(a_phase_waits_for_its_slowest_thread)
{
    struct program_machine machine = machine_of(300);
    struct program_time time;
    struct sample s;

    start(&s, 2, 2);
    s.thread[0].instructions[INSTRUCTION_FP] = 100;
    s.thread[1].instructions[INSTRUCTION_FP] = 300;
    s.phase[1].count = 1; /* thread 0 alone */
    s.thread[2].instructions[INSTRUCTION_FP] = 50;
    refer(&s, 2, 0, 0, 0.5);
    machine.clock = 2;
    time = program_phase_time(&s.program, 0, &machine);
    CHECK_NEAR(time.time, 150, 0);
    CHECK_NEAR(time.balance, 200 / 300.0, 1e-15);
    CHECK_NEAR(time.stall_share, 0, 0);
    time = program_phase_time(&s.program, 1, &machine);
    CHECK_NEAR(time.time, 100, 0);
    CHECK_NEAR(time.balance, 0.5, 0);
    CHECK_NEAR(time.stall_share, 0.75, 0);
    time = program_total_time(&s.program, &machine);
    CHECK_NEAR(time.time, 250, 0);
    CHECK_NEAR(time.balance, 600 / 2.0 / 500, 1e-15);
    CHECK_NEAR(time.stall_share, 150 / 600.0, 1e-15);
    CHECK_INT(time.limit, LIMIT_THREADS);
}

/* Bandwidth and locks bound a phase from below and never add to it. */
TEST(contention_bounds_a_phase)
{
    struct program_machine machine = machine_of(100);
    struct program_time time;
    struct sample s;

    start(&s, 1, 2);
    s.thread[0].instructions[INSTRUCTION_INT] = 1000;
    refer(&s, 1, 0, 200, 10);
    s.phase[0].bytes = 360;
    machine.bandwidth = 1; /* B/s: 640 of the references, 360 beside them, 1000 s */
    time = program_phase_time(&s.program, 0, &machine);
    CHECK_NEAR(time.time, 1000, 0);
    CHECK_STR(program_limit_name(time.limit), "threads");
    s.phase[0].bytes += 1;
    time = program_phase_time(&s.program, 0, &machine);
    CHECK_NEAR(time.time, 1001, 0);
    CHECK_NEAR(time.bytes, 1001, 0);
    CHECK_STR(program_limit_name(time.limit), "bandwidth");
    s.phase[0].locked = 1002;
    time = program_phase_time(&s.program, 0, &machine);
    CHECK_NEAR(time.time, 1002, 0);
    CHECK_STR(program_limit_name(time.limit), "locks");
    s.phase[0].locked = 999;
    CHECK_NEAR(program_phase_time(&s.program, 0, &machine).time, 1001, 0);
    CHECK_INT(program_total_time(&s.program, &machine).limit, LIMIT_BANDWIDTH);
}

/* Three threads of 10, 20 and 40 cycles: on two cores 0 and 2 share one. */
TEST(threads_share_cores)
{
    static const double expected[] = {70, 50, 40};
    struct program_machine machine = machine_of(100);
    struct sample s;

    start(&s, 2, 3);
    for (int t = 0; t < 3; t++)
        s.thread[t].instructions[INSTRUCTION_INT] = 10 << t;
    s.phase[1].locked = 45;
    s.thread[5].instructions[INSTRUCTION_INT] = 4;
    for (int cores = 1; cores <= 3; cores++) {
        struct program_time time = program_time_on(&s.program, &machine, cores);

        CHECK_NEAR(time.time, expected[cores - 1] + 45, 1e-12);
        CHECK_NEAR(time.threads, expected[cores - 1] + 4, 1e-12);
        CHECK_NEAR(time.balance, 74 / (expected[cores - 1] + 4) / cores, 1e-12);
    }
    CHECK_NEAR(program_total_time(&s.program, &machine).time, 85, 1e-12);
}

/* Distances 0, 1, 3 and 5 of threads with a mean CPI of 1 and of 2; 2^50 is beyond any trace. */
TEST(references_are_sorted_by_distance)
{
    struct program_machine machine = machine_of(100);
    struct program_bin bin[PROGRAM_BINS];
    struct sample s;

    start(&s, 1, 2);
    CHECK_INT(program_distances(&s.program, &machine, bin), 0);
    refer(&s, 0, 0, 0, 7);
    refer(&s, 0, 1, 3, 10);
    refer(&s, 1, 0, 3.5, 2);
    refer(&s, 1, 1, 1, 1);
    refer(&s, 1, 2, 5, 0);
    machine.cpi[INSTRUCTION_DIV] = 2;
    s.thread[1].instructions[INSTRUCTION_DIV] = 9;
    if (!CHECK_INT(program_distances(&s.program, &machine, bin), 3))
        return;
    CHECK_NEAR(bin[0].count, 7, 0);
    CHECK_NEAR(bin[0].cost, 700, 0);
    CHECK_NEAR(bin[1].count, 1, 0);
    CHECK_NEAR(bin[1].cost, 98, 0);
    CHECK_NEAR(bin[2].from, 2, 0);
    CHECK_NEAR(bin[2].to, 4, 0);
    CHECK_NEAR(bin[2].count, 12, 0);
    CHECK_NEAR(bin[2].cost, 10 * 97 + 2 * 93, 1e-12);
    refer(&s, 0, 2, 1e15, 1);
    CHECK_INT(program_distances(&s.program, &machine, bin), PROGRAM_BINS);
    CHECK_NEAR(bin[PROGRAM_BINS - 1].cost, 1, 0);
}

TEST(nothing_to_do_takes_no_time)
{
    struct program_machine machine = machine_of(100);
    struct program_time time;
    struct sample s;

    start(&s, 1, 2);
    time = program_total_time(&s.program, &machine);
    CHECK_NEAR(time.time, 0, 0);
    CHECK_NEAR(time.balance, 1, 0);
    CHECK_NEAR(time.stall_share, 0, 0);
}

TEST(the_curve_spans_one_cycle_to_ten_times)
{
    static const double expected[PROGRAM_CURVE_POINTS] = {
        1, 2, 4, 8, 17, 35, 72, 147, 300, 400, 533, 711, 949, 1265, 1687, 2250, 3000};
    struct program_machine machine = machine_of(300);

    for (int i = 0; i < PROGRAM_CURVE_POINTS; i++)
        CHECK_NEAR(program_latency_at(&machine, i), expected[i], 0);
}

/* Whatever the machine's latency, it is on the curve, which rises. */
TEST(the_curve_passes_the_machine)
{
    static const double latencies[] = {1.001, 1.5, 2, 3, 7, 20.4, 99.5, 300, 12345.6, 100000};

    for (size_t k = 0; k < sizeof latencies / sizeof latencies[0]; k++) {
        struct program_machine machine = machine_of(latencies[k]);

        CHECK_NEAR(program_latency_at(&machine, 0), 1, 0);
        CHECK_NEAR(program_latency_at(&machine, PROGRAM_CURVE_OWN), latencies[k], 0);
        CHECK_NEAR(program_latency_at(&machine, PROGRAM_CURVE_POINTS - 1), 10 * latencies[k],
                   1e-15);
        for (int i = 1; i < PROGRAM_CURVE_POINTS; i++)
            CHECK_TRUE(program_latency_at(&machine, i) > program_latency_at(&machine, i - 1),
                       "latency %g: point %d is %g, behind %g", latencies[k], i,
                       program_latency_at(&machine, i), program_latency_at(&machine, i - 1));
    }
}

/* Random programs ---------------------------------------------------------------------------- */

static void fill(struct sample *s, struct draw *draw)
{
    start(s, PHASES, THREADS);
    for (int i = 0; i < PHASES * THREADS; i++) {
        for (int c = 0; c < INSTRUCTION_COUNT; c++)
            if (draw_chance(draw, 0.4))
                s->thread[i].instructions[c] = draw_below(draw, 100000);
        for (int r = 0; r < REFERENCES; r++)
            if (draw_chance(draw, 0.7))
                refer(s, i, r, draw_below(draw, 600), draw_below(draw, 2000));
    }
    for (int f = 0; f < PHASES; f++) {
        s->phase[f].locked = draw_chance(draw, 0.3) ? draw_below(draw, 1000000) : 0;
        s->phase[f].bytes = draw_chance(draw, 0.3) ? draw_below(draw, 100000000) : 0;
    }
}

static struct program_machine any_machine(struct draw *draw)
{
    struct program_machine machine = machine_of(1 + draw_below(draw, 1000));

    machine.clock = 1e9 * (1 + draw_below(draw, 4));
    machine.bandwidth = 1e9 * (1 + draw_below(draw, 100));
    machine.distance = (enum distance)draw_below(draw, 2);
    for (int c = 0; c < INSTRUCTION_COUNT; c++)
        machine.cpi[c] = 0.05 * (1 + draw_below(draw, 100));
    return machine;
}

static void check_shares(const struct program_time *time, int seed)
{
    CHECK_TRUE(time->balance > 0 && time->balance <= 1, "seed %d: balance %g", seed, time->balance);
    CHECK_TRUE(time->stall_share >= 0 && time->stall_share <= 1, "seed %d: stall share %g", seed,
               time->stall_share);
    CHECK_TRUE(time->time >= time->threads && time->time >= time->bandwidth &&
                   time->time >= time->locks,
               "seed %d: %g is below a bound", seed, time->time);
}

/* More of what takes time never takes less of it. */
TEST(slower_machines_take_longer)
{
    for (int seed = 1; seed <= 2000; seed++) {
        struct draw draw = draw_start((uint64_t)seed);
        struct program_machine machine;
        struct program_machine worse;
        struct program_time time;
        struct sample s;
        double sum = 0;

        fill(&s, &draw);
        machine = any_machine(&draw);
        time = program_total_time(&s.program, &machine);
        check_shares(&time, seed);
        for (int f = 0; f < PHASES; f++) {
            struct program_time phase = program_phase_time(&s.program, f, &machine);

            check_shares(&phase, seed);
            CHECK_TRUE(phase.time == larger(phase.threads, larger(phase.bandwidth, phase.locks)),
                       "seed %d: phase %d takes %g", seed, f, phase.time);
            sum += phase.time;
        }
        CHECK_NEAR(time.time, sum, 1e-12);
        worse = machine;
        worse.latency *= 1.1;
        CHECK_TRUE(program_total_time(&s.program, &worse).time >= time.time,
                   "seed %d: a longer latency takes less", seed);
        worse = machine;
        worse.bandwidth /= 2;
        CHECK_TRUE(program_total_time(&s.program, &worse).time >= time.time,
                   "seed %d: half the bandwidth takes less", seed);
        worse = machine;
        worse.clock /= 2;
        CHECK_TRUE(program_total_time(&s.program, &worse).time >= time.time,
                   "seed %d: half the clock takes less", seed);
        worse = machine;
        worse.distance = DISTANCE_CYCLES;
        time = program_total_time(&s.program, &worse);
        worse.cpi[draw_below(&draw, INSTRUCTION_COUNT)] *= 1.5;
        CHECK_TRUE(program_total_time(&s.program, &worse).time >= time.time,
                   "seed %d: more cycles an instruction take less", seed);
    }
}

/* With distances in instructions slower instructions hide more of the latency. That is never more
 * than they lose where a thread has one reference in flight at a time: the distances then add up to
 * no more than its instructions. */
TEST(slower_instructions_take_longer)
{
    for (int seed = 1; seed <= 2000; seed++) {
        struct draw draw = draw_start((uint64_t)seed);
        struct program_machine machine;
        struct program_time time;
        struct sample s;

        fill(&s, &draw);
        for (int i = 0; i < PHASES * THREADS; i++)
            for (size_t r = 0; r < s.thread[i].count; r++) {
                const struct program_reference *at = &s.reference[s.thread[i].first + r];

                s.thread[i].instructions[INSTRUCTION_OTHER] += at->distance * at->count;
            }
        machine = any_machine(&draw);
        machine.distance = DISTANCE_INSTRUCTIONS;
        time = program_total_time(&s.program, &machine);
        machine.cpi[draw_below(&draw, INSTRUCTION_COUNT)] *= 1.5;
        CHECK_TRUE(program_total_time(&s.program, &machine).time >= time.time * (1 - 1e-12),
                   "seed %d: more cycles an instruction take less", seed);
    }
}
