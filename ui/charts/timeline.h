/* Timeline chart of every packet, in rows by component or by device and link. */
#ifndef AOLAG_CHARTS_TIMELINE_H
#define AOLAG_CHARTS_TIMELINE_H

#include "draw/chart.h"
#include "model/schedule.h"

struct timeline_window {
    enum row_order by;
    double from, to; /* s from the start of readout of the reported frame; from < to */
    double merge;    /* s: slots shorter and closer than this share a span; 0: never */
};

/* Returns the look of what bounds a busy slot, whether or not it is on the critical path. */
enum chart_look timeline_bound_look(const struct schedule *schedule,
                                    const struct schedule_entry *slot);

/* Returns the time when a slot stops waiting and begins work, s. With processor sharing it is
 * slowed down by concurrent work until it ends. */
double timeline_busy_from(const struct schedule_entry *slot);

/* Writes the name of a slot: "packet 12" (from 1) or "deferred work". */
void timeline_slot_name(const struct schedule *schedule, const struct schedule_entry *slot,
                        char *text, size_t size);

/* The range of the whole frame, from the start of readout until shortly after all work ends; and of
 * the latency, from the last pixel to the last command. */
void timeline_whole(const struct schedule *schedule, double *from, double *to);
void timeline_tail(const struct schedule *schedule, double *from, double *to);

struct timeline_rule {
    enum chart_look look;
    const char *name;
    double at; /* s */
};

#define TIMELINE_RULES 4

/* Lists the last pixel and the command, the ends of the latency, then the target and the next
 * frame. */
void timeline_rules(const struct schedule *schedule, struct timeline_rule rule[TIMELINE_RULES]);

/* Initialises the chart. Other frames are drawn behind the reported one. */
void timeline_chart(const struct schedule *schedule, const struct timeline_window *window,
                    struct chart *chart);

/* Same for a result that was just evaluated, over the whole frame or (`tail`) over the latency
 * only, and sized for a slide. STATUS_STOPPED: the chart is empty. */
enum status timeline_picture(const struct scenario *scenario, const struct result *result,
                             enum row_order by, bool tail, struct chart *chart,
                             struct error *error);

#endif
