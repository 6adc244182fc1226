// SPDX-License-Identifier: Apache-2.0
// Hints for names: that of a like name, or of the construct that a word of another
// language stands for.
#include "base/text/suggest.h"
#include "rules/language/tokens/hints.h"
#include "tensor/language/op.h"

struct word {
    const char *word, *hint;
};

static const char *hint_of(const struct token *name, const struct word *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (token_is_word(name, words[i].word))
            return words[i].hint;
    return NULL;
}

static struct nearest near_name(const struct token *name)
{
    return nearest_to(name->at, name->len);
}

static void consider(struct nearest *nearest, const char *word)
{
    nearest_consider(nearest, word, strlen(word));
}

static void consider_symbols(const struct parser *parser, enum sym_kind kind,
                             struct nearest *nearest)
{
    for (uint32_t i = 0; i < parser->touched.len; i++)
        if (parser->syms[parser->touched.at[i]].kind == kind)
            consider(nearest, intern_text(&parser->lx.names, parser->touched.at[i]));
}

// The texts of the words that a tensor's type, or a size, has elsewhere.
static bool hint_type(struct parser *parser, const struct token *name)
{
    static const struct word words[] = {
        {"f16", "floats of every width are `float`"},
        {"bf16", "floats of every width are `float`"},
        {"f32", "floats of every width are `float`"},
        {"f64", "floats of every width are `float`"},
        {"double", "floats of every width are `float`"},
        {"float32", "floats of every width are `float`"},
        {"float64", "floats of every width are `float`"},
        {"i1", "truth values are `bool`"},
        {"boolean", "truth values are `bool`"},
        {"i8", "integers of every width are `int`, signed ones `sint`"},
        {"i16", "integers of every width are `int`, signed ones `sint`"},
        {"i32", "integers of every width are `int`, signed ones `sint`"},
        {"i64", "integers of every width are `int`, signed ones `sint`"},
        {"int32", "integers of every width are `int`, signed ones `sint`"},
        {"int64", "integers of every width are `int`, signed ones `sint`"},
        {"integer", "the kind is `int`"},
        {"ui8", "unsigned integers of every width are `uint`"},
        {"ui32", "unsigned integers of every width are `uint`"},
        {"number", "the kind is `num`"},
        {"numeric", "the kind is `num`"},
    };
    static const char *const kinds[] = {"any",  "num",   "int",  "sint",
                                        "uint", "float", "real", "bool"};
    const char *hint = hint_of(name, words, sizeof words / sizeof *words);
    struct nearest near = near_name(name);
    if (hint != NULL)
        return !parser_hint(parser, "%s", hint);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        consider(&near, kinds[i]);
    consider_symbols(parser, SYM_TYPE, &near);
    if (near.word != NULL)
        return !parser_hint(parser, "did you mean `%s`?", near.word);
    return !parser_hint(parser,
                        "the kinds are any, num, int, sint, uint, float and bool; a type "
                        "variable has a capital letter or is declared: `type %.*s : any;`",
                        token_shown(name), name->at);
}

// A function that is named as a reducer.
static bool hint_reducer(struct parser *parser, const struct token *name)
{
    static const struct word words[] = {
        {"sum", "+"},       {"add", "+"},     {"plus", "+"},  {"prod", "*"},      {"mul", "*"},
        {"multiply", "*"},  {"product", "*"}, {"times", "*"}, {"maximum", "max"}, {"amax", "max"},
        {"minimum", "min"}, {"amin", "min"},  {"any", "|"},   {"or", "|"},        {"all", "&"},
        {"and", "&"},       {"xor", "^"},
    };
    const char *sign = hint_of(name, words, sizeof words / sizeof *words);
    return sign != NULL && !parser_hint(parser, "write `reduce(%s, A, {x})`", sign);
}

