#include "tui/app_state.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "command.h"
#include "design/knob_text.h"
#include "tui/tree.h"

void prompt_open(struct host *host, const struct prompt_request *request)
{
    struct app *app = app_of(host);
    struct prompt *prompt = &app->prompt;

    snprintf(prompt->label, sizeof prompt->label, "%s", request->label);
    line_set(&prompt->line, request->text == NULL ? "" : request->text, request->proposed);
    prompt->request = *request;
    if (request->history != NULL)
        request->history->at = request->history->count;
    app->mode = MODE_LINE;
}

void prompt_expand_home(const char *text, char *path, size_t size)
{
    const char *home = getenv("HOME");

    if (text[0] == '~' && (text[1] == '/' || text[1] == '\0') && home != NULL)
        snprintf(path, size, "%s%s", home, text + 1);
    else
        snprintf(path, size, "%s", text);
}

/* Completion ----------------------------------------------------------------------------------- */

/* Completion candidates for the typed word. */
struct candidates {
    size_t start;                   /* offset of the word in the line */
    char typed[LINE_MAX_BYTES + 1]; /* the word, up to the cursor */
    size_t length;                  /* length of `typed` */
    int count;
    char common[PATH_BYTES];           /* common prefix of all candidates */
    char list[ERROR_MESSAGE_MAX - 80]; /* candidates that fit */
    int listed;
};

static void offer_candidate(struct candidates *candidates, const char *candidate)
{
    size_t same = 0;
    size_t used = strlen(candidates->list);

    if (strncmp(candidate, candidates->typed, candidates->length) != 0)
        return;
    if (candidates->count++ == 0)
        snprintf(candidates->common, sizeof candidates->common, "%s", candidate);
    while (candidate[same] != '\0' && candidates->common[same] == candidate[same])
        same++;
    candidates->common[same] = '\0';
    if (used + strlen(candidate) + 2 >= sizeof candidates->list)
        return;
    candidates->listed++;
    snprintf(candidates->list + used, sizeof candidates->list - used, "%s%s", used > 0 ? "  " : "",
             candidate);
}

/* Starts completion of the word that ends at the cursor. */
static void begin_word(struct candidates *candidates, const struct line_edit *line,
                       const char *separators)
{
    size_t start = line->cursor;

    while (start > 0 && strchr(separators, line->text[start - 1]) == NULL)
        start--;
    *candidates = (struct candidates){.start = start, .length = line->cursor - start};
    memcpy(candidates->typed, line->text + start, candidates->length);
}

/* Replaces the word by the common prefix; lists the candidates if it is no longer than the word.
 * `suffix` is appended to a single candidate. */
static void complete_word(struct host *host, struct line_edit *line, struct candidates *candidates,
                          const char *suffix)
{
    bool longer = strlen(candidates->common) > candidates->length;
    size_t used = strlen(candidates->common);

    if (candidates->count == 0) {
        host_say(host, STYLE_NORMAL, "no match");
        return;
    }
    if (candidates->count == 1)
        snprintf(candidates->common + used, sizeof candidates->common - used, "%s", suffix);
    line_replace(line, candidates->start, candidates->common);
    if (candidates->count > 1 && !longer && candidates->listed < candidates->count)
        host_say(host, STYLE_NORMAL, "%d matches, including %s", candidates->count,
                 candidates->list);
    else if (candidates->count > 1 && !longer)
        host_say(host, STYLE_NORMAL, "%s", candidates->list);
}

/* Prints the directory part of the typed path, with its slash. It is relative to the directory of
 * the file `from`, where ~ is not expanded; NULL: relative to the working directory. */
static void print_typed_folder(const char *typed, const char *from, char *folder, size_t size)
{
    const char *above = from == NULL || typed[0] == '/' ? NULL : strrchr(from, '/');
    struct buffer line = buffer_over(folder, size);
    char *end;

    if (above != NULL)
        buffer_add(&line, from, (size_t)(above - from) + 1);
    buffer_text(&line, typed);
    if (from == NULL)
        prompt_expand_home(strchr(typed, '/') == NULL ? "" : typed, folder, size);
    end = strrchr(folder, '/');
    folder[end == NULL ? 0 : end + 1 - folder] = '\0';
}

