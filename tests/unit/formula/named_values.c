// SPDX-License-Identifier: Apache-2.0
// What named_rule writes is true: on random tensors over random named axes,
// which may be the same where no condition forbids it, both sides agree.
// Without its conditions it is not.
#include "tests/unit/support/library.h"
#include "tests/unit/support/named_eval.h"

#include "formula/rules/core.h"

enum {
    LEAST_LINES = 1200, // of the library
    LEAST_COMPARED = 5  // values of each
};

static double random_value(struct world *world, uint32_t style)
{
    double u = rng_unit(&world->rng);
    switch (style) {
    case 0:
        return 4 * u - 2;
    case 1:
        return 0.1 + 2.5 * u;
    case 2:
        return (double)rng_range(&world->rng, -2, 2);
    case 3:
        return u;
    case 4:
        return (double)rng_range(&world->rng, 0, 3);
    case 5:
        return 1 + u;
    case 6:
        return -0.1 - u;
    default:
        return (double)rng_range(&world->rng, 1, 3);
    }
}

static void find_sets(struct world *world, const struct plain_check_tree *plain_check_tree)
{
    if (plain_check_tree->variable)
        find(world, plain_check_tree->name);
    uint32_t n =
        is(plain_check_tree, "concatenate") ? 3
        : is(plain_check_tree, "count") || (plain_check_tree->name.len > 7 &&
                                            memcmp(plain_check_tree->name.at, "reduce_", 7) == 0)
            ? 1
            : 0;
    uint32_t k = 0;
    for (const struct plain_check_tree *a = plain_check_tree->arg; a; a = a->next, k++)
        if (k < n)
            find(world, a->name)->is_set = true;
        else
            find_sets(world, a);
}

// Joins get an axis of the right size, parts one each.
static bool set_joins(struct world *world, const struct plain_check_tree *plain_check_tree)
{
    for (const struct plain_check_tree *a = plain_check_tree->arg; a; a = a->next)
        if (!set_joins(world, a))
            return false;
    if (!is(plain_check_tree, "concatenate"))
        return true;
    struct var *var[3];
    const struct plain_check_tree *s = plain_check_tree->arg;
    for (uint32_t k = 0; k < 3; k++, s = s->next)
        var[k] = find(world, s->name);
    int64_t size = 0;
    for (uint32_t k = 1; k < 3; k++) {
        if (var[k]->axes == 0)
            var[k]->axes = UINT64_C(1) << rng_below(&world->rng, 3);
        size += world->size[__builtin_ctzll(var[k]->axes)];
    }
    if (var[0]->axes != 0)
        return world->size[__builtin_ctzll(var[0]->axes)] == size;
    world->size[world->n_axes] = size;
    var[0]->axes = UINT64_C(1) << world->n_axes++;
    return world->n_axes < MAX_AXES;
}

static void fill(struct world *world, struct var *var, uint32_t style)
{
    int64_t stride = 1;
    var->n_dims = 0;
    for (uint64_t a = var->axes; a; a &= a - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(a);
        var->axis[var->n_dims] = k;
        var->stride[var->n_dims++] = stride;
        stride *= world->size[k];
    }
    var->value = ARENA_NEW(&world->mem, double, stride);
    for (int64_t i = 0; i < stride; i++)
        var->value[i] = var->truth ? (double)rng_below(&world->rng, 2) : random_value(world, style);
}

static bool next_index(const struct world *world, struct index *named)
{
    for (uint32_t a = 0; a < world->n_axes; a++) {
        if (++named->at[a] < world->size[a])
            return true;
        named->at[a] = 0;
    }
    return false;
}

// Conditions; `without`: the number of one that is left out.
static bool guards_hold(struct world *world, const struct plain_check_right *plain_check_right,
                        uint32_t without)
{
    for (uint32_t k = 0; k < plain_check_right->n_guards; k++) {
        const struct plain_check_guard *plain_check_guard = &plain_check_right->guard[k];
        if (k == without)
            continue;
        if (!plain_check_guard->same[0]) {
            if (find(world, plain_check_guard->arg[0])->axes &
                find(world, plain_check_guard->arg[1])->axes)
                return false;
            continue;
        }
        struct index named = {{0}};
        do
            if (eval(world, plain_check_guard->same[0], &named) !=
                eval(world, plain_check_guard->same[1], &named))
                return false;
        while (next_index(world, &named));
    }
    return true;
}

