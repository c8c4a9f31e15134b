/* Unsaved changes kept when the program is ended from outside, and offered at the next start, in
 * files of their own: $XDG_STATE_HOME/aolag/recover.ini (default ~/.local/state), or the first free
 * of recover-2.ini, recover-3.ini... */
#ifndef AOLAG_TUI_RECOVERY_H
#define AOLAG_TUI_RECOVERY_H

struct app;

/* Writes a modified scenario to a recovery file, in place of the one it was opened from. Does
 * nothing for an unmodified one. */
void recovery_save(struct app *app);

/* What recovery_save did, for people; empty when there was nothing to do. */
const char *recovery_kept(const struct app *app);

/* Offers the recovery files, if there are any, at start (live program only): one after the other,
 * until one is opened. */
void recovery_offer(struct app *app);

/* The design is safe elsewhere, or not wanted. */
void recovery_forget(struct app *app);

#endif
