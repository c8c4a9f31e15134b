#include "base/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/utf8.h"
#include "check.h"

static const char letters[] = "a\xC2\xB5 \xE2\x86\x92 \xF0\x9F\x98\x80 z"; /* of 1 to 4 bytes */

TEST(grows)
{
    struct buffer buffer = {0};

    for (int i = 0; i < 1000; i++)
        buffer_print(&buffer, "%d,", i);
    buffer_text(&buffer, "end");
    CHECK_INT(buffer.length, strlen(buffer.bytes));
    CHECK_STR(buffer.bytes + buffer.length - 7, "999,end");
    buffer_free(&buffer);
    CHECK_TRUE(buffer.bytes == NULL && buffer.length == 0, "it still has %zu bytes", buffer.length);
}

static bool is_utf8(const char *text)
{
    size_t left = strlen(text);
    uint32_t code;

    while (left > 0) {
        size_t bytes = utf8_read(text, left, &code);

        if (bytes == 0)
            return false;
        text += bytes;
        left -= bytes;
    }
    return true;
}

/* A list ends with an ellipsis before it has no room for one, never within an item. */
TEST(lists_as_many_items_as_fit)
{
    static const char *const items[] = {"alpha", "beta", "gamma"};
    static const char *const lists[] = {"...", "alpha, ...", "alpha, beta, ...",
                                        "alpha, beta, gamma"};
    static const size_t sizes[] = {10, 11, 17, 24};

    for (int s = 0; s < 4; s++) {
        char text[24];
        struct buffer list = buffer_over(text, sizes[s]);

        for (int i = 0; i < 3; i++)
            buffer_item(&list, items[i]);
        CHECK_STR(text, lists[s]);
    }
}

/* Appended as a whole or letter by letter, printed or copied: an array holds the longest beginning
 * that fits, of whole characters. */
TEST(cuts_at_characters)
{
    for (size_t size = 1; size <= sizeof letters; size++) {
        char text[2][sizeof letters + 1];
        struct buffer added = buffer_over(text[0], size);
        struct buffer printed = buffer_over(text[1], size);

        memset(text[0] + size, '#', 1);
        buffer_add(&added, letters, sizeof letters - 1);
        buffer_print(&printed, "%s", letters);
        CHECK_TRUE(text[0][size] == '#', "size %zu: a byte behind it is written", size);
        CHECK_TRUE(is_utf8(text[0]) && strncmp(letters, text[0], strlen(text[0])) == 0 &&
                       strlen(text[0]) + 4 >= size,
                   "size %zu: \"%s\"", size, text[0]);
        CHECK_STR(text[1], text[0]);
        CHECK_INT(added.length, strlen(text[0]));
        CHECK_INT(added.full, size < sizeof letters);
        CHECK_INT(printed.full, size < sizeof letters);
    }
}

/* A gap would join what does not belong together. */
TEST(appends_nothing_to_a_full_array)
{
    char text[8];
    struct buffer buffer = buffer_over(text, sizeof text);

    buffer_text(&buffer, "1234");
    buffer_text(&buffer, "56789");
    buffer_text(&buffer, "x");
    buffer_print(&buffer, "%d", 1);
    CHECK_STR(text, "1234567");
    buffer_free(&buffer);
    CHECK_STR(text, "1234567");
}

/* Lines longer than the stream's own buffer, and the begin anew of a sweep's rows. */
TEST(streams)
{
    char *text, *once;
    size_t length;
    FILE *stream = allocate_stream(&text, &length);

    CHECK(stream != NULL && text[0] == '\0');
    for (int i = 0; i < 30000; i++)
        fputs("row", stream);
    fflush(stream);
    CHECK_INT(length, 90000);
    rewind(stream);
    fputs("one ", stream);
    fflush(stream);
    CHECK_INT(length, 4);
    fputs("two", stream);
    fclose(stream);
    CHECK_INT(length, 7);
    CHECK_STR(text, "one two");
    free(text);
    stream = allocate_stream(&once, &length);
    fclose(stream);
    CHECK_STR(once, "");
    free(once);
}
