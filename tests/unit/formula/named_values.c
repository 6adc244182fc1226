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

static void find_sets(struct world *w, const struct plain_check_tree *t)
{
    if (t->variable)
        find(w, t->name);
    uint32_t n = is(t, "concatenate") ? 3
                 : is(t, "count") || (t->name.len > 7 &&
                                      memcmp(t->name.at, "reduce_", 7) == 0)
                     ? 1
                     : 0;
    uint32_t k = 0;
    for (const struct plain_check_tree *a = t->arg; a; a = a->next, k++)
        if (k < n)
            find(w, a->name)->is_set = true;
        else
            find_sets(w, a);
}

// Joins get an axis of the right size, parts one each.
static bool set_joins(struct world *w, const struct plain_check_tree *t)
{
    for (const struct plain_check_tree *a = t->arg; a; a = a->next)
        if (!set_joins(w, a))
            return false;
    if (!is(t, "concatenate"))
        return true;
    struct var *v[3];
    const struct plain_check_tree *s = t->arg;
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
static bool guards_hold(struct world *w, const struct plain_check_right *q,
                        uint32_t without)
{
    for (uint32_t k = 0; k < q->n_guards; k++) {
        const struct plain_check_guard *g = &q->guard[k];
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
    struct named_rule n = {.r = r};
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

static void choose(struct world *w, const struct rule *r, const struct plain_check_rule *q,
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
        const struct plain_check_right *p = &q->right[0];
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
static int try_named(const struct rule *r, const struct plain_check_rule *q,
                     uint32_t without, uint64_t seed)
{
    struct world w = {.n_axes = 3};
    const struct plain_check_tree *left = q->left.tree[0],
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

// How often both sides were compared; -1: they do not agree.
static int try_often(const struct rule *r, const struct plain_check_rule *q,
                     uint32_t without, uint32_t tries, int enough)
{
    int n = 0;
    for (uint64_t t = 0; t < tries && n < enough; t++) {
        int k = try_named(r, q, without, t);
        if (k < 0)
            return -1;
        n += k;
    }
    return n;
}

static void is_true(void **state)
{
    (void)state;
    struct ruleset s;
    uint32_t lines = 0, guards = 0, needed = 0;
    uint64_t compared = 0;
    load_library(&s);
    for (uint32_t i = 0; i < s.rules.len; i++) {
        const struct rule *r = s.rules.at[i];
        for (int back = 0; back < 2 && !rule_defines(r); back++) {
            struct buf text = {0};
            struct err e = {0};
            struct plain_check_rules rules = {0};
            if (!named_rule(r, r->name, back, &text, &e))
                continue;
            if (!plain_check_rules_read(&rules, text.at, &e))
                fail_msg("%s: %s", text.at, e.msg);
            for (uint32_t k = 0; k < rules.rule.len; k++) {
                const struct plain_check_rule *q = &rules.rule.at[k];
                int found = try_often(r, q, NONE, 1500, 60);
                if (found < 0)
                    fail_msg("false: %s", text.at);
                if (found < LEAST_COMPARED)
                    fail_msg("compared %d times only: %.*s", found,
                             (int)q->name.len, q->name.at);
                lines++;
                compared += (uint64_t)found;
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
            plain_check_rules_release(&rules);
            buf_release(&text);
        }
    }
    print_message("%u rules, %llu values compared; %u of %u conditions free_of "
                  "are needed\n",
                  lines, (unsigned long long)compared, needed, guards);
    assert_true(lines >= LEAST_LINES && guards > 0);
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
        struct plain_check_rules rules = {0};
        ruleset_init(&s);
        buf_printf(&text,
                   "rule r { axes x; map n on x; claims real; tensor A[x: n] : "
                   "float, C[x: n] : float; %s => C * A; }",
                   planted[i].rule);
        assert_true(ruleset_parse(&s, text.at, text.len, "t", &errs));
        assert_true(plain_check_rules_read(&rules, planted[i].wrong, &e));
        if (try_often(s.rules.at[0], &rules.rule.at[0], NONE, 400, 60) >= 0)
            fail_msg("not found: %s", planted[i].wrong);
        plain_check_rules_release(&rules);
        buf_release(&text);
        vec_release(&errs.at);
        ruleset_release(&s);
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
