#include "base/allocate.h"
#include "tui/app_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/file.h"
#include "command.h"
#include "design/knob_text.h"
#include "tui/tree.h"

/* Lists what the line leads to, if it is the name of a file; a proposal hides nothing. */
static void list_files(struct app *app)
{
    const struct prompt *prompt = &app->prompt;

    if (prompt->request.completion == COMPLETE_FILE)
        file_list_read(&app->listed, prompt->line.fresh ? "" : prompt->line.text, NULL, ".ini");
}

void prompt_open(struct app *app, const struct prompt_request *request)
{
    struct prompt *prompt = &app->prompt;

    snprintf(prompt->label, sizeof prompt->label, "%s", request->label);
    line_set(&prompt->line, request->text == NULL ? "" : request->text, request->proposed);
    prompt->request = *request;
    prompt->listed = 0;
    if (request->history != NULL)
        request->history->at = request->history->count;
    app->mode = MODE_LINE;
    list_files(app);
}

/* Completion ----------------------------------------------------------------------------------- */

/* Completion candidates for the typed word. */
struct candidates {
    size_t start;                   /* offset of the word in the line */
    char typed[LINE_MAX_BYTES + 1]; /* the word, up to the cursor */
    size_t length;                  /* length of `typed` */
    char **name;                    /* they begin with `typed`, or were found by it */
    int count, capacity;
    bool found;         /* by the words of a knob: none begins with `typed` */
    const char *suffix; /* appended to a single one */
};

static void add_candidate(struct candidates *candidates, const char *name, const char *suffix)
{
    candidates->name = array_reserve(candidates->name, candidates->count, &candidates->capacity,
                                     sizeof *candidates->name);
    candidates->name[candidates->count++] = allocate_text(name);
    candidates->suffix = suffix;
}

static void offer_candidate(struct candidates *candidates, const char *name, const char *suffix)
{
    if (strncmp(name, candidates->typed, candidates->length) == 0)
        add_candidate(candidates, name, suffix);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
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

/* Says the candidates from the one at `first` on that have room; returns the number after the last. */
static int say_candidates(struct host *host, const struct candidates *candidates, int first)
{
    char list[ERROR_MESSAGE_MAX], text[ERROR_MESSAGE_MAX];
    struct buffer names = buffer_over(list, sizeof list);
    int end = first;

    text[0] = '\0';
    while (end < candidates->count) {
        char longer[ERROR_MESSAGE_MAX];

        buffer_print(&names, "%s%s", end > first ? "  " : "", candidates->name[end]);
        if (first == 0 && end + 1 == candidates->count)
            snprintf(longer, sizeof longer, "%s", list);
        else
            snprintf(longer, sizeof longer, "%d to %d of %d: %.500s; Tab: %s", first + 1, end + 1,
                     candidates->count, list,
                     end + 1 < candidates->count ? "more" : "from the start");
        if (end > first && !host_message_fits(host, longer))
            break;
        snprintf(text, sizeof text, "%s", longer);
        end++;
    }
    host_say(host, NOTICE_NORMAL, "%s", text);
    return end;
}

/* Replaces the word by what all candidates begin with; if that is no longer than the word, lists
 * them, the next ones when it is asked again. */
static void complete_word(struct app *app, struct candidates *candidates)
{
    struct prompt *prompt = &app->prompt;
    char common[PATH_BYTES];
    size_t same;

    if (candidates->count == 0) {
        host_say(&app->host, NOTICE_NORMAL, "no match");
        return;
    }
    qsort(candidates->name, (size_t)candidates->count, sizeof *candidates->name, compare_names);
    if (candidates->count == 1)
        snprintf(common, sizeof common, "%s%s", candidates->name[0], candidates->suffix);
    else
        snprintf(common, sizeof common, "%s", candidates->name[0]);
    if (candidates->count > 1) {
        const char *last = candidates->name[candidates->count - 1];

        for (same = 0; common[same] != '\0' && last[same] == common[same]; same++)
            ;
        common[same] = '\0';
    }
    if (candidates->count == 1 || (!candidates->found && strlen(common) > candidates->length)) {
        line_replace(&prompt->line, candidates->start, common);
        prompt->listed = 0;
        return;
    }
    prompt->listed = say_candidates(&app->host, candidates,
                                    prompt->listed < candidates->count ? prompt->listed : 0);
}

/* Offers directories and files with this suffix; if there are none, any other file. */
static void offer_files(struct app *app, struct candidates *candidates, const char *from,
                        const char *suffix)
{
    struct file_list *files = &app->listed;
    bool others = true;

    file_list_read(files, candidates->typed, from, suffix);
    for (int f = 0; f < files->list.count; f++)
        others = others && !files->entry[f].folder && !files->entry[f].proper;
    for (int f = 0; f < files->list.count; f++) {
        char candidate[PATH_BYTES + FILE_NAME_BYTES];

        snprintf(candidate, sizeof candidate, "%.*s%s", (int)files->above, candidates->typed,
                 files->entry[f].name);
        if (others || files->entry[f].folder || files->entry[f].proper)
            offer_candidate(candidates, candidate, "");
    }
}

/* Returns the first action of a command, in whatever pane it works; NULL: none. */
static const struct action *find_command_action(const char *word, size_t length)
{
    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == MODE_NORMAL && strlen(actions[a].name) == length &&
            strncmp(actions[a].name, word, length) == 0)
            return &actions[a];
    return NULL;
}

