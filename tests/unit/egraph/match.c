// SPDX-License-Identifier: Apache-2.0
// Matching modulo axes.  A random ground left side with its dimensions in
// random orders is matched, and then all terms of every class have one value
// in the interpreter; mutated left sides may match or not, but never break
// that.
#include "tests/unit/support/egraph_match.h"

static enum elem pick_elem(unsigned kinds, struct rng *r)
{
    static const enum elem of[] = {ELEM_I32, ELEM_F64, ELEM_UI8, ELEM_I1};
    for (;;) {
        enum elem t = of[rng_below(r, 4)];
        if (elem_kind(t) & kinds)
            return t;
    }
}

static void pick_types(const struct rule *r, enum elem *elem,
                       struct op_binding *op, struct pool *pool,
                       struct rng *rng)
{
    for (uint32_t t = 0; t < r->n_types; t++) {
        unsigned kinds = r->types[t].kinds;
        // Sums of floats depend on the order, so integers where they can be.
        if (kinds & (KIND_SINT | KIND_UINT))
            kinds &= (unsigned)(KIND_SINT | KIND_UINT);
        elem[t] = pick_elem(kinds, rng);
    }
    for (uint32_t k = 0; k < r->n_opvars; k++) {
        const struct op_var *v = &r->opvars[k];
        static const enum op ops[] = {OP_ADD, OP_MAXIMUM, OP_MULTIPLY};
        op[k] = (struct op_binding){ops[rng_below(rng, 3)], NO_ATTR};
        if (v->n_args != 2)
            op[k].op = v->n_args == 1 ? OP_NEGATE : OP_CLAMP;
        if (v->kind == OPVAR_ELEMENTWISE && v->n_args == 2 &&
            rng_below(rng, 2) == 0) {
            int64_t attr[2] = {CMP_LT,
                               (int64_t)compare_type_of(elem[v->args[0]])};
            op[k] = (struct op_binding){OP_COMPARE, attr_make(pool, 2, attr)};
        }
        if (v->result != v->args[0])
            elem[v->result] =
                op[k].op == OP_COMPARE ? ELEM_I1 : elem[v->args[0]];
    }
}

// Has the rule a reshape that merges or splits?  Merging axes of size 1 is not
// told from dropping them, and without elements any sizes have one product.
static bool merges(const struct rule *r)
{
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (r->classes[c].joint != c)
            return true;
    return false;
}

// A random ground instance whose left side is well-defined.
static bool random_ground(struct world *w, const struct rule *r,
                          struct rng *rng, struct instance **in, term_id *lhs,
                          term_id *rhs)
{
    uint32_t rank[64] = {0};
    int64_t *map[64], value[64][4];
    enum elem elem[64];
    struct op_binding op[64];
    for (int round = 0; round < 9000; round++) {
        struct err e = {0};
        // Blocks of one product are rare: their ranks change more often.
        int often = merges(r) ? 100 : 900;
        for (uint32_t c = 0; round % often == 0 && c < r->n_classes; c++) {
            rank[c] = r->classes[c].like != c ? rank[r->classes[c].like]
                                              : (uint32_t)rng_below(rng, 3);
            if (r->classes[c].single)
                rank[c] = 1;
        }
        for (uint32_t m = 0; m < r->n_maps; m++) {
            map[m] = value[m];
            for (int i = 0; i < 4; i++)
                value[m][i] = rng_range(rng, merges(r) ? 2 : 0, 3);
        }
        pick_types(r, elem, op, &w->pool, rng);
        struct ground g = {rank, map, elem, op, ELEM_I32};
        enum ground_status s =
            rule_ground(r, &g, &w->terms, rng, &w->mem, in, lhs, rhs, NULL, &e);
        if (s == GROUND_RHS_INVALID || s == GROUND_TYPE_DIFFERS)
            fail_msg("%s: %s", r->name, e.msg);
        if (s == GROUND_OK)
            return true;
    }
    return false;
}

static bool no_operator(const struct world *w, term_id t)
{
    while (term_op(&w->terms, t) == OP_TRANSPOSE)
        t = term_args(&w->terms, t)[0];
    enum op op = term_op(&w->terms, t);
    return op == OP_PARAMETER || op == OP_CONSTANT;
}

