// SPDX-License-Identifier: Apache-2.0
// A program's record as events: steps are the uses of rules, folds and laws of
// layout in order, each one alone.  Goals name the steps that make each result.
#include "proof/emit/walk.h"
#include "proof/program/data.h"

#include "rules/describe/describe.h"
#include "tensor/fold/layout.h"

struct program_terms {
    struct emit_terms base;
    const struct record *record;
};
struct program_walk {
    const struct record *record;
    struct record_data data;
    struct program_terms terms;
    struct arena mem;
    struct walk_rules rules;
    struct emit_head head;
    struct u32_vec steps; // numbers of lines
    struct u32_vec mark;
};

static void print_term(const struct emit_terms *terms, const struct emit_value *value,
                       enum notation notation, bool lets, struct buf *out)
{
    (void)notation;
    (void)lets;
    record_term(((const struct program_terms *)terms)->record, (term_id){value->term}, out);
}

static const char *structure_text(enum line_kind kind)
{
    return kind == LINE_CALL      ? "a call is what its function computes"
           : kind == LINE_CARRIED ? "the loop hands the value on unchanged"
           : kind == LINE_TWIN    ? "two values of the loop are equal at every step"
           : kind == LINE_COMPLEX ? "a complex number is the pair of its parts"
           : kind == LINE_REFINE  ? "the sizes are known"
           : kind == LINE_SLICES  ? "an operation on sizes ? works slice by slice"
                                  : "this branch is always taken";
}

static bool is_step(const struct record_line *line)
{
    return line->kind != LINE_CONG && line->kind != LINE_TRANS;
}

// Counts the operations of all inputs, or of all outputs, of goals.
static const char *size_of(struct program_walk *walk, bool output)
{
    const struct terms *terms = &walk->record->terms;
    struct u32_vec mark = {0};
    struct buf text = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < terms->term.len; i++)
        vec_push(&mark, 0);
    for (uint32_t i = 0; i < walk->record->goals.len; i++) {
        const struct record_goal *goal = &walk->record->goals.at[i];
        mark.at[output ? goal->output.v : goal->input.v] = 1;
    }
    for (uint32_t i = mark.len; i-- > 0;) {
        const struct term *term = &terms->term.at[i];
        for (uint32_t k = 0; mark.at[i] && k < term->n_args; k++)
            mark.at[terms->args.at[term->args_at + k].v] = 1;
        n += mark.at[i] && term->op != OP_PARAMETER && term->op != OP_CONSTANT;
    }
    vec_release(&mark);
    buf_printf(&text, "%u operation%s", n, n == 1 ? "" : "s");
    return walk_keep(&walk->mem, &text);
}

static void read_head(struct program_walk *walk, const struct emit_request *request)
{
    const struct record *record = walk->record;
    struct buf about = {0}, counts = {0};
    uint32_t uses = 0;
    for (uint32_t i = 0; i < record->lines.len; i++)
        uses += record->lines.at[i].kind == LINE_RULE;
    buf_printf(&about, "Proof record of %s; floats are %s", record->input_name,
               reading_words(record->reading));
    buf_printf(&counts, "%u steps, %u of them by %u rules", walk->steps.len, uses,
               record->rules.len);
    walk->head = (struct emit_head){
        .kind = RECORD_PROGRAM,
        .title = request->title ? request->title : "",
        .remark = request->remark ? request->remark : "",
        .fault = request->fault ? request->fault : "",
        .about = walk_keep(&walk->mem, &about),
        .counts = walk_keep(&walk->mem, &counts),
        .before.text = record->input,
        .after.text = record->output,
        .size_before = size_of(walk, false),
        .size_after = size_of(walk, true),
        .unchanged = record->lines.len == 0,
        .terms = &walk->terms.base,
        .places = request->places,
    };
}

static bool read_rules(struct program_walk *walk, const struct emit_request *request,
                       struct err *err)
{
    const struct record *record = walk->record;
    walk_rules_init(&walk->rules, record->rules.len);
    for (uint32_t i = 0; i < record->rules.len; i++) {
        const struct record_rule *rule = &record->rules.at[i];
        struct buf text = {0}, meaning = {0};
        rule_print(rule->rule, &text);
        rule_meaning(rule->rule, &meaning);
        struct emit_rule shown = {.name = rule->name,
                                  .hash = rule->hash,
                                  .text = walk_keep(&walk->mem, &text),
                                  .meaning = walk_keep(&walk->mem, &meaning),
                                  .assumed = rule->assumed};
        if (!walk_rules_add(&walk->rules, shown, request, &walk->mem, err))
            return false;
    }
    return true;
}

