#include "model/plan.h"

#include <stdio.h>
#include <string.h>

#include "design/algorithm.h"

/* Structure ------------------------------------------------------------------------------------ */

/* Compares names as integers: every evaluation compares them, and calls would cost more. */
static bool name_differs(const char a[NAME_MAX_LENGTH + 1], const char b[NAME_MAX_LENGTH + 1])
{
    uint64_t x[(NAME_MAX_LENGTH + 1) / 8];
    uint64_t y[(NAME_MAX_LENGTH + 1) / 8];
    uint64_t difference = 0;

    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
        difference |= x[i] ^ y[i];
    return difference != 0;
}

static bool component_differs(const struct plan_component *a, const struct component *b)
{
    return a->type != b->type || a->link != b->link || a->stated_wfs != b->wfs ||
           a->stated_devices != b->devices || a->split != b->split ||
           a->stated_after.members != b->after.members ||
           a->stated_after.stated != b->after.stated || name_differs(a->name, b->head.name);
}

static bool device_differs(const struct plan_device *a, const struct device *b)
{
    return a->kind != b->kind || a->stated_host != b->host || a->host_link != b->host_link ||
           a->peer_link != b->peer_link || a->count != b->count ||
           name_differs(a->name, b->head.name);
}

static bool structure_differs(const struct plan *plan, const struct scenario *scenario)
{
    if (plan->wfs_count != scenario->wfs_count || plan->device_count != scenario->device_count ||
        plan->component_count != scenario->component_count)
        return true;
    for (int i = 0; i < scenario->wfs_count; i++)
        if (plan->wfs_kind[i] != scenario->wfs[i].kind)
            return true;
    for (int i = 0; i < scenario->component_count; i++)
        if (component_differs(&plan->component[i], &scenario->component[i]))
            return true;
    for (int i = 0; i < scenario->device_count; i++)
        if (device_differs(&plan->device[i], &scenario->device[i]))
            return true;
    return false;
}

/* Only a reconstruction uses more than one of identical devices. */
static bool uses_all_units(const struct plan *plan, int device)
{
    for (int i = 0; i < plan->component_count; i++)
        if (plan->component[i].type == COMPONENT_RECONSTRUCTION &&
            (plan->component[i].devices >> device & 1) != 0)
            return true;
    return false;
}

static void number_units(struct plan *plan)
{
    plan->units = 0;
    for (int d = 0; d < plan->device_count; d++) {
        struct plan_device *device = &plan->device[d];

        device->first_unit = plan->units;
        device->units =
            device->kind == DEVICE_GPU && uses_all_units(plan, d) ? (int)device->count : 1;
        plan->units += device->units;
    }
}

int plan_parts(const struct plan *plan, int component)
{
    const struct plan_component *c = &plan->component[component];
    int parts = 0;

    for (int d = 0; d < plan->device_count; d++)
        if ((c->devices >> d & 1) != 0)
            parts += c->type == COMPONENT_RECONSTRUCTION ? plan->device[d].units : 1;
    return parts > 1 ? parts : 1;
}

static void read_structure(struct plan *plan, const struct scenario *scenario)
{
    plan->wfs_count = scenario->wfs_count;
    plan->device_count = scenario->device_count;
    plan->component_count = scenario->component_count;
    plan->divides = false;
    for (int i = 0; i < scenario->wfs_count; i++)
        plan->wfs_kind[i] = scenario->wfs[i].kind;
    for (int i = 0; i < scenario->component_count; i++) {
        const struct component *c = &scenario->component[i];
        struct plan_component *to = &plan->component[i];

        memcpy(to->name, c->head.name, sizeof to->name);
        to->type = c->type;
        to->link = c->link;
        to->stated_wfs = c->wfs;
        to->stated_devices = c->devices;
        to->split = c->split;
        to->stated_after = c->after;
        to->wfs = scenario_wfs(scenario, i);
        to->device = scenario_device(scenario, i);
        to->devices = scenario_devices(scenario, i);
        to->before = scenario_predecessors(scenario, i);
    }
    for (int i = 0; i < scenario->device_count; i++) {
        const struct device *d = &scenario->device[i];
        struct plan_device *to = &plan->device[i];

        memcpy(to->name, d->head.name, sizeof to->name);
        to->kind = d->kind;
        to->host_link = d->host_link;
        to->stated_host = d->host;
        to->host = scenario_host(scenario, i);
        to->peer_link = d->peer_link;
        to->count = d->count;
    }
    number_units(plan);
    for (int i = 0; i < plan->component_count; i++)
        plan->divides |= plan_parts(plan, i) > 1;
}

