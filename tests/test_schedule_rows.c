#include "model/schedule.h"
#include "model/stage.h"

#include <math.h>
#include <stdlib.h>

#include "charts/timeline.h"
#include "check.h"
#include "reference_model.h"
#include "sample.h"
#include "systems.h"

static const char *name; /* of the design at hand */

static void (*check_schedule)(const struct schedule *lanes, const struct result *result);

static void check_preset(const char *preset, const struct scenario *system,
                         const struct result *as_it_is)
{
    static struct scenario scenario;
    struct result *result = sample_result();
    struct schedule lanes = {0};
    struct error error;

    (void)as_it_is;
    name = preset;
    scenario_copy(&scenario, system);
    for (int sharing = SHARING_PARTITION; sharing <= SHARING_FLUID; sharing++) {
        scenario.general.sharing = sharing;
        if (sample_evaluate(&scenario, result) &&
            CHECK_INT(schedule_capture(&lanes, &scenario, result, &error), STATUS_OK))
            check_schedule(&lanes, result);
    }
    schedule_free(&lanes);
}

/* Every preset, shared in each way. */
static void each_design(void (*check)(const struct schedule *lanes, const struct result *result))
{
    check_schedule = check;
    systems_each(check_preset);
}

/* Lanes --------------------------------------------------------------------------------------- */

static void holds_what_works(const struct schedule *lanes, const struct result *result)
{
    double latest = 0;

    for (int n = 0; n < lanes->node_count; n++) {
        const struct schedule_node *node = &lanes->node[n];
        const struct track *track = &result->work->track[n];
        bool deferred = result->frames > 1 || track->sharing == SHARING_PARTITION;
        double expected = result->node[n].time + (deferred ? result->node[n].deferred : 0);
        double busy = 0;

        for (int i = node->first; i < node->first + node->count; i++) {
            CHECK_TRUE(lanes->slot[i].node == n &&
                           (i == node->first || lanes->slot[i].number > lanes->slot[i - 1].number),
                       "%s %s: slot %d", name, node->name, i);
            busy += lanes->slot[i].did.busy;
            latest = fmax(latest, lanes->slot[i].did.end);
        }
        if (!node_is_whole(&result->node[n]) && !result->overloaded)
            CHECK_TRUE(busy <= expected + 1e-9 * result->node[n].busy &&
                           (busy >= expected - 1e-9 * result->node[n].busy ||
                            !reference_all_in_time(track)),
                       "%s %s: busy %.12g s, expected %.12g", name, node->name, busy, expected);
    }
    CHECK_NEAR(lanes->end, latest, 1e-12);
}

TEST(kept)
{
    each_design(holds_what_works);
}

/* There and back along a lane comes by all its slots, in the order of time. */
static void along(const struct schedule *lanes, const struct schedule_row *lane)
{
    int held = 0;
    int steps = 0;
    int last = -1;

    for (int n = 0; n < lanes->node_count; n++)
        held += schedule_row_holds(lane, lanes, n) ? lanes->node[n].count : 0;
    for (int s = schedule_next_slot(lanes, lane, -1, 1); s >= 0;
         s = schedule_next_slot(lanes, lane, s, 1)) {
        CHECK_TRUE(schedule_row_holds(lane, lanes, lanes->slot[s].node) &&
                       (last < 0 || lanes->slot[s].did.start >= lanes->slot[last].did.start),
                   "%s %s: slot %d after %d", name, lane->name, s, last);
        CHECK_INT(schedule_next_slot(lanes, lane, s, -1), last);
        last = s;
        if (++steps > held)
            break;
    }
    CHECK_TRUE(steps == held && held > 0, "%s %s: %d steps along %d slots", name, lane->name, steps,
               held);
    CHECK_INT(schedule_next_slot(lanes, lane, -1, -1), last);
}

static void near(const struct schedule *lanes, const struct schedule_row *lane)
{
    for (int s = schedule_next_slot(lanes, lane, -1, 1); s >= 0;
         s = schedule_next_slot(lanes, lane, s, 1)) {
        const struct schedule_slot *did = &lanes->slot[s].did;
        double middle = (did->start + did->end) / 2;
        int found = schedule_nearest_slot(lanes, lane, middle);

        CHECK_TRUE(found >= 0 && lanes->slot[found].did.from <= middle &&
                       lanes->slot[found].did.end >= middle,
                   "%s %s: at %.12g s slot %d", name, lane->name, middle, found);
    }
    CHECK(schedule_nearest_slot(lanes, lane, -1) >= 0 &&
          schedule_nearest_slot(lanes, lane, 1e9) >= 0);
}

