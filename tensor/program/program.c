// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/program.h"

#include "tensor/program/region.h"
#include <inttypes.h>
#include <stdlib.h>

void program_init(struct program *program, struct pool *pool)
{
    *program = (struct program){0};
    program->pool = pool;
    program->remark = program->pinned = sym_make(pool, "");
    terms_init(&program->terms, pool);
}

void program_release(struct program *program)
{
    for (uint32_t i = 0; i < program->functions.len; i++) {
        vec_release(&program->functions.at[i].params);
        vec_release(&program->functions.at[i].results);
        vec_release(&program->functions.at[i].effects);
    }
    vec_release(&program->functions);
    vec_release(&program->callees);
    vec_release(&program->callee_of);
    vec_release(&program->forms);
    vec_release(&program->form_of);
    vec_release(&program->modules);
    vec_release(&program->extras);
    vec_release(&program->kept);
    vec_release(&program->pinned_serials);
    vec_release(&program->notes);
    vec_release(&program->note_of);
    vec_release(&program->local_notes);
    vec_release(&program->region_names);
    terms_release(&program->terms);
    source_free(program->source);
    *program = (struct program){0};
}

void program_keep(struct program *program, term_id term, sym_id attributes)
{
    while (program->kept.len <= term.v)
        vec_push(&program->kept, 0);
    if (program->kept.at[term.v] == 0)
        program->kept.at[term.v] = attributes.v + 1;
}

void program_pin(struct program *program, int64_t serial)
{
    while ((int64_t)program->pinned_serials.len <= serial)
        vec_push(&program->pinned_serials, 0);
    program->pinned_serials.at[serial] = 1;
}

bool program_is_pinned(const struct program *program, term_id term)
{
    int64_t serial = term_serial(&program->terms, term);
    return serial < (int64_t)program->pinned_serials.len && program->pinned_serials.at[serial] != 0;
}

const char *program_kept(const struct program *program, term_id term)
{
    if (term.v >= program->kept.len || program->kept.at[term.v] == 0)
        return "";
    return sym_text(program->pool, (sym_id){program->kept.at[term.v] - 1});
}

void program_note(struct program *program, struct term_note note)
{
    while (program->note_of.len <= note.term.v)
        vec_push(&program->note_of, 0);
    if (program->note_of.at[note.term.v] != 0)
        return;
    vec_push(&program->notes, note);
    program->note_of.at[note.term.v] = program->notes.len;
}

const struct term_note *program_note_of(const struct program *program, term_id term)
{
    uint32_t k = term.v < program->note_of.len ? program->note_of.at[term.v] : 0;
    return k == 0 ? NULL : &program->notes.at[k - 1];
}

void function_roots(const struct function *function, struct u32_vec *out)
{
    vec_clear(out);
    for (uint32_t i = 0; !function->declaration && i < function->results.len; i++)
        vec_push(out, function->results.at[i].term.v);
    for (uint32_t i = 0; i < function->effects.len; i++)
        vec_push(out, function->effects.at[i].v);
}

// The nodes that a function's results and effects reach.
static void function_reach(const struct program *program, const struct function *function,
                           struct u32_vec *out)
{
    struct u32_vec roots = {0};
    VEC(term_id) ids = {0};
    function_roots(function, &roots);
    for (uint32_t i = 0; i < roots.len; i++)
        vec_push(&ids, (term_id){roots.at[i]});
    terms_reach(&program->terms, ids.len, ids.at, out);
    vec_release(&ids);
    vec_release(&roots);
}

uint32_t function_size(const struct program *program, const struct function *function)
{
    struct u32_vec reach = {0};
    uint32_t n = 0;
    function_reach(program, function, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        enum op op = term_op(&program->terms, (term_id){reach.at[i]});
        n += op != OP_PARAMETER && op != OP_RESULT;
    }
    vec_release(&reach);
    return n;
}

// The state of a check.  Serials are gathered over all functions and sorted at the end.
struct program_checker {
    const struct program *program;
    const struct function *function;
    uint32_t index;        // of f
    struct u32_vec listed; // by term: function whose effect it is + 1, or 0
    struct u32_vec scope;  // by term
    struct i64_vec serials;
    struct err *err;
};

static const char *function_name(const struct program_checker *checker)
{
    return sym_text(checker->program->pool, checker->function->name);
}