static void hint_declare(struct parser *parser, const struct token *name, enum sym_kind wanted)
{
    int n = token_shown(name);
    if (wanted == SYM_MAP && token_is_word(&parser->lx.tokens.at[parser->start], "let")) {
        parser_hint(parser,
                    "`let` names an integer expression of maps; parts of a rule's sides "
                    "are written out, and a map is declared by `map %.*s on x;`",
                    n, name->at);
        return;
    }
    if (wanted == SYM_CLASS)
        parser_hint(parser, "declare it: `axes %.*s;`, or `axis %.*s;` if it is one axis", n,
                    name->at, n, name->at);
    else if (wanted == SYM_MAP)
        parser_hint(parser, "declare it on its class: `map %.*s on x;`", n, name->at);
    else if (wanted == SYM_TENSOR)
        parser_hint(parser, "declare it: `tensor %.*s[x: n] : any;`, or `scalar %.*s : any;`", n,
                    name->at, n, name->at);
    else if (wanted == SYM_OPVAR)
        parser_hint(parser, "declare it: `op %.*s : monoid(T);`", n, name->at);
}

// Is there a minimum or maximum of one operand, as of all elements of a tensor?
static bool reduces(const struct token *first, const struct token *last)
{
    for (const struct token *at = first; at + 3 <= last; at++)
        if ((token_is_word(at, "min") || token_is_word(at, "max")) && at[1].kind == '(' &&
            at[2].kind == T_NAME && at[3].kind == ')')
            return true;
    return false;
}

// A tensor in a precondition on maps: the condition stands within all(..).
static bool hint_element_condition(struct parser *parser)
{
    const struct token *at = &parser->lx.tokens.at[parser->start];
    if (!token_is_word(at, "where"))
        return false;
    const struct token *first = at + 1, *last = first;
    while (last[1].kind != ';' && last[1].kind != T_END && last[1].kind != '}' &&
           last[1].place.line == first->place.line)
        last++;
    int n = (int)(last->at + last->len - first->at);
    if (reduces(first, last))
        return !parser_hint(parser, "a precondition on elements speaks of each of them: "
                                    "`where all(A > 0)`");
    if (last[1].kind != ';' || n > RULES_TOKEN_SHOWN)
        return !parser_hint(parser, "a condition on elements is written `where all(A > 0)`");
    return !parser_hint(parser, "a condition on elements is written `where all(%.*s)`", n,
                        first->at);
}

void hint_unknown(struct parser *parser, const struct token *name, enum sym_kind wanted)
{
    static const struct word words[] = {
        {"rank", "the rank of a class is any; `axes x rank >= 1` has at least one axis, "
                 "`axis a` is one"},
        {"and", "elements are joined by `&`: `A & B`"},
        {"or", "elements are joined by `|`: `A | B`"},
        {"not", "the negation of elements is `!A`"},
        {"None", "an attribute that is left out has its default"},
        {"True", "write `true`"},
        {"False", "write `false`"},
        {"e", "write `exp(1)`"},
        {"nan", "rules have no NaN"},
        {"infinity", "write `inf`"},
    };
    const char *hint = hint_of(name, words, sizeof words / sizeof *words);
    struct nearest near = near_name(name);
    if (hint == NULL && name[1].kind == T_ERROR && *name[1].at == '.')
        hint = "operators have no prefix: write `exp(A)`, `reduce(+, A, {x})`";
    if (hint != NULL) {
        parser_hint(parser, "%s", hint);
        return;
    }
    if (name[1].kind == '=') { // an attribute: the form of the call is wrong
        parser->expected = true;
        return;
    }
    if (wanted == SYM_TYPE) {
        hint_type(parser, name);
        return;
    }
    if (wanted == SYM_OPVAR && hint_reducer(parser, name))
        return;
    consider_symbols(parser, wanted, &near);
    if (wanted == SYM_TENSOR)
        consider_symbols(parser, SYM_SCALAR, &near);
    if (near.word != NULL)
        parser_hint(parser, "did you mean `%s`?", near.word);
    else
        hint_declare(parser, name, wanted);
}

