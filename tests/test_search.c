/* Searches with a bound against exhaustive ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "draw.h"
#include "explore/search.h"
#include "explore/surpass.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "sample.h"
#include "systems.h"

static struct scenario scenario;
static struct axis axis[SWEEP_AXES_MAX];
static struct search search;

static void end_case(void)
{
    search_free(&search);
    for (int i = 0; i < SWEEP_AXES_MAX; i++)
        axis_free(&axis[i]);
}

static bool add_axis(const char *text)
{
    struct error error = {STATUS_OK, ""};

    return axis_parse_pattern(&axis[search.sweep.axis_count++], &scenario, systems_catalogue(),
                              text, false, &error) == STATUS_OK;
}

/* Returns true if an axis of parts has a device, alone or with others. */
static bool has_parts(int device)
{
    for (int i = 0; i < search.sweep.axis_count; i++)
        if (axis[i].preset != NULL && axis_varies(&axis[i], SECTION_DEVICE, device))
            return true;
    return false;
}

/* Adds presets of a device's kind that are drawn: an axis of parts, with `alike` 1 also of the
 * devices whose names differ in the last character only. */
static bool add_parts(struct draw *draw, int device, int alike, int parts)
{
    static const char *const kinds[] = {"cpu", "gpu", "fpga"};
    const char *name = scenario.device[device].head.name;
    struct catalogue *catalogue = systems_catalogue();
    enum preset_kind kind = preset_kind_of(&scenario.device[device]);
    char text[2000];
    struct buffer list = buffer_over(text, sizeof text);

    buffer_print(&list, "device.%.*s%s=", (int)strlen(name) - alike, name, alike > 0 ? "?" : "");
    if (parts == 0)
        buffer_text(&list, kinds[scenario.device[device].kind]);
    for (int left = parts, tries = 1000; left > 0 && tries > 0; tries--) {
        const struct preset *preset =
            catalogue_at(catalogue, draw_below(draw, catalogue_count(catalogue)));

        if (preset->kind != kind)
            continue;
        buffer_print(&list, "%s%s", left < parts ? "," : "", preset->name);
        left--;
    }
    return add_axis(text);
}

/* Draws the axes: parts of up to three devices last, two other knobs first. Returns false if the
 * design has too few devices or one of the axes no meaning. */
static bool draw_case(struct draw *draw)
{
    static const char *const general[] = {"scenario.packets=1,5", "scenario.sharing=all",
                                          "scenario.overlap=0,1", "scenario.frame_rate=50,900"};
    static const char *const of_device[] = {"count=1,2", "dispatch=all", "copy=all",
                                            "jitter=1,1.2"};
    char text[200];
    int devices = 0, alike;
    int used[DEVICE_MAX];

    search =
        (struct search){.sweep = {.base = &scenario, .axis = axis, .any_host = true, .jobs = 1}};
    if (!add_axis(general[draw_below(draw, 4)]))
        return false;
    for (int d = 0; d < scenario.device_count; d++)
        if (scenario_device_used(&scenario, d))
            used[devices++] = d;
    if (devices == 0)
        return false;
    snprintf(text, sizeof text, "device.%s.%s", scenario.device[used[0]].head.name,
             of_device[draw_below(draw, 4)]);
    if (!add_axis(text)) {
        axis_free(&axis[--search.sweep.axis_count]);
        axis[search.sweep.axis_count] = (struct axis){.count = 0};
    }
    if (devices == 1)
        return add_parts(draw, used[0], 0, 0);
    alike = draw_below(draw, 2);
    for (int d = 0; d < devices && d < 3; d++)
        if (!has_parts(used[d]) && !add_parts(draw, used[d], alike, devices == 2 ? 10 : 5))
            return false;
    return true;
}

/* What designs are at least ------------------------------------------------------------------- */

static struct least_check {
    const char *name;
    bool known;
    struct sweep_least least;
    int cases, compared;
    uint64_t excluded;
    double closest; /* the largest fraction of a latency that was known */
} check;

static int note_least(void *context, const struct sweep_row *row, const struct sweep_least *least)
{
    (void)context;
    (void)row;
    check.least = *least;
    check.known = true;
    return SWEEP_KEPT;
}

