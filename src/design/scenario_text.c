#include "design/scenario_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "design/document.h"
#include "design/knob.h"
#include "design/knob_text.h"
#include "design/scenario_file.h"

/* Text as a file holds it: in quotes where iniparser would read it otherwise, or where `quote`
 * (its former one, or NUL) was there. knob_set_text takes no text with both quotes in it. */
void stated_spell(const char *value, char quote, char *text, size_t size)
{
    size_t length = strlen(value);
    bool needed = length == 0 || strpbrk(value, ";#\"'") != NULL || value[0] == ' ' ||
                  value[0] == '\t' || value[length - 1] == ' ' || value[length - 1] == '\t' ||
                  value[length - 1] == '\\';

    if (quote == '\0' && needed)
        quote = '"';
    if (quote != '\0' && strchr(value, quote) != NULL)
        quote = quote == '"' ? '\'' : '"';
    if (quote == '\0')
        snprintf(text, size, "%s", value);
    else
        snprintf(text, size, "%c%s%c", quote, value, quote);
}

const char *section_kind_key(enum section section)
{
    if (section == SECTION_COMPONENT)
        return "type";
    return section == SECTION_DEVICE || section == SECTION_WFS ? "kind" : NULL;
}

/* What every file says, whatever its value: the format, and what a component is. */
static bool is_required(const struct knob *knob)
{
    return (knob->section == SECTION_SCENARIO && strcmp(knob->key, "format") == 0) ||
           (knob->section == SECTION_COMPONENT && strcmp(knob->key, "type") == 0);
}

static bool is_kind_or_preset(const struct knob *knob)
{
    const char *kind = section_kind_key(knob->section);

    return knob->type == KNOB_PRESET || (kind != NULL && strcmp(knob->key, kind) == 0);
}

/* Whether the value is the one that the knob has where nobody states it. */
static bool is_plain(const struct stated *stated, struct knob_ref ref)
{
    const struct scenario *scenario = stated->scenario;
    char text[SPELLED_MAX];
    char plain[SPELLED_MAX];

    if (ref.knob->type == KNOB_PRESET)
        return scenario->device[ref.index].preset[0] == '\0';
    if (is_kind_or_preset(ref.knob)) {
        const struct device *base =
            ref.section == SECTION_DEVICE ? scenario->device[ref.index].base : NULL;

        return knob_number(scenario, ref) == (base != NULL ? base->kind : ref.knob->fallback);
    }
    knob_get_text(scenario, ref, text, sizeof text);
    knob_get_text(stated->plain, ref, plain, sizeof plain);
    return strcmp(text, plain) == 0;
}

static void make_plain(struct scenario *plain)
{
    for (int i = 0; i < KNOB_COUNT; i++) {
        int count = section_count(plain, knobs[i].section);

        for (int index = 0; index < count && !is_kind_or_preset(&knobs[i]); index++)
            if (knob_applies(plain, knobs[i].section, index, &knobs[i]))
                knob_reset(plain, (struct knob_ref){knobs[i].section, index, &knobs[i]});
    }
}

bool stated_open(struct stated *stated, const struct scenario *scenario)
{
    stated->scenario = scenario;
    stated->plain = malloc(sizeof *stated->plain);
    if (stated->plain == NULL)
        return false;
    scenario_copy(stated->plain, scenario);
    make_plain(stated->plain);
    return true;
}

void stated_close(struct stated *stated)
{
    free(stated->plain);
}

bool stated_keeps(const struct stated *stated, struct knob_ref ref)
{
    return is_required(ref.knob) || knob_is_own(stated->scenario, ref);
}

bool stated_adds(const struct stated *stated, struct knob_ref ref)
{
    enum origin origin;

    if (!knob_applies(stated->scenario, ref.section, ref.index, ref.knob))
        return false;
    return is_required(ref.knob) ||
           (knob_is_own(stated->scenario, ref) &&
            (!is_plain(stated, ref) || knob_stated_origin(stated->scenario, ref, &origin)));
}

