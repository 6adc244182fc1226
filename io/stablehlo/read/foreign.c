// SPDX-License-Identifier: Apache-2.0
// What is known of operations of other dialects.  They stay opaque; a table says
// how their pretty form gives the type of the result.
#include "io/stablehlo/read/foreign.h"

enum form {
    LISTED,  // the last type of the list
    FIRST,   // the first type of the list
    ELEMENT, // the element type of the first type
    TRUTH,   // the first type with elements i1
    POSITION // index, with or without types
};

struct foreign {
    const char *name; // a prefix if it ends with '.' or '_'
    enum form form;
};

// The first entry that fits counts.
static const struct foreign forms[] = {
    {"affine.apply", POSITION},
    {"affine.load", ELEMENT},
    {"affine.max", POSITION},
    {"affine.min", POSITION},
    {"arith.cmpf", TRUTH},
    {"arith.cmpi", TRUTH},
    {"arith.", LISTED},
    {"complex.abs", ELEMENT},
    {"complex.angle", ELEMENT},
    {"complex.eq", TRUTH},
    {"complex.im", ELEMENT},
    {"complex.neq", TRUTH},
    {"complex.re", ELEMENT},
    {"complex.", LISTED},
    {"index.constant", POSITION},
    {"index.bool.constant", TRUTH},
    {"index.cmp", TRUTH},
    {"index.", POSITION},
    {"llvm.mlir.", LISTED},
    {"math.fpowi", FIRST},
    {"math.isfinite", TRUTH},
    {"math.isinf", TRUTH},
    {"math.isnan", TRUTH},
    {"math.isnormal", TRUTH},
    {"math.", LISTED},
    {"memref.alloc", LISTED},
    {"memref.alloca", LISTED},
    {"memref.dim", POSITION},
    {"memref.get_global", LISTED},
    {"memref.load", ELEMENT},
    {"ml_program.global_load", LISTED},
    {"ml_program.global_load_const", LISTED},
    {"shape.const_shape", LISTED},
    {"shape.const_size", POSITION},
    {"tensor.dim", POSITION},
    {"tensor.empty", LISTED},
    {"tensor.extract", ELEMENT},
    {"tensor.from_elements", LISTED},
    {"tensor.generate", LISTED},
    {"tensor.insert", LISTED},
    {"tensor.rank", POSITION},
    {"tensor.splat", LISTED},
    {"ub.poison", LISTED},
    {"util.global.address", LISTED},
    {"util.global.load", LISTED},
    {"util.optimization_barrier", LISTED},
    {"util.unfoldable_constant", LISTED},
};

static bool fits(const char *entry, const char *name)
{
    size_t n = strlen(entry);
    return entry[n - 1] == '.' ? strncmp(entry, name, n) == 0 : strcmp(entry, name) == 0;
}

// The type of one element of "tensor<2x3xf32>" or "complex<f32>" at `at`.
static bool element_type(struct stablehlo_reader *reader, uint32_t at, type_id *out)
{
    struct mlir *mlir = &reader->mlir;
    if (mlir_kind(mlir, at + 1) != '<')
        return false;
    at += 2;
    if (mlir_kind(mlir, at) == T_DIMS)
        at++;
    return mlir_is_type(mlir, at) && mlir_type(mlir, &at, out);
}

// i1, in a tensor of the first type's sizes if that is a tensor.
static bool truth_type(struct stablehlo_reader *reader, uint32_t at, type_id *out)
{
    struct pool *pool = reader->program->pool;
    struct err none = {0};
    if (at != 0 && type_is_tensor(pool, reader->types.at[0]))
        return type_tensor(pool, ELEM_I1, type_rank(pool, reader->types.at[0]),
                           type_dims(pool, reader->types.at[0]), out, &none);
    *out = type_other(pool, "i1");
    return at == 0 || mlir_kind(&reader->mlir, at + 1) != '<' ||
           mlir_word(&reader->mlir, at, "complex");
}

// "arith.constant true" says its type by its value.
static bool typeless(struct stablehlo_reader *reader, const char *name, type_id *out)
{
    *out = type_other(reader->program->pool, "i1");
    return strcmp(name, "arith.constant") == 0;
}

bool foreign_type(struct stablehlo_reader *reader, const char *name, uint32_t at)
{
    const struct foreign *entry = NULL;
    type_id type = NO_TYPE;
    bool ok = false;
    for (size_t n = 0; entry == NULL && n < sizeof forms / sizeof *forms; n++)
        if (fits(forms[n].name, name))
            entry = &forms[n];
    if (entry == NULL)
        return false;
    switch (entry->form) {
    case LISTED:
        ok = at != 0 || typeless(reader, name, &type);
        if (at != 0)
            type = vec_last(&reader->types);
        break;
    case FIRST:
        ok = at != 0;
        if (ok)
            type = reader->types.at[0];
        break;
    case ELEMENT:
        ok = at != 0 && element_type(reader, at, &type);
        break;
    case TRUTH:
        ok = truth_type(reader, at, &type);
        break;
    case POSITION:
        ok = true;
        type = type_other(reader->program->pool, "index");
        break;
    }
    vec_clear(&reader->types);
    vec_push(&reader->types, type);
    return ok;
}

bool foreign_is_pure(const char *name)
{
    static const char *const pure[] = {"arith.", "complex.", "index.", "math.", "tensor."};
    for (size_t n = 0; n < sizeof pure / sizeof *pure; n++)
        if (fits(pure[n], name))
            return true;
    return false;
}

bool foreign_is_constant(const char *name)
{
    return strcmp(name, "arith.constant") == 0 || strcmp(name, "sdy.constant") == 0;
}

bool foreign_is_vhlo(const char *name)
{
    return strncmp(name, "vhlo.", 5) == 0;
}

bool foreign_hint_vhlo(struct err *err)
{
    return err_hint(err, "VHLO is the form of stored artifacts; make it StableHLO: "
                         "`stablehlo-opt --vhlo-legalize-to-stablehlo FILE`");
}
