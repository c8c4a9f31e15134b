#include "design/scenario_save.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "design/calibration.h"
#include "design/ini.h"
#include "design/knob_text.h"
#include "design/section_read.h"
#include "design/trace_library.h"

#define SPELLED_SIZE (KNOB_TEXT_SIZE + 2) /* value with its quotes */

/* Twice the sections of the largest scenario: all of the former text may have been removed. */
#define SECTIONS_MAX (2 * (3 + WFS_MAX + DEVICE_MAX + COMPONENT_MAX))

/* A section of the text to write. */
struct text_section {
    int in_file; /* index in the former text, -1: new */
    enum section section;
    int index; /* index in the scenario, -1: removed */
};

struct writer {
    const struct scenario *scenario;
    struct scenario *plain;          /* all knobs except kinds and presets reset */
    const struct document *document; /* former text and its values */
    struct text_section sections[SECTIONS_MAX];
    int count;
    const char *line_end; /* line end of new lines */
    struct buffer text;
};

/* Required statements -------------------------------------------------------------------------- */

static struct scenario *plain_copy(const struct scenario *scenario)
{
    struct scenario *plain = allocate(sizeof *plain);

    scenario_copy(plain, scenario);
    for (struct knob_ref ref = {.knob = NULL}; knob_next(plain, &ref);)
        if (knob_pass(ref.knob) == PASS_REST)
            knob_reset(plain, ref);
    return plain;
}

/* Returns true if the knob would have the same value if it were not stated. */
static bool is_plain_value(const struct writer *writer, struct knob_ref ref)
{
    const struct device *base =
        ref.section == SECTION_DEVICE ? writer->scenario->device[ref.index].base : NULL;
    char text[KNOB_TEXT_SIZE];
    char plain[KNOB_TEXT_SIZE];

    knob_get_text(writer->scenario, ref, text, sizeof text);
    switch (knob_pass(ref.knob)) {
    case PASS_PRESETS:
        return text[0] == '\0';
    case PASS_KINDS:
        return knob_number(writer->scenario, ref) ==
               (base != NULL ? base->kind : ref.knob->fallback);
    default:
        knob_get_text(writer->plain, ref, plain, sizeof plain);
        return strcmp(text, plain) == 0;
    }
}

/* Returns true for knobs that every file states, whatever their value. */
static bool is_required(const struct knob *knob)
{
    return knob_id(knob) == KNOB_SCENARIO_FORMAT || knob_id(knob) == KNOB_COMPONENT_TYPE;
}

/* Returns true if a knob of the former text is kept. */
static bool keeps_knob(const struct writer *writer, struct knob_ref ref)
{
    return is_required(ref.knob) || knob_is_own(writer->scenario, ref);
}

/* Returns true if a knob must be added: its value is not the preset's or the default, or the
 * scenario states its origin. */
static bool adds_knob(const struct writer *writer, struct knob_ref ref)
{
    enum origin origin;

    if (!knob_applies(writer->scenario, ref.section, ref.index, ref.knob))
        return false;
    return is_required(ref.knob) ||
           (knob_is_own(writer->scenario, ref) &&
            (!is_plain_value(writer, ref) || knob_stated_origin(writer->scenario, ref, &origin)));
}

static bool adds_any_knob(const struct writer *writer, enum section section)
{
    int first = knob_section_first(section);

    for (int i = first; i < first + knob_section_count(section); i++)
        if (adds_knob(writer, (struct knob_ref){section, 0, &knobs[i]}))
            return true;
    return false;
}

/* Order of sections ---------------------------------------------------------------------------- */

/* Finds the former text's `number`-th section in the scenario; index -1 if it was removed. */
static struct text_section identify_section(const struct writer *writer, size_t number)
{
    struct text_section section = {(int)number, SECTION_SCENARIO, -1};
    char name[NAME_SHOWN];
    char *point;

    ini_excerpt(&writer->document->ini, writer->document->ini.sections[number].name, name,
                sizeof name);
    point = strchr(name, '.');
    if (point != NULL)
        *point++ = '\0';
    section.section = section_named(name);
    section.index = section_find(writer->scenario, section.section, point == NULL ? "" : point);
    if (section.section == SECTION_CALIBRATION && section.index >= 0 &&
        writer->document->ini.sections[number].count > 0 && !calibration_stated(writer->scenario))
        section.index = -1; /* a user has no use for one that is empty */
    return section;
}

