/* What terminals send, and how it comes in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "pty.h"

#define PAUSE 10 /* ms between parts of a sequence */
#define LATE 50  /* a longer pause may have looked like Esc alone, which waits for 100 ms */
#define TRIES 100

static const char *const terminals[] = {"screen", "linux", "vt100", "xterm-256color"};

enum { TERMINAL_COUNT = sizeof terminals / sizeof terminals[0] };

static struct pty_options options_of(const char *term)
{
    return (struct pty_options){.rows = 24, .columns = 80, .term = term, .file = PTY_SMALL};
}

/* Sends a sequence, with a pause before byte `at`; at == its length: before every byte. Notes when
 * a busy machine made the pause too long, from before one part until after the next. */
static void send_split(struct pty *pty, const char *sequence, size_t at, bool *late)
{
    size_t length = strlen(sequence);
    long last = pty_now();
    size_t end;

    for (size_t start = 0; start < length; start = end) {
        long begun;

        end = at == length ? start + 1 : start < at ? at : length;
        if (start > 0)
            pty_settle(pty, PAUSE);
        begun = pty_now();
        pty_send(pty, sequence + start, end - start);
        *late = *late || pty_now() - last > LATE;
        last = begun;
    }
}

/* A knob that no stray letter leaves as it is; no step takes longer to compute. */
#define LEAST_TARGET "/\ntext scenario.target_latency\nEnter\n^\n"

static struct pty *open_on_target(const struct pty_options *options)
{
    struct pty *pty = pty_open_ready(options);

    if (pty != NULL) {
        pty_type(pty, "/scenario.target_latency\r");
        pty_type(pty, "^");
        CHECK(pty_is_headless(pty, options, LEAST_TARGET));
    }
    return pty;
}

static const char *const shift_arrows[][2] = {{"\033[1;2C", "\033[1;2D"}, {"\033[c", "\033[d"}};

/* Each says what replaces it, however its sequence arrives, and neither does anything else. */
static bool shift_arrows_speak_in(const char *term, size_t pair, bool *late)
{
    const struct pty_options options = options_of(term);
    const char *const *arrows = shift_arrows[pair];
    struct pty *pty = open_on_target(&options);
    bool good = pty != NULL;

    for (size_t at = 0; good && at <= strlen(arrows[0]); at++)
        for (int i = 0; good && i < 2; i++) {
            send_split(pty, arrows[i], at, late);
            good = !*late && pty_is_headless(pty, &options,
                                             i == 0 ? LEAST_TARGET "S-Right\n"
                                                    : LEAST_TARGET "S-Left\n");
        }
    pty_close(pty);
    return good;
}

static const char *const sequences[] = {
    "\033[1;2A", "\033[1;2B",     "\033[1;2C", "\033[1;2D",     "\033[a",     "\033[b",
    "\033[c",    "\033[d",        "\033[1;5C", "\033Oq",        "\033[?1;2c", "\033[200~",
    "\033[[B",   "\033[<64;1;1M", "\033[M !!", "\033[<99;1;1M",
};

/* What is not a key of the program must not turn into letters. */
static bool sequence_types_nothing_in(const char *term, size_t sequence, bool *late)
{
    const struct pty_options options = options_of(term);
    struct pty *pty = pty_open(&options);
    bool good = false;

    if (pty != NULL) {
        pty_type(pty, ":x");
        for (size_t at = 0; at <= strlen(sequences[sequence]) && !*late; at++)
            send_split(pty, sequences[sequence], at, late);
        pty_type(pty, "yz");
        good = !*late && pty_is_headless(pty, &options, ":\ntext xyz\n");
        pty_close(pty);
    }
    return good;
}

/* In every terminal for each of `count`, under sanitizers for some; again where a pause was too long
 * to tell anything. */
static void holds_everywhere(bool (*holds)(const char *term, size_t which, bool *late),
                             size_t count)
{
    for (size_t i = 0; i < TERMINAL_COUNT * count; i += (size_t)draw_every(1)) {
        const char *term = terminals[i / count];
        bool good = false;
        bool late = true;

        for (int try = 0; try < TRIES && late; try++) {
            late = false;
            good = holds(term, i % count, &late);
        }
        if (!CHECK_TRUE(good, "TERM=%s, sequence %zu%s", term, i % count,
                        late ? ": the machine is too busy" : ""))
            return;
    }
}

TEST(shift_arrows_speak)
{
    holds_everywhere(shift_arrows_speak_in, sizeof shift_arrows / sizeof shift_arrows[0]);
}

TEST(sequences_type_nothing)
{
    holds_everywhere(sequence_types_nothing_in, sizeof sequences / sizeof sequences[0]);
}

static bool means(const char *term, const char *bytes, const char *words)
{
    const struct pty_options options = options_of(term);
    struct pty *pty = pty_open_ready(&options);
    bool good = false;

    if (pty != NULL) {
        pty_type(pty, bytes);
        good = pty_is_headless(pty, &options, words);
        pty_close(pty);
    }
    return good;
}

/* Every spelling of a key in every terminal, under sanitizers in one, seen on the line being typed
 * and in the lists. */
