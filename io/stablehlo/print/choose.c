// SPDX-License-Identifier: Apache-2.0
// Which statement of the source a term is printed for: the one that has the term as its value;
// otherwise one of an equal value, whose term is not printed.
#include "io/stablehlo/print/printer.h"
#include "tensor/program/region.h"

static uint32_t get(const struct u32_vec *list, uint32_t at)
{
    return at < list->len ? list->at[at] : 0;
}

// Puts statement i in front of the list of `key`.
static void list_push(struct u32_vec *first, struct u32_vec *next, uint32_t key, uint32_t i)
{
    while (first->len <= key)
        vec_push(first, 0);
    next->at[i] = first->at[key];
    first->at[key] = i + 1;
}

static void find_copies(struct spelling *spelling, uint32_t n_terms)
{
    const struct source *source = spelling->source;
    vec_zero(&spelling->copy_of, n_terms);
    for (uint32_t i = 0; i < source->copies.len; i++) {
        term_id copy = source->copies.at[i].copy;
        uint32_t value = get(&source->value_of, copy.v);
        while (spelling->copied.len <= value)
            vec_push(&spelling->copied, 0);
        if (value != 0 && spelling->copied.at[value] == 0)
            spelling->copied.at[value] = i + 1;
        if (spelling->copy_of.at[copy.v] == 0)
            spelling->copy_of.at[copy.v] = i + 1;
    }
}

static void number_statements(struct spelling *spelling)
{
    vec_zero(&spelling->ordinal, spelling->source->statements.len);
    for (uint32_t block = 0; block < spelling->of_block.len; block++) {
        uint32_t n = 0;
        for (uint32_t i = spelling->of_block.at[block]; i != 0;
             i = spelling->next_of_block.at[i - 1])
            spelling->ordinal.at[i - 1] = ++n;
    }
}

void spelling_init(struct stablehlo_printer *printer)
{
    struct spelling *spelling = &printer->spelling;
    const struct source *source = printer->program->source;
    uint32_t n_terms = printer->terms->term.len;
    spelling->source = source;
    if (source == NULL)
        return;
    uint32_t n = source->statements.len;
    vec_zero(&spelling->next_of_term, n);
    vec_zero(&spelling->next_of_value, n);
    vec_zero(&spelling->next_of_block, n);
    vec_zero(&spelling->term_of, n);
    vec_zero(&spelling->of_term, n_terms);
    vec_zero(&spelling->of_block, source->block_function.len);
    vec_zero(&spelling->open, source->block_function.len);
    vec_zero(&spelling->chosen, n_terms);
    vec_zero(&spelling->position, n_terms);
    vec_zero(&spelling->wanted_by, n_terms);
    vec_zero(&spelling->before, n_terms);
    for (uint32_t i = n; i-- > 0;) {
        const struct source_statement *statement = &source->statements.at[i];
        uint32_t value = get(&source->value_of, statement->term.v);
        list_push(&spelling->of_term, &spelling->next_of_term, statement->term.v, i);
        list_push(&spelling->of_block, &spelling->next_of_block, statement->block, i);
        if (value != 0)
            list_push(&spelling->of_value, &spelling->next_of_value, value, i);
    }
    vec_zero(&spelling->waiting, spelling->of_value.len);
    find_copies(spelling, n_terms);
    number_statements(spelling);
}

void spelling_release(struct spelling *spelling)
{
    vec_release(&spelling->of_term);
    vec_release(&spelling->of_value);
    vec_release(&spelling->of_block);
    vec_release(&spelling->next_of_term);
    vec_release(&spelling->next_of_value);
    vec_release(&spelling->next_of_block);
    vec_release(&spelling->copy_of);
    vec_release(&spelling->copied);
    vec_release(&spelling->ordinal);
    vec_release(&spelling->term_of);
    vec_release(&spelling->chosen);
    vec_release(&spelling->position);
    vec_release(&spelling->waiting);
    vec_release(&spelling->wanted_by);
    vec_release(&spelling->wanted);
    vec_release(&spelling->before);
    vec_release(&spelling->open);
}

const struct source_statement *spelling_of(const struct stablehlo_printer *printer, term_id term)
{
    uint32_t statement = get(&printer->spelling.chosen, term.v);
    return statement == 0 ? NULL : &printer->spelling.source->statements.at[statement - 1];
}

bool spelling_is_own(const struct stablehlo_printer *printer,
                     const struct source_statement *statement)
{
    return printer->spelling.source->block_function.at[statement->block] ==
           printer->function->number;
}

