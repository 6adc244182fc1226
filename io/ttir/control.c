// SPDX-License-Identifier: Apache-2.0
// scf.for, scf.if and scf.while.
#include "io/ttir/reader.h"

// ---- loops

struct loop_text {
    uint32_t variable, lower, upper, step; // tokens
    struct u32_vec state, initial;         // tokens
    uint32_t open;                         // '{'
    bool is_unsigned;
};

static bool take_value(struct ttir_reader *reader, uint32_t *at, uint32_t *out)
{
    *out = (*at)++;
    if (mlir_kind(&reader->mlir, *out) != T_VALUE)
        return mlir_expected(&reader->mlir, *out, "a value");
    // %2#1
    if (mlir_kind(&reader->mlir, *at) == T_ATTR && mlir_touches(&reader->mlir, *at))
        ++*at;
    return true;
}

// iter_args(%a = %b, ..) behind the word
static bool read_iter_args(struct ttir_reader *reader, uint32_t *at, struct loop_text *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t open = *at;
    if (!mlir_expect(mlir, at, '(', "'('"))
        return false;
    uint32_t close = mlir->tok.at[open].match;
    while (*at < close) {
        uint32_t state, initial;
        if (!take_value(reader, at, &state) || !mlir_expect(mlir, at, '=', "'='") ||
            !take_value(reader, at, &initial))
            return false;
        vec_push(&out->state, state);
        vec_push(&out->initial, initial);
        if (*at < close && !mlir_expect(mlir, at, ',', "','"))
            return false;
    }
    *at = close + 1;
    return true;
}

// scf.for [unsigned] %i = %a to %b step %c [iter_args(..) -> (..)] [: type] {
static bool read_pretty_for(struct ttir_reader *reader, const struct ttir_operation *operation,
                            struct loop_text *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t at = operation->at + 1;
    out->is_unsigned = mlir_accept_word(mlir, &at, "unsigned");
    if (!take_value(reader, &at, &out->variable) || !mlir_expect(mlir, &at, '=', "'='") ||
        !take_value(reader, &at, &out->lower) || !mlir_expect_word(mlir, &at, "to") ||
        !take_value(reader, &at, &out->upper) || !mlir_expect_word(mlir, &at, "step") ||
        !take_value(reader, &at, &out->step))
        return false;
    if (mlir_accept_word(mlir, &at, "iter_args") && !read_iter_args(reader, &at, out))
        return false;
    while (at < operation->end && mlir_kind(mlir, at) != '{')
        at = mlir_kind(mlir, at) == '(' || mlir_kind(mlir, at) == '<' ? mlir->tok.at[at].match + 1
                                                                      : at + 1;
    out->open = at;
    return at < operation->end || mlir_expected(mlir, at, "'{'");
}

// "scf.for"(lower, upper, step, initial..) ({ ^bb0(%i: i32, %a: f32): .. })
static bool read_generic_for(struct ttir_reader *reader, const struct ttir_operation *operation,
                             struct loop_text *out)
{
    struct mlir *mlir = &reader->mlir;
    if (operation->operand.len < 3 || operation->region.len != 1)
        return ttir_malformed(reader, operation, "bounds and a region");
    out->lower = operation->operand.at[0];
    out->upper = operation->operand.at[1];
    out->step = operation->operand.at[2];
    out->is_unsigned = ttir_flag(reader, operation, "unsignedCmp");
    for (uint32_t i = 3; i < operation->operand.len; i++)
        vec_push(&out->initial, operation->operand.at[i]);
    out->open = operation->region.at[0];
    uint32_t at = out->open + 1;
    if (mlir_kind(mlir, at) != T_BLOCK || mlir_kind(mlir, at + 1) != '(')
        return mlir_expected(mlir, at, "a block with arguments");
    uint32_t close = mlir->tok.at[at + 1].match, n = 0;
    for (uint32_t i = at + 2; i < close; i++) {
        if (mlir_kind(mlir, i) != T_VALUE)
            continue;
        if (n++ == 0)
            out->variable = i;
        else
            vec_push(&out->state, i);
    }
    if (n != 1 + out->initial.len)
        return mlir_expected(mlir, close, "an argument for the variable and for each state");
    return true;
}

