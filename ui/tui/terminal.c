#include "tui/terminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "base/utf8.h"
#include "draw/palette.h"
#include "tui/signals.h"
#include "tui/terminfo.h"

/* Colours -------------------------------------------------------------------------------------- */

static enum palette palette_of_terminal(void)
{
    const char *refused = getenv("NO_COLOR");

    if ((refused != NULL && refused[0] != '\0') || !has_colors() || start_color() == ERR ||
        use_default_colors() == ERR)
        return PALETTE_NONE;
    /* With fewer than 256 colours only the first 8 are the same on all terminals. */
    return COLORS >= 256 ? PALETTE_256 : COLORS >= 8 ? PALETTE_8 : PALETTE_NONE;
}

/* Styles with the same colour share a pair, so that no sequence is sent between them. */
static short style_pair(enum palette palette, enum style style)
{
    int first = 0;

    while (palette_look(palette, (enum style)first)->colour != palette_look(palette, style)->colour)
        first++;
    return palette_look(palette, style)->colour == COLOUR_DEFAULT ? (short)0 : (short)(first + 1);
}

/* Returns the best palette after newterm, with its colour pairs defined. Returns PALETTE_NONE also
 * if NO_COLOR is set and not empty (no-color.org); then no colour is ever sent. */
static enum palette start_colours(void)
{
    enum palette palette = palette_of_terminal();

    for (int i = 0; i < STYLE_COUNT && palette != PALETTE_NONE; i++)
        if (style_pair(palette, (enum style)i) == i + 1)
            init_pair((short)(i + 1), (short)palette_look(palette, (enum style)i)->colour, -1);
    return palette;
}

static attr_t cell_attributes(enum palette palette, struct cell cell)
{
    static const attr_t curses[] = {A_BOLD, A_DIM, A_REVERSE, A_UNDERLINE};
    unsigned look = palette_look(palette, palette_style(palette, &cell))->attributes;
    attr_t attributes = cell.underline ? A_UNDERLINE : A_NORMAL;

    for (unsigned i = 0; i < sizeof curses / sizeof curses[0]; i++)
        if ((look >> i & 1U) != 0)
            attributes |= curses[i];
    return attributes;
}

/* Input ---------------------------------------------------------------------------------------- */

/* Maximum delay between the bytes of a sequence, in ms; also the delay of a lone Esc. */
#define ESCAPE_DELAY 100
#define ESCAPE 27
#define UTF8_BYTES 4 /* maximum bytes of a character */
#define SEQUENCE_MAX 32
#define PARAMETERS_MAX 3

struct input {
    WINDOW *window; /* never displayed: reading from it must not refresh anything */
    int pushed;     /* character read ahead; ERR: none */
    bool pasting;   /* between the two marks around pasted text (mode 2004) */
};

/* Keys that curses recognises by the terminal's description. */
static const struct {
    int code;
    uint32_t key;
} curses_keys[] = {
    {.code = KEY_UP, .key = KEY_NAMED_UP},
    {.code = KEY_DOWN, .key = KEY_NAMED_DOWN},
    {.code = KEY_LEFT, .key = KEY_NAMED_LEFT},
    {.code = KEY_RIGHT, .key = KEY_NAMED_RIGHT},
    {.code = KEY_SR, .key = KEY_NAMED_SHIFT_UP},
    {.code = KEY_SF, .key = KEY_NAMED_SHIFT_DOWN},
    {.code = KEY_SLEFT, .key = KEY_NAMED_SHIFT_LEFT},
    {.code = KEY_SRIGHT, .key = KEY_NAMED_SHIFT_RIGHT},
    {.code = KEY_PPAGE, .key = KEY_NAMED_PAGE_UP},
    {.code = KEY_NPAGE, .key = KEY_NAMED_PAGE_DOWN},
    {.code = KEY_HOME, .key = KEY_NAMED_HOME},
    {.code = KEY_FIND, .key = KEY_NAMED_HOME},
    {.code = KEY_SHOME, .key = KEY_NAMED_HOME},
    {.code = KEY_END, .key = KEY_NAMED_END},
    {.code = KEY_SELECT, .key = KEY_NAMED_END},
    {.code = KEY_SEND, .key = KEY_NAMED_END},
    {.code = KEY_IC, .key = KEY_NAMED_INSERT},
    {.code = KEY_DC, .key = KEY_NAMED_DELETE},
    {.code = KEY_BACKSPACE, .key = KEY_NAMED_BACKSPACE},
    {.code = KEY_ENTER, .key = KEY_NAMED_ENTER},
    {.code = KEY_BTAB, .key = KEY_NAMED_SHIFT_TAB},
    {.code = KEY_F(1), .key = KEY_NAMED_F1},
    {.code = KEY_SUSPEND, .key = KEY_CONTROL_Z}, /* ^Z in some descriptions */
};

