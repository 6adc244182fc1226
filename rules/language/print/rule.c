// SPDX-License-Identifier: Apache-2.0
// Declarations and whole rules as text.
#include "rules/language/print/print.h"

void print_tensor_decl(struct printer *printer, uint32_t tensor)
{
    const struct tensor_var *v = &printer->rule->tensors[tensor];
    print_var(printer, printer->names ? printer->names->tensor : NULL, 't', tensor, v->name);
    buf_putc(printer->out, '[');
    print_sizes(printer, v->n_sizes, v->sizes);
    buf_puts(printer->out, "] : ");
    print_type(printer, v->type);
}

void print_scalar_decl(struct printer *printer, uint32_t scalar)
{
    const struct scalar_var *v = &printer->rule->scalars[scalar];
    print_var(printer, printer->names ? printer->names->scalar : NULL, 's', scalar, v->name);
    buf_puts(printer->out, " : ");
    print_type(printer, v->type);
}

void print_opvar_decl(struct printer *printer, uint32_t opvar)
{
    const struct op_var *v = &printer->rule->opvars[opvar];
    print_opvar(printer, opvar);
    if (v->kind == OPVAR_MONOID) {
        buf_puts(printer->out, " : monoid(");
        print_type(printer, v->result);
        buf_putc(printer->out, ')');
        return;
    }
    buf_puts(printer->out, v->kind == OPVAR_MONOTONE ? " : monotone(" : " : elementwise(");
    for (uint32_t i = 0; i < v->n_args; i++) {
        buf_puts(printer->out, i ? ", " : "");
        print_type(printer, v->args[i]);
    }
    buf_puts(printer->out, ") -> ");
    print_type(printer, v->result);
}

void print_wider(struct printer *printer, const struct type_order *order)
{
    print_type(printer, order->wide);
    buf_puts(printer->out, " of ");
    print_type(printer, order->narrow);
}

void print_where(struct printer *printer, const struct where *where)
{
    if (where->cond) {
        print_cond(printer, where->cond);
    } else {
        buf_puts(printer->out, "all(");
        print_pat(printer, where->pat);
        buf_putc(printer->out, ')');
    }
}

// ---- a rule as source text ----

static void print_string(struct buf *out, const char *text)
{
    buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_putc(out, '\\');
        buf_putc(out, *text);
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

static void print_head(const struct rule *rule, struct buf *out)
{
    print_doc(out, rule->doc);
    buf_printf(out, "rule %s {\n", rule->name);
    for (uint32_t i = 0; i < rule->n_origins; i++) {
        buf_puts(out, i ? ", " : "  origin ");
        print_string(out, rule->origins[i]);
    }
    if (rule->n_origins)
        buf_puts(out, ";\n");
    if (rule->claims == rule_domains(rule))
        return;
    const char *sep = "  claims ";
    for (int d = 0; d < N_DOMAINS; d++) {
        if (!(rule->claims & 1u << d))
            continue;
        buf_printf(out, "%s%s", sep, domain_text((enum domain)d));
        sep = ", ";
    }
    buf_puts(out, ";\n");
}

static void print_maps(const struct rule *rule, uint32_t cls, bool index, struct buf *out)
{
    const char *sep = index ? "  index " : "  map ";
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        const struct map *map = &rule->maps[m];
        if (map->def || map->cls != cls || map->index != index)
            continue;
        buf_printf(out, "%s%s", sep, map->name);
        sep = ", ";
    }
    if (*sep == ',')
        buf_printf(out, " on %s;\n", rule->classes[cls].name);
}

static void print_classes(const struct rule *rule, struct buf *out)
{
    for (uint32_t i = 0; i < rule->n_classes; i++) {
        const struct axis_class *cls = &rule->classes[i];
        buf_printf(out, "  %s %s", cls->single ? "axis" : "axes", cls->name);
        if (cls->like != i)
            buf_printf(out, " like %s", rule->classes[cls->like].name);
        else if (!cls->single && cls->least_rank)
            buf_printf(out, " rank >= %u", cls->least_rank);
        buf_puts(out, ";\n");
    }
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        print_maps(rule, c, false, out);
        print_maps(rule, c, true, out);
    }
}

static void print_vars(struct printer *printer)
{
    const struct rule *rule = printer->rule;
    for (uint32_t i = 0; i < rule->n_types; i++) {
        if (!*rule->types[i].name)
            continue;
        buf_printf(printer->out, "  type %s : ", rule->types[i].name);
        print_kinds(printer->out, rule->types[i].kinds);
        buf_puts(printer->out, ";\n");
    }
    for (uint32_t i = 0; i < rule->n_tensors; i++) {
        buf_puts(printer->out, "  tensor ");
        print_tensor_decl(printer, i);
        buf_puts(printer->out, ";\n");
    }
    for (uint32_t i = 0; i < rule->n_scalars; i++) {
        buf_puts(printer->out, "  scalar ");
        print_scalar_decl(printer, i);
        buf_puts(printer->out, ";\n");
    }
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        buf_puts(printer->out, "  op ");
        print_opvar_decl(printer, i);
        buf_puts(printer->out, ";\n");
    }
    for (uint32_t i = 0; i < rule->n_maps; i++) {
        const struct map *map = &rule->maps[i];
        if (!map->def)
            continue;
        buf_printf(printer->out, "  let %s on %s = ", map->name, rule->classes[map->cls].name);
        print_iexp(printer, map->def);
        buf_puts(printer->out, ";\n");
    }
    for (uint32_t i = 0; i < rule->n_wider; i++) {
        buf_puts(printer->out, "  wider ");
        print_wider(printer, &rule->wider[i]);
        buf_puts(printer->out, ";\n");
    }
    for (uint32_t i = 0; i < rule->n_wheres; i++) {
        buf_puts(printer->out, "  where ");
        print_where(printer, &rule->wheres[i]);
        buf_puts(printer->out, ";\n");
    }
}

void rule_print(const struct rule *rule, struct buf *out)
{
    struct printer printer = {rule, out, NULL};
    print_head(rule, out);
    print_classes(rule, out);
    print_vars(&printer);
    buf_puts(out, "  ");
    print_pat(&printer, rule->lhs);
    buf_puts(out, "\n    => ");
    const struct pat *rhs = &rule->pats[rule->rhs];
    bool lifted = rhs->kind == PAT_SPLAT && sizes_equal(rhs, &rule->pats[rule->lhs]);
    print_pat(&printer, lifted ? rhs->args[0] : rule->rhs);
    buf_puts(out, ";\n}\n");
}
