// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/record.h"

#include "formula/rules/named.h"
#include "formula/terms/number.h"
#include "proof/formula/terms.h"
#include "proof/formula/texts.h"
#include "proof/formula/partial.h"
#include "proof/plain/check.h"

struct formula_checker {
    const struct formula_record *r;
    const struct formula_check_options *o;
    struct err *e;
    struct formula_texts x;
    struct u32_vec given; // terms of the record's givens
    struct fsorts sorts;
    struct buf rules;      // plain
    struct u32_vec term;   // of the proof -> named term
    struct u32_vec proved; // conditions that a line says to be true
    struct err inside;     // why a callback says no
};

// Rules

static bool ask(struct formula_checker *c, const struct rule *r, const char *name,
                bool assumed, struct rule_status *s)
{
    if (assumed && !c->o->allow_assumed)
        return err_set(c->e, ERR_CHECK,
                       "rule %s is assumed, not proved (--assume FILE "
                       "accepts the rules of a file)",
                       name);
    *s = (struct rule_status){0};
    return c->o->status(c->o->ctx, r, name, assumed, s, c->e);
}

static bool may_fire(const struct rule *r, struct rule_status s)
{
    enum domain d;
    return named_domain(r, &d) && (s.proved >> d & 1);
}

static bool fires(struct formula_checker *c, const struct rule *r, const char *name,
                  struct rule_status s)
{
    struct rule_status hoped = s;
    hoped.proved |= s.unknown;
    if (may_fire(r, s))
        return true;
    if (s.unknown != 0 && may_fire(r, hoped))
        return err_set(c->e, ERR_LIMIT,
                       "rule %s could not be proved again: no answer within "
                       "the limits",
                       name);
    return err_set(c->e, ERR_CHECK, "rule %s is not proved over the reals",
                   name);
}

// Proved; or else, since the record does not say which it is, assumed.
static bool check_define(struct formula_checker *c, const struct rule *r)
{
    struct rule_status s;
    struct err *e = c->e, second = {0};
    if (ask(c, r, r->name, false, &s) && fires(c, r, r->name, s))
        return true;
    c->e = &second;
    bool ok = c->o->allow_assumed && ask(c, r, r->name, true, &s) &&
              fires(c, r, r->name, s);
    c->e = e;
    if (ok)
        err_clear(e);
    return ok;
}

// Definitions are there to read the formulas by; the other rules become plain.
static bool check_rules(struct formula_checker *c)
{
    struct rule_status s;
    for (uint32_t i = 0; i < c->x.defines.len; i++)
        if (!check_define(c, c->x.defines.at[i]))
            return false;
    for (uint32_t i = 0; i < c->x.rules.len; i++) {
        const struct formula_record_rule *y = &c->r->rules.at[i];
        struct err why = {0};
        if (!ask(c, c->x.rules.at[i], y->name, y->assumed, &s) ||
            !fires(c, c->x.rules.at[i], y->name, s))
            return false;
        if (!named_rule(c->x.rules.at[i], y->name, y->backward, &c->rules,
                        &why))
            return err_set(c->e, ERR_CHECK, "rule %s: %s", y->name, why.msg);
    }
    return true;
}

// Formulas

static bool same_word(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static const struct fvariable *variable_named(const struct formula *f,
                                              const char *name)
{
    for (uint32_t i = 0; i < f->variables.len; i++)
        if (strcmp(f->variables.at[i].name, name) == 0)
            return &f->variables.at[i];
    return NULL;
}

static bool same_variable(const struct formula *f, const struct fvariable *v,
                          const struct formula *g, const struct fvariable *w)
{
    bool same = w != NULL && v->n == w->n;
    for (uint32_t i = 0; same && i < v->n; i++)
        same = strcmp(f->axes.at[v->at + i], g->axes.at[w->at + i]) == 0;
    return same;
}

static bool is_given(const struct formula *f, fterm cond, enum given_by by)
{
    for (uint32_t i = 0; i < f->givens.len; i++)
        if (f->givens.at[i].cond == cond && f->givens.at[i].by == by)
            return true;
    return false;
}

// The output speaks of the input's variables and sizes, declares nothing that
// the input does not, and fits its shape.
static bool same_heads(struct formula_checker *c)
{
    const struct formula *f = &c->x.out, *g = &c->x.in;
    if (!formula_fits(f, g))
        return err_set(c->e, ERR_CHECK,
                       "the output has not the shape of the input");
    for (uint32_t i = 0; i < f->variables.len; i++) {
        const struct fvariable *v = &f->variables.at[i];
        if (!same_variable(f, v, g, variable_named(g, v->name)))
            return err_set(c->e, ERR_CHECK,
                           "%.60s is not the variable of the input", v->name);
    }
    for (uint32_t i = 0; i + 1 < f->extents.len; i += 2)
        for (uint32_t k = 0; k + 1 < g->extents.len; k += 2)
            if (same_word(f->extents.at[i], g->extents.at[k]) &&
                !same_word(f->extents.at[i + 1], g->extents.at[k + 1]))
                return err_set(c->e, ERR_CHECK,
                               "%.60s is another size in the output",
                               f->extents.at[i]);
    for (uint32_t i = 0; i < f->givens.len; i++)
        if (f->givens.at[i].by == GIVEN_DECLARED &&
            !is_given(g, f->givens.at[i].cond, GIVEN_DECLARED))
            return err_set(c->e, ERR_CHECK,
                           "the output declares what the input does not");
    return true;
}

// What is given

static const char *const by_names[] = {
    [GIVEN_DECLARED] = "declared",
    [GIVEN_DEFINED] = "defined",
    [GIVEN_EXTENT] = "extent",
    [GIVEN_NUMBER] = "number",
};

static bool check_given(struct formula_checker *c, uint32_t i)
{
    const struct formula_record_given *x = &c->r->givens.at[i];
    struct err e = {0};
    fterm cond;
    uint32_t by = 0, n = sizeof by_names / sizeof *by_names;
    while (by < n && strcmp(by_names[by], x->by) != 0)
        by++;
    if (by == n || !fterm_read(&c->x.t, x->cond, &cond, &e))
        return err_set(c->e, ERR_CHECK, "given %u is malformed", i);
    if (!is_given(&c->x.in, cond, (enum given_by)by))
        return err_set(c->e, ERR_CHECK, "%.100s is not %s by the input",
                       x->cond, by == GIVEN_DECLARED ? "declared" : "given");
    vec_push(&c->given, cond);
    return true;
}

// Where the formula with the recovered constants has a value.
static bool check_givens(struct formula_checker *c)
{
    c->x.in.term = c->x.left;
    formula_defined(&c->x.in);
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->r->givens.len; i++)
        ok = check_given(c, i);
    return ok;
}

