// SPDX-License-Identifier: Apache-2.0
// Pattern nodes: their shapes, the lifting of scalars, default attributes.
// This file never compares sizes: two sizes that must agree are a condition of
// well-definedness of the program.
#include "rules/language/shapes/elaborate.h"
#include "rules/language/tokens/hints.h"

uint64_t pat_classes(const struct parser *parser, uint32_t pat)
{
    const struct pat *pattern = &parser->pats.at[pat];
    uint64_t set = 0;
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        set |= BIT(pattern->sizes[i].cls);
    return set;
}

uint32_t pat_push(struct parser *parser, struct pat *pattern, uint32_t n_args, const uint32_t *args)
{
    uint32_t height = 1;
    uint32_t *copy = ARENA_NEW(parser->mem, uint32_t, n_args + 1);
    for (uint32_t i = 0; i < n_args; i++) {
        copy[i] = args[i];
        if (height <= parser->height.at[args[i]])
            height = parser->height.at[args[i]] + 1;
    }
    if (height > RULES_MAX_DEPTH) {
        parser_fail(parser, pattern->place, "the pattern is more than %d operators high",
                    RULES_MAX_DEPTH);
        return NONE;
    }
    pattern->args = copy;
    pattern->n_args = n_args;
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        parser->seen_shapes |= BIT(pattern->sizes[i].cls);
    vec_push(&parser->pats, *pattern);
    vec_push(&parser->height, height);
    return parser->pats.len - 1;
}

// ---- elementwise ----

uint32_t elab_literal(struct parser *parser, struct pat lit, unsigned kinds, struct place at)
{
    lit.kind = PAT_LITERAL;
    lit.op = N_OPS;
    lit.var = NONE;
    lit.place = at;
    lit.type = type_fresh(parser, kinds, "");
    return pat_push(parser, &lit, 0, NULL);
}

uint32_t elab_splat(struct parser *parser, uint32_t arg, uint32_t n_sizes,
                    const struct axis_size *sizes, struct place at)
{
    struct pat pattern = pat_blank(PAT_SPLAT, N_OPS, at);
    struct pat_attr *attrs = ARENA_NEW(parser->mem, struct pat_attr, n_sizes + 1);
    for (uint32_t i = 0; i < n_sizes; i++) {
        attrs[i].cls = sizes[i].cls;
        attrs[i].expr[0] = sizes[i].size;
    }
    pattern.type = parser->pats.at[arg].type;
    pattern.attrs = attrs;
    pattern.n_attrs = pattern.n_sizes = n_sizes;
    pattern.sizes = sizes;
    return pat_push(parser, &pattern, 1, &arg);
}

static bool operand_types(struct parser *parser, struct pat *pattern, uint32_t n_args,
                          const uint32_t *args, const char *what)
{
#define TYPE(i) parser->pats.at[args[i]].type
#define AT(i) parser->pats.at[args[i]].place
    if (pattern->kind == PAT_OPVAR) {
        const struct op_var *opvar = &parser->opvars.at[pattern->var];
        pattern->type = opvar->result;
        for (uint32_t i = 0; i < n_args; i++)
            if (!type_unify(parser, opvar->args[i], TYPE(i), AT(i), what))
                return false;
        return true;
    }
    uint32_t first = pattern->op == OP_SELECT ? 1 : 0;
    if (first && !type_require(parser, TYPE(0), KIND_BOOL, AT(0), "the predicate of `select`"))
        return false;
    for (uint32_t i = first + 1; i < n_args; i++)
        if (!type_unify(parser, TYPE(first), TYPE(i), AT(i), what))
            return false;
    if (pattern->op == OP_CONVERT)
        return true; // the type was set by the parser
    pattern->type = TYPE(first);
    if (!type_require(parser, pattern->type, op_kinds(pattern->op), pattern->place, what))
        return false;
    if (pattern->op == OP_COMPARE || pattern->op == OP_IS_FINITE)
        pattern->type = type_fresh(parser, KIND_BOOL, "");
    return true;
#undef TYPE
#undef AT
}

