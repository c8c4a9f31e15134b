#include "import/import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/number.h"
#include "base/units.h"
#include "import/parse.h"
#include "model/detector.h"
#include "model/evaluate.h"
#include "model/result.h"

#define SLOWER 64          /* factor between the rate of a design and one at which it keeps up */
#define LATENCY_LEAST 1e-6 /* s, of a program that reads and writes a network */

const struct import_form_row import_forms[IMPORT_FORMS] = {
    [IMPORT_DAOLITE] = {"daolite", "pipeline, JSON or YAML", "aolag import p.json -o p.ini"},
    [IMPORT_TIPTOP] = {"tiptop", "parameter file of TIPTOP or P3",
                       "aolag import SOUL.ini -o soul.ini"},
};

void import_free(struct import *import)
{
    values_free(&import->tree);
    daolite_free(&import->daolite);
    problems_free(&import->tiptop.lost);
    problems_free(&import->tiptop.assumed);
    conversion_free(&import->conversion);
    for (int w = 0; w < WFS_MAX; w++) {
        buffer_free(&import->agenda[w].csv);
        pattern_free(import->agenda[w].pattern);
    }
    document_free(import->document);
    import->document = NULL;
}

/* Adds a problem of the scenario that the line has not yet: several values may come from it. */
static void add_once(struct problems *problems, int line, const char *message)
{
    char sentence[ERROR_MESSAGE_MAX];

    snprintf(sentence, sizeof sentence, "as a design: %.500s", message);
    for (size_t i = 0; i < problems->count; i++)
        if (problems->list[i].line == line && strcmp(problems->list[i].message, sentence) == 0)
            return;
    problems_add(problems, line, "%s", sentence);
}

/* Reads the scenario; its problems become those of the lines that its values come from. */
static enum status read_scenario(struct import *import, struct catalogue *catalogue,
                                 struct problems *problems)
{
    struct problems own = {0};
    enum status status =
        scenario_parse(&import->scenario, &import->document, import->conversion.text.bytes,
                       import->conversion.text.length, catalogue, &own);

    for (size_t i = 0; i < own.count; i++)
        add_once(problems, conversion_line(&import->conversion, own.list[i].line),
                 own.list[i].message);
    problems_free(&own);
    return status;
}

/* Agendas -------------------------------------------------------------------------------------- */

static enum readout_order order_of(const struct scenario *scenario, int wfs)
{
    for (int c = 0; c < scenario->component_count; c++)
        if (scenario->component[c].type == COMPONENT_CAMERA && scenario->component[c].wfs == wfs)
            return (enum readout_order)scenario->component[c].order;
    return (enum readout_order)0;
}

/* Returns the part of the pixels after which a part of the subapertures is complete, by a map of as
 * many packets as there may be. */
static double pixels_for(const struct detector_map *map, double part)
{
    double pixels = (double)map->key.width * (double)map->key.height;
    long k = 0;

    while (k < map->key.packets - 1 &&
           (double)map->packet[k].completed_so_far < part * (double)map->valid - 0.5)
        k++;
    return part >= 1 ? 1 : (double)map->packet[k].pixels_so_far / pixels;
}

/* Prints an agenda whose packets have `work` together. */
static void print_agenda(const struct daolite_component *from, double work,
                         const struct detector_map *map, struct buffer *csv)
{
    double so_far = 0, before = 0;

    buffer_text(csv, "fraction\n");
    for (int p = 0; p < from->packets; p++) {
        double end;

        so_far += from->agenda[p];
        end = from->type == DAOLITE_CENTROIDER ? pixels_for(map, so_far / work) : so_far / work;
        buffer_print(csv, "%.12g\n", end - before);
        before = end;
    }
}

/* Gives the sensor of a camera its agenda. */
static enum status make_agenda(struct import *import, int camera, struct problems *problems)
{
    const struct daolite_component *from = daolite_agenda(&import->daolite, camera);
    int w = section_find(&import->scenario, SECTION_WFS, import->daolite.component[camera].name);
    struct import_agenda *agenda = w < 0 ? NULL : &import->agenda[w];
    double work = 0;
    struct agenda_key key;
    struct detector_map map = {0};
    struct problems found = {0};
    enum status status;

