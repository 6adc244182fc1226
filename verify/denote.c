// SPDX-License-Identifier: Apache-2.0
// Integers: attributes, preconditions, sizes, well-definedness.
#include "verify/denote.h"

bool denote_init(struct denote *d, struct exprs *x, const struct rule *r,
                 const uint32_t *rank)
{
    *d = (struct denote){.x = x, .r = r, .max_rank = 1};
    if (r->n_classes > 64)
        return false;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        d->rank[c] = rank[c];
        if (rank[c] > d->max_rank)
            d->max_rank = rank[c];
    }
    return true;
}

void denote_release(struct denote *d)
{
    vec_release(&d->folds);
}

uint32_t denote_family(const struct rule *r, uint32_t cls)
{
    while (r->classes[cls].like != cls)
        cls = r->classes[cls].like;
    return cls;
}

uint32_t denote_part(const struct rule *r, uint32_t cls, uint32_t place)
{
    return place * r->n_classes + denote_family(r, cls);
}

expr_id denote_iexp(struct denote *d, const struct iexp *e, uint32_t place)
{
    struct exprs *x = d->x;
    if (e->op == IE_CONST)
        return expr_int(x, e->k);
    if (e->op == IE_MAP) {
        const struct map *m = &d->r->maps[e->map];
        if (m->def != NULL)
            return denote_iexp(d, m->def, place);
        return expr_var(x, VAR_MAP, e->map, place, 0,
                        denote_part(d->r, m->cls, place));
    }
    expr_id a = denote_iexp(d, e->a, place);
    expr_id b = e->b == NULL ? a : denote_iexp(d, e->b, place);
    switch (e->op) {
    case IE_ADD:
        return expr_add(x, a, b);
    case IE_SUB:
        return expr_sub(x, a, b);
    case IE_MUL:
        return expr_mul(x, a, b);
    case IE_NEG:
        return expr_neg(x, a);
    case IE_DIV:
        return expr_div(x, a, b);
    case IE_MOD:
        return expr_mod(x, a, b);
    case IE_CDIV:
        return expr_ceildiv(x, a, b);
    case IE_MIN:
        return expr_min(x, a, b);
    case IE_MAX:
        return expr_max(x, a, b);
    case IE_ABS:
        return expr_abs(x, a);
    case IE_CONST:
    case IE_MAP:
        break;
    }
    BUG("integer expression of kind %d", (int)e->op);
}

expr_id denote_defined(struct denote *d, const struct iexp *e, uint32_t place)
{
    struct exprs *x = d->x;
    expr_id all = expr_true(x);
    if (e->op == IE_CONST)
        return all;
    if (e->op == IE_MAP) {
        const struct map *m = &d->r->maps[e->map];
        return m->def == NULL ? all : denote_defined(d, m->def, place);
    }
    all = denote_defined(d, e->a, place);
    if (e->b != NULL)
        all = expr_and2(x, all, denote_defined(d, e->b, place));
    if (e->op == IE_DIV || e->op == IE_MOD || e->op == IE_CDIV) {
        expr_id b = denote_iexp(d, e->b, place);
        all = expr_and2(x, all, expr_not(x, expr_eq(x, b, expr_int(x, 0))));
    }
    return all;
}

static expr_id comparison(struct denote *d, const struct cond *c,
                          uint32_t place)
{
    struct exprs *x = d->x;
    expr_id a = denote_iexp(d, c->a, place), b = denote_iexp(d, c->b, place);
    switch (c->op) {
    case COND_LE:
        return expr_le(x, a, b);
    case COND_LT:
        return expr_lt(x, a, b);
    case COND_EQ:
        return expr_eq(x, a, b);
    default:
        return expr_not(x, expr_eq(x, a, b));
    }
}

expr_id denote_cond(struct denote *d, const struct cond *c, uint32_t place,
                    bool wanted)
{
    struct exprs *x = d->x;
    if (c->op == COND_NOT)
        return denote_cond(d, c->l, place, !wanted);
    if (c->op == COND_AND || c->op == COND_OR) {
        expr_id l = denote_cond(d, c->l, place, wanted);
        expr_id r = denote_cond(d, c->r, place, wanted);
        return (c->op == COND_AND) == wanted ? expr_and2(x, l, r)
                                             : expr_or2(x, l, r);
    }
    expr_id p = comparison(d, c, place);
    expr_id all[] = {denote_defined(d, c->a, place),
                     denote_defined(d, c->b, place),
                     wanted ? p : expr_not(x, p)};
    return expr_and(x, 3, all);
}

