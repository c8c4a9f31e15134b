#include "tui/terminal.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/number.h"
#include "tui/input.h"
#include "tui/signals.h"
#include "tui/terminfo.h"

#define SIDE_MAX 1000 /* cells; what a terminal says beyond that is not believed */
#define BURST 64      /* cells handed to curses at once */
#define MOUSE_ON "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"

struct terminal {
    SCREEN *screen;
    struct input input;
    enum palette palette;
    bool unicode;
    bool mouse_possible; /* the terminal takes sequences of ECMA-48 */
    bool mouse;
    bool gone; /* hung up */
    bool away; /* stopped: the terminal is not ours */
    int rows, columns;
    int watched[TERMINAL_FILES]; /* -1: none */
    struct canvas shown;
    bool stale;           /* `shown` is not what the terminal shows */
    struct termios modes; /* before us, to be put back */
};

static void write_sequence(const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        ssize_t written = write(STDOUT_FILENO, text, left);

        if (written <= 0)
            return;
        text += written;
        left -= (size_t)written;
    }
}

/* What brings a terminal back when curses cannot be asked to. */
static void arm_restore(const struct terminal *terminal)
{
    char undo[SIGNALS_RESTORE_MAX - 32];
    char bytes[SIGNALS_RESTORE_MAX];

    terminfo_undo(undo, sizeof undo, terminal->palette != PALETTE_NONE);
    /* The first byte ends a sequence that was cut short. */
    snprintf(bytes, sizeof bytes, "\030%s%s", terminal->mouse_possible ? MOUSE_OFF : "", undo);
    signals_arm(STDOUT_FILENO, bytes, strlen(bytes), &terminal->modes);
}

/* Takes the size the terminal has now. */
static void read_size(struct terminal *terminal)
{
    struct winsize size = {0};
    int rows = LINES;
    int columns = COLS;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        rows = size.ws_row;
        columns = size.ws_col;
    }
    terminal->rows = rows < SIDE_MAX ? rows : SIDE_MAX;
    terminal->columns = columns < SIDE_MAX ? columns : SIDE_MAX;
    resize_term(terminal->rows, terminal->columns);
}

static bool start_curses(struct terminal *terminal, const char *name)
{
    /* Keys by names of the description's own: input.c knows their sequences. */
    use_extended_names(FALSE);
    terminal->screen = newterm(name, stdout, stdin);
    if (terminal->screen == NULL)
        return false;
    set_escdelay(ESCAPE_DELAY);
    raw();
    noecho();
    nonl();
    typeahead(-1); /* a frame is written whole */
    terminal->palette = theme_start();
    terminal->mouse_possible = terminfo_ecma48();
    return input_open(&terminal->input);
}

static void stop_curses(struct terminal *terminal)
{
    if (terminal->screen == NULL)
        return;
    if (!isendwin() && !terminal->away)
        endwin();
    if (terminal->input.window != NULL)
        input_close(&terminal->input);
    delscreen(terminal->screen);
    terminal->screen = NULL;
}

static enum status take_terminal(struct terminal *terminal, const char *name, struct error *error)
{
    if (tcgetattr(STDOUT_FILENO, &terminal->modes) != 0)
        return error_set(error, STATUS_INVALID, "standard output is not a terminal");
    if (!signals_open())
        return error_set(error, STATUS_MEMORY, "no memory or no file descriptors left");
    if (!start_curses(terminal, name)) {
        stop_curses(terminal);
        signals_close();
        return error_set(error, STATUS_MEMORY, "no memory for the screen");
    }
    arm_restore(terminal);
    read_size(terminal);
    terminal_redraw(terminal);
    return STATUS_OK;
}

enum status terminal_open(struct terminal **terminal, char *notice, size_t size,
                          struct error *error)
{
    struct terminal *opened;
    const char *name = NULL;
    enum status status = terminfo_choose(&name, notice, size, error);

    if (status != STATUS_OK)
        return status;
    opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return error_set(error, STATUS_MEMORY, "no memory for the screen");
    terminal_watch(opened, NULL, 0);
    setlocale(LC_CTYPE, "");
    opened->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    status = take_terminal(opened, name, error);
    if (status != STATUS_OK) {
        free(opened);
        return status;
    }
    *terminal = opened;
    return STATUS_OK;
}

