#include "cli/complete.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/allocate.h"
#include "base/buffer.h"
#include "cli/arguments.h"
#include "cli/plot.h"
#include "cli/source.h"
#include "command.h"
#include "design/knob_text.h"
#include "draw/text.h"

#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DESIGN "DESIGN" /* stands before or after the other operands */
#define WORD_MAX 64
#define TOKENS_MAX 16
#define OPERANDS_MAX 64

struct completion {
    struct cli *cli;
    struct buffer offers;
    bool files, knobs; /* names of files are offered; names before "=", which a shell would quote */
    const struct command *command;
    const char *word;               /* the last one */
    const char *current;            /* of it what is completed: "ep" of "device.rtc.preset=ep" */
    const struct option_row *value; /* the option whose argument it is; NULL: none */
    bool ended;                     /* by "--": no options follow */
    const char *operand[OPERANDS_MAX];
    int operands;
    const char *scenario; /* the first word that names a design; NULL: none */
};

/* Offers --------------------------------------------------------------------------------------- */

/* `end` follows the word; `help`: NULL: none. Each word is offered once. */
static void offer(struct completion *c, const char *word, const char *end, const char *help)
{
    char line[2 * WORD_MAX + 2];

    snprintf(line, sizeof line, "\n%s%s", word, end);
    if (strncmp(word, c->current, strlen(c->current)) != 0 ||
        (help != NULL && c->offers.length > 0 && strstr(c->offers.bytes, line) != NULL))
        return;
    c->knobs = c->knobs || strcmp(end, "=") == 0;
    buffer_print(&c->offers, "\n%.*s%s%s", (int)(c->current - c->word), c->word, word, end);
    if (help != NULL)
        buffer_print(&c->offers, "\t%s", help);
}

/* Offers a former name, which may be NULL, to those who have begun to type it. */
static void offer_former(struct completion *c, const char *name, const char *help)
{
    if (name != NULL && c->current[0] != '\0')
        offer(c, name, "", help);
}

/* Offers the alternatives of "a|b" or "a b". */
static void offer_words(struct completion *c, const char *words)
{
    while (words += strspn(words, " |-"), *words != '\0') {
        size_t length = strcspn(words, " |");
        char word[WORD_MAX];

        snprintf(word, sizeof word, "%.*s", (int)length, words);
        offer(c, word, "", NULL);
        words += length;
    }
}

/* Offers the results that explain lists. */
static void offer_results(struct completion *c)
{
    struct cli cli = *c->cli;
    char name[] = "explain";
    char *words[] = {name, NULL};
    char *list = NULL;
    size_t length;
    FILE *out = allocate_stream(&list, &length);

    cli.out = out;
    command_run(&cli, &command_explain, 1, words);
    fclose(out);
    for (char *at = list, *next; *at != '\0'; at = next) {
        next = at + strcspn(at, "\n");
        next += *next == '\n';
        at[strcspn(at, " \n")] = '\0';
        offer(c, at, "", NULL);
    }
    free(list);
}

/* Opens the design of the line; what is wrong with it is not told. */
static bool open_quietly(const struct completion *c, struct opened_design *design)
{
    struct cli cli = *c->cli;
    struct command command = *c->command;
    struct arguments arguments = {.cli = &cli, .command = &command};
    char *told = NULL;
    size_t length;
    bool good;

    memset(design, 0, sizeof *design);
    command.priced = false; /* no word depends on the user's prices, which may be unreadable */
    cli.err = allocate_stream(&told, &length);
    good = source_open(&cli, &arguments, c->scenario, design) == EXIT_GOOD;
    fclose(cli.err);
    free(told);
    return good;
}

/* `end`: what follows a knob in the word. */
static void offer_knobs(struct completion *c, const char *end)
{
    struct opened_design design;
    struct knob_ref ref = {.knob = NULL};
    char path[2 * WORD_MAX];

    if (open_quietly(c, &design))
        while (knob_next(&design.scenario, &ref)) {
            knob_path(&design.scenario, ref, path, sizeof path);
            offer(c, path, end, NULL);
        }
    source_close(&design);
}

static void offer_presets(struct completion *c, unsigned kinds)
{
    for (int i = 0; i < catalogue_count(c->cli->catalogue); i++) {
        const struct preset *preset = catalogue_at(c->cli->catalogue, i);

        if (preset_may_be(preset, kinds) &&
            catalogue_find(c->cli->catalogue, preset->name, kinds, NULL) != NULL)
            offer(c, preset->name, "", NULL);
    }
}

