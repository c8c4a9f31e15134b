#include "check.h"

extern const struct suite suite_app;
extern const struct suite suite_app_action;
extern const struct suite suite_app_advise;
extern const struct suite suite_app_compare;
extern const struct suite suite_app_components;
extern const struct suite suite_app_detector;
extern const struct suite suite_app_explain;
extern const struct suite suite_app_explore;
extern const struct suite suite_app_files;
extern const struct suite suite_app_history;
extern const struct suite suite_app_jitter;
extern const struct suite suite_app_layout;
extern const struct suite suite_app_line;
extern const struct suite suite_app_machine;
extern const struct suite suite_app_picker;
extern const struct suite suite_app_picture;
extern const struct suite suite_app_roofline;
extern const struct suite suite_app_screens;
extern const struct suite suite_app_storm;
extern const struct suite suite_app_structure;
extern const struct suite suite_app_sweep;
extern const struct suite suite_app_timeline;
extern const struct suite suite_app_words;
extern const struct suite suite_canvas;
extern const struct suite suite_chart_canvas;
extern const struct suite suite_chart_svg;
extern const struct suite suite_chart_table;
extern const struct suite suite_charts;
extern const struct suite suite_detector_map;
extern const struct suite suite_plot;
extern const struct suite suite_surface;

const struct suite *const check_suites[] = {
    &suite_app,
    &suite_app_action,
    &suite_app_advise,
    &suite_app_compare,
    &suite_app_components,
    &suite_app_detector,
    &suite_app_explain,
    &suite_app_explore,
    &suite_app_files,
    &suite_app_history,
    &suite_app_jitter,
    &suite_app_layout,
    &suite_app_line,
    &suite_app_machine,
    &suite_app_picker,
    &suite_app_picture,
    &suite_app_roofline,
    &suite_app_screens,
    &suite_app_storm,
    &suite_app_structure,
    &suite_app_sweep,
    &suite_app_timeline,
    &suite_app_words,
    &suite_canvas,
    &suite_chart_canvas,
    &suite_chart_svg,
    &suite_chart_table,
    &suite_charts,
    &suite_detector_map,
    &suite_plot,
    &suite_surface,
    NULL,
};
