// SPDX-License-Identifier: Apache-2.0
// Modules, functions and their statements.  Two passes: the first walks all
// bodies for effects and calls, since a call may name a function further on;
// the second makes terms.
#include "base/text/excerpt.h"
#include "base/text/sniff.h"
#include "base/text/utf8.h"
#include "io/stablehlo/stablehlo.h"
#include "io/stablehlo/read/reader.h"

static bool is_op(const struct mlir *mlir, uint32_t at, const char *name)
{
    char have[64];
    uint16_t k = mlir_kind(mlir, at);
    if (k != T_BARE && k != T_STRING)
        return false;
    return stablehlo_op_name(mlir, at, have) && strcmp(have, name) == 0 &&
           (k == T_BARE || mlir_kind(mlir, at + 1) == '(');
}

// An operation that is no function, such as sdy.mesh.
static bool read_extra(struct stablehlo_reader *reader, uint32_t *at)
{
    uint32_t from = *at;
    if (!stablehlo_skip(reader, at))
        return false;
    sym_id text = stablehlo_keep(reader, from, *at, SPACE_LINE);
    vec_push(&reader->program->extras, text);
    return true;
}

// First pass: the body of every function, in the order of the file.
struct body_walk {
    uint32_t body; // '{'
    uint32_t self;
};

// Finds the body and name of the function at *i and moves behind it.
static bool survey_function(struct stablehlo_reader *reader, uint32_t *next, struct body_walk *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t name, at = *next;
    out->body = 0;
    if (mlir_kind(mlir, at) == T_STRING) {
        struct function_header header;
        if (!stablehlo_function_header(reader, next, &header))
            return false;
        if (header.name == 0 || mlir_kind(mlir, header.name) != T_STRING)
            return mlir_fail(mlir, at,
                             "expected sym_name = \"...\" among the "
                             "attributes");
        name = header.name;
        if (mlir_kind(mlir, header.region + 1) != '}')
            out->body = header.region;
    } else {
        ++*next;
        if (mlir_kind(mlir, *next) == T_BARE)
            ++*next;
        name = *next;
        if (!mlir_expect(mlir, next, T_SYMBOL, "the function's name such as @main"))
            return false;
        if (mlir_kind(mlir, *next) != '(')
            return mlir_expected(mlir, *next, "'(' and the arguments");
        *next = mlir->tok.at[*next].match + 1;
        if (mlir_accept(mlir, next, T_ARROW)) {
            if (mlir_kind(mlir, *next) == '(')
                *next = mlir->tok.at[*next].match + 1;
            else if (!mlir_skip_type(mlir, next))
                return false;
        }
        if (mlir_accept_word(mlir, next, "attributes")) {
            if (mlir_kind(mlir, *next) != '{')
                return mlir_expected(mlir, *next, "'{'");
            *next = mlir->tok.at[*next].match + 1;
        }
        if (mlir_kind(mlir, *next) == '{') {
            out->body = *next;
            *next = mlir->tok.at[*next].match + 1;
        }
    }
    uint32_t id = stablehlo_symbol(reader, name);
    if (id == UINT32_MAX)
        return false;
    while (reader->callable_of.len <= id)
        vec_push(&reader->callable_of, 0);
    if (reader->callable_of.at[id] != 0)
        return mlir_fail(mlir, name, "a second function of this name");
    struct callable callable = {.name = id, .at = at, .effect = out->body == 0};
    vec_push(&reader->callable, callable);
    reader->callable_of.at[id] = reader->callable.len;
    out->self = reader->callable.len - 1;
    return true;
}

// Moves behind the resources; false if another token stands there.
static bool skip_resources(struct mlir *mlir, uint32_t *next)
{
    if (mlir_kind(mlir, *next) != T_RES_OPEN)
        return false;
    *next = mlir->tok.at[*next].match + 1;
    return true;
}