static bool read_record(void *at, const struct record_emitter *format,
                        const struct emit_request *request, struct err *err)
{
    (void)format;
    struct program_walk *walk = at;
    read_head(walk, request);
    return read_rules(walk, request, err);
}

static const struct emit_head *head(const void *at)
{
    return &((const struct program_walk *)at)->head;
}

static uint32_t count(const void *at, enum record_part part)
{
    const struct program_walk *walk = at;
    switch (part) {
    case PART_RULES:
        return walk->record->rules.len;
    case PART_TYPES:
        return (uint32_t)json_array_size(walk->data.types);
    case PART_TERMS:
        return walk->data.reach.len;
    case PART_LINES:
        return walk->record->lines.len;
    case PART_STEPS:
        return walk->steps.len;
    case PART_GOALS:
        return walk->record->goals.len;
    default:
        return 0;
    }
}

static json_t *member(const void *at, uint32_t i, const char **key)
{
    return record_data_member(((const struct program_walk *)at)->record, i, key);
}

static json_t *element(void *at, enum record_part part, uint32_t i)
{
    struct program_walk *walk = at;
    switch (part) {
    case PART_RULES:
        return record_data_rule(walk->record, i);
    case PART_TYPES:
        return record_data_type(&walk->data, i);
    case PART_TERMS:
        return record_data_term(&walk->data, i);
    case PART_LINES:
        return record_data_line(&walk->data, i);
    case PART_GOALS:
        return record_data_goal(&walk->data, i);
    default:
        return NULL;
    }
}

struct bindings {
    struct program_walk *walk;
    VEC(struct emit_binding) at;
};

static void bind_text(struct bindings *bindings, const char *name, const char *is, struct buf *text)
{
    struct emit_binding binding = {name, is, walk_keep(&bindings->walk->mem, text)};
    *text = (struct buf){0};
    vec_push(&bindings->at, binding);
}

static void bind_term(struct bindings *bindings, const char *name, term_id term)
{
    struct buf text = {0};
    record_term(bindings->walk->record, term, &text);
    bind_text(bindings, name, " = ", &text);
}

static void bind_class(struct bindings *bindings, const struct instance *in, uint32_t c)
{
    const struct rule *rule = in->rule;
    struct buf text = {0};
    buf_printf(&text, "rank %u", in->rank[c]);
    for (uint32_t m = 0; m < rule->n_maps && in->rank[c]; m++) {
        if (rule->maps[m].cls != c || rule->maps[m].index)
            continue;
        buf_printf(&text, ", %s = [", rule->maps[m].name);
        for (uint32_t k = 0; k < in->rank[c]; k++)
            buf_printf(&text, "%s%lld", k ? ", " : "", (long long)in->map[m][k]);
        buf_putc(&text, ']');
    }
    bind_text(bindings, rule->classes[c].name, ": ", &text);
}

static void bind_instance(struct bindings *bindings, const struct instance *in)
{
    const struct rule *rule = in->rule;
    struct buf text = {0};
    for (uint32_t c = 0; c < rule->n_classes; c++)
        bind_class(bindings, in, c);
    for (uint32_t v = 0; v < rule->n_tensors; v++)
        bind_term(bindings, rule->tensors[v].name, in->tensor[v]);
    for (uint32_t v = 0; v < rule->n_scalars; v++)
        bind_term(bindings, rule->scalars[v].name, in->scalar[v]);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t k = 0; k < instance_indices(in, m); k++) {
            buf_printf(&text, "%s.%u", rule->maps[m].name, k);
            const char *name = walk_keep(&bindings->walk->mem, &text);
            text = (struct buf){0};
            bind_term(bindings, name, in->index[m][k]);
        }
    for (uint32_t v = 0; v < rule->n_opvars; v++) {
        buf_puts(&text, op_name(in->op[v].op));
        bind_text(bindings, rule->opvars[v].name, " = ", &text);
    }
}

// Both sides of a step have one value: the lines that make it.
static void find_places(const struct emit_places *places, const struct record_line *line,
                        struct emit_step *step)
{
    uint32_t a = line->a.v;
    step->line_before = places != NULL && a < places->n_terms ? places->before[a] : 0;
    step->line_after = places != NULL && a < places->n_terms ? places->after[a] : 0;
}

