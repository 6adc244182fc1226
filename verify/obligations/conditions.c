// SPDX-License-Identifier: Apache-2.0
// Do the element conditions contradict each other?  They are pointwise, so one element for
// each tensor and scalar decides: tensors with that element everywhere meet the conditions
// at every index.  The elements are found by evaluation, among small numbers, special
// values, and the neighbours of the numbers in the conditions.  A condition that counts
// along an axis only defines a tensor of integers that no other condition mentions, so it
// can be met at every index.  If a condition mentions maps, in value(), the elements are looked
// for beside values of the maps that meet the preconditions.  Over the reals, where a condition has
// a transcendental operator, floats stand for the elements if exact numbers do not do.
#include "tensor/eval/eval.h"
#include "verify/symbolic/eval.h"
#include "verify/obligations/approximate.h"
#include "verify/obligations/crossings.h"
#include "verify/obligations/element_types.h"
#include "verify/obligations/named.h"
#include "verify/obligations/session.h"
#include "verify/limits.h"
#include <math.h>

struct condition_search {
    struct session *session;
    bool approximate; // f64 stands for the reals
    struct denote denote;
    struct u32_vec conds;     // elements that must be true
    VEC(int64_t) near;        // numbers in the conditions
    struct u32_vec numbers;   // X_INJECT in the conditions
    struct u32_vec hyps;      // about maps, if there are numbers
    struct linear_model maps; // that meets them
    struct i64_vec value;     // of the variables; every index is 0
    enum elem *elem;          // per type variable
    struct op_binding *op;    // per operator variable
    struct scalar *of_tensor; // the element of each tensor variable
    struct scalar *of_scalar;
    struct named_values *named[N_ELEMS]; // by element type; NULL: not asked for yet
};

static bool below(const struct rule *rule, uint32_t pat, enum op op, uint32_t tensor)
{
    const struct pat *pattern = &rule->pats[pat];
    bool found = (pattern->kind == PAT_OP && pattern->op == op) ||
                 (pattern->kind == PAT_TENSOR && pattern->var == tensor);
    for (uint32_t i = 0; i < pattern->n_args && !found; i++)
        found = below(rule, pattern->args[i], op, tensor);
    return found;
}

bool condition_counts(const struct rule *rule, uint32_t where)
{
    return rule->wheres[where].cond == NULL && below(rule, rule->wheres[where].pat, OP_IOTA, NONE);
}

// Is the pattern a number at every index, for all values of its tensors and scalars?
static bool total(const struct rule *rule, uint32_t pat)
{
    const struct pat *pattern = &rule->pats[pat];
    bool ring = pattern->kind == PAT_OP &&
                (pattern->op == OP_IOTA || pattern->op == OP_ADD || pattern->op == OP_SUBTRACT ||
                 pattern->op == OP_MULTIPLY || pattern->op == OP_NEGATE);
    bool number = pattern->kind == PAT_LITERAL && pattern->lit == LIT_INT;
    bool all = ring || number || pattern->kind == PAT_TENSOR || pattern->kind == PAT_SCALAR ||
               pattern->kind == PAT_SPLAT;
    for (uint32_t i = 0; i < pattern->n_args && all; i++)
        all = total(rule, pattern->args[i]);
    return all;
}

bool condition_defines(const struct rule *rule, uint32_t where)
{
    const struct pat *pattern = &rule->pats[rule->wheres[where].pat];
    if (rule->wheres[where].cond != NULL || pattern->kind != PAT_OP || pattern->op != OP_COMPARE ||
        pattern->dir != CMP_EQ)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        const struct pat *t = &rule->pats[pattern->args[i]];
        unsigned kinds = rule->types[t->type].kinds;
        bool alone = t->kind == PAT_TENSOR && t->n_sizes == pattern->n_sizes &&
                     (kinds & ~(unsigned)(KIND_SINT | KIND_UINT)) == 0 &&
                     total(rule, pattern->args[1 - i]) &&
                     !below(rule, pattern->args[1 - i], N_OPS, t->var);
        for (uint32_t w = 0; w < rule->n_wheres && alone; w++)
            alone = w == where || rule->wheres[w].cond != NULL ||
                    !below(rule, rule->wheres[w].pat, N_OPS, t->var);
        if (alone)
            return true;
    }
    return false;
}

static bool read_tensor(void *ctx, uint32_t tensor, uint32_t n, const int64_t *index,
                        struct scalar *out)
{
    (void)n;
    (void)index;
    *out = ((struct condition_search *)ctx)->of_tensor[tensor];
    return true;
}

static struct scalar read_scalar(void *ctx, uint32_t scalar)
{
    return ((struct condition_search *)ctx)->of_scalar[scalar];
}