// One operation of the module's or file's level.
static bool read_top(struct stablehlo_reader *reader, uint32_t *at)
{
    struct mlir *mlir = &reader->mlir;
    if (is_op(mlir, *at, "func.func"))
        return mlir_kind(mlir, *at) == T_STRING ? stablehlo_generic_function(reader, at)
                                                : stablehlo_function(reader, at);
    if (is_op(mlir, *at, "builtin.module"))
        return mlir_fail(mlir, *at,
                         reader->in_module ? "modules inside modules are not "
                                             "supported"
                                           : "expected one module, found another: "
                                             "give each in a file of its own");
    if (mlir_kind(mlir, *at) == T_VALUE)
        return mlir_fail(mlir, *at,
                         "expected a function, found a statement "
                         "outside any function");
    if (mlir_kind(mlir, *at) != T_BARE && mlir_kind(mlir, *at) != T_STRING)
        return mlir_expected(mlir, *at, "a module, a function or an operation");
    return read_extra(reader, at);
}

// Collects the functions of [i, end), then walks their bodies.
static bool survey(struct stablehlo_reader *reader, uint32_t from, uint32_t end)
{
    struct mlir *mlir = &reader->mlir;
    VEC(struct body_walk) walks = {0};
    bool ok = true;
    while (ok && from < end) {
        struct body_walk walk;
        if (skip_resources(mlir, &from))
            continue;
        if (is_op(mlir, from, "func.func")) {
            ok = survey_function(reader, &from, &walk);
            if (ok)
                vec_push(&walks, walk);
        } else {
            // The second pass reads, and refuses, anything else.
            uint16_t k = mlir_kind(mlir, from);
            from = k == '(' || k == '{' || k == '[' || k == '<' ? mlir->tok.at[from].match + 1
                                                                : from + 1;
        }
    }
    for (uint32_t k = 0; ok && k < walks.len; k++)
        if (walks.at[k].body != 0)
            ok = stablehlo_walk(reader, walks.at[k].body, walks.at[k].self);
    vec_release(&walks);
    if (ok)
        stablehlo_decide_effects(reader);
    return ok;
}

static bool read_level(struct stablehlo_reader *reader, uint32_t at, uint32_t end, uint32_t *seen)
{
    struct mlir *mlir = &reader->mlir;
    while (at < end) {
        if (skip_resources(mlir, &at))
            continue;
        ++*seen;
        if (!read_top(reader, &at))
            return false;
    }
    return true;
}

// module @name attributes {...} {...}: its header; *open is the '{'.
static bool module_header(struct stablehlo_reader *reader, uint32_t *next, uint32_t *open)
{
    static const char *const skip[] = {"sym_name", NULL};
    struct mlir *mlir = &reader->mlir;
    struct program *program = reader->program;
    if (mlir_kind(mlir, *next) == T_STRING) {
        struct function_header header;
        if (!stablehlo_function_header(reader, next, &header) ||
            !stablehlo_header_attrs(reader, &header, skip, &program->module_attrs))
            return false;
        *open = header.region;
        if (header.name != 0 && mlir_kind(mlir, header.name) != T_STRING)
            return mlir_expected(mlir, header.name, "a name in quotes");
        return header.name == 0 || stablehlo_unquoted(reader, header.name, &program->module_name);
    }
    ++*next;
    if (mlir_kind(mlir, *next) == T_SYMBOL) {
        if (!stablehlo_unquoted(reader, *next, &program->module_name))
            return false;
        ++*next;
    }
    if (mlir_accept_word(mlir, next, "attributes")) {
        if (mlir_kind(mlir, *next) != '{')
            return mlir_expected(mlir, *next, "'{'");
        if (!stablehlo_keep_dict(reader, next, &program->module_attrs))
            return false;
    }
    if (mlir_kind(mlir, *next) != '{')
        return mlir_expected(mlir, *next, "'{' and the module's body");
    *open = *next;
    *next = mlir->tok.at[*next].match + 1;
    return true;
}

// The first token of the file's level behind resources.
static uint32_t first_op(struct mlir *mlir)
{
    uint32_t i = 0;
    while (skip_resources(mlir, &i))
        continue;
    return i;
}

