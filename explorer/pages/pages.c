// SPDX-License-Identifier: Apache-2.0
#include "explorer/pages/pages.h"
#include "base/memory/vec.h"
#include "explorer/files/files.h"

struct explorer_pages {
    struct rw_database *database;
    enum explorer_mode mode;
};

struct explorer_pages *explorer_pages_new(struct rw_database *database, enum explorer_mode mode)
{
    struct explorer_pages *pages = mem_alloc(sizeof *pages);
    *pages = (struct explorer_pages){database, mode};
    return pages;
}

void explorer_pages_free(struct explorer_pages *pages)
{
    mem_free(pages);
}

void explorer_body_clear(struct explorer_body *body)
{
    struct buf bytes = body->bytes;
    buf_clear(&bytes);
    *body = (struct explorer_body){.bytes = bytes};
}

void explorer_body_release(struct explorer_body *body)
{
    buf_release(&body->bytes);
}

void explorer_message(enum explorer_mode mode, const char *path, int status, const char *heading,
                      const char *text, struct explorer_body *out)
{
    struct frame frame = {.mode = mode, .path = path, .title = heading};
    explorer_body_clear(out);
    out->status = status;
    out->content_type = "text/html; charset=utf-8";
    frame_begin(&frame, &out->bytes);
    markup_in("<h1>", heading, "</h1>\n", &out->bytes);
    markup_in("<p>", text, "</p>\n", &out->bytes);
    frame_end(&frame, &out->bytes);
}

static bool put_file(const char *path, struct explorer_body *out)
{
    const struct explorer_file *file =
        strncmp(path, "static/", 7) == 0 ? explorer_file_find(path + 7) : NULL;
    if (file == NULL)
        return false;
    explorer_body_clear(out);
    out->status = 200;
    out->content_type = explorer_file_type(file->name);
    out->constant = true;
    buf_write(&out->bytes, file->bytes, file->size);
    return true;
}

void explorer_page(struct explorer_pages *pages, const char *path, const char *query,
                   struct explorer_body *out)
{
    (void)query;
    if (!put_file(path, out))
        explorer_message(pages->mode, path, 404, "Not found", "There is no page at this address.",
                         out);
}

bool explorer_paths(struct explorer_pages *pages, void (*page)(void *user, const char *path),
                    void *user, struct rw_error *error)
{
    (void)pages;
    (void)page;
    (void)user;
    (void)error;
    return true;
}
