#include "tui/view_machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/units.h"
#include "charts/machine.h"
#include "draw/plot.h"
#include "model/result.h"
#include "probe/kernels.h"
#include "probe/probe.h"
#include "report/probe.h"
#include "report/reports.h"
#include "tui/view.h"
#include "tui/widget.h"

/* A picture: drawn, or printed as text in lines of at most `columns` cells. Its table contains all
 * numbers, in 80 columns or `columns`. The figures exist when it is shown. */
struct picture {
    const char *title;
    const char *shows;          /* what it shows, for a machine without a measurement */
    enum measurement_part part; /* part that it shows */
    void (*draw)(const struct machine_figures *figures, struct canvas *canvas, struct rect inside);
    void (*brief)(const struct machine_figures *figures, FILE *out, int columns);
    void (*table)(const struct machine_figures *figures, FILE *out, int columns);
};

/* Returns a report in lines of at most `columns` cells. */
static struct record record_of_pane(FILE *out, int columns)
{
    struct record record = record_to(out, RECORD_TEXT);

    record.width = columns;
    return record;
}

/* Latency staircase ---------------------------------------------------------------------------- */

static void draw_staircase(const struct machine_figures *figures, struct canvas *canvas,
                           struct rect inside)
{
    struct chart chart;

    chart_staircase(&chart, &figures->measurement, &figures->knees, &figures->machine, true);
    chart_draw(&chart, canvas, inside, NULL);
    chart_free(&chart);
}

#define TABLE_WIDTH 76 /* of the widest table */

static void print_staircase_table(const struct machine_figures *figures, FILE *out, int columns)
{
    struct record record = record_to(out, RECORD_TEXT);

    if (columns < record.width)
        record.width = columns > TABLE_WIDTH ? columns : TABLE_WIDTH;
    probed_put_memory_tables(&record, &figures->measurement);
}

/* Operations ----------------------------------------------------------------------------------- */

enum { WIDTHS_MAX = 4, ALL_COLUMNS = 72 };

/* Adds "3.0", a dash, or n/a if the operation has no such figure. */
static void add_figure(struct table *table, const struct operation_row *row, double value)
{
    if (row != NULL && value != RESULT_NONE)
        table_addf(table, "%.3g", value);
    else
        table_add(table, row != NULL && row->remark[0] != '\0' ? "n/a" : "-");
}

static void add_time_cell(struct table *table, double seconds)
{
    if (seconds != RESULT_NONE)
        table_addf(table, "%.3g", unit_from_si(seconds, "ns"));
    else
        table_add(table, "-");
}

static void add_latency(struct table *table, const struct operation_row *row)
{
    bool known = row != NULL && row->latency != RESULT_NONE;

    add_figure(table, row, known ? unit_from_si(row->latency, "ns") : RESULT_NONE);
}

static void add_rate(struct table *table, const struct operation_row *row)
{
    add_figure(table, row, row == NULL ? RESULT_NONE : row->rate_per_cycle);
}

static int vector_widths(const struct operation_table *operations, double widths[WIDTHS_MAX])
{
    int count = 0;

    for (int i = 0; i < operations->rows && count < WIDTHS_MAX; i++) {
        bool known = operations->row[i].lanes == 1;

        for (int w = 0; w < count && !known; w++)
            known = widths[w] == operations->row[i].bits;
        if (!known)
            widths[count++] = operations->row[i].bits;
    }
    return count;
}

static bool first_of_name(const struct operation_table *operations, int row)
{
    for (int i = 0; i < row; i++)
        if (strcmp(operations->row[i].name, operations->row[row].name) == 0)
            return false;
    return true;
}

