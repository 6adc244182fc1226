// SPDX-License-Identifier: Apache-2.0
#include "simplify/engine/core.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>

static bool conflict(void *ctx)
{
    const struct reals *r = ctx;
    return r->conflict;
}

static bool has_value(void *ctx, uint32_t cls)
{
    return reals_has_value(ctx, cls);
}

// The node of a term.
static uint32_t add_term(struct engine *x, fterm root)
{
    struct u32_vec order = {0}, args = {0};
    fterms_reach(x->t, 1, &root, &order);
    while (x->node_of.len < x->t->node.len)
        vec_push(&x->node_of, 0);
    for (uint32_t i = 0; i < order.len; i++) {
        fterm f = order.at[i];
        if (x->node_of.at[f] != 0)
            continue;
        uint32_t n = fterm_n(x->t, f);
        const char *name = fterm_name(x->t, f);
        vec_clear(&args);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t a = x->node_of.at[fterm_args(x->t, f)[k]] - 1;
            vec_push(&args, cc_class(&x->g, a));
        }
        uint32_t op = plain_op(&x->p, &x->g, name, (uint32_t)strlen(name), n);
        x->node_of.at[f] = cc_add(&x->g, op, args.at) + 1;
    }
    uint32_t node = x->node_of.at[root] - 1;
    vec_release(&order);
    vec_release(&args);
    return node;
}

// What is given becomes equal to `true` when all terms are there: a term that
// is made later has `true` in the place of a condition in it, and is another.
// Both sides of an equation become equal as well.
static void give(struct engine *x, const struct engine_rules *rules)
{
    uint32_t yes = add_term(x, fterm_make(x->t, "true", 0, NULL));
    for (uint32_t i = 0; i < rules->n_givens; i++)
        (void)add_term(x, rules->given[i]);
    for (uint32_t i = 0; i < rules->n_givens; i++) {
        fterm cond = rules->given[i];
        (void)cc_union_given(&x->g, JOURNAL_GIVEN, add_term(x, cond), yes, i);
        if (!fterm_is(x->t, cond, "eq", 2))
            continue;
        const fterm *side = fterm_args(x->t, cond);
        uint32_t left = add_term(x, side[0]), right = add_term(x, side[1]);
        (void)cc_union_given(&x->g, JOURNAL_GIVEN, left, right, i);
    }
}

bool engine_prepare(struct engine *x, const struct engine_rules *rules,
                    uint32_t n, const fterm *terms, struct err *e)
{
    cc_init(&x->g, true);
    plain_init(&x->p);
    reals_init(&x->reals, &x->g, &x->p);
    ac_init(&x->ac, &x->g, AC_LIMITS);
    if (!plain_read(&x->p, &x->g, "rules", rules->text, reals_guards, e))
        return false;
    struct run_options r = {.scheduler = x->o->scheduler,
                            .max_rounds = x->o->max_rounds,
                            .max_nodes = x->o->max_nodes,
                            .deadline = x->o->deadline,
                            .clock = clock_cpu,
                            .match_limit = 1000,
                            .pause = 5,
                            .guard = reals_guard,
                            .conflict = conflict,
                            .ctx = &x->reals};
    if (x->p.ac.len > 0) {
        x->ac.limit.nodes = x->o->max_nodes;
        x->ac.has_value = has_value;
        x->ac.ctx = &x->reals;
        for (uint32_t i = 0; i < x->p.ac.len; i++)
            ac_declare(&x->ac, x->p.ac.at[i]);
        ac_rules(&x->ac, &x->p);
        r.ac = &x->ac;
    }
    run_init(&x->run, &x->g, &x->p, r);
    for (uint32_t i = 0; i < n; i++)
        (void)add_term(x, terms[i]);
    give(x, rules);
    return true;
}

// Extraction

// A term with the name and number of arguments of the node, for its cost.
static fterm sample(struct engine *x, uint32_t node)
{
    uint32_t len, n = cc_arity(&x->g, node);
    const char *name =
        plain_op_name(&x->p, x->g.node.at[node].op & CC_OP, &len);
    fterm none = fterm_make(x->t, "?", 0, NULL);
    fterm *args = mem_alloc((n + 1u) * sizeof *args);
    for (uint32_t i = 0; i < n; i++)
        args[i] = none;
    fterm out = fterm_make_n(x->t, name, len, n, args);
    mem_free(args);
    return out;
}

static fterm leaf_of(struct engine *x, uint32_t op)
{
    uint32_t len;
    const char *name = plain_op_name(&x->p, op, &len);
    return fterm_make_n(x->t, name, len, 0, NULL);
}