bool stated_adds_any(const struct stated *stated, enum section section, int index)
{
    int first = knob_section_first(section);
    int end = first + knob_section_count(section);

    for (int i = first; i < end; i++)
        if (stated_adds(stated, (struct knob_ref){section, index, &knobs[i]}))
            return true;
    return false;
}

/* Chunks --------------------------------------------------------------------------------------- */

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

/* Scenario text -------------------------------------------------------------------------------- */

struct writing {
    struct stated stated;
    const struct document *document;
    const char *eol; /* of new lines */
    struct buffer text;
};

/* Lines -------------------------------------------------------------------------------------- */

static bool ends_line(const struct buffer *text)
{
    return text->length == 0 || text->bytes[text->length - 1] == '\n';
}

/* Bytes of the document, on a line of their own. */
static void copy(struct writing *writing, size_t start, size_t end)
{
    if (end <= start)
        return;
    if (!writing->text.failed && !ends_line(&writing->text))
        buffer_print(&writing->text, "%s", writing->eol);
    buffer_add(&writing->text, writing->document->ini.bytes + start, end - start);
}

static void add_line(struct writing *writing, const char *line)
{
    if (!writing->text.failed && !ends_line(&writing->text))
        buffer_print(&writing->text, "%s", writing->eol);
    buffer_print(&writing->text, "%s%s", line, writing->eol);
}

/* Where the text's last line starts, `length` bytes of it given. */
static size_t last_line(const struct buffer *text, size_t length)
{
    size_t at = length;

    while (at > 0 && text->bytes[at - 1] != '\n')
        at--;
    return at;
}

static bool is_blank_line(const struct buffer *text, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        if (strchr(" \t\r\n", text->bytes[i]) == NULL)
            return false;
    return true;
}

/* Whether the text ends in a blank line (or is empty). */
static bool ends_blank(const struct buffer *text)
{
    size_t end = text->length;

    if (end == 0)
        return true;
    if (!ends_line(text))
        return false;
    return is_blank_line(text, last_line(text, end - 1), end);
}

static void trim_blank_lines(struct buffer *text)
{
    while (!text->failed && text->length > 0 && ends_blank(text)) {
        text->length = last_line(text, text->length - 1);
        text->bytes[text->length] = '\0';
    }
}

/* Keys --------------------------------------------------------------------------------------- */

static void add_key(struct writing *writing, struct knob_ref ref)
{
    char value[SPELLED_MAX];
    char spelled[SPELLED_MAX];
    char line[2 * SPELLED_MAX];

    knob_get_text(writing->stated.scenario, ref, value, sizeof value);
    stated_spell(value, '\0', spelled, sizeof spelled);
    snprintf(line, sizeof line, "%s = %s", ref.knob->key, spelled);
    add_line(writing, line);
}

static void add_origin(struct writing *writing, struct knob_ref ref)
{
    enum origin origin;
    char line[128];

    if (!knob_stated_origin(writing->stated.scenario, ref, &origin))
        return;
    snprintf(line, sizeof line, ORIGIN_PREFIX "%s = %s", ref.knob->key, origin_name(origin));
    add_line(writing, line);
}

/* The knob of the loaded scenario, where that had the instance and the knob. */
static bool find_former(const struct writing *writing, struct knob_ref ref, struct knob_ref *former)
{
    const struct scenario *loaded = &writing->document->loaded;
    const char *name = section_head_const(writing->stated.scenario, ref.section, ref.index)->name;
    int index = section_find(loaded, ref.section, name);

    return index >= 0 &&
           knob_find_key(loaded, ref.section, index, ref.knob->key, former, NULL) == STATUS_OK;
}

/* Whether the document's line already says what the scenario does; `own` is whether the scenario
 * stated it then: a line may say "auto", which states nothing. */
