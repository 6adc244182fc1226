// SPDX-License-Identifier: Apache-2.0
// Matching modulo axes.  A random ground left side with its dimensions in
// random orders is matched, and then all terms of every class have one value
// in the interpreter; mutated left sides may match or not, but never break
// that.
#include "tests/unit/support/egraph_match.h"

static enum elem pick_elem(unsigned kinds, struct rng *rng)
{
    static const enum elem of[] = {ELEM_I32, ELEM_F64, ELEM_UI8, ELEM_I1};
    for (;;) {
        enum elem elem = of[rng_below(rng, 4)];
        if (elem_kind(elem) & kinds)
            return elem;
    }
}

static void pick_types(const struct rule *rule, enum elem *elem, struct op_binding *op,
                       struct pool *pool, struct rng *rng)
{
    for (uint32_t t = 0; t < rule->n_types; t++) {
        unsigned kinds = rule->types[t].kinds;
        // Sums of floats depend on the order, so integers where they can be.
        if (kinds & (KIND_SINT | KIND_UINT))
            kinds &= (unsigned)(KIND_SINT | KIND_UINT);
        elem[t] = pick_elem(kinds, rng);
    }
    for (uint32_t k = 0; k < rule->n_opvars; k++) {
        const struct op_var *opvar = &rule->opvars[k];
        static const enum op ops[] = {OP_ADD, OP_MAXIMUM, OP_MULTIPLY};
        op[k] = (struct op_binding){ops[rng_below(rng, 3)], NO_ATTR};
        if (opvar->n_args != 2)
            op[k].op = opvar->n_args == 1 ? OP_NEGATE : OP_CLAMP;
        if (opvar->kind == OPVAR_ELEMENTWISE && opvar->n_args == 2 && rng_below(rng, 2) == 0) {
            int64_t attr[2] = {CMP_LT, (int64_t)compare_type_of(elem[opvar->args[0]])};
            op[k] = (struct op_binding){OP_COMPARE, attr_make(pool, 2, attr)};
        }
        if (opvar->result != opvar->args[0])
            elem[opvar->result] = op[k].op == OP_COMPARE ? ELEM_I1 : elem[opvar->args[0]];
    }
}

// Has the rule a reshape that merges or splits?  Merging axes of size 1 is not
// told from dropping them, and without elements any sizes have one product.
static bool merges(const struct rule *rule)
{
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (rule->classes[c].joint != c)
            return true;
    return false;
}

// A random ground instance whose left side is well-defined.
static bool random_ground(struct world *world, const struct rule *rule, struct rng *rng,
                          struct instance **in, term_id *lhs, term_id *rhs)
{
    uint32_t rank[64] = {0};
    int64_t *map[64], value[64][4];
    enum elem elem[64];
    struct op_binding op[64];
    for (int round = 0; round < 9000; round++) {
        struct err err = {0};
        // Blocks of one product are rare: their ranks change more often.
        int often = merges(rule) ? 100 : 900;
        for (uint32_t c = 0; round % often == 0 && c < rule->n_classes; c++) {
            rank[c] = rule->classes[c].like != c ? rank[rule->classes[c].like]
                                                 : (uint32_t)rng_below(rng, 3);
            if (rule->classes[c].single)
                rank[c] = 1;
        }
        for (uint32_t m = 0; m < rule->n_maps; m++) {
            map[m] = value[m];
            for (int i = 0; i < 4; i++)
                value[m][i] = rng_range(rng, merges(rule) ? 2 : 0, 3);
        }
        pick_types(rule, elem, op, &world->pool, rng);
        struct ground ground = {rank, map, elem, op, ELEM_I32};
        enum ground_status status =
            rule_ground(rule, &ground, (struct ground_place){&world->terms, rng, &world->mem},
                        (struct ground_out){in, lhs, rhs, NULL}, &err);
        if (status == GROUND_RHS_INVALID || status == GROUND_TYPE_DIFFERS)
            fail_msg("%s: %s", rule->name, err.msg);
        if (status == GROUND_OK)
            return true;
    }
    return false;
}

static bool no_operator(const struct world *world, term_id term)
{
    while (term_op(&world->terms, term) == OP_TRANSPOSE)
        term = term_args(&world->terms, term)[0];
    enum op op = term_op(&world->terms, term);
    return op == OP_PARAMETER || op == OP_CONSTANT;
}