static void offer_commands(struct completion *c)
{
    for (int i = 0; i < command_count; i++) {
        if (commands[i]->name[0] != '\0')
            offer(c, commands[i]->name, "", commands[i]->help);
        offer_former(c, commands[i]->also, commands[i]->help);
    }
}

static void offer_files(struct completion *c)
{
    c->files = true;
}

/* Offers the names of a section: those of the devices or of the sensors. */
static void offer_names(struct completion *c, enum section section)
{
    struct opened_design design;

    if (open_quietly(c, &design))
        for (int i = 0; i < section_count(&design.scenario, section); i++)
            offer(c, section_head(&design.scenario, section, i)->name, "", NULL);
    source_close(&design);
}

/* Offers a knob with "=" or, behind it, its choices. */
static void offer_assignment(struct completion *c)
{
    const char *equals = strchr(c->current, '=');
    struct opened_design design;
    struct knob_ref ref;
    char path[2 * WORD_MAX];

    if (equals == NULL) {
        offer_knobs(c, "=");
        return;
    }
    snprintf(path, sizeof path, "%.*s", (int)(equals - c->current), c->current);
    c->current = strrchr(equals, ',') != NULL ? strrchr(equals, ',') + 1 : equals + 1;
    if (c->command == &command_search && strncmp(path, "device.", 7) == 0 &&
        strchr(path + 7, '.') == NULL) {
        offer_words(c, "cpu gpu fpga");
        offer_presets(c, PRESET_DEVICES);
        return;
    }
    if (open_quietly(c, &design) &&
        knob_find_one(&design.scenario, path, &ref, NULL) == STATUS_OK) {
        for (int i = 0; i < knob_choice_count(&design.scenario, ref); i++)
            offer(c, knob_choice_name(&design.scenario, ref, i), "", NULL);
        if (ref.knob->type == KNOB_PRESET)
            offer_presets(c, PRESET_DEVICES);
    }
    source_close(&design);
}

static void offer_designs(struct completion *c)
{
    offer_presets(c, PRESET_DESIGNS);
    offer_files(c);
}

static void offer_charts(struct completion *c)
{
    for (int k = 0; k < plot_kind_count; k++) {
        offer(c, plot_kinds[k].name, "", plot_kinds[k].help);
        offer_former(c, plot_kinds[k].also, plot_kinds[k].help);
    }
}

/* Offers what a placeholder of a synopsis or an option stands for; nothing for an unknown one. */
static void offer_placeholder(struct completion *c, const char *word)
{
    const bool option = c->value != NULL;

    if (strcmp(word, DESIGN) == 0 || strcmp(word, "A") == 0 || strcmp(word, "B") == 0)
        offer_designs(c);
    else if (strcmp(word, "FILE") == 0 || strcmp(word, "TRACE") == 0)
        offer_files(c);
    else if (strcmp(word, "COMMAND") == 0)
        offer_commands(c);
    else if (strcmp(word, "KIND") == 0)
        offer_charts(c);
    else if (strcmp(word, "KNOB") == 0)
        offer_knobs(c, "");
    else if (strcmp(word, "PATH") == 0 || strcmp(word, "CONDITION") == 0)
        offer_results(c);
    else if (strcmp(word, "DEVICE") == 0)
        offer_names(c, SECTION_DEVICE);
    else if (strcmp(word, "SENSOR") == 0)
        offer_names(c, SECTION_WFS);
    else if (strncmp(word, "P=", 2) == 0)
        offer_assignment(c);
    else if (strcmp(word, "PRESET") == 0)
        offer_presets(c, option ? PRESET_DEVICES : ~0U);
    if (strcmp(word, "PATH") == 0 && !option)
        offer_knobs(c, "");
}

/* A design that can be read without waiting. */
static bool is_design(const struct completion *c, const char *word)
{
    struct stat what;

    return source_preset(c->cli, word, NULL) != NULL ||
           (stat(word, &what) == 0 && S_ISREG(what.st_mode));
}

/* Synopses ------------------------------------------------------------------------------------- */

/* A word of a synopsis: "cpu|gpu|fpga", "DESIGN|-". */
struct token {
    char word[WORD_MAX]; /* without "|-" */
    bool repeats;
    int skip; /* the token after the "[...]" that begins with this one; 0: it is required */
};

static bool is_placeholder(const struct token *token)
{
    return strpbrk(token->word, CAPITALS) != NULL;
}