static void compare_least(void *context, const struct sweep_row *row, const struct scenario *design,
                          const struct result *result)
{
    (void)context;
    (void)design;
    if (check.known && row->error.status == STATUS_OK) {
        CHECK_TRUE(check.least.latency <= result->latency,
                   "%s, design %d: at least %.17g s, latency %.17g s", check.name, (int)row->number,
                   check.least.latency, result->latency);
        CHECK_TRUE(check.least.watts == result->watts && check.least.price == result->price &&
                       check.least.count == result->part_count,
                   "%s, design %d: %g W, %g, %g parts, not %g, %g, %g", check.name,
                   (int)row->number, result->watts, result->price, result->part_count,
                   check.least.watts, check.least.price, check.least.count);
        check.compared++;
        if (result->latency > 0 && check.least.latency / result->latency > check.closest)
            check.closest = check.least.latency / result->latency;
    }
    check.known = false;
}

static void check_least(void)
{
    static const struct conditions none = {.count = 0};
    const struct sweep_rows rows = {.inspect = compare_least};
    struct sweep sweep = search.sweep;
    struct error error;
    uint64_t designs = 0;

    sweep.where = &none;
    sweep.excludes = note_least;
    sweep_count(&sweep, &designs, &error);
    CHECK_INT(sweep_designs(&sweep, 0, designs, &rows, NULL, &error), STATUS_OK);
}

/* Fronts --------------------------------------------------------------------------------------- */

/* Returns how many designs the bound excluded. */
static uint64_t check_front(const char *objectives, const char *where)
{
    struct search bounded;
    struct error error = {STATUS_OK, ""};
    uint64_t excluded;

    memset(&search.objective, 0, sizeof search.objective);
    search.sweep.wanted_count = 0;
    sweep_count(&search.sweep, &search.designs, &error);
    if (!CHECK_TRUE(search_parse_objectives(&scenario, sample_result(), objectives, &search,
                                            &error) == STATUS_OK &&
                        conditions_parse(&scenario, sample_result(), where, &search.conditions,
                                         &error) == STATUS_OK,
                    "%s", error.message))
        return 0;
    search_free(&search);
    memset(search.count, 0, sizeof search.count);
    bounded = search;
    bounded.sweep.wanted = bounded.objective;
    bounded.sweep.where = &bounded.conditions;
    CHECK_INT(search_run(&search, 0, search.designs, NULL, &error), STATUS_OK);
    CHECK(search_can_bound(&bounded));
    CHECK_INT(search_bound(&bounded, NULL, &error), STATUS_OK);
    CHECK_INT(search_run(&bounded, 0, bounded.designs, NULL, &error), STATUS_OK);
    CHECK_TRUE(bounded.front.count == search.front.count, "%s: front of %d, exhaustive %d",
               check.name, bounded.front.count, search.front.count);
    for (int i = 0; i < search.front.count && i < bounded.front.count; i++) {
        CHECK_INT(bounded.front.point[i].number, search.front.point[i].number);
        for (int k = 0; k < search.sweep.wanted_count; k++)
            CHECK_NEAR(bounded.front.point[i].value[k], search.front.point[i].value[k], 0);
    }
    CHECK_INT(search.count[SWEEP_BOUNDED], 0);
    excluded = bounded.count[SWEEP_BOUNDED];
    search_free(&bounded);
    return excluded;
}

/* Moves components to other devices, or divides them over two. */
static void move_components(struct draw *draw)
{
    for (int c = 0; c < scenario.component_count; c++) {
        uint32_t devices = UINT32_C(1) << draw_below(draw, scenario.device_count);

        if (draw_chance(draw, 0.3))
            devices |= UINT32_C(1) << draw_below(draw, scenario.device_count);
        if (draw_chance(draw, 0.4))
            knob_set_devices(&scenario, knob_ref_to(KNOB_COMPONENT_DEVICE, c), devices, NULL);
    }
}

