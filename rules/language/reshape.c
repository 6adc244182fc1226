// SPDX-License-Identifier: Apache-2.0
// Reshapes, and the classes that they join (R5).  Maps, sizes and conditions are read
// before patterns, and their reading depends on the joint classes and the blocks.  So
// find_joint first looks for the groups in the tokens.  `->` stands beside a bracket
// only in a group.
#include "rules/language/call.h"

// ---- joint classes ----

static uint64_t class_at(const struct parser *parser, uint32_t i)
{
    const struct token *token = &parser->lx.tokens.at[i];
    if (token->kind != T_NAME || parser->syms[token->name].kind != SYM_CLASS ||
        token[1].kind == '(') // a function in a size
        return 0;
    return BIT(parser->syms[token->name].index);
}

// The classes named left (step -1) or right (step 1) of the arrow at token i, up to the
// bracket that ends the list.
static uint64_t group_side(const struct parser *parser, struct statement statement, uint32_t i,
                           int step, bool *bracket)
{
    int open = step > 0 ? '[' : ']', close = step > 0 ? ']' : '[';
    uint64_t set = 0;
    *bracket = false;
    for (int64_t k = (int64_t)i + step; k >= statement.start && k < statement.end; k += step) {
        int kind = parser->lx.tokens.at[k].kind;
        if (kind == open)
            *bracket = true;
        set |= class_at(parser, (uint32_t)k);
        if (!*bracket || kind == close || kind == T_ARROW)
            break;
    }
    return set;
}

static void join(struct parser *parser, uint64_t set)
{
    struct axis_class *cls = parser->classes.at;
    uint32_t first = NONE;
    for (uint32_t i = 0; i < parser->classes.len; i++) {
        if (!(set >> i & 1))
            continue;
        uint32_t from = cls[i].joint;
        first = first == NONE || from < first ? from : first;
    }
    for (uint32_t i = 0; i < parser->classes.len; i++)
        if (set >> i & 1)
            for (uint32_t j = 0, from = cls[i].joint; j < parser->classes.len; j++)
                if (cls[j].joint == from)
                    cls[j].joint = first;
}

static uint64_t alike(const struct parser *parser, uint64_t set)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < parser->classes.len; i++)
        for (uint32_t j = 0; set >> i & 1 && j < parser->classes.len; j++)
            if (parser->classes.at[j].like == parser->classes.at[i].like)
                all |= BIT(j);
    return all;
}

static void block_found(struct parser *parser, uint32_t c, uint32_t line)
{
    if (!parser->classes.at[c].block)
        parser->block_line[c] = line;
    parser->classes.at[c].block = true;
}

// Rank classes stay together: a class that is like a block is a block.
void find_joint(struct parser *parser)
{
    for (uint32_t i = 0; i < parser->classes.len; i++)
        parser->classes.at[i].joint = i;
    for (uint32_t k = 0; k < parser->statements.len; k++) {
        struct statement statement = parser->statements.at[k];
        for (uint32_t i = statement.start; i < statement.end; i++) {
            bool left, right;
            if (parser->lx.tokens.at[i].kind != T_ARROW)
                continue;
            uint64_t from = group_side(parser, statement, i, -1, &left);
            uint64_t to = group_side(parser, statement, i, 1, &right);
            if ((!left && !right) || !from || !to)
                continue;
            uint64_t all = alike(parser, from | to);
            join(parser, all);
            for (uint32_t c = 0; c < parser->classes.len; c++)
                if (all >> c & 1 && !parser->classes.at[c].single)
                    block_found(parser, c, parser->lx.tokens.at[i].place.line);
        }
    }
}

// ---- calls ----

struct group_lists {
    struct u32_vec from;
    VEC(struct axis_size) to;
};

// x, or [x, y]
static bool left_side(struct parser *parser, struct group_lists *g)
{
    bool list = parser_accept(parser, '[');
    if (list && parser_accept(parser, ']'))
        return true;
    do {
        uint32_t c;
        if (!class_name(parser, &c))
            return false;
        vec_push(&g->from, c);
    } while (list && parser_accept(parser, ','));
    return !list || parser_expect(parser, ']', "`,` or `]`");
}

// z, or [x: n, y: m], with sizes or without
static bool right_side(struct parser *parser, struct group_lists *g)
{
    bool list = parser_accept(parser, '[');
    if (list && parser_accept(parser, ']'))
        return true;
    do {
        struct axis_size size = {0};
        if (!class_name(parser, &size.cls))
            return false;
        if (parser_accept(parser, ':') && !(size.size = parse_size_on(parser, size.cls)))
            return false;
        vec_push(&g->to, size);
    } while (list && parser_accept(parser, ','));
    return !list || parser_expect(parser, ']', "`,` or `]`");
}

static bool read_group(struct parser *parser, bool left, bool right, struct reshape_group *out)
{
    struct group_lists g = {0};
    const struct token *token = parser_token(parser);
    bool ok = (!left || parser_at(parser, '[')) || parser_expected(parser, "`[`");
    ok = ok && left_side(parser, &g) && parser_expect(parser, T_ARROW, "`->`");
    ok = ok && (!right || parser_at(parser, '[') || parser_expected(parser, "`[`")) &&
         right_side(parser, &g);
    if (ok && !g.from.len && !g.to.len)
        ok = parser_fail(parser, token->place, "expected a class in the group, found none");
    uint32_t *from = ARENA_NEW(parser->mem, uint32_t, g.from.len + 1);
    struct axis_size *to = ARENA_NEW(parser->mem, struct axis_size, g.to.len + 1);
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
static uint32_t groups(struct parser *parser, struct place at, bool left, bool right, bool many)
{
    VEC(struct reshape_group) v = {0};
    uint32_t a = call_operand(parser), out = NONE;
    bool ok = a != NONE && parser_expect(parser, ',', "`,` and the classes");
    if (ok) {
        do {
            struct reshape_group group;
            ok = read_group(parser, left, right, &group);
            vec_push(&v, group);
        } while (ok && many && parser_accept(parser, ','));
    }
    if (ok && parser_expect(parser, ')', many ? "`,` or `)`" : "`)`")) {
        struct reshape_group *copy = ARENA_NEW(parser->mem, struct reshape_group, v.len);
        for (uint32_t i = 0; i < v.len; i++)
            copy[i] = v.at[i];
        out = elab_reshape(parser, a, v.len, copy, at);
    }
    vec_release(&v);
    return out;
}

uint32_t call_reshape(struct parser *parser, struct place at)
{
    return groups(parser, at, true, true, true);
}

uint32_t call_merge(struct parser *parser, struct place at)
{
    return groups(parser, at, true, false, false);
}

uint32_t call_split(struct parser *parser, struct place at)
{
    return groups(parser, at, false, true, false);
}
