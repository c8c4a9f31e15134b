/* A timeline as a chart: what every packet did, in rows by component or by device and link. */
#ifndef AOLAG_CHARTS_TIMELINE_H
#define AOLAG_CHARTS_TIMELINE_H

#include "draw/chart.h"
#include "model/schedule.h"

struct timeline_window {
    enum row_order by;
    double from, to; /* s from the start of readout of the reported frame; from below to */
    double merge; /* s: slots shorter than that and as near to one another are one span; 0: none */
};

/* What binds a slot that works, critical or not. */
enum chart_look timeline_bound_look(const struct schedule *schedule,
                                    const struct schedule_entry *slot);

/* When a slot stops waiting and begins to work: with processor sharing that goes on, slowed down by
 * others' work, until the slot ends. */
double timeline_busy_from(const struct schedule_entry *slot);

/* "packet 12" (from 1), "deferred work". */
void timeline_slot_name(const struct schedule *schedule, const struct schedule_entry *slot,
                        char *text, size_t size);

/* The whole frame, from the start of readout to a little after all is done; and what the latency
 * is made of, from the last pixel to the last command. */
void timeline_whole(const struct schedule *schedule, double *from, double *to);
void timeline_tail(const struct schedule *schedule, double *from, double *to);

struct timeline_rule {
    enum chart_look look;
    const char *name;
    double at; /* s */
};

#define TIMELINE_RULES 4

/* Last pixel, command, target and next frame. */
void timeline_rules(const struct schedule *schedule, struct timeline_rule rule[TIMELINE_RULES]);

/* Initialises the chart. Frames before and after the reported one are behind it. */
void timeline_chart(const struct schedule *schedule, const struct timeline_window *window,
                    struct chart *chart);

/* The same of a result that was just evaluated, over the whole frame or (`tail`) what its latency
 * is made of, fit for a picture of a slide. STATUS_MEMORY; the chart is then empty. */
enum status timeline_picture(const struct scenario *scenario, const struct result *result,
                             enum row_order by, bool tail, struct chart *chart,
                             struct error *error);

#endif
