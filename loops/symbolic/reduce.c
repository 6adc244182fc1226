// SPDX-License-Identifier: Apache-2.0
#include "loops/symbolic/leaf.h"

// A fold of one leaf under conditions.
struct fold {
    enum code_op op;
    iatom index;
    ipoly end;
    struct u32_vec guards; // each at least 0; mention the index
    lterm body;            // no CHOOSE
};

static ipoly index_poly(struct symbolic *s, const struct fold *f)
{
    return int_atom_poly(s->in, f->index);
}

static void replace_index(struct symbolic *s, struct fold *f, ipoly to)
{
    struct int_substitution by = {1, &f->index, &to};
    for (uint32_t i = 0; i < f->guards.len; i++)
        f->guards.at[i] = int_substitute(s->in, f->guards.at[i], &by);
    f->body = lterm_substitute(s->terms, f->body, &by);
}

static void drop_guard(struct fold *f, uint32_t i)
{
    f->guards.at[i] = f->guards.at[--f->guards.len];
}

// index <= rest: the end moves down to rest + 1, or the guard says nothing.
static bool cap(struct symbolic *s, struct fold *f, uint32_t i, ipoly rest)
{
    ipoly end = int_shift(s->in, rest, 1);
    if (int_prove_less_equal(s->in, &s->facts, end, f->end))
        f->end = end;
    else if (!int_prove_less_equal(s->in, &s->facts, f->end, end))
        return false;
    drop_guard(f, i);
    return true;
}

// -rest <= index: nothing, or the index starts there.
static bool floor_guard(struct symbolic *s, struct fold *f, uint32_t i, ipoly rest)
{
    if (int_prove(s->in, &s->facts, rest)) {
        drop_guard(f, i);
        return true;
    }
    ipoly start = int_scale(s->in, rest, -1);
    if (!int_prove(s->in, &s->facts, start))
        return false;
    drop_guard(f, i);
    replace_index(s, f, int_add(s->in, index_poly(s, f), start));
    f->end = int_subtract(s->in, f->end, start);
    return true;
}

// Guards that bound the index move into the range, or vanish.
static bool tighten(struct symbolic *s, struct fold *f)
{
    for (uint32_t i = 0; i < f->guards.len; i++) {
        ipoly factor, rest;
        int64_t c;
        if (!int_mentions(s->in, f->guards.at[i], f->index)) {
            if (int_prove(s->in, &s->facts, f->guards.at[i])) {
                drop_guard(f, i);
                return true;
            }
            continue;
        }
        if (!int_linear_in(s->in, f->guards.at[i], f->index, &factor, &rest) ||
            !int_is_constant(s->in, factor, &c) || (c != 1 && c != -1))
            continue;
        if (c == -1 ? cap(s, f, i, rest) : floor_guard(s, f, i, rest))
            return true;
    }
    return false;
}

// ---- a fold of folds ----

// Two nested folds, over l < B with a number B and over t < T, of F(B*t + l), are one over
// j < B*T of F(j): (t, l) to B*t + l is a bijection.  `flat` replaces l by j and t by 0, `spread`
// replaces j by B*t + l.
struct fusion {
    struct int_substitution flat, spread;
};

static bool fuse_guards(struct symbolic *s, const struct fusion *fusion,
                        const struct u32_vec *guards, struct u32_vec *out)
{
    for (uint32_t i = 0; i < guards->len; i++) {
        ipoly guard = int_substitute(s->in, guards->at[i], &fusion->flat);
        if (int_substitute(s->in, guard, &fusion->spread) != guards->at[i])
            return false;
        vec_push(out, guard);
    }
    return true;
}

