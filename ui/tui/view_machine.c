#include "tui/view_machine.h"

#include <stdlib.h>
#include <string.h>

#include "charts/machine.h"
#include "probe/probe.h"
#include "tui/host.h"
#include "tui/view.h"
#include "tui/widget.h"

enum { TABLE_COLUMNS = 78 }; /* that every line of a table fits in, but for its end */

static void start(void *state, struct host *host)
{
    struct machine_view *machine = state;

    machine->host = host;
    for (int id = 0; id < PICTURES; id++)
        machine->list[id].text = true;
}

static void release(void *state)
{
    struct machine_view *machine = state;

    machine_end(machine);
    machine_forget_texts(machine);
    measurement_free(&machine->measurement);
    machine_figures_free(machine->figures);
    buffer_free(&machine->stream.text);
}

static void draw_missing(struct canvas *canvas, struct rect inside, enum measurement_part part)
{
    char text[160];

    snprintf(text, sizeof text,
             "Nothing of the part \"%s\" was measured on this machine yet: r measures it, in about "
             "a minute, and so does aolag %s.",
             measurement_part_name(part),
             part == MEASUREMENT_KERNELS ? "validate --kernels" : "probe");
    canvas_wrap(canvas, inside, 0, STYLE_DIM, text);
}

/* The lines of a text from `first` on; returns how many there are. */
static int draw_lines(struct canvas *canvas, struct rect inside, const char *text, int first)
{
    int count = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char line[512];

        snprintf(line, sizeof line, "%.*s", (int)length, text);
        text_micro(line, sizeof line);
        if (count >= first && count < first + inside.rows)
            canvas_text(canvas, inside.row + count - first, inside.column, inside.columns,
                        count == 0 ? STYLE_TITLE : STYLE_NORMAL, line);
        text += length + (text[length] == '\n');
        count++;
    }
    return count;
}

void machine_forget_texts(struct machine_view *machine)
{
    for (int id = 0; id < PICTURES; id++) {
        free(machine->text[id].text);
        machine->text[id].text = NULL;
    }
}

/* There is room for this picture only. */
static bool is_alone(const struct machine_view *machine, enum picture_id id)
{
    return machine->layout.box[((int)id + 1) % PICTURES].rows == 0;
}

static bool shows_table(const struct machine_view *machine, enum picture_id id)
{
    return machine->table[id] &&
           (is_alone(machine, id) || rect_inside(machine->layout.box[id]).columns >= TABLE_COLUMNS);
}

/* Tables hold fits of their own, which are not made again for every frame. */
static const char *text_of(struct machine_view *machine, enum picture_id id, int columns)
{
    struct machine_text *made = &machine->text[id];
    bool table = shows_table(machine, id);
    size_t size = 0;
    FILE *out;

    if (made->text != NULL && made->columns == columns && made->table == table)
        return made->text;
    free(made->text);
    *made = (struct machine_text){.columns = columns, .table = table};
    out = open_memstream(&made->text, &size);
    if (out == NULL)
        return "";
    (table ? machine_pictures[id].table : machine_pictures[id].brief)(machine->figures, out,
                                                                      columns);
    fclose(out);
    return made->text == NULL ? "" : made->text;
}

static void draw_text(struct machine_view *machine, struct canvas *canvas, enum picture_id id,
                      struct rect box)
{
    struct rect inside = rect_inside(box);
    struct list_pane *list = &machine->list[id];
    const char *text = text_of(machine, id, inside.columns);

    text += strspn(text, "\n");
    list_pane_lay(list, inside, draw_lines(&(struct canvas){0}, inside, text, 0));
    draw_lines(canvas, inside, text, list->first);
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, machine->focus == id);
}

/* Where there is room for one picture only, that there are others. */
static void title_of(const struct machine_view *machine, enum picture_id id, char *title,
                     size_t size)
{
    snprintf(title, size, "%s", machine_pictures[id].title);
    if (is_alone(machine, id))
        snprintf(title, size, "%s \xC2\xB7 Tab: %d of %d", machine_pictures[id].title, (int)id + 1,
                 PICTURES);
}

