// SPDX-License-Identifier: Apache-2.0
#include "simplify/choose.h"

#include "simplify/growth.h"

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

static uint32_t op_id(struct choose *chooser, const char *name, uint32_t len, uint32_t n)
{
    buf_clear(&chooser->key);
    buf_write(&chooser->key, &n, sizeof n);
    buf_write(&chooser->key, name, len);
    return intern_bytes(&chooser->ops, buf_text(&chooser->key), chooser->key.len);
}

static uint32_t term_op(struct choose *chooser, const struct fterms *terms, fterm term)
{
    const char *name = fterm_name(terms, term);
    return op_id(chooser, name, (uint32_t)strlen(name), fterm_n(terms, term));
}

// Operators of a side; names without arguments may come from anywhere.
static void put_ops(struct choose *chooser, fterm term)
{
    uint32_t n = fterm_n(&chooser->terms, term);
    if (n > 0)
        vec_push(&chooser->op, term_op(chooser, &chooser->terms, term));
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

// The operators in the text of a side.  Returns the end of the first term in it.
static const char *put_text_ops(struct choose *chooser, const char *text, const char *end)
{
    while (text < end && *text == ' ')
        text++;
    if (text == end || *text != '(') {
        while (text < end && *text != ' ' && *text != ')')
            text++;
        return text;
    }
    const char *name = ++text;
    uint32_t n = 0;
    while (text < end && *text != ' ' && *text != ')')
        text++;
    const char *stop = text;
    for (; text < end && *text != ')'; n++)
        text = put_text_ops(chooser, text, end);
    vec_push(&chooser->op, op_id(chooser, name, (uint32_t)(stop - name), n));
    return text < end ? text + 1 : end;
}

static void add_line(struct choose *chooser, const char *text, uint32_t n, enum choose_kind least)
{
    const char *end = text + n, *left = find(text, end, ": "), *arrow;
    struct choose_line line = {.what = least, .at = (uint32_t)chooser->text.len, .len = n};
    if (left == NULL || (arrow = find(left, end, " => ")) == NULL ||
        !is_new(chooser, left, (uint32_t)(end - left)))
        return;
    line.need = chooser->op.len;
    (void)put_text_ops(chooser, left + 2, arrow);
    line.n_need = chooser->op.len - line.need;
    buf_write(&chooser->text, text, n);
    vec_push(&chooser->line, line);
}

// Of most lines this is never asked.
static enum choose_kind kind(struct choose *chooser, const struct choose_line *line, fterm term,
                             fterm right, const char *cond, const char *end)
{
    bool idle = is_idle(chooser, right, cond, end);
    enum choose_kind out = idle ? CHOOSE_NEVER : growth_kind(chooser, term, right);
    if (out == CHOOSE_NEVER && !idle && is_idle(chooser, term, cond, end))
        out = CHOOSE_LONGER;
    return out < line->what ? line->what : out;
}

static void read_line(struct choose *chooser, struct choose_line *line)
{
    const char *text = buf_text(&chooser->text) + line->at, *end = text + line->len;
    const char *left = find(text, end, ": "), *arrow = find(left, end, " => ");
    const char *cond = find(arrow, end, " if ");
    fterm term, right;
    line->known = true;
    line->make = chooser->op.len;
    if (!read_side(chooser, left + 2, arrow, &term) ||
        !read_side(chooser, arrow + 4, cond != NULL ? cond : end, &right)) {
        line->what = CHOOSE_NEVER;
        return;
    }
    line->fact = growth_is_truth(fterm_name(&chooser->terms, term));
    line->what = kind(chooser, line, term, right, cond, end);
    put_ops(chooser, right);
    put_conditions(chooser, cond, end);
    line->n_make = chooser->op.len - line->make;
}

static bool is_in(const struct choose_line *line, enum choose_set set)
{
    return (set == CHOOSE_ALL && line->what != CHOOSE_NEVER) ||
           (line->what == CHOOSE_SIMPLER && (set == CHOOSE_ALL_SIMPLER || line->fact));
}

// Do all operators of the line's left side occur?  Then what it is must be known.
static bool is_needed(struct choose *chooser, uint32_t i, struct u32_vec *there)
{
    struct choose_line *line = &chooser->line.at[i];
    for (uint32_t k = 0; k < line->n_need; k++)
        if (there->at[chooser->op.at[line->need + k]] == 0)
            return false;
    if (!line->known)
        read_line(chooser, line);
    while (there->len < chooser->ops.entry.len)
        vec_push(there, 0);
    return true;
}

void choose_text(struct choose *chooser, enum choose_set set, const struct fterms *store,
                 uint32_t n, const fterm *terms, struct buf *out)
{
    struct u32_vec all = {0}, there = {0};
    fterms_reach(store, n, terms, &all);
    for (uint32_t i = 0; i < all.len; i++)
        (void)term_op(chooser, store, all.at[i]);
    vec_zero(&there, chooser->ops.entry.len);
    bool *taken = mem_alloc(chooser->line.len + 1);
    memset(taken, 0, chooser->line.len + 1);
    for (uint32_t i = 0; i < all.len; i++)
        there.at[term_op(chooser, store, all.at[i])] = 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < chooser->line.len; i++) {
            const struct choose_line *line = &chooser->line.at[i];
            bool can =
                !taken[i] && is_needed(chooser, i, &there) && is_in(&chooser->line.at[i], set);
            for (uint32_t k = 0; k < line->n_make && can; k++)
                there.at[chooser->op.at[line->make + k]] = 1;
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
    mem_free(taken);
    vec_release(&there);
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
