// SPDX-License-Identifier: Apache-2.0
#include "explorer/site/site.h"
#include "api/error.h"
#include "explorer/files/files.h"
#include "explorer/pages/pages.h"
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

struct writing {
    struct explorer_pages *pages;
    const char *folder;
    struct explorer_body body;
    struct site_written *written;
    struct err *err;
    bool ok;
};

static bool make_folder(const char *path, struct err *err)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           err_at(err, ERR_IO, path, 0, 0, "cannot make the folder: %s", strerror(errno));
}

// The folders of a file below the folder of the site.
static bool make_folders(const char *folder, const char *file, struct err *err)
{
    struct buf path = {0};
    bool ok = true;
    for (const char *slash = strchr(file, '/'); ok && slash; slash = strchr(slash + 1, '/')) {
        buf_clear(&path);
        buf_printf(&path, "%s/", folder);
        buf_write(&path, file, (size_t)(slash - file));
        ok = make_folder(buf_text(&path), err);
    }
    buf_release(&path);
    return ok;
}

static bool put_bytes(const char *path, const void *bytes, size_t size, struct err *err)
{
    FILE *file = fopen(path, "wb");
    bool ok = file != NULL && fwrite(bytes, 1, size, file) == size;
    if (file != NULL)
        ok = fclose(file) == 0 && ok;
    return ok || err_at(err, ERR_IO, path, 0, 0, "cannot write: %s", strerror(errno));
}

// No file stands outside of the folder, whatever paths pages have.
static bool stays_below(const char *name)
{
    for (const char *at = name;; at++) {
        size_t n = strcspn(at, "/");
        if (n == 0 || strspn(at, ".") == n)
            return false;
        at += n;
        if (*at == 0)
            return true;
    }
}

static bool put_file(struct writing *writing, const char *name, const void *bytes, size_t size)
{
    struct buf path = {0};
    if (!stays_below(name))
        return err_set(writing->err, ERR_DB, "the page %s would be outside of the folder", name);
    buf_printf(&path, "%s/%s", writing->folder, name);
    bool ok = make_folders(writing->folder, name, writing->err) &&
              put_bytes(buf_text(&path), bytes, size, writing->err);
    writing->written->files += ok;
    writing->written->bytes += ok ? size : 0;
    buf_release(&path);
    return ok;
}

static void put_page(void *user, const char *path)
{
    struct writing *writing = user;
    struct buf name = {0};
    if (!writing->ok)
        return;
    explorer_page(writing->pages, path, NULL, &writing->body);
    bool is_page = strncmp(writing->body.content_type, "text/html", 9) == 0;
    buf_printf(&name, "%s%s", *path ? path : "index", is_page ? ".html" : "");
    writing->ok =
        writing->body.status == 200
            ? put_file(writing, buf_text(&name), writing->body.bytes.at, writing->body.bytes.len)
            : err_set(writing->err, ERR_DB, "the page %s cannot be made", path);
    buf_release(&name);
}

static bool has_file(const char *folder, const char *name)
{
    struct buf path = {0};
    struct stat st;
    buf_printf(&path, "%s/%s", folder, name);
    bool there = stat(buf_text(&path), &st) == 0;
    buf_release(&path);
    return there;
}

// Nothing of anybody else may stand there.
static bool check_folder(const char *folder, struct err *err)
{
    DIR *open = opendir(folder);
    if (open == NULL)
        return errno == ENOENT ? make_folder(folder, err)
                               : err_at(err, ERR_IO, folder, 0, 0, "%s", strerror(errno));
    bool site = has_file(folder, "static/rules-index.js"), empty = true;
    for (struct dirent *entry; (entry = readdir(open)) != NULL;)
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    closedir(open);
    return site || empty ||
           err_at(err, ERR_INPUT, folder, 0, 0,
                  "expected an empty folder or one that `site` has written, found other files");
}

bool site_write(struct rw_database *database, const char *folder, struct site_written *written,
                struct err *err)
{
    struct rw_error error;
    *written = (struct site_written){0};
    if (!check_folder(folder, err))
        return false;
    struct writing writing = {
        .pages = explorer_pages_new(database, EXPLORER_SITE),
        .folder = folder,
        .written = written,
        .err = err,
        .ok = true,
    };
    for (size_t i = 0; writing.ok && i < n_explorer_files; i++) {
        struct buf name = {0};
        buf_printf(&name, "static/%s", explorer_files[i].name);
        writing.ok =
            put_file(&writing, buf_text(&name), explorer_files[i].bytes, explorer_files[i].size);
        buf_release(&name);
    }
    bool ok = writing.ok && (explorer_paths(writing.pages, put_page, &writing, &error) ||
                             error_take(&error, err));
    explorer_body_release(&writing.body);
    explorer_pages_free(writing.pages);
    return ok && writing.ok;
}
