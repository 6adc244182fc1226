// SPDX-License-Identifier: Apache-2.0
// Rule sets: texts, files and folders of rules.
#include "base/hash.h"
#include "base/text/excerpt.h"
#include "base/text/sniff.h"
#include "base/text/utf8.h"
#include "rules/language/parse.h"
#include "rules/limits.h"
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

void ruleset_init(struct ruleset *set)
{
    memset(set, 0, sizeof *set);
    intern_init(&set->names.name);
}

void ruleset_release(struct ruleset *set)
{
    vec_release(&set->rules);
    intern_release(&set->names.name);
    vec_release(&set->names.first);
    arena_release(&set->mem);
}

static void keep_rule(void *ctx, struct rule *rule)
{
    struct ruleset *set = ctx;
    vec_push(&set->rules, rule);
}

// One error in place of many, if the text holds no rules but something else.
static void explain(const char *text, size_t n, uint32_t first, struct err_list *errs)
{
    struct err *err = &errs->at.at[first];
    sniff_explain(text, n, TEXT_RULES, err);
    if (err->line == 0)
        errs->at.len = first + 1;
}

static bool parse(struct ruleset *set, const char *text, size_t n, const char *file, bool verify,
                  struct err_list *errs)
{
    struct err err = {0};
    uint32_t first = errs->at.len;
    if (!utf8_expect(text, n, file, &err)) {
        sniff_explain(text, n, TEXT_RULES, &err);
        vec_push(&errs->at, err);
        return false;
    }
    struct rule_text source = {.text = text,
                               .file = file,
                               .n = n,
                               .verify = verify,
                               .names = &set->names,
                               .keep = keep_rule,
                               .ctx = set};
    bool ok = parse_text(&set->mem, &source, errs);
    for (uint32_t i = first; i < errs->at.len; i++)
        excerpt_attach(&errs->at.at[i], text, n);
    if (!ok)
        explain(text, n, first, errs);
    return ok;
}

bool ruleset_parse(struct ruleset *set, const char *text, size_t n, const char *file,
                   struct err_list *errs)
{
    return parse(set, text, n, file, true, errs);
}

static bool report(struct err_list *errs, struct err err)
{
    vec_push(&errs->at, err);
    return false;
}

static bool load_file(struct ruleset *set, const char *path, struct err_list *errs)
{
    struct buf text = {0};
    struct err err = {0};
    bool ok = file_read(path, (size_t)RULES_FILE << 20, &text, &err)
                  ? ruleset_parse(set, buf_text(&text), text.len, path, errs)
                  : report(errs, err);
    buf_release(&text);
    return ok;
}

static bool is_rules_file(const char *name)
{
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, ".rw") == 0;
}

struct entry {
    const char *path;
    bool folder;
};

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

struct files {
    struct arena *mem;
    VEC(const char *) at;
};

static bool list(struct files *files, struct entry entry, unsigned depth, struct err_list *errs);

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

// Names that start with a point are hidden and left out.
static bool list_folder(struct files *files, const char *path, unsigned depth,
                        struct err_list *errs)
{
    struct err err = {0};
    VEC(struct entry) entries = {0};
    struct buf name = {0};
    bool ok = true;
    DIR *dir = opendir(path);
    if (!dir) {
        err_at(&err, ERR_IO, path, 0, 0, "cannot read the folder: %s", strerror(errno));
        return report(errs, err);
    }
    for (struct dirent *d; (d = readdir(dir));) {
        if (d->d_name[0] == '.')
            continue;
        buf_clear(&name);
        buf_printf(&name, "%s/%s", path, d->d_name);
        bool folder = is_folder(buf_text(&name));
        if (folder || is_rules_file(d->d_name))
            vec_push(&entries, ((struct entry){arena_strdup(files->mem, buf_text(&name)), folder}));
    }
    closedir(dir);
    buf_release(&name);
    if (entries.len)
        qsort(entries.at, entries.len, sizeof *entries.at, by_path);
    if (entries.len == 0 && depth == 0) {
        err_at(&err, ERR_INPUT, path, 0, 0, "expected .rw files in this folder");
        return report(errs, err);
    }
    for (uint32_t i = 0; i < entries.len; i++)
        ok = list(files, entries.at[i], depth + 1, errs) && ok;
    vec_release(&entries);
    return ok;
}