static bool is_truth(const struct rule *rule, struct plain_word name)
{
    enum domain domain;
    struct named_rule named_rule = {.rule = rule};
    assert_true(named_domain(rule, &domain));
    named_rule.domain = domain;
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        if (strlen(rule->tensors[i].name) == name.len - 1 &&
            memcmp(rule->tensors[i].name, name.at + 1, name.len - 1) == 0)
            return named_is_bool(&named_rule, rule->tensors[i].type);
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        if (strlen(rule->scalars[i].name) == name.len - 1 &&
            memcmp(rule->scalars[i].name, name.at + 1, name.len - 1) == 0)
            return named_is_bool(&named_rule, rule->scalars[i].type);
    return false;
}

static bool is_computed(struct world *world, const struct plain_check_tree *tree,
                        struct plain_word name)
{
    if (tree->variable && (word_is(tree->name, name) || find(world, tree->name)->computed != NULL))
        return true;
    for (const struct plain_check_tree *a = tree->arg; a != NULL; a = a->next)
        if (is_computed(world, a, name))
            return true;
    return false;
}

// Often the variable of a condition (eq ?v t) has the value of t: random ones are hardly equal.
static void compute_equals(struct world *world, const struct plain_check_right *right,
                           uint32_t without)
{
    for (uint32_t k = 0; k < right->n_guards; k++)
        if (right->guard[k].same[0] == NULL)
            return; // its axes matter
    for (uint32_t k = 0; k < right->n_guards; k++) {
        const struct plain_check_tree *tree = right->guard[k].same[0];
        if (k != without && is(tree, "eq") && tree->arg->variable &&
            !is_computed(world, tree->last, tree->arg->name) && rng_below(&world->rng, 2) == 0)
            find(world, tree->arg->name)->computed = tree->last;
    }
}

static void choose(struct world *world, const struct rule *rule,
                   const struct plain_check_rule *plain_check_rule, uint32_t without)
{
    uint32_t style = (uint32_t)rng_below(&world->rng, 12);
    for (uint32_t i = 0; i < world->n_vars; i++) {
        struct var *var = &world->var[i];
        if (var->is_set && var->axes == 0)
            var->axes = 1 + rng_below(&world->rng, 7);
    }
    for (uint32_t i = 0; i < world->n_vars; i++) {
        struct var *v = &world->var[i];
        if (v->is_set)
            continue;
        v->truth = is_truth(rule, v->name);
        v->axes = rng_u64(&world->rng) & ((UINT64_C(1) << world->n_axes) - 1);
        const struct plain_check_right *plain_check_right = &plain_check_rule->right[0];
        for (uint32_t k = 0; k < plain_check_right->n_guards; k++)
            if (k != without && !plain_check_right->guard[k].same[0] &&
                word_is(plain_check_right->guard[k].arg[1], v->name))
                v->axes &= ~find(world, plain_check_right->guard[k].arg[0])->axes;
        fill(world, v, style < 8 ? style : (uint32_t)rng_below(&world->rng, 8));
        if (i > 0 && rng_below(&world->rng, 5) == 0 && !world->var[i - 1].is_set &&
            world->var[i - 1].truth == v->truth) {
            struct plain_word name = v->name;
            *v = world->var[i - 1];
            v->name = name;
        }
    }
    compute_equals(world, &plain_check_rule->right[0], without);
}

