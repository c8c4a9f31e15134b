#include "tui/knob_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "design/knob_text.h"
#include "draw/text.h"
#include "model/knob_effect.h"
#include "model/late.h"
#include "session/change.h"
#include "tui/layout.h"
#include "tui/widget.h"

static bool is_choice(const struct knob *knob)
{
    return knob->type == KNOB_CHOICE || knob->type == KNOB_ALGORITHM || knob->type == KNOB_DEVICE ||
           knob->type == KNOB_DEVICES || knob->type == KNOB_WFS || knob->type == KNOB_PRESET;
}

/* Sign after a value for its origin. Automatic values are recognisable, preset values are the
 * norm. */
static const char *const origin_signs[] = {
    [ORIGIN_SET] = "\xE2\x80\xA2", [ORIGIN_STATED] = "",  [ORIGIN_ASSUMED] = "?",
    [ORIGIN_MEASURED] = "#",       [ORIGIN_FITTED] = "~", [ORIGIN_AUTOMATIC] = ""};

/* Prints the origin: "stated by epyc-9654", "measured (#), by here". */
void knob_row_origin(const struct scenario *scenario, struct knob_ref ref, char *text, size_t size)
{
    enum origin origin = knob_origin(scenario, ref);
    struct buffer line = buffer_over(text, size);
    bool sign = origin != ORIGIN_SET && origin_signs[origin][0] != '\0';

    buffer_text(&line, origin_name(origin));
    if (sign)
        buffer_print(&line, " (%s)", origin_signs[origin]);
    if (!knob_is_own(scenario, ref) && knob_stated_by(scenario, ref) != NULL)
        buffer_print(&line, "%s by %s", sign ? "," : "", scenario->device[ref.index].preset);
}

/* Label and number share their columns: each may use what the other leaves. If both are long, the
 * label is truncated. */
static int label_columns(const struct knob_columns *c, const struct knob *knob, const char *value)
{
    enum { SHORTEST = 8 };
    int label = text_width(knob->label);
    int room = knob_is_number(knob) ? c->value + c->value_columns - c->label - 1 - text_width(value)
                                    : c->label_columns;

    return clamp_int(label, 0, room > SHORTEST ? room : SHORTEST);
}

/* Shortens "auto 10.0 us" to the value. */
static void drop_auto(char *value)
{
    static const char automatic[] = "auto ";
    size_t length = sizeof automatic - 1;

    if (strncmp(value, automatic, length) == 0)
        memmove(value, value + length, strlen(value + length) + 1);
}

int knob_row_draw(struct design *design, struct canvas *canvas, struct rect line,
                  struct knob_ref ref, double in_force, bool focus)
{
    struct knob_columns c = layout_knob(line.columns);
    const struct knob *knob = ref.knob;
    enum origin origin = knob_origin(&design->scenario, ref);
    enum style style =
        origin == ORIGIN_ASSUMED || origin == ORIGIN_AUTOMATIC ? STYLE_DIM : STYLE_NORMAL;
    bool choice = is_choice(knob);
    int label, least;
    char value[2304];

    design_print_knob(design, ref, value, sizeof value);
    text_micro(value, sizeof value);
    if (in_force != RESULT_NONE && origin == ORIGIN_AUTOMATIC)
        snprintf(value, sizeof value, "auto %s", quantity_text(in_force, knob->unit).text);
    label = label_columns(&c, knob, value);
    if (label < text_width(knob->label) && origin_signs[origin][0] != '\0') {
        drop_auto(value); /* the sign says it too */
        label = label_columns(&c, knob, value);
    }
    least = c.label + label + 1;
    canvas_text(canvas, line.row, line.column + c.label, label, STYLE_NORMAL, knob->label);
    if (!knob_is_number(knob)) {
        canvas_printf(canvas, line.row, line.column + c.value, c.choice_columns, style,
                      "%s%.190s%s%s", choice ? "\xE2\x80\xB9" : "", value,
                      choice ? "\xE2\x80\xBA" : "", origin_signs[origin]);
        return line.columns;
    }
    canvas_text(canvas, line.row, line.column + c.mark, 1, STYLE_DIM, origin_signs[origin]);
    canvas_right(canvas, line.row, line.column + least, c.value + c.value_columns - least, style,
                 value);
    if (c.slider_columns > 0) {
        const struct knob slider = design_slider(design, ref);

        widget_slider(canvas, line.row, line.column + c.slider, c.slider_columns,
                      strcmp(value, "auto") == 0 || strcmp(value, KNOB_UNKNOWN) == 0
                          ? -1
                          : knob_position(&slider, in_force != RESULT_NONE
                                                       ? in_force
                                                       : design_knob_number(design, ref)),
                      design_baseline_position(design, ref), focus);
    }
    return c.slider_columns > 0 ? c.mark + 1 : line.columns;
}

/* Groups --------------------------------------------------------------------------------------- */

/* Gets the quantiles of a device; returns the largest delay. */
static double get_delays(const struct scenario *scenario, int device, double quantile[LATE_COUNT])
{
    double most = 0;

    for (int q = 0; q < LATE_COUNT; q++) {
        quantile[q] = late_quantile(scenario, device, (enum late)q);
        most = larger(most, quantile[q]);
    }
    return most;
}

/* Draws in each cell how probable its delays are: all wake-ups fill one, and each power of ten less
 * takes as much off, down to an eighth. */