static void check_system(const char *name, const struct scenario *system,
                         const struct result *result)
{
    static const char *const objectives[] = {"latency,watts", "latency,watts,count",
                                             "latency_high,watts"};
    static const char *const where[] = {"count>=0", "latency<=900us,watts<=1500",
                                        "latency_high<=2ms"};

    (void)result;
    check.name = name;
    for (int i = 0; i < draw_repeat(2); i++) {
        struct draw draw = draw_start((uint64_t)(check.cases + 1));

        scenario_copy(&scenario, system);
        if (i > 0)
            move_components(&draw);
        if (evaluate(&scenario, sample_result(), NULL) == STATUS_OK && draw_case(&draw) &&
            sweep_inner(&search.sweep) > 0) {
            int ask = check.cases++ % 8;

            check_least();
            CHECK(evaluate(&scenario, sample_result(), NULL) == STATUS_OK);
            check.excluded += check_front(objectives[ask < 3 ? ask : 0], where[ask < 3 ? ask : 0]);
        }
        end_case();
    }
}

/* Of all systems, as they are and with components on other devices. */
TEST(fronts_are_those_of_exhaustive_searches)
{
    check = (struct least_check){.known = false};
    systems_each(check_system);
    printf("# %d designs of %d cases, %d excluded, latency at least %.3f\n", check.compared,
           check.cases, (int)check.excluded, check.closest);
    CHECK_TRUE(check.cases >= 2 && check.excluded > 50 * (uint64_t)check.cases,
               "%d cases, %d excluded", check.cases, (int)check.excluded);
    CHECK_TRUE(check.closest > 0.8, "a latency is known to %g", check.closest);
}

/* How long transfers take depends on two devices where these share a memory, and a part of one
 * alone has no least latency. */
TEST(parts_that_share_a_memory_have_no_bound)
{
    struct error error;

    if (!systems_load(&scenario, "elt-scao"))
        return;
    search =
        (struct search){.sweep = {.base = &scenario, .axis = axis, .any_host = true, .jobs = 1}};
    CHECK(add_axis("device.rtc=cpu"));
    CHECK(add_axis("device.gpu0=gpu"));
    CHECK_INT(search_parse_objectives(&scenario, sample_result(), "latency,watts", &search, &error),
              STATUS_OK);
    CHECK(search_can_bound(&search));
    sample_set(&scenario, "device.gpu0.host_link", "unified");
    CHECK(!search_can_bound(&search));
    end_case();
}

/* Totals that are left out (surpass.h) --------------------------------------------------------- */

static struct totals_check {
    const char *name;
    int searches, points;
    uint64_t kept, left_out;
    struct search_front all; /* each design that is kept */
    bool left;               /* count what is left out instead */
} totals;

static bool collect_row(void *context, const struct sweep_row *row)
{
    struct search_point point = {.number = row->number};

    (void)context;
    if (row->verdict != SWEEP_KEPT)
        return true;
    totals.kept += !totals.left;
    totals.left_out += totals.left && row->surpassed;
    for (int i = 0; i < search.sweep.wanted_count && !totals.left; i++)
        point.value[i] = row->value[i];
    if (!totals.left)
        search_append(&totals.all, &point);
    return true;
}

/* Returns true if one of all designs dominates a design, or equals it and comes before it. */
static bool is_dominated(const struct search_point *point)
{
    for (int k = 0; k < totals.all.count; k++) {
        const struct search_point *other = &totals.all.point[k];
        bool as_good = other->number != point->number, equal = true;

        for (int i = 0; i < search.sweep.wanted_count; i++) {
            as_good = as_good && other->value[i] <= point->value[i];
            equal = equal && other->value[i] == point->value[i];
        }
        if (as_good && (!equal || other->number < point->number))
            return true;
    }
    return false;
}

static bool is_on_front(uint64_t number)
{
    for (int i = 0; i < search.front.count; i++)
        if (search.front.point[i].number == number)
            return true;
    return false;
}