/* Keys recognised whatever the terminal's description says, as it often is that of another
 * terminal. `parameters` are the bytes before the final byte. */
static const struct {
    const char *kinds; /* allowed after Esc: [ or O, or both */
    const char *parameters;
    char final;
    uint32_t key;
} sequences[] = {
    {.kinds = "[O", .parameters = "", .final = 'A', .key = KEY_NAMED_UP},
    {.kinds = "[O", .parameters = "", .final = 'B', .key = KEY_NAMED_DOWN},
    {.kinds = "[O", .parameters = "", .final = 'C', .key = KEY_NAMED_RIGHT},
    {.kinds = "[O", .parameters = "", .final = 'D', .key = KEY_NAMED_LEFT},
    {.kinds = "[O", .parameters = "", .final = 'H', .key = KEY_NAMED_HOME},
    {.kinds = "[O", .parameters = "", .final = 'F', .key = KEY_NAMED_END},
    {.kinds = "O", .parameters = "", .final = 'M', .key = KEY_NAMED_ENTER},
    {.kinds = "O", .parameters = "", .final = 'P', .key = KEY_NAMED_F1},
    {.kinds = "[", .parameters = "1;2", .final = 'A', .key = KEY_NAMED_SHIFT_UP},
    {.kinds = "[", .parameters = "1;2", .final = 'B', .key = KEY_NAMED_SHIFT_DOWN},
    {.kinds = "[", .parameters = "1;2", .final = 'C', .key = KEY_NAMED_SHIFT_RIGHT},
    {.kinds = "[", .parameters = "1;2", .final = 'D', .key = KEY_NAMED_SHIFT_LEFT},
    {.kinds = "[", .parameters = "1;2", .final = 'H', .key = KEY_NAMED_HOME},
    {.kinds = "[", .parameters = "1;2", .final = 'F', .key = KEY_NAMED_END},
    {.kinds = "[", .parameters = "", .final = 'a', .key = KEY_NAMED_SHIFT_UP}, /* rxvt */
    {.kinds = "[", .parameters = "", .final = 'b', .key = KEY_NAMED_SHIFT_DOWN},
    {.kinds = "[", .parameters = "", .final = 'c', .key = KEY_NAMED_SHIFT_RIGHT},
    {.kinds = "[", .parameters = "", .final = 'd', .key = KEY_NAMED_SHIFT_LEFT},
    {.kinds = "[", .parameters = "", .final = 'Z', .key = KEY_NAMED_SHIFT_TAB},
    {.kinds = "[", .parameters = "1;2", .final = 'Z', .key = KEY_NAMED_SHIFT_TAB},
    {.kinds = "[", .parameters = "1", .final = '~', .key = KEY_NAMED_HOME},
    {.kinds = "[", .parameters = "2", .final = '~', .key = KEY_NAMED_INSERT},
    {.kinds = "[", .parameters = "3", .final = '~', .key = KEY_NAMED_DELETE},
    {.kinds = "[", .parameters = "4", .final = '~', .key = KEY_NAMED_END},
    {.kinds = "[", .parameters = "5", .final = '~', .key = KEY_NAMED_PAGE_UP},
    {.kinds = "[", .parameters = "6", .final = '~', .key = KEY_NAMED_PAGE_DOWN},
    {.kinds = "[", .parameters = "7", .final = '~', .key = KEY_NAMED_HOME},
    {.kinds = "[", .parameters = "8", .final = '~', .key = KEY_NAMED_END},
    {.kinds = "[", .parameters = "11", .final = '~', .key = KEY_NAMED_F1},
    {.kinds = "[", .parameters = "[", .final = 'A', .key = KEY_NAMED_F1}, /* the Linux console */
};

