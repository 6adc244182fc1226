// SPDX-License-Identifier: Apache-2.0
#include "proof/program/check.h"
#include "proof/program/regions.h"
#include "proof/program/slices.h"
#include "proof/program/structure.h"
#include "proof/remedy.h"

#include "rules/instance/counts.h"
#include "tensor/fold/fold.h"
#include "tensor/fold/layout.h"
#include "tensor/program/complex.h"
#include "tensor/program/form.h"

struct record_checker {
    struct record *record;
    struct renaming renaming;   // of the output
    struct structure structure; // of the input
    struct slice_checker slices;
    const struct check_options *options;
    struct err *err;
    struct rule_status *status; // per rule
    struct finite finite;
    struct arena mem;
};

static bool wrong(struct record_checker *checker, uint32_t line, const char *why)
{
    return err_set(checker->err, ERR_CHECK, "line %u of the record is wrong: %s", line, why);
}

static bool rule_statuses(struct record_checker *checker)
{
    uint32_t n = checker->record->rules.len;
    checker->status = ARENA_NEW(&checker->mem, struct rule_status, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        const struct record_rule *rule = &checker->record->rules.at[i];
        if (rule->assumed && !checker->options->allow_assumed)
            return err_at(checker->err, ERR_CHECK, REMEDY_ASSUMED, 0, 0,
                          "rule %s is assumed, not proved", rule->name);
        if (!checker->options->status(checker->options->ctx, rule, &checker->status[i],
                                      checker->err))
            return false;
    }
    return true;
}

static bool conditions_hold(struct record_checker *checker, uint32_t line,
                            const struct record_line *l)
{
    const struct rule *rule = l->inst->rule;
    uint32_t which;
    if (!instance_where(l->inst, &which))
        return wrong(checker, line, "a precondition does not hold");
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        if (!rule->wheres[w].cond &&
            !instance_element_condition(l->inst, rule->wheres[w].pat, &checker->record->terms))
            return wrong(checker, line, "an element condition does not hold");
    const char *where = where_text(l->inst, &checker->record->terms, &checker->mem);
    if (strcmp(where, l->where) != 0)
        return wrong(checker, line,
                     "the recorded precondition values are not "
                     "those of the instance");
    return true;
}

static bool differs_from(struct record_checker *checker, uint32_t line, const char *name,
                         const char *what, term_id built, term_id want)
{
    struct buf want_text = {0}, built_text = {0};
    record_term(checker->record, want, &want_text);
    record_term(checker->record, built, &built_text);
    err_set(checker->err, ERR_CHECK,
            "line %u of the record is wrong: expected the %s of %s to be "
            "%s, found %s",
            line, what, name, buf_text(&built_text), buf_text(&want_text));
    buf_release(&want_text);
    buf_release(&built_text);
    return false;
}

// Rebuilds both sides: a is the matched side, b the other side with its
// dimensions in the same order.
static bool sides_are(struct record_checker *checker, uint32_t line, const struct record_line *l)
{
    const struct rule *rule = l->inst->rule;
    uint32_t from = l->backward ? rule->rhs : rule->lhs;
    uint32_t to = l->backward ? rule->lhs : rule->rhs;
    const char *name = checker->record->rules.at[l->rule].name;
    struct builder builder = builder_plain(&checker->record->terms);
    struct err err = {0};
    term_id built;
    if (!instance_build(l->inst, from, &builder, &built, &err))
        return wrong(checker, line, err.msg);
    if (built.v != l->a.v)
        return differs_from(checker, line, name, "matched side", built, l->a);
    if (!instance_build_as(l->inst, to, &l->inst->pat[from].out, &builder, &built, &err))
        return wrong(checker, line, err.msg);
    return built.v == l->b.v || differs_from(checker, line, name, "other side", built, l->b);
}

static bool check_rule(struct record_checker *checker, uint32_t line, const struct record_line *l)
{
    struct err err = {0};
    enum domain float_domain = reading_domain(checker->record->reading);
    if (!instance_check(l->inst, &checker->record->terms, &err))
        return wrong(checker, line, err.msg);
    if (!instance_monoids(l->inst, checker->record->reading, &err))
        return wrong(checker, line, err.msg);
    if (!instance_finite(l->inst, &checker->record->terms, &checker->finite, float_domain,
                         checker->status[l->rule]))
        return wrong(checker, line,
                     "a variable may be infinite or NaN, but the rule "
                     "is proved for real numbers");
    struct rule_status hoped = checker->status[l->rule];
    hoped.proved |= hoped.unknown;
    hoped.uninterpreted |= hoped.unknown;
    if (hoped.unknown && !instance_may_fire(l->inst, float_domain, checker->status[l->rule]) &&
        instance_may_fire(l->inst, float_domain, hoped))
        return err_set(checker->err, ERR_LIMIT,
                       "rule %s of line %u could not be proved again: no "
                       "answer within the limits",
                       checker->record->rules.at[l->rule].name, line);
    if (!instance_may_fire(l->inst, float_domain, checker->status[l->rule]))
        return err_set(checker->err, ERR_CHECK,
                       "line %u of the record is wrong: rule %s is not proved "
                       "in the domain of these elements",
                       line, checker->record->rules.at[l->rule].name);
    return conditions_hold(checker, line, l) && sides_are(checker, line, l);
}