static void print_operation_rows(FILE *out, const struct operation_table *operations, int columns)
{
    double widths[WIDTHS_MAX];
    int count = vector_widths(operations, widths);
    bool doubles = columns >= ALL_COLUMNS;
    struct table table = table_new(4 + doubles + count, ~1U, 0);

    table_add(&table, "Operation");
    table_add(&table, "ns");
    table_add(&table, "cycles");
    if (doubles)
        table_add(&table, "f64 ns");
    table_add(&table, "scalar");
    for (int w = 0; w < count; w++)
        table_addf(&table, "%.0f b", widths[w]);
    for (int i = 0; i < operations->rows; i++) {
        const char *name = operations->row[i].name;
        const struct operation_row *single = operation_table_find(operations, name, "f32", 0);

        if (!first_of_name(operations, i))
            continue;
        table_add(&table, name);
        add_latency(&table, single);
        add_figure(&table, single, single == NULL ? RESULT_NONE : single->latency_cycles);
        if (doubles)
            add_latency(&table, operation_table_find(operations, name, "f64", 0));
        add_rate(&table, single);
        for (int w = 0; w < count; w++)
            add_rate(&table, operation_table_find(operations, name, "f32", widths[w]));
    }
    table_close(&table, out, columns);
}

/* Prints a row per curve over the fraction of subnormal inputs; the last column is flushed to
 * zero. */
static void print_subnormal_curves(FILE *out, const struct operation_table *operations, int columns)
{
    struct table table = table_new(SUBNORMAL_SHARES + 2, ~1U, 0);

    table_add(&table, "Subnormal, ns");
    for (int s = 0; s < SUBNORMAL_SHARES; s++)
        table_addf(&table, "%.0f %%", 100 * subnormal_share(s));
    table_add(&table, "flushed");
    for (int c = 0; c < operations->curves; c++) {
        const struct subnormal_curve *curve = &operations->curve[c];

        table_addf(&table, "%s %s", curve->name, curve->type);
        for (int s = 0; s < SUBNORMAL_SHARES; s++)
            add_time_cell(&table, curve->time[0][s]);
        add_time_cell(&table, curve->time[1][SUBNORMAL_SHARES - 1]);
    }
    table_close(&table, out, columns);
}

static void print_operations(const struct machine_figures *figures, FILE *out, int columns)
{
    const struct operation_table *operations = &figures->operations;
    char clock[40];

    print_operation_rows(out, operations, columns);
    quantity_show(operations->clock, "Hz", clock, sizeof clock);
    fputs("f32: latency; operations per cycle, by register width\n", out);
    fprintf(out, "clock under load %s", clock);
    if (operations->fma_per_cycle != RESULT_NONE)
        fprintf(out, "; %.2f %s/cycle, %.0f bit", operations->fma_per_cycle,
                operations->fma ? "fma" : "mul", operations->best_bits);
    if (operations->subnormal_penalty[0] != RESULT_NONE)
        fprintf(out, "\nsubnormal inputs: up to %.3g times, flushed to zero %.3g",
                operations->subnormal_penalty[0], operations->subnormal_penalty[1]);
    fputc('\n', out);
    if (operations->curves > 0) {
        fputc('\n', out);
        print_subnormal_curves(out, operations, columns);
    }
}

static void print_operations_table(const struct machine_figures *figures, FILE *out, int columns)
{
    struct record record = record_to(out, RECORD_TEXT);

    (void)columns;
    probed_put_operations(&record, &figures->measurement);
}

/* Apex-MAP ------------------------------------------------------------------------------------- */

#define KIBI 1024

static void print_fits(FILE *out, const struct fit *fits, int columns)
{
    struct table table = table_headed(
        (const char *const[]){"Model, ns", "l1", "g1", "l", "g", "PC", "doubts", NULL}, 0x7E, 0);

    for (int m = 0; m < FIT_MODELS; m++) {
        int flags = 0;

        table_add(&table, fit_forms[m].title);
        for (int v = 0; v < FIT_VALUES; v++)
            if (fit_forms[m].name[v] == NULL)
                table_add(&table, "-");
            else
                table_addf(&table, "%.3g", unit_from_si(fits[m].value[v], "ns"));
        for (int f = 0; f < FIT_FLAGS; f++)
            flags += fits[m].flag[f];
        table_addf(&table, "%.3f", fits[m].pc);
        table_addf(&table, "%d", flags);
    }
    table_close(&table, out, columns);
}

static void print_mean(FILE *out, const struct residual_group *group)
{
    double tenths = round(10 * group->mean) + 0.0; /* avoids negative zero */

    fprintf(out, "%+*.1f", RESIDUAL_SIGNS_MAX + 1, tenths / 10);
}

