#include "import/figures.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/allocate.h"
#include "base/number.h"
#include "model/link.h"
#include "model/result.h"

/* Times in this file are in microseconds, as in the runner. */

/* What a transfer carries whose size nothing states, bit. */
#define UNKNOWN_BITS (8.0 * 1024 * 1024)
#define PCIE_OVERHEAD 3.0
#define TRANSFER_PACKETS 50.0

/* The functions of the runner. */
enum run_function {
    RUN_NOTHING,
    RUN_CAMERA,
    RUN_CALIBRATION,
    RUN_CENTROIDER,
    RUN_RECONSTRUCTION,
    RUN_CONTROL,
    RUN_ON_NETWORK, /* a component of type NETWORK */
    RUN_TRANSFER,
    RUN_PCIE,
    RUN_MIRROR
};

/* What a component computes with: FLOP/s, bit/s, bit/s, us, factors. */
struct rates {
    double flops, bits, network, driver, core_fudge, mem_fudge, network_fudge, adjust;
};

static const struct rates stated_rates = {2.4e9, 256e9, 10e9, 5, 0.8, 1, 0.8, 1e6};
static const struct rates default_rates = {1.3312e12, 1.6384e12, 100e9, 5, 0.8, 1, 0.8, 1e6};

struct run_component {
    const struct daolite_component *c;
    const char *name;
    const struct node *params; /* NULL: none */
    enum run_function function;
    bool failed, done;
    bool worked; /* compute and memory are known */
    struct rates rates;
    double bits, group, network, driver; /* of a transfer; group 0: as many as its source has */
    bool to_destination;                 /* network and driver are those of its destination */
    int after[COMPONENT_MAX], after_count;
    int packets; /* 0: it has a duration, `end` of one */
    double *start, *end;
    double compute, memory; /* of the first packet */
};

struct run {
    const struct values *tree;
    const struct daolite *daolite;
    unsigned corrected;
    const struct figures_peak *peak;
    struct figures *figures;
    char last_why[300];
    int count;
    struct run_component component[COMPONENT_MAX];
};

static bool is_corrected(const struct run *run, enum figures_defect defect)
{
    return (run->corrected >> defect & 1) != 0;
}

/* Notes a reason why the runner computes nothing. */
static void note_stop(struct run *run, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void note_stop(struct run *run, int line, const char *format, ...)
{
    struct figures *figures = run->figures;
    char why[sizeof figures->why];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (strcmp(why, run->last_why) == 0)
        return;
    memcpy(run->last_why, why, sizeof why);
    if (figures->stops++ > 0)
        return;
    memcpy(figures->why, why, sizeof why);
    figures->line = line;
}

/* The same for a component, which has no time. */
static void fail_component(struct run *run, struct run_component *r, const char *sentence)
{
    r->failed = true;
    note_stop(run, r->c->line, "%s: %s", r->c->origin, sentence);
}

/* Values --------------------------------------------------------------------------------------- */

static const struct node *run_member(const struct run *run, const struct node *map, const char *key)
{
    return values_member(run->tree, map, key);
}

/* Returns the text of a member; NULL if it is none. */
static const char *run_text(const struct run *run, const struct node *map, const char *key)
{
    const struct node *node = run_member(run, map, key);

    return node != NULL && node->kind == NODE_TEXT ? node->text : NULL;
}

static bool is_truth(const struct node *node)
{
    if (node == NULL)
        return false;
    switch (node->kind) {
    case NODE_BOOL:
    case NODE_NUMBER:
        return node->number != 0;
    case NODE_TEXT:
        return node->text[0] != '\0';
    default:
        return node->count > 0;
    }
}

/* Returns the number of a parameter; what is none stops the runner. */
static double run_number(struct run *run, struct run_component *r, const char *key, double fallback)
{
    const struct node *node = run_member(run, r->params, key);
    char shown[VALUES_SHOWN_MAX];

    if (node == NULL)
        return fallback;
    if (node->kind == NODE_NUMBER || node->kind == NODE_BOOL)
        return node->number;
    r->failed = true;
    note_stop(run, node->line, "%s: %s is %s, no number", r->c->origin, key,
              values_show(node, shown));
    return fallback;
}

/* The same for a parameter that may be null, which is NAN. */
static double number_or_none(struct run *run, struct run_component *r, const char *key,
                             double fallback)
{
    const struct node *node = run_member(run, r->params, key);

    return node != NULL && node->kind == NODE_NULL ? NAN : run_number(run, r, key, fallback);
}

/* The same for a parameter that has to be there. */
static double needed_number(struct run *run, struct run_component *r, const char *key)
{
    char sentence[100];

    if (run_member(run, r->params, key) == NULL) {
        snprintf(sentence, sizeof sentence, "its params have no %s", key);
        fail_component(run, r, sentence);
    }
    return run_number(run, r, key, 1);
}

/* The same for an index or a count, which is no number with a point. */
static double run_count(struct run *run, struct run_component *r, const char *key, double fallback)
{
    const struct node *node = run_member(run, r->params, key);
    double number = run_number(run, r, key, fallback);

    if (node != NULL && !r->failed && (node->kind != NODE_NUMBER || !node->whole)) {
        r->failed = true;
        note_stop(run, node->line, "%s: %s is no whole number written without a point",
                  r->c->origin, key);
    }
    return number;
}

static struct rates read_rates(const struct run *run, const struct node *map)
{
    struct rates rates = stated_rates;
    const struct {
        const char *key;
        double *value;
    } keys[] = {{"flops", &rates.flops},
                {"memory_bandwidth", &rates.bits},
                {"network_speed", &rates.network},
                {"time_in_driver", &rates.driver},
                {"core_fudge", &rates.core_fudge},
                {"mem_fudge", &rates.mem_fudge},
                {"network_fudge", &rates.network_fudge},
                {"adjust", &rates.adjust}};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct node *node = run_member(run, map, keys[i].key);

        /* what is no number stops the runner where it is used */
        if (node != NULL)
            *keys[i].value =
                node->kind == NODE_NUMBER || node->kind == NODE_BOOL ? node->number : NAN;
    }
    return rates;
}