// A function over axes one of whose further arguments has axes that its first
// one lacks: rms_norm of a row with a matrix of weights.
enum { ODD_CALL = 8 };
static bool is_odd_call(struct engine *x, uint32_t node)
{
    struct cc *g = &x->g;
    const uint32_t *arg = cc_args(g, node);
    uint32_t n = cc_arity(g, node), len;
    for (uint32_t k = 0; n > 2 && k < 2; k++) {
        uint32_t f = g->class_.at[cc_find(g, arg[k])].founder;
        const char *name = plain_op_name(&x->p, g->node.at[f].op & CC_OP, &len);
        if (fname_is_axes(name, len) != (k == 0))
            return false;
    }
    uint64_t own = n > 2 ? reals_axes(&x->reals, cc_find(g, arg[1])) : 0;
    for (uint32_t k = 2; k < n; k++)
        if ((reals_axes(&x->reals, cc_find(g, arg[k])) & ~own) != 0)
            return true;
    return false;
}

// Of several arguments, some of which are numbers: with these as arguments, and
// `?` for what is no number.
static double cost_with_numbers(struct engine *x, uint32_t node, double plain)
{
    struct cc *g = &x->g;
    uint32_t n = cc_arity(g, node), len;
    bool any = false;
    for (uint32_t k = 0; k < n; k++)
        any |= reals_has_value(&x->reals, cc_find(g, cc_args(g, node)[k]));
    if (!any)
        return plain;
    fterm *args = mem_alloc(n * sizeof *args);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t of = cc_find(g, cc_args(g, node)[k]);
        args[k] = reals_has_value(&x->reals, of)
                      ? leaf_of(x, x->reals.class_.at[of].value)
                      : fterm_make(x->t, "?", 0, NULL);
    }
    const char *name = plain_op_name(&x->p, g->node.at[node].op & CC_OP, &len);
    fterm sample = fterm_make_n(x->t, name, len, n, args);
    mem_free(args);
    return x->o->cost(x->o->ctx, x->t, sample);
}

// That of a size, and of a sum of what is a number, depends on whose axes they
// are: with these as arguments, and `?` for what is no number.
static double cost_of(struct engine *x, uint32_t node, const double *cost)
{
    struct cc *g = &x->g;
    uint32_t n = cc_arity(g, node);
    if (n == 0)
        return cost[g->node.at[node].op & CC_OP];
    if (n > 2)
        return cost_with_numbers(x, node, cost[g->node.at[node].op & CC_OP]) +
               (is_odd_call(x, node) ? ODD_CALL : 0);
    uint32_t set = cc_find(g, cc_args(g, node)[0]), len;
    set = g->node.at[g->class_.at[set].founder].op & CC_OP;
    const char *name = plain_op_name(&x->p, set, &len);
    if (!fname_is_axes(name, len))
        return n == 1 ? cost[g->node.at[node].op & CC_OP]
                      : cost_with_numbers(x, node,
                                          cost[g->node.at[node].op & CC_OP]);
    fterm args[2] = {leaf_of(x, set), fterm_make(x->t, "?", 0, NULL)};
    uint32_t of = n == 2 ? cc_find(g, cc_args(g, node)[1]) : 0;
    if (n == 2 && reals_has_value(&x->reals, of))
        args[1] = leaf_of(x, x->reals.class_.at[of].value);
    name = plain_op_name(&x->p, g->node.at[node].op & CC_OP, &len);
    return x->o->cost(x->o->ctx, x->t, fterm_make_n(x->t, name, len, n, args));
}

static const double OLDER = 1e-11;

static void add_nodes(struct engine *x, uint32_t cls, const double *cost,
                      const bool *by_age)
{
    struct problem *p = &x->problem;
    uint32_t first = x->g.class_.at[cls].member, m = first;
    vec_push(&p->node_at, p->n_nodes);
    do {
        uint32_t op = x->g.node.at[m].op;
        if (!(op & (CC_DEAD | CC_HIDDEN)) && isfinite(cost[op & CC_OP])) {
            vec_push(&p->child_at, p->child.len);
            double less = x->kept[m] ? x->o->familiar : 0;
            double age = by_age[op & CC_OP] ? OLDER * m : 0;
            vec_push(&p->cost, cost_of(x, m, cost) - less + age);
            vec_push(&x->problem_node, m);
            p->n_nodes++;
            for (uint32_t k = 0; k < cc_arity(&x->g, m); k++) {
                uint32_t c = cc_find(&x->g, cc_args(&x->g, m)[k]);
                vec_push(&p->child, x->problem_class.at[c] - 1);
            }
        }
        m = x->g.next.at[m];
    } while (m != first);
}