static const struct axis_size *size_of(uint32_t n, const struct axis_size *s,
                                       uint32_t cls)
{
    for (uint32_t i = 0; i < n; i++)
        if (s[i].cls == cls)
            return &s[i];
    return NULL;
}

static const struct pat_attr *attr_of(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_attrs; i++)
        if (p->attrs[i].cls == cls)
            return &p->attrs[i];
    return NULL;
}

static bool bit(uint64_t set, uint32_t cls)
{
    return cls < 64 && (set >> cls & 1) != 0;
}

// The class of the operand that becomes class `to` under a relabel.
static uint32_t relabel_source(const struct pat *p, uint32_t to)
{
    for (uint32_t i = 0; i < p->n_relabels; i++)
        if (p->relabels[i].to == to)
            return p->relabels[i].from;
    for (uint32_t i = 0; i < p->n_relabels; i++)
        if (p->relabels[i].from == to)
            return NONE; // renamed away, and nothing renamed to it
    return to;
}

// What a pattern's result sizes come from.
enum size_source { FROM_DECLARATION, FROM_PATTERN, FROM_OPERAND };

static enum size_source size_source(const struct pat *p)
{
    if (p->kind == PAT_TENSOR)
        return FROM_DECLARATION;
    if (p->kind == PAT_SCALAR || p->kind == PAT_LITERAL ||
        p->kind == PAT_SPLAT || (p->kind == PAT_OP && p->op == OP_IOTA))
        return FROM_PATTERN;
    return FROM_OPERAND;
}

bool denote_has_class(struct denote *d, uint32_t pat, uint32_t cls)
{
    const struct pat *p = &d->r->pats[pat];
    switch (size_source(p)) {
    case FROM_DECLARATION: {
        const struct tensor_var *t = &d->r->tensors[p->var];
        return size_of(t->n_sizes, t->sizes, cls) != NULL;
    }
    case FROM_PATTERN:
        return size_of(p->n_sizes, p->sizes, cls) != NULL;
    case FROM_OPERAND:
        break;
    }
    if (p->kind == PAT_RELABEL) {
        uint32_t from = relabel_source(p, cls);
        return from != NONE && denote_has_class(d, p->args[0], from);
    }
    if (p->kind == PAT_OP && p->op == OP_REDUCE && bit(p->classes, cls))
        return false;
    if (p->kind == PAT_OP && p->op == OP_BROADCAST_IN_DIM &&
        attr_of(p, cls) != NULL)
        return true;
    return denote_has_class(d, p->args[0], cls);
}

static expr_id slice_size_of(struct denote *d, const struct pat *p,
                             const struct pat_attr *a, uint32_t cls,
                             uint32_t place)
{
    struct exprs *x = d->x;
    expr_id start = a->v[0] ? denote_iexp(d, a->v[0], place) : expr_int(x, 0);
    expr_id limit = a->v[1] ? denote_iexp(d, a->v[1], place)
                            : denote_size(d, p->args[0], cls, place);
    expr_id stride = a->v[2] ? denote_iexp(d, a->v[2], place) : expr_int(x, 1);
    return expr_ceildiv(x, expr_sub(x, limit, start), stride);
}

static expr_id pad_size_of(struct denote *d, const struct pat *p,
                           const struct pat_attr *a, uint32_t cls,
                           uint32_t place)
{
    struct exprs *x = d->x;
    expr_id n = denote_size(d, p->args[0], cls, place);
    expr_id zero = expr_int(x, 0), one = expr_int(x, 1);
    if (a->v[2] != NULL) {
        expr_id holes =
            expr_mul(x, expr_sub(x, n, one), denote_iexp(d, a->v[2], place));
        n = expr_add(x, n, expr_if(x, expr_le(x, one, n), holes, zero));
    }
    for (int i = 0; i < 2; i++)
        if (a->v[i] != NULL)
            n = expr_add(x, n, denote_iexp(d, a->v[i], place));
    return n;
}

