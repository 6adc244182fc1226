// SPDX-License-Identifier: Apache-2.0
// Functions: which there are, calls of private ones, and the kernel with its parameters.
#include "io/ttir/reader.h"
#include "loops/launch/launch.h"

// tt.func [public|private] @name(..) [-> ..] [attributes {..}] [{ .. }]
static bool read_pretty(struct ttir_reader *reader, uint32_t at, uint32_t limit)
{
    struct mlir *mlir = &reader->mlir;
    struct ttir_function function = {.body = NO_CODE, .is_public = true};
    uint32_t end = ttir_line_end(reader, at, limit);
    for (at++; at < end && mlir_kind(mlir, at) == T_BARE; at++)
        if (mlir_text_is(mlir, at, "private"))
            function.is_public = false;
    function.symbol = at;
    if (!mlir_expect(mlir, &at, T_SYMBOL, "the name of a function"))
        return false;
    function.arguments = at;
    if (!mlir_expect(mlir, &at, '(', "'('"))
        return false;
    at = mlir->tok.at[function.arguments].match + 1;
    if (mlir_accept(mlir, &at, T_ARROW)) {
        while (at < end && mlir_kind(mlir, at) != '{' && !mlir_word(mlir, at, "attributes"))
            at = mlir_kind(mlir, at) == '(' || mlir_kind(mlir, at) == '<'
                     ? mlir->tok.at[at].match + 1
                     : at + 1;
    }
    if (mlir_accept_word(mlir, &at, "attributes") && mlir_kind(mlir, at) == '{')
        at = mlir->tok.at[at].match + 1;
    if (at < end && mlir_kind(mlir, at) == '{')
        function.body = at;
    vec_push(&reader->function, function);
    return true;
}

// "tt.func"() <{sym_name = "f", ..}> ({ ^bb0(..): .. }) {..} : () -> ()
static bool read_generic(struct ttir_reader *reader, uint32_t at, uint32_t limit)
{
    struct mlir *mlir = &reader->mlir;
    struct ttir_operation operation;
    struct buf visibility = {0};
    struct ttir_function function = {.body = NO_CODE};
    bool ok = ttir_operation(reader, at, limit, &operation) &&
              ttir_string(reader, &operation, "sym_visibility", &visibility);
    function.is_public = strcmp(buf_text(&visibility), "private") != 0;
    if (ok) {
        function.symbol = ttir_attribute(reader, &operation, "sym_name");
        ok = function.symbol != 0 || ttir_malformed(reader, &operation, "a name");
    }
    if (ok && operation.region.len == 1) {
        uint32_t open = operation.region.at[0];
        ok = mlir_kind(mlir, open + 1) == T_BLOCK && mlir_kind(mlir, open + 2) == '('
                 ? true
                 : mlir_expected(mlir, open + 1, "a block with arguments");
        function.body = open;
        function.arguments = open + 2;
    }
    if (ok)
        vec_push(&reader->function, function);
    buf_release(&visibility);
    ttir_operation_release(&operation);
    return ok;
}

bool ttir_find_functions(struct ttir_reader *reader)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t end = mlir->tok.len - 1;
    for (uint32_t i = 0; i < end; i++) {
        bool pretty = mlir_word(mlir, i, "tt.func");
        if (!pretty && !mlir_text_is(mlir, i, "\"tt.func\""))
            continue;
        uint32_t behind = ttir_line_end(reader, i, end);
        if (!(pretty ? read_pretty(reader, i, end) : read_generic(reader, i, end)))
            return false;
        i = behind - 1;
    }
    return reader->function.len > 0 || mlir_fail(mlir, 0, "expected a function tt.func");
}

// The name of a function without @ and quotes.
static bool symbol_is(const struct ttir_reader *reader, uint32_t at, const char *name, size_t n)
{
    const struct mlir_token *token = &reader->mlir.tok.at[at];
    const char *text = reader->mlir.text + token->at;
    size_t len = token->len;
    if (len > 0 && *text == '@')
        text++, len--;
    if (len > 1 && *text == '"')
        text++, len -= 2;
    return len == n && memcmp(text, name, n) == 0;
}

const struct ttir_function *ttir_find_function(struct ttir_reader *reader, uint32_t symbol)
{
    const struct mlir_token *token = &reader->mlir.tok.at[symbol];
    const char *text = reader->mlir.text + token->at;
    uint32_t skip = *text == '@' ? 1 : 0;
    for (uint32_t i = 0; i < reader->function.len; i++)
        if (symbol_is(reader, reader->function.at[i].symbol, text + skip, token->len - skip) &&
            reader->function.at[i].body != NO_CODE)
            return &reader->function.at[i];
    return NULL;
}

// ---- calls

