// SPDX-License-Identifier: Apache-2.0
#include "simplify/choose.h"

#include "formula/language/formula.h"

void choose_init(struct choose *c, bool expand)
{
    memset(c, 0, sizeof *c);
    c->expand = expand;
    fterms_init(&c->t);
    intern_init(&c->seen);
    intern_init(&c->ops);
}

void choose_release(struct choose *c)
{
    fterms_release(&c->t);
    intern_release(&c->seen);
    intern_release(&c->ops);
    vec_release(&c->op);
    vec_release(&c->line);
    buf_release(&c->text);
}

// One side of a rule.
struct line_side {
    double cost;             // of what is no variable
    uint32_t n_fixed;        // operators and names
    struct u32_vec variable; // names, each as often as it stands there
};

static void add_side(const struct fterms *t, fterm x, struct line_side *s)
{
    const char *name = fterm_name(t, x);
    if (*name == '?') {
        vec_push(&s->variable, t->node.at[x].name);
        return;
    }
    s->cost += formula_cost(t, x);
    s->n_fixed++;
    for (uint32_t k = 0; k < fterm_n(t, x); k++)
        add_side(t, fterm_args(t, x)[k], s);
}

static uint32_t count(const struct line_side *s, uint32_t variable)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->variable.len; i++)
        n += s->variable.at[i] == variable;
    return n;
}

// Does a variable stand more often in b than in a?
static bool repeats(const struct line_side *a, const struct line_side *b)
{
    for (uint32_t i = 0; i < b->variable.len; i++)
        if (count(b, b->variable.at[i]) > count(a, b->variable.at[i]))
            return true;
    return false;
}

