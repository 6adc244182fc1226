// SPDX-License-Identifier: Apache-2.0
#include "base/text/place.h"

#include "base/limits.h"
#include <errno.h>
#include <unistd.h>

bool place_follow(const char *path, struct buf *out, struct err *err)
{
    char link[4096];
    buf_clear(out);
    buf_puts(out, path);
    for (int i = 0; i <= BASE_LINKS; i++) {
        ssize_t n = readlink(buf_text(out), link, sizeof link);
        if (n < 0 && (errno == EINVAL || errno == ENOENT))
            return true; // not a link, or the file is still to be made
        if (n < 0)
            break;
        if (i == BASE_LINKS || (size_t)n == sizeof link) {
            errno = ELOOP;
            break;
        }
        const char *slash = strrchr(buf_text(out), '/');
        out->len = link[0] == '/' || !slash ? 0 : (size_t)(slash - out->at) + 1;
        buf_write(out, link, (size_t)n);
    }
    return err_at(err, ERR_IO, path, 0, 0, "cannot follow the link: %s", strerror(errno));
}

// The folder of a path; its last part into *name.
static void split(const char *path, struct buf *folder, struct buf *name)
{
    const char *slash = strrchr(path, '/');
    buf_write(folder, path, slash ? (size_t)(slash - path) + 1 : 0);
    if (!slash)
        buf_puts(folder, "./");
    buf_puts(name, slash ? slash + 1 : path);
}

bool place_find(const char *path, int standard, struct place *out)
{
    *out = (struct place){0};
    if (strcmp(path, "-") == 0)
        return out->exists = fstat(standard, &out->is) == 0;
    out->exists = stat(path, &out->is) == 0;
    if (out->exists)
        return true;
    struct buf target = {0}, folder = {0};
    struct err err = {0};
    bool found = place_follow(path, &target, &err);
    if (found) {
        split(buf_text(&target), &folder, &out->name);
        found = stat(buf_text(&folder), &out->is) == 0;
    }
    buf_release(&target);
    buf_release(&folder);
    if (!found)
        place_release(out);
    return found;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool place_same(const struct place *a, const struct place *b)
{
    return a->exists == b->exists && same_file(&a->is, &b->is) &&
           (a->exists || strcmp(buf_text(&a->name), buf_text(&b->name)) == 0);
}

bool place_is_null(const struct place *place)
{
    struct stat null;
    return place->exists && S_ISCHR(place->is.st_mode) && stat("/dev/null", &null) == 0 &&
           place->is.st_rdev == null.st_rdev;
}

bool place_above(const struct place *folder, const char *path)
{
    struct buf target = {0}, at = {0}, name = {0};
    struct stat now, last = {0};
    struct err err = {0};
    bool above = false;
    if (!folder->exists || !S_ISDIR(folder->is.st_mode))
        return false;
    split(place_follow(path, &target, &err) ? buf_text(&target) : path, &at, &name);
    for (int i = 0; !above && stat(buf_text(&at), &now) == 0; i++) {
        if (i > 0 && same_file(&now, &last))
            break; // the root is its own parent
        above = same_file(&now, &folder->is);
        last = now;
        buf_puts(&at, "../");
    }
    buf_release(&target);
    buf_release(&at);
    buf_release(&name);
    return above;
}

void place_release(struct place *place)
{
    buf_release(&place->name);
    *place = (struct place){0};
}
