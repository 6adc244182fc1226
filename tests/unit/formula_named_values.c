// SPDX-License-Identifier: Apache-2.0
// Rules on named terms against numbers, by an evaluator of named terms that
// shares nothing with what writes them.
//
// - What is written means what the rule means: on random ground instances both
//   sides have the interpreter's elements.
// - What is written is true: on random tensors over random named axes, which
//   may be the same where no condition forbids it, both sides agree.
// - Without its conditions it is not.
//
// Overflow, and what has no value, is no difference.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "formula/named_core.h"
#include "proof/plain_core.h"
#include "rules/instance.h"
#include "tensor/eval.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_AXES = 40, MAX_VARS = 64, MAX_DIMS = 40 };

// A set of axes, or a tensor: dimensions are axes with their strides.
struct var {
    struct plain_word name;
    bool is_set, truth;
    uint64_t axes; // of a set; that a tensor may depend on
    uint32_t n_dims, axis[MAX_DIMS];
    int64_t stride[MAX_DIMS];
    double *value;
};
struct world {
    struct arena mem;
    struct rng rng;
    uint32_t n_axes, n_vars;
    int64_t size[MAX_AXES];
    struct var var[MAX_VARS];
};
struct index {
    int64_t at[MAX_AXES];
};

static struct var *find(struct world *w, struct plain_word name)
{
    for (uint32_t i = 0; i < w->n_vars; i++)
        if (word_is(w->var[i].name, name))
            return &w->var[i];
    if (w->n_vars == MAX_VARS)
        fail_msg("too many variables");
    w->var[w->n_vars] = (struct var){.name = name};
    return &w->var[w->n_vars++];
}

static bool is(const struct ptree *t, const char *name)
{
    return t->name.len == strlen(name) &&
           memcmp(t->name.at, name, t->name.len) == 0;
}

// ---- values ----

static double sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

static double rsqrt(double x)
{
    return 1 / sqrt(x);
}

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static double negate(double x)
{
    return -x;
}

static double not(double x)
{
    return x == 0;
}

static const struct {
    const char *name;
    double (*f)(double);
} unary[] = {
    {"exponential", exp},   {"exponential_minus_one", expm1},
    {"log", log},           {"log_plus_one", log1p},
    {"sqrt", sqrt},         {"rsqrt", rsqrt},
    {"cbrt", cbrt},         {"sine", sin},
    {"cosine", cos},        {"tan", tan},
    {"tanh", tanh},         {"erf", erf},
    {"abs", fabs},          {"sign", sign},
    {"floor", floor},       {"ceil", ceil},
    {"logistic", logistic}, {"negate", negate},
    {"not", not },
};

static double add(double a, double b)
{
    return a + b;
}

static double subtract(double a, double b)
{
    return a - b;
}

static double multiply(double a, double b)
{
    return a * b;
}

static double divide(double a, double b)
{
    return b == 0 ? (double)NAN : a / b;
}

static double maximum(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b ? b : a;
}

static double minimum(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b ? a : b;
}

static double lt(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b;
}

static double le(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a <= b;
}

static double eq(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a == b;
}

static double ne(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a != b;
}

static double and (double a, double b)
{
    return a != 0 && b != 0;
}

static double or (double a, double b)
{
    return a != 0 || b != 0;
}

static const struct {
    const char *name;
    double (*f)(double, double);
    double unit; // as a reduction
} binary[] = {
    {"add", add, 0},
    {"multiply", multiply, 1},
    {"maximum", maximum, -INFINITY},
    {"minimum", minimum, INFINITY},
    {"and", and, 1},
    {"or", or, 0},
    {"subtract", subtract, 0},
    {"divide", divide, 0},
    {"power", pow, 0},
    {"lt", lt, 0},
    {"le", le, 0},
    {"eq", eq, 0},
    {"ne", ne, 0},
};
enum { N_UNARY = sizeof unary / sizeof *unary };
enum { N_BINARY = sizeof binary / sizeof *binary };

static double eval(struct world *w, const struct ptree *t, struct index *x);

