// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/call.h"

#include "base/memory/intern.h"
#include "tensor/program/region.h"

static uint32_t find_function(const struct program *program, const struct callee *callee)
{
    if (callee->module >= program->modules.len)
        return NO_FUNCTION;
    uint32_t f = callee->module == 0 ? 0 : program->modules.at[callee->module - 1].functions_end;
    for (; f < program->modules.at[callee->module].functions_end; f++)
        if (program->functions.at[f].name.v == callee->name.v)
            return program->functions.at[f].declaration ? NO_FUNCTION : f;
    return NO_FUNCTION;
}

void program_link_calls(struct program *program)
{
    for (uint32_t i = 0; i < program->callees.len; i++)
        program->callees.at[i].function = find_function(program, &program->callees.at[i]);
}

uint32_t called_function(const struct program *program, attr_id attr)
{
    int64_t text = attr_at(program->pool, attr)[0];
    uint32_t callee = text < program->callee_of.len ? program->callee_of.at[text] : 0;
    return callee == 0 ? NO_FUNCTION : program->callees.at[callee - 1].function;
}

term_id call_result(struct terms *terms, term_id call, uint32_t k)
{
    int64_t v = k;
    type_id type = term_type(terms, call);
    if (pool_type(terms->pool, type)->form != TYPE_TUPLE)
        return call;
    return term_make(terms, OP_RESULT, attr_make(terms->pool, 1, &v),
                     tuple_type(terms->pool, type, k), 1, &call);
}

static bool fits(const struct inlining *inlining)
{
    const struct function *function = &inlining->program->functions.at[inlining->function];
    const struct terms *terms = inlining->terms;
    type_id type = term_type(terms, inlining->call);
    bool tuple = pool_type(terms->pool, type)->form == TYPE_TUPLE;
    uint32_t n = tuple ? pool_type(terms->pool, type)->n : 1;
    bool ok = term_at(terms, inlining->call)->n_args == function->params.len &&
              n == function->results.len;
    for (uint32_t k = 0; ok && k < function->params.len; k++)
        ok = term_type(terms, term_args(terms, inlining->call)[k]).v ==
             function->params.at[k].type.v;
    for (uint32_t k = 0; ok && k < n; k++)
        ok = (tuple ? tuple_type(terms->pool, type, k) : type).v == function->results.at[k].type.v;
    return ok;
}

// The regions of the terms, ascending: the new number of the i-th is first_region + i.
static void find_regions(const struct terms *terms, const struct u32_vec *reach,
                         struct u32_vec *out)
{
    uint8_t *seen = mem_alloc(terms->region.len + 1u);
    memset(seen, 0, terms->region.len);
    for (uint32_t i = 0; i < reach->len; i++) {
        term_id id = {reach->at[i]};
        uint32_t region =
            term_op(terms, id) == OP_OPAQUE ? opaque_view(terms, id).region : NO_REGION;
        if (region != NO_REGION)
            seen[region] = 1;
    }
    for (uint32_t r = 0; r < terms->region.len; r++)
        if (seen[r])
            vec_push(out, r);
    mem_free(seen);
}

static uint32_t new_region(const struct inlining *inlining, const struct u32_vec *regions,
                           uint32_t region)
{
    for (uint32_t i = 0; i < regions->len; i++)
        if (regions->at[i] == region)
            return inlining->first_region + i;
    return region;
}

// A scope of the function as a scope of the call.
static uint32_t new_scope(const struct inlining *inlining, const struct u32_vec *regions,
                          uint32_t scope, uint32_t caller)
{
    uint32_t region = scope_region(scope);
    if (scope == scope_of_function(inlining->function))
        return caller;
    return region == NO_REGION ? scope : scope_of_region(new_region(inlining, regions, region));
}

// The scope of the block that has the call.
static uint32_t scope_of_call(const struct inlining *inlining)
{
    const struct terms *terms = inlining->terms;
    uint32_t call = inlining->call.v;
    return call < terms->home.len && terms->home.at[call] != 0 ? terms->home.at[call] - 1
                                                               : SCOPE_CLOSED;
}

static void enter_regions(const struct inlining *inlining, const struct u32_vec *regions)
{
    uint32_t caller = scope_of_call(inlining);
    for (uint32_t i = 0; i < regions->len; i++) {
        struct region region = inlining->program->terms.region.at[regions->at[i]];
        region.parent = new_scope(inlining, regions, region.parent, caller);
        region.around = new_scope(inlining, regions, region.around, caller);
        vec_push(&inlining->terms->region, region);
    }
}