// Equal but for transposes: no rule has two such sides.
static bool same_skeleton(const struct terms *t, term_id a, term_id b)
{
    while (term_op(t, a) == OP_TRANSPOSE)
        a = term_args(t, a)[0];
    while (term_op(t, b) == OP_TRANSPOSE)
        b = term_args(t, b)[0];
    const struct term *x = term_at(t, a), *y = term_at(t, b);
    if (a.v == b.v || x->op != y->op || x->n_args != y->n_args ||
        x->n_args == 0)
        return a.v == b.v;
    for (uint32_t k = 0; k < x->n_args; k++)
        if (!same_skeleton(t, term_args(t, a)[k], term_args(t, b)[k]))
            return false;
    return true;
}

static void test_ground_sides_are_matched(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < rules.rules.len; i++) {
        const struct rule *r = rules.rules.at[i];
        struct rng rng;
        uint32_t tried = 0, same_right = 0;
        rng_seed(&rng, seed * 1000 + i);
        for (int k = 0; k < 40; k++) {
            struct world w;
            struct instance *in;
            term_id lhs, rhs;
            world_init(&w);
            assert_true(random_ground(&w, r, &rng, &in, &lhs, &rhs));
            struct err e = {0};
            if (!instance_check(in, &w.terms, &e))
                fail_msg("%s: %s", r->name, e.msg);
            egraph_add_term(&w.g, lhs);
            egraph_add_term(&w.g, rhs);
            egraph_rebuild(&w.g);
            if (!egraph_same(&w.g, lhs, rhs) && !no_operator(&w, lhs)) {
                struct outcome o = run_rule(&w, r, false, lhs);
                tried++;
                // A variant with equal sides is not tried.
                bool trivial = same_skeleton(&w.terms, lhs, rhs);
                // What is not a constant has no known elements.
                for (uint32_t wh = 0; wh < r->n_wheres; wh++)
                    trivial = trivial || r->wheres[wh].cond == NULL;
                if ((o.at_root == 0 && !trivial) || o.missed > 0 ||
                    o.failed > 0) {
                    struct buf b = {0};
                    term_print(&w.terms, lhs, 9, &b);
                    fail_msg("%s (seed %llu, %d): %u matches, %u at the root, "
                             "%u missed, %u failed: %s",
                             r->name, (unsigned long long)seed, k, o.matches,
                             o.at_root, o.missed, o.failed, buf_text(&b));
                }
                same_right += egraph_same(&w.g, lhs, rhs);
            }
            check_values(&w, &rng, r->name);
            world_release(&w);
        }
        // Where both builders have a choice of layout they may differ, but
        // most right sides are those of the ground instance.
        print_message("%-28s %u of %u\n", r->name, same_right, tried);
        assert_true(tried > 0);
        if (strcmp(r->name, "positive") != 0)
            assert_true(3 * same_right >= tried);
    }
}

// --- mutated left sides

static bool mutate_attr(struct world *w, const struct term *t, attr_id *attr,
                        struct rng *rng)
{
    int64_t v[200];
    uint32_t n = attr_len(&w->pool, t->attr);
    if (n == 0 || n > 200)
        return false;
    for (uint32_t i = 0; i < n; i++)
        v[i] = attr_at(&w->pool, t->attr)[i];
    uint32_t at = (uint32_t)rng_below(rng, n);
    if (t->op == OP_TRANSPOSE || t->op == OP_BROADCAST_IN_DIM) {
        uint32_t with = (uint32_t)rng_below(rng, n);
        int64_t swap = v[at];
        v[at] = v[with];
        v[with] = swap;
    } else if (t->op == OP_REDUCE && at == 0) {
        v[0] = v[0] == OP_ADD ? OP_MAXIMUM : OP_ADD;
    } else {
        v[at] += rng_below(rng, 2) == 0 ? 1 : -1;
    }
    *attr = attr_make(&w->pool, n, v);
    return true;
}

