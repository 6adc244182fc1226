// SPDX-License-Identifier: Apache-2.0
#include "api/simplify/result.h"

#include "base/clock.h"
#include "base/text/cursor.h"
#include "base/text/excerpt.h"
#include "formula/language/ast.h"

_Static_assert((int)RW_NOTATION_TEXT == NOTATION_TEXT && (int)RW_NOTATION_LATEX == NOTATION_LATEX &&
                   (int)RW_NOTATION_MATHML == NOTATION_MATHML,
               "notations have one order");

enum { LEAST_NODES = 60, MOST_NODES = 100000000 };

static bool read_options(struct formula_simplification *run,
                         const struct rw_simplify_options *options, struct err *err)
{
    const struct rw_context *context = run->context;
    run->options = simplify_defaults();
    double nodes = context_limit(context, LIMIT_nodes, run->options.max_nodes);
    double rounds = context_limit(context, LIMIT_rounds, run->options.max_rounds);
    if ((unsigned)options->notation > RW_NOTATION_MATHML)
        return err_set(err, ERR_USAGE, "no such notation");
    run->notation = (enum notation)options->notation;
    run->options.max_nodes = nodes < LEAST_NODES  ? LEAST_NODES
                             : nodes > MOST_NODES ? MOST_NODES
                                                  : (uint32_t)nodes;
    run->options.max_rounds = (uint32_t)rounds;
    if (context->given[LIMIT_seconds]) {
        run->options.seconds = context->limit[LIMIT_seconds];
        run->options.max_steps = 0;
    }
    run->options.expand = options->expand;
    run->options.keep_constants = options->keep_constants;
    if (options->given != NULL)
        buf_puts(&run->given, options->given);
    return true;
}

// The given conditions precede the formula, between `given` and `; `.  The
// place of an error is a place in the text that has the error.
static void place_error(const struct formula_simplification *run, size_t conditions,
                        struct err *err)
{
    const char *text = buf_text(&run->text), *from = text + conditions, *end = text + run->text.len;
    struct cursor cursor = {text, text + run->text.len, 1, 1};
    while (cursor.at < cursor.end && (cursor.line != err->line || cursor.col != err->col))
        cursor_advance(&cursor);
    const char *at = cursor.at;
    if (at < from) {
        from = text + strlen("given ");
        end = from + run->given.len;
        size_t n = strlen(err->msg), known = strlen("found ;");
        if (at >= end && n > known && strcmp(err->msg + n - known, "found ;") == 0)
            snprintf(err->msg + n - 1, sizeof err->msg - n, "the end");
        at = at < end ? at : end;
        err_in(err, "given");
    }
    struct cursor own = {from, cursor.end, 1, 1};
    while (own.at < at)
        cursor_advance(&own);
    err->line = own.line;
    err->col = own.col;
    err->excerpt[0] = '\0';
    excerpt_attach(err, from, (size_t)(end - from));
}

// Where the formula starts, behind the given conditions.
static size_t put_text(struct formula_simplification *run, const char *text)
{
    if (run->given.at != NULL)
        buf_printf(&run->text, "given %s; ", buf_text(&run->given));
    size_t conditions = run->text.len;
    buf_puts(&run->text, text);
    return conditions;
}

bool formula_is_written(const char *text, const char *given, const char *file, struct err *err)
{
    struct formula_simplification run = {0};
    struct ast ast = {0};
    struct intern names;
    intern_init(&names);
    if (given != NULL)
        buf_puts(&run.given, given);
    size_t conditions = put_text(&run, text);
    bool ok = ast_parse(&ast, &names, file, buf_text(&run.text), err);
    if (!ok) {
        excerpt_attach(err, buf_text(&run.text), run.text.len);
        if (err->line > 0 && conditions > 0)
            place_error(&run, conditions, err);
    }
    ast_release(&ast);
    intern_release(&names);
    buf_release(&run.text);
    buf_release(&run.given);
    return ok;
}

static bool read_input(struct formula_simplification *run, const char *text, const char *file,
                       struct err *err)
{
    size_t conditions = put_text(run, text);
    run->has_input = formula_read(&run->input, &run->terms, &run->rewriter->formulas.defs, file,
                                  buf_text(&run->text), err);
    if (!run->has_input && err->line > 0 && conditions > 0)
        place_error(run, conditions, err);
    return run->has_input;
}

// Names beside a row are rows, too, which a reduction tells from numbers.
static void note_rows(const struct formula_simplification *run)
{
    struct buf names = {0};
    const char *first = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->input.variables.len; i++) {
        const struct fvariable *variable = &run->input.variables.at[i];
        if (!variable->assumed)
            continue;
        first = n == 0 ? variable->name : first;
        buf_printf(&names, "%s%s", n++ == 0 ? "" : ", ", variable->name);
    }
    if (n > 0)
        context_note(run->context, "%s %s read as %s; declare `scalar %s;` for a single number",
                     buf_text(&names), n == 1 ? "is" : "are", n == 1 ? "a row" : "rows", first);
    buf_release(&names);
}

