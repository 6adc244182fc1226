// SPDX-License-Identifier: Apache-2.0
// A formula's record as events: the steps are a chain of whole formulas.
#include "proof/emit/walk.h"
#include "proof/formula/data.h"
#include "proof/formula/steps.h"
#include "proof/formula/texts.h"

#include "formula/print/print.h"
#include "formula/rules/expand.h"
#include "rules/describe/describe.h"

#include <stdlib.h>

struct formula_walk {
    struct emit_terms terms; // first: the printer finds the walk by this member
    const struct formula_record *record;
    struct formula_texts texts;
    struct fsteps steps;
    bool has_texts, has_steps;
    struct arena mem;
    struct walk_rules rules;
    struct emit_head head;
    struct u32_vec line_at; // where each line of the proof begins
    VEC(struct emit_function) functions;
};

static void print_term(const struct emit_terms *terms, const struct emit_value *value,
                       enum notation notation, bool lets, struct buf *out)
{
    const struct formula_texts *texts = &((const struct formula_walk *)(const void *)terms)->texts;
    struct print_options options = {.lets = lets, .path = value->path, .n_path = value->n_path};
    if (value->path != NULL)
        formula_print_marked(&texts->in, &texts->defs, value->term, notation, &options, out);
    else
        formula_print(&texts->in, &texts->defs, value->term, notation, lets, out);
}

static bool read_term(struct emit_terms *terms, const char *text, uint32_t *term, struct err *err)
{
    struct formula_walk *walk = (struct formula_walk *)(void *)terms;
    return fterm_read(&walk->texts.terms, text, term, err);
}

static struct emit_value value(const struct formula_walk *walk, fterm term)
{
    return (struct emit_value){.source = &walk->terms, .term = term};
}

static double cost_of(const struct fterms *terms, fterm term)
{
    struct u32_vec all = {0};
    double *cost = mem_alloc((term + 1) * sizeof *cost);
    fterms_reach(terms, 1, &term, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        cost[y] = formula_cost(terms, y);
        for (uint32_t k = 0; k < fterm_n(terms, y); k++)
            cost[y] += cost[fterm_args(terms, y)[k]];
    }
    double all_cost = cost[term];
    mem_free(cost);
    vec_release(&all);
    return all_cost;
}

static const char *size_of(struct formula_walk *walk, fterm term)
{
    struct buf text = {0};
    buf_printf(&text, "cost %g", cost_of(&walk->texts.terms, term));
    return walk_keep(&walk->mem, &text);
}

static bool read_rules(struct formula_walk *walk, const struct emit_request *request,
                       struct err *err)
{
    const struct formula_record *record = walk->record;
    walk_rules_init(&walk->rules, record->rules.len);
    for (uint32_t i = 0; i < record->rules.len; i++) {
        const struct formula_record_rule *rule = &record->rules.at[i];
        struct buf meaning = {0};
        rule_meaning(walk->texts.rules.at[i], &meaning);
        struct emit_rule shown = {.name = rule->name,
                                  .hash = rule->hash,
                                  .text = rule->text,
                                  .meaning = walk_keep(&walk->mem, &meaning),
                                  .backward = rule->backward,
                                  .assumed = rule->assumed};
        if (!walk_rules_add(&walk->rules, shown, request, &walk->mem, err))
            return false;
    }
    return true;
}

// The calls in the result, those beneath first, and what they stand for.  Squares are printed as
// powers, which say it themselves.
static void find_functions(struct formula_walk *walk)
{
    struct formula_texts *texts = &walk->texts;
    struct u32_vec all = {0};
    fterms_reach(&texts->terms, 1, &texts->out.term, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        const char *name = fterm_name(&texts->terms, all.at[i]);
        const struct fdefine *define = fdefine_named(&texts->defs, name, (uint32_t)strlen(name));
        if (define == NULL || define->squares)
            continue;
        fterm meaning;
        bool whole;
        formula_expand(&texts->terms, &texts->defs, all.at[i], &meaning, &whole);
        if (whole && meaning != all.at[i])
            vec_push(&walk->functions,
                     ((struct emit_function){value(walk, all.at[i]), value(walk, meaning)}));
    }
    vec_release(&all);
    walk->head.n_functions = walk->functions.len;
    walk->head.function = walk->functions.at;
}

