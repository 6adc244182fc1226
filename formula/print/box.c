// SPDX-License-Identifier: Apache-2.0
// From surface trees to boxes.  Fractions, exponents and roots show their
// extent by position, so boxes need fewer brackets than text and have rules of
// their own.
#include "formula/print/box.h"
#include "formula/limits.h"

struct boxes {
    struct arena *mem;
    bool matrices; // the formula has products of matrices, so other products get a sign
};
// The context of a box: how tightly it must bind, and whether factors follow,
// which would become part of a sum.
struct box_context {
    enum fname_level least;
    bool followed;
};
static const struct box_context FREE = {LEVEL_OR, false};

static struct formula_box *box_n(struct boxes *boxes, enum box_kind kind, const char *text,
                                 const char *sign, uint32_t n)
{
    struct formula_box *box = ARENA_NEW(boxes->mem, struct formula_box, 1);
    *box = (struct formula_box){.kind = kind, .text = text, .sign = sign, .n = n};
    box->kid = ARENA_NEW(boxes->mem, const struct formula_box *, n + 1);
    return box;
}

static const struct formula_box *sign(struct boxes *boxes, enum box_kind kind, const char *text,
                                      const char *character)
{
    return box_n(boxes, kind, text, character, 0);
}

static const struct formula_box *box_1(struct boxes *boxes, enum box_kind kind, const char *text,
                                       const char *character, const struct formula_box *kid)
{
    struct formula_box *box = box_n(boxes, kind, text, character, 1);
    box->kid[0] = kid;
    return box;
}

static const struct formula_box *box_2(struct boxes *boxes, enum box_kind kind,
                                       const struct formula_box *p, const struct formula_box *q)
{
    struct formula_box *box = box_n(boxes, kind, NULL, NULL, 2);
    box->kid[0] = p;
    box->kid[1] = q;
    return box;
}

static const struct formula_box *row_3(struct boxes *boxes, const struct formula_box *p,
                                       const struct formula_box *q, const struct formula_box *r)
{
    struct formula_box *box = box_n(boxes, BOX_ROW, NULL, NULL, 3);
    box->kid[0] = p;
    box->kid[1] = q;
    box->kid[2] = r;
    return box;
}

static const struct formula_box *fenced(struct boxes *boxes, const struct formula_box *box)
{
    return box_1(boxes, BOX_FENCE, "(", ")", box);
}

// Names

static const struct {
    const char *name, *text, *sign;
} letters[] = {
    {"pi", "\\pi", "π"},           {"alpha", "\\alpha", "α"},   {"beta", "\\beta", "β"},
    {"gamma", "\\gamma", "γ"},     {"delta", "\\delta", "δ"},   {"eps", "\\epsilon", "ϵ"},
    {"epsilon", "\\epsilon", "ϵ"}, {"zeta", "\\zeta", "ζ"},     {"eta", "\\eta", "η"},
    {"theta", "\\theta", "θ"},     {"kappa", "\\kappa", "κ"},   {"lambda", "\\lambda", "λ"},
    {"mu", "\\mu", "μ"},           {"nu", "\\nu", "ν"},         {"xi", "\\xi", "ξ"},
    {"rho", "\\rho", "ρ"},         {"sigma", "\\sigma", "σ"},   {"tau", "\\tau", "τ"},
    {"phi", "\\phi", "ϕ"},         {"chi", "\\chi", "χ"},       {"psi", "\\psi", "ψ"},
    {"omega", "\\omega", "ω"},     {"Gamma", "\\Gamma", "Γ"},   {"Delta", "\\Delta", "Δ"},
    {"Theta", "\\Theta", "Θ"},     {"Lambda", "\\Lambda", "Λ"}, {"Sigma", "\\Sigma", "Σ"},
    {"Phi", "\\Phi", "Φ"},         {"Psi", "\\Psi", "Ψ"},       {"Omega", "\\Omega", "Ω"},
};

static const struct formula_box *word(struct boxes *boxes, const char *text, size_t n)
{
    const char *name = arena_strndup(boxes->mem, text, n);
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (strcmp(letters[i].name, name) == 0)
            return sign(boxes, BOX_IDENT, letters[i].text, letters[i].sign);
    if (n > 0 && strspn(name, "0123456789") == n)
        return sign(boxes, BOX_NUMBER, name, NULL);
    return sign(boxes, n == 1 ? BOX_IDENT : BOX_WORD, name, name);
}

