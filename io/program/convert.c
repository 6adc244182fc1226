// SPDX-License-Identifier: Apache-2.0
// A program in the other format: one function of terms, which both formats have.
#include "io/program/program.h"

#include "base/text/cursor.h"
#include "io/hlo/element.h"
#include "io/stablehlo/stablehlo.h"
#include "tensor/program/import.h"

static const char *const format_names[] = {
    [PROGRAM_STABLEHLO] = "StableHLO", [PROGRAM_HLO] = "HLO"};

// The function that a caller of the module calls; NULL: several may be.  What nothing calls
// may be left out.
static const struct function *find_entry(const struct program *program)
{
    const struct function *entry = NULL;
    uint32_t n = 0;
    for (uint32_t f = 0; f < program->functions.len; f++) {
        const struct function *function = &program->functions.at[f];
        const char *visibility = sym_text(program->pool, function->visibility);
        if (strcmp(visibility, "public") == 0 || visibility[0] == '\0') {
            entry = function;
            n++;
        }
    }
    return n == 1 ? entry : NULL;
}

// The operation in the text of an opaque term, as `name`.
static bool refuse_text(const struct program *program, const struct term *node,
                        enum program_format format, struct err *err)
{
    const char *text =
        sym_text(program->pool, (sym_id){(uint32_t)attr_at(program->pool, node->attr)[0]});
    // Calls and operations with regions have the texts of StableHLO.
    bool structured =
        program->format == PROGRAM_HLO && (*text == '"' || strncmp(text, "stablehlo.", 10) == 0 ||
                                           strncmp(text, "func.call ", 10) == 0);
    if (program->format == PROGRAM_HLO && !structured) {
        text += hlo_shape_length(text);
        text += *text == ' ';
    }
    text += *text == '"';
    return err_set(err, ERR_INPUT, "cannot write this program in %s: `%.*s` %s",
                   format_names[format], (int)strcspn(text, "\"( "), text,
                   structured ? "is no operator of one function" : "stays text");
}

// Attributes that a program in another format would need to have.
static bool check_attributes(const char *text, struct err *err)
{
    static const char *const words[] = {"sharding", "alias", "donor", "replication",
                                        "frontend_attributes"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]) != NULL)
            return err_set(err, ERR_INPUT,
                           "cannot write this program in another format: it has the attribute "
                           "%.100s",
                           text);
    return true;
}

static bool check_symbol(const struct program *program, sym_id attributes, struct err *err)
{
    return check_attributes(sym_text(program->pool, attributes), err);
}

static bool check_type(const struct program *program, type_id type, struct err *err)
{
    struct buf text = {0};
    if (type_is_tensor(program->pool, type))
        return true;
    type_print(program->pool, type, &text);
    err_set(err, ERR_INPUT, "cannot write this program in another format: it has the type %.200s",
            buf_text(&text));
    buf_release(&text);
    return false;
}

static bool check_function(const struct program *program, const struct function *function,
                           struct err *err)
{
    bool ok = check_symbol(program, program->modules.at[0].attrs, err) &&
              check_symbol(program, function->attrs, err);
    for (uint32_t k = 0; ok && k < function->params.len; k++)
        ok = check_type(program, function->params.at[k].type, err) &&
             check_symbol(program, function->params.at[k].attrs, err);
    for (uint32_t k = 0; ok && k < function->results.len; k++)
        ok = check_type(program, function->results.at[k].type, err) &&
             check_symbol(program, function->results.at[k].attrs, err);
    return ok;
}

// The terms of the function in another store, as those of function 0.
static bool copy_terms(const struct program *in, const struct function *function,
                       struct program *out, struct u32_vec *copy, struct err *err)
{
    struct u32_vec roots = {0}, reach = {0};
    VEC(term_id) ids = {0}, args = {0};
    bool ok = true;
    function_roots(function, &roots);
    for (uint32_t i = 0; i < roots.len; i++)
        vec_push(&ids, (term_id){roots.at[i]});
    terms_reach(&in->terms, ids.len, ids.at, &reach);
    vec_zero(copy, in->terms.term.len + 1);
    for (uint32_t i = 0; ok && i < reach.len; i++) {
        term_id id = {reach.at[i]};
        const struct term *node = term_at(&in->terms, id);
        attr_id attr = node->attr;
        if (node->op == OP_OPAQUE || node->op == OP_RESULT) {
            ok = refuse_text(in, node, out->format, err);
            break;
        }
        ok = check_attributes(program_kept(in, id), err);
        if (node->op == OP_PARAMETER)
            attr = attr_make(in->pool, 2, (int64_t[]){0, attr_at(in->pool, node->attr)[1]});
        vec_clear(&args);
        for (uint32_t k = 0; k < node->n_args; k++)
            vec_push(&args, (term_id){copy->at[term_args(&in->terms, id)[k].v]});
        term_id made =
            term_make(&out->terms, (enum op)node->op, attr, node->type, args.len, args.at);
        copy->at[id.v] = made.v;
        const struct term_note *note = program_note_of(in, id);
        if (note != NULL)
            program_note(
                out, (struct term_note){made, note->name, sym_make(in->pool, ""), note->metadata});
    }
    vec_release(&roots);
    vec_release(&reach);
    vec_release(&ids);
    vec_release(&args);
    return ok;
}

