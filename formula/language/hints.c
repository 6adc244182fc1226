// SPDX-License-Identifier: Apache-2.0
#include "formula/language/hints.h"

#include "base/text/cursor.h"
#include "formula/terms/names.h"

struct word {
    const char *word, *hint;
};

static const char *hint_of(const char *word, size_t n, const struct word *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i].word) == n && memcmp(words[i].word, word, n) == 0)
            return words[i].hint;
    return NULL;
}
#define HINT_OF(word, n, words) hint_of(word, n, words, sizeof(words) / sizeof *(words))

static bool token_is(const struct ftoken *token, const char *text)
{
    return token->kind != FTOK_END && strlen(text) == token->len &&
           memcmp(token->at, text, token->len) == 0;
}

// np.exp(x), x.sum(), x.T: the point stands behind the last token.
void formula_hint_point(const struct ftokens *before, const char *at, struct err *err)
{
    static const struct word modules[] = {
        {"np", ""},  {"numpy", ""},     {"torch", ""},      {"math", ""}, {"cmath", ""}, {"tl", ""},
        {"jnp", ""}, {"jax", ""},       {"tf", ""},         {"nn", ""},   {"F", ""},     {"mx", ""},
        {"cp", ""},  {"libdevice", ""}, {"functional", ""}, {"lax", ""},
    };
    const struct ftoken *last = before->at.len ? &before->at.at[before->at.len - 1] : NULL;
    size_t n = 0;
    while (is_letter(at[1 + n]) || is_digit(at[1 + n]))
        n++;
    if (last == NULL || (last->kind != FTOK_NAME && last->kind != ')') || n == 0 || n > 64)
        return;
    bool module = HINT_OF(last->at, last->len, modules) != NULL;
    const char *name = at + 1;
    while (module && name[n] == '.' && is_letter(name[n + 1]))
        for (name += n + 1, n = 0; is_letter(name[n]) || is_digit(name[n]);)
            n++;
    int shown = (int)(n < 64 ? n : 64);
    if (n == 1 && *name == 'T')
        err_hint(err, "the last two axes are swapped by `tr(A)`");
    else if (module)
        err_hint(err, "functions have no prefix: write `%.*s`", shown, name);
    else if (last->kind == FTOK_NAME)
        err_hint(err, "there are no methods: write `%.*s(%.*s)`", shown, name, (int)last->len,
                 last->at);
    else
        err_hint(err, "there are no methods: write `%.*s(..)`", shown, name);
}

// ---- tokens in a wrong place

static bool hint_start(const struct ftoken *first, struct err *err)
{
    static const struct word words[] = {
        {"lambda", "the formula stands alone, without `lambda x:`"},
        {"def", "the formula stands alone, without `def` and `return`"},
        {"return", "the formula stands alone, without `return`"},
        {"simplify", "the formula stands alone"},
        {"float", "the formula stands alone; names need no type"},
        {"double", "the formula stands alone; names need no type"},
        {"var", "a definition is written `let m = max(x);`"},
        {"const", "a definition is written `let m = max(x);`"},
    };
    const char *hint = first->kind == FTOK_NAME ? HINT_OF(first->at, first->len, words) : NULL;
    return hint != NULL && !err_hint(err, "%s", hint);
}

// Parentheses of the statement that are open in front of the token.
static uint32_t open_before(const struct ftokens *tokens, uint32_t found)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < found; i++)
        if (tokens->at.at[i].kind == '(')
            open++;
        else if (tokens->at.at[i].kind == ';')
            open = 0;
        else if (tokens->at.at[i].kind == ')' && open > 0)
            open--;
    return open;
}

// `=` behind a name that starts a statement, or within a call.
static void hint_equals(const struct ftokens *tokens, uint32_t found, const char *what,
                        struct err *err)
{
    const struct ftoken *before = found > 0 ? &tokens->at.at[found - 1] : NULL;
    bool name = before != NULL && before->kind == FTOK_NAME;
    if (strstr(what, "a comparison") != NULL)
        err_hint(err, "equal is `==`");
    else if (open_before(tokens, found) > 0 && name &&
             (token_is(before, "axis") || token_is(before, "dim") || token_is(before, "axes")))
        err_hint(err, "the axis stands in brackets: `sum[j](x[i,j])`; `sum(x)` is along the last");
    else if (open_before(tokens, found) > 0)
        err_hint(err, "arguments have no names; equal is `==`");
    else if (name)
        err_hint(err,
                 "a definition is written `let %.*s = ..;`, and the formula follows; equal "
                 "is `==`",
                 (int)before->len, before->at);
    else
        err_hint(err, "equal is `==`; a definition is written `let m = ..;`");
}

