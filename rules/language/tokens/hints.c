// SPDX-License-Identifier: Apache-2.0
#include "rules/language/tokens/hints.h"

#include "base/character.h"
#include "base/text/cursor.h"
#include "base/text/division.h"
#include <stdarg.h>

bool parser_hint(struct parser *parser, const char *fmt, ...)
{
    if (parser->reported == 0)
        return false;
    struct err *err = &parser->errs->at.at[parser->reported - 1];
    char text[sizeof err->hint];
    va_list ap;
    va_start(ap, fmt);
    if (vsnprintf(text, sizeof text, fmt, ap) < 0)
        text[0] = '\0';
    va_end(ap);
    return err_hint(err, "%s", text);
}

static bool token_text_is(const struct token *token, const char *text)
{
    return token->kind != T_STRING && token->kind != T_END && strlen(text) == token->len &&
           memcmp(token->at, text, token->len) == 0;
}

// ---- numbers and characters

// 1.5e-3 as 0.0015.  False: the exponent is too large to be written out.
static bool write_out(const struct token *token, struct buf *out)
{
    struct buf digits = {0};
    const char *at = token->at, *end = token->at + token->len;
    int point = 0;
    bool fraction = false;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            fraction = true;
        } else {
            buf_putc(&digits, *at);
            point += !fraction;
        }
    }
    bool minus = at + 1 < end && at[1] == '-';
    int exponent = 0;
    for (at += 1 + (at + 1 < end && (at[1] == '-' || at[1] == '+')); at < end; at++)
        exponent = exponent < RULES_DIGITS ? exponent * 10 + (*at - '0') : exponent;
    point += minus ? -exponent : exponent;
    bool ok = digits.len + (size_t)exponent < RULES_DIGITS;
    for (int i = point < 1 ? point - 1 : 0; ok && (i < (int)digits.len || i < point); i++) {
        if (i == point)
            buf_putc(out, '.');
        buf_putc(out, i < 0 || i >= (int)digits.len ? '0' : digits.at[i]);
    }
    buf_release(&digits);
    return ok;
}

static bool hint_number(struct parser *parser, const struct token *token)
{
    if (token->len == 0 || token->at[0] < '0' || token->at[0] > '9')
        return false;
    size_t n = 0;
    while (n < token->len && ((token->at[n] >= '0' && token->at[n] <= '9') || token->at[n] == '.'))
        n++;
    const char *rest = token->at + n;
    size_t left = token->len - n;
    struct buf buf = {0};
    if (left > 1 && (*rest == 'e' || *rest == 'E') && write_out(token, &buf))
        parser_hint(parser, "numbers have no exponent: write `%s`", buf_text(&buf));
    else if (left == 1 && strchr("fFlLuU", *rest) != NULL)
        parser_hint(parser, "numbers have no suffix: write `%.*s`", (int)n, token->at);
    else if (left > 0 && (*rest == 'x' || *rest == 'X') && n == 1)
        parser_hint(parser, "numbers are decimal");
    else if (left > 0 && *rest != 'e' && *rest != 'E')
        parser_hint(parser, "a product is written `%.*s*%.*s`", (int)n, token->at, (int)left, rest);
    buf_release(&buf);
    return true;
}

// Letters of Latin, Greek and Cyrillic.
static bool is_foreign_letter(const struct token *token)
{
    uint32_t code = token->len > 0 ? character_next(token->at, token->len).code : 0;
    return (code >= 0xc0 && code <= 0x24f && code != 0xd7 && code != 0xf7) ||
           (code >= 0x370 && code <= 0x52f);
}

