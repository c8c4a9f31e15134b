#include "model/timeline.h"

#include <math.h>

#include "check.h"
#include "draw.h"

TEST(takes_the_longer)
{
    CHECK_NEAR(roofline_time(3, 5, 1), 5, 0);
    CHECK_NEAR(roofline_time(5, 3, 1), 5, 0);
    CHECK_NEAR(roofline_time(0, 0, 1), 0, 0);
}

TEST(adds_without_overlap)
{
    CHECK_NEAR(roofline_time(3, 5, 0), 8, 0);
    CHECK_NEAR(roofline_time(3, 5, 0.5), 6.5, 0);
    CHECK_NEAR(roofline_time(5, 3, 0.25), 7.25, 0);
}

TEST(never_falls)
{
    struct draw draw = draw_start(41);

    for (int i = 0; i < 1000; i++) {
        double c = draw_log(&draw, 1e-9, 1);
        double m = draw_log(&draw, 1e-9, 1);
        double o = draw_between(&draw, 0, 1);
        double t = roofline_time(c, m, o);

        CHECK_TRUE(t >= fmax(c, m) && t <= (c + m) * (1 + 1e-15) && t == roofline_time(m, c, o) &&
                       roofline_time(c * 1.1, m, o) >= t && roofline_time(c, m, o / 2) >= t,
                   "%g and %g at overlap %g take %g", c, m, o, t);
    }
}
