// SPDX-License-Identifier: Apache-2.0
// What makes a node well-defined, as relations between the integer expressions
// of one rank family.  They guide the choice of map values only: rule_ground
// says what is an instance.
#include "verify/counterexample/parts.h"

static const struct iexp zero = {.op = IE_CONST, .k = 0};
static const struct iexp one = {.op = IE_CONST, .k = 1};

struct check_list {
    const struct rule *r;
    const struct pat *p;
    struct arena *mem;
    cex_check_vec *out;
};

const struct iexp *cex_size_in(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].cls == cls)
            return p->sizes[i].size;
    return NULL;
}

static const struct iexp *attr_in(const struct pat *p, uint32_t cls, uint32_t k,
                                  const struct iexp *other)
{
    for (uint32_t i = 0; i < p->n_attrs; i++)
        if (p->attrs[i].cls == cls && p->attrs[i].v[k] != NULL)
            return p->attrs[i].v[k];
    return other;
}

static const struct pat *arg(const struct check_list *l, uint32_t k)
{
    return &l->r->pats[l->p->args[k]];
}

static void put(struct check_list *l, enum cex_check_kind kind, uint32_t cls,
                const struct iexp *a, const struct iexp *b)
{
    if (a != NULL && b != NULL && (kind != CEX_CHECK_EQ || a != b))
        vec_push(l->out, ((struct cex_check){
                             .kind = kind, .cls = cls, .a = a, .b = b}));
}

static void le(struct check_list *l, uint32_t cls, const struct iexp *a,
               const struct iexp *b)
{
    put(l, CEX_CHECK_LE, cls, a, b);
}

static void eq(struct check_list *l, uint32_t cls, const struct iexp *a,
               const struct iexp *b)
{
    put(l, CEX_CHECK_EQ, cls, a, b);
}

// Arguments j and k have equal sizes in the classes of both.
static void agree(struct check_list *l, uint32_t j, uint32_t k)
{
    const struct pat *a = arg(l, j);
    for (uint32_t i = 0; i < a->n_sizes; i++)
        eq(l, a->sizes[i].cls, a->sizes[i].size,
           cex_size_in(arg(l, k), a->sizes[i].cls));
}

static const struct iexp *product(struct check_list *l, const struct iexp *a,
                                  const struct iexp *b)
{
    struct iexp *x = ARENA_NEW(l->mem, struct iexp, 1);
    if (a == NULL || b == NULL)
        return NULL;
    *x = (struct iexp){
        .op = IE_MUL, .a = a, .b = b, .nodes = a->nodes + b->nodes + 1};
    return a == &one ? b : b == &one ? a : x;
}

static void slice(struct check_list *l)
{
    for (uint32_t i = 0; i < l->p->n_sizes; i++) {
        uint32_t c = l->p->sizes[i].cls;
        const struct iexp *n = cex_size_in(arg(l, 0), c);
        const struct iexp *low = attr_in(l->p, c, 0, &zero);
        const struct iexp *high = attr_in(l->p, c, 1, n);
        le(l, c, &zero, low);
        le(l, c, low, high);
        le(l, c, high, n);
        le(l, c, &one, attr_in(l->p, c, 2, &one));
    }
}

static void pad(struct check_list *l)
{
    for (uint32_t i = 0; i < l->p->n_sizes; i++) {
        uint32_t c = l->p->sizes[i].cls;
        struct cex_check k = {.kind = CEX_CHECK_PAD,
                              .cls = c,
                              .a = cex_size_in(arg(l, 0), c),
                              .b = attr_in(l->p, c, 0, &zero),
                              .c = attr_in(l->p, c, 1, &zero),
                              .d = attr_in(l->p, c, 2, &zero)};
        vec_push(l->out, k);
    }
}

// Attributes from `first` on that have to be positive.
static void positive(struct check_list *l, uint32_t n, const uint32_t *attrs)
{
    for (uint32_t i = 0; i < l->p->n_attrs; i++)
        for (uint32_t k = 0; k < n; k++)
            le(l, l->p->attrs[i].cls, &one, l->p->attrs[i].v[attrs[k]]);
}

static void convolution(struct check_list *l)
{
    static const uint32_t at_least_1[] = {0, 3, 4};
    const struct pat *in = arg(l, 0), *kernel = arg(l, 1);
    const struct iexp *groups =
        l->p->feature_groups != NULL ? l->p->feature_groups : &one;
    positive(l, 3, at_least_1);
    for (uint32_t i = 0; i < in->n_sizes; i++) {
        uint32_t c = in->sizes[i].cls;
        if (l->p->classes >> c & 1)
            eq(l, c, in->sizes[i].size,
               product(l, cex_size_in(kernel, c), groups));
    }
}