    if (from == NULL || agenda == NULL)
        return STATUS_OK;
    for (int p = 0; p < from->packets; p++)
        work += from->agenda[p];
    if (work == 0) {
        problems_add(problems, from->agenda_line, "%s: its agenda: no packet has any work",
                     from->origin);
        return STATUS_INVALID;
    }
    key = agenda_key(&import->scenario.wfs[w], order_of(&import->scenario, w), PACKETS_MAX,
                     PACKETS_MAX);
    detector_map_geometry(&map, &key);
    print_agenda(from, work, &map, &agenda->csv);
    status = pattern_parse(PATTERN_AGENDA, agenda->csv.bytes, agenda->csv.length, &agenda->pattern,
                           &found);
    for (size_t i = 0; i < found.count; i++)
        problems_add(problems, from->agenda_line, "%s: its agenda: %s", from->origin,
                     found.list[i].message);
    problems_free(&found);
    detector_map_free(&map);
    import->scenario.wfs[w].agenda.pattern = agenda->pattern;
    agenda->from = from;
    return status;
}

void import_agenda_name(const struct import *import, int wfs, const char *output, bool directory,
                        struct buffer *name)
{
    const char *slash = strrchr(output, '/');
    const char *base = slash == NULL ? output : slash + 1;
    const char *dot = strrchr(base, '.');
    size_t length = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);

    if (directory)
        buffer_print(name, "%.*s", (int)(base - output), output);
    buffer_print(name, "%.*s-%s.csv", (int)length, base, import->scenario.wfs[wfs].head.name);
}

static void add_agenda_line(const struct import *import, int wfs, const char *output,
                            struct buffer *text)
{
    const struct daolite_component *from = import->agenda[wfs].from;
    const char *key = from->type == DAOLITE_CENTROIDER ? "centroid_agenda" : "pixel_agenda";
    struct buffer name = {0};
    char quote;

    import_agenda_name(import, wfs, output, false, &name);
    quote = strchr(name.bytes, '"') != NULL ? '\'' : '"';
    buffer_print(text, "agenda = %c%s%c ; %s: %s (line %d)\n", quote, name.bytes, quote,
                 from->origin, key, from->agenda_line);
    buffer_free(&name);
}

void import_text(const struct import *import, const char *output, struct buffer *text)
{
    const char *rest = import->conversion.text.bytes;

    for (int w = 0; w < import->scenario.wfs_count && output != NULL; w++) {
        char section[NAME_MAX_LENGTH + 8];
        const char *line;

        snprintf(section, sizeof section, "[wfs.%s]\n", import->scenario.wfs[w].head.name);
        line = import->agenda[w].from == NULL ? NULL : strstr(rest, section);
        if (line == NULL)
            continue;
        line += strlen(section);
        buffer_add(text, rest, (size_t)(line - rest));
        add_agenda_line(import, w, output, text);
        rest = line;
    }
    buffer_text(text, rest);
}

const struct problems *import_lost(const struct import *import)
{
    return import->form == IMPORT_TIPTOP ? &import->tiptop.lost : &import->daolite.lost;
}

const struct problems *import_assumed(const struct import *import)
{
    return import->form == IMPORT_TIPTOP ? &import->tiptop.assumed : &import->daolite.assumed;
}

/* Parameters ----------------------------------------------------------------------------------- */

/* Writes and reads the scenario of parameters. */
static enum status make_scenario(struct import *import, const char *name,
                                 struct catalogue *catalogue, struct problems *problems)
{
    enum status status;

    conversion_free(&import->conversion);
    document_free(import->document);
    import->document = NULL;
    problems_free(&import->tiptop.lost);
    problems_free(&import->tiptop.assumed);
    status = tiptop_convert(&import->tiptop, &import->tree, name, &import->conversion, problems);
    return status == STATUS_OK ? read_scenario(import, catalogue, problems) : status;
}

