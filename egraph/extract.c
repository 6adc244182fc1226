// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract.h"

#include "egraph/extract_core.h"

#include <math.h>

// The classes that can take part, and the weights of their nodes.

static void reach(struct solver *s, class_id c)
{
    if (s->pos[c.v] == 0) {
        vec_push(&s->root, c.v);
        s->pos[c.v] = s->root.len;
    }
}

static bool solver_init(struct solver *s, struct egraph *g,
                        const struct cost *cost, uint32_t n,
                        const term_id *roots, struct err *e)
{
    *s = (struct solver){.g = g};
    s->pos = mem_alloc((g->node.len + 1) * sizeof *s->pos);
    s->weight = mem_alloc((g->node.len + 1) * sizeof *s->weight);
    for (uint32_t i = 0; i < n; i++) {
        if (!egraph_known(g, roots[i]))
            return err_set(e, ERR_CHECK, "extraction of unknown term %u",
                           roots[i].v);
        reach(s, egraph_find(g, roots[i]));
        vec_push(&s->goal, position(s, roots[i]));
    }
    for (uint32_t i = 0; i < s->root.len; i++) {
        class_id c = {s->root.at[i]};
        for (term_id t = class_first(g, c); t.v != NO_TERM.v;
             t = class_next(g, c, t)) {
            double w = cost->node(cost, g->terms, t);
            if (!(w >= 0) || isinf(w))
                return err_set(e, ERR_INPUT, "cost model %s: cost %g of %s",
                               cost->name, w, op_name(term_op(g->terms, t)));
            s->weight[t.v] = w;
            for (uint32_t k = 0; k < term_at(g->terms, t)->n_args; k++)
                reach(s, egraph_find(g, term_args(g->terms, t)[k]));
        }
    }
    return true;
}

static void solver_release(struct solver *s)
{
    vec_release(&s->root);
    vec_release(&s->goal);
    mem_free(s->pos);
    mem_free(s->weight);
}

bool solver_order(const struct solver *s, const uint32_t *choice,
                  const struct u32_vec *goals, struct u32_vec *order)
{
    const struct terms *t = s->g->terms;
    uint8_t *state = mem_alloc(s->root.len + 1); // 1 open, 2 done
    struct u32_vec stack = {0};
    bool ok = true;
    vec_clear(order);
    for (uint32_t i = goals->len; i-- > 0;)
        vec_push(&stack, goals->at[i]);
    while (ok && stack.len > 0) {
        uint32_t p = vec_last(&stack);
        if (state[p] != 0 || choice[p] == NO_NODE) {
            if (state[p] == 1)
                vec_push(order, p);
            ok = choice[p] != NO_NODE;
            state[p] = 2;
            stack.len--;
            continue;
        }
        state[p] = 1;
        term_id n = {choice[p]};
        for (uint32_t k = term_at(t, n)->n_args; ok && k-- > 0;) {
            uint32_t q = position(s, term_args(t, n)[k]);
            ok = state[q] != 1;
            if (state[q] == 0)
                vec_push(&stack, q);
        }
    }
    vec_release(&stack);
    mem_free(state);
    return ok;
}

struct price solver_price(const struct solver *s, const uint32_t *choice,
                          const struct u32_vec *order)
{
    struct price p = {0, order->len};
    for (uint32_t i = 0; i < order->len; i++)
        p.cost += s->weight[choice[order->at[i]]];
    return p;
}

// Tree cost: Knuth's algorithm.  A class is settled when its cheapest candidate
// leaves the heap; a node is a candidate once its arguments are settled, so
// the selection is acyclic whatever happens to sums of floats.

struct candidate {
    struct price price;
    uint32_t node;
};

struct tree {
    const struct solver *s;
    VEC(struct candidate) heap;
    struct price *price; // by position
    uint32_t *choice;
    uint8_t *queued; // by node
};

static bool before(const struct candidate *a, const struct candidate *b)
{
    int c = price_compare(a->price, b->price);
    return c < 0 || (c == 0 && a->node < b->node);
}

static void heap_push(struct tree *t, struct candidate c)
{
    vec_push(&t->heap, c);
    struct candidate *h = t->heap.at;
    uint32_t i = t->heap.len - 1;
    for (; i > 0 && before(&c, &h[(i - 1) / 2]); i = (i - 1) / 2)
        h[i] = h[(i - 1) / 2];
    h[i] = c;
}

static struct candidate heap_pop(struct tree *t)
{
    struct candidate *h = t->heap.at, top = h[0], last = vec_pop(&t->heap);
    uint32_t i = 0, n = t->heap.len;
    for (;;) {
        uint32_t k = 2 * i + 1;
        if (k + 1 < n && before(&h[k + 1], &h[k]))
            k++;
        if (k >= n || !before(&h[k], &last))
            break;
        h[i] = h[k];
        i = k;
    }
    if (n > 0)
        h[i] = last;
    return top;
}

static void offer(struct tree *t, uint32_t node)
{
    const struct terms *terms = t->s->g->terms;
    const struct term *m = &terms->term.at[node];
    struct price p = {t->s->weight[node], 1};
    for (uint32_t k = 0; k < m->n_args; k++) {
        uint32_t q = position(t->s, terms->args.at[m->args_at + k]);
        if (t->choice[q] == NO_NODE)
            return;
        p.cost += t->price[q].cost;
        p.nodes += t->price[q].nodes;
    }
    t->queued[node] = 1;
    heap_push(t, (struct candidate){p, node});
}

