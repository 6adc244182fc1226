// SPDX-License-Identifier: Apache-2.0
// Modules, functions and their statements.  Two passes: the first walks all
// bodies for effects and calls, since a call may name a function further on;
// the second makes terms.
#include "base/text/excerpt.h"
#include "base/text/sniff.h"
#include "base/text/utf8.h"
#include "io/stablehlo/stablehlo.h"
#include "tensor/program/call.h"
#include "io/stablehlo/read/foreign.h"

static bool is_op(const struct mlir *mlir, uint32_t at, const char *name)
{
    char have[IO_OPERATION_NAME];
    uint16_t k = mlir_kind(mlir, at);
    if (k != T_BARE && k != T_STRING)
        return false;
    return stablehlo_op_name(mlir, at, have) && strcmp(have, name) == 0 &&
           (k == T_BARE || mlir_kind(mlir, at + 1) == '(');
}

// An operation that is no function, such as sdy.mesh. It ends before `end`, where a module may begin
// on the same line.
static bool read_extra(struct stablehlo_reader *reader, uint32_t *at, uint32_t end)
{
    uint32_t from = *at;
    char name[IO_OPERATION_NAME];
    if (stablehlo_op_name(&reader->mlir, from, name) && foreign_is_vhlo(name)) {
        mlir_fail(&reader->mlir, from, "expected StableHLO, found VHLO");
        return foreign_hint_vhlo(reader->mlir.err);
    }
    if (!stablehlo_skip(reader, at))
        return false;
    *at = *at < end ? *at : end;
    sym_id text = stablehlo_keep(reader, from, *at, SPACE_LINE);
    vec_push(&reader->program->extras, text);
    return true;
}

// First pass: the body of every function, in the order of the file.
struct body_walk {
    uint32_t body; // '{'
    uint32_t self;
};

// True if the body at '{' has a block beside the first, whose label may be left out.
static bool has_blocks(const struct mlir *mlir, uint32_t open)
{
    uint32_t close = mlir->tok.at[open].match;
    for (uint32_t i = open + 1; i < close; i++) {
        uint16_t k = mlir_kind(mlir, i);
        if (k == T_BLOCK && i > open + 1 && (mlir->tok.at[i].flags & TOKEN_LINE))
            return true;
        if (k == '(' || k == '{' || k == '[' || k == '<')
            i = mlir->tok.at[i].match;
    }
    return false;
}

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
    struct callable callable = {.name = id, .at = at, .end = *next};
    callable.text = out->body != 0 && has_blocks(mlir, out->body);
    if (callable.text)
        out->body = 0;
    callable.effect = out->body == 0;
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

static bool read_resources(struct stablehlo_reader *reader, uint32_t *next)
{
    uint32_t at = *next;
    if (!skip_resources(&reader->mlir, next))
        return false;
    source_resources(reader, at);
    return true;
}

static bool module_header(struct stablehlo_reader *reader, uint32_t *next, uint32_t *open,
                          struct module *module);

// Modules inside modules stay text.
static bool nested_module(struct stablehlo_reader *reader, uint32_t *at)
{
    uint32_t from = *at, open;
    struct module none;
    if (!module_header(reader, at, &open, &none))
        return false;
    reader->n_texts++;
    vec_push(&reader->program->extras, stablehlo_keep(reader, from, *at, SPACE_LINE));
    return true;
}

static bool read_function(struct stablehlo_reader *reader, uint32_t *at)
{
    struct callable *callable = &reader->callable.at[reader->next_callable++];
    callable->function = reader->program->functions.len;
    if (callable->text) { // of several blocks
        reader->n_texts++;
        uint32_t from = *at;
        *at = callable->end;
        vec_push(&reader->program->extras, stablehlo_keep(reader, from, *at, SPACE_LINE));
        return true;
    }
    return mlir_kind(&reader->mlir, *at) == T_STRING ? stablehlo_generic_function(reader, at)
                                                     : stablehlo_function(reader, at);
}

// No operation: says where the module before ends.
static bool no_operation(struct stablehlo_reader *reader, uint32_t at)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t line, col;
    mlir_expected(mlir, at, "a module, a function or an operation");
    if (reader->last_module != 0) {
        mlir_place(mlir->text, mlir->tok.at[reader->last_module - 1].at, &line, &col);
        err_hint(mlir->err, "the module before ends in line %u; what follows is no MLIR", line);
    }
    return false;
}

// One operation of the module's or file's level.
static bool read_top(struct stablehlo_reader *reader, uint32_t *at, uint32_t end)
{
    struct mlir *mlir = &reader->mlir;
    if (is_op(mlir, *at, "func.func"))
        return read_function(reader, at);
    if (is_op(mlir, *at, "builtin.module"))
        return nested_module(reader, at);
    if (mlir_kind(mlir, *at) == T_VALUE)
        return mlir_fail(mlir, *at,
                         "expected a function, found a statement "
                         "outside any function");
    if (mlir_kind(mlir, *at) != T_BARE && mlir_kind(mlir, *at) != T_STRING)
        return no_operation(reader, *at);
    return read_extra(reader, at, end);
}