static bool emit_step(struct program_walk *walk, struct emission *emission, uint32_t number)
{
    const struct record_line *line = &walk->record->lines.at[number];
    const struct emit_terms *terms = &walk->terms.base;
    struct bindings bindings = {.walk = walk};
    struct emit_value where = {.text = line->where};
    struct emit_step step = {.number = number,
                             .name = "",
                             .before = {.source = terms, .term = line->a.v},
                             .after = {.source = terms, .term = line->b.v}};
    if (line->kind == LINE_RULE) {
        step.kind = STEP_RULE;
        step.rule = &walk->rules.at.at[line->rule];
        step.name = step.rule->name;
        step.flip = step.backward = line->backward;
        step.assumed = step.rule->assumed;
        step.n_conditions = line->where[0] != 0;
        step.condition = &where;
        bind_instance(&bindings, line->inst);
    } else {
        step.kind = line->kind == LINE_FOLD     ? STEP_FOLD
                    : line->kind == LINE_LAYOUT ? STEP_LAYOUT
                                                : STEP_STRUCTURE;
        if (step.kind == STEP_LAYOUT)
            step.name = layout_text((enum layout_kind)line->law);
        if (step.kind == STEP_STRUCTURE)
            step.name = structure_text(line->kind);
    }
    find_places(walk->head.places, line, &step);
    step.n_bindings = bindings.at.len;
    step.binding = bindings.at.at;
    bool ok = emission->format->step(emission, &step);
    vec_release(&bindings.at);
    return ok;
}

// Marks the lines that a line uses, itself included.
static void mark_uses(struct program_walk *walk, uint32_t number)
{
    const struct record *record = walk->record;
    struct u32_vec *mark = &walk->mark;
    vec_clear(mark);
    for (uint32_t i = 0; i < record->lines.len; i++)
        vec_push(mark, i == number);
    for (uint32_t i = number + 1; i-- > 0;) {
        const struct record_line *line = &record->lines.at[i];
        for (uint32_t k = 0; mark->at[i] && k < line->n_parts; k++)
            if (record->parts.at[line->parts_at + k].line < i)
                mark->at[record->parts.at[line->parts_at + k].line] = 1;
    }
}

static bool emit_goal(struct program_walk *walk, struct emission *emission, uint32_t i)
{
    const struct record *record = walk->record;
    const struct record_goal *goal = &record->goals.at[i];
    struct u32_vec steps = {0};
    struct emit_goal shown = {.function = goal->function, .root = goal->root};
    if (goal->line != NONE && goal->line < record->lines.len) {
        mark_uses(walk, goal->line);
        for (uint32_t k = 0; k <= goal->line; k++)
            if (walk->mark.at[k] && is_step(&record->lines.at[k]))
                vec_push(&steps, k);
        shown.changed = true;
        shown.line = goal->line;
    }
    shown.n_steps = steps.len;
    shown.step = steps.at;
    bool ok = emission->format->goal(emission, &shown);
    vec_release(&steps);
    return ok;
}

static bool entry(void *at, struct emission *emission, enum record_part part, uint32_t i)
{
    struct program_walk *walk = at;
    const struct record_emitter *format = emission->format;
    struct arena_mark mark = arena_mark(&walk->mem);
    bool ok = true;
    if (part == PART_RULES && format->rule != NULL)
        ok = format->rule(emission, &walk->rules.at.at[i]);
    else if (part == PART_STEPS && format->step != NULL)
        ok = emit_step(walk, emission, walk->steps.at[i]);
    else if (part == PART_GOALS && format->goal != NULL)
        ok = emit_goal(walk, emission, i);
    arena_reset(&walk->mem, mark);
    return ok;
}

static const struct record_walker walker = {
    .kind = RECORD_PROGRAM,
    .key = {[PART_RULES] = "rules",
            [PART_TYPES] = "types",
            [PART_TERMS] = "terms",
            [PART_LINES] = "lines",
            [PART_STEPS] = "steps",
            [PART_GOALS] = "goals"},
    .read = read_record,
    .head = head,
    .count = count,
    .member = member,
    .element = element,
    .entry = entry,
};

bool emit_program(const struct record *record, const struct record_emitter *format,
                  const struct emit_request *request, struct buf *out, struct err *err)
{
    struct program_walk walk = {.record = record, .terms = {{.print = print_term}, record}};
    record_data_init(&walk.data, record);
    for (uint32_t i = 0; i < record->lines.len; i++)
        if (is_step(&record->lines.at[i]))
            vec_push(&walk.steps, i);
    bool ok = record_walk(&walker, &walk, format, request, out, err);
    record_data_release(&walk.data);
    vec_release(&walk.rules.at);
    vec_release(&walk.steps);
    vec_release(&walk.mark);
    arena_release(&walk.mem);
    return ok;
}
