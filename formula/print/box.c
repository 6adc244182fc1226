// SPDX-License-Identifier: Apache-2.0
// Where brackets are needed depends on what is above and below a line, raised
// or under a root: so boxes have rules of their own, looser than those of text.
#include "formula/print/box.h"

struct boxes {
    struct arena *mem;
    bool matrices; // there are products of matrices: others get a sign
};
// What surrounds a box: how tightly it must bind, and whether factors follow,
// which a sum would swallow.
struct box_context {
    enum fname_level least;
    bool followed;
};
static const struct box_context FREE = {LEVEL_OR, false};

static struct formula_box *box_n(struct boxes *b, enum box_kind kind, const char *text,
                         const char *sign, uint32_t n)
{
    struct formula_box *x = ARENA_NEW(b->mem, struct formula_box, 1);
    *x = (struct formula_box){.kind = kind, .text = text, .sign = sign, .n = n};
    x->kid = ARENA_NEW(b->mem, const struct formula_box *, n + 1);
    return x;
}

static const struct formula_box *sign(struct boxes *b, enum box_kind kind,
                              const char *text, const char *character)
{
    return box_n(b, kind, text, character, 0);
}

static const struct formula_box *box_1(struct boxes *b, enum box_kind kind,
                               const char *text, const char *character,
                               const struct formula_box *kid)
{
    struct formula_box *x = box_n(b, kind, text, character, 1);
    x->kid[0] = kid;
    return x;
}

static const struct formula_box *box_2(struct boxes *b, enum box_kind kind,
                               const struct formula_box *p, const struct formula_box *q)
{
    struct formula_box *x = box_n(b, kind, NULL, NULL, 2);
    x->kid[0] = p;
    x->kid[1] = q;
    return x;
}

static const struct formula_box *row_3(struct boxes *b, const struct formula_box *p,
                               const struct formula_box *q, const struct formula_box *r)
{
    struct formula_box *x = box_n(b, BOX_ROW, NULL, NULL, 3);
    x->kid[0] = p;
    x->kid[1] = q;
    x->kid[2] = r;
    return x;
}

static const struct formula_box *fenced(struct boxes *b, const struct formula_box *x)
{
    return box_1(b, BOX_FENCE, "(", ")", x);
}

// Names

static const struct {
    const char *name, *text, *sign;
} letters[] = {
    {"pi", "\\pi", "π"},           {"alpha", "\\alpha", "α"},
    {"beta", "\\beta", "β"},       {"gamma", "\\gamma", "γ"},
    {"delta", "\\delta", "δ"},     {"eps", "\\epsilon", "ϵ"},
    {"epsilon", "\\epsilon", "ϵ"}, {"zeta", "\\zeta", "ζ"},
    {"eta", "\\eta", "η"},         {"theta", "\\theta", "θ"},
    {"kappa", "\\kappa", "κ"},     {"lambda", "\\lambda", "λ"},
    {"mu", "\\mu", "μ"},           {"nu", "\\nu", "ν"},
    {"xi", "\\xi", "ξ"},           {"rho", "\\rho", "ρ"},
    {"sigma", "\\sigma", "σ"},     {"tau", "\\tau", "τ"},
    {"phi", "\\phi", "ϕ"},         {"chi", "\\chi", "χ"},
    {"psi", "\\psi", "ψ"},         {"omega", "\\omega", "ω"},
    {"Gamma", "\\Gamma", "Γ"},     {"Delta", "\\Delta", "Δ"},
    {"Theta", "\\Theta", "Θ"},     {"Lambda", "\\Lambda", "Λ"},
    {"Sigma", "\\Sigma", "Σ"},     {"Phi", "\\Phi", "Φ"},
    {"Psi", "\\Psi", "Ψ"},         {"Omega", "\\Omega", "Ω"},
};

static const struct formula_box *word(struct boxes *b, const char *s, size_t n)
{
    const char *name = arena_strndup(b->mem, s, n);
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (strcmp(letters[i].name, name) == 0)
            return sign(b, BOX_IDENT, letters[i].text, letters[i].sign);
    if (n > 0 && strspn(name, "0123456789") == n)
        return sign(b, BOX_NUMBER, name, NULL);
    return sign(b, n == 1 ? BOX_IDENT : BOX_WORD, name, name);
}