static double reduce(struct world *w, uint32_t op, uint64_t axes,
                     const struct ptree *body, struct index *x)
{
    if (axes == 0)
        return eval(w, body, x);
    uint32_t a = (uint32_t)__builtin_ctzll(axes);
    int64_t before = x->at[a];
    double sum = binary[op].unit;
    for (int64_t i = 0; i < w->size[a]; i++) {
        x->at[a] = i;
        sum = binary[op].f(sum, reduce(w, op, axes & (axes - 1), body, x));
    }
    x->at[a] = before;
    return sum;
}

static double joined(struct world *w, const struct ptree *t, struct index *x)
{
    uint32_t axis[3];
    const struct ptree *s = t->arg;
    for (uint32_t k = 0; k < 3; k++, s = s->next)
        axis[k] = (uint32_t)__builtin_ctzll(find(w, s->name)->axes);
    int64_t i = x->at[axis[0]], n = w->size[axis[1]];
    bool second = i >= n;
    uint32_t to = axis[second ? 2 : 1];
    int64_t before = x->at[to];
    x->at[to] = second ? i - n : i;
    double v = eval(w, second ? s->next : s, x);
    x->at[to] = before;
    return v;
}

static double variable(struct world *w, const struct ptree *t,
                       const struct index *x)
{
    const struct var *v = find(w, t->name);
    int64_t at = 0;
    for (uint32_t d = 0; d < v->n_dims; d++)
        at += v->stride[d] * x->at[v->axis[d]];
    return v->value[at];
}

static double leaf(const struct ptree *t)
{
    char text[200];
    snprintf(text, sizeof text, "%.*s", (int)t->name.len, t->name.at);
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        return text[0] == 't';
    if (strcmp(text, "pi") == 0)
        return acos(-1);
    char *end;
    double v = strtod(text, &end);
    if (*end == '/')
        v /= strtod(end + 1, &end);
    if (*end != 0 || end == text)
        fail_msg("the leaf %s", text);
    return v;
}

static double eval(struct world *w, const struct ptree *t, struct index *x)
{
    if (t->variable)
        return variable(w, t, x);
    if (t->n == 0)
        return leaf(t);
    if (is(t, "count")) {
        double n = 1;
        for (uint64_t a = find(w, t->arg->name)->axes; a; a &= a - 1)
            n *= (double)w->size[__builtin_ctzll(a)];
        return n;
    }
    if (is(t, "concatenate"))
        return joined(w, t, x);
    if (is(t, "select")) {
        double p = eval(w, t->arg, x);
        return isnan(p) ? p : eval(w, p != 0 ? t->arg->next : t->last, x);
    }
    if (t->name.len > 7 && memcmp(t->name.at, "reduce_", 7) == 0)
        for (uint32_t k = 0; k < N_BINARY; k++)
            if (strlen(binary[k].name) == t->name.len - 7 &&
                memcmp(binary[k].name, t->name.at + 7, t->name.len - 7) == 0)
                return reduce(w, k, find(w, t->arg->name)->axes, t->last, x);
    for (uint32_t k = 0; t->n == 1 && k < N_UNARY; k++)
        if (is(t, unary[k].name))
            return unary[k].f(eval(w, t->arg, x));
    for (uint32_t k = 0; t->n == 2 && k < N_BINARY; k++)
        if (is(t, binary[k].name)) {
            double a = eval(w, t->arg, x);
            return binary[k].f(a, eval(w, t->last, x));
        }
    fail_msg("the operator %.*s", (int)t->name.len, t->name.at);
    return 0;
}

static bool same(double a, double b)
{
    double m = fmax(1, fmax(fabs(a), fabs(b)));
    return fabs(a - b) <= 1e-7 * m;
}

static bool known(double a)
{
    return isfinite(a) && fabs(a) < 1e8;
}

// ---- what is written means what the rule means ----

// The operators of a line `rule.maximum`.
static void operators_of(const struct rule *r, struct plain_word name,
                         enum op *ops, struct op_binding *binding)
{
    char text[300];
    snprintf(text, sizeof text, "%.*s", (int)name.len, name.at);
    char *at = text + strlen(r->name);
    for (uint32_t i = 0; i < r->n_opvars; i++) {
        assert_int_equal(*at, '.');
        size_t n = strcspn(++at, ".");
        char op[100];
        snprintf(op, sizeof op, "%.*s", (int)n, at);
        assert_true(op_by_name(op, &ops[i]));
        binding[i] = (struct op_binding){ops[i], NO_ATTR};
        at += n;
    }
    assert_int_equal(*at, 0);
}

