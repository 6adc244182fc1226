// SPDX-License-Identifier: Apache-2.0
// What rules found out about slices, said of the whole: for every operation among the terms that
// the slices equal by now, the operation on whole tensors.
#include "api/simplify/slices.h"

#include "tensor/dynamic/operation.h"
#include "tensor/dynamic/whole.h"
#include "tensor/program/form.h"
#include "tensor/program/region.h"

// At most so many operations are made for each one of the program that is computed slice by slice.
#define LIFT_GROWTH 16
#define LIFT_FEW 256

// A class of terms that are slices of tensors of a type.
struct lifted {
    uint32_t class;
    type_id type;
};

struct lifting {
    struct slicing *slicing;
    struct slice_group *group;
    VEC(struct lifted) at;
    struct u32_vec member; // scratch
    uint32_t n_made, most;
};

static void want(struct lifting *lifting, class_id class, type_id type)
{
    for (uint32_t i = 0; i < lifting->at.len; i++)
        if (lifting->at.at[i].class == class.v && lifting->at.at[i].type.v == type.v)
            return;
    vec_push(&lifting->at, ((struct lifted){class.v, type}));
}

// The whole type of a slice: like `type`, but for the elements, where the slice has the sizes of its
// slices; else with the sizes "?" in front, if these stand in front there.
static bool whole_of(struct pool *pool, type_id slice, type_id type, type_id *out)
{
    struct sized sized, known, own;
    if (!sized_of(pool, type, &sized) || !sized_of(pool, slice, &own))
        return false;
    sized_slice(&sized, &known);
    if (!sized_same(&known, &own)) {
        if (sized_open(&sized, sized.n_open - 1) != sized.n_open - 1 ||
            own.rank + sized.n_open > TENSOR_MAX_RANK)
            return false;
        memcpy(sized.dims + sized.n_open, own.dims, own.rank * sizeof *own.dims);
        memcpy(sized.bounds + sized.n_open, own.bounds, own.rank * sizeof *own.bounds);
        sized.rank = own.rank + sized.n_open;
    }
    sized.elem = own.elem;
    return sized_type(pool, &sized, out);
}

// The oldest term of the class without the parameters, or NO_TERM.
static term_id free_member(struct lifting *lifting, class_id class)
{
    struct egraph *graph = &lifting->slicing->run->graph;
    term_id found = NO_TERM;
    for (term_id at = class_first(graph, class); at.v != NO_TERM.v;
         at = class_next(graph, class, at))
        if (at.v < found.v && slices_free(&lifting->slicing->laws, at, lifting->group->region))
            found = at;
    return found;
}

// The shape operand that the program uses for these sizes, or NO_TERM.
static term_id shape_for(const struct lifting *lifting, type_id type)
{
    const struct program *program = &lifting->slicing->run->in->at;
    const struct terms *terms = &program->terms;
    struct sized want, has;
    if (!sized_of(terms->pool, type, &want))
        return NO_TERM;
    for (uint32_t i = 0; i < lifting->group->whole.len; i++) {
        term_id id = lifting->group->whole.at[i];
        const struct term *node = term_at(terms, id);
        if (operation_takes_shape(op_form_of(program, node->attr)->op) &&
            sized_of(terms->pool, node->type, &has) && sized_same(&want, &has))
            return term_args(terms, id)[node->n_args - 1];
    }
    return NO_TERM;
}

// May the operand be a term of known sizes, the same in the whole?
static bool may_be_known(const struct terms *terms, term_id id, uint32_t k)
{
    enum op op = term_op(terms, id);
    bool scalar = type_rank(terms->pool, term_type(terms, term_args(terms, id)[k])) == 0;
    return op == OP_DOT_GENERAL || (op == OP_REDUCE && k == 1) ||
           (scalar && ((op == OP_SELECT && k == 0) || (op == OP_CLAMP && k != 1)));
}

// Operands of the node and of the whole; false: one has no whole type.
static bool operands_of(struct lifting *lifting, term_id id, type_id type, term_id *args,
                        term_id *wholes)
{
    struct simplification *run = lifting->slicing->run;
    struct terms *terms = &run->in->at.terms;
    for (uint32_t k = 0; k < term_at(terms, id)->n_args; k++) {
        term_id arg = term_args(terms, id)[k];
        class_id class = egraph_find(&run->graph, arg);
        type_id of_arg;
        if (!type_is_tensor(terms->pool, term_type(terms, arg)))
            return false; // of an operation that is not taken slice by slice
        args[k] = may_be_known(terms, id, k) ? free_member(lifting, class) : NO_TERM;
        wholes[k] = args[k];
        if (args[k].v != NO_TERM.v)
            continue;
        if (!whole_of(terms->pool, term_type(terms, arg), type, &of_arg))
            return false;
        args[k] = class_term(&run->graph, class);
        wholes[k] = slices_of(lifting->slicing, lifting->group, args[k], of_arg);
    }
    return true;
}

