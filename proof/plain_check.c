// SPDX-License-Identifier: Apache-2.0
#include "proof/plain_check.h"

#include "proof/plain_core.h"

enum { MAX_WORK = 100000 }; // ways to match the patterns of one use

struct pline {
    uint32_t a, b;
};
struct equality {
    uint32_t a, b;
};
struct binding {
    struct plain_word name;
    uint32_t term;
};
struct checker {
    const struct plain_check_facts *facts;
    struct err *e;
    struct arena mem;
    struct prules rules;
    struct plain_check_terms terms;
    struct pac ac;
    VEC(struct pline) line;
    VEC(struct binding) bound;
    const char *at;
    uint32_t number; // of the line of text
};

static bool wrong(struct checker *c, const char *what)
{
    return err_at(c->e, ERR_CHECK, "", c->number, 1, "%s", what);
}

// Words of a line

static void blanks(struct checker *c)
{
    while (*c->at == ' ' || *c->at == '\t')
        c->at++;
}

static bool at_end(struct checker *c)
{
    blanks(c);
    return *c->at == 0 || *c->at == '\n' || *c->at == '\r';
}

static struct plain_word word(struct checker *c)
{
    blanks(c);
    struct plain_word w = {c->at, 0};
    while (*c->at != 0 && strchr(" \t\r\n", *c->at) == NULL)
        c->at++;
    w.len = (uint32_t)(c->at - w.at);
    return w;
}

// A number below `limit`, directly here.
static bool digits(struct checker *c, uint32_t limit, uint32_t *x)
{
    uint64_t v = 0;
    const char *s = c->at;
    for (; *s >= '0' && *s <= '9' && v < limit; s++)
        v = 10 * v + (uint64_t)(*s - '0');
    if (s == c->at || (*s >= '0' && *s <= '9') || v >= limit)
        return false;
    c->at = s;
    *x = (uint32_t)v;
    return true;
}

static bool number(struct checker *c, uint32_t limit, uint32_t *x)
{
    blanks(c);
    return digits(c, limit, x);
}

static bool sign(struct checker *c, char s)
{
    if (*c->at != s)
        return false;
    c->at++;
    return true;
}

// `line` or `-line`: what it proves, in that direction.
static bool earlier(struct checker *c, struct equality *q)
{
    uint32_t i;
    bool flip = sign(c, '-');
    if (!digits(c, c->line.len, &i))
        return wrong(c, "expected an earlier line");
    q->a = flip ? c->line.at[i].b : c->line.at[i].a;
    q->b = flip ? c->line.at[i].a : c->line.at[i].b;
    return true;
}

// Terms

static bool read_term(struct checker *c)
{
    uint32_t i, x;
    if (!number(c, UINT32_MAX, &i) || i != c->terms.term.len)
        return wrong(c, "terms are to be numbered from 0");
    struct plain_check_term t = {.name = word(c)};
    struct u32_vec arg = {0};
    bool ok = t.name.len > 0;
    while (ok && !at_end(c)) {
        ok = number(c, i, &x);
        if (ok)
            vec_push(&arg, x);
    }
    uint32_t *copy = ARENA_NEW(&c->mem, uint32_t, arg.len + 1);
    if (arg.len > 0)
        memcpy(copy, arg.at, arg.len * sizeof *copy);
    t.n = arg.len;
    t.arg = copy;
    vec_release(&arg);
    vec_push(&c->terms.term, t);
    if (!ok)
        return wrong(c, "a term is an operator over earlier terms");
    return c->facts == NULL || c->facts->term == NULL ||
           c->facts->term(c->facts->ctx, &c->terms, c->terms.term.len - 1) ||
           wrong(c, "no term");
}

// Matching

static bool bind(struct checker *c, struct plain_word v, uint32_t term)
{
    for (uint32_t i = 0; i < c->bound.len; i++)
        if (word_is(c->bound.at[i].name, v))
            return c->bound.at[i].term == term;
    struct binding b = {v, term};
    vec_push(&c->bound, b);
    return true;
}