/* Checks --------------------------------------------------------------------------------------- */

static enum status check_device(const struct plan *plan, const struct scenario *scenario,
                                struct error *error)
{
    for (int i = 0; i < plan->device_count; i++) {
        int host = plan->device[i].host;

        if (plan->device[i].kind != DEVICE_CPU && (host != i || plan->device[i].stated_host == i) &&
            plan->device[host].kind != DEVICE_CPU)
            return error_set(error, STATUS_INVALID, "device.%s.host: %s is %s; a host is a cpu",
                             scenario->device[i].head.name, scenario->device[host].head.name,
                             plan->device[host].kind == DEVICE_GPU ? "a gpu" : "an fpga");
    }
    return STATUS_OK;
}

static enum status check_component(const struct plan *plan, const struct scenario *scenario, int i,
                                   struct error *error)
{
    const struct plan_component *c = &plan->component[i];
    bool pyramid;

    if (component_type_computes((enum component_type)c->type) && c->device < 0)
        return error_set(error, STATUS_INVALID,
                         "component.%s.device: there is no device to run on; add one", c->name);
    if (!plan_type_senses((enum component_type)c->type))
        return STATUS_OK;
    if (c->wfs < 0)
        return error_set(error, STATUS_INVALID,
                         "component.%s.wfs: there is no wavefront sensor; add one", c->name);
    pyramid = plan->wfs_kind[c->wfs] == WFS_PYRAMID;
    if (c->type == (pyramid ? COMPONENT_CENTROID : COMPONENT_PYRAMID))
        return error_set(error, STATUS_INVALID,
                         "component.%s.type: %s is incompatible with wfs.%s, which is a %s sensor",
                         c->name, pyramid ? "centroid" : "pyramid", scenario->wfs[c->wfs].head.name,
                         pyramid ? "pyramid" : "shack-hartmann");
    return STATUS_OK;
}

/* Checks a split: if each device computes a part of every output, a successor must add these. */
static enum status check_split(const struct plan *plan, const struct scenario *scenario, int i,
                               struct error *error)
{
    const struct plan_component *c = &plan->component[i];
    const struct algorithm *algorithm;
    const char *parts = c->split == SPLIT_ROWS ? "rows" : "columns";
    const char *advice = "put a control after it";
    bool followed = false;

    if (plan_parts(plan, i) < 2)
        return STATUS_OK;
    algorithm = algorithm_row(scenario, i);
    if (algorithm->division == DIVISION_NONE && devices_count(c->devices) < 2)
        return error_set(error, STATUS_INVALID,
                         "device.%s.count: %s runs on one device; set count = 1, or use mvm",
                         plan->device[c->device].name, algorithm->name);
    if (algorithm->division == DIVISION_NONE)
        return error_set(error, STATUS_INVALID,
                         "component.%s.device: %s runs on one device; name one, or use mvm",
                         c->name, algorithm->name);
    if (c->split == SPLIT_ROWS && algorithm->division == DIVISION_MATRIX)
        return STATUS_OK;
    if (algorithm->division == DIVISION_MATRIX)
        advice = "use rows, or put a control after it";
    for (int j = 0; j < plan->component_count; j++) {
        if ((plan->component[j].before >> i & 1) == 0)
            continue;
        followed = true;
        if (!component_type_computes((enum component_type)plan->component[j].type))
            return error_set(
                error, STATUS_INVALID,
                "component.%s.split: %s of %s give partial sums of every command on each "
                "device, and %s cannot add them up; %s",
                c->name, parts, algorithm->name, plan->component[j].name, advice);
    }
    if (followed)
        return STATUS_OK;
    return error_set(
        error, STATUS_INVALID,
        "component.%s.split: %s of %s give partial sums of every command on each device, "
        "and nothing adds them up; %s",
        c->name, parts, algorithm->name, advice);
}

