// SPDX-License-Identifier: Apache-2.0
// Patterns: operators by precedence, calls, attributes.
#include "rules/language/call.h"
#include "rules/language/tokens/hints.h"

// ---- operator calls

// An elementwise operator or operator variable with `arity` operands.
static uint32_t call_elementwise(struct parser *parser, struct pat pattern, const char *what,
                                 uint32_t arity)
{
    struct u32_vec args = {0};
    uint32_t out = NONE;
    bool ok = true;
    do {
        uint32_t a = call_operand(parser);
        ok = a != NONE;
        vec_push(&args, a);
    } while (ok && parser_accept(parser, ','));
    if (ok && args.len != arity) {
        ok = parser_fail(parser, pattern.place, "%s: expected %u operand%s, found %u", what, arity,
                         arity == 1 ? "" : "s", args.len);
        hint_operands(parser, what, arity);
    }
    if (ok && parser_expect(parser, ')', "`)`"))
        out = elab_elementwise(parser, pattern, args.len, args.at, what);
    vec_release(&args);
    return out;
}

static bool elementwise_by_name(const char *name, enum op *op)
{
    if (op_by_word(name, op) && op_is_elementwise(*op))
        return true;
    return op_by_name(name, op) && op_is_elementwise(*op) && *op != OP_COMPARE && *op != OP_CONVERT;
}

static const struct {
    const char *name;
    uint32_t (*read)(struct parser *parser, struct place at);
    const char *written;
} calls[] = {
    {"broadcast", call_broadcast, "broadcast(A, {y: m})"},
    {"iota", call_iota, "iota({x: n, a: m}, axis=a)"},
    {"slice", call_slice, "slice(A, start=s, limit=e, stride=p)"},
    {"pad", call_pad, "pad(A, v, low=l, high=h, interior=i)"},
    {"concat", call_concat, "concat(A, B, axis=a)"},
    {"reverse", call_reverse, "reverse(A, {x})"},
    {"reduce", call_reduce, "reduce(+, A, {x}, init=v)"},
    {"relabel", call_relabel, "relabel(A, {x <-> y})"},
    {"convert", call_convert, "convert(A, T)"},
    {"unit", call_unit, "unit(+)"},
    {"bitcast_convert", call_bitcast, "bitcast_convert(A, T)"},
    {"count", call_count, "count({x: n})"},
    {"dot", call_dot, "dot(A, B, contract={k}, batch={b})"},
    {"conv", call_conv, "conv(A, K, feature={f}, spatial={s}, stride=p, low=l, high=h)"},
    {"reduce_window", call_reduce_window, "reduce_window(+, A, size=w, stride=p, low=l, high=h)"},
    {"dynamic_slice", call_dynamic_slice, "dynamic_slice(A, start=i, size=m)"},
    {"dynamic_update_slice", call_dynamic_update, "dynamic_update_slice(A, U, start=i)"},
    {"gather", call_gather, "gather(A, I, axis=a, size=m, batch={b})"},
    {"scatter", call_scatter, "scatter(+, A, I, U, axis=a, batch={b})"},
    {"value", call_value, "value(n)"},
    {"reshape", call_reshape, "reshape(A, [x, y] -> [z: k])"},
    {"merge", call_merge, "merge(A, [x, y] -> z)"},
    {"split", call_split, "split(A, z -> [x: n, y: m])"},
};

static void unknown_operator(struct parser *parser, const struct token *token)
{
    const char *functions[sizeof calls / sizeof *calls + 1];
    size_t n = sizeof calls / sizeof *calls;
    for (size_t i = 0; i < n; i++)
        functions[i] = calls[i].name;
    functions[n] = NULL;
    hint_operator(parser, token, functions);
}

static uint32_t call_named(struct parser *parser, const struct token *token)
{
    struct pat pattern = {
        .kind = PAT_OP, .var = NONE, .reducer = N_OPS, .opvar = NONE, .place = token->place};
    const char *name = parser_token_text(parser, token);
    char what[80];
    snprintf(what, sizeof what, "`%.60s`", name);
    if (elementwise_by_name(name, &pattern.op))
        return call_elementwise(parser, pattern, what, (uint32_t)op_arity(pattern.op));
    struct symbol *symbol = &parser->syms[token->name];
    if (symbol->kind == SYM_NONE) {
        parser_fail(parser, token->place, "expected an operator, found the unknown name %s", what);
        unknown_operator(parser, token);
        return NONE;
    }
    if (!(symbol = sym_use(parser, token, SYM_OPVAR)))
        return NONE;
    pattern.kind = PAT_OPVAR;
    pattern.op = N_OPS;
    pattern.var = symbol->index;
    return call_elementwise(parser, pattern, what, parser->opvars.at[symbol->index].n_args);
}

