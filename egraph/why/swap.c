// SPDX-License-Identifier: Apache-2.0
// Shorter chains: a congruence within what the variables of a rule stand for
// goes past the use of the rule, to meet one that undoes it or goes on from it.
#include "egraph/why/core.h"

static const struct why_part none = {.line = CC_NONE};

struct use_swap {
    struct why *why;
    const struct plain_rule *rule;
    const struct why_place *place;
    uint32_t from[EGRAPH_PLAIN_VARIABLES], to[EGRAPH_PLAIN_VARIABLES]; // CC_NONE: not bound
    struct why_part via[EGRAPH_PLAIN_VARIABLES];
    bool seen[2 * EGRAPH_PLAIN_ATOMS]; // patterns of the sides
    bool there;                        // the side that the use leads to: only what is bound counts
};

static const uint32_t *shape(const struct use_swap *use_swap, uint32_t v, uint32_t *op, uint32_t *n)
{
    uint32_t i = use_swap->place[v].place;
    const struct plain_build *build =
        i < use_swap->rule->n_atoms ? NULL : &use_swap->rule->build[i - use_swap->rule->n_atoms];
    *op = build == NULL ? use_swap->rule->atom[i].op : build->op;
    *n = build == NULL ? use_swap->rule->atom[i].n : build->n;
    return build == NULL ? use_swap->rule->atom[i].arg : build->arg;
}

static uint32_t arg_of(const struct why *why, uint32_t term, uint32_t k)
{
    return why->arg.at[why->term.at[term].at + k];
}

static bool is_cong(const struct why *why, struct why_part part)
{
    return part.line == CC_NONE || why->line.at[part.line].kind == WHY_CONG;
}

// The congruence that a part ends with, if there is one.
static struct why_part last_cong(const struct why *why, struct why_part part)
{
    if (part.line != CC_NONE && why->line.at[part.line].kind == WHY_TRANS) {
        const struct why_line *line = &why->line.at[part.line];
        bool flip = part.flip;
        part = why->part.at[line->at + (flip ? 0 : line->n - 1)];
        part.flip ^= flip;
    }
    return is_cong(why, part) ? part : none;
}

// The part leads from term a to b, instances of what v stands for if nothing
// in between hinders; where the pattern itself is rewritten, b is meant twice.
static bool bind(struct use_swap *use_swap, uint32_t v, uint32_t a, uint32_t b,
                 struct why_part part)
{
    struct why *why = use_swap->why;
    if (!use_swap->place[v].whole) {
        if (use_swap->to[v] == CC_NONE) {
            use_swap->from[v] = a;
            use_swap->to[v] = b;
            use_swap->via[v] = part;
        }
        return use_swap->to[v] == b && (use_swap->from[v] == a || use_swap->there);
    }
    uint32_t op, n;
    const uint32_t *arg = shape(use_swap, v, &op, &n);
    use_swap->seen[use_swap->place[v].place] = true;
    part = last_cong(why, part);
    a = part.line == CC_NONE ? b : why_from(why, part);
    if (why->term.at[a].op != op || why->term.at[b].op != op)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!bind(use_swap, arg[k], arg_of(why, a, k), arg_of(why, b, k),
                  part.line == CC_NONE ? none : why_of_arg(why, part, k)))
            return false;
    return true;
}

static uint32_t instance(const struct use_swap *use_swap, uint32_t v)
{
    if (!use_swap->place[v].whole)
        return use_swap->from[v];
    uint32_t op, n, few[EGRAPH_PLAIN_ARGUMENTS];
    const uint32_t *arg = shape(use_swap, v, &op, &n);
    for (uint32_t k = 0; k < n; k++)
        few[k] = instance(use_swap, arg[k]);
    return why_term(use_swap->why, op, few);
}

// The parts from a to the instance, which have to go first.
static struct why_part before(struct use_swap *use_swap, uint32_t v, uint32_t a,
                              struct why_part part)
{
    struct why *why = use_swap->why;
    if (!use_swap->place[v].whole || part.line == CC_NONE)
        return none;
    struct why_part last = last_cong(why, part);
    if (last.line == CC_NONE)
        return part;
    if (last.line != part.line) {
        uint32_t c = why->chain.len;
        for (uint32_t n = why->line.at[part.line].n, i = 0; i + 1 < n; i++) {
            const struct why_line *line = &why->line.at[part.line];
            struct why_part q = why->part.at[line->at + (part.flip ? n - 1 - i : i)];
            q.flip ^= part.flip;
            why_append(why, c, a, q, 0);
        }
        why_append(why, c, a, before(use_swap, v, why_from(why, last), last), 0);
        return why_chain(why, c, a);
    }
    uint32_t op, n, base = why->chain.len;
    const uint32_t *arg = shape(use_swap, v, &op, &n);
    for (uint32_t k = 0; k < n; k++) {
        struct why_part x = before(use_swap, arg[k], arg_of(why, a, k), why_of_arg(why, part, k));
        x.arg = k;
        if (x.line != CC_NONE)
            vec_push(&why->chain, x);
    }
    return why_cong(why, a, instance(use_swap, v), base);
}