// Equal but for transposes: no rule has two such sides.
static bool same_skeleton(const struct terms *terms, term_id a, term_id b)
{
    while (term_op(terms, a) == OP_TRANSPOSE)
        a = term_args(terms, a)[0];
    while (term_op(terms, b) == OP_TRANSPOSE)
        b = term_args(terms, b)[0];
    const struct term *node = term_at(terms, a), *y = term_at(terms, b);
    if (a.v == b.v || node->op != y->op || node->n_args != y->n_args || node->n_args == 0)
        return a.v == b.v;
    for (uint32_t k = 0; k < node->n_args; k++)
        if (!same_skeleton(terms, term_args(terms, a)[k], term_args(terms, b)[k]))
            return false;
    return true;
}

static void test_ground_sides_are_matched(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < rules.rules.len; i++) {
        const struct rule *rule = rules.rules.at[i];
        struct rng rng;
        uint32_t tried = 0, same_right = 0;
        rng_seed(&rng, seed * 1000 + i);
        for (int k = 0; k < 40; k++) {
            struct world world;
            struct instance *in;
            term_id lhs, rhs;
            world_init(&world);
            assert_true(random_ground(&world, rule, &rng, &in, &lhs, &rhs));
            struct err err = {0};
            if (!instance_check(in, &world.terms, &err))
                fail_msg("%s: %s", rule->name, err.msg);
            egraph_add_term(&world.graph, lhs);
            egraph_add_term(&world.graph, rhs);
            egraph_rebuild(&world.graph);
            if (!egraph_same(&world.graph, lhs, rhs) && !no_operator(&world, lhs)) {
                struct outcome outcome = run_rule(&world, rule, false, lhs);
                tried++;
                // A variant with equal sides is not tried.
                bool trivial = same_skeleton(&world.terms, lhs, rhs);
                // What is not a constant has no known elements.
                for (uint32_t wh = 0; wh < rule->n_wheres; wh++)
                    trivial = trivial || rule->wheres[wh].cond == NULL;
                if ((outcome.at_root == 0 && !trivial) || outcome.missed > 0 ||
                    outcome.failed > 0) {
                    struct buf buf = {0};
                    term_print(&world.terms, lhs, 9, &buf);
                    fail_msg("%s (seed %llu, %d): %u matches, %u at the root, "
                             "%u missed, %u failed: %s",
                             rule->name, (unsigned long long)seed, k, outcome.matches,
                             outcome.at_root, outcome.missed, outcome.failed, buf_text(&buf));
                }
                same_right += egraph_same(&world.graph, lhs, rhs);
            }
            check_values(&world, &rng, rule->name);
            world_release(&world);
        }
        // Where both builders have a choice of layout they may differ, but
        // most right sides are those of the ground instance.
        print_message("%-28s %u of %u\n", rule->name, same_right, tried);
        assert_true(tried > 0);
        if (strcmp(rule->name, "positive") != 0)
            assert_true(3 * same_right >= tried);
    }
}

// --- mutated left sides

static bool mutate_attr(struct world *world, const struct term *node, attr_id *attr,
                        struct rng *rng)
{
    int64_t v[200];
    uint32_t n = attr_len(&world->pool, node->attr);
    if (n == 0 || n > 200)
        return false;
    for (uint32_t i = 0; i < n; i++)
        v[i] = attr_at(&world->pool, node->attr)[i];
    uint32_t at = (uint32_t)rng_below(rng, n);
    if (node->op == OP_TRANSPOSE || node->op == OP_BROADCAST_IN_DIM) {
        uint32_t with = (uint32_t)rng_below(rng, n);
        int64_t swap = v[at];
        v[at] = v[with];
        v[with] = swap;
    } else if (node->op == OP_REDUCE && at == 0) {
        v[0] = v[0] == OP_ADD ? OP_MAXIMUM : OP_ADD;
    } else {
        v[at] += rng_below(rng, 2) == 0 ? 1 : -1;
    }
    *attr = attr_make(&world->pool, n, v);
    return true;
}

static bool mutate_node(struct world *world, term_id id, term_id *args, struct rng *rng,
                        term_id *out)
{
    struct term node = *term_at(&world->terms, id);
    attr_id attr = node.attr;
    enum op op = (enum op)node.op;
    struct err err = {0};
    type_id want = NO_TYPE;
    if (op == OP_CONSTANT) {
        lit_id literal = term_literal(&world->terms, id);
        enum elem elem = pool_literal(&world->pool, literal)->elem;
        if (pool_literal(&world->pool, literal)->count == 0)
            return false;
        struct scalar scalar = scalar_of_int(elem, rng_range(rng, 0, 2));
        *out = term_constant(&world->terms, literal_splat(&world->pool, elem, scalar), node.type);
        return true;
    }
    if (op == OP_PARAMETER) {
        int64_t v[2] = {0, attr_at(&world->pool, attr)[1] + 8};
        attr = attr_make(&world->pool, 2, v);
        want = node.type;
    } else if (op_class(op) == OPC_BINARY) {
        static const enum op other[] = {OP_ADD, OP_MULTIPLY, OP_MAXIMUM};
        if (rng_below(rng, 2) == 0)
            op = other[rng_below(rng, 3)];
        term_id swap = args[0];
        args[0] = args[1];
        args[1] = swap;
    } else if (node.n_args == 2 && op == OP_CONCATENATE && rng_below(rng, 2) == 0) {
        args[1] = args[0];
    } else if (!mutate_attr(world, &node, &attr, rng)) {
        return false;
    }
    if (op == OP_BROADCAST_IN_DIM || op == OP_IOTA || op == OP_CONVERT)
        want = node.type;
    return term_build(&world->terms, (struct operation){op, attr, want, node.n_args}, args, out,
                      &err);
}

