/* Fills the tables of the program into manual pages.
 *
 *     docgen FILE.in     copies FILE.in to standard output; a line "@NAME ARGUMENT@" becomes a
 *                        table, @version@ and @uncertainty@ within a line their values
 *     docgen --list      every entry of the manual's tables that stand in one page only,
 *                        "HEADING<tab>TERM", for the test that finds each of them in the pages
 *
 * AUTHORS and REPORTING BUGS, the same in every page, are put before SEE ALSO.
 *
 * Entries are .TP paragraphs under .SS headings. A line "@keys PREFIX...@" begins the table of the
 * keys of an object of JSON, "." for the outermost one, else its path as jq writes it; a row is
 * "KEY<tab>UNIT<tab>MEANING", and "@end@" ends it. tests/cli/manual.sh compares them with what the
 * commands print. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "command.h"
#include "design/algorithm.h"
#include "design/knob_table.h"
#include "explore/pipelines.h"
#include "explore/published.h"
#include "model/cause.h"
#include "model/formulas.h"
#include "model/result.h"
#include "model/workload.h"
#include "report/knob_doc.h"
#include "tui/action.h"

#define LINE_MAX_BYTES 1024
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define WORD_MAX 128
#define WORD_CHARACTERS "abcdefghijklmnopqrstuvwxyz_.0123456789"
#define TEXT_COLUMNS 80

/* The page ------------------------------------------------------------------------------------ */

/* Where entries go: the page, or a list "HEADING<tab>TERM" of them. */
struct page {
    FILE *out;
    bool list;
    const char *heading;  /* set by page_heading, or directly for one that the page has already */
    const char *argument; /* of the table that is being written */
    bool keys;            /* within a table of keys */
};

/* How roff writes a character that means something to it; NULL: as it is. */
static const char *escaped_character(char character)
{
    switch (character) {
    case '\\':
        return "\\e";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    case '`':
        return "\\(ga";
    case '\'':
        return "\\(aq";
    case '"':
        return "\\(dq";
    default:
        return NULL;
    }
}

/* Escapes text; `typed`: it stands for what is typed, where a hyphen is a minus, as one that begins
 * a word of other text is. */
static void page_text(const struct page *page, const char *text, bool typed)
{
    char before = ' ';

    if (*text == '.')
        fputs("\\&", page->out);
    for (; *text != '\0'; before = *text++) {
        if (escaped_character(*text) != NULL)
            fputs(escaped_character(*text), page->out);
        else if (*text == '-' && (typed || strchr(" (-", before) != NULL))
            fputs("\\-", page->out);
        else
            fputc(*text, page->out);
    }
}

static void page_bold(const struct page *page, const char *text)
{
    fputs("\\fB", page->out);
    page_text(page, text, true);
    fputs("\\fR", page->out);
}

/* Bytes of the placeholder at `text`: capitals, with x and = within it as in WxH and P=V. */
static size_t placeholder_length(const char *text)
{
    return strspn(text, CAPITALS) > 0 ? strspn(text, CAPITALS "x=") : 0;
}

/* Operands and arguments: words in capitals are placeholders and become italic. */
static void page_operands(const struct page *page, const char *text)
{
    while (*text != '\0') {
        bool italic = placeholder_length(text) > 0;
        size_t length = italic ? placeholder_length(text) : strcspn(text, CAPITALS);
        char word[WORD_MAX];

        snprintf(word, sizeof word, "%.*s", (int)length, text);
        fputs(italic ? "\\fI" : "", page->out);
        page_text(page, word, true);
        fputs(italic ? "\\fR" : "", page->out);
        text += strlen(word);
    }
}

/* The help of a row as a sentence. A row without help ends the program. */
static void page_help(const struct page *page, const char *name, const char *help)
{
    if (help == NULL) {
        fprintf(stderr, "docgen: %s, %s: the row of its table has no help\n", page->heading, name);
        exit(EXIT_FAILURE);
    }
    page_text(page, help, false);
    fputs(".\n", page->out);
}

