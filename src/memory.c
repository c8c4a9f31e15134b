#include "memory.h"

double memory_access_efficiency(enum access access)
{
    switch (access) {
    case ACCESS_STRIDED:
        return 0.5;
    case ACCESS_RANDOM:
        return 0.2;
    case ACCESS_SEQUENTIAL:
        break;
    }
    return 0.875;
}
