// SPDX-License-Identifier: Apache-2.0
// Calls of operators that move, reduce, convert and rename.
#include "rules/language/call.h"

// ---- operator calls ----

uint32_t call_slice(struct parser *parser, struct place at)
{
    struct option list[N_ATTRS];
    uint32_t n = attribute_options(OP_SLICE, list);
    struct attr_set set = {0};
    uint32_t a = call_operand(parser);
    if (a == NONE)
        return NONE;
    uint64_t on = pat_classes(parser, a);
    return call_options(parser, &on, list, n, &set) ? elab_slice(parser, a, &set, at) : NONE;
}

uint32_t call_pad(struct parser *parser, struct place at)
{
    struct option list[N_ATTRS];
    uint32_t n = attribute_options(OP_PAD, list);
    struct attr_set set = {0};
    uint32_t a = call_operand(parser), v;
    if (a == NONE || !parser_expect(parser, ',', "`,` and the value to pad with") ||
        (v = call_operand(parser)) == NONE)
        return NONE;
    uint64_t on = pat_classes(parser, a);
    return call_options(parser, &on, list, n, &set) ? elab_pad(parser, a, v, &set, at) : NONE;
}

uint32_t call_concat(struct parser *parser, struct place at)
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

uint32_t call_broadcast(struct parser *parser, struct place at)
{
    struct attr_set set = {0};
    uint32_t a = call_operand(parser);
    if (a == NONE || !parser_expect(parser, ',', "`,` and the new classes") ||
        !class_sizes(parser, &set, 0) || !parser_expect(parser, ')', "`)`"))
        return NONE;
    return elab_broadcast(parser, a, &set, at);
}

uint32_t call_iota(struct parser *parser, struct place at)
{
    struct attr_set set = {0};
    uint32_t axis;
    if (!class_sizes(parser, &set, 0) || !parser_expect(parser, ',', "`,` and `axis=`") ||
        !axis_attr(parser, &axis))
        return NONE;
    return elab_iota(parser, &set, axis, at);
}

uint32_t call_reverse(struct parser *parser, struct place at)
{
    uint64_t set;
    uint32_t a = call_operand(parser);
    if (a == NONE || !parser_expect(parser, ',', "`,` and the classes to reverse") ||
        !class_set(parser, &set) || !parser_expect(parser, ')', "`)`"))
        return NONE;
    return elab_reverse(parser, a, set, at);
}

uint32_t call_reduce(struct parser *parser, struct place at)
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

uint32_t call_unit(struct parser *parser, struct place at)
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

uint32_t call_relabel(struct parser *parser, struct place at)
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

uint32_t call_convert(struct parser *parser, struct place at)
{
    uint32_t a;
    struct pat pattern = pat_blank(PAT_OP, OP_CONVERT, at);
    if (!conversion(parser, &a, &pattern.type))
        return NONE;
    return elab_elementwise(parser, pattern, 1, &a, "`convert`");
}

uint32_t call_bitcast(struct parser *parser, struct place at)
{
    uint32_t a, type;
    return conversion(parser, &a, &type) ? elab_bitcast(parser, a, type, at) : NONE;
}