static void page_heading(struct page *page, const char *text)
{
    page->heading = text;
    if (page->list)
        return;
    fputs(".SS ", page->out);
    page_text(page, text, false);
    fputc('\n', page->out);
}

/* Begins an entry: a term in bold, its argument (may be NULL), `more` in parentheses (may be
 * empty). The caller writes the body where this returns true. */
static bool page_entry(const struct page *page, const char *term, const char *argument,
                       const char *more)
{
    if (page->list) {
        page_text(page, page->heading, false);
        fputc('\t', page->out);
    } else {
        fputs(".TP\n", page->out);
    }
    page_bold(page, term);
    if (argument != NULL) {
        fputc(' ', page->out);
        page_operands(page, argument);
    }
    if (more[0] != '\0') {
        fputs(" (", page->out);
        page_text(page, more, false);
        fputc(')', page->out);
    }
    fputc('\n', page->out);
    return !page->list;
}

/* Commands and options ------------------------------------------------------------------------ */

/* The command named by the argument of a table; the explorer is "aolag". */
static const struct command *named_command(const char *argument)
{
    const struct command *command = command_find(strcmp(argument, "aolag") == 0 ? "" : argument);

    if (command == NULL) {
        fprintf(stderr, "docgen: there is no command \"%s\"\n", argument);
        exit(EXIT_FAILURE);
    }
    return command;
}

static void synopsis_table(struct page *page)
{
    const struct command *command = named_command(page->argument);
    const char *rest = command->operands;
    char form[WORD_MAX];

    do {
        size_t length = strcspn(rest, "\n");
        bool first = strncmp(rest, "-- ", 3) == 0; /* options after it are those of a program */

        page_bold(page, command->name[0] != '\0' ? "aolag " : "aolag");
        page_bold(page, command->name);
        snprintf(form, sizeof form, " %.*s", (int)length, rest);
        if (first)
            fputs(" [\\fIOPTION\\fR]...", page->out);
        page_operands(page, form);
        fputs(first ? "\n" : " [\\fIOPTION\\fR]...\n", page->out);
        rest += length + (rest[length] != '\0');
    } while (*rest != '\0');
    if (command->also != NULL)
        fprintf(page->out, ".fi\n.PP\nIts former name,\n.BR %s ,\nstays.\n.nf\n", command->also);
}

static void command_table(struct page *page)
{
    for (int i = 0; i < command_count; i++) {
        if (commands[i]->name[0] == '\0')
            continue;
        fputs(".TP\n.BR aolag\\-", page->out);
        fprintf(page->out, "%s (1)\n", commands[i]->name);
        page_text(page, commands[i]->help, false);
        fputc('\n', page->out);
    }
}

/* The options that one requires or excludes, unless its help names them. */
static void option_relations(const struct page *page, const struct command *command,
                             const struct option_row *row, bool excludes)
{
    const char *separator = excludes ? "Not with\n" : "Only with\n";

    for (const struct option_rule *rule = command->rules; rule != NULL && rule->option != NULL;
         rule++) {
        const char *other = rule->other;

        if (excludes && strcmp(rule->other, row->name) == 0)
            other = rule->option;
        else if (strcmp(rule->option, row->name) != 0)
            continue;
        if (rule->excludes != excludes || strstr(row->help, other) != NULL)
            continue;
        fprintf(page->out, "%s\\-\\-", separator);
        page_text(page, other, true);
        separator = " or ";
    }
    if (separator[0] == ' ')
        fputs(".\n", page->out);
}

static void option_table(struct page *page)
{
    const struct command *command = named_command(page->argument);

    page->heading = "OPTIONS";
    for (const struct option_row *row = command->options; row->name != NULL; row++) {
        char name[64], letter[8] = "";

        if (row->letter != '\0')
            snprintf(letter, sizeof letter, "-%c, ", row->letter);
        snprintf(name, sizeof name, "%s--%s", letter, row->name);
        page_entry(page, name, row->argument, "");
        page_help(page, name, row->help);
        option_relations(page, command, row, false);
        option_relations(page, command, row, true);
    }
}

