// SPDX-License-Identifier: Apache-2.0
// What named_rule writes means what the rule means: on random ground instances
// of the library's rules both sides have the interpreter's elements.
#include "tests/unit/support/library.h"
#include "tests/unit/support/named_eval.h"

#include "formula/rules/core.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"

enum {
    LEAST_LINES = 800, // of the library
    LEAST_COMPARED = 5 // elements of each
};

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
    struct named_rule n;
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
static uint32_t compare_side(struct ground_world *g, const struct plain_check_tree *side,
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

static uint32_t try_ground(const struct rule *r, const struct plain_check_rule *q,
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
    g.n = (struct named_rule){.r = r, .why = &e, .ops = ops};
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

static void means_the_same(void **state)
{
    (void)state;
    struct ruleset s;
    uint32_t lines = 0;
    uint64_t elements = 0;
    load_library(&s);
    for (uint32_t i = 0; i < s.rules.len; i++) {
        const struct rule *r = s.rules.at[i];
        struct buf text = {0};
        struct err e = {0};
        struct plain_check_rules rules = {0};
        if (!named_rule(r, r->name, false, &text, &e))
            continue;
        if (!plain_check_rules_read(&rules, text.at, &e))
            fail_msg("%s: %s", text.at, e.msg);
        for (uint32_t k = 0; k < rules.rule.len; k++) {
            uint32_t n = 0;
            for (uint64_t t = 0; t < 100 && n < 60; t++)
                n += try_ground(r, &rules.rule.at[k], t);
            if (n < LEAST_COMPARED)
                fail_msg("%s: %u elements compared only", r->name, n);
            lines++;
            elements += n;
        }
        plain_check_rules_release(&rules);
        buf_release(&text);
    }
    print_message("%u rules on named terms, %llu elements\n", lines,
                  (unsigned long long)elements);
    assert_true(lines >= LEAST_LINES);
    ruleset_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