static void offer_words(struct candidates *candidates)
{
    for (int a = 0; a < action_count; a++)
        if (find_command_action(actions[a].name, strlen(actions[a].name)) == &actions[a])
            offer_candidate(candidates, actions[a].name, " ");
    for (int c = 0; c < command_count; c++)
        if (commands[c]->anywhere &&
            find_command_action(commands[c]->name, strlen(commands[c]->name)) == NULL)
            offer_candidate(candidates, commands[c]->name, " ");
}

/* Offers the knobs whose paths begin with the word or, if nothing that was offered begins with it,
 * those that / would find. */
static void offer_paths(const struct scenario *scenario, struct candidates *candidates,
                        const char *suffix)
{
    for (int way = -1; way < FIND_MATCHES && candidates->count == 0; way++) {
        candidates->found = way >= 0;
        for (int k = 0; k < KNOB_COUNT; k++)
            for (int i = 0; i < section_count(scenario, knobs[k].section); i++) {
                struct knob_ref ref = {knobs[k].section, i, &knobs[k]};
                char path[96];

                if (!tree_shows(scenario, knobs[k].section, i, &knobs[k]))
                    continue;
                knob_path(scenario, ref, path, sizeof path);
                if (way < 0)
                    offer_candidate(candidates, path, suffix);
                else if (find_matches(scenario, ref, way, candidates->typed))
                    add_candidate(candidates, path, suffix);
            }
    }
}

static void offer_presets(struct catalogue *catalogue, struct candidates *candidates, bool systems,
                          const char *suffix)
{
    for (int p = 0; p < catalogue_count(catalogue); p++) {
        const struct preset *preset = catalogue_at(catalogue, p);

        if (systems || preset_is_device(preset))
            offer_candidate(candidates, preset->name, suffix);
    }
}

static void offer_values(struct app *app, struct candidates *candidates, struct knob_ref ref)
{
    const struct design *design = &app->host.design;
    const struct scenario *scenario = &design->scenario;

    if (ref.knob->type == KNOB_PRESET)
        offer_presets(design->catalogue, candidates, false, "");
    if (ref.knob->type == KNOB_COMPONENTS)
        for (int c = 0; c < scenario->component_count; c++)
            offer_candidate(candidates, scenario->component[c].head.name, "");
    if (ref.knob->type == KNOB_FILE)
        offer_files(app, candidates, document_path(design->document), ".csv");
    for (int c = 0; c < knob_choice_count(scenario, ref); c++)
        offer_candidate(candidates, knob_choice_name(scenario, ref, c), "");
    if (ref.knob->automatic)
        offer_candidate(candidates, "auto", "");
}