// 1: both sides agree, at some index that has a value; -1: they do not.
static int try_named(const struct rule *rule, const struct plain_check_rule *plain_check_rule,
                     uint32_t without, uint64_t seed)
{
    struct world world = {.n_axes = 3};
    const struct plain_check_tree *left = plain_check_rule->left.tree[0],
                                  *right = plain_check_rule->right[0].side.tree[0];
    int found = 0;
    rng_seed(&world.rng, seed);
    for (uint32_t a = 0; a < 3; a++)
        world.size[a] = rng_range(&world.rng, 1, 3);
    find_sets(&world, left);
    find_sets(&world, right);
    if (set_joins(&world, left) && set_joins(&world, right)) {
        choose(&world, rule, plain_check_rule, without);
        if (guards_hold(&world, &plain_check_rule->right[0], without)) {
            struct index named = {{0}};
            do {
                double a = eval(&world, left, &named), b = eval(&world, right, &named);
                if (known(a) && known(b))
                    found = same(a, b) ? 1 : -1;
            } while (found >= 0 && next_index(&world, &named));
        }
    }
    arena_release(&world.mem);
    return found;
}

// How often both sides were compared; -1: they do not agree.
static int try_often(const struct rule *rule, const struct plain_check_rule *plain_check_rule,
                     uint32_t without, uint32_t tries, int enough)
{
    int n = 0;
    for (uint64_t t = 0; t < tries && n < enough; t++) {
        int k = try_named(rule, plain_check_rule, without, t);
        if (k < 0)
            return -1;
        n += k;
    }
    return n;
}

static void is_true(void **state)
{
    (void)state;
    struct ruleset set;
    uint32_t lines = 0, guards = 0, needed = 0;
    uint64_t compared = 0;
    load_library(&set);
    for (uint32_t i = 0; i < set.rules.len; i++) {
        const struct rule *rule = set.rules.at[i];
        for (int back = 0; back < 2 && !rule_defines(rule); back++) {
            struct buf text = {0};
            struct err err = {0};
            struct plain_check_rules rules = {0};
            if (!named_rule(rule, rule->name, back, &text, &err))
                continue;
            if (!plain_check_rules_read(&rules, text.at, &err))
                fail_msg("%s: %s", text.at, err.msg);
            for (uint32_t k = 0; k < rules.rule.len; k++) {
                const struct plain_check_rule *plain_check_rule = &rules.rule.at[k];
                int found = try_often(rule, plain_check_rule, NONE, 1500, 60);
                if (found < 0)
                    fail_msg("false: %s", text.at);
                if (found < LEAST_COMPARED)
                    fail_msg("compared %d times only: %.*s", found, (int)plain_check_rule->name.len,
                             plain_check_rule->name.at);
                lines++;
                compared += (uint64_t)found;
                for (uint32_t g = 0; g < plain_check_rule->right[0].n_guards; g++) {
                    if (plain_check_rule->right[0].guard[g].same[0])
                        continue;
                    guards++;
                    if (try_often(rule, plain_check_rule, g, 200, 60) < 0)
                        needed++;
                    else if (getenv("FORMULA_NAMED_PRINT"))
                        print_message("  %u not needed: %s", g, text.at);
                }
            }
            plain_check_rules_release(&rules);
            buf_release(&text);
        }
    }
    print_message("%u rules, %llu values compared; %u of %u conditions free_of "
                  "are needed\n",
                  lines, (unsigned long long)compared, needed, guards);
    assert_true(lines >= LEAST_LINES && guards > 0);
    assert_true(needed * 4 > guards * 3);
    ruleset_release(&set);
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
    {"A * C", "r: (reduce_maximum ?y (add ?A ?C)) => (add ?C (reduce_maximum ?y "
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
        struct ruleset set;
        struct err_list errs = {0};
        struct err err = {0};
        struct plain_check_rules rules = {0};
        ruleset_init(&set);
        buf_printf(&text,
                   "rule r { axes x; map n on x; claims real; tensor A[x: n] : "
                   "float, C[x: n] : float; %s => C * A; }",
                   planted[i].rule);
        assert_true(ruleset_parse(&set, text.at, text.len, "t", &errs));
        assert_true(plain_check_rules_read(&rules, planted[i].wrong, &err));
        if (try_often(set.rules.at[0], &rules.rule.at[0], NONE, 400, 60) >= 0)
            fail_msg("not found: %s", planted[i].wrong);
        plain_check_rules_release(&rules);
        buf_release(&text);
        vec_release(&errs.at);
        ruleset_release(&set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_true),
        cmocka_unit_test(mistakes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