// Splits x, x1, x_mean into the letter and its subscript (NULL: none).
static const struct formula_box *split_name(struct boxes *boxes, const char *name,
                                            const struct formula_box **below)
{
    size_t len = strlen(name), n = strcspn(name, "_");
    *below = NULL;
    if (n > 0 && n + 1 < len) {
        *below = word(boxes, name + n + 1, len - n - 1);
        return word(boxes, name, n);
    }
    n = len;
    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    if (n > 0 && n < len) {
        *below = word(boxes, name + n, len - n);
        len = n;
    }
    return word(boxes, name, len);
}

static const struct formula_box *comma(struct boxes *boxes)
{
    return sign(boxes, BOX_OP, ",", ",");
}

static const struct formula_box *axes(struct boxes *boxes, const struct surface *surface,
                                      const struct formula_box *before)
{
    struct formula_box *box = box_n(boxes, BOX_ROW, NULL, NULL, 2 * surface->n_axes + 1);
    box->n = 0;
    if (before != NULL)
        box->kid[box->n++] = before;
    for (uint32_t i = 0; i < surface->n_axes; i++) {
        if (box->n > 0)
            box->kid[box->n++] = comma(boxes);
        box->kid[box->n++] = word(boxes, surface->axis[i], strlen(surface->axis[i]));
    }
    return box->n == 1 ? box->kid[0] : box;
}

static const struct formula_box *name_box(struct boxes *boxes, const struct surface *surface)
{
    const struct formula_box *below, *box = split_name(boxes, surface->text, &below);
    if (surface->kind == SURFACE_INDEXED)
        below = axes(boxes, surface, below);
    return below == NULL ? box : box_2(boxes, BOX_SUB, box, below);
}

static const struct formula_box *digits(struct boxes *boxes, const char *text)
{
    bool minus = *text == '-';
    const char *slash = strchr(text, '/'), *from = text + minus;
    const struct formula_box *box;
    if (slash != NULL) {
        const char *string = arena_strndup(boxes->mem, from, (size_t)(slash - from));
        box = box_2(boxes, BOX_FRAC, sign(boxes, BOX_NUMBER, string, NULL),
                    sign(boxes, BOX_NUMBER, slash + 1, NULL));
    } else if (strchr(from, 'e') != NULL) {
        const char *power = strchr(from, 'e') + 1;
        const char *m = arena_strndup(boxes->mem, from, (size_t)(power - 1 - from));
        box = box_2(boxes, BOX_SUP, sign(boxes, BOX_NUMBER, "10", NULL), digits(boxes, power));
        if (strcmp(m, "1") != 0)
            box = row_3(boxes, sign(boxes, BOX_NUMBER, m, NULL), sign(boxes, BOX_OP, "\\cdot", "⋅"),
                        box);
    } else {
        box = sign(boxes, BOX_NUMBER, from, NULL);
    }
    return minus ? box_2(boxes, BOX_ROW, sign(boxes, BOX_PREFIX, "-", "−"), box) : box;
}

// Brackets

static bool is_op(const struct surface *surface, const char *op)
{
    return surface->kind == SURFACE_OP && strcmp(surface->op->op, op) == 0;
}

static bool calls(const struct surface *surface, const char *name)
{
    return surface->kind == SURFACE_CALL && surface->n_axes == 0 &&
           strcmp(surface->op != NULL ? surface->op->op : surface->text, name) == 0;
}

static bool is_large(const struct surface *surface)
{
    return surface->kind == SURFACE_REDUCE &&
           (strcmp(surface->text, "sum") == 0 || strcmp(surface->text, "prod") == 0);
}

