// SPDX-License-Identifier: Apache-2.0
// Chooses candidates, best first.  A chosen equation becomes a rule that merges
// terms in the graph.
#include "discover/scalars/core.h"
#include "discover/limits.h"

#include "base/clock.h"
#include <stdlib.h>

bool scalar_late(struct scalar_discovery *discovery)
{
    double seconds = discovery->options->seconds;
    if ((seconds > 0 && clock_wall() - discovery->begin > seconds) ||
        stop_asked(&discovery->options->stop))
        discovery->out->stats.cut = discovery->stop = true;
    return discovery->stop;
}

// If both sides are in the graph, the rule merges them; it builds no terms.
static void merge_by(struct scalar_discovery *discovery, const struct equation *equation)
{
    static const struct guard_name guards[] = {{"nonzero", 1, false}, {NULL, 0, false}};
    struct buf text = {0};
    struct err err = {0};
    uint8_t number[SCALAR_MAX_VARS];
    numbers_clear(number);
    buf_puts(&text, "m: ?x = ");
    scalar_tree_plain(discovery, &equation->l, "?v", number, &text);
    bool leaf = equation->r.n == 1 && sym_is_var(discovery, equation->r.at[0].sym);
    struct buf right = {0};
    scalar_tree_plain(discovery, &equation->r, "?v", number, &right);
    if (!leaf)
        buf_printf(&text, " and ?y = %s", buf_text(&right));
    struct buf conditions = {0};
    for (uint32_t k = 0; k < equation->n_nonzero; k++) {
        const struct scalar_tree *tree = &equation->nonzero[k];
        buf_printf(&conditions, "%snonzero(", k == 0 ? " if " : " and ");
        if (tree->n > 1) {
            buf_printf(&text, " and ?d%u = ", (unsigned)k);
            scalar_tree_plain(discovery, tree, "?v", number, &text);
            buf_printf(&conditions, "?d%u)", (unsigned)k);
        } else {
            scalar_tree_plain(discovery, tree, "?v", number, &conditions);
            buf_putc(&conditions, ')');
        }
    }
    buf_printf(&text, " => ?x = %s%s\n", leaf ? buf_text(&right) : "?y", buf_text(&conditions));
    uint32_t n = discovery->plain.rule.len;
    if (n < SCALAR_RULES &&
        plain_read(&discovery->plain, &discovery->graph, "m", buf_text(&text), guards, &err)) {
        run_add(&discovery->run, &discovery->plain.rule.at[n]);
        run_rounds(&discovery->run);
    } else {
        discovery->out->stats.cut = discovery->stop = true;
    }
    buf_release(&text);
    buf_release(&right);
    buf_release(&conditions);
    scalar_best(discovery);
}

bool scalar_guard(void *ctx, struct cc *graph, uint32_t kind, const uint32_t *arg, uint32_t *out)
{
    const struct scalar_discovery *discovery = ctx;
    (void)kind;
    (void)out;
    return discovery->known.at[discovery->best.at[cc_find(graph, arg[0])]].nonzero;
}

// Candidates

struct scalar_candidate {
    uint64_t score;
    uint32_t l, r; // nodes; the left side is at least as large
    bool via;      // the left side is not the smallest term of its class
    bool least;    // the right side is one of the smallest of its group
};
struct member {
    uint64_t hash;
    uint32_t node;
};
struct scalar_candidates {
    VEC(struct member) member;
    VEC(struct scalar_candidate) at;
};

static int by_hash(const void *a, const void *b)
{
    const struct member *member = a, *y = b;
    if (member->hash != y->hash)
        return member->hash < y->hash ? -1 : 1;
    return member->node < y->node ? -1 : member->node > y->node;
}

static int by_score(const void *a, const void *b)
{
    const struct scalar_candidate *candidate = a, *y = b;
    if (candidate->score != y->score)
        return candidate->score < y->score ? -1 : 1;
    if (candidate->l != y->l)
        return candidate->l < y->l ? -1 : 1;
    return candidate->r < y->r ? -1 : candidate->r > y->r;
}