static void file_table(struct page *page)
{
    fputs(".TP\n.IR $XDG_CONFIG_HOME/aolag/presets/ \", \" $XDG_CONFIG_HOME/aolag/prices.csv\n"
          "Presets of your own, which every command reads, and your prices; see FILES in\n"
          ".BR aolag (1).\n",
          page->out);
}

/* Stands before SEE ALSO in every page. */
static const char closing_sections[] =
    ".SH AUTHORS\n"
    "The aolag authors, whom the log of the source repository names.\n"
    ".SH REPORTING BUGS\n"
    "There is no public address.\n"
    "Report a bug where you obtained your copy, as an issue of that repository or to the "
    "maintainer\n"
    "of that package, with what\n"
    ".B \"aolag \\-\\-version\"\n"
    "prints, the scenario, the command or a file of keys for\n"
    ".BR \"aolag screen \\-\\-keys\" ,\n"
    "and what you expected.\n";

/* Keys ---------------------------------------------------------------------------------------- */

static void print_action_panes(const struct action *action, char *text, size_t size)
{
    unsigned panes = PANES_OF_VIEWS;

    text[0] = '\0';
    if (action->mode != MODE_NORMAL || (action->panes & panes) == panes)
        return;
    for (int p = 0; p < PANE_COUNT; p++) {
        size_t used = strlen(text);

        if ((action->panes >> p & 1) != 0)
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                     pane_name((enum pane)p));
    }
}

static void key_table(struct page *page)
{
    static const char *const headings[MODE_COUNT] = {
        [MODE_NORMAL] = "Keys on the screen",
        [MODE_LIST] = "Keys in a list",
        [MODE_LINE] = "Keys in a line of text",
    };

    for (int mode = 0; mode < MODE_COUNT; mode++) {
        page_heading(page, headings[mode]);
        for (int a = 0; a < action_count; a++) {
            const struct action *action = &actions[a];
            char keys[128];
            char panes[128];

            if ((int)action->mode != mode)
                continue;
            print_action_panes(action, panes, sizeof panes);
            action_keys(action, false, keys, sizeof keys);
            if (keys[0] == '\0')
                snprintf(keys, sizeof keys, ":%s", action->name);
            if (!page_entry(page, keys, NULL, panes))
                continue;
            page_help(page, action->name, action->help);
            if (mode != MODE_NORMAL)
                continue;
            fputs("Word:\n", page->out);
            page_text(page, action->name, true);
            if (action->argument != NULL) {
                fputc(' ', page->out);
                page_operands(page, action->argument);
            }
            fputs(".\n", page->out);
        }
    }
}

/* Knobs, algorithms, units, results ----------------------------------------------------------- */

static void knob_table(struct page *page)
{
    static const char *const headings[SECTION_COUNT] = {
        [SECTION_SCENARIO] = "[scenario]",
        [SECTION_AO] = "[ao]",
        [SECTION_ATMOSPHERE] = "[atmosphere]",
        [SECTION_TELEMETRY] = "[telemetry]",
        [SECTION_UPDATE] = "[update]",
        [SECTION_CALIBRATION] = "[calibration]",
        [SECTION_WFS] = "[wfs.NAME]",
        [SECTION_DEVICE] = "[device.NAME]",
        [SECTION_COMPONENT] = "[component.NAME]",
    };

    for (int i = 0; i < KNOB_COUNT; i++) {
        const struct knob *knob = &knobs[i];
        char text[LINE_MAX_BYTES];

        if (i == 0 || knob->section != knobs[i - 1].section)
            page_heading(page, headings[knob->section]);
        knob_doc_kinds(knob, text, sizeof text);
        if (!page_entry(page, knob->key, NULL, text))
            continue;
        page_help(page, knob->key, knob->help);
        knob_doc_allowed(knob, text, sizeof text);
        fputs("Allowed: ", page->out);
        page_text(page, text, true);
        knob_doc_default(knob, text, sizeof text);
        if (text[0] != '\0') {
            fputs("; default: ", page->out);
            page_text(page, text, true);
        }
        fputs(".\n", page->out);
    }
}

