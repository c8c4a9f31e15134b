#include "session/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/array.h"

/* A change. Both images are equal in the first `at` bytes and after the bytes stored here. */
struct step {
    char label[HISTORY_LABEL];
    int source_before, source_after;
    size_t room; /* bytes that fit */
    size_t at;
    size_t before_size, after_size;
    unsigned char bytes[]; /* old, then new */
};

/* The parts of a scenario in use, in the order of the struct. */
struct part {
    size_t offset, size;
};

enum { PARTS = 4 };

static void parts_in_use(const struct scenario *scenario, struct part parts[PARTS])
{
    parts[0] = (struct part){0, offsetof(struct scenario, wfs)};
    parts[1] = (struct part){offsetof(struct scenario, wfs),
                             sizeof scenario->wfs[0] * (size_t)scenario->wfs_count};
    parts[2] = (struct part){offsetof(struct scenario, device),
                             sizeof scenario->device[0] * (size_t)scenario->device_count};
    parts[3] = (struct part){offsetof(struct scenario, component),
                             sizeof scenario->component[0] * (size_t)scenario->component_count};
}

static void image_reserve(struct image *image, size_t size)
{
    if (size <= image->capacity)
        return;
    image->capacity = size + size / 2;
    image->bytes = allocate_again(image->bytes, image->capacity);
}

void image_pack(struct image *image, const struct scenario *scenario)
{
    struct part parts[PARTS];
    size_t size = 0;

    parts_in_use(scenario, parts);
    for (int p = 0; p < PARTS; p++)
        size += parts[p].size;
    image_reserve(image, size);
    image->size = 0;
    for (int p = 0; p < PARTS; p++) {
        memcpy(image->bytes + image->size, (const unsigned char *)scenario + parts[p].offset,
               parts[p].size);
        image->size += parts[p].size;
    }
}

void image_unpack(const struct image *image, struct scenario *scenario)
{
    struct part parts[PARTS];
    const unsigned char *from = image->bytes;

    /* the first part contains the counts that determine the other sizes */
    memcpy(scenario, from, offsetof(struct scenario, wfs));
    parts_in_use(scenario, parts);
    for (int p = 0; p < PARTS; p++) {
        memcpy((unsigned char *)scenario + parts[p].offset, from, parts[p].size);
        from += parts[p].size;
    }
}

bool image_equals(const struct image *image, const struct scenario *scenario)
{
    struct part parts[PARTS];
    size_t at = 0;

    parts_in_use(scenario, parts);
    for (int p = 0; p < PARTS; p++) {
        if (parts[p].size > image->size - at ||
            memcmp(image->bytes + at, (const unsigned char *)scenario + parts[p].offset,
                   parts[p].size) != 0)
            return false;
        at += parts[p].size;
    }
    return at == image->size;
}

void image_free(struct image *image)
{
    free(image->bytes);
    *image = (struct image){0};
}

static void discard_steps_above(struct history *history, size_t position)
{
    while (history->count > position)
        free(history->steps[--history->count]);
}

void history_start(struct history *history, const struct scenario *scenario)
{
    discard_steps_above(history, 0);
    history->position = 0;
    image_pack(&history->now, scenario);
}

void history_free(struct history *history)
{
    discard_steps_above(history, 0);
    free(history->steps);
    image_free(&history->now);
    image_free(&history->next);
    *history = (struct history){0};
}

/* Makes a step from a to b, in the memory of `spare` (may be NULL), which it frees if too small. */
static struct step *make_step(const struct image *a, const struct image *b, struct step *spare)
{
    enum { ROOM = 64 }; /* for most changes of one knob */
    size_t shorter = a->size < b->size ? a->size : b->size;
    size_t head = 0;
    size_t tail = 0;
    size_t size;
    struct step *step = spare;

    while (head < shorter && a->bytes[head] == b->bytes[head])
        head++;
    while (tail < shorter - head && a->bytes[a->size - tail - 1] == b->bytes[b->size - tail - 1])
        tail++;
    size = (a->size - head - tail) + (b->size - head - tail);
    if (step == NULL || step->room < size) {
        size += ROOM;
        free(spare);
        step = allocate(sizeof *step + size);
        step->room = size;
    }
    step->at = head;
    step->before_size = a->size - head - tail;
    step->after_size = b->size - head - tail;
    memcpy(step->bytes, a->bytes + head, step->before_size);
    memcpy(step->bytes + step->before_size, b->bytes + head, step->after_size);
    return step;
}

/* Replaces `old` bytes of the image by `size` bytes. */
static void patch_image(struct image *image, size_t at, size_t old, const unsigned char *bytes,
                        size_t size)
{
    image_reserve(image, image->size - old + size);
    memmove(image->bytes + at + size, image->bytes + at + old, image->size - at - old);
    memcpy(image->bytes + at, bytes, size);
    image->size = image->size - old + size;
}

static void patch_back(struct history *history)
{
    const struct step *step = history->steps[history->position - 1];

    patch_image(&history->now, step->at, step->after_size, step->bytes, step->before_size);
    history->position--;
}

/* `spare` as for make_step. */
static void push_step(struct history *history, const struct scenario *scenario, const char *label,
                      int source, struct step *spare)
{
    struct image swap;
    struct step *step;

    image_pack(&history->next, scenario);
    swap = history->next;
    if (source == history->source && swap.size == history->now.size &&
        memcmp(swap.bytes, history->now.bytes, swap.size) == 0) {
        free(spare);
        return;
    }
    step = make_step(&history->now, &history->next, spare);
    step->source_before = history->source;
    step->source_after = history->source = source;
    snprintf(step->label, sizeof step->label, "%s", label);
    history->steps = array_reserve(history->steps, (int)history->count, &history->capacity,
                                   sizeof *history->steps);
    history->steps[history->count++] = step;
    history->position = history->count;
    history->next = history->now;
    history->now = swap;
}

void history_record(struct history *history, const struct scenario *scenario, const char *label,
                    bool join)
{
    struct step *spare = NULL;

    discard_steps_above(history, history->position);
    if (join && history->position > 0) {
        patch_back(history);
        spare = history->steps[--history->count];
    }
    push_step(history, scenario, label, history->source, spare);
}

void history_record_load(struct history *history, const struct scenario *scenario,
                         const char *label, int source)
{
    discard_steps_above(history, history->position);
    push_step(history, scenario, label, source, NULL);
}

const char *history_undo_label(const struct history *history)
{
    return history->position == 0 ? NULL : history->steps[history->position - 1]->label;
}

const char *history_redo_label(const struct history *history)
{
    return history->position == history->count ? NULL : history->steps[history->position]->label;
}

const char *history_undo(struct history *history, struct scenario *scenario)
{
    if (history->position == 0)
        return NULL;
    patch_back(history);
    image_unpack(&history->now, scenario);
    history->source = history->steps[history->position]->source_before;
    return history->steps[history->position]->label;
}

const char *history_redo(struct history *history, struct scenario *scenario)
{
    const struct step *step;

    if (history->position == history->count)
        return NULL;
    step = history->steps[history->position];
    patch_image(&history->now, step->at, step->before_size, step->bytes + step->before_size,
                step->after_size);
    history->position++;
    history->source = step->source_after;
    image_unpack(&history->now, scenario);
    return step->label;
}