static attr_id new_attr(const struct inlining *inlining, const struct u32_vec *regions,
                        const struct term *node)
{
    struct pool *pool = inlining->terms->pool;
    uint32_t n = attr_len(pool, node->attr);
    if (node->op == OP_PARAMETER) {
        const int64_t *old = attr_at(pool, node->attr);
        uint32_t region = new_region(inlining, regions, (uint32_t)PARAMETER_OF_REGION(old[0]));
        int64_t v[2] = {PARAMETER_OF_REGION(region), old[1]};
        return attr_make(pool, 2, v);
    }
    if (node->op != OP_OPAQUE || n <= OPAQUE_PLAIN)
        return node->attr;
    int64_t *v = mem_alloc(sizeof *v * n);
    memcpy(v, attr_at(pool, node->attr), sizeof *v * n);
    v[OPAQUE_PLAIN] = new_region(inlining, regions, (uint32_t)v[OPAQUE_PLAIN]);
    attr_id attr = attr_make(pool, n, v);
    mem_free(v);
    return attr;
}

static term_id copy_term(const struct inlining *inlining, const struct u32_vec *regions,
                         const struct u32_vec *copy_of, uint32_t id)
{
    const struct terms *from = &inlining->program->terms;
    struct term node = from->term.at[id];
    if (node.op == OP_PARAMETER) {
        const int64_t *v = attr_at(from->pool, node.attr);
        if (v[0] >= 0)
            return term_args(inlining->terms, inlining->call)[v[1]];
    }
    attr_id attr = new_attr(inlining, regions, &node);
    term_id *args = mem_alloc(sizeof *args * (node.n_args + 1u));
    for (uint32_t k = 0; k < node.n_args; k++)
        args[k].v = copy_of->at[from->args.at[node.args_at + k].v];
    term_id out = term_make(inlining->terms, (enum op)node.op, attr, node.type, node.n_args, args);
    mem_free(args);
    return out;
}

// Only the program's own terms have regions and homes.
static bool has_places(const struct inlining *inlining)
{
    return inlining->terms == &inlining->program->terms;
}

static void note_copy(const struct inlining *inlining, uint32_t original, term_id copy)
{
    struct source *source = inlining->program->source;
    if (source != NULL && has_places(inlining) && copy.v != original)
        vec_push(&source->copies,
                 ((struct source_copy){copy, (term_id){original}, inlining->call}));
}

uint32_t inline_call(const struct inlining *inlining, term_id *results)
{
    const struct program *program = inlining->program;
    const struct function *function = &program->functions.at[inlining->function];
    struct u32_vec reach = {0}, regions = {0}, copy_of = {0};
    VEC(term_id) roots = {0};
    if (!fits(inlining))
        return UINT32_MAX;
    for (uint32_t k = 0; k < function->results.len; k++)
        vec_push(&roots, function->results.at[k].term);
    terms_reach(&program->terms, roots.len, roots.at, &reach);
    bool pure = true;
    for (uint32_t i = 0; i < reach.len; i++)
        pure &= term_serial(&program->terms, (term_id){reach.at[i]}) == 0;
    if (!pure) {
        vec_release(&roots);
        vec_release(&reach);
        return UINT32_MAX;
    }
    find_regions(&program->terms, &reach, &regions);
    if (has_places(inlining))
        enter_regions(inlining, &regions);
    vec_zero(&copy_of, reach.len > 0 ? vec_last(&reach) + 1 : 0);
    uint32_t caller = scope_of_call(inlining);
    for (uint32_t i = 0; i < reach.len; i++) {
        uint32_t id = reach.at[i];
        term_id copy = copy_term(inlining, &regions, &copy_of, id);
        copy_of.at[id] = copy.v;
        note_copy(inlining, id, copy);
        if (has_places(inlining) && id < program->terms.home.len &&
            program->terms.home.at[id] != 0 && term_op(inlining->terms, copy) == OP_OPAQUE)
            term_settle(inlining->terms, copy,
                        new_scope(inlining, &regions, program->terms.home.at[id] - 1, caller));
    }
    for (uint32_t k = 0; k < roots.len; k++)
        results[k].v = copy_of.at[roots.at[k].v];
    uint32_t n = regions.len;
    vec_release(&roots);
    vec_release(&reach);
    vec_release(&regions);
    vec_release(&copy_of);
    return n;
}