/* Order ---------------------------------------------------------------------------------------- */

/* Names a cycle within `left`, where each component has a predecessor in the set. */
static enum status report_cycle(const struct plan *plan, uint64_t left, struct error *error)
{
    char names[300] = "";
    int at = 0;
    uint64_t seen = 0;

    while ((left >> at & 1) == 0)
        at++;
    while ((seen >> at & 1) == 0) {
        uint64_t before = plan->component[at].before & left;

        seen |= UINT64_C(1) << at;
        for (at = 0; (before >> at & 1) == 0;)
            at++;
    }
    for (int start = at, first = 1; first || at != start; first = 0) {
        uint64_t before = plan->component[at].before & left;
        size_t used = strlen(names);

        snprintf(names + used, sizeof names - used, "%s after ", plan->component[at].name);
        for (at = 0; (before >> at & 1) == 0;)
            at++;
    }
    return error_set(error, STATUS_INVALID, "component.%s.after: a cycle, %s%s",
                     plan->component[at].name, names, plan->component[at].name);
}

/* Sorts components so that predecessors come first, otherwise as in the file. */
static enum status sort_components(const struct plan *plan, int *order, struct error *error)
{
    uint64_t left =
        plan->component_count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << plan->component_count) - 1;
    int placed = 0;

    while (left != 0) {
        int i = 0;

        while (i < plan->component_count &&
               ((left >> i & 1) == 0 || (plan->component[i].before & left) != 0))
            i++;
        if (i == plan->component_count)
            return report_cycle(plan, left, error);
        order[placed++] = i;
        left &= ~(UINT64_C(1) << i);
    }
    return STATUS_OK;
}

/* Nodes ---------------------------------------------------------------------------------------- */

int plan_queue(int host, enum queue_end end)
{
    return host < 0 ? NO_QUEUE : QUEUE_ENDS * host + (int)end;
}

static bool is_board(const struct plan *plan, int device)
{
    return device >= 0 && plan->device[device].host != device;
}

int plan_hop_board(const struct plan *plan, const struct plan_node *node)
{
    return is_board(plan, node->to) || node->from < 0 ? node->to : node->from;
}

static void use_queues(struct plan_node *node, const struct plan *plan)
{
    int board = plan_hop_board(plan, node);

    if (node->hop == HOP_PEER) {
        if (plan->device[node->from].peer_link == PEER_NVLINK &&
            plan->device[node->to].peer_link == PEER_NVLINK)
            return;
        node->queue[0] = plan_queue(plan->device[board].host, QUEUE_FROM_BOARDS);
        node->queue[1] = plan_queue(plan->device[board].host, QUEUE_TO_BOARDS);
    } else if (node->hop == HOP_PCIE && node->type == COMPONENT_DM) {
        node->queue[0] = plan_queue(node->from, QUEUE_CARDS);
    } else if (node->hop == HOP_PCIE && board >= 0) {
        node->queue[0] = plan_queue(plan->device[board].host,
                                    is_board(plan, node->to) ? QUEUE_TO_BOARDS : QUEUE_FROM_BOARDS);
    } else if (node->hop == HOP_NETWORK) {
        node->queue[0] = plan_queue(node->from, QUEUE_NETWORK_OUT);
        node->queue[1] = plan_queue(node->to, QUEUE_NETWORK_IN);
    }
}

static int host_of(const struct plan *plan, int device)
{
    return device < 0 ? -1 : plan->device[device].host;
}

static struct plan_node *new_node(struct plan *plan, int component)
{
    struct plan_node *node;

    if (plan->count == NODE_MAX)
        return NULL;
    node = &plan->node[plan->count++];
    memset(node, 0, sizeof *node);
    node->component = component;
    node->producer = -1;
    node->consumer = -1;
    node->part = -1;
    node->pieces = 1;
    node->wfs = -1;
    node->device = node->unit = node->board_unit = node->from = node->to = -1;
    node->queue[0] = node->queue[1] = NO_QUEUE;
    node->before_first = plan->pool_used;
    return node;
}

/* Adds a predecessor; returns false if the pool is full. */
static bool add_predecessor(struct plan *plan, struct plan_node *node, int before)
{
    if (plan->pool_used == PLAN_POOL)
        return false;
    plan->pool[plan->pool_used++] = before;
    node->before_count++;
    return true;
}