// Names of functions hold in one module.
static void forget_functions(struct stablehlo_reader *reader)
{
    for (uint32_t k = 0; k < reader->callable.len; k++)
        reader->callable_of.at[reader->callable.at[k].name] = 0;
    vec_clear(&reader->callable);
    vec_clear(&reader->edge);
    vec_clear(&reader->calls);
    reader->next_callable = 0;
    reader->hidden = false;
}

// Collects the functions of [i, end), then walks their bodies.
static bool survey(struct stablehlo_reader *reader, uint32_t from, uint32_t end)
{
    struct mlir *mlir = &reader->mlir;
    VEC(struct body_walk) walks = {0};
    bool ok = true;
    forget_functions(reader);
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
            uint32_t to =
                k == '(' || k == '{' || k == '[' || k == '<' ? mlir->tok.at[from].match : from;
            for (; from <= to; from++)
                reader->hidden |= is_op(mlir, from, "func.func");
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

static bool read_level(struct stablehlo_reader *reader, uint32_t at, uint32_t end)
{
    while (at < end)
        if (!read_resources(reader, &at) && !read_top(reader, &at, end))
            return false;
    return true;
}

// module @name attributes {...} {...}: its header; *open is the '{', and *next moves
// behind the '}'.
static bool module_header(struct stablehlo_reader *reader, uint32_t *next, uint32_t *open,
                          struct module *module)
{
    static const char *const skip[] = {"sym_name", NULL};
    struct mlir *mlir = &reader->mlir;
    module->name = module->attrs = sym_make(reader->program->pool, "");
    if (mlir_kind(mlir, *next) == T_STRING) {
        struct function_header header;
        if (!stablehlo_function_header(reader, next, &header) ||
            !stablehlo_header_attrs(reader, &header, skip, &module->attrs))
            return false;
        *open = header.region;
        if (header.name != 0 && mlir_kind(mlir, header.name) != T_STRING)
            return mlir_expected(mlir, header.name, "a name in quotes");
        return header.name == 0 || stablehlo_unquoted(reader, header.name, &module->name);
    }
    ++*next;
    if (mlir_kind(mlir, *next) == T_SYMBOL) {
        if (!stablehlo_unquoted(reader, *next, &module->name))
            return false;
        ++*next;
    }
    if (mlir_accept_word(mlir, next, "attributes")) {
        if (mlir_kind(mlir, *next) != '{')
            return mlir_expected(mlir, *next, "'{'");
        if (!stablehlo_keep_dict(reader, next, &module->attrs))
            return false;
    }
    if (mlir_kind(mlir, *next) != '{')
        return mlir_expected(mlir, *next, "'{' and the module's body");
    *open = *next;
    *next = mlir->tok.at[*next].match + 1;
    return true;
}

// The operations [from, end) of one module.
static bool read_module(struct stablehlo_reader *reader, struct module *module, uint32_t from,
                        uint32_t end)
{
    struct program *program = reader->program;
    if (!survey(reader, from, end) || !read_level(reader, from, end) ||
        !stablehlo_check_calls(reader))
        return false;
    module->functions_end = program->functions.len;
    module->extras_end = program->extras.len;
    vec_push(&program->modules, *module);
    return true;
}

static bool written_module(struct stablehlo_reader *reader, struct module *module, uint32_t *next)
{
    const struct mlir *mlir = &reader->mlir;
    uint32_t open;
    module->written = true;
    if (!module_header(reader, next, &open, module))
        return false;
    uint32_t from = open + 1, end = mlir->tok.at[open].match;
    if (mlir_kind(mlir, from) == T_BLOCK && mlir_kind(mlir, from + 1) == ':')
        from += 2;
    reader->last_module = end + 1;
    return read_module(reader, module, from, end);
}

// The first module from token `at` on, `end` if there is none: on a line of its own, or behind a
// bracket.
static uint32_t find_module(const struct mlir *mlir, uint32_t at, uint32_t end)
{
    for (; at < end; at++) {
        uint16_t k = mlir_kind(mlir, at);
        bool starts = (mlir->tok.at[at].flags & TOKEN_LINE) || mlir_kind(mlir, at - 1) == '}';
        if (starts && is_op(mlir, at, "builtin.module"))
            return at;
        if (k == '(' || k == '{' || k == '[' || k == '<' || k == T_RES_OPEN)
            at = mlir->tok.at[at].match;
    }
    return end;
}

// A last line such as "---- END ----" behind a module, which logs leave there.
static bool is_trailer(const struct mlir *mlir, uint32_t at)
{
    uint16_t k = mlir_kind(mlir, at);
    if ((k != '-' && k != '=') || mlir_kind(mlir, at + 1) != k || mlir_kind(mlir, at + 2) != k)
        return false;
    while (mlir_kind(mlir, ++at) != T_EOF)
        if (mlir->tok.at[at].flags & TOKEN_LINE)
            return false;
    return true;
}

static void remark_trailer(struct stablehlo_reader *reader, uint32_t at)
{
    const struct mlir *mlir = &reader->mlir;
    uint32_t line, end, col;
    mlir_place(mlir->text, mlir->tok.at[at].at, &line, &col);
    mlir_place(mlir->text, mlir->tok.at[reader->last_module - 1].at, &end, &col);
    buf_printf(&reader->remark,
               "line %u is no MLIR and is left out: the module is taken to end in line %u", line,
               end);
}

// Counts functions and modules that stay text.
static void remark_texts(struct stablehlo_reader *reader)
{
    if (reader->n_texts > 0)
        buf_printf(&reader->remark,
                   "%skept as text: %u nested modules and functions of several blocks",
                   reader->remark.len > 0 ? "; " : "", reader->n_texts);
}

// The modules of tokens [at, end), which a line "// -----" may end.
static bool read_part(struct stablehlo_reader *reader, uint32_t at, uint32_t end)
{
    struct mlir *mlir = &reader->mlir;
    struct program *program = reader->program;
    uint32_t from = at, first = program->modules.len;
    reader->resources_used = false;
    while (at < end) {
        struct module module = {.split = first > 0 && program->modules.len == first};
        bool ok = true;
        if (read_resources(reader, &at))
            continue;
        if (reader->last_module != 0 && is_trailer(mlir, at)) {
            remark_trailer(reader, at);
            source_end(reader, at);
            break;
        }
        if (is_op(mlir, at, "builtin.module")) {
            ok = written_module(reader, &module, &at);
        } else {
            uint32_t to = find_module(mlir, at + 1, end);
            module.name = module.attrs = sym_make(program->pool, "");
            ok = read_module(reader, &module, at, to);
            at = to;
        }
        if (!ok)
            return false;
    }
    stablehlo_keep_resources(reader, from, end);
    return true;
}

static bool read_file(struct stablehlo_reader *reader)
{
    struct mlir *mlir = &reader->mlir;
    for (uint32_t part = 0; part < mlir->parts.len; part++) {
        uint32_t from, end;
        if (!mlir_enter(mlir, part, &from, &end) || !read_part(reader, from, end))
            return false;
    }
    if (reader->program->modules.len == 0)
        return mlir_expected(mlir, mlir->tok.len - 1, "a module or a function");
    remark_texts(reader);
    reader->program->remark = sym_make(reader->program->pool, buf_text(&reader->remark));
    return true;
}

void stablehlo_release(struct stablehlo_reader *reader)
{
    vec_release(&reader->bind);
    vec_release(&reader->bind_of);
    vec_release(&reader->undo);
    vec_release(&reader->value);
    vec_release(&reader->effects);
    vec_release(&reader->shared);
    vec_release(&reader->regions_of);
    vec_release(&reader->region_hash);
    intern_release(&reader->region_keys);
    vec_release(&reader->scope_of);
    vec_release(&reader->names);
    vec_release(&reader->callable);
    vec_release(&reader->edge);
    vec_release(&reader->calls);
    vec_release(&reader->callable_of);
    vec_release(&reader->operand_at);
    vec_release(&reader->args);
    vec_release(&reader->types);
    for (int k = 0; k < 3; k++)
        vec_release(&reader->ints[k]);
    for (int k = 0; k < 8; k++)
        vec_release(&reader->list[k]);
    vec_release(&reader->attr);
    buf_release(&reader->kept);
    buf_release(&reader->remark);
}

static bool read_program(const char *text, size_t n, const char *file,
                         const struct output_of *output_of, struct program *out, struct err *err)
{
    struct stablehlo_reader reader = {.program = out, .source = out->source};
    if (output_of != NULL) {
        reader.regions = output_of->regions;
        reader.input = output_of->input;
    }
    intern_init(&reader.region_keys);
    bool ok = utf8_expect(text, n, file, err) &&
              mlir_open(&reader.mlir, out->pool, text, n, file, err) && read_file(&reader);
    out->n_regions = out->terms.region.len;
    program_link_calls(out);
    if (!ok) {
        excerpt_attach(err, text, n);
        sniff_explain(text, n, TEXT_PROGRAM, err);
    }
    stablehlo_release(&reader);
    mlir_release(&reader.mlir);
    return ok;
}

bool stablehlo_read(const char *text, size_t n, const char *file, struct program *out,
                    struct err *err)
{
    return read_program(text, n, file, NULL, out, err);
}

bool stablehlo_read_output(const char *text, size_t n, const char *file,
                           const struct output_of *output_of, struct program *out, struct err *err)
{
    return read_program(text, n, file, output_of, out, err);
}
