#include "pictures.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "check.h"

char *picture_text(const struct canvas *canvas)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (file == NULL)
        abort();
    canvas_print(canvas, file);
    fclose(file);
    return text;
}

void picture_check(const struct canvas *canvas, const char *expected)
{
    char *text = picture_text(canvas);

    CHECK_STR(text, expected);
    free(text);
}

void picture_check_file(const char *text, const char *name)
{
    struct error error = {STATUS_OK, ""};
    char path[200];
    char *expected = NULL;
    size_t length;

    snprintf(path, sizeof path, "pictures/%s.txt", name);
    if (CHECK_TRUE(file_read(check_data_path(path), 1 << 20, &expected, &length, NULL, &error) ==
                       STATUS_OK,
                   "%s: %s", path, error.message))
        check_str(text, expected, name, path, 1);
    free(expected);
}