// From the instance to b.
static struct why_part after(struct use_swap *use_swap, uint32_t v, uint32_t b)
{
    struct why *why = use_swap->why;
    if (!use_swap->place[v].whole)
        return use_swap->via[v];
    uint32_t op, n, base = why->chain.len;
    const uint32_t *arg = shape(use_swap, v, &op, &n);
    for (uint32_t k = 0; k < n; k++) {
        struct why_part part = after(use_swap, arg[k], arg_of(why, b, k));
        part.arg = k;
        if (part.line != CC_NONE)
            vec_push(&why->chain, part);
    }
    return why_cong(why, instance(use_swap, v), b, base);
}

// Is a pattern in neither side?  It is a condition then.
static bool has_more(const struct use_swap *use_swap)
{
    for (uint32_t i = 0; i < use_swap->rule->n_atoms + use_swap->rule->n_builds; i++)
        if (!use_swap->seen[i] &&
            (i >= use_swap->rule->n_atoms || use_swap->rule->atom[i].op != ATOM_ANY))
            return true;
    return use_swap->rule->n_guards > 0;
}

// The last two parts of the chain the other way round, if they can be.
static void swap_last(struct why *why, uint32_t base, uint32_t start)
{
    uint32_t n = why->chain.len;
    struct why_part rule = why->chain.at[n - 1], cong = why->chain.at[n - 2];
    const struct why_line *line = &why->line.at[rule.line];
    if (line->kind != WHY_RULE || why->line.at[cong.line].kind != WHY_CONG || line->n > 0)
        return;
    uint32_t x = line->x;
    struct use_swap use_swap = {
        .why = why, .rule = &why->rules->rule.at[x], .place = why->place.at + why->place_at.at[x]};
    if (use_swap.rule->n_guards > 0 || use_swap.rule->base != NULL || why->swaps == 0)
        return;
    why->swaps--;
    for (uint32_t v = 0; v < use_swap.rule->n_vars; v++)
        use_swap.from[v] = use_swap.to[v] = CC_NONE;
    uint32_t here = rule.flip ? use_swap.rule->right : use_swap.rule->left;
    uint32_t there = rule.flip ? use_swap.rule->left : use_swap.rule->right;
    uint32_t a = why_from(why, cong), b = why_to(why, cong), c = why_to(why, rule);
    if (!use_swap.place[here].whole || !bind(&use_swap, here, a, b, cong))
        return;
    use_swap.there = true;
    if (!bind(&use_swap, there, c, c, none) || has_more(&use_swap))
        return;
    struct why_part first = before(&use_swap, here, a, cong);
    struct why_part last = after(&use_swap, there, c);
    uint32_t from = instance(&use_swap, here), to = instance(&use_swap, there);
    if (from == b || from == to ||
        why_plus(why_steps(why, first), why_steps(why, last)) > why_steps(why, cong))
        return;
    struct why_part step = why_step(
        why,
        (struct why_line){
            .kind = WHY_RULE, .a = rule.flip ? to : from, .b = rule.flip ? from : to, .x = x},
        NULL);
    step.flip ^= rule.flip;
    why->chain.len = n - 2;
    why_append(why, base, start, first, 0);
    why_append(why, base, start, step, 0);
    why_append(why, base, start, last, 0);
}

static uint64_t sum(const struct why *why, uint32_t base)
{
    uint64_t s = 0;
    for (uint32_t i = base; i < why->chain.len; i++)
        s = why_plus(s, why_steps(why, why->chain.at[i]));
    return s;
}

// Puts the parts at at[0 .. n] after the chain, swapped where that can be.
static void rebuild(struct why *why, uint32_t at, uint32_t n, uint32_t from, bool back)
{
    uint32_t base = why->chain.len;
    for (uint32_t i = 0; i < n; i++) {
        struct why_part part = why->chain.at[at + (back ? n - 1 - i : i)];
        part.flip ^= back;
        uint32_t was = why->chain.len;
        why_append(why, base, from, part, 0);
        if (why->chain.len >= base + 2 && why->chain.len > was)
            swap_last(why, base, from);
    }
}

