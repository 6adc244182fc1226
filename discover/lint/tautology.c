// SPDX-License-Identifier: Apache-2.0
// Rules that say no more than their own preconditions: `where all(A >= 0)` with
// `A >= 0 => true` or `A < 0 => false`.  What comparisons mean is all that is known of the
// operators, and that they give equal values for equal operands; so terms are compared by text.
#include "discover/lint/congruence.h"
#include "discover/lint/core.h"

// How two elements may stand to each other.
enum { LESS = 1, SAME = 2, GREATER = 4, UNORDERED = 8, ANY = 15 };

// What the preconditions say of two terms, or that a term is true.
struct known_relation {
    const char *left, *right; // right NULL: `left` is true
    unsigned may;
    // The patterns of both, if the relation holds for them as tensors: what is said for each
    // element of another tensor says nothing if that is empty.
    bool whole;
    uint32_t pats[2];
};

struct tautology {
    const struct rule *rule;
    struct arena mem;
    VEC(struct known_relation) known;
};

enum truth { FALSE, TRUE, OPEN };

static const char *text_of(struct tautology *tautology, uint32_t pat)
{
    struct buf text = {0};
    while (tautology->rule->pats[pat].kind == PAT_SPLAT)
        pat = tautology->rule->pats[pat].args[0];
    pat_print(tautology->rule, pat, &text);
    const char *kept = arena_strdup(&tautology->mem, buf_text(&text));
    buf_release(&text);
    return kept;
}

static unsigned holds_in(enum compare_dir dir)
{
    static const unsigned mask[] = {
        [CMP_EQ] = SAME,    [CMP_NE] = ANY & ~SAME, [CMP_GE] = GREATER | SAME,
        [CMP_GT] = GREATER, [CMP_LE] = LESS | SAME, [CMP_LT] = LESS};
    return mask[dir];
}

static unsigned turned(unsigned may)
{
    return (may & (SAME | UNORDERED)) | (may & LESS ? GREATER : 0u) | (may & GREATER ? LESS : 0u);
}

// How the terms may stand to each other by all that is known.
static unsigned relation(const struct tautology *tautology, const char *left, const char *right)
{
    unsigned may = ANY;
    for (uint32_t i = 0; i < tautology->known.len; i++) {
        const struct known_relation *known = &tautology->known.at[i];
        if (known->right == NULL)
            continue;
        if (strcmp(known->left, left) == 0 && strcmp(known->right, right) == 0)
            may &= known->may;
        else if (strcmp(known->left, right) == 0 && strcmp(known->right, left) == 0)
            may &= turned(known->may);
    }
    return may;
}

// Learns that the term is true, or not; `whole`: as a tensor of its own.
static void learn(struct tautology *tautology, uint32_t pat, bool is, bool whole)
{
    const struct pat *pattern = &tautology->rule->pats[pat];
    if (pattern->kind == PAT_SPLAT) {
        learn(tautology, pattern->args[0], is, false);
    } else if (pattern->kind == PAT_OP && pattern->op == OP_NOT) {
        learn(tautology, pattern->args[0], !is, whole);
    } else if (pattern->kind == PAT_OP && pattern->op == (is ? OP_AND : OP_OR)) {
        for (uint32_t i = 0; i < pattern->n_args; i++)
            learn(tautology, pattern->args[i], is, whole);
    } else if (pattern->kind == PAT_OP && pattern->op == OP_COMPARE) {
        unsigned may = holds_in(pattern->dir);
        struct known_relation known = {.left = text_of(tautology, pattern->args[0]),
                                       .right = text_of(tautology, pattern->args[1]),
                                       .may = is ? may : ANY & ~may,
                                       .whole = whole,
                                       .pats = {pattern->args[0], pattern->args[1]}};
        vec_push(&tautology->known, known);
    } else if (is) {
        struct known_relation known = {.left = text_of(tautology, pat)};
        vec_push(&tautology->known, known);
    }
}

