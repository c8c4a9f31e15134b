#include "tui/input.h"

#include <string.h>

#include "base/utf8.h"

#define ESCAPE 27
#define UTF8_BYTES 4 /* of a character */
#define SEQUENCE_MAX 32
#define PARAMETERS_MAX 3

/* Keys curses knows from the terminal's description. */
static const struct {
    int code;
    uint32_t key;
} curses_keys[] = {
    {KEY_UP, KEY_NAMED_UP},
    {KEY_DOWN, KEY_NAMED_DOWN},
    {KEY_LEFT, KEY_NAMED_LEFT},
    {KEY_RIGHT, KEY_NAMED_RIGHT},
    {KEY_SR, KEY_NAMED_SHIFT_UP},
    {KEY_SF, KEY_NAMED_SHIFT_DOWN},
    {KEY_SLEFT, KEY_NAMED_SHIFT_LEFT},
    {KEY_SRIGHT, KEY_NAMED_SHIFT_RIGHT},
    {KEY_PPAGE, KEY_NAMED_PAGE_UP},
    {KEY_NPAGE, KEY_NAMED_PAGE_DOWN},
    {KEY_HOME, KEY_NAMED_HOME},
    {KEY_FIND, KEY_NAMED_HOME},
    {KEY_SHOME, KEY_NAMED_HOME},
    {KEY_END, KEY_NAMED_END},
    {KEY_SELECT, KEY_NAMED_END},
    {KEY_SEND, KEY_NAMED_END},
    {KEY_IC, KEY_NAMED_INSERT},
    {KEY_DC, KEY_NAMED_DELETE},
    {KEY_BACKSPACE, KEY_NAMED_BACKSPACE},
    {KEY_ENTER, KEY_NAMED_ENTER},
    {KEY_BTAB, KEY_NAMED_SHIFT_TAB},
    {KEY_F(1), KEY_NAMED_F1},
    {KEY_SUSPEND, KEY_CONTROL_Z}, /* ^Z in some descriptions */
};

/* Keys whatever the terminal's description says: descriptions are often of another terminal than
 * the one in front of the user. `parameters` as they stand before the final byte. */
static const struct {
    char kind; /* [ or O after Esc */
    const char *parameters;
    char final;
    uint32_t key;
} sequences[] = {
    {'[', "", 'A', KEY_NAMED_UP},
    {'[', "", 'B', KEY_NAMED_DOWN},
    {'[', "", 'C', KEY_NAMED_RIGHT},
    {'[', "", 'D', KEY_NAMED_LEFT},
    {'[', "", 'H', KEY_NAMED_HOME},
    {'[', "", 'F', KEY_NAMED_END},
    {'O', "", 'A', KEY_NAMED_UP},
    {'O', "", 'B', KEY_NAMED_DOWN},
    {'O', "", 'C', KEY_NAMED_RIGHT},
    {'O', "", 'D', KEY_NAMED_LEFT},
    {'O', "", 'H', KEY_NAMED_HOME},
    {'O', "", 'F', KEY_NAMED_END},
    {'O', "", 'M', KEY_NAMED_ENTER},
    {'O', "", 'P', KEY_NAMED_F1},
    {'[', "1;2", 'A', KEY_NAMED_SHIFT_UP},
    {'[', "1;2", 'B', KEY_NAMED_SHIFT_DOWN},
    {'[', "1;2", 'C', KEY_NAMED_SHIFT_RIGHT},
    {'[', "1;2", 'D', KEY_NAMED_SHIFT_LEFT},
    {'[', "1;2", 'H', KEY_NAMED_HOME},
    {'[', "1;2", 'F', KEY_NAMED_END},
    {'[', "", 'a', KEY_NAMED_SHIFT_UP}, /* rxvt */
    {'[', "", 'b', KEY_NAMED_SHIFT_DOWN},
    {'[', "", 'c', KEY_NAMED_SHIFT_RIGHT},
    {'[', "", 'd', KEY_NAMED_SHIFT_LEFT},
    {'[', "", 'Z', KEY_NAMED_SHIFT_TAB},
    {'[', "1;2", 'Z', KEY_NAMED_SHIFT_TAB},
    {'[', "1", '~', KEY_NAMED_HOME},
    {'[', "2", '~', KEY_NAMED_INSERT},
    {'[', "3", '~', KEY_NAMED_DELETE},
    {'[', "4", '~', KEY_NAMED_END},
    {'[', "5", '~', KEY_NAMED_PAGE_UP},
    {'[', "6", '~', KEY_NAMED_PAGE_DOWN},
    {'[', "7", '~', KEY_NAMED_HOME},
    {'[', "8", '~', KEY_NAMED_END},
    {'[', "11", '~', KEY_NAMED_F1},
    {'[', "[", 'A', KEY_NAMED_F1}, /* the Linux console */
};

bool input_open(struct input *input)
{
    input->pushed = ERR;
    input->window = newpad(1, 1);
    if (input->window == NULL)
        return false;
    keypad(input->window, TRUE);
    nodelay(input->window, TRUE);
    /* Else curses eats the beginning of the mouse's reports. */
    define_key(NULL, KEY_MOUSE);
    return true;
}

void input_close(struct input *input)
{
    delwin(input->window);
    input->window = NULL;
}

/* What has arrived: a byte, a code of curses, or ERR. */
static int read_now(struct input *input)
{
    int code = input->pushed;

    input->pushed = ERR;
    return code != ERR ? code : wgetch(input->window);
}

/* The same, waiting for it as long as for the rest of a sequence. */
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

/* The left button and the wheel; other buttons and chords mean nothing here. */
static bool mouse_event(int button, bool release, int row, int column, struct key_event *event)
{
    enum { MODIFIERS = 4 | 8 | 16, MOTION = 32, WHEEL = 64 };

    if (row < 0 || column < 0)
        return false;
    *event = (struct key_event){.key = KEY_NAMED_MOUSE, .row = row, .column = column};
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

/* "<0;12;5" and M or m (mode 1006). */
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

/* Three bytes after "Esc [ M" from terminals that know mode 1002 but not 1006. */
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

/* The rest of a sequence up to its final byte, which it returns; 0 when it ends without one. */
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
        /* A second [ is no final byte on the Linux console. */
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
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0]; i++)
        if (sequences[i].kind == kind && sequences[i].final == final &&
            strcmp(sequences[i].parameters, parameters) == 0) {
            event->key = sequences[i].key;
            return true;
        }
    return false;
}

/* Esc alone, or what it begins. */
static bool decode_escape(struct input *input, struct key_event *event)
{
    int code = read_now(input); /* curses has waited for it */

    if (code == '[' || code == 'O')
        return decode_sequence(input, (char)code, event);
    input->pushed = code;
    event->key = KEY_NAMED_ESCAPE;
    return true;
}

/* A character of several bytes; control characters of that kind mean nothing here. */
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

bool input_next(struct input *input, struct key_event *event)
{
    for (int code = read_now(input); code != ERR; code = read_now(input))
        if (decode_key(input, code, event))
            return true;
    return false;
}
