// SPDX-License-Identifier: Apache-2.0
#include "simplify/tidy.h"

#include "formula/print/print.h"

enum { MAX_OP = 32, MAX_CHAIN = 24 };

// What rules say of an operator: names of those, NO_RULE: nothing.
#define NO_RULE UINT32_MAX
struct commutes {
    char op[MAX_OP];
    uint32_t swap;     // (op ?a ?b) => (op ?b ?a)
    uint32_t to_right; // (op (op ?a ?b) ?c) => (op ?a (op ?b ?c))
    uint32_t to_left;  // and back
};
struct tidied {
    fterm to;
    uint32_t line; // of its equality + 1; 0: the same
    bool written;  // it stands in the formula: its order was somebody's choice
};
struct tidying {
    const struct formula *f;
    const struct fdefines *defs;
    struct fterms *t;
    struct intern names;
    VEC(struct commutes) commutes;
    VEC(struct tidied) at; // by term
    struct buf terms, lines;
    struct u32_vec number; // of terms in the proof + 1
    // Where reading first meets terms of the formula, and its variables, by
    // their numbers; of any term the first of those in it.
    struct u32_vec place, names_at, first;
    uint32_t n_terms, n_lines;
};

// Rules

static const char *word(const char *s, const char *end, uint32_t *len)
{
    while (s < end && strchr(" ()", *s) != NULL)
        s++;
    *len = 0;
    while (s + *len < end && strchr(" ()", s[*len]) == NULL)
        ++*len;
    return s;
}

enum { MAX_WORDS = 11 };

// Do the words read like the pattern?  `o`: the operator; other letters are
// variables; `>`: the arrow.
static bool reads(const char *pattern, uint32_t n, const char *const *at,
                  const uint32_t *len)
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

static struct commutes *known(struct tidying *d, const char *op, uint32_t len)
{
    for (uint32_t i = 0; i < d->commutes.len; i++)
        if (strlen(d->commutes.at[i].op) == len &&
            memcmp(d->commutes.at[i].op, op, len) == 0)
            return &d->commutes.at[i];
    struct commutes c = {{0}, NO_RULE, NO_RULE, NO_RULE};
    memcpy(c.op, op, len);
    vec_push(&d->commutes, c);
    return &d->commutes.at[d->commutes.len - 1];
}

static void add_rule(struct tidying *d, const char *s, size_t n)
{
    const char *end = s + n, *colon = memchr(s, ':', n), *at[MAX_WORDS + 1];
    uint32_t len[MAX_WORDS + 1], words = 0;
    if (colon == NULL)
        return;
    for (const char *p = colon + 1; words <= MAX_WORDS; words++) {
        at[words] = word(p, end, &len[words]);
        if (len[words] == 0)
            break;
        p = at[words] + len[words];
    }
    bool swap = reads("oab>oba", words, at, len);
    bool right = reads("ooabc>oaobc", words, at, len);
    bool left = reads("oaobc>ooabc", words, at, len);
    if (!(swap || right || left) || len[0] >= MAX_OP)
        return;
    uint32_t name = intern_bytes(&d->names, s, (size_t)(colon - s));
    struct commutes *c = known(d, at[0], len[0]);
    uint32_t *rule = swap ? &c->swap : right ? &c->to_right : &c->to_left;
    if (*rule == NO_RULE)
        *rule = name;
}

static const struct commutes *commuting(const struct tidying *d, fterm x)
{
    for (uint32_t i = 0; i < d->commutes.len; i++)
        if (d->commutes.at[i].swap != NO_RULE &&
            fterm_is(d->t, x, d->commutes.at[i].op, 2))
            return &d->commutes.at[i];
    return NULL;
}

// The proof

static uint32_t number(struct tidying *d, fterm x)
{
    while (d->number.len <= x)
        vec_push(&d->number, 0);
    if (d->number.at[x] == 0) {
        struct buf line = {0};
        for (uint32_t k = 0; k < fterm_n(d->t, x); k++)
            buf_printf(&line, " %u", number(d, fterm_args(d->t, x)[k]));
        buf_printf(&d->terms, "term %u %s%s\n", d->n_terms, fterm_name(d->t, x),
                   buf_text(&line));
        buf_release(&line);
        d->number.at[x] = ++d->n_terms;
    }
    return d->number.at[x] - 1;
}

// The line's number; what follows its two terms in `rest`, which it empties.
static uint32_t add_line(struct tidying *d, const char *kind, fterm a, fterm b,
                         struct buf *rest)
{
    uint32_t x = number(d, a), y = number(d, b);
    buf_printf(&d->lines, "%s %u %u %u%s\n", kind, d->n_lines, x, y,
               buf_text(rest));
    buf_release(rest);
    return d->n_lines++;
}

