// SPDX-License-Identifier: Apache-2.0
#include "api/discover/derive_record.h"
#include "api/records/recorder.h"

#include "io/stablehlo/stablehlo.h"
#include "proof/emit/emit.h"
#include "proof/program/check.h"
#include "tensor/program/import.h"

struct writer {
    const struct derive_proof *proof;
    struct record record;
    VEC(struct used_rule) used;
    struct buf input, output;
};

static const struct instance *instance_at(void *ctx, uint32_t number)
{
    const struct writer *writer = ctx;
    return writer->proof->saturation->instances.at[number].in;
}

// func main(arg0, ..) of all variables that returns the term.
static void print_side(const struct derive_proof *proof, term_id root, struct buf *out)
{
    const struct terms *terms = proof->graph->terms;
    const struct rule *rule = proof->goal;
    struct pool *pool = terms->pool;
    struct program prog;
    struct function function = {0};
    struct u32_vec memo = {0};
    sym_id none = sym_make(pool, "");
    program_init(&prog, pool);
    function.name = sym_make(pool, "main");
    function.visibility = function.attrs = none;
    for (uint32_t i = 0; i < rule->n_tensors + rule->n_scalars; i++) {
        char name[24];
        snprintf(name, sizeof name, "arg%u", i);
        term_id term =
            i < rule->n_tensors ? proof->in->tensor[i] : proof->in->scalar[i - rule->n_tensors];
        struct param param = {sym_make(pool, name), term_type(terms, term), none};
        vec_push(&function.params, param);
    }
    struct result res = {term_import(&prog.terms, terms, &memo, root), term_type(terms, root),
                         none};
    vec_push(&function.results, res);
    vec_push(&prog.functions, function);
    struct module module = {.name = none, .attrs = none, .functions_end = 1};
    vec_push(&prog.modules, module);
    stablehlo_print(&prog, out);
    vec_release(&memo);
    program_release(&prog);
}

static bool trusted(void *ctx, const struct record_rule *rule, struct rule_status *out,
                    struct err *err)
{
    const struct writer *writer = ctx;
    for (uint32_t i = 0; i < writer->proof->saturation->rules.len; i++) {
        const struct rule_use *use = &writer->proof->saturation->rules.at[i].use;
        if (strcmp(use->rule->hash, rule->hash) == 0) {
            *out = use->status;
            return true;
        }
    }
    return err_set(err, ERR_CHECK, "rule %s was not used", rule->name);
}

static bool check_it(struct writer *writer, struct pool *pool, struct err *err)
{
    struct program in, out;
    struct err why = {0};
    struct check_options options = {trusted, writer, true};
    program_init(&in, pool);
    program_init(&out, pool);
    bool ok =
        stablehlo_read(buf_text(&writer->input), writer->input.len, "left side", &in, &why) &&
        stablehlo_read(buf_text(&writer->output), writer->output.len, "right side", &out, &why) &&
        record_check(&writer->record, &in, &out, &options, &why);
    program_release(&in);
    program_release(&out);
    return ok || err_set(err, ERR_NONE,
                         "a bug in rankwright: its own record is rejected: "
                         "%.600s",
                         why.msg);
}

bool derive_record(const struct derive_proof *proof, const struct derive_base *base,
                   const bool *assumed, enum float_reading reading, struct buf *out,
                   struct err *err)
{
    struct writer writer = {.proof = proof};
    struct pool *pool = proof->graph->terms->pool;
    record_init(&writer.record, pool);
    writer.record.reading = reading;
    for (uint32_t i = 0; i < proof->saturation->rules.len; i++) {
        const struct rule *rule = derive_rule(base, proof->rule_of[i]);
        struct used_rule used = {rule->name, rule->canonical, assumed[proof->rule_of[i]],
                                 proof->saturation->rules.at[i].use.backward};
        vec_push(&writer.used, used);
    }
    struct recorder rec = {.graph = proof->graph,
                           .record = &writer.record,
                           .rules = writer.used.at,
                           .instance = instance_at,
                           .ctx = &writer};
    bool ok = recorder_goal(&rec, &(struct root_change){0, 0, proof->lhs, proof->rhs}, err);
    recorder_release(&rec);
    if (ok) {
        print_side(proof, proof->lhs, &writer.input);
        print_side(proof, proof->rhs, &writer.output);
        writer.record.input = buf_text(&writer.input);
        writer.record.output = buf_text(&writer.output);
        writer.record.input_name = proof->goal->name;
        ok = check_it(&writer, pool, err);
    }
    ok = ok && record_write(&writer.record, out, err);
    record_release(&writer.record);
    vec_release(&writer.used);
    buf_release(&writer.input);
    buf_release(&writer.output);
    return ok;
}
