/* The explorer's state. Private to the modules that make up the application, and to tests; views
 * see its host. */
#ifndef AOLAG_TUI_APP_STATE_H
#define AOLAG_TUI_APP_STATE_H

#include "tui/action.h"
#include "tui/app.h"
#include "tui/files.h"
#include "tui/formulas.h"
#include "tui/host.h"
#include "tui/menu.h"
#include "tui/pager.h"
#include "tui/picker.h"
#include "tui/prompt.h"
#include "tui/recovery.h"
#include "tui/view.h"
#include "tui/view_advise.h"
#include "tui/view_compare.h"
#include "tui/view_detector.h"
#include "tui/view_explore.h"
#include "tui/view_machine.h"
#include "tui/view_roofline.h"
#include "tui/view_sweep.h"
#include "tui/view_timeline.h"

struct app {
    struct host host; /* first, so that the app is found by it */

    const struct view *view; /* the open one */
    void *state;             /* of that view: one of the next */
    struct explore explore;
    struct timeline_view timeline;
    struct roofline_view roofline;
    struct sweep_view sweep;
    struct compare_view compare;
    struct advise_view advise;
    struct machine_view machine;
    struct detector_view detector;

    enum mode mode;
    struct prompt prompt;
    struct menu menu;
    struct picker picker; /* the menu's list */
    struct pager pager;
    struct formulas formulas;

    struct line_history commands, searches;
    char sought[LINE_MAX_BYTES + 1];
    const struct view *found_from; /* the view that was open before a search */
    struct {
        enum section section;
        int kind;
    } adding; /* what a name is typed for */
    struct files files;
    struct recovery recovery;

    bool mouse;       /* it is wanted */
    bool interrupted; /* C-c: asked whether to leave */
    bool warned;      /* on a screen too small for questions: that leaving loses changes */
    enum app_next next;
};

struct app *app_of(struct host *host);

/* The pane or overlay that keys go to. */
enum place app_place(const struct app *app);

void act_redraw(struct app *app, const char *argument);
void act_suspend(struct app *app, const char *argument);
void act_explain(struct app *app, const char *argument);

#endif
