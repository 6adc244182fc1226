// SPDX-License-Identifier: Apache-2.0
// Reshapes, and the classes that they join (R5).  Which classes are joint, and
// which are blocks, decides how maps, sizes and conditions are read, and these
// come before the patterns: the groups are found in the tokens first.  Only in
// a group does `->` stand beside a bracket.
#include "rules/language/call.h"

// ---- joint classes ----

static uint64_t class_at(const struct parser *p, uint32_t i)
{
    const struct token *t = &p->lx.tokens.at[i];
    if (t->kind != T_NAME || p->syms[t->name].kind != SYM_CLASS ||
        t[1].kind == '(') // a function in a size
        return 0;
    return BIT(p->syms[t->name].index);
}

// The classes named left (step -1) or right (1) of the arrow at token i, up to
// the bracket that closes the list; none is in the way of the next arrow.
static uint64_t group_side(const struct parser *p, struct statement s,
                           uint32_t i, int step, bool *bracket)
{
    int open = step > 0 ? '[' : ']', close = step > 0 ? ']' : '[';
    uint64_t set = 0;
    *bracket = false;
    for (int64_t k = (int64_t)i + step; k >= s.start && k < s.end; k += step) {
        int kind = p->lx.tokens.at[k].kind;
        if (kind == open)
            *bracket = true;
        set |= class_at(p, (uint32_t)k);
        if (!*bracket || kind == close || kind == T_ARROW)
            break;
    }
    return set;
}

static void join(struct parser *p, uint64_t set)
{
    struct axis_class *c = p->classes.at;
    uint32_t first = NONE;
    for (uint32_t i = 0; i < p->classes.len; i++) {
        if (!(set >> i & 1))
            continue;
        uint32_t from = c[i].joint;
        first = first == NONE || from < first ? from : first;
    }
    for (uint32_t i = 0; i < p->classes.len; i++)
        if (set >> i & 1)
            for (uint32_t j = 0, from = c[i].joint; j < p->classes.len; j++)
                if (c[j].joint == from)
                    c[j].joint = first;
}

static uint64_t alike(const struct parser *p, uint64_t set)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < p->classes.len; i++)
        for (uint32_t j = 0; set >> i & 1 && j < p->classes.len; j++)
            if (p->classes.at[j].like == p->classes.at[i].like)
                all |= BIT(j);
    return all;
}

static void block_found(struct parser *p, uint32_t c, uint32_t line)
{
    if (!p->classes.at[c].block)
        p->block_line[c] = line;
    p->classes.at[c].block = true;
}

// Rank classes stay together: what is like a block is a block.
void find_joint(struct parser *p)
{
    for (uint32_t i = 0; i < p->classes.len; i++)
        p->classes.at[i].joint = i;
    for (uint32_t k = 0; k < p->statements.len; k++) {
        struct statement s = p->statements.at[k];
        for (uint32_t i = s.start; i < s.end; i++) {
            bool left, right;
            if (p->lx.tokens.at[i].kind != T_ARROW)
                continue;
            uint64_t from = group_side(p, s, i, -1, &left);
            uint64_t to = group_side(p, s, i, 1, &right);
            if ((!left && !right) || !from || !to)
                continue;
            uint64_t all = alike(p, from | to);
            join(p, all);
            for (uint32_t c = 0; c < p->classes.len; c++)
                if (all >> c & 1 && !p->classes.at[c].single)
                    block_found(p, c, p->lx.tokens.at[i].place.line);
        }
    }
}

// ---- calls ----

struct group_lists {
    struct u32_vec from;
    VEC(struct axis_size) to;
};

// x, or [x, y]
static bool left_side(struct parser *p, struct group_lists *g)
{
    bool list = parser_accept(p, '[');
    if (list && parser_accept(p, ']'))
        return true;
    do {
        uint32_t c;
        if (!class_name(p, &c))
            return false;
        vec_push(&g->from, c);
    } while (list && parser_accept(p, ','));
    return !list || parser_expect(p, ']', "`,` or `]`");
}

// z, or [x: n, y: m], with sizes or without
static bool right_side(struct parser *p, struct group_lists *g)
{
    bool list = parser_accept(p, '[');
    if (list && parser_accept(p, ']'))
        return true;
    do {
        struct axis_size s = {0};
        if (!class_name(p, &s.cls))
            return false;
        if (parser_accept(p, ':') && !(s.size = parse_size_on(p, s.cls)))
            return false;
        vec_push(&g->to, s);
    } while (list && parser_accept(p, ','));
    return !list || parser_expect(p, ']', "`,` or `]`");
}

static bool read_group(struct parser *p, bool left, bool right,
                       struct reshape_group *out)
{
    struct group_lists g = {0};
    const struct token *t = parser_token(p);
    bool ok = (!left || parser_at(p, '[')) || parser_expected(p, "`[`");
    ok = ok && left_side(p, &g) && parser_expect(p, T_ARROW, "`->`");
    ok = ok && (!right || parser_at(p, '[') || parser_expected(p, "`[`")) &&
         right_side(p, &g);
    if (ok && !g.from.len && !g.to.len)
        ok = parser_fail(p, t->place, "a group without a class");
    uint32_t *from = ARENA_NEW(p->mem, uint32_t, g.from.len + 1);
    struct axis_size *to = ARENA_NEW(p->mem, struct axis_size, g.to.len + 1);
    for (uint32_t i = 0; i < g.from.len; i++)
        from[i] = g.from.at[i];
    for (uint32_t i = 0; i < g.to.len; i++)
        to[i] = g.to.at[i];
    *out = (struct reshape_group){g.from.len, g.to.len, from, to};
    vec_release(&g.from);
    vec_release(&g.to);
    return ok;
}

// left, right: brackets stand there.
static uint32_t groups(struct parser *p, struct place at, bool left, bool right,
                       bool many)
{
    VEC(struct reshape_group) v = {0};
    uint32_t a = call_operand(p), out = NONE;
    bool ok = a != NONE && parser_expect(p, ',', "`,` and the classes");
    if (ok) {
        do {
            struct reshape_group g;
            ok = read_group(p, left, right, &g);
            vec_push(&v, g);
        } while (ok && many && parser_accept(p, ','));
    }
    if (ok && parser_expect(p, ')', many ? "`,` or `)`" : "`)`")) {
        struct reshape_group *copy =
            ARENA_NEW(p->mem, struct reshape_group, v.len);
        for (uint32_t i = 0; i < v.len; i++)
            copy[i] = v.at[i];
        out = elab_reshape(p, a, v.len, copy, at);
    }
    vec_release(&v);
    return out;
}

uint32_t call_reshape(struct parser *p, struct place at)
{
    return groups(p, at, true, true, true);
}

uint32_t call_merge(struct parser *p, struct place at)
{
    return groups(p, at, true, false, false);
}

uint32_t call_split(struct parser *p, struct place at)
{
    return groups(p, at, false, true, false);
}
