// SPDX-License-Identifier: Apache-2.0
// Attributes that say nothing about values: names, shardings, layouts, notes of frontends.  An
// operation that has them is a term of its operator; they are kept beside the term.
#include "io/stablehlo/read/op_reader.h"

static size_t key_text(const struct mlir *mlir, const struct mlir_entry *entry, const char **text)
{
    const struct mlir_token *token = &mlir->tok.at[entry->key];
    bool quoted = token->kind == T_STRING;
    *text = mlir->text + token->at + quoted;
    return token->len - 2 * quoted;
}

// True if the names, separated by commas, have this one.
static bool names_have(const char *names, const char *name, size_t n)
{
    while (*names != '\0') {
        size_t m = strcspn(names, ",");
        if (m == n && memcmp(names, name, n) == 0)
            return true;
        names += m + (names[m] == ',');
    }
    return false;
}

bool stablehlo_pins(const struct stablehlo_reader *reader, const struct mlir_entry *entry)
{
    const char *names = sym_text(reader->program->pool, reader->program->pinned), *name;
    if (names[0] == '\0')
        return false;
    size_t n = key_text(&reader->mlir, entry, &name);
    return names_have(names, name, n);
}

bool op_reader_discardable(const struct op_reader *reading, const struct mlir_entry *entry)
{
    // No operator of the table has an attribute of its own with a dot, nor one of these.
    static const char others[] =
        "name,operand_layout,operand_layouts,result_layout,result_layouts,xla_shape";
    const char *name;
    size_t n = key_text(reading->mlir, entry, &name);
    return memchr(name, '.', n) != NULL || names_have(others, name, n);
}

void op_reader_keep(struct op_reader *reading, const struct mlir_entry *entry)
{
    struct buf *kept = &reading->reader->kept;
    buf_puts(kept, kept->len > 0 ? ", " : "{");
    for (uint32_t k = entry->value; k < entry->end; k++)
        reading->reader->resources_used |= mlir_word(reading->mlir, k, "dense_resource");
    mlir_emit(reading->mlir, entry->key, entry->end, false, SPACE_KEEP, kept);
}

void op_reader_attach(struct op_reader *reading, term_id term)
{
    struct program *program = reading->reader->program;
    struct buf *kept = &reading->reader->kept;
    if (kept->len == 0)
        return;
    buf_putc(kept, '}');
    program_keep(program, term, sym_make(program->pool, buf_text(kept)));
}