static const struct named_values *named_of(struct condition_search *search, enum elem elem)
{
    if (search->named[elem] == NULL) {
        search->named[elem] = ARENA_NEW(search->session->mem, struct named_values, 1);
        named_values_of(search->session->rule, elem, search->named[elem]);
    }
    return search->named[elem];
}

// Large and small ones: exp(A) > 1000000000, A < 0.00001.
static struct scalar power_of_ten(enum elem elem, struct rng *rng)
{
    bool small = rng_below(rng, 2) != 0;
    int64_t sign = rng_below(rng, 2) ? 1 : -1, power = 1;
    for (uint64_t k = 1 + rng_below(rng, 9); k > 0; k--)
        power *= 10;
    if (elem == ELEM_REAL)
        return (struct scalar){.num = small ? sign : sign * power, .den = small ? power : 1};
    return scalar_of_double(elem, (double)sign * (small ? 1 / (double)power : (double)power));
}

static struct scalar choose_element(struct condition_search *search, enum elem elem,
                                    struct rng *rng, uint32_t round)
{
    bool floats = elem_kind(elem) == KIND_FLOAT;
    bool ideal = elem_is_ideal(elem) || (floats && search->approximate);
    int64_t most = 2 + (int64_t)(round / VERIFY_RANDOM_ELEMENT_GROWTH);
    uint64_t how = rng_below(rng, 10);
    if (elem == ELEM_I1)
        return scalar_of_int(elem, (int64_t)rng_below(rng, 2));
    if (how == 8 && named_of(search, elem)->n > 0)
        return search->named[elem]->at[rng_below(rng, search->named[elem]->n)];
    if (how == 9 && floats)
        return power_of_ten(elem, rng);
    if (how == 0 && !ideal)
        return rng_below(rng, 2) ? scalar_lowest(elem) : scalar_highest(elem);
    if (how == 1 && floats && !ideal)
        return scalar_of_double(elem, rng_below(rng, 2) ? (double)NAN : -0.0);
    if (how <= 3 && search->near.len > 0) {
        int64_t k = search->near.at[rng_below(rng, search->near.len)];
        bool ends = k == INT64_MAX || k == INT64_MIN;
        return scalar_of_int(elem, ends ? k : k + rng_range(rng, -1, 1));
    }
    if (how == 4 && floats)
        return scalar_of_double(elem, (double)rng_range(rng, -most, most) / 8);
    return scalar_of_int(elem, rng_range(rng, -most, most));
}

// Operator variables on one type stand for one of these operators; no others are tried.
static enum op choose_op(const struct op_var *opvar, enum elem elem, struct rng *rng)
{
    static const enum op unary[] = {OP_NEGATE, OP_ABS, OP_SIGN};
    static const enum op binary[] = {OP_MAXIMUM, OP_MINIMUM, OP_ADD, OP_SUBTRACT};
    for (uint32_t i = 0; i < opvar->n_args; i++)
        if (opvar->args[i] != opvar->result)
            return N_OPS;
    if (opvar->n_args == 1)
        return elem == ELEM_I1 ? OP_NOT : unary[rng_below(rng, 3)];
    if (opvar->n_args != 2)
        return N_OPS;
    return binary[rng_below(rng, opvar->kind == OPVAR_MONOID ? 2 : elem == ELEM_I1 ? 3 : 4)];
}

static bool meets_hypotheses(const struct condition_search *search)
{
    struct eval_env env = {
        .exprs = &search->session->exprs, .value = search->value.at, .n_values = search->value.len};
    for (uint32_t i = 0; i < search->hyps.len; i++) {
        bool truth = false;
        if (!eval_truth(&env, search->hyps.at[i], &truth) || !truth)
            return false;
    }
    return true;
}

// Values of the maps: small random ones if they meet the hypotheses, else those of the model.
static bool choose_maps(struct condition_search *search, struct rng *rng, uint32_t round)
{
    const struct exprs *exprs = &search->session->exprs;
    int64_t most = 2 + (int64_t)(round / VERIFY_RANDOM_ELEMENT_GROWTH);
    if (search->numbers.len == 0)
        return true;
    for (uint32_t i = 0; i < search->value.len; i++)
        if (exprs->var.at[i].kind == VAR_MAP)
            search->value.at[i] = rng_range(rng, -1, most);
    if (round % 2 == 1 && meets_hypotheses(search))
        return true;
    for (uint32_t i = 0; i < search->value.len; i++)
        search->value.at[i] = i < search->maps.value.len ? search->maps.value.at[i] : 0;
    return meets_hypotheses(search);
}