static bool fuse_opened(struct symbolic *s, struct fold *f, const struct lreduce *inner,
                        bool outer_is_block)
{
    int64_t block;
    iatom index;
    int_is_atom(s->in, inner->index, &index);
    ipoly length = outer_is_block ? f->end : inner->end;
    ipoly times = outer_is_block ? inner->end : f->end;
    iatom l = outer_is_block ? f->index : index, t = outer_is_block ? index : f->index;
    if (!int_is_constant(s->in, length, &block) || block < 1 ||
        int_mentions(s->in, inner->end, f->index))
        return false;
    ipoly j = index_poly(s, f), lane = int_atom_poly(s->in, l), to[2] = {j, 0};
    iatom from[2] = {l, t}, self = f->index;
    ipoly joined = int_add(s->in, int_scale(s->in, int_atom_poly(s->in, t), block), lane);
    struct fusion fusion = {{2, from, to}, {1, &self, &joined}};
    lterm body = lterm_substitute(s->terms, inner->body, &fusion.flat);
    struct u32_vec guards = {0};
    if (lterm_substitute(s->terms, body, &fusion.spread) != inner->body ||
        !fuse_guards(s, &fusion, &inner->guards, &guards)) {
        vec_release(&guards);
        return false;
    }
    vec_release(&f->guards);
    f->guards.at = guards.at, f->guards.len = guards.len, f->guards.cap = guards.cap;
    f->body = body;
    f->end = int_scale(s->in, times, block);
    return true;
}

// Does the condition hold wherever the inner fold has a member?
static bool implied(struct symbolic *s, const struct fold *f, const struct lreduce *inner,
                    ipoly guard)
{
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index_poly(s, f), f->end);
    symbolic_range(s, inner->index, inner->end);
    for (uint32_t i = 0; i < inner->guards.len; i++)
        ifacts_push(&s->facts, inner->guards.at[i], NO_ORIGIN);
    bool yes = int_prove(s->in, &s->facts, guard);
    ifacts_pop(&s->facts, mark);
    return yes;
}

static bool is_sum(const struct symbolic *s, lterm term)
{
    return lterm_kind(s->terms, term) == LT_REDUCE &&
           lterm_number(s->terms, term) >> 16 == CODE_ADD;
}

static bool fuse(struct symbolic *s, struct fold *f)
{
    // sum(exp(x - m))*exp(m - n): the factor joins the sum.
    if (f->op == CODE_ADD && lterm_is(s->terms, f->body, CODE_MULTIPLY) &&
        (is_sum(s, lterm_arg(s->terms, f->body, 0)) ||
         is_sum(s, lterm_arg(s->terms, f->body, 1)))) {
        lterm body = symbolic_cancel(s, f->body);
        f->body = is_sum(s, body) ? body : f->body;
    }
    if (lterm_kind(s->terms, f->body) != LT_REDUCE ||
        lterm_number(s->terms, f->body) >> 16 != (uint32_t)f->op)
        return false;
    struct lreduce inner;
    lterm_open(s->terms, f->body, &inner);
    for (uint32_t i = 0; i < f->guards.len; i++)
        if (!implied(s, f, &inner, f->guards.at[i]))
            vec_push(&inner.guards, f->guards.at[i]);
    bool ok = fuse_opened(s, f, &inner, true) || fuse_opened(s, f, &inner, false);
    lreduce_release(&inner);
    return ok;
}

static lterm unit_of(struct symbolic *s, enum code_op op)
{
    lterm unit = 0;
    leaf_unit(s, op, &unit);
    return unit;
}

static lterm close_fold(struct symbolic *s, struct fold *f)
{
    return lterm_reduce(s->terms, f->op, f->index, f->end, f->guards.len, f->guards.at, f->body);
}