// The operand that gives the node its shape: the first operand that has axes and is not
// a constant tensor, else the first operand that has axes.  NONE: the node has rank 0.
static uint32_t shape_giver(const struct parser *parser, uint32_t n_args, const uint32_t *args)
{
    uint32_t giver = NONE;
    for (uint32_t i = 0; i < n_args; i++) {
        const struct pat *pattern = &parser->pats.at[args[i]];
        if (pattern->n_sizes == 0)
            continue;
        if (pattern->kind != PAT_SPLAT)
            return args[i];
        if (giver == NONE)
            giver = args[i];
    }
    return giver;
}

uint32_t elab_elementwise(struct parser *parser, struct pat pattern, uint32_t n_args,
                          const uint32_t *args, const char *what)
{
    if (!operand_types(parser, &pattern, n_args, args, what))
        return NONE;
    uint32_t giver = shape_giver(parser, n_args, args);
    if (giver == NONE)
        return pat_push(parser, &pattern, n_args, args);
    uint32_t *lifted = ARENA_NEW(parser->mem, uint32_t, n_args);
    uint64_t classes = pat_classes(parser, giver);
    pattern.n_sizes = parser->pats.at[giver].n_sizes;
    pattern.sizes = parser->pats.at[giver].sizes;
    for (uint32_t i = 0; i < n_args; i++) {
        const struct pat *a = &parser->pats.at[args[i]];
        lifted[i] = args[i];
        if (a->n_sizes == 0) {
            lifted[i] = elab_splat(parser, args[i], pattern.n_sizes, pattern.sizes, a->place);
            if (lifted[i] == NONE)
                return NONE;
        } else if (pat_classes(parser, args[i]) != classes) {
            parser_fail(parser, a->place, "%s: expected an operand with the classes %s, found %s",
                        what, classes_text(parser, classes),
                        classes_text(parser, pat_classes(parser, args[i])));
            hint_classes(parser, classes, pat_classes(parser, args[i]));
            return NONE;
        }
    }
    return pat_push(parser, &pattern, n_args, lifted);
}

// ---- other nodes ----

uint32_t elab_broadcast(struct parser *parser, uint32_t arg, const struct attr_set *set,
                        struct place at)
{
    uint64_t have = pat_classes(parser, arg);
    if (set->classes & have) {
        parser_fail(parser, at, "`broadcast`: the operand has %s already",
                    classes_text(parser, set->classes & have));
        return NONE;
    }
    struct pat pattern = pat_blank(PAT_OP, OP_BROADCAST_IN_DIM, at);
    struct attr_set all = *set;
    if (!have) {
        sizes_of_set(parser, &pattern, set);
        return elab_splat(parser, arg, pattern.n_sizes, pattern.sizes, at);
    }
    pattern.type = parser->pats.at[arg].type;
    attrs_of_set(parser, &pattern, set);
    for (uint32_t i = 0; i < parser->pats.at[arg].n_sizes; i++) {
        struct axis_size size = parser->pats.at[arg].sizes[i];
        all.classes |= BIT(size.cls);
        all.expr[size.cls][0] = size.size;
    }
    sizes_of_set(parser, &pattern, &all);
    return pat_push(parser, &pattern, 1, &arg);
}

uint32_t elab_iota(struct parser *parser, const struct attr_set *set, uint32_t axis,
                   struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_IOTA, at);
    if (!class_single(parser, axis, at, "`iota`"))
        return NONE;
    if (!(set->classes >> axis & 1)) {
        parser_fail(parser, at, "`iota`: its axis `%s` is not among its classes %s",
                    parser->classes.at[axis].name, classes_text(parser, set->classes));
        return NONE;
    }
    pattern.classes = BIT(axis);
    pattern.type = type_fresh(parser, op_kinds(OP_IOTA), "");
    attrs_of_set(parser, &pattern, set);
    sizes_of_set(parser, &pattern, set);
    return pat_push(parser, &pattern, 0, NULL);
}

