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

static bool number(const char *text, uint32_t len, enum plain_fold_kind kind, double *value)
{
    const char *digits = text + (*text == '-' || *text == '+');
    if (len == 0 || len > EGRAPH_FOLD_DIGITS || !(*digits >= '0' && *digits <= '9') ||
        strspn(text, "0123456789.eE+-") < len)
        return false;
    char *end;
    *value = strtod(text, &end) + 0.0; // no negative zero
    if (end != text + len || !isfinite(*value))
        return false;
    return kind == PLAIN_FOLD_MATH ||
           (*value == floor(*value) && *value >= INT32_MIN && *value <= INT32_MAX);
}

struct plain_fold_op plain_fold_read_op(const struct plain_fold *fold, uint32_t op)
{
    struct plain_fold_op plain_fold_op = {.known = 1};
    uint32_t len, arity = fold->graph->op.at[op].arity;
    const char *text = plain_op_name(fold->rules, op, &len);
    bool truths = fold->kind == PLAIN_FOLD_PROP || fold->kind == PLAIN_FOLD_LAMBDA;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if ((operators[i].kinds >> fold->kind & 1) && operators[i].arity == arity &&
            strlen(operators[i].name) == len && memcmp(operators[i].name, text, len) == 0)
            plain_fold_op.what = operators[i].what;
    if (arity > 0)
        return plain_fold_op;
    plain_fold_op.what = SYMBOL;
    if (fold->kind != PLAIN_FOLD_PROP && number(text, len, fold->kind, &plain_fold_op.value.number))
        plain_fold_op.value.type = PLAIN_FOLD_NUMBER;
    else if (truths && len == 4 && memcmp(text, "true", 4) == 0)
        plain_fold_op.value = (struct plain_fold_value){PLAIN_FOLD_TRUTH, 1};
    else if (truths && len == 5 && memcmp(text, "false", 5) == 0)
        plain_fold_op.value = (struct plain_fold_value){PLAIN_FOLD_TRUTH, 0};
    if (plain_fold_op.value.type != PLAIN_FOLD_NO_VALUE)
        plain_fold_op.what = LITERAL;
    return plain_fold_op;
}

static void put_value(struct buf *out, struct plain_fold_value plain_fold_value)
{
    if (plain_fold_value.type == PLAIN_FOLD_TRUTH)
        buf_puts(out, plain_fold_value.number != 0 ? "true" : "false");
    else
        buf_double(out, plain_fold_value.number);
}

uint32_t plain_fold_literal(const struct plain_fold *fold, struct plain_fold_value plain_fold_value)
{
    struct buf text = {0};
    put_value(&text, plain_fold_value);
    uint32_t op = plain_op(fold->rules, fold->graph, buf_text(&text), (uint32_t)text.len, 0);
    buf_release(&text);
    return cc_add(fold->graph, op, NULL);
}

// Classes

void plain_fold_more_classes(struct plain_fold *fold)
{
    uint32_t n = fold->graph->class_.len;
    vec_reserve(&fold->class_, n);
    for (uint32_t i = fold->class_.len; i < n; i++)
        fold->class_.at[i] = (struct plain_fold_class){0, CC_NONE};
    fold->class_.len = n;
    if (fold->kind != PLAIN_FOLD_LAMBDA)
        return;
    vec_reserve(&fold->free, n);
    memset(fold->free.at + fold->free.len, 0, (n - fold->free.len) * sizeof *fold->free.at);
    fold->free.len = n;
}

// Sums in different orders round differently.
static bool close_value(struct plain_fold_value a, struct plain_fold_value b)
{
    double size = fmax(fabs(a.number), fabs(b.number));
    return a.type == b.type && fabs(a.number - b.number) <= size * 0x1p-40;
}

static void conflict(struct plain_fold *fold, struct plain_fold_value a, struct plain_fold_value b)
{
    if (fold->conflict || close_value(a, b))
        return;
    fold->conflict = true;
    fold->a = a;
    fold->b = b;
}

