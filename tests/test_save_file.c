/* The file a save writes: whole or untouched, whatever fails on the way. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "check.h"
#include "design/scenario_edit.h"
#include "design/scenario_file.h"
#include "design/scenario_save.h"
#include "disk.h"
#include "files.h"

#define FORMAT "[scenario]\nformat = 1\n"
#define BEFORE FORMAT "packets = 5\n"
#define AFTER FORMAT "packets = 6\n"

static struct scenario scenario;
static struct document *document;

/* A scenario ----------------------------------------------------------------------------------- */

static bool load(const char *name)
{
    struct problems problems = {NULL, 0, 0};
    bool good = CHECK_INT(
        scenario_load(&scenario, &document, files_path(name), files_catalogue(), &problems),
        STATUS_OK);

    problems_free(&problems);
    return good;
}

/* Writes BEFORE to `name`, loads it and changes a value. */
static bool prepare(const char *name)
{
    disk = (struct disk){.calls = 0};
    if (!files_write(name, BEFORE, strlen(BEFORE)) || !load(name))
        return false;
    scenario.general.packets = 6;
    return true;
}

static void check_file(const char *name, const char *expected)
{
    size_t length;
    char *actual = files_read(name, &length);

    CHECK_STR(actual, expected);
    free(actual);
}

static mode_t mode_of(const char *name)
{
    struct stat what;

    return stat(files_path(name), &what) == 0 ? what.st_mode & 07777 : 0;
}

/* What a file has besides its contents --------------------------------------------------------- */

#define ACL "system.posix_acl_access"

struct acl {
    struct posix_acl_xattr_header header;
    struct posix_acl_xattr_entry entry[5];
};

/* One that lets another user read and write, and the group, of which the mode shows the mask,
 * nothing. */
static struct acl acl_of(unsigned group)
{
    const struct {
        unsigned tag, may;
    } entries[] = {
        {ACL_USER_OBJ, 6}, {ACL_USER, 6}, {ACL_GROUP_OBJ, group}, {ACL_MASK, 6}, {ACL_OTHER, 0}};
    struct acl acl = {.header = {.a_version = htole32(POSIX_ACL_XATTR_VERSION)}};

    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        acl.entry[i] = (struct posix_acl_xattr_entry){
            .e_tag = htole16((uint16_t)entries[i].tag),
            .e_perm = htole16((uint16_t)entries[i].may),
            .e_id = htole32(entries[i].tag == ACL_USER ? 65534U : UINT32_MAX)};
    return acl;
}

/* Returns false, with a remark, where the file system has none. */
static bool set_attribute(const char *name, const char *attribute, const void *value, size_t size)
{
    if (setxattr(files_path(name), attribute, value, size, 0) == 0)
        return true;
    printf("# not tried: %s: %s\n", attribute, strerror(errno));
    return CHECK_INT(errno, ENOTSUP) && false;
}

static bool has_attribute(const char *name, const char *attribute, const void *value, size_t size)
{
    char actual[256];

    return getxattr(files_path(name), attribute, actual, sizeof actual) == (ssize_t)size &&
           memcmp(actual, value, size) == 0;
}

/* Tests ---------------------------------------------------------------------------------------- */

TEST(saves)
{
    struct error error;
    int files;

    if (!prepare("plain.ini"))
        return;
    files = files_count();
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    check_file("plain.ini", AFTER);
    CHECK_INT(files_count(), files);
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    check_file("plain.ini", AFTER);
    scenario.general.packets = 5;
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    check_file("plain.ini", BEFORE);
}

