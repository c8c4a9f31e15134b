#include "explain/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "model/result_span.h"

#define SPAN_PREFIX "latency."

static const struct {
    enum explain_kind kind;
    const char *prefix;
} singles[] = {
    {.kind = EXPLAIN_LOOP, .prefix = "loop."},
    {.kind = EXPLAIN_FLOW, .prefix = "flow."},
    {.kind = EXPLAIN_TELEMETRY, .prefix = "telemetry."},
    {.kind = EXPLAIN_UPDATE, .prefix = "update."},
    {.kind = EXPLAIN_CALIBRATION, .prefix = "calibration."},
    {.kind = EXPLAIN_SCENARIO, .prefix = "scenario."},
    {.kind = EXPLAIN_AO, .prefix = "ao."},
    {.kind = EXPLAIN_ATMOSPHERE, .prefix = "atmosphere."},
};

#define SINGLE_COUNT (sizeof singles / sizeof singles[0])

const char *const explain_level_names[LEVEL_COUNT] = {"l1", "l2", "l3", "memory"};
static const char *const bytes_names[] = {"resident", "arriving", "streamed", "operand"};

/* Writes "range.rtc.sleep-states." */
static void print_group(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    const struct range_group *group = explain_group(explain, subject);

    snprintf(text, size, "range.%s.%s.", explain->scenario->device[group->device].head.name,
             cause_name(group->cause));
    for (char *at = text; *at != '\0'; at++)
        *at = *at == ' ' ? '-' : *at;
}

/* A point as a number: node, packet and whether it is the start. */
enum { POINT_PACKETS = 2 * PACKETS_MAX };

static int pack_point(const struct result_point *point)
{
    return (point->node * POINT_PACKETS + point->packet - POINT_FIRST) * 2 + point->start;
}

static struct result_point unpack_point(int packed)
{
    return (struct result_point){packed / 2 / POINT_PACKETS,
                                 packed / 2 % POINT_PACKETS + POINT_FIRST, packed % 2 != 0};
}

struct result_span explain_span(struct explain_subject subject)
{
    return (struct result_span){unpack_point(subject.index), unpack_point(subject.part)};
}

static void print_point(const struct result *result, const struct result_point *point,
                        struct buffer *text)
{
    buffer_text(text, result->node[point->node].name);
    if (point->packet >= 0)
        buffer_print(text, ":%d", point->packet + 1);
    else if (point->packet == POINT_FIRST)
        buffer_text(text, ":first");
    if (point->start)
        buffer_text(text, ":start");
}

/* Writes "latency.slopes:first:start..recon", all of the path: its key is empty. */
static void print_span(const struct explain *explain, struct explain_subject subject, char *text,
                       size_t size)
{
    struct result_span span = explain_span(subject);
    struct buffer buffer = buffer_over(text, size);

    buffer_text(&buffer, SPAN_PREFIX);
    print_point(explain->result, &span.from, &buffer);
    buffer_text(&buffer, "..");
    print_point(explain->result, &span.to, &buffer);
}

void explain_path_print(const struct explain *explain, struct explain_subject subject, char *text,
                        size_t size)
{
    const struct result *result = explain->result;

    text[0] = '\0';
    for (size_t i = 0; i < SINGLE_COUNT; i++)
        if (singles[i].kind == subject.kind)
            snprintf(text, size, "%s", singles[i].prefix);
    if (subject.kind == EXPLAIN_WFS)
        snprintf(text, size, "wfs.%s.", explain->scenario->wfs[subject.index].head.name);
    else if (subject.kind == EXPLAIN_DEVICE)
        snprintf(text, size, "device.%s.", explain->scenario->device[subject.index].head.name);
    else if (subject.kind == EXPLAIN_LINK)
        snprintf(text, size, "link.%s.", result->link[subject.index].name);
    else if (subject.kind == EXPLAIN_GROUP)
        print_group(explain, subject, text, size);
    else if (subject.kind == EXPLAIN_SPAN)
        print_span(explain, subject, text, size);
    else if (subject.kind == EXPLAIN_COMPONENT)
        snprintf(text, size, "component.%s.", result->node[subject.index].name);
    else if (subject.kind == EXPLAIN_LEVEL && subject.index >= NODE_MAX)
        snprintf(text, size, "device.%s.%s.",
                 explain->scenario->device[subject.index - NODE_MAX].head.name,
                 explain_level_names[subject.part]);
    else if (subject.kind == EXPLAIN_LEVEL)
        snprintf(text, size, "component.%s.%s.%s.", result->node[subject.index].name,
                 bytes_names[subject.part / LEVEL_COUNT],
                 explain_level_names[subject.part % LEVEL_COUNT]);
    else if (subject.kind == EXPLAIN_SLOT)
        snprintf(text, size, "component.%s.packet.%d.", result->node[subject.index].name,
                 subject.part + 1);
    else if (subject.kind == EXPLAIN_STEP)
        snprintf(text, size, "component.%s.step.%d.", result->node[subject.index].name,
                 subject.part + 1);
}

bool explain_single_find(const char *word, size_t length, struct explain_subject *subject)
{
    for (size_t i = 0; i < SINGLE_COUNT; i++)
        if (strlen(singles[i].prefix) == length + 1 &&
            strncmp(singles[i].prefix, word, length) == 0) {
            *subject = (struct explain_subject){singles[i].kind, 0, 0};
            return true;
        }
    return false;
}