static bool mutate_node(struct world *w, term_id id, term_id *args,
                        struct rng *rng, term_id *out)
{
    struct term t = *term_at(&w->terms, id);
    attr_id attr = t.attr;
    enum op op = (enum op)t.op;
    struct err e = {0};
    type_id want = NO_TYPE;
    if (op == OP_CONSTANT) {
        lit_id l = term_literal(&w->terms, id);
        enum elem elem = pool_literal(&w->pool, l)->elem;
        if (pool_literal(&w->pool, l)->count == 0)
            return false;
        struct scalar s = scalar_of_int(elem, rng_range(rng, 0, 2));
        *out =
            term_constant(&w->terms, literal_splat(&w->pool, elem, s), t.type);
        return true;
    }
    if (op == OP_PARAMETER) {
        int64_t v[2] = {0, attr_at(&w->pool, attr)[1] + 8};
        attr = attr_make(&w->pool, 2, v);
        want = t.type;
    } else if (op_class(op) == OPC_BINARY) {
        static const enum op other[] = {OP_ADD, OP_MULTIPLY, OP_MAXIMUM};
        if (rng_below(rng, 2) == 0)
            op = other[rng_below(rng, 3)];
        term_id swap = args[0];
        args[0] = args[1];
        args[1] = swap;
    } else if (t.n_args == 2 && op == OP_CONCATENATE &&
               rng_below(rng, 2) == 0) {
        args[1] = args[0];
    } else if (!mutate_attr(w, &t, &attr, rng)) {
        return false;
    }
    if (op == OP_BROADCAST_IN_DIM || op == OP_IOTA || op == OP_CONVERT)
        want = t.type;
    return term_build(&w->terms, op, attr, want, t.n_args, args, out, &e);
}

// The term with one node changed; false where that is not well-defined.
static bool mutate(struct world *w, term_id root, struct rng *rng, term_id *out)
{
    struct u32_vec reach = {0};
    terms_reach(&w->terms, 1, &root, &reach);
    uint32_t victim = (uint32_t)rng_below(rng, reach.len);
    term_id *to = ARENA_NEW(&w->mem, term_id, root.v + 1);
    bool ok = true;
    for (uint32_t i = 0; ok && i < reach.len; i++) {
        term_id id = {reach.at[i]}, args[8];
        struct term t = *term_at(&w->terms, id);
        for (uint32_t k = 0; k < t.n_args; k++)
            args[k] = to[term_args(&w->terms, id)[k].v];
        bool shaped = t.op == OP_BROADCAST_IN_DIM || t.op == OP_IOTA ||
                      t.op == OP_CONVERT || t.n_args == 0;
        struct err e = {0};
        ok = i == victim ? mutate_node(w, id, args, rng, &to[id.v])
                         : term_build(&w->terms, (enum op)t.op, t.attr,
                                      shaped ? t.type : NO_TYPE, t.n_args, args,
                                      &to[id.v], &e);
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
        const struct rule *r = rules.rules.at[i];
        struct rng rng;
        rng_seed(&rng, seed * 2000 + i);
        for (int k = 0; k < 40; k++) {
            struct world w;
            struct instance *in;
            term_id lhs, rhs, changed;
            world_init(&w);
            assert_true(random_ground(&w, r, &rng, &in, &lhs, &rhs));
            bool ok = mutate(&w, lhs, &rng, &changed);
            for (int more = 0; ok && more < 2 && rng_below(&rng, 2); more++)
                if (!mutate(&w, changed, &rng, &changed))
                    break;
            if (ok) {
                struct outcome o = run_rule(&w, r, false, changed);
                mutants++;
                matched += o.matches > 0;
                assert_int_equal(o.missed, 0);
                check_values(&w, &rng, r->name);
            }
            world_release(&w);
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
    struct world w;
    struct rng rng;
    struct instance *in;
    term_id lhs, rhs;
    struct buf why = {0};
    uint32_t caught = 0;
    rng_seed(&rng, seed);
    for (int k = 0; k < 10; k++) {
        world_init(&w);
        assert_true(
            random_ground(&w, wrong.rules.at[0], &rng, &in, &lhs, &rhs));
        run_rule(&w, wrong.rules.at[0], false, lhs);
        caught += !values_agree(&w, &rng, &why);
        world_release(&w);
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