static uint32_t call(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    parser->at += 2;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!token_is_word(token, calls[i].name))
            continue;
        uint32_t pat = calls[i].read(parser, token->place);
        if (pat == NONE)
            hint_signature(parser, calls[i].written);
        return pat;
    }
    return call_named(parser, token);
}

// ---- operands ----

// The digits of a number in one spelling: 00.50 is 0.5.
static const char *decimal_text(struct parser *parser, const struct token *token, bool negative)
{
    const char *at = token->at, *end = token->at + token->len;
    while (at[0] == '0' && at[1] != '.')
        at++;
    while (end[-1] == '0' && end[-2] != '.')
        end--;
    struct buf buf = {0};
    if (negative)
        buf_putc(&buf, '-');
    buf_write(&buf, at, (size_t)(end - at));
    const char *text = arena_strdup(parser->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

// A number or inf, with or without a minus sign in front.
static uint32_t numeral(struct parser *parser, bool negative, struct place at)
{
    struct pat pattern = {.var = NONE, .reducer = N_OPS, .opvar = NONE};
    unsigned kinds = KIND_FLOAT;
    const struct token *token = parser_token(parser);
    parser->at++;
    if (token->kind == T_INT) {
        pattern.lit = LIT_INT;
        pattern.k = negative ? -token->value : token->value;
        kinds |= KIND_SINT | KIND_UINT;
    } else if (token->kind == T_DECIMAL) {
        pattern.lit = LIT_DECIMAL;
        pattern.text = decimal_text(parser, token, negative);
    } else {
        pattern.lit = LIT_INF;
        pattern.k = negative ? -1 : 1;
    }
    return elab_literal(parser, pattern, kinds, at);
}

static bool at_numeral(const struct parser *parser)
{
    return parser_at(parser, T_INT) || parser_at(parser, T_DECIMAL) ||
           parser_at_word(parser, "inf");
}

static uint32_t variable(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    parser->at++;
    struct pat pattern = {
        .kind = PAT_SCALAR, .op = N_OPS, .reducer = N_OPS, .opvar = NONE, .place = token->place};
    struct symbol *symbol = &parser->syms[token->name];
    if (symbol->kind == SYM_SCALAR) {
        pattern.type = parser->scalars.at[symbol->index].type;
    } else {
        if (!sym_use(parser, token, SYM_TENSOR))
            return NONE;
        pattern.kind = PAT_TENSOR;
        pattern.type = parser->tensors.at[symbol->index].type;
        pattern.n_sizes = parser->tensors.at[symbol->index].n_sizes;
        pattern.sizes = parser->tensors.at[symbol->index].sizes;
    }
    symbol->used = true;
    pattern.var = symbol->index;
    return pat_push(parser, &pattern, 0, NULL);
}

static uint32_t word_literal(struct parser *parser)
{
    static const struct {
        const char *word;
        enum literal_kind lit;
        int64_t k;
        unsigned kinds;
    } words[] = {
        {"true", LIT_BOOL, 1, KIND_BOOL},
        {"false", LIT_BOOL, 0, KIND_BOOL},
        {"lowest", LIT_LOWEST, 0, KIND_ANY},
        {"highest", LIT_HIGHEST, 0, KIND_ANY},
    };
    struct place at = parser_token(parser)->place;
    struct pat pattern = {.var = NONE, .reducer = N_OPS, .opvar = NONE};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (parser_accept_word(parser, words[i].word)) {
            pattern.lit = words[i].lit;
            pattern.k = words[i].k;
            return elab_literal(parser, pattern, words[i].kinds, at);
        }
    }
    if (parser_at_word(parser, "pi") && parser->syms[parser_token(parser)->name].kind == SYM_NONE) {
        parser->at++;
        pattern.lit = LIT_PI;
        return elab_literal(parser, pattern, KIND_FLOAT, at);
    }
    return variable(parser);
}

static uint32_t primary(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    if (at_numeral(parser))
        return numeral(parser, false, token->place);
    if (parser_at(parser, T_NAME))
        return token[1].kind == '(' ? call(parser) : word_literal(parser);
    if (parser_accept(parser, '(')) {
        uint32_t a = parse_pattern(parser);
        return a != NONE && parser_expect(parser, ')', "`)`") ? a : NONE;
    }
    parser_expected(parser, "a pattern");
    return NONE;
}

static uint32_t unary(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    struct pat pattern = {.kind = PAT_OP,
                          .op = OP_NEGATE,
                          .var = NONE,
                          .reducer = N_OPS,
                          .opvar = NONE,
                          .place = token->place};
    uint32_t a;
    if (!parser_enter(parser))
        return NONE;
    if (parser_accept(parser, '-')) {
        if (at_numeral(parser)) {
            a = numeral(parser, true, token->place);
        } else {
            a = unary(parser);
            a = a == NONE ? a : elab_elementwise(parser, pattern, 1, &a, "`-`");
        }
    } else if (parser_accept(parser, '!')) {
        pattern.op = OP_NOT;
        a = unary(parser);
        a = a == NONE ? a : elab_elementwise(parser, pattern, 1, &a, "`!`");
    } else {
        a = primary(parser);
    }
    parser_leave(parser);
    return a;
}

struct infix {
    int level;
    enum op op;
    enum compare_dir dir;
    char what[8];
};

static bool compare_here(int token, enum compare_dir *out)
{
    static const struct {
        int token;
        enum compare_dir dir;
    } signs[] = {{T_EQ, CMP_EQ}, {T_NE, CMP_NE}, {T_GE, CMP_GE},
                 {'>', CMP_GT},  {T_LE, CMP_LE}, {'<', CMP_LT}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].token == token) {
            *out = signs[i].dir;
            return true;
        }
    return false;
}