struct ground_world {
    struct world w;
    struct named n;
    const struct rule *r;
    uint32_t *rank;
    int64_t **map;
    struct instance *in;
    struct value *param;
};

// The axis of a class in a shape.
static uint32_t axis_of(const struct ground_world *g, uint32_t n_sizes,
                        const struct axis_size *sizes, uint32_t cls)
{
    uint32_t set = named_set_of(&g->n, n_sizes, sizes, cls);
    return set == NONE ? g->n.n_sets + cls : set;
}

static void set_axes(struct ground_world *g)
{
    struct world *w = &g->w;
    const struct rule *r = g->r;
    w->n_axes = g->n.n_sets + r->n_classes;
    if (w->n_axes > MAX_AXES)
        fail_msg("too many axes");
    for (uint32_t k = 0; k < g->n.n_sets; k++) {
        struct buf b = {0};
        const struct named_set *s = &g->n.set[k];
        buf_printf(&b, "?%s", r->classes[s->cls].name);
        if (s->nth)
            buf_printf(&b, ".%u", s->nth);
        char *name = arena_strdup(&w->mem, buf_text(&b));
        struct var *v =
            find(w, (struct plain_word){name, (uint32_t)strlen(name)});
        v->is_set = true;
        v->axes = UINT64_C(1) << k;
        assert_true(iexp_eval(s->size, g->map, 0, &w->size[k]));
        buf_release(&b);
    }
}

static void set_variable(struct ground_world *g, const char *name,
                         const struct value *v, enum elem t, uint32_t n_sizes,
                         const struct axis_size *sizes, const struct order *o,
                         const struct pool *p)
{
    struct buf b = {0};
    buf_printf(&b, "?%s", name);
    char *text = arena_strdup(&g->w.mem, buf_text(&b));
    buf_release(&b);
    struct var *x =
        find(&g->w, (struct plain_word){text, (uint32_t)strlen(text)});
    int64_t stride = 1;
    x->n_dims = o->n;
    for (uint32_t d = o->n; d-- > 0;) {
        x->axis[d] = axis_of(g, n_sizes, sizes, g->in->axis_class[o->axis[d]]);
        x->stride[d] = stride;
        stride *= type_dims(p, v->type)[d];
    }
    x->value = ARENA_NEW(&g->w.mem, double, stride + 1);
    for (int64_t i = 0; i < stride; i++)
        x->value[i] = t == ELEM_I1 ? ((const uint8_t *)v->data)[i] != 0
                                   : ((const double *)v->data)[i];
}

// Elements of a side at all indices.
static uint32_t compare_side(struct ground_world *g, const struct ptree *side,
                             uint32_t root, const struct order *o,
                             const struct value *v, const struct pool *p)
{
    const struct pat *q = &g->r->pats[root];
    struct index x = {{0}};
    uint32_t n = 0;
    int64_t total = type_count(p, v->type);
    bool truth = type_elem(p, v->type) == ELEM_I1;
    for (int64_t i = 0; i < total; i++) {
        int64_t rest = i;
        for (uint32_t d = o->n; d-- > 0;) {
            int64_t size = type_dims(p, v->type)[d];
            x.at[axis_of(g, q->n_sizes, q->sizes,
                         g->in->axis_class[o->axis[d]])] = rest % size;
            rest /= size;
        }
        double want = truth ? ((const uint8_t *)v->data)[i] != 0
                            : ((const double *)v->data)[i];
        double got = eval(&g->w, side, &x);
        if (!known(want) || !known(got))
            continue;
        n++;
        if (!same(want, got))
            fail_msg("%s: the interpreter has %g, the named term %g",
                     g->r->name, want, got);
    }
    return n;
}