static struct plain_fold_value arithmetic(const struct plain_fold *fold, int what, double x,
                                          double y)
{
    struct plain_fold_value plain_fold_value = {PLAIN_FOLD_NUMBER, 0};
    plain_fold_value.number = what == ADD ? x + y : what == SUB ? x - y : what == MUL ? x * y : 0;
    if (what == DIV && y != 0)
        plain_fold_value.number = x / y;
    bool fits = fold->kind == PLAIN_FOLD_MATH ? isfinite(plain_fold_value.number)
                                              : fabs(plain_fold_value.number) <= INT32_MAX ||
                                                    plain_fold_value.number == INT32_MIN;
    if (!fits || (what == DIV && y == 0))
        plain_fold_value.type = PLAIN_FOLD_NO_VALUE;
    plain_fold_value.number += 0.0;
    return plain_fold_value;
}

struct plain_fold_value plain_fold_value_of(struct plain_fold *fold, uint32_t node)
{
    const struct plain_fold_op *plain_fold_op = plain_fold_op_of(fold, node);
    struct plain_fold_value none = {PLAIN_FOLD_NO_VALUE, 0}, plain_fold_value[2] = {none, none};
    const uint32_t *arg = cc_args(fold->graph, node);
    if (plain_fold_op->what == LITERAL)
        return plain_fold_op->value;
    if (plain_fold_op->what < ADD || plain_fold_op->what > SAME)
        return none;
    uint32_t n = cc_arity(fold->graph, node);
    for (uint32_t i = 0; i < n; i++) {
        plain_fold_value[i] = plain_fold_known_of(fold, arg[i])->value;
        if (plain_fold_value[i].type == PLAIN_FOLD_NO_VALUE)
            return none;
    }
    bool x = plain_fold_value[0].number != 0, y = plain_fold_value[1].number != 0;
    struct plain_fold_value truth = {PLAIN_FOLD_TRUTH, 0};
    switch (plain_fold_op->what) {
    case SAME:
        truth.number = plain_fold_same_value(plain_fold_value[0], plain_fold_value[1]);
        return truth;
    case AND:
        truth.number = x && y;
        return truth;
    case OR:
        truth.number = x || y;
        return truth;
    case NOT:
        truth.number = !x;
        return truth;
    case IMPLIES:
        truth.number = !x || y;
        return truth;
    default:
        if (plain_fold_value[0].type != PLAIN_FOLD_NUMBER ||
            plain_fold_value[1].type != PLAIN_FOLD_NUMBER)
            return none;
        return arithmetic(fold, plain_fold_op->what, plain_fold_value[0].number,
                          plain_fold_value[1].number);
    }
}

// The analysis

// Most nodes are neither leaves nor do all their arguments have values.
static inline bool tells_nothing(struct plain_fold *fold, uint32_t node)
{
    const struct plain_fold_op *plain_fold_op = plain_fold_op_of(fold, node);
    if (plain_fold_op->what == OTHER)
        return true;
    if (plain_fold_op->what < ADD || plain_fold_op->what > SAME)
        return false;
    const struct enode *n = &fold->graph->node.at[node]; // two arguments at most
    return !plain_fold_is_known(fold, n->a) ||
           (plain_fold_op->what != NOT && !plain_fold_is_known(fold, n->b));
}

