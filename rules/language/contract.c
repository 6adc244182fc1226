// SPDX-License-Identifier: Apache-2.0
// Calls of the operators that combine elements of two tensors, of windows, or
// at computed places.
#include "rules/language/call.h"

static bool two_operands(struct parser *p, uint32_t *a, uint32_t *b)
{
    return (*a = call_operand(p)) != NONE &&
           parser_expect(p, ',', "`,` and the second operand") &&
           (*b = call_operand(p)) != NONE;
}

// The number of elements is the sum of as many ones.
uint32_t call_count(struct parser *p, struct place at)
{
    struct pat n = pat_blank(PAT_LITERAL, N_OPS, at);
    struct attr_set set = {0};
    n.lit = LIT_INT;
    n.k = 1;
    if (!class_sizes(p, &set, 0) || !parser_expect(p, ')', "`)`"))
        return NONE;
    uint32_t one = elab_literal(p, n, KIND_SINT | KIND_UINT | KIND_FLOAT, at);
    uint32_t ones = one == NONE ? NONE : elab_broadcast(p, one, &set, at);
    return ones == NONE
               ? NONE
               : elab_reduce(p, OP_ADD, NONE, ones, NONE, set.classes, at);
}

uint32_t call_dot(struct parser *p, struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_DOT_GENERAL, at);
    struct option list[] = {
        {.name = "contract", .kind = OPTION_CLASSES, .classes = &n.classes},
        {.name = "batch", .kind = OPTION_CLASSES, .classes = &n.batch},
    };
    struct attr_set set = {0};
    uint64_t on = 0;
    uint32_t a, b;
    if (!two_operands(p, &a, &b))
        return NONE;
    if (parser_at(p, ')')) // an outer product
        p->at++;
    else if (!call_options(p, &on, list, 2, &set))
        return NONE;
    return elab_dot(p, n, a, b);
}

uint32_t call_conv(struct parser *p, struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_CONVOLUTION, at);
    struct option list[] = {
        {.name = "feature",
         .kind = OPTION_CLASSES,
         .classes = &n.classes,
         .needed = true},
        {.name = "spatial",
         .kind = OPTION_CLASSES,
         .classes = &n.spatial,
         .needed = true},
        {.name = "stride", .k = 0},
        {.name = "low", .k = 1},
        {.name = "high", .k = 2},
        {.name = "dilation", .k = 3},
        {.name = "kernel_dilation", .k = 4},
        {.name = "flip", .kind = OPTION_CLASSES, .classes = &n.flipped},
        {.name = "feature_groups",
         .kind = OPTION_GROUPS,
         .value = &n.feature_groups},
        {.name = "batch_groups",
         .kind = OPTION_GROUPS,
         .value = &n.batch_groups},
    };
    struct attr_set set = {0};
    uint32_t a, k;
    if (!two_operands(p, &a, &k) ||
        !call_options(p, &n.spatial, list, sizeof list / sizeof *list, &set))
        return NONE;
    if (set.classes & ~n.spatial) {
        parser_fail(p, at, "`conv`: attributes of %s, which are not spatial",
             classes_text(p, set.classes & ~n.spatial));
        return NONE;
    }
    return elab_conv(p, n, a, k, &set);
}

uint32_t call_reduce_window(struct parser *p, struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_REDUCE_WINDOW, at);
    uint32_t a, init = NONE;
    struct option list[] = {
        {.name = "size", .k = 0},
        {.name = "stride", .k = 1},
        {.name = "low", .k = 2},
        {.name = "high", .k = 3},
        {.name = "dilation", .k = 4},
        {.name = "window_dilation", .k = 5},
        {.name = "init", .kind = OPTION_PATTERN, .pat = &init},
    };
    struct attr_set set = {0};
    if (!call_reducer(p, &n.reducer, &n.opvar) || !parser_expect(p, ',', "`,`") ||
        (a = call_operand(p)) == NONE)
        return NONE;
    uint64_t on = pat_classes(p, a);
    if (!call_options(p, &on, list, sizeof list / sizeof *list, &set))
        return NONE;
    return elab_reduce_window(p, n, a, init, &set);
}