// Does the box have signs around or above it, or a bar?
static bool raises(const struct surface *surface)
{
    static const char *const ops[] = {"exponential", "sqrt",  "rsqrt", "cbrt",
                                      "abs",         "floor", "ceil",  "select"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (calls(surface, ops[i]))
            return true;
    return surface->square;
}

static bool is_cases(const struct surface *surface)
{
    return calls(surface, "select");
}

static enum fname_level level(const struct surface *surface)
{
    if (is_op(surface, "divide") || is_op(surface, "power"))
        return LEVEL_POWER;
    if (surface->kind == SURFACE_OP)
        return surface->op->level;
    if (surface->kind == SURFACE_NUMBER)
        return surface->text[0] == '-' ? LEVEL_MINUS : LEVEL_ATOM;
    if (surface->kind == SURFACE_MATMUL)
        return LEVEL_PRODUCT;
    return is_large(surface) ? LEVEL_MINUS : LEVEL_ATOM;
}

// Can the expression be raised to a power as it is?
static bool can_be_raised(const struct surface *surface)
{
    return surface->kind == SURFACE_NAME || surface->kind == SURFACE_INDEXED ||
           surface->kind == SURFACE_SIZE || calls(surface, "abs") ||
           (surface->kind == SURFACE_NUMBER && strpbrk(surface->text, "-/e") == NULL);
}

static bool begins(const struct surface *surface, bool with_minus)
{
    while ((surface->kind == SURFACE_OP && surface->op->kind == FNAME_INFIX &&
            !is_op(surface, "divide") && level(surface->kid[0]) >= surface->op->level) ||
           surface->kind == SURFACE_MATMUL)
        surface = surface->kid[0];
    if (with_minus)
        return is_op(surface, "negate") ||
               (surface->kind == SURFACE_NUMBER && surface->text[0] == '-');
    return surface->kind == SURFACE_NUMBER;
}

// Is the expression too tall to be raised?
static bool tall(const struct surface *surface, uint32_t depth)
{
    if (is_cases(surface) || is_large(surface) || depth > PRINT_BOX_DEPTH)
        return true;
    if (is_op(surface, "divide"))
        for (uint32_t k = 0; k < 2; k++)
            if (level(surface->kid[k]) < LEVEL_PRODUCT)
                return true;
    for (uint32_t k = 0; k < surface->n; k++)
        if (tall(surface->kid[k], depth + 1))
            return true;
    return false;
}

static bool has_matrices(const struct surface *surface)
{
    if (surface->kind == SURFACE_MATMUL)
        return true;
    for (uint32_t k = 0; k < surface->n; k++)
        if (has_matrices(surface->kid[k]))
            return true;
    return false;
}

// Boxes

static const struct formula_box *put(struct boxes *boxes, const struct surface *surface,
                                     struct box_context box_context);

static const struct formula_box *raised(struct boxes *boxes, const struct surface *surface,
                                        const struct formula_box *to)
{
    const struct formula_box *box = put(boxes, surface, FREE);
    return box_2(boxes, BOX_SUP, can_be_raised(surface) ? box : fenced(boxes, box), to);
}

static bool is_scalar_leaf(const struct surface *surface)
{
    return surface->kind == SURFACE_NUMBER || surface->kind == SURFACE_SIZE ||
           surface->kind == SURFACE_INDEXED;
}

static const struct formula_box *times(struct boxes *boxes, const struct surface *l,
                                       const struct surface *r, bool fence)
{
    if (boxes->matrices && !is_scalar_leaf(l) && !is_scalar_leaf(r))
        return sign(boxes, BOX_OP, "\\odot", "⊙");
    // 2 3 would read as one number, x (y) as the value of a function.
    const struct surface *last = l;
    while (last->kind == SURFACE_OP && last->op->level == LEVEL_PRODUCT && !is_op(last, "divide"))
        last = last->kid[1];
    bool name = last->kind == SURFACE_NAME || last->kind == SURFACE_INDEXED;
    // f(x) y is easily read as f(x y).
    bool called = last->kind == SURFACE_CALL || last->kind == SURFACE_REDUCE;
    return begins(r, false) || (name && fence) || (called && !raises(last) && !is_large(last))
               ? sign(boxes, BOX_OP, "\\cdot", "⋅")
               : sign(boxes, BOX_TIMES, NULL, NULL);
}

static bool needs_fence(const struct surface *surface, struct box_context box_context)
{
    return level(surface) < box_context.least ||
           (box_context.followed && (is_large(surface) || is_cases(surface))) ||
           (box_context.least > LEVEL_SUM && begins(surface, true));
}

static const struct formula_box *product(struct boxes *boxes, const struct surface *surface,
                                         struct box_context box_context)
{
    // A minus sign may precede the first factor.
    struct box_context left = {LEVEL_PRODUCT, true}, right = {LEVEL_MINUS, box_context.followed};
    const struct surface *l = surface->kid[0], *r = surface->kid[1];
    if (begins(l, true) && level(l) >= LEVEL_PRODUCT)
        left.least = LEVEL_SUM;
    bool matmul = surface->kind == SURFACE_MATMUL;
    // Products of one kind within products of the other kind keep their brackets.
    if (boxes->matrices && (l->kind == SURFACE_MATMUL) != matmul)
        left.least = LEVEL_MINUS;
    return row_3(boxes, put(boxes, l, left),
                 matmul ? sign(boxes, BOX_TIMES, NULL, NULL)
                        : times(boxes, l, r, needs_fence(r, right)),
                 put(boxes, r, right));
}

static const struct {
    const char *op, *text, *sign;
} signs[] = {
    {"+", "+", "+"},      {"-", "-", "−"},        {"<", "<", "<"},        {"<=", "\\le", "≤"},
    {">", ">", ">"},      {">=", "\\ge", "≥"},    {"==", "=", "="},       {"!=", "\\ne", "≠"},
    {"or", "\\lor", "∨"}, {"and", "\\land", "∧"}, {"not", "\\lnot", "¬"},
};

static const struct formula_box *op_sign(struct boxes *boxes, const struct surface *surface)
{
    enum box_kind kind = surface->op->kind == FNAME_PREFIX ? BOX_PREFIX : BOX_OP;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strcmp(signs[i].op, surface->text) == 0)
            return sign(boxes, kind, signs[i].text, signs[i].sign);
    return sign(boxes, kind, surface->text, surface->text);
}

