/* From an evaluated design to what a simulator takes as input: its loop, with the delay that
 * reproduces the total delay of the design, tau_total (model/loop.h).
 *
 * All of these simulators step by the frame: a command computed of frame k that corrects frame
 * k + n has a total delay of n frames, half an exposure and half the time that a command is held
 * included. What they count of it, read in their sources:
 *
 *   tiptop   LoopDelaySteps = n  z^-n after g / (1 - z^-1), n of each sensor in its own frames:
 *                                P3 1.5.4, p3/aoSystem/fourierModel.py
 *   soapy    loopDelay = n - 1   commands are of the slopes of the frame before: 0.14.0 (6c981a6),
 *                                soapy/simulation.py, loopFrame, DelayBuffer
 *   oopao    frame_delay = n     84ef7d3, tutorials/AO_closed_loop_ShackHartmann_WFS.py
 *   compass  set_delay(n - 1)    commands are applied to the next frame: 6.1.0 (e6af557),
 *                                libsutra/src.cpp/sutra_controller.cpp, comp_latency;
 *                                shesha/shesha/supervisor/compassSupervisor.py, next
 *   specula  delay = n - 1       the mirror is that of the step before (dm.out_layer:-1): 666267c,
 *                                specula/processing_objects/iir_filter.py
 *
 * COMPASS and SPECULA interpolate between two commands; elsewhere n is whole, rounded up. */
#ifndef AOLAG_IMPORT_EXPORT_H
#define AOLAG_IMPORT_EXPORT_H

#include "base/buffer.h"
#include "base/status.h"
#include "design/scenario.h"
#include "model/budget.h"
#include "model/result.h"

enum export_form {
    EXPORT_TIPTOP,
    EXPORT_SOAPY,
    EXPORT_OOPAO,
    EXPORT_COMPASS,
    EXPORT_SPECULA,
    EXPORT_FORMS
};

extern const char *const export_names[EXPORT_FORMS + 1]; /* ended by NULL */

/* Appends the text. `budget` is that of the design (budget_fill); `name` of the design. Fails, with
 * the knob that is to be stated, for a design without what the simulator requires. */
enum status export_design(enum export_form form, const struct scenario *scenario,
                          const struct result *result, const struct budget *budget,
                          const char *name, struct buffer *text, struct error *error);

#endif