/* Finds what the total delay of the design has beside the RTC latency, s: exposure, readout and
 * hold. That of a design that is overloaded is known at a rate at which it is not. */
static enum status find_rest(const struct import *import, double *rest, struct error *error)
{
    struct scenario *slower = allocate(sizeof *slower);
    struct result result;
    enum status status;

    result_init(&result);
    scenario_copy(slower, &import->scenario);
    status = evaluate(slower, &result, error);
    *rest = result.loop.tau_total - result.latency;
    if (status == STATUS_OK && result.overloaded) {
        double period = result.loop.sample_period;

        slower->general.frame_rate = larger(1, slower->general.frame_rate / SLOWER);
        status = evaluate(slower, &result, error);
        /* half an exposure and half a hold */
        *rest = result.loop.tau_total - result.latency - result.loop.sample_period + period;
    }
    result_free(&result);
    free(slower);
    return status;
}

/* Finds the RTC latency with which the design has the total delay of the file, which there may not
 * be. */
static void find_latency(struct import *import)
{
    struct tiptop *tiptop = &import->tiptop;
    double stated = tiptop->steps / tiptop->frame_rate, rest;
    char total[32], shown[32];
    struct error error;

    if (find_rest(import, &rest, &error) != STATUS_OK)
        return;
    /* to the nanosecond */
    tiptop->latency = unit_to_si(round((stated - rest) * 1e9) / 1000, "us");
    if (tiptop->latency >= LATENCY_LEAST)
        return;
    tiptop->latency = 0;
    quantity_print(stated, "s", total, sizeof total);
    quantity_print(rest, "s", shown, sizeof shown);
    problems_add(&tiptop->lost, tiptop->steps_line,
                 "RTC.LoopDelaySteps_HO = %g, %s: exposure, readout and hold alone take %s; the "
                 "loop has the delay of the design",
                 tiptop->steps, total, shown);
    problems_sort(&tiptop->lost);
}

double import_own_delay(const struct import *import, const struct result *result)
{
    double stated = import->tiptop.latency;

    return result->loop.tau_total + (stated > 0 ? result->latency - stated : 0);
}

static enum status read_tiptop(struct import *import, const char *name, const char *bytes,
                               size_t length, struct catalogue *catalogue,
                               struct problems *problems)
{
    enum status status;

    import->form = IMPORT_TIPTOP;
    if (!import->tiptop.host_chosen)
        import->tiptop.host = TIPTOP_HOST;
    status = tiptop_parse(&import->tree, bytes, length, problems);
    if (status == STATUS_OK)
        status = make_scenario(import, name, catalogue, problems);
    if (status != STATUS_OK)
        return status;
    find_latency(import);
    return import->tiptop.latency > 0 ? make_scenario(import, name, catalogue, problems)
                                      : STATUS_OK;
}

/* The file ------------------------------------------------------------------------------------- */

enum status import_read(struct import *import, const char *name, const char *bytes, size_t length,
                        const struct daolite_files *files, struct catalogue *catalogue,
                        struct problems *problems)
{
    enum status status;

    if (tiptop_is(bytes, length))
        return read_tiptop(import, name, bytes, length, catalogue, problems);
    if (import->tiptop.host_chosen) {
        problems_add(problems, 0, "a pipeline of daolite states its computers; leave out --host");
        return STATUS_INVALID;
    }
    status = parse_text(&import->tree, name, bytes, length, PARSE_PIPELINE, problems);
    if (status == STATUS_OK)
        status = daolite_read(&import->daolite, &import->tree, files, problems);
    if (status == STATUS_OK) {
        convert_pipeline(&import->daolite, name, &import->conversion);
        status = read_scenario(import, catalogue, problems);
    }
    for (int c = 0; c < import->daolite.component_count && status == STATUS_OK; c++)
        if (import->daolite.component[c].type == DAOLITE_CAMERA)
            status = make_agenda(import, c, problems);
    return status;
}

