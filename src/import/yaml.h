/* Reader of YAML for parse.h, by libyaml, with the values that PyYAML's safe_load gives, by which
 * daolite reads: those of YAML 1.1 (yaml.org/type) but for exponents, which need a point before
 * them and a sign. 010 is 8, 1:30 is 90, yes is true, 1e3 and 1.0e3 are texts; the keys of a map
 * that
 * << names are those of the map as well. Reading a hardware file, daolite registers a pattern of
 * its own, by which 1e3 and 1.0e3 are numbers. A word that means something else than it looks says
 * so in `means` of its node.
 *
 * It refuses several documents, keys that are no plain values or are given twice, tags of a
 * programming language, and an alias within what it stands for. An alias of a map or list takes one
 * node, so that no text grows. */
#ifndef AOLAG_IMPORT_YAML_H
#define AOLAG_IMPORT_YAML_H

#include "import/values.h"

enum status yaml_read(struct values_builder *builder, const char *bytes, size_t length,
                      bool hardware);

#endif
