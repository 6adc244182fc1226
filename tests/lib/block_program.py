#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a StableHLO program of equal blocks.

usage: block_program.py chain|tree BLOCKS

A block is ten operations of which three are left.  It uses its operand twice, so the tree of
a chain doubles with every block.
chain: each block uses the one before.  tree: each block uses the sum of two earlier ones.
"""
import sys

TYPE = "tensor<4x4xf32>"


def block(lines, number, operand):
    """Ten operations on `operand`; returns the name of the last."""
    p = f"%b{number}_"
    lines += [
        f"{p}0 = stablehlo.transpose {operand}, dims = [1, 0] : ({TYPE}) -> {TYPE}",
        f"{p}1 = stablehlo.transpose {p}0, dims = [1, 0] : ({TYPE}) -> {TYPE}",
        f"{p}2 = stablehlo.multiply {p}1, %one : {TYPE}",
        f"{p}3 = stablehlo.add {p}2, {operand} : {TYPE}",
        f"{p}4 = stablehlo.reverse {p}3, dims = [0] : {TYPE}",
        f"{p}5 = stablehlo.reverse {p}4, dims = [0] : {TYPE}",
        f"{p}6 = stablehlo.negate {p}5 : {TYPE}",
        f"{p}7 = stablehlo.negate {p}6 : {TYPE}",
        f"{p}8 = stablehlo.tanh {operand} : {TYPE}",
        f"{p}9 = stablehlo.maximum {p}7, {p}8 : {TYPE}",
    ]
    return f"{p}9"


def main():
    shape, blocks = sys.argv[1], int(sys.argv[2])
    lines, last = [], "%x"
    if shape == "chain":
        for i in range(blocks):
            last = block(lines, i, last)
    else:
        ready = [f"%x{i}" for i in range(2)]
        lines += [f"%x{i} = stablehlo.{op} %x : {TYPE}" for i, op in enumerate(("sine", "cosine"))]
        for i in range(blocks):
            lines.append(f"%s{i} = stablehlo.add {ready[i // 2]}, {ready[i // 2 + 1]} : {TYPE}")
            ready.append(block(lines, i, f"%s{i}"))
        # Every block is needed: the last ones are added up.
        last = ready[blocks // 2 + 2]
        for i in range(blocks // 2 + 3, len(ready)):
            lines.append(f"%sum{i} = stablehlo.add {last}, {ready[i]} : {TYPE}")
            last = f"%sum{i}"
    print("func.func @main(%x: " + TYPE + ") -> " + TYPE + " {")
    print(f"  %one = stablehlo.constant dense<1.0> : {TYPE}")
    for line in lines:
        print("  " + line)
    print(f"  return {last} : {TYPE}\n}}")


if __name__ == "__main__":
    main()