// Lines are numbers + 1; 0 says that both terms are the same.
static uint32_t chained(struct tidying *d, fterm a, fterm c, uint32_t first,
                        uint32_t second)
{
    struct buf rest = {0};
    if (first == 0 || second == 0)
        return first + second;
    buf_printf(&rest, " %u %u", first - 1, second - 1);
    return add_line(d, "trans", a, c, &rest) + 1;
}

// Order

// The place of a variable, UINT32_MAX: it is none.
static uint32_t *name_place(struct tidying *d, fterm x)
{
    const char *name = fterm_name(d->t, x);
    size_t len = strcspn(name, "{");
    for (uint32_t v = 0; fterm_n(d->t, x) == 0 && v < d->f->variables.len; v++)
        if (strlen(d->f->variables.at[v].name) == len &&
            memcmp(d->f->variables.at[v].name, name, len) == 0)
            return &d->names_at.at[v];
    return NULL;
}

// Numbers terms and variables as reading meets them first.
static void read_formula(struct tidying *d)
{
    struct u32_vec stack = {0};
    uint32_t n = 0;
    while (d->place.len < d->t->node.len)
        vec_push(&d->place, UINT32_MAX);
    // What is declared, and is not there.
    for (uint32_t v = 0; v < d->f->variables.len; v++)
        vec_push(&d->names_at, UINT32_MAX - d->f->variables.len + v);
    vec_push(&stack, d->f->term);
    while (stack.len > 0) {
        fterm x = stack.at[--stack.len];
        uint32_t *named = name_place(d, x);
        if (d->place.at[x] != UINT32_MAX)
            continue;
        d->place.at[x] = n++;
        if (named != NULL && *named > d->place.at[x])
            *named = d->place.at[x];
        for (uint32_t k = fterm_n(d->t, x); k-- > 0;)
            vec_push(&stack, fterm_args(d->t, x)[k]);
    }
    vec_release(&stack);
}

// The first of its variables; UINT32_MAX: it has none.
static uint32_t first_variable(struct tidying *d, fterm x)
{
    while (d->first.len <= x) {
        fterm y = d->first.len;
        const uint32_t *named = name_place(d, y);
        uint32_t least = named != NULL ? *named : UINT32_MAX;
        for (uint32_t k = 0; k < fterm_n(d->t, y); k++) {
            uint32_t p = d->first.at[fterm_args(d->t, y)[k]];
            least = p < least ? p : least;
        }
        vec_push(&d->first, least);
    }
    return d->first.at[x];
}

static uint32_t place(struct tidying *d, fterm x)
{
    uint32_t p =
        x < d->place.len && fterm_n(d->t, x) > 0 ? d->place.at[x] : UINT32_MAX;
    return p != UINT32_MAX ? p : first_variable(d, x);
}

static uint32_t size(const struct tidying *d, fterm x)
{
    struct u32_vec all = {0};
    fterms_reach(d->t, 1, &x, &all);
    uint32_t n = all.len;
    vec_release(&all);
    return n;
}

static bool is_number(const struct tidying *d, fterm x)
{
    const char *name = fterm_name(d->t, x);
    return fterm_n(d->t, x) == 0 &&
           fname_is_number(name, (uint32_t)strlen(name));
}

// Would it need brackets to the right of an operator like x's?
static bool is_chain(const struct tidying *d, fterm x, fterm part)
{
    if (fterm_is(d->t, x, "multiply", 2))
        return fterm_is(d->t, part, "multiply", 2) ||
               fterm_is(d->t, part, "divide", 2);
    return fterm_is(d->t, x, "add", 2) && (fterm_is(d->t, part, "add", 2) ||
                                           fterm_is(d->t, part, "subtract", 2));
}

enum operand_rank { FIRST, NUMBER, CONSTANT, QUOTIENT, OTHER, LAST };

// Of an operand: `first`, it is the first of its chain as it is.
static enum operand_rank rank(struct tidying *d, fterm x, fterm operand, bool first)
{
    bool product = fterm_is(d->t, x, "multiply", 2);
    if (is_number(d, operand)) // 2*x, 2 + x or x + 2, max(x, 2)
        return product                                ? NUMBER
               : fterm_is(d->t, x, "add", 2) && first ? FIRST
                                                      : LAST;
    if (product && first_variable(d, operand) == UINT32_MAX)
        return CONSTANT;
    // No brackets: y/z*x, not x*(y/z).
    return product && fterm_is(d->t, operand, "divide", 2) ? QUOTIENT : OTHER;
}

