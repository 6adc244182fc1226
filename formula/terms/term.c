// SPDX-License-Identifier: Apache-2.0
#include "formula/terms/term.h"
#include "formula/limits.h"

#include "base/text/buf.h"
#include "base/hash.h"

#include <assert.h>

enum { FIRST_SLOTS = 256 };

void fterms_init(struct fterms *terms)
{
    memset(terms, 0, sizeof *terms);
    intern_init(&terms->names);
    for (uint32_t i = 0; i < FIRST_SLOTS; i++)
        vec_push(&terms->slot, 0);
}

void fterms_release(struct fterms *terms)
{
    intern_release(&terms->names);
    vec_release(&terms->node);
    vec_release(&terms->arg);
    vec_release(&terms->slot);
}

static uint64_t hash_node(uint32_t name, uint32_t n, const fterm *args)
{
    uint64_t h = hash_u64(name, n);
    for (uint32_t i = 0; i < n; i++)
        h = hash_u64(args[i], h);
    return h;
}

// Own table: asked for every term that is built, in every reading of a formula.
// The slot of the node, or the free slot where the node belongs.
static uint32_t *find_slot(struct fterms *terms, uint32_t name, uint32_t n, const fterm *args)
{
    uint32_t mask = terms->slot.len - 1;
    uint32_t i = (uint32_t)hash_node(name, n, args) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t s = terms->slot.at[i];
        if (s == 0)
            return &terms->slot.at[i];
        const struct fnode *node = &terms->node.at[s - 1];
        if (node->name == name && node->n == n &&
            (n == 0 || memcmp(terms->arg.at + node->at, args, n * sizeof *args) == 0))
            return &terms->slot.at[i];
    }
}

static void grow(struct fterms *terms)
{
    uint32_t n = terms->slot.len * 2;
    terms->slot.len = 0;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&terms->slot, 0);
    for (uint32_t x = 0; x < terms->node.len; x++) {
        const struct fnode *node = &terms->node.at[x];
        *find_slot(terms, node->name, node->n, fterm_args(terms, x)) = x + 1;
    }
}

static fterm make(struct fterms *terms, uint32_t name, uint32_t n, const fterm *args)
{
    uint32_t *slot = find_slot(terms, name, n, args);
    if (*slot != 0)
        return *slot - 1;
    struct fnode node = {.name = name, .at = terms->arg.len, .n = n};
    *slot = terms->node.len + 1;
    for (uint32_t i = 0; i < n; i++) {
        assert(args[i] < terms->node.len);
        vec_push(&terms->arg, args[i]);
    }
    vec_push(&terms->node, node);
    if (terms->node.len * 2 > terms->slot.len)
        grow(terms);
    return terms->node.len - 1;
}

fterm fterm_make_n(struct fterms *terms, const char *name, uint32_t len, uint32_t n,
                   const fterm *args)
{
    return make(terms, intern_bytes(&terms->names, name, len), n, args);
}

fterm fterm_make(struct fterms *terms, const char *name, uint32_t n, const fterm *args)
{
    return make(terms, intern_str(&terms->names, name), n, args);
}

const char *fterm_name(const struct fterms *terms, fterm term)
{
    return intern_text(&terms->names, terms->node.at[term].name);
}

bool fterm_is(const struct fterms *terms, fterm term, const char *text, uint32_t n)
{
    return fterm_n(terms, term) == n && strcmp(fterm_name(terms, term), text) == 0;
}

void fterms_reach(const struct fterms *terms, uint32_t n, const fterm *roots, struct u32_vec *out)
{
    bool *seen = mem_alloc(terms->node.len + 1);
    uint32_t top = 0;
    for (uint32_t i = 0; i < n; i++) {
        seen[roots[i]] = true;
        top = roots[i] >= top ? roots[i] + 1 : top;
    }
    for (uint32_t x = top; x-- > 0;)
        for (uint32_t k = 0; seen[x] && k < fterm_n(terms, x); k++)
            seen[fterm_args(terms, x)[k]] = true;
    out->len = 0;
    for (uint32_t x = 0; x < top; x++)
        if (seen[x])
            vec_push(out, x);
    mem_free(seen);
}

fterm fterm_copy(struct fterms *terms, const struct fterms *from, fterm term)
{
    struct u32_vec all = {0}, made = {0}, args = {0};
    fterms_reach(from, 1, &term, &all);
    vec_zero(&made, term + 1u);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        vec_clear(&args);
        for (uint32_t k = 0; k < fterm_n(from, x); k++)
            vec_push(&args, made.at[fterm_args(from, x)[k]]);
        made.at[x] = fterm_make(terms, fterm_name(from, x), args.len, args.at);
    }
    fterm out = made.at[term];
    vec_release(&all);
    vec_release(&made);
    vec_release(&args);
    return out;
}

// Prefix notation

void fterm_print(const struct fterms *terms, fterm term, struct buf *out)
{
    uint32_t n = fterm_n(terms, term);
    if (n == 0) {
        buf_puts(out, fterm_name(terms, term));
        return;
    }
    buf_puts(out, "(");
    buf_puts(out, fterm_name(terms, term));
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(out, " ");
        fterm_print(terms, fterm_args(terms, term)[i], out);
    }
    buf_puts(out, ")");
}

