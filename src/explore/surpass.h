/* Totals of the error budget that a search need not find: those of designs that an earlier one
 * dominates (search.h) whatever they are.
 *
 * Of two designs with the same telescope, turbulence, star or none, sensor and mirror, and an
 * integrator with one automatic gain, the one whose loop has the longer delay leaves no less: it
 * rejects less, and fewer gains are stable or have the margins. That is assumed, not proven: gains
 * are found with a tolerance, and integrals by frequencies that depend on the delay. So only a
 * delay that is longer by SURPASS_MARGIN counts; loops with vibrations do not; nor does a total
 * with the least gain that is tried, below which a longer delay may go (budget.h).
 *
 * Each thread checks the premise for the totals that it finds: those that are not surpassed, and
 * one in SURPASS_CHECKED of the surpassed ones, which it finds all the same. It compares them with
 * the designs that it keeps. Once one falls, `fell`, the rows of the sweep may be wrong; that none
 * falls does not prove them right. */
#ifndef AOLAG_EXPLORE_SURPASS_H
#define AOLAG_EXPLORE_SURPASS_H

#include <stdint.h>

#include "explore/axis.h"
#include "model/result_read.h"
#include "model/servo.h"

#define SURPASS_MARGIN 1e-4 /* of a delay */
#define SURPASS_CHECKED 17  /* designs whose number is a multiple; no usual number of values */
#define SURPASS_RESULTS 4
#define SURPASS_AXES 8

/* What is asked: the best designs of some axes in the wanted results. */
struct surpass_question {
    const struct scenario *base;
    const struct axis *axis;
    int axis_count; /* at most SURPASS_AXES */
    const struct result_ref *wanted;
    int wanted_count;
};

/* A design whose total is known. */
struct surpass_design {
    struct servo servo;
    uint64_t number;
    double value[SURPASS_RESULTS]; /* of the wanted results */
};

/* Of one thread, zero at first: designs with the same values on the axes that change the budget
 * (budget_depends), of which none is as good as another one for that. */
struct surpass {
    int at[SURPASS_AXES];
    int count, capacity;
    struct surpass_design *design;
    struct surpass_design asked; /* that surpass_finds was asked about last */
    bool may_grow;               /* its total, with its delay */
    bool checked;                /* it is surpassed */
    bool fell;
};

/* Returns true if a wanted result is the total, and no other one is derived. */
bool surpass_can(const struct surpass_question *question);

/* Returns true if a design before an evaluated one, with its values on the axes, dominates it, and
 * its total is not needed to check that. */
bool surpass_finds(struct surpass *surpass, const struct surpass_question *question,
                   uint64_t number, const int *at, const struct scenario *scenario,
                   const struct result *result);

/* Takes the design that was asked about last, whose total is known now. */
void surpass_note(struct surpass *surpass, const struct surpass_question *question,
                  const struct scenario *scenario, const struct result *result);

void surpass_free(struct surpass *surpass);

#endif