static unsigned bits(unsigned x)
{
    unsigned n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

// A term of the class of `a`, at least as large as the smallest, that also has
// the variables of `b`.
static uint32_t with_vars(struct scalar_discovery *discovery, uint32_t a, uint32_t b)
{
    const struct cc *graph = &discovery->graph;
    unsigned vars = discovery->known.at[b].vars;
    uint32_t found = CC_NONE, first = graph->class_.at[cc_class(&discovery->graph, a)].member;
    uint32_t n = first;
    do {
        const struct known_values *known = &discovery->known.at[n];
        if ((known->vars & vars) == vars &&
            (found == CC_NONE || known->ops < discovery->known.at[found].ops ||
             (known->ops == discovery->known.at[found].ops && n < found)))
            found = n;
        n = graph->next.at[n];
    } while (n != first);
    return found;
}

// The least measures among a group of equal terms.
struct least {
    unsigned vars, ops;
};

// The order of candidates.  Equations without redundant variables come first,
// then those that remove redundant variables, since their left sides cannot be
// found again.  Among these, small sides come first, then general equations:
// many variables, few constants.
static void pair(struct scalar_discovery *discovery, struct scalar_candidates *scalar_candidates,
                 uint32_t a, uint32_t b, struct least least)
{
    const struct known_values *known = &discovery->known.at[a], *y = &discovery->known.at[b];
    bool swap = (known->vars | y->vars) != known->vars;
    if (!swap && (known->vars | y->vars) == y->vars)
        swap = known->ops < y->ops;
    if (swap) {
        uint32_t t = a;
        a = b;
        b = t;
        known = &discovery->known.at[a];
        y = &discovery->known.at[b];
    }
    bool via = (known->vars | y->vars) != known->vars;
    if (via) {
        uint32_t l = with_vars(discovery, a, b), r = b;
        if (l == CC_NONE) {
            l = with_vars(discovery, b, a);
            r = a;
        }
        if (l == CC_NONE)
            return; // neither side determines the variables of the other
        a = l;
        b = r;
        known = &discovery->known.at[a];
        y = &discovery->known.at[b];
    }
    unsigned most = known->ops > y->ops ? known->ops : y->ops;
    uint64_t score = bits(y->vars) > least.vars ? 2 : bits(known->vars) > least.vars ? 1 : 0;
    score = score << 8 | (unsigned)(known->ops + y->ops);
    score = score << 8 | most;
    score = score << 8 | (255 - bits(known->vars) - bits(y->vars));
    score = score << 8 | (unsigned)(known->constants + y->constants);
    score = score << 8 | (unsigned)(known->depth + y->depth);
    struct scalar_candidate candidate = {score, a, b, via, y->ops == least.ops};
    vec_push(&scalar_candidates->at, candidate);
}

static void collect(struct scalar_discovery *discovery, struct scalar_candidates *scalar_candidates,
                    bool generic)
{
    vec_clear(&scalar_candidates->member);
    vec_clear(&scalar_candidates->at);
    for (uint32_t i = 0; i < discovery->best.len; i++) {
        uint32_t n = discovery->best.at[i];
        if (n == CC_NONE)
            continue;
        const struct known_values *known = &discovery->known.at[n];
        struct member member = {generic ? known->generic : known->hash, n};
        if (member.hash != 0)
            vec_push(&scalar_candidates->member, member);
    }
    if (scalar_candidates->member.len > 0)
        qsort(scalar_candidates->member.at, scalar_candidates->member.len,
              sizeof *scalar_candidates->member.at, by_hash);
    for (uint32_t i = 0, j; i < scalar_candidates->member.len; i = j) {
        for (j = i; j < scalar_candidates->member.len &&
                    scalar_candidates->member.at[j].hash == scalar_candidates->member.at[i].hash;
             j++)
            ;
        // Nodes ascend, so the first nodes are the smallest terms.
        struct least least = {SCALAR_MAX_VARS,
                              discovery->known.at[scalar_candidates->member.at[i].node].ops};
        for (uint32_t a = i; a < j; a++) {
            const struct known_values *x =
                &discovery->known.at[scalar_candidates->member.at[a].node];
            unsigned vars = bits(x->vars);
            least.vars = vars < least.vars ? vars : least.vars;
            least.ops = x->ops < least.ops ? x->ops : least.ops;
        }
        for (uint32_t a = i; a < j && a < i + SCALAR_FIRST_OF_GROUP; a++)
            for (uint32_t b = a + 1; b < j; b++)
                pair(discovery, scalar_candidates, scalar_candidates->member.at[a].node,
                     scalar_candidates->member.at[b].node, least);
    }
    if (scalar_candidates->at.len > 0)
        qsort(scalar_candidates->at.at, scalar_candidates->at.len, sizeof *scalar_candidates->at.at,
              by_score);
}

static bool same_class(struct scalar_discovery *discovery, uint32_t a, uint32_t b)
{
    return cc_class(&discovery->graph, a) == cc_class(&discovery->graph, b);
}

void scalar_key(const struct scalar_discovery *discovery, const struct equation *equation,
                struct buf *out)
{
    uint8_t number[SCALAR_MAX_VARS];
    numbers_clear(number);
    scalar_tree_plain(discovery, &equation->l, "", number, out);
    buf_putc(out, '=');
    scalar_tree_plain(discovery, &equation->r, "", number, out);
    buf_putc(out, equation->n_nonzero > 0 ? '?' : ' ');
}

// Was the equation judged before?
static bool was_tried(struct scalar_discovery *discovery, const struct equation *equation)
{
    struct buf key = {0};
    scalar_key(discovery, equation, &key);
    uint32_t before = discovery->tried.entry.len;
    intern_bytes(&discovery->tried, key.at, key.len);
    buf_release(&key);
    return discovery->tried.entry.len == before;
}

// Collects the divisors as terms.  False: there are too many.
static bool divisors(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                     struct equation *equation)
{
    for (uint32_t k = 0; k < tree->n; k++) {
        if (sym_arity(discovery, tree->at[k].sym) != 2 ||
            discovery->options->ops[tree->at[k].sym] != OP_DIVIDE)
            continue;
        // The nodes of a subtree are consecutive and end with its root.
        struct scalar_tree d = {0};
        uint32_t root = tree->at[k].b, from = root;
        for (uint32_t open = 1; open > 0; from--) {
            open += sym_arity(discovery, tree->at[from].sym);
            if (--open == 0)
                break;
        }
        for (uint32_t i = from; i <= root; i++) {
            struct scalar_tree_node scalar_tree_node = tree->at[i];
            scalar_tree_node.a = (uint8_t)(scalar_tree_node.a - from);
            scalar_tree_node.b = (uint8_t)(scalar_tree_node.b - from);
            d.at[d.n++] = scalar_tree_node;
        }
        bool have = d.n == 1 && !sym_is_var(discovery, d.at[0].sym);
        for (uint32_t i = 0; i < equation->n_nonzero; i++) {
            const struct scalar_tree *o = &equation->nonzero[i];
            bool same = o->n == d.n;
            for (uint32_t m = 0; same && m < d.n; m++)
                same = o->at[m].sym == d.at[m].sym &&
                       (sym_arity(discovery, d.at[m].sym) < 1 || o->at[m].a == d.at[m].a) &&
                       (sym_arity(discovery, d.at[m].sym) < 2 || o->at[m].b == d.at[m].b);
            have |= same;
        }
        if (have)
            continue;
        if (equation->n_nonzero == 4)
            return false;
        equation->nonzero[equation->n_nonzero++] = d;
    }
    return true;
}

// Finds the fewest divisors that must not be 0 so that the sides agree at the
// inputs tried.
static bool weakest(struct scalar_discovery *discovery, struct equation *equation)
{
    struct equation all = *equation;
    all.n_nonzero = 0;
    if (!divisors(discovery, &equation->l, &all) || !divisors(discovery, &equation->r, &all) ||
        all.n_nonzero == 0)
        return false;
    unsigned n = all.n_nonzero, found = 0;
    bool any = false;
    for (unsigned mask = 1; mask < 1u << n; mask++) {
        equation->n_nonzero = 0;
        for (unsigned k = 0; k < n; k++)
            if (mask >> k & 1)
                equation->nonzero[equation->n_nonzero++] = all.nonzero[k];
        if ((!any || bits(mask) < bits(found)) &&
            scalar_agree_where(discovery, &equation->l, &equation->r, equation->n_nonzero,
                               equation->nonzero)) {
            found = mask;
            any = true;
        }
    }
    equation->n_nonzero = 0;
    for (unsigned k = 0; k < n; k++)
        if (found >> k & 1)
            equation->nonzero[equation->n_nonzero++] = all.nonzero[k];
    return any;
}

// One pass over the current candidates.  True: some of them were outdated.
static bool choose(struct scalar_choice *choice, struct scalar_candidates *scalar_candidates,
                   bool generic)
{
    struct scalar_discovery *discovery = choice->discovery;
    struct scalar_stats *stats = &discovery->out->stats;
    bool again = false;
    for (uint32_t i = 0; i < scalar_candidates->at.len && !scalar_late(discovery); i++) {
        uint32_t l = scalar_candidates->at.at[i].l, r = scalar_candidates->at.at[i].r;
        struct chosen chosen = {0};
        if (same_class(discovery, l, r))
            continue;
        if ((!scalar_candidates->at.at[i].via &&
             discovery->best.at[cc_class(&discovery->graph, l)] != l) ||
            discovery->best.at[cc_class(&discovery->graph, r)] != r) {
            again = true;
            continue;
        }
        if (!scalar_tree_of(discovery, l, &chosen.equation.l) ||
            !scalar_tree_of(discovery, r, &chosen.equation.r))
            continue;
        if (generic && !weakest(discovery, &chosen.equation))
            continue;
        if (was_tried(discovery, &chosen.equation))
            continue;
        stats->candidates++;
        enum judgement j = scalar_judge(discovery, &chosen.equation, false);
        stats->refuted += j == JUDGED_FALSE;
        if (j == JUDGED_FALSE)
            continue;
        stats->proved += j == JUDGED_TRUE;
        chosen.assumed = j == JUDGED_UNKNOWN;
        chosen.stuck = chosen.assumed && discovery->stuck;
        vec_push(&choice->at, chosen);
        merge_by(discovery, &chosen.equation);
    }
    return again;
}

// Are the sides one term except for the places of variables?
static bool is_symmetry(const struct scalar_discovery *discovery, const struct equation *equation)
{
    bool same = equation->l.n == equation->r.n;
    for (uint32_t k = 0; k < equation->l.n && same; k++) {
        const struct scalar_tree_node *scalar_tree_node = &equation->l.at[k],
                                      *y = &equation->r.at[k];
        uint32_t arity = sym_arity(discovery, scalar_tree_node->sym);
        same = (scalar_tree_node->sym == y->sym ||
                (sym_is_var(discovery, scalar_tree_node->sym) && sym_is_var(discovery, y->sym))) &&
               (arity < 1 || scalar_tree_node->a == y->a) &&
               (arity < 2 || scalar_tree_node->b == y->b);
    }
    return same;
}

// Collects small equations, and larger ones that permute all variables of a
// term, up to names of variables.  They must follow from the rules alone,
// without the terms that the graph contains by chance.
static void note_small(struct scalar_choice *choice,
                       const struct scalar_candidates *scalar_candidates)
{
    struct scalar_discovery *discovery = choice->discovery;
    for (uint32_t i = 0; i < scalar_candidates->at.len && choice->small.len < SCALAR_SMALL; i++) {
        const struct scalar_candidate *candidate = &scalar_candidates->at.at[i];
        struct equation equation = {.n_nonzero = 0};
        struct buf key = {0};
        const struct known_values *known = &discovery->known.at[candidate->l],
                                  *b = &discovery->known.at[candidate->r];
        unsigned ops = (unsigned)known->ops + b->ops;
        if (!candidate->least || ops > SCALAR_SYMMETRY_OPS ||
            (ops > SCALAR_SMALL_OPS && (bits(known->vars & b->vars) < discovery->options->n_vars ||
                                        known->constants + b->constants > 0)) ||
            !scalar_tree_of(discovery, candidate->l, &equation.l) ||
            !scalar_tree_of(discovery, candidate->r, &equation.r) ||
            (ops > SCALAR_SMALL_OPS && !is_symmetry(discovery, &equation)))
            continue;
        scalar_key(discovery, &equation, &key);
        uint32_t before = choice->keys.entry.len;
        intern_bytes(&choice->keys, key.at, key.len);
        buf_release(&key);
        if (choice->keys.entry.len == before)
            continue;
        struct node_sides at = {candidate->l, candidate->r};
        vec_push(&choice->small, equation);
        vec_push(&choice->sides, at);
        vec_push(&choice->is_chosen, 0);
    }
}

void scalar_keep_equal(struct scalar_choice *choice)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < choice->small.len; i++)
        if (same_class(choice->discovery, choice->sides.at[i].l, choice->sides.at[i].r))
            choice->small.at[n++] = choice->small.at[i];
    choice->small.len = n;
}

void scalar_choose(struct scalar_choice *choice, bool generic)
{
    struct scalar_candidates scalar_candidates = {0};
    bool first = !generic;
    do {
        collect(choice->discovery, &scalar_candidates, generic);
        if (first)
            note_small(choice, &scalar_candidates);
        first = false;
    } while (choose(choice, &scalar_candidates, generic) && !choice->discovery->stop);
    vec_release(&scalar_candidates.member);
    vec_release(&scalar_candidates.at);
}
