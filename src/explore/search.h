/* Search: every combination of the values of some axes (sweep.h), and those worth having.
 *
 * A design is excluded if it is invalid, if a part needs another host, if a host has too few PCIe
 * lanes, if a memory does not hold its working sets, if it does not keep up with its frames, if it
 * misses a condition, or if an objective has no value, such as the power where a device does not
 * state it; sweep.h has the order of these reasons. Designs that differ only in values of a device
 * that does not exist are tried once. Parts that are not sold singly are not tried unless they are
 * named (axis_leave_out).
 *
 * The front: of the other designs those that no other one dominates, that is, equals or exceeds in
 * every objective and exceeds in one; of equal ones the first. A design whose controller takes time
 * that is not counted (controllers.h) dominates none whose controller's time is, if both are among
 * the designs. The search is exhaustive, or excludes designs by a bound that is proven
 * (search_bound), so that the front is exact, but for wavefront errors that are taken to grow with
 * the delay (surpass.h). It depends
 * neither on the number of threads nor on how the designs are divided into blocks (sweep_shard):
 * the front of all is the front of the fronts of the blocks.
 *
 * Designs of the front that cannot be told apart are equivalent (search_fold). */
#ifndef AOLAG_EXPLORE_SEARCH_H
#define AOLAG_EXPLORE_SEARCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/progress.h"
#include "explore/compare.h"
#include "explore/condition.h"
#include "explore/sweep.h"
#include "explore/trial.h"
#include "model/result_read.h"
#include "model/verdict.h"

#define OBJECTIVES_MAX 4
#define OBJECTIVES_DEFAULT "latency,watts"
#define OBJECTIVES_OF_LOOP "loop.total,watts"

enum { SEARCH_VERDICTS = SWEEP_MISSED + CONDITIONS_MAX };

/* A design of a front. */
struct search_point {
    uint64_t number;
    double value[OBJECTIVES_MAX]; /* SI */
    bool uncounted;               /* the time of its controller, while an axis may change that */
};

struct search_front {
    int count, capacity;
    struct search_point *point; /* by the first objective, the best first */
};

struct search_axes;

struct search {
    /* The question: `sweep` with the axes, the objectives as wanted results, and conditions. */
    struct sweep sweep;
    struct result_ref objective[OBJECTIVES_MAX];
    struct conditions conditions;
    bool bounded;               /* search_bound was called */
    struct search_front known;  /* designs that exclude others */
    pthread_mutex_t *learning;  /* of `known` while kept designs are added to it; NULL: none are */
    int column[SWEEP_AXES_MAX]; /* axes of the sweep in the order in which they were given */
    uint64_t designs;           /* all */
    const struct search_axes *chosen; /* the axes, where none was stated; NULL: all were */

    /* The answer */
    uint64_t count[SEARCH_VERDICTS]; /* designs by enum sweep_verdict */
    uint64_t invalid;                /* number of the first invalid design, if there is one */
    struct error problem;            /* why it is invalid */
    atomic_bool fell; /* a total contradicted what left out others: all are found (sweep.h) */
    struct search_front front;

    /* Why a preset is not on the front: the answer for its designs alone. */
    const char *why; /* the preset; NULL: not asked */
    uint64_t why_count[SEARCH_VERDICTS];
    struct search_front why_front;
};

/* A design of a front with all that is reported. */
struct search_design {
    struct search_point point;
    int at[SWEEP_AXES_MAX];    /* index of the value on each axis */
    double latency, low, high; /* s; `high` RESULT_NONE: it may not keep up */
    bool may_not_keep_up;      /* or is overloaded */
    bool other_clock;          /* compare_clocks with the present design */
    double margin;             /* s */
    double max_frame_rate;     /* Hz; RESULT_NONE if nothing takes time */
    double watts;              /* W; RESULT_NONE if a device does not state it */
    double total;              /* m, wavefront error with a star (derived_star_total) */
    double price;              /* RESULT_NONE if a device does not state it */
    double parts;              /* processors and accelerators */
    double memory;             /* fraction of the fullest memory; RESULT_NONE: no size is known */
    char memory_of[NAME_MAX_LENGTH + 1]; /* its device, or "" */
    char bound_node[NODE_NAME_MAX + 1];  /* the largest part of the latency, or "" */
    enum bound bound;
    char limited_by[VERDICT_TEXT_MAX]; /* in words (model/verdict.h) */
    char limit[NODE_NAME_MAX + 1];     /* what limits the frame rate */
    const char *uncounted; /* what of the time of its controller is not (controllers.h); NULL: nothing */
    /* Of an answer: the index of the design that stands for its group, itself if that does, and how
     * many others it stands for */
    int shown, equivalent;
    double fastest, slowest; /* s, latencies of the group that it stands for */
};

/* Returns the caveat (caveat.h) of the value of an axis in a design with these values; NULL: none, or
 * the present design has it. */
const char *search_caveat(const struct search *search, const int at[SWEEP_AXES_MAX], int axis);

/* Sorts axes so that those of parts change fastest, else in the order given, which the columns
 * keep: a design with another part takes less time than one with other components, such as those of
 * another number of devices. */
void search_order_axes(struct search *search, struct axis *axis, int count);

/* Returns the objectives of a search that states none. With a star and an axis that changes the error
 * budget other than by the delay (budget_depends), such as the frame rate, OBJECTIVES_OF_LOOP: then
 * a slower design may leave less. Else OBJECTIVES_DEFAULT: with parts alone the wavefront error of a
 * loop grows with its latency, so that both give the same front and order, but for a vibration that
 * a longer delay happens to amplify less; and the budget takes several times as long as evaluate.
 * Without the power if that is unknown and no axis has parts that may state it.
 * `result`: of the scenario of the sweep, whose axes are set. */