// `e` is a name like any other.
static void note_euler(const struct formula_simplification *run)
{
    for (uint32_t i = 0; i < run->input.variables.len; i++)
        if (run->input.variables.at[i].euler)
            context_note(run->context, "e is read as a name: the exponential of x is `exp(x)`; "
                                       "declare `scalar e;` for a number of that name");
}

static bool trusted(void *user, const struct rule *rule, const char *name, bool assumed,
                    struct rule_status *out, struct err *err)
{
    const struct rw_rewriter *rewriter = user;
    bool known = false;
    if (assumed && rewriter->assumed && has_rule(rewriter->assumed, rule->hash)) {
        *out = status_assumed();
        return true;
    }
    return (!assumed && status_by_hash(rewriter->database->db, rule->hash, out, &known, err) &&
            known) ||
           err_set(err, ERR_CHECK, "rule %s was not loaded", name);
}

// Only results that the checker accepts are returned.
static bool check_result(struct formula_simplification *run, struct err *err)
{
    struct formula_check_options options = {trusted, run->rewriter, true};
    struct err why = {0};
    if (formula_record_check(&run->record, &options, &why))
        return true;
    if (why.kind == ERR_DB || why.kind == ERR_IO) { // nothing was rejected
        *err = why;
        return false;
    }
    return err_set(err, ERR_NONE, // a bug
                   "a bug in rankwright: its own result is rejected: "
                   "%.600s",
                   why.msg);
}

static bool simplify(struct formula_simplification *run, const char *text, const char *file,
                     struct err *err)
{
    struct formula_rules *rules = &run->rewriter->formulas;
    if (!read_input(run, text, file, err) || !context_continues(run->context, err))
        return false;
    note_rows(run);
    note_euler(run);
    run->has_record = true;
    struct simplify_request request = {buf_text(&run->text), &rules->defs, rules->rules.len,
                                       rules->rules.at, &run->options};
    if (!simplify_formula(&run->input, &request, &run->result, &run->record, err) ||
        !formula_rules_texts(rules, run->rewriter->database->db, &run->record, err) ||
        !check_result(run, err))
        return false;
    if (run->result.cut)
        context_note(run->context, "the search was cut: the result, simplified again, may become "
                                   "easier");
    return true;
}

void formula_simplification_free(struct formula_simplification *run)
{
    if (run == NULL)
        return;
    if (run->has_record) {
        formula_record_release(&run->record);
        simplify_result_release(&run->result);
    }
    if (run->has_input)
        formula_release(&run->input);
    buf_release(&run->text);
    buf_release(&run->given);
    fterms_release(&run->terms);
    mem_free(run);
}

static struct rw_result *result_of(struct formula_simplification *run, double start)
{
    struct rw_result *result = mem_alloc(sizeof *result);
    const struct simplify_result *lifted = &run->result;
    const bool *given = run->context->given;
    // A limit that the caller did not set is part of the method.
    bool cut = strcmp(lifted->stopped, "seconds") == 0 ||
               (given[LIMIT_nodes] && strcmp(lifted->stopped, "nodes") == 0) ||
               (given[LIMIT_rounds] && strcmp(lifted->stopped, "rounds") == 0 &&
                run->options.max_rounds > 0); // else no rules were wanted
    result->context = run->context;
    result->formula = run;
    formula_put_output(run, &result->text);
    result->summary = (struct rw_summary){.cost = "reading",
                                          .cost_before = lifted->cost_before,
                                          .cost_after = lifted->cost_after,
                                          .nodes = lifted->nodes,
                                          .rounds = lifted->rounds,
                                          .steps = formula_steps(run),
                                          .stop = lifted->stopped,
                                          .complete = !cut,
                                          .no_value = lifted->no_value,
                                          .rules = run->rewriter->formulas.rules.len,
                                          .load_seconds = run->rewriter->load_seconds,
                                          .seconds = clock_wall() - start};
    return result;
}

struct rw_result *rw_simplify_formula(struct rw_rewriter *rewriter, const char *text,
                                      const char *file, const struct rw_simplify_options *options,
                                      struct rw_error *error)
{
    struct err err = {0};
    struct rw_simplify_options own;
    struct formula_simplification *run = mem_alloc(sizeof *run);
    run->rewriter = rewriter;
    fterms_init(&run->terms);
    bool ok = rewriter_context(rewriter, &run->context, &err) &&
              options_copy(options, &own, sizeof own, &err) && read_options(run, &own, &err) &&
              rewriter_load_formulas(rewriter, &err);
    double start = clock_wall();
    if (ok && simplify(run, text, file, &err))
        return result_of(run, start);
    formula_simplification_free(run);
    error_give(&err, error);
    return NULL;
}
