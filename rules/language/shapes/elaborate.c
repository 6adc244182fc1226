// SPDX-License-Identifier: Apache-2.0
// Pattern nodes: their shapes, the lifting of scalars, default attributes.
// Sizes are never compared here: two sizes that must agree are a condition of
// well-definedness of the program.
#include "rules/language/shapes/elaborate.h"

uint64_t pat_classes(const struct parser *p, uint32_t pat)
{
    const struct pat *n = &p->pats.at[pat];
    uint64_t set = 0;
    for (uint32_t i = 0; i < n->n_sizes; i++)
        set |= BIT(n->sizes[i].cls);
    return set;
}

uint32_t pat_push(struct parser *p, struct pat *n, uint32_t n_args,
                  const uint32_t *args)
{
    uint32_t height = 1;
    uint32_t *copy = ARENA_NEW(p->mem, uint32_t, n_args + 1);
    for (uint32_t i = 0; i < n_args; i++) {
        copy[i] = args[i];
        if (height <= p->height.at[args[i]])
            height = p->height.at[args[i]] + 1;
    }
    if (height > LIMIT_DEPTH) {
        parser_fail(p, n->place, "the pattern is more than %d operators high",
             LIMIT_DEPTH);
        return NONE;
    }
    n->args = copy;
    n->n_args = n_args;
    for (uint32_t i = 0; i < n->n_sizes; i++)
        p->seen_shapes |= BIT(n->sizes[i].cls);
    vec_push(&p->pats, *n);
    vec_push(&p->height, height);
    return p->pats.len - 1;
}

// ---- elementwise ----

uint32_t elab_literal(struct parser *p, struct pat lit, unsigned kinds,
                      struct place at)
{
    lit.kind = PAT_LITERAL;
    lit.op = N_OPS;
    lit.var = NONE;
    lit.place = at;
    lit.type = type_fresh(p, kinds, "");
    return pat_push(p, &lit, 0, NULL);
}

uint32_t elab_splat(struct parser *p, uint32_t arg, uint32_t n_sizes,
                    const struct axis_size *sizes, struct place at)
{
    struct pat n = pat_blank(PAT_SPLAT, N_OPS, at);
    struct pat_attr *attrs = ARENA_NEW(p->mem, struct pat_attr, n_sizes + 1);
    for (uint32_t i = 0; i < n_sizes; i++) {
        attrs[i].cls = sizes[i].cls;
        attrs[i].v[0] = sizes[i].size;
    }
    n.type = p->pats.at[arg].type;
    n.attrs = attrs;
    n.n_attrs = n.n_sizes = n_sizes;
    n.sizes = sizes;
    return pat_push(p, &n, 1, &arg);
}

static bool operand_types(struct parser *p, struct pat *n, uint32_t n_args,
                          const uint32_t *args, const char *what)
{
#define TYPE(i) p->pats.at[args[i]].type
#define AT(i) p->pats.at[args[i]].place
    if (n->kind == PAT_OPVAR) {
        const struct op_var *v = &p->opvars.at[n->var];
        n->type = v->result;
        for (uint32_t i = 0; i < n_args; i++)
            if (!type_unify(p, v->args[i], TYPE(i), AT(i), what))
                return false;
        return true;
    }
    uint32_t first = n->op == OP_SELECT ? 1 : 0;
    if (first && !type_require(p, TYPE(0), KIND_BOOL, AT(0),
                               "the predicate of `select`"))
        return false;
    for (uint32_t i = first + 1; i < n_args; i++)
        if (!type_unify(p, TYPE(first), TYPE(i), AT(i), what))
            return false;
    if (n->op == OP_CONVERT)
        return true; // the type was set by the parser
    n->type = TYPE(first);
    if (!type_require(p, n->type, op_kinds(n->op), n->place, what))
        return false;
    if (n->op == OP_COMPARE || n->op == OP_IS_FINITE)
        n->type = type_fresh(p, KIND_BOOL, "");
    return true;
#undef TYPE
#undef AT
}

// The operand that gives the node its shape: the first that has axes and is
// not a constant tensor, else the first that has axes; NONE: rank 0.
static uint32_t shape_giver(const struct parser *p, uint32_t n_args,
                            const uint32_t *args)
{
    uint32_t giver = NONE;
    for (uint32_t i = 0; i < n_args; i++) {
        const struct pat *a = &p->pats.at[args[i]];
        if (a->n_sizes == 0)
            continue;
        if (a->kind != PAT_SPLAT)
            return args[i];
        if (giver == NONE)
            giver = args[i];
    }
    return giver;
}

