// SPDX-License-Identifier: Apache-2.0
// Do the input and the output of formula records have the same values?
//
//   numeric [--samples N] [--seed N] RECORD...
//
// Both formulas are read again, and evaluated with some 90 digits at random
// sizes (1 to 5 along each axis) and random values that meet what the record
// says is given, wherever the input has a value; 40 digits must agree.
// Recovered constants stand for what the record says, and must differ from
// their texts by what it says.  Only reading and writing of texts is shared
// with what is tested; named functions have their textbook meaning here.
#include "base/rng.h"
#include "formula/formula.h"
#include "proof/formula_record.h"

#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

enum { BITS = 320, AXES = 64, MOST_SIZE = 5 };
#define AGREE 1e-40

struct value {
    bool known;
    uint64_t axes; // on which it depends
    uint32_t n;    // elements, by these axes in ascending order
    mpfr_t *at;
};
struct variable {
    const char *name;
    bool truth;
    uint32_t n, size[8];
    uint32_t n_at;
    mpfr_t *at;
};
struct world {
    struct fterms t;
    struct intern axis; // bit: id - 1
    uint32_t size[AXES];
    uint32_t same[AXES]; // axes of one size, as a forest
    struct rng rng;
    VEC(struct variable) variable;
    VEC(struct value) value; // by term
};
struct environment {
    uint32_t index[AXES];
};

static void set_int(mpfr_t x, long n)
{
    mpfr_set_si(x, n, MPFR_RNDN);
}

// ---- axes

static uint32_t axis_id(struct world *w, const char *s, uint32_t len)
{
    uint32_t id = intern_bytes(&w->axis, s, len);
    if (id == 0 || id > AXES) {
        fprintf(stderr, "numeric: too many axes\n");
        exit(2);
    }
    return id - 1;
}

struct list {
    struct world *w;
    uint32_t n, id[8];
};

static void add_axis(void *ctx, const char *s, uint32_t len)
{
    struct list *l = ctx;
    if (l->n < 8)
        l->id[l->n++] = axis_id(l->w, s, len);
}

static struct list axes_of(struct world *w, fterm x)
{
    struct list l = {.w = w};
    const char *s = fterm_name(&w->t, x);
    (void)fname_axes(s, (uint32_t)strlen(s), add_axis, &l);
    return l;
}

static uint64_t set_of(struct world *w, fterm x)
{
    struct list l = axes_of(w, x);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < l.n; i++)
        bits |= UINT64_C(1) << l.id[i];
    return bits;
}

static uint32_t root(struct world *w, uint32_t a)
{
    while (w->same[a] != a)
        a = w->same[a];
    return a;
}

static bool is_join(const struct world *w, fterm x)
{
    return fterm_is(&w->t, x, "concatenate", 5);
}

// Positions of a variable have one size each, and a join the sum of its parts.
static void choose_sizes(struct world *w)
{
    for (uint32_t a = 0; a < AXES; a++) {
        w->same[a] = a;
        w->size[a] = 1 + (uint32_t)rng_below(&w->rng, MOST_SIZE);
    }
    VEC(struct list) first = {0};
    VEC(uint32_t) base = {0};
    for (fterm x = 0; x < w->t.node.len; x++) {
        const char *s = fterm_name(&w->t, x), *open = strchr(s, '{');
        if (fterm_n(&w->t, x) > 0 || open == NULL || open == s)
            continue;
        struct list l = axes_of(w, x);
        uint32_t k = 0;
        for (; k < base.len; k++) {
            const char *o = fterm_name(&w->t, base.at[k]);
            if (strncmp(o, s, (size_t)(open - s) + 1) == 0)
                break;
        }
        if (k == base.len) {
            vec_push(&base, x);
            vec_push(&first, l);
        }
        for (uint32_t i = 0; i < l.n && i < first.at[k].n; i++)
            w->same[root(w, l.id[i])] = root(w, first.at[k].id[i]);
    }
    vec_release(&base);
    vec_release(&first);
    for (uint32_t a = 0; a < AXES; a++)
        w->size[a] = w->size[root(w, a)];
    for (uint32_t again = 0; again < 8; again++)
        for (fterm x = 0; x < w->t.node.len; x++) {
            if (!is_join(w, x))
                continue;
            const fterm *arg = fterm_args(&w->t, x);
            uint32_t a = root(w, axes_of(w, arg[0]).id[0]);
            uint32_t sum = w->size[axes_of(w, arg[1]).id[0]] +
                           w->size[axes_of(w, arg[2]).id[0]];
            for (uint32_t b = 0; b < AXES; b++)
                if (root(w, b) == a)
                    w->size[b] = sum;
        }
}

