/* The roff that tables are written in. */
#ifndef AOLAG_DOCGEN_PAGE_H
#define AOLAG_DOCGEN_PAGE_H

#include <stdbool.h>
#include <stdio.h>

/* Where entries go: the page, or a list "HEADING<tab>TERM" of them. */
struct page {
    FILE *out;
    bool list;
    const char *heading; /* set by page_heading, or directly for one that the page has already */
};

/* Escapes text; `typed`: it stands for what is typed, where a hyphen is a minus. */
void page_text(const struct page *page, const char *text, bool typed);

void page_bold(const struct page *page, const char *text);

/* Operands and arguments: words in capitals are placeholders and become italic. */
void page_operands(const struct page *page, const char *text);

/* A text as a paragraph's sentence, with its point. */
void page_sentence(const struct page *page, const char *text);

void page_heading(struct page *page, const char *text);

/* Begins an entry: a term in bold, its argument (may be NULL), `more` in parentheses (may be
 * empty). The caller writes the body where this returns true. */
bool page_entry(const struct page *page, const char *term, const char *argument, const char *more);

#endif