/* Prints the map, with the mean residuals over L and over alpha beside and below it. */
static void print_map(FILE *out, const struct residuals *residuals)
{
    fputs("alpha \\ L", out);
    for (int b = 0; b < residuals->blocks; b++) {
        double words = residuals->by_block[b].key;
        bool large = words >= KIBI;

        fprintf(out, "%*.0f%s", (b == 0 ? 3 : RESIDUAL_SIGNS_MAX + 1) - large,
                large ? words / KIBI : words, large ? "k" : "");
    }
    fputs(" mean\n", out);
    for (int a = 0; a < residuals->alphas; a++) {
        fprintf(out, "%7.4g", residuals->by_alpha[a].key);
        for (int b = 0; b < residuals->blocks; b++) {
            char signs[RESIDUAL_SIGNS_MAX + 1];

            residual_signs(&residuals->cell[a * residuals->blocks + b], signs);
            fprintf(out, "%*s", RESIDUAL_SIGNS_MAX + 1, signs);
        }
        print_mean(out, &residuals->by_alpha[a]);
        fputc('\n', out);
    }
    fputs("   mean", out);
    for (int b = 0; b < residuals->blocks; b++)
        print_mean(out, &residuals->by_block[b]);
    fputs("\nmean of ln(measured / predicted), over alpha and over L\n", out);
}

static void print_apex(const struct machine_figures *figures, FILE *out, int columns)
{
    struct record record = record_of_pane(out, columns);

    if (figures->unfitted.status != STATUS_OK) {
        fprintf(out, "%s\n", figures->unfitted.message);
        return;
    }
    print_fits(out, figures->fits.fit, columns);
    fprintf(out, "%s: + slower, - faster; . within 10 %%\n", fit_forms[figures->fits.shown].title);
    print_map(out, &figures->fits.residuals[figures->fits.shown]);
    fputc('\n', out);
    fit_put_doubts(&record, &figures->fits);
}

static void print_apex_table(const struct machine_figures *figures, FILE *out, int columns)
{
    struct record record = record_to(out, RECORD_TEXT);

    (void)columns;
    probed_put_apex(&record, &figures->measurement);
}

/* Kernels -------------------------------------------------------------------------------------- */

enum { PLOT_ROWS = 6 }; /* minimum for a plot */

#define BAND (1 + PREDICT_NINTH) /* factor that nine in ten predictions should not exceed */

/* Returns the letter of a kernel: lower case for one core, upper case for several. */
static char letter_of(const struct measurement_point *point)
{
    char first = point->parameter[PARAMETER_CORES] > 1 ? 'A' : 'a';

    return (char)(first + (kernel_find(point->name) - kernels));
}

static bool find_value_range(const struct prediction *prediction, double *low, double *high)
{
    *low = (double)INFINITY;
    *high = 0;
    for (int i = 0; i < prediction->count; i++) {
        const struct predicted_row *row = &prediction->row[i];

        if (row->ratio == RESULT_NONE)
            continue;
        *low = fmin(*low, fmin(row->measured, row->predicted));
        *high = fmax(*high, fmax(row->measured, row->predicted));
    }
    return *high > 0;
}

/* Draws "a dark-flat b cog" in as many rows as needed; returns their number. */
static int draw_kernel_legend(struct canvas *canvas, struct rect inside,
                              const struct prediction *prediction)
{
    char text[512] = "lines: equal, 25 % off \xC2\xB7 A a: all cores, one";

    for (int k = 0; k < kernel_count; k++) {
        const char *point = strchr(kernels[k].name, '.');
        size_t used = strlen(text);

        if (prediction_summarise(prediction, kernels[k].name).count > 0)
            snprintf(text + used, sizeof text - used, " \xC2\xB7 %c %s", 'a' + k,
                     point == NULL ? kernels[k].name : point + 1);
    }
    return canvas_wrap(canvas, inside, 0, STYLE_DIM, text);
}

static void draw_summary(struct canvas *canvas, struct rect line,
                         const struct prediction *prediction)
{
    struct prediction_summary summary = prediction_summarise(prediction, NULL);

    if (summary.count > 0)
        canvas_printf(
            canvas, line.row, line.column, line.columns, summary.met ? STYLE_GOOD : STYLE_WARNING,
            "%d: half within %.3g %%, 9 in 10 within %.3g %%: goal %s", summary.count,
            100 * summary.median_error, 100 * summary.ninth_error, summary.met ? "met" : "missed");
}

