// SPDX-License-Identifier: Apache-2.0
#include "proof/formula_record.h"

#include "formula/constant.h"
#include "formula/named.h"
#include "formula/number.h"
#include "proof/formula_terms.h"
#include "proof/plain_check.h"

#include <stdlib.h>

// Of the input and the output, written out.
enum { MAX_TREE = 1 << 20 };

struct check {
    const struct formula_record *r;
    const struct formula_check_options *o;
    struct err *e;
    struct ruleset set;
    VEC(const struct rule *) defining; // of `defines`, then of `rules`
    struct fdefines defs;
    struct fterms t;
    struct formula in, out;
    fterm left;           // the input, with what its constants stand for
    struct u32_vec given; // terms of the record's givens
    struct fsorts sorts;
    struct buf rules;    // plain
    struct u32_vec term; // of the proof -> named term
    struct err inside;   // why a callback says no
};

// Rules

// A name is a word in lines of the proof and before the colon of plain rules,
// where `ac:` and `analysis:` mean something else.
static bool is_rule_name(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-+/<>=~.'");
    return n > 0 && s[n] == 0 && strcmp(s, "ac") != 0 &&
           strcmp(s, "analysis") != 0;
}

static bool ask(struct check *c, const char *name, const char *hash,
                const char *text, bool assumed, struct rule_status *s)
{
    if (assumed && !c->o->allow_assumed)
        return err_set(c->e, ERR_CHECK,
                       "rule %s is assumed, not proved (--assume FILE "
                       "accepts the rules of a file)",
                       name);
    *s = (struct rule_status){0};
    return c->o->status(c->o->ctx, hash, text, assumed, s, c->e);
}

// May it be used on real numbers?  Type variables that may be truth values or
// numbers are taken for either, so it must be proved for both.
static bool may_fire(const struct rule *r, struct rule_status s)
{
    enum elem elem[64];
    uint32_t n = r->n_types, wide[64], n_wide = 0;
    if (n > 64)
        return false;
    for (uint32_t v = 0; v < n; v++) {
        unsigned kinds = r->types[v].kinds;
        if (!(kinds & (KIND_FLOAT | KIND_BOOL)))
            return false;
        elem[v] = kinds & KIND_FLOAT ? ELEM_F64 : ELEM_I1;
        if ((kinds & KIND_FLOAT) && (kinds & KIND_BOOL))
            wide[n_wide++] = v;
    }
    if (n_wide > 6)
        return false;
    for (uint32_t k = 0; k < 1u << n_wide; k++) {
        for (uint32_t i = 0; i < n_wide; i++)
            elem[wide[i]] = k >> i & 1 ? ELEM_I1 : ELEM_F64;
        if (!rule_may_fire(r, elem, DOMAIN_REAL, s))
            return false;
    }
    return true;
}

static bool fires(struct check *c, const struct rule *r, const char *name,
                  struct rule_status s)
{
    struct rule_status hoped = s;
    hoped.proved |= s.unknown;
    hoped.uninterpreted |= s.unknown;
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

static const struct rule *parse(struct check *c, const char *name,
                                const char *text)
{
    struct err e = {0};
    const struct rule *r = ruleset_add(&c->set, text, name, &e);
    if (r == NULL)
        err_set(c->e, ERR_CHECK, "the text of %s is no rule: %s", name, e.msg);
    return r;
}

// The rule may be there already: as a definition that is used, too.
static void add_defining(struct check *c, const struct rule *r)
{
    for (uint32_t i = 0; i < c->defining.len; i++)
        if (strcmp(c->defining.at[i]->hash, r->hash) == 0)
            return;
    vec_push(&c->defining, r);
}

static bool read_definitions(struct check *c)
{
    for (uint32_t i = 0; i < c->r->defines.len; i++) {
        const char *text = c->r->defines.at[i];
        struct rule_status s;
        const struct rule *r = parse(c, "a definition", text);
        if (r == NULL || !ask(c, r->name, r->hash, text, false, &s) ||
            !fires(c, r, r->hash, s))
            return false;
        add_defining(c, r);
    }
    return true;
}

static bool name_is_new(const struct check *c, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(c->r->rules.at[k].name, c->r->rules.at[i].name) == 0)
            return false;
    return true;
}

