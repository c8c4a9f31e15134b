#include "model/program.h"

#include <math.h>

#include "base/number.h"
#include "model/device.h"

const char *program_limit_name(enum program_limit limit)
{
    static const char *const names[] = {"threads", "chain", "bandwidth", "locks"};

    return names[limit];
}

double program_reference_cost(double latency, double distance)
{
    return larger(1, latency - distance);
}

/* Assumed of an out-of-order core: Intel's from 2015 and AMD's from 2017 on begin 4 to 8. */
#define ISSUE_ASSUMED 4

/* Cycles of one thread in one phase. */
struct cycles {
    double all, remote, references;
    double mean; /* per unit of distance */
    bool chained;
};

static bool has_chain(const struct program_thread *thread)
{
    for (int s = 0; s < STEP_COUNT; s++)
        if (thread->chain[s] > 0)
            return true;
    return false;
}

bool program_has_chains(const struct program *program)
{
    for (int f = 0; f < program->phase_count; f++)
        for (size_t t = 0; t < program->phase[f].count; t++)
            if (!has_chain(&program->thread[program->phase[f].first + t]))
                return false;
    return true;
}

double program_prefetches(const struct program *program, int phase)
{
    const struct program_phase *p = &program->phase[phase];
    double prefetches = 0;

    for (size_t i = 0; i < p->count; i++)
        prefetches += program->thread[p->first + i].prefetches;
    return prefetches;
}

static struct cycles instruction_cycles(const struct program_thread *thread,
                                        const struct program_machine *machine)
{
    double issue = machine->issue > 0 ? machine->issue : has_chain(thread) ? ISSUE_ASSUMED : 1;
    struct cycles cycles = {.mean = 1};
    double executed = 0;

    for (int c = 0; c < INSTRUCTION_COUNT; c++) {
        executed += thread->instructions[c];
        cycles.all += thread->instructions[c] * machine->cpi[c];
    }
    cycles.all /= issue;
    if (executed > 0 && machine->distance == DISTANCE_INSTRUCTIONS)
        cycles.mean = cycles.all / executed;
    return cycles;
}

static double reference_cycles(const struct program_reference *reference,
                               const struct program_machine *machine, double mean)
{
    return reference->count * program_reference_cost(machine->latency, reference->distance * mean);
}

/* Takes the largest of instructions, vector instructions and chain. */
static void take_chain(struct cycles *cycles, const struct program_thread *thread,
                       const struct program_machine *machine)
{
    double covered =
        machine->prefetched ? smaller(thread->chain[STEP_REMOTE], thread->prefetches) : 0;
    double local = covered * machine->step[STEP_LOAD];
    double chain;

    for (int s = 0; s < STEP_REMOTE; s++)
        local += thread->chain[s] * machine->step[s];
    chain = local + (thread->chain[STEP_REMOTE] - covered) * machine->latency;
    if (machine->pipes > 0)
        cycles->all = larger(cycles->all, thread->vector / machine->pipes);
    cycles->chained = chain > cycles->all;
    cycles->remote = larger(0, chain - larger(cycles->all, local));
    cycles->all = larger(cycles->all, chain);
}

static struct cycles thread_cycles(const struct program *program,
                                   const struct program_thread *thread,
                                   const struct program_machine *machine)
{
    struct cycles cycles = instruction_cycles(thread, machine);

    for (size_t i = 0; i < thread->count; i++) {
        const struct program_reference *reference = &program->reference[thread->first + i];

        cycles.references += reference->count;
        cycles.remote += reference_cycles(reference, machine, cycles.mean);
    }
    if (machine->prefetched && cycles.references > 0)
        cycles.remote *= larger(0, 1 - thread->prefetches / cycles.references);
    if (has_chain(thread))
        take_chain(&cycles, thread, machine);
    else
        cycles.all += cycles.remote;
    return cycles;
}

