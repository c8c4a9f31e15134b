/* Advice on a design: what to measure first, the single change that gains most, the changes that
 * meet the target, the best partition of the devices and the best number of packets per frame.
 *
 * Each part tries many changed copies of the design (trial.h); the fastest part comes first. A step
 * is one realistic change of one knob (part_values.h), or another part. */
#ifndef AOLAG_EXPLORE_ADVISE_H
#define AOLAG_EXPLORE_ADVISE_H

#include "explore/calibrate.h"
#include "explore/cliff.h"
#include "explore/part_values.h"
#include "explore/shares.h"
#include "explore/trial.h"
#include "model/range.h"

/* Steps ---------------------------------------------------------------------------------------- */

/* Sets of knobs: one bit per knob_role. */
enum {
    STEPS_HARDWARE = 1U << ROLE_HARDWARE,
    STEPS_SOFTWARE = 1U << ROLE_SOFTWARE,
    STEPS_CHOICES = STEPS_HARDWARE | STEPS_SOFTWARE,
    STEPS_GIVEN = 1U << ROLE_INSTRUMENT | 1U << ROLE_ASSUMPTION
};

#define STEP_FROM 96

/* A step that applies, is not idle and gives a valid design; or the preset of the same kind with
 * which a device in use gains most, of all presets of parts that are sold singly (device.sold_in) or
 * of those that add no power, of several without a practical difference (compare.h) that with the
 * least power: `ref` is then KNOB_DEVICE_PRESET. */
struct advice {
    struct knob_ref ref;
    enum knob_role group;                      /* of the knob; a preset is hardware */
    int direction;                             /* as in struct value_step */
    char from[STEP_FROM], to[VALUE_STEP_TEXT]; /* in force, for display; for part_values_set */
    const char *caveat; /* what it costs or supposes: caveat.h; NULL: nothing known */
    const struct algorithm *algorithm; /* of all controllers, set with the controller of the loop
                                          (part_values_set); NULL: one knob changes */
    double gain;        /* s, reduction of `counted`, for given properties of the latency */
    double elasticity;  /* sensitivity_of */
    double error;       /* m, change of the total wavefront error, 0 below 0.005 nm; RESULT_NONE if
                           advise.error is, and after a step that makes the loop unstable */
    double lag;         /* m, likewise of the servo lag and advise.lag; no step is judged by it */
    bool practical;     /* gains a practical difference (compare.h), or lowers the load of an
                           overloaded design by 1 %, and is not `later`; or lowers `error` by 1 % */
    bool slower;        /* reduces the maximum frame rate */
    bool later; /* delays the last command although the latency may drop (a slower camera leaves
                   less work after the last pixel): never recommended; not of a choice that lowers
                   `error` by 1 %, which counts the delay */
    struct performance after;
};

struct advice_list {
    int count, capacity;
    struct advice *at;
};

/* Target --------------------------------------------------------------------------------------- */

#define TARGET_STEPS_MAX 16    /* per sequence */
#define TARGET_VALUES_MAX 64   /* values tried per knob and direction */
#define TARGET_LEAST_GAIN 1e-3 /* minimum relative reduction of the target ratio by a step */

/* One knob that alone meets the target. */
struct target_knob {
    struct knob_ref ref;
    int direction, steps;
    char from[STEP_FROM], to[VALUE_STEP_TEXT];
    const char *caveat; /* as that of a step; NULL: none */
    struct performance after;
};

/* The roles of the knobs that a sequence may change. */
enum target_source { TARGET_SOFTWARE, TARGET_HARDWARE, TARGET_CHOICES, TARGET_SOURCES };

/* Successive steps, each of which reduces performance_target_ratio most. If the sequence does not
 * meet the target, `after` contains the remaining limit. */
struct target_sequence {
    int count;
    struct advice step[TARGET_STEPS_MAX]; /* gain and result as of that step */
    bool exhausted; /* no further single step helps; false: cut off at the maximum length */
    double gain;    /* latency reduction of all steps in s */
    struct performance after;
};

struct meet_target {
    bool met; /* the design already meets the target; the rest is empty */
    int count, capacity;
    struct target_knob *knob; /* sorted by number of steps, then latency */
    struct target_sequence sequence[TARGET_SOURCES];
};

const char *target_source_name(enum target_source from);

/* Packets -------------------------------------------------------------------------------------- */

#define PACKETS_NEAR 1.01 /* permitted latency of `fewest` relative to `best` */

struct packet_count {
    int packets;      /* 0: the design is overloaded for every number */
    double gain;      /* latency reduction in s */
    double low, high; /* range of the latency; RESULT_NONE for `high` if it may not keep up */
    struct performance after;
};

/* The number of packets with the least latency. More packets may gain little and bring the design
 * close to falling behind: only numbers whose upper end of the range is at most PACKETS_HIGH times
 * the present one are recommended, if the present one has an upper end. All numbers to
 * PACKETS_DENSE are evaluated because the latency is discontinuous: it depends on the rows
 * completed by each packet. Beyond, where packets differ little in size, numbers in steps of 1 /
 * PACKETS_SPARSE are; beyond PACKETS_BEYOND times the largest number with a load of at most 1,
 * none: the load grows with the packets, but for packets that happen to fill their datagrams. */