static bool list(struct files *files, struct entry entry, unsigned depth, struct err_list *errs)
{
    if (!entry.folder) {
        vec_push(&files->at, entry.path);
        return true;
    }
    if (depth > RULES_MAX_FOLDERS) {
        struct err err = {0};
        err_at(&err, ERR_INPUT, entry.path, 0, 0, "folders are nested too deeply");
        return report(errs, err);
    }
    return list_folder(files, entry.path, depth, errs);
}

// The file, or all files of the folder.
static bool list_all(struct files *files, const char *path, struct err_list *errs)
{
    return list(files, (struct entry){path, is_folder(path)}, 0, errs);
}

bool ruleset_load(struct ruleset *set, const char *path, struct err_list *errs)
{
    struct files files = {.mem = &set->mem};
    bool ok = list_all(&files, path, errs);
    for (uint32_t i = 0; i < files.at.len; i++)
        ok = load_file(set, files.at.at[i], errs) && ok;
    vec_release(&files.at);
    return ok;
}

bool ruleset_digest(const char *path, char hex[65])
{
    struct arena mem = {0};
    struct err_list errs = {0};
    struct files files = {.mem = &mem};
    struct buf name = {0}, text = {0};
    struct sha256 sha256;
    struct err err = {0};
    sha256_init(&sha256);
    bool ok = list_all(&files, path, &errs);
    for (uint32_t i = 0; ok && i < files.at.len; i++) {
        buf_clear(&text);
        ok = file_read(files.at.at[i], (size_t)RULES_FILE << 20, &text, &err);
        // Families are named after files.
        buf_clear(&name);
        buf_printf(&name, "%s %zu\n", files.at.at[i] + strlen(path), text.len);
        sha256_add(&sha256, buf_text(&name), name.len);
        sha256_add(&sha256, buf_text(&text), text.len);
    }
    sha256_end(&sha256, hex);
    buf_release(&text);
    buf_release(&name);
    vec_release(&files.at);
    vec_release(&errs.at);
    arena_release(&mem);
    return ok;
}

static struct rule *add_one(struct ruleset *set, const char *text, const char *what, bool verify,
                            struct err *err)
{
    struct err_list errs = {0};
    uint32_t n = set->rules.len;
    bool ok = parse(set, text, strlen(text), what, verify, &errs) && set->rules.len == n + 1;
    if (!ok && errs.at.len)
        *err = errs.at.at[0];
    else if (!ok)
        err_set(err, ERR_INPUT, "%s: expected the text of one rule", what);
    vec_release(&errs.at);
    return ok ? set->rules.at[n] : NULL;
}

const struct rule *ruleset_add(struct ruleset *set, const char *text, const char *what,
                               struct err *err)
{
    return add_one(set, text, what, true, err);
}

const struct rule *ruleset_add_canonical(struct ruleset *set, const char *text, const char *hash,
                                         const char *what, struct err *err)
{
    struct rule *rule = add_one(set, text, what, false, err);
    if (rule == NULL)
        return NULL;
    rule->canonical = arena_strdup(&set->mem, text);
    if (hash == NULL)
        sha256_hex(text, strlen(text), rule->hash);
    else
        snprintf(rule->hash, sizeof rule->hash, "%s", hash);
    return rule;
}

const struct rule *rule_reversed(const struct rule *rule, struct ruleset *set)
{
    struct rule turned = *rule;
    struct buf text = {0};
    struct err err = {0};
    turned.lhs = rule->rhs;
    turned.rhs = rule->lhs;
    turned.name = "_";
    rule_print(&turned, &text);
    const struct rule *out = ruleset_add(set, buf_text(&text), rule->name, &err);
    buf_release(&text);
    return out;
}
