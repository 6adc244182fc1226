// SPDX-License-Identifier: Apache-2.0
// The order of work, and the texts of kept rules.
#include "discover/scalars/core.h"
#include "discover/limits.h"

#include "base/clock.h"

// Keys of equations that were assumed and then refuted.
struct wrong {
    char **at;
    uint32_t len, cap;
};

// Asks for assumed equations again, with more time.
static void settle(struct scalar_choice *choice, struct wrong *wrong)
{
    struct scalar_discovery *discovery = choice->discovery;
    for (uint32_t i = 0; i < choice->at.len && !scalar_late(discovery); i++) {
        struct chosen *chosen = &choice->at.at[i];
        if (!chosen->assumed || chosen->stuck)
            continue;
        enum judgement j = scalar_judge(discovery, &chosen->equation, true);
        chosen->assumed = j != JUDGED_TRUE;
        discovery->out->stats.proved += j == JUDGED_TRUE;
        if (j == JUDGED_FALSE) {
            struct buf key = {0};
            scalar_key(discovery, &chosen->equation, &key);
            vec_push(wrong, buf_detach(&key));
            discovery->out->stats.refuted++;
        }
    }
    for (uint32_t i = 0; i < choice->at.len; i++) {
        discovery->out->stats.unknown += choice->at.at[i].assumed;
        choice->at.at[i].dropped = choice->at.at[i].assumed;
    }
}

static void judge_rest(struct scalar_choice *choice)
{
    struct scalar_discovery *discovery = choice->discovery;
    for (uint32_t i = 0; i < choice->at.len; i++) {
        struct chosen *chosen = &choice->at.at[i];
        discovery->out->stats.derived += chosen->derived;
        if (!chosen->follows || chosen->dropped)
            continue;
        enum judgement j = scalar_late(discovery)
                               ? JUDGED_UNKNOWN
                               : scalar_judge(discovery, &chosen->equation, true);
        chosen->dropped = j != JUDGED_TRUE;
        discovery->out->stats.candidates++;
        discovery->out->stats.proved += j == JUDGED_TRUE;
        discovery->out->stats.refuted += j == JUDGED_FALSE;
        discovery->out->stats.unknown += j == JUDGED_UNKNOWN;
    }
}

// Names a rule by the outermost operators of both sides and a number.

static void name_part(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                      struct buf *out)
{
    const struct scalar_tree_node *scalar_tree_node = &tree->at[tree->n - 1];
    if (sym_arity(discovery, scalar_tree_node->sym) == 0) {
        buf_puts(out, sym_is_var(discovery, scalar_tree_node->sym) ? "operand" : "constant");
        return;
    }
    buf_puts(out, op_name(discovery->options->ops[scalar_tree_node->sym]));
    for (uint32_t k = 0; k < sym_arity(discovery, scalar_tree_node->sym); k++) {
        uint32_t inner = tree->at[k == 0 ? scalar_tree_node->a : scalar_tree_node->b].sym;
        if (sym_arity(discovery, inner) > 0) {
            buf_printf(out, "_of_%s", op_name(discovery->options->ops[inner]));
            return;
        }
    }
}

static void put_name(const struct scalar_discovery *discovery, const struct equation *equation,
                     struct intern *taken, struct buf *out)
{
    name_part(discovery, &equation->l, out);
    buf_puts(out, "_is_");
    name_part(discovery, &equation->r, out);
    size_t len = out->len;
    for (uint32_t k = 2;; k++) {
        uint32_t before = taken->entry.len;
        intern_bytes(taken, out->at, out->len);
        if (taken->entry.len > before)
            return;
        out->len = len;
        buf_printf(out, "_%u", (unsigned)k);
    }
}

