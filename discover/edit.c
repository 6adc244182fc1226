// SPDX-License-Identifier: Apache-2.0
// The changes are numbered by walking over all places and all forms, counting
// down: what stands at 0 is made.
#include "discover/edit.h"
#include <string.h>

struct walk {
    struct draft *d;
    uint32_t left;    // until the change that is wanted
    const char *said; // what was done
};

static bool here(struct walk *w)
{
    return w->said == NULL && w->left-- == 0;
}

static const char *pat_text(struct draft *d, uint32_t pat)
{
    struct buf b = {0};
    pat_print(&d->r, pat, &b);
    const char *s = arena_strdup(&d->mem, buf_text(&b));
    buf_release(&b);
    return s;
}

static void say(struct walk *w, const char *old, uint32_t pat)
{
    struct buf b = {0};
    buf_printf(&b, "%s in place of %s", pat_text(w->d, pat), old);
    w->said = arena_strdup(&w->d->mem, buf_text(&b));
    buf_release(&b);
}

static uint32_t new_pat(struct draft *d, const struct pat *p)
{
    d->pats[d->r.n_pats] = *p;
    return d->r.n_pats++;
}

static void set_args(struct draft *d, struct pat *p, uint32_t n, uint32_t a,
                     uint32_t b)
{
    uint32_t *args = ARENA_NEW(&d->mem, uint32_t, n + 1);
    args[0] = a;
    if (n > 1)
        args[1] = b;
    p->args = args;
    p->n_args = n;
}

// Puts the node over pattern i: whoever used i uses it now.
static void wrap(struct draft *d, uint32_t i, enum op op, const struct pat *rhs)
{
    uint32_t inner = new_pat(d, &d->pats[i]);
    struct pat *p = &d->pats[i];
    struct pat outer = {.kind = PAT_OP,
                        .op = op,
                        .reducer = N_OPS,
                        .opvar = NONE,
                        .type = p->type,
                        .n_sizes = p->n_sizes,
                        .sizes = p->sizes};
    uint32_t second = NONE;
    if (rhs != NULL) {
        second = new_pat(d, rhs);
        d->pats[second].type = p->type;
        if (p->n_sizes > 0) {
            struct pat splat = {.kind = PAT_SPLAT,
                                .reducer = N_OPS,
                                .opvar = NONE,
                                .type = p->type,
                                .n_sizes = p->n_sizes,
                                .sizes = p->sizes};
            set_args(d, &splat, 1, second, NONE);
            second = new_pat(d, &splat);
        }
    }
    set_args(d, &outer, rhs != NULL ? 2 : 1, inner, second);
    d->pats[i] = outer;
}

static void exchange(struct walk *w, uint32_t i, uint32_t a, uint32_t b)
{
    struct draft *d = w->d;
    struct pat *p = &d->pats[i];
    const char *old = pat_text(d, i);
    uint32_t *args = ARENA_NEW(&d->mem, uint32_t, p->n_args);
    memcpy(args, p->args, p->n_args * sizeof *args);
    args[a] = p->args[b];
    args[b] = p->args[a];
    p->args = args;
    say(w, old, i);
}

static void edit_operator(struct walk *w, uint32_t i)
{
    static const enum op unary[] = {OP_NEGATE, OP_ABS, OP_NOT};
    static const enum op binary[] = {OP_ADD,     OP_SUBTRACT, OP_MULTIPLY,
                                     OP_MAXIMUM, OP_MINIMUM,  OP_DIVIDE};
    struct draft *d = w->d;
    struct pat *p = &d->pats[i];
    if (p->kind != PAT_OP)
        return;
    if (op_is_elementwise(p->op) && p->n_args == 2 &&
        !op_is_commutative(p->op) && here(w))
        exchange(w, i, 0, 1);
    if (p->op == OP_SELECT && here(w))
        exchange(w, i, 1, 2);
    if (p->op == OP_CONCATENATE && p->n_args == 2 && here(w))
        exchange(w, i, 0, 1);
    for (int c = CMP_EQ; c <= CMP_LT && p->op == OP_COMPARE; c++)
        if ((int)p->dir != c && here(w)) {
            const char *old = pat_text(d, i);
            p->dir = (enum compare_dir)c;
            say(w, old, i);
        }
    const enum op *ops = p->n_args == 1 ? unary : binary;
    size_t n = p->n_args == 1   ? sizeof unary / sizeof *unary
               : p->n_args == 2 ? sizeof binary / sizeof *binary
                                : 0;
    bool plain = op_class(p->op) == OPC_UNARY || op_class(p->op) == OPC_BINARY;
    for (size_t k = 0; k < n && plain; k++)
        if (ops[k] != p->op && here(w)) {
            const char *old = pat_text(d, i);
            p->op = ops[k];
            say(w, old, i);
        }
    for (uint32_t k = 0; k < p->n_args; k++)
        if (op_is_elementwise(p->op) && here(w)) {
            const char *old = pat_text(d, i);
            *p = d->pats[p->args[k]];
            say(w, old, i);
        }
}

