// SPDX-License-Identifier: Apache-2.0
// Where the statement of a term goes, in a function with regions.  A term may stand in any
// block between the innermost one that has all its uses and the outermost one that has
// what it needs.
//   - A term of the program that was read stays in the scope where its statement was: of
//     several, the innermost around its uses.  So a second run finds nothing to move: what
//     decides is only where a statement stands around a use, not elsewhere in the text.
//   - A term stands where its uses are, so that what only one branch needs is
//     computed in that branch.  If several branches use it and nothing else does, then
//     each has a statement of its own, unless all of them use it, or it has regions: of
//     regions in regions the statements would double at each depth.
//   - What a loop computes again each time leaves the loop, unless it is larger than
//     what it is made of (a broadcast, an iota): then it is made again faster
//     than it is read.
// (C. Click, Global code motion, global value numbering, PLDI 1995, without speculation.)
#include "io/stablehlo/print/printer.h"
#include "tensor/program/region.h"

struct placer {
    struct stablehlo_printer *printer;
    const struct terms *terms;
    struct u32_vec *placed; // terms that have places, or opened blocks
    struct u32_vec blocks;  // of the term that is being placed
};

static uint32_t new_block(struct stablehlo_printer *printer, struct printed_block block)
{
    vec_push(&printer->block, block);
    return printer->block.len - 1;
}

static bool is_isolated(const struct stablehlo_printer *printer, const struct opaque_view *view)
{
    return view->region == NO_REGION ||
           printer->terms->region.at[view->region].parent == SCOPE_CLOSED;
}

uint32_t stablehlo_visible_args(const struct stablehlo_printer *printer, term_id term)
{
    uint32_t n = term_at(printer->terms, term)->n_args;
    if (term_op(printer->terms, term) != OP_OPAQUE)
        return n;
    struct opaque_view view = opaque_view(printer->terms, term);
    // Operands come first: a template has them before its regions.
    return view.n_blocks > 0 && is_isolated(printer, &view) ? opaque_block(&view, 0).first : n;
}

bool stablehlo_stands_in(const struct stablehlo_printer *printer, term_id term, uint32_t block)
{
    for (uint32_t i = printer->places.at[term.v]; i != 0; i = printer->use.at[i - 1].next)
        if (printer->use.at[i - 1].block == block)
            return true;
    return false;
}

uint32_t stablehlo_opened(const struct stablehlo_printer *printer, term_id term, uint32_t parent)
{
    uint32_t i = printer->opened.at[term.v];
    while (i != 0 && printer->opening.at[i - 1].parent != parent)
        i = printer->opening.at[i - 1].next;
    assert(i != 0);
    return printer->opening.at[i - 1].first;
}

static void use_in(struct placer *placer, term_id term, uint32_t block)
{
    struct stablehlo_printer *printer = placer->printer;
    uint32_t *list = &printer->places.at[term.v];
    if (stablehlo_stands_in(printer, term, block))
        return;
    if (*list == 0)
        vec_push(placer->placed, term.v);
    vec_push(&printer->use, ((struct place_use){block, *list}));
    *list = printer->use.len;
}

static uint32_t depth_of(const struct stablehlo_printer *printer, uint32_t block)
{
    uint32_t depth = 0;
    for (; printer->block.at[block].parent != PLACE_NONE; block = printer->block.at[block].parent)
        depth++;
    return depth;
}

// The innermost block that has both.
static uint32_t common_block(const struct stablehlo_printer *printer, uint32_t a, uint32_t b)
{
    uint32_t m = depth_of(printer, a), n = depth_of(printer, b);
    for (; m > n; m--)
        a = printer->block.at[a].parent;
    for (; n > m; n--)
        b = printer->block.at[b].parent;
    while (a != b) {
        a = printer->block.at[a].parent;
        b = printer->block.at[b].parent;
    }
    return a;
}

// May the term be computed in the block?
static bool may_stand(const struct stablehlo_printer *printer, term_id term, uint32_t block)
{
    return scope_has(printer->terms, printer->block.at[block].scope, printer->scope.at[term.v]);
}

static double bytes_of(const struct stablehlo_printer *printer, term_id term)
{
    type_id type = term_type(printer->terms, term);
    if (!type_is_tensor(printer->pool, type))
        return 0;
    return (double)type_count(printer->pool, type) *
           (double)elem_bytes(type_elem(printer->pool, type));
}