// The start may come without its name.  Reads what follows the operands.
static bool dynamic_options(struct parser *p, uint64_t on, uint32_t n,
                            struct attr_set *set)
{
    struct option list[] = {
        {.name = "start", .kind = OPTION_START, .k = 0},
        {.name = "size", .kind = OPTION_SIZE, .k = 1},
    };
    const struct token *t = parser_token(p) + 1;
    bool named = parser_at(p, ',') && t->kind == T_NAME && t[1].kind == '=';
    if (parser_at(p, ',') && !named) {
        p->at++;
        if (!start_attr(p, on, set, 0))
            return false;
        list[0].given = true;
        if (parser_accept(p, ')'))
            return set->classes ||
                   parser_fail(p, t->place,
                        "the operand has no axes to which the start could "
                        "belong");
    }
    return call_options(p, &on, list, n, set);
}

uint32_t call_dynamic_slice(struct parser *p, struct place at)
{
    struct attr_set set = {0};
    uint32_t a = call_operand(p);
    if (a == NONE || !dynamic_options(p, pat_classes(p, a), 2, &set))
        return NONE;
    return elab_dynamic_slice(p, a, &set, at);
}

uint32_t call_dynamic_update(struct parser *p, struct place at)
{
    struct attr_set set = {0};
    uint32_t a, u;
    if (!two_operands(p, &a, &u) ||
        !dynamic_options(p, pat_classes(p, a), 1, &set))
        return NONE;
    return elab_dynamic_update(p, a, u, &set, at);
}

uint32_t call_gather(struct parser *p, struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_GATHER, at);
    uint32_t a, i, axis = NONE;
    struct option list[] = {
        {.name = "axis", .kind = OPTION_AXIS, .axis = &axis, .needed = true},
        {.name = "size", .kind = OPTION_SIZE, .k = 0},
        {.name = "batch", .kind = OPTION_CLASSES, .classes = &n.batch},
    };
    struct attr_set set = {0};
    if (!two_operands(p, &a, &i))
        return NONE;
    uint64_t on = pat_classes(p, a);
    if (!call_options(p, &on, list, 3, &set))
        return NONE;
    n.classes = BIT(axis);
    if (list[1].given && set.classes & ~n.classes) {
        // A number without a class is for the axis.
        const struct iexp *size = set.v[axis][0];
        bool bare = size && set.classes == on;
        for (uint32_t c = 0; c < p->classes.len; c++)
            bare = bare && (!(on >> c & 1) || set.v[c][0] == size);
        if (!bare) {
            parser_fail(p, at, "`gather`: a size of %s, but its axis is `%s`",
                 classes_text(p, set.classes & ~n.classes),
                 p->classes.at[axis].name);
            return NONE;
        }
        set = (struct attr_set){.classes = n.classes};
        set.v[axis][0] = size;
    }
    return elab_gather(p, n, a, i, &set);
}

uint32_t call_scatter(struct parser *p, struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_SCATTER, at);
    uint32_t a, i, u, axis = NONE;
    struct option list[] = {
        {.name = "axis", .kind = OPTION_AXIS, .axis = &axis, .needed = true},
        {.name = "batch", .kind = OPTION_CLASSES, .classes = &n.batch},
    };
    struct attr_set set = {0};
    uint64_t on = 0;
    if (!call_reducer(p, &n.reducer, &n.opvar) || !parser_expect(p, ',', "`,`") ||
        !two_operands(p, &a, &i) || !parser_expect(p, ',', "`,` and the updates") ||
        (u = call_operand(p)) == NONE || !call_options(p, &on, list, 2, &set))
        return NONE;
    n.classes = BIT(axis);
    return elab_scatter(p, n, a, i, u);
}

// An integer for the whole rule: over single axes, and blocks, whose maps
// stand for the product over their axes.
uint32_t call_value(struct parser *p, struct place at)
{
    struct pat n = pat_blank(PAT_LITERAL, N_OPS, at);
    p->seen_classes = 0;
    enum index_use before = index_allow(p);
    n.lit = LIT_VALUE;
    n.value = parse_iexp(p);
    p->index_use = before;
    if (!n.value || !parser_expect(p, ')', "`)`"))
        return NONE;
    for (uint32_t c = 0; c < p->classes.len; c++) {
        const struct axis_class *x = &p->classes.at[c];
        if (!(p->seen_classes >> c & 1) || x->single || x->block)
            continue;
        parser_fail(p, at,
             "`value` is one integer, but `%s` may have several axes; declare "
             "`axis %s`",
             x->name, x->name);
        return NONE;
    }
    if (n.value->op == IE_CONST) { // one spelling of a number
        n.lit = LIT_INT;
        n.k = n.value->k;
        n.value = NULL;
    }
    return elab_literal(p, n, KIND_SINT | KIND_UINT | KIND_FLOAT, at);
}