static bool choose(struct condition_search *search, enum domain domain, struct rng *rng,
                   uint32_t round)
{
    const struct rule *rule = search->session->rule;
    if (!choose_maps(search, rng, round) ||
        !element_types_find(rule, domain, round, NULL, NULL, search->elem))
        return false;
    for (uint32_t i = 0; search->approximate && i < rule->n_types; i++)
        if (search->elem[i] == ELEM_REAL)
            search->elem[i] = ELEM_F64;
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        enum op op = choose_op(&rule->opvars[i], search->elem[rule->opvars[i].result], rng);
        if (op == N_OPS)
            return false;
        search->op[i] = (struct op_binding){op, NO_ATTR};
    }
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        search->of_tensor[i] =
            choose_element(search, search->elem[rule->tensors[i].type], rng, round);
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        search->of_scalar[i] =
            choose_element(search, search->elem[rule->scalars[i].type], rng, round);
    return true;
}

static struct eval_env env_of(struct condition_search *search)
{
    return (struct eval_env){.exprs = &search->session->exprs,
                             .value = search->value.at,
                             .n_values = search->value.len,
                             .rule = search->session->rule,
                             .elem = search->elem,
                             .op = search->op,
                             .tensor = read_tensor,
                             .scalar = read_scalar,
                             .ctx = search};
}

// Where a condition says that a tensor or a scalar equals an element, it gets this element.
static void follow_equations(struct condition_search *search)
{
    struct eval_env env = env_of(search);
    for (uint32_t i = 0; i < search->conds.len; i++) {
        const struct expr *equation = expr_at(env.exprs, search->conds.at[i]);
        struct scalar scalar;
        if (equation->kind != X_OP || equation->op != OP_COMPARE || equation->sym != CMP_EQ)
            continue;
        for (uint32_t k = 0; k < 2; k++) {
            const struct expr *named =
                expr_at(env.exprs, expr_arg(env.exprs, search->conds.at[i], k));
            bool is_named = named->kind == X_ACCESS || named->kind == X_SCALAR;
            if (!is_named ||
                !eval_elem(&env, expr_arg(env.exprs, search->conds.at[i], 1 - k), &scalar))
                continue;
            (named->kind == X_ACCESS ? search->of_tensor : search->of_scalar)[named->sym] = scalar;
            break;
        }
    }
}

static bool all_true(struct condition_search *search)
{
    struct eval_env env = env_of(search);
    for (uint32_t i = 0; i < search->numbers.len; i++) {
        const struct expr *node = expr_at(env.exprs, search->numbers.at[i]);
        int64_t k;
        if (!eval_int(&env, expr_arg(env.exprs, search->numbers.at[i], 0), &k) ||
            !elem_has_int(search->elem[node->type], k))
            return false;
    }
    for (uint32_t i = 0; i < search->conds.len; i++) {
        struct scalar scalar;
        if (search->approximate
                ? !approximately_holds(&env, search->conds.at[i])
                : !eval_elem(&env, search->conds.at[i], &scalar) || scalar.bits == 0)
            return false;
    }
    return true;
}

// The number of conditions that hold.
static uint32_t count_true(struct condition_search *search)
{
    struct eval_env env = env_of(search);
    uint32_t n = 0;
    for (uint32_t i = 0; i < search->conds.len; i++)
        n += approximately_holds(&env, search->conds.at[i]);
    return n;
}

// Gives one element the number beside or between its crossings with which most conditions hold.
static void cross(struct condition_search *search, const struct u32_vec *comparisons,
                  struct scalar *element)
{
    struct eval_env env = env_of(search);
    struct crossings crossings;
    struct scalar best = *element;
    uint32_t most = count_true(search);
    double x;
    crossings_along(&env, comparisons, element, &crossings);
    for (uint32_t k = 0; crossings_near(&crossings, k, &x); k++) {
        *element = scalar_of_double(ELEM_F64, x);
        uint32_t n = count_true(search);
        if (n > most) {
            most = n;
            best = *element;
        }
    }
    *element = best;
}

// Beside the numbers at which the comparisons change, one element after the other.
static bool find_crossing(struct condition_search *search, enum domain domain)
{
    const struct rule *rule = search->session->rule;
    struct u32_vec comparisons = {0};
    struct rng rng;
    bool found = false;
    rng_seed(&rng, 1);
    for (uint32_t i = 0; i < VERIFY_CROSSING_ROUNDS && !found; i++) {
        if (!choose(search, domain, &rng, i))
            continue;
        struct eval_env env = env_of(search);
        comparisons.len = 0;
        crossings_compared(&env, &search->conds, &comparisons);
        for (uint32_t t = 0; t < rule->n_tensors; t++)
            if (search->elem[rule->tensors[t].type] == ELEM_F64)
                cross(search, &comparisons, &search->of_tensor[t]);
        for (uint32_t s = 0; s < rule->n_scalars; s++)
            if (search->elem[rule->scalars[s].type] == ELEM_F64)
                cross(search, &comparisons, &search->of_scalar[s]);
        found = all_true(search);
    }
    vec_release(&comparisons);
    return found;
}