// Ranks: one axis for a bound class, none for one that was dropped.
static void choose_ranks(struct ground_world *g)
{
    const struct rule *r = g->r;
    uint64_t named = 0;
    for (uint32_t i = 0; i < r->n_pats; i++)
        named |= named_binds(&r->pats[i]);
    for (uint32_t c = 0; c < r->n_classes; c++) {
        uint64_t bit = UINT64_C(1) << c;
        uint32_t least = r->classes[c].least_rank;
        g->rank[c] = g->n.bound & bit          ? 1
                     : named & bit             ? 0
                     : r->classes[c].like != c ? g->rank[r->classes[c].like]
                     : least                   ? least
                             : (uint32_t)rng_below(&g->w.rng, 2);
    }
}

static uint32_t try_ground(const struct rule *r, const struct prule *q,
                           uint64_t seed)
{
    struct ground_world g = {.r = r};
    struct world *w = &g.w;
    struct err e = {0};
    struct pool pool;
    struct terms terms;
    struct arena *mem = &w->mem;
    rng_seed(&w->rng, seed);
    enum op *ops = ARENA_NEW(mem, enum op, r->n_opvars + 1);
    struct op_binding *binding =
        ARENA_NEW(mem, struct op_binding, r->n_opvars + 1);
    operators_of(r, q->name, ops, binding);
    g.n = (struct named){.r = r, .why = &e, .ops = ops};
    assert_true(named_domain(r, &g.n.domain));
    g.n.one = ARENA_NEW(mem, int64_t, r->n_maps + 1);
    g.n.ones = ARENA_NEW(mem, int64_t *, r->n_maps + 1);
    assert_true(named_prepare(&g.n, r->lhs));
    g.rank = ARENA_NEW(mem, uint32_t, r->n_classes + 1);
    choose_ranks(&g);
    g.map = ARENA_NEW(mem, int64_t *, r->n_maps + 1);
    enum elem *elem = ARENA_NEW(mem, enum elem, r->n_types + 1);
    for (uint32_t m = 0; m < r->n_maps; m++) {
        g.map[m] = ARENA_NEW(mem, int64_t, 4);
        g.map[m][0] = rng_range(&w->rng, 1, 3);
    }
    for (uint32_t t = 0; t < r->n_types; t++)
        elem[t] = named_is_bool(&g.n, t) ? ELEM_I1 : ELEM_F64;
    pool_init(&pool);
    terms_init(&terms, &pool);
    struct ground ground = {g.rank, g.map, elem, binding, ELEM_OTHER};
    term_id root[2];
    enum ground_status s = rule_ground(r, &ground, &terms, &w->rng, mem, &g.in,
                                       &root[0], &root[1], NULL, &e);
    uint32_t checked = 0;
    bool built = s == GROUND_OK || (rule_defines(r) && s == GROUND_RHS_INVALID);
    if (built && g.in->index_elem != ELEM_OTHER) {
        uint32_t n = r->n_tensors + r->n_scalars;
        struct value *param = ARENA_NEW(mem, struct value, n + 1), out[2];
        set_axes(&g);
        for (uint32_t i = 0; i < r->n_tensors; i++) {
            const struct tensor_var *v = &r->tensors[i];
            param[i] = value_random(&pool, term_type(&terms, g.in->tensor[i]),
                                    &w->rng, false, mem);
            set_variable(&g, v->name, &param[i], elem[v->type], v->n_sizes,
                         v->sizes, &g.in->order[i], &pool);
        }
        struct order none = {0, NULL};
        for (uint32_t i = 0; i < r->n_scalars; i++) {
            struct value *v = &param[r->n_tensors + i];
            *v = value_random(&pool, term_type(&terms, g.in->scalar[i]),
                              &w->rng, false, mem);
            set_variable(&g, r->scalars[i].name, v, elem[r->scalars[i].type], 0,
                         NULL, &none, &pool);
        }
        uint32_t sides = rule_defines(r) ? 1 : 2;
        if (eval_terms(&terms, sides, root, n, param, mem, out, &e)) {
            const struct order *o = &g.in->pat[r->lhs].out;
            checked +=
                compare_side(&g, q->left.tree[0], r->lhs, o, &out[0], &pool);
            if (sides == 2)
                checked += compare_side(&g, q->right[0].side.tree[0], r->rhs, o,
                                        &out[1], &pool);
        }
    }
    terms_release(&terms);
    pool_release(&pool);
    arena_release(mem);
    return checked;
}