#define PACKETS_DENSE 256
#define PACKETS_SPARSE 64
#define PACKETS_BEYOND 2
#define PACKETS_HIGH 1.05

struct packets {
    int present;
    struct packet_count now;
    struct packet_count lowest; /* least latency without overload; the smallest such number */
    struct packet_count best;   /* the same of the recommended ones; `lowest` if there are none */
    struct packet_count fewest; /* smallest recommended number with at most PACKETS_NEAR times the
                                   latency of `best` */
};

/* All parts ------------------------------------------------------------------------------------ */

enum advise_part {
    ADVISE_RANGE,
    ADVISE_STEPS,
    ADVISE_TARGET,
    ADVISE_SHARES,
    ADVISE_PACKETS,
    ADVISE_PARTS,
    ADVISE_NEXT /* of ADVISE_STEPS only what advise_next needs: less than half of the work */
};

/* A number of the design near whose value the latency has a cliff. */
struct advised_cliff {
    struct knob_ref ref;
    struct cliff cliff;
};

struct advise {
    const struct scenario *design;
    const struct part_values *values;
    struct trial *trial; /* of the design */
    struct performance now;
    double error; /* m rms, total wavefront error (budget.h) with a star; found with the steps, and
                     RESULT_NONE without a star and of an overloaded design */
    double lag;   /* m rms, servo lag of the loop without a star, likewise, but for ADVISE_NEXT */
    struct latency_range range; /* its first group is what to measure first */
    /* what measurements of results would do to the range, best first; found with it */
    int measure_count;
    struct calibrate_candidate measure[CALIBRATE_CANDIDATES];
    double sigma; /* of the logarithm of the latency, now, as for these */
    struct advice_list choices; /* hardware and software, sorted by `error` if that is known, else
                                   by gain or, if the design is overloaded, by remaining load, and
                                   by power where the latencies and loads have no practical
                                   difference; `later` ones last */
    struct advice_list given;   /* instrument and assumptions, sorted by `error` or gain */
    int cliff_count, cliff_capacity;
    struct advised_cliff *cliff; /* found with the steps, the largest first */
    struct meet_target target;
    int split_count; /* one per device with two or more components, then one for all devices */
    struct share_split split[DEVICE_MAX + 1];
    struct packets packets;
};

/* Evaluates the design, unless `progress` stops it; it and `values` must outlive the advice.
 * Returns the errors of evaluate. */
enum status advise_new(struct advise **advise, const struct scenario *scenario,
                       const struct part_values *values, const struct progress *progress,
                       struct error *error);
void advise_free(struct advise *advise);

/* Returns how many of the measurements narrow the range by 5 % or more, at most two: those to show. */
int advise_measures(const struct advise *advise);

/* Returns true for a step to recommend: it is practical and fits the memory of the devices. */
bool advice_gains(const struct advice *advice);

/* Returns true for the step of a property in `given` to show: the better of its knob's two, if it, or
 * a change of the property by 10 %, gains 1 %; it lowers the load of an overloaded design. With a
 * star also for the best step of a knob that lowers the wavefront error by 1 %. */
bool advice_helps(const struct advise *advise, const struct advice_list *given, int i);

/* Returns how many properties of a role gain less. */
int advice_left_out(const struct advise *advise, enum knob_role role);

/* Returns true if the step changes the latency by more than rounding errors. */
bool advice_counts(const struct advice *advice);

/* Writes the name of a step in a line of text: the part ("MI355X"), the knob if a number rises
 * ("memory clock"), else a phrase of the knob and its value ("2 sockets", "mapped copies", "dm by
 * PCIe", "fp16"). Where several devices or components have the knob it says of which. */
#define ADVICE_NAME 128
void advice_name(const struct advise *advise, const struct advice *advice, char name[ADVICE_NAME]);

/* Writes a model without the vendor and, before a type number, the family: "MI355X", "EPYC 9654",
 * "A100 80GB SXM4". */
void advice_model(const char *model, char name[ADVICE_NAME]);

/* Writes the model of a preset so, and where another model differs only in what stands in
 * parentheses as much of that as makes a difference: "MI250X (one GCD)"; without a model, the name
 * of the preset. The mark of one's own follows (preset_mark). */
void advice_part(const struct advise *advise, const char *preset, char name[ADVICE_NAME]);
void advice_preset(struct catalogue *catalogue, const char *preset, char name[ADVICE_NAME]);

/* The steps to name first: the best hardware step, then the best one that adds no power or, where
 * there is none, the second best, of another knob; and the best software step, but one without a
 * caveat if it gains at least NEXT_PART of what that gains; of an overloaded design those that lower
 * its load. Fluid sharing, an assumption about the software, is named where there is no other. NULL
 * where there is none to recommend. Needs ADVISE_STEPS or ADVISE_NEXT. */
#define NEXT_HARDWARE 2
#define NEXT_PART (1.0 / 3)

struct advise_next {
    const struct advice *hardware[NEXT_HARDWARE], *software; /* in `choices` */
};

void advise_next(const struct advise *advise, struct advise_next *next);

/* Names for progress reports: "the packets". */
extern const char *const advise_part_names[ADVISE_PARTS];

/* Computes one part; the parts are independent. Returns STATUS_STOPPED with the results so far. */
enum status advise_find(struct advise *advise, enum advise_part part,
                        const struct progress *progress, struct error *error);

#endif