/* Gives the terminal back, for a while or for good. */
static void release_terminal(struct terminal *terminal)
{
    if (terminal->mouse)
        write_sequence(MOUSE_OFF);
    endwin();
    if (!terminfo_alternate())
        write_sequence("\r\n");
    tcsetattr(STDOUT_FILENO, TCSADRAIN, &terminal->modes);
    signals_disarm();
}

/* Takes it again. */
static void retake_terminal(struct terminal *terminal)
{
    terminal->away = false;
    reset_prog_mode();
    arm_restore(terminal);
    read_size(terminal);
    if (terminal->mouse)
        write_sequence(MOUSE_ON);
    terminal_redraw(terminal);
}

/* Not in the background; so is a program whose terminal controls nobody. */
static bool in_foreground(void)
{
    pid_t group = tcgetpgrp(STDOUT_FILENO);

    return group < 0 || group == getpgrp();
}

/* Stops until the shell puts the program in front. When the program is asked to end meanwhile it
 * stays away from the terminal: touching it from the background would stop it once more. */
static void stop_process(struct terminal *terminal, bool group)
{
    release_terminal(terminal);
    terminal->away = true;
    while (signals_stop(group) && !in_foreground() && !signals_ending())
        continue;
    if (signals_ending())
        return;
    /* What the user changed meanwhile with stty is to last. */
    if (in_foreground()) {
        tcgetattr(STDOUT_FILENO, &terminal->modes);
        def_shell_mode();
    }
    retake_terminal(terminal);
}

/* After SIGSTOP, which comes without notice. */
static void resume_terminal(struct terminal *terminal)
{
    terminal->away = true;
    signals_disarm();
    while (!in_foreground() && !signals_ending() && signals_stop(false))
        continue;
    if (!signals_ending())
        retake_terminal(terminal);
}

void terminal_close(struct terminal *terminal)
{
    if (terminal == NULL)
        return;
    if (!terminal->away)
        release_terminal(terminal);
    stop_curses(terminal);
    signals_close();
    canvas_free(&terminal->shown);
    free(terminal);
}

void terminal_size(const struct terminal *terminal, int *rows, int *columns)
{
    *rows = terminal->rows;
    *columns = terminal->columns;
}

bool terminal_unicode(const struct terminal *terminal)
{
    return terminal->unicode;
}

void terminal_redraw(struct terminal *terminal)
{
    clearok(curscr, TRUE);
    terminal->stale = true;
}

static cchar_t curses_cell(const struct terminal *terminal, struct cell cell)
{
    wchar_t text[2] = {(wchar_t)cell.character, L'\0'};
    cchar_t result = {0};

    /* The C library's idea of a width is what curses reckons with. */
    if (cell.character >= 0x80 && wcwidth(text[0]) != 1)
        text[0] = L'?';
    setcchar(&result, text, theme_attributes(terminal->palette, cell.style),
             theme_pair(terminal->palette, cell.style), NULL);
    return result;
}

static bool same_cell(struct cell a, struct cell b)
{
    return a.character == b.character && a.style == b.style;
}

/* Hands curses the cells of a row that differ from what it has. */
static void show_row(struct terminal *terminal, int row, const struct cell *cells, int columns,
                     struct cell *shown)
{
    cchar_t burst[BURST];
    int count = 0;

    for (int i = 0; i < columns; i++) {
        bool differs = terminal->stale || !same_cell(cells[i], shown[i]);

        if (differs) {
            burst[count++] = curses_cell(terminal, cells[i]);
            shown[i] = cells[i];
        }
        if (count > 0 && (!differs || count == BURST || i == columns - 1)) {
            mvadd_wchnstr(row, i + 1 - count - !differs, burst, count);
            count = 0;
        }
    }
}

void terminal_show(struct terminal *terminal, const struct canvas *canvas)
{
    struct canvas *shown = &terminal->shown;
    int rows = clamp_int(canvas->rows, 0, terminal->rows);
    int columns = clamp_int(canvas->columns, 0, terminal->columns);

    if (terminal->away)
        return;
    if (shown->rows != rows || shown->columns != columns) {
        terminal->stale = true;
        erase();
        if (!canvas_init(shown, rows, columns, terminal->unicode))
            return;
    }
    for (int i = 0; i < rows; i++)
        show_row(terminal, i, canvas->cells + (size_t)i * (size_t)canvas->columns, columns,
                 shown->cells + (size_t)i * (size_t)columns);
    terminal->stale = false;
    move(clamp_int(canvas->cursor_row, 0, rows - 1),
         clamp_int(canvas->cursor_column, 0, columns - 1));
    refresh();
}

