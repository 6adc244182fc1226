// SPDX-License-Identifier: Apache-2.0
// Do the element conditions contradict each other?  They are pointwise, so one
// element for each tensor and scalar decides: tensors that have it everywhere
// meet the conditions at every index.  The elements are looked for by
// evaluation, among small numbers, special values, and the neighbours of the
// numbers that the conditions name.  A condition that counts along an axis only
// defines a tensor of integers that no other condition speaks of, so it can be
// met at every index whatever the rest is.
#include "tensor/eval/eval.h"
#include "verify/symbolic/eval.h"
#include "verify/obligations/session.h"
#include <math.h>

#define N_ROUNDS 20000

struct condition_search {
    struct session *s;
    struct denote d;
    struct u32_vec conds;     // elements that must be true
    VEC(int64_t) near;        // numbers in the conditions
    struct i64_vec index;     // every index is 0
    enum elem *elem;          // per type variable
    struct op_binding *op;    // per operator variable
    struct scalar *of_tensor; // the element of each tensor variable
    struct scalar *of_scalar;
};

static bool below(const struct rule *r, uint32_t pat, enum op op,
                  uint32_t tensor)
{
    const struct pat *p = &r->pats[pat];
    bool found = (p->kind == PAT_OP && p->op == op) ||
                 (p->kind == PAT_TENSOR && p->var == tensor);
    for (uint32_t i = 0; i < p->n_args && !found; i++)
        found = below(r, p->args[i], op, tensor);
    return found;
}

bool condition_counts(const struct rule *r, uint32_t where)
{
    return r->wheres[where].cond == NULL &&
           below(r, r->wheres[where].pat, OP_IOTA, NONE);
}

// A number at every index, whatever the tensors and scalars in it are.
static bool total(const struct rule *r, uint32_t pat)
{
    const struct pat *p = &r->pats[pat];
    bool ring = p->kind == PAT_OP &&
                (p->op == OP_IOTA || p->op == OP_ADD || p->op == OP_SUBTRACT ||
                 p->op == OP_MULTIPLY || p->op == OP_NEGATE);
    bool number = p->kind == PAT_LITERAL && p->lit == LIT_INT;
    bool all = ring || number || p->kind == PAT_TENSOR ||
               p->kind == PAT_SCALAR || p->kind == PAT_SPLAT;
    for (uint32_t i = 0; i < p->n_args && all; i++)
        all = total(r, p->args[i]);
    return all;
}

bool condition_defines(const struct rule *r, uint32_t where)
{
    const struct pat *p = &r->pats[r->wheres[where].pat];
    if (r->wheres[where].cond != NULL || p->kind != PAT_OP ||
        p->op != OP_COMPARE || p->dir != CMP_EQ)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        const struct pat *t = &r->pats[p->args[i]];
        unsigned kinds = r->types[t->type].kinds;
        bool alone = t->kind == PAT_TENSOR && t->n_sizes == p->n_sizes &&
                     (kinds & ~(unsigned)(KIND_SINT | KIND_UINT)) == 0 &&
                     total(r, p->args[1 - i]) &&
                     !below(r, p->args[1 - i], N_OPS, t->var);
        for (uint32_t w = 0; w < r->n_wheres && alone; w++)
            alone = w == where || r->wheres[w].cond != NULL ||
                    !below(r, r->wheres[w].pat, N_OPS, t->var);
        if (alone)
            return true;
    }
    return false;
}

static bool read_tensor(void *ctx, uint32_t tensor, uint32_t n,
                        const int64_t *index, struct scalar *out)
{
    (void)n;
    (void)index;
    *out = ((struct condition_search *)ctx)->of_tensor[tensor];
    return true;
}

static struct scalar read_scalar(void *ctx, uint32_t scalar)
{
    return ((struct condition_search *)ctx)->of_scalar[scalar];
}

// A type for the variable in the domain, or in its counterpart; machine types
// take turns.
static enum elem choose_type(const struct rule *r, uint32_t type, enum domain d,
                             uint32_t round)
{
    static const enum elem sint[] = {ELEM_I32, ELEM_I64, ELEM_I8, ELEM_I32};
    static const enum elem uint[] = {ELEM_UI32, ELEM_UI64, ELEM_UI8, ELEM_UI32};
    static const enum elem real[] = {ELEM_F32, ELEM_F64, ELEM_F16, ELEM_BF16};
    unsigned kinds = r->types[type].kinds & domain_kinds(d);
    bool ideal = d == DOMAIN_INT || d == DOMAIN_REAL;
    if (kinds == 0)
        kinds = r->types[type].kinds;
    if (kinds == KIND_BOOL || d == DOMAIN_BOOL)
        return ELEM_I1;
    if (kinds & (KIND_SINT | KIND_UINT)) {
        bool is_signed = (kinds & KIND_SINT) != 0 &&
                         ((kinds & KIND_UINT) == 0 || round / 4 % 2 == 0);
        return ideal ? ELEM_INT : is_signed ? sint[round % 4] : uint[round % 4];
    }
    return ideal ? ELEM_REAL : real[round % 4];
}