/* Takes `compute`, a map or what the runner stops at. */
static void take_compute(struct run *run, struct run_component *r, const struct node *compute)
{
    struct resource_rates named;

    if (compute->kind == NODE_MAP) {
        r->rates = read_rates(run, compute);
        return;
    }
    note_stop(run, compute->line, "%s: the runner takes a map of values as compute, no name",
              r->c->origin);
    if (compute->kind == NODE_TEXT && resource_find_rates(compute->text, &named)) {
        r->rates = default_rates;
        r->rates.flops = named.flops;
        r->rates.bits = named.bits;
        r->rates.network = named.network;
        r->rates.driver = named.driver;
    } else {
        r->failed = true;
    }
}

/* Returns the compute of the computer that a component stands in; NULL: not known to the runner. */
static const struct node *find_container(struct run *run, const struct node *component)
{
    const struct node *list = run_member(run, &run->tree->node[0], "containers");
    const char *type = run_text(run, component, "parent_type");
    const char *parent = run_text(run, component, "parent_name");
    const struct node *found = NULL;

    if (type == NULL || strcmp(type, "ComputeBox") != 0 || parent == NULL)
        return NULL;
    for (const struct node *n = values_first(run->tree, list); n != NULL;
         n = values_next(run->tree, n)) {
        const char *box = run_text(run, n, "type"), *name = run_text(run, n, "name");
        const struct node *compute = run_member(run, n, "compute");

        if (box != NULL && strcmp(box, "ComputeBox") == 0 && name != NULL &&
            strcmp(name, parent) == 0 && compute != NULL)
            found = compute;
    }
    return found;
}

/* Components and transfers --------------------------------------------------------------------- */

static int find_run(const struct run *run, const char *name)
{
    for (int i = 0; name != NULL && i < run->count; i++)
        if (strcmp(run->component[i].name, name) == 0)
            return i;
    return -1;
}

/* Returns true for a type whose params the runner fills in where there are none. */
static bool has_defaults(enum daolite_type type)
{
    return type == DAOLITE_CAMERA || type == DAOLITE_CALIBRATION || type == DAOLITE_CENTROIDER;
}

/* Starts the entry of a component that the pipeline was made of. */
static struct run_component *open_run(struct run *run, const struct node *node)
{
    const struct node *params = run_member(run, node, "params");

