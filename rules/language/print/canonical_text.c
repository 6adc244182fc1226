// SPDX-License-Identifier: Apache-2.0
// The text of a rule whose objects have numbers or colours.
#include "rules/language/print/canonical.h"

uint32_t *canon_room(struct canon *canon, uint32_t n)
{
    uint32_t *a = ARENA_NEW(&canon->scratch, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        a[i] = NONE;
    return a;
}

// ---- statements ----

// The class declarations of a family are one statement: its members, sorted.
static void print_family(struct printer *printer, uint32_t first)
{
    const struct rule *rule = printer->rule;
    struct entries entries = {0};
    for (uint32_t c = first; c < rule->n_classes; c++)
        if (rule->classes[c].like == first)
            entry_add(printer, &entries, c, NULL, NULL, 0);
    const char *form = rule->classes[first].single ? "axis" : "axes";
    buf_printf(printer->out, "%s rank >= %u ", form, rule->classes[first].least_rank);
    entries_print(printer, &entries);
}

static void print_main(struct printer *printer)
{
    print_pat(printer, printer->rule->lhs);
    buf_puts(printer->out, "\n  => ");
    print_pat(printer, printer->rule->rhs);
}

static void print_let(struct printer *printer, uint32_t map)
{
    buf_puts(printer->out, "let ");
    print_map(printer, map);
    buf_puts(printer->out, " on ");
    print_class(printer, printer->rule->maps[map].cls);
    buf_puts(printer->out, " = ");
    print_iexp(printer, printer->rule->maps[map].def);
}

static void print_map_decl(struct printer *printer, uint32_t m)
{
    if (printer->rule->maps[m].def || printer->rule->maps[m].index)
        return;
    print_map(printer, m);
    buf_puts(printer->out, " on ");
    print_class(printer, printer->rule->maps[m].cls);
}

static void print_index_decl(struct printer *printer, uint32_t m)
{
    if (printer->rule->maps[m].def || !printer->rule->maps[m].index)
        return;
    buf_puts(printer->out, "index ");
    print_map(printer, m);
    buf_puts(printer->out, " on ");
    print_class(printer, printer->rule->maps[m].cls);
}

static void print_type_decl(struct printer *printer, uint32_t type)
{
    if (!printer->names->type_named[type])
        return;
    print_type(printer, type);
    buf_puts(printer->out, " : ");
    print_kinds(printer->out, printer->rule->types[type].kinds);
}

uint32_t canon_statements(const struct rule *rule)
{
    return rule->n_classes + rule->n_maps + rule->n_types + rule->n_tensors + rule->n_scalars +
           rule->n_opvars + rule->n_wider + rule->n_wheres + 1;
}

// Statement i for the colouring.
void canon_print_statement(struct printer *printer, uint32_t i)
{
    const struct rule *rule = printer->rule;
    if (i < rule->n_classes) {
        if (rule->classes[i].like == i)
            print_family(printer, i);
        return;
    }
    if ((i -= rule->n_classes) < rule->n_maps) {
        if (rule->maps[i].def)
            print_let(printer, i);
        print_index_decl(printer, i);
        print_map_decl(printer, i);
        return;
    }
    if ((i -= rule->n_maps) < rule->n_types) {
        print_type_decl(printer, i);
        return;
    }
    if ((i -= rule->n_types) < rule->n_tensors) {
        print_tensor_decl(printer, i);
        return;
    }
    if ((i -= rule->n_tensors) < rule->n_scalars) {
        print_scalar_decl(printer, i);
        return;
    }
    if ((i -= rule->n_scalars) < rule->n_opvars) {
        print_opvar_decl(printer, i);
        return;
    }
    if ((i -= rule->n_opvars) < rule->n_wider) {
        print_wider(printer, &rule->wider[i]);
        return;
    }
    if ((i -= rule->n_wider) < rule->n_wheres) {
        print_where(printer, &rule->wheres[i]);
        return;
    }
    print_main(printer);
}

struct print_names canon_names(const struct canon *canon, const uint32_t *colour)
{
    return (struct print_names){
        .cls = colour,
        .map = colour + canon->rule->n_classes,
        .type = colour + canon->rule->n_classes + canon->rule->n_maps,
        .tensor = canon->tensor,
        .scalar = canon->scalar,
        .opvar = canon->opvar,
        .type_named = canon->type_named,
        .self = NONE,
    };
}

static int by_string(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void texts_sort(struct texts *texts)
{
    if (texts->at.len)
        qsort(texts->at.at, texts->at.len, sizeof *texts->at.at, by_string);
}

void texts_release(struct texts *texts)
{
    for (uint32_t i = 0; i < texts->at.len; i++)
        mem_free(texts->at.at[i]);
    vec_release(&texts->at);
}

uint32_t canon_group(const struct rule *rule, uint32_t object)
{
    return object < rule->n_classes ? 0 : object < rule->n_classes + rule->n_maps ? 1 : 2;
}

// ---- the text of a labelling ----

// Numbers of each letter in order of first appearance in the text.
static void renumber(struct canon *canon, const char *text, const uint32_t *colour,
                     uint32_t *number)
{
    const struct rule *rule = canon->rule;
    uint32_t next[3] = {0, 0, 0};
    uint32_t *object = canon_room(canon, canon->n);
    for (uint32_t o = 0; o < canon->n; o++) {
        object[colour[o]] = o;
        number[o] = NONE;
    }
    for (const char *at = text; *at;) {
        const char *start = at;
        while ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '_' || *at == 'T')
            at++;
        if (at == start) {
            at++;
            continue;
        }
        if (!strchr("cmT", *start) || start[1] < '0' || start[1] > '9')
            continue;
        uint32_t o = object[strtoul(start + 1, NULL, 10)];
        if (number[o] == NONE)
            number[o] = next[canon_group(rule, o)]++;
    }
    for (uint32_t o = 0; o < canon->n; o++) // types that are printed as kinds
        if (number[o] == NONE)
            number[o] = next[canon_group(rule, o)]++;
}

static void sorted_statements(struct canon *canon, struct printer *printer, const char *head,
                              uint32_t from, uint32_t to, bool lets)
{
    struct texts texts = {0};
    struct buf *out = printer->out;
    for (uint32_t i = from; i < to; i++) {
        struct buf buf = {0};
        printer->out = &buf;
        canon_print_statement(printer, i);
        canon->work += buf.len;
        if (buf.len && lets == (buf.len > 4 && memcmp(buf.at, "let ", 4) == 0))
            vec_push(&texts.at, buf_detach(&buf));
        else
            buf_release(&buf);
    }
    printer->out = out;
    texts_sort(&texts);
    for (uint32_t i = 0; i < texts.at.len; i++)
        buf_printf(out, "%s%s;\n", head, texts.at.at[i]);
    texts_release(&texts);
}

// Class declarations by number.
static void canonical_classes(struct printer *printer)
{
    const struct rule *rule = printer->rule;
    const uint32_t *number = printer->names->cls;
    for (uint32_t k = 0; k < rule->n_classes; k++) {
        uint32_t c = 0, first;
        while (number[c] != k)
            c++;
        first = c;
        for (uint32_t i = 0; i < rule->n_classes; i++)
            if (rule->classes[i].like == rule->classes[c].like && number[i] < number[first])
                first = i;
        buf_printf(printer->out, "%s c%u", rule->classes[c].single ? "axis" : "axes", k);
        if (first != c)
            buf_printf(printer->out, " like c%u", number[first]);
        else if (!rule->classes[c].single && rule->classes[c].least_rank)
            buf_printf(printer->out, " rank >= %u", rule->classes[c].least_rank);
        buf_puts(printer->out, ";\n");
    }
}

// Objects of one letter by number.
static void canonical_vars(struct canon *canon, struct printer *printer, const char *head,
                           uint32_t n, const uint32_t *number,
                           void (*print)(struct printer *printer, uint32_t i))
{
    uint32_t *by = canon_room(canon, n);
    for (uint32_t i = 0; i < n; i++)
        by[number[i]] = i;
    for (uint32_t k = 0; k < n; k++) {
        size_t before = printer->out->len, start;
        buf_puts(printer->out, head);
        start = printer->out->len;
        print(printer, by[k]);
        if (printer->out->len > start)
            buf_puts(printer->out, ";\n");
        else
            printer->out->len = before;
    }
}

// The text in which first appearances give the numbers.  Objects still have colours.
static void coloured_text(struct canon *canon, struct printer *printer)
{
    const struct rule *rule = canon->rule;
    uint32_t last = canon_statements(rule);
    uint32_t wheres = last - 1 - rule->n_wheres;
    canonical_vars(canon, printer, "", rule->n_tensors, canon->tensor, print_tensor_decl);
    canonical_vars(canon, printer, "", rule->n_scalars, canon->scalar, print_scalar_decl);
    canonical_vars(canon, printer, "", rule->n_opvars, canon->opvar, print_opvar_decl);
    print_main(printer);
    buf_putc(printer->out, '\n');
    sorted_statements(canon, printer, "", rule->n_classes, rule->n_classes + rule->n_maps, true);
    sorted_statements(canon, printer, "", wheres - rule->n_wider, last - 1, false);
}

char *canon_text(struct canon *canon, const uint32_t *colour)
{
    const struct rule *rule = canon->rule;
    struct print_names names = canon_names(canon, colour);
    struct buf buf = {0};
    struct printer printer = {rule, &buf, &names};
    uint32_t *number = canon_room(canon, canon->n);
    coloured_text(canon, &printer);
    renumber(canon, buf_text(&buf), colour, number);
    canon->work += buf.len;
    buf_clear(&buf);
    names = canon_names(canon, number);
    buf_puts(&buf, "rule _ {\n");
    canonical_classes(&printer);
    canonical_vars(canon, &printer, "map ", rule->n_maps, names.map, print_map_decl);
    canonical_vars(canon, &printer, "", rule->n_maps, names.map, print_index_decl);
    canonical_vars(canon, &printer, "type ", rule->n_types, names.type, print_type_decl);
    canonical_vars(canon, &printer, "tensor ", rule->n_tensors, canon->tensor, print_tensor_decl);
    canonical_vars(canon, &printer, "scalar ", rule->n_scalars, canon->scalar, print_scalar_decl);
    canonical_vars(canon, &printer, "op ", rule->n_opvars, canon->opvar, print_opvar_decl);
    uint32_t last = canon_statements(rule), wheres = last - 1 - rule->n_wheres;
    sorted_statements(canon, &printer, "", rule->n_classes, rule->n_classes + rule->n_maps, true);
    sorted_statements(canon, &printer, "wider ", wheres - rule->n_wider, wheres, false);
    sorted_statements(canon, &printer, "where ", wheres, last - 1, false);
    print_main(&printer);
    buf_puts(&buf, ";\n}\n");
    canon->work += buf.len;
    return buf_detach(&buf);
}
