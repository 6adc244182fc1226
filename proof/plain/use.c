// SPDX-License-Identifier: Apache-2.0
// Lines of an explanation that use a rule.  A line is right if some match of
// the rule's patterns gives the line.
#include "proof/plain/checker.h"

// Matching

static bool bind(struct plain_checker *checker, struct plain_word name, uint32_t term)
{
    for (uint32_t i = 0; i < checker->bound.len; i++)
        if (word_is(checker->bound.at[i].name, name))
            return checker->bound.at[i].term == term;
    struct pattern_binding binding = {name, term};
    vec_push(&checker->bound, binding);
    return true;
}

bool plain_matches(struct plain_checker *checker, const struct plain_check_tree *tree,
                   uint32_t term)
{
    struct match_goal {
        const struct plain_check_tree *tree;
        uint32_t term;
    } match_goal = {tree, term};
    VEC(struct match_goal) waiting = {0};
    vec_push(&waiting, match_goal);
    bool ok = true;
    while (ok && waiting.len > 0) {
        match_goal = vec_pop(&waiting);
        if (match_goal.tree->variable) {
            ok = bind(checker, match_goal.tree->name, match_goal.term);
            continue;
        }
        const struct plain_check_term *t = &checker->terms.term.at[match_goal.term];
        ok = t->n == match_goal.tree->n && word_is(t->name, match_goal.tree->name);
        const struct plain_check_tree *plain_check_tree = match_goal.tree->arg;
        for (uint32_t k = 0; ok && k < t->n; k++, plain_check_tree = plain_check_tree->next) {
            struct match_goal q = {plain_check_tree, t->arg[k]};
            vec_push(&waiting, q);
        }
    }
    vec_release(&waiting);
    return ok;
}

static uint32_t bound_to(const struct plain_checker *checker, struct plain_word name)
{
    for (uint32_t i = 0; i < checker->bound.len; i++)
        if (word_is(checker->bound.at[i].name, name))
            return checker->bound.at[i].term;
    return PLAIN_CHECK_NONE;
}

// Rules

struct checked_use {
    struct plain_check_line line;
    VEC(struct plain_check_equality) with; // `and:`
    VEC(struct plain_check_equality) on;   // `if:`
    // The attempt: pattern `pattern` of right side `right`.
    const struct plain_check_rule *plain_check_rule;
    uint32_t right, pattern;
    uint32_t work;
};

// True if the two patterns are one term under the bindings.  Patterns are not
// deep.
static bool alike(struct plain_checker *checker, const struct plain_check_tree *p,
                  const struct plain_check_tree *q)
{
    uint32_t x = p->variable ? bound_to(checker, p->name) : PLAIN_CHECK_NONE;
    uint32_t y = q->variable ? bound_to(checker, q->name) : PLAIN_CHECK_NONE;
    if (p->variable || q->variable)
        return (!p->variable || x != PLAIN_CHECK_NONE) && (!q->variable || y != PLAIN_CHECK_NONE) &&
               (!p->variable || !q->variable || x == y) &&
               (p->variable || plain_matches(checker, p, y)) &&
               (q->variable || plain_matches(checker, q, x));
    bool same = p->n == q->n && word_is(p->name, q->name);
    const struct plain_check_tree *plain_check_tree = p->arg, *b = q->arg;
    for (uint32_t i = 0; same && i < p->n;
         i++, plain_check_tree = plain_check_tree->next, b = b->next)
        same = alike(checker, plain_check_tree, b);
    return same;
}

// True if the two patterns, under the bindings, are terms that are proved
// equal.
static bool same(struct plain_checker *checker, const struct plain_check_guard *plain_check_guard,
                 const struct checked_use *use)
{
    uint32_t n = checker->bound.len;
    for (uint32_t k = 0; k < 2 * use->with.len; k++) {
        struct plain_check_equality plain_check_equality = use->with.at[k / 2];
        bool ok = plain_matches(checker, plain_check_guard->same[0],
                                k % 2 ? plain_check_equality.b : plain_check_equality.a) &&
                  plain_matches(checker, plain_check_guard->same[1],
                                k % 2 ? plain_check_equality.a : plain_check_equality.b) &&
                  checker->bound.len == n;
        checker->bound.len = n;
        if (ok)
            return true;
    }
    bool ok = alike(checker, plain_check_guard->same[0], plain_check_guard->same[1]) &&
              checker->bound.len == n;
    checker->bound.len = n;
    return ok;
}

