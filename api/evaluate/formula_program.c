// SPDX-License-Identifier: Apache-2.0
#include "api/evaluate/formula_program.h"

#include "base/text/suggest.h"
#include "formula/rules/expand.h"
#include "formula/program.h"
#include "io/program/program.h"

#include <stdlib.h>

enum { MAX_SIZE = 1 << 20, USUAL_SIZE = 3 };

bool is_formula_file(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && strcmp(path + n - 5, ".expr") == 0;
}

// ---- sizes of axes

static struct given_size *size_named(struct given_sizes *sizes, const char *name)
{
    for (uint32_t i = 0; i < sizes->at.len; i++)
        if (strcmp(sizes->at.at[i].name, name) == 0)
            return &sizes->at.at[i];
    return NULL;
}

bool given_sizes_read(struct given_sizes *sizes, const char *text, struct err *err)
{
    *sizes = (struct given_sizes){0};
    while (text != NULL && *text != 0) {
        size_t len = strcspn(text, ","), name = strcspn(text, "=,");
        char *end = NULL;
        long n = name < len ? strtol(text + name + 1, &end, 10) : 0;
        if (end != text + len || n < 1 || n > MAX_SIZE)
            return err_at(err, ERR_USAGE, "sizes", 0, 0, "expected names and sizes, as in i=2,j=4");
        struct given_size size = {arena_strndup(&sizes->mem, text, name), n, false};
        if (size_named(sizes, size.name) != NULL)
            return err_at(err, ERR_USAGE, "sizes", 0, 0, "%s is given twice", size.name);
        vec_push(&sizes->at, size);
        text += len + (text[len] == ',');
    }
    return true;
}

void given_sizes_release(struct given_sizes *sizes)
{
    vec_release(&sizes->at);
    vec_release(&sizes->axes);
    arena_release(&sizes->mem);
}

static bool no_axis(const struct given_sizes *sizes, const char *name, struct err *err)
{
    struct nearest nearest = nearest_to(name, strlen(name));
    struct buf all = {0};
    for (uint32_t i = 0; i < sizes->axes.len; i++) {
        nearest_consider(&nearest, sizes->axes.at[i], strlen(sizes->axes.at[i]));
        buf_printf(&all, "%s%s", i ? ", " : "", sizes->axes.at[i]);
    }
    err_at(err, ERR_USAGE, "sizes", 0, 0, "no axis is called %s", name);
    nearest_hint(&nearest, err);
    if (all.len > 0)
        err_hint(err, "the axes are %s", buf_text(&all));
    buf_release(&all);
    return false;
}

bool given_sizes_check(const struct given_sizes *sizes, struct err *err)
{
    for (uint32_t i = 0; i < sizes->at.len; i++)
        if (!sizes->at.at[i].used)
            return no_axis(sizes, sizes->at.at[i].name, err);
    return true;
}

static void add_axis(struct given_sizes *sizes, const char *axis)
{
    for (uint32_t i = 0; i < sizes->axes.len; i++)
        if (strcmp(sizes->axes.at[i], axis) == 0)
            return;
    vec_push(&sizes->axes, arena_strdup(&sizes->mem, axis));
}

static int64_t size_of(struct given_sizes *sizes, const char *axis)
{
    struct given_size *size = size_named(sizes, axis);
    add_axis(sizes, axis);
    if (size == NULL)
        return USUAL_SIZE;
    size->used = true;
    return size->n;
}

static bool build(const struct formula_setting *setting, struct formula *formula, fterm term,
                  struct program *out, struct err *err)
{
    VEC(struct fsize) sizes = {0};
    for (uint32_t i = 0; i < formula->axes.len; i++) {
        struct fsize size = {.axis = formula->axes.at[i]};
        size.n = size_of(setting->sizes, size.axis);
        vec_push(&sizes, size);
    }
    struct program_request request = {formula, term, ELEM_F64, sizes.len, sizes.at};
    bool ok = formula_program(&request, out, err);
    vec_release(&sizes);
    return ok;
}

static bool elaborate(const struct formula_setting *setting, const struct formula_text *from,
                      const struct fdefines *defs, struct program *out, struct err *err)
{
    struct fterms terms;
    struct formula formula;
    struct buf text = {0};
    fterm term;
    buf_write(&text, from->text, from->size);
    if (strlen(buf_text(&text)) < from->size) {
        buf_release(&text);
        return err_at(err, ERR_INPUT, from->file, 0, 0, "a formula has no zero bytes");
    }
    fterms_init(&terms);
    bool ok = formula_read(&formula, &terms, defs, from->file, buf_text(&text), err);
    if (ok) {
        formula_expand(&terms, defs, formula.term, &term, NULL);
        ok = build(setting, &formula, term, out, err);
        formula_release(&formula);
    }
    fterms_release(&terms);
    buf_release(&text);
    return ok;
}

static bool elaborate_with(const struct formula_setting *setting, const struct formula_text *from,
                           struct program *out, struct err *err)
{
    struct fdefines defs = {0};
    const struct ruleset *set = setting->definitions;
    bool ok = set == NULL ||
              fdefines_of(&defs, set->rules.len, (const struct rule *const *)set->rules.at, err);
    ok = ok && elaborate(setting, from, &defs, out, err);
    fdefines_release(&defs);
    return ok;
}

bool read_formula_program(const struct formula_setting *setting, const struct formula_text *from,
                          struct pool *pool, struct program *out, struct err *err)
{
    program_init(out, pool);
    bool ok = from->formula ? elaborate_with(setting, from, out, err)
                            : program_text_read(from->text, from->size, from->file, out, err);
    if (!ok)
        program_release(out);
    return ok;
}
