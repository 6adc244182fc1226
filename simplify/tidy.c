// SPDX-License-Identifier: Apache-2.0
#include "simplify/tidy.h"
#include "simplify/limits.h"

#include "formula/print/print.h"

// Rules about an operator, by name; NO_RULE: there is none.
#define NO_RULE UINT32_MAX
struct commutes {
    char op[SIMPLIFY_NAME];
    uint32_t swap;     // (op ?a ?b) => (op ?b ?a)
    uint32_t to_right; // (op (op ?a ?b) ?c) => (op ?a (op ?b ?c))
    uint32_t to_left;  // and back
};
struct tidied {
    fterm to;
    uint32_t line; // of its equality + 1; 0: the same
    bool written;  // the term stands in the formula in this order
};
struct tidying {
    const struct formula *formula;
    const struct fdefines *defs;
    struct fterms *store;
    struct intern names;
    VEC(struct commutes) commutes;
    VEC(struct tidied) at; // by term
    struct buf terms, lines;
    struct u32_vec number; // of terms in the proof + 1
    // Where reading first meets terms of the formula, and its variables, by
    // their numbers; of any term the first of those in it.
    struct u32_vec place, names_at, first;
    uint32_t n_terms, n_lines;
    bool whole;
    uint32_t by_exponential; // a rule: a/exp(b) = a*exp(-b)
};

// Rules

static const char *word(const char *text, const char *end, uint32_t *len)
{
    while (text < end && strchr(" ()", *text) != NULL)
        text++;
    *len = 0;
    while (text + *len < end && strchr(" ()", text[*len]) == NULL)
        ++*len;
    return text;
}

enum { MAX_WORDS = 11 };

// Do the words read like the pattern?  `o`: the operator; other letters are
// variables; `>`: the arrow.
static bool reads(const char *pattern, uint32_t n, const char *const *at, const uint32_t *len)
{
    if (n != strlen(pattern))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (pattern[i] == '>') {
            if (len[i] != 2 || memcmp(at[i], "=>", 2) != 0)
                return false;
            continue;
        }
        if ((*at[i] == '?') == (pattern[i] == 'o'))
            return false;
        for (uint32_t k = 0; k < i; k++) {
            bool same = len[i] == len[k] && memcmp(at[i], at[k], len[i]) == 0;
            if (pattern[k] != '>' && same != (pattern[i] == pattern[k]))
                return false;
        }
    }
    return true;
}

static struct commutes *known(struct tidying *tidying, const char *op, uint32_t len)
{
    for (uint32_t i = 0; i < tidying->commutes.len; i++)
        if (strlen(tidying->commutes.at[i].op) == len &&
            memcmp(tidying->commutes.at[i].op, op, len) == 0)
            return &tidying->commutes.at[i];
    struct commutes commutes = {{0}, NO_RULE, NO_RULE, NO_RULE};
    memcpy(commutes.op, op, len);
    vec_push(&tidying->commutes, commutes);
    return &tidying->commutes.at[tidying->commutes.len - 1];
}

// a/exp(b) = a*exp(-b), which is undone where the formula says exp(-b).
static void add_exponential(struct tidying *tidying, const char *text, size_t n)
{
    static const char says[] =
        ": (divide ?t0 (exponential ?t1)) => (multiply ?t0 (exponential (negate ?t1)))";
    const char *colon = memchr(text, ':', n);
    size_t len = sizeof says - 1;
    if (colon != NULL && (size_t)(text + n - colon) == len && memcmp(colon, says, len) == 0)
        tidying->by_exponential = intern_bytes(&tidying->names, text, (size_t)(colon - text));
}

static void add_rule(struct tidying *tidying, const char *text, size_t n)
{
    const char *end = text + n, *colon = memchr(text, ':', n), *at[MAX_WORDS + 1];
    uint32_t len[MAX_WORDS + 1], words = 0;
    if (colon == NULL)
        return;
    for (const char *string = colon + 1; words <= MAX_WORDS; words++) {
        at[words] = word(string, end, &len[words]);
        if (len[words] == 0)
            break;
        string = at[words] + len[words];
    }
    bool swap = reads("oab>oba", words, at, len);
    bool right = reads("ooabc>oaobc", words, at, len);
    bool left = reads("oaobc>ooabc", words, at, len);
    if (!(swap || right || left) || len[0] >= SIMPLIFY_NAME)
        return;
    uint32_t name = intern_bytes(&tidying->names, text, (size_t)(colon - text));
    struct commutes *commutes = known(tidying, at[0], len[0]);
    uint32_t *rule = swap ? &commutes->swap : right ? &commutes->to_right : &commutes->to_left;
    if (*rule == NO_RULE)
        *rule = name;
}