    for (int c = 0; c < run->daolite->component_count; c++)
        if (run->daolite->component[c].node == node) {
            struct run_component *r = &run->component[run->count++];
            const char *name = run_text(run, node, "name");

            *r = (struct run_component){.c = &run->daolite->component[c],
                                        .name =
                                            name != NULL ? name : run->daolite->component[c].title,
                                        .rates = default_rates};
            if (params != NULL && params->kind == NODE_MAP)
                r->params = params;
            else if (params != NULL && !(params->kind == NODE_NULL && has_defaults(r->c->type)))
                fail_component(run, r, "its params are no map");
            return r;
        }
    return NULL;
}

static enum run_function function_of(enum daolite_type type)
{
    static const enum run_function functions[DAOLITE_TYPES] = {
        [DAOLITE_CAMERA] = RUN_CAMERA,         [DAOLITE_CALIBRATION] = RUN_CALIBRATION,
        [DAOLITE_CENTROIDER] = RUN_CENTROIDER, [DAOLITE_RECONSTRUCTION] = RUN_RECONSTRUCTION,
        [DAOLITE_CONTROL] = RUN_CONTROL,       [DAOLITE_NETWORK] = RUN_ON_NETWORK,
        [DAOLITE_PCIE] = RUN_NOTHING,          [DAOLITE_DM] = RUN_MIRROR,
    };

    return functions[type];
}

static void open_component(struct run *run, const struct node *node)
{
    struct run_component *r = open_run(run, node);
    const char *type = run_text(run, node, "type");
    const struct node *compute = run_member(run, node, "compute");
    const struct node *camera;

    if (r == NULL)
        return;
    r->function = function_of(r->c->type);
    if (type == NULL || strcmp(type, daolite_type_name(r->c->type)) != 0)
        note_stop(run, r->c->line, "%s: the runner does not know its type by this name",
                  r->c->origin);
    if (r->function == RUN_NOTHING)
        fail_component(run, r, "the runner has no component of this type");
    if (compute == NULL)
        compute = find_container(run, node);
    if (compute != NULL)
        take_compute(run, r, compute);
    camera = r->function == RUN_CAMERA ? run_member(run, r->params, "camera_function") : NULL;
    if (is_truth(camera) && (camera->kind != NODE_TEXT || daolite_camera(camera->text) == NULL))
        fail_component(run, r, "its camera_function is no camera of daolite");
}

/* Returns the bits that the runner takes for a transfer that states none. */
static double guess_bits(struct run *run, int source)
{
    struct run_component *from;

    if (source < 0)
        return UNKNOWN_BITS;
    from = &run->component[source];
    switch (from->function) {
    case RUN_CAMERA:
        return run_number(run, from, "n_pixels", DAOLITE_PIXELS) * DAOLITE_BIT_DEPTH;
    case RUN_CALIBRATION:
        return DAOLITE_PIXELS * run_number(run, from, "bit_depth", DAOLITE_BIT_DEPTH);
    case RUN_CENTROIDER:
        return DAOLITE_SUBAPS * 2 * 32;
    case RUN_RECONSTRUCTION:
        return run_number(run, from, "n_acts", DAOLITE_ACTUATORS) * 32;
    default:
        return UNKNOWN_BITS;
    }
}

/* Finds size and rate of a transfer; for a network, the runner takes the rate of its destination.
 */
static void size_transfer(struct run *run, struct run_component *r, const struct node *node,
                          int source, bool network)
{
    int to = find_run(run, run_text(run, node, "destination"));
    const struct node *group = run_member(run, r->params, "group");
    const struct node *size = run_member(run, node, "data_size");

    if (run_member(run, r->params, "n_bits") != NULL)
        r->bits = run_number(run, r, "n_bits", 0);
    else if (size != NULL && size->kind == NODE_NUMBER)
        r->bits = size->number;
    else if (size != NULL || !network)
        fail_component(run, r, "no number states its n_bits");
    else
        r->bits = guess_bits(run, source);
    r->group = group == NULL              ? (network ? TRANSFER_PACKETS : 0)
               : group->kind == NODE_NULL ? 0
                                          : run_number(run, r, "group", 0);
    r->to_destination = is_truth(run_member(run, r->params, "use_dest_network"));
    r->network = r->driver = NAN;
    if (network && to >= 0 && run_member(run, r->params, "use_dest_network") == NULL) {
        r->to_destination = true;
        r->network = run->component[to].rates.network;
        r->driver = run->component[to].rates.driver;
    }
    r->network = number_or_none(run, r, "dest_network_speed", r->network);
    r->driver = number_or_none(run, r, "dest_time_in_driver", r->driver);
    r->to_destination = r->to_destination && !isnan(r->network);
}