static bool same_types(const struct terms *terms, term_id a, term_id b)
{
    const struct term *s = term_at(terms, a), *t = term_at(terms, b);
    if (s->type.v != t->type.v || s->n_args != t->n_args)
        return false;
    for (uint32_t k = 0; k < s->n_args; k++)
        if (term_type(terms, term_args(terms, a)[k]).v !=
            term_type(terms, term_args(terms, b)[k]).v)
            return false;
    return true;
}

// The same operation, on whatever arguments.
static bool same_operation(const struct stablehlo_printer *printer, term_id a, term_id b)
{
    const struct term *s = term_at(printer->terms, a), *t = term_at(printer->terms, b);
    if (a.v == b.v)
        return true;
    if (s->op != t->op || !same_types(printer->terms, a, b))
        return false;
    if (s->op != OP_OPAQUE)
        return s->attr.v == t->attr.v;
    struct opaque_view x = opaque_view(printer->terms, a), y = opaque_view(printer->terms, b);
    return x.text.v == y.text.v && x.n_results == y.n_results && x.n_blocks == y.n_blocks;
}

// Names for all results; an operation with a side effect may have none.
static bool names_fit(const struct stablehlo_printer *printer, term_id term,
                      const struct source_statement *statement)
{
    if (statement->n_names > 0 || term_op(printer->terms, term) != OP_OPAQUE)
        return statement->n_names > 0;
    return statement->term.v == term.v || opaque_view(printer->terms, term).n_results == 0;
}

// Are the statement's blocks not being printed?
static bool blocks_closed(const struct stablehlo_printer *printer,
                          const struct source_statement *statement)
{
    const struct spelling *spelling = &printer->spelling;
    for (uint32_t i = 0; i < statement->n_holes; i++) {
        uint32_t block = spelling->source->holes.at[statement->first_hole + i].block;
        if (block != NO_BLOCK && spelling->open.at[block] != 0)
            return false;
    }
    return true;
}

bool spelling_fits(const struct stablehlo_printer *printer, term_id term,
                   const struct source_statement *statement)
{
    const char *kept = sym_text(printer->pool, statement->kept);
    if (!statement->spelled || !same_operation(printer, term, statement->term))
        return false;
    // The same operation has two operands, too.
    const term_id *args = term_args(printer->terms, term);
    return (!statement->square || args[0].v == args[1].v) && names_fit(printer, term, statement) &&
           blocks_closed(printer, statement) &&
           strcmp(kept, program_kept(printer->program, term)) == 0;
}

static void choose(struct spelling *spelling, term_id term, uint32_t statement)
{
    spelling->chosen.at[term.v] = statement + 1;
}

static void take(struct spelling *spelling, term_id term, uint32_t statement)
{
    choose(spelling, term, statement);
    spelling->term_of.at[statement] = term.v + 1;
}

// A statement of the block that is the term, rather one whose text fits `like`.
static uint32_t find_same(const struct stablehlo_printer *printer, uint32_t block, term_id term,
                          term_id like)
{
    const struct spelling *spelling = &printer->spelling;
    uint32_t found = NO_STATEMENT;
    for (uint32_t i = spelling->of_term.at[term.v]; i != 0; i = spelling->next_of_term.at[i - 1]) {
        const struct source_statement *statement = &spelling->source->statements.at[i - 1];
        if (statement->block != block)
            continue;
        if (spelling_fits(printer, like, statement))
            return i - 1;
        if (found == NO_STATEMENT)
            found = i - 1;
    }
    return found;
}

// What the term is a copy of; NULL: it is none.
static const struct source_copy *copy_of(const struct spelling *spelling, term_id term)
{
    uint32_t copy = spelling->copy_of.at[term.v];
    return copy == 0 ? NULL : &spelling->source->copies.at[copy - 1];
}

// The block's own statement of the term, or of a term that it is a copy of.
static void choose_same(struct stablehlo_printer *printer, uint32_t block, term_id term)
{
    struct spelling *spelling = &printer->spelling;
    for (term_id original = term;;) {
        uint32_t found = find_same(printer, block, original, term);
        if (found != NO_STATEMENT && spelling->term_of.at[found] == 0) {
            take(spelling, term, found);
            return;
        }
        const struct source_copy *copy = copy_of(spelling, original);
        if (copy == NULL)
            return;
        original = copy->original;
    }
}

uint32_t spelling_call(const struct stablehlo_printer *printer, uint32_t block, term_id term)
{
    const struct spelling *spelling = &printer->spelling;
    uint32_t value = get(&spelling->source->value_of, term.v);
    const struct source_copy *copy = copy_of(spelling, term);
    if (copy == NULL && get(&spelling->copied, value) != 0)
        copy = &spelling->source->copies.at[spelling->copied.at[value] - 1];
    for (; copy != NULL; copy = copy_of(spelling, copy->call)) {
        uint32_t found = find_same(printer, block, copy->call, copy->call);
        if (found != NO_STATEMENT)
            return found;
    }
    return NO_STATEMENT;
}