struct term_text {
    const char *at, *begin;
    struct u32_vec stack; // arguments of all open lists, as far as read
    struct err *err;
};

static bool fail(const struct term_text *text, const char *what)
{
    return err_set(text->err, ERR_INPUT, "term, byte %zu: %s", (size_t)(text->at - text->begin) + 1,
                   what);
}

static bool read(struct fterms *terms, struct term_text *text, uint32_t depth, fterm *out)
{
    if (depth > FTERM_DEPTH)
        return fail(text, "too deep");
    text->at += strspn(text->at, " \n");
    bool list = *text->at == '(';
    text->at += list;
    const char *name = text->at;
    uint32_t len = (uint32_t)strcspn(name, " \n()"), base = text->stack.len;
    if (len == 0)
        return fail(text, "expected a name");
    text->at += len;
    while (list) {
        fterm arg;
        text->at += strspn(text->at, " \n");
        if (*text->at == ')')
            break;
        if (!read(terms, text, depth + 1, &arg))
            return false;
        vec_push(&text->stack, arg);
    }
    text->at += list;
    *out = fterm_make_n(terms, name, len, text->stack.len - base,
                        text->stack.len > base ? text->stack.at + base : NULL);
    text->stack.len = base;
    return true;
}

bool fterm_read(struct fterms *terms, const char *text, fterm *out, struct err *err)
{
    struct term_text s = {.at = text, .begin = text, .err = err};
    bool ok = read(terms, &s, 0, out);
    s.at += strspn(s.at, " \n");
    if (ok && *s.at != 0)
        ok = fail(&s, "expected the end of the term, found more text");
    vec_release(&s.stack);
    return ok;
}

// Spelling of leaves

bool fname_is_number(const char *text, uint32_t len)
{
    uint32_t i = len > 0 && text[0] == '-';
    return i < len && text[i] >= '0' && text[i] <= '9';
}

bool fname_is_axes(const char *text, uint32_t len)
{
    return len >= 2 && text[0] == '{' && text[len - 1] == '}';
}

bool fname_axes(const char *text, uint32_t len,
                void (*each)(void *ctx, const char *axis, uint32_t len), void *ctx)
{
    const char *open = memchr(text, '{', len);
    if (open == NULL || text[len - 1] != '}')
        return false;
    const char *end = text + len - 1;
    for (const char *at = open + 1; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma != NULL ? comma : end;
        each(ctx, at, (uint32_t)(stop - at));
        at = stop + (comma != NULL);
    }
    return true;
}

// Reductions

struct axis_text {
    const char *at;
    uint32_t len;
};
struct merged_axes {
    struct axis_text at[FTERM_MERGED_AXES];
    uint32_t n;
    bool no;
};

static int axis_order(struct axis_text a, struct axis_text b)
{
    int d = memcmp(a.at, b.at, a.len < b.len ? a.len : b.len);
    return d != 0 ? d : (a.len > b.len) - (a.len < b.len);
}

// Sorts axes by name and drops repetitions.
static void merge_axis(void *ctx, const char *axis, uint32_t len)
{
    struct merged_axes *merged = ctx;
    struct axis_text text = {axis, len};
    uint32_t i = merged->n;
    merged->no |= merged->n == FTERM_MERGED_AXES;
    for (uint32_t k = 0; k < merged->n; k++)
        merged->no |= axis_order(merged->at[k], text) == 0;
    if (merged->no)
        return;
    for (merged->n++; i > 0 && axis_order(merged->at[i - 1], text) > 0; i--)
        merged->at[i] = merged->at[i - 1];
    merged->at[i] = text;
}

static void merge_set(const struct fterms *terms, fterm set, struct merged_axes *merged)
{
    const char *text = fterm_name(terms, set);
    merged->no |= fterm_n(terms, set) > 0 || *text != '{' ||
                  !fname_axes(text, (uint32_t)strlen(text), merge_axis, merged);
}

fterm fterm_merged(struct fterms *terms, fterm term)
{
    struct buf op = {0}, set = {0}; // copies, because the store may move its texts
    struct merged_axes merged = {.n = 0};
    fterm out = term;
    buf_puts(&op, fterm_name(terms, term));
    if (fterm_n(terms, term) == 2 && strncmp(buf_text(&op), "reduce_", 7) == 0 &&
        fterm_is(terms, fterm_args(terms, term)[1], buf_text(&op), 2)) {
        fterm below = fterm_args(terms, term)[1];
        fterm args[2] = {0, fterm_args(terms, below)[1]};
        merge_set(terms, fterm_args(terms, term)[0], &merged);
        merge_set(terms, fterm_args(terms, below)[0], &merged);
        for (uint32_t i = 0; i < merged.n; i++) {
            buf_puts(&set, i == 0 ? "{" : ",");
            buf_write(&set, merged.at[i].at, merged.at[i].len);
        }
        buf_puts(&set, "}");
        if (!merged.no) {
            args[0] = fterm_make(terms, buf_text(&set), 0, NULL);
            out = fterm_make(terms, buf_text(&op), 2, args);
        }
    }
    buf_release(&op);
    buf_release(&set);
    return out;
}