// x, x1, x_mean: the letter, and what stands below it (or NULL).
static const struct formula_box *split_name(struct boxes *b, const char *name,
                                    const struct formula_box **below)
{
    size_t len = strlen(name), n = strcspn(name, "_");
    *below = NULL;
    if (n > 0 && n + 1 < len) {
        *below = word(b, name + n + 1, len - n - 1);
        return word(b, name, n);
    }
    n = len;
    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    if (n > 0 && n < len) {
        *below = word(b, name + n, len - n);
        len = n;
    }
    return word(b, name, len);
}

static const struct formula_box *comma(struct boxes *b)
{
    return sign(b, BOX_OP, ",", ",");
}

static const struct formula_box *axes(struct boxes *b, const struct surface *s,
                              const struct formula_box *before)
{
    struct formula_box *x = box_n(b, BOX_ROW, NULL, NULL, 2 * s->n_axes + 1);
    x->n = 0;
    if (before != NULL)
        x->kid[x->n++] = before;
    for (uint32_t i = 0; i < s->n_axes; i++) {
        if (x->n > 0)
            x->kid[x->n++] = comma(b);
        x->kid[x->n++] = word(b, s->axis[i], strlen(s->axis[i]));
    }
    return x->n == 1 ? x->kid[0] : x;
}

static const struct formula_box *name_box(struct boxes *b, const struct surface *s)
{
    const struct formula_box *below, *x = split_name(b, s->text, &below);
    if (s->kind == SURFACE_INDEXED)
        below = axes(b, s, below);
    return below == NULL ? x : box_2(b, BOX_SUB, x, below);
}

static const struct formula_box *digits(struct boxes *b, const char *s)
{
    bool minus = *s == '-';
    const char *slash = strchr(s, '/'), *from = s + minus;
    const struct formula_box *x;
    if (slash != NULL) {
        const char *p = arena_strndup(b->mem, from, (size_t)(slash - from));
        x = box_2(b, BOX_FRAC, sign(b, BOX_NUMBER, p, NULL),
                  sign(b, BOX_NUMBER, slash + 1, NULL));
    } else if (strchr(from, 'e') != NULL) {
        const char *power = strchr(from, 'e') + 1;
        const char *m = arena_strndup(b->mem, from, (size_t)(power - 1 - from));
        x = box_2(b, BOX_SUP, sign(b, BOX_NUMBER, "10", NULL),
                  digits(b, power));
        if (strcmp(m, "1") != 0)
            x = row_3(b, sign(b, BOX_NUMBER, m, NULL),
                      sign(b, BOX_OP, "\\cdot", "⋅"), x);
    } else {
        x = sign(b, BOX_NUMBER, from, NULL);
    }
    return minus ? box_2(b, BOX_ROW, sign(b, BOX_PREFIX, "-", "−"), x) : x;
}

// Brackets

static bool is_op(const struct surface *s, const char *op)
{
    return s->kind == SURFACE_OP && strcmp(s->op->op, op) == 0;
}

static bool calls(const struct surface *s, const char *name)
{
    return s->kind == SURFACE_CALL && s->n_axes == 0 &&
           strcmp(s->op != NULL ? s->op->op : s->text, name) == 0;
}

static bool is_large(const struct surface *s)
{
    return s->kind == SURFACE_REDUCE &&
           (strcmp(s->text, "sum") == 0 || strcmp(s->text, "prod") == 0);
}

