// SPDX-License-Identifier: Apache-2.0
// Terms over A, B, .. and the set S, in other forms than those by which the
// functions are recognised.
#include "tests/formulas/textbook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUM(x) "(reduce_add S " x ")"
#define SQ(x) "(power " x " 2)"
#define MEAN(x) "(divide " SUM(x) " (count S))"
#define CENTRED "(subtract A " MEAN("A") ")"
#define DEVIATIONS SUM(SQ(CENTRED))
#define VAR "(subtract " MEAN(SQ("A")) " " SQ(MEAN("A")) ")"
#define SIGMOID(x) "(divide (add 1 (tanh (divide " x " 2))) 2)"
#define PEAK "(reduce_maximum S A)"
#define LOGSUMEXP "(add " PEAK " (log " SUM("(exponential (subtract A " PEAK "))") "))"
#define SOFTPLUS(x)                                                                                \
    "(add (maximum " x " 0) (log_plus_one (exponential (negate (abs " x "))))"                     \
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
    {"normal_cdf", "A", "(divide (add 1 (erf (divide (multiply A (sqrt 2)) 2))) 2)"},
    {"normal_pdf", "A", "(divide 1 (sqrt (multiply 2 (multiply pi (exponential (power A 2))))))"},
    {"softplus", "A", SOFTPLUS("A")},
    {"log_sigmoid", "A", "(negate " SOFTPLUS("(negate A)") ")"},
    {"silu", "A", "(multiply " SIGMOID("A") " A)"},
    {"swish", "AB", "(multiply A " SIGMOID("(multiply A B)") ")"},
    {"mish", "A", "(multiply A (tanh " SOFTPLUS("A") "))"},
    {"gelu", "A", "(divide (multiply A (add 1 (erf (divide A (sqrt 2))))) 2)"},
    {"gelu_tanh", "A",
     "(divide (multiply A (add 1 (tanh (multiply (sqrt (divide 2 pi)) (add A "
     "(multiply 44715/1000000 (power A 3))))))) 2)"},
    {"hard_sigmoid", "A", "(select (lt A -3) 0 (select (lt 3 A) 1 (add (divide A 6) 1/2)))"},
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
    {"asinh", "A",
     "(log_plus_one (add A (divide " SQ("A") " (add 1 (sqrt (add 1 " SQ("A") "))))))"},
    {"atanh", "A", "(divide (subtract (log (add 1 A)) (log (subtract 1 A))) 2)"},
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
    {"binary_cross_entropy_with_logits", "AB", "(subtract " SOFTPLUS("A") " (multiply A B))"},
    {"mean", "SA", MEAN("A")},
    {"var", "SA", VAR},
    {"std", "SA", "(sqrt " MEAN(SQ(CENTRED)) ")"},
    {"sample_var", "SA", "(divide " DEVIATIONS " (subtract (count S) 1))"},
    {"sample_std", "SA", "(sqrt (divide " DEVIATIONS " (subtract (count S) 1)))"},
    {"covariance", "SAB",
     "(subtract " MEAN("(multiply A B)") " (multiply " MEAN("A") " " MEAN("B") "))"},
    {"sample_covariance", "SAB",
     "(divide (multiply (count S) (subtract " MEAN("(multiply A B)") " (multiply " MEAN(
         "A") " " MEAN("B") "))) (subtract (count S) 1))"},
    {"norm", "SA", "(sqrt " SUM(SQ("A")) ")"},
    {"rms", "SA", "(sqrt " MEAN(SQ("A")) ")"},
    {"softmax", "SA", "(exponential (subtract A " LOGSUMEXP "))"},
    {"masked_softmax", "SAB",
     "(multiply (select A (exponential B) 0) (divide 1 " SUM("(select A (exponential B) 0)") "))"},
    {"softmin", "SA", "(divide 1 (multiply (exponential A) " SUM("(exponential (negate A))") "))"},
    {"logsumexp", "SA", LOGSUMEXP},
    {"log_softmax", "SA", "(subtract A " LOGSUMEXP ")"},
    {"standardize", "SAB", "(multiply " CENTRED " (rsqrt (add B " MEAN(SQ(CENTRED)) ")))"},
    {"layer_norm", "SABCD",
     "(add C (multiply B (multiply " CENTRED " (rsqrt (add D " MEAN(SQ(CENTRED)) ")))))"},
    {"rms_norm", "SABC", "(multiply (multiply A B) (rsqrt (add C " MEAN(SQ("A")) ")))"},
    {"mse", "SAB", MEAN(SQ("(subtract B A)"))},
    {"entropy", "SA", SUM("(multiply (negate A) (log A))")},
    {"cross_entropy", "SAB", SUM("(multiply (log B) (negate A))")},
    {"kl_divergence", "SAB", SUM("(multiply A (log (divide A B)))")},
    {"cosine_similarity", "SAB",
     "(multiply " SUM("(multiply A B)") " (rsqrt (multiply " SUM(SQ("A")) " " SUM(SQ("B")) ")))"},
};

static const struct function *function_named(const char *name, uint32_t n)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0 && strlen(functions[i].arguments) == n)
            return &functions[i];
    return NULL;
}

// The term with leaves `names[k]`, a letter each, replaced; and each node that
// is made by what `also` makes of it.
static fterm rebuild(struct fterms *terms, fterm term, const char *names, const fterm *values,
                     fterm (*also)(struct fterms *terms, fterm term))
{
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(terms, 1, &term, &all);
    vec_zero(&now, term + 1);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        uint32_t n = fterm_n(terms, y);
        struct buf name = {0}; // the store may move it
        buf_puts(&name, fterm_name(terms, y));
        const char *text = n == 0 && name.len == 1 ? strchr(names, *name.at) : NULL;
        vec_clear(&args);
        for (uint32_t j = 0; j < n; j++)
            vec_push(&args, now.at[fterm_args(terms, y)[j]]);
        now.at[y] =
            text != NULL ? values[text - names] : fterm_make(terms, buf_text(&name), n, args.at);
        if (also != NULL)
            now.at[y] = also(terms, now.at[y]);
        buf_release(&name);
    }
    fterm out = now.at[term];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

static fterm meaning(struct fterms *terms, fterm call)
{
    const struct function *function = function_named(fterm_name(terms, call), fterm_n(terms, call));
    struct err err = {0};
    fterm body, args[8];
    if (function == NULL)
        return call;
    memcpy(args, fterm_args(terms, call), fterm_n(terms, call) * sizeof *args);
    if (!fterm_read(terms, function->meaning, &body, &err)) {
        fprintf(stderr, "numeric: %s: %s\n", function->name, err.msg);
        exit(2);
    }
    return rebuild(terms, body, function->arguments, args, NULL);
}

// All calls written out.
fterm meanings(struct fterms *terms, fterm term)
{
    return rebuild(terms, term, "", NULL, meaning);
}
