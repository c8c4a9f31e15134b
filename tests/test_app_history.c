#include <stddef.h>
#include <string.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "tui/history.h"

static bool same(const struct scenario *a, const struct scenario *b)
{
    struct image image = {NULL, 0, 0};
    bool result = image_take(&image, a) && image_same(&image, b);

    image_free(&image);
    return result;
}

TEST(goes_back_and_forth)
{
    struct history history = {0};
    struct scenario s[4];
    struct scenario now;

    scenario_init(&s[0]);
    scenario_copy(&now, &s[0]);
    history_start(&history, &now);
    CHECK(history_undo(&history, &now) == NULL);
    now.general.packets = 7;
    history_record(&history, &now, "packets", false);
    scenario_copy(&s[1], &now);
    scenario_insert(&now, SECTION_DEVICE, 0, "rtc", NULL);
    history_record(&history, &now, "rtc", false);
    scenario_copy(&s[2], &now);
    scenario_insert(&now, SECTION_COMPONENT, 0, "camera", NULL);
    history_record(&history, &now, "camera", false);
    scenario_copy(&s[3], &now);
    CHECK_STR(history_undo(&history, &now), "camera");
    CHECK(same(&now, &s[2]));
    CHECK_STR(history_undo(&history, &now), "rtc");
    CHECK(same(&now, &s[1]));
    CHECK_STR(history_undo(&history, &now), "packets");
    CHECK(same(&now, &s[0]));
    CHECK(history_undo(&history, &now) == NULL);
    for (int i = 1; i < 4; i++) {
        CHECK(history_redo(&history, &now) != NULL);
        CHECK(same(&now, &s[i]));
    }
    CHECK(history_redo(&history, &now) == NULL);
    history_free(&history);
}

TEST(a_change_forgets_the_future)
{
    struct history history = {0};
    struct scenario now;

    scenario_init(&now);
    history_start(&history, &now);
    now.general.packets = 7;
    history_record(&history, &now, "7", false);
    history_undo(&history, &now);
    now.general.packets = 8;
    history_record(&history, &now, "8", false);
    CHECK(history_redo(&history, &now) == NULL);
    CHECK_STR(history_undo(&history, &now), "8");
    history_free(&history);
}

TEST(a_drag_is_one_step)
{
    struct history history = {0};
    struct scenario now;
    double before;

    scenario_init(&now);
    before = now.general.packets;
    history_start(&history, &now);
    for (int i = 1; i < 20; i++) {
        now.general.packets = i;
        history_record(&history, &now, "drag", i > 1);
    }
    CHECK_INT(history.position, 1);
    now.general.packets = before;
    history_record(&history, &now, "drag", true);
    CHECK_INT(history.position, 0);
    history_free(&history);
}

TEST(nothing_is_no_step)
{
    struct history history = {0};
    struct scenario now;

    scenario_init(&now);
    history_start(&history, &now);
    history_record(&history, &now, "nothing", false);
    CHECK_INT(history.position, 0);
    history_free(&history);
}

TEST(has_no_limit)
{
    enum { STEPS = 20000 };
    struct history history = {0};
    struct scenario now;
    int back = 0;

    scenario_init(&now);
    history_start(&history, &now);
    for (int i = 1; i <= STEPS; i++) {
        now.ao.actuators = i;
        history_record(&history, &now, "actuators", false);
    }
    while (history_undo(&history, &now) != NULL)
        back++;
    CHECK_INT(back, STEPS);
    history_free(&history);
}