static void open_transfer(struct run *run, const struct node *node)
{
    struct run_component *r = open_run(run, node);
    const char *kind = run_text(run, node, "transfer_type");
    const struct node *compute = run_member(run, node, "compute");
    int source = find_run(run, run_text(run, node, "source"));

    if (r == NULL)
        return;
    if (source == run->count - 1)
        source = -1;
    r->function = kind != NULL && strcasecmp(kind, "pcie") == 0 ? RUN_PCIE : RUN_TRANSFER;
    if (kind == NULL && run_member(run, node, "transfer_type") != NULL)
        fail_component(run, r, "its transfer_type is no text");
    /* what is neither is timed as a network whose params are taken as they are */
    size_transfer(run, r, node, source, kind == NULL || strcasecmp(kind, "network") == 0);
    if (compute != NULL && compute->kind != NODE_NULL)
        take_compute(run, r, compute);
    else if (source >= 0)
        r->rates = run->component[source].rates;
}

/* Lets a component follow another one, unless it does. */
static void add_after(struct run_component *r, int from)
{
    for (int i = 0; i < r->after_count; i++)
        if (r->after[i] == from)
            return;
    if (r->after_count < COMPONENT_MAX)
        r->after[r->after_count++] = from;
}

static void remove_after(struct run_component *r, int from)
{
    for (int i = 0; i < r->after_count; i++)
        if (r->after[i] == from) {
            memmove(&r->after[i], &r->after[i + 1],
                    (size_t)(r->after_count - i - 1) * sizeof r->after[0]);
            r->after_count--;
            return;
        }
}

/* Lets a transfer follow its dependencies, of any place in the file, else its source. */
static void follow_dependencies(struct run *run, const struct node *node)
{
    const struct node *after = run_member(run, node, "dependencies");
    int source = find_run(run, run_text(run, node, "source")), number = 0;
    struct run_component *r;

    while (number < run->count && run->component[number].c->node != node)
        number++;
    if (number == run->count)
        return;
    r = &run->component[number];
    for (const struct node *n = values_first(run->tree, after); n != NULL;
         n = values_next(run->tree, n)) {
        int from = n->kind == NODE_TEXT ? find_run(run, n->text) : -1;

        if (from < 0 || r->after_count == COMPONENT_MAX)
            fail_component(run, r, "its dependencies name what does not exist");
        else /* of one that is named again the last place counts */
            r->after[r->after_count++] = from;
    }
    /* a transfer below is not yet known to the runner here */
    if (r->after_count == 0 && source >= 0 && source < number)
        add_after(r, source);
}

/* Connects two components, directly or through transfers that all exist. */
static void connect_run(struct run *run, const struct node *connection)
{
    int from = find_run(run, run_text(run, connection, "start"));
    int to = find_run(run, run_text(run, connection, "end"));
    const struct node *chain = run_member(run, connection, "transfers");
    int last = from;

    if (from < 0 || to < 0)
        return;
    for (const struct node *n = values_first(run->tree, chain); n != NULL;
         n = values_next(run->tree, n))
        if (n->kind != NODE_TEXT || find_run(run, n->text) < 0)
            chain = NULL;
    for (const struct node *n = values_first(run->tree, chain); n != NULL;
         n = values_next(run->tree, n)) {
        int transfer = find_run(run, n->text);

        add_after(&run->component[transfer], last);
        last = transfer;
    }
    if (last != from)
        remove_after(&run->component[to], from);
    add_after(&run->component[to], last);
}

/* Calls a function (NULL: none) for each entry of a list of the file. */
static void each_entry(struct run *run, const char *key,
                       void (*call)(struct run *run, const struct node *node))
{
    const struct node *list = run_member(run, &run->tree->node[0], key);

    if (list != NULL && list->kind != NODE_LIST)
        note_stop(run, list->line, "%s is no list", key);
    for (const struct node *n = values_first(run->tree, list); n != NULL && call != NULL;
         n = values_next(run->tree, n))
        call(run, n);
}

/* Times ---------------------------------------------------------------------------------------- */

/* Work of a packet or frame. */
struct work {
    double flop, bits;
};