/* Whether an operand may be what the token says. */
static bool matches(const struct token *token, const char *operand)
{
    const char *at = token->word;

    if (is_placeholder(token))
        return (strncmp(at, "P=", 2) == 0) == (strchr(operand, '=') != NULL);
    for (; *at != '\0'; at += strspn(at, "|")) {
        size_t length = strcspn(at, "|");

        if (strlen(operand) == length && strncmp(at, operand, length) == 0)
            return true;
        at += length;
    }
    return false;
}

/* Reads a line of a synopsis but for its options, and returns the number of its tokens. What
 * follows "--" is the command line of another program. */
static int read_line(const struct command *command, const char *line, struct token *token)
{
    int open[TOKENS_MAX], depth = 0, count = 0;

    while (*line != '\0' && *line != '\n' && count < TOKENS_MAX) {
        size_t length = strcspn(line, " []\n");

        if (*line == '[' && depth < TOKENS_MAX)
            open[depth++] = count;
        if (*line == ']' && depth > 0 && open[--depth] < count)
            token[open[depth]].skip = count;
        if (length == 0) {
            line++;
            continue;
        }
        if (strncmp(line, "-- ", 3) == 0)
            return count;
        if (*line == '-') { /* an option and its argument */
            for (const struct option_row *row = command->options; row->name != NULL; row++)
                if (strlen(row->name) + 2 == length && row->argument != NULL &&
                    strncmp(row->name, line + 2, length - 2) == 0)
                    length += 1 + strcspn(line + length + 1, " []\n");
            line += length;
            continue;
        }
        token[count] = (struct token){.repeats = length > 3 && line[length - 1] == '.'};
        snprintf(token[count].word, WORD_MAX, "%.*s",
                 (int)(length - (token[count].repeats ? 3 : 0)), line);
        if (strstr(token[count].word, "|-") != NULL)
            *strstr(token[count].word, "|-") = '\0';
        count++;
        line += length;
    }
    return count;
}

/* Adds a token and those that may stand in its place to a set. */
static unsigned reach(const struct token *token, int count, int at)
{
    if (at >= count)
        return 0;
    return 1U << at | (token[at].skip > 0 ? reach(token, count, token[at].skip) : 0);
}

/* Takes the design out of a line; returns how many tokens are before it, -1: it has none. */
static int take_design(struct token *token, int *count)
{
    int at = 0;

    while (at < *count && strcmp(token[at].word, DESIGN) != 0)
        at++;
    if (at == *count)
        return -1;
    memmove(&token[at], &token[at + 1], (size_t)(--*count - at) * sizeof *token);
    for (int t = 0; t < *count; t++)
        token[t].skip -= token[t].skip > at;
    return at;
}

/* Finds which tokens of a line, without its design, may come after the operands. `design`: whether
 * none of them is one. Returns how many of these are words of the line, -1 if they do not match it.
 */
static int follow(const struct completion *c, const struct token *token, int count, unsigned *next,
                  bool *design)
{
    int words = 0;

    *next = reach(token, count, 0);
    for (int i = 0; i < c->operands; i++) {
        unsigned after = 0;
        bool word = false, matched = false;

        for (int t = 0; t < count; t++) {
            if ((*next >> t & 1) == 0 || !matches(&token[t], c->operand[i]) ||
                (*design && is_placeholder(&token[t]) && is_design(c, c->operand[i])))
                continue;
            after |= reach(token, count, t + 1) | (token[t].repeats ? 1U << t : 0);
            word = word || !is_placeholder(&token[t]);
            matched = true;
        }
        words += word;
        if (!matched && *design) {
            *design = false;
            continue;
        }
        if (after == 0 && i < c->operands - 1 && !*design)
            return -1;
        *next = after;
    }
    return words;
}

/* Offers what the lines allow that have most words of the operands: "compare A B" before "KIND". */
static void offer_operand(struct completion *c)
{
    const char *lines = c->command->operands;
    int most = 0;

    for (int pass = 0; pass < 2; pass++)
        for (const char *line = lines; line != NULL;
             line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL) {
            struct token token[TOKENS_MAX];
            int count = read_line(c->command, line, token);
            const int before = take_design(token, &count);
            bool design = before >= 0;
            unsigned next;
            int words = follow(c, token, count, &next, &design);

            if (pass == 0)
                most = words > most ? words : most;
            if (pass == 1 && words == most && design && c->operands >= before &&
                strchr(c->word, '=') == NULL)
                offer_designs(c);
            for (int t = 0; t < count && pass == 1 && words == most; t++)
                if ((next >> t & 1) != 0 && is_placeholder(&token[t]))
                    offer_placeholder(c, token[t].word);
                else if ((next >> t & 1) != 0)
                    offer_words(c, token[t].word);
        }
}