/* Offers directories and files with this suffix. */
static void offer_files(struct candidates *candidates, const char *from, const char *suffix)
{
    const char *slash = strrchr(candidates->typed, '/');
    int above = slash == NULL ? 0 : (int)(slash - candidates->typed) + 1;
    char folder[PATH_BYTES];
    DIR *directory;

    print_typed_folder(candidates->typed, from, folder, sizeof folder);
    directory = opendir(folder[0] == '\0' ? "." : folder);
    if (directory == NULL)
        return;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        const char *name = entry->d_name;
        const char *end = strrchr(name, '.');
        char path[2 * PATH_BYTES];
        char candidate[PATH_BYTES];
        struct stat status;
        bool inside;

        if (name[0] == '.' && candidates->typed[above] != '.')
            continue;
        snprintf(path, sizeof path, "%s%s", folder, name);
        inside = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
        snprintf(candidate, sizeof candidate, "%.*s%s%s", above, candidates->typed, name,
                 inside ? "/" : "");
        if (inside || (end != NULL && end > name && strcmp(end, suffix) == 0))
            offer_candidate(candidates, candidate);
    }
    closedir(directory);
}

static void offer_words(struct candidates *candidates)
{
    for (int a = 0; a < action_count; a++) {
        bool seen = actions[a].mode != MODE_NORMAL;

        for (int b = 0; b < a && !seen; b++)
            seen = actions[b].mode == MODE_NORMAL && strcmp(actions[a].name, actions[b].name) == 0;
        if (!seen)
            offer_candidate(candidates, actions[a].name);
    }
    for (int c = 0; c < command_count; c++)
        if (commands[c]->anywhere)
            offer_candidate(candidates, commands[c]->name);
}

static void offer_paths(const struct scenario *scenario, struct candidates *candidates)
{
    for (int k = 0; k < KNOB_COUNT; k++)
        for (int i = 0; i < section_count(scenario, knobs[k].section); i++) {
            char path[96];

            if (!tree_shows(scenario, knobs[k].section, i, &knobs[k]))
                continue;
            knob_path(scenario, (struct knob_ref){knobs[k].section, i, &knobs[k]}, path,
                      sizeof path);
            offer_candidate(candidates, path);
        }
}

static void offer_presets(struct catalogue *catalogue, struct candidates *candidates, bool systems)
{
    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);

        if (systems || preset_is_device(preset))
            offer_candidate(candidates, preset->name);
    }
}

static void offer_values(const struct design *design, struct candidates *candidates,
                         struct knob_ref ref)
{
    const struct scenario *scenario = &design->scenario;

    if (ref.knob->type == KNOB_PRESET)
        offer_presets(design->catalogue, candidates, false);
    if (ref.knob->type == KNOB_COMPONENTS)
        for (int c = 0; c < scenario->component_count; c++)
            offer_candidate(candidates, scenario->component[c].head.name);
    if (ref.knob->type == KNOB_TRACE)
        offer_files(candidates, document_path(design->document), ".csv");
    for (int c = 0; c < knob_choice_count(scenario, ref); c++)
        offer_candidate(candidates, knob_choice_name(scenario, ref, c));
    if (ref.knob->automatic)
        offer_candidate(candidates, "auto");
}

/* Offers paths before the "=", values after it and, with `mouse`, that word. Returns the text to
 * add. */
static const char *offer_assignments(const struct design *design, const struct line_edit *line,
                                     struct candidates *candidates, bool mouse)
{
    char path[LINE_MAX_BYTES + 1];
    struct candidates word;
    struct knob_ref ref;
    size_t end;

    begin_word(&word, line, " ");
    begin_word(candidates, line, " =,");
    end = word.start + strcspn(line->text + word.start, "=");
    if (end < candidates->start) {
        snprintf(path, sizeof path, "%.*s", (int)(end - word.start), line->text + word.start);
        if (knob_find(&design->scenario, path, &ref, NULL) == STATUS_OK)
            offer_values(design, candidates, ref);
        return "";
    }
    if (mouse)
        offer_candidate(candidates, "mouse");
    offer_paths(&design->scenario, candidates);
    return strcmp(candidates->common, "mouse") == 0 ? " " : "=";
}

/* Offers the first word of the ':' line, then its arguments. Returns the text to add. */
static const char *offer_command(const struct design *design, const struct line_edit *line,
                                 struct candidates *candidates)
{
    const char *word = line->text + strspn(line->text, " ");
    size_t length = strcspn(word, " ");

    begin_word(candidates, line, " ");
    if (line->text + line->cursor <= word + length) {
        offer_words(candidates);
    } else if (length == 3 && strncmp(word, "set", 3) == 0) {
        return offer_assignments(design, line, candidates, true);
    } else if ((length == 4 && strncmp(word, "open", 4) == 0) || strncmp(word, "save", 4) == 0) {
        offer_files(candidates, NULL, ".ini");
        return "";
    } else if (strncmp(word, "preset", 6) == 0) {
        offer_presets(design->catalogue, candidates, true);
    } else {
        offer_paths(&design->scenario, candidates);
    }
    return " ";
}

