// SPDX-License-Identifier: Apache-2.0
// Modules, functions and their statements.  Two passes: the first walks all
// bodies for effects and calls, since a call may name a function further on;
// the second makes terms.
#include "base/text/utf8.h"
#include "io/stablehlo/stablehlo.h"
#include "io/stablehlo/read/reader.h"

static bool is_op(const struct mlir *m, uint32_t i, const char *name)
{
    char have[64];
    uint16_t k = mlir_kind(m, i);
    if (k != T_BARE && k != T_STRING)
        return false;
    return stablehlo_op_name(m, i, have) && strcmp(have, name) == 0 &&
           (k == T_BARE || mlir_kind(m, i + 1) == '(');
}

// An operation that is no function: sdy.mesh and the like.
static bool read_extra(struct stablehlo_reader *r, uint32_t *i)
{
    uint32_t from = *i;
    if (!stablehlo_skip(r, i))
        return false;
    sym_id text = stablehlo_keep(r, from, *i, SPACE_LINE);
    vec_push(&r->p->extras, text);
    return true;
}

// First pass: the body of every function, in the order of the file.
struct body_walk {
    uint32_t body; // '{'
    uint32_t self;
};

// Finds the body and name of the function at *i and moves behind it.
static bool survey_function(struct stablehlo_reader *r, uint32_t *i,
                            struct body_walk *out)
{
    struct mlir *m = &r->m;
    uint32_t name, at = *i;
    out->body = 0;
    if (mlir_kind(m, at) == T_STRING) {
        struct function_header h;
        if (!stablehlo_function_header(r, i, &h))
            return false;
        if (h.name == 0 || mlir_kind(m, h.name) != T_STRING)
            return mlir_fail(m, at,
                             "expected sym_name = \"...\" among the "
                             "attributes");
        name = h.name;
        if (mlir_kind(m, h.region + 1) != '}')
            out->body = h.region;
    } else {
        ++*i;
        if (mlir_kind(m, *i) == T_BARE)
            ++*i;
        name = *i;
        if (!mlir_expect(m, i, T_SYMBOL, "the function's name such as @main"))
            return false;
        if (mlir_kind(m, *i) != '(')
            return mlir_expected(m, *i, "'(' and the arguments");
        *i = m->tok.at[*i].match + 1;
        if (mlir_accept(m, i, T_ARROW)) {
            if (mlir_kind(m, *i) == '(')
                *i = m->tok.at[*i].match + 1;
            else if (!mlir_skip_type(m, i))
                return false;
        }
        if (mlir_accept_word(m, i, "attributes")) {
            if (mlir_kind(m, *i) != '{')
                return mlir_expected(m, *i, "'{'");
            *i = m->tok.at[*i].match + 1;
        }
        if (mlir_kind(m, *i) == '{') {
            out->body = *i;
            *i = m->tok.at[*i].match + 1;
        }
    }
    uint32_t id = stablehlo_symbol(r, name);
    if (id == UINT32_MAX)
        return false;
    while (r->callable_of.len <= id)
        vec_push(&r->callable_of, 0);
    if (r->callable_of.at[id] != 0)
        return mlir_fail(m, name, "a second function of this name");
    struct callable c = {.name = id, .at = at, .effect = out->body == 0};
    vec_push(&r->callable, c);
    r->callable_of.at[id] = r->callable.len;
    out->self = r->callable.len - 1;
    return true;
}

// Moves behind the resources; false when something else is there.
static bool skip_resources(struct mlir *m, uint32_t *i)
{
    if (mlir_kind(m, *i) != T_RES_OPEN)
        return false;
    *i = m->tok.at[*i].match + 1;
    return true;
}

