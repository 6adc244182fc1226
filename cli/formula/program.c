// SPDX-License-Identifier: Apache-2.0
#include "cli/formula/program.h"
#include "cli/proving/proving.h"

#include "formula/rules/expand.h"
#include "formula/program.h"

enum { MAX_FORMULA_BYTES = 1 << 20, MAX_SIZE = 1 << 20, USUAL_SIZE = 3 };

bool is_formula_file(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && strcmp(path + n - 5, ".expr") == 0;
}

// The size of an axis in `i=2,j=4`; 0: it is not named there.
static bool size_of(const char *list, const char *axis, int64_t *out,
                    struct err *e)
{
    *out = 0;
    while (list != NULL && *list != 0) {
        size_t len = strcspn(list, ","), name = strcspn(list, "=,");
        char *end = NULL;
        long n = name < len ? strtol(list + name + 1, &end, 10) : 0;
        if (end != list + len || n < 1 || n > MAX_SIZE)
            return err_set(e, ERR_USAGE,
                           "--sizes: expected names and sizes, as in i=2,j=4");
        if (strlen(axis) == name && memcmp(axis, list, name) == 0)
            *out = n;
        list += len + (list[len] == ',');
    }
    return true;
}

static bool build(const struct command_line *c, struct formula *f, fterm x,
                  struct program *out, struct err *e)
{
    VEC(struct fsize) sizes = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < f->axes.len; i++) {
        struct fsize s = {.axis = f->axes.at[i]};
        ok = size_of(c->value[OPTION_sizes], s.axis, &s.n, e);
        if (s.n == 0)
            s.n = USUAL_SIZE;
        vec_push(&sizes, s);
    }
    ok = ok && formula_program(f, x, ELEM_F64, sizes.len, sizes.at, out, e);
    vec_release(&sizes);
    return ok;
}

static bool elaborate(const struct command_line *c, const char *path,
                      const char *text, const struct fdefines *defs,
                      struct program *out, struct err *e)
{
    struct fterms t;
    struct formula f;
    fterm x;
    fterms_init(&t);
    bool ok = formula_read(&f, &t, defs, path, text, e);
    if (ok) {
        formula_expand(&t, defs, f.term, &x, NULL);
        ok = build(c, &f, x, out, e);
        formula_release(&f);
    }
    fterms_release(&t);
    return ok;
}

bool read_formula_program(const struct command_line *c, const char *path,
                          struct pool *pool, struct program *out, struct err *e)
{
    struct buf text = {0}, library = {0};
    struct ruleset set;
    struct fdefines defs = {0};
    const char *rules = c->value[OPTION_rules];
    if (!is_formula_file(path))
        return read_program(path, pool, out, e);
    ruleset_init(&set);
    program_init(out, pool);
    if (rules == NULL && library_path(&library))
        rules = buf_text(&library);
    bool ok = file_read(path, MAX_FORMULA_BYTES, &text, e) &&
              (rules == NULL || load_rules(&set, rules, e)) &&
              fdefines_of(&defs, set.rules.len,
                          (const struct rule *const *)set.rules.at, e) &&
              elaborate(c, path, buf_text(&text), &defs, out, e);
    if (!ok)
        program_release(out);
    fdefines_release(&defs);
    ruleset_release(&set);
    buf_release(&text);
    buf_release(&library);
    return ok;
}
