// SPDX-License-Identifier: Apache-2.0
// Hints for characters that start no token, most of them pasted from papers and pages.
#include "formula/language/hints.h"

#include "base/character.h"
#include <string.h>

struct habit {
    const char *character, *hint;
};
static const struct habit habits[] = {
    {"@", "the product of matrices is `matmul(A, B)`"},
    {"&", "conditions are joined by `and` or `&&`"},
    {"|", "an absolute value is `abs(x)`; conditions are joined by `or` or `||`"},
    {"%", "the remainder is `x - y*floor(x/y)`"},
    {"{", "parentheses are `(` and `)`"},
    {"}", "parentheses are `(` and `)`"},
    {"\\", "LaTeX is not read: `\\frac{a}{b}` is `a/b`, `\\sqrt{x}` is `sqrt(x)`"},
    {"$", "LaTeX is not read: write the formula as in `exp(x)/sum(exp(x))`"},
    {"~", "the negation of a condition is `not`"},
    {"'", "names and numbers stand without quotes"},
    {"\"", "names and numbers stand without quotes"},
    {"\xe2\x80\x98", "names and numbers stand without quotes"},
    {"\xe2\x80\x99", "names and numbers stand without quotes"},
    {"\xe2\x80\x9c", "names and numbers stand without quotes"},
    {"\xe2\x80\x9d", "names and numbers stand without quotes"},
    {"\xe2\x88\x91", "write `sum(x)`, or `sum[j] x[i,j]`"},
    {"\xce\xa3", "write `sum(x)`, or `sum[j] x[i,j]`; the name of the letter is `Sigma`"},
    {"\xe2\x88\x8f", "write `prod(x)`, or `prod[j] x[i,j]`"},
    {"\xce\xa0", "write `prod(x)`, or `prod[j] x[i,j]`; the name of the letter is `Pi`"},
    {"\xe2\x8c\x8a", "write `floor(x)`"},
    {"\xe2\x8c\x8b", "write `floor(x)`"},
    {"\xe2\x8c\x88", "write `ceil(x)`"},
    {"\xe2\x8c\x89", "write `ceil(x)`"},
    {"\xe2\x88\x9a", "write `sqrt(x)`: parentheses say how far the root reaches"},
    {"\xe2\x88\x9b", "write `cbrt(x)`"},
    {"\xe2\x88\x9e", "formulas are about real numbers: there is no infinity"},
    {"\xe2\x80\x96", "a norm is `sqrt(sum(x^2))`"},
    {"\xe2\x88\xa5", "a norm is `sqrt(sum(x^2))`"},
    {"\xe2\x9f\xa8", "the product of vectors is `sum(x*y)`"},
    {"\xe2\x9f\xa9", "the product of vectors is `sum(x*y)`"},
    {"\xe2\x8a\x99", "the product of elements is `*`"},
    {"\xe2\x88\x98", "the product of elements is `*`"},
    {"\xe2\x8a\x97", "the product of elements is `*`, that of matrices `matmul(A, B)`"},
    {"\xe2\x8a\x95", "the sum of elements is `+`"},
    {"\xe1\xb5\x80", "the last two axes are swapped by `tr(A)`"},
    {"\xe2\x8a\xa4", "the last two axes are swapped by `tr(A)`"},
    {"\xc2\xbd", "write `1/2`"},
    {"\xe2\x85\x93", "write `1/3`"},
    {"\xe2\x85\x94", "write `2/3`"},
    {"\xc2\xbc", "write `1/4`"},
    {"\xc2\xbe", "write `3/4`"},
    {"\xe2\x85\x9b", "write `1/8`"},
    {"\xc2\xb1", "write one formula for each sign"},
    {"\xe2\x80\x90", "a minus sign is `-`"},
    {"\xe2\x80\x91", "a minus sign is `-`"},
    {"\xe2\x80\x92", "a minus sign is `-`"},
    {"\xe2\x80\x93", "a minus sign is `-`"},
    {"\xe2\x80\x94", "a minus sign is `-`"},
    {"\xe2\x80\xb2", "names are of letters, digits and `_`: write `x1` or `x_new`"},
    {"\xe2\x80\xa6", "all operands are written out"},
    {"\xe2\x8b\xaf", "all operands are written out"},
    {"\xe2\x89\x88", "equal is `==`"},
    {"\xe2\x89\xa1", "equal is `==`"},
    {"\xe2\x89\x94", "a definition is written `let m = max(x);`"},
    {"\xe2\x86\x90", "a definition is written `let m = max(x);`"},
    {"\xe2\x86\x92", "the formula stands alone, without its result"},
    {"\xe2\x87\x92", "the formula stands alone, without its result"},
    {"\xe2\x88\x82", "there are no derivatives"},
    {"\xe2\x88\x87", "there are no derivatives"},
    {"\xe2\x88\xab", "there are no integrals"},
    {"\xe2\x88\x88", "all names are real numbers; what else is known is written `given x > 0;`"},
};

