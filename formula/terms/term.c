// SPDX-License-Identifier: Apache-2.0
#include "formula/terms/term.h"

#include "base/text/buf.h"
#include "base/hash.h"

#include <assert.h>

enum { FIRST_SLOTS = 256, MAX_DEPTH = 2000 };

void fterms_init(struct fterms *t)
{
    memset(t, 0, sizeof *t);
    intern_init(&t->names);
    for (uint32_t i = 0; i < FIRST_SLOTS; i++)
        vec_push(&t->slot, 0);
}

void fterms_release(struct fterms *t)
{
    intern_release(&t->names);
    vec_release(&t->node);
    vec_release(&t->arg);
    vec_release(&t->slot);
}

static uint64_t hash_node(uint32_t name, uint32_t n, const fterm *args)
{
    uint64_t h = hash_u64(name, n);
    for (uint32_t i = 0; i < n; i++)
        h = hash_u64(args[i], h);
    return h;
}

// The slot of the node, or the free one where it belongs.
static uint32_t *find_slot(struct fterms *t, uint32_t name, uint32_t n,
                           const fterm *args)
{
    uint32_t mask = t->slot.len - 1;
    uint32_t i = (uint32_t)hash_node(name, n, args) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t s = t->slot.at[i];
        if (s == 0)
            return &t->slot.at[i];
        const struct fnode *x = &t->node.at[s - 1];
        if (x->name == name && x->n == n &&
            (n == 0 || memcmp(t->arg.at + x->at, args, n * sizeof *args) == 0))
            return &t->slot.at[i];
    }
}

static void grow(struct fterms *t)
{
    uint32_t n = t->slot.len * 2;
    t->slot.len = 0;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&t->slot, 0);
    for (uint32_t x = 0; x < t->node.len; x++) {
        const struct fnode *d = &t->node.at[x];
        *find_slot(t, d->name, d->n, fterm_args(t, x)) = x + 1;
    }
}

static fterm make(struct fterms *t, uint32_t name, uint32_t n,
                  const fterm *args)
{
    uint32_t *slot = find_slot(t, name, n, args);
    if (*slot != 0)
        return *slot - 1;
    struct fnode d = {.name = name, .at = t->arg.len, .n = n};
    *slot = t->node.len + 1;
    for (uint32_t i = 0; i < n; i++) {
        assert(args[i] < t->node.len);
        vec_push(&t->arg, args[i]);
    }
    vec_push(&t->node, d);
    if (t->node.len * 2 > t->slot.len)
        grow(t);
    return t->node.len - 1;
}

fterm fterm_make_n(struct fterms *t, const char *name, uint32_t len, uint32_t n,
                   const fterm *args)
{
    return make(t, intern_bytes(&t->names, name, len), n, args);
}

fterm fterm_make(struct fterms *t, const char *name, uint32_t n,
                 const fterm *args)
{
    return make(t, intern_str(&t->names, name), n, args);
}

const char *fterm_name(const struct fterms *t, fterm x)
{
    return intern_text(&t->names, t->node.at[x].name);
}

bool fterm_is(const struct fterms *t, fterm x, const char *s, uint32_t n)
{
    return fterm_n(t, x) == n && strcmp(fterm_name(t, x), s) == 0;
}

void fterms_reach(const struct fterms *t, uint32_t n, const fterm *roots,
                  struct u32_vec *out)
{
    bool *seen = mem_alloc(t->node.len + 1);
    uint32_t top = 0;
    for (uint32_t i = 0; i < n; i++) {
        seen[roots[i]] = true;
        top = roots[i] >= top ? roots[i] + 1 : top;
    }
    for (uint32_t x = top; x-- > 0;)
        for (uint32_t k = 0; seen[x] && k < fterm_n(t, x); k++)
            seen[fterm_args(t, x)[k]] = true;
    out->len = 0;
    for (uint32_t x = 0; x < top; x++)
        if (seen[x])
            vec_push(out, x);
    mem_free(seen);
}

// Prefix notation

void fterm_print(const struct fterms *t, fterm x, struct buf *out)
{
    uint32_t n = fterm_n(t, x);
    if (n == 0) {
        buf_puts(out, fterm_name(t, x));
        return;
    }
    buf_puts(out, "(");
    buf_puts(out, fterm_name(t, x));
    for (uint32_t i = 0; i < n; i++) {
        buf_puts(out, " ");
        fterm_print(t, fterm_args(t, x)[i], out);
    }
    buf_puts(out, ")");
}