static void solve_tree(const struct solver *s, uint32_t *choice,
                       struct price *price)
{
    struct egraph *g = s->g;
    struct tree t = {.s = s, .price = price, .choice = choice};
    t.queued = mem_alloc(g->node.len + 1);
    for (uint32_t p = 0; p < s->root.len; p++)
        choice[p] = NO_NODE;
    for (uint32_t p = 0; p < s->root.len; p++) {
        class_id c = {s->root.at[p]};
        for (term_id n = class_first(g, c); n.v != NO_TERM.v;
             n = class_next(g, c, n))
            if (term_at(g->terms, n)->n_args == 0)
                offer(&t, n.v);
    }
    while (t.heap.len > 0) {
        struct candidate c = heap_pop(&t);
        uint32_t p = position(s, (term_id){c.node});
        if (choice[p] != NO_NODE)
            continue;
        choice[p] = c.node;
        price[p] = c.price;
        class_id root = {s->root.at[p]};
        for (uint32_t i = parent_first(g, root); i != NO_EDGE;
             i = parent_next(g, i)) {
            uint32_t n = g->edge.at[i].node;
            uint32_t q = s->pos[egraph_find(g, (term_id){n}).v];
            if (q != 0 && choice[q - 1] == NO_NODE && !t.queued[n])
                offer(&t, n);
        }
    }
    mem_free(t.queued);
    vec_release(&t.heap);
}

// What the goals do not need keeps its tree node: needed classes only lead to
// needed ones, so the whole stays acyclic.
static bool complete(const struct solver *s, const uint32_t *tree,
                     uint32_t *choice)
{
    struct u32_vec order = {0};
    uint8_t *needed = mem_alloc(s->root.len + 1);
    bool ok = solver_order(s, choice, &s->goal, &order);
    for (uint32_t i = 0; ok && i < order.len; i++)
        needed[order.at[i]] = 1;
    for (uint32_t p = 0; ok && p < s->root.len; p++)
        if (!needed[p])
            choice[p] = tree[p];
    mem_free(needed);
    vec_release(&order);
    return ok;
}

static struct price price_of(const struct solver *s, const uint32_t *choice)
{
    struct u32_vec order = {0};
    if (!solver_order(s, choice, &s->goal, &order))
        BUG("local search made a cycle");
    struct price p = solver_price(s, choice, &order);
    vec_release(&order);
    return p;
}

// The better of the tree selection and the greedy one, each improved.
static void solve_dag(const struct solver *s, uint32_t *choice, bool *limited)
{
    uint32_t *other = mem_alloc((s->root.len + 1) * sizeof *other);
    *limited = !solve_greedy(s, other);
    bool have = !*limited && complete(s, choice, other);
    if (have)
        solve_local(s, other);
    solve_local(s, choice);
    if (have && price_compare(price_of(s, other), price_of(s, choice)) < 0)
        memcpy(choice, other, s->root.len * sizeof *other);
    mem_free(other);
}

// Result terms, arguments first.
static void build(struct solver *s, const uint32_t *choice,
                  const struct u32_vec *order, struct extraction *x)
{
    struct egraph *g = s->g;
    term_id *made = mem_alloc((s->root.len + 1) * sizeof *made);
    VEC(term_id) args = {0};
    for (uint32_t i = 0; i < order->len; i++) {
        uint32_t p = order->at[i];
        term_id n = {choice[p]};
        struct term m = *term_at(g->terms, n);
        vec_clear(&args);
        for (uint32_t k = 0; k < m.n_args; k++)
            vec_push(&args, made[position(s, term_args(g->terms, n)[k])]);
        made[p] = term_make(g->terms, (enum op)m.op, m.attr, m.type, m.n_args,
                            args.at);
        vec_push(&x->at, ((struct extracted){{s->root.at[p]}, n, made[p]}));
    }
    for (uint32_t i = 0; i < x->at.len; i++)
        egraph_add_term(g, x->at.at[i].term);
    vec_release(&args);
    mem_free(made);
}

bool extract(struct egraph *g, const struct cost *c, enum extract_method m,
             uint32_t n_roots, const term_id *roots, term_id *out,
             struct extraction *x, struct err *e)
{
    struct solver s;
    if (!g->closed)
        return err_set(e, ERR_CHECK, "extraction needs a closed e-graph");
    bool ok = solver_init(&s, g, c, n_roots, roots, e);
    uint32_t *choice = mem_alloc((s.root.len + 1) * sizeof *choice);
    struct price *price = mem_alloc((s.root.len + 1) * sizeof *price);
    struct u32_vec order = {0};
    *x = (struct extraction){0};
    if (ok) {
        solve_tree(&s, choice, price);
        if (m == EXTRACT_DAG)
            solve_dag(&s, choice, &x->limited);
        ok = solver_order(&s, choice, &s.goal, &order) ||
             err_set(e, ERR_CHECK, "a root has no finite term");
    }
    if (ok) {
        build(&s, choice, &order, x);
        for (uint32_t i = 0; i < n_roots; i++)
            for (uint32_t k = order.len; k-- > 0;)
                if (order.at[k] == s.goal.at[i])
                    out[i] = x->at.at[k].term;
        x->dag_cost = terms_cost_dag(g->terms, c, n_roots, out);
        x->tree_cost = terms_cost_tree(g->terms, c, n_roots, out);
        egraph_rebuild(g);
    }
    vec_release(&order);
    mem_free(choice);
    mem_free(price);
    solver_release(&s);
    return ok;
}

void extraction_release(struct extraction *x)
{
    vec_release(&x->at);
}