static uint32_t count(const struct world *w, uint64_t axes)
{
    uint32_t n = 1;
    for (uint32_t a = 0; a < AXES; a++)
        if (axes >> a & 1)
            n *= w->size[a];
    return n;
}

static uint32_t place(const struct world *w, uint64_t axes,
                      const struct environment *e)
{
    uint32_t at = 0;
    for (uint32_t a = 0; a < AXES; a++)
        if (axes >> a & 1)
            at = at * w->size[a] + e->index[a];
    return at;
}

static void go_to(const struct world *w, uint64_t axes, uint32_t at,
                  struct environment *e)
{
    for (uint32_t a = AXES; a-- > 0;)
        if (axes >> a & 1) {
            e->index[a] = at % w->size[a];
            at /= w->size[a];
        }
}

// ---- named functions, by what textbooks say: as terms over A, B, .. and the
// set S, in other forms than those by which they are recognised

#define SUM(x) "(reduce_add S " x ")"
#define SQ(x) "(power " x " 2)"
#define MEAN(x) "(divide " SUM(x) " (count S))"
#define CENTRED "(subtract A " MEAN("A") ")"
#define DEVIATIONS SUM(SQ(CENTRED))
#define VAR "(subtract " MEAN(SQ("A")) " " SQ(MEAN("A")) ")"
#define SIGMOID(x) "(divide (add 1 (tanh (divide " x " 2))) 2)"
#define PEAK "(reduce_maximum S A)"
#define LOGSUMEXP                                                              \
    "(add " PEAK " (log " SUM("(exponential (subtract A " PEAK "))") "))"
#define SOFTPLUS(x)                                                            \
    "(add (maximum " x " 0) (log_plus_one (exponential (negate (abs " x "))))" \
    ")"

