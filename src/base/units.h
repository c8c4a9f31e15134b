/* Quantities: conversion between text with a unit and SI doubles.
 *
 * Inside the program every number is SI: seconds, hertz, bytes, bits, bytes per second, FLOP. Units
 * exist only in text. B and b (byte and bit) are different units and are never converted into each
 * other. k M G T are powers of 1000; Ki Mi Gi Ti are powers of 1024 and apply to bytes only (IEC
 * 80000-13). Numbers use a decimal point in every locale. */
#ifndef AOLAG_BASE_UNITS_H
#define AOLAG_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/number.h"
#include "base/status.h"

enum dimension {
    DIMENSION_NUMBER,         /* no unit */
    DIMENSION_TIME,           /* s */
    DIMENSION_FREQUENCY,      /* Hz */
    DIMENSION_BYTES,          /* B */
    DIMENSION_BITS,           /* bit, b */
    DIMENSION_BYTE_RATE,      /* B/s */
    DIMENSION_BIT_RATE,       /* bit/s, b/s */
    DIMENSION_TRANSFER_RATE,  /* T/s, transfers per second and pin */
    DIMENSION_FLOP,           /* FLOP */
    DIMENSION_FLOP_RATE,      /* FLOP/s */
    DIMENSION_OPERATION_RATE, /* OP/s, integer operations */
    DIMENSION_LENGTH,         /* m */
    DIMENSION_SPEED,          /* m/s */
    DIMENSION_ANGLE,          /* rad, deg */
    DIMENSION_POWER,          /* W */
    DIMENSION_PIXELS,         /* px */
    DIMENSION_CYCLES,         /* clock cycles */
    DIMENSION_COUNT
};

/* A unit as a ratio to SI: value_si = value · numerator / denominator. Both are exactly
 * representable, so that 500 us is the double nearest to 5e-4. */
struct unit {
    enum dimension dimension;
    double numerator;
    double denominator;
};

/* Finds the unit spelled in `text`: "us", "µs", "GB/s", "" (a plain number). Returns STATUS_INVALID
 * if there is no such unit. */
enum status unit_find(const char *text, struct unit *unit);

/* Visits every spelling of every unit and prefix; for tests, documentation and suggestions. */
void unit_each(void (*visit)(const char *spelling, const struct unit *unit, void *context),
               void *context);

/* Convert a number between SI and a unit, which must be one that unit_find knows. */
double unit_from_si(double si, const char *unit);
double unit_to_si(double value, const char *unit);

/* Reads "3.2 GHz" or "3.2" and converts it to SI. Without a unit, `unit` (as spelled in the knob
 * table) applies; for a unit of another dimension the error says which unit is expected. */
enum status quantity_parse(const char *text, const char *unit, double *si, struct error *error);

/* Writes `si` in `unit` with the fewest digits that read back as the same number: "3.2 GHz". A few
 * numbers (about one in ten of those that never came from text) have no exact text in a unit with a
 * prefix; they are written in the plain unit: "1.17048e-05 m". */
void quantity_format(double si, const char *unit, char *text, size_t size);

/* Rounds the number that begins a text as quantity_format writes it, unless it is whole, to the
 * four significant digits that a sentence needs: "23.21998873588548 deg" becomes "23.22 deg". */
void quantity_shorten(char *text);

/* Writes `si` for display with three significant digits and a suitable prefix: "122 us", "2.04
 * TB/s". `unit` selects the dimension; its own prefix does not matter, but sizes in B or KiB to TiB
 * are written with those ("37.4 KiB"), as memories are sold and caches divided, and in kB to TB
 * only what is no whole number of GiB ("94 GB" of a disk, "80 GiB"). Rates have powers of 1000, as
 * links have. Always ASCII ("us"). */
void quantity_print(double si, const char *unit, char *text, size_t size);

/* Returns true for a unit of sizes that are written with KiB to TiB. */
bool quantity_is_binary(const char *unit);

/* Returns true for bytes that are a whole number of GiB. */
bool quantity_is_gib(double bytes);

/* Returns the unit for quantity_print of bytes beside a capacity: "GB" if that is stated and no
 * whole number of GiB, else "B". */
const char *quantity_beside(double capacity);

#endif
