#include "tui/action.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "tui/keys.h"

enum {
    KNOBS = 1 << PANE_KNOBS,
    COMPONENTS = 1 << PANE_COMPONENTS,
    LOOP = 1 << PANE_LOOP,
    TIMELINE = 1 << PANE_TIMELINE,
    ROOFLINE = 1 << PANE_ROOFLINE,
    SWEEP = 1 << PANE_SWEEP,
    COMPARE = 1 << PANE_COMPARE,
    ADVISE = 1 << PANE_ADVISE,
    MACHINE = 1 << PANE_MACHINE,
    DETECTOR = 1 << PANE_DETECTOR,
    DESIGN = KNOBS | COMPONENTS | LOOP,
    PAGER = 1 << PANE_PAGER,
    FORMULAS = 1 << PANE_FORMULAS,
    VIEWS = PANES_OF_VIEWS,
    ALL = VIEWS | PAGER | FORMULAS,
    CONTROL_U = 21
};

/* clang-format off */
const struct action actions[] = {
    {.id = ACTION_LEFT, .panes = KNOBS, .keys = {KEY_NAMED_LEFT, 'h'}, .name = "left",
     .footer = "change", .help = "one step down, the previous choice; fold the section"},
    {.id = ACTION_RIGHT, .panes = KNOBS, .keys = {KEY_NAMED_RIGHT, 'l'}, .name = "right",
     .footer = "change", .help = "one step up, the next choice; unfold the section"},
    {.id = ACTION_UP, .panes = KNOBS, .keys = {KEY_NAMED_UP, 'k'}, .name = "up", .footer = "knob",
     .help = "the row above"},
    {.id = ACTION_DOWN, .panes = KNOBS, .keys = {KEY_NAMED_DOWN, 'j'}, .name = "down",
     .footer = "knob", .help = "the row below"},
    {.id = ACTION_UP, .panes = COMPONENTS, .keys = {KEY_NAMED_UP, 'k'}, .name = "up",
     .footer = "component", .help = "the component above"},
    {.id = ACTION_DOWN, .panes = COMPONENTS, .keys = {KEY_NAMED_DOWN, 'j'}, .name = "down",
     .footer = "component", .help = "the component below"},
    {.id = ACTION_UP, .panes = ROOFLINE, .keys = {KEY_NAMED_UP, 'k', KEY_NAMED_LEFT, 'h'},
     .name = "up", .footer = "component", .help = "the previous component"},
    {.id = ACTION_DOWN, .panes = ROOFLINE, .keys = {KEY_NAMED_DOWN, 'j', KEY_NAMED_RIGHT, 'l'},
     .name = "down", .footer = "component", .help = "the next component"},
    {.id = ACTION_PACKET_BACK, .panes = DETECTOR, .keys = {KEY_NAMED_LEFT, 'h', ',', KEY_NAMED_UP},
     .name = "packet-back", .footer = "packet", .help = "the previous packet"},
    {.id = ACTION_PACKET_ON, .panes = DETECTOR,
     .keys = {KEY_NAMED_RIGHT, 'l', '.', KEY_NAMED_DOWN}, .name = "packet-on", .footer = "packet",
     .help = "the next packet"},
    {.id = ACTION_START, .panes = DETECTOR, .keys = {KEY_NAMED_HOME}, .name = "first-packet",
     .help = "to the first packet"},
    {.id = ACTION_END, .panes = DETECTOR, .keys = {KEY_NAMED_END}, .name = "last-packet",
     .help = "to the last packet"},
    {.id = ACTION_VARIANT, .panes = DETECTOR, .keys = {'v'}, .name = "next-sensor",
     .footer = "sensor", .help = "the next sensor"},
    {.id = ACTION_VARIANT, .panes = ROOFLINE, .keys = {'v'}, .name = "next-device",
     .footer = "device", .help = "the next device"},
    {.id = ACTION_UP, .panes = LOOP | MACHINE | PAGER, .keys = {KEY_NAMED_UP, 'k'}, .name = "up",
     .footer = "scroll", .help = "one line up"},
    {.id = ACTION_DOWN, .panes = LOOP | MACHINE | PAGER, .keys = {KEY_NAMED_DOWN, 'j'},
     .name = "down", .footer = "scroll", .help = "one line down"},
    {.id = ACTION_LEFT, .panes = TIMELINE, .keys = {KEY_NAMED_LEFT, 'h', ','}, .name = "left",
     .footer = "packet", .help = "the previous packet in the row"},
    {.id = ACTION_RIGHT, .panes = TIMELINE, .keys = {KEY_NAMED_RIGHT, 'l', '.'}, .name = "right",
     .footer = "packet", .help = "the next packet in the row"},
    {.id = ACTION_UP, .panes = TIMELINE, .keys = {KEY_NAMED_UP, 'k'}, .name = "up",
     .footer = "row", .help = "the row above"},
    {.id = ACTION_DOWN, .panes = TIMELINE, .keys = {KEY_NAMED_DOWN, 'j'}, .name = "down",
     .footer = "row", .help = "the row below"},
    {.id = ACTION_ZOOM_IN, .panes = TIMELINE, .keys = {'+', '='}, .name = "zoom-in",
     .footer = "zoom", .help = "zoom in by two, around the cursor"},
    {.id = ACTION_ZOOM_OUT, .panes = TIMELINE, .keys = {'-', '_'}, .name = "zoom-out",
     .footer = "zoom", .help = "zoom out by two, at most to three frames"},
    {.id = ACTION_FIT, .panes = TIMELINE, .keys = {'0'}, .name = "fit", .footer = "fit",
     .help = "fit the frame, its end, or three frames"},
    {.id = ACTION_PAN_LEFT, .panes = TIMELINE, .keys = {'<', KEY_NAMED_SHIFT_LEFT},
     .name = "pan-left", .footer = "pan", .help = "move the window to earlier times"},
    {.id = ACTION_PAN_RIGHT, .panes = TIMELINE, .keys = {'>', KEY_NAMED_SHIFT_RIGHT},
     .name = "pan-right", .footer = "pan", .help = "move the window to later times"},
    {.id = ACTION_VARIANT, .panes = TIMELINE, .keys = {'v'}, .name = "variant", .footer = "rows",
     .help = "rows by component, or by device and link"},
    {.id = ACTION_START, .panes = TIMELINE, .keys = {KEY_NAMED_HOME}, .name = "first",
     .help = "the first packet of the row"},
    {.id = ACTION_END, .panes = TIMELINE, .keys = {KEY_NAMED_END}, .name = "last",
     .help = "the last packet of the row"},
    {.id = ACTION_ENTER, .panes = TIMELINE, .keys = {KEY_NAMED_ENTER}, .name = "show",
     .footer = "show knobs", .help = "the knobs of the component under the cursor"},
    {.id = ACTION_UP, .panes = ADVISE | COMPARE | FORMULAS, .keys = {KEY_NAMED_UP, 'k'},
     .name = "up", .footer = "move", .help = "the row above"},
    {.id = ACTION_DOWN, .panes = ADVISE | COMPARE | FORMULAS, .keys = {KEY_NAMED_DOWN, 'j'},
     .name = "down", .footer = "move", .help = "the row below"},
    {.id = ACTION_RIGHT, .panes = FORMULAS, .keys = {KEY_NAMED_RIGHT, 'l'}, .name = "unfold",
     .footer = "open", .help = "unfold the inputs of the formula"},
    {.id = ACTION_LEFT, .panes = FORMULAS, .keys = {KEY_NAMED_LEFT, 'h'}, .name = "fold",
     .footer = "fold", .help = "fold it, else go to the parent formula"},
    {.id = ACTION_ENTER, .panes = FORMULAS, .keys = {KEY_NAMED_ENTER}, .name = "toggle",
     .help = "unfold or fold it"},
    {.id = ACTION_LEFT, .panes = SWEEP, .keys = {KEY_NAMED_LEFT, 'h'}, .name = "left",
     .footer = "value", .help = "the previous value"},
    {.id = ACTION_RIGHT, .panes = SWEEP, .keys = {KEY_NAMED_RIGHT, 'l'}, .name = "right",
     .footer = "value", .help = "the next value"},
    {.id = ACTION_UP, .panes = SWEEP, .keys = {KEY_NAMED_UP, 'k'}, .name = "up", .footer = "knob",
     .help = "sweep the previous knob; with two knobs: a value up"},
    {.id = ACTION_DOWN, .panes = SWEEP, .keys = {KEY_NAMED_DOWN, 'j'}, .name = "down",
     .footer = "knob", .help = "sweep the next knob; with two knobs: a value down"},
    {.id = ACTION_ENTER, .panes = SWEEP, .keys = {KEY_NAMED_ENTER}, .name = "take",
     .footer = "set", .help = "set the knob to the value under the cursor"},
    {.id = ACTION_RANGE, .panes = SWEEP, .keys = {'e'}, .name = "range",
     .argument = "[P=VALUES...]", .footer = "range",
     .help = "type one knob or two, with the values to sweep"},
    {.id = ACTION_VARIANT, .panes = SWEEP, .keys = {'v'}, .name = "hold", .footer = "2 knobs",
     .help = "sweep a second knob as well; again: one only"},
    {.id = ACTION_PREVIOUS_RESULT, .panes = SWEEP, .keys = {KEY_NAMED_PAGE_UP},
     .name = "previous-result", .help = "the previous result, such as servo lag"},
    {.id = ACTION_NEXT_RESULT, .panes = SWEEP, .keys = {KEY_NAMED_PAGE_DOWN},
     .name = "next-result", .footer = "result", .help = "the next result"},
    {.id = ACTION_TEN_LEFT, .panes = SWEEP, .keys = {'{', KEY_NAMED_SHIFT_LEFT},
     .name = "ten-left", .help = "ten values back"},
    {.id = ACTION_TEN_RIGHT, .panes = SWEEP, .keys = {'}', KEY_NAMED_SHIFT_RIGHT},
     .name = "ten-right", .help = "ten values forward"},
    {.id = ACTION_START, .panes = SWEEP, .keys = {KEY_NAMED_HOME}, .name = "first",
     .help = "the first value"},
    {.id = ACTION_END, .panes = SWEEP, .keys = {KEY_NAMED_END}, .name = "last",
     .help = "the last value"},
    {.id = ACTION_PAGE_UP, .panes = ALL & ~(unsigned)SWEEP, .keys = {KEY_NAMED_PAGE_UP},
     .name = "page-up", .help = "one page up"},
    {.id = ACTION_PAGE_DOWN, .panes = ALL & ~(unsigned)SWEEP, .keys = {KEY_NAMED_PAGE_DOWN},
     .name = "page-down", .help = "one page down"},
    {.id = ACTION_TEN_LEFT, .panes = KNOBS, .keys = {'{', KEY_NAMED_SHIFT_LEFT},
     .name = "ten-left", .help = "ten steps down"},
    {.id = ACTION_TEN_RIGHT, .panes = KNOBS, .keys = {'}', KEY_NAMED_SHIFT_RIGHT},
     .name = "ten-right", .help = "ten steps up"},
    {.id = ACTION_START, .panes = KNOBS, .keys = {KEY_NAMED_HOME}, .name = "least",
     .help = "the minimum; on a section: to the first row"},
    {.id = ACTION_END, .panes = KNOBS, .keys = {KEY_NAMED_END}, .name = "most",
     .help = "the maximum; on a section: to the last row"},
    {.id = ACTION_START,
     .panes = COMPARE | COMPONENTS | LOOP | ADVISE | ROOFLINE | MACHINE | PAGER | FORMULAS,
     .keys = {KEY_NAMED_HOME}, .name = "first", .help = "to the start"},
    {.id = ACTION_END,
     .panes = COMPARE | COMPONENTS | LOOP | ADVISE | ROOFLINE | MACHINE | PAGER | FORMULAS,
     .keys = {KEY_NAMED_END}, .name = "last", .help = "to the end"},
    {.id = ACTION_ENTER, .panes = KNOBS, .keys = {KEY_NAMED_ENTER}, .name = "edit",
     .footer = "edit", .help = "type a value with its unit, choose, fold or unfold"},
    {.id = ACTION_ENTER, .panes = COMPONENTS, .keys = {KEY_NAMED_ENTER}, .name = "show",
     .footer = "show knobs", .help = "show its knobs; unfold or fold identical rows"},
    {.id = ACTION_ENTER, .panes = ADVISE, .keys = {KEY_NAMED_ENTER}, .name = "take",
     .footer = "apply", .help = "apply the change; in a sequence, all steps up to it"},
    {.id = ACTION_ENTER, .panes = COMPARE, .keys = {KEY_NAMED_ENTER}, .name = "take",
     .footer = "copy value", .help = "copy the other design's value, or go to the knob"},
    {.id = ACTION_COMPARE_WITH, .panes = COMPARE, .keys = {'v'}, .name = "with",
     .argument = "[SYSTEM|FILE|baseline]", .footer = "compare with",
     .help = "compare with another system, a file or the baseline"},
    {.id = ACTION_RESET, .panes = KNOBS | ADVISE, .keys = {KEY_NAMED_BACKSPACE}, .name = "reset",
     .argument = "[PATH]", .help = "reset to the preset's value, else to the default"},
    {.id = ACTION_NEXT_PANE, .panes = VIEWS, .keys = {KEY_NAMED_TAB}, .name = "next-pane",
     .help = "the next pane"},
    {.id = ACTION_PREVIOUS_PANE, .panes = VIEWS, .keys = {KEY_NAMED_SHIFT_TAB},
     .name = "previous-pane", .help = "the previous pane"},
    {.id = ACTION_MEASURE, .panes = MACHINE, .keys = {'r'}, .name = "measure", .footer = "measure",
     .help = "measure this machine, a minute or two; again: stop"},
    {.id = ACTION_TABLE, .panes = MACHINE, .keys = {'t'}, .name = "table", .footer = "table",
     .help = "show the numbers of a picture, or the picture"},
    {.id = ACTION_SHOW_TABLE, .panes = VIEWS & ~MACHINE, .keys = {'t'}, .name = "table",
     .help = "show the numbers of the picture"},
    {.id = ACTION_PICTURE, .panes = VIEWS, .keys = {'g'}, .name = "picture", .argument = "[FILE]",
     .help = "save the picture: SVG"},
    {.id = ACTION_PRESET, .panes = VIEWS, .keys = {'p'}, .name = "preset", .argument = "[NAME]",
     .footer = "preset", .help = "presets of the device under the cursor, else AO systems"},
    {.id = ACTION_SAVE, .panes = VIEWS, .keys = {'s'}, .name = "save", .argument = "[FILE]",
     .footer = "save", .help = "save the scenario"},
    {.id = ACTION_VIEW, .panes = VIEWS, .keys = {'1'}, .name = "explore", .footer = "views",
     .help = "view 1: knobs, the times of every component, the loop"},
    {.id = ACTION_VIEW, .panes = VIEWS, .keys = {'2'}, .name = "timeline", .footer = "views",
     .help = "view 2: busy and waiting times, packet by packet"},
    {.id = ACTION_VIEW, .panes = VIEWS, .keys = {'3'}, .name = "roofline", .footer = "views",
     .help = "view 3: roofline of a device with every component"},
    {.id = ACTION_VIEW, .panes = VIEWS, .keys = {'4'}, .name = "sweep", .footer = "views",
     .help = "view 4: a result over one knob or two"},
    {.id = ACTION_VIEW, .panes = VIEWS, .keys = {'5'}, .name = "compare", .footer = "views",
     .help = "view 5: two designs side by side, every difference"},
    {.id = ACTION_VIEW, .panes = VIEWS, .keys = {'6'}, .name = "advise", .footer = "views",
     .help = "view 6: what one step of each knob gains, ranked"},
    {.id = ACTION_VIEW, .panes = VIEWS, .keys = {'7'}, .name = "machine", .footer = "views",
     .help = "view 7: measurements of this machine"},
    {.id = ACTION_VIEW, .panes = VIEWS, .keys = {'8'}, .name = "detector", .footer = "views",
     .help = "view 8: readout and pupil, packet by packet"},
    {.id = ACTION_UNDO, .panes = VIEWS, .keys = {'u'}, .name = "undo", .footer = "undo",
     .help = "undo the last change, then earlier ones"},
    {.id = ACTION_REDO, .panes = VIEWS, .keys = {KEY_CONTROL_R}, .name = "redo",
     .help = "redo the change that was undone"},
    {.id = ACTION_BASELINE, .panes = VIEWS, .keys = {'b'}, .name = "baseline",
     .footer = "baseline", .help = "pin the present design as the baseline; again: unpin it"},
    {.id = ACTION_COMMAND, .panes = VIEWS, .keys = {':'}, .name = "command", .footer = "command",
     .help = "type an action or a command of the command line"},
    {.id = ACTION_EXPLAIN, .panes = TIMELINE | COMPARE | DESIGN | ADVISE | ROOFLINE | DETECTOR,
     .keys = {'x'}, .name = "why", .footer = "explain",
     .help = "explain the number under the cursor by its formula"},
    {.id = ACTION_FIND, .panes = VIEWS, .keys = {'/'}, .name = "find", .argument = "[TEXT]",
     .footer = "find", .help = "find a knob by its path or label"},
    {.id = ACTION_ADD, .panes = VIEWS, .keys = {'a'}, .name = "add", .footer = "add",
     .help = "add a component, device or sensor"},
    {.id = ACTION_REMOVE, .panes = VIEWS, .keys = {'d'}, .name = "remove", .argument = "[PATH]",
     .help = "remove the component, device or sensor under the cursor"},
    {.id = ACTION_LOG, .panes = DESIGN | COMPARE, .keys = {'L'}, .name = "log", .footer = "log",
     .help = "bars on a linear or a logarithmic scale"},
    {.id = ACTION_OPEN, .panes = VIEWS, .keys = {'o'}, .name = "open", .argument = "[FILE]",
     .help = "open a scenario file"},
    {.id = ACTION_NEW, .panes = VIEWS, .keys = {'n'}, .name = "new",
     .help = "start over with the built-in design"},
    {.id = ACTION_SAVE_AS, .panes = VIEWS, .keys = {'S'}, .name = "save-as", .argument = "[FILE]",
     .help = "save under another name"},
    {.id = ACTION_RELOAD, .panes = VIEWS, .keys = {'R'}, .name = "reload",
     .help = "reload the file"},
    {.id = ACTION_SET, .panes = VIEWS, .name = "set", .argument = "P=V...|mouse on|mouse off",
     .help = "set knobs by path; enable or disable the mouse"},
    {.id = ACTION_NEXT_MATCH, .panes = VIEWS, .keys = {'N'}, .name = "next-match",
     .help = "the next knob found"},
    {.id = ACTION_PREVIOUS_MATCH, .panes = VIEWS, .keys = {'M'}, .name = "previous-match",
     .help = "the previous knob found"},
    {.id = ACTION_CLOSE, .panes = PAGER | FORMULAS, .keys = {KEY_NAMED_ESCAPE, 'q', KEY_CONTROL_C},
     .name = "close", .footer = "close", .help = "close the box"},
    {.id = ACTION_HELP, .panes = ALL, .keys = {'?', KEY_NAMED_F1}, .name = "help",
     .footer = "help", .help = "this help"},
    {.id = ACTION_REDRAW, .panes = ALL, .keys = {KEY_CONTROL_L}, .name = "redraw",
     .help = "redraw the screen"},
    {.id = ACTION_SUSPEND, .panes = ALL, .keys = {KEY_CONTROL_Z}, .name = "suspend",
     .help = "suspend to the shell (fg returns)"},
    {.id = ACTION_QUIT, .panes = VIEWS, .keys = {'q', KEY_CONTROL_C}, .name = "quit",
     .footer = "quit", .help = "quit; asks about unsaved changes"},

    {.id = ACTION_UP, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_UP}, .name = "up",
     .footer = "move", .help = "the row above"},
    {.id = ACTION_DOWN, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_DOWN}, .name = "down",
     .footer = "move", .help = "the row below"},
    {.id = ACTION_PAGE_UP, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_PAGE_UP},
     .name = "page-up", .help = "one page up"},
    {.id = ACTION_PAGE_DOWN, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_PAGE_DOWN},
     .name = "page-down", .help = "one page down"},
    {.id = ACTION_START, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_HOME},
     .name = "first", .help = "the first row"},
    {.id = ACTION_END, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_END}, .name = "last",
     .help = "the last row"},
    {.id = ACTION_ACCEPT, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_ENTER},
     .name = "choose", .footer = "choose", .help = "choose the row under the cursor"},
    {.id = ACTION_SORT, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_TAB}, .name = "sort",
     .footer = "sort", .help = "sort by the next column"},
    {.id = ACTION_SORT_BACK, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_SHIFT_TAB},
     .name = "sort-back", .help = "sort by the previous column"},
    {.id = ACTION_DELETE_LEFT, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_NAMED_BACKSPACE},
     .name = "delete-left", .help = "delete a letter of the filter"},
    {.id = ACTION_CLOSE, .mode = MODE_LIST, .panes = ALL,
     .keys = {KEY_NAMED_ESCAPE, KEY_CONTROL_C}, .name = "cancel", .footer = "cancel",
     .help = "close the list without a choice"},
    {.id = ACTION_REDRAW, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_CONTROL_L},
     .name = "redraw", .help = "redraw the screen"},
    {.id = ACTION_SUSPEND, .mode = MODE_LIST, .panes = ALL, .keys = {KEY_CONTROL_Z},
     .name = "suspend", .help = "suspend to the shell"},

    {.id = ACTION_LEFT, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_LEFT}, .name = "left",
     .help = "one character back"},
    {.id = ACTION_RIGHT, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_RIGHT},
     .name = "right", .help = "one character forward"},
    {.id = ACTION_START, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_HOME},
     .name = "start", .help = "to the start"},
    {.id = ACTION_END, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_END}, .name = "end",
     .help = "to the end"},
    {.id = ACTION_UP, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_UP}, .name = "older",
     .help = "the previous line (commands, searches)"},
    {.id = ACTION_DOWN, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_DOWN}, .name = "newer",
     .help = "the next line"},
    {.id = ACTION_COMPLETE, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_TAB},
     .name = "complete", .footer = "complete",
     .help = "complete a command, knob, choice, preset or file"},
    {.id = ACTION_DELETE_LEFT, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_BACKSPACE},
     .name = "delete-left", .help = "delete the character before the cursor"},
    {.id = ACTION_DELETE_RIGHT, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_DELETE},
     .name = "delete-right", .help = "delete the character under the cursor"},
    {.id = ACTION_DELETE_ALL, .mode = MODE_LINE, .panes = ALL, .keys = {CONTROL_U},
     .name = "delete-all", .help = "delete the whole line"},
    {.id = ACTION_ACCEPT, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_NAMED_ENTER},
     .name = "accept", .footer = "accept", .help = "accept the line; an invalid one stays open"},
    {.id = ACTION_CLOSE, .mode = MODE_LINE, .panes = ALL,
     .keys = {KEY_NAMED_ESCAPE, KEY_CONTROL_C}, .name = "cancel", .footer = "cancel",
     .help = "cancel without a change"},
    {.id = ACTION_REDRAW, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_CONTROL_L},
     .name = "redraw", .help = "redraw the screen"},
    {.id = ACTION_SUSPEND, .mode = MODE_LINE, .panes = ALL, .keys = {KEY_CONTROL_Z},
     .name = "suspend", .help = "suspend to the shell"},
};
/* clang-format on */

