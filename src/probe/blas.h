/* The system's BLAS, looked for when it is first asked for: programs do without. */
#ifndef AOLAG_BLAS_H
#define AOLAG_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* The library's file name, "libopenblas.so.0"; NULL where none is there. Of several the one that is
 * written for the processor goes first. */
const char *blas_name(void);

/* Whether it is a tuned one (OpenBLAS, MKL, BLIS, ATLAS), not the reference implementation, which
 * takes a product element by element. */
bool blas_tuned(void);

/* result = matrix vector; rows follow one another, of `columns` each. Only where there is a name;
 * it uses the calling thread only. */
void blas_mvm(const float *matrix, const float *vector, float *result, size_t rows, size_t columns);

#endif