struct term_text {
    const char *at, *begin;
    struct u32_vec stack; // arguments read so far, of all open lists
    struct err *e;
};

static bool fail(const struct term_text *s, const char *what)
{
    return err_set(s->e, ERR_INPUT, "term, byte %zu: %s",
                   (size_t)(s->at - s->begin) + 1, what);
}

static bool read(struct fterms *t, struct term_text *s, uint32_t depth, fterm *out)
{
    if (depth > MAX_DEPTH)
        return fail(s, "too deep");
    s->at += strspn(s->at, " \n");
    bool list = *s->at == '(';
    s->at += list;
    const char *name = s->at;
    uint32_t len = (uint32_t)strcspn(name, " \n()"), base = s->stack.len;
    if (len == 0)
        return fail(s, "expected a name");
    s->at += len;
    while (list) {
        fterm arg;
        s->at += strspn(s->at, " \n");
        if (*s->at == ')')
            break;
        if (!read(t, s, depth + 1, &arg))
            return false;
        vec_push(&s->stack, arg);
    }
    s->at += list;
    *out = fterm_make_n(t, name, len, s->stack.len - base,
                        s->stack.len > base ? s->stack.at + base : NULL);
    s->stack.len = base;
    return true;
}

bool fterm_read(struct fterms *t, const char *text, fterm *out, struct err *e)
{
    struct term_text s = {.at = text, .begin = text, .e = e};
    bool ok = read(t, &s, 0, out);
    s.at += strspn(s.at, " \n");
    if (ok && *s.at != 0)
        ok = fail(&s, "something behind its end");
    vec_release(&s.stack);
    return ok;
}

// Spelling of leaves

bool fname_is_number(const char *s, uint32_t len)
{
    uint32_t i = len > 0 && s[0] == '-';
    return i < len && s[i] >= '0' && s[i] <= '9';
}

bool fname_is_axes(const char *s, uint32_t len)
{
    return len >= 2 && s[0] == '{' && s[len - 1] == '}';
}

bool fname_axes(const char *s, uint32_t len,
                void (*each)(void *ctx, const char *axis, uint32_t len),
                void *ctx)
{
    const char *open = memchr(s, '{', len);
    if (open == NULL || s[len - 1] != '}')
        return false;
    const char *end = s + len - 1;
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

// In the order of their names, each once.
static void merge_axis(void *ctx, const char *axis, uint32_t len)
{
    struct merged_axes *m = ctx;
    struct axis_text x = {axis, len};
    uint32_t i = m->n;
    m->no |= m->n == FTERM_MERGED_AXES;
    for (uint32_t k = 0; k < m->n; k++)
        m->no |= axis_order(m->at[k], x) == 0;
    if (m->no)
        return;
    for (m->n++; i > 0 && axis_order(m->at[i - 1], x) > 0; i--)
        m->at[i] = m->at[i - 1];
    m->at[i] = x;
}

static void merge_set(const struct fterms *t, fterm set, struct merged_axes *m)
{
    const char *s = fterm_name(t, set);
    m->no |= fterm_n(t, set) > 0 || *s != '{' ||
             !fname_axes(s, (uint32_t)strlen(s), merge_axis, m);
}

fterm fterm_merged(struct fterms *t, fterm x)
{
    struct buf op = {0}, set = {0}; // the store may move them
    struct merged_axes m = {.n = 0};
    fterm out = x;
    buf_puts(&op, fterm_name(t, x));
    if (fterm_n(t, x) == 2 && strncmp(buf_text(&op), "reduce_", 7) == 0 &&
        fterm_is(t, fterm_args(t, x)[1], buf_text(&op), 2)) {
        fterm below = fterm_args(t, x)[1];
        fterm args[2] = {0, fterm_args(t, below)[1]};
        merge_set(t, fterm_args(t, x)[0], &m);
        merge_set(t, fterm_args(t, below)[0], &m);
        for (uint32_t i = 0; i < m.n; i++) {
            buf_puts(&set, i == 0 ? "{" : ",");
            buf_write(&set, m.at[i].at, m.at[i].len);
        }
        buf_puts(&set, "}");
        if (!m.no) {
            args[0] = fterm_make(t, buf_text(&set), 0, NULL);
            out = fterm_make(t, buf_text(&op), 2, args);
        }
    }
    buf_release(&op);
    buf_release(&set);
    return out;
}