/* Steps ---------------------------------------------------------------------------------------- */

/* Corrections of daolite's figures, in the order of the steps. */
static const struct correction {
    const char *name, *sentence;
} corrections[FIGURES_DEFECTS] = {
    [DEFECT_PACKETS] = {"packets", "without an agenda every packet carries the work of a whole "
                                   "frame; a single one arrives after one pixel"},
    [DEFECT_RESOURCE] = {"resource", NULL},
    [DEFECT_PIXELS] = {"pixels",
                       "n_pix_per_subap is squared, though it is the number of the pixels here"},
    [DEFECT_MATRIX] = {"matrix", "a reconstruction has two slopes for each of n_slopes, and reads "
                                 "its matrix twice"},
    [DEFECT_PCIE] = {"pcie", "PCIe takes 8 times the memory's time; its wire counts in seconds "
                             "where the rest is in microseconds"},
    [DEFECT_SUM] = {"sum",
                    "compute and memory time add up; the documentation takes the longer one"},
    [DEFECT_JOIN] = {"join", "a component waits only for the predecessor that is connected last"},
    [DEFECT_CONTROL] = {"control", "control has a duration but no start: it follows nothing"},
};

/* Adds a step, unless neither it nor the correction alone changes anything. */
static struct import_step *add_step(struct import *import, const char *name, double alone,
                                    double total)
{
    struct import_step *step = &import->step[import->step_count];
    double printed = import->printed.total;
    double before = import->step_count > 0 ? step[-1].total : printed;
    double least = 1e-6 * smaller(before, import->corrected.total);

    if (import->step_count == STEP_MAX ||
        (fabs(total - before) < least && (alone == RESULT_NONE || fabs(alone - printed) < least)))
        return NULL;
    import->step_count++;
    *step = (struct import_step){.name = name, .alone = alone, .total = total};
    return step;
}

/* Describes the rates of the first component that are not those of its resource. */
static void describe_rates(const struct import *import, const struct figures_peak *peak,
                           struct import_step *step)
{
    snprintf(step->sentence, sizeof step->sentence,
             "the rates are not those of the compute resource");
    for (int c = 0; c < import->daolite.component_count; c++) {
        const struct daolite_component *component = &import->daolite.component[c];
        const struct figure *figure = &import->printed.figure[c];
        const struct figures_peak *has = component->machine < 0 ? NULL : &peak[component->machine];
        char name[sizeof component->name];

        if (has == NULL || figure->flops <= 0 || has->flops <= 0 || has->bandwidth <= 0 ||
            (fabs(figure->flops / has->flops - 1) < 1e-6 &&
             fabs(figure->bandwidth / has->bandwidth - 1) < 1e-6))
            continue;
        memcpy(name, component->name, sizeof name);
        snprintf(step->sentence, sizeof step->sentence,
                 "%s is computed with %.6g GFLOP/s and %.6g GB/s; its resource has %.6g and %.6g: "
                 "daolite takes defaults of its own for rates that are not stated and in a GPU "
                 "box, and multiplies by core_fudge (0.8 unless stated), mem_fudge and "
                 "1e6 / adjust",
                 name, figure->flops * 1e-9, figure->bandwidth * 1e-9, has->flops * 1e-9,
                 has->bandwidth * 1e-9);
        return;
    }
}

static void add_corrections(struct import *import, const struct figures_peak *peak)
{
    struct figures alone, all;
    unsigned set = 0;

    for (int i = 0; i < FIGURES_DEFECTS; i++) {
        struct import_step *step;

        set |= 1U << i;
        figures_find(&import->tree, &import->daolite, 1U << i, peak, &alone);
        figures_find(&import->tree, &import->daolite, set, peak, &all);
        step = add_step(import, corrections[i].name, alone.total, all.total);
        if (step == NULL)
            continue;
        if (corrections[i].sentence != NULL)
            snprintf(step->sentence, sizeof step->sentence, "%s", corrections[i].sentence);
        else
            describe_rates(import, peak, step);
    }
}

