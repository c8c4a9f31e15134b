#include "docgen_page.h"

#include <string.h>

#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define WORD_MAX 128

static const char *special(char character)
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

void page_text(const struct page *page, const char *text, bool typed)
{
    if (*text == '.')
        fputs("\\&", page->out);
    for (; *text != '\0'; text++) {
        if (special(*text) != NULL)
            fputs(special(*text), page->out);
        else if (*text == '-' && typed)
            fputs("\\-", page->out);
        else
            fputc(*text, page->out);
    }
}

void page_bold(const struct page *page, const char *text)
{
    fputs("\\fB", page->out);
    page_text(page, text, true);
    fputs("\\fR", page->out);
}

/* Bytes of the placeholder at `text`: capitals, with x and = within it as in WxH and P=V. */
static size_t placeholder(const char *text)
{
    return strspn(text, CAPITALS) > 0 ? strspn(text, CAPITALS "x=") : 0;
}

void page_operands(const struct page *page, const char *text)
{
    while (*text != '\0') {
        bool italic = placeholder(text) > 0;
        size_t length = italic ? placeholder(text) : strcspn(text, CAPITALS);
        char word[WORD_MAX];

        snprintf(word, sizeof word, "%.*s", (int)length, text);
        fputs(italic ? "\\fI" : "", page->out);
        page_text(page, word, true);
        fputs(italic ? "\\fR" : "", page->out);
        text += strlen(word);
    }
}

void page_sentence(const struct page *page, const char *text)
{
    page_text(page, text, false);
    fputs(".\n", page->out);
}

void page_heading(struct page *page, const char *text)
{
    page->heading = text;
    if (page->list)
        return;
    fputs(".SS ", page->out);
    page_text(page, text, false);
    fputc('\n', page->out);
}

bool page_entry(const struct page *page, const char *term, const char *argument, const char *more)
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