static void draw_points(const struct plot *plot, const struct prediction *prediction)
{
    double ends[2] = {plot->x.low, plot->x.high};

    for (int band = -1; band <= 1; band++) {
        double factor = pow(BAND, band);
        double shifted[2] = {ends[0] * factor, ends[1] * factor};
        double from[2] = {ends[0], ends[1]};

        /* kept inside, since a curve is cut at the first point outside */
        if (band < 0) {
            from[0] /= factor;
            shifted[0] = ends[0];
        } else if (band > 0) {
            from[1] /= factor;
            shifted[1] = ends[1];
        }
        plot_curve(plot, from, shifted, 2, band == 0 ? STYLE_NORMAL : STYLE_DIM,
                   band == 0 ? '/' : '.');
    }
    for (int i = 0; i < prediction->count; i++) {
        const struct predicted_row *row = &prediction->row[i];

        if (row->ratio != RESULT_NONE)
            plot_mark(plot, row->measured, row->predicted,
                      fabs(row->ratio - 1) <= PREDICT_NINTH ? STYLE_NORMAL : STYLE_WARNING,
                      (uint32_t)letter_of(row->point));
    }
}

static void draw_kernels(const struct machine_figures *figures, struct canvas *canvas,
                         struct rect inside)
{
    const struct prediction *prediction = &figures->prediction;
    struct canvas none = {0};
    struct rect legend = inside;
    struct plot plot;
    double low, high;

    if (figures->unpredicted.status != STATUS_OK || !find_value_range(prediction, &low, &high)) {
        canvas_wrap(canvas, inside, 0, STYLE_WARNING, figures->unpredicted.message);
        return;
    }
    draw_summary(canvas, inside, prediction);
    inside.row++;
    inside.rows--;
    legend.rows = draw_kernel_legend(&none, legend, prediction);
    legend.row = inside.row + inside.rows - legend.rows;
    if (inside.rows - legend.rows >= PLOT_ROWS) {
        inside.rows -= legend.rows;
        draw_kernel_legend(canvas, legend, prediction);
    }
    if (plot_open(&plot, canvas, inside, plot_axis_around(PLOT_DECADES, low, high, "s"),
                  plot_axis_around(PLOT_DECADES, low, high, "s")))
        draw_points(&plot, prediction);
}

static void print_kernels_table(const struct machine_figures *figures, FILE *out, int columns)
{
    struct record record = record_of_pane(out, columns);

    validate_put_kernels(&record, &figures->prediction);
}

/* The start of work ---------------------------------------------------------------------------- */

static void draw_dispatch(const struct machine_figures *figures, struct canvas *canvas,
                          struct rect inside)
{
    struct chart chart;

    chart_dispatch(&chart, &figures->measurement, true);
    chart_draw(&chart, canvas, inside, NULL);
    chart_free(&chart);
}

static void print_dispatch_table(const struct machine_figures *figures, FILE *out, int columns)
{
    struct record record = record_of_pane(out, columns);

    probed_put_dispatch(&record, &figures->measurement);
}

/* GPU ------------------------------------------------------------------------------------------ */

static void draw_gpu(const struct machine_figures *figures, struct canvas *canvas,
                     struct rect inside)
{
    struct chart chart;

    if (!chart_gpu(&chart, &figures->measurement, true))
        canvas_wrap(canvas, inside, 0, STYLE_DIM,
                    "No bandwidth was measured: t shows what was, aolag probe gpu measures it.");
    else
        chart_draw(&chart, canvas, inside, NULL);
    chart_free(&chart);
}

static void print_gpu_table(const struct machine_figures *figures, FILE *out, int columns)
{
    struct record record = record_of_pane(out, columns);

    probed_put_gpu_tables(&record, &figures->measurement);
}

