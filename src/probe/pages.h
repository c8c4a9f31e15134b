/* Memory to measure: huge pages are asked for, and every page is touched by the thread that asks,
 * so that it lies near it. */
#ifndef AOLAG_PAGES_H
#define AOLAG_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#define PAGES_HUGE ((size_t)2 << 20) /* B, of x86-64 and of the usual 4 KiB granule elsewhere */

struct pages {
    void *bytes; /* zeroed, aligned to a huge page where there are such */
    size_t size;
    size_t mapped;
};

/* NULL bytes and false where there is no memory. Small sizes (under a huge page) come in ordinary
 * pages. */
bool pages_get(struct pages *pages, size_t size);
void pages_free(struct pages *pages);

/* How many of its bytes the system reports in huge pages (/proc/self/smaps); 0 where it does not
 * say. */
size_t pages_huge(const struct pages *pages);

#endif
