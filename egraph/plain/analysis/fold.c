// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/analysis/fold_core.h"

#include "base/text/buf.h"
#include <math.h>
#include <stdlib.h>

static const struct {
    const char *name;
    uint32_t arity;
    uint8_t what;
    unsigned kinds;
} operators[] = {
    {"+", 2, ADD, 1 << PLAIN_FOLD_MATH | 1 << PLAIN_FOLD_LAMBDA},
    {"-", 2, SUB, 1 << PLAIN_FOLD_MATH},
    {"*", 2, MUL, 1 << PLAIN_FOLD_MATH},
    {"/", 2, DIV, 1 << PLAIN_FOLD_MATH},
    {"&", 2, AND, 1 << PLAIN_FOLD_PROP},
    {"|", 2, OR, 1 << PLAIN_FOLD_PROP},
    {"~", 1, NOT, 1 << PLAIN_FOLD_PROP},
    {"->", 2, IMPLIES, 1 << PLAIN_FOLD_PROP},
    {"=", 2, SAME, 1 << PLAIN_FOLD_LAMBDA},
    {"var", 1, VARIABLE, 1 << PLAIN_FOLD_LAMBDA},
    {"let", 3, LET, 1 << PLAIN_FOLD_LAMBDA},
    {"lam", 2, BINDER, 1 << PLAIN_FOLD_LAMBDA},
    {"fix", 2, BINDER, 1 << PLAIN_FOLD_LAMBDA},
};

// Literals

static bool number(const char *s, uint32_t len, enum plain_fold_kind kind, double *x)
{
    const char *digits = s + (*s == '-' || *s == '+');
    if (len == 0 || len > 300 || !(*digits >= '0' && *digits <= '9') ||
        strspn(s, "0123456789.eE+-") < len)
        return false;
    char *end;
    *x = strtod(s, &end) + 0.0; // no negative zero
    if (end != s + len || !isfinite(*x))
        return false;
    return kind == PLAIN_FOLD_MATH ||
           (*x == floor(*x) && *x >= INT32_MIN && *x <= INT32_MAX);
}

struct plain_fold_op plain_fold_read_op(const struct plain_fold *f, uint32_t op)
{
    struct plain_fold_op o = {.known = 1};
    uint32_t len, arity = f->g->op.at[op].arity;
    const char *s = plain_op_name(f->rules, op, &len);
    bool truths = f->kind == PLAIN_FOLD_PROP || f->kind == PLAIN_FOLD_LAMBDA;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if ((operators[i].kinds >> f->kind & 1) &&
            operators[i].arity == arity && strlen(operators[i].name) == len &&
            memcmp(operators[i].name, s, len) == 0)
            o.what = operators[i].what;
    if (arity > 0)
        return o;
    o.what = SYMBOL;
    if (f->kind != PLAIN_FOLD_PROP && number(s, len, f->kind, &o.value.x))
        o.value.type = PLAIN_FOLD_NUMBER;
    else if (truths && len == 4 && memcmp(s, "true", 4) == 0)
        o.value = (struct plain_fold_value){PLAIN_FOLD_TRUTH, 1};
    else if (truths && len == 5 && memcmp(s, "false", 5) == 0)
        o.value = (struct plain_fold_value){PLAIN_FOLD_TRUTH, 0};
    if (o.value.type != PLAIN_FOLD_NO_VALUE)
        o.what = LITERAL;
    return o;
}

static void put_value(struct buf *out, struct plain_fold_value v)
{
    if (v.type == PLAIN_FOLD_TRUTH)
        buf_puts(out, v.x != 0 ? "true" : "false");
    else
        buf_double(out, v.x);
}

uint32_t plain_fold_literal(const struct plain_fold *f, struct plain_fold_value v)
{
    struct buf text = {0};
    put_value(&text, v);
    uint32_t op =
        plain_op(f->rules, f->g, buf_text(&text), (uint32_t)text.len, 0);
    buf_release(&text);
    return cc_add(f->g, op, NULL);
}

