/* Text that iniparser 4 reads. The library loads files by their path, prints what it does not
 * understand, follows the locale and does not check all of its allocations; this does without. */
#ifndef AOLAG_BASE_INIPARSER_H
#define AOLAG_BASE_INIPARSER_H

#include <stddef.h>

#include <iniparser/iniparser.h>

#include "base/status.h"

/* Returns the entries of INI text in its order, "section" with the value NULL and "section:key"
 * with one, names in lower case; free them with iniparser_freedict. Returns NULL and sets an error
 * if there is no way to give iniparser the text. */
dictionary *iniparser_read(const char *text, size_t length, struct error *error);

#endif
