// SPDX-License-Identifier: Apache-2.0
// Part of opening a text: see mlir.h.
#ifndef IO_MLIR_ALIAS_H
#define IO_MLIR_ALIAS_H

#include "io/mlir/mlir.h"

// Replaces mlir->tok by the tokens without aliases and locations.  Brackets match
// again, at most IO_MLIR_DEPTH deep.
bool mlir_expand(struct mlir *mlir);

#endif
