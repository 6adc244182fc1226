// SPDX-License-Identifier: Apache-2.0
// The canonical text: equal for two rules exactly if they differ only in names,
// order of declarations, of entries in braces and of preconditions, or layout.
//
// Tensors, scalars and operator variables are numbered by first occurrence, in the left
// side, then in the right side.  Classes, maps and types stand in sets, so their
// numbers are a canonical labelling of a graph, found in three steps:
//   1. Objects get colours.
//   2. An object is recoloured by the sorted texts of its statements.  In such a text
//      colours stand for names, and @ stands for the object.  This step is repeated
//      until no colour splits.
//   3. If several objects have one colour, then each object of the first such colour (a
//      cell) is set apart in turn, and the search goes on with step 2.
// The smallest text found is the canonical text.  If the first text of a member equals
// the first text of the cell's first member, then a symmetry of the rule takes one
// member to the other, and the search skips the member.  The work is bounded.  A rule
// that is too symmetric for the bound is refused.
#include "rules/language/print/canonical.h"
#include "base/hash.h"

// ---- first occurrences ----

static void number_vars(struct canon *canon, uint32_t pat, uint32_t next[3])
{
    const struct pat *pattern = &canon->rule->pats[pat];
    if (pattern->kind == PAT_TENSOR && canon->tensor[pattern->var] == NONE)
        canon->tensor[pattern->var] = next[0]++;
    if (pattern->kind == PAT_SCALAR && canon->scalar[pattern->var] == NONE)
        canon->scalar[pattern->var] = next[1]++;
    if (pattern->kind == PAT_OPVAR && canon->opvar[pattern->var] == NONE)
        canon->opvar[pattern->var] = next[2]++;
    if (pattern->opvar != NONE && canon->opvar[pattern->opvar] == NONE)
        canon->opvar[pattern->opvar] = next[2]++;
    for (uint32_t i = 0; i < pattern->n_args; i++)
        number_vars(canon, pattern->args[i], next);
}

// ---- colours ----

struct coloured {
    uint32_t object, group, colour;
    char *text;
};

static int by_colour(const void *a, const void *b)
{
    const struct coloured *coloured = a, *y = b;
    if (coloured->group != y->group)
        return coloured->group < y->group ? -1 : 1;
    if (coloured->colour != y->colour)
        return coloured->colour < y->colour ? -1 : 1;
    return strcmp(coloured->text, y->text);
}

// The texts of the statements in which an object occurs, with @ for the object.
static char *signature(struct canon *canon, const uint32_t *colour, uint32_t o)
{
    struct print_names names = canon_names(canon, colour);
    struct texts texts = {0};
    struct buf buf = {0};
    struct printer printer = {canon->rule, &buf, &names};
    names.self = o;
    for (uint32_t i = 0;
         i < canon_statements(canon->rule) && canon->work < (uint64_t)RULES_CANONICAL_WORK << 20;
         i++) {
        names.hit = false;
        buf_clear(&buf);
        canon_print_statement(&printer, i);
        canon->work += buf.len + 16;
        if (names.hit)
            vec_push(&texts.at, buf_detach(&buf));
    }
    texts_sort(&texts);
    buf_clear(&buf);
    for (uint32_t i = 0; i < texts.at.len; i++) {
        buf_puts(&buf, texts.at.at[i]);
        buf_putc(&buf, '\n');
    }
    texts_release(&texts);
    buf_putc(&buf, '\n');
    return buf_detach(&buf);
}

// Colours become ranks; returns how many there are.
static uint32_t rank_colours(struct canon *canon, struct coloured *at, uint32_t *colour)
{
    uint32_t n = 0;
    if (canon->n)
        qsort(at, canon->n, sizeof *at, by_colour);
    for (uint32_t i = 0; i < canon->n; i++) {
        if (i && by_colour(&at[i - 1], &at[i]) != 0)
            n++;
        colour[at[i].object] = n;
    }
    return canon->n ? n + 1 : 0;
}

// Splits colours until nothing changes.
static uint32_t refine(struct canon *canon, uint32_t *colour)
{
    struct coloured *at = mem_alloc(sizeof *at * (canon->n + 1));
    uint32_t n = 0, before;
    do {
        before = n;
        for (uint32_t o = 0; o < canon->n; o++)
            at[o] = (struct coloured){o, canon_group(canon->rule, o), colour[o],
                                      signature(canon, colour, o)};
        n = rank_colours(canon, at, colour);
        for (uint32_t o = 0; o < canon->n; o++)
            mem_free(at[o].text);
    } while (n != before && n != canon->n && canon->work < (uint64_t)RULES_CANONICAL_WORK << 20);
    mem_free(at);
    return n;
}

