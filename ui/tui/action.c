#include "tui/action.h"

#include <stdio.h>
#include <string.h>

#include "tui/app_state.h"
#include "tui/command_line.h"
#include "tui/edit.h"
#include "tui/help.h"
#include "tui/keys.h"

enum {
    KNOBS = 1 << PLACE_KNOBS,
    COMPONENTS = 1 << PLACE_COMPONENTS,
    LOOP = 1 << PLACE_LOOP,
    TIMELINE = 1 << PLACE_TIMELINE,
    ROOFLINE = 1 << PLACE_ROOFLINE,
    SWEEP = 1 << PLACE_SWEEP,
    COMPARE = 1 << PLACE_COMPARE,
    ADVISE = 1 << PLACE_ADVISE,
    MACHINE = 1 << PLACE_MACHINE,
    DETECTOR = 1 << PLACE_DETECTOR,
    DESIGN = KNOBS | COMPONENTS | LOOP,
    PAGER = 1 << PLACE_PAGER,
    FORMULAS = 1 << PLACE_FORMULAS,
    VIEWS = PLACES_OF_VIEWS,
    ALL = VIEWS | PAGER | FORMULAS,
    CONTROL_U = 21
};

/* clang-format off */
const struct action actions[] = {
    {ACTION_LEFT, MODE_NORMAL, KNOBS, {KEY_NAMED_LEFT, 'h'}, "left", NULL, "change",
     "a step less, the previous choice; fold the section", NULL},
    {ACTION_RIGHT, MODE_NORMAL, KNOBS, {KEY_NAMED_RIGHT, 'l'}, "right", NULL, "change",
     "a step more, the next choice; unfold the section", NULL},
    {ACTION_UP, MODE_NORMAL, KNOBS, {KEY_NAMED_UP, 'k'}, "up", NULL, "knob",
     "the row above", NULL},
    {ACTION_DOWN, MODE_NORMAL, KNOBS, {KEY_NAMED_DOWN, 'j'}, "down", NULL, "knob",
     "the row below", NULL},
    {ACTION_UP, MODE_NORMAL, COMPONENTS, {KEY_NAMED_UP, 'k'}, "up", NULL, "component",
     "the component above", NULL},
    {ACTION_DOWN, MODE_NORMAL, COMPONENTS, {KEY_NAMED_DOWN, 'j'}, "down", NULL, "component",
     "the component below", NULL},
    {ACTION_UP, MODE_NORMAL, ROOFLINE, {KEY_NAMED_UP, 'k', KEY_NAMED_LEFT, 'h'}, "up", NULL, "component",
     "the component before", NULL},
    {ACTION_DOWN, MODE_NORMAL, ROOFLINE, {KEY_NAMED_DOWN, 'j', KEY_NAMED_RIGHT, 'l'}, "down", NULL, "component",
     "the component after it", NULL},
    {ACTION_PACKET_BACK, MODE_NORMAL, DETECTOR, {KEY_NAMED_LEFT, 'h', ',', KEY_NAMED_UP}, "packet-back", NULL, "packet",
     "the packet before", NULL},
    {ACTION_PACKET_ON, MODE_NORMAL, DETECTOR, {KEY_NAMED_RIGHT, 'l', '.', KEY_NAMED_DOWN}, "packet-on", NULL, "packet",
     "the packet after it", NULL},
    {ACTION_START, MODE_NORMAL, DETECTOR, {KEY_NAMED_HOME}, "first-packet", NULL, NULL,
     "to the first packet", NULL},
    {ACTION_END, MODE_NORMAL, DETECTOR, {KEY_NAMED_END}, "last-packet", NULL, NULL,
     "to the last packet", NULL},
    {ACTION_VARIANT, MODE_NORMAL, DETECTOR, {'v'}, "next-sensor", NULL, "sensor",
     "the next sensor", NULL},
    {ACTION_VARIANT, MODE_NORMAL, ROOFLINE, {'v'}, "next-device", NULL, "device",
     "the roofs of the next device", NULL},
    {ACTION_UP, MODE_NORMAL, LOOP | MACHINE | PAGER, {KEY_NAMED_UP, 'k'}, "up", NULL, "scroll",
     "one line up", NULL},
    {ACTION_DOWN, MODE_NORMAL, LOOP | MACHINE | PAGER, {KEY_NAMED_DOWN, 'j'}, "down", NULL, "scroll",
     "one line down", NULL},
    {ACTION_LEFT, MODE_NORMAL, TIMELINE, {KEY_NAMED_LEFT, 'h', ','}, "left", NULL, "packet",
     "the packet before, along the row", NULL},
    {ACTION_RIGHT, MODE_NORMAL, TIMELINE, {KEY_NAMED_RIGHT, 'l', '.'}, "right", NULL, "packet",
     "the next packet, along the row", NULL},
    {ACTION_UP, MODE_NORMAL, TIMELINE, {KEY_NAMED_UP, 'k'}, "up", NULL, "row",
     "the row above", NULL},
    {ACTION_DOWN, MODE_NORMAL, TIMELINE, {KEY_NAMED_DOWN, 'j'}, "down", NULL, "row",
     "the row below", NULL},
    {ACTION_ZOOM_IN, MODE_NORMAL, TIMELINE, {'+', '='}, "zoom-in", NULL, "zoom",
     "half as much time on the screen, around the cursor", NULL},
    {ACTION_ZOOM_OUT, MODE_NORMAL, TIMELINE, {'-', '_'}, "zoom-out", NULL, "zoom",
     "twice as much, at most a frame before and one after", NULL},
    {ACTION_FIT, MODE_NORMAL, TIMELINE, {'0'}, "fit", NULL, "fit",
     "the whole frame, its end alone, the frames around it", NULL},
    {ACTION_PAN_LEFT, MODE_NORMAL, TIMELINE, {'<', KEY_NAMED_SHIFT_LEFT}, "pan-left", NULL, "pan",
     "to what was before", NULL},
    {ACTION_PAN_RIGHT, MODE_NORMAL, TIMELINE, {'>', KEY_NAMED_SHIFT_RIGHT}, "pan-right", NULL, "pan",
     "to what comes after", NULL},
    {ACTION_VARIANT, MODE_NORMAL, TIMELINE, {'v'}, "variant", NULL, "rows",
     "rows by component, or by device and link", NULL},
    {ACTION_START, MODE_NORMAL, TIMELINE, {KEY_NAMED_HOME}, "first", NULL, NULL,
     "the first packet of the row", NULL},
    {ACTION_END, MODE_NORMAL, TIMELINE, {KEY_NAMED_END}, "last", NULL, NULL,
     "the last packet of the row", NULL},
    {ACTION_ENTER, MODE_NORMAL, TIMELINE, {KEY_NAMED_ENTER}, "show", NULL, "its knobs",
     "the knobs of the component under the cursor", NULL},
    {ACTION_UP, MODE_NORMAL, ADVISE | COMPARE | FORMULAS, {KEY_NAMED_UP, 'k'}, "up", NULL, "move",
     "the row above", NULL},
    {ACTION_DOWN, MODE_NORMAL, ADVISE | COMPARE | FORMULAS, {KEY_NAMED_DOWN, 'j'}, "down", NULL, "move",
     "the row below", NULL},
    {ACTION_RIGHT, MODE_NORMAL, FORMULAS, {KEY_NAMED_RIGHT, 'l'}, "unfold", NULL, "open",
     "show what the formula is made of", NULL},
    {ACTION_LEFT, MODE_NORMAL, FORMULAS, {KEY_NAMED_LEFT, 'h'}, "fold", NULL, "fold",
     "hide it again, else go to the formula above", NULL},
    {ACTION_ENTER, MODE_NORMAL, FORMULAS, {KEY_NAMED_ENTER}, "toggle", NULL, NULL,
     "show it or hide it", NULL},
    {ACTION_LEFT, MODE_NORMAL, SWEEP, {KEY_NAMED_LEFT, 'h'}, "left", NULL, "value",
     "the value before", NULL},
    {ACTION_RIGHT, MODE_NORMAL, SWEEP, {KEY_NAMED_RIGHT, 'l'}, "right", NULL, "value",
     "the value after", NULL},
    {ACTION_UP, MODE_NORMAL, SWEEP, {KEY_NAMED_UP, 'k'}, "up", NULL, "knob",
     "sweep the knob before; of two knobs: a value up", NULL},
    {ACTION_DOWN, MODE_NORMAL, SWEEP, {KEY_NAMED_DOWN, 'j'}, "down", NULL, "knob",
     "sweep the knob after; of two knobs: a value down", NULL},
    {ACTION_ENTER, MODE_NORMAL, SWEEP, {KEY_NAMED_ENTER}, "take", NULL, "take",
     "give the knob the value under the cursor", NULL},
    {ACTION_RANGE, MODE_NORMAL, SWEEP, {'e'}, "range", "[P=VALUES...]", "range",
     "type the knob and its values, or two of them", NULL},
    {ACTION_VARIANT, MODE_NORMAL, SWEEP, {'v'}, "hold", NULL, "2 knobs",
     "hold this knob and sweep a second one; again: one only", NULL},
    {ACTION_PAGE_UP, MODE_NORMAL, SWEEP, {KEY_NAMED_PAGE_UP}, "page-up", NULL, NULL,
     "the result before, such as servo lag", NULL},
    {ACTION_PAGE_DOWN, MODE_NORMAL, SWEEP, {KEY_NAMED_PAGE_DOWN}, "page-down", NULL, "result",
     "the result after", NULL},
    {ACTION_TEN_LEFT, MODE_NORMAL, SWEEP, {'{', KEY_NAMED_SHIFT_LEFT}, "ten-left", NULL, NULL,
     "ten values back", NULL},
    {ACTION_TEN_RIGHT, MODE_NORMAL, SWEEP, {'}', KEY_NAMED_SHIFT_RIGHT}, "ten-right", NULL, NULL,
     "ten values on", NULL},
    {ACTION_START, MODE_NORMAL, SWEEP, {KEY_NAMED_HOME}, "first", NULL, NULL,
     "the first value", NULL},
    {ACTION_END, MODE_NORMAL, SWEEP, {KEY_NAMED_END}, "last", NULL, NULL,
     "the last value", NULL},
    {ACTION_PAGE_UP, MODE_NORMAL, ALL & ~(unsigned)SWEEP, {KEY_NAMED_PAGE_UP}, "page-up", NULL, NULL,
     "one page up", NULL},
    {ACTION_PAGE_DOWN, MODE_NORMAL, ALL & ~(unsigned)SWEEP, {KEY_NAMED_PAGE_DOWN}, "page-down", NULL, NULL,
     "one page down", NULL},
    {ACTION_TEN_LEFT, MODE_NORMAL, KNOBS, {'{', KEY_NAMED_SHIFT_LEFT}, "ten-left", NULL, NULL,
     "ten steps less", NULL},
    {ACTION_TEN_RIGHT, MODE_NORMAL, KNOBS, {'}', KEY_NAMED_SHIFT_RIGHT}, "ten-right", NULL, NULL,
     "ten steps more", NULL},
    {ACTION_START, MODE_NORMAL, KNOBS, {KEY_NAMED_HOME}, "least", NULL, NULL,
     "the least allowed; on a section: to the first row", NULL},
    {ACTION_END, MODE_NORMAL, KNOBS, {KEY_NAMED_END}, "most", NULL, NULL,
     "the most allowed; on a section: to the last row", NULL},
    {ACTION_START, MODE_NORMAL, COMPARE | COMPONENTS | LOOP | ADVISE | ROOFLINE | MACHINE | PAGER | FORMULAS, {KEY_NAMED_HOME}, "first", NULL, NULL,
     "to the start", NULL},
    {ACTION_END, MODE_NORMAL, COMPARE | COMPONENTS | LOOP | ADVISE | ROOFLINE | MACHINE | PAGER | FORMULAS, {KEY_NAMED_END}, "last", NULL, NULL,
     "to the end", NULL},
    {ACTION_ENTER, MODE_NORMAL, KNOBS, {KEY_NAMED_ENTER}, "edit", NULL, "edit",
     "type a value with its unit, choose, fold or unfold", NULL},
    {ACTION_ENTER, MODE_NORMAL, COMPONENTS, {KEY_NAMED_ENTER}, "show", NULL, "its knobs",
     "its knobs; of rows that are alike: unfold or fold them", NULL},
    {ACTION_ENTER, MODE_NORMAL, ADVISE, {KEY_NAMED_ENTER}, "take", NULL, "take",
     "make the change; of a sequence: all steps up to this", NULL},
    {ACTION_ENTER, MODE_NORMAL, COMPARE, {KEY_NAMED_ENTER}, "take", NULL, "take over",
     "take the other's value over, or go to what is here", NULL},
    {ACTION_COMPARE_WITH, MODE_NORMAL, COMPARE, {'v'}, "with", "[SYSTEM|FILE|baseline]", "with",
     "compare with another system, a file or the baseline", NULL},
    {ACTION_RUN, MODE_NORMAL, KNOBS | ADVISE, {KEY_NAMED_BACKSPACE}, "reset", "[PATH]", NULL,
     "back to the preset's value, else the default", act_reset},
    {ACTION_NEXT_PANE, MODE_NORMAL, VIEWS, {KEY_NAMED_TAB}, "next-pane", NULL, NULL,
     "the next pane", NULL},
    {ACTION_PREVIOUS_PANE, MODE_NORMAL, VIEWS, {KEY_NAMED_SHIFT_TAB}, "previous-pane", NULL, NULL,
     "the previous pane", NULL},
    {ACTION_MEASURE, MODE_NORMAL, MACHINE, {'r'}, "measure", NULL, "measure",
     "measure this machine, a minute or two; again: stop", NULL},
    {ACTION_TABLE, MODE_NORMAL, MACHINE, {'t'}, "table", NULL, "table",
     "the numbers of a picture, or the picture", NULL},
    {ACTION_RUN, MODE_NORMAL, VIEWS & ~MACHINE, {'t'}, "table", NULL, NULL,
     "the numbers of the picture", act_table},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'g'}, "picture", "[FILE]", NULL,
     "save the picture: SVG", act_picture},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'p'}, "preset", "[NAME]", "preset",
     "presets of the device under the cursor, else AO systems", act_preset},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'s'}, "save", "[FILE]", "save",
     "save the scenario", act_save},
    {ACTION_VIEW, MODE_NORMAL, VIEWS, {'1'}, "explore", NULL, "views",
     "view 1: knobs, the times of every component, the loop", NULL},
    {ACTION_VIEW, MODE_NORMAL, VIEWS, {'2'}, "timeline", NULL, "views",
     "view 2: packet by packet, what works and what waits", NULL},
    {ACTION_VIEW, MODE_NORMAL, VIEWS, {'3'}, "roofline", NULL, "views",
     "view 3: every component under the roofs of a device", NULL},
    {ACTION_VIEW, MODE_NORMAL, VIEWS, {'4'}, "sweep", NULL, "views",
     "view 4: what becomes of a result over one knob or two", NULL},
    {ACTION_VIEW, MODE_NORMAL, VIEWS, {'5'}, "compare", NULL, "views",
     "view 5: two designs side by side, every difference", NULL},
    {ACTION_VIEW, MODE_NORMAL, VIEWS, {'6'}, "advise", NULL, "views",
     "view 6: what one step of each knob would gain, ranked", NULL},
    {ACTION_VIEW, MODE_NORMAL, VIEWS, {'7'}, "machine", NULL, "views",
     "view 7: what was measured of this machine", NULL},
    {ACTION_VIEW, MODE_NORMAL, VIEWS, {'8'}, "detector", NULL, "views",
     "view 8: readout and pupil, packet by packet", NULL},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'u'}, "undo", NULL, "undo",
     "take back the last change, and the one before", act_undo},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {KEY_CONTROL_R}, "redo", NULL, NULL,
     "make the change again that was taken back", act_redo},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'b'}, "baseline", NULL, "baseline",
     "compare with the design as it is now; again: with none", act_baseline},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {':'}, "command", NULL, "command",
     "type a command, of this program or the command line", act_command},
    {ACTION_RUN, MODE_NORMAL, TIMELINE | COMPARE | DESIGN | ADVISE | ROOFLINE | DETECTOR, {'x'}, "why", NULL, "explain",
     "the formulas of what is under the cursor", act_explain},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'/'}, "find", "[TEXT]", "find",
     "find a knob by its path or label", act_find},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'a'}, "add", NULL, "add",
     "add a component, device or sensor", act_add},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'d'}, "remove", "[PATH]", NULL,
     "remove the component, device or sensor of the cursor", act_remove},
    {ACTION_LOG, MODE_NORMAL, DESIGN | COMPARE, {'L'}, "log", NULL, "log",
     "bars on a linear or a logarithmic scale", NULL},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'o'}, "open", "[FILE]", NULL,
     "open a scenario file", act_open},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'n'}, "new", NULL, NULL,
     "start again from the built-in design", act_new},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'S'}, "save-as", "[FILE]", NULL,
     "save under another name", act_save_as},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'R'}, "reload", NULL, NULL,
     "read the file again", act_reload},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {KEY_NONE}, "set", "P=V...|mouse on|mouse off", NULL,
     "set knobs by path; use the mouse or not", act_set},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'N'}, "next-match", NULL, NULL,
     "the next knob found", act_next_match},
    {ACTION_RUN, MODE_NORMAL, VIEWS, {'M'}, "previous-match", NULL, NULL,
     "the previous knob found", act_previous_match},
    {ACTION_CLOSE, MODE_NORMAL, PAGER | FORMULAS, {KEY_NAMED_ESCAPE, 'q', KEY_CONTROL_C}, "close", NULL,
     "close", "close the box", NULL},
    {ACTION_HELP, MODE_NORMAL, ALL, {'?', KEY_NAMED_F1}, "help", NULL, "help",
     "this help", act_help},
    {ACTION_RUN, MODE_NORMAL, ALL, {KEY_CONTROL_L}, "redraw", NULL, NULL,
     "draw the whole screen again", act_redraw},
    {ACTION_RUN, MODE_NORMAL, ALL, {KEY_CONTROL_Z}, "suspend", NULL, NULL,
     "back to the shell for a while (fg returns)", act_suspend},
    {ACTION_QUIT, MODE_NORMAL, VIEWS, {'q', KEY_CONTROL_C}, "quit", NULL, "quit",
     "leave; asks when there are changes", act_quit},

    {ACTION_UP, MODE_LIST, ALL, {KEY_NAMED_UP}, "up", NULL, "move",
     "the row above", NULL},
    {ACTION_DOWN, MODE_LIST, ALL, {KEY_NAMED_DOWN}, "down", NULL, "move",
     "the row below", NULL},
    {ACTION_PAGE_UP, MODE_LIST, ALL, {KEY_NAMED_PAGE_UP}, "page-up", NULL, NULL,
     "one page up", NULL},
    {ACTION_PAGE_DOWN, MODE_LIST, ALL, {KEY_NAMED_PAGE_DOWN}, "page-down", NULL, NULL,
     "one page down", NULL},
    {ACTION_START, MODE_LIST, ALL, {KEY_NAMED_HOME}, "first", NULL, NULL,
     "the first row", NULL},
    {ACTION_END, MODE_LIST, ALL, {KEY_NAMED_END}, "last", NULL, NULL,
     "the last row", NULL},
    {ACTION_ACCEPT, MODE_LIST, ALL, {KEY_NAMED_ENTER}, "choose", NULL, "choose",
     "take the row under the cursor", NULL},
    {ACTION_SORT, MODE_LIST, ALL, {KEY_NAMED_TAB}, "sort", NULL, "sort",
     "sort by the next column", NULL},
    {ACTION_SORT_BACK, MODE_LIST, ALL, {KEY_NAMED_SHIFT_TAB}, "sort-back", NULL, NULL,
     "sort by the column before", NULL},
    {ACTION_DELETE_LEFT, MODE_LIST, ALL, {KEY_NAMED_BACKSPACE}, "delete-left", NULL, NULL,
     "take back a letter of the filter", NULL},
    {ACTION_CLOSE, MODE_LIST, ALL, {KEY_NAMED_ESCAPE, KEY_CONTROL_C}, "cancel", NULL, "cancel",
     "close the list, change nothing", NULL},
    {ACTION_RUN, MODE_LIST, ALL, {KEY_CONTROL_L}, "redraw", NULL, NULL,
     "draw the whole screen again", act_redraw},
    {ACTION_RUN, MODE_LIST, ALL, {KEY_CONTROL_Z}, "suspend", NULL, NULL,
     "back to the shell for a while", act_suspend},

    {ACTION_LEFT, MODE_LINE, ALL, {KEY_NAMED_LEFT}, "left", NULL, NULL,
     "one character back", NULL},
    {ACTION_RIGHT, MODE_LINE, ALL, {KEY_NAMED_RIGHT}, "right", NULL, NULL,
     "one character on", NULL},
    {ACTION_START, MODE_LINE, ALL, {KEY_NAMED_HOME}, "start", NULL, NULL,
     "to the start", NULL},
    {ACTION_END, MODE_LINE, ALL, {KEY_NAMED_END}, "end", NULL, NULL,
     "to the end", NULL},
    {ACTION_UP, MODE_LINE, ALL, {KEY_NAMED_UP}, "older", NULL, NULL,
     "the line typed before (commands, searches)", NULL},
    {ACTION_DOWN, MODE_LINE, ALL, {KEY_NAMED_DOWN}, "newer", NULL, NULL,
     "the line typed after it", NULL},
    {ACTION_COMPLETE, MODE_LINE, ALL, {KEY_NAMED_TAB}, "complete", NULL, "complete",
     "complete a command, knob, choice, preset or file", NULL},
    {ACTION_DELETE_LEFT, MODE_LINE, ALL, {KEY_NAMED_BACKSPACE}, "delete-left", NULL, NULL,
     "delete the character before the cursor", NULL},
    {ACTION_DELETE_RIGHT, MODE_LINE, ALL, {KEY_NAMED_DELETE}, "delete-right", NULL, NULL,
     "delete the character under the cursor", NULL},
    {ACTION_DELETE_ALL, MODE_LINE, ALL, {CONTROL_U}, "delete-all", NULL, NULL,
     "delete the whole line", NULL},
    {ACTION_ACCEPT, MODE_LINE, ALL, {KEY_NAMED_ENTER}, "accept", NULL, "accept",
     "take the line; a refused one stays to be corrected", NULL},
    {ACTION_CLOSE, MODE_LINE, ALL, {KEY_NAMED_ESCAPE, KEY_CONTROL_C}, "cancel", NULL, "cancel",
     "leave everything as it was", NULL},
    {ACTION_RUN, MODE_LINE, ALL, {KEY_CONTROL_L}, "redraw", NULL, NULL,
     "draw the whole screen again", act_redraw},
    {ACTION_RUN, MODE_LINE, ALL, {KEY_CONTROL_Z}, "suspend", NULL, NULL,
     "back to the shell for a while", act_suspend},
};
/* clang-format on */