// A model of the hypotheses about maps, and the numbers of value() in it.
static void collect_maps(struct condition_search *search)
{
    hypotheses_nonempty(&search->denote, &search->hyps);
    if (!find_model(search->session, &search->hyps, &search->maps))
        return;
    struct eval_env env = {.exprs = &search->session->exprs,
                           .value = search->maps.value.at,
                           .n_values = search->maps.value.len};
    for (uint32_t i = 0; i < search->numbers.len; i++) {
        int64_t k;
        if (eval_int(&env, expr_arg(env.exprs, search->numbers.at[i], 0), &k))
            vec_push(&search->near, k);
    }
}

static void collect(struct condition_search *search)
{
    struct exprs *exprs = &search->session->exprs;
    const struct rule *rule = search->session->rule;
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        struct u32_vec reach = {0};
        if (rule->wheres[w].cond != NULL ||
            (condition_counts(rule, w) && condition_defines(rule, w)))
            continue;
        expr_id *index = denote_new_index(&search->denote);
        denote_out_index(&search->denote, rule->wheres[w].pat, index);
        expr_id e = denote_element(&search->denote, rule->wheres[w].pat, index);
        vec_push(&search->conds, e);
        expr_reach(exprs, e, &reach);
        for (uint32_t i = 0; i < reach.len; i++) {
            if (expr_at(exprs, reach.at[i])->kind == X_LITERAL)
                vec_push(&search->near, expr_at(exprs, reach.at[i])->k);
            if (expr_at(exprs, reach.at[i])->kind == X_INJECT)
                vec_push(&search->numbers, reach.at[i]);
        }
        vec_release(&reach);
        mem_free(index);
    }
    if (search->numbers.len > 0)
        collect_maps(search);
    for (uint32_t i = 0; i < exprs->var.len; i++)
        vec_push(&search->value, 0);
}

static bool is_transcendental(const struct condition_search *search)
{
    const struct exprs *exprs = &search->session->exprs;
    bool found = false;
    for (uint32_t c = 0; c < search->conds.len && !found; c++) {
        struct u32_vec reach = {0};
        expr_reach(exprs, search->conds.at[c], &reach);
        for (uint32_t i = 0; i < reach.len && !found; i++)
            found = expr_at(exprs, reach.at[i])->kind == X_OP &&
                    op_is_transcendental((enum op)expr_at(exprs, reach.at[i])->op);
        vec_release(&reach);
    }
    return found;
}

static bool find_elements(struct condition_search *search, enum domain domain)
{
    struct rng rng;
    rng_seed(&rng, 1);
    for (uint32_t i = 0; i < VERIFY_RANDOM_ROUNDS && search->conds.len > 0; i++) {
        if (!choose(search, domain, &rng, i))
            continue;
        // A chain of equations is followed from its end.
        for (uint32_t k = 0; i % 2 == 1 && k < search->conds.len; k++)
            follow_equations(search);
        if (all_true(search))
            return true;
    }
    return search->conds.len == 0 && search->denote.failure == NULL;
}

bool conditions_have_model(struct session *session, enum domain domain)
{
    const struct rule *rule = session->rule;
    struct condition_search search = {.session = session};
    uint32_t rank[64];
    for (uint32_t c = 0; c < 64; c++)
        rank[c] = 1;
    if (!denote_init(&search.denote, &session->exprs, rule, rank))
        return false;
    collect(&search);
    search.elem = ARENA_NEW(session->mem, enum elem, rule->n_types + 1);
    search.op = ARENA_NEW(session->mem, struct op_binding, rule->n_opvars + 1);
    search.of_tensor = ARENA_NEW(session->mem, struct scalar, rule->n_tensors + 1);
    search.of_scalar = ARENA_NEW(session->mem, struct scalar, rule->n_scalars + 1);
    bool found = find_elements(&search, domain);
    search.approximate = !found && domain == DOMAIN_REAL && is_transcendental(&search);
    if (search.approximate)
        found = find_elements(&search, domain) || find_crossing(&search, domain);
    vec_release(&search.conds);
    vec_release(&search.near);
    vec_release(&search.numbers);
    vec_release(&search.hyps);
    linear_model_release(&search.maps);
    vec_release(&search.value);
    denote_release(&search.denote);
    return found;
}
