// SPDX-License-Identifier: Apache-2.0
// Which equations follow from others: each is tried in a graph of its own,
// without other terms.  An equation follows if the rules build one side from
// the other.
#include "discover/scalars/core.h"
#include "discover/limits.h"

static unsigned tree_vars(const struct scalar_discovery *discovery, const struct scalar_tree *tree)
{
    unsigned mask = 0;
    for (uint32_t k = 0; k < tree->n; k++)
        if (sym_is_var(discovery, tree->at[k].sym))
            mask |= 1u << (tree->at[k].sym - discovery->options->n_ops);
    return mask;
}

// The operators of a term.
static uint32_t tree_syms(const struct scalar_discovery *discovery, const struct scalar_tree *tree)
{
    uint32_t mask = 0;
    for (uint32_t k = 0; k < tree->n; k++)
        if (sym_arity(discovery, tree->at[k].sym) > 0)
            mask |= UINT32_C(1) << tree->at[k].sym;
    return mask;
}

static bool has_constant(const struct scalar_discovery *discovery, const struct scalar_tree *tree)
{
    for (uint32_t k = 0; k < tree->n; k++)
        if (sym_arity(discovery, tree->at[k].sym) == 0 && !sym_is_var(discovery, tree->at[k].sym))
            return true;
    return false;
}

static uint32_t count_ops(const struct scalar_discovery *discovery, const struct scalar_tree *tree)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < tree->n; k++)
        n += sym_arity(discovery, tree->at[k].sym) > 0;
    return n;
}

// Few operators and no constant: such an equation becomes a rule even if it
// follows by way of constants, because others follow from it in fewer rounds.
static bool is_direct(const struct scalar_discovery *discovery, const struct equation *equation)
{
    return !has_constant(discovery, &equation->l) && !has_constant(discovery, &equation->r) &&
           count_ops(discovery, &equation->l) + count_ops(discovery, &equation->r) <=
               SCALAR_DIRECT_OPS;
}

static bool is_large(const struct scalar_discovery *discovery, const struct equation *equation)
{
    return count_ops(discovery, &equation->l) + count_ops(discovery, &equation->r) >
           SCALAR_DIRECT_OPS;
}

// A direction is no rule if it would introduce a variable, or match every term.
static bool is_way(const struct scalar_discovery *discovery, const struct scalar_tree *from,
                   const struct scalar_tree *to)
{
    unsigned vars = tree_vars(discovery, from);
    return from->n > 1 && (vars | tree_vars(discovery, to)) == vars;
}

// The rules of all chosen equations, read once.  Every graph numbers their
// operators alike.
struct follow_rule {
    uint32_t from, to; // masks of operators
    uint32_t chosen, rule;
    bool constant; // the rule has a constant
};
struct follow_rules {
    struct plain_rules rules;
    struct cc graph;
    VEC(struct follow_rule) at;
    uint32_t n_chosen; // chosen equations that have been added
};

static void ways_init(struct follow_rules *rules, const struct scalar_discovery *discovery)
{
    memset(rules, 0, sizeof *rules);
    plain_init(&rules->rules);
    cc_init(&rules->graph, false);
    for (uint32_t i = 0; i < sym_count(discovery); i++) {
        uint32_t len;
        const char *name = plain_op_name(&discovery->plain, discovery->sym_op[i], &len);
        // The number of the operator is that of the symbol.
        plain_op(&rules->rules, &rules->graph, name, len, sym_arity(discovery, i));
    }
}

static void ways_release(struct follow_rules *rules)
{
    vec_release(&rules->at);
    cc_release(&rules->graph);
    plain_release(&rules->rules);
}

static void add_way(struct follow_rules *rules, const struct scalar_discovery *discovery,
                    uint32_t chosen, const struct scalar_tree *from, const struct scalar_tree *to)
{
    struct buf text = {0};
    struct err err = {0};
    uint8_t number[SCALAR_MAX_VARS];
    struct follow_rule way = {.from = tree_syms(discovery, from),
                              .to = tree_syms(discovery, to),
                              .chosen = chosen,
                              .rule = rules->rules.rule.len,
                              .constant =
                                  has_constant(discovery, from) || has_constant(discovery, to)};
    if (!is_way(discovery, from, to))
        return;
    numbers_clear(number);
    buf_puts(&text, "r: ");
    scalar_tree_plain(discovery, from, "?v", number, &text);
    buf_puts(&text, " => ");
    scalar_tree_plain(discovery, to, "?v", number, &text);
    if (plain_read(&rules->rules, &rules->graph, "rules", buf_text(&text), NULL, &err))
        vec_push(&rules->at, way);
    buf_release(&text);
}