expr_id denote_size(struct denote *d, uint32_t pat, uint32_t cls,
                    uint32_t place)
{
    const struct pat *p = &d->r->pats[pat];
    const struct axis_size *s = NULL;
    switch (size_source(p)) {
    case FROM_DECLARATION:
        s = size_of(d->r->tensors[p->var].n_sizes, d->r->tensors[p->var].sizes,
                    cls);
        return denote_iexp(d, s->size, place);
    case FROM_PATTERN:
        s = size_of(p->n_sizes, p->sizes, cls);
        return denote_iexp(d, s->size, place);
    case FROM_OPERAND:
        break;
    }
    if (p->kind == PAT_RELABEL)
        return denote_size(d, p->args[0], relabel_source(p, cls), place);
    const struct pat_attr *a = attr_of(p, cls);
    if (p->kind == PAT_OP && a != NULL) {
        if (p->op == OP_BROADCAST_IN_DIM)
            return denote_iexp(d, a->v[0], place);
        if (p->op == OP_SLICE)
            return slice_size_of(d, p, a, cls, place);
        if (p->op == OP_PAD)
            return pad_size_of(d, p, a, cls, place);
    }
    expr_id n = denote_size(d, p->args[0], cls, place);
    if (p->kind == PAT_OP && p->op == OP_CONCATENATE && bit(p->classes, cls))
        for (uint32_t i = 1; i < p->n_args; i++)
            n = expr_add(d->x, n, denote_size(d, p->args[i], cls, place));
    return n;
}

struct site {
    uint32_t pat, cls, place;
};

static void demand(struct denote *d, struct clauses *out, struct site s,
                   expr_id cond, const char *what)
{
    if (d->x->node.at[cond].kind == X_TRUE)
        return;
    struct clause c = {cond, denote_family(d->r, s.cls), s.place, s.cls, what,
                       s.pat};
    vec_push(&out->at, c);
}

static void demand_defined(struct denote *d, struct clauses *out, struct site s,
                           const struct iexp *e)
{
    demand(d, out, s, denote_defined(d, e, s.place), "a divisor is not 0");
}

static void demand_size(struct denote *d, struct clauses *out, struct site s,
                        const struct iexp *size)
{
    demand_defined(d, out, s, size);
    demand(d, out, s,
           expr_le(d->x, expr_int(d->x, 0), denote_iexp(d, size, s.place)),
           "a size is not negative");
}

static void valid_slice(struct denote *d, const struct pat *p,
                        const struct pat_attr *a, struct site s,
                        struct clauses *out)
{
    struct exprs *x = d->x;
    expr_id zero = expr_int(x, 0), one = expr_int(x, 1);
    expr_id n = denote_size(d, p->args[0], s.cls, s.place);
    expr_id start = a->v[0] ? denote_iexp(d, a->v[0], s.place) : zero;
    expr_id limit = a->v[1] ? denote_iexp(d, a->v[1], s.place) : n;
    expr_id stride = a->v[2] ? denote_iexp(d, a->v[2], s.place) : one;
    demand(d, out, s, expr_le(x, one, stride), "slice: stride >= 1");
    demand(d, out, s, expr_le(x, zero, start), "slice: 0 <= start");
    demand(d, out, s, expr_le(x, start, limit), "slice: start <= limit");
    demand(d, out, s, expr_le(x, limit, n), "slice: limit <= size");
}

static void valid_attr(struct denote *d, const struct pat *p,
                       const struct pat_attr *a, struct site s,
                       struct clauses *out)
{
    struct exprs *x = d->x;
    expr_id zero = expr_int(x, 0);
    for (int i = 0; i < 3; i++)
        if (a->v[i] != NULL)
            demand_defined(d, out, s, a->v[i]);
    if (p->op == OP_SLICE) {
        valid_slice(d, p, a, s, out);
    } else if (p->op == OP_PAD) {
        if (a->v[2] != NULL)
            demand(d, out, s,
                   expr_le(x, zero, denote_iexp(d, a->v[2], s.place)),
                   "pad: interior >= 0");
        demand(d, out, s,
               expr_le(x, zero, pad_size_of(d, p, a, s.cls, s.place)),
               "pad: size >= 0");
    } else if (p->op == OP_BROADCAST_IN_DIM) {
        demand_size(d, out, s, a->v[0]);
    }
}

// Operands of equal shape (but for the axis of a concat).
static void valid_operands(struct denote *d, uint32_t pat, uint64_t but,
                           struct clauses *out)
{
    const struct pat *p = &d->r->pats[pat];
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        bool has = denote_has_class(d, p->args[0], c);
        for (uint32_t i = 1; i < p->n_args; i++) {
            if (denote_has_class(d, p->args[i], c) != has)
                d->failure = "operands have different axis classes";
            else if (has && !bit(but, c))
                for (uint32_t k = 0; k < d->rank[c]; k++)
                    demand(d, out, (struct site){pat, c, k},
                           expr_eq(d->x, denote_size(d, p->args[0], c, k),
                                   denote_size(d, p->args[i], c, k)),
                           "operands have equal sizes");
        }
    }
}

