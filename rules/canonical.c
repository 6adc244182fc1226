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
#include "base/hash.h"
#include "rules/parse.h"

#define LIMIT_WORK ((uint64_t)64 << 20) // bytes printed for one rule

struct canon {
    const struct rule *r;
    struct arena scratch;
    uint64_t work;
    uint32_t n; // objects
    uint32_t *tensor, *scalar, *opvar;
    bool *type_named;
    char *best; // smallest text yet, or NULL
};

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

static uint32_t *none_of(struct canon *c, uint32_t n)
{
    uint32_t *a = ARENA_NEW(&c->scratch, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        a[i] = NONE;
    return a;
}

// ---- statements ----

// The class declarations of a family are one statement: its members, sorted.
static void print_family(struct printer *w, uint32_t first)
{
    const struct rule *r = w->r;
    struct entries v = {0};
    for (uint32_t c = first; c < r->n_classes; c++)
        if (r->classes[c].like == first)
            entry_add(w, &v, c, NULL, NULL, 0);
    const char *form = r->classes[first].single ? "axis" : "axes";
    buf_printf(w->out, "%s rank >= %u ", form, r->classes[first].least_rank);
    entries_print(w, &v);
}

static void print_main(struct printer *w)
{
    print_pat(w, w->r->lhs);
    buf_puts(w->out, "\n  => ");
    print_pat(w, w->r->rhs);
}

static void print_let(struct printer *w, uint32_t map)
{
    buf_puts(w->out, "let ");
    print_map(w, map);
    buf_puts(w->out, " on ");
    print_class(w, w->r->maps[map].cls);
    buf_puts(w->out, " = ");
    print_iexp(w, w->r->maps[map].def);
}

static void print_map_decl(struct printer *w, uint32_t m)
{
    if (w->r->maps[m].def || w->r->maps[m].index)
        return;
    print_map(w, m);
    buf_puts(w->out, " on ");
    print_class(w, w->r->maps[m].cls);
}

static void print_index_decl(struct printer *w, uint32_t m)
{
    if (w->r->maps[m].def || !w->r->maps[m].index)
        return;
    buf_puts(w->out, "index ");
    print_map(w, m);
    buf_puts(w->out, " on ");
    print_class(w, w->r->maps[m].cls);
}

static void print_type_decl(struct printer *w, uint32_t type)
{
    if (!w->names->type_named[type])
        return;
    print_type(w, type);
    buf_puts(w->out, " : ");
    print_kinds(w->out, w->r->types[type].kinds);
}

static uint32_t n_statements(const struct rule *r)
{
    return r->n_classes + r->n_maps + r->n_types + r->n_tensors + r->n_scalars +
           r->n_opvars + r->n_wider + r->n_wheres + 1;
}

// Statement i for the colouring.
static void print_statement(struct printer *w, uint32_t i)
{
    const struct rule *r = w->r;
    if (i < r->n_classes) {
        if (r->classes[i].like == i)
            print_family(w, i);
        return;
    }
    if ((i -= r->n_classes) < r->n_maps) {
        if (r->maps[i].def)
            print_let(w, i);
        print_index_decl(w, i);
        print_map_decl(w, i);
        return;
    }
    if ((i -= r->n_maps) < r->n_types) {
        print_type_decl(w, i);
        return;
    }
    if ((i -= r->n_types) < r->n_tensors) {
        print_tensor_decl(w, i);
        return;
    }
    if ((i -= r->n_tensors) < r->n_scalars) {
        print_scalar_decl(w, i);
        return;
    }
    if ((i -= r->n_scalars) < r->n_opvars) {
        print_opvar_decl(w, i);
        return;
    }
    if ((i -= r->n_opvars) < r->n_wider) {
        print_wider(w, &r->wider[i]);
        return;
    }
    if ((i -= r->n_wider) < r->n_wheres) {
        print_where(w, &r->wheres[i]);
        return;
    }
    print_main(w);
}

static struct print_names names_of(const struct canon *c,
                                   const uint32_t *colour)
{
    return (struct print_names){
        .cls = colour,
        .map = colour + c->r->n_classes,
        .type = colour + c->r->n_classes + c->r->n_maps,
        .tensor = c->tensor,
        .scalar = c->scalar,
        .opvar = c->opvar,
        .type_named = c->type_named,
        .self = NONE,
    };
}

static int by_string(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct texts {
    VEC(char *) at;
};

static void texts_sort(struct texts *v)
{
    if (v->at.len)
        qsort(v->at.at, v->at.len, sizeof *v->at.at, by_string);
}

static void texts_release(struct texts *v)
{
    for (uint32_t i = 0; i < v->at.len; i++)
        mem_free(v->at.at[i]);
    vec_release(&v->at);
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

static uint32_t group_of(const struct rule *r, uint32_t object)
{
    return object < r->n_classes               ? 0
           : object < r->n_classes + r->n_maps ? 1
                                               : 2;
}

// The statements in which an object occurs, seen from it.
static char *signature(struct canon *c, const uint32_t *colour, uint32_t o)
{
    struct print_names names = names_of(c, colour);
    struct texts v = {0};
    struct buf b = {0};
    struct printer w = {c->r, &b, &names};
    names.self = o;
    for (uint32_t i = 0; i < n_statements(c->r) && c->work < LIMIT_WORK; i++) {
        names.hit = false;
        buf_clear(&b);
        print_statement(&w, i);
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
            at[o] = (struct coloured){o, group_of(c->r, o), colour[o],
                                      signature(c, colour, o)};
        n = rank_colours(c, at, colour);
        for (uint32_t o = 0; o < c->n; o++)
            mem_free(at[o].text);
    } while (n != before && n != c->n && c->work < LIMIT_WORK);
    mem_free(at);
    return n;
}

// ---- the text of a labelling ----

// Numbers of each letter in order of first appearance in the text.
static void renumber(struct canon *c, const char *text, const uint32_t *colour,
                     uint32_t *number)
{
    const struct rule *r = c->r;
    uint32_t next[3] = {0, 0, 0};
    uint32_t *object = none_of(c, c->n);
    for (uint32_t o = 0; o < c->n; o++) {
        object[colour[o]] = o;
        number[o] = NONE;
    }
    for (const char *at = text; *at;) {
        const char *start = at;
        while ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') ||
               *at == '_' || *at == 'T')
            at++;
        if (at == start) {
            at++;
            continue;
        }
        if (!strchr("cmT", *start) || start[1] < '0' || start[1] > '9')
            continue;
        uint32_t o = object[strtoul(start + 1, NULL, 10)];
        if (number[o] == NONE)
            number[o] = next[group_of(r, o)]++;
    }
    for (uint32_t o = 0; o < c->n; o++) // types that are printed as kinds
        if (number[o] == NONE)
            number[o] = next[group_of(r, o)]++;
}

static void sorted_statements(struct canon *c, struct printer *w,
                              const char *head, uint32_t from, uint32_t to,
                              bool lets)
{
    struct texts v = {0};
    struct buf *out = w->out;
    for (uint32_t i = from; i < to; i++) {
        struct buf b = {0};
        w->out = &b;
        print_statement(w, i);
        c->work += b.len;
        if (b.len && lets == (b.len > 4 && memcmp(b.at, "let ", 4) == 0))
            vec_push(&v.at, buf_detach(&b));
        else
            buf_release(&b);
    }
    w->out = out;
    texts_sort(&v);
    for (uint32_t i = 0; i < v.at.len; i++)
        buf_printf(out, "%s%s;\n", head, v.at.at[i]);
    texts_release(&v);
}

// Class declarations by number.
static void canonical_classes(struct printer *w)
{
    const struct rule *r = w->r;
    const uint32_t *number = w->names->cls;
    for (uint32_t k = 0; k < r->n_classes; k++) {
        uint32_t c = 0, first;
        while (number[c] != k)
            c++;
        first = c;
        for (uint32_t i = 0; i < r->n_classes; i++)
            if (r->classes[i].like == r->classes[c].like &&
                number[i] < number[first])
                first = i;
        buf_printf(w->out, "%s c%u", r->classes[c].single ? "axis" : "axes", k);
        if (first != c)
            buf_printf(w->out, " like c%u", number[first]);
        else if (!r->classes[c].single && r->classes[c].least_rank)
            buf_printf(w->out, " rank >= %u", r->classes[c].least_rank);
        buf_puts(w->out, ";\n");
    }
}

// Objects of one letter by number.
static void canonical_vars(struct canon *c, struct printer *w, const char *head,
                           uint32_t n, const uint32_t *number,
                           void (*print)(struct printer *w, uint32_t i))
{
    uint32_t *by = none_of(c, n);
    for (uint32_t i = 0; i < n; i++)
        by[number[i]] = i;
    for (uint32_t k = 0; k < n; k++) {
        size_t before = w->out->len, start;
        buf_puts(w->out, head);
        start = w->out->len;
        print(w, by[k]);
        if (w->out->len > start)
            buf_puts(w->out, ";\n");
        else
            w->out->len = before;
    }
}

// The text that numbers come from: objects still have their colours.
static void coloured_text(struct canon *c, struct printer *w)
{
    const struct rule *r = c->r;
    uint32_t last = n_statements(r);
    uint32_t wheres = last - 1 - r->n_wheres;
    canonical_vars(c, w, "", r->n_tensors, c->tensor, print_tensor_decl);
    canonical_vars(c, w, "", r->n_scalars, c->scalar, print_scalar_decl);
    canonical_vars(c, w, "", r->n_opvars, c->opvar, print_opvar_decl);
    print_main(w);
    buf_putc(w->out, '\n');
    sorted_statements(c, w, "", r->n_classes, r->n_classes + r->n_maps, true);
    sorted_statements(c, w, "", wheres - r->n_wider, last - 1, false);
}

static char *labelled_text(struct canon *c, const uint32_t *colour)
{
    const struct rule *r = c->r;
    struct print_names names = names_of(c, colour);
    struct buf b = {0};
    struct printer w = {r, &b, &names};
    uint32_t *number = none_of(c, c->n);
    coloured_text(c, &w);
    renumber(c, buf_text(&b), colour, number);
    c->work += b.len;
    buf_clear(&b);
    names = names_of(c, number);
    buf_puts(&b, "rule _ {\n");
    canonical_classes(&w);
    canonical_vars(c, &w, "map ", r->n_maps, names.map, print_map_decl);
    canonical_vars(c, &w, "", r->n_maps, names.map, print_index_decl);
    canonical_vars(c, &w, "type ", r->n_types, names.type, print_type_decl);
    canonical_vars(c, &w, "tensor ", r->n_tensors, c->tensor,
                   print_tensor_decl);
    canonical_vars(c, &w, "scalar ", r->n_scalars, c->scalar,
                   print_scalar_decl);
    canonical_vars(c, &w, "op ", r->n_opvars, c->opvar, print_opvar_decl);
    uint32_t last = n_statements(r), wheres = last - 1 - r->n_wheres;
    sorted_statements(c, &w, "", r->n_classes, r->n_classes + r->n_maps, true);
    sorted_statements(c, &w, "wider ", wheres - r->n_wider, wheres, false);
    sorted_statements(c, &w, "where ", wheres, last - 1, false);
    print_main(&w);
    buf_puts(&b, ";\n}\n");
    c->work += b.len;
    return buf_detach(&b);
}

// ---- search ----

static char *leaf(struct canon *c, const uint32_t *colour)
{
    char *text = labelled_text(c, colour);
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
    c.tensor = none_of(&c, r->n_tensors);
    c.scalar = none_of(&c, r->n_scalars);
    c.opvar = none_of(&c, r->n_opvars);
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