bool terminal_pending(const struct terminal *terminal)
{
    struct pollfd source = {.fd = STDIN_FILENO, .events = POLLIN};

    return terminal->input.pushed != ERR || poll(&source, 1, 0) > 0;
}

/* What a signal asks for; false: no signal came. */
static bool answer_signals(struct terminal *terminal, enum terminal_event *event)
{
    signals_drain();
    if (signals_take(SIGTERM) || signals_take(SIGHUP)) {
        terminal->away = terminal->away || !in_foreground();
        *event = TERMINAL_HANGUP;
    } else if (signals_take(SIGTSTP)) {
        stop_process(terminal, false);
        *event = TERMINAL_REDRAW;
    } else if (signals_take(SIGCONT)) {
        resume_terminal(terminal);
        *event = TERMINAL_REDRAW;
    } else if (signals_take(SIGWINCH)) {
        read_size(terminal);
        terminal_redraw(terminal);
        *event = TERMINAL_RESIZE;
    } else if (signals_take(SIGINT)) {
        *event = TERMINAL_INTERRUPT;
    } else {
        return false;
    }
    return true;
}

void terminal_watch(struct terminal *terminal, const int *files, int count)
{
    for (int i = 0; i < TERMINAL_FILES; i++)
        terminal->watched[i] = i < count ? files[i] : -1;
}

enum terminal_event terminal_wait(struct terminal *terminal, struct key_event *event)
{
    struct pollfd sources[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                               {.fd = signals_pipe(), .events = POLLIN},
                               {.fd = terminal->watched[0], .events = POLLIN},
                               {.fd = terminal->watched[1], .events = POLLIN}};
    enum terminal_event signalled;