static bool hint_character(struct parser *parser, const struct token *token)
{
    static const struct {
        const char *character, *hint;
    } habits[] = {
        {"\xc3\x97", "write `*`"},
        {"\xc2\xb7", "write `*`"},
        {"\xc3\xb7", "write `/`"},
        {"\xe2\x88\x92", "write `-`"},
        {"\xe2\x80\x93", "write `-`"},
        {"\xe2\x89\xa4", "write `<=`"},
        {"\xe2\x89\xa5", "write `>=`"},
        {"\xe2\x89\xa0", "write `!=`"},
        {"\xe2\x87\x92", "write `=>`"},
        {"\xe2\x86\x92", "write `=>` between the sides of a rule, `->` in a renaming"},
        {"\xe2\x88\xa7", "write `and` between conditions, `&` between elements"},
        {"\xe2\x88\xa8", "write `or` between conditions, `|` between elements"},
        {"\xc2\xac", "write `not` before a condition, `!` before elements"},
        {"\xe2\x88\x9e", "write `inf`"},
        {"\xc2\xb2", "a square is `A * A`, or `n*n`"},
        {"\xe2\x80\x9c", "a string stands between two `\"`"},
        {"'", "a string stands between two `\"`; a name has letters, digits and `_`"},
        {"@", "the product of matrices is `dot(A, B, contract={k})`"},
        {"?", "write `select(P, A, B)`; a size that is not known is a map: "
              "`map n on x`"},
        {"#", "`//` starts a comment"},
        {"%", "a name has letters, digits and `_`"},
    };
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (token_text_is(token, habits[i].character))
            return !parser_hint(parser, "%s", habits[i].hint);
    if (is_foreign_letter(token))
        return !parser_hint(parser, "a name has letters (a to z), digits and `_`");
    if (!token_text_is(token, "."))
        return false;
    if (token_is_word(token + 1, "T") || token_is_word(token + 1, "transpose"))
        parser_hint(parser, "axes are named and have no order, so that there is no transpose; "
                            "`relabel(A, {x <-> y})` renames them");
    else if (token_is_word(token + 1, "shape") || token_is_word(token + 1, "size"))
        parser_hint(parser, "a size is a map: `map n on x; tensor A[x: n] : any;`");
    else if (token[1].kind == T_INT)
        parser_hint(parser, "write `0.%.*s`", (int)token[1].len, token[1].at);
    else
        parser_hint(parser, "operators have no prefix: write `exp(A)`, `reduce(+, A, {x})`");
    return true;
}

// ---- tokens that stand in a wrong place

struct habit {
    const char *found, *before, *expected; // NULL: any; `expected`: a part of the text
    const char *hint;
};