// The term with one node changed; false where that is not well-defined.
static bool mutate(struct world *world, term_id root, struct rng *rng, term_id *out)
{
    struct u32_vec reach = {0};
    terms_reach(&world->terms, 1, &root, &reach);
    uint32_t victim = (uint32_t)rng_below(rng, reach.len);
    term_id *to = ARENA_NEW(&world->mem, term_id, root.v + 1);
    bool ok = true;
    for (uint32_t i = 0; ok && i < reach.len; i++) {
        term_id id = {reach.at[i]}, args[8];
        struct term node = *term_at(&world->terms, id);
        for (uint32_t k = 0; k < node.n_args; k++)
            args[k] = to[term_args(&world->terms, id)[k].v];
        bool shaped = node.op == OP_BROADCAST_IN_DIM || node.op == OP_IOTA ||
                      node.op == OP_CONVERT || node.n_args == 0;
        struct err err = {0};
        ok = i == victim ? mutate_node(world, id, args, rng, &to[id.v])
                         : term_build(&world->terms,
                                      (struct operation){(enum op)node.op, node.attr,
                                                         shaped ? node.type : NO_TYPE, node.n_args},
                                      args, &to[id.v], &err);
    }
    *out = to[root.v];
    vec_release(&reach);
    return ok;
}

static void test_mutated_sides_stay_sound(void **state)
{
    (void)state;
    uint32_t mutants = 0, matched = 0;
    for (uint32_t i = 0; i < rules.rules.len; i++) {
        const struct rule *rule = rules.rules.at[i];
        struct rng rng;
        rng_seed(&rng, seed * 2000 + i);
        for (int k = 0; k < 40; k++) {
            struct world world;
            struct instance *in;
            term_id lhs, rhs, changed;
            world_init(&world);
            assert_true(random_ground(&world, rule, &rng, &in, &lhs, &rhs));
            bool ok = mutate(&world, lhs, &rng, &changed);
            for (int more = 0; ok && more < 2 && rng_below(&rng, 2); more++)
                if (!mutate(&world, changed, &rng, &changed))
                    break;
            if (ok) {
                struct outcome outcome = run_rule(&world, rule, false, changed);
                mutants++;
                matched += outcome.matches > 0;
                assert_int_equal(outcome.missed, 0);
                check_values(&world, &rng, rule->name);
            }
            world_release(&world);
        }
    }
    print_message("%u mutants, %u still match\n", mutants, matched);
    assert_true(mutants > 200 && matched > 20 && matched < mutants);
}

// A false rule is noticed: the checks above can fail.
static void test_a_false_rule_is_caught(void **state)
{
    (void)state;
    struct ruleset wrong;
    struct err_list errs = {0};
    static const char text[] = "rule wrong { axes x; map n on x;"
                               " tensor A[x: n] : num, B[x: n] : num;"
                               " A - B => B - A; }";
    ruleset_init(&wrong);
    assert_true(ruleset_parse(&wrong, text, sizeof text - 1, "w", &errs));
    struct world world;
    struct rng rng;
    struct instance *in;
    term_id lhs, rhs;
    struct buf why = {0};
    uint32_t caught = 0;
    rng_seed(&rng, seed);
    for (int k = 0; k < 10; k++) {
        world_init(&world);
        assert_true(random_ground(&world, wrong.rules.at[0], &rng, &in, &lhs, &rhs));
        run_rule(&world, wrong.rules.at[0], false, lhs);
        caught += !values_agree(&world, &rng, &why);
        world_release(&world);
    }
    assert_true(caught > 3);
    buf_release(&why);
    ruleset_release(&wrong);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    printf("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ground_sides_are_matched),
        cmocka_unit_test(test_mutated_sides_stay_sound),
        cmocka_unit_test(test_a_false_rule_is_caught),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