/* NAME@DEVICE.64 */
#define PART_NAME_MAX (2 * NAME_MAX_LENGTH + 4)

/* An edge from a node to a component or a part of it. */
struct edge {
    int producer; /* producing node */
    int consumer; /* consuming component */
    int part;     /* part of the consumer, -1: not split */
    int device;   /* device of the consumer, -1: none */
    int unit;     /* its unit, -1: none */
    int pieces;
    char name[PART_NAME_MAX + 14]; /* name of the consumer or its part */
};

/* Returns true for a stated transfer between two hosts, not their devices. */
static bool joins_hosts(const struct plan *plan, int component)
{
    return plan->component[component].type == COMPONENT_TRANSFER &&
           plan->component[component].link == LINK_NETWORK;
}

static int host_unit(const struct plan *plan, int device)
{
    return device < 0 ? -1 : plan->device[host_of(plan, device)].first_unit;
}

static int unit_device(const struct plan *plan, int unit)
{
    int device = 0;

    while (unit >= plan->device[device].first_unit + plan->device[device].units)
        device++;
    return device;
}

/* Finds the units where data leaves and must arrive; -1: no transfer is inserted at that end. */
static void find_edge_ends(const struct plan *plan, const struct edge *edge, int *from, int *to)
{
    const struct plan_node *producer = &plan->node[edge->producer];

    *from = producer->unit;
    *to = edge->unit;
    if (producer->type == COMPONENT_CAMERA || joins_hosts(plan, producer->component))
        *from = host_unit(plan, edge->device);
    if (joins_hosts(plan, edge->consumer))
        *to = host_unit(plan, producer->device);
    /* the host of the first part feeds the mirror */
    if (plan->component[edge->consumer].type == COMPONENT_DM)
        *to = host_unit(plan, plan->component[producer->component].device);
}

/* Only GPUs exchange data without their host. */
static bool are_gpus(const struct plan *plan, int from, int to)
{
    return plan->device[unit_device(plan, from)].kind == DEVICE_GPU &&
           plan->device[unit_device(plan, to)].kind == DEVICE_GPU;
}

/* Finds the units on the route of data; returns the number of stops, including the ends. */
static int find_route(const struct plan *plan, int from, int to, int stops[4])
{
    int sender = host_unit(plan, unit_device(plan, from));
    int receiver = host_unit(plan, unit_device(plan, to));
    int count = 0;

    stops[count++] = from;
    if (from == to)
        return count;
    if (sender != receiver || from == sender || to == receiver || !are_gpus(plan, from, to)) {
        if (sender != from)
            stops[count++] = sender;
        if (receiver != stops[count - 1])
            stops[count++] = receiver;
    }
    if (to != stops[count - 1])
        stops[count++] = to;
    return count;
}

static enum hop hop_between(const struct plan *plan, int from, int to)
{
    int board = is_board(plan, to) ? to : from;
    int host = host_of(plan, from);

    if (host != host_of(plan, to))
        return HOP_NETWORK;
    if (from != host && to != host)
        return plan->device[from].host_link == HOST_LINK_UNIFIED &&
                       plan->device[to].host_link == HOST_LINK_UNIFIED
                   ? HOP_NONE
                   : HOP_PEER;
    return plan->device[board].host_link == HOST_LINK_UNIFIED ? HOP_NONE : HOP_PCIE;
}

/* Appends at most `most` characters of a text to a name, which has room for them: a plan is often
 * built in a search, and most of that time went into formatted output. Returns the name's end. */
static char *put_text(char *name, const char *text, int most)
{
    size_t length = strnlen(text, (size_t)most);

    memcpy(name, text, length);
    name[length] = '\0';
    return name + length;
}

/* Appends "." and a number of at most three digits. */
static char *put_index(char *name, int index)
{
    *name++ = '.';
    for (int unit = index > 99 ? 100 : index > 9 ? 10 : 1; unit > 0; unit /= 10)
        *name++ = (char)('0' + index / unit % 10);
    *name = '\0';
    return name;
}