static double work_time(struct run *run, struct run_component *r, struct work work,
                        double flop_scale, double memory_scale)
{
    const struct rates *rates = &r->rates;
    double compute = work.flop / (rates->flops * rates->core_fudge) * rates->adjust;
    double memory = work.bits / (rates->bits * rates->mem_fudge) * rates->adjust;

    if (is_corrected(run, DEFECT_RESOURCE) && r->c->machine >= 0 &&
        run->peak[r->c->machine].flops > 0 && run->peak[r->c->machine].bandwidth > 0) {
        compute = work.flop / run->peak[r->c->machine].flops * 1e6;
        memory = work.bits / 8 / run->peak[r->c->machine].bandwidth * 1e6;
    }
    compute /= flop_scale;
    memory /= memory_scale;
    if (!r->worked) {
        r->worked = true;
        r->compute = compute;
        r->memory = memory;
    }
    return is_corrected(run, DEFECT_SUM) ? larger(compute, memory) : compute + memory;
}

/* The same with the scales of the component. */
static double scaled_time(struct run *run, struct run_component *r, struct work work)
{
    return work_time(run, r, work, run_number(run, r, "flop_scale", 1),
                     run_number(run, r, "mem_scale", 1));
}

static double subap_side(struct run *run, struct run_component *r)
{
    double side = needed_number(run, r, "n_pix_per_subap");

    return is_corrected(run, DEFECT_PIXELS) ? sqrt(r->c->subap_pixels.si) : side;
}

/* Work of subapertures; `all`: with reference slopes and errors. */
static struct work centroid_work(struct run *run, struct run_component *r, double count, bool all)
{
    double side = subap_side(run, r), pixels = side * side;
    bool sorted = is_truth(run_member(run, r->params, "sort"));
    struct work one = {5 * pixels - 1 + (sorted ? 2 * pixels * log2(pixels) : 0) + (all ? 10 : 0),
                       32 * pixels + (sorted ? 64 * pixels : 0) + (all ? 128 : 0)};

    return (struct work){count * one.flop, count * one.bits};
}

static struct work matrix_work(struct run *run, struct run_component *r, double slopes)
{
    double elements = run_number(run, r, "n_acts", DAOLITE_ACTUATORS) * slopes;
    bool agenda = r->c->agenda != NULL;

    if (is_corrected(run, DEFECT_MATRIX))
        return (struct work){(agenda ? 4 : 2) * elements, (agenda ? 64 : 32) * elements};
    return (struct work){4 * elements, 128 * elements};
}

static double control_time(struct run *run, struct run_component *r)
{
    double actuators = needed_number(run, r, "n_acts");
    double combine = run_number(run, r, "combine", 1);
    struct work work = {(4 * combine + 5) * actuators, (128 * combine + 192) * actuators};

    return scaled_time(run, r, work) + run_number(run, r, "overhead", 8);
}

/* Elements of a frame that a component without agenda works on. */
static double frame_elements(struct run *run, struct run_component *r)
{
    bool empty = r->params == NULL || r->params->count == 0;

    switch (r->function) {
    case RUN_CALIBRATION:
        return empty ? DAOLITE_PIXELS : needed_number(run, r, "n_pixels");
    case RUN_CENTROIDER:
        return empty ? DAOLITE_SUBAPS : needed_number(run, r, "n_valid_subaps");
    default:
        return needed_number(run, r, "n_slopes");
    }
}

/* Returns the agenda of a component, which stands in its params; NULL: none. */
static const double *find_agenda(struct run *run, struct run_component *r)
{
    const struct node *list = run_member(
        run, r->params, r->function == RUN_CALIBRATION ? "pixel_agenda" : "centroid_agenda");

    if (list == NULL)
        return NULL;
    if (list->kind != NODE_LIST || r->c->agenda == NULL)
        fail_component(run, r, "its agenda is no list");
    else if (r->function == RUN_RECONSTRUCTION)
        fail_component(run, r, "the runner takes no agenda of a reconstruction");
    return r->c->agenda;
}

/* Returns when the data of a packet are there: those of the predecessor that is connected last. */
static double data_ready(const struct run *run, const struct run_component *r, int packet,
                         int packets)
{
    double ready = 0;

    for (int i = is_corrected(run, DEFECT_JOIN) ? 0 : r->after_count - 1; i < r->after_count; i++) {
        const struct run_component *from = &run->component[r->after[i]];
        long needed = packet;

        if (from->packets != packets)
            needed = ((long)(packet + 1) * from->packets + packets - 1) / packets - 1;
        if (from->packets > 0)
            ready = larger(ready, from->end[needed]);
    }
    return ready;
}