/* Causes of the model that daolite does not have. */
static const enum cause fixed_causes[] = {CAUSE_DISPATCH, CAUSE_SOFTWARE, CAUSE_FRAMEWORK,
                                          CAUSE_COPY, CAUSE_SLEEP};

#define NO_TIME 1e-9 /* factor */

/* A variant of the imported design without what this program adds to daolite's model. */
struct variant {
    struct scenario scenario;
    struct cause_factors factors;
};

static void strip_variant(struct variant *variant, const struct scenario *scenario)
{
    scenario_copy(&variant->scenario, scenario);
    cause_factors_reset(&variant->factors);
    for (int d = 0; d < DEVICE_MAX; d++) {
        for (size_t i = 0; i < sizeof fixed_causes / sizeof fixed_causes[0]; i++)
            variant->factors.of[d][fixed_causes[i]] = NO_TIME;
        variant->factors.of[d][CAUSE_PORT] = NO_TIME;
    }
    for (int d = 0; d < scenario->device_count; d++) {
        variant->scenario.device[d].sustained_compute = 1;
        variant->scenario.device[d].sustained_memory = 1;
    }
    for (int c = 0; c < scenario->component_count; c++) {
        struct component *component = &variant->scenario.component[c];

        if (component->compute_efficiency == 0)
            component->compute_efficiency = 1;
        if (component->memory_efficiency == 0)
            component->memory_efficiency = 1;
    }
}

/* Sets `total` to the time from the first pixel to the last command of a variant. */
static enum status time_variant(const struct variant *variant, const struct result *result,
                                struct result *another, double *total, struct error *error)
{
    enum status status =
        evaluate_scaled(&variant->scenario, &variant->factors, false, another, error);

    *total = another->latency + result->first_pixel - result->latency;
    return status;
}

/* Gives a variant the detectors that the file states where they had to be enlarged: with as many
 * subapertures across as they hold. */
static void set_stated_detectors(const struct import *import, struct scenario *scenario)
{
    for (int c = 0; c < import->daolite.component_count; c++) {
        const struct daolite_component *camera = &import->daolite.component[c];
        int w = section_find(scenario, SECTION_WFS, camera->name);
        double across;

        if (camera->type != DAOLITE_CAMERA || camera->stated_height == 0 || w < 0)
            continue;
        across = floor(camera->stated_height / scenario->wfs[w].pixels_per_subap);
        if (across < 1)
            continue;
        scenario->wfs[w].subaps_across = across;
        scenario->wfs[w].detector_width = camera->stated_width;
        scenario->wfs[w].detector_height = camera->stated_height;
    }
}

/* What a variant has of what this program adds, each with those before it. */
enum stage { STAGE_COUNTS, STAGE_EFFICIENCY, STAGE_FIXED, STAGE_PORTS, STAGE_DATAGRAMS, STAGES };

static void set_stage(struct variant *variant, const struct scenario *scenario, enum stage stage)
{
    strip_variant(variant, scenario);
    if (stage >= STAGE_EFFICIENCY)
        scenario_copy(&variant->scenario, scenario);
    for (int d = 0; d < DEVICE_MAX; d++) {
        for (int cause = 0; cause < CAUSE_COUNT; cause++)
            if (stage >= STAGE_PORTS || (stage == STAGE_FIXED && cause != CAUSE_PORT))
                variant->factors.of[d][cause] = 1;
        if (stage == STAGE_PORTS && d < scenario->device_count)
            variant->scenario.device[d].datagram_time = 0;
    }
}

/* Returns the host that receives the data of a camera: that of the first component behind it. */
static int receiving_host(const struct scenario *scenario, int camera)
{
    for (int c = 0; c < scenario->component_count; c++) {
        int device = 0;

        if ((scenario->component[c].after.members >> camera & 1) == 0 ||
            scenario->component[c].devices == 0)
            continue;
        while ((scenario->component[c].devices >> device & 1) == 0)
            device++;
        return scenario->device[device].host >= 0 ? scenario->device[device].host : device;
    }
    return -1;
}

