#include <stddef.h>

#include "check.h"
#include "tui/layout.h"

static bool inside(struct rect rect, int rows, int columns)
{
    return rect.rows >= 0 && rect.columns >= 0 && rect.row >= 0 && rect.column >= 0 &&
           rect.row + rect.rows <= rows && rect.column + rect.columns <= columns;
}

static bool apart(struct rect a, struct rect b)
{
    return a.rows == 0 || a.columns == 0 || b.rows == 0 || b.columns == 0 ||
           a.row + a.rows <= b.row || b.row + b.rows <= a.row || a.column + a.columns <= b.column ||
           b.column + b.columns <= a.column;
}

static int area(struct rect rect)
{
    return rect.rows * rect.columns;
}

/* The lines of the verdict are in its box and apart. */
static bool verdict_is_sound(const struct verdict_layout *verdict)
{
    const struct rect box = verdict->box;
    const struct rect lines[] = {verdict->latency, verdict->path, verdict->limit, verdict->next,
                                 verdict->software};

    for (int i = 0; i < 5; i++) {
        if ((i == 1 || i == 4) && area(lines[i]) == 0)
            continue;
        if (area(lines[i]) == 0 ||
            !inside((struct rect){lines[i].row - box.row, lines[i].column - box.column,
                                  lines[i].rows, lines[i].columns},
                    box.rows, box.columns))
            return false;
        for (int j = 0; j < i; j++)
            if (!apart(lines[i], lines[j]))
                return false;
    }
    return true;
}

/* Every size of terminal, with few and many components. */
TEST(rectangles_stay_apart)
{
    static const int wanted[] = {0, 3, 12, 40, 200};
    long bad = 0;
    long with = 0;

    for (int rows = 1; rows <= 100; rows++)
        for (int columns = 1; columns <= 300; columns++) {
            struct layout l = layout_screen(rows, columns);

            for (size_t w = 0; w < sizeof wanted / sizeof wanted[0] && l.fits; w++) {
                struct explore_rows want = {wanted[w], 3, 8};
                struct explore_layout e = layout_explore(l.body, want);
                struct rect all[] = {l.header, l.detail,      l.footer,  e.knobs,   e.components,
                                     e.loop,   e.verdict.box, e.devices, e.timeline};
                bool open = e.verdict.box.rows == e.verdict.lines;
                int cells = 0;

                /* the detail line stands in the lower border of the knobs */
                bad += e.knobs.row + e.knobs.rows != l.detail.row + open;
                with += e.devices.rows > 1;
                bad += e.devices.rows > 1 && (e.components.rows < wanted[w] + 2 ||
                                               e.loop.rows < 4 || e.devices.rows != 5);
                bad += !verdict_is_sound(&e.verdict) || e.verdict.box.columns != columns;
                /* the timeline leaves as much room as without it */
                bad += columns < 160 ? area(e.timeline) != 0
                                     : e.timeline.columns < 42 || e.timeline.rows + open != e.knobs.rows ||
                                           e.knobs.columns < 48 || e.components.columns < 70;
                for (size_t i = 0; i < 9; i++) {
                    bad += !inside(all[i], rows, columns) || (i < 8 && area(all[i]) == 0);
                    cells += area(all[i]);
                    for (size_t j = 0; j < i; j++)
                        bad += !apart(all[i], all[j]) && !(open && j == 1);
                }
                bad += cells != rows * columns + open * e.knobs.columns;
            }
        }
    CHECK_INT(bad, 0);
    CHECK(with > 0);
}

/* Returns the body of a view below the verdict in one line. */
static struct rect view_body(int rows, int columns, int *bad)
{
    struct rect all = layout_screen(rows, columns).body;
    struct rect body = all;
    struct rect line;

    if (all.rows == 0)
        return all;
    line = layout_take_verdict(&body);
    *bad += !inside(line, rows, columns) || !apart(line, body) || line.rows != 1 ||
            body.rows != all.rows - 1;
    return body;
}

/* The machine's pictures fill the body, all of them or the one with the focus. */
TEST(pictures_fill_the_body)
{
    int bad = 0;
    long four = 0, six = 0;

    for (int rows = 1; rows <= 100; rows++)
        for (int columns = 1; columns <= 300; columns++) {
            struct rect body = view_body(rows, columns, &bad);

            for (int focus = 0; focus < 6 && body.rows > 0; focus++)
                for (int wanted = 0; wanted <= 78; wanted += 78)
                    for (int count = focus < 5 ? 5 : 6; count <= 6; count++) {
                        struct machine_layout l = layout_machine(body, focus, wanted, count);
                        const struct rect *box = l.box;
                        int cells = 0;

                        for (int i = 0; i < 6; i++) {
                            bad += !inside(box[i], rows, columns);
                            cells += area(box[i]);
                            for (int j = 0; j < i; j++)
                                bad += !apart(box[i], box[j]);
                        }
                        bad += cells != area(body) || area(box[focus]) == 0;
                        bad += box[focus].columns < body.columns &&
                               box[focus].columns < wanted + 2;
                        four += area(box[0]) > 0 && area(box[3]) > 0;
                        six += area(box[0]) > 0 && area(box[5]) > 0;
                        bad += count == 5 && area(box[5]) > 0;
                    }
        }
    CHECK_INT(bad, 0);
    CHECK(four > 0);
    CHECK(six > 0);
    CHECK(layout_machine(view_body(36, 120, &bad), 0, 0, 6).box[3].rows > 0);
}

