// SPDX-License-Identifier: Apache-2.0
// Patterns: operators by precedence, calls, attributes.
#include "rules/language/call.h"

// ---- operator calls ----

static uint32_t call_slice(struct parser *parser, struct place at)
{
    struct option list[] = {
        {.name = "start", .k = 0}, {.name = "limit", .k = 1}, {.name = "stride", .k = 2}};
    struct attr_set set = {0};
    uint32_t a = call_operand(parser);
    if (a == NONE)
        return NONE;
    uint64_t on = pat_classes(parser, a);
    return call_options(parser, &on, list, 3, &set) ? elab_slice(parser, a, &set, at) : NONE;
}

static uint32_t call_pad(struct parser *parser, struct place at)
{
    struct option list[] = {
        {.name = "low", .k = 0}, {.name = "high", .k = 1}, {.name = "interior", .k = 2}};
    struct attr_set set = {0};
    uint32_t a = call_operand(parser), v;
    if (a == NONE || !parser_expect(parser, ',', "`,` and the value to pad with") ||
        (v = call_operand(parser)) == NONE)
        return NONE;
    uint64_t on = pat_classes(parser, a);
    return call_options(parser, &on, list, 3, &set) ? elab_pad(parser, a, v, &set, at) : NONE;
}

static uint32_t call_concat(struct parser *parser, struct place at)
{
    struct u32_vec args = {0};
    uint32_t axis, out = NONE;
    bool ok = true;
    do {
        if (args.len && parser_at_word(parser, "axis"))
            break;
        uint32_t a = call_operand(parser);
        ok = a != NONE;
        vec_push(&args, a);
    } while (ok && parser_accept(parser, ','));
    if (ok && axis_attr(parser, &axis))
        out = elab_concat(parser, args.len, args.at, axis, at);
    vec_release(&args);
    return out;
}

static uint32_t call_broadcast(struct parser *parser, struct place at)
{
    struct attr_set set = {0};
    uint32_t a = call_operand(parser);
    if (a == NONE || !parser_expect(parser, ',', "`,` and the new classes") ||
        !class_sizes(parser, &set, 0) || !parser_expect(parser, ')', "`)`"))
        return NONE;
    return elab_broadcast(parser, a, &set, at);
}

static uint32_t call_iota(struct parser *parser, struct place at)
{
    struct attr_set set = {0};
    uint32_t axis;
    if (!class_sizes(parser, &set, 0) || !parser_expect(parser, ',', "`,` and `axis=`") ||
        !axis_attr(parser, &axis))
        return NONE;
    return elab_iota(parser, &set, axis, at);
}

static uint32_t call_reverse(struct parser *parser, struct place at)
{
    uint64_t set;
    uint32_t a = call_operand(parser);
    if (a == NONE || !parser_expect(parser, ',', "`,` and the classes to reverse") ||
        !class_set(parser, &set) || !parser_expect(parser, ')', "`)`"))
        return NONE;
    return elab_reverse(parser, a, set, at);
}

static uint32_t call_reduce(struct parser *parser, struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_REDUCE, at);
    uint32_t a, init = NONE;
    if (!call_reducer(parser, &pattern.reducer, &pattern.opvar) ||
        !parser_expect(parser, ',', "`,`") || (a = call_operand(parser)) == NONE ||
        !parser_expect(parser, ',', "`,` and the classes to reduce") ||
        !class_set(parser, &pattern.classes))
        return NONE;
    if (parser_accept(parser, ',') &&
        (!parser_accept_word(parser, "init")
             ? !parser_expected(parser, "`init=`")
             : !parser_expect(parser, '=', "`=`") || (init = call_operand(parser)) == NONE))
        return NONE;
    if (!parser_expect(parser, ')', "`)`"))
        return NONE;
    return elab_reduce(parser, pattern, a, init);
}

static uint32_t call_unit(struct parser *parser, struct place at)
{
    struct pat pattern = {.lit = LIT_UNIT};
    if (!call_reducer(parser, &pattern.reducer, &pattern.opvar) ||
        !parser_expect(parser, ')', "`)`"))
        return NONE;
    unsigned kinds = pattern.opvar == NONE ? op_kinds(pattern.reducer) : KIND_ANY;
    uint32_t opvar = pattern.opvar;
    uint32_t u = elab_literal(parser, pattern, kinds, at);
    if (u != NONE && opvar != NONE &&
        !type_unify(parser, parser->opvars.at[opvar].result, parser->pats.at[u].type, at, "`unit`"))
        return NONE;
    return u;
}