static bool symbol_ok(const struct program_checker *checker, sym_id symbol)
{
    if (symbol.v < checker->program->pool->symbols.entry.len)
        return true;
    return err_set(checker->err, ERR_CHECK, "a program names symbol %u of %u", symbol.v,
                   checker->program->pool->symbols.entry.len);
}

static bool type_ok(const struct program_checker *checker, type_id type)
{
    if (type.v >= checker->program->pool->type.len)
        return err_set(checker->err, ERR_CHECK, "@%s: type %u does not exist",
                       function_name(checker), type.v);
    if (pool_type(checker->program->pool, type)->form == TYPE_TUPLE)
        return err_set(checker->err, ERR_CHECK, "@%s: a value has the type of several",
                       function_name(checker));
    return true;
}

static bool check_signature(const struct program_checker *checker)
{
    const struct function *function = checker->function;
    const struct terms *terms = &checker->program->terms;
    if (!symbol_ok(checker, function->name) || !symbol_ok(checker, function->visibility) ||
        !symbol_ok(checker, function->attrs))
        return false;
    for (uint32_t i = 0; i < function->params.len; i++)
        if (!symbol_ok(checker, function->params.at[i].name) ||
            !symbol_ok(checker, function->params.at[i].attrs) ||
            !type_ok(checker, function->params.at[i].type))
            return false;
    for (uint32_t i = 0; i < function->results.len; i++) {
        const struct result *result = &function->results.at[i];
        if (!symbol_ok(checker, result->attrs) || !type_ok(checker, result->type))
            return false;
        if (function->declaration ? result->term.v != NO_TERM.v
                                  : result->term.v >= terms->term.len ||
                                        term_type(terms, result->term).v != result->type.v)
            return err_set(checker->err, ERR_CHECK, "@%s: result %u is not a term of its type",
                           function_name(checker), i);
    }
    if (function->declaration && function->effects.len)
        return err_set(checker->err, ERR_CHECK, "@%s: a declaration has effects",
                       function_name(checker));
    return true;
}

// The side effects of the function, and those of their regions.
static bool check_effects(struct program_checker *checker)
{
    const struct terms *terms = &checker->program->terms;
    VEC(term_id) all = {0};
    bool ok = true;
    for (uint32_t i = 0; i < checker->function->effects.len; i++)
        vec_push(&all, checker->function->effects.at[i]);
    for (uint32_t i = 0; ok && i < all.len; i++) { // grows
        term_id id = all.at[i];
        if (id.v >= terms->term.len || !term_serial(terms, id))
            ok = err_set(checker->err, ERR_CHECK, "@%s: effect %u is no node with a side effect",
                         function_name(checker), i);
        else if (checker->listed.at[id.v])
            ok = err_set(checker->err, ERR_CHECK, "@%s: term %u stands twice among the effects",
                         function_name(checker), id.v);
        if (!ok)
            break;
        checker->listed.at[id.v] = checker->index + 1;
        vec_push(&checker->serials, term_serial(terms, id));
        for (uint32_t k = 0; k < term_at(terms, id)->n_args; k++)
            if (argument_role(terms, id, k).place == ARGUMENT_EFFECT)
                vec_push(&all, term_args(terms, id)[k]);
    }
    vec_release(&all);
    return ok;
}

// What the function gives and does needs nothing but its parameters.
static bool check_scopes(const struct program_checker *checker)
{
    struct u32_vec roots = {0};
    uint32_t own = scope_of_function(checker->function->number);
    bool ok = true;
    function_roots(checker->function, &roots);
    for (uint32_t i = 0; ok && i < roots.len; i++)
        if (!scope_has(&checker->program->terms, own, checker->scope.at[roots.at[i]]))
            ok = err_set(checker->err, ERR_CHECK,
                         "@%s: root %u needs a parameter of a region or of another function",
                         function_name(checker), i);
    vec_release(&roots);
    return ok;
}

static bool check_parameter(const struct program_checker *checker, const struct term *node)
{
    const int64_t *v = attr_at(checker->program->pool, node->attr);
    if (v[0] < 0) // the scopes are checked
        return PARAMETER_OF_REGION(v[0]) < checker->program->terms.region.len ||
               err_set(checker->err, ERR_CHECK, "@%s reaches a parameter of no region",
                       function_name(checker));
    if (v[0] != checker->function->number || v[1] >= checker->function->params.len)
        return err_set(checker->err, ERR_CHECK,
                       "@%s reaches parameter %" PRId64 " of function %" PRId64,
                       function_name(checker), v[1], v[0]);
    if (node->type.v != checker->function->params.at[v[1]].type.v)
        return err_set(checker->err, ERR_CHECK, "@%s: parameter %" PRId64 " has another type",
                       function_name(checker), v[1]);
    return true;
}

