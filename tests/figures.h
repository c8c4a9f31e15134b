/* Figures of the model that rest on measured pipelines, as aolag-model(7) has them, for
 * expectations that are computed by hand and for the second implementation. In us, and as a
 * fraction. They change with the table of fits (data/published/fits.csv). */
#ifndef AOLAG_TESTS_FIGURES_H
#define AOLAG_TESTS_FIGURES_H

#define FIGURE_HANDOVER_US 4.6
#define FIGURE_SOFTWARE_US 9.9
#define FIGURE_INGRESS_US 11.
#define FIGURE_DATAGRAM_US 3.27664 /* of 8972 B, by the kernel; from literature */
#define FIGURE_INTERPRETED_HANDOVER_US 30.
#define FIGURE_INTERPRETED_WAKE_US 71.
#define FIGURE_SLEEP_US 230. /* from the deepest sleep state */
#define FIGURE_LEGACY 0.37   /* of the peak bandwidth */

#endif