/* Returns when a packet may start: with `queue`, once the one before it has ended. */
static double packet_start(const struct run *run, const struct run_component *r, int packet,
                           int packets, bool queue)
{
    double ready = data_ready(run, r, packet, packets);

    return queue && packet > 0 ? larger(ready, r->end[packet - 1]) : ready;
}

/* Gives a component its slots. */
static void open_slots(struct run_component *r, int packets)
{
    int count = packets > 0 ? packets : 1;

    r->start = allocate_array(2 * (size_t)count, sizeof *r->start);
    r->end = r->start + count;
    r->packets = packets;
}

static void set_duration(struct run_component *r, double time)
{
    if (r->failed)
        return;
    open_slots(r, 0);
    r->end[0] = time;
}

/* Times a component whose packets take `time` each after those of its predecessor. */
static void time_evenly(struct run *run, struct run_component *r, double time, bool queue)
{
    int packets = run->component[r->after[r->after_count - 1]].packets;

    if (r->failed)
        return;
    open_slots(r, packets);
    for (int p = 0; p < packets; p++) {
        r->start[p] = packet_start(run, r, p, packets, queue);
        r->end[p] = r->start[p] + time;
    }
}

static double packet_time(struct run *run, struct run_component *r, double elements)
{
    double depth;

    if (r->function == RUN_CALIBRATION) {
        depth = run_number(run, r, "bit_depth", DAOLITE_BIT_DEPTH);
        return scaled_time(run, r, (struct work){2 * elements, (depth + 96) * elements});
    }
    if (r->function == RUN_RECONSTRUCTION)
        return scaled_time(run, r, matrix_work(run, r, elements));
    r->worked = r->worked || elements == 0;
    return elements == 0 ? 0 : scaled_time(run, r, centroid_work(run, r, elements, true));
}

/* Times the packets of a computation. */
static void time_packets(struct run *run, struct run_component *r)
{
    const double *agenda = find_agenda(run, r);
    const struct run_component *from = &run->component[r->after[r->after_count - 1]];
    double whole = agenda != NULL || r->failed ? 0 : frame_elements(run, r);
    double sum = whole * from->packets, delay = 0;

    for (int p = 0; agenda != NULL && p < r->c->packets; p++)
        sum += agenda[p];
    if (r->failed)
        return;
    if (r->function == RUN_CENTROIDER && sum == 1) {
        double time = work_time(run, r, centroid_work(run, r, 1, false), 1, 1) /
                      run_number(run, r, "n_workers", 1);

        if (r->failed)
            return;
        open_slots(r, 1);
        r->start[0] = from->end[from->packets - 1];
        r->end[0] = r->start[0] + time;
        return;
    }
    if (agenda != NULL && r->c->packets < from->packets)
        fail_component(run, r, "its agenda has fewer packets than what it follows");
    if (r->function == RUN_CENTROIDER)
        delay = run_count(run, r, "delay_start", 0);
    if (delay < -from->packets || delay >= from->packets)
        fail_component(run, r, "delay_start is beyond the packets");
    if (is_corrected(run, DEFECT_PACKETS))
        whole /= from->packets;
    /* finds what is missing before there are slots */
    packet_time(run, r, agenda != NULL ? agenda[0] : whole);
    if (r->failed)
        return;
    open_slots(r, from->packets);
    for (int p = 0; p < from->packets; p++) {
        r->start[p] = packet_start(run, r, p, from->packets, true);
        if (p == 0 && delay != 0)
            r->start[p] = from->end[(int)delay + (delay < 0 ? from->packets : 0)];
        r->end[p] = r->start[p] + packet_time(run, r, agenda != NULL ? agenda[p] : whole);
    }
}

