// SPDX-License-Identifier: Apache-2.0
#include "discover/sketch/sketch.h"
#include "base/hash.h"
#include <string.h>

unsigned sketch_node_slots(const struct sketch_node *p)
{
    switch (p->kind) {
    case SKETCH_SLICE:
    case SKETCH_PAD:
        return p->pin ? 2 : 3;
    case SKETCH_SPLAT:
    case SKETCH_BROADCAST:
        return 1;
    default:
        return 0;
    }
}

static unsigned count_classes(unsigned mask)
{
    return (unsigned)__builtin_popcount(mask);
}

void sketch_finish(struct sketch *s)
{
    s->n_ops = s->n_slots = s->relabels = 0;
    for (unsigned i = 0; i < s->n; i++) {
        struct sketch_node *p = &s->node[i];
        p->slot = s->n_slots;
        s->n_slots = (uint8_t)(s->n_slots +
                               sketch_node_slots(p) * count_classes(p->acts));
        s->n_ops = (uint8_t)(s->n_ops + (p->kind > SKETCH_SPLAT));
        s->relabels |= p->kind == SKETCH_RELABEL;
    }
}

unsigned sketch_classes(const struct sketch *s)
{
    unsigned all = 0;
    for (unsigned i = 0; i < s->n; i++)
        all |= s->node[i].classes | (s->node[i].acts);
    return all;
}

static unsigned copy_below(const struct sketch *s, unsigned node,
                           struct sketch *out)
{
    struct sketch_node p = s->node[node];
    for (unsigned k = 0; k < sketch_arity(p.kind); k++)
        p.arg[k] = (uint8_t)copy_below(s, p.arg[k], out);
    out->node[out->n] = p;
    return out->n++;
}

void sketch_below(const struct sketch *s, unsigned node, struct sketch *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->shape, s->shape, sizeof out->shape);
    out->n_tensors = s->n_tensors;
    out->n_scalars = s->n_scalars;
    (void)copy_below(s, node, out);
    sketch_finish(out);
}

static void print_classes(unsigned mask, struct buf *out)
{
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (mask >> c & 1)
            buf_putc(out, "xyzw"[c]);
}

static void print_node(const struct sketch *s, unsigned i, struct buf *out)
{
    static const char *const name[] = {"",        "",      "",        "splat",
                                       "slice",   "pad",   "concat",  "concat",
                                       "reverse", "bcast", "relabel", "reduce"};
    static const char *const binary[] = {"+", "*", "max"};
    const struct sketch_node *p = &s->node[i];
    if (p->kind == SKETCH_TENSOR) {
        buf_putc(out, (char)('A' + p->what));
        print_classes(p->classes, out);
    } else if (p->kind == SKETCH_SCALAR) {
        buf_putc(out, (char)('v' + p->what));
    } else if (p->kind == SKETCH_LITERAL) {
        buf_putc(out, "01L"[p->what]);
    } else if (p->kind == SKETCH_BINARY) {
        buf_printf(out, "(%s ", binary[p->what]);
        print_node(s, p->arg[0], out);
        buf_putc(out, ' ');
        print_node(s, p->arg[1], out);
        buf_putc(out, ')');
    } else {
        buf_printf(out, "(%s%s", name[p->kind], p->pin ? "1" : "");
        if (p->kind == SKETCH_REDUCE)
            buf_puts(out, binary[p->what]);
        buf_putc(out, ':');
        print_classes(p->acts, out);
        for (unsigned k = 0; k < sketch_arity(p->kind); k++) {
            buf_putc(out, ' ');
            print_node(s, p->arg[k], out);
        }
        buf_putc(out, ')');
    }
}

void sketch_print(const struct sketch *s, struct buf *out)
{
    print_node(s, s->n - 1u, out);
}

static bool same_at(const struct sketch *a, unsigned i, const struct sketch *b,
                    unsigned j)
{
    const struct sketch_node *p = &a->node[i], *q = &b->node[j];
    if (p->kind != q->kind || p->what != q->what || p->acts != q->acts ||
        p->classes != q->classes || p->pin != q->pin)
        return false;
    for (unsigned k = 0; k < sketch_arity(p->kind); k++)
        if (!same_at(a, p->arg[k], b, q->arg[k]))
            return false;
    return true;
}

bool sketch_same(const struct sketch *a, const struct sketch *b)
{
    return same_at(a, a->n - 1u, b, b->n - 1u);
}