/* Offers paths before the "=", values after it and, with `mouse`, that word. */
static void offer_assignments(struct app *app, const struct line_edit *line,
                              struct candidates *candidates, bool mouse)
{
    const struct scenario *scenario = &app->host.design.scenario;
    char path[LINE_MAX_BYTES + 1];
    struct candidates word;
    struct knob_ref ref;
    size_t end;

    begin_word(&word, line, " ");
    begin_word(candidates, line, " =,");
    end = word.start + strcspn(line->text + word.start, "=");
    if (end < candidates->start) {
        snprintf(path, sizeof path, "%.*s", (int)(end - word.start), line->text + word.start);
        if (knob_find(scenario, path, &ref, NULL) == STATUS_OK)
            offer_values(app, candidates, ref);
        return;
    }
    if (mouse)
        offer_candidate(candidates, "mouse", " ");
    offer_paths(scenario, candidates, "=");
}

/* Offers the first word of the ':' line, then its arguments. */
static void offer_command(struct app *app, const struct line_edit *line,
                          struct candidates *candidates)
{
    const char *word = line->text + strspn(line->text, " ");
    size_t length = strcspn(word, " ");
    bool first = line->text + line->cursor <= word + length;
    const struct action *action = find_command_action(word, length);
    enum action_id id = action == NULL ? ACTION_NONE : action->id;

    begin_word(candidates, line, " ");
    if (id == ACTION_SET || memchr(word, '=', length) != NULL) {
        offer_assignments(app, line, candidates, !first);
    } else if (first) {
        offer_words(candidates);
        if (candidates->length > 0)
            offer_paths(&app->host.design.scenario, candidates, "=");
    } else if (id == ACTION_OPEN || id == ACTION_SAVE || id == ACTION_SAVE_AS ||
               id == ACTION_SAVE_QUIT) {
        offer_files(app, candidates, NULL, ".ini");
    } else if (id == ACTION_IMPORT) {
        offer_files(app, candidates, NULL, "");
    } else if (id == ACTION_PRESET) {
        offer_presets(app->host.design.catalogue, candidates, true, " ");
    } else if (id == ACTION_RANK) {
        for (int kind = DEVICE_CPU; kind <= DEVICE_FPGA; kind++)
            offer_candidate(candidates, knob_word(KNOB_DEVICE_KIND, kind), " ");
    } else {
        offer_paths(&app->host.design.scenario, candidates, " ");
    }
}

static void complete_line(struct app *app)
{
    const struct prompt *prompt = &app->prompt;
    const struct line_edit *line = &app->prompt.line;
    struct candidates candidates = {.count = 0};

    switch (prompt->request.completion) {
    case COMPLETE_NOTHING:
        return;
    case COMPLETE_COMMAND:
        offer_command(app, line, &candidates);
        break;
    case COMPLETE_FILE:
        begin_word(&candidates, line, "");
        offer_files(app, &candidates, NULL, ".ini");
        break;
    case COMPLETE_VALUE:
        begin_word(&candidates, line, ", ");
        offer_values(app, &candidates, prompt->request.knob);
        break;
    case COMPLETE_AXES:
        offer_assignments(app, line, &candidates, false);
        break;
    }
    complete_word(app, &candidates);
    for (int c = 0; c < candidates.count; c++)
        free(candidates.name[c]);
    free(candidates.name);
}

/* Keys ----------------------------------------------------------------------------------------- */