static const struct function {
    const char *name, *arguments, *meaning;
} functions[] = {
    {"sq", "A", SQ("A")},
    {"relu", "A", "(divide (add A (abs A)) 2)"},
    {"relu6", "A", "(select (lt A 0) 0 (select (lt 6 A) 6 A))"},
    {"leaky_relu", "AB", "(select (lt A 0) (multiply B A) A)"},
    {"elu", "A", "(select (lt A 0) (exponential_minus_one A) A)"},
    {"celu", "AB",
     "(select (lt A 0) (multiply B (subtract (exponential (divide A B)) 1)) "
     "A)"},
    {"selu", "A",
     "(multiply 2101401974710961/2000000000000000 (select (lt A 0) (multiply "
     "4183158105885943/2500000000000000 (subtract (exponential A) 1)) A))"},
    {"normal_cdf", "A",
     "(divide (add 1 (erf (divide (multiply A (sqrt 2)) 2))) 2)"},
    {"normal_pdf", "A",
     "(divide 1 (sqrt (multiply 2 (multiply pi (exponential (power A 2))))))"},
    {"softplus", "A", SOFTPLUS("A")},
    {"log_sigmoid", "A", "(negate " SOFTPLUS("(negate A)") ")"},
    {"silu", "A", "(multiply " SIGMOID("A") " A)"},
    {"swish", "AB", "(multiply A " SIGMOID("(multiply A B)") ")"},
    {"mish", "A", "(multiply A (tanh " SOFTPLUS("A") "))"},
    {"gelu", "A", "(divide (multiply A (add 1 (erf (divide A (sqrt 2))))) 2)"},
    {"gelu_tanh", "A",
     "(divide (multiply A (add 1 (tanh (multiply (sqrt (divide 2 pi)) (add A "
     "(multiply 44715/1000000 (power A 3))))))) 2)"},
    {"hard_sigmoid", "A",
     "(select (lt A -3) 0 (select (lt 3 A) 1 (add (divide A 6) 1/2)))"},
    {"hard_swish", "A",
     "(select (lt A -3) 0 (select (lt 3 A) A (divide (multiply A (add A 3)) "
     "6)))"},
    {"hard_tanh", "A", "(select (lt A -1) -1 (select (lt 1 A) 1 A))"},
    {"soft_shrink", "AB",
     "(select (lt B A) (subtract A B) (select (lt A (negate B)) (add A B) 0))"},
    {"tanh_shrink", "A", "(subtract A (tanh A))"},
    {"softsign", "A", "(divide A (add (abs A) 1))"},
    {"sinh", "A",
     "(subtract (exponential A) (divide (add (exponential A) (exponential "
     "(negate A))) 2))"},
    {"cosh", "A",
     "(add 1 (multiply 2 (power (divide (subtract (exponential (divide A 2)) "
     "(exponential (divide A -2))) 2) 2)))"},
    {"logit", "A", "(subtract (log A) (log (subtract 1 A)))"},
    {"clip", "ABC", "(select (lt C (maximum A B)) C (maximum A B))"},
    {"logaddexp", "AB",
     "(add (maximum A B) (log_plus_one (exponential (negate (abs (subtract A "
     "B))))))"},
    {"huber", "AB",
     "(select (le (abs A) B) (divide " SQ("A") " 2) (subtract (multiply B (abs "
                                               "A)) (divide " SQ("B") " 2)))"},
    {"smooth_l1", "AB",
     "(select (lt (abs A) B) (divide " SQ("A") " (multiply 2 B)) (subtract "
                                               "(abs A) (divide B 2)))"},
    {"binary_cross_entropy", "AB",
     "(subtract (multiply (subtract B 1) (log (subtract 1 A))) (multiply B "
     "(log A)))"},
    {"binary_cross_entropy_with_logits", "AB",
     "(subtract " SOFTPLUS("A") " (multiply A B))"},
    {"mean", "SA", MEAN("A")},
    {"var", "SA", VAR},
    {"std", "SA", "(sqrt " MEAN(SQ(CENTRED)) ")"},
    {"sample_var", "SA", "(divide " DEVIATIONS " (subtract (count S) 1))"},
    {"sample_std", "SA",
     "(sqrt (divide " DEVIATIONS " (subtract (count S) 1)))"},
    {"norm", "SA", "(sqrt " SUM(SQ("A")) ")"},
    {"rms", "SA", "(sqrt " MEAN(SQ("A")) ")"},
    {"softmax", "SA", "(exponential (subtract A " LOGSUMEXP "))"},
    {"softmin", "SA",
     "(divide 1 (multiply (exponential A) " SUM(
         "(exponential (negate A))") "))"},
    {"logsumexp", "SA", LOGSUMEXP},
    {"log_softmax", "SA", "(subtract A " LOGSUMEXP ")"},
    {"standardize", "SAB",
     "(multiply " CENTRED " (rsqrt (add B " MEAN(SQ(CENTRED)) ")))"},
    {"layer_norm", "SABCD",
     "(add C (multiply B (multiply " CENTRED
     " (rsqrt (add D " MEAN(SQ(CENTRED)) ")))))"},
    {"rms_norm", "SABC",
     "(multiply (multiply A B) (rsqrt (add C " MEAN(SQ("A")) ")))"},
    {"mse", "SAB", MEAN(SQ("(subtract B A)"))},
    {"entropy", "SA", SUM("(multiply (negate A) (log A))")},
    {"cross_entropy", "SAB", SUM("(multiply (log B) (negate A))")},
    {"kl_divergence", "SAB", SUM("(multiply A (log (divide A B)))")},
    {"cosine_similarity", "SAB",
     "(multiply " SUM("(multiply A B)") " (rsqrt (multiply " SUM(
         SQ("A")) " " SUM(SQ("B")) ")))"},
};

static const struct function *function_named(const char *name, uint32_t n)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0 &&
            strlen(functions[i].arguments) == n)
            return &functions[i];
    return NULL;
}

// The term with leaves `names[k]`, a letter each, replaced; and each node that
// is made by what `also` makes of it.
static fterm rebuild(struct fterms *t, fterm x, const char *names,
                     const fterm *values,
                     fterm (*also)(struct fterms *t, fterm x))
{
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(t, 1, &x, &all);
    vec_zero(&now, x + 1);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        uint32_t n = fterm_n(t, y);
        struct buf name = {0}; // the store may move it
        buf_puts(&name, fterm_name(t, y));
        const char *k =
            n == 0 && name.len == 1 ? strchr(names, *name.at) : NULL;
        vec_clear(&args);
        for (uint32_t j = 0; j < n; j++)
            vec_push(&args, now.at[fterm_args(t, y)[j]]);
        now.at[y] = k != NULL ? values[k - names]
                              : fterm_make(t, buf_text(&name), n, args.at);
        if (also != NULL)
            now.at[y] = also(t, now.at[y]);
        buf_release(&name);
    }
    fterm out = now.at[x];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