void hint_other_kind(struct parser *parser, const struct token *name, enum sym_kind wanted)
{
    const struct symbol *symbol = &parser->syms[name->name];
    int n = token_shown(name);
    if (wanted == SYM_CLASS && symbol->kind == SYM_MAP && symbol->index < parser->maps.len &&
        parser->maps.at[symbol->index].cls < parser->classes.len) {
        const char *class = parser->classes.at[parser->maps.at[symbol->index].cls].name;
        if (name > parser->lx.tokens.at && name[-1].kind == '[')
            parser_hint(parser, "`%.*s` is a map on `%s`: write `[%s: %.*s]`", n, name->at, class,
                        class, n, name->at);
        else
            parser_hint(parser, "`%.*s` is a map on the class `%s`", n, name->at, class);
    } else if (wanted == SYM_MAP && symbol->kind == SYM_CLASS) {
        parser_hint(parser, "`%.*s` is a class of axes; its sizes are a map: `map n on %.*s;`", n,
                    name->at, n, name->at);
    } else if (wanted == SYM_MAP && (symbol->kind == SYM_TENSOR || symbol->kind == SYM_SCALAR)) {
        if (!hint_element_condition(parser))
            parser_hint(parser, "an attribute is an integer that is known when the rule is "
                                "applied: `map s on x;`; a start that the program computes is "
                                "`index i on x;`");
    } else if (wanted == SYM_TENSOR && symbol->kind == SYM_MAP) {
        parser_hint(parser,
                    "a map is an integer for each axis; `value(%.*s)` is one as an "
                    "element, if its class is a single `axis`",
                    n, name->at);
    } else if (wanted == SYM_TENSOR && symbol->kind == SYM_OPVAR) {
        parser_hint(parser, "an operator variable has operands: `%.*s(A, B)`", n, name->at);
    } else if (wanted == SYM_OPVAR && name[1].kind != '(') {
        parser_hint(parser, "the reducer comes first: `reduce(+, A, {x})`");
    } else if (wanted == SYM_OPVAR && symbol->kind == SYM_TENSOR) {
        parser_hint(parser, "a tensor has no indices; `slice` and `gather` take parts of it");
    } else if (wanted == SYM_TYPE) {
        parser_hint(parser, "the kinds are any, num, int, sint, uint, float and bool");
    }
}

// ---- operators

