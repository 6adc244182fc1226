// SPDX-License-Identifier: Apache-2.0
#include "discover/sketch/enumerate.h"
#include "base/hash.h"

static uint8_t rename_mask(unsigned mask, const uint8_t *cls)
{
    unsigned r = 0;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (mask >> c & 1)
            r |= 1u << cls[c];
    return (uint8_t)r;
}

void sketch_rename(struct sketch *s, const uint8_t *tensor,
                   const uint8_t *scalar, const uint8_t *cls)
{
    uint8_t shape[SKETCH_TENSORS] = {0};
    for (unsigned t = 0; t < s->n_tensors; t++)
        shape[tensor[t]] = rename_mask(s->shape[t], cls);
    memcpy(s->shape, shape, sizeof shape);
    for (unsigned i = 0; i < s->n; i++) {
        struct sketch_node *p = &s->node[i];
        p->acts = rename_mask(p->acts, cls);
        p->classes = rename_mask(p->classes, cls);
        if (p->kind == SKETCH_TENSOR)
            p->what = tensor[p->what];
        else if (p->kind == SKETCH_SCALAR)
            p->what = scalar[p->what];
    }
}

void sketch_renumber(struct sketch *s)
{
    uint8_t tensor[SKETCH_TENSORS], scalar[SKETCH_SCALARS];
    uint8_t shape[SKETCH_TENSORS] = {0};
    unsigned nt = 0, ns = 0;
    memset(tensor, 255, sizeof tensor);
    memset(scalar, 255, sizeof scalar);
    for (unsigned i = 0; i < s->n; i++) {
        struct sketch_node *p = &s->node[i];
        if (p->kind == SKETCH_TENSOR) {
            if (tensor[p->what] == 255) {
                shape[nt] = s->shape[p->what];
                tensor[p->what] = (uint8_t)nt++;
            }
            p->what = tensor[p->what];
        } else if (p->kind == SKETCH_SCALAR) {
            if (scalar[p->what] == 255)
                scalar[p->what] = (uint8_t)ns++;
            p->what = scalar[p->what];
        }
    }
    memcpy(s->shape, shape, sizeof shape);
    s->n_tensors = (uint8_t)nt;
    s->n_scalars = (uint8_t)ns;
}

// ---- signatures

struct naming {
    const uint8_t *tensor, *scalar, *cls;
};

static uint64_t hash_node(const struct sketch *s, unsigned i,
                          const struct naming *n)
{
    const struct sketch_node *p = &s->node[i];
    unsigned what = p->kind == SKETCH_TENSOR   ? n->tensor[p->what]
                    : p->kind == SKETCH_SCALAR ? n->scalar[p->what]
                                               : p->what;
    uint64_t h = hash_u64(p->kind | (uint64_t)what << 8 |
                              (uint64_t)rename_mask(p->acts, n->cls) << 16 |
                              (uint64_t)rename_mask(p->classes, n->cls) << 24 |
                              (uint64_t)p->pin << 32,
                          3);
    unsigned arity = sketch_arity(p->kind);
    if (arity == 0)
        return h;
    uint64_t a = hash_node(s, p->arg[0], n);
    if (arity == 1)
        return hash_u64(a, h);
    uint64_t b = hash_node(s, p->arg[1], n);
    if (arity == 3)
        h = hash_u64(hash_node(s, p->arg[2], n), h);
    if (p->kind == SKETCH_BINARY && b < a) {
        uint64_t x = a;
        a = b;
        b = x;
    }
    return hash_u64(b, hash_u64(a, h));
}