static fterm meaning(struct fterms *t, fterm call)
{
    const struct function *f =
        function_named(fterm_name(t, call), fterm_n(t, call));
    struct err e = {0};
    fterm body, args[8];
    if (f == NULL)
        return call;
    memcpy(args, fterm_args(t, call), fterm_n(t, call) * sizeof *args);
    if (!fterm_read(t, f->meaning, &body, &e)) {
        fprintf(stderr, "numeric: %s: %s\n", f->name, e.msg);
        exit(2);
    }
    return rebuild(t, body, f->arguments, args, NULL);
}

// All calls written out.
static fterm meanings(struct fterms *t, fterm x)
{
    return rebuild(t, x, "", NULL, meaning);
}

// ---- operators

typedef int unary(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
typedef int binary(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

static int minus(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    return mpfr_neg(out, x, r);
}
static int magnitude(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    return mpfr_abs(out, x, r);
}
static int signum(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_sgn(x), r);
}
static int logistic(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    mpfr_neg(out, x, r);
    mpfr_exp(out, out, r);
    mpfr_add_ui(out, out, 1, r);
    return mpfr_ui_div(out, 1, out, r);
}
static int up(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    (void)r;
    return mpfr_ceil(out, x);
}
static int down(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    (void)r;
    return mpfr_floor(out, x);
}
static int negation(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_sgn(x) == 0, r);
}
static int both(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_sgn(x) != 0 && mpfr_sgn(y) != 0, r);
}
static int either(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_sgn(x) != 0 || mpfr_sgn(y) != 0, r);
}
static int less(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_less_p(x, y) != 0, r);
}
static int at_most(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_lessequal_p(x, y) != 0, r);
}
static int same(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_equal_p(x, y) != 0, r);
}
static int other(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_equal_p(x, y) == 0, r);
}

static const struct {
    const char *name;
    unary *of;
} unaries[] = {
    {"negate", minus},
    {"abs", magnitude},
    {"sign", signum},
    {"exponential", mpfr_exp},
    {"exponential_minus_one", mpfr_expm1},
    {"log", mpfr_log},
    {"log_plus_one", mpfr_log1p},
    {"logistic", logistic},
    {"sqrt", mpfr_sqrt},
    {"rsqrt", mpfr_rec_sqrt},
    {"cbrt", mpfr_cbrt},
    {"sine", mpfr_sin},
    {"cosine", mpfr_cos},
    {"tan", mpfr_tan},
    {"tanh", mpfr_tanh},
    {"erf", mpfr_erf},
    {"floor", down},
    {"ceil", up},
    {"not", negation},
};
static const struct {
    const char *name;
    binary *of;
} binaries[] = {
    {"add", mpfr_add},     {"subtract", mpfr_sub}, {"multiply", mpfr_mul},
    {"divide", mpfr_div},  {"power", mpfr_pow},    {"maximum", mpfr_max},
    {"minimum", mpfr_min}, {"and", both},          {"or", either},
    {"lt", less},          {"le", at_most},        {"eq", same},
    {"ne", other},         {"atan2", mpfr_atan2},  {"remainder", mpfr_fmod},
};

static binary *binary_named(const char *name)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (strcmp(binaries[i].name, name) == 0)
            return binaries[i].of;
    return NULL;
}

static bool apply(const char *name, uint32_t n, mpfr_srcptr x, mpfr_srcptr y,
                  mpfr_t out)
{
    if (n == 1)
        for (size_t i = 0; i < sizeof unaries / sizeof *unaries; i++)
            if (strcmp(unaries[i].name, name) == 0) {
                unaries[i].of(out, x, MPFR_RNDN);
                return true;
            }
    binary *f = n == 2 ? binary_named(name) : NULL;
    if (f != NULL)
        f(out, x, y, MPFR_RNDN);
    return f != NULL;
}

// ---- terms