static bool read_bound(struct ttir_reader *reader, uint32_t at, code_value *out)
{
    struct ttir_meaning meaning;
    if (!ttir_lookup(reader, at, &meaning))
        return false;
    if (meaning.type.kind != TTIR_PLAIN || meaning.type.type.kind != CODE_INT ||
        meaning.type.type.rank != 0)
        return mlir_expected(&reader->mlir, at, "an integer");
    *out = meaning.value;
    return true;
}

struct carried_vec {
    struct code_carried *at;
    uint32_t len, cap;
};

// Binds the states inside the loop; `states` holds what they are.
static bool bind_states(struct ttir_reader *reader, const struct loop_text *text,
                        struct ttir_meanings *states, struct carried_vec *carried)
{
    for (uint32_t i = 0; i < states->len; i++) {
        code_value *moving[3 * CODE_RANK];
        uint32_t n = ttir_moving(reader, &states->at[i], moving);
        for (uint32_t k = 0; k < n; k++) {
            const struct code_type type = code_node(reader->out, *moving[k])->type;
            struct code_carried one = {.initial = *moving[k]};
            one.state = code_bound(reader->out, type, ttir_place(reader, text->state.at[i]));
            *moving[k] = one.state;
            vec_push(carried, one);
        }
        if (!ttir_define(reader, text->state.at[i], 1, &states->at[i]))
            return false;
    }
    return true;
}

// What the loop leaves: the yields are the next states.
static bool close_states(struct ttir_reader *reader, const struct ttir_operation *operation,
                         const struct ttir_meanings *states, struct ttir_meanings *yields,
                         struct carried_vec *carried)
{
    uint32_t at = 0;
    if (yields->len != states->len)
        return ttir_malformed(reader, operation, "a yield for each state");
    for (uint32_t i = 0; i < states->len; i++) {
        code_value *moving[3 * CODE_RANK];
        const struct ttir_type *a = &states->at[i].type, *b = &yields->at[i].type;
        if (a->kind == b->kind && !code_type_same(&a->type, &b->type))
            return ttir_malformed(reader, operation, "yields of the types of its states");
        uint32_t n = ttir_moving(reader, &yields->at[i], moving);
        code_value *old[3 * CODE_RANK];
        struct ttir_meaning state = states->at[i];
        uint32_t n_old = ttir_moving(reader, &state, old);
        bool same = n == n_old && ttir_fixed_same(&states->at[i], &yields->at[i]);
        if (!same) {
            struct code_statement refused =
                code_statement(STATEMENT_REFUSED, ttir_here(reader, operation));
            refused.reason =
                intern_str(&reader->out->names, "scf.for carries a pointer that changes its array");
            code_append(reader->out, reader->block, &refused);
        }
        for (uint32_t k = 0; k < n_old; k++)
            carried->at[at++].next = same ? *moving[k] : *old[k];
    }
    return true;
}

static bool loop_results(struct ttir_reader *reader, const struct ttir_operation *operation,
                         struct ttir_meanings *states, struct carried_vec *carried)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < states->len; i++) {
        code_value *moving[3 * CODE_RANK];
        uint32_t n = ttir_moving(reader, &states->at[i], moving);
        for (uint32_t k = 0; k < n; k++) {
            const struct code_type type = code_node(reader->out, *moving[k])->type;
            carried->at[at].result = code_bound(reader->out, type, ttir_here(reader, operation));
            *moving[k] = carried->at[at++].result;
        }
    }
    return ttir_results(reader, operation, states->len, states->at);
}

