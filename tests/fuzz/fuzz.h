/* What a fuzz target is made of. A target calls a reader of the program with one input and checks
 * what holds of any: it stops by abort() where that does not. tests/fuzz/fuzz.c has the table of
 * targets and says how they are run. */
#ifndef AOLAG_FUZZ_H
#define AOLAG_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/problems.h"
#include "design/preset.h"

/* The bytes are not terminated. */
typedef void fuzz_target_run(const char *bytes, size_t length);

/* Changes an input of at most `most` bytes in place, by the random numbers of the seed
 * (base/random.h), and returns its new length. */
typedef size_t fuzz_target_mutate(char *bytes, size_t length, size_t most, uint64_t *seed);

fuzz_target_run fuzz_command_line, fuzz_csv, fuzz_echo, fuzz_fit, fuzz_import, fuzz_ini, fuzz_input,
    fuzz_keys, fuzz_lackey, fuzz_machine, fuzz_pattern, fuzz_preset, fuzz_prices, fuzz_recovery,
    fuzz_run, fuzz_shard, fuzz_system, fuzz_trace, fuzz_values, fuzz_wakeups;
fuzz_target_mutate fuzz_ini_mutate;

/* Stops with a message unless `holds`. */
void fuzz_check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The presets without those of the user; the same for all inputs. */
struct catalogue *fuzz_catalogue(void);

/* Checks that a reader that returned `status` has a problem exactly when it failed, and that each
 * has a sentence, which is safe text (base/utf8.h) as the program prints it. */
void fuzz_check_problems(enum status status, const struct problems *problems);
void fuzz_check_message(const char *message);

/* Returns an empty file for what an input prints, and checks that this is safe text (base/utf8.h).
 */
FILE *fuzz_open_output(void);
void fuzz_check_output(void);

/* Returns the bytes as a terminated text without NULs; free() it. */
char *fuzz_text(const char *bytes, size_t length);

/* Writes a file in the working directory. */
void fuzz_write(const char *name, const char *bytes, size_t length);

#endif
