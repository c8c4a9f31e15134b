#include "probe/loops/kernel_loops.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

void kernel_loops_here(const struct kernel_loops *list[KERNEL_LOOPS_MAX])
{
    int count = 0;

#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        list[count++] = &kernel_loops_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        list[count++] = &kernel_loops_avx2;
#endif
    list[count++] = &kernel_loops_plain;
    list[count] = NULL;
}

/* The system's BLAS ---------------------------------------------------------------------------- */

/* CBLAS constants: row-major, not transposed */
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };

typedef void blas_sgemv(int order, int transpose, int rows, int columns, float alpha,
                        const float *matrix, int stride, const float *vector, int step, float beta,
                        float *result, int result_step);
typedef void blas_set_threads(long count);

static struct {
    const char *name;
    blas_sgemv *multiply;
    bool tuned;
} library;

/* Optimised libraries first; the system may provide any of them as "libcblas" or "libblas". */
static const char *const library_names[] = {
    "libopenblas.so.0", "libopenblas.so", "libmkl_rt.so.2", "libmkl_rt.so", "libblis.so.4",
    "libblis.so",       "libcblas.so.3",  "libblas.so.3",   "libcblas.so",  "libblas.so",
};

/* The work is already divided among the members of a team. */
static void use_one_thread(void *handle)
{
    static const char *const setters[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads",
                                          "bli_thread_set_num_threads"};

    for (size_t i = 0; i < sizeof setters / sizeof setters[0]; i++) {
        blas_set_threads *set = NULL;
        void *symbol = dlsym(handle, setters[i]);

        if (symbol != NULL) {
            memcpy(&set, &symbol, sizeof set);
            set(1);
        }
    }
}

/* Identifies the library by its symbols: an optimised one may have the reference's file name. */
static bool is_tuned_library(void *handle)
{
    static const char *const marks[] = {"openblas_get_config", "MKL_Get_Version",
                                        "bli_info_get_version_str", "ATL_sgemv"};

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (dlsym(handle, marks[i]) != NULL)
            return true;
    return false;
}

static void find_library(void)
{
    for (size_t i = 0; i < sizeof library_names / sizeof library_names[0]; i++) {
        void *handle = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL);
        void *symbol = handle == NULL ? NULL : dlsym(handle, "cblas_sgemv");

        if (symbol == NULL) {
            if (handle != NULL)
                dlclose(handle);
            continue;
        }
        use_one_thread(handle);
        memcpy(&library.multiply, &symbol, sizeof library.multiply);
        library.name = library_names[i];
        library.tuned = is_tuned_library(handle);
        return;
    }
}

const char *blas_name(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_library);
    return library.name;
}

bool blas_tuned(void)
{
    return blas_name() != NULL && library.tuned;
}

void blas_mvm(const float *matrix, const float *vector, float *result, size_t rows, size_t columns)
{
    library.multiply(ROW_MAJOR, NO_TRANSPOSE, (int)rows, (int)columns, 1, matrix, (int)columns,
                     vector, 1, 0, result, 1);
}
