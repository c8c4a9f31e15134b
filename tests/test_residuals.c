/* Residuals gathered along the axes of a surface and as its map. */
#include "probe/residuals.h"

#include <math.h>

#include "check.h"

/* T is predicted to be L seconds. */
static double is_block(const struct surface_point *point, const void *context)
{
    (void)context;
    return point->block;
}

/* alpha 0.1 and 1, L 1, 4, 16; the point at 0.1 and 4 is missing, that at 1 and 16 is there twice.
 */
static const struct surface_point points[] = {
    {.alpha = 0.1, .block = 16, .held = 4096, .seconds = 32},
    {.alpha = 1, .block = 1, .held = 4096, .seconds = 4},
    {.alpha = 1, .block = 4, .held = 4096, .seconds = 4},
    {.alpha = 1, .block = 16, .held = 4096, .seconds = 8},
    {.alpha = 0.1, .block = 1, .held = 4096, .seconds = 1},
    {.alpha = 1, .block = 16, .held = 2048, .seconds = 4},
};

static void group_is(const struct residual_group *group, double key, int count, double mean,
                     double squares, double worst)
{
    CHECK_NEAR(group->key, key, 1e-12);
    CHECK_INT(group->count, count);
    CHECK_NEAR(group->mean, mean * log(2), 1e-12);
    CHECK_NEAR(group->rms, sqrt(squares) * log(2), 1e-12);
    CHECK_NEAR(group->worst, worst * log(2), 1e-12);
}

TEST(along_the_axes)
{
    struct residuals residuals;

    if (!CHECK_INT(residuals_make(points, 6, is_block, NULL, &residuals, NULL), STATUS_OK))
        return;
    if (CHECK_INT(residuals.blocks, 3)) {
        group_is(&residuals.by_block[0], 1, 2, 1, 2, 2);
        group_is(&residuals.by_block[1], 4, 1, 0, 0, 0);
        group_is(&residuals.by_block[2], 16, 3, -2.0 / 3, 2, -2);
    }
    if (CHECK_INT(residuals.alphas, 2)) {
        group_is(&residuals.by_alpha[0], 1, 4, -0.25, 2.25, 2);
        group_is(&residuals.by_alpha[1], 0.1, 2, 0.5, 0.5, 1);
    }
    residuals_free(&residuals);
}

TEST(as_a_map)
{
    struct residuals residuals;

    if (!CHECK_INT(residuals_make(points, 6, is_block, NULL, &residuals, NULL), STATUS_OK))
        return;
    group_is(&residuals.cell[0], 0, 1, 2, 4, 2);
    group_is(&residuals.cell[1], 0, 1, 0, 0, 0);
    group_is(&residuals.cell[2], 0, 2, -1.5, 2.5, -2);
    group_is(&residuals.cell[3], 0, 1, 0, 0, 0);
    group_is(&residuals.cell[4], 0, 0, 0, 0, 0);
    group_is(&residuals.cell[5], 0, 1, 1, 1, 1);
    residuals_free(&residuals);
}

/* From 1 s to 16 s in eight steps of sqrt(2): 1 is in the first, 4 in the fifth, 16 in the last. */
TEST(over_the_prediction)
{
    struct residuals residuals;

    if (!CHECK_INT(residuals_make(points, 6, is_block, NULL, &residuals, NULL), STATUS_OK))
        return;
    if (CHECK_INT(residuals.predicted, 3)) {
        group_is(&residuals.by_predicted[0], pow(2, 0.25), 2, 1, 2, 2);
        group_is(&residuals.by_predicted[1], pow(2, 2.25), 1, 0, 0, 0);
        group_is(&residuals.by_predicted[2], pow(2, 3.75), 3, -2.0 / 3, 2, -2);
    }
    residuals_free(&residuals);
    if (!CHECK_INT(residuals_make(&points[1], 1, is_block, NULL, &residuals, NULL), STATUS_OK))
        return;
    if (CHECK_INT(residuals.predicted, 1))
        group_is(&residuals.by_predicted[0], 1, 1, 2, 4, 2);
    residuals_free(&residuals);
}

TEST(refuses_what_is_no_grid)
{
    static struct surface_point scattered[200];
    struct residuals residuals;
    struct error error = {.message = ""};

    for (int i = 0; i < 200; i++)
        scattered[i] = (struct surface_point){
            .alpha = 1.0 / (1 + i), .block = 1 + i, .held = 4096, .seconds = 1};
    CHECK_INT(residuals_make(scattered, 200, is_block, NULL, &residuals, &error), STATUS_INVALID);
    CHECK_STR(error.message, "200 different alpha and 200 different L are not a grid; allowed: up "
                             "to 10000 pairs");
    CHECK(residuals.by_alpha == NULL);
    if (CHECK_INT(residuals_make(scattered, 100, is_block, NULL, &residuals, &error), STATUS_OK))
        CHECK_INT(residuals.cell[1].count, 0);
    residuals_free(&residuals);
}