static void draw_picture(struct machine_view *machine, struct canvas *canvas, enum picture_id id,
                         struct rect box)
{
    char title[96];

    if (box.rows == 0)
        return;
    title_of(machine, id, title, sizeof title);
    widget_pane(canvas, box, title, machine->focus == id);
    if (machine->figures == NULL ||
        !measurement_has(&machine->figures->measurement, machine_pictures[id].part))
        draw_missing(canvas, rect_inside(box), machine_pictures[id].part);
    else if (shows_table(machine, id) || machine_pictures[id].draw == NULL)
        draw_text(machine, canvas, id, box);
    else
        machine_pictures[id].draw(machine->figures, canvas, rect_inside(box));
}

static void draw(void *state, struct canvas *canvas, struct rect body)
{
    struct machine_view *machine = state;

    machine_load(machine);
    machine->layout = layout_machine(body, (int)machine->focus,
                                     machine->table[machine->focus] ? TABLE_COLUMNS : 0);
    for (int id = 0; id < PICTURES; id++)
        draw_picture(machine, canvas, (enum picture_id)id, machine->layout.box[id]);
}

/* What runs, else whose figures these are and when they were taken. */
static void detail(void *state, struct canvas *canvas, struct rect line)
{
    struct machine_view *machine = state;
    const struct measurement *measurement = &machine->measurement;
    char text[160];

    machine_progress_text(machine, text, sizeof text);
    if (machine->job != NULL)
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_WARNING, text);
    else if (measurement->count > 0 && machine->cpu[0] != '\0' &&
             strcmp(machine->cpu, measurement->condition[CONDITION_CPU]) != 0)
        canvas_printf(canvas, line.row, 1, line.columns - 2, STYLE_WARNING,
                      "another machine, %s; r measures this one, %s",
                      measurement->condition[CONDITION_CPU], machine->cpu);
    else if (measurement->count > 0)
        canvas_printf(canvas, line.row, 1, line.columns - 2, STYLE_DIM,
                      "%s \xC2\xB7 %s \xC2\xB7 %d points", measurement->condition[CONDITION_CPU],
                      measurement->condition[CONDITION_DATE], measurement->count);
}

static void act(void *state, enum action_id id, const char *argument)
{
    struct machine_view *machine = state;
    int by = id == ACTION_NEXT_PANE ? 1 : PICTURES - 1;

    (void)argument;
    if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE) {
        machine->focus = (enum picture_id)(((int)machine->focus + by) % PICTURES);
    } else if (id == ACTION_MEASURE) {
        machine_toggle_measuring(machine);
    } else if (id == ACTION_TABLE) {
        machine->table[machine->focus] = !machine->table[machine->focus];
        machine->list[machine->focus].first = 0;
    } else {
        list_pane_act(&machine->list[machine->focus], id);
    }
}

static void mouse(void *state, const struct key_event *event)
{
    struct machine_view *machine = state;

    for (int id = 0; id < PICTURES; id++) {
        if (!rect_holds(machine->layout.box[id], event->row, event->column))
            continue;
        if (event->mouse == MOUSE_PRESS)
            machine->focus = (enum picture_id)id;
        list_pane_mouse(&machine->list[id], event, 3);
    }
}

static bool chart(void *state, struct chart *chart)
{
    struct machine_view *machine = state;

    machine_load(machine);
    return machine->figures != NULL &&
           chart_machine(chart, machine->figures, machine_pictures[machine->focus].part);
}

const struct view view_machine = {
    .name = "machine",
    .start = start,
    .free = release,
    .place = PLACE_MACHINE,
    .draw = draw,
    .detail = detail,
    .act = act,
    .mouse = mouse,
    .file = machine_file,
    .busy = machine_busy,
    .take = machine_take,
    .chart = chart,
};