static void input_open(struct input *input)
{
    input->pushed = ERR;
    input->window = newpad(1, 1);
    if (input->window == NULL)
        allocation_failed();
    keypad(input->window, TRUE);
    nodelay(input->window, TRUE);
    /* Otherwise curses consumes the beginning of mouse reports. */
    define_key(NULL, KEY_MOUSE);
}

static void input_close(struct input *input)
{
    delwin(input->window);
    input->window = NULL;
}

/* Returns the next byte or curses code without waiting, or ERR. */
static int read_now(struct input *input)
{
    int code = input->pushed;

    input->pushed = ERR;
    return code != ERR ? code : wgetch(input->window);
}

/* The same, but waits up to the delay within a sequence. */
static int read_soon(struct input *input)
{
    int code;

    wtimeout(input->window, ESCAPE_DELAY);
    code = read_now(input);
    nodelay(input->window, TRUE);
    return code;
}

static uint32_t key_of_curses(int code)
{
    for (size_t i = 0; i < sizeof curses_keys / sizeof curses_keys[0]; i++)
        if (curses_keys[i].code == code)
            return curses_keys[i].key;
    return KEY_NONE;
}

/* Decodes the left button and the wheel; returns false for other buttons and combinations. */
static bool mouse_event(int button, bool release, int row, int column, struct key_event *event)
{
    enum { MODIFIERS = 4 | 8 | 16, MOTION = 32, WHEEL = 64 };

    if (row < 0 || column < 0)
        return false;
    *event = (struct key_event){
        .key = KEY_NAMED_MOUSE, .row = row, .column = column, .time = clock_seconds()};
    switch (button & ~MODIFIERS) {
    case 0:
        event->mouse = release ? MOUSE_RELEASE : MOUSE_PRESS;
        return true;
    case MOTION:
        event->mouse = release ? MOUSE_RELEASE : MOUSE_DRAG;
        return true;
    case WHEEL:
        event->mouse = MOUSE_WHEEL_UP;
        return true;
    case WHEEL + 1:
        event->mouse = MOUSE_WHEEL_DOWN;
        return true;
    default:
        return false;
    }
}

/* Decodes "<0;12;5" and M or m (mode 1006). */
static bool decode_mouse(const char *parameters, bool release, struct key_event *event)
{
    int numbers[PARAMETERS_MAX] = {0};
    int count = 0;

    for (const char *at = parameters + 1; *at != '\0'; at++) {
        if (*at == ';')
            count++;
        if (count >= PARAMETERS_MAX || ((*at < '0' || *at > '9') && *at != ';'))
            return false;
        if (*at != ';' && numbers[count] < 100000)
            numbers[count] = numbers[count] * 10 + (*at - '0');
    }
    return count == PARAMETERS_MAX - 1 &&
           mouse_event(numbers[0], release, numbers[2] - 1, numbers[1] - 1, event);
}

/* Decodes the three bytes after "Esc [ M" of terminals with mode 1002 but without 1006. */
static bool read_old_mouse(struct input *input, struct key_event *event)
{
    int bytes[3];

    for (int i = 0; i < 3; i++) {
        bytes[i] = read_soon(input);
        if (bytes[i] < ' ' || bytes[i] > 255)
            return false;
    }
    if (bytes[0] - ' ' == 3)
        return mouse_event(0, true, bytes[2] - 33, bytes[1] - 33, event);
    return mouse_event(bytes[0] - ' ', false, bytes[2] - 33, bytes[1] - 33, event);
}