static bool read_rule(struct check *c, uint32_t i)
{
    const struct formula_record_rule *x = &c->r->rules.at[i];
    struct rule_status s;
    struct err why = {0};
    if (!is_rule_name(x->name) || !name_is_new(c, i))
        return err_set(c->e, ERR_CHECK, "rule %u has no name of its own", i);
    const struct rule *r = parse(c, x->name, x->text);
    if (r == NULL)
        return false;
    if (strcmp(r->hash, x->hash) != 0)
        return err_set(c->e, ERR_CHECK,
                       "the text of rule %s has another hash than recorded",
                       x->name);
    if (!ask(c, x->name, r->hash, x->text, x->assumed, &s) ||
        !fires(c, r, x->name, s))
        return false;
    if (!named_rule(r, x->name, x->backward, &c->rules, &why))
        return err_set(c->e, ERR_CHECK, "rule %s: %s", x->name, why.msg);
    add_defining(c, r);
    return true;
}

// A name has one definition in all the record, be it read or used: two would
// make what they define equal.
static bool read_rules(struct check *c)
{
    bool ok = read_definitions(c);
    for (uint32_t i = 0; ok && i < c->r->rules.len; i++)
        ok = read_rule(c, i);
    struct err e = {0};
    return ok && (fdefines_of(&c->defs, c->defining.len, c->defining.at, &e) ||
                  err_set(c->e, ERR_CHECK, "%s", e.msg));
}

// Formulas