TEST(conflicts)
{
    struct error error;

    if (!prepare("changed.ini"))
        return;
    files_write("changed.ini", FORMAT "packets = 7\n", strlen(FORMAT) + 12);
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_CONFLICT);
    CHECK(strstr(error.message, "changed.ini: has changed on disk since it was read") != NULL);
    check_file("changed.ini", FORMAT "packets = 7\n");
    CHECK_INT(scenario_save(&scenario, document, NULL, true, &error), STATUS_OK);
    check_file("changed.ini", AFTER);
    /* touched is not changed, gone is nothing lost */
    files_write("changed.ini", AFTER, strlen(AFTER));
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    unlink(files_path("changed.ini"));
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    CHECK_STR(error.message, "it had been removed");
    check_file("changed.ini", AFTER);
    /* another path */
    files_write("other.ini", "mine", 4);
    CHECK_INT(scenario_save(&scenario, document, files_path("other.ini"), false, &error),
              STATUS_CONFLICT);
    CHECK(strstr(error.message, "other.ini: already exists") != NULL);
    CHECK_STR(document_path(document), files_path("changed.ini"));
    CHECK_INT(scenario_save(&scenario, document, files_path("other.ini"), true, &error), STATUS_OK);
    check_file("other.ini", AFTER);
    CHECK_STR(document_path(document), files_path("other.ini"));
}

TEST(same_file_by_another_name)
{
    struct error error;
    char path[600];

    if (!prepare("name.ini"))
        return;
    snprintf(path, sizeof path, "%s/./name.ini", files_path(""));
    CHECK_INT(scenario_save(&scenario, document, path, false, &error), STATUS_OK);
    check_file("name.ini", AFTER);
}

TEST(links_and_permissions)
{
    struct error error;
    struct stat what;
    mode_t mask = umask(027);

    if (!prepare("target.ini"))
        return;
    chmod(files_path("target.ini"), 0604);
    mkdir(files_path("sub"), 0700);
    CHECK_INT(symlink("../target.ini", files_path("sub/link.ini")), 0);
    CHECK_INT(symlink("sub/link.ini", files_path("link.ini")), 0);
    CHECK_INT(scenario_save(&scenario, document, files_path("link.ini"), false, &error), STATUS_OK);
    check_file("target.ini", AFTER);
    CHECK_INT(mode_of("target.ini"), 0604);
    CHECK(lstat(files_path("link.ini"), &what) == 0 && S_ISLNK(what.st_mode));
    CHECK(lstat(files_path("sub/link.ini"), &what) == 0 && S_ISLNK(what.st_mode));
    /* a new file, also behind a link that leads nowhere yet */
    CHECK_INT(symlink("new.ini", files_path("sub/dangling.ini")), 0);
    CHECK_INT(scenario_save(&scenario, document, files_path("sub/dangling.ini"), false, &error),
              STATUS_OK);
    CHECK_TRUE(strncmp(error.message, "it is a link to /", 17) == 0 &&
                   strstr(error.message, "/sub/new.ini, which did not exist") != NULL,
               "%s", error.message);
    check_file("sub/new.ini", AFTER);
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    CHECK_STR(error.message, "");
    CHECK_INT(symlink("no/such.ini", files_path("sub/far.ini")), 0);
    CHECK_INT(scenario_save(&scenario, document, files_path("sub/far.ini"), false, &error),
              STATUS_IO);
    CHECK_TRUE(strstr(error.message, "sub/far.ini: it is a link to /") != NULL &&
                   strstr(error.message, "/no/such.ini, which does not exist: its directory cannot "
                                         "be opened: No such file") != NULL,
               "%s", error.message);
    CHECK_INT(mode_of("sub/new.ini"), 0640);
    umask(mask);
}

TEST(attributes)
{
    struct error error;

    if (!prepare("noted.ini") || !set_attribute("noted.ini", "user.note", "mine", 4) ||
        !set_attribute("noted.ini", "user.empty", "", 0))
        return;
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    CHECK_STR(error.message, "");
    check_file("noted.ini", AFTER);
    CHECK(has_attribute("noted.ini", "user.note", "mine", 4));
    CHECK(has_attribute("noted.ini", "user.empty", "", 0));
}