/* Reads a sequence up to its final byte, which it returns; 0 if the sequence is incomplete. */
static char read_sequence(struct input *input, char kind, char parameters[SEQUENCE_MAX])
{
    size_t length = 0;

    parameters[0] = '\0';
    for (;;) {
        int code = read_soon(input);

        if (code < ' ' || code > '~') {
            input->pushed = code; /* another key, or ERR */
            return 0;
        }
        /* On the Linux console a second [ is not the final byte. */
        if (code >= '@' && !(kind == '[' && code == '[' && length == 0))
            return (char)code;
        if (length < SEQUENCE_MAX - 1)
            parameters[length++] = (char)code;
        parameters[length] = '\0';
    }
}

static bool decode_sequence(struct input *input, char kind, struct key_event *event)
{
    char parameters[SEQUENCE_MAX];
    char final = read_sequence(input, kind, parameters);

    if (kind == '[' && parameters[0] == '<' && (final == 'M' || final == 'm'))
        return decode_mouse(parameters, final == 'm', event);
    if (kind == '[' && parameters[0] == '\0' && final == 'M')
        return read_old_mouse(input, event);
    if (kind == '[' && final == '~' &&
        (strcmp(parameters, "200") == 0 || strcmp(parameters, "201") == 0)) {
        input->pasting = parameters[2] == '0';
        return false;
    }
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++)
        if (strchr(sequences[i].kinds, kind) != NULL && sequences[i].final == final &&
            strcmp(sequences[i].parameters, parameters) == 0) {
            event->key = sequences[i].key;
            return true;
        }
    return false;
}

/* Decodes a lone Esc or the sequence it begins. */
static bool decode_escape(struct input *input, struct key_event *event)
{
    int code = read_now(input); /* curses already waited for it */

    if (code == '[' || code == 'O')
        return decode_sequence(input, (char)code, event);
    input->pushed = code;
    event->key = KEY_NAMED_ESCAPE;
    return true;
}

/* Decodes a character of several bytes; false for control characters. */
static bool decode_utf8(struct input *input, int first, struct key_event *event)
{
    char bytes[UTF8_BYTES] = {(char)first};
    size_t count = 1;
    uint32_t character = 0;

    while (utf8_read(bytes, count, &character) == 0) {
        int code = first >= 0xC2 && count < UTF8_BYTES ? read_soon(input) : ERR;

        if (code < 0x80 || code > 0xBF) {
            input->pushed = code;
            return false;
        }
        bytes[count++] = (char)code;
    }
    event->key = character;
    return !utf8_is_control(character);
}

static bool decode_key(struct input *input, int code, struct key_event *event)
{
    *event = (struct key_event){0};
    if (code == ESCAPE)
        return decode_escape(input, event);
    if (code >= 0x80 && code <= 0xFF)
        return decode_utf8(input, code, event);
    event->key = code < 0x80 ? key_from_control((uint32_t)code) : key_of_curses(code);
    return event->key != KEY_NONE;
}

/* Decodes the next key that has arrived; returns false if there is none. Waits only within a
 * sequence. An unknown sequence is skipped completely. */
static bool input_next(struct input *input, struct key_event *event)
{
    for (int code = read_now(input); code != ERR; code = read_now(input))
        if (decode_key(input, code, event)) {
            event->pasted = input->pasting;
            return true;
        }
    return false;
}

/* The terminal --------------------------------------------------------------------------------- */

#define SIDE_MAX 1000 /* limit on the size a terminal reports, in cells */
#define BURST 64      /* cells passed to curses per call */
#define MOUSE_ON "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"
#define PASTE_ON "\033[?2004h" /* the terminal marks pasted text */
#define PASTE_OFF "\033[?2004l"
#define FRAME_MAX (64U << 20) /* bytes; a frame has fewer */