static const struct commutes *commuting(const struct tidying *tidying, fterm term)
{
    for (uint32_t i = 0; i < tidying->commutes.len; i++)
        if (tidying->commutes.at[i].swap != NO_RULE &&
            fterm_is(tidying->store, term, tidying->commutes.at[i].op, 2))
            return &tidying->commutes.at[i];
    return NULL;
}

// The proof

static uint32_t number(struct tidying *tidying, fterm term)
{
    while (tidying->number.len <= term)
        vec_push(&tidying->number, 0);
    if (tidying->number.at[term] == 0) {
        struct buf line = {0};
        for (uint32_t k = 0; k < fterm_n(tidying->store, term); k++)
            buf_printf(&line, " %u", number(tidying, fterm_args(tidying->store, term)[k]));
        buf_printf(&tidying->terms, "term %u %s%s\n", tidying->n_terms,
                   fterm_name(tidying->store, term), buf_text(&line));
        buf_release(&line);
        tidying->number.at[term] = ++tidying->n_terms;
    }
    return tidying->number.at[term] - 1;
}

// Adds a line and returns its number; `rest`, the text after its two terms, is
// emptied.
static uint32_t add_line(struct tidying *tidying, const char *kind, fterm a, fterm b,
                         struct buf *rest)
{
    uint32_t x = number(tidying, a), y = number(tidying, b);
    buf_printf(&tidying->lines, "%s %u %u %u%s\n", kind, tidying->n_lines, x, y, buf_text(rest));
    buf_release(rest);
    return tidying->n_lines++;
}

// Lines are numbers + 1; 0 says that both terms are the same.
static uint32_t chained(struct tidying *tidying, fterm a, fterm c, uint32_t first, uint32_t second)
{
    struct buf rest = {0};
    if (first == 0 || second == 0)
        return first + second;
    buf_printf(&rest, " %u %u", first - 1, second - 1);
    return add_line(tidying, "trans", a, c, &rest) + 1;
}

// Order

// The place of a variable, UINT32_MAX: it is none.
static uint32_t *name_place(struct tidying *tidying, fterm term)
{
    const char *name = fterm_name(tidying->store, term);
    size_t len = strcspn(name, "{");
    for (uint32_t v = 0; fterm_n(tidying->store, term) == 0 && v < tidying->formula->variables.len;
         v++)
        if (strlen(tidying->formula->variables.at[v].name) == len &&
            memcmp(tidying->formula->variables.at[v].name, name, len) == 0)
            return &tidying->names_at.at[v];
    return NULL;
}

// Numbers terms and variables as reading meets them first.
static void read_formula(struct tidying *tidying)
{
    struct u32_vec stack = {0};
    uint32_t n = 0;
    while (tidying->place.len < tidying->store->node.len)
        vec_push(&tidying->place, UINT32_MAX);
    // Declared variables that do not occur.
    for (uint32_t v = 0; v < tidying->formula->variables.len; v++)
        vec_push(&tidying->names_at, UINT32_MAX - tidying->formula->variables.len + v);
    vec_push(&stack, tidying->formula->term);
    while (stack.len > 0) {
        fterm term = stack.at[--stack.len];
        uint32_t *named = name_place(tidying, term);
        if (tidying->place.at[term] != UINT32_MAX)
            continue;
        tidying->place.at[term] = n++;
        if (named != NULL && *named > tidying->place.at[term])
            *named = tidying->place.at[term];
        for (uint32_t k = fterm_n(tidying->store, term); k-- > 0;)
            vec_push(&stack, fterm_args(tidying->store, term)[k]);
    }
    vec_release(&stack);
}

// The first of its variables; UINT32_MAX: it has none.
static uint32_t first_variable(struct tidying *tidying, fterm term)
{
    while (tidying->first.len <= term) {
        fterm y = tidying->first.len;
        const uint32_t *named = name_place(tidying, y);
        uint32_t least = named != NULL ? *named : UINT32_MAX;
        for (uint32_t k = 0; k < fterm_n(tidying->store, y); k++) {
            uint32_t p = tidying->first.at[fterm_args(tidying->store, y)[k]];
            least = p < least ? p : least;
        }
        vec_push(&tidying->first, least);
    }
    return tidying->first.at[term];
}

static uint32_t place(struct tidying *tidying, fterm term)
{
    uint32_t p = term < tidying->place.len && fterm_n(tidying->store, term) > 0
                     ? tidying->place.at[term]
                     : UINT32_MAX;
    return p != UINT32_MAX ? p : first_variable(tidying, term);
}

