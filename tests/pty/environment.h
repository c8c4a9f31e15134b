/* What a test's program finds around it. */
#ifndef AOLAG_PTY_ENVIRONMENT_H
#define AOLAG_PTY_ENVIRONMENT_H

#include "pty.h"

/* Sets this process's environment, a child's that becomes the program. */
void environment_set(const struct pty_options *options);

#endif
