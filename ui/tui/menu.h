/* Lists to choose from, over the view. `chosen` is called with the caller's context and the id of
 * the item once one is taken; until then nothing happens. */
#ifndef AOLAG_TUI_MENU_H
#define AOLAG_TUI_MENU_H

#include <stdbool.h>
#include <stdint.h>

#include "design/knob.h"

struct app;
struct host;

typedef void menu_chosen(void *context, int id);

/* A knob's choices, a device's presets: what is chosen becomes the knob's value. */
void menu_knob_choices(struct host *host, struct knob_ref ref);

/* Presets of the device's kind. `filter` NULL or empty: all; else false, and no list, when nothing
 * passes it. */
bool menu_device_presets(struct host *host, int device, const char *filter);

/* What a design may be compared with: the baseline where there is one, a file, AO systems; `id` is
 * one of these or a preset's number. */
enum { MENU_BASELINE = -1, MENU_FILE = -2 };
void menu_designs(struct host *host, menu_chosen *chosen, void *context);

/* The rest is the application's: what becomes of the item that is chosen. */
struct menu {
    menu_chosen *chosen;
    void *context;
    bool question;       /* the first letter of an answer gives it */
    struct knob_ref ref; /* whose choices they are */
    int device;          /* whose presets they are */
};

/* Opens the picker as it was filled, the cursor on item `focus`. */
void menu_open(struct host *host, int focus, menu_chosen *chosen, void *context);
void menu_choose(struct app *app);

/* A question; its answers begin with different letters. `safe` is the one Enter gives. */
void menu_ask(struct host *host, const char *title, const char *question,
              const char *const *answers, int safe, menu_chosen *chosen, void *context);
void menu_answer(struct app *app, uint32_t letter);

bool menu_systems(struct host *host, const char *filter); /* as menu_device_presets */

#endif