static const struct formula_box *op_box(struct boxes *boxes, const struct surface *surface,
                                        struct box_context box_context)
{
    enum fname_level l = surface->op->level;
    if (is_op(surface, "divide"))
        return box_2(boxes, BOX_FRAC, put(boxes, surface->kid[0], FREE),
                     put(boxes, surface->kid[1], FREE));
    if (is_op(surface, "power"))
        return raised(boxes, surface->kid[0], put(boxes, surface->kid[1], FREE));
    if (is_op(surface, "multiply"))
        return product(boxes, surface, box_context);
    struct box_context only = {LEVEL_PRODUCT, box_context.followed};
    if (surface->op->kind == FNAME_PREFIX) {
        if (l == LEVEL_NOT)
            only.least = LEVEL_ATOM;
        return box_2(boxes, BOX_ROW, op_sign(boxes, surface), put(boxes, surface->kid[0], only));
    }
    struct box_context left = {l, false}, right = {l + 1, box_context.followed};
    if (l == LEVEL_COMPARE)
        left.least = right.least = LEVEL_SUM;
    return row_3(boxes, put(boxes, surface->kid[0], left), op_sign(boxes, surface),
                 put(boxes, surface->kid[1], right));
}

static const struct formula_box *arguments(struct boxes *boxes, const struct surface *surface)
{
    struct formula_box *box = box_n(boxes, BOX_ROW, NULL, NULL, 2 * surface->n + 1);
    box->n = 0;
    for (uint32_t k = 0; k < surface->n; k++) {
        if (k > 0)
            box->kid[box->n++] = comma(boxes);
        box->kid[box->n++] = put(boxes, surface->kid[k], FREE);
    }
    return fenced(boxes, box->n == 1 ? box->kid[0] : box);
}

static const struct formula_box *cases(struct boxes *boxes, const struct surface *surface)
{
    uint32_t n = 1;
    const struct surface *last = surface;
    for (; is_cases(last) && !(last != surface && last->marked); last = last->kid[2])
        n += 2;
    struct formula_box *box = box_n(boxes, BOX_CASES, NULL, NULL, n);
    uint32_t at = 0;
    for (; at + 1 < n; surface = surface->kid[2]) {
        box->kid[at++] = put(boxes, surface->kid[1], FREE);
        box->kid[at++] = put(boxes, surface->kid[0], FREE);
    }
    box->kid[at] = put(boxes, surface, FREE);
    return box;
}

static const struct formula_box *reduction(struct boxes *boxes, const struct surface *surface,
                                           struct box_context box_context)
{
    bool large = is_large(surface), sum = strcmp(surface->text, "sum") == 0;
    const struct formula_box *op =
        large ? sign(boxes, BOX_LARGE, sum ? "\\sum" : "\\prod", sum ? "∑" : "∏")
              : sign(boxes, BOX_FUNC, surface->text, NULL);
    if (surface->n_axes > 0)
        op = box_2(boxes, BOX_UNDER, op, axes(boxes, surface, NULL));
    struct box_context body = {LEVEL_PRODUCT, box_context.followed};
    return box_2(boxes, BOX_ROW, op,
                 large ? put(boxes, surface->kid[0], body) : arguments(boxes, surface));
}