static const struct word operators[] = {
    {"transpose", "axes are named and have no order, so that a rule has no transposes; "
                  "`relabel(A, {x <-> y})` renames axes"},
    {"permute", "axes are named and have no order, so that a rule has no transposes; "
                "`relabel(A, {x <-> y})` renames axes"},
    {"swapaxes", "axes are named: `relabel(A, {x <-> y})`"},
    {"moveaxis", "axes are named and have no order"},
    {"matmul", "write `dot(A, B, contract={k})`"},
    {"mm", "write `dot(A, B, contract={k})`"},
    {"bmm", "write `dot(A, B, contract={k}, batch={b})`"},
    {"einsum", "write `dot(A, B, contract={k}, batch={b})`"},
    {"dot_general", "write `dot(A, B, contract={k}, batch={b})`"},
    {"convolution", "write `conv(A, K, feature={f}, spatial={s})`"},
    {"conv2d", "write `conv(A, K, feature={f}, spatial={s})`"},
    {"sum", "write `reduce(+, A, {x})`"},
    {"reduce_sum", "write `reduce(+, A, {x})`"},
    {"prod", "write `reduce(*, A, {x})`"},
    {"mean", "write `reduce(+, A, {x}) / count({x: n})`"},
    {"reduce_max", "write `reduce(max, A, {x})`"},
    {"reduce_min", "write `reduce(min, A, {x})`"},
    {"amax", "write `reduce(max, A, {x})`"},
    {"any", "write `reduce(|, A, {x})`"},
    {"all", "write `reduce(&, A, {x})`; a precondition on elements is `where all(P);`"},
    {"where", "write `select(P, A, B)`; a precondition is a statement, `where n <= m;`"},
    {"ite", "write `select(P, A, B)`"},
    {"relu", "write `max(A, 0)`"},
    {"sigmoid", "write `logistic(A)`"},
    {"ln", "write `log(A)`"},
    {"arctan2", "write `atan2(A, B)`"},
    {"square", "write `A * A`"},
    {"reciprocal", "write `1 / A`"},
    {"fabs", "write `abs(A)`"},
    {"mod", "of elements, write `A % B`"},
    {"div", "of elements, write `A / B`"},
    {"not", "write `!A`"},
    {"squeeze", "write `reshape(A, [u] -> [])`, where `axis u` has size 1"},
    {"unsqueeze", "write `reshape(A, [] -> [u])`, or `broadcast(A, {u: 1})`"},
    {"expand_dims", "write `reshape(A, [] -> [u])`, or `broadcast(A, {u: 1})`"},
    {"flatten", "write `merge(A, [x, y] -> z)`"},
    {"view", "write `reshape(A, [x, y] -> [z: k])`"},
    {"concatenate", "write `concat(A, B, axis=a)`"},
    {"cat", "write `concat(A, B, axis=a)`"},
    {"stack", "write `concat(broadcast(A, {a: 1}), broadcast(B, {a: 1}), axis=a)`"},
    {"flip", "write `reverse(A, {x})`"},
    {"broadcast_in_dim", "write `broadcast(A, {y: m})`"},
    {"broadcast_to", "write `broadcast(A, {y: m})`"},
    {"expand", "write `broadcast(A, {y: m})`"},
    {"tile", "a repetition is a broadcast along a new axis: `broadcast(A, {y: m})`"},
    {"cast", "write `convert(A, T)`"},
    {"astype", "write `convert(A, T)`"},
    {"arange", "write `iota({a: n}, axis=a)`"},
    {"zeros", "a literal stands for the constant tensor: `A + 0`, or `broadcast(0, {x: n})`"},
    {"ones", "a literal stands for the constant tensor: `A * 1`, or `broadcast(1, {x: n})`"},
    {"full", "a scalar stands for the constant tensor: `broadcast(v, {x: n})`"},
    {"splat", "a scalar stands for the constant tensor: `broadcast(v, {x: n})`"},
    {"constant", "a literal stands for itself: `0`, `0.5`, `true`"},
    {"const", "a literal stands for itself: `0`, `0.5`, `true`"},
    {"shape", "a size is a map: `map n on x; tensor A[x: n] : any;`"},
    {"dim", "a size is a map: `map n on x; tensor A[x: n] : any;`"},
    {"size", "a size is a map: `map n on x; tensor A[x: n] : any;`, as an element `value(n)`"},
    {"len", "a size is a map: `map n on x; tensor A[x: n] : any;`, as an element `value(n)`"},
};

void hint_operator(struct parser *parser, const struct token *name, const char *const *functions)
{
    const char *hint = hint_of(name, operators, sizeof operators / sizeof *operators);
    if (hint != NULL) {
        parser_hint(parser, "%s", hint);
        return;
    }
    struct nearest near = near_name(name);
    for (; *functions != NULL; functions++)
        consider(&near, *functions);
    for (int op = 0; op < N_OPS; op++) {
        if (!op_is_elementwise((enum op)op))
            continue;
        consider(&near, op_name((enum op)op));
        if (op_info((enum op)op)->word != NULL)
            consider(&near, op_info((enum op)op)->word);
    }
    consider_symbols(parser, SYM_OPVAR, &near);
    if (near.word != NULL)
        parser_hint(parser, "did you mean `%s`?", near.word);
    else
        parser_hint(parser,
                    "docs/rule-language.md lists the operators; `op %.*s : elementwise(T) "
                    "-> T;` declares any operator",
                    token_shown(name), name->at);
}