static uint64_t hash_at(const struct sketch *s, unsigned i)
{
    const struct sketch_node *p = &s->node[i];
    uint64_t h = hash_u64(
        (uint64_t)p->kind | (uint64_t)p->what << 8 | (uint64_t)p->acts << 16 |
            (uint64_t)p->classes << 24 | (uint64_t)p->pin << 32,
        1);
    for (unsigned k = 0; k < sketch_arity(p->kind); k++)
        h = hash_u64(hash_at(s, p->arg[k]), h);
    return h;
}

uint64_t sketch_hash(const struct sketch *s)
{
    return hash_at(s, s->n - 1u);
}

bool sketch_is_scalar(const struct sketch *s, unsigned i)
{
    const struct sketch_node *p = &s->node[i];
    return p->kind == SKETCH_SCALAR || p->kind == SKETCH_LITERAL ||
           (p->kind == SKETCH_BINARY && sketch_is_scalar(s, p->arg[0]) &&
            sketch_is_scalar(s, p->arg[1]));
}

// ---- sizes

struct unify {
    uint8_t up[16 + SKETCH_SLOTS]; // 0..15 tensors' sizes, then slots
    uint8_t size[SKETCH_NODES][SKETCH_CLASSES];
};

static uint8_t size_root(struct unify *u, uint8_t a)
{
    while (a != 255 && u->up[a] != a)
        a = u->up[a];
    return a;
}

static void same_size(struct unify *u, uint8_t a, uint8_t b)
{
    a = size_root(u, a);
    b = size_root(u, b);
    if (a == 255 || b == 255 || a == b)
        return;
    if (a < b)
        u->up[b] = a;
    else
        u->up[a] = b;
}

static void unify_node(const struct sketch *s, unsigned i, struct unify *u)
{
    const struct sketch_node *p = &s->node[i];
    uint8_t *z = u->size[i];
    const uint8_t *a = u->size[p->arg[0]], *b = u->size[p->arg[1]];
    unsigned slot = p->slot;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        bool acts = p->acts >> c & 1;
        z[c] = 255;
        if (!(p->classes >> c & 1))
            continue;
        if (p->kind == SKETCH_TENSOR)
            z[c] = (uint8_t)(p->what * SKETCH_CLASSES + c);
        else if ((p->kind == SKETCH_SPLAT || p->kind == SKETCH_BROADCAST) &&
                 acts)
            z[c] = (uint8_t)(16 + slot++);
        else if (p->kind == SKETCH_RELABEL)
            z[c] = a[c < 2 ? 1 - c : c];
        else if (p->kind == SKETCH_BINARY && sketch_is_scalar(s, p->arg[0]))
            z[c] = b[c];
        else if (!acts || p->kind == SKETCH_REVERSE)
            z[c] = a[c];
        if (p->kind == SKETCH_CONCAT3 && !acts)
            same_size(u, a[c], u->size[p->arg[2]][c]);
        if (((p->kind == SKETCH_CONCAT || p->kind == SKETCH_CONCAT3) &&
             !acts) ||
            (p->kind == SKETCH_BINARY && !sketch_is_scalar(s, p->arg[0]) &&
             !sketch_is_scalar(s, p->arg[1])))
            same_size(u, a[c], b[c]);
    }
}

void sketch_unify(const struct sketch *s, struct sketch_sizes *z)
{
    struct unify u;
    memset(z, 255, sizeof *z);
    for (unsigned i = 0; i < sizeof u.up; i++)
        u.up[i] = (uint8_t)i;
    for (unsigned i = 0; i < s->n; i++)
        unify_node(s, i, &u);
    for (unsigned t = 0; t < SKETCH_TENSORS; t++)
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            z->tensor[t][c] = size_root(&u, (uint8_t)(t * SKETCH_CLASSES + c));
    for (unsigned i = 0; i < s->n; i++) {
        const struct sketch_node *p = &s->node[i];
        if (p->kind != SKETCH_SPLAT && p->kind != SKETCH_BROADCAST)
            continue;
        for (unsigned k = 0; k < count_classes(p->acts); k++) {
            uint8_t r = size_root(&u, (uint8_t)(16u + p->slot + k));
            z->slot[p->slot + k] = r < 16 ? r : (uint8_t)(64 + r - 16);
        }
    }
}

// ---- instances

struct sketch_matching {
    const struct sketch *p, *s;
    bool any_binary, distinct;
    uint8_t to[SKETCH_CLASSES]; // classes of p -> of s
    uint8_t extra;              // classes that all of s's terms have besides
    uint8_t tensor[SKETCH_TENSORS], scalar[SKETCH_SCALARS]; // nodes; 255
    uint8_t binary[N_BINARY]; // what a binary operator of p stands for; 255
};