static bool read_loop_body(struct ttir_reader *reader, const struct ttir_operation *operation,
                           const struct loop_text *text, struct code_loop *loop,
                           struct ttir_meanings *states, struct carried_vec *carried)
{
    struct code_program *program = reader->out;
    struct ttir_meanings yields = {0};
    uint32_t outer = reader->block, scope = ttir_scope(reader);
    loop->block = reader->block = code_open_block(program);
    loop->variable = code_bound(program, code_node(program, loop->lower)->type,
                                ttir_place(reader, text->variable));
    struct ttir_meaning variable = ttir_of(reader, loop->variable);
    bool ok = ttir_define(reader, text->variable, 1, &variable) &&
              bind_states(reader, text, states, carried) &&
              ttir_region(reader, text->open, &yields) &&
              close_states(reader, operation, states, &yields, carried);
    code_close_block(program, loop->block);
    ttir_scope_end(reader, scope);
    reader->block = outer;
    vec_release(&yields);
    return ok;
}

static bool same_type(const struct ttir_reader *reader, code_value a, code_value b)
{
    return code_type_same(&code_node(reader->out, a)->type, &code_node(reader->out, b)->type);
}

static bool read_loop(struct ttir_reader *reader, const struct ttir_operation *operation,
                      const struct loop_text *text)
{
    struct code_program *program = reader->out;
    struct code_loop loop = {.kind = LOOP_SEQUENTIAL, .is_unsigned = text->is_unsigned};
    struct ttir_meanings states = {0};
    struct carried_vec carried = {0};
    bool ok = read_bound(reader, text->lower, &loop.lower) &&
              read_bound(reader, text->upper, &loop.upper) &&
              read_bound(reader, text->step, &loop.step);
    if (ok &&
        !(same_type(reader, loop.lower, loop.upper) && same_type(reader, loop.lower, loop.step)))
        ok = ttir_malformed(reader, operation, "bounds of one type");
    for (uint32_t i = 0; ok && i < text->initial.len; i++) {
        struct ttir_meaning meaning;
        code_value *moving[3 * CODE_RANK];
        ok = ttir_lookup(reader, text->initial.at[i], &meaning);
        if (ok) {
            ttir_moving(reader, &meaning, moving);
            vec_push(&states, meaning);
        }
    }
    ok = ok && read_loop_body(reader, operation, text, &loop, &states, &carried);
    if (ok) {
        struct code_statement statement =
            code_statement(STATEMENT_LOOP, ttir_here(reader, operation));
        ok = loop_results(reader, operation, &states, &carried);
        loop.n = carried.len;
        loop.at = program->carried.len;
        for (uint32_t i = 0; i < carried.len; i++)
            vec_push(&program->carried, carried.at[i]);
        statement.index = program->loop.len;
        vec_push(&program->loop, loop);
        code_append(program, reader->block, &statement);
    }
    vec_release(&states);
    vec_release(&carried);
    return ok;
}

static bool read_for(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct loop_text text = {0};
    bool ok = (operation->generic ? read_generic_for(reader, operation, &text)
                                  : read_pretty_for(reader, operation, &text)) &&
              read_loop(reader, operation, &text);
    vec_release(&text.state);
    vec_release(&text.initial);
    return ok;
}

// ---- branches

struct branch_text {
    uint32_t condition, then, otherwise; // tokens; otherwise NO_CODE: none
};

