// SPDX-License-Identifier: Apache-2.0
// In which order the atoms of a query are looked for.
#include "egraph/plain/plain.h"

uint32_t plain_uses(const struct plain_rule *q, uint32_t var)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        n += q->atom[i].cls == var;
        for (uint32_t k = 0; k < q->atom[i].n; k++)
            n += q->atom[i].arg[k] == var;
    }
    return n;
}

static uint64_t binds(const struct plain_atom *a)
{
    uint64_t m = UINT64_C(1) << a->cls;
    for (uint32_t k = 0; k < a->n; k++)
        m |= UINT64_C(1) << a->arg[k];
    return m;
}

static bool known(uint64_t bound, uint32_t var)
{
    return bound >> var & 1;
}

// The cheapest way to the next atom: a lookup, its class, an argument.
static struct plain_step next_step(const struct plain_rule *q, uint64_t bound,
                             const bool *done)
{
    struct plain_step best = {.kind = STEP_SCAN, .atom = CC_NONE};
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        const struct plain_atom *a = &q->atom[i];
        if (done[i])
            continue;
        struct plain_step s = {.kind = STEP_LOOKUP, .atom = i, .via = CC_NONE};
        for (uint32_t k = 0; k < a->n; k++) {
            if (!known(bound, a->arg[k]))
                s.kind = STEP_SCAN;
            else if (s.via == CC_NONE)
                s.via = k;
        }
        if (a->op == ATOM_ANY)
            s.kind = known(bound, a->cls) ? STEP_LOOKUP : STEP_SCAN;
        else if (s.kind == STEP_SCAN && known(bound, a->cls))
            s.kind = STEP_DOWN;
        else if (s.kind == STEP_SCAN && s.via != CC_NONE)
            s.kind = STEP_UP;
        if (best.atom == CC_NONE || s.kind < best.kind)
            best = s;
    }
    best.known = bound;
    return best;
}

static void add_checks(struct plain_rules *p, const struct plain_rule *q,
                       struct plain_step *s, uint32_t n, const bool *done)
{
    uint64_t fresh = binds(&q->atom[s->atom]) & ~s->known;
    s->check = ARENA_NEW(&p->mem, struct step_check, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (!done[i] && q->atom[i].op != ATOM_ANY &&
            known(fresh, q->atom[i].cls))
            s->check[s->n_checks++] =
                (struct step_check){q->atom[i].cls, cc_op_bit(q->atom[i].op)};
}

static void mark_same(const struct plain_rule *q, struct plain_step *s)
{
    const struct plain_atom *a = &q->atom[s->atom];
    uint64_t bound = s->known | UINT64_C(1) << a->cls;
    s->same = known(s->known, a->cls);
    for (uint32_t k = 0; k < a->n; k++) {
        s->same |= (uint64_t)known(bound, a->arg[k]) << (k + 1);
        bound |= UINT64_C(1) << a->arg[k];
    }
    s->n = a->n;
    s->cls = a->cls;
    s->a = a->n > 0 ? a->arg[0] : 0;
    s->b = a->n > 1 ? a->arg[1] : 0;
}

// The steps behind the first, or all.
static void fill(struct plain_rules *p, const struct plain_rule *q,
                 struct plain_step *s, uint32_t from, uint64_t bound, bool *done)
{
    for (uint32_t k = from; k < q->n_atoms; k++) {
        s[k] = next_step(q, bound, done);
        s[k].age = from > 0 && s[k].atom < s[0].atom ? AGE_OLD : AGE_ANY;
        mark_same(q, &s[k]);
        done[s[k].atom] = true;
        bound |= binds(&q->atom[s[k].atom]);
        add_checks(p, q, &s[k], q->n_atoms, done);
    }
}

static void make_plans(struct plain_rules *p, struct plain_rule *q)
{
    q->plan = ARENA_NEW(&p->mem, struct plain_step *, q->n_atoms + 1);
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        bool done[PLAIN_MAX_ATOMS] = {false};
        struct plain_step *s = ARENA_NEW(&p->mem, struct plain_step, q->n_atoms);
        q->plan[i] = s;
        s[0] = (struct plain_step){.kind = STEP_FIRST, .atom = i};
        mark_same(q, &s[0]);
        done[i] = true;
        add_checks(p, q, &s[0], q->n_atoms, done);
        fill(p, q, s, 1, binds(&q->atom[i]), done);
    }
    bool done[PLAIN_MAX_ATOMS] = {false};
    struct plain_step *s = ARENA_NEW(&p->mem, struct plain_step, q->n_atoms);
    q->plan[q->n_atoms] = s;
    if (q->left != CC_NONE)
        fill(p, q, s, 0, UINT64_C(1) << q->left, done);
}

static bool guarded(const struct plain_rule *q, uint32_t var)
{
    for (uint32_t i = 0; i < q->n_guards; i++)
        for (uint32_t k = 0; k < q->guard[i].n; k++)
            if (q->guard[i].arg[k] == var && q->guard[i].out == CC_NONE)
                return true;
    return false;
}

static void listen(struct cc *g, struct plain_rule *q)
{
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        struct plain_atom *a = &q->atom[i];
        if (a->op == ATOM_ANY)
            continue;
        if (plain_uses(q, a->cls) > 1)
            a->listen |= CC_MOVED;
        if (guarded(q, a->cls))
            a->listen |= CC_KNOWS;
        for (uint32_t k = 0; k < a->n; k++) {
            if (plain_uses(q, a->arg[k]) > 1)
                a->listen |= CC_REARGED;
            if (guarded(q, a->arg[k]))
                a->listen |= CC_ARG_KNOWS;
        }
        g->op.at[a->op].listen |= a->listen;
    }
}

void plain_plan(struct plain_rules *p, struct cc *g, struct plain_rule *q)
{
    listen(g, q);
    make_plans(p, q);
}
