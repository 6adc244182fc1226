// SPDX-License-Identifier: Apache-2.0
#include "io/mlir/alias.h"

struct mlir_alias {
    uint32_t name;
    uint32_t at, end; // tokens of the value
};

struct alias_expander {
    struct mlir *mlir; // its tokens are those of the file
    VEC(struct mlir_alias) alias;
    struct u32_vec alias_of; // name -> alias + 1
    struct mlir_tokens out;
    uint64_t budget; // M1
    uint32_t depth;  // of aliases
    struct u32_vec open;
    uint16_t owed; // flags of locations that were left out
};

// An alias is #x or !x without a dialect: no '.', and no '<' behind the name
// without a blank. The "#0" of a value is no alias.
static bool is_alias(const struct mlir *mlir, uint32_t from)
{
    uint16_t kind = mlir_kind(mlir, from);
    if (kind != T_ATTR && kind != T_TYPE)
        return false;
    const struct mlir_token *token = &mlir->tok.at[from];
    if (memchr(mlir->text + token->at, '.', token->len) != NULL)
        return false;
    if (from > 0 && mlir_kind(mlir, from - 1) == T_VALUE && mlir_touches(mlir, from))
        return false;
    return mlir_kind(mlir, from + 1) != '<' || !mlir_touches(mlir, from + 1);
}

static bool is_open(uint16_t k)
{
    return k == '(' || k == '[' || k == '{' || k == '<' || k == T_RES_OPEN;
}

// Definitions of tokens [from, to) stand outside all brackets.  The part's replace those
// of the part before.
static bool find_aliases(struct alias_expander *expander, uint32_t from, uint32_t to)
{
    struct mlir *mlir = expander->mlir;
    while (expander->alias.len > 0)
        expander->alias_of.at[vec_pop(&expander->alias).name] = 0;
    for (uint32_t i = from; i < to;) {
        uint16_t k = mlir_kind(mlir, i);
        if (is_open(k)) {
            i = mlir->tok.at[i].match + 1;
            continue;
        }
        if (!is_alias(mlir, i) || mlir_kind(mlir, i + 1) != '=') {
            i++;
            continue;
        }
        uint32_t name = mlir_name(mlir, i), end = i + 2;
        while (expander->alias_of.len <= name)
            vec_push(&expander->alias_of, 0);
        if (expander->alias_of.at[name] != 0)
            return mlir_fail(mlir, i, "alias is defined twice");
        if (!(k == T_TYPE ? mlir_skip_type(mlir, &end) : mlir_skip_attr(mlir, &end)))
            return false;
        struct mlir_alias mlir_alias = {name, i + 2, end};
        vec_push(&expander->alias, mlir_alias);
        expander->alias_of.at[name] = expander->alias.len;
        i = end;
    }
    return true;
}

static bool push_token(struct alias_expander *expander, uint32_t from, uint16_t flags)
{
    struct mlir *mlir = expander->mlir;
    struct mlir_token token = mlir->tok.at[from];
    uint32_t at = expander->out.len;
    token.flags = flags | expander->owed;
    expander->owed = 0;
    if (at > 0 && token.kind != T_EOF && !(token.flags & TOKEN_SPACE) &&
        expander->out.at[at - 1].at + expander->out.at[at - 1].len != token.at &&
        mlir_sticks(mlir, &expander->out.at[at - 1], &token))
        token.flags |= TOKEN_SPACE;
    if (is_open(token.kind)) {
        if (expander->open.len == IO_MLIR_DEPTH)
            return mlir_fail(mlir, from, "brackets are nested too deeply");
        vec_push(&expander->open, at);
    } else if (token.kind == ')' || token.kind == ']' || token.kind == '}' || token.kind == '>' ||
               token.kind == T_RES_CLOSE) {
        token.match = vec_pop(&expander->open);
        expander->out.at[token.match].match = at;
    }
    vec_push(&expander->out, token);
    return true;
}

// True for a location that is not the value of an attribute.
static bool is_loc(const struct alias_expander *expander, uint32_t at)
{
    if (!mlir_word(expander->mlir, at, "loc") || mlir_kind(expander->mlir, at + 1) != '(' ||
        expander->out.len == 0)
        return false;
    uint16_t p = vec_last(&expander->out).kind;
    return p != '=' && p != ',' && p != '[' && p != '(';
}