/* Those of a file that may be written but not read; root may read all. */
TEST(unreadable_attributes)
{
    const uid_t user = geteuid(), other = user == 0 ? 65534 : user;
    struct error error;

    if (!prepare("secret.ini") || !set_attribute("secret.ini", "user.note", "mine", 4))
        return;
    chmod(files_path("secret.ini"), 0200);
    chmod(files_path(""), 0777);
    if (chown(files_path("secret.ini"), other, (gid_t)-1) != 0 || seteuid(other) != 0 ||
        faccessat(AT_FDCWD, files_path(""), W_OK, AT_EACCESS) != 0)
        printf("# not tried: another user: %s\n", strerror(errno));
    else if (CHECK_INT(scenario_save(&scenario, document, NULL, true, &error), STATUS_OK))
        CHECK_STR(error.message, "its attribute user.note is lost, because it may not be read");
    CHECK_INT(seteuid(user), 0);
    chmod(files_path(""), 0700);
}

TEST(access_control_list)
{
    const struct acl acl = acl_of(0);
    struct error error;

    if (!prepare("listed.ini") || !set_attribute("listed.ini", ACL, &acl, sizeof acl))
        return;
    CHECK_INT(mode_of("listed.ini"), 0660);
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    CHECK_STR(error.message, "");
    check_file("listed.ini", AFTER);
    CHECK(has_attribute("listed.ini", ACL, &acl, sizeof acl));
    CHECK_INT(mode_of("listed.ini"), 0660);
}

/* A directory gives new files a list, which the old one may have lost. */
TEST(default_access_control_list)
{
    const struct acl acl = acl_of(7);
    struct error error;

    mkdir(files_path("default"), 0700);
    if (!set_attribute("default", "system.posix_acl_default", &acl, sizeof acl) ||
        !prepare("default/plain.ini"))
        return;
    CHECK_INT(removexattr(files_path("default/plain.ini"), ACL), 0);
    chmod(files_path("default/plain.ini"), 0660);
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    check_file("default/plain.ini", AFTER);
    CHECK_INT(getxattr(files_path("default/plain.ini"), ACL, NULL, 0), -1);
    CHECK_INT(mode_of("default/plain.ini"), 0660);
    CHECK_INT(scenario_save(&scenario, document, files_path("default/new.ini"), false, &error),
              STATUS_OK);
    CHECK(getxattr(files_path("default/new.ini"), ACL, NULL, 0) > 0);
}

/* An owner and a group that cannot be kept: nobody else may do more than before, and it is told. */
static int refuse_chown(int file, uid_t owner, gid_t group)
{
    (void)file;
    (void)owner;
    (void)group;
    errno = EPERM;
    return -1;
}

TEST(owner_that_cannot_be_kept)
{
    struct file_operations operations = file_system;
    struct acl acl = acl_of(6);
    struct error error;
    char expected[120];

    operations.chown = refuse_chown;
    for (int listed = 0; listed < 2; listed++) {
        if (!prepare("theirs.ini") ||
            (listed == 1 && !set_attribute("theirs.ini", ACL, &acl, sizeof acl)))
            return;
        if (chown(files_path("theirs.ini"), 65533, 65532) != 0) {
            printf("# not tried: another owner: %s\n", strerror(errno));
            return;
        }
        chmod(files_path("theirs.ini"), 06664);
        CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &operations, &error),
                  STATUS_OK);
        snprintf(expected, sizeof expected,
                 "its owner, user 65533, is now user %ju; its group, 65532, is now %ju",
                 (uintmax_t)geteuid(), (uintmax_t)getegid());
        CHECK_STR(error.message, expected);
        check_file("theirs.ini", AFTER);
        CHECK_INT(mode_of("theirs.ini"), listed == 1 ? 0664 : 0644);
        acl.entry[2].e_perm = acl.entry[4].e_perm = htole16(4);
        CHECK(listed == 0 || has_attribute("theirs.ini", ACL, &acl, sizeof acl));
        unlink(files_path("theirs.ini"));
    }
}

