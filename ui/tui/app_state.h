/* The explorer's state. Private to the modules that make up the application, and to tests; views
 * see its host. */
#ifndef AOLAG_TUI_APP_STATE_H
#define AOLAG_TUI_APP_STATE_H

#include <sys/types.h>
#include <time.h>

#include "base/problems.h"
#include "tui/action.h"
#include "tui/formulas.h"
#include "tui/host.h"
#include "tui/line_edit.h"
#include "tui/pager.h"
#include "tui/picker.h"
#include "tui/view.h"
#include "tui/view_advise.h"
#include "tui/view_compare.h"
#include "tui/view_detector.h"
#include "tui/view_explore.h"
#include "tui/view_machine.h"
#include "tui/view_roofline.h"
#include "tui/view_sweep.h"
#include "tui/view_timeline.h"

struct app;

/* Lines typed before, newest last. Zero-initialised is empty. */
struct line_history {
    char *lines[100];
    int count;
    int at; /* the one shown; `count`: the line being typed */
};

struct prompt {
    struct prompt_request request; /* its label and text are not valid any more */
    char label[128];
    struct line_edit line;
};

/* What becomes of the item that is chosen in the picker. */
struct menu {
    menu_chosen *chosen;
    void *context;
    bool question;       /* the first letter of an answer gives it */
    struct knob_ref ref; /* whose choices they are */
    int device;          /* whose presets they are */
};

enum file_kind { FILE_DESIGN, FILE_PICTURE, FILE_KINDS };

struct files {
    /* What waits for an answer about unsaved changes; NULL: nothing does. */
    void (*then)(struct app *app);
    char pending[PATH_BYTES]; /* what it is about: a file, a system */
    enum file_kind kind;      /* what is being saved, */
    char path[PATH_BYTES];    /* and the file that may be overwritten; empty: the design's own */
};

/* A recovery file as this session found or wrote it. */
struct recovery_file {
    int number; /* of its name, from 1; 0: none */
    dev_t device;
    ino_t inode;
    struct timespec written;
};

struct recovery {
    struct recovery_file held;    /* has this design, until it is saved or discarded */
    struct recovery_file offered; /* the question is about this one */
    char kept[PATH_BYTES + 128];  /* what became of the changes; empty: there were none */
};

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

/* Does what an action of NORMAL mode does; `argument` is what followed its word. */
void app_run_action(struct app *app, const struct action *action, const char *argument);

/* Says why a file was refused; several problems come as a text. */
void app_say_problems(struct app *app, const struct problems *problems, const char *file);

#endif
