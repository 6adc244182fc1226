// SPDX-License-Identifier: Apache-2.0
// Bodies of functions: blocks that jump forward to others.  A jump is followed by reading its
// target again, so that a block that several others jump to is there several times.
#include "io/ttir/reader.h"

enum { COPIES = 256 }; // of blocks: paths double at each join

struct body_block {
    uint32_t label; // token; NO_CODE: the first block without a label
    uint32_t at, end;
};

struct body_blocks {
    VEC(struct body_block) block;
};

// A jump: its target, and the operands it hands over.
struct jump {
    uint32_t target; // token of the label
    struct ttir_meanings arguments;
};

static bool split_blocks(struct ttir_reader *reader, uint32_t open, struct body_blocks *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t end = mlir->tok.at[open].match;
    struct body_block block = {NO_CODE, open + 1, end};
    for (uint32_t i = open + 1; i < end; i = ttir_line_end(reader, i, end)) {
        if (mlir_kind(mlir, i) != T_BLOCK)
            continue;
        if (i > open + 1) {
            block.end = i;
            vec_push(&out->block, block);
        }
        uint32_t at = i + 1;
        if (mlir_kind(mlir, at) == '(')
            at = mlir->tok.at[at].match + 1;
        if (!mlir_expect(mlir, &at, ':', "':'"))
            return false;
        block = (struct body_block){i, at, end};
    }
    vec_push(&out->block, block);
    return true;
}

static bool find_block(struct ttir_reader *reader, const struct body_blocks *blocks, uint32_t label,
                       uint32_t *out)
{
    struct mlir *mlir = &reader->mlir;
    const struct mlir_token *token = &mlir->tok.at[label];
    for (uint32_t i = 0; i < blocks->block.len; i++) {
        uint32_t other = blocks->block.at[i].label;
        if (other == NO_CODE || mlir->tok.at[other].len != token->len ||
            memcmp(mlir->text + mlir->tok.at[other].at, mlir->text + token->at, token->len) != 0)
            continue;
        *out = i;
        return true;
    }
    return mlir_fail(mlir, label, "no block '%.*s' here", mlir_shown(token),
                     mlir->text + token->at);
}

bool ttir_bind(struct ttir_reader *reader, uint32_t open, uint32_t n,
               const struct ttir_meaning *meanings)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t close = mlir->tok.at[open].match, count = 0;
    for (uint32_t i = open + 1; i < close; i++) {
        uint16_t kind = mlir_kind(mlir, i);
        if (kind == '{' || kind == '<' || kind == '(')
            i = mlir->tok.at[i].match;
        if (kind != T_VALUE)
            continue;
        if (count < n && !ttir_define(reader, i, 1, &meanings[count]))
            return false;
        count++;
    }
    return count == n || mlir_fail(mlir, open, "expected %u arguments, found %u", n, count);
}

// ---- jumps

// ^bb1 or ^bb1(%a, %b : i32, i32)
static bool read_successor(struct ttir_reader *reader, uint32_t *at, struct jump *out)
{
    struct mlir *mlir = &reader->mlir;
    out->target = *at;
    if (!mlir_expect(mlir, at, T_BLOCK, "a block such as ^bb1"))
        return false;
    if (mlir_kind(mlir, *at) != '(')
        return true;
    uint32_t close = mlir->tok.at[*at].match;
    for (uint32_t i = *at + 1; i < close && mlir_kind(mlir, i) != ':'; i++) {
        struct ttir_meaning meaning;
        if (mlir_kind(mlir, i) != T_VALUE)
            continue;
        if (!ttir_lookup(reader, i, &meaning))
            return false;
        vec_push(&out->arguments, meaning);
    }
    *at = close + 1;
    return true;
}

// "cf.cond_br"(%c, ..)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}>
static bool read_generic_jumps(struct ttir_reader *reader, const struct ttir_operation *operation,
                               uint32_t n, struct jump *out)
{
    struct mlir *mlir = &reader->mlir;
    struct i64_vec sizes = {0};
    uint32_t first = n - 1, found = 0;
    for (uint32_t i = operation->at; i < operation->end && found < n; i++)
        if (mlir_kind(mlir, i) == T_BLOCK)
            out[found++].target = i;
    bool ok = (found == n || ttir_malformed(reader, operation, "its targets")) &&
              ttir_integers(reader, operation, "operandSegmentSizes", &sizes);
    for (uint32_t k = 0; ok && k < n; k++) {
        uint32_t count = n == 1 ? operation->operand.len : 0;
        if (n == 2 && sizes.len == 3 && sizes.at[k + 1] >= 0 &&
            sizes.at[k + 1] <= operation->operand.len)
            count = (uint32_t)sizes.at[k + 1];
        for (uint32_t i = 0; ok && i < count; i++, first++) {
            struct ttir_meaning meaning;
            ok = first < operation->operand.len ? ttir_operand(reader, operation, first, &meaning)
                                                : ttir_malformed(reader, operation, "operands");
            if (ok)
                vec_push(&out[k].arguments, meaning);
        }
    }
    vec_release(&sizes);
    return ok;
}

