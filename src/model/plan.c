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
        plan->divides |= devices_count(to->devices) > 1;
    }
    for (int i = 0; i < scenario->device_count; i++) {
        const struct device *d = &scenario->device[i];
        struct plan_device *to = &plan->device[i];

        memcpy(to->name, d->head.name, sizeof to->name);
        to->kind = d->kind;
        to->host_link = d->host_link;
        to->stated_host = d->host;
        to->host = scenario_host(scenario, i);
    }
}

/* Checks --------------------------------------------------------------------------------------- */

static enum status check_device(const struct plan *plan, const struct scenario *scenario,
                                struct error *error)
{
    for (int i = 0; i < plan->device_count; i++) {
        int host = plan->device[i].host;

        if (plan->device[i].kind == DEVICE_GPU && (host != i || plan->device[i].stated_host == i) &&
            plan->device[host].kind != DEVICE_CPU)
            return error_set(error, STATUS_INVALID, "device.%s.host: %s is a gpu; a host is a cpu",
                             scenario->device[i].head.name, scenario->device[host].head.name);
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

    if (devices_count(c->devices) < 2)
        return STATUS_OK;
    algorithm = algorithm_row(scenario, i);
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

/* Queues of a device: the directions of its PCIe link and network ports. */
enum queue_end { QUEUE_PCIE_IN, QUEUE_PCIE_OUT, QUEUE_NETWORK_IN, QUEUE_NETWORK_OUT };

static int queue_of(int device, enum queue_end end)
{
    return device < 0 ? NO_QUEUE : 4 * device + (int)end;
}

static bool leads_to_gpu(const struct plan *plan, const struct plan_node *node)
{
    return node->to >= 0 && plan->device[node->to].kind == DEVICE_GPU;
}

int plan_hop_board(const struct plan *plan, const struct plan_node *node)
{
    return leads_to_gpu(plan, node) || node->from < 0 ? node->to : node->from;
}

static void use_queues(struct plan_node *node, enum hop hop, const struct plan *plan)
{
    if (hop == HOP_PCIE) {
        node->queue[0] = queue_of(plan_hop_board(plan, node),
                                  leads_to_gpu(plan, node) ? QUEUE_PCIE_IN : QUEUE_PCIE_OUT);
    } else if (hop == HOP_NETWORK) {
        node->queue[0] = queue_of(node->from, QUEUE_NETWORK_OUT);
        node->queue[1] = queue_of(node->to, QUEUE_NETWORK_IN);
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
    node->device = node->from = node->to = -1;
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

/* NAME@DEVICE */
#define PART_NAME_MAX (2 * NAME_MAX_LENGTH + 1)

/* An edge from a node to a component or a part of it. */
struct edge {
    int producer; /* producing node */
    int consumer; /* consuming component */
    int part;     /* part of the consumer, -1: not split */
    int device;   /* device of the consumer, -1: none */
    int pieces;
    char name[PART_NAME_MAX + 1]; /* name of the consumer or its part */
};

/* Returns true for a stated transfer between two hosts, not their devices. */
static bool joins_hosts(const struct plan *plan, int component)
{
    return component >= 0 && plan->component[component].type == COMPONENT_TRANSFER &&
           plan->component[component].link == LINK_NETWORK;
}

/* Finds where data leaves and must arrive; -1: no transfer is inserted at that end. */
static void find_edge_ends(const struct plan *plan, const struct edge *edge, int *from, int *to)
{
    const struct plan_node *producer = &plan->node[edge->producer];

    *from = producer->device;
    *to = edge->device;
    if (producer->type == COMPONENT_CAMERA || joins_hosts(plan, producer->component))
        *from = host_of(plan, edge->device);
    if (joins_hosts(plan, edge->consumer))
        *to = host_of(plan, producer->device);
    /* the host of the first part feeds the mirror */
    if (plan->component[edge->consumer].type == COMPONENT_DM)
        *to = host_of(plan, plan->component[producer->component].device);
}

/* Finds the devices on the route of data; returns the number of stops, including the ends. */
static int find_route(const struct plan *plan, int from, int to, int stops[4])
{
    int count = 0;

    stops[count++] = from;
    if (from == to)
        return count;
    if (host_of(plan, from) != from)
        stops[count++] = host_of(plan, from);
    if (host_of(plan, to) != stops[count - 1])
        stops[count++] = host_of(plan, to);
    if (to != stops[count - 1])
        stops[count++] = to;
    return count;
}

static enum hop hop_between(const struct plan *plan, int from, int to)
{
    int gpu = host_of(plan, from) == to ? from : host_of(plan, to) == from ? to : -1;

    if (gpu < 0)
        return HOP_NETWORK;
    return plan->device[gpu].host_link == HOST_LINK_UNIFIED ? HOP_NONE : HOP_PCIE;
}

static void name_transfer(struct plan_node *node, const char *from, const char *to, int hop)
{
    char name[NODE_NAME_MAX + 1];

    snprintf(name, sizeof name, hop > 1 ? "%.*s>%.*s.%d" : "%.*s>%.*s", PART_NAME_MAX, from,
             PART_NAME_MAX, to, hop);
    memcpy(node->name, name, sizeof name);
}

/* Inserts the transfers of an edge; returns false if there is no room for them. */
static bool insert_transfers(struct plan *plan, const struct edge *edge)
{
    int last = edge->producer;
    int hops = 0;
    int stops[4];
    int from;
    int to;
    int count;

    find_edge_ends(plan, edge, &from, &to);
    if (from < 0 || to < 0)
        return true;
    count = find_route(plan, from, to, stops);
    for (int i = 0; i + 1 < count; i++) {
        enum hop hop = hop_between(plan, stops[i], stops[i + 1]);
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
        node->from = stops[i];
        node->to = stops[i + 1];
        use_queues(node, hop, plan);
        if (!add_predecessor(plan, node, last))
            return false;
        hops++;
        name_transfer(node, plan->node[edge->producer].name, edge->name, hops);
        last = plan->count - 1;
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
    use_queues(node, node->hop, plan);
}

/* Lists the devices of a component, -1 for none; returns their number. */
static int list_node_devices(const struct plan_component *c, int devices[DEVICE_MAX])
{
    int count = 0;

    for (int d = 0; d < DEVICE_MAX; d++)
        if ((c->devices >> d & 1) != 0)
            devices[count++] = d;
    if (count == 0)
        devices[count++] = -1;
    return count;
}

static int parts_of(const struct plan *plan, int c)
{
    int count = devices_count(plan->component[c].devices);

    return count > 1 ? count : 1;
}

/* Returns an edge to a component on a device, or to one of its parts. */
static struct edge edge_to(const struct plan *plan, int c, int device, int part, int parts)
{
    const struct plan_component *consumer = &plan->component[c];
    struct edge edge = {.consumer = c, .part = parts > 1 ? part : -1, .device = device};

    edge.pieces = parts > 1 && consumer->split == SPLIT_COLUMNS ? parts : 1;
    snprintf(edge.name, sizeof edge.name, parts > 1 ? "%s@%s" : "%s", consumer->name,
             device < 0 ? "" : plan->device[device].name);
    return edge;
}

/* Inserts the transfers from all parts of all predecessors. */
static bool insert_all_transfers(struct plan *plan, struct edge edge)
{
    for (int a = 0; a < plan->component_count; a++) {
        if ((plan->component[edge.consumer].before >> a & 1) == 0)
            continue;
        for (int p = 0; p < parts_of(plan, a); p++) {
            edge.producer = plan->node_of[a] + p;
            if (!insert_transfers(plan, &edge))
                return false;
        }
    }
    return true;
}

/* Returns the node that delivers a producer's output to a part: the last hop among the transfers
 * from number `first` on, else the producer itself. */
static int arrival_node(const struct plan *plan, int first, int producer, int part)
{
    int last = producer;

    for (int n = first; n < plan->count; n++)
        if (plan->node[n].producer == producer && plan->node[n].part == part)
            last = n;
    return last;
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

/* Adds the node of a part after the transfers that feed it, which begin at `first`. */
static bool add_part_node(struct plan *plan, const struct edge *edge, int first, int parts)
{
    int c = edge->consumer;
    struct plan_node *node = add_component_node(plan, edge);

    if (node == NULL)
        return false;
    node->parts = parts > 1 ? parts : 0;
    if (edge->part <= 0)
        plan->node_of[c] = plan->count - 1;
    for (int a = 0; a < plan->component_count; a++) {
        if ((plan->component[c].before >> a & 1) == 0)
            continue;
        for (int p = 0; p < parts_of(plan, a); p++)
            if (!add_predecessor(plan, node,
                                 arrival_node(plan, first, plan->node_of[a] + p, edge->part)))
                return false;
    }
    if (node->type == COMPONENT_TRANSFER || node->type == COMPONENT_DM)
        set_link_ends(plan, node, c);
    return true;
}

static bool add_component(struct plan *plan, int c)
{
    int first = plan->count;
    int devices[DEVICE_MAX];
    int parts = list_node_devices(&plan->component[c], devices);

    for (int i = 0; i < parts; i++)
        if (!insert_all_transfers(plan, edge_to(plan, c, devices[i], i, parts)))
            return false;
    if (parts > 1 && !add_whole(plan, c, parts))
        return false;
    for (int i = 0; i < parts; i++) {
        struct edge edge = edge_to(plan, c, devices[i], i, parts);

        if (!add_part_node(plan, &edge, first, parts))
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
            if (node->type == COMPONENT_DM)
                plan->node[before].command = true;
        }
    }
    for (int n = 0; n < plan->count; n++)
        if (!mirrors && !feeds[n] && !plan_node_is_whole(&plan->node[n]))
            plan->node[n].command = true;
    for (int n = plan->count - 1; n >= 0; n--) {
        struct plan_node *node = &plan->node[n];

        node->leads_to_command = node->leads_to_command || node->command;
        for (int p = 0; p < node->before_count && node->leads_to_command; p++)
            plan->node[plan->pool[node->before_first + p]].leads_to_command = true;
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
    static const char *const ends[] = {"pcie.in", "pcie.out", "nic.in", "nic.out"};

    snprintf(text, size, "%s.%s", scenario->device[queue / 4].head.name, ends[queue % 4]);
}
