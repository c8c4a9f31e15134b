/* Threads that work at the same time, each pinned to its own core. */
#ifndef AOLAG_PROBE_TEAM_H
#define AOLAG_PROBE_TEAM_H

#include <stdint.h>

#include "base/status.h"

struct team;

/* The work of member `rank` (from 0) of `size`. What a member touches first lies near its core. */
typedef void team_work(void *data, int rank, int size);

/* One member for each core the process may use, at most `most`; the caller is rank 0 and stays
 * pinned until team_close. */
enum status team_open(struct team **team, int most, struct error *error);
void team_close(struct team *team);

int team_size(const struct team *team);

/* Runs `work` once in every member and returns when the last has finished. Members spin while they
 * wait, so that a start costs well under a microsecond. */
void team_run(struct team *team, team_work *work, void *data);

#endif
