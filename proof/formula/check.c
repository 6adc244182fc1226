// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/record.h"

#include "formula/rules/named.h"
#include "formula/terms/number.h"
#include "proof/remedy.h"
#include "proof/formula/terms.h"
#include "proof/formula/texts.h"
#include "proof/formula/partial.h"
#include "proof/plain/check.h"

struct formula_checker {
    const struct formula_record *record;
    const struct formula_check_options *options;
    struct err *err;
    struct formula_texts texts;
    struct u32_vec given; // terms of the record's givens
    struct fsorts sorts;
    struct buf rules;      // plain
    struct u32_vec term;   // of the proof -> named term
    struct u32_vec proved; // conditions that a line says to be true
    struct err inside;     // why a callback says no
};

// Rules

static bool ask(struct formula_checker *checker, const struct rule *rule, const char *name,
                bool assumed, struct rule_status *status)
{
    if (assumed && !checker->options->allow_assumed)
        return err_at(checker->err, ERR_CHECK, REMEDY_ASSUMED, 0, 0,
                      "rule %s is assumed, not proved", name);
    *status = (struct rule_status){0};
    return checker->options->status(checker->options->ctx, rule, name, assumed, status,
                                    checker->err);
}

static bool may_fire(const struct rule *rule, struct rule_status status)
{
    enum domain domain;
    return named_domain(rule, &domain) && (status.proved >> domain & 1);
}

static bool fires(struct formula_checker *checker, const struct rule *rule, const char *name,
                  struct rule_status status)
{
    struct rule_status hoped = status;
    hoped.proved |= status.unknown;
    if (may_fire(rule, status))
        return true;
    if (status.unknown != 0 && may_fire(rule, hoped))
        return err_set(checker->err, ERR_LIMIT,
                       "rule %s could not be proved again: no answer within "
                       "the limits",
                       name);
    return err_set(checker->err, ERR_CHECK, "rule %s is not proved over the reals", name);
}

// Proved; or else, since the record does not say which it is, assumed.
static bool check_define(struct formula_checker *checker, const struct rule *rule)
{
    struct rule_status status;
    struct err *err = checker->err, second = {0};
    if (ask(checker, rule, rule->name, false, &status) && fires(checker, rule, rule->name, status))
        return true;
    checker->err = &second;
    bool ok = checker->options->allow_assumed && ask(checker, rule, rule->name, true, &status) &&
              fires(checker, rule, rule->name, status);
    checker->err = err;
    if (ok)
        err_clear(err);
    return ok;
}

// Definitions are there to read the formulas by; the other rules become plain.
static bool check_rules(struct formula_checker *checker)
{
    struct rule_status status;
    for (uint32_t i = 0; i < checker->texts.defines.len; i++)
        if (!check_define(checker, checker->texts.defines.at[i]))
            return false;
    for (uint32_t i = 0; i < checker->texts.rules.len; i++) {
        const struct formula_record_rule *rule = &checker->record->rules.at[i];
        struct err why = {0};
        if (!ask(checker, checker->texts.rules.at[i], rule->name, rule->assumed, &status) ||
            !fires(checker, checker->texts.rules.at[i], rule->name, status))
            return false;
        if (!named_rule(checker->texts.rules.at[i], rule->name, rule->backward, &checker->rules,
                        &why))
            return err_set(checker->err, ERR_CHECK, "rule %s: %s", rule->name, why.msg);
    }
    return true;
}

// Formulas

