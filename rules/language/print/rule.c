// SPDX-License-Identifier: Apache-2.0
// Declarations and whole rules as text.
#include "rules/language/print/print.h"

void print_tensor_decl(struct printer *w, uint32_t tensor)
{
    const struct tensor_var *v = &w->r->tensors[tensor];
    print_var(w, w->names ? w->names->tensor : NULL, 't', tensor, v->name);
    buf_putc(w->out, '[');
    print_sizes(w, v->n_sizes, v->sizes);
    buf_puts(w->out, "] : ");
    print_type(w, v->type);
}

void print_scalar_decl(struct printer *w, uint32_t scalar)
{
    const struct scalar_var *v = &w->r->scalars[scalar];
    print_var(w, w->names ? w->names->scalar : NULL, 's', scalar, v->name);
    buf_puts(w->out, " : ");
    print_type(w, v->type);
}

void print_opvar_decl(struct printer *w, uint32_t opvar)
{
    const struct op_var *v = &w->r->opvars[opvar];
    print_opvar(w, opvar);
    if (v->kind == OPVAR_MONOID) {
        buf_puts(w->out, " : monoid(");
        print_type(w, v->result);
        buf_putc(w->out, ')');
        return;
    }
    buf_puts(w->out,
             v->kind == OPVAR_MONOTONE ? " : monotone(" : " : elementwise(");
    for (uint32_t i = 0; i < v->n_args; i++) {
        buf_puts(w->out, i ? ", " : "");
        print_type(w, v->args[i]);
    }
    buf_puts(w->out, ") -> ");
    print_type(w, v->result);
}

void print_wider(struct printer *w, const struct type_order *o)
{
    print_type(w, o->wide);
    buf_puts(w->out, " of ");
    print_type(w, o->narrow);
}

void print_where(struct printer *w, const struct where *c)
{
    if (c->cond) {
        print_cond(w, c->cond);
    } else {
        buf_puts(w->out, "all(");
        print_pat(w, c->pat);
        buf_putc(w->out, ')');
    }
}

// ---- a rule as source text ----

static void print_string(struct buf *out, const char *s)
{
    buf_putc(out, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            buf_putc(out, '\\');
        buf_putc(out, *s);
    }
    buf_putc(out, '"');
}

static void print_doc(struct buf *out, const char *doc)
{
    if (!*doc)
        return;
    for (;;) {
        size_t n = strcspn(doc, "\n");
        buf_puts(out, n ? "/// " : "///");
        buf_write(out, doc, n);
        buf_putc(out, '\n');
        if (!doc[n])
            return;
        doc += n + 1;
    }
}

static void print_head(const struct rule *r, struct buf *out)
{
    print_doc(out, r->doc);
    buf_printf(out, "rule %s {\n", r->name);
    for (uint32_t i = 0; i < r->n_origins; i++) {
        buf_puts(out, i ? ", " : "  origin ");
        print_string(out, r->origins[i]);
    }
    if (r->n_origins)
        buf_puts(out, ";\n");
    if (r->claims == rule_domains(r))
        return;
    const char *sep = "  claims ";
    for (int d = 0; d < N_DOMAINS; d++) {
        if (!(r->claims & 1u << d))
            continue;
        buf_printf(out, "%s%s", sep, domain_text((enum domain)d));
        sep = ", ";
    }
    buf_puts(out, ";\n");
}

static void print_maps(const struct rule *r, uint32_t cls, bool index,
                       struct buf *out)
{
    const char *sep = index ? "  index " : "  map ";
    for (uint32_t m = 0; m < r->n_maps; m++) {
        const struct map *map = &r->maps[m];
        if (map->def || map->cls != cls || map->index != index)
            continue;
        buf_printf(out, "%s%s", sep, map->name);
        sep = ", ";
    }
    if (*sep == ',')
        buf_printf(out, " on %s;\n", r->classes[cls].name);
}

static void print_classes(const struct rule *r, struct buf *out)
{
    for (uint32_t i = 0; i < r->n_classes; i++) {
        const struct axis_class *c = &r->classes[i];
        buf_printf(out, "  %s %s", c->single ? "axis" : "axes", c->name);
        if (c->like != i)
            buf_printf(out, " like %s", r->classes[c->like].name);
        else if (!c->single && c->least_rank)
            buf_printf(out, " rank >= %u", c->least_rank);
        buf_puts(out, ";\n");
    }
    for (uint32_t c = 0; c < r->n_classes; c++) {
        print_maps(r, c, false, out);
        print_maps(r, c, true, out);
    }
}

static void print_vars(struct printer *w)
{
    const struct rule *r = w->r;
    for (uint32_t i = 0; i < r->n_types; i++) {
        if (!*r->types[i].name)
            continue;
        buf_printf(w->out, "  type %s : ", r->types[i].name);
        print_kinds(w->out, r->types[i].kinds);
        buf_puts(w->out, ";\n");
    }
    for (uint32_t i = 0; i < r->n_tensors; i++) {
        buf_puts(w->out, "  tensor ");
        print_tensor_decl(w, i);
        buf_puts(w->out, ";\n");
    }
    for (uint32_t i = 0; i < r->n_scalars; i++) {
        buf_puts(w->out, "  scalar ");
        print_scalar_decl(w, i);
        buf_puts(w->out, ";\n");
    }
    for (uint32_t i = 0; i < r->n_opvars; i++) {
        buf_puts(w->out, "  op ");
        print_opvar_decl(w, i);
        buf_puts(w->out, ";\n");
    }
    for (uint32_t i = 0; i < r->n_maps; i++) {
        const struct map *m = &r->maps[i];
        if (!m->def)
            continue;
        buf_printf(w->out, "  let %s on %s = ", m->name,
                   r->classes[m->cls].name);
        print_iexp(w, m->def);
        buf_puts(w->out, ";\n");
    }
    for (uint32_t i = 0; i < r->n_wider; i++) {
        buf_puts(w->out, "  wider ");
        print_wider(w, &r->wider[i]);
        buf_puts(w->out, ";\n");
    }
    for (uint32_t i = 0; i < r->n_wheres; i++) {
        buf_puts(w->out, "  where ");
        print_where(w, &r->wheres[i]);
        buf_puts(w->out, ";\n");
    }
}

void rule_print(const struct rule *r, struct buf *out)
{
    struct printer w = {r, out, NULL};
    print_head(r, out);
    print_classes(r, out);
    print_vars(&w);
    buf_puts(out, "  ");
    print_pat(&w, r->lhs);
    buf_puts(out, "\n    => ");
    const struct pat *rhs = &r->pats[r->rhs];
    bool lifted = rhs->kind == PAT_SPLAT && sizes_equal(rhs, &r->pats[r->lhs]);
    print_pat(&w, lifted ? rhs->args[0] : r->rhs);
    buf_puts(out, ";\n}\n");
}