static void edit_around(struct walk *w, uint32_t i)
{
    static const enum op unary[] = {OP_NEGATE, OP_NOT, OP_ABS};
    struct draft *d = w->d;
    for (size_t k = 0; k < sizeof unary / sizeof *unary; k++)
        if (here(w)) {
            const char *old = pat_text(d, i);
            wrap(d, i, unary[k], NULL);
            say(w, old, i);
        }
    for (int64_t one = 1; one >= -1; one -= 2)
        if (here(w)) {
            struct pat lit = {.kind = PAT_LITERAL,
                              .lit = LIT_INT,
                              .k = 1,
                              .reducer = N_OPS,
                              .opvar = NONE};
            const char *old = pat_text(d, i);
            wrap(d, i, one > 0 ? OP_ADD : OP_SUBTRACT, &lit);
            say(w, old, i);
        }
}

static bool same_shape(const struct pat *p, const struct tensor_var *t)
{
    if (p->n_sizes != t->n_sizes)
        return false;
    for (uint32_t i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].cls != t->sizes[i].cls)
            return false;
    return true;
}

static void edit_leaf(struct walk *w, uint32_t i)
{
    struct draft *d = w->d;
    struct pat *p = &d->pats[i];
    for (uint32_t v = 0; v < d->r.n_tensors && p->kind == PAT_TENSOR; v++)
        if (v != p->var && same_shape(p, &d->tensors[v]) && here(w)) {
            const char *old = pat_text(d, i);
            p->var = v;
            say(w, old, i);
        }
    if (p->kind != PAT_SPLAT)
        return;
    // A number at every index, and what is computed of one: of a tensor's
    // elements instead.
    for (uint32_t k = 0; k < d->r.n_pats; k++)
        for (uint32_t v = 0; v < d->r.n_tensors; v++)
            if (d->pats[k].kind == PAT_LITERAL &&
                draft_below(&d->r, p->args[0], k) &&
                same_shape(p, &d->tensors[v]) && here(w)) {
                const char *old = pat_text(d, i);
                d->pats[k].kind = PAT_TENSOR;
                d->pats[k].var = v;
                *p = d->pats[p->args[0]];
                say(w, old, i);
            }
}

static bool literal_like(const struct pat *a, const struct pat *b)
{
    return a->kind == PAT_LITERAL && b->kind == PAT_LITERAL &&
           a->lit == b->lit && a->k == b->k;
}

// Another number wherever this one stands, on the right or on both sides.
static void edit_literal(struct walk *w, uint32_t i)
{
    static const struct pat others[] = {
        {.lit = LIT_INT, .k = 0},  {.lit = LIT_INT, .k = 1},
        {.lit = LIT_INT, .k = -1}, {.lit = LIT_UNIT, .reducer = OP_AND},
        {.lit = LIT_BOOL, .k = 0}, {.lit = LIT_BOOL, .k = 1},
    };
    struct draft *d = w->d;
    struct pat old = d->pats[i];
    if (old.kind != PAT_LITERAL)
        return;
    bool right = draft_below(&d->r, d->r.rhs, i);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        for (int both = right ? 0 : 1; both < 2; both++) {
            if ((others[k].lit == old.lit && others[k].k == old.k) || !here(w))
                continue;
            const char *text = pat_text(d, i);
            for (uint32_t j = 0; j < d->r.n_pats; j++)
                if (j == i || (both && literal_like(&old, &d->pats[j]))) {
                    d->pats[j].lit = others[k].lit;
                    d->pats[j].k = others[k].k;
                    d->pats[j].opvar = NONE;
                    d->pats[j].reducer =
                        others[k].lit == LIT_UNIT ? OP_AND : N_OPS;
                }
            say(w, text, i);
        }
}

static void edit_axes(struct walk *w, uint32_t i)
{
    struct draft *d = w->d;
    struct pat *p = &d->pats[i];
    for (uint32_t k = 0;
         k < p->n_sizes && p->kind == PAT_OP && p->op == OP_IOTA; k++) {
        uint64_t bit = UINT64_C(1) << p->sizes[k].cls;
        if (p->classes != bit && d->classes[p->sizes[k].cls].single &&
            here(w)) {
            const char *old = pat_text(d, i);
            p->classes = bit;
            say(w, old, i);
        }
    }
    if (p->kind == PAT_RELABEL && here(w)) {
        const char *old = pat_text(d, i);
        struct relabel *r = ARENA_NEW(&d->mem, struct relabel, p->n_relabels);
        for (uint32_t k = 0; k < p->n_relabels; k++)
            r[k] = (struct relabel){p->relabels[k].to, p->relabels[k].from};
        p->relabels = r;
        say(w, old, i);
    }
}