const int action_count = (int)(sizeof actions / sizeof actions[0]);

const char *mode_name(enum mode mode)
{
    static const char *const names[MODE_COUNT] = {
        [MODE_NORMAL] = "normal", [MODE_LIST] = "list", [MODE_LINE] = "line"};

    return names[mode];
}

const char *pane_name(enum pane pane)
{
    static const char *const names[PANE_COUNT] = {
        [PANE_KNOBS] = "knobs",       [PANE_COMPONENTS] = "components",
        [PANE_LOOP] = "loop",         [PANE_TIMELINE] = "timeline",
        [PANE_ROOFLINE] = "roofline", [PANE_SWEEP] = "sweep",
        [PANE_COMPARE] = "compare",   [PANE_ADVISE] = "advise",
        [PANE_MACHINE] = "machine",   [PANE_DETECTOR] = "detector",
        [PANE_PAGER] = "text",        [PANE_FORMULAS] = "formulas",
    };

    return names[pane];
}

static bool action_has_key(const struct action *action, uint32_t key)
{
    for (int k = 0; k < ACTION_KEYS && action->keys[k] != KEY_NONE; k++)
        if (action->keys[k] == key)
            return true;
    return false;
}

const struct action *action_of_key(enum mode mode, enum pane pane, uint32_t key)
{
    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == mode && (actions[a].panes >> pane & 1) != 0 &&
            action_has_key(&actions[a], key))
            return &actions[a];
    return NULL;
}