bool ttir_call(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known)
{
    struct mlir *mlir = &reader->mlir;
    *known = !strcmp(operation->name, "tt.call");
    if (!*known)
        return true;
    uint32_t symbol =
        operation->generic ? ttir_attribute(reader, operation, "callee") : operation->at + 1;
    if (symbol == 0 || mlir_kind(mlir, symbol) != T_SYMBOL)
        return ttir_malformed(reader, operation, "the name of a function");
    const struct ttir_function *found = ttir_find_function(reader, symbol);
    if (found == NULL)
        return ttir_refuse(reader, operation, "is a call of a function that is not here");
    struct ttir_function function = *found;
    struct ttir_meanings arguments = {0}, results = {0};
    bool ok = ttir_enter(reader, operation->at) && ttir_operands(reader, operation, &arguments) &&
              ttir_body(reader, &function, &arguments, &results) &&
              ttir_results(reader, operation, results.len, results.at);
    reader->depth--;
    vec_release(&arguments);
    vec_release(&results);
    return ok;
}

// ---- the kernel

static bool choose_kernel(struct ttir_reader *reader, const char *name,
                          const struct ttir_function **out)
{
    *out = NULL;
    for (uint32_t i = 0; i < reader->function.len; i++) {
        const struct ttir_function *function = &reader->function.at[i];
        if (function->body == NO_CODE ||
            (name ? !symbol_is(reader, function->symbol, name, strlen(name))
                  : !function->is_public))
            continue;
        if (*out != NULL)
            return mlir_fail(&reader->mlir, function->symbol,
                             "several kernels: expected the name of one");
        *out = function;
    }
    if (*out != NULL)
        return true;
    return mlir_fail(&reader->mlir, reader->function.at[0].symbol,
                     name ? "no kernel of this name" : "no public function with a body");
}

struct kernel_argument {
    struct ttir_type type;
    struct code_parameter parameter;
};

// %arg0: TYPE {tt.divisibility = 16 : i32}
static bool read_argument(struct ttir_reader *reader, uint32_t *at, struct kernel_argument *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t name = *at;
    if (!mlir_expect(mlir, at, T_VALUE, "an argument") || !mlir_expect(mlir, at, ':', "':'") ||
        !ttir_type(reader, at, &out->type))
        return false;
    const struct mlir_token *token = &mlir->tok.at[name];
    struct buf source = {0};
    buf_write(&source, mlir->text + token->at, token->len);
    out->parameter = (struct code_parameter){
        .source = intern_str(&reader->out->names, buf_text(&source)),
        .name = ttir_argument_name(reader, buf_text(&source)),
        .type = out->type.type,
        .array = out->type.kind != TTIR_PLAIN,
        .role = ROLE_ARGUMENT,
        .divisor = 1,
        .place = ttir_place(reader, name),
    };
    buf_release(&source);
    if (mlir_kind(mlir, *at) != '{')
        return true;
    uint32_t behind = mlir->tok.at[*at].match + 1, entry_at = *at + 1;
    struct mlir_entry entry;
    bool ok = true;
    while (ok && mlir_next_entry(mlir, &entry_at, &entry, &ok))
        if (mlir_key_is(mlir, &entry, "tt.divisibility") && entry.value != entry.end) {
            uint32_t value = entry.value;
            ok = mlir_int(mlir, &value, &out->parameter.divisor);
        }
    *at = behind;
    return ok;
}

// shape and strides of a descriptor: fresh parameters.
static void add_shape(struct ttir_reader *reader, const struct kernel_argument *argument,
                      struct ttir_meaning *out)
{
    static const char *const parts[] = {"shape", "stride"};
    struct code_program *program = reader->out;
    uint32_t rank = argument->type.type.rank;
    for (uint32_t i = 0; i < 2 * rank; i++) {
        struct buf name = {0};
        buf_printf(&name, "%s.%s%u", code_name(program, argument->parameter.name), parts[i / rank],
                   i % rank);
        struct code_parameter parameter = {
            .name = intern_str(&program->names, buf_text(&name)),
            .source = intern_str(&program->names, buf_text(&name)),
            .type = code_scalar(CODE_INT, 64),
            .role = ROLE_SHAPE,
            .place = argument->parameter.place,
        };
        buf_release(&name);
        // The host makes descriptors with elements of the last axis side by side.
        if (i + 1 == 2 * rank)
            out->part[i] = code_integer(program, parameter.type, 1);
        else
            out->part[i] = code_parameter_value(program, code_add_parameter(program, &parameter));
    }
}

static struct ttir_meaning argument_meaning(struct ttir_reader *reader,
                                            const struct kernel_argument *argument)
{
    struct code_program *program = reader->out;
    struct code_parameter parameter = argument->parameter;
    if (argument->type.kind == TTIR_PLAIN && argument->type.type.rank == 0) {
        uint32_t index = code_add_parameter(program, &parameter);
        return ttir_of(reader, code_parameter_value(program, index));
    }
    if (argument->type.kind != TTIR_POINTER && argument->type.kind != TTIR_DESCRIPTOR)
        return ttir_unknown(reader, argument->type, "an argument of an unknown type",
                            parameter.place);
    parameter.type =
        code_scalar((enum code_kind)argument->type.type.kind, argument->type.type.bits);
    struct ttir_meaning out = {.type = argument->type,
                               .value = NO_CODE,
                               .offset = NO_CODE,
                               .choice = NO_CODE,
                               .n = 1,
                               .array = {code_add_parameter(program, &parameter)}};
    if (argument->type.kind == TTIR_DESCRIPTOR)
        add_shape(reader, argument, &out);
    return out;
}