// Has signs of its own around it or above it, or a bar.
static bool raises(const struct surface *s)
{
    static const char *const ops[] = {"exponential", "sqrt",  "rsqrt",
                                      "cbrt",        "abs",   "floor",
                                      "ceil",        "select"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (calls(s, ops[i]))
            return true;
    return s->square;
}

static bool is_cases(const struct surface *s)
{
    return calls(s, "select");
}

static enum fname_level level(const struct surface *s)
{
    if (is_op(s, "divide") || is_op(s, "power"))
        return LEVEL_POWER;
    if (s->kind == SURFACE_OP)
        return s->op->level;
    if (s->kind == SURFACE_NUMBER)
        return s->text[0] == '-' ? LEVEL_MINUS : LEVEL_ATOM;
    if (s->kind == SURFACE_MATMUL)
        return LEVEL_PRODUCT;
    return is_large(s) ? LEVEL_MINUS : LEVEL_ATOM;
}

// What can be raised to a power as it stands.
static bool can_be_raised(const struct surface *s)
{
    return s->kind == SURFACE_NAME || s->kind == SURFACE_INDEXED ||
           s->kind == SURFACE_SIZE || calls(s, "abs") ||
           (s->kind == SURFACE_NUMBER && strpbrk(s->text, "-/e") == NULL);
}

static bool begins(const struct surface *s, bool with_minus)
{
    while ((s->kind == SURFACE_OP && s->op->kind == FNAME_INFIX &&
            !is_op(s, "divide") && level(s->kid[0]) >= s->op->level) ||
           s->kind == SURFACE_MATMUL)
        s = s->kid[0];
    if (with_minus)
        return is_op(s, "negate") ||
               (s->kind == SURFACE_NUMBER && s->text[0] == '-');
    return s->kind == SURFACE_NUMBER;
}

// Too tall to be raised.
static bool tall(const struct surface *s, uint32_t depth)
{
    if (is_cases(s) || is_large(s) || depth > 5)
        return true;
    if (is_op(s, "divide"))
        for (uint32_t k = 0; k < 2; k++)
            if (level(s->kid[k]) < LEVEL_PRODUCT)
                return true;
    for (uint32_t k = 0; k < s->n; k++)
        if (tall(s->kid[k], depth + 1))
            return true;
    return false;
}

static bool has_matrices(const struct surface *s)
{
    if (s->kind == SURFACE_MATMUL)
        return true;
    for (uint32_t k = 0; k < s->n; k++)
        if (has_matrices(s->kid[k]))
            return true;
    return false;
}

// Boxes

static const struct formula_box *put(struct boxes *b, const struct surface *s,
                             struct box_context p);

static const struct formula_box *raised(struct boxes *b, const struct surface *s,
                                const struct formula_box *to)
{
    const struct formula_box *x = put(b, s, FREE);
    return box_2(b, BOX_SUP, can_be_raised(s) ? x : fenced(b, x), to);
}

static bool is_scalar_leaf(const struct surface *s)
{
    return s->kind == SURFACE_NUMBER || s->kind == SURFACE_SIZE ||
           s->kind == SURFACE_INDEXED;
}

static const struct formula_box *times(struct boxes *b, const struct surface *l,
                               const struct surface *r, bool fence)
{
    if (b->matrices && !is_scalar_leaf(l) && !is_scalar_leaf(r))
        return sign(b, BOX_OP, "\\odot", "⊙");
    // 2 3 would be a number, x (y) a function's value.
    const struct surface *last = l;
    while (last->kind == SURFACE_OP && last->op->level == LEVEL_PRODUCT &&
           !is_op(last, "divide"))
        last = last->kid[1];
    bool name = last->kind == SURFACE_NAME || last->kind == SURFACE_INDEXED;
    // f(x) y is read as f(x y) too easily.
    bool called = last->kind == SURFACE_CALL || last->kind == SURFACE_REDUCE;
    return begins(r, false) || (name && fence) ||
                   (called && !raises(last) && !is_large(last))
               ? sign(b, BOX_OP, "\\cdot", "⋅")
               : sign(b, BOX_TIMES, NULL, NULL);
}

static bool needs_fence(const struct surface *s, struct box_context p)
{
    return level(s) < p.least || (p.followed && (is_large(s) || is_cases(s))) ||
           (p.least > LEVEL_SUM && begins(s, true));
}

static const struct formula_box *product(struct boxes *b, const struct surface *s,
                                 struct box_context p)
{
    // A minus sign may stand before the first factor.
    struct box_context left = {LEVEL_PRODUCT, true},
                  right = {LEVEL_MINUS, p.followed};
    const struct surface *l = s->kid[0], *r = s->kid[1];
    if (begins(l, true) && level(l) >= LEVEL_PRODUCT)
        left.least = LEVEL_SUM;
    bool matmul = s->kind == SURFACE_MATMUL;
    // Products of the one kind within those of the other keep their brackets.
    if (b->matrices && (l->kind == SURFACE_MATMUL) != matmul)
        left.least = LEVEL_MINUS;
    return row_3(b, put(b, l, left),
                 matmul ? sign(b, BOX_TIMES, NULL, NULL)
                        : times(b, l, r, needs_fence(r, right)),
                 put(b, r, right));
}

static const struct {
    const char *op, *text, *sign;
} signs[] = {
    {"+", "+", "+"},        {"-", "-", "−"},        {"<", "<", "<"},
    {"<=", "\\le", "≤"},    {">", ">", ">"},        {">=", "\\ge", "≥"},
    {"==", "=", "="},       {"!=", "\\ne", "≠"},    {"or", "\\lor", "∨"},
    {"and", "\\land", "∧"}, {"not", "\\lnot", "¬"},
};

static const struct formula_box *op_sign(struct boxes *b, const struct surface *s)
{
    enum box_kind k = s->op->kind == FNAME_PREFIX ? BOX_PREFIX : BOX_OP;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(signs[i].op, s->text) == 0)
            return sign(b, k, signs[i].text, signs[i].sign);
    return sign(b, k, s->text, s->text);
}