static void name_transfer(struct plan_node *node, const char *from, const char *to, int hop)
{
    char *at = put_text(node->name, from, PART_NAME_MAX);

    at = put_text(put_text(at, ">", 1), to, PART_NAME_MAX);
    if (hop > 1)
        put_index(at, hop);
}

/* Inserts the transfers of an edge and sets the node that delivers the data: the last of them, else
 * the producer. Returns false if there is no room for them. */
static bool insert_transfers(struct plan *plan, const struct edge *edge, int *arrival)
{
    int last = edge->producer;
    int hops = 0;
    int stops[4];
    int from;
    int to;
    int count;

    *arrival = last;
    find_edge_ends(plan, edge, &from, &to);
    if (from < 0 || to < 0)
        return true;
    count = find_route(plan, from, to, stops);
    for (int i = 0; i + 1 < count; i++) {
        int sender = unit_device(plan, stops[i]);
        int receiver = unit_device(plan, stops[i + 1]);
        enum hop hop = hop_between(plan, sender, receiver);
        struct plan_node *node;

        if (hop == HOP_NONE)
            continue;
        node = new_node(plan, -1);
        if (node == NULL)
            return false;
        node->type = COMPONENT_TRANSFER;
        node->producer = edge->producer;
        node->consumer = edge->consumer;
        node->part = edge->part;
        node->pieces = edge->pieces;
        node->wfs = plan->node[edge->producer].wfs;
        node->hop = hop;
        node->from = sender;
        node->to = receiver;
        node->board_unit = is_board(plan, receiver) ? stops[i + 1] : stops[i];
        use_queues(node, plan);
        if (!add_predecessor(plan, node, last))
            return false;
        hops++;
        name_transfer(node, plan->node[edge->producer].name, edge->name, hops);
        *arrival = last = plan->count - 1;
    }
    return true;
}

static int first_device_after(const struct plan *plan, int c)
{
    for (int i = 0; i < plan->component_count; i++)
        if ((plan->component[i].before >> c & 1) != 0 && plan->component[i].device >= 0)
            return plan->component[i].device;
    return -1;
}

static int first_device_before(const struct plan *plan, int c)
{
    for (int i = 0; i < plan->component_count; i++)
        if ((plan->component[c].before >> i & 1) != 0 && plan->component[i].device >= 0)
            return plan->component[i].device;
    return -1;
}

/* Sets the ends of a stated transfer or a mirror's link: the hosts before and after it. */
static void set_link_ends(struct plan *plan, struct plan_node *node, int c)
{
    static const enum hop hops[] = {
        [LINK_NONE] = HOP_NONE, [LINK_NETWORK] = HOP_NETWORK, [LINK_PCIE] = HOP_PCIE};
    bool transfer = plan->component[c].type == COMPONENT_TRANSFER;
    int before = first_device_before(plan, c);
    int after = transfer ? first_device_after(plan, c) : -1;

    node->hop = hops[plan->component[c].link];
    node->from = node->hop == HOP_PCIE && transfer ? before : host_of(plan, before);
    node->to = node->hop == HOP_PCIE ? after : host_of(plan, after);
    if (is_board(plan, node->to) || is_board(plan, node->from))
        node->board_unit = plan->device[plan_hop_board(plan, node)].first_unit;
    use_queues(node, plan);
}

/* Lists the units of a component, -1 for none; returns their number. */
static int list_node_units(const struct plan *plan, int c, int units[UNIT_MAX])
{
    const struct plan_component *component = &plan->component[c];
    int count = 0;

    for (int d = 0; d < plan->device_count; d++) {
        int each = component->type == COMPONENT_RECONSTRUCTION ? plan->device[d].units : 1;

        for (int i = 0; i < each && (component->devices >> d & 1) != 0; i++)
            units[count++] = plan->device[d].first_unit + i;
    }
    if (count == 0)
        units[count++] = -1;
    return count;
}

/* Returns an edge to a component on a unit, or to one of its parts. */
static struct edge edge_to(const struct plan *plan, int c, int unit, int part, int parts)
{
    const struct plan_component *consumer = &plan->component[c];
    int device = unit < 0 ? -1 : unit_device(plan, unit);
    struct edge edge = {
        .consumer = c, .part = parts > 1 ? part : -1, .device = device, .unit = unit};
    char *at;