static bool is_same(struct cc *g, uint32_t a, uint32_t b)
{
    if (g->node.at[b].op & (CC_DEAD | CC_HIDDEN) ||
        (g->node.at[a].op & CC_OP) != (g->node.at[b].op & CC_OP))
        return false;
    for (uint32_t k = 0; k < cc_arity(g, a); k++)
        if (cc_find(g, cc_args(g, a)[k]) != cc_find(g, cc_args(g, b)[k]))
            return false;
    return true;
}

// The nodes that now stand for terms to be kept.
static void mark_kept(struct engine *x)
{
    x->kept = mem_alloc(x->g.node.len + 1u);
    memset(x->kept, 0, x->g.node.len + 1u);
    for (fterm f = 0; x->o->kept != NULL && f < x->node_of.len; f++) {
        if (x->node_of.at[f] == 0 || fterm_n(x->t, f) == 0 ||
            !x->o->kept(x->o->ctx, f))
            continue;
        uint32_t node = x->node_of.at[f] - 1;
        uint32_t first = x->g.class_.at[cc_class(&x->g, node)].member;
        uint32_t m = first;
        do {
            x->kept[m] |= is_same(&x->g, node, m);
            m = x->g.next.at[m];
        } while (m != first);
    }
}

static void fill_problem(struct engine *x, uint32_t root)
{
    struct problem *p = &x->problem;
    mark_kept(x);
    double *cost = mem_alloc((x->g.op.len + 1u) * sizeof *cost);
    bool *by_age = mem_alloc((x->g.op.len + 1u) * sizeof *by_age);
    for (uint32_t i = 0; i < x->g.op.len; i++)
        cost[i] = -1;
    for (uint32_t i = 0; i < x->g.node.len; i++) {
        uint32_t op = x->g.node.at[i].op & CC_OP;
        if (cost[op] < 0) {
            fterm like = sample(x, i);
            cost[op] = x->o->cost(x->o->ctx, x->t, like);
            by_age[op] = x->o->by_age != NULL && fterm_n(x->t, like) > 0 &&
                         x->o->by_age(x->o->ctx, fterm_name(x->t, like));
        }
    }
    for (uint32_t c = 0; c < x->g.class_.len; c++) {
        bool there = cc_find(&x->g, c) == c;
        if (there)
            p->n_classes++;
        vec_push(&x->problem_class, there ? p->n_classes : 0);
    }
    for (uint32_t c = 0; c < x->g.class_.len; c++)
        if (x->problem_class.at[c] != 0)
            add_nodes(x, c, cost, by_age);
    vec_push(&p->node_at, p->n_nodes);
    vec_push(&p->child_at, p->child.len);
    vec_push(&p->root, x->problem_class.at[cc_class(&x->g, root)] - 1);
    mem_free(cost);
    mem_free(by_age);
    mem_free(x->kept);
    x->kept = NULL;
}

// The chosen term of a class, as a named term and as one of `why`.  `order`:
// classes, those beneath first.
static void build(struct engine *x, const struct solution *s,
                  const struct u32_vec *order)
{
    struct u32_vec arg = {0}, said = {0};
    vec_zero(&x->made, x->problem.n_classes);
    vec_zero(&x->said, x->problem.n_classes);
    for (uint32_t i = 0; i < order->len; i++) {
        uint32_t c = order->at[i], n = s->node[c], len;
        uint32_t op = x->g.node.at[x->problem_node.at[n]].op & CC_OP;
        vec_clear(&arg);
        vec_clear(&said);
        for (uint32_t k = x->problem.child_at.at[n];
             k < x->problem.child_at.at[n + 1]; k++) {
            vec_push(&arg, x->made.at[x->problem.child.at[k]] - 1);
            vec_push(&said, x->said.at[x->problem.child.at[k]] - 1);
        }
        const char *name = plain_op_name(&x->p, op, &len);
        x->made.at[c] = fterm_make_n(x->t, name, len, arg.len, arg.at) + 1;
        x->said.at[c] = why_term(&x->why, op, said.at) + 1;
    }
    vec_release(&arg);
    vec_release(&said);
}

static uint32_t root_class(const struct cc *g, uint32_t node)
{
    uint32_t c = g->cls.at[node];
    while (g->up.at[c] != c)
        c = g->up.at[c];
    return c;
}

