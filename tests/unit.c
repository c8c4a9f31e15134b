#include "check.h"

extern const struct suite suite_advise;
extern const struct suite suite_algorithm_flow;
extern const struct suite suite_algorithms;
extern const struct suite suite_apexmap;
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
extern const struct suite suite_assign;
extern const struct suite suite_axis;
extern const struct suite suite_bandwidth;
extern const struct suite suite_buffer;
extern const struct suite suite_caches;
extern const struct suite suite_camera;
extern const struct suite suite_canvas;
extern const struct suite suite_catalogue;
extern const struct suite suite_chain;
extern const struct suite suite_chart_canvas;
extern const struct suite suite_chart_svg;
extern const struct suite suite_chart_table;
extern const struct suite suite_charts;
extern const struct suite suite_chase;
extern const struct suite suite_cli_output;
extern const struct suite suite_compare;
extern const struct suite suite_condition;
extern const struct suite suite_conditions;
extern const struct suite suite_critical;
extern const struct suite suite_csv;
extern const struct suite suite_detector_map;
extern const struct suite suite_device;
extern const struct suite suite_evaluate;
extern const struct suite suite_evaluate_again;
extern const struct suite suite_explain;
extern const struct suite suite_expression;
extern const struct suite suite_fit;
extern const struct suite suite_fit_flags;
extern const struct suite suite_flow;
extern const struct suite suite_format;
extern const struct suite suite_frames;
extern const struct suite suite_grid;
extern const struct suite suite_held_out;
extern const struct suite suite_ini;
extern const struct suite suite_ini_bytes;
extern const struct suite suite_ini_fuzz;
extern const struct suite suite_job;
extern const struct suite suite_jitter;
extern const struct suite suite_kernels;
extern const struct suite suite_keys;
extern const struct suite suite_knees;
extern const struct suite suite_knob;
extern const struct suite suite_knob_idle;
extern const struct suite suite_knob_slider;
extern const struct suite suite_knob_text;
extern const struct suite suite_knob_value;
extern const struct suite suite_part_values;
extern const struct suite suite_schedule_rows;
extern const struct suite suite_link;
extern const struct suite suite_loop;
extern const struct suite suite_machine;
extern const struct suite suite_machine_preset;
extern const struct suite suite_measurement;
extern const struct suite suite_measurement_file;
extern const struct suite suite_memory;
extern const struct suite suite_memory_designs;
extern const struct suite suite_memory_levels;
extern const struct suite suite_memory_probe;
extern const struct suite suite_minimise;
extern const struct suite suite_nearest;
extern const struct suite suite_operation_table;
extern const struct suite suite_operations;
extern const struct suite suite_origin;
extern const struct suite suite_plot;
extern const struct suite suite_predict;
extern const struct suite suite_preset;
extern const struct suite suite_preset_data;
extern const struct suite suite_program;
extern const struct suite suite_program_design;
extern const struct suite suite_program_files;
extern const struct suite suite_program_trace;
extern const struct suite suite_published;
extern const struct suite suite_random;
extern const struct suite suite_rank;
extern const struct suite suite_rates;
extern const struct suite suite_meet_target;
extern const struct suite suite_readout;
extern const struct suite suite_record;
extern const struct suite suite_records;
extern const struct suite suite_residuals;
extern const struct suite suite_result_path;
extern const struct suite suite_roofline;
extern const struct suite suite_roofs;
extern const struct suite suite_save;
extern const struct suite suite_save_file;
extern const struct suite suite_save_random;
extern const struct suite suite_scenario;
extern const struct suite suite_schedule;
extern const struct suite suite_seek;
extern const struct suite suite_share;
extern const struct suite suite_split;
extern const struct suite suite_split_limits;
extern const struct suite suite_split_random;
extern const struct suite suite_shared;
extern const struct suite suite_shares;
extern const struct suite suite_sharing;
extern const struct suite suite_status;
extern const struct suite suite_surface;
extern const struct suite suite_sweep;
extern const struct suite suite_sweeps;
extern const struct suite suite_team;
extern const struct suite suite_timeline;
extern const struct suite suite_transfers;
extern const struct suite suite_units;
extern const struct suite suite_units_format;
extern const struct suite suite_worker;
extern const struct suite suite_workload;

const struct suite *const check_suites[] = {
    &suite_advise,
    &suite_algorithm_flow,
    &suite_algorithms,
    &suite_apexmap,
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
    &suite_assign,
    &suite_axis,
    &suite_bandwidth,
    &suite_buffer,
    &suite_caches,
    &suite_camera,
    &suite_canvas,
    &suite_catalogue,
    &suite_chain,
    &suite_chart_canvas,
    &suite_chart_svg,
    &suite_chart_table,
    &suite_charts,
    &suite_chase,
    &suite_cli_output,
    &suite_compare,
    &suite_condition,
    &suite_conditions,
    &suite_critical,
    &suite_csv,
    &suite_detector_map,
    &suite_device,
    &suite_evaluate,
    &suite_evaluate_again,
    &suite_explain,
    &suite_expression,
    &suite_fit,
    &suite_fit_flags,
    &suite_flow,
    &suite_format,
    &suite_frames,
    &suite_grid,
    &suite_held_out,
    &suite_ini,
    &suite_ini_bytes,
    &suite_ini_fuzz,
    &suite_job,
    &suite_jitter,
    &suite_kernels,
    &suite_keys,
    &suite_knees,
    &suite_knob,
    &suite_knob_idle,
    &suite_knob_slider,
    &suite_knob_text,
    &suite_knob_value,
    &suite_part_values,
    &suite_schedule_rows,
    &suite_link,
    &suite_loop,
    &suite_machine,
    &suite_machine_preset,
    &suite_measurement,
    &suite_measurement_file,
    &suite_memory,
    &suite_memory_designs,
    &suite_memory_levels,
    &suite_memory_probe,
    &suite_minimise,
    &suite_nearest,
    &suite_operation_table,
    &suite_operations,
    &suite_origin,
    &suite_plot,
    &suite_predict,
    &suite_preset,
    &suite_preset_data,
    &suite_program,
    &suite_program_design,
    &suite_program_files,
    &suite_program_trace,
    &suite_published,
    &suite_random,
    &suite_rank,
    &suite_rates,
    &suite_meet_target,
    &suite_readout,
    &suite_record,
    &suite_records,
    &suite_residuals,
    &suite_result_path,
    &suite_roofline,
    &suite_roofs,
    &suite_save,
    &suite_save_file,
    &suite_save_random,
    &suite_scenario,
    &suite_schedule,
    &suite_seek,
    &suite_share,
    &suite_split,
    &suite_split_limits,
    &suite_split_random,
    &suite_shared,
    &suite_shares,
    &suite_sharing,
    &suite_status,
    &suite_surface,
    &suite_sweep,
    &suite_sweeps,
    &suite_team,
    &suite_timeline,
    &suite_transfers,
    &suite_units,
    &suite_units_format,
    &suite_worker,
    &suite_workload,
    NULL,
};
