// SPDX-License-Identifier: Apache-2.0
// Rule sets: texts, files and folders of rules.
#include "base/hash.h"
#include "base/text/utf8.h"
#include "rules/language/parse.h"
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#define LIMIT_FILE ((size_t)16 << 20)
#define LIMIT_FOLDERS 16 // nested

void ruleset_init(struct ruleset *s)
{
    memset(s, 0, sizeof *s);
    intern_init(&s->names);
}

void ruleset_release(struct ruleset *s)
{
    vec_release(&s->rules);
    intern_release(&s->names);
    arena_release(&s->mem);
}

static void keep_rule(void *ctx, struct rule *r)
{
    struct ruleset *s = ctx;
    vec_push(&s->rules, r);
}

static bool parse(struct ruleset *s, const char *text, size_t n,
                  const char *file, bool verify, struct err_list *errs)
{
    size_t bad;
    if (!utf8_check(text, n, &bad)) {
        struct err e = {0};
        uint32_t line = 1;
        for (size_t i = 0; i < bad; i++)
            line += text[i] == '\n';
        err_at(&e, ERR_INPUT, file, line, 1,
               "expected UTF-8 text, found the byte 0x%02x",
               (unsigned)(unsigned char)text[bad]);
        vec_push(&errs->at, e);
        return false;
    }
    return parse_text(&s->mem, &s->names, text, n, file, verify, errs,
                      keep_rule, s);
}

bool ruleset_parse(struct ruleset *s, const char *text, size_t n,
                   const char *file, struct err_list *errs)
{
    return parse(s, text, n, file, true, errs);
}

static bool report(struct err_list *errs, struct err e)
{
    vec_push(&errs->at, e);
    return false;
}

static bool load_file(struct ruleset *s, const char *path,
                      struct err_list *errs)
{
    struct buf text = {0};
    struct err e = {0};
    bool ok = file_read(path, LIMIT_FILE, &text, &e)
                  ? ruleset_parse(s, buf_text(&text), text.len, path, errs)
                  : report(errs, e);
    buf_release(&text);
    return ok;
}

static bool is_rules_file(const char *name)
{
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, ".rw") == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct files {
    struct arena *mem;
    VEC(const char *) at;
};

static bool list(struct files *f, const char *path, unsigned depth,
                 struct err_list *errs);

// Names that start with a point are hidden and left out.
static bool list_folder(struct files *f, const char *path, unsigned depth,
                        struct err_list *errs)
{
    struct err e = {0};
    VEC(char *) names = {0};
    struct buf name = {0};
    bool ok = true;
    DIR *dir = opendir(path);
    if (!dir) {
        err_set(&e, ERR_IO, "cannot read the folder %s: %s", path,
                strerror(errno));
        return report(errs, e);
    }
    for (struct dirent *d; (d = readdir(dir));) {
        if (d->d_name[0] == '.')
            continue;
        buf_clear(&name);
        buf_printf(&name, "%s/%s", path, d->d_name);
        struct stat st;
        bool folder = stat(buf_text(&name), &st) == 0 && S_ISDIR(st.st_mode);
        if (folder || is_rules_file(d->d_name))
            vec_push(&names, arena_strdup(f->mem, buf_text(&name)));
    }
    closedir(dir);
    buf_release(&name);
    if (names.len)
        qsort(names.at, names.len, sizeof *names.at, by_name);
    if (names.len == 0 && depth == 0) {
        err_set(&e, ERR_INPUT, "%s: expected .rw files in this folder", path);
        return report(errs, e);
    }
    for (uint32_t i = 0; i < names.len; i++)
        ok = list(f, names.at[i], depth + 1, errs) && ok;
    vec_release(&names);
    return ok;
}

static bool list(struct files *f, const char *path, unsigned depth,
                 struct err_list *errs)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        vec_push(&f->at, path);
        return true;
    }
    if (depth > LIMIT_FOLDERS) {
        struct err e = {0};
        err_set(&e, ERR_INPUT, "%s: folders are nested too deeply", path);
        return report(errs, e);
    }
    return list_folder(f, path, depth, errs);
}

bool ruleset_load(struct ruleset *s, const char *path, struct err_list *errs)
{
    struct files f = {.mem = &s->mem};
    bool ok = list(&f, path, 0, errs);
    for (uint32_t i = 0; i < f.at.len; i++)
        ok = load_file(s, f.at.at[i], errs) && ok;
    vec_release(&f.at);
    return ok;
}

bool ruleset_digest(const char *path, char hex[65])
{
    struct arena mem = {0};
    struct err_list errs = {0};
    struct files f = {.mem = &mem};
    struct buf all = {0}, text = {0};
    struct err e = {0};
    bool ok = list(&f, path, 0, &errs);
    for (uint32_t i = 0; ok && i < f.at.len; i++) {
        buf_clear(&text);
        ok = file_read(f.at.at[i], LIMIT_FILE, &text, &e);
        // Families are named after files.
        buf_printf(&all, "%s %zu\n", f.at.at[i] + strlen(path), text.len);
        buf_write(&all, buf_text(&text), text.len);
    }
    sha256_hex(buf_text(&all), all.len, hex);
    buf_release(&text);
    buf_release(&all);
    vec_release(&f.at);
    vec_release(&errs.at);
    arena_release(&mem);
    return ok;
}

static struct rule *add_one(struct ruleset *s, const char *text,
                            const char *what, bool verify, struct err *e)
{
    struct err_list errs = {0};
    uint32_t n = s->rules.len;
    bool ok = parse(s, text, strlen(text), what, verify, &errs) &&
              s->rules.len == n + 1;
    if (!ok && errs.at.len)
        *e = errs.at.at[0];
    else if (!ok)
        err_set(e, ERR_INPUT, "%s: expected the text of one rule", what);
    vec_release(&errs.at);
    return ok ? s->rules.at[n] : NULL;
}

const struct rule *ruleset_add(struct ruleset *s, const char *text,
                               const char *what, struct err *e)
{
    return add_one(s, text, what, true, e);
}

const struct rule *ruleset_add_canonical(struct ruleset *s, const char *text,
                                         const char *what, struct err *e)
{
    struct rule *r = add_one(s, text, what, false, e);
    if (r != NULL) {
        r->canonical = arena_strdup(&s->mem, text);
        sha256_hex(text, strlen(text), r->hash);
    }
    return r;
}