static bool is_unchanged(const struct writing *writing, struct knob_ref ref, const char *value,
                         bool *own)
{
    const struct scenario *loaded = &writing->document->loaded;
    struct knob_ref former;
    char text[SPELLED_MAX];

    if (!find_former(writing, ref, &former))
        return false;
    *own = knob_is_own(loaded, former);
    knob_get_text(loaded, former, text, sizeof text);
    return strcmp(text, value) == 0;
}

/* The document's line with another value. */
static void copy_with(struct writing *writing, const struct ini_key *key, const char *value)
{
    const struct ini *ini = &writing->document->ini;
    size_t spelled = key->spelled.start;
    bool quoted = key->spelled.length > key->value.length;
    char text[SPELLED_MAX];

    stated_spell(value, quoted ? ini->bytes[spelled] : '\0', text, sizeof text);
    copy(writing, key->text.start, spelled);
    buffer_print(&writing->text, "%s%s", ini->bytes[spelled - 1] == '=' ? " " : "", text);
    buffer_add(&writing->text, ini->bytes + spelled + key->spelled.length,
               key->next - spelled - key->spelled.length);
}

/* The line that tells a value's origin; nothing where that is told no more. */
static void keep_origin(struct writing *writing, const struct ini_key *key, struct knob_ref ref)
{
    struct knob_ref former;
    enum origin before;
    enum origin now;

    if (!knob_stated_origin(writing->stated.scenario, ref, &now))
        return;
    if (find_former(writing, ref, &former) &&
        knob_stated_origin(&writing->document->loaded, former, &before) && before == now)
        copy(writing, key->text.start, key->next);
    else
        copy_with(writing, key, origin_name(now));
}

/* The document's line, with its value if that is another now; nothing for a key reset. */
static void keep_key(struct writing *writing, const struct chunk *chunk, const struct ini_key *key)
{
    char name[64];
    char value[SPELLED_MAX];
    const char *of;
    struct knob_ref ref;
    bool own = false;
    bool unchanged;

    ini_excerpt(&writing->document->ini, key->name, name, sizeof name);
    of = origin_key(chunk->section, name);
    if (knob_find_key(writing->stated.scenario, chunk->section, chunk->index,
                      of != NULL ? of : name, &ref, NULL) != STATUS_OK)
        return;
    if (of != NULL) {
        keep_origin(writing, key, ref);
        return;
    }
    knob_get_text(writing->stated.scenario, ref, value, sizeof value);
    unchanged = is_unchanged(writing, ref, value, &own);
    if (!stated_keeps(&writing->stated, ref) && (own || !unchanged))
        return;
    if (unchanged)
        copy(writing, key->text.start, key->next);
    else
        copy_with(writing, key, value);
}

static bool has_line(const struct writing *writing, const struct ini_section *section,
                     const char *prefix, const char *key)
{
    char name[96];

    snprintf(name, sizeof name, "%s%s", prefix, key);
    return section != NULL && ini_find_key(&writing->document->ini, section, name) != NULL;
}

/* Keys that the document's section has not. */
static void add_keys(struct writing *writing, const struct chunk *chunk,
                     const struct ini_section *section)
{
    int first = knob_section_first(chunk->section);
    int end = first + knob_section_count(chunk->section);

    for (int i = first; i < end; i++) {
        struct knob_ref ref = {chunk->section, chunk->index, &knobs[i]};
        bool there = has_line(writing, section, "", knobs[i].key);

        if (!there && stated_adds(&writing->stated, ref))
            add_key(writing, ref);
        if (!has_line(writing, section, ORIGIN_PREFIX, knobs[i].key) &&
            (there ? stated_keeps : stated_adds)(&writing->stated, ref))
            add_origin(writing, ref);
    }
}

/* Sections ----------------------------------------------------------------------------------- */

static void write_new(struct writing *writing, const struct chunk *chunk)
{
    char path[64];
    char header[80];

    section_path(writing->stated.scenario, chunk->section, chunk->index, path, sizeof path);
    snprintf(header, sizeof header, "[%s]", path);
    add_line(writing, header);
    add_keys(writing, chunk, NULL);
}