// The right side renamed as some part of the left one is, or back.
static void edit_renaming(struct walk *w)
{
    struct draft *d = w->d;
    for (uint32_t i = 0; i < d->r.n_pats; i++)
        for (int back = 0; back < 2; back++) {
            const struct pat *p = &d->pats[i];
            if (p->kind != PAT_RELABEL || !draft_below(&d->r, d->r.lhs, i) ||
                !here(w))
                continue;
            const char *old = pat_text(d, d->r.rhs);
            struct pat outer = *p;
            struct relabel *r =
                ARENA_NEW(&d->mem, struct relabel, p->n_relabels);
            for (uint32_t k = 0; k < p->n_relabels; k++)
                r[k] = back ? (struct relabel){p->relabels[k].to,
                                               p->relabels[k].from}
                            : p->relabels[k];
            outer.relabels = r;
            set_args(d, &outer, 1, d->r.rhs, NONE);
            d->r.rhs = new_pat(d, &outer);
            say(w, old, d->r.rhs);
        }
}

// ---- run-time places

static const struct iexp *make(struct draft *d, enum iexp_op op,
                               const struct iexp *a, const struct iexp *b)
{
    struct iexp *x = ARENA_NEW(&d->mem, struct iexp, 1);
    *x = (struct iexp){
        .op = op, .a = a, .b = b, .nodes = 1 + a->nodes + b->nodes};
    return x;
}

static const struct iexp *size_of(const struct draft *d, uint32_t pat,
                                  uint32_t cls)
{
    const struct pat *p = &d->pats[pat];
    for (uint32_t k = 0; k < p->n_sizes; k++)
        if (p->sizes[k].cls == cls)
            return p->sizes[k].size;
    return NULL;
}

// Where the left side's run-time places really are: each clamped to what fits;
// those that are nested add up.  The sum of all on the class.
static const struct iexp *place_sum(struct draft *d, uint32_t cls)
{
    const struct iexp *sum = NULL;
    const struct iexp *seen[8];
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->r.n_pats; i++) {
        const struct pat *p = &d->pats[i];
        bool slice = p->kind == PAT_OP && p->op == OP_DYNAMIC_SLICE;
        bool update = p->kind == PAT_OP && p->op == OP_DYNAMIC_UPDATE_SLICE;
        if ((!slice && !update) || !draft_below(&d->r, d->r.lhs, i))
            continue;
        for (uint32_t k = 0; k < p->n_attrs; k++) {
            const struct iexp *start = p->attrs[k].v[0];
            const struct iexp *whole = size_of(d, p->args[0], cls);
            const struct iexp *part = size_of(d, update ? p->args[1] : i, cls);
            if (p->attrs[k].cls != cls || start == NULL || whole == NULL ||
                part == NULL || start->op != IE_MAP || n == 8)
                continue;
            bool twice = false;
            for (uint32_t j = 0; j < n; j++)
                twice = twice || seen[j]->map == start->map;
            if (twice)
                continue;
            seen[n++] = start;
            const struct iexp *at =
                make(d, IE_MIN, make(d, IE_MAX, start, draft_const(d, 0)),
                     make(d, IE_SUB, whole, part));
            sum = sum == NULL ? at : make(d, IE_ADD, sum, at);
        }
    }
    return sum;
}

static void edit_place(struct walk *w, uint32_t i)
{
    struct draft *d = w->d;
    struct pat *p = &d->pats[i];
    if (p->kind != PAT_OP ||
        (p->op != OP_DYNAMIC_SLICE && p->op != OP_DYNAMIC_UPDATE_SLICE))
        return;
    for (uint32_t k = 0; k < p->n_attrs; k++) {
        const struct iexp *sum = place_sum(d, p->attrs[k].cls);
        if (sum == NULL || !here(w))
            continue;
        const char *old = pat_text(d, i);
        struct slot s = {.pat = i, .cls = p->attrs[k].cls, .attr = 0};
        draft_set_slot(d, &s, sum);
        say(w, old, i);
    }
}

const char *edit_make(struct draft *d, uint32_t k)
{
    struct walk w = {d, k, NULL};
    uint32_t n = d->r.n_pats;
    for (uint32_t i = 0; i < n && w.said == NULL; i++) {
        bool right = draft_below(&d->r, d->r.rhs, i);
        if (right) {
            edit_place(&w, i);
            edit_operator(&w, i);
            edit_axes(&w, i);
            edit_leaf(&w, i);
        }
    }
    if (w.said == NULL)
        edit_renaming(&w);
    for (uint32_t i = 0; i < n && w.said == NULL; i++)
        if (draft_below(&d->r, d->r.rhs, i) || draft_below(&d->r, d->r.lhs, i))
            edit_literal(&w, i);
    for (uint32_t i = 0; i < n && w.said == NULL; i++)
        if (draft_below(&d->r, d->r.rhs, i))
            edit_around(&w, i);
    return w.said;
}