static uint32_t size(const struct tidying *tidying, fterm term)
{
    struct u32_vec all = {0};
    fterms_reach(tidying->store, 1, &term, &all);
    uint32_t n = all.len;
    vec_release(&all);
    return n;
}

static bool is_number(const struct tidying *tidying, fterm term)
{
    const char *name = fterm_name(tidying->store, term);
    return fterm_n(tidying->store, term) == 0 && fname_is_number(name, (uint32_t)strlen(name));
}

// Would it need brackets to the right of an operator like x's?
static bool is_chain(const struct tidying *tidying, fterm term, fterm part)
{
    if (fterm_is(tidying->store, term, "multiply", 2))
        return fterm_is(tidying->store, part, "multiply", 2) ||
               fterm_is(tidying->store, part, "divide", 2);
    return fterm_is(tidying->store, term, "add", 2) &&
           (fterm_is(tidying->store, part, "add", 2) ||
            fterm_is(tidying->store, part, "subtract", 2));
}

enum operand_rank { FIRST, NUMBER, CONSTANT, QUOTIENT, OTHER, LAST };

// Of an operand: `first`, it is the first of its chain as it is.
static enum operand_rank rank(struct tidying *tidying, fterm term, fterm operand, bool first)
{
    bool product = fterm_is(tidying->store, term, "multiply", 2);
    if (is_number(tidying, operand)) // 2*term, 2 + term or term + 2, max(x, 2)
        return product ? NUMBER : fterm_is(tidying->store, term, "add", 2) && first ? FIRST : LAST;
    if (product && first_variable(tidying, operand) == UINT32_MAX)
        return CONSTANT;
    // No brackets: y/z*term, not x*(y/z).
    return product && fterm_is(tidying->store, operand, "divide", 2) ? QUOTIENT : OTHER;
}

// Does operand b come before a, which now stands before it?
static bool comes_before(struct tidying *tidying, fterm x, fterm b, fterm a, bool a_first)
{
    enum operand_rank p = rank(tidying, x, a, a_first), q = rank(tidying, x, b, false);
    if (p != q)
        return q < p;
    if (p != OTHER && p != QUOTIENT)
        return false;
    uint32_t i = place(tidying, a), k = place(tidying, b);
    return i != k ? k < i : size(tidying, b) < size(tidying, a);
}

static fterm rebuilt(struct tidying *tidying, fterm term, const fterm *args)
{
    struct buf name = {0}; // the store may move it
    buf_puts(&name, fterm_name(tidying->store, term));
    fterm y = fterm_make(tidying->store, buf_text(&name), fterm_n(tidying->store, term), args);
    buf_release(&name);
    return y;
}

static fterm pair(struct tidying *tidying, const char *op, fterm a, fterm b)
{
    fterm args[2] = {a, b};
    return fterm_make(tidying->store, op, 2, args);
}

// A term, and the line + 1 of its equality with the one it came from.
struct ordered_part {
    fterm to;
    uint32_t line;
};

static struct ordered_part by_rule(struct tidying *tidying, uint32_t rule, fterm a, fterm b)
{
    struct buf rest = {0};
    struct ordered_part part = {b, 0};
    if (a != b) {
        buf_printf(&rest, " by %s", intern_text(&tidying->names, rule));
        part.line = add_line(tidying, "rule", a, b, &rest) + 1;
    }
    return part;
}

// term became p.to; that becomes q.to.
static struct ordered_part then(struct tidying *tidying, fterm term, struct ordered_part first,
                                struct ordered_part second)
{
    return (struct ordered_part){
        second.to,
        term == second.to ? 0 : chained(tidying, term, second.to, first.line, second.line)};
}

// The argument k of term becomes part.to.
static struct ordered_part within(struct tidying *tidying, fterm term, uint32_t k,
                                  struct ordered_part part)
{
    struct u32_vec args = {0};
    struct buf rest = {0};
    struct ordered_part out = {term, 0};
    for (uint32_t i = 0; i < fterm_n(tidying->store, term); i++)
        vec_push(&args, i == k ? part.to : fterm_args(tidying->store, term)[i]);
    out.to = rebuilt(tidying, term, args.at);
    if (out.to != term) {
        buf_printf(&rest, " %u:%u", k, part.line - 1);
        out.line = add_line(tidying, "cong", term, out.to, &rest) + 1;
    }
    vec_release(&args);
    return out;
}