static bool read_formula(struct check *c, const char *what, const char *text,
                         struct formula *f)
{
    struct err e = {0};
    if (!formula_read(f, &c->t, &c->defs, what, text, &e))
        return err_set(c->e, ERR_CHECK, "the %s, line %u, column %u: %s", what,
                       e.line, e.col, e.msg);
    return fterm_tree_size(&c->t, f->term, MAX_TREE) < MAX_TREE ||
           err_set(c->e, ERR_CHECK, "the %s is too large to be checked", what);
}

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
// the input does not, and has its shape.
static bool same_heads(struct check *c)
{
    const struct formula *f = &c->out, *g = &c->in;
    bool same = f->shape.len == g->shape.len;
    for (uint32_t i = 0; same && i < f->shape.len; i++)
        same = same_word(f->shape.at[i], g->shape.at[i]);
    if (!same)
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

// Constants

static bool precision_named(const char *name, enum precision *out)
{
    for (int p = PRECISION_BF16; p <= PRECISION_DECIMAL; p++)
        if (strcmp(precision_name((enum precision)p), name) == 0) {
            *out = (enum precision)p;
            return true;
        }
    return false;
}

// A number without variables, axes or named functions.
static bool is_closed(const struct fterms *t, fterm x)
{
    struct u32_vec all = {0};
    bool ok = true;
    fterms_reach(t, 1, &x, &all);
    for (uint32_t i = 0; ok && i < all.len; i++) {
        const char *name = fterm_name(t, all.at[i]);
        enum op op;
        ok = fterm_n(t, all.at[i]) > 0
                 ? op_by_name(name, &op)
                 : fname_is_number(name, (uint32_t)strlen(name)) ||
                       strcmp(name, "pi") == 0;
    }
    vec_release(&all);
    return ok;
}

// What the number stands for, if it is one of those.
static bool check_constant(struct check *c, uint32_t i,
                           struct u32_vec *stands_for)
{
    const struct formula_record_constant *x = &c->r->constants.at[i];
    enum precision p;
    struct err e = {0};
    fterm value;
    bool found = false;
    char *end;
    double difference, said = strtod(x->difference, &end);
    if (!precision_named(x->precision, &p) || *end != 0 ||
        !fterm_read(&c->t, x->value, &value, &e) || !is_closed(&c->t, value))
        return err_set(c->e, ERR_CHECK, "constant %u is malformed", i);
    // Whole numbers also stand for themselves in what the notation is short
    // for; what is written with a point does not.
    if (strpbrk(x->text, ".eE") == NULL)
        return err_set(c->e, ERR_CHECK, "constant %.60s is a whole number",
                       x->text);
    for (uint32_t k = 0; k < c->in.constants.len; k++)
        if (strcmp(c->in.constants.at[k].text, x->text) == 0) {
            fterm n = c->in.constants.at[k].term;
            if (stands_for->at[n] != n && stands_for->at[n] != value)
                return err_set(c->e, ERR_CHECK,
                               "constant %.60s is recovered twice", x->text);
            stands_for->at[n] = value;
            found = true;
        }
    if (!found)
        return err_set(c->e, ERR_CHECK, "constant %.60s is not in the input",
                       x->text);
    if (!constant_agrees(&c->t, value, x->text, p, &difference))
        return err_set(c->e, ERR_CHECK,
                       "constant %.60s is not that number in that precision",
                       x->text);
    return said == difference ||
           err_set(c->e, ERR_CHECK,
                   "constant %.60s differs by something else from what it "
                   "stands for",
                   x->text);
}

static bool has_constant(const struct formula_record *r, const char *text)
{
    for (uint32_t i = 0; i < r->constants.len; i++)
        if (strcmp(r->constants.at[i].text, text) == 0)
            return true;
    return false;
}

// left: the input's term, each recovered number replaced wherever it stands;
// so every way in which the text writes that number must be recovered.
static bool recover(struct check *c)
{
    struct u32_vec all = {0}, now = {0}, args = {0};
    bool ok = true;
    for (fterm x = 0; x < c->t.node.len; x++)
        vec_push(&now, x);
    for (uint32_t i = 0; ok && i < c->r->constants.len; i++)
        ok = check_constant(c, i, &now);
    for (uint32_t k = 0; ok && k < c->in.constants.len; k++) {
        const struct fconstant *x = &c->in.constants.at[k];
        if (now.at[x->term] != x->term && !has_constant(c->r, x->text))
            ok = err_set(c->e, ERR_CHECK,
                         "constant %.60s is recovered in another spelling",
                         x->text);
    }
    fterms_reach(&c->t, 1, &c->in.term, &all);
    for (uint32_t i = 0; ok && i < all.len; i++) {
        fterm x = all.at[i];
        uint32_t n = fterm_n(&c->t, x);
        vec_clear(&args);
        for (uint32_t k = 0; k < n; k++)
            vec_push(&args, now.at[fterm_args(&c->t, x)[k]]);
        if (n > 0) {
            struct buf name = {0}; // the store may move it
            buf_puts(&name, fterm_name(&c->t, x));
            now.at[x] = fterm_make(&c->t, buf_text(&name), n, args.at);
            buf_release(&name);
        }
    }
    c->left = ok ? now.at[c->in.term] : NO_FTERM;
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return ok;
}

// What is given

static const char *const by_names[] = {
    [GIVEN_DECLARED] = "declared",
    [GIVEN_DEFINED] = "defined",
    [GIVEN_EXTENT] = "extent",
    [GIVEN_NUMBER] = "number",
};

static bool check_given(struct check *c, uint32_t i)
{
    const struct formula_record_given *x = &c->r->givens.at[i];
    struct err e = {0};
    fterm cond;
    uint32_t by = 0, n = sizeof by_names / sizeof *by_names;
    while (by < n && strcmp(by_names[by], x->by) != 0)
        by++;
    if (by == n || !fterm_read(&c->t, x->cond, &cond, &e))
        return err_set(c->e, ERR_CHECK, "given %u is malformed", i);
    if (!is_given(&c->in, cond, (enum given_by)by))
        return err_set(c->e, ERR_CHECK, "%.100s is not %s by the input",
                       x->cond, by == GIVEN_DECLARED ? "declared" : "given");
    vec_push(&c->given, cond);
    return true;
}

// Where the formula with the recovered constants has a value.
static bool check_givens(struct check *c)
{
    c->in.term = c->left;
    formula_defined(&c->in);
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->r->givens.len; i++)
        ok = check_given(c, i);
    return ok;
}

// What the proof asks

static bool fact_term(void *ctx, const struct plain_check_terms *t, uint32_t x)
{
    struct check *c = ctx;
    const struct plain_check_term *p = &t->term.at[x];
    struct u32_vec args = {0};
    for (uint32_t k = 0; k < p->n; k++)
        vec_push(&args, c->term.at[p->arg[k]]);
    vec_push(&c->term,
             fterm_make_n(&c->t, p->name.at, p->name.len, p->n, args.at));
    vec_release(&args);
    return fsorts_add(&c->sorts, vec_last(&c->term));
}

