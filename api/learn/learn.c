// SPDX-License-Identifier: Apache-2.0
// Reads two programs into one store, and learns from them.
#include "api/learn/learn.h"

#include "api/discover/widening.h"
#include "api/rules/json.h"
#include "base/clock.h"
#include "io/program/program.h"
#include "discover/examples/match.h"
#include "discover/learn/draft.h"
#include "tensor/program/import.h"
#include "tensor/program/region.h"

// Private functions with bodies are parts of the others, which call them.
static bool stands_alone(const struct program *program, const struct function *function)
{
    return !function->declaration &&
           strcmp(sym_text(program->pool, function->visibility), "private") != 0;
}

// The first or second of two functions with a body.
static const struct function *one_of_two(const struct program *program, uint32_t which,
                                         struct err *err)
{
    const struct function *found = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < program->functions.len; i++) {
        if (!stands_alone(program, &program->functions.at[i]))
            continue;
        if (n++ == which)
            found = &program->functions.at[i];
    }
    if (n == 2)
        return found;
    err_set(err, ERR_INPUT, "expected two programs, or one with two functions, found one with %u",
            n);
    return NULL;
}

// The function with a body of that name, or the only one.
static const struct function *function_of(const struct program *program, const char *name,
                                          const char *which, struct err *err)
{
    const struct function *found = NULL;
    for (uint32_t i = 0; i < program->functions.len; i++) {
        const struct function *function = &program->functions.at[i];
        if (name == NULL ? !stands_alone(program, function)
                         : function->declaration ||
                               strcmp(sym_text(program->pool, function->name), name) != 0)
            continue;
        if (found != NULL) {
            err_set(err, ERR_INPUT, "the program %s has several functions", which);
            err_hint(err, "name the two functions");
            return NULL;
        }
        found = function;
    }
    if (found == NULL && name != NULL)
        err_set(err, ERR_INPUT, "the program %s has no function %s", which, name);
    else if (found == NULL)
        err_set(err, ERR_INPUT, "the program %s has no function with a body", which);
    return found;
}

static bool other_type(const struct pool *pool, uint32_t k, const struct param *before,
                       const struct param *after, struct err *err)
{
    struct buf a = {0}, b = {0};
    type_print(pool, before->type, &a);
    type_print(pool, after->type, &b);
    err_set(err, ERR_INPUT, "argument %u has another type: %%%s is %s before, %%%s is %s after",
            k + 1, sym_text(pool, before->name), buf_text(&a), sym_text(pool, after->name),
            buf_text(&b));
    err_hint(err, "arguments are paired by their order");
    buf_release(&a);
    buf_release(&b);
    return false;
}

// A call that stands among the side effects is one of a function that calls itself, or that has
// such effects.
static bool has_effect(const struct terms *terms, const struct function *function, struct err *err)
{
    struct opaque_view view = opaque_view(terms, function->effects.at[0]);
    const char *text = sym_text(terms->pool, view.text);
    if (strncmp(text, "func.call", 9) == 0 || strncmp(text, "call", 4) == 0)
        return err_set(err, ERR_INPUT,
                       "the programs call a function that calls itself, or that does more than "
                       "give a value");
    text += *text == '"';
    return err_set(err, ERR_INPUT,
                   "the programs have an operation that may have side effects: %.*s",
                   (int)strcspn(text, " (<{\""), text);
}

// The functions and the terms of each.
static bool fits(const struct terms *terms, const struct function *before,
                 const struct terms *after_terms, const struct function *after, struct err *err)
{
    const struct pool *pool = terms->pool;
    if (before->results.len != 1 || after->results.len != 1)
        return err_set(err, ERR_INPUT, "expected functions with one result");
    if (before->effects.len > 0)
        return has_effect(terms, before, err);
    if (after->effects.len > 0)
        return has_effect(after_terms, after, err);
    if (before->params.len != after->params.len)
        return err_set(err, ERR_INPUT, "the programs have %u and %u arguments", before->params.len,
                       after->params.len);
    for (uint32_t i = 0; i < before->params.len; i++)
        if (before->params.at[i].type.v != after->params.at[i].type.v)
            return other_type(pool, i, &before->params.at[i], &after->params.at[i], err);
    return true;
}