TEST(refused)
{
    struct document *new = document_new(NULL);
    struct error error;

    scenario_init(&scenario);
    CHECK_INT(scenario_save(&scenario, new, NULL, false, &error), STATUS_INVALID);
    CHECK_STR(error.message, "this design has no file name yet");
    mkdir(files_path("folder"), 0700);
    CHECK_INT(scenario_save(&scenario, new, files_path("folder"), true, &error), STATUS_IO);
    CHECK(strstr(error.message, "is a directory, not a regular file") != NULL);
    CHECK_INT(scenario_save(&scenario, new, files_path("no/such/a.ini"), true, &error), STATUS_IO);
    CHECK(strstr(error.message, "its directory cannot be opened: No such file") != NULL);
    CHECK_INT(symlink("loop.ini", files_path("loop.ini")), 0);
    CHECK_INT(scenario_save(&scenario, new, files_path("loop.ini"), true, &error), STATUS_IO);
    CHECK(strstr(error.message, "too many symbolic links") != NULL);
    if (geteuid() != 0) {
        files_write("read-only.ini", BEFORE, strlen(BEFORE));
        chmod(files_path("read-only.ini"), 0444);
        CHECK_INT(scenario_save(&scenario, new, files_path("read-only.ini"), true, &error),
                  STATUS_IO);
        check_file("read-only.ini", BEFORE);
    }
    CHECK(document_path(new) == NULL);
    document_free(new);
}

/* Lines that a change made too long to be read again are not written. */
TEST(too_long_for_a_line)
{
    struct error error;
    char text[1200];
    char comment[1000];

    memset(comment, 'x', sizeof comment);
    snprintf(text, sizeof text, FORMAT "title = a ;%.*s\n", 1000, comment);
    if (!files_write("long.ini", text, strlen(text)) || !load("long.ini"))
        return;
    snprintf(scenario.general.title, sizeof scenario.general.title, "a title of more bytes");
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_INVALID);
    CHECK(strstr(error.message,
                 "cannot be saved: line 3 of the new text: the line has 1031 bytes") != NULL);
    check_file("long.ini", text);
}

/* A save may succeed although a call failed: the owner cannot be kept, the directory not closed, or
 * the old file, out of the way by then, not removed. */
static void check_harmless(int number, int files, const struct error *remark)
{
    bool left = strcmp(disk.failed, "unlink") == 0;
    char name[64];

    CHECK_TRUE(left || strcmp(disk.failed, "chown") == 0 ||
                   (strcmp(disk.failed, "close") == 0 && number == disk.calls),
               "call %d (%s) failed unnoticed: %s", number, disk.failed, disk.log);
    check_file("failing.ini", AFTER);
    CHECK_INT(files_count(), files + left);
    snprintf(name, sizeof name, ".aolag-%ld-0.tmp", (long)getpid());
    CHECK_TRUE(left == (strstr(remark->message, name) != NULL &&
                        strstr(remark->message, " cannot be removed: ") != NULL),
               "call %d (%s): %s", number, disk.failed, remark->message);
    CHECK_INT(unlink(files_path(name)), left ? 0 : -1);
}

/* What is there before: no file, one, and one with an attribute and an access control list. */
enum before { BEFORE_NONE, BEFORE_PLAIN, BEFORE_ATTRIBUTES, BEFORE_COUNT };

static bool prepare_failing(enum before before)
{
    const struct acl acl = acl_of(0);

    if (!prepare("failing.ini"))
        return false;
    if (before == BEFORE_NONE)
        unlink(files_path("failing.ini"));
    return before != BEFORE_ATTRIBUTES || (set_attribute("failing.ini", "user.note", "mine", 4) &&
                                           set_attribute("failing.ini", ACL, &acl, sizeof acl));
}

/* One call fails: the old file stays (or none, where there was none), nothing else lies around,
 * and once the disk works again the same document saves. */