// A maximum has a value if index 0 is in it.  A condition of index 0 that the facts do not
// decide becomes a choice, if without it no index is left.
static lterm extremum(struct symbolic *s, struct fold *f)
{
    ipoly zero = 0;
    struct int_substitution at_0 = {1, &f->index, &zero};
    for (uint32_t i = 0; i <= f->guards.len; i++) {
        ipoly condition = i < f->guards.len ? int_substitute(s->in, f->guards.at[i], &at_0)
                                            : int_shift(s->in, f->end, -1);
        if (int_prove(s->in, &s->facts, condition))
            continue;
        uint32_t mark = ifacts_mark(&s->facts);
        ifacts_push(&s->facts, int_shift(s->in, int_scale(s->in, condition, -1), -1), NO_ORIGIN);
        symbolic_range(s, index_poly(s, f), f->end);
        for (uint32_t k = 0; k < f->guards.len; k++)
            ifacts_push(&s->facts, f->guards.at[k], NO_ORIGIN);
        bool empty = int_contradictory(s->in, &s->facts);
        ifacts_pop(&s->facts, mark);
        if (!empty)
            return lterm_undefined(s->terms, "a maximum over lanes of which none may be left");
        ifacts_push(&s->facts, condition, NO_ORIGIN);
        lterm inside = extremum(s, f);
        ifacts_pop(&s->facts, mark);
        return symbolic_choose(s, condition, inside, unit_of(s, f->op));
    }
    return close_fold(s, f);
}

// The fold over index 0 alone.
static lterm single(struct symbolic *s, struct fold *f)
{
    struct int_substitution none = {0, NULL, NULL};
    replace_index(s, f, 0);
    lterm made = symbolic_rebuild(s, f->body, &none);
    for (uint32_t i = 0; i < f->guards.len; i++) {
        lterm yes = lterm_truth(s->terms, true), no = lterm_truth(s->terms, false);
        lterm args[3] = {symbolic_choose(s, f->guards.at[i], yes, no), made, unit_of(s, f->op)};
        made = symbolic_apply(s, CODE_SELECT, 3, args);
    }
    return made;
}

static bool is_extremum(enum code_op op)
{
    return op == CODE_MAXIMUM || op == CODE_MINIMUM;
}

// Is the range empty?
static bool ends_below(struct symbolic *s, const struct fold *f)
{
    return int_prove(s->in, &s->facts, int_scale(s->in, f->end, -1));
}

// Does no index meet all conditions?
static bool is_empty(struct symbolic *s, const struct fold *f)
{
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index_poly(s, f), f->end);
    for (uint32_t k = 0; k < f->guards.len; k++)
        ifacts_push(&s->facts, f->guards.at[k], NO_ORIGIN);
    bool empty = int_contradictory(s->in, &s->facts);
    ifacts_pop(&s->facts, mark);
    return empty;
}

// The sum of sums is the sum of each.
static bool is_sum_of_sums(const struct symbolic *s, const struct fold *f)
{
    return f->op == CODE_ADD && lterm_is(s->terms, f->body, CODE_ADD) &&
           is_sum(s, lterm_arg(s->terms, f->body, 0)) && is_sum(s, lterm_arg(s->terms, f->body, 1));
}

static lterm fold_leaf(struct symbolic *s, struct fold *f);

static lterm fold_addends(struct symbolic *s, struct fold *f)
{
    lterm sides[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct fold part = *f;
        part.guards = (struct u32_vec){0};
        for (uint32_t k = 0; k < f->guards.len; k++)
            vec_push(&part.guards, f->guards.at[k]);
        part.body = lterm_arg(s->terms, f->body, i);
        sides[i] = fold_leaf(s, &part);
        vec_release(&part.guards);
    }
    return symbolic_apply(s, CODE_ADD, 2, sides);
}

// Guards that follow from the range and the other guards say nothing.
static void drop_implied(struct symbolic *s, struct fold *f)
{
    for (uint32_t i = 0; f->guards.len > 1 && i < f->guards.len;) {
        uint32_t mark = ifacts_mark(&s->facts);
        symbolic_range(s, index_poly(s, f), f->end);
        for (uint32_t k = 0; k < f->guards.len; k++)
            if (k != i)
                ifacts_push(&s->facts, f->guards.at[k], NO_ORIGIN);
        bool implied_by_others = int_prove(s->in, &s->facts, f->guards.at[i]);
        ifacts_pop(&s->facts, mark);
        if (implied_by_others)
            drop_guard(f, i);
        else
            i++;
    }
}