static unsigned map_classes(const struct sketch_matching *m, unsigned mask)
{
    unsigned r = 0;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (mask >> c & 1)
            r |= 1u << m->to[c];
    return r;
}

static bool bind(struct sketch_matching *m, uint8_t *var, unsigned node)
{
    if (*var == 255) {
        // Is it what another variable stands for?
        for (unsigned k = 0; k < SKETCH_TENSORS && m->distinct; k++)
            if (m->tensor[k] != 255 && same_at(m->s, m->tensor[k], m->s, node))
                return false;
        for (unsigned k = 0; k < SKETCH_SCALARS && m->distinct; k++)
            if (m->scalar[k] != 255 && same_at(m->s, m->scalar[k], m->s, node))
                return false;
        *var = (uint8_t)node;
        return true;
    }
    return same_at(m->s, *var, m->s, node);
}

static bool match_at(struct sketch_matching *m, unsigned i, unsigned j)
{
    const struct sketch_node *p = &m->p->node[i], *q = &m->s->node[j];
    if (p->kind == SKETCH_SCALAR)
        return sketch_is_scalar(m->s, j) && bind(m, &m->scalar[p->what], j);
    if (p->kind == SKETCH_TENSOR)
        return !sketch_is_scalar(m->s, j) &&
               q->classes == (map_classes(m, p->classes) | m->extra) &&
               bind(m, &m->tensor[p->what], j);
    if (p->kind != q->kind || (p->pin && !q->pin))
        return false;
    if (p->kind == SKETCH_SPLAT) {
        if (q->acts != (map_classes(m, p->acts) | m->extra))
            return false;
    } else if (p->kind != SKETCH_LITERAL &&
               q->acts != map_classes(m, p->acts)) {
        return false;
    }
    if (p->kind == SKETCH_RELABEL && ((m->to[0] > 1) | (m->to[1] > 1)) != 0)
        return false;
    struct sketch_matching before = *m;
    if (p->kind == SKETCH_LITERAL) {
        if (p->what != q->what)
            return false;
    } else if (p->kind == SKETCH_BINARY || p->kind == SKETCH_REDUCE) {
        if (m->any_binary) {
            if (m->binary[p->what] == 255)
                m->binary[p->what] = q->what;
            if (m->binary[p->what] != q->what) {
                *m = before;
                return false;
            }
        } else if (p->what != q->what) {
            return false;
        }
    }
    bool ok = true;
    for (unsigned k = 0; ok && k < sketch_arity(p->kind); k++)
        ok = match_at(m, p->arg[k], q->arg[k]);
    if (!ok && p->kind == SKETCH_BINARY) {
        *m = before;
        m->binary[p->what] = q->what;
        ok = match_at(m, p->arg[0], q->arg[1]) &&
             match_at(m, p->arg[1], q->arg[0]);
    }
    if (!ok)
        *m = before;
    return ok;
}

bool sketch_matches(const struct sketch *p, bool spectator, bool any_binary,
                    bool distinct, const struct sketch *s, unsigned node)
{
    unsigned have = sketch_classes(s), need = sketch_classes(p);
    for (unsigned code = 0; code < 24; code++) {
        // A permutation of the classes.
        uint8_t left[SKETCH_CLASSES] = {0, 1, 2, 3};
        struct sketch_matching m = {
            .p = p, .s = s, .any_binary = any_binary, .distinct = distinct};
        unsigned k = code, used = 0;
        bool fits = true;
        memset(m.tensor, 255, sizeof m.tensor);
        memset(m.scalar, 255, sizeof m.scalar);
        memset(m.binary, 255, sizeof m.binary);
        for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
            unsigned pick = k % (SKETCH_CLASSES - c);
            k /= SKETCH_CLASSES - c;
            m.to[c] = left[pick];
            memmove(left + pick, left + pick + 1, sizeof left - pick - 1);
            if (need >> c & 1)
                used |= 1u << m.to[c];
            else
                fits &= c == 0 || !(need >> (c - 1) & 1) ||
                        true; // free classes: any
        }
        // Further classes: all subsets of what is not used.
        unsigned rest = have & ~used;
        for (unsigned x = rest;; x = (x - 1) & rest) {
            m.extra = (uint8_t)x;
            struct sketch_matching one = m;
            if (fits && (x == 0 || spectator) &&
                match_at(&one, p->n - 1u, node))
                return true;
            if (x == 0)
                break;
        }
    }
    return false;
}