uint32_t elab_slice(struct parser *parser, uint32_t arg, const struct attr_set *set,
                    struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_SLICE, at);
    if (!classes_present(parser, arg, set->classes, at, "`slice`") ||
        !classes_apart(parser, set->classes, at, "`slice`"))
        return NONE;
    const struct pat *a = &parser->pats.at[arg];
    struct axis_size *sizes = sizes_copy(parser, a);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        sizes[i].size = slice_result(parser, sizes[i].size, set->expr[sizes[i].cls], at);
        if (!sizes[i].size)
            return NONE;
    }
    pattern.type = a->type;
    pattern.n_sizes = a->n_sizes;
    pattern.sizes = sizes;
    attrs_of_set(parser, &pattern, set);
    return pat_push(parser, &pattern, 1, &arg);
}

uint32_t elab_pad(struct parser *parser, uint32_t arg, uint32_t value, const struct attr_set *set,
                  struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_PAD, at);
    const struct pat *v = &parser->pats.at[value];
    if (!pat_scalar(parser, value, "`pad`", "pad with"))
        return NONE;
    if (!classes_present(parser, arg, set->classes, at, "`pad`") ||
        !classes_apart(parser, set->classes, at, "`pad`") ||
        !type_unify(parser, parser->pats.at[arg].type, v->type, v->place, "`pad`"))
        return NONE;
    const struct pat *a = &parser->pats.at[arg];
    struct axis_size *sizes = sizes_copy(parser, a);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        sizes[i].size = pad_result(parser, sizes[i].size, set->expr[sizes[i].cls], at);
        if (!sizes[i].size)
            return NONE;
    }
    pattern.type = a->type;
    pattern.n_sizes = a->n_sizes;
    pattern.sizes = sizes;
    attrs_of_set(parser, &pattern, set);
    uint32_t args[2] = {arg, value};
    return pat_push(parser, &pattern, 2, args);
}

uint32_t elab_concat(struct parser *parser, uint32_t n_args, const uint32_t *args, uint32_t axis,
                     struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_CONCATENATE, at);
    if (!class_single(parser, axis, at, "`concat`"))
        return NONE;
    uint64_t classes = pat_classes(parser, args[0]);
    const struct iexp *total = iexp_number(parser, 0);
    for (uint32_t i = 0; i < n_args; i++) {
        const struct pat *a = &parser->pats.at[args[i]];
        if (!classes_present(parser, args[i], BIT(axis), a->place, "`concat`"))
            return NONE;
        if (pat_classes(parser, args[i]) != classes) {
            parser_fail(
                parser, a->place, "`concat`: expected an operand with the classes %s, found %s",
                classes_text(parser, classes), classes_text(parser, pat_classes(parser, args[i])));
            return NONE;
        }
        if (!type_unify(parser, parser->pats.at[args[0]].type, a->type, a->place, "`concat`"))
            return NONE;
        for (uint32_t k = 0; k < a->n_sizes; k++)
            if (a->sizes[k].cls == axis)
                total = iexp_sum(parser, total, a->sizes[k].size, at);
        if (!total)
            return NONE;
    }
    const struct pat *a = &parser->pats.at[args[0]];
    struct axis_size *sizes = sizes_copy(parser, a);
    for (uint32_t k = 0; k < a->n_sizes; k++)
        if (sizes[k].cls == axis)
            sizes[k].size = total;
    pattern.type = a->type;
    pattern.n_sizes = a->n_sizes;
    pattern.sizes = sizes;
    pattern.classes = BIT(axis);
    return pat_push(parser, &pattern, n_args, args);
}

uint32_t elab_reverse(struct parser *parser, uint32_t arg, uint64_t classes, struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_REVERSE, at);
    if (!classes_present(parser, arg, classes, at, "`reverse`"))
        return NONE;
    pattern.type = parser->pats.at[arg].type;
    pattern.n_sizes = parser->pats.at[arg].n_sizes;
    pattern.sizes = parser->pats.at[arg].sizes;
    pattern.classes = classes;
    return pat_push(parser, &pattern, 1, &arg);
}