// All conditions are in the guards now.
static lterm fold_leaf(struct symbolic *s, struct fold *f)
{
    lterm unit = unit_of(s, f->op);
    if (f->body == unit)
        return unit;
    if (lterm_kind(s->terms, f->body) == LT_UNDEFINED ||
        lterm_kind(s->terms, f->body) == LT_INFINITE) {
        if (is_empty(s, f))
            return unit;
        return lterm_kind(s->terms, f->body) == LT_UNDEFINED
                   ? f->body
                   : lterm_undefined(s->terms, "a fold over lanes that are infinite");
    }
    if (is_sum_of_sums(s, f))
        return fold_addends(s, f);
    while (fuse(s, f) || tighten(s, f))
        ;
    if (f->guards.len > 0 && is_empty(s, f))
        return unit;
    drop_implied(s, f);
    f->end = symbolic_nicer(s, f->end);
    int64_t count;
    if (int_is_constant(s->in, f->end, &count) ? count <= 0 : ends_below(s, f))
        return unit;
    if (int_is_constant(s->in, f->end, &count) && count == 1)
        return single(s, f);
    if (is_extremum(f->op)) {
        iatom index = f->index;
        lterm out = extremum(s, f);
        bool constant =
            lterm_kind(s->terms, out) == LT_REDUCE && !lterm_mentions(s->terms, f->body, index);
        return constant ? f->body : out;
    }
    if (f->op == CODE_ADD && f->guards.len == 0 && !lterm_mentions(s->terms, f->body, f->index) &&
        int_prove(s->in, &s->facts, f->end)) {
        lterm args[2] = {lterm_integer(s->terms, f->end), f->body};
        return symbolic_apply(s, CODE_MULTIPLY, 2, args);
    }
    return close_fold(s, f);
}

// ---- trees ----

static lterm cofactor_everywhere(struct symbolic *s, lterm tree, ipoly condition, bool holds)
{
    if (lterm_kind(s->terms, tree) != LT_CHOOSE)
        return tree;
    ipoly p = lterm_arg(s->terms, tree, 0);
    if (p == condition)
        return cofactor_everywhere(s, lterm_arg(s->terms, tree, holds ? 1 : 2), condition, holds);
    uint32_t args[3] = {p, cofactor_everywhere(s, lterm_arg(s->terms, tree, 1), condition, holds),
                        cofactor_everywhere(s, lterm_arg(s->terms, tree, 2), condition, holds)};
    return args[1] == args[2] ? args[1] : lterm_make(s->terms, LT_CHOOSE, 0, 3, args);
}

// A condition of the tree without the index.
static bool free_condition(struct symbolic *s, lterm tree, iatom index, ipoly *out)
{
    if (lterm_kind(s->terms, tree) != LT_CHOOSE)
        return false;
    *out = lterm_arg(s->terms, tree, 0);
    return !int_mentions(s->in, *out, index) ||
           free_condition(s, lterm_arg(s->terms, tree, 1), index, out) ||
           free_condition(s, lterm_arg(s->terms, tree, 2), index, out);
}

// Folds the leaves one by one, each under the conditions of its path.
static lterm fold_paths(struct symbolic *s, struct fold *f, lterm tree, lterm so_far)
{
    if (lterm_kind(s->terms, tree) != LT_CHOOSE) {
        struct fold leaf = *f;
        leaf.body = tree;
        leaf.guards = (struct u32_vec){0};
        for (uint32_t i = 0; i < f->guards.len; i++)
            vec_push(&leaf.guards, f->guards.at[i]);
        lterm args[2] = {so_far, fold_leaf(s, &leaf)};
        vec_release(&leaf.guards);
        return symbolic_apply(s, f->op, 2, args);
    }
    ipoly p = lterm_arg(s->terms, tree, 0);
    for (int side = 0; side < 2; side++) {
        vec_push(&f->guards, side ? int_shift(s->in, int_scale(s->in, p, -1), -1) : p);
        so_far = fold_paths(s, f, lterm_arg(s->terms, tree, 1 + (uint32_t)side), so_far);
        f->guards.len--;
    }
    return so_far;
}

