// SPDX-License-Identifier: Apache-2.0
#include "cli/library.h"

#include "api/proving/library.h"
#include "cli/cli.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Where the rule library and the database of its verdicts are, from the folder of the program:
// build/rankwright and build/MODE/rankwright stand in a source tree, PREFIX/bin/rankwright
// beside PREFIX/share/rankwright.
static const struct library_place {
    const char *rules, *database;
} library_places[] = {
    {"/../rules/library", "/library.db"},
    {"/../../rules/library", "/../library.db"},
    {"/../share/rankwright/library", "/../share/rankwright/library.db"},
};

// The folder of the program.
static bool program_folder(char *out, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    if (n <= 0)
        return false;
    out[n] = '\0';
    char *slash = strrchr(out, '/');
    if (slash != NULL)
        *slash = '\0';
    return slash != NULL;
}

// The place whose rules are there.
static const struct library_place *library_place(char *folder, size_t size)
{
    if (!program_folder(folder, size))
        return NULL;
    for (size_t i = 0; i < sizeof library_places / sizeof *library_places; i++) {
        struct buf rules = {0};
        buf_printf(&rules, "%s%s", folder, library_places[i].rules);
        bool there = access(buf_text(&rules), R_OK) == 0;
        buf_release(&rules);
        if (there)
            return &library_places[i];
    }
    return NULL;
}

bool library_path(struct buf *out)
{
    char folder[4096];
    const char *from_env = getenv("RANKWRIGHT_LIBRARY");
    buf_clear(out);
    if (from_env && from_env[0]) {
        buf_puts(out, from_env);
        return true;
    }
    const struct library_place *place = library_place(folder, sizeof folder);
    if (place != NULL)
        buf_printf(out, "%s%s", folder, place->rules);
    return place != NULL;
}

static bool not_found(struct err *err)
{
    struct buf places = {0};
    size_t n = sizeof library_places / sizeof *library_places;
    for (size_t i = 0; i < n; i++)
        buf_printf(&places, "%s%s",
                   i == 0      ? ""
                   : i + 1 < n ? ", "
                               : " or ",
                   library_places[i].rules + 1);
    err_set(err, ERR_IO,
            "the rule library was not found: RANKWRIGHT_LIBRARY names no folder, and from the "
            "program's own folder there is no %s (set RANKWRIGHT_LIBRARY to rules/library of the "
            "sources, or run make install there, which puts the rules beside the program)",
            buf_text(&places));
    buf_release(&places);
    return false;
}

bool find_library(struct buf *rules, struct err *err)
{
    return library_path(rules) || not_found(err);
}

static const char library_variable[] = "RANKWRIGHT_LIBRARY_DATABASE";

// The user's choice is the database of this name.
static bool is_chosen(void)
{
    const char *file = getenv(library_variable);
    return file != NULL && file[0] != '\0';
}

bool library_database(struct buf *out)
{
    char folder[4096];
    const char *rules = getenv("RANKWRIGHT_LIBRARY"), *file = getenv(library_variable);
    const struct library_place *place;
    buf_clear(out);
    if (file != NULL)
        buf_puts(out, file);
    else if (!(rules && rules[0]) && (place = library_place(folder, sizeof folder)) != NULL)
        buf_printf(out, "%s%s", folder, place->database);
    return out->len > 0;
}

// One remark, though a command may open several databases.
static void note_unused(const char *file, const char *why)
{
    static bool noted;
    if (noted)
        return;
    noted = true;
    note("%s: not used: %s", file, why);
}

bool find_library_database(struct buf *file)
{
    struct buf rules = {0}, why = {0};
    struct err lacking = {0};
    bool there = library_database(file), readable = there && access(buf_text(file), R_OK) == 0;
    bool ruled = readable && find_library(&rules, &lacking);
    if (there && !readable)
        buf_printf(&why, "expected a database that can be read, found none: %s", strerror(errno));
    else if (there && !ruled)
        buf_puts(&why, lacking.msg);
    if (why.len > 0 && (is_chosen() || access(buf_text(file), F_OK) == 0))
        note_unused(buf_text(file), buf_text(&why));
    buf_release(&rules);
    buf_release(&why);
    return ruled;
}

static bool is_same_file(const char *path, const char *other)
{
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

void lay_over_library(struct rw_database *database, const char *path)
{
    struct buf rules = {0}, file = {0}, misfit = {0};
    struct err why = {0};
    bool fits = true;
    if (find_library_database(&file) && !is_same_file(path, buf_text(&file)) &&
        library_path(&rules)) {
        buf_printf(&misfit,
                   "expected the verdicts of this version on the rules of %s (make library makes "
                   "them)",
                   buf_text(&rules));
        if (!library_lay_under(database, buf_text(&rules), buf_text(&file), &fits, &why))
            note_unused(buf_text(&file), why.msg);
        else if (!fits)
            note_unused(buf_text(&file), buf_text(&misfit));
    }
    buf_release(&rules);
    buf_release(&file);
    buf_release(&misfit);
}