static struct ordered_part swap(struct tidying *tidying, fterm term)
{
    const struct commutes *commutes = commuting(tidying, term);
    fterm a = fterm_args(tidying->store, term)[0], b = fterm_args(tidying->store, term)[1];
    return by_rule(tidying, commutes->swap, term, pair(tidying, commutes->op, b, a));
}

// Chains of an operator with order and brackets: (op (op a b) c).

static bool is_op(const struct tidying *tidying, fterm term, const struct commutes *commutes)
{
    return fterm_is(tidying->store, term, commutes->op, 2);
}

static uint32_t operands(const struct tidying *tidying, fterm term, const struct commutes *commutes)
{
    uint32_t n = 1;
    for (; n <= SIMPLIFY_CHAIN && is_op(tidying, term, commutes);
         term = fterm_args(tidying->store, term)[0])
        n += operands(tidying, fterm_args(tidying->store, term)[1], commutes);
    return n;
}

// Of (op chain e), the chain in order: e goes to its place.
static struct ordered_part insert(struct tidying *tidying, fterm term)
{
    const struct commutes commutes = *commuting(tidying, term);
    fterm chain = fterm_args(tidying->store, term)[0], e = fterm_args(tidying->store, term)[1];
    if (!is_op(tidying, chain, &commutes))
        return comes_before(tidying, term, e, chain, true) ? swap(tidying, term)
                                                           : (struct ordered_part){term, 0};
    fterm rest = fterm_args(tidying->store, chain)[0], m = fterm_args(tidying->store, chain)[1];
    if (!comes_before(tidying, term, e, m, false))
        return (struct ordered_part){term, 0};
    fterm right = pair(tidying, commutes.op, rest, pair(tidying, commutes.op, m, e));
    fterm other = pair(tidying, commutes.op, rest, pair(tidying, commutes.op, e, m));
    fterm left = pair(tidying, commutes.op, pair(tidying, commutes.op, rest, e), m);
    struct ordered_part part = by_rule(tidying, commutes.to_right, term, right);
    part = then(tidying, term, part,
                within(tidying, right, 1, swap(tidying, pair(tidying, commutes.op, m, e))));
    part = then(tidying, term, part, by_rule(tidying, commutes.to_left, other, left));
    struct ordered_part inner = insert(tidying, pair(tidying, commutes.op, rest, e));
    return inner.line == 0 ? part : then(tidying, term, part, within(tidying, left, 0, inner));
}

// Of (op chain other), the chain in order: all of the other go to their places.
static struct ordered_part gather(struct tidying *tidying, fterm term)
{
    const struct commutes commutes = *commuting(tidying, term);
    fterm chain = fterm_args(tidying->store, term)[0], other = fterm_args(tidying->store, term)[1];
    if (!is_op(tidying, other, &commutes))
        return insert(tidying, term);
    fterm a = fterm_args(tidying->store, other)[0], b = fterm_args(tidying->store, other)[1];
    fterm first = pair(tidying, commutes.op, chain, a), left = pair(tidying, commutes.op, first, b);
    struct ordered_part part = by_rule(tidying, commutes.to_left, term, left),
                        inner = gather(tidying, first);
    if (inner.line > 0)
        part = then(tidying, term, part, within(tidying, left, 0, inner));
    return then(tidying, term, part, insert(tidying, part.to));
}

// As it is, a chain of two, or one whose parts are chains in order.
static struct ordered_part in_order(struct tidying *tidying, fterm term)
{
    const struct commutes commutes = *commuting(tidying, term);
    bool can = commutes.to_left != NO_RULE && commutes.to_right != NO_RULE;
    if (can && operands(tidying, term, &commutes) <= SIMPLIFY_CHAIN)
        return gather(tidying, term);
    fterm a = fterm_args(tidying->store, term)[0], b = fterm_args(tidying->store, term)[1];
    bool left = is_chain(tidying, term, a), right = is_chain(tidying, term, b);
    bool yes = left == right ? !left && comes_before(tidying, term, b, a, true)
                             : right && (fterm_is(tidying->store, term, "multiply", 2) ||
                                         place(tidying, b) <= place(tidying, a));
    return yes ? swap(tidying, term) : (struct ordered_part){term, 0};
}

// A sum of products that reads as matmul in one order of its factors.
static struct ordered_part as_matmul(struct tidying *tidying, fterm term)
{
    struct ordered_part none = {term, 0};
    if (!tidying->whole || !fterm_is(tidying->store, term, "reduce_add", 2))
        return none;
    fterm set = fterm_args(tidying->store, term)[0], product = fterm_args(tidying->store, term)[1];
    if (!fterm_is(tidying->store, product, "multiply", 2) || commuting(tidying, product) == NULL)
        return none;
    fterm other = pair(tidying, "multiply", fterm_args(tidying->store, product)[1],
                       fterm_args(tidying->store, product)[0]);
    if (surface_cost(tidying->formula, tidying->defs, pair(tidying, "reduce_add", set, other)) >=
        surface_cost(tidying->formula, tidying->defs, term))
        return none;
    return within(tidying, term, 1, swap(tidying, product));
}

