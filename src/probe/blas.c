#include "blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* CBLAS: rows follow one another, the matrix as it is */
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };

typedef void sgemv(int order, int transpose, int rows, int columns, float alpha,
                   const float *matrix, int stride, const float *vector, int step, float beta,
                   float *result, int result_step);
typedef void set_threads(long count);

static struct {
    const char *name;
    sgemv *multiply;
    bool tuned;
} library;

/* Tuned ones first; a name without "blas.so" alone may be any of them by the system's choice. */
static const char *const names[] = {
    "libopenblas.so.0", "libopenblas.so", "libmkl_rt.so.2", "libmkl_rt.so", "libblis.so.4",
    "libblis.so",       "libcblas.so.3",  "libblas.so.3",   "libcblas.so",  "libblas.so",
};

/* The members of a team share the work already. */
static void use_one_thread(void *handle)
{
    static const char *const setters[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads",
                                          "bli_thread_set_num_threads"};

    for (size_t i = 0; i < sizeof setters / sizeof setters[0]; i++) {
        set_threads *set = NULL;
        void *symbol = dlsym(handle, setters[i]);

        if (symbol != NULL) {
            memcpy(&set, &symbol, sizeof set);
            set(1);
        }
    }
}

/* Also behind the reference's name. */
static bool is_tuned(void *handle)
{
    static const char *const marks[] = {"openblas_get_config", "MKL_Get_Version",
                                        "bli_info_get_version_str", "ATL_sgemv"};

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (dlsym(handle, marks[i]) != NULL)
            return true;
    return false;
}

static void look(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        void *symbol = handle == NULL ? NULL : dlsym(handle, "cblas_sgemv");

        if (symbol == NULL) {
            if (handle != NULL)
                dlclose(handle);
            continue;
        }
        use_one_thread(handle);
        memcpy(&library.multiply, &symbol, sizeof library.multiply);
        library.name = names[i];
        library.tuned = is_tuned(handle);
        return;
    }
}

const char *blas_name(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, look);
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
