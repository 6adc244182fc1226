// SPDX-License-Identifier: Apache-2.0
#include "lift/tidy.h"

#include "formula/print.h"

enum { MAX_OP = 32 };

struct commutes {
    char op[MAX_OP];
    uint32_t name; // of the rule
};
struct tidied {
    fterm to;
    uint32_t line; // of its equality + 1; 0: the same
    bool written;  // it stands in the formula: its order was somebody's choice
};
struct tidy {
    const struct formula *f;
    const struct fdefines *defs;
    struct fterms *t;
    struct intern names;
    VEC(struct commutes) commutes;
    VEC(struct tidied) at; // by term
    struct buf terms, lines;
    struct u32_vec number; // of terms in the proof + 1
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

// name: (op ?a ?b) => (op ?b ?a)
static void add_rule(struct tidy *d, const char *s, size_t n)
{
    const char *end = s + n, *colon = memchr(s, ':', n), *at[7];
    uint32_t len[7];
    if (colon == NULL)
        return;
    const char *p = colon + 1;
    for (uint32_t i = 0; i < 7; i++) {
        at[i] = word(p, end, &len[i]);
        p = at[i] + len[i];
    }
    uint32_t rest;
    (void)word(p, end, &rest);
#define SAME(i, k) (len[i] == len[k] && memcmp(at[i], at[k], len[i]) == 0)
    bool is = rest == 0 && len[0] > 0 && len[0] < MAX_OP && len[1] > 1 &&
              len[2] > 1 && *at[1] == '?' && *at[2] == '?' && !SAME(1, 2) &&
              len[3] == 2 && memcmp(at[3], "=>", 2) == 0 && SAME(0, 4) &&
              SAME(1, 6) && SAME(2, 5);
#undef SAME
    if (!is)
        return;
    struct commutes c = {.name =
                             intern_bytes(&d->names, s, (size_t)(colon - s))};
    memcpy(c.op, at[0], len[0]);
    vec_push(&d->commutes, c);
}

static const struct commutes *commuting(const struct tidy *d, fterm x)
{
    for (uint32_t i = 0; i < d->commutes.len; i++)
        if (fterm_is(d->t, x, d->commutes.at[i].op, 2))
            return &d->commutes.at[i];
    return NULL;
}

// The proof

static uint32_t number(struct tidy *d, fterm x)
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
static uint32_t add_line(struct tidy *d, const char *kind, fterm a, fterm b,
                         struct buf *rest)
{
    uint32_t x = number(d, a), y = number(d, b);
    buf_printf(&d->lines, "%s %u %u %u%s\n", kind, d->n_lines, x, y,
               buf_text(rest));
    buf_release(rest);
    return d->n_lines++;
}

// Lines are numbers + 1; 0 says that both terms are the same.
static uint32_t chained(struct tidy *d, fterm a, fterm c, uint32_t first,
                        uint32_t second)
{
    struct buf rest = {0};
    if (first == 0 || second == 0)
        return first + second;
    buf_printf(&rest, " %u %u", first - 1, second - 1);
    return add_line(d, "trans", a, c, &rest) + 1;
}

// Order

static uint32_t first_variable(const struct tidy *d, fterm x)
{
    struct u32_vec all = {0};
    uint32_t least = UINT32_MAX;
    fterms_reach(d->t, 1, &x, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        const char *name = fterm_name(d->t, all.at[i]);
        size_t n = strcspn(name, "{");
        for (uint32_t v = 0; fterm_n(d->t, all.at[i]) == 0 &&
                             v < d->f->variables.len && v < least;
             v++)
            if (strlen(d->f->variables.at[v].name) == n &&
                memcmp(d->f->variables.at[v].name, name, n) == 0)
                least = v;
    }
    vec_release(&all);
    return least;
}

static uint32_t size(const struct tidy *d, fterm x)
{
    struct u32_vec all = {0};
    fterms_reach(d->t, 1, &x, &all);
    uint32_t n = all.len;
    vec_release(&all);
    return n;
}

static bool is_number(const struct tidy *d, fterm x)
{
    const char *name = fterm_name(d->t, x);
    return fterm_n(d->t, x) == 0 &&
           fname_is_number(name, (uint32_t)strlen(name));
}

// Would it need brackets to the right of an operator like x's?
static bool is_chain(const struct tidy *d, fterm x, fterm part)
{
    if (fterm_is(d->t, x, "multiply", 2))
        return fterm_is(d->t, part, "multiply", 2) ||
               fterm_is(d->t, part, "divide", 2);
    return fterm_is(d->t, x, "add", 2) && (fterm_is(d->t, part, "add", 2) ||
                                           fterm_is(d->t, part, "subtract", 2));
}

// Does b come before a in (op a b)?
static bool should_swap(const struct tidy *d, fterm x)
{
    fterm a = fterm_args(d->t, x)[0], b = fterm_args(d->t, x)[1];
    bool product = fterm_is(d->t, x, "multiply", 2);
    bool left = is_chain(d, x, a), right = is_chain(d, x, b);
    uint32_t p = first_variable(d, a), q = first_variable(d, b);
    if (is_number(d, a) != is_number(d, b)) { // 2*x, x + 2 or 2 + x, max(x, 2)
        if (fterm_is(d->t, x, "add", 2))
            return false;
        return product ? is_number(d, b) && !left : is_number(d, a);
    }
    if (left != right)
        return right && (product || q <= p);
    if (left && !product)
        return false;
    if (product && (p == UINT32_MAX) != (q == UINT32_MAX))
        return q == UINT32_MAX; // constants
    if (p != q && p != UINT32_MAX && q != UINT32_MAX)
        return q < p;
    return p != UINT32_MAX && p == q && size(d, b) < size(d, a);
}

static fterm rebuilt(struct tidy *d, fterm x, const fterm *args)
{
    struct buf name = {0}; // the store may move it
    buf_puts(&name, fterm_name(d->t, x));
    fterm y = fterm_make(d->t, buf_text(&name), fterm_n(d->t, x), args);
    buf_release(&name);
    return y;
}

static fterm swapped(struct tidy *d, fterm x)
{
    fterm args[2] = {fterm_args(d->t, x)[1], fterm_args(d->t, x)[0]};
    return rebuilt(d, x, args);
}

// *line: of the equality of x and the result.
static fterm swap(struct tidy *d, fterm x, uint32_t *line)
{
    struct buf rest = {0};
    fterm y = swapped(d, x);
    *line = 0;
    if (y == x)
        return x;
    buf_printf(&rest, " by %s", intern_text(&d->names, commuting(d, x)->name));
    *line = add_line(d, "rule", x, y, &rest) + 1;
    return y;
}

// A sum of products that reads as matmul in one order of its factors.
static fterm as_matmul(struct tidy *d, fterm x, uint32_t *line)
{
    *line = 0;
    if (!fterm_is(d->t, x, "reduce_add", 2))
        return x;
    fterm args[2] = {fterm_args(d->t, x)[0], fterm_args(d->t, x)[1]};
    if (!fterm_is(d->t, args[1], "multiply", 2) ||
        commuting(d, args[1]) == NULL)
        return x;
    args[1] = swapped(d, args[1]);
    fterm y = rebuilt(d, x, args);
    if (surface_cost(d->f, d->defs, y) >= surface_cost(d->f, d->defs, x))
        return x;
    uint32_t inner;
    struct buf rest = {0};
    (void)swap(d, fterm_args(d->t, x)[1], &inner);
    buf_printf(&rest, " 1:%u", inner - 1);
    *line = add_line(d, "cong", x, y, &rest) + 1;
    return y;
}

// Arguments are tidied.
static void tidy_node(struct tidy *d, fterm x)
{
    struct u32_vec args = {0};
    struct buf rest = {0};
    fterm y = x;
    uint32_t line = 0, more;
    for (uint32_t k = 0; k < fterm_n(d->t, x); k++) {
        struct tidied a = d->at.at[fterm_args(d->t, x)[k]];
        vec_push(&args, a.to);
        if (a.line > 0)
            buf_printf(&rest, " %u:%u", k, a.line - 1);
    }
    if (rest.len > 0) {
        y = rebuilt(d, x, args.at);
        line = add_line(d, "cong", x, y, &rest) + 1;
    }
    if (!d->at.at[x].written && commuting(d, y) != NULL && should_swap(d, y)) {
        fterm z = swap(d, y, &more);
        line = chained(d, x, z, line, more);
        y = z;
    }
    fterm z = as_matmul(d, y, &more);
    line = chained(d, x, z, line, more);
    vec_release(&args);
    d->at.at[x].to = z;
    d->at.at[x].line = line;
}

fterm tidy(const struct formula *f, const struct fdefines *defs,
           const char *rules, fterm x, struct buf *proof)
{
    struct tidy d = {.f = f, .defs = defs, .t = f->t};
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
    vec_release(&all);
    buf_release(&d.terms);
    buf_release(&d.lines);
    return y;
}
