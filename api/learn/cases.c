// SPDX-License-Identifier: Apache-2.0
// Where the rule is false, as programs that run: a counterexample in each domain in which it is
// refuted, and one of the rule without each of its preconditions.
//
// Elements of ideal types become f32 and i32.  A module is written only if its two functions,
// evaluated again at these types, differ.
#include "api/learn/learn.h"

#include "discover/learn/draft.h"
#include "tensor/program/import.h"
#include "tensor/resize/resize.h"
#include "verify/counterexample/search.h"

// ---- a counterexample as a module

static enum elem machine_type(enum elem elem)
{
    return elem == ELEM_REAL ? ELEM_F32 : elem == ELEM_INT ? ELEM_I32 : elem;
}

// The arguments in the types of the function.  False if an element has no value there.
static bool convert(const struct pool *pool, type_id type, const struct value *from,
                    struct value *to, struct arena *mem)
{
    enum elem was = type_elem(pool, from->type), is = machine_type(was);
    size_t n = (size_t)type_count(pool, from->type);
    *to = (struct value){.type = type, .data = arena_alloc(mem, elem_bytes(is) * n + 1)};
    for (size_t i = 0; i < n; i++) {
        struct scalar scalar = scalar_load(was, from->data, i);
        double x = was != is ? scalar_to_double(was, scalar) : 0;
        if (was == ELEM_INT && !(x >= INT32_MIN && x <= INT32_MAX))
            return false;
        if (was != is)
            scalar = is == ELEM_I32 ? scalar_of_int(is, (int64_t)x) : scalar_of_double(is, x);
        scalar_store(is, to->data, i, scalar);
    }
    return true;
}

// A term of the counterexample as the only function of a program, in machine types.
static bool put_program(const struct cex_terms *at, term_id root, struct program *out,
                        struct err *err)
{
    struct program raw;
    struct pool *pool = at->terms->pool;
    struct u32_vec memo = {0};
    struct function function = {.name = sym_make(pool, "side"),
                                .visibility = sym_make(pool, ""),
                                .attrs = sym_make(pool, "")};
    struct result result = {.type = term_type(at->terms, root), .attrs = sym_make(pool, "")};
    enum elem elem[N_ELEMS];
    for (uint32_t e = 0; e < N_ELEMS; e++)
        elem[e] = machine_type((enum elem)e);
    program_init(&raw, pool);
    result.term = term_import(&raw.terms, at->terms, &memo, root);
    vec_push(&function.results, result);
    for (uint32_t k = 0; k < at->n_params; k++) {
        struct buf name = {0};
        buf_printf(&name, "a%u", k);
        struct param param = {sym_make(pool, buf_text(&name)), at->types[k], sym_make(pool, "")};
        vec_push(&function.params, param);
        buf_release(&name);
    }
    vec_push(&raw.functions, function);
    bool ok = retype_function(&raw, 0, elem, out, err);
    program_release(&raw);
    vec_release(&memo);
    return ok;
}

// The first element in which the results differ; false if there is none.
static bool first_difference(const struct pool *pool, struct difference_at *at)
{
    enum elem elem = type_elem(pool, at->value[0].type);
    int64_t n = type_count(pool, at->value[0].type);
    for (at->element = 0; at->element < n; at->element++) {
        struct scalar a = scalar_load(elem, at->value[0].data, (size_t)at->element);
        struct scalar b = scalar_load(elem, at->value[1].data, (size_t)at->element);
        bool nan = scalar_is_nan(elem, a) && scalar_is_nan(elem, b);
        if (!nan && !scalar_same(elem, a, b))
            return true;
    }
    return false;
}

// Both programs on the arguments: do they differ?
static bool run(const struct cex_terms *at, struct comparison *comparison, struct err *err)
{
    struct pool *pool = at->terms->pool;
    const struct function *function = &comparison->small[0].functions.at[0];
    struct difference_at found = {.found = true};
    struct value *params = ARENA_NEW(&comparison->mem, struct value, at->n_params + 1);
    const char *unknown = NULL;
    found.params = params;
    for (uint32_t k = 0; k < at->n_params; k++)
        if (!convert(pool, function->params.at[k].type, &at->values[k], &params[k],
                     &comparison->mem))
            return err_set(err, ERR_LIMIT, "its numbers are too large for i32");
    for (uint32_t s = 0; s < 2; s++)
        if (!eval_function(&comparison->small[s], 0, params, &comparison->mem, &found.value[s],
                           &unknown, err))
            return false;
    bool shape = found.value[0].type.v != found.value[1].type.v;
    comparison->worst = shape ? DIFFERENCE_SHAPE : DIFFERENCE_VALUE;
    if (!shape && !first_difference(pool, &found))
        return err_set(err, ERR_LIMIT, "machine numbers do not show the difference");
    comparison->at[comparison->worst] = found;
    return true;
}