void why_swap(struct why *why, uint32_t base, uint32_t from)
{
    uint32_t n = why->chain.len - base, congs = 0, rules = 0;
    if (n < 3 || why->swaps == 0)
        return;
    for (uint32_t i = base; i < why->chain.len; i++) {
        const struct why_line *line = &why->line.at[why->chain.at[i].line];
        congs += line->kind == WHY_CONG;
        rules +=
            line->kind == WHY_RULE && line->n == 0 && why->rules->rule.at[line->x].n_guards == 0;
    }
    if (congs == 0 || rules == 0)
        return;
    for (uint32_t back = 0; back < 2; back++) {
        uint64_t steps = sum(why, base);
        n = why->chain.len - base;
        uint32_t to = n == 0 ? from : why_to(why, vec_last(&why->chain));
        rebuild(why, base, n, back ? to : from, back);
        uint32_t m = why->chain.len - base - n;
        if (sum(why, base + n) < steps) {
            for (uint32_t i = 0; i < m; i++) {
                struct why_part part = why->chain.at[base + n + i];
                vec_push(&why->chain, part);
            }
            for (uint32_t i = 0; i < m; i++) {
                struct why_part p = why->chain.at[base + n + m + (back ? m - 1 - i : i)];
                p.flip ^= back;
                why->chain.at[base + i] = p;
            }
            n = m;
        }
        why->chain.len = base + n;
    }
}

// Ways between the terms of a chain, looked for anew.
static void cut(struct why *why, uint32_t base, uint32_t from)
{
    for (uint32_t i = base; i + 1 < why->chain.len; i++) {
        uint32_t a = i == base ? from : why_to(why, why->chain.at[i - 1]);
        for (uint32_t j = i + 1; j < why->chain.len && j < i + EGRAPH_WHY_CUT_SPAN; j++) {
            uint64_t sum = 0;
            for (uint32_t k = i; k <= j; k++)
                sum += why_steps(why, why->chain.at[k]);
            struct why_part part;
            struct err err = {0};
            if (sum < 3 || why->cuts == 0)
                continue;
            why->cuts--;
            if (!why_between(why, a, why_to(why, why->chain.at[j]), &part, &err) ||
                part.line == CC_NONE || why_steps(why, part) >= sum)
                continue;
            struct why_part tail[EGRAPH_WHY_SWAP_STEPS];
            uint32_t n = why->chain.len - (j + 1);
            if (n > EGRAPH_WHY_SWAP_STEPS)
                return;
            memcpy(tail, why->chain.at + j + 1, n * sizeof *tail);
            why->chain.len = i;
            why_append(why, base, from, part, 0);
            for (uint32_t k = 0; k < n; k++)
                why_append(why, base, from, tail[k], 0);
            j = i;
            if (i >= why->chain.len)
                return;
        }
    }
}

static struct why_part tidy(struct why *why, struct why_part part)
{
    enum why_kind kind = why->line.at[part.line].kind;
    if (kind != WHY_CONG && kind != WHY_TRANS)
        return part;
    uint32_t base = why->chain.len, n = why->line.at[part.line].n;
    uint32_t from = why_from(why, part), to = why_to(why, part);
    for (uint32_t i = 0; i < n; i++) {
        const struct why_line *line = &why->line.at[part.line];
        bool turn = part.flip && kind == WHY_TRANS;
        struct why_part q = why->part.at[line->at + (turn ? n - 1 - i : i)];
        uint32_t arg = q.arg;
        q.flip ^= part.flip;
        q = tidy(why, q);
        q.arg = arg;
        if (kind == WHY_TRANS)
            why_append(why, base, from, q, 0);
        else if (q.line != CC_NONE)
            vec_push(&why->chain, q);
    }
    if (kind == WHY_TRANS)
        cut(why, base, from);
    return kind == WHY_TRANS ? why_chain(why, base, from) : why_cong(why, from, to, base);
}

// Few steps may lie beneath congruences as deep as terms are.
static bool is_deep(const struct why *why, uint32_t line, uint32_t left)
{
    const struct why_line *l = &why->line.at[line];
    if (l->kind != WHY_CONG && l->kind != WHY_TRANS)
        return false;
    bool deep = left == 0;
    for (uint32_t i = 0; i < l->n && !deep; i++)
        deep = is_deep(why, why->part.at[l->at + i].line, left - 1);
    return deep;
}

struct why_part why_tidy(struct why *why, struct why_part part)
{
    uint64_t steps = why_steps(why, part), was = steps + 1;
    if (steps > EGRAPH_WHY_SWAP_STEPS || steps < 3 ||
        is_deep(why, part.line, EGRAPH_WHY_TIDY_DEPTH))
        return part;
    why->swaps = EGRAPH_WHY_SWAPS;
    why->cuts = EGRAPH_WHY_CUTS;
    for (uint32_t i = 0; i < EGRAPH_WHY_SWAP_ROUNDS && steps < was; i++) {
        struct why_part q = tidy(why, part);
        was = steps;
        steps = why_steps(why, q);
        if (steps < was)
            part = q;
    }
    why->swaps = 0;
    return part;
}