static bool fact_given(void *ctx, const struct plain_check_terms *t, uint32_t a,
                       uint32_t b, uint32_t number)
{
    struct check *c = ctx;
    (void)t;
    fterm x = c->term.at[a], y = c->term.at[b];
    if (number >= c->given.len)
        return false;
    fterm cond = c->given.at[number];
    return (x == cond && fterm_is(&c->t, y, "true", 0)) ||
           (y == cond && fterm_is(&c->t, x, "true", 0));
}

static bool fact_fold(void *ctx, const struct plain_check_terms *t, uint32_t a,
                      uint32_t b)
{
    struct check *c = ctx;
    const struct plain_check_term *p = &t->term.at[a], *q = &t->term.at[b];
    const char *names[3];
    uint32_t lens[3];
    if (p->n == 0 || p->n > 3 || q->n > 0)
        return false;
    for (uint32_t k = 0; k < p->n; k++) {
        const struct plain_check_term *x = &t->term.at[p->arg[k]];
        fterm y = c->term.at[p->arg[k]];
        if (x->n > 0 ||
            (!fname_is_number(x->name.at, x->name.len) &&
             !fterm_is(&c->t, y, "true", 0) && !fterm_is(&c->t, y, "false", 0)))
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
// constant along those axes.  fresh: one axis that the left side does not have.
static bool fact_guard(void *ctx, const struct plain_check_terms *t,
                       struct plain_word name, uint32_t n, const uint32_t *arg,
                       const uint32_t *proved, bool holds)
{
    struct check *c = ctx;
    (void)t;
    if (n != 2 || !holds)
        return false;
    const struct fterm_sort *s = c->sorts.at.at;
    struct fterm_sort a = s[c->term.at[arg[0]]], b = s[c->term.at[arg[1]]];
    if (word_says(name, "free_of") && a.sort == SORT_AXES &&
        b.sort != SORT_AXES) {
        uint32_t other = proved[1];
        if (other != PLAIN_CHECK_NONE)
            b = s[c->term.at[other]];
        return (a.axes & b.axes) == 0;
    }
    return word_says(name, "fresh") && a.sort != SORT_AXES &&
           b.sort == SORT_AXES && (b.axes & (b.axes - 1)) == 0 &&
           (a.axes & b.axes) == 0;
}

static bool check_proof(struct check *c)
{
    const struct plain_check_facts facts = {.fold = fact_fold,
                                            .guard = fact_guard,
                                            .given = fact_given,
                                            .term = fact_term,
                                            .ctx = c};
    struct buf left = {0}, right = {0};
    struct err e = {0};
    if (c->r->proof[0] == 0)
        return c->left == c->out.term ||
               err_set(c->e, ERR_CHECK,
                       "there is no proof, but the output is another term");
    fterm_print(&c->t, c->left, &left);
    fterm_print(&c->t, c->out.term, &right);
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

// Both formulas are terms, and what is new in the output obeys T3 and T4.
static bool check_terms(struct check *c)
{
    return fsorts_formula(&c->sorts, &c->in, c->left) &&
           (fsorts_add_all(&c->sorts, c->out.term) ||
            err_set(c->e, ERR_CHECK, "%s", c->inside.msg));
}

bool formula_record_check(const struct formula_record *r,
                          const struct formula_check_options *o, struct err *e)
{
    struct check c = {.r = r, .o = o, .e = e};
    fterms_init(&c.t);
    ruleset_init(&c.set);
    bool ok = read_rules(&c) && read_formula(&c, "input", r->input, &c.in);
    bool both = ok && read_formula(&c, "output", r->output, &c.out);
    fsorts_init(&c.sorts, &c.t, &c.defs, &c.inside);
    ok = both && same_heads(&c) && recover(&c) && check_givens(&c);
    if (ok && !check_terms(&c))
        ok = err_set(e, ERR_CHECK, "%s", c.inside.msg);
    ok = ok && check_proof(&c);
    formula_release(&c.in);
    formula_release(&c.out);
    fsorts_release(&c.sorts);
    fdefines_release(&c.defs);
    vec_release(&c.defining);
    vec_release(&c.given);
    vec_release(&c.term);
    buf_release(&c.rules);
    ruleset_release(&c.set);
    fterms_release(&c.t);
    return ok;
}