static int find_text_section(const struct writer *writer, enum section section, int index)
{
    for (int i = 0; i < writer->count; i++)
        if (writer->sections[i].section == section && writer->sections[i].index == index)
            return i;
    return -1;
}

/* Sorts the sections of one kind into the scenario's order. */
static void sort_sections(struct writer *writer, enum section section)
{
    struct text_section *list = writer->sections;

    for (int i = 0; i < writer->count; i++) {
        int least = i;
        struct text_section moved = list[i];

        if (moved.section != section || moved.index < 0)
            continue;
        for (int j = i + 1; j < writer->count; j++)
            if (list[j].section == section && list[j].index >= 0 &&
                list[j].index < list[least].index)
                least = j;
        list[i] = list[least];
        list[least] = moved;
    }
}

/* Returns the position of a new section: after its predecessor, before the first of its kind, or
 * after the last of the preceding kinds. */
static int new_section_position(const struct writer *writer, enum section section, int index)
{
    int at = index > 0 ? find_text_section(writer, section, index - 1) : -1;

    if (at >= 0)
        return at + 1;
    for (int i = 0; i < writer->count; i++)
        if (writer->sections[i].section == section && writer->sections[i].index >= 0)
            return i;
    for (int i = writer->count; i > 0; i--)
        if (writer->sections[i - 1].section <= section)
            return i;
    return 0;
}

static void add_new_sections(struct writer *writer, enum section section)
{
    for (int i = 0; i < section_count(writer->scenario, section); i++) {
        struct text_section *place;

        if (find_text_section(writer, section, i) >= 0 ||
            (section_max(section) == 1 && !adds_any_knob(writer, section)))
            continue;
        place = &writer->sections[new_section_position(writer, section, i)];
        memmove(place + 1, place,
                sizeof *place * (size_t)(&writer->sections[writer->count] - place));
        *place = (struct text_section){-1, section, i};
        writer->count++;
    }
}

static void order_sections(struct writer *writer)
{
    for (size_t i = 0; i < writer->document->ini.section_count; i++)
        writer->sections[writer->count++] = identify_section(writer, i);
    for (int s = 0; s < SECTION_COUNT; s++) {
        sort_sections(writer, (enum section)s);
        add_new_sections(writer, (enum section)s);
    }
}

/* Extents of sections -------------------------------------------------------------------------- */

/* A section of the former text and its surroundings; offsets of the parts:
 *
 *     ; lead: the comment lines directly above the header
 *     [header]
 *     its keys and comments
 *     ; and comment lines directly below the last
 *
 *     gap: from there (core_end) to the next section's lead (gap_end) */
struct extent {
    size_t lead;
    size_t header;
    size_t core_end;
    size_t gap_end;
};

/* Returns the start of the comment lines directly before `end`, but not before `start`. */
static size_t find_lead(const struct ini *ini, size_t start, size_t end)
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

static struct extent find_extent(const struct ini *ini, int number)
{
    const struct ini_section *section = &ini->sections[number];
    bool last = (size_t)number + 1 == ini->section_count;
    size_t before = number == 0 ? 0 : keys_end(ini, section - 1);
    size_t end = last ? ini->length : section[1].text.start;
    struct extent extent;

    extent.lead = find_lead(ini, before, section->text.start);
    extent.header = section->text.start;
    extent.core_end = keys_end(ini, section);
    extent.gap_end = last ? end : find_lead(ini, extent.core_end, end);
    for (size_t next; extent.core_end < extent.gap_end; extent.core_end = next)
        if (ini_line_is_blank(ini, extent.core_end, &next))
            break;
    return extent;
}

/* Lines ---------------------------------------------------------------------------------------- */

static bool ends_line(const struct buffer *text)
{
    return text->length == 0 || text->bytes[text->length - 1] == '\n';
}

static void end_line(struct writer *writer)
{
    if (!ends_line(&writer->text))
        buffer_text(&writer->text, writer->line_end);
}