static void time_camera(struct run *run, struct run_component *r)
{
    const char *name = run_text(run, r->params, "camera_function");
    const struct daolite_camera_row *camera =
        daolite_camera(name != NULL && name[0] != '\0' ? name : "PCOCamLink");
    double pixels = run_number(run, r, "n_pixels", DAOLITE_PIXELS);
    double packets = run_count(run, r, "group", DAOLITE_GROUPS);
    double readout = run_number(run, r, "readout", camera->readout);
    double offset = camera->offset > 0 ? run_number(run, r, "exposure_offset", camera->offset) : 0;
    double step;

    if (!(packets >= 1 && packets <= PACKETS_MAX))
        fail_component(run, r, "its group is out of range");
    if (r->failed)
        return;
    open_slots(r, (int)packets);
    step = readout / (packets > 1 || is_corrected(run, DEFECT_PACKETS) ? packets : pixels) *
           camera->factor;
    for (int p = 0; p < r->packets; p++)
        r->start[p] = r->end[p] = (p + 1) * step + p * offset / packets;
}

/* Bits of a packet of a transfer by the runner. */
static double transfer_part(const struct run *run, const struct run_component *r)
{
    int packets = run->component[r->after[r->after_count - 1]].packets;

    if (r->group == 0 || is_corrected(run, DEFECT_PACKETS))
        return floor(r->bits / packets);
    return floor(r->bits / r->group);
}

static void time_transfer(struct run *run, struct run_component *r)
{
    const struct rates *rates = &r->rates;
    double speed = r->to_destination ? r->network : rates->network;
    double driver = r->to_destination ? (isnan(r->driver) ? 5 : r->driver) : rates->driver;

    if (r->after_count > 0)
        time_evenly(run, r, transfer_part(run, r) / speed * 1e6 + 2 * driver, false);
    else if (r->to_destination)
        set_duration(r, r->bits / speed * 1e6 + (isnan(r->driver) ? 10 : 2 * driver));
    else
        set_duration(r, r->bits * 8 / (rates->network * rates->network_fudge) * rates->adjust +
                            rates->driver);
}

/* PCIe: its wire, of 16 lanes x 8 x 64 GT/s, counts in seconds where the rest is in microseconds.
 */
static void time_pcie(struct run *run, struct run_component *r)
{
    const double wire = 16 * 8 * 64e9;
    double part, time;

    if (r->after_count == 0) {
        set_duration(r, r->bits / wire * 1e6 + PCIE_OVERHEAD);
        return;
    }
    part = floor(r->bits / run->component[r->after[r->after_count - 1]].packets) + 1;
    time = part / (r->rates.bits * r->rates.mem_fudge) * r->rates.adjust * 8 + part / wire;
    if (is_corrected(run, DEFECT_PCIE))
        time = part / 8 / wire_pcie(r->c->pcie_gen.si > 0 ? r->c->pcie_gen.si : 5, 16).rate * 1e6;
    time_evenly(run, r, time + PCIE_OVERHEAD, true);
}

static void time_mirror(struct run *run, struct run_component *r)
{
    r->bits = run_number(run, r, "n_actuators", DAOLITE_ACTUATORS) *
              run_number(run, r, "bits_per_actuator", 16);
    time_transfer(run, r);
}

static void time_control(struct run *run, struct run_component *r)
{
    double time = control_time(run, r);
    const struct run_component *from;

    if (!is_corrected(run, DEFECT_CONTROL) || r->after_count == 0) {
        set_duration(r, time);
        return;
    }
    from = &run->component[r->after[r->after_count - 1]];
    r->failed = r->failed || from->failed;
    if (r->failed)
        return;
    open_slots(r, 1);
    r->start[0] = from->packets == 0 ? 0 : data_ready(run, r, 0, 1);
    r->end[0] = r->start[0] + time;
}

/* Checks that the predecessor that counts has packets. */
static void check_start(struct run *run, struct run_component *r)
{
    bool needs = r->function >= RUN_CALIBRATION && r->function <= RUN_RECONSTRUCTION;
    const struct run_component *from;

    needs = needs || r->function == RUN_MIRROR;
    if (r->function != RUN_CAMERA && is_truth(run_member(run, r->params, "compute_resources")))
        fail_component(run, r, "its params state compute_resources");
    if (r->failed || !(needs || r->function == RUN_TRANSFER || r->function == RUN_PCIE))
        return;
    if (is_truth(run_member(run, r->params, "start_times")))
        fail_component(run, r, "its params state start_times");
    if (r->after_count == 0) {
        if (needs)
            fail_component(run, r,
                           "nothing is connected to it by connections, and the runner reads no "
                           "dependencies of components");
        return;
    }
    from = &run->component[r->after[r->after_count - 1]];
    if (from->failed)
        r->failed = true;
    else if (from->packets == 0)
        fail_component(run, r, "what it follows has no packets, only a duration");
}

