#include "check.h"

extern const struct suite suite_pty_actions;
extern const struct suite suite_pty_deaths;
extern const struct suite suite_pty_keys;
extern const struct suite suite_pty_session;
extern const struct suite suite_pty_terminals;

const struct suite *const check_suites[] = {
    &suite_pty_session,
    &suite_pty_actions,
    &suite_pty_keys,
    &suite_pty_terminals,
    &suite_pty_deaths,
    NULL,
};
