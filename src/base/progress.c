#include "base/progress.h"

void pace_look(struct pace *pace)
{
    pace->look = pace->steps + STEPS_PER_LOOK;
    if (!pace->stopped)
        pace->stopped = !progress_report(pace->progress, PROGRESS_SAME);
}
