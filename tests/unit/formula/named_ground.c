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

// The operators of a line `rule.maximum`.  Returns the variable that is 1 in a line `rule.d_1` of a
// definition, or "": none, as in a line `rule.d_n`, whose numbers are computed.
static const char *operators_of(const struct rule *rule, struct plain_word name, enum op *ops,
                                struct op_binding *binding, struct arena *mem)
{
    char text[300];
    snprintf(text, sizeof text, "%.*s", (int)name.len, name.at);
    char *at = text + strlen(rule->name);
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        assert_int_equal(*at, '.');
        size_t n = strcspn(++at, ".");
        char op[100];
        snprintf(op, sizeof op, "%.*s", (int)n, at);
        assert_true(op_by_name(op, &ops[i]));
        binding[i] = (struct op_binding){ops[i], NO_ATTR};
        at += n;
    }
    char *end = strstr(at, "_1"), *any = strstr(at, "_n");
    if (rule_defines(rule) && *at == '.' && any != NULL && any[2] == 0)
        return "";
    if (rule_defines(rule) && *at == '.' && end != NULL && end[2] == 0) {
        *end = 0;
        return arena_strdup(mem, at + 1);
    }
    assert_int_equal(*at, 0);
    return "";
}

// ?d.1 is what the condition (eq ?d.1 (multiply 1/2 ?d)) says.
static void compute_numbers(struct world *world, const struct plain_check_right *right)
{
    for (uint32_t k = 0; k < right->n_guards; k++) {
        const struct plain_check_tree *tree = right->guard[k].same[0];
        if (tree != NULL && is(tree, "eq") && tree->arg->variable &&
            memchr(tree->arg->name.at, '.', tree->arg->name.len) != NULL)
            find(world, tree->arg->name)->computed = tree->last;
    }
}

static void make_ones(const struct pool *pool, struct value *value)
{
    for (int64_t i = 0; i < type_count(pool, value->type); i++)
        ((double *)value->data)[i] = 1;
}

struct ground_world {
    struct world world;
    struct named_rule named_rule;
    const struct rule *rule;
    uint32_t *rank;
    int64_t **map;
    struct instance *in;
    struct value *param;
};

// The axis of a class in a shape.
static uint32_t axis_of(const struct ground_world *ground_world, uint32_t n_sizes,
                        const struct axis_size *sizes, uint32_t cls)
{
    uint32_t set = named_set_of(&ground_world->named_rule, n_sizes, sizes, cls);
    return set == NONE ? ground_world->named_rule.n_sets + cls : set;
}

static void set_axes(struct ground_world *ground_world)
{
    struct world *world = &ground_world->world;
    const struct rule *rule = ground_world->rule;
    world->n_axes = ground_world->named_rule.n_sets + rule->n_classes;
    if (world->n_axes > MAX_AXES)
        fail_msg("too many axes");
    for (uint32_t k = 0; k < ground_world->named_rule.n_sets; k++) {
        struct buf buf = {0};
        const struct named_set *set = &ground_world->named_rule.set[k];
        buf_printf(&buf, "?%s", rule->classes[set->cls].name);
        if (set->nth)
            buf_printf(&buf, ".%u", set->nth);
        char *name = arena_strdup(&world->mem, buf_text(&buf));
        struct var *var = find(world, (struct plain_word){name, (uint32_t)strlen(name)});
        var->is_set = true;
        var->axes = UINT64_C(1) << k;
        assert_true(iexp_eval(set->size, ground_world->map, 0, &world->size[k]));
        buf_release(&buf);
    }
}

