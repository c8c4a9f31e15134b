/* A reconstruction on a GPU, by OpenCL: the first GPU that a driver reports, else the first
 * accelerator or processor (probe/opencl.h). Slopes are copied there slot by slot, the product
 * comes back with the last one. */
#ifndef AOLAG_RUN_BOARD_H
#define AOLAG_RUN_BOARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct run_board;

#define RUN_BOARD_NAME 80

/* Copies a matrix of `rows` x `columns` to the device and writes the device's name. STATUS_INVALID
 * or STATUS_IO if there is no device, or it refuses; then there is nothing to close. */
enum status run_board_open(struct run_board **board, const float *matrix, size_t rows,
                           size_t columns, char name[RUN_BOARD_NAME], struct error *error);

/* Multiplies `count` columns from `first` on, a block of rows x count elements at first x rows, by
 * these slopes, which must not change before the last block of a frame, and adds the product to
 * that of the frame, which begins with `first` 0. Waits with the last block and copies the sum to
 * `result`. STATUS_INVALID if the device fails. */
enum status run_board_multiply(struct run_board *board, const float *slopes, size_t first,
                               size_t count, bool last, float *result, struct error *error);

#endif
