/* Cases of the model in tests/data/designs: what a design's results come to. */
#include "designs.h"

#include "check.h"

#define DESIGNS(name)                                                                              \
    TEST(name)                                                                                     \
    {                                                                                              \
        designs_run(#name ".txt");                                                                 \
    }

DESIGNS(algorithm_flow)
DESIGNS(camera)
DESIGNS(carried)
DESIGNS(chain)
DESIGNS(device)
DESIGNS(evaluate)
DESIGNS(flow)
DESIGNS(memory_designs)
DESIGNS(memory_levels)
DESIGNS(ports)
DESIGNS(programs)
DESIGNS(rates)
DESIGNS(refused)
DESIGNS(roofs)
DESIGNS(share)
DESIGNS(sharing)
DESIGNS(split)
DESIGNS(stated)
DESIGNS(steady)
DESIGNS(transfers)
DESIGNS(verdict)

TEST(broken_cases_fail)
{
    designs_run_broken("broken.txt");
}