static void load_library(struct ruleset *s)
{
    struct err_list errs = {0};
    ruleset_init(s);
    if (!ruleset_load(s, "rules/library", &errs))
        fail_msg("%s", errs.at.at[0].msg);
    vec_release(&errs.at);
}

static void means_the_same(void **state)
{
    (void)state;
    struct ruleset s;
    uint32_t lines = 0, none = 0;
    uint64_t elements = 0;
    load_library(&s);
    for (uint32_t i = 0; i < s.rules.len; i++) {
        const struct rule *r = s.rules.at[i];
        struct buf text = {0};
        struct err e = {0};
        struct prules rules = {0};
        if (!named_rule(r, r->name, false, &text, &e))
            continue;
        if (!prules_read(&rules, text.at, &e))
            fail_msg("%s: %s", text.at, e.msg);
        for (uint32_t k = 0; k < rules.rule.len; k++) {
            uint32_t n = 0;
            for (uint64_t t = 0; t < 100 && n < 60; t++)
                n += try_ground(r, &rules.rule.at[k], 1000 * i + t);
            lines++;
            elements += n;
            none += n == 0;
            if (n == 0)
                print_message("  %s: nothing compared\n", r->name);
        }
        prules_release(&rules);
        buf_release(&text);
    }
    print_message("%u rules on named terms, %llu elements\n", lines,
                  (unsigned long long)elements);
    assert_true(none * 50 < lines);
    ruleset_release(&s);
}

// ---- what is written is true ----

static double random_value(struct world *w, uint32_t style)
{
    double u = rng_unit(&w->rng);
    switch (style) {
    case 0:
        return 4 * u - 2;
    case 1:
        return 0.1 + 2.5 * u;
    case 2:
        return (double)rng_range(&w->rng, -2, 2);
    case 3:
        return u;
    case 4:
        return (double)rng_range(&w->rng, 0, 3);
    case 5:
        return 1 + u;
    case 6:
        return -0.1 - u;
    default:
        return (double)rng_range(&w->rng, 1, 3);
    }
}

static void find_sets(struct world *w, const struct ptree *t)
{
    if (t->variable)
        find(w, t->name);
    uint32_t n = is(t, "concatenate") ? 3
                 : is(t, "count") || (t->name.len > 7 &&
                                      memcmp(t->name.at, "reduce_", 7) == 0)
                     ? 1
                     : 0;
    uint32_t k = 0;
    for (const struct ptree *a = t->arg; a; a = a->next, k++)
        if (k < n)
            find(w, a->name)->is_set = true;
        else
            find_sets(w, a);
}

// Joins get an axis of the right size, parts one each.
static bool set_joins(struct world *w, const struct ptree *t)
{
    for (const struct ptree *a = t->arg; a; a = a->next)
        if (!set_joins(w, a))
            return false;
    if (!is(t, "concatenate"))
        return true;
    struct var *v[3];
    const struct ptree *s = t->arg;
    for (uint32_t k = 0; k < 3; k++, s = s->next)
        v[k] = find(w, s->name);
    int64_t size = 0;
    for (uint32_t k = 1; k < 3; k++) {
        if (v[k]->axes == 0)
            v[k]->axes = UINT64_C(1) << rng_below(&w->rng, 3);
        size += w->size[__builtin_ctzll(v[k]->axes)];
    }
    if (v[0]->axes != 0)
        return w->size[__builtin_ctzll(v[0]->axes)] == size;
    w->size[w->n_axes] = size;
    v[0]->axes = UINT64_C(1) << w->n_axes++;
    return w->n_axes < MAX_AXES;
}

static void fill(struct world *w, struct var *v, uint32_t style)
{
    int64_t stride = 1;
    v->n_dims = 0;
    for (uint64_t a = v->axes; a; a &= a - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(a);
        v->axis[v->n_dims] = k;
        v->stride[v->n_dims++] = stride;
        stride *= w->size[k];
    }
    v->value = ARENA_NEW(&w->mem, double, stride);
    for (int64_t i = 0; i < stride; i++)
        v->value[i] =
            v->truth ? (double)rng_below(&w->rng, 2) : random_value(w, style);
}

