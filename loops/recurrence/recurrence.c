// SPDX-License-Identifier: Apache-2.0
#include "loops/recurrence/recurrence.h"
#include "loops/recurrence/solving.h"

const struct code_loop *solving_loop(const struct solving *v)
{
    return &v->s->program->loop.at[v->loop];
}

const struct code_type *solving_type(const struct solving *v, uint32_t carried)
{
    return &code_node(v->s->program, v->s->program->carried.at[carried].initial)->type;
}

static void lanes(const struct solving *v, uint32_t carried, ipoly *lane)
{
    for (uint32_t d = 0; d < solving_type(v, carried)->rank; d++)
        lane[d] = symbolic_lane(v->s, d);
}

// Facts about the lanes of a state.
void solving_lane_facts(const struct solving *v, uint32_t carried)
{
    const struct code_type *type = solving_type(v, carried);
    for (uint32_t d = 0; d < type->rank; d++)
        symbolic_range(v->s, symbolic_lane(v->s, d), int_constant(v->s->in, type->extent[d]));
}

bool solving_is_state(void *ctx, const struct lterms *terms, lterm term)
{
    const struct code_loop *loop = ctx;
    uint32_t number = lterm_number(terms, term);
    return lterm_kind(terms, term) == LT_STATE && number >= loop->at && number < loop->at + loop->n;
}

static bool has_state(const struct solving *v, lterm term)
{
    struct code_loop loop = *solving_loop(v);
    return lterm_any(v->s->terms, term, solving_is_state, &loop);
}

// The next value at symbolic lanes, in an iteration from `first` on.
lterm solving_next(const struct solving *v, uint32_t carried, int64_t first)
{
    struct symbolic *s = v->s;
    ipoly lane[CODE_RANK + 1];
    uint32_t mark = ifacts_mark(&s->facts);
    lanes(v, carried, lane);
    solving_lane_facts(v, carried);
    symbolic_range(s, int_shift(s->in, v->k, -first), int_shift(s->in, v->trips, -first));
    lterm next = symbolic_value(s, s->program->carried.at[carried].next, lane);
    ifacts_pop(&s->facts, mark);
    return next;
}

lterm solving_initial(const struct solving *v, uint32_t carried)
{
    ipoly lane[CODE_RANK + 1];
    uint32_t mark = ifacts_mark(&v->s->facts);
    lanes(v, carried, lane);
    solving_lane_facts(v, carried);
    lterm initial = symbolic_value(v->s, v->s->program->carried.at[carried].initial, lane);
    ifacts_pop(&v->s->facts, mark);
    return initial;
}

lterm solving_leaf(const struct solving *v, uint32_t carried)
{
    ipoly lane[CODE_RANK + 1];
    lanes(v, carried, lane);
    return lterm_make(v->s->terms, LT_STATE, carried, solving_type(v, carried)->rank, lane);
}

// ---- integers ----

static bool solve_integer(const struct solving *v, uint32_t carried)
{
    struct symbolic *s = v->s;
    ipoly lane[CODE_RANK + 1], rest, factor;
    iatom self, k;
    lanes(v, carried, lane);
    struct buf name = {0};
    buf_printf(&name, "state'%u", carried);
    for (uint32_t d = 0; d < solving_type(v, carried)->rank; d++)
        buf_printf(&name, "'%u", lane[d]);
    int_is_atom(s->in, int_symbol(s->in, buf_text(&name)), &self);
    buf_release(&name);
    lterm next = solving_next(v, carried, 0), initial = solving_initial(v, carried);
    if (lterm_kind(s->terms, next) != LT_WHOLE || lterm_kind(s->terms, initial) != LT_WHOLE)
        return false;
    int_is_atom(s->in, v->k, &k);
    if (!int_linear_in(s->in, lterm_arg(s->terms, next, 0), self, &factor, &rest) ||
        factor != int_constant(s->in, 1) || int_mentions(s->in, rest, k))
        return false;
    struct buf text = {0};
    int_print(s->in, rest, &text);
    bool other = strstr(buf_text(&text), "state'") != NULL;
    buf_release(&text);
    if (other)
        return false;
    ipoly form = int_add(s->in, lterm_arg(s->terms, initial, 0),
                         int_multiply(s->in, symbolic_iteration(s), rest));
    symbolic_close(s, carried, (struct closed){CLOSED_FORM, 0, lterm_whole(s->terms, form)});
    return true;
}

// ---- folds ----

static bool joins(enum code_op have, enum code_op want)
{
    return have == want || (have == CODE_SUBTRACT && want == CODE_ADD);
}

