#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "design/knob_text.h"
#include "tui/app_state.h"

/* Candidates that begin with what is typed, as they come in. */
struct candidates {
    const char *typed; /* the start of the word, up to the cursor */
    size_t length;
    int count;
    char common[PATH_BYTES];           /* what all of them begin with */
    char list[ERROR_MESSAGE_MAX - 80]; /* those that have room */
    int listed;
};

static void offer(struct candidates *completion, const char *candidate)
{
    size_t same = 0;
    size_t used = strlen(completion->list);

    if (strncmp(candidate, completion->typed, completion->length) != 0)
        return;
    if (completion->count++ == 0)
        snprintf(completion->common, sizeof completion->common, "%s", candidate);
    while (candidate[same] != '\0' && completion->common[same] == candidate[same])
        same++;
    completion->common[same] = '\0';
    if (used + strlen(candidate) + 2 >= sizeof completion->list)
        return;
    completion->listed++;
    snprintf(completion->list + used, sizeof completion->list - used, "%s%s", used > 0 ? "  " : "",
             candidate);
}

/* Puts the common start in the place of what was typed from `start`; says what there is when that
 * is no news. `behind` follows the only candidate. */
static void finish(struct app *app, struct candidates *completion, size_t start, const char *behind)
{
    bool news = strlen(completion->common) > completion->length;

    if (completion->count == 0) {
        host_say(&app->host, STYLE_NORMAL, "nothing begins so");
        return;
    }
    if (completion->count == 1) {
        size_t used = strlen(completion->common);

        snprintf(completion->common + used, sizeof completion->common - used, "%s", behind);
    }
    line_replace(&app->prompt.line, start, completion->common);
    if (completion->count > 1 && !news && completion->listed < completion->count)
        host_say(&app->host, STYLE_NORMAL, "%d begin so, among them %s", completion->count,
                 completion->list);
    else if (completion->count > 1 && !news)
        host_say(&app->host, STYLE_NORMAL, "%s", completion->list);
}

/* The word the cursor is in, as far as the cursor. */
static struct candidates begin(const struct line_edit *line, size_t start, char *typed)
{
    struct candidates completion = {.typed = typed, .length = line->cursor - start};

    memcpy(typed, line->text + start, completion.length);
    typed[completion.length] = '\0';
    return completion;
}

static size_t word_start(const struct line_edit *line, const char *separators)
{
    size_t at = line->cursor;

    while (at > 0 && strchr(separators, line->text[at - 1]) == NULL)
        at--;
    return at;
}

/* Files ---------------------------------------------------------------------------------------- */

static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    size_t end = strlen(suffix);

    return length > end && strcmp(name + length - end, suffix) == 0;
}

static bool is_directory(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The folder of what is typed, with its slash: seen from that of the file `from` (NULL: from the
 * working directory), where ~ is no home then. */
static void typed_folder(const char *typed, const char *from, char *folder, size_t size)
{
    const char *slash = strrchr(typed, '/');
    const char *above = from == NULL ? NULL : strrchr(from, '/');
    const char *home = getenv("HOME");
    int length = slash == NULL ? 0 : (int)(slash - typed) + 1;

    if (typed[0] == '~' && length > 0 && home != NULL && from == NULL)
        snprintf(folder, size, "%s%.*s", home, length - 1, typed + 1);
    else if (above != NULL && typed[0] != '/')
        snprintf(folder, size, "%.*s%.*s", (int)(above - from) + 1, from, length, typed);
    else
        snprintf(folder, size, "%.*s", length, typed);
}

/* Folders and files of a suffix that begin as typed. */
static void offer_files(struct candidates *completion, const char *from, const char *suffix)
{
    const char *slash = strrchr(completion->typed, '/');
    int above = slash == NULL ? 0 : (int)(slash - completion->typed) + 1;
    char folder[PATH_BYTES];
    DIR *directory;

    typed_folder(completion->typed, from, folder, sizeof folder);
    directory = opendir(folder[0] == '\0' ? "." : folder);
    if (directory == NULL)
        return;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        char path[2 * PATH_BYTES];
        char name[PATH_BYTES];
        bool inside;

        if (entry->d_name[0] == '.' && completion->typed[above] != '.')
            continue;
        snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        inside = is_directory(path);
        snprintf(name, sizeof name, "%.*s%s%s", above, completion->typed, entry->d_name,
                 inside ? "/" : "");
        if (inside || ends_in(entry->d_name, suffix))
            offer(completion, name);
    }
    closedir(directory);
}

/* Words ---------------------------------------------------------------------------------------- */

static void offer_words(struct candidates *completion)
{
    for (int a = 0; a < action_count; a++) {
        bool seen = actions[a].mode != MODE_NORMAL;

        for (int b = 0; b < a && !seen; b++)
            seen = actions[b].mode == MODE_NORMAL && strcmp(actions[a].name, actions[b].name) == 0;
        if (!seen)
            offer(completion, actions[a].name);
    }
    for (int c = 0; c < command_count; c++)
        if (commands[c]->anywhere)
            offer(completion, commands[c]->name);
}