static bool next_index(const struct world *w, struct index *x)
{
    for (uint32_t a = 0; a < w->n_axes; a++) {
        if (++x->at[a] < w->size[a])
            return true;
        x->at[a] = 0;
    }
    return false;
}

// Conditions; `without`: the number of one that is left out.
static bool guards_hold(struct world *w, const struct pright *q,
                        uint32_t without)
{
    for (uint32_t k = 0; k < q->n_guards; k++) {
        const struct pguard *g = &q->guard[k];
        if (k == without)
            continue;
        if (!g->same[0]) {
            if (find(w, g->arg[0])->axes & find(w, g->arg[1])->axes)
                return false;
            continue;
        }
        struct index x = {{0}};
        do
            if (eval(w, g->same[0], &x) != eval(w, g->same[1], &x))
                return false;
        while (next_index(w, &x));
    }
    return true;
}

static bool is_truth(const struct rule *r, struct plain_word name)
{
    enum domain d;
    struct named n = {.r = r};
    assert_true(named_domain(r, &d));
    n.domain = d;
    for (uint32_t i = 0; i < r->n_tensors; i++)
        if (strlen(r->tensors[i].name) == name.len - 1 &&
            memcmp(r->tensors[i].name, name.at + 1, name.len - 1) == 0)
            return named_is_bool(&n, r->tensors[i].type);
    for (uint32_t i = 0; i < r->n_scalars; i++)
        if (strlen(r->scalars[i].name) == name.len - 1 &&
            memcmp(r->scalars[i].name, name.at + 1, name.len - 1) == 0)
            return named_is_bool(&n, r->scalars[i].type);
    return false;
}

static void choose(struct world *w, const struct rule *r, const struct prule *q,
                   uint32_t without)
{
    uint32_t style = (uint32_t)rng_below(&w->rng, 12);
    for (uint32_t i = 0; i < w->n_vars; i++) {
        struct var *v = &w->var[i];
        if (v->is_set && v->axes == 0)
            v->axes = 1 + rng_below(&w->rng, 7);
    }
    for (uint32_t i = 0; i < w->n_vars; i++) {
        struct var *v = &w->var[i];
        if (v->is_set)
            continue;
        v->truth = is_truth(r, v->name);
        v->axes = rng_u64(&w->rng) & ((UINT64_C(1) << w->n_axes) - 1);
        const struct pright *p = &q->right[0];
        for (uint32_t k = 0; k < p->n_guards; k++)
            if (k != without && !p->guard[k].same[0] &&
                word_is(p->guard[k].arg[1], v->name))
                v->axes &= ~find(w, p->guard[k].arg[0])->axes;
        fill(w, v, style < 8 ? style : (uint32_t)rng_below(&w->rng, 8));
        if (i > 0 && rng_below(&w->rng, 5) == 0 && !w->var[i - 1].is_set &&
            w->var[i - 1].truth == v->truth) {
            struct plain_word name = v->name;
            *v = w->var[i - 1];
            v->name = name;
        }
    }
}

// 1: both sides agree, at some index that has a value; -1: they do not.
static int try_named(const struct rule *r, const struct prule *q,
                     uint32_t without, uint64_t seed)
{
    struct world w = {.n_axes = 3};
    const struct ptree *left = q->left.tree[0],
                       *right = q->right[0].side.tree[0];
    int found = 0;
    rng_seed(&w.rng, seed);
    for (uint32_t a = 0; a < 3; a++)
        w.size[a] = rng_range(&w.rng, 1, 3);
    find_sets(&w, left);
    find_sets(&w, right);
    if (set_joins(&w, left) && set_joins(&w, right)) {
        choose(&w, r, q, without);
        if (guards_hold(&w, &q->right[0], without)) {
            struct index x = {{0}};
            do {
                double a = eval(&w, left, &x), b = eval(&w, right, &x);
                if (known(a) && known(b))
                    found = same(a, b) ? 1 : -1;
            } while (found >= 0 && next_index(&w, &x));
        }
    }
    arena_release(&w.mem);
    return found;
}

// The same; 0: never a value.
static int try_often(const struct rule *r, const struct prule *q,
                     uint32_t without, uint32_t tries, int enough)
{
    int n = 0;
    for (uint64_t t = 0; t < tries && n < enough; t++) {
        int k = try_named(r, q, without, t);
        if (k < 0)
            return -1;
        n += k;
    }
    return n > 0;
}