static bool learn(void *ctx, struct cc *graph, uint32_t node)
{
    struct plain_fold *fold = ctx;
    if (fold->kind != PLAIN_FOLD_LAMBDA && tells_nothing(fold, node) &&
        (fold->kind != PLAIN_FOLD_MATH || !plain_fold_is_known(fold, graph->node.at[node].cls)))
        return false;
    struct plain_fold_value plain_fold_value = plain_fold_value_of(fold, node);
    struct plain_fold_class *plain_fold_class = plain_fold_class_of(fold, graph->node.at[node].cls);
    bool grown = false;
    if (plain_fold_value.type != PLAIN_FOLD_NO_VALUE && plain_fold_class->known != 0) {
        conflict(fold, fold->known.at[plain_fold_class->known].value, plain_fold_value);
    } else if (plain_fold_value.type != PLAIN_FOLD_NO_VALUE) {
        struct plain_fold_known plain_fold_known = {plain_fold_value, node, fold->known.len, 0};
        plain_fold_class->known = fold->known.len;
        vec_push(&fold->known, plain_fold_known);
        grown = true;
    }
    if (plain_fold_op_of(fold, node)->what == SYMBOL && plain_fold_class->symbol == CC_NONE) {
        plain_fold_class->symbol = node;
        grown = true;
    }
    if (fold->kind == PLAIN_FOLD_LAMBDA) {
        plain_fold_free_of(fold, node);
        grown |= plain_fold_meet_free(fold, plain_fold_free_at(fold, graph->node.at[node].cls),
                                      fold->work.at, fold->work.len);
    }
    if (fold->kind == PLAIN_FOLD_MATH && plain_fold_class->known != 0 &&
        !plain_fold_is_leaf(graph, node))
        cc_hide(graph, node);
    return grown;
}

static void hide_ring(struct cc *graph, uint32_t cls)
{
    uint32_t first = graph->class_.at[cls].member, m = first;
    if (first == CC_NONE)
        return;
    do {
        if (!plain_fold_is_leaf(graph, m))
            cc_hide(graph, m);
        m = graph->next.at[m];
    } while (m != first);
}

static unsigned join(void *ctx, struct cc *graph, uint32_t keep, uint32_t lose)
{
    struct plain_fold *fold = ctx;
    unsigned who = 0;
    (void)plain_fold_class_of(fold, keep);
    struct plain_fold_class *plain_fold_class = &fold->class_.at[keep], *l = &fold->class_.at[lose];
    if (plain_fold_class->known != 0 && fold->kind == PLAIN_FOLD_MATH)
        hide_ring(graph, lose);
    if (plain_fold_class->known != 0 && l->known != 0) {
        struct plain_fold_known *plain_fold_known = &fold->known.at[plain_fold_class->known];
        const struct plain_fold_known *y = &fold->known.at[l->known];
        conflict(fold, plain_fold_known->value, y->value);
        if (y->since < plain_fold_known->since) {
            plain_fold_known->from = y->from;
            plain_fold_known->since = y->since;
        }
    } else if (l->known != 0) {
        plain_fold_class->known = l->known;
        who |= CC_KEEP_LEARNED;
    } else if (plain_fold_class->known != 0) {
        who |= CC_LOSE_LEARNED;
    }
    if ((plain_fold_class->symbol == CC_NONE) != (l->symbol == CC_NONE)) {
        who |= plain_fold_class->symbol == CC_NONE ? CC_KEEP_LEARNED : CC_LOSE_LEARNED;
        plain_fold_class->symbol =
            plain_fold_class->symbol == CC_NONE ? l->symbol : plain_fold_class->symbol;
    }
    if (fold->kind == PLAIN_FOLD_LAMBDA)
        who |= plain_fold_join_free(fold, &fold->free.at[keep], &fold->free.at[lose]);
    return who;
}

// The nodes of the values that the class has its own from: those of arguments
// that had theirs before.  False: one is not in its class yet; that goes first.
static bool values_below(struct plain_fold *fold, uint32_t cls, uint32_t *arg,
                         struct u32_vec *waiting)
{
    struct cc *graph = fold->graph;
    const struct plain_fold_known plain_fold_known = *plain_fold_known_of(fold, cls);
    uint32_t n = cc_arity(graph, plain_fold_known.from), wait = waiting->len;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = cc_find(graph, cc_args(graph, plain_fold_known.from)[i]);
        const struct plain_fold_known below = *plain_fold_known_of(fold, c);
        arg[i] = CC_NONE;
        if (below.value.type == PLAIN_FOLD_NO_VALUE || below.since >= plain_fold_known.since)
            continue;
        arg[i] = plain_fold_literal(fold, below.value);
        if (cc_class(graph, arg[i]) != c)
            vec_push(waiting, c);
    }
    return waiting->len == wait;
}