/* Compares the front of a search with that of all designs, each with its total. */
static void check_totals(const char *objectives)
{
    const struct sweep_rows rows = {.receive = collect_row};
    struct error error = {STATUS_OK, ""};
    struct sweep sweep;
    atomic_bool fell = false;

    sweep_count(&search.sweep, &search.designs, &error);
    if (!CHECK_TRUE(search_parse_objectives(&scenario, sample_result(), objectives, &search,
                                            &error) == STATUS_OK,
                    "%s", error.message))
        return;
    CHECK_INT(search_run(&search, 0, search.designs, NULL, &error), STATUS_OK);
    totals.all.count = 0;
    sweep = search.sweep;
    CHECK_INT(sweep_designs(&sweep, 0, search.designs, &rows, NULL, &error), STATUS_OK);
    CHECK_TRUE(search.count[SWEEP_KEPT] == (uint64_t)totals.all.count, "%s: %d of %d kept",
               totals.name, (int)search.count[SWEEP_KEPT], totals.all.count);
    for (int i = 0; i < totals.all.count; i++) {
        const struct search_point *point = &totals.all.point[i];

        CHECK_TRUE(is_on_front(point->number) != is_dominated(point),
                   "%s, design %d, %.17g m: %s the front", totals.name, (int)point->number,
                   point->value[0], is_dominated(point) ? "on" : "not on");
    }
    totals.points += search.front.count;
    totals.left = sweep.best_only = true;
    sweep.fell = &fell;
    sweep.jobs = 1; /* each thread leaves out what is worse than its own designs */
    CHECK_INT(sweep_designs(&sweep, 0, search.designs, &rows, NULL, &error), STATUS_OK);
    totals.left = false;
    CHECK_TRUE(!fell, "%s: a total falls where the delay grows", totals.name);
}

static void search_totals(const char *name, const struct scenario *system,
                          const struct result *result)
{
    static const char *const axes[] = {"scenario.packets=1,2,7",          "scenario.sharing=all",
                                       "scenario.frame_rate=200,400,800", "ao.gain=0,0.2",
                                       "atmosphere.seeing=0.5,0.9",       "atmosphere.wind=8,30"};
    static const char *const objectives[] = {"loop.total,watts", "loop.total",
                                             "loop.total,latency,count", "loop.total,price"};

    (void)result;
    totals.name = name;
    for (int i = 0; i < draw_repeat(28); i++) {
        struct draw draw = draw_start((uint64_t)(++totals.searches));
        int device;

        scenario_copy(&scenario, system);
        if (draw_chance(&draw, 0.1))
            scenario.ao.controller = draw_below(&draw, 5);
        if (draw_chance(&draw, 0.05))
            scenario.ao.gains = GAINS_PER_ORDER;
        if (draw_chance(&draw, 0.1))
            strcpy(scenario.ao.vibrations, "48 Hz:0.01:20 nm");
        search = (struct search){
            .sweep = {.base = &scenario, .axis = axis, .any_host = true, .jobs = 1 + i % 2}};
        device = draw_below(&draw, scenario.device_count);
        if (evaluate(&scenario, sample_result(), NULL) == STATUS_OK &&
            add_axis(axes[draw_below(&draw, 6)]) && add_parts(&draw, device, 0, 20))
            check_totals(objectives[draw_below(&draw, 4)]);
        end_case();
    }
}

TEST(totals_that_are_left_out_change_no_front)
{
    totals = (struct totals_check){.left = false};
    systems_each(search_totals);
    printf("# %d searches, %d designs on fronts, %d kept, %d without a total\n", totals.searches,
           totals.points, (int)totals.kept, (int)totals.left_out);
    free(totals.all.point);
}

/* Of the two designs, the second one has the longer delay: its total is left out. With hardly any
 * photons the least gain is the best, a longer delay has a lower one, and none is; nor is one
 * without a star, where a shorter exposure leaves totals that fall. */
TEST(totals_of_bright_and_faint_stars)
{
    static const struct {
        const char *system, *knob, *value;
        int left_out;
    } rows[] = {{"micado-scao", "wfs.ngs.photons", "100", 1},
                {"micado-scao", "wfs.ngs.photons", "0.001", 0},
                {"elt-scao", "component.camera.exposure", "2 ms", 1},
                {"elt-scao", "component.camera.exposure", "1 ms", 0}};
    struct error error = {STATUS_OK, ""};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        totals = (struct totals_check){.name = rows[i].value};
        if (!systems_load(&scenario, rows[i].system))
            return;
        sample_set(&scenario, rows[i].knob, rows[i].value);
        search = (struct search){.sweep = {.base = &scenario, .axis = axis, .jobs = 1}};
        CHECK_INT(evaluate(&scenario, sample_result(), &error), STATUS_OK);
        if (CHECK(add_axis("scenario.packets=20,1")))
            check_totals("loop.total");
        CHECK_INT((int)totals.left_out, rows[i].left_out);
        end_case();
        free(totals.all.point);
    }
}