static void is_true(void **state)
{
    (void)state;
    struct ruleset s;
    uint32_t lines = 0, none = 0, guards = 0, needed = 0;
    load_library(&s);
    for (uint32_t i = 0; i < s.rules.len; i++) {
        const struct rule *r = s.rules.at[i];
        for (int back = 0; back < 2 && !rule_defines(r); back++) {
            struct buf text = {0};
            struct err e = {0};
            struct prules rules = {0};
            if (!named_rule(r, r->name, back, &text, &e))
                continue;
            if (!prules_read(&rules, text.at, &e))
                fail_msg("%s: %s", text.at, e.msg);
            for (uint32_t k = 0; k < rules.rule.len; k++) {
                const struct prule *q = &rules.rule.at[k];
                int found = try_often(r, q, NONE, 1500, 60);
                if (found < 0)
                    fail_msg("false: %s", text.at);
                lines++;
                none += found == 0;
                if (found == 0)
                    print_message("  never tried: %.*s\n", (int)q->name.len,
                                  q->name.at);
                for (uint32_t g = 0; g < q->right[0].n_guards; g++) {
                    if (q->right[0].guard[g].same[0])
                        continue;
                    guards++;
                    if (try_often(r, q, g, 200, 60) < 0)
                        needed++;
                    else if (getenv("FORMULA_NAMED_PRINT"))
                        print_message("  %u not needed: %s", g, text.at);
                }
            }
            prules_release(&rules);
            buf_release(&text);
        }
    }
    print_message("%u rules, %u not tried; %u of %u conditions free_of are "
                  "needed\n",
                  lines, none, needed, guards);
    assert_true(none * 50 < lines);
    assert_true(needed * 4 > guards * 3);
    ruleset_release(&s);
}

// What would be written by somebody who forgot a condition, or the classes.
static const struct {
    const char *rule, *wrong;
} planted[] = {
    {"A * C", "r: (reduce_add ?y (multiply ?A ?C)) => (multiply ?C (reduce_add "
              "?y ?A))\n"},
    {"A * C", "r: (reduce_add ?y ?C) => (multiply (count ?y) ?C)\n"},
    {"A * C", "r: (reduce_add ?y (reduce_add ?z ?A)) => (reduce_add ?z "
              "(reduce_add ?y ?C)) if free_of(?y, ?C)\n"},
    {"A * C",
     "r: (reduce_maximum ?y (add ?A ?C)) => (add ?C (reduce_maximum ?y "
     "?A))\n"},
    {"A * C", "r: (reduce_add ?a (concatenate ?a ?b ?c ?A ?C)) => (add "
              "(reduce_add ?b ?A) (reduce_add ?c ?C))\n"},
    {"A * C", "r: (reduce_add ?a (concatenate ?a ?b ?c ?A ?C)) => (add "
              "(reduce_add ?b ?A) (reduce_add ?b ?C)) if free_of(?a, ?A) and "
              "free_of(?a, ?C)\n"},
    {"A * C", "r: (sqrt (multiply ?A ?A)) => ?A\n"},
    {"A * C", "r: (exponential (log ?A)) => ?C if same((lt 0 ?A), true)\n"},
};

static void mistakes_are_found(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        struct buf text = {0};
        struct ruleset s;
        struct err_list errs = {0};
        struct err e = {0};
        struct prules rules = {0};
        ruleset_init(&s);
        buf_printf(&text,
                   "rule r { axes x; map n on x; claims real; tensor A[x: n] : "
                   "float, C[x: n] : float; %s => C * A; }",
                   planted[i].rule);
        assert_true(ruleset_parse(&s, text.at, text.len, "t", &errs));
        assert_true(prules_read(&rules, planted[i].wrong, &e));
        if (try_often(s.rules.at[0], &rules.rule.at[0], NONE, 400, 60) >= 0)
            fail_msg("not found: %s", planted[i].wrong);
        prules_release(&rules);
        buf_release(&text);
        vec_release(&errs.at);
        ruleset_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_the_same),
        cmocka_unit_test(is_true),
        cmocka_unit_test(mistakes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
