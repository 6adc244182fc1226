// SPDX-License-Identifier: Apache-2.0
// Patterns: operators by precedence, calls, attributes.
#include "rules/language/call.h"

// ---- operator calls ----

static uint32_t call_slice(struct parser *p, struct place at)
{
    struct option list[] = {{.name = "start", .k = 0},
                            {.name = "limit", .k = 1},
                            {.name = "stride", .k = 2}};
    struct attr_set set = {0};
    uint32_t a = call_operand(p);
    if (a == NONE)
        return NONE;
    uint64_t on = pat_classes(p, a);
    return call_options(p, &on, list, 3, &set) ? elab_slice(p, a, &set, at) : NONE;
}

static uint32_t call_pad(struct parser *p, struct place at)
{
    struct option list[] = {{.name = "low", .k = 0},
                            {.name = "high", .k = 1},
                            {.name = "interior", .k = 2}};
    struct attr_set set = {0};
    uint32_t a = call_operand(p), v;
    if (a == NONE || !parser_expect(p, ',', "`,` and the value to pad with") ||
        (v = call_operand(p)) == NONE)
        return NONE;
    uint64_t on = pat_classes(p, a);
    return call_options(p, &on, list, 3, &set) ? elab_pad(p, a, v, &set, at) : NONE;
}

static uint32_t call_concat(struct parser *p, struct place at)
{
    struct u32_vec args = {0};
    uint32_t axis, out = NONE;
    bool ok = true;
    do {
        if (args.len && parser_at_word(p, "axis"))
            break;
        uint32_t a = call_operand(p);
        ok = a != NONE;
        vec_push(&args, a);
    } while (ok && parser_accept(p, ','));
    if (ok && axis_attr(p, &axis))
        out = elab_concat(p, args.len, args.at, axis, at);
    vec_release(&args);
    return out;
}

static uint32_t call_broadcast(struct parser *p, struct place at)
{
    struct attr_set set = {0};
    uint32_t a = call_operand(p);
    if (a == NONE || !parser_expect(p, ',', "`,` and the new classes") ||
        !class_sizes(p, &set, 0) || !parser_expect(p, ')', "`)`"))
        return NONE;
    return elab_broadcast(p, a, &set, at);
}

static uint32_t call_iota(struct parser *p, struct place at)
{
    struct attr_set set = {0};
    uint32_t axis;
    if (!class_sizes(p, &set, 0) || !parser_expect(p, ',', "`,` and `axis=`") ||
        !axis_attr(p, &axis))
        return NONE;
    return elab_iota(p, &set, axis, at);
}

static uint32_t call_reverse(struct parser *p, struct place at)
{
    uint64_t set;
    uint32_t a = call_operand(p);
    if (a == NONE || !parser_expect(p, ',', "`,` and the classes to reverse") ||
        !class_set(p, &set) || !parser_expect(p, ')', "`)`"))
        return NONE;
    return elab_reverse(p, a, set, at);
}

static uint32_t call_reduce(struct parser *p, struct place at)
{
    enum op op;
    uint32_t opvar, a, init = NONE;
    uint64_t set;
    if (!call_reducer(p, &op, &opvar) || !parser_expect(p, ',', "`,`") ||
        (a = call_operand(p)) == NONE ||
        !parser_expect(p, ',', "`,` and the classes to reduce") || !class_set(p, &set))
        return NONE;
    if (parser_accept(p, ',') &&
        (!parser_accept_word(p, "init")
             ? !parser_expected(p, "`init=`")
             : !parser_expect(p, '=', "`=`") || (init = call_operand(p)) == NONE))
        return NONE;
    if (!parser_expect(p, ')', "`)`"))
        return NONE;
    return elab_reduce(p, op, opvar, a, init, set, at);
}

static uint32_t call_unit(struct parser *p, struct place at)
{
    struct pat n = {.lit = LIT_UNIT};
    if (!call_reducer(p, &n.reducer, &n.opvar) || !parser_expect(p, ')', "`)`"))
        return NONE;
    unsigned kinds = n.opvar == NONE ? op_kinds(n.reducer) : KIND_ANY;
    uint32_t opvar = n.opvar;
    uint32_t u = elab_literal(p, n, kinds, at);
    if (u != NONE && opvar != NONE &&
        !type_unify(p, p->opvars.at[opvar].result, p->pats.at[u].type, at,
                    "`unit`"))
        return NONE;
    return u;
}

