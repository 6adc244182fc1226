// SPDX-License-Identifier: Apache-2.0
#include "cli/records/derive.h"
#include "cli/records/simplify.h"

#include "io/stablehlo/stablehlo.h"
#include "proof/program/check.h"
#include "tensor/program/import.h"

struct derivation_writer {
    const struct derive_proof *p;
    struct record record;
    VEC(struct used_rule) used;
    struct buf input, output;
};

static const struct instance *instance_at(void *ctx, uint32_t number)
{
    const struct derivation_writer *w = ctx;
    return w->p->s->instances.at[number].in;
}

// func main(arg0, ..) of all variables that returns the term.
static void print_side(const struct derive_proof *p, term_id root,
                       struct buf *out)
{
    const struct terms *t = p->g->terms;
    const struct rule *r = p->goal;
    struct pool *pool = t->pool;
    struct program prog;
    struct function f = {0};
    struct u32_vec memo = {0};
    sym_id none = sym_make(pool, "");
    program_init(&prog, pool);
    prog.module_name = prog.module_attrs = none;
    f.name = sym_make(pool, "main");
    f.visibility = f.attrs = none;
    for (uint32_t i = 0; i < r->n_tensors + r->n_scalars; i++) {
        char name[24];
        snprintf(name, sizeof name, "arg%u", i);
        term_id v = i < r->n_tensors ? p->in->tensor[i]
                                     : p->in->scalar[i - r->n_tensors];
        struct param a = {sym_make(pool, name), term_type(t, v), none};
        vec_push(&f.params, a);
    }
    struct result res = {term_import(&prog.terms, t, &memo, root),
                         term_type(t, root), none};
    vec_push(&f.results, res);
    vec_push(&prog.functions, f);
    stablehlo_print(&prog, out);
    vec_release(&memo);
    program_release(&prog);
}

static bool trusted(void *ctx, const struct record_rule *r,
                    struct rule_status *out, struct err *e)
{
    const struct derivation_writer *w = ctx;
    for (uint32_t i = 0; i < w->p->s->rules.len; i++) {
        const struct rule_use *u = &w->p->s->rules.at[i].use;
        if (strcmp(u->rule->hash, r->hash) == 0) {
            *out = u->status;
            return true;
        }
    }
    return err_set(e, ERR_CHECK, "rule %s was not used", r->name);
}

static bool check_it(struct derivation_writer *w, struct pool *pool, struct err *e)
{
    struct program in, out;
    struct err why = {0};
    struct check_options o = {trusted, w, true};
    program_init(&in, pool);
    program_init(&out, pool);
    bool ok = stablehlo_read(buf_text(&w->input), w->input.len, "left side",
                             &in, &why) &&
              stablehlo_read(buf_text(&w->output), w->output.len, "right side",
                             &out, &why) &&
              record_check(&w->record, &in, &out, &o, &why);
    program_release(&in);
    program_release(&out);
    return ok || err_set(e, ERR_NONE,
                         "a bug in rankwright: its own record is rejected: "
                         "%.600s",
                         why.msg);
}

bool derive_record(const struct derive_proof *p, const struct derive_base *b,
                   const bool *assumed, enum domain float_mode,
                   const char *path, struct err *e)
{
    struct derivation_writer w = {.p = p};
    struct pool *pool = p->g->terms->pool;
    struct buf text = {0};
    record_init(&w.record, pool);
    w.record.float_mode = float_mode;
    w.record.fold_exact = float_mode == DOMAIN_REAL;
    for (uint32_t i = 0; i < p->s->rules.len; i++) {
        const struct rule *r = derive_rule(b, p->rule_of[i]);
        struct used_rule u = {r->name, r->canonical, assumed[p->rule_of[i]],
                              p->s->rules.at[i].use.backward};
        vec_push(&w.used, u);
    }
    struct recorder rec = {.g = p->g,
                           .r = &w.record,
                           .rules = w.used.at,
                           .instance = instance_at,
                           .ctx = &w};
    bool ok = recorder_goal(&rec, 0, 0, p->lhs, p->rhs, e);
    recorder_release(&rec);
    if (ok) {
        print_side(p, p->lhs, &w.input);
        print_side(p, p->rhs, &w.output);
        w.record.input = buf_text(&w.input);
        w.record.output = buf_text(&w.output);
        w.record.input_name = p->goal->name;
        ok = check_it(&w, pool, e);
    }
    if (ok) {
        record_write(&w.record, &text);
        ok = file_write(path, buf_text(&text), text.len, e);
    }
    record_release(&w.record);
    vec_release(&w.used);
    buf_release(&w.input);
    buf_release(&w.output);
    buf_release(&text);
    return ok;
}
