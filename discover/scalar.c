// SPDX-License-Identifier: Apache-2.0
// Candidates, best first; what was chosen is a rule that merges what is there.
#include "discover/scalar_core.h"

#include "base/clock.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_RULES = 4096,
    MAX_TERMS = 2000000,
    MAX_SMALL = 4000,
    SMALL_OPS = 3,      // of both sides
    FIRST_OF_GROUP = 8, // each of these is paired with all others

    DROP_ROUNDS = 6,
    DROP_NODES = 6000,
    SMALL_NODES = 200 // for each small equation
};

struct scalar_options scalar_defaults(enum domain d)
{
    return (struct scalar_options){
        .domain = d, .n_vars = 3, .max_ops = 2, .max_terms = MAX_TERMS};
}

bool scalar_ops(const char *text, struct scalar_options *o, struct err *e)
{
    static const struct {
        const char *name;
        enum op op;
    } more[] = {{"+", OP_ADD},
                {"-", OP_SUBTRACT},
                {"*", OP_MULTIPLY},
                {"/", OP_DIVIDE},
                {"sub", OP_SUBTRACT},
                {"mul", OP_MULTIPLY},
                {"div", OP_DIVIDE},
                {"neg", OP_NEGATE},
                {"max", OP_MAXIMUM},
                {"min", OP_MINIMUM},
                {"rem", OP_REMAINDER},
                {"exp", OP_EXPONENTIAL},
                {"pow", OP_POWER},
                {"&", OP_AND},
                {"|", OP_OR},
                {"^", OP_XOR},
                {"!", OP_NOT},
                {"shl", OP_SHIFT_LEFT},
                {"shr", OP_SHIFT_RIGHT_LOGICAL}};
    o->n_ops = 0;
    for (const char *s = text; *s != 0;) {
        size_t n = strcspn(s, ",");
        char name[64] = "";
        enum op op = N_OPS;
        if (n < sizeof name)
            memcpy(name, s, n);
        for (size_t i = 0; i < sizeof more / sizeof *more; i++)
            if (strcmp(more[i].name, name) == 0)
                op = more[i].op;
        if (op == N_OPS && !op_by_name(name, &op))
            return err_set(e, ERR_USAGE, "no operator `%s`", name);
        if (op_class(op) != OPC_UNARY && op_class(op) != OPC_BINARY)
            return err_set(e, ERR_USAGE,
                           "`%s` is no operator of one or two elements", name);
        if (o->n_ops == SCALAR_MAX_OPS)
            return err_set(e, ERR_USAGE, "more than %d operators",
                           SCALAR_MAX_OPS);
        for (uint32_t i = 0; i < o->n_ops; i++)
            if (o->ops[i] == op)
                return err_set(e, ERR_USAGE, "`%s` is there twice", name);
        o->ops[o->n_ops++] = op;
        s += n + (s[n] == ',');
    }
    return o->n_ops > 0 || err_set(e, ERR_USAGE, "no operators");
}

bool scalar_check(const struct scalar_options *o, struct err *e)
{
    static const enum domain domains[] = {DOMAIN_BOOL, DOMAIN_INT, DOMAIN_WORD,
                                          DOMAIN_REAL};
    bool known = false;
    for (size_t i = 0; i < 4; i++)
        known |= o->domain == domains[i];
    if (!known)
        return err_set(e, ERR_USAGE,
                       "rules of elements are found in bool, int, word, real");
    if (o->n_vars < 1 || o->n_vars > SCALAR_MAX_VARS)
        return err_set(e, ERR_USAGE, "1 to %d variables", SCALAR_MAX_VARS);
    if ((o->width != 0 && o->width != 2 && o->width != 4) ||
        (o->width != 0 && o->domain != DOMAIN_WORD) ||
        o->width * o->n_vars > 20)
        return err_set(e, ERR_USAGE,
                       "all inputs are tried of words of 2 or 4 bits, at most "
                       "20 bits in all");
    if (o->max_ops == 0 && o->max_depth == 0)
        return err_set(e, ERR_USAGE, "terms of any size");
    if (o->max_ops > 20 || o->max_depth > 5)
        return err_set(e, ERR_USAGE, "at most 20 operators, 5 levels");
    unsigned kinds = domain_kinds(o->domain);
    for (uint32_t i = 0; i < o->n_ops; i++)
        if ((op_kinds(o->ops[i]) & kinds) == 0)
            return err_set(e, ERR_USAGE, "%s has no operator `%s`",
                           domain_text(o->domain), op_name(o->ops[i]));
    return true;
}