/* Copies bytes of the former text, starting on a new line. */
static void copy_bytes(struct writer *writer, size_t start, size_t end)
{
    if (end <= start)
        return;
    end_line(writer);
    buffer_add(&writer->text, writer->document->ini.bytes + start, end - start);
}

static void write_line(struct writer *writer, const char *line)
{
    end_line(writer);
    buffer_print(&writer->text, "%s%s", line, writer->line_end);
}

/* Returns the start of the last line of the first `length` bytes. */
static size_t last_line(const struct buffer *text, size_t length)
{
    size_t at = length;

    while (at > 0 && text->bytes[at - 1] != '\n')
        at--;
    return at;
}

/* Returns true if the text ends in a blank line (or is empty). */
static bool ends_blank(const struct buffer *text)
{
    if (text->length == 0)
        return true;
    if (!ends_line(text))
        return false;
    for (size_t i = last_line(text, text->length - 1); i < text->length; i++)
        if (strchr(" \t\r\n", text->bytes[i]) == NULL)
            return false;
    return true;
}

static void cut_text(struct buffer *text, size_t length)
{
    text->length = length;
    text->bytes[length] = '\0';
}

/* Removes the last line end if the former text had none. */
static void restore_text_end(struct writer *writer)
{
    const struct ini *ini = &writer->document->ini;
    struct buffer *text = &writer->text;

    if (ini->length == 0 || ini->bytes[ini->length - 1] == '\n' || text->length == 0 ||
        text->bytes[text->length - 1] != '\n')
        return;
    cut_text(text, text->length - 1);
    if (text->length > 0 && text->bytes[text->length - 1] == '\r')
        cut_text(text, text->length - 1);
}

/* Keys ----------------------------------------------------------------------------------------- */

/* Writes a value as in a file: quoted if it would otherwise be misread, or if it was quoted
 * before (`quote`, else NUL). There are no escapes, and knob_set_text rejects text with both kinds
 * of quotes. */
static void spell_value(const char *value, char quote, char *text, size_t size)
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

static void write_key(struct writer *writer, struct knob_ref ref)
{
    char value[KNOB_TEXT_SIZE];
    char spelled[SPELLED_SIZE];
    char line[SPELLED_SIZE + NAME_SHOWN];

    knob_get_text(writer->scenario, ref, value, sizeof value);
    spell_value(value, '\0', spelled, sizeof spelled);
    snprintf(line, sizeof line, "%s = %s", ref.knob->key, spelled);
    write_line(writer, line);
}

static void write_origin(struct writer *writer, struct knob_ref ref)
{
    enum origin origin;
    char line[128];

    if (!knob_stated_origin(writer->scenario, ref, &origin))
        return;
    snprintf(line, sizeof line, ORIGIN_PREFIX "%s = %s", ref.knob->key, origin_name(origin));
    write_line(writer, line);
}

/* Finds the knob in the loaded scenario; returns false if it was not there. */
static bool find_former(const struct writer *writer, struct knob_ref ref, struct knob_ref *former)
{
    const char *name = section_head_const(writer->scenario, ref.section, ref.index)->name;
    int index = section_find(&writer->document->loaded, ref.section, name);

    return index >= 0 && knob_find_key(&writer->document->loaded, ref.section, index, ref.knob->key,
                                       former, NULL) == STATUS_OK;
}

/* Copies a line of the former text with a new value. */
static void copy_with_value(struct writer *writer, const struct ini_key *key, const char *value)
{
    const char *bytes = writer->document->ini.bytes;
    size_t spelled = key->spelled.start;
    bool quoted = key->spelled.length > 0 && (bytes[spelled] == '"' || bytes[spelled] == '\'');
    char text[SPELLED_SIZE];

    spell_value(value, quoted ? bytes[spelled] : '\0', text, sizeof text);
    copy_bytes(writer, key->text.start, spelled);
    buffer_print(&writer->text, "%s%s", bytes[spelled - 1] == '=' ? " " : "", text);
    buffer_add(&writer->text, bytes + spelled + key->spelled.length,
               key->next - spelled - key->spelled.length);
}

