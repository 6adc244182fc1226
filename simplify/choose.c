// SPDX-License-Identifier: Apache-2.0
#include "simplify/choose.h"

#include "formula/language/formula.h"

void choose_init(struct choose *chooser, bool expand)
{
    memset(chooser, 0, sizeof *chooser);
    chooser->expand = expand;
    fterms_init(&chooser->terms);
    intern_init(&chooser->seen);
    intern_init(&chooser->ops);
}

void choose_release(struct choose *chooser)
{
    fterms_release(&chooser->terms);
    intern_release(&chooser->seen);
    intern_release(&chooser->ops);
    vec_release(&chooser->op);
    vec_release(&chooser->definition);
    vec_release(&chooser->line);
    buf_release(&chooser->text);
    buf_release(&chooser->key);
}

// One side of a rule.
struct line_side {
    double cost;             // of what is no variable
    uint32_t n_fixed;        // operators and names
    struct u32_vec variable; // names, each as often as it stands there
};

static void add_side(const struct fterms *terms, fterm term, struct line_side *side)
{
    const char *name = fterm_name(terms, term);
    if (*name == '?') {
        vec_push(&side->variable, terms->node.at[term].name);
        return;
    }
    side->cost += formula_cost(terms, term);
    side->n_fixed++;
    for (uint32_t k = 0; k < fterm_n(terms, term); k++)
        add_side(terms, fterm_args(terms, term)[k], side);
}