static uint32_t witness(void *ctx, const struct cc *g, const struct plain_guard *u,
                        const uint32_t *node, uint32_t arg, uint32_t nth)
{
    uint32_t cls[sizeof u->arg / sizeof *u->arg];
    for (uint32_t i = 0; i < u->n; i++)
        cls[i] = root_class(g, node[i]);
    return reals_witness(ctx, u->kind, cls, arg, nth);
}

static bool begin_why(struct engine *x, struct err *e)
{
    why_init(&x->why, &x->g, &x->p);
    x->why.witness = witness;
    x->why.ctx = &x->reals;
    return why_read(&x->why, e);
}

static bool explain(struct engine *x, uint32_t from, uint32_t to,
                    struct buf *proof, bool *flipped, struct err *e)
{
    struct why_part line;
    if (!why_explain(&x->why, from, to, &line, e))
        return false;
    if (line.line != CC_NONE) {
        why_print(&x->why, line.line, proof);
        *flipped = line.flip;
    }
    return true;
}

static bool take_best(struct engine *x, uint32_t root,
                      struct engine_result *out, struct err *e)
{
    struct solution s;
    struct u32_vec order = {0};
    fill_problem(x, root);
    solution_init(&s, &x->problem);
    bool ok = tree_solve(&x->problem, &s, e) &&
              solution_check(&x->problem, &s, e) && begin_why(x, e);
    if (ok) {
        uint32_t c = x->problem.root.at[0];
        solution_order(&x->problem, &s, &order);
        build(x, &s, &order);
        out->term = x->made.at[c] - 1;
        ok = explain(x, why_term_of(&x->why, root), x->said.at[c] - 1,
                     &out->proof, &out->flipped, e);
    }
    vec_release(&order);
    solution_release(&s);
    return ok;
}

void engine_end(struct engine *x)
{
    why_release(&x->why);
    problem_release(&x->problem);
    run_release(&x->run);
    ac_release(&x->ac);
    reals_release(&x->reals);
    plain_release(&x->p);
    cc_release(&x->g);
    vec_release(&x->node_of);
    vec_release(&x->problem_node);
    vec_release(&x->problem_class);
    vec_release(&x->made);
    vec_release(&x->said);
}

bool engine_run(struct fterms *t, fterm term, const struct engine_rules *rules,
                const struct engine_options *o, struct engine_result *out,
                struct err *e)
{
    struct engine x = {.t = t, .o = o};
    memset(out, 0, sizeof *out);
    bool ok = engine_prepare(&x, rules, 1, &term, e);
    if (ok) {
        uint32_t root = add_term(&x, term);
        out->stop = run_rounds(&x.run);
        out->nodes = x.g.n_live;
        out->rounds = x.run.rounds;
        ok = out->stop == RUN_CONFLICT || take_best(&x, root, out, e);
    }
    engine_end(&x);
    return ok;
}

bool engine_facts(struct fterms *t, uint32_t n, const fterm *conds,
                  const struct engine_rules *rules,
                  const struct engine_options *o, struct engine_fact *facts,
                  struct err *e)
{
    struct engine x = {.t = t, .o = o};
    struct u32_vec node = {0};
    bool ok = engine_prepare(&x, rules, n, conds, e);
    if (ok) {
        for (uint32_t i = 0; i < n; i++)
            vec_push(&node, add_term(&x, conds[i]));
        // Of what contradicts itself nothing is said.
        uint32_t yes = x.node_of.at[fterm_make(t, "true", 0, NULL)] - 1;
        bool sound = run_rounds(&x.run) != RUN_CONFLICT;
        ok = !sound || begin_why(&x, e);
        for (uint32_t i = 0; ok && sound && i < n; i++)
            if (facts[i].proof.len == 0 &&
                cc_class(&x.g, node.at[i]) == cc_class(&x.g, yes))
                ok = explain(&x, why_term_of(&x.why, node.at[i]),
                             why_term_of(&x.why, yes), &facts[i].proof,
                             &facts[i].flipped, e);
    }
    vec_release(&node);
    engine_end(&x);
    return ok;
}

const char *engine_stop_text(enum run_stop s)
{
    switch (s) {
    case RUN_SATURATED:
        return "saturated";
    case RUN_ROUNDS:
        return "rounds";
    case RUN_NODES:
    case RUN_MADE:
        return "nodes";
    case RUN_TIME:
        return "seconds";
    case RUN_BYTES:
        return "bytes";
    case RUN_MATCHES:
        return "matches";
    case RUN_GOAL:
    case RUN_CONFLICT:
        break;
    }
    return "conflict";
}

void engine_release(struct engine_result *r)
{
    buf_release(&r->proof);
}