static mpfr_t *at(struct world *w, fterm x, const struct environment *e)
{
    const struct value *v = &w->value.at[x];
    return &v->at[place(w, v->axes, e)];
}

static void reduce(struct world *w, fterm x, struct environment e, mpfr_t out)
{
    const fterm *arg = fterm_args(&w->t, x);
    uint64_t set = set_of(w, arg[0]);
    binary *f = binary_named(fterm_name(&w->t, x) + strlen("reduce_"));
    for (uint32_t i = 0; i < count(w, set); i++) {
        go_to(w, set, i, &e);
        mpfr_t *y = at(w, arg[1], &e);
        if (i == 0)
            mpfr_set(out, *y, MPFR_RNDN);
        else if (mpfr_nan_p(*y) || mpfr_nan_p(out))
            mpfr_set_nan(out);
        else
            f(out, out, *y, MPFR_RNDN);
    }
}

static void joined(struct world *w, fterm x, struct environment e, mpfr_t out)
{
    const fterm *arg = fterm_args(&w->t, x);
    uint32_t a = axes_of(w, arg[0]).id[0], b = axes_of(w, arg[1]).id[0],
             c = axes_of(w, arg[2]).id[0], i = e.index[a];
    bool first = i < w->size[b];
    e.index[first ? b : c] = first ? i : i - w->size[b];
    mpfr_set(out, *at(w, arg[first ? 3 : 4], &e), MPFR_RNDN);
}

static void leaf(struct world *w, fterm x, const struct environment *e,
                 mpfr_t out)
{
    const char *s = fterm_name(&w->t, x);
    size_t len = strcspn(s, "{");
    struct list l = axes_of(w, x);
    if (strcmp(s, "pi") == 0) {
        mpfr_const_pi(out, MPFR_RNDN);
        return;
    }
    if (strcmp(s, "true") == 0 || strcmp(s, "false") == 0) {
        set_int(out, *s == 't');
        return;
    }
    if (fname_is_number(s, (uint32_t)strlen(s))) {
        mpq_t q;
        mpq_init(q);
        mpq_set_str(q, s, 10);
        mpfr_set_q(out, q, MPFR_RNDN);
        mpq_clear(q);
        return;
    }
    for (uint32_t i = 0; i < w->variable.len; i++) {
        const struct variable *v = &w->variable.at[i];
        if (strlen(v->name) != len || memcmp(v->name, s, len) != 0)
            continue;
        uint32_t k = 0;
        for (uint32_t j = 0; j < v->n; j++)
            k = k * v->size[j] + e->index[l.id[j]];
        mpfr_set(out, v->at[k], MPFR_RNDN);
        return;
    }
    fprintf(stderr, "numeric: unknown variable %s\n", s);
    exit(2);
}

static void compute(struct world *w, fterm x, const struct environment *e,
                    mpfr_t out)
{
    const char *name = fterm_name(&w->t, x);
    uint32_t n = fterm_n(&w->t, x);
    const fterm *arg = fterm_args(&w->t, x);
    if (n == 0) {
        leaf(w, x, e, out);
    } else if (strcmp(name, "count") == 0) {
        set_int(out, (long)count(w, set_of(w, arg[0])));
    } else if (is_join(w, x)) {
        joined(w, x, *e, out);
    } else if (strncmp(name, "reduce_", 7) == 0) {
        reduce(w, x, *e, out);
    } else if (strcmp(name, "select") == 0) {
        mpfr_t *c = at(w, arg[0], e);
        if (mpfr_nan_p(*c))
            mpfr_set_nan(out);
        else
            mpfr_set(out, *at(w, arg[mpfr_sgn(*c) != 0 ? 1 : 2], e), MPFR_RNDN);
    } else {
        mpfr_t *y = at(w, arg[0], e), *z = n > 1 ? at(w, arg[1], e) : y;
        if (mpfr_nan_p(*y) || mpfr_nan_p(*z)) {
            mpfr_set_nan(out);
        } else if (!apply(name, n, *y, *z, out)) {
            fprintf(stderr, "numeric: unknown operator %s\n", name);
            exit(2);
        }
    }
    // No value is no number, whatever is done with it.
    if (!mpfr_number_p(out))
        mpfr_set_nan(out);
}