static void valid_declared(struct denote *d, uint32_t pat, uint32_t n,
                           const struct axis_size *sizes, struct clauses *out)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < d->rank[sizes[i].cls]; k++)
            demand_size(d, out, (struct site){pat, sizes[i].cls, k},
                        sizes[i].size);
}

static void check_relabel(struct denote *d, const struct pat *p)
{
    for (uint32_t i = 0; i < p->n_relabels; i++) {
        const struct relabel *a = &p->relabels[i];
        if (!denote_has_class(d, p->args[0], a->from))
            d->failure = "relabel: a class that is not there";
        if (denote_family(d->r, a->from) != denote_family(d->r, a->to))
            d->failure = "relabel: classes of different rank classes";
        for (uint32_t j = 0; j < i; j++)
            if (p->relabels[j].from == a->from || p->relabels[j].to == a->to)
                d->failure = "relabel: a class named twice";
    }
}

// Classes that an operator needs, or must not find, in its operand.
static void check_classes(struct denote *d, const struct pat *p)
{
    if (p->kind == PAT_RELABEL)
        check_relabel(d, p);
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        bool has = p->n_args > 0 && denote_has_class(d, p->args[0], c);
        bool named = bit(p->classes, c) || attr_of(p, c) != NULL;
        if (p->kind == PAT_RELABEL) {
            bool moved = relabel_source(p, c) != c;
            uint32_t from = relabel_source(p, c);
            // A class that keeps its name must not meet one renamed to it.
            if (has && moved && from != NONE) {
                bool gone = false;
                for (uint32_t i = 0; i < p->n_relabels; i++)
                    gone |= p->relabels[i].from == c;
                if (!gone)
                    d->failure = "relabel: two classes get one name";
            }
            continue;
        }
        if (p->kind != PAT_OP || !named)
            continue;
        bool makes = p->op == OP_BROADCAST_IN_DIM;
        if (p->op != OP_IOTA && has == makes)
            d->failure = makes ? "broadcast to a class that is there already"
                               : "an operator names a class that is not there";
        if ((p->op == OP_IOTA || p->op == OP_CONCATENATE) &&
            bit(p->classes, c) && !d->r->classes[c].single)
            d->failure = "iota and concat need a class of one axis";
    }
}

static bool same_shape_operands(const struct pat *p)
{
    return p->kind == PAT_OPVAR ||
           (p->kind == PAT_OP && op_is_elementwise(p->op));
}

void denote_valid(struct denote *d, uint32_t root, struct clauses *out)
{
    const struct pat *p = &d->r->pats[root];
    bool pad = p->kind == PAT_OP && p->op == OP_PAD;
    for (uint32_t i = 0; i < p->n_args; i++)
        denote_valid(d, p->args[i], out);
    check_classes(d, p);
    if (p->kind == PAT_TENSOR) {
        const struct tensor_var *t = &d->r->tensors[p->var];
        valid_declared(d, root, t->n_sizes, t->sizes, out);
    } else if (size_source(p) == FROM_PATTERN) {
        valid_declared(d, root, p->n_sizes, p->sizes, out);
    } else if (same_shape_operands(p)) {
        valid_operands(d, root, 0, out);
    } else if (p->kind == PAT_OP && p->op == OP_CONCATENATE) {
        valid_operands(d, root, p->classes, out);
    } else if (p->kind == PAT_OP) {
        for (uint32_t i = 0; i < p->n_attrs; i++)
            for (uint32_t k = 0; k < d->rank[p->attrs[i].cls]; k++)
                valid_attr(d, p, &p->attrs[i],
                           (struct site){root, p->attrs[i].cls, k}, out);
    }
    for (uint32_t c = 0; pad && c < d->r->n_classes; c++)
        if (denote_has_class(d, p->args[1], c))
            d->failure = "the value of a pad has axes";
}

void denote_where(struct denote *d, struct clauses *out)
{
    for (uint32_t w = 0; w < d->r->n_wheres; w++) {
        const struct where *q = &d->r->wheres[w];
        if (q->cond == NULL)
            continue;
        for (uint32_t k = 0; k < d->rank[q->family]; k++) {
            struct site s = {NONE, q->family, k};
            demand(d, out, s, denote_cond(d, q->cond, k, true), "precondition");
        }
    }
}
