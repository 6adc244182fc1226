// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/element_types.h"
#include "rules/instance/build.h"
#include "verify/limits.h"
#include "verify/symbolic/eval.h"

uint32_t element_types_of(const struct rule *rule, uint32_t type, enum domain domain,
                          enum elem out[N_ELEMS])
{
    static const enum elem all[] = {ELEM_I1,   ELEM_I8,  ELEM_UI8,  ELEM_I2,  ELEM_UI2,  ELEM_I4,
                                    ELEM_UI4,  ELEM_I16, ELEM_UI16, ELEM_I32, ELEM_UI32, ELEM_I64,
                                    ELEM_UI64, ELEM_F16, ELEM_BF16, ELEM_F32, ELEM_F64};
    unsigned kinds = rule->types[type].kinds;
    enum domain own;
    uint32_t n = 0;
    if (!domain_of_kinds(kinds, domain, &own))
        return 0;
    if (own == DOMAIN_INT || own == DOMAIN_REAL) {
        out[0] = own == DOMAIN_INT ? ELEM_INT : ELEM_REAL;
        return 1;
    }
    kinds &= domain_kinds(own);
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
        if (kinds & elem_kind(all[i]))
            out[n++] = all[i];
    return n;
}

bool element_types_agree(const struct rule *rule, const enum elem *of)
{
    for (uint32_t i = 0; i < rule->n_wider; i++) {
        enum elem wide = of[rule->wider[i].wide], narrow = of[rule->wider[i].narrow];
        if (wide != ELEM_OTHER && narrow != ELEM_OTHER && !elem_holds(wide, narrow))
            return false;
    }
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (pattern->kind != PAT_OP || pattern->op != OP_BITCAST_CONVERT)
            continue;
        enum elem to = of[pattern->type], from = of[rule->pats[pattern->args[0]].type];
        if (to != ELEM_OTHER && from != ELEM_OTHER && elem_bits(to) != elem_bits(from))
            return false;
    }
    return true;
}

// Has the type the numbers that the rule writes in it?
static bool has_literals(const struct rule *rule, uint32_t type, enum elem elem)
{
    for (uint32_t i = 0; i < rule->n_pats && !elem_is_ideal(elem); i++) {
        const struct pat *pattern = &rule->pats[i];
        if (pattern->kind == PAT_LITERAL && pattern->lit == LIT_INT && pattern->type == type &&
            !elem_has_int(elem, pattern->k))
            return false;
    }
    return true;
}

struct type_search {
    const struct rule *rule;
    element_types_fit fit;
    void *ctx;
    enum elem *of;
    enum elem (*choice)[N_ELEMS]; // per type variable
    uint32_t *n;
    uint32_t turn, tries;
};

static bool choose_from(struct type_search *search, uint32_t type)
{
    if (type == search->rule->n_types)
        return search->fit == NULL || search->fit(search->ctx, search->of);
    uint32_t n = search->n[type];
    for (uint32_t k = 0; k < n && search->tries < VERIFY_TYPE_TRIES; k++) {
        search->tries++;
        search->of[type] = search->choice[type][n - 1 - (k + search->turn) % n];
        if (element_types_agree(search->rule, search->of) && choose_from(search, type + 1))
            return true;
    }
    search->of[type] = ELEM_OTHER;
    return false;
}

bool element_types_find(const struct rule *rule, enum domain domain, uint32_t turn,
                        element_types_fit fit, void *ctx, enum elem *of)
{
    struct type_search search = {.rule = rule, .fit = fit, .ctx = ctx, .of = of, .turn = turn};
    search.choice = mem_alloc((rule->n_types + 1) * sizeof *search.choice);
    search.n = mem_alloc((rule->n_types + 1) * sizeof *search.n);
    for (uint32_t t = 0; t < rule->n_types; t++) {
        enum elem all[N_ELEMS];
        uint32_t n = element_types_of(rule, t, domain, all);
        of[t] = ELEM_OTHER;
        search.n[t] = 0;
        for (uint32_t i = 0; i < n; i++)
            if (has_literals(rule, t, all[i]))
                search.choice[t][search.n[t]++] = all[i];
    }
    bool found = choose_from(&search, 0);
    mem_free(search.choice);
    mem_free(search.n);
    return found;
}

// ---- numbers of value() ----

struct value_search {
    struct session *session;
    struct denote denote;
    struct u32_vec conj; // all hypotheses, and "the left side has an element"
    uint32_t models;     // looked for so far
};

static bool is_value(const struct rule *rule, const struct pat *pattern)
{
    return pattern->kind == PAT_LITERAL && pattern->lit == LIT_VALUE &&
           !iexp_has_index(rule, pattern->value);
}

// Appends that the integer lies in the range of an integer type.
static void in_range(struct exprs *exprs, enum elem elem, expr_id e, struct u32_vec *out)
{
    unsigned bits = elem_bits(elem);
    bool is_signed = elem_kind(elem) == KIND_SINT;
    if (elem_is_ideal(elem) || (elem_kind(elem) != KIND_UINT && !is_signed))
        return;
    if (!is_signed)
        vec_push(out, expr_le(exprs, expr_int(exprs, 0), e));
    if (bits < 64) {
        int64_t top = ((int64_t)1 << (bits - is_signed)) - 1;
        vec_push(out, expr_le(exprs, e, expr_int(exprs, top)));
        if (is_signed)
            vec_push(out, expr_le(exprs, expr_int(exprs, -top - 1), e));
    }
}

static bool values_fit(void *ctx, const enum elem *of)
{
    struct value_search *search = ctx;
    struct session *session = search->session;
    const struct rule *rule = session->rule;
    struct linear_model model = {.genuine = false};
    uint32_t n = search->conj.len;
    if (search->models++ >= VERIFY_TYPE_MODELS)
        return false;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (is_value(rule, &rule->pats[i]))
            in_range(&session->exprs, of[rule->pats[i].type],
                     denote_iexp(&search->denote, rule->pats[i].value, 0), &search->conj);
    bool found = find_model(session, &search->conj, &model);
    for (uint32_t i = 0; i < rule->n_pats && found; i++) {
        const struct pat *pattern = &rule->pats[i];
        struct eval_env env = {
            .exprs = &session->exprs, .value = model.value.at, .n_values = model.value.len};
        int64_t k = 0;
        found = !is_value(rule, pattern) ||
                (eval_int(&env, denote_iexp(&search->denote, pattern->value, 0), &k) &&
                 elem_has_int(of[pattern->type], k));
    }
    linear_model_release(&model);
    search->conj.len = n;
    return found;
}

// The hypotheses about the maps of all families at once: value() may speak of several.
static bool values_exist(struct session *session, enum domain domain, enum elem *of)
{
    const struct rule *rule = session->rule;
    struct value_search search = {.session = session};
    uint32_t rank[64];
    for (uint32_t c = 0; c < 64; c++)
        rank[c] = 1;
    if (!denote_init(&search.denote, &session->exprs, rule, rank))
        return false;
    hypotheses_nonempty(&search.denote, &search.conj);
    bool found = element_types_find(rule, domain, 0, values_fit, &search, of);
    vec_release(&search.conj);
    denote_release(&search.denote);
    return found;
}

bool element_types_exist(struct session *session, enum domain domain)
{
    const struct rule *rule = session->rule;
    enum elem *of = mem_alloc((rule->n_types + 1) * sizeof *of);
    bool values = false;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        values |= is_value(rule, &rule->pats[i]);
    bool found = values ? values_exist(session, domain, of)
                        : element_types_find(rule, domain, 0, NULL, NULL, of);
    mem_free(of);
    return found;
}
