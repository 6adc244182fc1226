// SPDX-License-Identifier: Apache-2.0
// The order of work: constants, givens, names of rules, the search, the proof, the
// record.
#include "simplify/core.h"
#include "simplify/limits.h"

#include "base/clock.h"

struct simplify_options simplify_defaults(void)
{
    return (struct simplify_options){
        .max_nodes = SIMPLIFY_NODES,
        .max_rounds = SIMPLIFY_ROUNDS,
        .max_steps = SIMPLIFY_STEPS,
    };
}

void simplify_result_release(struct simplify_result *simplify_result)
{
    vec_release(&simplify_result->conditions);
}

// The lines of a rule in one direction, under its name.
static void add_lines(struct simplifier *simplifier, uint32_t i, bool backward)
{
    const struct simplify_rule *simplify_rule = &simplifier->rules[i];
    const size_t head = strlen(LIFT_RULE_NAME);
    struct buf text = {0};
    for (const char *string = backward ? simplify_rule->backward : simplify_rule->forward;
         *string != 0;) {
        size_t n = strcspn(string, "\n");
        n += string[n] == '\n';
        buf_puts(&text, intern_text(&simplifier->names, simplifier->name.at[i]));
        buf_puts(&text, backward ? "-back" : "");
        buf_write(&text, string + head, n - head);
        string += n;
    }
    choose_add(simplifier->choose, buf_text(&text), simplify_rule->defines, backward);
    buf_release(&text);
}

static void name_rules(struct simplifier *simplifier)
{
    for (uint32_t i = 0; i < simplifier->n_rules; i++)
        if (simplifier->rules[i].defines)
            choose_define(simplifier->choose, simplifier->rules[i].forward);
    for (uint32_t i = 0; i < simplifier->n_rules; i++) {
        const char *name = simplifier->rules[i].name;
        struct buf text = {0};
        buf_puts(&text, name);
        for (uint32_t k = 2;; k++) {
            uint32_t before = simplifier->names.entry.len;
            uint32_t id = intern_bytes(&simplifier->names, buf_text(&text), text.len);
            if (id == before) {
                vec_push(&simplifier->name, id);
                break;
            }
            buf_clear(&text);
            buf_printf(&text, "%s~%u", name, k);
        }
        buf_release(&text);
        add_lines(simplifier, i, false);
        add_lines(simplifier, i, true);
    }
}

void simplifier_release_search(struct simplifier *simplifier)
{
    for (uint32_t i = 0; i < simplifier->stage.len; i++)
        buf_release(&simplifier->stage.at[i].proof);
    vec_release(&simplifier->stage);
    for (uint32_t i = 0; i < simplifier->truth.len; i++)
        buf_release(&simplifier->truth.at[i].proof);
    vec_release(&simplifier->truth);
    vec_release(&simplifier->given);
    vec_release(&simplifier->written);
    partial_release(&simplifier->partial);
}

static void release(struct simplifier *simplifier)
{
    simplifier_release_search(simplifier);
    vec_release(&simplifier->told);
    vec_release(&simplifier->name);
    intern_release(&simplifier->names);
    choose_release(simplifier->choose);
    chain_release(&simplifier->chain);
}

bool simplify_formula(struct formula *formula, const struct simplify_request *request,
                      struct simplify_result *out, struct formula_record *record, struct err *err)
{
    struct choose choose;
    struct simplifier simplifier = {.formula = formula,
                                    .choose = &choose,
                                    .defs = request->defs,
                                    .n_rules = request->n_rules,
                                    .rules = request->rules,
                                    .simplify_options = request->options,
                                    .out = out,
                                    .record = record};
    fterm from = formula->term;
    memset(out, 0, sizeof *out);
    formula_record_init(record);
    intern_init(&simplifier.names);
    choose_init(&choose, request->options->expand);
    chain_init(&simplifier.chain);
    if (request->options->seconds > 0)
        simplifier.deadline = clock_wall() + request->options->seconds;
    simplifier.left = formula->term = simplifier_recover(&simplifier, from);
    simplifier_find_written(&simplifier);
    formula_defined(formula);
    for (uint32_t i = 0; i < formula->givens.len; i++)
        vec_push(&simplifier.given, formula->givens.at[i].cond);
    partial_init(&simplifier.partial, formula->terms, request->defs, simplifier.left);
    for (uint32_t i = 0; i < simplifier.given.len; i++)
        partial_know(&simplifier.partial, simplifier.given.at[i]);
    name_rules(&simplifier);
    out->term = simplifier.left;
    out->cost_before = simplifier_tree_cost(&simplifier, from);
    bool ok = simplifier_search(&simplifier, from, err) && simplifier_prove(&simplifier, err);
    if (ok) {
        out->cost_after = simplifier_tree_cost(&simplifier, out->term);
        simplifier_write_record(&simplifier, request->input, from);
    }
    release(&simplifier);
    return ok;
}