static uint32_t call_relabel(struct parser *p, struct place at)
{
    struct relabel by[LIMIT_CLASSES];
    uint64_t from = 0;
    uint32_t n = 0, a = call_operand(p);
    if (a == NONE || !parser_expect(p, ',', "`,` and the renaming") ||
        !parser_expect(p, '{', "`{`"))
        return NONE;
    do {
        const struct token *t = parser_token(p);
        uint32_t x, y;
        if (!class_name(p, &x))
            return NONE;
        bool both = parser_at(p, T_SWAP);
        if (!parser_accept(p, T_SWAP) && !parser_expect(p, T_ARROW, "`->` or `<->`"))
            return NONE;
        if (!class_name(p, &y))
            return NONE;
        if (x == y || p->classes.at[x].like != p->classes.at[y].like) {
            parser_fail(p, t->place,
                 x == y ? "`%s` is renamed to itself"
                        : "`%s` and `%s` are not alike; declare `axes %s like "
                          "%s`",
                 p->classes.at[x].name, p->classes.at[y].name,
                 p->classes.at[y].name, p->classes.at[x].name);
            return NONE;
        }
        if (from & BIT(x) || (both && from & BIT(y))) {
            parser_fail(p, t->place, "`%s` is renamed twice",
                 p->classes.at[from & BIT(x) ? x : y].name);
            return NONE;
        }
        by[n++] = (struct relabel){x, y};
        from |= BIT(x);
        if (both) {
            by[n++] = (struct relabel){y, x};
            from |= BIT(y);
        }
    } while (parser_accept(p, ','));
    if (!parser_expect(p, '}', "`,` or `}`") || !parser_expect(p, ')', "`)`"))
        return NONE;
    return elab_relabel(p, a, n, by, at);
}

// The operand and the element type of a conversion.
static bool conversion(struct parser *p, uint32_t *a, uint32_t *type)
{
    return (*a = call_operand(p)) != NONE &&
           parser_expect(p, ',', "`,` and an element type") &&
           (*type = parse_type(p)) != NONE && parser_expect(p, ')', "`)`");
}

static uint32_t call_convert(struct parser *p, struct place at)
{
    uint32_t a;
    struct pat n = pat_blank(PAT_OP, OP_CONVERT, at);
    if (!conversion(p, &a, &n.type))
        return NONE;
    return elab_elementwise(p, n, 1, &a, "`convert`");
}

static uint32_t call_bitcast(struct parser *p, struct place at)
{
    uint32_t a, type;
    return conversion(p, &a, &type) ? elab_bitcast(p, a, type, at) : NONE;
}

// An elementwise operator or operator variable with `arity` operands.
static uint32_t call_elementwise(struct parser *p, struct pat n,
                                 const char *what, uint32_t arity)
{
    struct u32_vec args = {0};
    uint32_t out = NONE;
    bool ok = true;
    do {
        uint32_t a = call_operand(p);
        ok = a != NONE;
        vec_push(&args, a);
    } while (ok && parser_accept(p, ','));
    if (ok && args.len != arity)
        ok = parser_fail(p, n.place, "%s has %u operand%s, found %u", what, arity,
                  arity == 1 ? "" : "s", args.len);
    if (ok && parser_expect(p, ')', "`)`"))
        out = elab_elementwise(p, n, args.len, args.at, what);
    vec_release(&args);
    return out;
}

static bool elementwise_by_name(const char *name, enum op *op)
{
    static const struct {
        const char *name;
        enum op op;
    } shorts[] = {
        {"max", OP_MAXIMUM},        {"min", OP_MINIMUM},
        {"neg", OP_NEGATE},         {"exp", OP_EXPONENTIAL},
        {"log1p", OP_LOG_PLUS_ONE}, {"expm1", OP_EXPONENTIAL_MINUS_ONE},
        {"sin", OP_SINE},           {"cos", OP_COSINE},
        {"pow", OP_POWER},          {"rem", OP_REMAINDER},
    };
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
        if (strcmp(name, shorts[i].name) == 0) {
            *op = shorts[i].op;
            return true;
        }
    }
    return op_by_name(name, op) && op_is_elementwise(*op) &&
           *op != OP_COMPARE && *op != OP_CONVERT;
}