static void read_head(struct formula_walk *walk, const struct emit_request *request)
{
    const struct formula_texts *texts = &walk->texts;
    uint32_t lines, uses;
    struct buf counts = {0};
    formula_record_count(walk->record, &lines, &uses);
    buf_printf(&counts, "%u lines, %u uses of %u rules", lines, uses, walk->record->rules.len);
    walk->head = (struct emit_head){
        .kind = RECORD_FORMULA,
        .title = request->title ? request->title : "",
        .remark = request->remark ? request->remark : "",
        .fault = request->fault ? request->fault : "",
        .about = "Proof record of a formula, over the real numbers",
        .counts = walk_keep(&walk->mem, &counts),
        .input = walk->record->input,
        .output = walk->record->output,
        .before = value(walk, texts->in.term),
        .after = value(walk, texts->out.term),
        .size_before = size_of(walk, texts->in.term),
        .size_after = size_of(walk, texts->out.term),
        .chain = true,
        .unchanged = walk->record->proof[0] == 0,
        .first = value(walk, texts->left),
        .terms = &walk->terms,
    };
}

static bool read_record(void *at, const struct record_emitter *format,
                        const struct emit_request *request, struct err *err)
{
    struct formula_walk *walk = at;
    walk->has_texts = true;
    if (!formula_texts_read(&walk->texts, walk->record, err) || !read_rules(walk, request, err))
        return false;
    read_head(walk, request);
    find_functions(walk);
    if (format->step == NULL || walk->head.unchanged)
        return true;
    walk->has_steps = true;
    return fsteps_of(&walk->steps, &walk->texts.terms, walk->record->proof, walk->texts.left,
                     format->most_steps, err);
}

static const struct emit_head *head(const void *at)
{
    return &((const struct formula_walk *)at)->head;
}

static uint32_t count(const void *at, enum record_part part)
{
    const struct formula_walk *walk = at;
    switch (part) {
    case PART_DEFINITIONS:
        return walk->record->defines.len;
    case PART_CONSTANTS:
        return walk->record->constants.len;
    case PART_CONDITIONS:
        return walk->record->givens.len;
    case PART_RULES:
        return walk->record->rules.len;
    case PART_LINES:
        return walk->line_at.len;
    case PART_STEPS:
        return walk->steps.step.len;
    default:
        return 0;
    }
}

static json_t *member(const void *at, uint32_t i, const char **key)
{
    return formula_data_member(((const struct formula_walk *)at)->record, i, key);
}

static json_t *element(void *at, enum record_part part, uint32_t i)
{
    const struct formula_walk *walk = at;
    switch (part) {
    case PART_DEFINITIONS:
        return formula_data_define(walk->record, i);
    case PART_CONSTANTS:
        return formula_data_constant(walk->record, i);
    case PART_CONDITIONS:
        return formula_data_given(walk->record, i);
    case PART_RULES:
        return formula_data_rule(walk->record, i);
    case PART_LINES: {
        const char *line = walk->record->proof + walk->line_at.at[i];
        return json_stringn(line, strcspn(line, "\n"));
    }
    default:
        return NULL;
    }
}

// True if the proof uses given condition number i.
static bool given_is_used(const char *proof, uint32_t i)
{
    for (const char *at = proof; at != NULL && *at != 0; at = strchr(at, '\n'), at += at != NULL) {
        if (strncmp(at, "given ", 6) != 0)
            continue;
        const char *end = at + strcspn(at, "\n");
        while (end > at && end[-1] == ' ')
            end--;
        while (end > at && end[-1] >= '0' && end[-1] <= '9')
            end--;
        if (strtoul(end, NULL, 10) == i)
            return true;
    }
    return false;
}

// In proofs, a rule with operator variables is called `name.operator`.
static bool is_called(const char *rule, const char *name)
{
    size_t n = strlen(rule);
    return strncmp(rule, name, n) == 0 && (name[n] == 0 || name[n] == '.');
}