/* The pictures of the control loop and its list fill the body, and one of them always shows. */
TEST(control_fills_the_body)
{
    int bad = 0;
    long four = 0, two = 0, one = 0;

    for (int rows = 1; rows <= 100; rows++)
        for (int columns = 1; columns <= 300; columns++) {
            struct rect body = view_body(rows, columns, &bad);

            for (int shown = 0; shown < 4 && body.rows > 0; shown++) {
                struct control_layout l = layout_control(body, shown);
                int cells = 0, boxes = 0;

                for (int i = 0; i < 4; i++) {
                    bad += !inside(l.box[i], rows, columns);
                    cells += area(l.box[i]);
                    boxes += area(l.box[i]) > 0;
                    for (int j = 0; j < i; j++)
                        bad += !apart(l.box[i], l.box[j]);
                }
                bad += cells != area(body) || area(l.box[shown]) == 0;
                bad += boxes > 1 && l.box[3].columns < 38;
                four += boxes == 4;
                two += boxes == 2;
                one += boxes == 1;
            }
        }
    CHECK_INT(bad, 0);
    CHECK(four > 0 && two > 0 && one > 0);
    CHECK(area(layout_control(view_body(36, 120, &bad), 0).box[2]) > 0);
    CHECK(area(layout_control(view_body(24, 80, &bad), 0).box[3]) > 0);
}

TEST(pictures_keep_room)
{
    int bad = 0;
    int beside = 0;
    int below = 0;

    for (int rows = 16; rows <= 80; rows++)
        for (int columns = 60; columns <= 260; columns++)
            for (int wanted = 1; wanted <= 60; wanted += 13) {
                struct rect body = view_body(rows, columns, &bad);
                struct listed_layout l = layout_listed(body, wanted, 70);

                bad += !inside(l.picture, rows, columns) || !inside(l.list, rows, columns) ||
                       !apart(l.picture, l.list) || area(l.picture) + area(l.list) != area(body);
                bad += l.picture.rows < 12 || l.picture.columns < 60;
                beside += l.list.columns == 72;
                below += l.list.columns == columns;
            }
    CHECK_INT(bad, 0);
    CHECK(beside > 0 && below > 0);
    CHECK_INT(layout_listed(view_body(16, 60, &bad), 5, 70).list.rows, 0);
    CHECK_INT(layout_listed(view_body(24, 80, &bad), 5, 70).list.rows, 6);
    CHECK_INT(layout_listed(view_body(60, 200, &bad), 5, 70).list.columns, 72);
}

TEST(detectors_fill_the_body)
{
    int bad = 0;

    for (int rows = 16; rows <= 80; rows++)
        for (int columns = 60; columns <= 260; columns++) {
            struct rect body = view_body(rows, columns, &bad);
            struct detector_layout l = layout_detector(body);

            bad += !inside(l.map, rows, columns) || !inside(l.agenda, rows, columns) ||
                   !apart(l.map, l.agenda) || area(l.map) + area(l.agenda) != area(body) ||
                   l.agenda.columns < 34 || l.map.columns < 20;
        }
    CHECK_INT(bad, 0);
}

TEST(says_what_fits)
{
    CHECK(layout_screen(16, 60).fits);
    CHECK(!layout_screen(15, 60).fits);
    CHECK(!layout_screen(16, 59).fits);
    CHECK(layout_screen(100, 300).fits);
}

TEST(columns_stay_inside)
{
    int bad = 0;

    for (int columns = 0; columns <= 300; columns++) {
        struct knob_columns k = layout_knob(columns);

        if (columns < 28) /* inside the narrowest pane there is */
            continue;
        bad += k.label + k.label_columns > k.value || k.value + k.value_columns > k.mark;
        bad += k.slider_columns > 0 && k.slider + k.slider_columns > columns;
        bad += k.value + k.choice_columns > columns;
    }
    CHECK_INT(bad, 0);
}

TEST(overlays_stay_inside)
{
    int bad = 0;

    for (int rows = 16; rows <= 100; rows += 7)
        for (int columns = 60; columns <= 300; columns += 11)
            for (int want = 0; want < 400; want += 13) {
                struct rect body = layout_screen(rows, columns).body;
                struct rect box = layout_overlay(body, want, want);

                bad += !inside(box, rows, columns) || box.row < body.row ||
                       box.row + box.rows > body.row + body.rows;
            }
    CHECK_INT(bad, 0);
}