// What the proof asks

static bool fact_term(void *ctx, const struct plain_check_terms *t, uint32_t x)
{
    struct formula_checker *c = ctx;
    const struct plain_check_term *p = &t->term.at[x];
    struct u32_vec args = {0};
    for (uint32_t k = 0; k < p->n; k++)
        vec_push(&args, c->term.at[p->arg[k]]);
    vec_push(&c->term,
             fterm_make_n(&c->x.t, p->name.at, p->name.len, p->n, args.at));
    vec_release(&args);
    return fsorts_add(&c->sorts, vec_last(&c->term));
}

// The condition is true; and of an equation the sides are equal.
static bool fact_given(void *ctx, const struct plain_check_terms *t, uint32_t a,
                       uint32_t b, uint32_t number)
{
    struct formula_checker *c = ctx;
    (void)t;
    fterm x = c->term.at[a], y = c->term.at[b];
    if (number >= c->given.len)
        return false;
    fterm cond = c->given.at[number];
    if (fterm_is(&c->x.t, cond, "eq", 2)) {
        const fterm *side = fterm_args(&c->x.t, cond);
        if ((x == side[0] && y == side[1]) || (x == side[1] && y == side[0]))
            return true;
    }
    return (x == cond && fterm_is(&c->x.t, y, "true", 0)) ||
           (y == cond && fterm_is(&c->x.t, x, "true", 0));
}

// A reduction over axes directly within the same one over others is one over
// all of them.
static bool is_merged(const struct formula_checker *c, fterm x, fterm y)
{
    const struct fterms *t = &c->x.t;
    const char *op = fterm_name(t, x);
    if (fterm_n(t, x) != 2 || strncmp(op, "reduce_", 7) != 0 ||
        !fterm_is(t, y, op, 2) || !fterm_is(t, fterm_args(t, x)[1], op, 2))
        return false;
    const fterm *outer = fterm_args(t, x), *all = fterm_args(t, y);
    const fterm *inner = fterm_args(t, outer[1]);
    const struct fterm_sort *s = c->sorts.at.at;
    return all[1] == inner[1] && s[outer[0]].sort == SORT_AXES &&
           s[inner[0]].sort == SORT_AXES && s[all[0]].sort == SORT_AXES &&
           (s[outer[0]].axes & s[inner[0]].axes) == 0 &&
           s[all[0]].axes == (s[outer[0]].axes | s[inner[0]].axes);
}

static bool fact_fold(void *ctx, const struct plain_check_terms *t, uint32_t a,
                      uint32_t b)
{
    struct formula_checker *c = ctx;
    const struct plain_check_term *p = &t->term.at[a], *q = &t->term.at[b];
    const char *names[3];
    uint32_t lens[3];
    if (is_merged(c, c->term.at[a], c->term.at[b]))
        return true;
    if (p->n == 0 || p->n > 3 || q->n > 0)
        return false;
    for (uint32_t k = 0; k < p->n; k++) {
        const struct plain_check_term *x = &t->term.at[p->arg[k]];
        fterm y = c->term.at[p->arg[k]];
        if (x->n > 0 || (!fname_is_number(x->name.at, x->name.len) &&
                         !fterm_is(&c->x.t, y, "true", 0) &&
                         !fterm_is(&c->x.t, y, "false", 0)))
            return false;
        names[k] = x->name.at;
        lens[k] = x->name.len;
    }
    struct buf value = {0};
    bool ok = number_fold(p->name.at, p->name.len, p->n, names, lens, &value) &&
              value.len == q->name.len &&
              memcmp(buf_text(&value), q->name.at, value.len) == 0;
    buf_release(&value);
    return ok;
}