const struct action *action_named(enum pane pane, const char *name)
{
    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == MODE_NORMAL && (actions[a].panes >> pane & 1) != 0 &&
            strcmp(actions[a].name, name) == 0)
            return &actions[a];
    return NULL;
}

void action_keys(const struct action *action, bool arrows, char *text, size_t size)
{
    static const struct {
        uint32_t key;
        const char *arrow;
    } arrow_keys[] = {
        {.key = KEY_NAMED_LEFT, .arrow = "\xE2\x86\x90"},
        {.key = KEY_NAMED_UP, .arrow = "\xE2\x86\x91"},
        {.key = KEY_NAMED_RIGHT, .arrow = "\xE2\x86\x92"},
        {.key = KEY_NAMED_DOWN, .arrow = "\xE2\x86\x93"},
    };
    struct buffer line = buffer_over(text, size);

    for (int k = 0; k < ACTION_KEYS && action->keys[k] != KEY_NONE; k++) {
        char name[32];

        key_to_name(action->keys[k], name, sizeof name);
        for (size_t a = 0; arrows && a < sizeof arrow_keys / sizeof arrow_keys[0]; a++)
            if (arrow_keys[a].key == action->keys[k])
                snprintf(name, sizeof name, "%s", arrow_keys[a].arrow);
        buffer_print(&line, "%s%s", k > 0 ? " " : "", name);
    }
}