static bool starts_operand(const struct ftoken *token)
{
    return token->kind == FTOK_NAME || token->kind == FTOK_INTEGER || token->kind == FTOK_DECIMAL ||
           token->kind == '(';
}

// The token before is the exponent of a power.
static bool ends_power(const struct ftokens *tokens, uint32_t found)
{
    return found > 2 && tokens->at.at[found - 1].kind == FTOK_INTEGER &&
           tokens->at.at[found - 2].kind == '^';
}

// sin^2(x), and x^2 y.
static void hint_behind_power(const struct ftokens *tokens, uint32_t found, struct err *err)
{
    const struct ftoken *token = &tokens->at.at[found], *base = token - 3, *exponent = token - 1;
    bool function = base->kind == FTOK_NAME && token->kind == '(' &&
                    fname_of_surface(base->at, base->len, 1, FNAME_CALL) != NULL;
    if (function)
        err_hint(err, "the power of a value is written `%.*s(..)^%.*s`", (int)base->len, base->at,
                 (int)exponent->len, exponent->at);
    else if (base->kind == FTOK_NAME)
        err_hint(err, "a product is written `%.*s^%.*s*%.*s%s`", (int)base->len, base->at,
                 (int)exponent->len, exponent->at, (int)token->len, token->at,
                 token->kind == '(' ? "..)" : "");
    else
        err_hint(err, "a product is written with `*`");
}

// `sin x`, `x mod y`, `std::max(x, y)`, `(float)x`: as mathematics and C write.
static bool hint_other_language(const struct ftokens *tokens, uint32_t found, struct err *err)
{
    const struct ftoken *token = &tokens->at.at[found], *before = token - (found > 0);
    if (token_is(token, "mod") && starts_operand(token + 1))
        return !err_hint(err, "the remainder is `x - y*floor(x/y)`");
    if (token->kind == ':' && token[1].kind == ':')
        return !err_hint(err, "functions have no namespace: leave out `%.*s::`", (int)before->len,
                         before->at);
    if (before->kind == ')' && found >= 3 && token[-3].kind == '(' && starts_operand(token) &&
        (token_is(&token[-2], "float") || token_is(&token[-2], "double") ||
         token_is(&token[-2], "int")))
        return !err_hint(err, "all numbers are real: leave out `(%.*s)`", (int)token[-2].len,
                         token[-2].at);
    bool is_function = before->kind == FTOK_NAME && token->kind != '(' && starts_operand(token) &&
                       (fname_of_surface(before->at, before->len, 1, FNAME_CALL) != NULL ||
                        fname_of_surface(before->at, before->len, 1, FNAME_REDUCE) != NULL);
    return is_function && !err_hint(err, "a function has parentheses: `%.*s(%.*s)`",
                                    (int)before->len, before->at, (int)token->len, token->at);
}