static const struct formula_box *op_box(struct boxes *b, const struct surface *s,
                                struct box_context p)
{
    enum fname_level l = s->op->level;
    if (is_op(s, "divide"))
        return box_2(b, BOX_FRAC, put(b, s->kid[0], FREE),
                     put(b, s->kid[1], FREE));
    if (is_op(s, "power"))
        return raised(b, s->kid[0], put(b, s->kid[1], FREE));
    if (is_op(s, "multiply"))
        return product(b, s, p);
    struct box_context only = {LEVEL_PRODUCT, p.followed};
    if (s->op->kind == FNAME_PREFIX) {
        if (l == LEVEL_NOT)
            only.least = LEVEL_ATOM;
        return box_2(b, BOX_ROW, op_sign(b, s), put(b, s->kid[0], only));
    }
    struct box_context left = {l, false}, right = {l + 1, p.followed};
    if (l == LEVEL_COMPARE)
        left.least = right.least = LEVEL_SUM;
    return row_3(b, put(b, s->kid[0], left), op_sign(b, s),
                 put(b, s->kid[1], right));
}

static const struct formula_box *arguments(struct boxes *b, const struct surface *s)
{
    struct formula_box *x = box_n(b, BOX_ROW, NULL, NULL, 2 * s->n + 1);
    x->n = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        if (k > 0)
            x->kid[x->n++] = comma(b);
        x->kid[x->n++] = put(b, s->kid[k], FREE);
    }
    return fenced(b, x->n == 1 ? x->kid[0] : x);
}

static const struct formula_box *cases(struct boxes *b, const struct surface *s)
{
    uint32_t n = 1;
    const struct surface *last = s;
    for (; is_cases(last) && !(last != s && last->marked); last = last->kid[2])
        n += 2;
    struct formula_box *x = box_n(b, BOX_CASES, NULL, NULL, n);
    uint32_t at = 0;
    for (; at + 1 < n; s = s->kid[2]) {
        x->kid[at++] = put(b, s->kid[1], FREE);
        x->kid[at++] = put(b, s->kid[0], FREE);
    }
    x->kid[at] = put(b, s, FREE);
    return x;
}

static const struct formula_box *reduction(struct boxes *b, const struct surface *s,
                                   struct box_context p)
{
    bool large = is_large(s), sum = strcmp(s->text, "sum") == 0;
    const struct formula_box *op =
        large ? sign(b, BOX_LARGE, sum ? "\\sum" : "\\prod", sum ? "∑" : "∏")
              : sign(b, BOX_FUNC, s->text, NULL);
    if (s->n_axes > 0)
        op = box_2(b, BOX_UNDER, op, axes(b, s, NULL));
    struct box_context body = {LEVEL_PRODUCT, p.followed};
    return box_2(b, BOX_ROW, op,
                 large ? put(b, s->kid[0], body) : arguments(b, s));
}

