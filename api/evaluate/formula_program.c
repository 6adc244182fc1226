// SPDX-License-Identifier: Apache-2.0
#include "api/evaluate/formula_program.h"

#include "api/rules/files.h"
#include "formula/rules/expand.h"
#include "formula/program.h"
#include "io/stablehlo/stablehlo.h"

#define MAX_PROGRAM_BYTES ((size_t)1 << 30)

enum { MAX_FORMULA_BYTES = 1 << 20, MAX_SIZE = 1 << 20, USUAL_SIZE = 3 };

bool is_formula_file(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && strcmp(path + n - 5, ".expr") == 0;
}

// The size of an axis in `i=2,j=4`; 0: the text does not name the axis.
static bool size_of(const char *list, const char *axis, int64_t *out, struct err *err)
{
    *out = 0;
    while (list != NULL && *list != 0) {
        size_t len = strcspn(list, ","), name = strcspn(list, "=,");
        char *end = NULL;
        long n = name < len ? strtol(list + name + 1, &end, 10) : 0;
        if (end != list + len || n < 1 || n > MAX_SIZE)
            return err_set(err, ERR_USAGE, "--sizes: expected names and sizes, as in i=2,j=4");
        if (strlen(axis) == name && memcmp(axis, list, name) == 0)
            *out = n;
        list += len + (list[len] == ',');
    }
    return true;
}

static bool build(const struct formula_setting *setting, struct formula *formula, fterm term,
                  struct program *out, struct err *err)
{
    VEC(struct fsize) sizes = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < formula->axes.len; i++) {
        struct fsize size = {.axis = formula->axes.at[i]};
        ok = size_of(setting->sizes, size.axis, &size.n, err);
        if (size.n == 0)
            size.n = USUAL_SIZE;
        vec_push(&sizes, size);
    }
    struct program_request request = {formula, term, ELEM_F64, sizes.len, sizes.at};
    ok = ok && formula_program(&request, out, err);
    vec_release(&sizes);
    return ok;
}

static bool elaborate(const struct formula_setting *setting, const char *path, const char *text,
                      const struct fdefines *defs, struct program *out, struct err *err)
{
    struct fterms terms;
    struct formula formula;
    fterm term;
    fterms_init(&terms);
    bool ok = formula_read(&formula, &terms, defs, path, text, err);
    if (ok) {
        formula_expand(&terms, defs, formula.term, &term, NULL);
        ok = build(setting, &formula, term, out, err);
        formula_release(&formula);
    }
    fterms_release(&terms);
    return ok;
}

static bool read_program(const char *path, struct pool *pool, struct program *out, struct err *err)
{
    struct buf text = {0};
    bool ok = file_read(path, MAX_PROGRAM_BYTES, &text, err);
    if (ok) {
        program_init(out, pool);
        ok = stablehlo_read(buf_text(&text), text.len, strcmp(path, "-") == 0 ? "<stdin>" : path,
                            out, err);
        if (!ok)
            program_release(out);
    }
    buf_release(&text);
    return ok;
}

bool read_formula_program(const struct formula_setting *setting, const char *path,
                          struct pool *pool, struct program *out, struct err *err)
{
    struct buf text = {0};
    struct ruleset set;
    struct fdefines defs = {0};
    if (!is_formula_file(path))
        return read_program(path, pool, out, err);
    ruleset_init(&set);
    program_init(out, pool);
    bool ok =
        file_read_text(path, MAX_FORMULA_BYTES, &text, err) &&
        (!setting->rules || rule_files_load_all(setting->context, setting->rules, &set, err)) &&
        fdefines_of(&defs, set.rules.len, (const struct rule *const *)set.rules.at, err) &&
        elaborate(setting, path, buf_text(&text), &defs, out, err);
    if (!ok)
        program_release(out);
    fdefines_release(&defs);
    ruleset_release(&set);
    buf_release(&text);
    return ok;
}