/* Words ---------------------------------------------------------------------------------------- */

/* Returns the option of a word, if its argument is the next word. */
static const struct option_row *option_before_argument(const struct command *command,
                                                       const char *word)
{
    for (const struct option_row *row = command->options; row->name != NULL; row++)
        if (row->argument != NULL &&
            (strncmp(word, "--", 2) == 0 ? strcmp(word + 2, row->name) == 0
                                         : word[0] == '-' && row->letter != '\0' &&
                                               word[1] == row->letter && word[2] == '\0'))
            return row;
    return NULL;
}

static void read_words(struct completion *c, const char *const *words, int count)
{
    for (int i = 0; i < count - 1; i++) {
        const struct option_row *row =
            c->ended ? NULL : option_before_argument(c->command, words[i]);

        if (row != NULL && i == count - 2)
            c->value = row;
        else if (row != NULL &&
                 (strcmp(row->name, "file") == 0 || strcmp(row->name, "scenario") == 0))
            c->scenario = words[i + 1];
        i += row != NULL;
        if (row != NULL || (words[i][0] == '-' && words[i][1] != '\0' && !c->ended)) {
            c->ended = c->ended || strcmp(words[i], "--") == 0;
            continue;
        }
        if (c->operands < OPERANDS_MAX)
            c->operand[c->operands++] = words[i];
        if (c->scenario == NULL && is_design(c, words[i]))
            c->scenario = words[i];
    }
}

/* Takes "--NAME=" off an option with its argument, and off a list what is before its last item. */
static void split_value(struct completion *c)
{
    const char *equals = strchr(c->word, '=');
    char name[WORD_MAX];

    if (c->value == NULL && !c->ended && strncmp(c->word, "--", 2) == 0 && equals != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)(equals - c->word), c->word);
        c->value = option_before_argument(c->command, name);
        c->current = equals + 1;
    }
    if (c->value != NULL && strstr(c->value->argument, ",...") != NULL &&
        strrchr(c->current, ',') != NULL)
        c->current = strrchr(c->current, ',') + 1;
}

static void offer_value(struct completion *c)
{
    const char *values = c->value->values;
    const struct plot_kind *kind = NULL;
    char word[WORD_MAX];

    for (int i = 0; i < c->operands && kind == NULL; i++)
        kind = plot_kind_find(c->operand[i]);
    if (c->command == &command_plot && strcmp(c->value->name, "of") == 0 && kind != NULL)
        values = kind->of;
    if (values != NULL && strpbrk(values, CAPITALS) != NULL) {
        offer_placeholder(c, values);
        return;
    }
    if (values != NULL) {
        offer_words(c, values);
        return;
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(c->value->argument, "|,"), c->value->argument);
    offer_placeholder(c, word);
}

static void offer_options(struct completion *c)
{
    for (const struct option_row *row = c->command->options; row->name != NULL; row++) {
        char name[WORD_MAX];

        snprintf(name, sizeof name, "--%s", row->name);
        offer(c, name, "", row->help);
    }
}

void complete_word(struct cli *cli, const char *const *words, int count)
{
    struct completion c = {.cli = cli, .command = command_find("")};

    if (count > 1 && words[0][0] != '\0' && command_find(words[0]) != NULL) {
        c.command = command_find(words[0]);
        words++;
        count--;
    }
    c.word = c.current = count > 0 ? words[count - 1] : "";
    read_words(&c, words, count);
    split_value(&c);
    if (c.value != NULL) {
        offer_value(&c);
    } else if (c.ended && strncmp(c.command->operands, "-- ", 3) == 0) {
        offer_files(&c);
    } else if (c.current[0] == '-' && !c.ended) {
        offer_options(&c);
    } else {
        if (c.command == command_find("") && c.operands == 0)
            offer_commands(&c);
        offer_operand(&c);
    }
    if (c.files && !c.knobs)
        buffer_text(&c.offers, "\n/");
    if (c.offers.length > 0) {
        text_lines(cli->out, c.offers.bytes + 1);
        fputc('\n', cli->out);
    }
    buffer_free(&c.offers);
}
