/* A checksum of bytes: FNV-1a, 64 bits (Fowler, Noll, Vo;
 * http://www.isthe.com/chongo/tech/comp/fnv/). It finds accidents, not intent. */
#ifndef AOLAG_BASE_HASH_H
#define AOLAG_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_EMPTY UINT64_C(0xcbf29ce484222325) /* of no bytes */

/* Returns the hash of the bytes that `hash` is of, and further ones. */
static inline uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