static void time_component(struct run *run, struct run_component *r)
{
    check_start(run, r);
    r->done = true;
    if (r->failed)
        return;
    switch (r->function) {
    case RUN_CAMERA:
        time_camera(run, r);
        break;
    case RUN_CONTROL:
        time_control(run, r);
        break;
    case RUN_ON_NETWORK:
        set_duration(r, needed_number(run, r, "n_bits") * 8 /
                                (r->rates.network * r->rates.network_fudge) * r->rates.adjust +
                            r->rates.driver);
        break;
    case RUN_TRANSFER:
        time_transfer(run, r);
        break;
    case RUN_PCIE:
        time_pcie(run, r);
        break;
    case RUN_MIRROR:
        time_mirror(run, r);
        break;
    default:
        time_packets(run, r);
        break;
    }
}

/* Times each component once those that it follows are. */
static void time_all(struct run *run)
{
    bool moved = true;

    while (moved) {
        moved = false;
        for (int i = 0; i < run->count; i++) {
            struct run_component *r = &run->component[i];
            bool ready = !r->done;

            for (int k = 0; k < r->after_count; k++)
                ready = ready && run->component[r->after[k]].done;
            if (!ready)
                continue;
            time_component(run, r);
            moved = true;
        }
    }
}

static void fill_figure(struct run *run, struct run_component *r)
{
    struct figure *figure = &run->figures->figure[r->c - run->daolite->component];
    int last = r->packets > 0 ? r->packets - 1 : 0;
    bool computes = r->function >= RUN_CALIBRATION && r->function <= RUN_CONTROL;

    if (!r->done)
        fail_component(run, r, "it follows itself");
    if (r->failed)
        return;
    if (!isfinite(r->start[0]) || !isfinite(r->end[last])) {
        fail_component(run, r, "a value that it is computed with is no number");
        return;
    }
    *figure = (struct figure){
        .known = true,
        .starts = r->packets > 0,
        .packets = last + 1,
        .first_start = r->start[0] * 1e-6,
        .first_end = r->end[0] * 1e-6,
        .last_start = r->start[last] * 1e-6,
        .last_end = r->end[last] * 1e-6,
        .compute = r->compute * 1e-6,
        .memory = r->memory * 1e-6,
    };
    for (int p = 0; p <= last; p++)
        figure->sum += (r->end[p] - r->start[p]) * 1e-6;
    if (computes && r->rates.adjust != 0) {
        figure->flops = r->rates.flops * r->rates.core_fudge * 1e6 / r->rates.adjust;
        figure->bandwidth = r->rates.bits * r->rates.mem_fudge / 8 * 1e6 / r->rates.adjust;
    }
}

static void fill_figures(struct run *run)
{
    struct figures *figures = run->figures;

    for (int i = 0; i < run->count; i++)
        fill_figure(run, &run->component[i]);
    figures->total = 0;
    for (int c = 0; c < run->daolite->component_count; c++) {
        if (!figures->figure[c].known)
            figures->total = RESULT_NONE;
        if (figures->total != RESULT_NONE && figures->figure[c].starts)
            figures->total = larger(figures->total, figures->figure[c].last_end);
    }
}

void figures_find(const struct values *tree, const struct daolite *daolite, unsigned corrected,
                  const struct figures_peak *peak, struct figures *figures)
{
    struct run *run = allocate_array(1, sizeof *run);

    *figures = (struct figures){.total = RESULT_NONE};
    *run = (struct run){
        .tree = tree, .daolite = daolite, .corrected = corrected, .peak = peak, .figures = figures};
    if (daolite->is_system)
        note_stop(run, 0, "daolite has no function that times a system configuration");
    else if (tree->yaml)
        note_stop(run, 0, "the runner reads JSON, no YAML");
    else if (tree->marked)
        note_stop(run, 1, "the file starts with a byte-order mark");
    each_entry(run, "containers", NULL);
    each_entry(run, "components", open_component);
    each_entry(run, "transfers", open_transfer);
    each_entry(run, "transfers", follow_dependencies);
    each_entry(run, "connections", connect_run);
    time_all(run);
    fill_figures(run);
    for (int i = 0; i < run->count; i++)
        free(run->component[i].start);
    free(run);
}
