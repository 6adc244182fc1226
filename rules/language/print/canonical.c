// SPDX-License-Identifier: Apache-2.0
// The canonical text: equal for two rules exactly if they differ only in names,
// order of declarations, of entries in braces and of preconditions, or layout.
//
// Tensors, scalars and operator variables are numbered by first occurrence in
// the left, then the right side.  Classes, maps and types stand in sets, so
// that their numbers are a canonical labelling of a graph.  It is found the
// usual way: objects get colours; an object is recoloured by the sorted texts
// of the statements it occurs in, printed with colours for names and itself as
// @; when nothing splits any more, each member of the first colour with several
// objects is set apart in turn, and the smallest text wins.  A member whose
// first text equals that of the cell's first member is its image under a
// symmetry of the rule and need not be explored.  Work is bounded; a rule that
// is too symmetric for the bound is refused.
#include "rules/language/print/canonical.h"
#include "base/hash.h"

// ---- first occurrences ----

static void number_vars(struct canon *c, uint32_t pat, uint32_t next[3])
{
    const struct pat *n = &c->r->pats[pat];
    if (n->kind == PAT_TENSOR && c->tensor[n->var] == NONE)
        c->tensor[n->var] = next[0]++;
    if (n->kind == PAT_SCALAR && c->scalar[n->var] == NONE)
        c->scalar[n->var] = next[1]++;
    if (n->kind == PAT_OPVAR && c->opvar[n->var] == NONE)
        c->opvar[n->var] = next[2]++;
    if (n->opvar != NONE && c->opvar[n->opvar] == NONE)
        c->opvar[n->opvar] = next[2]++;
    for (uint32_t i = 0; i < n->n_args; i++)
        number_vars(c, n->args[i], next);
}

// ---- colours ----

struct coloured {
    uint32_t object, group, colour;
    char *text;
};

static int by_colour(const void *a, const void *b)
{
    const struct coloured *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->colour != y->colour)
        return x->colour < y->colour ? -1 : 1;
    return strcmp(x->text, y->text);
}

// The statements in which an object occurs, seen from it.
static char *signature(struct canon *c, const uint32_t *colour, uint32_t o)
{
    struct print_names names = canon_names(c, colour);
    struct texts v = {0};
    struct buf b = {0};
    struct printer w = {c->r, &b, &names};
    names.self = o;
    for (uint32_t i = 0; i < canon_statements(c->r) && c->work < LIMIT_WORK;
         i++) {
        names.hit = false;
        buf_clear(&b);
        canon_print_statement(&w, i);
        c->work += b.len + 16;
        if (names.hit)
            vec_push(&v.at, buf_detach(&b));
    }
    texts_sort(&v);
    buf_clear(&b);
    for (uint32_t i = 0; i < v.at.len; i++) {
        buf_puts(&b, v.at.at[i]);
        buf_putc(&b, '\n');
    }
    texts_release(&v);
    buf_putc(&b, '\n');
    return buf_detach(&b);
}

// Colours become ranks; returns how many there are.
static uint32_t rank_colours(struct canon *c, struct coloured *at,
                             uint32_t *colour)
{
    uint32_t n = 0;
    if (c->n)
        qsort(at, c->n, sizeof *at, by_colour);
    for (uint32_t i = 0; i < c->n; i++) {
        if (i && by_colour(&at[i - 1], &at[i]) != 0)
            n++;
        colour[at[i].object] = n;
    }
    return c->n ? n + 1 : 0;
}

// Splits colours until nothing changes.
static uint32_t refine(struct canon *c, uint32_t *colour)
{
    struct coloured *at = mem_alloc(sizeof *at * (c->n + 1));
    uint32_t n = 0, before;
    do {
        before = n;
        for (uint32_t o = 0; o < c->n; o++)
            at[o] = (struct coloured){o, canon_group(c->r, o), colour[o],
                                      signature(c, colour, o)};
        n = rank_colours(c, at, colour);
        for (uint32_t o = 0; o < c->n; o++)
            mem_free(at[o].text);
    } while (n != before && n != c->n && c->work < LIMIT_WORK);
    mem_free(at);
    return n;
}