static const struct formula_box *call(struct boxes *boxes, const struct surface *surface)
{
    const struct formula_box *one = sign(boxes, BOX_NUMBER, "1", NULL);
    if (calls(surface, "exponential") && !tall(surface->kid[0], 0))
        return box_2(boxes, BOX_SUP, sign(boxes, BOX_IDENT, "e", "e"),
                     put(boxes, surface->kid[0], FREE));
    if (surface->square)
        return raised(boxes, surface->kid[0], sign(boxes, BOX_NUMBER, "2", NULL));
    if (calls(surface, "sqrt"))
        return box_1(boxes, BOX_SQRT, NULL, NULL, put(boxes, surface->kid[0], FREE));
    if (calls(surface, "rsqrt"))
        return box_2(boxes, BOX_FRAC, one,
                     box_1(boxes, BOX_SQRT, NULL, NULL, put(boxes, surface->kid[0], FREE)));
    if (calls(surface, "cbrt"))
        return box_2(boxes, BOX_SQRT, put(boxes, surface->kid[0], FREE),
                     sign(boxes, BOX_NUMBER, "3", NULL));
    if (calls(surface, "abs"))
        return box_1(boxes, BOX_FENCE, "|", "|", put(boxes, surface->kid[0], FREE));
    if (calls(surface, "floor"))
        return box_1(boxes, BOX_FENCE, "\\lfloor", "\\rfloor", put(boxes, surface->kid[0], FREE));
    if (calls(surface, "ceil"))
        return box_1(boxes, BOX_FENCE, "\\lceil", "\\rceil", put(boxes, surface->kid[0], FREE));
    if (is_cases(surface))
        return cases(boxes, surface);
    const struct formula_box *box = sign(boxes, BOX_FUNC, surface->text, NULL);
    if (surface->n_axes > 0)
        box = box_2(boxes, BOX_SUB, box, axes(boxes, surface, NULL));
    return box_2(boxes, BOX_ROW, box, arguments(boxes, surface));
}

static const struct formula_box *put_inside(struct boxes *boxes, const struct surface *surface,
                                            struct box_context box_context)
{
    switch (surface->kind) {
    case SURFACE_NUMBER:
        return digits(boxes, surface->text);
    case SURFACE_SIZE:
        return box_1(boxes, BOX_FENCE, "|", "|", axes(boxes, surface, NULL));
    case SURFACE_OP:
        return op_box(boxes, surface, box_context);
    case SURFACE_CALL:
        return call(boxes, surface);
    case SURFACE_REDUCE:
        return reduction(boxes, surface, box_context);
    case SURFACE_MATMUL:
        return product(boxes, surface, box_context);
    case SURFACE_TR:
        return raised(boxes, surface->kid[0], sign(boxes, BOX_IDENT, "\\top", "⊤"));
    case SURFACE_NAME:
    case SURFACE_INDEXED:
        break;
    }
    return name_box(boxes, surface);
}

static const struct formula_box *put(struct boxes *boxes, const struct surface *surface,
                                     struct box_context box_context)
{
    bool fence = needs_fence(surface, box_context);
    const struct formula_box *box = put_inside(boxes, surface, fence ? FREE : box_context);
    if (surface->marked)
        box = box_1(boxes, BOX_MARK, NULL, NULL, box);
    return fence ? fenced(boxes, box) : box;
}

const struct formula_box *box_of(struct surface_tree *tree)
{
    struct boxes boxes = {.mem = &tree->mem};
    boxes.matrices = has_matrices(tree->root);
    for (uint32_t i = 0; i < tree->lets.len; i++)
        boxes.matrices = boxes.matrices || has_matrices(tree->lets.at[i].value);
    const struct formula_box *root = put(&boxes, tree->root, FREE);
    if (tree->lets.len == 0)
        return root;
    struct formula_box *box = box_n(&boxes, BOX_LINES, NULL, NULL, tree->lets.len + 1);
    box->kid[0] = root;
    for (uint32_t i = 0; i < tree->lets.len; i++) {
        const struct surface_let *let = &tree->lets.at[i];
        struct formula_box *line = box_n(&boxes, BOX_ROW, NULL, NULL, 4);
        const struct formula_box *below, *name = split_name(&boxes, let->name, &below);
        line->kid[0] = sign(&boxes, BOX_TEXT, i == 0 ? "where " : "and ", NULL);
        line->kid[1] = below == NULL ? name : box_2(&boxes, BOX_SUB, name, below);
        line->kid[2] = sign(&boxes, BOX_OP, "=", "=");
        line->kid[3] = put(&boxes, let->value, FREE);
        box->kid[i + 1] = line;
    }
    return box;
}
