/* Pieces of Markdown, as CommonMark with tables has it. */
#ifndef AOLAG_REPORT_MARKDOWN_H
#define AOLAG_REPORT_MARKDOWN_H

#include <stdio.h>

#include "draw/table.h"

/* What would mean something is escaped, control characters become '?'; on one line. */
void markdown_text(FILE *out, const char *text);

/* The first row is the heading. Nothing where there was no memory for it. */
void markdown_table(const struct table *table, FILE *out);

#endif