/* Takes a design as the next one with the same values: its total as it is, or another one. Returns
 * true if it needs none. */
static bool take_design(struct surpass *surpass, const struct surpass_question *question,
                        uint64_t number, int packets, double total)
{
    static const int at[SWEEP_AXES_MAX] = {0};
    struct error error = {STATUS_OK, ""};
    struct result *result = sample_result();

    sample_number(&scenario, "scenario.packets", packets);
    CHECK_INT(evaluate(&scenario, result, &error), STATUS_OK);
    if (surpass_finds(surpass, question, number, at, &scenario, result))
        return true;
    CHECK_INT(derived_add_budget(&scenario, result, question->wanted[0].row->derived, &error),
              STATUS_OK);
    result->loop.total = total > 0 ? total : result->loop.total;
    surpass_note(surpass, question, &scenario, result);
    return false;
}

/* One in SURPASS_CHECKED of the designs with a longer delay is computed all the same, and says if
 * its total is less. */
TEST(a_surpassed_design_is_checked)
{
    struct error error = {STATUS_OK, ""};
    struct surpass surpass = {.count = 0};
    struct surpass_question question = {.base = &scenario, .wanted_count = 1};
    struct result_ref total;

    if (!systems_load(&scenario, "micado-scao") || !sample_evaluate(&scenario, sample_result()) ||
        !CHECK_INT(result_find(&scenario, sample_result(), "loop.total", &total, &error),
                   STATUS_OK))
        return;
    question.wanted = &total;
    CHECK(!take_design(&surpass, &question, 0, 20, 0));
    CHECK(take_design(&surpass, &question, SURPASS_CHECKED - 1, 1, 0));
    CHECK(!take_design(&surpass, &question, SURPASS_CHECKED, 1, 0));
    CHECK(!surpass.fell);
    CHECK_INT(surpass.count, 1);
    CHECK(!take_design(&surpass, &question, 2 * SURPASS_CHECKED, 1, 1e-9));
    CHECK(surpass.fell);
    surpass_free(&surpass);
}

enum { FIRST_BLOCK = 2, LAST_VALUE = 5 };

/* Asks for the designs of the second block only once a total has fallen, which the last one does.
 */
static bool asks_again(const void *context, const int at[SWEEP_AXES_MAX])
{
    const bool fell = search.fell;

    (void)context;
    search.fell = fell || at[0] == LAST_VALUE;
    return fell || at[0] < FIRST_BLOCK;
}

/* Then the answer is that of all designs, and keeps the first block. */
TEST(a_total_that_falls_tries_all_again)
{
    struct error error = {STATUS_OK, ""};

    if (!systems_load(&scenario, "micado-scao"))
        return;
    search =
        (struct search){.sweep = {.base = &scenario, .axis = axis, .jobs = 1, .asks = asks_again}};
    CHECK_INT(evaluate(&scenario, sample_result(), &error), STATUS_OK);
    CHECK(add_axis("scenario.frame_rate=200,400,300,100,150,250"));
    sweep_count(&search.sweep, &search.designs, &error);
    CHECK_INT(search_parse_objectives(&scenario, sample_result(), "loop.total,max_frame_rate",
                                      &search, &error),
              STATUS_OK);
    CHECK_INT(search_run(&search, 0, FIRST_BLOCK, NULL, &error), STATUS_OK);
    CHECK(!search.fell);
    CHECK_INT(search_run(&search, FIRST_BLOCK, search.designs, NULL, &error), STATUS_OK);
    CHECK(search.fell);
    CHECK_INT((int)search.count[SWEEP_KEPT], LAST_VALUE + 1);
    CHECK_INT((int)search_tried(&search), LAST_VALUE + 1);
    end_case();
}

/* Equivalent designs --------------------------------------------------------------------------- */