uint32_t elab_elementwise(struct parser *p, struct pat n, uint32_t n_args,
                          const uint32_t *args, const char *what)
{
    if (!operand_types(p, &n, n_args, args, what))
        return NONE;
    uint32_t giver = shape_giver(p, n_args, args);
    if (giver == NONE)
        return pat_push(p, &n, n_args, args);
    uint32_t *lifted = ARENA_NEW(p->mem, uint32_t, n_args);
    uint64_t classes = pat_classes(p, giver);
    n.n_sizes = p->pats.at[giver].n_sizes;
    n.sizes = p->pats.at[giver].sizes;
    for (uint32_t i = 0; i < n_args; i++) {
        const struct pat *a = &p->pats.at[args[i]];
        lifted[i] = args[i];
        if (a->n_sizes == 0) {
            lifted[i] = elab_splat(p, args[i], n.n_sizes, n.sizes, a->place);
            if (lifted[i] == NONE)
                return NONE;
        } else if (pat_classes(p, args[i]) != classes) {
            parser_fail(p, a->place,
                 "%s: expected an operand with the classes %s, found %s", what,
                 classes_text(p, classes),
                 classes_text(p, pat_classes(p, args[i])));
            return NONE;
        }
    }
    return pat_push(p, &n, n_args, lifted);
}

// ---- the others ----

uint32_t elab_broadcast(struct parser *p, uint32_t arg,
                        const struct attr_set *set, struct place at)
{
    uint64_t have = pat_classes(p, arg);
    if (set->classes & have) {
        parser_fail(p, at, "`broadcast`: the operand has %s already",
             classes_text(p, set->classes & have));
        return NONE;
    }
    struct pat n = pat_blank(PAT_OP, OP_BROADCAST_IN_DIM, at);
    struct attr_set all = *set;
    if (!have) {
        sizes_of_set(p, &n, set);
        return elab_splat(p, arg, n.n_sizes, n.sizes, at);
    }
    n.type = p->pats.at[arg].type;
    attrs_of_set(p, &n, set);
    for (uint32_t i = 0; i < p->pats.at[arg].n_sizes; i++) {
        struct axis_size s = p->pats.at[arg].sizes[i];
        all.classes |= BIT(s.cls);
        all.v[s.cls][0] = s.size;
    }
    sizes_of_set(p, &n, &all);
    return pat_push(p, &n, 1, &arg);
}

uint32_t elab_iota(struct parser *p, const struct attr_set *set, uint32_t axis,
                   struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_IOTA, at);
    if (!class_single(p, axis, at, "`iota`"))
        return NONE;
    if (!(set->classes >> axis & 1)) {
        parser_fail(p, at, "`iota`: its axis `%s` is not among its classes %s",
             p->classes.at[axis].name, classes_text(p, set->classes));
        return NONE;
    }
    n.classes = BIT(axis);
    n.type = type_fresh(p, op_kinds(OP_IOTA), "");
    attrs_of_set(p, &n, set);
    sizes_of_set(p, &n, set);
    return pat_push(p, &n, 0, NULL);
}

uint32_t elab_slice(struct parser *p, uint32_t arg, const struct attr_set *set,
                    struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_SLICE, at);
    if (!classes_present(p, arg, set->classes, at, "`slice`") ||
        !classes_apart(p, set->classes, at, "`slice`"))
        return NONE;
    const struct pat *a = &p->pats.at[arg];
    struct axis_size *sizes = sizes_copy(p, a);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        sizes[i].size =
            slice_result(p, sizes[i].size, set->v[sizes[i].cls], at);
        if (!sizes[i].size)
            return NONE;
    }
    n.type = a->type;
    n.n_sizes = a->n_sizes;
    n.sizes = sizes;
    attrs_of_set(p, &n, set);
    return pat_push(p, &n, 1, &arg);
}

uint32_t elab_pad(struct parser *p, uint32_t arg, uint32_t value,
                  const struct attr_set *set, struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_PAD, at);
    const struct pat *v = &p->pats.at[value];
    if (!pat_scalar(p, value, "`pad`", "pad with"))
        return NONE;
    if (!classes_present(p, arg, set->classes, at, "`pad`") ||
        !classes_apart(p, set->classes, at, "`pad`") ||
        !type_unify(p, p->pats.at[arg].type, v->type, v->place, "`pad`"))
        return NONE;
    const struct pat *a = &p->pats.at[arg];
    struct axis_size *sizes = sizes_copy(p, a);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        sizes[i].size = pad_result(p, sizes[i].size, set->v[sizes[i].cls], at);
        if (!sizes[i].size)
            return NONE;
    }
    n.type = a->type;
    n.n_sizes = a->n_sizes;
    n.sizes = sizes;
    attrs_of_set(p, &n, set);
    uint32_t args[2] = {arg, value};
    return pat_push(p, &n, 2, args);
}