// False leaves new bindings behind.
static bool matches(struct checker *c, const struct ptree *tree, uint32_t term)
{
    struct pair {
        const struct ptree *tree;
        uint32_t term;
    } p = {tree, term};
    VEC(struct pair) waiting = {0};
    vec_push(&waiting, p);
    bool ok = true;
    while (ok && waiting.len > 0) {
        p = vec_pop(&waiting);
        if (p.tree->variable) {
            ok = bind(c, p.tree->name, p.term);
            continue;
        }
        const struct plain_check_term *t = &c->terms.term.at[p.term];
        ok = t->n == p.tree->n && word_is(t->name, p.tree->name);
        const struct ptree *x = p.tree->arg;
        for (uint32_t k = 0; ok && k < t->n; k++, x = x->next) {
            struct pair q = {x, t->arg[k]};
            vec_push(&waiting, q);
        }
    }
    vec_release(&waiting);
    return ok;
}

static uint32_t bound_to(const struct checker *c, struct plain_word v)
{
    for (uint32_t i = 0; i < c->bound.len; i++)
        if (word_is(c->bound.at[i].name, v))
            return c->bound.at[i].term;
    return PLAIN_CHECK_NONE;
}

// Rules

struct use {
    struct pline line;
    VEC(struct equality) with; // `and:`
    VEC(struct equality) on;   // `if:`
    // What is tried: pattern `pattern` of right side `right`.
    const struct prule *q;
    uint32_t right, pattern;
    uint32_t work;
};

// Are two patterns one term under the bindings?  They are not deep.
static bool alike(struct checker *c, const struct ptree *p,
                  const struct ptree *q)
{
    uint32_t x = p->variable ? bound_to(c, p->name) : PLAIN_CHECK_NONE;
    uint32_t y = q->variable ? bound_to(c, q->name) : PLAIN_CHECK_NONE;
    if (p->variable || q->variable)
        return (!p->variable || x != PLAIN_CHECK_NONE) &&
               (!q->variable || y != PLAIN_CHECK_NONE) &&
               (!p->variable || !q->variable || x == y) &&
               (p->variable || matches(c, p, y)) &&
               (q->variable || matches(c, q, x));
    bool same = p->n == q->n && word_is(p->name, q->name);
    const struct ptree *a = p->arg, *b = q->arg;
    for (uint32_t i = 0; same && i < p->n; i++, a = a->next, b = b->next)
        same = alike(c, a, b);
    return same;
}

// Are the two patterns, under the bindings, terms that are proved equal?
static bool same(struct checker *c, const struct pguard *g, const struct use *u)
{
    uint32_t n = c->bound.len;
    for (uint32_t k = 0; k < 2 * u->with.len; k++) {
        struct equality x = u->with.at[k / 2];
        bool ok = matches(c, g->same[0], k % 2 ? x.b : x.a) &&
                  matches(c, g->same[1], k % 2 ? x.a : x.b) &&
                  c->bound.len == n;
        c->bound.len = n;
        if (ok)
            return true;
    }
    bool ok = alike(c, g->same[0], g->same[1]) && c->bound.len == n;
    c->bound.len = n;
    return ok;
}

static bool holds(struct checker *c, const struct pguard *g,
                  const struct use *u, bool wanted)
{
    uint32_t arg[5], proved[5];
    if (g->same[0] != NULL)
        return wanted && same(c, g, u);
    for (uint32_t k = 0; k < g->n; k++)
        if ((arg[k] = bound_to(c, g->arg[k])) == PLAIN_CHECK_NONE)
            return false;
    if (c->facts == NULL || c->facts->guard == NULL)
        return false;
    // Without help, then with what each line says.
    for (uint32_t i = 0; i <= u->on.len; i++) {
        for (uint32_t k = 0; k < g->n; k++)
            proved[k] = i > 0 && u->on.at[i - 1].a == arg[k] ? u->on.at[i - 1].b
                                                             : PLAIN_CHECK_NONE;
        if (c->facts->guard(c->facts->ctx, &c->terms, g->name, g->n, arg,
                            proved, wanted))
            return true;
    }
    return false;
}