// Does operand b come before a, which now stands before it?
static bool comes_before(struct tidying *d, fterm x, fterm b, fterm a,
                         bool a_first)
{
    enum operand_rank p = rank(d, x, a, a_first), q = rank(d, x, b, false);
    if (p != q)
        return q < p;
    if (p != OTHER && p != QUOTIENT)
        return false;
    uint32_t i = place(d, a), k = place(d, b);
    return i != k ? k < i : size(d, b) < size(d, a);
}

static fterm rebuilt(struct tidying *d, fterm x, const fterm *args)
{
    struct buf name = {0}; // the store may move it
    buf_puts(&name, fterm_name(d->t, x));
    fterm y = fterm_make(d->t, buf_text(&name), fterm_n(d->t, x), args);
    buf_release(&name);
    return y;
}

static fterm pair(struct tidying *d, const char *op, fterm a, fterm b)
{
    fterm args[2] = {a, b};
    return fterm_make(d->t, op, 2, args);
}

// A term, and the line + 1 of its equality with the one it came from.
struct ordered_part {
    fterm to;
    uint32_t line;
};

static struct ordered_part by_rule(struct tidying *d, uint32_t rule, fterm a, fterm b)
{
    struct buf rest = {0};
    struct ordered_part p = {b, 0};
    if (a != b) {
        buf_printf(&rest, " by %s", intern_text(&d->names, rule));
        p.line = add_line(d, "rule", a, b, &rest) + 1;
    }
    return p;
}

// x became p.to; that becomes q.to.
static struct ordered_part then(struct tidying *d, fterm x, struct ordered_part p, struct ordered_part q)
{
    return (struct ordered_part){q.to,
                         x == q.to ? 0 : chained(d, x, q.to, p.line, q.line)};
}

// The argument k of x becomes p.to.
static struct ordered_part within(struct tidying *d, fterm x, uint32_t k, struct ordered_part p)
{
    struct u32_vec args = {0};
    struct buf rest = {0};
    struct ordered_part out = {x, 0};
    for (uint32_t i = 0; i < fterm_n(d->t, x); i++)
        vec_push(&args, i == k ? p.to : fterm_args(d->t, x)[i]);
    out.to = rebuilt(d, x, args.at);
    if (out.to != x) {
        buf_printf(&rest, " %u:%u", k, p.line - 1);
        out.line = add_line(d, "cong", x, out.to, &rest) + 1;
    }
    vec_release(&args);
    return out;
}

static struct ordered_part swap(struct tidying *d, fterm x)
{
    const struct commutes *c = commuting(d, x);
    fterm a = fterm_args(d->t, x)[0], b = fterm_args(d->t, x)[1];
    return by_rule(d, c->swap, x, pair(d, c->op, b, a));
}

// Chains of an operator with order and brackets: (op (op a b) c).

static bool is_op(const struct tidying *d, fterm x, const struct commutes *c)
{
    return fterm_is(d->t, x, c->op, 2);
}

static uint32_t operands(const struct tidying *d, fterm x,
                         const struct commutes *c)
{
    uint32_t n = 1;
    for (; n <= MAX_CHAIN && is_op(d, x, c); x = fterm_args(d->t, x)[0])
        n += operands(d, fterm_args(d->t, x)[1], c);
    return n;
}

// Of (op chain e), the chain in order: e goes to its place.
static struct ordered_part insert(struct tidying *d, fterm x)
{
    const struct commutes c = *commuting(d, x);
    fterm chain = fterm_args(d->t, x)[0], e = fterm_args(d->t, x)[1];
    if (!is_op(d, chain, &c))
        return comes_before(d, x, e, chain, true) ? swap(d, x)
                                                  : (struct ordered_part){x, 0};
    fterm rest = fterm_args(d->t, chain)[0], m = fterm_args(d->t, chain)[1];
    if (!comes_before(d, x, e, m, false))
        return (struct ordered_part){x, 0};
    fterm right = pair(d, c.op, rest, pair(d, c.op, m, e));
    fterm other = pair(d, c.op, rest, pair(d, c.op, e, m));
    fterm left = pair(d, c.op, pair(d, c.op, rest, e), m);
    struct ordered_part p = by_rule(d, c.to_right, x, right);
    p = then(d, x, p, within(d, right, 1, swap(d, pair(d, c.op, m, e))));
    p = then(d, x, p, by_rule(d, c.to_left, other, left));
    struct ordered_part inner = insert(d, pair(d, c.op, rest, e));
    return inner.line == 0 ? p : then(d, x, p, within(d, left, 0, inner));
}

// Of (op chain other), the chain in order: all of the other go to their places.
static struct ordered_part gather(struct tidying *d, fterm x)
{
    const struct commutes c = *commuting(d, x);
    fterm chain = fterm_args(d->t, x)[0], other = fterm_args(d->t, x)[1];
    if (!is_op(d, other, &c))
        return insert(d, x);
    fterm a = fterm_args(d->t, other)[0], b = fterm_args(d->t, other)[1];
    fterm first = pair(d, c.op, chain, a), left = pair(d, c.op, first, b);
    struct ordered_part p = by_rule(d, c.to_left, x, left), inner = gather(d, first);
    if (inner.line > 0)
        p = then(d, x, p, within(d, left, 0, inner));
    return then(d, x, p, insert(d, p.to));
}

