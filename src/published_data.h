/* The published measurements of this release: "latencies" (CSV) and "kernel" (the scenario its rows
 * start from), the files of data/published. */
#ifndef AOLAG_PUBLISHED_DATA_H
#define AOLAG_PUBLISHED_DATA_H

#include "embedded.h"

extern const struct embedded_file published_files[];
extern const size_t published_files_count;

#endif