    for (;;) {
        if (answer_signals(terminal, &signalled))
            return signalled;
        if (input_next(&terminal->input, event))
            return TERMINAL_KEY;
        if (terminal->gone)
            return TERMINAL_HANGUP;
        if (ppoll(sources, 2 + TERMINAL_FILES, NULL, NULL) <= 0)
            continue;
        if ((sources[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
            terminal->gone = true;
        else if (sources[0].revents == 0 && sources[1].revents == 0)
            return TERMINAL_WATCHED;
    }
}

void terminal_suspend(struct terminal *terminal)
{
    stop_process(terminal, true);
}

void terminal_mouse(struct terminal *terminal, bool on)
{
    if (terminal->mouse_possible && terminal->mouse != on && !terminal->away)
        write_sequence(on ? MOUSE_ON : MOUSE_OFF);
    terminal->mouse = terminal->mouse_possible && on;
}

void terminal_die_of_signal(void)
{
    signals_die();
}

/* Theme ---------------------------------------------------------------------------------------- */

#define DEFAULT (-1)

struct look {
    short foreground; /* DEFAULT: the terminal's own */
    attr_t attributes;
};

/* The background is always the terminal's own, so each colour must be legible on black and on
 * white. */

static const struct look without_colours[STYLE_COUNT] = {
    [STYLE_NORMAL] = {DEFAULT, A_NORMAL},  [STYLE_DIM] = {DEFAULT, A_DIM},
    [STYLE_TITLE] = {DEFAULT, A_BOLD},     [STYLE_BORDER] = {DEFAULT, A_DIM},
    [STYLE_FOCUS] = {DEFAULT, A_REVERSE},  [STYLE_SELECTED] = {DEFAULT, A_UNDERLINE},
    [STYLE_COMPUTE] = {DEFAULT, A_NORMAL}, [STYLE_MEMORY] = {DEFAULT, A_NORMAL},
    [STYLE_GHOST] = {DEFAULT, A_DIM},      [STYLE_GOOD] = {DEFAULT, A_NORMAL},
    [STYLE_WARNING] = {DEFAULT, A_BOLD},   [STYLE_ERROR] = {DEFAULT, A_BOLD | A_REVERSE},
    [STYLE_KEY] = {DEFAULT, A_BOLD},
};

/* In every common palette only red and magenta are legible on both, and green nearly. */
static const struct look of_8[STYLE_COUNT] = {
    [STYLE_NORMAL] = {DEFAULT, A_NORMAL},    [STYLE_DIM] = {DEFAULT, A_DIM},
    [STYLE_TITLE] = {DEFAULT, A_BOLD},       [STYLE_BORDER] = {DEFAULT, A_DIM},
    [STYLE_FOCUS] = {DEFAULT, A_REVERSE},    [STYLE_SELECTED] = {DEFAULT, A_UNDERLINE},
    [STYLE_COMPUTE] = {DEFAULT, A_NORMAL},   [STYLE_MEMORY] = {COLOR_MAGENTA, A_NORMAL},
    [STYLE_GHOST] = {DEFAULT, A_DIM},        [STYLE_GOOD] = {COLOR_GREEN, A_NORMAL},
    [STYLE_WARNING] = {COLOR_RED, A_NORMAL}, [STYLE_ERROR] = {COLOR_RED, A_BOLD | A_REVERSE},
    [STYLE_KEY] = {DEFAULT, A_BOLD},
};

/* With the contrast on black and on white, of which WCAG 2.1 asks 4.5 for text, 3 for bars and bold
 * letters. */
static const struct look of_256[STYLE_COUNT] = {
    [STYLE_NORMAL] = {DEFAULT, A_NORMAL},
    [STYLE_DIM] = {243, A_NORMAL}, /* #767676: 4.6 on black, 4.5 on white */
    [STYLE_TITLE] = {DEFAULT, A_BOLD},
    [STYLE_BORDER] = {243, A_NORMAL},
    [STYLE_FOCUS] = {DEFAULT, A_REVERSE},
    [STYLE_SELECTED] = {DEFAULT, A_UNDERLINE},
    [STYLE_COMPUTE] = {32, A_NORMAL}, /* #0087d7: 5.4, 3.9; beside orange also for */
    [STYLE_MEMORY] = {166, A_NORMAL}, /* #d75f00: 5.5, 3.8; the colour-blind */
    [STYLE_GHOST] = {245, A_NORMAL},  /* #8a8a8a: 6.1, 3.5 */
    [STYLE_GOOD] = {28, A_NORMAL},    /* #008700: 4.5, 4.7 */
    [STYLE_WARNING] = {130, A_BOLD},  /* #af5f00: 4.5, 4.7 */
    [STYLE_ERROR] = {160, A_BOLD},    /* #d70000: 3.9, 5.4 */
    [STYLE_KEY] = {DEFAULT, A_BOLD},
};

static const struct look *const looks[PALETTE_COUNT] = {
    [PALETTE_NONE] = without_colours,
    [PALETTE_8] = of_8,
    [PALETTE_256] = of_256,
};

static bool colours_refused(void)
{
    const char *value = getenv("NO_COLOR");

    return value != NULL && value[0] != '\0';
}

static enum palette palette_of_terminal(void)
{
    if (colours_refused() || !has_colors() || start_color() == ERR || use_default_colors() == ERR)
        return PALETTE_NONE;
    /* Between 8 and 256 the first 8 mean the same everywhere and the rest does not. */
    return COLORS >= 256 ? PALETTE_256 : COLORS >= 8 ? PALETTE_8 : PALETTE_NONE;
}

/* Styles of one colour share a pair: between them nothing need be sent. */
short theme_pair(enum palette palette, enum style style)
{
    int first = 0;

    while (looks[palette][first].foreground != looks[palette][style].foreground)
        first++;
    return looks[palette][style].foreground == DEFAULT ? (short)0 : (short)(first + 1);
}

enum palette theme_start(void)
{
    enum palette palette = palette_of_terminal();

    for (int i = 0; i < STYLE_COUNT && palette != PALETTE_NONE; i++)
        if (theme_pair(palette, (enum style)i) == i + 1)
            init_pair((short)(i + 1), looks[palette][i].foreground, DEFAULT);
    return palette;
}

attr_t theme_attributes(enum palette palette, enum style style)
{
    return looks[palette][style].attributes;
}