/* Seconds to move bytes that are used again from the caches that hold them. */
static double reuse_time(const struct program *program, const struct program_phase *phase,
                         const struct program_machine *machine, double *bytes)
{
    double time = 0;

    for (size_t i = 0; i < phase->reuses; i++) {
        const struct program_reuse *reuse = &program->reuse[phase->first_reuse + i];
        int k = 0;

        while (k < machine->caches.count && reuse->distance >= machine->caches.level[k].capacity)
            k++;
        if (k == machine->caches.count)
            *bytes += reuse->bytes;
        else if (k > 0)
            time += reuse->bytes / machine->caches.level[k].bandwidth;
    }
    return time;
}

/* Cycles of all threads in a phase; results of phases and of the whole program derive from them. */
struct tally {
    double sum, largest, remote;
    double largest_chained; /* cycles of chains in `largest` */
};

static enum program_limit largest_bound(const struct program_time *time, const struct tally *tally)
{
    if (time->bandwidth > time->threads && time->bandwidth >= time->locks)
        return LIMIT_BANDWIDTH;
    if (time->locks > time->threads)
        return LIMIT_LOCKS;
    return tally->largest_chained > tally->largest / 2 ? LIMIT_CHAIN : LIMIT_THREADS;
}

static void set_shares(struct program_time *time, const struct tally *tally, int cores)
{
    time->balance = tally->largest > 0 ? tally->sum / cores / tally->largest : 1;
    time->balance = smaller(time->balance, 1); /* rounding may make the mean larger */
    time->stall_share = tally->sum > 0 ? tally->remote / tally->sum : 0;
}

static struct program_time phase_time(const struct program *program, int phase,
                                      const struct program_machine *machine, int cores,
                                      struct tally *tally)
{
    const struct program_phase *p = &program->phase[phase];
    struct program_time time = {0};
    double busy[PROGRAM_THREADS_MAX], chained[PROGRAM_THREADS_MAX];
    double reuse;

    for (int c = 0; c < cores; c++)
        busy[c] = chained[c] = 0;
    *tally = (struct tally){0};
    time.bytes = p->bytes;
    for (size_t i = 0; i < p->count; i++) {
        const struct program_thread *thread = &program->thread[p->first + i];
        struct cycles cycles = thread_cycles(program, thread, machine);
        int core = thread->rank % cores;

        busy[core] += cycles.all;
        chained[core] += cycles.chained ? cycles.all : 0;
        tally->sum += cycles.all;
        tally->remote += cycles.remote;
        if (busy[core] > tally->largest) {
            tally->largest = busy[core];
            tally->largest_chained = chained[core];
        }
        time.bytes += PROGRAM_LINE * cycles.references;
    }
    reuse = reuse_time(program, p, machine, &time.bytes);
    time.threads = tally->largest / machine->clock;
    time.bandwidth = time.bytes / machine->bandwidth + reuse;
    time.locks = p->locked / machine->clock;
    time.time = larger(time.threads, larger(time.bandwidth, time.locks));
    time.limit = largest_bound(&time, tally);
    return time;
}

struct program_time program_phase_time(const struct program *program, int phase,
                                       const struct program_machine *machine)
{
    struct tally tally;
    struct program_time time = phase_time(program, phase, machine, program->threads, &tally);

    set_shares(&time, &tally, program->threads);
    return time;
}

struct program_time program_total_time(const struct program *program,
                                       const struct program_machine *machine)
{
    return program_time_on(program, machine, program->threads);
}

struct program_time program_time_on(const struct program *program,
                                    const struct program_machine *machine, int cores)
{
    struct program_time total = {0};
    struct tally all = {0};
    double due[LIMIT_LOCKS + 1] = {0};

    for (int f = 0; f < program->phase_count; f++) {
        struct tally tally;
        struct program_time phase = phase_time(program, f, machine, cores, &tally);

        total.time += phase.time;
        total.threads += phase.threads;
        total.bandwidth += phase.bandwidth;
        total.locks += phase.locks;
        total.bytes += phase.bytes;
        due[phase.limit] += phase.time;
        all.sum += tally.sum;
        all.largest += tally.largest;
        all.remote += tally.remote;
    }
    set_shares(&total, &all, cores);
    for (enum program_limit limit = LIMIT_CHAIN; limit <= LIMIT_LOCKS; limit++)
        if (due[limit] > due[total.limit])
            total.limit = limit;
    return total;
}