void formula_hint_expected(const struct ftokens *tokens, uint32_t found, const char *what,
                           struct err *err)
{
    const struct ftoken *token = &tokens->at.at[found], *before = token - (found > 0);
    bool operator_expected = strstr(what, "operator") != NULL;
    if (hint_start(&tokens->at.at[0], err))
        return;
    if (token->ended && operator_expected)
        err_hint(err, "`//` starts a comment: its `;` ends no statement");
    else if (token->kind == '=')
        hint_equals(tokens, found, what, err);
    else if (token->kind == ':' && operator_expected && tokens->at.at[found + 1].kind == '=')
        hint_equals(tokens, found, what, err);
    else if ((token->kind == FTOK_END || token->kind == ';') && open_before(tokens, found) > 0)
        err_hint(err, "%u parenthes%s not closed", open_before(tokens, found),
                 open_before(tokens, found) == 1 ? "is is" : "es are");
    else if (token->kind == ')' && operator_expected && open_before(tokens, found) == 0)
        err_hint(err, "no parenthesis is open here");
    else if (token->kind == FTOK_END && strstr(what, "`;`") != NULL)
        err_hint(err, "the statement ends with `;`, and the formula comes behind it");
    else if (token->kind == ';' && strstr(what, "`[`") != NULL)
        err_hint(err, "a name without axes is declared by `scalar %.*s;`", (int)before->len,
                 before->at);
    else if (strstr(what, "name of an axis") != NULL)
        err_hint(err, "axes have names, not numbers, and no ranges: `x[i, j]` is an element");
    else if (token->kind == '[' && before->kind == ']')
        err_hint(err, "the axes of an element stand in one pair of brackets: `x[i, j]`");
    else if (token->kind == '[' && operator_expected)
        err_hint(err, "only a name has axes: `x[i, j]`");
    else if (token->kind == '!' && operator_expected)
        err_hint(err, "there is no factorial");
    else if (token->kind == '*' || token->kind == '/' || token->kind == '^')
        err_hint(err, "an operand is missing between `%.*s` and `%.*s`", (int)before->len,
                 before->at, (int)token->len, token->at);
    else if (operator_expected && token_is(token, "if"))
        err_hint(err, "write `where(c, a, b)`, or `c ? a : b`");
    else if (operator_expected && token_is(token, "given"))
        err_hint(err, "what is given comes first: `given eps > 0; ..`");
    else if (operator_expected && hint_other_language(tokens, found, err))
        return;
    else if (operator_expected && starts_operand(token) && ends_power(tokens, found))
        hint_behind_power(tokens, found, err);
    else if (operator_expected && starts_operand(token) && starts_operand(before) &&
             before->kind != '(')
        err_hint(err, "a product is written `%.*s*%.*s%s`", (int)before->len, before->at,
                 (int)token->len, token->at, token->kind == '(' ? "..)" : "");
    else if (operator_expected && starts_operand(token) && before->kind == ')')
        err_hint(err, "a product is written with `*`");
}

// ---- functions

bool formula_hint_function(const char *name, struct err *err)
{
    static const struct word words[] = {
        {"log10", "write `log(x)/log(10)`"},
        {"exp10", "write `10^x`"},
        {"square", "write `x^2`"},
        {"reciprocal", "write `1/x`"},
        {"inv", "write `1/x`"},
        {"transpose", "the last two axes are swapped by `tr(A)`"},
        {"dot", "write `sum(x*y)` for vectors, `matmul(A, B)` for matrices"},
        {"einsum", "write `sum[j] A[i,j]*B[j,k]`"},
        {"mm", "write `matmul(A, B)`"},
        {"bmm", "write `matmul(A, B)`"},
        {"average", "write `mean(x)`"},
        {"select", "write `where(c, a, b)`"},
        {"ite", "write `where(c, a, b)`"},
        {"if", "write `where(c, a, b)`"},
        {"clamp", "write `clip(x, low, high)`"},
        {"round", "write `floor(x + 0.5)`"},
        {"mod", "write `x - y*floor(x/y)`"},
        {"fmod", "write `x - y*floor(x/y)`, if x and y are positive"},
        {"len", "`N` is the size of the axis that is reduced, `size(j)` that of the axis j"},
        {"shape", "`N` is the size of the axis that is reduced, `size(j)` that of the axis j"},
        {"reduce_sum", "write `sum(x)`"},
        {"reduce_max", "write `max(x)`"},
        {"amax", "write `max(x)`"},
        {"amin", "write `min(x)`"},
        {"sec", "write `1/cos(x)`"},
        {"csc", "write `1/sin(x)`"},
        {"cot", "write `1/tan(x)`"},
        {"erfc", "write `1 - erf(x)`"},
        {"heaviside", "write `where(x > 0, 1, 0)`"},
        {"sgn", "write `sign(x)`"},
        {"swish", "write `silu(x)`"},
        {"concatenate", "write `cat(u, v)`"},
        {"concat", "write `cat(u, v)`"},
    };
    const char *hint = HINT_OF(name, strlen(name), words);
    return hint != NULL && !err_hint(err, "%s", hint);
}
