// SPDX-License-Identifier: Apache-2.0
// Calls of the operators that combine elements of two tensors, of windows, or of
// computed places.
#include "rules/language/call.h"
#include "rules/language/tokens/hints.h"

static bool two_operands(struct parser *parser, uint32_t *a, uint32_t *b)
{
    return (*a = call_operand(parser)) != NONE &&
           parser_expect(parser, ',', "`,` and the second operand") &&
           (*b = call_operand(parser)) != NONE;
}

// count(..) is a sum of ones: one for each element.
uint32_t call_count(struct parser *parser, struct place at)
{
    struct pat pattern = pat_blank(PAT_LITERAL, N_OPS, at);
    struct attr_set set = {0};
    pattern.lit = LIT_INT;
    pattern.k = 1;
    if (!class_sizes(parser, &set, 0) || !parser_expect(parser, ')', "`)`"))
        return NONE;
    uint32_t one = elab_literal(parser, pattern, KIND_SINT | KIND_UINT | KIND_FLOAT, at);
    uint32_t ones = one == NONE ? NONE : elab_broadcast(parser, one, &set, at);
    struct pat sum = pat_blank(PAT_OP, OP_REDUCE, at);
    sum.reducer = OP_ADD;
    sum.opvar = NONE;
    sum.classes = set.classes;
    return ones == NONE ? NONE : elab_reduce(parser, sum, ones, NONE);
}

uint32_t call_dot(struct parser *parser, struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_DOT_GENERAL, at);
    struct option list[] = {
        {.name = "contract", .kind = OPTION_CLASSES, .classes = &pattern.classes},
        {.name = "batch", .kind = OPTION_CLASSES, .classes = &pattern.batch},
    };
    struct attr_set set = {0};
    uint64_t on = 0;
    uint32_t a, b;
    if (!two_operands(parser, &a, &b))
        return NONE;
    if (parser_at(parser, ')')) // an outer product
        parser->at++;
    else if (!call_options(parser, &on, list, 2, &set))
        return NONE;
    return elab_dot(parser, pattern, a, b);
}

uint32_t call_conv(struct parser *parser, struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_CONVOLUTION, at);
    struct option list[5 + N_ATTRS] = {
        {.name = "feature", .kind = OPTION_CLASSES, .classes = &pattern.classes, .needed = true},
        {.name = "spatial", .kind = OPTION_CLASSES, .classes = &pattern.spatial, .needed = true},
    };
    uint32_t a, k, n = 2 + attribute_options(OP_CONVOLUTION, list + 2);
    list[n++] =
        (struct option){.name = "flip", .kind = OPTION_CLASSES, .classes = &pattern.flipped};
    list[n++] = (struct option){
        .name = "feature_groups", .kind = OPTION_GROUPS, .value = &pattern.feature_groups};
    list[n++] = (struct option){
        .name = "batch_groups", .kind = OPTION_GROUPS, .value = &pattern.batch_groups};
    struct attr_set set = {0};
    if (!two_operands(parser, &a, &k) || !call_options(parser, &pattern.spatial, list, n, &set))
        return NONE;
    if (set.classes & ~pattern.spatial) {
        parser_fail(parser, at, "`conv`: expected attributes of spatial classes, found %s",
                    classes_text(parser, set.classes & ~pattern.spatial));
        return NONE;
    }
    return elab_conv(parser, pattern, a, k, &set);
}

uint32_t call_reduce_window(struct parser *parser, struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_REDUCE_WINDOW, at);
    uint32_t a, init = NONE;
    struct option list[1 + N_ATTRS];
    uint32_t n = attribute_options(OP_REDUCE_WINDOW, list);
    list[n++] = (struct option){.name = "init", .kind = OPTION_PATTERN, .pat = &init};
    struct attr_set set = {0};
    if (!call_reducer(parser, &pattern.reducer, &pattern.opvar) ||
        !parser_expect(parser, ',', "`,`") || (a = call_operand(parser)) == NONE)
        return NONE;
    uint64_t on = pat_classes(parser, a);
    if (!call_options(parser, &on, list, n, &set))
        return NONE;
    return elab_reduce_window(parser, pattern, a, init, &set);
}

// Reads the part of a call behind the operands.  The start may come without its name.
static bool dynamic_options(struct parser *parser, uint64_t on, enum op op, struct attr_set *set)
{
    struct option list[N_ATTRS];
    uint32_t n = attribute_options(op, list);
    list[0].kind = OPTION_START;
    list[1].kind = OPTION_SIZE;
    const struct token *token = parser_token(parser) + 1;
    bool named = parser_at(parser, ',') && token->kind == T_NAME && token[1].kind == '=';
    if (parser_at(parser, ',') && !named) {
        parser->at++;
        if (!start_attr(parser, on, set, 0))
            return false;
        list[0].given = true;
        if (parser_accept(parser, ')'))
            return set->classes ||
                   parser_fail(parser, token->place,
                               "the operand has no axes to which the start could belong") ||
                   hint_rank(parser, 0);
    }
    return call_options(parser, &on, list, n, set);
}