static void algorithm_table(struct page *page)
{
    page->heading = "ALGORITHMS";
    for (int i = 0; i < ALGORITHM_COUNT; i++) {
        if (algorithms[i].name[0] != '\0' &&
            page_entry(page, algorithms[i].name, NULL,
                       knob_doc_kind(SECTION_COMPONENT, (int)algorithms[i].type)))
            page_help(page, algorithms[i].name, algorithms[i].help);
    }
}

static const char *const dimensions[DIMENSION_COUNT] = {
    [DIMENSION_NUMBER] = "number",
    [DIMENSION_TIME] = "time",
    [DIMENSION_FREQUENCY] = "frequency",
    [DIMENSION_BYTES] = "bytes",
    [DIMENSION_BITS] = "bits",
    [DIMENSION_BYTE_RATE] = "bytes a second",
    [DIMENSION_BIT_RATE] = "bits a second",
    [DIMENSION_TRANSFER_RATE] = "transfers a second",
    [DIMENSION_FLOP] = "floating-point operations",
    [DIMENSION_FLOP_RATE] = "operations a second",
    [DIMENSION_OPERATION_RATE] = "operations a second, of integers",
    [DIMENSION_LENGTH] = "length",
    [DIMENSION_SPEED] = "speed",
    [DIMENSION_ANGLE] = "angle",
    [DIMENSION_POWER] = "power",
    [DIMENSION_PIXELS] = "pixels",
    [DIMENSION_CYCLES] = "cycles of a clock",
};

struct spellings {
    enum dimension dimension;
    char text[LINE_MAX_BYTES];
};

static void add_spelling(const char *spelling, const struct unit *unit, void *context)
{
    struct spellings *spellings = context;
    size_t used = strlen(spellings->text);

    if (unit->dimension == spellings->dimension && (unsigned char)spelling[0] < 0x80)
        snprintf(spellings->text + used, sizeof spellings->text - used, "%s%s",
                 used > 0 ? ", " : "", spelling);
}

static void unit_table(struct page *page)
{
    page->heading = "UNITS";
    for (int d = DIMENSION_NUMBER + 1; d < DIMENSION_COUNT; d++) {
        struct spellings spellings = {(enum dimension)d, ""};

        unit_each(add_spelling, &spellings);
        if (page_entry(page, dimensions[d], NULL, ""))
            page_help(page, "units", spellings.text);
    }
}

/* Tables of keys ------------------------------------------------------------------------------- */

static void keys_begin(struct page *page)
{
    fprintf(page->out, ".\\\" keys %s\n.TS\nnokeep;\nli li li\nlb l lx.\nKey\tUnit\tMeaning\n",
            page->argument);
    page->keys = true;
}

static void keys_end(struct page *page)
{
    fputs(".TE\n", page->out);
    page->keys = false;
}

/* Writes what precedes the meaning of a key. */
static void key_begin(const struct page *page, const char *key, const char *unit)
{
    page_text(page, key, true);
    fputc('\t', page->out);
    fputs(strcmp(unit, "us") == 0 ? "\\(mcs" : unit, page->out);
    fputs("\tT{\n", page->out);
}

/* A row "KEY<tab>UNIT<tab>MEANING", the meaning as roff. */
static void key_row(const struct page *page, char *line)
{
    char *unit = strchr(line, '\t');
    char *meaning = unit == NULL ? NULL : strchr(unit + 1, '\t');

    if (meaning == NULL) {
        fprintf(stderr, "docgen: no key, unit and meaning: %s\n", line);
        exit(EXIT_FAILURE);
    }
    *unit = *meaning = '\0';
    key_begin(page, line, unit + 1);
    fprintf(page->out, "%s\nT}\n", meaning + 1);
}

/* Results as rows of a table of keys. */
static void result_table(struct page *page)
{
    static const char *const scopes[] = {
        [RESULT_DESIGN] = "design",       [RESULT_LOOP] = "loop",     [RESULT_FLOW] = "flow",
        [RESULT_COMPONENT] = "component", [RESULT_DEVICE] = "device", [RESULT_WFS] = "sensor",
    };

    for (int i = 0; i < RESULT_ROW_COUNT; i++) {
        const struct result_row *row = &result_rows[i];

        if (strcmp(scopes[row->scope], page->argument) != 0)
            continue;
        key_begin(page, row->json, row->unit);
        page_text(page, row->help, false);
        fputs("\nT}\n", page->out);
    }
}