uint32_t elab_concat(struct parser *p, uint32_t n_args, const uint32_t *args,
                     uint32_t axis, struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_CONCATENATE, at);
    if (!class_single(p, axis, at, "`concat`"))
        return NONE;
    uint64_t classes = pat_classes(p, args[0]);
    const struct iexp *total = iexp_number(p, 0);
    for (uint32_t i = 0; i < n_args; i++) {
        const struct pat *a = &p->pats.at[args[i]];
        if (!classes_present(p, args[i], BIT(axis), a->place, "`concat`"))
            return NONE;
        if (pat_classes(p, args[i]) != classes) {
            parser_fail(p, a->place,
                 "`concat`: expected an operand with the classes %s, found %s",
                 classes_text(p, classes),
                 classes_text(p, pat_classes(p, args[i])));
            return NONE;
        }
        if (!type_unify(p, p->pats.at[args[0]].type, a->type, a->place,
                        "`concat`"))
            return NONE;
        for (uint32_t k = 0; k < a->n_sizes; k++)
            if (a->sizes[k].cls == axis)
                total = iexp_sum(p, total, a->sizes[k].size, at);
        if (!total)
            return NONE;
    }
    const struct pat *a = &p->pats.at[args[0]];
    struct axis_size *sizes = sizes_copy(p, a);
    for (uint32_t k = 0; k < a->n_sizes; k++)
        if (sizes[k].cls == axis)
            sizes[k].size = total;
    n.type = a->type;
    n.n_sizes = a->n_sizes;
    n.sizes = sizes;
    n.classes = BIT(axis);
    return pat_push(p, &n, n_args, args);
}

uint32_t elab_reverse(struct parser *p, uint32_t arg, uint64_t classes,
                      struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_REVERSE, at);
    if (!classes_present(p, arg, classes, at, "`reverse`"))
        return NONE;
    n.type = p->pats.at[arg].type;
    n.n_sizes = p->pats.at[arg].n_sizes;
    n.sizes = p->pats.at[arg].sizes;
    n.classes = classes;
    return pat_push(p, &n, 1, &arg);
}

uint32_t elab_reduce(struct parser *p, enum op reducer, uint32_t opvar,
                     uint32_t arg, uint32_t init, uint64_t classes,
                     struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_REDUCE, at);
    n.type = p->pats.at[arg].type;
    n.classes = classes;
    n.reducer = reducer;
    n.opvar = opvar;
    if (!classes_present(p, arg, classes, at, "`reduce`") ||
        !reducer_type(p, &n, n.type, at, "`reduce`") ||
        !initial_value(p, init, n.type, "`reduce`"))
        return NONE;
    const struct pat *a = &p->pats.at[arg];
    struct axis_size *sizes = sizes_copy(p, a);
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (!(classes >> a->sizes[i].cls & 1))
            sizes[n.n_sizes++] = a->sizes[i];
    n.sizes = sizes;
    uint32_t args[2] = {arg, init};
    return pat_push(p, &n, init == NONE ? 1 : 2, args);
}

uint32_t elab_relabel(struct parser *p, uint32_t arg, uint32_t n_by,
                      const struct relabel *by, struct place at)
{
    struct pat n = pat_blank(PAT_RELABEL, N_OPS, at);
    struct attr_set set = {0};
    uint64_t have = pat_classes(p, arg);
    uint32_t to[LIMIT_CLASSES];
    for (uint32_t c = 0; c < LIMIT_CLASSES; c++)
        to[c] = c;
    for (uint32_t i = 0; i < n_by; i++) {
        if (!classes_present(p, arg, BIT(by[i].from), at, "`relabel`"))
            return NONE;
        to[by[i].from] = by[i].to;
    }
    const struct pat *a = &p->pats.at[arg];
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        uint32_t c = to[a->sizes[i].cls];
        if (set.classes >> c & 1) {
            parser_fail(p, at, "`relabel`: two classes of the operand %s become `%s`",
                 classes_text(p, have), p->classes.at[c].name);
            return NONE;
        }
        set.classes |= BIT(c);
        set.v[c][0] = a->sizes[i].size;
    }
    sizes_of_set(p, &n, &set);
    struct relabel *copy = ARENA_NEW(p->mem, struct relabel, n_by + 1);
    for (uint32_t c = 0; c < LIMIT_CLASSES; c++)
        for (uint32_t i = 0; i < n_by; i++)
            if (by[i].from == c)
                copy[n.n_relabels++] = by[i];
    n.relabels = copy;
    n.type = a->type;
    return pat_push(p, &n, 1, &arg);
}

// Both sides have the same classes and element type; a scalar on the right is
// lifted to the shape of the left side.
bool elab_sides(struct parser *p, uint32_t lhs, uint32_t rhs, struct place at)
{
    const struct pat *l = &p->pats.at[lhs];
    uint64_t left = pat_classes(p, lhs), right = pat_classes(p, rhs);
    if (!type_unify(p, l->type, p->pats.at[rhs].type, at, "`=>`"))
        return false;
    if (left && !right) {
        rhs = elab_splat(p, rhs, l->n_sizes, l->sizes, p->pats.at[rhs].place);
        if (rhs == NONE)
            return false;
    } else if (left != right) {
        return parser_fail(p, at,
                    "`=>`: the left side has the classes %s, the right side "
                    "%s",
                    classes_text(p, left), classes_text(p, right));
    }
    p->lhs = lhs;
    p->rhs = rhs;
    return true;
}