const char *search_default_objectives(const struct search *search, struct result *result);

/* Reads the objectives "latency,watts": results that have a better direction. Returns
 * STATUS_INVALID with the nearest name in the message. `result`: of the scenario. */
enum status search_parse_objectives(const struct scenario *scenario, const struct result *result,
                                    const char *text, struct search *search, struct error *error);

/* Evaluates designs `first` to `end` - 1 and adds them to the answer, which is zeroed at first.
 * `progress` may read the answer so far, of whole blocks of designs in order, to show it: the front
 * is not sorted then; and nobody else while the search runs. If it returns false, the search ends
 * within a few milliseconds with STATUS_STOPPED, and the answer is that of the designs so far. If a
 * total contradicts what left out others, these designs, not those of earlier calls, are evaluated
 * again with all totals. Errors as sweep_designs. */
enum status search_run(struct search *search, uint64_t first, uint64_t end,
                       const struct progress *progress, struct error *error);

/* Returns the number of designs in the answer so far: all of them once the search has ended. */
uint64_t search_tried(const struct search *search);

/* Writes what excludes designs, most of them first: "12 overloaded, 3 miss latency <= 500 us". */
void search_print_excluded(const struct search *search, const uint64_t count[SEARCH_VERDICTS],
                           struct buffer *text);

/* Lets the search exclude designs that cannot be on the front without evaluating them, by what they
 * are at least (struct sweep_least): they miss a condition on the latency, power, price or count,
 * or a known design is as good and better in an objective, or has a lower number. The known designs
 * are the front of a sample of all designs, and of all those that differ from one of these in parts
 * only; they do not depend on the block that is searched or the number of threads, and neither do
 * the answer and the number of designs excluded. The front is that of the exhaustive search.
 * Designs with the preset `why` are not excluded.
 *
 * Returns false, and changes nothing, if no design can be excluded: an objective is none of
 * latency, latency_high, watts, price and count, or least results are not known (sweep_inner). */
bool search_can_bound(const struct search *search);
enum status search_bound(struct search *search, const struct progress *progress,
                         struct error *error);

/* Adds a design to a list. */
void search_append(struct search_front *front, const struct search_point *point);

/* Adds a design to a front if none of its designs dominates or equals it, and removes those that it
 * dominates. Designs have to be added in order of their numbers. */
void search_add(const struct search *search, struct search_front *front,
                const struct search_point *point);

/* Sets `uncounted` of designs that another search found. */
void search_mark_uncounted(const struct search *search, struct search_front *front);

/* Sorts a front by the first objective, then the next ones. */
void search_sort(const struct search *search, struct search_front *front);

/* Returns the first design of the front, as it is sorted, that dominates or equals a point, -1
 * if there is none or a value of it is unknown. */
int search_find_better(const struct search *search, const struct search_point *point);

/* What is reported of a search. */
struct search_answer {
    bool has_present;             /* the design that the axes change is valid */
    struct search_design present; /* without a number */
    int present_verdict;          /* what excludes it: enum sweep_verdict */
    int count, why_count;
    struct search_design *front, *why; /* [count], [why_count] */
    /* [count], of the front: what search_fold compares; NULL: its range is not known. NULL: a copy,
     * which is not folded again. */
    struct compare_errors **errors;
    bool stopped; /* some designs have no more than the values of their objectives */
};

/* Puts designs of the front into groups: by power, those without last and equal ones as they are
 * listed, each joins the group whose design of least power it cannot be told from, of several that
 * of most power, which is nearest to it, or begins one. Only designs of least power are shown: none
 * of them can be told from the designs of its group, but all from each other. Two designs can be
 * told apart if the comparison of their latencies is decided (compare.h), if they have other values
 * of an objective than latency and power, by COMPARE_PRACTICAL, or if one may not keep up or has a
 * controller whose time is not counted. `within` above 0: if latencies or objectives differ by more
 * than this fraction. */
void search_fold(const struct search *search, double within, struct search_answer *answer);

/* Returns true if a design of the front stands for its group. */
static inline bool search_is_shown(const struct search_answer *answer, int i)
{
    return answer->front[i].shown == i;
}

/* Returns true if a design has less latency than the present one, but the upper end of its range is
 * more than PACKETS_HIGH (advise.h) times that of the present one, or there is none: a gain that
 * aolag advise would not recommend. */
bool search_is_less_certain(const struct search_answer *answer,
                            const struct search_design *design);

/* Evaluates a design with its range by a trial of the design that the axes change. `errors` (NULL:
 * not wanted): of it, which the caller frees. */
enum status search_describe(const struct search *search, uint64_t number, struct trial *trial,
                            struct search_design *design, struct compare_errors **errors,
                            struct error *error);

/* Fills in what an answer says of the present design. */
enum status search_describe_present(const struct search *search, struct trial *trial,
                                    struct search_answer *answer, struct error *error);

/* Evaluates the designs of the front, the first ones of those with the preset that is asked for,
 * and the present one again, with their ranges. `result` (result_init): work space. If `progress`
 * returns false, the remaining ones are not evaluated, which `stopped` tells. They are not folded yet.
 * Returns
 * STATUS_INVALID if they do not have the values of the front, which is then of another scenario or
 * program. Call search_answer_free in any case. */
#define SEARCH_WHY 3
enum status search_answer(const struct search *search, const struct progress *progress,
                          struct result *result, struct search_answer *answer, struct error *error);
void search_answer_free(struct search_answer *answer);

void search_free(struct search *search); /* the fronts only */

#endif
