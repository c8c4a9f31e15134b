/* The design, for the application: host.h has what views do with it. */
#ifndef AOLAG_TUI_DESIGN_H
#define AOLAG_TUI_DESIGN_H

#include "tui/host.h"

/* Another design; `document` is taken over, whether it succeeds or not. */
enum status design_start(struct host *host, const struct scenario *scenario,
                         struct document *document, struct error *error);
void design_free(struct design *design);
void design_evaluate(struct host *host);         /* the scenario is another: tells every view */
void design_saved(struct design *design);        /* its file has it as it is now */
bool design_pin_baseline(struct design *design); /* false without memory: none is pinned then */

#endif