// scf.if %c [-> (..)] { .. } [else { .. }]
static bool read_branch_text(struct ttir_reader *reader, const struct ttir_operation *operation,
                             struct branch_text *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t at = operation->at + 1;
    out->otherwise = NO_CODE;
    if (operation->generic) {
        uint32_t n = operation->region.len;
        if (operation->operand.len != 1 || n < 1 || n > 2)
            return ttir_malformed(reader, operation, "a condition and two regions");
        out->condition = operation->operand.at[0];
        out->then = operation->region.at[0];
        uint32_t other = n == 2 ? operation->region.at[1] : NO_CODE;
        if (other != NO_CODE && mlir->tok.at[other].match > other + 1)
            out->otherwise = other;
        return true;
    }
    if (!take_value(reader, &at, &out->condition))
        return false;
    while (at < operation->end && mlir_kind(mlir, at) != '{')
        at = mlir_kind(mlir, at) == '(' || mlir_kind(mlir, at) == '<' ? mlir->tok.at[at].match + 1
                                                                      : at + 1;
    if (at >= operation->end)
        return mlir_expected(mlir, at, "'{'");
    out->then = at;
    at = mlir->tok.at[at].match + 1;
    if (at < operation->end && mlir_accept_word(mlir, &at, "else")) {
        out->otherwise = at;
        return mlir_kind(mlir, at) == '{' || mlir_expected(mlir, at, "'{'");
    }
    return true;
}

static bool read_side(struct ttir_reader *reader, uint32_t open, uint32_t *block,
                      struct ttir_meanings *out)
{
    if (open == NO_CODE) {
        *block = NO_CODE;
        return true;
    }
    uint32_t outer = reader->block;
    *block = reader->block = code_open_block(reader->out);
    bool ok = ttir_region(reader, open, out);
    code_close_block(reader->out, *block);
    reader->block = outer;
    return ok;
}

static bool read_if(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct branch_text text;
    struct code_branch branch = {0};
    struct ttir_meanings then = {0}, otherwise = {0}, out = {0};
    struct ttir_meaning condition;
    if (!read_branch_text(reader, operation, &text) ||
        !ttir_lookup(reader, text.condition, &condition))
        return false;
    if (condition.type.kind != TTIR_PLAIN || condition.type.type.kind != CODE_BOOL ||
        condition.type.type.rank != 0)
        return mlir_expected(&reader->mlir, text.condition, "a boolean");
    branch.condition = condition.value;
    bool ok = read_side(reader, text.then, &branch.then, &then) &&
              read_side(reader, text.otherwise, &branch.otherwise, &otherwise) &&
              ttir_join(reader, operation, &branch, &then, &otherwise, &out) &&
              ttir_results(reader, operation, out.len, out.at);
    vec_release(&then);
    vec_release(&otherwise);
    vec_release(&out);
    return ok;
}

// ---- loops without a bound

// Nothing is known of the results but their types.
static bool read_while(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct mlir *mlir = &reader->mlir;
    struct ttir_operation refused = *operation;
    bool ok = true;
    uint32_t at = operation->at + 1;
    if (!operation->generic) {
        while (at < operation->end && mlir_kind(mlir, at) != T_ARROW && mlir_kind(mlir, at) != '{')
            at = mlir_kind(mlir, at) == '(' ? mlir->tok.at[at].match + 1 : at + 1;
        refused.type.at = NULL;
        refused.type.len = refused.type.cap = 0;
        for (at++; ok && at < operation->end && mlir_kind(mlir, at) != '{';) {
            struct ttir_type type;
            uint16_t kind = mlir_kind(mlir, at);
            if (kind == ',' || kind == '(' || kind == ')' || mlir_word(mlir, at, "attributes"))
                at++;
            else if ((ok = ttir_type(reader, &at, &type)))
                vec_push(&refused.type, type);
        }
        refused.arrow = false;
    }
    ok = ok && ttir_refuse(reader, &refused, "is a loop whose number of iterations is not known");
    if (!operation->generic)
        vec_release(&refused.type);
    return ok;
}

bool ttir_control(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known)
{
    *known = !strncmp(operation->name, "scf.", 4);
    if (!*known)
        return true;
    if (reader->pure)
        return ttir_malformed(reader, operation, "no loops or branches in a reduction");
    if (!strcmp(operation->name, "scf.for"))
        return read_for(reader, operation);
    if (!strcmp(operation->name, "scf.if"))
        return read_if(reader, operation);
    return read_while(reader, operation);
}
