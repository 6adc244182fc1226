// SPDX-License-Identifier: Apache-2.0
// What follows from what: equations in graphs of their own, apart from each
// other and from all other terms.  Does the one side come up by rules, when the
// other is there?
#include "discover/scalars/core.h"

enum {
    DROP_ROUNDS = 6,
    DROP_NODES = 3000,
    SMALL_NODES = 80, // for each small equation
    DIRECT_OPS = 3,
    LARGE_NODES = 30000,
    MORE_PASSES = 1
};

static unsigned tree_vars(const struct scalar_discovery *s, const struct scalar_tree *t)
{
    unsigned mask = 0;
    for (uint32_t k = 0; k < t->n; k++)
        if (sym_is_var(s, t->at[k].sym))
            mask |= 1u << (t->at[k].sym - s->o->n_ops);
    return mask;
}

// The operators of a term.
static uint32_t tree_syms(const struct scalar_discovery *s, const struct scalar_tree *t)
{
    uint32_t mask = 0;
    for (uint32_t k = 0; k < t->n; k++)
        if (sym_arity(s, t->at[k].sym) > 0)
            mask |= UINT32_C(1) << t->at[k].sym;
    return mask;
}

static bool has_constant(const struct scalar_discovery *s, const struct scalar_tree *t)
{
    for (uint32_t k = 0; k < t->n; k++)
        if (sym_arity(s, t->at[k].sym) == 0 && !sym_is_var(s, t->at[k].sym))
            return true;
    return false;
}

static uint32_t count_ops(const struct scalar_discovery *s, const struct scalar_tree *t)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->n; k++)
        n += sym_arity(s, t->at[k].sym) > 0;
    return n;
}

// Few operators and no constant: what follows by way of constants is a rule all
// the same, as others follow from it in fewer rounds.
static bool is_direct(const struct scalar_discovery *s, const struct equation *q)
{
    return !has_constant(s, &q->l) && !has_constant(s, &q->r) &&
           count_ops(s, &q->l) + count_ops(s, &q->r) <= DIRECT_OPS;
}

static bool is_large(const struct scalar_discovery *s, const struct equation *q)
{
    return count_ops(s, &q->l) + count_ops(s, &q->r) > DIRECT_OPS;
}

// A rule from one side to the other is none if it would name a variable out of
// nothing, or begin at any term whatever.
static bool is_way(const struct scalar_discovery *s, const struct scalar_tree *from,
                   const struct scalar_tree *to)
{
    unsigned vars = tree_vars(s, from);
    return from->n > 1 && (vars | tree_vars(s, to)) == vars;
}

// The rules of all that was chosen, read once.  Every graph has their operators
// by the same numbers.
struct follow_rule {
    uint32_t from, to; // masks of operators
    uint32_t chosen, rule;
    bool constant; // it has one
};
struct follow_rules {
    struct plain_rules p;
    struct cc g;
    VEC(struct follow_rule) at;
    uint32_t n_chosen; // these are in
};

static void ways_init(struct follow_rules *m, const struct scalar_discovery *s)
{
    memset(m, 0, sizeof *m);
    plain_init(&m->p);
    cc_init(&m->g, false);
    for (uint32_t i = 0; i < sym_count(s); i++) {
        uint32_t len;
        const char *name = plain_op_name(&s->plain, s->sym_op[i], &len);
        // Its number is that of the symbol.
        plain_op(&m->p, &m->g, name, len, sym_arity(s, i));
    }
}

static void ways_release(struct follow_rules *m)
{
    vec_release(&m->at);
    cc_release(&m->g);
    plain_release(&m->p);
}