static bool splice(struct alias_expander *expander, uint32_t from, uint32_t to, uint16_t flags);

static bool expand(struct alias_expander *expander, uint32_t from, uint16_t flags)
{
    struct mlir *mlir = expander->mlir;
    uint32_t name = mlir_name(mlir, from);
    if (name >= expander->alias_of.len || expander->alias_of.at[name] == 0) {
        const struct mlir_token *token = &mlir->tok.at[from];
        return mlir_fail(mlir, from, "alias '%.*s' is not defined", mlir_shown(token),
                         mlir->text + token->at);
    }
    struct mlir_alias mlir_alias = expander->alias.at[expander->alias_of.at[name] - 1];
    if (expander->depth == IO_ALIAS_DEPTH)
        return mlir_fail(mlir, from,
                         "aliases are nested too deeply or go round in "
                         "a circle");
    if (mlir_alias.end - mlir_alias.at > expander->budget)
        return mlir_fail(mlir, from, "aliases expand to too much text");
    expander->budget -= mlir_alias.end - mlir_alias.at;
    expander->depth++;
    bool ok = splice(expander, mlir_alias.at, mlir_alias.end, flags);
    expander->depth--;
    return ok;
}

// Appends tokens [from, to); the first one gets the flags.
static bool splice(struct alias_expander *expander, uint32_t from, uint32_t to, uint16_t flags)
{
    struct mlir *mlir = expander->mlir;
    for (uint32_t i = from; i < to; i++) {
        uint16_t f = i == from ? flags : mlir->tok.at[i].flags;
        if (is_loc(expander, i)) {
            expander->owed |= f;
            i = mlir->tok.at[i + 1].match;
            continue;
        }
        if (!is_alias(mlir, i)) {
            if (!push_token(expander, i, f))
                return false;
            continue;
        }
        // Definitions are left out.
        uint32_t name = mlir_name(mlir, i);
        if (expander->depth == 0 && name < expander->alias_of.len &&
            expander->alias_of.at[name] != 0 &&
            expander->alias.at[expander->alias_of.at[name] - 1].at == i + 2) {
            expander->owed |= f;
            i = expander->alias.at[expander->alias_of.at[name] - 1].end - 1;
            continue;
        }
        if (!expand(expander, i, f))
            return false;
    }
    return true;
}

// The end of the part that starts with token `from`: the token behind the next line
// "// -----" outside brackets, or the file's end.  Such lines in brackets are comments.
static uint32_t part_end(const struct mlir *mlir, uint32_t from, uint32_t *split)
{
    for (uint32_t i = from; mlir_kind(mlir, i) != T_EOF; i++) {
        uint32_t s = *split;
        while (*split < mlir->splits.len && mlir->splits.at[*split] < mlir->tok.at[i].at)
            ++*split;
        if (*split > s && i > from)
            return i;
        if (is_open(mlir_kind(mlir, i)))
            i = mlir->tok.at[i].match;
        while (*split < mlir->splits.len && mlir->splits.at[*split] < mlir->tok.at[i].at)
            ++*split;
    }
    return mlir->tok.len - 1;
}

static bool expand_parts(struct alias_expander *expander)
{
    struct mlir *mlir = expander->mlir;
    uint32_t eof = mlir->tok.len - 1, from = 0, split = 0;
    do {
        uint32_t to = part_end(mlir, from, &split);
        vec_push(&mlir->parts, expander->out.len);
        if (!find_aliases(expander, from, to) ||
            !splice(expander, from, to, mlir->tok.at[from].flags))
            return false;
        from = to;
    } while (from < eof);
    return push_token(expander, eof, mlir->tok.at[eof].flags);
}

bool mlir_expand(struct mlir *mlir)
{
    struct alias_expander expander = {.mlir = mlir};
    expander.budget = IO_ALIAS_TOKENS + IO_ALIAS_FACTOR * (uint64_t)mlir->tok.len;
    bool ok = expand_parts(&expander);
    if (ok) {
        struct mlir_tokens old = mlir->tok;
        mlir->tok = expander.out;
        expander.out = old;
    }
    vec_release(&expander.out);
    vec_release(&expander.alias);
    vec_release(&expander.alias_of);
    vec_release(&expander.open);
    return ok;
}