/* The values of loop.def as rows of a table of keys. */
static void loop_table(struct page *page)
{
    static const struct {
        const char *key, *unit, *help;
    } rows[] = {
#define VALUE(key, unit, number, help) {key, unit, help},
#define RATIO VALUE
#define FACT(key, unit, number, weight, label, words, help) {key, unit, help},
#define INTEGER(key, number, help) {key, "", help},
#define TEXT(key, text, help) {key, "", help},
#define BOOL(key, value, help) {key, "", help},
#define PUT(key, call, help) {key, "", help},
#include "report/loop.def"
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        key_begin(page, rows[i].key, rows[i].unit);
        page_text(page, rows[i].help, false);
        fputs("\nT}\n", page->out);
    }
}

/* Calibration --------------------------------------------------------------------------------- */

static void cause_table(struct page *page)
{
    fprintf(page->out, "%-17s%5s  %4s\n", "cause", "start", "used");
    for (int c = 0; c < CAUSE_COUNT; c++) {
        enum cause cause = (enum cause)c;

        fprintf(page->out, "%-17s%5.2f  %4.2f\n", cause_name(cause), cause_start(cause),
                cause_uncertainty(cause));
    }
}

/* Opens the measured pipelines; ends on failure. */
static struct pipelines open_pipelines(void)
{
    struct pipelines pipelines;
    struct error error = {0};

    if (pipelines_open(&pipelines, NULL, &error) != STATUS_OK) {
        fprintf(stderr, "docgen: %s\n", error.message);
        exit(EXIT_FAILURE);
    }
    return pipelines;
}

/* A time in us: three digits, or whole microseconds. */
static const char *microseconds(double time, char text[32])
{
    snprintf(text, 32, time >= 1e-3 ? "%.0f" : "%.3g", time * 1e6);
    return text;
}

/* Text with a prediction, its range and whether that holds the measured value. */
static void pipeline_line(struct page *page, const struct pipeline_row *row)
{
    const struct pipeline_prediction *of = &row->unseen;
    char range[64], seen[32], unseen[32];

    if (of->high == RESULT_NONE)
        snprintf(range, sizeof range, "from %.0f", of->low * 1e6);
    else
        snprintf(range, sizeof range, "%.0f to %.0f", of->low * 1e6, of->high * 1e6);
    page_text(page, row->id, true);
    fprintf(page->out, "%*s %8.4g  %9s  %6s  %12s  %6.2f  %6s\n", 15 - (int)strlen(row->id), "",
            row->measured * 1e6, microseconds(row->seen.value, seen),
            microseconds(of->value, unseen), range, of->factor, of->inside ? "yes" : "no");
}

/* What a group of rows comes to, and its goal if that is judged. */
static void group_lines(struct page *page, const struct pipelines *pipelines,
                        enum pipelines_group group, const char *name)
{
    const struct pipelines_summary of = pipelines_summarise(pipelines, group, 0);
    const struct pipelines_goal *goal = &pipelines_goals[group];

    fprintf(page->out, "%s:\n  median factor %.2f, worst %.2f, %.0f %% inside, width %.2f\n", name,
            of.median_factor, of.worst_factor, 100 * of.inside, of.median_width);
    if (group == pipelines_headline(pipelines) || group == PIPELINES_SEEN)
        fprintf(page->out, "  goal: %s: %s\n", goal->words,
                pipelines_goal_met(&of, goal) ? "met" : "missed");
}