static uint32_t call_named(struct parser *p, const struct token *t)
{
    struct pat n = {.kind = PAT_OP,
                    .var = NONE,
                    .reducer = N_OPS,
                    .opvar = NONE,
                    .place = t->place};
    const char *name = parser_token_text(p, t);
    char what[80];
    snprintf(what, sizeof what, "`%.60s`", name);
    if (elementwise_by_name(name, &n.op))
        return call_elementwise(p, n, what, (uint32_t)op_arity(n.op));
    struct symbol *s = &p->syms[t->name];
    if (s->kind == SYM_NONE) {
        parser_fail(p, t->place, "expected an operator, found the unknown name %s",
             what);
        return NONE;
    }
    if (!(s = sym_use(p, t, SYM_OPVAR)))
        return NONE;
    n.kind = PAT_OPVAR;
    n.op = N_OPS;
    n.var = s->index;
    return call_elementwise(p, n, what, p->opvars.at[s->index].n_args);
}

static uint32_t call(struct parser *p)
{
    static const struct {
        const char *name;
        uint32_t (*read)(struct parser *p, struct place at);
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
    const struct token *t = parser_token(p);
    p->at += 2;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strlen(calls[i].name) == t->len &&
            memcmp(calls[i].name, t->at, t->len) == 0)
            return calls[i].read(p, t->place);
    return call_named(p, t);
}

// ---- operands ----

// The digits of a number in one spelling: 00.50 is 0.5.
static const char *decimal_text(struct parser *p, const struct token *t,
                                bool negative)
{
    const char *at = t->at, *end = t->at + t->len;
    while (at[0] == '0' && at[1] != '.')
        at++;
    while (end[-1] == '0' && end[-2] != '.')
        end--;
    struct buf b = {0};
    if (negative)
        buf_putc(&b, '-');
    buf_write(&b, at, (size_t)(end - at));
    const char *text = arena_strdup(p->mem, buf_text(&b));
    buf_release(&b);
    return text;
}

// A number or inf, behind a minus sign or not.
static uint32_t numeral(struct parser *p, bool negative, struct place at)
{
    struct pat n = {.var = NONE, .reducer = N_OPS, .opvar = NONE};
    unsigned kinds = KIND_FLOAT;
    const struct token *t = parser_token(p);
    p->at++;
    if (t->kind == T_INT) {
        n.lit = LIT_INT;
        n.k = negative ? -t->value : t->value;
        kinds |= KIND_SINT | KIND_UINT;
    } else if (t->kind == T_DECIMAL) {
        n.lit = LIT_DECIMAL;
        n.text = decimal_text(p, t, negative);
    } else {
        n.lit = LIT_INF;
        n.k = negative ? -1 : 1;
    }
    return elab_literal(p, n, kinds, at);
}

static bool at_numeral(const struct parser *p)
{
    return parser_at(p, T_INT) || parser_at(p, T_DECIMAL) || parser_at_word(p, "inf");
}

static uint32_t variable(struct parser *p)
{
    const struct token *t = parser_token(p);
    p->at++;
    struct pat n = {.kind = PAT_SCALAR,
                    .op = N_OPS,
                    .reducer = N_OPS,
                    .opvar = NONE,
                    .place = t->place};
    struct symbol *s = &p->syms[t->name];
    if (s->kind == SYM_SCALAR) {
        n.type = p->scalars.at[s->index].type;
    } else {
        if (!sym_use(p, t, SYM_TENSOR))
            return NONE;
        n.kind = PAT_TENSOR;
        n.type = p->tensors.at[s->index].type;
        n.n_sizes = p->tensors.at[s->index].n_sizes;
        n.sizes = p->tensors.at[s->index].sizes;
    }
    s->used = true;
    n.var = s->index;
    return pat_push(p, &n, 0, NULL);
}

static uint32_t word_literal(struct parser *p)
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
    struct place at = parser_token(p)->place;
    struct pat n = {.var = NONE, .reducer = N_OPS, .opvar = NONE};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (parser_accept_word(p, words[i].word)) {
            n.lit = words[i].lit;
            n.k = words[i].k;
            return elab_literal(p, n, words[i].kinds, at);
        }
    }
    if (parser_at_word(p, "pi") && p->syms[parser_token(p)->name].kind == SYM_NONE) {
        p->at++;
        n.lit = LIT_PI;
        return elab_literal(p, n, KIND_FLOAT, at);
    }
    return variable(p);
}