// Truth values are conditions, not read: none is made longer.
static bool is_truth(const char *name)
{
    static const char *const list[] = {
        "lt", "le",  "eq",   "ne",    "not",        "and",
        "or", "xor", "true", "false", "reduce_and", "reduce_or"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

static enum choose_kind judge(struct choose *c, fterm left, fterm right)
{
    struct line_side l = {0}, r = {0};
    add_side(&c->t, left, &l);
    add_side(&c->t, right, &r);
    bool more = repeats(&l, &r);
    // Sets of axes cost nothing, so whole sides are compared.
    double growth = r.cost + r.variable.len - l.cost - l.variable.len;
    enum choose_kind out = CHOOSE_NEVER;
    if (!more && growth <= 0)
        out = CHOOSE_SIMPLER;
    else if (growth <= CHOOSE_GROWTH && l.n_fixed >= 2 &&
             !is_truth(fterm_name(&c->t, left)))
        out = CHOOSE_LONGER;
    vec_release(&l.variable);
    vec_release(&r.variable);
    return out;
}

// The line with its variables numbered in the order in which they occur.
static bool is_new(struct choose *c, const char *s, uint32_t len)
{
    struct buf text = {0};
    VEC(const char *) name = {0};
    struct u32_vec length = {0};
    uint32_t before = c->seen.entry.len;
    for (uint32_t i = 0; i < len;) {
        uint32_t n = 1, v = 0;
        if (s[i] != '?') {
            buf_putc(&text, s[i++]);
            continue;
        }
        while (i + n < len && strchr(" (),", s[i + n]) == NULL)
            n++;
        while (v < name.len &&
               (length.at[v] != n || memcmp(name.at[v], s + i, n) != 0))
            v++;
        if (v == name.len) {
            vec_push(&name, s + i);
            vec_push(&length, n);
        }
        buf_printf(&text, "?%u", v);
        i += n;
    }
    uint32_t id = intern_bytes(&c->seen, buf_text(&text), text.len);
    buf_release(&text);
    vec_release(&name);
    vec_release(&length);
    return id == before;
}

static const char *find(const char *s, const char *end, const char *what)
{
    size_t n = strlen(what);
    for (; s + n <= end; s++)
        if (memcmp(s, what, n) == 0)
            return s;
    return NULL;
}

static bool read_side(struct choose *c, const char *from, const char *to,
                      fterm *out)
{
    struct buf text = {0};
    struct err e = {0};
    buf_write(&text, from, (size_t)(to - from));
    bool ok = fterm_read(&c->t, buf_text(&text), out, &e);
    buf_release(&text);
    return ok;
}

// Does it make a reduction along axes on which nothing in it depends?  Those
// are read less easily than products, whatever they cost.
static bool is_idle(const struct choose *c, fterm x, const char *cond,
                    const char *end)
{
    const char *name = fterm_name(&c->t, x);
    if (cond != NULL && fterm_n(&c->t, x) == 2 &&
        strncmp(name, "reduce_", 7) == 0 &&
        fterm_n(&c->t, fterm_args(&c->t, x)[1]) == 0) {
        struct buf free = {0};
        buf_printf(&free, "free_of(%s, %s)",
                   fterm_name(&c->t, fterm_args(&c->t, x)[0]),
                   fterm_name(&c->t, fterm_args(&c->t, x)[1]));
        bool idle = find(cond, end, buf_text(&free)) != NULL;
        buf_release(&free);
        if (idle)
            return true;
    }
    for (uint32_t k = 0; k < fterm_n(&c->t, x); k++)
        if (is_idle(c, fterm_args(&c->t, x)[k], cond, end))
            return true;
    return false;
}

static uint32_t op_id(struct choose *c, const char *name, uint32_t n)
{
    struct buf text = {0};
    buf_printf(&text, "%s/%u", name, n);
    uint32_t id = intern_bytes(&c->ops, buf_text(&text), text.len);
    buf_release(&text);
    return id;
}

// Operators of a side; names without arguments may come from anywhere.
static void put_ops(struct choose *c, fterm x)
{
    uint32_t n = fterm_n(&c->t, x);
    if (n > 0)
        vec_push(&c->op, op_id(c, fterm_name(&c->t, x), n));
    for (uint32_t k = 0; k < n; k++)
        put_ops(c, fterm_args(&c->t, x)[k]);
}

// The terms of the conditions same(P, true), which are built where the left
// side is found.
static void put_conditions(struct choose *c, const char *s, const char *end)
{
    while (s != NULL && (s = find(s, end, "same(")) != NULL) {
        const char *stop = find(s, end, ", true)");
        fterm x;
        if (stop != NULL && read_side(c, s + 5, stop, &x))
            put_ops(c, x);
        s += 5;
    }
}

static void add_line(struct choose *c, const char *s, uint32_t n,
                     enum choose_kind least)
{
    const char *end = s + n, *left = find(s, end, ": "), *arrow, *cond;
    struct choose_line x = {.at = (uint32_t)c->text.len, .len = n};
    fterm l, r;
    if (left == NULL || (arrow = find(left, end, " => ")) == NULL ||
        !is_new(c, left, (uint32_t)(end - left)))
        return;
    cond = find(arrow, end, " if ");
    if (!read_side(c, left + 2, arrow, &l) ||
        !read_side(c, arrow + 4, cond != NULL ? cond : end, &r))
        return;
    x.fact = is_truth(fterm_name(&c->t, l));
    bool idle = is_idle(c, r, cond, end);
    x.what = idle ? CHOOSE_NEVER : judge(c, l, r);
    if (x.what == CHOOSE_NEVER && !idle && is_idle(c, l, cond, end))
        x.what = CHOOSE_LONGER;
    if (x.what < least)
        x.what = least;
    if (x.what == CHOOSE_NEVER)
        return;
    x.need = c->op.len;
    put_ops(c, l);
    x.n_need = c->op.len - x.need;
    x.make = c->op.len;
    put_ops(c, r);
    put_conditions(c, cond, end);
    x.n_make = c->op.len - x.make;
    buf_write(&c->text, s, n);
    vec_push(&c->line, x);
}

static bool is_in(const struct choose_line *x, enum choose_set set)
{
    return set == CHOOSE_ALL || (x->what == CHOOSE_SIMPLER &&
                                 (set == CHOOSE_ALL_SIMPLER || x->fact));
}

void choose_text(struct choose *c, enum choose_set set, const struct fterms *t,
                 uint32_t n, const fterm *terms, struct buf *out)
{
    struct u32_vec all = {0};
    fterms_reach(t, n, terms, &all);
    for (uint32_t i = 0; i < all.len; i++)
        (void)op_id(c, fterm_name(t, all.at[i]), fterm_n(t, all.at[i]));
    bool *there = mem_alloc(c->ops.entry.len + 1);
    bool *taken = mem_alloc(c->line.len + 1);
    memset(there, 0, c->ops.entry.len + 1);
    memset(taken, 0, c->line.len + 1);
    for (uint32_t i = 0; i < all.len; i++)
        there[op_id(c, fterm_name(t, all.at[i]), fterm_n(t, all.at[i]))] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < c->line.len; i++) {
            const struct choose_line *x = &c->line.at[i];
            bool can = !taken[i] && is_in(x, set);
            for (uint32_t k = 0; k < x->n_need && can; k++)
                can = there[c->op.at[x->need + k]];
            for (uint32_t k = 0; k < x->n_make && can; k++)
                there[c->op.at[x->make + k]] = true;
            taken[i] |= can;
            more |= can;
        }
    }
    const char *text = buf_text(&c->text);
    for (uint32_t i = 0; i < c->line.len; i++)
        if (taken[i]) {
            buf_write(out, text + c->line.at[i].at, c->line.at[i].len);
            buf_putc(out, '\n');
        }
    mem_free(there);
    mem_free(taken);
    vec_release(&all);
}

static void add_lines(struct choose *c, const char *text, enum choose_kind least)
{
    for (const char *s = text; *s != 0;) {
        uint32_t n = (uint32_t)strcspn(s, "\n");
        add_line(c, s, n, least);
        s += n + (s[n] == '\n');
    }
}

void choose_add(struct choose *c, const char *lines, bool defines,
                bool backward)
{
    enum choose_kind least = !defines || !backward ? CHOOSE_NEVER
                        : c->expand           ? CHOOSE_SIMPLER
                                              : CHOOSE_LONGER;
    if (!defines || !c->expand || backward)
        add_lines(c, lines, least);
}