static const struct habit habits[] = {
    {"*", "*", "a pattern", "a power is `pow(A, B)`, a square `A * A`"},
    {"*", "*", NULL, "integer expressions have no powers: write `n*n`"},
    {"=", NULL, "a comparison", "equal is `==`"},
    {"=", NULL, "`=>`", "`=>` stands between the sides of a rule; `A == B` compares elements"},
    {"->", NULL, "`=>`", "`=>` stands between the sides of a rule"},
    {"<->", NULL, "`=>`", "a rule has one direction: left `=>` right"},
    {"=>", NULL, "`,` or `;`", "a rule has two sides; each further rule is a `rule` of its own"},
    {">", ">", "a pattern", "write `shift_right_arithmetic(A, B)` or `shift_right_logical(A, B)`"},
    {"<", "<", "a pattern", "write `shift_left(A, B)`"},
    {">", "==", "a pattern", "`=>` stands between the sides of a rule"},
    {">", "<=", "a pattern", "a rule has one direction: left `=>` right"},
    {";", NULL, "`=>`", "a rule is `left => right`"},
    {"}", NULL, "`=>`", "a rule is `left => right`"},
    {"-", "<", NULL, "`=>` stands between the sides of a rule"},
    {";", NULL, "`,` or `on`",
     "an integer belongs to each axis of a class: `map n on x;`, `index i on x;`"},
    {"{", NULL, "`=>`", "classes stand where a tensor is declared: here it is `A` alone"},
    {":", NULL, "`=>`",
     "`=>` stands between the sides of a rule; `let q = ..` names an "
     "integer expression"},
    {":", NULL, "`on` or `=`", "a definition is written `let q = expression;`"},
    {":", NULL, "`=`", "an attribute is written `name=value`"},
    {"&", "&", "a pattern", "elements have one sign: `A & B`"},
    {"|", "|", "a pattern", "elements have one sign: `A | B`"},
    {"&", NULL, NULL, "conditions are joined by `and`, or by a comma"},
    {"|", NULL, NULL, "conditions are joined by `or`"},
    {"!", NULL, "an integer expression", "the negation of a condition is `not`"},
    {"and", ")", "`,` or `;`", "`all(..)` and conditions on maps are separated by commas"},
    {"or", ")", "`,` or `;`", "`all(..)` and conditions on maps are separated by commas"},
    {"and", NULL, NULL, "elements are joined by `&`: `A & B`"},
    {"or", NULL, NULL, "elements are joined by `|`: `A | B`"},
    {"not", NULL, NULL, "the negation of elements is `!A`"},
    {"if", NULL, NULL, "a precondition is a statement of its own: `where n <= m;`"},
    {"where", NULL, NULL,
     "a precondition is a statement of its own, before or behind the "
     "rule: `where n <= m;`"},
    {"when", NULL, NULL, "a precondition is a statement of its own: `where n <= m;`"},
    {"/", NULL, "a pattern", NULL},
    {"%", NULL, "a pattern", "a name has letters, digits and `_`, without `%`"},
    {"^", NULL, "a pattern", NULL},
    {"/", NULL, NULL,
     "integers are divided by `div(a, b)`, rounded down, or `ceildiv(a, b)`, "
     "rounded up"},
    {"%", NULL, NULL, "the remainder of integers is `mod(a, b)`"},
    {"^", NULL, NULL, "integer expressions have no powers: write `n*n`"},
    {"[", NULL, "an integer expression",
     "an attribute is one integer for each axis of a class, "
     "not a list: `start=s`, or `start={x: s, y: t}`"},
    {"[", NULL, "`{`", "axis classes stand in braces: `{x}`"},
    {"(", NULL, "`{`", "axis classes stand in braces: `{x}`"},
    {"[", NULL, "an axis class",
     "axes are named, not numbered, and one class stands here: "
     "`axis a;` and `axis=a`"},
    {"[", NULL, NULL, "a tensor has no indices; `slice(A, start=s, limit=e)` is a part of it"},
    {"]", NULL, "an axis class", "a comma stands between two classes only"},
    {";", NULL, "`:`",
     "the element type is missing: `: any`, `: num`, `: int`, `: float`, "
     "`: bool` or a name of a type"},
    {"-", NULL, "`{`", "a name has letters, digits and `_`"},
    {".", NULL, "`{`", "a name has letters, digits and `_`"},
    {"=", NULL, "`:`", "a size is written `[x: n]`"},
    {"=", NULL, "`,` or `;`",
     "the value of a map is not fixed in its declaration: "
     "`let q = expression;`, or `where n == 3;`"},
    {",", NULL, "`:`", "every class has its size: `[x: n, y: m]`"},
    {"]", NULL, "`:`", "every class has its size: `[x: n]`"},
    {":", NULL, "`[`",
     "a tensor has its classes and sizes in brackets: `tensor A[x: n] : any`; "
     "one of rank 0 is `scalar v : any`"},
    {"{", NULL, "a pattern", NULL},
    {"<", NULL, NULL, NULL},
};

// An index of a tensor, perhaps of one that has one element.
static bool hint_index(struct parser *parser, const struct token *found)
{
    const struct token *name = found - (found > parser->lx.tokens.at);
    return found->kind == '[' && name->kind == T_NAME &&
           parser->syms[name->name].kind == SYM_SCALAR &&
           !parser_hint(parser, "`%.*s` has rank 0: it is its one element, and has no index",
                        token_shown(name), name->at);
}

static bool hint_token(struct parser *parser, const struct token *found, const char *what)
{
    const struct token *before = found > parser->lx.tokens.at ? found - 1 : NULL;
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        const struct habit *habit = &habits[i];
        if (!token_text_is(found, habit->found) ||
            (habit->before && (!before || !token_text_is(before, habit->before))) ||
            (habit->expected && strstr(what, habit->expected) == NULL))
            continue;
        if (habit->hint != NULL)
            parser_hint(parser, "%s", habit->hint);
        return true;
    }
    return false;
}

// A word that starts a statement, in a line below that of the token before.
static bool hint_semicolon(struct parser *parser, const struct token *found, const char *what)
{
    const struct token *before = found > parser->lx.tokens.at ? found - 1 : NULL;
    if (before == NULL || before->kind == ';' || before->kind == '{' ||
        before->place.line == found->place.line ||
        (strstr(what, "`;`") == NULL && strstr(what, "`=>`") == NULL))
        return false;
    return !parser_hint(parser,
                        "every statement ends with `;`, which may be missing at the end of line %u",
                        before->place.line);
}