/* Describes the datagrams of the first camera whose data a core receives. */
static void describe_datagrams(const struct scenario *scenario, const struct result *result,
                               struct import_step *step)
{
    snprintf(step->sentence, sizeof step->sentence, "the time of a core for each datagram");
    for (int c = 0; c < scenario->component_count; c++) {
        int host =
            scenario->component[c].type == COMPONENT_CAMERA ? receiving_host(scenario, c) : -1;
        char name[NODE_NAME_MAX + 1];
        double each;

        if (host < 0 || result->device[host].datagram_time <= 0)
            continue;
        each = result->device[host].datagram_time;
        snprintf(name, sizeof name, "%s.receive", scenario->component[c].head.name);
        for (int l = 0; l < result->link_count; l++)
            if (strcmp(result->link[l].name, name) == 0) {
                snprintf(step->sentence, sizeof step->sentence,
                         "a core of %s receives the %.0f datagrams of %s in turn, each in %.2f us, "
                         "which is assumed: daolite has no such time",
                         scenario->device[host].head.name, result->link[l].busy / each,
                         scenario->component[c].head.name, each * 1e6);
                return;
            }
    }
}

/* The steps of this program, from an ideal machine to the design as it is. */
static enum status add_own(struct import *import, struct variant *variant,
                           const struct result *result, struct result *another, struct error *error)
{
    static const struct {
        const char *name, *sentence;
    } rows[STAGES] = {
        {"counts",
         "this program's operation counts and bytes, caches, wire times, order of the "
         "packets and sharing of the machines, at their peaks; it waits for no packet that no "
         "subaperture needs, and has no default overhead of a control (daolite: 8 us) or "
         "of a transfer (twice time_in_driver, 3 us of PCIe)"},
        {"efficiency", "the parts of these peaks that each algorithm and access pattern reaches"},
        {"dispatch",
         "start of work, barriers and copies: the fixed times of each packet and component"},
        {"ports", "from the wire to the program and back; time_in_driver where it is stated"},
        {"datagrams", NULL},
    };
    struct import_step *step;

    for (int stage = 0; stage < STAGES; stage++) {
        double total = 0;
        enum status status;

        set_stage(variant, &import->scenario, (enum stage)stage);
        set_stated_detectors(import, &variant->scenario);
        status = time_variant(variant, result, another, &total, error);
        if (status != STATUS_OK)
            return status;
        step = add_step(import, rows[stage].name, RESULT_NONE, total);
        if (step != NULL && rows[stage].sentence != NULL)
            snprintf(step->sentence, sizeof step->sentence, "%s", rows[stage].sentence);
        else if (step != NULL)
            describe_datagrams(&import->scenario, result, step);
    }
    step = add_step(import, "detector", RESULT_NONE, result->first_pixel);
    if (step != NULL)
        snprintf(step->sentence, sizeof step->sentence,
                 "a detector is larger than stated, to hold its subapertures: pixels, packets that "
                 "complete them, and their order");
    return STATUS_OK;
}

enum status import_assess(struct import *import, const struct result *result,
                          struct result *another, struct error *error)
{
    struct figures_peak peak[DEVICE_MAX] = {{0}};
    struct variant *variant;
    enum status status;

    if (import->form != IMPORT_DAOLITE)
        return STATUS_OK;
    for (int m = 0; m < import->daolite.machine_count; m++)
        peak[m] = (struct figures_peak){result->device[m].peak_flops, result->device[m].bandwidth};
    figures_find(&import->tree, &import->daolite, 0, peak, &import->printed);
    figures_find(&import->tree, &import->daolite, DEFECTS_ALL, peak, &import->corrected);
    /* without daolite's total there is nothing that steps could explain */
    if (import->printed.total == RESULT_NONE)
        return STATUS_OK;
    add_corrections(import, peak);
    variant = allocate(sizeof *variant);
    status = add_own(import, variant, result, another, error);
    free(variant);
    return status;
}