static bool check_fold(struct record_checker *checker, uint32_t line, const struct record_line *l)
{
    struct terms *ts = &checker->record->terms;
    const struct term node = *term_at(ts, l->a);
    lit_id *args = ARENA_NEW(&checker->mem, lit_id, node.n_args + 1u);
    type_id *types = ARENA_NEW(&checker->mem, type_id, node.n_args + 1u);
    for (uint32_t i = 0; i < node.n_args; i++) {
        term_id arg = term_args(ts, l->a)[i];
        args[i] = term_literal(ts, arg);
        types[i] = term_type(ts, arg);
        if (args[i].v == NO_LIT.v)
            return wrong(checker, line, "an operand of the fold is no constant");
    }
    lit_id want = term_literal(ts, l->b), got;
    if (want.v == NO_LIT.v)
        return wrong(checker, line, "the result of the fold is no constant");
    uint64_t count = pool_literal(ts->pool, want)->count;
    if (!fold_node(
            ts->pool, (struct operation){(enum op)node.op, node.attr, node.type, node.n_args}, args,
            types,
            (struct fold_options){checker->record->reading,
                                  count > TENSOR_FOLD_ELEMENTS ? count : TENSOR_FOLD_ELEMENTS},
            &got))
        return wrong(checker, line, "the operation cannot be folded");
    if (term_constant(ts, got, node.type).v != l->b.v)
        return wrong(checker, line, "the fold has another result");
    return true;
}

static bool check_layout(struct record_checker *checker, uint32_t line, const struct record_line *l)
{
    term_id out;
    if (!layout_rewrite(&checker->record->terms, l->a, (enum layout_kind)l->law, &out))
        return wrong(checker, line, "the law does not apply to this term");
    return out.v == l->b.v || wrong(checker, line, "the law gives another term");
}

// The two terms of an earlier line, in the direction of use.
static void part_ends(const struct record_checker *checker, const struct line_part *part,
                      term_id *from, term_id *to)
{
    const struct record_line *line = &checker->record->lines.at[part->line];
    *from = part->flip ? line->b : line->a;
    *to = part->flip ? line->a : line->b;
}

static bool check_cong(struct record_checker *checker, uint32_t line, const struct record_line *l)
{
    struct terms *ts = &checker->record->terms;
    const struct term node = *term_at(ts, l->a), b = *term_at(ts, l->b);
    if (node.op != b.op || node.attr.v != b.attr.v || node.type.v != b.type.v ||
        node.n_args != b.n_args)
        return wrong(checker, line, "the two terms are not the same operation");
    bool *covered = ARENA_NEW(&checker->mem, bool, node.n_args + 1u);
    for (uint32_t k = 0; k < l->n_parts; k++) {
        const struct line_part *part = &checker->record->parts.at[l->parts_at + k];
        term_id from, to;
        if (part->line >= line)
            return wrong(checker, line, "a part is no earlier line");
        part_ends(checker, part, &from, &to);
        if (part->arg >= node.n_args || term_args(ts, l->a)[part->arg].v != from.v ||
            term_args(ts, l->b)[part->arg].v != to.v)
            return wrong(checker, line, "a part is not about that argument");
        covered[part->arg] = true;
    }
    for (uint32_t i = 0; i < node.n_args; i++)
        if (!covered[i] && term_args(ts, l->a)[i].v != term_args(ts, l->b)[i].v)
            return wrong(checker, line, "an argument differs without a reason");
    return true;
}

static bool check_trans(struct record_checker *checker, uint32_t line, const struct record_line *l)
{
    term_id at = l->a;
    for (uint32_t k = 0; k < l->n_parts; k++) {
        const struct line_part *part = &checker->record->parts.at[l->parts_at + k];
        term_id from, to;
        if (part->line >= line)
            return wrong(checker, line, "a part is no earlier line");
        part_ends(checker, part, &from, &to);
        if (from.v != at.v)
            return wrong(checker, line, "the chain is broken");
        at = to;
    }
    return at.v == l->b.v || wrong(checker, line, "the chain ends elsewhere");
}

