/* Patterns of sensors that look random: agendas, readout maps and masks, made without files. */
#ifndef AOLAG_PATTERNS_H
#define AOLAG_PATTERNS_H

#include "draw.h"
#include "model/readout.h"

/* Gives a sensor of this geometry patterns, or none, as a design has them, and the key that it then
 * has. They are valid until as many others as there are sensors of three designs have been made. */
void patterns_draw(struct draw *draw, struct agenda_key *key);

/* Likewise a sensor of a design, read in raster order. */
void patterns_give(struct draw *draw, struct wfs *wfs);

#endif