static bool same_word(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static const struct fvariable *variable_named(const struct formula *formula, const char *name)
{
    for (uint32_t i = 0; i < formula->variables.len; i++)
        if (strcmp(formula->variables.at[i].name, name) == 0)
            return &formula->variables.at[i];
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

static bool is_given(const struct formula *formula, fterm cond, enum given_by by)
{
    for (uint32_t i = 0; i < formula->givens.len; i++)
        if (formula->givens.at[i].cond == cond && formula->givens.at[i].by == by)
            return true;
    return false;
}

// The output speaks of the input's variables and sizes, declares nothing that
// the input does not, and fits its shape.
static bool same_heads(struct formula_checker *checker)
{
    const struct formula *formula = &checker->texts.out, *g = &checker->texts.in;
    if (!formula_fits(formula, g))
        return err_set(checker->err, ERR_CHECK, "the output has not the shape of the input");
    for (uint32_t i = 0; i < formula->variables.len; i++) {
        const struct fvariable *variable = &formula->variables.at[i];
        if (!same_variable(formula, variable, g, variable_named(g, variable->name)))
            return err_set(checker->err, ERR_CHECK, "%.60s is not the variable of the input",
                           variable->name);
    }
    for (uint32_t i = 0; i + 1 < formula->extents.len; i += 2)
        for (uint32_t k = 0; k + 1 < g->extents.len; k += 2)
            if (same_word(formula->extents.at[i], g->extents.at[k]) &&
                !same_word(formula->extents.at[i + 1], g->extents.at[k + 1]))
                return err_set(checker->err, ERR_CHECK, "%.60s is another size in the output",
                               formula->extents.at[i]);
    for (uint32_t i = 0; i < formula->givens.len; i++)
        if (formula->givens.at[i].by == GIVEN_DECLARED &&
            !is_given(g, formula->givens.at[i].cond, GIVEN_DECLARED))
            return err_set(checker->err, ERR_CHECK, "the output declares what the input does not");
    return true;
}

// What is given

static const char *const by_names[] = {
    [GIVEN_DECLARED] = "declared",
    [GIVEN_DEFINED] = "defined",
    [GIVEN_EXTENT] = "extent",
    [GIVEN_NUMBER] = "number",
};

static bool check_given(struct formula_checker *checker, uint32_t i)
{
    const struct formula_record_given *given = &checker->record->givens.at[i];
    struct err err = {0};
    fterm cond;
    uint32_t by = 0, n = sizeof by_names / sizeof *by_names;
    while (by < n && strcmp(by_names[by], given->by) != 0)
        by++;
    if (by == n || !fterm_read(&checker->texts.terms, given->cond, &cond, &err))
        return err_set(checker->err, ERR_CHECK, "given %u is malformed", i);
    if (!is_given(&checker->texts.in, cond, (enum given_by)by))
        return err_set(checker->err, ERR_CHECK, "%.100s is not %s by the input", given->cond,
                       by == GIVEN_DECLARED ? "declared" : "given");
    vec_push(&checker->given, cond);
    return true;
}

// Where the formula with the recovered constants has a value.
static bool check_givens(struct formula_checker *checker)
{
    checker->texts.in.term = checker->texts.left;
    formula_defined(&checker->texts.in);
    bool ok = true;
    for (uint32_t i = 0; ok && i < checker->record->givens.len; i++)
        ok = check_given(checker, i);
    return ok;
}

// What the proof asks

static bool fact_term(void *ctx, const struct plain_check_terms *terms, uint32_t x)
{
    struct formula_checker *checker = ctx;
    const struct plain_check_term *term = &terms->term.at[x];
    struct u32_vec args = {0};
    for (uint32_t k = 0; k < term->n; k++)
        vec_push(&args, checker->term.at[term->arg[k]]);
    vec_push(&checker->term,
             fterm_make_n(&checker->texts.terms, term->name.at, term->name.len, term->n, args.at));
    vec_release(&args);
    return fsorts_add(&checker->sorts, vec_last(&checker->term));
}

// The condition is true; and of an equation the sides are equal.
static bool fact_given(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b,
                       uint32_t number)
{
    struct formula_checker *checker = ctx;
    (void)terms;
    fterm term = checker->term.at[a], y = checker->term.at[b];
    if (number >= checker->given.len)
        return false;
    fterm cond = checker->given.at[number];
    if (fterm_is(&checker->texts.terms, cond, "eq", 2)) {
        const fterm *side = fterm_args(&checker->texts.terms, cond);
        if ((term == side[0] && y == side[1]) || (term == side[1] && y == side[0]))
            return true;
    }
    return (term == cond && fterm_is(&checker->texts.terms, y, "true", 0)) ||
           (y == cond && fterm_is(&checker->texts.terms, term, "true", 0));
}

// A reduction over axes directly within the same one over others is one over
// all of them.
static bool is_merged(const struct formula_checker *checker, fterm x, fterm y)
{
    const struct fterms *terms = &checker->texts.terms;
    const char *op = fterm_name(terms, x);
    if (fterm_n(terms, x) != 2 || strncmp(op, "reduce_", 7) != 0 || !fterm_is(terms, y, op, 2) ||
        !fterm_is(terms, fterm_args(terms, x)[1], op, 2))
        return false;
    const fterm *outer = fterm_args(terms, x), *all = fterm_args(terms, y);
    const fterm *inner = fterm_args(terms, outer[1]);
    const struct fterm_sort *sort = checker->sorts.at.at;
    return all[1] == inner[1] && sort[outer[0]].sort == SORT_AXES &&
           sort[inner[0]].sort == SORT_AXES && sort[all[0]].sort == SORT_AXES &&
           !axis_set_meet(sort[outer[0]].axes, sort[inner[0]].axes) &&
           axis_set_equal(sort[all[0]].axes,
                          axis_set_union(sort[outer[0]].axes, sort[inner[0]].axes));
}

static bool fact_fold(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b)
{
    struct formula_checker *checker = ctx;
    const struct plain_check_term *term = &terms->term.at[a], *q = &terms->term.at[b];
    const char *names[3];
    uint32_t lens[3];
    if (is_merged(checker, checker->term.at[a], checker->term.at[b]))
        return true;
    if (term->n == 0 || term->n > 3 || q->n > 0)
        return false;
    for (uint32_t k = 0; k < term->n; k++) {
        const struct plain_check_term *x = &terms->term.at[term->arg[k]];
        fterm y = checker->term.at[term->arg[k]];
        if (x->n > 0 || (!fname_is_number(x->name.at, x->name.len) &&
                         !fterm_is(&checker->texts.terms, y, "true", 0) &&
                         !fterm_is(&checker->texts.terms, y, "false", 0)))
            return false;
        names[k] = x->name.at;
        lens[k] = x->name.len;
    }
    struct buf value = {0};
    bool ok = number_fold(term->name.at, term->name.len, term->n, names, lens, &value) &&
              value.len == q->name.len && memcmp(buf_text(&value), q->name.at, value.len) == 0;
    buf_release(&value);
    return ok;
}

static bool word_says(struct plain_word name, const char *text)
{
    return strlen(text) == name.len && memcmp(name.at, text, name.len) == 0;
}

// free_of(?axes, ?tensor): the tensor, or what it was proved equal to, is
// constant along those axes; of two sets, that they have no axis in common.
// fresh: one axis that the left side does not have.
static bool fact_guard(void *ctx, const struct plain_check_terms *terms,
                       const struct plain_check_condition *condition, bool holds)
{
    struct formula_checker *checker = ctx;
    (void)terms;
    if (condition->n != 2 || !holds)
        return false;
    const struct fterm_sort *sort = checker->sorts.at.at;
    struct fterm_sort a = sort[checker->term.at[condition->arg[0]]];
    struct fterm_sort b = sort[checker->term.at[condition->arg[1]]];
    if (word_says(condition->name, "free_of") && a.sort == SORT_AXES) {
        uint32_t other = condition->proved[1];
        if (other != PLAIN_CHECK_NONE)
            b = sort[checker->term.at[other]];
        return !axis_set_meet(a.axes, b.axes);
    }
    return word_says(condition->name, "fresh") && a.sort != SORT_AXES && b.sort == SORT_AXES &&
           axis_set_count(b.axes) <= 1 && !axis_set_meet(a.axes, b.axes);
}

// What lines prove to be true.
static void fact_proved(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b)
{
    struct formula_checker *checker = ctx;
    (void)terms;
    fterm term = checker->term.at[a], y = checker->term.at[b];
    if (fterm_is(&checker->texts.terms, y, "true", 0))
        vec_push(&checker->proved, term);
    else if (fterm_is(&checker->texts.terms, term, "true", 0))
        vec_push(&checker->proved, y);
}

// Written as trees, shared terms might be long texts.
static bool fact_about(void *ctx, uint32_t a, uint32_t b)
{
    const struct formula_checker *checker = ctx;
    fterm x = checker->term.at[a], y = checker->term.at[b];
    fterm left = checker->texts.left, right = checker->texts.out.term;
    return (x == left && y == right) || (x == right && y == left);
}

static bool check_proof(struct formula_checker *checker)
{
    const struct plain_check_facts facts = {.fold = fact_fold,
                                            .guard = fact_guard,
                                            .given = fact_given,
                                            .term = fact_term,
                                            .proved = fact_proved,
                                            .about = fact_about,
                                            .ctx = checker};
    struct err err = {0};
    if (checker->record->proof[0] == 0)
        return checker->texts.left == checker->texts.out.term ||
               err_set(checker->err, ERR_CHECK,
                       "there is no proof, but the output is another term");
    bool ok = plain_check(buf_text(&checker->rules), checker->record->proof, "", "", &facts, &err);
    if (!ok && err.line > 0)
        err_set(checker->err, ERR_CHECK, "line %u of the proof: %s%s%s", err.line - 1, err.msg,
                checker->inside.msg[0] != 0 ? ": " : "", checker->inside.msg);
    else if (!ok)
        err_set(checker->err, ERR_CHECK, "%s", err.msg);
    return ok;
}

// Equal terms may still differ in where they have a value.
static bool check_values(struct formula_checker *checker)
{
    struct partial partial;
    partial_init(&partial, &checker->texts.terms, &checker->texts.defs, checker->texts.left);
    for (uint32_t i = 0; i < checker->proved.len; i++)
        partial_know(&partial, checker->proved.at[i]);
    bool ok = partial_fits(&partial, checker->texts.out.term);
    if (!ok) {
        struct buf cond = {0};
        for (uint32_t i = 0; i < partial.missing.len && i < 1; i++)
            fterm_print(&checker->texts.terms, partial.missing.at[i], &cond);
        err_set(checker->err, ERR_CHECK,
                "the output may have no value where the input has one%s%.300s",
                cond.len > 0 ? ": nothing says that " : "", buf_text(&cond));
        buf_release(&cond);
    }
    partial_release(&partial);
    return ok;
}

// Both formulas are terms, and what is new in the output obeys T3 and T4.
static bool check_terms(struct formula_checker *checker)
{
    return (fsorts_formula(&checker->sorts, &checker->texts.in, checker->texts.left) &&
            fsorts_add_all(&checker->sorts, checker->texts.out.term)) ||
           err_set(checker->err, ERR_CHECK, "%s", checker->inside.msg);
}

bool formula_record_check(const struct formula_record *record,
                          const struct formula_check_options *options, struct err *err)
{
    struct formula_checker checker = {.record = record, .options = options, .err = err};
    bool ok = formula_texts_read(&checker.texts, record, err);
    fsorts_init(&checker.sorts, &checker.texts.terms, &checker.texts.defs, &checker.inside);
    ok = ok && check_rules(&checker) && same_heads(&checker) && check_givens(&checker) &&
         check_terms(&checker) && check_proof(&checker) && check_values(&checker);
    fsorts_release(&checker.sorts);
    vec_release(&checker.given);
    vec_release(&checker.term);
    vec_release(&checker.proved);
    buf_release(&checker.rules);
    formula_texts_release(&checker.texts);
    return ok;
}