static void add_ways(struct follow_rules *rules, const struct scalar_choice *choice)
{
    for (; rules->n_chosen < choice->at.len; rules->n_chosen++) {
        const struct equation *equation = &choice->at.at[rules->n_chosen].equation;
        add_way(rules, choice->discovery, rules->n_chosen, &equation->l, &equation->r);
        add_way(rules, choice->discovery, rules->n_chosen, &equation->r, &equation->l);
    }
}

struct follow_probe {
    uint32_t node;                // node of the side that is in the graph
    const struct scalar_tree *to; // the side that must enter its class
    uint32_t var;                 // constant that stands for the first variable
};
struct follow_probes {
    const struct scalar_discovery *discovery;
    const struct follow_rules *rules;
    struct cc graph;
    struct run run;
    VEC(struct follow_probe) at;
    struct u32_vec first; // first goal by equation, and the end
};

static void probes_init(struct follow_probes *follow_probes,
                        const struct scalar_discovery *discovery, const struct follow_rules *rules)
{
    static const struct plain_rules none = {0};
    memset(follow_probes, 0, sizeof *follow_probes);
    follow_probes->discovery = discovery;
    follow_probes->rules = rules;
    cc_init(&follow_probes->graph, false);
    for (uint32_t i = 0; i < rules->graph.op.len; i++) {
        cc_op_new(&follow_probes->graph, rules->graph.op.at[i].arity);
        follow_probes->graph.op.at[i].listen = rules->graph.op.at[i].listen;
    }
    vec_push(&follow_probes->first, 0);
    run_init(&follow_probes->run, &follow_probes->graph, &none,
             (struct run_options){.max_rounds = 0});
}

static void probes_release(struct follow_probes *follow_probes)
{
    run_release(&follow_probes->run);
    vec_release(&follow_probes->at);
    vec_release(&follow_probes->first);
    cc_release(&follow_probes->graph);
}

// The class of a term, which is built if `build`; CC_NONE: it is not in the
// graph.
static uint32_t probe_term(struct follow_probes *follow_probes, const struct scalar_tree *tree,
                           uint32_t var, bool build, uint32_t *node)
{
    uint32_t cls[SCALAR_TREE_NODES];
    for (uint32_t k = 0; k < tree->n; k++) {
        const struct scalar_tree_node *scalar_tree_node = &tree->at[k];
        uint32_t arg[2] = {0, 0},
                 arity = sym_arity(follow_probes->discovery, scalar_tree_node->sym);
        uint32_t op = scalar_tree_node->sym;
        if (sym_is_var(follow_probes->discovery, scalar_tree_node->sym))
            op = var + scalar_tree_node->sym - follow_probes->discovery->options->n_ops;
        if (arity > 0)
            arg[0] = cls[scalar_tree_node->a];
        if (arity > 1)
            arg[1] = cls[scalar_tree_node->b];
        *node = build ? cc_add(&follow_probes->graph, op, arg)
                      : cc_lookup(&follow_probes->graph, op, arg);
        if (*node == CC_NONE)
            return CC_NONE;
        cls[k] = cc_class(&follow_probes->graph, *node);
    }
    return cls[tree->n - 1];
}

// A larger side is not required to come up from a smaller one.
static void add_probe(struct follow_probes *follow_probes, const struct scalar_tree *from,
                      const struct scalar_tree *to)
{
    struct follow_probe probe = {.to = to, .var = follow_probes->graph.op.len};
    if (from->n < to->n || !is_way(follow_probes->discovery, from, to))
        return;
    for (uint32_t i = 0; i < follow_probes->discovery->options->n_vars; i++)
        cc_op_new(&follow_probes->graph, 0);
    probe_term(follow_probes, from, probe.var, true, &probe.node);
    vec_push(&follow_probes->at, probe);
}

static void add_equation(struct follow_probes *follow_probes, const struct equation *equation)
{
    add_probe(follow_probes, &equation->l, &equation->r);
    add_probe(follow_probes, &equation->r, &equation->l);
    vec_push(&follow_probes->first, follow_probes->at.len);
}