// leaf = state (+) g, for one operator: g.  The state alone: the unit.
static bool addend(const struct solving *v, lterm leaf, lterm state, enum code_op op, lterm unit,
                   lterm *g)
{
    struct symbolic *s = v->s;
    if (leaf == state)
        return *g = unit, true;
    if (lterm_kind(s->terms, leaf) != LT_APPLY || !joins(lterm_number(s->terms, leaf), op))
        return false;
    enum code_op have = lterm_number(s->terms, leaf);
    for (uint32_t side = 0; side < (have == CODE_SUBTRACT ? 1u : 2u); side++) {
        lterm with = lterm_arg(s->terms, leaf, side), without = lterm_arg(s->terms, leaf, 1 - side);
        lterm inner;
        if (has_state(v, without) || !addend(v, with, state, op, unit, &inner))
            continue;
        if (have == CODE_SUBTRACT)
            without = symbolic_apply(s, CODE_NEGATE, 1, &without);
        lterm args[2] = {side ? without : inner, side ? inner : without};
        return *g = symbolic_apply(s, op, 2, args), true;
    }
    return false;
}

// Where lanes have no value, nothing is added to them that has one; somewhere there must be one.
static bool addend_tree(const struct solving *v, lterm tree, lterm state, enum code_op op,
                        lterm unit, lterm *g)
{
    struct symbolic *s = v->s;
    lterm yes, no;
    if (lterm_kind(s->terms, tree) == LT_UNDEFINED)
        return *g = tree, true;
    if (lterm_kind(s->terms, tree) != LT_CHOOSE)
        return addend(v, tree, state, op, unit, g);
    if (!addend_tree(v, lterm_arg(s->terms, tree, 1), state, op, unit, &yes) ||
        !addend_tree(v, lterm_arg(s->terms, tree, 2), state, op, unit, &no))
        return false;
    *g = symbolic_choose(s, lterm_arg(s->terms, tree, 0), yes, no);
    return true;
}

static lterm at_iteration(const struct solving *v, lterm term, ipoly t)
{
    iatom k;
    int_is_atom(v->s->in, v->k, &k);
    struct int_substitution by = {1, &k, &t};
    return symbolic_rebuild(v->s, term, &by);
}

// The fold of g(t) over t < k, for k = the iteration of closed forms, at least `from`.
lterm solving_fold(const struct solving *v, uint32_t carried, enum code_op op, lterm g,
                   int64_t from)
{
    struct symbolic *s = v->s;
    ipoly t = int_fresh(s->in, "t"), k = symbolic_iteration(s);
    iatom atom;
    int_is_atom(s->in, t, &atom);
    uint32_t mark = ifacts_mark(&s->facts);
    solving_lane_facts(v, carried);
    ifacts_push(&s->facts, int_shift(s->in, k, -from), NO_ORIGIN);
    ifacts_push(&s->facts, int_subtract(s->in, v->trips, k), NO_ORIGIN);
    uint32_t inner = ifacts_mark(&s->facts);
    symbolic_range(s, t, k);
    lterm body = at_iteration(v, g, t);
    ifacts_pop(&s->facts, inner);
    lterm made = symbolic_reduce(s, op, atom, k, body);
    ifacts_pop(&s->facts, mark);
    return made;
}

// Has a path of the tree a value?
static bool has_value(const struct symbolic *s, lterm tree)
{
    if (lterm_kind(s->terms, tree) == LT_CHOOSE)
        return has_value(s, lterm_arg(s->terms, tree, 1)) ||
               has_value(s, lterm_arg(s->terms, tree, 2));
    return symbolic_refusal(s, tree) == NULL;
}

static bool try_fold(const struct solving *v, uint32_t carried, lterm next, enum code_op op,
                     lterm unit)
{
    struct symbolic *s = v->s;
    lterm g, initial = solving_initial(v, carried);
    if (lterm_kind(s->terms, next) == LT_UNDEFINED ||
        !addend_tree(v, next, solving_leaf(v, carried), op, unit, &g) || !has_value(s, g))
        return false;
    if (g == unit) {
        symbolic_close(s, carried, (struct closed){CLOSED_FORM, 0, initial});
        return true;
    }
    bool extremum = op == CODE_MAXIMUM || op == CODE_MINIMUM;
    lterm args[2] = {initial, solving_fold(v, carried, op, g, extremum)};
    struct closed closed = {CLOSED_FORM, extremum, symbolic_apply(s, op, 2, args)};
    if (symbolic_refusal(s, closed.form) && !has_value(s, closed.form))
        return false;
    symbolic_close(s, carried, closed);
    return true;
}