static bool read_jumps(struct ttir_reader *reader, const struct ttir_operation *operation,
                       uint32_t n, code_value *condition, struct jump *out)
{
    struct mlir *mlir = &reader->mlir;
    struct ttir_meaning meaning;
    uint32_t at = operation->at + 1;
    if (operation->generic)
        at++;
    if (n == 2) {
        if (!ttir_lookup(reader, at, &meaning))
            return false;
        if (meaning.type.kind != TTIR_PLAIN || meaning.type.type.kind != CODE_BOOL ||
            meaning.type.type.rank != 0)
            return mlir_expected(mlir, at, "a boolean");
        *condition = meaning.value;
        at += mlir_kind(mlir, at + 1) == T_ATTR ? 2 : 1;
    }
    if (operation->generic)
        return read_generic_jumps(reader, operation, n, out);
    for (uint32_t i = 0; i < n; i++)
        if (((n == 2 || i > 0) && !mlir_expect(mlir, &at, ',', "','")) ||
            !read_successor(reader, &at, &out[i]))
            return false;
    return true;
}

// ---- blocks

static bool read_block(struct ttir_reader *reader, const struct body_blocks *blocks, uint32_t which,
                       const struct ttir_meanings *arguments, struct ttir_meanings *results);

static bool follow(struct ttir_reader *reader, const struct body_blocks *blocks,
                   const struct jump *jump, struct ttir_meanings *results)
{
    uint32_t which = 0;
    return find_block(reader, blocks, jump->target, &which) &&
           read_block(reader, blocks, which, &jump->arguments, results);
}

static bool follow_inside(struct ttir_reader *reader, const struct body_blocks *blocks,
                          const struct jump *jump, uint32_t *block, struct ttir_meanings *results)
{
    uint32_t outer = reader->block, scope = ttir_scope(reader);
    *block = reader->block = code_open_block(reader->out);
    bool ok = follow(reader, blocks, jump, results);
    code_close_block(reader->out, *block);
    ttir_scope_end(reader, scope);
    reader->block = outer;
    return ok;
}

static bool read_jump(struct ttir_reader *reader, const struct body_blocks *blocks,
                      const struct ttir_operation *operation, struct ttir_meanings *results)
{
    struct jump jumps[2] = {0};
    uint32_t n = strcmp(operation->name, "cf.br") != 0 ? 2 : 1;
    struct code_branch branch = {0};
    struct ttir_meanings then = {0}, otherwise = {0};
    bool ok = read_jumps(reader, operation, n, &branch.condition, jumps);
    if (ok && n == 1)
        ok = follow(reader, blocks, &jumps[0], results);
    else if (ok)
        ok = follow_inside(reader, blocks, &jumps[0], &branch.then, &then) &&
             follow_inside(reader, blocks, &jumps[1], &branch.otherwise, &otherwise) &&
             ttir_join(reader, operation, &branch, &then, &otherwise, results);
    vec_release(&jumps[0].arguments);
    vec_release(&jumps[1].arguments);
    vec_release(&then);
    vec_release(&otherwise);
    return ok;
}

// One operation of a block; *done behind the last one.
static bool read_step(struct ttir_reader *reader, const struct body_blocks *blocks,
                      const struct ttir_operation *operation, struct ttir_meanings *results,
                      bool *done)
{
    *done = true;
    if (!strcmp(operation->name, "cf.br") || !strcmp(operation->name, "cf.cond_br"))
        return read_jump(reader, blocks, operation, results);
    if (ttir_is_terminator(operation))
        return ttir_operands(reader, operation, results);
    *done = false;
    return ttir_one(reader, operation);
}

static bool read_block(struct ttir_reader *reader, const struct body_blocks *blocks, uint32_t which,
                       const struct ttir_meanings *arguments, struct ttir_meanings *results)
{
    struct mlir *mlir = &reader->mlir;
    struct body_block block = blocks->block.at[which];
    uint32_t at = block.label == NO_CODE ? block.at : block.label;
    if (++reader->copies > COPIES)
        return mlir_fail(mlir, at, "jumps lead to over %d copies of blocks", COPIES);
    bool ok = ttir_enter(reader, at), done = false;
    if (ok && block.label != NO_CODE && mlir_kind(mlir, at + 1) == '(')
        ok = ttir_bind(reader, at + 1, arguments->len, arguments->at);
    else if (ok && block.label != NO_CODE && arguments->len > 0)
        ok = mlir_fail(mlir, at, "expected a block with %u arguments", arguments->len);
    for (at = block.at; ok && !done && at < block.end;) {
        struct ttir_operation operation;
        ok = ttir_operation(reader, at, block.end, &operation) &&
             read_step(reader, blocks, &operation, results, &done);
        at = operation.end;
        ttir_operation_release(&operation);
    }
    if (ok && !done)
        ok = mlir_fail(mlir, block.end, "expected tt.return or a jump at the end of the block");
    reader->depth--;
    return ok;
}

bool ttir_body(struct ttir_reader *reader, const struct ttir_function *function,
               const struct ttir_meanings *arguments, struct ttir_meanings *results)
{
    struct body_blocks blocks = {0};
    uint32_t scope = ttir_scope(reader);
    bool ok = ttir_bind(reader, function->arguments, arguments->len, arguments->at) &&
              split_blocks(reader, function->body, &blocks);
    // The label of the first block, if there is one, names the arguments again.
    if (ok)
        ok = read_block(reader, &blocks, 0, arguments, results);
    ttir_scope_end(reader, scope);
    vec_release(&blocks.block);
    return ok;
}