struct terminal {
    SCREEN *screen;
    FILE *output; /* of curses: another descriptor of the terminal */
    int frame;    /* file in memory that replaces it while curses draws; -1: none */
    int tty;      /* the terminal, opened again: writing there does not wait */
    off_t sent;   /* bytes of the frame that the terminal has taken */
    off_t length; /* bytes of the frame; 0: it has taken all of them */
    struct input input;
    enum palette palette;
    bool unicode;
    bool ecma48; /* it knows the sequences of ECMA-48 */
    bool mouse;
    bool hung_up; /* connection lost */
    bool stopped; /* by a signal: must not use the terminal */
    int rows, columns;
    int watched[TERMINAL_FILES]; /* -1: none */
    struct canvas shown;
    bool stale;             /* `shown` differs from the display */
    struct termios modes;   /* original modes, to be restored */
    struct termios drawing; /* while the screen is drawn */
};

/* Prepares the bytes that restore the terminal in a signal handler, where curses cannot be
 * called. */
static void arm_restore(const struct terminal *terminal)
{
    char undo[SIGNALS_RESTORE_MAX - 32];
    char bytes[SIGNALS_RESTORE_MAX];

    terminfo_undo(undo, sizeof undo, terminal->palette != PALETTE_NONE);
    /* The first byte ends an incomplete sequence. */
    snprintf(bytes, sizeof bytes, "\030%s%s", terminal->ecma48 ? MOUSE_OFF PASTE_OFF : "", undo);
    signals_arm(terminal->tty, bytes, strlen(bytes), &terminal->modes);
}

/* Reads the present size of the terminal. */
static void read_terminal_size(struct terminal *terminal)
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

/* Output --------------------------------------------------------------------------------------- */

/* A terminal may stop taking output at any time: its connection hangs, or somebody holds it. curses
 * waits then, so it writes to a file in memory, from which the terminal gets what it takes; until
 * it has taken all, no other frame is drawn. The terminal is opened again for that, since a
 * descriptor that is set not to wait is so for all programs that share it. The file also makes one
 * write of what curses writes in parts, each of which would be a packet of an ssh connection. */

int terminal_open_again(int file)
{
    const int flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    char path[32];
    int again;

    if (!isatty(file))
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    again = open(path, flags);
    /* what another user logged in on is closed to this one but as the terminal of the session */
    if (again < 0 && tcgetsid(file) == getsid(0))
        again = open("/dev/tty", flags);
    return again;
}

static bool open_output(struct terminal *terminal)
{
    int file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    struct rlimit limit;

    terminal->tty = terminal_open_again(STDOUT_FILENO);
    if (terminal->tty < 0)
        terminal->tty = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    /* a limit of file sizes concerns the file, too, and what exceeds it would be lost: then curses
     * writes to the terminal, and waits for it */
    terminal->frame = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= FRAME_MAX
                          ? memfd_create("frame", MFD_CLOEXEC)
                          : -1;
    terminal->output = file < 0 ? NULL : fdopen(file, "w");
    if (terminal->output == NULL && file >= 0)
        allocation_failed();
    return file >= 0 && terminal->tty >= 0;
}

static void close_output(struct terminal *terminal)
{
    if (terminal->output != NULL)
        fclose(terminal->output);
    if (terminal->frame >= 0)
        close(terminal->frame);
    if (terminal->tty >= 0)
        close(terminal->tty);
    terminal->output = NULL;
    terminal->frame = terminal->tty = -1;
}

/* What is written to the output from here to send_frame follows what is left of the frame. */
static void begin_frame(const struct terminal *terminal)
{
    if (terminal->frame >= 0)
        dup3(terminal->frame, fileno(terminal->output), O_CLOEXEC);
}

/* Returns the milliseconds until a time, s on the clock; 0: it has come. */
static int milliseconds_to(double time)
{
    return (int)ceil(larger(time - clock_seconds(), 0) * 1000);
}

static void forget_frame(struct terminal *terminal)
{
    terminal->sent = terminal->length = 0;
    if (terminal->frame >= 0)
        lseek(terminal->frame, 0, SEEK_SET);
}