/* The rows that are not listed, in us, by role, and what they come to. */
static void pipeline_table(struct page *page)
{
    struct pipelines pipelines = open_pipelines();

    for (int role = 0; role < PIPELINE_LISTED; role++) {
        fprintf(page->out, "%s%-15s %8s  %9s  %6s  %12s  %6s  %6s\n", role > 0 ? "\n" : "",
                pipeline_role_name((enum pipeline_role)role), "measured", "predicted", "unseen",
                "range", "factor", "inside");
        for (int i = 0; i < pipelines.count; i++)
            if ((int)pipelines.row[i].role == role)
                pipeline_line(page, &pipelines.row[i]);
    }
    fputc('\n', page->out);
    group_lines(page, &pipelines, PIPELINES_UNSEEN, "unseen");
    group_lines(page, &pipelines, PIPELINES_BY_COMPUTER, "one value per computer");
    group_lines(page, &pipelines, PIPELINES_TESTS, "tests");
    group_lines(page, &pipelines, PIPELINES_SEEN, "calibrates, with its own figures");
    pipelines_free(&pipelines);
}

/* The table of fits: start, fitted and used value, and what they rest on. */
static void fit_table(struct page *page)
{
    struct pipelines pipelines = open_pipelines();

    fprintf(page->out, "%-21s%6s  %6s  %6s  %s\n", "figure", "start", "fitted", "used", "rests on");
    for (int f = 0; f < FIT_COUNT; f++) {
        const struct fit *fit = &pipelines.fits.fit[f];
        const double unit = fit_is_fraction((enum fit_figure)f) ? 1 : 1e6;
        char start[32] = "-";

        if (fit->start != RESULT_NONE)
            snprintf(start, sizeof start, "%.3g", fit->start * unit);
        page_text(page, fit_name((enum fit_figure)f), true);
        fprintf(page->out, "%*s%6s  %6.3g  %6.3g ", 21 - (int)strlen(fit_name((enum fit_figure)f)),
                "", start, fit_find(fit, NULL) * unit, fit_used((enum fit_figure)f) * unit);
        for (int i = 0; i < fit->count; i++) {
            if (i > 0 && i % 2 == 0)
                fprintf(page->out, "\n%*s", 44, "");
            fputc(' ', page->out);
            page_text(page, fit->value[i].row != NULL ? fit->value[i].row : fit->value[i].computer,
                      true);
        }
        fputc('\n', page->out);
    }
    pipelines_free(&pipelines);
}

/* Counts -------------------------------------------------------------------------------------- */

/* The page's letters for the names in formulas. */
static const struct {
    const char *name, *letter;
} letters[] = {
    {"centroid_pixels", "n p\\(ha2"},
    {"element_bytes", "e"},
    {"flops_per_pixel", "c"},
    {"wfs.bit_depth", "b"},
    {"wfs.pixels_per_subap", "p"},
    {"ao.actuators", "M"},
    {"knob.working_set", "working_set"},
    {"fft_side", "F"},
    {"pixels", "N"},
    {"subaps", "n"},
    {"columns", "S"},
    {"rows", "R"},
    {"search", "s"},
    {"tiles", "T"},
    {"tile", "t"},
    {"rank", "k"},
    {"density", "d"},
    {"grid", "G"},
    {"unknowns", "U"},
    {"iterations", "K"},
    {"states", "X"},
    {"inputs", "I"},
};

/* Finds the letter for a name; NULL: it has none. */
static const char *find_letter(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (strlen(letters[i].name) == length && strncmp(letters[i].name, name, length) == 0)
            return letters[i].letter;
    return NULL;
}

/* Writes a formula with letters for names; a product as a blank, square(A) as A^2. */
static void count_formula(const struct page *page, const char *text)
{
    static const char square[] = "square(";
    bool squared = false;

    while (*text != '\0') {
        size_t length = strspn(text, WORD_CHARACTERS);
        const char *letter = length == 0 ? NULL : find_letter(text, length);

        if (strncmp(text, square, sizeof square - 1) == 0) {
            squared = true;
            text += sizeof square - 1;
        } else if (letter != NULL) {
            fputs(letter, page->out);
            text += length;
        } else if (length > 0) {
            fprintf(page->out, "%.*s", (int)length, text);
            text += length;
        } else if (strncmp(text, " * ", 3) == 0) {
            fputc(' ', page->out);
            text += 3;
        } else if (squared && *text == ')') {
            fputs("\\(ha2", page->out);
            squared = false;
            text++;
        } else {
            fputs(*text == '-' ? "\\-" : (const char[]){*text, '\0'}, page->out);
            text++;
        }
    }
}

