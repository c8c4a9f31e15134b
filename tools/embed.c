/* Writes files as C source: embed TABLE FILE... > TABLE_data.c
 *
 * Every FILE is .../KIND/NAME.ini or .csv; TABLE_files is the table of them, with the values that
 * iniparser reads in an INI file. The bytes become arrays of numbers, because C guarantees string
 * literals of 4095 bytes only. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iniparser/iniparser.h>

#define BYTES_PER_LINE 20

struct source {
    const char *path;
    char *name;
    char *kind;
    size_t length;
    size_t values;
};

static _Noreturn void fail(const char *path, const char *problem)
{
    fprintf(stderr, "embed: %s: %s\n", path, problem);
    exit(EXIT_FAILURE);
}

static char *copy(const char *path, const char *from, size_t length)
{
    char *text = malloc(length + 1);

    if (text == NULL)
        fail(path, "out of memory");
    memcpy(text, from, length);
    text[length] = '\0';
    return text;
}

static struct source split(const char *path)
{
    struct source source = {.path = path};
    const char *slash = strrchr(path, '/');
    const char *kind = slash;
    size_t length;

    if (slash == NULL || slash == path)
        fail(path, "not of the form KIND/NAME.ini or .csv");
    while (kind > path && kind[-1] != '/')
        kind--;
    source.kind = copy(path, kind, (size_t)(slash - kind));
    length = strspn(slash + 1, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (length == 0 ||
        (strcmp(slash + 1 + length, ".ini") != 0 && strcmp(slash + 1 + length, ".csv") != 0))
        fail(path, "a name is lower case letters, digits and -, then .ini or .csv");
    source.name = copy(path, slash + 1, length);
    return source;
}

static int compare(const void *a, const void *b)
{
    const struct source *left = a;
    const struct source *right = b;

    return strcmp(left->name, right->name);
}

static void write_byte(int byte, size_t number)
{
    printf("%s%d,", number % BYTES_PER_LINE == 0 ? "\n    " : " ", byte);
}

/* Writes the values in the order of the file, in which iniparser keeps them. */
static void write_values(struct source *source, size_t index)
{
    size_t length = strlen(source->path);
    dictionary *entries = NULL;
    size_t number = 0;

    if (strcmp(source->path + length - 4, ".ini") == 0) {
        entries = iniparser_load(source->path);
        if (entries == NULL)
            fail(source->path, "iniparser cannot read it");
    }
    printf("static const unsigned char values_%zu[] = {", index);
    for (size_t i = 0; entries != NULL && i < (size_t)entries->n; i++) {
        if (entries->val[i] == NULL)
            continue;
        for (const char *at = entries->val[i]; *at != '\0'; at++)
            write_byte((unsigned char)*at, number++);
        write_byte(0, number++);
        source->values++;
    }
    printf(" 0};\n\n");
    iniparser_freedict(entries);
}

static void write_bytes(struct source *source, size_t index)
{
    FILE *file = fopen(source->path, "rb");
    int byte;

    if (file == NULL)
        fail(source->path, strerror(errno));
    printf("static const unsigned char bytes_%zu[] = {", index);
    while ((byte = getc(file)) != EOF) {
        write_byte(byte, source->length);
        source->length++;
    }
    if (ferror(file))
        fail(source->path, strerror(errno));
    fclose(file);
    if (source->length == 0)
        fail(source->path, "the file is empty");
    printf(" 0};\n\n");
}

static void write_table(const char *table, const struct source *sources, size_t count)
{
    printf("const struct embedded_file %s_files[] = {\n", table);
    for (size_t i = 0; i < count; i++)
        printf("    {\"%s\", \"%s\", bytes_%zu, %zu, values_%zu, %zu},\n", sources[i].name,
               sources[i].kind, i, sources[i].length, i, sources[i].values);
    printf("};\n\nconst size_t %s_files_count = %zu;\n", table, count);
}

int main(int argc, char **argv)
{
    size_t count = argc > 2 ? (size_t)argc - 2 : 0;
    struct source *sources = calloc(count + 1, sizeof *sources);

    if (count == 0)
        fail("embed", "no file named");
    if (sources == NULL)
        fail("embed", "out of memory");
    for (size_t i = 0; i < count; i++)
        sources[i] = split(argv[i + 2]);
    qsort(sources, count, sizeof *sources, compare);
    printf("#include \"base/embedded.h\"\n\n");
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && strcmp(sources[i - 1].name, sources[i].name) == 0)
            fail(sources[i].path, "another file has the same name");
        write_bytes(&sources[i], i);
        write_values(&sources[i], i);
    }
    write_table(argv[1], sources, count);
    for (size_t i = 0; i < count; i++) {
        free(sources[i].name);
        free(sources[i].kind);
    }
    free(sources);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail("standard output", strerror(errno));
    return EXIT_SUCCESS;
}