// ---- search ----

static char *leaf(struct canon *canon, const uint32_t *colour)
{
    char *text = canon_text(canon, colour);
    if (!canon->best || strcmp(text, canon->best) < 0) {
        mem_free(canon->best);
        canon->best = mem_alloc(strlen(text) + 1);
        memcpy(canon->best, text, strlen(text) + 1);
    }
    return text;
}

// The smallest colour that several objects have.
static uint32_t shared_colour(const struct canon *canon, const uint32_t *colour)
{
    uint32_t best = NONE;
    bool *seen = mem_alloc(canon->n + 1);
    for (uint32_t o = 0; o < canon->n; o++) {
        if (seen[colour[o]] && colour[o] < best)
            best = colour[o];
        seen[colour[o]] = true;
    }
    mem_free(seen);
    return best;
}

static uint32_t *set_apart(struct canon *canon, const uint32_t *colour, uint32_t object)
{
    uint32_t *copy = mem_alloc(sizeof *copy * (canon->n + 1));
    for (uint32_t o = 0; o < canon->n; o++)
        copy[o] = 2 * colour[o] + 1;
    copy[object]--;
    return copy;
}

// Explores the tree below a refined colouring (if `first_only`, then only the first
// path).  Returns the text of the first leaf, or NULL when the work limit is reached.
static char *search(struct canon *canon, uint32_t *colour, bool first_only)
{
    uint32_t n = refine(canon, colour);
    if (canon->work >= (uint64_t)RULES_CANONICAL_WORK << 20)
        return NULL;
    if (n == canon->n)
        return leaf(canon, colour);
    uint32_t cell = shared_colour(canon, colour);
    char *first = NULL;
    for (uint32_t o = 0; o < canon->n && canon->work < (uint64_t)RULES_CANONICAL_WORK << 20; o++) {
        if (colour[o] != cell)
            continue;
        uint32_t *below = set_apart(canon, colour, o);
        if (!first) {
            first = search(canon, below, first_only);
            mem_free(below);
            if (!first || first_only)
                break;
            continue;
        }
        char *text = search(canon, below, true);
        mem_free(below);
        if (text && strcmp(text, first) != 0) {
            below = set_apart(canon, colour, o);
            mem_free(search(canon, below, false));
            mem_free(below);
        }
        mem_free(text);
    }
    return first;
}

static void first_colours(const struct canon *canon, uint32_t *colour)
{
    const struct rule *rule = canon->rule;
    uint32_t types = rule->n_classes + rule->n_maps;
    for (uint32_t t = 0; t < rule->n_types; t++)
        if (!canon->type_named[t]) // the type has no name: any order will do
            colour[types + t] = t + 1;
}

bool canonical_make(struct rule *rule, struct arena *mem, struct err *err)
{
    struct canon canon = {.rule = rule, .n = rule->n_classes + rule->n_maps + rule->n_types};
    uint32_t next[3] = {0, 0, 0};
    canon.tensor = canon_room(&canon, rule->n_tensors);
    canon.scalar = canon_room(&canon, rule->n_scalars);
    canon.opvar = canon_room(&canon, rule->n_opvars);
    canon.type_named = ARENA_NEW(&canon.scratch, bool, rule->n_types + 1);
    types_named(rule, canon.type_named);
    number_vars(&canon, rule->lhs, next);
    number_vars(&canon, rule->rhs, next);
    uint32_t *colour = ARENA_NEW(&canon.scratch, uint32_t, canon.n + 1);
    first_colours(&canon, colour);
    mem_free(search(&canon, colour, false));
    bool ok = canon.work < (uint64_t)RULES_CANONICAL_WORK << 20 && strlen(canon.best) <= RULES_TEXT;
    if (ok) {
        rule->canonical = arena_strdup(mem, canon.best);
        sha256_hex(canon.best, strlen(canon.best), rule->hash);
    } else {
        err_set(err, ERR_LIMIT, "the rule is too large or too symmetric for a canonical form");
    }
    mem_free(canon.best);
    arena_release(&canon.scratch);
    return ok;
}
