/* Counts calls that show how much work something is. The test program is linked with --wrap for
 * these functions, so that every call from another object passes here. */
#ifndef AOLAG_CALLS_H
#define AOLAG_CALLS_H

struct calls {
    unsigned long glyphs;  /* characters that were read of a text to draw or measure it */
    unsigned long folders; /* that were listed */
    unsigned long names;   /* of files that were asked for */
};

/* What this thread has done since it started. */
struct calls calls_so_far(void);

#endif