// One operation of the module's or file's level.
static bool read_top(struct stablehlo_reader *r, uint32_t *i)
{
    struct mlir *m = &r->m;
    if (is_op(m, *i, "func.func"))
        return mlir_kind(m, *i) == T_STRING ? stablehlo_generic_function(r, i)
                                            : stablehlo_function(r, i);
    if (is_op(m, *i, "builtin.module"))
        return mlir_fail(m, *i,
                         r->in_module ? "modules inside modules are not "
                                        "supported"
                                      : "expected one module, found another: "
                                        "give each in a file of its own");
    if (mlir_kind(m, *i) == T_VALUE)
        return mlir_fail(m, *i,
                         "expected a function, found a statement "
                         "outside any function");
    if (mlir_kind(m, *i) != T_BARE && mlir_kind(m, *i) != T_STRING)
        return mlir_expected(m, *i, "a module, a function or an operation");
    return read_extra(r, i);
}

// Collects the functions of [i, end), then walks their bodies.
static bool survey(struct stablehlo_reader *r, uint32_t i, uint32_t end)
{
    struct mlir *m = &r->m;
    VEC(struct body_walk) walks = {0};
    bool ok = true;
    while (ok && i < end) {
        struct body_walk t;
        if (skip_resources(m, &i))
            continue;
        if (is_op(m, i, "func.func")) {
            ok = survey_function(r, &i, &t);
            if (ok)
                vec_push(&walks, t);
        } else {
            // Anything else is read, and refused, by the second pass.
            uint16_t k = mlir_kind(m, i);
            i = k == '(' || k == '{' || k == '[' || k == '<'
                    ? m->tok.at[i].match + 1
                    : i + 1;
        }
    }
    for (uint32_t k = 0; ok && k < walks.len; k++)
        if (walks.at[k].body != 0)
            ok = stablehlo_walk(r, walks.at[k].body, walks.at[k].self);
    vec_release(&walks);
    if (ok)
        stablehlo_decide_effects(r);
    return ok;
}

static bool read_level(struct stablehlo_reader *r, uint32_t i, uint32_t end,
                       uint32_t *seen)
{
    struct mlir *m = &r->m;
    while (i < end) {
        if (skip_resources(m, &i))
            continue;
        ++*seen;
        if (!read_top(r, &i))
            return false;
    }
    return true;
}

// module @name attributes {...} {...}: its header; *open is the '{'.
static bool module_header(struct stablehlo_reader *r, uint32_t *i, uint32_t *open)
{
    static const char *const skip[] = {"sym_name", NULL};
    struct mlir *m = &r->m;
    struct program *p = r->p;
    if (mlir_kind(m, *i) == T_STRING) {
        struct function_header h;
        if (!stablehlo_function_header(r, i, &h) ||
            !stablehlo_header_attrs(r, &h, skip, &p->module_attrs))
            return false;
        *open = h.region;
        if (h.name != 0 && mlir_kind(m, h.name) != T_STRING)
            return mlir_expected(m, h.name, "a name in quotes");
        return h.name == 0 || stablehlo_unquoted(r, h.name, &p->module_name);
    }
    ++*i;
    if (mlir_kind(m, *i) == T_SYMBOL) {
        if (!stablehlo_unquoted(r, *i, &p->module_name))
            return false;
        ++*i;
    }
    if (mlir_accept_word(m, i, "attributes")) {
        if (mlir_kind(m, *i) != '{')
            return mlir_expected(m, *i, "'{'");
        if (!stablehlo_keep_dict(r, i, &p->module_attrs))
            return false;
    }
    if (mlir_kind(m, *i) != '{')
        return mlir_expected(m, *i, "'{' and the module's body");
    *open = *i;
    *i = m->tok.at[*i].match + 1;
    return true;
}

// The first token of the file's level behind resources.
static uint32_t first_op(struct mlir *m)
{
    uint32_t i = 0;
    while (skip_resources(m, &i))
        continue;
    return i;
}