static bool word_says(struct plain_word w, const char *s)
{
    return strlen(s) == w.len && memcmp(w.at, s, w.len) == 0;
}

// free_of(?axes, ?tensor): the tensor, or what it was proved equal to, is
// constant along those axes; of two sets, that they have no axis in common.
// fresh: one axis that the left side does not have.
static bool fact_guard(void *ctx, const struct plain_check_terms *t,
                       struct plain_word name, uint32_t n, const uint32_t *arg,
                       const uint32_t *proved, bool holds)
{
    struct formula_checker *c = ctx;
    (void)t;
    if (n != 2 || !holds)
        return false;
    const struct fterm_sort *s = c->sorts.at.at;
    struct fterm_sort a = s[c->term.at[arg[0]]], b = s[c->term.at[arg[1]]];
    if (word_says(name, "free_of") && a.sort == SORT_AXES) {
        uint32_t other = proved[1];
        if (other != PLAIN_CHECK_NONE)
            b = s[c->term.at[other]];
        return (a.axes & b.axes) == 0;
    }
    return word_says(name, "fresh") && a.sort != SORT_AXES &&
           b.sort == SORT_AXES && (b.axes & (b.axes - 1)) == 0 &&
           (a.axes & b.axes) == 0;
}

// What lines prove to be true.
static void fact_proved(void *ctx, const struct plain_check_terms *t,
                        uint32_t a, uint32_t b)
{
    struct formula_checker *c = ctx;
    (void)t;
    fterm x = c->term.at[a], y = c->term.at[b];
    if (fterm_is(&c->x.t, y, "true", 0))
        vec_push(&c->proved, x);
    else if (fterm_is(&c->x.t, x, "true", 0))
        vec_push(&c->proved, y);
}

static bool check_proof(struct formula_checker *c)
{
    const struct plain_check_facts facts = {.fold = fact_fold,
                                            .guard = fact_guard,
                                            .given = fact_given,
                                            .term = fact_term,
                                            .proved = fact_proved,
                                            .ctx = c};
    struct buf left = {0}, right = {0};
    struct err e = {0};
    if (c->r->proof[0] == 0)
        return c->x.left == c->x.out.term ||
               err_set(c->e, ERR_CHECK,
                       "there is no proof, but the output is another term");
    fterm_print(&c->x.t, c->x.left, &left);
    fterm_print(&c->x.t, c->x.out.term, &right);
    bool ok = plain_check(buf_text(&c->rules), c->r->proof, buf_text(&left),
                          buf_text(&right), &facts, &e);
    if (!ok && e.line > 0)
        err_set(c->e, ERR_CHECK, "line %u of the proof: %s%s%s", e.line - 1,
                e.msg, c->inside.msg[0] != 0 ? ": " : "", c->inside.msg);
    else if (!ok)
        err_set(c->e, ERR_CHECK, "%s", e.msg);
    buf_release(&left);
    buf_release(&right);
    return ok;
}

// Equal terms may still differ in where they have a value.
static bool check_values(struct formula_checker *c)
{
    struct partial p;
    partial_init(&p, &c->x.t, &c->x.defs, c->x.left);
    for (uint32_t i = 0; i < c->proved.len; i++)
        partial_know(&p, c->proved.at[i]);
    bool ok = partial_fits(&p, c->x.out.term);
    if (!ok) {
        struct buf cond = {0};
        for (uint32_t i = 0; i < p.missing.len && i < 1; i++)
            fterm_print(&c->x.t, p.missing.at[i], &cond);
        err_set(c->e, ERR_CHECK,
                "the output may have no value where the input has one%s%.300s",
                cond.len > 0 ? ": nothing says that " : "", buf_text(&cond));
        buf_release(&cond);
    }
    partial_release(&p);
    return ok;
}

// Both formulas are terms, and what is new in the output obeys T3 and T4.
static bool check_terms(struct formula_checker *c)
{
    return (fsorts_formula(&c->sorts, &c->x.in, c->x.left) &&
            fsorts_add_all(&c->sorts, c->x.out.term)) ||
           err_set(c->e, ERR_CHECK, "%s", c->inside.msg);
}

bool formula_record_check(const struct formula_record *r,
                          const struct formula_check_options *o, struct err *e)
{
    struct formula_checker c = {.r = r, .o = o, .e = e};
    bool ok = formula_texts_read(&c.x, r, e);
    fsorts_init(&c.sorts, &c.x.t, &c.x.defs, &c.inside);
    ok = ok && check_rules(&c) && same_heads(&c) && check_givens(&c) &&
         check_terms(&c) && check_proof(&c) && check_values(&c);
    fsorts_release(&c.sorts);
    vec_release(&c.given);
    vec_release(&c.term);
    vec_release(&c.proved);
    buf_release(&c.rules);
    formula_texts_release(&c.x);
    return ok;
}