// A comment that was meant as a division, or with which the rest of the statement went.
static bool hint_division(struct parser *parser, const struct token *found)
{
    if (found->kind == T_ERROR && found->len == 2 && memcmp(found->at, "//", 2) == 0)
        return !parser_hint(parser, "floor division is written `div(n, 2)`; a remark stands behind "
                                    "a `;` or `,`, or in a line of its own");
    const struct token *before = parser->at > 0 ? found - 1 : found;
    const char *at = before->at + before->len;
    if (before == found || (before->kind != T_NAME && before->kind != T_INT && before->kind != ')'))
        return false;
    while (at < found->at && (*at == ' ' || *at == '\t'))
        at++;
    return found->at - at > 2 && at[0] == '/' && at[1] == '/' &&
           comment_is_divisor(at + 2, found->at, NULL, NULL) &&
           !parser_hint(parser, "`//` starts a comment; floor division is written `div(n, 2)`");
}

void hint_expected(struct parser *parser, const struct token *found, const char *what)
{
    if (hint_division(parser, found))
        return;
    if (found->kind == T_ERROR && (hint_number(parser, found) || hint_character(parser, found)))
        return;
    if (strcmp(what, "`rule`") == 0) {
        parser_hint(parser, "a file of rules consists of `rule NAME { .. }`; a formula is read by "
                            "`rankwright simplify -e FORMULA`");
        return;
    }
    if (found->kind == T_INT && strstr(what, "an axis class") != NULL) {
        parser_hint(parser, "axes are named, not numbered: `axes x; map n on x; "
                            "tensor A[x: n] : any;`, and then `{x}`");
        return;
    }
    if (found->kind == T_DECIMAL && strstr(what, "an integer") != NULL) {
        parser_hint(parser, "maps and attributes are whole numbers");
        return;
    }
    if (!hint_index(parser, found) && !hint_semicolon(parser, found, what))
        (void)hint_token(parser, found, what);
}

void hint_chain(struct parser *parser, const struct token *first)
{
    const struct token *second = parser_token(parser), *middle = second, *last = second + 1;
    int depth = 0;
    // The operand between both: back to the first comparison that no parenthesis encloses.
    while (middle > first && (depth > 0 || (middle[-1].kind != '<' && middle[-1].kind != '>' &&
                                            middle[-1].kind != T_LE && middle[-1].kind != T_GE &&
                                            middle[-1].kind != T_EQ && middle[-1].kind != T_NE))) {
        middle--;
        depth += middle->kind == ')' ? 1 : middle->kind == '(' ? -1 : 0;
    }
    bool atom = (last->kind == T_NAME || last->kind == T_INT || last->kind == T_DECIMAL) &&
                (last[1].kind == ')' || last[1].kind == ';' || last[1].kind == ',' ||
                 last[1].kind == T_IMPLIES);
    int n = (int)(second[-1].at + second[-1].len - first->at);
    int m = (int)(last->at + last->len - middle->at);
    if (atom && middle > first && n + m < RULES_TOKEN_SHOWN)
        parser_hint(parser, "write `%.*s & %.*s`", n, first->at, m, middle->at);
    else
        parser_hint(parser, "write `A < B & B < C`");
}

void hint_signature(struct parser *parser, const char *signature)
{
    if (parser->expected)
        parser_hint(parser, "it is written `%s`", signature);
}

void hint_operands(struct parser *parser, const char *name, uint32_t arity)
{
    static const char *const letters[] = {"A", "B", "C", "D"};
    bool select = strcmp(name, "`select`") == 0, clamp = strcmp(name, "`clamp`") == 0;
    struct buf buf = {0};
    if (select || clamp)
        buf_puts(&buf, select ? "P, A, B" : "low, A, high");
    else
        for (uint32_t i = 0; i < arity; i++)
            buf_printf(&buf, "%s%s", i ? ", " : "", i < 4 ? letters[i] : "..");
    parser_hint(parser, "it is written %.*s(%s)`", (int)strlen(name) - 1, name, buf_text(&buf));
    buf_release(&buf);
}
