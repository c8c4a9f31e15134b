/* A recovery file: offered at the start, opened, and saved. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "tui/app.h"

static void press(struct app *app, uint32_t key, struct canvas *canvas)
{
    app_key(app, &(struct key_event){.key = key});
    app_draw(app, canvas);
}

void fuzz_recovery(const char *bytes, size_t length)
{
    static struct scenario scenario;
    static struct canvas canvas;
    struct app_start start = {.catalogue = fuzz_catalogue(), .scenario = &scenario};
    struct app *app = NULL;
    struct error error;

    mkdir("aolag", 0700);
    fuzz_write("aolag/recover.ini", bytes, length);
    scenario_init(&scenario);
    start.document = document_new(NULL);
    fuzz_check(app_new(&app, &start, &error) == STATUS_OK, "%s", error.message);
    if (canvas.rows == 0)
        canvas_init(&canvas, 24, 80, true);
    app_hold_work(app, true);
    recovery_offer(app, false);
    app_draw(app, &canvas);
    press(app, KEY_NAMED_ENTER, &canvas); /* opens it */
    press(app, 's', &canvas);
    press(app, KEY_NAMED_ESCAPE, &canvas);
    canvas_print(&canvas, fuzz_open_output());
    fuzz_check_output();
    app_free(app);
    remove("aolag/recover.ini");
}