static void add_way(struct follow_rules *m, const struct scalar_discovery *s, uint32_t chosen,
                    const struct scalar_tree *from, const struct scalar_tree *to)
{
    struct buf text = {0};
    struct err e = {0};
    uint8_t number[SCALAR_MAX_VARS];
    struct follow_rule x = {.from = tree_syms(s, from),
                    .to = tree_syms(s, to),
                    .chosen = chosen,
                    .rule = m->p.rule.len,
                    .constant = has_constant(s, from) || has_constant(s, to)};
    if (!is_way(s, from, to))
        return;
    numbers_clear(number);
    buf_puts(&text, "r: ");
    scalar_tree_plain(s, from, "?v", number, &text);
    buf_puts(&text, " => ");
    scalar_tree_plain(s, to, "?v", number, &text);
    if (plain_read(&m->p, &m->g, "rules", buf_text(&text), NULL, &e))
        vec_push(&m->at, x);
    buf_release(&text);
}

static void add_ways(struct follow_rules *m, const struct scalar_choice *w)
{
    for (; m->n_chosen < w->at.len; m->n_chosen++) {
        const struct equation *q = &w->at.at[m->n_chosen].q;
        add_way(m, w->s, m->n_chosen, &q->l, &q->r);
        add_way(m, w->s, m->n_chosen, &q->r, &q->l);
    }
}

struct follow_probe {
    uint32_t node;         // what is there
    const struct scalar_tree *to; // what is to be in its class
    uint32_t var;          // operator that its first variable is
};
struct follow_probes {
    const struct scalar_discovery *s;
    const struct follow_rules *m;
    struct cc g;
    struct run run;
    VEC(struct follow_probe) at;
    struct u32_vec first; // by equation; and the end
};

static void probes_init(struct follow_probes *a, const struct scalar_discovery *s,
                        const struct follow_rules *m)
{
    static const struct plain_rules none = {0};
    memset(a, 0, sizeof *a);
    a->s = s;
    a->m = m;
    cc_init(&a->g, false);
    for (uint32_t i = 0; i < m->g.op.len; i++) {
        cc_op_new(&a->g, m->g.op.at[i].arity);
        a->g.op.at[i].listen = m->g.op.at[i].listen;
    }
    vec_push(&a->first, 0);
    run_init(&a->run, &a->g, &none, (struct run_options){.max_rounds = 0});
}

static void probes_release(struct follow_probes *a)
{
    run_release(&a->run);
    vec_release(&a->at);
    vec_release(&a->first);
    cc_release(&a->g);
}

// The class of a term, which is built where it is not there; or CC_NONE.
static uint32_t probe_term(struct follow_probes *a, const struct scalar_tree *t, uint32_t var,
                           bool build, uint32_t *node)
{
    uint32_t cls[TREE_MAX];
    for (uint32_t k = 0; k < t->n; k++) {
        const struct scalar_tree_node *n = &t->at[k];
        uint32_t arg[2] = {0, 0}, arity = sym_arity(a->s, n->sym);
        uint32_t op = n->sym;
        if (sym_is_var(a->s, n->sym))
            op = var + n->sym - a->s->o->n_ops;
        if (arity > 0)
            arg[0] = cls[n->a];
        if (arity > 1)
            arg[1] = cls[n->b];
        *node = build ? cc_add(&a->g, op, arg) : cc_lookup(&a->g, op, arg);
        if (*node == CC_NONE)
            return CC_NONE;
        cls[k] = cc_class(&a->g, *node);
    }
    return cls[t->n - 1];
}

// A term that comes up from a smaller one is not asked for.
static void add_probe(struct follow_probes *a, const struct scalar_tree *from,
                      const struct scalar_tree *to)
{
    struct follow_probe x = {.to = to, .var = a->g.op.len};
    if (from->n < to->n || !is_way(a->s, from, to))
        return;
    for (uint32_t i = 0; i < a->s->o->n_vars; i++)
        cc_op_new(&a->g, 0);
    probe_term(a, from, x.var, true, &x.node);
    vec_push(&a->at, x);
}

static void add_equation(struct follow_probes *a, const struct equation *q)
{
    add_probe(a, &q->l, &q->r);
    add_probe(a, &q->r, &q->l);
    vec_push(&a->first, a->at.len);
}