static const struct picture machine_pictures[PICTURES] = {
    [PICTURE_STAIRCASE] = {.title = STAIRCASE_TITLE,
                           .shows = "latency by working set: sizes and times of the caches",
                           .part = MEASUREMENT_MEMORY,
                           .draw = draw_staircase,
                           .table = print_staircase_table},
    [PICTURE_OPERATIONS] = {.title = "Operations",
                            .shows = "rates of operations, on one core and on all",
                            .part = MEASUREMENT_OPERATIONS,
                            .brief = print_operations,
                            .table = print_operations_table},
    [PICTURE_APEX] = {.title = "Apex-MAP: models, residuals",
                      .shows = "locality of accesses (Apex-MAP) and models of it",
                      .part = MEASUREMENT_APEX,
                      .brief = print_apex,
                      .table = print_apex_table},
    [PICTURE_KERNELS] = {.title = KERNELS_TITLE,
                         .shows = "times of kernels against their predictions",
                         .part = MEASUREMENT_KERNELS,
                         .draw = draw_kernels,
                         .table = print_kernels_table},
    [PICTURE_DISPATCH] = {.title = DISPATCH_TITLE,
                          .shows = "delays of threads, processes and datagrams",
                          .part = MEASUREMENT_DISPATCH,
                          .draw = draw_dispatch,
                          .table = print_dispatch_table},
    [PICTURE_GPU] = {.title = "GPU: bandwidth by size",
                     .shows = "bandwidth of a GPU by size, after aolag probe gpu",
                     .part = MEASUREMENT_GPU,
                     .draw = draw_gpu,
                     .table = print_gpu_table},
    [PICTURE_TRIAL] = {.title = "The design, run on this machine",
                       .shows = "the design run here beside its prediction, after e"},
};

/* View ----------------------------------------------------------------------------------------- */

enum { TABLE_COLUMNS = 78 }; /* minimum width of a table; ends of longer lines are cut */

static void machine_view_start(void *state, struct host *host)
{
    struct machine_view *machine = state;

    machine->host = host;
    for (int id = 0; id < PICTURES; id++)
        machine->list[id].text = true;
}

static void machine_view_free(void *state)
{
    struct machine_view *machine = state;

    machine_end(machine);
    machine_forget_texts(machine);
    measurement_free(&machine->measurement);
    machine_figures_free(machine->figures);
    buffer_free(&machine->stream.text);
}

static void draw_not_measured(struct canvas *canvas, struct rect inside, enum measurement_part part)
{
    char text[160];

    snprintf(text, sizeof text,
             "The part \"%s\" was not measured on this machine yet: r measures it in about two "
             "minutes, as does aolag %s.",
             measurement_parts[part].name,
             part == MEASUREMENT_KERNELS ? "validate --kernels" : "probe");
    canvas_wrap(canvas, inside, 0, STYLE_DIM, text);
}

/* Says how to measure, what the view then shows, and what else it is good for. */
static void draw_nothing_measured(const struct machine_view *machine, struct canvas *canvas,
                                  struct rect inside)
{
    enum { ROOMY = 16 };
    const int gap = inside.rows >= ROOMY ? 1 : 0;
    struct rect text = {inside.row, inside.column + 1, inside.rows, inside.columns - 2};
    const char *unread = machine->unread.message;
    const char *how = unread[0] == '\0' ? "Nothing was measured on this machine yet: r measures it"
                                        : "r measures this machine again";
    char line[200];
    int row = unread[0] == '\0' ? 0 : canvas_wrap(canvas, text, 0, STYLE_ERROR, unread);

    snprintf(line, sizeof line, "%s in the background, which takes minutes. The view shows", how);
    row += canvas_wrap(canvas, text, row, STYLE_NORMAL, line);
    row += gap;
    for (int id = 0; id < (gap > 0 ? PICTURES : PICTURE_TRIAL); id++)
        row += canvas_wrap(canvas,
                           (struct rect){text.row, text.column + 2, text.rows, text.columns - 2},
                           row, STYLE_DIM, machine_pictures[id].shows);
    canvas_wrap(canvas, text, row + gap, STYLE_NORMAL,
                "aolag probe all --save NAME makes a preset, which p offers for a device.");
}

/* Draws the lines of a text from `first` on; returns their number. */
static int draw_output_lines(struct canvas *canvas, struct rect inside, const char *text, int first)
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

/* The picture of a GPU is there if one was measured, that of a run once the design was started. */
static bool is_there(const struct machine_view *machine, enum picture_id id)
{
    if (id == PICTURE_TRIAL)
        return machine->trial.job != NULL || machine->trial.made.length > 0;
    return machine->figures != NULL &&
           (id != PICTURE_GPU || measurement_has(&machine->figures->measurement, MEASUREMENT_GPU));
}

