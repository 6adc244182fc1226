// SPDX-License-Identifier: Apache-2.0
// Lines of an explanation that use a rule: is there a way to match the rule's
// patterns that gives the line?
#include "proof/plain/checker.h"

enum { MAX_WORK = 100000 }; // ways to match the patterns of one use

// Matching

static bool bind(struct plain_checker *c, struct plain_word v, uint32_t term)
{
    for (uint32_t i = 0; i < c->bound.len; i++)
        if (word_is(c->bound.at[i].name, v))
            return c->bound.at[i].term == term;
    struct pattern_binding b = {v, term};
    vec_push(&c->bound, b);
    return true;
}

bool plain_matches(struct plain_checker *c, const struct plain_check_tree *tree, uint32_t term)
{
    struct match_goal {
        const struct plain_check_tree *tree;
        uint32_t term;
    } p = {tree, term};
    VEC(struct match_goal) waiting = {0};
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
        const struct plain_check_tree *x = p.tree->arg;
        for (uint32_t k = 0; ok && k < t->n; k++, x = x->next) {
            struct match_goal q = {x, t->arg[k]};
            vec_push(&waiting, q);
        }
    }
    vec_release(&waiting);
    return ok;
}

static uint32_t bound_to(const struct plain_checker *c, struct plain_word v)
{
    for (uint32_t i = 0; i < c->bound.len; i++)
        if (word_is(c->bound.at[i].name, v))
            return c->bound.at[i].term;
    return PLAIN_CHECK_NONE;
}

// Rules

struct checked_use {
    struct plain_check_line line;
    VEC(struct plain_check_equality) with; // `and:`
    VEC(struct plain_check_equality) on;   // `if:`
    // What is tried: pattern `pattern` of right side `right`.
    const struct plain_check_rule *q;
    uint32_t right, pattern;
    uint32_t work;
};

// Are two patterns one term under the bindings?  They are not deep.
static bool alike(struct plain_checker *c, const struct plain_check_tree *p,
                  const struct plain_check_tree *q)
{
    uint32_t x = p->variable ? bound_to(c, p->name) : PLAIN_CHECK_NONE;
    uint32_t y = q->variable ? bound_to(c, q->name) : PLAIN_CHECK_NONE;
    if (p->variable || q->variable)
        return (!p->variable || x != PLAIN_CHECK_NONE) &&
               (!q->variable || y != PLAIN_CHECK_NONE) &&
               (!p->variable || !q->variable || x == y) &&
               (p->variable || plain_matches(c, p, y)) &&
               (q->variable || plain_matches(c, q, x));
    bool same = p->n == q->n && word_is(p->name, q->name);
    const struct plain_check_tree *a = p->arg, *b = q->arg;
    for (uint32_t i = 0; same && i < p->n; i++, a = a->next, b = b->next)
        same = alike(c, a, b);
    return same;
}

// Are the two patterns, under the bindings, terms that are proved equal?
static bool same(struct plain_checker *c, const struct plain_check_guard *g, const struct checked_use *u)
{
    uint32_t n = c->bound.len;
    for (uint32_t k = 0; k < 2 * u->with.len; k++) {
        struct plain_check_equality x = u->with.at[k / 2];
        bool ok = plain_matches(c, g->same[0], k % 2 ? x.b : x.a) &&
                  plain_matches(c, g->same[1], k % 2 ? x.a : x.b) &&
                  c->bound.len == n;
        c->bound.len = n;
        if (ok)
            return true;
    }
    bool ok = alike(c, g->same[0], g->same[1]) && c->bound.len == n;
    c->bound.len = n;
    return ok;
}