/* Reads "NAME." at the start of a path: returns the longest matching instance, or -1. */
static int read_instance(const struct explain *explain, enum explain_kind kind, const char **path)
{
    int counts[] = {[EXPLAIN_WFS] = explain->scenario->wfs_count,
                    [EXPLAIN_DEVICE] = explain->scenario->device_count,
                    [EXPLAIN_COMPONENT] = explain->result->node_count,
                    [EXPLAIN_LEVEL] = 0,
                    [EXPLAIN_SLOT] = 0,
                    [EXPLAIN_STEP] = 0,
                    [EXPLAIN_LINK] = explain->result->link_count};
    size_t longest = 0;
    int found = -1;

    for (int i = 0; i < counts[kind]; i++) {
        const char *name = kind == EXPLAIN_WFS      ? explain->scenario->wfs[i].head.name
                           : kind == EXPLAIN_DEVICE ? explain->scenario->device[i].head.name
                           : kind == EXPLAIN_LINK   ? explain->result->link[i].name
                                                    : explain->result->node[i].name;
        size_t length = strlen(name);

        if (length > longest && strncmp(*path, name, length) == 0 && (*path)[length] == '.') {
            longest = length;
            found = i;
        }
    }
    *path += found < 0 ? 0 : longest + 1;
    return found;
}

/* Skips "WORD.". */
static bool skip_word(const char **path, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(*path, word, length) != 0 || (*path)[length] != '.')
        return false;
    *path += length + 1;
    return true;
}

/* Reads a level: "l3.". */
static bool read_level(const struct explain *explain, const char **path, int index, int part,
                       struct explain_subject *subject)
{
    for (int id = 0; id < LEVEL_COUNT; id++)
        if (skip_word(path, explain_level_names[id])) {
            *subject = (struct explain_subject){EXPLAIN_LEVEL, index, part + id};
            return explain_has_level(explain_levels(explain, index), id);
        }
    return false;
}

/* Reads a part of a component: "packet.12.", "step.12.", "resident.l3.". */
static bool read_part(const struct explain *explain, const char **path,
                      struct explain_subject *subject)
{
    static const struct {
        enum explain_kind kind;
        const char *word;
    } words[] = {
        {.kind = EXPLAIN_SLOT, .word = "packet."},
        {.kind = EXPLAIN_STEP, .word = "step."},
    };

    for (int i = 0; i <= EXPLAIN_OPERAND && subject->kind == EXPLAIN_COMPONENT; i++)
        if (skip_word(path, bytes_names[i]))
            return explain_plan(explain, *subject)->device >= 0 &&
                   i < explain_byte_kinds(explain, *subject) &&
                   read_level(explain, path, subject->index, i * LEVEL_COUNT, subject);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char *end;
        long number;

        if (strncmp(*path, words[i].word, strlen(words[i].word)) != 0)
            continue;
        number = strtol(*path + strlen(words[i].word), &end, 10);
        if (*end != '.' || number < 1 || number > PACKETS_MAX)
            return false;
        *subject = (struct explain_subject){words[i].kind, subject->index, (int)number - 1};
        *path = end + 1;
        return number <= (words[i].kind == EXPLAIN_SLOT ? explain_packets(explain)
                                                        : explain_track(explain, *subject)->slots);
    }
    return true;
}

/* Reads "range.rtc.ports.": skips it and returns true if there is such a group. */
static bool read_group(const struct explain *explain, const char **path,
                       struct explain_subject *subject)
{
    char text[2 * NAME_MAX_LENGTH];

    subject->kind = EXPLAIN_GROUP;
    for (subject->index = 0; subject->index < explain->range->rate_count; subject->index++) {
        print_group(explain, *subject, text, sizeof text);
        if (strncmp(*path, text, strlen(text)) == 0) {
            *path += strlen(text);
            return true;
        }
    }
    return false;
}

static bool read_span(const struct explain *explain, const char **path,
                      struct explain_subject *subject)
{
    struct result_span span;

    if (result_span_find(explain->result, *path + strlen(SPAN_PREFIX), &span, NULL) != STATUS_OK)
        return false;
    *subject = (struct explain_subject){EXPLAIN_SPAN, pack_point(&span.from), pack_point(&span.to)};
    *path += strlen(*path);
    return true;
}

bool explain_path_read(const struct explain *explain, const char **path,
                       struct explain_subject *subject)
{
    static const struct {
        enum explain_kind kind;
        const char *prefix;
    } sections[] = {
        {.kind = EXPLAIN_WFS, .prefix = "wfs."},
        {.kind = EXPLAIN_DEVICE, .prefix = "device."},
        {.kind = EXPLAIN_COMPONENT, .prefix = "component."},
        {.kind = EXPLAIN_LINK, .prefix = "link."},
    };

    *subject = (struct explain_subject){EXPLAIN_DESIGN, 0, 0};
    for (size_t i = 0; i < SINGLE_COUNT; i++) {
        if (strncmp(*path, singles[i].prefix, strlen(singles[i].prefix)) != 0)
            continue;
        subject->kind = singles[i].kind;
        *path += strlen(singles[i].prefix);
        return true;
    }
    if (explain->range != NULL && strncmp(*path, "range.", strlen("range.")) == 0)
        return read_group(explain, path, subject);
    if (strncmp(*path, SPAN_PREFIX, strlen(SPAN_PREFIX)) == 0)
        return read_span(explain, path, subject);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (strncmp(*path, sections[i].prefix, strlen(sections[i].prefix)) != 0)
            continue;
        *path += strlen(sections[i].prefix);
        subject->kind = sections[i].kind;
        subject->index = read_instance(explain, subject->kind, path);
        if (subject->index < 0)
            return false;
        if (subject->kind == EXPLAIN_DEVICE && strchr(*path, '.') != NULL)
            return read_level(explain, path, NODE_MAX + subject->index, 0, subject);
        return subject->kind != EXPLAIN_COMPONENT || read_part(explain, path, subject);
    }
    return true;
}