static void write_kept(struct writing *writing, const struct chunk *chunk)
{
    const struct ini *ini = &writing->document->ini;
    const struct ini_section *section = &ini->sections[chunk->in_file];
    struct extent extent = chunk_extent(ini, (size_t)chunk->in_file);
    size_t at = extent.lead;

    for (size_t i = section->first; i < section->first + section->count; i++) {
        copy(writing, at, ini->keys[i].text.start);
        keep_key(writing, chunk, &ini->keys[i]);
        at = ini->keys[i].next;
    }
    copy(writing, at, extent.core_end);
    add_keys(writing, chunk, section);
    copy(writing, extent.core_end, extent.gap_end);
}

/* Of a section that is gone the comments around it stay: those above it may be about more than
 * it, and those below a blank line are not in it. */
static void write_removed(struct writing *writing, const struct chunk *chunk)
{
    const struct ini *ini = &writing->document->ini;
    struct extent extent = chunk_extent(ini, (size_t)chunk->in_file);
    size_t gap = extent.core_end;
    size_t next;

    copy(writing, extent.lead, extent.header);
    while (extent.lead == extent.header && gap < extent.gap_end &&
           ini_line_is_blank(ini, gap, &next))
        gap = next;
    copy(writing, gap, extent.gap_end);
}

static void write_chunks(struct writing *writing, const struct chunks *chunks)
{
    const struct ini *ini = &writing->document->ini;
    int before = -1; /* the document's section that was written last */
    bool last_kept = false;

    if (ini->section_count > 0)
        copy(writing, 0, chunk_extent(ini, 0).lead);
    for (int i = 0; i < chunks->count; i++) {
        const struct chunk *chunk = &chunks->list[i];
        bool neighbours = chunk->in_file >= 0 && chunk->in_file == before + 1;

        if (!writing->text.failed && !neighbours && chunk->index >= 0 &&
            !ends_blank(&writing->text))
            add_line(writing, "");
        if (chunk->index < 0)
            write_removed(writing, chunk);
        else if (chunk->in_file < 0)
            write_new(writing, chunk);
        else
            write_kept(writing, chunk);
        before = chunk->in_file >= 0 ? chunk->in_file : INT_MIN;
        last_kept = before == (int)ini->section_count - 1 && chunk->index >= 0;
    }
    /* blank lines that parted the last section from one that follows no more */
    if (!last_kept)
        trim_blank_lines(&writing->text);
}

/* A file whose last line does not end keeps that. */
static void end_as_before(struct writing *writing)
{
    const struct ini *ini = &writing->document->ini;
    struct buffer *text = &writing->text;

    if (ini->length == 0 || ini->bytes[ini->length - 1] == '\n' || text->failed ||
        text->length == 0 || text->bytes[text->length - 1] != '\n')
        return;
    text->length--;
    if (text->length > 0 && text->bytes[text->length - 1] == '\r')
        text->length--;
    text->bytes[text->length] = '\0';
}

static bool is_crlf(const struct ini *ini)
{
    const char *end = ini->length == 0 ? NULL : memchr(ini->bytes, '\n', ini->length);

    return end != NULL && end > ini->bytes && end[-1] == '\r';
}

char *scenario_text(const struct scenario *scenario, const struct document *document,
                    size_t *length)
{
    static const struct document none;
    struct writing writing = {.document = document == NULL ? &none : document};
    struct chunks chunks;

    if (!stated_open(&writing.stated, scenario))
        return NULL;
    writing.eol = is_crlf(&writing.document->ini) ? "\r\n" : "\n";
    chunks_plan(&chunks, &writing.stated, &writing.document->ini);
    write_chunks(&writing, &chunks);
    end_as_before(&writing);
    stated_close(&writing.stated);
    if (writing.text.failed) {
        buffer_free(&writing.text);
        return NULL;
    }
    *length = writing.text.length;
    return writing.text.bytes;
}