static bool is_spread(enum op op)
{
    return op == OP_CONSTANT || op == OP_IOTA || op == OP_BROADCAST_IN_DIM;
}

// Is the term worth a value that outlives the loop?  A loop may run no time: what may not end, as a
// call or another loop, stays in it.
static bool leaves_loops(const struct stablehlo_printer *printer, term_id term)
{
    const struct terms *terms = printer->terms;
    enum op op = term_op(terms, term);
    double bytes = 0;
    if (is_spread(op) || op == OP_OPAQUE)
        return false;
    if (op == OP_DOT_GENERAL || op == OP_CONVOLUTION || op == OP_REDUCE || op == OP_REDUCE_WINDOW ||
        op == OP_SCATTER)
        return true;
    for (uint32_t k = 0; k < term_at(terms, term)->n_args; k++) {
        term_id arg = term_args(terms, term)[k];
        bytes += is_spread(term_op(terms, arg)) ? 0 : bytes_of(printer, arg);
    }
    return bytes_of(printer, term) <= bytes;
}

// Marks the scopes where statements of the term stood.
static void mark_homes(struct stablehlo_printer *printer, term_id term)
{
    const struct terms *terms = printer->terms;
    for (uint32_t i = term.v < terms->homes.len ? terms->homes.at[term.v] : 0; i != 0;
         i = terms->home_list.at[i - 1].next) {
        uint32_t scope = terms->home_list.at[i - 1].scope;
        while (printer->stood.len <= scope)
            vec_push(&printer->stood, 0);
        printer->stood.at[scope] = term.v + 1;
    }
}

// Did a statement of the term, whose scopes are marked, stand in the scope of the block?
static bool stood_in(const struct stablehlo_printer *printer, term_id term, uint32_t block)
{
    uint32_t scope = printer->block.at[block].scope;
    return scope < printer->stood.len && printer->stood.at[scope] == term.v + 1;
}

// One block for a term whose uses have `block` in common.
static uint32_t single_place(const struct stablehlo_printer *printer, term_id term, uint32_t block)
{
    for (uint32_t b = block; b != PLACE_NONE; b = printer->block.at[b].parent)
        if (stood_in(printer, term, b) && may_stand(printer, term, b)) {
            block = b;
            break;
        }
    if (term_serial(printer->terms, term) != 0 || !leaves_loops(printer, term))
        return block;
    while (printer->block.at[block].loop &&
           may_stand(printer, term, printer->block.at[block].parent))
        block = printer->block.at[block].parent;
    return block;
}

// Is every block that has `common` as parent, of one operation, around some use?
static bool used_by_all(const struct placer *placer, uint32_t common)
{
    const struct stablehlo_printer *printer = placer->printer;
    struct u32_vec around = {0};
    for (uint32_t i = 0; i < placer->blocks.len; i++) {
        uint32_t b = placer->blocks.at[i];
        while (printer->block.at[b].parent != common)
            b = printer->block.at[b].parent;
        bool seen = false;
        for (uint32_t k = 0; k < around.len; k++)
            seen |= around.at[k] == b;
        if (!seen)
            vec_push(&around, b);
    }
    uint32_t first = around.at[0], n = printer->block.at[first].n_siblings;
    bool all = around.len == n;
    for (uint32_t k = 0; k < around.len; k++)
        all &= printer->block.at[around.at[k]].scope == printer->block.at[first].scope;
    vec_release(&around);
    return all;
}

static bool has_regions(const struct stablehlo_printer *printer, term_id term)
{
    return term_op(printer->terms, term) == OP_OPAQUE &&
           opaque_view(printer->terms, term).n_blocks > 0;
}

