#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a StableHLO program of equal blocks.

usage: block_program.py chain|tree BLOCKS [plain|norm|column]

chain: each block uses the one before.  tree: each block uses the sum of two earlier ones.
plain: ten operations, of which three are left.  norm: the 27 operations of a normalized layer
with a softmax.  column: a normalized layer whose mean and variance are columns, which rows
do as well, in fewer operations but only after a detour.  A block uses its operand several times,
so the tree of a chain doubles with every block.
"""
import sys

MATRIX, ROWS, SCALAR = "tensor<16x16xf32>", "tensor<16xf32>", "tensor<f32>"
COLUMN = "tensor<16x1xf32>"
CONSTANTS = [("zero", "0.0", SCALAR), ("least", "0xFF800000", SCALAR), ("n", "16.0", ROWS),
             ("tiny", "1.0e-5", ROWS), ("one", "1.0", MATRIX), ("many", "16.0", COLUMN),
             ("little", "1.0e-5", COLUMN)]


class Block:
    """Appends the operations of one block to `lines`."""

    def __init__(self, lines, number):
        self.lines, self.prefix, self.n = lines, f"%b{number}_", 0

    def line(self, text):
        name = f"{self.prefix}{self.n}"
        self.n += 1
        self.lines.append(f"{name} = stablehlo.{text}")
        return name

    def elementwise(self, op, *args, shape=MATRIX):
        return self.line(f"{op} {', '.join(args)} : {shape}")

    def transpose(self, x):
        return self.line(f"transpose {x}, dims = [1, 0] : ({MATRIX}) -> {MATRIX}")

    def reduce(self, op, x, init):
        return self.line(f"reduce({x} init: {init}) applies stablehlo.{op} across dimensions = [1]"
                         f" : ({MATRIX}, {SCALAR}) -> {ROWS}")

    def spread(self, x):
        return self.line(f"broadcast_in_dim {x}, dims = [0] : ({ROWS}) -> {MATRIX}")


def plain(block, x):
    same = block.transpose(block.transpose(x))
    same = block.elementwise("add", block.elementwise("multiply", same, "%one"), x)
    for _ in range(2):
        same = block.line(f"reverse {same}, dims = [0] : {MATRIX}")
    for _ in range(2):
        same = block.elementwise("negate", same)
    return block.elementwise("maximum", same, block.elementwise("tanh", x))


def norm(block, x):
    mean = block.elementwise("divide", block.reduce("add", x, "%zero"), "%n", shape=ROWS)
    centered = block.elementwise("subtract", x, block.spread(mean))
    square = block.elementwise("multiply", centered, centered)
    variance = block.elementwise("divide", block.reduce("add", square, "%zero"), "%n", shape=ROWS)
    variance = block.elementwise("add", variance, "%tiny", shape=ROWS)
    scale = block.elementwise("rsqrt", variance, shape=ROWS)
    layer = block.elementwise("multiply", centered, block.spread(scale))
    layer = block.transpose(block.transpose(layer))
    layer = block.line(f"dot_general {layer}, %w, contracting_dims = [1] x [0]"
                       f" : ({MATRIX}, {MATRIX}) -> {MATRIX}")
    layer = block.elementwise("multiply", layer, "%one")
    most = block.spread(block.reduce("maximum", layer, "%least"))
    power = block.elementwise("exponential", block.elementwise("subtract", layer, most))
    total = block.spread(block.reduce("add", power, "%zero"))
    out = block.elementwise("add", block.elementwise("divide", power, total), x)
    for _ in range(2):
        out = block.elementwise("negate", out)
    return out


def column(block, x):
    def as_column(rows):
        return block.line(f"broadcast_in_dim {rows}, dims = [0] : ({ROWS}) -> {COLUMN}")

    def spread(at):
        return block.line(f"broadcast_in_dim {at}, dims = [0, 1] : ({COLUMN}) -> {MATRIX}")

    def mean(of):
        return block.elementwise("divide", as_column(block.reduce("add", of, "%zero")), "%many", shape=COLUMN)

    first, second = mean(x), mean(block.elementwise("multiply", x, x))
    variance = block.elementwise("subtract", second, block.elementwise("multiply", first, first, shape=COLUMN),
                                 shape=COLUMN)
    variance = block.elementwise("add", variance, "%little", shape=COLUMN)
    scale = block.elementwise("multiply", spread(block.elementwise("rsqrt", variance, shape=COLUMN)), "%w")
    return block.elementwise("multiply", block.elementwise("subtract", x, spread(first)), scale)


def main():
    shape, blocks = sys.argv[1], int(sys.argv[2])
    kind = {"plain": plain, "norm": norm, "column": column}[sys.argv[3] if len(sys.argv) > 3 else "plain"]
    lines, last = [], "%x"
    if shape == "chain":
        for i in range(blocks):
            last = kind(Block(lines, i), last)
    else:
        ready = [f"%x{i}" for i in range(2)]
        lines += [f"%x{i} = stablehlo.{op} %x : {MATRIX}" for i, op in enumerate(("sine", "cosine"))]
        for i in range(blocks):
            other = ready[i // 2 + 1 + i % 2]  # no two blocks have the same operand
            lines.append(f"%s{i} = stablehlo.add {ready[i // 2]}, {other} : {MATRIX}")
            ready.append(kind(Block(lines, i), f"%s{i}"))
        # Every block is needed: the last ones are added up.
        first = (blocks + 1) // 2
        last = ready[first]
        for i in range(first + 1, len(ready)):
            lines.append(f"%sum{i} = stablehlo.add {last}, {ready[i]} : {MATRIX}")
            last = f"%sum{i}"
    print(f"func.func @main(%x: {MATRIX}, %w: {MATRIX}) -> {MATRIX} {{")
    for name, value, of in CONSTANTS:
        print(f"  %{name} = stablehlo.constant dense<{value}> : {of}")
    for line in lines:
        print("  " + line)
    print(f"  return {last} : {MATRIX}\n}}")


if __name__ == "__main__":
    main()