// slices(..){f(s, ..)} = F(slices(..){s}, ..) of a node of the class.
static void lift_node(struct lifting *lifting, term_id id, type_id type)
{
    struct simplification *run = lifting->slicing->run;
    struct terms *terms = &run->in->at.terms;
    struct term node = *term_at(terms, id);
    term_id args[WHOLE_OPERANDS], wholes[WHOLE_OPERANDS + 1];
    type_id types[WHOLE_OPERANDS];
    struct operation operation = {(enum op)node.op, node.attr, type, node.n_args};
    if (node.n_args == 0 || node.n_args > WHOLE_OPERANDS ||
        !operands_of(lifting, id, type, args, wholes))
        return;
    for (uint32_t k = 0; k < node.n_args; k++)
        types[k] = term_type(terms, wholes[k]);
    if (!whole_attr(terms->pool, operation, types, &operation.attr))
        return;
    if (operation_takes_shape(operation.op)) {
        wholes[operation.n] = shape_for(lifting, type);
        if (wholes[operation.n++].v == NO_TERM.v)
            return;
    }
    term_id inner = term_make(terms, (enum op)node.op, node.attr, node.type, node.n_args, args);
    term_id whole = operation_make(terms, operation, wholes);
    if (whole.v == NO_TERM.v)
        return;
    for (uint32_t k = 0; k < node.n_args; k++)
        if (!type_is_tensor(terms->pool, types[k]))
            want(lifting, egraph_find(&run->graph, term_args(terms, id)[k]), types[k]);
    egraph_add_term(&run->graph, inner);
    slices_state(lifting->slicing, lifting->group,
                 slices_of(lifting->slicing, lifting->group, inner, type), whole);
    lifting->n_made++;
}

// slices(..){broadcast(v)} = dynamic_broadcast_in_dim(v, shape), or with v alone.
static void lift_spread(struct lifting *lifting, term_id inner, term_id v, type_id type)
{
    struct simplification *run = lifting->slicing->run;
    struct terms *terms = &run->in->at.terms;
    term_id args[2] = {v, shape_for(lifting, type)};
    if (args[1].v == NO_TERM.v)
        return;
    bool whole = inner.v == v.v;
    attr_id own = term_at(terms, inner)->attr;
    attr_id dims =
        whole ? slices_spread(terms, type, type_rank(terms->pool, term_type(terms, v)), NULL)
              : slices_spread(terms, type, attr_len(terms->pool, own), attr_at(terms->pool, own));
    term_id made =
        operation_make(terms, (struct operation){OP_BROADCAST_IN_DIM, dims, type, 2}, args);
    egraph_add_term(&run->graph, inner);
    slices_state(lifting->slicing, lifting->group,
                 slices_of(lifting->slicing, lifting->group, inner, type), made);
    lifting->n_made++;
}

// A constant of one repeated element is a broadcast of that element; false: it is none.
static bool lift_constant(struct lifting *lifting, term_id constant, type_id type)
{
    struct terms *terms = &lifting->slicing->run->in->at.terms;
    lit_id literal = term_literal(terms, constant);
    type_id scalar, slice = term_type(terms, constant);
    struct err none = {0};
    term_id inner;
    if (!pool_literal(terms->pool, literal)->splat || type_rank(terms->pool, slice) == 0 ||
        !type_tensor(terms->pool, type_elem(terms->pool, slice), 0, NULL, &scalar, &none))
        return false;
    term_id one = term_constant(terms, literal, scalar);
    if (term_build(terms, (struct operation){OP_BROADCAST_IN_DIM, NO_ATTR, slice, 1}, &one, &inner,
                   &none))
        lift_spread(lifting, inner, one, type);
    return true;
}

static void lift_class(struct lifting *lifting, struct lifted lifted)
{
    struct simplification *run = lifting->slicing->run;
    struct egraph *graph = &run->graph;
    const struct terms *terms = &run->in->at.terms;
    class_id class = class_find(graph, (class_id){lifted.class});
    uint32_t region = lifting->group->region;
    term_id constant = egraph_class(graph, class)->constant;
    vec_clear(&lifting->member);
    for (term_id at = class_first(graph, class); at.v != NO_TERM.v;
         at = class_next(graph, class, at))
        vec_push(&lifting->member, at.v);
    if (constant.v == NO_TERM.v || !lift_constant(lifting, constant, lifted.type)) {
        term_id free = free_member(lifting, class);
        if (free.v != NO_TERM.v)
            lift_spread(lifting, free, free, lifted.type);
    }
    for (uint32_t i = 0; i < lifting->member.len && lifting->n_made < lifting->most; i++) {
        term_id id = {lifting->member.at[i]};
        if (term_op(terms, id) == OP_BROADCAST_IN_DIM &&
            slices_free(&lifting->slicing->laws, term_args(terms, id)[0], region))
            lift_spread(lifting, id, term_args(terms, id)[0], lifted.type);
        else
            lift_node(lifting, id, lifted.type);
    }
}

void slicing_end(struct slicing *slicing)
{
    struct simplification *run = slicing->run;
    const struct terms *terms = &run->in->at.terms;
    for (uint32_t g = 0; g < slicing->group.len; g++) {
        struct lifting lifting = {.slicing = slicing, .group = &slicing->group.at[g]};
        const struct slice_group *group = lifting.group;
        lifting.most = LIFT_FEW + LIFT_GROWTH * group->whole.len;
        for (uint32_t i = 0; group->leaf.len > 0 && i < group->whole.len; i++) {
            term_id inner = {slicing->inner.at[group->whole.at[i].v] - 1};
            want(&lifting, egraph_find(&run->graph, inner), term_type(terms, group->whole.at[i]));
        }
        for (uint32_t i = 0; i < lifting.at.len && lifting.n_made < lifting.most; i++) // grows
            lift_class(&lifting, lifting.at.at[i]);
        vec_release(&lifting.at);
        vec_release(&lifting.member);
    }
    if (slicing->group.len > 0)
        egraph_rebuild(&run->graph);
}