/* Writes the existing line of a value's origin, omitted if no origin is stated any more. */
static void keep_origin(struct writer *writer, const struct ini_key *key, struct knob_ref ref)
{
    struct knob_ref former;
    enum origin before;
    enum origin now;

    if (!knob_stated_origin(writer->scenario, ref, &now))
        return;
    if (find_former(writer, ref, &former) &&
        knob_stated_origin(&writer->document->loaded, former, &before) && before == now)
        copy_bytes(writer, key->text.start, key->next);
    else
        copy_with_value(writer, key, origin_name(now));
}

/* Writes the existing line of a knob, with its new value if it changed; omitted if the knob was
 * reset. A line with "auto", which states nothing, is kept while it is true. */
static void keep_value(struct writer *writer, const struct ini_key *key, struct knob_ref ref)
{
    struct knob_ref former;
    char value[KNOB_TEXT_SIZE];
    char before[KNOB_TEXT_SIZE];
    bool own = false;
    bool unchanged = false;

    knob_get_text(writer->scenario, ref, value, sizeof value);
    if (find_former(writer, ref, &former)) {
        own = knob_is_own(&writer->document->loaded, former);
        knob_get_text(&writer->document->loaded, former, before, sizeof before);
        unchanged = strcmp(before, value) == 0;
    }
    if (!keeps_knob(writer, ref) && (own || !unchanged))
        return;
    if (unchanged)
        copy_bytes(writer, key->text.start, key->next);
    else
        copy_with_value(writer, key, value);
}

/* Returns true if two knobs have the same value and origin, so that one line can state both. */
static bool states_the_same(const struct writer *writer, struct knob_ref a, struct knob_ref b)
{
    const struct scenario *scenario = writer->scenario;
    char value[2][KNOB_TEXT_SIZE];
    enum origin origin[2] = {ORIGIN_SET, ORIGIN_SET};

    knob_get_text(scenario, a, value[0], sizeof value[0]);
    knob_get_text(scenario, b, value[1], sizeof value[1]);
    knob_stated_origin(scenario, a, &origin[0]);
    knob_stated_origin(scenario, b, &origin[1]);
    return strcmp(value[0], value[1]) == 0 && origin[0] == origin[1] &&
           knob_is_own(scenario, a) == knob_is_own(scenario, b);
}

/* Writes the line of each knob of an alias whose values are no longer the same. */
static void divide_alias(struct writer *writer, const struct text_section *section,
                         const char *name, bool origins)
{
    struct knob_ref ref = {.knob = NULL};

    while (knob_next_named(writer->scenario, section->section, section->index, name, &ref))
        if (origins)
            write_origin(writer, ref);
        else if (keeps_knob(writer, ref))
            write_key(writer, ref);
}

static void keep_key(struct writer *writer, const struct text_section *section,
                     const struct ini_key *key)
{
    char name[NAME_SHOWN];
    const char *of, *named;
    struct knob_ref ref = {.knob = NULL}, other;
    bool same = true;

    ini_excerpt(&writer->document->ini, key->name, name, sizeof name);
    of = origin_key(section->section, name);
    named = of != NULL ? of : name;
    if (!knob_next_named(writer->scenario, section->section, section->index, named, &ref))
        return;
    other = ref;
    while (knob_next_named(writer->scenario, section->section, section->index, named, &other))
        same = same && states_the_same(writer, ref, other);
    if (!same)
        divide_alias(writer, section, named, of != NULL);
    else if (of != NULL)
        keep_origin(writer, key, ref);
    else
        keep_value(writer, key, ref);
}

/* Writes keys that are missing in the former section, if any. */
static void add_keys(struct writer *writer, const struct text_section *section)
{
    const struct ini_section *former =
        section->in_file < 0 ? NULL : &writer->document->ini.sections[section->in_file];
    int first = knob_section_first(section->section);

    for (int i = first; i < first + knob_section_count(section->section); i++) {
        struct knob_ref ref = {section->section, section->index, &knobs[i]};
        bool has_key = former != NULL &&
                       section_find_line(&writer->document->ini, former, "", ref.knob) != NULL;
        bool has_origin = former != NULL && section_find_line(&writer->document->ini, former,
                                                              ORIGIN_PREFIX, ref.knob) != NULL;

        if (!has_key && adds_knob(writer, ref))
            write_key(writer, ref);
        if (!has_origin && (has_key ? keeps_knob : adds_knob)(writer, ref))
            write_origin(writer, ref);
    }
}

