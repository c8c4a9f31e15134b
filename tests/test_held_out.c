/* Published times of kernels that stand in no file of the program, and that no default was chosen
 * by: what the model makes of measurements it has not seen. The products of KAUST's tlrmvm on two
 * AMD processors are not here: their 16 MPI ranks take some 160 us whatever they multiply. */
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "explore/published.h"

#define SIZE(rows, columns) "component.kernel.rows=" #rows " component.kernel.columns=" #columns

/* A complex product of tiles of 256, at the mean rank that gives the bytes its source states; an
 * element of 8 B stands for a complex one. */
#define COMPLEX_TILES(rank)                                                                        \
    SIZE(9801, 9801)                                                                               \
    " component.kernel.algorithm=tlr component.kernel.tile=256 component.kernel.precision=fp64"    \
    " component.kernel.rank=" #rank

static const struct {
    const char *preset, *settings;
    double measured; /* us */
    double factor;   /* how far off a prediction may be, either way */
} kernels[] = {
    /* cuBLAS, rocBLAS, OpenBLAS, torch: ecrc/tlrmvm test/cuda/{astronomy,seismology}_cudatest.sh,
     * ROCm/hipBLASLt issue 1321, OpenMathLib/OpenBLAS issue 2381, jacotay7/shmpipeline benchmarks
     */
    {"nvidia-a100-80gb-sxm", SIZE(5000, 20000), 259, 1.1},
    {"nvidia-a100-80gb-sxm",
     "component.kernel.type=custom component.kernel.flops=8e8 component.kernel.working_set=8e8 "
     "component.kernel.bytes_read=8e4 component.kernel.bytes_written=8e4",
     478.2, 1.1},
    {"amd-instinct-mi100", SIZE(16192, 16192), 1164.7, 1.25},
    {"nvidia-quadro-p620", SIZE(2844, 3630) " component.kernel.precision=fp64", 1473.9, 1.25},
    {"amd-epyc-7742", SIZE(4000, 4000), 48, 1.25},
    {"amd-epyc-7742", SIZE(4000, 4000) " component.kernel.workers=48", 43, 1.4},
    {"amd-epyc-7742", SIZE(1000, 4000) " component.kernel.workers=32", 18, 1.4},
    /* tile low-rank: ecrc/tlrmvm test/{cuda,cpp} */
    {"nvidia-a100-40gb-sxm",
     SIZE(4802, 19078) " component.kernel.algorithm=tlr component.kernel.tile=256 "
                       "component.kernel.rank=52.6",
     151, 2},
    {"nvidia-v100-sxm2", COMPLEX_TILES(42.5), 329.2, 2},
    {"nvidia-v100-sxm2", COMPLEX_TILES(9.69), 107.3, 2},
    {"nvidia-a100-40gb-sxm", COMPLEX_TILES(42.5), 223.8, 2},
    {"nvidia-a100-40gb-sxm", COMPLEX_TILES(9.69), 95.3, 2},
    {"nvidia-a100-80gb-sxm", COMPLEX_TILES(42.5), 230.0, 2},
    {"intel-xeon-gold-6330", COMPLEX_TILES(42.5) " device.hardware.sockets=2", 859, 2},
    {"nec-sx-aurora-ve10b", COMPLEX_TILES(42.5), 326, 2},
    {"nec-sx-aurora-ve10b", COMPLEX_TILES(9.69), 105, 2},
    {"nec-sx-aurora-ve10b", COMPLEX_TILES(42.5) " device.hardware.sockets=2", 262, 2},
};

TEST(predicted)
{
    struct error error = {STATUS_OK, ""};
    struct kernel_model *bench = NULL;

    if (!CHECK_TRUE(kernel_model_open(&bench, &error) == STATUS_OK, "%s", error.message))
        return;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        struct node_result node;
        double time;

        if (!CHECK_TRUE(kernel_model_predict(bench, kernels[i].preset, kernels[i].settings, &node,
                                             NULL, &error) == STATUS_OK,
                        "%s: %s", kernels[i].preset, error.message))
            continue;
        time = 1e6 * node.time;
        CHECK_TRUE(fabs(log(time / kernels[i].measured)) <= log(kernels[i].factor),
                   "%s: %s: %.4g us, measured %.4g", kernels[i].preset, kernels[i].settings, time,
                   kernels[i].measured);
    }
    kernel_model_close(bench);
}
