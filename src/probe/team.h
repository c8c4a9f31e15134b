/* Threads that run simultaneously, each pinned to its own core. */
#ifndef AOLAG_PROBE_TEAM_H
#define AOLAG_PROBE_TEAM_H

#include <stdint.h>

#include "base/status.h"

struct team;

/* Work of member `rank` (from 0) of `size`. Memory is allocated near the core of the member that
 * touches it first. */
typedef void team_work(void *data, int rank, int size);

/* Creates one member per available core, at most `most`. The caller is rank 0 and remains pinned
 * until team_close. */
enum status team_open(struct team **team, int most, struct error *error);
void team_close(struct team *team);

int team_size(const struct team *team);

/* Runs `work` once in every member and returns when all have finished. Waiting members spin, so a
 * start takes well under a microsecond. */
void team_run(struct team *team, team_work *work, void *data);

/* Starts and ends all members of `team` without work in between; a probe_loop. */
void team_repeat_barrier(void *team, uint64_t repeats);

#endif