uint32_t call_dynamic_slice(struct parser *parser, struct place at)
{
    struct attr_set set = {0};
    uint32_t a = call_operand(parser);
    if (a == NONE || !dynamic_options(parser, pat_classes(parser, a), OP_DYNAMIC_SLICE, &set))
        return NONE;
    return elab_dynamic_slice(parser, a, &set, at);
}

uint32_t call_dynamic_update(struct parser *parser, struct place at)
{
    struct attr_set set = {0};
    uint32_t a, u;
    if (!two_operands(parser, &a, &u) ||
        !dynamic_options(parser, pat_classes(parser, a), OP_DYNAMIC_UPDATE_SLICE, &set))
        return NONE;
    return elab_dynamic_update(parser, a, u, &set, at);
}

uint32_t call_gather(struct parser *parser, struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_GATHER, at);
    uint32_t a, i, axis = NONE;
    struct option list[] = {
        {.name = "axis", .kind = OPTION_AXIS, .axis = &axis, .needed = true},
        {.name = "size", .kind = OPTION_SIZE, .k = 0},
        {.name = "batch", .kind = OPTION_CLASSES, .classes = &pattern.batch},
    };
    struct attr_set set = {0};
    if (!two_operands(parser, &a, &i))
        return NONE;
    uint64_t on = pat_classes(parser, a);
    if (!call_options(parser, &on, list, 3, &set))
        return NONE;
    pattern.classes = BIT(axis);
    if (list[1].given && set.classes & ~pattern.classes) {
        // A number without a class is for the axis.
        const struct iexp *size = set.expr[axis][0];
        bool bare = size && set.classes == on;
        for (uint32_t c = 0; c < parser->classes.len; c++)
            bare = bare && (!(on >> c & 1) || set.expr[c][0] == size);
        if (!bare) {
            parser_fail(parser, at, "`gather`: a size of %s, but its axis is `%s`",
                        classes_text(parser, set.classes & ~pattern.classes),
                        parser->classes.at[axis].name);
            return NONE;
        }
        set = (struct attr_set){.classes = pattern.classes};
        set.expr[axis][0] = size;
    }
    return elab_gather(parser, pattern, a, i, &set);
}

uint32_t call_scatter(struct parser *parser, struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_SCATTER, at);
    uint32_t a, i, u, axis = NONE;
    struct option list[] = {
        {.name = "axis", .kind = OPTION_AXIS, .axis = &axis, .needed = true},
        {.name = "batch", .kind = OPTION_CLASSES, .classes = &pattern.batch},
    };
    struct attr_set set = {0};
    uint64_t on = 0;
    if (!call_reducer(parser, &pattern.reducer, &pattern.opvar) ||
        !parser_expect(parser, ',', "`,`") || !two_operands(parser, &a, &i) ||
        !parser_expect(parser, ',', "`,` and the updates") || (u = call_operand(parser)) == NONE ||
        !call_options(parser, &on, list, 2, &set))
        return NONE;
    pattern.classes = BIT(axis);
    return elab_scatter(parser, pattern, a, i, u);
}

// An integer for the whole rule: an expression over single axes and blocks.  The map
// of a block stands for the product over the block's axes.
uint32_t call_value(struct parser *parser, struct place at)
{
    struct pat pattern = pat_blank(PAT_LITERAL, N_OPS, at);
    parser->seen_classes = 0;
    enum index_use before = index_allow(parser);
    pattern.lit = LIT_VALUE;
    pattern.value = parse_iexp(parser);
    parser->index_use = before;
    if (!pattern.value || !parser_expect(parser, ')', "`)`"))
        return NONE;
    for (uint32_t c = 0; c < parser->classes.len; c++) {
        const struct axis_class *cls = &parser->classes.at[c];
        if (!(parser->seen_classes >> c & 1) || cls->single || cls->block)
            continue;
        parser_fail(parser, at,
                    "`value` is one integer, but `%s` may have several axes; declare "
                    "`axis %s`",
                    cls->name, cls->name);
        return NONE;
    }
    if (pattern.value->op == IE_CONST) { // one spelling of a number
        pattern.lit = LIT_INT;
        pattern.k = pattern.value->k;
        pattern.value = NULL;
    }
    return elab_literal(parser, pattern, KIND_SINT | KIND_UINT | KIND_FLOAT, at);
}