static void set_variable(struct ground_world *ground_world, const char *name,
                         const struct value *value, enum elem elem, uint32_t n_sizes,
                         const struct axis_size *sizes, const struct order *order,
                         const struct pool *pool)
{
    struct buf buf = {0};
    buf_printf(&buf, "?%s", name);
    char *text = arena_strdup(&ground_world->world.mem, buf_text(&buf));
    buf_release(&buf);
    struct var *var = find(&ground_world->world, (struct plain_word){text, (uint32_t)strlen(text)});
    int64_t stride = 1;
    var->n_dims = order->n;
    for (uint32_t d = order->n; d-- > 0;) {
        var->axis[d] =
            axis_of(ground_world, n_sizes, sizes, ground_world->in->axis_class[order->axis[d]]);
        var->stride[d] = stride;
        stride *= type_dims(pool, value->type)[d];
    }
    var->value = ARENA_NEW(&ground_world->world.mem, double, stride + 1);
    for (int64_t i = 0; i < stride; i++)
        var->value[i] = elem == ELEM_I1 ? ((const uint8_t *)value->data)[i] != 0
                                        : ((const double *)value->data)[i];
}

// Elements of a side at all indices.
static uint32_t compare_side(struct ground_world *ground_world, const struct plain_check_tree *side,
                             uint32_t root, const struct order *order, const struct value *value,
                             const struct pool *pool)
{
    const struct pat *pattern = &ground_world->rule->pats[root];
    struct index named = {{0}};
    uint32_t n = 0;
    int64_t total = type_count(pool, value->type);
    bool truth = type_elem(pool, value->type) == ELEM_I1;
    for (int64_t i = 0; i < total; i++) {
        int64_t rest = i;
        for (uint32_t d = order->n; d-- > 0;) {
            int64_t size = type_dims(pool, value->type)[d];
            named.at[axis_of(ground_world, pattern->n_sizes, pattern->sizes,
                             ground_world->in->axis_class[order->axis[d]])] = rest % size;
            rest /= size;
        }
        double want =
            truth ? ((const uint8_t *)value->data)[i] != 0 : ((const double *)value->data)[i];
        double got = eval(&ground_world->world, side, &named);
        if (!known(want) || !known(got))
            continue;
        n++;
        if (!same(want, got))
            fail_msg("%s: the interpreter has %g, the named term %g", ground_world->rule->name,
                     want, got);
    }
    return n;
}

// Ranks: one axis for a bound class, none for one that was dropped.
static void choose_ranks(struct ground_world *ground_world)
{
    const struct rule *rule = ground_world->rule;
    uint64_t named = 0;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        named |= named_binds(&rule->pats[i]);
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        uint64_t bit = UINT64_C(1) << c;
        uint32_t least = rule->classes[c].least_rank;
        ground_world->rank[c] = ground_world->named_rule.bound & bit ? 1
                                : named & bit                        ? 0
                                : rule->classes[c].like != c
                                    ? ground_world->rank[rule->classes[c].like]
                                : least ? least
                                        : (uint32_t)rng_below(&ground_world->world.rng, 2);
    }
}

