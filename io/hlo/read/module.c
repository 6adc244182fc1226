// SPDX-License-Identifier: Apache-2.0
// The order of work on a module.
#include "base/text/excerpt.h"
#include "base/text/utf8.h"
#include "io/hlo/read/reader.h"
#include "tensor/program/call.h"

// A computation that stays as it is, one instruction a line.
static sym_id computation_text(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    struct buf text = {0};
    buf_printf(&text, "%%%s {\n", intern_text(&reader->names, computation->name));
    for (uint32_t i = 0; i < computation->n; i++) {
        const struct hlo_instruction *at = &reader->instruction.at[computation->first + i];
        buf_puts(&text, computation->first + i == computation->root ? "  ROOT " : "  ");
        hlo_emit(reader, at->name, at->end, &text);
        buf_putc(&text, '\n');
    }
    buf_putc(&text, '}');
    hlo_put_attributes(reader, computation->attrs, computation->end, true, &text);
    sym_id symbol = sym_make(reader->pool, buf_text(&text));
    buf_release(&text);
    return symbol;
}

// Does the function give what the call says?  Its root may have no shape in the text.
static bool check_call(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                       struct hlo_types *types)
{
    const struct hlo_computation *callee = hlo_callee(reader, instruction);
    const struct function *function = &reader->program->functions.at[callee->number];
    bool tuple = hlo_kind(reader, instruction->shape) == '(';
    bool ok = hlo_flat_shape(reader, instruction->shape, types) &&
              tuple == (strncmp(sym_text(reader->pool, function->attrs), "tuple", 5) == 0) &&
              types->len == function->results.len;
    for (uint32_t k = 0; ok && k < types->len; k++)
        ok = types->at[k].v == function->results.at[k].type.v;
    return ok || hlo_fail(reader, instruction->shape, "the computation gives another shape");
}

static bool check_calls(struct hlo_reader *reader)
{
    struct hlo_types types = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < reader->instruction.len; i++)
        if (hlo_is_call((enum hlo_form)reader->instruction.at[i].form))
            ok = check_call(reader, &reader->instruction.at[i], &types);
    vec_release(&types);
    return ok;
}

static bool read_module(struct hlo_reader *reader)
{
    if (!hlo_syntax(reader) || !hlo_survey(reader))
        return false;
    for (uint32_t c = 0; c < reader->computation.len; c++) {
        struct hlo_computation *computation = &reader->computation.at[c];
        computation->number = reader->program->functions.len;
        if (!computation->text && computation->function && !hlo_function(reader, computation))
            return false;
    }
    if (!check_calls(reader))
        return false;
    // Terms need no texts: they name their reducers by themselves, and have their blocks.
    for (uint32_t c = 0; c < reader->computation.len; c++) {
        const struct hlo_computation *computation = &reader->computation.at[c];
        if (computation->kept && (computation->text || !computation->function)) {
            sym_id text = computation_text(reader, computation);
            vec_push(&reader->program->extras, text);
        }
    }
    struct module *module = &reader->program->modules.at[0];
    module->functions_end = reader->program->functions.len;
    module->extras_end = reader->program->extras.len;
    return true;
}

static void reader_release(struct hlo_reader *reader)
{
    vec_release(&reader->tok);
    intern_release(&reader->names);
    vec_release(&reader->instruction);
    vec_release(&reader->computation);
    vec_release(&reader->edge);
    vec_release(&reader->computation_of);
    vec_release(&reader->key_in);
    vec_release(&reader->value);
    vec_release(&reader->value_of);
    vec_release(&reader->bound);
    vec_release(&reader->pinned);
    vec_release(&reader->inner);
    vec_release(&reader->is_pinned);
    vec_release(&reader->noted_in);
    vec_release(&reader->element);
    vec_release(&reader->root);
    vec_release(&reader->reading);
    vec_release(&reader->bound_type);
    vec_release(&reader->operand);
    for (int k = 0; k < HLO_LISTS; k++)
        vec_release(&reader->list[k]);
    vec_release(&reader->attr);
}

static bool read_text(const char *text, size_t n, const char *file, bool output,
                      struct program *out, struct err *err)
{
    struct hlo_reader reader = {.text = text,
                                .file = file,
                                .n = n,
                                .program = out,
                                .pool = out->pool,
                                .err = err,
                                .output = output};
    intern_init(&reader.names);
    out->format = PROGRAM_HLO;
    bool ok = utf8_expect(text, n, file, err) && hlo_lex(text, n, file, &reader.tok, err) &&
              read_module(&reader);
    out->n_regions = out->terms.region.len;
    program_link_calls(out);
    if (!ok)
        excerpt_attach(err, text, n);
    reader_release(&reader);
    return ok;
}

bool hlo_read(const char *text, size_t n, const char *file, struct program *out, struct err *err)
{
    return read_text(text, n, file, false, out, err);
}

bool hlo_read_output(const char *text, size_t n, const char *file, struct program *out,
                     struct err *err)
{
    return read_text(text, n, file, true, out, err);
}