static bool all_reached(struct follow_probes *follow_probes, uint32_t equation)
{
    for (uint32_t i = follow_probes->first.at[equation]; i < follow_probes->first.at[equation + 1];
         i++) {
        const struct follow_probe *probe = &follow_probes->at.at[i];
        uint32_t node, c = probe_term(follow_probes, probe->to, probe->var, false, &node);
        if (c == CC_NONE || c != cc_class(&follow_probes->graph, probe->node))
            return false;
    }
    return true;
}

static bool first_reached(void *ctx, struct cc *graph)
{
    (void)graph;
    return all_reached(ctx, 0);
}

static void use_way(struct follow_probes *follow_probes, const struct follow_rule *way)
{
    run_add(&follow_probes->run, &follow_probes->rules->rules.rule.at[way->rule]);
}

// Selects the rules that can match terms of these operators, or terms that such
// rules build.
static void use_ways(struct follow_probes *follow_probes, const struct scalar_choice *choice,
                     const struct equation *equation, uint32_t but, bool assumed)
{
    bool more = true;
    uint32_t syms =
        tree_syms(choice->discovery, &equation->l) | tree_syms(choice->discovery, &equation->r);
    bool direct = is_direct(choice->discovery, equation);
    uint8_t *done = mem_alloc(follow_probes->rules->at.len + 1);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < follow_probes->rules->at.len; i++) {
            const struct follow_rule *way = &follow_probes->rules->at.at[i];
            const struct chosen *chosen = &choice->at.at[way->chosen];
            // A rule with a condition derives only equations that have one.
            if (done[i] || way->chosen == but || chosen->derived || (chosen->assumed && !assumed) ||
                (direct && way->constant) ||
                (chosen->equation.n_nonzero > 0 && equation->n_nonzero == 0) ||
                (way->from & ~syms) != 0)
                continue;
            use_way(follow_probes, way);
            done[i] = 1;
            syms |= way->to;
            more = true;
        }
    }
    mem_free(done);
}

// Does the equation follow from all rules except one?  `assumed`: also from
// rules that are only assumed.
static bool derived(const struct scalar_choice *choice, const struct follow_rules *rules,
                    const struct equation *equation, uint32_t but, bool assumed, uint32_t nodes)
{
    struct follow_probes follow_probes;
    probes_init(&follow_probes, choice->discovery, rules);
    add_equation(&follow_probes, equation);
    follow_probes.run.opt = (struct run_options){.max_rounds = SCALAR_DROP_ROUNDS,
                                                 .max_nodes = nodes,
                                                 .goal = first_reached,
                                                 .goal_ctx = &follow_probes};
    use_ways(&follow_probes, choice, equation, but, assumed);
    run_rounds(&follow_probes.run);
    bool yes = all_reached(&follow_probes, 0);
    probes_release(&follow_probes);
    return yes;
}

// Asks the same of all small equations, and of dropped ones, in one common
// graph.  This is quick; equations that it derives do follow, the others may
// follow.
static void all_derived(const struct scalar_choice *choice, const struct follow_rules *rules,
                        uint8_t *small, uint8_t *dropped)
{
    struct follow_probes follow_probes;
    probes_init(&follow_probes, choice->discovery, rules);
    for (uint32_t i = 0; i < choice->small.len; i++)
        add_equation(&follow_probes, &choice->small.at[i]);
    for (uint32_t i = 0; i < choice->at.len; i++)
        if (choice->at.at[i].derived)
            add_equation(&follow_probes, &choice->at.at[i].equation);
    follow_probes.run.opt = (struct run_options){
        .max_rounds = SCALAR_DROP_ROUNDS,
        .max_nodes = follow_probes.graph.node.len + SCALAR_SMALL_NODES * follow_probes.first.len};
    for (uint32_t i = 0; i < rules->at.len; i++) {
        const struct chosen *chosen = &choice->at.at[rules->at.at[i].chosen];
        if (chosen->equation.n_nonzero == 0 && !chosen->derived)
            use_way(&follow_probes, &rules->at.at[i]);
    }
    run_rounds(&follow_probes.run);
    uint32_t n = 0;
    for (; n < choice->small.len; n++)
        small[n] = all_reached(&follow_probes, n);
    for (uint32_t i = 0; i < choice->at.len; i++)
        if (choice->at.at[i].derived)
            dropped[i] = all_reached(&follow_probes, n++);
    probes_release(&follow_probes);
}