static enum truth truth_of(struct tautology *tautology, uint32_t pat)
{
    const struct pat *pattern = &tautology->rule->pats[pat];
    if (pattern->kind == PAT_SPLAT)
        return truth_of(tautology, pattern->args[0]);
    if (pattern->kind == PAT_LITERAL && pattern->lit == LIT_BOOL)
        return pattern->k != 0 ? TRUE : FALSE;
    if (pattern->kind == PAT_OP && pattern->op == OP_NOT) {
        enum truth truth = truth_of(tautology, pattern->args[0]);
        return truth == OPEN ? OPEN : truth == TRUE ? FALSE : TRUE;
    }
    if (pattern->kind == PAT_OP && (pattern->op == OP_AND || pattern->op == OP_OR)) {
        enum truth ends = pattern->op == OP_AND ? FALSE : TRUE;
        enum truth left = truth_of(tautology, pattern->args[0]);
        enum truth right = truth_of(tautology, pattern->args[1]);
        return left == ends || right == ends ? ends : left == OPEN || right == OPEN ? OPEN : left;
    }
    if (pattern->kind == PAT_OP && pattern->op == OP_COMPARE) {
        unsigned may = relation(tautology, text_of(tautology, pattern->args[0]),
                                text_of(tautology, pattern->args[1]));
        unsigned holds = holds_in(pattern->dir);
        return (may & ~holds) == 0 ? TRUE : (may & holds) == 0 ? FALSE : OPEN;
    }
    const char *text = text_of(tautology, pat);
    for (uint32_t i = 0; i < tautology->known.len; i++)
        if (tautology->known.at[i].right == NULL && strcmp(tautology->known.at[i].left, text) == 0)
            return TRUE;
    return OPEN;
}

// Are both sides the same operators on terms that the preconditions say to be equal?
static bool is_congruent(struct tautology *tautology)
{
    const struct rule *rule = tautology->rule;
    struct congruence equal;
    bool any = false;
    congruence_init(&equal, rule);
    for (uint32_t i = 0; i < tautology->known.len; i++) {
        const struct known_relation *known = &tautology->known.at[i];
        if (!known->whole || known->right == NULL ||
            relation(tautology, known->left, known->right) != SAME)
            continue;
        congruence_unite(&equal, known->pats[0], known->pats[1]);
        any = true;
    }
    if (any)
        congruence_close(&equal);
    any = any && congruence_same(&equal, rule->lhs, rule->rhs);
    congruence_release(&equal);
    return any;
}

// Equal floats may be zeros of two signs, which other operators tell apart: what a rule claims of
// floats, beside other domains or alone, does not follow from equality.
static bool says_nothing(struct tautology *tautology)
{
    const struct rule *rule = tautology->rule;
    enum truth left = truth_of(tautology, rule->lhs);
    if (left != OPEN && left == truth_of(tautology, rule->rhs))
        return true;
    if (rule->claims >> DOMAIN_FLOAT & 1)
        return false;
    return relation(tautology, text_of(tautology, rule->lhs), text_of(tautology, rule->rhs)) ==
               SAME ||
           is_congruent(tautology);
}

void lint_tautology(struct lint_run *run, const struct rule *rule)
{
    struct tautology tautology = {.rule = rule};
    struct buf witness = {0};
    for (uint32_t i = 0; i < rule->n_wheres; i++)
        if (rule->wheres[i].cond == NULL) {
            learn(&tautology, rule->wheres[i].pat, true, true);
            buf_puts(&witness, witness.len ? ", all(" : "where all(");
            pat_print(rule, rule->wheres[i].pat, &witness);
            buf_puts(&witness, ")");
        }
    if (tautology.known.len > 0 && says_nothing(&tautology))
        lint_add(run->lint, LINT_TAUTOLOGY, "by what comparisons mean", 1, &rule,
                 buf_text(&witness));
    buf_release(&witness);
    vec_release(&tautology.known);
    arena_release(&tautology.mem);
}
