/* What the rows of view 6 say. Part of view_advise. */
#ifndef AOLAG_TUI_ADVISE_LINE_H
#define AOLAG_TUI_ADVISE_LINE_H

#include "tui/advise_work.h"
#include "tui/view_advise.h"

#define ADVISE_CHANGE 300

/* What a row says, column by column. */
struct advise_line {
    char name[NODE_NAME_MAX + 64];
    char change[ADVISE_CHANGE];      /* "from > to"; empty: none */
    double gain;                     /* s; RESULT_NONE: none */
    double elasticity;               /* likewise */
    const struct performance *after; /* NULL: it is no change */
    bool bar;                        /* its gain is one */
    bool title;                      /* it is a name alone, over all columns */
};

struct advise_line advise_line_of(const struct advise_work *work, const struct advise_row *row);

#endif