// "// -----" between operations of the file's level parts modules.
static bool check_splits(struct mlir *mlir)
{
    uint32_t s = 0, last = UINT32_MAX;
    for (uint32_t i = 0; mlir_kind(mlir, i) != T_EOF; i++) {
        uint16_t k = mlir_kind(mlir, i);
        while (s < mlir->splits.len && mlir->splits.at[s] < mlir->tok.at[i].at) {
            if (last != UINT32_MAX)
                return mlir_fail(mlir, i,
                                 "expected one module, found another "
                                 "behind '// -----': give each in a "
                                 "file of its own");
            s++;
        }
        last = i;
        if (k == '(' || k == '{' || k == '[' || k == '<' || k == T_RES_OPEN)
            i = mlir->tok.at[i].match;
        // Lines inside brackets are comments.
        while (s < mlir->splits.len && mlir->splits.at[s] < mlir->tok.at[i].at)
            s++;
    }
    return true;
}

// Only resources may follow a module.
static bool behind_module(struct stablehlo_reader *reader, uint32_t at)
{
    struct mlir *mlir = &reader->mlir;
    reader->in_module = false;
    while (mlir_kind(mlir, at) != T_EOF) {
        if (is_op(mlir, at, "builtin.module"))
            return read_top(reader, &at);
        if (!skip_resources(mlir, &at))
            return mlir_expected(mlir, at, "the end of the file");
    }
    return true;
}

static bool keep_resources(struct stablehlo_reader *reader)
{
    struct mlir *mlir = &reader->mlir;
    if (mlir->resources == 0 || !reader->resources_used)
        return true;
    uint32_t open = mlir->resources - 1;
    sym_id text = stablehlo_keep(reader, open, mlir->tok.at[open].match + 1, SPACE_KEEP);
    vec_push(&reader->program->extras, text);
    return true;
}

static bool read_file(struct stablehlo_reader *reader)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t eof = mlir->tok.len - 1, i = first_op(mlir), from = 0, end = eof, seen = 0;
    if (!check_splits(mlir))
        return false;
    if (mlir_kind(mlir, i) == T_EOF)
        return mlir_expected(mlir, i, "a module or a function");
    if (is_op(mlir, i, "builtin.module")) {
        reader->program->has_module = true;
        if (!module_header(reader, &i, &from))
            return false;
        end = mlir->tok.at[from].match;
        from++;
        if (mlir_kind(mlir, from) == T_BLOCK && mlir_kind(mlir, from + 1) == ':')
            from += 2;
    }
    reader->in_module = reader->program->has_module;
    if (!survey(reader, from, end) || !read_level(reader, from, end, &seen))
        return false;
    if (reader->program->has_module && !behind_module(reader, i))
        return false;
    if (!reader->program->has_module && seen == 0)
        return mlir_expected(mlir, eof, "a module or a function");
    return keep_resources(reader);
}

static void reader_release(struct stablehlo_reader *reader)
{
    vec_release(&reader->bind);
    vec_release(&reader->bind_of);
    vec_release(&reader->undo);
    vec_release(&reader->value);
    vec_release(&reader->effects);
    vec_release(&reader->shared);
    vec_release(&reader->regions_of);
    vec_release(&reader->scope_of);
    vec_release(&reader->names);
    vec_release(&reader->callable);
    vec_release(&reader->edge);
    vec_release(&reader->callable_of);
    vec_release(&reader->args);
    vec_release(&reader->types);
    for (int k = 0; k < 3; k++)
        vec_release(&reader->ints[k]);
    for (int k = 0; k < 8; k++)
        vec_release(&reader->list[k]);
    vec_release(&reader->attr);
    mlir_release(&reader->mlir);
}

static bool read_program(const char *text, size_t n, const char *file,
                         const struct u32_vec *regions, struct program *out, struct err *err)
{
    struct stablehlo_reader reader = {.program = out, .regions = regions};
    bool ok = utf8_expect(text, n, file, err) &&
              mlir_open(&reader.mlir, out->pool, text, n, file, err) && read_file(&reader);
    out->n_regions = out->terms.region.len;
    if (!ok) {
        excerpt_attach(err, text, n);
        sniff_explain(text, n, TEXT_PROGRAM, err);
    }
    reader_release(&reader);
    return ok;
}

bool stablehlo_read(const char *text, size_t n, const char *file, struct program *out,
                    struct err *err)
{
    return read_program(text, n, file, NULL, out, err);
}

bool stablehlo_read_output(const char *text, size_t n, const char *file,
                           const struct u32_vec *regions, struct program *out, struct err *err)
{
    return read_program(text, n, file, regions, out, err);
}
