#include "check.h"

extern const struct suite suite_app;
extern const struct suite suite_app_action;
extern const struct suite suite_app_history;
extern const struct suite suite_app_layout;
extern const struct suite suite_app_line;
extern const struct suite suite_app_picker;
extern const struct suite suite_app_screens;
extern const struct suite suite_app_storm;
extern const struct suite suite_app_words;
extern const struct suite suite_assign;
extern const struct suite suite_canvas;
extern const struct suite suite_cli_output;
extern const struct suite suite_csv;
extern const struct suite suite_ini;
extern const struct suite suite_ini_bytes;
extern const struct suite suite_ini_fuzz;
extern const struct suite suite_keys;
extern const struct suite suite_preset;
extern const struct suite suite_preset_data;
extern const struct suite suite_save;
extern const struct suite suite_save_file;
extern const struct suite suite_save_random;

const struct suite *const check_suites[] = {
    &suite_app,
    &suite_app_action,
    &suite_app_history,
    &suite_app_layout,
    &suite_app_line,
    &suite_app_picker,
    &suite_app_screens,
    &suite_app_storm,
    &suite_app_words,
    &suite_assign,
    &suite_canvas,
    &suite_cli_output,
    &suite_csv,
    &suite_ini,
    &suite_ini_bytes,
    &suite_ini_fuzz,
    &suite_keys,
    &suite_preset,
    &suite_preset_data,
    &suite_save,
    &suite_save_file,
    &suite_save_random,
    NULL,
};