static void draw_delays(struct canvas *canvas, struct rect line, const double quantile[LATE_COUNT],
                        double most, enum style style)
{
    double above = 1;

    for (int c = 0; c < line.columns && most > 0; c++) {
        double next =
            c + 1 < line.columns ? late_exceeded(quantile, most * (c + 1) / line.columns) : 0;
        double decades = above > next ? -log10(above - next) : LATE_COUNT;

        if (above > next)
            widget_bin(canvas, line, line.column + c,
                       clamp_int((int)ceil(8 * (1 - decades / LATE_COUNT)), 1, 8), style);
        above = next;
    }
}

/* Returns the knob whose origin the row of a group shows: the first that the scenario states. */
static struct knob_ref group_origin(const struct scenario *scenario, struct knob_ref ref)
{
    struct knob_ref at = ref;

    for (; at.knob < knobs + KNOB_COUNT && at.knob->group == ref.knob->group; at.knob++)
        if (knob_is_own(scenario, at))
            return at;
    return ref;
}

int knob_row_draw_group(const struct scenario *scenario, struct canvas *canvas, struct rect line,
                        struct knob_ref ref, bool open)
{
    const struct knob_columns c = layout_knob(line.columns);
    const enum origin origin = knob_origin(scenario, group_origin(scenario, ref));
    const enum style style = origin == ORIGIN_ASSUMED ? STYLE_DIM : STYLE_NORMAL;
    struct rect delays = {line.row, line.column + c.slider, 1, c.slider_columns};
    double quantile[LATE_COUNT];
    double most = get_delays(scenario, ref.index, quantile);
    int least = c.label + text_width(ref.knob->group) + 1;
    char value[48];

    widget_mark(canvas, line.row, line.column + 1, STYLE_NORMAL, open ? MARK_OPEN : MARK_CLOSED);
    canvas_text(canvas, line.row, line.column + c.label, least - c.label, STYLE_NORMAL,
                ref.knob->group);
    snprintf(value, sizeof value, most > 0 ? "max %s" : "none", quantity_text(most, "s").text);
    text_micro(value, sizeof value);
    if (c.slider_columns == 0 && most > 0)
        delays = (struct rect){line.row, line.column + c.value, 1, c.value_columns};
    else
        canvas_right(canvas, line.row, line.column + least, c.value + c.value_columns - least,
                     style, value);
    canvas_text(canvas, line.row, line.column + c.mark, 1, STYLE_DIM, origin_signs[origin]);
    draw_delays(canvas, delays, quantile, most, style);
    return c.slider_columns > 0 ? c.mark + 1 : line.columns;
}

void knob_row_group_words(const struct scenario *scenario, struct knob_ref ref, char *text,
                          size_t size)
{
    struct buffer out = buffer_over(text, size);
    double quantile[LATE_COUNT];
    const double most = get_delays(scenario, ref.index, quantile);

    if (most > 0)
        buffer_print(&out, "probability of a delay, from 0 to %s, in powers of ten",
                     quantity_text(most, "s").text);
    else
        buffer_text(&out, "no wake-up is late");
    for (int q = 0; q < LATE_COUNT && most > 0; q++) {
        struct knob_ref at = knob_ref_to((enum knob_id)(KNOB_DEVICE_LATE_P90 + q), ref.index);

        buffer_print(&out, " \xC2\xB7 %s %s%s", at.knob->label,
                     quantity_text(quantile[q], "s").text, origin_signs[knob_origin(scenario, at)]);
    }
    text_micro(text, size);
}

/* Keys ----------------------------------------------------------------------------------------- */

static bool accept_value(void *context, const char *text)
{
    struct host *host = context;

    return design_set_text(&host->design, host->edited, text);
}

/* Returns true if the devices are edited as text: only a reconstruction runs on several. */
static bool edits_device_list(const struct scenario *scenario, struct knob_ref ref)
{
    return ref.knob->type == KNOB_DEVICES && scenario->device_count > 1 &&
           scenario->component[ref.index].type == COMPONENT_RECONSTRUCTION;
}

bool knob_row_has_list(const struct scenario *scenario, struct knob_ref ref)
{
    return ref.knob->type == KNOB_PRESET ||
           (is_choice(ref.knob) && !edits_device_list(scenario, ref));
}

/* Opens a line to type a value, or the list of choices or presets. */
static void edit_knob(struct host *host, struct knob_ref ref)
{
    const struct scenario *scenario = &host->design.scenario;
    char path[96];
    char label[128];
    char value[2304];

    if (knob_row_has_list(scenario, ref)) {
        host_ask_choice(host, ref);
        return;
    }
    knob_path(scenario, ref, path, sizeof path);
    snprintf(label, sizeof label, "%s = ", path);
    knob_get_text(scenario, ref, value, sizeof value);
    host->edited = ref;
    host_ask_line(host, &(struct prompt_request){.label = label,
                                               .text = value,
                                               .proposed = true,
                                               .completion = COMPLETE_VALUE,
                                               .knob = ref,
                                               .context = host,
                                               .accept = accept_value});
    if (ref.knob->type == KNOB_DEVICES) {
        knob_allowed(scenario, ref, value, sizeof value);
        host_say(host, NOTICE_NORMAL, "names of devices, separated by commas: %.200s", value);
    }
}

void knob_row_act(struct host *host, struct knob_ref ref, enum action_id id)
{
    if (id == ACTION_LEFT || id == ACTION_RIGHT)
        design_step(&host->design, ref, id == ACTION_LEFT ? -1 : 1);
    else if (id == ACTION_TEN_LEFT || id == ACTION_TEN_RIGHT)
        design_step(&host->design, ref, id == ACTION_TEN_LEFT ? -10 : 10);
    else if (id == ACTION_LEAST || id == ACTION_MOST)
        design_set_position(&host->design, ref, id == ACTION_LEAST ? 0 : 1);
    else if (id == ACTION_ENTER)
        edit_knob(host, ref);
}