    edge.pieces = parts > 1 && consumer->split == SPLIT_COLUMNS ? parts : 1;
    at = put_text(edge.name, consumer->name, NAME_MAX_LENGTH);
    if (parts > 1)
        at = put_text(put_text(at, "@", 1), plan->device[device].name, NAME_MAX_LENGTH);
    if (parts > 1 && plan->device[device].units > 1)
        put_index(at, unit - plan->device[device].first_unit + 1);
    return edge;
}

/* The nodes that deliver the data of a component's predecessors: to its first part, then to the
 * next. */
struct arrivals {
    int count;
    int node[PLAN_POOL];
};

/* Inserts the transfers from all parts of all predecessors. */
static bool insert_all_transfers(struct plan *plan, struct edge edge, struct arrivals *arrivals)
{
    for (int a = 0; a < plan->component_count; a++) {
        if ((plan->component[edge.consumer].before >> a & 1) == 0)
            continue;
        for (int p = 0; p < plan_parts(plan, a); p++) {
            edge.producer = plan->node_of[a] + p;
            if (arrivals->count == PLAN_POOL ||
                !insert_transfers(plan, &edge, &arrivals->node[arrivals->count++]))
                return false;
        }
    }
    return true;
}

static struct plan_node *add_component_node(struct plan *plan, const struct edge *edge)
{
    const struct plan_component *c = &plan->component[edge->consumer];
    struct plan_node *node = new_node(plan, edge->consumer);

    if (node == NULL)
        return NULL;
    node->type = (enum component_type)c->type;
    node->wfs = c->wfs;
    node->device = edge->device;
    node->unit = edge->unit;
    node->part = edge->part;
    node->pieces = edge->pieces;
    memcpy(node->name, edge->name, sizeof edge->name);
    return node;
}

static bool add_whole(struct plan *plan, int c, int parts)
{
    struct edge edge = edge_to(plan, c, -1, 0, 1);
    struct plan_node *node = add_component_node(plan, &edge);

    if (node != NULL)
        node->parts = parts;
    return node != NULL;
}

/* Adds the node of a part after the nodes that feed it, `before`. */
static bool add_part_node(struct plan *plan, const struct edge *edge, const int *before,
                          int before_count, int parts)
{
    int c = edge->consumer;
    struct plan_node *node = add_component_node(plan, edge);

    if (node == NULL)
        return false;
    node->parts = parts > 1 ? parts : 0;
    if (edge->part <= 0)
        plan->node_of[c] = plan->count - 1;
    for (int i = 0; i < before_count; i++)
        if (!add_predecessor(plan, node, before[i]))
            return false;
    if (node->type == COMPONENT_CAMERA)
        node->to = host_of(plan, first_device_after(plan, c));
    if (node->type == COMPONENT_TRANSFER || node->type == COMPONENT_DM)
        set_link_ends(plan, node, c);
    return true;
}

static bool add_component(struct plan *plan, int c)
{
    struct arrivals arrivals;
    int units[UNIT_MAX];
    int parts = list_node_units(plan, c, units);
    int before;

    arrivals.count = 0;
    for (int i = 0; i < parts; i++)
        if (!insert_all_transfers(plan, edge_to(plan, c, units[i], i, parts), &arrivals))
            return false;
    before = arrivals.count / parts;
    if (parts > 1 && !add_whole(plan, c, parts))
        return false;
    for (int i = 0; i < parts; i++) {
        struct edge edge = edge_to(plan, c, units[i], i, parts);

        if (!add_part_node(plan, &edge, &arrivals.node[i * before], before, parts))
            return false;
    }
    return true;
}

static void count_queue_users(struct plan *plan)
{
    memset(plan->queue_users, 0, sizeof plan->queue_users);
    plan->queued = false;
    for (int i = 0; i < plan->count; i++) {
        for (int q = 0; q < 2; q++) {
            int queue = plan->node[i].queue[q];

            if (queue != NO_QUEUE && ++plan->queue_users[queue] > 1)
                plan->queued = true;
        }
    }
}