// Is the text a name in both formats?
static bool is_plain_name(const char *text)
{
    if (!is_letter(*text))
        return false;
    for (; *text != '\0'; text++)
        if (!is_letter(*text) && !is_digit(*text) && *text != '.' && *text != '-')
            return false;
    return true;
}

static sym_id plain_name(struct pool *pool, sym_id name, const char *otherwise)
{
    return is_plain_name(sym_text(pool, name)) ? name : sym_make(pool, otherwise);
}

static void copy_function(const struct program *in, const struct function *from,
                          const struct u32_vec *copy, struct program *out)
{
    sym_id none = sym_make(in->pool, "");
    bool tuple = out->format == PROGRAM_HLO && from->results.len != 1, named = true;
    struct function to = {.name = plain_name(in->pool, from->name, "main"),
                          .visibility = sym_make(in->pool, "public"),
                          .attrs = tuple ? sym_make(in->pool, "tuple") : none};
    for (uint32_t k = 0; k < from->params.len; k++)
        named = named && is_plain_name(sym_text(in->pool, from->params.at[k].name));
    for (uint32_t k = 0; k < from->params.len; k++) {
        char text[24];
        snprintf(text, sizeof text, "arg%u", k);
        struct param param = {named ? from->params.at[k].name : sym_make(in->pool, text),
                              from->params.at[k].type, none};
        vec_push(&to.params, param);
    }
    for (uint32_t k = 0; k < from->results.len; k++) {
        const struct result *result = &from->results.at[k];
        struct result converted = {{copy->at[result->term.v]}, result->type, none};
        vec_push(&to.results, converted);
    }
    vec_push(&out->functions, to);
}

static bool convert(const struct program *in, struct program *out, struct err *err)
{
    const struct function *entry = find_entry(in);
    struct u32_vec copy = {0};
    bool more = false;
    for (uint32_t i = 0; in->format == PROGRAM_STABLEHLO && i < in->extras.len; i++)
        more |= !stablehlo_is_resources(sym_text(in->pool, in->extras.at[i]));
    if (in->modules.len != 1 || entry == NULL || entry->declaration || more)
        return err_set(err, ERR_INPUT,
                       "cannot write this program in another format: expected one module with one "
                       "public function and no other operations");
    bool ok = check_function(in, entry, err) && copy_terms(in, entry, out, &copy, err);
    if (ok) {
        struct module module = {.name = plain_name(in->pool, in->modules.at[0].name, "module"),
                                .attrs = sym_make(in->pool, ""),
                                .written = true,
                                .functions_end = 1};
        vec_push(&out->modules, module);
        copy_function(in, entry, &copy, out);
    }
    vec_release(&copy);
    return ok;
}

// Are the results of function 0 the same terms in both programs?
static bool same_results(const struct program *a, const struct program *b)
{
    struct terms terms;
    struct u32_vec memo_a = {0}, memo_b = {0};
    const struct function *f = a->functions.at, *g = b->functions.at;
    bool same = b->functions.len == 1 && f->params.len == g->params.len &&
                f->results.len == g->results.len && g->effects.len == 0;
    terms_init(&terms, a->pool);
    for (uint32_t k = 0; same && k < f->results.len; k++)
        same = term_import(&terms, &a->terms, &memo_a, f->results.at[k].term).v ==
               term_import(&terms, &b->terms, &memo_b, g->results.at[k].term).v;
    vec_release(&memo_a);
    vec_release(&memo_b);
    terms_release(&terms);
    return same;
}

bool program_text_convert(const struct program *in, enum program_format format, struct buf *out,
                          struct err *err)
{
    struct program converted, again;
    program_init(&converted, in->pool);
    program_init(&again, in->pool);
    converted.format = format;
    bool ok = convert(in, &converted, err);
    if (ok) {
        program_text_print(&converted, out);
        ok = program_text_read(buf_text(out), out->len, "converted program", &again, err);
    }
    if (ok && !same_results(&converted, &again))
        ok = err_set(err, ERR_BUG, "the converted program is another program");
    program_release(&again);
    program_release(&converted);
    return ok;
}
