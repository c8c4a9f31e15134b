#include "import/parse.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "import/json.h"
#include "import/yaml.h"

static bool ends_in(const char *name, const char *end)
{
    size_t length = name == NULL ? 0 : strlen(name);

    return length > strlen(end) && strcasecmp(name + length - strlen(end), end) == 0;
}

static bool text_is_yaml(const char *name, const char *bytes, size_t length)
{
    size_t i = 0;

    if (ends_in(name, ".yaml") || ends_in(name, ".yml"))
        return true;
    if (ends_in(name, ".json"))
        return false;
    while (i < length && strchr(" \t\r\n", bytes[i]) != NULL)
        i++;
    return i < length && bytes[i] != '{' && bytes[i] != '[';
}

/* Refuses what neither format may contain. */
static enum status check_characters(struct values_builder *builder, const char *bytes,
                                    size_t length)
{
    int line = 1;

    for (size_t i = 0; i < length;) {
        uint32_t code;
        size_t size = utf8_read(bytes + i, length - i, &code);

        if (size == 0)
            return values_refuse(builder, line,
                                 "the byte 0x%02X is not UTF-8; the file is to be "
                                 "saved as UTF-8",
                                 (unsigned)(unsigned char)bytes[i]);
        if (code == 0xFEFF || (utf8_is_control(code) && code != '\n' && code != '\r'))
            return values_refuse(builder, line, "the character U+%04X is not allowed; remove it",
                                 (unsigned)code);
        line += code == '\n';
        i += size;
    }
    return STATUS_OK;
}

enum status parse_text(struct values *tree, const char *name, const char *bytes, size_t length,
                       enum parse_file file, struct problems *problems)
{
    struct values_builder builder = {.tree = tree, .problems = problems};
    const char *begin = bytes;
    struct error error;
    enum status status;
    bool yaml;

    if (length > PARSE_BYTES_MAX)
        return values_refuse(&builder, 0, "the file has %zu bytes, more than the %d that are read",
                             length, PARSE_BYTES_MAX);
    if (utf8_begin(&bytes, &length, "a pipeline", &error) != STATUS_OK)
        return values_refuse(&builder, 0, "%s", error.message);
    yaml = text_is_yaml(name, bytes, length);
    status = check_characters(&builder, bytes, length);
    if (status == STATUS_OK && length > 0)
        status = yaml ? yaml_read(&builder, bytes, length, file == PARSE_HARDWARE)
                      : json_read(&builder, bytes, length);
    if (status == STATUS_OK && tree->count == 0)
        status = values_refuse(&builder, 0,
                               "the file is empty; aolag import --list names what is read");
    tree->yaml = yaml;
    tree->marked = bytes > begin;
    if (status != STATUS_OK)
        values_free(tree);
    return status;
}