/* Sections ------------------------------------------------------------------------------------- */

static void write_new_section(struct writer *writer, const struct text_section *section)
{
    char path[64];
    char header[80];

    section_path(writer->scenario, section->section, section->index, path, sizeof path);
    snprintf(header, sizeof header, "[%s]", path);
    write_line(writer, header);
    add_keys(writer, section);
}

static void write_kept_section(struct writer *writer, const struct text_section *section)
{
    const struct ini *ini = &writer->document->ini;
    const struct ini_section *former = &ini->sections[section->in_file];
    struct extent extent = find_extent(ini, section->in_file);
    size_t at = extent.lead;

    for (size_t i = former->first; i < former->first + former->count; i++) {
        copy_bytes(writer, at, ini->keys[i].text.start);
        keep_key(writer, section, &ini->keys[i]);
        at = ini->keys[i].next;
    }
    copy_bytes(writer, at, extent.core_end);
    add_keys(writer, section);
    copy_bytes(writer, extent.core_end, extent.gap_end);
}

/* Keeps the comments around a removed section: those above may also concern other sections, and
 * those below a blank line do not belong to it. */
static void write_removed_section(struct writer *writer, const struct text_section *section)
{
    struct extent extent = find_extent(&writer->document->ini, section->in_file);
    size_t gap = extent.core_end;
    size_t next;

    copy_bytes(writer, extent.lead, extent.header);
    while (extent.lead == extent.header && gap < extent.gap_end &&
           ini_line_is_blank(&writer->document->ini, gap, &next))
        gap = next;
    copy_bytes(writer, gap, extent.gap_end);
}

static void write_sections(struct writer *writer)
{
    const struct ini *ini = &writer->document->ini;
    struct buffer *text = &writer->text;
    int before = -1; /* section of the former text written last */
    bool last_kept = false;

    copy_bytes(writer, 0, ini->section_count > 0 ? find_extent(ini, 0).lead : ini->length);
    for (int i = 0; i < writer->count; i++) {
        const struct text_section *section = &writer->sections[i];
        bool neighbours = section->in_file >= 0 && section->in_file == before + 1;

        if (!neighbours && section->index >= 0 && !ends_blank(text))
            write_line(writer, "");
        if (section->index < 0)
            write_removed_section(writer, section);
        else if (section->in_file < 0)
            write_new_section(writer, section);
        else
            write_kept_section(writer, section);
        before = section->in_file >= 0 ? section->in_file : INT_MIN;
        last_kept = before == (int)ini->section_count - 1 && section->index >= 0;
    }
    /* remove blank lines before a removed last section */
    while (!last_kept && text->length > 0 && ends_blank(text))
        cut_text(text, last_line(text, text->length - 1));
}

static bool has_crlf(const struct ini *ini)
{
    const char *end = ini->length == 0 ? NULL : memchr(ini->bytes, '\n', ini->length);

    return end != NULL && end > ini->bytes && end[-1] == '\r';
}

char *scenario_text(const struct scenario *scenario, const struct document *document,
                    size_t *length)
{
    static const struct document none;
    struct writer writer = {.scenario = scenario,
                            .plain = plain_copy(scenario),
                            .document = document == NULL ? &none : document};

    writer.line_end = has_crlf(&writer.document->ini) ? "\r\n" : "\n";
    order_sections(&writer);
    write_sections(&writer);
    restore_text_end(&writer);
    free(writer.plain);
    *length = writer.text.length;
    return writer.text.bytes;
}

/* Saving --------------------------------------------------------------------------------------- */

/* A save in preparation. */
struct save {
    char *name; /* path as given */
    char *text;
    size_t length;
    struct ini ini; /* scan of the text */
};

static void save_free(struct save *save)
{
    free(save->name);
    free(save->text);
    ini_free(&save->ini);
}