static uint32_t count(const struct line_side *side, uint32_t variable)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < side->variable.len; i++)
        n += side->variable.at[i] == variable;
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
    static const char *const list[] = {"lt", "le",  "eq",   "ne",    "not",        "and",
                                       "or", "xor", "true", "false", "reduce_and", "reduce_or"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

// Is this subterm one of the term?
static bool contains(const struct fterms *terms, fterm term, fterm subterm)
{
    bool in = term == subterm;
    for (uint32_t k = 0; !in && k < fterm_n(terms, term); k++)
        in = contains(terms, fterm_args(terms, term)[k], subterm);
    return in;
}

// Makes a condition of the left side numbers that are not compared there?  A rule that moves
// operands from one side of a comparison to the other makes terms for each condition, of which
// none is ever read.
static bool moves(const struct fterms *terms, fterm left, fterm right)
{
    if (!is_truth(fterm_name(terms, right)))
        return fterm_n(terms, right) > 0 && !contains(terms, left, right);
    for (uint32_t k = 0; k < fterm_n(terms, right); k++)
        if (moves(terms, left, fterm_args(terms, right)[k]))
            return true;
    return false;
}

// What variables of a definition stand for.
struct binding {
    struct u32_vec variable, value;
};

static bool fits(const struct fterms *terms, fterm pattern, fterm term, struct binding *binding)
{
    const char *name = fterm_name(terms, pattern);
    uint32_t n = fterm_n(terms, pattern);
    if (*name == '?') {
        for (uint32_t i = 0; i < binding->variable.len; i++)
            if (binding->variable.at[i] == pattern)
                return binding->value.at[i] == term;
        vec_push(&binding->variable, pattern);
        vec_push(&binding->value, term);
        return true;
    }
    bool fit = fterm_is(terms, term, name, n);
    for (uint32_t k = 0; fit && k < n; k++)
        fit = fits(terms, fterm_args(terms, pattern)[k], fterm_args(terms, term)[k], binding);
    return fit;
}

// Like add_side, where functions that are defined are called by name.
static void add_called(const struct choose *chooser, fterm term, struct line_side *side)
{
    const struct fterms *terms = &chooser->terms;
    struct binding binding = {0};
    bool call = false;
    for (uint32_t i = 0; !call && fterm_n(terms, term) > 0 && i < chooser->definition.len; i++) {
        vec_clear(&binding.variable);
        vec_clear(&binding.value);
        call = fits(terms, chooser->definition.at[i], term, &binding);
    }
    if (call) {
        side->cost += 1;
        for (uint32_t i = 0; i < binding.value.len; i++)
            add_called(chooser, binding.value.at[i], side);
    } else if (*fterm_name(terms, term) == '?') {
        vec_push(&side->variable, terms->node.at[term].name);
    } else {
        side->cost += formula_cost(terms, term);
        for (uint32_t k = 0; k < fterm_n(terms, term); k++)
            add_called(chooser, fterm_args(terms, term)[k], side);
    }
    vec_release(&binding.variable);
    vec_release(&binding.value);
}

// Is the right side shorter than the left one as soon as its functions are called by name?
static bool names_something(const struct choose *chooser, const struct line_side *left, fterm right)
{
    struct line_side side = {0};
    if (chooser->expand)
        return false;
    add_called(chooser, right, &side);
    bool shorter =
        side.cost + side.variable.len <= left->cost + left->variable.len && !repeats(left, &side);
    vec_release(&side.variable);
    return shorter;
}

static enum choose_kind judge(struct choose *chooser, fterm left, fterm right)
{
    struct line_side side = {0}, r = {0};
    add_side(&chooser->terms, left, &side);
    add_side(&chooser->terms, right, &r);
    bool more = repeats(&side, &r);
    // Sets of axes cost nothing, so whole sides are compared.
    double growth = r.cost + r.variable.len - side.cost - side.variable.len;
    bool truth = is_truth(fterm_name(&chooser->terms, left));
    enum choose_kind out = CHOOSE_NEVER;
    if (!more && growth <= 0 && !(truth && growth == 0 && moves(&chooser->terms, left, right)))
        out = CHOOSE_SIMPLER;
    else if (side.n_fixed >= 2 && !truth &&
             (growth <= CHOOSE_GROWTH || names_something(chooser, &side, right)))
        out = CHOOSE_LONGER;
    vec_release(&side.variable);
    vec_release(&r.variable);
    return out;
}

// Is this the first line with this text? Variables are numbered in the order in which they occur:
// `?` and the bytes of the number.
static bool is_new(struct choose *chooser, const char *string, uint32_t len)
{
    struct buf *key = &chooser->key;
    VEC(const char *) name = {0};
    struct u32_vec length = {0};
    uint32_t before = chooser->seen.entry.len;
    const char *end = string + len;
    buf_clear(key);
    while (string < end) {
        const char *at = memchr(string, '?', (size_t)(end - string));
        uint32_t n = 1, v = 0;
        buf_write(key, string, (size_t)((at != NULL ? at : end) - string));
        if (at == NULL)
            break;
        while (at + n < end && strchr(" (),", at[n]) == NULL)
            n++;
        while (v < name.len && (length.at[v] != n || memcmp(name.at[v], at, n) != 0))
            v++;
        if (v == name.len) {
            vec_push(&name, at);
            vec_push(&length, n);
        }
        buf_putc(key, '?');
        buf_write(key, &v, sizeof v);
        string = at + n;
    }
    uint32_t id = intern_bytes(&chooser->seen, buf_text(key), key->len);
    vec_release(&name);
    vec_release(&length);
    return id == before;
}

static const char *find(const char *text, const char *end, const char *what)
{
    size_t n = strlen(what);
    for (; text + n <= end; text++)
        if (memcmp(text, what, n) == 0)
            return text;
    return NULL;
}

static bool read_side(struct choose *chooser, const char *from, const char *to, fterm *out)
{
    struct err err = {0};
    buf_clear(&chooser->key);
    buf_write(&chooser->key, from, (size_t)(to - from));
    return fterm_read(&chooser->terms, buf_text(&chooser->key), out, &err);
}

// Does it make a reduction along axes on which nothing in it depends?  Those
// are read less easily than products, whatever they cost.
static bool is_idle(const struct choose *chooser, fterm term, const char *cond, const char *end)
{
    const char *name = fterm_name(&chooser->terms, term);
    if (cond != NULL && fterm_n(&chooser->terms, term) == 2 && strncmp(name, "reduce_", 7) == 0 &&
        fterm_n(&chooser->terms, fterm_args(&chooser->terms, term)[1]) == 0) {
        struct buf free = {0};
        buf_printf(&free, "free_of(%s, %s)",
                   fterm_name(&chooser->terms, fterm_args(&chooser->terms, term)[0]),
                   fterm_name(&chooser->terms, fterm_args(&chooser->terms, term)[1]));
        bool idle = find(cond, end, buf_text(&free)) != NULL;
        buf_release(&free);
        if (idle)
            return true;
    }
    for (uint32_t k = 0; k < fterm_n(&chooser->terms, term); k++)
        if (is_idle(chooser, fterm_args(&chooser->terms, term)[k], cond, end))
            return true;
    return false;
}

static uint32_t op_id(struct choose *chooser, const char *name, uint32_t n)
{
    buf_clear(&chooser->key);
    buf_write(&chooser->key, &n, sizeof n);
    buf_puts(&chooser->key, name);
    return intern_bytes(&chooser->ops, buf_text(&chooser->key), chooser->key.len);
}

// Operators of a side; names without arguments may come from anywhere.
static void put_ops(struct choose *chooser, fterm term)
{
    uint32_t n = fterm_n(&chooser->terms, term);
    if (n > 0)
        vec_push(&chooser->op, op_id(chooser, fterm_name(&chooser->terms, term), n));
    for (uint32_t k = 0; k < n; k++)
        put_ops(chooser, fterm_args(&chooser->terms, term)[k]);
}

// The terms of the conditions same(P, true), which are built where the left
// side is found.
static void put_conditions(struct choose *chooser, const char *text, const char *end)
{
    while (text != NULL && (text = find(text, end, "same(")) != NULL) {
        const char *stop = find(text, end, ", true)");
        fterm term;
        if (stop != NULL && read_side(chooser, text + 5, stop, &term))
            put_ops(chooser, term);
        text += 5;
    }
}

static void add_line(struct choose *chooser, const char *text, uint32_t n, enum choose_kind least)
{
    const char *end = text + n, *left = find(text, end, ": "), *arrow, *cond;
    struct choose_line line = {.at = (uint32_t)chooser->text.len, .len = n};
    fterm term, r;
    if (left == NULL || (arrow = find(left, end, " => ")) == NULL ||
        !is_new(chooser, left, (uint32_t)(end - left)))
        return;
    cond = find(arrow, end, " if ");
    if (!read_side(chooser, left + 2, arrow, &term) ||
        !read_side(chooser, arrow + 4, cond != NULL ? cond : end, &r))
        return;
    line.fact = is_truth(fterm_name(&chooser->terms, term));
    bool idle = is_idle(chooser, r, cond, end);
    line.what = idle ? CHOOSE_NEVER : judge(chooser, term, r);
    if (line.what == CHOOSE_NEVER && !idle && is_idle(chooser, term, cond, end))
        line.what = CHOOSE_LONGER;
    if (line.what < least)
        line.what = least;
    if (line.what == CHOOSE_NEVER)
        return;
    line.need = chooser->op.len;
    put_ops(chooser, term);
    line.n_need = chooser->op.len - line.need;
    line.make = chooser->op.len;
    put_ops(chooser, r);
    put_conditions(chooser, cond, end);
    line.n_make = chooser->op.len - line.make;
    buf_write(&chooser->text, text, n);
    vec_push(&chooser->line, line);
}

static bool is_in(const struct choose_line *line, enum choose_set set)
{
    return set == CHOOSE_ALL ||
           (line->what == CHOOSE_SIMPLER && (set == CHOOSE_ALL_SIMPLER || line->fact));
}

void choose_text(struct choose *chooser, enum choose_set set, const struct fterms *store,
                 uint32_t n, const fterm *terms, struct buf *out)
{
    struct u32_vec all = {0};
    fterms_reach(store, n, terms, &all);
    for (uint32_t i = 0; i < all.len; i++)
        (void)op_id(chooser, fterm_name(store, all.at[i]), fterm_n(store, all.at[i]));
    bool *there = mem_alloc(chooser->ops.entry.len + 1);
    bool *taken = mem_alloc(chooser->line.len + 1);
    memset(there, 0, chooser->ops.entry.len + 1);
    memset(taken, 0, chooser->line.len + 1);
    for (uint32_t i = 0; i < all.len; i++)
        there[op_id(chooser, fterm_name(store, all.at[i]), fterm_n(store, all.at[i]))] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < chooser->line.len; i++) {
            const struct choose_line *line = &chooser->line.at[i];
            bool can = !taken[i] && is_in(line, set);
            for (uint32_t k = 0; k < line->n_need && can; k++)
                can = there[chooser->op.at[line->need + k]];
            for (uint32_t k = 0; k < line->n_make && can; k++)
                there[chooser->op.at[line->make + k]] = true;
            taken[i] |= can;
            more |= can;
        }
    }
    const char *text = buf_text(&chooser->text);
    for (uint32_t i = 0; i < chooser->line.len; i++)
        if (taken[i]) {
            buf_write(out, text + chooser->line.at[i].at, chooser->line.at[i].len);
            buf_putc(out, '\n');
        }
    mem_free(there);
    mem_free(taken);
    vec_release(&all);
}

void choose_define(struct choose *chooser, const char *lines)
{
    for (const char *string = lines; *string != 0;) {
        uint32_t n = (uint32_t)strcspn(string, "\n");
        const char *end = string + n, *left = find(string, end, ": "), *arrow;
        fterm term;
        if (left != NULL && (arrow = find(left, end, " => ")) != NULL &&
            read_side(chooser, left + 2, arrow, &term) && *fterm_name(&chooser->terms, term) != '?')
            vec_push(&chooser->definition, term);
        string += n + (string[n] == '\n');
    }
}

static void add_lines(struct choose *chooser, const char *text, enum choose_kind least)
{
    for (const char *string = text; *string != 0;) {
        uint32_t n = (uint32_t)strcspn(string, "\n");
        add_line(chooser, string, n, least);
        string += n + (string[n] == '\n');
    }
}

void choose_add(struct choose *chooser, const char *lines, bool defines, bool backward)
{
    enum choose_kind least = !defines || !backward ? CHOOSE_NEVER
                             : chooser->expand     ? CHOOSE_SIMPLER
                                                   : CHOOSE_LONGER;
    if (!defines || !chooser->expand || backward)
        add_lines(chooser, lines, least);
}
