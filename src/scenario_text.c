#include "scenario_ini.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "chunks.h"
#include "document.h"
#include "knob.h"
#include "stated.h"

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

    if (!knob_origin_said(writing->stated.scenario, ref, &origin))
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

    if (!knob_origin_said(writing->stated.scenario, ref, &now))
        return;
    if (find_former(writing, ref, &former) &&
        knob_origin_said(&writing->document->loaded, former, &before) && before == now)
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
