#include "chunks.h"

#include <string.h>

/* The section of the scenario that the document's `number`-th is; index -1 where it is gone. */
static struct chunk identify(const struct scenario *scenario, const struct ini *ini, size_t number)
{
    struct chunk chunk = {(int)number, SECTION_SCENARIO, -1};
    char name[64];
    char *point;

    ini_excerpt(ini, ini->sections[number].name, name, sizeof name);
    point = strchr(name, '.');
    if (point != NULL)
        *point++ = '\0';
    for (int s = 0; s < SECTION_COUNT; s++)
        if (strcmp(name, section_name((enum section)s)) == 0)
            chunk.section = (enum section)s;
    chunk.index = section_find(scenario, chunk.section, point == NULL ? "" : point);
    return chunk;
}

static int chunk_of(const struct chunks *plan, enum section section, int index)
{
    for (int i = 0; i < plan->count; i++)
        if (plan->list[i].section == section && plan->list[i].index == index)
            return i;
    return -1;
}

/* Puts the sections of one kind into the scenario's order. */
static void sort_kind(struct chunks *plan, enum section section)
{
    struct chunk *chunks = plan->list;

    for (int i = 0; i < plan->count; i++) {
        int least = i;

        if (chunks[i].section != section || chunks[i].index < 0)
            continue;
        for (int j = i + 1; j < plan->count; j++)
            if (chunks[j].section == section && chunks[j].index >= 0 &&
                chunks[j].index < chunks[least].index)
                least = j;
        if (least != i) {
            struct chunk kept = chunks[i];

            chunks[i] = chunks[least];
            chunks[least] = kept;
        }
    }
}

/* Where a new section goes: behind the one before it, before the first of its kind, or behind the
 * last of the kinds before. */
static int place_of_new(const struct chunks *plan, enum section section, int index)
{
    int at = index > 0 ? chunk_of(plan, section, index - 1) : -1;

    if (at >= 0)
        return at + 1;
    for (int i = 0; i < plan->count; i++)
        if (plan->list[i].section == section && plan->list[i].index >= 0)
            return i;
    for (int i = plan->count; i > 0; i--)
        if (plan->list[i - 1].section <= section)
            return i;
    return 0;
}

static void add_new(struct chunks *plan, const struct stated *stated, enum section section)
{
    int count = section_count(stated->scenario, section);

    for (int i = 0; i < count; i++) {
        bool optional = section_max(section) == 1;
        int at;

        if (chunk_of(plan, section, i) >= 0 || (optional && !stated_adds_any(stated, section, i)))
            continue;
        at = place_of_new(plan, section, i);
        memmove(&plan->list[at + 1], &plan->list[at],
                sizeof plan->list[0] * (size_t)(plan->count - at));
        plan->list[at] = (struct chunk){-1, section, i};
        plan->count++;
    }
}

void chunks_plan(struct chunks *chunks, const struct stated *stated, const struct ini *ini)
{
    chunks->count = 0;
    for (size_t i = 0; i < ini->section_count; i++)
        chunks->list[chunks->count++] = identify(stated->scenario, ini, i);
    for (int s = 0; s < SECTION_COUNT; s++) {
        sort_kind(chunks, (enum section)s);
        add_new(chunks, stated, (enum section)s);
    }
}

/* Extents ------------------------------------------------------------------------------------ */

/* Where the comment lines begin that stand directly before `end`, at or behind `start`. */
static size_t lead_of(const struct ini *ini, size_t start, size_t end)
{
    size_t lead = end;
    bool open = false;

    for (size_t at = start, next; at < end; at = next) {
        bool comment = !ini_line_is_blank(ini, at, &next);

        if (comment && !open)
            lead = at;
        open = comment;
    }
    return open ? lead : end;
}

static size_t keys_end(const struct ini *ini, const struct ini_section *section)
{
    return section->count == 0 ? section->next
                               : ini->keys[section->first + section->count - 1].next;
}

struct extent chunk_extent(const struct ini *ini, size_t number)
{
    const struct ini_section *section = &ini->sections[number];
    bool last = number + 1 == ini->section_count;
    size_t before = number == 0 ? 0 : keys_end(ini, section - 1);
    size_t own = keys_end(ini, section);
    size_t end = last ? ini->length : section[1].text.start;
    struct extent extent;

    extent.lead = lead_of(ini, before, section->text.start);
    extent.header = section->text.start;
    extent.gap_end = last ? end : lead_of(ini, own, end);
    extent.core_end = own;
    for (size_t next; extent.core_end < extent.gap_end; extent.core_end = next)
        if (ini_line_is_blank(ini, extent.core_end, &next))
            break;
    return extent;
}