/* Writes a quantity of a part of the work unless there is none. */
static void count_item(const struct page *page, const char *what, const char *text, bool *begun)
{
    if (text == NULL || strcmp(text, "0") == 0)
        return;
    fprintf(page->out, "%s%s ", *begun ? "; " : "", what);
    count_formula(page, text);
    *begun = true;
}

static void count_work(const struct page *page, const char *part, const struct work_text *work,
                       bool *begun)
{
    const char *const what[] = {"FLOP", "read", "written", "resident"};
    const char *const text[] = {work->flop, work->read, work->written, work->resident};

    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++) {
        char name[32];

        snprintf(name, sizeof name, "%s%s", part, what[i]);
        count_item(page, name, text[i], begun);
    }
}

static void count_entry(const struct page *page, const char *name, const struct demand_text *text)
{
    bool begun = false;

    fputs(".TP 20\n.I ", page->out);
    page_text(page, name, true);
    fputc('\n', page->out);
    count_work(page, "", &text->stream, &begun);
    count_work(page, "tail ", &text->tail, &begun);
    count_work(page, "deferred ", &text->deferred, &begun);
    count_item(page, "partial", text->accumulator, &begun);
    count_item(page, "again", text->reread, &begun);
    count_item(page, "sweeps", text->sweeps, &begun);
    count_item(page, "row", text->block, &begun);
    count_item(page, "kernels", text->kernels, &begun);
    count_item(page, "tail kernels", text->tail_kernels, &begun);
    count_item(page, "deferred kernels", text->deferred_kernels, &begun);
    count_item(page, "output", text->output, &begun);
    fputc('\n', page->out);
}

/* What every algorithm computes and moves. */
static void count_table(struct page *page)
{
    for (int a = 0; a < ALGORITHM_COUNT; a++) {
        const char *name = algorithms[a].name;

        if (algorithms[a].type == COMPONENT_PROGRAM)
            continue;
        count_entry(
            page, *name != '\0' ? name : knob_doc_kind(SECTION_COMPONENT, (int)algorithms[a].type),
            &workload_texts[a]);
    }
    count_entry(page, "reference_slopes", &workload_reference_slopes_text);
}

/* Files --------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*print)(struct page *page);
    bool entries;
} tables[] = {
    {.name = "synopsis", .print = synopsis_table},
    {.name = "commands", .print = command_table},
    {.name = "options", .print = option_table},
    {.name = "files", .print = file_table},
    {.name = "keys", .print = keys_begin},
    {.name = "end", .print = keys_end},
    {.name = "actions", .print = key_table, .entries = true},
    {.name = "knobs", .print = knob_table, .entries = true},
    {.name = "algorithms", .print = algorithm_table, .entries = true},
    {.name = "units", .print = unit_table, .entries = true},
    {.name = "results", .print = result_table},
    {.name = "loop", .print = loop_table},
    {.name = "causes", .print = cause_table},
    {.name = "counts", .print = count_table},
    {.name = "pipelines", .print = pipeline_table},
    {.name = "fits", .print = fit_table},
};

#define TABLE_COUNT (sizeof tables / sizeof tables[0])

/* Copies a line, what stands for a value replaced by it. */
static void copy_words(struct page *page, const char *line)
{
    static const char version[] = "@version@";
    static const char uncertainty[] = "@uncertainty@";

    while (*line != '\0') {
        size_t length = strcspn(line, "@");

        fwrite(line, 1, length, page->out);
        line += length;
        if (strncmp(line, version, sizeof version - 1) == 0) {
            fputs(PACKAGE_VERSION, page->out);
            line += sizeof version - 1;
        } else if (strncmp(line, uncertainty, sizeof uncertainty - 1) == 0) {
            fprintf(page->out, "%.2f", PUBLISHED_UNCERTAINTY);
            line += sizeof uncertainty - 1;
        } else if (*line != '\0') {
            fputc(*line++, page->out);
        }
    }
}

