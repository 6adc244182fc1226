// SPDX-License-Identifier: Apache-2.0
// Pattern nodes: their shapes, the lifting of scalars, default attributes.
// Sizes are never compared here: two sizes that must agree are a condition of
// well-definedness of the program.
#include "rules/parse.h"

#define BIT(c) (UINT64_C(1) << (c))

uint64_t pat_classes(const struct parser *p, uint32_t pat)
{
    const struct pat *n = &p->pats.at[pat];
    uint64_t set = 0;
    for (uint32_t i = 0; i < n->n_sizes; i++)
        set |= BIT(n->sizes[i].cls);
    return set;
}

static uint32_t count_bits(uint64_t set)
{
    uint32_t n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
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
        fail(p, n->place, "the pattern is more than %d operators high",
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

// A node without attributes; fields that do not apply hold NONE or N_OPS.
static struct pat blank(enum pat_kind kind, enum op op, struct place at)
{
    return (struct pat){.kind = kind,
                        .op = op,
                        .var = NONE,
                        .reducer = N_OPS,
                        .opvar = NONE,
                        .place = at};
}

// ---- sizes ----

static const struct iexp *number(struct parser *p, int64_t k)
{
    struct iexp *x = ARENA_NEW(p->mem, struct iexp, 1);
    x->k = k;
    x->map = NONE;
    x->nodes = 1;
    return x;
}

static bool is_const(const struct iexp *x, int64_t k)
{
    return x->op == IE_CONST && x->k == k;
}

// Inferred sizes leave out what adds nothing.  NULL operands stay NULL.
static const struct iexp *sum(struct parser *p, const struct iexp *a,
                              const struct iexp *b, struct place at)
{
    if (!a || !b)
        return NULL;
    if (is_const(b, 0))
        return a;
    if (is_const(a, 0))
        return b;
    return iexp_new(p, IE_ADD, a, b, at);
}

static const struct iexp *slice_result(struct parser *p, const struct iexp *n,
                                       const struct iexp *const v[3],
                                       struct place at)
{
    const struct iexp *x = v[1] ? v[1] : n;
    if (v[0] && !is_const(v[0], 0))
        x = iexp_new(p, IE_SUB, x, v[0], at);
    if (x && v[2] && !is_const(v[2], 1))
        x = iexp_new(p, IE_CDIV, x, v[2], at);
    return x;
}

static const struct iexp *pad_result(struct parser *p, const struct iexp *n,
                                     const struct iexp *const v[3],
                                     struct place at)
{
    const struct iexp *x = n;
    if (v[0])
        x = sum(p, x, v[0], at);
    if (v[1])
        x = sum(p, x, v[1], at);
    if (x && v[2] && !is_const(v[2], 0)) {
        const struct iexp *gaps = iexp_new(p, IE_SUB, n, number(p, 1), at);
        gaps = gaps ? iexp_new(p, IE_MAX, gaps, number(p, 0), at) : NULL;
        gaps = gaps ? iexp_new(p, IE_MUL, gaps, v[2], at) : NULL;
        x = sum(p, x, gaps, at);
    }
    return x;
}

static struct axis_size *copy_sizes(struct parser *p, const struct pat *n)
{
    struct axis_size *s = ARENA_NEW(p->mem, struct axis_size, n->n_sizes + 1);
    for (uint32_t i = 0; i < n->n_sizes; i++)
        s[i] = n->sizes[i];
    return s;
}

static void set_attrs(struct parser *p, struct pat *n,
                      const struct attr_set *set)
{
    struct pat_attr *attrs =
        ARENA_NEW(p->mem, struct pat_attr, count_bits(set->classes) + 1);
    n->attrs = attrs;
    for (uint32_t c = 0; c < LIMIT_CLASSES; c++) {
        if (!(set->classes >> c & 1))
            continue;
        attrs[n->n_attrs].cls = c;
        for (int k = 0; k < 3; k++)
            attrs[n->n_attrs].v[k] = set->v[c][k];
        n->n_attrs++;
    }
}

// The sizes of the attribute set as a shape.
static void sizes_of_set(struct parser *p, struct pat *n,
                         const struct attr_set *set)
{
    struct axis_size *s =
        ARENA_NEW(p->mem, struct axis_size, count_bits(set->classes) + 1);
    n->sizes = s;
    n->n_sizes = 0;
    for (uint32_t c = 0; c < LIMIT_CLASSES; c++)
        if (set->classes >> c & 1)
            s[n->n_sizes++] = (struct axis_size){c, set->v[c][0]};
}

static bool present(struct parser *p, uint32_t arg, uint64_t classes,
                    struct place at, const char *what)
{
    uint64_t have = pat_classes(p, arg);
    if (!(classes & ~have))
        return true;
    return fail(p, at, "%s: %s not among the classes %s of the operand", what,
                classes_text(p, classes & ~have), classes_text(p, have));
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
    struct pat n = blank(PAT_SPLAT, N_OPS, at);
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
            fail(p, a->place,
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
        fail(p, at, "`broadcast`: the operand has %s already",
             classes_text(p, set->classes & have));
        return NONE;
    }
    struct pat n = blank(PAT_OP, OP_BROADCAST_IN_DIM, at);
    struct attr_set all = *set;
    if (!have) {
        sizes_of_set(p, &n, set);
        return elab_splat(p, arg, n.n_sizes, n.sizes, at);
    }
    n.type = p->pats.at[arg].type;
    set_attrs(p, &n, set);
    for (uint32_t i = 0; i < p->pats.at[arg].n_sizes; i++) {
        struct axis_size s = p->pats.at[arg].sizes[i];
        all.classes |= BIT(s.cls);
        all.v[s.cls][0] = s.size;
    }
    sizes_of_set(p, &n, &all);
    return pat_push(p, &n, 1, &arg);
}

static bool single(struct parser *p, uint32_t cls, struct place at,
                   const char *what)
{
    return p->classes.at[cls].single ||
           fail(p, at,
                "%s goes along a single `axis`, but `%s` is declared "
                "`axes`",
                what, p->classes.at[cls].name);
}

uint32_t elab_iota(struct parser *p, const struct attr_set *set, uint32_t axis,
                   struct place at)
{
    struct pat n = blank(PAT_OP, OP_IOTA, at);
    if (!single(p, axis, at, "`iota`"))
        return NONE;
    if (!(set->classes >> axis & 1)) {
        fail(p, at, "`iota`: its axis `%s` is not among its classes %s",
             p->classes.at[axis].name, classes_text(p, set->classes));
        return NONE;
    }
    n.classes = BIT(axis);
    n.type = type_fresh(p, op_kinds(OP_IOTA), "");
    set_attrs(p, &n, set);
    sizes_of_set(p, &n, set);
    return pat_push(p, &n, 0, NULL);
}

uint32_t elab_slice(struct parser *p, uint32_t arg, const struct attr_set *set,
                    struct place at)
{
    struct pat n = blank(PAT_OP, OP_SLICE, at);
    if (!present(p, arg, set->classes, at, "`slice`"))
        return NONE;
    const struct pat *a = &p->pats.at[arg];
    struct axis_size *sizes = copy_sizes(p, a);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        sizes[i].size =
            slice_result(p, sizes[i].size, set->v[sizes[i].cls], at);
        if (!sizes[i].size)
            return NONE;
    }
    n.type = a->type;
    n.n_sizes = a->n_sizes;
    n.sizes = sizes;
    set_attrs(p, &n, set);
    return pat_push(p, &n, 1, &arg);
}

uint32_t elab_pad(struct parser *p, uint32_t arg, uint32_t value,
                  const struct attr_set *set, struct place at)
{
    struct pat n = blank(PAT_OP, OP_PAD, at);
    const struct pat *v = &p->pats.at[value];
    if (v->n_sizes) {
        fail(p, v->place,
             "`pad`: expected a scalar to pad with, found the classes %s",
             classes_text(p, pat_classes(p, value)));
        return NONE;
    }
    if (!present(p, arg, set->classes, at, "`pad`") ||
        !type_unify(p, p->pats.at[arg].type, v->type, v->place, "`pad`"))
        return NONE;
    const struct pat *a = &p->pats.at[arg];
    struct axis_size *sizes = copy_sizes(p, a);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        sizes[i].size = pad_result(p, sizes[i].size, set->v[sizes[i].cls], at);
        if (!sizes[i].size)
            return NONE;
    }
    n.type = a->type;
    n.n_sizes = a->n_sizes;
    n.sizes = sizes;
    set_attrs(p, &n, set);
    uint32_t args[2] = {arg, value};
    return pat_push(p, &n, 2, args);
}

