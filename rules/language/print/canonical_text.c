// SPDX-License-Identifier: Apache-2.0
// The text of a rule whose objects have numbers or colours.
#include "rules/language/print/canonical.h"

uint32_t *canon_room(struct canon *c, uint32_t n)
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

uint32_t canon_statements(const struct rule *r)
{
    return r->n_classes + r->n_maps + r->n_types + r->n_tensors + r->n_scalars +
           r->n_opvars + r->n_wider + r->n_wheres + 1;
}

// Statement i for the colouring.
void canon_print_statement(struct printer *w, uint32_t i)
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

struct print_names canon_names(const struct canon *c, const uint32_t *colour)
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

void texts_sort(struct texts *v)
{
    if (v->at.len)
        qsort(v->at.at, v->at.len, sizeof *v->at.at, by_string);
}

void texts_release(struct texts *v)
{
    for (uint32_t i = 0; i < v->at.len; i++)
        mem_free(v->at.at[i]);
    vec_release(&v->at);
}

uint32_t canon_group(const struct rule *r, uint32_t object)
{
    return object < r->n_classes               ? 0
           : object < r->n_classes + r->n_maps ? 1
                                               : 2;
}

// ---- the text of a labelling ----

// Numbers of each letter in order of first appearance in the text.
static void renumber(struct canon *c, const char *text, const uint32_t *colour,
                     uint32_t *number)
{
    const struct rule *r = c->r;
    uint32_t next[3] = {0, 0, 0};
    uint32_t *object = canon_room(c, c->n);
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
            number[o] = next[canon_group(r, o)]++;
    }
    for (uint32_t o = 0; o < c->n; o++) // types that are printed as kinds
        if (number[o] == NONE)
            number[o] = next[canon_group(r, o)]++;
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
        canon_print_statement(w, i);
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
    uint32_t *by = canon_room(c, n);
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
    uint32_t last = canon_statements(r);
    uint32_t wheres = last - 1 - r->n_wheres;
    canonical_vars(c, w, "", r->n_tensors, c->tensor, print_tensor_decl);
    canonical_vars(c, w, "", r->n_scalars, c->scalar, print_scalar_decl);
    canonical_vars(c, w, "", r->n_opvars, c->opvar, print_opvar_decl);
    print_main(w);
    buf_putc(w->out, '\n');
    sorted_statements(c, w, "", r->n_classes, r->n_classes + r->n_maps, true);
    sorted_statements(c, w, "", wheres - r->n_wider, last - 1, false);
}

char *canon_text(struct canon *c, const uint32_t *colour)
{
    const struct rule *r = c->r;
    struct print_names names = canon_names(c, colour);
    struct buf b = {0};
    struct printer w = {r, &b, &names};
    uint32_t *number = canon_room(c, c->n);
    coloured_text(c, &w);
    renumber(c, buf_text(&b), colour, number);
    c->work += b.len;
    buf_clear(&b);
    names = canon_names(c, number);
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
    uint32_t last = canon_statements(r), wheres = last - 1 - r->n_wheres;
    sorted_statements(c, &w, "", r->n_classes, r->n_classes + r->n_maps, true);
    sorted_statements(c, &w, "wider ", wheres - r->n_wider, wheres, false);
    sorted_statements(c, &w, "where ", wheres, last - 1, false);
    print_main(&w);
    buf_puts(&b, ";\n}\n");
    c->work += b.len;
    return buf_detach(&b);
}