static bool late(struct discovery *s)
{
    if (s->o->seconds > 0 && clock_wall() - s->begin > s->o->seconds)
        s->out->stats.cut = s->stop = true;
    return s->stop;
}

// Chosen equations

struct chosen {
    struct equation q;
    bool assumed; // not proved: what follows is not looked at
    bool stuck;   // and will not be
    bool follows; // from the others, so it is not proved yet
    bool dropped;
    bool derived; // that is why
};
// Equations that were assumed and then refuted, by their keys.
struct wrong {
    char **at;
    uint32_t len, cap;
};
struct sides {
    uint32_t l, r;
};
struct choice {
    struct discovery *s;
    VEC(struct chosen) at;
    VEC(struct equation) small; // equations of few operators
    VEC(struct sides) sides;    // their nodes
    struct intern keys;         // of these
    struct u32_vec is_chosen;   // and whether they are rules
};

static void numbers(uint8_t *number)
{
    memset(number, 0xff, SCALAR_MAX_VARS);
}

// Where both sides are in the graph they become one; nothing is built.
static void merge_by(struct discovery *s, const struct equation *q)
{
    static const struct guard_name guards[] = {{"nonzero", 1, false},
                                               {NULL, 0, false}};
    struct buf text = {0};
    struct err e = {0};
    uint8_t number[SCALAR_MAX_VARS];
    numbers(number);
    buf_puts(&text, "m: ?x = ");
    scalar_tree_plain(s, &q->l, "?v", number, &text);
    bool leaf = q->r.n == 1 && sym_is_var(s, q->r.at[0].sym);
    struct buf right = {0};
    scalar_tree_plain(s, &q->r, "?v", number, &right);
    if (!leaf)
        buf_printf(&text, " and ?y = %s", buf_text(&right));
    struct buf conditions = {0};
    for (uint32_t k = 0; k < q->n_nonzero; k++) {
        const struct tree *d = &q->nonzero[k];
        buf_printf(&conditions, "%snonzero(", k == 0 ? " if " : " and ");
        if (d->n > 1) {
            buf_printf(&text, " and ?d%u = ", (unsigned)k);
            scalar_tree_plain(s, d, "?v", number, &text);
            buf_printf(&conditions, "?d%u)", (unsigned)k);
        } else {
            scalar_tree_plain(s, d, "?v", number, &conditions);
            buf_putc(&conditions, ')');
        }
    }
    buf_printf(&text, " => ?x = %s%s\n", leaf ? buf_text(&right) : "?y",
               buf_text(&conditions));
    uint32_t n = s->plain.rule.len;
    if (n < MAX_RULES &&
        plain_read(&s->plain, &s->g, "m", buf_text(&text), guards, &e)) {
        struct run_rule x = {.rule = &s->plain.rule.at[n]};
        vec_push(&s->run.rule, x);
        run_rounds(&s->run);
    } else {
        s->out->stats.cut = s->stop = true;
    }
    buf_release(&text);
    buf_release(&right);
    buf_release(&conditions);
    scalar_best(s);
}

static bool guard(void *ctx, struct cc *g, uint32_t kind, const uint32_t *arg,
                  uint32_t *out)
{
    const struct discovery *s = ctx;
    (void)kind;
    (void)out;
    return s->known.at[s->best.at[cc_find(g, arg[0])]].nonzero;
}

// Candidates

struct candidate {
    uint64_t score;
    uint32_t l, r; // nodes; the left side is no smaller
    bool via;      // it is not the smallest of its class
    bool least;    // the right side is one of the smallest of its group
};
struct member {
    uint64_t hash;
    uint32_t node;
};
struct candidates {
    VEC(struct member) member;
    VEC(struct candidate) at;
};

