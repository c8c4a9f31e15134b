#include "explain/name.h"

#include <stdio.h>
#include <string.h>

static const struct explain_relation *find_relation(enum explain_kind from, const char *word,
                                                    size_t length)
{
    static const struct explain_relation *const both[] = {explain_relations,
                                                          explain_part_relations};

    for (size_t t = 0; t < sizeof both / sizeof both[0]; t++)
        for (const struct explain_relation *relation = both[t]; relation->word != NULL; relation++)
            if (relation->from == from && strlen(relation->word) == length &&
                strncmp(relation->word, word, length) == 0)
                return relation;
    return NULL;
}

bool explain_understand(const struct explain *explain, struct explain_subject subject,
                        const char *name, size_t length, struct explain_meaning *meaning)
{
    const char *end = name + length;

    *meaning = (struct explain_meaning){subject, NULL, name, length, false};
    while (memchr(meaning->key, '.', (size_t)(end - meaning->key)) != NULL) {
        size_t word = strcspn(meaning->key, ".");
        const struct explain_relation *relation =
            find_relation(explain_kind_of(meaning->subject), meaning->key, word);

        if (word == strlen("knob") && strncmp(meaning->key, "knob", word) == 0) {
            meaning->knob = true;
            meaning->key += word + 1;
            continue;
        }
        if (relation == NULL && !explain_single(meaning->key, word, &meaning->subject))
            return false;
        meaning->key += word + 1;
        if (relation == NULL)
            continue;
        if (relation->single) {
            if (!relation->find(explain, meaning->subject, 0, &meaning->subject))
                return false;
            continue;
        }
        meaning->relation = relation;
        meaning->key += 2; /* the asterisk */
        break;
    }
    meaning->length = (size_t)(end - meaning->key);
    return true;
}

void explain_key(const struct explain_meaning *meaning, char *key, size_t size)
{
    snprintf(key, size, "%.*s", (int)meaning->length, meaning->key);
}

/* Puts `length` bytes behind what is in `text`, as far as there is room. */
static void append(char *text, size_t size, const char *from, size_t length)
{
    size_t used = strlen(text);

    if (length >= size - used)
        length = size - used - 1;
    memcpy(text + used, from, length);
    text[used + length] = '\0';
}

void explain_print_name(const struct explain *explain, struct explain_subject subject,
                        const char *name, size_t length, char *text, size_t size)
{
    struct explain_meaning meaning;
    struct knob_ref ref;

    text[0] = '\0';
    if (!explain_understand(explain, subject, name, length, &meaning) || meaning.relation != NULL) {
        append(text, size, name, length);
        return;
    }
    if (meaning.knob && explain_section(explain, meaning.subject, &ref)) {
        section_path(explain->scenario, ref.section, ref.index, text, size);
        append(text, size, ".", 1);
    } else if (!explain_same(meaning.subject, subject)) {
        explain_subject_path(explain, meaning.subject, text, size);
    }
    append(text, size, meaning.key, meaning.length);
}

void explain_print_formula(const struct explain *explain, struct explain_subject subject,
                           const char *source, char *text, size_t size)
{
    const char *from = source;
    const char *name;
    size_t length = 0;

    text[0] = '\0';
    while ((name = expression_name(from, &length)) != NULL) {
        char printed[EXPLAIN_PATH_MAX];

        explain_print_name(explain, subject, name, length, printed, sizeof printed);
        append(text, size, from, (size_t)(name - from));
        append(text, size, printed, strlen(printed));
        from = name + length;
    }
    append(text, size, from, strlen(from));
}