// Are all leaves real numbers, and no units?
static bool all_finite(const struct symbolic *s, lterm tree)
{
    if (lterm_kind(s->terms, tree) == LT_CHOOSE)
        return all_finite(s, lterm_arg(s->terms, tree, 1)) &&
               all_finite(s, lterm_arg(s->terms, tree, 2));
    return lterm_kind(s->terms, tree) != LT_INFINITE && lterm_kind(s->terms, tree) != LT_UNDEFINED;
}

// The tree with -inf in the place of 0.  False: not all leaves are 0, or numbers that are not
// negative, or there are none of the one kind.
static bool without_zeros(struct symbolic *s, lterm tree, bool *zero, bool *other, lterm *out)
{
    if (lterm_kind(s->terms, tree) != LT_CHOOSE) {
        bool is_zero = lterm_is_number(s->terms, tree, "0");
        *zero = *zero || is_zero;
        *other = *other || !is_zero;
        *out = is_zero ? lterm_infinite(s->terms, false) : tree;
        return leaf_is_not_negative(s->terms, tree);
    }
    lterm sides[2];
    for (uint32_t i = 0; i < 2; i++)
        if (!without_zeros(s, lterm_arg(s->terms, tree, 1 + i), zero, other, &sides[i]))
            return false;
    *out = symbolic_choose(s, lterm_arg(s->terms, tree, 0), sides[0], sides[1]);
    return true;
}

// A maximum of magnitudes, of lanes that are 0 where a mask is false: 0, and that of the others.
static bool maximum_beside_zeros(struct symbolic *s, iatom index, ipoly end, lterm tree, lterm *out)
{
    bool zero = false, other = false;
    lterm rest;
    if (lterm_kind(s->terms, tree) != LT_CHOOSE || !without_zeros(s, tree, &zero, &other, &rest) ||
        !zero || !other)
        return false;
    lterm args[2] = {symbolic_reduce(s, CODE_MAXIMUM, index, end, rest),
                     lterm_number_of(s->terms, "0")};
    if (symbolic_refusal(s, args[0]))
        return false;
    return *out = symbolic_apply(s, CODE_MAXIMUM, 2, args), true;
}

// The tree as one leaf, with its conditions as comparisons of numbers.
static lterm selected(struct symbolic *s, lterm tree)
{
    if (lterm_kind(s->terms, tree) != LT_CHOOSE)
        return tree;
    ipoly p = lterm_arg(s->terms, tree, 0);
    lterm sides[2] = {lterm_number_of(s->terms, "0"), lterm_make(s->terms, LT_INTEGER, 0, 1, &p)};
    lterm args[3] = {lterm_make(s->terms, LT_APPLY, CODE_LESS_EQUAL, 2, sides),
                     selected(s, lterm_arg(s->terms, tree, 1)),
                     selected(s, lterm_arg(s->terms, tree, 2))};
    return lterm_make(s->terms, LT_APPLY, CODE_SELECT, 3, args);
}

// ---- what all lanes add ----

static bool has_addend(const struct symbolic *s, lterm tree, lterm addend)
{
    if (lterm_kind(s->terms, tree) == LT_CHOOSE)
        return has_addend(s, lterm_arg(s->terms, tree, 1), addend) &&
               has_addend(s, lterm_arg(s->terms, tree, 2), addend);
    return tree == addend || (lterm_is(s->terms, tree, CODE_ADD) &&
                              (has_addend(s, lterm_arg(s->terms, tree, 0), addend) ||
                               has_addend(s, lterm_arg(s->terms, tree, 1), addend)));
}