/* false for a line that asks for a table there is not. */
static bool copy_line(struct page *page, char *line)
{
    size_t length = strcspn(line, "\n");

    if (strcmp(line, ".SH SEE ALSO\n") == 0)
        fputs(closing_sections, page->out);
    if (length > 2 && line[0] == '@' && line[length - 1] == '@') {
        char *argument = line + 1 + strcspn(line + 1, " @");

        line[length - 1] = '\0';
        if (*argument != '\0')
            *argument++ = '\0';
        for (size_t t = 0; t < TABLE_COUNT; t++) {
            if (strcmp(tables[t].name, line + 1) == 0) {
                page->argument = argument;
                tables[t].print(page);
                return true;
            }
        }
        return false;
    }
    if (page->keys) {
        line[length] = '\0';
        key_row(page, line);
    } else {
        copy_words(page, line);
    }
    return true;
}

/* true if a line of text may end at this blank: it ends no sentence, behind which roff would put
 * more room, and what follows is no request. */
static bool is_break(const char *line, const char *blank)
{
    return *blank == ' ' && blank > line && strchr(".?!:)\"'\\ ", blank[-1]) == NULL &&
           strchr(".' ", blank[1]) == NULL;
}

/* Writes a line of text as lines of at most TEXT_COLUMNS where it can. */
static void fold_text(const char *line, FILE *out)
{
    while (strlen(line) > TEXT_COLUMNS) {
        const char *blank = line + TEXT_COLUMNS;

        while (blank > line && !is_break(line, blank))
            blank--;
        if (blank == line)
            break;
        fprintf(out, "%.*s\n", (int)(blank - line), line);
        line = blank + 1;
    }
    fprintf(out, "%s\n", line);
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Writes a manual page with its lines of text folded; requests, terms and examples stay. */
static void fold_page(char *text, FILE *out)
{
    bool filled = true, term = false;

    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        *end = '\0';
        if (begins(text, ".EX") || begins(text, ".nf") || begins(text, ".TS") || begins(text, "T}"))
            filled = false;
        if (begins(text, ".EE") || begins(text, ".fi") || begins(text, ".TE"))
            filled = true;
        if (filled && !term && text[0] != '.')
            fold_text(text, out);
        else
            fprintf(out, "%s\n", text);
        if (begins(text, ".EE"))
            fputs(".nh\n", out); /* groff hyphenates again after an example */
        if (end - text >= 2 && strcmp(end - 2, "T{") == 0)
            filled = true;
        term = strcmp(text, ".TP") == 0;
    }
}

static int fill_page(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    struct page page = {.out = open_memstream(&text, &length), .heading = ""};
    FILE *file = fopen(path, "r");
    char line[LINE_MAX_BYTES];
    int number = 0;

    if (file == NULL || page.out == NULL) {
        perror(path);
        return EXIT_FAILURE;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        number++;
        if (!copy_line(&page, line)) {
            fprintf(stderr, "%s:%d: there is no such table\n", path, number);
            fclose(file);
            return EXIT_FAILURE;
        }
    }
    fclose(file);
    if (fclose(page.out) != 0) {
        perror(path);
        return EXIT_FAILURE;
    }
    if (strstr(text, "\n.TS\n") != NULL)
        printf("'\\\" t\n"); /* man(1) calls tbl for such a page */
    if (begins(text, ".TH"))
        fold_page(text, stdout);
    else
        fputs(text, stdout);
    free(text);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct page list = {.out = stdout, .list = true, .heading = ""};
    int status = EXIT_SUCCESS;

    if (argc != 2) {
        fprintf(stderr, "usage: docgen FILE.in | docgen --list\n");
        return 2;
    }
    if (strcmp(argv[1], "--list") != 0)
        status = fill_page(argv[1]);
    for (size_t t = 0; strcmp(argv[1], "--list") == 0 && t < TABLE_COUNT; t++)
        if (tables[t].entries)
            tables[t].print(&list);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("docgen");
        return EXIT_FAILURE;
    }
    return status;
}