static void complete_line(struct host *host, struct prompt *prompt)
{
    struct line_edit *line = &prompt->line;
    struct candidates candidates;
    const char *suffix = "";

    switch (prompt->request.completion) {
    case COMPLETE_NOTHING:
        return;
    case COMPLETE_COMMAND:
        suffix = offer_command(&host->design, line, &candidates);
        break;
    case COMPLETE_FILE:
        begin_word(&candidates, line, "");
        offer_files(&candidates, NULL, ".ini");
        break;
    case COMPLETE_VALUE:
        begin_word(&candidates, line, ", ");
        offer_values(&host->design, &candidates, prompt->request.knob);
        break;
    case COMPLETE_AXES:
        suffix = offer_assignments(&host->design, line, &candidates, false);
        break;
    }
    complete_word(host, line, &candidates, suffix);
}

/* Keys ----------------------------------------------------------------------------------------- */

static void line_history_add(struct line_history *history, const char *line)
{
    int most = (int)(sizeof history->lines / sizeof history->lines[0]);
    char *copy;

    history->at = history->count;
    if (line[0] == '\0' ||
        (history->count > 0 && strcmp(history->lines[history->count - 1], line) == 0))
        return;
    copy = strdup(line);
    if (copy == NULL)
        return;
    if (history->count == most) {
        free(history->lines[0]);
        memmove(history->lines, history->lines + 1, sizeof history->lines[0] * (size_t)(most - 1));
        history->count--;
    }
    history->lines[history->count++] = copy;
    history->at = history->count;
}

void line_history_free(struct line_history *history)
{
    while (history->count > 0)
        free(history->lines[--history->count]);
}

/* Accepts the line. A refused line is opened again, unless the pager shows text. */
static void accept_line(struct app *app)
{
    struct prompt kept = app->prompt;
    struct line_history *history = kept.request.history;
    bool accepted;

    app->host.failed = false;
    app->mode = MODE_NORMAL;
    accepted = kept.request.accept(kept.request.context, kept.line.text);
    if (history != NULL)
        line_history_add(history, kept.line.text);
    if (accepted || pager_is_open(&app->pager))
        return;
    if (history != NULL && history->at > 0)
        history->at--; /* already in the history: Up recalls the line before */
    app->prompt = kept;
    app->prompt.line.fresh = false;
    app->mode = MODE_LINE;
}

static void recall_line(struct prompt *prompt, int by)
{
    struct line_history *history = prompt->request.history;
    int at;

    if (history == NULL)
        return;
    at = history->at + by;
    if (at < 0 || at > history->count)
        return;
    history->at = at;
    line_set(&prompt->line, at == history->count ? "" : history->lines[at], false);
}

static void notify_changed(const struct prompt *prompt)
{
    if (prompt->request.changed != NULL)
        prompt->request.changed(prompt->request.context, prompt->line.text);
}

static void edit_line(struct app *app, enum action_id id)
{
    struct line_edit *line = &app->prompt.line;

    if (id == ACTION_LEFT || id == ACTION_RIGHT) {
        line_move(line, id == ACTION_LEFT ? -1 : 1);
    } else if (id == ACTION_START || id == ACTION_END) {
        line_move(line, id == ACTION_START ? -LINE_MAX_BYTES : LINE_MAX_BYTES);
    } else if (id == ACTION_UP || id == ACTION_DOWN) {
        recall_line(&app->prompt, id == ACTION_UP ? -1 : 1);
    } else if (id == ACTION_DELETE_LEFT) {
        line_delete_left(line);
    } else if (id == ACTION_DELETE_RIGHT) {
        line_delete_right(line);
    } else if (id == ACTION_DELETE_ALL) {
        line_set(line, "", false);
    } else if (id == ACTION_COMPLETE) {
        line->fresh = false;
        complete_line(&app->host, &app->prompt);
    }
    notify_changed(&app->prompt);
}

void prompt_act(struct app *app, enum action_id id)
{
    const struct prompt_request *request = &app->prompt.request;

    if (id == ACTION_ACCEPT) {
        accept_line(app);
    } else if (id == ACTION_CLOSE) {
        app->mode = MODE_NORMAL;
        if (request->cancel != NULL)
            request->cancel(request->context);
    } else {
        edit_line(app, id);
    }
}

void prompt_type(struct app *app, uint32_t character)
{
    line_insert(&app->prompt.line, character);
    notify_changed(&app->prompt);
}

void prompt_draw(struct app *app, struct canvas *canvas, struct rect line)
{
    int used = canvas_text(canvas, line.row, 1, line.columns / 2, STYLE_KEY, app->prompt.label);

    line_draw(&app->prompt.line, canvas, line.row, 1 + used, line.columns - used - 2);
}