uint32_t elab_reduce(struct parser *parser, struct pat pattern, uint32_t arg, uint32_t init)
{
    pattern.type = parser->pats.at[arg].type;
    if (!classes_present(parser, arg, pattern.classes, pattern.place, "`reduce`") ||
        !reducer_type(parser, &pattern, pattern.type, pattern.place, "`reduce`") ||
        !initial_value(parser, init, pattern.type, "`reduce`"))
        return NONE;
    const struct pat *a = &parser->pats.at[arg];
    struct axis_size *sizes = sizes_copy(parser, a);
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (!(pattern.classes >> a->sizes[i].cls & 1))
            sizes[pattern.n_sizes++] = a->sizes[i];
    pattern.sizes = sizes;
    uint32_t args[2] = {arg, init};
    return pat_push(parser, &pattern, init == NONE ? 1 : 2, args);
}

uint32_t elab_relabel(struct parser *parser, uint32_t arg, uint32_t n_by, const struct relabel *by,
                      struct place at)
{
    struct pat pattern = pat_blank(PAT_RELABEL, N_OPS, at);
    struct attr_set set = {0};
    uint64_t have = pat_classes(parser, arg);
    uint32_t to[RULES_MAX_CLASSES];
    for (uint32_t c = 0; c < RULES_MAX_CLASSES; c++)
        to[c] = c;
    for (uint32_t i = 0; i < n_by; i++) {
        if (!classes_present(parser, arg, BIT(by[i].from), at, "`relabel`"))
            return NONE;
        to[by[i].from] = by[i].to;
    }
    const struct pat *a = &parser->pats.at[arg];
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        uint32_t c = to[a->sizes[i].cls];
        if (set.classes >> c & 1) {
            parser_fail(parser, at, "`relabel`: two classes of the operand %s become `%s`",
                        classes_text(parser, have), parser->classes.at[c].name);
            return NONE;
        }
        set.classes |= BIT(c);
        set.expr[c][0] = a->sizes[i].size;
    }
    sizes_of_set(parser, &pattern, &set);
    struct relabel *copy = ARENA_NEW(parser->mem, struct relabel, n_by + 1);
    for (uint32_t c = 0; c < RULES_MAX_CLASSES; c++)
        for (uint32_t i = 0; i < n_by; i++)
            if (by[i].from == c)
                copy[pattern.n_relabels++] = by[i];
    pattern.relabels = copy;
    pattern.type = a->type;
    return pat_push(parser, &pattern, 1, &arg);
}

// Only the right side is made as wide as the other one.
static bool hint_left(struct parser *parser, uint64_t left, uint64_t right)
{
    uint32_t c = 0;
    if (left != 0)
        return false;
    while (!(right >> c & 1))
        c++;
    return parser_hint(parser,
                       "the left side is what a program has: write "
                       "`broadcast(v, {%s: size})`",
                       parser->classes.at[c].name);
}

// Checks that both sides have the same classes and element type.  Lifts a scalar on the
// right to the shape of the left side.
bool elab_sides(struct parser *parser, uint32_t lhs, uint32_t rhs, struct place at)
{
    const struct pat *pattern = &parser->pats.at[lhs];
    uint64_t left = pat_classes(parser, lhs), right = pat_classes(parser, rhs);
    if (!type_unify(parser, pattern->type, parser->pats.at[rhs].type, at, "`=>`"))
        return false;
    if (left && !right) {
        rhs = elab_splat(parser, rhs, pattern->n_sizes, pattern->sizes, parser->pats.at[rhs].place);
        if (rhs == NONE)
            return false;
    } else if (left != right) {
        return parser_fail(parser, at,
                           "`=>`: the left side has the classes %s, the right side "
                           "%s",
                           classes_text(parser, left), classes_text(parser, right)) ||
               hint_classes(parser, left, right) || hint_left(parser, left, right);
    }
    parser->lhs = lhs;
    parser->rhs = rhs;
    return true;
}