static uint64_t axes_below(struct world *w, fterm x)
{
    const char *name = fterm_name(&w->t, x);
    uint32_t n = fterm_n(&w->t, x);
    const fterm *arg = fterm_args(&w->t, x);
    uint64_t axes = 0;
    if (n == 0)
        return *name == '{' ? 0 : set_of(w, x);
    if (is_join(w, x))
        return (w->value.at[arg[3]].axes & ~set_of(w, arg[1])) |
               (w->value.at[arg[4]].axes & ~set_of(w, arg[2])) |
               set_of(w, arg[0]);
    for (uint32_t k = 0; k < n; k++)
        axes |= w->value.at[arg[k]].axes;
    if (strncmp(name, "reduce_", 7) == 0)
        axes &= ~set_of(w, arg[0]);
    return axes;
}

static void forget(struct world *w)
{
    for (uint32_t x = 0; x < w->value.len; x++) {
        struct value *v = &w->value.at[x];
        for (uint32_t i = 0; i < v->n; i++)
            mpfr_clear(v->at[i]);
        mem_free(v->at);
    }
    vec_release(&w->value);
}

// All values of the term and of those below it.
static const struct value *evaluate(struct world *w, fterm top)
{
    struct u32_vec all = {0};
    struct value none = {0};
    while (w->value.len < w->t.node.len)
        vec_push(&w->value, none);
    fterms_reach(&w->t, 1, &top, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        if (w->value.at[x].known)
            continue;
        struct value v = {.known = true, .axes = axes_below(w, x)};
        bool is_set = fterm_n(&w->t, x) == 0 && *fterm_name(&w->t, x) == '{';
        uint32_t n = is_set ? 0 : count(w, v.axes);
        v.at = mem_alloc((n + 1u) * sizeof *v.at);
        for (; v.n < n; v.n++) {
            struct environment e = {{0}};
            go_to(w, v.axes, v.n, &e);
            mpfr_init2(v.at[v.n], BITS);
            compute(w, x, &e, v.at[v.n]);
        }
        w->value.at[x] = v;
    }
    vec_release(&all);
    return &w->value.at[top];
}

// ---- random values

static void random_element(struct rng *r, uint32_t style, bool truth,
                           mpfr_t out)
{
    static const double corners[] = {-2, -1, -0.5, 0, 0.5, 1, 2, 1, 0};
    double u = rng_unit(r);
    if (truth)
        set_int(out, u < 0.5);
    else if (style == 0)
        mpfr_set_d(out, corners[rng_below(r, 9)], MPFR_RNDN);
    else if (style == 1)
        mpfr_set_d(out, 0.05 + 2 * u, MPFR_RNDN);
    else if (style == 2)
        mpfr_set_d(out, u, MPFR_RNDN);
    else
        mpfr_set_d(out, 6 * u - 3, MPFR_RNDN);
}

// Variables that stand where a truth value must stand.
static bool is_truth(struct world *w, const char *name)
{
    size_t len = strlen(name);
    for (fterm x = 0; x < w->t.node.len; x++) {
        const char *op = fterm_name(&w->t, x);
        uint32_t n = fterm_n(&w->t, x);
        bool all = (n == 2 &&
                    (!strcmp(op, "and") || !strcmp(op, "or") ||
                     !strcmp(op, "reduce_and") || !strcmp(op, "reduce_or"))) ||
                   (n == 1 && !strcmp(op, "not"));
        uint32_t k = n == 3 && !strcmp(op, "select") ? 1 : all ? n : 0;
        for (uint32_t i = 0; i < k; i++) {
            const char *s = fterm_name(&w->t, fterm_args(&w->t, x)[i]);
            if (fterm_n(&w->t, fterm_args(&w->t, x)[i]) == 0 &&
                strncmp(s, name, len) == 0 && (s[len] == 0 || s[len] == '{'))
                return true;
        }
    }
    return false;
}

static void choose_values(struct world *w, const struct formula *f)
{
    for (uint32_t i = 0; i < f->variables.len; i++) {
        const struct fvariable *from = &f->variables.at[i];
        struct variable v = {.name = from->name,
                             .truth = is_truth(w, from->name),
                             .n = from->n,
                             .n_at = 1};
        for (uint32_t k = 0; k < v.n; k++) {
            const char *axis = f->axes.at[from->at + k];
            v.size[k] = w->size[axis_id(w, axis, (uint32_t)strlen(axis))];
            v.n_at *= v.size[k];
        }
        v.at = mem_alloc(v.n_at * sizeof *v.at);
        uint32_t style = (uint32_t)rng_below(&w->rng, 5);
        for (uint32_t k = 0; k < v.n_at; k++) {
            mpfr_init2(v.at[k], BITS);
            random_element(&w->rng, style, v.truth, v.at[k]);
        }
        vec_push(&w->variable, v);
    }
}

