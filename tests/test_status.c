#include "base/status.h"

#include <string.h>

#include "check.h"

TEST(sets_a_sentence)
{
    struct error error = {STATUS_OK, ""};

    CHECK_INT(error_set(&error, STATUS_IO, "%s: %d", "file", 7), STATUS_IO);
    CHECK_INT(error.status, STATUS_IO);
    CHECK_STR(error.message, "file: 7");
}

TEST(takes_no_error_object)
{
    CHECK_INT(error_set(NULL, STATUS_CONFLICT, "unheard"), STATUS_CONFLICT);
    error_prefix(NULL, "unheard");
}

TEST(puts_a_prefix_before)
{
    struct error error;

    error_set(&error, STATUS_INVALID, "5 is out of range");
    error_prefix(&error, "%s:%d", "a.ini", 3);
    CHECK_STR(error.message, "a.ini:3: 5 is out of range");
    CHECK_INT(error.status, STATUS_INVALID);
}

static bool ends_with_a_whole_character(const char *text)
{
    size_t length = strlen(text);
    size_t tail = 0;

    while (tail < length && ((unsigned char)text[length - 1 - tail] & 0xC0U) == 0x80U)
        tail++;
    if (tail == length)
        return tail == 0;
    switch ((unsigned char)text[length - 1 - tail] >> 4) {
    case 0xC:
    case 0xD:
        return tail == 1;
    case 0xE:
        return tail == 2;
    case 0xF:
        return tail == 3;
    default:
        return tail == 0;
    }
}

/* Every place a cut can fall in a character of every width. */
TEST(cuts_between_characters)
{
    static const char *const characters[] = {"a", "\xC2\xB5", "\xE2\x82\xAC", "\xF0\x9F\x94\xAD"};

    for (size_t c = 0; c < sizeof characters / sizeof characters[0]; c++) {
        for (int shift = 0; shift < 4; shift++) {
            struct error error;
            char text[2 * ERROR_MESSAGE_MAX] = "";
            size_t length;

            memset(text, 'x', (size_t)shift);
            while (strlen(text) < ERROR_MESSAGE_MAX + 8)
                strcat(text, characters[c]);
            error_set(&error, STATUS_INVALID, "%s", text);
            length = strlen(error.message);
            CHECK_TRUE(length < ERROR_MESSAGE_MAX && length >= ERROR_MESSAGE_MAX - 5,
                       "width %zu, shift %d: cut to %zu bytes", c + 1, shift, length);
            CHECK_TRUE(ends_with_a_whole_character(error.message),
                       "width %zu, shift %d: ends within a character", c + 1, shift);
            error_prefix(&error, "prefix%.*s", shift, "....");
            CHECK_TRUE(strlen(error.message) < ERROR_MESSAGE_MAX &&
                           ends_with_a_whole_character(error.message),
                       "width %zu, shift %d: a prefix cuts within a character", c + 1, shift);
        }
    }
}

TEST(keeps_a_sentence_that_just_fits)
{
    struct error error;
    char text[ERROR_MESSAGE_MAX];

    memset(text, 'x', sizeof text);
    memcpy(text + sizeof text - 3, "\xC2\xB5", 3);
    error_set(&error, STATUS_INVALID, "%s", text);
    CHECK_STR(error.message, text);
}