static void offer_paths(struct app *app, struct candidates *completion)
{
    const struct scenario *s = &app->host.design.scenario;

    for (int k = 0; k < KNOB_COUNT; k++)
        for (int i = 0; i < section_count(s, knobs[k].section); i++) {
            char path[96];
            struct knob_ref ref = {knobs[k].section, i, &knobs[k]};

            if (!tree_shows(s, ref.section, i, ref.knob))
                continue;
            knob_path(s, ref, path, sizeof path);
            offer(completion, path);
        }
}

static void offer_presets(struct app *app, struct candidates *completion, bool systems)
{
    for (int p = 0; p < catalogue_count(app->host.design.catalogue); p++) {
        const struct preset *preset = catalogue_at(app->host.design.catalogue, p);

        if (systems || preset->kind != PRESET_AO)
            offer(completion, preset->name);
    }
}

static void offer_values(struct app *app, struct candidates *completion, struct knob_ref ref)
{
    if (ref.knob->type == KNOB_PRESET)
        offer_presets(app, completion, false);
    if (ref.knob->type == KNOB_COMPONENTS)
        for (int c = 0; c < app->host.design.scenario.component_count; c++)
            offer(completion, app->host.design.scenario.component[c].head.name);
    if (ref.knob->type == KNOB_TRACE)
        offer_files(completion, document_path(app->host.design.document), ".csv");
    for (int c = 0; c < knob_choice_count(&app->host.design.scenario, ref); c++)
        offer(completion, knob_choice_name(&app->host.design.scenario, ref, c));
    if (ref.knob->automatic)
        offer(completion, "auto");
}

static void complete_value(struct app *app)
{
    char typed[LINE_MAX_BYTES + 1];
    size_t start = word_start(&app->prompt.line, ", ");
    struct candidates completion = begin(&app->prompt.line, start, typed);

    offer_values(app, &completion, app->prompt.request.knob);
    finish(app, &completion, start, "");
}

/* A path up to the "=", then its values; with `mouse` that word too. */
static void complete_assignment(struct app *app, bool mouse)
{
    char typed[LINE_MAX_BYTES + 1];
    char path[LINE_MAX_BYTES + 1];
    size_t word = word_start(&app->prompt.line, " ");
    size_t start = word_start(&app->prompt.line, " =,");
    size_t path_end = word + strcspn(app->prompt.line.text + word, "=");
    struct candidates completion = begin(&app->prompt.line, start, typed);
    struct knob_ref ref;

    if (path_end < start) {
        snprintf(path, sizeof path, "%.*s", (int)(path_end - word), app->prompt.line.text + word);
        if (knob_find(&app->host.design.scenario, path, &ref, NULL) == STATUS_OK)
            offer_values(app, &completion, ref);
        finish(app, &completion, start, "");
        return;
    }
    if (mouse)
        offer(&completion, "mouse");
    offer_paths(app, &completion);
    finish(app, &completion, start, strcmp(completion.common, "mouse") == 0 ? " " : "=");
}

static void complete_file_from(struct app *app, size_t start)
{
    char typed[LINE_MAX_BYTES + 1];
    struct candidates completion = begin(&app->prompt.line, start, typed);

    offer_files(&completion, NULL, ".ini");
    finish(app, &completion, start, "");
}

/* The ':' line: a word first, then what that word takes. */
static void complete_command(struct app *app)
{
    const struct line_edit *line = &app->prompt.line;
    size_t first = strspn(line->text, " ");
    size_t end = first + strcspn(line->text + first, " ");
    size_t start = word_start(line, " ");
    char typed[LINE_MAX_BYTES + 1];
    char word[64];
    struct candidates completion = begin(line, start, typed);

    snprintf(word, sizeof word, "%.*s", (int)(end - first < 60 ? end - first : 60),
             line->text + first);
    if (line->cursor <= end) {
        offer_words(&completion);
    } else if (strcmp(word, "set") == 0) {
        complete_assignment(app, true);
        return;
    } else if (strcmp(word, "open") == 0 || strncmp(word, "save", 4) == 0) {
        complete_file_from(app, start);
        return;
    } else if (strncmp(word, "preset", 6) == 0) {
        offer_presets(app, &completion, true);
    } else {
        offer_paths(app, &completion);
    }
    finish(app, &completion, start, " ");
}

void complete_line(struct app *app)
{
    switch (app->prompt.request.completion) {
    case COMPLETE_NOTHING:
        return;
    case COMPLETE_COMMAND:
        complete_command(app);
        return;
    case COMPLETE_FILE:
        complete_file_from(app, 0);
        return;
    case COMPLETE_VALUE:
        complete_value(app);
        return;
    case COMPLETE_AXES:
        complete_assignment(app, false);
        return;
    }
}