const int action_count = (int)(sizeof actions / sizeof actions[0]);

const char *mode_name(enum mode mode)
{
    static const char *const names[MODE_COUNT] = {"normal", "list", "line"};

    return names[mode];
}

const char *place_name(enum place place)
{
    static const char *const names[PLACE_COUNT] = {"knobs",    "components", "loop",    "timeline",
                                                   "roofline", "sweep",      "compare", "advise",
                                                   "machine",  "detector",   "text",    "formulas"};

    return names[place];
}

static bool has_key(const struct action *action, uint32_t key)
{
    for (int k = 0; k < ACTION_KEYS && action->keys[k] != KEY_NONE; k++)
        if (action->keys[k] == key)
            return true;
    return false;
}

const struct action *action_of_key(enum mode mode, enum place place, uint32_t key)
{
    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == mode && (actions[a].places >> place & 1) != 0 &&
            has_key(&actions[a], key))
            return &actions[a];
    return NULL;
}

const struct action *action_named(enum place place, const char *name)
{
    for (int a = 0; a < action_count; a++)
        if (actions[a].mode == MODE_NORMAL && (actions[a].places >> place & 1) != 0 &&
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
        {KEY_NAMED_LEFT, "\xE2\x86\x90"},
        {KEY_NAMED_UP, "\xE2\x86\x91"},
        {KEY_NAMED_RIGHT, "\xE2\x86\x92"},
        {KEY_NAMED_DOWN, "\xE2\x86\x93"},
    };

    text[0] = '\0';
    for (int k = 0; k < ACTION_KEYS && action->keys[k] != KEY_NONE; k++) {
        char name[32];
        size_t used = strlen(text);

        key_to_name(action->keys[k], name, sizeof name);
        for (size_t a = 0; arrows && a < sizeof arrow_keys / sizeof arrow_keys[0]; a++)
            if (arrow_keys[a].key == action->keys[k])
                snprintf(name, sizeof name, "%s", arrow_keys[a].arrow);
        snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", name);
    }
}