// "// -----" between operations of the file's level parts modules.
static bool check_splits(struct mlir *m)
{
    uint32_t s = 0, last = UINT32_MAX;
    for (uint32_t i = 0; mlir_kind(m, i) != T_EOF; i++) {
        uint16_t k = mlir_kind(m, i);
        while (s < m->splits.len && m->splits.at[s] < m->tok.at[i].at) {
            if (last != UINT32_MAX)
                return mlir_fail(m, i,
                                 "expected one module, found another "
                                 "behind '// -----': give each in a "
                                 "file of its own");
            s++;
        }
        last = i;
        if (k == '(' || k == '{' || k == '[' || k == '<' || k == T_RES_OPEN)
            i = m->tok.at[i].match;
        // Lines inside brackets are comments.
        while (s < m->splits.len && m->splits.at[s] < m->tok.at[i].at)
            s++;
    }
    return true;
}

// Only resources may follow a module.
static bool behind_module(struct stablehlo_reader *r, uint32_t i)
{
    struct mlir *m = &r->m;
    r->in_module = false;
    while (mlir_kind(m, i) != T_EOF) {
        if (is_op(m, i, "builtin.module"))
            return read_top(r, &i);
        if (!skip_resources(m, &i))
            return mlir_expected(m, i, "the end of the file");
    }
    return true;
}

static bool keep_resources(struct stablehlo_reader *r)
{
    struct mlir *m = &r->m;
    if (m->resources == 0 || !r->resources_used)
        return true;
    uint32_t open = m->resources - 1;
    sym_id text = stablehlo_keep(r, open, m->tok.at[open].match + 1, SPACE_KEEP);
    vec_push(&r->p->extras, text);
    return true;
}

static bool read_file(struct stablehlo_reader *r)
{
    struct mlir *m = &r->m;
    uint32_t eof = m->tok.len - 1, i = first_op(m), from = 0, end = eof,
             seen = 0;
    if (!check_splits(m))
        return false;
    if (mlir_kind(m, i) == T_EOF)
        return mlir_expected(m, i, "a module or a function");
    if (is_op(m, i, "builtin.module")) {
        r->p->has_module = true;
        if (!module_header(r, &i, &from))
            return false;
        end = m->tok.at[from].match;
        from++;
        if (mlir_kind(m, from) == T_BLOCK && mlir_kind(m, from + 1) == ':')
            from += 2;
    }
    r->in_module = r->p->has_module;
    if (!survey(r, from, end) || !read_level(r, from, end, &seen))
        return false;
    if (r->p->has_module && !behind_module(r, i))
        return false;
    if (!r->p->has_module && seen == 0)
        return mlir_expected(m, eof, "a module or a function");
    return keep_resources(r);
}

static void reader_release(struct stablehlo_reader *r)
{
    vec_release(&r->bind);
    vec_release(&r->bind_of);
    vec_release(&r->undo);
    vec_release(&r->value);
    vec_release(&r->names);
    vec_release(&r->callable);
    vec_release(&r->edge);
    vec_release(&r->callable_of);
    vec_release(&r->args);
    vec_release(&r->types);
    for (int k = 0; k < 3; k++)
        vec_release(&r->ints[k]);
    for (int k = 0; k < 8; k++)
        vec_release(&r->list[k]);
    vec_release(&r->attr);
    mlir_release(&r->m);
}

bool stablehlo_read(const char *text, size_t n, const char *file,
                    struct program *out, struct err *e)
{
    struct stablehlo_reader r = {0};
    size_t bad;
    r.p = out;
    if (!utf8_check(text, n, &bad)) {
        uint32_t line = 1;
        for (size_t i = 0; i < bad; i++)
            line += text[i] == '\n';
        return err_at(e, ERR_INPUT, file, line, 1,
                      "expected UTF-8 text, found the byte 0x%02x",
                      (unsigned)(unsigned char)text[bad]);
    }
    bool ok = mlir_open(&r.m, out->pool, text, n, file, e) && read_file(&r);
    reader_release(&r);
    return ok;
}
