#include "report/json.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "model/result.h"

struct json json_to(FILE *out)
{
    struct json json = {.out = out};

    return json;
}

struct json json_line_to(FILE *out)
{
    struct json json = {.out = out, .line = true};

    return json;
}

/* Returns how many bytes at the beginning of a text are printed as they are. */
static size_t count_plain(const char *text)
{
    size_t count = 0;

    while (text[count] >= ' ' && text[count] < 0x7f && text[count] != '"' && text[count] != '\\')
        count++;
    return count;
}

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text != '\0') {
        unsigned char byte = (unsigned char)*text;
        size_t length = count_plain(text);
        uint32_t code;

        if (length > 0) {
            fwrite(text, 1, length, out);
            text += length;
            continue;
        }
        length = utf8_read(text, strlen(text), &code);
        if (byte == '"' || byte == '\\')
            fprintf(out, "\\%c", byte);
        else if (byte == '\n')
            fputs("\\n", out);
        else if (byte == '\t')
            fputs("\\t", out);
        else if (length == 0)
            fputs("\xEF\xBF\xBD", out);
        else if (utf8_is_unsafe(code) && code <= 0xFFFF)
            fprintf(out, "\\u%04x", (unsigned)code);
        else if (utf8_is_unsafe(code)) /* noncharacters beyond, as surrogates */
            fprintf(out, "\\u%04x\\u%04x", (unsigned)(0xD7C0 + (code >> 10)),
                    (unsigned)(0xDC00 + (code & 0x3FF)));
        else
            fwrite(text, 1, length, out);
        text += length > 0 ? length : 1;
    }
    fputc('"', out);
}

static void new_line(const struct json *json)
{
    if (json->line)
        return;
    fputc('\n', json->out);
    for (int i = 0; i < json->depth; i++)
        fputs("  ", json->out);
}

static void begin_value(struct json *json, const char *key)
{
    if (json->depth > 0) {
        if (json->filled[json->depth])
            fputs(json->line ? ", " : ",", json->out);
        json->filled[json->depth] = true;
        new_line(json);
    }
    if (key != NULL) {
        put_string(json->out, key);
        fputs(": ", json->out);
    }
}

static void open_container(struct json *json, const char *key, char bracket)
{
    begin_value(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->filled[json->depth] = false;
}

static void close_container(struct json *json, char bracket)
{
    bool filled = json->filled[json->depth];

    json->depth--;
    if (filled)
        new_line(json);
    fputc(bracket, json->out);
    if (json->depth == 0)
        fputc('\n', json->out);
}

void json_object(struct json *json, const char *key)
{
    open_container(json, key, '{');
}

void json_object_end(struct json *json)
{
    close_container(json, '}');
}

void json_array(struct json *json, const char *key)
{
    open_container(json, key, '[');
}

void json_array_end(struct json *json)
{
    close_container(json, ']');
}

void json_text(struct json *json, const char *key, const char *value)
{
    if (value == NULL) {
        json_null(json, key);
        return;
    }
    begin_value(json, key);
    put_string(json->out, value);
}

void json_bool(struct json *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key)
{
    begin_value(json, key);
    fputs("null", json->out);
}

void json_number(struct json *json, const char *key, double value)
{
    char digits[40];

    if (value == RESULT_NONE || !isfinite(value)) {
        json_null(json, key);
        return;
    }
    begin_value(json, key);
    number_format(value, digits, sizeof digits);
    fputs(digits, json->out);
}