static void forget_values(struct world *w)
{
    for (uint32_t i = 0; i < w->variable.len; i++) {
        struct variable *v = &w->variable.at[i];
        for (uint32_t k = 0; k < v->n_at; k++)
            mpfr_clear(v->at[k]);
        mem_free(v->at);
    }
    vec_clear(&w->variable);
    forget(w);
}

static bool all_true(struct world *w, fterm cond)
{
    const struct value *v = evaluate(w, cond);
    for (uint32_t i = 0; i < v->n; i++)
        if (mpfr_nan_p(v->at[i]) || mpfr_sgn(v->at[i]) == 0)
            return false;
    return true;
}

static bool has_value(const struct value *v)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (mpfr_nan_p(v->at[i]))
            return false;
    return true;
}

// ---- records

struct job {
    const char *file;
    struct formula_record r;
    struct ruleset rules;
    VEC(const struct rule *) defining;
    struct fdefines defs;
    struct world w;
    struct formula in, out;
    fterm left, right;
    struct u32_vec given;
    double worst;
};

static bool complain(const struct job *j, const char *what)
{
    printf("%s: %s\n", j->file, what);
    return false;
}

static fterm replace(struct fterms *t, fterm x, fterm from, fterm to)
{
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(t, 1, &x, &all);
    vec_zero(&now, t->node.len);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        vec_clear(&args);
        for (uint32_t k = 0; k < fterm_n(t, y); k++)
            vec_push(&args, now.at[fterm_args(t, y)[k]]);
        struct buf name = {0};
        buf_puts(&name, fterm_name(t, y));
        now.at[y] =
            y == from ? to : fterm_make(t, buf_text(&name), args.len, args.at);
        buf_release(&name);
    }
    fterm out = now.at[x];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

// The stated difference is the difference.
static bool recover(struct job *j, const struct formula_record_constant *c)
{
    fterm value, text = NO_FTERM;
    struct err e = {0};
    if (!fterm_read(&j->w.t, c->value, &value, &e))
        return complain(j, e.msg);
    for (uint32_t i = 0; i < j->in.constants.len; i++)
        if (strcmp(j->in.constants.at[i].text, c->text) == 0)
            text = j->in.constants.at[i].term;
    if (text == NO_FTERM)
        return complain(j, "a constant that is not in the input");
    mpfr_t d, x;
    mpfr_inits2(BITS, d, x, (mpfr_ptr)0);
    mpfr_set_str(x, c->text, 10, MPFR_RNDN);
    mpfr_sub(d, evaluate(&j->w, value)->at[0], x, MPFR_RNDN);
    double found = mpfr_get_d(d, MPFR_RNDN), said = strtod(c->difference, NULL);
    bool small = mpfr_cmp_abs(d, x) < 0 &&
                 fabs(found) <= fabs(mpfr_get_d(x, MPFR_RNDN)) / 200;
    mpfr_clears(d, x, (mpfr_ptr)0);
    forget(&j->w);
    j->left = replace(&j->w.t, j->left, text, value);
    return (small && fabs(found - said) <= 1e-12 * fabs(found)) ||
           complain(j, "a constant with another difference");
}

static bool prepare(struct job *j, struct err *e)
{
    struct buf text = {0};
    bool ok = file_read(j->file, (size_t)1 << 26, &text, e) &&
              formula_record_read(&j->r, buf_text(&text), text.len, j->file, e);
    buf_release(&text);
    for (uint32_t i = 0; ok && i < j->r.defines.len; i++) {
        const struct rule *r =
            ruleset_add(&j->rules, j->r.defines.at[i], "a definition", e);
        ok = r != NULL;
        if (ok)
            vec_push(&j->defining, r);
    }
    ok = ok && fdefines_of(&j->defs, j->defining.len, j->defining.at, e) &&
         formula_read(&j->in, &j->w.t, &j->defs, "input", j->r.input, e) &&
         formula_read(&j->out, &j->w.t, &j->defs, "output", j->r.output, e);
    for (uint32_t i = 0; ok && i < j->r.givens.len; i++) {
        fterm cond;
        ok = fterm_read(&j->w.t, j->r.givens.at[i].cond, &cond, e);
        if (ok)
            vec_push(&j->given, meanings(&j->w.t, cond));
    }
    return ok;
}