TEST(spellings)
{
    static const struct {
        const char *bytes, *words;
    } cases[] = {
        {":abc\033[D\033[Dx", ":\ntext abc\nLeft\nLeft\ntext x\n"},
        {":abc\033OD\033OD\033OCx", ":\ntext abc\nLeft\nLeft\nRight\ntext x\n"},
        {":abc\033[Hx\033[Fy", ":\ntext abc\nHome\ntext x\nEnd\ntext y\n"},
        {":abc\033OHx\033OFy", ":\ntext abc\nHome\ntext x\nEnd\ntext y\n"},
        {":abc\033[1~x\033[4~y", ":\ntext abc\nHome\ntext x\nEnd\ntext y\n"},
        {":abc\033[7~x\033[8~y", ":\ntext abc\nHome\ntext x\nEnd\ntext y\n"},
        {":abc\033[H\033[3~x", ":\ntext abc\nHome\nDelete\ntext x\n"},
        {":abc\177x\by", ":\ntext abc\nBackspace\ntext x\nBackspace\ntext y\n"},
        {":a\xC3\x97\xC2\xB5x\033[D", ":\ntext a\xC3\x97\xC2\xB5x\nLeft\n"},
        {"\033[6~", "PageDown\n"},
        {"\033[6~\033[5~\033[B\033OB\033[A", "PageDown\nPageUp\nDown\nDown\nUp\n"},
        {"\t\033[B", "Tab\nDown\n"},
        {"\033[Z", "S-Tab\n"},
        {"\033OP", "F1\n"},
        {"\033[11~", "F1\n"},
        {"\033[[A", "F1\n"},
    };

    for (int i = 0; i < TERMINAL_COUNT; i += draw_every(1))
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
            if (!CHECK_TRUE(means(terminals[i], cases[c].bytes, cases[c].words),
                            "TERM=%s, case %zu: %s", terminals[i], c, cases[c].words))
                return;
}

/* The terminal marks what is pasted, and it is no command. */
TEST(pasted_text_is_no_command)
{
    const struct pty_options options = options_of("xterm-256color");
    struct pty *pty = pty_open_shown(&options);
    size_t count;

    if (pty != NULL) {
        pty_type(pty, "\033[200~uud\ndq\033[201~");
        CHECK(pty_shows(pty, "the pasted text is ignored"));
        pty_type(pty, ":");
        pty_type(pty, "\033[200~x\ry\033[201~z");
        CHECK(pty_is_headless(pty, &options, ":\ntext xyz\n"));
        CHECK(strstr(pty_bytes(pty, &count), "\033[?2004h") != NULL);
        pty_close(pty);
    }
}

/* Esc alone closes what is open, without another key's help. */
TEST(escape_alone)
{
    const struct pty_options options = options_of("xterm-256color");
    struct pty *pty = pty_open(&options);

    if (pty != NULL) {
        pty_type(pty, ":mine");
        CHECK(pty_shows(pty, ":mine"));
        pty_type(pty, "\033");
        CHECK(pty_is_headless(pty, &options, ""));
        pty_close(pty);
    }
}

/* Where the slider's handle is on the cursor's row, in cells. */
static int handle_column(const char *line)
{
    const char *handle = strstr(line, "\xE2\x97\x8F");
    int column = 0;

    if (handle == NULL)
        return -1;
    for (const char *at = line; at < handle; at++)
        column += ((unsigned char)*at & 0xC0U) != 0x80U;
    return column;
}

static int cursor_row(struct pty *pty)
{
    char *line = strdup(pty_cursor_line(pty));
    const char *screen = pty_screen(pty);
    const char *found = strstr(screen, line);
    int row = 0;

    for (const char *at = screen; found != NULL && at < found; at++)
        row += *at == '\n';
    free(line);
    return row;
}

static bool handle_is_at(struct pty *pty, const void *data)
{
    return handle_column(pty_cursor_line(pty)) == *(const int *)data;
}

static void mouse(struct pty *pty, int button, int row, int column, char final)
{
    char bytes[64];

    snprintf(bytes, sizeof bytes, "\033[<%d;%d;%d%c", button, column + 1, row + 1, final);
    pty_type(pty, bytes);
}

static bool drags_in(const char *term)
{
    const struct pty_options options = {
        .rows = 36, .columns = 120, .term = term, .file = PTY_SMALL};
    struct pty *pty = open_on_target(&options);
    bool good;
    int row, from;

    if (pty == NULL)
        return false;
    row = cursor_row(pty);
    from = handle_column(pty_cursor_line(pty));
    good = CHECK_TRUE(from > 0, "no slider in: %s", pty_cursor_line(pty));
    if (good)
        mouse(pty, 0, row, from, 'M');
    for (int to = from + 1; to <= from + 3 && good; to++) {
        mouse(pty, 32, row, to, 'M');
        good = CHECK_TRUE(pty_wait(pty, handle_is_at, &to, "the handle to follow the mouse"),
                          "column %d, in: %s", to, pty_cursor_line(pty));
    }
    pty_close(pty);
    return good;
}

TEST(drags)
{
    bool good = true;

    for (int i = 0; i < TERMINAL_COUNT && good; i++) {
        good = drags_in(terminals[i]);
        CHECK_TRUE(good, "TERM=%s", terminals[i]);
    }
}

TEST(clicks_and_turns)
{
    static const struct {
        int button;
        const char *words;
    } cases[] = {{0, "click 6 4\n"}, {65, "wheel down 6 4\n"}};
    const struct pty_options options = options_of("xterm-256color");

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pty *pty = pty_open_ready(&options);

        if (pty == NULL)
            return;
        mouse(pty, cases[i].button, 6, 4, 'M');
        if (cases[i].button == 0)
            mouse(pty, 0, 6, 4, 'm');
        CHECK(pty_is_headless(pty, &options, cases[i].words));
        pty_close(pty);
    }
}