/* Writes what the terminal takes now; returns true if that is the rest of the frame. */
static bool send_rest(struct terminal *terminal)
{
    char bytes[16384];

    while (terminal->sent < terminal->length) {
        size_t most = (size_t)smaller((double)(terminal->length - terminal->sent), sizeof bytes);
        ssize_t count = pread(terminal->frame, bytes, most, terminal->sent);

        if (count > 0)
            count = write(terminal->tty, bytes, (size_t)count);
        if (count > 0)
            terminal->sent += count;
        else if (count < 0 && errno == EAGAIN)
            return false;
        else if (count == 0 || errno != EINTR)
            break; /* the terminal is gone */
    }
    forget_frame(terminal);
    return true;
}

static bool send_frame(struct terminal *terminal)
{
    if (terminal->frame >= 0) {
        dup3(STDOUT_FILENO, fileno(terminal->output), O_CLOEXEC);
        terminal->length = lseek(terminal->frame, 0, SEEK_CUR);
    }
    return send_rest(terminal);
}

static void write_sequence(struct terminal *terminal, const char *text)
{
    begin_frame(terminal);
    file_put_bytes(&file_system, fileno(terminal->output), text, strlen(text));
    send_frame(terminal);
}

/* Waits until the terminal has taken the frame, but not longer than somebody who leaves would. */
static bool await_sent(struct terminal *terminal)
{
    const double most = 1; /* s */
    const double end = clock_seconds() + most;
    struct pollfd room = {.fd = terminal->tty, .events = POLLOUT};
    bool sent = send_rest(terminal);

    while (!sent && clock_seconds() < end) {
        poll(&room, 1, milliseconds_to(end));
        sent = send_rest(terminal);
    }
    return sent;
}

/* Returns true if the variable is not set or a number of rows or columns that can be drawn. */
static bool side_is_good(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    long side = text == NULL ? 1 : strtol(text, &end, 10);

    return text == NULL || (*end == '\0' && side > 0 && side <= SIDE_MAX);
}

/* `known`: the description is that of the terminal, and not one like it. */
static enum status start_curses(struct terminal *terminal, const char *name, bool known,
                                struct error *error)
{
    /* ncurses would allocate any size that the environment asks for */
    use_env(side_is_good("LINES") && side_is_good("COLUMNS"));
    /* No keys by extended names: `sequences` has them. */
    use_extended_names(FALSE);
    if (!open_output(terminal))
        return error_set(error, STATUS_IO, "no file descriptors left for the screen");
    terminal->screen = newterm(name, terminal->output, stdin);
    if (terminal->screen == NULL)
        allocation_failed();
    set_escdelay(ESCAPE_DELAY);
    raw();
    noecho();
    nonl();
    typeahead(-1); /* output is not interrupted by input */
    terminal->palette = known ? start_colours() : PALETTE_NONE;
    terminal->ecma48 = terminfo_ecma48();
    input_open(&terminal->input);
    if (tcgetattr(STDOUT_FILENO, &terminal->drawing) != 0)
        return error_set(error, STATUS_IO, "cannot read the modes of the terminal: %s",
                         strerror(errno));
    return STATUS_OK;
}

/* The screen of curses stays until the program ends: delscreen follows null pointers where an
 * allocation of curses failed, of which there is no sign. */
static void stop_curses(struct terminal *terminal)
{
    if (terminal->screen != NULL) {
        if (!isendwin() && !terminal->stopped)
            endwin();
        input_close(&terminal->input);
        terminal->screen = NULL;
    }
    close_output(terminal);
}

static enum status start_terminal(struct terminal *terminal, char *notice, size_t size,
                                  struct error *error)
{
    const char *name = NULL;
    enum status status = terminfo_choose(&name, notice, size, error);

    if (status != STATUS_OK)
        return status;
    setlocale(LC_CTYPE, "");
    terminal->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    status = start_curses(terminal, name, notice[0] == '\0', error);
    if (status != STATUS_OK) {
        stop_curses(terminal);
        return status;
    }
    arm_restore(terminal);
    read_terminal_size(terminal);
    return STATUS_OK;
}

enum status terminal_open(struct terminal **terminal, char *notice, size_t size,
                          struct error *error)
{
    struct terminal *opened = allocate_array(1, sizeof *opened);
    enum status status;