// The conditions of the right side; of each one before it some fails.
static bool conditions(struct checker *c, const struct use *u)
{
    for (uint32_t i = 0; i <= u->right; i++) {
        const struct pright *x = &u->q->right[i];
        bool all = true, fails = false;
        for (uint32_t k = 0; k < x->n_guards; k++) {
            if (i == u->right)
                all = all && holds(c, &x->guard[k], u, true);
            else
                fails = fails || holds(c, &x->guard[k], u, false);
        }
        if (i == u->right ? !all : !fails)
            return false;
    }
    return true;
}

// Variables that only the right side has: one that a condition computes, a name
// for something that is built, or a fresh one.
static bool new_ones(struct checker *c, const struct pright *x,
                     const struct use *u, uint32_t from)
{
    for (uint32_t i = from; i < c->bound.len; i++) {
        struct binding b = c->bound.at[i];
        bool ok = false;
        for (uint32_t k = 0; k < x->n_guards && !ok; k++)
            for (uint32_t m = 0; m < x->guard[k].n && !ok; m++)
                ok = word_is(x->guard[k].arg[m], b.name);
        for (uint32_t k = 0; k < x->side.n && !ok; k++)
            ok = word_is(x->side.root[k], b.name) &&
                 matches(c, x->side.tree[k], b.term);
        if (!ok && b.name.len >= 6 && memcmp(b.name.at, "?fresh", 6) == 0) {
            struct pguard g = {.name = {"fresh", 5}, .n = 2};
            uint32_t arg[2] = {u->line.a, b.term};
            uint32_t none[2] = {PLAIN_CHECK_NONE, PLAIN_CHECK_NONE};
            ok = c->facts != NULL && c->facts->guard != NULL &&
                 c->facts->guard(c->facts->ctx, &c->terms, g.name, 2, arg, none,
                                 true);
        }
        if (!ok)
            return false;
    }
    return true;
}

static bool occurs(const struct ptree *t, struct plain_word v)
{
    bool found = t->variable && word_is(t->name, v);
    const struct ptree *x = t->arg;
    for (uint32_t i = 0; i < t->n && !found; i++, x = x->next)
        found = occurs(x, v); // patterns are not deep
    return found;
}

static bool on_left(const struct prule *q, struct plain_word v)
{
    for (uint32_t i = 0; i < q->left.n; i++)
        if (word_is(q->left.root[i], v) || occurs(q->left.tree[i], v))
            return true;
    return false;
}

// The right side, when all patterns of the left one are matched.
static bool right_matches(struct checker *c, const struct use *u)
{
    const struct pright *x = &u->q->right[u->right];
    uint32_t n = c->bound.len;
    return matches(c, x->side.tree[u->pattern], u->line.b) &&
           new_ones(c, x, u, n) && conditions(c, u);
}

// The patterns in `left` are their roots' terms themselves, which the others
// bind.
static bool themselves(struct checker *c, const struct use *u, uint32_t left)
{
    const struct pside *s = &u->q->left;
    while (left != 0) {
        uint32_t i = 0, root = PLAIN_CHECK_NONE;
        for (; i < s->n; i++)
            if ((left >> i & 1) &&
                (root = bound_to(c, s->root[i])) != PLAIN_CHECK_NONE)
                break;
        if (root == PLAIN_CHECK_NONE || !matches(c, s->tree[i], root))
            return false;
        left &= ~(UINT32_C(1) << i);
    }
    return right_matches(c, u);
}

// The patterns from `i` on, and those in `left`: each equals its root, by an
// equality that the line brings or because it is the same term.
static bool patterns(struct checker *c, struct use *u, uint32_t i,
                     uint32_t left)
{
    const struct pside *s = &u->q->left;
    uint32_t n = c->bound.len;
    bool ok = false;
    if (++u->work > MAX_WORK)
        return false;
    if (i == s->n) {
        ok = themselves(c, u, left);
    } else {
        for (uint32_t k = 0; k < u->with.len && !ok; k++) {
            struct equality x = u->with.at[k];
            ok = bind(c, s->root[i], x.a) && matches(c, s->tree[i], x.b) &&
                 patterns(c, u, i + 1, left);
            if (!ok)
                c->bound.len = n;
        }
        ok = ok || patterns(c, u, i + 1, left | UINT32_C(1) << i);
    }
    if (!ok)
        c->bound.len = n;
    return ok;
}