/* Checks the text: a long value before a long comment can make a line too long. */
static enum status check_text(struct save *save, struct error *error)
{
    struct problems problems = {NULL, 0, 0};
    enum status status = STATUS_OK;

    ini_scan_lines(save->text, save->length, &save->ini, &problems);
    if (problems.count > 0)
        status = error_set(error, STATUS_INVALID, "cannot be saved: line %d of the new text: %s",
                           problems.list[0].line, problems.list[0].message);
    problems_free(&problems);
    return status;
}

static enum status prepare_save(struct save *save, const struct scenario *scenario,
                                const struct document *document, const char *path,
                                struct error *error)
{
    struct scenario *moved = allocate(sizeof *moved);

    scenario_copy(moved, scenario);
    scenario_move_files(moved, document->path, path);
    save->text = scenario_text(moved, document, &save->length);
    free(moved);
    save->name = allocate_text(path);
    return check_text(save, error);
}

/* Returns true if the file to save is the document's own. */
static bool is_own_file(const struct document *document, const struct save *save)
{
    char *own = document->path == NULL ? NULL : file_resolve(document->path, NULL);
    char *target = file_resolve(save->name, NULL);
    bool same = false;

    if (own != NULL && target != NULL) {
        char *a = realpath(own, NULL);
        char *b = realpath(target, NULL);

        same = a != NULL && b != NULL ? strcmp(a, b) == 0 : strcmp(own, target) == 0;
        free(a);
        free(b);
    }
    free(target);
    free(own);
    return same;
}

/* Returns STATUS_CONFLICT if the file differs from the document. A missing file is no conflict:
 * nothing would be lost. */
static enum status check_unchanged(const struct document *document, const struct save *save,
                                   struct error *error)
{
    struct error reason;
    char *bytes = NULL;
    size_t length = 0;
    bool missing = false;
    bool same;

    if (file_read_named(save->name, INI_BYTES_MAX, &bytes, &length, &missing, &reason) !=
        STATUS_OK) {
        if (missing)
            return STATUS_OK;
        if (reason.status != STATUS_INVALID)
            return error_set(error, reason.status, "%s", reason.message);
    }
    same = bytes != NULL && length == document->ini.length &&
           memcmp(bytes, document->ini.bytes, length) == 0;
    free(bytes);
    if (same)
        return STATUS_OK;
    return error_set(error, STATUS_CONFLICT, "has changed on disk since it was read");
}

static enum status write_file(const struct save *save, const struct document *document,
                              bool overwrite, const struct file_operations *operations,
                              struct error *error)
{
    bool own = is_own_file(document, save);

    if (own && !overwrite) {
        const struct buffer loaded = {.bytes = document->ini.bytes, .length = document->ini.length};
        enum status status = check_unchanged(document, save, error);

        return status != STATUS_OK ? status
                                   : file_replace_expected(save->name, save->text, save->length,
                                                           &loaded, operations, error);
    }
    return file_replace(save->name, save->text, save->length, !own && !overwrite, operations,
                        error);
}

enum status scenario_save_with(const struct scenario *scenario, struct document *document,
                               const char *path, bool overwrite,
                               const struct file_operations *operations, struct error *error)
{
    struct save save = {.name = NULL};
    struct error reason = {STATUS_OK, ""};
    enum status status;

    if (path == NULL)
        path = document->path;
    if (path == NULL || path[0] == '\0')
        return error_set(error, STATUS_INVALID, "this design has no file name yet");
    status = prepare_save(&save, scenario, document, path, &reason);
    if (status == STATUS_OK)
        status = write_file(&save, document, overwrite, operations, &reason);
    if (status == STATUS_OK) {
        struct document old = *document;

        document->path = save.name;
        document->ini = save.ini;
        scenario_copy(&document->loaded, scenario);
        save.name = old.path;
        save.ini = old.ini;
        error_set(error, STATUS_OK, "%s", reason.message);
    } else {
        error_set(error, status, "%s: %s", path, reason.message);
    }
    save_free(&save);
    return status;
}

enum status scenario_save(const struct scenario *scenario, struct document *document,
                          const char *path, bool overwrite, struct error *error)
{
    return scenario_save_with(scenario, document, path, overwrite, &file_system, error);
}
