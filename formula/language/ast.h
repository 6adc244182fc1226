// SPDX-License-Identifier: Apache-2.0
// The syntax of a formula, before names have a meaning: a vector of nodes,
// arguments before the nodes that use them.  A definition (`let`) is not
// copied; AST_LET nodes refer to its value.
#ifndef FORMULA_LANGUAGE_AST_H
#define FORMULA_LANGUAGE_AST_H

#include "base/err.h"
#include "base/memory/intern.h"
#include "base/memory/vec.h"

#define NO_NODE UINT32_MAX

enum ast_kind {
    AST_NUMBER,  // name: the text, perhaps with a minus sign, or p/q
    AST_NAME,    // x
    AST_ELEMENT, // x[i, j]
    AST_CALL,    // f(..), f[j](..), sum[j] ..
    AST_OP,      // an operator of terms by its name, or "where"
    AST_LET,     // one argument, the value
};
struct ast_axis {
    const char *name;
    uint32_t line, col;
};
struct ast_node {
    enum ast_kind kind;
    bool enclosed; // the node is in parentheses
    bool whole;    // AST_NUMBER: digits alone
    const char *name;
    uint32_t at, n;           // arg[at ..]
    uint32_t axes_at, axes_n; // axis[axes_at ..]
    uint32_t line, col;
    uint32_t depth;
};
struct ast_tensor { // a declaration
    const char *name;
    uint32_t axes_at, axes_n, line, col;
};
struct ast_let {
    const char *name;
    uint32_t value;
};
struct ast {
    struct intern *names; // borrowed
    VEC(struct ast_node) node;
    struct u32_vec arg;
    VEC(struct ast_axis) axis;
    VEC(struct ast_tensor) tensor;
    VEC(struct ast_let) let;
    struct u32_vec given; // comparisons
    uint32_t root;
};

// Fails with ERR_INPUT and the place.  Callers must release the result in
// either case.
bool ast_parse(struct ast *ast, struct intern *names, const char *file, const char *text,
               struct err *err);
void ast_release(struct ast *ast);

#endif