static void check_failure(int number, enum before before, int reason)
{
    bool exists = before != BEFORE_NONE;
    struct error error = {STATUS_OK, ""};
    int files;

    if (!prepare_failing(before))
        return;
    files = files_count();
    disk.fails = number;
    disk.error = reason;
    disk.most = 10;
    if (scenario_save_with(&scenario, document, NULL, false, &disk_operations, &error) ==
        STATUS_OK) {
        check_harmless(number, files + !exists, &error);
        return;
    }
    CHECK_TRUE(error.status == STATUS_IO && strstr(error.message, strerror(reason)) != NULL,
               "call %d (%s): %s", number, disk.log, error.message);
    check_file("failing.ini", exists ? BEFORE : NULL);
    CHECK_TRUE(files_count() == files, "call %d (%s): %d files, expected %d", number, disk.log,
               files_count(), files);
    disk = (struct disk){.calls = 0};
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &disk_operations, &error),
              STATUS_OK);
    check_file("failing.ini", AFTER);
}

/* How many calls a save makes; 0: it cannot be tried. */
static int count_calls(enum before before)
{
    struct error error;

    if (!prepare_failing(before))
        return 0;
    disk.most = 10;
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &disk_operations, &error),
              STATUS_OK);
    return disk.calls;
}

TEST(every_call_fails_once)
{
    static const int reasons[] = {ENOSPC, EIO, EDQUOT, EACCES};

    for (int b = 0; b < BEFORE_COUNT; b++) {
        int calls = count_calls((enum before)b);

        CHECK_TRUE(calls >= 9 || b == BEFORE_ATTRIBUTES, "only %d calls: %s", calls, disk.log);
        for (int i = 1; i <= calls; i++)
            for (size_t r = 0; r < sizeof reasons / sizeof reasons[0]; r++)
                check_failure(i, (enum before)b, reasons[r]);
    }
}

/* Which calls, in which order; and that only these two may fail without failing the save. */
TEST(order_of_calls)
{
    struct error error;

    if (!prepare("order.ini"))
        return;
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &disk_operations, &error),
              STATUS_OK);
    CHECK_STR(disk.log, "open-directory create write chown chmod sync close rename sync unlink "
                        "close ");
    unlink(files_path("order.ini"));
    disk = (struct disk){.calls = 0};
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &disk_operations, &error),
              STATUS_OK);
    CHECK_STR(disk.log, "open-directory create write sync close rename sync close ");
    if (!prepare("order.ini") || !set_attribute("order.ini", "user.note", "mine", 4))
        return;
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &disk_operations, &error),
              STATUS_OK);
    CHECK_STR(disk.log, "open-directory create write set-attribute chown chmod sync close rename "
                        "sync unlink close ");
}

TEST(interrupted_and_short_writes)
{
    struct error error;

    if (!prepare("short.ini"))
        return;
    disk.most = 1;
    disk.interrupted = 5;
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &disk_operations, &error),
              STATUS_OK);
    check_file("short.ini", AFTER);
}

/* Without an atomic exchange (NFS) a save works as well; only a directory that cannot be synced
 * leaves the new file, and says so. */
TEST(no_exchange)
{
    struct error error;

    if (!prepare("nfs.ini"))
        return;
    disk.no_exchange = true;
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &disk_operations, &error),
              STATUS_OK);
    check_file("nfs.ini", AFTER);
    if (!prepare("nfs.ini"))
        return;
    disk.no_exchange = true;
    disk.fails = 9;
    disk.error = EIO;
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &disk_operations, &error),
              STATUS_IO);
    CHECK(strstr(error.message, "the new file is in place: its directory cannot be written") !=
          NULL);
    check_file("nfs.ini", AFTER);
}

/* What cannot be removed because the call is interrupted is removed; an old file that cannot be
 * read again to be compared is kept. */
static int interrupted_once(const char *path)
{
    static bool done;

    done = !done;
    errno = EINTR;
    return done ? -1 : file_system.unlink(path);
}

static int rename_unreadable(const char *from, const char *to, unsigned flags)
{
    int result = file_system.rename(from, to, flags);

    if (flags == RENAME_EXCHANGE) {
        unlink(from);
        mkdir(from, 0700);
    }
    return result;
}