static bool all_reached(struct follow_probes *a, uint32_t equation)
{
    for (uint32_t i = a->first.at[equation]; i < a->first.at[equation + 1];
         i++) {
        const struct follow_probe *x = &a->at.at[i];
        uint32_t node, c = probe_term(a, x->to, x->var, false, &node);
        if (c == CC_NONE || c != cc_class(&a->g, x->node))
            return false;
    }
    return true;
}

static bool first_reached(void *ctx, struct cc *g)
{
    (void)g;
    return all_reached(ctx, 0);
}

static void use_way(struct follow_probes *a, const struct follow_rule *x)
{
    struct run_rule r = {.rule = &a->m->p.rule.at[x->rule]};
    vec_push(&a->run.rule, r);
}

// The rules that can be used on terms of these operators and on what comes of
// them.
static void use_ways(struct follow_probes *a, const struct scalar_choice *w,
                     const struct equation *q, uint32_t but, bool assumed)
{
    bool more = true;
    uint32_t syms = tree_syms(w->s, &q->l) | tree_syms(w->s, &q->r);
    bool direct = is_direct(w->s, q);
    uint8_t *done = mem_alloc(a->m->at.len + 1);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < a->m->at.len; i++) {
            const struct follow_rule *x = &a->m->at.at[i];
            const struct chosen *c = &w->at.at[x->chosen];
            // A rule with a condition derives only those that have one.
            if (done[i] || x->chosen == but || c->derived ||
                (c->assumed && !assumed) || (direct && x->constant) ||
                (c->q.n_nonzero > 0 && q->n_nonzero == 0) ||
                (x->from & ~syms) != 0)
                continue;
            use_way(a, x);
            done[i] = 1;
            syms |= x->to;
            more = true;
        }
    }
    mem_free(done);
}

// By all rules but one; by what is only assumed, if `assumed`.
static bool derived(const struct scalar_choice *w, const struct follow_rules *m,
                    const struct equation *q, uint32_t but, bool assumed,
                    uint32_t nodes)
{
    struct follow_probes a;
    probes_init(&a, w->s, m);
    add_equation(&a, q);
    a.run.opt = (struct run_options){.max_rounds = DROP_ROUNDS,
                                     .max_nodes = nodes,
                                     .goal = first_reached,
                                     .goal_ctx = &a};
    use_ways(&a, w, q, but, assumed);
    run_rounds(&a.run);
    bool yes = all_reached(&a, 0);
    probes_release(&a);
    return yes;
}

// The same of all small equations, and of those that were dropped, in one
// graph, which is quick: what is derived there is, what is not may be yet.
static void all_derived(const struct scalar_choice *w, const struct follow_rules *m,
                        uint8_t *small, uint8_t *dropped)
{
    struct follow_probes a;
    probes_init(&a, w->s, m);
    for (uint32_t i = 0; i < w->small.len; i++)
        add_equation(&a, &w->small.at[i]);
    for (uint32_t i = 0; i < w->at.len; i++)
        if (w->at.at[i].derived)
            add_equation(&a, &w->at.at[i].q);
    a.run.opt = (struct run_options){.max_rounds = DROP_ROUNDS,
                                     .max_nodes = a.g.node.len +
                                                  SMALL_NODES * a.first.len};
    for (uint32_t i = 0; i < m->at.len; i++) {
        const struct chosen *c = &w->at.at[m->at.at[i].chosen];
        if (c->q.n_nonzero == 0 && !c->derived)
            use_way(&a, &m->at.at[i]);
    }
    run_rounds(&a.run);
    uint32_t n = 0;
    for (; n < w->small.len; n++)
        small[n] = all_reached(&a, n);
    for (uint32_t i = 0; i < w->at.len; i++)
        if (w->at.at[i].derived)
            dropped[i] = all_reached(&a, n++);
    probes_release(&a);
}