// The k-th permutation of n things.
static void permutation(unsigned n, unsigned k, uint8_t *out)
{
    uint8_t left[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (unsigned i = 0; i < n; i++) {
        unsigned pick = k % (n - i);
        k /= n - i;
        out[i] = left[pick];
        memmove(left + pick, left + pick + 1, sizeof left - pick - 1);
    }
}

static unsigned factorial(unsigned n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

uint64_t sketch_signature(const struct sketch *s)
{
    uint64_t best = UINT64_MAX;
    unsigned classes = sketch_classes(s), nc = 0;
    uint8_t tensor[SKETCH_TENSORS], scalar[SKETCH_SCALARS];
    uint8_t cls[SKETCH_CLASSES], perm[SKETCH_CLASSES];
    while (classes >> nc)
        nc++;
    for (unsigned c = 0; c < factorial(nc); c++) {
        permutation(nc, c, perm);
        for (unsigned i = 0; i < SKETCH_CLASSES; i++)
            cls[i] = i < nc ? perm[i] : (uint8_t)i;
        if (s->relabels && (rename_mask(3, cls) != 3))
            continue;
        for (unsigned a = 0; a < factorial(s->n_tensors); a++)
            for (unsigned b = 0; b < factorial(s->n_scalars); b++) {
                permutation(s->n_tensors, a, tensor);
                permutation(s->n_scalars, b, scalar);
                uint64_t h = hash_node(s, s->n - 1u,
                                       &(struct naming){tensor, scalar, cls});
                best = h < best ? h : best;
            }
    }
    return best;
}

// ---- the set of what was made

void enumeration_init(struct enumeration *e, const struct enumerate_options *o)
{
    memset(e, 0, sizeof *e);
    e->o = *o;
    e->n_slots = 1u << 16;
    e->most = SKETCH_NODES;
    e->seen = mem_alloc(e->n_slots * sizeof *e->seen);
}

void enumeration_release(struct enumeration *e)
{
    mem_free(e->seen);
    memset(e, 0, sizeof *e);
}

static bool put(uint64_t *seen, uint32_t n_slots, uint64_t h)
{
    uint32_t i = (uint32_t)h & (n_slots - 1);
    while (seen[i] != 0 && seen[i] != h)
        i = (i + 1) & (n_slots - 1);
    if (seen[i] == h)
        return false;
    seen[i] = h;
    return true;
}

static bool is_new(struct enumeration *e, uint64_t h)
{
    h |= h == 0;
    if (2 * (e->n_seen + 1) > e->n_slots) {
        uint64_t *more = mem_alloc(2 * e->n_slots * sizeof *more);
        for (uint32_t i = 0; i < e->n_slots; i++)
            if (e->seen[i] != 0)
                (void)put(more, 2 * e->n_slots, e->seen[i]);
        mem_free(e->seen);
        e->seen = more;
        e->n_slots *= 2;
    }
    if (!put(e->seen, e->n_slots, h))
        return false;
    e->n_seen++;
    return true;
}

// ---- construction

struct sketch_maker {
    struct enumeration *e;
    struct sketch_vec *out;
};

unsigned sketch_attributed(const struct sketch *s)
{
    unsigned n = 0;
    for (unsigned i = 0; i < s->n; i++)
        n += s->node[i].kind == SKETCH_SLICE || s->node[i].kind == SKETCH_PAD;
    return n;
}

static void offer(struct sketch_maker *w, struct sketch *s)
{
    if (s->n > SKETCH_NODES - 2 || sketch_attributed(s) > w->e->most)
        return;
    sketch_renumber(s);
    sketch_finish(s);
    if (s->n_tensors > w->e->o.tensors || s->n_scalars > w->e->o.scalars ||
        s->n_slots > SKETCH_SLOTS - 6)
        return;
    // Class names by first use: the others are the same sketch renamed, which
    // the signature finds.
    if (is_new(w->e, sketch_signature(s)))
        vec_push(w->out, *s);
}

static const struct sketch_node *root_of(const struct sketch *s)
{
    return &s->node[s->n - 1];
}

static bool bare_scalar(const struct sketch *s)
{
    return s->n_tensors == 0 && root_of(s)->classes == 0;
}

static void put_unary(struct sketch_maker *w, const struct sketch *a, unsigned kind,
                      unsigned what, unsigned acts, unsigned classes)
{
    struct sketch s = *a;
    s.node[s.n] = (struct sketch_node){.kind = (uint8_t)kind,
                                       .what = (uint8_t)what,
                                       .acts = (uint8_t)acts,
                                       .classes = (uint8_t)classes,
                                       .arg = {(uint8_t)(s.n - 1), 0}};
    s.n++;
    offer(w, &s);
}

static void put_pad(struct sketch_maker *w, const struct sketch *a, unsigned acts,
                    unsigned kind, unsigned what)
{
    struct sketch s = *a;
    unsigned root = s.n - 1u;
    s.node[s.n++] =
        (struct sketch_node){.kind = (uint8_t)kind, .what = (uint8_t)what};
    if (kind == SKETCH_SCALAR && what >= s.n_scalars)
        s.n_scalars = (uint8_t)(what + 1);
    s.node[s.n] =
        (struct sketch_node){.kind = SKETCH_PAD,
                             .acts = (uint8_t)acts,
                             .classes = s.node[root].classes,
                             .arg = {(uint8_t)root, (uint8_t)(s.n - 1)}};
    s.n++;
    if (s.n_scalars <= SKETCH_SCALARS)
        offer(w, &s);
}

static void unaries(struct sketch_maker *w, const struct sketch *a)
{
    const struct enumerate_options *o = &w->e->o;
    unsigned have = root_of(a)->classes, all = (1u << o->classes) - 1;
    for (unsigned m = 1; m <= all; m++) {
        if ((m & ~have) == 0) {
            // Of several classes all: what leaves one alone is an instance.
            // But beside an operator on some of them also the others, since
            // the two may change places there alone.
            unsigned beside = have & ~(unsigned)root_of(a)->acts;
            bool full = o->classes == 1 || m == have ||
                        (root_of(a)->acts != 0 && m == beside);
            if (full && (o->kinds >> SKETCH_SLICE & 1))
                put_unary(w, a, SKETCH_SLICE, 0, m, have);
            if (o->kinds >> SKETCH_REVERSE & 1)
                put_unary(w, a, SKETCH_REVERSE, 0, m, have);
            for (unsigned b = 0; b < N_BINARY; b++)
                if ((o->kinds >> SKETCH_REDUCE & 1) && (o->binaries >> b & 1))
                    put_unary(w, a, SKETCH_REDUCE, b, m, have & ~m);
            if (full && (o->kinds >> SKETCH_PAD & 1)) {
                for (unsigned v = 0; v <= a->n_scalars && v < o->scalars; v++)
                    put_pad(w, a, m, SKETCH_SCALAR, v);
                if (o->literals)
                    put_pad(w, a, m, SKETCH_LITERAL, LITERAL_ZERO);
            }
        } else if ((m & have) == 0 && !bare_scalar(a) &&
                   (o->kinds >> SKETCH_BROADCAST & 1)) {
            put_unary(w, a, SKETCH_BROADCAST, 0, m, have | m);
        }
    }
    if ((o->kinds >> SKETCH_RELABEL & 1) && (have & 3) != 0 && o->classes > 1) {
        unsigned to = (have & ~3u) | (have & 1) << 1 | (have >> 1 & 1);
        put_unary(w, a, SKETCH_RELABEL, 0, 3, to);
    }
}

// b behind a, with its variables renamed.
static bool append(struct sketch *s, const struct sketch *b,
                   const uint8_t *tensor, const uint8_t *scalar,
                   const uint8_t *cls)
{
    if (s->n + b->n + 1 > SKETCH_NODES - 2)
        return false;
    struct sketch r = *b;
    unsigned base = s->n;
    uint8_t to[SKETCH_TENSORS];
    for (unsigned i = 0; i < r.n; i++) {
        struct sketch_node p = r.node[i];
        p.acts = rename_mask(p.acts, cls);
        p.classes = rename_mask(p.classes, cls);
        if (p.kind == SKETCH_TENSOR)
            p.what = tensor[p.what];
        else if (p.kind == SKETCH_SCALAR)
            p.what = scalar[p.what];
        p.arg[0] = (uint8_t)(p.arg[0] + base);
        p.arg[1] = (uint8_t)(p.arg[1] + base);
        p.arg[2] = (uint8_t)(p.arg[2] + base);
        s->node[s->n++] = p;
    }
    for (unsigned t = 0; t < b->n_tensors; t++) {
        to[t] = rename_mask(b->shape[t], cls);
        if (tensor[t] < s->n_tensors) {
            if (s->shape[tensor[t]] != to[t])
                return false;
        } else {
            s->shape[tensor[t]] = to[t];
            s->n_tensors = (uint8_t)(tensor[t] + 1);
        }
    }
    for (unsigned v = 0; v < b->n_scalars; v++)
        if (scalar[v] >= s->n_scalars)
            s->n_scalars = (uint8_t)(scalar[v] + 1);
    return true;
}

static void put_binary(struct sketch_maker *w, const struct sketch *s, unsigned left)
{
    const struct enumerate_options *o = &w->e->o;
    const struct sketch_node *a = &s->node[left], *b = root_of(s);
    bool sa = a->kind == SKETCH_SCALAR || a->kind == SKETCH_LITERAL ||
              (a->classes == 0 && a->kind == SKETCH_BINARY);
    bool sb = b->kind == SKETCH_SCALAR || b->kind == SKETCH_LITERAL ||
              (b->classes == 0 && b->kind == SKETCH_BINARY);
    bool splat = a->kind == SKETCH_SPLAT || b->kind == SKETCH_SPLAT;
    struct sketch r = *s;
    unsigned at = r.n++;
    r.node[at] =
        (struct sketch_node){.arg = {(uint8_t)left, (uint8_t)(at - 1)},
                             .classes = (uint8_t)(a->classes | b->classes)};
    if ((a->classes == b->classes || sa || sb) && !splat &&
        (o->kinds >> SKETCH_BINARY & 1) && !(a->kind == SKETCH_LITERAL && sb) &&
        !(b->kind == SKETCH_LITERAL && sa))
        for (unsigned k = 0; k < N_BINARY; k++)
            if (o->binaries >> k & 1) {
                struct sketch one = r;
                one.node[at].kind = SKETCH_BINARY;
                one.node[at].what = (uint8_t)k;
                offer(w, &one);
            }
    for (unsigned c = 0; c < o->classes; c++)
        if (a->classes == b->classes && (a->classes >> c & 1) &&
            (o->kinds >> SKETCH_CONCAT & 1)) {
            struct sketch one = r;
            one.node[at].kind = SKETCH_CONCAT;
            one.node[at].acts = (uint8_t)(1u << c);
            offer(w, &one);
        }
}

// All ways in which the variables of b may be those of a, or new ones.
static void binaries(struct sketch_maker *w, const struct sketch *a,
                     const struct sketch *b)
{
    const struct enumerate_options *o = &w->e->o;
    uint8_t tensor[SKETCH_TENSORS], scalar[SKETCH_SCALARS];
    uint8_t cls[SKETCH_CLASSES] = {0, 1, 2, 3}, perm[SKETCH_CLASSES];
    unsigned nt = 1, ns = 1;
    for (unsigned t = 0; t < b->n_tensors; t++)
        nt *= a->n_tensors + b->n_tensors;
    for (unsigned v = 0; v < b->n_scalars; v++)
        ns *= a->n_scalars + b->n_scalars;
    for (unsigned c = 0; c < factorial(o->classes); c++) {
        permutation(o->classes, c, perm);
        memcpy(cls, perm, o->classes);
        if (b->relabels && rename_mask(3, cls) != 3)
            continue;
        for (unsigned kt = 0; kt < nt; kt++)
            for (unsigned ks = 0; ks < ns; ks++) {
                unsigned x = kt, y = ks, used = 0, top = a->n_tensors;
                bool fits = true;
                for (unsigned t = 0; t < b->n_tensors; t++) {
                    tensor[t] = (uint8_t)(x % (a->n_tensors + b->n_tensors));
                    x /= a->n_tensors + b->n_tensors;
                    fits &= !(used >> tensor[t] & 1) && tensor[t] <= top;
                    used |= 1u << tensor[t];
                    top += tensor[t] == top;
                }
                used = 0;
                top = a->n_scalars;
                for (unsigned v = 0; v < b->n_scalars; v++) {
                    scalar[v] = (uint8_t)(y % (a->n_scalars + b->n_scalars));
                    y /= a->n_scalars + b->n_scalars;
                    fits &= !(used >> scalar[v] & 1) && scalar[v] <= top;
                    used |= 1u << scalar[v];
                    top += scalar[v] == top;
                }
                for (unsigned t = 0; t < b->n_tensors; t++)
                    fits &= tensor[t] < SKETCH_TENSORS;
                for (unsigned v = 0; v < b->n_scalars; v++)
                    fits &= scalar[v] < SKETCH_SCALARS;
                struct sketch s = *a;
                if (fits && append(&s, b, tensor, scalar, cls))
                    put_binary(w, &s, a->n - 1u);
            }
    }
}

static void leaf(struct sketch_maker *w, unsigned kind, unsigned what,
                 unsigned classes)
{
    struct sketch s = {.n = 1};
    s.node[0] = (struct sketch_node){.kind = (uint8_t)kind,
                                     .what = (uint8_t)what,
                                     .classes = (uint8_t)classes};
    if (kind == SKETCH_TENSOR) {
        s.n_tensors = 1;
        s.shape[0] = (uint8_t)classes;
    }
    s.n_scalars = kind == SKETCH_SCALAR;
    offer(w, &s);
}

static void leaves(struct sketch_maker *w)
{
    const struct enumerate_options *o = &w->e->o;
    unsigned all = (1u << o->classes) - 1;
    for (unsigned m = 0; m <= all; m++)
        if (o->tensors > 0)
            leaf(w, SKETCH_TENSOR, 0, m);
    if (o->scalars > 0)
        leaf(w, SKETCH_SCALAR, 0, 0);
    if (o->literals) {
        leaf(w, SKETCH_LITERAL, LITERAL_ZERO, 0);
        leaf(w, SKETCH_LITERAL, LITERAL_ONE, 0);
        if (o->binaries >> BINARY_MAX & 1)
            leaf(w, SKETCH_LITERAL, LITERAL_LOWEST, 0);
    }
    for (unsigned m = 1; m <= all && o->scalars > 0; m++) {
        struct sketch s = {.n = 2, .n_scalars = 1};
        s.node[0] = (struct sketch_node){.kind = SKETCH_SCALAR};
        s.node[1] = (struct sketch_node){
            .kind = SKETCH_SPLAT, .acts = (uint8_t)m, .classes = (uint8_t)m};
        offer(w, &s);
    }
}

// Joins of three: of tensors with different names or constants.
static void triple_joins(struct sketch_maker *w)
{
    const struct enumerate_options *o = &w->e->o;
    unsigned all = (1u << o->classes) - 1;
    if (o->tensors < 3)
        return;
    for (unsigned m = 1; m <= all; m++)
        for (unsigned c = 0; c < o->classes; c++) {
            struct sketch s = {.n = 4, .n_tensors = 3};
            if (!(m >> c & 1))
                continue;
            for (unsigned t = 0; t < 3; t++) {
                s.node[t] = (struct sketch_node){.kind = SKETCH_TENSOR,
                                                 .what = (uint8_t)t,
                                                 .classes = (uint8_t)m};
                s.shape[t] = (uint8_t)m;
            }
            s.node[3] = (struct sketch_node){.kind = SKETCH_CONCAT3,
                                             .acts = (uint8_t)(1u << c),
                                             .classes = (uint8_t)m,
                                             .arg = {0, 1, 2}};
            offer(w, &s);
        }
}

void enumerate(struct enumeration *e, const struct sketch_vec *less,
               unsigned size, struct sketch_vec *out)
{
    struct sketch_maker w = {e, out};
    if (size == 0) {
        leaves(&w);
        return;
    }
    if (size == 1 && (e->o.kinds >> SKETCH_CONCAT & 1))
        triple_joins(&w);
    for (uint32_t i = 0; i < less[size - 1].len; i++)
        unaries(&w, &less[size - 1].at[i]);
    for (unsigned k = 0; k < size; k++)
        for (uint32_t i = 0; i < less[k].len; i++)
            for (uint32_t j = 0; j < less[size - 1 - k].len; j++)
                binaries(&w, &less[k].at[i], &less[size - 1 - k].at[j]);
}
