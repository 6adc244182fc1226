// SPDX-License-Identifier: Apache-2.0
#include "api/error.h"
#include "explorer/pages/parts.h"
#include "explorer/files/files.h"

struct explorer_pages *explorer_pages_new(struct rw_database *database, enum explorer_mode mode)
{
    struct explorer_pages *pages = mem_alloc(sizeof *pages);
    *pages = (struct explorer_pages){database, mode, {.database = database}};
    return pages;
}

void explorer_pages_free(struct explorer_pages *pages)
{
    if (pages)
        library_release(&pages->library);
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

bool page_absent(struct explorer_pages *pages, const char *path, struct explorer_body *out)
{
    explorer_message(pages->mode, path, 404, "Not found", "There is no page at this address.", out);
    return true;
}

// Paths that end with '/' have something behind it.
static const struct {
    const char *path;
    page_of *page;
} routes[] = {
    {"", page_start},
    {"rules", page_rules},
    {"static/rules-index.js", page_rules_index},
    {"rule/", page_rule},
    {"operators", page_operators},
    {"operator/", page_operator},
    {"coverage", page_coverage},
    {"discovered", page_discovered},
    {"about", page_about},
};

static page_of *route_of(const char *path)
{
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        size_t n = strlen(routes[i].path);
        bool below = n > 0 && routes[i].path[n - 1] == '/';
        if (below ? strncmp(path, routes[i].path, n) == 0 && path[n]
                  : strcmp(path, routes[i].path) == 0)
            return routes[i].page;
    }
    return NULL;
}

void explorer_page(struct explorer_pages *pages, const char *path, const char *query,
                   struct explorer_body *out)
{
    page_of *page = route_of(path);
    struct rw_error error;
    if (page == NULL) {
        if (!put_file(path, out))
            page_absent(pages, path, out);
        return;
    }
    explorer_body_clear(out);
    out->status = 200;
    out->content_type = "text/html; charset=utf-8";
    if (!library_refresh(&pages->library, &error) || !page(pages, path, query, out, &error)) {
        struct err err = {0};
        (void)error_take(&error, &err);
        err_name_file(&err);
        explorer_message(pages->mode, path, 500, "The database failed", err.msg, out);
    }
}