// Classes

void plain_fold_more_classes(struct plain_fold *f)
{
    uint32_t n = f->g->class_.len;
    vec_reserve(&f->class_, n);
    for (uint32_t i = f->class_.len; i < n; i++)
        f->class_.at[i] = (struct plain_fold_class){0, CC_NONE};
    f->class_.len = n;
    if (f->kind != PLAIN_FOLD_LAMBDA)
        return;
    vec_reserve(&f->free, n);
    memset(f->free.at + f->free.len, 0, (n - f->free.len) * sizeof *f->free.at);
    f->free.len = n;
}

// Sums in different orders round differently.
static bool close_value(struct plain_fold_value a, struct plain_fold_value b)
{
    double size = fmax(fabs(a.x), fabs(b.x));
    return a.type == b.type && fabs(a.x - b.x) <= size * 0x1p-40;
}

static void conflict(struct plain_fold *f, struct plain_fold_value a, struct plain_fold_value b)
{
    if (f->conflict || close_value(a, b))
        return;
    f->conflict = true;
    f->a = a;
    f->b = b;
}

static struct plain_fold_value arithmetic(const struct plain_fold *f, int what, double x,
                                    double y)
{
    struct plain_fold_value v = {PLAIN_FOLD_NUMBER, 0};
    v.x = what == ADD ? x + y : what == SUB ? x - y : what == MUL ? x * y : 0;
    if (what == DIV && y != 0)
        v.x = x / y;
    bool fits = f->kind == PLAIN_FOLD_MATH
                    ? isfinite(v.x)
                    : fabs(v.x) <= INT32_MAX || v.x == INT32_MIN;
    if (!fits || (what == DIV && y == 0))
        v.type = PLAIN_FOLD_NO_VALUE;
    v.x += 0.0;
    return v;
}

struct plain_fold_value plain_fold_value_of(struct plain_fold *f, uint32_t node)
{
    const struct plain_fold_op *o = plain_fold_op_of(f, node);
    struct plain_fold_value none = {PLAIN_FOLD_NO_VALUE, 0}, v[2] = {none, none};
    const uint32_t *arg = cc_args(f->g, node);
    if (o->what == LITERAL)
        return o->value;
    if (o->what < ADD || o->what > SAME)
        return none;
    uint32_t n = cc_arity(f->g, node);
    for (uint32_t i = 0; i < n; i++) {
        v[i] = plain_fold_known_of(f, arg[i])->value;
        if (v[i].type == PLAIN_FOLD_NO_VALUE)
            return none;
    }
    bool x = v[0].x != 0, y = v[1].x != 0;
    struct plain_fold_value truth = {PLAIN_FOLD_TRUTH, 0};
    switch (o->what) {
    case SAME:
        truth.x = plain_fold_same_value(v[0], v[1]);
        return truth;
    case AND:
        truth.x = x && y;
        return truth;
    case OR:
        truth.x = x || y;
        return truth;
    case NOT:
        truth.x = !x;
        return truth;
    case IMPLIES:
        truth.x = !x || y;
        return truth;
    default:
        if (v[0].type != PLAIN_FOLD_NUMBER || v[1].type != PLAIN_FOLD_NUMBER)
            return none;
        return arithmetic(f, o->what, v[0].x, v[1].x);
    }
}

// The analysis

// Most nodes are neither leaves nor do all their arguments have values.
static inline bool tells_nothing(struct plain_fold *f, uint32_t node)
{
    const struct plain_fold_op *o = plain_fold_op_of(f, node);
    if (o->what == OTHER)
        return true;
    if (o->what < ADD || o->what > SAME)
        return false;
    const struct enode *n = &f->g->node.at[node]; // two arguments at most
    return !plain_fold_is_known(f, n->a) ||
           (o->what != NOT && !plain_fold_is_known(f, n->b));
}

