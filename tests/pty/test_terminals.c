/* Terminals of every kind. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "draw.h"
#include "pty.h"

static const struct pty_options usual = {
    .rows = 24, .columns = 80, .term = "xterm-256color", .file = PTY_SMALL};

/* Whether a "select graphic rendition" sets a colour, or the default one. */
static bool sets_colour(const char *at, const char *end)
{
    while (at < end) {
        char *next;
        long number = strtol(at, &next, 10);

        if ((number >= 30 && number <= 49) || (number >= 90 && number <= 107))
            return true;
        at = next < end && *next == ';' ? next + 1 : end;
    }
    return false;
}

static bool has_colours(const struct pty *pty)
{
    size_t count;
    const char *bytes = pty_bytes(pty, &count);

    for (size_t i = 0; i + 2 < count; i++) {
        size_t end = i + 2;

        if (bytes[i] != '\033' || bytes[i + 1] != '[')
            continue;
        while (end < count && strchr("0123456789;", bytes[end]) != NULL)
            end++;
        if (end < count && bytes[end] == 'm' && sets_colour(bytes + i + 2, bytes + end))
            return true;
    }
    return false;
}

static bool all_ascii(const struct pty *pty)
{
    size_t count;
    const char *bytes = pty_bytes(pty, &count);

    for (size_t i = 0; i < count; i++)
        if ((unsigned char)bytes[i] >= 0x80)
            return false;
    return count > 0;
}

/* Starts, shows what it should, moves a little and quits; says whether there were colours. */
static bool runs(const struct pty_options *options, bool *colours, bool *ascii)
{
    struct pty *pty = pty_open_ready(options);
    bool good;

    *colours = *ascii = false;
    if (pty == NULL)
        return false;
    pty_type(pty, "\033[B\033[C");
    good = CHECK(pty_is_headless(pty, options, "Down\nRight\n"));
    pty_type(pty, "uq");
    good = pty_ends_by(pty, 0) && CHECK(pty_gives_back(pty)) && good;
    *colours = has_colours(pty);
    *ascii = all_ascii(pty);
    pty_close(pty);
    return good;
}

TEST(known_terminals)
{
    static const struct {
        const char *term;
        bool colours;
    } cases[] = {
        {"xterm-256color", true}, {"screen", true}, {"linux", true},  {"vt100", false},
        {"tmux-256color", true},  {"rxvt", true},   {"vt220", false}, {"tmux", true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += draw_every(1) > 1 ? 3 : 1) {
        struct pty_options options = usual;
        bool colours, ascii;

        options.term = cases[i].term;
        if (!CHECK_TRUE(runs(&options, &colours, &ascii), "TERM=%s", cases[i].term))
            return;
        CHECK_TRUE(colours == cases[i].colours, "TERM=%s: colours %d", cases[i].term, colours);
        CHECK_TRUE(!ascii, "TERM=%s is in ASCII", cases[i].term);
    }
}

TEST(unknown_terminal)
{
    struct pty_options options = usual;
    struct pty *pty;

    options.term = "no-such-terminal";
    pty = pty_open(&options);
    if (pty == NULL)
        return;
    CHECK(pty_shows(pty, "no-such-terminal"));
    CHECK(pty_shows(pty, "xterm-256color without colours"));
    CHECK(pty_shows(pty, "[1 Design]"));
    CHECK(!has_colours(pty));
    pty_close(pty);
}

/* One sentence, exit status 2, and not a control sequence. */
static void is_refused(const char *term, const char *word)
{
    struct pty_options options = usual;
    struct pty *pty;
    const char *bytes;
    size_t count;
    int status;

    options.term = term;
    pty = pty_open(&options);
    if (pty == NULL)
        return;
    CHECK(pty_shows(pty, word));
    if (CHECK(pty_ends(pty, &status))) {
        CHECK(WIFEXITED(status));
        CHECK_INT(WEXITSTATUS(status), 2);
    }
    bytes = pty_bytes(pty, &count);
    CHECK(memchr(bytes, '\033', count) == NULL);
    CHECK_TRUE(memchr(bytes, '\n', count) == bytes + count - 1, "not one line: %.*s", (int)count,
               bytes);
    CHECK(pty_gives_back(pty));
    pty_close(pty);
}

TEST(refused_terminals)
{
    is_refused(NULL, "TERM");
    is_refused("", "TERM");
    is_refused("dumb", "dumb");
}

TEST(no_colour)
{
    struct pty_options options = usual;
    bool colours, ascii;

    options.environment = "NO_COLOR=1";
    CHECK(runs(&options, &colours, &ascii));
    CHECK(!colours);
    options.environment = "NO_COLOR=";
    CHECK(runs(&options, &colours, &ascii));
    CHECK(colours);
}

/* A size that nobody can draw is not taken from the environment. */
TEST(absurd_size_in_the_environment)
{
    static const char *const sizes[] = {"COLUMNS=99999999", "LINES=99999999", "COLUMNS=-1",
                                        "LINES=99999999999999999999"};
    bool colours, ascii;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct pty_options options = usual;

        options.environment = sizes[i];
        CHECK_TRUE(runs(&options, &colours, &ascii), "%s", sizes[i]);
    }
}

/* Not with xterm's description: the emulator here misplaces what follows a repeated character at
 * the right edge, which curses uses there in such a locale. */
TEST(ascii_locale)
{
    static const char *const terms[] = {"vt100", "screen", "linux"};
    bool colours, ascii;

    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        struct pty_options options = usual;

        options.environment = "LC_ALL=C";
        options.term = terms[i];
        if (!CHECK_TRUE(runs(&options, &colours, &ascii), "TERM=%s", terms[i]))
            return;
        CHECK_TRUE(ascii, "TERM=%s is not in ASCII", terms[i]);
    }
}
