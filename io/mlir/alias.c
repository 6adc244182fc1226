// SPDX-License-Identifier: Apache-2.0
#include "io/mlir/alias.h"

struct mlir_alias {
    uint32_t at, end; // tokens of the value
};

struct alias_expander {
    struct mlir *m; // its tokens are those of the file
    VEC(struct mlir_alias) alias;
    struct u32_vec alias_of; // name -> alias + 1
    struct mlir_tokens out;
    uint64_t budget; // M1
    uint32_t depth;  // of aliases
    struct u32_vec open;
    uint16_t owed; // flags of locations that were left out
};

// #x or !x without a dialect: no '.', no '<' that touches it; not the "#0" of
// a value.
static bool is_alias(const struct mlir *m, uint32_t i)
{
    uint16_t kind = mlir_kind(m, i);
    if (kind != T_ATTR && kind != T_TYPE)
        return false;
    const struct mlir_token *t = &m->tok.at[i];
    if (memchr(m->text + t->at, '.', t->len) != NULL)
        return false;
    if (i > 0 && mlir_kind(m, i - 1) == T_VALUE && mlir_touches(m, i))
        return false;
    return mlir_kind(m, i + 1) != '<' || !mlir_touches(m, i + 1);
}

static bool is_open(uint16_t k)
{
    return k == '(' || k == '[' || k == '{' || k == '<' || k == T_RES_OPEN;
}

// Definitions stand outside all brackets.
static bool find_aliases(struct alias_expander *x)
{
    struct mlir *m = x->m;
    for (uint32_t i = 0; mlir_kind(m, i) != T_EOF;) {
        uint16_t k = mlir_kind(m, i);
        if (is_open(k)) {
            i = m->tok.at[i].match + 1;
            continue;
        }
        if (!is_alias(m, i) || mlir_kind(m, i + 1) != '=') {
            i++;
            continue;
        }
        uint32_t name = mlir_name(m, i), end = i + 2;
        while (x->alias_of.len <= name)
            vec_push(&x->alias_of, 0);
        if (x->alias_of.at[name] != 0)
            return mlir_fail(m, i, "alias is defined twice");
        if (!(k == T_TYPE ? mlir_skip_type(m, &end) : mlir_skip_attr(m, &end)))
            return false;
        struct mlir_alias a = {i + 2, end};
        vec_push(&x->alias, a);
        x->alias_of.at[name] = x->alias.len;
        i = end;
    }
    return true;
}

static bool push_token(struct alias_expander *x, uint32_t i, uint16_t flags)
{
    struct mlir *m = x->m;
    struct mlir_token t = m->tok.at[i];
    uint32_t at = x->out.len;
    t.flags = flags | x->owed;
    x->owed = 0;
    if (at > 0 && t.kind != T_EOF && !(t.flags & TOKEN_SPACE) &&
        x->out.at[at - 1].at + x->out.at[at - 1].len != t.at &&
        mlir_sticks(m, &x->out.at[at - 1], &t))
        t.flags |= TOKEN_SPACE;
    if (is_open(t.kind)) {
        if (x->open.len == MLIR_DEPTH)
            return mlir_fail(m, i, "brackets are nested too deeply");
        vec_push(&x->open, at);
    } else if (t.kind == ')' || t.kind == ']' || t.kind == '}' ||
               t.kind == '>' || t.kind == T_RES_CLOSE) {
        t.match = vec_pop(&x->open);
        x->out.at[t.match].match = at;
    }
    vec_push(&x->out, t);
    return true;
}

// A location that no attribute has as its value.
static bool is_loc(const struct alias_expander *x, uint32_t i)
{
    if (!mlir_word(x->m, i, "loc") || mlir_kind(x->m, i + 1) != '(' ||
        x->out.len == 0)
        return false;
    uint16_t p = vec_last(&x->out).kind;
    return p != '=' && p != ',' && p != '[' && p != '(';
}

static bool splice(struct alias_expander *x, uint32_t from, uint32_t to,
                   uint16_t flags);

static bool expand(struct alias_expander *x, uint32_t i, uint16_t flags)
{
    struct mlir *m = x->m;
    uint32_t name = mlir_name(m, i);
    if (name >= x->alias_of.len || x->alias_of.at[name] == 0) {
        const struct mlir_token *t = &m->tok.at[i];
        return mlir_fail(m, i, "alias '%.*s' is not defined",
                         t->len > 60 ? 60 : (int)t->len, m->text + t->at);
    }
    struct mlir_alias a = x->alias.at[x->alias_of.at[name] - 1];
    if (x->depth == 64)
        return mlir_fail(m, i,
                         "aliases are nested too deeply or go round in "
                         "a circle");
    if (a.end - a.at > x->budget)
        return mlir_fail(m, i, "aliases expand to too much text");
    x->budget -= a.end - a.at;
    x->depth++;
    bool ok = splice(x, a.at, a.end, flags);
    x->depth--;
    return ok;
}

// Tokens [from, to); the first gets the flags given.
static bool splice(struct alias_expander *x, uint32_t from, uint32_t to,
                   uint16_t flags)
{
    struct mlir *m = x->m;
    for (uint32_t i = from; i < to; i++) {
        uint16_t f = i == from ? flags : m->tok.at[i].flags;
        if (is_loc(x, i)) {
            x->owed |= f;
            i = m->tok.at[i + 1].match;
            continue;
        }
        if (!is_alias(m, i)) {
            if (!push_token(x, i, f))
                return false;
            continue;
        }
        // A definition is left out.
        uint32_t name = mlir_name(m, i);
        if (x->depth == 0 && name < x->alias_of.len &&
            x->alias_of.at[name] != 0 &&
            x->alias.at[x->alias_of.at[name] - 1].at == i + 2) {
            x->owed |= f;
            i = x->alias.at[x->alias_of.at[name] - 1].end - 1;
            continue;
        }
        if (!expand(x, i, f))
            return false;
    }
    return true;
}

bool mlir_expand(struct mlir *m)
{
    struct alias_expander x = {.m = m};
    x.budget = (1u << 20) + 16 * (uint64_t)m->tok.len;
    bool ok = find_aliases(&x) && splice(&x, 0, m->tok.len, m->tok.at[0].flags);
    if (ok) {
        struct mlir_tokens old = m->tok;
        m->tok = x.out;
        x.out = old;
    }
    vec_release(&x.out);
    vec_release(&x.alias);
    vec_release(&x.alias_of);
    vec_release(&x.open);
    return ok;
}
