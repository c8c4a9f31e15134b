#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "cli/arguments.h"
#include "cli/source.h"
#include "command.h"
#include "draw/text.h"
#include "import/export.h"

static const struct option_row export_options[] = {
    OPTION_FILE,
    OPTION_HELP,
    {.name = "output",
     .letter = 'o',
     .argument = "FILE|-",
     .help = "write to FILE and replace it if it exists; -: to standard output, as without"},
    OPTION_SET,
    OPTION_END,
};

static int find_form(const char *word)
{
    int form = 0;

    while (form < EXPORT_FORMS && strcmp(export_names[form], word) != 0)
        form++;
    return form;
}

/* The name of a format is a word even where a file has the same. */
static bool is_form(const struct arguments *arguments, const char *operand)
{
    return find_form(operand) < EXPORT_FORMS || source_is_word(arguments, operand);
}

static int check_form(const struct arguments *arguments)
{
    return find_form(arguments->word) < EXPORT_FORMS
               ? EXIT_GOOD
               : arguments_unknown(arguments, "format", arguments->word, export_names);
}

static int run_export(struct cli *cli, const struct arguments *arguments,
                      struct opened_design *design)
{
    struct budget *budget = allocate_array(1, sizeof *budget);
    struct buffer text = {0};
    struct error error;
    enum status status;

    status = budget_fill(budget, &design->scenario, &design->result, BUDGET_TERMS, &error);
    if (status == STATUS_OK)
        status = export_design((enum export_form)find_form(arguments->word), &design->scenario,
                               &design->result, budget,
                               design->name != NULL ? design->name : "the design", &text, &error);
    free(budget);
    if (status == STATUS_OK)
        return arguments_save(cli, arguments_output(arguments), &text);
    buffer_free(&text);
    return arguments_problem(cli, "%s", error.message);
}

const struct command command_export = {
    .name = "export",
    .operands = "[DESIGN|-] tiptop|soapy|oopao|compass|specula",
    .operand_max = 2,
    .missing = "a format is missing, as in: aolag export saxo tiptop",
    .help = "Prints what a simulator takes as input: the loop of a design, with the delay that "
            "reproduces its total delay.",
    .options = export_options,
    .group = GROUP_DESIGN,
    .anywhere = true,
    .input = INPUT_RESULT,
    .is_word = is_form,
    .check = check_form,
    .run = run_export,
};