static bool holds(struct plain_checker *c, const struct plain_check_guard *g,
                  const struct checked_use *u, bool wanted)
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
static bool conditions(struct plain_checker *c, const struct checked_use *u)
{
    for (uint32_t i = 0; i <= u->right; i++) {
        const struct plain_check_right *x = &u->q->right[i];
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
static bool new_ones(struct plain_checker *c, const struct plain_check_right *x,
                     const struct checked_use *u, uint32_t from)
{
    for (uint32_t i = from; i < c->bound.len; i++) {
        struct pattern_binding b = c->bound.at[i];
        bool ok = false;
        for (uint32_t k = 0; k < x->n_guards && !ok; k++)
            for (uint32_t m = 0; m < x->guard[k].n && !ok; m++)
                ok = word_is(x->guard[k].arg[m], b.name);
        for (uint32_t k = 0; k < x->side.n && !ok; k++)
            ok = word_is(x->side.root[k], b.name) &&
                 plain_matches(c, x->side.tree[k], b.term);
        if (!ok && b.name.len >= 6 && memcmp(b.name.at, "?fresh", 6) == 0) {
            struct plain_check_guard g = {.name = {"fresh", 5}, .n = 2};
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

static bool occurs(const struct plain_check_tree *t, struct plain_word v)
{
    bool found = t->variable && word_is(t->name, v);
    const struct plain_check_tree *x = t->arg;
    for (uint32_t i = 0; i < t->n && !found; i++, x = x->next)
        found = occurs(x, v); // patterns are not deep
    return found;
}

static bool on_left(const struct plain_check_rule *q, struct plain_word v)
{
    for (uint32_t i = 0; i < q->left.n; i++)
        if (word_is(q->left.root[i], v) || occurs(q->left.tree[i], v))
            return true;
    return false;
}

// The right side, when all patterns of the left one are matched.
static bool right_matches(struct plain_checker *c, const struct checked_use *u)
{
    const struct plain_check_right *x = &u->q->right[u->right];
    uint32_t n = c->bound.len;
    return plain_matches(c, x->side.tree[u->pattern], u->line.b) &&
           new_ones(c, x, u, n) && conditions(c, u);
}

// The patterns in `left` are their roots' terms themselves, which the others
// bind.
static bool themselves(struct plain_checker *c, const struct checked_use *u, uint32_t left)
{
    const struct plain_check_side *s = &u->q->left;
    while (left != 0) {
        uint32_t i = 0, root = PLAIN_CHECK_NONE;
        for (; i < s->n; i++)
            if ((left >> i & 1) &&
                (root = bound_to(c, s->root[i])) != PLAIN_CHECK_NONE)
                break;
        if (root == PLAIN_CHECK_NONE || !plain_matches(c, s->tree[i], root))
            return false;
        left &= ~(UINT32_C(1) << i);
    }
    return right_matches(c, u);
}

// The patterns from `i` on, and those in `left`: each equals its root, by an
// equality that the line brings or because it is the same term.
static bool patterns(struct plain_checker *c, struct checked_use *u, uint32_t i,
                     uint32_t left)
{
    const struct plain_check_side *s = &u->q->left;
    uint32_t n = c->bound.len;
    bool ok = false;
    if (++u->work > MAX_WORK)
        return false;
    if (i == s->n) {
        ok = themselves(c, u, left);
    } else {
        for (uint32_t k = 0; k < u->with.len && !ok; k++) {
            struct plain_check_equality x = u->with.at[k];
            ok = bind(c, s->root[i], x.a) &&
                 plain_matches(c, s->tree[i], x.b) &&
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

static bool is_use(struct plain_checker *c, struct checked_use *u)
{
    const struct plain_check_side *left = &u->q->left,
                       *right = &u->q->right[u->right].side;
    vec_clear(&c->bound);
    if (left->root[0].len == 0)
        return plain_matches(c, left->tree[0], u->line.a) &&
               right_matches(c, u);
    struct plain_word root = right->root[u->pattern];
    u->work = 0;
    // A root that the left side has not is a name for what is built.
    return on_left(u->q, root) && bind(c, root, u->line.a) &&
           patterns(c, u, 0, 0);
}

static bool is_some_use(struct plain_checker *c, struct checked_use *u)
{
    for (u->right = 0; u->right < u->q->n_right; u->right++)
        for (u->pattern = 0; u->pattern < u->q->right[u->right].side.n;
             u->pattern++)
            if (is_use(c, u))
                return true;
    return false;
}

static bool skip(struct plain_checker *c, const char *s)
{
    size_t n = strlen(s);
    if (strncmp(c->at, s, n) != 0)
        return false;
    c->at += n;
    return true;
}

static bool read_with(struct plain_checker *c, struct checked_use *u)
{
    struct plain_check_equality q;
    bool with = skip(c, "and:");
    if (with && plain_sign(c, '=')) { // a term itself
        if (!plain_digits(c, c->terms.term.len, &q.a))
            return false;
        q.b = q.a;
    } else if ((!with && !skip(c, "if:")) || !plain_earlier(c, &q)) {
        return false;
    }
    if (with)
        vec_push(&u->with, q);
    else
        vec_push(&u->on, q);
    return true;
}

bool plain_use_check(struct plain_checker *c, struct plain_check_line l)
{
    struct checked_use u = {.line = l};
    bool ok = true;
    for (plain_blanks(c); ok && !skip(c, "by "); plain_blanks(c))
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
    return use || plain_wrong(c, "not a use of this rule");
}