static bool check_lines(struct record_checker *checker)
{
    for (uint32_t i = 0; i < checker->record->lines.len; i++) {
        const struct record_line line = checker->record->lines.at[i];
        bool ok = term_type(&checker->record->terms, line.a).v ==
                  term_type(&checker->record->terms, line.b).v;
        if (!ok)
            return wrong(checker, i, "the two terms have different types");
        switch (line.kind) {
        case LINE_RULE:
            ok = check_rule(checker, i, &line);
            break;
        case LINE_FOLD:
            ok = check_fold(checker, i, &line);
            break;
        case LINE_LAYOUT:
            ok = check_layout(checker, i, &line);
            break;
        case LINE_CONG:
            ok = check_cong(checker, i, &line);
            break;
        case LINE_TRANS:
            ok = check_trans(checker, i, &line);
            break;
        case LINE_CALL: // looked at before (structure_calls)
        case N_LINE_KINDS:
            break;
        case LINE_COMPLEX:
            ok = complex_equal(checker->structure.input, &checker->record->terms, line.a, line.b) ||
                 wrong(checker, i, "the parts of complex numbers do not say this");
            break;
        case LINE_REFINE:
            ok = form_refine(checker->structure.input, &checker->record->terms, line.a).v ==
                     line.b.v ||
                 wrong(checker, i, "the sizes do not say this");
            break;
        case LINE_SLICES: {
            const char *why = slices_wrong(&checker->slices, &line);
            ok = why == NULL || wrong(checker, i, why);
            break;
        }
        case LINE_CARRIED:
        case LINE_TWIN:
        case LINE_BRANCH: {
            const char *why = structure_wrong(&checker->structure, &line);
            ok = why == NULL || wrong(checker, i, why);
            break;
        }
        }
        const char *why = ok ? slices_rest(&checker->slices, &line) : NULL;
        if (!ok || (why != NULL && !wrong(checker, i, why)))
            return false;
    }
    return true;
}

static bool differs(struct record_checker *checker, const char *name, const char *what)
{
    return err_set(checker->err, ERR_CHECK,
                   "function @%s has other %s in the output than in the input", name, what);
}

// HLO has no word for it but ENTRY: a reader calls a function private if only calls name it, and
// these may have gone.
static bool same_visibility(const struct record_checker *checker, const struct function *f,
                            const struct function *g)
{
    const struct program *input = checker->structure.input;
    bool is_public = strcmp(sym_text(input->pool, f->visibility), "public") == 0;
    return f->visibility.v == g->visibility.v ||
           (input->format == PROGRAM_HLO && !is_public &&
            strcmp(sym_text(input->pool, g->visibility), "public") != 0);
}

static bool same_function(struct record_checker *checker, const struct function *f,
                          const struct function *g)
{
    const char *name = sym_text(checker->record->terms.pool, f->name);
    if (f->name.v != g->name.v || !same_visibility(checker, f, g) || f->attrs.v != g->attrs.v ||
        f->declaration != g->declaration)
        return differs(checker, name, "name or attributes");
    if (f->params.len != g->params.len)
        return differs(checker, name, "parameters");
    for (uint32_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].type.v != g->params.at[i].type.v ||
            f->params.at[i].attrs.v != g->params.at[i].attrs.v)
            return differs(checker, name, "parameters");
    if (f->results.len != g->results.len)
        return differs(checker, name, "results");
    for (uint32_t i = 0; i < f->results.len; i++)
        if (f->results.at[i].type.v != g->results.at[i].type.v ||
            f->results.at[i].attrs.v != g->results.at[i].attrs.v)
            return differs(checker, name, "results");
    return f->effects.len == g->effects.len || differs(checker, name, "side effects");
}

static bool same_header(const struct module *a, const struct module *b)
{
    return a->name.v == b->name.v && a->attrs.v == b->attrs.v && a->written == b->written &&
           a->split == b->split && a->extras_end == b->extras_end;
}

static bool same_modules(struct record_checker *checker, const struct program *in,
                         const struct program *out)
{
    // Texts of opaque terms mean the same in one format only.
    bool same = in->format == out->format && in->extras.len == out->extras.len &&
                in->modules.len == out->modules.len;
    for (uint32_t i = 0; same && i < in->modules.len; i++)
        same = same_header(&in->modules.at[i], &out->modules.at[i]);
    for (uint32_t i = 0; same && i < in->extras.len; i++)
        same = in->extras.at[i].v == out->extras.at[i].v;
    if (!same)
        return err_set(checker->err, ERR_CHECK,
                       "the output has another format, or other modules, "
                       "attributes or operations beside the functions");
    for (uint32_t g = 0; g < out->functions.len; g++)
        if (!same_function(checker, &in->functions.at[checker->renaming.function.at[g]],
                           &out->functions.at[g]))
            return false;
    return true;
}

// The goal about this root, or NULL.
static const struct record_goal *find_goal(const struct record_checker *checker, uint32_t f,
                                           uint32_t root)
{
    for (uint32_t i = 0; i < checker->record->goals.len; i++)
        if (checker->record->goals.at[i].function == f && checker->record->goals.at[i].root == root)
            return &checker->record->goals.at[i];
    return NULL;
}