static bool learn(void *ctx, struct cc *g, uint32_t node)
{
    struct plain_fold *f = ctx;
    if (f->kind != PLAIN_FOLD_LAMBDA && tells_nothing(f, node) &&
        (f->kind != PLAIN_FOLD_MATH || !plain_fold_is_known(f, g->cls.at[node])))
        return false;
    struct plain_fold_value v = plain_fold_value_of(f, node);
    struct plain_fold_class *k = plain_fold_class_of(f, g->cls.at[node]);
    bool grown = false;
    if (v.type != PLAIN_FOLD_NO_VALUE && k->known != 0) {
        conflict(f, f->known.at[k->known].value, v);
    } else if (v.type != PLAIN_FOLD_NO_VALUE) {
        struct plain_fold_known x = {v, node, f->known.len, 0};
        k->known = f->known.len;
        vec_push(&f->known, x);
        grown = true;
    }
    if (plain_fold_op_of(f, node)->what == SYMBOL && k->symbol == CC_NONE) {
        k->symbol = node;
        grown = true;
    }
    if (f->kind == PLAIN_FOLD_LAMBDA) {
        plain_fold_free_of(f, node);
        grown |= plain_fold_meet_free(f, plain_fold_free_at(f, g->cls.at[node]), f->work.at,
                                f->work.len);
    }
    if (f->kind == PLAIN_FOLD_MATH && k->known != 0 && !plain_fold_is_leaf(g, node))
        cc_hide(g, node);
    return grown;
}

static void hide_ring(struct cc *g, uint32_t cls)
{
    uint32_t first = g->class_.at[cls].member, m = first;
    if (first == CC_NONE)
        return;
    do {
        if (!plain_fold_is_leaf(g, m))
            cc_hide(g, m);
        m = g->next.at[m];
    } while (m != first);
}

static unsigned join(void *ctx, struct cc *g, uint32_t keep, uint32_t lose)
{
    struct plain_fold *f = ctx;
    unsigned who = 0;
    (void)plain_fold_class_of(f, keep);
    struct plain_fold_class *k = &f->class_.at[keep], *l = &f->class_.at[lose];
    if (k->known != 0 && f->kind == PLAIN_FOLD_MATH)
        hide_ring(g, lose);
    if (k->known != 0 && l->known != 0) {
        struct plain_fold_known *x = &f->known.at[k->known];
        const struct plain_fold_known *y = &f->known.at[l->known];
        conflict(f, x->value, y->value);
        if (y->since < x->since) {
            x->from = y->from;
            x->since = y->since;
        }
    } else if (l->known != 0) {
        k->known = l->known;
        who |= CC_KEEP_LEARNED;
    } else if (k->known != 0) {
        who |= CC_LOSE_LEARNED;
    }
    if ((k->symbol == CC_NONE) != (l->symbol == CC_NONE)) {
        who |= k->symbol == CC_NONE ? CC_KEEP_LEARNED : CC_LOSE_LEARNED;
        k->symbol = k->symbol == CC_NONE ? l->symbol : k->symbol;
    }
    if (f->kind == PLAIN_FOLD_LAMBDA)
        who |= plain_fold_join_free(f, &f->free.at[keep], &f->free.at[lose]);
    return who;
}

// The nodes of the values that the class has its own from: those of arguments
// that had theirs before.  False: one is not in its class yet; that goes first.
static bool values_below(struct plain_fold *f, uint32_t cls, uint32_t *arg,
                         struct u32_vec *waiting)
{
    struct cc *g = f->g;
    const struct plain_fold_known k = *plain_fold_known_of(f, cls);
    uint32_t n = cc_arity(g, k.from), wait = waiting->len;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = cc_find(g, cc_args(g, k.from)[i]);
        const struct plain_fold_known below = *plain_fold_known_of(f, c);
        arg[i] = CC_NONE;
        if (below.value.type == PLAIN_FOLD_NO_VALUE || below.since >= k.since)
            continue;
        arg[i] = plain_fold_literal(f, below.value);
        if (cc_class(g, arg[i]) != c)
            vec_push(waiting, c);
    }
    return waiting->len == wait;
}