static uint32_t primary(struct parser *p)
{
    const struct token *t = parser_token(p);
    if (at_numeral(p))
        return numeral(p, false, t->place);
    if (parser_at(p, T_NAME))
        return t[1].kind == '(' ? call(p) : word_literal(p);
    if (parser_accept(p, '(')) {
        uint32_t a = parse_pattern(p);
        return a != NONE && parser_expect(p, ')', "`)`") ? a : NONE;
    }
    parser_expected(p, "a pattern");
    return NONE;
}

static uint32_t unary(struct parser *p)
{
    const struct token *t = parser_token(p);
    struct pat n = {.kind = PAT_OP,
                    .op = OP_NEGATE,
                    .var = NONE,
                    .reducer = N_OPS,
                    .opvar = NONE,
                    .place = t->place};
    uint32_t a;
    if (!parser_enter(p))
        return NONE;
    if (parser_accept(p, '-')) {
        if (at_numeral(p)) {
            a = numeral(p, true, t->place);
        } else {
            a = unary(p);
            a = a == NONE ? a : elab_elementwise(p, n, 1, &a, "`-`");
        }
    } else if (parser_accept(p, '!')) {
        n.op = OP_NOT;
        a = unary(p);
        a = a == NONE ? a : elab_elementwise(p, n, 1, &a, "`!`");
    } else {
        a = primary(p);
    }
    parser_leave(p);
    return a;
}

struct infix {
    int token, level;
    enum op op;
    enum compare_dir dir;
    const char *what;
};

static const struct infix *infix_here(const struct parser *p)
{
    static const struct infix infixes[] = {
        {T_EQ, 4, OP_COMPARE, CMP_EQ, "`==`"},
        {T_NE, 4, OP_COMPARE, CMP_NE, "`!=`"},
        {T_GE, 4, OP_COMPARE, CMP_GE, "`>=`"},
        {'>', 4, OP_COMPARE, CMP_GT, "`>`"},
        {T_LE, 4, OP_COMPARE, CMP_LE, "`<=`"},
        {'<', 4, OP_COMPARE, CMP_LT, "`<`"},
        {'|', 1, OP_OR, CMP_EQ, "`|`"},
        {'^', 2, OP_XOR, CMP_EQ, "`^`"},
        {'&', 3, OP_AND, CMP_EQ, "`&`"},
        {'+', 5, OP_ADD, CMP_EQ, "`+`"},
        {'-', 5, OP_SUBTRACT, CMP_EQ, "`-`"},
        {'*', 6, OP_MULTIPLY, CMP_EQ, "`*`"},
        {'/', 6, OP_DIVIDE, CMP_EQ, "`/`"},
        {'%', 6, OP_REMAINDER, CMP_EQ, "`%`"},
    };
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++)
        if (infixes[i].token == parser_token(p)->kind)
            return &infixes[i];
    return NULL;
}

// Operators of at least this level; comparisons do not chain.
static uint32_t binary(struct parser *p, int level)
{
    uint32_t args[2] = {unary(p), NONE};
    bool compared = false;
    for (;;) {
        const struct infix *in = infix_here(p);
        if (args[0] == NONE || !in || in->level < level)
            return args[0];
        struct place at = parser_token(p)->place;
        if (in->op == OP_COMPARE && compared) {
            parser_fail(p, at, "comparisons of tensors do not chain");
            return NONE;
        }
        compared = in->op == OP_COMPARE;
        p->at++;
        args[1] = binary(p, in->level + 1);
        if (args[1] == NONE)
            return NONE;
        struct pat n = {.kind = PAT_OP,
                        .op = in->op,
                        .dir = in->dir,
                        .var = NONE,
                        .reducer = N_OPS,
                        .opvar = NONE,
                        .place = at};
        args[0] = elab_elementwise(p, n, 2, args, in->what);
    }
}

uint32_t parse_pattern(struct parser *p)
{
    return binary(p, 1);
}

void parse_main(struct parser *p)
{
    uint32_t lhs = parse_pattern(p), rhs;
    if (lhs == NONE)
        return;
    struct place at = parser_token(p)->place;
    if (!parser_expect(p, T_IMPLIES, "`=>`"))
        return;
    rhs = parser_accept_word(p, "define") ? parse_call_of(p, lhs) : parse_pattern(p);
    if (rhs == NONE)
        return;
    elab_sides(p, lhs, rhs, at);
}