// As it is, a chain of two, or one whose parts are chains in order.
static struct ordered_part in_order(struct tidying *d, fterm x)
{
    const struct commutes c = *commuting(d, x);
    bool can = c.to_left != NO_RULE && c.to_right != NO_RULE;
    if (can && operands(d, x, &c) <= MAX_CHAIN)
        return gather(d, x);
    fterm a = fterm_args(d->t, x)[0], b = fterm_args(d->t, x)[1];
    bool left = is_chain(d, x, a), right = is_chain(d, x, b);
    bool yes = left == right ? !left && comes_before(d, x, b, a, true)
                             : right && (fterm_is(d->t, x, "multiply", 2) ||
                                         place(d, b) <= place(d, a));
    return yes ? swap(d, x) : (struct ordered_part){x, 0};
}

// A sum of products that reads as matmul in one order of its factors.
static struct ordered_part as_matmul(struct tidying *d, fterm x)
{
    struct ordered_part none = {x, 0};
    if (!fterm_is(d->t, x, "reduce_add", 2))
        return none;
    fterm set = fterm_args(d->t, x)[0], product = fterm_args(d->t, x)[1];
    if (!fterm_is(d->t, product, "multiply", 2) ||
        commuting(d, product) == NULL)
        return none;
    fterm other = pair(d, "multiply", fterm_args(d->t, product)[1],
                       fterm_args(d->t, product)[0]);
    if (surface_cost(d->f, d->defs, pair(d, "reduce_add", set, other)) >=
        surface_cost(d->f, d->defs, x))
        return none;
    return within(d, x, 1, swap(d, product));
}

// Reductions directly within each other are one.
static struct ordered_part merged(struct tidying *d, fterm x)
{
    struct buf rest = {0};
    struct ordered_part p = {fterm_merged(d->t, x), 0};
    if (p.to != x)
        p.line = add_line(d, "fold", x, p.to, &rest) + 1;
    return p;
}

// Arguments are tidied.
static void tidy_node(struct tidying *d, fterm x)
{
    struct u32_vec args = {0};
    struct buf rest = {0};
    struct ordered_part p = {x, 0};
    for (uint32_t k = 0; k < fterm_n(d->t, x); k++) {
        struct tidied a = d->at.at[fterm_args(d->t, x)[k]];
        vec_push(&args, a.to);
        if (a.line > 0)
            buf_printf(&rest, " %u:%u", k, a.line - 1);
    }
    if (rest.len > 0) {
        p.to = rebuilt(d, x, args.at);
        p.line = add_line(d, "cong", x, p.to, &rest) + 1;
    }
    p = then(d, x, p, merged(d, p.to));
    if (!d->at.at[x].written && commuting(d, p.to) != NULL)
        p = then(d, x, p, in_order(d, p.to));
    p = then(d, x, p, as_matmul(d, p.to));
    vec_release(&args);
    d->at.at[x].to = p.to;
    d->at.at[x].line = p.line;
}

fterm tidy(const struct formula *f, const struct fdefines *defs,
           const char *rules, fterm x, struct buf *proof)
{
    struct tidying d = {.f = f, .defs = defs, .t = f->t};
    struct u32_vec all = {0};
    intern_init(&d.names);
    for (const char *s = rules; *s != 0; s += *s == '\n') {
        size_t n = strcspn(s, "\n");
        add_rule(&d, s, n);
        s += n;
    }
    vec_zero(&d.at, f->t->node.len);
    fterms_reach(f->t, 1, &f->term, &all);
    for (uint32_t i = 0; i < all.len; i++)
        d.at.at[all.at[i]].written = true;
    read_formula(&d);
    fterms_reach(f->t, 1, &x, &all);
    for (uint32_t i = 0; i < all.len; i++)
        tidy_node(&d, all.at[i]);
    fterm y = d.at.at[x].to;
    if (d.at.at[x].line > 0) {
        // The last line is that of x: nothing is added behind it.
        buf_puts(proof, buf_text(&d.terms));
        buf_puts(proof, buf_text(&d.lines));
    }
    intern_release(&d.names);
    vec_release(&d.commutes);
    vec_release(&d.at);
    vec_release(&d.number);
    vec_release(&d.place);
    vec_release(&d.names_at);
    vec_release(&d.first);
    vec_release(&all);
    buf_release(&d.terms);
    buf_release(&d.lines);
    return y;
}