// a/exp(b) is a*exp(-b) if the formula says exp(-b).
static struct ordered_part by_exponential(struct tidying *tidying, fterm term)
{
    struct ordered_part none = {term, 0};
    if (!tidying->whole || tidying->by_exponential == NO_RULE ||
        !fterm_is(tidying->store, term, "divide", 2))
        return none;
    fterm a = fterm_args(tidying->store, term)[0], e = fterm_args(tidying->store, term)[1];
    if (!fterm_is(tidying->store, e, "exponential", 1))
        return none;
    fterm minus = fterm_make(tidying->store, "negate", 1, fterm_args(tidying->store, e));
    fterm power = fterm_make(tidying->store, "exponential", 1, &minus);
    if (power >= tidying->at.len || !tidying->at.at[power].written)
        return none;
    return by_rule(tidying, tidying->by_exponential, term, pair(tidying, "multiply", a, power));
}

// Reductions directly within each other are one.
static struct ordered_part merged(struct tidying *tidying, fterm term)
{
    struct buf rest = {0};
    struct ordered_part part = {fterm_merged(tidying->store, term), 0};
    if (part.to != term)
        part.line = add_line(tidying, "fold", term, part.to, &rest) + 1;
    return part;
}

// Arguments are tidied.
static void tidy_node(struct tidying *tidying, fterm term)
{
    struct u32_vec args = {0};
    struct buf rest = {0};
    struct ordered_part part = {term, 0};
    for (uint32_t k = 0; k < fterm_n(tidying->store, term); k++) {
        struct tidied tidied = tidying->at.at[fterm_args(tidying->store, term)[k]];
        vec_push(&args, tidied.to);
        if (tidied.line > 0)
            buf_printf(&rest, " %u:%u", k, tidied.line - 1);
    }
    if (rest.len > 0) {
        part.to = rebuilt(tidying, term, args.at);
        part.line = add_line(tidying, "cong", term, part.to, &rest) + 1;
    }
    part = then(tidying, term, part, merged(tidying, part.to));
    if (!tidying->at.at[term].written)
        part = then(tidying, term, part, by_exponential(tidying, part.to));
    if (!tidying->at.at[term].written && commuting(tidying, part.to) != NULL)
        part = then(tidying, term, part, in_order(tidying, part.to));
    part = then(tidying, term, part, as_matmul(tidying, part.to));
    vec_release(&args);
    tidying->at.at[term].to = part.to;
    tidying->at.at[term].line = part.line;
}

fterm tidy(const struct formula *formula, const struct fdefines *defs, const char *rules,
           bool whole, fterm term, struct buf *proof)
{
    struct tidying tidying = {.formula = formula,
                              .defs = defs,
                              .store = formula->terms,
                              .whole = whole,
                              .by_exponential = NO_RULE};
    struct u32_vec all = {0};
    intern_init(&tidying.names);
    for (const char *text = rules; *text != 0; text += *text == '\n') {
        size_t n = strcspn(text, "\n");
        add_rule(&tidying, text, n);
        add_exponential(&tidying, text, n);
        text += n;
    }
    vec_zero(&tidying.at, formula->terms->node.len);
    fterms_reach(formula->terms, 1, &formula->term, &all);
    for (uint32_t i = 0; i < all.len; i++)
        tidying.at.at[all.at[i]].written = true;
    read_formula(&tidying);
    fterms_reach(formula->terms, 1, &term, &all);
    for (uint32_t i = 0; i < all.len; i++)
        tidy_node(&tidying, all.at[i]);
    fterm y = tidying.at.at[term].to;
    if (tidying.at.at[term].line > 0) {
        // The last line is that of x: nothing is added behind it.
        buf_puts(proof, buf_text(&tidying.terms));
        buf_puts(proof, buf_text(&tidying.lines));
    }
    intern_release(&tidying.names);
    vec_release(&tidying.commutes);
    vec_release(&tidying.at);
    vec_release(&tidying.number);
    vec_release(&tidying.place);
    vec_release(&tidying.names_at);
    vec_release(&tidying.first);
    vec_release(&all);
    buf_release(&tidying.terms);
    buf_release(&tidying.lines);
    return y;
}
