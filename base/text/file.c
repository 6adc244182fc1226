// SPDX-License-Identifier: Apache-2.0
// Whole files in and out (declared in base/text/buf.h).
#include "base/text/buf.h"
#include "base/limits.h"
#include "base/memory/vec.h"
#include "base/text/place.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

// The system knows no file without a name: so a caller's empty name ends here, whatever it is of.
static bool io_error(struct err *err, const char *what, const char *path)
{
    if (*path == '\0')
        return err_set(err, ERR_USAGE, "expected the name of a file, found an empty one");
    return err_at(err, ERR_IO, path, 0, 0, "cannot %s: %s", what, strerror(errno));
}

static bool read_all(int fd, const char *path, size_t limit, struct buf *out, struct err *err)
{
    char chunk[16384];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return io_error(err, "read", path);
        if (n == 0)
            return true;
        if ((size_t)n > limit - out->len)
            return err_at(err, ERR_INPUT, path, 0, 0, "longer than %zu bytes", limit);
        buf_write(out, chunk, (size_t)n);
    }
}

bool file_read_text(const char *path, size_t limit, struct buf *out, struct err *err)
{
    if (!file_read(path, limit, out, err))
        return false;
    const char *nul = memchr(buf_text(out), 0, out->len);
    return nul == NULL ||
           err_at(err, ERR_INPUT, path, 0, 0, "expected text, found a NUL at byte %zu",
                  (size_t)(nul - buf_text(out)));
}

// The byte order mark in front, as some editors write it.
static void drop_mark(struct buf *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t n = sizeof mark - 1;
    if (text->len < n || memcmp(text->at, mark, n) != 0)
        return;
    memmove(text->at, text->at + n, text->len - n);
    text->len -= n;
}

bool file_read(const char *path, size_t limit, struct buf *out, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    buf_clear(out);
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return io_error(err, "open", path);
    bool ok = read_all(fd, standard ? "standard input" : path, limit, out, err);
    if (!standard)
        close(fd);
    drop_mark(out);
    return ok;
}

static bool write_all(int fd, const char *path, const char *text, size_t n, struct err *err)
{
    while (n) {
        ssize_t k = write(fd, text, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0 && errno == EPIPE && fd == STDOUT_FILENO)
            return err_set(err, ERR_PIPE, "nobody reads standard output");
        if (k < 0)
            return io_error(err, "write", path);
        text += k;
        n -= (size_t)k;
    }
    return true;
}

// Opens a new file beside `path`, so that a rename stays on one file system.
// Not mkstemp: the mode shall follow the umask like that of any new file.
static int open_beside(const char *path, struct buf *name)
{
    for (unsigned i = 0; i < BASE_TEMPORARY_NAMES; i++) {
        buf_clear(name);
        buf_printf(name, "%s.%ld.%u.tmp", path, (long)getpid(), i);
        int fd = open(buf_text(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

// The rename is durable only when the folder is; a file system that cannot
// sync folders has nothing better to offer, so failures are not reported.
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct buf folder = {0};
    if (slash)
        buf_write(&folder, path, (size_t)(slash - path) + 1);
    else
        buf_puts(&folder, ".");
    int fd = open(buf_text(&folder), O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    buf_release(&folder);
}

// Signals wait until the file is whole, or gone: an interrupted program leaves
// no part of one.
static void hold_signals(sigset_t *old)
{
    sigset_t all;
    sigemptyset(&all);
    sigaddset(&all, SIGINT);
    sigaddset(&all, SIGTERM);
    sigaddset(&all, SIGHUP);
    sigprocmask(SIG_BLOCK, &all, old);
}

static bool replace_file(const char *path, const struct stat *old, const char *text, size_t n,
                         struct err *err)
{
    struct buf name = {0};
    sigset_t signals;
    hold_signals(&signals);
    int fd = open_beside(path, &name);
    bool ok = fd >= 0 || io_error(err, "create a file beside it", path);
    if (fd >= 0) {
        // Only the superuser can give files away; others get one of their own.
        if (old && fchown(fd, old->st_uid, old->st_gid) != 0)
            errno = 0;
        if (old && fchmod(fd, old->st_mode & 07777) != 0)
            ok = io_error(err, "set its mode", buf_text(&name));
        ok = ok && write_all(fd, path, text, n, err);
        if (ok && fsync(fd) != 0)
            ok = io_error(err, "write", path);
        if (close(fd) != 0 && ok)
            ok = io_error(err, "write", path);
        if (ok && rename(buf_text(&name), path) != 0)
            ok = io_error(err, "replace", path);
        if (ok)
            sync_folder(path);
        else
            unlink(buf_text(&name));
    }
    sigprocmask(SIG_SETMASK, &signals, NULL);
    buf_release(&name);
    return ok;
}

// A device or a pipe is written, not replaced, and so is a file that has no name
// any more.
static bool write_through(const char *path, const char *text, size_t n, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return io_error(err, "open", path);
    bool ok = write_all(fd, path, text, n, err);
    if (close(fd) != 0 && ok)
        ok = io_error(err, "write", path);
    return ok;
}

// A symbolic link keeps pointing at its file, and the file behind it is replaced.
static bool replace_target(const char *path, const struct place *old, const char *text, size_t n,
                           struct err *err)
{
    struct buf target = {0};
    struct place now = {0};
    bool ok = place_follow(path, &target, err);
    if (ok && old->exists &&
        !(place_find(buf_text(&target), STDOUT_FILENO, &now) && place_same(&now, old)))
        ok = write_through(path, text, n, err);
    else
        ok = ok && replace_file(buf_text(&target), old->exists ? &old->is : NULL, text, n, err);
    place_release(&now);
    buf_release(&target);
    return ok;
}

bool file_may_write(const char *path, struct err *err)
{
    struct place place;
    struct buf folder = {0};
    const char *slash = strrchr(path, '/');
    bool is_place = place_find(path, STDOUT_FILENO, &place);
    bool there = is_place && place.exists, ok = true;
    if (there && S_ISDIR(place.is.st_mode)) {
        errno = EISDIR;
        ok = io_error(err, "write", path);
    } else if (!there && strcmp(path, "-") != 0) {
        if (slash != NULL)
            buf_write(&folder, path, (size_t)(slash - path) + 1);
        else
            buf_puts(&folder, ".");
        ok = access(buf_text(&folder), W_OK | X_OK) == 0 || io_error(err, "write", path);
    }
    place_release(&place);
    buf_release(&folder);
    return ok;
}

bool file_write(const char *path, const char *text, size_t n, struct err *err)
{
    struct place place, out;
    bool is_place = place_find(path, STDOUT_FILENO, &place);
    // "-", /dev/stdout, and the file that standard output goes to: what was
    // written there before stays.
    bool standard = strcmp(path, "-") == 0 ||
                    (is_place && place_find("-", STDOUT_FILENO, &out) && place_same(&place, &out));
    bool ok;
    if (standard)
        ok = write_all(STDOUT_FILENO, "standard output", text, n, err);
    else if (place.exists && !S_ISREG(place.is.st_mode))
        ok = write_through(path, text, n, err);
    else
        ok = replace_target(path, &place, text, n, err);
    place_release(&place);
    return ok;
}