static bool solve_fold(const struct solving *v, uint32_t carried)
{
    static const enum code_op ops[] = {CODE_ADD, CODE_MAXIMUM, CODE_MINIMUM, CODE_MULTIPLY};
    lterm next = solving_next(v, carried, 0);
    for (uint32_t i = 0; i < 4; i++) {
        struct lterms *terms = v->s->terms;
        lterm unit = ops[i] == CODE_ADD        ? lterm_number_of(terms, "0")
                     : ops[i] == CODE_MULTIPLY ? lterm_number_of(terms, "1")
                                               : lterm_infinite(terms, ops[i] == CODE_MINIMUM);
        if (try_fold(v, carried, next, ops[i], unit))
            return true;
    }
    return false;
}

// ---- delays ----

// The next value needs no state of the loop: in iteration k >= 1 the state is what iteration k - 1
// made.
static bool solve_delay(const struct solving *v, uint32_t carried)
{
    struct symbolic *s = v->s;
    ipoly before = int_shift(s->in, symbolic_iteration(s), -1);
    lterm next = solving_next(v, carried, 0), initial = solving_initial(v, carried);
    if (has_state(v, next))
        return false;
    uint32_t mark = ifacts_mark(&s->facts);
    solving_lane_facts(v, carried);
    ifacts_push(&s->facts, before, NO_ORIGIN);
    ifacts_push(&s->facts, int_subtract(s->in, v->trips, symbolic_iteration(s)), NO_ORIGIN);
    lterm form = at_iteration(v, next, before);
    ifacts_pop(&s->facts, mark);
    form = symbolic_choose(s, before, form, initial);
    if (symbolic_refusal(s, form))
        return false;
    symbolic_close(s, carried, (struct closed){CLOSED_FORM, 0, form});
    return true;
}

// ---- lanes without a value ----

// The form, undefined where the conditions on lanes make the next value so.
static lterm where_defined(const struct solving *v, lterm next, lterm form)
{
    struct symbolic *s = v->s;
    iatom k;
    int_is_atom(s->in, v->k, &k);
    if (lterm_kind(s->terms, next) == LT_UNDEFINED)
        return next;
    if (lterm_kind(s->terms, next) != LT_CHOOSE ||
        int_mentions(s->in, lterm_arg(s->terms, next, 0), k))
        return form;
    lterm yes = where_defined(v, lterm_arg(s->terms, next, 1), form);
    lterm no = where_defined(v, lterm_arg(s->terms, next, 2), form);
    return yes == form && no == form ? form
                                     : symbolic_choose(s, lterm_arg(s->terms, next, 0), yes, no);
}

// exp(-inf - -inf) in rows behind the last one: nothing is said of them.
static void forget_undefined(const struct solving *v, uint32_t carried)
{
    struct symbolic *s = v->s;
    struct closed closed = s->closed.at[carried];
    lterm next = solving_next(v, carried, 1);
    if (lterm_kind(s->terms, next) == LT_UNDEFINED)
        return;
    uint32_t mark = ifacts_mark(&s->facts);
    solving_lane_facts(v, carried);
    struct int_substitution none = {0, NULL, NULL};
    closed.form = symbolic_rebuild(s, where_defined(v, next, closed.form), &none);
    ifacts_pop(&s->facts, mark);
    symbolic_close(s, carried, closed);
}

// ---- a loop ----

static bool is_integer(const struct solving *v, uint32_t carried)
{
    return solving_type(v, carried)->kind == CODE_INT;
}

static bool is_open(const struct solving *v, uint32_t carried)
{
    uint8_t kind = v->s->closed.at[carried].kind;
    return kind == CLOSED_NOT || kind == CLOSED_DATA;
}

static bool solve_state(const struct solving *v, uint32_t carried)
{
    if (v->s->closed.at[carried].kind == CLOSED_DATA)
        return solve_fold(v, carried);
    if (is_integer(v, carried))
        return solve_integer(v, carried);
    if (solving_type(v, carried)->kind != CODE_REAL)
        return false;
    if (solve_fold(v, carried) || solve_delay(v, carried))
        return true;
    bool solved = solve_weighted(v, carried, solving_open_next(v, carried)) ||
                  solve_weighted(v, carried, solving_next(v, carried, 1));
    if (solved)
        forget_undefined(v, carried);
    return solved;
}

