/* A search under way: its points. For the seek_*.c files only. */
#ifndef AOLAG_SEEK_SEARCH_H
#define AOLAG_SEEK_SEARCH_H

#include "explore/seek.h"
#include "units.h"

struct search {
    const struct scenario *scenario;
    struct scenario *work; /* where the knob is set */
    struct catalogue *catalogue;
    struct result *result;
    const struct progress *progress;
    struct seek *seek;
    struct unit unit; /* of the knob */
    double done;      /* part of the search */
    struct error *error;
    enum status status; /* other than STATUS_OK: the search is over */
};

/* Whether a design fulfils the conditions. */
bool search_holds(const struct seek_point *point);

/* The design as it is; with the knob at a number (SI); at a choice or preset of that place. */
void search_present(struct search *search, struct seek_point *point);
void search_number(struct search *search, double si, struct seek_point *point);
void search_choice(struct search *search, int place, const char *name, struct seek_point *point);

/* Looks both ways from the present number. */
void search_numbers(struct search *search);

#endif