// From the blocks that use a term to those that have its statement.
static void choose_places(struct placer *placer, term_id term)
{
    struct stablehlo_printer *printer = placer->printer;
    struct u32_vec *uses = &placer->blocks;
    vec_clear(uses);
    for (uint32_t i = printer->places.at[term.v]; i != 0; i = printer->use.at[i - 1].next)
        vec_push(uses, printer->use.at[i - 1].block);
    uint32_t common = uses->at[0];
    bool direct = true;
    for (uint32_t i = 1; i < uses->len; i++)
        common = common_block(printer, common, uses->at[i]);
    if (uses->len > 1) {
        direct = false;
        for (uint32_t i = 0; i < uses->len; i++)
            direct |= uses->at[i] == common;
    }
    uint32_t home = term.v < printer->terms->home.len ? printer->terms->home.at[term.v] : 0;
    bool stays = false;
    mark_homes(printer, term);
    for (uint32_t b = common; b != PLACE_NONE; b = printer->block.at[b].parent)
        stays |= stood_in(printer, term, b);
    bool inner = home != 0 && is_spread(term_op(printer->terms, term)) && !stays;
    printer->places.at[term.v] = 0;
    if (may_stand(printer, term, common) && (direct || !inner) &&
        (direct || stays || term_serial(printer->terms, term) != 0 || has_regions(printer, term) ||
         used_by_all(placer, common))) {
        uint32_t block = single_place(printer, term, common);
        vec_push(&printer->use, ((struct place_use){block, 0}));
        printer->places.at[term.v] = printer->use.len;
        uses->len = 0;
        vec_push(uses, block);
        return;
    }
    uint32_t n = uses->len;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = single_place(printer, term, uses->at[i]);
        bool seen = stablehlo_stands_in(printer, term, block);
        if (!seen) {
            vec_push(&printer->use, ((struct place_use){block, printer->places.at[term.v]}));
            printer->places.at[term.v] = printer->use.len;
        }
    }
    uses->len = 0;
    for (uint32_t i = printer->places.at[term.v]; i != 0; i = printer->use.at[i - 1].next)
        vec_push(uses, printer->use.at[i - 1].block);
}

// The blocks of an operation that stands in `parent`.
static uint32_t open_blocks(struct placer *placer, term_id term, const struct opaque_view *view,
                            uint32_t parent)
{
    struct stablehlo_printer *printer = placer->printer;
    struct printed_block block = {.parent = parent,
                                  .scope = scope_of_region(view->region),
                                  .loop = printer->terms->region.at[view->region].loop,
                                  .n_siblings = view->n_blocks};
    uint32_t first = printer->block.len;
    for (uint32_t b = 0; b < view->n_blocks; b++)
        new_block(printer, block);
    struct opened_blocks opened = {parent, first, printer->opened.at[term.v]};
    vec_push(&printer->opening, opened);
    printer->opened.at[term.v] = printer->opening.len;
    return first;
}

// Uses by a term whose places are placer->blocks.
static void use_arguments(struct placer *placer, term_id term)
{
    struct stablehlo_printer *printer = placer->printer;
    uint32_t n = stablehlo_visible_args(printer, term);
    bool open = false;
    struct opaque_view view = {0};
    if (term_op(placer->terms, term) == OP_OPAQUE) {
        view = opaque_view(placer->terms, term);
        open = !is_isolated(printer, &view);
    }
    for (uint32_t i = 0; i < placer->blocks.len; i++) {
        uint32_t parent = placer->blocks.at[i];
        uint32_t first = open ? open_blocks(placer, term, &view, parent) : 0;
        for (uint32_t k = 0; k < n; k++) {
            struct argument_role role = argument_role(placer->terms, term, k);
            use_in(placer, term_args(placer->terms, term)[k],
                   role.place == ARGUMENT_OPERAND ? parent : first + role.block);
        }
    }
}

uint32_t stablehlo_place(struct stablehlo_printer *printer, uint32_t scope, uint32_t n,
                         const uint32_t *roots, struct u32_vec *placed)
{
    struct placer placer = {.printer = printer, .terms = printer->terms, .placed = placed};
    struct printed_block body = {.parent = PLACE_NONE, .scope = scope, .n_siblings = 1};
    uint32_t outermost = new_block(printer, body);
    VEC(term_id) ids = {0};
    struct u32_vec reach = {0};
    for (uint32_t k = 0; k < n; k++) {
        vec_push(&ids, (term_id){roots[k]});
        use_in(&placer, ids.at[k], outermost);
    }
    terms_reach(printer->terms, ids.len, ids.at, &reach);
    // Users come behind what they use.  What no block uses is inside an isolated region.
    for (uint32_t i = reach.len; i-- > 0;) {
        term_id term = {reach.at[i]};
        if (printer->places.at[term.v] == 0)
            continue;
        choose_places(&placer, term);
        use_arguments(&placer, term);
    }
    vec_release(&placer.blocks);
    vec_release(&reach);
    vec_release(&ids);
    return outermost;
}