// A side effect stays the same operation, and so do those in its regions; only its arguments
// may be rewritten.
static bool same_effect(struct record_checker *checker, const char *name,
                        const struct record_goal *goal, term_id in, term_id out)
{
    if (checker->record->lines.at[goal->line].kind == LINE_CONG &&
        effects_same(&checker->record->terms, in, out))
        return true;
    return err_set(checker->err, ERR_CHECK, "a side effect of @%s is replaced by another operation",
                   name);
}

struct program_root {
    const char *name; // of the function
    uint32_t function, root;
    bool effect; // not a result
};

static bool check_root(struct record_checker *checker, struct program_root program_root, term_id in,
                       term_id out)
{
    const char *name = program_root.name;
    uint32_t root = program_root.root;
    const struct record_goal *goal = find_goal(checker, program_root.function, root);
    if (goal && (goal->input.v != in.v || goal->output.v != out.v))
        return err_set(checker->err, ERR_CHECK,
                       "the record has another %s for "
                       "root %u of @%s",
                       goal->input.v != in.v ? "input" : "output", root, name);
    if (in.v == out.v)
        return true;
    if (!goal)
        return err_set(checker->err, ERR_CHECK,
                       "the record has no goal for root %u of @%s, "
                       "which changed",
                       root, name);
    if (goal->line >= checker->record->lines.len)
        return err_set(checker->err, ERR_CHECK, "no line proves root %u of @%s", root, name);
    struct line_part part = {.line = goal->line, .flip = goal->flip};
    term_id from, to;
    part_ends(checker, &part, &from, &to);
    if (from.v != in.v || to.v != out.v)
        return err_set(checker->err, ERR_CHECK, "line %u does not prove root %u of @%s", goal->line,
                       root, name);
    if (!slices_prove(&checker->slices, goal->line, program_root.function))
        return err_set(checker->err, ERR_CHECK,
                       "line %u rests on the sizes of another function than @%s", goal->line, name);
    return !program_root.effect || same_effect(checker, name, goal, in, out);
}

// Every goal must be about a root, and no two goals about the same root.
static bool goals_named(struct record_checker *checker, const struct program *in)
{
    for (uint32_t i = 0; i < checker->record->goals.len; i++) {
        const struct record_goal *goal = &checker->record->goals.at[i];
        struct u32_vec roots = {0};
        if (goal->function < in->functions.len)
            function_roots(&in->functions.at[goal->function], &roots);
        bool ok = goal->root < roots.len && find_goal(checker, goal->function, goal->root) == goal;
        vec_release(&roots);
        if (!ok)
            return err_set(checker->err, ERR_CHECK,
                           "goal %u of the record is about no root of a "
                           "function, or about one that another is about",
                           i);
    }
    return true;
}

static bool check_goals(struct record_checker *checker, const struct program *in,
                        const struct program *out)
{
    struct u32_vec in_memo = {0}, out_memo = {0};
    bool ok = true;
    for (uint32_t g = 0; ok && g < out->functions.len; g++) {
        uint32_t f = checker->renaming.function.at[g];
        struct u32_vec list = {0}, b = {0};
        function_roots(&in->functions.at[f], &list);
        function_roots(&out->functions.at[g], &b);
        const char *name = sym_text(checker->record->terms.pool, in->functions.at[f].name);
        for (uint32_t i = 0; ok && i < list.len; i++)
            ok = check_root(
                checker, (struct program_root){name, f, i, i >= in->functions.at[f].results.len},
                term_import(&checker->record->terms, &in->terms, &in_memo, (term_id){list.at[i]}),
                term_import_as(&checker->record->terms, &out->terms, &out_memo, &checker->renaming,
                               (term_id){b.at[i]}));
        vec_release(&list);
        vec_release(&b);
    }
    vec_release(&in_memo);
    vec_release(&out_memo);
    return ok;
}

bool record_check(struct record *record, const struct program *input, const struct program *output,
                  const struct check_options *options, struct err *err)
{
    struct record_checker checker = {.record = record, .options = options, .err = err};
    structure_init(&checker.structure, record, input);
    slice_checker_init(&checker.slices, &checker.structure);
    bool ok = rule_statuses(&checker) &&
              output_renaming(record, input, output, &checker.renaming, err) &&
              structure_calls(&checker.structure, &checker.finite, err) && check_lines(&checker) &&
              same_modules(&checker, input, output) && goals_named(&checker, input) &&
              check_goals(&checker, input, output);
    renaming_release(&checker.renaming);
    slice_checker_release(&checker.slices);
    structure_release(&checker.structure);
    finite_release(&checker.finite);
    arena_release(&checker.mem);
    return ok;
}