static bool is_use(struct checker *c, struct use *u)
{
    const struct pside *left = &u->q->left,
                       *right = &u->q->right[u->right].side;
    vec_clear(&c->bound);
    if (left->root[0].len == 0)
        return matches(c, left->tree[0], u->line.a) && right_matches(c, u);
    struct plain_word root = right->root[u->pattern];
    u->work = 0;
    // A root that the left side has not is a name for what is built.
    return on_left(u->q, root) && bind(c, root, u->line.a) &&
           patterns(c, u, 0, 0);
}

static bool is_some_use(struct checker *c, struct use *u)
{
    for (u->right = 0; u->right < u->q->n_right; u->right++)
        for (u->pattern = 0; u->pattern < u->q->right[u->right].side.n;
             u->pattern++)
            if (is_use(c, u))
                return true;
    return false;
}

static bool skip(struct checker *c, const char *s)
{
    size_t n = strlen(s);
    if (strncmp(c->at, s, n) != 0)
        return false;
    c->at += n;
    return true;
}

static bool read_with(struct checker *c, struct use *u)
{
    struct equality q;
    bool with = skip(c, "and:");
    if (with && sign(c, '=')) { // a term itself
        if (!digits(c, c->terms.term.len, &q.a))
            return false;
        q.b = q.a;
    } else if ((!with && !skip(c, "if:")) || !earlier(c, &q)) {
        return false;
    }
    if (with)
        vec_push(&u->with, q);
    else
        vec_push(&u->on, q);
    return true;
}

static bool check_rule(struct checker *c, struct pline l)
{
    struct use u = {.line = l};
    bool ok = true;
    for (blanks(c); ok && !skip(c, "by "); blanks(c))
        ok = read_with(c, &u);
    struct plain_word name = {c->at, 0};
    while (*c->at != 0 && *c->at != '\n' && *c->at != '\r')
        c->at++;
    name.len = (uint32_t)(c->at - name.at);
    bool use = false;
    for (uint32_t i = 0; ok && i < c->rules.rule.len && !use; i++) {
        u.q = &c->rules.rule.at[i];
        use = word_is(u.q->name, name) && is_some_use(c, &u);
    }
    vec_release(&u.with);
    vec_release(&u.on);
    return use || wrong(c, "not a use of this rule");
}

// The other lines

static bool check_cong(struct checker *c, struct pline l)
{
    const struct plain_check_term *a = &c->terms.term.at[l.a];
    const struct plain_check_term *b = &c->terms.term.at[l.b];
    if (a->n != b->n || !word_is(a->name, b->name))
        return wrong(c, "a congruence of different operators");
    uint32_t next = 0;
    while (!at_end(c)) {
        uint32_t k;
        struct equality q;
        if (!digits(c, a->n, &k) || !sign(c, ':') || !earlier(c, &q))
            return wrong(c, "malformed congruence");
        for (; next < k; next++)
            if (a->arg[next] != b->arg[next])
                return wrong(c, "different arguments");
        if (next != k || q.a != a->arg[k] || q.b != b->arg[k])
            return wrong(c, "a line that is not about this argument");
        next++;
    }
    for (; next < a->n; next++)
        if (a->arg[next] != b->arg[next])
            return wrong(c, "different arguments");
    return true;
}

static bool check_trans(struct checker *c, struct pline l)
{
    uint32_t at = l.a;
    while (!at_end(c)) {
        struct equality q;
        if (!earlier(c, &q))
            return false;
        if (q.a != at)
            return wrong(c, "a chain with a gap");
        at = q.b;
    }
    return at == l.b || wrong(c, "a chain that ends elsewhere");
}