// Reads both programs into the store of `out->program`.  compared NULL: nobody asks.
static bool read_pair(struct read_pair *out, const struct rw_program *before,
                      const struct rw_program *after, const struct rw_learn_options *options,
                      struct compared *compared, struct err *err)
{
    struct program other;
    struct u32_vec memo = {0};
    struct renaming renaming = {0};
    out->program = program_parse(before, "", err);
    if (out->program == NULL)
        return false;
    struct program *program = &out->program->at;
    program_init(&other, &out->program->pool);
    bool ok = program_text_read(buf_text(&after->text), after->text.len, after->file, &other, err);
    bool two = options->two_of_one;
    const struct function *a = !ok   ? NULL
                               : two ? one_of_two(program, 0, err)
                                     : function_of(program, options->before, "before", err);
    const struct function *b = a == NULL ? NULL
                               : two     ? one_of_two(&other, 1, err)
                                         : function_of(&other, options->after, "after", err);
    ok = b != NULL && fits(&program->terms, a, &other.terms, b, err);
    if (ok && compared != NULL) {
        struct compare_side side[2] = {{program, (uint32_t)(a - program->functions.at)},
                                       {&other, (uint32_t)(b - other.functions.at)}};
        ok = compared_run(compared, side, options->seed, err);
    }
    if (ok) {
        vec_zero(&renaming.function, b->number + 1);
        for (uint32_t i = 0; i <= b->number; i++)
            renaming.function.at[i] = a->number;
        term_id before_result = learn_without_calls(program, a->results.at[0].term);
        term_id after_result = term_import_as(&program->terms, &other.terms, &memo, &renaming,
                                              learn_without_calls(&other, b->results.at[0].term));
        example_start(&out->example, program, before_result, after_result);
    }
    vec_release(&memo);
    renaming_release(&renaming);
    program_release(&other);
    return ok;
}

// The rule with a name.
static void put_rule(struct rw_learned *learned)
{
    struct draft draft;
    const struct rule *rule = learned->found.rule;
    draft_init(&draft, rule);
    draft.r.name = learned->name;
    draft.r.doc = "";
    draft_print(&draft, &learned->text);
    draft_release(&draft);
    widening_domains(learned->found.proved, &learned->domains);
    learned->answer.rule = buf_text(&learned->text);
    learned->answer.hash = rule->hash;
    learned->answer.domains = buf_text(&learned->domains);
}

// The second pair, which must have the types of its own arguments only.
static bool read_also(struct rw_learned *learned, const struct rw_learn_options *own,
                      struct err *err)
{
    if (own->also_before == NULL || own->also_after == NULL)
        return true;
    struct rw_learn_options names = *own;
    names.two_of_one = own->also_before == own->also_after && own->before == NULL;
    return read_pair(&learned->also, own->also_before, own->also_after, &names, NULL, err);
}

static bool is_instance(const struct example *example, const struct example_rule *found)
{
    return example_matches(example, found->rule, example_rule_status(found)) == MATCH_PAIR;
}

// Is the second pair an instance of the rule?  If not: is the first one an instance of the rule
// behind the second?
static void ask_also(struct rw_learned *learned)
{
    struct example_rule second = {.match = MATCH_NONE};
    if (is_instance(&learned->also.example, &learned->found))
        return;
    learn_example(&learned->learner, &learned->also.example, &second);
    if (second.rule != NULL && is_instance(&learned->pair.example, &second)) {
        example_rule_release(&learned->found);
        learned->found = second;
        return;
    }
    example_rule_release(&second);
    learned->answer.word = RW_LEARN_UNKNOWN;
    learned->answer.reason = "the second pair is no instance of the rule behind the first one, nor "
                             "the first one of the rule behind the second";
}

// ---- progress