/* Checks who is shown of a front by the comparisons of all pairs. */
static void check_groups(const char *name, const struct search_answer *answer)
{
    for (int i = 0; i < answer->count; i++) {
        const struct search_design *a = &answer->front[i], *shown = &answer->front[a->shown];

        CHECK_TRUE(
            a->watts == RESULT_NONE || (shown->watts != RESULT_NONE && shown->watts <= a->watts),
            "%s, design %d, %g W: shown is %d, %g W", name, i, a->watts, a->shown, shown->watts);
        CHECK_TRUE(a->latency >= shown->fastest && a->latency <= shown->slowest,
                   "%s, design %d, %g s: not from %g to %g", name, i, a->latency, shown->fastest,
                   shown->slowest);
        for (int k = 0; k < answer->count; k++) {
            const struct search_design *b = &answer->front[k];
            bool told = a->may_not_keep_up != b->may_not_keep_up ||
                        a->point.uncounted != b->point.uncounted ||
                        compare_errors_told(answer->errors[i], answer->errors[k]);

            CHECK_TRUE(a->shown != k || !told, "%s: %d is told from %d, which is shown", name, i,
                       k);
            CHECK_TRUE(a->shown != i || b->shown != k || i == k || told,
                       "%s: %d and %d are shown, but not told apart", name, i, k);
        }
    }
}

/* Of the parts of a system, in any of some numbers of packets. */
static void search_groups(const char *name, const struct scenario *system,
                          const struct result *result)
{
    struct error error = {STATUS_OK, ""};
    struct search_answer answer;
    struct draw draw = draw_start(1);

    (void)result;
    scenario_copy(&scenario, system);
    search = (struct search){.sweep = {.base = &scenario, .axis = axis, .jobs = 1}};
    if (evaluate(&scenario, sample_result(), NULL) == STATUS_OK &&
        add_axis("scenario.packets=2,20") && add_parts(&draw, 0, 0, 0)) {
        sweep_count(&search.sweep, &search.designs, &error);
        search_parse_objectives(&scenario, sample_result(), "latency,watts", &search, &error);
        CHECK_INT(search_run(&search, 0, search.designs, NULL, &error), STATUS_OK);
        CHECK_INT(search_answer(&search, NULL, sample_result(), &answer, &error), STATUS_OK);
        search_fold(&search, 0, &answer);
        check_groups(name, &answer);
        search_answer_free(&answer);
    }
    end_case();
}

/* The design of least power of a group is shown; it is told from none of its group and from all
 * others shown. */
TEST(designs_that_are_shown_can_be_told_apart)
{
    systems_each(search_groups);
}

/* Stopping ------------------------------------------------------------------------------------- */

/* Stops once a part is done: how often it is asked before depends on the machine. */
static bool stop_after_part(void *context, double done)
{
    int *after = context;

    if (*after > 0 || done > 0)
        ++*after;
    return *after == 0;
}

/* An answer that is stopped has the whole front, with the ranges found by then. */
TEST(a_stopped_answer_keeps_the_front)
{
    int looks = 0; /* once it is stopped, with that which stopped it */
    const struct progress progress = {stop_after_part, &looks};
    struct search_answer answer;
    struct error error = {STATUS_OK, ""};

    if (!systems_load(&scenario, "elt-scao"))
        return;
    search = (struct search){.sweep = {.base = &scenario, .axis = axis, .jobs = 1}};
    CHECK(evaluate(&scenario, sample_result(), NULL) == STATUS_OK);
    CHECK(add_axis("device.gpu0=gpu"));
    sweep_count(&search.sweep, &search.designs, &error);
    CHECK_INT(search_parse_objectives(&scenario, sample_result(), "latency,watts", &search, &error),
              STATUS_OK);
    CHECK_INT(search_run(&search, 0, search.designs, NULL, &error), STATUS_OK);
    CHECK_INT(search_answer(&search, &progress, sample_result(), &answer, &error), STATUS_OK);
    CHECK(answer.stopped);
    CHECK(!answer.has_present);
    CHECK_TRUE(answer.count > 2, "%d designs", answer.count);
    CHECK_TRUE(looks >= 1 && looks <= 2, "%d looks after the end", looks);
    for (int i = 0; i < answer.count; i++) {
        CHECK_NEAR(answer.front[i].latency, search.front.point[i].value[0], 0);
        CHECK_TRUE((answer.front[i].low == RESULT_NONE) == (i > 0), "design %d, low %g", i,
                   answer.front[i].low);
    }
    search_answer_free(&answer);
    end_case();
}