static bool put_module(void *user, const struct cex_terms *at, struct err *err)
{
    struct comparison comparison = {.runs = 1};
    struct buf *out = user;
    if (at->after.v == NO_TERM.v)
        return err_set(err, ERR_LIMIT, "there the program after is not well-defined: %s", at->why);
    for (uint32_t s = 0; s < 2; s++) {
        program_init(&comparison.small[s], at->terms->pool);
        comparison.ran[s] = (struct compare_side){&comparison.small[s], 0};
    }
    bool ok = put_program(at, at->before, &comparison.small[0], err) &&
              put_program(at, at->after, &comparison.small[1], err) && run(at, &comparison, err) &&
              comparison_put_module(&comparison, out, err);
    comparison_release(&comparison);
    return ok;
}

// ---- the cases

static void add(struct rw_learned *learned, const struct rule *rule, const char *json,
                const char *name, const char *what)
{
    struct arena *mem = &learned->cases.mem;
    struct rw_learn_case one = {.name = arena_strdup(mem, name), .what = arena_strdup(mem, what)};
    struct buf module = {0};
    struct err err = {0};
    bool ok = json != NULL ? cex_take(rule, json, put_module, &module, &err)
                           : err_set(&err, ERR_LIMIT, "no case was found");
    one.module = ok && module.len > 0 ? arena_strdup(mem, buf_text(&module)) : NULL;
    one.why = one.module ? "" : arena_strdup(mem, ok ? "its arguments are too large" : err.msg);
    vec_push(&learned->cases.at, one);
    buf_release(&module);
}

static void add_domains(struct rw_learned *learned, const struct rule *rule,
                        const struct report *report, const char *with)
{
    for (uint32_t i = 0; i < report->domains.len; i++) {
        const struct domain_report *one = &report->domains.at[i];
        struct buf what = {0};
        buf_printf(&what, "%s%s", domain_text(one->domain), with);
        if (one->verdict == VERDICT_REFUTED)
            add(learned, rule, one->counterexample, domain_text(one->domain), buf_text(&what));
        buf_release(&what);
    }
}

// A counterexample in one of the domains in which the rule is proved: at first one at which both
// sides are programs.
static const char *attack(struct rw_learned *learned, const struct rule *rule)
{
    static const enum domain order[] = {DOMAIN_FLOAT, DOMAIN_WORD, DOMAIN_BOOL, DOMAIN_REAL,
                                        DOMAIN_INT};
    struct cex_budget budget = cex_budget_deep();
    struct rng rng;
    const char *json = NULL;
    rng_seed(&rng, learned->learner.seed);
    for (size_t i = 0; i < 2 * (size_t)N_DOMAINS && json == NULL; i++) {
        struct cex_request request = {.rule = rule,
                                      .domain = order[i % N_DOMAINS],
                                      .budget = &budget,
                                      .rng = &rng,
                                      .mem = &learned->cases.mem,
                                      .both = i < N_DOMAINS};
        bool asked = learned->found.proved & rule_domains(rule) & (1u << request.domain);
        if (asked && !cex_search(&request, &json))
            json = NULL;
    }
    return json;
}

static void add_needs(struct rw_learned *learned)
{
    struct draft all;
    draft_init(&all, learned->found.rule);
    for (uint32_t w = 0; w < all.r.n_wheres; w++) {
        struct draft draft;
        struct err err = {0};
        struct buf what = {0}, name = {0};
        learned_where(&all.r, w, &what);
        buf_printf(&name, "needs-%u", w + 1);
        draft_copy(&draft, &all);
        draft_drop_where(&draft, w);
        const struct rule *rule = draft_rule(&draft, &learned->learner.set, &err);
        const char *json = rule != NULL ? attack(learned, rule) : NULL;
        // The pair itself may show where a side has no value over the reals.
        bool own = json == NULL && all.wheres[w].cond == NULL && learned->compared.module.len > 0 &&
                   learned->compared.worst == DIFFERENCE_UNDEFINED;
        add(learned, rule, json, buf_text(&name), buf_text(&what));
        struct rw_learn_case *one = &vec_last(&learned->cases.at);
        if (own) {
            one->module = arena_strdup(&learned->cases.mem, buf_text(&learned->compared.module));
            one->why = "";
        }
        draft_release(&draft);
        buf_release(&what);
        buf_release(&name);
    }
    draft_release(&all);
}

size_t rw_learned_case_count(struct rw_learned *learned)
{
    if (!learned->cases.made && learned->found.rule != NULL) {
        add_needs(learned);
        add_domains(learned, learned->found.rule, &learned->found.report, "");
        add_domains(learned, learned->found.narrow, &learned->found.own,
                    ", with the pair's own operators");
    }
    learned->cases.made = true;
    return learned->cases.at.len;
}

const struct rw_learn_case *rw_learned_case(const struct rw_learned *learned, size_t i)
{
    return i < learned->cases.at.len ? &learned->cases.at.at[i] : NULL;
}