static bool holds(struct plain_checker *checker, const struct plain_check_guard *plain_check_guard,
                  const struct checked_use *use, bool wanted)
{
    uint32_t arg[PROOF_GUARD_ARGUMENTS + 1], proved[PROOF_GUARD_ARGUMENTS + 1];
    if (plain_check_guard->same[0] != NULL)
        return wanted && same(checker, plain_check_guard, use);
    for (uint32_t k = 0; k < plain_check_guard->n; k++)
        if ((arg[k] = bound_to(checker, plain_check_guard->arg[k])) == PLAIN_CHECK_NONE)
            return false;
    if (checker->facts == NULL || checker->facts->guard == NULL)
        return false;
    // Tries without help first, then with the equality of each line.
    for (uint32_t i = 0; i <= use->on.len; i++) {
        for (uint32_t k = 0; k < plain_check_guard->n; k++)
            proved[k] =
                i > 0 && use->on.at[i - 1].a == arg[k] ? use->on.at[i - 1].b : PLAIN_CHECK_NONE;
        if (checker->facts->guard(checker->facts->ctx, &checker->terms, plain_check_guard->name,
                                  plain_check_guard->n, arg, proved, wanted))
            return true;
    }
    return false;
}

// The conditions of this right side hold.  Of each right side before, some
// condition fails.
static bool conditions(struct plain_checker *checker, const struct checked_use *use)
{
    for (uint32_t i = 0; i <= use->right; i++) {
        const struct plain_check_right *plain_check_right = &use->plain_check_rule->right[i];
        bool all = true, fails = false;
        for (uint32_t k = 0; k < plain_check_right->n_guards; k++) {
            if (i == use->right)
                all = all && holds(checker, &plain_check_right->guard[k], use, true);
            else
                fails = fails || holds(checker, &plain_check_right->guard[k], use, false);
        }
        if (i == use->right ? !all : !fails)
            return false;
    }
    return true;
}

// Variables that only the right side has: the result of a condition, a name for
// a built term, or a fresh variable.
static bool new_ones(struct plain_checker *checker,
                     const struct plain_check_right *plain_check_right,
                     const struct checked_use *use, uint32_t from)
{
    for (uint32_t i = from; i < checker->bound.len; i++) {
        struct pattern_binding binding = checker->bound.at[i];
        bool ok = false;
        for (uint32_t k = 0; k < plain_check_right->n_guards && !ok; k++)
            for (uint32_t m = 0; m < plain_check_right->guard[k].n && !ok; m++)
                ok = word_is(plain_check_right->guard[k].arg[m], binding.name);
        for (uint32_t k = 0; k < plain_check_right->side.n && !ok; k++)
            ok = word_is(plain_check_right->side.root[k], binding.name) &&
                 plain_matches(checker, plain_check_right->side.tree[k], binding.term);
        if (!ok && binding.name.len >= 6 && memcmp(binding.name.at, "?fresh", 6) == 0) {
            struct plain_check_guard plain_check_guard = {.name = {"fresh", 5}, .n = 2};
            uint32_t arg[2] = {use->line.a, binding.term};
            uint32_t none[2] = {PLAIN_CHECK_NONE, PLAIN_CHECK_NONE};
            ok = checker->facts != NULL && checker->facts->guard != NULL &&
                 checker->facts->guard(checker->facts->ctx, &checker->terms, plain_check_guard.name,
                                       2, arg, none, true);
        }
        if (!ok)
            return false;
    }
    return true;
}

static bool occurs(const struct plain_check_tree *plain_check_tree, struct plain_word name)
{
    bool found = plain_check_tree->variable && word_is(plain_check_tree->name, name);
    const struct plain_check_tree *x = plain_check_tree->arg;
    for (uint32_t i = 0; i < plain_check_tree->n && !found; i++, x = x->next)
        found = occurs(x, name); // patterns are not deep
    return found;
}

static bool on_left(const struct plain_check_rule *plain_check_rule, struct plain_word name)
{
    for (uint32_t i = 0; i < plain_check_rule->left.n; i++)
        if (word_is(plain_check_rule->left.root[i], name) ||
            occurs(plain_check_rule->left.tree[i], name))
            return true;
    return false;
}

// Tries the right side, after all patterns of the left side are matched.
static bool right_matches(struct plain_checker *checker, const struct checked_use *use)
{
    const struct plain_check_right *plain_check_right = &use->plain_check_rule->right[use->right];
    uint32_t n = checker->bound.len;
    return plain_matches(checker, plain_check_right->side.tree[use->pattern], use->line.b) &&
           new_ones(checker, plain_check_right, use, n) && conditions(checker, use);
}

