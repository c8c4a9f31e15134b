/* What shares a row in eval, on the screen and in a comparison. */
#include <stdio.h>

#include "check.h"
#include "model/alike.h"
#include "model/result.h"

TEST(three_digits)
{
    CHECK(values_alike(1, 1) && values_alike(1, 1.0004) && values_alike(0, 0));
    CHECK(!values_alike(1, 1.001) && !values_alike(1, 0) && !values_alike(1, RESULT_NONE));
    CHECK(values_alike(RESULT_NONE, RESULT_NONE));
}

TEST(names)
{
    CHECK(names_alike("gpu0", "gpu12") && names_alike("gpu", "gpu7") && names_alike("rtc", "rtc"));
    CHECK(!names_alike("gpu0", "cpu0") && !names_alike("gpu0", "gpu0b"));
}

static struct node_result part_of(int component, const char *name, double time)
{
    struct node_result node = {.component = component, .time = time, .flop = 1e6};

    snprintf(node.name, sizeof node.name, "%s", name);
    return node;
}

/* Times that print alike share a row though they are not equal: eval had two, the screen one. */
TEST(parts_and_transfers)
{
    struct node_result one = part_of(3, "recon@gpu0", 1e-4);
    struct node_result two = part_of(3, "recon@gpu1", 1.0003e-4);
    struct node_result to = part_of(-1, "slopes>recon@gpu0", 2e-6);
    struct node_result again = part_of(-1, "slopes>recon@gpu1", 2e-6);

    CHECK(nodes_alike(&one, &two) && nodes_alike(&to, &again));
    CHECK(!nodes_alike(&one, &to));
    two.flop = 1.1e6;
    CHECK(!nodes_alike(&one, &two));
    two = part_of(4, "control@gpu1", 1e-4);
    CHECK(!nodes_alike(&one, &two));
    again = part_of(-1, "recon@gpu0>control", 2e-6);
    CHECK(!nodes_alike(&to, &again));
    two = part_of(3, "recon", 1e-4);
    two.part = -1; /* the whole */
    CHECK(!nodes_alike(&one, &two));
}
