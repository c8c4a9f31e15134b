#include "model/frames.h"

#include "check.h"
#include "tracks.h"

/* A computation of `seconds` behind a readout of 1 s. */
static struct timeline one_computation(double seconds, double period)
{
    struct timeline timeline;

    tracks_clear();
    tracks_camera(0, 1);
    tracks[1].kind = TRACK_COMPUTE;
    tracks[1].compute = seconds;
    tracks[1].command = true;
    tracks_follow(1, 0);
    timeline = tracks_timeline(2, 1, SHARING_EXCLUSIVE);
    timeline.period = period;
    return timeline;
}

TEST(one_frame_that_is_done_in_time)
{
    struct timeline timeline = one_computation(2, 2);

    CHECK_INT(frames_run(&timeline, true), FRAMES_REPEAT);
    CHECK_INT(timeline.frames, 1);
    CHECK_NEAR(tracks[1].last, 3, 0);
}

/* The next frame finds the computation busy: each frame ends later. */
TEST(frames_that_grow)
{
    struct timeline timeline = one_computation(2, 1.5);

    CHECK_INT(frames_run(&timeline, true), FRAMES_GROW);
    CHECK_INT(timeline.frames, 1);
}