static void order(const struct schedule *lanes, const struct result *result)
{
    (void)result;
    for (int by = 0; by < ROW_ORDERS; by++) {
        CHECK(lanes->count[by] > 0);
        for (int l = 0; l < lanes->count[by]; l++) {
            along(lanes, &lanes->lane[by][l]);
            near(lanes, &lanes->lane[by][l]);
        }
    }
}

TEST(in_order)
{
    each_design(order);
}

/* Charts -------------------------------------------------------------------------------------- */

static void build(const struct schedule *lanes, struct timeline_window window, struct chart *chart)
{
    timeline_chart(lanes, &window, chart);
    CHECK_INT(chart->rows, 1 + lanes->count[window.by]); /* the first is the latency */
    for (int i = 0; i < chart->count; i++)
        for (int s = 0; chart->item[i].kind == CHART_SPANS && s < chart->item[i].count; s++) {
            const struct chart_span *span = &chart->item[i].span[s];

            CHECK_TRUE(span->row >= 0 && span->row < chart->rows && span->from <= span->to &&
                           span->from >= window.from && span->to <= window.to &&
                           (span->label != NULL || span->look == LOOK_CRITICAL),
                       "%s row %d: %.12g to %.12g s of %.12g to %.12g", name, span->row, span->from,
                       span->to, window.from, window.to);
        }
}

static int spans(const struct chart *chart)
{
    int count = 0;

    for (int i = 0; i < chart->count; i++)
        if (chart->item[i].kind == CHART_SPANS && chart->item[i].look != LOOK_OTHER &&
            chart->item[i].look != LOOK_CRITICAL && chart->item[i].span[0].row > 0)
            count += chart->item[i].count;
    return count;
}

static bool covered(const struct chart *chart, const struct chart_span *span)
{
    for (int i = 0; i < chart->count; i++)
        for (int s = 0; chart->item[i].kind == CHART_SPANS && s < chart->item[i].count; s++) {
            const struct chart_span *by = &chart->item[i].span[s];

            if (by->row == span->row && by->look == span->look && by->from <= span->from &&
                by->to >= span->to)
                return true;
        }
    return false;
}

/* All slots are in the chart; joined ones are fewer and cover the same. */
static void chart_of(const struct schedule *lanes, const struct result *result)
{
    struct chart every, fewer;
    struct timeline_window window = {.by = ROWS_BY_COMPONENT};
    int slots = 0;

    (void)result;
    for (int s = 0; s < lanes->slot_count; s++) {
        const struct schedule_slot *did = &lanes->slot[s].did;

        slots += (did->start > did->from) + did->works;
    }
    timeline_whole(lanes, &window.from, &window.to);
    build(lanes, window, &every);
    CHECK_INT(spans(&every), slots);
    window.merge = (window.to - window.from) / 60;
    build(lanes, window, &fewer);
    CHECK(spans(&fewer) <= slots);
    for (int i = 0; i < every.count; i++)
        for (int s = 0; every.item[i].kind == CHART_SPANS && every.item[i].look != LOOK_OTHER &&
                        s < every.item[i].count;
             s += 7)
            CHECK_TRUE(covered(&fewer, &every.item[i].span[s]), "%s: a span of row %d is lost",
                       name, every.item[i].span[s].row);
    chart_free(&every);
    chart_free(&fewer);
    window.by = ROWS_BY_DEVICE;
    timeline_tail(lanes, &window.from, &window.to);
    build(lanes, window, &every);
    chart_free(&every);
}

TEST(charts)
{
    each_design(chart_of);
}

/* Windows ------------------------------------------------------------------------------------- */

/* What is left out of a window is outside of it, and little else is not. */
static void finds_what_is_visible(const struct schedule *lanes, const struct result *result)
{
    (void)result;
    for (int n = 0; n < lanes->node_count; n++)
        for (int part = -1; part <= 20; part++) {
            const struct schedule_node *node = &lanes->node[n];
            double from = part * lanes->end / 20;
            double to = from + lanes->end / 40;
            int visible = 0;
            int first, end;

            schedule_visible_slots(lanes, n, from, to, &first, &end);
            CHECK_TRUE(first >= node->first && end <= node->first + node->count, "%s %s: %d to %d",
                       name, node->name, first, end);
            for (int i = node->first; i < node->first + node->count; i++) {
                const struct schedule_slot *did = &lanes->slot[i].did;
                bool shown = did->end >= from && did->from <= to;

                visible += shown;
                CHECK_TRUE(!shown || (i >= first && i < end), "%s %s: slot %d is left out", name,
                           node->name, i);
            }
            CHECK_TRUE(!node->ordered || end - first <= visible + 1, "%s %s: %d slots for %d", name,
                       node->name, end - first, visible);
        }
}

TEST(windows)
{
    each_design(finds_what_is_visible);
}