// Terms of the visited ones that stand here and have no statement yet.
static bool is_open(const struct stablehlo_printer *printer, term_id term)
{
    return printer->spelling.chosen.at[term.v] == 0 && term_op(printer->terms, term) != OP_RESULT &&
           stablehlo_stands_in(printer, term, printer->here);
}

struct waiting_term {
    uint32_t term, next; // next: index + 1
};

// Statements of the block whose terms are not printed here stand for terms of their value.
static void choose_equal(struct stablehlo_printer *printer, uint32_t block,
                         const struct u32_vec *visited)
{
    struct spelling *spelling = &printer->spelling;
    const struct source *source = spelling->source;
    VEC(struct waiting_term) list = {0};
    for (uint32_t i = visited->len; i-- > 0;) {
        uint32_t value = get(&source->value_of, visited->at[i]);
        if (value == 0 || value >= spelling->waiting.len ||
            !is_open(printer, (term_id){visited->at[i]}))
            continue;
        vec_push(&list, ((struct waiting_term){visited->at[i], spelling->waiting.at[value]}));
        spelling->waiting.at[value] = list.len;
    }
    for (uint32_t i = spelling->of_block.at[block]; i != 0 && list.len > 0;
         i = spelling->next_of_block.at[i - 1]) {
        const struct source_statement *statement = &source->statements.at[i - 1];
        uint32_t value = get(&source->value_of, statement->term.v), found = 0;
        if (spelling->term_of.at[i - 1] != 0 || value == 0)
            continue;
        for (uint32_t w = spelling->waiting.at[value]; w != 0; w = list.at[w - 1].next) {
            term_id term = {list.at[w - 1].term};
            if (spelling->chosen.at[term.v] != 0)
                continue;
            bool fits = spelling_fits(printer, term, statement);
            found = found == 0 || fits ? w : found;
            if (fits)
                break;
        }
        if (found != 0)
            take(spelling, (term_id){list.at[found - 1].term}, i - 1);
    }
    for (uint32_t w = 0; w < list.len; w++)
        spelling->waiting.at[get(&source->value_of, list.at[w].term)] = 0;
    vec_release(&list);
}

// The first statement of the list that is in the function that is printed; NO_STATEMENT: none.
static uint32_t first_here(const struct stablehlo_printer *printer, uint32_t i,
                           const struct u32_vec *next)
{
    const struct source *source = printer->spelling.source;
    for (; i != 0; i = next->at[i - 1])
        if (spelling_is_own(printer, &source->statements.at[i - 1]))
            return i - 1;
    return NO_STATEMENT;
}

// The statement that the term, or one of its value, was copied from.
static uint32_t find_copied(const struct spelling *spelling, term_id term)
{
    uint32_t value = get(&spelling->source->value_of, term.v);
    const struct source_copy *copy = copy_of(spelling, term);
    if (copy == NULL && get(&spelling->copied, value) != 0)
        copy = &spelling->source->copies.at[spelling->copied.at[value] - 1];
    for (; copy != NULL; copy = copy_of(spelling, copy->original))
        if (spelling->of_term.at[copy->original.v] != 0)
            return spelling->of_term.at[copy->original.v] - 1;
    return NO_STATEMENT;
}

static void choose_elsewhere(struct stablehlo_printer *printer, term_id term)
{
    struct spelling *spelling = &printer->spelling;
    uint32_t value = get(&spelling->source->value_of, term.v);
    uint32_t found = first_here(printer, spelling->of_term.at[term.v], &spelling->next_of_term);
    if (found == NO_STATEMENT && value != 0)
        found = first_here(printer, get(&spelling->of_value, value), &spelling->next_of_value);
    if (found == NO_STATEMENT)
        found = find_copied(spelling, term);
    if (found != NO_STATEMENT)
        choose(spelling, term, found);
}

void spelling_choose(struct stablehlo_printer *printer, uint32_t block,
                     const struct u32_vec *visited)
{
    for (uint32_t i = 0; i < visited->len && block != NO_BLOCK; i++)
        if (is_open(printer, (term_id){visited->at[i]}))
            choose_same(printer, block, (term_id){visited->at[i]});
    if (block != NO_BLOCK)
        choose_equal(printer, block, visited);
    for (uint32_t i = 0; i < visited->len; i++)
        if (is_open(printer, (term_id){visited->at[i]}))
            choose_elsewhere(printer, (term_id){visited->at[i]});
}