static void find_rule(const struct formula_walk *walk, struct emit_step *step)
{
    for (uint32_t i = 0; i < walk->rules.at.len; i++) {
        const struct emit_rule *rule = &walk->rules.at.at[i];
        if (!is_called(rule->name, step->name))
            continue;
        step->assumed = step->assumed || rule->assumed;
        if (step->rule == NULL)
            step->rule = rule;
    }
    step->backward = (step->rule != NULL && step->rule->backward) != step->flip;
}

static bool emit_step(const struct formula_walk *walk, struct emission *emission, uint32_t i)
{
    static const enum emit_step_kind kinds[] = {
        [FSTEP_RULE] = STEP_RULE,   [FSTEP_FOLD] = STEP_FOLD, [FSTEP_GIVEN] = STEP_GIVEN,
        [FSTEP_ORDER] = STEP_ORDER, [FSTEP_MANY] = STEP_MANY,
    };
    static const uint32_t root[1]; // at the root the path is empty, but not NULL
    const struct fsteps *steps = &walk->steps;
    const struct fstep *from = &steps->step.at[i];
    VEC(struct emit_value) conditions = {0};
    for (uint32_t k = 0; k < from->cond_n; k++)
        vec_push(&conditions, value(walk, steps->cond.at[from->cond_at + k]));
    struct emit_step step = {
        .kind = kinds[from->kind],
        .number = i + 1,
        .name = from->rule,
        .flip = from->flip,
        .count = from->number,
        .before = value(walk, i > 0 ? steps->step.at[i - 1].after : steps->first),
        .after = value(walk, from->after),
        .n_conditions = conditions.len,
        .condition = conditions.at,
    };
    step.after.path = from->n > 0 ? steps->path.at + from->at : root;
    step.after.n_path = from->n;
    if (step.kind == STEP_RULE)
        find_rule(walk, &step);
    bool ok = emission->format->step(emission, &step);
    vec_release(&conditions);
    return ok;
}

static bool entry(void *at, struct emission *emission, enum record_part part, uint32_t i)
{
    const struct formula_walk *walk = at;
    const struct formula_record *record = walk->record;
    const struct record_emitter *format = emission->format;
    if (part == PART_DEFINITIONS && format->definition != NULL)
        return format->definition(emission, record->defines.at[i]);
    if (part == PART_CONSTANTS && format->constant != NULL) {
        const struct formula_record_constant *from = &record->constants.at[i];
        struct emit_constant constant = {from->text, from->value, from->precision,
                                         from->difference};
        return format->constant(emission, &constant);
    }
    if (part == PART_CONDITIONS && format->condition != NULL) {
        const struct formula_record_given *given = &record->givens.at[i];
        struct emit_condition condition = {.number = i,
                                           .text = given->cond,
                                           .by = given->by,
                                           .used = given_is_used(record->proof, i)};
        return format->condition(emission, &condition);
    }
    if (part == PART_RULES && format->rule != NULL)
        return format->rule(emission, &walk->rules.at.at[i]);
    if (part == PART_STEPS && format->step != NULL)
        return emit_step(walk, emission, i);
    return true;
}

static const struct record_walker walker = {
    .kind = RECORD_FORMULA,
    .key = {[PART_DEFINITIONS] = "defines",
            [PART_CONSTANTS] = "constants",
            [PART_CONDITIONS] = "givens",
            [PART_RULES] = "rules",
            [PART_LINES] = "proof",
            [PART_STEPS] = "steps"},
    .read = read_record,
    .head = head,
    .count = count,
    .member = member,
    .element = element,
    .entry = entry,
};

bool emit_formula(const struct formula_record *record, const struct record_emitter *format,
                  const struct emit_request *request, struct buf *out, struct err *err)
{
    struct formula_walk walk = {
        .terms = {.notations = true, .print = print_term, .read = read_term}, .record = record};
    for (const char *at = record->proof; *at != 0; at += strcspn(at, "\n"), at += *at == '\n')
        vec_push(&walk.line_at, (uint32_t)(at - record->proof));
    bool ok = record_walk(&walker, &walk, format, request, out, err);
    if (walk.has_steps)
        fsteps_release(&walk.steps);
    if (walk.has_texts)
        formula_texts_release(&walk.texts);
    vec_release(&walk.rules.at);
    vec_release(&walk.line_at);
    vec_release(&walk.functions);
    arena_release(&walk.mem);
    return ok;
}
