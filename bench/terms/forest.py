#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints trees of + - * pow over a few symbols and numbers, for forest.rules:

    bench/terms/forest.py NODES

so many distinct nodes or a few more, the same ones each time."""
import sys


def forest(nodes):
    state = 1
    seen = set()

    def below(n):
        nonlocal state
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        return (state >> 33) % n

    def tree(height):
        if height == 0:
            text = f'x{below(500)}' if below(4) else str(below(3))
        else:
            op = ('+', '+', '*', '*', '-', 'pow')[below(6)]
            left = tree(height - 1 - below(2) * (height > 1))
            right = str(1 + below(2)) if op == 'pow' else tree(height - 1)
            text = f'({op} {left} {right})'
        seen.add(text)
        return text

    while len(seen) < nodes:
        print(tree(8))


if __name__ == '__main__':
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    forest(int(sys.argv[1]))
