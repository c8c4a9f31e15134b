/* The list that is being chosen from (see host.h for those that views open). */
#ifndef AOLAG_TUI_MENU_H
#define AOLAG_TUI_MENU_H

#include <stdint.h>

#include "tui/host.h"

struct app;

/* Opens the picker as it was filled, the cursor on item `focus`. */
void menu_open(struct host *host, int focus, menu_chosen *chosen, void *context);
void menu_choose(struct app *app);

/* A question; its answers begin with different letters. `safe` is the one Enter gives. */
void menu_ask(struct host *host, const char *title, const char *question,
              const char *const *answers, int safe, menu_chosen *chosen, void *context);
void menu_answer(struct app *app, uint32_t letter);

/* AO systems; `id` is a preset's number. `filter` as for menu_device_presets. */
bool menu_systems(struct host *host, const char *filter, menu_chosen *chosen, void *context);

#endif