static void give(struct scalar_choice *choice)
{
    struct scalar_discovery *discovery = choice->discovery;
    struct intern taken;
    intern_init(&taken);
    for (uint32_t i = 0; i < choice->at.len; i++) {
        const struct equation *equation = &choice->at.at[i].equation;
        struct buf name = {0}, text = {0}, side = {0};
        uint8_t number[SCALAR_MAX_VARS];
        if (choice->at.at[i].dropped)
            continue;
        numbers_clear(number);
        put_name(discovery, equation, &taken, &name);
        struct scalar_rule rule = {.conditional = equation->n_nonzero > 0};
        struct arena *mem = &discovery->out->mem;
        rule.name = arena_strdup(mem, buf_text(&name));
        scalar_tree_plain(discovery, &equation->l, "?", number, &side);
        rule.lhs = arena_strdup(mem, buf_text(&side));
        buf_clear(&side);
        scalar_tree_plain(discovery, &equation->r, "?", number, &side);
        rule.rhs = arena_strdup(mem, buf_text(&side));
        scalar_equation_text(discovery, equation, rule.name, &text);
        // The equation was seen at all inputs of one width; now it is proved as a rule.
        double begin = clock_wall();
        bool proved = !discovery->in.small ||
                      scalar_proves(discovery, buf_text(&text), true, false) == JUDGED_TRUE;
        discovery->out->stats.widening += clock_wall() - begin;
        discovery->out->stats.one_width += !proved;
        rule.text = arena_strdup(mem, buf_text(&text));
        rule.proved = proved;
        if (proved || discovery->options->width > 0)
            vec_push(&discovery->out->rule, rule);
        buf_release(&name);
        buf_release(&text);
        buf_release(&side);
    }
    intern_release(&taken);
}

// False: a wrong equation was assumed, so equations that followed from it must
// be examined again.
static bool once(const struct scalar_options *options, struct scalar_result *result, double begin,
                 double begin_cpu, struct wrong *wrong)
{
    struct scalar_discovery discovery = {.options = options, .out = result, .begin = begin};
    struct scalar_choice choice = {.discovery = &discovery};
    uint32_t before = wrong->len;
    scalar_inputs_make(&discovery);
    ruleset_init(&discovery.rules);
    intern_init(&discovery.tried);
    intern_init(&choice.keys);
    for (uint32_t i = 0; i < wrong->len; i++)
        intern_str(&discovery.tried, wrong->at[i]);
    scalar_begin(&discovery);
    vec_reserve(&discovery.plain.rule, SCALAR_RULES); // pointers to rules must stay valid
    struct run_options ro = {.max_rounds = SCALAR_ROUNDS, .guard = scalar_guard, .ctx = &discovery};
    run_init(&discovery.run, &discovery.graph, &discovery.plain, ro);
    uint32_t layers = options->max_depth > 0 ? options->max_depth : options->max_ops;
    for (uint32_t k = 1; k <= layers && !scalar_late(&discovery); k++) {
        scalar_layer(&discovery, k, k == layers);
        scalar_choose(&choice, false);
    }
    scalar_keep_equal(&choice);
    if (options->domain == DOMAIN_REAL && !options->unconditional && !discovery.stop)
        scalar_choose(&choice, true);
    settle(&choice, wrong);
    bool right = wrong->len == before;
    if (right && !discovery.stop) {
        scalar_complete(&choice, !options->keep_derived);
    }
    judge_rest(&choice);
    result->stats.seconds = clock_wall() - begin;
    result->stats.cpu = clock_cpu() - begin_cpu;
    result->stats.terms = discovery.graph.node.len;
    result->stats.classes = discovery.graph.n_classes;
    if (right)
        give(&choice);
    vec_release(&choice.at);
    vec_release(&choice.small);
    vec_release(&choice.sides);
    vec_release(&choice.is_chosen);
    intern_release(&choice.keys);
    run_release(&discovery.run);
    intern_release(&discovery.tried);
    ruleset_release(&discovery.rules);
    scalar_release(&discovery);
    scalar_inputs_release(&discovery);
    return right;
}

void discover_scalar(const struct scalar_options *options, struct scalar_result *result)
{
    struct scalar_options with = *options;
    struct wrong wrong = {0};
    double begin = clock_wall(), begin_cpu = clock_cpu();
    if (with.max_terms == 0)
        with.max_terms = SCALAR_TERMS;
    do {
        result->stats = (struct scalar_stats){.refuted = wrong.len};
    } while (!once(&with, result, begin, begin_cpu, &wrong));
    for (uint32_t i = 0; i < wrong.len; i++)
        mem_free(wrong.at[i]);
    vec_release(&wrong);
}

void scalar_result_release(struct scalar_result *result)
{
    arena_release(&result->mem);
    vec_release(&result->rule);
}