void hint_function(struct parser *parser, const struct token *name)
{
    static const struct word words[] = {
        {"rank", "the rank of a class is any; `axes x rank >= 1` has at least one axis, "
                 "`axis a` is one"},
        {"size", "a size is a map: `map n on x; tensor A[x: n] : any;`"},
        {"dim", "a size is a map: `map n on x; tensor A[x: n] : any;`"},
        {"len", "a size is a map: `map n on x; tensor A[x: n] : any;`"},
        {"shape", "a size is a map: `map n on x; tensor A[x: n] : any;`"},
        {"sum", "a condition holds axis by axis: sums and products over axes cannot be stated"},
        {"prod", "a condition holds axis by axis: sums and products over axes cannot be stated"},
        {"floordiv", "write `div(a, b)`"},
        {"ceil", "a quotient that is rounded up is `ceildiv(a, b)`"},
        {"floor", "a quotient that is rounded down is `div(a, b)`"},
        {"rem", "write `mod(a, b)`"},
        {"pow", "write `n*n`"},
        {"gcd", "divisibility is the condition `divides(d, n)`"},
        {"not", "the negation of a condition is `not (n == 0)`"},
        {"all", "`all(P)` is a conjunct of its own: `where all(P), n > 0;`"},
        {"any", "a precondition on elements holds for all of them: `where all(P);`"},
    };
    static const char *const functions[] = {"div", "mod",   "ceildiv", "min",   "max",
                                            "abs", "clamp", "divides", "within"};
    const char *hint = hint_of(name, words, sizeof words / sizeof *words);
    struct nearest near = near_name(name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        consider(&near, functions[i]);
    if (hint != NULL)
        parser_hint(parser, "%s", hint);
    else if (near.word != NULL)
        parser_hint(parser, "did you mean `%s`?", near.word);
}

// ---- statements

void hint_statement(struct parser *parser, const struct token *word)
{
    static const struct word words[] = {
        {"requires", "a precondition is written `where n <= m;`"},
        {"require", "a precondition is written `where n <= m;`"},
        {"assume", "a precondition is written `where n <= m;`"},
        {"given", "a precondition is written `where n <= m;`"},
        {"if", "a precondition is written `where n <= m;`"},
        {"assert", "a precondition is written `where n <= m;`"},
        {"dim", "a class of axes is declared by `axes x;`, one axis by `axis a;`"},
        {"dims", "a class of axes is declared by `axes x;`, one axis by `axis a;`"},
        {"int", "an integer for each axis is declared by `map n on x;`"},
        {"size", "sizes are declared by `map n on x;`"},
        {"attr", "attributes are declared by `map s on x;`"},
        {"var", "declare a tensor by `tensor A[x: n] : any;`, an integer by `map n on x;`"},
        {"const", "a computed integer is `let q = s + 1;`"},
        {"constant", "a scalar is declared by `scalar v : any;`"},
        {"def", "an expression is named by `let q = expression;`"},
        {"domain", "the domains of a rule are named by `claims int, real;`"},
        {"domains", "the domains of a rule are named by `claims int, real;`"},
        {"not", "the negation of elements is `!A`"},
        {"forall", "every declared name stands for all its values"},
    };
    static const char *const keywords[] = {
        "origin", "claims", "axes", "axis",  "map",   "type",  "tensor",
        "scalar", "op",     "let",  "where", "index", "wider",
    };
    const char *hint = hint_of(word, words, sizeof words / sizeof *words);
    struct nearest near = near_name(word);
    if (hint != NULL) {
        parser_hint(parser, "%s", hint);
        return;
    }
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        consider(&near, keywords[i]);
    if (near.word != NULL)
        parser_hint(parser, "did you mean `%s`?", near.word);
}

void hint_domain(struct parser *parser, const struct token *name)
{
    static const struct word words[] = {
        {"all", "a rule without `claims` claims every domain"},
        {"any", "a rule without `claims` claims every domain"},
        {"num", "the domains of numbers are int, word, real and float"},
        {"f32", "floats of every width are `float`"},
        {"f64", "floats of every width are `float`"},
        {"i32", "wrapping integers of every width are `word`"},
        {"i64", "wrapping integers of every width are `word`"},
        {"uint", "wrapping integers of every width are `word`"},
        {"sint", "wrapping integers of every width are `word`"},
    };
    const char *hint =
        name->kind == T_NAME ? hint_of(name, words, sizeof words / sizeof *words) : NULL;
    struct nearest near = nearest_to(name->at, name->kind == T_NAME ? name->len : 0);
    for (int d = 0; d < N_DOMAINS; d++)
        consider(&near, domain_text((enum domain)d));
    if (hint != NULL)
        parser_hint(parser, "%s", hint);
    else if (near.word != NULL)
        parser_hint(parser, "did you mean `%s`?", near.word);
}
