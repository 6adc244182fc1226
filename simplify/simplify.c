// SPDX-License-Identifier: Apache-2.0
// Constants; what is given; rules under their names; the search; the proof; the
// record.
#include "simplify/core.h"

#include "base/clock.h"

struct simplify_options simplify_defaults(void)
{
    return (struct simplify_options){
        .max_nodes = 6000, .max_rounds = 12, .seconds = 0.7};
}

void simplify_result_release(struct simplify_result *r)
{
    vec_release(&r->conditions);
}

// The lines of a rule in one direction, under its name.
static void add_lines(struct simplifier *l, uint32_t i, bool backward)
{
    const struct simplify_rule *r = &l->rules[i];
    const size_t head = strlen(LIFT_RULE_NAME);
    struct buf text = {0};
    for (const char *s = backward ? r->backward : r->forward; *s != 0;) {
        size_t n = strcspn(s, "\n");
        n += s[n] == '\n';
        buf_printf(&text, "%s%s", intern_text(&l->names, l->name.at[i]),
                   backward ? "-back" : "");
        buf_write(&text, s + head, n - head);
        s += n;
    }
    choose_add(&l->choose, buf_text(&text), r->defines, backward);
    buf_release(&text);
}

static void name_rules(struct simplifier *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const char *name = l->rules[i].name;
        struct buf text = {0};
        buf_puts(&text, name);
        for (uint32_t k = 2;; k++) {
            uint32_t before = l->names.entry.len;
            uint32_t id = intern_bytes(&l->names, buf_text(&text), text.len);
            if (id == before) {
                vec_push(&l->name, id);
                break;
            }
            buf_clear(&text);
            buf_printf(&text, "%s~%u", name, k);
        }
        buf_release(&text);
        add_lines(l, i, false);
        add_lines(l, i, true);
    }
}

static void release(struct simplifier *l)
{
    for (uint32_t i = 0; i < l->stage.len; i++)
        buf_release(&l->stage.at[i].proof);
    vec_release(&l->stage);
    for (uint32_t i = 0; i < l->truth.len; i++)
        buf_release(&l->truth.at[i].proof);
    vec_release(&l->truth);
    vec_release(&l->told);
    vec_release(&l->given);
    vec_release(&l->name);
    vec_release(&l->written);
    intern_release(&l->names);
    choose_release(&l->choose);
    partial_release(&l->partial);
    chain_release(&l->chain);
}

bool simplify_formula(struct formula *f, const char *input,
                   const struct fdefines *defs, uint32_t n,
                   const struct simplify_rule *rules, const struct simplify_options *o,
                   struct simplify_result *out, struct formula_record *record,
                   struct err *e)
{
    struct simplifier l = {.f = f,
                     .defs = defs,
                     .n = n,
                     .rules = rules,
                     .o = o,
                     .out = out,
                     .record = record};
    fterm from = f->term;
    memset(out, 0, sizeof *out);
    formula_record_init(record);
    intern_init(&l.names);
    choose_init(&l.choose, o->expand);
    chain_init(&l.chain);
    if (o->seconds > 0)
        l.deadline = clock_cpu() + o->seconds;
    l.left = f->term = simplifier_recover(&l, from);
    simplifier_find_written(&l);
    formula_defined(f);
    for (uint32_t i = 0; i < f->givens.len; i++)
        vec_push(&l.given, f->givens.at[i].cond);
    partial_init(&l.partial, f->t, defs, l.left);
    for (uint32_t i = 0; i < l.given.len; i++)
        partial_know(&l.partial, l.given.at[i]);
    name_rules(&l);
    out->term = l.left;
    out->cost_before = simplifier_tree_cost(&l, from);
    bool ok = simplifier_search(&l, from, e) && simplifier_prove(&l, e);
    if (ok) {
        out->cost_after = simplifier_tree_cost(&l, out->term);
        simplifier_write_record(&l, input, from);
    }
    release(&l);
    return ok;
}
