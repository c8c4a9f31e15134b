#include "pages.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

bool pages_get(struct pages *pages, size_t size)
{
    bool large = size >= PAGES_HUGE;
    size_t mapped = large ? (size + 2 * PAGES_HUGE - 1) / PAGES_HUGE * PAGES_HUGE : size;
    char *start = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *bytes = start;

    *pages = (struct pages){0};
    if (start == MAP_FAILED)
        return false;
    if (large) {
        size_t before = (PAGES_HUGE - (uintptr_t)start % PAGES_HUGE) % PAGES_HUGE;

        /* The alignment costs address space only: the ends are given back. */
        bytes = start + before;
        if (before > 0)
            munmap(start, before);
        mapped -= before;
        madvise(bytes, mapped, MADV_HUGEPAGE);
    }
    memset(bytes, 0, size);
    *pages = (struct pages){.bytes = bytes, .size = size, .mapped = mapped};
    return true;
}

void pages_free(struct pages *pages)
{
    if (pages->bytes != NULL)
        munmap(pages->bytes, pages->mapped);
    *pages = (struct pages){0};
}

/* Sums AnonHugePages of the mappings within [start, end). */
static size_t sum_huge(FILE *file, uintptr_t start, uintptr_t end)
{
    char line[512];
    bool inside = false;
    size_t sum = 0;

    while (fgets(line, sizeof line, file) != NULL) {
        uintptr_t from, to;
        size_t kib;

        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
            inside = from < end && to > start;
        else if (inside && sscanf(line, "AnonHugePages: %zu kB", &kib) == 1)
            sum += kib * 1024;
    }
    return sum;
}

size_t pages_huge(const struct pages *pages)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    uintptr_t start = (uintptr_t)pages->bytes;
    size_t sum;

    if (file == NULL)
        return 0;
    sum = sum_huge(file, start, start + pages->size);
    fclose(file);
    return sum < pages->size ? sum : pages->size;
}