// Both at every index of the axes of either.
static bool compare(struct job *j, const struct value *a, const struct value *b)
{
    uint64_t axes = a->axes | b->axes;
    bool ok = true;
    mpfr_t d;
    mpfr_init2(d, BITS);
    for (uint32_t i = 0; ok && i < count(&j->w, axes); i++) {
        struct environment e = {{0}};
        go_to(&j->w, axes, i, &e);
        mpfr_t *x = &a->at[place(&j->w, a->axes, &e)];
        mpfr_t *y = &b->at[place(&j->w, b->axes, &e)];
        mpfr_sub(d, *x, *y, MPFR_RNDN);
        double diff = fabs(mpfr_get_d(d, MPFR_RNDN)),
               size = fabs(mpfr_get_d(*x, MPFR_RNDN));
        diff /= size > 1 ? size : 1;
        if (diff > j->worst)
            j->worst = diff;
        ok = !mpfr_nan_p(*y) && diff <= AGREE;
        if (!ok)
            printf("%s: %.17g in, %.17g out (%s => %s)\n", j->file,
                   mpfr_get_d(*x, MPFR_RNDN), mpfr_get_d(*y, MPFR_RNDN),
                   j->r.input, j->r.output);
    }
    mpfr_clear(d);
    return ok;
}

static bool sample(struct job *j, uint32_t *done)
{
    struct world *w = &j->w;
    bool ok = true, meets = true;
    choose_sizes(w);
    choose_values(w, &j->in);
    for (uint32_t i = 0; meets && i < j->given.len; i++)
        meets = all_true(w, j->given.at[i]);
    if (meets) {
        (void)evaluate(w, j->left);
        (void)evaluate(w, j->right);
        const struct value *a = &w->value.at[j->left];
        if (has_value(a)) {
            ok = compare(j, a, &w->value.at[j->right]);
            ++*done;
        }
    }
    forget_values(w);
    return ok;
}

static bool run(const char *file, uint32_t samples, uint64_t seed)
{
    struct job j = {.file = file};
    struct err e = {0};
    uint32_t done = 0;
    fterms_init(&j.w.t);
    intern_init(&j.w.axis);
    ruleset_init(&j.rules);
    formula_record_init(&j.r);
    rng_seed(&j.w.rng, seed);
    bool ok = prepare(&j, &e);
    if (!ok)
        (void)complain(&j, e.msg);
    j.left = j.in.term;
    for (uint32_t i = 0; ok && i < j.r.constants.len; i++)
        ok = recover(&j, &j.r.constants.at[i]);
    if (ok) {
        j.left = meanings(&j.w.t, j.left);
        j.right = meanings(&j.w.t, j.out.term);
    }
    for (uint32_t i = 0; ok && done < samples && i < 20 * samples; i++)
        ok = sample(&j, &done);
    if (ok && done < (samples + 3) / 4)
        ok = complain(&j, "hardly any values meet what is given");
    if (ok)
        printf("%s: %u samples, differences at most %.1e\n", file, done,
               j.worst);
    formula_release(&j.in);
    formula_release(&j.out);
    fdefines_release(&j.defs);
    formula_record_release(&j.r);
    ruleset_release(&j.rules);
    vec_release(&j.defining);
    vec_release(&j.given);
    vec_release(&j.w.variable);
    intern_release(&j.w.axis);
    fterms_release(&j.w.t);
    return ok;
}

int main(int argc, char **argv)
{
    uint32_t samples = 20;
    uint64_t seed = 1;
    bool ok = true;
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--samples") == 0)
            samples = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
    }
    if (i == argc || samples == 0) {
        fprintf(stderr, "usage: numeric [--samples N] [--seed N] RECORD...\n");
        return 64;
    }
    for (; i < argc; i++)
        ok = run(argv[i], samples, seed) && ok;
    mpfr_free_cache();
    return ok ? 0 : 1;
}