uint32_t elab_concat(struct parser *p, uint32_t n_args, const uint32_t *args,
                     uint32_t axis, struct place at)
{
    struct pat n = blank(PAT_OP, OP_CONCATENATE, at);
    if (!single(p, axis, at, "`concat`"))
        return NONE;
    uint64_t classes = pat_classes(p, args[0]);
    const struct iexp *total = number(p, 0);
    for (uint32_t i = 0; i < n_args; i++) {
        const struct pat *a = &p->pats.at[args[i]];
        if (!present(p, args[i], BIT(axis), a->place, "`concat`"))
            return NONE;
        if (pat_classes(p, args[i]) != classes) {
            fail(p, a->place,
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
                total = sum(p, total, a->sizes[k].size, at);
        if (!total)
            return NONE;
    }
    const struct pat *a = &p->pats.at[args[0]];
    struct axis_size *sizes = copy_sizes(p, a);
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
    struct pat n = blank(PAT_OP, OP_REVERSE, at);
    if (!present(p, arg, classes, at, "`reverse`"))
        return NONE;
    n.type = p->pats.at[arg].type;
    n.n_sizes = p->pats.at[arg].n_sizes;
    n.sizes = p->pats.at[arg].sizes;
    n.classes = classes;
    return pat_push(p, &n, 1, &arg);
}

uint32_t elab_reduce(struct parser *p, enum op reducer, uint32_t opvar,
                     uint32_t arg, uint64_t classes, struct place at)
{
    struct pat n = blank(PAT_OP, OP_REDUCE, at);
    if (!present(p, arg, classes, at, "`reduce`"))
        return NONE;
    const struct pat *a = &p->pats.at[arg];
    n.type = a->type;
    if (opvar != NONE
            ? !type_unify(p, p->opvars.at[opvar].result, n.type, at, "`reduce`")
            : !type_require(p, n.type, op_kinds(reducer), at, "`reduce`"))
        return NONE;
    struct axis_size *sizes = copy_sizes(p, a);
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (!(classes >> a->sizes[i].cls & 1))
            sizes[n.n_sizes++] = a->sizes[i];
    n.sizes = sizes;
    n.classes = classes;
    n.reducer = reducer;
    n.opvar = opvar;
    return pat_push(p, &n, 1, &arg);
}

uint32_t elab_relabel(struct parser *p, uint32_t arg, uint32_t n_by,
                      const struct relabel *by, struct place at)
{
    struct pat n = blank(PAT_RELABEL, N_OPS, at);
    struct attr_set set = {0};
    uint64_t have = pat_classes(p, arg);
    uint32_t to[LIMIT_CLASSES];
    for (uint32_t c = 0; c < LIMIT_CLASSES; c++)
        to[c] = c;
    for (uint32_t i = 0; i < n_by; i++) {
        if (!present(p, arg, BIT(by[i].from), at, "`relabel`"))
            return NONE;
        to[by[i].from] = by[i].to;
    }
    const struct pat *a = &p->pats.at[arg];
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        uint32_t c = to[a->sizes[i].cls];
        if (set.classes >> c & 1) {
            fail(p, at, "`relabel`: two classes of the operand %s become `%s`",
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
        return fail(p, at,
                    "`=>`: the left side has the classes %s, the right side "
                    "%s",
                    classes_text(p, left), classes_text(p, right));
    }
    p->lhs = lhs;
    p->rhs = rhs;
    return true;
}
