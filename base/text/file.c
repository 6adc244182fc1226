// SPDX-License-Identifier: Apache-2.0
// Whole files in and out (declared in base/text/buf.h).
#include "base/text/buf.h"
#include "base/limits.h"
#include "base/memory/vec.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool io_error(struct err *err, const char *what, const char *path)
{
    return err_set(err, ERR_IO, "cannot %s '%s': %s", what, path, strerror(errno));
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
            return err_set(err, ERR_INPUT, "'%s' is longer than %zu bytes", path, limit);
        buf_write(out, chunk, (size_t)n);
    }
}

bool file_read(const char *path, size_t limit, struct buf *out, struct err *err)
{
    buf_clear(out);
    if (!strcmp(path, "-"))
        return read_all(STDIN_FILENO, "standard input", limit, out, err);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return io_error(err, "open", path);
    bool ok = read_all(fd, path, limit, out, err);
    close(fd);
    return ok;
}

static bool write_all(int fd, const char *path, const char *text, size_t n, struct err *err)
{
    while (n) {
        ssize_t k = write(fd, text, n);
        if (k < 0 && errno == EINTR)
            continue;
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

static bool replace_file(const char *path, const struct stat *old, const char *text, size_t n,
                         struct err *err)
{
    struct buf name = {0};
    int fd = open_beside(path, &name);
    bool ok = fd >= 0 || io_error(err, "create a file beside", path);
    if (fd >= 0) {
        if (old && fchmod(fd, old->st_mode & 07777) != 0)
            ok = io_error(err, "set the mode of", buf_text(&name));
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
    buf_release(&name);
    return ok;
}

// Follows symbolic links, so that a link keeps pointing at its file and the
// file behind it is replaced.
static bool follow_links(const char *path, struct buf *out, struct err *err)
{
    char link[4096];
    buf_clear(out);
    buf_puts(out, path);
    for (int i = 0; i <= BASE_LINKS; i++) {
        ssize_t n = readlink(buf_text(out), link, sizeof link);
        if (n < 0 && (errno == EINVAL || errno == ENOENT))
            return true; // not a link, or the file is still to be made
        if (n < 0)
            return io_error(err, "follow", path);
        if (i == BASE_LINKS || (size_t)n == sizeof link)
            break;
        const char *slash = strrchr(buf_text(out), '/');
        out->len = link[0] == '/' || !slash ? 0 : (size_t)(slash - out->at) + 1;
        buf_write(out, link, (size_t)n);
    }
    errno = ELOOP;
    return io_error(err, "follow", path);
}

// A device or a pipe is written, not replaced.
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

bool file_write(const char *path, const char *text, size_t n, struct err *err)
{
    if (!strcmp(path, "-"))
        return write_all(STDOUT_FILENO, "standard output", text, n, err);
    struct stat st;
    bool old = stat(path, &st) == 0;
    if (old && !S_ISREG(st.st_mode))
        return write_through(path, text, n, err);
    struct buf name = {0};
    bool ok = follow_links(path, &name, err) &&
              replace_file(buf_text(&name), old ? &st : NULL, text, n, err);
    buf_release(&name);
    return ok;
}