static uint32_t call_relabel(struct parser *parser, struct place at)
{
    struct relabel by[RULES_MAX_CLASSES];
    uint64_t from = 0;
    uint32_t n = 0, a = call_operand(parser);
    if (a == NONE || !parser_expect(parser, ',', "`,` and the renaming") ||
        !parser_expect(parser, '{', "`{`"))
        return NONE;
    do {
        const struct token *token = parser_token(parser);
        uint32_t x, y;
        if (!class_name(parser, &x))
            return NONE;
        bool both = parser_at(parser, T_SWAP);
        if (!parser_accept(parser, T_SWAP) && !parser_expect(parser, T_ARROW, "`->` or `<->`"))
            return NONE;
        if (!class_name(parser, &y))
            return NONE;
        if (x == y || parser->classes.at[x].like != parser->classes.at[y].like) {
            parser_fail(parser, token->place,
                        x == y ? "`%s` is renamed to itself"
                               : "`%s` and `%s` are not alike; declare `axes %s like "
                                 "%s`",
                        parser->classes.at[x].name, parser->classes.at[y].name,
                        parser->classes.at[y].name, parser->classes.at[x].name);
            return NONE;
        }
        if (from & BIT(x) || (both && from & BIT(y))) {
            parser_fail(parser, token->place, "`%s` is renamed twice",
                        parser->classes.at[from & BIT(x) ? x : y].name);
            return NONE;
        }
        by[n++] = (struct relabel){x, y};
        from |= BIT(x);
        if (both) {
            by[n++] = (struct relabel){y, x};
            from |= BIT(y);
        }
    } while (parser_accept(parser, ','));
    if (!parser_expect(parser, '}', "`,` or `}`") || !parser_expect(parser, ')', "`)`"))
        return NONE;
    return elab_relabel(parser, a, n, by, at);
}

// The operand and the element type of a conversion.
static bool conversion(struct parser *parser, uint32_t *a, uint32_t *type)
{
    return (*a = call_operand(parser)) != NONE &&
           parser_expect(parser, ',', "`,` and an element type") &&
           (*type = parse_type(parser)) != NONE && parser_expect(parser, ')', "`)`");
}

static uint32_t call_convert(struct parser *parser, struct place at)
{
    uint32_t a;
    struct pat pattern = pat_blank(PAT_OP, OP_CONVERT, at);
    if (!conversion(parser, &a, &pattern.type))
        return NONE;
    return elab_elementwise(parser, pattern, 1, &a, "`convert`");
}

static uint32_t call_bitcast(struct parser *parser, struct place at)
{
    uint32_t a, type;
    return conversion(parser, &a, &type) ? elab_bitcast(parser, a, type, at) : NONE;
}

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
    if (ok && args.len != arity)
        ok = parser_fail(parser, pattern.place, "%s: expected %u operand%s, found %u", what, arity,
                         arity == 1 ? "" : "s", args.len);
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
    static const struct {
        const char *name;
        uint32_t (*read)(struct parser *parser, struct place at);
    } calls[] = {
        {"broadcast", call_broadcast},
        {"iota", call_iota},
        {"slice", call_slice},
        {"pad", call_pad},
        {"concat", call_concat},
        {"reverse", call_reverse},
        {"reduce", call_reduce},
        {"relabel", call_relabel},
        {"convert", call_convert},
        {"unit", call_unit},
        {"bitcast_convert", call_bitcast},
        {"count", call_count},
        {"dot", call_dot},
        {"conv", call_conv},
        {"reduce_window", call_reduce_window},
        {"dynamic_slice", call_dynamic_slice},
        {"dynamic_update_slice", call_dynamic_update},
        {"gather", call_gather},
        {"scatter", call_scatter},
        {"value", call_value},
        {"reshape", call_reshape},
        {"merge", call_merge},
        {"split", call_split},
    };
    const struct token *token = parser_token(parser);
    parser->at += 2;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strlen(calls[i].name) == token->len &&
            memcmp(calls[i].name, token->at, token->len) == 0)
            return calls[i].read(parser, token->place);
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

static bool infix_here(const struct parser *parser, struct infix *out)
{
    const struct token *token = parser_token(parser);
    *out = (struct infix){COMPARE_LEVEL, OP_COMPARE, CMP_EQ, ""};
    snprintf(out->what, sizeof out->what, "`%.*s`", (int)(token->len < 5 ? token->len : 5),
             token->at);
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
    uint32_t args[2] = {unary(parser), NONE};
    bool compared = false;
    for (;;) {
        struct infix in;
        if (args[0] == NONE || !infix_here(parser, &in) || in.level < level)
            return args[0];
        struct place at = parser_token(parser)->place;
        if (in.op == OP_COMPARE && compared) {
            parser_fail(parser, at, "comparisons of tensors do not chain");
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
