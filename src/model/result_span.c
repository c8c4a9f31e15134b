#include "model/result_span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "model/schedule.h"
#include "model/stage.h"

#define SPAN_FORM                                                                                  \
    "expected FROM..TO, each COMPONENT[:first|:last|:NUMBER][:start|:end], as in "                 \
    "latency.slopes:first..recon"

/* Reads ":first", ":start" and so on, up to `end`. */
static bool read_point_word(struct result_point *point, const char *word, size_t length)
{
    static const char *const words[] = {"first", "last", "start", "end"};
    size_t w = 0;

    while (w < sizeof words / sizeof words[0] &&
           (strlen(words[w]) != length || strncmp(words[w], word, length) != 0))
        w++;
    if (w < 2) {
        point->packet = w == 0 ? POINT_FIRST : POINT_LAST;
    } else if (w < 4) {
        point->start = w == 2;
    } else {
        char *rest;
        long number = strtol(word, &rest, 10);

        if (word[0] < '1' || word[0] > '9' || rest != word + length || number > PACKETS_MAX)
            return false;
        point->packet = (int)number - 1;
    }
    return true;
}

static enum status find_point(const struct result *result, const char *text, size_t length,
                              struct result_point *point, struct error *error)
{
    const char *const end = text + length;
    const char *colon = memchr(text, ':', length);
    char name[NODE_NAME_MAX + 1];
    struct nearest nearest;

    snprintf(name, sizeof name, "%.*s", (int)((colon == NULL ? end : colon) - text), text);
    *point = (struct result_point){result_find_node(result, name), POINT_LAST, false};
    if (point->node < 0) {
        nearest = nearest_to(name);
        for (int n = 0; n < result->node_count; n++)
            nearest_offer(&nearest, result->node[n].name);
        return error_set(error, STATUS_INVALID,
                         "no component \"%.60s\" for a latency%s%s; " SPAN_FORM, name,
                         nearest.best[0] == '\0' ? "" : "; the nearest is ", nearest.best);
    }
    for (int w = 0; colon != NULL; w++) {
        const char *word = colon + 1;
        size_t of_word;

        colon = memchr(word, ':', (size_t)(end - word));
        of_word = (size_t)((colon == NULL ? end : colon) - word);
        if (w < 2 && read_point_word(point, word, of_word))
            continue;
        if (w < 2 && of_word > 0 && strspn(word, "0123456789") == of_word)
            return error_set(error, STATUS_INVALID, "\"%.*s\": packets are numbered from 1 to %d",
                             (int)smaller(100, (double)length), text, PACKETS_MAX);
        return error_set(error, STATUS_INVALID, "\"%.*s\" is no point of a latency; " SPAN_FORM,
                         (int)smaller(100, (double)length), text);
    }
    return STATUS_OK;
}

enum status result_span_find(const struct result *result, const char *text,
                             struct result_span *span, struct error *error)
{
    const char *dots = strstr(text, "..");

    if (dots == NULL)
        return error_set(error, STATUS_INVALID, "\"%.100s\" is no latency; " SPAN_FORM, text);
    if (find_point(result, text, (size_t)(dots - text), &span->from, error) != STATUS_OK)
        return STATUS_INVALID;
    return find_point(result, dots + 2, strlen(dots + 2), &span->to, error);
}

/* Returns the time of a point of a node that runs, or RESULT_NONE. */
static double point_time(const struct result *result, int node, const struct result_point *point)
{
    const struct track *track = &result->work->timeline.tracks[node];
    int first = schedule_packet_slot(result, node, 0);
    int number = track->slots - 1;
    struct schedule_slot slot;

    if (point->packet == POINT_FIRST)
        number = track_first_slot(track) > first ? track_first_slot(track) : first;
    else if (point->packet != POINT_LAST && point->packet >= schedule_packets(result, node))
        return RESULT_NONE;
    else if (point->packet != POINT_LAST)
        number = schedule_packet_slot(result, node, point->packet);
    schedule_read_packet(result, node, number, &slot);
    return point->start ? slot.start : slot.end;
}

/* Likewise of any node: of a split component the earliest start and the latest end of its parts. */
static double find_point_time(const struct result *result, const struct result_point *point)
{
    const struct node_result *node = &result->node[point->node];
    double time = RESULT_NONE;

    if (!node_is_whole(node))
        return point_time(result, point->node, point);
    for (int p = 1; p <= node->parts; p++) {
        double part = point_time(result, point->node + p, point);

        time = p == 1 ? part : point->start ? smaller(time, part) : larger(time, part);
    }
    return time;
}

double result_span_read(const struct result *result, const struct result_span *span)
{
    double from = find_point_time(result, &span->from);
    double to = find_point_time(result, &span->to);

    return from == RESULT_NONE || to == RESULT_NONE ? RESULT_NONE : to - from;
}

static bool is_missing(const struct result *result, const struct result_point *point, char *text,
                       size_t size)
{
    if (find_point_time(result, point) != RESULT_NONE)
        return false;
    snprintf(text, size, "%s has %d packets, no %d", result->node[point->node].name,
             schedule_packets(result, point->node), point->packet + 1);
    return true;
}

bool result_span_missing(const struct result *result, const struct result_span *span, char *text,
                         size_t size)
{
    text[0] = '\0';
    return is_missing(result, &span->from, text, size) || is_missing(result, &span->to, text, size);
}