static void line_history_add(struct line_history *history, const char *line)
{
    int most = (int)(sizeof history->lines / sizeof history->lines[0]);

    history->at = history->count;
    if (line[0] == '\0' ||
        (history->count > 0 && strcmp(history->lines[history->count - 1], line) == 0))
        return;
    if (history->count == most) {
        free(history->lines[0]);
        memmove(history->lines, history->lines + 1, sizeof history->lines[0] * (size_t)(most - 1));
        history->count--;
    }
    history->lines[history->count++] = allocate_text(line);
    history->at = history->count;
}

void line_history_free(struct line_history *history)
{
    while (history->count > 0)
        free(history->lines[--history->count]);
}

/* Enters the folder that the line names: the line stays open. Returns false if it names none. */
static bool enter_folder(struct app *app)
{
    struct line_edit *line = &app->prompt.line;
    char path[PATH_BYTES];
    struct stat status;

    file_expand_home(line->text, path, sizeof path);
    if (app->prompt.request.completion != COMPLETE_FILE || stat(path, &status) != 0 ||
        !S_ISDIR(status.st_mode))
        return false;
    line->fresh = false;
    line_move(line, LINE_MAX_BYTES);
    if (line->text[line->length - 1] != '/')
        line_insert(line, '/');
    list_files(app);
    return true;
}

/* Accepts the line. A refused line is opened again, unless the pager shows text. */
static void accept_line(struct app *app)
{
    struct prompt kept = app->prompt;
    struct line_history *history = kept.request.history;
    bool accepted;

    app->host.notice.failed = false;
    if (enter_folder(app))
        return;
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

/* Puts the name of the entry that was moved to on the line. */
static void put_file(struct app *app, const struct file_entry *entry)
{
    struct line_edit *line = &app->prompt.line;
    char path[LINE_MAX_BYTES + 1];

    if (entry == NULL)
        return;
    snprintf(path, sizeof path, "%.*s%s", (int)app->listed.above, line->text, entry->name);
    line_set(line, path, false);
}

void prompt_changed(struct app *app)
{
    const struct prompt_request *request = &app->prompt.request;

    list_files(app);
    if (request->changed != NULL)
        request->changed(request->context, app->prompt.line.text);
}

static void edit_line(struct app *app, enum action_id id)
{
    struct line_edit *line = &app->prompt.line;

    if (id != ACTION_COMPLETE)
        app->prompt.listed = 0;
    if (app->prompt.request.completion == COMPLETE_FILE && (id == ACTION_UP || id == ACTION_DOWN)) {
        put_file(app, file_list_move(&app->listed, id == ACTION_UP ? -1 : 1));
        return;
    }
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
        complete_line(app);
    }
    prompt_changed(app);
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

bool prompt_type(struct app *app, uint32_t character)
{
    app->prompt.listed = 0;
    return line_insert(&app->prompt.line, character);
}

void prompt_mouse(struct app *app, const struct key_event *event)
{
    struct list_pane *list = &app->listed.list;
    int row = list_pane_row_at(list, event->row, event->column);

    if (app->prompt.request.completion != COMPLETE_FILE)
        return;
    if (event->mouse == MOUSE_WHEEL_UP || event->mouse == MOUSE_WHEEL_DOWN) {
        put_file(app, file_list_move(&app->listed, event->mouse == MOUSE_WHEEL_UP ? -1 : 1));
    } else if (event->mouse == MOUSE_PRESS && row >= 0 && row == app->listed.chosen) {
        accept_line(app);
    } else if (event->mouse == MOUSE_PRESS && row >= 0) {
        app->listed.chosen = row;
        put_file(app, file_list_move(&app->listed, 0));
    }
}

void prompt_draw(struct app *app, struct canvas *canvas, struct rect body, struct rect line)
{
    int used;

    if (app->prompt.request.completion == COMPLETE_FILE)
        file_list_draw(&app->listed, canvas, body);
    used = canvas_text(canvas, line.row, 1, line.columns / 2, STYLE_KEY, app->prompt.label);

    line_draw(&app->prompt.line, canvas, line.row, 1 + used, line.columns - used - 2);
}