static void dynamic_slice(struct check_list *l)
{
    for (uint32_t i = 0; i < l->p->n_attrs; i++) {
        uint32_t c = l->p->attrs[i].cls;
        le(l, c, &zero, l->p->attrs[i].v[1]);
        le(l, c, l->p->attrs[i].v[1], cex_size_in(arg(l, 0), c));
    }
}

static void gather(struct check_list *l)
{
    const struct pat *in = arg(l, 0);
    for (uint32_t i = 0; i < in->n_sizes; i++) {
        uint32_t c = in->sizes[i].cls;
        if (l->p->classes >> c & 1) {
            const struct iexp *m = attr_in(l->p, c, 0, &one);
            le(l, c, &zero, m);
            le(l, c, m, in->sizes[i].size);
        } else if (l->p->batch >> c & 1) {
            eq(l, c, in->sizes[i].size, cex_size_in(arg(l, 1), c));
        }
    }
}

static void scatter(struct check_list *l)
{
    const struct pat *in = arg(l, 0), *at = arg(l, 1), *u = arg(l, 2);
    for (uint32_t i = 0; i < in->n_sizes; i++)
        if (l->p->batch >> in->sizes[i].cls & 1)
            eq(l, in->sizes[i].cls, in->sizes[i].size,
               cex_size_in(at, in->sizes[i].cls));
    for (uint32_t i = 0; i < u->n_sizes; i++) {
        uint32_t c = u->sizes[i].cls;
        const struct iexp *n = cex_size_in(at, c);
        eq(l, c, u->sizes[i].size, n != NULL ? n : cex_size_in(in, c));
    }
}

static void regroup(struct check_list *l, const struct reshape_group *g)
{
    const struct iexp *from = &one, *to = &one;
    for (uint32_t i = 0; i < g->n_to; i++)
        le(l, g->to[i].cls, &zero, g->to[i].size);
    for (uint32_t i = 0; g->n_to == 0 && i < g->n_from; i++)
        eq(l, g->from[i], cex_size_in(arg(l, 0), g->from[i]), &one);
    for (uint32_t i = 0; g->n_from == 0 && i < g->n_to; i++)
        eq(l, g->to[i].cls, g->to[i].size, &one);
    if (g->n_from == 0 || g->n_to == 0)
        return;
    for (uint32_t i = 0; i < g->n_from; i++)
        from = product(l, from, cex_size_in(arg(l, 0), g->from[i]));
    for (uint32_t i = 0; i < g->n_to; i++)
        to = product(l, to, g->to[i].size);
    eq(l, g->from[0], from, to);
}

static void operator_checks(struct check_list *l)
{
    static const uint32_t window[] = {0, 1, 4, 5};
    const struct pat *p = l->p;
    switch (p->op) {
    case OP_SLICE:
        slice(l);
        break;
    case OP_PAD:
        pad(l);
        break;
    case OP_DOT_GENERAL:
        agree(l, 0, 1);
        break;
    case OP_CONVOLUTION:
        convolution(l);
        break;
    case OP_REDUCE_WINDOW:
        positive(l, 4, window);
        break;
    case OP_DYNAMIC_SLICE:
        dynamic_slice(l);
        break;
    case OP_DYNAMIC_UPDATE_SLICE:
        for (uint32_t i = 0; i < arg(l, 1)->n_sizes; i++)
            le(l, arg(l, 1)->sizes[i].cls, arg(l, 1)->sizes[i].size,
               cex_size_in(arg(l, 0), arg(l, 1)->sizes[i].cls));
        break;
    case OP_GATHER:
        gather(l);
        break;
    case OP_SCATTER:
        scatter(l);
        break;
    case OP_RESHAPE:
        for (uint32_t g = 0; g < p->n_groups; g++)
            regroup(l, &p->groups[g]);
        break;
    default:
        break;
    }
}

void cex_node_checks(const struct rule *r, const struct pat *p,
                     struct arena *mem, cex_check_vec *out)
{
    struct check_list l = {r, p, mem, out};
    bool op = p->kind == PAT_OP;
    bool each = p->kind == PAT_OPVAR || (op && op_is_elementwise(p->op));
    bool joins = op && p->op == OP_CONCATENATE;
    bool fresh = p->kind == PAT_TENSOR || p->kind == PAT_SPLAT ||
                 (op && (p->op == OP_IOTA || p->op == OP_BROADCAST_IN_DIM));
    for (uint32_t i = 0; i < p->n_sizes; i++) {
        uint32_t c = p->sizes[i].cls;
        if (fresh)
            le(&l, c, &zero, p->sizes[i].size);
        if (!each && !(joins && !(p->classes >> c & 1)))
            continue;
        for (uint32_t k = 1; k < p->n_args; k++)
            eq(&l, c, cex_size_in(arg(&l, 0), c), cex_size_in(arg(&l, k), c));
    }
    if (op)
        operator_checks(&l);
}