// The value joins the class as a term, after those that it was made of: so the
// entries of the journal rest on older ones.
static void modify(void *ctx, struct cc *g, uint32_t cls)
{
    struct plain_fold *f = ctx;
    const struct plain_fold_known k = *plain_fold_known_of(f, cls);
    if (k.value.type == PLAIN_FOLD_NO_VALUE || f->conflict)
        return;
    if (f->kind == PLAIN_FOLD_MATH)
        hide_ring(g, cls);
    if (cc_class(g, plain_fold_literal(f, k.value)) == cls)
        return;
    struct u32_vec waiting = {0};
    vec_push(&waiting, cls);
    while (waiting.len > 0) {
        uint32_t c = cc_find(g, vec_last(&waiting)), arg[2];
        const struct plain_fold_known x = *plain_fold_known_of(f, c);
        uint32_t value = plain_fold_literal(f, x.value);
        if (cc_class(g, value) != c) {
            if (!values_below(f, c, arg, &waiting))
                continue;
            cc_union_fold(g, x.from, value, arg);
        }
        waiting.len--;
    }
    vec_release(&waiting);
}

static uint64_t bytes(void *ctx, uint32_t classes)
{
    const struct plain_fold *f = ctx;
    uint32_t n = f->class_.len > classes ? f->class_.len : classes;
    uint32_t m = f->kind == PLAIN_FOLD_LAMBDA ? n : 0;
    return vec_held(n, f->class_.cap, sizeof *f->class_.at) +
           vec_held(m, f->free.cap, sizeof *f->free.at) +
           vec_held(f->known.len, f->known.cap, sizeof *f->known.at) +
           vec_held(f->pool.len, f->pool.cap, sizeof *f->pool.at);
}

void plain_fold_init(struct plain_fold *f, enum plain_fold_kind kind, struct cc *g,
               struct plain_rules *p)
{
    *f = (struct plain_fold){.kind = kind, .g = g, .rules = p};
    struct plain_fold_known none = {{PLAIN_FOLD_NO_VALUE, 0}, CC_NONE, 0, 0};
    vec_push(&f->known, none);
    if (kind != PLAIN_FOLD_NONE)
        g->analysis = (struct cc_analysis){.ctx = f,
                                           .learn = learn,
                                           .join = join,
                                           .modify = modify,
                                           .bytes = bytes};
}

void plain_fold_release(struct plain_fold *f)
{
    vec_release(&f->class_);
    vec_release(&f->known);
    vec_release(&f->free);
    vec_release(&f->op);
    vec_release(&f->pool);
    vec_release(&f->work);
}

bool plain_fold_kind_named(const char *name, enum plain_fold_kind *out, struct err *e)
{
    static const char *const names[] = {NULL, "math", "prop", "lambda"};
    *out = PLAIN_FOLD_NONE;
    if (name == NULL)
        return true;
    for (uint32_t i = 1; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            *out = (enum plain_fold_kind)i;
    return *out != PLAIN_FOLD_NONE ||
           err_set(e, ERR_INPUT,
                   "no analysis is named %s: expected math, prop or lambda",
                   name);
}

bool plain_fold_fail(const struct plain_fold *f, struct err *e)
{
    struct buf a = {0}, b = {0};
    put_value(&a, f->a);
    put_value(&b, f->b);
    err_set(e, ERR_CHECK,
            "the rules make two values equal: %s and %s (a contradiction, or "
            "rounding)",
            buf_text(&a), buf_text(&b));
    buf_release(&a);
    buf_release(&b);
    return false;
}