// ---- search ----

static char *leaf(struct canon *c, const uint32_t *colour)
{
    char *text = canon_text(c, colour);
    if (!c->best || strcmp(text, c->best) < 0) {
        mem_free(c->best);
        c->best = mem_alloc(strlen(text) + 1);
        memcpy(c->best, text, strlen(text) + 1);
    }
    return text;
}

// The smallest colour that several objects have.
static uint32_t shared_colour(const struct canon *c, const uint32_t *colour)
{
    uint32_t best = NONE;
    bool *seen = mem_alloc(c->n + 1);
    for (uint32_t o = 0; o < c->n; o++) {
        if (seen[colour[o]] && colour[o] < best)
            best = colour[o];
        seen[colour[o]] = true;
    }
    mem_free(seen);
    return best;
}

static uint32_t *set_apart(struct canon *c, const uint32_t *colour,
                           uint32_t object)
{
    uint32_t *copy = mem_alloc(sizeof *copy * (c->n + 1));
    for (uint32_t o = 0; o < c->n; o++)
        copy[o] = 2 * colour[o] + 1;
    copy[object]--;
    return copy;
}

// Explores below a refined colouring (only its first path if `first_only`);
// returns the text of the first leaf, NULL when the work limit is reached.
static char *search(struct canon *c, uint32_t *colour, bool first_only)
{
    uint32_t n = refine(c, colour);
    if (c->work >= LIMIT_WORK)
        return NULL;
    if (n == c->n)
        return leaf(c, colour);
    uint32_t cell = shared_colour(c, colour);
    char *first = NULL;
    for (uint32_t o = 0; o < c->n && c->work < LIMIT_WORK; o++) {
        if (colour[o] != cell)
            continue;
        uint32_t *below = set_apart(c, colour, o);
        if (!first) {
            first = search(c, below, first_only);
            mem_free(below);
            if (!first || first_only)
                break;
            continue;
        }
        char *text = search(c, below, true);
        mem_free(below);
        if (text && strcmp(text, first) != 0) {
            below = set_apart(c, colour, o);
            mem_free(search(c, below, false));
            mem_free(below);
        }
        mem_free(text);
    }
    return first;
}

static void first_colours(const struct canon *c, uint32_t *colour)
{
    const struct rule *r = c->r;
    uint32_t types = r->n_classes + r->n_maps;
    for (uint32_t t = 0; t < r->n_types; t++)
        if (!c->type_named[t]) // no name to give: any order will do
            colour[types + t] = t + 1;
}

bool canonical_make(struct rule *r, struct arena *mem, struct err *e)
{
    struct canon c = {.r = r, .n = r->n_classes + r->n_maps + r->n_types};
    uint32_t next[3] = {0, 0, 0};
    c.tensor = canon_room(&c, r->n_tensors);
    c.scalar = canon_room(&c, r->n_scalars);
    c.opvar = canon_room(&c, r->n_opvars);
    c.type_named = ARENA_NEW(&c.scratch, bool, r->n_types + 1);
    types_named(r, c.type_named);
    number_vars(&c, r->lhs, next);
    number_vars(&c, r->rhs, next);
    uint32_t *colour = ARENA_NEW(&c.scratch, uint32_t, c.n + 1);
    first_colours(&c, colour);
    mem_free(search(&c, colour, false));
    bool ok = c.work < LIMIT_WORK && strlen(c.best) <= LIMIT_TEXT;
    if (ok) {
        r->canonical = arena_strdup(mem, c.best);
        sha256_hex(c.best, strlen(c.best), r->hash);
    } else {
        err_set(e, ERR_LIMIT,
                "the rule is too large or too symmetric for a canonical form");
    }
    mem_free(c.best);
    arena_release(&c.scratch);
    return ok;
}