static void mark_commands(struct plan *plan)
{
    bool feeds[NODE_MAX] = {false};
    bool mirrors = false;

    for (int n = 0; n < plan->count; n++) {
        const struct plan_node *node = &plan->node[n];

        mirrors = mirrors || node->type == COMPONENT_DM;
        for (int p = 0; p < node->before_count; p++) {
            int before = plan->pool[node->before_first + p];

            feeds[before] = true;
        }
    }
    for (int n = 0; n < plan->count; n++)
        plan->node[n].command = mirrors ? plan->node[n].type == COMPONENT_DM
                                        : !feeds[n] && !plan_node_is_whole(&plan->node[n]);
    for (int n = plan->count - 1; n >= 0; n--) {
        struct plan_node *node = &plan->node[n];
        bool measures = node->type == COMPONENT_CENTROID || node->type == COMPONENT_PYRAMID ||
                        node->type == COMPONENT_RECONSTRUCTION;

        node->leads_to_command = node->leads_to_command || node->command;
        for (int p = 0; p < node->before_count; p++) {
            struct plan_node *before = &plan->node[plan->pool[node->before_first + p]];

            before->leads_to_command = before->leads_to_command || node->leads_to_command;
            before->measured = before->measured || node->measured || measures;
        }
    }
}

/* Finds the longest path from a camera to each node, and the components before it. */
static void measure_paths(struct plan *plan)
{
    for (int n = 0; n < plan->count; n++) {
        struct plan_node *node = &plan->node[n];

        node->depth = node->type == COMPONENT_CAMERA ? 1 : 0;
        for (int p = 0; p < node->before_count; p++) {
            const struct plan_node *before = &plan->node[plan->pool[node->before_first + p]];

            if (before->depth > 0 && before->depth >= node->depth)
                node->depth = before->depth + 1;
            node->behind |= before->behind;
            if (before->component >= 0)
                node->behind |= UINT64_C(1) << before->component;
        }
    }
}

/* Creates the nodes of the components; in `order`, predecessors come first. */
static enum status build_nodes(struct plan *plan, const int *order, struct error *error)
{
    plan->count = plan->pool_used = 0;
    for (int i = 0; i < plan->component_count; i++)
        if (!add_component(plan, order[i]))
            return error_set(error, STATUS_INVALID,
                             "component.%s.after: more than %d components, parts and transfers, or "
                             "%d connections of them",
                             plan->component[order[i]].name, NODE_MAX, PLAN_POOL);
    count_queue_users(plan);
    mark_commands(plan);
    measure_paths(plan);
    return STATUS_OK;
}

/* Plans ---------------------------------------------------------------------------------------- */

enum status plan_update(struct plan *plan, const struct scenario *scenario, bool *rebuilt,
                        struct error *error)
{
    int order[COMPONENT_MAX];

    if (structure_differs(plan, scenario)) {
        plan->valid = false;
        read_structure(plan, scenario);
    }
    if (plan->valid && !plan->divides)
        return STATUS_OK;
    if (!plan->valid && check_device(plan, scenario, error) != STATUS_OK)
        return STATUS_INVALID;
    /* check splits in every evaluation: they depend on algorithms, not only on the structure */
    for (int i = 0; i < plan->component_count; i++)
        if ((!plan->valid && check_component(plan, scenario, i, error) != STATUS_OK) ||
            check_split(plan, scenario, i, error) != STATUS_OK)
            return STATUS_INVALID;
    if (plan->valid)
        return STATUS_OK;
    if (sort_components(plan, order, error) != STATUS_OK ||
        build_nodes(plan, order, error) != STATUS_OK)
        return STATUS_INVALID;
    plan->valid = true;
    *rebuilt = true;
    return STATUS_OK;
}

void plan_queue_name(const struct scenario *scenario, int queue, char *text, size_t size)
{
    static const char *const ends[QUEUE_ENDS] = {[QUEUE_TO_BOARDS] = "to-boards",
                                                 [QUEUE_FROM_BOARDS] = "from-boards",
                                                 [QUEUE_NETWORK_IN] = "nic.in",
                                                 [QUEUE_NETWORK_OUT] = "nic.out",
                                                 [QUEUE_CARDS] = "cards"};

    snprintf(text, size, "%s.%s", scenario->device[queue / QUEUE_ENDS].head.name,
             ends[queue % QUEUE_ENDS]);
}