static bool read_arguments(struct ttir_reader *reader, uint32_t open, struct ttir_meanings *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t at = open + 1, close = mlir->tok.at[open].match;
    while (at < close) {
        struct kernel_argument argument;
        if (!read_argument(reader, &at, &argument))
            return false;
        vec_push(out, argument_meaning(reader, &argument));
        if (at < close && !mlir_expect(mlir, &at, ',', "','"))
            return false;
    }
    return true;
}

// ---- the grid

// Axes whose program id or number of programs some function asks for.
static uint32_t used_axes(const struct ttir_reader *reader)
{
    const struct mlir *mlir = &reader->mlir;
    uint32_t most = 1;
    for (uint32_t i = 0; i + 1 < mlir->tok.len; i++) {
        const struct mlir_token *token = &mlir->tok.at[i];
        bool generic = token->kind == T_STRING;
        if (!mlir_word(mlir, i, "tt.get_program_id") &&
            !mlir_word(mlir, i, "tt.get_num_programs") &&
            !mlir_text_is(mlir, i, "\"tt.get_program_id\"") &&
            !mlir_text_is(mlir, i, "\"tt.get_num_programs\""))
            continue;
        for (uint32_t k = i + 1; k < mlir->tok.len && !(mlir->tok.at[k].flags & TOKEN_LINE); k++) {
            if (mlir_text_is(mlir, k, generic ? "1" : "y") && most < 2)
                most = 2;
            if (mlir_text_is(mlir, k, generic ? "2" : "z"))
                most = 3;
        }
    }
    return most;
}

// The sizes of the grid, and the ids of axes that it has not.
static void open_grid(struct ttir_reader *reader, uint32_t axes)
{
    static const char *const names[] = {"grid.x", "grid.y", "grid.z"};
    struct code_program *program = reader->out;
    const struct code_type type = code_scalar(CODE_INT, 32);
    for (uint32_t i = 0; i < 3; i++) {
        struct code_parameter parameter = {.type = type, .role = ROLE_GRID};
        parameter.name = parameter.source = intern_str(&program->names, names[i]);
        if (i < axes) {
            uint32_t index = code_add_parameter(program, &parameter);
            program->grid[i] = code_parameter_value(program, index);
        } else {
            reader->program_id[i] = code_integer(program, type, 0);
        }
    }
}

// The parallel loops over the programs.
static void open_programs(struct ttir_reader *reader, struct code_place place)
{
    struct code_program *program = reader->out;
    struct code_type type = code_scalar(CODE_INT, 32);
    for (uint32_t i = 0; i < 3 && program->grid[i] != NO_CODE; i++) {
        struct code_loop loop = {.kind = LOOP_PARALLEL, .upper = program->grid[i]};
        loop.lower = code_integer(program, type, 0);
        loop.step = code_integer(program, type, 1);
        loop.block = code_open_block(program);
        loop.variable = reader->program_id[i] = code_bound(program, type, place);
        struct code_statement statement = code_statement(STATEMENT_LOOP, place);
        statement.index = program->loop.len;
        vec_push(&program->loop, loop);
        code_append(program, reader->block, &statement);
        reader->block = loop.block;
    }
}

static void close_programs(struct ttir_reader *reader)
{
    struct code_program *program = reader->out;
    for (uint32_t i = 0; i < 3 && program->grid[i] != NO_CODE; i++)
        code_close_block(program, program->loop.at[i].block);
    code_close_block(program, program->body);
}

static struct launch_text launch_text(const struct ttir_reader *reader)
{
    return (struct launch_text){.text = reader->mlir.text + reader->launch.at,
                                .len = reader->launch.len,
                                .source = FACT_HEADER,
                                .place = {reader->launch.line, 1}};
}

bool ttir_kernel(struct ttir_reader *reader, const char *kernel)
{
    struct code_program *program = reader->out;
    const struct ttir_function *chosen;
    if (!choose_kernel(reader, kernel, &chosen))
        return false;
    struct ttir_function function = *chosen;
    const struct mlir_token *token = &reader->mlir.tok.at[function.symbol];
    program->name = intern_bytes(&program->names, reader->mlir.text + token->at + 1,
                                 token->len - (reader->mlir.text[token->at] == '"' ? 2 : 1));
    struct ttir_meanings arguments = {0}, results = {0};
    struct launch_text launch = launch_text(reader);
    uint32_t axes = used_axes(reader), named = launch_axes(&launch);
    reader->block = program->body;
    bool ok = read_arguments(reader, function.arguments, &arguments);
    if (ok) {
        open_grid(reader, axes > named ? axes : named);
        launch_header(program, &launch);
        open_programs(reader, ttir_place(reader, function.symbol));
        ok = ttir_body(reader, &function, &arguments, &results);
        close_programs(reader);
    }
    vec_release(&arguments);
    vec_release(&results);
    return ok;
}