// The tree less the addend, once at each leaf.
static lterm less_addend(struct symbolic *s, lterm tree, lterm addend)
{
    if (lterm_kind(s->terms, tree) == LT_CHOOSE) {
        uint32_t args[3] = {lterm_arg(s->terms, tree, 0)};
        for (uint32_t side = 1; side <= 2; side++)
            args[side] = less_addend(s, lterm_arg(s->terms, tree, side), addend);
        return args[1] == args[2] ? args[1] : lterm_make(s->terms, LT_CHOOSE, 0, 3, args);
    }
    if (tree == addend)
        return lterm_number_of(s->terms, "0");
    lterm sides[2] = {lterm_arg(s->terms, tree, 0), lterm_arg(s->terms, tree, 1)};
    uint32_t which = has_addend(s, sides[0], addend) ? 0 : 1;
    sides[which] = less_addend(s, sides[which], addend);
    return symbolic_apply(s, CODE_ADD, 2, sides);
}

// A sum that is an addend of every leaf, as that of whole tiles beside a tail; 0: none.
static lterm shared_sum(const struct symbolic *s, lterm tree, lterm leaf)
{
    if (lterm_kind(s->terms, leaf) == LT_CHOOSE)
        return shared_sum(s, tree, lterm_arg(s->terms, leaf, 1));
    if (is_sum(s, leaf))
        return has_addend(s, tree, leaf) ? leaf : 0;
    if (!lterm_is(s->terms, leaf, CODE_ADD))
        return 0;
    lterm first = shared_sum(s, tree, lterm_arg(s->terms, leaf, 0));
    return first ? first : shared_sum(s, tree, lterm_arg(s->terms, leaf, 1));
}

lterm symbolic_reduce(struct symbolic *s, enum code_op op, iatom index, ipoly end, lterm tree)
{
    lterm unit;
    ipoly condition;
    if (!leaf_unit(s, op, &unit))
        return lterm_undefined(s->terms, "a fold by an operator without a unit");
    tree = symbolic_apply(s, CODE_CONVERT, 1, &tree); // integers as the numbers they are
    if (free_condition(s, tree, index, &condition)) {
        uint32_t mark = ifacts_mark(&s->facts);
        ipoly not_condition = int_shift(s->in, int_scale(s->in, condition, -1), -1);
        ifacts_push(&s->facts, condition, NO_ORIGIN);
        lterm yes =
            symbolic_reduce(s, op, index, end, cofactor_everywhere(s, tree, condition, true));
        ifacts_pop(&s->facts, mark);
        ifacts_push(&s->facts, not_condition, NO_ORIGIN);
        lterm no =
            symbolic_reduce(s, op, index, end, cofactor_everywhere(s, tree, condition, false));
        ifacts_pop(&s->facts, mark);
        return symbolic_choose(s, condition, yes, no);
    }
    lterm shared =
        op == CODE_ADD && lterm_kind(s->terms, tree) == LT_CHOOSE ? shared_sum(s, tree, tree) : 0;
    if (shared) {
        lterm rest = less_addend(s, tree, shared);
        lterm args[2] = {symbolic_reduce(s, op, index, end, shared),
                         symbolic_reduce(s, op, index, end, rest)};
        return symbolic_apply(s, CODE_ADD, 2, args);
    }
    lterm beside;
    if (op == CODE_MAXIMUM && maximum_beside_zeros(s, index, end, tree, &beside))
        return beside;
    struct fold f = {.op = op, .index = index, .end = end};
    // A part of the lanes may be empty, and then has no maximum; all of them together are not.
    if (is_extremum(op) && all_finite(s, tree))
        tree = selected(s, tree);
    lterm out = fold_paths(s, &f, tree, unit);
    vec_release(&f.guards);
    return out;
}
