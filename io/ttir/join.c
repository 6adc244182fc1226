// SPDX-License-Identifier: Apache-2.0
// What two sides of a branch give.
#include "io/ttir/reader.h"

struct joiner {
    struct ttir_reader *reader;
    struct code_place place;
    VEC(struct code_merged) merged;
};

// The result of two values; NO_CODE are no values.
static code_value join_values(struct joiner *joiner, code_value then, code_value otherwise)
{
    struct code_program *program = joiner->reader->out;
    if (then == otherwise)
        return then;
    struct code_merged merged = {then, otherwise, NO_CODE};
    merged.result = code_bound(program, code_node(program, then)->type, joiner->place);
    vec_push(&joiner->merged, merged);
    return merged.result;
}

static struct ttir_meaning join_pair(struct joiner *joiner, struct ttir_meaning *a,
                                     struct ttir_meaning *b)
{
    code_value *of_a[3 * CODE_RANK], *of_b[3 * CODE_RANK], *of_out[3 * CODE_RANK];
    struct ttir_reader *reader = joiner->reader;
    if (a->type.kind == TTIR_UNKNOWN || !ttir_unite(reader, a, b))
        return ttir_unknown(reader, a->type, "a choice between pointers", joiner->place);
    uint32_t n = ttir_moving(reader, a, of_a);
    ttir_moving(reader, b, of_b);
    struct ttir_meaning out = *a;
    ttir_moving(reader, &out, of_out);
    for (uint32_t k = 0; k < n; k++)
        *of_out[k] = join_values(joiner, *of_a[k], *of_b[k]);
    if (a->choice != b->choice)
        out.choice = join_values(joiner, a->choice, b->choice);
    return out;
}

bool ttir_join(struct ttir_reader *reader, const struct ttir_operation *operation,
               const struct code_branch *branch, struct ttir_meanings *then,
               struct ttir_meanings *otherwise, struct ttir_meanings *out)
{
    struct code_program *program = reader->out;
    struct joiner joiner = {reader, ttir_here(reader, operation), {0}};
    if (then->len != otherwise->len)
        return ttir_malformed(reader, operation, "as many results on both sides");
    bool ok = true;
    for (uint32_t i = 0; ok && i < then->len; i++) {
        struct ttir_meaning *a = &then->at[i], *b = &otherwise->at[i];
        ok = a->type.kind != TTIR_PLAIN ||
             (b->type.kind == TTIR_PLAIN && code_type_same(&a->type.type, &b->type.type)) ||
             ttir_malformed(reader, operation, "results of the same types on both sides");
        if (ok)
            vec_push(out, join_pair(&joiner, a, b));
    }
    if (ok) {
        struct code_branch joined = *branch;
        struct code_statement statement = code_statement(STATEMENT_BRANCH, joiner.place);
        joined.n = joiner.merged.len;
        joined.at = program->merged.len;
        for (uint32_t i = 0; i < joiner.merged.len; i++)
            vec_push(&program->merged, joiner.merged.at[i]);
        statement.index = program->branch.len;
        vec_push(&program->branch, joined);
        code_append(program, reader->block, &statement);
    }
    vec_release(&joiner.merged);
    return ok;
}