static void report(struct rw_learned *learned, bool ended)
{
    const struct learner *learner = &learned->learner;
    struct rw_progress at = {.stage = "learn",
                             .done = learner->n_rules,
                             .total = ended ? learner->n_rules : 0,
                             .proved = learner->n_proved,
                             .refuted = learner->n_refuted,
                             .unknown = learner->n_unknown,
                             .seconds = learned->progress.told - learned->progress.start};
    learned->progress.stopped |= !context_progress(learned->progress.context, &at);
}

static bool wants_stop(void *user)
{
    struct rw_learned *learned = user;
    learned->progress.stopped |= learned->progress.context->cancelled;
    if (!learned->progress.stopped && context_report_due(&learned->progress.told))
        report(learned, false);
    return learned->progress.stopped;
}

struct rw_learned *rw_learn(struct rw_context *context, const struct rw_program *before,
                            const struct rw_program *after, const struct rw_learn_options *options,
                            struct rw_error *error)
{
    static const enum rw_learn_word words[] = {[EXAMPLE_RULE] = RW_LEARN_RULE,
                                               [EXAMPLE_LAYOUT] = RW_LEARN_LAYOUT,
                                               [EXAMPLE_UNKNOWN] = RW_LEARN_UNKNOWN};
    struct err err = {0};
    struct rw_learn_options own = {0};
    struct rw_learned *learned = mem_alloc(sizeof *learned);
    learned->progress.context = context;
    learned->progress.start = learned->progress.told = clock_wall();
    bool ok = options_copy(options, &own, sizeof own, &err) &&
              read_pair(&learned->pair, before, after, &own, &learned->compared, &err) &&
              read_also(learned, &own, &err);
    learner_init(&learned->learner, own.seed);
    learned->learner.stop = (struct stop){wants_stop, learned};
    if (!ok) {
        error_give(&err, error);
        rw_learned_free(learned);
        return NULL;
    }
    learned->name = text_copy(own.name ? own.name : "learned");
    learned->answer.sense = difference_name(learned->compared.worst);
    if (!learned->compared.different || learned->compared.near)
        learn_example(&learned->learner, &learned->pair.example, &learned->found);
    if (learned->compared.different && learned->found.rule == NULL) {
        example_rule_release(&learned->found);
        learn_near(&learned->learner, &learned->pair.example, &learned->found);
    }
    learned->answer.word = words[learned->found.answer];
    learned->answer.reason = learned->found.why ? learned->found.why : "";
    if (learned->found.rule != NULL && learned->found.change == NULL &&
        learned->also.program != NULL)
        ask_also(learned);
    if (learned->found.rule != NULL)
        put_rule(learned);
    if (learned->compared.different) {
        learned->answer.word = RW_LEARN_DIFFERENT;
        if (learned->found.rule == NULL)
            learned->answer.reason = "the programs are not equal";
    }
    if (learned->progress.stopped && learned->found.rule == NULL)
        learned->answer.reason = "it was stopped";
    context->cancelled = false;
    report(learned, true);
    return learned;
}

void rw_learned_free(struct rw_learned *learned)
{
    if (learned == NULL)
        return;
    example_rule_release(&learned->found);
    learner_release(&learned->learner);
    parsed_program_free(learned->pair.program);
    parsed_program_free(learned->also.program);
    compared_release(&learned->compared);
    vec_release(&learned->cases.at);
    arena_release(&learned->cases.mem);
    buf_release(&learned->text);
    buf_release(&learned->domains);
    mem_free(learned->name);
    mem_free(learned);
}

const struct rw_learn_answer *rw_learned_answer(const struct rw_learned *learned)
{
    return &learned->answer;
}

char *rw_learned_describe(const struct rw_learned *learned)
{
    struct buf out = {0};
    learned_describe(learned, &out);
    return text_give(&out);
}

const char *rw_learned_module(const struct rw_learned *learned)
{
    return buf_text(&learned->compared.module);
}

char *rw_learned_json(const struct rw_learned *learned)
{
    return json_give(learned_json(learned));
}