bool call_is_plain(const struct program *program, uint32_t function, uint32_t k)
{
    struct u32_vec reach = {0};
    bool plain = true;
    terms_reach(&program->terms, 1, &program->functions.at[function].results.at[k].term, &reach);
    for (uint32_t i = 0; plain && i < reach.len; i++) {
        term_id id = {reach.at[i]};
        plain = term_op(&program->terms, id) != OP_OPAQUE ||
                opaque_view(&program->terms, id).region == NO_REGION;
    }
    vec_release(&reach);
    return plain;
}

// Which functions are named where.
struct naming {
    const struct program *program;
    struct u32_vec *keep, waiting;
    struct u32_vec read; // by symbol: 1 if that text was read
};

// A name says nothing of the module: all functions of the name are needed.
static void need(struct naming *naming, uint32_t function)
{
    const struct program *program = naming->program;
    if (naming->keep->at[function] != 0)
        return;
    for (uint32_t f = 0; f < program->functions.len; f++) {
        if (program->functions.at[f].name.v != program->functions.at[function].name.v)
            continue;
        naming->keep->at[f] = 1;
        vec_push(&naming->waiting, f);
    }
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '.' || c == '-';
}

// Every "@name" and @"name" of the text.  A text in quotes names what stands in it, too.
static void read_names(struct naming *naming, sym_id symbol)
{
    const char *text = sym_text(naming->program->pool, symbol);
    while (naming->read.len <= symbol.v)
        vec_push(&naming->read, 0);
    if (naming->read.at[symbol.v] != 0)
        return;
    naming->read.at[symbol.v] = 1;
    for (const char *at = strchr(text, '@'); at != NULL; at = strchr(at + 1, '@')) {
        const char *from = at + 1;
        size_t n = 0;
        if (*from == '"')
            n = strcspn(++from, "\"");
        else
            while (in_name(from[n]))
                n++;
        for (uint32_t f = 0; f < naming->program->functions.len; f++) {
            const char *name =
                sym_text(naming->program->pool, naming->program->functions.at[f].name);
            // A quoted name may have escapes: then all functions are needed.
            if ((strlen(name) == n && memcmp(name, from, n) == 0) || memchr(from, '\\', n) != NULL)
                need(naming, f);
        }
    }
}

static void read_function(struct naming *naming, const struct terms *terms, uint32_t f)
{
    const struct function *function = &naming->program->functions.at[f];
    struct u32_vec roots = {0}, reach = {0};
    VEC(term_id) ids = {0};
    function_roots(function, &roots);
    for (uint32_t i = 0; i < roots.len; i++)
        vec_push(&ids, (term_id){roots.at[i]});
    terms_reach(terms, ids.len, ids.at, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        if (term_op(terms, (term_id){reach.at[i]}) == OP_OPAQUE)
            read_names(naming, opaque_view(terms, (term_id){reach.at[i]}).text);
    read_names(naming, function->attrs);
    for (uint32_t k = 0; k < function->params.len; k++)
        read_names(naming, function->params.at[k].attrs);
    for (uint32_t k = 0; k < function->results.len; k++)
        read_names(naming, function->results.at[k].attrs);
    vec_release(&roots);
    vec_release(&reach);
    vec_release(&ids);
}

void functions_needed(const struct program *program, const struct terms *terms,
                      struct u32_vec *keep)
{
    struct naming naming = {.program = program, .keep = keep};
    vec_clear(keep);
    for (uint32_t f = 0; f < program->functions.len; f++)
        vec_push(keep, 0);
    for (uint32_t f = 0; f < program->functions.len; f++)
        if (strcmp(sym_text(program->pool, program->functions.at[f].visibility), "private") != 0 ||
            program->functions.at[f].declaration)
            need(&naming, f);
    for (uint32_t f = 0; naming.waiting.len == 0 && f < program->functions.len; f++)
        keep->at[f] = 1; // all are private: nobody knows which is called
    for (uint32_t i = 0; i < program->extras.len; i++)
        read_names(&naming, program->extras.at[i]);
    for (uint32_t m = 0; m < program->modules.len; m++)
        read_names(&naming, program->modules.at[m].attrs);
    while (naming.waiting.len > 0)
        read_function(&naming, terms, vec_pop(&naming.waiting));
    vec_release(&naming.waiting);
    vec_release(&naming.read);
}