TEST(old_file_after_the_exchange)
{
    struct file_operations operations = file_system;
    struct error error;
    int files;

    if (!prepare("again.ini"))
        return;
    files = files_count();
    operations.unlink = interrupted_once;
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &operations, &error), STATUS_OK);
    CHECK_STR(error.message, "");
    CHECK_INT(files_count(), files);
    operations.rename = rename_unreadable;
    CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &operations, &error), STATUS_OK);
    CHECK_TRUE(strstr(error.message, "is a directory, not a regular file; what it contained before "
                                     "is now /") != NULL,
               "%s", error.message);
    CHECK_INT(rmdir(files_path("again.ini.other-1")), 0);
}

/* Another program saves the file between the check and the rename, in place or by a rename of its
 * own. */
static bool replaces;

static int rename_behind(const char *from, const char *to, unsigned flags)
{
    static bool done;

    done = !done;
    if (done && replaces) {
        files_write("behind.ini", "another program's\n", 18);
        rename(files_path("behind.ini"), to);
    } else if (done) {
        files_write("race.ini", "another program's\n", 18);
    }
    return file_system.rename(from, to, flags);
}

TEST(saved_by_two_programs)
{
    struct file_operations operations = file_system;
    struct error error;

    operations.rename = rename_behind;
    for (int r = 0; r < 2; r++) {
        int files;

        replaces = r == 1;
        if (!prepare("race.ini"))
            return;
        files = files_count();
        CHECK_INT(scenario_save_with(&scenario, document, NULL, false, &operations, &error),
                  STATUS_OK);
        check_file("race.ini", AFTER);
        check_file("race.ini.other-1", "another program's\n");
        CHECK_TRUE(strstr(error.message, "another program saved it at the same time; what that "
                                         "wrote is now /") != NULL &&
                       strstr(error.message, "race.ini.other-1") != NULL,
                   "%s", error.message);
        CHECK_INT(files_count(), files + 1);
        unlink(files_path("race.ini.other-1"));
    }
}

TEST(hard_links)
{
    struct error error;

    if (!prepare("linked.ini"))
        return;
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    CHECK_STR(error.message, "");
    CHECK_INT(link(files_path("linked.ini"), files_path("name.ini.2")), 0);
    scenario.general.packets = 5;
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    CHECK_STR(error.message, "1 other name of the file keeps the old contents");
    check_file("linked.ini", BEFORE);
    check_file("name.ini.2", AFTER);
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    CHECK_STR(error.message, "");
}

/* The process of the first name cannot exist, that of the second is init; the others are no names
 * of temporary files. */
TEST(temporary_files_of_the_dead)
{
    static const char *const names[] = {".aolag-2147483646-0.tmp", ".aolag-1-0.tmp",
                                        ".aolag-2147483646-0.tmp.ini", ".aolag-x-0.tmp"};
    struct error error;

    if (!prepare("alive.ini"))
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        files_write(names[i], "x", 1);
    CHECK_INT(scenario_save(&scenario, document, NULL, false, &error), STATUS_OK);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK_TRUE((unlink(files_path(names[i])) != 0) == (i == 0), "%s", names[i]);
}

TEST(link_that_leads_nowhere)
{
    struct problems problems = {NULL, 0, 0};
    struct document *none = NULL;

    CHECK_INT(symlink("gone.ini", files_path("leads.ini")), 0);
    CHECK_INT(
        scenario_load(&scenario, &none, files_path("leads.ini"), files_catalogue(), &problems),
        STATUS_IO);
    if (CHECK_INT(problems.count, 1))
        CHECK_TRUE(strstr(problems.list[0].message,
                          "leads.ini: it is a link to gone.ini, which does not exist") != NULL,
                   "%s", problems.list[0].message);
    problems_free(&problems);
}

static int close_suite(void)
{
    document_free(document);
    document = NULL;
    return files_close();
}

SUITE(files_open, close_suite)
