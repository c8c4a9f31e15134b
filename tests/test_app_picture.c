#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app_fixture.h"
#include "base/file.h"
#include "check.h"

static bool holds(const char *path, const char *text)
{
    char *bytes = NULL;
    size_t length;
    struct error error;
    bool found = file_read(path, 1 << 22, &bytes, &length, NULL, &error) == STATUS_OK &&
                 strstr(bytes, text) != NULL;

    free(bytes);
    return found;
}

static void picture_is_saved(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "g");
    fixture_shows(&f, "save the picture as: elt-scao-explore.svg");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "saved the picture: elt-scao-explore.svg");
    CHECK(holds("elt-scao-explore.svg", "</svg>\n"));
    CHECK(holds("elt-scao-explore.svg", ">recon memory</text>"));
    CHECK(holds("elt-scao-explore.svg", ">aolag " PACKAGE_VERSION " \xC2\xB7 ELT SCAO"));
    fixture_press(&f, ":");
    fixture_type(&f, "picture other.svg");
    fixture_press(&f, "Enter");
    CHECK(holds("other.svg", "</svg>\n"));
    fixture_close(&f);
    fixture_leave();
}

/* What is there is asked about, and the safe answer leaves it. */
static void nothing_is_overwritten(void)
{
    struct fixture f;
    FILE *file;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    file = fopen("elt-scao-explore.svg", "w");
    if (CHECK(file != NULL)) {
        fputs("mine", file);
        fclose(file);
    }
    fixture_press(&f, "g Enter");
    fixture_shows(&f, "elt-scao-explore.svg exists already");
    fixture_press(&f, "Enter");
    CHECK(holds("elt-scao-explore.svg", "mine"));
    fixture_press(&f, "g Enter s");
    fixture_shows(&f, "save the picture as:");
    fixture_press(&f, "Esc g Enter o");
    fixture_shows(&f, "saved the picture");
    CHECK(holds("elt-scao-explore.svg", "</svg>\n"));
    fixture_close(&f);
    fixture_leave();
}

static void what_cannot_be_is_said(void)
{
    struct fixture f;

    if (!fixture_enter() || !fixture_open(&f, "elt-scao", 24, 80))
        return;
    fixture_press(&f, "g");
    fixture_type(&f, "/nowhere/a.svg");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "/nowhere/a.svg cannot be written");
    CHECK_INT(f.app->mode, MODE_LINE);
    fixture_press(&f, "Esc g");
    CHECK(mkdir("folder", 0755) == 0);
    fixture_type(&f, "folder");
    fixture_press(&f, "Enter");
    fixture_shows(&f, "folder is a directory; a picture is saved to a file");
    fixture_press(&f, "Esc");
    rmdir("folder");
    fixture_close(&f);
    fixture_leave();
}

static void numbers_are_shown(void)
{
    struct fixture f;

    if (!fixture_open(&f, "elt-scao", 40, 120))
        return;
    fixture_press(&f, "t");
    CHECK(pager_is_open(&f.app->pager));
    fixture_shows(&f, "whole  binds");
    fixture_shows(&f, "whole holds overheads");
    fixture_press(&f, "Esc");
    CHECK(!pager_is_open(&f.app->pager));
    fixture_close(&f);
}

static const struct test tests[] = {
    {"picture is saved", picture_is_saved},
    {"nothing is overwritten", nothing_is_overwritten},
    {"what cannot be is said", what_cannot_be_is_said},
    {"numbers are shown", numbers_are_shown},
    {NULL, NULL},
};

const struct suite suite_app_picture = {.name = "app_picture", .tests = tests};