// Small equations that the rules do not derive by themselves become rules.
static void complete(struct scalar_choice *w, struct follow_rules *m)
{
    uint8_t *small = mem_alloc(w->small.len + 1);
    add_ways(m, w);
    all_derived(w, m, small, NULL);
    for (uint32_t i = 0; i < w->small.len; i++) {
        struct chosen x = {.q = w->small.at[i], .follows = true};
        if (!small[i] && is_large(w->s, &x.q))
            small[i] = derived(w, m, &x.q, CC_NONE, true, LARGE_NODES);
        w->is_chosen.at[i] = !small[i];
        if (!small[i])
            vec_push(&w->at, x);
    }
    mem_free(small);
}

// One operator, no constant: what is said so is not worth a detour.
static bool is_least(const struct scalar_discovery *s, const struct equation *q)
{
    for (uint32_t k = 0; k < q->l.n; k++)
        if (sym_arity(s, q->l.at[k].sym) == 0 && !sym_is_var(s, q->l.at[k].sym))
            return false;
    return q->l.n + q->r.n <= 4;
}

// What follows from the others is dropped, the largest first.  What was dropped
// for a rule that was then dropped, too, may follow no more in so few rounds:
// it is taken back.
static void drop_once(struct scalar_choice *w, struct follow_rules *m)
{
    const struct scalar_discovery *s = w->s;
    for (uint32_t i = w->at.len; i-- > 0;) {
        struct chosen *x = &w->at.at[i];
        if (!x->dropped && !is_least(s, &x->q) &&
            derived(w, m, &x->q, i, x->follows, DROP_NODES))
            x->dropped = x->derived = true;
    }
    uint32_t n = w->at.len;
    bool any = false; // something is assumed
    for (uint32_t i = 0; i < n; i++)
        any |= w->at.at[i].assumed;
    uint8_t *small = mem_alloc(w->small.len + 1), *dropped = mem_alloc(n + 1);
    all_derived(w, m, small, dropped);
    for (uint32_t i = 0; i < n; i++) {
        struct chosen *x = &w->at.at[i];
        if (x->derived && (!dropped[i] || (any && !x->follows)) &&
            !derived(w, m, &x->q, i, x->follows, DROP_NODES))
            x->dropped = x->derived = false;
    }
    for (uint32_t i = 0; i < w->small.len; i++) {
        struct chosen x = {.q = w->small.at[i], .follows = true};
        if (w->is_chosen.at[i] || small[i] ||
            derived(w, m, &x.q, CC_NONE, true,
                    is_large(w->s, &x.q) ? LARGE_NODES : DROP_NODES))
            continue;
        vec_push(&w->at, x);
        add_ways(m, w);
    }
    mem_free(small);
    mem_free(dropped);
}

static uint32_t count_kept(const struct scalar_choice *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->at.len; i++)
        n += !w->at.at[i].dropped;
    return n;
}

// What was not derived among many rules, within the limit on nodes, may be
// among few; but what is taken back then may be as much.
static void drop_derived(struct scalar_choice *w, struct follow_rules *m)
{
    add_ways(m, w);
    drop_once(w, m);
    for (int pass = 0; pass < MORE_PASSES; pass++) {
        uint32_t n = w->at.len, before = count_kept(w);
        uint8_t *was = mem_alloc(n + 1);
        for (uint32_t i = 0; i < n; i++)
            was[i] = (uint8_t)(w->at.at[i].dropped | w->at.at[i].derived << 1);
        drop_once(w, m);
        bool fewer = count_kept(w) < before;
        if (!fewer) {
            w->at.len = n;
            for (uint32_t i = 0; i < n; i++) {
                w->at.at[i].dropped = was[i] & 1;
                w->at.at[i].derived = was[i] >> 1;
            }
        }
        mem_free(was);
        if (!fewer)
            return;
    }
}

void scalar_complete(struct scalar_choice *w, bool drop)
{
    struct follow_rules m;
    ways_init(&m, w->s);
    complete(w, &m);
    if (drop)
        drop_derived(w, &m);
    ways_release(&m);
}