// Small equations that the rules do not derive by themselves become rules.
static void complete(struct scalar_choice *choice, struct follow_rules *rules)
{
    uint8_t *small = mem_alloc(choice->small.len + 1);
    add_ways(rules, choice);
    all_derived(choice, rules, small, NULL);
    for (uint32_t i = 0; i < choice->small.len; i++) {
        struct chosen chosen = {.equation = choice->small.at[i], .follows = true};
        if (!small[i] && is_large(choice->discovery, &chosen.equation))
            small[i] = derived(choice, rules, &chosen.equation, CC_NONE, true, SCALAR_LARGE_NODES);
        choice->is_chosen.at[i] = !small[i];
        if (!small[i])
            vec_push(&choice->at, chosen);
    }
    mem_free(small);
}

// One operator and no constant: such an equation is kept rather than derived by
// a detour.
static bool is_least(const struct scalar_discovery *discovery, const struct equation *equation)
{
    for (uint32_t k = 0; k < equation->l.n; k++)
        if (sym_arity(discovery, equation->l.at[k].sym) == 0 &&
            !sym_is_var(discovery, equation->l.at[k].sym))
            return false;
    return equation->l.n + equation->r.n <= 4;
}

// Drops equations that follow from the others, the largest first.  An equation
// that was dropped for the sake of a rule dropped later may no longer follow in
// so few rounds; it is then taken back.
static void drop_once(struct scalar_choice *choice, struct follow_rules *rules)
{
    const struct scalar_discovery *discovery = choice->discovery;
    for (uint32_t i = choice->at.len; i-- > 0;) {
        struct chosen *chosen = &choice->at.at[i];
        if (!chosen->dropped && !is_least(discovery, &chosen->equation) &&
            derived(choice, rules, &chosen->equation, i, chosen->follows, SCALAR_DROP_NODES))
            chosen->dropped = chosen->derived = true;
    }
    uint32_t n = choice->at.len;
    bool any = false; // some equation is only assumed
    for (uint32_t i = 0; i < n; i++)
        any |= choice->at.at[i].assumed;
    uint8_t *small = mem_alloc(choice->small.len + 1), *dropped = mem_alloc(n + 1);
    all_derived(choice, rules, small, dropped);
    for (uint32_t i = 0; i < n; i++) {
        struct chosen *x = &choice->at.at[i];
        if (x->derived && (!dropped[i] || (any && !x->follows)) &&
            !derived(choice, rules, &x->equation, i, x->follows, SCALAR_DROP_NODES))
            x->dropped = x->derived = false;
    }
    for (uint32_t i = 0; i < choice->small.len; i++) {
        struct chosen x = {.equation = choice->small.at[i], .follows = true};
        if (choice->is_chosen.at[i] || small[i] ||
            derived(choice, rules, &x.equation, CC_NONE, true,
                    is_large(choice->discovery, &x.equation) ? SCALAR_LARGE_NODES
                                                             : SCALAR_DROP_NODES))
            continue;
        vec_push(&choice->at, x);
        add_ways(rules, choice);
    }
    mem_free(small);
    mem_free(dropped);
}

static uint32_t count_kept(const struct scalar_choice *choice)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < choice->at.len; i++)
        n += !choice->at.at[i].dropped;
    return n;
}

// An equation that was not derived among many rules, within the limit on nodes,
// may be derived among few.  Taking rules back may need another pass.
static void drop_derived(struct scalar_choice *choice, struct follow_rules *rules)
{
    add_ways(rules, choice);
    drop_once(choice, rules);
    for (int pass = 0; pass < SCALAR_MORE_PASSES; pass++) {
        uint32_t n = choice->at.len, before = count_kept(choice);
        uint8_t *was = mem_alloc(n + 1);
        for (uint32_t i = 0; i < n; i++)
            was[i] = (uint8_t)(choice->at.at[i].dropped | choice->at.at[i].derived << 1);
        drop_once(choice, rules);
        bool fewer = count_kept(choice) < before;
        if (!fewer) {
            choice->at.len = n;
            for (uint32_t i = 0; i < n; i++) {
                choice->at.at[i].dropped = was[i] & 1;
                choice->at.at[i].derived = was[i] >> 1;
            }
        }
        mem_free(was);
        if (!fewer)
            return;
    }
}

void scalar_complete(struct scalar_choice *choice, bool drop)
{
    struct follow_rules rules;
    ways_init(&rules, choice->discovery);
    complete(choice, &rules);
    if (drop)
        drop_derived(choice, &rules);
    ways_release(&rules);
}
