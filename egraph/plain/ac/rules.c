// SPDX-License-Identifier: Apache-2.0
// Rules for a graph in which some operators have no order and no brackets.
#include "base/text/buf.h"
#include "egraph/plain/ac/core.h"
#include "egraph/plain/plain.h"

#include <stdlib.h>

enum { MAX_SWAPS = 6 }; // nodes of a left side whose arguments change places

// A rule as text, with variables by number in the order in which they come;
// the right side with the arguments of such operators in order.
struct ac_text {
    const struct ac *a;
    const struct plain_rule *q;
    bool ordered; // the arguments of the left side too
    uint32_t n_names, name[PLAIN_MAX_VARS];
};

static const struct plain_atom *atom_of(const struct plain_rule *q, uint32_t var)
{
    for (uint32_t i = 0; i < q->n_atoms; i++)
        if (q->atom[i].cls == var && q->atom[i].op != ATOM_ANY)
            return &q->atom[i];
    return NULL;
}

static const struct plain_build *build_of(const struct plain_rule *q, uint32_t var)
{
    for (uint32_t i = 0; i < q->n_builds; i++)
        if (q->build[i].out == var)
            return &q->build[i];
    return NULL;
}

static int by_text(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

static void say(struct ac_text *t, uint32_t var, bool right, bool order,
                struct buf *out);

// The arguments, those of arguments with the same operator among them.
static uint32_t flat_args(const struct ac_text *t, uint32_t op, uint32_t var,
                          bool right, uint32_t n, uint32_t *list)
{
    const struct plain_build *u = right ? build_of(t->q, var) : NULL;
    const struct plain_atom *x = u == NULL ? atom_of(t->q, var) : NULL;
    uint32_t own = u != NULL ? u->op : x != NULL ? x->op : CC_NONE;
    if (own != op) {
        list[n++] = var;
        return n;
    }
    for (uint32_t k = 0; k < 2; k++)
        n = flat_args(t, op, (u != NULL ? u->arg : x->arg)[k], right, n, list);
    return n;
}

static void say_flat(struct ac_text *t, uint32_t op, uint32_t var, bool right,
                     struct buf *out)
{
    uint32_t list[2 * PLAIN_MAX_ATOMS];
    char *text[2 * PLAIN_MAX_ATOMS];
    uint32_t n = flat_args(t, op, var, right, 0, list);
    for (uint32_t i = 0; i < n; i++) {
        struct buf b = {0};
        say(t, list[i], right, true, &b);
        text[i] = buf_detach(&b);
    }
    qsort(text, n, sizeof *text, by_text);
    buf_printf(out, "{%u", op);
    for (uint32_t i = 0; i < n; i++) {
        buf_printf(out, " %s", text[i]);
        mem_free(text[i]);
    }
    buf_puts(out, "}");
}

static void say(struct ac_text *t, uint32_t var, bool right, bool order,
                struct buf *out)
{
    const struct plain_build *u = right ? build_of(t->q, var) : NULL;
    const struct plain_atom *x = u == NULL ? atom_of(t->q, var) : NULL;
    if (u == NULL && x == NULL) {
        if (t->name[var] == CC_NONE)
            t->name[var] = t->n_names++;
        buf_printf(out, "?%u", t->name[var]);
        return;
    }
    uint32_t op = u != NULL ? u->op : x->op, n = u != NULL ? u->n : x->n;
    const uint32_t *arg = u != NULL ? u->arg : x->arg;
    if (order && ac_is(t->a, op)) {
        say_flat(t, op, var, right, out);
        return;
    }
    buf_printf(out, "(%u", op);
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(out, " ");
        say(t, arg[k], right, order, out);
    }
    buf_puts(out, ")");
}

static void text_begin(struct ac_text *t, const struct ac *a,
                       const struct plain_rule *q)
{
    *t = (struct ac_text){.a = a, .q = q};
    for (uint32_t i = 0; i < PLAIN_MAX_VARS; i++)
        t->name[i] = CC_NONE;
}

// Is a left side one tree?  Only then do the texts say all of it.
static bool is_tree(const struct plain_rule *q)
{
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        const struct plain_atom *x = &q->atom[i];
        bool used = x->cls == q->left;
        for (uint32_t k = 0; k < q->n_atoms; k++) {
            if (k != i && q->atom[k].cls == x->cls)
                return false;
            for (uint32_t n = 0; n < q->atom[k].n; n++)
                used = used || q->atom[k].arg[n] == x->cls;
        }
        if (!used || x->op == ATOM_ANY)
            return false;
    }
    return true;
}

// Do order and brackets make the sides one?
static bool says_nothing(const struct ac *a, const struct plain_rule *q)
{
    struct ac_text t;
    struct buf left = {0}, right = {0};
    if (q->left == CC_NONE || q->right == CC_NONE || !is_tree(q))
        return false;
    text_begin(&t, a, q);
    for (uint32_t i = 0; i < q->n_vars; i++)
        t.name[i] = i;
    say(&t, q->left, false, true, &left);
    say(&t, q->right, true, true, &right);
    bool same = strcmp(buf_text(&left), buf_text(&right)) == 0;
    buf_release(&left);
    buf_release(&right);
    return same;
}