static bool check_given(struct checker *c, struct pline l)
{
    uint32_t x;
    const struct plain_check_facts *f = c->facts;
    if (!number(c, UINT32_MAX, &x))
        return wrong(c, "expected a number");
    return (f != NULL && f->given != NULL &&
            f->given(f->ctx, &c->terms, l.a, l.b, x)) ||
           wrong(c, "not a given equality");
}

static bool check_fold(struct checker *c, struct pline l)
{
    const struct plain_check_facts *f = c->facts;
    return (f != NULL && f->fold != NULL &&
            f->fold(f->ctx, &c->terms, l.a, l.b)) ||
           wrong(c, "not its value");
}

static bool check_ac(struct checker *c, struct pline l)
{
    return pac_equal(&c->ac, &c->rules, &c->terms, l.a, l.b) ||
           wrong(c, "not the same up to order and brackets");
}

static bool check_line(struct checker *c)
{
    struct plain_word kind = word(c);
#define IS(s) (kind.len == sizeof(s) - 1 && memcmp(kind.at, s, kind.len) == 0)
    if (IS("term"))
        return read_term(c);
    uint32_t i;
    struct pline l;
    if (!number(c, UINT32_MAX, &i) || i != c->line.len)
        return wrong(c, "lines are to be numbered from 0");
    if (!number(c, c->terms.term.len, &l.a) ||
        !number(c, c->terms.term.len, &l.b))
        return wrong(c, "expected two terms");
    bool ok = IS("rule")    ? check_rule(c, l)
              : IS("cong")  ? check_cong(c, l)
              : IS("trans") ? check_trans(c, l)
              : IS("fold")  ? check_fold(c, l)
              : IS("given") ? check_given(c, l)
              : IS("ac")    ? check_ac(c, l)
                            : wrong(c, "no such kind of line");
#undef IS
    if (!ok || !at_end(c))
        return ok && wrong(c, "unexpected text");
    vec_push(&c->line, l);
    if (c->facts != NULL && c->facts->proved != NULL)
        c->facts->proved(c->facts->ctx, &c->terms, l.a, l.b);
    return true;
}

static bool is_tree(struct checker *c, uint32_t term, const struct ptree *t)
{
    vec_clear(&c->bound);
    return matches(c, t, term) && c->bound.len == 0;
}

static bool is_about(struct checker *c, struct pline l, const char *left,
                     const char *right)
{
    const struct ptree *x = ptree_read(&c->mem, &left, UINT32_MAX);
    const struct ptree *y = ptree_read(&c->mem, &right, UINT32_MAX);
    if (x == NULL || y == NULL || left[strspn(left, " \t\r\n")] != 0 ||
        right[strspn(right, " \t\r\n")] != 0)
        return err_set(c->e, ERR_INPUT, "no term");
    return (is_tree(c, l.a, x) && is_tree(c, l.b, y)) ||
           (is_tree(c, l.a, y) && is_tree(c, l.b, x)) ||
           err_set(c->e, ERR_CHECK, "the explanation is about other terms");
}

static bool check(struct checker *c, const char *rules, const char *proof,
                  const char *left, const char *right)
{
    if (!prules_read(&c->rules, rules, c->e))
        return false;
    for (c->at = proof; *c->at != 0; c->at += *c->at != 0) {
        c->number++;
        if (!at_end(c) && !check_line(c))
            return false;
        c->at += *c->at == '\r';
    }
    if (c->line.len == 0)
        return err_set(c->e, ERR_CHECK, "an explanation without lines");
    return is_about(c, vec_last(&c->line), left, right);
}

bool plain_check(const char *rules, const char *proof, const char *left,
                 const char *right, const struct plain_check_facts *facts,
                 struct err *e)
{
    struct checker c = {.facts = facts, .e = e};
    bool ok = check(&c, rules, proof, left, right);
    arena_release(&c.mem);
    prules_release(&c.rules);
    pac_release(&c.ac);
    vec_release(&c.terms.term);
    vec_release(&c.line);
    vec_release(&c.bound);
    return ok;
}