    terminal_watch(opened, NULL, 0);
    if (tcgetattr(STDOUT_FILENO, &opened->modes) != 0 || !signals_open()) {
        free(opened);
        return isatty(STDOUT_FILENO) != 0
                   ? error_set(error, STATUS_IO, "no file descriptors left for the screen")
                   : error_set(error, STATUS_INVALID, "standard output is not a terminal");
    }
    signals_arm(STDOUT_FILENO, "", 0, &opened->modes);
    /* curses crashes where an allocation of its own fails */
    signals_explain("aolag: out of memory\n");
    status = start_terminal(opened, notice, size, error);
    signals_explain(NULL);
    if (status != STATUS_OK) {
        signals_close();
        free(opened);
        return status;
    }
    if (opened->ecma48)
        write_sequence(opened, PASTE_ON);
    terminal_redraw(opened);
    *terminal = opened;
    return STATUS_OK;
}

/* Restores the terminal, temporarily or finally. */
static void release_terminal(struct terminal *terminal)
{
    if (terminal->mouse)
        write_sequence(terminal, MOUSE_OFF);
    if (terminal->ecma48)
        write_sequence(terminal, PASTE_OFF);
    begin_frame(terminal);
    endwin();
    send_frame(terminal);
    if (!terminfo_alternate())
        write_sequence(terminal, "\r\n");
    if (await_sent(terminal)) {
        tcsetattr(STDOUT_FILENO, TCSANOW, &terminal->modes);
        signals_disarm();
    } else {
        forget_frame(terminal);
        signals_give_back();
    }
}

/* Sets up the terminal again. */
static void restart_terminal(struct terminal *terminal)
{
    terminal->stopped = false;
    tcsetattr(STDOUT_FILENO, TCSANOW, &terminal->drawing);
    arm_restore(terminal);
    read_terminal_size(terminal);
    terminal->input.pasting = false;
    begin_frame(terminal);
    keypad(terminal->input.window, TRUE);
    send_frame(terminal);
    if (terminal->ecma48)
        write_sequence(terminal, PASTE_ON);
    if (terminal->mouse)
        write_sequence(terminal, MOUSE_ON);
    terminal_redraw(terminal);
}

/* Also true if the terminal has no foreground process group. */
static bool in_foreground(void)
{
    pid_t group = tcgetpgrp(STDOUT_FILENO);

    return group < 0 || group == getpgrp();
}

/* Stops until the shell continues the program in the foreground. If it is asked to end meanwhile,
 * it does not use the terminal, which would stop it again. */
static void stop_process(struct terminal *terminal, bool group)
{
    release_terminal(terminal);
    terminal->stopped = true;
    while (signals_stop(group) && !in_foreground() && !signals_ending())
        continue;
    if (signals_ending())
        return;
    /* Keep changes that the user made with stty. */
    if (in_foreground())
        tcgetattr(STDOUT_FILENO, &terminal->modes);
    restart_terminal(terminal);
}

/* Handles SIGCONT after SIGSTOP, which cannot be caught. */
static void resume_terminal(struct terminal *terminal)
{
    terminal->stopped = true;
    signals_disarm();
    while (!in_foreground() && !signals_ending() && signals_stop(false))
        continue;
    if (!signals_ending())
        restart_terminal(terminal);
}

void terminal_close(struct terminal *terminal)
{
    if (terminal == NULL)
        return;
    if (!terminal->stopped)
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

    /* curses computes positions with the C library's character widths. */
    if (cell.character >= 0x80 && wcwidth(text[0]) != 1)
        text[0] = L'?';
    setcchar(&result, text, cell_attributes(terminal->palette, cell),
             style_pair(terminal->palette, palette_style(terminal->palette, &cell)), NULL);
    return result;
}

static bool same_cell(struct cell a, struct cell b)
{
    return a.character == b.character && a.style == b.style && a.underline == b.underline;
}

/* Passes to curses the cells of a row that differ from those displayed. */
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