// The left side as it stands, the right side up to order.
static char *signature(const struct ac *a, const struct plain_rule *q)
{
    struct ac_text t;
    struct buf b = {0};
    text_begin(&t, a, q);
    say(&t, q->left, false, false, &b);
    buf_puts(&b, "=");
    say(&t, q->right, true, true, &b);
    for (uint32_t i = 0; i < q->n_guards; i++) {
        uint32_t out = q->guard[i].out;
        buf_printf(&b, " %u,%u,%u", q->guard[i].kind, q->guard[i].unless,
                   out == CC_NONE ? out : t.name[out]);
        for (uint32_t k = 0; k < q->guard[i].n; k++)
            buf_printf(&b, " %u", t.name[q->guard[i].arg[k]]);
    }
    return buf_detach(&b);
}

// The variables right below one: of the node it is, or the one itself.
static uint32_t below(const struct plain_rule *q, const uint32_t *var,
                      const uint32_t **list)
{
    const struct plain_atom *x = atom_of(q, *var);
    *list = x == NULL ? var : x->arg;
    return x == NULL ? 1 : x->n;
}

static bool share(const struct plain_rule *q, const struct plain_atom *x)
{
    const uint32_t *a, *b;
    uint32_t n_a = below(q, &x->arg[0], &a), n_b = below(q, &x->arg[1], &b);
    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t k = 0; k < n_b; k++)
            if (a[i] == b[k])
                return true;
    return false;
}

// What an atom of a left side asks the graph to offer.
static void want(struct ac *a, const struct plain_rule *q, const struct plain_atom *x)
{
    struct ac_want w = {.op = x->op, .above = CC_NONE};
    for (uint32_t k = 0; k < 2; k++) {
        const struct plain_atom *y = atom_of(q, x->arg[k]);
        w.arg[k] = y == NULL || y->op == x->op ? CC_NONE : y->op;
        w.rest[k] = y == NULL ? plain_uses(q, x->arg[k]) == 1 : y->op == x->op;
    }
    w.share = share(q, x);
    for (uint32_t i = 0; i < q->n_atoms; i++)
        for (uint32_t k = 0; k < q->atom[i].n; k++)
            if (q->atom[i].arg[k] == x->cls) {
                w.above = q->atom[i].op;
                w.use = k;
            }
    for (uint32_t i = 0; i < a->want.len; i++)
        if (memcmp(&a->want.at[i], &w, sizeof w) == 0)
            return;
    vec_push(&a->want, w);
}

static struct plain_rule swapped(struct plain_rules *p, struct cc *g,
                                 const struct plain_rule *q,
                                 const uint32_t *place, uint32_t which)
{
    struct plain_rule v = *q, *base = ARENA_NEW(&p->mem, struct plain_rule, 1);
    *base = *q;
    v.base = base;
    v.atom = ARENA_NEW(&p->mem, struct plain_atom, q->n_atoms);
    memcpy(v.atom, q->atom, q->n_atoms * sizeof *v.atom);
    for (uint32_t i = 0; which >> i; i++) {
        struct plain_atom *x = &v.atom[place[i]];
        if (!(which >> i & 1))
            continue;
        uint32_t *arg = ARENA_NEW(&p->mem, uint32_t, 2);
        arg[0] = x->arg[1];
        arg[1] = x->arg[0];
        x->arg = arg;
    }
    plain_plan(p, g, &v);
    return v;
}

// The rule and what it is when arguments change places, but for what says the
// same.
void ac_pattern(struct ac *a, struct plain_rules *p, const struct plain_rule *q,
                struct ac_patterns *out)
{
    uint32_t place[MAX_SWAPS], n = 0, n_texts = 0;
    char *text[1 << MAX_SWAPS];
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        if (q->atom[i].op == ATOM_ANY || !ac_is(a, q->atom[i].op))
            continue;
        want(a, q, &q->atom[i]);
        if (n < MAX_SWAPS)
            place[n++] = i;
        else
            a->cut = true;
    }
    bool tree = is_tree(q);
    for (uint32_t which = 0; which < UINT32_C(1) << n; which++) {
        struct plain_rule v =
            which == 0 ? *q : swapped(p, a->g, q, place, which);
        bool known = false;
        if (tree) {
            text[n_texts] = signature(a, &v);
            for (uint32_t i = 0; i < n_texts && !known; i++)
                known = strcmp(text[i], text[n_texts]) == 0;
            n_texts++;
        }
        if (!known)
            vec_push(out, v);
    }
    for (uint32_t i = 0; i < n_texts; i++)
        mem_free(text[i]);
}

void ac_rules(struct ac *a, struct plain_rules *p)
{
    struct ac_patterns out = {0};
    for (uint32_t i = 0; i < p->rule.len; i++)
        if (!says_nothing(a, &p->rule.at[i]))
            ac_pattern(a, p, &p->rule.at[i], &out);
    vec_clear(&p->rule);
    for (uint32_t i = 0; i < out.len; i++)
        vec_push(&p->rule, out.at[i]);
    vec_release(&out);
}