static struct scalar choose_element(struct condition_search *h, enum elem t,
                                    struct rng *rng, uint32_t round)
{
    bool floats = elem_kind(t) == KIND_FLOAT;
    int64_t most = 2 + (int64_t)(round / 64);
    uint64_t how = rng_below(rng, 8);
    if (t == ELEM_I1)
        return scalar_of_int(t, (int64_t)rng_below(rng, 2));
    if (how == 0 && !elem_is_ideal(t))
        return rng_below(rng, 2) ? scalar_lowest(t) : scalar_highest(t);
    if (how == 1 && floats && !elem_is_ideal(t))
        return scalar_of_double(t, rng_below(rng, 2) ? (double)NAN : -0.0);
    if (how <= 3 && h->near.len > 0) {
        int64_t k = h->near.at[rng_below(rng, h->near.len)];
        bool ends = k == INT64_MAX || k == INT64_MIN;
        return scalar_of_int(t, ends ? k : k + rng_range(rng, -1, 1));
    }
    if (how == 4 && floats)
        return scalar_of_double(t, (double)rng_range(rng, -most, most) / 8);
    return scalar_of_int(t, rng_range(rng, -most, most));
}

// Operator variables on one type stand for one of these operators; others are
// not tried.
static enum op choose_op(const struct op_var *v, enum elem t, struct rng *rng)
{
    static const enum op unary[] = {OP_NEGATE, OP_ABS, OP_SIGN};
    static const enum op binary[] = {OP_MAXIMUM, OP_MINIMUM, OP_ADD,
                                     OP_SUBTRACT};
    for (uint32_t i = 0; i < v->n_args; i++)
        if (v->args[i] != v->result)
            return N_OPS;
    if (v->n_args == 1)
        return t == ELEM_I1 ? OP_NOT : unary[rng_below(rng, 3)];
    if (v->n_args != 2)
        return N_OPS;
    return binary[rng_below(rng, v->kind == OPVAR_MONOID ? 2
                                 : t == ELEM_I1          ? 3
                                                         : 4)];
}

static bool choose(struct condition_search *h, enum domain d, struct rng *rng,
                   uint32_t round)
{
    const struct rule *r = h->s->r;
    for (uint32_t i = 0; i < r->n_types; i++)
        h->elem[i] = choose_type(r, i, d, round);
    for (uint32_t i = 0; i < r->n_opvars; i++) {
        enum op op =
            choose_op(&r->opvars[i], h->elem[r->opvars[i].result], rng);
        if (op == N_OPS)
            return false;
        h->op[i] = (struct op_binding){op, NO_ATTR};
    }
    for (uint32_t i = 0; i < r->n_tensors; i++)
        h->of_tensor[i] =
            choose_element(h, h->elem[r->tensors[i].type], rng, round);
    for (uint32_t i = 0; i < r->n_scalars; i++)
        h->of_scalar[i] =
            choose_element(h, h->elem[r->scalars[i].type], rng, round);
    return true;
}

static bool all_true(struct condition_search *h)
{
    struct eval_env env = {.x = &h->s->x,
                           .value = h->index.at,
                           .n_values = h->index.len,
                           .r = h->s->r,
                           .elem = h->elem,
                           .op = h->op,
                           .tensor = read_tensor,
                           .scalar = read_scalar,
                           .ctx = h};
    for (uint32_t i = 0; i < h->conds.len; i++) {
        struct scalar v;
        if (!eval_elem(&env, h->conds.at[i], &v) || v.bits == 0)
            return false;
    }
    return true;
}

static void collect(struct condition_search *h)
{
    struct exprs *x = &h->s->x;
    const struct rule *r = h->s->r;
    for (uint32_t w = 0; w < r->n_wheres; w++) {
        struct u32_vec reach = {0};
        if (r->wheres[w].cond != NULL ||
            (condition_counts(r, w) && condition_defines(r, w)))
            continue;
        expr_id *index = denote_new_index(&h->d);
        denote_out_index(&h->d, r->wheres[w].pat, index);
        expr_id e = denote_element(&h->d, r->wheres[w].pat, index);
        vec_push(&h->conds, e);
        expr_reach(x, e, &reach);
        for (uint32_t i = 0; i < reach.len; i++)
            if (expr_at(x, reach.at[i])->kind == X_LITERAL)
                vec_push(&h->near, expr_at(x, reach.at[i])->k);
        vec_release(&reach);
        mem_free(index);
    }
    for (uint32_t i = 0; i < x->var.len; i++)
        vec_push(&h->index, 0);
}

bool conditions_have_model(struct session *s, enum domain d)
{
    const struct rule *r = s->r;
    struct condition_search h = {.s = s};
    struct rng rng;
    uint32_t rank[64];
    bool found = false;
    for (uint32_t c = 0; c < 64; c++)
        rank[c] = 1;
    if (!denote_init(&h.d, &s->x, r, rank))
        return false;
    collect(&h);
    h.elem = ARENA_NEW(s->mem, enum elem, r->n_types + 1);
    h.op = ARENA_NEW(s->mem, struct op_binding, r->n_opvars + 1);
    h.of_tensor = ARENA_NEW(s->mem, struct scalar, r->n_tensors + 1);
    h.of_scalar = ARENA_NEW(s->mem, struct scalar, r->n_scalars + 1);
    rng_seed(&rng, 1);
    for (uint32_t i = 0; i < N_ROUNDS && !found && h.conds.len > 0; i++)
        found = choose(&h, d, &rng, i) && all_true(&h);
    found |= h.conds.len == 0 && h.d.failure == NULL;
    vec_release(&h.conds);
    vec_release(&h.near);
    vec_release(&h.index);
    denote_release(&h.d);
    return found;
}