// States without a closed form get `what`, or what is said of integers and truth values.
static void give_up(const struct solving *v, const char *what)
{
    const struct code_loop *loop = solving_loop(v);
    for (uint32_t i = 0; i < loop->n; i++) {
        uint32_t carried = loop->at + i;
        if (!is_open(v, carried))
            continue;
        struct buf text = {0};
        struct code_place place =
            code_node(v->s->program, v->s->program->carried.at[carried].state)->place;
        // What has no value in the body is the better reason.
        const char *reason = symbolic_refusal(v->s, solving_next(v, carried, 1));
        if (reason != NULL)
            buf_puts(&text, reason);
        else
            buf_printf(&text, "%u:%u: %s", place.line, place.col,
                       solving_type(v, carried)->kind == CODE_REAL
                           ? what
                           : "an integer that the loop carries does not grow by a constant");
        lterm form = lterm_undefined(v->s->terms, buf_text(&text));
        buf_release(&text);
        symbolic_close(v->s, carried, (struct closed){CLOSED_ERROR, 0, form});
    }
}

static void forget(const struct solving *v)
{
    for (uint32_t i = 0; i < solving_loop(v)->n; i++)
        symbolic_close(v->s, solving_loop(v)->at + i, (struct closed){CLOSED_NOT, 0, 0});
}

// The states of integers that grow by a constant, or all others.
static void solve_states(const struct solving *v, bool integers)
{
    const struct code_loop *l = solving_loop(v);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < l->n; i++)
            if (is_open(v, l->at + i) && (is_integer(v, l->at + i) || !integers))
                more = solve_state(v, l->at + i) || more;
    }
}

static void solve_loop(struct symbolic *s, uint32_t loop)
{
    struct solving v = {.s = s, .loop = loop, .k = s->iteration.at[loop]};
    const struct code_loop *l = solving_loop(&v);
    forget(&v);
    if (!symbolic_trips(s, loop, &v.trips)) {
        give_up(&v, "the number of iterations is not known");
        return;
    }
    // Integers first: addresses depend on them.  The others are numbers that data makes.
    solve_states(&v, true);
    for (uint32_t i = 0; i < l->n; i++)
        if (is_integer(&v, l->at + i) && is_open(&v, l->at + i))
            symbolic_close(s, l->at + i, (struct closed){CLOSED_DATA, 0, 0});
    solve_states(&v, false);
    give_up(&v, "the recurrence of this state is of no kind that is known");
}

// ---- all loops ----

static void solve_block(struct symbolic *s, uint32_t block);

// Inner loops first, with the states of this one as unknowns; then this one; then the inner ones
// again, with its states known.
static void solve_inside(struct symbolic *s, const struct code_statement *statement)
{
    const struct code_loop *loop = &s->program->loop.at[statement->index];
    uint32_t mark = ifacts_mark(&s->facts);
    struct solving v = {.s = s, .loop = statement->index};
    ipoly trips;
    forget(&v); // what an earlier pass found of them holds older forms of the states outside
    if (symbolic_trips(s, statement->index, &trips))
        symbolic_range(s, s->iteration.at[statement->index], trips);
    solve_block(s, loop->block);
    if (loop->n) {
        ifacts_pop(&s->facts, mark);
        solve_loop(s, statement->index);
        if (symbolic_trips(s, statement->index, &trips))
            symbolic_range(s, s->iteration.at[statement->index], trips);
        solve_block(s, loop->block);
    }
    ifacts_pop(&s->facts, mark);
}

static void solve_branch(struct symbolic *s, const struct code_statement *statement)
{
    const struct code_branch *branch = &s->program->branch.at[statement->index];
    uint32_t blocks[2] = {branch->then, branch->otherwise}, mark = ifacts_mark(&s->facts);
    lterm condition = symbolic_value(s, branch->condition, NULL);
    for (int side = 0; side < 2; side++) {
        lterm truth = side ? symbolic_apply(s, CODE_NOT, 1, &condition) : condition;
        symbolic_assume(s, truth, NO_ORIGIN);
        if (blocks[side] != NO_CODE)
            solve_block(s, blocks[side]);
        ifacts_pop(&s->facts, mark);
    }
}

static void solve_block(struct symbolic *s, uint32_t block)
{
    for (uint32_t i = s->program->block.at[block].first; i != NO_CODE;) {
        const struct code_statement *statement = &s->program->statement.at[i];
        if (statement->kind == STATEMENT_LOOP)
            solve_inside(s, statement);
        else if (statement->kind == STATEMENT_BRANCH)
            solve_branch(s, statement);
        i = statement->next;
    }
}

void recurrences_solve(struct symbolic *s)
{
    solve_block(s, s->program->body);
}