static int by_hash(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int by_score(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    if (x->l != y->l)
        return x->l < y->l ? -1 : 1;
    return x->r < y->r ? -1 : x->r > y->r;
}

static unsigned bits(unsigned x)
{
    unsigned n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

// A term of the class of `a`, no smaller, that has the variables of `b`, too.
static uint32_t with_vars(struct discovery *s, uint32_t a, uint32_t b)
{
    const struct cc *g = &s->g;
    unsigned vars = s->known.at[b].vars;
    uint32_t found = CC_NONE, first = g->class_.at[cc_class(&s->g, a)].member;
    uint32_t n = first;
    do {
        const struct known *x = &s->known.at[n];
        if ((x->vars & vars) == vars &&
            (found == CC_NONE || x->ops < s->known.at[found].ops ||
             (x->ops == s->known.at[found].ops && n < found)))
            found = n;
        n = g->next.at[n];
    } while (n != first);
    return found;
}

// What a group of equal terms has least of.
struct least {
    unsigned vars, ops;
};

// First equations between terms that have no variable in vain, then those that
// take such away: their left sides cannot be found again.  Then small sides,
// and those that say more: many variables, few constants.
static void pair(struct discovery *s, struct candidates *c, uint32_t a,
                 uint32_t b, struct least least)
{
    const struct known *x = &s->known.at[a], *y = &s->known.at[b];
    bool swap = (x->vars | y->vars) != x->vars;
    if (!swap && (x->vars | y->vars) == y->vars)
        swap = x->ops < y->ops;
    if (swap) {
        uint32_t t = a;
        a = b;
        b = t;
        x = &s->known.at[a];
        y = &s->known.at[b];
    }
    bool via = (x->vars | y->vars) != x->vars;
    if (via) {
        uint32_t l = with_vars(s, a, b), r = b;
        if (l == CC_NONE) {
            l = with_vars(s, b, a);
            r = a;
        }
        if (l == CC_NONE)
            return; // neither can be matched for the other
        a = l;
        b = r;
        x = &s->known.at[a];
        y = &s->known.at[b];
    }
    unsigned most = x->ops > y->ops ? x->ops : y->ops;
    uint64_t score = bits(y->vars) > least.vars   ? 2
                     : bits(x->vars) > least.vars ? 1
                                                  : 0;
    score = score << 8 | (unsigned)(x->ops + y->ops);
    score = score << 8 | most;
    score = score << 8 | (255 - bits(x->vars) - bits(y->vars));
    score = score << 8 | (unsigned)(x->constants + y->constants);
    score = score << 8 | (unsigned)(x->depth + y->depth);
    struct candidate k = {score, a, b, via, y->ops == least.ops};
    vec_push(&c->at, k);
}

static void collect(struct discovery *s, struct candidates *c, bool generic)
{
    vec_clear(&c->member);
    vec_clear(&c->at);
    for (uint32_t i = 0; i < s->best.len; i++) {
        uint32_t n = s->best.at[i];
        if (n == CC_NONE)
            continue;
        const struct known *t = &s->known.at[n];
        struct member m = {generic ? t->generic : t->hash, n};
        if (m.hash != 0)
            vec_push(&c->member, m);
    }
    qsort(c->member.at, c->member.len, sizeof *c->member.at, by_hash);
    for (uint32_t i = 0, j; i < c->member.len; i = j) {
        for (j = i;
             j < c->member.len && c->member.at[j].hash == c->member.at[i].hash;
             j++)
            ;
        // Nodes ascend, so the first ones are the smallest.
        struct least least = {SCALAR_MAX_VARS,
                              s->known.at[c->member.at[i].node].ops};
        for (uint32_t a = i; a < j; a++) {
            const struct known *x = &s->known.at[c->member.at[a].node];
            unsigned vars = bits(x->vars);
            least.vars = vars < least.vars ? vars : least.vars;
            least.ops = x->ops < least.ops ? x->ops : least.ops;
        }
        for (uint32_t a = i; a < j && a < i + FIRST_OF_GROUP; a++)
            for (uint32_t b = a + 1; b < j; b++)
                pair(s, c, c->member.at[a].node, c->member.at[b].node, least);
    }
    qsort(c->at.at, c->at.len, sizeof *c->at.at, by_score);
}

static bool same_class(struct discovery *s, uint32_t a, uint32_t b)
{
    return cc_class(&s->g, a) == cc_class(&s->g, b);
}

// With other variables it is the same.
static void put_key(const struct discovery *s, const struct equation *q,
                    struct buf *out)
{
    uint8_t number[SCALAR_MAX_VARS];
    numbers(number);
    scalar_tree_plain(s, &q->l, "", number, out);
    buf_putc(out, '=');
    scalar_tree_plain(s, &q->r, "", number, out);
    buf_putc(out, q->n_nonzero > 0 ? '?' : ' ');
}

// Was it judged before?
static bool was_tried(struct discovery *s, const struct equation *q)
{
    struct buf key = {0};
    put_key(s, q, &key);
    uint32_t before = s->tried.entry.len;
    intern_bytes(&s->tried, key.at, key.len);
    buf_release(&key);
    return s->tried.entry.len == before;
}

// The divisors, as terms; too many: false.
static bool divisors(const struct discovery *s, const struct tree *t,
                     struct equation *q)
{
    for (uint32_t k = 0; k < t->n; k++) {
        if (sym_arity(s, t->at[k].sym) != 2 ||
            s->o->ops[t->at[k].sym] != OP_DIVIDE)
            continue;
        // A subtree stands together, before its root.
        struct tree d = {0};
        uint32_t root = t->at[k].b, from = root;
        for (uint32_t open = 1; open > 0; from--) {
            open += sym_arity(s, t->at[from].sym);
            if (--open == 0)
                break;
        }
        for (uint32_t i = from; i <= root; i++) {
            struct tree_node n = t->at[i];
            n.a = (uint8_t)(n.a - from);
            n.b = (uint8_t)(n.b - from);
            d.at[d.n++] = n;
        }
        bool have = d.n == 1 && !sym_is_var(s, d.at[0].sym);
        for (uint32_t i = 0; i < q->n_nonzero; i++) {
            const struct tree *o = &q->nonzero[i];
            bool same = o->n == d.n;
            for (uint32_t m = 0; same && m < d.n; m++)
                same =
                    o->at[m].sym == d.at[m].sym &&
                    (sym_arity(s, d.at[m].sym) < 1 ||
                     o->at[m].a == d.at[m].a) &&
                    (sym_arity(s, d.at[m].sym) < 2 || o->at[m].b == d.at[m].b);
            have |= same;
        }
        if (have)
            continue;
        if (q->n_nonzero == 4)
            return false;
        q->nonzero[q->n_nonzero++] = d;
    }
    return true;
}

// The fewest divisors that must not be 0 for the sides to agree where tried.
static bool weakest(struct discovery *s, struct equation *q)
{
    struct equation all = *q;
    all.n_nonzero = 0;
    if (!divisors(s, &q->l, &all) || !divisors(s, &q->r, &all) ||
        all.n_nonzero == 0)
        return false;
    unsigned n = all.n_nonzero, found = 0;
    bool any = false;
    for (unsigned mask = 1; mask < 1u << n; mask++) {
        q->n_nonzero = 0;
        for (unsigned k = 0; k < n; k++)
            if (mask >> k & 1)
                q->nonzero[q->n_nonzero++] = all.nonzero[k];
        if ((!any || bits(mask) < bits(found)) &&
            scalar_agree_where(s, &q->l, &q->r, q->n_nonzero, q->nonzero)) {
            found = mask;
            any = true;
        }
    }
    q->n_nonzero = 0;
    for (unsigned k = 0; k < n; k++)
        if (found >> k & 1)
            q->nonzero[q->n_nonzero++] = all.nonzero[k];
    return any;
}

// One pass over the candidates there are; true: some were not current any more.
static bool choose(struct choice *w, struct candidates *c, bool generic)
{
    struct discovery *s = w->s;
    struct scalar_stats *n = &s->out->stats;
    bool again = false;
    for (uint32_t i = 0; i < c->at.len && !late(s); i++) {
        uint32_t l = c->at.at[i].l, r = c->at.at[i].r;
        struct chosen x = {0};
        if (same_class(s, l, r))
            continue;
        if ((!c->at.at[i].via && s->best.at[cc_class(&s->g, l)] != l) ||
            s->best.at[cc_class(&s->g, r)] != r) {
            again = true;
            continue;
        }
        if (!scalar_tree_of(s, l, &x.q.l) || !scalar_tree_of(s, r, &x.q.r))
            continue;
        if (generic && !weakest(s, &x.q))
            continue;
        if (was_tried(s, &x.q))
            continue;
        n->candidates++;
        enum judgement j = scalar_judge(s, &x.q, false);
        n->refuted += j == JUDGED_FALSE;
        if (j == JUDGED_FALSE)
            continue;
        n->proved += j == JUDGED_TRUE;
        x.assumed = j == JUDGED_UNKNOWN;
        x.stuck = x.assumed && s->stuck;
        vec_push(&w->at, x);
        merge_by(s, &x.q);
    }
    return again;
}

// Small equations, one of those that differ in their variables' names: they are
// to follow from the rules by themselves, without the terms that happen to be
// in the graph.
static void note_small(struct choice *w, const struct candidates *c)
{
    struct discovery *s = w->s;
    for (uint32_t i = 0; i < c->at.len && w->small.len < MAX_SMALL; i++) {
        const struct candidate *x = &c->at.at[i];
        struct equation q = {.n_nonzero = 0};
        struct buf key = {0};
        if (!x->least ||
            (unsigned)s->known.at[x->l].ops + s->known.at[x->r].ops >
                SMALL_OPS ||
            !scalar_tree_of(s, x->l, &q.l) || !scalar_tree_of(s, x->r, &q.r))
            continue;
        put_key(s, &q, &key);
        uint32_t before = w->keys.entry.len;
        intern_bytes(&w->keys, key.at, key.len);
        buf_release(&key);
        if (w->keys.entry.len == before)
            continue;
        struct sides at = {x->l, x->r};
        vec_push(&w->small, q);
        vec_push(&w->sides, at);
        vec_push(&w->is_chosen, 0);
    }
}

// Of these, those that the chosen rules made equal.
static void keep_equal(struct choice *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->small.len; i++)
        if (same_class(w->s, w->sides.at[i].l, w->sides.at[i].r))
            w->small.at[n++] = w->small.at[i];
    w->small.len = n;
}

static void choose_all(struct choice *w, bool generic)
{
    struct candidates c = {0};
    bool first = !generic;
    do {
        collect(w->s, &c, generic);
        if (first)
            note_small(w, &c);
        first = false;
    } while (choose(w, &c, generic) && !w->s->stop);
    vec_release(&c.member);
    vec_release(&c.at);
}

// What follows from what: equations in graphs of their own, apart from each
// other and from all other terms.  Does the one side come up by rules, when the
// other is there?

static unsigned tree_vars(const struct discovery *s, const struct tree *t)
{
    unsigned mask = 0;
    for (uint32_t k = 0; k < t->n; k++)
        if (sym_is_var(s, t->at[k].sym))
            mask |= 1u << (t->at[k].sym - s->o->n_ops);
    return mask;
}

// The operators of a term.
static uint32_t tree_syms(const struct discovery *s, const struct tree *t)
{
    uint32_t mask = 0;
    for (uint32_t k = 0; k < t->n; k++)
        if (sym_arity(s, t->at[k].sym) > 0)
            mask |= UINT32_C(1) << t->at[k].sym;
    return mask;
}

// A rule from one side to the other is none if it would name a variable out of
// nothing, or begin at any term whatever.
static bool is_way(const struct discovery *s, const struct tree *from,
                   const struct tree *to)
{
    unsigned vars = tree_vars(s, from);
    return from->n > 1 && (vars | tree_vars(s, to)) == vars;
}

// The rules of all that was chosen, read once.  Every graph has their operators
// by the same numbers.
struct way {
    uint32_t from, to; // masks of operators
    uint32_t chosen, rule;
};
struct ways {
    struct plain_rules p;
    struct cc g;
    VEC(struct way) at;
    uint32_t n_chosen; // these are in
};

static void ways_init(struct ways *m, const struct discovery *s)
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

static void ways_release(struct ways *m)
{
    vec_release(&m->at);
    cc_release(&m->g);
    plain_release(&m->p);
}

static void add_way(struct ways *m, const struct discovery *s, uint32_t chosen,
                    const struct tree *from, const struct tree *to)
{
    struct buf text = {0};
    struct err e = {0};
    uint8_t number[SCALAR_MAX_VARS];
    struct way x = {.from = tree_syms(s, from),
                    .to = tree_syms(s, to),
                    .chosen = chosen,
                    .rule = m->p.rule.len};
    if (!is_way(s, from, to))
        return;
    numbers(number);
    buf_puts(&text, "r: ");
    scalar_tree_plain(s, from, "?v", number, &text);
    buf_puts(&text, " => ");
    scalar_tree_plain(s, to, "?v", number, &text);
    if (plain_read(&m->p, &m->g, "rules", buf_text(&text), NULL, &e))
        vec_push(&m->at, x);
    buf_release(&text);
}

static void add_ways(struct ways *m, const struct choice *w)
{
    for (; m->n_chosen < w->at.len; m->n_chosen++) {
        const struct equation *q = &w->at.at[m->n_chosen].q;
        add_way(m, w->s, m->n_chosen, &q->l, &q->r);
        add_way(m, w->s, m->n_chosen, &q->r, &q->l);
    }
}

struct probe {
    uint32_t node;         // what is there
    const struct tree *to; // what is to be in its class
    uint32_t var;          // operator that its first variable is
};
struct probes {
    const struct discovery *s;
    const struct ways *m;
    struct cc g;
    struct run run;
    VEC(struct probe) at;
    struct u32_vec first; // by equation; and the end
};

static void probes_init(struct probes *a, const struct discovery *s,
                        const struct ways *m)
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

static void probes_release(struct probes *a)
{
    run_release(&a->run);
    vec_release(&a->at);
    vec_release(&a->first);
    cc_release(&a->g);
}

// The class of a term, which is built where it is not there; or CC_NONE.
static uint32_t probe_term(struct probes *a, const struct tree *t, uint32_t var,
                           bool build, uint32_t *node)
{
    uint32_t cls[TREE_MAX];
    for (uint32_t k = 0; k < t->n; k++) {
        const struct tree_node *n = &t->at[k];
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
static void add_probe(struct probes *a, const struct tree *from,
                      const struct tree *to)
{
    struct probe x = {.to = to, .var = a->g.op.len};
    if (from->n < to->n || !is_way(a->s, from, to))
        return;
    for (uint32_t i = 0; i < a->s->o->n_vars; i++)
        cc_op_new(&a->g, 0);
    probe_term(a, from, x.var, true, &x.node);
    vec_push(&a->at, x);
}

static void add_equation(struct probes *a, const struct equation *q)
{
    add_probe(a, &q->l, &q->r);
    add_probe(a, &q->r, &q->l);
    vec_push(&a->first, a->at.len);
}

static bool all_reached(struct probes *a, uint32_t equation)
{
    for (uint32_t i = a->first.at[equation]; i < a->first.at[equation + 1];
         i++) {
        const struct probe *x = &a->at.at[i];
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

static void use_way(struct probes *a, const struct way *x)
{
    struct run_rule r = {.rule = &a->m->p.rule.at[x->rule]};
    vec_push(&a->run.rule, r);
}

// The rules that can be used on terms of these operators and on what comes of
// them.
static void use_ways(struct probes *a, const struct choice *w,
                     const struct equation *q, uint32_t but, bool assumed)
{
    bool more = true;
    uint32_t syms = tree_syms(w->s, &q->l) | tree_syms(w->s, &q->r);
    uint8_t *done = mem_alloc(a->m->at.len + 1);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < a->m->at.len; i++) {
            const struct way *x = &a->m->at.at[i];
            const struct chosen *c = &w->at.at[x->chosen];
            // A rule with a condition derives only those that have one.
            if (done[i] || x->chosen == but || c->derived ||
                (c->assumed && !assumed) ||
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
static bool derived(const struct choice *w, const struct ways *m,
                    const struct equation *q, uint32_t but, bool assumed)
{
    struct probes a;
    probes_init(&a, w->s, m);
    add_equation(&a, q);
    a.run.opt = (struct run_options){.max_rounds = DROP_ROUNDS,
                                     .max_nodes = DROP_NODES,
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
static void all_derived(const struct choice *w, const struct ways *m,
                        uint8_t *small, uint8_t *dropped)
{
    struct probes a;
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
static void complete(struct choice *w, struct ways *m)
{
    uint8_t *small = mem_alloc(w->small.len + 1);
    add_ways(m, w);
    all_derived(w, m, small, NULL);
    for (uint32_t i = 0; i < w->small.len; i++) {
        struct chosen x = {.q = w->small.at[i], .follows = true};
        w->is_chosen.at[i] = !small[i];
        if (!small[i])
            vec_push(&w->at, x);
    }
    mem_free(small);
}

// One operator, no constant: what is said so is not worth a detour.
static bool is_least(const struct discovery *s, const struct equation *q)
{
    for (uint32_t k = 0; k < q->l.n; k++)
        if (sym_arity(s, q->l.at[k].sym) == 0 && !sym_is_var(s, q->l.at[k].sym))
            return false;
    return q->l.n + q->r.n <= 4;
}

// What follows from the others is dropped, the largest first.  What was dropped
// for a rule that was then dropped, too, may follow no more in so few rounds:
// it is taken back.
static void drop_derived(struct choice *w, struct ways *m)
{
    const struct discovery *s = w->s;
    add_ways(m, w);
    for (uint32_t i = w->at.len; i-- > 0;) {
        struct chosen *x = &w->at.at[i];
        if (!x->dropped && !is_least(s, &x->q) &&
            derived(w, m, &x->q, i, x->follows))
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
            !derived(w, m, &x->q, i, x->follows))
            x->dropped = x->derived = false;
    }
    for (uint32_t i = 0; i < w->small.len; i++) {
        struct chosen x = {.q = w->small.at[i], .follows = true};
        if (w->is_chosen.at[i] || small[i] ||
            derived(w, m, &x.q, CC_NONE, true))
            continue;
        vec_push(&w->at, x);
        add_ways(m, w);
    }
    mem_free(small);
    mem_free(dropped);
}

// What was assumed is asked again, with more time.
static void settle(struct choice *w, struct wrong *wrong)
{
    struct discovery *s = w->s;
    for (uint32_t i = 0; i < w->at.len && !late(s); i++) {
        struct chosen *x = &w->at.at[i];
        if (!x->assumed || x->stuck)
            continue;
        enum judgement j = scalar_judge(s, &x->q, true);
        x->assumed = j != JUDGED_TRUE;
        s->out->stats.proved += j == JUDGED_TRUE;
        if (j == JUDGED_FALSE) {
            struct buf key = {0};
            put_key(s, &x->q, &key);
            vec_push(wrong, buf_detach(&key));
            s->out->stats.refuted++;
        }
    }
    for (uint32_t i = 0; i < w->at.len; i++) {
        s->out->stats.unknown += w->at.at[i].assumed;
        w->at.at[i].dropped = w->at.at[i].assumed;
    }
}

static void judge_rest(struct choice *w)
{
    struct discovery *s = w->s;
    for (uint32_t i = 0; i < w->at.len; i++) {
        struct chosen *x = &w->at.at[i];
        s->out->stats.derived += x->derived;
        if (!x->follows || x->dropped)
            continue;
        enum judgement j =
            late(s) ? JUDGED_UNKNOWN : scalar_judge(s, &x->q, true);
        x->dropped = j != JUDGED_TRUE;
        s->out->stats.candidates++;
        s->out->stats.proved += j == JUDGED_TRUE;
        s->out->stats.refuted += j == JUDGED_FALSE;
        s->out->stats.unknown += j == JUDGED_UNKNOWN;
    }
}

// Names: the outermost operators of both sides, and a number.

static void name_part(const struct discovery *s, const struct tree *t,
                      struct buf *out)
{
    const struct tree_node *n = &t->at[t->n - 1];
    if (sym_arity(s, n->sym) == 0) {
        buf_puts(out, sym_is_var(s, n->sym) ? "operand" : "constant");
        return;
    }
    buf_puts(out, op_name(s->o->ops[n->sym]));
    for (uint32_t k = 0; k < sym_arity(s, n->sym); k++) {
        uint32_t inner = t->at[k == 0 ? n->a : n->b].sym;
        if (sym_arity(s, inner) > 0) {
            buf_printf(out, "_of_%s", op_name(s->o->ops[inner]));
            return;
        }
    }
}

static void put_name(const struct discovery *s, const struct equation *q,
                     struct intern *taken, struct buf *out)
{
    name_part(s, &q->l, out);
    buf_puts(out, "_is_");
    name_part(s, &q->r, out);
    size_t len = out->len;
    for (uint32_t k = 2;; k++) {
        uint32_t before = taken->entry.len;
        intern_bytes(taken, out->at, out->len);
        if (taken->entry.len > before)
            return;
        out->len = len;
        buf_printf(out, "_%u", (unsigned)k);
    }
}

static void give(struct choice *w)
{
    struct discovery *s = w->s;
    struct intern taken;
    intern_init(&taken);
    for (uint32_t i = 0; i < w->at.len; i++) {
        const struct equation *q = &w->at.at[i].q;
        struct buf name = {0}, text = {0}, side = {0};
        uint8_t number[SCALAR_MAX_VARS];
        if (w->at.at[i].dropped)
            continue;
        numbers(number);
        put_name(s, q, &taken, &name);
        struct scalar_rule x = {.conditional = q->n_nonzero > 0};
        struct arena *mem = &s->out->mem;
        x.name = arena_strdup(mem, buf_text(&name));
        scalar_tree_plain(s, &q->l, "?", number, &side);
        x.lhs = arena_strdup(mem, buf_text(&side));
        buf_clear(&side);
        scalar_tree_plain(s, &q->r, "?", number, &side);
        x.rhs = arena_strdup(mem, buf_text(&side));
        scalar_equation_text(s, q, x.name, &text);
        // What was seen of all inputs of one type is now proved, as a rule.
        double begin = clock_wall();
        bool proved = !s->in.small || scalar_proves(s, buf_text(&text), true,
                                                    false) == JUDGED_TRUE;
        s->out->stats.widening += clock_wall() - begin;
        s->out->stats.one_width += !proved;
        x.text = arena_strdup(mem, buf_text(&text));
        x.proved = proved;
        if (proved || s->o->width > 0)
            vec_push(&s->out->rule, x);
        buf_release(&name);
        buf_release(&text);
        buf_release(&side);
    }
    intern_release(&taken);
}

// False: something was assumed that is wrong, so what followed from it must be
// looked at again.
static bool once(const struct scalar_options *o, struct scalar_result *r,
                 double begin, double begin_cpu, struct wrong *wrong)
{
    struct discovery s = {.o = o, .out = r, .begin = begin};
    struct choice w = {.s = &s};
    uint32_t before = wrong->len;
    scalar_inputs_make(&s);
    ruleset_init(&s.rules);
    intern_init(&s.tried);
    intern_init(&w.keys);
    for (uint32_t i = 0; i < wrong->len; i++)
        intern_str(&s.tried, wrong->at[i]);
    scalar_begin(&s);
    struct ways m;
    ways_init(&m, &s);
    vec_reserve(&s.plain.rule, MAX_RULES); // they stay where they are
    struct run_options ro = {.max_rounds = 1000, .guard = guard, .ctx = &s};
    run_init(&s.run, &s.g, &s.plain, ro);
    uint32_t layers = o->max_depth > 0 ? o->max_depth : o->max_ops;
    for (uint32_t k = 1; k <= layers && !late(&s); k++) {
        scalar_layer(&s, k, k == layers);
        choose_all(&w, false);
    }
    keep_equal(&w);
    if (o->domain == DOMAIN_REAL && !o->unconditional && !s.stop)
        choose_all(&w, true);
    settle(&w, wrong);
    bool right = wrong->len == before;
    if (right && !s.stop) {
        complete(&w, &m);
        if (!o->keep_derived)
            drop_derived(&w, &m);
    }
    judge_rest(&w);
    r->stats.seconds = clock_wall() - begin;
    r->stats.cpu = clock_cpu() - begin_cpu;
    r->stats.terms = s.g.node.len;
    r->stats.classes = s.g.n_classes;
    if (right)
        give(&w);
    vec_release(&w.at);
    vec_release(&w.small);
    vec_release(&w.sides);
    vec_release(&w.is_chosen);
    ways_release(&m);
    intern_release(&w.keys);
    run_release(&s.run);
    intern_release(&s.tried);
    ruleset_release(&s.rules);
    scalar_release(&s);
    scalar_inputs_release(&s);
    return right;
}

void discover_scalar(const struct scalar_options *o, struct scalar_result *r)
{
    struct scalar_options with = *o;
    struct wrong wrong = {0};
    double begin = clock_wall(), begin_cpu = clock_cpu();
    if (with.max_terms == 0)
        with.max_terms = MAX_TERMS;
    do {
        r->stats = (struct scalar_stats){.refuted = wrong.len};
    } while (!once(&with, r, begin, begin_cpu, &wrong));
    for (uint32_t i = 0; i < wrong.len; i++)
        mem_free(wrong.at[i]);
    vec_release(&wrong);
}

void scalar_result_release(struct scalar_result *r)
{
    arena_release(&r->mem);
    vec_release(&r->rule);
}
