/* A design report: Markdown, for a review. */
#ifndef AOLAG_CLI_DESIGN_REPORT_H
#define AOLAG_CLI_DESIGN_REPORT_H

#include "cli/source.h"
#include "model/jitter.h"

/* The evaluated design: verdict, results, components, devices, assumptions, uncertainty, and where
 * there is such the jitter; to a file with pictures beside it, named after it, or without `output`
 * on cli->out and without pictures. An exit status; what is wrong was said. */
int design_report(struct cli *cli, const struct arguments *arguments, const struct design *design,
                  const struct jitter *jitter, const char *output);

#endif