int program_distances(const struct program *program, const struct program_machine *machine,
                      struct program_bin bin[PROGRAM_BINS])
{
    int count = 0;

    for (int i = 0; i < PROGRAM_BINS; i++)
        bin[i] = (struct program_bin){.from = i == 0 ? 0 : ldexp(1, i - 1), .to = ldexp(1, i)};
    for (int f = 0; f < program->phase_count; f++)
        for (size_t t = 0; t < program->phase[f].count; t++) {
            const struct program_thread *thread = &program->thread[program->phase[f].first + t];
            double mean = instruction_cycles(thread, machine).mean;

            for (size_t i = 0; i < thread->count; i++) {
                const struct program_reference *reference = &program->reference[thread->first + i];
                int at = reference->distance < 1 ? 0 : ilogb(reference->distance) + 1;

                bin[at].count += reference->count;
                bin[at].cost += reference_cycles(reference, machine, mean);
                if (at >= count && reference->count > 0)
                    count = at + 1;
            }
        }
    return count;
}

/* Cycles where the device does not say: of scalar fp32 on x86-64 processors since 2015. */
#define LOAD_ASSUMED 5
#define ADD_ASSUMED 4
#define MULTIPLY_ASSUMED 4
#define DIVIDE_ASSUMED 11

struct program_machine program_machine(const struct device *device, enum distance distance,
                                       double cores)
{
    struct program_machine machine = {
        .clock = device->clock,
        .issue = device->issue,
        .pipes = device->fma_pipes,
        .latency = device->remote_latency,
        .distance = distance,
    };
    struct memory *memory = &machine.caches;
    double load = device->l1_latency > 0 ? device->l1_latency * device->clock : LOAD_ASSUMED;
    double add = device->add_latency > 0 ? device->add_latency * device->clock : ADD_ASSUMED;
    double multiply =
        device->fma_latency > 0 ? device->fma_latency * device->clock : MULTIPLY_ASSUMED;

    machine.step[STEP_SIMPLE] = 1;
    machine.step[STEP_ADD] = add;
    machine.step[STEP_MULTIPLY] = multiply;
    machine.step[STEP_DIVIDE] = DIVIDE_ASSUMED;
    machine.step[STEP_LOAD] = load;
    /* all cores together use the channels' bandwidth; some are limited by that of each core */
    device_memory(device, cores < device_cores(device) ? cores : 0, memory);
    machine.bandwidth = memory->level[--memory->count].bandwidth * device->sustained_memory;
    for (int i = 0; i < INSTRUCTION_COUNT; i++)
        machine.cpi[i] = device->cpi[i];
    return machine;
}

void program_machine_share(struct program_machine *machine, double share, bool own_cores)
{
    machine->bandwidth *= share;
    for (int k = 0; k < machine->caches.count; k++)
        if (!own_cores || machine->caches.level[k].id == LEVEL_L3)
            machine->caches.level[k].bandwidth *= share;
    if (!own_cores)
        machine->clock *= share;
}

static double curve_latency(double own, int point)
{
    const int above = PROGRAM_CURVE_POINTS - 1 - PROGRAM_CURVE_OWN;

    if (point == PROGRAM_CURVE_OWN)
        return own;
    if (point < PROGRAM_CURVE_OWN)
        return pow(own, (double)point / PROGRAM_CURVE_OWN);
    return own * pow(10, (double)(point - PROGRAM_CURVE_OWN) / above);
}

double program_latency_at(const struct program_machine *machine, int point)
{
    double latency = curve_latency(machine->latency, point);

    if (point == 0 || point == PROGRAM_CURVE_OWN || point == PROGRAM_CURVE_POINTS - 1 ||
        latency - curve_latency(machine->latency, point - 1) < 1 ||
        curve_latency(machine->latency, point + 1) - latency < 1)
        return latency;
    return round(latency);
}