bool terminal_show(struct terminal *terminal, const struct canvas *canvas)
{
    struct canvas *shown = &terminal->shown;
    int rows = clamp_int(canvas->rows, 0, terminal->rows);
    int columns = clamp_int(canvas->columns, 0, terminal->columns);

    if (terminal->stopped)
        return true;
    if (terminal->length > 0)
        return false;
    if (shown->rows != rows || shown->columns != columns) {
        terminal->stale = true;
        erase();
        canvas_init(shown, rows, columns, terminal->unicode);
    }
    for (int i = 0; i < rows; i++)
        show_row(terminal, i, canvas->cells + (size_t)i * (size_t)canvas->columns, columns,
                 shown->cells + (size_t)i * (size_t)columns);
    terminal->stale = false;
    move(clamp_int(canvas->cursor_row, 0, rows - 1),
         clamp_int(canvas->cursor_column, 0, columns - 1));
    begin_frame(terminal);
    refresh();
    return send_frame(terminal);
}

bool terminal_pending(const struct terminal *terminal)
{
    struct pollfd source = {.fd = STDIN_FILENO, .events = POLLIN};

    return terminal->input.pushed != ERR || poll(&source, 1, 0) > 0;
}

void terminal_discard_input(struct terminal *terminal)
{
    terminal->input.pushed = ERR;
    tcflush(STDIN_FILENO, TCIFLUSH);
    flushinp();
}

/* Converts a pending signal to an event; returns false if there is none. */
static bool answer_signals(struct terminal *terminal, enum terminal_event *event)
{
    signals_drain();
    if (signals_received(SIGTERM) || signals_received(SIGHUP)) {
        terminal->stopped = terminal->stopped || !in_foreground();
        *event = TERMINAL_HANGUP;
    } else if (signals_received(SIGTSTP)) {
        stop_process(terminal, false);
        *event = TERMINAL_REDRAW;
    } else if (signals_received(SIGCONT)) {
        resume_terminal(terminal);
        *event = TERMINAL_REDRAW;
    } else if (signals_received(SIGWINCH)) {
        read_terminal_size(terminal);
        terminal_redraw(terminal);
        *event = TERMINAL_RESIZE;
    } else if (signals_received(SIGINT)) {
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

enum terminal_event terminal_wait(struct terminal *terminal, int milliseconds,
                                  struct key_event *event)
{
    const double end = clock_seconds() + 1e-3 * milliseconds;
    struct pollfd sources[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                               {.fd = signals_pipe(), .events = POLLIN},
                               {.fd = terminal->tty, .events = POLLOUT},
                               {.fd = terminal->watched[0], .events = POLLIN},
                               {.fd = terminal->watched[1], .events = POLLIN}};
    enum terminal_event signalled;

    for (;;) {
        int ready;

        if (answer_signals(terminal, &signalled))
            return signalled;
        if (input_next(&terminal->input, event))
            return TERMINAL_KEY;
        if (terminal->hung_up)
            return TERMINAL_HANGUP;
        sources[2].fd = terminal->length > 0 ? terminal->tty : -1;
        ready = poll(sources, 3 + TERMINAL_FILES, milliseconds < 0 ? -1 : milliseconds_to(end));
        if (ready == 0)
            return TERMINAL_TIMEOUT;
        if (ready < 0)
            continue;
        if ((sources[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
            terminal->hung_up = true;
        else if (sources[2].revents != 0 && send_rest(terminal))
            return TERMINAL_SHOWN;
        else if (sources[0].revents == 0 && sources[1].revents == 0 &&
                 (sources[3].revents | sources[4].revents) != 0)
            return TERMINAL_WATCHED;
    }
}

void terminal_suspend(struct terminal *terminal)
{
    stop_process(terminal, true);
}

void terminal_mouse(struct terminal *terminal, bool on)
{
    if (terminal->ecma48 && terminal->mouse != on && !terminal->stopped)
        write_sequence(terminal, on ? MOUSE_ON : MOUSE_OFF);
    terminal->mouse = terminal->ecma48 && on;
}
