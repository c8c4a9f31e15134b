/* The lines that act on the design: ':' runs words of the action table and commands of the command
 * line, '/' finds the knob that a text names. */
#ifndef AOLAG_TUI_COMMAND_LINE_H
#define AOLAG_TUI_COMMAND_LINE_H

struct app;

void act_command(struct app *app, const char *argument);
void act_set(struct app *app, const char *argument);
void act_reset(struct app *app, const char *argument);

void act_find(struct app *app, const char *argument);
void act_next_match(struct app *app, const char *argument);
void act_previous_match(struct app *app, const char *argument);

#endif