/* Returns the number of pictures before one that are there, PICTURES: of all. */
static int picture_count(const struct machine_view *machine, enum picture_id before)
{
    int count = 0;

    for (int id = 0; id < (int)before; id++)
        count += is_there(machine, (enum picture_id)id);
    return count;
}

/* Returns true if there is room for this picture only. */
static bool is_only_picture(const struct machine_view *machine, enum picture_id id)
{
    return id == PICTURE_TRIAL ||
           machine->layout.box[id == PICTURE_STAIRCASE ? PICTURE_OPERATIONS : PICTURE_STAIRCASE]
                   .rows == 0;
}

static bool shows_table(const struct machine_view *machine, enum picture_id id)
{
    return machine->table[id] && (is_only_picture(machine, id) ||
                                  rect_inside(machine->layout.box[id]).columns >= TABLE_COLUMNS);
}

/* Returns the text from a cache, since tables contain fits that take too long for every frame. */
static const char *picture_text(struct machine_view *machine, enum picture_id id, int columns)
{
    struct machine_text *made = &machine->text[id];
    bool table = shows_table(machine, id);
    size_t size = 0;
    FILE *out;

    if (made->text != NULL && made->columns == columns && made->table == table)
        return made->text;
    free(made->text);
    *made = (struct machine_text){.columns = columns, .table = table};
    out = allocate_stream(&made->text, &size);
    (table ? machine_pictures[id].table : machine_pictures[id].brief)(machine->figures, out,
                                                                      columns);
    fclose(out);
    return made->text;
}

static void draw_text(struct machine_view *machine, struct canvas *canvas, enum picture_id id,
                      struct rect box)
{
    struct rect inside = rect_inside(box);
    struct list_pane *list = &machine->list[id];
    const char *text = picture_text(machine, id, inside.columns);

    text += strspn(text, "\n");
    list_pane_lay(list, inside, draw_output_lines(&(struct canvas){0}, inside, text, 0));
    draw_output_lines(canvas, inside, text, list->first);
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, machine->focus == id);
}

static void draw_trial(struct machine_view *machine, struct canvas *canvas, struct rect box)
{
    const struct rect inside = rect_inside(box);
    const char *text = machine->trial.made.bytes;
    struct list_pane *list = &machine->list[PICTURE_TRIAL];

    if (machine->trial.made.length == 0) {
        canvas_wrap(canvas, inside, 0, STYLE_DIM,
                    "The frames of the design are run; e stops that.");
        return;
    }
    list_pane_lay(list, inside, draw_output_lines(&(struct canvas){0}, inside, text, 0));
    draw_output_lines(canvas, inside, text, list->first);
    list_pane_draw_bar(list, canvas, box.column + box.columns - 1, true);
}

static void draw_picture(struct machine_view *machine, struct canvas *canvas, enum picture_id id,
                         struct rect box)
{
    const char *title = id == PICTURE_TRIAL &&
                                machine->trial.version != machine->host->design.version
                            ? "A design before the last change, run on this machine"
                            : machine_pictures[id].title;

    if (box.rows == 0)
        return;
    if (is_only_picture(machine, id))
        widget_lone_pane(canvas, box, title, machine->focus == id, picture_count(machine, id) + 1,
                         picture_count(machine, PICTURES));
    else
        widget_pane(canvas, box, title, machine->focus == id);
    if (id == PICTURE_TRIAL)
        draw_trial(machine, canvas, box);
    else if (!measurement_has(&machine->figures->measurement, machine_pictures[id].part))
        draw_not_measured(canvas, rect_inside(box), machine_pictures[id].part);
    else if (shows_table(machine, id) || machine_pictures[id].draw == NULL)
        draw_text(machine, canvas, id, box);
    else
        machine_pictures[id].draw(machine->figures, canvas, rect_inside(box));
}