// The value joins the class as a term, after those that it was made of: so the
// entries of the journal rest on older ones.
static void modify(void *ctx, struct cc *graph, uint32_t cls)
{
    struct plain_fold *fold = ctx;
    const struct plain_fold_known plain_fold_known = *plain_fold_known_of(fold, cls);
    if (plain_fold_known.value.type == PLAIN_FOLD_NO_VALUE || fold->conflict)
        return;
    if (fold->kind == PLAIN_FOLD_MATH)
        hide_ring(graph, cls);
    if (cc_class(graph, plain_fold_literal(fold, plain_fold_known.value)) == cls)
        return;
    struct u32_vec waiting = {0};
    vec_push(&waiting, cls);
    while (waiting.len > 0) {
        uint32_t c = cc_find(graph, vec_last(&waiting)), arg[2];
        const struct plain_fold_known x = *plain_fold_known_of(fold, c);
        uint32_t value = plain_fold_literal(fold, x.value);
        if (cc_class(graph, value) != c) {
            if (!values_below(fold, c, arg, &waiting))
                continue;
            cc_union_fold(graph, x.from, value, arg);
        }
        waiting.len--;
    }
    vec_release(&waiting);
}

static uint64_t bytes(void *ctx, uint32_t classes)
{
    const struct plain_fold *fold = ctx;
    uint32_t n = fold->class_.len > classes ? fold->class_.len : classes;
    uint32_t m = fold->kind == PLAIN_FOLD_LAMBDA ? n : 0;
    return vec_held(n, fold->class_.cap, sizeof *fold->class_.at) +
           vec_held(m, fold->free.cap, sizeof *fold->free.at) +
           vec_held(fold->known.len, fold->known.cap, sizeof *fold->known.at) +
           vec_held(fold->pool.len, fold->pool.cap, sizeof *fold->pool.at);
}

void plain_fold_init(struct plain_fold *fold, enum plain_fold_kind kind, struct cc *graph,
                     struct plain_rules *rules)
{
    *fold = (struct plain_fold){.kind = kind, .graph = graph, .rules = rules};
    struct plain_fold_known none = {{PLAIN_FOLD_NO_VALUE, 0}, CC_NONE, 0, 0};
    vec_push(&fold->known, none);
    if (kind != PLAIN_FOLD_NONE)
        graph->analysis = (struct cc_analysis){
            .ctx = fold, .learn = learn, .join = join, .modify = modify, .bytes = bytes};
}

void plain_fold_release(struct plain_fold *fold)
{
    vec_release(&fold->class_);
    vec_release(&fold->known);
    vec_release(&fold->free);
    vec_release(&fold->op);
    vec_release(&fold->pool);
    vec_release(&fold->work);
}

bool plain_fold_kind_named(const char *name, enum plain_fold_kind *out, struct err *err)
{
    static const char *const names[] = {NULL, "math", "prop", "lambda"};
    *out = PLAIN_FOLD_NONE;
    if (name == NULL)
        return true;
    for (uint32_t i = 1; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            *out = (enum plain_fold_kind)i;
    return *out != PLAIN_FOLD_NONE ||
           err_set(err, ERR_INPUT, "no analysis is named %s: expected math, prop or lambda", name);
}

bool plain_fold_fail(const struct plain_fold *fold, struct err *err)
{
    struct buf buf = {0}, b = {0};
    put_value(&buf, fold->a);
    put_value(&b, fold->b);
    err_set(err, ERR_CHECK,
            "the rules make two values equal: %s and %s (a contradiction, or "
            "rounding)",
            buf_text(&buf), buf_text(&b));
    buf_release(&buf);
    buf_release(&b);
    return false;
}