// The tokens behind most patterns, which are no operators.
static bool ends_pattern(int token)
{
    return token == ',' || token == ')' || token == ';' || token == T_IMPLIES;
}

static bool infix_here(const struct parser *parser, struct infix *out)
{
    const struct token *token = parser_token(parser);
    size_t shown = token->len < sizeof out->what - 3 ? token->len : sizeof out->what - 3;
    if (ends_pattern(token->kind))
        return false;
    *out = (struct infix){COMPARE_LEVEL, OP_COMPARE, CMP_EQ, "`"};
    memcpy(out->what + 1, token->at, shown);
    out->what[1 + shown] = '`';
    if (compare_here((int)token->kind, &out->dir))
        return true;
    for (int op = 0; op < N_OPS; op++) {
        out->op = (enum op)op;
        out->level = op_info(out->op)->level;
        if (out->level > 0 && (int)token->kind == op_infix_sign(out->op))
            return true;
    }
    return false;
}

// Reads operators of at least this level.  Comparisons do not chain.
static uint32_t binary(struct parser *parser, int level)
{
    uint32_t start = parser->at;
    uint32_t args[2] = {unary(parser), NONE};
    bool compared = false;
    for (;;) {
        struct infix in;
        if (args[0] == NONE || !infix_here(parser, &in) || in.level < level)
            return args[0];
        struct place at = parser_token(parser)->place;
        if (in.op == OP_COMPARE && compared) {
            parser_fail(parser, at, "comparisons of tensors do not chain");
            hint_chain(parser, &parser->lx.tokens.at[start]);
            return NONE;
        }
        compared = in.op == OP_COMPARE;
        parser->at++;
        args[1] = binary(parser, in.level + 1);
        if (args[1] == NONE)
            return NONE;
        struct pat pattern = {.kind = PAT_OP,
                              .op = in.op,
                              .dir = in.dir,
                              .var = NONE,
                              .reducer = N_OPS,
                              .opvar = NONE,
                              .place = at};
        args[0] = elab_elementwise(parser, pattern, 2, args, in.what);
    }
}

uint32_t parse_pattern(struct parser *parser)
{
    return binary(parser, 1);
}

void parse_main(struct parser *parser)
{
    uint32_t lhs = parse_pattern(parser), rhs;
    if (lhs == NONE)
        return;
    struct place at = parser_token(parser)->place;
    if (!parser_expect(parser, T_IMPLIES, "`=>`"))
        return;
    rhs = parser_accept_word(parser, "define") ? parse_call_of(parser, lhs) : parse_pattern(parser);
    if (rhs == NONE)
        return;
    elab_sides(parser, lhs, rhs, at);
}