static uint32_t try_ground(const struct rule *rule, const struct plain_check_rule *plain_check_rule,
                           uint64_t seed)
{
    struct ground_world ground_world = {.rule = rule};
    struct world *world = &ground_world.world;
    struct err err = {0};
    struct pool pool;
    struct terms terms;
    struct arena *mem = &world->mem;
    rng_seed(&world->rng, seed);
    enum op *ops = ARENA_NEW(mem, enum op, rule->n_opvars + 1);
    struct op_binding *binding = ARENA_NEW(mem, struct op_binding, rule->n_opvars + 1);
    const char *one = operators_of(rule, plain_check_rule->name, ops, binding, mem);
    uint32_t n_ones = 0;
    ground_world.named_rule = (struct named_rule){.rule = rule, .why = &err, .ops = ops};
    assert_true(named_domain(rule, &ground_world.named_rule.domain));
    ground_world.named_rule.one = ARENA_NEW(mem, int64_t, rule->n_maps + 1);
    ground_world.named_rule.ones = ARENA_NEW(mem, int64_t *, rule->n_maps + 1);
    assert_true(named_prepare(&ground_world.named_rule, rule->lhs));
    ground_world.rank = ARENA_NEW(mem, uint32_t, rule->n_classes + 1);
    choose_ranks(&ground_world);
    ground_world.map = ARENA_NEW(mem, int64_t *, rule->n_maps + 1);
    enum elem *elem = ARENA_NEW(mem, enum elem, rule->n_types + 1);
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        ground_world.map[m] = ARENA_NEW(mem, int64_t, 4);
        ground_world.map[m][0] = rng_range(&world->rng, 1, 3);
    }
    for (uint32_t t = 0; t < rule->n_types; t++)
        elem[t] = named_is_bool(&ground_world.named_rule, t) ? ELEM_I1 : ELEM_F64;
    pool_init(&pool);
    terms_init(&terms, &pool);
    struct ground ground = {ground_world.rank, ground_world.map, elem, binding, ELEM_OTHER};
    term_id root[2];
    enum ground_status status =
        rule_ground(rule, &ground, (struct ground_place){&terms, &world->rng, mem},
                    (struct ground_out){&ground_world.in, &root[0], &root[1], NULL}, &err);
    uint32_t checked = 0;
    bool built = status == GROUND_OK || (rule_defines(rule) && status == GROUND_RHS_INVALID);
    if (built && ground_world.in->index_elem != ELEM_OTHER) {
        uint32_t n = rule->n_tensors + rule->n_scalars;
        struct value *param = ARENA_NEW(mem, struct value, n + 1), out[2];
        set_axes(&ground_world);
        for (uint32_t i = 0; i < rule->n_tensors; i++) {
            const struct tensor_var *tensor = &rule->tensors[i];
            param[i] = value_random(&pool, term_type(&terms, ground_world.in->tensor[i]),
                                    &world->rng, false, mem);
            if (strcmp(tensor->name, one) == 0) {
                make_ones(&pool, &param[i]);
                n_ones++;
            }
            set_variable(&ground_world, tensor->name, &param[i], elem[tensor->type],
                         tensor->n_sizes, tensor->sizes, &ground_world.in->order[i], &pool);
        }
        struct order none = {0, NULL};
        for (uint32_t i = 0; i < rule->n_scalars; i++) {
            struct value *value = &param[rule->n_tensors + i];
            *value = value_random(&pool, term_type(&terms, ground_world.in->scalar[i]), &world->rng,
                                  false, mem);
            if (strcmp(rule->scalars[i].name, one) == 0) {
                make_ones(&pool, value);
                n_ones++;
            }
            set_variable(&ground_world, rule->scalars[i].name, value, elem[rule->scalars[i].type],
                         0, NULL, &none, &pool);
        }
        assert_int_equal(n_ones, *one != 0);
        if (rule_defines(rule))
            compute_numbers(world, &plain_check_rule->right[0]);
        uint32_t sides = rule_defines(rule) ? 1 : 2;
        if (eval_terms(&(struct eval_input){&terms, n, param, mem}, sides, root, out, &err)) {
            const struct order *order = &ground_world.in->pat[rule->lhs].out;
            checked += compare_side(&ground_world, plain_check_rule->left.tree[0], rule->lhs, order,
                                    &out[0], &pool);
            if (sides == 2)
                checked += compare_side(&ground_world, plain_check_rule->right[0].side.tree[0],
                                        rule->rhs, order, &out[1], &pool);
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
    struct ruleset set;
    uint32_t lines = 0;
    uint64_t elements = 0;
    load_library(&set);
    for (uint32_t i = 0; i < set.rules.len; i++) {
        const struct rule *rule = set.rules.at[i];
        struct buf text = {0};
        struct err err = {0};
        struct plain_check_rules rules = {0};
        if (!named_rule(rule, rule->name, false, &text, &err))
            continue;
        if (!plain_check_rules_read(&rules, text.at, &err))
            fail_msg("%s: %s", text.at, err.msg);
        for (uint32_t k = 0; k < rules.rule.len; k++) {
            uint32_t n = 0;
            for (uint64_t t = 0; t < 100 && n < 60; t++)
                n += try_ground(rule, &rules.rule.at[k], t);
            if (n < LEAST_COMPARED)
                fail_msg("%s: %u elements compared only", rule->name, n);
            lines++;
            elements += n;
        }
        plain_check_rules_release(&rules);
        buf_release(&text);
    }
    print_message("%u rules on named terms, %llu elements\n", lines, (unsigned long long)elements);
    assert_true(lines >= LEAST_LINES);
    ruleset_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