// The patterns in `left` are compared with the terms that other patterns bind
// to their roots.
static bool themselves(struct plain_checker *checker, const struct checked_use *use, uint32_t left)
{
    const struct plain_check_side *plain_check_side = &use->plain_check_rule->left;
    while (left != 0) {
        uint32_t i = 0, root = PLAIN_CHECK_NONE;
        for (; i < plain_check_side->n; i++)
            if ((left >> i & 1) &&
                (root = bound_to(checker, plain_check_side->root[i])) != PLAIN_CHECK_NONE)
                break;
        if (root == PLAIN_CHECK_NONE || !plain_matches(checker, plain_check_side->tree[i], root))
            return false;
        left &= ~(UINT32_C(1) << i);
    }
    return right_matches(checker, use);
}

// Matches the patterns from `i` on, and those in `left`.  Each must equal its
// root, by an equality of the line or because both are the same term.
static bool patterns(struct plain_checker *checker, struct checked_use *use, uint32_t i,
                     uint32_t left)
{
    const struct plain_check_side *plain_check_side = &use->plain_check_rule->left;
    uint32_t n = checker->bound.len;
    bool ok = false;
    if (++use->work > PROOF_MATCHES)
        return false;
    if (i == plain_check_side->n) {
        ok = themselves(checker, use, left);
    } else {
        for (uint32_t k = 0; k < use->with.len && !ok; k++) {
            struct plain_check_equality plain_check_equality = use->with.at[k];
            ok = bind(checker, plain_check_side->root[i], plain_check_equality.a) &&
                 plain_matches(checker, plain_check_side->tree[i], plain_check_equality.b) &&
                 patterns(checker, use, i + 1, left);
            if (!ok)
                checker->bound.len = n;
        }
        ok = ok || patterns(checker, use, i + 1, left | UINT32_C(1) << i);
    }
    if (!ok)
        checker->bound.len = n;
    return ok;
}

static bool is_use(struct plain_checker *checker, struct checked_use *use)
{
    const struct plain_check_side *left = &use->plain_check_rule->left,
                                  *right = &use->plain_check_rule->right[use->right].side;
    vec_clear(&checker->bound);
    if (left->root[0].len == 0)
        return plain_matches(checker, left->tree[0], use->line.a) && right_matches(checker, use);
    struct plain_word root = right->root[use->pattern];
    use->work = 0;
    // A root that the left side does not have is a name for the built term.
    return on_left(use->plain_check_rule, root) && bind(checker, root, use->line.a) &&
           patterns(checker, use, 0, 0);
}

static bool is_some_use(struct plain_checker *checker, struct checked_use *use)
{
    for (use->right = 0; use->right < use->plain_check_rule->n_right; use->right++)
        for (use->pattern = 0; use->pattern < use->plain_check_rule->right[use->right].side.n;
             use->pattern++)
            if (is_use(checker, use))
                return true;
    return false;
}

static bool skip(struct plain_checker *checker, const char *text)
{
    size_t n = strlen(text);
    if (strncmp(checker->at, text, n) != 0)
        return false;
    checker->at += n;
    return true;
}

static bool read_with(struct plain_checker *checker, struct checked_use *use)
{
    struct plain_check_equality plain_check_equality;
    bool with = skip(checker, "and:");
    if (with && plain_sign(checker, '=')) { // a term itself
        if (!plain_digits(checker, checker->terms.term.len, &plain_check_equality.a))
            return false;
        plain_check_equality.b = plain_check_equality.a;
    } else if ((!with && !skip(checker, "if:")) || !plain_earlier(checker, &plain_check_equality)) {
        return false;
    }
    if (with)
        vec_push(&use->with, plain_check_equality);
    else
        vec_push(&use->on, plain_check_equality);
    return true;
}

bool plain_use_check(struct plain_checker *checker, struct plain_check_line plain_check_line)
{
    struct checked_use u = {.line = plain_check_line};
    bool ok = true;
    for (plain_blanks(checker); ok && !skip(checker, "by "); plain_blanks(checker))
        ok = read_with(checker, &u);
    struct plain_word name = {checker->at, 0};
    while (*checker->at != 0 && *checker->at != '\n' && *checker->at != '\r')
        checker->at++;
    name.len = (uint32_t)(checker->at - name.at);
    bool use = false;
    for (uint32_t i = 0; ok && i < checker->rules.rule.len && !use; i++) {
        u.plain_check_rule = &checker->rules.rule.at[i];
        use = word_is(u.plain_check_rule->name, name) && is_some_use(checker, &u);
    }
    vec_release(&u.with);
    vec_release(&u.on);
    return use || plain_wrong(checker, "the line is not a use of this rule");
}