static void machine_view_draw(void *state, struct canvas *canvas, struct rect body)
{
    struct machine_view *machine = state;

    machine_load(machine);
    if (machine->focus == PICTURE_TRIAL && is_there(machine, PICTURE_TRIAL)) {
        machine->layout = (struct machine_layout){.box[PICTURE_TRIAL] = body};
        draw_picture(machine, canvas, PICTURE_TRIAL, body);
        return;
    }
    if (machine->figures == NULL || machine->figures->measurement.count == 0) {
        machine->layout = (struct machine_layout){0};
        widget_pane(canvas, body, "Machine", true);
        draw_nothing_measured(machine, canvas, rect_inside(body));
        return;
    }
    if (!is_there(machine, machine->focus))
        machine->focus = PICTURE_STAIRCASE;
    machine->layout = layout_machine(body, (int)machine->focus,
                                     machine->table[machine->focus] ? TABLE_COLUMNS : 0,
                                     picture_count(machine, PICTURE_TRIAL));
    for (int id = 0; id < PICTURE_TRIAL; id++)
        draw_picture(machine, canvas, (enum picture_id)id, machine->layout.box[id]);
}

/* Shows the running measurement, or the machine and date of the figures. */
static void machine_view_detail(void *state, struct canvas *canvas, struct rect line)
{
    struct machine_view *machine = state;
    const struct measurement *measurement = &machine->measurement;
    const bool other =
        machine->cpu[0] != '\0' && strcmp(machine->cpu, measurement->condition[CONDITION_CPU]) != 0;
    char text[400];

    machine_progress_text(machine, text, sizeof text);
    if (machine->trial.job != NULL) {
        canvas_text(canvas, line.row, 1, line.columns - 2, STYLE_WARNING,
                    machine->trial.calibrates ? "calibrating the design; e stops"
                    : machine->trial.stopping ? "running the design; stopping"
                                              : "running the design; e stops");
        return;
    }
    if (machine->job == NULL && measurement->count == 0)
        return;
    if (machine->job == NULL && other)
        snprintf(text, sizeof text, "another machine, %.100s; r measures this one, %.100s",
                 measurement->condition[CONDITION_CPU], machine->cpu);
    else if (machine->job == NULL)
        snprintf(text, sizeof text, "%.100s \xC2\xB7 %.40s \xC2\xB7 %d points%s%.100s",
                 measurement->condition[CONDITION_CPU], measurement->condition[CONDITION_DATE],
                 measurement->count, is_there(machine, PICTURE_GPU) ? " \xC2\xB7 GPU " : "",
                 measurement->condition[CONDITION_GPU]);
    text_clauses(text, line.columns - 2);
    canvas_text(canvas, line.row, 1, line.columns - 2,
                machine->job != NULL || other ? STYLE_WARNING : STYLE_DIM, text);
}

static void machine_view_act(void *state, enum action_id id, const char *argument)
{
    struct machine_view *machine = state;
    int by = id == ACTION_NEXT_PANE ? 1 : PICTURES - 1;

    (void)argument;
    if (id == ACTION_NEXT_PANE || id == ACTION_PREVIOUS_PANE) {
        for (int i = 0; i == 0 || (i < PICTURES && !is_there(machine, machine->focus)); i++)
            machine->focus = (enum picture_id)(((int)machine->focus + by) % PICTURES);
    } else if (id == ACTION_MEASURE) {
        machine_toggle_measuring(machine);
    } else if (id == ACTION_TRIAL) {
        machine_toggle_trial(machine);
    } else if (id == ACTION_CALIBRATE) {
        machine_calibrate(machine);
    } else if (id == ACTION_TABLE && machine->focus != PICTURE_TRIAL) {
        machine->table[machine->focus] = !machine->table[machine->focus];
        machine->list[machine->focus].first = 0;
    } else {
        list_pane_act(&machine->list[machine->focus], id);
    }
}

static void machine_view_mouse(void *state, const struct key_event *event)
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

static bool machine_view_chart(void *state, struct chart *chart)
{
    struct machine_view *machine = state;

    machine_load(machine);
    return machine->figures != NULL && machine->focus != PICTURE_TRIAL &&
           chart_machine(chart, machine->figures, machine_pictures[machine->focus].part);
}

const struct view view_machine = {
    .name = "machine",
    .start = machine_view_start,
    .free = machine_view_free,
    .pane = PANE_MACHINE,
    .draw = machine_view_draw,
    .detail = machine_view_detail,
    .act = machine_view_act,
    .mouse = machine_view_mouse,
    .file = machine_file,
    .busy = machine_busy,
    .collect = machine_collect,
    .chart = machine_view_chart,
};
