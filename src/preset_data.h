/* The preset files of this release: every file named in presets/list.am. Names are unique over all
 * kinds ("ao", "cpu", "gpu"): lower case letters, digits and "-". */
#ifndef AOLAG_PRESET_DATA_H
#define AOLAG_PRESET_DATA_H

#include "embedded.h"

extern const struct embedded_file preset_files[];
extern const size_t preset_files_count;

#endif