static bool check_body(const struct program_checker *checker)
{
    struct u32_vec reach = {0};
    bool ok = true;
    function_reach(checker->program, checker->function, &reach);
    for (uint32_t i = 0; ok && i < reach.len; i++) {
        term_id id = {reach.at[i]};
        const struct term *node = term_at(&checker->program->terms, id);
        if (node->op == OP_PARAMETER)
            ok = check_parameter(checker, node);
        if (ok && term_serial(&checker->program->terms, id) &&
            checker->listed.at[id.v] != checker->index + 1)
            ok =
                err_set(checker->err, ERR_CHECK, "@%s: term %u has a side effect and is not listed",
                        function_name(checker), id.v);
    }
    vec_release(&reach);
    return ok;
}

static int compare_i64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool check_serials(struct program_checker *checker)
{
    struct i64_vec *list = &checker->serials;
    if (list->len)
        qsort(list->at, list->len, sizeof *list->at, compare_i64);
    for (uint32_t i = 1; i < list->len; i++)
        if (list->at[i] == list->at[i - 1])
            return err_set(checker->err, ERR_CHECK,
                           "serial %" PRId64 " stands for two side effects", list->at[i]);
    return true;
}

// Names of functions [from, end) differ.
static bool check_names(const struct program_checker *checker, uint32_t from, uint32_t end)
{
    const struct program *program = checker->program;
    struct i64_vec names = {0};
    bool ok = true;
    for (uint32_t i = from; i < end; i++) {
        const struct function *function = &program->functions.at[i];
        vec_push(&names, function->name.v);
    }
    if (names.len)
        qsort(names.at, names.len, sizeof *names.at, compare_i64);
    for (uint32_t i = 0; ok && i < names.len; i++)
        if (names.at[i] == 0)
            ok = err_set(checker->err, ERR_CHECK, "a function has no name");
        else if (i && names.at[i] == names.at[i - 1])
            ok = err_set(checker->err, ERR_CHECK, "two functions are named '@%s'",
                         sym_text(program->pool, (sym_id){(uint32_t)names.at[i]}));
    vec_release(&names);
    return ok;
}

static bool check_modules(const struct program_checker *checker)
{
    const struct program *program = checker->program;
    uint32_t functions = 0, extras = 0;
    for (uint32_t i = 0; i < program->modules.len; i++) {
        const struct module *module = &program->modules.at[i];
        if (!symbol_ok(checker, module->name) || !symbol_ok(checker, module->attrs))
            return false;
        if (module->functions_end < functions || module->extras_end < extras ||
            module->functions_end > program->functions.len)
            return err_set(checker->err, ERR_CHECK, "module %u ends before it begins", i);
        if (!check_names(checker, functions, module->functions_end))
            return false;
        functions = module->functions_end;
        extras = module->extras_end;
    }
    return (functions == program->functions.len && extras == program->extras.len) ||
           err_set(checker->err, ERR_CHECK, "a function or operation is in no module");
}

static bool check_functions(struct program_checker *checker)
{
    for (uint32_t i = 0; i < checker->program->functions.len; i++) {
        checker->function = &checker->program->functions.at[i];
        checker->index = i;
        if (!check_signature(checker) || !check_effects(checker) || !check_body(checker) ||
            !check_scopes(checker))
            return false;
    }
    return check_modules(checker) && check_serials(checker);
}

bool program_check(const struct program *program, struct err *err)
{
    struct program_checker checker = {.program = program, .err = err};
    if (!terms_check(&program->terms, err) || !symbol_ok(&checker, program->remark))
        return false;
    for (uint32_t i = 0; i < program->extras.len; i++)
        if (!symbol_ok(&checker, program->extras.at[i]))
            return false;
    vec_reserve(&checker.listed, program->terms.term.len);
    if (program->terms.term.len)
        memset(checker.listed.at, 0, program->terms.term.len * sizeof *checker.listed.at);
    scopes_extend(&program->terms, &checker.scope);
    bool ok = check_functions(&checker);
    vec_release(&checker.scope);
    vec_release(&checker.listed);
    vec_release(&checker.serials);
    return ok;
}