static bool starts_with(const char *at, const char *text)
{
    return strncmp(at, text, strlen(text)) == 0;
}

// The Greek letters in the order of their codes, capital ones from U+0391, small ones from U+03B1.
static bool hint_greek(uint32_t code, struct err *err)
{
    static const char *const letters[] = {
        "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
        "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
        "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};
    enum { CAPITAL = 0x391, SMALL = 0x3b1, LETTERS = sizeof letters / sizeof *letters };
    bool small = code >= SMALL && code < SMALL + LETTERS;
    if (!small && !(code >= CAPITAL && code < CAPITAL + LETTERS))
        return false;
    const char *name = letters[code - (small ? SMALL : CAPITAL)];
    return !err_hint(err, "names are spelt in ASCII: `%c%s`",
                     small ? *name : (char)(*name - 'a' + 'A'), name + 1);
}

// The small marks of powers and of indices.
static bool hint_mark(uint32_t code, struct err *err)
{
    bool digit = code == 0xb2 || code == 0xb3 || code == 0xb9 || (code >= 0x2070 && code < 0x207f);
    bool letter = code == 0x207f || (code >= 0x2b0 && code < 0x2c0) || code == 0x1d57;
    bool index =
        (code >= 0x2080 && code < 0x209d) || (code >= 0x1d62 && code < 0x1d66) || code == 0x2c7c;
    if (digit || letter)
        return !err_hint(err, "a power is written `x^n`, `x^12` or `x^(-1)`");
    return index &&
           !err_hint(err, "an index stands in brackets, `x[i]`, or belongs to the name, `x1`");
}

size_t formula_minus(const char *at)
{
    static const char *const signs[] = {"\xe2\x88\x92", "\xe2\x80\x90", "\xe2\x80\x91",
                                        "\xe2\x80\x92", "\xe2\x80\x93", "\xe2\x80\x94",
                                        "\xef\xb9\xa3", "\xef\xbc\x8d"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (starts_with(at, signs[i]))
            return strlen(signs[i]);
    return 0;
}

// The wide and the small forms of ASCII; '\0': it is none.
static char form_of(uint32_t code)
{
    static const char small[] = ", . ;:?! (){}  #&*+-<>= \\$%@";
    enum { SMALL = 0xfe50, WIDE = 0xff00 };
    if (code > WIDE && code < WIDE + 0x5f)
        return (char)(code - WIDE + ' ');
    bool is_small = code >= SMALL && code < SMALL + sizeof small - 1 && small[code - SMALL] != ' ';
    return is_small ? small[code - SMALL] : '\0';
}

void formula_hint_character(const struct ftokens *before, const char *at, struct err *err)
{
    if (*at == '.') {
        formula_hint_point(before, at, err);
        return;
    }
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (starts_with(at, habits[i].character)) {
            err_hint(err, "%s", habits[i].hint);
            return;
        }
    uint32_t code = character_next(at, strlen(at)).code;
    if (form_of(code) != '\0')
        err_hint(err, "write `%c`", form_of(code));
    else if (!hint_greek(code, err))
        (void)hint_mark(code, err);
}