static const struct formula_box *call(struct boxes *b, const struct surface *s)
{
    const struct formula_box *one = sign(b, BOX_NUMBER, "1", NULL);
    if (calls(s, "exponential") && !tall(s->kid[0], 0))
        return box_2(b, BOX_SUP, sign(b, BOX_IDENT, "e", "e"),
                     put(b, s->kid[0], FREE));
    if (s->square)
        return raised(b, s->kid[0], sign(b, BOX_NUMBER, "2", NULL));
    if (calls(s, "sqrt"))
        return box_1(b, BOX_SQRT, NULL, NULL, put(b, s->kid[0], FREE));
    if (calls(s, "rsqrt"))
        return box_2(b, BOX_FRAC, one,
                     box_1(b, BOX_SQRT, NULL, NULL, put(b, s->kid[0], FREE)));
    if (calls(s, "cbrt"))
        return box_2(b, BOX_SQRT, put(b, s->kid[0], FREE),
                     sign(b, BOX_NUMBER, "3", NULL));
    if (calls(s, "abs"))
        return box_1(b, BOX_FENCE, "|", "|", put(b, s->kid[0], FREE));
    if (calls(s, "floor"))
        return box_1(b, BOX_FENCE, "\\lfloor", "\\rfloor",
                     put(b, s->kid[0], FREE));
    if (calls(s, "ceil"))
        return box_1(b, BOX_FENCE, "\\lceil", "\\rceil",
                     put(b, s->kid[0], FREE));
    if (is_cases(s))
        return cases(b, s);
    const struct formula_box *f = sign(b, BOX_FUNC, s->text, NULL);
    if (s->n_axes > 0)
        f = box_2(b, BOX_SUB, f, axes(b, s, NULL));
    return box_2(b, BOX_ROW, f, arguments(b, s));
}

static const struct formula_box *put_inside(struct boxes *b, const struct surface *s,
                                    struct box_context p)
{
    switch (s->kind) {
    case SURFACE_NUMBER:
        return digits(b, s->text);
    case SURFACE_SIZE:
        return box_1(b, BOX_FENCE, "|", "|", axes(b, s, NULL));
    case SURFACE_OP:
        return op_box(b, s, p);
    case SURFACE_CALL:
        return call(b, s);
    case SURFACE_REDUCE:
        return reduction(b, s, p);
    case SURFACE_MATMUL:
        return product(b, s, p);
    case SURFACE_TR:
        return raised(b, s->kid[0], sign(b, BOX_IDENT, "\\top", "⊤"));
    case SURFACE_NAME:
    case SURFACE_INDEXED:
        break;
    }
    return name_box(b, s);
}

static const struct formula_box *put(struct boxes *b, const struct surface *s,
                             struct box_context p)
{
    bool fence = needs_fence(s, p);
    const struct formula_box *x = put_inside(b, s, fence ? FREE : p);
    if (s->marked)
        x = box_1(b, BOX_MARK, NULL, NULL, x);
    return fence ? fenced(b, x) : x;
}

const struct formula_box *box_of(struct surface_tree *s)
{
    struct boxes b = {.mem = &s->mem};
    b.matrices = has_matrices(s->root);
    for (uint32_t i = 0; i < s->lets.len; i++)
        b.matrices = b.matrices || has_matrices(s->lets.at[i].value);
    const struct formula_box *root = put(&b, s->root, FREE);
    if (s->lets.len == 0)
        return root;
    struct formula_box *x = box_n(&b, BOX_LINES, NULL, NULL, s->lets.len + 1);
    x->kid[0] = root;
    for (uint32_t i = 0; i < s->lets.len; i++) {
        const struct surface_let *l = &s->lets.at[i];
        struct formula_box *line = box_n(&b, BOX_ROW, NULL, NULL, 4);
        const struct formula_box *below, *name = split_name(&b, l->name, &below);
        line->kid[0] = sign(&b, BOX_TEXT, i == 0 ? "where " : "and ", NULL);
        line->kid[1] = below == NULL ? name : box_2(&b, BOX_SUB, name, below);
        line->kid[2] = sign(&b, BOX_OP, "=", "=");
        line->kid[3] = put(&b, l->value, FREE);
        x->kid[i + 1] = line;
    }
    return x;
}
